/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-chat-calls.h"
#include "beckon-chat-chunk.h"
#include "beckon-chat-parts.h"
#include "beckon-codec-private.h"
#include "beckon-sse-parser.h"

#include "base/beckon-text.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* OpenAI's chat completions, and what the many servers that claim to speak it really send.
 *
 * Text goes out as it comes. Calls, usage and the end are given in finish(), because whether a call is whole, and how
 * the reply ended, is known only then: a finish reason may come twice, may be contradicted by the provider's own
 * reason in the same chunk, and an error may follow it. What is neither `[DONE]` nor a finish reason is no end,
 * whatever the transport says.
 *
 * A body that begins with a brace or bracket is no event stream but one reply (or error) as a whole. It is collected
 * and read at its end. */

/* For the model. */
#define BROKEN_OFF "The reply broke off before its end, so none of its calls was run."

/* The rest of a longer refusal is dropped. */
#define MAX_REFUSAL 65536

typedef enum
{
  FRAMING_UNKNOWN,
  FRAMING_EVENTS,
  FRAMING_WHOLE,
} Framing;

typedef struct
{
  BeckonDecoder parent;

  BeckonLlmEventFunc function;
  gpointer user_data;
  Framing framing;
  BeckonSseParser *events;
  GString *whole;
  GString *scratch;
  BeckonChatCalls *calls;

  gboolean has_deltas;
  gboolean has_finish;
  BeckonLlmEnd finish;
  gboolean is_cut_at_length;
  GString *refusal;
  gboolean has_usage;
  BeckonUsage usage;
  gboolean is_failed;
  gboolean is_done; /* the protocol's own last word came */
  guint n_ignored;  /* pieces after it */
  gboolean is_finished;
} ChatDecoder;

static void
give_text (ChatDecoder *self, BeckonLlmEventType type, const BeckonJsonSlice *slice)
{
  BeckonLlmEvent event = { .type = type };

  if (slice->length == 0)
    return;
  event.text = beckon_json_slice_decode (slice, self->scratch, &event.length);
  self->function (&event, self->user_data);
}

/* One error is enough to say that a reply failed; servers repeat themselves. */
static void
fail (ChatDecoder *self, const char *message)
{
  BeckonLlmEvent event = { .type = BECKON_LLM_EVENT_ERROR, .text = message, .length = strlen (message) };

  if (self->is_failed)
    return;
  self->is_failed = TRUE;
  self->function (&event, self->user_data);
}

static void
fail_with (ChatDecoder *self, const BeckonJsonSlice *error)
{
  g_autofree char *message = beckon_chat_error_dup_message (error);

  fail (self, *message != '\0' ? message : _("The provider reported an error and did not say which."));
}

static void
fail_with_text (ChatDecoder *self, const char *text, gsize length)
{
  g_autofree char *shown = beckon_text_for_display (text, (gssize) length, BECKON_TEXT_PROSE);
  g_autofree char *message = beckon_text_shorten (shown, 2000);

  fail (self, *message != '\0' ? message : _("The provider reported an error and did not say which."));
}

static void
give_part (gboolean is_reasoning, const BeckonJsonSlice *text, gpointer user_data)
{
  give_text (user_data, is_reasoning ? BECKON_LLM_EVENT_REASONING : BECKON_LLM_EVENT_TEXT, text);
}

static void
take_refusal (ChatDecoder *self, const BeckonJsonSlice *refusal)
{
  if (refusal->text != NULL && self->refusal->len < MAX_REFUSAL)
    beckon_json_slice_append_to (refusal, self->refusal);
}

static void
take_delta (ChatDecoder *self, const BeckonChatDelta *delta)
{
  gboolean fits = TRUE;

  /* Some servers send the same reasoning under both names. */
  give_text (self, BECKON_LLM_EVENT_REASONING,
             delta->reasoning_content.length > 0 ? &delta->reasoning_content : &delta->reasoning);
  give_text (self, BECKON_LLM_EVENT_TEXT, &delta->content);
  if (delta->parts.text != NULL)
    beckon_chat_parts_read (&delta->parts, give_part, self);
  take_refusal (self, &delta->refusal);
  if (delta->calls.text != NULL)
    fits = beckon_chat_calls_feed (self->calls, &delta->calls);
  if (delta->function_call.text != NULL)
    fits = fits && beckon_chat_calls_feed_function (self->calls, &delta->function_call);
  if (!fits)
    fail (self, _("The reply has too many or too large tool calls."));
}

static BeckonLlmEnd
read_finish (const BeckonJsonSlice *reason)
{
  static const struct
  {
    const char *reason;
    BeckonLlmEnd end;
  } known[] = {
    { "stop", BECKON_LLM_END_COMPLETE },
    { "tool_calls", BECKON_LLM_END_TOOL_CALLS },
    { "function_call", BECKON_LLM_END_TOOL_CALLS },
    { "length", BECKON_LLM_END_LENGTH },
    { "max_tokens", BECKON_LLM_END_LENGTH },
    { "model_length", BECKON_LLM_END_LENGTH },
    { "MAX_TOKENS", BECKON_LLM_END_LENGTH },
    { "content_filter", BECKON_LLM_END_CONTENT_FILTER },
    { "safety", BECKON_LLM_END_CONTENT_FILTER },
    { "SAFETY", BECKON_LLM_END_CONTENT_FILTER },
    { "refusal", BECKON_LLM_END_REFUSAL },
    { "pause_turn", BECKON_LLM_END_PAUSED },
    { "error", BECKON_LLM_END_FAILED },
    { "insufficient_system_resource", BECKON_LLM_END_FAILED },
    { "abort", BECKON_LLM_END_CUT_OFF },
  };

  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    {
      if (beckon_json_slice_equals (reason, known[i].reason))
        return known[i].end;
    }
  return BECKON_LLM_END_COMPLETE;
}

static void
take_finish (ChatDecoder *self, const BeckonChatChunk *chunk)
{
  /* The first one counts; what repeats it has nothing to add. */
  if (chunk->finish.length > 0 && !self->has_finish)
    {
      self->has_finish = TRUE;
      self->finish = read_finish (&chunk->finish);
      if (self->finish == BECKON_LLM_END_FAILED)
        fail_with_text (self, "", 0);
    }
  if (chunk->native_finish.length > 0 && read_finish (&chunk->native_finish) == BECKON_LLM_END_LENGTH)
    self->is_cut_at_length = TRUE;
}

static void
take_chunk (ChatDecoder *self, const BeckonChatChunk *chunk)
{
  if (chunk->delta.present)
    {
      self->has_deltas = TRUE;
      take_delta (self, &chunk->delta);
    }
  /* A stream may close with the whole message, which then says nothing new. */
  else if (chunk->message.present && !self->has_deltas)
    take_delta (self, &chunk->message);
  if (chunk->has_usage)
    {
      self->has_usage = TRUE;
      self->usage = chunk->usage;
    }
  if (chunk->error.text != NULL)
    fail_with (self, &chunk->error);
  take_finish (self, chunk);
}

static BeckonJsonFault
take_json (ChatDecoder *self, const char *text, gsize length, gboolean is_error)
{
  BeckonJsonSlice all = { text, length, FALSE };
  BeckonChatChunk chunk;
  BeckonJsonFault fault = beckon_chat_chunk_read (&chunk, text, length);

  if (fault != BECKON_JSON_FAULT_NONE)
    return fault;
  if (is_error && chunk.error.text == NULL)
    chunk.error = all;
  take_chunk (self, &chunk);
  if (self->framing == FRAMING_WHOLE && chunk.has_choices)
    self->is_done = TRUE;
  return fault;
}

static void
take_payload (ChatDecoder *self, const char *text, gsize length, gboolean is_error)
{
  while (length > 0 && g_ascii_isspace (text[length - 1]))
    length--;
  while (length > 0 && g_ascii_isspace (*text))
    {
      text++;
      length--;
    }
  if (self->is_done)
    self->n_ignored++;
  else if (length == strlen ("[DONE]") && memcmp (text, "[DONE]", length) == 0)
    self->is_done = TRUE;
  else if ((length > 0 || is_error) && take_json (self, text, length, is_error) != BECKON_JSON_FAULT_NONE)
    {
      if (is_error)
        fail_with_text (self, text, length);
      else
        fail (self, _("The server sent a piece of the reply that is not valid JSON."));
    }
}

static void
on_event (const BeckonSseEvent *event, gpointer user_data)
{
  take_payload (user_data, event->data, event->length, strcmp (event->type, "error") == 0);
}

/* Some servers write "error: {…}" as a line of its own, which no rule of event streams knows. */
static void
on_field (const char *name, gsize name_length, const char *value, gsize value_length, gpointer user_data)
{
  if (name_length == strlen ("error") && memcmp (name, "error", name_length) == 0)
    take_payload (user_data, value, value_length, TRUE);
}

static gboolean
push_whole (ChatDecoder *self, const char *data, gsize length, GError **error)
{
  if (length > BECKON_SSE_MAX_EVENT - self->whole->len)
    {
      g_set_error_literal (error, BECKON_LLM_ERROR, BECKON_LLM_ERROR_TOO_LARGE,
                           _("The server sent a single piece of more than 8 MB, which is not accepted."));
      return FALSE;
    }
  g_string_append_len (self->whole, data, (gssize) length);
  return TRUE;
}

static gboolean
chat_push (BeckonDecoder *decoder, const char *data, gsize length, GError **error)
{
  ChatDecoder *self = (ChatDecoder *) decoder;

  for (gsize i = 0; i < length && self->framing == FRAMING_UNKNOWN; i++)
    {
      if (data[i] == '{' || data[i] == '[')
        self->framing = FRAMING_WHOLE;
      /* The bytes of a byte order mark tell nothing. */
      else if (data[i] == '\0' || strchr (" \t\r\n\xef\xbb\xbf", data[i]) == NULL)
        self->framing = FRAMING_EVENTS;
    }
  return self->framing == FRAMING_WHOLE ? push_whole (self, data, length, error)
                                        : beckon_sse_parser_push (self->events, data, length, error);
}

static void
chat_push_payload (BeckonDecoder *decoder, const char *data, gsize length)
{
  take_payload ((ChatDecoder *) decoder, data, length, FALSE);
}

/* Payloads, one a line. */
static void
take_lines (ChatDecoder *self)
{
  const char *at = self->whole->str;
  const char *end = at + self->whole->len;

  self->framing = FRAMING_EVENTS;
  while (at < end)
    {
      const char *line_end = memchr (at, '\n', (gsize) (end - at));

      if (line_end == NULL)
        line_end = end;
      take_payload (self, at, (gsize) (line_end - at), FALSE);
      at = line_end + 1;
    }
}

static void
take_whole (ChatDecoder *self)
{
  const char *start = self->whole->str + strcspn (self->whole->str, "{[");
  BeckonJsonFault fault = take_json (self, start, (gsize) (self->whole->str + self->whole->len - start), FALSE);

  if (fault == BECKON_JSON_FAULT_TRAILING)
    take_lines (self);
  else if (fault != BECKON_JSON_FAULT_NONE && fault != BECKON_JSON_FAULT_CUT)
    fail (self, _("The server sent a reply that is not valid JSON."));
  else if (fault == BECKON_JSON_FAULT_NONE && !self->is_done)
    fail (self, _("The server sent something that is not a reply of a model."));
}

static BeckonLlmEnd
find_end (ChatDecoder *self)
{
  if (self->is_failed)
    return BECKON_LLM_END_FAILED;
  /* Without a finish reason an open call is a sign that the end is missing, too. */
  if (!self->has_finish && (!self->is_done || !beckon_chat_calls_are_whole (self->calls, FALSE)))
    return BECKON_LLM_END_CUT_OFF;
  if (self->is_cut_at_length)
    return BECKON_LLM_END_LENGTH;
  if (self->has_finish && self->finish != BECKON_LLM_END_COMPLETE)
    return self->finish;
  if (self->refusal->len > 0)
    return BECKON_LLM_END_REFUSAL;
  return beckon_chat_calls_get_count (self->calls) > 0 ? BECKON_LLM_END_TOOL_CALLS : BECKON_LLM_END_COMPLETE;
}

static gboolean
is_normal (BeckonLlmEnd end)
{
  return end == BECKON_LLM_END_COMPLETE || end == BECKON_LLM_END_TOOL_CALLS;
}

static gboolean
is_broken_off (BeckonLlmEnd end)
{
  return end == BECKON_LLM_END_FAILED || end == BECKON_LLM_END_CUT_OFF;
}

static void
give_usage (ChatDecoder *self)
{
  BeckonLlmEvent event = { .type = BECKON_LLM_EVENT_USAGE, .usage = self->usage };

  if (self->has_usage)
    self->function (&event, self->user_data);
}

static void
chat_finish (BeckonDecoder *decoder)
{
  ChatDecoder *self = (ChatDecoder *) decoder;
  BeckonLlmEvent event = { .type = BECKON_LLM_EVENT_END };
  g_autofree char *refusal = NULL;

  g_return_if_fail (!self->is_finished);

  self->is_finished = TRUE;
  if (self->framing == FRAMING_WHOLE)
    take_whole (self);
  event.end = find_end (self);
  beckon_chat_calls_give (self->calls, self->has_finish && is_normal (event.end),
                          is_broken_off (event.end) ? BROKEN_OFF : NULL);
  give_usage (self);
  if (self->n_ignored > 0)
    g_debug ("Ignored %u pieces after the end of the reply", self->n_ignored);
  if (self->refusal->len > 0)
    {
      refusal = beckon_text_make_valid (self->refusal->str, (gssize) self->refusal->len, &event.length);
      event.text = refusal;
    }
  self->function (&event, self->user_data);
}

static gboolean
chat_is_terminated (BeckonDecoder *decoder)
{
  return ((ChatDecoder *) decoder)->is_done;
}

static void
chat_free (BeckonDecoder *decoder)
{
  ChatDecoder *self = (ChatDecoder *) decoder;

  beckon_sse_parser_free (self->events);
  g_string_free (self->whole, TRUE);
  g_string_free (self->scratch, TRUE);
  g_string_free (self->refusal, TRUE);
  beckon_chat_calls_free (self->calls);
  g_free (self);
}

static BeckonDecoder *
chat_decoder_new (BeckonLlmEventFunc function, gpointer user_data)
{
  static const BeckonDecoderClass klass = { chat_push, chat_push_payload, chat_finish, chat_is_terminated, chat_free };
  ChatDecoder *self = g_new0 (ChatDecoder, 1);

  self->parent.klass = &klass;
  self->function = function;
  self->user_data = user_data;
  self->events = beckon_sse_parser_new (on_event, on_field, self);
  self->whole = g_string_new (NULL);
  self->scratch = g_string_new (NULL);
  self->refusal = g_string_new (NULL);
  self->calls = beckon_chat_calls_new (function, user_data);
  return &self->parent;
}

const BeckonCodec beckon_codec_chat = {
  .name = "chat",
  .path = "/chat/completions",
  .encode = beckon_chat_encode,
  .decoder_new = chat_decoder_new,
};
