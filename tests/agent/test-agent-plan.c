/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/beckon-json.h"
#include "beckon-agent-victim.h"
#include "beckon-notes-fixture.h"
#include "domain/beckon-tool-call.h"
#include "request/beckon-approval-request.h"
#include "request/beckon-call-request.h"
#include "request/beckon-plan-request.h"
#include "request/beckon-question-request.h"

#include <string.h>

/* Plans carried out by the real run: what is asked before what runs, what a person can make of it on the way, and that a
 * step is never run twice, whatever dies when. */

typedef BeckonNotesFixture Case;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Case, beckon_notes_fixture_free)

static Case *
case_new (void)
{
  return beckon_notes_fixture_new ("write_note");
}

#define STEPS                                                                                                          \
  "{\"id\":\"look\",\"tool\":\"read_note\",\"arguments\":{\"path\":\"a\"}},"                                           \
  "{\"id\":\"write\",\"tool\":\"write_note\",\"arguments\":{\"path\":\"<{{step.look.result}}>\"}},"                    \
  "{\"id\":\"check\",\"tool\":\"read_note\",\"arguments\":{\"path\":\"b\"}}"
#define PLAN "{\"title\":\"Notes\",\"steps\":[" STEPS "]}"
#define DOCUMENT(pause, failure, steps)                                                                                \
  "{\"title\":\"Notes\",\"pause\":\"" pause "\",\"on_failure\":\"" failure "\",\"steps\":[" steps "]}"

static void
propose (Case *test, const char *plan)
{
  beckon_agent_fixture_script (test->agent, beckon_script_call ("call_1", "propose_plan", plan));
  beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (test->agent, test->agent->conversation, "Go");
}

static BeckonRequest *
wait_kind (Case *test, GType type)
{
  BeckonRequest *request = beckon_agent_fixture_wait_pending (test->agent, 1);

  beckon_agent_fixture_wait_phase (test->agent, BECKON_RUN_WAITING);
  g_assert_true (G_OBJECT_TYPE (request) == type);
  return request;
}

static void
answer (Case *test, BeckonRequest *request, BeckonAnswerKind kind, const char *text)
{
  beckon_agent_fixture_answer (test->agent, request, beckon_answer_new (kind, text));
}

#define EACH_STEP DOCUMENT ("every-step", "stop", STEPS)

/* Proposed, and accepted in this form. */
static void
begin (Case *test, const char *document)
{
  propose (test, PLAN);
  answer (test, wait_kind (test, BECKON_TYPE_PLAN_REQUEST), BECKON_ANSWER_PLAN, document);
}

/* The approval of the step that is next. */
static BeckonRequest *
wait_step (Case *test, const char *step)
{
  BeckonRequest *request = wait_kind (test, BECKON_TYPE_APPROVAL_REQUEST);

  g_assert_cmpstr (beckon_request_get_step (request), ==, step);
  g_assert_nonnull (beckon_request_get_plan (request));
  return request;
}

static BeckonToolCall *
get_planned (BeckonAgentFixture *agent)
{
  BeckonMessage *message = beckon_conversation_get_message (agent->conversation, 1);
  g_autoptr (GPtrArray) calls = beckon_message_list_calls (message);

  return g_ptr_array_index (calls, 0);
}

static char *
dup_statuses (BeckonAgentFixture *agent)
{
  const BeckonPlan *plan = beckon_tool_call_get_plan (get_planned (agent));
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < beckon_plan_get_n_steps (plan); i++)
    g_string_append_printf (text, "%s%s %s", i > 0 ? ", " : "", beckon_plan_get_step (plan, i)->id,
                            beckon_step_status_to_string (beckon_plan_get_step (plan, i)->status));
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
assert_statuses (Case *test, const char *statuses)
{
  g_autofree char *found = dup_statuses (test->agent);

  g_assert_cmpstr (found, ==, statuses);
}

static JsonObject *
finish (Case *test)
{
  g_autofree char *result = NULL;
  g_autoptr (GError) error = NULL;
  JsonObject *report;

  beckon_agent_fixture_wait_end (test->agent, BECKON_RUN_COMPLETE);
  g_assert_cmpuint (beckon_fixture_server_count_requests (test->agent->server), ==, 2);
  result = beckon_agent_dup_result (beckon_fixture_server_get_request (test->agent->server, 1), "call_1");
  report = beckon_json_parse_object (result, -1, &error);
  g_assert_no_error (error);
  beckon_agent_fixture_assert_closed (test->agent, test->agent->conversation);
  return report;
}

static void
assert_told (Case *test, const char *words)
{
  g_autofree char *result
      = beckon_agent_dup_result (beckon_fixture_server_get_request (test->agent->server, 1), "call_1");

  if (strstr (result, words) == NULL)
    g_error ("“%s” does not say “%s”", result, words);
}

/* Every step waits, is shown with what it will run with, and what is told at the end is what happened. */
static void
test_each_step (void)
{
  g_autoptr (Case) test = case_new ();
  g_autoptr (JsonObject) report = NULL;
  BeckonRequest *request;

  propose (test, PLAN);
  request = wait_kind (test, BECKON_TYPE_PLAN_REQUEST);
  beckon_agent_fixture_sync (test->agent);
  g_assert_cmpuint (beckon_test_tool_get_n_begun (test->read), ==, 0);
  answer (test, request, BECKON_ANSWER_PLAN, EACH_STEP);

  request = wait_step (test, "look");
  g_assert_cmpuint (beckon_test_tool_get_n_begun (test->read), ==, 0);
  answer (test, request, BECKON_ANSWER_APPROVED, NULL);

  request = wait_step (test, "write");
  assert_statuses (test, "look completed, write pending, check pending");
  g_assert_cmpstr (beckon_request_get_arguments (request), ==, "{\"path\":\"<read_note did {\\\"path\\\":\\\"a\\\"}>\"}");
  answer (test, request, BECKON_ANSWER_APPROVED, NULL);
  answer (test, wait_step (test, "check"), BECKON_ANSWER_APPROVED, NULL);

  report = finish (test);
  g_assert_cmpstr (beckon_json_get_string (report, "status"), ==, "completed");
  assert_told (test, "\"changed_by_the_user\":{\"pause\":\"every-step\"}");
  g_assert_cmpuint (json_array_get_length (beckon_json_get_array (report, "steps")), ==, 3);
  g_assert_cmpstr (beckon_test_tool_get_log (test->read), ==, "{\"path\":\"a\"}\n{\"path\":\"b\"}\n");
  assert_statuses (test, "look completed, write completed, check completed");
}

/* Accepted as it was proposed, what only reads runs, and what changes asks. */
static void
test_policy (void)
{
  g_autoptr (Case) test = case_new ();
  g_autoptr (JsonObject) report = NULL;

  propose (test, PLAN);
  answer (test, wait_kind (test, BECKON_TYPE_PLAN_REQUEST), BECKON_ANSWER_APPROVED, NULL);
  answer (test, wait_step (test, "write"), BECKON_ANSWER_APPROVED, NULL);
  report = finish (test);
  g_assert_false (json_object_has_member (report, "changed_by_the_user"));
}

static void
test_breakpoints (void)
{
  g_autoptr (Case) test = case_new ();
  g_autoptr (JsonObject) report = NULL;

  begin (test, DOCUMENT ("breakpoints", "stop",
                         "{\"id\":\"look\",\"tool\":\"read_note\",\"arguments\":{\"path\":\"a\"}},"
                         "{\"id\":\"check\",\"tool\":\"read_note\",\"arguments\":{\"path\":\"b\"},\"breakpoint\":true}"));
  answer (test, wait_step (test, "check"), BECKON_ANSWER_APPROVED, NULL);
  report = finish (test);
  assert_told (test, "\"deleted\":[\"write\"]");
}

/* On the way: a step with other arguments, the plan changed, a step skipped. */
static void
test_edited_on_the_way (void)
{
  g_autoptr (Case) test = case_new ();
  g_autoptr (JsonObject) report = NULL;
  g_autoptr (BeckonPlan) plan = NULL;
  g_autofree char *document = NULL;
  BeckonRequest *request;

  begin (test, EACH_STEP);
  answer (test, wait_step (test, "look"), BECKON_ANSWER_APPROVED_EDITED, "{\"path\":\"z\"}");
  request = wait_step (test, "write");
  g_assert_nonnull (strstr (beckon_request_get_arguments (request), "<read_note did"));

  plan = beckon_plan_copy (beckon_request_get_plan (request));
  g_ptr_array_add (plan->steps, g_ptr_array_steal_index (plan->steps, 1));
  document = beckon_plan_to_json (plan);
  answer (test, request, BECKON_ANSWER_PLAN, document);
  request = wait_step (test, "check");
  assert_statuses (test, "look completed, check pending, write pending");
  answer (test, request, BECKON_ANSWER_SKIP, NULL);
  answer (test, wait_step (test, "write"), BECKON_ANSWER_APPROVED, NULL);

  report = finish (test);
  assert_statuses (test, "look completed, check skipped, write completed");
  assert_told (test, "\"order\":[\"look\",\"check\",\"write\"]");
  assert_told (test, "\"skipped\":[\"check\"]");
  assert_told (test, "The user changed the arguments before it ran, to: {\\\"path\\\":\\\"z\\\"}\\nread_note did");
  g_assert_cmpstr (beckon_test_tool_get_log (test->read), ==, "{\"path\":\"z\"}\n");
  g_assert_cmpuint (beckon_test_tool_get_n_begun (test->change), ==, 1);
}

/* The step that is next is deleted: the one after it is next, and what was deleted does not run. */
static void
test_current_deleted (void)
{
  g_autoptr (Case) test = case_new ();
  g_autoptr (JsonObject) report = NULL;

  begin (test, DOCUMENT ("every-step", "stop",
                         "{\"id\":\"one\",\"tool\":\"read_note\",\"arguments\":{\"path\":\"a\"}},"
                         "{\"id\":\"two\",\"tool\":\"read_note\",\"arguments\":{\"path\":\"b\"}}"));
  answer (test, wait_step (test, "one"), BECKON_ANSWER_PLAN,
          DOCUMENT ("every-step", "stop", "{\"id\":\"two\",\"tool\":\"read_note\",\"arguments\":{\"path\":\"b\"}}"));
  answer (test, wait_step (test, "two"), BECKON_ANSWER_APPROVED, NULL);
  report = finish (test);
  assert_statuses (test, "two completed");
  g_assert_cmpstr (beckon_test_tool_get_log (test->read), ==, "{\"path\":\"b\"}\n");
}

/* A step that has begun may not be removed, whoever says so. */
static void
test_answer_refused (void)
{
  g_autoptr (Case) test = case_new ();
  g_autoptr (GError) error = NULL;
  BeckonRequest *request;

  begin (test, EACH_STEP);
  answer (test, wait_step (test, "look"), BECKON_ANSWER_APPROVED, NULL);
  request = wait_step (test, "write");
  g_assert_false (beckon_agent_fixture_try_answer (
      test->agent->inbox, beckon_request_get_id (request),
      beckon_answer_new (BECKON_ANSWER_PLAN, DOCUMENT ("policy", "stop", STEPS)), &error));
  g_assert_error (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_INVALID);
  g_assert_cmpint (beckon_request_get_state (request), ==, BECKON_REQUEST_PENDING);
  beckon_agent_fixture_stop (test->agent);
}

static void
test_failure_stops (void)
{
  g_autoptr (Case) test = case_new ();
  g_autoptr (JsonObject) report = NULL;

  beckon_test_tool_set_failure (test->read, "The note is gone");
  begin (test, DOCUMENT ("policy", "stop", STEPS));
  report = finish (test);
  g_assert_cmpstr (beckon_json_get_string (report, "status"), ==, "failed");
  assert_told (test, "The note is gone");
  assert_statuses (test, "look failed, write pending, check pending");
  g_assert_cmpuint (beckon_test_tool_get_n_begun (test->change), ==, 0);
}

/* A step that needs the result of a failed one fails in words; the rest is done. */
static void
test_failure_goes_on (void)
{
  g_autoptr (Case) test = case_new ();
  g_autoptr (JsonObject) report = NULL;

  beckon_test_tool_set_failure (test->read, "The note is gone");
  begin (test, DOCUMENT ("policy", "go-on", STEPS));
  report = finish (test);
  g_assert_cmpstr (beckon_json_get_string (report, "status"), ==, "completed_with_failures");
  assert_told (test, "It uses the result of a step that failed");
  assert_statuses (test, "look failed, write failed, check failed");
}

/* A command that ended badly has a result, and has failed all the same; whether it did is known to the steps behind it. */
static void
test_exit_status (void)
{
  g_autoptr (Case) test = case_new ();
  g_autoptr (JsonObject) report = NULL;

  beckon_test_tool_set_result (test->read, "no rule\n[Exit status 2, after 0.1 s.]");
  beckon_test_tool_set_exit_status (test->read, 2, 8);
  begin (test, DOCUMENT ("policy", "stop", STEPS));
  report = finish (test);
  g_assert_cmpstr (beckon_json_get_string (report, "status"), ==, "failed");
  assert_told (test, "[Exit status 2");
  assert_statuses (test, "look failed, write pending, check pending");
  g_assert_cmpint (beckon_tool_call_get_exit_status (beckon_tool_call_get_step (get_planned (test->agent), 0)), ==, 2);
}

static void
test_status_referred_to (void)
{
  g_autoptr (Case) test = case_new ();
  g_autoptr (JsonObject) report = NULL;

  beckon_test_tool_set_result (test->read, "no rule\n[Exit status 2, after 0.1 s.]");
  beckon_test_tool_set_exit_status (test->read, 2, 8);
  begin (test, DOCUMENT ("policy", "go-on",
                         "{\"id\":\"look\",\"tool\":\"read_note\",\"arguments\":{\"path\":\"a\"}},"
                         "{\"id\":\"write\",\"tool\":\"read_note\",\"arguments\":{\"path\":\"was {{step.look.status}}\"}}"));
  report = finish (test);
  g_assert_cmpstr (beckon_json_get_string (report, "status"), ==, "completed_with_failures");
  g_assert_cmpstr (beckon_test_tool_get_log (test->read), ==, "{\"path\":\"a\"}\n{\"path\":\"was failure\"}\n");
}

/* The output of a step goes into the next one, and not what was said about it. */
static void
test_output_alone (void)
{
  g_autoptr (Case) test = case_new ();
  g_autoptr (JsonObject) report = NULL;
  BeckonRequest *request;

  beckon_test_tool_set_result (test->read, "done\n[Exit status 0, after 0.1 s.]");
  beckon_test_tool_set_exit_status (test->read, 0, 5);
  begin (test, DOCUMENT ("policy", "stop", STEPS));
  request = wait_step (test, "write");
  g_assert_cmpstr (beckon_request_get_arguments (request), ==, "{\"path\":\"<done\\n>\"}");
  answer (test, request, BECKON_ANSWER_APPROVED, NULL);
  report = finish (test);
  g_assert_cmpstr (beckon_json_get_string (report, "status"), ==, "completed");
  assert_told (test, "[Exit status 0");
}

#define INSERTED(tool, arguments)                                                                                      \
  DOCUMENT ("policy", "stop", STEPS ",{\"id\":\"mine\",\"tool\":\"" tool "\",\"arguments\":" arguments "}")

/* Steps that a person wrote into the plan are checked when they accept it. */
static void
test_inserted_checked (void)
{
  g_autoptr (Case) test = case_new ();
  const char *const documents[][2] = {
    { INSERTED ("gone", "{}"), "Step 4 (gone)" },
    { INSERTED ("propose_plan", "{}"), "a plan can't be a step" },
    { INSERTED ("read_note", "{\"path\":7}"), "/path" },
    { DOCUMENT ("policy", "stop", "{\"id\":\"look\",\"tool\":\"read_note\",\"arguments\":{\"path\":false}}"), "Step 1" },
  };
  BeckonRequest *request;

  propose (test, PLAN);
  request = wait_kind (test, BECKON_TYPE_PLAN_REQUEST);
  for (guint i = 0; i < G_N_ELEMENTS (documents); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_false (beckon_agent_fixture_try_answer (test->agent->inbox, beckon_request_get_id (request),
                                                       beckon_answer_new (BECKON_ANSWER_PLAN, documents[i][0]), &error));
      g_assert_error (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_INVALID);
      if (strstr (error->message, documents[i][1]) == NULL)
        g_error ("“%s” does not say “%s”", error->message, documents[i][1]);
      g_assert_cmpint (beckon_request_get_state (request), ==, BECKON_REQUEST_PENDING);
    }
  answer (test, request, BECKON_ANSWER_PLAN, INSERTED ("read_note", "{\"path\":\"c\"}"));
  answer (test, wait_step (test, "write"), BECKON_ANSWER_APPROVED, NULL);
  beckon_agent_fixture_wait_end (test->agent, BECKON_RUN_COMPLETE);
  assert_statuses (test, "look completed, write completed, check completed, mine completed");
}

static void
test_failure_replans (void)
{
  g_autoptr (Case) test = case_new ();
  g_autoptr (JsonObject) report = NULL;

  beckon_test_tool_set_failure (test->read, "The note is gone");
  begin (test, DOCUMENT ("policy", "replan", STEPS));
  report = finish (test);
  g_assert_cmpstr (beckon_json_get_string (report, "status"), ==, "replan");
}

/* A step that its person denies has not failed: the plan goes on without it, and without what would use its result. */
static void
test_denied_step (void)
{
  g_autoptr (Case) test = case_new ();
  g_autoptr (JsonObject) report = NULL;

  begin (test, EACH_STEP);
  answer (test, wait_step (test, "look"), BECKON_ANSWER_DECLINED, "not that one");
  answer (test, wait_step (test, "check"), BECKON_ANSWER_APPROVED, NULL);
  report = finish (test);
  g_assert_cmpstr (beckon_json_get_string (report, "status"), ==, "completed");
  assert_statuses (test, "look skipped, write skipped, check completed");
  assert_told (test, "\"status\":\"skipped\",\"result\":\"The user denied this step. It was not run; nothing was "
                     "changed. They said: not that one\"");
  assert_told (test, "It uses the result of a step that is skipped. (Step 1 (id \\\"look\\\"))");
  g_assert_cmpstr (beckon_test_tool_get_log (test->read), ==, "{\"path\":\"b\"}\n");
  beckon_agent_fixture_assert_same (test->agent, test->agent->conversation);
}

/* The rest of a plan may still be changed when a step of it can't run any more. */
static void
test_changed_behind_denied_step (void)
{
  g_autoptr (Case) test = case_new ();
  g_autoptr (BeckonPlan) plan = NULL;
  g_autofree char *document = NULL;
  BeckonRequest *request;

  begin (test, DOCUMENT ("every-step", "stop",
                         "{\"id\":\"look\",\"tool\":\"read_note\",\"arguments\":{\"path\":\"a\"}},"
                         "{\"id\":\"check\",\"tool\":\"read_note\",\"arguments\":{\"path\":\"b\"}},"
                         "{\"id\":\"write\",\"tool\":\"write_note\",\"arguments\":{\"path\":\"<{{step.look.result}}>\"}}"));
  answer (test, wait_step (test, "look"), BECKON_ANSWER_DECLINED, NULL);
  request = wait_step (test, "check");
  plan = beckon_plan_copy (beckon_request_get_plan (request));
  plan->pause = BECKON_PAUSE_POLICY;
  document = beckon_plan_to_json (plan);
  answer (test, request, BECKON_ANSWER_PLAN, document);
  beckon_agent_fixture_wait_end (test->agent, BECKON_RUN_COMPLETE);
  assert_statuses (test, "look skipped, check completed, write skipped");
}

static void
test_replan_on_the_way (void)
{
  g_autoptr (Case) test = case_new ();
  g_autoptr (JsonObject) report = NULL;

  begin (test, EACH_STEP);
  answer (test, wait_step (test, "look"), BECKON_ANSWER_APPROVED, NULL);
  answer (test, wait_step (test, "write"), BECKON_ANSWER_ASKED_BACK, "use the other file");
  report = finish (test);
  g_assert_cmpstr (beckon_json_get_string (report, "status"), ==, "replan");
  assert_told (test, "use the other file");
  assert_statuses (test, "look completed, write pending, check pending");
}

static void
on_queued (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (beckon_agent_queue_finish (BECKON_AGENT (source), result, &error));
  g_assert_no_error (error);
  *(gboolean *) user_data = TRUE;
}

/* A message that is sent while a plan runs ends it before its next step, and is the next that the model reads; what is queued for after
 * the turn waits for that. */
static void
test_steered (void)
{
  for (guint now = 0; now < 2; now++)
    {
      g_autoptr (Case) test = case_new ();
      g_autoptr (GPtrArray) files = g_ptr_array_new ();
      g_autofree char *result = NULL;
      gboolean is_queued = FALSE;

      beckon_test_tool_set_held (test->read, TRUE);
      begin (test, DOCUMENT ("policy", "stop",
                             "{\"id\":\"look\",\"tool\":\"read_note\",\"arguments\":{\"path\":\"a\"}},"
                             "{\"id\":\"check\",\"tool\":\"read_note\",\"arguments\":{\"path\":\"b\"}}"));
      beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat ("Well"));
      beckon_agent_wait_until (beckon_test_tool_get_n_running (test->read) == 1);
      beckon_agent_queue_async (test->agent->agent, test->agent->conversation, "Leave b alone", files, now == 1, NULL, on_queued,
                                &is_queued);
      beckon_agent_wait_until (is_queued);
      beckon_test_tool_set_held (test->read, FALSE);
      beckon_test_tool_release (test->read);
      beckon_agent_wait_until (beckon_fixture_server_count_requests (test->agent->server) >= 2);
      assert_statuses (test, now ? "look completed, check pending" : "look completed, check completed");
      assert_told (test, now ? "{\"status\":\"replan\"" : "{\"status\":\"completed\"");
      g_assert_cmpint (strstr (beckon_fixture_server_get_request (test->agent->server, 1)->body, "Leave b alone") != NULL, ==, now);
      beckon_agent_wait_until (!beckon_conversation_is_busy (test->agent->conversation)
                               && g_list_model_get_n_items (
                                    G_LIST_MODEL (beckon_conversation_get_queue (test->agent->conversation))) == 0);
    }
}

/* A message that was sent before the plan was accepted does not end it, and follows its result. */
static void
test_steered_before (void)
{
  g_autoptr (Case) test = case_new ();
  g_autoptr (GPtrArray) files = g_ptr_array_new ();
  gboolean is_queued = FALSE;
  BeckonRequest *request;

  propose (test, PLAN);
  request = wait_kind (test, BECKON_TYPE_PLAN_REQUEST);
  beckon_agent_queue_async (test->agent->agent, test->agent->conversation, "Hurry", files, TRUE, NULL, on_queued, &is_queued);
  beckon_agent_wait_until (is_queued);
  answer (test, request, BECKON_ANSWER_PLAN,
          DOCUMENT ("policy", "stop", "{\"id\":\"look\",\"tool\":\"read_note\",\"arguments\":{\"path\":\"a\"}},"
                                      "{\"id\":\"check\",\"tool\":\"read_note\",\"arguments\":{\"path\":\"b\"}}"));
  beckon_agent_wait_until (beckon_fixture_server_count_requests (test->agent->server) >= 2);
  assert_statuses (test, "look completed, check completed");
  assert_told (test, "{\"status\":\"completed\"");
  g_assert_nonnull (strstr (beckon_fixture_server_get_request (test->agent->server, 1)->body, "Hurry"));
  beckon_agent_wait_until (!beckon_conversation_is_busy (test->agent->conversation));
}

static void
test_not_accepted (void)
{
  const struct
  {
    BeckonAnswerKind kind;
    const char *words;
  } answers[] = {
    { BECKON_ANSWER_DECLINED, "did not accept the plan" },
    { BECKON_ANSWER_ASKED_BACK, "another plan" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (answers); i++)
    {
      g_autoptr (Case) test = case_new ();

      propose (test, PLAN);
      answer (test, wait_kind (test, BECKON_TYPE_PLAN_REQUEST), answers[i].kind, "shorter");
      beckon_agent_fixture_wait_end (test->agent, BECKON_RUN_COMPLETE);
      assert_told (test, answers[i].words);
      assert_told (test, "shorter");
      g_assert_cmpuint (beckon_test_tool_get_n_begun (test->read), ==, 0);
    }
}

/* A plan that can't be carried out never reaches a card. */
static void
test_never_asked (void)
{
  const struct
  {
    const char *plan;
    const char *words;
  } plans[] = {
    { "{\"title\":\"x\",\"steps\":[]}", "no steps" },
    { "{\"title\":\"x\",\"steps\":[{\"id\":\"a\",\"tool\":\"gone\",\"arguments\":{}}]}", "There is no such tool" },
    { "{\"title\":\"x\",\"steps\":[{\"id\":\"a\",\"tool\":\"propose_plan\",\"arguments\":{}}]}", "cannot be a step" },
    { "{\"title\":\"x\",\"steps\":[{\"id\":\"a\",\"tool\":\"read_note\",\"arguments\":{\"path\":1}}]}", "/path" },
    { "{\"title\":\"x\",\"steps\":[{\"id\":\"a\",\"tool\":\"read_note\",\"arguments\":{\"path\":\"{{step.b.result}}\"}}]}",
      "not in the plan" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (plans); i++)
    {
      g_autoptr (Case) test = case_new ();

      propose (test, plans[i].plan);
      beckon_agent_fixture_wait_end (test->agent, BECKON_RUN_COMPLETE);
      assert_told (test, plans[i].words);
    }
}

static void
test_nobody_there (void)
{
  g_autoptr (Case) test = case_new ();

  beckon_agent_set_has_person (test->agent->agent, FALSE);
  propose (test, PLAN);
  beckon_agent_fixture_wait_end (test->agent, BECKON_RUN_COMPLETE);
  assert_told (test, "Nobody can be asked");
}

/* Stopped at a pause, and while a step runs: the call has its table, nothing else runs. */
static void
test_stopped (void)
{
  for (guint running = 0; running < 2; running++)
    {
      g_autoptr (Case) test = case_new ();
      BeckonRequest *request;

      beckon_test_tool_set_held (test->read, running == 1);
      begin (test, EACH_STEP);
      request = wait_step (test, "look");
      if (running)
        {
          answer (test, request, BECKON_ANSWER_APPROVED, NULL);
          beckon_agent_wait_until (beckon_test_tool_get_n_running (test->read) == 1);
        }
      beckon_agent_fixture_stop (test->agent);
      beckon_agent_fixture_assert_closed (test->agent, test->agent->conversation);
      g_assert_nonnull (strstr (beckon_tool_call_get_result (get_planned (test->agent)), "\"status\":\"stopped\""));
      assert_statuses (test, running ? "look failed, write pending, check pending"
                                     : "look pending, write pending, check pending");
    }
}

/* A stop is the end of its calls. The model that goes on is told what ran, and that the rest is wanted. */
static void
test_continued (void)
{
  g_autoptr (Case) test = case_new ();

  begin (test, EACH_STEP);
  answer (test, wait_step (test, "look"), BECKON_ANSWER_APPROVED, NULL);
  wait_step (test, "write");
  beckon_agent_fixture_stop (test->agent);
  beckon_agent_continue_async (test->agent->agent, test->agent->conversation, NULL, NULL, NULL);
  beckon_agent_wait_until (beckon_fixture_server_count_requests (test->agent->server) == 2);
  beckon_agent_fixture_wait_end (test->agent, BECKON_RUN_COMPLETE);
  assert_told (test, "propose the steps that are left as a plan");
  assert_told (test, "\"id\":\"look\",\"tool\":\"read_note\",\"status\":\"completed\",\"result\":\"read_note did");
  assert_told (test, "\"id\":\"write\",\"tool\":\"write_note\",\"status\":\"pending\"}");
  g_assert_cmpuint (beckon_test_tool_get_n_begun (test->change), ==, 0);
}

/* A change that stands behind a plan waits for the plan's end, one that stands before it goes first; a question in a plan is a
 * step like any other. */
static void
test_beside (void)
{
  g_autoptr (Case) test = case_new ();
  const BeckonScriptCall calls[] = {
    { "call_b", "write_note", "{\"path\":\"before\"}" },
    { "call_1", "propose_plan", "{\"title\":\"x\",\"steps\":[{\"id\":\"q\",\"tool\":\"ask_user\",\"arguments\":"
      BECKON_SCRIPT_QUESTION "},{\"id\":\"w\",\"tool\":\"write_note\",\"arguments\":{\"path\":\"{{step.q.result}}\"}}]}" },
    { "call_w", "write_note", "{\"path\":\"beside\"}" },
  };
  BeckonRequest *before, *plan, *beside;

  beckon_agent_fixture_script (test->agent, beckon_script_calls (NULL, calls, G_N_ELEMENTS (calls), "tool_calls"));
  beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (test->agent, test->agent->conversation, "Go");
  before = beckon_agent_fixture_wait_pending (test->agent, 3);
  plan = beckon_agent_fixture_get_pending (test->agent, 1);
  beside = beckon_agent_fixture_get_pending (test->agent, 2);
  answer (test, beside, BECKON_ANSWER_APPROVED, NULL);
  answer (test, plan, BECKON_ANSWER_APPROVED, NULL);
  beckon_agent_fixture_sync (test->agent);
  g_assert_cmpuint (beckon_test_tool_get_n_begun (test->change), ==, 0);
  answer (test, before, BECKON_ANSWER_APPROVED, NULL);
  beckon_agent_fixture_answer (test->agent, wait_kind (test, BECKON_TYPE_QUESTION_REQUEST), beckon_script_pick ("9090"));
  g_assert_cmpstr (beckon_test_tool_get_log (test->change), ==, "{\"path\":\"before\"}\n");
  answer (test, wait_step (test, "w"), BECKON_ANSWER_APPROVED, NULL);
  beckon_agent_fixture_wait_end (test->agent, BECKON_RUN_COMPLETE);
  g_assert_cmpstr (beckon_test_tool_get_log (test->change), ==, 
                   "{\"path\":\"before\"}\n{\"path\":\"9090\"}\n{\"path\":\"beside\"}\n");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/agent/plan/each-step", test_each_step);
  g_test_add_func ("/agent/plan/policy", test_policy);
  g_test_add_func ("/agent/plan/breakpoints", test_breakpoints);
  g_test_add_func ("/agent/plan/edited-on-the-way", test_edited_on_the_way);
  g_test_add_func ("/agent/plan/current-deleted", test_current_deleted);
  g_test_add_func ("/agent/plan/answer-refused", test_answer_refused);
  g_test_add_func ("/agent/plan/failure-stops", test_failure_stops);
  g_test_add_func ("/agent/plan/failure-goes-on", test_failure_goes_on);
  g_test_add_func ("/agent/plan/exit-status", test_exit_status);
  g_test_add_func ("/agent/plan/status-referred-to", test_status_referred_to);
  g_test_add_func ("/agent/plan/output-alone", test_output_alone);
  g_test_add_func ("/agent/plan/inserted-checked", test_inserted_checked);
  g_test_add_func ("/agent/plan/failure-replans", test_failure_replans);
  g_test_add_func ("/agent/plan/denied-step", test_denied_step);
  g_test_add_func ("/agent/plan/changed-behind-denied-step", test_changed_behind_denied_step);
  g_test_add_func ("/agent/plan/replan-on-the-way", test_replan_on_the_way);
  g_test_add_func ("/agent/plan/steered", test_steered);
  g_test_add_func ("/agent/plan/steered-before", test_steered_before);
  g_test_add_func ("/agent/plan/not-accepted", test_not_accepted);
  g_test_add_func ("/agent/plan/never-asked", test_never_asked);
  g_test_add_func ("/agent/plan/nobody-there", test_nobody_there);
  g_test_add_func ("/agent/plan/stopped", test_stopped);
  g_test_add_func ("/agent/plan/continued", test_continued);
  g_test_add_func ("/agent/plan/beside", test_beside);
  return g_test_run ();
}
