/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Conversations that are led from a phone. */
#include "beckon-channel-fixture.h"

#include <string.h>

#define assert_has(text, part) g_assert_nonnull (strstr ((text), (part)))

static const char *
get_text (BeckonChannelFixture *fixture, guint nth)
{
  g_assert_cmpuint (nth, <, fixture->hub->sent->len);
  return beckon_loopback_get_sent (fixture->hub, nth)->message->text;
}

static void
wait_said (BeckonChannelFixture *fixture, const char *part)
{
  beckon_agent_wait_until (fixture->hub->sent->len > 0
                           && strstr (get_text (fixture, fixture->hub->sent->len - 1), part) != NULL);
}

static const BeckonChannelAccount *
get_account (BeckonChannelFixture *fixture)
{
  return beckon_channel_get_account (beckon_channel_fixture_get (fixture, "Phone"));
}

static void
assert_value (BeckonChannelFixture *fixture, const char *sql, const char *expected)
{
  g_autofree char *value = NULL;

  beckon_agent_fixture_sync (fixture->agent);
  value = beckon_channel_fixture_dup_value (fixture, sql);
  g_assert_cmpstr (value, ==, expected);
}

/* A message begins a conversation where the account says, and the reply comes back. */
static BeckonConversation *
begin (BeckonChannelFixture *fixture, const char *text, const char *reply)
{
  beckon_agent_fixture_script (fixture->agent, beckon_fixture_reply_new_chat (reply));
  beckon_loopback_write (fixture->hub, "anna", text, NULL);
  wait_said (fixture, reply);
  beckon_channel_fixture_settle (fixture);
  return beckon_library_lookup (fixture->agent->library, get_account (fixture)->conversation_id);
}

static void
test_begin (void)
{
  g_autoptr (BeckonChannelFixture) fixture = beckon_channel_fixture_new ();
  BeckonChannelAccount *account = beckon_channel_account_copy (get_account (fixture));
  BeckonConversation *conversation;
  BeckonConversation *again;

  account->folder = g_strdup ("/tmp");
  account->mode = BECKON_MODE_ASK_EVERYTHING;
  beckon_channel_fixture_save (fixture, account);
  conversation = begin (fixture, "Write a poem", "Roses are red");
  g_assert_nonnull (conversation);
  g_assert_cmpstr (beckon_conversation_get_folder (conversation), ==, "/tmp");
  g_assert_cmpint (beckon_conversation_get_mode (conversation), ==, BECKON_MODE_ASK_EVERYTHING);
  g_assert_cmpuint (fixture->hub->sent->len, ==, 1);
  g_assert_cmpuint (fixture->hub->typing, >=, 1);

  /* The next one goes to the same. */
  again = begin (fixture, "Another", "Violets are blue");
  g_assert_true (again == conversation);
  g_assert_cmpuint (beckon_conversation_get_n_messages (conversation), ==, 4);
  assert_value (fixture, "SELECT count (*) FROM channel_inbound WHERE body IS NOT NULL", "0");

  /* Never looser than the account says, however it was set since. */
  beckon_library_set_mode (fixture->agent->library, conversation, BECKON_MODE_ASK_OUTSIDE);
  begin (fixture, "A third", "And so are you");
  g_assert_cmpint (beckon_conversation_get_mode (conversation), ==, BECKON_MODE_ASK_EVERYTHING);
}

static void
test_new (void)
{
  g_autoptr (BeckonChannelFixture) fixture = beckon_channel_fixture_new ();
  BeckonConversation *first = begin (fixture, "Write a poem", "Roses are red");

  beckon_loopback_write (fixture->hub, "anna", "/new", NULL);
  wait_said (fixture, "begins a new conversation");
  g_assert_true (begin (fixture, "Another", "Violets are blue") != first);
  g_assert_true (begin (fixture, "/new A third", "And so are you") != first);
}

static void
test_picture (void)
{
  static const char text[] = "name,colour\nrose,red\n";
  g_autoptr (BeckonChannelFixture) fixture = beckon_channel_fixture_new ();
  BeckonChannelIncoming *incoming = beckon_channel_incoming_new ("5", "anna", "Look at this");
  const char *body;

  beckon_channel_incoming_add_attachment (incoming, text, "flowers.csv", "text/csv", strlen (text));
  beckon_agent_fixture_script (fixture->agent, beckon_fixture_reply_new_chat ("A rose"));
  beckon_loopback_take (fixture->hub, incoming);
  wait_said (fixture, "A rose");
  body = beckon_fixture_server_get_request (fixture->agent->server, 0)->body;
  assert_has (body, "flowers.csv");
  assert_has (body, "rose,red");
  assert_has (body, "Look at this");
}

static void
test_busy (void)
{
  g_autoptr (BeckonChannelFixture) fixture = beckon_channel_fixture_new ();

  beckon_agent_fixture_script (fixture->agent, beckon_script_held ("Thinking", "gate", " done"));
  beckon_loopback_write (fixture->hub, "anna", "Write a poem", NULL);
  beckon_agent_wait_until (beckon_fixture_server_count_held (fixture->agent->server, "gate") == 1);
  beckon_loopback_write (fixture->hub, "anna", "/status", NULL);
  wait_said (fixture, "the agent is working");
  beckon_loopback_write (fixture->hub, "anna", "/after Make it rhyme", NULL);
  wait_said (fixture, "It is sent when this turn ends.");
  beckon_agent_fixture_script (fixture->agent, beckon_fixture_reply_new_chat ("It rhymes"));
  beckon_fixture_server_release (fixture->agent->server, "gate");
  wait_said (fixture, "It rhymes");
}

static void
test_stop (void)
{
  g_autoptr (BeckonChannelFixture) fixture = beckon_channel_fixture_new ();
  BeckonConversation *conversation;

  beckon_agent_fixture_script (fixture->agent, beckon_script_held ("Thinking", "gate", " done"));
  beckon_loopback_write (fixture->hub, "anna", "Write a poem", NULL);
  beckon_agent_wait_until (beckon_fixture_server_count_held (fixture->agent->server, "gate") == 1);
  conversation = beckon_library_lookup (fixture->agent->library, get_account (fixture)->conversation_id);
  beckon_loopback_write (fixture->hub, "anna", "/stop", NULL);
  beckon_agent_wait_until (beckon_conversation_get_phase (conversation) == BECKON_RUN_STOPPED);
  wait_said (fixture, "The run is being stopped.");
  beckon_fixture_server_release (fixture->agent->server, "gate");
}

static void
test_failure (void)
{
  g_autoptr (BeckonChannelFixture) fixture = beckon_channel_fixture_new ();

  beckon_agent_fixture_script (fixture->agent, beckon_script_error (401, NULL, "No such key"));
  beckon_loopback_write (fixture->hub, "anna", "Write a poem", NULL);
  wait_said (fixture, "This turn failed");
  /* The next message begins a turn all the same. */
  begin (fixture, "Try again", "Roses are red");
}

/* The turn ended while no program served the phone. */
static void
test_told_later (void)
{
  g_autoptr (BeckonChannelFixture) fixture = beckon_channel_fixture_new ();
  BeckonConversation *conversation;

  beckon_agent_fixture_script (fixture->agent, beckon_script_held ("Roses", "gate", " are red"));
  beckon_loopback_write (fixture->hub, "anna", "Write a poem", NULL);
  beckon_agent_wait_until (beckon_fixture_server_count_held (fixture->agent->server, "gate") == 1);
  conversation = beckon_library_lookup (fixture->agent->library, get_account (fixture)->conversation_id);
  beckon_channel_fixture_settle (fixture);
  beckon_channel_fixture_stop (fixture);
  beckon_fixture_server_release (fixture->agent->server, "gate");
  beckon_agent_wait_until (beckon_conversation_get_phase (conversation) == BECKON_RUN_COMPLETE);
  beckon_channel_fixture_settle (fixture);
  g_assert_cmpuint (fixture->hub->sent->len, ==, 0);
  beckon_channel_fixture_start (fixture);
  wait_said (fixture, "Roses are red");
  /* Once is enough. */
  beckon_channel_fixture_settle (fixture);
  beckon_channel_fixture_stop (fixture);
  beckon_channel_fixture_start (fixture);
  beckon_agent_wait_until (beckon_channel_get_state (beckon_channel_fixture_get (fixture, "Phone"))
                           == BECKON_CHANNEL_CONNECTED);
  beckon_channel_fixture_settle (fixture);
  g_assert_cmpuint (fixture->hub->sent->len, ==, 1);
}

/* A message that is read twice, as after a kill before it was marked, becomes one. */
static void
test_once (void)
{
  g_autoptr (BeckonChannelFixture) fixture = beckon_channel_fixture_new ();

  begin (fixture, "Write a poem", "Roses are red");
  beckon_loopback_write (fixture->hub, "anna", "Another", "twice");
  beckon_loopback_write (fixture->hub, "anna", "Another", "twice");
  beckon_agent_fixture_script (fixture->agent, beckon_fixture_reply_new_chat ("Violets are blue"));
  wait_said (fixture, "Violets are blue");
  beckon_channel_fixture_settle (fixture);
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->agent->server), ==, 2);
}

static void
test_long (void)
{
  g_autoptr (BeckonChannelFixture) fixture = beckon_channel_fixture_new ();
  g_autofree char *line = g_strnfill (900, 'x');
  g_autofree char *text = g_strconcat (line, "\n\n", line, "\n\n", line, NULL);

  fixture->hub->limits.max_characters = 1000;
  beckon_agent_fixture_script (fixture->agent, beckon_fixture_reply_new_chat (text));
  beckon_loopback_write (fixture->hub, "anna", "Write much", NULL);
  beckon_agent_wait_until (fixture->hub->sent->len == 3);
  for (guint i = 0; i < 3; i++)
    g_assert_cmpstr (get_text (fixture, i), ==, line);
}

/* Messages about a conversation go with it. */
static void
test_delete (void)
{
  g_autoptr (BeckonChannelFixture) fixture = beckon_channel_fixture_new ();
  BeckonConversation *conversation = begin (fixture, "Write a poem", "Roses are red");
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);

  assert_value (fixture, "SELECT count (*) FROM channel_message WHERE conversation IS NOT NULL", "1");
  beckon_batch_delete_conversation (batch, beckon_conversation_get_id (conversation));
  beckon_store_commit_async (fixture->agent->store, batch, NULL, NULL, NULL);
  assert_value (fixture, "SELECT count (*) FROM channel_message WHERE conversation IS NOT NULL", "0");
  assert_value (fixture, "SELECT count (*) FROM channel_peer WHERE conversation IS NULL", "1");
}

#define ADD(name, function) g_test_add_func ("/channels/talk/" name, function)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("begin", test_begin);
  ADD ("new", test_new);
  ADD ("picture", test_picture);
  ADD ("busy", test_busy);
  ADD ("stop", test_stop);
  ADD ("failure", test_failure);
  ADD ("told-later", test_told_later);
  ADD ("once", test_once);
  ADD ("long", test_long);
  ADD ("delete", test_delete);
  return g_test_run ();
}
