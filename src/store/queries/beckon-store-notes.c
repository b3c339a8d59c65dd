/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "store/db/beckon-batch-private.h"
#include "store/db/beckon-store-private.h"

#include "base/beckon-error.h"

#include <glib/gi18n-lib.h>

static const char put_sql[] =
  "INSERT INTO note (id, created_at, updated_at, text, from_run) SELECT ?1, ?2, ?2, ?3, ?5"
  " WHERE (SELECT count (*) FROM note) < ?4 OR EXISTS (SELECT 1 FROM note WHERE id = ?1)"
  " ON CONFLICT (id) DO UPDATE SET text = ?3, updated_at = ?2, from_run = ?5";
static const char remove_sql[] = "DELETE FROM note WHERE id = ?1";
static const char list_sql[] = "SELECT id, text, created_at, updated_at, from_run FROM note ORDER BY updated_at DESC,"
                               " id DESC";

typedef struct
{
  BeckonBatchOp base;
  BeckonMemo *note;
} NoteOp;

static gboolean
exec_put (const BeckonBatchOp *base, BeckonSession *session, GError **error)
{
  const BeckonMemo *note = ((const NoteOp *) base)->note;
  int changed = beckon_database_change (session->database, error, put_sql, "sisii", note->id, note->updated_at, note->text,
                                        (gint64) BECKON_MEMORY_MAX_NOTES, (gint64) note->is_from_run);

  if (changed == 0)
    g_set_error (error, BECKON_ERROR, BECKON_ERROR_TOO_LARGE, _("There are %d notes already; take some away first."),
                 BECKON_MEMORY_MAX_NOTES);
  return changed > 0;
}

static gboolean
exec_remove (const BeckonBatchOp *base, BeckonSession *session, GError **error)
{
  return beckon_database_run (session->database, error, remove_sql, "s", ((const NoteOp *) base)->note->id);
}

static void
free_op (BeckonBatchOp *base)
{
  beckon_memo_free (((NoteOp *) base)->note);
  g_free (base);
}

static void
on_committed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;

  if (!beckon_store_commit_finish (BECKON_STORE (source), result, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  beckon_memory_changed (BECKON_MEMORY (source));
  g_task_return_boolean (task, TRUE);
}

static void
commit (BeckonMemory *memory, const BeckonMemo *note, gboolean (*exec) (const BeckonBatchOp *, BeckonSession *, GError **),
        GAsyncReadyCallback callback, gpointer user_data)
{
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  NoteOp *op = g_new0 (NoteOp, 1);
  GTask *task = g_task_new (memory, NULL, callback, user_data);

  g_task_set_source_tag (task, commit);
  op->note = beckon_memo_copy (note);
  beckon_batch_add (batch, op, exec, free_op);
  beckon_store_commit_async (BECKON_STORE (memory), batch, NULL, on_committed, task);
}

static void
put_async (BeckonMemory *memory, const BeckonMemo *note, GAsyncReadyCallback callback, gpointer user_data)
{
  commit (memory, note, exec_put, callback, user_data);
}

static void
remove_async (BeckonMemory *memory, const char *id, GAsyncReadyCallback callback, gpointer user_data)
{
  const BeckonMemo note = { .id = (char *) id, .text = (char *) "" };

  commit (memory, &note, exec_remove, callback, user_data);
}

static gboolean
commit_finish (BeckonMemory *memory, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, memory), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, commit), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

static gpointer
list (BeckonSession *session, gpointer data, GError **error)
{
  g_autoptr (GPtrArray) notes = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_memo_free);
  sqlite3_stmt *row = beckon_database_query (session->database, error, list_sql, "");
  BeckonStep step = BECKON_STEP_ERROR;

  while (row != NULL && (step = beckon_database_step (session->database, row, error)) == BECKON_STEP_ROW)
    {
      BeckonMemo *note
        = beckon_memo_new (beckon_column_text (row, 0), beckon_column_text (row, 1), sqlite3_column_int64 (row, 2));

      note->updated_at = sqlite3_column_int64 (row, 3);
      note->is_from_run = sqlite3_column_int (row, 4) != 0;
      g_ptr_array_add (notes, note);
    }

  return step == BECKON_STEP_DONE ? g_steal_pointer (&notes) : NULL;
}

static void
list_async (BeckonMemory *memory, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  const BeckonStoreOp op = { .func = list, .free_result = (GDestroyNotify) g_ptr_array_unref };

  beckon_store_submit (BECKON_STORE (memory),
                       beckon_store_task_new (BECKON_STORE (memory), cancellable, callback, user_data, list_async), &op);
}

static GPtrArray *
list_finish (BeckonMemory *memory, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, memory), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, list_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

void
beckon_store_memory_init (BeckonMemoryInterface *iface)
{
  iface->put_async = put_async;
  iface->put_finish = commit_finish;
  iface->remove_async = remove_async;
  iface->remove_finish = commit_finish;
  iface->list_async = list_async;
  iface->list_finish = list_finish;
}
