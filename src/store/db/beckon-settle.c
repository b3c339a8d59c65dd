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

#include "beckon-config.h"

#include "beckon-settle.h"

#include "base/beckon-error.h"
#include "beckon-answer-memory.h"
#include "beckon-batch-private.h"
#include "beckon-settle-late.h"
#include "beckon-settle-turn.h"

#include <glib/gi18n-lib.h>
#include <string.h>

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

/* Stores the plan as answered. */
static gboolean
write_plan (BeckonDatabase *database, const BeckonSettlement *settlement, const Ground *ground, GError **error)
{
  if (settlement->plan != NULL
      && !beckon_database_run (database, error, set_plan_sql, "ss", ground->call_id, settlement->plan))
    return FALSE;

  return settlement->outcome == BECKON_STEP_OUTCOME_NONE
         || beckon_database_run (database, error, set_outcome_sql, "ss", ground->call_id,
                                 beckon_step_outcome_to_string (settlement->outcome));
}

static gboolean
move_call (BeckonDatabase *database, const BeckonSettlement *settlement, const Ground *ground, BeckonCallState next,
           GError **error)
{
  if (!beckon_database_run (database, error, move_call_sql, "ssii", ground->call_id, beckon_call_state_to_string (next),
                            (gint64) beckon_call_state_is_final (next), settlement->at)
      || !write_plan (database, settlement, ground, error))
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

/* Names actor, place and what runs instead; never other typed text, which may be secret. */
static char *
settle_describe (const BeckonSettlement *settlement, const Ground *ground)
{
  g_autofree char *edited
      = settlement->arguments != NULL ? beckon_parameters_log_by (ground->redacted, settlement->arguments)
        : settlement->plan != NULL    ? beckon_parameters_log_by (ground->plan_redacted, settlement->plan)
                                      : NULL;
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;

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

  return json_to_string (root, FALSE);
}

static gboolean
log_settlement (BeckonDatabase *database, const BeckonSettlement *settlement, const Ground *ground, GError **error)
{
  g_autofree char *data = settle_describe (settlement, ground);

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
      && beckon_settle_turn_is_precondition (database, ground->conversation_id, ground->message_id))
    return write_settlement (database, settlement, error) && log_settlement (database, settlement, ground, error)
           && beckon_settle_turn_exec (database, ground->conversation_id, ground->message_id, settlement->at, error);
  if (ground->is_late && has_precondition)
    return write_settlement (database, settlement, error) && log_settlement (database, settlement, ground, error);
  if (ground->is_late && beckon_settle_late_is_shown (database, ground->message_id))
    return write_settlement (database, settlement, error) && log_settlement (database, settlement, ground, error)
           && beckon_settle_late_exec (database, ground->conversation_id, settlement->state, settlement->at, error);
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
