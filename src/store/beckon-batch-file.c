/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-batch-private.h"
#include "beckon-batch.h"

/* How much of what files held is kept, and how long. Beyond it the oldest go: undoing is for what was just done. */
#define MAX_BYTES (G_GINT64_CONSTANT (128) * 1024 * 1024)
#define MAX_AGE (30 * G_TIME_SPAN_DAY)

static const char put_sql[] =
  "INSERT INTO file_copy (call, folder, path, after_hash, made_at, size, before) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
static const char put_none_sql[] =
  "INSERT INTO file_copy (call, folder, path, after_hash, made_at, size, withheld) VALUES (?1, ?2, ?3, ?4, ?5, 0, ?6)";
static const char drop_old_sql[] = "DELETE FROM file_copy WHERE made_at < ?1";
static const char drop_more_sql[] =
  "DELETE FROM file_copy WHERE id IN (SELECT id FROM"
  " (SELECT id, sum (size) OVER (ORDER BY id DESC) AS total FROM file_copy) WHERE total > ?1)";
static const char drop_sql[] = "DELETE FROM file_copy WHERE call = ?1";
static const char undone_sql[] =
  "UPDATE file_copy SET undone_at = ?2, before = NULL, size = 0 WHERE call = ?1 AND undone_at = 0";

typedef struct
{
  BeckonBatchOp base;
  BeckonFileCopy *copy;
} PutCopy;

typedef struct
{
  BeckonBatchOp base;
  char *call_id;
  gint64 at; /* when it was undone; 0 to forget it */
} TouchCopy;

static gboolean
exec_put (const BeckonBatchOp *base, BeckonSession *session, GError **error)
{
  const BeckonFileCopy *copy = ((const PutCopy *) base)->copy;
  gsize length = 0;
  const void *bytes = copy->before != NULL ? g_bytes_get_data (copy->before, &length) : NULL;
  gboolean is_put;

  /* No bytes at all are another thing than no file. */
  if (copy->before != NULL)
    is_put = beckon_database_run (session->database, error, put_sql, "ssssiib", copy->call_id, copy->folder, copy->path,
                                  copy->after_hash, copy->made_at, (gint64) length, bytes != NULL ? bytes : "", length);
  else
    is_put = beckon_database_run (session->database, error, put_none_sql, "ssssii", copy->call_id, copy->folder, copy->path,
                                  copy->after_hash, copy->made_at, (gint64) copy->is_withheld);

  return is_put && beckon_database_run (session->database, error, drop_old_sql, "i", copy->made_at - MAX_AGE)
         && beckon_database_run (session->database, error, drop_more_sql, "i", MAX_BYTES);
}

static void
free_put (BeckonBatchOp *base)
{
  beckon_file_copy_free (((PutCopy *) base)->copy);
  g_free (base);
}

void
beckon_batch_put_file_copy (BeckonBatch *batch, const BeckonFileCopy *copy)
{
  PutCopy *op;

  g_return_if_fail (batch != NULL && copy != NULL);

  op = g_new0 (PutCopy, 1);
  op->copy = beckon_file_copy_new (copy->call_id, copy->folder, copy->path, copy->before, copy->after_hash, copy->made_at);
  op->copy->is_withheld = copy->is_withheld;
  beckon_batch_add_id (batch, copy->call_id);
  beckon_batch_add (batch, op, exec_put, free_put);
}

static gboolean
exec_touch (const BeckonBatchOp *base, BeckonSession *session, GError **error)
{
  const TouchCopy *op = (const TouchCopy *) base;

  return op->at == 0 ? beckon_database_run (session->database, error, drop_sql, "s", op->call_id)
                     : beckon_database_run (session->database, error, undone_sql, "si", op->call_id, op->at);
}

static void
free_touch (BeckonBatchOp *base)
{
  g_free (((TouchCopy *) base)->call_id);
  g_free (base);
}

static void
touch (BeckonBatch *batch, const char *call_id, gint64 at)
{
  TouchCopy *op = g_new0 (TouchCopy, 1);

  op->call_id = g_strdup (call_id);
  op->at = at;
  beckon_batch_add_id (batch, call_id);
  beckon_batch_add (batch, op, exec_touch, free_touch);
}

void
beckon_batch_drop_file_copy (BeckonBatch *batch, const char *call_id)
{
  g_return_if_fail (batch != NULL && call_id != NULL);

  touch (batch, call_id, 0);
}

void
beckon_batch_set_undone (BeckonBatch *batch, const char *call_id, gint64 at)
{
  g_return_if_fail (batch != NULL && call_id != NULL);
  g_return_if_fail (at > 0);

  touch (batch, call_id, at);
}
