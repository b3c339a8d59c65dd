/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-server-row.h"

#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "ui/widgets/beckon-folder-name.h"

#include <glib/gi18n-lib.h>

/* An error in a row is a hint; the server's window has all of it. */
#define ERROR_CHARS 200

struct _BeckonServerRow
{
  AdwActionRow parent_instance;

  BeckonRuntime *runtime;    /* (owned) */
  BeckonMcpService *service; /* (owned) */
  GtkSwitch *on_switch;
  gboolean is_showing;
};

G_DEFINE_FINAL_TYPE (BeckonServerRow, beckon_server_row, ADW_TYPE_ACTION_ROW)

static guint failed_signal;

static char *
count_tools (BeckonMcpService *service)
{
  const BeckonMcpServer *server = beckon_mcp_service_get_server (service);
  guint n = beckon_mcp_service_get_infos (service)->len;

  if (n == 0 && server->listed_at == 0)
    return g_strdup (_("not tested yet"));
  return g_strdup_printf (ngettext ("%u tool", "%u tools", n), n);
}

char *
beckon_server_row_describe (BeckonMcpService *service)
{
  g_autofree char *state = beckon_mcp_service_dup_state_words (service);
  g_autofree char *tools = count_tools (service);
  const BeckonMcpServer *server = beckon_mcp_service_get_server (service);
  g_autofree char *folder = server->folder != NULL ? beckon_folder_name_shorten (server->folder) : NULL;
  const char *error = beckon_mcp_service_get_error (service);
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
  return g_string_free (g_steal_pointer (&words), FALSE);
}

/* The window's search shows titles as markup. */
static void
update (BeckonServerRow *self)
{
  const BeckonMcpServer *server = beckon_mcp_service_get_server (self->service);
  g_autofree char *name = beckon_text_for_display (server->name, -1, BECKON_TEXT_EXACT);
  g_autofree char *title = g_markup_escape_text (name, -1);
  g_autofree char *words = beckon_server_row_describe (self->service);
  g_autofree char *subtitle = g_markup_escape_text (words, -1);
  /* Translators: a switch of a server, which is named */
  g_autofree char *spoken = beckon_text_printf (_("Use %s"), name);

  self->is_showing = TRUE;
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self), title);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (self), subtitle);
  gtk_switch_set_active (self->on_switch, server->is_on);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->on_switch), GTK_ACCESSIBLE_PROPERTY_LABEL, spoken, -1);
  self->is_showing = FALSE;
}

static void
on_saved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonServerRow) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonMcpService) service = beckon_mcp_servers_save_finish (BECKON_MCP_SERVERS (source), result, &error);

  if (service != NULL || self->service == NULL)
    return;
  update (self);
  g_signal_emit (self, failed_signal, 0, error->message);
}

static void
on_switched (BeckonServerRow *self)
{
  g_autoptr (BeckonMcpServer) changed = NULL;

  if (self->is_showing)
    return;
  changed = beckon_mcp_server_copy (beckon_mcp_service_get_server (self->service));
  changed->is_on = gtk_switch_get_active (self->on_switch);
  beckon_mcp_servers_save_async (beckon_runtime_get_servers (self->runtime), changed, NULL, on_saved, g_object_ref (self));
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
  failed_signal = g_signal_new ("failed", BECKON_TYPE_SERVER_ROW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                G_TYPE_STRING);
}

static void
beckon_server_row_init (BeckonServerRow *self)
{
  GtkWidget *next = g_object_new (GTK_TYPE_IMAGE, "icon-name", "go-next-symbolic", "accessible-role",
                                  GTK_ACCESSIBLE_ROLE_PRESENTATION, NULL);

  self->on_switch = GTK_SWITCH (gtk_switch_new ());
  gtk_widget_set_valign (GTK_WIDGET (self->on_switch), GTK_ALIGN_CENTER);
  adw_action_row_add_suffix (ADW_ACTION_ROW (self), GTK_WIDGET (self->on_switch));
  adw_action_row_add_suffix (ADW_ACTION_ROW (self), next);
  adw_action_row_set_title_lines (ADW_ACTION_ROW (self), 2);
  adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (self), 4);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (self), TRUE);
  g_signal_connect_swapped (self->on_switch, "notify::active", G_CALLBACK (on_switched), self);
}

GtkWidget *
beckon_server_row_new (BeckonRuntime *runtime, BeckonMcpService *service)
{
  BeckonServerRow *self = g_object_new (BECKON_TYPE_SERVER_ROW, NULL);

  self->runtime = g_object_ref (runtime);
  self->service = g_object_ref (service);
  g_signal_connect_object (service, "changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  update (self);
  return GTK_WIDGET (self);
}

BeckonMcpService *
beckon_server_row_get_service (BeckonServerRow *self)
{
  g_return_val_if_fail (BECKON_IS_SERVER_ROW (self), NULL);

  return self->service;
}
