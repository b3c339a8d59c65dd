/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-agent-fixture.h"

#include "base/beckon-error.h"

#include <string.h>

static void
test_plain (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();

  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Hello yourself"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Hello");
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);

  beckon_agent_fixture_assert_sent (fixture, 0, "user Hello\n");
  beckon_agent_fixture_assert_shown (fixture, "user complete\n  text Hello\n"
                                              "assistant complete\n  text Hello yourself\n  usage 7 3\n");
  g_assert_cmpstr (beckon_conversation_get_title (fixture->conversation), ==, "Hello");
  g_assert_null (beckon_conversation_get_detail (fixture->conversation));
}

static void
test_reasoning (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();

  beckon_fixture_reply_add_stream_head (reply);
  beckon_fixture_reply_add_chat_reasoning (reply, "They greet ");
  beckon_fixture_reply_add_chat_reasoning (reply, "me.");
  beckon_fixture_reply_add_chat_text (reply, "Good ");
  beckon_fixture_reply_add_chat_text (reply, "day");
  beckon_fixture_reply_add_chat_finish (reply, "stop");
  beckon_fixture_reply_add_chat_usage (reply, 11, 22);
  beckon_fixture_reply_add_chat_done (reply);
  beckon_agent_fixture_script (fixture, reply);
  beckon_agent_fixture_send (fixture, fixture->conversation, "Hello");
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);

  beckon_agent_fixture_assert_shown (fixture, "user complete\n  text Hello\n"
                                              "assistant complete\n"
                                              "  reasoning They greet me.\n"
                                              "  text Good day\n"
                                              "  usage 11 22\n");
}

static void
test_second_message (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();

  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("One"));
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Two"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "First\nof all");
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  beckon_agent_fixture_send (fixture, fixture->conversation, "Second");
  beckon_agent_wait_until (beckon_conversation_get_n_messages (fixture->conversation) == 4);
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);

  beckon_agent_fixture_assert_sent (fixture, 1, "user First\nof all\nassistant One\nuser Second\n");
  g_assert_cmpstr (beckon_conversation_get_title (fixture->conversation), ==, "First");
}

static gboolean
last_text_is (BeckonAgentFixture *fixture, const char *text)
{
  guint n = beckon_conversation_get_n_messages (fixture->conversation);
  g_autofree char *last = beckon_message_dup_text (beckon_conversation_get_message (fixture->conversation, n - 1));

  return g_str_equal (last, text);
}

static void
assert_stored (BeckonAgentFixture *fixture, const char *messages)
{
  const char *id = beckon_conversation_get_id (fixture->conversation);
  g_autofree char *stored = beckon_agent_fixture_dump_stored (fixture->store, id);

  g_assert_cmpstr (stored, ==, messages);
}

static BeckonFixtureReply *
make_slow_reply (void)
{
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();

  beckon_fixture_reply_add_stream_head (reply);
  beckon_fixture_reply_add_chat_reasoning (reply, "Hm. ");
  beckon_fixture_reply_add_hold (reply, "first");
  beckon_fixture_reply_add_chat_reasoning (reply, "Ah.");
  beckon_fixture_reply_add_chat_text (reply, "One ");
  beckon_fixture_reply_add_hold (reply, "second");
  beckon_fixture_reply_add_chat_text (reply, "two");
  beckon_fixture_reply_add_hold (reply, "third");
  beckon_fixture_reply_add_chat_finish (reply, "stop");
  beckon_fixture_reply_add_chat_done (reply);
  return reply;
}

/* Text is in the store within 250 ms of its coming, and not written more often than that. */
static void
test_flushed (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();

  beckon_agent_fixture_script (fixture, make_slow_reply ());
  beckon_agent_fixture_send (fixture, fixture->conversation, "Count");
  beckon_agent_fixture_wait_phase (fixture, BECKON_RUN_RECEIVING);
  assert_stored (fixture, "user complete\n  text Count\nassistant streaming\n  reasoning Hm. \n");
  g_assert_cmpint (beckon_agent_fixture_get_open_phase (fixture->store), ==, BECKON_RUN_RECEIVING);

  beckon_fixture_server_release (fixture->server, "first");
  beckon_agent_wait_until (last_text_is (fixture, "One "));
  beckon_clock_advance (fixture->clock, 249);
  assert_stored (fixture, "user complete\n  text Count\nassistant streaming\n  reasoning Hm. \n");
  beckon_clock_advance (fixture->clock, 1);
  assert_stored (fixture, "user complete\n  text Count\nassistant streaming\n  reasoning Hm. Ah.\n  text One \n");

  beckon_fixture_server_release (fixture->server, "second");
  beckon_agent_wait_until (last_text_is (fixture, "One two"));
  beckon_clock_advance (fixture->clock, 250);
  assert_stored (fixture, "user complete\n  text Count\nassistant streaming\n  reasoning Hm. Ah.\n  text One two\n");

  beckon_fixture_server_release (fixture->server, "third");
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  assert_stored (fixture, "user complete\n  text Count\nassistant complete\n  reasoning Hm. Ah.\n  text One two\n");
}

/* A long reply whose pieces come faster than they are written. */
static void
test_long (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();
  g_autoptr (GString) expected = g_string_new (NULL);

  beckon_fixture_reply_add_stream_head (reply);
  for (guint i = 0; i < 2000; i++)
    {
      g_autofree char *word = g_strdup_printf ("wörd%u ", i);

      beckon_fixture_reply_add_chat_text (reply, word);
      g_string_append (expected, word);
      if (i % 500 == 0)
        beckon_fixture_reply_add_drain (reply);
    }
  beckon_fixture_reply_add_chat_finish (reply, "stop");
  beckon_fixture_reply_add_chat_done (reply);
  beckon_agent_fixture_script (fixture, reply);
  beckon_agent_fixture_send (fixture, fixture->conversation, "Talk");
  while (!beckon_run_phase_is_end (beckon_conversation_get_phase (fixture->conversation)))
    {
      g_main_context_iteration (NULL, TRUE);
      beckon_clock_advance (fixture->clock, 100);
    }
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  g_assert_true (last_text_is (fixture, expected->str));
}

static void
test_busy (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();
  g_autoptr (GError) send_error = NULL;
  g_autoptr (GError) continue_error = NULL;

  beckon_agent_fixture_script (fixture, beckon_script_held ("Wait", "gate", " …"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Hello");
  beckon_agent_fixture_wait_phase (fixture, BECKON_RUN_RECEIVING);
  g_assert_false (beckon_agent_fixture_try_send (fixture, fixture->conversation, "More", &send_error));
  g_assert_error (send_error, BECKON_ERROR, BECKON_ERROR_CONFLICT);
  g_assert_false (beckon_agent_fixture_try_continue (fixture, fixture->conversation, &continue_error));
  g_assert_error (continue_error, BECKON_ERROR, BECKON_ERROR_CONFLICT);

  beckon_fixture_server_release (fixture->server, "gate");
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  beckon_agent_fixture_assert_shown (fixture,
                                     "user complete\n  text Hello\nassistant complete\n  text Wait …\n");
}

static void
on_sent (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GAsyncResult **slot = user_data;

  *slot = g_object_ref (result);
}

/* Cancelled at any moment, the caller learns the truth: a message is either his still, or stored and being answered. */
static void
test_send_cancelled (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();

  for (guint i = 0; i < 40; i++)
    {
      BeckonConversation *conversation = beckon_agent_fixture_create (fixture);
      g_autoptr (GCancellable) cancellable = g_cancellable_new ();
      g_autoptr (GAsyncResult) sent = NULL;
      g_autoptr (GError) error = NULL;
      g_autofree char *stored = NULL;

      beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Yes"));
      beckon_agent_send_async (fixture->agent, conversation, "Hello", cancellable, on_sent, &sent);
      for (guint turns = 0; turns < i % 4 && sent == NULL; turns++)
        g_main_context_iteration (NULL, TRUE);
      g_cancellable_cancel (cancellable);
      beckon_agent_wait_until (sent != NULL);
      stored = beckon_agent_fixture_dump_stored (fixture->store, beckon_conversation_get_id (conversation));
      if (beckon_agent_send_finish (fixture->agent, sent, &error))
        g_assert_true (g_str_has_prefix (stored, "user complete\n  text Hello\n"));
      else
        g_assert_cmpstr (stored, ==, "");
      beckon_agent_wait_until (!beckon_conversation_is_busy (conversation));
    }
}

/* The person's own words are part of the prompt, and the rule of asking is there only while the tool is. */
static void
test_prompt (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();
  g_autofree char *with = NULL;
  g_autofree char *without = NULL;

  g_settings_set_string (beckon_settings_get_gsettings (fixture->settings), "instructions", "Speak like a pirate.");
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Arr"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Hello");
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  with = beckon_agent_dup_system (beckon_fixture_server_get_request (fixture->server, 0));
  g_assert_nonnull (strstr (with, "Speak like a pirate."));
  g_assert_nonnull (strstr (with, "ask_user"));
  beckon_agent_fixture_assert_tools (fixture, 0, "ask_user get_current_time");

  beckon_settings_set_enable_ask_user (fixture->settings, FALSE);
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Arr"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Again");
  beckon_agent_wait_until (beckon_fixture_server_count_requests (fixture->server) == 2);
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  without = beckon_agent_dup_system (beckon_fixture_server_get_request (fixture->server, 1));
  g_assert_nonnull (strstr (without, "Speak like a pirate."));
  g_assert_null (strstr (without, "ask_user"));
  beckon_agent_fixture_assert_tools (fixture, 1, "get_current_time");
}

static void
test_no_profile (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();

  beckon_settings_set_default_profile (fixture->settings, "no-such-profile");
  beckon_agent_fixture_send (fixture, fixture->conversation, "Hello");
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_FAILED);
  g_assert_nonnull (strstr (beckon_conversation_get_detail (fixture->conversation), "Preferences"));
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/agent/reply/plain", test_plain);
  g_test_add_func ("/agent/reply/reasoning-and-usage", test_reasoning);
  g_test_add_func ("/agent/reply/second-message", test_second_message);
  g_test_add_func ("/agent/reply/flushed-while-streaming", test_flushed);
  g_test_add_func ("/agent/reply/long", test_long);
  g_test_add_func ("/agent/reply/busy", test_busy);
  g_test_add_func ("/agent/reply/send-cancelled", test_send_cancelled);
  g_test_add_func ("/agent/reply/prompt", test_prompt);
  g_test_add_func ("/agent/reply/no-profile", test_no_profile);
  return g_test_run ();
}
