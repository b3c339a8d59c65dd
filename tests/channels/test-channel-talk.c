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

/* --- Ends that are told of --------------------------------------------------------------------------------------- */

static void
serve_again (BeckonChannelFixture *fixture)
{
  beckon_channel_fixture_settle (fixture);
  beckon_channel_fixture_stop (fixture);
  beckon_channel_fixture_start (fixture);
  beckon_agent_wait_until (beckon_channel_get_state (beckon_channel_fixture_get (fixture, "Phone"))
                           == BECKON_CHANNEL_CONNECTED);
  beckon_channel_fixture_settle (fixture);
}

/* A turn in which nothing was said has an end of its own too. */
static void
test_failure_once (void)
{
  g_autoptr (BeckonChannelFixture) fixture = beckon_channel_fixture_new ();

  beckon_agent_fixture_script (fixture->agent, beckon_script_error (401, NULL, "No such key"));
  beckon_loopback_write (fixture->hub, "anna", "Write a poem", NULL);
  wait_said (fixture, "This turn failed");
  g_assert_cmpstr (beckon_loopback_get_sent (fixture->hub, 0)->message->title, ==, "The turn failed");
  serve_again (fixture);
  serve_again (fixture);
  g_assert_cmpuint (fixture->hub->sent->len, ==, 1);

  /* The same end of the next turn is another one. */
  beckon_agent_fixture_script (fixture->agent, beckon_script_error (401, NULL, "No such key"));
  beckon_loopback_write (fixture->hub, "anna", "Try again", NULL);
  beckon_agent_wait_until (fixture->hub->sent->len == 2);
  serve_again (fixture);
  g_assert_cmpuint (fixture->hub->sent->len, ==, 2);
}

/* Turns that the desktop began wait for the end of the quiet hours. */
static void
test_quiet (void)
{
  g_autoptr (BeckonChannelFixture) fixture = beckon_channel_fixture_new ();
  BeckonConversation *conversation = begin (fixture, "Write a poem", "Roses are red");
  BeckonChannelAccount *account = beckon_channel_account_copy (get_account (fixture));
  gint64 minute = beckon_clock_get_real_time (fixture->agent->clock) / G_TIME_SPAN_MINUTE % (24 * 60);

  account->quiet_from = (guint) minute;
  account->quiet_to = (guint) ((minute + 30) % (24 * 60));
  beckon_channel_fixture_save (fixture, account);
  begin (fixture, "Another", "Violets are blue");
  beckon_agent_fixture_script (fixture->agent, beckon_fixture_reply_new_chat ("And so are you"));
  beckon_agent_fixture_send (fixture->agent, conversation, "Go on");
  beckon_agent_wait_until (beckon_conversation_get_n_messages (conversation) == 6
                           && !beckon_conversation_is_busy (conversation));
  beckon_channel_fixture_settle (fixture);
  g_assert_cmpuint (fixture->hub->sent->len, ==, 2);
  beckon_clock_advance (fixture->agent->clock, 31 * 60 * 1000);
  wait_said (fixture, "And so are you");
}

/* A turn that the phone began is told of at once, also by a program that did not see it begin. */
static void
test_quiet_restart (void)
{
  g_autoptr (BeckonChannelFixture) fixture = beckon_channel_fixture_new ();
  BeckonChannelAccount *account = beckon_channel_account_copy (get_account (fixture));
  gint64 minute = beckon_clock_get_real_time (fixture->agent->clock) / G_TIME_SPAN_MINUTE % (24 * 60);

  account->quiet_from = (guint) minute;
  account->quiet_to = (guint) ((minute + 30) % (24 * 60));
  beckon_channel_fixture_save (fixture, account);
  beckon_agent_fixture_script (fixture->agent, beckon_script_held ("Roses ", "go", "are red"));
  beckon_loopback_write (fixture->hub, "anna", "Write a poem", NULL);
  beckon_agent_wait_until (beckon_fixture_server_count_requests (fixture->agent->server) == 1);
  serve_again (fixture);
  beckon_fixture_server_release (fixture->agent->server, "go");
  wait_said (fixture, "Roses are red");
}

/* A reply that breaks off and is made anew is told once, whole. */
static void
test_begins_again (void)
{
  g_autoptr (BeckonChannelFixture) fixture = beckon_channel_fixture_new ();

  beckon_agent_fixture_script (fixture->agent, beckon_script_cut ("Roses are r"));
  beckon_agent_fixture_script (fixture->agent, beckon_fixture_reply_new_chat ("Violets are blue"));
  beckon_loopback_write (fixture->hub, "anna", "Write a poem", NULL);
  beckon_agent_wait_until (get_account (fixture)->conversation_id != NULL);
  beckon_agent_wait_until (beckon_conversation_get_phase (
                             beckon_library_lookup (fixture->agent->library, get_account (fixture)->conversation_id))
                           == BECKON_RUN_RETRY_WAIT);
  beckon_clock_advance (fixture->agent->clock, 1250);
  wait_said (fixture, "Violets are blue");
  beckon_channel_fixture_settle (fixture);
  g_assert_cmpuint (fixture->hub->sent->len, ==, 1);
  g_assert_null (strstr (get_text (fixture, 0), "Roses"));
}

/* --- Messages that must not be lost, or go elsewhere -------------------------------------------------------------- */

static void
keep_result (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

/* The process died when the message was in the queue, and the turn had not begun. */
static void
queue_as_before_a_kill (BeckonChannelFixture *fixture, BeckonConversation *conversation, const char *text,
                        gboolean is_from_phone)
{
  g_autoptr (BeckonChannelInbound) inbound = beckon_channel_inbound_new (text, "anna", NULL, 1);
  g_autoptr (GPtrArray) files = g_ptr_array_new ();
  BeckonBatch *with = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  GAsyncResult *queued = NULL;
  g_autoptr (GError) error = NULL;

  if (is_from_phone)
    beckon_batch_receive_channel (with, get_account (fixture)->id, inbound, NULL);
  beckon_agent_set_follows_queue (fixture->agent->agent, FALSE);
  beckon_agent_queue_with_async (fixture->agent->agent, conversation, inbound->target_id, text, files, FALSE, with, NULL,
                                 keep_result, &queued);
  beckon_agent_wait_until (queued != NULL);
  beckon_agent_queue_finish (fixture->agent->agent, queued, &error);
  g_assert_no_error (error);
  g_object_unref (queued);
}

static void
test_accepted (void)
{
  g_autoptr (BeckonChannelFixture) fixture = beckon_channel_fixture_new ();
  BeckonConversation *conversation;

  beckon_agent_fixture_script (fixture->agent, beckon_script_error (401, NULL, "No such key"));
  beckon_loopback_write (fixture->hub, "anna", "Write a poem", NULL);
  wait_said (fixture, "This turn failed");
  beckon_channel_fixture_settle (fixture);
  conversation = beckon_library_lookup (fixture->agent->library, get_account (fixture)->conversation_id);
  queue_as_before_a_kill (fixture, conversation, "From the desktop", FALSE);
  queue_as_before_a_kill (fixture, conversation, "From the phone", TRUE);
  beckon_channel_fixture_settle (fixture);
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->agent->server), ==, 1);
  beckon_agent_fixture_script (fixture->agent, beckon_fixture_reply_new_chat ("Violets are blue"));
  beckon_channel_fixture_stop (fixture);
  beckon_channel_fixture_start (fixture);
  wait_said (fixture, "Violets are blue");
  assert_has (beckon_fixture_server_get_request (fixture->agent->server, 1)->body, "From the phone");
  /* The desktop's is left to the desktop. */
  assert_value (fixture, "SELECT text FROM queued_message", "From the desktop");
}

/* Words that were bound to one provider do not go to another. */
static void
test_no_profile (void)
{
  g_autoptr (BeckonChannelFixture) fixture = beckon_channel_fixture_new ();
  BeckonChannelAccount *account = beckon_channel_account_copy (get_account (fixture));

  account->profile_id = g_strdup ("removed");
  beckon_channel_fixture_save (fixture, account);
  beckon_loopback_write (fixture->hub, "anna", "Write a poem", NULL);
  wait_said (fixture, "The profile of this channel was removed.");
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->agent->server), ==, 0);
}

/* Another process changed something, and the list that is being read for that is older than what is known here. */
static void
test_listed_late (void)
{
  g_autoptr (BeckonChannelFixture) fixture = beckon_channel_fixture_new ();
  BeckonChannel *channel = beckon_channel_fixture_get (fixture, "Phone");
  g_autoptr (BeckonChannelAccount) before = beckon_channel_account_ref (beckon_channel_get_account (channel));
  g_autoptr (BeckonChannelAccount) account = beckon_channel_account_copy (before);

  account->told_id = g_strdup ("newer");
  beckon_channel_begin_change (channel, account);
  g_assert_false (beckon_channel_take_listed (channel, before));
  g_assert_cmpstr (get_account (fixture)->told_id, ==, "newer");
  beckon_channel_end_change (channel);
  beckon_agent_wait_until (get_account (fixture)->told_id == NULL);
}

/* Served, let go and served again before the first answer of the store came; another process was between. */
static void
test_claim_twice (void)
{
  g_autoptr (BeckonChannelFixture) fixture = beckon_channel_fixture_new ();
  BeckonChannel *channel = beckon_channel_fixture_get (fixture, "Phone");
  g_autofree char *lease = NULL;

  beckon_channel_unserve (channel);
  beckon_channel_fixture_settle (fixture);
  beckon_channel_serve (channel);
  beckon_channel_unserve (channel);
  beckon_channel_serve (channel);
  beckon_agent_wait_until (beckon_channel_is_served (channel));
  lease = beckon_channel_fixture_dup_value (fixture, "SELECT lease FROM channel");
  g_assert_nonnull (lease);
}

/* Texts are not kept for ever. */
static void
test_forget (void)
{
  g_autoptr (BeckonChannelFixture) fixture = beckon_channel_fixture_new ();

  begin (fixture, "Write a poem", "Roses are red");
  beckon_clock_advance (fixture->agent->clock, 16 * 24 * 60 * 60 * 1000);
  beckon_clock_advance (fixture->agent->clock, 16 * 24 * 60 * 60 * 1000);
  begin (fixture, "Another", "Violets are blue");
  assert_value (fixture, "SELECT count (*) FROM channel_message WHERE text LIKE 'Roses%'", "0");
  assert_value (fixture, "SELECT count (*) FROM channel_message WHERE text LIKE 'Violets%'", "1");
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
  ADD ("begins-again", test_begins_again);
  ADD ("failure", test_failure);
  ADD ("told-later", test_told_later);
  ADD ("once", test_once);
  ADD ("long", test_long);
  ADD ("delete", test_delete);
  ADD ("failure-once", test_failure_once);
  ADD ("quiet", test_quiet);
  ADD ("quiet-restart", test_quiet_restart);
  ADD ("accepted", test_accepted);
  ADD ("no-profile", test_no_profile);
  ADD ("listed-late", test_listed_late);
  ADD ("claim-twice", test_claim_twice);
  ADD ("forget", test_forget);
  return g_test_run ();
}
