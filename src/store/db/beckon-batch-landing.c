/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-batch-private.h"
#include "beckon-batch.h"

typedef struct
{
  BeckonBatchOp base;
  BeckonLanding *landing; /* without its changes, which other threads may read */
  char *changes;
} PutLanding;

typedef struct
{
  BeckonBatchOp base;
  char *id;
} DropLanding;

static const char put_sql[] =
  "INSERT INTO landing (name, call, folder, place, state, base, is_failure, exit_status, output_length, made_at, undone_at,"
  "  kept_bytes, is_gone, changes, output)"
  " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, CAST (?15 AS BLOB))"
  " ON CONFLICT (name) DO UPDATE SET state = excluded.state, base = excluded.base, is_failure = excluded.is_failure,"
  "  exit_status = excluded.exit_status, output_length = excluded.output_length, undone_at = excluded.undone_at,"
  "  kept_bytes = excluded.kept_bytes, is_gone = excluded.is_gone, changes = excluded.changes, output = excluded.output";
static const char finish_sql[] =
  "UPDATE landing SET state = ?2, kept_bytes = ?3, changes = ?4 WHERE name = ?1 AND state = 'decided'";
static const char drop_sql[] = "DELETE FROM landing WHERE name = ?1";

/* More than there is means all of it. */
static gint64
get_output_length (const BeckonLanding *landing)
{
  return landing->output_length > G_MAXINT64 ? -1 : (gint64) landing->output_length;
}

static gboolean
exec_put (const BeckonBatchOp *base, BeckonSession *session, GError **error)
{
  const PutLanding *op = (const PutLanding *) base;
  const BeckonLanding *landing = op->landing;

  return beckon_database_run (session->database, error, put_sql, "sssssiiiiiiiiss", landing->id, landing->call_id,
                              landing->folder, landing->place, beckon_landing_state_to_string (landing->state), landing->base,
                              (gint64) landing->is_failure, (gint64) landing->exit_status, get_output_length (landing),
                              landing->made_at, landing->undone_at, (gint64) landing->kept_bytes,
                              (gint64) landing->is_gone, op->changes, landing->output);
}

static gboolean
exec_finish (const BeckonBatchOp *base, BeckonSession *session, GError **error)
{
  const PutLanding *op = (const PutLanding *) base;

  return beckon_database_run (session->database, error, finish_sql, "ssis", op->landing->id,
                              beckon_landing_state_to_string (op->landing->state), (gint64) op->landing->kept_bytes,
                              op->changes);
}

static void
free_put (BeckonBatchOp *base)
{
  PutLanding *op = (PutLanding *) base;

  beckon_landing_free (op->landing);
  g_free (op->changes);
  g_free (op);
}

static void
add_landing (BeckonBatch *batch, const BeckonLanding *landing,
             gboolean (*exec) (const BeckonBatchOp *, BeckonSession *, GError **))
{
  g_autoptr (BeckonChangeSet) nothing = beckon_change_set_new ();
  PutLanding *op = g_new0 (PutLanding, 1);

  op->changes = beckon_change_set_to_json (landing->changes);
  op->landing = beckon_landing_new (landing->call_id, landing->folder, landing->place, landing->base, nothing);
  beckon_landing_set_id (op->landing, landing->id);
  op->landing->state = landing->state;
  op->landing->output = g_strdup (landing->output);
  op->landing->is_failure = landing->is_failure;
  op->landing->exit_status = landing->exit_status;
  op->landing->output_length = landing->output_length;
  op->landing->made_at = landing->made_at;
  op->landing->undone_at = landing->undone_at;
  op->landing->kept_bytes = landing->kept_bytes;
  op->landing->is_gone = landing->is_gone;
  beckon_batch_add_id (batch, landing->id);
  beckon_batch_add_id (batch, landing->call_id);
  beckon_batch_add (batch, op, exec, free_put);
}

void
beckon_batch_put_landing (BeckonBatch *batch, const BeckonLanding *landing)
{
  g_return_if_fail (batch != NULL && landing != NULL);

  add_landing (batch, landing, exec_put);
}

void
beckon_batch_finish_landing (BeckonBatch *batch, const BeckonLanding *landing)
{
  g_return_if_fail (batch != NULL && landing != NULL);

  add_landing (batch, landing, exec_finish);
}

static gboolean
exec_drop (const BeckonBatchOp *base, BeckonSession *session, GError **error)
{
  return beckon_database_run (session->database, error, drop_sql, "s", ((const DropLanding *) base)->id);
}

static void
free_drop (BeckonBatchOp *base)
{
  g_free (((DropLanding *) base)->id);
  g_free (base);
}

void
beckon_batch_drop_landing (BeckonBatch *batch, const char *id)
{
  DropLanding *op;

  g_return_if_fail (batch != NULL && id != NULL);

  op = g_new0 (DropLanding, 1);
  op->id = g_strdup (id);
  beckon_batch_add_id (batch, id);
  beckon_batch_add (batch, op, exec_drop, free_drop);
}
