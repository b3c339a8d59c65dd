/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/db/beckon-store-private.h"

static const char list_sql[] = "SELECT id, name, config, is_on, created_at, listed_at FROM server ORDER BY name";
static const char state_sql[]
  = "SELECT definitions, previous, instructions, prompts, resources, error, log FROM server_state WHERE server = ?1";

/* A server whose settings can't be read is left out: nothing starts that nobody can see. */
static gpointer
query_servers_read_server (BeckonSession *session, sqlite3_stmt *row)
{
  g_autoptr (BeckonMcpServer) server = beckon_mcp_server_new (beckon_column_text (row, 1), BECKON_MCP_KIND_STDIO);

  server->id = g_strdup (beckon_column_text (row, 0));
  server->is_on = sqlite3_column_int (row, 3) != 0;
  server->created_at = sqlite3_column_int64 (row, 4);
  server->listed_at = sqlite3_column_int64 (row, 5);
  if (beckon_mcp_server_read_config (server, beckon_column_text (row, 2)) && beckon_mcp_server_check (server, NULL))
    return g_steal_pointer (&server);
  g_message ("the settings of the server %s can't be read", server->name);
  return NULL;
}

BECKON_STORE_LIST (beckon_store_list_servers, list_sql, query_servers_read_server, beckon_mcp_server_unref, BECKON_NONE)

static gpointer
load_state (BeckonSession *session, gpointer data, GError **error)
{
  g_autoptr (BeckonMcpServerState) state = g_new0 (BeckonMcpServerState, 1);
  sqlite3_stmt *row = beckon_database_query_values (session->database, error, state_sql, data);
  BeckonStep step = row != NULL ? beckon_database_step (session->database, row, error) : BECKON_STEP_ERROR;

  if (step == BECKON_STEP_ERROR)
    return NULL;
  if (step == BECKON_STEP_ROW)
    {
      state->definitions = g_strdup (beckon_column_text (row, 0));
      state->previous = g_strdup (beckon_column_text (row, 1));
      state->instructions = g_strdup (beckon_column_text (row, 2));
      state->prompts = g_strdup (beckon_column_text (row, 3));
      state->resources = g_strdup (beckon_column_text (row, 4));
      state->error = g_strdup (beckon_column_text (row, 5));
      state->log = g_strdup (beckon_column_text (row, 6));
      sqlite3_reset (row);
    }
  return g_steal_pointer (&state);
}

void
beckon_store_load_server_state_async (BeckonStore *self, const char *server_id, GCancellable *cancellable,
                                      GAsyncReadyCallback callback, gpointer user_data)
{
  const BeckonStoreOp op = { .func = load_state, .free_result = (GDestroyNotify) beckon_mcp_server_state_free };

  beckon_store_work_async (self, &op, beckon_store_load_server_state_async, cancellable, callback, user_data, server_id);
}

BECKON_FINISH_POINTER (BeckonMcpServerState *, beckon_store_load_server_state, BeckonStore)
