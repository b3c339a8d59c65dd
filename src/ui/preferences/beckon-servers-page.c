/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-servers-page.h"

#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "beckon-server-editor.h"
#include "beckon-server-import.h"
#include "beckon-server-window.h"
#include "ui/widgets/beckon-alert.h"
#include "ui/widgets/beckon-files.h"

#include <glib/gi18n-lib.h>

/* An error in a row is a hint; the server's window has all of it. */
#define ERROR_CHARS 200

#define BECKON_TYPE_SERVER_ROW (beckon_server_row_get_type ())
G_DECLARE_FINAL_TYPE (BeckonServerRow, beckon_server_row, BECKON, SERVER_ROW, BeckonSwitchedRow)

struct _BeckonServerRow
{
  BeckonSwitchedRow parent_instance;

  BeckonRuntime *runtime;    /* (owned) */
  BeckonMcpService *service; /* (owned) */
};

G_DEFINE_FINAL_TYPE (BeckonServerRow, beckon_server_row, BECKON_TYPE_SWITCHED_ROW)

/* "Running · 12 tools", with the error of one that failed. */
static void
server_row_update (BeckonServerRow *self)
{
  const BeckonMcpServer *server = beckon_mcp_service_get_server (self->service);
  const guint n = beckon_mcp_service_get_infos (self->service)->len;
  g_autofree char *state = beckon_mcp_service_dup_state_words (self->service);
  g_autofree char *tools = n == 0 && server->listed_at == 0 ? g_strdup (_("not tested yet"))
                                                            : g_strdup_printf (ngettext ("%u tool", "%u tools", n), n);
  g_autofree char *folder = server->folder != NULL ? beckon_folder_name_shorten (server->folder) : NULL;
  const char *error = beckon_mcp_service_get_error (self->service);
  g_autoptr (GString) words = g_string_new (NULL);

  beckon_text_append (words, "%s · %s", state, tools);
  if (folder != NULL)
    beckon_text_append (words, " · %s", folder);
  if (error != NULL)
    {
      g_autofree char *shown = beckon_text_for_display (error, -1, BECKON_TEXT_PROSE);
      g_autofree char *shortened = beckon_text_shorten (shown, ERROR_CHARS);

      g_string_append_printf (words, "\n%s", shortened);
    }
  beckon_switched_row_show (BECKON_SWITCHED_ROW (self), server->name, words->str, server->is_on);
}

static void
server_row_on_saved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonServerRow) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonMcpService) service = beckon_mcp_servers_save_finish (BECKON_MCP_SERVERS (source), result, &error);

  if (service != NULL || self->service == NULL)
    return;
  server_row_update (self);
  beckon_switched_row_fail (BECKON_SWITCHED_ROW (self), error->message);
}

static void
beckon_server_row_switched (BeckonSwitchedRow *row, gboolean is_on)
{
  BeckonServerRow *self = BECKON_SERVER_ROW (row);
  g_autoptr (BeckonMcpServer) changed = beckon_mcp_server_copy (beckon_mcp_service_get_server (self->service));

  changed->is_on = is_on;
  beckon_mcp_servers_save_async (beckon_runtime_get_servers (self->runtime), changed, NULL, server_row_on_saved,
                                 g_object_ref (self));
}

static void
beckon_server_row_dispose (GObject *object)
{
  BeckonServerRow *self = BECKON_SERVER_ROW (object);

  g_clear_object (&self->runtime);
  g_clear_object (&self->service);
  G_OBJECT_CLASS (beckon_server_row_parent_class)->dispose (object);
}

static void
beckon_server_row_class_init (BeckonServerRowClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = beckon_server_row_dispose;
  BECKON_SWITCHED_ROW_CLASS (klass)->switched = beckon_server_row_switched;
}

static void
beckon_server_row_init (BeckonServerRow *self)
{
}

/**
 * BeckonServerRow:
 *
 * A server with its state, the number of its tools and a switch. It follows the service.
 */
static GtkWidget *
server_row_new (BeckonRuntime *runtime, BeckonMcpService *service)
{
  BeckonServerRow *self = g_object_new (BECKON_TYPE_SERVER_ROW, NULL);

  self->runtime = g_object_ref (runtime);
  self->service = g_object_ref (service);
  g_signal_connect_object (service, "changed", G_CALLBACK (server_row_update), self, G_CONNECT_SWAPPED);
  server_row_update (self);
  return GTK_WIDGET (self);
}

/* Borrowed. */
static BeckonMcpService *
server_row_get_service (BeckonServerRow *self)
{
  return self->service;
}

struct _BeckonServersPage
{
  AdwPreferencesPage parent_instance;

  BeckonRuntime *runtime; /* (owned) */

  GtkListBox *servers_list;
  GtkWidget *no_servers;
};

G_DEFINE_FINAL_TYPE (BeckonServersPage, beckon_servers_page, ADW_TYPE_PREFERENCES_PAGE)

/* A server that is gone leaves its name. */
static void
servers_page_on_removed (BeckonServersPage *self, const char *name)
{
  g_autofree char *shown = beckon_text_for_display (name, -1, BECKON_TEXT_EXACT);
  /* Translators: a server */
  g_autofree char *words = beckon_text_printf (_("%s removed"), shown);

  beckon_toast_show (GTK_WIDGET (self), beckon_toast_new (words));
}

/* @tries: start it at once */
static void
show_server (BeckonServersPage *self, BeckonMcpService *service, gboolean tries)
{
  GtkWidget *window = beckon_server_window_new (self->runtime, service);

  g_signal_connect_object (window, "removed", G_CALLBACK (servers_page_on_removed), self, G_CONNECT_SWAPPED);
  beckon_sheet_present (BECKON_SHEET (window), GTK_WIDGET (self));
  if (tries)
    beckon_server_window_test (BECKON_SERVER_WINDOW (window));
}

/* A person who adds a server wants to know whether it works, and what it brings. */
static void
on_added (BeckonServersPage *self, BeckonMcpService *service)
{
  show_server (self, service, TRUE);
}

static void
servers_page_on_add_clicked (BeckonServersPage *self)
{
  GtkWidget *editor = beckon_server_editor_new (self->runtime, NULL);

  g_signal_connect_object (editor, "saved", G_CALLBACK (on_added), self, G_CONNECT_SWAPPED);
  beckon_sheet_present (BECKON_SHEET (editor), GTK_WIDGET (self));
}

static void
on_import_activated (BeckonServersPage *self)
{
  beckon_sheet_present (BECKON_SHEET (beckon_server_import_new (self->runtime)), GTK_WIDGET (self));
}

static void
servers_page_on_row_activated (BeckonServersPage *self, GtkWidget *row)
{
  if (BECKON_IS_SERVER_ROW (row))
    show_server (self, server_row_get_service (BECKON_SERVER_ROW (row)), FALSE);
}

static void
on_failed (BeckonServersPage *self, const char *words)
{
  beckon_toast_show (GTK_WIDGET (self), beckon_toast_new (words));
}

/* A row whose service stays keeps its focus: the model says of every change of state that its item is another one. */
static void
servers_page_on_items_changed (BeckonServersPage *self, guint position, guint removed, guint added, GListModel *model)
{
  guint n = g_list_model_get_n_items (model);

  for (guint i = 0; i < added && removed == added; i++)
    {
      g_autoptr (BeckonMcpService) service = g_list_model_get_item (model, position + i);
      GtkListBoxRow *row = gtk_list_box_get_row_at_index (self->servers_list, (int) (position + i));

      if (row != NULL && server_row_get_service (BECKON_SERVER_ROW (row)) == service)
        return;
    }
  for (guint i = 0; i < removed; i++)
    {
      GtkListBoxRow *row = gtk_list_box_get_row_at_index (self->servers_list, (int) position);

      if (row != NULL)
        gtk_list_box_remove (self->servers_list, GTK_WIDGET (row));
    }
  for (guint i = 0; i < added; i++)
    {
      g_autoptr (BeckonMcpService) service = g_list_model_get_item (model, position + i);
      GtkWidget *row = server_row_new (self->runtime, service);

      g_signal_connect_object (row, "activated", G_CALLBACK (servers_page_on_row_activated), self, G_CONNECT_SWAPPED);
      g_signal_connect_object (row, "failed", G_CALLBACK (on_failed), self, G_CONNECT_SWAPPED);
      gtk_list_box_insert (self->servers_list, row, (int) (position + i));
    }
  gtk_widget_set_visible (GTK_WIDGET (self->servers_list), n > 0);
  gtk_widget_set_visible (self->no_servers, n == 0);
}

static void
beckon_servers_page_dispose (GObject *object)
{
  g_clear_object (&BECKON_SERVERS_PAGE (object)->runtime);
  G_OBJECT_CLASS (beckon_servers_page_parent_class)->dispose (object);
}

static void
beckon_servers_page_class_init (BeckonServersPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = beckon_servers_page_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/servers-page.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonServersPage, servers_list);
  gtk_widget_class_bind_template_child (widget_class, BeckonServersPage, no_servers);
  gtk_widget_class_bind_template_callback (widget_class, servers_page_on_add_clicked);
  gtk_widget_class_bind_template_callback (widget_class, on_import_activated);
}

static void
beckon_servers_page_init (BeckonServersPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

AdwPreferencesPage *
beckon_servers_page_new (BeckonRuntime *runtime)
{
  BeckonServersPage *self = g_object_new (BECKON_TYPE_SERVERS_PAGE, NULL);
  GListModel *servers;

  self->runtime = g_object_ref (runtime);
  servers = G_LIST_MODEL (beckon_runtime_get_servers (self->runtime));
  g_signal_connect_object (servers, "items-changed", G_CALLBACK (servers_page_on_items_changed), self, G_CONNECT_SWAPPED);
  servers_page_on_items_changed (self, 0, 0, g_list_model_get_n_items (servers), servers);
  return ADW_PREFERENCES_PAGE (self);
}
