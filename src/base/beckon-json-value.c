/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-json-value.h"

#include "beckon-json-writer.h"
#include "beckon-json.h"

/* Recursion below is bounded by the depth that the reader allows. */

void
beckon_json_value_free (BeckonJsonValue *value)
{
  if (value == NULL)
    return;
  if (value->text != NULL)
    g_string_free (value->text, TRUE);
  if (value->name != NULL)
    g_string_free (value->name, TRUE);
  g_clear_pointer (&value->children, g_ptr_array_unref);
  g_free (value);
}

static BeckonJsonValueKind
get_kind (BeckonJsonToken token)
{
  switch (token)
    {
    case BECKON_JSON_OBJECT_BEGIN:
      return BECKON_JSON_VALUE_OBJECT;
    case BECKON_JSON_ARRAY_BEGIN:
      return BECKON_JSON_VALUE_ARRAY;
    case BECKON_JSON_STRING:
      return BECKON_JSON_VALUE_STRING;
    case BECKON_JSON_NUMBER:
      return BECKON_JSON_VALUE_NUMBER;
    case BECKON_JSON_TRUE:
      return BECKON_JSON_VALUE_TRUE;
    case BECKON_JSON_FALSE:
      return BECKON_JSON_VALUE_FALSE;
    case BECKON_JSON_NULL:
    case BECKON_JSON_NAME:
    case BECKON_JSON_FAULTY:
    case BECKON_JSON_END:
    case BECKON_JSON_OBJECT_END:
    case BECKON_JSON_ARRAY_END:
    default:
      return BECKON_JSON_VALUE_NULL;
    }
}

/* Finds the token's start. Only strings and numbers say so themselves. */
static gsize
get_offset (const BeckonJsonReader *reader, BeckonJsonToken token)
{
  gsize end = (gsize) (reader->at - reader->text);

  switch (token)
    {
    case BECKON_JSON_STRING:
    case BECKON_JSON_NAME:
      return (gsize) (reader->slice.text - reader->text) - 1;
    case BECKON_JSON_NUMBER:
      return (gsize) (reader->slice.text - reader->text);
    case BECKON_JSON_FALSE:
      return end - strlen ("false");
    case BECKON_JSON_TRUE:
    case BECKON_JSON_NULL:
      return end - strlen ("null");
    case BECKON_JSON_OBJECT_BEGIN:
    case BECKON_JSON_ARRAY_BEGIN:
    case BECKON_JSON_FAULTY:
    case BECKON_JSON_END:
    case BECKON_JSON_OBJECT_END:
    case BECKON_JSON_ARRAY_END:
    default:
      return end - 1;
    }
}

static gsize
json_value_get_end (const BeckonJsonReader *reader, BeckonJsonToken token)
{
  if (token == BECKON_JSON_NUMBER)
    return (gsize) (reader->slice.text - reader->text) + reader->slice.length;
  return (gsize) (reader->at - reader->text);
}

static BeckonJsonValue *
value_new (BeckonJsonReader *reader, BeckonJsonToken token)
{
  BeckonJsonValue *value = g_new0 (BeckonJsonValue, 1);

  value->kind = get_kind (token);
  value->offset = value->name_offset = get_offset (reader, token);
  value->length = json_value_get_end (reader, token) - value->offset;
  if (value->kind == BECKON_JSON_VALUE_STRING || value->kind == BECKON_JSON_VALUE_NUMBER)
    {
      value->text = g_string_new (NULL);
      beckon_json_slice_append_to (&reader->slice, value->text);
    }
  if (value->kind == BECKON_JSON_VALUE_ARRAY || value->kind == BECKON_JSON_VALUE_OBJECT)
    value->children = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_json_value_free);
  return value;
}

static BeckonJsonValue *
json_value_read_value (BeckonJsonReader *reader, BeckonJsonToken token)
{
  BeckonJsonValue *value = value_new (reader, token);

  if (value->kind == BECKON_JSON_VALUE_ARRAY)
    {
      while ((token = beckon_json_reader_next (reader)) != BECKON_JSON_ARRAY_END)
        g_ptr_array_add (value->children, json_value_read_value (reader, token));
    }
  else if (value->kind == BECKON_JSON_VALUE_OBJECT)
    {
      while (beckon_json_reader_next (reader) == BECKON_JSON_NAME)
        {
          GString *name = g_string_new (NULL);
          gsize name_offset = get_offset (reader, BECKON_JSON_NAME);
          BeckonJsonValue *member;

          beckon_json_slice_append_to (&reader->slice, name);
          member = json_value_read_value (reader, beckon_json_reader_next (reader));
          member->name = name;
          member->name_offset = name_offset;
          g_ptr_array_add (value->children, member);
        }
    }
  if (value->children != NULL)
    value->length = (gsize) (reader->at - reader->text) - value->offset;
  return value;
}

BeckonJsonValue *
beckon_json_value_parse (const char *text, gssize length, GError **error)
{
  BeckonJsonReader reader;

  if (!beckon_json_check (text, length, error))
    return NULL;
  beckon_json_reader_init (&reader, text, length < 0 ? strlen (text) : (gsize) length, BECKON_JSON_STRICT);
  return json_value_read_value (&reader, beckon_json_reader_next (&reader));
}

guint
beckon_json_value_get_n_children (const BeckonJsonValue *value)
{
  return value != NULL && value->children != NULL ? value->children->len : 0;
}

const BeckonJsonValue *
beckon_json_value_get_child (const BeckonJsonValue *value, guint index)
{
  return g_ptr_array_index (value->children, index);
}

static const BeckonJsonValue *
json_value_find (const BeckonJsonValue *value, const char *name, gsize length)
{
  if (value == NULL || value->kind != BECKON_JSON_VALUE_OBJECT)
    return NULL;
  for (guint i = 0; i < value->children->len; i++)
    {
      const BeckonJsonValue *child = g_ptr_array_index (value->children, i);

      if (child->name->len == length && memcmp (child->name->str, name, length) == 0)
        return child;
    }
  return NULL;
}

const BeckonJsonValue *
beckon_json_value_get (const BeckonJsonValue *value, const char *name)
{
  return json_value_find (value, name, strlen (name));
}

const BeckonJsonValue *
beckon_json_value_get_member (const BeckonJsonValue *value, const GString *name)
{
  return json_value_find (value, name->str, name->len);
}

static const BeckonJsonValue *
json_value_step (const BeckonJsonValue *value, const char *name, gsize length)
{
  g_autoptr (GString) plain = g_string_new_len (name, (gssize) length);
  guint64 index;

  g_string_replace (plain, "~1", "/", 0);
  g_string_replace (plain, "~0", "~", 0);
  if (value->kind != BECKON_JSON_VALUE_ARRAY)
    return beckon_json_value_get_member (value, plain);
  if (!g_ascii_string_to_unsigned (plain->str, 10, 0, G_MAXUINT, &index, NULL) || index >= value->children->len)
    return NULL;
  return beckon_json_value_get_child (value, (guint) index);
}

const BeckonJsonValue *
beckon_json_value_point (const BeckonJsonValue *value, const char *pointer)
{
  g_return_val_if_fail (pointer != NULL, NULL);

  while (value != NULL && *pointer == '/')
    {
      gsize length = strcspn (++pointer, "/");

      value = json_value_step (value, pointer, length);
      pointer += length;
    }
  return *pointer == '\0' ? value : NULL;
}

void
beckon_json_pointer_append (GString *pointer, const char *name, gssize length)
{
  gsize n = length < 0 ? strlen (name) : (gsize) length;

  g_string_append_c (pointer, '/');
  for (gsize i = 0; i < n; i++)
    {
      if (name[i] == '~' || name[i] == '/')
        g_string_append (pointer, name[i] == '~' ? "~0" : "~1");
      else
        g_string_append_c (pointer, name[i]);
    }
}

const char *
beckon_json_value_get_string (const BeckonJsonValue *value)
{
  return value != NULL && value->kind == BECKON_JSON_VALUE_STRING && strlen (value->text->str) == value->text->len
             ? value->text->str
             : NULL;
}

long double
beckon_json_value_get_number (const BeckonJsonValue *value)
{
  BeckonJsonSlice slice;
  gint64 integer;

  if (value == NULL || value->kind != BECKON_JSON_VALUE_NUMBER)
    return 0;
  slice = (BeckonJsonSlice) { value->text->str, value->text->len, FALSE };
  return beckon_json_slice_to_int (&slice, &integer) ? (long double) integer
                                                     : (long double) g_ascii_strtod (value->text->str, NULL);
}

static gboolean
are_arrays_equal (const BeckonJsonValue *one, const BeckonJsonValue *other)
{
  for (guint i = 0; i < one->children->len; i++)
    {
      if (!beckon_json_value_equal (beckon_json_value_get_child (one, i), beckon_json_value_get_child (other, i)))
        return FALSE;
    }
  return TRUE;
}

/* Names are unique in both, so that as many members are the same members. */
static gboolean
are_objects_equal (const BeckonJsonValue *one, const BeckonJsonValue *other)
{
  for (guint i = 0; i < one->children->len; i++)
    {
      const BeckonJsonValue *member = beckon_json_value_get_child (one, i);
      const BeckonJsonValue *same = beckon_json_value_get_member (other, member->name);

      if (same == NULL || !beckon_json_value_equal (member, same))
        return FALSE;
    }
  return TRUE;
}

gboolean
beckon_json_value_equal (const BeckonJsonValue *one, const BeckonJsonValue *other)
{
  if (one->kind != other->kind
      || beckon_json_value_get_n_children (one) != beckon_json_value_get_n_children (other))
    return FALSE;
  switch (one->kind)
    {
    case BECKON_JSON_VALUE_NUMBER:
      return g_string_equal (one->text, other->text)
             || beckon_json_value_get_number (one) == beckon_json_value_get_number (other);
    case BECKON_JSON_VALUE_STRING:
      return g_string_equal (one->text, other->text);
    case BECKON_JSON_VALUE_ARRAY:
      return are_arrays_equal (one, other);
    case BECKON_JSON_VALUE_OBJECT:
      return are_objects_equal (one, other);
    case BECKON_JSON_VALUE_NULL:
    case BECKON_JSON_VALUE_FALSE:
    case BECKON_JSON_VALUE_TRUE:
    default:
      return TRUE;
    }
}

static void
write_name (GString *json, const GString *name)
{
  BeckonJsonWriter writer;

  beckon_json_writer_init (&writer, json);
  beckon_json_writer_string (&writer, name->str, (gssize) name->len);
}

static void
write_value (GString *json, const BeckonJsonValue *value)
{
  static const char *const words[] = { "null", "false", "true" };

  if (value->children != NULL)
    {
      gboolean is_object = value->kind == BECKON_JSON_VALUE_OBJECT;

      g_string_append_c (json, is_object ? '{' : '[');
      for (guint i = 0; i < value->children->len; i++)
        {
          const BeckonJsonValue *child = beckon_json_value_get_child (value, i);

          if (i > 0)
            g_string_append_c (json, ',');
          if (is_object)
            {
              write_name (json, child->name);
              g_string_append_c (json, ':');
            }
          write_value (json, child);
        }
      g_string_append_c (json, is_object ? '}' : ']');
    }
  else if (value->kind == BECKON_JSON_VALUE_STRING)
    write_name (json, value->text);
  else
    g_string_append (json, value->kind == BECKON_JSON_VALUE_NUMBER ? value->text->str : words[value->kind]);
}

char *
beckon_json_value_print (const BeckonJsonValue *value)
{
  GString *json = g_string_new (NULL);

  write_value (json, value);
  return g_string_free (json, FALSE);
}

char *
beckon_json_value_dup_scalar (const BeckonJsonValue *value)
{
  g_return_val_if_fail (value != NULL, NULL);

  switch (value->kind)
    {
    case BECKON_JSON_VALUE_STRING:
      return g_strdup (beckon_json_value_get_string (value));

    case BECKON_JSON_VALUE_NUMBER:
    case BECKON_JSON_VALUE_TRUE:
    case BECKON_JSON_VALUE_FALSE:
      return beckon_json_value_print (value);

    case BECKON_JSON_VALUE_NULL:
    case BECKON_JSON_VALUE_ARRAY:
    case BECKON_JSON_VALUE_OBJECT:
    default:
      return NULL;
    }
}
