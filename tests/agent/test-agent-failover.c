/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-agent-fixture.h"
#include "beckon-test-tool.h"

#include "domain/beckon-note.h"

#include <string.h>

/* A profile has others to go on with. All of them are the same server here, and are told apart by their models. */

static void
on_saved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  beckon_profiles_save_finish (BECKON_PROFILES (source), result, &error);
  g_assert_no_error (error);
  *(gboolean *) user_data = TRUE;
}

static void
save (BeckonAgentFixture *fixture, BeckonProfile *profile)
{
  gboolean done = FALSE;

  beckon_profiles_save_async (fixture->profiles, profile, NULL, on_saved, &done);
  beckon_agent_wait_until (done);
}

static void
add_profile (BeckonAgentFixture *fixture, const char *name)
{
  g_autoptr (BeckonProfile) profile = beckon_profile_new (name, BECKON_PROFILE_CHAT);

  beckon_profile_set_name (profile, name);
  beckon_profile_set_base_url (profile, beckon_fixture_server_get_base_url (fixture->server));
  beckon_profile_set_model (profile, name);
  save (fixture, profile);
}

static BeckonAgentFixture *
fixture_new_with (const char *const *names)
{
  BeckonAgentFixture *fixture = beckon_agent_fixture_new ();
  g_autofree char *id = beckon_settings_dup_default_profile (fixture->settings);
  g_autoptr (BeckonProfile) own = beckon_profile_copy (beckon_profiles_lookup (fixture->profiles, id));

  for (guint i = 0; names[i] != NULL; i++)
    if (strcmp (names[i], "gone") != 0)
      add_profile (fixture, names[i]);
  beckon_profile_set_fallbacks (own, names);
  save (fixture, own);
  return fixture;
}

static void
assert_model (BeckonAgentFixture *fixture, guint index, const char *model)
{
  g_autofree char *member = g_strdup_printf ("\"model\":\"%s\"", model);
  const BeckonFixtureRequest *request = beckon_fixture_server_get_request (fixture->server, index);

  if (strstr (request->body, member) == NULL)
    g_error ("request %u is not for %s: %s", index, model, request->body);
}

/* The sentence of the note that is message @index. */
static void
assert_note (BeckonAgentFixture *fixture, guint index, const char *words)
{
  BeckonMessage *message = beckon_conversation_get_message (fixture->conversation, index);
  g_autofree char *sentence = NULL;

  g_assert_cmpint (beckon_note_get_kind (message), ==, BECKON_NOTE_FAILOVER);
  sentence = beckon_note_dup_sentence (beckon_message_get_part (message, 0));
  if (strstr (sentence, words) == NULL)
    g_error ("“%s” does not say “%s”", sentence, words);
}

/* Each of these is said at once, and another is asked at once. */
static void
test_at_once (void)
{
  static const struct
  {
    guint status;
    const char *headers;
    const char *message;
    const char *words;
  } cases[] = {
    { 401, NULL, "Wrong key", "HTTP 401" },
    { 403, NULL, "Not for you", "HTTP 403" },
    { 404, NULL, "No model", "HTTP 404" },
    { 402, NULL, "Pay", "no credit left" },
    { 429, "Retry-After: 30\r\n", "Slow down", "HTTP 429" },
    { 429, "Retry-After: 86400\r\n", "Tomorrow", "24 hours" },
    { 503, "Retry-After: 3600\r\n", "Later", "HTTP 503" },
    { 307, "Location: http://127.0.0.2/\r\n", "Elsewhere", "not followed" },
  };
  static const char *const names[] = { "backup", NULL };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (BeckonAgentFixture) fixture = fixture_new_with (names);

      beckon_agent_fixture_script (fixture, beckon_script_error (cases[i].status, cases[i].headers, cases[i].message));
      beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Here"));
      beckon_agent_fixture_send (fixture, fixture->conversation, "Hello");
      beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
      g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 2);
      assert_model (fixture, 1, "backup");
      beckon_agent_fixture_assert_sent (fixture, 1, "user Hello\n");
      g_assert_cmpuint (beckon_conversation_get_n_messages (fixture->conversation), ==, 3);
      assert_note (fixture, 1, cases[i].words);
      assert_note (fixture, 1, "Going on with “backup”");
    }
}

static gboolean
asks_for (BeckonAgentFixture *fixture, guint index, const char *member)
{
  return strstr (beckon_fixture_server_get_request (fixture->server, index)->body, member) != NULL;
}

/* The effort is the conversation's, whoever answers; a change holds from the next request on. */
static void
test_effort (void)
{
  static const char *const names[] = { "backup", NULL };
  g_autoptr (BeckonAgentFixture) fixture = fixture_new_with (names);

  beckon_library_set_effort (fixture->library, fixture->conversation, BECKON_EFFORT_HIGH);
  beckon_agent_fixture_script (fixture, beckon_script_error (401, NULL, "Wrong key"));
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Here"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Hello");
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  g_assert_true (asks_for (fixture, 0, "\"reasoning_effort\":\"high\""));
  g_assert_true (asks_for (fixture, 1, "\"reasoning_effort\":\"high\""));

  beckon_library_set_effort (fixture->library, fixture->conversation, BECKON_EFFORT_DEFAULT);
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Again"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "More");
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  g_assert_false (asks_for (fixture, 2, "reasoning_effort"));
}

/* A pause that is over soon is waited for; only then another profile is asked. */
static void
test_after_tries (void)
{
  static const char *const names[] = { "backup", NULL };
  g_autoptr (BeckonAgentFixture) fixture = fixture_new_with (names);

  for (guint i = 0; i < 3; i++)
    beckon_agent_fixture_script (fixture, beckon_script_error (500, NULL, "Boom"));
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Here"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Hello");
  for (guint i = 0; i < 2; i++)
    {
      beckon_agent_fixture_wait_phase (fixture, BECKON_RUN_RETRY_WAIT);
      beckon_clock_advance (fixture->clock, 2500);
    }
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  assert_model (fixture, 3, "backup");
  assert_note (fixture, 1, "Boom");
}

static void
test_timeout (void)
{
  static const char *const names[] = { "backup", NULL };
  g_autoptr (BeckonAgentFixture) fixture = fixture_new_with (names);

  beckon_agent_fixture_script (fixture, beckon_script_silent ("never"));
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Here"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Hello");
  beckon_agent_wait_until (beckon_fixture_server_count_held (fixture->server, "never") == 1);
  beckon_clock_advance (fixture->clock, 601 * 1000);
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  assert_note (fixture, 1, "did not begin to answer");
}

/* In their order; one that is gone is passed over; the last one's words are what is shown. */
static void
test_all_fail (void)
{
  static const char *const names[] = { "first", "gone", "second", NULL };
  g_autoptr (BeckonAgentFixture) fixture = fixture_new_with (names);

  beckon_agent_fixture_script (fixture, beckon_script_error (401, NULL, "One"));
  beckon_agent_fixture_script (fixture, beckon_script_error (401, NULL, "Two"));
  beckon_agent_fixture_script (fixture, beckon_script_error (401, NULL, "Three"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Hello");
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_FAILED);
  assert_model (fixture, 1, "first");
  assert_model (fixture, 2, "second");
  assert_note (fixture, 1, "One");
  assert_note (fixture, 2, "Two");
  g_assert_nonnull (strstr (beckon_conversation_get_detail (fixture->conversation), "Three"));

  /* Retry begins with the first again, and tells the model nothing of all this. */
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_continue (fixture);
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  beckon_agent_fixture_assert_sent (fixture, 3, "user Hello\n");
}

/* A reply that keeps breaking off is begun anew by another, behind the note that says so. */
static void
test_after_words (void)
{
  static const char *const names[] = { "backup", NULL };
  g_autoptr (BeckonAgentFixture) fixture = fixture_new_with (names);
  BeckonConversation *conversation = fixture->conversation;

  for (guint i = 0; i < 3; i++)
    beckon_agent_fixture_script (fixture, beckon_script_cut ("Half"));
  beckon_agent_fixture_script (fixture, beckon_script_held ("Here", "go on", " it is"));
  beckon_agent_fixture_send (fixture, conversation, "Hello");
  for (guint i = 0; i < 2; i++)
    {
      beckon_agent_fixture_wait_phase (fixture, BECKON_RUN_RETRY_WAIT);
      beckon_clock_advance (fixture->clock, 2500);
    }
  beckon_agent_wait_until (beckon_fixture_server_count_held (fixture->server, "go on") == 1);
  beckon_fixture_server_release (fixture->server, "go on");
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  assert_model (fixture, 3, "backup");
  beckon_agent_fixture_assert_sent (fixture, 3, "user Hello\n");
  g_assert_cmpuint (beckon_conversation_get_n_messages (conversation), ==, 3);
  assert_note (fixture, 1, "before it was complete");
  g_assert_cmpstr (beckon_message_get_parent_id (beckon_conversation_get_message (conversation, 1)), ==,
                   beckon_message_get_id (beckon_conversation_get_message (conversation, 0)));
  beckon_agent_fixture_assert_closed (fixture, conversation);
  beckon_agent_fixture_restart (fixture);
  g_assert_cmpuint (beckon_conversation_get_n_messages (fixture->conversation), ==, 3);
  assert_note (fixture, 1, "before it was complete");
}

/* The other does not answer, either: what came stays, and the note behind it. */
static void
test_words_left (void)
{
  static const char *const names[] = { "backup", NULL };
  g_autoptr (BeckonAgentFixture) fixture = fixture_new_with (names);

  for (guint i = 0; i < 3; i++)
    beckon_agent_fixture_script (fixture, beckon_script_cut ("Half"));
  beckon_agent_fixture_script (fixture, beckon_script_error (401, NULL, "Wrong key"));
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Hello");
  for (guint i = 0; i < 2; i++)
    {
      beckon_agent_fixture_wait_phase (fixture, BECKON_RUN_RETRY_WAIT);
      beckon_clock_advance (fixture->clock, 2500);
    }
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_FAILED);
  g_assert_cmpint (beckon_message_get_status (beckon_conversation_get_message (fixture->conversation, 1)), ==,
                   BECKON_MESSAGE_FAILED);
  assert_note (fixture, 2, "before it was complete");
  beckon_agent_fixture_assert_closed (fixture, fixture->conversation);
  beckon_agent_fixture_continue (fixture);
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  beckon_agent_fixture_assert_sent (fixture, 4, "user Hello\n");
}

/* No other profile is asked where the request itself is at fault. */
static void
test_not_asked (void)
{
  static const char *const names[] = { "backup", NULL };
  g_autoptr (BeckonAgentFixture) fixture = fixture_new_with (names);

  beckon_agent_fixture_script (fixture, beckon_script_error (400, NULL, "Bad schema"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Hello");
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_FAILED);
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 1);
}

/* The rest of the run stays with who answered; the next one begins with its own profile. */
static void
test_stays (void)
{
  static const char *const names[] = { "backup", NULL };
  g_autoptr (BeckonAgentFixture) fixture = fixture_new_with (names);
  g_autoptr (BeckonTestTool) tool = beckon_test_tool_new ("read_note", TRUE);

  beckon_tool_registry_add (fixture->tools, BECKON_TOOL (tool));
  beckon_agent_fixture_script (fixture, beckon_script_error (401, NULL, "Wrong"));
  beckon_agent_fixture_script (fixture, beckon_script_call ("call_1", "read_note", "{}"));
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Here"));
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("There"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Hello");
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  assert_model (fixture, 2, "backup");
  beckon_agent_fixture_assert_sent (fixture, 2, "user Hello\nassistant\n  call call_1 read_note {}\n"
                                                "tool call_1 read_note did {}\n");
  beckon_agent_fixture_send (fixture, fixture->conversation, "And now?");
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  g_assert_null (strstr (beckon_fixture_server_get_request (fixture->server, 3)->body, "\"model\":\"backup\""));
}

/* Waiting is over at once when the person says so. */
static void
test_stop_while_waiting (void)
{
  static const char *const names[] = { NULL };
  g_autoptr (BeckonAgentFixture) fixture = fixture_new_with (names);

  beckon_agent_fixture_script (fixture, beckon_script_error (429, "Retry-After: 60\r\n", "Slow down"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Hello");
  beckon_agent_fixture_wait_phase (fixture, BECKON_RUN_RETRY_WAIT);
  beckon_agent_fixture_stop (fixture);
  g_assert_cmpint (beckon_conversation_get_phase (fixture->conversation), ==, BECKON_RUN_STOPPED);
  beckon_clock_advance (fixture->clock, 61 * 1000);
  beckon_agent_fixture_settle ();
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 1);
}

/* Another provider that is chosen for new conversations gets nothing of one that had begun, also after a restart. */
static void
test_chosen_later (void)
{
  static const char *const names[] = { NULL };
  g_autoptr (BeckonAgentFixture) fixture = fixture_new_with (names);
  g_autofree char *id = g_strdup (beckon_conversation_get_id (fixture->conversation));
  BeckonConversation *next;

  add_profile (fixture, "chosen");
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Here"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Hello");
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);

  beckon_agent_fixture_restart (fixture);
  beckon_settings_set_default_profile (fixture->settings, "chosen");
  beckon_agent_fixture_open (fixture, id);
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Still here"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "More");
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  g_assert_false (asks_for (fixture, 1, "\"model\":\"chosen\""));

  next = beckon_agent_fixture_create (fixture);
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Another"));
  beckon_agent_fixture_send (fixture, next, "Hello");
  beckon_agent_wait_until (beckon_fixture_server_count_requests (fixture->server) == 3);
  assert_model (fixture, 2, "chosen");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/faults/D/56-another-is-asked-at-once", test_at_once);
  g_test_add_func ("/faults/D/59-another-is-asked-after-tries", test_after_tries);
  g_test_add_func ("/faults/D/64-another-is-asked-after-a-timeout", test_timeout);
  g_test_add_func ("/agent/failover/effort", test_effort);
  g_test_add_func ("/agent/failover/all-fail", test_all_fail);
  g_test_add_func ("/agent/failover/after-words", test_after_words);
  g_test_add_func ("/agent/failover/words-left", test_words_left);
  g_test_add_func ("/agent/failover/not-asked", test_not_asked);
  g_test_add_func ("/agent/failover/stays", test_stays);
  g_test_add_func ("/agent/failover/chosen-later", test_chosen_later);
  g_test_add_func ("/faults/D/58-stop-while-waiting", test_stop_while_waiting);
  return g_test_run ();
}
