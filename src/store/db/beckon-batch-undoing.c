/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-batch-private.h"
#include "beckon-batch.h"

/* A call that is gone leaves nothing that could be undone. */
static const char begin_sql[] =
  "INSERT INTO undoing (call, is_redo, front_end, lease, now)"
  " SELECT id, ?2, ?3, ?4, CASE WHEN ?5 THEN ?6 END FROM call WHERE id = ?1"
  " ON CONFLICT (call) DO UPDATE SET is_redo = excluded.is_redo, front_end = excluded.front_end, lease = excluded.lease,"
  "  now = excluded.now";
static const char end_sql[] = "DELETE FROM undoing WHERE call = ?1";

typedef struct
{
  BeckonBatchOp base;
  char *call_id;
  gboolean is_redo;
  char *front_end; /* (nullable): of one that ends */
  GBytes *now;     /* (owned) (nullable) */
} Undoing;

static gboolean
exec_begin (const BeckonBatchOp *base, BeckonSession *session, GError **error)
{
  const Undoing *op = (const Undoing *) base;
  gsize length = 0;
  const void *bytes = op->now != NULL ? g_bytes_get_data (op->now, &length) : NULL;

  return beckon_database_run (session->database, error, begin_sql, "sissib", op->call_id, (gint64) op->is_redo, op->front_end,
                              beckon_lease_get_token (session->lease), (gint64) (op->now != NULL), bytes, length);
}

static gboolean
exec_end (const BeckonBatchOp *base, BeckonSession *session, GError **error)
{
  return beckon_database_run (session->database, error, end_sql, "s", ((const Undoing *) base)->call_id);
}

static void
free_undoing (BeckonBatchOp *base)
{
  Undoing *op = (Undoing *) base;

  g_free (op->call_id);
  g_free (op->front_end);
  g_clear_pointer (&op->now, g_bytes_unref);
  g_free (op);
}

static Undoing *
undoing_new (BeckonBatch *batch, const char *call_id)
{
  Undoing *op = g_new0 (Undoing, 1);

  op->call_id = g_strdup (call_id);
  beckon_batch_add_id (batch, call_id);
  return op;
}

void
beckon_batch_begin_undoing (BeckonBatch *batch, const char *call_id, gboolean is_redo, const char *front_end, GBytes *now)
{
  Undoing *op;

  g_return_if_fail (batch != NULL && call_id != NULL && front_end != NULL);

  op = undoing_new (batch, call_id);
  op->is_redo = is_redo;
  op->front_end = g_strdup (front_end);
  op->now = now != NULL ? g_bytes_ref (now) : NULL;
  beckon_batch_add (batch, op, exec_begin, free_undoing);
}

void
beckon_batch_end_undoing (BeckonBatch *batch, const char *call_id)
{
  g_return_if_fail (batch != NULL && call_id != NULL);

  beckon_batch_add (batch, undoing_new (batch, call_id), exec_end, free_undoing);
}
