/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-batch-private.h"

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
