/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-batch-private.h"
#include "beckon-end-conversation.h"
#include "beckon-erase.h"
#include "beckon-settle.h"
#include "store/sqlite/beckon-branches.h"

/* Everything here gets the id of the conversation, and then that of a message, or a number, or nothing. */

static gboolean
branch_leave (BeckonSession *session, const BeckonValue *values, GError **error)
{
  return beckon_branches_check_idle (session->database, values[0].text, error)
         && beckon_branches_leave (session->database, values[0].text, values[1].text, error)
         && beckon_settle_late_leave (session->database, values[0].text, g_get_real_time (), error);
}

void
beckon_batch_leave_message (BeckonBatch *batch, const char *conversation_id, const char *message_id)
{
  beckon_batch_add_id (batch, conversation_id);
  beckon_batch_work (batch, branch_leave, conversation_id, message_id);
  batch->moves_requests = TRUE;
}

static gboolean
branch_check_shown (BeckonSession *session, const BeckonValue *values, GError **error)
{
  return beckon_branches_check_free (session->database, values[0].text, error)
         && beckon_branches_check_shown (session->database, values[0].text, values[1].object, error);
}

void
beckon_batch_expect_shown (BeckonBatch *batch, const char *conversation_id, GStrv message_ids)
{
  beckon_batch_add_id (batch, conversation_id);
  beckon_batch_work (batch, branch_check_shown, conversation_id, BECKON_OWNED (g_strdupv (message_ids), g_strfreev));
}

static gboolean
branch_show (BeckonSession *session, const BeckonValue *values, GError **error)
{
  return beckon_branches_is_shown (session->database, values[0].text, values[1].text)
         || (beckon_branches_check_free (session->database, values[0].text, error)
             && beckon_branches_show (session->database, values[0].text, values[1].text, error));
}

void
beckon_batch_show_message (BeckonBatch *batch, const char *conversation_id, const char *message_id)
{
  beckon_batch_add_id (batch, conversation_id);
  beckon_batch_work (batch, branch_show, conversation_id, message_id);
}

static gboolean
branch_show_found (BeckonSession *session, const char *conversation_id, const char *found, GError **error)
{
  return found != NULL && beckon_branches_check_free (session->database, conversation_id, error)
         && beckon_branches_show (session->database, conversation_id, found, error);
}

static gboolean
branch_show_version (BeckonSession *session, const BeckonValue *values, GError **error)
{
  g_autofree char *found = beckon_branches_find_version (session->database, values[0].text, values[1].text,
                                                         (guint) values[2].number, error);

  return branch_show_found (session, values[0].text, found, error);
}

void
beckon_batch_show_version (BeckonBatch *batch, const char *conversation_id, const char *message_id, guint version)
{
  beckon_batch_add_id (batch, conversation_id);
  beckon_batch_work (batch, branch_show_version, conversation_id, message_id, version);
}

static gboolean
branch_show_left (BeckonSession *session, const BeckonValue *values, GError **error)
{
  g_autofree char *found = beckon_branches_find_left (session->database, values[0].text, error);

  return branch_show_found (session, values[0].text, found, error);
}

void
beckon_batch_show_left (BeckonBatch *batch, const char *conversation_id)
{
  beckon_batch_add_id (batch, conversation_id);
  beckon_batch_work (batch, branch_show_left, conversation_id);
}

static gboolean
branch_check_free (BeckonSession *session, const BeckonValue *values, GError **error)
{
  return beckon_branches_check_free (session->database, values[0].text, error);
}

static gboolean
branch_settle (BeckonSession *session, const BeckonValue *values, GError **error)
{
  return beckon_branches_settle (session->database, values[0].text, error);
}

static gboolean
branch_hide (BeckonSession *session, const BeckonValue *values, GError **error)
{
  return beckon_branches_hide (session->database, values[0].text, values[1].text, values[2].number, error);
}

/* In their order, so that each that goes takes the next one's parent with it; and back in the opposite one. */
void
beckon_batch_hide_messages (BeckonBatch *batch, const char *conversation_id, GStrv message_ids, gint64 at)
{
  beckon_batch_add_id (batch, conversation_id);
  beckon_batch_work (batch, branch_check_free, conversation_id);
  for (guint i = 0; message_ids[i] != NULL; i++)
    beckon_batch_work (batch, branch_hide, conversation_id, message_ids[i], at);
  beckon_batch_work (batch, branch_settle, conversation_id);
}

static gboolean
branch_restore (BeckonSession *session, const BeckonValue *values, GError **error)
{
  return beckon_branches_restore (session->database, values[0].text, values[1].text, error);
}

void
beckon_batch_restore_messages (BeckonBatch *batch, const char *conversation_id, GStrv message_ids)
{
  beckon_batch_add_id (batch, conversation_id);
  beckon_batch_work (batch, branch_check_free, conversation_id);
  for (guint i = g_strv_length (message_ids); i > 0; i--)
    beckon_batch_work (batch, branch_restore, conversation_id, message_ids[i - 1]);
  beckon_batch_work (batch, branch_settle, conversation_id);
}

/* Messages in memory go at once. */
static gboolean
branch_doom (BeckonSession *session, const BeckonValue *values, GError **error)
{
  session->has_purge_pending = TRUE;

  return beckon_database_run (session->database, error,
                              session->database == session->memory
                                ? "DELETE FROM message WHERE id = ?1 AND deleted_at IS NOT NULL"
                                : "UPDATE message SET deleted_at = 0 WHERE id = ?1 AND deleted_at > 0",
                              "s", values[0].text);
}

void
beckon_batch_doom_messages (BeckonBatch *batch, const char *conversation_id, GStrv message_ids)
{
  beckon_batch_add_id (batch, conversation_id);
  for (guint i = 0; message_ids[i] != NULL; i++)
    beckon_batch_work (batch, branch_doom, message_ids[i]);
}

/* A conversation goes in three steps. Hidden, it is in no list and no search, and nothing goes on in it; it can be put back.
 * Doomed (hidden since the beginning of time), it cannot. Then it is erased, see beckon-erase.c, when the store is idle.
 */

#define NOT_RUN "The user deleted the conversation; this call was not run."
#define NOT_KNOWN \
  "The user deleted the conversation while this call was running. Whether it took effect is not known."

static gboolean
conversation_end_all (BeckonSession *session, const BeckonValue *values, GError **error)
{
  return beckon_end_conversation (session, values[0].text, "deletion", NOT_KNOWN, NOT_RUN, values[1].number, error);
}

static gboolean
delete_note_purge (BeckonSession *session, const BeckonValue *values, GError **error)
{
  session->has_purge_pending = TRUE;
  return TRUE;
}

/* A conversation without messages is no reason to make the copies anew. */
static gboolean
conversation_erase (BeckonSession *session, const BeckonValue *values, GError **error)
{
  sqlite3_stmt *row = beckon_database_query (session->database, error, "SELECT 1 FROM message WHERE conversation = ?1", "s",
                                             values[0].text);
  const BeckonStep step = row != NULL ? beckon_database_step (session->database, row, error) : BECKON_STEP_ERROR;

  if (step == BECKON_STEP_ERROR)
    return FALSE;
  if (step == BECKON_STEP_ROW)
    {
      sqlite3_reset (row);
      beckon_session_drop_copies (session);
    }
  session->has_erased = TRUE;

  return beckon_erase_conversation (session->database, values[0].text, session->places, error);
}

void
beckon_batch_hide_conversation (BeckonBatch *batch, const char *conversation_id, gint64 at)
{
  beckon_batch_add_id (batch, conversation_id);
  beckon_batch_run (batch, "UPDATE conversation SET deleted_at = max (?2, 1) WHERE id = ?1 AND deleted_at IS NULL",
                    conversation_id, at);
  beckon_batch_only_then (batch);
  beckon_batch_work (batch, conversation_end_all, conversation_id, at);
  batch->moves_requests = TRUE;
}

void
beckon_batch_restore_conversation (BeckonBatch *batch, const char *conversation_id)
{
  beckon_batch_add_id (batch, conversation_id);
  beckon_batch_run (batch, "UPDATE conversation SET deleted_at = NULL WHERE id = ?1 AND deleted_at > 0", conversation_id);
  beckon_batch_expect_there (batch);
  batch->moves_requests = TRUE;
}

void
beckon_batch_doom_hidden (BeckonBatch *batch, gint64 before)
{
  beckon_batch_work (batch, delete_note_purge, before);
  beckon_batch_run (batch, "UPDATE conversation SET deleted_at = 0 WHERE deleted_at > 0 AND deleted_at <= ?1", before);
  beckon_batch_run (batch, "UPDATE message SET deleted_at = 0 WHERE deleted_at > 0 AND deleted_at <= ?1", before);
  batch->moves_requests = TRUE;
}

void
beckon_batch_doom_conversation (BeckonBatch *batch, const char *conversation_id)
{
  beckon_batch_add_id (batch, conversation_id);
  beckon_batch_work (batch, delete_note_purge, conversation_id);
  beckon_batch_run (batch, "UPDATE conversation SET deleted_at = 0 WHERE id = ?1 AND deleted_at > 0", conversation_id);
  batch->moves_requests = TRUE;
}

void
beckon_batch_delete_conversation (BeckonBatch *batch, const char *conversation_id)
{
  beckon_batch_add_id (batch, conversation_id);
  beckon_batch_work (batch, conversation_erase, conversation_id);
  batch->moves_requests = TRUE;
}

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
