/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-change-query.h"

#include "beckon-store-private.h"

/* What follows every beginning of an id. */
#define LAST "\xf4\x8f\xbf\xbf"

typedef struct
{
  char *first; /* (owned) */
  char *last;  /* (owned) */
  gint64 max;
} Query;

static const char list_sql[] =
  "SELECT f.call, m.conversation, v.title, f.folder, f.path, f.made_at, f.undone_at, f.withheld FROM file_copy f"
  "  JOIN call c ON c.id = f.call JOIN message m ON m.id = c.message JOIN conversation v ON v.id = m.conversation"
  " WHERE v.deleted_at IS NULL AND f.call >= ?1 AND f.call <= ?2 ORDER BY f.id DESC LIMIT ?3";

void
beckon_change_free (BeckonChange *change)
{
  if (change == NULL)
    return;

  g_free (change->call_id);
  g_free (change->conversation_id);
  g_free (change->title);
  g_free (change->folder);
  g_free (change->path);
  g_free (change);
}

static void
query_free (gpointer data)
{
  Query *query = data;

  g_free (query->first);
  g_free (query->last);
  g_free (query);
}

static BeckonChange *
read_change (sqlite3_stmt *row)
{
  BeckonChange *change = g_new0 (BeckonChange, 1);

  change->call_id = g_strdup (beckon_column_text (row, 0));
  change->conversation_id = g_strdup (beckon_column_text (row, 1));
  change->title = g_strdup (beckon_column_text (row, 2));
  change->folder = g_strdup (beckon_column_text (row, 3));
  change->path = g_strdup (beckon_column_text (row, 4));
  change->made_at = sqlite3_column_int64 (row, 5);
  change->undone_at = sqlite3_column_int64 (row, 6);
  change->is_withheld = (sqlite3_column_int (row, 7) & BECKON_STORE_BEFORE_WITHHELD) != 0;
  return change;
}

static gpointer
list (BeckonSession *session, gpointer data, GError **error)
{
  const Query *query = data;
  g_autoptr (GPtrArray) changes = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_change_free);
  sqlite3_stmt *statement
    = beckon_database_query (session->database, error, list_sql, "ssi", query->first, query->last, query->max);
  BeckonStep step = BECKON_STEP_ERROR;

  while (statement != NULL && (step = beckon_database_step (session->database, statement, error)) == BECKON_STEP_ROW)
    g_ptr_array_add (changes, read_change (statement));

  return step == BECKON_STEP_DONE ? g_steal_pointer (&changes) : NULL;
}

void
beckon_store_list_changes_async (BeckonStore *self, const char *call_id, guint max, GCancellable *cancellable,
                                 GAsyncReadyCallback callback, gpointer user_data)
{
  Query *query;
  BeckonStoreOp op = { .func = list, .free_data = query_free, .free_result = (GDestroyNotify) g_ptr_array_unref };

  g_return_if_fail (BECKON_IS_STORE (self));

  query = g_new0 (Query, 1);
  query->first = g_ascii_strup (call_id != NULL ? call_id : "", -1);
  query->last = g_strconcat (query->first, LAST, NULL);
  query->max = max > 0 ? (gint64) max : -1;
  op.data = query;
  beckon_store_submit (
    self, beckon_store_task_new (self, cancellable, callback, user_data, beckon_store_list_changes_async), &op);
}

GPtrArray *
beckon_store_list_changes_finish (BeckonStore *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, beckon_store_list_changes_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
