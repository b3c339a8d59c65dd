/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Decisions about a call between the model and the tool: by rules, by the mode, again after an edit, again when what it
 * works on is not what it was, and what is remembered of an answer.
 */

#include "agent/beckon-rule-simulation.h"
#include "base/beckon-id.h"
#include "beckon-notes-fixture.h"
#include "request/beckon-approval-request.h"

#include <glib/gstdio.h>
#include <string.h>

typedef BeckonNotesFixture Case;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Case, beckon_notes_fixture_free)

static Case *
case_new (void)
{
  return beckon_notes_fixture_new ("run_note");
}

static void
keep_result (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

static BeckonRule *
make_rule (const char *tool, const char *arguments, BeckonVerdict verdict)
{
  BeckonRule *rule = beckon_rule_new ();

  rule->id = beckon_id_new ();
  rule->tool = g_strdup (tool);
  rule->arguments = g_strdup (arguments);
  rule->verdict = verdict;
  rule->created_at = 1;
  return rule;
}

/* Returns its id. */
static char *
add_rule (Case *test, const char *arguments, BeckonVerdict verdict)
{
  g_autoptr (BeckonRule) rule = make_rule ("run_note", arguments, verdict);
  g_autoptr (GAsyncResult) saved = NULL;
  g_autoptr (GError) error = NULL;

  beckon_rules_save_async (test->agent->rules, rule, NULL, keep_result, &saved);
  beckon_agent_wait_until (saved != NULL);
  beckon_rules_save_finish (test->agent->rules, saved, &error);
  g_assert_no_error (error);
  return g_strdup (rule->id);
}

static void
remove_rule (Case *test, const char *id)
{
  g_autoptr (GAsyncResult) removed = NULL;
  g_autoptr (GError) error = NULL;

  beckon_rules_remove_async (test->agent->rules, id, NULL, keep_result, &removed);
  beckon_agent_wait_until (removed != NULL);
  beckon_rules_remove_finish (test->agent->rules, removed, &error);
  g_assert_no_error (error);
}

/* As the store has it. */
static gint64
count_uses (Case *test, const char *id)
{
  g_autoptr (GAsyncResult) listed = NULL;
  g_autoptr (GPtrArray) rules = NULL;

  beckon_store_list_rules_async (test->agent->store, NULL, keep_result, &listed);
  beckon_agent_wait_until (listed != NULL);
  rules = beckon_store_list_rules_finish (test->agent->store, listed, NULL);
  for (guint i = 0; i < rules->len; i++)
    if (g_str_equal (((BeckonRule *) g_ptr_array_index (rules, i))->id, id))
      return ((BeckonRule *) g_ptr_array_index (rules, i))->uses;
  return -1;
}

static void
say (Case *test, const char *name, const char *arguments)
{
  beckon_agent_fixture_script (test->agent, beckon_script_call ("call_1", name, arguments));
  beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (test->agent, test->agent->conversation, "Go");
}

static void
answer (Case *test, BeckonAnswerKind kind, const char *text)
{
  beckon_agent_fixture_answer (test->agent, beckon_agent_fixture_wait_pending (test->agent, 1),
                               beckon_answer_new (kind, text));
}

static void
finish (Case *test)
{
  beckon_agent_fixture_wait_end (test->agent, BECKON_RUN_COMPLETE);
}

static void
assert_asked_because (BeckonRequest *request, const char *words)
{
  if (strstr (beckon_request_get_reason (request), words) == NULL)
    g_error ("“%s” does not say “%s”", beckon_request_get_reason (request), words);
}

static void
assert_told (Case *test, const char *words)
{
  guint last = beckon_fixture_server_count_requests (test->agent->server) - 1;
  g_autofree char *result
      = beckon_agent_dup_result (beckon_fixture_server_get_request (test->agent->server, last), "call_1");

  if (strstr (result, words) == NULL)
    g_error ("“%s” does not say “%s”", result, words);
}

static void
test_rule_allows (void)
{
  g_autoptr (Case) test = case_new ();
  g_autofree char *id = add_rule (test, "{\"command\":\"ls *\"}", BECKON_VERDICT_ALLOW);

  say (test, "run_note", "{\"command\":\"ls -l && ls src\"}");
  finish (test);
  g_assert_cmpuint (beckon_test_tool_get_n_begun (test->change), ==, 1);
  g_assert_cmpint (count_uses (test, id), ==, 1);
}

static void
test_rule_denies (void)
{
  g_autoptr (Case) test = case_new ();
  g_autofree char *id = add_rule (test, "{\"command\":\"rm *\"}", BECKON_VERDICT_DENY);
  BeckonMessage *reply;
  const char *reason;

  say (test, "run_note", "{\"command\":\"ls; rm -r x\"}");
  finish (test);
  g_assert_cmpuint (beckon_test_tool_get_n_begun (test->change), ==, 0);
  assert_told (test, "a rule of the user forbids this call");
  /* The person is told in words of their own. */
  reply = beckon_conversation_get_message (test->agent->conversation, 1);
  reason = beckon_tool_call_get_reason (beckon_part_get_call (beckon_message_get_part (reply, 0)));
  g_assert_nonnull (reason);
  g_assert_null (strstr (reason, "of the user"));
  g_assert_cmpint (count_uses (test, id), ==, 1);
}

/* A tool that runs is told what rules deny, to keep it from what it was not asked for by name. */
static void
test_denied_paths (void)
{
  g_autoptr (Case) test = case_new ();
  g_autofree char *id = add_rule (test, "{\"path\":\"/secret/**\"}", BECKON_VERDICT_DENY);
  g_autofree char *allowed = add_rule (test, "{\"command\":\"ls *\"}", BECKON_VERDICT_ALLOW);

  say (test, "run_note", "{\"command\":\"ls\"}");
  finish (test);
  g_assert_cmpuint (beckon_test_tool_get_n_begun (test->change), ==, 1);
  g_assert_true (beckon_denied_paths_has (beckon_test_tool_get_denied (test->change), "/secret/a"));
  g_assert_false (beckon_denied_paths_has (beckon_test_tool_get_denied (test->change), "/other"));
}

static void
test_card_names_rule (void)
{
  g_autoptr (Case) test = case_new ();
  g_autofree char *id = add_rule (test, "{\"command\":\"git push *\"}", BECKON_VERDICT_ASK);
  BeckonRequest *request;

  say (test, "run_note", "{\"command\":\"git push origin\"}");
  request = beckon_agent_fixture_wait_pending (test->agent, 1);
  assert_asked_because (request, "git push *");
  g_assert_cmpstr (beckon_request_get_ground (request)->rule_id, ==, id);
  answer (test, BECKON_ANSWER_DECLINED, "not today");
  finish (test);
  assert_told (test, "not today");
}

/* The mode is the conversation's, and holds for the next call, whatever it was for the last. */
static void
test_modes (void)
{
  g_autoptr (Case) test = case_new ();

  beckon_library_set_mode (test->agent->library, test->agent->conversation, BECKON_MODE_ASK_OUTSIDE);
  beckon_library_set_folder (test->agent->library, test->agent->conversation, "/srv/site");
  say (test, "run_note", "{\"path\":\"/srv/site/a\"}");
  finish (test);
  g_assert_cmpuint (beckon_test_tool_get_n_begun (test->change), ==, 1);

  beckon_library_set_mode (test->agent->library, test->agent->conversation, BECKON_MODE_ASK_EVERYTHING);
  say (test, "read_note", "{\"path\":\"/srv/site/a\"}");
  answer (test, BECKON_ANSWER_APPROVED, NULL);
  finish (test);
  g_assert_cmpuint (beckon_test_tool_get_n_begun (test->read), ==, 1);
}

/* A person's edit is asked for by another rule than what they saw: they see it once more. */
static void
test_edit_meets_rule (void)
{
  g_autoptr (Case) test = case_new ();
  g_autofree char *id = add_rule (test, "{\"path\":\"/secret/**\"}", BECKON_VERDICT_ASK);
  BeckonRequest *request;

  say (test, "run_note", "{\"path\":\"/tmp/a\"}");
  answer (test, BECKON_ANSWER_APPROVED_EDITED, "{\"path\":\"/secret/b\"}");
  request = beckon_agent_fixture_wait_pending (test->agent, 1);
  assert_asked_because (request, "/secret/**");
  g_assert_cmpstr (beckon_request_get_arguments (request), ==, "{\"path\":\"/secret/b\"}");
  g_assert_cmpuint (beckon_test_tool_get_n_begun (test->change), ==, 0);

  answer (test, BECKON_ANSWER_APPROVED, NULL);
  finish (test);
  g_assert_cmpstr (beckon_test_tool_get_log (test->change), ==, "{\"path\":\"/secret/b\"}\n");
  assert_told (test, "The user changed the arguments");
  g_assert_cmpint (count_uses (test, id), ==, 1);
}

static void
test_edit_meets_denial (void)
{
  g_autoptr (Case) test = case_new ();
  g_autofree char *id = add_rule (test, "{\"path\":\"/secret/**\"}", BECKON_VERDICT_DENY);

  say (test, "run_note", "{\"path\":\"/tmp/a\"}");
  answer (test, BECKON_ANSWER_APPROVED_EDITED, "{\"path\":\"/secret/b\"}");
  finish (test);
  g_assert_cmpuint (beckon_test_tool_get_n_begun (test->change), ==, 0);
  assert_told (test, "a rule of the user forbids this call");
}

static void
test_edit_of_same_ground (void)
{
  g_autoptr (Case) test = case_new ();

  say (test, "run_note", "{\"path\":\"/tmp/a\"}");
  answer (test, BECKON_ANSWER_APPROVED_EDITED, "{\"path\":\"/tmp/b\"}");
  finish (test);
  g_assert_cmpstr (beckon_test_tool_get_log (test->change), ==, "{\"path\":\"/tmp/b\"}\n");
}

/* Fault 89: what is approved is the script that was there, not the one that is there now. */
static void
test_file_changes (void)
{
  g_autoptr (Case) test = case_new ();
  g_autofree char *path = g_build_filename (test->agent->directory, "build.sh", NULL);
  g_autofree char *arguments = g_strdup_printf ("{\"path\":\"%s\"}", path);

  g_assert_true (g_file_set_contents (path, "make", -1, NULL));
  say (test, "run_note", arguments);
  beckon_agent_fixture_wait_pending (test->agent, 1);
  g_assert_true (g_file_set_contents (path, "evil", -1, NULL));
  answer (test, BECKON_ANSWER_APPROVED, NULL);
  assert_asked_because (beckon_agent_fixture_wait_pending (test->agent, 1), "has changed since you were asked");
  g_assert_cmpuint (beckon_test_tool_get_n_begun (test->change), ==, 0);

  g_assert_no_errno (g_unlink (path));
  answer (test, BECKON_ANSWER_APPROVED, NULL);
  assert_asked_because (beckon_agent_fixture_wait_pending (test->agent, 1), path);
  answer (test, BECKON_ANSWER_APPROVED, NULL);
  finish (test);
  g_assert_cmpuint (beckon_test_tool_get_n_begun (test->change), ==, 1);
}

static BeckonAnswer *
remember (BeckonRequest *request, guint proposal, const char *conversation_id)
{
  const BeckonApprovalReason *ground = beckon_request_get_ground (request);
  BeckonAnswer *approved = beckon_answer_new (BECKON_ANSWER_APPROVED, NULL);

  g_assert_cmpuint (ground->proposals->len, >, proposal);
  beckon_answer_set_remember (
      approved, beckon_rule_proposal_copy_rules (g_ptr_array_index (ground->proposals, proposal), conversation_id, 5));
  return approved;
}

/* Once answered, the same and others of the pattern run; another one asks. */
static void
test_remember (void)
{
  g_autoptr (Case) test = case_new ();
  BeckonRequest *request;
  BeckonRule *rule;

  say (test, "run_note", "{\"command\":\"git log --oneline | head -3\"}");
  request = beckon_agent_fixture_wait_pending (test->agent, 1);
  beckon_agent_fixture_answer (test->agent, request, remember (request, 1, NULL));
  finish (test);
  g_assert_cmpuint (beckon_rules_get_snapshot (test->agent->rules)->len, ==, 2);

  say (test, "run_note", "{\"command\":\"git log -5; head README\"}");
  finish (test);
  g_assert_cmpuint (beckon_test_tool_get_n_begun (test->change), ==, 2);
  rule = g_ptr_array_index (beckon_rules_get_snapshot (test->agent->rules), 0);
  g_assert_cmpstr (rule->arguments, ==, "{\"command\":\"git log *\"}");
  g_assert_cmpint (count_uses (test, rule->id), ==, 1);

  say (test, "run_note", "{\"command\":\"git push; head README\"}");
  answer (test, BECKON_ANSWER_DECLINED, NULL);
  finish (test);
  g_assert_cmpuint (beckon_test_tool_get_n_begun (test->change), ==, 2);
}

/* A wider permission would be newer than a rule that denies a part of it: it is not offered, and the request says why. */
static void
test_remember_beside_denied (void)
{
  g_autoptr (Case) test = case_new ();
  g_autofree char *id = add_rule (test, "{\"command\":\"git log --output=*\"}", BECKON_VERDICT_DENY);
  BeckonRequest *request;

  say (test, "run_note", "{\"command\":\"git log --oneline | head -3\"}");
  request = beckon_agent_fixture_wait_pending (test->agent, 1);
  assert_asked_because (request, "git log --output=*”");
  g_assert_cmpuint (beckon_request_get_ground (request)->proposals->len, ==, 1);
  beckon_agent_fixture_answer (test->agent, request, remember (request, 0, NULL));
  finish (test);
  say (test, "run_note", "{\"command\":\"git log --output=x\"}");
  finish (test);
  g_assert_cmpuint (beckon_test_tool_get_n_begun (test->change), ==, 1);
}

static void
test_remember_for_conversation (void)
{
  g_autoptr (Case) test = case_new ();
  BeckonConversation *other = beckon_agent_fixture_create (test->agent);
  BeckonRequest *request;

  say (test, "run_note", "{\"path\":\"/tmp/a\"}");
  request = beckon_agent_fixture_wait_pending (test->agent, 1);
  beckon_agent_fixture_answer (test->agent, request,
                               remember (request, 0, beckon_conversation_get_id (test->agent->conversation)));
  finish (test);
  say (test, "run_note", "{\"path\":\"/tmp/a\"}");
  finish (test);
  g_assert_cmpuint (beckon_test_tool_get_n_begun (test->change), ==, 2);

  beckon_agent_fixture_script (test->agent, beckon_script_call ("call_1", "run_note", "{\"path\":\"/tmp/a\"}"));
  beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (test->agent, other, "Go");
  answer (test, BECKON_ANSWER_DECLINED, NULL);
  beckon_agent_wait_until (!beckon_conversation_is_busy (other));
  g_assert_cmpuint (beckon_test_tool_get_n_begun (test->change), ==, 2);
}

/* A changing call that would run by itself goes back to the model where one before it in the reply was refused; one that a
 * person lets run then, or let run before, runs. */
static void
test_behind_refused (gconstpointer is_refused)
{
  g_autoptr (Case) test = case_new ();
  g_autofree char *id = add_rule (test, "{\"path\":\"/tmp/**\"}", BECKON_VERDICT_ALLOW);
  const BeckonScriptCall calls[] = {
    { "call_1", "run_note", "{\"path\":\"/srv/a\"}" },
    { "call_2", "run_note", "{\"path\":\"/tmp/b\"}" },
    { "call_3", "run_note", "{\"path\":\"/srv/c\"}" },
  };
  BeckonAnswerKind kind = is_refused != NULL ? BECKON_ANSWER_DECLINED : BECKON_ANSWER_APPROVED;
  g_autofree char *told = NULL;

  beckon_agent_fixture_script (test->agent, beckon_script_calls (NULL, calls, G_N_ELEMENTS (calls), "tool_calls"));
  beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (test->agent, test->agent->conversation, "Go");
  beckon_agent_fixture_wait_pending (test->agent, 2);
  beckon_agent_fixture_answer (test->agent, beckon_agent_fixture_get_pending (test->agent, 1),
                               beckon_answer_new (BECKON_ANSWER_APPROVED, NULL));
  beckon_agent_fixture_answer (test->agent, beckon_agent_fixture_get_pending (test->agent, 0), beckon_answer_new (kind, NULL));
  finish (test);
  g_assert_cmpstr (beckon_test_tool_get_log (test->change), ==,
                   is_refused != NULL ? "{\"path\":\"/srv/c\"}\n"
                                      : "{\"path\":\"/srv/a\"}\n{\"path\":\"/tmp/b\"}\n{\"path\":\"/srv/c\"}\n");
  told = beckon_agent_dup_result (beckon_fixture_server_get_request (test->agent->server, 1), "call_2");
  g_assert_cmpint (strstr (told, "a call before it in the same reply was refused") != NULL, ==, is_refused != NULL);
  g_assert_cmpint (count_uses (test, id), ==, 1);
}

/* The same behind a call that a rule forbids, or that nobody could be asked about. */
static void
test_behind_forbidden (gconstpointer is_forbidden)
{
  g_autoptr (Case) test = case_new ();
  g_autofree char *id = add_rule (test, "{\"path\":\"/tmp/**\"}", BECKON_VERDICT_ALLOW);
  g_autofree char *denied = is_forbidden != NULL ? add_rule (test, "{\"path\":\"/srv/**\"}", BECKON_VERDICT_DENY) : NULL;
  const BeckonScriptCall calls[] = {
    { "call_1", "run_note", "{\"path\":\"/srv/a\"}" },
    { "call_2", "run_note", "{\"path\":\"/tmp/b\"}" },
  };

  if (is_forbidden == NULL)
    beckon_agent_set_has_person (test->agent->agent, FALSE);
  beckon_agent_fixture_script (test->agent, beckon_script_calls (NULL, calls, G_N_ELEMENTS (calls), "tool_calls"));
  say (test, "run_note", "{\"path\":\"/tmp/c\"}");
  finish (test);
  g_assert_cmpstr (beckon_test_tool_get_log (test->change), ==, "{\"path\":\"/tmp/c\"}\n");
}

/* An answer makes rules about its own call and about nothing else. */
static void
say_three (Case *test, BeckonConversation *conversation)
{
  const BeckonScriptCall calls[] = {
    { "call_1", "run_note", "{\"path\":\"/tmp/a\"}" },
    { "call_2", "run_note", "{\"path\":\"/tmp/b\"}" },
    { "call_3", "run_note", "{\"path\":\"/srv/c\"}" },
  };

  beckon_agent_fixture_script (test->agent, beckon_script_calls (NULL, calls, G_N_ELEMENTS (calls), "tool_calls"));
  beckon_agent_fixture_send (test->agent, conversation, "Go");
}

/* (transfer full): the pending requests, as their arguments. */
static char *
list_pending (Case *test, const char *conversation_id)
{
  g_autoptr (GString) list = g_string_new (NULL);

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (test->agent->inbox)); i++)
    {
      g_autoptr (BeckonRequest) request = g_list_model_get_item (G_LIST_MODEL (test->agent->inbox), i);

      if (g_str_equal (beckon_request_get_conversation_id (request), conversation_id))
        g_string_append (list, beckon_request_get_arguments (request));
    }
  return g_string_free (g_steal_pointer (&list), FALSE);
}

/* A rule made with one card decides the others that wait and that it covers, here and in other conversations, but for one that
 * somebody is about to change. The record says that it was the rule. */
static void
test_remember_for_waiting (gconstpointer is_here)
{
  g_autoptr (Case) test = case_new ();
  const char *id = beckon_conversation_get_id (test->agent->conversation);
  BeckonConversation *other = beckon_agent_fixture_create (test->agent);
  const char *other_id = beckon_conversation_get_id (other);
  g_autoptr (BeckonRequest) second = NULL;
  g_autofree char *left = NULL;
  const BeckonRule *rule;

  say_three (test, test->agent->conversation);
  beckon_agent_fixture_wait_pending (test->agent, 3);
  second = g_object_ref (beckon_agent_fixture_get_pending (test->agent, 1));
  say_three (test, other);
  beckon_agent_fixture_wait_pending (test->agent, 6);
  beckon_inbox_save_draft (test->agent->inbox, beckon_agent_fixture_get_pending (test->agent, 3), "{\"path\":\"/tmp/z\"}");
  beckon_agent_fixture_answer (test->agent, beckon_agent_fixture_get_pending (test->agent, 0),
                               remember (beckon_agent_fixture_get_pending (test->agent, 0), 1, is_here != NULL ? id : NULL));
  beckon_agent_wait_until (beckon_inbox_count_for (test->agent->inbox, id) == 1
                           && beckon_inbox_count_for (test->agent->inbox, other_id) == (is_here != NULL ? 3 : 2));
  beckon_agent_wait_until (beckon_test_tool_get_n_begun (test->change) == 2);
  beckon_agent_fixture_sync (test->agent);
  left = list_pending (test, other_id);
  g_assert_cmpstr (left, ==, is_here != NULL ? "{\"path\":\"/tmp/a\"}{\"path\":\"/tmp/b\"}{\"path\":\"/srv/c\"}"
                                             : "{\"path\":\"/tmp/a\"}{\"path\":\"/srv/c\"}");
  g_assert_cmpint (beckon_request_get_state (second), ==, BECKON_REQUEST_ANSWERED);
  g_assert_cmpstr (beckon_request_get_front_end (second), ==, "rule");
  g_assert_cmpstr (beckon_test_tool_get_log (test->change), ==, "{\"path\":\"/tmp/a\"}\n{\"path\":\"/tmp/b\"}\n");
  rule = g_ptr_array_index (beckon_rules_get_snapshot (test->agent->rules), 0);
  g_assert_cmpint (count_uses (test, rule->id), ==, is_here != NULL ? 1 : 2);
  beckon_agent_stop (test->agent->agent, other);
  beckon_agent_wait_until (beckon_conversation_get_phase (other) == BECKON_RUN_STOPPED);
  beckon_agent_fixture_stop (test->agent);
}

static void
test_remember_something_else (void)
{
  g_autoptr (Case) test = case_new ();
  g_autoptr (GPtrArray) rules = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_rule_unref);
  BeckonAnswer *approved = beckon_answer_new (BECKON_ANSWER_APPROVED, NULL);
  g_autoptr (GError) error = NULL;
  BeckonRequest *request;

  say (test, "run_note", "{\"path\":\"/tmp/a\"}");
  request = beckon_agent_fixture_wait_pending (test->agent, 1);
  g_ptr_array_add (rules, make_rule ("another_tool", NULL, BECKON_VERDICT_ALLOW));
  beckon_answer_set_remember (approved, g_steal_pointer (&rules));
  beckon_agent_fixture_try_answer (test->agent->inbox, beckon_request_get_id (request), approved, &error);
  g_assert_error (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_INVALID);
  g_assert_cmpuint (beckon_rules_get_snapshot (test->agent->rules)->len, ==, 0);
  answer (test, BECKON_ANSWER_DECLINED, NULL);
  finish (test);
}

static guint
simulate (Case *test, const char *folder)
{
  g_autoptr (BeckonRule) rule = make_rule ("run_note", NULL, BECKON_VERDICT_ALLOW);
  g_autoptr (BeckonRuleSimulation) simulation = NULL;
  g_autoptr (GAsyncResult) simulated = NULL;
  g_autoptr (GError) error = NULL;

  rule->folder = g_strdup (folder);
  beckon_rule_simulate_async (test->agent->store, test->agent->library, test->agent->tools, rule, NULL, keep_result,
                              &simulated);
  beckon_agent_wait_until (simulated != NULL);
  simulation = beckon_rule_simulate_finish (test->agent->store, simulated, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (simulation->n_calls, ==, 1);
  return simulation->n_matches;
}

/* A past call is looked at as it was, in the folder that it had. */
static void
test_simulation_has_the_folder_of_then (void)
{
  g_autoptr (Case) test = case_new ();

  beckon_conversation_set_folder (test->agent->conversation, "/srv/then");
  say (test, "run_note", "{\"path\":\"/srv/then/a\"}");
  answer (test, BECKON_ANSWER_APPROVED, NULL);
  finish (test);
  beckon_conversation_set_folder (test->agent->conversation, "/srv/now");
  g_assert_cmpuint (simulate (test, "/srv/then"), ==, 1);
  g_assert_cmpuint (simulate (test, "/srv/now"), ==, 0);
}

/* A rule that is gone by the time the call starts is no permission any more. */
static void
test_rule_goes_before_start (void)
{
  const BeckonScriptCall calls[] = {
    { "call_0", "ask_user", BECKON_SCRIPT_QUESTION },
    { "call_1", "run_note", "{\"command\":\"ls\"}" },
  };
  g_autoptr (Case) test = case_new ();
  g_autofree char *id = add_rule (test, "{\"command\":\"ls\"}", BECKON_VERDICT_ALLOW);
  BeckonRequest *question;

  beckon_agent_fixture_script (test->agent, beckon_script_calls (NULL, calls, 2, "tool_calls"));
  beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (test->agent, test->agent->conversation, "Go");
  question = beckon_agent_fixture_wait_pending (test->agent, 1);
  remove_rule (test, id);
  beckon_agent_fixture_answer (test->agent, question, beckon_script_pick ("8080"));
  g_assert_true (BECKON_IS_APPROVAL_REQUEST (beckon_agent_fixture_wait_pending (test->agent, 1)));
  g_assert_cmpuint (beckon_test_tool_get_n_begun (test->change), ==, 0);
  answer (test, BECKON_ANSWER_APPROVED, NULL);
  finish (test);
  g_assert_cmpuint (beckon_test_tool_get_n_begun (test->change), ==, 1);
}

static void
script_calls (Case *test, guint n, const char *name, const char *const *arguments, guint n_arguments)
{
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *id = g_strdup_printf ("call_%u", i + 1);

      beckon_agent_fixture_script (test->agent, beckon_script_call (id, name, arguments[i % n_arguments]));
    }
  beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (test->agent, test->agent->conversation, "Go");
}

/* An allowed call is paused when it comes for the third time in a row; once seen it is counted anew. */
static void
test_loop_of_one (void)
{
  static const char *const arguments[] = { "{\"id\":7}" };
  g_autoptr (Case) test = case_new ();

  script_calls (test, 5, "read_note", arguments, 1);
  assert_asked_because (beckon_agent_fixture_wait_pending (test->agent, 1), "third time");
  g_assert_cmpuint (beckon_test_tool_get_n_begun (test->read), ==, 2);
  g_assert_null (strstr (beckon_fixture_server_get_request (test->agent->server, 1)->body, "this very call twice"));
  g_assert_nonnull (strstr (beckon_fixture_server_get_request (test->agent->server, 2)->body, "this very call twice"));
  answer (test, BECKON_ANSWER_APPROVED, NULL);
  assert_asked_because (beckon_agent_fixture_wait_pending (test->agent, 1), "third time");
  g_assert_cmpuint (beckon_test_tool_get_n_begun (test->read), ==, 4);
  answer (test, BECKON_ANSWER_DECLINED, "that is enough");
  finish (test);
  g_assert_cmpuint (beckon_test_tool_get_n_begun (test->read), ==, 4);
}

static void
test_loop_of_two (void)
{
  static const char *const arguments[] = { "{\"id\":1}", "{\"id\":2}" };
  g_autoptr (Case) test = case_new ();

  script_calls (test, 6, "read_note", arguments, 2);
  assert_asked_because (beckon_agent_fixture_wait_pending (test->agent, 1), "two calls in turn");
  g_assert_cmpuint (beckon_test_tool_get_n_begun (test->read), ==, 5);
  answer (test, BECKON_ANSWER_APPROVED, NULL);
  finish (test);
  g_assert_cmpuint (beckon_test_tool_get_n_begun (test->read), ==, 6);
}

static void
test_no_loop (void)
{
  static const char *const arguments[] = { "{\"id\":1}", "{\"id\":2}", "{\"id\":3}" };
  g_autoptr (Case) test = case_new ();

  script_calls (test, 9, "read_note", arguments, 3);
  finish (test);
  g_assert_cmpuint (beckon_test_tool_get_n_begun (test->read), ==, 9);
}

static void
test_loop_without_person (void)
{
  static const char *const arguments[] = { "{\"id\":7}" };
  g_autoptr (Case) test = case_new ();

  beckon_agent_set_has_person (test->agent->agent, FALSE);
  script_calls (test, 3, "read_note", arguments, 1);
  finish (test);
  g_assert_cmpuint (beckon_test_tool_get_n_begun (test->read), ==, 2);
}

/* Fault 48: all calls of the turn count, however many replies they came in. */
static void
test_loop_of_many (void)
{
  g_autoptr (Case) test = case_new ();
  guint n = 0;

  beckon_agent_fixture_set_rounds (test->agent, 20);
  for (guint round = 0; round < 6; round++)
    {
      BeckonScriptCall calls[100];
      g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);

      for (guint i = 0; i < G_N_ELEMENTS (calls); i++, n++)
        {
          char *id = g_strdup_printf ("call_%u", n);
          char *arguments = g_strdup_printf ("{\"n\":%u}", n);

          g_ptr_array_add (texts, id);
          g_ptr_array_add (texts, arguments);
          calls[i] = (BeckonScriptCall){ id, "read_note", arguments };
        }
      beckon_agent_fixture_script (test->agent, beckon_script_calls (NULL, calls, G_N_ELEMENTS (calls), "tool_calls"));
    }
  beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (test->agent, test->agent->conversation, "Go");
  beckon_agent_wait_until (g_list_model_get_n_items (G_LIST_MODEL (test->agent->inbox)) > 0);
  assert_asked_because (beckon_agent_fixture_get_pending (test->agent, 0), "500 calls");
  g_assert_cmpuint (beckon_test_tool_get_n_begun (test->read), <=, 500);
  beckon_agent_fixture_stop (test->agent);
}

/* A call that fits no tool can't be decided by a person: it goes back to the model, as long as that may help. */
static void
test_faults_reach_nobody (void)
{
  static const char *const arguments[] = { "{\"timezone\":1}", "{\"timezone\":2}", "{\"timezone\":[]}", "{\"timezone\":{}}",
                                           "{\"timezone\":3}", "{\"timezone\":4}" };
  g_autoptr (Case) test = case_new ();

  script_calls (test, 6, "get_current_time", arguments, 6);
  beckon_agent_fixture_wait_end (test->agent, BECKON_RUN_ROUND_LIMIT);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (test->agent->inbox)), ==, 0);
  g_assert_cmpuint (beckon_fixture_server_count_requests (test->agent->server), ==, 6);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/agent/policy/rule-allows", test_rule_allows);
  g_test_add_func ("/agent/policy/rule-denies", test_rule_denies);
  g_test_add_func ("/agent/policy/denied-paths", test_denied_paths);
  g_test_add_func ("/agent/policy/card-names-rule", test_card_names_rule);
  g_test_add_func ("/agent/policy/modes", test_modes);
  g_test_add_func ("/agent/policy/edit-meets-rule", test_edit_meets_rule);
  g_test_add_func ("/agent/policy/edit-meets-denial", test_edit_meets_denial);
  g_test_add_func ("/agent/policy/edit-of-same-ground", test_edit_of_same_ground);
  g_test_add_func ("/agent/policy/file-changes", test_file_changes);
  g_test_add_func ("/agent/policy/remember", test_remember);
  g_test_add_func ("/agent/policy/remember-beside-denied", test_remember_beside_denied);
  g_test_add_func ("/agent/policy/remember-for-conversation", test_remember_for_conversation);
  g_test_add_data_func ("/agent/policy/behind-refused", "refused", test_behind_refused);
  g_test_add_data_func ("/agent/policy/behind-approved", NULL, test_behind_refused);
  g_test_add_data_func ("/agent/policy/behind-forbidden", "forbidden", test_behind_forbidden);
  g_test_add_data_func ("/agent/policy/behind-unasked", NULL, test_behind_forbidden);
  g_test_add_data_func ("/agent/policy/remember-for-waiting", NULL, test_remember_for_waiting);
  g_test_add_data_func ("/agent/policy/remember-for-waiting-here", "here", test_remember_for_waiting);
  g_test_add_func ("/agent/policy/remember-something-else", test_remember_something_else);
  g_test_add_func ("/agent/policy/simulation-has-the-folder-of-then", test_simulation_has_the_folder_of_then);
  g_test_add_func ("/agent/policy/rule-goes-before-start", test_rule_goes_before_start);
  g_test_add_func ("/agent/policy/loop/one", test_loop_of_one);
  g_test_add_func ("/agent/policy/loop/two", test_loop_of_two);
  g_test_add_func ("/agent/policy/loop/none", test_no_loop);
  g_test_add_func ("/agent/policy/loop/without-person", test_loop_without_person);
  g_test_add_func ("/agent/policy/loop/many", test_loop_of_many);
  g_test_add_func ("/agent/policy/faults-reach-nobody", test_faults_reach_nobody);

  return g_test_run ();
}
