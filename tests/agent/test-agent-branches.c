/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A message is edited and sent again, a reply is written again: what the model is told is the branch that is shown, nothing that
 * was said is lost, and nothing that was asked is left behind. */

#include "beckon-agent-fixture.h"

#include "base/beckon-error.h"

static void
on_result (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

static const char *
get_id (BeckonAgentFixture *fixture, guint index)
{
  return beckon_message_get_id (beckon_conversation_get_message (fixture->conversation, index));
}

static gboolean
try_regenerate (BeckonAgentFixture *fixture, guint index, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  beckon_agent_regenerate_async (fixture->agent, fixture->conversation, get_id (fixture, index), NULL, on_result, &result);
  beckon_agent_wait_until (result != NULL);
  return beckon_agent_send_finish (fixture->agent, result, error);
}

static void
say (BeckonAgentFixture *fixture, const char *text, const char *reply)
{
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat (reply));
  beckon_agent_fixture_send (fixture, fixture->conversation, text);
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
}

static void
assert_version (BeckonAgentFixture *fixture, guint index, guint version, guint n_versions)
{
  BeckonMessage *message = beckon_conversation_get_message (fixture->conversation, index);

  g_assert_cmpuint (beckon_message_get_version (message), ==, version);
  g_assert_cmpuint (beckon_message_get_n_versions (message), ==, n_versions);
}

#define TALK \
  "user complete\n  text One?\nassistant complete\n  text First\n  usage 7 3\nuser complete\n  text Two?\n" \
  "assistant complete\n  text Second\n  usage 7 3\n"

static void
test_edit (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();
  g_autoptr (GError) error = NULL;

  say (fixture, "One?", "First");
  say (fixture, "Two?", "Second");
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Third"));
  g_assert_true (beckon_agent_fixture_try_edit (fixture, 2, "Three?", &error));
  g_assert_no_error (error);
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  beckon_agent_fixture_assert_sent (fixture, 2, "user One?\nassistant First\nuser Three?\n");
  beckon_agent_fixture_assert_shown (fixture, "user complete\n  text One?\nassistant complete\n  text First\n  usage 7 3\n"
                                              "user complete\n  text Three?\nassistant complete\n  text Third\n  usage 7 3\n");
  beckon_agent_fixture_assert_closed (fixture, fixture->conversation);
  assert_version (fixture, 2, 1, 2);
  assert_version (fixture, 3, 0, 1);

  g_assert_true (beckon_agent_fixture_try_show (fixture, 2, 0, &error));
  beckon_agent_fixture_assert_shown (fixture, TALK);
  say (fixture, "Four?", "Fourth");
  beckon_agent_fixture_assert_sent (fixture, 3, "user One?\nassistant First\nuser Two?\nassistant Second\nuser Four?\n");
}

/* The first message too, and the composer's text stays what it was. */
static void
test_edit_first (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();
  g_autoptr (GError) error = NULL;

  say (fixture, "One?", "First");
  beckon_library_save_draft (fixture->library, fixture->conversation, "half a thought");
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Other"));
  g_assert_true (beckon_agent_fixture_try_edit (fixture, 0, "Uno?", &error));
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  beckon_agent_fixture_assert_sent (fixture, 1, "user Uno?\n");
  g_assert_cmpstr (beckon_conversation_get_draft (fixture->conversation), ==, "half a thought");
  assert_version (fixture, 0, 1, 2);
  beckon_agent_fixture_assert_closed (fixture, fixture->conversation);
}

/* In the store too. */
static void
assert_title (BeckonAgentFixture *fixture, const char *title)
{
  g_autoptr (BeckonLibrary) library = beckon_library_new (fixture->store, fixture->clock);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  BeckonConversation *stored;

  g_assert_cmpstr (beckon_conversation_get_title (fixture->conversation), ==, title);
  beckon_library_load_async (library, NULL, on_result, &result);
  beckon_agent_wait_until (result != NULL);
  beckon_library_load_finish (library, result, &error);
  g_assert_no_error (error);
  stored = beckon_library_lookup (library, beckon_conversation_get_id (fixture->conversation));
  g_assert_cmpstr (beckon_conversation_get_title (stored), ==, title);
}

static void
edit_first (BeckonAgentFixture *fixture, const char *text, const char *title)
{
  g_autoptr (GError) error = NULL;

  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Other"));
  g_assert_true (beckon_agent_fixture_try_edit (fixture, 0, text, &error));
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  assert_title (fixture, title);
}

/* A conversation that is called by its first words is called by those that took their place, and keeps a name that was given. */
static void
test_title (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();

  say (fixture, "One?", "First");
  assert_title (fixture, "One?");
  edit_first (fixture, "Uno?", "Uno?");
  beckon_library_rename (fixture->library, fixture->conversation, "Un?");
  edit_first (fixture, "Eins?", "Un?");
}

static void
test_regenerate (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();
  g_autoptr (GError) error = NULL;

  say (fixture, "One?", "First");
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Premier"));
  g_assert_true (try_regenerate (fixture, 1, &error));
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  beckon_agent_fixture_assert_sent (fixture, 1, "user One?\n");
  beckon_agent_fixture_assert_shown (fixture, "user complete\n  text One?\nassistant complete\n  text Premier\n  usage 7 3\n");
  assert_version (fixture, 1, 1, 2);
  beckon_agent_fixture_assert_closed (fixture, fixture->conversation);
}

/* A reply that never came leaves the one before a step away. */
static void
test_regenerate_fails (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  say (fixture, "One?", "First");
  beckon_agent_fixture_script (fixture, beckon_script_error (401, NULL, "No."));
  g_assert_true (try_regenerate (fixture, 1, &error));
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_FAILED);
  beckon_agent_fixture_assert_shown (fixture, "user complete\n  text One?\n");
  g_assert_cmpuint (beckon_message_get_n_left (beckon_conversation_get_message (fixture->conversation, 0)), ==, 1);

  beckon_library_show_left_async (fixture->library, fixture->conversation, NULL, on_result, &result);
  beckon_agent_wait_until (result != NULL);
  g_assert_true (beckon_library_show_finish (fixture->library, result, &error));
  beckon_agent_fixture_assert_shown (fixture, "user complete\n  text One?\nassistant complete\n  text First\n  usage 7 3\n");
  g_assert_cmpuint (beckon_message_get_n_left (beckon_conversation_get_message (fixture->conversation, 0)), ==, 0);
}

/* A request that waits belongs to the branch that is shown: it is not left, and the answer goes where it was asked for. */
static void
assert_kept (BeckonAgentFixture *fixture)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  const char *ids[] = { get_id (fixture, 0), NULL };

  g_assert_false (beckon_agent_fixture_try_edit (fixture, 0, "Other?", &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_CONFLICT);
  g_clear_error (&error);
  g_assert_false (try_regenerate (fixture, 1, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_CONFLICT);
  g_clear_error (&error);
  g_assert_false (beckon_agent_fixture_try_show (fixture, 0, 0, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_CONFLICT);
  g_clear_error (&error);
  beckon_library_remove_messages_async (fixture->library, fixture->conversation, ids, NULL, on_result, &result);
  beckon_agent_wait_until (result != NULL);
  g_assert_false (beckon_library_show_finish (fixture->library, result, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_CONFLICT);
}

static void
test_not_while_asked (gconstpointer flow)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();
  BeckonRequest *request;

  g_settings_set_string (beckon_settings_get_gsettings (fixture->settings), "ask-user-flow", flow);
  beckon_agent_fixture_script (fixture, beckon_script_ask ("call_7"));
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Set it up");
  request = beckon_agent_fixture_wait_pending (fixture, 1);
  beckon_agent_wait_until (beckon_conversation_get_n_messages (fixture->conversation) == 2);
  beckon_agent_fixture_wait_phase (fixture,
                                   g_str_equal (flow, "end-turn") ? BECKON_RUN_ASKED : BECKON_RUN_WAITING);
  assert_kept (fixture);
  g_assert_cmpint (beckon_request_get_state (request), ==, BECKON_REQUEST_PENDING);
  beckon_agent_fixture_answer (fixture, request, beckon_script_pick ("9090"));
  beckon_agent_wait_until (beckon_conversation_get_phase (fixture->conversation) == BECKON_RUN_COMPLETE);
  beckon_agent_fixture_assert_closed (fixture, fixture->conversation);
}

/* Stopped, it may be left: then nothing of it is told. */
static void
test_after_stop (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();
  g_autoptr (GError) error = NULL;

  beckon_agent_fixture_script (fixture, beckon_script_ask ("call_7"));
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Set it up");
  beckon_agent_fixture_wait_pending (fixture, 1);
  beckon_agent_fixture_stop (fixture);
  g_assert_true (beckon_agent_fixture_try_edit (fixture, 0, "Do not ask", &error));
  g_assert_no_error (error);
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  beckon_agent_fixture_assert_sent (fixture, 1, "user Do not ask\n");
  beckon_agent_fixture_assert_closed (fixture, fixture->conversation);
}

/* How long it reasoned is known after a restart, too. */
static void
test_duration (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();
  g_autoptr (GAsyncResult) loaded = NULL;
  g_autoptr (GPtrArray) messages = NULL;
  BeckonPart *part;
  gint64 duration;

  beckon_fixture_reply_add_stream_head (reply);
  beckon_fixture_reply_add_chat_reasoning (reply, "Hm. ");
  beckon_fixture_reply_add_hold (reply, "thinking");
  beckon_fixture_reply_add_chat_text (reply, "One");
  beckon_fixture_reply_add_chat_finish (reply, "stop");
  beckon_fixture_reply_add_chat_done (reply);
  beckon_agent_fixture_script (fixture, reply);
  beckon_agent_fixture_send (fixture, fixture->conversation, "Count");
  beckon_agent_wait_until (beckon_conversation_get_n_messages (fixture->conversation) == 2);
  beckon_clock_advance (fixture->clock, 12000);
  beckon_fixture_server_release (fixture->server, "thinking");
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);

  part = beckon_message_get_part (beckon_conversation_get_message (fixture->conversation, 1), 0);
  duration = beckon_part_get_duration (part);
  g_assert_cmpint (duration, >=, 12 * G_TIME_SPAN_SECOND);
  beckon_store_load_messages_async (fixture->store, beckon_conversation_get_id (fixture->conversation), NULL, on_result,
                                    &loaded);
  beckon_agent_wait_until (loaded != NULL);
  messages = beckon_store_load_messages_finish (fixture->store, loaded, NULL);
  part = beckon_message_get_part (g_ptr_array_index (messages, 1), 0);
  g_assert_cmpint (beckon_part_get_kind (part), ==, BECKON_PART_REASONING);
  g_assert_cmpint (beckon_part_get_duration (part), ==, duration);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/agent/branches/edit", test_edit);
  g_test_add_func ("/agent/branches/edit-first", test_edit_first);
  g_test_add_func ("/agent/branches/title", test_title);
  g_test_add_func ("/agent/branches/regenerate", test_regenerate);
  g_test_add_func ("/agent/branches/regenerate-fails", test_regenerate_fails);
  g_test_add_data_func ("/agent/branches/not-while-asked/suspend", "suspend", test_not_while_asked);
  g_test_add_data_func ("/agent/branches/not-while-asked/end-turn", "end-turn", test_not_while_asked);
  g_test_add_func ("/agent/branches/after-stop", test_after_stop);
  g_test_add_func ("/agent/branches/duration", test_duration);
  return g_test_run ();
}
