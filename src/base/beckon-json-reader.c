/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-json-reader.h"

#include "beckon-config.h"
#include "beckon-json-private.h"
#include "beckon-text.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* A single pass, no recursion: `expect` says what may come next, and one bit per open container says whether it is an object.
 * Strings are checked in passing and decoded only if the caller wants them, because most of what a stream holds is of no
 * interest. Eight bytes of a string are looked at together; that is where the time goes. */

typedef enum
{
  EXPECT_VALUE,
  EXPECT_VALUE_OR_END, /* just after [ */
  EXPECT_NAME,
  EXPECT_NAME_OR_END, /* just after { */
  EXPECT_SEPARATOR,   /* after a value in a container */
  EXPECT_NOTHING,     /* after the outermost value */
} Expect;

void
beckon_json_reader_init (BeckonJsonReader *reader, const char *text, gsize length, BeckonJsonFlags flags)
{
  g_return_if_fail (reader != NULL);
  g_return_if_fail (text != NULL || length == 0);

  reader->slice = (BeckonJsonSlice) BECKON_JSON_SLICE_INIT;
  reader->text = text;
  reader->at = text;
  reader->end = text + length;
  reader->flags = flags;
  reader->fault = BECKON_JSON_FAULT_NONE;
  reader->decoded = NULL;
  reader->expect = EXPECT_VALUE;
  reader->depth = 0;
}

static BeckonJsonToken
json_reader_fail (BeckonJsonReader *self, BeckonJsonFault fault)
{
  self->fault = fault;
  return BECKON_JSON_FAULTY;
}

static BeckonJsonToken
fail_unexpected (BeckonJsonReader *self)
{
  return json_reader_fail (self, self->at == self->end ? BECKON_JSON_FAULT_CUT : BECKON_JSON_FAULT_SYNTAX);
}

static inline void
skip_space (BeckonJsonReader *self)
{
  while (self->at < self->end && (*self->at == ' ' || *self->at == '\n' || *self->at == '\r' || *self->at == '\t'))
    self->at++;
}

static inline gboolean
in_object (const BeckonJsonReader *self)
{
  guint level = self->depth - 1;

  return (self->objects[level / 8] >> (level % 8)) & 1;
}

static BeckonJsonFault
skip_escape (BeckonJsonReader *self, const char **at)
{
  gunichar value;
  gsize length;

  self->slice.escaped = TRUE;
  if (self->end - *at < 2)
    return BECKON_JSON_FAULT_CUT;
  if ((*at)[1] != 'u')
    {
      if (!beckon_json_is_short_escape (*at))
        return BECKON_JSON_FAULT_ESCAPE;
      /* Escapes come in groups: lines end, and code has quotes. */
      *at = beckon_json_skip_text (*at + 2, self->end);
      return BECKON_JSON_FAULT_NONE;
    }
  length = beckon_json_read_unicode_escape (*at + 2, self->end, &value);
  if (length == 0)
    return BECKON_JSON_FAULT_ESCAPE;
  if (value >= 0xd800 && value <= 0xdfff && (self->flags & BECKON_JSON_REPLACE) == 0)
    return BECKON_JSON_FAULT_SURROGATE;
  *at += 2 + length;
  return BECKON_JSON_FAULT_NONE;
}

/* Longer characters stand together. */
static BeckonJsonFault
skip_characters (BeckonJsonReader *self, const char **at)
{
  do
    {
      gsize length = beckon_text_utf8_length (*at, (gsize) (self->end - *at));

      if (length == 0)
        {
          if ((self->flags & BECKON_JSON_REPLACE) == 0)
            return BECKON_JSON_FAULT_UTF8;
          self->slice.escaped = TRUE;
          length = 1;
        }
      *at += length;
    }
  while (*at < self->end && (guchar) **at >= 0x80);
  return BECKON_JSON_FAULT_NONE;
}

static BeckonJsonFault
skip_special (BeckonJsonReader *self, const char **at)
{
  if (**at == '\\')
    return skip_escape (self, at);
  if ((guchar) **at < 0x20)
    return BECKON_JSON_FAULT_CONTROL;
  return skip_characters (self, at);
}

/* %FALSE once there is a fault. */
static gboolean
pass_special (BeckonJsonReader *self, const char **at)
{
  BeckonJsonFault fault = skip_special (self, at);

  if (fault == BECKON_JSON_FAULT_NONE)
    return TRUE;
  self->at = *at;
  json_reader_fail (self, fault);
  return FALSE;
}

/* To the closing quote, to an escape if it is to be decoded, or to the end; %NULL once there is a fault. */
static const char *
skip_string (BeckonJsonReader *self, const char *at)
{
  while ((at = beckon_json_skip_plain (at, self->end)) < self->end && *at != '"'
         && (*at != '\\' || self->decoded == NULL))
    if (!pass_special (self, &at))
      return NULL;
  return at;
}

/* From the first escape on, before which everything is checked. */
static const char *
decode_string (BeckonJsonReader *self, const char *at)
{
  GString *text = self->decoded;

  self->slice.length = (gsize) (at - self->slice.text);
  beckon_json_slice_append_to (&self->slice, text);
  while ((at = beckon_json_append_plain (at, self->end, text)) < self->end && *at != '"')
    {
      BeckonJsonSlice piece = { at, 0, TRUE };

      if (!pass_special (self, &at))
        return NULL;
      piece.length = (gsize) (at - piece.text);
      beckon_json_slice_append_to (&piece, text);
    }
  self->slice = (BeckonJsonSlice) { text->str, text->len, FALSE };
  return at;
}

/* From the opening quote to behind the closing one. */
static gboolean
read_string (BeckonJsonReader *self)
{
  const char *at = self->at + 1;

  self->slice.text = at;
  self->slice.escaped = FALSE;
  at = skip_string (self, at);
  if (at == NULL)
    return FALSE;
  if (at == self->end || *at == '"')
    self->slice.length = (gsize) (at - self->slice.text);
  else if ((at = decode_string (self, at)) == NULL)
    return FALSE;
  self->at = at;
  if (at == self->end)
    {
      json_reader_fail (self, BECKON_JSON_FAULT_CUT);
      return FALSE;
    }
  self->at++;
  return TRUE;
}

static const char *
skip_digits (const char *at, const char *end)
{
  while (at < end && g_ascii_isdigit (*at))
    at++;
  return at;
}

static const char *
skip_fraction (const char *at, const char *end)
{
  return at < end && *at == '.' ? skip_digits (at + 1, end) : at;
}

static const char *
skip_exponent (const char *at, const char *end)
{
  if (at == end || (*at != 'e' && *at != 'E'))
    return at;
  at++;
  if (at < end && (*at == '+' || *at == '-'))
    at++;
  return skip_digits (at, end);
}

static BeckonJsonToken
json_reader_read_number (BeckonJsonReader *self)
{
  const char *at = self->at;

  if (*at == '-')
    at++;
  if (at < self->end && *at == '0')
    at++;
  else
    at = skip_digits (at, self->end);
  /* Each of the three parts has to end in a digit. */
  if (g_ascii_isdigit (at[-1]))
    at = skip_fraction (at, self->end);
  if (g_ascii_isdigit (at[-1]))
    at = skip_exponent (at, self->end);
  if (!g_ascii_isdigit (at[-1]))
    {
      self->at = at;
      return json_reader_fail (self, at == self->end ? BECKON_JSON_FAULT_CUT : BECKON_JSON_FAULT_NUMBER);
    }
  self->slice = (BeckonJsonSlice) { self->at, (gsize) (at - self->at), FALSE };
  self->at = at;
  return BECKON_JSON_NUMBER;
}

static BeckonJsonToken
json_reader_read_word (BeckonJsonReader *self, const char *word, gsize length, BeckonJsonToken token)
{
  gsize left = (gsize) (self->end - self->at);

  if (memcmp (self->at, word, MIN (left, length)) != 0)
    return json_reader_fail (self, BECKON_JSON_FAULT_SYNTAX);
  if (left < length)
    return json_reader_fail (self, BECKON_JSON_FAULT_CUT);
  self->at += length;
  return token;
}

static BeckonJsonToken
open_container (BeckonJsonReader *self, gboolean object)
{
  guint level = self->depth;

  if (level == BECKON_JSON_MAX_DEPTH)
    return json_reader_fail (self, BECKON_JSON_FAULT_DEPTH);
  self->depth++;
  self->at++;
  if (object)
    self->objects[level / 8] |= (guint8) (1u << (level % 8));
  else
    self->objects[level / 8] &= (guint8) ~(1u << (level % 8));
  self->expect = object ? EXPECT_NAME_OR_END : EXPECT_VALUE_OR_END;
  return object ? BECKON_JSON_OBJECT_BEGIN : BECKON_JSON_ARRAY_BEGIN;
}

static BeckonJsonToken
close_container (BeckonJsonReader *self, BeckonJsonToken token)
{
  self->at++;
  self->depth--;
  self->expect = self->depth == 0 ? EXPECT_NOTHING : EXPECT_SEPARATOR;
  return token;
}

static BeckonJsonToken
read_scalar (BeckonJsonReader *self)
{
  switch (*self->at)
    {
    case '"':
      return read_string (self) ? BECKON_JSON_STRING : BECKON_JSON_FAULTY;
    case 't':
      return json_reader_read_word (self, "true", 4, BECKON_JSON_TRUE);
    case 'f':
      return json_reader_read_word (self, "false", 5, BECKON_JSON_FALSE);
    case 'n':
      return json_reader_read_word (self, "null", 4, BECKON_JSON_NULL);
    case '-':
      return json_reader_read_number (self);
    default:
      return g_ascii_isdigit (*self->at) ? json_reader_read_number (self) : json_reader_fail (self, BECKON_JSON_FAULT_SYNTAX);
    }
}

static BeckonJsonToken
json_reader_read_value (BeckonJsonReader *self)
{
  if (self->at == self->end)
    return json_reader_fail (self, self->depth == 0 ? BECKON_JSON_FAULT_EMPTY : BECKON_JSON_FAULT_CUT);
  if (*self->at == '{' || *self->at == '[')
    return open_container (self, *self->at == '{');
  self->expect = self->depth == 0 ? EXPECT_NOTHING : EXPECT_SEPARATOR;
  return read_scalar (self);
}

static BeckonJsonToken
json_reader_read_name (BeckonJsonReader *self)
{
  if (self->at == self->end || *self->at != '"')
    return fail_unexpected (self);
  if (!read_string (self))
    return BECKON_JSON_FAULTY;
  skip_space (self);
  if (self->at == self->end || *self->at != ':')
    return fail_unexpected (self);
  self->at++;
  self->expect = EXPECT_VALUE;
  return BECKON_JSON_NAME;
}

static BeckonJsonToken
read_after_value (BeckonJsonReader *self)
{
  gboolean object = in_object (self);

  if (self->at == self->end)
    return json_reader_fail (self, BECKON_JSON_FAULT_CUT);
  if (*self->at == ',')
    {
      self->at++;
      skip_space (self);
      return object ? json_reader_read_name (self) : json_reader_read_value (self);
    }
  if (*self->at != (object ? '}' : ']'))
    return json_reader_fail (self, BECKON_JSON_FAULT_SYNTAX);
  return close_container (self, object ? BECKON_JSON_OBJECT_END : BECKON_JSON_ARRAY_END);
}

BeckonJsonToken
beckon_json_reader_next (BeckonJsonReader *reader)
{
  BeckonJsonReader *self = reader;

  if (self->fault != BECKON_JSON_FAULT_NONE)
    return BECKON_JSON_FAULTY;
  skip_space (self);
  switch ((Expect) self->expect)
    {
    case EXPECT_SEPARATOR:
      return read_after_value (self);
    case EXPECT_NAME_OR_END:
      if (self->at < self->end && *self->at == '}')
        return close_container (self, BECKON_JSON_OBJECT_END);
      return json_reader_read_name (self);
    case EXPECT_NAME:
      return json_reader_read_name (self);
    case EXPECT_VALUE_OR_END:
      if (self->at < self->end && *self->at == ']')
        return close_container (self, BECKON_JSON_ARRAY_END);
      return json_reader_read_value (self);
    case EXPECT_VALUE:
      return json_reader_read_value (self);
    case EXPECT_NOTHING:
    default:
      return self->at == self->end ? BECKON_JSON_END : json_reader_fail (self, BECKON_JSON_FAULT_TRAILING);
    }
}

BeckonJsonToken
beckon_json_reader_next_text (BeckonJsonReader *reader, GString *text)
{
  BeckonJsonToken token;

  reader->decoded = text->len == 0 ? text : NULL;
  token = beckon_json_reader_next (reader);
  reader->decoded = NULL;
  return token;
}

gboolean
beckon_json_reader_finish_value (BeckonJsonReader *reader, BeckonJsonToken token, BeckonJsonSlice *raw)
{
  const char *start = reader->at - 1;
  guint depth;

  switch (token)
    {
    case BECKON_JSON_OBJECT_BEGIN:
    case BECKON_JSON_ARRAY_BEGIN:
      depth = reader->depth;
      while (reader->depth >= depth)
        {
          if (beckon_json_reader_next (reader) == BECKON_JSON_FAULTY)
            return FALSE;
        }
      break;
    case BECKON_JSON_STRING:
      start = reader->slice.text - 1;
      break;
    case BECKON_JSON_NUMBER:
      start = reader->slice.text;
      break;
    case BECKON_JSON_TRUE:
    case BECKON_JSON_NULL:
      start = reader->at - 4;
      break;
    case BECKON_JSON_FALSE:
      start = reader->at - 5;
      break;
    case BECKON_JSON_FAULTY:
    case BECKON_JSON_END:
    case BECKON_JSON_OBJECT_END:
    case BECKON_JSON_ARRAY_END:
    case BECKON_JSON_NAME:
    default:
      return FALSE;
    }
  if (raw != NULL)
    *raw = (BeckonJsonSlice) { start, (gsize) (reader->at - start), FALSE };
  return TRUE;
}

gboolean
beckon_json_reader_skip (BeckonJsonReader *reader, BeckonJsonSlice *raw)
{
  return beckon_json_reader_finish_value (reader, beckon_json_reader_next (reader), raw);
}

BeckonJsonFault
beckon_json_reader_get_fault (const BeckonJsonReader *reader, gsize *offset)
{
  if (offset != NULL)
    *offset = (gsize) (reader->at - reader->text);
  return reader->fault;
}

const char *
beckon_json_fault_to_string (BeckonJsonFault fault)
{
  switch (fault)
    {
    case BECKON_JSON_FAULT_NONE:
      return N_("nothing is wrong");
    case BECKON_JSON_FAULT_EMPTY:
      return N_("there is no value");
    case BECKON_JSON_FAULT_CUT:
      return N_("the text ends too early");
    case BECKON_JSON_FAULT_SYNTAX:
      return N_("unexpected character");
    case BECKON_JSON_FAULT_TRAILING:
      return N_("there is more after the end of the value");
    case BECKON_JSON_FAULT_NUMBER:
      return N_("malformed number");
    case BECKON_JSON_FAULT_CONTROL:
      return N_("a string holds a control character that is not escaped");
    case BECKON_JSON_FAULT_ESCAPE:
      return N_("a string holds an unknown escape");
    case BECKON_JSON_FAULT_SURROGATE:
      return N_("a string holds half of a surrogate pair");
    case BECKON_JSON_FAULT_UTF8:
      return N_("the text is not valid UTF-8");
    case BECKON_JSON_FAULT_DEPTH:
      return N_("it is nested too deeply");
    case BECKON_JSON_FAULT_DUPLICATE:
      return N_("an object has the same name twice");
    case BECKON_JSON_FAULT_NUL:
      return N_("a string holds U+0000, which cannot be used here");
    case BECKON_JSON_FAULT_INTEGER:
      return N_("an integer does not fit into 64 bits");
    case BECKON_JSON_FAULT_OVERFLOW:
      return N_("a number is too large");
    default:
      g_return_val_if_reached ("");
    }
}

static const BeckonJsonMember *
find_member (const BeckonJsonMember *members, const BeckonJsonSlice *name)
{
  for (; members->name != NULL; members++)
    {
      if (G_UNLIKELY (name->escaped) ? beckon_json_slice_decoded_equals (name, members->name)
                                     : name->length == members->length
                                           && memcmp (name->text, members->name, name->length) == 0)
        return members;
    }
  return NULL;
}

static gboolean
read_member (BeckonJsonReader *reader, const BeckonJsonMember *member, gpointer into)
{
  BeckonJsonToken token = beckon_json_reader_next (reader);
  gpointer field = (char *) into + member->offset;

  switch (member->kind)
    {
    case BECKON_JSON_MEMBER_STRING:
      if (token == BECKON_JSON_STRING)
        *(BeckonJsonSlice *) field = reader->slice;
      break;
    case BECKON_JSON_MEMBER_RAW:
      return beckon_json_reader_finish_value (reader, token, token == BECKON_JSON_NULL ? NULL : field);
    case BECKON_JSON_MEMBER_INT:
      if (token == BECKON_JSON_NUMBER)
        beckon_json_slice_to_int (&reader->slice, field);
      break;
    case BECKON_JSON_MEMBER_TRUE:
      if (token == BECKON_JSON_TRUE)
        *(gboolean *) field = TRUE;
      break;
    case BECKON_JSON_MEMBER_OBJECT:
      if (token == BECKON_JSON_OBJECT_BEGIN)
        return beckon_json_members_read (reader, member->members, into);
      break;
    default:
      g_assert_not_reached ();
    }
  return beckon_json_reader_finish_value (reader, token, NULL);
}

gboolean
beckon_json_members_read (BeckonJsonReader *reader, const BeckonJsonMember *members, gpointer into)
{
  BeckonJsonToken token;

  while ((token = beckon_json_reader_next (reader)) == BECKON_JSON_NAME)
    {
      const BeckonJsonMember *member = find_member (members, &reader->slice);

      if (!(member != NULL ? read_member (reader, member, into) : beckon_json_reader_skip (reader, NULL)))
        return FALSE;
    }
  return token == BECKON_JSON_OBJECT_END;
}

BeckonJsonFault
beckon_json_members_read_text (const char *text, gsize length, const BeckonJsonMember *members, gpointer into)
{
  BeckonJsonReader reader;
  BeckonJsonToken token;

  beckon_json_reader_init (&reader, text, length, BECKON_JSON_REPLACE);
  token = beckon_json_reader_next (&reader);
  if (token == BECKON_JSON_OBJECT_BEGIN)
    beckon_json_members_read (&reader, members, into);
  else
    beckon_json_reader_finish_value (&reader, token, NULL);
  while (token != BECKON_JSON_FAULTY && token != BECKON_JSON_END)
    token = beckon_json_reader_next (&reader);
  return beckon_json_reader_get_fault (&reader, NULL);
}
