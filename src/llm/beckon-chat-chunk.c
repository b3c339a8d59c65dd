/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-chat-chunk.h"

/* Events are held back while a payload is read: fields come in any order (an index after what it belongs to, an error after the
 * text), and a payload that turns out not to be JSON adds nothing. Deltas of calls and lists of parts are rare; they are passed
 * over here and read again by those who want them. */

typedef struct
{
  gint64 index;
  BeckonChatDelta delta;
  BeckonChatDelta message;
  BeckonJsonSlice finish;
  BeckonJsonSlice native_finish;
  BeckonJsonSlice error;
} Choice;

static inline gboolean
chunk_take_string (BeckonJsonReader *reader, BeckonJsonSlice *string)
{
  BeckonJsonToken token = beckon_json_reader_next (reader);

  if (token == BECKON_JSON_STRING)
    {
      *string = reader->slice;
      return TRUE;
    }
  return beckon_json_reader_finish_value (reader, token, NULL);
}

/* Reads long text. */
static inline gboolean
chunk_take_text (BeckonJsonReader *reader, BeckonChatDelta *delta, BeckonJsonSlice *text)
{
  BeckonJsonToken token = beckon_json_reader_next_text (reader, delta->decoded);

  if (token == BECKON_JSON_STRING)
    {
      *text = reader->slice;
      return TRUE;
    }
  return beckon_json_reader_finish_value (reader, token, NULL);
}

static gboolean
take_raw (BeckonJsonReader *reader, BeckonJsonSlice *raw)
{
  BeckonJsonToken token = beckon_json_reader_next (reader);

  return beckon_json_reader_finish_value (reader, token, token == BECKON_JSON_NULL ? NULL : raw);
}

static gboolean
take_int (BeckonJsonReader *reader, gint64 *value)
{
  BeckonJsonToken token = beckon_json_reader_next (reader);

  if (token == BECKON_JSON_NUMBER)
    {
      beckon_json_slice_to_int (&reader->slice, value);
      return TRUE;
    }
  return beckon_json_reader_finish_value (reader, token, NULL);
}

static gboolean
take_content (BeckonJsonReader *reader, BeckonChatDelta *delta)
{
  BeckonJsonToken token = beckon_json_reader_next_text (reader, delta->decoded);

  if (token == BECKON_JSON_STRING)
    {
      delta->content = reader->slice;
      return TRUE;
    }
  return beckon_json_reader_finish_value (reader, token, token == BECKON_JSON_ARRAY_BEGIN ? &delta->parts : NULL);
}

static gboolean
take_delta_member (BeckonJsonReader *reader, BeckonChatDelta *delta)
{
  const BeckonJsonSlice *name = &reader->slice;

  if (beckon_json_slice_equals (name, "content"))
    return take_content (reader, delta);
  if (beckon_json_slice_equals (name, "tool_calls"))
    return take_raw (reader, &delta->calls);
  if (beckon_json_slice_equals (name, "reasoning_content"))
    return chunk_take_text (reader, delta, &delta->reasoning_content);
  if (beckon_json_slice_equals (name, "reasoning"))
    return chunk_take_string (reader, &delta->reasoning);
  if (beckon_json_slice_equals (name, "refusal"))
    return chunk_take_string (reader, &delta->refusal);
  if (beckon_json_slice_equals (name, "function_call"))
    return take_raw (reader, &delta->function_call);
  if (beckon_json_slice_equals (name, "reasoning_details"))
    return take_raw (reader, &delta->details);
  if (beckon_json_slice_equals (name, "executed_tools"))
    return take_raw (reader, &delta->server_tools);
  if (beckon_json_slice_equals (name, "annotations"))
    return take_raw (reader, &delta->annotations);
  return beckon_json_reader_skip (reader, NULL);
}

static gboolean
take_delta (BeckonJsonReader *reader, BeckonChatDelta *delta)
{
  BeckonJsonToken token = beckon_json_reader_next (reader);

  if (token != BECKON_JSON_OBJECT_BEGIN)
    return beckon_json_reader_finish_value (reader, token, NULL);
  delta->present = TRUE;
  while ((token = beckon_json_reader_next (reader)) == BECKON_JSON_NAME)
    {
      if (!take_delta_member (reader, delta))
        return FALSE;
    }
  return token == BECKON_JSON_OBJECT_END;
}

/* Reads a number of an object within the usage. */
static gboolean
take_detail (BeckonJsonReader *reader, const char *wanted, gint64 *value)
{
  BeckonJsonToken token = beckon_json_reader_next (reader);

  if (token != BECKON_JSON_OBJECT_BEGIN)
    return beckon_json_reader_finish_value (reader, token, NULL);
  while ((token = beckon_json_reader_next (reader)) == BECKON_JSON_NAME)
    {
      gboolean is_wanted = beckon_json_slice_equals (&reader->slice, wanted);

      if (!(is_wanted ? take_int (reader, value) : beckon_json_reader_skip (reader, NULL)))
        return FALSE;
    }
  return token == BECKON_JSON_OBJECT_END;
}

static gboolean
take_usage_member (BeckonJsonReader *reader, BeckonUsage *usage, BeckonChatChunk *chunk)
{
  const BeckonJsonSlice *name = &reader->slice;

  if (beckon_json_slice_equals (name, "prompt_tokens"))
    return take_int (reader, &usage->input);
  if (beckon_json_slice_equals (name, "completion_tokens"))
    return take_int (reader, &usage->output);
  if (beckon_json_slice_equals (name, "prompt_cache_hit_tokens"))
    return take_int (reader, &usage->cached);
  if (beckon_json_slice_equals (name, "prompt_tokens_details"))
    return take_detail (reader, "cached_tokens", &usage->cached);
  if (beckon_json_slice_equals (name, "server_tool_use"))
    return take_detail (reader, "web_search_requests", &chunk->searches);
  if (beckon_json_slice_equals (name, "num_search_queries"))
    return take_int (reader, &chunk->searches);
  return beckon_json_reader_skip (reader, NULL);
}

static gboolean
chunk_take_usage (BeckonJsonReader *reader, BeckonChatChunk *chunk)
{
  BeckonUsage usage = BECKON_USAGE_INIT;
  BeckonJsonToken token = beckon_json_reader_next (reader);

  if (token != BECKON_JSON_OBJECT_BEGIN)
    return beckon_json_reader_finish_value (reader, token, NULL);
  while ((token = beckon_json_reader_next (reader)) == BECKON_JSON_NAME)
    {
      if (!take_usage_member (reader, &usage, chunk))
        return FALSE;
    }
  chunk->has_usage = TRUE;
  chunk->usage.input = MAX (usage.input, -1);
  chunk->usage.output = MAX (usage.output, -1);
  chunk->usage.cached = MAX (usage.cached, -1);
  return token == BECKON_JSON_OBJECT_END;
}

/* false, "" and null are ways to say that there is no error. */
static gboolean
take_error (BeckonJsonReader *reader, BeckonJsonSlice *error)
{
  BeckonJsonToken token = beckon_json_reader_next (reader);
  gboolean none = token == BECKON_JSON_NULL || token == BECKON_JSON_FALSE
                  || (token == BECKON_JSON_STRING && reader->slice.length == 0);

  return beckon_json_reader_finish_value (reader, token, none ? NULL : error);
}

static gboolean
take_choice_member (BeckonJsonReader *reader, Choice *choice, BeckonChatChunk *chunk)
{
  const BeckonJsonSlice *name = &reader->slice;

  if (beckon_json_slice_equals (name, "index"))
    return take_int (reader, &choice->index);
  if (beckon_json_slice_equals (name, "delta"))
    return take_delta (reader, &choice->delta);
  if (beckon_json_slice_equals (name, "finish_reason"))
    return chunk_take_string (reader, &choice->finish);
  if (beckon_json_slice_equals (name, "message"))
    return take_delta (reader, &choice->message);
  if (beckon_json_slice_equals (name, "native_finish_reason"))
    return chunk_take_string (reader, &choice->native_finish);
  if (beckon_json_slice_equals (name, "error"))
    return take_error (reader, &choice->error);
  if (beckon_json_slice_equals (name, "usage"))
    return chunk_take_usage (reader, chunk);
  return beckon_json_reader_skip (reader, NULL);
}

static void
use_choice (BeckonChatChunk *chunk, const Choice *choice)
{
  chunk->delta = choice->delta;
  chunk->message = choice->message;
  chunk->finish = choice->finish;
  chunk->native_finish = choice->native_finish;
  if (choice->error.text != NULL)
    chunk->error = choice->error;
}

static gboolean
take_choice (BeckonJsonReader *reader, gint64 place, BeckonChatChunk *chunk)
{
  GString *decoded = chunk->delta.decoded;
  Choice choice = { .index = place, .delta.decoded = decoded, .message.decoded = decoded };
  BeckonJsonToken token;

  while ((token = beckon_json_reader_next (reader)) == BECKON_JSON_NAME)
    {
      if (!take_choice_member (reader, &choice, chunk))
        return FALSE;
    }
  if (choice.index == 0)
    use_choice (chunk, &choice);
  return token == BECKON_JSON_OBJECT_END;
}

static gboolean
take_choices (BeckonJsonReader *reader, BeckonChatChunk *chunk)
{
  BeckonJsonToken token = beckon_json_reader_next (reader);

  if (token != BECKON_JSON_ARRAY_BEGIN)
    return beckon_json_reader_finish_value (reader, token, NULL);
  chunk->has_choices = TRUE;
  for (gint64 place = 0; (token = beckon_json_reader_next (reader)) != BECKON_JSON_ARRAY_END; place++)
    {
      gboolean taken = token == BECKON_JSON_OBJECT_BEGIN ? take_choice (reader, place, chunk)
                                                         : beckon_json_reader_finish_value (reader, token, NULL);

      if (!taken)
        return FALSE;
    }
  return TRUE;
}

/* Reads one server's extras: the usage, and an error. */
static gboolean
take_beside (BeckonJsonReader *reader, BeckonChatChunk *chunk)
{
  BeckonJsonToken token = beckon_json_reader_next (reader);
  gboolean taken = TRUE;

  if (token != BECKON_JSON_OBJECT_BEGIN)
    return beckon_json_reader_finish_value (reader, token, NULL);
  while (taken && (token = beckon_json_reader_next (reader)) == BECKON_JSON_NAME)
    {
      if (beckon_json_slice_equals (&reader->slice, "usage"))
        taken = chunk_take_usage (reader, chunk);
      else if (beckon_json_slice_equals (&reader->slice, "error"))
        taken = take_error (reader, &chunk->error);
      else
        taken = beckon_json_reader_skip (reader, NULL);
    }
  return taken && token == BECKON_JSON_OBJECT_END;
}

static gboolean
take_member (BeckonJsonReader *reader, BeckonChatChunk *chunk, gboolean *is_error)
{
  const BeckonJsonSlice *name = &reader->slice;
  BeckonJsonSlice object = BECKON_JSON_SLICE_INIT;

  if (beckon_json_slice_equals (name, "choices"))
    return take_choices (reader, chunk);
  if (beckon_json_slice_equals (name, "usage"))
    return chunk_take_usage (reader, chunk);
  if (beckon_json_slice_equals (name, "error"))
    return take_error (reader, &chunk->error);
  if (beckon_json_slice_equals (name, "x_groq"))
    return take_beside (reader, chunk);
  if (beckon_json_slice_equals (name, "search_results"))
    return take_raw (reader, &chunk->sources);
  if (beckon_json_slice_equals (name, "citations") && chunk->sources.text == NULL)
    return take_raw (reader, &chunk->sources);
  if (!beckon_json_slice_equals (name, "object"))
    return beckon_json_reader_skip (reader, NULL);
  if (!chunk_take_string (reader, &object))
    return FALSE;
  *is_error = object.text != NULL && beckon_json_slice_equals (&object, "error");
  return TRUE;
}

BeckonJsonFault
beckon_chat_chunk_read (BeckonChatChunk *chunk, const char *text, gsize length, GString *decoded)
{
  BeckonJsonReader reader;
  BeckonJsonToken token;
  gboolean is_error = FALSE;

  *chunk = (BeckonChatChunk) {
    .usage = BECKON_USAGE_INIT, .delta.decoded = decoded, .message.decoded = decoded, .searches = -1,
  };
  beckon_json_reader_init (&reader, text, length, BECKON_JSON_REPLACE);
  token = beckon_json_reader_next (&reader);
  if (token == BECKON_JSON_OBJECT_BEGIN)
    while ((token = beckon_json_reader_next (&reader)) == BECKON_JSON_NAME && take_member (&reader, chunk, &is_error))
      ;
  else
    beckon_json_reader_finish_value (&reader, token, NULL);
  while (token != BECKON_JSON_FAULTY && token != BECKON_JSON_END)
    token = beckon_json_reader_next (&reader);
  /* Some servers say it without a member of that name: the payload itself is the error. */
  if (is_error && chunk->error.text == NULL)
    chunk->error = (BeckonJsonSlice) { text, length, FALSE };
  return beckon_json_reader_get_fault (&reader, NULL);
}
