/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-agent-fixture.h"
#include "beckon-notes-fixture.h"
#include "beckon-test-tool.h"

#include "domain/beckon-message.h"
#include "domain/beckon-request-error.h"
#include "request/beckon-question-request.h"

#include <string.h>

/* Questions that the model does not wait for. */

#define LATE "{\"question\":\"Which port?\",\"choices\":[\"8080\",\"9090\"],\"wait\":false}"
#define NAME_LATE "{\"question\":\"Which name?\",\"wait\":false}"
#define RESULT                                                                                                         \
  "The user has been asked, and you go on meanwhile. Their answer comes later as a message that names this question; " \
  "do not ask it again. Do now what does not depend on it. When nothing else is left to do, end your reply: you will be " \
  "called again with the answer."
#define ASKED "user Set it up\nassistant\n  call call_1 ask_user " LATE "\ntool call_1 " RESULT "\n"
#define ANSWER_8080 "My answer to your earlier question \"Which port?\":\n8080"

typedef BeckonAgentFixture Fixture;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Fixture, beckon_agent_fixture_free)

static guint
count_requests (Fixture *fixture)
{
  return beckon_fixture_server_count_requests (fixture->server);
}

/* The model asks, and goes on with a reply that ends its work. */
static BeckonRequest *
ask_and_rest (Fixture *fixture)
{
  BeckonRequest *request;

  beckon_agent_fixture_script (fixture, beckon_script_call ("call_1", "ask_user", LATE));
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("The rest is done"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Set it up");
  request = beckon_agent_fixture_wait_pending (fixture, 1);
  beckon_agent_fixture_wait_phase (fixture, BECKON_RUN_WAITING);
  g_assert_cmpuint (count_requests (fixture), ==, 2);
  return request;
}

/* The model asks, and its next reply is under way. */
static BeckonRequest *
ask_and_work (Fixture *fixture)
{
  BeckonRequest *request;

  beckon_agent_fixture_script (fixture, beckon_script_call ("call_1", "ask_user", LATE));
  beckon_agent_fixture_script (fixture, beckon_script_held ("The rest ", "gate", "is done"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Set it up");
  request = beckon_agent_fixture_wait_pending (fixture, 1);
  beckon_agent_wait_until (beckon_fixture_server_count_held (fixture->server, "gate") == 1);
  return request;
}

/* The call has its result at once; the run ends its reply, waits, and goes on with the answer, which is a message. */
static void
test_answered_at_rest (void)
{
  g_autoptr (Fixture) fixture = beckon_agent_fixture_new ();
  BeckonRequest *request = ask_and_rest (fixture);

  g_assert_true (beckon_request_is_late (request));
  beckon_agent_fixture_assert_sent (fixture, 1, ASKED);
  g_assert_cmpint (beckon_agent_fixture_get_open_phase (fixture->store), ==, BECKON_RUN_WAITING);
  beckon_agent_fixture_assert_same (fixture, fixture->conversation);
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_answer (fixture, request, beckon_script_pick ("8080"));
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  beckon_agent_fixture_assert_sent (fixture, 2, ASKED "assistant The rest is done\nuser " ANSWER_8080 "\n");
  beckon_agent_fixture_assert_closed (fixture, fixture->conversation);
  g_assert_cmpuint (count_requests (fixture), ==, 3);
}

/* An answer that comes while the last reply does: the turn is not over. */
static void
test_answered_while_replying (void)
{
  g_autoptr (Fixture) fixture = beckon_agent_fixture_new ();
  BeckonRequest *request = ask_and_work (fixture);

  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_answer (fixture, request, beckon_script_pick ("8080"));
  beckon_fixture_server_release (fixture->server, "gate");
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  beckon_agent_fixture_assert_sent (fixture, 2, ASKED "assistant The rest is done\nuser " ANSWER_8080 "\n");
  beckon_agent_fixture_assert_closed (fixture, fixture->conversation);
}

/* While a tool works: it stands behind the results of that round. */
static void
test_answered_while_calling (void)
{
  const BeckonScriptCall calls[] = { { "call_1", "ask_user", LATE }, { "call_2", "read_note", "{}" } };
  g_autoptr (BeckonNotesFixture) notes = beckon_notes_fixture_new ("write_note");
  Fixture *fixture = notes->agent;
  BeckonRequest *request;
  BeckonMessage *message;

  beckon_test_tool_set_held (notes->read, TRUE);
  beckon_agent_fixture_script (fixture, beckon_script_calls (NULL, calls, 2, "tool_calls"));
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Set it up");
  request = beckon_agent_fixture_wait_pending (fixture, 1);
  beckon_agent_wait_until (beckon_test_tool_get_n_running (notes->read) == 1);
  g_assert_cmpint (beckon_conversation_get_phase (fixture->conversation), ==, BECKON_RUN_CALLING);
  beckon_agent_fixture_answer (fixture, request, beckon_script_pick ("8080"));
  beckon_test_tool_release (notes->read);
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  beckon_agent_fixture_assert_sent (fixture, 1,
                                    "user Set it up\nassistant\n  call call_1 ask_user " LATE
                                    "\n  call call_2 read_note {}\ntool call_1 " RESULT "\ntool call_2 read_note did {}\nuser "
                                    ANSWER_8080 "\n");
  message = beckon_conversation_get_message (fixture->conversation, 2);
  g_assert_nonnull (beckon_late_message_get_request_id (message));
  beckon_agent_fixture_assert_closed (fixture, fixture->conversation);
}

/* Calls that change something are not held up. */
static void
test_is_no_barrier (void)
{
  const BeckonScriptCall calls[] = { { "call_1", "ask_user", LATE }, { "call_2", "write_note", "{}" } };
  g_autoptr (BeckonNotesFixture) notes = beckon_notes_fixture_new ("write_note");
  Fixture *fixture = notes->agent;

  beckon_agent_fixture_script (fixture, beckon_script_calls (NULL, calls, 2, "tool_calls"));
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("The rest is done"));
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Set it up");
  beckon_agent_fixture_wait_pending (fixture, 2);
  beckon_agent_fixture_answer (fixture, beckon_agent_fixture_get_pending (fixture, 1),
                               beckon_answer_new (BECKON_ANSWER_APPROVED, NULL));
  beckon_agent_wait_until (beckon_test_tool_get_n_begun (notes->change) == 1);
  beckon_agent_wait_until (count_requests (fixture) == 2);
  beckon_agent_fixture_wait_phase (fixture, BECKON_RUN_WAITING);
  beckon_agent_fixture_answer (fixture, beckon_agent_fixture_get_pending (fixture, 0), beckon_script_pick ("8080"));
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
}

typedef struct
{
  const char *name;
  BeckonAnswerKind kind;
  const char *text;
  const char *message;
} Answer;

static const Answer answers[] = {
  { "typed", BECKON_ANSWER_QUESTION, "7070", "My answer to your earlier question \"Which port?\":\n7070" },
  { "delegated", BECKON_ANSWER_DELEGATED, NULL,
    "About your earlier question \"Which port?\":\n"
    "The user left the choice to you. Choose what fits best, say what you chose, and go on." },
  { "asked-back", BECKON_ANSWER_ASKED_BACK, "What for?",
    "About your earlier question \"Which port?\":\n{\"status\":\"asked_back\",\"text\":\"What for?\"}" },
  { "timed-out", BECKON_ANSWER_TIMED_OUT, NULL,
    "About your earlier question \"Which port?\":\n"
    "The user did not answer in the time that was set. Nobody has chosen anything." },
  { "unavailable", BECKON_ANSWER_UNAVAILABLE, NULL,
    "About your earlier question \"Which port?\":\n"
    "Nobody can answer questions here. Go on with what does not need an answer, or finish and say what you need to know." },
};

static void
test_answer (gconstpointer data)
{
  const Answer *answer = data;
  g_autoptr (Fixture) fixture = beckon_agent_fixture_new ();
  BeckonRequest *request = ask_and_rest (fixture);
  g_autofree char *sent = g_strdup_printf (ASKED "assistant The rest is done\nuser %s\n", answer->message);

  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_answer (fixture, request,
                               answer->kind == BECKON_ANSWER_QUESTION ? beckon_script_type (answer->text)
                                                                      : beckon_answer_new (answer->kind, answer->text));
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  beckon_agent_fixture_assert_sent (fixture, 2, sent);
  beckon_agent_fixture_assert_closed (fixture, fixture->conversation);
}

/* Several are open at once, and each answer goes to the model as it comes. */
static void
test_several (void)
{
  const BeckonScriptCall calls[] = { { "call_1", "ask_user", LATE }, { "call_2", "ask_user", NAME_LATE } };
  g_autoptr (Fixture) fixture = beckon_agent_fixture_new ();
  g_autofree char *sent = NULL;

  beckon_agent_fixture_script (fixture, beckon_script_calls (NULL, calls, 2, "tool_calls"));
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("The rest is done"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Set it up");
  beckon_agent_fixture_wait_pending (fixture, 2);
  beckon_agent_fixture_wait_phase (fixture, BECKON_RUN_WAITING);
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Named"));
  beckon_agent_fixture_answer (fixture, beckon_agent_fixture_get_pending (fixture, 1), beckon_script_type ("Anna"));
  beckon_agent_wait_until (count_requests (fixture) == 3
                           && beckon_conversation_get_phase (fixture->conversation) == BECKON_RUN_WAITING);
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_answer (fixture, beckon_agent_fixture_get_pending (fixture, 0), beckon_script_pick ("8080"));
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  sent = beckon_agent_dump_request (beckon_fixture_server_get_request (fixture->server, 3));
  g_assert_true (g_str_has_suffix (sent, "assistant The rest is done\nuser My answer to your earlier question \"Which name?\":\n"
                                         "Anna\nassistant Named\nuser " ANSWER_8080 "\n"));
  beckon_agent_fixture_assert_closed (fixture, fixture->conversation);
}

/* Beside one that is waited for: that one holds the next round, the other one does not. */
static void
test_beside_ordinary (void)
{
  const BeckonScriptCall calls[]
      = { { "call_1", "ask_user", LATE }, { "call_2", "ask_user", "{\"question\":\"Which name?\"}" } };
  g_autoptr (Fixture) fixture = beckon_agent_fixture_new ();

  beckon_agent_fixture_script (fixture, beckon_script_calls (NULL, calls, 2, "tool_calls"));
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("The rest is done"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Set it up");
  beckon_agent_fixture_wait_pending (fixture, 2);
  beckon_agent_fixture_wait_phase (fixture, BECKON_RUN_WAITING);
  beckon_agent_fixture_settle ();
  g_assert_cmpuint (count_requests (fixture), ==, 1);
  beckon_agent_fixture_answer (fixture, beckon_agent_fixture_get_pending (fixture, 1), beckon_script_type ("Anna"));
  beckon_agent_wait_until (count_requests (fixture) == 2
                           && beckon_conversation_get_phase (fixture->conversation) == BECKON_RUN_WAITING);
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_answer (fixture, beckon_agent_fixture_get_pending (fixture, 0), beckon_script_pick ("8080"));
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  beckon_agent_fixture_assert_closed (fixture, fixture->conversation);
}

/* Dismissed while the run waits for it, it ends the run, as any other does; who continues tells the model so. */
static void
test_dismissed_at_rest (void)
{
  g_autoptr (Fixture) fixture = beckon_agent_fixture_new ();
  BeckonRequest *request = ask_and_rest (fixture);

  beckon_agent_fixture_answer (fixture, request, beckon_answer_new (BECKON_ANSWER_DECLINED, NULL));
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_DISMISSED);
  g_assert_cmpuint (count_requests (fixture), ==, 2);
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_continue (fixture);
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  beckon_agent_fixture_assert_sent (fixture, 2,
                                    ASKED "assistant The rest is done\nuser About your earlier question \"Which port?\":\n"
                                          "The user dismissed this question\n");
  beckon_agent_fixture_assert_closed (fixture, fixture->conversation);
}

static void
test_dismissed_continues (void)
{
  g_autoptr (Fixture) fixture = beckon_agent_fixture_new ();
  BeckonRequest *request;

  g_settings_set_string (beckon_settings_get_gsettings (fixture->settings), "dismiss", "continues");
  request = ask_and_rest (fixture);
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_answer (fixture, request, beckon_answer_new (BECKON_ANSWER_DECLINED, NULL));
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  g_assert_cmpuint (count_requests (fixture), ==, 3);
}

/* Dismissed while the agent works, it stops nothing: the model is told at the next boundary. */
static void
test_dismissed_while_calling (void)
{
  const BeckonScriptCall calls[] = { { "call_1", "ask_user", LATE }, { "call_2", "read_note", "{}" } };
  g_autoptr (BeckonNotesFixture) notes = beckon_notes_fixture_new ("write_note");
  Fixture *fixture = notes->agent;
  g_autofree char *sent = NULL;

  beckon_test_tool_set_held (notes->read, TRUE);
  beckon_agent_fixture_script (fixture, beckon_script_calls (NULL, calls, 2, "tool_calls"));
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Set it up");
  beckon_agent_fixture_wait_pending (fixture, 1);
  beckon_agent_wait_until (beckon_test_tool_get_n_running (notes->read) == 1);
  beckon_agent_fixture_answer (fixture, beckon_agent_fixture_get_pending (fixture, 0),
                               beckon_answer_new (BECKON_ANSWER_DECLINED, NULL));
  beckon_test_tool_release (notes->read);
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  sent = beckon_agent_dump_request (beckon_fixture_server_get_request (fixture->server, 1));
  g_assert_nonnull (strstr (sent, "\nuser About your earlier question \"Which port?\":\nThe user dismissed this question\n"));
}

/* A stop ends it with the run; the model hears of that with the next message. */
static void
stop (Fixture *fixture, BeckonRequest *request)
{
  g_autoptr (BeckonRequest) held = g_object_ref (request);
  g_autofree char *sent = NULL;
  g_autoptr (GError) error = NULL;

  beckon_agent_fixture_stop (fixture);
  beckon_agent_wait_until (beckon_request_get_state (held) != BECKON_REQUEST_PENDING);
  g_assert_cmpint (beckon_request_get_state (held), ==, BECKON_REQUEST_CANCELLED);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (fixture->inbox)), ==, 0);
  beckon_agent_fixture_assert_closed (fixture, fixture->conversation);
  g_assert_false (beckon_agent_fixture_try_answer (fixture->inbox, beckon_request_get_id (held), beckon_script_pick ("8080"),
                                                   &error));
  g_assert_error (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_ALREADY_SETTLED);
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Take any");
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  sent = beckon_agent_dump_request (beckon_fixture_server_get_request (fixture->server, 2));
  g_assert_true (g_str_has_suffix (sent, "user Take any\n\nAbout your earlier question \"Which port?\":\n"
                                         "The user did not answer; the operation was cancelled\n"));
}

static void
test_stopped_at_rest (void)
{
  g_autoptr (Fixture) fixture = beckon_agent_fixture_new ();

  stop (fixture, ask_and_rest (fixture));
}

static void
test_stopped_while_replying (void)
{
  g_autoptr (Fixture) fixture = beckon_agent_fixture_new ();

  stop (fixture, ask_and_work (fixture));
}

/* Answered, and stopped before the model was told: it is told with the next message. */
static void
test_stopped_after_answer (void)
{
  g_autoptr (Fixture) fixture = beckon_agent_fixture_new ();
  BeckonRequest *request = ask_and_work (fixture);
  g_autofree char *sent = NULL;

  beckon_agent_fixture_answer (fixture, request, beckon_script_pick ("8080"));
  beckon_agent_fixture_stop (fixture);
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Go on");
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  sent = beckon_agent_dump_request (beckon_fixture_server_get_request (fixture->server, 2));
  g_assert_true (g_str_has_suffix (sent, "user Go on\n\n" ANSWER_8080 "\n"));
  beckon_agent_fixture_assert_closed (fixture, fixture->conversation);
}

/* A run that fails leaves it open. */
static BeckonRequest *
ask_and_fail (Fixture *fixture)
{
  beckon_agent_fixture_script (fixture, beckon_script_call ("call_1", "ask_user", LATE));
  beckon_agent_fixture_script (fixture, beckon_script_error (401, NULL, "no"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Set it up");
  beckon_agent_wait_until (beckon_conversation_get_phase (fixture->conversation) == BECKON_RUN_FAILED);
  beckon_agent_fixture_settle ();
  return beckon_agent_fixture_get_pending (fixture, 0);
}

/* The answer begins the next run, which tells it. */
static void
test_answered_behind_failure (void)
{
  g_autoptr (Fixture) fixture = beckon_agent_fixture_new ();
  BeckonRequest *request = ask_and_fail (fixture);

  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_answer (fixture, request, beckon_script_pick ("8080"));
  beckon_agent_wait_until (beckon_conversation_get_phase (fixture->conversation) == BECKON_RUN_COMPLETE);
  beckon_agent_fixture_assert_sent (fixture, 2, ASKED "user " ANSWER_8080 "\n");
  beckon_agent_fixture_assert_closed (fixture, fixture->conversation);
  g_assert_cmpuint (count_requests (fixture), ==, 3);
}

/* A run that is continued without an answer has the question open beside it, and rests for it. */
static void
test_continued_behind_failure (void)
{
  g_autoptr (Fixture) fixture = beckon_agent_fixture_new ();
  BeckonRequest *request = ask_and_fail (fixture);

  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("The rest is done"));
  beckon_agent_fixture_continue (fixture);
  beckon_agent_fixture_wait_phase (fixture, BECKON_RUN_WAITING);
  g_assert_cmpint (beckon_request_get_state (request), ==, BECKON_REQUEST_PENDING);
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_answer (fixture, request, beckon_script_pick ("8080"));
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  beckon_agent_fixture_assert_sent (fixture, 3, ASKED "assistant The rest is done\nuser " ANSWER_8080 "\n");
  beckon_agent_fixture_assert_closed (fixture, fixture->conversation);
}

/* A dismissal begins nothing, and is told with what the person says next. */
static void
test_dismissed_behind_failure (void)
{
  g_autoptr (Fixture) fixture = beckon_agent_fixture_new ();
  BeckonRequest *request = ask_and_fail (fixture);
  g_autofree char *sent = NULL;

  beckon_agent_fixture_answer (fixture, request, beckon_answer_new (BECKON_ANSWER_DECLINED, NULL));
  beckon_agent_fixture_settle ();
  g_assert_cmpuint (count_requests (fixture), ==, 2);
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Take any");
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  sent = beckon_agent_dump_request (beckon_fixture_server_get_request (fixture->server, 2));
  g_assert_true (g_str_has_suffix (sent, "user Take any\n\nAbout your earlier question \"Which port?\":\n"
                                         "The user dismissed this question\n"));
  beckon_agent_fixture_assert_closed (fixture, fixture->conversation);
}

/* Another version of the message that led to it has not asked it. */
static void
on_edited (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (beckon_agent_send_finish (BECKON_AGENT (source), result, &error));
  g_assert_no_error (error);
}

static void
test_edited_behind_failure (void)
{
  g_autoptr (Fixture) fixture = beckon_agent_fixture_new ();
  g_autoptr (BeckonRequest) request = g_object_ref (ask_and_fail (fixture));
  g_autoptr (GPtrArray) files = g_ptr_array_new ();
  BeckonMessage *first = beckon_conversation_get_message (fixture->conversation, 0);

  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_edit_async (fixture->agent, fixture->conversation, beckon_message_get_id (first), "Set up another", files, NULL,
                           on_edited, NULL);
  beckon_agent_wait_until (beckon_request_get_state (request) == BECKON_REQUEST_CANCELLED);
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  beckon_agent_fixture_assert_sent (fixture, 2, "user Set up another\n");
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (fixture->inbox)), ==, 0);
}

/* Messages that are to be seen now do not wait for the answer, and answer nothing. */
static void
on_queued (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_assert_true (beckon_agent_queue_finish (BECKON_AGENT (source), result, NULL));
  *(gboolean *) user_data = TRUE;
}

static void
test_steered_at_rest (void)
{
  g_autoptr (Fixture) fixture = beckon_agent_fixture_new ();
  BeckonRequest *request = ask_and_rest (fixture);
  g_autoptr (GPtrArray) files = g_ptr_array_new ();
  gboolean is_queued = FALSE;

  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Seen"));
  beckon_agent_queue_async (fixture->agent, fixture->conversation, "8080", files, TRUE, NULL, on_queued, &is_queued);
  beckon_agent_wait_until (is_queued && count_requests (fixture) == 3
                           && beckon_conversation_get_phase (fixture->conversation) == BECKON_RUN_WAITING);
  g_assert_cmpint (beckon_request_get_state (request), ==, BECKON_REQUEST_PENDING);
  beckon_agent_fixture_assert_sent (fixture, 2, ASKED "assistant The rest is done\nuser 8080\n");
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_answer (fixture, request, beckon_script_pick ("9090"));
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
}

/* In the other flow it ends no turn; beside one that does it is waited for as well. */
static void
test_end_turn (void)
{
  g_autoptr (Fixture) fixture = beckon_agent_fixture_new ();
  BeckonRequest *request;

  g_settings_set_string (beckon_settings_get_gsettings (fixture->settings), "ask-user-flow", "end-turn");
  request = ask_and_rest (fixture);
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_answer (fixture, request, beckon_script_pick ("8080"));
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  beckon_agent_fixture_assert_sent (fixture, 2, ASKED "assistant The rest is done\nuser " ANSWER_8080 "\n");
}

static void
test_end_turn_beside (void)
{
  const BeckonScriptCall calls[]
      = { { "call_1", "ask_user", LATE }, { "call_2", "ask_user", "{\"question\":\"Which name?\"}" } };
  g_autoptr (Fixture) fixture = beckon_agent_fixture_new ();

  g_settings_set_string (beckon_settings_get_gsettings (fixture->settings), "ask-user-flow", "end-turn");
  beckon_agent_fixture_script (fixture, beckon_script_calls (NULL, calls, 2, "tool_calls"));
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Set it up");
  beckon_agent_fixture_wait_pending (fixture, 2);
  beckon_agent_fixture_wait_phase (fixture, BECKON_RUN_ASKED);
  g_assert_false (beckon_request_is_late (beckon_agent_fixture_get_pending (fixture, 0)));
  beckon_agent_fixture_answer (fixture, beckon_agent_fixture_get_pending (fixture, 1), beckon_script_type ("Anna"));
  beckon_agent_fixture_answer (fixture, beckon_agent_fixture_get_pending (fixture, 0), beckon_script_pick ("8080"));
  beckon_agent_wait_until (beckon_conversation_get_phase (fixture->conversation) == BECKON_RUN_COMPLETE);
  g_assert_cmpuint (count_requests (fixture), ==, 2);
}

/* An open one keeps a later question from ending the turn. */
static void
test_end_turn_after (void)
{
  g_autoptr (Fixture) fixture = beckon_agent_fixture_new ();

  g_settings_set_string (beckon_settings_get_gsettings (fixture->settings), "ask-user-flow", "end-turn");
  beckon_agent_fixture_script (fixture, beckon_script_call ("call_1", "ask_user", LATE));
  beckon_agent_fixture_script (fixture, beckon_script_call ("call_2", "ask_user", "{\"question\":\"Which name?\"}"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Set it up");
  beckon_agent_fixture_wait_pending (fixture, 2);
  beckon_agent_fixture_wait_phase (fixture, BECKON_RUN_WAITING);
  beckon_agent_fixture_stop (fixture);
  beckon_agent_wait_until (g_list_model_get_n_items (G_LIST_MODEL (fixture->inbox)) == 0);
}

/* With as many open as may be, the next one is waited for. */
static void
test_limit (void)
{
  static const char *const ids[] = { "c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8", "c9" };
  BeckonScriptCall calls[G_N_ELEMENTS (ids)];
  g_autoptr (Fixture) fixture = beckon_agent_fixture_new ();

  G_STATIC_ASSERT (G_N_ELEMENTS (ids) == BECKON_QUESTION_MAX_LATE + 1);
  for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
    calls[i] = (BeckonScriptCall){ ids[i], "ask_user", LATE };
  beckon_agent_fixture_script (fixture, beckon_script_calls (NULL, calls, G_N_ELEMENTS (calls), "tool_calls"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Set it up");
  beckon_agent_fixture_wait_pending (fixture, G_N_ELEMENTS (calls));
  beckon_agent_fixture_wait_phase (fixture, BECKON_RUN_WAITING);
  g_assert_false (beckon_request_is_late (beckon_agent_fixture_get_pending (fixture, BECKON_QUESTION_MAX_LATE)));
  g_assert_cmpuint (count_requests (fixture), ==, 1);
  beckon_agent_fixture_stop (fixture);
  beckon_agent_wait_until (g_list_model_get_n_items (G_LIST_MODEL (fixture->inbox)) == 0);
  beckon_agent_fixture_assert_closed (fixture, fixture->conversation);
}

static void
test_without_person (void)
{
  g_autoptr (Fixture) fixture = beckon_agent_fixture_new ();

  beckon_agent_set_has_person (fixture->agent, FALSE);
  beckon_agent_fixture_script (fixture, beckon_script_call ("call_1", "ask_user", LATE));
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Set it up");
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (fixture->inbox)), ==, 0);
}

/* An answer given in a folder is shown with the same question in another conversation there, and answers nothing. */
static void
test_last (void)
{
  g_autoptr (Fixture) fixture = beckon_agent_fixture_new ();
  BeckonConversation *second;
  BeckonRequest *request;
  const BeckonLastAnswer *last;

  beckon_conversation_set_folder (fixture->conversation, fixture->directory);
  beckon_agent_fixture_script (fixture, beckon_script_ask ("call_1"));
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Set it up");
  request = beckon_agent_fixture_wait_pending (fixture, 1);
  g_assert_null (beckon_question_get_item (beckon_request_get_question (request), 0)->last);
  beckon_agent_fixture_answer (fixture, request, beckon_script_pick ("9090"));
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);

  second = beckon_agent_fixture_create (fixture);
  beckon_conversation_set_folder (second, fixture->directory);
  beckon_agent_fixture_script (fixture, beckon_script_ask ("call_2"));
  beckon_agent_fixture_send (fixture, second, "And this");
  request = beckon_agent_fixture_wait_pending (fixture, 1);
  last = beckon_question_get_item (beckon_request_get_question (request), 0)->last;
  g_assert_nonnull (last);
  g_assert_cmpuint (last->selected->len, ==, 1);
  g_assert_cmpstr (g_ptr_array_index (last->selected, 0), ==, "9090");
  beckon_agent_fixture_settle ();
  g_assert_cmpint (beckon_request_get_state (request), ==, BECKON_REQUEST_PENDING);
  g_assert_cmpuint (count_requests (fixture), ==, 3);
}

/* --- Processes ----------------------------------------------------------------------------------------------------- */

/* The time that is told behind a message may be that of another clock. */
static void
assert_sent_from (Fixture *fixture, guint index, const char *history)
{
  g_autofree char *sent = beckon_agent_dump_request (beckon_fixture_server_get_request (fixture->server, index));

  if (!g_str_has_prefix (sent, history))
    g_error ("this was sent:\n%s", sent);
}

/* Two answer at once, here and in another process: one counts, and the run goes on with that one. */
static void
test_answered_elsewhere (void)
{
  g_autoptr (Fixture) fixture = beckon_agent_fixture_new ();
  g_autofree char *id = g_strdup (beckon_request_get_id (ask_and_rest (fixture)));
  Fixture *other = beckon_agent_fixture_new_over (fixture->directory, NULL);
  g_autoptr (GError) error = NULL;

  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_try_answer (other->inbox, id, beckon_script_pick ("8080"), &error);
  g_assert_no_error (error);
  g_assert_false (beckon_agent_fixture_try_answer (fixture->inbox, id, beckon_script_pick ("9090"), &error));
  g_assert_error (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_ALREADY_SETTLED);
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  assert_sent_from (fixture, 2, ASKED "assistant The rest is done\nuser " ANSWER_8080);
  g_assert_cmpuint (count_requests (fixture), ==, 3);
  beckon_agent_fixture_free (other);
}

/* The program ends while the run rests, and again once it is answered: the next one goes on, once. */
static void
test_restarted (void)
{
  g_autoptr (Fixture) fixture = beckon_agent_fixture_new ();
  g_autofree char *conversation_id = g_strdup (beckon_conversation_get_id (fixture->conversation));
  g_autofree char *id = g_strdup (beckon_request_get_id (ask_and_rest (fixture)));
  g_autoptr (GError) error = NULL;

  beckon_agent_fixture_restart (fixture);
  beckon_agent_fixture_open (fixture, conversation_id);
  beckon_agent_fixture_recover (fixture);
  beckon_agent_fixture_wait_phase (fixture, BECKON_RUN_WAITING);
  g_assert_cmpuint (count_requests (fixture), ==, 2);

  beckon_agent_detach (fixture->agent);
  beckon_agent_fixture_try_answer (fixture->inbox, id, beckon_script_pick ("8080"), &error);
  g_assert_no_error (error);
  beckon_agent_fixture_sync (fixture);
  g_assert_cmpuint (count_requests (fixture), ==, 2);

  beckon_agent_fixture_restart (fixture);
  beckon_agent_fixture_open (fixture, conversation_id);
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_recover (fixture);
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  assert_sent_from (fixture, 2, ASKED "assistant The rest is done\nuser " ANSWER_8080);
  g_assert_cmpuint (count_requests (fixture), ==, 3);
  beckon_agent_fixture_assert_closed (fixture, fixture->conversation);
}

/* The program ends while a reply comes: that turn is cut off, and its question is open. It ends again behind the answer, before
 * anything came of that: the next one goes on with it, once. */
static void
test_cut_off (void)
{
  g_autoptr (Fixture) fixture = beckon_agent_fixture_new ();
  g_autofree char *conversation_id = g_strdup (beckon_conversation_get_id (fixture->conversation));
  g_autofree char *id = g_strdup (beckon_request_get_id (ask_and_work (fixture)));
  g_autofree char *sent = NULL;
  g_autoptr (GError) error = NULL;

  beckon_agent_fixture_restart (fixture);
  beckon_agent_fixture_open (fixture, conversation_id);
  beckon_agent_fixture_recover (fixture);
  beckon_agent_fixture_wait_phase (fixture, BECKON_RUN_CUT_OFF);
  beckon_agent_fixture_sync (fixture);
  g_assert_cmpstr (beckon_request_get_id (beckon_agent_fixture_wait_pending (fixture, 1)), ==, id);

  beckon_agent_detach (fixture->agent);
  beckon_agent_fixture_try_answer (fixture->inbox, id, beckon_script_pick ("8080"), &error);
  g_assert_no_error (error);
  beckon_agent_fixture_sync (fixture);
  g_assert_cmpuint (count_requests (fixture), ==, 2);
  g_assert_cmpint (beckon_agent_fixture_get_open_phase (fixture->store), ==, BECKON_RUN_QUEUED);

  beckon_agent_fixture_restart (fixture);
  beckon_agent_fixture_open (fixture, conversation_id);
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_recover (fixture);
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  /* Whether the half reply had reached the store is a matter of moments. */
  sent = beckon_agent_dump_request (beckon_fixture_server_get_request (fixture->server, 2));
  g_assert_true (g_str_has_prefix (sent, ASKED));
  g_assert_nonnull (strstr (sent, "\nuser " ANSWER_8080));
  g_assert_cmpuint (count_requests (fixture), ==, 3);
  beckon_agent_fixture_assert_closed (fixture, fixture->conversation);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/agent/late/answered-at-rest", test_answered_at_rest);
  g_test_add_func ("/agent/late/answered-while-replying", test_answered_while_replying);
  g_test_add_func ("/agent/late/answered-while-calling", test_answered_while_calling);
  g_test_add_func ("/agent/late/is-no-barrier", test_is_no_barrier);
  for (guint i = 0; i < G_N_ELEMENTS (answers); i++)
    {
      g_autofree char *path = g_strconcat ("/agent/late/answer/", answers[i].name, NULL);

      g_test_add_data_func (path, &answers[i], test_answer);
    }
  g_test_add_func ("/agent/late/several", test_several);
  g_test_add_func ("/agent/late/beside-ordinary", test_beside_ordinary);
  g_test_add_func ("/agent/late/dismissed-at-rest", test_dismissed_at_rest);
  g_test_add_func ("/agent/late/dismissed-continues", test_dismissed_continues);
  g_test_add_func ("/agent/late/dismissed-while-calling", test_dismissed_while_calling);
  g_test_add_func ("/agent/late/stopped-at-rest", test_stopped_at_rest);
  g_test_add_func ("/agent/late/stopped-while-replying", test_stopped_while_replying);
  g_test_add_func ("/agent/late/stopped-after-answer", test_stopped_after_answer);
  g_test_add_func ("/agent/late/answered-behind-failure", test_answered_behind_failure);
  g_test_add_func ("/agent/late/continued-behind-failure", test_continued_behind_failure);
  g_test_add_func ("/agent/late/dismissed-behind-failure", test_dismissed_behind_failure);
  g_test_add_func ("/agent/late/edited-behind-failure", test_edited_behind_failure);
  g_test_add_func ("/agent/late/steered-at-rest", test_steered_at_rest);
  g_test_add_func ("/agent/late/end-turn", test_end_turn);
  g_test_add_func ("/agent/late/end-turn-beside", test_end_turn_beside);
  g_test_add_func ("/agent/late/end-turn-after", test_end_turn_after);
  g_test_add_func ("/agent/late/limit", test_limit);
  g_test_add_func ("/agent/late/without-person", test_without_person);
  g_test_add_func ("/agent/late/last-answer", test_last);
  g_test_add_func ("/agent/late/answered-elsewhere", test_answered_elsewhere);
  g_test_add_func ("/agent/late/restarted", test_restarted);
  g_test_add_func ("/agent/late/cut-off", test_cut_off);
  return g_test_run ();
}
