/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A conversation goes in three steps. Hidden, it is in no list and no search, and nothing goes on in it; it can be put back.
 * Doomed (hidden since the beginning of time), it cannot. Then it is erased, see beckon-erase.c, when the store is idle.
 */

#include "beckon-batch-private.h"

#include "beckon-erase.h"
#include "beckon-settle.h"
#include "beckon-store-private.h"

#include <string.h>

#define NOT_RUN "The user deleted the conversation; this call was not run."
#define NOT_KNOWN \
  "The user deleted the conversation while this call was running. Whether it took effect is not known."

static const char pending_sql[] =
  "SELECT id, conversation, message, call, kind, body, state, draft, asked_at, NULL, NULL, NULL, NULL, asked_by"
  " FROM request INDEXED BY request_pending WHERE conversation = ?1 AND state = 'pending' ORDER BY asked_at, id";

#define OPEN_CALLS \
  " FROM call c JOIN message m ON m.id = c.message" \
  " WHERE m.conversation = ?1 AND c.state NOT IN ('done', 'cancelled')"

static const char end_results_sql[] =
  "INSERT INTO part (message, place, kind, call, is_error, text)"
  " SELECT c.message, NULL, 'result', c.id, 1, CAST (iif (c.state = 'started', ?2, ?3) AS BLOB)" OPEN_CALLS
  " AND NOT EXISTS (SELECT 1 FROM part WHERE call = c.id AND kind = 'result')";
static const char end_calls_sql[] =
  "UPDATE call SET state = 'cancelled', finished_at = ?2 WHERE id IN (SELECT c.id" OPEN_CALLS ")";
static const char end_messages_sql[] =
  "UPDATE message SET status = 'stopped' WHERE conversation = ?1 AND status = 'streaming'";
static const char end_run_sql[] =
  "UPDATE run SET phase = 'stopped', open = 0, detail = NULL, lease = NULL WHERE conversation = ?1 AND open";

static gboolean
conversation_cancel_pending (BeckonSession *session, const char *id, gint64 at, GError **error)
{
  g_autoptr (GPtrArray) requests = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (BeckonAnswer) answer = beckon_answer_new (BECKON_ANSWER_CANCELLED, NULL);
  /* Unreadable requests can't be answered either. */
  sqlite3_stmt *statement = beckon_database_query (session->database, error, pending_sql, "s", id);
  BeckonStep step = BECKON_STEP_ERROR;

  while (statement != NULL && (step = beckon_database_step (session->database, statement, error)) == BECKON_STEP_ROW)
    {
      BeckonRequest *request = beckon_store_read_request (statement, 0);

      if (request != NULL)
        g_ptr_array_add (requests, request);
    }
  if (step != BECKON_STEP_DONE)
    return FALSE;

  for (guint i = 0; i < requests->len; i++)
    {
      g_autoptr (BeckonSettlement) settlement =
        beckon_settlement_new (g_ptr_array_index (requests, i), answer, "deletion", NULL, at);
      gboolean keep;

      /* Ended without an answer: that is how a run hears that it went with its conversation. */
      g_clear_pointer (&settlement->answer, g_free);
      if (!beckon_settle_exec (session, settlement, BECKON_SETTLE_LENIENT, &keep, error))
        return FALSE;
    }

  return TRUE;
}

static gboolean
conversation_end_all (BeckonSession *session, const BeckonValue *values, GError **error)
{
  BeckonDatabase *database = session->database;
  const char *id = values[0].text;
  gint64 at = values[1].number;

  session->has_chunks = TRUE;

  return conversation_cancel_pending (session, id, at, error)
         && beckon_database_run (database, error, end_results_sql, "sss", id, NOT_KNOWN, NOT_RUN)
         && beckon_database_run (database, error, end_calls_sql, "si", id, at)
         && beckon_database_run (database, error, end_messages_sql, "s", id)
         && beckon_database_run (database, error, end_run_sql, "s", id);
}

static gboolean
delete_note_purge (BeckonSession *session, const BeckonValue *values, GError **error)
{
  session->has_purge_pending = TRUE;
  return TRUE;
}

static gboolean
conversation_erase (BeckonSession *session, const BeckonValue *values, GError **error)
{
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
