/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-batch-private.h"
#include "beckon-batch.h"

#include "base/beckon-error.h"
#include "base/beckon-text-printf.h"

#include <glib/gi18n-lib.h>

static const char add_sql[] = "INSERT INTO server (id, name, prefix, config, is_on, created_at) SELECT ?1, ?2, ?3, ?4, ?5, ?6"
                              " WHERE NOT EXISTS (SELECT 1 FROM server WHERE name = ?2 OR prefix = ?3)";
static const char change_sql[] = "UPDATE server SET config = ?3, is_on = ?4 WHERE id = ?1 AND name = ?2";
static const char find_sql[] = "SELECT 1 FROM server WHERE id = ?1 AND name = ?2";
static const char delete_sql[] = "DELETE FROM server WHERE id = ?1";
static const char delete_rules_sql[] = "DELETE FROM rule WHERE server = ?1";
static const char delete_parameters_sql[] = "DELETE FROM parameter WHERE server = ?1";
static const char tools_sql[] =
  "INSERT INTO server_state (server, definitions, previous, instructions, prompts, resources)"
  " SELECT id, ?2, ?3, ?4, ?5, ?6 FROM server WHERE id = ?1"
  " ON CONFLICT (server) DO UPDATE SET definitions = ?2, previous = ?3, instructions = ?4, prompts = ?5,"
  " resources = ?6";
static const char listed_sql[] = "UPDATE server SET listed_at = ?2 WHERE id = ?1";
static const char log_sql[] = "INSERT INTO server_state (server, error, log) SELECT id, ?2, ?3 FROM server WHERE id = ?1"
                              " ON CONFLICT (server) DO UPDATE SET error = ?2, log = ?3";

typedef struct
{
  BeckonBatchOp base;
  BeckonMcpServer *server;
  gboolean is_new;
} ServerOp;

typedef struct
{
  BeckonBatchOp base;
  char *id;
  char *first;
  char *second;
  char *third;
  char *fourth;
  char *fifth;
  gint64 listed_at;
} StateOp;

static gboolean
write_server (const ServerOp *op, BeckonSession *session, GError **error)
{
  const BeckonMcpServer *server = op->server;
  g_autofree char *prefix = beckon_mcp_server_dup_prefix (server);
  g_autofree char *config = beckon_mcp_server_print_config (server);

  if (op->is_new)
    return beckon_database_run (session->database, error, add_sql, "ssssii", server->id, server->name, prefix, config,
                                (gint64) server->is_on, server->created_at);
  return beckon_database_run (session->database, error, change_sql, "sssi", server->id, server->name, config,
                              (gint64) server->is_on);
}

static void
set_conflict (const ServerOp *op, GError **error)
{
  if (op->is_new)
    beckon_text_set_error (error, BECKON_ERROR, BECKON_ERROR_CONFLICT,
                           _("There is already a server “%s”, or one with a name like it. Choose another name."),
                           op->server->name);
  else
    beckon_text_set_error (error, BECKON_ERROR, BECKON_ERROR_CONFLICT,
                           _("The server “%s” was removed meanwhile. Add it again."), op->server->name);
}

/* A server that another process removed does not come back because its settings are saved here. */
static gboolean
exec_put_server (const BeckonBatchOp *base, BeckonSession *session, GError **error)
{
  const ServerOp *op = (const ServerOp *) base;
  const BeckonMcpServer *server = op->server;
  sqlite3_stmt *found;
  BeckonStep step;

  if (!write_server (op, session, error))
    return FALSE;
  found = beckon_database_query (session->database, error, find_sql, "ss", server->id, server->name);
  step = found != NULL ? beckon_database_step (session->database, found, error) : BECKON_STEP_ERROR;
  if (step == BECKON_STEP_DONE)
    set_conflict (op, error);
  else if (step == BECKON_STEP_ROW)
    sqlite3_reset (found);
  return step == BECKON_STEP_ROW;
}

static gboolean
exec_delete_server (const BeckonBatchOp *base, BeckonSession *session, GError **error)
{
  const BeckonMcpServer *server = ((const ServerOp *) base)->server;

  return beckon_database_run (session->database, error, delete_sql, "s", server->id)
         && beckon_database_run (session->database, error, delete_rules_sql, "s", server->name)
         && beckon_database_run (session->database, error, delete_parameters_sql, "s", server->name);
}

static void
free_server_op (BeckonBatchOp *base)
{
  ServerOp *op = (ServerOp *) base;

  beckon_mcp_server_unref (op->server);
  g_free (op);
}

void
beckon_batch_put_server (BeckonBatch *batch, BeckonMcpServer *server, gboolean is_new)
{
  ServerOp *op;

  g_return_if_fail (batch != NULL);
  g_return_if_fail (server != NULL && server->id != NULL);

  op = g_new0 (ServerOp, 1);
  op->server = beckon_mcp_server_ref (server);
  op->is_new = is_new;
  beckon_batch_add (batch, op, exec_put_server, free_server_op);
}

void
beckon_batch_delete_server (BeckonBatch *batch, BeckonMcpServer *server)
{
  ServerOp *op;

  g_return_if_fail (batch != NULL);
  g_return_if_fail (server != NULL && server->id != NULL);

  op = g_new0 (ServerOp, 1);
  op->server = beckon_mcp_server_ref (server);
  beckon_batch_add (batch, op, exec_delete_server, free_server_op);
}

static gboolean
exec_put_tools (const BeckonBatchOp *base, BeckonSession *session, GError **error)
{
  const StateOp *op = (const StateOp *) base;

  return beckon_database_run (session->database, error, tools_sql, "ssssss", op->id, op->first, op->second, op->third,
                              op->fourth, op->fifth)
         && beckon_database_run (session->database, error, listed_sql, "si", op->id, op->listed_at);
}

static gboolean
exec_put_log (const BeckonBatchOp *base, BeckonSession *session, GError **error)
{
  const StateOp *op = (const StateOp *) base;

  return beckon_database_run (session->database, error, log_sql, "sss", op->id, op->first, op->second);
}

static void
free_state_op (BeckonBatchOp *base)
{
  StateOp *op = (StateOp *) base;

  g_free (op->id);
  g_free (op->first);
  g_free (op->second);
  g_free (op->third);
  g_free (op->fourth);
  g_free (op->fifth);
  g_free (op);
}

void
beckon_batch_put_server_tools (BeckonBatch *batch, const char *server_id, const BeckonMcpServerState *state,
                               gint64 listed_at)
{
  StateOp *op;

  g_return_if_fail (batch != NULL);
  g_return_if_fail (server_id != NULL && state != NULL && state->definitions != NULL);

  op = g_new0 (StateOp, 1);
  op->id = g_strdup (server_id);
  op->first = g_strdup (state->definitions);
  op->second = g_strdup (state->previous);
  op->third = g_strdup (state->instructions);
  op->fourth = g_strdup (state->prompts);
  op->fifth = g_strdup (state->resources);
  op->listed_at = listed_at;
  beckon_batch_add (batch, op, exec_put_tools, free_state_op);
}

void
beckon_batch_put_server_log (BeckonBatch *batch, const char *server_id, const char *error, const char *log)
{
  StateOp *op;

  g_return_if_fail (batch != NULL);
  g_return_if_fail (server_id != NULL);

  op = g_new0 (StateOp, 1);
  op->id = g_strdup (server_id);
  op->first = g_strdup (error);
  op->second = g_strdup (log);
  beckon_batch_add (batch, op, exec_put_log, free_state_op);
}
