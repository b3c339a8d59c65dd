/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-batch-private.h"

#include "base/beckon-error.h"
#include "base/beckon-json-writer.h"
#include "beckon-settle-late.h"
#include "beckon-settle-turn.h"
#include "beckon-settle.h"
#include "request/beckon-approval-request.h"
#include "request/beckon-question-request.h"

#include <glib/gi18n-lib.h>

typedef struct
{
  BeckonBatchOp op;
  BeckonRunRecord *record;
} PutRun;

typedef struct
{
  BeckonBatchOp op;
  char *id;
  char *left_by; /* (nullable) */
} ReleaseRun;

typedef struct
{
  BeckonBatchOp op;
  char *id;
  char *conversation_id;
  char *message_id;
  char *call_id;
  const char *kind;
  char *body;
  char *draft;
  gint64 asked_at;
  gboolean is_late;
  gboolean is_bound;
  char *asked_by; /* (nullable) */
  char *logged; /* (nullable): the line about it; %NULL where what was decided says it already */
} AddRequest;

typedef struct
{
  BeckonBatchOp op;
  BeckonSettlement *settlement;
  BeckonSettleMode mode;
} Settle;

typedef struct
{
  BeckonBatchOp op;
  char *request_id;
} HandOver;

static const char add_run_sql[] =
  "INSERT INTO run (id, conversation, profile, phase, open, detail, round, round_limit, retry_at, lease)"
  " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, CASE WHEN ?5 THEN ?10 END)";
static const char set_run_sql[] =
  "UPDATE run SET phase = ?2, open = ?3, detail = ?4, round = ?5, round_limit = ?6, retry_at = ?7,"
  "  lease = CASE WHEN ?3 THEN lease END"
  " WHERE id = ?1 AND open AND lease = ?8";
static const char set_unread_sql[] = "UPDATE conversation SET unread = 1 WHERE id = ?1";
static const char release_run_sql[] = "UPDATE run SET lease = ?3 WHERE id = ?1 AND open AND lease = ?2";
static const char add_request_sql[] =
  "INSERT INTO request (id, conversation, message, call, kind, body, state, draft, asked_at, asked_by, due,"
  "  waiter)"
  " VALUES (?1, ?2, ?3, ?4, ?5, ?6, 'pending', ?7, ?8, ?9, ?10, ?11)";

static const char hand_over_sql[] =
  "UPDATE request SET delivered = 1 WHERE id = ?1 AND state <> 'pending' AND NOT delivered"
  " AND EXISTS (SELECT 1 FROM run WHERE conversation = request.conversation AND open AND lease = ?2)";

static gboolean
exec_add_run (const BeckonBatchOp *base, BeckonSession *session, GError **error)
{
  const BeckonRunRecord *record = ((const PutRun *) base)->record;
  g_autoptr (GError) local = NULL;

  /* The end of the last turn is no longer answered: this is the next turn. */
  if (!beckon_settle_turn_cancel (session->database, record->conversation_id, g_get_real_time (), error))
    return FALSE;

  if (beckon_database_run (session->database, &local, add_run_sql, "ssssisiiis", record->id, record->conversation_id,
                           record->profile_id, beckon_run_phase_to_string (record->phase),
                           (gint64) !beckon_run_phase_is_end (record->phase), record->detail, (gint64) record->round,
                           (gint64) record->round_limit, record->retry_at, beckon_lease_get_token (session->lease)))
    return TRUE;

  if (g_error_matches (local, BECKON_ERROR, BECKON_ERROR_CONFLICT))
    g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_CONFLICT,
                         _("This conversation is already being worked on, here or in another window or terminal."));
  else
    g_propagate_error (error, g_steal_pointer (&local));

  return FALSE;
}

static gboolean
exec_set_run (const BeckonBatchOp *base, BeckonSession *session, GError **error)
{
  const BeckonRunRecord *record = ((const PutRun *) base)->record;
  int changed = beckon_database_change (session->database, error, set_run_sql, "ssisiiis", record->id,
                                        beckon_run_phase_to_string (record->phase),
                                        (gint64) !beckon_run_phase_is_end (record->phase), record->detail,
                                        (gint64) record->round, (gint64) record->round_limit, record->retry_at,
                                        beckon_lease_get_token (session->lease));

  if (changed == 0)
    g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_CONFLICT,
                         _("Another window or terminal of Beckon has taken this run over, or it is over."));

  if (changed <= 0)
    return FALSE;
  if (!beckon_run_phase_is_end (record->phase))
    return TRUE;

  /* A stop by the person ends what was asked, and needs no mark. */
  return record->phase == BECKON_RUN_STOPPED
           ? beckon_settle_late_end (session->database, record->conversation_id, g_get_real_time (), error)
           : beckon_database_run (session->database, error, set_unread_sql, "s", record->conversation_id);
}

static void
free_put_run (BeckonBatchOp *base)
{
  PutRun *op = (PutRun *) base;

  beckon_run_record_free (op->record);
  g_free (op);
}

static void
add_put_run (BeckonBatch *batch, const BeckonRunRecord *record,
             gboolean (*exec) (const BeckonBatchOp *, BeckonSession *, GError **))
{
  PutRun *op = g_new0 (PutRun, 1);

  op->record = beckon_run_record_copy (record);
  beckon_batch_add_id (batch, record->conversation_id);
  beckon_batch_add (batch, op, exec, free_put_run);
}

void
beckon_batch_add_run (BeckonBatch *batch, const BeckonRunRecord *record)
{
  g_return_if_fail (batch != NULL);
  g_return_if_fail (record != NULL);

  add_put_run (batch, record, exec_add_run);
}

void
beckon_batch_set_run (BeckonBatch *batch, const BeckonRunRecord *record)
{
  g_return_if_fail (batch != NULL);
  g_return_if_fail (record != NULL);

  add_put_run (batch, record, exec_set_run);
}

static gboolean
exec_release_run (const BeckonBatchOp *base, BeckonSession *session, GError **error)
{
  const ReleaseRun *op = (const ReleaseRun *) base;

  return beckon_database_run (session->database, error, release_run_sql, "sss", op->id,
                              beckon_lease_get_token (session->lease), op->left_by);
}

static void
free_release_run (BeckonBatchOp *base)
{
  ReleaseRun *op = (ReleaseRun *) base;

  g_free (op->left_by);
  g_free (op->id);
  g_free (op);
}

void
beckon_batch_release_run (BeckonBatch *batch, const char *run_id, const char *left_by)
{
  ReleaseRun *op;

  g_return_if_fail (batch != NULL);
  g_return_if_fail (run_id != NULL);

  op = g_new0 (ReleaseRun, 1);
  op->id = g_strdup (run_id);
  op->left_by = g_strdup (left_by);
  beckon_batch_add (batch, op, exec_release_run, free_release_run);
}

static gboolean
exec_add_request (const BeckonBatchOp *base, BeckonSession *session, GError **error)
{
  const AddRequest *op = (const AddRequest *) base;

  return beckon_database_run (session->database, error, add_request_sql, "sssssssisis", op->id, op->conversation_id,
                              op->message_id, op->call_id, op->kind, op->body, op->draft, op->asked_at,
                              op->asked_by, (gint64) op->is_late,
                              op->is_bound ? beckon_lease_get_token (session->lease) : NULL)
         && (op->logged == NULL
             || beckon_batch_write_provenance (session->database, op->conversation_id, op->call_id, "asked", op->logged,
                                               op->asked_at, error));
}

static void
free_add_request (BeckonBatchOp *base)
{
  AddRequest *op = (AddRequest *) base;

  g_free (op->id);
  g_free (op->conversation_id);
  g_free (op->message_id);
  g_free (op->call_id);
  g_free (op->body);
  g_free (op->draft);
  g_free (op->asked_by);
  g_free (op->logged);
  g_free (op);
}

static char *
describe_request (BeckonRequest *request)
{
  g_autofree char *shown = beckon_request_dup_logged (request);
  g_autoptr (GString) data = g_string_new (NULL);
  BeckonJsonWriter writer;

  beckon_json_writer_init (&writer, data);
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_member_string (&writer, "request", beckon_request_get_id (request));
  beckon_json_writer_member_string (&writer, "kind", beckon_request_get_kind_name (request));
  beckon_json_writer_member_string (&writer, "shown", shown);
  beckon_json_writer_end_object (&writer);
  return g_string_free (g_steal_pointer (&data), FALSE);
}

void
beckon_batch_add_request (BeckonBatch *batch, BeckonRequest *request)
{
  AddRequest *op;

  g_return_if_fail (batch != NULL);
  g_return_if_fail (BECKON_IS_REQUEST (request));
  g_return_if_fail (beckon_request_get_state (request) == BECKON_REQUEST_PENDING);

  op = g_new0 (AddRequest, 1);
  op->id = g_strdup (beckon_request_get_id (request));
  op->conversation_id = g_strdup (beckon_request_get_conversation_id (request));
  op->message_id = g_strdup (beckon_request_get_message_id (request));
  op->call_id = g_strdup (beckon_request_get_call_id (request));
  op->kind = beckon_request_get_kind_name (request);
  op->body = beckon_request_dup_body (request);
  op->draft = g_strdup (beckon_request_get_draft (request));
  op->asked_at = beckon_request_get_asked_at (request);
  op->is_late = beckon_request_is_late (request);
  op->is_bound = beckon_request_is_bound (request);
  op->asked_by = beckon_asked_by_to_text (beckon_request_get_asked_by (request));
  if (!BECKON_IS_APPROVAL_REQUEST (request))
    op->logged = describe_request (request);
  beckon_batch_add_id (batch, op->conversation_id);
  beckon_batch_add_id (batch, op->id);
  beckon_batch_add (batch, op, exec_add_request, free_add_request);
  g_ptr_array_add (batch->requests, g_object_ref (request));
  batch->asks = TRUE;
  batch->moves_requests = TRUE;
}

static gboolean
exec_settle (const BeckonBatchOp *base, BeckonSession *session, GError **error)
{
  const Settle *op = (const Settle *) base;
  gboolean keep;

  return beckon_settle_exec (session, op->settlement, op->mode, &keep, error);
}

static void
free_settle (BeckonBatchOp *base)
{
  Settle *op = (Settle *) base;

  beckon_settlement_free (op->settlement);
  g_free (op);
}

void
beckon_batch_settle (BeckonBatch *batch, const BeckonSettlement *settlement, gboolean lenient)
{
  Settle *op;

  g_return_if_fail (batch != NULL);
  g_return_if_fail (settlement != NULL);
  g_return_if_fail (settlement->state != BECKON_REQUEST_PENDING);

  op = g_new0 (Settle, 1);
  op->settlement = beckon_settlement_copy (settlement);
  beckon_batch_add_id (batch, settlement->request_id);
  op->mode = lenient ? BECKON_SETTLE_LENIENT : BECKON_SETTLE_STRICT;
  beckon_batch_add (batch, op, exec_settle, free_settle);
  batch->moves_requests = TRUE;
}

static gboolean
exec_hand_over (const BeckonBatchOp *base, BeckonSession *session, GError **error)
{
  int changed = beckon_database_change (session->database, error, hand_over_sql, "ss", ((const HandOver *) base)->request_id,
                                        beckon_lease_get_token (session->lease));

  if (changed == 0)
    g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_CONFLICT,
                         _("Another window or terminal of Beckon has taken this run over, or it is over."));
  return changed > 0;
}

static void
free_hand_over (BeckonBatchOp *base)
{
  g_free (((HandOver *) base)->request_id);
  g_free (base);
}

void
beckon_batch_hand_over (BeckonBatch *batch, const char *request_id)
{
  HandOver *op;

  g_return_if_fail (batch != NULL);
  g_return_if_fail (request_id != NULL);

  op = g_new0 (HandOver, 1);
  op->request_id = g_strdup (request_id);
  beckon_batch_add_id (batch, request_id);
  beckon_batch_add (batch, op, exec_hand_over, free_hand_over);
}
