/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-server-row.h"

#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "ui/widgets/beckon-files.h"

#include <glib/gi18n-lib.h>

/* An error in a row is a hint; the server's window has all of it. */
#define ERROR_CHARS 200

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

GtkWidget *
beckon_server_row_new (BeckonRuntime *runtime, BeckonMcpService *service)
{
  BeckonServerRow *self = g_object_new (BECKON_TYPE_SERVER_ROW, NULL);

  self->runtime = g_object_ref (runtime);
  self->service = g_object_ref (service);
  g_signal_connect_object (service, "changed", G_CALLBACK (server_row_update), self, G_CONNECT_SWAPPED);
  server_row_update (self);
  return GTK_WIDGET (self);
}

BeckonMcpService *
beckon_server_row_get_service (BeckonServerRow *self)
{
  return self->service;
}
