/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/db/beckon-store-private.h"

static const char list_sql[] =
  "SELECT tool, server, name, access, pinned, allowed, changed_at FROM parameter ORDER BY tool, server, name";

static gpointer
read_parameter (BeckonSession *session, sqlite3_stmt *row)
{
  BeckonToolParameter *parameter =
    beckon_tool_parameter_new (beckon_column_text (row, 0), beckon_column_text (row, 1), beckon_column_text (row, 2));

  beckon_form_access_from_string (beckon_column_text (row, 3), &parameter->access);
  parameter->pinned = g_strdup (beckon_column_text (row, 4));
  parameter->allowed = g_strdup (beckon_column_text (row, 5));
  parameter->changed_at = sqlite3_column_int64 (row, 6);

  return parameter;
}

void
beckon_store_list_parameters_async (BeckonStore *self, GCancellable *cancellable, GAsyncReadyCallback callback,
                                    gpointer user_data)
{
  static const BeckonQuery query = { list_sql, read_parameter, (GDestroyNotify) beckon_tool_parameter_unref };

  beckon_store_select_async (self, &query, beckon_store_list_parameters_async, cancellable, callback, user_data, BECKON_NONE);
}

GPtrArray *
beckon_store_list_parameters_finish (BeckonStore *self, GAsyncResult *result, GError **error)
{
  return beckon_store_propagate (self, result, beckon_store_list_parameters_async, error);
}
