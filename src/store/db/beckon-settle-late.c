/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Questions that the model does not wait for. Their calls have their results; what a person answers is kept with the request,
 * which is due until the run's driver makes it a message at a round boundary. Both are one transaction, which holds only where
 * the request is still due, so that an answer becomes one message, whichever processes drive the run one after another.
 *
 * A run that fails, is cut off or reaches a limit leaves them open. An answer then queues the next run with its settlement, and
 * that run tells it. A stop by the person ends them, and so does another version of what asked. */

#include "beckon-settle-late.h"

#include "beckon-batch-private.h"
#include "beckon-settle-turn.h"

static const char cancel_sql[] =
  "INSERT INTO settlement (request, state, answer, arguments, front_end, actor, at)"
  " SELECT id, 'cancelled', NULL, NULL, 'agent', ?2, ?3 FROM request INDEXED BY request_due"
  " WHERE conversation = ?1 AND due AND state = 'pending'";
static const char cancelled_sql[] =
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
  return cancel (database, cancel_sql, cancelled_sql, conversation_id, at, error);
}

gboolean
beckon_settle_late_leave (BeckonDatabase *database, const char *conversation_id, gint64 at, GError **error)
{
  return cancel (database, cancel_left_sql, cancelled_left_sql, conversation_id, at, error);
}

gboolean
beckon_settle_late_is_shown (BeckonDatabase *database, const char *message_id)
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
gboolean
beckon_settle_late_exec (BeckonDatabase *database, const char *conversation_id, BeckonRequestState state, gint64 at,
                         GError **error)
{
  switch (state)
    {
    case BECKON_REQUEST_ANSWERED:
    case BECKON_REQUEST_SKIPPED:
    case BECKON_REQUEST_DELEGATED:
    case BECKON_REQUEST_ASKED_BACK:
      return beckon_settle_turn_queue (database, conversation_id, at, error);
    case BECKON_REQUEST_PENDING:
    case BECKON_REQUEST_DECLINED:
    case BECKON_REQUEST_CANCELLED:
    case BECKON_REQUEST_TIMED_OUT:
    case BECKON_REQUEST_UNAVAILABLE:
    default:
      return TRUE;
    }
}

static char *
settle_late_describe (const char *request_id)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "request");
  json_builder_add_string_value (builder, request_id);
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);

  return json_to_string (root, FALSE);
}

void
beckon_batch_deliver_answer (BeckonBatch *batch, const char *conversation_id, const BeckonLateAnswer *answer, gint64 at)
{
  g_autofree char *data = settle_late_describe (answer->request_id);

  beckon_batch_run (batch, "UPDATE request SET due = 0 WHERE id = ?1 AND due AND state <> 'pending'", answer->request_id);
  beckon_batch_expect_there (batch);
  beckon_batch_add_provenance (batch, conversation_id, answer->call_id, "delivered", data, at);
}
