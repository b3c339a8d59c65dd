/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-agent-fixture.h"
#include "beckon-test-tool.h"

#include "domain/beckon-request-error.h"

#include <string.h>

#define CANCELLED "The user did not answer; the operation was cancelled"

/* A stopped history can be continued, whatever stood open. */
static void
continue_well (BeckonAgentFixture *fixture, const char *history)
{
  guint n = beckon_fixture_server_count_requests (fixture->server);

  beckon_agent_fixture_assert_closed (fixture, fixture->conversation);
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_continue (fixture);
  beckon_agent_wait_until (beckon_fixture_server_count_requests (fixture->server) == n + 1);
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  beckon_agent_fixture_assert_sent (fixture, n, history);
}

static void
on_sent (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GAsyncResult **slot = user_data;

  *slot = g_object_ref (result);
}

/* Before the message is even stored: it is, but nothing is asked of the model. */
static void
test_queued (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();
  g_autoptr (GAsyncResult) sent = NULL;
  g_autoptr (GError) error = NULL;

  beckon_agent_send_async (fixture->agent, fixture->conversation, "Hello", NULL, on_sent, &sent);
  beckon_agent_fixture_stop (fixture);
  beckon_agent_wait_until (sent != NULL);
  beckon_agent_send_finish (fixture->agent, sent, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 0);
  continue_well (fixture, "user Hello\n");
}

/* While the key is being looked up. */
static void
test_resolving (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();

  beckon_test_endpoint_set_held (fixture->endpoint, TRUE);
  beckon_agent_fixture_send (fixture, fixture->conversation, "Hello");
  beckon_agent_fixture_wait_phase (fixture, BECKON_RUN_REQUESTING);
  beckon_agent_fixture_stop (fixture);
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 0);
  beckon_test_endpoint_set_held (fixture->endpoint, FALSE);
  continue_well (fixture, "user Hello\n");
}

/* /faults/A/18: not even a head comes. */
static void
test_requesting (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();

  beckon_agent_fixture_script (fixture, beckon_script_silent ("never"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Hello");
  beckon_agent_wait_until (beckon_fixture_server_count_held (fixture->server, "never") == 1);
  g_assert_cmpint (beckon_conversation_get_phase (fixture->conversation), ==, BECKON_RUN_REQUESTING);
  beckon_agent_fixture_stop (fixture);
  beckon_agent_wait_until (beckon_fixture_server_count_open (fixture->server) == 0);
  beckon_agent_fixture_assert_shown (fixture, "user complete\n  text Hello\n");
  continue_well (fixture, "user Hello\n");
}

static void
test_retry_wait (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();

  beckon_agent_fixture_script (fixture, beckon_script_error (429, "Retry-After: 30\r\n", "Slow down"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Hello");
  beckon_agent_fixture_wait_phase (fixture, BECKON_RUN_RETRY_WAIT);
  beckon_agent_fixture_stop (fixture);
  g_assert_cmpint (beckon_conversation_get_retry_at (fixture->conversation), ==, 0);
  g_assert_null (beckon_conversation_get_detail (fixture->conversation));
  beckon_clock_advance (fixture->clock, 60 * 1000);
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 1);
  continue_well (fixture, "user Hello\n");
}

static void
test_receiving (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();

  beckon_agent_fixture_script (fixture, beckon_script_held ("Half a ", "gate", "word"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Hello");
  beckon_agent_fixture_wait_phase (fixture, BECKON_RUN_RECEIVING);
  beckon_agent_fixture_stop (fixture);
  beckon_agent_wait_until (beckon_fixture_server_count_open (fixture->server) == 0);
  beckon_fixture_server_release (fixture->server, "gate");
  beckon_agent_fixture_assert_shown (fixture, "user complete\n  text Hello\nassistant stopped\n  text Half a \n");
  continue_well (fixture, "user Hello\nassistant Half a \n");
}

/* Text that had not been written yet when Stop came is written with it. */
static void
test_receiving_unflushed (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();

  beckon_fixture_reply_add_stream_head (reply);
  beckon_fixture_reply_add_chat_text (reply, "Half ");
  beckon_fixture_reply_add_hold (reply, "first");
  beckon_fixture_reply_add_chat_text (reply, "a word");
  beckon_fixture_reply_add_hold (reply, "second");
  beckon_agent_fixture_script (fixture, reply);
  beckon_agent_fixture_send (fixture, fixture->conversation, "Hello");
  beckon_agent_fixture_wait_phase (fixture, BECKON_RUN_RECEIVING);
  beckon_fixture_server_release (fixture->server, "first");
  beckon_agent_wait_until (beckon_part_get_length (beckon_message_get_part (
                               beckon_conversation_get_message (fixture->conversation, 1), 0)) == strlen ("Half a word"));
  beckon_agent_fixture_stop (fixture);
  beckon_agent_fixture_assert_shown (fixture, "user complete\n  text Hello\nassistant stopped\n  text Half a word\n");
  beckon_agent_fixture_assert_closed (fixture, fixture->conversation);
}

static BeckonTestTool *
add_tool (BeckonAgentFixture *fixture, const char *name, gboolean read_only)
{
  BeckonTestTool *tool = beckon_test_tool_new (name, read_only);

  beckon_tool_registry_add (fixture->tools, BECKON_TOOL (tool));
  beckon_test_tool_set_held (tool, TRUE);
  return tool;
}

static void
test_calling (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();
  g_autoptr (BeckonTestTool) tool = add_tool (fixture, "read_note", TRUE);
  const BeckonScriptCall calls[] = { { "call_1", "read_note", "{}" }, { "call_2", "ask_user", BECKON_SCRIPT_QUESTION } };

  beckon_agent_fixture_script (fixture, beckon_script_calls (NULL, calls, 2, "tool_calls"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Hello");
  beckon_agent_wait_until (beckon_test_tool_get_n_running (tool) == 1);
  beckon_agent_fixture_stop (fixture);
  g_assert_cmpuint (beckon_test_tool_get_n_running (tool), ==, 0);
  beckon_agent_fixture_assert_shown (
      fixture, "user complete\n  text Hello\nassistant complete\n"
               "  call call_1 read_note cancelled {} ⇒ "
               "The user stopped the run while this call was running. Whether it took effect is not known.\n"
               "  call call_2 ask_user cancelled " BECKON_SCRIPT_QUESTION " ⇒ " CANCELLED "\n");
  continue_well (fixture, "user Hello\nassistant\n  call call_1 read_note {}\n"
                          "  call call_2 ask_user " BECKON_SCRIPT_QUESTION "\n"
                          "tool call_1 The user stopped the run while this call was running. "
                          "Whether it took effect is not known.\n"
                          "tool call_2 " CANCELLED "\n");
}

/* Output that was shown while a command ran stays, and the model is told. */
static void
test_calling_output (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();
  g_autoptr (BeckonTestTool) tool = add_tool (fixture, "read_note", TRUE);
  const BeckonScriptCall calls[] = { { "call_1", "read_note", "{}" } };
  g_autoptr (GPtrArray) running = NULL;

  beckon_agent_fixture_script (fixture, beckon_script_calls (NULL, calls, 1, "tool_calls"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Hello");
  beckon_agent_wait_until (beckon_test_tool_get_n_running (tool) == 1);
  running = beckon_message_list_calls (beckon_conversation_get_message (fixture->conversation, 1));
  beckon_tool_call_set_output (g_ptr_array_index (running, 0), "compiling 3 of 7");
  beckon_agent_fixture_stop (fixture);
  beckon_agent_fixture_assert_shown (
      fixture, "user complete\n  text Hello\nassistant complete\n"
               "  call call_1 read_note cancelled {} ⇒ "
               "The user stopped the run while this call was running. Whether it took effect is not known. "
               "It put out last:\ncompiling 3 of 7\n");
  continue_well (fixture, "user Hello\nassistant\n  call call_1 read_note {}\n"
                          "tool call_1 The user stopped the run while this call was running. "
                          "Whether it took effect is not known. It put out last:\ncompiling 3 of 7\n");
}

/* Three calls: the first runs, the second is decided and waits its turn, the third is not decided. */
static void
test_calling_changing (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();
  g_autoptr (BeckonTestTool) tool = add_tool (fixture, "write_note", FALSE);
  const BeckonScriptCall calls[] = {
    { "call_1", "write_note", "{\"n\":1}" },
    { "call_2", "write_note", "{\"n\":2}" },
    { "call_3", "write_note", "{\"n\":3}" },
  };

  beckon_agent_fixture_script (fixture, beckon_script_calls (NULL, calls, 3, "tool_calls"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Hello");
  for (guint left = 3; left > 1; left--)
    beckon_agent_fixture_answer (fixture, beckon_agent_fixture_wait_pending (fixture, left),
                                 beckon_answer_new (BECKON_ANSWER_APPROVED, NULL));
  beckon_agent_wait_until (beckon_test_tool_get_n_running (tool) == 1);
  beckon_agent_fixture_stop (fixture);
  g_assert_cmpuint (beckon_test_tool_get_n_begun (tool), ==, 1);
  beckon_agent_fixture_assert_shown (
      fixture, "user complete\n  text Hello\nassistant complete\n"
               "  call call_1 write_note cancelled {\"n\":1} ⇒ "
               "The user stopped the run while this call was running. Whether it took effect is not known.\n"
               "  call call_2 write_note cancelled {\"n\":2} ⇒ "
               "The user stopped the run; this call was not run.\n"
               "  call call_3 write_note cancelled {\"n\":3} ⇒ " CANCELLED
               ". The call was not run; nothing was changed.\n");
  beckon_agent_fixture_assert_closed (fixture, fixture->conversation);
}

/* A tool that ends well all the same has done what it did: its own result stands. */
static void
test_calling_deaf (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();
  g_autoptr (BeckonTestTool) tool = add_tool (fixture, "read_note", TRUE);

  beckon_test_tool_set_deaf (tool, TRUE);
  beckon_agent_fixture_script (fixture, beckon_script_call ("call_1", "read_note", "{}"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Hello");
  beckon_agent_wait_until (beckon_test_tool_get_n_running (tool) == 1);
  beckon_agent_stop (fixture->agent, fixture->conversation);
  beckon_agent_fixture_sync (fixture);
  g_assert_cmpint (beckon_conversation_get_phase (fixture->conversation), ==, BECKON_RUN_CALLING);
  beckon_test_tool_release (tool);
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_STOPPED);
  beckon_agent_fixture_assert_shown (fixture, "user complete\n  text Hello\nassistant complete\n"
                                              "  call call_1 read_note done {} → read_note did {}\n");
}

static BeckonRequest *
ask (BeckonAgentFixture *fixture)
{
  BeckonRequest *request;

  beckon_agent_fixture_script (fixture, beckon_script_ask ("call_1"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Hello");
  request = beckon_agent_fixture_wait_pending (fixture, 1);
  beckon_agent_fixture_wait_phase (fixture, BECKON_RUN_WAITING);
  return request;
}

/* The card closes as cancelled; what was half typed is kept, and an answer that comes now is refused in words. */
static void
test_waiting (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();
  g_autoptr (BeckonRequest) request = g_object_ref (ask (fixture));
  g_autoptr (GError) error = NULL;

  beckon_inbox_save_draft (fixture->inbox, request, "{\"text\":\"80\"}");
  beckon_agent_fixture_stop (fixture);
  g_assert_cmpint (beckon_request_get_state (request), ==, BECKON_REQUEST_CANCELLED);
  g_assert_cmpstr (beckon_request_get_draft (request), ==, "{\"text\":\"80\"}");
  g_assert_false (beckon_agent_fixture_try_answer (fixture->inbox, beckon_request_get_id (request),
                                                   beckon_script_pick ("8080"), &error));
  g_assert_error (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_ALREADY_SETTLED);
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 1);
  continue_well (fixture, "user Hello\nassistant\n  call call_1 ask_user " BECKON_SCRIPT_QUESTION "\n"
                          "tool call_1 " CANCELLED "\n");
}

static void
test_twice (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();

  ask (fixture);
  beckon_agent_stop (fixture->agent, fixture->conversation);
  beckon_agent_stop (fixture->agent, fixture->conversation);
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_STOPPED);
  beckon_agent_stop (fixture->agent, fixture->conversation);
  beckon_agent_fixture_sync (fixture);
  g_assert_cmpint (beckon_conversation_get_phase (fixture->conversation), ==, BECKON_RUN_STOPPED);
}

/* Answer and Stop at once: the answer was first and stands, and the model is not asked again. */
static void
test_after_answer (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();
  g_autofree char *id = g_strdup (beckon_request_get_id (ask (fixture)));
  g_autoptr (BeckonAnswer) answer = beckon_script_pick ("8080");
  g_autoptr (GAsyncResult) settled = NULL;
  g_autoptr (GError) error = NULL;

  beckon_inbox_settle_async (fixture->inbox, id, answer, "terminal", NULL, NULL, on_sent, &settled);
  beckon_agent_fixture_stop (fixture);
  beckon_agent_wait_until (settled != NULL);
  beckon_inbox_settle_finish (fixture->inbox, settled, &error);
  g_assert_no_error (error);
  beckon_agent_fixture_assert_shown (fixture, "user complete\n  text Hello\nassistant complete\n"
                                              "  call call_1 ask_user done " BECKON_SCRIPT_QUESTION " → 8080\n");
  beckon_agent_fixture_assert_closed (fixture, fixture->conversation);
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 1);
}

/* Stop and answer at once, the other way round. */
static void
test_before_answer (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();
  g_autofree char *id = g_strdup (beckon_request_get_id (ask (fixture)));
  g_autoptr (BeckonAnswer) answer = beckon_script_pick ("8080");
  g_autoptr (GAsyncResult) settled = NULL;
  g_autoptr (GError) error = NULL;

  beckon_agent_stop (fixture->agent, fixture->conversation);
  g_main_context_iteration (NULL, FALSE);
  beckon_inbox_settle_async (fixture->inbox, id, answer, "terminal", NULL, NULL, on_sent, &settled);
  beckon_agent_wait_until (settled != NULL);
  g_assert_false (beckon_inbox_settle_finish (fixture->inbox, settled, &error));
  g_assert_error (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_ALREADY_SETTLED);
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_STOPPED);
}

/* Another process answers while this one stops. Whoever was first, both see the same. */
static void
test_answered_elsewhere (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();
  BeckonAgentFixture *other = beckon_agent_fixture_new_over (fixture->directory, NULL);
  guint answered = 0;

  for (guint i = 0; i < 12; i++)
    {
      g_autofree char *id = NULL;
      g_autoptr (BeckonAnswer) answer = beckon_script_pick ("8080");
      g_autoptr (GAsyncResult) settled = NULL;

      g_set_object (&fixture->conversation, beckon_agent_fixture_create (fixture));
      id = g_strdup (beckon_request_get_id (ask (fixture)));
      beckon_inbox_settle_async (other->inbox, id, answer, "terminal", NULL, NULL, on_sent, &settled);
      /* The other inbox may have to read the request first, so it needs a head start to be the first at times. */
      for (guint turns = 0; turns < i && settled == NULL; turns++)
        g_main_context_iteration (NULL, FALSE);
      beckon_agent_stop (fixture->agent, fixture->conversation);
      beckon_agent_wait_until (settled != NULL);
      answered += beckon_inbox_settle_finish (other->inbox, settled, NULL) ? 1 : 0;
      beckon_agent_wait_until (!beckon_conversation_is_busy (fixture->conversation));
      beckon_agent_fixture_assert_closed (fixture, fixture->conversation);
    }
  g_test_message ("%u of 12 were answered before they were stopped", answered);
  beckon_agent_fixture_free (other);
}

static void
stop_on_phase (BeckonConversation *conversation, GParamSpec *pspec, BeckonAgentFixture *fixture)
{
  beckon_agent_stop (fixture->agent, conversation);
}

/* From within the notification of a phase, which is in the middle of what the run is doing. */
static void
test_from_notification (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();

  g_signal_connect (fixture->conversation, "notify::phase", G_CALLBACK (stop_on_phase), fixture);
  beckon_agent_fixture_script (fixture, beckon_script_silent ("never"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Hello");
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_STOPPED);
  g_signal_handlers_disconnect_by_data (fixture->conversation, fixture);
}

static void
stop_on_state (BeckonToolCall *call, GParamSpec *pspec, BeckonAgentFixture *fixture)
{
  if (beckon_tool_call_get_state (call) == BECKON_CALL_STARTED)
    beckon_agent_stop (fixture->agent, fixture->conversation);
}

/* While the start is being written: the tool has not begun, so it is not begun. */
static void
test_starting (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();
  g_autoptr (BeckonTestTool) tool = add_tool (fixture, "write_note", FALSE);
  BeckonRequest *request;
  BeckonToolCall *call;

  beckon_agent_fixture_script (fixture, beckon_script_call ("call_1", "write_note", "{}"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Hello");
  request = beckon_agent_fixture_wait_pending (fixture, 1);
  call = beckon_conversation_find_call (fixture->conversation, beckon_request_get_call_id (request));
  g_signal_connect (call, "notify::state", G_CALLBACK (stop_on_state), fixture);
  beckon_agent_fixture_answer (fixture, request, beckon_answer_new (BECKON_ANSWER_APPROVED, NULL));
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_STOPPED);
  g_signal_handlers_disconnect_by_data (call, fixture);
  g_assert_cmpuint (beckon_test_tool_get_n_begun (tool), ==, 0);
}

/* Letting go ends nothing: what was open is open for the next one who comes. */
static void
test_let_go (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();
  BeckonRequest *request = ask (fixture);

  beckon_agent_detach (fixture->agent);
  beckon_agent_fixture_settle ();
  g_assert_cmpint (beckon_request_get_state (request), ==, BECKON_REQUEST_PENDING);
  g_assert_cmpint (beckon_agent_fixture_get_open_phase (fixture->store), ==, BECKON_RUN_WAITING);
  beckon_agent_fixture_assert_same (fixture, fixture->conversation);
}

static void
test_let_go_receiving (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();

  beckon_agent_fixture_script (fixture, beckon_script_held ("Half", "never", ""));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Hello");
  beckon_agent_fixture_wait_phase (fixture, BECKON_RUN_RECEIVING);
  beckon_agent_detach (fixture->agent);
  beckon_agent_fixture_settle ();
  g_assert_cmpint (beckon_agent_fixture_get_open_phase (fixture->store), ==, BECKON_RUN_RECEIVING);
  beckon_agent_fixture_assert_same (fixture, fixture->conversation);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/agent/stop/queued", test_queued);
  g_test_add_func ("/agent/stop/resolving", test_resolving);
  g_test_add_func ("/agent/stop/requesting", test_requesting);
  g_test_add_func ("/agent/stop/retry-wait", test_retry_wait);
  g_test_add_func ("/agent/stop/receiving", test_receiving);
  g_test_add_func ("/agent/stop/receiving-unflushed", test_receiving_unflushed);
  g_test_add_func ("/agent/stop/calling", test_calling);
  g_test_add_func ("/agent/stop/calling-output", test_calling_output);
  g_test_add_func ("/agent/stop/calling-changing", test_calling_changing);
  g_test_add_func ("/agent/stop/calling-deaf", test_calling_deaf);
  g_test_add_func ("/agent/stop/starting", test_starting);
  g_test_add_func ("/life/7-stopping-cancels", test_waiting);
  g_test_add_func ("/agent/stop/twice", test_twice);
  g_test_add_func ("/agent/stop/after-answer", test_after_answer);
  g_test_add_func ("/agent/stop/before-answer", test_before_answer);
  g_test_add_func ("/agent/stop/answered-elsewhere", test_answered_elsewhere);
  g_test_add_func ("/agent/stop/from-notification", test_from_notification);
  g_test_add_func ("/life/5-quitting-is-not-declining", test_let_go);
  g_test_add_func ("/agent/stop/let-go-receiving", test_let_go_receiving);
  return g_test_run ();
}
