/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A turn that ended with a question. Its run is over, and its calls have their results; what the person answers is their next
 * message. The message and its run are written with the last settlement of the turn, so that an answer is neither lost nor
 * sent twice, whichever process resumes it. */

#include "beckon-settle-turn.h"

#include "base/beckon-id.h"
#include "beckon-batch-private.h"
#include "request/beckon-request.h"

#define LAST_RUN "(SELECT max (number) FROM run WHERE conversation = ?1)"

static const char ground_sql[] =
  "SELECT count (*) FROM run WHERE number = " LAST_RUN " AND phase = 'asked'"
  " AND ?2 = (SELECT id FROM message WHERE conversation = ?1 AND active ORDER BY seq DESC LIMIT 1)";
static const char pending_sql[] = "SELECT count (*) FROM request WHERE message = ?1 AND state = 'pending'";
static const char answers_sql[] =
  "SELECT r.body, s.answer, s.state FROM request r JOIN settlement s ON s.request = r.id WHERE r.message = ?1"
  " AND r.kind = 'question' ORDER BY r.asked_at, r.id";
static const char dismiss_sql[] = "UPDATE run SET phase = 'dismissed' WHERE number = " LAST_RUN " AND phase = 'asked'";
static const char add_message_sql[] =
  "INSERT INTO message (id, conversation, seq, role, status, created_at, input, output, cached, parent)"
  " SELECT ?2, ?1, coalesce (max (seq), -1) + 1, 'user', 'complete', ?3, 0, 0, 0, coalesce (id, '')"
  " FROM message WHERE conversation = ?1 AND active";
static const char add_part_sql[] =
  "INSERT INTO part (message, place, kind, origin, call, is_error, text) VALUES (?1, 0, 'text', NULL, NULL, 0,"
  " CAST (?2 AS BLOB))";
static const char add_run_sql[] =
  "INSERT INTO run (id, conversation, profile, phase, open, detail, round, round_limit, retry_at, lease)"
  " SELECT ?2, ?1, coalesce (c.profile, r.profile), 'queued', 1, NULL, 0, r.round_limit, 0, NULL"
  " FROM run r JOIN conversation c ON c.id = r.conversation WHERE r.number = " LAST_RUN;
static const char touch_sql[] = "UPDATE conversation SET updated_at = max (updated_at, ?2) WHERE id = ?1";
static const char cancel_sql[] =
  "INSERT INTO settlement (request, state, answer, arguments, front_end, actor, at)"
  " SELECT id, 'cancelled', NULL, NULL, 'agent', ?2, ?3 FROM request WHERE conversation = ?1 AND state = 'pending'"
  "  AND EXISTS (SELECT 1 FROM run WHERE number = " LAST_RUN " AND phase = 'asked')";
static const char cancelled_sql[] =
  "UPDATE request SET state = 'cancelled' WHERE conversation = ?1 AND state = 'pending'";

static gboolean
get_count (BeckonDatabase *database, sqlite3_stmt *statement, gint64 *count, GError **error)
{
  if (statement == NULL || beckon_database_step (database, statement, error) != BECKON_STEP_ROW)
    return FALSE;

  *count = sqlite3_column_int64 (statement, 0);
  sqlite3_reset (statement);
  return TRUE;
}

gboolean
beckon_settle_turn_is_precondition (BeckonDatabase *database, const char *conversation_id, const char *message_id)
{
  gint64 count = 0;

  return message_id != NULL
         && get_count (database, beckon_database_query (database, NULL, ground_sql, "ss", conversation_id, message_id),
                       &count, NULL)
         && count > 0;
}

static void
add_answer (GString *text, sqlite3_stmt *row, gboolean *is_answered)
{
  const char *body = beckon_column_text (row, 0);
  const char *json = beckon_column_text (row, 1);
  g_autoptr (BeckonQuestion) question = body != NULL ? beckon_question_from_json (body, NULL) : NULL;
  g_autoptr (BeckonAnswer) answer = json != NULL ? beckon_answer_from_json (json, NULL) : NULL;
  g_autofree char *message = question != NULL && answer != NULL ? beckon_answer_to_message (answer, question) : NULL;

  if (message == NULL)
    return;

  *is_answered = *is_answered || answer->kind != BECKON_ANSWER_DECLINED;
  if (text->len > 0)
    g_string_append_c (text, '\n');
  g_string_append (text, message);
}

/* NULL without an error if no answer has anything for the model to continue with. */
static char *
compose (BeckonDatabase *database, const char *message_id, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  sqlite3_stmt *statement = beckon_database_query (database, error, answers_sql, "s", message_id);
  BeckonStep step = BECKON_STEP_ERROR;
  gboolean is_answered = FALSE;

  while (statement != NULL && (step = beckon_database_step (database, statement, error)) == BECKON_STEP_ROW)
    add_answer (text, statement, &is_answered);

  return step == BECKON_STEP_DONE && is_answered ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}

gboolean
beckon_settle_turn_queue (BeckonDatabase *database, const char *conversation_id, gint64 at, GError **error)
{
  g_autofree char *run_id = beckon_id_new ();

  return beckon_database_run (database, error, add_run_sql, "ss", conversation_id, run_id)
         && beckon_database_run (database, error, touch_sql, "si", conversation_id, at);
}

static gboolean
begin_next (BeckonDatabase *database, const char *conversation_id, const char *text, gint64 at, GError **error)
{
  g_autofree char *message_id = beckon_id_new ();

  return beckon_database_run (database, error, add_message_sql, "ssi", conversation_id, message_id, at)
         && beckon_database_run (database, error, add_part_sql, "ss", message_id, text)
         && beckon_settle_turn_queue (database, conversation_id, at, error);
}

gboolean
beckon_settle_turn_exec (BeckonDatabase *database, const char *conversation_id, const char *message_id, gint64 at,
                         GError **error)
{
  g_autoptr (GError) local = NULL;
  g_autofree char *text = NULL;
  gint64 pending;

  if (!get_count (database, beckon_database_query (database, error, pending_sql, "s", message_id), &pending, error))
    return FALSE;
  if (pending > 0)
    return TRUE;

  text = compose (database, message_id, &local);
  if (local != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  if (text == NULL)
    return beckon_database_run (database, error, dismiss_sql, "s", conversation_id);

  return begin_next (database, conversation_id, text, at, error);
}

gboolean
beckon_settle_turn_cancel (BeckonDatabase *database, const char *conversation_id, gint64 at, GError **error)
{
  int cancelled
      = beckon_database_change (database, error, cancel_sql, "ssi", conversation_id, g_get_user_name (), at);

  if (cancelled <= 0)
    return cancelled == 0;

  return beckon_database_run (database, error, cancelled_sql, "s", conversation_id)
         && beckon_batch_write_provenance (database, conversation_id, NULL, "settled",
                                           "{\"state\":\"cancelled\",\"front_end\":\"agent\"}", at, error);
}
