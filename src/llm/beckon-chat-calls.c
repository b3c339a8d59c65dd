/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-chat-calls.h"

#include "base/beckon-json.h"

#include <string.h>

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

typedef struct
{
  gboolean has_index;
  gint64 index;
  GString *id;
  GString *name;
  GString *arguments;
  gboolean damaged; /* something in the arguments was no character */
  guint n_checks;
} Call;

struct _BeckonChatCalls
{
  BeckonLlmEventFunc function;
  gpointer user_data;
  GPtrArray *calls; /* (element-type Call) in the order they began */
  gsize n_bytes;
};

/* A call is looked at as a whole when a piece might begin another one. A server that makes us do so for every piece
 * would cost the square of the length. */
#define MAX_CHECKS 64

/* Legacy functions have no index; this one is not used on the wire. */
#define FUNCTION_INDEX G_MININT64

static void
call_free (Call *call)
{
  g_string_free (call->id, TRUE);
  g_string_free (call->name, TRUE);
  g_string_free (call->arguments, TRUE);
  g_free (call);
}

BeckonChatCalls *
beckon_chat_calls_new (BeckonLlmEventFunc function, gpointer user_data)
{
  BeckonChatCalls *self = g_new0 (BeckonChatCalls, 1);

  self->function = function;
  self->user_data = user_data;
  self->calls = g_ptr_array_new_with_free_func ((GDestroyNotify) call_free);
  return self;
}

void
beckon_chat_calls_free (BeckonChatCalls *calls)
{
  if (calls == NULL)
    return;
  g_ptr_array_unref (calls->calls);
  g_free (calls);
}

guint
beckon_chat_calls_get_count (BeckonChatCalls *calls)
{
  return calls->calls->len;
}

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

/* A NUL would hide what follows it. */
static void
replace_nul (GString *string, gsize start)
{
  for (gsize i = start; i < string->len; i++)
    {
      if (string->str[i] == '\0')
        string->str[i] = '?';
    }
}

static void
append_visible (GString *string, const BeckonJsonSlice *slice)
{
  gsize start = string->len;

  beckon_json_slice_append_to (slice, string);
  replace_nul (string, start);
}

static gboolean
is_same (const GString *string, const BeckonJsonSlice *slice)
{
  return beckon_json_slice_equals (slice, string->str);
}

static gboolean
has_whole_object (Call *call)
{
  const GString *arguments = call->arguments;

  return arguments->len > 0 && arguments->str[arguments->len - 1] == '}' && call->n_checks++ < MAX_CHECKS
         && beckon_json_check (arguments->str, (gssize) arguments->len, NULL);
}

static gboolean
brings_object (const Piece *piece)
{
  return piece->object.length > 0 || (piece->arguments.length > 0 && piece->arguments.text[0] == '{');
}

static gboolean
begins_another (const Piece *piece, Call *call)
{
  gboolean other_id = piece->id.length > 0 && call->id->len > 0 && !is_same (call->id, &piece->id);

  if (piece->name.length == 0 || call->name->len == 0)
    return FALSE;
  if (!is_same (call->name, &piece->name))
    return other_id || (brings_object (piece) && has_whole_object (call));
  /* The same name again: one call whose pieces all have it, or two calls of one tool. */
  if (brings_object (piece) || call->arguments->len == 0)
    return other_id || has_whole_object (call);
  return other_id && has_whole_object (call);
}

static Call *
find_by_index (BeckonChatCalls *self, gint64 index)
{
  for (guint i = self->calls->len; i > 0; i--)
    {
      Call *call = g_ptr_array_index (self->calls, i - 1);

      if (call->has_index && call->index == index)
        return call;
    }
  return NULL;
}

static Call *
find_by_id (BeckonChatCalls *self, const BeckonJsonSlice *id)
{
  for (guint i = self->calls->len; i > 0; i--)
    {
      Call *call = g_ptr_array_index (self->calls, i - 1);

      if (is_same (call->id, id))
        return call;
    }
  return NULL;
}

/* For a piece that no index and no id assigns. */
static gboolean
continues_last (const Piece *piece, Call *last)
{
  if (piece->has_index && (piece->name.length > 0 || piece->id.length > 0))
    return FALSE;
  if (piece->name.length > 0)
    return last->name->len == 0 || (is_same (last->name, &piece->name) && !begins_another (piece, last));
  return piece->id.length == 0 ? !has_whole_object (last) : last->name->len == 0;
}

/* The call that the piece continues, NULL when it begins one. */
static Call *
find_call (BeckonChatCalls *self, const Piece *piece)
{
  Call *last = self->calls->len > 0 ? g_ptr_array_index (self->calls, self->calls->len - 1) : NULL;
  Call *call = piece->has_index ? find_by_index (self, piece->index) : NULL;

  /* Two calls of one id differ in their index and bring a name each. */
  if (call == NULL && piece->id.length > 0 && (!piece->has_index || piece->name.length == 0))
    call = find_by_id (self, &piece->id);
  if (call != NULL)
    return begins_another (piece, call) ? NULL : call;
  return last != NULL && continues_last (piece, last) ? last : NULL;
}

static Call *
begin_call (BeckonChatCalls *self, const Piece *piece)
{
  Call *call = g_new0 (Call, 1);
  BeckonLlmEvent event = { .type = BECKON_LLM_EVENT_CALL_STARTED, .index = self->calls->len };

  call->has_index = piece->has_index;
  call->index = piece->index;
  call->id = g_string_new (NULL);
  call->name = g_string_new (NULL);
  call->arguments = g_string_new (NULL);
  g_ptr_array_add (self->calls, call);
  append_visible (call->id, &piece->id);
  append_visible (call->name, &piece->name);
  event.id = call->id->len > 0 ? call->id->str : NULL;
  event.name = call->name->str;
  self->function (&event, self->user_data);
  return call;
}

static void
continue_call (Call *call, const Piece *piece)
{
  if (call->id->len == 0 && piece->id.length > 0)
    append_visible (call->id, &piece->id);
  /* A name is whole, whether it comes once or with every piece. */
  if (call->name->len == 0 && piece->name.length > 0)
    append_visible (call->name, &piece->name);
}

static gboolean
feed_piece (BeckonChatCalls *self, const Piece *piece)
{
  Call *call = find_call (self, piece);

  self->n_bytes += piece->arguments.length + piece->object.length;
  if (self->n_bytes > BECKON_CHAT_MAX_ARGUMENTS || (call == NULL && self->calls->len == BECKON_CHAT_MAX_CALLS))
    return FALSE;
  if (call == NULL)
    call = begin_call (self, piece);
  else
    continue_call (call, piece);
  if (piece->arguments.length > 0 && !beckon_json_slice_append_to (&piece->arguments, call->arguments))
    call->damaged = TRUE;
  if (piece->object.length > 0)
    g_string_append_len (call->arguments, piece->object.text, (gssize) piece->object.length);
  return TRUE;
}

static gboolean
read_piece (BeckonChatCalls *self, BeckonJsonReader *reader)
{
  Piece piece = { 0 };

  while (beckon_json_reader_next (reader) == BECKON_JSON_NAME)
    read_piece_member (reader, &piece);
  return feed_piece (self, &piece);
}

gboolean
beckon_chat_calls_feed (BeckonChatCalls *calls, const BeckonJsonSlice *deltas)
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
beckon_chat_calls_feed_function (BeckonChatCalls *calls, const BeckonJsonSlice *delta)
{
  Piece piece = { .has_index = TRUE, .index = FUNCTION_INDEX };
  BeckonJsonReader reader;

  beckon_json_reader_init (&reader, delta->text, delta->length, BECKON_JSON_REPLACE);
  read_function (&reader, &piece);
  return feed_piece (calls, &piece);
}

/* What is wrong with a call, in words for the model; NULL if it can run. Caller frees. */
static char *
find_fault (const Call *call, gboolean empty_is_none)
{
  g_autoptr (GError) error = NULL;
  const char *at = call->arguments->str;

  if (call->name->len == 0)
    return g_strdup ("The call has no name.");
  if (call->damaged)
    return g_strdup ("The arguments hold bytes that are not valid UTF-8.");
  if (call->arguments->len == 0 && empty_is_none)
    return NULL;
  if (!beckon_json_check (call->arguments->str, (gssize) call->arguments->len, &error))
    return g_strdup_printf ("The arguments are not a JSON object. %s.", error->message);
  at += strspn (at, " \t\r\n");
  return *at == '{' ? NULL : g_strdup ("The arguments are not a JSON object.");
}

gboolean
beckon_chat_calls_are_whole (BeckonChatCalls *calls, gboolean empty_is_none)
{
  for (guint i = 0; i < calls->calls->len; i++)
    {
      g_autofree char *fault = find_fault (g_ptr_array_index (calls->calls, i), empty_is_none);

      if (fault != NULL)
        return FALSE;
    }
  return TRUE;
}

void
beckon_chat_calls_give (BeckonChatCalls *calls, gboolean empty_is_none, const char *broken_off)
{
  for (guint i = 0; i < calls->calls->len; i++)
    {
      Call *call = g_ptr_array_index (calls->calls, i);
      g_autofree char *fault = broken_off != NULL ? g_strdup (broken_off) : find_fault (call, empty_is_none);
      BeckonLlmEvent event = {
        .type = fault == NULL ? BECKON_LLM_EVENT_CALL : BECKON_LLM_EVENT_BAD_CALL,
        .text = fault,
        .length = fault != NULL ? strlen (fault) : 0,
        .index = i,
        .id = call->id->len > 0 ? call->id->str : NULL,
        .name = call->name->str,
        .arguments = call->arguments->len == 0 && fault == NULL ? "{}" : call->arguments->str,
      };

      replace_nul (call->arguments, 0);
      calls->function (&event, calls->user_data);
    }
}
