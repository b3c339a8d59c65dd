/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-server-editor.h"

#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "beckon-server-login.h"
#include "beckon-server-variables.h"
#include "mcp/beckon-mcp-paste.h"
#include "mcp/beckon-mcp-program.h"
#include "ui/widgets/beckon-controls.h"
#include "ui/widgets/beckon-files.h"
#include "ui/widgets/beckon-flow-layout.h"
#include "ui/widgets/beckon-text-row.h"

#include <glib/gi18n-lib.h>

struct _BeckonServerEditor
{
  BeckonSheet parent_instance;

  BeckonRuntime *runtime;    /* (owned) */
  BeckonMcpServer *existing; /* (owned) (nullable): as it is saved */
  GPtrArray *drafts;         /* (owned) (nullable) (element-type BeckonMcpDraft): what was understood of the pasted text */
  BeckonMcpDraft *draft;     /* (nullable): the chosen one of them */
  GPtrArray *blank_rows;     /* (owned) (element-type GtkWidget): borrowed from the group, one for each blank of the draft */
  char *folder;              /* (owned) (nullable): in which its tools are offered */
  char *proposed_name;       /* (owned) (nullable): not typed by a person */
  GCancellable *cancellable; /* (owned): ends with the window */
  GCancellable *looking;     /* (owned) (nullable): for the program of the draft */
  gboolean is_busy;

  GtkWidget *save_button;
  GtkWidget *page;
  GtkWidget *error_group;
  GtkLabel *error_label;
  GtkWidget *paste_group;
  BeckonTextRow *paste_row;
  AdwComboRow *which_row;
  GtkWidget *understood_group;
  AdwActionRow *program_row;
  AdwActionRow *arguments_row;
  AdwActionRow *understood_address_row;
  GtkLabel *missing_label;
  GtkLabel *notes_label;
  AdwPreferencesGroup *blanks_group;
  GtkWidget *fields_group;
  GtkEditable *name_row;
  GtkEditable *command_row;
  GtkEditable *directory_row;
  GtkEditable *address_row;
  AdwComboRow *scope_row;
  AdwActionRow *folder_row;
  GtkWidget *sandbox_row;
  GtkSwitch *sandbox_switch;
  GtkWidget *network_row;
  GtkSwitch *network_switch;
  GtkWidget *write_row;
  GtkSwitch *write_switch;
  GtkSwitch *instructions_switch;
  AdwComboRow *offer_row;
  AdwComboRow *timeout_row;
  BeckonServerLogin *login_group;
  BeckonServerVariables *variables_group;
};

G_DEFINE_FINAL_TYPE (BeckonServerEditor, beckon_server_editor, BECKON_TYPE_SHEET)

static guint saved_signal;

/* Seconds; the usual one is no setting. */
static const guint timeouts[] = { 60, 0, 900, 3600, 21600 };

static void
server_editor_show_error (BeckonServerEditor *self, const char *words)
{
  gtk_label_set_text (self->error_label, words != NULL ? words : "");
  gtk_widget_set_visible (self->error_group, words != NULL);
}

static void
server_editor_show_text (AdwActionRow *row, const char *text)
{
  g_autofree char *shown = beckon_text_for_display (text, -1, BECKON_TEXT_EXACT);

  adw_action_row_set_subtitle (row, shown);
  gtk_widget_set_visible (GTK_WIDGET (row), *shown != '\0');
}

/* --- What was pasted ---------------------------------------------------------------------------------------------- */

static void
on_program_checked (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonServerEditor) self = user_data;
  g_autoptr (GError) error = NULL;

  if (beckon_mcp_program_check_finish (result, &error) || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  gtk_label_set_text (self->missing_label, error->message);
  gtk_widget_set_visible (GTK_WIDGET (self->missing_label), TRUE);
}

static GPtrArray *
server_editor_get_variables (const BeckonMcpServer *server)
{
  return server->kind == BECKON_MCP_KIND_HTTP ? server->headers : server->variables;
}

static void
show_sandbox (BeckonServerEditor *self)
{
  gboolean is_sandboxed = gtk_widget_get_visible (self->sandbox_row) && gtk_switch_get_active (self->sandbox_switch);

  gtk_widget_set_visible (self->network_row, is_sandboxed);
  gtk_widget_set_visible (self->write_row, is_sandboxed);
}

/* Settings that either a program has, or an address. */
static void
show_start (BeckonServerEditor *self, const BeckonMcpServer *server)
{
  gboolean is_program = server->kind == BECKON_MCP_KIND_STDIO;

  gtk_editable_set_text (self->directory_row, server->directory != NULL ? server->directory : "");
  gtk_switch_set_active (self->sandbox_switch, server->is_sandboxed);
  gtk_switch_set_active (self->network_switch, server->has_network);
  gtk_switch_set_active (self->write_switch, server->can_write);
  gtk_widget_set_visible (GTK_WIDGET (self->directory_row), is_program);
  gtk_widget_set_visible (self->sandbox_row, is_program);
  show_sandbox (self);
  gtk_widget_set_visible (GTK_WIDGET (self->login_group), !is_program);
  beckon_server_login_set (self->login_group, server->login);
}

static void
show_draft (BeckonServerEditor *self)
{
  const BeckonMcpServer *server = self->draft->server;
  gboolean is_program = server->kind == BECKON_MCP_KIND_STDIO;
  GPtrArray *variables = server_editor_get_variables (server);
  g_autoptr (GPtrArray) known = g_ptr_array_new ();
  g_autoptr (GString) notes = NULL;
  g_autofree char *typed = NULL;

  gtk_widget_set_visible (GTK_WIDGET (self->program_row), is_program);
  gtk_widget_set_visible (GTK_WIDGET (self->arguments_row), is_program);
  gtk_widget_set_visible (GTK_WIDGET (self->understood_address_row), !is_program);
  if (is_program && server->program != NULL)
    {
      g_autofree char *arguments = server->arguments != NULL ? g_strjoinv ("  ", server->arguments) : g_strdup ("");
      const char *need = beckon_mcp_program_get_need (server->program);

      /* Translators: a program, such as npx, and what it is a part of, such as Node.js */
      g_autofree char *words
          = need != NULL ? beckon_text_printf (_("%1$s (needs %2$s)"), server->program, need) : g_strdup (server->program);

      server_editor_show_text (self->program_row, words);
      server_editor_show_text (self->arguments_row, arguments);
      self->looking = g_cancellable_new ();
      beckon_mcp_program_check_async (server->program, self->looking, on_program_checked, g_object_ref (self));
    }
  else if (!is_program)
    server_editor_show_text (self->understood_address_row, server->address != NULL ? server->address : "");
  show_start (self, server);

  notes = g_string_new (NULL);
  for (guint i = 0; i < self->draft->notes->len; i++)
    g_string_append_printf (notes, "%s%s", i > 0 ? "\n" : "", (const char *) g_ptr_array_index (self->draft->notes, i));
  gtk_label_set_text (self->notes_label, notes->str);
  gtk_widget_set_visible (GTK_WIDGET (self->notes_label), notes->len > 0);

  for (guint i = 0; i < self->draft->blanks->len; i++)
    {
      const BeckonMcpBlank *blank = g_ptr_array_index (self->draft->blanks, i);
      GtkWidget *row = blank->is_secret ? adw_password_entry_row_new () : adw_entry_row_new ();
      g_autofree char *title = beckon_text_for_display (blank->title, -1, BECKON_TEXT_EXACT);

      adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
      adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
      gtk_editable_set_text (GTK_EDITABLE (row), blank->value != NULL ? blank->value : "");
      beckon_entry_row_name (GTK_EDITABLE (row));
      adw_preferences_group_add (self->blanks_group, row);
      g_ptr_array_add (self->blank_rows, row);
    }
  gtk_widget_set_visible (GTK_WIDGET (self->blanks_group), self->draft->blanks->len > 0);

  typed = beckon_entry_row_dup_text (self->name_row);
  if (*typed == '\0' || g_strcmp0 (typed, self->proposed_name) == 0)
    gtk_editable_set_text (self->name_row, self->draft->server->name);
  g_free (self->proposed_name);
  self->proposed_name = g_strdup (self->draft->server->name);

  if (server->folder != NULL)
    {
      g_free (self->folder);
      self->folder = g_strdup (server->folder);
      adw_combo_row_set_selected (self->scope_row, 1);
    }
  /* Values that are still to be entered have rows of their own. */
  for (guint i = 0; i < variables->len; i++)
    if (!beckon_mcp_draft_has_blank (self->draft, g_ptr_array_index (variables, i)))
      g_ptr_array_add (known, g_ptr_array_index (variables, i));
  beckon_server_variables_set (self->variables_group, known, !is_program);
}

static void
set_understood (BeckonServerEditor *self, gboolean is_understood)
{
  gtk_widget_set_visible (self->understood_group, is_understood);
  gtk_widget_set_visible (self->fields_group, is_understood);
  if (!is_understood)
    gtk_widget_set_visible (GTK_WIDGET (self->login_group), FALSE);
  gtk_widget_set_visible (GTK_WIDGET (self->variables_group), is_understood);
  gtk_widget_set_sensitive (self->save_button, is_understood && !self->is_busy);
}

/* @draft: (nullable): of @drafts */
static void
choose_draft (BeckonServerEditor *self, BeckonMcpDraft *draft)
{
  gboolean is_understood = draft != NULL && draft->problem == NULL;

  if (self->looking != NULL)
    g_cancellable_cancel (self->looking);
  g_clear_object (&self->looking);
  gtk_widget_set_visible (GTK_WIDGET (self->missing_label), FALSE);

  for (guint i = 0; i < self->blank_rows->len; i++)
    adw_preferences_group_remove (self->blanks_group, g_ptr_array_index (self->blank_rows, i));
  g_ptr_array_set_size (self->blank_rows, 0);
  gtk_widget_set_visible (GTK_WIDGET (self->blanks_group), FALSE);

  self->draft = draft;
  server_editor_show_error (self, draft != NULL ? draft->problem : NULL);
  if (is_understood)
    show_draft (self);
  set_understood (self, is_understood);
}

static void
on_which_changed (BeckonServerEditor *self)
{
  guint selected = adw_combo_row_get_selected (self->which_row);

  if (self->drafts != NULL && selected < self->drafts->len && g_ptr_array_index (self->drafts, selected) != self->draft)
    choose_draft (self, g_ptr_array_index (self->drafts, selected));
}

/* A text may hold several servers, of which one is added. @drafts: (transfer full) (nullable) */
static void
take_drafts (BeckonServerEditor *self, GPtrArray *drafts)
{
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  guint n = drafts != NULL ? drafts->len : 0;

  for (guint i = 0; i < n; i++)
    {
      const BeckonMcpDraft *draft = g_ptr_array_index (drafts, i);
      g_autofree char *shown = beckon_text_for_display (draft->server->name, -1, BECKON_TEXT_EXACT);

      gtk_string_list_append (names, shown);
    }
  self->draft = NULL;
  g_clear_pointer (&self->drafts, g_ptr_array_unref);
  adw_combo_row_set_model (self->which_row, G_LIST_MODEL (names));
  self->drafts = drafts;
  gtk_widget_set_visible (GTK_WIDGET (self->which_row), n > 1);
  choose_draft (self, n > 0 ? g_ptr_array_index (drafts, 0) : NULL);
}

static void
on_paste_changed (BeckonServerEditor *self)
{
  const char *text = beckon_text_row_get_text (self->paste_row);
  g_autoptr (GError) error = NULL;

  take_drafts (self, *text != '\0' ? beckon_mcp_paste_read (text, NULL, &error) : NULL);
  if (error != NULL)
    server_editor_show_error (self, error->message);
}

/* --- Settings ----------------------------------------------------------------------------------------------------- */

static void
show_folder (BeckonServerEditor *self)
{
  g_autofree char *shown = self->folder != NULL ? beckon_folder_name_shorten (self->folder) : g_strdup (_("None chosen"));

  adw_action_row_set_subtitle (self->folder_row, shown);
  gtk_widget_set_visible (GTK_WIDGET (self->folder_row), adw_combo_row_get_selected (self->scope_row) == 1);
}

static void
on_scope_changed (BeckonServerEditor *self)
{
  show_folder (self);
}

static void
on_folder_chosen (GtkWidget *owner, const char *path)
{
  BeckonServerEditor *self = BECKON_SERVER_EDITOR (owner);

  g_free (self->folder);
  self->folder = g_strdup (path);
  show_folder (self);
}

static void
on_choose_folder (BeckonServerEditor *self)
{
  beckon_folder_choose (GTK_WIDGET (self), on_folder_chosen);
}

static char *
describe_seconds (guint seconds)
{
  if (seconds % 3600 == 0)
    return g_strdup_printf (ngettext ("%u hour", "%u hours", seconds / 3600), seconds / 3600);
  if (seconds % 60 == 0)
    return g_strdup_printf (ngettext ("%u minute", "%u minutes", seconds / 60), seconds / 60);
  return g_strdup_printf (ngettext ("%u second", "%u seconds", seconds), seconds);
}

/* --- Saving ------------------------------------------------------------------------------------------------------- */

static gboolean
take_command (BeckonServerEditor *self, BeckonMcpServer *server, GError **error)
{
  g_autofree char *text = NULL;

  if (server->kind == BECKON_MCP_KIND_HTTP)
    {
      g_free (server->address);
      server->address = beckon_entry_row_dup_text (self->address_row);
      return TRUE;
    }
  text = beckon_entry_row_dup_text (self->command_row);
  return beckon_mcp_draft_set_command (server, text, error);
}

static void
take_start (BeckonServerEditor *self, BeckonMcpServer *server)
{
  g_autofree char *directory = NULL;

  if (server->kind == BECKON_MCP_KIND_HTTP)
    {
      beckon_login_free (server->login);
      server->login = beckon_server_login_make (self->login_group);
      return;
    }
  directory = beckon_entry_row_dup_text (self->directory_row);
  /* As it was pasted, it may have held what was entered meanwhile. */
  if (self->draft == NULL || g_strcmp0 (directory, self->draft->server->directory) != 0)
    {
      g_free (server->directory);
      server->directory = *directory != '\0' ? g_steal_pointer (&directory) : NULL;
    }
  server->is_sandboxed = gtk_switch_get_active (self->sandbox_switch);
  server->has_network = gtk_switch_get_active (self->network_switch);
  server->can_write = gtk_switch_get_active (self->write_switch);
}

/* (transfer full) (nullable): what was pasted, with what was entered. */
static BeckonMcpServer *
fill_draft (BeckonServerEditor *self, GError **error)
{
  g_autofree const char **values = g_new0 (const char *, self->blank_rows->len + 1);

  for (guint i = 0; i < self->blank_rows->len; i++)
    values[i] = gtk_editable_get_text (GTK_EDITABLE (g_ptr_array_index (self->blank_rows, i)));
  return beckon_mcp_draft_make_server (self->draft, values, error);
}

/* (transfer full) (nullable) */
static BeckonMcpServer *
make_server (BeckonServerEditor *self, GError **error)
{
  g_autoptr (BeckonMcpServer) server
      = self->existing != NULL ? beckon_mcp_server_copy (self->existing) : fill_draft (self, error);
  guint timeout = adw_combo_row_get_selected (self->timeout_row);
  gboolean is_bound = adw_combo_row_get_selected (self->scope_row) == 1;
  GPtrArray *variables;

  if (server == NULL || (self->existing != NULL && !take_command (self, server, error)))
    return NULL;
  take_start (self, server);
  g_free (server->name);
  server->name = beckon_entry_row_dup_text (self->name_row);
  g_free (server->folder);
  server->folder = is_bound ? g_strdup (self->folder != NULL ? self->folder : "") : NULL;
  if (timeout < G_N_ELEMENTS (timeouts))
    server->timeout_s = timeouts[timeout];
  server->offer = (BeckonMcpOffer) MIN (adw_combo_row_get_selected (self->offer_row), BECKON_MCP_N_OFFERS - 1);
  server->ignores_instructions = !gtk_switch_get_active (self->instructions_switch);

  variables = server_editor_get_variables (server);
  for (guint i = variables->len; i > 0; i--)
    if (self->draft == NULL
        || !beckon_mcp_draft_has_blank (self->draft, g_ptr_array_index (server_editor_get_variables (self->draft->server),
                                                                        i - 1)))
      g_ptr_array_remove_index (variables, i - 1);
  beckon_server_variables_take (self->variables_group, variables);

  return beckon_mcp_server_check (server, error) ? g_steal_pointer (&server) : NULL;
}

static void
server_editor_set_busy (BeckonServerEditor *self, gboolean is_busy)
{
  self->is_busy = is_busy;
  gtk_widget_set_sensitive (self->save_button, !is_busy);
  beckon_sheet_set_page_sensitive (BECKON_SHEET (self), self->page, !is_busy);
}

static void
server_editor_on_saved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonServerEditor) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonMcpService) service = beckon_mcp_servers_save_finish (BECKON_MCP_SERVERS (source), result, &error);

  if (g_cancellable_is_cancelled (self->cancellable))
    return;
  server_editor_set_busy (self, FALSE);
  if (service == NULL)
    {
      server_editor_show_error (self, error->message);
      return;
    }
  g_signal_emit (self, saved_signal, 0, service);
  beckon_sheet_close (BECKON_SHEET (self));
}

static void
server_editor_on_save_clicked (BeckonServerEditor *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonMcpServer) server = self->is_busy ? NULL : make_server (self, &error);

  server_editor_show_error (self, error != NULL ? error->message : NULL);
  if (server == NULL)
    return;
  server_editor_set_busy (self, TRUE);
  beckon_mcp_servers_save_async (beckon_runtime_get_servers (self->runtime), server, self->cancellable, server_editor_on_saved,
                                 g_object_ref (self));
}

static void
save_by_key (GtkWidget *widget, const char *name, GVariant *parameter)
{
  gtk_widget_activate (BECKON_SERVER_EDITOR (widget)->save_button);
}

/* --- The window --------------------------------------------------------------------------------------------------- */

static void
beckon_server_editor_dispose (GObject *object)
{
  BeckonServerEditor *self = BECKON_SERVER_EDITOR (object);

  g_cancellable_cancel (self->cancellable);
  if (self->looking != NULL)
    g_cancellable_cancel (self->looking);
  g_clear_object (&self->looking);
  g_clear_object (&self->runtime);
  g_clear_pointer (&self->existing, beckon_mcp_server_unref);
  self->draft = NULL;
  g_clear_pointer (&self->drafts, g_ptr_array_unref);
  G_OBJECT_CLASS (beckon_server_editor_parent_class)->dispose (object);
}

static void
beckon_server_editor_finalize (GObject *object)
{
  BeckonServerEditor *self = BECKON_SERVER_EDITOR (object);

  g_object_unref (self->cancellable);
  g_ptr_array_unref (self->blank_rows);
  g_free (self->folder);
  g_free (self->proposed_name);
  G_OBJECT_CLASS (beckon_server_editor_parent_class)->finalize (object);
}

static void
beckon_server_editor_class_init (BeckonServerEditorClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = beckon_server_editor_dispose;
  G_OBJECT_CLASS (klass)->finalize = beckon_server_editor_finalize;
  saved_signal = g_signal_new ("saved", BECKON_TYPE_SERVER_EDITOR, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                               BECKON_TYPE_MCP_SERVICE);
  g_type_ensure (BECKON_TYPE_TEXT_ROW);
  g_type_ensure (BECKON_TYPE_WHOLE_LAYOUT);
  g_type_ensure (BECKON_TYPE_SERVER_LOGIN);
  g_type_ensure (BECKON_TYPE_SERVER_VARIABLES);
  gtk_widget_class_install_action (widget_class, "editor.save", NULL, save_by_key);
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/server-editor.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonServerEditor, save_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonServerEditor, page);
  gtk_widget_class_bind_template_child (widget_class, BeckonServerEditor, error_group);
  gtk_widget_class_bind_template_child (widget_class, BeckonServerEditor, error_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonServerEditor, paste_group);
  gtk_widget_class_bind_template_child (widget_class, BeckonServerEditor, paste_row);
  gtk_widget_class_bind_template_child (widget_class, BeckonServerEditor, which_row);
  gtk_widget_class_bind_template_child (widget_class, BeckonServerEditor, understood_group);
  gtk_widget_class_bind_template_child (widget_class, BeckonServerEditor, program_row);
  gtk_widget_class_bind_template_child (widget_class, BeckonServerEditor, arguments_row);
  gtk_widget_class_bind_template_child (widget_class, BeckonServerEditor, understood_address_row);
  gtk_widget_class_bind_template_child (widget_class, BeckonServerEditor, missing_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonServerEditor, notes_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonServerEditor, blanks_group);
  gtk_widget_class_bind_template_child (widget_class, BeckonServerEditor, fields_group);
  gtk_widget_class_bind_template_child (widget_class, BeckonServerEditor, name_row);
  gtk_widget_class_bind_template_child (widget_class, BeckonServerEditor, command_row);
  gtk_widget_class_bind_template_child (widget_class, BeckonServerEditor, directory_row);
  gtk_widget_class_bind_template_child (widget_class, BeckonServerEditor, address_row);
  gtk_widget_class_bind_template_child (widget_class, BeckonServerEditor, scope_row);
  gtk_widget_class_bind_template_child (widget_class, BeckonServerEditor, folder_row);
  gtk_widget_class_bind_template_child (widget_class, BeckonServerEditor, sandbox_row);
  gtk_widget_class_bind_template_child (widget_class, BeckonServerEditor, sandbox_switch);
  gtk_widget_class_bind_template_child (widget_class, BeckonServerEditor, network_row);
  gtk_widget_class_bind_template_child (widget_class, BeckonServerEditor, network_switch);
  gtk_widget_class_bind_template_child (widget_class, BeckonServerEditor, write_row);
  gtk_widget_class_bind_template_child (widget_class, BeckonServerEditor, write_switch);
  gtk_widget_class_bind_template_child (widget_class, BeckonServerEditor, instructions_switch);
  gtk_widget_class_bind_template_child (widget_class, BeckonServerEditor, offer_row);
  gtk_widget_class_bind_template_child (widget_class, BeckonServerEditor, timeout_row);
  gtk_widget_class_bind_template_child (widget_class, BeckonServerEditor, login_group);
  gtk_widget_class_bind_template_child (widget_class, BeckonServerEditor, variables_group);
  gtk_widget_class_bind_template_callback (widget_class, server_editor_on_save_clicked);
  gtk_widget_class_bind_template_callback (widget_class, on_paste_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_which_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_scope_changed);
  gtk_widget_class_bind_template_callback (widget_class, show_sandbox);
  gtk_widget_class_bind_template_callback (widget_class, on_choose_folder);
}

static void
beckon_server_editor_init (BeckonServerEditor *self)
{
  self->cancellable = g_cancellable_new ();
  self->blank_rows = g_ptr_array_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
  beckon_entry_row_name (self->name_row);
  beckon_entry_row_name (self->command_row);
  beckon_entry_row_name (self->directory_row);
  beckon_entry_row_name (self->address_row);
}

GtkWidget *
beckon_server_editor_new (BeckonRuntime *runtime, BeckonMcpService *service)
{
  BeckonServerEditor *self = g_object_new (BECKON_TYPE_SERVER_EDITOR, NULL);
  const BeckonMcpClientLimits limits = BECKON_MCP_CLIENT_LIMITS_INIT;
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  guint seconds, selected = G_N_ELEMENTS (timeouts);

  self->runtime = g_object_ref (runtime);
  if (service != NULL)
    self->existing = beckon_mcp_server_ref (beckon_mcp_service_get_server (service));
  gtk_widget_set_visible (self->paste_group, service == NULL);
  if (service != NULL)
    {
      const BeckonMcpServer *server = self->existing;
      gboolean is_program = server->kind == BECKON_MCP_KIND_STDIO;
      g_autofree char *summary = beckon_mcp_server_dup_summary (server);

      gtk_editable_set_text (self->name_row, server->name);
      /* The rules of its tools go by it. */
      gtk_widget_set_sensitive (GTK_WIDGET (self->name_row), FALSE);
      gtk_editable_set_text (is_program ? self->command_row : self->address_row, summary);
      show_start (self, server);
      gtk_widget_set_visible (GTK_WIDGET (self->command_row), is_program);
      gtk_widget_set_visible (GTK_WIDGET (self->address_row), !is_program);
      self->folder = g_strdup (server->folder);
      adw_combo_row_set_selected (self->scope_row, server->folder != NULL ? 1 : 0);
      beckon_server_variables_set (self->variables_group, server_editor_get_variables (server), !is_program);
    }
  else
    {
      beckon_sheet_set_title (BECKON_SHEET (self), _("Add a Server"));
      gtk_button_set_label (GTK_BUTTON (self->save_button), _("Add"));
      gtk_accessible_update_property (GTK_ACCESSIBLE (self->save_button), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Add the server"),
                                      -1);
      set_understood (self, FALSE);
      beckon_sheet_set_focus (BECKON_SHEET (self), beckon_text_row_get_view (self->paste_row));
    }

  /* A time that was set elsewhere is the last of the list. */
  seconds = service != NULL ? self->existing->timeout_s : 0;
  for (guint i = 0; i < G_N_ELEMENTS (timeouts); i++)
    {
      g_autofree char *name = describe_seconds (timeouts[i] > 0 ? timeouts[i] : limits.call_ms / 1000);

      gtk_string_list_append (names, name);
      selected = timeouts[i] == seconds ? i : selected;
    }
  if (selected == G_N_ELEMENTS (timeouts))
    {
      g_autofree char *name = describe_seconds (seconds);

      gtk_string_list_append (names, name);
    }
  adw_combo_row_set_model (self->timeout_row, G_LIST_MODEL (names));
  adw_combo_row_set_selected (self->timeout_row, selected);
  adw_combo_row_set_selected (self->offer_row, service != NULL ? (guint) self->existing->offer : 0);
  gtk_switch_set_active (self->instructions_switch, service == NULL || !self->existing->ignores_instructions);
  show_folder (self);
  return GTK_WIDGET (self);
}

GtkWidget *
beckon_server_editor_new_for_draft (BeckonRuntime *runtime, BeckonMcpDraft *draft)
{
  BeckonServerEditor *self = BECKON_SERVER_EDITOR (beckon_server_editor_new (runtime, NULL));
  GPtrArray *drafts = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_mcp_draft_free);

  gtk_widget_set_visible (self->paste_group, FALSE);
  g_ptr_array_add (drafts, draft);
  take_drafts (self, drafts);
  beckon_sheet_set_focus (BECKON_SHEET (self), GTK_WIDGET (gtk_editable_get_delegate (self->name_row)));
  return GTK_WIDGET (self);
}
