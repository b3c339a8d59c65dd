/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-channel-fixture.h"

#include <sqlite3.h>
#include <string.h>

static void
keep_result (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

#define WAIT(result) beckon_agent_wait_until ((result) != NULL)

void
beckon_channel_fixture_start (BeckonChannelFixture *fixture)
{
  BeckonAgentFixture *agent = fixture->agent;
  const BeckonChannelParts parts = {
    .store = agent->store,
    .inbox = agent->inbox,
    .library = agent->library,
    .profiles = agent->profiles,
    .agent = agent->agent,
    .secrets = fixture->secrets,
    .clock = agent->clock,
  };
  GAsyncResult *loaded = NULL;
  g_autoptr (GError) error = NULL;

  fixture->channels = beckon_channels_new (&parts);
  beckon_channels_load_async (fixture->channels, NULL, keep_result, &loaded);
  WAIT (loaded);
  beckon_channels_load_finish (fixture->channels, loaded, &error);
  g_assert_no_error (error);
  g_object_unref (loaded);
  beckon_channels_set_serving (fixture->channels, TRUE);
}

void
beckon_channel_fixture_stop (BeckonChannelFixture *fixture)
{
  g_assert_finalize_object (g_steal_pointer (&fixture->channels));
}

void
beckon_channel_fixture_settle (BeckonChannelFixture *fixture)
{
  do
    {
      while (g_main_context_iteration (NULL, FALSE))
        continue;
      beckon_agent_fixture_sync (fixture->agent);
    }
  while (g_main_context_pending (NULL));
}

void
beckon_channel_fixture_restart (BeckonChannelFixture *fixture)
{
  beckon_channel_fixture_settle (fixture);
  beckon_channel_fixture_stop (fixture);
  beckon_channel_fixture_settle (fixture);
  beckon_agent_fixture_restart (fixture->agent);
  beckon_channel_fixture_start (fixture);
}

void
beckon_channel_fixture_save (BeckonChannelFixture *fixture, BeckonChannelAccount *account)
{
  g_autoptr (BeckonChannelAccount) owned = account;
  GAsyncResult *saved = NULL;
  g_autoptr (GError) error = NULL;

  beckon_channels_save_async (fixture->channels, owned, NULL, NULL, keep_result, &saved);
  WAIT (saved);
  beckon_channels_save_finish (fixture->channels, saved, &error);
  g_assert_no_error (error);
  g_object_unref (saved);
}

BeckonChannel *
beckon_channel_fixture_get (BeckonChannelFixture *fixture, const char *name)
{
  BeckonChannel *channel = beckon_channels_find (fixture->channels, name);

  g_assert_nonnull (channel);
  return channel;
}

BeckonChannel *
beckon_channel_fixture_add (BeckonChannelFixture *fixture, const char *name)
{
  BeckonChannelAccount *account = beckon_channel_account_new ("loopback", name);
  BeckonChannel *channel;

  g_free (account->config);
  account->config = g_strdup_printf ("{\"hub\":\"%s\"}", name);
  beckon_channel_fixture_save (fixture, account);
  channel = beckon_channel_fixture_get (fixture, name);
  beckon_agent_wait_until (beckon_channel_get_state (channel) == BECKON_CHANNEL_CONNECTED);
  return channel;
}

void
beckon_channel_fixture_pair (BeckonChannelFixture *fixture, BeckonChannel *channel, const char *address)
{
  GAsyncResult *made = NULL;
  g_autofree char *code = NULL;
  BeckonLoopbackHub *hub = beckon_loopback_hub (beckon_channel_get_account (channel)->name);

  beckon_channels_pair_async (fixture->channels, channel, NULL, keep_result, &made);
  WAIT (made);
  code = beckon_channels_pair_finish (fixture->channels, made, NULL);
  g_object_unref (made);
  g_assert_cmpuint (strlen (code), ==, BECKON_CHANNEL_PAIR_LENGTH);
  beckon_loopback_write (hub, address, code, NULL);
  beckon_agent_wait_until (g_strcmp0 (beckon_channel_get_account (channel)->address, address) == 0);
  beckon_agent_wait_until (hub->sent->len > 0);
}

BeckonChannelFixture *
beckon_channel_fixture_new (void)
{
  static gsize registered;
  BeckonChannelFixture *fixture = g_new0 (BeckonChannelFixture, 1);

  if (g_once_init_enter (&registered))
    {
      beckon_channel_kind_register (&beckon_loopback_kind);
      g_once_init_leave (&registered, 1);
    }
  fixture->agent = beckon_agent_fixture_new ();
  beckon_agent_set_adopts (fixture->agent->agent, TRUE);
  fixture->secrets = beckon_secrets_new ();
  fixture->hub = beckon_loopback_hub ("Phone");
  beckon_channel_fixture_start (fixture);
  beckon_channel_fixture_pair (fixture, beckon_channel_fixture_add (fixture, "Phone"), "anna");
  beckon_channel_fixture_settle (fixture);
  g_ptr_array_set_size (fixture->hub->sent, 0);
  return fixture;
}

void
beckon_channel_fixture_free (BeckonChannelFixture *fixture)
{
  beckon_channel_fixture_settle (fixture);
  if (fixture->channels != NULL)
    beckon_channel_fixture_stop (fixture);
  beckon_channel_fixture_settle (fixture);
  beckon_agent_fixture_free (fixture->agent);
  g_object_unref (fixture->secrets);
  beckon_loopback_clear ();
  g_free (fixture);
}

const BeckonChannelOutgoing *
beckon_channel_fixture_wait_sent (BeckonChannelFixture *fixture, guint n)
{
  beckon_agent_wait_until (fixture->hub->sent->len >= n);
  g_assert_cmpuint (fixture->hub->sent->len, ==, n);
  return beckon_loopback_get_sent (fixture->hub, n - 1)->message;
}

const char *
beckon_channel_fixture_get_text (BeckonChannelFixture *fixture, guint nth)
{
  g_assert_cmpuint (nth, <, fixture->hub->sent->len);
  return beckon_loopback_get_sent (fixture->hub, nth)->message->text;
}

BeckonRequest *
beckon_channel_fixture_ask (BeckonChannelFixture *fixture)
{
  guint n = fixture->hub->sent->len;

  beckon_agent_fixture_script (fixture->agent, beckon_script_ask ("call_7"));
  beckon_agent_fixture_script (fixture->agent, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (fixture->agent, fixture->agent->conversation, "Set it up");
  beckon_channel_fixture_wait_sent (fixture, n + 1);
  return beckon_agent_fixture_get_pending (fixture->agent, 0);
}

char *
beckon_channel_fixture_dup_value (BeckonChannelFixture *fixture, const char *sql)
{
  g_autofree char *path = g_build_filename (fixture->agent->directory, "beckon.db", NULL);
  sqlite3 *database = NULL;
  sqlite3_stmt *statement = NULL;
  char *value;

  g_assert_cmpint (sqlite3_open_v2 (path, &database, SQLITE_OPEN_READONLY, NULL), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_prepare_v2 (database, sql, -1, &statement, NULL), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_step (statement), ==, SQLITE_ROW);
  value = g_strdup ((const char *) sqlite3_column_text (statement, 0));
  sqlite3_finalize (statement);
  sqlite3_close (database);
  return value;
}
