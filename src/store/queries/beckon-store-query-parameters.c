/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/db/beckon-store-private.h"

static const char list_sql[] =
  "SELECT tool, server, name, access, pinned, allowed, changed_at FROM parameter ORDER BY tool, server, name";

static BeckonToolParameter *
read_parameter (sqlite3_stmt *row)
{
  BeckonToolParameter *parameter =
    beckon_tool_parameter_new (beckon_column_text (row, 0), beckon_column_text (row, 1), beckon_column_text (row, 2));

  beckon_form_access_from_string (beckon_column_text (row, 3), &parameter->access);
  parameter->pinned = g_strdup (beckon_column_text (row, 4));
  parameter->allowed = g_strdup (beckon_column_text (row, 5));
  parameter->changed_at = sqlite3_column_int64 (row, 6);

  return parameter;
}

static gpointer
list (BeckonSession *session, gpointer data, GError **error)
{
  g_autoptr (GPtrArray) parameters = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_tool_parameter_unref);
  sqlite3_stmt *statement = beckon_database_query (session->database, error, list_sql, "");
  BeckonStep step = BECKON_STEP_ERROR;

  while (statement != NULL && (step = beckon_database_step (session->database, statement, error)) == BECKON_STEP_ROW)
    g_ptr_array_add (parameters, read_parameter (statement));

  return step == BECKON_STEP_DONE ? g_steal_pointer (&parameters) : NULL;
}

void
beckon_store_list_parameters_async (BeckonStore *self, GCancellable *cancellable, GAsyncReadyCallback callback,
                                    gpointer user_data)
{
  const BeckonStoreOp op = { .func = list, .free_result = (GDestroyNotify) g_ptr_array_unref };

  g_return_if_fail (BECKON_IS_STORE (self));

  beckon_store_submit (self,
                       beckon_store_task_new (self, cancellable, callback, user_data, beckon_store_list_parameters_async),
                       &op);
}

GPtrArray *
beckon_store_list_parameters_finish (BeckonStore *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, beckon_store_list_parameters_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
