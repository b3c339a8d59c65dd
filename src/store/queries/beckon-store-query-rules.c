/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/db/beckon-store-private.h"

static const char parameters_list_sql[] =
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

BECKON_STORE_LIST (beckon_store_list_parameters, parameters_list_sql, read_parameter, beckon_tool_parameter_unref, BECKON_NONE)

static const char load_sql[] = "SELECT folder, hash, extras, is_trusted, at FROM folder_trust WHERE folder = ?1";

static gpointer
store_trust_load (BeckonSession *session, gpointer data, GError **error)
{
  sqlite3_stmt *row = beckon_database_query_values (session->database, error, load_sql, data);
  BeckonStep step = row != NULL ? beckon_database_step (session->database, row, error) : BECKON_STEP_ERROR;
  BeckonFolderTrust *trust = NULL;

  if (step == BECKON_STEP_ROW)
    {
      trust = beckon_folder_trust_new (beckon_column_text (row, 0), beckon_column_text (row, 1), beckon_column_text (row, 2),
                                       sqlite3_column_int (row, 3) != 0, sqlite3_column_int64 (row, 4));
      sqlite3_reset (row);
    }
  else if (step == BECKON_STEP_DONE)
    {
      trust = beckon_folder_trust_new (((const BeckonValue *) data)->text, "", "", FALSE, 0);
    }
  return trust;
}

void
beckon_store_load_trust_async (BeckonStore *store, const char *folder, GCancellable *cancellable, GAsyncReadyCallback callback,
                               gpointer user_data)
{
  const BeckonStoreOp op = { .func = store_trust_load, .free_result = (GDestroyNotify) beckon_folder_trust_free };
  g_autofree char *valid = g_utf8_make_valid (folder, -1);

  beckon_store_work_async (store, &op, beckon_store_load_trust_async, cancellable, callback, user_data, valid);
}

BECKON_FINISH_POINTER (BeckonFolderTrust *, beckon_store_load_trust, BeckonStore)

static const char list_sql[] =
  "SELECT id, tool, server, arguments, folder, conversation, verdict, created_at, expires_at, uses, used_at,"
  "  number"
  " FROM rule ORDER BY number";

/* Verdicts of a later version permit nothing. */
static gpointer
read_rule (BeckonSession *session, sqlite3_stmt *row)
{
  BeckonRule *rule = beckon_rule_new ();

  rule->id = g_strdup (beckon_column_text (row, 0));
  rule->tool = g_strdup (beckon_column_text (row, 1));
  rule->server = g_strdup (beckon_column_text (row, 2));
  rule->arguments = g_strdup (beckon_column_text (row, 3));
  rule->folder = g_strdup (beckon_column_text (row, 4));
  rule->conversation_id = g_strdup (beckon_column_text (row, 5));
  if (!beckon_verdict_from_string (beckon_column_text (row, 6), &rule->verdict))
    rule->verdict = BECKON_VERDICT_ASK;
  rule->created_at = sqlite3_column_int64 (row, 7);
  rule->expires_at = sqlite3_column_int64 (row, 8);
  rule->uses = sqlite3_column_int64 (row, 9);
  rule->used_at = sqlite3_column_int64 (row, 10);
  rule->number = sqlite3_column_int64 (row, 11);

  return rule;
}

BECKON_STORE_LIST (beckon_store_list_rules, list_sql, read_rule, beckon_rule_unref, BECKON_NONE)
