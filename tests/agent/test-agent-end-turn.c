/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-agent-fixture.h"
#include "beckon-test-tool.h"

#include "domain/beckon-request-error.h"

#include <string.h>

/* The flow in which a question ends its turn and the answer is the person's next message. */

#define WAITING "{\"status\":\"waiting_for_user\",\"question\":\"Which port?\"}"
#define ASKED                                                                                                          \
  "user Set it up\nassistant\n  call call_7 ask_user " BECKON_SCRIPT_QUESTION "\ntool call_7 " WAITING "\n"

static BeckonAgentFixture *
fixture_new (void)
{
  BeckonAgentFixture *fixture = beckon_agent_fixture_new ();

  g_settings_set_string (beckon_settings_get_gsettings (fixture->settings), "ask-user-flow", "end-turn");
  return fixture;
}

static BeckonRequest *
ask (BeckonAgentFixture *fixture, BeckonFixtureReply *reply)
{
  BeckonRequest *request;

  beckon_agent_fixture_script (fixture, reply);
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Set it up");
  request = beckon_agent_fixture_wait_pending (fixture, 1);
  beckon_agent_fixture_wait_phase (fixture, BECKON_RUN_ASKED);
  return request;
}

/* The run that the answer began is another one. */
static void
wait_next_end (BeckonAgentFixture *fixture, BeckonRunPhase phase)
{
  beckon_agent_wait_until (beckon_conversation_get_phase (fixture->conversation) != BECKON_RUN_ASKED);
  beckon_agent_fixture_wait_end (fixture, phase);
}

/* The loop decided to stop: the run is over, its call has its result, and the question is open. */
static void
test_ends_turn (void)
{
  g_autoptr (BeckonAgentFixture) fixture = fixture_new ();
  BeckonRequest *request = ask (fixture, beckon_script_ask ("call_7"));

  g_assert_cmpuint (beckon_agent_fixture_count_open (fixture->store), ==, 0);
  g_assert_false (beckon_conversation_is_busy (fixture->conversation));
  g_assert_cmpint (beckon_request_get_state (request), ==, BECKON_REQUEST_PENDING);
  beckon_agent_fixture_assert_shown (fixture,
                                     "user complete\n  text Set it up\n"
                                     "assistant complete\n"
                                     "  call call_7 ask_user done " BECKON_SCRIPT_QUESTION " → " WAITING "\n");
  beckon_agent_fixture_assert_same (fixture, fixture->conversation);
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 1);
}

/* The answer is the next message, and the loop begins again with it; the new turn is judged by itself. */
static void
test_answer_is_message (void)
{
  g_autoptr (BeckonAgentFixture) fixture = fixture_new ();
  BeckonRequest *request = ask (fixture, beckon_script_ask ("call_7"));

  beckon_agent_fixture_answer (fixture, request, beckon_script_pick ("9090"));
  wait_next_end (fixture, BECKON_RUN_COMPLETE);
  beckon_agent_fixture_assert_sent (fixture, 1, ASKED "user 9090\n");
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 2);
  beckon_agent_fixture_assert_closed (fixture, fixture->conversation);
}

typedef struct
{
  const char *name;
  BeckonAnswerKind kind;
  const char *text;
  const char *message;
} Answer;

static const Answer answers[] = {
  { "typed", BECKON_ANSWER_QUESTION, "7070", "7070" },
  { "delegated", BECKON_ANSWER_DELEGATED, NULL, "You choose." },
  { "asked-back", BECKON_ANSWER_ASKED_BACK, "What for?", "What for?" },
};

static void
test_answer (gconstpointer data)
{
  const Answer *answer = data;
  g_autoptr (BeckonAgentFixture) fixture = fixture_new ();
  BeckonRequest *request = ask (fixture, beckon_script_ask ("call_7"));
  g_autofree char *sent = g_strdup_printf ("%suser %s\n", ASKED, answer->message);

  beckon_agent_fixture_answer (fixture, request,
                               answer->kind == BECKON_ANSWER_QUESTION ? beckon_script_type (answer->text)
                                                                      : beckon_answer_new (answer->kind, answer->text));
  wait_next_end (fixture, BECKON_RUN_COMPLETE);
  beckon_agent_fixture_assert_sent (fixture, 1, sent);
}

/* Calls beside the question are not run: nothing happens between a question and its answer. */
static void
test_siblings (void)
{
  const BeckonScriptCall calls[] = {
    { "call_6", "write_file", "{}" },
    { "call_7", "ask_user", BECKON_SCRIPT_QUESTION },
  };
  g_autoptr (BeckonAgentFixture) fixture = fixture_new ();
  g_autoptr (BeckonTestTool) tool = beckon_test_tool_new ("write_file", FALSE);
  g_autofree char *result = NULL;

  beckon_tool_registry_add (fixture->tools, BECKON_TOOL (tool));
  ask (fixture, beckon_script_calls (NULL, calls, 2, "tool_calls"));
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (fixture->inbox)), ==, 1);
  beckon_agent_fixture_answer (fixture, beckon_agent_fixture_get_pending (fixture, 0), beckon_script_pick ("8080"));
  wait_next_end (fixture, BECKON_RUN_COMPLETE);
  g_assert_cmpuint (beckon_test_tool_get_n_begun (tool), ==, 0);
  result = beckon_agent_dup_result (beckon_fixture_server_get_request (fixture->server, 1), "call_6");
  g_assert_nonnull (strstr (result, "was not run"));
}

/* Several questions are one message, when the last of them is answered. */
static void
test_several (void)
{
  const BeckonScriptCall calls[] = {
    { "call_6", "ask_user", BECKON_SCRIPT_QUESTION },
    { "call_7", "ask_user", "{\"questions\":[{\"question\":\"Where?\"},{\"question\":\"When?\"}]}" },
  };
  g_autoptr (BeckonAgentFixture) fixture = fixture_new ();
  BeckonAnswer *both = beckon_answer_new_question (2);
  g_autofree char *sent = NULL;

  beckon_answer_set_item_text (both, 0, "Here");
  beckon_answer_skip (both, 1);
  beckon_agent_fixture_script (fixture, beckon_script_calls (NULL, calls, 2, "tool_calls"));
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Set it up");
  beckon_agent_fixture_wait_pending (fixture, 2);
  beckon_agent_fixture_answer (fixture, beckon_agent_fixture_get_pending (fixture, 1), both);
  beckon_agent_fixture_sync (fixture);
  beckon_agent_fixture_settle ();
  g_assert_cmpint (beckon_conversation_get_phase (fixture->conversation), ==, BECKON_RUN_ASKED);
  beckon_agent_fixture_answer (fixture, beckon_agent_fixture_get_pending (fixture, 0), beckon_script_pick ("8080"));
  wait_next_end (fixture, BECKON_RUN_COMPLETE);
  sent = beckon_agent_dump_request (beckon_fixture_server_get_request (fixture->server, 1));
  g_assert_nonnull (strstr (sent, "\nuser 8080\nWhere? — Here\nWhen? — I skip this question.\n"));
}

static void
test_dismissed (void)
{
  g_autoptr (BeckonAgentFixture) fixture = fixture_new ();
  BeckonRequest *request = ask (fixture, beckon_script_ask ("call_7"));

  beckon_agent_fixture_answer (fixture, request, beckon_answer_new (BECKON_ANSWER_DECLINED, NULL));
  wait_next_end (fixture, BECKON_RUN_DISMISSED);
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 1);
  beckon_agent_fixture_assert_closed (fixture, fixture->conversation);
  beckon_agent_fixture_continue (fixture);
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  beckon_agent_fixture_assert_sent (fixture, 1, ASKED);
}

static void
test_dismissed_continues (void)
{
  g_autoptr (BeckonAgentFixture) fixture = fixture_new ();
  BeckonRequest *request;

  g_settings_set_string (beckon_settings_get_gsettings (fixture->settings), "dismiss", "continues");
  request = ask (fixture, beckon_script_ask ("call_7"));
  beckon_agent_fixture_answer (fixture, request, beckon_answer_new (BECKON_ANSWER_DECLINED, NULL));
  beckon_agent_wait_until (beckon_conversation_get_phase (fixture->conversation) == BECKON_RUN_COMPLETE);
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 2);
}

/* Something else was the next message: the question is over, and an answer to it is refused. */
static void
test_other_message (void)
{
  g_autoptr (BeckonAgentFixture) fixture = fixture_new ();
  g_autoptr (BeckonRequest) request = g_object_ref (ask (fixture, beckon_script_ask ("call_7")));
  g_autoptr (GError) error = NULL;

  beckon_agent_fixture_send (fixture, fixture->conversation, "Never mind");
  wait_next_end (fixture, BECKON_RUN_COMPLETE);
  g_assert_cmpint (beckon_request_get_state (request), ==, BECKON_REQUEST_CANCELLED);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (fixture->inbox)), ==, 0);
  beckon_agent_fixture_assert_sent (fixture, 1, ASKED "user Never mind\n");
  g_assert_false (beckon_agent_fixture_try_answer (fixture->inbox, beckon_request_get_id (request),
                                                   beckon_script_pick ("8080"), &error));
  g_assert_error (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_ALREADY_SETTLED);
  beckon_agent_fixture_assert_closed (fixture, fixture->conversation);
}

/* By the clock of another process it is another day, which is told behind the answer. */
static void
assert_sent_on_any_day (BeckonAgentFixture *fixture, const char *history)
{
  g_autofree char *sent = beckon_agent_dump_request (beckon_fixture_server_get_request (fixture->server, 1));

  if (!g_str_has_prefix (sent, history))
    g_error ("this was sent:\n%s", sent);
}

/* Answered in a process that drives nothing: the one that asked goes on, once. */
static void
test_answered_elsewhere (void)
{
  g_autoptr (BeckonAgentFixture) fixture = fixture_new ();
  BeckonAgentFixture *other;
  g_autofree char *id = g_strdup (beckon_request_get_id (ask (fixture, beckon_script_ask ("call_7"))));
  g_autoptr (GError) error = NULL;

  other = beckon_agent_fixture_new_over (fixture->directory, NULL);
  beckon_agent_fixture_try_answer (other->inbox, id, beckon_script_pick ("9090"), &error);
  g_assert_no_error (error);
  wait_next_end (fixture, BECKON_RUN_COMPLETE);
  assert_sent_on_any_day (fixture, ASKED "user 9090\n");
  beckon_agent_fixture_free (other);
}

/* The process is gone when the answer comes, and the one that took it is gone before it went on. The next start goes on. */
static void
test_nobody_drives (void)
{
  g_autoptr (BeckonAgentFixture) fixture = fixture_new ();
  const char *conversation_id = beckon_conversation_get_id (fixture->conversation);
  g_autofree char *id = g_strdup (beckon_request_get_id (ask (fixture, beckon_script_ask ("call_7"))));
  BeckonAgentFixture *later;
  g_autoptr (GError) error = NULL;

  beckon_agent_detach (fixture->agent);
  beckon_agent_fixture_answer (fixture, beckon_agent_fixture_get_pending (fixture, 0), beckon_script_pick ("9090"));
  beckon_agent_fixture_sync (fixture);
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 1);
  g_assert_cmpuint (beckon_agent_fixture_count_open (fixture->store), ==, 1);

  later = beckon_agent_fixture_new_over (fixture->directory, beckon_fixture_server_get_base_url (fixture->server));
  g_assert_false (beckon_agent_fixture_try_answer (later->inbox, id, beckon_script_pick ("8080"), &error));
  g_assert_error (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_ALREADY_SETTLED);
  beckon_agent_fixture_open (later, conversation_id);
  beckon_agent_fixture_recover (later);
  wait_next_end (later, BECKON_RUN_COMPLETE);
  assert_sent_on_any_day (fixture, ASKED "user 9090\n");
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 2);
  beckon_agent_fixture_free (later);
}

/* An application that stays goes on with what was answered anywhere, even if it did not ask. */
static void
test_adopted (void)
{
  g_autoptr (BeckonAgentFixture) fixture = fixture_new ();
  BeckonAgentFixture *asker;
  g_autofree char *conversation_id = g_strdup (beckon_conversation_get_id (fixture->conversation));
  g_autofree char *id = g_strdup (beckon_request_get_id (ask (fixture, beckon_script_ask ("call_7"))));

  asker = beckon_agent_fixture_new_over (fixture->directory, beckon_fixture_server_get_base_url (fixture->server));
  beckon_agent_set_adopts (asker->agent, TRUE);
  beckon_agent_fixture_wait_pending (asker, 1);
  beckon_agent_detach (fixture->agent);
  beckon_agent_fixture_answer (fixture, beckon_agent_fixture_get_pending (fixture, 0), beckon_script_pick ("9090"));
  beckon_agent_fixture_open (asker, conversation_id);
  wait_next_end (asker, BECKON_RUN_COMPLETE);
  assert_sent_on_any_day (fixture, ASKED "user 9090\n");
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 2);
  beckon_agent_fixture_free (asker);
}

/* A question that can't be asked does not end the turn. */
static void
test_no_question (void)
{
  g_autoptr (BeckonAgentFixture) fixture = fixture_new ();

  beckon_agent_fixture_script (fixture, beckon_script_call ("call_7", "ask_user", "{}"));
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Set it up");
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 2);
}

/* An approval waits within its turn in this flow too: a tool call has no other place to go. */
static void
test_approval (void)
{
  g_autoptr (BeckonAgentFixture) fixture = fixture_new ();
  g_autoptr (BeckonTestTool) tool = beckon_test_tool_new ("write_file", FALSE);

  beckon_tool_registry_add (fixture->tools, BECKON_TOOL (tool));
  beckon_agent_fixture_script (fixture, beckon_script_call ("call_7", "write_file", "{}"));
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Set it up");
  beckon_agent_fixture_wait_pending (fixture, 1);
  beckon_agent_fixture_wait_phase (fixture, BECKON_RUN_WAITING);
  beckon_agent_fixture_answer (fixture, beckon_agent_fixture_get_pending (fixture, 0),
                               beckon_answer_new (BECKON_ANSWER_APPROVED, NULL));
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  g_assert_cmpuint (beckon_test_tool_get_n_begun (tool), ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/agent/end-turn/ends-turn", test_ends_turn);
  g_test_add_func ("/agent/end-turn/answer-is-message", test_answer_is_message);
  for (gsize i = 0; i < G_N_ELEMENTS (answers); i++)
    {
      g_autofree char *path = g_strconcat ("/agent/end-turn/answer/", answers[i].name, NULL);

      g_test_add_data_func (path, &answers[i], test_answer);
    }
  g_test_add_func ("/agent/end-turn/siblings", test_siblings);
  g_test_add_func ("/agent/end-turn/several", test_several);
  g_test_add_func ("/agent/end-turn/dismissed", test_dismissed);
  g_test_add_func ("/agent/end-turn/dismissed-continues", test_dismissed_continues);
  g_test_add_func ("/agent/end-turn/other-message", test_other_message);
  g_test_add_func ("/agent/end-turn/answered-elsewhere", test_answered_elsewhere);
  g_test_add_func ("/agent/end-turn/nobody-drives", test_nobody_drives);
  g_test_add_func ("/agent/end-turn/adopted", test_adopted);
  g_test_add_func ("/agent/end-turn/no-question", test_no_question);
  g_test_add_func ("/agent/end-turn/approval", test_approval);
  return g_test_run ();
}
