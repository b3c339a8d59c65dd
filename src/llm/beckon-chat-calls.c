/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-chat-calls.h"

/* Which call a piece belongs to is said by its index, in theory. In practice indexes are missing, all 0, begin at 1 or
 * change on the way; ids are missing, repeated on every piece, new on every piece, or the same for two calls; names
 * come with the first piece, with every one, or late. The rules below, from the surest sign to the weakest:
 *
 * - a piece that has the index or the id of a call continues it, unless begins_another() says that its name, with
 * another
 *    id or with arguments of its own, makes it a call of its own;
 *  - any other piece with an index and a name or id begins a call;
 *  - without an index, a name begins a call, unless the last call still lacks one or is of that name and not whole;
 *  - a piece with nothing but arguments continues the last call, unless that is whole already.
 *
 * A wrong guess cannot run anything it should not: arguments of two calls in one are no JSON object. */

typedef struct
{
  gboolean has_index;
  gint64 index;
  BeckonJsonSlice id;
  BeckonJsonSlice name;
  BeckonJsonSlice arguments; /* a string */
  BeckonJsonSlice object;    /* or raw JSON, where a server sends the arguments as they are */
} Piece;

/* Legacy functions have no index; this one is not used on the wire. */
#define FUNCTION_INDEX G_MININT64

static void
read_function_member (BeckonJsonReader *reader, Piece *piece)
{
  gboolean is_name = beckon_json_slice_equals (&reader->slice, "name");
  gboolean is_arguments = beckon_json_slice_equals (&reader->slice, "arguments");
  BeckonJsonToken token = beckon_json_reader_next (reader);

  if (token == BECKON_JSON_STRING && is_name)
    piece->name = reader->slice;
  else if (token == BECKON_JSON_STRING && is_arguments)
    piece->arguments = reader->slice;
  else
    beckon_json_reader_finish_value (reader, token, is_arguments && token != BECKON_JSON_NULL ? &piece->object : NULL);
}

static void
read_function (BeckonJsonReader *reader, Piece *piece)
{
  BeckonJsonToken token = beckon_json_reader_next (reader);

  if (token != BECKON_JSON_OBJECT_BEGIN)
    {
      beckon_json_reader_finish_value (reader, token, NULL);
      return;
    }
  while (beckon_json_reader_next (reader) == BECKON_JSON_NAME)
    read_function_member (reader, piece);
}

static void
read_piece_member (BeckonJsonReader *reader, Piece *piece)
{
  gboolean is_index = beckon_json_slice_equals (&reader->slice, "index");
  gboolean is_id = beckon_json_slice_equals (&reader->slice, "id");
  BeckonJsonToken token;

  if (beckon_json_slice_equals (&reader->slice, "function"))
    {
      read_function (reader, piece);
      return;
    }
  token = beckon_json_reader_next (reader);
  if (token == BECKON_JSON_NUMBER && is_index)
    piece->has_index = beckon_json_slice_to_int (&reader->slice, &piece->index);
  else if ((token == BECKON_JSON_NUMBER || token == BECKON_JSON_STRING) && is_id)
    piece->id = reader->slice;
  else
    beckon_json_reader_finish_value (reader, token, NULL);
}

static gboolean
chat_calls_is_same (const GString *string, const BeckonJsonSlice *slice)
{
  return beckon_json_slice_equals (slice, string->str);
}

static gboolean
brings_object (const Piece *piece)
{
  return piece->object.length > 0 || (piece->arguments.length > 0 && piece->arguments.text[0] == '{');
}

static gboolean
begins_another (const Piece *piece, BeckonLlmCall *call)
{
  gboolean other_id = piece->id.length > 0 && call->id->len > 0 && !chat_calls_is_same (call->id, &piece->id);

  if (piece->name.length == 0 || call->name->len == 0)
    return FALSE;
  if (!chat_calls_is_same (call->name, &piece->name))
    return other_id || (brings_object (piece) && beckon_llm_call_has_whole_object (call));
  /* The same name again: one call whose pieces all have it, or two calls of one tool. */
  if (brings_object (piece) || call->arguments->len == 0)
    return other_id || beckon_llm_call_has_whole_object (call);
  return other_id && beckon_llm_call_has_whole_object (call);
}

/* For a piece that no index and no id assigns. */
static gboolean
continues_last (const Piece *piece, BeckonLlmCall *last)
{
  if (piece->has_index && (piece->name.length > 0 || piece->id.length > 0))
    return FALSE;
  if (piece->name.length > 0)
    return last->name->len == 0 || (chat_calls_is_same (last->name, &piece->name) && !begins_another (piece, last));
  return piece->id.length == 0 ? !beckon_llm_call_has_whole_object (last) : last->name->len == 0;
}

/* The call that the piece continues, NULL when it begins one. */
static BeckonLlmCall *
chat_calls_find_call (BeckonLlmCalls *self, const Piece *piece)
{
  guint n = beckon_llm_calls_get_count (self);
  BeckonLlmCall *last = n > 0 ? beckon_llm_calls_get (self, n - 1) : NULL;
  BeckonLlmCall *call = piece->has_index ? beckon_llm_calls_find (self, piece->index) : NULL;

  /* Two calls of one id differ in their index and bring a name each. */
  if (call == NULL && piece->id.length > 0 && (!piece->has_index || piece->name.length == 0))
    call = beckon_llm_calls_find_by_id (self, &piece->id);
  if (call != NULL)
    return begins_another (piece, call) ? NULL : call;
  return last != NULL && continues_last (piece, last) ? last : NULL;
}

static gboolean
feed_piece (BeckonLlmCalls *calls, const Piece *piece)
{
  BeckonLlmCall *call = chat_calls_find_call (calls, piece);

  if (call == NULL)
    call = beckon_llm_calls_begin (calls, piece->has_index ? &piece->index : NULL, &piece->id, &piece->name);
  else
    beckon_llm_call_name (call, &piece->id, &piece->name);
  return call != NULL && beckon_llm_calls_append (calls, call, &piece->arguments)
         && beckon_llm_calls_append_raw (calls, call, &piece->object);
}

static gboolean
read_piece (BeckonLlmCalls *self, BeckonJsonReader *reader)
{
  Piece piece = { 0 };

  while (beckon_json_reader_next (reader) == BECKON_JSON_NAME)
    read_piece_member (reader, &piece);
  return feed_piece (self, &piece);
}

gboolean
beckon_chat_calls_feed (BeckonLlmCalls *calls, const BeckonJsonSlice *deltas)
{
  BeckonJsonReader reader;
  BeckonJsonToken token;

  beckon_json_reader_init (&reader, deltas->text, deltas->length, BECKON_JSON_REPLACE);
  if (beckon_json_reader_next (&reader) != BECKON_JSON_ARRAY_BEGIN)
    return TRUE;
  while ((token = beckon_json_reader_next (&reader)) != BECKON_JSON_ARRAY_END && token != BECKON_JSON_FAULTY)
    {
      if (token != BECKON_JSON_OBJECT_BEGIN)
        beckon_json_reader_finish_value (&reader, token, NULL);
      else if (!read_piece (calls, &reader))
        return FALSE;
    }
  return TRUE;
}

gboolean
beckon_chat_calls_feed_function (BeckonLlmCalls *calls, const BeckonJsonSlice *delta)
{
  Piece piece = { .has_index = TRUE, .index = FUNCTION_INDEX };
  BeckonJsonReader reader;

  beckon_json_reader_init (&reader, delta->text, delta->length, BECKON_JSON_REPLACE);
  read_function (&reader, &piece);
  return feed_piece (calls, &piece);
}
