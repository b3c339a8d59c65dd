/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A conversation goes in three steps. Hidden, it is in no list and no search, and nothing goes on in it; it can be put back.
 * Doomed (hidden since the beginning of time), it cannot. Then it is erased, see beckon-erase.c, when the store is idle.
 */

#include "beckon-batch-private.h"

#include "beckon-end-conversation.h"
#include "beckon-erase.h"

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
