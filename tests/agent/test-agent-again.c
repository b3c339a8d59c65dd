/* SPDX-License-Identifier: GPL-3.0-or-later */

/* "Change this answer": the question is open again in a branch, and what was answered stays answered. */

#include "beckon-agent-fixture.h"
#include "beckon-test-tool.h"

#include "base/beckon-error.h"
#include "request/beckon-question-request.h"

#include <string.h>

#define ASKED "user Set it up\nassistant\n  call call_7 ask_user " BECKON_SCRIPT_QUESTION "\n"

static BeckonToolCall *
find_question (BeckonConversation *conversation, BeckonMessage **message)
{
  *message = beckon_conversation_get_message (conversation, 1);
  return beckon_part_get_call (beckon_message_get_part (*message, 0));
}

static void
on_asked_again (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

static BeckonConversation *
ask_again (BeckonAgentFixture *fixture, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;
  BeckonMessage *message;
  BeckonToolCall *call = find_question (fixture->conversation, &message);

  beckon_agent_ask_again_async (fixture->agent, fixture->conversation, beckon_message_get_id (message),
                                beckon_tool_call_get_id (call), NULL, on_asked_again, &result);
  beckon_agent_wait_until (result != NULL);
  return beckon_agent_ask_again_finish (fixture->agent, result, error);
}

static void
answer_once (BeckonAgentFixture *fixture, BeckonFixtureReply *reply)
{
  beckon_agent_fixture_script (fixture, reply);
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Set it up");
  beckon_agent_fixture_wait_pending (fixture, 1);
  beckon_agent_fixture_wait_phase (fixture, BECKON_RUN_WAITING);
  beckon_agent_fixture_answer (fixture, beckon_agent_fixture_get_pending (fixture, 0), beckon_script_pick ("8080"));
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
}

static void
test_changed (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();
  g_autoptr (BeckonConversation) branch = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  BeckonRequest *request;

  answer_once (fixture, beckon_script_ask ("call_7"));
  before = beckon_agent_dump (G_LIST_MODEL (fixture->conversation));
  branch = ask_again (fixture, &error);
  g_assert_no_error (error);
  request = beckon_agent_fixture_wait_pending (fixture, 1);
  g_assert_cmpstr (beckon_request_get_conversation_id (request), ==, beckon_conversation_get_id (branch));
  g_assert_nonnull (strstr (beckon_request_get_draft (request), "8080"));
  g_assert_cmpint (beckon_conversation_get_phase (branch), ==, BECKON_RUN_WAITING);
  g_assert_cmpuint (beckon_conversation_get_waiting (branch), ==, 1);
  g_assert_cmpuint (beckon_conversation_get_n_messages (branch), ==, 2);

  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done again"));
  beckon_agent_fixture_answer (fixture, request, beckon_script_pick ("9090"));
  beckon_agent_wait_until (beckon_conversation_get_phase (branch) == BECKON_RUN_COMPLETE);
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 3);
  beckon_agent_fixture_assert_sent (fixture, 2, ASKED "tool call_7 9090\n");
  beckon_agent_fixture_assert_closed (fixture, branch);

  /* The settlement of the first one stands. */
  after = beckon_agent_dump (G_LIST_MODEL (fixture->conversation));
  g_assert_cmpstr (after, ==, before);
  beckon_agent_fixture_assert_closed (fixture, fixture->conversation);
}

/* A question that was not waited for is waited for in the branch, whose call has no result yet. */
static void
test_late (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();
  g_autoptr (BeckonConversation) branch = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *result = NULL;
  BeckonRequest *request;

  beckon_agent_fixture_script (fixture, beckon_script_call ("call_7", "ask_user", "{\"question\":\"Which?\",\"wait\":false}"));
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("The rest is done"));
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Set it up");
  beckon_agent_fixture_wait_phase (fixture, BECKON_RUN_WAITING);
  beckon_agent_fixture_answer (fixture, beckon_agent_fixture_wait_pending (fixture, 1), beckon_script_type ("This"));
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  branch = ask_again (fixture, &error);
  g_assert_no_error (error);
  request = beckon_agent_fixture_wait_pending (fixture, 1);
  g_assert_false (beckon_request_is_late (request));
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done again"));
  beckon_agent_fixture_answer (fixture, request, beckon_script_type ("That"));
  beckon_agent_wait_until (beckon_conversation_get_phase (branch) == BECKON_RUN_COMPLETE);
  result = beckon_agent_dup_result (beckon_fixture_server_get_request (fixture->server, 3), "call_7");
  g_assert_cmpstr (result, ==, "That");
  beckon_agent_fixture_assert_closed (fixture, branch);
}

/* Other calls of that reply are not made again. */
static void
test_siblings (void)
{
  const BeckonScriptCall calls[] = {
    { "call_7", "ask_user", BECKON_SCRIPT_QUESTION },
    { "call_8", "read_note", "{\"path\":\"a\"}" },
  };
  BeckonAgentFixture *fixture = beckon_agent_fixture_new ();
  BeckonTestTool *tool = beckon_test_tool_new ("read_note", TRUE);
  BeckonConversation *branch;
  g_autofree char *result = NULL;
  g_autofree char *sibling = NULL;
  g_autoptr (GError) error = NULL;

  beckon_tool_registry_add (fixture->tools, BECKON_TOOL (tool));
  answer_once (fixture, beckon_script_calls (NULL, calls, 2, "tool_calls"));
  branch = ask_again (fixture, &error);
  g_assert_no_error (error);
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done again"));
  beckon_agent_fixture_answer (fixture, beckon_agent_fixture_wait_pending (fixture, 1), beckon_script_type ("7070"));
  beckon_agent_wait_until (beckon_conversation_get_phase (branch) == BECKON_RUN_COMPLETE);
  result = beckon_agent_dup_result (beckon_fixture_server_get_request (fixture->server, 2), "call_7");
  sibling = beckon_agent_dup_result (beckon_fixture_server_get_request (fixture->server, 2), "call_8");
  g_assert_cmpstr (result, ==, "7070");
  g_assert_cmpstr (sibling, ==, "read_note did {\"path\":\"a\"}");
  g_assert_cmpuint (beckon_test_tool_get_n_begun (tool), ==, 1);
  g_object_unref (branch);
  beckon_agent_fixture_free (fixture);
  g_assert_finalize_object (tool);
}

/* A question that is still open has no answer to be changed. */
static void
test_open (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();
  g_autoptr (GError) error = NULL;

  beckon_agent_fixture_script (fixture, beckon_script_ask ("call_7"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Set it up");
  beckon_agent_fixture_wait_pending (fixture, 1);
  beckon_agent_fixture_wait_phase (fixture, BECKON_RUN_WAITING);
  g_assert_null (ask_again (fixture, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_NOT_FOUND);
  beckon_agent_fixture_stop (fixture);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/agent/again/changed", test_changed);
  g_test_add_func ("/agent/again/late", test_late);
  g_test_add_func ("/agent/again/siblings", test_siblings);
  g_test_add_func ("/agent/again/open", test_open);
  return g_test_run ();
}
