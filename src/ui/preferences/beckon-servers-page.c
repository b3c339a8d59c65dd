/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-servers-page.h"

#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "beckon-server-editor.h"
#include "beckon-server-import.h"
#include "beckon-server-row.h"
#include "beckon-server-window.h"
#include "ui/widgets/beckon-alert.h"

#include <glib/gi18n-lib.h>

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
    show_server (self, beckon_server_row_get_service (BECKON_SERVER_ROW (row)), FALSE);
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

      if (row != NULL && beckon_server_row_get_service (BECKON_SERVER_ROW (row)) == service)
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
      GtkWidget *row = beckon_server_row_new (self->runtime, service);

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
