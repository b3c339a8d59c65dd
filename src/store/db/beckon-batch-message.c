/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-batch-private.h"

#include "base/beckon-error.h"
#include "store/sqlite/beckon-stored-names.h"

#include <glib/gi18n-lib.h>
#include <string.h>

typedef struct
{
  BeckonBatchOp op;
  char *id;
  char *conversation_id;
  gint64 seq;
  BeckonRole role;
  BeckonMessageStatus status;
  gint64 created_at;
  BeckonUsage usage;
} PutMessage;

typedef struct
{
  BeckonBatchOp op;
  char *id;
  char *message_id;
  char *provider_id;
  char *tool;
  char *arguments;
  char *settled;
  char *redacted;
  gint64 exit_status;   /* -1: none */
  gint64 output_length; /* -1: all of the result */
  char *fault;
  gboolean read_only;
  BeckonCallState state;
  BeckonCallState expected;
  gint64 started_at;
  gint64 finished_at;
  char *result;
  gboolean is_error;
  char *plan;    /* these two for a step of one */
  char *step_id;
} PutCall;

typedef struct
{
  BeckonBatchOp op;
  char *message_id;
  guint index;
  BeckonPartKind kind;
  char *origin;
  char *call_id;
  char *media_type;
  GBytes *text; /* (nullable) */
  gint64 duration;
} PutText;

static const char add_message_sql[] =
  "INSERT INTO message (id, conversation, seq, role, status, created_at, input, output, cached, cost, currency,"
  "  parent)"
  " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, coalesce ((SELECT id FROM message WHERE conversation = ?2 AND active"
  "  AND seq < ?3 ORDER BY seq DESC LIMIT 1), ''))";
static const char set_message_sql[]
  = "UPDATE message SET status = ?2, input = ?3, output = ?4, cached = ?5, cost = ?6, currency = ?7"
    " WHERE id = ?1";
static const char add_part_sql[] =
  "INSERT INTO part (message, place, kind, origin, call, is_error, text, media_type, duration)"
  " VALUES (?1, ?2, ?3, ?4, ?5, 0, ?6, ?7, ?8)";
static const char set_duration_sql[] = "UPDATE part SET duration = ?3 WHERE message = ?1 AND place = ?2";
static const char append_text_sql[] =
  "INSERT INTO chunk (part, seq, text)"
  " SELECT id, (SELECT coalesce (max (seq), -1) + 1 FROM chunk WHERE part = part.id), ?3"
  " FROM part WHERE message = ?1 AND place = ?2";
static const char add_call_sql[] =
  "INSERT INTO call (id, message, provider_id, tool, arguments, fault, read_only, state, started_at, finished_at, settled,"
  "  concealed, exit_status, output_length)"
  " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, nullif (?13, -1), nullif (?14, -1))";
static const char add_step_sql[] = "INSERT INTO step (call, plan, step) VALUES (?1, ?2, ?3)";
static const char set_call_sql[] =
  "UPDATE call SET state = ?3, read_only = ?4, started_at = ?5, finished_at = ?6, settled = ?7, concealed = ?8,"
  "  exit_status = nullif (?9, -1), output_length = nullif (?10, -1)"
  " WHERE id = ?1 AND state = ?2";

static const char *
get_currency (const PutMessage *op)
{
  return op->usage.currency != NULL ? op->usage.currency : "";
}

static gboolean
exec_add_message (const BeckonBatchOp *base, BeckonSession *session, GError **error)
{
  const PutMessage *op = (const PutMessage *) base;

  return beckon_database_run (session->database, error, add_message_sql, "ssissiiiiis", op->id, op->conversation_id, op->seq,
                              beckon_role_to_word (op->role), beckon_message_status_to_string (op->status),
                              op->created_at, op->usage.input, op->usage.output, op->usage.cached, op->usage.cost,
                              get_currency (op));
}

static gboolean
exec_set_message (const BeckonBatchOp *base, BeckonSession *session, GError **error)
{
  const PutMessage *op = (const PutMessage *) base;
  int changed = beckon_database_change (session->database, error, set_message_sql, "ssiiiis", op->id,
                                        beckon_message_status_to_string (op->status), op->usage.input, op->usage.output,
                                        op->usage.cached, op->usage.cost, get_currency (op));

  session->has_chunks |= op->status != BECKON_MESSAGE_STREAMING;

  return changed > 0 || (changed == 0 && beckon_batch_refuse_missing (error));
}

static void
free_put_message (BeckonBatchOp *base)
{
  PutMessage *op = (PutMessage *) base;

  g_free (op->id);
  g_free (op->conversation_id);
  g_free (op);
}

static PutMessage *
put_message_new (const char *conversation_id, BeckonMessage *message)
{
  PutMessage *op = g_new0 (PutMessage, 1);

  op->id = g_strdup (beckon_message_get_id (message));
  op->conversation_id = g_strdup (conversation_id);
  op->seq = beckon_message_get_seq (message);
  op->role = beckon_message_get_role (message);
  op->status = beckon_message_get_status (message);
  op->created_at = beckon_message_get_created_at (message);
  op->usage = *beckon_message_get_usage (message);

  return op;
}

static gboolean
exec_add_part (const BeckonBatchOp *base, BeckonSession *session, GError **error)
{
  const PutText *op = (const PutText *) base;
  gsize length;
  const void *text = g_bytes_get_data (op->text, &length);

  return beckon_database_run (session->database, error, add_part_sql, "sisssbsi", op->message_id, (gint64) op->index,
                              beckon_part_kind_to_word (op->kind), op->origin, op->call_id, text, length,
                              op->media_type, op->duration);
}

static void
free_put_text (BeckonBatchOp *base)
{
  PutText *op = (PutText *) base;

  g_free (op->message_id);
  g_free (op->origin);
  g_free (op->call_id);
  g_free (op->media_type);
  g_clear_pointer (&op->text, g_bytes_unref);
  g_free (op);
}

/* A row of its own behind that of its text, of the kind that has bytes with their type. */
static void
add_file (BeckonBatch *batch, const char *message_id, guint place, BeckonPart *part)
{
  PutText *op = g_new0 (PutText, 1);

  op->message_id = g_strdup (message_id);
  op->index = place;
  op->kind = BECKON_PART_IMAGE;
  op->origin = g_strdup (beckon_part_get_origin (part));
  op->media_type = g_strdup (beckon_part_get_file_type (part));
  op->text = g_bytes_ref (beckon_part_get_file (part));
  beckon_batch_add (batch, op, exec_add_part, free_put_text);
}

void
beckon_batch_add_message (BeckonBatch *batch, const char *conversation_id, BeckonMessage *message)
{
  guint place = 0;

  g_return_if_fail (batch != NULL);
  g_return_if_fail (conversation_id != NULL);
  g_return_if_fail (BECKON_IS_MESSAGE (message));
  g_return_if_fail (beckon_message_get_seq (message) >= 0);

  beckon_batch_add_id (batch, conversation_id);
  beckon_batch_add_id (batch, beckon_message_get_id (message));
  beckon_batch_add (batch, put_message_new (conversation_id, message), exec_add_message, free_put_message);
  for (guint i = 0; i < beckon_message_get_n_parts (message); i++)
    {
      BeckonPart *part = beckon_message_get_part (message, i);

      beckon_batch_add_part (batch, conversation_id, beckon_message_get_id (message), place++, part);
      if (beckon_part_get_file (part) != NULL)
        add_file (batch, beckon_message_get_id (message), place++, part);
    }
}

void
beckon_batch_set_message (BeckonBatch *batch, BeckonMessage *message)
{
  g_return_if_fail (batch != NULL);
  g_return_if_fail (BECKON_IS_MESSAGE (message));

  beckon_batch_add_id (batch, beckon_message_get_id (message));
  beckon_batch_add (batch, put_message_new (NULL, message), exec_set_message, free_put_message);
}

static gboolean
write_result (const PutCall *op, BeckonSession *session, GError **error)
{
  return op->result == NULL
         || beckon_batch_write_result (session->database, op->id, op->result, op->is_error, error);
}

static gboolean
exec_add_call (const BeckonBatchOp *base, BeckonSession *session, GError **error)
{
  const PutCall *op = (const PutCall *) base;

  return beckon_database_run (session->database, error, add_call_sql, "ssssssisiissii", op->id, op->message_id,
                              op->provider_id, op->tool, op->arguments, op->fault, (gint64) op->read_only,
                              beckon_call_state_to_string (op->state), op->started_at, op->finished_at, op->settled,
                              op->redacted, op->exit_status, op->output_length)
         && (op->plan == NULL || beckon_database_run (session->database, error, add_step_sql, "sss", op->id, op->plan,
                                                      op->step_id))
         && write_result (op, session, error);
}

static gboolean
is_elsewhere (GError **error)
{
  g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_CONFLICT,
                       _("Another window or terminal of Beckon has already resumed this."));

  return FALSE;
}

static gboolean
exec_set_call (const BeckonBatchOp *base, BeckonSession *session, GError **error)
{
  const PutCall *op = (const PutCall *) base;
  int changed = beckon_database_change (session->database, error, set_call_sql, "sssiiissii", op->id,
                                        beckon_call_state_to_string (op->expected),
                                        beckon_call_state_to_string (op->state), (gint64) op->read_only, op->started_at,
                                        op->finished_at, op->settled, op->redacted, op->exit_status, op->output_length);

  if (changed < 0)
    return FALSE;
  if (changed == 0)
    return is_elsewhere (error);

  return write_result (op, session, error);
}

static void
free_put_call (BeckonBatchOp *base)
{
  PutCall *op = (PutCall *) base;

  g_free (op->id);
  g_free (op->message_id);
  g_free (op->provider_id);
  g_free (op->tool);
  g_free (op->arguments);
  g_free (op->settled);
  g_free (op->redacted);
  g_free (op->fault);
  g_free (op->plan);
  g_free (op->step_id);
  g_free (op->result);
  g_free (op);
}

/* Writes a result's images behind it. */
static void
add_images (BeckonBatch *batch, BeckonToolCall *call)
{
  if (beckon_tool_call_get_result (call) != NULL)
    beckon_batch_add_result_images (batch, call);
}

static gint64
get_output_length (BeckonToolCall *call)
{
  const char *result = beckon_tool_call_get_result (call);
  gsize length = beckon_tool_call_get_output_length (call);

  return result != NULL && length < strlen (result) ? (gint64) length : -1;
}

/* The provider's id is stored only when it differs from ours, because a call without one gives ours. */
static PutCall *
put_call_new (const char *message_id, BeckonToolCall *call)
{
  PutCall *op = g_new0 (PutCall, 1);

  op->id = g_strdup (beckon_tool_call_get_id (call));
  op->message_id = g_strdup (message_id);
  if (!g_str_equal (beckon_tool_call_get_provider_id (call), op->id))
    op->provider_id = g_strdup (beckon_tool_call_get_provider_id (call));
  op->tool = g_strdup (beckon_tool_call_get_name (call));
  op->arguments = g_strdup (beckon_tool_call_get_arguments (call));
  op->settled = g_strdup (beckon_tool_call_get_settled_arguments (call));
  op->redacted = g_strdup (beckon_tool_call_get_redacted (call));
  op->fault = g_strdup (beckon_tool_call_get_fault (call));
  op->read_only = beckon_tool_call_get_read_only (call);
  op->state = beckon_tool_call_get_state (call);
  op->started_at = beckon_tool_call_get_started_at (call);
  op->finished_at = beckon_tool_call_get_finished_at (call);
  op->result = g_strdup (beckon_tool_call_get_result (call));
  op->is_error = beckon_tool_call_get_is_error (call);
  op->exit_status = beckon_tool_call_get_exit_status (call);
  op->output_length = get_output_length (call);

  return op;
}

void
beckon_batch_add_step (BeckonBatch *batch, const char *conversation_id, const char *message_id, BeckonToolCall *step)
{
  PutCall *op;

  g_return_if_fail (batch != NULL);
  g_return_if_fail (message_id != NULL);
  g_return_if_fail (BECKON_IS_TOOL_CALL (step) && beckon_tool_call_get_planned_by (step) != NULL);

  op = put_call_new (message_id, step);
  op->plan = g_strdup (beckon_tool_call_get_id (beckon_tool_call_get_planned_by (step)));
  op->step_id = g_strdup (beckon_tool_call_get_step_id (step));
  beckon_batch_add_id (batch, conversation_id);
  beckon_batch_add_id (batch, op->id);
  beckon_batch_add (batch, op, exec_add_call, free_put_call);
  add_images (batch, step);
}

void
beckon_batch_set_call (BeckonBatch *batch, BeckonToolCall *call, BeckonCallState expected)
{
  PutCall *op;

  g_return_if_fail (batch != NULL);
  g_return_if_fail (BECKON_IS_TOOL_CALL (call));
  g_return_if_fail (!beckon_call_state_is_final (expected));

  op = put_call_new (NULL, call);
  op->expected = expected;
  beckon_batch_add_id (batch, op->id);
  beckon_batch_add (batch, op, exec_set_call, free_put_call);
  add_images (batch, call);
}

static gboolean
exec_append_text (const BeckonBatchOp *base, BeckonSession *session, GError **error)
{
  const PutText *op = (const PutText *) base;
  gsize length;
  const void *text = g_bytes_get_data (op->text, &length);
  int changed = beckon_database_change (session->database, error, append_text_sql, "sib", op->message_id,
                                        (gint64) op->index, text, length);

  return changed > 0 || (changed == 0 && beckon_batch_refuse_missing (error));
}

void
beckon_batch_add_part (BeckonBatch *batch, const char *conversation_id, const char *message_id, guint index,
                       BeckonPart *part)
{
  BeckonToolCall *call;
  PutText *op;

  g_return_if_fail (batch != NULL);
  g_return_if_fail (message_id != NULL);
  g_return_if_fail (BECKON_IS_PART (part));

  beckon_batch_add_id (batch, conversation_id);
  call = beckon_part_get_call (part);
  if (call != NULL)
    {
      beckon_batch_add_id (batch, beckon_tool_call_get_id (call));
      beckon_batch_add (batch, put_call_new (message_id, call), exec_add_call, free_put_call);
      add_images (batch, call);
    }

  op = g_new0 (PutText, 1);
  op->message_id = g_strdup (message_id);
  op->index = index;
  op->kind = beckon_part_get_kind (part);
  op->origin = g_strdup (beckon_part_get_origin (part));
  op->media_type = g_strdup (beckon_part_get_media_type (part));
  op->duration = beckon_part_get_duration (part);
  op->call_id = call != NULL ? g_strdup (beckon_tool_call_get_id (call)) : NULL;
  op->text = g_bytes_new (beckon_part_get_text (part), beckon_part_get_length (part));
  beckon_batch_add (batch, op, exec_add_part, free_put_text);
}

void
beckon_batch_append_text (BeckonBatch *batch, const char *message_id, guint index, const char *text, gsize length)
{
  PutText *op;

  g_return_if_fail (batch != NULL);
  g_return_if_fail (message_id != NULL);
  g_return_if_fail (text != NULL || length == 0);

  if (length == 0)
    return;

  op = g_new0 (PutText, 1);
  beckon_batch_add_id (batch, message_id);
  op->message_id = g_strdup (message_id);
  op->index = index;
  op->text = g_bytes_new (text, length);
  beckon_batch_add (batch, op, exec_append_text, free_put_text);
}

static gboolean
exec_set_duration (const BeckonBatchOp *base, BeckonSession *session, GError **error)
{
  const PutText *op = (const PutText *) base;

  return beckon_database_run (session->database, error, set_duration_sql, "sii", op->message_id, (gint64) op->index,
                              op->duration);
}

void
beckon_batch_set_part_duration (BeckonBatch *batch, const char *message_id, guint index, BeckonPart *part)
{
  PutText *op;

  g_return_if_fail (batch != NULL);
  g_return_if_fail (message_id != NULL);
  g_return_if_fail (BECKON_IS_PART (part));

  op = g_new0 (PutText, 1);
  beckon_batch_add_id (batch, message_id);
  op->message_id = g_strdup (message_id);
  op->index = index;
  op->duration = beckon_part_get_duration (part);
  beckon_batch_add (batch, op, exec_set_duration, free_put_text);
}
