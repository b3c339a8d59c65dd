/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A summary that the person asks for, between runs. */

#include "beckon-agent-fixture.h"

#include "base/beckon-error.h"
#include "domain/beckon-note.h"

#include <string.h>

static void
on_compacted (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

static gboolean
finish (BeckonAgentFixture *fixture, GAsyncResult **result, GError **error)
{
  g_autoptr (GAsyncResult) got = NULL;

  beckon_agent_wait_until (*result != NULL);
  got = g_steal_pointer (result);
  return beckon_agent_compact_finish (fixture->agent, got, error);
}

static gboolean
compact (BeckonAgentFixture *fixture, GError **error)
{
  GAsyncResult *result = NULL;

  beckon_agent_compact_async (fixture->agent, fixture->conversation, on_compacted, &result);
  return finish (fixture, &result, error);
}

static void
say (BeckonAgentFixture *fixture, const char *text, const char *reply)
{
  beckon_agent_fixture_script (fixture, beckon_script_calls (reply, NULL, 0, "stop"));
  beckon_agent_fixture_send (fixture, fixture->conversation, text);
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
}

/* Enough to be worth a summary. */
static void
say_much (BeckonAgentFixture *fixture)
{
  g_autofree char *filler = g_strnfill (4000, '.');

  for (guint i = 0; i < 4; i++)
    {
      g_autofree char *text = g_strdup_printf ("QUESTION-%u %s", i, filler);
      g_autofree char *reply = g_strdup_printf ("ANSWER-%u %s", i, filler);

      say (fixture, text, reply);
    }
}

static const char *
get_body (BeckonAgentFixture *fixture, guint index)
{
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), >, index);
  return beckon_fixture_server_get_request (fixture->server, index)->body;
}

/* From then on the model is told the summary and what came last; what the person sees is all still there. */
static void
test_compact (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();
  g_autoptr (GError) error = NULL;
  BeckonMessage *note;

  say_much (fixture);
  beckon_agent_fixture_script (fixture, beckon_script_calls ("THE-SUMMARY", NULL, 0, "stop"));
  compact (fixture, &error);
  g_assert_no_error (error);
  g_assert_cmpint (beckon_conversation_get_phase (fixture->conversation), ==, BECKON_RUN_COMPLETE);
  g_assert_cmpuint (beckon_conversation_get_n_messages (fixture->conversation), ==, 9);
  note = beckon_conversation_get_message (fixture->conversation, 8);
  g_assert_cmpint (beckon_note_get_kind (note), ==, BECKON_NOTE_SUMMARY);
  g_assert_nonnull (strstr (get_body (fixture, 4), "ANSWER-0"));
  g_assert_null (strstr (get_body (fixture, 4), "get_current_time"));
  beckon_agent_fixture_assert_same (fixture, fixture->conversation);

  say (fixture, "NEXT", "Done");
  g_assert_nonnull (strstr (get_body (fixture, 5), "THE-SUMMARY"));
  g_assert_nonnull (strstr (get_body (fixture, 5), "ANSWER-3"));
  g_assert_null (strstr (get_body (fixture, 5), "ANSWER-0"));
  beckon_agent_fixture_assert_closed (fixture, fixture->conversation);
}

/* Conversations that are short already, or at work, are left alone; no model is asked. */
static void
test_refused (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();
  g_autoptr (GError) error = NULL;

  say (fixture, "One?", "Two.");
  g_assert_false (compact (fixture, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_INVALID);
  g_clear_error (&error);

  say_much (fixture);
  beckon_fixture_reply_add_stream_head (reply);
  beckon_fixture_reply_add_hold (reply, "slow");
  beckon_fixture_reply_add_chat_text (reply, "Late");
  beckon_fixture_reply_add_chat_finish (reply, "stop");
  beckon_fixture_reply_add_chat_done (reply);
  beckon_agent_fixture_script (fixture, reply);
  beckon_agent_fixture_send (fixture, fixture->conversation, "And?");
  g_assert_false (compact (fixture, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_CONFLICT);
  beckon_fixture_server_release (fixture->server, "slow");
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 6);
}

static void
script_held (BeckonAgentFixture *fixture)
{
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();

  beckon_fixture_reply_add_stream_head (reply);
  beckon_fixture_reply_add_hold (reply, "summary");
  beckon_fixture_reply_add_chat_text (reply, "THE-SUMMARY");
  beckon_fixture_reply_add_chat_finish (reply, "stop");
  beckon_fixture_reply_add_chat_done (reply);
  beckon_agent_fixture_script (fixture, reply);
}

/* A compaction is seen, no message is sent meanwhile, and it can be stopped. */
static void
test_stopped (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();
  GAsyncResult *result = NULL;
  g_autoptr (GError) error = NULL;

  say_much (fixture);
  script_held (fixture);
  beckon_agent_compact_async (fixture->agent, fixture->conversation, on_compacted, &result);
  beckon_agent_wait_until (beckon_fixture_server_count_requests (fixture->server) == 5);
  g_assert_true (beckon_conversation_is_busy (fixture->conversation));
  g_assert_false (beckon_agent_fixture_try_send (fixture, fixture->conversation, "Meanwhile", &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_CONFLICT);
  g_clear_error (&error);

  beckon_agent_stop (fixture->agent, fixture->conversation);
  g_assert_false (finish (fixture, &result, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_false (beckon_conversation_is_busy (fixture->conversation));
  g_assert_cmpuint (beckon_agent_count_runs (fixture->agent), ==, 0);
  g_assert_cmpuint (beckon_conversation_get_n_messages (fixture->conversation), ==, 8);
  beckon_fixture_server_release (fixture->server, "summary");
  say (fixture, "NEXT", "Done");
  beckon_agent_fixture_assert_closed (fixture, fixture->conversation);
}

/* A server that says no is quoted; the history is as it was. */
static void
test_failed (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();
  g_autoptr (GError) error = NULL;

  say_much (fixture);
  beckon_agent_fixture_script (fixture, beckon_script_calls ("  ", NULL, 0, "stop"));
  g_assert_false (compact (fixture, &error));
  g_assert_nonnull (strstr (error->message, "could not be summarized"));
  g_assert_cmpint (beckon_conversation_get_phase (fixture->conversation), ==, BECKON_RUN_COMPLETE);
  g_assert_cmpuint (beckon_conversation_get_n_messages (fixture->conversation), ==, 8);
  beckon_agent_fixture_assert_closed (fixture, fixture->conversation);
}

static void
on_removed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  beckon_library_show_finish (BECKON_LIBRARY (source), result, &error);
  g_assert_no_error (error);
  *(gboolean *) user_data = TRUE;
}

/* By another process, which nobody here hears of in time. */
static void
remove_there (BeckonAgentFixture *fixture, guint index)
{
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  const char *ids[] = { beckon_message_get_id (beckon_conversation_get_message (fixture->conversation, index)), NULL };

  beckon_batch_hide_messages (batch, beckon_conversation_get_id (fixture->conversation), (GStrv) ids, 1);
  beckon_store_commit_async (fixture->store, batch, NULL, NULL, NULL);
  beckon_agent_fixture_sync (fixture);
}

static void
remove_here (BeckonAgentFixture *fixture, guint index)
{
  const char *ids[] = { beckon_message_get_id (beckon_conversation_get_message (fixture->conversation, index)), NULL };
  gboolean is_done = FALSE;

  beckon_library_remove_messages_async (fixture->library, fixture->conversation, ids, NULL, on_removed, &is_done);
  beckon_agent_wait_until (is_done);
}

/* A message is deleted while the summary is on its way: that has it still, and is not kept. */
static void
test_changed_meanwhile (void)
{
  static const struct
  {
    void (*remove) (BeckonAgentFixture *, guint);
    guint index;
    guint n_left;
  } cases[] = { { remove_there, 7, 8 }, { remove_there, 0, 8 }, { remove_here, 7, 7 }, { remove_here, 0, 7 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();
      GAsyncResult *result = NULL;
      g_autoptr (GError) error = NULL;

      say_much (fixture);
      script_held (fixture);
      beckon_agent_compact_async (fixture->agent, fixture->conversation, on_compacted, &result);
      beckon_agent_wait_until (beckon_fixture_server_count_requests (fixture->server) == 5);
      cases[i].remove (fixture, cases[i].index);
      beckon_fixture_server_release (fixture->server, "summary");
      g_assert_false (finish (fixture, &result, &error));
      g_assert_error (error, BECKON_ERROR, BECKON_ERROR_CONFLICT);
      g_assert_cmpuint (beckon_conversation_get_n_messages (fixture->conversation), ==, cases[i].n_left);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/agent/compact/compact", test_compact);
  g_test_add_func ("/agent/compact/refused", test_refused);
  g_test_add_func ("/agent/compact/stopped", test_stopped);
  g_test_add_func ("/agent/compact/failed", test_failed);
  g_test_add_func ("/agent/compact/changed-meanwhile", test_changed_meanwhile);
  return g_test_run ();
}
