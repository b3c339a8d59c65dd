/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-server-window.h"

#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "beckon-server-account-row.h"
#include "beckon-server-editor.h"
#include "beckon-server-login.h"
#include "ui/blocks/beckon-code-block.h"
#include "ui/widgets/beckon-alert.h"
#include "ui/widgets/beckon-controls.h"
#include "ui/widgets/beckon-scrolled.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define LINE_CHARS 120

#define BECKON_TYPE_SERVER_TOOL_ROW (beckon_server_tool_row_get_type ())
G_DECLARE_FINAL_TYPE (BeckonServerToolRow, beckon_server_tool_row, BECKON, SERVER_TOOL_ROW, AdwExpanderRow)

struct _BeckonServerToolRow
{
  AdwExpanderRow parent_instance;

  BeckonMcpToolInfo *info; /* (owned) */
  GtkSwitch *on_switch;
  GtkBox *details; /* (nullable): once it was opened */
  GtkWidget *change; /* (nullable): the difference and its button */
  gboolean is_showing;
};

G_DEFINE_FINAL_TYPE (BeckonServerToolRow, beckon_server_tool_row, ADW_TYPE_EXPANDER_ROW)

static guint switched_signal, accepted_signal;

static const char *
get_title (const BeckonMcpToolInfo *info)
{
  return info->title != NULL && *info->title != '\0' ? info->title : info->name;
}

/* Hints of a party that is not trusted are said to be its own. */
static const char *
server_tool_row_get_hint (const BeckonMcpToolInfo *info)
{
  if (info->is_read_only)
    return _("Says that it only reads");
  if (info->is_silent)
    return _("Says nothing about what it changes");
  if (info->is_destructive)
    return _("Says that it may delete or overwrite");
  return _("Says that it deletes nothing");
}

static char *
dup_first_line (const char *text)
{
  g_autofree char *line = g_strndup (text, strcspn (text, "\n"));
  g_autofree char *shown = beckon_text_for_display (line, -1, BECKON_TEXT_EXACT);

  return beckon_text_shorten (shown, LINE_CHARS);
}

static void
show_title (BeckonServerToolRow *self, gboolean is_changed)
{
  g_autofree char *shown = beckon_text_for_display (get_title (self->info), -1, BECKON_TEXT_EXACT);
  g_autofree char *title = g_markup_escape_text (shown, -1);
  g_autofree char *line = dup_first_line (self->info->description != NULL ? self->info->description : "");
  const char *hint = is_changed ? _("Changed: look at it before it is used again") : server_tool_row_get_hint (self->info);
  g_autofree char *words = beckon_text_printf ("%s\n%s", hint, line);
  g_autofree char *subtitle = g_markup_escape_text (g_strchomp (words), -1);
  /* Translators: a switch of a tool, which is named */
  g_autofree char *spoken = beckon_text_printf (_("Use %s"), shown);

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self), title);
  adw_expander_row_set_subtitle (ADW_EXPANDER_ROW (self), subtitle);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->on_switch), GTK_ACCESSIBLE_PROPERTY_LABEL, spoken, -1);
}

static void
server_tool_row_on_switched (BeckonServerToolRow *self)
{
  if (!self->is_showing)
    g_signal_emit (self, switched_signal, 0, gtk_switch_get_active (self->on_switch));
}

static void
on_accept_clicked (BeckonServerToolRow *self)
{
  g_signal_emit (self, accepted_signal, 0);
}

static GtkWidget *
server_tool_row_make_label (const char *text)
{
  GtkWidget *label = beckon_line_new (text, NULL);

  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  return label;
}

static GtkWidget *
make_code (const char *text, gboolean is_difference)
{
  GtkWidget *block = beckon_code_block_new ();
  g_autofree char *shown = beckon_text_for_display (text, -1, BECKON_TEXT_MARKED);

  if (is_difference)
    beckon_code_block_set_diff (BECKON_CODE_BLOCK (block));
  beckon_code_block_set_wrap (BECKON_CODE_BLOCK (block), TRUE);
  beckon_code_block_set_text (BECKON_CODE_BLOCK (block), shown);
  return block;
}

static void
on_expanded (BeckonServerToolRow *self)
{
  if (adw_expander_row_get_expanded (ADW_EXPANDER_ROW (self))
      && gtk_widget_get_first_child (GTK_WIDGET (self->details)) == NULL)
    {
      /* Text that a model is given as it is. */
      g_autofree char *name = beckon_text_for_display (self->info->name, -1, BECKON_TEXT_EXACT);
      /* Translators: a tool, as the server calls it */
      g_autofree char *called = beckon_text_printf (_("Name: %s"), name);
      g_autofree char *description = beckon_text_for_display (
          self->info->description != NULL ? self->info->description : "", -1, BECKON_TEXT_MARKED);
      g_autofree char *schema = beckon_text_json_for_display (self->info->schema);

      gtk_box_append (self->details, server_tool_row_make_label (called));
      if (*description != '\0')
        gtk_box_append (self->details, server_tool_row_make_label (description));
      gtk_box_append (self->details, server_tool_row_make_label (_("Arguments, as a JSON Schema:")));
      gtk_box_append (self->details, make_code (schema, FALSE));
    }
}

static void
show_change (BeckonServerToolRow *self, const BeckonMcpToolInfo *previous)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 9);
  GtkWidget *button = gtk_button_new_with_label (_("Accept the Change"));
  g_autofree char *difference = beckon_mcp_tool_info_compare (previous, self->info);
  g_autofree char *spoken = beckon_text_printf (_("Accept the change of %s"), get_title (self->info));

  gtk_box_append (GTK_BOX (box),
                  server_tool_row_make_label (_("The server changed this tool after you allowed it or set its arguments. It "
                                                "runs again once you accept the change.")));
  gtk_box_append (GTK_BOX (box), make_code (difference, TRUE));
  gtk_widget_set_halign (button, GTK_ALIGN_START);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, spoken, -1);
  g_signal_connect_object (button, "clicked", G_CALLBACK (on_accept_clicked), self, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (box), button);
  self->change = gtk_list_box_row_new ();
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (self->change), FALSE);
  gtk_widget_set_focusable (self->change, FALSE);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (self->change), box);
  gtk_widget_add_css_class (box, "tool-details");
  adw_expander_row_add_row (ADW_EXPANDER_ROW (self), self->change);
  adw_expander_row_set_expanded (ADW_EXPANDER_ROW (self), TRUE);
}

/* @previous: (nullable): the definition that was trusted, where it changed since */
static void
server_tool_row_update (BeckonServerToolRow *self, gboolean is_on, const BeckonMcpToolInfo *previous)
{
  self->is_showing = TRUE;
  gtk_switch_set_active (self->on_switch, is_on);
  self->is_showing = FALSE;
  show_title (self, previous != NULL);
  if (previous == NULL && self->change != NULL)
    {
      adw_expander_row_remove (ADW_EXPANDER_ROW (self), self->change);
      self->change = NULL;
    }
  else if (previous != NULL && self->change == NULL)
    show_change (self, previous);
}

static void
beckon_server_tool_row_finalize (GObject *object)
{
  beckon_mcp_tool_info_unref (BECKON_SERVER_TOOL_ROW (object)->info);
  G_OBJECT_CLASS (beckon_server_tool_row_parent_class)->finalize (object);
}

static void
beckon_server_tool_row_class_init (BeckonServerToolRowClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = beckon_server_tool_row_finalize;
  switched_signal = g_signal_new ("switched", BECKON_TYPE_SERVER_TOOL_ROW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                  1, G_TYPE_BOOLEAN);
  accepted_signal = g_signal_new ("accepted", BECKON_TYPE_SERVER_TOOL_ROW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                  0);
}

static void
beckon_server_tool_row_init (BeckonServerToolRow *self)
{
  GtkWidget *row = gtk_list_box_row_new ();

  self->on_switch = GTK_SWITCH (gtk_switch_new ());
  gtk_widget_set_valign (GTK_WIDGET (self->on_switch), GTK_ALIGN_CENTER);
  adw_expander_row_add_action (ADW_EXPANDER_ROW (self), GTK_WIDGET (self->on_switch));
  self->details = GTK_BOX (gtk_box_new (GTK_ORIENTATION_VERTICAL, 9));
  gtk_widget_add_css_class (GTK_WIDGET (self->details), "tool-details");
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), FALSE);
  gtk_widget_set_focusable (row, FALSE);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), GTK_WIDGET (self->details));
  adw_expander_row_add_row (ADW_EXPANDER_ROW (self), row);
  g_signal_connect_swapped (self->on_switch, "notify::active", G_CALLBACK (server_tool_row_on_switched), self);
  g_signal_connect (self, "notify::expanded", G_CALLBACK (on_expanded), NULL);
}

/**
 * BeckonServerToolRow:
 *
 * A tool of a server with a switch, the server's word of it and, where its definition changed since it was trusted, the
 * difference. Signals: `switched` (whether it is on), `accepted`: the change was seen.
 */
static GtkWidget *
server_tool_row_new (BeckonMcpToolInfo *info)
{
  BeckonServerToolRow *self = g_object_new (BECKON_TYPE_SERVER_TOOL_ROW, NULL);

  self->info = beckon_mcp_tool_info_ref (info);
  return GTK_WIDGET (self);
}

/* Borrowed. */
static BeckonMcpToolInfo *
server_tool_row_get_info (BeckonServerToolRow *self)
{
  return self->info;
}

/* Tools that are listed before the person asks for all. */
#define TOOLS_SHOWN 100

struct _BeckonServerWindow
{
  BeckonSheet parent_instance;

  BeckonRuntime *runtime;    /* (owned) */
  BeckonMcpService *service; /* (owned) */
  GCancellable *cancellable; /* (owned): ends with the window */
  guint n_tests;             /* that are under way */
  gboolean shows_all;

  AdwToastOverlay *toasts;
  GtkWidget *edit_button;
  AdwActionRow *state_row;
  GtkSpinner *test_spinner;
  GtkWidget *test_button;
  AdwActionRow *what_row;
  AdwActionRow *login_row;
  BeckonServerAccountRow *account_row;
  GtkLabel *error_label;
  GtkLabel *no_tools;
  GtkWidget *left_out_group;
  GtkLabel *left_out;
  GtkListBox *tools_list;
  GtkWidget *log_group;
  GtkTextView *log_view;
};

G_DEFINE_FINAL_TYPE (BeckonServerWindow, beckon_server_window, BECKON_TYPE_SHEET)

static guint removed_signal;

static void server_window_update (BeckonServerWindow *self);

static void
server_window_tell (BeckonServerWindow *self, const char *words)
{
  adw_toast_overlay_add_toast (self->toasts, beckon_toast_new (words));
}

static const BeckonMcpServer *
server_window_get_server (BeckonServerWindow *self)
{
  return beckon_mcp_service_get_server (self->service);
}

/* --- Saving ------------------------------------------------------------------------------------------------------- */

static void
server_window_on_saved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonServerWindow) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonMcpService) service = beckon_mcp_servers_save_finish (BECKON_MCP_SERVERS (source), result, &error);

  if (g_cancellable_is_cancelled (self->cancellable))
    return;
  if (service == NULL)
    server_window_tell (self, error->message);
  server_window_update (self);
}

static void
on_tool_switched (BeckonServerWindow *self, gboolean is_on, BeckonServerToolRow *row)
{
  const char *name = server_tool_row_get_info (row)->name;
  g_autoptr (BeckonMcpServer) changed = beckon_mcp_server_copy (server_window_get_server (self));
  g_autoptr (GStrvBuilder) off = g_strv_builder_new ();

  for (guint i = 0; changed->tools_off != NULL && changed->tools_off[i] != NULL; i++)
    if (!g_str_equal (changed->tools_off[i], name))
      g_strv_builder_add (off, changed->tools_off[i]);
  if (!is_on)
    g_strv_builder_add (off, name);
  g_strfreev (changed->tools_off);
  changed->tools_off = g_strv_builder_end (off);
  beckon_mcp_servers_save_async (beckon_runtime_get_servers (self->runtime), changed, NULL, server_window_on_saved,
                                 g_object_ref (self));
}

static void
on_tool_accepted (BeckonServerWindow *self, BeckonServerToolRow *row)
{
  beckon_mcp_service_accept (self->service, server_tool_row_get_info (row));
}

/* --- Tools -------------------------------------------------------------------------------------------------------- */

static GtkWidget *
get_row (BeckonServerWindow *self, guint index)
{
  return GTK_WIDGET (gtk_list_box_get_row_at_index (self->tools_list, (int) index));
}

static gboolean
shows (BeckonServerWindow *self, guint index, const BeckonMcpToolInfo *info)
{
  GtkWidget *row = get_row (self, index);

  return BECKON_IS_SERVER_TOOL_ROW (row)
         && g_str_equal (server_tool_row_get_info (BECKON_SERVER_TOOL_ROW (row))->digest, info->digest);
}

static void
on_all_activated (BeckonServerWindow *self)
{
  self->shows_all = TRUE;
  server_window_update (self);
  gtk_widget_child_focus (GTK_WIDGET (self->tools_list), GTK_DIR_TAB_FORWARD);
}

static void
show_tools (BeckonServerWindow *self)
{
  GPtrArray *infos = beckon_mcp_service_get_infos (self->service);
  char **off = server_window_get_server (self)->tools_off;
  guint n = self->shows_all ? infos->len : MIN (infos->len, TOOLS_SHOWN);
  /* Rows of tools that are as they were stay, with what is open in them. */
  GtkWidget *row;
  guint same = 0;

  while (same < n && shows (self, same, g_ptr_array_index (infos, same)))
    same++;
  while ((row = get_row (self, same)) != NULL)
    gtk_list_box_remove (self->tools_list, row);
  for (guint i = same; i < n; i++)
    {
      GtkWidget *tool_row = server_tool_row_new (g_ptr_array_index (infos, i));

      g_signal_connect_object (tool_row, "switched", G_CALLBACK (on_tool_switched), self, G_CONNECT_SWAPPED);
      g_signal_connect_object (tool_row, "accepted", G_CALLBACK (on_tool_accepted), self, G_CONNECT_SWAPPED);
      gtk_list_box_append (self->tools_list, tool_row);
    }
  if (n < infos->len)
    {
      guint n_all = infos->len;
      g_autofree char *title = g_strdup_printf (ngettext ("Show All %u Tool", "Show All %u Tools", n_all), n_all);
      GtkWidget *all_row = g_object_new (ADW_TYPE_ACTION_ROW, "title", title, "activatable", TRUE, NULL);

      g_signal_connect_object (all_row, "activated", G_CALLBACK (on_all_activated), self, G_CONNECT_SWAPPED);
      gtk_list_box_append (self->tools_list, all_row);
    }

  for (guint i = 0; i < n; i++)
    {
      const BeckonMcpToolInfo *info = g_ptr_array_index (infos, i);
      gboolean is_on = off == NULL || !g_strv_contains ((const char *const *) off, info->name);

      server_tool_row_update (BECKON_SERVER_TOOL_ROW (get_row (self, i)), is_on,
                                     beckon_mcp_service_get_previous (self->service, info->name));
    }
  gtk_widget_set_visible (GTK_WIDGET (self->tools_list), infos->len > 0);
  gtk_widget_set_visible (GTK_WIDGET (self->no_tools), infos->len == 0);
  gtk_label_set_text (self->no_tools, server_window_get_server (self)->listed_at > 0 ? _("The server has no tools.")
                      : _("Test the server to see its tools."));
}

/* --- What is shown ------------------------------------------------------------------------------------------------ */

static char *
server_window_describe_state (BeckonServerWindow *self)
{
  g_autofree char *words = beckon_mcp_service_dup_state_words (self->service);
  const BeckonMcpHello *hello = beckon_mcp_service_get_hello (self->service);
  g_autofree char *title = NULL;

  if (hello == NULL)
    return g_steal_pointer (&words);
  title = beckon_text_for_display (hello->title != NULL ? hello->title : server_window_get_server (self)->name, -1,
                                   BECKON_TEXT_EXACT);
  /* Translators: a state, such as "Running"; the server's own name; the version of the protocol */
  return beckon_text_printf (_("%1$s · %2$s · MCP %3$s"), words, title, hello->revision);
}

static void
server_window_update (BeckonServerWindow *self)
{
  g_autofree char *state = server_window_describe_state (self);
  gboolean is_busy = self->n_tests > 0 || beckon_mcp_service_get_state (self->service) == BECKON_MCP_SERVICE_STARTING;
  const BeckonMcpServer *server = server_window_get_server (self);
  g_autofree char *name = beckon_text_for_display (server->name, -1, BECKON_TEXT_EXACT);
  g_autofree char *summary = beckon_mcp_server_dup_summary (server);
  g_autofree char *shown = beckon_text_for_display (summary, -1, BECKON_TEXT_EXACT);
  g_autofree char *words = server->login != NULL ? beckon_login_words_describe (server->login) : g_strdup ("");
  const char *error = beckon_mcp_service_get_error (self->service);
  const char *left_out = beckon_mcp_service_get_left_out (self->service);
  g_autofree char *shown_error = beckon_text_for_display (error, -1, BECKON_TEXT_PROSE);
  g_autofree char *shown_left_out = beckon_text_for_display (left_out, -1, BECKON_TEXT_PROSE);
  g_autofree char *log = beckon_mcp_service_dup_log (self->service);
  g_autofree char *shown_log = beckon_text_for_display (log, -1, BECKON_TEXT_MARKED);
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (self->log_view);
  g_autofree char *before = NULL;
  GtkTextIter start, end;

  adw_action_row_set_subtitle (self->state_row, state);
  gtk_widget_set_visible (GTK_WIDGET (self->test_spinner), is_busy);
  gtk_spinner_set_spinning (self->test_spinner, is_busy);
  gtk_widget_set_sensitive (self->test_button, !is_busy);

  beckon_sheet_set_title (BECKON_SHEET (self), name);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->what_row),
                                 server->kind == BECKON_MCP_KIND_HTTP ? _("Address") : _("Command"));
  adw_action_row_set_subtitle (self->what_row, shown);

  adw_action_row_set_subtitle (self->login_row, words);
  gtk_widget_set_visible (GTK_WIDGET (self->login_row), server->login != NULL);

  gtk_label_set_text (self->error_label, shown_error);
  gtk_widget_set_visible (GTK_WIDGET (self->error_label), error != NULL);
  gtk_label_set_text (self->left_out, shown_left_out);
  gtk_widget_set_visible (self->left_out_group, left_out != NULL);
  show_tools (self);

  /* The same text is left alone: a person may be selecting it. */
  gtk_text_buffer_get_bounds (buffer, &start, &end);
  before = gtk_text_buffer_get_text (buffer, &start, &end, TRUE);
  if (!g_str_equal (before, shown_log))
    gtk_text_buffer_set_text (buffer, shown_log, -1);
  gtk_widget_set_visible (self->log_group, *shown_log != '\0');
}

/* --- What can be done --------------------------------------------------------------------------------------------- */

/* An error is shown from the service, which has it. */
static void
server_window_on_tested (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonServerWindow) self = user_data;
  g_autoptr (GError) error = NULL;
  gboolean works = beckon_mcp_service_open_finish (BECKON_MCP_SERVICE (source), result, &error);

  if (g_cancellable_is_cancelled (self->cancellable))
    return;
  self->n_tests--;
  server_window_update (self);
  if (works)
    server_window_tell (self, _("The server works"));
}

void
beckon_server_window_test (BeckonServerWindow *self)
{
  self->n_tests++;
  beckon_mcp_service_open_async (self->service, TRUE, self->cancellable, server_window_on_tested, g_object_ref (self));
  server_window_update (self);
}

static void
on_test_clicked (BeckonServerWindow *self)
{
  beckon_server_window_test (self);
}

static void
on_sign_in_failed (BeckonServerWindow *self, const char *words)
{
  server_window_tell (self, words);
}

static void
on_edit_clicked (BeckonServerWindow *self)
{
  GtkWidget *editor = beckon_server_editor_new (self->runtime, self->service);

  g_signal_connect_object (editor, "saved", G_CALLBACK (server_window_update), self, G_CONNECT_SWAPPED);
  beckon_sheet_present (BECKON_SHEET (editor), GTK_WIDGET (self));
}

static void
server_window_on_copy_clicked (BeckonServerWindow *self)
{
  g_autofree char *log = beckon_mcp_service_dup_log (self->service);

  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), log);
  server_window_tell (self, _("Copied"));
}

static void
server_window_on_removed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonServerWindow) self = user_data;
  g_autoptr (GError) error = NULL;

  if (!beckon_mcp_servers_remove_finish (BECKON_MCP_SERVERS (source), result, &error))
    {
      server_window_tell (self, error->message);
      return;
    }
  g_signal_emit (self, removed_signal, 0, server_window_get_server (self)->name);
  beckon_sheet_close (BECKON_SHEET (self));
}

static void
on_remove_answered (GtkWidget *alert, const char *response, gpointer user_data)
{
  BeckonServerWindow *self = user_data;

  if (g_str_equal (response, "remove"))
    beckon_mcp_servers_remove_async (beckon_runtime_get_servers (self->runtime), self->service, NULL, server_window_on_removed,
                                     g_object_ref (self));
}

static void
server_window_on_remove_clicked (BeckonServerWindow *self)
{
  g_autofree char *name = beckon_text_for_display (server_window_get_server (self)->name, -1, BECKON_TEXT_EXACT);
  /* Translators: a server */
  g_autofree char *heading = beckon_text_printf (_("Remove %s?"), name);
  GtkWidget *alert =
      beckon_alert_new (heading, _("Its keys, its sign-in, and the rules and overrides of its tools are removed too."));

  beckon_alert_add_responses (alert, "cancel", _("_Cancel"), "remove", _("_Remove"), NULL);
  beckon_alert_set_appearance (alert, "remove", ADW_RESPONSE_DESTRUCTIVE);
  beckon_alert_set_defaults (alert, "cancel", "cancel");
  g_signal_connect_object (alert, "response", G_CALLBACK (on_remove_answered), self, 0);
  beckon_alert_present (alert, GTK_WIDGET (self));
}

/* --- The window --------------------------------------------------------------------------------------------------- */

static void
beckon_server_window_dispose (GObject *object)
{
  BeckonServerWindow *self = BECKON_SERVER_WINDOW (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->runtime);
  if (self->service != NULL)
    g_signal_handlers_disconnect_by_data (self->service, self);
  G_OBJECT_CLASS (beckon_server_window_parent_class)->dispose (object);
}

static void
beckon_server_window_finalize (GObject *object)
{
  BeckonServerWindow *self = BECKON_SERVER_WINDOW (object);

  g_clear_object (&self->service);
  g_object_unref (self->cancellable);
  G_OBJECT_CLASS (beckon_server_window_parent_class)->finalize (object);
}

static void
beckon_server_window_class_init (BeckonServerWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = beckon_server_window_dispose;
  G_OBJECT_CLASS (klass)->finalize = beckon_server_window_finalize;
  removed_signal = g_signal_new ("removed", BECKON_TYPE_SERVER_WINDOW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                 G_TYPE_STRING);
  g_type_ensure (BECKON_TYPE_SERVER_ACCOUNT_ROW);
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/server-window.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonServerWindow, toasts);
  gtk_widget_class_bind_template_child (widget_class, BeckonServerWindow, edit_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonServerWindow, state_row);
  gtk_widget_class_bind_template_child (widget_class, BeckonServerWindow, test_spinner);
  gtk_widget_class_bind_template_child (widget_class, BeckonServerWindow, test_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonServerWindow, what_row);
  gtk_widget_class_bind_template_child (widget_class, BeckonServerWindow, login_row);
  gtk_widget_class_bind_template_child (widget_class, BeckonServerWindow, account_row);
  gtk_widget_class_bind_template_child (widget_class, BeckonServerWindow, error_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonServerWindow, no_tools);
  gtk_widget_class_bind_template_child (widget_class, BeckonServerWindow, left_out_group);
  gtk_widget_class_bind_template_child (widget_class, BeckonServerWindow, left_out);
  gtk_widget_class_bind_template_child (widget_class, BeckonServerWindow, tools_list);
  gtk_widget_class_bind_template_child (widget_class, BeckonServerWindow, log_group);
  gtk_widget_class_bind_template_child (widget_class, BeckonServerWindow, log_view);
  gtk_widget_class_bind_template_callback (widget_class, on_test_clicked);
  gtk_widget_class_bind_template_callback (widget_class, on_sign_in_failed);
  gtk_widget_class_bind_template_callback (widget_class, on_edit_clicked);
  gtk_widget_class_bind_template_callback (widget_class, server_window_on_copy_clicked);
  gtk_widget_class_bind_template_callback (widget_class, server_window_on_remove_clicked);
}

static void
beckon_server_window_init (BeckonServerWindow *self)
{
  self->cancellable = g_cancellable_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
  beckon_scroll_past (GTK_WIDGET (self->log_view));
}

GtkWidget *
beckon_server_window_new (BeckonRuntime *runtime, BeckonMcpService *service)
{
  BeckonServerWindow *self = g_object_new (BECKON_TYPE_SERVER_WINDOW, NULL);

  self->runtime = g_object_ref (runtime);
  self->service = g_object_ref (service);
  g_signal_connect_object (service, "changed", G_CALLBACK (server_window_update), self, G_CONNECT_SWAPPED);
  beckon_server_account_row_set_service (self->account_row, service);
  server_window_update (self);
  return GTK_WIDGET (self);
}
