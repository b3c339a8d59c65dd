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
static const char list_sql[] = "SELECT id, text, created_at, updated_at, from_run FROM note ORDER BY updated_at DESC,"
                               " id DESC";

static void
notes_on_committed (GObject *source, GAsyncResult *result, gpointer user_data)
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
notes_commit_async (BeckonMemory *memory, BeckonBatch *batch, GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task = g_task_new (memory, NULL, callback, user_data);

  g_task_set_source_tag (task, notes_commit_async);
  beckon_store_commit_async (BECKON_STORE (memory), batch, NULL, notes_on_committed, task);
}

static void
put_async (BeckonMemory *memory, const BeckonMemo *note, GAsyncReadyCallback callback, gpointer user_data)
{
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  g_autofree char *refusal
    = g_strdup_printf (_("The limit of %d notes is reached. Remove some first."), BECKON_MEMORY_MAX_NOTES);

  beckon_batch_run (batch, put_sql, note->id, note->updated_at, note->text, BECKON_MEMORY_MAX_NOTES, note->is_from_run);
  beckon_batch_expect (batch, BECKON_ERROR_TOO_LARGE, refusal);
  notes_commit_async (memory, batch, callback, user_data);
}

static void
remove_async (BeckonMemory *memory, const char *id, GAsyncReadyCallback callback, gpointer user_data)
{
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);

  beckon_batch_run (batch, "DELETE FROM note WHERE id = ?1", id);
  notes_commit_async (memory, batch, callback, user_data);
}

static BECKON_FINISH_BOOLEAN (notes_commit, BeckonMemory)

static gpointer
read_note (BeckonSession *session, sqlite3_stmt *row)
{
  BeckonMemo *note
    = beckon_memo_new (beckon_column_text (row, 0), beckon_column_text (row, 1), sqlite3_column_int64 (row, 2));

  note->updated_at = sqlite3_column_int64 (row, 3);
  note->is_from_run = sqlite3_column_int (row, 4) != 0;
  return note;
}

static void
list_async (BeckonMemory *memory, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  static const BeckonQuery query = { list_sql, read_note, (GDestroyNotify) beckon_memo_free };

  beckon_store_select_async (BECKON_STORE (memory), &query, list_async, cancellable, callback, user_data, BECKON_NONE);
}

static BECKON_FINISH_POINTER (GPtrArray *, list, BeckonMemory)

void
beckon_store_memory_init (BeckonMemoryInterface *iface)
{
  iface->put_async = put_async;
  iface->put_finish = notes_commit_finish;
  iface->remove_async = remove_async;
  iface->remove_finish = notes_commit_finish;
  iface->list_async = list_async;
  iface->list_finish = list_finish;
}
