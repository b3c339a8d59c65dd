/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-batch-private.h"
#include "beckon-store-private.h"

/* A call that is gone leaves nothing that could be undone. */
static const char begin_sql[] =
  "INSERT INTO undoing (call, is_redo, front_end, lease, now) SELECT id, ?2, ?3, ?4, ?5 FROM call WHERE id = ?1"
  " ON CONFLICT (call) DO UPDATE SET is_redo = excluded.is_redo, front_end = excluded.front_end, lease = excluded.lease,"
  "  now = excluded.now";

void
beckon_batch_begin_undoing (BeckonBatch *batch, const char *call_id, gboolean is_redo, const char *front_end, GBytes *now)
{
  beckon_batch_add_id (batch, call_id);
  beckon_batch_run (batch, begin_sql, call_id, is_redo, front_end, BECKON_LEASE, now);
}

void
beckon_batch_end_undoing (BeckonBatch *batch, const char *call_id)
{
  beckon_batch_add_id (batch, call_id);
  beckon_batch_run (batch, "DELETE FROM undoing WHERE call = ?1", call_id);
}

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

static const char put_sql[] =
  "INSERT INTO landing (name, call, folder, place, state, base, is_failure, exit_status, output_length, made_at, undone_at,"
  "  kept_bytes, is_gone, changes, output)"
  " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, CAST (?15 AS BLOB))"
  " ON CONFLICT (name) DO UPDATE SET state = excluded.state, base = excluded.base, is_failure = excluded.is_failure,"
  "  exit_status = excluded.exit_status, output_length = excluded.output_length, undone_at = excluded.undone_at,"
  "  kept_bytes = excluded.kept_bytes, is_gone = excluded.is_gone, changes = excluded.changes, output = excluded.output";

void
beckon_batch_put_landing (BeckonBatch *batch, const BeckonLanding *landing)
{
  g_autofree char *changes = beckon_change_set_to_json (landing->changes);

  beckon_batch_add_id (batch, landing->id);
  beckon_batch_add_id (batch, landing->call_id);
  /* More than there is means all of it. */
  beckon_batch_run (batch, put_sql, landing->id, landing->call_id, landing->folder, landing->place,
                    beckon_landing_state_to_string (landing->state), landing->base, landing->is_failure,
                    landing->exit_status, landing->output_length > G_MAXINT64 ? -1 : (gint64)landing->output_length,
                    landing->made_at, landing->undone_at, (gint64)landing->kept_bytes, landing->is_gone, changes,
                    landing->output);
}

void
beckon_batch_finish_landing (BeckonBatch *batch, const BeckonLanding *landing)
{
  g_autofree char *changes = beckon_change_set_to_json (landing->changes);

  beckon_batch_add_id (batch, landing->id);
  beckon_batch_add_id (batch, landing->call_id);
  beckon_batch_run (batch,
                    "UPDATE landing SET state = ?2, kept_bytes = ?3, changes = ?4 WHERE name = ?1 AND state = 'decided'",
                    landing->id, beckon_landing_state_to_string (landing->state), (gint64) landing->kept_bytes, changes);
}

void
beckon_batch_drop_landing (BeckonBatch *batch, const char *id)
{
  beckon_batch_add_id (batch, id);
  beckon_batch_run (batch, "DELETE FROM landing WHERE name = ?1", id);
}
