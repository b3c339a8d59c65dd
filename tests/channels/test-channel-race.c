/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The same question on three phones and in the window: answers race, messages get lost, programs end. */
#include "beckon-channel-fixture.h"

#include <string.h>

#define N_PHONES 3
#define N_RACES (g_test_slow () ? 1000 : 100)

static const char *const names[N_PHONES] = { "Phone", "Tablet", "Watch" };

static void
on_answered (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  int *won = user_data;

  *won = beckon_inbox_settle_finish (BECKON_INBOX (source), result, &error);
  if (error != NULL)
    g_assert_error (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_ALREADY_SETTLED);
}

/* The message with the buttons that was sent last. */
static guint
find_asked (BeckonLoopbackHub *hub)
{
  for (guint i = hub->sent->len; i > 0; i--)
    if (beckon_loopback_get_sent (hub, i - 1)->message->choices->len > 0)
      return i - 1;
  g_assert_not_reached ();
}

static void
answer_from (BeckonChannelFixture *fixture, guint place, BeckonRequest *request, int *won)
{
  g_autoptr (BeckonAnswer) answer = NULL;
  BeckonLoopbackHub *hub;

  if (place < N_PHONES)
    {
      hub = beckon_loopback_hub (names[place]);
      beckon_loopback_press (hub, "anna", find_asked (hub), place % 2);
      return;
    }
  answer = beckon_script_pick ("8080");
  beckon_inbox_settle_async (fixture->agent->inbox, beckon_request_get_id (request), answer, "window", "anna", NULL,
                             on_answered, won);
}

/* Every phone's question has become one that says who answered, and has no buttons. */
static gboolean
all_say_who (void)
{
  for (guint i = 0; i < N_PHONES; i++)
    {
      BeckonLoopbackHub *hub = beckon_loopback_hub (names[i]);
      const BeckonLoopbackSent *asked = beckon_loopback_get_sent (hub, find_asked (hub));
      gboolean says = FALSE;

      for (guint j = 0; j < hub->sent->len; j++)
        {
          const BeckonLoopbackSent *sent = beckon_loopback_get_sent (hub, j);

          says |= g_strcmp0 (sent->message->edits, asked->remote_id) == 0
                  && strstr (sent->message->text, "This was already answered by") != NULL;
        }
      if (!says)
        return FALSE;
    }
  return TRUE;
}

static void
shuffle (guint *places, guint n)
{
  for (guint i = n; i > 1; i--)
    {
      guint j = (guint) g_test_rand_int_range (0, (gint32) i);
      guint kept = places[i - 1];

      places[i - 1] = places[j];
      places[j] = kept;
    }
}

static gboolean
all_were_asked (void)
{
  for (guint i = 0; i < N_PHONES; i++)
    {
      BeckonLoopbackHub *hub = beckon_loopback_hub (names[i]);

      if (hub->sent->len == 0
          || beckon_loopback_get_sent (hub, hub->sent->len - 1)->message->choices->len == 0)
        return FALSE;
    }
  return TRUE;
}

static void
race_once (BeckonChannelFixture *fixture)
{
  guint places[N_PHONES + 1] = { 0, 1, 2, 3 };
  int won = -1;
  g_autoptr (BeckonRequest) request = NULL;
  g_autofree char *sql = NULL;
  g_autofree char *n_winners = NULL;

  beckon_agent_fixture_script (fixture->agent, beckon_script_ask ("call_7"));
  beckon_agent_fixture_script (fixture->agent, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (fixture->agent, fixture->agent->conversation, "Set it up");
  request = g_object_ref (beckon_agent_fixture_wait_pending (fixture->agent, 1));
  beckon_agent_wait_until (all_were_asked ());
  beckon_channel_fixture_settle (fixture);

  shuffle (places, G_N_ELEMENTS (places));
  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    answer_from (fixture, places[i], request, &won);
  beckon_agent_wait_until (won != -1 && all_say_who ());
  beckon_agent_fixture_wait_end (fixture->agent, BECKON_RUN_COMPLETE);
  beckon_channel_fixture_settle (fixture);
  g_assert_cmpint (won, ==, g_strcmp0 (beckon_request_get_front_end (request), "window") == 0);
  sql = g_strdup_printf ("SELECT count (*) FROM settlement WHERE request = '%s'", beckon_request_get_id (request));
  n_winners = beckon_channel_fixture_dup_value (fixture, sql);
  g_assert_cmpstr (n_winners, ==, "1");
  for (guint i = 0; i < N_PHONES; i++)
    g_ptr_array_set_size (beckon_loopback_hub (names[i])->sent, 0);
}

static void
test_race (void)
{
  g_autoptr (BeckonChannelFixture) fixture = beckon_channel_fixture_new ();
  g_autofree char *left = NULL;

  for (guint i = 1; i < N_PHONES; i++)
    beckon_channel_fixture_pair (fixture, beckon_channel_fixture_add (fixture, names[i]), "anna");
  beckon_channel_fixture_settle (fixture);
  for (guint i = 0; i < N_PHONES; i++)
    g_ptr_array_set_size (beckon_loopback_hub (names[i])->sent, 0);
  for (guint i = 0; i < (guint) N_RACES; i++)
    race_once (fixture);
  left = beckon_channel_fixture_dup_value (
      fixture, "SELECT count (*) FROM channel_inbound WHERE body IS NOT NULL"
               " UNION ALL SELECT count (*) FROM channel_message WHERE state IN ('queued', 'sending')");
  g_assert_cmpstr (left, ==, "0");
}

/* The message is marked as being sent, and handed over; the test's timeout ends the wait. */
static void
wait_sending (BeckonChannelFixture *fixture)
{
  g_autofree char *n = NULL;

  while (g_strcmp0 (n, "1") != 0)
    {
      g_free (n);
      beckon_channel_fixture_settle (fixture);
      n = beckon_channel_fixture_dup_value (fixture, "SELECT count (*) FROM channel_message WHERE state = 'sending'");
    }
  beckon_channel_fixture_settle (fixture);
}

/* The program ends while a message is on its way: it goes again, under the same id. */
static void
test_ended_while_sending (void)
{
  g_autoptr (BeckonChannelFixture) fixture = beckon_channel_fixture_new ();
  g_autofree char *id = NULL;

  fixture->hub->hangs = TRUE;
  beckon_agent_fixture_script (fixture->agent, beckon_script_ask ("call_7"));
  beckon_agent_fixture_send (fixture->agent, fixture->agent->conversation, "Set it up");
  beckon_agent_fixture_wait_pending (fixture->agent, 1);
  wait_sending (fixture);
  id = beckon_channel_fixture_dup_value (fixture, "SELECT id FROM channel_message WHERE request IS NOT NULL");
  fixture->hub->hangs = FALSE;
  beckon_channel_fixture_restart (fixture);
  beckon_channel_fixture_wait_sent (fixture, 1);
  g_assert_cmpstr (beckon_loopback_get_sent (fixture->hub, 0)->message->id, ==, id);
  beckon_channel_fixture_settle (fixture);
  g_assert_cmpuint (fixture->hub->sent->len, ==, 1);
}

/* The message arrived, and only the answer was lost. */
static void
test_lost_answer (void)
{
  g_autoptr (BeckonChannelFixture) fixture = beckon_channel_fixture_new ();

  fixture->hub->failures = 1;
  fixture->hub->failure = BECKON_CHANNEL_ERROR_LATE;
  fixture->hub->loses_answer = TRUE;
  beckon_agent_fixture_script (fixture->agent, beckon_script_ask ("call_7"));
  beckon_agent_fixture_script (fixture->agent, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (fixture->agent, fixture->agent->conversation, "Set it up");
  beckon_channel_fixture_wait_sent (fixture, 1);
  beckon_channel_fixture_settle (fixture);
  beckon_clock_advance (fixture->agent->clock, 10 * 1000);
  beckon_channel_fixture_wait_sent (fixture, 2);
  g_assert_cmpstr (beckon_loopback_get_sent (fixture->hub, 0)->message->id, ==,
                   beckon_loopback_get_sent (fixture->hub, 1)->message->id);
  /* The buttons of both are the same, so that either answers. */
  beckon_loopback_press (fixture->hub, "anna", 0, 0);
  beckon_agent_fixture_wait_end (fixture->agent, BECKON_RUN_COMPLETE);
}

/* Two programs over one store: only one serves the phone, and the other takes over. */
static void
test_two_programs (void)
{
  g_autoptr (BeckonChannelFixture) fixture = beckon_channel_fixture_new ();
  BeckonAgentFixture *other = beckon_agent_fixture_new_over (fixture->agent->directory, NULL);
  BeckonChannelFixture second = { .agent = other, .secrets = g_object_ref (fixture->secrets), .hub = fixture->hub };

  beckon_channel_fixture_start (&second);
  beckon_channel_fixture_settle (fixture);
  g_assert_cmpuint (fixture->hub->adapters->len, ==, 1);
  g_assert_false (beckon_channel_is_served (beckon_channel_fixture_get (&second, "Phone")));
  beckon_channels_set_serving (fixture->channels, FALSE);
  beckon_agent_wait_until (beckon_channel_is_served (beckon_channel_fixture_get (&second, "Phone")));
  beckon_agent_wait_until (fixture->hub->adapters->len == 1);
  g_assert_false (beckon_channel_is_served (beckon_channel_fixture_get (fixture, "Phone")));
  beckon_channel_fixture_settle (&second);
  beckon_channel_fixture_stop (&second);
  beckon_channel_fixture_settle (&second);
  g_object_unref (second.secrets);
  beckon_agent_fixture_free (other);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/channels/race/answers", test_race);
  g_test_add_func ("/channels/race/ended-while-sending", test_ended_while_sending);
  g_test_add_func ("/channels/race/lost-answer", test_lost_answer);
  g_test_add_func ("/channels/race/two-programs", test_two_programs);
  return g_test_run ();
}
