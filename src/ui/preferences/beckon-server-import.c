/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-server-import.h"

#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "beckon-server-editor.h"
#include "mcp/beckon-mcp-paste.h"
#include "ui/widgets/beckon-files.h"

#include <glib/gi18n-lib.h>

struct _BeckonServerImport
{
  BeckonSheet parent_instance;

  BeckonRuntime *runtime;    /* (owned) */
  GCancellable *cancellable; /* (owned): ends with the window */

  AdwPreferencesPage *page;
  GtkWidget *status_group;
  GtkLabel *status_label;
};

G_DEFINE_FINAL_TYPE (BeckonServerImport, beckon_server_import, BECKON_TYPE_SHEET)

/* The same program with the same arguments, or the same address. */
static gboolean
is_added (BeckonServerImport *self, const BeckonMcpServer *server)
{
  GListModel *servers = G_LIST_MODEL (beckon_runtime_get_servers (self->runtime));
  g_autofree char *summary = beckon_mcp_server_dup_summary (server);

  for (guint i = 0; i < g_list_model_get_n_items (servers); i++)
    {
      g_autoptr (BeckonMcpService) service = g_list_model_get_item (servers, i);
      const BeckonMcpServer *other = beckon_mcp_service_get_server (service);
      g_autofree char *other_summary = beckon_mcp_server_dup_summary (other);

      if (g_str_equal (summary, other_summary) && g_strcmp0 (server->folder, other->folder) == 0)
        return TRUE;
    }
  return FALSE;
}

static void
set_added (GtkWidget *button)
{
  gtk_button_set_label (GTK_BUTTON (button), _("Added"));
  gtk_widget_set_sensitive (button, FALSE);
}

static void
on_added (GtkWidget *editor, BeckonMcpService *service, GtkWidget *button)
{
  set_added (button);
}

static void
server_import_on_add_clicked (BeckonServerImport *self, GtkWidget *button)
{
  const BeckonMcpDraft *draft = g_object_get_data (G_OBJECT (button), "draft");
  BeckonMcpDraft *copy = beckon_mcp_draft_new (NULL, draft->server->kind);
  GtkWidget *editor;

  beckon_mcp_server_unref (copy->server);
  copy->server = beckon_mcp_server_copy (draft->server);
  for (guint i = 0; i < draft->blanks->len; i++)
    {
      const BeckonMcpBlank *blank = g_ptr_array_index (draft->blanks, i);

      beckon_mcp_draft_add_blank (copy, blank->token, blank->title, blank->value, blank->is_secret);
    }
  for (guint i = 0; i < draft->notes->len; i++)
    beckon_mcp_draft_take_note (copy, g_strdup (g_ptr_array_index (draft->notes, i)));

  editor = beckon_server_editor_new_for_draft (self->runtime, copy);
  g_signal_connect_object (editor, "saved", G_CALLBACK (on_added), button, 0);
  beckon_sheet_present (BECKON_SHEET (editor), GTK_WIDGET (self));
}

/* @draft: (transfer full) */
static GtkWidget *
server_import_make_row (BeckonServerImport *self, BeckonMcpDraft *draft)
{
  g_autofree char *name = beckon_text_for_display (draft->server->name, -1, BECKON_TEXT_EXACT);
  g_autofree char *summary = beckon_mcp_server_dup_summary (draft->server);
  g_autofree char *shown = beckon_text_for_display (draft->problem != NULL ? draft->problem : summary, -1, BECKON_TEXT_EXACT);
  /* Translators: a server of another program */
  g_autofree char *spoken = beckon_text_printf (_("Add %s"), name);
  GtkWidget *row = g_object_new (ADW_TYPE_ACTION_ROW, "use-markup", FALSE, "title", name, "subtitle", shown, "title-lines", 2,
                                 "subtitle-lines", 4, NULL);
  GtkWidget *button = gtk_button_new_with_label (_("Add…"));

  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, spoken, -1);
  g_object_set_data_full (G_OBJECT (button), "draft", draft, (GDestroyNotify) beckon_mcp_draft_free);
  g_signal_connect_object (button, "clicked", G_CALLBACK (server_import_on_add_clicked), self, G_CONNECT_SWAPPED);
  if (is_added (self, draft->server))
    set_added (button);
  gtk_widget_set_visible (button, draft->problem == NULL);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), button);
  return row;
}

static void
server_import_on_found (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonServerImport) self = user_data;
  g_autoptr (GPtrArray) list = beckon_mcp_found_list_finish (result, NULL);

  if (list == NULL || g_cancellable_is_cancelled (self->cancellable))
    return;
  for (guint i = 0; i < list->len; i++)
    {
      BeckonMcpFound *found = g_ptr_array_index (list, i);
      GtkWidget *group = adw_preferences_group_new ();
      g_autofree char *path = beckon_folder_name_shorten (found->path);
      g_autofree char *folder = found->folder != NULL ? beckon_folder_name_shorten (found->folder) : NULL;
      /* Translators: a file, and the folder that the servers in it are for */
      g_autofree char *place = folder != NULL ? beckon_text_printf (_("%1$s, for %2$s"), path, folder) : g_strdup (path);
      g_autofree char *words = found->error != NULL ? beckon_text_printf ("%s\n%s", place, found->error) : g_strdup (place);
      g_autofree char *description = g_markup_escape_text (words, -1);

      adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (group), found->title);
      adw_preferences_group_set_description (ADW_PREFERENCES_GROUP (group), description);
      while (found->drafts->len > 0)
        adw_preferences_group_add (ADW_PREFERENCES_GROUP (group),
                                   server_import_make_row (self, g_ptr_array_steal_index (found->drafts, 0)));
      adw_preferences_page_add (self->page, ADW_PREFERENCES_GROUP (group));
    }
  gtk_label_set_text (self->status_label, _("Claude Desktop, Claude Code, VS Code and Cursor have no servers here."));
  gtk_widget_set_visible (self->status_group, list->len == 0);
}

static void
beckon_server_import_dispose (GObject *object)
{
  BeckonServerImport *self = BECKON_SERVER_IMPORT (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->runtime);
  G_OBJECT_CLASS (beckon_server_import_parent_class)->dispose (object);
}

static void
beckon_server_import_finalize (GObject *object)
{
  g_object_unref (BECKON_SERVER_IMPORT (object)->cancellable);
  G_OBJECT_CLASS (beckon_server_import_parent_class)->finalize (object);
}

static void
beckon_server_import_class_init (BeckonServerImportClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = beckon_server_import_dispose;
  G_OBJECT_CLASS (klass)->finalize = beckon_server_import_finalize;
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/server-import.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonServerImport, page);
  gtk_widget_class_bind_template_child (widget_class, BeckonServerImport, status_group);
  gtk_widget_class_bind_template_child (widget_class, BeckonServerImport, status_label);
}

static void
beckon_server_import_init (BeckonServerImport *self)
{
  self->cancellable = g_cancellable_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *
beckon_server_import_new (BeckonRuntime *runtime)
{
  BeckonServerImport *self = g_object_new (BECKON_TYPE_SERVER_IMPORT, NULL);

  self->runtime = g_object_ref (runtime);
  beckon_mcp_found_list_async (NULL, self->cancellable, server_import_on_found, g_object_ref (self));
  return GTK_WIDGET (self);
}
