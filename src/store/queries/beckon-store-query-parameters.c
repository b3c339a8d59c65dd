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

BECKON_STORE_LIST (beckon_store_list_parameters, list_sql, read_parameter, beckon_tool_parameter_unref, BECKON_NONE)
