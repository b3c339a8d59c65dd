/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Exactly once, in one transaction.
 *
 * The INSERT into `settlement` decides: its primary key is the request, so the first one is the only one, whichever thread,
 * process or front end it came from. The transaction holds the write lock from its beginning, so what is read before the
 * INSERT is still true at the COMMIT; reading first only serves to say who was first.
 *
 * An answer needs a ground: a call that can still take it, in a conversation with an open run; or, where the model did not
 * wait, a conversation that goes on with it. A request without one cannot
 * be there by the rules, because whatever ends the ground settles the request in the same commit. Should a fault leave one
 * behind all the same, an answer to it must neither vanish nor come alive later: it becomes cancelled, and the person hears
 * that it is over.
 */
#include "beckon-settle.h"

#include "base/beckon-error.h"
#include "base/beckon-id.h"
#include "beckon-answer-memory.h"
#include "beckon-batch-private.h"
#include "beckon-config.h"
#include "beckon-session.h"
#include "request/beckon-request.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* A turn that ended with a question. Its run is over, and its calls have their results; what the person answers is their next
 * message. The message and its run are written with the last settlement of the turn, so that an answer is neither lost nor
 * sent twice, whichever process resumes it. */

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

/* Returns %TRUE if the conversation's last turn ended with what this message asked, so that an answer begins the next one */
static gboolean
settle_turn_is_precondition (BeckonDatabase *database, const char *conversation_id, const char *message_id)
{
  gint64 count = 0;

  return message_id != NULL
         && get_count (database, beckon_database_query (database, NULL, ground_sql, "ss", conversation_id, message_id),
                       &count, NULL)
         && count > 0;
}

/* Queues a run as the conversation's last one was, which no process drives yet. @at: microseconds since the epoch */
static gboolean
settle_turn_queue (BeckonDatabase *database, const char *conversation_id, gint64 at, GError **error)
{
  g_autofree char *run_id = beckon_id_new ();

  return beckon_database_run (database, error, add_run_sql, "ss", conversation_id, run_id)
         && beckon_database_run (database, error, touch_sql, "si", conversation_id, at);
}

/* When nothing of the turn is pending any more: makes what was answered the person's next message and queues a run on it,
 * which no process drives yet. If nothing was answered the turn counts as dismissed. */
static gboolean
settle_turn_exec (BeckonDatabase *database, const char *conversation_id, const char *message_id, gint64 at,
                  GError **error)
{
  g_autoptr (GError) local = NULL;
  g_autofree char *text = NULL;
  gint64 pending;
  g_autoptr (GString) words = NULL;
  sqlite3_stmt *statement;
  BeckonStep step;
  gboolean is_answered;
  g_autofree char *next_id = NULL;

  if (!get_count (database, beckon_database_query (database, error, pending_sql, "s", message_id), &pending, error))
    return FALSE;
  if (pending > 0)
    return TRUE;

  words = g_string_new (NULL);
  statement = beckon_database_query (database, &local, answers_sql, "s", message_id);
  step = BECKON_STEP_ERROR;
  is_answered = FALSE;
  /* No text without an error: no answer has anything for the model to continue with. */
  while (statement != NULL && (step = beckon_database_step (database, statement, &local)) == BECKON_STEP_ROW)
    {
      const char *body = beckon_column_text (statement, 0);
      const char *json = beckon_column_text (statement, 1);
      g_autoptr (BeckonQuestion) question = body != NULL ? beckon_question_from_json (body, NULL) : NULL;
      g_autoptr (BeckonAnswer) answer = json != NULL ? beckon_answer_from_json (json, NULL) : NULL;
      g_autofree char *message = question != NULL && answer != NULL ? beckon_answer_to_message (answer, question) : NULL;

      if (message != NULL)
        {
          is_answered = is_answered || answer->kind != BECKON_ANSWER_DECLINED;
          if (words->len > 0)
            g_string_append_c (words, '\n');
          g_string_append (words, message);
        }
    }

  text = step == BECKON_STEP_DONE && is_answered ? g_string_free (g_steal_pointer (&words), FALSE) : NULL;
  if (local != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  if (text == NULL)
    return beckon_database_run (database, error, dismiss_sql, "s", conversation_id);

  next_id = beckon_id_new ();
  return beckon_database_run (database, error, add_message_sql, "ssi", conversation_id, next_id, at)
         && beckon_database_run (database, error, add_part_sql, "ss", next_id, text)
         && settle_turn_queue (database, conversation_id, at, error);
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

/* Questions that the model does not wait for. Their calls have their results; what a person answers is kept with the request,
 * which is due until the run's driver makes it a message at a round boundary. Both are one transaction, which holds only where
 * the request is still due, so that an answer becomes one message, whichever processes drive the run one after another.
 *
 * A run that fails, is cut off or reaches a limit leaves them open. An answer then queues the next run with its settlement, and
 * that run tells it. A stop by the person ends them, and so does another version of what asked. */

static const char late_cancel_sql[] =
  "INSERT INTO settlement (request, state, answer, arguments, front_end, actor, at)"
  " SELECT id, 'cancelled', NULL, NULL, 'agent', ?2, ?3 FROM request INDEXED BY request_due"
  " WHERE conversation = ?1 AND due AND state = 'pending'";
static const char late_cancelled_sql[] =
  "UPDATE request SET state = 'cancelled' WHERE conversation = ?1 AND due AND state = 'pending'";
static const char cancel_left_sql[] =
  "INSERT INTO settlement (request, state, answer, arguments, front_end, actor, at)"
  " SELECT r.id, 'cancelled', NULL, NULL, 'agent', ?2, ?3 FROM request r INDEXED BY request_due"
  " JOIN message m ON m.id = r.message AND NOT m.active WHERE r.conversation = ?1 AND r.due AND r.state = 'pending'";
static const char cancelled_left_sql[] =
  "UPDATE request SET state = 'cancelled' WHERE conversation = ?1 AND due AND state = 'pending'"
  " AND message IN (SELECT id FROM message WHERE conversation = ?1 AND NOT active)";
static const char shown_sql[] = "SELECT count (*) FROM message WHERE id = ?1 AND active";

static gboolean
cancel (BeckonDatabase *database, const char *settle_sql, const char *mark_sql, const char *conversation_id, gint64 at,
        GError **error)
{
  int cancelled
      = beckon_database_change (database, error, settle_sql, "ssi", conversation_id, g_get_user_name (), at);

  if (cancelled <= 0)
    return cancelled == 0;

  return beckon_database_run (database, error, mark_sql, "s", conversation_id)
         && beckon_batch_write_provenance (database, conversation_id, NULL, "settled",
                                           "{\"state\":\"cancelled\",\"front_end\":\"agent\"}", at, error);
}

gboolean
beckon_settle_late_end (BeckonDatabase *database, const char *conversation_id, gint64 at, GError **error)
{
  return cancel (database, late_cancel_sql, late_cancelled_sql, conversation_id, at, error);
}

gboolean
beckon_settle_late_leave (BeckonDatabase *database, const char *conversation_id, gint64 at, GError **error)
{
  return cancel (database, cancel_left_sql, cancelled_left_sql, conversation_id, at, error);
}

static gboolean
settle_late_is_shown (BeckonDatabase *database, const char *message_id)
{
  sqlite3_stmt *row = message_id != NULL ? beckon_database_query (database, NULL, shown_sql, "s", message_id) : NULL;
  gboolean is_shown;

  if (row == NULL || beckon_database_step (database, row, NULL) != BECKON_STEP_ROW)
    return FALSE;

  is_shown = sqlite3_column_int (row, 0) != 0;
  sqlite3_reset (row);

  return is_shown;
}

/* A question that was dismissed, or ended by itself, waits for the next turn that somebody begins. */
static gboolean
settle_late_exec (BeckonDatabase *database, const char *conversation_id, BeckonRequestState state, gint64 at,
                  GError **error)
{
  switch (state)
    {
    case BECKON_REQUEST_ANSWERED:
    case BECKON_REQUEST_SKIPPED:
    case BECKON_REQUEST_DELEGATED:
    case BECKON_REQUEST_ASKED_BACK:
      return settle_turn_queue (database, conversation_id, at, error);
    case BECKON_REQUEST_PENDING:
    case BECKON_REQUEST_DECLINED:
    case BECKON_REQUEST_CANCELLED:
    case BECKON_REQUEST_TIMED_OUT:
    case BECKON_REQUEST_UNAVAILABLE:
    default:
      return TRUE;
    }
}

void
beckon_batch_deliver_answer (BeckonBatch *batch, const char *conversation_id, const BeckonLateAnswer *answer, gint64 at)
{
  const char *request_id = answer->request_id;
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;
  g_autofree char *data = NULL;

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "request");
  json_builder_add_string_value (builder, request_id);
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);

  data = json_to_string (root, FALSE);
  beckon_batch_run (batch, "UPDATE request SET due = 0 WHERE id = ?1 AND due AND state <> 'pending'", answer->request_id);
  beckon_batch_expect_there (batch);
  beckon_batch_add_provenance (batch, conversation_id, answer->call_id, "delivered", data, at);
}

typedef struct
{
  char *conversation_id;
  char *message_id;      /* (nullable) */
  char *call_id;         /* (nullable) */
  char *redacted;       /* (nullable): which arguments are not to be seen */
  char *plan_redacted;  /* (nullable): of a step: the same of the plan */
  char *waiter;         /* (nullable): lease of the process that alone has a use for the answer */
  gboolean has_open_run;
  gboolean is_late;      /* its call is done; the answer becomes a message of the run */
  gboolean has_call;
  BeckonCallState call_state;
} Ground;

static const char read_sql[] =
  "SELECT r.conversation, r.call, c.state, EXISTS (SELECT 1 FROM run WHERE conversation = r.conversation AND open),"
  "  s.state, s.front_end, s.actor, s.at, r.message, c.concealed,"
  "  (SELECT planned.concealed FROM step JOIN call planned ON planned.id = step.plan WHERE step.call = r.call), r.due,"
  "  r.waiter"
  " FROM request r LEFT JOIN call c ON c.id = r.call LEFT JOIN settlement s ON s.request = r.id WHERE r.id = ?1";
static const char settle_sql[] =
  "INSERT INTO settlement (request, state, answer, arguments, front_end, actor, at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
static const char set_request_sql[] = "UPDATE request SET state = ?2 WHERE id = ?1 AND state = 'pending'";
static const char move_call_sql[] =
  "UPDATE call SET state = ?2, finished_at = CASE WHEN ?3 THEN ?4 ELSE finished_at END WHERE id = ?1";

/* A step's is the plan of the call that proposed it. */
static const char set_plan_sql[] =
  "INSERT INTO plan (call, document, revision) VALUES (coalesce ((SELECT plan FROM step WHERE call = ?1), ?1), ?2, 1)"
  " ON CONFLICT (call) DO UPDATE SET document = excluded.document, revision = revision + 1";
static const char set_outcome_sql[] = "UPDATE step SET outcome = ?2 WHERE call = ?1";

static void
ground_clear (Ground *ground)
{
  g_free (ground->conversation_id);
  g_free (ground->message_id);
  g_free (ground->call_id);
  g_free (ground->redacted);
  g_free (ground->plan_redacted);
  g_free (ground->waiter);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Ground, ground_clear)

static gboolean
read_precondition (sqlite3_stmt *row, Ground *ground, GError **error)
{
  if (beckon_column_text (row, 4) != NULL)
    {
      BeckonRequestState state = BECKON_REQUEST_CANCELLED;

      beckon_request_state_from_string (beckon_column_text (row, 4), &state);
      beckon_request_error_set_settled (error, beckon_request_state_is_end (state), beckon_column_text (row, 5),
                                        beckon_column_text (row, 6), sqlite3_column_int64 (row, 7));

      return FALSE;
    }

  ground->conversation_id = g_strdup (beckon_column_text (row, 0));
  ground->message_id = g_strdup (beckon_column_text (row, 8));
  ground->call_id = g_strdup (beckon_column_text (row, 1));
  ground->redacted = g_strdup (beckon_column_text (row, 9));
  ground->plan_redacted = g_strdup (beckon_column_text (row, 10));
  ground->has_call = beckon_call_state_from_string (beckon_column_text (row, 2), &ground->call_state);
  ground->has_open_run = sqlite3_column_int (row, 3) != 0;
  ground->is_late = sqlite3_column_int (row, 11) != 0;
  ground->waiter = g_strdup (beckon_column_text (row, 12));

  return TRUE;
}

static gboolean
find_precondition (BeckonDatabase *database, const char *request_id, Ground *ground, GError **error)
{
  sqlite3_stmt *statement = beckon_database_query (database, error, read_sql, "s", request_id);
  gboolean found;

  if (statement == NULL)
    return FALSE;

  switch (beckon_database_step (database, statement, error))
    {
    case BECKON_STEP_ROW:
      found = read_precondition (statement, ground, error);
      sqlite3_reset (statement);
      return found;

    case BECKON_STEP_DONE:
      g_set_error_literal (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_UNKNOWN,
                           _("This question no longer exists. Its conversation may have been deleted."));
      return FALSE;

    case BECKON_STEP_ERROR:
    default:
      return FALSE;
    }
}

gboolean
beckon_settle_is_over (BeckonDatabase *database, const char *request_id, GError **error)
{
  g_auto (Ground) ground = { 0 };
  g_autoptr (GError) local = NULL;

  g_assert (database != NULL && request_id != NULL);

  if (find_precondition (database, request_id, &ground, &local)
      || !g_error_matches (local, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_ALREADY_SETTLED))
    return FALSE;

  g_propagate_error (error, g_steal_pointer (&local));

  return TRUE;
}

static gboolean
write_settlement (BeckonDatabase *database, const BeckonSettlement *settlement, GError **error)
{
  const char *state = beckon_request_state_to_string (settlement->state);

  /* A message of a text channel that answers is handled with its answer: it never answers anything else. */
  return beckon_database_run (database, error, settle_sql, "ssssssi", settlement->request_id, state, settlement->answer,
                              settlement->arguments, settlement->front_end != NULL ? settlement->front_end : "",
                              settlement->actor != NULL ? settlement->actor : "", settlement->at)
         && beckon_database_run (database, error, set_request_sql, "ss", settlement->request_id, state)
         && beckon_answer_memory_write (database, settlement, error)
         && (settlement->inbound_id == NULL
             || beckon_batch_write_inbound_end (database, settlement->channel_id, settlement->inbound_id, error));
}

static gboolean
move_call (BeckonDatabase *database, const BeckonSettlement *settlement, const Ground *ground, BeckonCallState next,
           GError **error)
{
  if (!beckon_database_run (database, error, move_call_sql, "ssii", ground->call_id, beckon_call_state_to_string (next),
                            (gint64) beckon_call_state_is_final (next), settlement->at))
    return FALSE;

  /* Stores the plan as answered. */
  if (settlement->plan != NULL
      && !beckon_database_run (database, error, set_plan_sql, "ss", ground->call_id, settlement->plan))
    return FALSE;
  if (settlement->outcome != BECKON_STEP_OUTCOME_NONE
      && !beckon_database_run (database, error, set_outcome_sql, "ss", ground->call_id,
                               beckon_step_outcome_to_string (settlement->outcome)))
    return FALSE;

  return settlement->result == NULL
         || beckon_batch_write_result (database, ground->call_id, settlement->result, settlement->is_error, error);
}

/* The decision, and what the person wants to be remembered of it. */
static gboolean
write_decision (BeckonDatabase *database, const BeckonSettlement *settlement, const Ground *ground, GError **error)
{
  if (settlement->digest != NULL && ground->has_call
      && !beckon_batch_write_permit (database, settlement->request_id, ground->call_id, settlement->digest, settlement->at,
                                     error))
    return FALSE;
  for (guint i = 0; settlement->rules != NULL && i < settlement->rules->len; i++)
    if (!beckon_batch_write_rule (database, g_ptr_array_index (settlement->rules, i), error))
      return FALSE;

  return settlement->trust == NULL || beckon_batch_write_trust (database, settlement->trust, error);
}

static gboolean
log_settlement (BeckonDatabase *database, const BeckonSettlement *settlement, const Ground *ground, GError **error)
{
  g_autofree char *edited
      = settlement->arguments != NULL ? beckon_parameters_log_by (ground->redacted, settlement->arguments)
        : settlement->plan != NULL    ? beckon_parameters_log_by (ground->plan_redacted, settlement->plan)
                                      : NULL;
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;
  g_autofree char *data = NULL;

  /* Names actor, place and what runs instead; never other typed text, which may be secret. */
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "request");
  json_builder_add_string_value (builder, settlement->request_id);
  json_builder_set_member_name (builder, "state");
  json_builder_add_string_value (builder, beckon_request_state_to_string (settlement->state));
  json_builder_set_member_name (builder, "front_end");
  json_builder_add_string_value (builder, settlement->front_end);
  json_builder_set_member_name (builder, "actor");
  json_builder_add_string_value (builder, settlement->actor);
  json_builder_set_member_name (builder, "edited");
  if (edited != NULL)
    json_builder_add_string_value (builder, edited);
  else
    json_builder_add_null_value (builder);
  json_builder_set_member_name (builder, "remembered");
  json_builder_add_int_value (builder, settlement->rules != NULL ? settlement->rules->len : 0);
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);

  data = json_to_string (root, FALSE);
  return beckon_batch_write_provenance (database, ground->conversation_id, ground->call_id, "settled", data,
                                        settlement->at, error);
}

/* Records that it is over, with @end, and tells so. */
static gboolean
end_unanswered (BeckonDatabase *database, const BeckonSettlement *settlement, BeckonRequestState end, const Ground *ground,
                gboolean *keep, GError **error)
{
  const BeckonSettlement ended = {
    .request_id = settlement->request_id,
    .state = end,
    .front_end = (char *) "agent",
    .actor = settlement->actor,
    .at = settlement->at,
  };

  if (!write_settlement (database, &ended, error) || !log_settlement (database, &ended, ground, error))
    return FALSE;

  *keep = TRUE;
  if (end == BECKON_REQUEST_UNAVAILABLE)
    g_set_error_literal (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_ALREADY_SETTLED,
                         _("Your answer was not sent: the program that waited for it has ended. Resume the conversation to "
                           "see what became of the tool."));
  else
    beckon_request_error_set_settled (error, TRUE, ended.front_end, ended.actor, ended.at);

  return FALSE;
}

static gboolean
settle_pending (BeckonSession *session, const BeckonSettlement *settlement, BeckonSettleMode mode, const Ground *ground,
                gboolean *keep, GError **error)
{
  BeckonDatabase *database = session->database;
  gboolean has_precondition = mode != BECKON_SETTLE_ANSWER || ground->has_open_run;
  BeckonCallState next = ground->call_state;

  /* A tool that asked is gone with its process; nothing that is answered now reaches it. */
  if (mode == BECKON_SETTLE_ANSWER && !beckon_request_state_is_end (settlement->state) && ground->waiter != NULL
      && strcmp (ground->waiter, beckon_lease_get_token (session->lease)) != 0
      && !beckon_lease_is_held (session->lease, ground->waiter))
    return end_unanswered (database, settlement, BECKON_REQUEST_UNAVAILABLE, ground, keep, error);
  /* A question that ended its turn: its call is done, and the answer is the next message. */
  if (mode == BECKON_SETTLE_ANSWER && !ground->has_open_run && ground->has_call
      && ground->call_state == BECKON_CALL_DONE
      && settle_turn_is_precondition (database, ground->conversation_id, ground->message_id))
    return write_settlement (database, settlement, error) && log_settlement (database, settlement, ground, error)
           && settle_turn_exec (database, ground->conversation_id, ground->message_id, settlement->at, error);
  if (ground->is_late && has_precondition)
    return write_settlement (database, settlement, error) && log_settlement (database, settlement, ground, error);
  if (ground->is_late && settle_late_is_shown (database, ground->message_id))
    return write_settlement (database, settlement, error) && log_settlement (database, settlement, ground, error)
           && settle_late_exec (database, ground->conversation_id, settlement->state, settlement->at, error);
  if (ground->has_call && !beckon_call_state_next (ground->call_state, settlement->call_event, &next))
    has_precondition = FALSE;
  if (!has_precondition)
    {
      /* The run's own transactions may have ended the run, or moved the call, a line earlier; what they settle so is
       * over too. */
      if (mode == BECKON_SETTLE_ANSWER)
        return end_unanswered (database, settlement, BECKON_REQUEST_CANCELLED, ground, keep, error);

      if (settlement->state == BECKON_REQUEST_CANCELLED)
        return write_settlement (database, settlement, error) && log_settlement (database, settlement, ground, error);

      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_CONFLICT,
                           _("Another window or terminal of Beckon has already resumed this."));

      return FALSE;
    }

  return write_settlement (database, settlement, error)
         && (!ground->has_call || move_call (database, settlement, ground, next, error))
         && write_decision (database, settlement, ground, error)
         && log_settlement (database, settlement, ground, error);
}

gboolean
beckon_settle_exec (BeckonSession *session, const BeckonSettlement *settlement, BeckonSettleMode mode, gboolean *keep,
                    GError **error)
{
  g_auto (Ground) ground = { 0 };
  g_autoptr (GError) local = NULL;

  g_assert (session != NULL && settlement != NULL && keep != NULL);

  *keep = FALSE;
  if (find_precondition (session->database, settlement->request_id, &ground, &local))
    return settle_pending (session, settlement, mode, &ground, keep, error);

  if (mode == BECKON_SETTLE_LENIENT
      && g_error_matches (local, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_ALREADY_SETTLED))
    return TRUE;

  g_propagate_error (error, g_steal_pointer (&local));

  return FALSE;
}

void
beckon_settle_warm (BeckonDatabase *database)
{
  const char *const statements[] = { read_sql, settle_sql, set_request_sql, move_call_sql };

  for (guint i = 0; i < G_N_ELEMENTS (statements); i++)
    beckon_database_warm (database, statements[i]);
  beckon_batch_warm (database);
}

BeckonLateAnswer *
beckon_late_answer_new (const char *request_id, const char *call_id, char *text, gboolean is_dismissed)
{
  BeckonLateAnswer *answer = g_new0 (BeckonLateAnswer, 1);

  answer->request_id = g_strdup (request_id);
  answer->call_id = g_strdup (call_id);
  answer->text = text;
  answer->is_dismissed = is_dismissed;
  return answer;
}

static void
late_answer_free (gpointer data)
{
  BeckonLateAnswer *answer = data;

  g_free (answer->request_id);
  g_free (answer->call_id);
  g_free (answer->text);
  g_free (answer);
}

BeckonLateAnswers *
beckon_late_answers_new (void)
{
  BeckonLateAnswers *self = g_new0 (BeckonLateAnswers, 1);

  self->answers = g_ptr_array_new_with_free_func (late_answer_free);
  return self;
}

void
beckon_late_answers_free (BeckonLateAnswers *self)
{
  g_ptr_array_unref (self->answers);
  g_free (self);
}
