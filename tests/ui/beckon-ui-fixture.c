/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-ui-fixture.h"

#include "beckon-resources.h"
#include "request/beckon-question-request.h"
#include "ui/widgets/beckon-alert.h"
#include "ui/widgets/beckon-compat.h"
#include "ui/widgets/beckon-focus-keeper.h"
#include "ui/widgets/beckon-sheet.h"

#include <string.h>

gboolean
ui_test_init (int *argc, char ***argv)
{
  g_autoptr (GtkCssProvider) css = NULL;

  g_test_init (argc, argv, NULL);
  if (!gtk_init_check ())
    {
      g_print ("1..0 # SKIP there is no display\n");
      return FALSE;
    }
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, "gtk-cursor-blink", FALSE, NULL);
  beckon_register_resource ();
  adw_init ();
  beckon_compat_init ();
  css = gtk_css_provider_new ();
  gtk_css_provider_load_from_resource (css, BECKON_RESOURCE_PATH "/style.css");
  gtk_style_context_add_provider_for_display (gdk_display_get_default (), GTK_STYLE_PROVIDER (css),
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
  return TRUE;
}

static void
on_loaded (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(gboolean *) user_data = beckon_inbox_load_finish (BECKON_INBOX (source), result, NULL);
}

void
ui_fixture_set_up (UiFixture *fixture, gconstpointer data)
{
  gboolean loaded = FALSE;

  fixture->clock = beckon_clock_new_manual (UI_NOW);
  fixture->ledger = test_ledger_new ();
  fixture->journal = test_journal_new (fixture->ledger);
  fixture->inbox = beckon_inbox_new (BECKON_REQUEST_STORE (fixture->journal), fixture->clock);
  beckon_inbox_load_async (fixture->inbox, NULL, on_loaded, &loaded);
  ui_wait_until (loaded);
  fixture->window = adw_window_new ();
  g_object_ref_sink (fixture->window);
  beckon_focus_keeper_add (GTK_WINDOW (fixture->window));
  gtk_window_set_default_size (GTK_WINDOW (fixture->window), 720, 640);
  /* Newer versions of GTK ask a window how wide it is at its least height, and warn where that depends on its width. What is
   * tested here scrolls in the application. */
  gtk_widget_set_size_request (fixture->window, -1, 900);
}

/* A test's objects go with its window. */
void
ui_fixture_tear_down (UiFixture *fixture, gconstpointer data)
{
  gtk_window_destroy (GTK_WINDOW (fixture->window));
  ui_settle ();
  g_assert_finalize_object (fixture->window);
  beckon_inbox_flush (fixture->inbox);
  ui_settle ();
  g_assert_finalize_object (fixture->inbox);
  g_assert_finalize_object (fixture->journal);
  g_clear_pointer (&fixture->ledger, test_ledger_unref);
  g_assert_finalize_object (fixture->clock);
}

static gboolean
go_on (gpointer user_data)
{
  return G_SOURCE_CONTINUE;
}

guint
ui_wake_up_often (void)
{
  return g_timeout_add (200, go_on, NULL);
}

void
ui_settle (void)
{
  while (g_main_context_pending (NULL))
    g_main_context_iteration (NULL, FALSE);
}

void
ui_show (UiFixture *fixture, GtkWidget *widget)
{
  adw_window_set_content (ADW_WINDOW (fixture->window), widget);
  gtk_window_present (GTK_WINDOW (fixture->window));
  ui_wait_until (gtk_widget_get_mapped (widget));
  ui_wait_frames (fixture, 2);
}

static gboolean
count_frame (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  guint *left = user_data;

  if (*left > 0)
    --*left;
  return *left > 0 ? G_SOURCE_CONTINUE : G_SOURCE_REMOVE;
}

void
ui_wait_frames_of (GtkWidget *window, guint frames)
{
  guint left = frames + 1;

  gtk_widget_add_tick_callback (window, count_frame, &left, NULL);
  gtk_widget_queue_draw (window);
  ui_wait_until (left == 0);
  ui_settle ();
}

void
ui_wait_frames (UiFixture *fixture, guint frames)
{
  ui_wait_frames_of (fixture->window, frames);
}

GtkWidget *
ui_present (GtkWidget *widget)
{
  if (BECKON_IS_SHEET (widget))
    beckon_sheet_present (BECKON_SHEET (widget), NULL);
  else
    gtk_window_present (GTK_WINDOW (widget));
  ui_wait_until (gtk_widget_get_mapped (widget));
  return widget;
}

void
ui_close (GtkWidget *widget)
{
  if (BECKON_IS_SHEET (widget))
    beckon_sheet_close (BECKON_SHEET (widget));
  else
    gtk_window_destroy (GTK_WINDOW (widget));
}

GtkWidget *
ui_get_focus (GtkWidget *widget)
{
  return gtk_root_get_focus (gtk_widget_get_root (widget));
}

typedef gboolean (*Matches) (GtkWidget *widget, gconstpointer wanted);

static GtkWidget *
find (GtkWidget *root, Matches matches, gconstpointer wanted)
{
  if (!gtk_widget_get_visible (root) || !gtk_widget_get_child_visible (root))
    return NULL;
  if (matches (root, wanted))
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL; child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find (child, matches, wanted);

      if (found != NULL)
        return found;
    }
  return NULL;
}

static gboolean
matches_type (GtkWidget *widget, gconstpointer wanted)
{
  return g_type_is_a (G_OBJECT_TYPE (widget), GPOINTER_TO_SIZE (wanted));
}

static gboolean
matches_name (GtkWidget *widget, gconstpointer wanted)
{
  g_autofree char *other = gtk_test_accessible_check_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                                               (const char *) wanted);

  return other == NULL;
}

static gboolean
matches_button (GtkWidget *widget, gconstpointer wanted)
{
  return GTK_IS_BUTTON (widget) && matches_name (widget, wanted);
}

/* A field is named by its row's title, which is a label of the same name. */
static gboolean
matches_field (GtkWidget *widget, gconstpointer wanted)
{
  return (GTK_IS_TEXT (widget) || GTK_IS_SEARCH_ENTRY (widget)) && matches_name (widget, wanted);
}

static gboolean
matches_view (GtkWidget *widget, gconstpointer wanted)
{
  return GTK_IS_TEXT_VIEW (widget) && matches_name (widget, wanted);
}

static gboolean
matches_text (GtkWidget *widget, gconstpointer wanted)
{
  return GTK_IS_LABEL (widget) && strstr (gtk_label_get_text (GTK_LABEL (widget)), wanted) != NULL;
}

GtkWidget *
ui_find_type (GtkWidget *root, GType type)
{
  return find (root, matches_type, GSIZE_TO_POINTER (type));
}

GtkWidget *
ui_find_shown (GType type)
{
  g_autoptr (GList) windows = gtk_window_list_toplevels ();
  GtkWidget *found = NULL;

  for (GList *at = windows; at != NULL && found == NULL; at = at->next)
    found = ui_find_type (at->data, type);
  return found;
}

guint
ui_count_type (GtkWidget *root, GType type)
{
  guint n = matches_type (root, GSIZE_TO_POINTER (type)) ? 1 : 0;

  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL; child = gtk_widget_get_next_sibling (child))
    n += ui_count_type (child, type);
  return n;
}

static gboolean
is_alert (GtkWidget *widget, gconstpointer heading)
{
  g_autofree char *own = NULL;

  if (!beckon_alert_is (widget) || !gtk_widget_get_mapped (widget))
    return FALSE;
  g_object_get (widget, "heading", &own, NULL);
  /* A sheet's words come with its first layout. */
  return (heading == NULL || g_strcmp0 (own, heading) == 0) && ui_find_text (widget, own) != NULL;
}

GtkWidget *
ui_find_alert (const char *heading)
{
  g_autoptr (GList) windows = gtk_window_list_toplevels ();
  GtkWidget *alert = NULL;

  for (GList *at = windows; at != NULL && alert == NULL; at = at->next)
    alert = find (at->data, is_alert, heading);
  return alert;
}

void
ui_respond (GtkWidget *alert, const char *id)
{
  g_autoptr (GtkWidget) held = g_object_ref (alert);

  g_signal_emit_by_name (alert, "response", id);
  beckon_alert_dismiss (alert);
}

char *
ui_dup_alert_body (GtkWidget *alert)
{
  char *body = NULL;

  g_object_get (alert, "body", &body, NULL);
  return body;
}

/* The control that a row is activated for is labelled by the row's title. */
static GtkWidget *
get_titled (GtkWidget *title)
{
  GtkWidget *row = GTK_IS_LABEL (title) ? gtk_widget_get_ancestor (title, ADW_TYPE_ACTION_ROW) : NULL;
  GtkWidget *control = row != NULL ? adw_action_row_get_activatable_widget (ADW_ACTION_ROW (row)) : NULL;

  return control != NULL ? control : title;
}

GtkWidget *
ui_find_named (GtkWidget *root, const char *name)
{
  return get_titled (find (root, matches_name, name));
}

GtkWidget *
ui_find_text (GtkWidget *root, const char *text)
{
  return find (root, matches_text, text);
}

gboolean
ui_is_usable (GtkWidget *widget)
{
  return gtk_widget_is_sensitive (widget) && gtk_widget_is_visible (widget);
}

GtkWidget *
ui_find_button (GtkWidget *root, const char *name)
{
  GtkWidget *button = find (root, matches_button, name);
  GtkWidget *titled = button == NULL ? ui_find_named (root, name) : NULL;

  return GTK_IS_BUTTON (titled) ? titled : button;
}

GtkWidget *
ui_find_field (GtkWidget *root, const char *name)
{
  return find (root, matches_field, name);
}

GtkWidget *
ui_find_view (GtkWidget *root, const char *name)
{
  return find (root, matches_view, name);
}

static GtkEditable *
get_field (GtkWidget *root, const char *name)
{
  GtkWidget *field = ui_find_field (root, name);

  if (field == NULL)
    g_error ("no field is called “%s”", name);
  return GTK_EDITABLE (field);
}

void
ui_type (GtkWidget *root, const char *name, const char *text)
{
  gtk_editable_set_text (get_field (root, name), text);
}

const char *
ui_typed (GtkWidget *root, const char *name)
{
  return gtk_editable_get_text (get_field (root, name));
}

void
ui_click (GtkWidget *root, const char *name)
{
  GtkWidget *button = ui_find_button (root, name);

  if (button == NULL)
    g_error ("no button is called “%s”", name);
  g_assert_true (ui_is_usable (button));
  g_signal_emit_by_name (button, "clicked");
}

gboolean
ui_press (GtkWidget *widget, guint keyval, GdkModifierType state)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);
  gboolean taken = FALSE;

  for (guint i = 0; i < g_list_model_get_n_items (controllers) && !taken; i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      if (GTK_IS_EVENT_CONTROLLER_KEY (controller))
        g_signal_emit_by_name (controller, "key-pressed", keyval, 0, state, &taken);
    }
  return taken;
}

void
ui_release (GtkWidget *widget, guint keyval)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      if (GTK_IS_EVENT_CONTROLLER_KEY (controller))
        g_signal_emit_by_name (controller, "key-released", keyval, 0, 0);
    }
}

gboolean
ui_is_busy (GtkWidget *widget)
{
  g_autofree char *other = gtk_test_accessible_check_state (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_STATE_BUSY, TRUE);

  return other == NULL;
}

BeckonRequest *
ui_ask (UiFixture *fixture, const char *arguments)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonQuestion) question = beckon_question_parse (arguments, &error);
  BeckonRequest *request;

  g_assert_no_error (error);
  request = beckon_question_request_new (NULL, "conversation", "message", "call", question, UI_NOW);
  test_ledger_add (fixture->ledger, request);
  beckon_inbox_add (fixture->inbox, request);
  return request;
}

static void
add_message (BeckonConversation *conversation, BeckonRole role, const char *text)
{
  g_autoptr (BeckonMessage) message = beckon_message_new (NULL, role, UI_NOW);
  g_autoptr (BeckonPart) part = beckon_part_new (BECKON_PART_TEXT, text);

  beckon_message_add_part (message, part);
  beckon_conversation_add_message (conversation, message);
}

BeckonConversation *
ui_make_conversation (guint n_pairs)
{
  BeckonConversation *conversation = beckon_conversation_new ("conversation", UI_NOW);

  for (guint i = 0; i < n_pairs; i++)
    {
      g_autofree char *asked = g_strdup_printf ("Question %u", i);
      g_autofree char *said = g_strdup_printf ("Reply %u, which is **somewhat longer** than what was asked.\n\n- one\n- two\n", i);

      add_message (conversation, BECKON_ROLE_USER, asked);
      add_message (conversation, BECKON_ROLE_ASSISTANT, said);
    }
  beckon_conversation_set_loaded (conversation, TRUE);
  return conversation;
}

void
ui_add_call (BeckonConversation *conversation, BeckonRequest *request, const char *tool)
{
  g_autoptr (BeckonMessage) message = beckon_message_new (NULL, BECKON_ROLE_ASSISTANT, UI_NOW);
  g_autoptr (BeckonToolCall) call = beckon_tool_call_new (NULL, NULL, tool, "{}");
  g_autoptr (BeckonPart) part = beckon_part_new_call (call);

  beckon_tool_call_set_state (call, BECKON_CALL_AWAITING);
  beckon_tool_call_set_request (call, G_OBJECT (request));
  beckon_message_add_part (message, part);
  beckon_conversation_add_message (conversation, message);
}

const char *
ui_get_answer (UiFixture *fixture, BeckonRequest *request)
{
  const BeckonSettlement *settlement = test_ledger_get_settlement (fixture->ledger, beckon_request_get_id (request));

  return settlement != NULL ? settlement->answer : NULL;
}

static GtkWidget *
find_chooser (void)
{
  g_autoptr (GList) windows = gtk_window_list_toplevels ();

  for (GList *at = windows; at != NULL; at = at->next)
    if (GTK_IS_FILE_CHOOSER (at->data) && gtk_widget_get_mapped (at->data))
      return at->data;
  return NULL;
}

static gboolean
is_chosen (GtkWidget *chooser, GFile *file)
{
  g_autoptr (GFile) chosen = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (chooser));

  return chosen != NULL && g_file_equal (chosen, file);
}

static void
accept_file (GtkWidget *chooser, GFile *file)
{
  ui_wait_until (is_chosen (chooser, file));
  g_signal_emit_by_name (gtk_dialog_get_widget_for_response (GTK_DIALOG (chooser), GTK_RESPONSE_ACCEPT), "clicked");
  ui_wait_until (find_chooser () == NULL);
}

void
ui_save_as (GFile *file)
{
  GtkWidget *chooser;

  ui_wait_until ((chooser = find_chooser ()) != NULL);
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (chooser), g_file_peek_path (file));
  accept_file (chooser, file);
}

void
ui_open_file (GFile *file)
{
  GtkWidget *chooser;

  ui_wait_until ((chooser = find_chooser ()) != NULL);
  gtk_file_chooser_set_file (GTK_FILE_CHOOSER (chooser), file, NULL);
  accept_file (chooser, file);
}
