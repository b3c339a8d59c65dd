/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-provenance-query.h"

#include "store/db/beckon-store-private.h"

typedef struct
{
  char *conversation_id;
  char *event;
  char *tool;
  gint64 since;
  gint64 before_seq;
  gint64 max;
} Query;

static const char list_sql[] =
  "SELECT p.seq, p.at, p.conversation, v.title, p.call, c.tool, p.event, p.data FROM provenance p"
  "  LEFT JOIN call c ON c.id = p.call LEFT JOIN conversation v ON v.id = p.conversation"
  " WHERE v.deleted_at IS NULL AND (?1 IS NULL OR p.conversation = ?1) AND (?2 IS NULL OR p.event = ?2)"
  "  AND (?3 IS NULL OR c.tool = ?3) AND p.at >= ?4 AND p.seq < ?5 ORDER BY p.seq DESC LIMIT ?6";

static void
query_free (gpointer data)
{
  Query *query = data;

  g_free (query->conversation_id);
  g_free (query->event);
  g_free (query->tool);
  g_free (query);
}

static BeckonProvenance *
read_line (sqlite3_stmt *row)
{
  BeckonProvenance *line = beckon_provenance_new ();

  line->seq = sqlite3_column_int64 (row, 0);
  line->at = sqlite3_column_int64 (row, 1);
  line->conversation_id = g_strdup (beckon_column_text (row, 2));
  line->title = g_strdup (beckon_column_text (row, 3));
  line->call_id = g_strdup (beckon_column_text (row, 4));
  line->tool = g_strdup (beckon_column_text (row, 5));
  line->event = g_strdup (beckon_column_text (row, 6));
  line->data = g_strdup (beckon_column_text (row, 7));

  return line;
}

static gpointer
list (BeckonSession *session, gpointer data, GError **error)
{
  const Query *query = data;
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_provenance_unref);
  sqlite3_stmt *statement
    = beckon_database_query (session->database, error, list_sql, "sssiii", query->conversation_id, query->event,
                             query->tool, query->since, query->before_seq, query->max);
  BeckonStep step = BECKON_STEP_ERROR;

  while (statement != NULL && (step = beckon_database_step (session->database, statement, error)) == BECKON_STEP_ROW)
    g_ptr_array_add (lines, read_line (statement));

  return step == BECKON_STEP_DONE ? g_steal_pointer (&lines) : NULL;
}

void
beckon_store_list_provenance_async (BeckonStore *self, const BeckonProvenanceFilter *filter, GCancellable *cancellable,
                                    GAsyncReadyCallback callback, gpointer user_data)
{
  Query *query;
  BeckonStoreOp op = { .func = list, .free_data = query_free, .free_result = (GDestroyNotify) g_ptr_array_unref };

  g_return_if_fail (BECKON_IS_STORE (self));
  g_return_if_fail (filter != NULL);

  query = g_new0 (Query, 1);
  query->conversation_id = g_strdup (filter->conversation_id);
  query->event = g_strdup (filter->event);
  query->tool = g_strdup (filter->tool);
  query->since = filter->since;
  query->before_seq = filter->before_seq > 0 ? filter->before_seq : G_MAXINT64;
  query->max = filter->max > 0 ? (gint64) filter->max : -1;
  op.data = query;
  op.in_memory = filter->conversation_id != NULL
                 && g_hash_table_contains (beckon_store_get_temporary (self), filter->conversation_id);
  beckon_store_submit (
    self, beckon_store_task_new (self, cancellable, callback, user_data, beckon_store_list_provenance_async), &op);
}

GPtrArray *
beckon_store_list_provenance_finish (BeckonStore *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, beckon_store_list_provenance_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
