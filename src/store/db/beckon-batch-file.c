/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-batch-private.h"
#include "beckon-batch.h"
#include "beckon-store-private.h"

/* How much of what files held is kept, and how long. Beyond it the oldest go: undoing is for what was just done. */
#define MAX_BYTES (G_GINT64_CONSTANT (128) * 1024 * 1024)
#define MAX_AGE (30 * G_TIME_SPAN_DAY)

static const char put_sql[] =
  "INSERT INTO file_copy (call, folder, path, after_hash, made_at, undone_at, folders, withheld, size, before)"
  " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, CASE WHEN ?10 THEN ?11 END)";
static const char update_sql[] =
  "UPDATE file_copy SET after_hash = ?2, undone_at = ?3, folders = ?4, size = ?5, before = CASE WHEN ?6 THEN ?7 END"
  " WHERE call = ?1";
static const char drop_old_sql[] = "DELETE FROM file_copy WHERE made_at < ?1";
static const char drop_more_sql[] =
  "DELETE FROM file_copy WHERE id IN (SELECT id FROM"
  " (SELECT id, sum (size) OVER (ORDER BY id DESC) AS total FROM file_copy) WHERE total > ?1)";
static const char drop_sql[] = "DELETE FROM file_copy WHERE call = ?1";

typedef struct
{
  BeckonBatchOp base;
  BeckonFileCopy *copy;
} PutCopy;

typedef struct
{
  BeckonBatchOp base;
  char *call_id;
} DropCopy;

static const void *
get_bytes (const BeckonFileCopy *copy, gsize *length)
{
  *length = 0;
  return copy->before != NULL ? g_bytes_get_data (copy->before, length) : NULL;
}

static gboolean
exec_put (const BeckonBatchOp *base, BeckonSession *session, GError **error)
{
  const BeckonFileCopy *copy = ((const PutCopy *) base)->copy;
  const gint64 withheld = (copy->is_withheld ? BECKON_STORE_BEFORE_WITHHELD : 0)
                          | (copy->is_after_withheld ? BECKON_STORE_AFTER_WITHHELD : 0);
  gsize length;
  const void *bytes = get_bytes (copy, &length);

  return beckon_database_run (session->database, error, put_sql, "ssssiiiiiib", copy->call_id, copy->folder, copy->path,
                              copy->after_hash, copy->made_at, copy->undone_at, (gint64) copy->n_folders, withheld,
                              (gint64) length, (gint64) (copy->before != NULL), bytes, length)
         && beckon_database_run (session->database, error, drop_old_sql, "i", copy->made_at - MAX_AGE)
         && beckon_database_run (session->database, error, drop_more_sql, "i", MAX_BYTES);
}

/* Its conversation may have been deleted meanwhile. */
static gboolean
exec_update (const BeckonBatchOp *base, BeckonSession *session, GError **error)
{
  const BeckonFileCopy *copy = ((const PutCopy *) base)->copy;
  gsize length;
  const void *bytes = get_bytes (copy, &length);

  return beckon_database_run (session->database, error, update_sql, "ssiiiib", copy->call_id, copy->after_hash, copy->undone_at,
                              (gint64) copy->n_folders, (gint64) length, (gint64) (copy->before != NULL), bytes, length);
}

static void
free_put (BeckonBatchOp *base)
{
  beckon_file_copy_free (((PutCopy *) base)->copy);
  g_free (base);
}

static void
add_copy (BeckonBatch *batch, const BeckonFileCopy *copy, gboolean (*exec) (const BeckonBatchOp *, BeckonSession *, GError **))
{
  PutCopy *op = g_new0 (PutCopy, 1);

  op->copy = beckon_file_copy_dup (copy);
  beckon_batch_add_id (batch, copy->call_id);
  beckon_batch_add (batch, op, exec, free_put);
}

void
beckon_batch_put_file_copy (BeckonBatch *batch, const BeckonFileCopy *copy)
{
  g_return_if_fail (batch != NULL && copy != NULL);

  add_copy (batch, copy, exec_put);
}

void
beckon_batch_update_file_copy (BeckonBatch *batch, const BeckonFileCopy *copy)
{
  g_return_if_fail (batch != NULL && copy != NULL);

  add_copy (batch, copy, exec_update);
}

static gboolean
exec_drop (const BeckonBatchOp *base, BeckonSession *session, GError **error)
{
  return beckon_database_run (session->database, error, drop_sql, "s", ((const DropCopy *) base)->call_id);
}

static void
free_drop (BeckonBatchOp *base)
{
  g_free (((DropCopy *) base)->call_id);
  g_free (base);
}

void
beckon_batch_drop_file_copy (BeckonBatch *batch, const char *call_id)
{
  DropCopy *op;

  g_return_if_fail (batch != NULL && call_id != NULL);

  op = g_new0 (DropCopy, 1);
  op->call_id = g_strdup (call_id);
  beckon_batch_add_id (batch, call_id);
  beckon_batch_add (batch, op, exec_drop, free_drop);
}
