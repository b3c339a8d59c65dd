/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-batch-private.h"

#include "base/beckon-error.h"
#include "base/beckon-text-printf.h"

#include <glib/gi18n-lib.h>

static const char add_sql[] = "INSERT INTO server (id, name, prefix, config, is_on, created_at) SELECT ?1, ?2, ?3, ?4, ?5, ?6"
                              " WHERE NOT EXISTS (SELECT 1 FROM server WHERE name = ?2 OR prefix = ?3)";
static const char tools_sql[] =
  "INSERT INTO server_state (server, definitions, previous, instructions, prompts, resources)"
  " SELECT id, ?2, ?3, ?4, ?5, ?6 FROM server WHERE id = ?1"
  " ON CONFLICT (server) DO UPDATE SET definitions = ?2, previous = ?3, instructions = ?4, prompts = ?5,"
  " resources = ?6";

/* A server that another process removed does not come back because its settings are saved here. */
void
beckon_batch_put_server (BeckonBatch *batch, BeckonMcpServer *server, gboolean is_new)
{
  g_autofree char *prefix = beckon_mcp_server_dup_prefix (server);
  g_autofree char *config = beckon_mcp_server_print_config (server);
  g_autofree char *refusal = beckon_text_printf (
    is_new ? _("There is already a server “%s”, or one with a name like it. Choose another name.")
           : _("The server “%s” was removed meanwhile. Add it again."),
    server->name);

  if (is_new)
    beckon_batch_run (batch, add_sql, server->id, server->name, prefix, config, server->is_on, server->created_at);
  else
    beckon_batch_run (batch, "UPDATE server SET config = ?3, is_on = ?4 WHERE id = ?1 AND name = ?2", server->id,
                      server->name, config, server->is_on);
  beckon_batch_expect (batch, BECKON_ERROR_CONFLICT, refusal);
}

void
beckon_batch_delete_server (BeckonBatch *batch, BeckonMcpServer *server)
{
  beckon_batch_run (batch, "DELETE FROM server WHERE id = ?1", server->id);
  beckon_batch_run (batch, "DELETE FROM rule WHERE server = ?1", server->name);
  beckon_batch_run (batch, "DELETE FROM parameter WHERE server = ?1", server->name);
}

void
beckon_batch_put_server_tools (BeckonBatch *batch, const char *server_id, const BeckonMcpServerState *state,
                               gint64 listed_at)
{
  beckon_batch_run (batch, tools_sql, server_id, state->definitions, state->previous, state->instructions, state->prompts,
                    state->resources);
  beckon_batch_run (batch, "UPDATE server SET listed_at = ?2 WHERE id = ?1", server_id, listed_at);
}

void
beckon_batch_put_server_log (BeckonBatch *batch, const char *server_id, const char *error, const char *log)
{
  beckon_batch_run (batch,
                    "INSERT INTO server_state (server, error, log) SELECT id, ?2, ?3 FROM server WHERE id = ?1"
                    " ON CONFLICT (server) DO UPDATE SET error = ?2, log = ?3",
                    server_id, error, log);
}
