/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which question a line from a phone is meant for, and that it answers one alone. */
#include "beckon-channel-fixture.h"

#include "base/beckon-error.h"
#include "base/beckon-id.h"
#include "beckon-test-tool.h"
#include "text/beckon-plain-text.h"

#include <string.h>

static void
keep_result (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

static void
ask_again (BeckonChannelFixture *fixture)
{
  guint n = fixture->hub->sent->len;

  beckon_agent_fixture_script (fixture->agent,
                               beckon_script_call ("call_8", "ask_user",
                                                   "{\"question\":\"Which host?\",\"choices\":[\"here\",\"there\"]}"));
  beckon_agent_fixture_script (fixture->agent, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_answer (fixture->agent, beckon_agent_fixture_get_pending (fixture->agent, 0),
                               beckon_script_pick ("8080"));
  /* The end of the first one, and the second one. */
  beckon_channel_fixture_wait_sent (fixture, n + 2);
}

static void
ask_first (BeckonChannelFixture *fixture)
{
  beckon_agent_fixture_script (fixture->agent, beckon_script_ask ("call_7"));
  beckon_agent_fixture_send (fixture->agent, fixture->agent->conversation, "Set it up");
  beckon_channel_fixture_wait_sent (fixture, 1);
}

static void
assert_not_taken (BeckonChannelFixture *fixture, guint n)
{
  beckon_channel_fixture_wait_sent (fixture, n);
  g_assert_nonnull (strstr (beckon_channel_fixture_get_text (fixture, n - 1), "Begin your reply with the code"));
  g_assert_nonnull (strstr (beckon_channel_fixture_get_text (fixture, n - 1), "Which host?"));
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (fixture->agent->inbox)), ==, 1);
}

/* A number for a question that was answered at the desktop meanwhile is no answer to the next one. */
static void
test_on_its_way (void)
{
  g_autoptr (BeckonChannelFixture) fixture = beckon_channel_fixture_new ();
  g_autofree char *id = g_strdup (beckon_conversation_get_id (fixture->agent->conversation));
  g_autofree char *line = NULL;
  BeckonRequest *request;

  ask_first (fixture);
  ask_again (fixture);
  beckon_loopback_write (fixture->hub, "anna", "1", NULL);
  assert_not_taken (fixture, 4);
  beckon_channel_fixture_restart (fixture);
  beckon_agent_set_adopts (fixture->agent->agent, TRUE);
  beckon_agent_fixture_open (fixture->agent, id);
  beckon_agent_fixture_recover (fixture->agent);
  beckon_channel_fixture_settle (fixture);
  request = beckon_agent_fixture_get_pending (fixture->agent, 0);
  beckon_loopback_write (fixture->hub, "anna", "/skip", NULL);
  assert_not_taken (fixture, 5);
  line = g_strdup_printf ("%.4s 1", beckon_request_get_id (request) + BECKON_ID_LENGTH - 4);
  beckon_loopback_write (fixture->hub, "anna", line, NULL);
  beckon_agent_wait_until (g_list_model_get_n_items (G_LIST_MODEL (fixture->agent->inbox)) == 0);
}

/* The phone's own answer is known to the phone. */
static void
test_next_question (void)
{
  g_autoptr (BeckonChannelFixture) fixture = beckon_channel_fixture_new ();

  ask_first (fixture);
  beckon_agent_fixture_script (fixture->agent, beckon_script_ask ("call_8"));
  beckon_agent_fixture_script (fixture->agent, beckon_fixture_reply_new_chat ("Done"));
  beckon_loopback_write (fixture->hub, "anna", "1", NULL);
  beckon_channel_fixture_wait_sent (fixture, 3);
  beckon_loopback_write (fixture->hub, "anna", "2", NULL);
  beckon_agent_fixture_wait_end (fixture->agent, BECKON_RUN_COMPLETE);
}

static void
write_at (BeckonChannelFixture *fixture, const char *text, gint64 at, gint64 number)
{
  g_autofree char *id = beckon_id_new ();
  BeckonChannelIncoming *incoming = beckon_channel_incoming_new (id, "anna", text);

  incoming->at = at;
  incoming->number = number;
  beckon_loopback_take (fixture->hub, incoming);
}

/* A message that its server has from before the question was sent is no answer to it. */
static void
test_from_before (void)
{
  g_autoptr (BeckonChannelFixture) fixture = beckon_channel_fixture_new ();
  gint64 now = beckon_clock_get_real_time (fixture->agent->clock);

  beckon_channel_fixture_ask (fixture);
  write_at (fixture, "1", now - 1, 0);
  beckon_channel_fixture_wait_sent (fixture, 2);
  g_assert_nonnull (strstr (beckon_channel_fixture_get_text (fixture, 1), "Begin your reply with the code"));
  write_at (fixture, "1", now - G_USEC_PER_SEC, 0);
  beckon_channel_fixture_wait_sent (fixture, 3);
  write_at (fixture, "1", now, 0);
  beckon_agent_fixture_wait_end (fixture->agent, BECKON_RUN_COMPLETE);
}

/* Settled and handled are one: there is no moment at which a message that answered could come again. */
static void
note_handled (BeckonInbox *inbox, BeckonRequest *request, const BeckonSettlement *settlement, gpointer user_data)
{
  char **left = user_data;
  BeckonChannelFixture *fixture = g_object_get_data (G_OBJECT (inbox), "fixture");

  *left = beckon_channel_fixture_dup_value (fixture, "SELECT count (*) FROM channel_inbound WHERE body IS NOT NULL");
}

static void
test_handled_with_answer (void)
{
  g_autoptr (BeckonChannelFixture) fixture = beckon_channel_fixture_new ();
  g_autofree char *left = NULL;

  beckon_channel_fixture_ask (fixture);
  g_object_set_data (G_OBJECT (fixture->agent->inbox), "fixture", fixture);
  g_signal_connect (fixture->agent->inbox, "settled", G_CALLBACK (note_handled), &left);
  beckon_loopback_press (fixture->hub, "anna", 0, 1);
  beckon_agent_fixture_wait_end (fixture->agent, BECKON_RUN_COMPLETE);
  g_assert_cmpstr (left, ==, "0");
  g_signal_handlers_disconnect_by_data (fixture->agent->inbox, &left);
}

/* A message that was handled settles nothing any more. */
static void
test_handled_before (void)
{
  g_autoptr (BeckonChannelFixture) fixture = beckon_channel_fixture_new ();
  BeckonRequest *request = beckon_channel_fixture_ask (fixture);
  const char *channel = beckon_channel_get_account (beckon_channel_fixture_get (fixture, "Phone"))->id;
  g_autofree char *handled = beckon_channel_fixture_dup_value (fixture, "SELECT message FROM channel_inbound WHERE body IS NULL");
  g_autoptr (BeckonAnswer) answer = beckon_script_pick ("8080");
  g_autofree char *n_settled = NULL;
  GAsyncResult *result = NULL;
  g_autoptr (GError) error = NULL;

  beckon_inbox_settle_by_message_async (fixture->agent->inbox, beckon_request_get_id (request), answer, "loopback: Phone",
                                        "anna", channel, handled, NULL, keep_result, &result);
  beckon_agent_wait_until (result != NULL);
  g_assert_false (beckon_inbox_settle_finish (fixture->agent->inbox, result, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_CONFLICT);
  g_object_unref (result);
  n_settled = beckon_channel_fixture_dup_value (fixture, "SELECT count (*) FROM settlement");
  g_assert_cmpstr (n_settled, ==, "0");
  g_assert_cmpint (beckon_request_get_state (request), ==, BECKON_REQUEST_PENDING);
  beckon_loopback_press (fixture->hub, "anna", 0, 1);
  beckon_agent_fixture_wait_end (fixture->agent, BECKON_RUN_COMPLETE);
}

/* --- What became of a call ---------------------------------------------------------------------------------------- */

/* A call was running when the program ended, which asks what became of it. */
static BeckonTestTool *
ask_outcome (BeckonChannelFixture *fixture, gboolean approves)
{
  g_autofree char *id = g_strdup (beckon_conversation_get_id (fixture->agent->conversation));
  g_autoptr (BeckonTestTool) held = beckon_test_tool_new ("paint", FALSE);
  BeckonTestTool *tool = beckon_test_tool_new ("paint", FALSE);
  BeckonChannelAccount *account
      = beckon_channel_account_copy (beckon_channel_get_account (beckon_channel_fixture_get (fixture, "Phone")));

  account->approves = approves;
  beckon_channel_fixture_save (fixture, account);
  beckon_test_tool_set_held (held, TRUE);
  beckon_tool_registry_add (fixture->agent->tools, BECKON_TOOL (held));
  beckon_agent_fixture_script (fixture->agent, beckon_script_call ("call_7", "paint", "{\"wall\":\"red\"}"));
  beckon_agent_fixture_send (fixture->agent, fixture->agent->conversation, "Paint it");
  beckon_agent_fixture_answer (fixture->agent, beckon_agent_fixture_wait_pending (fixture->agent, 1),
                               beckon_answer_new (BECKON_ANSWER_APPROVED, NULL));
  beckon_agent_wait_until (beckon_test_tool_get_n_running (held) == 1);
  beckon_channel_fixture_restart (fixture);
  beckon_tool_registry_add (fixture->agent->tools, BECKON_TOOL (tool));
  g_ptr_array_set_size (fixture->hub->sent, 0);
  beckon_agent_fixture_open (fixture->agent, id);
  beckon_agent_fixture_recover (fixture->agent);
  beckon_agent_fixture_wait_pending (fixture->agent, 1);
  beckon_agent_fixture_script (fixture->agent, beckon_fixture_reply_new_chat ("Done"));
  return tool;
}

static guint
wait_outcome_asked (BeckonChannelFixture *fixture, const char *words)
{
  for (;;)
    {
      for (guint i = 0; i < fixture->hub->sent->len; i++)
        if (strstr (beckon_channel_fixture_get_text (fixture, i), words) != NULL)
          return i;
      beckon_channel_fixture_wait_sent (fixture, fixture->hub->sent->len + 1);
    }
}

static void
test_outcome_off (void)
{
  g_autoptr (BeckonChannelFixture) fixture = beckon_channel_fixture_new ();
  g_autoptr (BeckonTestTool) tool = ask_outcome (fixture, FALSE);
  guint asked = wait_outcome_asked (fixture, "The agent does not know what became of a call. Answer it on the desktop.");

  g_assert_cmpuint (beckon_loopback_get_sent (fixture->hub, asked)->message->choices->len, ==, 0);
  beckon_agent_fixture_stop (fixture->agent);
}

/* Only what names it counts; what was found is told, and nothing runs. */
static void
test_outcome_looked (void)
{
  g_autoptr (BeckonChannelFixture) fixture = beckon_channel_fixture_new ();
  g_autoptr (BeckonTestTool) tool = ask_outcome (fixture, TRUE);
  g_autofree char *code = beckon_plain_text_dup_code (beckon_agent_fixture_get_pending (fixture->agent, 0));
  g_autofree char *line = g_strconcat (code, " The wall is red", NULL);
  g_autofree char *result = NULL;
  guint asked = wait_outcome_asked (fixture, "Interrupted: paint");

  g_assert_nonnull (strstr (beckon_channel_fixture_get_text (fixture, asked), "1. Run again\n2. Skip\n3. Stop"));
  g_assert_cmpuint (beckon_loopback_get_sent (fixture->hub, asked)->message->choices->len, ==, 3);
  beckon_loopback_write (fixture->hub, "anna", "1", NULL);
  wait_outcome_asked (fixture, "Begin your reply with the code");
  beckon_loopback_write (fixture->hub, "anna", line, NULL);
  beckon_agent_fixture_wait_end (fixture->agent, BECKON_RUN_COMPLETE);
  g_assert_cmpuint (beckon_test_tool_get_n_begun (tool), ==, 0);
  result = beckon_agent_dup_result (beckon_fixture_server_get_request (fixture->agent->server, 1), "call_7");
  g_assert_nonnull (strstr (result, "The wall is red"));
}

static void
test_outcome_again (void)
{
  g_autoptr (BeckonChannelFixture) fixture = beckon_channel_fixture_new ();
  g_autoptr (BeckonTestTool) tool = ask_outcome (fixture, TRUE);

  beckon_loopback_press (fixture->hub, "anna", wait_outcome_asked (fixture, "Interrupted: paint"), 0);
  beckon_agent_fixture_wait_end (fixture->agent, BECKON_RUN_COMPLETE);
  g_assert_cmpstr (beckon_test_tool_get_log (tool), ==, "{\"wall\":\"red\"}\n");
}

#define ADD(name, function) g_test_add_func ("/channels/lines/" name, function)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("on-its-way", test_on_its_way);
  ADD ("next-question", test_next_question);
  ADD ("from-before", test_from_before);
  ADD ("handled-with-answer", test_handled_with_answer);
  ADD ("handled-before", test_handled_before);
  ADD ("outcome-off", test_outcome_off);
  ADD ("outcome-looked", test_outcome_looked);
  ADD ("outcome-again", test_outcome_again);
  return g_test_run ();
}
