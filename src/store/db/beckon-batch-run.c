/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "base/beckon-error.h"
#include "base/beckon-json-writer.h"
#include "beckon-batch-private.h"
#include "beckon-settle.h"
#include "request/beckon-approval-request.h"
#include "request/beckon-question-request.h"

#include <glib/gi18n-lib.h>

static const char add_run_sql[] =
  "INSERT INTO run (id, conversation, profile, phase, open, detail, round, round_limit, retry_at, lease)"
  " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, CASE WHEN ?5 THEN ?10 END)";
static const char set_run_sql[] =
  "UPDATE run SET phase = ?2, open = ?3, detail = ?4, round = ?5, round_limit = ?6, retry_at = ?7,"
  "  lease = CASE WHEN ?3 THEN lease END"
  " WHERE id = ?1 AND open AND lease = ?8";
static const char add_request_sql[] =
  "INSERT INTO request (id, conversation, message, call, kind, body, state, draft, asked_at, asked_by, due,"
  "  waiter)"
  " VALUES (?1, ?2, ?3, ?4, ?5, ?6, 'pending', ?7, ?8, ?9, ?10, ?11)";
static const char hand_over_sql[] =
  "UPDATE request SET delivered = 1 WHERE id = ?1 AND state <> 'pending' AND NOT delivered"
  " AND EXISTS (SELECT 1 FROM run WHERE conversation = request.conversation AND open AND lease = ?2)";

/* The end of the last turn is no longer answered: this is the next turn. */
static gboolean
run_end_last_turn (BeckonSession *session, const BeckonValue *values, GError **error)
{
  return beckon_settle_turn_cancel (session->database, values[0].text, g_get_real_time (), error);
}

void
beckon_batch_add_run (BeckonBatch *batch, const BeckonRunRecord *record)
{
  beckon_batch_add_id (batch, record->conversation_id);
  beckon_batch_work (batch, run_end_last_turn, record->conversation_id);
  beckon_batch_run (batch, add_run_sql, record->id, record->conversation_id, record->profile_id,
                    beckon_run_phase_to_string (record->phase), !beckon_run_phase_is_end (record->phase), record->detail,
                    record->round, record->round_limit, record->retry_at, BECKON_LEASE);
  beckon_batch_expect (batch, BECKON_ERROR_CONFLICT,
                       _("This conversation is already being worked on, here or in another window or terminal."));
}

static gboolean
run_end_late (BeckonSession *session, const BeckonValue *values, GError **error)
{
  return beckon_settle_late_end (session->database, values[0].text, g_get_real_time (), error);
}

void
beckon_batch_set_run (BeckonBatch *batch, const BeckonRunRecord *record)
{
  beckon_batch_add_id (batch, record->conversation_id);
  beckon_batch_run (batch, set_run_sql, record->id, beckon_run_phase_to_string (record->phase),
                    !beckon_run_phase_is_end (record->phase), record->detail, record->round, record->round_limit,
                    record->retry_at, BECKON_LEASE);
  beckon_batch_expect (batch, BECKON_ERROR_CONFLICT,
                       _("Another window or terminal of Beckon has taken this run over, or it is over."));
  /* A stop by the person ends what was asked, and needs no mark. */
  if (record->phase == BECKON_RUN_STOPPED)
    beckon_batch_work (batch, run_end_late, record->conversation_id);
  else if (beckon_run_phase_is_end (record->phase))
    beckon_batch_set_unread (batch, record->conversation_id, TRUE);
}

void
beckon_batch_release_run (BeckonBatch *batch, const char *run_id, const char *left_by)
{
  beckon_batch_run (batch, "UPDATE run SET lease = ?3 WHERE id = ?1 AND open AND lease = ?2", run_id, BECKON_LEASE, left_by);
}

void
beckon_batch_add_request (BeckonBatch *batch, BeckonRequest *request)
{
  const char *id = beckon_request_get_id (request);
  const char *conversation_id = beckon_request_get_conversation_id (request);
  const char *call_id = beckon_request_get_call_id (request);
  g_autofree char *body = beckon_request_dup_body (request);
  g_autofree char *asked_by = beckon_asked_by_to_text (beckon_request_get_asked_by (request));

  g_return_if_fail (beckon_request_get_state (request) == BECKON_REQUEST_PENDING);

  beckon_batch_add_id (batch, conversation_id);
  beckon_batch_add_id (batch, id);
  beckon_batch_run (batch, add_request_sql, id, conversation_id, beckon_request_get_message_id (request), call_id,
                    beckon_request_get_kind_name (request), body, beckon_request_get_draft (request),
                    beckon_request_get_asked_at (request), asked_by, beckon_request_is_late (request),
                    beckon_request_is_bound (request) ? BECKON_LEASE : BECKON_NULL);
  /* A call's line says already what was decided to ask. */
  if (!BECKON_IS_APPROVAL_REQUEST (request))
    {
      g_autofree char *shown = beckon_request_dup_logged (request);
      g_autoptr (GString) data = g_string_new (NULL);
      BeckonJsonWriter writer;
      g_autofree char *logged = NULL;

      beckon_json_writer_init (&writer, data);
      beckon_json_writer_begin_object (&writer);
      beckon_json_writer_member_string (&writer, "request", beckon_request_get_id (request));
      beckon_json_writer_member_string (&writer, "kind", beckon_request_get_kind_name (request));
      beckon_json_writer_member_string (&writer, "shown", shown);
      beckon_json_writer_end_object (&writer);

      logged = g_string_free (g_steal_pointer (&data), FALSE);
      beckon_batch_add_provenance (batch, conversation_id, call_id, "asked", logged, beckon_request_get_asked_at (request));
    }
  g_ptr_array_add (batch->requests, g_object_ref (request));
  batch->asks = TRUE;
  batch->moves_requests = TRUE;
}

static gboolean
request_settle (BeckonSession *session, const BeckonValue *values, GError **error)
{
  gboolean keep;

  return beckon_settle_exec (session, values[0].object, (BeckonSettleMode) values[1].number, &keep, error);
}

void
beckon_batch_settle (BeckonBatch *batch, const BeckonSettlement *settlement, gboolean lenient)
{
  g_return_if_fail (settlement->state != BECKON_REQUEST_PENDING);

  beckon_batch_add_id (batch, settlement->request_id);
  beckon_batch_work (batch, request_settle,
                     BECKON_OWNED (beckon_settlement_copy (settlement), beckon_settlement_free),
                     lenient ? BECKON_SETTLE_LENIENT : BECKON_SETTLE_STRICT);
  batch->moves_requests = TRUE;
}

void
beckon_batch_hand_over (BeckonBatch *batch, const char *request_id)
{
  beckon_batch_add_id (batch, request_id);
  beckon_batch_run (batch, hand_over_sql, request_id, BECKON_LEASE);
  beckon_batch_expect (batch, BECKON_ERROR_CONFLICT,
                       _("Another window or terminal of Beckon has taken this run over, or it is over."));
}
