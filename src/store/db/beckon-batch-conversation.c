/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-batch-private.h"

/* Deleted conversations are not inserted again, however late this comes. A title that is there stays: the process that
 * continues a conversation may have an old one; so do its folder, mode and effort. */
static const char put_conversation_sql[] =
  "INSERT INTO conversation (id, created_at, updated_at, title, profile, named_by, pinned, archived, folder, mode,"
  "  effort, sequence)"
  " SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, (SELECT coalesce (max (sequence), 0) + 1 FROM conversation)"
  " WHERE NOT EXISTS (SELECT 1 FROM gone WHERE id = ?1)"
  " ON CONFLICT (id) DO UPDATE SET profile = ?5, updated_at = ?3,"
  "  sequence = CASE WHEN updated_at <> ?3 THEN excluded.sequence ELSE sequence END,"
  "  named_by = CASE WHEN title = '' THEN ?6 ELSE named_by END, title = CASE WHEN title = '' THEN ?4 ELSE title END"
  " WHERE deleted_at IS NULL";

void
beckon_batch_put_conversation (BeckonBatch *batch, BeckonConversation *conversation)
{
  const char *id = beckon_conversation_get_id (conversation);

  beckon_batch_add_id (batch, id);
  batch->is_temporary |= beckon_conversation_get_temporary (conversation);
  beckon_batch_run (batch, put_conversation_sql, id, beckon_conversation_get_created_at (conversation),
                    beckon_conversation_get_updated_at (conversation), beckon_conversation_get_title (conversation),
                    beckon_conversation_get_profile_id (conversation),
                    beckon_title_source_to_string (beckon_conversation_get_title_source (conversation)),
                    beckon_conversation_get_pinned (conversation), beckon_conversation_get_archived (conversation),
                    beckon_conversation_get_folder (conversation),
                    beckon_mode_to_string (beckon_conversation_get_mode (conversation)),
                    beckon_effort_to_string (beckon_conversation_get_effort (conversation)));
  beckon_batch_expect_there (batch);
}

/* A missing conversation is no error: the value goes with it. */
static void
conversation_set (BeckonBatch *batch, const char *sql, const char *id, BeckonValue value)
{
  beckon_batch_add_id (batch, id);
  beckon_batch_run (batch, sql, id, value);
}

void
beckon_batch_set_title (BeckonBatch *batch, const char *conversation_id, const char *title)
{
  conversation_set (batch, "UPDATE conversation SET title = ?2, named_by = 'person' WHERE id = ?1", conversation_id,
                    BECKON_VALUE (title));
}

void
beckon_batch_propose_title (BeckonBatch *batch, const char *conversation_id, const char *title)
{
  conversation_set (batch, "UPDATE conversation SET title = ?2, named_by = 'model' WHERE id = ?1 AND named_by = 'message'",
                    conversation_id, BECKON_VALUE (title));
}

void
beckon_batch_follow_title (BeckonBatch *batch, const char *conversation_id, const char *title)
{
  conversation_set (batch, "UPDATE conversation SET title = ?2 WHERE id = ?1 AND named_by = 'message'", conversation_id,
                    BECKON_VALUE (title));
}

void
beckon_batch_set_profile (BeckonBatch *batch, const char *conversation_id, const char *profile_id)
{
  conversation_set (batch, "UPDATE conversation SET profile = ?2 WHERE id = ?1", conversation_id, BECKON_VALUE (profile_id));
}

void
beckon_batch_set_pinned (BeckonBatch *batch, const char *conversation_id, gboolean pinned)
{
  conversation_set (batch, "UPDATE conversation SET pinned = ?2 WHERE id = ?1", conversation_id, BECKON_VALUE (!!pinned));
}

void
beckon_batch_set_archived (BeckonBatch *batch, const char *conversation_id, gboolean archived)
{
  conversation_set (batch, "UPDATE conversation SET archived = ?2 WHERE id = ?1", conversation_id, BECKON_VALUE (!!archived));
}

void
beckon_batch_set_unread (BeckonBatch *batch, const char *conversation_id, gboolean unread)
{
  conversation_set (batch, "UPDATE conversation SET unread = ?2 WHERE id = ?1", conversation_id, BECKON_VALUE (!!unread));
}

void
beckon_batch_set_seen_at (BeckonBatch *batch, const char *conversation_id, gint64 seen_at)
{
  conversation_set (batch, "UPDATE conversation SET seen_at = max (seen_at, ?2) WHERE id = ?1", conversation_id,
                    BECKON_VALUE (seen_at));
}

void
beckon_batch_set_wants_title (BeckonBatch *batch, const char *conversation_id, gboolean wants_title)
{
  conversation_set (batch, "UPDATE conversation SET wants_title = ?2 WHERE id = ?1", conversation_id,
                    BECKON_VALUE (!!wants_title));
}

void
beckon_batch_set_folder (BeckonBatch *batch, const char *conversation_id, const char *folder)
{
  conversation_set (batch, "UPDATE conversation SET folder = ?2 WHERE id = ?1", conversation_id, BECKON_VALUE (folder));
}

void
beckon_batch_set_mode (BeckonBatch *batch, const char *conversation_id, BeckonMode mode)
{
  conversation_set (batch, "UPDATE conversation SET mode = ?2 WHERE id = ?1", conversation_id,
                    BECKON_VALUE (beckon_mode_to_string (mode)));
}

void
beckon_batch_set_effort (BeckonBatch *batch, const char *conversation_id, BeckonEffort effort)
{
  conversation_set (batch, "UPDATE conversation SET effort = ?2 WHERE id = ?1", conversation_id,
                    BECKON_VALUE (beckon_effort_to_string (effort)));
}

/* A composer is its window's own: other processes are not told. */
void
beckon_batch_set_draft (BeckonBatch *batch, const char *conversation_id, const char *draft)
{
  gboolean was_quiet = batch->is_quiet;

  conversation_set (batch, "UPDATE conversation SET draft = ?2 WHERE id = ?1", conversation_id,
                    BECKON_VALUE (draft != NULL ? draft : ""));
  batch->is_quiet = was_quiet;
}
