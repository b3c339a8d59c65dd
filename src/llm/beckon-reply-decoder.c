/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-reply-decoder.h"

#include "base/beckon-json.h"
#include "base/beckon-text.h"
#include "beckon-llm-failure.h"
#include "net/beckon-sse-parser.h"

#include <glib/gi18n-lib.h>
#include <string.h>

static char *llm_error_dup_message (const BeckonJsonSlice *error);

/* Text goes out as it comes. Calls, usage and the end are given in finish(), because whether a call is whole, and how
 * the reply ended, is known only then: a finish reason may come twice, may be contradicted by the provider's own
 * reason in the same chunk, and an error may follow it. What is neither the protocol's last word nor a finish reason
 * is no end, whatever the transport says.
 *
 * A body that begins with a brace or bracket is no event stream but one reply (or error) as a whole. It is collected
 * and read at its end. */

/* For the model. */
#define BROKEN_OFF "The reply broke off before its end, so none of its calls was run."

/* The rest of a longer refusal is dropped. */
#define MAX_REFUSAL 65536

/* Longer than any message that a person would read. */
#define MAX_ERROR_CHARS 2000

/* Longer than any word for how a reply ended. */
#define MAX_REASON_CHARS 200

enum
{
  FRAMING_UNKNOWN,
  FRAMING_EVENTS,
  FRAMING_WHOLE,
  FRAMING_LINES,
};

void
beckon_reply_decoder_give_text (BeckonReplyDecoder *self, BeckonLlmEventType type, const BeckonJsonSlice *slice)
{
  BeckonLlmEvent event = { .type = type };

  if (slice->length == 0)
    return;
  event.text = beckon_json_slice_decode (slice, self->scratch, &event.length);
  self->text_length = type == BECKON_LLM_EVENT_TEXT ? self->text_length + event.length : 0;
  self->has_text |= type == BECKON_LLM_EVENT_TEXT;
  self->function (&event, self->user_data);
}

void
beckon_reply_decoder_give_opaque (BeckonReplyDecoder *self, const char *json, gsize length)
{
  BeckonLlmEvent event = { .type = BECKON_LLM_EVENT_OPAQUE, .text = json, .length = length };

  if (!beckon_json_check (json, (gssize) length, NULL))
    return;
  self->text_length = 0;
  self->function (&event, self->user_data);
}

static void
reply_decoder_fail (BeckonReplyDecoder *self, const char *message, BeckonLlmError kind)
{
  BeckonLlmEvent event = { .type = BECKON_LLM_EVENT_ERROR, .error = kind };

  event.text = *message != '\0' ? message : _("The provider reported an error and did not say which.");
  event.length = strlen (event.text);
  self->is_failed = TRUE;
  self->function (&event, self->user_data);
}

void
beckon_reply_decoder_fail (BeckonReplyDecoder *self, const char *message)
{
  reply_decoder_fail (self, message, BECKON_LLM_ERROR_PROTOCOL);
}

void
beckon_reply_decoder_fail_with (BeckonReplyDecoder *self, const BeckonJsonSlice *error)
{
  g_autofree char *message = llm_error_dup_message (error);

  reply_decoder_fail (self, message, beckon_llm_failure_classify (error->text, error->length));
}

void
beckon_reply_decoder_set_finish (BeckonReplyDecoder *self, BeckonLlmEnd finish)
{
  if (self->has_finish)
    return;
  self->has_finish = TRUE;
  self->finish = finish;
}

void
beckon_reply_decoder_set_other_finish (BeckonReplyDecoder *self, const BeckonJsonSlice *reason)
{
  if (self->has_finish)
    return;
  beckon_reply_decoder_set_finish (self, BECKON_LLM_END_OTHER);
  beckon_json_slice_append_to (reason, self->reason);
}

void
beckon_reply_decoder_add_refusal (BeckonReplyDecoder *self, const BeckonJsonSlice *refusal)
{
  if (refusal->text != NULL && self->refusal->len < MAX_REFUSAL)
    beckon_json_slice_append_to (refusal, self->refusal);
}

void
beckon_reply_decoder_check_calls (BeckonReplyDecoder *self, gboolean fits)
{
  if (!fits && !self->is_failed)
    beckon_reply_decoder_fail (self, _("The reply has too many or too large tool calls."));
}

/* --- Framing ------------------------------------------------------------------------------------------------------ */

static void
fail_with_text (BeckonReplyDecoder *self, const char *text, gsize length)
{
  g_autofree char *shown = beckon_text_for_display (text, (gssize) length, BECKON_TEXT_PROSE);
  g_autofree char *message = beckon_text_shorten (shown, MAX_ERROR_CHARS);

  reply_decoder_fail (self, message, beckon_llm_failure_classify (text, length));
}

/* Only the first complaint counts. */
static void
complain (BeckonReplyDecoder *self, const char *text, gsize length, gboolean is_error)
{
  if (self->is_failed)
    return;
  if (is_error)
    fail_with_text (self, text, length);
  else
    beckon_reply_decoder_fail (self, _("The server sent a piece of the reply that is not valid JSON."));
}

static void
take_payload (BeckonReplyDecoder *self, const char *text, gsize length, gboolean is_error)
{
  while (length > 0 && g_ascii_isspace (text[length - 1]))
    length--;
  while (length > 0 && g_ascii_isspace (*text))
    {
      text++;
      length--;
    }
  if (self->is_done)
    self->n_ignored += length > 0;
  else if (length == strlen ("[DONE]") && memcmp (text, "[DONE]", length) == 0)
    self->is_done = TRUE;
  else if ((length > 0 || is_error) && self->protocol->take (self, text, length, is_error) != BECKON_JSON_FAULT_NONE)
    complain (self, text, length, is_error);
}

/* A line without its end, after which nothing came: cut, if its JSON is the beginning of some. */
static void
take_last_line (BeckonReplyDecoder *self)
{
  g_autoptr (GString) line = g_steal_pointer (&self->whole);
  BeckonJsonFault fault = self->is_done ? BECKON_JSON_FAULT_NONE : self->protocol->take (self, line->str, line->len, FALSE);

  self->whole = g_string_new (NULL);
  if (fault != BECKON_JSON_FAULT_NONE && fault != BECKON_JSON_FAULT_CUT)
    complain (self, line->str, line->len, FALSE);
}

static void
reply_decoder_on_event (const BeckonSseEvent *event, gpointer user_data)
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
reply_decoder_keep (BeckonReplyDecoder *self, const char *data, gsize length, GError **error)
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
push_lines (BeckonReplyDecoder *self, const char *data, gsize length, GError **error)
{
  const char *end = data + length;
  const char *line_end;

  while ((line_end = memchr (data, '\n', (gsize) (end - data))) != NULL)
    {
      if (self->whole->len == 0)
        take_payload (self, data, (gsize) (line_end - data), FALSE);
      else if (reply_decoder_keep (self, data, (gsize) (line_end - data), error))
        {
          take_payload (self, self->whole->str, self->whole->len, FALSE);
          g_string_truncate (self->whole, 0);
        }
      else
        return FALSE;
      data = line_end + 1;
    }
  return reply_decoder_keep (self, data, (gsize) (end - data), error);
}

static void
find_framing (BeckonReplyDecoder *self, const char *data, gsize length)
{
  for (gsize i = 0; i < length && self->framing == FRAMING_UNKNOWN; i++)
    {
      if (data[i] == '{' || data[i] == '[')
        self->framing = FRAMING_WHOLE;
      /* The bytes of a byte order mark tell nothing. */
      else if (data[i] == '\0' || strchr (" \t\r\n\xef\xbb\xbf", data[i]) == NULL)
        self->framing = FRAMING_EVENTS;
    }
}

static gboolean
reply_push (BeckonDecoder *decoder, const char *data, gsize length, GError **error)
{
  BeckonReplyDecoder *self = (BeckonReplyDecoder *) decoder;

  if (self->framing == FRAMING_LINES)
    return push_lines (self, data, length, error);
  find_framing (self, data, length);
  return self->framing == FRAMING_WHOLE ? reply_decoder_keep (self, data, length, error)
                                        : beckon_sse_parser_push (self->events, data, length, error);
}

static void
reply_push_payload (BeckonDecoder *decoder, const char *data, gsize length)
{
  take_payload ((BeckonReplyDecoder *) decoder, data, length, FALSE);
}

/* Payloads, one a line. */
static void
take_lines (BeckonReplyDecoder *self)
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
take_whole (BeckonReplyDecoder *self)
{
  const char *start = self->whole->str + strcspn (self->whole->str, "{[");
  gsize length = (gsize) (self->whole->str + self->whole->len - start);
  BeckonJsonFault fault;

  fault = self->protocol->take_whole != NULL ? self->protocol->take_whole (self, start, length)
                                             : self->protocol->take (self, start, length, FALSE);
  if (fault == BECKON_JSON_FAULT_TRAILING)
    take_lines (self);
  else if (self->is_failed)
    return;
  else if (fault != BECKON_JSON_FAULT_NONE && fault != BECKON_JSON_FAULT_CUT)
    beckon_reply_decoder_fail (self, _("The server sent a reply that is not valid JSON."));
  else if (fault == BECKON_JSON_FAULT_NONE && !self->is_done)
    beckon_reply_decoder_fail (self, _("The server sent something that is not a reply of a model."));
}

/* --- The end ------------------------------------------------------------------------------------------------------ */

static BeckonLlmEnd
reply_decoder_find_end (BeckonReplyDecoder *self)
{
  if (self->is_failed)
    return BECKON_LLM_END_FAILED;
  /* Without a finish reason an open call is a sign that the end is missing, too. */
  if (!self->has_finish && (!self->is_done || !beckon_llm_calls_are_whole (self->calls, FALSE)))
    return BECKON_LLM_END_CUT_OFF;
  if (self->is_cut_at_length)
    return BECKON_LLM_END_LENGTH;
  if (self->has_finish && self->finish != BECKON_LLM_END_COMPLETE)
    return self->finish;
  if (self->refusal->len > 0)
    return BECKON_LLM_END_REFUSAL;
  return beckon_llm_calls_get_count (self->calls) > 0 ? BECKON_LLM_END_TOOL_CALLS : BECKON_LLM_END_COMPLETE;
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
give_usage (BeckonReplyDecoder *self)
{
  BeckonLlmEvent event = { .type = BECKON_LLM_EVENT_USAGE, .usage = self->usage };

  event.usage.input = MAX (event.usage.input, -1);
  event.usage.output = MAX (event.usage.output, -1);
  event.usage.cached = MAX (event.usage.cached, -1);
  if (self->has_usage)
    self->function (&event, self->user_data);
}

/* (nullable): what was said of the end. */
static char *
reply_decoder_dup_words (BeckonReplyDecoder *self, BeckonLlmEnd end, gsize *length)
{
  g_autofree char *shown = NULL;
  char *words;

  if (end != BECKON_LLM_END_OTHER)
    return self->refusal->len == 0 ? NULL
                                   : beckon_text_make_valid (self->refusal->str, (gssize) self->refusal->len, length);
  shown = beckon_text_for_display (self->reason->str, (gssize) self->reason->len, BECKON_TEXT_EXACT);
  words = beckon_text_shorten (shown, MAX_REASON_CHARS);
  *length = strlen (words);
  return words;
}

static void
reply_finish (BeckonDecoder *decoder)
{
  BeckonReplyDecoder *self = (BeckonReplyDecoder *) decoder;
  BeckonLlmEvent event = { .type = BECKON_LLM_EVENT_END };
  g_autofree char *words = NULL;

  self->is_finished = TRUE;
  if (self->framing == FRAMING_WHOLE)
    take_whole (self);
  else if (self->framing == FRAMING_LINES && self->whole->len > 0)
    take_last_line (self);
  if (self->protocol->finish != NULL)
    self->protocol->finish (self);
  event.end = reply_decoder_find_end (self);
  beckon_llm_calls_give (self->calls, self->has_finish && is_normal (event.end),
                         is_broken_off (event.end) ? BROKEN_OFF : NULL);
  give_usage (self);
  if (self->n_ignored > 0)
    g_debug ("Ignored %u pieces after the end of the reply", self->n_ignored);
  words = reply_decoder_dup_words (self, event.end, &event.length);
  event.text = words;
  self->function (&event, self->user_data);
}

static gboolean
reply_is_terminated (BeckonDecoder *decoder)
{
  return ((BeckonReplyDecoder *) decoder)->is_done;
}

static void
reply_free (BeckonDecoder *decoder)
{
  BeckonReplyDecoder *self = (BeckonReplyDecoder *) decoder;

  if (self->protocol->clear != NULL)
    self->protocol->clear (self);
  beckon_sse_parser_free (self->events);
  g_string_free (self->whole, TRUE);
  g_string_free (self->scratch, TRUE);
  g_string_free (self->refusal, TRUE);
  g_string_free (self->reason, TRUE);
  beckon_llm_calls_free (self->calls);
  g_free (self);
}

BeckonDecoder *
beckon_reply_decoder_new (const BeckonReplyProtocol *protocol, BeckonLlmEventFunc function, gpointer user_data)
{
  static const BeckonDecoderClass klass = {
    reply_push, reply_push_payload, reply_finish, reply_is_terminated, reply_free,
  };
  BeckonReplyDecoder *self = g_malloc0 (protocol->size);

  self->parent.klass = &klass;
  self->protocol = protocol;
  self->function = function;
  self->user_data = user_data;
  self->framing = protocol->by_lines ? FRAMING_LINES : FRAMING_UNKNOWN;
  self->usage = (BeckonUsage) BECKON_USAGE_INIT;
  self->events = beckon_sse_parser_new (reply_decoder_on_event, on_field, self);
  self->whole = g_string_new (NULL);
  self->scratch = g_string_new (NULL);
  self->refusal = g_string_new (NULL);
  self->reason = g_string_new (NULL);
  self->calls = beckon_llm_calls_new (function, user_data);
  if (protocol->init != NULL)
    protocol->init (self);
  return &self->parent;
}

/* --- Errors ------------------------------------------------------------------------------------------------------- */

typedef struct
{
  BeckonJsonSlice message; /* raw */
  BeckonJsonSlice error;   /* raw */
} Complaint;

static const BeckonJsonMember complaint_members[] = {
  BECKON_JSON_RAW_MEMBER ("message", Complaint, message),
  BECKON_JSON_RAW_MEMBER ("error", Complaint, error),
  BECKON_JSON_MEMBERS_END,
};

static gboolean
is_string (const BeckonJsonSlice *raw)
{
  return raw->length >= 2 && raw->text[0] == '"';
}

/* The error is a string, has a message, or has an error for which the same is true. */
static void
append_message (const BeckonJsonSlice *error, guint depth, GString *text)
{
  Complaint complaint = { 0 };

  if (is_string (error))
    {
      BeckonJsonSlice string = { error->text + 1, error->length - 2, TRUE };

      beckon_json_slice_append_to (&string, text);
      return;
    }
  beckon_json_members_read_text (error->text, error->length, complaint_members, &complaint);
  if (is_string (&complaint.message))
    append_message (&complaint.message, 0, text);
  else if (complaint.error.text != NULL && depth > 0)
    append_message (&complaint.error, depth - 1, text);
}

/* Reads the message out of an error as raw JSON, in any of the forms that are in use; fit to show, "" if there is none. */
static char *
llm_error_dup_message (const BeckonJsonSlice *error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *shown = NULL;

  append_message (error, 1, text);
  if (text->len == 0 && error->length > 0 && error->text[0] == '{')
    g_string_append_len (text, error->text, (gssize) error->length);
  shown = beckon_text_for_display (text->str, (gssize) text->len, BECKON_TEXT_PROSE);
  return beckon_text_shorten (shown, MAX_ERROR_CHARS);
}
