/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-batch-private.h"
#include "beckon-batch.h"

static const char put_sql[] =
  "INSERT INTO parameter (tool, server, name, access, pinned, allowed, changed_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)"
  " ON CONFLICT (tool, server, name) DO UPDATE SET access = ?4, pinned = ?5, allowed = ?6, changed_at = ?7";
static const char delete_sql[] = "DELETE FROM parameter WHERE tool = ?1 AND server = ?2 AND name = ?3";

typedef struct
{
  BeckonBatchOp base;
  BeckonToolParameter *parameter;
} PutParameter;

static gboolean
exec_put_parameter (const BeckonBatchOp *base, BeckonSession *session, GError **error)
{
  const BeckonToolParameter *parameter = ((const PutParameter *) base)->parameter;

  if (!beckon_tool_parameter_says_something (parameter))
    return beckon_database_run (session->database, error, delete_sql, "sss", parameter->tool, parameter->server,
                                parameter->name);

  return beckon_database_run (session->database, error, put_sql, "ssssssi", parameter->tool, parameter->server,
                              parameter->name, beckon_form_access_to_string (parameter->access), parameter->pinned,
                              parameter->allowed, parameter->changed_at);
}

static void
free_put_parameter (BeckonBatchOp *base)
{
  PutParameter *op = (PutParameter *) base;

  beckon_tool_parameter_unref (op->parameter);
  g_free (op);
}

void
beckon_batch_put_parameter (BeckonBatch *batch, BeckonToolParameter *parameter)
{
  PutParameter *op;

  g_return_if_fail (batch != NULL);
  g_return_if_fail (parameter != NULL);

  op = g_new0 (PutParameter, 1);
  op->parameter = beckon_tool_parameter_ref (parameter);
  beckon_batch_add (batch, op, exec_put_parameter, free_put_parameter);
}
