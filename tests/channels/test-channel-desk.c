/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Questions of a run, answered from a phone. */
#include "beckon-channel-fixture.h"

#include "base/beckon-id.h"
#include "beckon-test-tool.h"
#include "beckon-tree.h"
#include "channels/beckon-channel-text.h"
#include "request/beckon-question-request.h"

#include <string.h>

#define assert_has(text, part) g_assert_nonnull (strstr ((text), (part)))
#define assert_lacks(text, part) g_assert_null (strstr ((text), (part)))

#define get_text beckon_channel_fixture_get_text

/* The last message that was sent says it. */
static void
wait_said (BeckonChannelFixture *fixture, const char *part)
{
  beckon_agent_wait_until (fixture->hub->sent->len > 0
                           && strstr (get_text (fixture, fixture->hub->sent->len - 1), part) != NULL);
}

/* The short code in the @nth message. */
static char *
dup_code (BeckonChannelFixture *fixture, guint nth)
{
  const char *text = get_text (fixture, nth);

  return g_strndup (text + strcspn (text, "[") + 1, 4);
}

static void
write_with_code (BeckonChannelFixture *fixture, guint nth, const char *text)
{
  g_autofree char *code = dup_code (fixture, nth);
  g_autofree char *line = g_strconcat (code, " ", text, NULL);

  beckon_loopback_write (fixture->hub, "anna", line, NULL);
}

/* @quote: as the server gives it: the id of a message, or its text. */
static void
write_in_reply_to (BeckonChannelFixture *fixture, const char *quote, const char *text)
{
  g_autofree char *id = beckon_id_new ();
  BeckonChannelIncoming *incoming = beckon_channel_incoming_new (id, "anna", text);

  incoming->quote = g_strdup (quote);
  beckon_loopback_take (fixture->hub, incoming);
}

static char *
dup_result (BeckonChannelFixture *fixture, guint request, const char *call)
{
  return beckon_agent_dup_result (beckon_fixture_server_get_request (fixture->agent->server, request), call);
}

static gboolean
has_value (BeckonChannelFixture *fixture, const char *sql, const char *expected)
{
  g_autofree char *value = beckon_channel_fixture_dup_value (fixture, sql);

  return g_strcmp0 (value, expected) == 0;
}

/* A message counts as sent for the other side before the store knows that it is. */
static void
assert_sql (BeckonChannelFixture *fixture, const char *sql, const char *expected)
{
  beckon_agent_fixture_sync (fixture->agent);
  beckon_agent_wait_until (has_value (fixture, sql, expected));
}

/* --- Answers ------------------------------------------------------------------------------------------------------ */

static void
test_button (void)
{
  g_autoptr (BeckonChannelFixture) fixture = beckon_channel_fixture_new ();
  BeckonRequest *request = g_object_ref (beckon_channel_fixture_ask (fixture));
  const BeckonChannelOutgoing *asked = beckon_channel_fixture_wait_sent (fixture, 1);
  const BeckonChannelOutgoing *closed;

  assert_has (asked->text, "Which port?\n1. 8080\n2. 9090");
  assert_lacks (asked->title, "port");
  g_assert_cmpuint (asked->choices->len, ==, 2);
  beckon_loopback_press (fixture->hub, "anna", 0, 1);
  beckon_agent_fixture_wait_end (fixture->agent, BECKON_RUN_COMPLETE);
  g_assert_cmpstr (beckon_request_get_front_end (request), ==, "loopback: Phone");
  g_assert_cmpstr (beckon_request_get_actor (request), ==, "anna");
  g_object_unref (request);

  /* The question says how it ended, without buttons; then the agent's last words come. */
  wait_said (fixture, "Done");
  g_assert_cmpuint (fixture->hub->sent->len, ==, 3);
  closed = beckon_loopback_get_sent (fixture->hub, 1)->message;
  g_assert_cmpstr (closed->edits, ==, "remote-0");
  assert_has (closed->text, "Which port?");
  assert_has (closed->text, "9090\n");
  assert_has (closed->text, "by the channel “Phone”");
  g_assert_cmpuint (closed->choices->len, ==, 0);
  g_assert_cmpuint (fixture->hub->acknowledged->len, ==, 1);
  assert_sql (fixture, "SELECT count (*) FROM channel_message WHERE state <> 'sent' OR (request IS NOT NULL AND NOT is_closed)",
              "0");
}

static void
test_typed (void)
{
  g_autoptr (BeckonChannelFixture) fixture = beckon_channel_fixture_new ();
  g_autofree char *result = NULL;

  beckon_channel_fixture_ask (fixture);
  beckon_loopback_write (fixture->hub, "anna", " 7070, and only here ", NULL);
  beckon_agent_fixture_wait_end (fixture->agent, BECKON_RUN_COMPLETE);
  result = dup_result (fixture, 1, "call_7");
  g_assert_cmpstr (result, ==, "7070, and only here");
}

static void
test_doubled (void)
{
  g_autoptr (BeckonChannelFixture) fixture = beckon_channel_fixture_new ();

  beckon_channel_fixture_ask (fixture);
  beckon_loopback_write (fixture->hub, "anna", "1", "same");
  beckon_agent_fixture_wait_end (fixture->agent, BECKON_RUN_COMPLETE);
  wait_said (fixture, "Done");
  beckon_loopback_write (fixture->hub, "anna", "1", "same");
  beckon_channel_fixture_settle (fixture);
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->agent->server), ==, 2);
  g_assert_cmpuint (fixture->hub->sent->len, ==, 3);
  assert_sql (fixture, "SELECT count (*) FROM channel_inbound WHERE message = 'same' AND body IS NULL", "1");
}

/* Another person was faster at the desktop. */
static void
test_elsewhere (void)
{
  g_autoptr (BeckonChannelFixture) fixture = beckon_channel_fixture_new ();
  BeckonRequest *request = beckon_channel_fixture_ask (fixture);
  g_autofree char *code = g_strdup (beckon_request_get_id (request) + BECKON_ID_LENGTH - 4);
  g_autofree char *line = g_strconcat (code, " 2", NULL);

  beckon_agent_fixture_answer (fixture->agent, request, beckon_script_pick ("8080"));
  beckon_channel_fixture_wait_sent (fixture, 2);
  assert_has (get_text (fixture, 1), "This was already answered by");
  beckon_agent_fixture_wait_end (fixture->agent, BECKON_RUN_COMPLETE);

  /* A late button, and a late line with its code. */
  beckon_loopback_press (fixture->hub, "anna", 0, 1);
  beckon_channel_fixture_wait_sent (fixture, 3);
  assert_has (get_text (fixture, 2), "This was already answered by");
  assert_has (g_ptr_array_index (fixture->hub->acknowledged, 0), "This was already answered by");
  beckon_loopback_write (fixture->hub, "anna", line, NULL);
  beckon_channel_fixture_wait_sent (fixture, 4);
  assert_has (get_text (fixture, 3), "This was already answered by");
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->agent->server), ==, 2);
}

static void
test_line_instead_of_edit (void)
{
  g_autoptr (BeckonChannelFixture) fixture = beckon_channel_fixture_new ();
  BeckonRequest *request;

  fixture->hub->limits.can_edit = FALSE;
  request = beckon_channel_fixture_ask (fixture);
  beckon_agent_fixture_answer (fixture->agent, request, beckon_script_pick ("8080"));
  beckon_channel_fixture_wait_sent (fixture, 2);
  g_assert_null (beckon_loopback_get_sent (fixture->hub, 1)->message->edits);
  assert_has (get_text (fixture, 1), "✓ 8080\nThis was already answered by");
  beckon_agent_fixture_wait_end (fixture->agent, BECKON_RUN_COMPLETE);
}

/* The program ends while a question waits; buttons of the old message work in the next one. */
static void
test_restart (void)
{
  g_autoptr (BeckonChannelFixture) fixture = beckon_channel_fixture_new ();
  g_autofree char *id = g_strdup (beckon_conversation_get_id (fixture->agent->conversation));
  g_autofree char *result = NULL;

  beckon_channel_fixture_ask (fixture);
  beckon_channel_fixture_restart (fixture);
  beckon_agent_set_adopts (fixture->agent->agent, TRUE);
  beckon_agent_fixture_open (fixture->agent, id);
  beckon_agent_fixture_recover (fixture->agent);
  beckon_agent_wait_until (beckon_channel_get_state (beckon_channel_fixture_get (fixture, "Phone"))
                           == BECKON_CHANNEL_CONNECTED);
  beckon_channel_fixture_settle (fixture);
  g_assert_cmpuint (fixture->hub->sent->len, ==, 1);
  beckon_loopback_press (fixture->hub, "anna", 0, 0);
  beckon_agent_fixture_wait_end (fixture->agent, BECKON_RUN_COMPLETE);
  result = dup_result (fixture, 1, "call_7");
  g_assert_cmpstr (result, ==, "8080");
  wait_said (fixture, "Done");
}

/* The question was answered while no program served the phone. */
static void
test_answered_meanwhile (void)
{
  g_autoptr (BeckonChannelFixture) fixture = beckon_channel_fixture_new ();
  BeckonRequest *request = beckon_channel_fixture_ask (fixture);

  beckon_channel_fixture_settle (fixture);
  beckon_channel_fixture_stop (fixture);
  beckon_agent_fixture_answer (fixture->agent, request, beckon_script_pick ("8080"));
  beckon_agent_fixture_wait_end (fixture->agent, BECKON_RUN_COMPLETE);
  g_assert_cmpuint (fixture->hub->sent->len, ==, 1);
  beckon_channel_fixture_start (fixture);
  beckon_channel_fixture_wait_sent (fixture, 2);
  g_assert_cmpstr (beckon_loopback_get_sent (fixture->hub, 1)->message->edits, ==, "remote-0");
  assert_has (get_text (fixture, 1), "This was already answered by");
}

#define TWO "{\"questions\":[{\"question\":\"Which port?\",\"options\":[\"8080\",\"9090\"]}," \
            "{\"question\":\"Which colours?\",\"options\":[\"red\",\"blue\"],\"multiple\":true}]}"

static void
test_two_parts (void)
{
  g_autoptr (BeckonChannelFixture) fixture = beckon_channel_fixture_new ();
  g_autofree char *result = NULL;

  beckon_agent_fixture_script (fixture->agent, beckon_script_call ("call_7", "ask_user", TWO));
  beckon_agent_fixture_script (fixture->agent, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (fixture->agent, fixture->agent->conversation, "Set it up");
  beckon_channel_fixture_wait_sent (fixture, 1);
  beckon_loopback_press (fixture->hub, "anna", 0, 0);
  beckon_channel_fixture_wait_sent (fixture, 2);
  assert_has (get_text (fixture, 1), "Which colours?");
  g_assert_cmpuint (beckon_loopback_get_sent (fixture->hub, 1)->message->choices->len, ==, 0);

  beckon_loopback_press (fixture->hub, "anna", 0, 1);
  beckon_channel_fixture_wait_sent (fixture, 3);
  assert_has (get_text (fixture, 2), "answered this part already");
  beckon_loopback_write (fixture->hub, "anna", "1,2", NULL);
  beckon_agent_fixture_wait_end (fixture->agent, BECKON_RUN_COMPLETE);
  result = dup_result (fixture, 1, "call_7");
  assert_has (result, "\"8080\"");
  assert_has (result, "\"red\",\"blue\"");
}

static void
test_codes (void)
{
  static const BeckonScriptCall calls[] = {
    { "call_1", "ask_user", BECKON_SCRIPT_QUESTION },
    { "call_2", "ask_user", "{\"question\":\"Which host?\"}" },
  };
  g_autoptr (BeckonChannelFixture) fixture = beckon_channel_fixture_new ();
  g_autofree char *line = NULL;
  g_autofree char *other = NULL;

  beckon_agent_fixture_script (fixture->agent, beckon_script_calls (NULL, calls, 2, "tool_calls"));
  beckon_agent_fixture_script (fixture->agent, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (fixture->agent, fixture->agent->conversation, "Set it up");
  beckon_channel_fixture_wait_sent (fixture, 2);
  beckon_loopback_write (fixture->hub, "anna", "1", NULL);
  beckon_channel_fixture_wait_sent (fixture, 3);
  assert_has (get_text (fixture, 2), "Several questions wait.");

  line = g_strdup_printf ("%.4s here", get_text (fixture, 1) + strcspn (get_text (fixture, 1), "[") + 1);
  beckon_loopback_write (fixture->hub, "anna", line, NULL);
  beckon_agent_wait_until (g_list_model_get_n_items (G_LIST_MODEL (fixture->agent->inbox)) == 1);
  /* The one that is left needs no code. */
  beckon_loopback_write (fixture->hub, "anna", "2", NULL);
  beckon_agent_fixture_wait_end (fixture->agent, BECKON_RUN_COMPLETE);
  other = dup_result (fixture, 1, "call_2");
  g_assert_cmpstr (other, ==, "here");
}

static void
ask_two (BeckonChannelFixture *fixture)
{
  static const BeckonScriptCall calls[] = {
    { "call_1", "ask_user", BECKON_SCRIPT_QUESTION },
    { "call_2", "ask_user", "{\"question\":\"Which host?\"}" },
  };

  beckon_agent_fixture_script (fixture->agent, beckon_script_calls (NULL, calls, 2, "tool_calls"));
  beckon_agent_fixture_script (fixture->agent, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (fixture->agent, fixture->agent->conversation, "Set it up");
  beckon_channel_fixture_wait_sent (fixture, 2);
  assert_has (get_text (fixture, 0), "Which port?");
}

static void
assert_answered (BeckonChannelFixture *fixture, const char *call, const char *answer)
{
  g_autofree char *result = NULL;

  beckon_agent_fixture_wait_end (fixture->agent, BECKON_RUN_COMPLETE);
  result = dup_result (fixture, 1, call);
  g_assert_cmpstr (result, ==, answer);
}

/* A reply to a question that is over is no answer to the one that still waits. */
static void
test_quoted (void)
{
  g_autoptr (BeckonChannelFixture) fixture = beckon_channel_fixture_new ();
  g_autofree char *asked = NULL;

  ask_two (fixture);
  asked = g_strdup (get_text (fixture, 0));
  beckon_agent_fixture_answer (fixture->agent, beckon_agent_fixture_get_pending (fixture->agent, 0),
                               beckon_script_pick ("8080"));
  beckon_channel_fixture_wait_sent (fixture, 3);
  write_in_reply_to (fixture, asked, "1");
  beckon_channel_fixture_wait_sent (fixture, 4);
  assert_has (get_text (fixture, 3), "This was already answered by");
  write_in_reply_to (fixture, "remote-0", "1");
  beckon_channel_fixture_wait_sent (fixture, 5);
  assert_has (get_text (fixture, 4), "This was already answered by");
  write_in_reply_to (fixture, "Something else", "1");
  beckon_channel_fixture_wait_sent (fixture, 6);
  assert_has (get_text (fixture, 5), "Begin your reply with the code");
  assert_has (get_text (fixture, 5), "Which host?");
  write_in_reply_to (fixture, get_text (fixture, 1), "here");
  assert_answered (fixture, "call_2", "here");
}

static void
test_late_code (void)
{
  g_autoptr (BeckonChannelFixture) fixture = beckon_channel_fixture_new ();

  ask_two (fixture);
  beckon_agent_fixture_answer (fixture->agent, beckon_agent_fixture_get_pending (fixture->agent, 0),
                               beckon_script_pick ("8080"));
  beckon_channel_fixture_wait_sent (fixture, 3);
  write_with_code (fixture, 0, "blue");
  beckon_channel_fixture_wait_sent (fixture, 4);
  assert_has (get_text (fixture, 3), "This was already answered by");
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (fixture->agent->inbox)), ==, 1);
  /* A word of four letters only looks like a code; a moment ago it may have been for the other one. */
  beckon_clock_advance (fixture->agent->clock, 11 * 1000);
  beckon_loopback_write (fixture->hub, "anna", "blue", NULL);
  assert_answered (fixture, "call_2", "blue");
}

/* Answers to the first parts are only in the memory of a program that has ended. */
static void
test_half_answered (void)
{
  g_autoptr (BeckonChannelFixture) fixture = beckon_channel_fixture_new ();
  g_autofree char *id = g_strdup (beckon_conversation_get_id (fixture->agent->conversation));
  g_autofree char *result = NULL;

  beckon_agent_fixture_script (fixture->agent, beckon_script_call ("call_7", "ask_user", TWO));
  beckon_agent_fixture_script (fixture->agent, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (fixture->agent, fixture->agent->conversation, "Set it up");
  beckon_channel_fixture_wait_sent (fixture, 1);
  beckon_loopback_press (fixture->hub, "anna", 0, 0);
  beckon_channel_fixture_wait_sent (fixture, 2);
  beckon_channel_fixture_restart (fixture);
  beckon_agent_set_adopts (fixture->agent->agent, TRUE);
  beckon_agent_fixture_open (fixture->agent, id);
  beckon_agent_fixture_recover (fixture->agent);
  beckon_agent_wait_until (beckon_channel_get_state (beckon_channel_fixture_get (fixture, "Phone"))
                           == BECKON_CHANNEL_CONNECTED);
  beckon_channel_fixture_settle (fixture);

  beckon_loopback_write (fixture->hub, "anna", "1", NULL);
  beckon_agent_wait_until (fixture->hub->sent->len >= 4);
  assert_has (get_text (fixture, 2), "Answer it once more.");
  assert_has (get_text (fixture, 3), "Which port?");
  beckon_loopback_press (fixture->hub, "anna", 3, 1);
  beckon_channel_fixture_wait_sent (fixture, 5);
  assert_has (get_text (fixture, 4), "Which colours?");
  beckon_loopback_write (fixture->hub, "anna", "2", NULL);
  beckon_agent_fixture_wait_end (fixture->agent, BECKON_RUN_COMPLETE);
  result = dup_result (fixture, 1, "call_7");
  assert_has (result, "\"9090\"");
  assert_has (result, "\"blue\"");
}

/* A button says its place, not the label of another. */
static void
test_numbers (void)
{
  g_autoptr (BeckonChannelFixture) fixture = beckon_channel_fixture_new ();

  beckon_agent_fixture_script (
      fixture->agent,
      beckon_script_call ("call_7", "ask_user", "{\"question\":\"How many?\",\"choices\":[\"2\",\"3\"]}"));
  beckon_agent_fixture_script (fixture->agent, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (fixture->agent, fixture->agent->conversation, "Set it up");
  beckon_channel_fixture_wait_sent (fixture, 1);
  beckon_loopback_press (fixture->hub, "anna", 0, 1);
  assert_answered (fixture, "call_7", "3");
}

static void
test_secret (void)
{
  g_autoptr (BeckonChannelFixture) fixture = beckon_channel_fixture_new ();

  beckon_agent_fixture_script (fixture->agent,
                               beckon_script_call ("call_7", "ask_user",
                                                   "{\"questions\":[{\"question\":\"The key?\",\"secret\":true}]}"));
  beckon_agent_fixture_send (fixture->agent, fixture->agent->conversation, "Set it up");
  beckon_channel_fixture_wait_sent (fixture, 1);
  g_assert_cmpstr (get_text (fixture, 0), ==, "The agent has a question. Answer it on the desktop.");

  /* Words are no answer to it. */
  beckon_loopback_write (fixture->hub, "anna", "hunter2", NULL);
  beckon_channel_fixture_settle (fixture);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (fixture->agent->inbox)), ==, 1);
  beckon_agent_fixture_stop (fixture->agent);
}

/* Whether a server may do something is decided on the desktop, though it is a question with choices. */
static void
test_lets_server (void)
{
  g_autoptr (BeckonChannelFixture) fixture = beckon_channel_fixture_new ();
  BeckonChannelAccount *account = beckon_channel_get_account (beckon_channel_fixture_get (fixture, "Phone"));
  g_autoptr (BeckonQuestion) question = beckon_question_parse ("{\"question\":\"May it?\",\"choices\":[\"Yes\",\"No\"]}", NULL);
  g_autoptr (BeckonRequest) own = beckon_question_request_new (NULL, "talk", "message", "call", question, 1);
  g_autoptr (BeckonRequest) servers = beckon_question_request_new (NULL, "talk", "message", "call", question, 1);

  beckon_request_take_asked_by (servers, beckon_asked_by_new (BECKON_ASKED_BY_SERVER, "weather"));
  g_assert_cmpint (beckon_channel_text_get_offer (own, account, &fixture->hub->limits), ==, BECKON_CHANNEL_OFFER_WHOLE);
  g_assert_cmpint (beckon_channel_text_get_offer (servers, account, &fixture->hub->limits), ==, BECKON_CHANNEL_OFFER_NOTICE);
}

/* --- Approvals ---------------------------------------------------------------------------------------------------- */

static BeckonTestTool *
ask_approval (BeckonChannelFixture *fixture, gboolean approves, const char *arguments)
{
  BeckonChannelAccount *account
      = beckon_channel_account_copy (beckon_channel_get_account (beckon_channel_fixture_get (fixture, "Phone")));
  BeckonTestTool *tool = beckon_test_tool_new ("paint", FALSE);

  account->approves = approves;
  beckon_channel_fixture_save (fixture, account);
  beckon_tool_registry_add (fixture->agent->tools, BECKON_TOOL (tool));
  beckon_agent_fixture_script (fixture->agent, beckon_script_call ("call_7", "paint", arguments));
  beckon_agent_fixture_script (fixture->agent, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (fixture->agent, fixture->agent->conversation, "Paint it");
  beckon_channel_fixture_wait_sent (fixture, 1);
  return tool;
}

static void
test_approval_off (void)
{
  g_autoptr (BeckonChannelFixture) fixture = beckon_channel_fixture_new ();
  g_autoptr (BeckonTestTool) tool = ask_approval (fixture, FALSE, "{\"wall\":\"red\"}");

  g_assert_cmpstr (get_text (fixture, 0), ==, "The agent asks whether a call may run. Answer it on the desktop.");
  g_assert_cmpuint (beckon_loopback_get_sent (fixture->hub, 0)->message->choices->len, ==, 0);
  beckon_loopback_write (fixture->hub, "anna", "1", NULL);
  beckon_channel_fixture_settle (fixture);
  g_assert_cmpuint (beckon_test_tool_get_n_begun (tool), ==, 0);
  beckon_agent_fixture_stop (fixture->agent);
}

static void
test_approval_run (void)
{
  g_autoptr (BeckonChannelFixture) fixture = beckon_channel_fixture_new ();
  g_autoptr (BeckonTestTool) tool = ask_approval (fixture, TRUE, "{\"wall\":\"red\"}");

  assert_has (get_text (fixture, 0), "wall: red");
  assert_has (get_text (fixture, 0), "1. Run\n2. Deny");
  assert_lacks (get_text (fixture, 0), "3.");
  /* Only what the message names does anything. */
  beckon_loopback_write (fixture->hub, "anna", "yes please", NULL);
  beckon_channel_fixture_wait_sent (fixture, 2);
  write_with_code (fixture, 0, "{\"wall\":\"blue\"}");
  beckon_channel_fixture_wait_sent (fixture, 3);
  assert_has (get_text (fixture, 2), "Calls are changed on the desktop.");
  g_assert_cmpuint (beckon_test_tool_get_n_begun (tool), ==, 0);
  beckon_loopback_press (fixture->hub, "anna", 0, 0);
  beckon_agent_fixture_wait_end (fixture->agent, BECKON_RUN_COMPLETE);
  g_assert_cmpstr (beckon_test_tool_get_log (tool), ==, "{\"wall\":\"red\"}\n");
}

/* An edit is shown by its difference, as everywhere. */
static void
test_approval_edit (void)
{
  g_autoptr (BeckonChannelFixture) fixture = beckon_channel_fixture_new ();
  g_autofree char *folder = g_dir_make_tmp ("beckon-desk-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "a.txt", NULL);
  g_autofree char *contents = NULL;
  g_autoptr (BeckonOutputStore) outputs = beckon_output_store_new ();
  BeckonChannelAccount *account
      = beckon_channel_account_copy (beckon_channel_get_account (beckon_channel_fixture_get (fixture, "Phone")));

  account->approves = TRUE;
  beckon_channel_fixture_save (fixture, account);
  g_assert_true (g_file_set_contents (path, "one\ntwo\nthree\n", -1, NULL));
  beckon_tool_registry_add_working (fixture->agent->tools, &(BeckonToolParts){
                                                               .copies = BECKON_FILE_COPIES (fixture->agent->store),
                                                               .memory = BECKON_MEMORY (fixture->agent->store),
                                                               .outputs = outputs,
                                                           });
  beckon_conversation_set_folder (fixture->agent->conversation, folder);
  beckon_agent_fixture_script (fixture->agent,
                               beckon_script_call ("call_7", "edit_file",
                                                   "{\"path\":\"a.txt\",\"old_text\":\"two\",\"new_text\":\"2\"}"));
  beckon_agent_fixture_script (fixture->agent, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (fixture->agent, fixture->agent->conversation, "Edit it");
  beckon_channel_fixture_wait_sent (fixture, 1);
  assert_has (get_text (fixture, 0), "-two\n");
  assert_has (get_text (fixture, 0), "+2\n");
  assert_lacks (get_text (fixture, 0), "old_text");
  beckon_loopback_press (fixture->hub, "anna", 0, 0);
  beckon_agent_fixture_wait_end (fixture->agent, BECKON_RUN_COMPLETE);
  g_assert_true (g_file_get_contents (path, &contents, NULL, NULL));
  g_assert_cmpstr (contents, ==, "one\n2\nthree\n");
  beckon_tree_remove (folder);
}

static void
test_approval_deny (void)
{
  g_autoptr (BeckonChannelFixture) fixture = beckon_channel_fixture_new ();
  g_autoptr (BeckonTestTool) tool = ask_approval (fixture, TRUE, "{\"wall\":\"red\"}");
  g_autofree char *result = NULL;

  write_with_code (fixture, 0, "/deny too loud");
  beckon_agent_fixture_wait_end (fixture->agent, BECKON_RUN_COMPLETE);
  g_assert_cmpuint (beckon_test_tool_get_n_begun (tool), ==, 0);
  result = dup_result (fixture, 1, "call_7");
  assert_has (result, "too loud");
}

/* A number without a code runs nothing. */
static void
test_approval_typed (void)
{
  g_autoptr (BeckonChannelFixture) fixture = beckon_channel_fixture_new ();
  g_autoptr (BeckonTestTool) tool = ask_approval (fixture, TRUE, "{\"wall\":\"red\"}");
  g_autofree char *code = dup_code (fixture, 0);

  beckon_loopback_write (fixture->hub, "anna", "1", NULL);
  beckon_channel_fixture_wait_sent (fixture, 2);
  assert_has (get_text (fixture, 1), "Begin your reply with the code");
  assert_has (get_text (fixture, 1), code);
  g_assert_cmpuint (beckon_test_tool_get_n_begun (tool), ==, 0);
  write_with_code (fixture, 0, "1");
  beckon_agent_fixture_wait_end (fixture->agent, BECKON_RUN_COMPLETE);
  g_assert_cmpuint (beckon_test_tool_get_n_begun (tool), ==, 1);
}

static void
test_approval_quoted (void)
{
  g_autoptr (BeckonChannelFixture) fixture = beckon_channel_fixture_new ();
  g_autoptr (BeckonTestTool) tool = ask_approval (fixture, TRUE, "{\"wall\":\"red\"}");

  write_in_reply_to (fixture, "remote-0", "1");
  beckon_agent_fixture_wait_end (fixture->agent, BECKON_RUN_COMPLETE);
  g_assert_cmpuint (beckon_test_tool_get_n_begun (tool), ==, 1);
}

/* A call of which only a notice was sent is shown before it can be answered. */
static void
test_approval_switched_on (void)
{
  g_autoptr (BeckonChannelFixture) fixture = beckon_channel_fixture_new ();
  g_autoptr (BeckonTestTool) tool = ask_approval (fixture, FALSE, "{\"wall\":\"red\"}");
  BeckonChannelAccount *account
      = beckon_channel_account_copy (beckon_channel_get_account (beckon_channel_fixture_get (fixture, "Phone")));

  account->approves = TRUE;
  beckon_channel_fixture_save (fixture, account);
  beckon_channel_fixture_wait_sent (fixture, 2);
  assert_has (get_text (fixture, 1), "wall: red");
  write_in_reply_to (fixture, "remote-0", "1");
  beckon_channel_fixture_wait_sent (fixture, 3);
  assert_has (get_text (fixture, 2), "Begin your reply with the code");
  g_assert_cmpuint (beckon_test_tool_get_n_begun (tool), ==, 0);
  beckon_loopback_press (fixture->hub, "anna", 1, 0);
  beckon_agent_fixture_wait_end (fixture->agent, BECKON_RUN_COMPLETE);
  g_assert_cmpuint (beckon_test_tool_get_n_begun (tool), ==, 1);
}

/* More than a terminal shows at once, and all of it in one message. */
static void
test_approval_many (void)
{
  g_autoptr (BeckonChannelFixture) fixture = beckon_channel_fixture_new ();
  g_autoptr (GString) arguments = g_string_new ("{\"wall\":\"red\"");
  g_autoptr (BeckonTestTool) tool = NULL;

  for (guint i = 0; i < 20; i++)
    g_string_append_printf (arguments, ",\"part%u\":\"value%u\"", i, i);
  g_string_append_c (arguments, '}');
  tool = ask_approval (fixture, TRUE, arguments->str);
  assert_has (get_text (fixture, 0), "value19");
  beckon_loopback_press (fixture->hub, "anna", 0, 0);
  beckon_agent_fixture_wait_end (fixture->agent, BECKON_RUN_COMPLETE);
  g_assert_cmpuint (beckon_test_tool_get_n_begun (tool), ==, 1);
}

/* A call that one message can't show whole is not offered. */
static void
test_approval_long (void)
{
  g_autoptr (BeckonChannelFixture) fixture = beckon_channel_fixture_new ();
  g_autofree char *much = g_strnfill (5000, 'x');
  g_autofree char *arguments = g_strdup_printf ("{\"wall\":\"%s\"}", much);
  g_autoptr (BeckonTestTool) tool = ask_approval (fixture, TRUE, arguments);

  g_assert_cmpstr (get_text (fixture, 0), ==, "The agent asks whether a call may run. Answer it on the desktop.");
  beckon_agent_fixture_stop (fixture->agent);
}

/* --- Who may speak ------------------------------------------------------------------------------------------------ */

static void
test_stranger (void)
{
  g_autoptr (BeckonChannelFixture) fixture = beckon_channel_fixture_new ();

  beckon_channel_fixture_ask (fixture);
  beckon_loopback_write (fixture->hub, "eve", "1", NULL);
  beckon_loopback_press (fixture->hub, "eve", 0, 0);
  beckon_channel_fixture_settle (fixture);
  g_assert_cmpuint (fixture->hub->sent->len, ==, 1);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (fixture->agent->inbox)), ==, 1);
  assert_sql (fixture, "SELECT count (*) FROM channel_inbound WHERE address = 'eve' AND body IS NULL", "2");
  beckon_agent_fixture_stop (fixture->agent);
}

static void
test_group (void)
{
  g_autoptr (BeckonChannelFixture) fixture = beckon_channel_fixture_new ();
  BeckonChannelIncoming *incoming = beckon_channel_incoming_new ("7", "anna", "1");

  beckon_channel_fixture_ask (fixture);
  incoming->is_group = TRUE;
  beckon_loopback_take (fixture->hub, incoming);
  beckon_channel_fixture_settle (fixture);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (fixture->agent->inbox)), ==, 1);
  beckon_agent_fixture_stop (fixture->agent);
}

static void
keep_result (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

static void
test_wrong_codes (void)
{
  g_autoptr (BeckonChannelFixture) fixture = beckon_channel_fixture_new ();
  BeckonChannel *channel = beckon_channel_fixture_add (fixture, "Tablet");
  BeckonLoopbackHub *hub = beckon_loopback_hub ("Tablet");
  GAsyncResult *made = NULL;
  g_autofree char *code = NULL;

  beckon_channels_pair_async (fixture->channels, channel, NULL, keep_result, &made);
  beckon_agent_wait_until (made != NULL);
  code = beckon_channels_pair_finish (fixture->channels, made, NULL);
  g_object_unref (made);
  for (guint i = 0; i < BECKON_CHANNEL_PAIR_TRIES; i++)
    {
      beckon_loopback_write (hub, "eve", "ABCD1234", NULL);
      beckon_channel_fixture_settle (fixture);
    }
  beckon_agent_wait_until (beckon_channel_get_account (channel)->pair_code == NULL);
  /* The right one comes too late. */
  beckon_loopback_write (hub, "eve", code, NULL);
  beckon_channel_fixture_settle (fixture);
  g_assert_null (beckon_channel_get_account (channel)->address);
  g_assert_cmpuint (hub->sent->len, ==, 0);
}

/* Many at once are no more tries. */
static void
test_burst (void)
{
  g_autoptr (BeckonChannelFixture) fixture = beckon_channel_fixture_new ();
  BeckonChannel *channel = beckon_channel_fixture_add (fixture, "Tablet");
  BeckonLoopbackHub *hub = beckon_loopback_hub ("Tablet");
  GAsyncResult *made = NULL;
  g_autofree char *code = NULL;

  beckon_channels_pair_async (fixture->channels, channel, NULL, keep_result, &made);
  beckon_agent_wait_until (made != NULL);
  code = beckon_channels_pair_finish (fixture->channels, made, NULL);
  g_object_unref (made);
  for (guint i = 0; i < BECKON_CHANNEL_PAIR_TRIES; i++)
    beckon_loopback_write (hub, "eve", "ABCD1234", NULL);
  beckon_loopback_write (hub, "eve", code, NULL);
  beckon_agent_wait_until (
      has_value (fixture, "SELECT count (*) FROM channel_inbound WHERE address = 'eve' AND body IS NULL", "6"));
  beckon_channel_fixture_settle (fixture);
  g_assert_null (beckon_channel_get_account (channel)->address);
  assert_sql (fixture, "SELECT count (*) FROM channel_peer WHERE address = 'eve'", "0");
  g_assert_cmpuint (hub->sent->len, ==, 0);
}

/* Another person is paired: they are asked themselves, and messages to the one before are not theirs. */
static void
test_paired_anew (void)
{
  g_autoptr (BeckonChannelFixture) fixture = beckon_channel_fixture_new ();
  const BeckonChannelOutgoing *asked;

  beckon_channel_fixture_ask (fixture);
  beckon_channel_fixture_pair (fixture, beckon_channel_fixture_get (fixture, "Phone"), "bob");
  asked = beckon_channel_fixture_wait_sent (fixture, 3);
  g_assert_cmpstr (asked->address, ==, "bob");
  assert_has (asked->text, "Which port?");
  assert_sql (fixture, "SELECT count (*) FROM channel_message WHERE address = 'anna' AND NOT is_closed AND request IS NOT NULL",
              "0");
  beckon_loopback_press (fixture->hub, "bob", 0, 0);
  beckon_channel_fixture_wait_sent (fixture, 4);
  assert_has (get_text (fixture, 3), "This button is not known any more.");
  beckon_loopback_press (fixture->hub, "bob", 2, 0);
  beckon_agent_fixture_wait_end (fixture->agent, BECKON_RUN_COMPLETE);
  wait_said (fixture, "Done");
  for (guint i = 1; i < fixture->hub->sent->len; i++)
    {
      const BeckonChannelOutgoing *message = beckon_loopback_get_sent (fixture->hub, i)->message;

      g_assert_cmpstr (message->address, ==, "bob");
      g_assert_cmpstr (message->edits, !=, "remote-0");
    }
}

/* Only the code itself, which somebody was told, is answered. */
static void
assert_told_void (BeckonLoopbackHub *hub, const char *address, const char *code)
{
  const BeckonChannelOutgoing *said;

  beckon_loopback_write (hub, address, code, NULL);
  beckon_agent_wait_until (hub->sent->len == 1);
  said = beckon_loopback_get_sent (hub, 0)->message;
  g_assert_cmpstr (said->address, ==, address);
  assert_has (said->text, "This code was used, or has expired.");
}

static void
test_old_code (void)
{
  g_autoptr (BeckonChannelFixture) fixture = beckon_channel_fixture_new ();
  BeckonChannel *channel = beckon_channel_fixture_add (fixture, "Tablet");
  BeckonLoopbackHub *hub = beckon_loopback_hub ("Tablet");
  GAsyncResult *made = NULL;
  g_autofree char *code = NULL;

  beckon_channels_pair_async (fixture->channels, channel, NULL, keep_result, &made);
  beckon_agent_wait_until (made != NULL);
  code = beckon_channels_pair_finish (fixture->channels, made, NULL);
  g_object_unref (made);
  beckon_clock_advance (fixture->agent->clock, BECKON_CHANNEL_PAIR_S * 1000 + 1);
  beckon_loopback_write (hub, "eve", "ABCD1234", NULL);
  beckon_channel_fixture_settle (fixture);
  g_assert_cmpuint (hub->sent->len, ==, 0);
  assert_told_void (hub, "eve", code);
  g_assert_null (beckon_channel_get_account (channel)->address);
}

/* The second one to send it is told, and nothing else changes. */
static void
test_used_code (void)
{
  g_autoptr (BeckonChannelFixture) fixture = beckon_channel_fixture_new ();
  BeckonChannel *channel = beckon_channel_fixture_add (fixture, "Tablet");
  BeckonLoopbackHub *hub = beckon_loopback_hub ("Tablet");
  GAsyncResult *made = NULL;
  g_autofree char *code = NULL;

  beckon_channels_pair_async (fixture->channels, channel, NULL, keep_result, &made);
  beckon_agent_wait_until (made != NULL);
  code = beckon_channels_pair_finish (fixture->channels, made, NULL);
  g_object_unref (made);
  beckon_loopback_write (hub, "bob", code, NULL);
  beckon_agent_wait_until (hub->sent->len == 1);
  g_ptr_array_set_size (hub->sent, 0);
  assert_told_void (hub, "eve", code);
  g_assert_cmpstr (beckon_channel_get_account (channel)->address, ==, "bob");
}

/* --- When it is not sent ------------------------------------------------------------------------------------------ */

static void
test_watched (void)
{
  g_autoptr (BeckonChannelFixture) fixture = beckon_channel_fixture_new ();

  beckon_channels_set_watched (fixture->channels, beckon_conversation_get_id (fixture->agent->conversation));
  beckon_agent_fixture_script (fixture->agent, beckon_script_ask ("call_7"));
  beckon_agent_fixture_send (fixture->agent, fixture->agent->conversation, "Set it up");
  beckon_agent_fixture_wait_pending (fixture->agent, 1);
  beckon_channel_fixture_settle (fixture);
  g_assert_cmpuint (fixture->hub->sent->len, ==, 0);
  beckon_channels_set_watched (fixture->channels, NULL);
  beckon_channel_fixture_wait_sent (fixture, 1);
  beckon_agent_fixture_stop (fixture->agent);
}

static void
test_quiet (void)
{
  g_autoptr (BeckonChannelFixture) fixture = beckon_channel_fixture_new ();
  BeckonChannelAccount *account
      = beckon_channel_account_copy (beckon_channel_get_account (beckon_channel_fixture_get (fixture, "Phone")));
  gint64 minute = beckon_clock_get_real_time (fixture->agent->clock) / G_TIME_SPAN_MINUTE % (24 * 60);

  account->quiet_from = (guint) minute;
  account->quiet_to = (guint) ((minute + 30) % (24 * 60));
  beckon_channel_fixture_save (fixture, account);
  beckon_agent_fixture_script (fixture->agent, beckon_script_ask ("call_7"));
  beckon_agent_fixture_send (fixture->agent, fixture->agent->conversation, "Set it up");
  beckon_agent_fixture_wait_pending (fixture->agent, 1);
  beckon_channel_fixture_settle (fixture);
  g_assert_cmpuint (fixture->hub->sent->len, ==, 0);
  /* A person who asks is told. */
  beckon_loopback_write (fixture->hub, "anna", "/status", NULL);
  beckon_channel_fixture_wait_sent (fixture, 1);
  assert_has (get_text (fixture, 0), "1 more waits on the desktop.");
  beckon_clock_advance (fixture->agent->clock, 31 * 60 * 1000);
  beckon_channel_fixture_wait_sent (fixture, 2);
  assert_has (get_text (fixture, 1), "Which port?");
  beckon_agent_fixture_stop (fixture->agent);
}

/* --- What is sent again ------------------------------------------------------------------------------------------- */

static void
test_failures (void)
{
  g_autoptr (BeckonChannelFixture) fixture = beckon_channel_fixture_new ();

  fixture->hub->failures = 3;
  fixture->hub->failure = BECKON_CHANNEL_ERROR_NETWORK;
  beckon_agent_fixture_script (fixture->agent, beckon_script_ask ("call_7"));
  beckon_agent_fixture_send (fixture->agent, fixture->agent->conversation, "Set it up");
  beckon_agent_fixture_wait_pending (fixture->agent, 1);
  for (guint i = 3; i > 0; i--)
    {
      beckon_agent_wait_until (fixture->hub->failures == i - 1);
      beckon_channel_fixture_settle (fixture);
      g_assert_cmpuint (fixture->hub->sent->len, ==, 0);
      beckon_clock_advance (fixture->agent->clock, 10 * 60 * 1000);
    }
  beckon_channel_fixture_wait_sent (fixture, 1);
  beckon_agent_fixture_stop (fixture->agent);
}

static void
test_limited (void)
{
  g_autoptr (BeckonChannelFixture) fixture = beckon_channel_fixture_new ();

  fixture->hub->failures = 1;
  fixture->hub->failure = BECKON_CHANNEL_ERROR_LIMITED;
  fixture->hub->pause_s = 100;
  beckon_agent_fixture_script (fixture->agent, beckon_script_ask ("call_7"));
  beckon_agent_fixture_send (fixture->agent, fixture->agent->conversation, "Set it up");
  beckon_agent_wait_until (fixture->hub->failures == 0);
  beckon_channel_fixture_settle (fixture);
  beckon_clock_advance (fixture->agent->clock, 99 * 1000);
  beckon_channel_fixture_settle (fixture);
  g_assert_cmpuint (fixture->hub->sent->len, ==, 0);
  beckon_clock_advance (fixture->agent->clock, 2 * 1000);
  beckon_channel_fixture_wait_sent (fixture, 1);
  beckon_agent_fixture_stop (fixture->agent);
}

static void
test_replies (void)
{
  g_autoptr (BeckonChannelFixture) fixture = beckon_channel_fixture_new ();

  fixture->hub->limits.replies = 2;
  beckon_clock_advance (fixture->agent->clock, 1000);
  beckon_loopback_write (fixture->hub, "anna", "/help", NULL);
  beckon_channel_fixture_wait_sent (fixture, 1);
  beckon_agent_fixture_script (fixture->agent, beckon_script_ask ("call_7"));
  beckon_agent_fixture_script (fixture->agent, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (fixture->agent, fixture->agent->conversation, "Set it up");
  beckon_channel_fixture_wait_sent (fixture, 2);
  /* No reply is left, so that the end waits until the person writes. */
  fixture->hub->limits.can_edit = FALSE;
  beckon_agent_fixture_answer (fixture->agent, beckon_agent_fixture_get_pending (fixture->agent, 0),
                               beckon_script_pick ("8080"));
  beckon_agent_fixture_wait_end (fixture->agent, BECKON_RUN_COMPLETE);
  beckon_channel_fixture_settle (fixture);
  g_assert_cmpuint (fixture->hub->sent->len, ==, 2);
  beckon_clock_advance (fixture->agent->clock, 1000);
  beckon_loopback_write (fixture->hub, "anna", "/status", NULL);
  beckon_agent_wait_until (fixture->hub->sent->len == 4);
  assert_has (get_text (fixture, 2), "✓ 8080");
}

/* The account is served anew while a file is on its way: its message is handled once more, and no message is lost. */
static void
test_served_anew (void)
{
  g_autoptr (BeckonChannelFixture) fixture = beckon_channel_fixture_new ();
  BeckonChannelIncoming *incoming = beckon_channel_incoming_new ("7", "anna", "Look at this");

  beckon_agent_fixture_script (fixture->agent, beckon_fixture_reply_new_chat ("Seen"));
  fixture->hub->hangs_files = TRUE;
  beckon_channel_incoming_add_attachment (incoming, "The words of the file", "file.txt", "text/plain", -1);
  beckon_loopback_take (fixture->hub, incoming);
  beckon_agent_wait_until (fixture->hub->fetched == 1);
  beckon_channels_set_serving (fixture->channels, FALSE);
  fixture->hub->hangs_files = FALSE;
  beckon_loopback_write (fixture->hub, "anna", "/help", NULL);
  beckon_channels_set_serving (fixture->channels, TRUE);
  beckon_agent_wait_until (fixture->hub->sent->len >= 2);
  beckon_channel_fixture_settle (fixture);
  g_assert_cmpuint (fixture->hub->fetched, ==, 2);
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->agent->server), ==, 1);
  assert_has (beckon_fixture_server_get_request (fixture->agent->server, 0)->body, "The words of the file");
  assert_sql (fixture, "SELECT count (*) FROM channel_inbound WHERE body IS NOT NULL", "0");
}

static const char long_question[]
  = "{\"questions\":[{\"question\":\"%s\",\"options\":[{\"label\":\"8080\"},{\"label\":\"9090\"}]}]}";

/* A question that takes two messages: "aaa…" and "bbb…" with the choices. */
static void
ask_long (BeckonChannelFixture *fixture)
{
  g_autofree char *first = g_strnfill (900, 'a');
  g_autofree char *second = g_strnfill (900, 'b');
  g_autofree char *text = g_strconcat (first, "\\n\\n", second, NULL);
  g_autofree char *arguments = g_strdup_printf (long_question, text);

  fixture->hub->limits.max_characters = 1200;
  beckon_agent_fixture_script (fixture->agent, beckon_script_call ("call_7", "ask_user", arguments));
  beckon_agent_fixture_send (fixture->agent, fixture->agent->conversation, "Set it up");
  beckon_agent_fixture_wait_pending (fixture->agent, 1);
}

/* A piece that is sent again is not passed by the next one. */
static void
test_order (void)
{
  g_autoptr (BeckonChannelFixture) fixture = beckon_channel_fixture_new ();

  fixture->hub->failures = 1;
  fixture->hub->failure = BECKON_CHANNEL_ERROR_LATE;
  ask_long (fixture);
  beckon_agent_wait_until (fixture->hub->failures == 0);
  beckon_channel_fixture_settle (fixture);
  g_assert_cmpuint (fixture->hub->sent->len, ==, 0);
  beckon_clock_advance (fixture->agent->clock, 10 * 60 * 1000);
  beckon_channel_fixture_wait_sent (fixture, 2);
  assert_has (get_text (fixture, 0), "aaa");
  assert_has (get_text (fixture, 1), "bbb");
  assert_sql (fixture, "SELECT count (*) FROM channel_message WHERE conversation IS NULL AND text LIKE '%aaa%'", "0");
  beckon_agent_fixture_stop (fixture->agent);
}

/* No piece of a question comes that was settled before it could be sent. */
static void
test_settled_queued (void)
{
  g_autoptr (BeckonChannelFixture) fixture = beckon_channel_fixture_new ();

  fixture->hub->is_away = TRUE;
  beckon_loopback_wake (fixture->hub);
  ask_long (fixture);
  beckon_channel_fixture_settle (fixture);
  fixture->hub->is_away = FALSE;
  fixture->hub->failures = 1;
  fixture->hub->failure = BECKON_CHANNEL_ERROR_NETWORK;
  beckon_loopback_wake (fixture->hub);
  beckon_agent_wait_until (fixture->hub->failures == 0);
  beckon_channel_fixture_settle (fixture);
  beckon_agent_fixture_stop (fixture->agent);
  beckon_channel_fixture_settle (fixture);
  beckon_clock_advance (fixture->agent->clock, 10 * 60 * 1000);
  beckon_channel_fixture_settle (fixture);
  g_assert_cmpuint (fixture->hub->sent->len, ==, 0);
  assert_sql (fixture, "SELECT count (*) FROM channel_message WHERE state = 'queued'", "0");
}

/* A message of yesterday is no news. */
static void
test_too_old (void)
{
  g_autoptr (BeckonChannelFixture) fixture = beckon_channel_fixture_new ();

  beckon_channel_fixture_ask (fixture);
  fixture->hub->limits.replies = 1;
  beckon_clock_advance (fixture->agent->clock, 1000);
  beckon_loopback_write (fixture->hub, "anna", "/help", NULL);
  beckon_channel_fixture_wait_sent (fixture, 2);
  beckon_channels_test (fixture->channels, beckon_channel_fixture_get (fixture, "Phone"), NULL);
  beckon_channel_fixture_settle (fixture);
  g_assert_cmpuint (fixture->hub->sent->len, ==, 2);
  beckon_clock_advance (fixture->agent->clock, 25 * 60 * 60 * 1000);
  beckon_loopback_write (fixture->hub, "anna", "/status", NULL);
  beckon_channel_fixture_settle (fixture);
  for (guint i = 0; i < fixture->hub->sent->len; i++)
    assert_lacks (get_text (fixture, i), "This is a test");
  beckon_agent_fixture_stop (fixture->agent);
}

/* A message that comes again is no word of the person. */
static void
test_redelivered (void)
{
  g_autoptr (BeckonChannelFixture) fixture = beckon_channel_fixture_new ();

  fixture->hub->limits.replies = 1;
  beckon_clock_advance (fixture->agent->clock, 1000);
  beckon_loopback_write (fixture->hub, "anna", "/help", "same");
  beckon_channel_fixture_wait_sent (fixture, 1);
  beckon_channels_test (fixture->channels, beckon_channel_fixture_get (fixture, "Phone"), NULL);
  beckon_clock_advance (fixture->agent->clock, 1000);
  beckon_loopback_write (fixture->hub, "anna", "/help", "same");
  beckon_channel_fixture_settle (fixture);
  g_assert_cmpuint (fixture->hub->sent->len, ==, 1);
  beckon_clock_advance (fixture->agent->clock, 1000);
  beckon_loopback_write (fixture->hub, "anna", "thanks", "other");
  beckon_agent_wait_until (fixture->hub->sent->len == 2);
  assert_has (get_text (fixture, 1), "This is a test");
}

/* An adapter that hangs keeps no other waiting. */
static void
test_hanging (void)
{
  g_autoptr (BeckonChannelFixture) fixture = beckon_channel_fixture_new ();
  BeckonChannel *tablet = beckon_channel_fixture_add (fixture, "Tablet");

  beckon_channel_fixture_pair (fixture, tablet, "anna");
  beckon_channel_fixture_settle (fixture);
  beckon_loopback_hub ("Tablet")->hangs = TRUE;
  beckon_channel_fixture_ask (fixture);
  beckon_loopback_press (fixture->hub, "anna", 0, 0);
  beckon_agent_fixture_wait_end (fixture->agent, BECKON_RUN_COMPLETE);
  wait_said (fixture, "Done");
}

#define ADD(name, function) g_test_add_func ("/channels/desk/" name, function)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("button", test_button);
  ADD ("typed", test_typed);
  ADD ("doubled", test_doubled);
  ADD ("elsewhere", test_elsewhere);
  ADD ("line-instead-of-edit", test_line_instead_of_edit);
  ADD ("restart", test_restart);
  ADD ("answered-meanwhile", test_answered_meanwhile);
  ADD ("two-parts", test_two_parts);
  ADD ("codes", test_codes);
  ADD ("quoted", test_quoted);
  ADD ("late-code", test_late_code);
  ADD ("half-answered", test_half_answered);
  ADD ("numbers", test_numbers);
  ADD ("secret", test_secret);
  ADD ("lets-server", test_lets_server);
  ADD ("approval/off", test_approval_off);
  ADD ("approval/edit", test_approval_edit);
  ADD ("approval/run", test_approval_run);
  ADD ("approval/deny", test_approval_deny);
  ADD ("approval/long", test_approval_long);
  ADD ("approval/typed", test_approval_typed);
  ADD ("approval/quoted", test_approval_quoted);
  ADD ("approval/switched-on", test_approval_switched_on);
  ADD ("approval/many", test_approval_many);
  ADD ("stranger", test_stranger);
  ADD ("group", test_group);
  ADD ("wrong-codes", test_wrong_codes);
  ADD ("burst", test_burst);
  ADD ("paired-anew", test_paired_anew);
  ADD ("used-code", test_used_code);
  ADD ("old-code", test_old_code);
  ADD ("watched", test_watched);
  ADD ("quiet", test_quiet);
  ADD ("failures", test_failures);
  ADD ("limited", test_limited);
  ADD ("replies", test_replies);
  ADD ("order", test_order);
  ADD ("settled-queued", test_settled_queued);
  ADD ("too-old", test_too_old);
  ADD ("redelivered", test_redelivered);
  ADD ("hanging", test_hanging);
  ADD ("served-anew", test_served_anew);
  return g_test_run ();
}
