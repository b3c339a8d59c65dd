/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Preferences and a profile's window decide what its server is sent, without a keyring; and what came of earlier runs is what
 * Preferences show.
 */

#include "beckon-ui-home.h"

#include "base/beckon-id.h"
#include "beckon-fixture-server.h"
#include "domain/beckon-note.h"
#include "ui/conversation/beckon-conversation-view.h"
#include "ui/preferences/beckon-audit-log.h"
#include "ui/preferences/beckon-preferences.h"
#include "ui/preferences/beckon-profile-details.h"
#include "ui/preferences/beckon-profile-editor.h"

#include <string.h>
#include <time.h>

typedef struct
{
  UiHome home;
  BeckonFixtureServer *server;
  BeckonConversation *conversation; /* once something was sent; borrowed */
} World;

static void
world_open (World *world)
{
  *world = (World){ .server = beckon_fixture_server_new (0) };
  ui_home_open (&world->home);
  /* A script has no reply to spare for a title. */
  g_settings_set_boolean (beckon_settings_get_gsettings (beckon_runtime_get_settings (world->home.runtime)),
                          "name-conversations", FALSE);
}

static void
world_close (World *world)
{
  ui_home_close (&world->home);
  beckon_fixture_server_free (world->server);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (World, world_close)

static BeckonProfile *
find_profile (World *world, const char *id)
{
  return beckon_profiles_lookup (beckon_runtime_get_profiles (world->home.runtime), id);
}

/* A profile whose server is the world's, unless it is another one's. */
static void
add_profile (World *world, const char *id, BeckonFixtureServer *server)
{
  g_autoptr (BeckonProfile) profile = beckon_profile_new (id, BECKON_PROFILE_CHAT);

  g_object_set (profile, "name", id, "model", id, "base-url", beckon_fixture_server_get_base_url (server), NULL);
  beckon_profiles_save_async (beckon_runtime_get_profiles (world->home.runtime), profile, NULL, NULL, NULL);
  ui_wait_until (find_profile (world, id) != NULL);
}

static void
choose_profile (World *world, const char *id)
{
  beckon_settings_set_default_profile (beckon_runtime_get_settings (world->home.runtime), id);
}

static void
send (World *world, const char *text)
{
  BeckonRuntime *runtime = world->home.runtime;

  if (world->conversation == NULL)
    world->conversation = beckon_library_create (beckon_runtime_get_library (runtime));
  beckon_agent_send_async (beckon_runtime_get_agent (runtime), world->conversation, text, NULL, NULL, NULL);
  ui_wait_until (beckon_conversation_get_has_run (world->conversation));
}

static void
wait_end (World *world, BeckonRunPhase phase)
{
  ui_wait_until (beckon_run_phase_is_end (beckon_conversation_get_phase (world->conversation)));
  g_assert_cmpint (beckon_conversation_get_phase (world->conversation), ==, phase);
}

static const char *
get_body (BeckonFixtureServer *server, guint index)
{
  return beckon_fixture_server_get_request (server, index)->body;
}

static void
assert_says (const char *body, const char *words)
{
  if (strstr (body, words) == NULL)
    g_error ("“%s” is not in %s", words, body);
}

static GtkWidget *
open_editor (World *world, BeckonProfile *profile)
{
  GtkWidget *editor = beckon_profile_editor_new (world->home.runtime, profile, "vllm");

  return ui_present (editor);
}

static void
save (GtkWidget *editor)
{
  g_object_add_weak_pointer (G_OBJECT (editor), (gpointer *) &editor);
  ui_click (editor, "Save profile");
  ui_wait_until (editor == NULL);
}

static GtkWidget *
open_preferences (World *world)
{
  GtkWidget *preferences = beckon_preferences_new (world->home.runtime, NULL);

  ui_present (preferences);
  return preferences;
}

static void
show_more (GtkWidget *editor)
{
  GtkWidget *details = ui_find_type (editor, BECKON_TYPE_PROFILE_DETAILS);

  adw_expander_row_set_expanded (ADW_EXPANDER_ROW (ui_find_type (details, ADW_TYPE_EXPANDER_ROW)), TRUE);
}

/* A new profile, its key for the session, chosen: that is who is asked, and how. */
static void
test_new_profile (UiFixture *fixture, gconstpointer data)
{
  g_auto (World) world;
  g_autofree char *key = NULL;
  g_autofree char *id = NULL;
  GtkWidget *editor;

  world_open (&world);
  editor = open_editor (&world, NULL);
  ui_type (editor, "Name", "Mine");
  ui_type (editor, "Base URL", beckon_fixture_server_get_base_url (world.server));
  ui_type (editor, "Model", "qwen-small");
  ui_type (editor, "API Key", "sk-right-key");
  show_more (editor);
  ui_type (editor, "Temperature, 0 to 2 (empty for the model’s default)", "0.25");
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (ui_find_named (editor, "Longest Reply")), 777);
  ui_click (editor, "Save profile");
  ui_wait_until (ui_find_named (editor, "Keep the key for this session only") != NULL);
  g_object_add_weak_pointer (G_OBJECT (editor), (gpointer *) &editor);
  ui_click (editor, "Keep the key for this session only");
  ui_wait_until (editor == NULL);
  for (guint i = 0; id == NULL; i++)
    {
      g_autoptr (BeckonProfile) profile =
        g_list_model_get_item (G_LIST_MODEL (beckon_runtime_get_profiles (world.home.runtime)), i);

      g_assert_nonnull (profile);
      if (g_str_equal (beckon_profile_get_name (profile), "Mine"))
        id = g_strdup (beckon_profile_get_id (profile));
    }
  choose_profile (&world, id);

  beckon_fixture_server_queue (world.server, beckon_fixture_reply_new_chat ("Hello."));
  send (&world, "Hello");
  wait_end (&world, BECKON_RUN_COMPLETE);
  key = beckon_fixture_request_dup_header (beckon_fixture_server_get_request (world.server, 0), "Authorization");
  g_assert_cmpstr (key, ==, "Bearer sk-right-key");
  assert_says (get_body (world.server, 0), "\"model\":\"qwen-small\"");
  assert_says (get_body (world.server, 0), "\"temperature\":0.25");
  assert_says (get_body (world.server, 0), "777");
}

/* Each asks for something else: the same over and over would be asked about. */
static void
queue_call (World *world, guint number)
{
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();
  g_autofree char *id = g_strdup_printf ("call_%u", number);
  g_autofree char *arguments = g_strdup_printf ("{\"timezone\":\"Etc/GMT+%u\"}", number);

  beckon_fixture_reply_add_stream_head (reply);
  beckon_fixture_reply_add_chat_call (reply, 0, id, "get_current_time", arguments);
  beckon_fixture_reply_add_chat_finish (reply, "tool_calls");
  beckon_fixture_reply_add_chat_done (reply);
  beckon_fixture_server_queue (world->server, reply);
}

/* The slider is at ten: the eleventh request is sent when the person has it go on, and not before. */
static void
test_rounds (UiFixture *fixture, gconstpointer data)
{
  g_auto (World) world;
  GtkWidget *preferences;

  world_open (&world);
  add_profile (&world, "mine", world.server);
  choose_profile (&world, "mine");
  preferences = open_preferences (&world);
  gtk_range_set_value (GTK_RANGE (ui_find_type (preferences, GTK_TYPE_SCALE)), 10);
  ui_destroy (preferences);
  for (guint i = 0; i < 10; i++)
    queue_call (&world, i);
  send (&world, "What time is it?");
  wait_end (&world, BECKON_RUN_ROUND_LIMIT);
  g_assert_cmpuint (beckon_fixture_server_count_requests (world.server), ==, 10);

  beckon_fixture_server_queue (world.server, beckon_fixture_reply_new_chat ("Noon."));
  beckon_agent_continue_async (beckon_runtime_get_agent (world.home.runtime), world.conversation, NULL, NULL, NULL);
  ui_wait_until (beckon_fixture_server_count_requests (world.server) == 11);
  wait_end (&world, BECKON_RUN_COMPLETE);
}

/* Fallbacks are chosen in the profile's window; the order is that of the window. */
static void
test_fallbacks (UiFixture *fixture, gconstpointer data)
{
  g_auto (World) world;
  BeckonFixtureServer *servers[2];
  BeckonFixtureReply *refusal = beckon_fixture_reply_new ();
  BeckonFixtureReply *busy = beckon_fixture_reply_new ();
  GtkWidget *editor;

  world_open (&world);
  for (guint i = 0; i < G_N_ELEMENTS (servers); i++)
    servers[i] = beckon_fixture_server_new (0);
  add_profile (&world, "mine", world.server);
  add_profile (&world, "second", servers[0]);
  add_profile (&world, "third", servers[1]);
  choose_profile (&world, "mine");
  editor = open_editor (&world, find_profile (&world, "mine"));
  gtk_widget_activate_action (ui_find_named (editor, "Add a fallback"), "fallback.add", "s", "third");
  gtk_widget_activate_action (ui_find_named (editor, "Add a fallback"), "fallback.add", "s", "second");
  ui_click (editor, "Move second up");
  save (editor);

  beckon_fixture_reply_add_response (refusal, 401, NULL, "application/json", "{\"error\":{\"message\":\"No.\"}}");
  beckon_fixture_server_queue (world.server, refusal);
  beckon_fixture_reply_add_response (busy, 403, NULL, "application/json", "{\"error\":{\"message\":\"Not you.\"}}");
  beckon_fixture_server_queue (servers[0], busy);
  beckon_fixture_server_queue (servers[1], beckon_fixture_reply_new_chat ("Here."));
  send (&world, "Hello");
  wait_end (&world, BECKON_RUN_COMPLETE);
  g_assert_cmpuint (beckon_fixture_server_count_requests (world.server), ==, 1);
  g_assert_cmpuint (beckon_fixture_server_count_requests (servers[0]), ==, 1);
  g_assert_cmpuint (beckon_fixture_server_count_requests (servers[1]), ==, 1);
  assert_says (get_body (servers[0], 0), "\"model\":\"second\"");
  assert_says (get_body (servers[1], 0), "\"model\":\"third\"");
  g_assert_cmpint (beckon_note_get_kind (beckon_conversation_get_message (world.conversation, 1)), ==, BECKON_NOTE_FAILOVER);
  for (guint i = 0; i < G_N_ELEMENTS (servers); i++)
    beckon_fixture_server_free (servers[i]);
}

/* The switch takes the tool out of the next request, and puts it back into the one after. */
static void
test_ask_switch (UiFixture *fixture, gconstpointer data)
{
  g_auto (World) world;
  GtkWidget *preferences, *ask;

  world_open (&world);
  add_profile (&world, "mine", world.server);
  choose_profile (&world, "mine");
  preferences = open_preferences (&world);
  ask = ui_find_named (preferences, "Decide Together With the Agent");
  for (guint i = 0; i < 2; i++)
    {
      gtk_switch_set_active (GTK_SWITCH (ask), i > 0);
      beckon_fixture_server_queue (world.server, beckon_fixture_reply_new_chat ("Hello."));
      send (&world, "Hello");
      ui_wait_until (beckon_fixture_server_count_requests (world.server) == i + 1);
      wait_end (&world, BECKON_RUN_COMPLETE);
      g_assert_cmpint (strstr (get_body (world.server, i), "\"name\":\"ask_user\"") != NULL, ==, i > 0);
    }
  ui_destroy (preferences);
}

/* A tool that is off is not offered to the model, and one that is on again is. */
static void
test_tool_switch (UiFixture *fixture, gconstpointer data)
{
  g_auto (World) world;
  GtkWidget *preferences, *time;

  world_open (&world);
  add_profile (&world, "mine", world.server);
  choose_profile (&world, "mine");
  preferences = open_preferences (&world);
  beckon_preferences_show_row (BECKON_PREFERENCES (preferences), "tools", NULL);
  time = ui_find_named (preferences, "Tell the Time");
  gtk_switch_set_active (GTK_SWITCH (time), FALSE);
  beckon_fixture_server_queue (world.server, beckon_fixture_reply_new_chat ("Hello."));
  send (&world, "Hello");
  ui_wait_until (beckon_fixture_server_count_requests (world.server) == 1);
  wait_end (&world, BECKON_RUN_COMPLETE);
  g_assert_null (strstr (get_body (world.server, 0), "\"name\":\"get_current_time\""));
  assert_says (get_body (world.server, 0), "\"name\":\"ask_user\"");

  gtk_switch_set_active (GTK_SWITCH (time), TRUE);
  beckon_fixture_server_queue (world.server, beckon_fixture_reply_new_chat ("Hello."));
  send (&world, "Hello");
  ui_wait_until (beckon_fixture_server_count_requests (world.server) == 2);
  wait_end (&world, BECKON_RUN_COMPLETE);
  assert_says (get_body (world.server, 1), "\"name\":\"get_current_time\"");
  ui_destroy (preferences);
}

/* A call of a tool that is off does not run, whoever the model is that makes it. */
static void
test_tool_refused (UiFixture *fixture, gconstpointer data)
{
  g_auto (World) world;
  const char *const off[] = { "get_current_time", NULL };
  GSettings *gsettings;

  world_open (&world);
  add_profile (&world, "mine", world.server);
  choose_profile (&world, "mine");
  gsettings = beckon_settings_get_gsettings (beckon_runtime_get_settings (world.home.runtime));
  g_settings_set_strv (gsettings, "disabled-tools", off);
  queue_call (&world, 0);
  beckon_fixture_server_queue (world.server, beckon_fixture_reply_new_chat ("Then without."));
  send (&world, "What time is it?");
  wait_end (&world, BECKON_RUN_COMPLETE);
  assert_says (get_body (world.server, 1), "switched this tool off");
  g_settings_reset (gsettings, "disabled-tools");
}

/* Prices in the profile's window, a limit in Preferences: the agent pauses once the conversation has cost that much. */
static void
test_spending (UiFixture *fixture, gconstpointer data)
{
  g_auto (World) world;
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();
  GtkWidget *editor, *preferences;

  world_open (&world);
  add_profile (&world, "mine", world.server);
  choose_profile (&world, "mine");
  editor = open_editor (&world, find_profile (&world, "mine"));
  show_more (editor);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (ui_find_named (editor, "Price of Input")), 1000);
  save (editor);
  preferences = open_preferences (&world);
  beckon_preferences_show_row (BECKON_PREFERENCES (preferences), "agent", NULL);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (ui_find_named (preferences, "Pause After Spending")), 1);
  ui_destroy (preferences);

  beckon_fixture_reply_add_stream_head (reply);
  beckon_fixture_reply_add_chat_call (reply, 0, "call_1", "get_current_time", "{}");
  beckon_fixture_reply_add_chat_finish (reply, "tool_calls");
  beckon_fixture_reply_add_chat_usage (reply, 1000, 1);
  beckon_fixture_reply_add_chat_done (reply);
  beckon_fixture_server_queue (world.server, reply);
  send (&world, "What time is it?");
  wait_end (&world, BECKON_RUN_ROUND_LIMIT);
  g_assert_cmpuint (beckon_fixture_server_count_requests (world.server), ==, 1);
  g_assert_nonnull (strstr (beckon_conversation_get_detail (world.conversation), "1.00"));
}

static void
queue_named_call (World *world, const char *id, const char *tool, const char *arguments)
{
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();

  beckon_fixture_reply_add_stream_head (reply);
  beckon_fixture_reply_add_chat_call (reply, 0, id, tool, arguments);
  beckon_fixture_reply_add_chat_finish (reply, "tool_calls");
  beckon_fixture_reply_add_chat_done (reply);
  beckon_fixture_server_queue (world->server, reply);
}

static BeckonRequest *
get_pending (World *world)
{
  GListModel *inbox = G_LIST_MODEL (beckon_runtime_get_inbox (world->home.runtime));

  return g_list_model_get_n_items (inbox) > 0 ? g_list_model_get_item (inbox, 0) : NULL;
}

/* Everything that is asked about in this turn is allowed. Returns what the model was told of its call. */
static const char *
call_and_allow (World *world, const char *id, const char *tool, const char *arguments)
{
  guint n = beckon_fixture_server_count_requests (world->server);

  queue_named_call (world, id, tool, arguments);
  beckon_fixture_server_queue (world->server, beckon_fixture_reply_new_chat ("Done."));
  send (world, "Go");
  while (beckon_fixture_server_count_requests (world->server) < n + 2)
    {
      g_autoptr (BeckonRequest) request = get_pending (world);
      g_autoptr (BeckonAnswer) allowed = beckon_answer_new (BECKON_ANSWER_APPROVED, NULL);

      if (request != NULL)
        beckon_inbox_settle_async (beckon_runtime_get_inbox (world->home.runtime), beckon_request_get_id (request), allowed,
                                   "window", NULL, NULL, NULL, NULL);
      g_main_context_iteration (NULL, TRUE);
    }
  wait_end (world, BECKON_RUN_COMPLETE);
  return get_body (world->server, n + 1);
}

/* As somebody types into it, who then presses Enter. */
static GtkEditable *
type_note (GtkWidget *preferences, const char *title, const char *text)
{
  GtkWidget *row = gtk_widget_get_ancestor (ui_find_field (preferences, title), ADW_TYPE_ENTRY_ROW);
  GtkEditable *field = gtk_editable_get_delegate (GTK_EDITABLE (row));

  g_assert_true (gtk_widget_grab_focus (row));
  gtk_editable_set_text (field, text);
  return field;
}

static void
change_note (GtkWidget *preferences, const char *title, const char *text)
{
  g_signal_emit_by_name (type_note (preferences, title, text), "activate");
}

static gboolean
has_note (GtkWidget *preferences, const char *text)
{
  GtkWidget *field = ui_find_field (preferences, "Note");

  if (field == NULL)
    field = ui_find_field (preferences, "Note From a Run");
  return text != NULL ? field != NULL && g_str_equal (gtk_editable_get_text (GTK_EDITABLE (field)), text) : field == NULL;
}

/* Notes from the agent are seen, changed, deleted and brought back; it knows what the person left of them. */
static void
test_notes (UiFixture *fixture, gconstpointer data)
{
  g_auto (World) world;
  GtkWidget *preferences;

  world_open (&world);
  add_profile (&world, "mine", world.server);
  choose_profile (&world, "mine");
  assert_says (call_and_allow (&world, "call_1", "remember", "{\"text\":\"Likes tulips\"}"), "It is remembered");
  preferences = open_preferences (&world);
  beckon_preferences_show_row (BECKON_PREFERENCES (preferences), "tools", NULL);
  ui_wait_until (has_note (preferences, "Likes tulips"));
  g_assert_null (ui_find_field (preferences, "Note"));
  change_note (preferences, "Note From a Run", " Likes roses ");
  ui_wait_until (has_note (preferences, "Likes roses"));
  assert_says (call_and_allow (&world, "call_2", "recall", "{}"), ": Likes roses\\n");
  g_assert_null (strstr (get_body (world.server, 3), ": Likes tulips\\n"));

  ui_click (preferences, "Delete Note");
  ui_wait_until (has_note (preferences, NULL));
  assert_says (call_and_allow (&world, "call_3", "recall", "{\"query\":\"roses\"}"), "[There is no such note.]");
  g_signal_emit_by_name (gtk_widget_get_ancestor (ui_find_named (preferences, "Undo"), GTK_TYPE_BUTTON), "clicked");
  ui_wait_until (has_note (preferences, "Likes roses"));
  change_note (preferences, "Note", "");
  ui_wait_until (has_note (preferences, NULL));

  ui_click (preferences, "Add a Note");
  change_note (preferences, "New Note", "Lives in Porto");
  ui_wait_until (has_note (preferences, "Lives in Porto"));
  assert_says (call_and_allow (&world, "call_4", "recall", "{\"query\":\"porto\"}"), ": Lives in Porto\\n");

  /* A note the agent saves meanwhile is there at once, and one that is just typed is not lost to it. */
  ui_click (preferences, "Add a Note");
  type_note (preferences, "New Note", "Half of a th");
  assert_says (call_and_allow (&world, "call_5", "remember", "{\"text\":\"Sings in a choir\"}"), "It is remembered");
  ui_wait_until (ui_find_field (preferences, "Note From a Run") != NULL);
  g_assert_cmpstr (ui_typed (preferences, "Note From a Run"), ==, "Sings in a choir");
  g_assert_cmpstr (ui_typed (preferences, "New Note"), ==, "Half of a th");
  ui_destroy (preferences);
}

static void
add_rule (World *world, const char *tool, const char *arguments)
{
  g_autoptr (BeckonRule) rule = beckon_rule_new ();

  rule->id = beckon_id_new ();
  rule->tool = g_strdup (tool);
  rule->arguments = g_strdup (arguments);
  rule->verdict = BECKON_VERDICT_ALLOW;
  rule->created_at = 1;
  beckon_rules_save_async (beckon_runtime_get_rules (world->home.runtime), rule, NULL, NULL, NULL);
  ui_wait_until (beckon_rules_get_snapshot (beckon_runtime_get_rules (world->home.runtime))->len == 1);
}

/* Which past calls a rule would have been about is asked on its row, and answered from what really ran. */
static void
test_simulation (UiFixture *fixture, gconstpointer data)
{
  g_auto (World) world;
  GtkWidget *preferences, *dialog;
  g_autofree char *body = NULL;

  world_open (&world);
  add_profile (&world, "mine", world.server);
  choose_profile (&world, "mine");
  call_and_allow (&world, "call_1", "remember", "{\"text\":\"Likes tulips\"}");
  call_and_allow (&world, "call_2", "remember", "{\"text\":\"Likes roses\"}");
  call_and_allow (&world, "call_3", "get_current_time", "{}");
  preferences = open_preferences (&world);
  beckon_preferences_show_row (BECKON_PREFERENCES (preferences), "permissions", NULL);
  add_rule (&world, "remember", "{\"text\":\"*roses\"}");
  ui_wait_until (ui_find_named (preferences, "Show matching calls") != NULL);
  ui_click (preferences, "Show matching calls");
  ui_wait_until ((dialog = ui_find_alert ("Matching Calls")) != NULL);
  body = ui_dup_alert_body (dialog);
  g_assert_cmpstr (body, ==, "1 past call would now run without asking:\nRemember Likes roses");
  ui_respond (dialog, "close");
  ui_destroy (preferences);

  /* The rule's use is seen where the rules are. */
  preferences = open_preferences (&world);
  beckon_preferences_show_row (BECKON_PREFERENCES (preferences), "permissions", NULL);
  ui_wait_until (ui_find_text (preferences, "not used yet") != NULL);
  ui_destroy (preferences);
  call_and_allow (&world, "call_4", "remember", "{\"text\":\"More roses\"}");
  preferences = open_preferences (&world);
  beckon_preferences_show_row (BECKON_PREFERENCES (preferences), "permissions", NULL);
  ui_wait_until (ui_find_text (preferences, "used 1 time") != NULL);
  ui_destroy (preferences);
}

/* Takes what the row wants to show. */
static void
take_place (GtkWidget *log, const char *conversation_id, const char *message_id, char **place)
{
  g_free (*place);
  *place = g_strdup_printf ("%s %s", conversation_id, message_id);
}

/* A call is one row, with who decided and how it ended; the filters choose, and the row leads to its place. */
static void
test_log (UiFixture *fixture, gconstpointer data)
{
  g_auto (World) world;
  g_autofree char *place = NULL;
  GtkWidget *window, *row;

  world_open (&world);
  add_profile (&world, "mine", world.server);
  choose_profile (&world, "mine");
  call_and_allow (&world, "call_1", "remember", "{\"text\":\"Likes tulips\"}");
  window = ui_present (beckon_audit_log_new (world.home.runtime));
  ui_wait_until (ui_find_text (window, "Likes tulips") != NULL);
  g_assert_cmpuint (ui_count_type (window, BECKON_TYPE_AUDIT_ROW), ==, 1);
  g_assert_nonnull (ui_find_text (window, "Decided by you in the window · done"));

  gtk_drop_down_set_selected (GTK_DROP_DOWN (ui_find_named (window, "Who decided")), 2);
  ui_wait_until (ui_find_text (window, "No matching calls") != NULL);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (ui_find_named (window, "Who decided")), 1);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (ui_find_named (window, "Outcome")), 1);
  ui_wait_until (ui_find_text (window, "Likes tulips") != NULL);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (ui_find_named (window, "Outcome")), 2);
  ui_wait_until (ui_find_text (window, "No matching calls") != NULL);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (ui_find_named (window, "Outcome")), 0);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (ui_find_named (window, "Conversation")), 1);
  ui_wait_until (ui_find_text (window, "Likes tulips") != NULL);

  g_signal_connect (window, "place-wanted", G_CALLBACK (take_place), &place);
  row = ui_find_type (window, BECKON_TYPE_AUDIT_ROW);
  g_signal_emit_by_name (row, "activated");
  g_assert_true (g_str_has_prefix (place, beckon_conversation_get_id (world.conversation)));
  ui_destroy (window);
}

/* --- Fault 17 ------------------------------------------------------------------------------------------------------- */

#define FLOOD_EVENTS 50000
#define FLOOD_WORD "word "

static gint64
thread_cpu_us (void)
{
  struct timespec now;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * G_USEC_PER_SEC + now.tv_nsec / 1000;
}

/* As many events as a fast server sends in a twentieth of a second, a paragraph of every hundred. */
static void
queue_flood (World *world)
{
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();
  g_autoptr (GString) block = g_string_new (NULL);

  for (guint i = 1; i <= 100; i++)
    g_string_append_printf (block, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"" FLOOD_WORD "%s\"}}]}\n\n",
                            i == 100 ? "\\n\\n" : "");
  beckon_fixture_reply_add_head (reply, 200, "Content-Type: text/event-stream\r\nConnection: close\r\n");
  beckon_fixture_reply_add_repeated (reply, block->str, -1, FLOOD_EVENTS / 100);
  beckon_fixture_reply_add (reply, "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n"
                                   "data: [DONE]\n\n", -1);
  beckon_fixture_reply_add_close (reply);
  beckon_fixture_server_queue (world->server, reply);
}

/* A flood loses no text, and the window stays responsive: it handles a few paragraphs at once and not all of them, which would
 * be most of the time that all take. Only the processor's time counts: others may take it away. */
static void
test_flood (UiFixture *fixture, gconstpointer data)
{
  g_auto (World) world;
  GtkWidget *view;
  gint64 longest = 0, all = thread_cpu_us ();
  guint waker;

  world_open (&world);
  add_profile (&world, "mine", world.server);
  choose_profile (&world, "mine");
  queue_flood (&world);
  world.conversation = beckon_library_create (beckon_runtime_get_library (world.home.runtime));
  view = beckon_conversation_view_new (beckon_runtime_get_inbox (world.home.runtime));
  ui_show (fixture, view);
  beckon_conversation_view_set_conversation (BECKON_CONVERSATION_VIEW (view), world.conversation);
  send (&world, "Flood me");
  waker = ui_wake_up_often ();
  while (!beckon_run_phase_is_end (beckon_conversation_get_phase (world.conversation)))
    {
      gint64 start = thread_cpu_us ();

      g_main_context_iteration (NULL, TRUE);
      longest = MAX (longest, thread_cpu_us () - start);
    }
  g_source_remove (waker);
  wait_end (&world, BECKON_RUN_COMPLETE);
  all = thread_cpu_us () - all;
  g_test_message ("the longest turn of the loop took %.1f ms of %.1f", (double) longest / 1000, (double) all / 1000);
  g_assert_cmpuint (beckon_part_get_length (
                      beckon_message_get_part (beckon_conversation_get_message (world.conversation, 1), 0)), ==,
                    FLOOD_EVENTS * strlen (FLOOD_WORD) + FLOOD_EVENTS / 100 * 2);
  g_assert_cmpint (longest, <, all / 4);
  beckon_conversation_view_set_conversation (BECKON_CONVERSATION_VIEW (view), NULL);
}

int
main (int argc, char *argv[])
{
  if (!ui_test_init (&argc, &argv))
    return 0;

  g_unsetenv ("BECKON_API_KEY");
  ui_test_add ("/ui/effects/new-profile", test_new_profile);
  ui_test_add ("/ui/effects/rounds", test_rounds);
  ui_test_add ("/ui/effects/fallbacks", test_fallbacks);
  ui_test_add ("/ui/effects/ask-switch", test_ask_switch);
  ui_test_add ("/ui/effects/tool-switch", test_tool_switch);
  ui_test_add ("/ui/effects/tool-refused", test_tool_refused);
  ui_test_add ("/ui/effects/spending", test_spending);
  ui_test_add ("/ui/effects/notes", test_notes);
  ui_test_add ("/ui/effects/simulation", test_simulation);
  ui_test_add ("/ui/effects/log", test_log);
  ui_test_add ("/faults/A/17-flood-in-the-window", test_flood);
  return g_test_run ();
}
