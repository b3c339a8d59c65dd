/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/db/beckon-store-private.h"

static const char list_sql[] =
  "SELECT id, tool, server, arguments, folder, conversation, verdict, created_at, expires_at, uses, used_at,"
  "  number"
  " FROM rule ORDER BY number";

/* Verdicts of a later version permit nothing. */
static BeckonRule *
read_rule (sqlite3_stmt *row)
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

static gpointer
list (BeckonSession *session, gpointer data, GError **error)
{
  g_autoptr (GPtrArray) rules = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_rule_unref);
  sqlite3_stmt *statement = beckon_database_query (session->database, error, list_sql, "");
  BeckonStep step = BECKON_STEP_ERROR;

  while (statement != NULL && (step = beckon_database_step (session->database, statement, error)) == BECKON_STEP_ROW)
    g_ptr_array_add (rules, read_rule (statement));

  return step == BECKON_STEP_DONE ? g_steal_pointer (&rules) : NULL;
}

void
beckon_store_list_rules_async (BeckonStore *self, GCancellable *cancellable, GAsyncReadyCallback callback,
                               gpointer user_data)
{
  const BeckonStoreOp op = { .func = list, .free_result = (GDestroyNotify) g_ptr_array_unref };

  g_return_if_fail (BECKON_IS_STORE (self));

  beckon_store_submit (self, beckon_store_task_new (self, cancellable, callback, user_data, beckon_store_list_rules_async),
                       &op);
}

GPtrArray *
beckon_store_list_rules_finish (BeckonStore *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, beckon_store_list_rules_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
