/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "base/beckon-error.h"
#include "beckon-batch-private.h"
#include "store/sqlite/beckon-stored-names.h"

#include <glib/gi18n-lib.h>
#include <string.h>

gboolean
beckon_batch_write_files (BeckonDatabase *database, const char *sql, const char *owner, GPtrArray *files, GError **error)
{
  gint64 place = 0;

  for (guint i = 0; i < files->len; i++)
    {
      BeckonPart *part = g_ptr_array_index (files, i);
      GBytes *file = beckon_part_get_file (part);

      if (!beckon_database_run (database, error, sql, "sissb", owner, place++, beckon_part_get_origin (part),
                                beckon_part_get_media_type (part), beckon_part_get_text (part),
                                beckon_part_get_length (part)))
        return FALSE;
      if (file != NULL
          && !beckon_database_run (database, error, sql, "sissb", owner, place++,
                                   beckon_part_get_origin (part), beckon_part_get_file_type (part),
                                   g_bytes_get_data (file, NULL), g_bytes_get_size (file)))
        return FALSE;
    }
  return TRUE;
}

static gboolean
draft_write_files (BeckonSession *session, const BeckonValue *values, GError **error)
{
  return beckon_batch_write_files (session->database,
                                   "INSERT INTO draft_file (conversation, place, origin, media_type, text)"
                                   " SELECT id, ?2, ?3, ?4, ?5 FROM conversation WHERE id = ?1",
                                   values[0].text, values[1].object, error);
}

/* None of the files changes any more. Other processes are not told, as of a draft. */
void
beckon_batch_set_draft_files (BeckonBatch *batch, const char *conversation_id, GListModel *files)
{
  gboolean was_quiet = batch->is_quiet;
  GPtrArray *all = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; files != NULL && i < g_list_model_get_n_items (files); i++)
    g_ptr_array_add (all, g_list_model_get_item (files, i));
  beckon_batch_add_id (batch, conversation_id);
  beckon_batch_run (batch, "DELETE FROM draft_file WHERE conversation = ?1", conversation_id);
  beckon_batch_work (batch, draft_write_files, conversation_id, BECKON_OWNED (all, g_ptr_array_unref));
  batch->is_quiet = was_quiet;
}

static gboolean
queue_write_files (BeckonSession *session, const BeckonValue *values, GError **error)
{
  BeckonQueueItem *item = values[0].object;

  return beckon_batch_write_files (session->database,
                                   "INSERT INTO queued_file (message, place, origin, media_type, text)"
                                   " VALUES (?1, ?2, ?3, ?4, ?5)",
                                   beckon_queue_item_get_id (item), beckon_queue_item_get_files (item), error);
}

/* The item does not change any more but for what is copied here. */
void
beckon_batch_add_queued (BeckonBatch *batch, const char *conversation_id, BeckonQueueItem *item)
{
  beckon_batch_add_id (batch, conversation_id);
  beckon_batch_run (batch,
                    "INSERT INTO queued_message (id, conversation, sends_now, text)"
                    " SELECT ?2, id, ?3, ?4 FROM conversation WHERE id = ?1",
                    conversation_id, beckon_queue_item_get_id (item), beckon_queue_item_get_sends_now (item),
                    beckon_queue_item_get_text (item));
  beckon_batch_expect_there (batch);
  beckon_batch_work (batch, queue_write_files, BECKON_OWNED (g_object_ref (item), g_object_unref));
}

void
beckon_batch_remove_queued (BeckonBatch *batch, const char *conversation_id, BeckonQueueItem *item)
{
  beckon_batch_add_id (batch, conversation_id);
  beckon_batch_run (batch, "DELETE FROM queued_message WHERE id = ?1", beckon_queue_item_get_id (item));
  beckon_batch_expect_there (batch);
}

void
beckon_batch_send_queued_now (BeckonBatch *batch, const char *conversation_id, BeckonQueueItem *item)
{
  beckon_batch_add_id (batch, conversation_id);
  beckon_batch_run (batch, "UPDATE queued_message SET sends_now = 1 WHERE id = ?1", beckon_queue_item_get_id (item));
  beckon_batch_expect_there (batch);
}

static const char add_message_sql[] =
  "INSERT INTO message (id, conversation, seq, role, status, created_at, input, output, cached, cost, currency,"
  "  parent)"
  " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, coalesce ((SELECT id FROM message WHERE conversation = ?2 AND active"
  "  AND seq < ?3 ORDER BY seq DESC LIMIT 1), ''))";
static const char add_part_sql[] =
  "INSERT INTO part (message, place, kind, origin, call, is_error, text, media_type, duration)"
  " VALUES (?1, ?2, ?3, ?4, ?5, 0, ?6, ?7, ?8)";
static const char append_text_sql[] =
  "INSERT INTO chunk (part, seq, text)"
  " SELECT id, (SELECT coalesce (max (seq), -1) + 1 FROM chunk WHERE part = part.id), ?3"
  " FROM part WHERE message = ?1 AND place = ?2";
static const char add_call_sql[] =
  "INSERT INTO call (id, message, provider_id, tool, arguments, fault, read_only, state, started_at, finished_at, settled,"
  "  concealed, exit_status, output_length)"
  " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, nullif (?13, -1), nullif (?14, -1))";
static const char set_call_sql[] =
  "UPDATE call SET state = ?3, read_only = ?4, started_at = ?5, finished_at = ?6, settled = ?7, concealed = ?8,"
  "  exit_status = nullif (?9, -1), output_length = nullif (?10, -1)"
  " WHERE id = ?1 AND state = ?2";
static const char follow_before_sql[] =
  "UPDATE message SET parent = (SELECT parent FROM message WHERE id = ?1) WHERE conversation = ?2 AND parent = ?1";
static const char add_image_sql[] =
  "INSERT INTO result_image (call, place, origin, media_type, bytes) VALUES (?1, ?2, ?3, ?4, ?5)";

/* --- Messages ----------------------------------------------------------------------------------------------------- */

static const char *
usage_get_currency (const BeckonUsage *usage)
{
  return usage->currency != NULL ? usage->currency : "";
}

void
beckon_batch_add_message (BeckonBatch *batch, const char *conversation_id, BeckonMessage *message)
{
  const char *id = beckon_message_get_id (message);
  const BeckonUsage *usage = beckon_message_get_usage (message);
  guint place = 0;

  g_return_if_fail (beckon_message_get_seq (message) >= 0);

  beckon_batch_add_id (batch, conversation_id);
  beckon_batch_add_id (batch, id);
  beckon_batch_run (batch, add_message_sql, id, conversation_id, beckon_message_get_seq (message),
                    beckon_role_to_word (beckon_message_get_role (message)),
                    beckon_message_status_to_string (beckon_message_get_status (message)),
                    beckon_message_get_created_at (message), usage->input, usage->output, usage->cached, usage->cost,
                    usage_get_currency (usage));
  for (guint i = 0; i < beckon_message_get_n_parts (message); i++)
    {
      BeckonPart *part = beckon_message_get_part (message, i);
      GBytes *file = beckon_part_get_file (part);

      beckon_batch_add_part (batch, conversation_id, id, place++, part);
      /* A row of its own behind that of its text, of the kind that has bytes with their type. */
      if (file != NULL)
        beckon_batch_run (batch, add_part_sql, id, place++, beckon_part_kind_to_word (BECKON_PART_IMAGE),
                          beckon_part_get_origin (part), BECKON_NULL, file, beckon_part_get_file_type (part), 0);
    }
}

static gboolean
message_note_end (BeckonSession *session, const BeckonValue *values, GError **error)
{
  session->has_chunks = TRUE;
  return TRUE;
}

void
beckon_batch_set_message (BeckonBatch *batch, BeckonMessage *message)
{
  const char *id = beckon_message_get_id (message);
  const BeckonUsage *usage = beckon_message_get_usage (message);

  beckon_batch_add_id (batch, id);
  beckon_batch_run (batch,
                    "UPDATE message SET status = ?2, input = ?3, output = ?4, cached = ?5, cost = ?6, currency = ?7"
                    " WHERE id = ?1",
                    id, beckon_message_status_to_string (beckon_message_get_status (message)), usage->input, usage->output,
                    usage->cached, usage->cost, usage_get_currency (usage));
  beckon_batch_expect_there (batch);
  if (beckon_message_get_status (message) != BECKON_MESSAGE_STREAMING)
    beckon_batch_work (batch, message_note_end, id);
}

/* Text that streams is in no index. As another kind it is not noted to be taken out of one by its number, which the next part
 * may get. */
void
beckon_batch_drop_reply (BeckonBatch *batch, const char *conversation_id, const char *message_id)
{
  beckon_batch_add_id (batch, conversation_id);
  beckon_batch_run (batch, follow_before_sql, message_id, conversation_id);
  beckon_batch_run (batch, "UPDATE part SET kind = 'reasoning' WHERE message = ?1 AND kind = 'text'", message_id);
  beckon_batch_run (batch, "DELETE FROM message WHERE id = ?1", message_id);
  beckon_batch_run (batch, "UPDATE conversation SET path = path + 1 WHERE id = ?1", conversation_id);
}

/* --- Calls -------------------------------------------------------------------------------------------------------- */

static gint64
call_get_output_length (BeckonToolCall *call)
{
  const char *result = beckon_tool_call_get_result (call);
  gsize length = beckon_tool_call_get_output_length (call);

  return result != NULL && length < strlen (result) ? (gint64) length : -1;
}

/* The pictures that came with a result are written behind it. */
static void
call_add_result (BeckonBatch *batch, BeckonToolCall *call)
{
  const char *id = beckon_tool_call_get_id (call);

  if (beckon_tool_call_get_result (call) == NULL)
    return;

  beckon_batch_add_result (batch, id, beckon_tool_call_get_result (call), beckon_tool_call_get_is_error (call));
  for (guint i = 0; i < beckon_tool_call_get_n_images (call); i++)
    {
      BeckonPart *image = beckon_tool_call_get_image (call, i);

      beckon_batch_run (batch, add_image_sql, id, i, beckon_part_get_origin (image), beckon_part_get_media_type (image),
                        beckon_value_bytes (beckon_part_get_text (image), beckon_part_get_length (image)));
    }
}

/* The provider's id is stored only when it differs from ours, because a call without one gives ours. */
static void
call_add (BeckonBatch *batch, const char *message_id, BeckonToolCall *call)
{
  const char *id = beckon_tool_call_get_id (call);
  const char *provider_id = beckon_tool_call_get_provider_id (call);

  beckon_batch_add_id (batch, id);
  beckon_batch_run (batch, add_call_sql, id, message_id, g_str_equal (provider_id, id) ? NULL : provider_id,
                    beckon_tool_call_get_name (call), beckon_tool_call_get_arguments (call), beckon_tool_call_get_fault (call),
                    beckon_tool_call_get_read_only (call), beckon_call_state_to_string (beckon_tool_call_get_state (call)),
                    beckon_tool_call_get_started_at (call), beckon_tool_call_get_finished_at (call),
                    beckon_tool_call_get_settled_arguments (call), beckon_tool_call_get_redacted (call),
                    beckon_tool_call_get_exit_status (call), call_get_output_length (call));
}

void
beckon_batch_add_step (BeckonBatch *batch, const char *conversation_id, const char *message_id, BeckonToolCall *step)
{
  beckon_batch_add_id (batch, conversation_id);
  call_add (batch, message_id, step);
  beckon_batch_run (batch, "INSERT INTO step (call, plan, step, outcome) VALUES (?1, ?2, ?3, ?4)",
                    beckon_tool_call_get_id (step), beckon_tool_call_get_id (beckon_tool_call_get_planned_by (step)),
                    beckon_tool_call_get_step_id (step),
                    beckon_step_outcome_to_string (beckon_tool_call_get_step_outcome (step)));
  call_add_result (batch, step);
}

void
beckon_batch_set_call (BeckonBatch *batch, BeckonToolCall *call, BeckonCallState expected)
{
  const char *id = beckon_tool_call_get_id (call);

  g_return_if_fail (!beckon_call_state_is_final (expected));

  beckon_batch_add_id (batch, id);
  beckon_batch_run (batch, set_call_sql, id, beckon_call_state_to_string (expected),
                    beckon_call_state_to_string (beckon_tool_call_get_state (call)), beckon_tool_call_get_read_only (call),
                    beckon_tool_call_get_started_at (call), beckon_tool_call_get_finished_at (call),
                    beckon_tool_call_get_settled_arguments (call), beckon_tool_call_get_redacted (call),
                    beckon_tool_call_get_exit_status (call), call_get_output_length (call));
  beckon_batch_expect (batch, BECKON_ERROR_CONFLICT, _("Another window or terminal of Beckon has already resumed this."));
  call_add_result (batch, call);
}

/* --- Parts -------------------------------------------------------------------------------------------------------- */

void
beckon_batch_add_part (BeckonBatch *batch, const char *conversation_id, const char *message_id, guint index,
                       BeckonPart *part)
{
  BeckonToolCall *call = beckon_part_get_call (part);

  beckon_batch_add_id (batch, conversation_id);
  if (call != NULL)
    {
      call_add (batch, message_id, call);
      call_add_result (batch, call);
    }
  beckon_batch_run (batch, add_part_sql, message_id, index, beckon_part_kind_to_word (beckon_part_get_kind (part)),
                    beckon_part_get_origin (part), call != NULL ? beckon_tool_call_get_id (call) : NULL,
                    beckon_value_bytes (beckon_part_get_text (part), beckon_part_get_length (part)),
                    beckon_part_get_media_type (part), beckon_part_get_duration (part));
}

void
beckon_batch_append_text (BeckonBatch *batch, const char *message_id, guint index, const char *text, gsize length)
{
  if (length == 0)
    return;

  beckon_batch_add_id (batch, message_id);
  beckon_batch_run (batch, append_text_sql, message_id, index, beckon_value_bytes (text, length));
  beckon_batch_expect_there (batch);
}

void
beckon_batch_set_part_duration (BeckonBatch *batch, const char *message_id, guint index, BeckonPart *part)
{
  beckon_batch_add_id (batch, message_id);
  beckon_batch_run (batch, "UPDATE part SET duration = ?3 WHERE message = ?1 AND place = ?2", message_id, index,
                    beckon_part_get_duration (part));
}
