/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-batch-private.h"
#include "beckon-store-private.h"

/* How much of what files held is kept, and how long. Beyond it the oldest go: undoing is for what was just done. */
#define MAX_BYTES (G_GINT64_CONSTANT (128) * 1024 * 1024)
#define MAX_AGE (30 * G_TIME_SPAN_DAY)

static gint64
file_copy_get_size (const BeckonFileCopy *copy)
{
  return copy->before != NULL ? (gint64) g_bytes_get_size (copy->before) : 0;
}

void
beckon_batch_put_file_copy (BeckonBatch *batch, const BeckonFileCopy *copy)
{
  const int withheld = (copy->is_withheld ? BECKON_STORE_BEFORE_WITHHELD : 0)
                       | (copy->is_after_withheld ? BECKON_STORE_AFTER_WITHHELD : 0);

  beckon_batch_add_id (batch, copy->call_id);
  beckon_batch_run (batch,
                    "INSERT INTO file_copy"
                    " (call, folder, path, after_hash, made_at, undone_at, folders, withheld, size, before)"
                    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
                    copy->call_id, copy->folder, copy->path, copy->after_hash, copy->made_at, copy->undone_at, copy->n_folders,
                    withheld, file_copy_get_size (copy), copy->before);
  beckon_batch_run (batch, "DELETE FROM file_copy WHERE made_at < ?1", copy->made_at - MAX_AGE);
  beckon_batch_run (batch,
                    "DELETE FROM file_copy WHERE id IN (SELECT id FROM"
                    " (SELECT id, sum (size) OVER (ORDER BY id DESC) AS total FROM file_copy) WHERE total > ?1)",
                    MAX_BYTES);
}

/* Its conversation may have been deleted meanwhile. */
void
beckon_batch_update_file_copy (BeckonBatch *batch, const BeckonFileCopy *copy)
{
  beckon_batch_add_id (batch, copy->call_id);
  beckon_batch_run (batch,
                    "UPDATE file_copy SET after_hash = ?2, undone_at = ?3, folders = ?4, size = ?5, before = ?6"
                    " WHERE call = ?1",
                    copy->call_id, copy->after_hash, copy->undone_at, copy->n_folders, file_copy_get_size (copy), copy->before);
}

void
beckon_batch_drop_file_copy (BeckonBatch *batch, const char *call_id)
{
  beckon_batch_add_id (batch, call_id);
  beckon_batch_run (batch, "DELETE FROM file_copy WHERE call = ?1", call_id);
}
