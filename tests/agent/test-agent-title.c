/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A model names a conversation: when it is asked, what is made of its answer, and that nothing else comes of it. */

#include "agent/beckon-titler.h"
#include "beckon-agent-fixture.h"

#include <string.h>

static guint
count_requests (BeckonAgentFixture *fixture)
{
  return beckon_fixture_server_count_requests (fixture->server);
}

static const char *
get_title (BeckonAgentFixture *fixture)
{
  return beckon_conversation_get_title (fixture->conversation);
}

static BeckonAgentFixture *
fixture_new (void)
{
  BeckonAgentFixture *fixture = beckon_agent_fixture_new ();

  beckon_agent_set_names_conversations (fixture->agent, TRUE);

  return fixture;
}

static void
talk (BeckonAgentFixture *fixture, const char *said, const char *reply)
{
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat (reply));
  beckon_agent_fixture_send (fixture, fixture->conversation, said);
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
}

static void
test_named_once (void)
{
  g_autoptr (BeckonAgentFixture) fixture = fixture_new ();

  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Two and two make four."));
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("**\"Small sums.\"**\n"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "What is two and two?");
  g_assert_cmpstr (get_title (fixture), ==, "What is two and two?");
  beckon_agent_wait_until (g_strcmp0 (get_title (fixture), "Small sums") == 0);
  g_assert_cmpint (beckon_conversation_get_title_source (fixture->conversation), ==, BECKON_TITLE_MODEL);
  g_assert_cmpint (beckon_conversation_get_phase (fixture->conversation), ==, BECKON_RUN_COMPLETE);
  g_assert_cmpuint (beckon_conversation_get_n_messages (fixture->conversation), ==, 2);
  beckon_agent_fixture_assert_closed (fixture, fixture->conversation);
  beckon_agent_fixture_assert_tools (fixture, 1, "");

  talk (fixture, "And three?", "Six.");
  beckon_agent_fixture_settle ();
  g_assert_cmpuint (count_requests (fixture), ==, 3);
  g_assert_cmpstr (get_title (fixture), ==, "Small sums");
}

/* A question that waits, anywhere, keeps no conversation from being named. */
static void
test_named_while_one_waits (void)
{
  g_autoptr (BeckonAgentFixture) fixture = fixture_new ();
  g_autoptr (BeckonConversation) asking = g_object_ref (beckon_agent_fixture_create (fixture));

  beckon_agent_fixture_script (fixture, beckon_script_ask ("call_7"));
  beckon_agent_fixture_send (fixture, asking, "Set it up");
  beckon_agent_fixture_wait_pending (fixture, 1);
  beckon_agent_wait_until (beckon_conversation_get_phase (asking) == BECKON_RUN_WAITING);
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Four."));
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Small sums"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "What is two and two?");
  beckon_agent_wait_until (g_strcmp0 (get_title (fixture), "Small sums") == 0);
}

/* Noted while another conversation was at work. */
static void
test_named_once_all_rest (void)
{
  g_autoptr (BeckonAgentFixture) fixture = fixture_new ();
  g_autoptr (BeckonConversation) asking = g_object_ref (beckon_agent_fixture_create (fixture));
  BeckonFixtureReply *held = beckon_script_held ("Just a ", "gate", "moment");

  beckon_agent_fixture_script (fixture, held);
  beckon_agent_fixture_send (fixture, asking, "Set it up");
  beckon_agent_wait_until (count_requests (fixture) == 1);
  talk (fixture, "What is two and two?", "Four.");
  beckon_agent_fixture_settle ();
  g_assert_cmpuint (count_requests (fixture), ==, 2);
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Small sums"));
  beckon_agent_stop (fixture->agent, asking);
  beckon_agent_wait_until (g_strcmp0 (get_title (fixture), "Small sums") == 0);
}

/* The program ended before it got to that. */
static void
test_named_after_a_restart (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  BeckonAgentFixture *next;

  talk (fixture, "What is two and two?", "Four.");
  beckon_batch_set_wants_title (batch, beckon_conversation_get_id (fixture->conversation), TRUE);
  beckon_store_commit_async (fixture->store, batch, NULL, NULL, NULL);
  beckon_agent_fixture_sync (fixture);

  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Small sums"));
  next = beckon_agent_fixture_new_over (fixture->directory, beckon_fixture_server_get_base_url (fixture->server));
  next->conversation = g_object_ref (
    beckon_library_lookup (next->library, beckon_conversation_get_id (fixture->conversation)));
  beckon_agent_set_names_conversations (next->agent, TRUE);
  beckon_agent_wait_until (g_strcmp0 (get_title (next), "Small sums") == 0);
  beckon_agent_fixture_sync (next);
  beckon_agent_fixture_free (next);
  g_assert_cmpuint (count_requests (fixture), ==, 2);
}

static void
expect_no_request (BeckonAgentFixture *fixture, const char *title)
{
  talk (fixture, "What is two and two?", "Four.");
  beckon_agent_fixture_settle ();
  beckon_agent_fixture_sync (fixture);
  beckon_agent_fixture_settle ();
  g_assert_cmpuint (count_requests (fixture), ==, 1);
  g_assert_cmpstr (get_title (fixture), ==, title);
}

static void
test_named_by_a_person (void)
{
  g_autoptr (BeckonAgentFixture) fixture = fixture_new ();

  beckon_library_rename (fixture->library, fixture->conversation, "Mine");
  expect_no_request (fixture, "Mine");
}

static void
test_temporary (void)
{
  g_autoptr (BeckonAgentFixture) fixture = fixture_new ();

  beckon_conversation_set_temporary (fixture->conversation, TRUE);
  expect_no_request (fixture, "What is two and two?");
}

static void
test_switched_off (void)
{
  g_autoptr (BeckonAgentFixture) fixture = fixture_new ();

  g_settings_set_boolean (beckon_settings_get_gsettings (fixture->settings), "name-conversations", FALSE);
  expect_no_request (fixture, "What is two and two?");
  g_settings_reset (beckon_settings_get_gsettings (fixture->settings), "name-conversations");
}

/* A person was faster than the model. */
static void
test_renamed_meanwhile (void)
{
  g_autoptr (BeckonAgentFixture) fixture = fixture_new ();

  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Four."));
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Theirs"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "What is two and two?");
  beckon_agent_wait_until (count_requests (fixture) == 2);
  beckon_library_rename (fixture->library, fixture->conversation, "Mine");
  for (guint i = 0; i < 20; i++)
    {
      beckon_agent_fixture_settle ();
      beckon_agent_fixture_sync (fixture);
    }
  g_assert_cmpstr (get_title (fixture), ==, "Mine");
}

/* A title that fails does so without a word, and the conversation is as it was. */
static void
test_failure_is_silent (void)
{
  g_autoptr (BeckonAgentFixture) fixture = fixture_new ();
  BeckonFixtureReply *failure = beckon_fixture_reply_new ();

  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Four."));
  beckon_fixture_reply_add_response (failure, 500, NULL, "text/plain", "no");
  beckon_agent_fixture_script (fixture, failure);
  beckon_agent_fixture_send (fixture, fixture->conversation, "What is two and two?");
  beckon_agent_wait_until (count_requests (fixture) == 2);
  beckon_agent_fixture_settle ();
  beckon_agent_fixture_sync (fixture);
  g_assert_cmpstr (get_title (fixture), ==, "What is two and two?");
  g_assert_cmpint (beckon_conversation_get_phase (fixture->conversation), ==, BECKON_RUN_COMPLETE);
}

static void
assert_clean (const char *text, const char *expected)
{
  g_autofree char *title = beckon_titler_clean (text);

  g_assert_cmpstr (title, ==, expected);
}

static void
test_clean (void)
{
  g_autofree char *word = g_strnfill (100, 'w');
  g_autofree char *page = g_strnfill (200, 'w');
  g_autofree char *shortened = beckon_titler_clean (word);

  assert_clean ("Lentil soup", "Lentil soup");
  assert_clean ("\n\n  ## “Lentil soup.”  \nBecause you asked.", "Lentil soup");
  assert_clean ("《部署到生产环境》。", "部署到生产环境");
  assert_clean ("Len\033[31mtil\342\200\256 soup", "Len[31mtil soup");
  assert_clean ("What's next?", "What's next?");
  assert_clean ("", NULL);
  assert_clean (" \n**\n\"\"", NULL);
  assert_clean ("\377\376", "\357\277\275\357\277\275");
  assert_clean (page, NULL);
  g_assert_cmpint (g_utf8_strlen (shortened, -1), ==, 60);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/agent/title/named-once", test_named_once);
  g_test_add_func ("/agent/title/named-while-one-waits", test_named_while_one_waits);
  g_test_add_func ("/agent/title/named-once-all-rest", test_named_once_all_rest);
  g_test_add_func ("/agent/title/named-after-a-restart", test_named_after_a_restart);
  g_test_add_func ("/agent/title/named-by-a-person", test_named_by_a_person);
  g_test_add_func ("/agent/title/temporary", test_temporary);
  g_test_add_func ("/agent/title/switched-off", test_switched_off);
  g_test_add_func ("/agent/title/renamed-meanwhile", test_renamed_meanwhile);
  g_test_add_func ("/agent/title/failure-is-silent", test_failure_is_silent);
  g_test_add_func ("/agent/title/clean", test_clean);

  return g_test_run ();
}
