/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/beckon-round.h"
#include "beckon-agent-fixture.h"

#include <string.h>

/* A single model request without a run: what it asks of its host, and how it ends. */

typedef struct
{
  BeckonAgentFixture *fixture;
  BeckonAgentParts parts;
  BeckonConversation *conversation;
  BeckonTries *tries;
  BeckonPromptPrefix *prefix;
  GCancellable *cancellable;
  BeckonRound *round;
  GString *heard;          /* what the host was called for, in words */
  guint n_ends;
  const char *cancels_at;  /* (nullable): the word at which the host cancels the round */
} Test;

static void
hear (Test *test, const char *word)
{
  g_string_append_printf (test->heard, "%s%s", test->heard->len > 0 ? " " : "", word);
  if (g_strcmp0 (word, test->cancels_at) == 0)
    beckon_round_cancel (test->round);
}

static void
move (BeckonRunEvent event, const char *detail, gint64 retry_at, BeckonBatch *batch, gpointer user_data)
{
  g_clear_pointer (&batch, beckon_batch_free);
  g_assert_true ((event == BECKON_RUN_EVENT_RETRY) == (retry_at > 0));
  hear (user_data, event == BECKON_RUN_EVENT_OUTPUT  ? "output"
                   : event == BECKON_RUN_EVENT_RETRY ? "retry"
                                                     : "request");
}

/* Pieces of a reply are neither checked nor recorded here: they may come together or apart. */
static void
write_behind (BeckonBatch *batch, gpointer user_data)
{
  beckon_batch_free (batch);
}

static void
note (BeckonMessage *message, gpointer user_data)
{
  Test *test = user_data;

  beckon_conversation_add_message (test->conversation, message);
  hear (test, "note");
}

static void
store (BeckonBatch *batch, gpointer user_data)
{
  Test *test = user_data;

  beckon_batch_free (batch);
  hear (test, "store");
  beckon_round_resume (test->round);
}

static void
end (const BeckonRoundResult *result, gpointer user_data)
{
  static const char *const words[] = { "calls", "searches", "thoughts", "ended", "failed" };
  Test *test = user_data;

  test->n_ends++;
  hear (test, words[result->end]);
  if (result->end == BECKON_ROUND_ENDED)
    hear (test, result->event == BECKON_RUN_EVENT_COMPLETE ? "complete"
                : result->event == BECKON_RUN_EVENT_CUT    ? "cut"
                                                           : "otherwise");
}

static const BeckonRoundHost host = { move, write_behind, note, store };

static void
say (Test *test, BeckonRole role, const char *text)
{
  g_autoptr (BeckonMessage) message = beckon_message_new (NULL, role, 1);
  g_autoptr (BeckonPart) part = beckon_part_new (BECKON_PART_TEXT, text);

  beckon_message_add_part (message, part);
  beckon_message_set_status (message, BECKON_MESSAGE_COMPLETE);
  beckon_conversation_add_message (test->conversation, message);
}

static Test *
test_new (void)
{
  Test *test = g_new0 (Test, 1);
  BeckonAgentFixture *fixture = beckon_agent_fixture_new ();
  g_autofree char *profile_id = beckon_settings_dup_default_profile (fixture->settings);
  const BeckonAgentParts parts = {
    .store = fixture->store,
    .library = fixture->library,
    .profiles = fixture->profiles,
    .rules = fixture->rules,
    .inbox = fixture->inbox,
    .provider = fixture->provider,
    .tools = fixture->tools,
    .settings = fixture->settings,
    .clock = fixture->clock,
  };

  test->fixture = fixture;
  beckon_agent_parts_init (&test->parts, &parts);
  test->conversation = beckon_conversation_new ("one", 1);
  test->cancellable = g_cancellable_new ();
  test->heard = g_string_new (NULL);
  test->tries = beckon_tries_new (fixture->profiles, fixture->settings, profile_id);
  test->prefix
    = beckon_prompt_prefix_new (&test->parts, test->conversation, TRUE, beckon_prefixes_new (), note, test);
  test->round = beckon_round_new (&test->parts, test->conversation, test->tries, test->prefix, test->cancellable, &host, test,
                                  end, test);
  say (test, BECKON_ROLE_USER, "Hello");
  return test;
}

static void
test_free (Test *test)
{
  beckon_round_cancel (test->round);
  g_cancellable_cancel (test->cancellable);
  beckon_agent_fixture_settle ();
  g_object_unref (test->round);
  beckon_prompt_prefix_free (test->prefix);
  beckon_tries_free (test->tries);
  g_object_unref (test->cancellable);
  g_object_unref (test->conversation);
  beckon_agent_parts_clear (&test->parts);
  g_string_free (test->heard, TRUE);
  beckon_agent_fixture_free (test->fixture);
  g_free (test);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Test, test_free)

static void
run_to_end (Test *test)
{
  g_assert_true (beckon_round_begin (test->round));
  beckon_agent_wait_until (test->n_ends > 0);
}

static void
test_reply (void)
{
  g_autoptr (Test) test = test_new ();

  beckon_agent_fixture_script (test->fixture, beckon_fixture_reply_new_chat ("Good day"));
  run_to_end (test);
  g_assert_cmpstr (test->heard->str, ==, "output ended complete");
  g_assert_true (beckon_reply_has_output (beckon_round_get_reply (test->round)));
}

static void
test_calls (void)
{
  g_autoptr (Test) test = test_new ();

  beckon_agent_fixture_script (test->fixture, beckon_script_ask ("c1"));
  run_to_end (test);
  g_assert_cmpstr (test->heard->str, ==, "calls");
  g_assert_cmpuint (beckon_reply_get_calls (beckon_round_get_reply (test->round))->len, ==, 1);
}

static void
test_cut (void)
{
  g_autoptr (Test) test = test_new ();

  for (guint i = 0; i < 3; i++)
    beckon_agent_fixture_script (test->fixture, beckon_script_cut ("Good"));
  g_assert_true (beckon_round_begin (test->round));
  for (guint i = 1; i < 3; i++)
    {
      beckon_agent_wait_until (g_str_has_suffix (test->heard->str, "retry"));
      beckon_clock_advance (test->fixture->clock, 2500);
    }
  beckon_agent_wait_until (test->n_ends > 0);
  g_assert_cmpstr (test->heard->str, ==, "output retry request output retry request output ended cut");
  g_assert_cmpuint (beckon_conversation_get_n_messages (test->conversation), ==, 2);
}

static void
test_refused (void)
{
  g_autoptr (Test) test = test_new ();

  beckon_agent_fixture_script (test->fixture, beckon_script_error (401, NULL, "Wrong key"));
  run_to_end (test);
  g_assert_cmpstr (test->heard->str, ==, "failed");
  g_assert_null (strstr (test->heard->str, "retry"));
}

static void
test_retry (void)
{
  g_autoptr (Test) test = test_new ();

  beckon_agent_fixture_script (test->fixture, beckon_script_error (503, NULL, "Busy"));
  beckon_agent_fixture_script (test->fixture, beckon_fixture_reply_new_chat ("Here"));
  g_assert_true (beckon_round_begin (test->round));
  beckon_agent_wait_until (test->heard->len > 0);
  g_assert_cmpstr (test->heard->str, ==, "retry");
  beckon_clock_advance (test->fixture->clock, 1250);
  beckon_agent_wait_until (test->n_ends > 0);
  g_assert_cmpstr (test->heard->str, ==, "retry request output ended complete");
}

/* The oldest messages are summarized; once that is stored, the request is made again. */
static void
test_summary (void)
{
  g_autoptr (Test) test = test_new ();
  g_autofree char *text = g_strnfill (4000, 'a');

  beckon_agent_fixture_set_window (test->fixture, 8000);
  for (guint i = 0; i < 12; i++)
    say (test, i % 2 == 0 ? BECKON_ROLE_ASSISTANT : BECKON_ROLE_USER, text);
  beckon_agent_fixture_script (test->fixture, beckon_fixture_reply_new_chat ("In short: a"));
  beckon_agent_fixture_script (test->fixture, beckon_fixture_reply_new_chat ("Here"));
  run_to_end (test);
  g_assert_nonnull (strstr (test->heard->str, "store"));
  g_assert_true (g_str_has_suffix (test->heard->str, "store output ended complete"));
}

/* Cancelled from within any function of its host, it neither ends nor asks for anything else. */
static void
test_cancelled_within (void)
{
  static const char *const words[] = { "output", "retry", "request" };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      g_autoptr (Test) test = test_new ();
      guint n_sent;

      test->cancels_at = words[i];
      if (i > 0)
        beckon_agent_fixture_script (test->fixture, beckon_script_error (503, NULL, "Busy"));
      beckon_agent_fixture_script (test->fixture, beckon_fixture_reply_new_chat ("Here"));
      g_assert_true (beckon_round_begin (test->round));
      beckon_agent_wait_until (test->heard->len > 0);
      beckon_clock_advance (test->fixture->clock, 1250);
      n_sent = beckon_fixture_server_count_requests (test->fixture->server);
      beckon_agent_fixture_settle ();
      beckon_clock_advance (test->fixture->clock, 60000);
      beckon_agent_fixture_settle ();
      g_assert_true (g_str_has_suffix (test->heard->str, words[i]));
      g_assert_cmpuint (test->n_ends, ==, 0);
      g_assert_cmpuint (beckon_fixture_server_count_requests (test->fixture->server), ==, n_sent);
    }
}

/* A round without a model asks no server. */
static void
test_no_model (void)
{
  g_autoptr (Test) test = test_new ();
  g_autofree char *in_use = beckon_settings_dup_default_profile (test->fixture->settings);

  beckon_settings_set_default_profile (test->fixture->settings, "gone");
  g_clear_pointer (&test->tries, beckon_tries_free);
  g_clear_object (&test->round);
  test->tries = beckon_tries_new (test->fixture->profiles, test->fixture->settings, "gone");
  test->round = beckon_round_new (&test->parts, test->conversation, test->tries, test->prefix, test->cancellable, &host, test,
                                  end, test);
  g_assert_false (beckon_round_begin (test->round));
  g_assert_cmpstr (test->heard->str, ==, "failed");
  beckon_settings_set_default_profile (test->fixture->settings, in_use);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/agent/round/reply", test_reply);
  g_test_add_func ("/agent/round/calls", test_calls);
  g_test_add_func ("/agent/round/cut", test_cut);
  g_test_add_func ("/agent/round/refused", test_refused);
  g_test_add_func ("/agent/round/retry", test_retry);
  g_test_add_func ("/agent/round/summary", test_summary);
  g_test_add_func ("/agent/round/cancelled-within", test_cancelled_within);
  g_test_add_func ("/agent/round/no-model", test_no_model);
  return g_test_run ();
}
