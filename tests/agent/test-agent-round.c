/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-agent-fixture.h"

#include <string.h>

/* A single model request in its run: the phases that it moves that through, and that it ends with it at any of them. */

typedef struct
{
  BeckonAgentFixture *fixture;
  GString *heard;          /* the phases, one after another */
  const char *stops_at;    /* (nullable): the phases at whose end the run is stopped, from within */
} Test;

static void
on_phase (BeckonConversation *conversation, GParamSpec *pspec, gpointer user_data)
{
  Test *test = user_data;
  const char *word = beckon_run_phase_to_string (beckon_conversation_get_phase (conversation));

  g_assert_true ((beckon_conversation_get_phase (conversation) == BECKON_RUN_RETRY_WAIT)
                 == (beckon_conversation_get_retry_at (conversation) > 0));
  g_string_append_printf (test->heard, "%s%s", test->heard->len > 0 ? " " : "", word);
  if (g_strcmp0 (test->heard->str, test->stops_at) == 0)
    beckon_agent_stop (test->fixture->agent, conversation);
}

static Test *
test_new (void)
{
  Test *test = g_new0 (Test, 1);

  test->fixture = beckon_agent_fixture_new ();
  test->heard = g_string_new (NULL);
  g_signal_connect (test->fixture->conversation, "notify::phase", G_CALLBACK (on_phase), test);
  return test;
}

static void
test_free (Test *test)
{
  beckon_agent_fixture_settle ();
  g_signal_handlers_disconnect_by_data (test->fixture->conversation, test);
  g_string_free (test->heard, TRUE);
  beckon_agent_fixture_free (test->fixture);
  g_free (test);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Test, test_free)

static void
run_to_end (Test *test, BeckonRunPhase end)
{
  beckon_agent_fixture_send (test->fixture, test->fixture->conversation, "Hello");
  beckon_agent_fixture_wait_end (test->fixture, end);
}

static void
test_reply (void)
{
  g_autoptr (Test) test = test_new ();

  beckon_agent_fixture_script (test->fixture, beckon_fixture_reply_new_chat ("Good day"));
  run_to_end (test, BECKON_RUN_COMPLETE);
  g_assert_cmpstr (test->heard->str, ==, "requesting receiving complete");
}

static void
test_refused (void)
{
  g_autoptr (Test) test = test_new ();

  beckon_agent_fixture_script (test->fixture, beckon_script_error (401, NULL, "Wrong key"));
  run_to_end (test, BECKON_RUN_FAILED);
  g_assert_cmpstr (test->heard->str, ==, "requesting failed");
}

static void
test_cut (void)
{
  g_autoptr (Test) test = test_new ();

  for (guint i = 0; i < 3; i++)
    beckon_agent_fixture_script (test->fixture, beckon_script_cut ("Good"));
  beckon_agent_fixture_send (test->fixture, test->fixture->conversation, "Hello");
  for (guint i = 1; i < 3; i++)
    {
      beckon_agent_wait_until (g_str_has_suffix (test->heard->str, "retry-wait"));
      beckon_clock_advance (test->fixture->clock, 2500);
    }
  beckon_agent_fixture_wait_end (test->fixture, BECKON_RUN_CUT_OFF);
  g_assert_cmpstr (test->heard->str, ==, "requesting receiving retry-wait requesting receiving retry-wait requesting "
                                         "receiving cut-off");
  g_assert_cmpuint (beckon_conversation_get_n_messages (test->fixture->conversation), ==, 2);
}

static void
test_retry (void)
{
  g_autoptr (Test) test = test_new ();

  beckon_agent_fixture_script (test->fixture, beckon_script_error (503, NULL, "Busy"));
  beckon_agent_fixture_script (test->fixture, beckon_fixture_reply_new_chat ("Here"));
  beckon_agent_fixture_send (test->fixture, test->fixture->conversation, "Hello");
  beckon_agent_wait_until (g_str_has_suffix (test->heard->str, "retry-wait"));
  beckon_clock_advance (test->fixture->clock, 1250);
  beckon_agent_fixture_wait_end (test->fixture, BECKON_RUN_COMPLETE);
  g_assert_cmpstr (test->heard->str, ==, "requesting retry-wait requesting receiving complete");
}

/* Stopped from within any move of its run, it neither ends otherwise nor asks for anything else. */
static void
test_stopped_within (gconstpointer stops_at)
{
  g_autoptr (Test) test = test_new ();
  g_autofree char *all = g_strconcat (stops_at, " stopped", NULL);
  guint n_sent;

  test->stops_at = stops_at;
  if (strstr (stops_at, "retry-wait") != NULL)
    beckon_agent_fixture_script (test->fixture, beckon_script_error (503, NULL, "Busy"));
  beckon_agent_fixture_script (test->fixture, beckon_fixture_reply_new_chat ("Here"));
  beckon_agent_fixture_send (test->fixture, test->fixture->conversation, "Hello");
  if (g_str_has_suffix (stops_at, "retry-wait requesting"))
    {
      beckon_agent_fixture_wait_phase (test->fixture, BECKON_RUN_RETRY_WAIT);
      beckon_clock_advance (test->fixture->clock, 1250);
    }
  beckon_agent_fixture_wait_end (test->fixture, BECKON_RUN_STOPPED);
  n_sent = beckon_fixture_server_count_requests (test->fixture->server);
  beckon_clock_advance (test->fixture->clock, 60000);
  beckon_agent_fixture_settle ();
  g_assert_cmpstr (test->heard->str, ==, all);
  g_assert_cmpuint (beckon_fixture_server_count_requests (test->fixture->server), ==, n_sent);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/agent/round/reply", test_reply);
  g_test_add_func ("/agent/round/refused", test_refused);
  g_test_add_func ("/agent/round/cut", test_cut);
  g_test_add_func ("/agent/round/retry", test_retry);
  g_test_add_data_func ("/agent/round/stopped-within/requesting", "requesting", test_stopped_within);
  g_test_add_data_func ("/agent/round/stopped-within/receiving", "requesting receiving", test_stopped_within);
  g_test_add_data_func ("/agent/round/stopped-within/retry-wait", "requesting retry-wait", test_stopped_within);
  g_test_add_data_func ("/agent/round/stopped-within/retried", "requesting retry-wait requesting", test_stopped_within);
  return g_test_run ();
}
