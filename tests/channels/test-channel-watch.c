/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A channel that does not work is told of once. */
#include "beckon-channel-fixture.h"
#include "channels/beckon-channel-watch.h"

#include <string.h>

typedef struct
{
  BeckonChannelFixture *fixture;
  BeckonChannelWatch *watch;
  guint failing;
  guint recovered;
} World;

static void
on_failing (BeckonChannelWatch *watch, BeckonChannel *channel, World *world)
{
  g_autofree char *words = beckon_channel_dup_words (channel);

  g_assert_cmpstr (words, !=, "");
  world->failing++;
}

static void
on_recovered (BeckonChannelWatch *watch, const char *id, World *world)
{
  g_assert_nonnull (id);
  world->recovered++;
}

static void
set_up (World *world, gconstpointer unused)
{
  world->fixture = beckon_channel_fixture_new ();
  world->watch = beckon_channel_watch_new (G_LIST_MODEL (world->fixture->channels), world->fixture->agent->clock);
  g_signal_connect (world->watch, "failing", G_CALLBACK (on_failing), world);
  g_signal_connect (world->watch, "recovered", G_CALLBACK (on_recovered), world);
}

static void
tear_down (World *world, gconstpointer unused)
{
  g_assert_finalize_object (world->watch);
  beckon_channel_fixture_free (world->fixture);
}

static void
set_away (World *world, gboolean is_away)
{
  world->fixture->hub->is_away = is_away;
  beckon_loopback_wake (world->fixture->hub);
  beckon_channel_fixture_settle (world->fixture);
}

static void
advance (World *world, gint64 milliseconds)
{
  beckon_clock_advance (world->fixture->agent->clock, milliseconds);
  beckon_channel_fixture_settle (world->fixture);
}

/* Told after a while, once, and again only when it had worked. */
static void
test_lasting (World *world, gconstpointer unused)
{
  set_away (world, TRUE);
  advance (world, BECKON_CHANNEL_WATCH_PATIENCE_MS - 1000);
  g_assert_cmpuint (world->failing, ==, 0);
  advance (world, 1000);
  g_assert_cmpuint (world->failing, ==, 1);
  advance (world, 60 * 60 * 1000);
  g_assert_cmpuint (world->failing, ==, 1);
  set_away (world, FALSE);
  g_assert_cmpuint (world->recovered, ==, 1);
  set_away (world, TRUE);
  advance (world, BECKON_CHANNEL_WATCH_PATIENCE_MS);
  g_assert_cmpuint (world->failing, ==, 2);
}

static void
test_short (World *world, gconstpointer unused)
{
  set_away (world, TRUE);
  advance (world, BECKON_CHANNEL_WATCH_PATIENCE_MS / 2);
  set_away (world, FALSE);
  advance (world, BECKON_CHANNEL_WATCH_PATIENCE_MS);
  g_assert_cmpuint (world->failing, ==, 0);
  g_assert_cmpuint (world->recovered, ==, 0);
}

/* A sign-in that no longer counts does not come back by itself. */
static void
test_signed_out (World *world, gconstpointer unused)
{
  BeckonChannelAdapter *adapter = beckon_channel_get_adapter (beckon_channel_fixture_get (world->fixture, "Phone"));

  beckon_channel_adapter_set_state (adapter, BECKON_CHANNEL_SIGNED_OUT, "Scan again.");
  g_assert_cmpuint (world->failing, ==, 1);
  beckon_channels_set_serving (world->fixture->channels, FALSE);
  g_assert_cmpuint (world->recovered, ==, 1);
}

/* A channel that was never paired has nobody who waits for it. */
static void
test_unpaired (World *world, gconstpointer unused)
{
  BeckonChannel *other = beckon_channel_fixture_add (world->fixture, "Tablet");

  beckon_channel_adapter_set_state (beckon_channel_get_adapter (other), BECKON_CHANNEL_SIGNED_OUT, "Scan again.");
  g_assert_cmpuint (world->failing, ==, 0);
}

#define ADD(name, function) g_test_add ("/channels/watch/" name, World, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("lasting", test_lasting);
  ADD ("short", test_short);
  ADD ("signed-out", test_signed_out);
  ADD ("unpaired", test_unpaired);
  return g_test_run ();
}
