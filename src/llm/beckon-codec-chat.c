/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/beckon-json-reader.h"
#include "beckon-chat-calls.h"
#include "beckon-chat-chunk.h"
#include "beckon-chat-details.h"
#include "beckon-citation-list.h"
#include "beckon-reply-decoder.h"

#include <string.h>

typedef void (*BeckonChatPartFunc) (gboolean is_reasoning, const BeckonJsonSlice *text, gpointer user_data);

typedef struct
{
  BeckonJsonSlice type;
  BeckonJsonSlice text;
  BeckonJsonSlice thinking;
  BeckonJsonSlice thinking_parts; /* raw */
} Part;

typedef struct
{
  BeckonChatPartFunc function;
  gpointer user_data;
  gboolean in_thinking;
} Walk;

static void
read_member (BeckonJsonReader *reader, Part *part)
{
  gboolean is_type = beckon_json_slice_equals (&reader->slice, "type");
  gboolean is_text = beckon_json_slice_equals (&reader->slice, "text");
  gboolean is_thinking = beckon_json_slice_equals (&reader->slice, "thinking");
  BeckonJsonToken token = beckon_json_reader_next (reader);

  if (token == BECKON_JSON_STRING && is_type)
    part->type = reader->slice;
  else if (token == BECKON_JSON_STRING && is_text)
    part->text = reader->slice;
  else if (token == BECKON_JSON_STRING && is_thinking)
    part->thinking = reader->slice;
  else
    beckon_json_reader_finish_value (reader, token,
                                     is_thinking && token == BECKON_JSON_ARRAY_BEGIN ? &part->thinking_parts : NULL);
}

static gboolean
has_type (const Part *part, const char *type)
{
  return part->type.text != NULL && beckon_json_slice_equals (&part->type, type);
}

static void walk_parts (Walk *walk, const BeckonJsonSlice *parts);

static void
chat_parts_give_part (Walk *walk, const Part *part)
{
  gboolean is_reasoning = walk->in_thinking || has_type (part, "thinking") || has_type (part, "reasoning");

  if (part->text.text != NULL && (is_reasoning || has_type (part, "text") || has_type (part, "output_text")))
    walk->function (is_reasoning, &part->text, walk->user_data);
  if (part->thinking.text != NULL)
    walk->function (TRUE, &part->thinking, walk->user_data);
  if (part->thinking_parts.text != NULL && !walk->in_thinking)
    {
      Walk inner = { walk->function, walk->user_data, TRUE };

      walk_parts (&inner, &part->thinking_parts);
    }
}

static void
walk_parts (Walk *walk, const BeckonJsonSlice *parts)
{
  BeckonJsonReader reader;
  BeckonJsonToken token;

  beckon_json_reader_init (&reader, parts->text, parts->length, BECKON_JSON_REPLACE);
  beckon_json_reader_next (&reader);
  while ((token = beckon_json_reader_next (&reader)) != BECKON_JSON_ARRAY_END && token != BECKON_JSON_FAULTY)
    {
      Part part = { 0 };

      if (token != BECKON_JSON_OBJECT_BEGIN)
        {
          beckon_json_reader_finish_value (&reader, token, NULL);
          continue;
        }
      while (beckon_json_reader_next (&reader) == BECKON_JSON_NAME)
        read_member (&reader, &part);
      chat_parts_give_part (walk, &part);
    }
}

/* Reads content that comes as typed parts: texts, and thinking, which may be a list itself. Parts of other kinds are not for
 * us. */
static void
chat_parts_read (const BeckonJsonSlice *parts, BeckonChatPartFunc function, gpointer user_data)
{
  Walk walk = { function, user_data, FALSE };

  walk_parts (&walk, parts);
}

/* OpenAI's chat completions, and what the many servers that claim to speak it really send. */

typedef struct
{
  BeckonReplyDecoder reply;

  gboolean has_deltas;
  GString *decoded; /* of the payload at hand */
  BeckonChatDetails *details; /* (nullable) */
  BeckonCitationList *citations;
  GString *sources;           /* a JSON array, or nothing */
  gint64 searches;
} ChatDecoder;

#define MAX_SOURCES (1024 * 1024)

/* A single error shows that a reply failed; servers repeat themselves. */
static void
fail_with (ChatDecoder *self, const BeckonJsonSlice *error)
{
  if (!self->reply.is_failed)
    beckon_reply_decoder_fail_with (&self->reply, error);
}

static void
give_part (gboolean is_reasoning, const BeckonJsonSlice *text, gpointer user_data)
{
  beckon_reply_decoder_give_text (user_data, is_reasoning ? BECKON_LLM_EVENT_REASONING : BECKON_LLM_EVENT_TEXT, text);
}

static void
take_details (ChatDecoder *self, const BeckonJsonSlice *details)
{
  if (self->details == NULL)
    self->details = beckon_chat_details_new ();
  beckon_chat_details_feed (self->details, details);
}

/* The provider's own tool runs can't be shown or sent back, but they aren't hidden either. */
static void
give_server_tools (ChatDecoder *self, const BeckonJsonSlice *tools)
{
  g_autoptr (GString) json = g_string_new ("{\"type\":\"executed_tools\",\"executed_tools\":");

  g_string_append_len (json, tools->text, (gssize) tools->length);
  g_string_append_c (json, '}');
  if (tools->length > 2)
    beckon_reply_decoder_give_opaque (&self->reply, json->str, json->len);
}

static void
take_delta (ChatDecoder *self, const BeckonChatDelta *delta)
{
  BeckonReplyDecoder *reply = &self->reply;
  gboolean fits = TRUE;

  /* Some servers send the same reasoning under both names. */
  beckon_reply_decoder_give_text (reply, BECKON_LLM_EVENT_REASONING,
                                  delta->reasoning_content.length > 0 ? &delta->reasoning_content
                                                                      : &delta->reasoning);
  if (delta->details.text != NULL)
    take_details (self, &delta->details);
  if (delta->server_tools.text != NULL)
    give_server_tools (self, &delta->server_tools);
  beckon_reply_decoder_give_text (reply, BECKON_LLM_EVENT_TEXT, &delta->content);
  if (delta->annotations.text != NULL)
    beckon_citation_list_add_sources (self->citations, &delta->annotations);
  if (delta->parts.text != NULL)
    chat_parts_read (&delta->parts, give_part, reply);
  beckon_reply_decoder_add_refusal (reply, &delta->refusal);
  if (delta->calls.text != NULL)
    fits = beckon_chat_calls_feed (reply->calls, &delta->calls);
  if (delta->function_call.text != NULL)
    fits = fits && beckon_chat_calls_feed_function (reply->calls, &delta->function_call);
  beckon_reply_decoder_check_calls (reply, fits);
}

/* "length", "model_length", "max_tokens", "MAX_TOKENS", "max_output_tokens", and what comes next. */
static gboolean
is_limit (const BeckonJsonSlice *reason)
{
  g_autofree char *word = g_strndup (reason->text, reason->length);
  g_autofree char *lower = g_ascii_strdown (word, -1);

  return strstr (lower, "length") != NULL || (strstr (lower, "max") != NULL && strstr (lower, "token") != NULL);
}

/* The words of those who speak it, and of those whose words gateways pass on. */
static gboolean
read_finish (const BeckonJsonSlice *reason, BeckonLlmEnd *end)
{
  static const struct
  {
    const char *reason;
    BeckonLlmEnd end;
  } known[] = {
    { "stop", BECKON_LLM_END_COMPLETE },
    { "STOP", BECKON_LLM_END_COMPLETE },
    { "eos", BECKON_LLM_END_COMPLETE },
    { "eos_token", BECKON_LLM_END_COMPLETE },
    { "end_turn", BECKON_LLM_END_COMPLETE },
    { "stop_sequence", BECKON_LLM_END_COMPLETE },
    { "completed", BECKON_LLM_END_COMPLETE },
    { "tool_calls", BECKON_LLM_END_TOOL_CALLS },
    { "function_call", BECKON_LLM_END_TOOL_CALLS },
    { "tool_use", BECKON_LLM_END_TOOL_CALLS },
    { "content_filter", BECKON_LLM_END_CONTENT_FILTER },
    { "safety", BECKON_LLM_END_CONTENT_FILTER },
    { "SAFETY", BECKON_LLM_END_CONTENT_FILTER },
    { "sensitive", BECKON_LLM_END_CONTENT_FILTER },
    { "RECITATION", BECKON_LLM_END_CONTENT_FILTER },
    { "refusal", BECKON_LLM_END_REFUSAL },
    { "pause_turn", BECKON_LLM_END_PAUSED },
    { "error", BECKON_LLM_END_FAILED },
    { "network_error", BECKON_LLM_END_FAILED },
    { "insufficient_system_resource", BECKON_LLM_END_FAILED },
    { "abort", BECKON_LLM_END_CUT_OFF },
  };

  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    {
      if (beckon_json_slice_equals (reason, known[i].reason))
        {
          *end = known[i].end;
          return TRUE;
        }
    }
  *end = BECKON_LLM_END_LENGTH;
  return is_limit (reason);
}

static void
take_finish (ChatDecoder *self, const BeckonChatChunk *chunk)
{
  BeckonReplyDecoder *reply = &self->reply;
  BeckonLlmEnd end;

  if (chunk->finish.length > 0 && read_finish (&chunk->finish, &end))
    beckon_reply_decoder_set_finish (reply, end);
  else if (chunk->finish.length > 0)
    beckon_reply_decoder_set_other_finish (reply, &chunk->finish);
  if (reply->has_finish && reply->finish == BECKON_LLM_END_FAILED && !reply->is_failed)
    beckon_reply_decoder_fail (reply, "");
  if (chunk->native_finish.length > 0 && read_finish (&chunk->native_finish, &end) && end == BECKON_LLM_END_LENGTH)
    reply->is_cut_at_length = TRUE;
}

/* All of them come again with every chunk. */
static void
take_sources (ChatDecoder *self, const BeckonJsonSlice *sources)
{
  if (sources->length <= 2 || sources->length > MAX_SOURCES
      || (sources->length == self->sources->len && memcmp (sources->text, self->sources->str, sources->length) == 0))
    return;
  g_string_truncate (self->sources, 0);
  g_string_append_len (self->sources, sources->text, (gssize) sources->length);
}

static void
give_citations (ChatDecoder *self)
{
  const BeckonJsonSlice sources = { self->sources->str, self->sources->len, FALSE };

  if (self->sources->len > 0)
    beckon_citation_list_add_sources (self->citations, &sources);
  beckon_citation_list_give (self->citations, &self->reply);
  beckon_citation_list_give_searches (&self->reply, self->searches, NULL);
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
      self->reply.has_usage = TRUE;
      self->reply.usage = chunk->usage;
    }
  if (chunk->sources.text != NULL)
    take_sources (self, &chunk->sources);
  if (chunk->searches > 0)
    self->searches = chunk->searches;
  if (chunk->error.text != NULL)
    fail_with (self, &chunk->error);
  take_finish (self, chunk);
}

static BeckonJsonFault
read_chunk (BeckonReplyDecoder *reply, BeckonChatChunk *chunk, const char *text, gsize length)
{
  ChatDecoder *self = (ChatDecoder *) reply;

  g_string_truncate (self->decoded, 0);
  return beckon_chat_chunk_read (chunk, text, length, self->decoded);
}

static BeckonJsonFault
chat_take (BeckonReplyDecoder *reply, const char *text, gsize length, gboolean is_error)
{
  BeckonJsonSlice all = { text, length, FALSE };
  BeckonChatChunk chunk;
  BeckonJsonFault fault = read_chunk (reply, &chunk, text, length);

  if (fault != BECKON_JSON_FAULT_NONE)
    return fault;
  if (is_error && chunk.error.text == NULL)
    chunk.error = all;
  take_chunk ((ChatDecoder *) reply, &chunk);
  return fault;
}

static BeckonJsonFault
chat_take_whole (BeckonReplyDecoder *reply, const char *text, gsize length)
{
  BeckonChatChunk chunk;
  BeckonJsonFault fault = read_chunk (reply, &chunk, text, length);

  if (fault != BECKON_JSON_FAULT_NONE)
    return fault;
  take_chunk ((ChatDecoder *) reply, &chunk);
  reply->is_done = chunk.has_choices;
  return fault;
}

/* A seal of what broke off is a seal of nothing. */
static void
chat_finish (BeckonReplyDecoder *reply)
{
  ChatDecoder *self = (ChatDecoder *) reply;
  g_autofree char *block = NULL;

  if (self->details != NULL && (reply->has_finish || reply->is_done) && !reply->is_failed)
    block = beckon_chat_details_dup_block (self->details);
  if (block != NULL)
    beckon_reply_decoder_give_opaque (reply, block, strlen (block));
  give_citations (self);
}

static void
chat_init (BeckonReplyDecoder *reply)
{
  ChatDecoder *self = (ChatDecoder *) reply;

  self->decoded = g_string_new (NULL);
  self->citations = beckon_citation_list_new ();
  self->sources = g_string_new (NULL);
}

static void
chat_clear (BeckonReplyDecoder *reply)
{
  ChatDecoder *self = (ChatDecoder *) reply;

  g_clear_pointer (&self->details, beckon_chat_details_free);
  g_string_free (self->decoded, TRUE);
  g_string_free (self->sources, TRUE);
  beckon_citation_list_free (self->citations);
}

static BeckonDecoder *
chat_decoder_new (BeckonLlmEventFunc function, gpointer user_data)
{
  static const BeckonReplyProtocol protocol = {
    .size = sizeof (ChatDecoder),
    .init = chat_init,
    .take = chat_take,
    .take_whole = chat_take_whole,
    .finish = chat_finish,
    .clear = chat_clear,
  };

  return beckon_reply_decoder_new (&protocol, function, user_data);
}

const BeckonCodec beckon_codec_chat = {
  .name = "chat",
  .path = "/chat/completions",
  .key_header = "Authorization",
  .key_prefix = "Bearer ",
  .accept = "text/event-stream",
  .encode = beckon_chat_encode,
  .decoder_new = chat_decoder_new,
};
