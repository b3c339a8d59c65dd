/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-reply.h"

typedef struct
{
  gboolean message;
  guint n_parts;
  gsize length;  /* of the last part */
  guint n_timed; /* parts before this one have the duration that they have here */
} Stored;

struct _BeckonReply
{
  char *origin;
  BeckonMessage *message;
  GPtrArray *calls;
  BeckonLlmEnd end;
  char *error;
  BeckonLlmError error_kind;

  Stored stored; /* what the store has */
  Stored marked; /* what it had; see beckon_reply_mark() */

  gint64 now;
  gint64 asked_at;
  gint64 last_since; /* when the last part began; 0 once it is known how long it took */

  /* of the tries before */
  BeckonMessage *before; /* (nullable): what came of the last one with output; the message takes its place */
  Stored before_stored;
  BeckonUsage spent;
};

static void
reply_clear (BeckonReply *reply)
{
  g_clear_pointer (&reply->origin, g_free);
  g_clear_pointer (&reply->error, g_free);
  g_clear_object (&reply->message);
  g_clear_pointer (&reply->calls, g_ptr_array_unref);
}

BeckonReply *
beckon_reply_new (void)
{
  BeckonReply *reply = g_new0 (BeckonReply, 1);

  reply->spent = (BeckonUsage) BECKON_USAGE_INIT;
  beckon_reply_begin (reply, NULL, 0);
  return reply;
}

void
beckon_reply_begin (BeckonReply *reply, const char *origin, gint64 now)
{
  if (reply->message != NULL && beckon_reply_has_output (reply))
    {
      g_set_object (&reply->before, reply->message);
      reply->before_stored = reply->stored;
      reply->spent = *beckon_message_get_usage (reply->message);
    }
  reply_clear (reply);
  reply->origin = g_strdup (origin);
  reply->message = beckon_message_new (NULL, BECKON_ROLE_ASSISTANT, now);
  beckon_message_set_status (reply->message, BECKON_MESSAGE_STREAMING);
  reply->calls = g_ptr_array_new_with_free_func (g_object_unref);
  reply->end = BECKON_LLM_END_CUT_OFF;
  reply->error_kind = BECKON_LLM_ERROR_REJECTED;
  reply->stored = reply->marked = (Stored) { 0 };
  reply->asked_at = reply->last_since = 0;
}

void
beckon_reply_free (BeckonReply *reply)
{
  reply_clear (reply);
  g_clear_object (&reply->before);
  g_free (reply);
}

void
beckon_reply_set_time (BeckonReply *reply, gint64 now)
{
  reply->asked_at = reply->asked_at == 0 ? now : reply->asked_at;
  reply->now = now;
}

/* A growing part is over when another comes. */
static void
end_last (BeckonReply *reply)
{
  guint n = beckon_message_get_n_parts (reply->message);
  BeckonPart *last = n > 0 ? beckon_message_get_part (reply->message, n - 1) : NULL;

  if (reply->last_since == 0 || last == NULL)
    return;

  beckon_part_set_duration (last, MAX (reply->now - reply->last_since, 1));
  reply->last_since = 0;
}

static gboolean
feed_text (BeckonReply *reply, BeckonPartKind kind, const BeckonLlmEvent *event)
{
  guint n = beckon_message_get_n_parts (reply->message);
  BeckonPart *last = n > 0 ? beckon_message_get_part (reply->message, n - 1) : NULL;

  if (event->length == 0)
    return FALSE;
  if (last == NULL || beckon_part_get_kind (last) != kind)
    {
      g_autoptr (BeckonPart) part = beckon_part_new (kind, NULL);

      end_last (reply);
      /* The first part took as long as the wait for it. */
      reply->last_since = n == 0 && kind == BECKON_PART_TEXT ? reply->asked_at : reply->now;
      beckon_part_set_origin (part, reply->origin);
      beckon_message_add_part (reply->message, part);
      last = part;
    }
  beckon_part_append (last, event->text, event->length);
  return n == 0;
}

static gboolean
feed_opaque (BeckonReply *reply, const BeckonLlmEvent *event)
{
  g_autoptr (BeckonPart) part = beckon_part_new (BECKON_PART_OPAQUE, NULL);
  guint n = beckon_message_get_n_parts (reply->message);

  beckon_part_set_origin (part, reply->origin);
  beckon_part_append (part, event->text, event->length);
  beckon_message_add_part (reply->message, part);
  return n == 0;
}

static void
feed_call (BeckonReply *reply, const BeckonLlmEvent *event)
{
  g_autoptr (BeckonToolCall) call = NULL;
  const char *arguments = event->arguments != NULL ? event->arguments : "";

  call = beckon_tool_call_new (NULL, event->id, event->name != NULL ? event->name : "", arguments);
  if (event->type == BECKON_LLM_EVENT_BAD_CALL)
    beckon_tool_call_set_fault (call, event->text);
  else if (reply->calls->len >= BECKON_REPLY_MAX_CALLS)
    beckon_tool_call_set_fault (call, "Too many calls in one reply; this one was not run.");
  g_ptr_array_add (reply->calls, g_steal_pointer (&call));
}

gboolean
beckon_reply_feed (BeckonReply *reply, const BeckonLlmEvent *event)
{
  if (event->type != BECKON_LLM_EVENT_REASONING && event->type != BECKON_LLM_EVENT_TEXT
      && event->type != BECKON_LLM_EVENT_USAGE)
    end_last (reply);
  switch (event->type)
    {
    case BECKON_LLM_EVENT_TEXT:
      return feed_text (reply, BECKON_PART_TEXT, event);
    case BECKON_LLM_EVENT_REASONING:
      return feed_text (reply, BECKON_PART_REASONING, event);
    case BECKON_LLM_EVENT_OPAQUE:
      return feed_opaque (reply, event);
    case BECKON_LLM_EVENT_CALL:
    case BECKON_LLM_EVENT_BAD_CALL:
      feed_call (reply, event);
      break;
    case BECKON_LLM_EVENT_USAGE:
      beckon_message_set_usage (reply->message, &event->usage);
      break;
    case BECKON_LLM_EVENT_ERROR:
      g_free (reply->error);
      reply->error = g_strndup (event->text, event->length);
      reply->error_kind = event->error;
      break;
    case BECKON_LLM_EVENT_END:
      reply->end = event->end;
      if (event->text != NULL && reply->error == NULL)
        reply->error = g_strndup (event->text, event->length);
      break;
    case BECKON_LLM_EVENT_CALL_STARTED:
    default:
      break;
    }
  return FALSE;
}

BeckonMessage *
beckon_reply_get_message (BeckonReply *reply)
{
  return reply->message;
}

gboolean
beckon_reply_has_output (BeckonReply *reply)
{
  return beckon_message_get_n_parts (reply->message) > 0;
}

const BeckonUsage *
beckon_reply_get_spent (BeckonReply *reply)
{
  return &reply->spent;
}

void
beckon_reply_show (BeckonReply *reply, BeckonConversation *conversation)
{
  if (reply->before != NULL)
    beckon_conversation_drop_message (conversation, reply->before);
  beckon_conversation_add_message (conversation, reply->message);
}

void
beckon_reply_rename_call (BeckonReply *reply, guint index, const char *name)
{
  BeckonToolCall *call = g_ptr_array_index (reply->calls, index);
  BeckonToolCall *renamed = beckon_tool_call_new (beckon_tool_call_get_id (call), beckon_tool_call_get_provider_id (call), name,
                                                  beckon_tool_call_get_arguments (call));

  beckon_tool_call_set_fault (renamed, beckon_tool_call_get_fault (call));
  g_ptr_array_index (reply->calls, index) = renamed;
  g_object_unref (call);
}

GPtrArray *
beckon_reply_get_calls (BeckonReply *reply)
{
  return reply->calls;
}

BeckonLlmEnd
beckon_reply_get_end (BeckonReply *reply)
{
  return reply->end;
}

const char *
beckon_reply_get_error (BeckonReply *reply)
{
  return reply->error;
}

BeckonLlmError
beckon_reply_get_error_kind (BeckonReply *reply)
{
  return reply->error_kind;
}

/* How long a part took is known only when it may be stored already. */
static void
flush_durations (BeckonReply *reply, BeckonBatch *batch)
{
  for (; reply->stored.n_timed < reply->stored.n_parts; reply->stored.n_timed++)
    {
      BeckonPart *part = beckon_message_get_part (reply->message, reply->stored.n_timed);

      if (reply->last_since > 0 && reply->stored.n_timed + 1 == beckon_message_get_n_parts (reply->message))
        return;
      if (beckon_part_get_duration (part) > 0)
        beckon_batch_set_part_duration (batch, beckon_message_get_id (reply->message), reply->stored.n_timed, part);
    }
}

/* Only the last part ever grows, so what is new is the rest of the last stored part and the parts after it. */
static gboolean
flush_parts (BeckonReply *reply, BeckonBatch *batch, const char *conversation_id)
{
  const char *id = beckon_message_get_id (reply->message);
  guint n = beckon_message_get_n_parts (reply->message);
  gboolean added = FALSE;

  flush_durations (reply, batch);
  if (reply->stored.n_parts > 0)
    {
      BeckonPart *part = beckon_message_get_part (reply->message, reply->stored.n_parts - 1);
      gsize length = beckon_part_get_length (part);

      if (length > reply->stored.length)
        {
          beckon_batch_append_text (batch, id, reply->stored.n_parts - 1,
                                    beckon_part_get_text (part) + reply->stored.length,
                                    length - reply->stored.length);
          reply->stored.length = length;
          added = TRUE;
        }
    }
  for (; reply->stored.n_parts < n; reply->stored.n_parts++)
    {
      BeckonPart *part = beckon_message_get_part (reply->message, reply->stored.n_parts);

      beckon_batch_add_part (batch, conversation_id, id, reply->stored.n_parts, part);
      reply->stored.n_timed += beckon_part_get_duration (part) > 0 && reply->stored.n_timed == reply->stored.n_parts;
      reply->stored.length = beckon_part_get_length (part);
      added = TRUE;
    }
  return added;
}

gboolean
beckon_reply_flush (BeckonReply *reply, BeckonBatch *batch, const char *conversation_id)
{
  guint n = beckon_message_get_n_parts (reply->message);

  if (beckon_message_get_status (reply->message) != BECKON_MESSAGE_STREAMING)
    end_last (reply);
  if (reply->stored.message)
    return flush_parts (reply, batch, conversation_id);
  if (reply->before != NULL)
    beckon_batch_drop_reply (batch, conversation_id, beckon_message_get_id (reply->before));
  beckon_batch_add_message (batch, conversation_id, reply->message);
  reply->stored.message = TRUE;
  reply->stored.n_parts = n;
  reply->stored.length = n > 0 ? beckon_part_get_length (beckon_message_get_part (reply->message, n - 1)) : 0;
  return TRUE;
}

void
beckon_reply_mark (BeckonReply *reply)
{
  reply->marked = reply->stored;
}

void
beckon_reply_rewind (BeckonReply *reply)
{
  reply->stored = reply->marked;
}

/* %FALSE unless the message is what is left of an earlier try now. */
static gboolean
reply_take_back (BeckonReply *reply)
{
  if (reply->before == NULL || beckon_reply_has_output (reply))
    return FALSE;
  g_set_object (&reply->message, reply->before);
  g_clear_object (&reply->before);
  reply->stored = reply->before_stored;
  return TRUE;
}

void
beckon_reply_end (BeckonReply *reply, BeckonBatch *batch, const char *conversation_id, BeckonMessageStatus status)
{
  /* An earlier try is never whole, however the last one ended. */
  if (reply_take_back (reply) && status == BECKON_MESSAGE_COMPLETE)
    status = BECKON_MESSAGE_CUT_OFF;
  if (!beckon_reply_has_output (reply))
    return;
  beckon_reply_flush (reply, batch, conversation_id);
  beckon_message_set_status (reply->message, status);
  beckon_batch_set_message (batch, reply->message);
}

void
beckon_reply_show_end (BeckonReply *reply, BeckonMessageStatus status)
{
  reply_take_back (reply);
  if (status != BECKON_MESSAGE_COMPLETE)
    beckon_message_set_status (reply->message, status);
}
