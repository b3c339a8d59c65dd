/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-end-conversation.h"

#include "beckon-settle.h"
#include "beckon-store-private.h"

#define RESTORED_NOT_RUN "The user opened an older copy of the history; this call was not run."
#define RESTORED_NOT_KNOWN \
  "This call was running when this copy of the history was made. Whether it took effect is not known; look before you " \
  "repeat it."

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

gboolean
beckon_end_conversation (BeckonSession *session, const char *id, const char *front_end, const char *not_known,
                         const char *not_run, gint64 at, GError **error)
{
  BeckonDatabase *database = session->database;
  g_autoptr (GPtrArray) requests = NULL;
  g_autoptr (BeckonAnswer) answer = NULL;
  sqlite3_stmt *statement;
  BeckonStep step;

  session->has_chunks = TRUE;

  requests = g_ptr_array_new_with_free_func (g_object_unref);
  answer = beckon_answer_new (BECKON_ANSWER_CANCELLED, NULL);
  /* Unreadable requests can't be answered either. */
  statement = beckon_database_query (session->database, error, pending_sql, "s", id);
  step = BECKON_STEP_ERROR;
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
        beckon_settlement_new (g_ptr_array_index (requests, i), answer, front_end, NULL, at);
      gboolean keep;

      /* Ended without an answer: that is how a run hears that it went with its conversation. */
      g_clear_pointer (&settlement->answer, g_free);
      if (!beckon_settle_exec (session, settlement, BECKON_SETTLE_LENIENT, &keep, error))
        return FALSE;
    }

  return beckon_database_run (database, error, end_results_sql, "sss", id, not_known, not_run)
         && beckon_database_run (database, error, end_calls_sql, "si", id, at)
         && beckon_database_run (database, error, end_messages_sql, "s", id)
         && beckon_database_run (database, error, end_run_sql, "s", id);
}

/* --- A copy of the history ---------------------------------------------------------------------------------------- */

static const char busy_sql[] =
  "SELECT id FROM conversation c WHERE EXISTS (SELECT 1 FROM run WHERE conversation = c.id AND open)"
  " OR EXISTS (SELECT 1 FROM request WHERE conversation = c.id AND state = 'pending')"
  " OR EXISTS (SELECT 1 FROM message WHERE conversation = c.id AND status = 'streaming')"
  " OR EXISTS (SELECT 1 FROM message m JOIN call ON call.message = m.id WHERE m.conversation = c.id"
  "  AND call.state NOT IN ('done', 'cancelled'))";

/* Messages may have been sent since the copy was made, answers delivered, changes landed, and channels read on; the copy does
 * not know. So none of that is done by itself again. A queued message becomes a draft, and a channel is off until its person
 * looks at it; it then begins with what is new at its server. */
static const char quiet_sql[] =
  "INSERT INTO settlement (request, state, answer, arguments, front_end, actor, at)"
  " SELECT id, 'cancelled', NULL, NULL, 'agent', '', unixepoch () * 1000000 FROM request WHERE state = 'pending';"
  "UPDATE request SET state = 'cancelled' WHERE state = 'pending';"
  "UPDATE request SET delivered = 1;"
  "UPDATE run SET phase = 'stopped' WHERE phase = 'asked';"
  "DELETE FROM permit WHERE used_at IS NULL;"
  "DELETE FROM undoing;"
  "DELETE FROM landing WHERE state = 'waiting';"
  "UPDATE landing SET state = 'landed', is_gone = 1, kept_bytes = 0 WHERE state = 'decided';"
  "UPDATE conversation SET wants_title = 0;"
  "UPDATE conversation SET draft = ltrim (draft || char (10, 10) || (SELECT group_concat (text, char (10, 10)) FROM"
  "  (SELECT text FROM queued_message WHERE conversation = conversation.id ORDER BY number)), char (10))"
  " WHERE id IN (SELECT conversation FROM queued_message);"
  "INSERT INTO draft_file (conversation, place, origin, media_type, text)"
  " SELECT q.conversation, (SELECT coalesce (max (place) + 1, 0) FROM draft_file WHERE conversation = q.conversation) - 1"
  "  + row_number () OVER (PARTITION BY q.conversation ORDER BY q.number, f.place), f.origin, f.media_type, f.text"
  " FROM queued_message q JOIN queued_file f ON f.message = q.id;"
  "DELETE FROM queued_message;"
  "UPDATE channel SET is_on = 0, lease = NULL, state = NULL, cursor = NULL, pair_code = NULL, pair_until = 0, parted = NULL;"
  "UPDATE channel_inbound SET body = NULL;"
  "DELETE FROM channel_message WHERE state IN ('queued', 'sending');"
  "UPDATE channel_message SET is_closed = 1;";

gboolean
beckon_end_restored (BeckonSession *session, GError **error)
{
  const BeckonQuery query = { busy_sql, beckon_query_read_text, g_free, FALSE };
  g_autoptr (GPtrArray) ids = NULL;
  gboolean ended;

  if (!beckon_database_begin (session->database, BECKON_DURABILITY_FULL, error))
    return FALSE;

  ids = beckon_query_list (session, &query, BECKON_VALUES (BECKON_NONE), error);
  ended = ids != NULL;
  for (guint i = 0; ended && i < ids->len; i++)
    ended = beckon_end_conversation (session, g_ptr_array_index (ids, i), "copy", RESTORED_NOT_KNOWN, RESTORED_NOT_RUN,
                                     g_get_real_time (), error);
  if (!ended || !beckon_database_script (session->database, quiet_sql, error))
    {
      beckon_database_rollback (session->database);
      return FALSE;
    }

  return beckon_database_commit (session->database, error);
}
