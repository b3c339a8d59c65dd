/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-json-members.h"

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
