/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-notes-fixture.h"
#include "request/beckon-approval-request.h"
#include "request/beckon-request-store.h"
#include "tools/beckon-find-tool.h"

#include <string.h>

/* A tool that reads and one that changes, beside the built-in ones. */
typedef BeckonNotesFixture Case;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Case, beckon_notes_fixture_free)

static Case *
case_new (void)
{
  return beckon_notes_fixture_new ("write_note");
}

static void
say (Case *test, const BeckonScriptCall *calls, guint n, const char *finish)
{
  beckon_agent_fixture_script (test->agent, beckon_script_calls (NULL, calls, n, finish));
  beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (test->agent, test->agent->conversation, "Go");
}

static void
say_one (Case *test, const char *name, const char *arguments)
{
  const BeckonScriptCall call = { "call_1", name, arguments };

  say (test, &call, 1, "tool_calls");
}

static char *
dup_result (Case *test, const char *call_id)
{
  return beckon_agent_dup_result (beckon_fixture_server_get_request (test->agent->server, 1), call_id);
}

static void
finish (Case *test)
{
  beckon_agent_fixture_wait_end (test->agent, BECKON_RUN_COMPLETE);
  g_assert_cmpuint (beckon_fixture_server_count_requests (test->agent->server), ==, 2);
}

static void
assert_says (Case *test, const char *call_id, const char *words)
{
  g_autofree char *result = dup_result (test, call_id);

  if (strstr (result, words) == NULL)
    g_error ("“%s” does not say “%s”", result, words);
}

static void
assert_lacks (Case *test, const char *call_id, const char *words)
{
  g_autofree char *result = dup_result (test, call_id);

  if (strstr (result, words) != NULL)
    g_error ("“%s” says “%s”", result, words);
}

static void
test_read_only (void)
{
  g_autoptr (Case) test = case_new ();
  g_autofree char *result = NULL;

  say_one (test, "read_note", "{\"id\":7}");
  finish (test);
  g_assert_cmpstr (beckon_test_tool_get_log (test->read), ==, "{\"id\":7}\n");
  beckon_agent_fixture_assert_sent (test->agent, 1,
                                    "user Go\nassistant\n  call call_1 read_note {\"id\":7}\n"
                                    "tool call_1 read_note did {\"id\":7}\n");
  beckon_agent_fixture_assert_tools (test->agent, 0, "ask_user get_current_time read_note write_note");
}

static void
test_builtin_time (void)
{
  g_autoptr (Case) test = case_new ();

  say_one (test, "get_current_time", "{}");
  finish (test);
  assert_says (test, "call_1", "2026-06-02");
}

static void
test_approved (void)
{
  g_autoptr (Case) test = case_new ();
  BeckonRequest *request;

  say_one (test, "write_note", "{\"text\":\"x\"}");
  request = beckon_agent_fixture_wait_pending (test->agent, 1);
  beckon_agent_fixture_wait_phase (test->agent, BECKON_RUN_WAITING);
  g_assert_true (BECKON_IS_APPROVAL_REQUEST (request));
  g_assert_cmpstr (beckon_request_get_tool (request), ==, "write_note");
  g_assert_cmpstr (beckon_request_get_arguments (request), ==, "{\"text\":\"x\"}");
  g_assert_nonnull (beckon_request_get_reason (request));
  g_assert_cmpuint (beckon_test_tool_get_n_begun (test->change), ==, 0);

  beckon_agent_fixture_answer (test->agent, request, beckon_answer_new (BECKON_ANSWER_APPROVED, NULL));
  finish (test);
  g_assert_cmpstr (beckon_test_tool_get_log (test->change), ==, "{\"text\":\"x\"}\n");
  assert_says (test, "call_1", "write_note did {\"text\":\"x\"}");
}

static void
test_denied (void)
{
  g_autoptr (Case) test = case_new ();

  say_one (test, "write_note", "{}");
  beckon_agent_fixture_answer (test->agent, beckon_agent_fixture_wait_pending (test->agent, 1),
                               beckon_answer_new (BECKON_ANSWER_DECLINED, "use the other file"));
  /* A denial is the end of its call, not of the run. */
  finish (test);
  g_assert_cmpuint (beckon_test_tool_get_n_begun (test->change), ==, 0);
  assert_says (test, "call_1", "denied");
  assert_says (test, "call_1", "nothing was changed");
  assert_says (test, "call_1", "use the other file");
}

static void
test_edited (void)
{
  g_autoptr (Case) test = case_new ();

  say_one (test, "write_note", "{\"text\":\"x\"}");
  beckon_agent_fixture_answer (test->agent, beckon_agent_fixture_wait_pending (test->agent, 1),
                               beckon_answer_new (BECKON_ANSWER_APPROVED_EDITED, "{\"text\":\"y\"}"));
  finish (test);
  g_assert_cmpstr (beckon_test_tool_get_log (test->change), ==, "{\"text\":\"y\"}\n");
  assert_says (test, "call_1", "changed the arguments");
  assert_says (test, "call_1", "{\"text\":\"y\"}");
}

/* A question holds back what changes things, however late it stands in the reply; what only reads, and stands before
 * the first change, runs meanwhile. */
static void
test_barrier (void)
{
  g_autoptr (Case) test = case_new ();
  const BeckonScriptCall calls[] = {
    { "call_r", "read_note", "{}" },
    { "call_w", "write_note", "{\"n\":1}" },
    { "call_q", "ask_user", BECKON_SCRIPT_QUESTION },
  };
  BeckonRequest *approval, *question;

  say (test, calls, G_N_ELEMENTS (calls), "tool_calls");
  approval = beckon_agent_fixture_wait_pending (test->agent, 2);
  question = beckon_agent_fixture_get_pending (test->agent, 1);
  beckon_agent_wait_until (beckon_test_tool_get_n_begun (test->read) == 1);
  beckon_agent_fixture_answer (test->agent, approval, beckon_answer_new (BECKON_ANSWER_APPROVED, NULL));
  beckon_agent_fixture_wait_phase (test->agent, BECKON_RUN_WAITING);
  beckon_agent_fixture_sync (test->agent);
  g_assert_cmpuint (beckon_test_tool_get_n_begun (test->change), ==, 0);

  beckon_agent_fixture_answer (test->agent, question, beckon_script_pick ("9090"));
  finish (test);
  g_assert_cmpuint (beckon_test_tool_get_n_begun (test->change), ==, 1);
  beckon_agent_fixture_assert_sent (test->agent, 1,
                                    "user Go\nassistant\n"
                                    "  call call_r read_note {}\n"
                                    "  call call_w write_note {\"n\":1}\n"
                                    "  call call_q ask_user " BECKON_SCRIPT_QUESTION "\n"
                                    "tool call_r read_note did {}\n"
                                    "tool call_w write_note did {\"n\":1}\n"
                                    "tool call_q 9090\n");
}

/* The order of the reply is the order of the world: a read waits for the change before it, asked about or running, and a change
 * for a read before it. */
static void
test_order (void)
{
  g_autoptr (Case) test = case_new ();
  const BeckonScriptCall calls[] = {
    { "call_1", "read_note", "{\"n\":1}" },
    { "call_2", "write_note", "{\"n\":2}" },
    { "call_3", "read_note", "{\"n\":3}" },
    { "call_4", "read_note", "{\"n\":4}" },
  };

  beckon_test_tool_set_held (test->read, TRUE);
  beckon_test_tool_set_held (test->change, TRUE);
  say (test, calls, G_N_ELEMENTS (calls), "tool_calls");
  beckon_agent_fixture_answer (test->agent, beckon_agent_fixture_wait_pending (test->agent, 1),
                               beckon_answer_new (BECKON_ANSWER_APPROVED, NULL));
  beckon_agent_wait_until (beckon_test_tool_get_n_running (test->read) == 1);
  beckon_agent_fixture_sync (test->agent);
  g_assert_cmpuint (beckon_test_tool_get_n_begun (test->change), ==, 0);
  beckon_test_tool_release (test->read);
  beckon_agent_wait_until (beckon_test_tool_get_n_running (test->change) == 1);
  beckon_agent_fixture_sync (test->agent);
  g_assert_cmpuint (beckon_test_tool_get_n_begun (test->read), ==, 1);
  beckon_test_tool_release (test->change);
  beckon_agent_wait_until (beckon_test_tool_get_n_running (test->read) == 2);
  beckon_test_tool_release (test->read);
  beckon_test_tool_release (test->read);
  finish (test);
}

/* A change that is refused holds nothing back. */
static void
test_order_denied (void)
{
  g_autoptr (Case) test = case_new ();
  const BeckonScriptCall calls[] = { { "call_1", "write_note", "{\"n\":1}" }, { "call_2", "read_note", "{\"n\":2}" } };
  BeckonRequest *request;

  say (test, calls, G_N_ELEMENTS (calls), "tool_calls");
  request = beckon_agent_fixture_wait_pending (test->agent, 1);
  beckon_agent_fixture_sync (test->agent);
  g_assert_cmpuint (beckon_test_tool_get_n_begun (test->read), ==, 0);
  beckon_agent_fixture_answer (test->agent, request, beckon_answer_new (BECKON_ANSWER_DECLINED, NULL));
  finish (test);
  g_assert_cmpuint (beckon_test_tool_get_n_begun (test->read), ==, 1);
}

static void
test_reading_at_once (void)
{
  g_autoptr (Case) test = case_new ();
  const BeckonScriptCall calls[] = {
    { "call_1", "read_note", "{\"n\":1}" },
    { "call_2", "read_note", "{\"n\":2}" },
    { "call_3", "read_note", "{\"n\":3}" },
  };

  beckon_test_tool_set_held (test->read, TRUE);
  say (test, calls, G_N_ELEMENTS (calls), "tool_calls");
  beckon_agent_wait_until (beckon_test_tool_get_n_running (test->read) == 3);
  beckon_agent_fixture_wait_phase (test->agent, BECKON_RUN_CALLING);
  g_assert_cmpstr (beckon_conversation_get_detail (test->agent->conversation), ==, "read_note");
  for (guint i = 0; i < 3; i++)
    beckon_test_tool_release (test->read);
  finish (test);
  beckon_agent_fixture_assert_sent (test->agent, 1,
                                    "user Go\nassistant\n"
                                    "  call call_1 read_note {\"n\":1}\n"
                                    "  call call_2 read_note {\"n\":2}\n"
                                    "  call call_3 read_note {\"n\":3}\n"
                                    "tool call_1 read_note did {\"n\":1}\n"
                                    "tool call_2 read_note did {\"n\":2}\n"
                                    "tool call_3 read_note did {\"n\":3}\n");
}

static void
test_changing_in_turn (void)
{
  g_autoptr (Case) test = case_new ();
  const BeckonScriptCall calls[] = {
    { "call_1", "write_note", "{\"n\":1}" },
    { "call_2", "write_note", "{\"n\":2}" },
    { "call_3", "write_note", "{\"n\":3}" },
  };

  beckon_test_tool_set_held (test->change, TRUE);
  say (test, calls, G_N_ELEMENTS (calls), "tool_calls");
  beckon_agent_fixture_wait_pending (test->agent, 3);
  for (guint left = 3; left > 0; left--)
    beckon_agent_fixture_answer (test->agent, beckon_agent_fixture_wait_pending (test->agent, left),
                                 beckon_answer_new (BECKON_ANSWER_APPROVED, NULL));
  for (guint i = 1; i <= 3; i++)
    {
      beckon_agent_wait_until (beckon_test_tool_get_n_begun (test->change) == i);
      beckon_agent_fixture_sync (test->agent);
      g_assert_cmpuint (beckon_test_tool_get_n_begun (test->change), ==, i);
      beckon_test_tool_release (test->change);
    }
  finish (test);
  g_assert_cmpuint (beckon_test_tool_get_n_at_once (test->change), ==, 1);
  g_assert_cmpstr (beckon_test_tool_get_log (test->change), ==, "{\"n\":1}\n{\"n\":2}\n{\"n\":3}\n");
}

static void
test_ask_everything (void)
{
  g_autoptr (Case) test = case_new ();

  beckon_conversation_set_mode (test->agent->conversation, BECKON_MODE_ASK_EVERYTHING);
  say_one (test, "read_note", "{}");
  beckon_agent_fixture_answer (test->agent, beckon_agent_fixture_wait_pending (test->agent, 1),
                               beckon_answer_new (BECKON_ANSWER_APPROVED, NULL));
  finish (test);
  g_assert_cmpuint (beckon_test_tool_get_n_begun (test->read), ==, 1);
}

static void
test_changing_without_person (void)
{
  g_autoptr (Case) test = case_new ();

  beckon_agent_set_has_person (test->agent->agent, FALSE);
  say_one (test, "write_note", "{}");
  finish (test);
  g_assert_cmpuint (beckon_test_tool_get_n_begun (test->change), ==, 0);
  assert_says (test, "call_1", "Not run, and nothing was changed");
}

/* The third refusal of the same call stops it, whatever stands between; a model that has another idea goes on. */
static void
test_refused_thrice (void)
{
  g_autoptr (Case) test = case_new ();

  beckon_agent_set_has_person (test->agent->agent, FALSE);
  for (guint i = 0; i < 5; i++)
    {
      g_autofree char *id = g_strdup_printf ("call_%u", i);

      beckon_agent_fixture_script (test->agent, beckon_script_call (id, i % 2 == 0 ? "write_note" : "nothing", "{}"));
    }
  beckon_agent_fixture_send (test->agent, test->agent->conversation, "Go");
  beckon_agent_fixture_wait_end (test->agent, BECKON_RUN_ROUND_LIMIT);
  g_assert_cmpuint (beckon_fixture_server_count_requests (test->agent->server), ==, 5);
  g_assert_nonnull (strstr (beckon_conversation_get_detail (test->agent->conversation), "it never ran"));

  /* A name that no tool has is the same mistake whatever stands behind it, whoever is there. */
  beckon_agent_set_has_person (test->agent->agent, TRUE);
  for (guint i = 0; i < 3; i++)
    {
      g_autofree char *id = g_strdup_printf ("nothing_%u", i);
      g_autofree char *arguments = g_strdup_printf ("{\"n\":%u}", i);

      beckon_agent_fixture_script (test->agent, beckon_script_call (id, "nothing", arguments));
    }
  beckon_agent_fixture_send (test->agent, test->agent->conversation, "Once more");
  beckon_agent_fixture_wait_end (test->agent, BECKON_RUN_ROUND_LIMIT);
  beckon_agent_set_has_person (test->agent->agent, FALSE);

  beckon_agent_fixture_script (test->agent, beckon_script_call ("a", "write_note", "{\"n\":1}"));
  beckon_agent_fixture_script (test->agent, beckon_script_call ("b", "write_note", "{\"n\":2}"));
  beckon_agent_fixture_script (test->agent, beckon_script_call ("c", "write_note", "{\"n\":3}"));
  beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat ("I can't"));
  beckon_agent_fixture_send (test->agent, test->agent->conversation, "Again");
  beckon_agent_fixture_wait_end (test->agent, BECKON_RUN_COMPLETE);
}

/* Six replies without a call that could run end the turn, and are not called the same if they are not. */
static void
test_refused_replies (void)
{
  g_autoptr (Case) test = case_new ();

  beckon_agent_set_has_person (test->agent->agent, FALSE);
  for (guint i = 0; i < 6; i++)
    {
      g_autofree char *id = g_strdup_printf ("call_%u", i);
      g_autofree char *arguments = g_strdup_printf ("{\"n\":%u}", i);

      beckon_agent_fixture_script (test->agent, beckon_script_call (id, "write_note", arguments));
    }
  beckon_agent_fixture_send (test->agent, test->agent->conversation, "Go");
  beckon_agent_fixture_wait_end (test->agent, BECKON_RUN_ROUND_LIMIT);
  g_assert_cmpuint (beckon_fixture_server_count_requests (test->agent->server), ==, 6);
  g_assert_cmpstr (beckon_conversation_get_detail (test->agent->conversation), ==,
                   "Paused: none of the model’s last six replies contained a call that could run.");
}

/* Switching questions off does not switch approvals off. */
static void
test_approval_without_questions (void)
{
  g_autoptr (Case) test = case_new ();

  beckon_settings_set_enable_ask_user (test->agent->settings, FALSE);
  say_one (test, "write_note", "{}");
  beckon_agent_fixture_answer (test->agent, beckon_agent_fixture_wait_pending (test->agent, 1),
                               beckon_answer_new (BECKON_ANSWER_APPROVED, NULL));
  finish (test);
  g_assert_cmpuint (beckon_test_tool_get_n_begun (test->change), ==, 1);
}

static void
test_tool_fails (void)
{
  g_autoptr (Case) test = case_new ();

  beckon_test_tool_set_failure (test->read, "The note is gone");
  say_one (test, "read_note", "{}");
  finish (test);
  assert_says (test, "call_1", "The note is gone");
  beckon_agent_fixture_assert_shown (test->agent, "user complete\n  text Go\nassistant complete\n"
                                                  "  call call_1 read_note done {} ⇒ The note is gone\n"
                                                  "assistant complete\n  text Done\n  usage 7 3\n");
}

/* A tool that lets go of its call without a word holds up nobody, wherever the last reference goes. */
static void
test_tool_forgets (void)
{
  g_autoptr (Case) test = case_new ();

  beckon_test_tool_set_forgets (test->read, TRUE);
  say_one (test, "read_note", "{}");
  finish (test);
  assert_says (test, "call_1", "ended without a result");
  g_assert_cmpuint (beckon_test_tool_get_n_begun (test->read), ==, 1);
}

/* A call that the server left in the text takes the way of any other. */
static void
test_call_in_text (void)
{
  g_autoptr (Case) test = case_new ();
  BeckonMessage *message;

  beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat (
    "<think>A note.</think>\n\nI note it.\n<tool_call>\n{\"name\": \"write_note\", \"arguments\": {\"text\":\"x\"}}\n"
    "</tool_call>"));
  beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (test->agent, test->agent->conversation, "Go");
  beckon_agent_fixture_answer (test->agent, beckon_agent_fixture_wait_pending (test->agent, 1),
                               beckon_answer_new (BECKON_ANSWER_APPROVED, NULL));
  finish (test);
  g_assert_cmpstr (beckon_test_tool_get_log (test->change), ==, "{\"text\":\"x\"}\n");
  message = beckon_conversation_get_message (test->agent->conversation, 1);
  g_assert_cmpuint (beckon_message_get_n_parts (message), ==, 3);
  g_assert_cmpint (beckon_part_get_kind (beckon_message_get_part (message, 0)), ==, BECKON_PART_REASONING);
  g_assert_cmpstr (beckon_part_get_text (beckon_message_get_part (message, 0)), ==, "A note.");
  g_assert_cmpstr (beckon_part_get_text (beckon_message_get_part (message, 1)), ==, "I note it.\n");
}

/* A call that is marked and can't be read is a call that failed, in words for both. */
static void
test_unreadable_call_in_text (void)
{
  g_autoptr (Case) test = case_new ();

  beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat (
    "<tool_call>{\"name\":\"launch\",\"arguments\":{}}</tool_call>"));
  beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (test->agent, test->agent->conversation, "Go");
  finish (test);
  g_assert_nonnull (strstr (beckon_fixture_server_get_request (test->agent->server, 1)->body,
                            "This text looks like a tool call and is not a valid one"));
}

/* A tool that keeps its call for ever is given up; what it returns later, if it ever does, goes nowhere. */
static void
test_tool_holds (void)
{
  g_autoptr (Case) test = case_new ();

  beckon_test_tool_set_held (test->read, TRUE);
  beckon_test_tool_set_deaf (test->read, TRUE);
  say_one (test, "read_note", "{}");
  beckon_agent_wait_until (beckon_test_tool_get_n_running (test->read) == 1);
  beckon_clock_advance (test->agent->clock, 600 * 1000);
  finish (test);
  assert_says (test, "call_1", "did not finish within 10 minutes");
  beckon_test_tool_release (test->read);
  beckon_agent_fixture_assert_shown (test->agent, "user complete\n  text Go\nassistant complete\n"
                                                  "  call call_1 read_note done {} ⇒ The tool did not finish within "
                                                  "10 minutes and is no longer waited for. It may have done part of its work, "
                                                  "or go on with it: check before you call it again.\n"
                                                  "assistant complete\n  text Done\n  usage 7 3\n");
}

static void
test_huge_result (void)
{
  g_autoptr (Case) test = case_new ();
  g_autoptr (GString) huge = g_string_new (NULL);
  g_autofree char *result = NULL;
  const char *stored;

  beckon_agent_fixture_set_window (test->agent, 2000000);
  for (guint i = 0; i < 400 * 1024; i++)
    g_string_append (huge, "ab€");
  beckon_test_tool_set_result (test->read, huge->str);
  say_one (test, "read_note", "{}");
  finish (test);
  result = dup_result (test, "call_1");
  g_assert_cmpuint (strlen (result), <=, 2000000 / 12 * 4);
  g_assert_true (g_utf8_validate (result, -1, NULL));
  stored = beckon_tool_call_get_result (beckon_part_get_call (beckon_message_get_part (
    beckon_conversation_get_message (test->agent->conversation, 1), 0)));
  g_assert_cmpuint (strlen (stored), <=, 1024 * 1024);
  g_assert_cmpuint (strlen (stored), >, 1024 * 1024 - 8);
  g_assert_true (g_utf8_validate (stored, -1, NULL));
}

static void
test_unknown (void)
{
  g_autoptr (Case) test = case_new ();
  const BeckonScriptCall calls[] = {
    { "call_1", "no_such_tool", "{}" },
    { "call_2", "read_notes", "{}" },
    { "call_3", "read_note\xe2\x80\x8b", "{}" },
    { "call_4", "multi_tool_use.parallel", "{}" },
  };

  say (test, calls, G_N_ELEMENTS (calls), "tool_calls");
  finish (test);
  for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
    assert_says (test, calls[i].id, "There is no tool named");
  assert_says (test, "call_1", "The tools are: ask_user, get_current_time, ");
  assert_says (test, "call_1", "read_note");
  assert_says (test, "call_2", "There is no tool named \"read_notes\". Did you mean “read_note”? The tools are: ");
  assert_lacks (test, "call_1", BECKON_FIND_TOOL_NAME);
  g_assert_cmpuint (beckon_test_tool_get_n_begun (test->read), ==, 0);
}

/* A name in another case, or behind the prefix of another interface, is the tool's: it is judged and told by its own name. */
static void
test_loose_names (void)
{
  g_autoptr (Case) test = case_new ();
  const BeckonScriptCall calls[] = {
    { "call_1", "READ_NOTE", "{}" },
    { "call_2", "functions.read_note", "{}" },
    { "call_3", "functions.Write_Note", "{}" },
    { "call_4", "ReadNote", "{}" },
    { "call_5", "default_api:read_note", "{}" },
  };

  beckon_agent_set_has_person (test->agent->agent, FALSE);
  say (test, calls, G_N_ELEMENTS (calls), "tool_calls");
  finish (test);
  assert_says (test, "call_1", "read_note did {}");
  assert_says (test, "call_2", "read_note did {}");
  assert_says (test, "call_3", "Not run, and nothing was changed");
  assert_says (test, "call_4", "read_note did {}");
  assert_says (test, "call_5", "read_note did {}");
  g_assert_nonnull (strstr (beckon_fixture_server_get_request (test->agent->server, 1)->body, "\"name\":\"write_note\",\"arg"));
  g_assert_cmpuint (beckon_test_tool_get_n_begun (test->read), ==, 4);
  g_assert_cmpuint (beckon_test_tool_get_n_begun (test->change), ==, 0);
}

static void
assert_refused (const char *arguments, const char *end, const char *words)
{
  g_autoptr (Case) test = case_new ();
  const BeckonScriptCall call = { "call_1", "read_note", arguments };

  say (test, &call, 1, end);
  finish (test);
  g_assert_cmpuint (beckon_test_tool_get_n_begun (test->read), ==, 0);
  assert_says (test, "call_1", words);
}

static void
test_bad_arguments (void)
{
  assert_refused ("{\"a\":1,\"a\":2}", "tool_calls", "not a JSON object");
  assert_refused ("[1]", "tool_calls", "not a JSON object");
  assert_refused ("{a:1}", "tool_calls", "not a JSON object");
}

/* /faults/C/41: what the schema of the tool does not allow is told with its place. */
static void
test_arguments_of_another_form (void)
{
  assert_refused ("{\"path\":1}", "tool_calls", "/path: This has to be of the type string.");
}

/* /faults/C/37 and 38: however the reply ended. */
static void
test_cut_arguments (void)
{
  assert_refused ("{\"path\":\"/tmp", "length", "broken off at its limit");
  assert_refused ("{\"path\":\"/tmp", "tool_calls", "not a JSON object");
}

/* /faults/C/39: nothing at all may be the beginning of something. */
static void
test_empty_arguments_at_length (void)
{
  assert_refused ("", "length", "broken off at its limit");
}

/* /faults/C/40 */
static void
test_empty_arguments (void)
{
  g_autoptr (Case) test = case_new ();

  say_one (test, "read_note", "");
  finish (test);
  g_assert_cmpstr (beckon_test_tool_get_log (test->read), ==, "{}\n");
}

/* /faults/C/42 */
static void
test_second_cut (void)
{
  g_autoptr (Case) test = case_new ();
  const BeckonScriptCall calls[] = {
    { "call_1", "ask_user", BECKON_SCRIPT_QUESTION },
    { "call_2", "write_note", "{\"text\":\"" },
  };

  say (test, calls, 2, "length");
  beckon_agent_fixture_answer (test->agent, beckon_agent_fixture_wait_pending (test->agent, 1),
                               beckon_script_pick ("8080"));
  finish (test);
  assert_says (test, "call_1", "8080");
  assert_says (test, "call_2", "broken off at its limit");
  g_assert_cmpuint (beckon_test_tool_get_n_begun (test->change), ==, 0);
}

/* A model that cannot say it shorter would go on like this to the limit of rounds. */
static void
test_cut_again (void)
{
  g_autoptr (Case) test = case_new ();
  const BeckonScriptCall calls[] = {
    { "call_1", "read_note", "{\"path\":\"a\"}" },
    { "call_2", "write_note", "{\"text\":\"" },
  };

  for (guint i = 0; i < 3; i++)
    beckon_agent_fixture_script (test->agent, beckon_script_calls (NULL, calls, 2, "length"));
  beckon_agent_fixture_send (test->agent, test->agent->conversation, "Begin.");
  beckon_agent_fixture_wait_end (test->agent, BECKON_RUN_LENGTH);
  g_assert_cmpuint (beckon_fixture_server_count_requests (test->agent->server), ==, 2);
  g_assert_nonnull (strstr (beckon_conversation_get_detail (test->agent->conversation), "ended more than once in the middle of a call"));
  assert_says (test, "call_2", "broken off at its limit");
}

/* A good round between two that are broken off is no sign that it gets better. */
static void
test_cut_now_and_then (void)
{
  g_autoptr (Case) test = case_new ();
  const BeckonScriptCall cut = { "call_1", "write_note", "{\"text\":\"" };

  beckon_agent_fixture_set_output (test->agent, 777);
  for (guint i = 0; i < 6; i++)
    {
      g_autofree char *arguments = g_strdup_printf ("{\"path\":\"%u\"}", i);
      const BeckonScriptCall whole = { "call_2", "read_note", arguments };

      beckon_agent_fixture_script (test->agent, beckon_script_calls (NULL, i % 2 == 0 ? &cut : &whole, 1,
                                                                     i % 2 == 0 ? "length" : "tool_calls"));
    }
  beckon_agent_fixture_send (test->agent, test->agent->conversation, "Begin.");
  beckon_agent_fixture_wait_end (test->agent, BECKON_RUN_LENGTH);
  g_assert_cmpuint (beckon_fixture_server_count_requests (test->agent->server), ==, 5);
  g_assert_nonnull (strstr (beckon_conversation_get_detail (test->agent->conversation), "777 tokens"));
  assert_says (test, "call_1", "broken off at its limit of 777 tokens");
}

/* The loop guard has no person to ask. */
static void
test_same_call_at_length (void)
{
  g_autoptr (Case) test = case_new ();
  const BeckonScriptCall call = { "call_1", "read_note", "{\"path\":\"a\"}" };

  beckon_agent_set_has_person (test->agent->agent, FALSE);
  for (guint i = 0; i < 6; i++)
    beckon_agent_fixture_script (test->agent, beckon_script_calls (NULL, &call, 1, "length"));
  beckon_agent_fixture_send (test->agent, test->agent->conversation, "Begin.");
  beckon_agent_fixture_wait_end (test->agent, BECKON_RUN_LENGTH);
  g_assert_cmpuint (beckon_fixture_server_count_requests (test->agent->server), ==, 3);
  g_assert_cmpuint (beckon_test_tool_get_n_begun (test->read), ==, 2);
  g_assert_nonnull (strstr (beckon_conversation_get_detail (test->agent->conversation), "the very same call"));
}

/* /faults/C/43: the same id twice in a reply, and again in the next one; each call is our own. */
static void
test_duplicate_ids (void)
{
  g_autoptr (Case) test = case_new ();
  const BeckonScriptCall calls[] = {
    { "same", "read_note", "{\"n\":1}" },
    { "same", "read_note", "{\"n\":2}" },
  };
  const BeckonScriptCall again = { "same", "read_note", "{\"n\":3}" };

  beckon_agent_fixture_script (test->agent, beckon_script_calls (NULL, calls, 2, "tool_calls"));
  say (test, &again, 1, "tool_calls");
  beckon_agent_fixture_wait_end (test->agent, BECKON_RUN_COMPLETE);
  g_assert_cmpuint (beckon_fixture_server_count_requests (test->agent->server), ==, 3);
  g_assert_cmpuint (beckon_test_tool_get_n_begun (test->read), ==, 3);
  g_free (beckon_agent_dup_result (beckon_fixture_server_get_request (test->agent->server, 2), "same"));
}

/* /faults/C/48: the first 128 run, the rest is told so, and each has its result. */
static void
test_many (void)
{
  g_autoptr (Case) test = case_new ();
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();
  const guint n = 200;

  beckon_fixture_reply_add_stream_head (reply);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *id = g_strdup_printf ("call_%u", i);
      g_autofree char *arguments = g_strdup_printf ("{\"n\":%u}", i);

      beckon_fixture_reply_add_chat_call (reply, i, id, "read_note", arguments);
    }
  beckon_fixture_reply_add_chat_finish (reply, "tool_calls");
  beckon_fixture_reply_add_chat_done (reply);
  beckon_agent_fixture_script (test->agent, reply);
  beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (test->agent, test->agent->conversation, "Go");
  finish (test);
  g_assert_cmpuint (beckon_test_tool_get_n_begun (test->read), ==, 128);
  assert_says (test, "call_127", "read_note did {\"n\":127}");
  assert_says (test, "call_128", "Too many calls");
  assert_says (test, "call_199", "Too many calls");
}

static void
on_prefixes (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(BeckonPrefixes **) user_data = beckon_store_load_prefixes_finish (BECKON_STORE (source), result, NULL);
}

/* Tools come and go while a run works: the next round has those that are there, and it is stored why requests begin anew. */
static void
test_tools_change (void)
{
  g_autoptr (Case) test = case_new ();
  g_autoptr (BeckonTestTool) late = beckon_test_tool_new ("get_late", TRUE);
  g_autoptr (BeckonPrefixes) prefixes = NULL;
  const BeckonPrefix *prefix;
  GHashTableIter iter;
  gpointer value;

  beckon_test_tool_set_held (test->read, TRUE);
  say_one (test, "read_note", "{}");
  beckon_agent_wait_until (beckon_test_tool_get_n_running (test->read) == 1);
  beckon_tool_registry_add (test->agent->tools, BECKON_TOOL (late));
  beckon_tool_registry_remove (test->agent->tools, BECKON_TOOL (test->read));
  g_assert_null (beckon_tool_registry_lookup (test->agent->tools, "read_note"));
  beckon_test_tool_release (test->read);
  finish (test);
  assert_says (test, "call_1", "read_note did {}");
  g_assert_nonnull (strstr (beckon_fixture_server_get_request (test->agent->server, 0)->body, "\"name\":\"read_note\""));
  g_assert_null (strstr (beckon_fixture_server_get_request (test->agent->server, 0)->body, "\"name\":\"get_late\""));
  g_assert_null (strstr (beckon_fixture_server_get_request (test->agent->server, 1)->body,
                         "\"name\":\"read_note\",\"description\""));
  g_assert_nonnull (strstr (beckon_fixture_server_get_request (test->agent->server, 1)->body, "\"name\":\"get_late\""));
  beckon_store_load_prefixes_async (test->agent->store, beckon_conversation_get_id (test->agent->conversation), NULL,
                                    on_prefixes, &prefixes);
  beckon_agent_wait_until (prefixes != NULL);
  g_hash_table_iter_init (&iter, prefixes->by_profile);
  g_assert_true (g_hash_table_iter_next (&iter, NULL, &value));
  prefix = value;
  g_assert_cmpuint (prefix->number, ==, 2);
  g_assert_cmpstr (prefix->reason, ==, BECKON_PREFIX_TOOLS);
}

/* A decided call whose tool goes does not start, and the model is told so. */
static void
test_tool_goes (void)
{
  g_autoptr (Case) test = case_new ();
  BeckonRequest *request;

  say_one (test, "write_note", "{}");
  request = beckon_agent_fixture_wait_pending (test->agent, 1);
  beckon_tool_registry_remove (test->agent->tools, BECKON_TOOL (test->change));
  beckon_agent_fixture_answer (test->agent, request, beckon_answer_new (BECKON_ANSWER_APPROVED, NULL));
  finish (test);
  assert_says (test, "call_1", "The tool is not there any more");
  g_assert_cmpuint (beckon_test_tool_get_n_begun (test->change), ==, 0);
}

static void
on_looked_up (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(BeckonRequest **) user_data = beckon_request_store_lookup_finish (BECKON_REQUEST_STORE (source), result, NULL);
}

/* A running tool asks something of its own, and gets the answer; who asked is stored with it. */
static void
test_tool_asks (void)
{
  g_autoptr (Case) test = case_new ();
  g_autoptr (BeckonRequest) stored = NULL;
  BeckonRequest *request;

  beckon_test_tool_set_question (test->read, "Which account?");
  say_one (test, "read_note", "{}");
  request = beckon_agent_fixture_wait_pending (test->agent, 1);
  g_assert_cmpint (beckon_request_get_asked_by (request)->kind, ==, BECKON_ASKED_BY_TOOL);
  beckon_request_store_lookup_async (BECKON_REQUEST_STORE (test->agent->store), beckon_request_get_id (request), NULL,
                                     on_looked_up, &stored);
  beckon_agent_wait_until (stored != NULL);
  g_assert_cmpstr (beckon_request_get_asked_by (stored)->name, ==, "read_note");
  beckon_agent_fixture_answer (test->agent, request, beckon_script_type ("the second one"));
  finish (test);
  assert_says (test, "call_1", "heard the second one");
}

/* The first call of the last message that has one. */
static BeckonToolCall *
find_call (BeckonConversation *conversation)
{
  for (guint i = beckon_conversation_get_n_messages (conversation); i > 0; i--)
    {
      BeckonMessage *message = beckon_conversation_get_message (conversation, i - 1);

      for (guint j = 0; j < beckon_message_get_n_parts (message); j++)
        if (beckon_part_get_call (beckon_message_get_part (message, j)) != NULL)
          return beckon_part_get_call (beckon_message_get_part (message, j));
    }
  g_assert_not_reached ();
}

/* A server's form is raised by its running tool, and what is filled in is given back to it. */
static void
test_tool_asks_form (void)
{
  g_autoptr (Case) test = case_new ();
  BeckonRequest *request;
  BeckonToolCall *call;

  beckon_test_tool_set_form (test->read, "{\"message\":\"Who?\",\"requestedSchema\":{\"type\":\"object\",\"properties\":"
                                         "{\"name\":{\"type\":\"string\"}},\"required\":[\"name\"]}}", FALSE);
  say_one (test, "read_note", "{}");
  request = beckon_agent_fixture_wait_pending (test->agent, 1);
  g_assert_cmpstr (beckon_request_get_kind_name (request), ==, "form");
  beckon_clock_advance (test->agent->clock, 600 * 1000);
  beckon_agent_fixture_answer (test->agent, request, beckon_answer_new (BECKON_ANSWER_FORM, "{\"name\":\"Ada\"}"));
  finish (test);
  assert_says (test, "call_1", "{\"action\":\"accept\",\"content\":{\"name\":\"Ada\"}}");
  /* The call remembers what it asked; the time in which it waited for that is not its own. */
  call = find_call (test->agent->conversation);
  g_assert_cmpuint (beckon_tool_call_get_n_asked (call), ==, 1);
  g_assert_true (beckon_tool_call_get_asked (call, 0) == G_OBJECT (request));
  g_assert_cmpint (beckon_tool_call_get_waited (call), ==, 600 * G_USEC_PER_SEC);
  g_assert_cmpint (beckon_tool_call_get_finished_at (call), ==, beckon_tool_call_get_started_at (call));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/agent/calls/read-only", test_read_only);
  g_test_add_func ("/agent/calls/builtin-time", test_builtin_time);
  g_test_add_func ("/agent/calls/approved", test_approved);
  g_test_add_func ("/life/8-a-denial-goes-to-its-own-call", test_denied);
  g_test_add_func ("/agent/calls/edited", test_edited);
  g_test_add_func ("/life/10-asking-is-a-barrier", test_barrier);
  g_test_add_func ("/calls/order", test_order);
  g_test_add_func ("/calls/order-denied", test_order_denied);
  g_test_add_func ("/agent/calls/reading-at-once", test_reading_at_once);
  g_test_add_func ("/agent/calls/changing-in-turn", test_changing_in_turn);
  g_test_add_func ("/agent/calls/ask-everything", test_ask_everything);
  g_test_add_func ("/agent/calls/changing-without-person", test_changing_without_person);
  g_test_add_func ("/agent/calls/refused-thrice", test_refused_thrice);
  g_test_add_func ("/agent/calls/refused-replies", test_refused_replies);
  g_test_add_func ("/agent/calls/approval-without-questions", test_approval_without_questions);
  g_test_add_func ("/agent/calls/tool-fails", test_tool_fails);
  g_test_add_func ("/agent/calls/tool-forgets", test_tool_forgets);
  g_test_add_func ("/agent/calls/tool-holds", test_tool_holds);
  g_test_add_func ("/agent/calls/call-in-text", test_call_in_text);
  g_test_add_func ("/agent/calls/unreadable-call-in-text", test_unreadable_call_in_text);
  g_test_add_func ("/agent/calls/huge-result", test_huge_result);
  g_test_add_func ("/agent/calls/unknown", test_unknown);
  g_test_add_func ("/agent/calls/loose-names", test_loose_names);
  g_test_add_func ("/agent/calls/bad-arguments", test_bad_arguments);
  g_test_add_func ("/faults/C/41-arguments-of-another-form", test_arguments_of_another_form);
  g_test_add_func ("/agent/calls/cut-arguments", test_cut_arguments);
  g_test_add_func ("/agent/calls/cut-again", test_cut_again);
  g_test_add_func ("/agent/calls/cut-now-and-then", test_cut_now_and_then);
  g_test_add_func ("/agent/calls/same-call-at-length", test_same_call_at_length);
  g_test_add_func ("/agent/calls/empty-arguments-at-length", test_empty_arguments_at_length);
  g_test_add_func ("/agent/calls/empty-arguments", test_empty_arguments);
  g_test_add_func ("/agent/calls/second-cut", test_second_cut);
  g_test_add_func ("/agent/calls/duplicate-ids", test_duplicate_ids);
  g_test_add_func ("/agent/calls/many", test_many);
  g_test_add_func ("/agent/calls/tools-change", test_tools_change);
  g_test_add_func ("/agent/calls/tool-goes", test_tool_goes);
  g_test_add_func ("/agent/calls/tool-asks", test_tool_asks);
  g_test_add_func ("/agent/calls/tool-asks-form", test_tool_asks_form);
  return g_test_run ();
}
