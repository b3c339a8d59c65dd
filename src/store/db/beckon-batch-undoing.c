/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-batch-private.h"

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
