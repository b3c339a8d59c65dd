/* SPDX-License-Identifier: GPL-3.0-or-later */

/* `request-timeout` through a whole run: what waits is over after the time that the person set, unless an answer was begun. */

#include "beckon-agent-fixture.h"
#include "beckon-test-tool.h"

#include "request/beckon-deadlines.h"

#include <string.h>

#define MINUTES 5
#define TIMED_OUT "The user did not answer in the time that was set. Nobody has chosen anything."

typedef struct
{
  BeckonAgentFixture *agent;
  BeckonDeadlines *deadlines;
} Test;

static void
test_init (Test *test)
{
  test->agent = beckon_agent_fixture_new ();
  test->deadlines = beckon_deadlines_new (test->agent->inbox, BECKON_REQUEST_STORE (test->agent->store), test->agent->clock);
  beckon_deadlines_set_minutes (test->deadlines, MINUTES);
}

static void
test_clear (Test *test)
{
  beckon_deadlines_free (test->deadlines);
  beckon_agent_fixture_free (test->agent);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Test, test_clear)

static void
let_pass (Test *test, guint minutes)
{
  beckon_clock_advance (test->agent->clock, minutes * 60 * 1000);
  beckon_agent_fixture_sync (test->agent);
  beckon_agent_fixture_settle ();
}

static BeckonRequest *
send_and_wait (Test *test, BeckonFixtureReply *reply, guint n)
{
  beckon_agent_fixture_script (test->agent, reply);
  beckon_agent_fixture_send (test->agent, test->agent->conversation, "Hello");
  return beckon_agent_fixture_wait_pending (test->agent, n);
}

/* A question without an answer ends, and the model is told so; the run continues. */
static void
test_ends (void)
{
  g_auto (Test) test = { 0 };
  g_autoptr (BeckonRequest) request = NULL;

  test_init (&test);
  request = g_object_ref (send_and_wait (&test, beckon_script_ask ("c1"), 1));
  let_pass (&test, MINUTES - 1);
  g_assert_cmpint (beckon_request_get_state (request), ==, BECKON_REQUEST_PENDING);
  beckon_agent_fixture_script (test.agent, beckon_fixture_reply_new_chat ("Then later"));
  beckon_clock_advance (test.agent->clock, 60 * 1000);
  beckon_agent_fixture_wait_end (test.agent, BECKON_RUN_COMPLETE);
  g_assert_cmpint (beckon_request_get_state (request), ==, BECKON_REQUEST_TIMED_OUT);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (test.agent->inbox)), ==, 0);
  beckon_agent_fixture_assert_sent (test.agent, 1,
                                    "user Hello\nassistant\n  call c1 ask_user " BECKON_SCRIPT_QUESTION "\n"
                                    "tool c1 " TIMED_OUT "\n");
  beckon_agent_fixture_assert_same (test.agent, test.agent->conversation);
}

static void
test_keystroke (void)
{
  g_auto (Test) test = { 0 };
  g_autoptr (BeckonAnswer) answer = beckon_answer_new_question (1);
  BeckonRequest *request;

  test_init (&test);
  request = send_and_wait (&test, beckon_script_ask ("c1"), 1);
  let_pass (&test, MINUTES - 1);
  beckon_inbox_save_draft (test.agent->inbox, request, "{\"items\":[{\"text\":\"9\"}]}");
  let_pass (&test, 24 * 60);
  g_assert_cmpint (beckon_request_get_state (request), ==, BECKON_REQUEST_PENDING);

  beckon_answer_select (answer, 0, "9090");
  beckon_agent_fixture_script (test.agent, beckon_fixture_reply_new_chat ("Good"));
  beckon_agent_fixture_answer (test.agent, request, g_steal_pointer (&answer));
  beckon_agent_fixture_wait_end (test.agent, BECKON_RUN_COMPLETE);
}

/* A question with an answer begun waits on beside another, and the run with it. */
static void
test_several (void)
{
  g_auto (Test) test = { 0 };
  const BeckonScriptCall calls[] = { { "c1", "ask_user", BECKON_SCRIPT_QUESTION }, { "c2", "ask_user", "{\"question\":\"Who?\"}" } };
  g_autoptr (BeckonAnswer) answer = beckon_answer_new_question (1);
  g_autoptr (BeckonRequest) first = NULL;
  g_autoptr (BeckonRequest) second = NULL;
  g_autofree char *result = NULL;

  test_init (&test);
  send_and_wait (&test, beckon_script_calls (NULL, calls, 2, "tool_calls"), 2);
  first = g_object_ref (beckon_agent_fixture_get_pending (test.agent, 0));
  second = g_object_ref (beckon_agent_fixture_get_pending (test.agent, 1));
  beckon_inbox_save_draft (test.agent->inbox, first, "{\"items\":[{\"text\":\"9\"}]}");
  let_pass (&test, MINUTES);
  beckon_agent_wait_until (beckon_request_get_state (second) == BECKON_REQUEST_TIMED_OUT);
  g_assert_cmpint (beckon_request_get_state (first), ==, BECKON_REQUEST_PENDING);
  g_assert_cmpuint (beckon_fixture_server_count_requests (test.agent->server), ==, 1);

  beckon_answer_select (answer, 0, "8080");
  beckon_agent_fixture_script (test.agent, beckon_fixture_reply_new_chat ("Good"));
  beckon_agent_fixture_answer (test.agent, first, g_steal_pointer (&answer));
  beckon_agent_fixture_wait_end (test.agent, BECKON_RUN_COMPLETE);
  result = beckon_agent_dup_result (beckon_fixture_server_get_request (test.agent->server, 1), "c2");
  g_assert_cmpstr (result, ==, TIMED_OUT);
}

/* The time is one for questions: a decision about a tool waits as long as it takes, whenever the time was set. */
static void
test_approval (void)
{
  g_auto (Test) test = { 0 };
  g_autoptr (BeckonTestTool) tool = beckon_test_tool_new ("write_file", FALSE);
  BeckonRequest *request;

  test_init (&test);
  beckon_tool_registry_add (test.agent->tools, BECKON_TOOL (tool));
  request = send_and_wait (&test, beckon_script_call ("c1", "write_file", "{\"path\":\"a\"}"), 1);
  let_pass (&test, MINUTES);
  beckon_deadlines_set_minutes (test.deadlines, 1);
  let_pass (&test, 24 * 60);
  g_assert_cmpint (beckon_request_get_state (request), ==, BECKON_REQUEST_PENDING);
  g_assert_cmpint (beckon_request_get_due_at (request), ==, 0);

  beckon_agent_fixture_script (test.agent, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_answer (test.agent, request, beckon_answer_new (BECKON_ANSWER_APPROVED, NULL));
  beckon_agent_fixture_wait_end (test.agent, BECKON_RUN_COMPLETE);
  g_assert_cmpuint (beckon_test_tool_get_n_begun (tool), ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/life/6-ends-as-timed-out", test_ends);
  g_test_add_func ("/life/6-a-keystroke-stops-the-time", test_keystroke);
  g_test_add_func ("/life/6-of-several-each-by-itself", test_several);
  g_test_add_func ("/life/6-an-approval-has-no-time", test_approval);
  return g_test_run ();
}
