/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How a loaded conversation follows another process that drives it. Messages, parts and text only ever grow, a call only
 * moves on and gets at most one result; so what was read is compared piece by piece with what is there, and the difference
 * is added.
 */

#include "beckon-library-private.h"

#include "domain/beckon-planned-call.h"
#include "request/beckon-request.h"

static gboolean
is_settled (BeckonMessage *message)
{
  if (beckon_message_get_status (message) == BECKON_MESSAGE_STREAMING)
    return FALSE;

  for (guint i = 0; i < beckon_message_get_n_parts (message); i++)
    {
      BeckonToolCall *call = beckon_part_get_call (beckon_message_get_part (message, i));

      if (call != NULL && !beckon_call_state_is_final (beckon_tool_call_get_state (call)))
        return FALSE;
    }

  return TRUE;
}

gint64
beckon_library_find_open_seq (BeckonConversation *conversation)
{
  for (guint i = 0; i < beckon_conversation_get_n_messages (conversation); i++)
    {
      BeckonMessage *message = beckon_conversation_get_message (conversation, i);

      if (!is_settled (message))
        return beckon_message_get_seq (message);
    }

  return beckon_conversation_get_next_seq (conversation);
}

static BeckonToolCall *
find_by_id (BeckonToolCall *planned, const char *id)
{
  for (guint i = 0; i < beckon_tool_call_get_n_steps (planned); i++)
    if (g_str_equal (beckon_tool_call_get_id (beckon_tool_call_get_step (planned, i)), id))
      return beckon_tool_call_get_step (planned, i);

  return NULL;
}

static void merge_call (BeckonToolCall *call, BeckonToolCall *read);

/* A step was read as one of the object that was read, so it is made anew for the one that is there. */
static void
merge_steps (BeckonToolCall *call, BeckonToolCall *read)
{
  if (beckon_tool_call_get_plan (read) != NULL
      && (beckon_tool_call_get_plan (call) == NULL
          || !beckon_plan_equal (beckon_tool_call_get_plan (call), beckon_tool_call_get_plan (read))))
    beckon_tool_call_set_plan (call, beckon_tool_call_get_plan (read));

  for (guint i = 0; i < beckon_tool_call_get_n_steps (read); i++)
    {
      BeckonToolCall *other = beckon_tool_call_get_step (read, i);
      BeckonToolCall *known = find_by_id (call, beckon_tool_call_get_id (other));
      g_autoptr (BeckonToolCall) step = NULL;

      if (known != NULL)
        {
          merge_call (known, other);
          continue;
        }
      step = beckon_tool_call_new_step (beckon_tool_call_get_id (other), call, beckon_tool_call_get_step_id (other),
                                        beckon_tool_call_get_name (other), beckon_tool_call_get_arguments (other));
      merge_call (step, other);
      beckon_tool_call_add_step (call, step);
    }
}

static gboolean
is_same_landing (const BeckonLanding *landing, const BeckonLanding *read)
{
  return landing != NULL && landing->state == read->state && landing->undone_at == read->undone_at
         && landing->is_gone == read->is_gone;
}

/* The state of its changes: of a file tool a word, of a command all that landed. */
static void
merge_change (BeckonToolCall *call, BeckonToolCall *read)
{
  g_autoptr (GPtrArray) landings = beckon_tool_call_list_landings (read);

  if (landings->len == 0 && beckon_tool_call_get_change (read) != BECKON_CALL_CHANGE_NONE)
    beckon_tool_call_set_change (call, beckon_tool_call_get_change (read));
  for (guint i = landings->len; i > 0; i--)
    {
      const BeckonLanding *landing = g_ptr_array_index (landings, i - 1);

      if (!is_same_landing (beckon_tool_call_find_landing (call, landing->id), landing))
        beckon_tool_call_take_landing (call, beckon_landing_copy (landing));
    }
}

void
beckon_library_merge_moved (BeckonConversation *conversation, GHashTable *moved)
{
  for (guint i = 0; g_hash_table_size (moved) > 0 && i < beckon_conversation_get_n_messages (conversation); i++)
    {
      g_autoptr (GPtrArray) calls = beckon_message_list_calls (beckon_conversation_get_message (conversation, i));

      for (guint j = 0; j < calls->len; j++)
        {
          BeckonToolCall *read = g_hash_table_lookup (moved, beckon_tool_call_get_id (g_ptr_array_index (calls, j)));

          if (read != NULL)
            merge_change (g_ptr_array_index (calls, j), read);
        }
    }
}

static void
merge_call (BeckonToolCall *call, BeckonToolCall *read)
{
  GObject *request = beckon_tool_call_get_request (read);

  if (request != NULL)
    beckon_tool_call_set_request (call, request);
  merge_change (call, read);
  if (beckon_tool_call_get_result (call) == NULL && beckon_tool_call_get_result (read) != NULL)
    {
      beckon_tool_call_add_images_of (call, read);
      beckon_tool_call_set_end (call, beckon_tool_call_get_exit_status (read), beckon_tool_call_get_output_length (read));
      beckon_tool_call_set_result (call, beckon_tool_call_get_result (read), beckon_tool_call_get_is_error (read));
    }
  beckon_tool_call_set_settled_arguments (call, beckon_tool_call_get_settled_arguments (read));
  beckon_tool_call_set_redacted (call, beckon_tool_call_get_redacted (read));
  beckon_tool_call_set_edited_arguments (call, beckon_tool_call_get_edited_arguments (read));
  beckon_tool_call_set_read_only (call, beckon_tool_call_get_read_only (read));
  beckon_tool_call_set_times (call, beckon_tool_call_get_started_at (read), beckon_tool_call_get_finished_at (read));
  beckon_tool_call_set_step_outcome (call, beckon_tool_call_get_step_outcome (read));
  beckon_tool_call_set_state (call, beckon_tool_call_get_state (read));
  merge_steps (call, read);
}

static void
merge_part (BeckonPart *part, BeckonPart *read)
{
  gsize length = beckon_part_get_length (part);

  if (beckon_part_get_kind (part) == BECKON_PART_CALL)
    merge_call (beckon_part_get_call (part), beckon_part_get_call (read));
  else if (beckon_part_get_length (read) > length)
    beckon_part_append (part, beckon_part_get_text (read) + length, beckon_part_get_length (read) - length);
}

static void
merge_message (BeckonMessage *message, BeckonMessage *read)
{
  guint n_known = beckon_message_get_n_parts (message);

  for (guint i = 0; i < beckon_message_get_n_parts (read); i++)
    {
      BeckonPart *part = beckon_message_get_part (read, i);

      if (i >= n_known)
        beckon_message_add_part (message, part);
      else if (beckon_part_get_kind (beckon_message_get_part (message, i)) == beckon_part_get_kind (part))
        merge_part (beckon_message_get_part (message, i), part);
    }

  beckon_message_set_parent_id (message, beckon_message_get_parent_id (read));
  beckon_message_set_version (message, beckon_message_get_version (read), beckon_message_get_n_versions (read));
  beckon_message_set_n_left (message, beckon_message_get_n_left (read));
  beckon_message_set_usage (message, beckon_message_get_usage (read));
  beckon_message_set_status (message, beckon_message_get_status (read));
}

static gboolean
follows_last (BeckonConversation *conversation, BeckonMessage *read)
{
  guint n = beckon_conversation_get_n_messages (conversation);
  const char *last = n > 0 ? beckon_message_get_id (beckon_conversation_get_message (conversation, n - 1)) : NULL;

  return g_strcmp0 (beckon_message_get_parent_id (read), last) == 0;
}

gboolean
beckon_library_merge_messages (BeckonConversation *conversation, GPtrArray *messages)
{
  for (guint i = 0; i < messages->len; i++)
    {
      BeckonMessage *read = g_ptr_array_index (messages, i);
      BeckonMessage *known = beckon_conversation_find_message (conversation, beckon_message_get_id (read));

      if (known != NULL)
        merge_message (known, read);
      else if (!follows_last (conversation, read))
        return FALSE;
      else
        beckon_conversation_add_message (conversation, read);
    }

  return TRUE;
}

/* The objects that are there, brought up to what was read, and those that are new. */
static GPtrArray *
library_merge_unify (BeckonConversation *conversation, GPtrArray *messages)
{
  g_autoptr (GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);
  GPtrArray *unified = g_ptr_array_new_full (messages->len, g_object_unref);

  for (guint i = 0; i < beckon_conversation_get_n_messages (conversation); i++)
    {
      BeckonMessage *message = beckon_conversation_get_message (conversation, i);

      g_hash_table_insert (known, (gpointer) beckon_message_get_id (message), message);
    }
  for (guint i = 0; i < messages->len; i++)
    {
      BeckonMessage *read = g_ptr_array_index (messages, i);
      BeckonMessage *message = g_hash_table_lookup (known, beckon_message_get_id (read));

      if (message != NULL)
        merge_message (message, read);
      g_ptr_array_add (unified, g_object_ref (message != NULL ? message : read));
    }

  return unified;
}

/* Counts the messages before it that stay. */
static guint
find_join (BeckonConversation *conversation, GPtrArray *messages, gint64 first_seq)
{
  const char *parent = messages->len > 0 ? beckon_message_get_parent_id (g_ptr_array_index (messages, 0)) : NULL;
  guint position = 0;

  if (parent != NULL)
    return beckon_conversation_find_position (conversation, parent, &position) ? position + 1 : 0;
  if (messages->len > 0 || first_seq < 0)
    return 0;
  while (position < beckon_conversation_get_n_messages (conversation)
         && beckon_message_get_seq (beckon_conversation_get_message (conversation, position)) < first_seq)
    position++;

  return position;
}

void
beckon_library_take_path (BeckonConversation *conversation, GPtrArray *messages, gint64 first_seq)
{
  g_autoptr (GPtrArray) unified = library_merge_unify (conversation, messages);
  guint join = find_join (conversation, messages, first_seq);
  guint n_same = 0;

  if (join == 0)
    beckon_conversation_set_has_earlier (conversation,
                                         messages->len > 0
                                         && beckon_message_get_parent_id (g_ptr_array_index (messages, 0)) != NULL);
  while (n_same < unified->len && join + n_same < beckon_conversation_get_n_messages (conversation)
         && beckon_conversation_get_message (conversation, join + n_same) == g_ptr_array_index (unified, n_same))
    n_same++;
  if (n_same > 0)
    g_ptr_array_remove_range (unified, 0, n_same);
  beckon_conversation_replace_tail (conversation, join + n_same, unified);
}
