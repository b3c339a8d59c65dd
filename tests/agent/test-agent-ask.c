/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/beckon-priority.h"
#include "beckon-agent-fixture.h"
#include "beckon-test-tool.h"

#include "domain/beckon-request-error.h"

#include <string.h>

#define ASKED "user Set it up\nassistant\n  call call_7 ask_user " BECKON_SCRIPT_QUESTION "\n"

/* Sends, and waits until the question is open and the run waits for it. */
static BeckonRequest *
ask (BeckonAgentFixture *fixture, BeckonFixtureReply *reply)
{
  BeckonRequest *request;

  beckon_agent_fixture_script (fixture, reply);
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Set it up");
  request = beckon_agent_fixture_wait_pending (fixture, 1);
  beckon_agent_fixture_wait_phase (fixture, BECKON_RUN_WAITING);
  g_assert_cmpint (beckon_request_get_state (request), ==, BECKON_REQUEST_PENDING);
  return request;
}

static void
assert_result (BeckonAgentFixture *fixture, guint index, const char *result)
{
  g_autofree char *history = g_strconcat (ASKED, "tool call_7 ", result, "\n", NULL);

  beckon_agent_fixture_assert_sent (fixture, index, history);
}

static void
answer_and_finish (BeckonAgentFixture *fixture, BeckonAnswer *answer, const char *result)
{
  beckon_agent_fixture_answer (fixture, beckon_agent_fixture_get_pending (fixture, 0), answer);
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 2);
  assert_result (fixture, 1, result);
}

static void
test_choice (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();
  BeckonRequest *request = ask (fixture, beckon_script_ask ("call_7"));
  const char *call_id = beckon_request_get_call_id (request);
  BeckonToolCall *call = beckon_conversation_find_call (fixture->conversation, call_id);

  /* The card can show what led to it, from the moment it is there. */
  g_assert_nonnull (call);
  g_assert_cmpint (beckon_tool_call_get_state (call), ==, BECKON_CALL_AWAITING);
  g_assert_true (beckon_tool_call_get_request (call) == G_OBJECT (request));
  g_assert_nonnull (beckon_conversation_find_message (fixture->conversation, beckon_request_get_message_id (request)));
  g_assert_cmpint (beckon_agent_fixture_get_open_phase (fixture->store), ==, BECKON_RUN_WAITING);
  beckon_agent_fixture_assert_same (fixture, fixture->conversation);

  answer_and_finish (fixture, beckon_script_pick ("8080"), "8080");
  beckon_agent_fixture_assert_shown (fixture,
                                     "user complete\n  text Set it up\n"
                                     "assistant complete\n"
                                     "  call call_7 ask_user done " BECKON_SCRIPT_QUESTION " → 8080\n"
                                     "assistant complete\n  text Done\n  usage 7 3\n");
}

typedef struct
{
  BeckonStore *watcher;
  GAsyncResult *listed;
} Watch;

static void
on_listed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Watch *watch = user_data;

  watch->listed = g_object_ref (result);
}

static void
on_items_changed (GListModel *inbox, guint position, guint removed, guint added, Watch *watch)
{
  if (added > 0)
    beckon_request_store_list_pending_async (BECKON_REQUEST_STORE (watch->watcher), NULL, on_listed, watch);
}

/* By the time a card shows, another connection to the store can read the request: it was committed first. */
static void
test_committed_before_shown (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();
  BeckonAgentFixture *other = beckon_agent_fixture_new_over (fixture->directory, NULL);
  Watch watch = { .watcher = other->store };
  g_autoptr (GPtrArray) pending = NULL;

  g_signal_connect (fixture->inbox, "items-changed", G_CALLBACK (on_items_changed), &watch);
  ask (fixture, beckon_script_ask ("call_7"));
  beckon_agent_wait_until (watch.listed != NULL);
  pending = beckon_request_store_list_pending_finish (BECKON_REQUEST_STORE (other->store), watch.listed, NULL);
  g_assert_cmpuint (pending->len, ==, 1);
  g_signal_handlers_disconnect_by_data (fixture->inbox, &watch);
  g_object_unref (watch.listed);
  beckon_agent_fixture_free (other);
}

static void
test_free_text (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();

  ask (fixture, beckon_script_ask ("call_7"));
  answer_and_finish (fixture, beckon_script_type ("7070, and only “here”"), "7070, and only “here”");
}

static void
test_delegated (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();

  ask (fixture, beckon_script_ask ("call_7"));
  answer_and_finish (fixture, beckon_answer_new (BECKON_ANSWER_DELEGATED, NULL),
                     "The user left the choice to you. Choose what fits best, say what you chose, and go on.");
}

static void
test_skipped (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();
  BeckonAnswer *answer = beckon_answer_new_question (1);

  beckon_answer_skip (answer, 0);
  ask (fixture, beckon_script_ask ("call_7"));
  answer_and_finish (fixture, answer, "The user skipped this question");
}

/* The model answers what it was asked back, and asks again. */
static void
test_asked_back (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();
  g_autofree char *result = NULL;

  beckon_agent_fixture_script (fixture, beckon_script_ask ("call_7"));
  ask (fixture, beckon_script_ask ("call_8"));
  beckon_agent_fixture_answer (fixture, beckon_agent_fixture_get_pending (fixture, 0),
                               beckon_answer_new (BECKON_ANSWER_ASKED_BACK, "Which is free?"));
  beckon_agent_wait_until (beckon_fixture_server_count_requests (fixture->server) == 2);
  assert_result (fixture, 1, "{\"status\":\"asked_back\",\"text\":\"Which is free?\"}");

  beckon_agent_fixture_wait_pending (fixture, 1);
  beckon_agent_fixture_answer (fixture, beckon_agent_fixture_get_pending (fixture, 0), beckon_script_pick ("9090"));
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  result = beckon_agent_dup_result (beckon_fixture_server_get_request (fixture->server, 2), "call_8");
  g_assert_cmpstr (result, ==, "9090");
}

static void
test_full_form (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();
  BeckonAnswer *answer = beckon_answer_new_question (2);
  g_autofree char *result = NULL;

  beckon_answer_select (answer, 0, "Blue");
  beckon_answer_select (answer, 0, "Red");
  beckon_answer_set_item_text (answer, 1, "Ada");
  ask (fixture, beckon_script_call ("call_7", "ask_user",
                                    "{\"questions\":[{\"question\":\"Colours?\",\"options\":[\"Red\",\"Green\",\"Blue\"],"
                                    "\"multiple\":true},{\"question\":\"Name?\"}]}"));
  beckon_agent_fixture_answer (fixture, beckon_agent_fixture_get_pending (fixture, 0), answer);
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  result = beckon_agent_dup_result (beckon_fixture_server_get_request (fixture->server, 1), "call_7");
  g_assert_cmpstr (result, ==,
                   "{\"status\":\"answered\",\"answers\":["
                   "{\"question\":\"Colours?\",\"selected\":[\"Red\",\"Blue\"],\"text\":\"\",\"skipped\":false},"
                   "{\"question\":\"Name?\",\"selected\":[],\"text\":\"Ada\",\"skipped\":false}]}");
}

static void
test_text_before (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();
  const BeckonScriptCall call = { "call_7", "ask_user", BECKON_SCRIPT_QUESTION };

  ask (fixture, beckon_script_calls ("I need to know.", &call, 1, "tool_calls"));
  beckon_agent_fixture_answer (fixture, beckon_agent_fixture_get_pending (fixture, 0), beckon_script_pick ("8080"));
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  beckon_agent_fixture_assert_sent (fixture, 1,
                                    "user Set it up\nassistant I need to know.\n  call call_7 ask_user "
                                    BECKON_SCRIPT_QUESTION "\ntool call_7 8080\n");
}

static void
test_dismissed_stops (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();

  ask (fixture, beckon_script_ask ("call_7"));
  beckon_agent_fixture_answer (fixture, beckon_agent_fixture_get_pending (fixture, 0),
                               beckon_answer_new (BECKON_ANSWER_DECLINED, NULL));
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_DISMISSED);
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 1);

  beckon_agent_fixture_continue (fixture);
  beckon_agent_wait_until (beckon_fixture_server_count_requests (fixture->server) == 2);
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  assert_result (fixture, 1, "The user dismissed this question");
}

static void
test_dismissed_continues (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();

  g_settings_set_string (beckon_settings_get_gsettings (fixture->settings), "dismiss", "continues");
  ask (fixture, beckon_script_ask ("call_7"));
  answer_and_finish (fixture, beckon_answer_new (BECKON_ANSWER_DECLINED, "not now"),
                     "The user dismissed this question. They said: not now");
}

/* Off: not among the tools; a call all the same gets an error, no card, and the run goes on. */
static void
test_switched_off (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();
  g_autofree char *result = NULL;

  beckon_settings_set_enable_ask_user (fixture->settings, FALSE);
  beckon_agent_fixture_script (fixture, beckon_script_ask ("call_7"));
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Set it up");
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  beckon_agent_fixture_assert_tools (fixture, 0, "get_current_time");
  beckon_agent_fixture_assert_tools (fixture, 1, "get_current_time");
  result = beckon_agent_dup_result (beckon_fixture_server_get_request (fixture->server, 1), "call_7");
  g_assert_nonnull (strstr (result, "Nobody can be asked"));
}

static void
test_no_person (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();
  g_autofree char *result = NULL;

  beckon_agent_set_has_person (fixture->agent, FALSE);
  beckon_agent_fixture_script (fixture, beckon_script_ask ("call_7"));
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Set it up");
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  beckon_agent_fixture_assert_tools (fixture, 0, "get_current_time");
  result = beckon_agent_dup_result (beckon_fixture_server_get_request (fixture->server, 1), "call_7");
  g_assert_nonnull (strstr (result, "Nobody can be asked"));
}

/* Switched while a question is open: that question stays answerable, and the next request lacks the tool. */
static void
test_switched_while_running (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();
  g_autoptr (GSettings) elsewhere = g_settings_new ("io.github.beckon.Beckon");

  ask (fixture, beckon_script_ask ("call_7"));
  beckon_agent_fixture_assert_tools (fixture, 0, "ask_user get_current_time");
  g_settings_set_boolean (elsewhere, "enable-ask-user", FALSE);
  answer_and_finish (fixture, beckon_script_pick ("8080"), "8080");
  beckon_agent_fixture_assert_tools (fixture, 1, "get_current_time");

  g_settings_set_boolean (elsewhere, "enable-ask-user", TRUE);
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Again");
  beckon_agent_wait_until (beckon_fixture_server_count_requests (fixture->server) == 3);
  beckon_agent_fixture_assert_tools (fixture, 2, "ask_user get_current_time");
}

static void
test_no_question (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();
  g_autofree char *result = NULL;

  beckon_agent_fixture_script (fixture, beckon_script_call ("call_7", "ask_user", "{\"choices\":[\"a\",\"b\"]}"));
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Set it up");
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  result = beckon_agent_dup_result (beckon_fixture_server_get_request (fixture->server, 1), "call_7");
  g_assert_nonnull (strstr (result, "question"));
}

static BeckonRequest *
ask_two (BeckonAgentFixture *fixture)
{
  const BeckonScriptCall calls[] = {
    { "call_a", "ask_user", "{\"question\":\"First?\",\"choices\":[\"1\",\"2\"]}" },
    { "call_b", "ask_user", "{\"question\":\"Second?\",\"choices\":[\"3\",\"4\"]}" },
  };

  beckon_agent_fixture_script (fixture, beckon_script_calls (NULL, calls, 2, "tool_calls"));
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Set it up");
  return beckon_agent_fixture_wait_pending (fixture, 2);
}

static void
test_two (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();
  BeckonRequest *first = ask_two (fixture);
  BeckonRequest *second = beckon_agent_fixture_get_pending (fixture, 1);
  BeckonToolCall *call = beckon_conversation_find_call (fixture->conversation, beckon_request_get_call_id (first));

  g_assert_cmpstr (beckon_tool_call_get_provider_id (call), ==, "call_a");
  beckon_agent_fixture_answer (fixture, second, beckon_script_pick ("4"));
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 1);
  g_assert_cmpint (beckon_conversation_get_phase (fixture->conversation), ==, BECKON_RUN_WAITING);
  beckon_agent_fixture_answer (fixture, beckon_agent_fixture_wait_pending (fixture, 1), beckon_script_pick ("1"));
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  beckon_agent_fixture_assert_sent (fixture, 1,
                                    "user Set it up\nassistant\n"
                                    "  call call_a ask_user {\"question\":\"First?\",\"choices\":[\"1\",\"2\"]}\n"
                                    "  call call_b ask_user {\"question\":\"Second?\",\"choices\":[\"3\",\"4\"]}\n"
                                    "tool call_a 1\ntool call_b 4\n");
}

static void
test_one_of_two_dismissed (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();
  BeckonRequest *first = ask_two (fixture);
  g_autoptr (BeckonRequest) second = g_object_ref (beckon_agent_fixture_get_pending (fixture, 1));

  beckon_agent_fixture_answer (fixture, first, beckon_answer_new (BECKON_ANSWER_DECLINED, NULL));
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_DISMISSED);
  g_assert_cmpint (beckon_request_get_state (second), ==, BECKON_REQUEST_CANCELLED);
  beckon_agent_fixture_assert_shown (
      fixture, "user complete\n  text Set it up\nassistant complete\n"
               "  call call_a ask_user done {\"question\":\"First?\",\"choices\":[\"1\",\"2\"]} ⇒ "
               "The user dismissed this question\n"
               "  call call_b ask_user cancelled {\"question\":\"Second?\",\"choices\":[\"3\",\"4\"]} ⇒ "
               "The user did not answer; the operation was cancelled\n");
}

/* Too late: the words of the second answer are refused, and nothing of them reaches the model. */
static void
test_answered_twice (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();
  BeckonRequest *request = ask (fixture, beckon_script_ask ("call_7"));
  g_autofree char *id = g_strdup (beckon_request_get_id (request));
  g_autoptr (GError) error = NULL;

  answer_and_finish (fixture, beckon_script_pick ("8080"), "8080");
  g_assert_false (beckon_agent_fixture_try_answer (fixture->inbox, id, beckon_script_pick ("9090"), &error));
  g_assert_error (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_ALREADY_SETTLED);
}

/* As another process would: it has a store and an inbox of its own, and the run here goes on by the notice. */
static void
test_settled_elsewhere (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();
  g_autofree char *id = g_strdup (beckon_request_get_id (ask (fixture, beckon_script_ask ("call_7"))));
  BeckonAgentFixture *other = beckon_agent_fixture_new_over (fixture->directory, NULL);
  g_autoptr (GError) error = NULL;
  gboolean ok;

  g_assert_nonnull (beckon_inbox_lookup (other->inbox, id));
  ok = beckon_agent_fixture_try_answer (other->inbox, id, beckon_script_type ("from afar"), &error);
  g_assert_no_error (error);
  g_assert_true (ok);
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  assert_result (fixture, 1, "from afar");
  beckon_agent_fixture_free (other);
}

static void
test_dismissed_elsewhere (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();
  g_autofree char *id = g_strdup (beckon_request_get_id (ask (fixture, beckon_script_ask ("call_7"))));
  BeckonAgentFixture *other = beckon_agent_fixture_new_over (fixture->directory, NULL);
  g_autoptr (GError) error = NULL;

  beckon_agent_fixture_try_answer (other->inbox, id, beckon_answer_new (BECKON_ANSWER_DECLINED, NULL), &error);
  g_assert_no_error (error);
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_DISMISSED);
  beckon_agent_fixture_free (other);
}

/* The ground of the question is gone, and the run with it; nothing more is asked of the model. */
static void
test_deleted_elsewhere (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();
  g_autoptr (BeckonRequest) request = g_object_ref (ask (fixture, beckon_script_ask ("call_7")));
  BeckonAgentFixture *other = beckon_agent_fixture_new_over (fixture->directory, NULL);
  const char *id = beckon_conversation_get_id (fixture->conversation);

  beckon_library_delete (other->library, beckon_library_lookup (other->library, id));
  beckon_agent_wait_until (!beckon_conversation_is_busy (fixture->conversation));
  /* The library and the inbox read one after the other, and the deletion may fall between. */
  beckon_agent_wait_until (beckon_request_get_state (request) == BECKON_REQUEST_CANCELLED);
  beckon_agent_wait_until (g_list_model_get_n_items (G_LIST_MODEL (fixture->inbox)) == 0);
  beckon_agent_fixture_sync (fixture);
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 1);
  g_assert_null (beckon_library_lookup (fixture->library, id));
  beckon_agent_fixture_free (other);
}

static void
test_deleted (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();
  g_autoptr (BeckonRequest) request = g_object_ref (ask (fixture, beckon_script_ask ("call_7")));

  beckon_agent_stop (fixture->agent, fixture->conversation);
  beckon_library_delete (fixture->library, fixture->conversation);
  beckon_agent_wait_until (!beckon_conversation_is_busy (fixture->conversation));
  g_assert_cmpint (beckon_request_get_state (request), ==, BECKON_REQUEST_CANCELLED);
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 1);
}

static gboolean
draw (gpointer user_data)
{
  return G_SOURCE_CONTINUE;
}

/* A window whose frames are never all drawn, as with a renderer in software: what waits for a person is counted all the same,
 * and so is the answer. */
static void
test_counted_with_slow_frames (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();
  guint frames = g_idle_add_full (BECKON_PRIORITY_SHARED, draw, NULL, NULL);

  beckon_agent_fixture_script (fixture, beckon_script_ask ("call_7"));
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Set it up");
  beckon_agent_wait_until (beckon_conversation_get_waiting (fixture->conversation) == 1);
  beckon_agent_fixture_answer (fixture, beckon_agent_fixture_get_pending (fixture, 0), beckon_script_pick ("8080"));
  beckon_agent_wait_until (beckon_conversation_get_waiting (fixture->conversation) == 0);
  beckon_agent_wait_until (beckon_conversation_get_phase (fixture->conversation) == BECKON_RUN_COMPLETE);
  g_source_remove (frames);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/agent/ask/choice", test_choice);
  g_test_add_func ("/life/1-committed-before-it-shows", test_committed_before_shown);
  g_test_add_func ("/agent/ask/free-text", test_free_text);
  g_test_add_func ("/agent/ask/delegated", test_delegated);
  g_test_add_func ("/agent/ask/skipped", test_skipped);
  g_test_add_func ("/agent/ask/asked-back", test_asked_back);
  g_test_add_func ("/agent/ask/full-form", test_full_form);
  g_test_add_func ("/agent/ask/text-before", test_text_before);
  g_test_add_func ("/agent/ask/dismissed-stops", test_dismissed_stops);
  g_test_add_func ("/agent/ask/dismissed-continues", test_dismissed_continues);
  g_test_add_func ("/life/7-switched-off-before-the-card", test_switched_off);
  g_test_add_func ("/life/11-nobody-to-ask", test_no_person);
  g_test_add_func ("/agent/ask/switched-while-running", test_switched_while_running);
  g_test_add_func ("/agent/ask/no-question", test_no_question);
  g_test_add_func ("/life/10-several-in-one-reply-keep-their-order", test_two);
  g_test_add_func ("/agent/ask/one-of-two-dismissed", test_one_of_two_dismissed);
  g_test_add_func ("/life/3-the-second-never-reaches-the-run", test_answered_twice);
  g_test_add_func ("/agent/ask/settled-elsewhere", test_settled_elsewhere);
  g_test_add_func ("/agent/ask/dismissed-elsewhere", test_dismissed_elsewhere);
  g_test_add_func ("/life/7-deleting-cancels", test_deleted_elsewhere);
  g_test_add_func ("/agent/ask/deleted", test_deleted);
  g_test_add_func ("/agent/ask/counted-with-slow-frames", test_counted_with_slow_frames);
  return g_test_run ();
}
