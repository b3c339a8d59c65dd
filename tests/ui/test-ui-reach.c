/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Every page for who has no pointer, does not see it, needs larger text or has a narrow screen: walked with Tab, looked at for
 * names, and measured.
 */

#include "beckon-reach.h"
#include "beckon-ui-home.h"

#include "beckon-config.h"
#include "mcp/beckon-mcp-paste.h"
#include "request/beckon-approval-request.h"
#include "request/beckon-changes-request.h"
#include "request/beckon-form-request.h"
#include "request/beckon-outcome-request.h"
#include "request/beckon-plan-request.h"
#include "request/beckon-question-request.h"
#include "template-types.h"
#include "ui/blocks/beckon-foldings.h"
#include "ui/cards/beckon-approval-card.h"
#include "ui/cards/beckon-call-view.h"
#include "ui/cards/beckon-changes-card.h"
#include "ui/cards/beckon-form-card.h"
#include "ui/cards/beckon-outcome-card.h"
#include "ui/cards/beckon-plan-card.h"
#include "ui/cards/beckon-question-card.h"
#include "ui/cards/beckon-request-card.h"
#include "ui/conversation/beckon-conversation-view.h"
#include "ui/palette/beckon-palette-finder.h"
#include "ui/palette/beckon-palette.h"
#include "ui/preferences/beckon-audit-log.h"
#include "ui/preferences/beckon-parameter-editor.h"
#include "ui/preferences/beckon-preferences.h"
#include "ui/preferences/beckon-profile-editor.h"
#include "ui/preferences/beckon-server-editor.h"
#include "ui/preferences/beckon-server-import.h"
#include "ui/preferences/beckon-shortcuts.h"
#include "ui/widgets/beckon-activity.h"
#include "ui/widgets/beckon-guard.h"
#include "ui/widgets/beckon-key-label.h"

#include <string.h>

#define NARROW 360
#define MARGINS 36 /* of a card in its conversation */
#define BORDERS 20 /* of a window, both */
#define ONE                                                                                                                \
  "{\"question\":\"Which harbour shall the tour begin at?\",\"choices\":[{\"label\":\"North\",\"description\":\"Crowded.\"}," \
  "{\"label\":\"South\",\"description\":\"Quiet, with a view of the lighthouse.\",\"recommended\":true}]}"
#define SEVERAL                                                                                                            \
  "{\"questions\":[{\"question\":\"Which ferry?\",\"header\":\"Ferry\",\"choices\":[\"Early\",\"Late\"]},"                    \
  "{\"question\":\"What do you take along?\",\"header\":\"Luggage\",\"multiple\":true,\"choices\":[\"Bicycle\",\"Dog\"]}]}"
#define FORM                                                                                                               \
  "{\"message\":\"Who travels, and when?\",\"requestedSchema\":{\"type\":\"object\",\"required\":[\"name\"],\"properties\":{"  \
  "\"name\":{\"type\":\"string\",\"title\":\"Name on the ticket\"},\"people\":{\"type\":\"integer\",\"default\":2},"          \
  "\"day\":{\"type\":\"string\",\"format\":\"date\"},\"ferry\":{\"type\":\"string\",\"enum\":[\"The early one\",\"The late one\"]}," \
  "\"bicycle\":{\"type\":\"boolean\"},\"note\":{\"type\":\"string\",\"title\":\"Anything else the crew should know\"}}}}"
#define SCHEMA                                                                                                             \
  "{\"type\":\"object\",\"required\":[\"text\"],\"properties\":{\"text\":{\"type\":\"string\",\"description\":\"The words\"},"  \
  "\"tone\":{\"enum\":[\"plain\",\"warm\"]},\"words\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":90},"                    \
  "\"urgent\":{\"type\":\"boolean\"},\"to\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}}}}"
#define MAIL                                                                                                               \
  "{\"text\": \"Dear all\\nplease send us the forms by Friday, all of you, and have a good week until then.\","                 \
  "  \"tone\": \"plain\", \"words\": 50, \"urgent\": false, \"to\": [\"a\", \"b\"]}"
#define PLAN                                                                                                               \
  "{\"title\":\"What time is it elsewhere?\",\"steps\":[{\"id\":\"a\",\"tool\":\"get_current_time\","                          \
  "\"arguments\":{\"timezone\":\"UTC\"}},{\"id\":\"b\",\"tool\":\"get_current_time\",\"arguments\":{}}]}"

/* Without the window's shadow, which it has here in its width. */
static GtkWidget *
get_content (GtkWidget *window)
{
  if (BECKON_IS_SHEET (window))
    return window;
  return ADW_IS_WINDOW (window) ? adw_window_get_content (ADW_WINDOW (window))
                                : adw_application_window_get_content (ADW_APPLICATION_WINDOW (window));
}

static void
check_widths (GtkWidget *window, int margins)
{
  int most = NARROW - margins;
  int narrow = reach_measure (get_content (window), 1, most), large = reach_measure (get_content (window), 2, most);

  g_test_message ("%d wide at least, %d with text twice as large", narrow, large);
  g_assert_cmpint (narrow, <=, most);
  g_assert_cmpint (large, <=, most);
}

static void
check_within (GtkWidget *window, int margins)
{
  g_autoptr (GPtrArray) nameless = NULL;

  /* Positions decide which widget Tab goes to next. */
  ui_wait_frames_of (window, 2);
  nameless = reach_list_nameless (window, FALSE);
  for (guint i = 0; i < nameless->len; i++)
    g_printerr ("without a name: %s\n", (const char *) g_ptr_array_index (nameless, i));
  g_assert_cmpuint (nameless->len, ==, 0);
  reach_check_focus (window);
  check_widths (window, margins);
}

static void
check (GtkWidget *window)
{
  check_within (window, 0);
}

/* Cards */

static BeckonRequest *
ask_approval (UiFixture *fixture, const char *schema)
{
  BeckonRequest *request = beckon_approval_request_new (NULL, "conversation", "message", "call", "send_mail", MAIL,
                                                        "It changes something.", UI_NOW);
  BeckonApprovalDetails *details = beckon_approval_details_new ();

  details->schema = g_strdup (schema);
  beckon_request_take_details (request, details);
  test_ledger_add (fixture->ledger, request);
  beckon_inbox_add (fixture->inbox, request);
  return request;
}

static void
show_card (UiFixture *fixture, GtkWidget *card)
{
  gtk_window_set_default_size (GTK_WINDOW (fixture->window), NARROW, 900);
  ui_show (fixture, card);
  beckon_clock_advance (fixture->clock, BECKON_GUARD_APPEARED_MS);
  ui_wait_frames (fixture, 2);
}

static void
show_question (UiFixture *fixture, BeckonRequest *request)
{
  GtkWidget *card = beckon_request_card_new (fixture->inbox, request, NULL);

  beckon_request_card_set_clock (card, fixture->clock);
  show_card (fixture, card);
}

static void
test_question (UiFixture *fixture, gconstpointer data)
{
  static const char *const ways[] = { "Next question", "Review" };
  g_autoptr (BeckonRequest) request = ui_ask (fixture, data);

  show_question (fixture, request);
  check_within (fixture->window, MARGINS);
  for (guint i = 0; i < G_N_ELEMENTS (ways); i++)
    {
      GtkWidget *button = ui_find_button (fixture->window, ways[i]);

      if (button == NULL || !ui_is_usable (button))
        continue;
      gtk_widget_activate (button);
      ui_settle ();
      check_widths (fixture->window, MARGINS);
    }
}

static void
test_form (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = beckon_form_request_new ("conversation", "Harbour", FORM, UI_NOW, NULL);
  GtkWidget *card = beckon_request_card_new (fixture->inbox, request, NULL);

  test_ledger_add (fixture->ledger, request);
  beckon_inbox_add (fixture->inbox, request);
  beckon_request_card_set_clock (card, fixture->clock);
  show_card (fixture, card);
  check_within (fixture->window, MARGINS);
}

/* The card has a button for it then. */
static void
propose_rule (BeckonRequest *request)
{
  BeckonApprovalReason *reason = beckon_approval_reason_new ();
  GPtrArray *rules = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_rule_unref);
  BeckonRule *rule = beckon_rule_new ();

  rule->id = g_strdup ("rule");
  rule->tool = g_strdup ("send_mail");
  rule->verdict = BECKON_VERDICT_ALLOW;
  g_ptr_array_add (rules, rule);
  if (reason->proposals == NULL)
    reason->proposals = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_rule_proposal_free);
  g_ptr_array_add (reason->proposals, beckon_rule_proposal_new ("send_mail", rules));
  beckon_request_set_ground (request, reason);
}

static void
test_approval (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ask_approval (fixture, SCHEMA);
  GtkWidget *card;

  propose_rule (request);
  card = beckon_request_card_new_alone (fixture->inbox, request, NULL);
  beckon_request_card_set_clock (card, fixture->clock);
  show_card (fixture, card);
  g_assert_nonnull (ui_find_button (card, "Always"));
  check_within (fixture->window, MARGINS);
  g_assert_true (beckon_request_card_edit (card));
  check_within (fixture->window, MARGINS);
  g_assert_true (beckon_request_card_deny (card));
  check_widths (fixture->window, MARGINS);
}

/* The buttons that unfold what a reply brought. */
static void
test_folds (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonPart) part = beckon_part_new (BECKON_PART_REASONING, "A short example of each will do.");

  beckon_part_set_duration (part, 1);
  show_card (fixture, beckon_reasoning_new (part));
  g_assert_nonnull (ui_find_text (fixture->window, "Thought for a moment"));
  check_widths (fixture->window, MARGINS);
}

/* Long paths, hunks to choose from, and what is wrong with a file. */
static void
test_changes (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonChangeSet) set = beckon_change_set_new ();
  g_autoptr (BeckonRequest) request = NULL;
  BeckonFileChange *change = beckon_file_change_new ("src/a/very/long/way/to/the/configuration-of-everything.toml",
                                                     BECKON_FILE_CHANGED, BECKON_FILE_REGULAR);
  GtkWidget *card;

  change->is_text = TRUE;
  change->concern = BECKON_FILE_CONCERN_TRIGGER;
  change->diff = g_strdup ("@@ -1 +1 @@\n-one\n+two\n@@ -9 +9 @@\n-three\n+a line that is longer than a narrow window is\n");
  change->n_hunks = change->n_added = change->n_removed = 2;
  change->mode_before = 0644;
  change->mode_after = 0755;
  beckon_change_set_take (set, change);
  change = beckon_file_change_new ("build", BECKON_FILE_CREATED, BECKON_FILE_FOLDER);
  change->n_files = 120;
  beckon_change_set_take (set, change);
  beckon_change_set_sort (set);
  request = beckon_changes_request_new (NULL, "conversation", "message", "call", "run_command", "{\"command\":\"make\"}", set,
                                        UI_NOW);
  test_ledger_add (fixture->ledger, request);
  beckon_inbox_add (fixture->inbox, request);
  card = beckon_request_card_new (fixture->inbox, request, NULL);
  beckon_request_card_set_clock (card, fixture->clock);
  show_card (fixture, card);
  check_within (fixture->window, MARGINS);
}

static void
test_plan (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonPlan) plan = beckon_plan_parse (PLAN, BECKON_PLAN_FROM_MODEL, NULL);
  g_autoptr (BeckonRequest) request = beckon_plan_request_new (NULL, "conversation", "message", "call", plan, UI_NOW);

  test_ledger_add (fixture->ledger, request);
  beckon_inbox_add (fixture->inbox, request);
  show_card (fixture, beckon_plan_card_new (fixture->inbox, request, NULL));
  check_within (fixture->window, MARGINS);
}

static void
rename_button (GtkWidget *button, const char *words)
{
  GtkWidget *child = gtk_button_get_child (GTK_BUTTON (button));

  if (BECKON_IS_KEY_LABEL (child))
    beckon_key_label_set_label (BECKON_KEY_LABEL (child), words);
  else
    gtk_button_set_label (GTK_BUTTON (button), words);
}

/* Other languages say the same with more letters. */
static void
test_long_words (UiFixture *fixture, gconstpointer data)
{
  static const char *const names[][2] = {
    { "Accept and run the plan", "Annehmen und ausführen lassen" }, { "Replan", "Anderen Plan verlangen…" },
    { "Dismiss the plan", "Plan verwerfen" },
  };
  g_autoptr (BeckonPlan) plan = beckon_plan_parse (PLAN, BECKON_PLAN_FROM_MODEL, NULL);
  g_autoptr (BeckonRequest) request = beckon_plan_request_new (NULL, "conversation", "message", "call", plan, UI_NOW);
  GtkWidget *card = beckon_plan_card_new (fixture->inbox, request, NULL);

  test_ledger_add (fixture->ledger, request);
  beckon_inbox_add (fixture->inbox, request);
  show_card (fixture, card);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    rename_button (ui_find_named (card, names[i][0]), names[i][1]);
  check_widths (fixture->window, MARGINS);
}

/* Three short names are all seen in a narrow window. */
static void
test_tabs (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ui_ask (fixture, SEVERAL);
  GtkWidget *tabs;
  int least;

  show_question (fixture, request);
  tabs = ui_find_type (fixture->window, GTK_TYPE_STACK_SWITCHER);
  g_assert_true (gtk_widget_get_mapped (tabs));
  gtk_widget_measure (tabs, GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
  g_assert_cmpint (least, <=, gtk_widget_get_width (gtk_widget_get_ancestor (tabs, GTK_TYPE_SCROLLED_WINDOW)));
}

/* The lines of a text that is changed are all there, and no more, however wide the card is. */
static gboolean
is_whole (GtkWidget *view)
{
  GdkRectangle last;
  GtkTextIter end;
  int needed, least;

  gtk_text_buffer_get_end_iter (gtk_text_view_get_buffer (GTK_TEXT_VIEW (view)), &end);
  gtk_text_view_get_iter_location (GTK_TEXT_VIEW (view), &end, &last);
  needed = last.y + last.height + gtk_text_view_get_top_margin (GTK_TEXT_VIEW (view))
           + gtk_text_view_get_bottom_margin (GTK_TEXT_VIEW (view));
  gtk_widget_measure (gtk_widget_get_parent (view), GTK_ORIENTATION_VERTICAL, -1, &least, NULL, NULL, NULL);
  /* Lines may have fractions of pixels. */
  return ABS (gtk_widget_get_height (view) - MAX (needed, least)) < last.height / 2;
}

static void
test_lines (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ask_approval (fixture, SCHEMA);
  GtkWidget *card = beckon_request_card_new_alone (fixture->inbox, request, NULL);
  GtkWidget *view;

  show_card (fixture, card);
  g_assert_true (beckon_request_card_edit (card));
  view = ui_find_type (card, GTK_TYPE_TEXT_VIEW);
  g_assert_nonnull (view);
  ui_wait_until (is_whole (view));
  for (guint i = 0; i < 4; i++)
    {
      static const int widths[] = { 1000, 400, 720, 360 };

      gtk_window_set_default_size (GTK_WINDOW (fixture->window), widths[i], 900);
      ui_wait_until (ABS (gtk_widget_get_width (fixture->window) - widths[i]) <= 10);
      ui_wait_until (is_whole (view));
    }
}

/* Windows */

/* A scrolled page is as high as the window allows. */
static void
check_filled (GtkWidget *window)
{
  GtkWidget *page = ui_find_type (window, ADW_TYPE_PREFERENCES_PAGE);
  graphene_rect_t bounds;

  if (page == NULL)
    return;
  g_assert_true (gtk_widget_compute_bounds (page, get_content (window), &bounds));
  g_assert_cmpfloat_with_epsilon (bounds.origin.y + bounds.size.height, gtk_widget_get_height (get_content (window)), 1);
}

static void
check_and_destroy (GtkWidget *window)
{
  if (BECKON_IS_SHEET (window))
    g_object_set (window, "default-width", NARROW, "default-height", 700, NULL);
  else
    gtk_window_set_default_size (GTK_WINDOW (window), NARROW, 700);
  ui_present (window);
  ui_settle ();
  check_filled (window);
  check (window);
  ui_destroy (window);
}

static GtkWidget *
make_filled_editor (BeckonRuntime *runtime)
{
  g_autoptr (GPtrArray) drafts
      = beckon_mcp_paste_read ("A=1 API_TOKEN=a-long-one npx -y @a-long-scope/server-with-a-very-long-name "
                               "--folder=/a/very/long/way/to/the/folder <team>", NULL, NULL);

  return beckon_server_editor_new_for_draft (runtime, g_ptr_array_steal_index (drafts, 0));
}

static void
test_editors (UiFixture *fixture, gconstpointer data)
{
  UiHome home;

  ui_home_open (&home);
  check_and_destroy (beckon_profile_editor_new (home.runtime, NULL, NULL));
  check_and_destroy (beckon_parameter_editor_new (home.runtime, NULL));
  check_and_destroy (beckon_audit_log_new (home.runtime));
  check_and_destroy (beckon_server_editor_new (home.runtime, NULL));
  check_and_destroy (make_filled_editor (home.runtime));
  check_and_destroy (beckon_server_import_new (home.runtime));
  ui_home_close (&home);
}

static void
note_gone (gpointer data, GObject *object)
{
  *(gboolean *) data = TRUE;
}

/* Does what Ctrl+Enter does, wherever the focus is. FALSE: there is no such key. */
static gboolean
run_save_key (GtkWidget *editor)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (editor);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GListModel) shortcuts = g_list_model_get_item (controllers, i);
      g_autoptr (GtkShortcut) shortcut = NULL;
      g_autofree char *trigger = NULL;

      if (!GTK_IS_SHORTCUT_CONTROLLER (shortcuts)
          || gtk_event_controller_get_propagation_phase (GTK_EVENT_CONTROLLER (shortcuts)) != GTK_PHASE_CAPTURE)
        continue;
      shortcut = g_list_model_get_item (shortcuts, 0);
      trigger = shortcut != NULL ? gtk_shortcut_trigger_to_string (gtk_shortcut_get_trigger (shortcut)) : NULL;
      if (trigger != NULL && g_str_has_prefix (trigger, "<Control>Return"))
        return gtk_shortcut_action_activate (gtk_shortcut_get_action (shortcut), 0, editor, NULL);
    }
  return FALSE;
}

/* A server's README is pasted at once, and Ctrl+Enter adds it, once it is understood. */
static void
test_server_keys (UiFixture *fixture, gconstpointer data)
{
  UiHome home;
  GtkWidget *editor;
  GtkWidget *view;
  gboolean is_gone = FALSE;

  ui_home_open (&home);
  editor = beckon_server_editor_new (home.runtime, NULL);
  g_object_weak_ref (G_OBJECT (editor), note_gone, &is_gone);
  ui_present (editor);
  view = ui_get_focus (editor);
  g_assert_true (GTK_IS_TEXT_VIEW (view));
  run_save_key (editor);
  g_assert_true (ui_is_usable (view));
  gtk_text_buffer_set_text (gtk_text_view_get_buffer (GTK_TEXT_VIEW (view)), "https://tools.example/mcp", -1);
  ui_wait_until (ui_is_usable (ui_find_button (editor, "Add the server")));
  g_assert_true (run_save_key (editor));
  ui_wait_until (is_gone);
  ui_home_close (&home);
}

/* Writing in its folder is a permission of a server in a sandbox, and off at first. */
static void
test_server_permissions (UiFixture *fixture, gconstpointer data)
{
  static const char text[] = "{\"mcpServers\": {\"papers\": {\"command\": \"true\", \"cwd\": \"/srv/papers\"}}}";
  UiHome home;
  GtkWidget *editor;
  GtkWidget *write;
  const BeckonMcpServer *server;
  gboolean is_gone = FALSE;

  ui_home_open (&home);
  editor = beckon_server_editor_new_for_draft (home.runtime,
                                               g_ptr_array_steal_index (beckon_mcp_paste_read (text, NULL, NULL), 0));
  g_object_weak_ref (G_OBJECT (editor), note_gone, &is_gone);
  ui_present (editor);
  write = ui_find_named (editor, "Allow Writing in the Folder");
  g_assert_true (write == NULL || !gtk_widget_get_mapped (write));
  gtk_switch_set_active (GTK_SWITCH (ui_find_named (editor, "Run in a Sandbox")), TRUE);
  ui_wait_until ((write = ui_find_named (editor, "Allow Writing in the Folder")) != NULL && gtk_widget_get_mapped (write));
  g_assert_false (gtk_switch_get_active (GTK_SWITCH (write)));
  gtk_switch_set_active (GTK_SWITCH (write), TRUE);
  g_assert_true (run_save_key (editor));
  ui_wait_until (is_gone);
  server = beckon_mcp_service_get_server (beckon_mcp_servers_find (beckon_runtime_get_servers (home.runtime), "papers"));
  g_assert_true (server->is_sandboxed);
  g_assert_true (server->can_write);
  g_assert_false (server->has_network);
  ui_home_close (&home);
}

static void
test_shortcuts (UiFixture *fixture, gconstpointer data)
{
  check_and_destroy (beckon_shortcuts_new ());
}

static void
test_preferences (UiFixture *fixture, gconstpointer data)
{
  UiHome home;
  GtkWidget *preferences;

  ui_home_open (&home);
  preferences = beckon_preferences_new (home.runtime, NULL);
  g_object_set (preferences, "default-width", NARROW, "default-height", 700, NULL);
  ui_present (preferences);
  for (guint i = 0; i < 6; i++)
    {
      static const struct
      {
        const char *name;
        const char *stops[4];
      } pages[] = {
        { "credentials", { "Add a profile", "Offline tour", "Decide Together With the Agent" } },
        { "agent", { "While a Question Waits", "Question Timeout", "Show Details in Notifications" } },
        { "permissions", { "Override an argument" } },
        { "tools", { "Pages on the Local Network", "Add a Note" } },
        { "servers", { "Add a server", "Take Over From Other Programs…" } },
        { "appearance", { "Theme", "Text Size", "Send With Ctrl+Enter" } },
      };

      g_test_message ("%s", pages[i].name);
      beckon_preferences_show_row (BECKON_PREFERENCES (preferences), pages[i].name, NULL);
      ui_settle ();
      check (preferences);
      reach_check_stops (preferences, pages[i].stops);
    }
  ui_destroy (preferences);
  ui_home_close (&home);
}

static void
test_palette (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_object_unref);
  BeckonPaletteFinder *finder;
  UiHome home;

  ui_home_open (&home);
  ui_home_show_window (&home);
  g_ptr_array_add (items, beckon_palette_item_new (BECKON_PALETTE_COMMAND, "Show or Hide the Sidebar, and What Is in It", NULL,
                                                   "sidebar-show-symbolic", "win.toggle-sidebar", NULL));
  finder = beckon_palette_finder_new (items, NULL, beckon_runtime_get_store (home.runtime));
  check_and_destroy (beckon_palette_new (GTK_WINDOW (home.window), finder));
  ui_home_close (&home);
}

static void
test_window (UiFixture *fixture, gconstpointer data)
{
  BeckonLink link = { .kind = BECKON_LINK_CONVERSATION };
  BeckonConversation *conversation;
  UiHome home;

  ui_home_open (&home);
  conversation = ui_home_add (&home, "A title that is longer than the window is wide", UI_NOW, 2, "Question?",
                              "# Heading\n\n- one\n- [two](https://example.org)\n\n```c\nint x;\n```");
  ui_home_show_window (&home);
  check (home.window);
  link.conversation_id = (char *) beckon_conversation_get_id (conversation);
  beckon_window_follow_link (BECKON_WINDOW (home.window), &link);
  ui_wait_until (ui_find_text (home.window, "Heading") != NULL);
  ui_settle ();
  check (home.window);
  beckon_window_new_conversation (BECKON_WINDOW (home.window));
  check (home.window);
  g_assert_true (gtk_widget_activate_action (home.window, "win.go-to-waiting", NULL));
  ui_settle ();
  check (home.window);
  ui_home_close (&home);
}

static void
add_queued (BeckonConversation *conversation, const char *id, gboolean sends_now)
{
  g_autoptr (GPtrArray) files = g_ptr_array_new ();
  g_autoptr (BeckonQueueItem) item
    = beckon_queue_item_new (id, "And paint the harbour's northern pier before it rains", files, sends_now);

  g_list_store_append (beckon_conversation_get_queue (conversation), item);
}

static void
add_work (BeckonConversation *conversation)
{
  g_autoptr (BeckonMessage) message = beckon_message_new (NULL, BECKON_ROLE_ASSISTANT, UI_NOW);
  g_autoptr (BeckonToolCall) call
    = beckon_tool_call_new (NULL, NULL, "run_command", "{\"command\":\"make --directory=harbour lighthouse\"}");
  g_autoptr (BeckonPart) part = beckon_part_new_call (call);

  beckon_tool_call_set_times (call, UI_NOW, UI_NOW + 9 * G_USEC_PER_SEC);
  beckon_tool_call_set_state (call, BECKON_CALL_DONE);
  beckon_tool_call_set_result (call, "made", FALSE);
  beckon_tool_call_set_change (call, BECKON_CALL_CHANGE_KEPT);
  beckon_message_add_part (message, part);
  beckon_conversation_add_message (conversation, message);
}

/* The parts that come while the agent works, and after the person was away. */
static void
test_working (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonConversation) conversation = ui_make_conversation (1);
  GtkWidget *view = beckon_conversation_view_new (fixture->inbox);

  add_work (conversation);
  add_queued (conversation, "one", FALSE);
  add_queued (conversation, "two", TRUE);
  beckon_conversation_view_set_conversation (BECKON_CONVERSATION_VIEW (view), conversation);
  ui_show (fixture, view);
  beckon_conversation_set_phase (conversation, BECKON_RUN_RETRY_WAIT, "Rate limit reached at api.example.", UI_NOW);
  ui_settle ();
  check_widths (fixture->window, 0);
  beckon_conversation_set_phase (conversation, BECKON_RUN_FAILED, "It failed.", 0);
  beckon_conversation_view_show_absence (BECKON_CONVERSATION_VIEW (view), beckon_away_digest_new (conversation, UI_NOW - 1));
  ui_settle ();
  ui_click (view, "While you were away: 1 tool call");
  ui_settle ();
  check_widths (fixture->window, 0);
}

static void
add_waiting (UiHome *home, BeckonRequest *request)
{
  g_autoptr (BeckonRequest) owned = request;

  beckon_inbox_add (beckon_runtime_get_inbox (home->runtime), owned);
}

static void
add_question (UiHome *home, const char *id, const char *arguments)
{
  g_autoptr (BeckonQuestion) question = beckon_question_parse (arguments, NULL);

  add_waiting (home, beckon_question_request_new (NULL, id, "message", "call", question, UI_NOW));
}

static void
add_changes (UiHome *home, const char *id)
{
  g_autoptr (BeckonChangeSet) set = beckon_change_set_new ();

  beckon_change_set_take (set, beckon_file_change_new ("opening-hours.txt", BECKON_FILE_DELETED, BECKON_FILE_REGULAR));
  beckon_change_set_take (set, beckon_file_change_new ("tides.txt", BECKON_FILE_CREATED, BECKON_FILE_REGULAR));
  beckon_change_set_sort (set);
  add_waiting (home, beckon_changes_request_new (NULL, id, "message", "call", "run_command", "{\"command\":\"make\"}", set,
                                                 UI_NOW));
}

/* A card of each class, among all that waits. */
static void
test_waiting (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonPlan) plan = beckon_plan_parse (PLAN, BECKON_PLAN_FROM_MODEL, NULL);
  BeckonConversation *conversation;
  const char *id;
  UiHome home;

  ui_home_open (&home);
  conversation = ui_home_add (&home, "A title that is longer than the window is wide", UI_NOW, 1, "a", "b");
  id = beckon_conversation_get_id (conversation);
  add_question (&home, id, ONE);
  add_question (&home, id, SEVERAL);
  add_waiting (&home, beckon_plan_request_new (NULL, id, "message", "call", plan, UI_NOW));
  add_changes (&home, id);
  add_waiting (&home, beckon_outcome_request_new (NULL, id, "message", "call", "run_command", "{\"command\":\"make\"}",
                                                  UI_NOW, UI_NOW));
  ui_home_show_window (&home);
  g_assert_true (gtk_widget_activate_action (home.window, "win.go-to-waiting", NULL));
  ui_wait_until (ui_count_type (home.window, BECKON_TYPE_QUESTION_CARD) == 2
                 && ui_find_type (home.window, BECKON_TYPE_PLAN_CARD) != NULL
                 && ui_find_type (home.window, BECKON_TYPE_CHANGES_CARD) != NULL
                 && ui_find_type (home.window, BECKON_TYPE_OUTCOME_CARD) != NULL);
  check_widths (home.window, 0);
  ui_home_close (&home);
}

static gboolean
is_docked (UiHome *home)
{
  GtkWidget *card = ui_find_type (home->window, BECKON_TYPE_QUESTION_CARD);

  return card != NULL && gtk_widget_get_mapped (card);
}

/* A conversation with several questions, and all that is around them: the mark in its messages, Stop, and the line below the composer. */
static void
test_docked (UiFixture *fixture, gconstpointer data)
{
  BeckonConversation *conversation;
  g_autoptr (BeckonQuestion) question = beckon_question_parse (SEVERAL, NULL);
  g_autoptr (BeckonRequest) request = NULL;
  const char *id;
  UiHome home;

  ui_home_open (&home);
  conversation = ui_home_add (&home, "A title that is longer than the window is wide", UI_NOW, 1, "a", "b");
  id = beckon_conversation_get_id (conversation);
  request = beckon_question_request_new (NULL, id, "message", "call", question, UI_NOW);
  add_waiting (&home, g_object_ref (request));
  beckon_conversation_set_folder (conversation, "/srv/a-rather-long-name-of-a-folder/release");
  ui_home_show_window (&home);
  gtk_widget_activate_action (home.window, "win.show-card", "(ss)", id, "");
  ui_wait_until (is_docked (&home));
  ui_add_call (conversation, request, "ask_user");
  beckon_conversation_set_waiting (conversation, 1);
  beckon_conversation_set_phase (conversation, BECKON_RUN_WAITING, NULL, 0);
  ui_wait_until (ui_find_type (home.window, BECKON_TYPE_WAITING_MARK) != NULL);
  check_widths (home.window, 0);
  ui_home_close (&home);
}

static gboolean
is_folded (UiHome *home)
{
  return adw_flap_get_folded (ADW_FLAP (ui_find_type (home->window, ADW_TYPE_FLAP)));
}

/* A window in which text is twice as large has half the room: the sidebar does not stay beside words that are cut. */
static void
test_large_text (UiFixture *fixture, gconstpointer data)
{
  GtkSettings *settings = gtk_settings_get_default ();
  UiHome home;
  int dpi;

  ui_home_open (&home);
  g_object_get (settings, "gtk-xft-dpi", &dpi, NULL);
  ui_home_show_window (&home);
  gtk_window_set_default_size (GTK_WINDOW (home.window), 720, 700);
  ui_wait_until (gtk_widget_get_width (home.window) <= 740 && !is_folded (&home));
  g_object_set (settings, "gtk-xft-dpi", 2 * 96 * 1024, NULL);
  ui_wait_until (is_folded (&home));
  check (home.window);
  gtk_window_set_default_size (GTK_WINDOW (home.window), 1300, 700);
  ui_wait_until (!is_folded (&home));
  g_object_set (settings, "gtk-xft-dpi", dpi, NULL);
  gtk_window_set_default_size (GTK_WINDOW (home.window), 720, 700);
  ui_wait_until (gtk_widget_get_width (home.window) <= 740 && !is_folded (&home));
  ui_home_close (&home);
}

/* Widgets named by what they show, once they show it; the tests of cards and windows find each of these named. Up to GTK 4.8 a
 * button with a picture counts as named by it. */
static gboolean
is_named_later (const char *nameless)
{
  static const char *const names[] = {
    "GtkButton button in BeckonAttachedView",
    "GtkButton apply_button",
    "BeckonChoice",
    "GtkButton confirm_button in GtkBox ___object_7___ in GtkRevealer leave_revealer",
    "GtkButton copy_button",
    "GtkButton delete_button in GtkBox actions_box",
    "GtkButton edit_button in GtkBox ___object_4___ in BeckonWrapPair",
    "GtkButton folded_button",
    "GtkButton down_button in GtkBox order_box",
    "GtkButton fill_button",
    "GtkButton keep_button",
    "GtkButton more_button",
    "GtkButton open_button in GtkOverlay",
    "GtkButton remove_button in GtkBox",
    "GtkButton remove_button in GtkOverlay",
    "GtkButton reset_button in GtkBox",
    "GtkButton send_button in GtkBox",
    "GtkButton settle_button",
    "GtkButton skip_button in GtkBox actions_box",
    "GtkButton title_button",
    "GtkButton up_button in GtkBox order_box",
    "GtkButton waiting_button",
    "GtkButton button in GtkBox ___object_1___ in BeckonStateLine",
    "GtkCheckButton check in GtkBox",
    "GtkTextView view in GtkScrolledWindow",
    "GtkToggleButton again_button",
    "GtkToggleButton landing_toggle",
    "GtkToggleButton leave_button",
    "GtkToggleButton open_button in GtkBox trailing",
    "GtkToggleButton run_button in GtkBox marks",
    "GtkToggleButton toggle in GtkBox",
    "GtkToggleButton in GtkMenuButton earlier_button",
    "GtkToggleButton in GtkMenuButton more_button",
    "GtkToggleButton in GtkMenuButton rest_button",
    "GtkToggleButton in GtkMenuButton button in BeckonBarButton",
    /* The rows of a group of libadwaita's, once they are shown with newer ones. */
    "GtkListBox listbox in GtkBox listbox_box",
    /* The toolkit's, which is not shown. */
    "GtkButton in GtkCenterBox in GtkRevealer in GtkSearchBar",
  };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      if (g_str_has_prefix (nameless, names[i]))
        return TRUE;
    }
  return FALSE;
}

/* A hyphen that Pango adds at the end of a line would be read as part of a path or an address. */
static void
list_hyphenated (GtkWidget *widget, GPtrArray *all)
{
  PangoAttrList *attributes = GTK_IS_LABEL (widget) ? gtk_label_get_attributes (GTK_LABEL (widget)) : NULL;
  g_autofree char *text = attributes != NULL ? pango_attr_list_to_string (attributes) : g_strdup ("");

  if (GTK_IS_LABEL (widget) && gtk_label_get_wrap_mode (GTK_LABEL (widget)) == PANGO_WRAP_CHAR
      && strstr (text, "insert-hyphens false") == NULL)
    g_ptr_array_add (all, g_strdup_printf ("%s: hyphens at the ends of lines", gtk_buildable_get_buildable_id (GTK_BUILDABLE (widget))));
  for (GtkWidget *at = gtk_widget_get_first_child (widget); at != NULL; at = gtk_widget_get_next_sibling (at))
    list_hyphenated (at, all);
}

static void
test_templates (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < G_N_ELEMENTS (template_types); i++)
    {
      GtkWidget *widget = g_object_ref_sink (g_object_new (template_types[i](), NULL));
      g_autoptr (GPtrArray) nameless = reach_list_nameless (widget, TRUE);
      int least;

      list_hyphenated (widget, all);
      /* A sheet stands within the border that a window may have. */
      gtk_widget_measure (widget, GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
      if (BECKON_IS_SHEET (widget) && least > NARROW - BORDERS)
        g_ptr_array_add (all, g_strdup_printf ("%s: %d wide at least", G_OBJECT_TYPE_NAME (widget), least));
      for (guint j = 0; j < nameless->len; j++)
        if (!is_named_later (g_ptr_array_index (nameless, j)))
          g_ptr_array_add (all, g_strdup_printf ("%s: %s", G_OBJECT_TYPE_NAME (widget), (char *) g_ptr_array_index (nameless, j)));
      if (GTK_IS_WINDOW (widget))
        gtk_window_destroy (GTK_WINDOW (widget));
      g_object_unref (widget);
    }
  for (guint i = 0; i < all->len; i++)
    g_printerr ("%s\n", (const char *) g_ptr_array_index (all, i));
  g_assert_cmpuint (all->len, ==, 0);
}

/* Motion */

static guint
count_frames (UiFixture *fixture, guint milliseconds)
{
  GdkFrameClock *clock = gtk_widget_get_frame_clock (fixture->window);
  gint64 begin = gdk_frame_clock_get_frame_counter (clock);
  gboolean over = FALSE;

  g_timeout_add_once (milliseconds, (GSourceOnceFunc) (void (*) (void)) g_atomic_int_inc, &over);
  while (!over)
    g_main_context_iteration (NULL, TRUE);
  return (guint) (gdk_frame_clock_get_frame_counter (clock) - begin);
}

static void
test_motion (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ui_ask (fixture, ONE);
  g_autoptr (BeckonRequest) other = ui_ask (fixture, SEVERAL);
  GtkSettings *settings = gtk_settings_get_default ();

  /* A card that waits stirs a little, where a person has not turned that off. */
  g_object_set (settings, "gtk-enable-animations", TRUE, NULL);
  show_question (fixture, request);
  g_assert_cmpuint (count_frames (fixture, 400), >=, 5);
  g_object_set (settings, "gtk-enable-animations", FALSE, NULL);
  show_question (fixture, other);
  ui_settle ();
  g_assert_cmpuint (count_frames (fixture, 400), <=, 1);
}

/* The working agent's spinner must not have the window drawn sixty times a second. */
static void
test_activity (UiFixture *fixture, gconstpointer data)
{
  GtkSettings *settings = gtk_settings_get_default ();
  guint turning;

  g_object_set (settings, "gtk-enable-animations", TRUE, NULL);
  ui_show (fixture, g_object_new (BECKON_TYPE_ACTIVITY, NULL));
  ui_settle ();
  turning = count_frames (fixture, 1000);
  g_assert_cmpuint (turning, >=, 2);
  g_assert_cmpuint (turning, <=, 15);
  ui_show (fixture, gtk_label_new ("Done"));
  ui_settle ();
  g_assert_cmpuint (count_frames (fixture, 400), <=, 1);
  g_object_set (settings, "gtk-enable-animations", FALSE, NULL);
  ui_show (fixture, g_object_new (BECKON_TYPE_ACTIVITY, NULL));
  ui_settle ();
  g_assert_cmpuint (count_frames (fixture, 400), <=, 1);
}

int
main (int argc, char *argv[])
{
  if (!ui_test_init (&argc, &argv))
    return 0;

  g_test_add ("/ui/reach/question", UiFixture, ONE, ui_fixture_set_up, test_question, ui_fixture_tear_down);
  g_test_add ("/ui/reach/several-questions", UiFixture, SEVERAL, ui_fixture_set_up, test_question, ui_fixture_tear_down);
  ui_test_add ("/ui/reach/approval", test_approval);
  ui_test_add ("/ui/reach/lines", test_lines);
  ui_test_add ("/ui/reach/form", test_form);
  ui_test_add ("/ui/reach/folds", test_folds);
  ui_test_add ("/ui/reach/changes", test_changes);
  ui_test_add ("/ui/reach/plan", test_plan);
  ui_test_add ("/ui/reach/long-words", test_long_words);
  ui_test_add ("/ui/reach/tabs", test_tabs);
  ui_test_add ("/ui/reach/editors", test_editors);
  ui_test_add ("/ui/reach/server-keys", test_server_keys);
  ui_test_add ("/ui/reach/server-permissions", test_server_permissions);
  ui_test_add ("/ui/reach/shortcuts", test_shortcuts);
  ui_test_add ("/ui/reach/preferences", test_preferences);
  ui_test_add ("/ui/reach/palette", test_palette);
  ui_test_add ("/ui/reach/window", test_window);
  ui_test_add ("/ui/reach/waiting", test_waiting);
  ui_test_add ("/ui/reach/docked", test_docked);
  ui_test_add ("/ui/reach/working", test_working);
  ui_test_add ("/ui/reach/large-text", test_large_text);
  ui_test_add ("/ui/reach/templates", test_templates);
  ui_test_add ("/ui/reach/motion", test_motion);
  ui_test_add ("/ui/reach/activity", test_activity);
  return g_test_run ();
}
