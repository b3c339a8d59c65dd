/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-json-writer.h"

#include "beckon-json-private.h"
#include "beckon-text.h"

#include <math.h>
#include <string.h>

void
beckon_json_writer_init (BeckonJsonWriter *writer, GString *string)
{
  g_return_if_fail (writer != NULL);
  g_return_if_fail (string != NULL);

  writer->string = string;
  writer->start = string->len;
}

/* A comma is due after a whole value, and what was written last shows whether there is one. */
static void
separate (BeckonJsonWriter *self)
{
  if (self->string->len == self->start || strchr ("{[:", self->string->str[self->string->len - 1]) != NULL)
    return;
  g_string_append_c (self->string, ',');
}

void
beckon_json_writer_begin_object (BeckonJsonWriter *writer)
{
  separate (writer);
  g_string_append_c (writer->string, '{');
}

void
beckon_json_writer_end_object (BeckonJsonWriter *writer)
{
  g_string_append_c (writer->string, '}');
}

void
beckon_json_writer_begin_array (BeckonJsonWriter *writer)
{
  separate (writer);
  g_string_append_c (writer->string, '[');
}

void
beckon_json_writer_end_array (BeckonJsonWriter *writer)
{
  g_string_append_c (writer->string, ']');
}

static gsize
append_special (GString *string, const char *at, gsize left)
{
  gsize length;

  if (*at == '"' || *at == '\\')
    {
      g_string_append_c (string, '\\');
      g_string_append_c (string, *at);
      return 1;
    }
  if ((guchar) *at < 0x20)
    {
      guchar c = (guchar) *at;
      static const char letters[] = "btnfr";
      static const char meanings[] = "\b\t\n\f\r";
      const char *meaning = c != 0 ? strchr (meanings, c) : NULL;

      if (meaning != NULL)
        {
          g_string_append_c (string, '\\');
          g_string_append_c (string, letters[meaning - meanings]);
        }
      else
        g_string_append_printf (string, "\\u%04x", c);
      return 1;
    }
  length = beckon_text_utf8_length (at, left);
  if (length == 0)
    g_string_append_unichar (string, BECKON_TEXT_REPLACEMENT);
  else
    g_string_append_len (string, at, (gssize) length);
  return MAX (length, 1);
}

static void
append_string (GString *string, const char *text, gsize length)
{
  const char *at = text;
  const char *end = text + length;

  g_string_append_c (string, '"');
  while (at < end)
    {
      const char *plain = beckon_json_skip_plain (at, end);

      g_string_append_len (string, at, plain - at);
      at = plain;
      if (at < end)
        at += append_special (string, at, (gsize) (end - at));
    }
  g_string_append_c (string, '"');
}

void
beckon_json_writer_name (BeckonJsonWriter *writer, const char *name)
{
  separate (writer);
  append_string (writer->string, name, strlen (name));
  g_string_append_c (writer->string, ':');
}

void
beckon_json_writer_string (BeckonJsonWriter *writer, const char *text, gssize length)
{
  if (text == NULL)
    {
      beckon_json_writer_null (writer);
      return;
    }
  separate (writer);
  append_string (writer->string, text, length < 0 ? strlen (text) : (gsize) length);
}

void
beckon_json_writer_int (BeckonJsonWriter *writer, gint64 value)
{
  separate (writer);
  g_string_append_printf (writer->string, "%" G_GINT64_FORMAT, value);
}

void
beckon_json_writer_double (BeckonJsonWriter *writer, double value)
{
  static const char *const formats[] = { "%.15g", "%.16g", "%.17g" };
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  if (!isfinite (value))
    {
      beckon_json_writer_null (writer);
      return;
    }
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      g_ascii_formatd (buffer, sizeof buffer, formats[i], value);
      /* Bits are compared, because the point is to get the same ones back. */
      if (memcmp (&(double) { g_ascii_strtod (buffer, NULL) }, &value, sizeof value) == 0)
        break;
    }
  separate (writer);
  g_string_append (writer->string, buffer);
  /* The fraction is kept when it is read again. */
  if (strpbrk (buffer, ".e") == NULL)
    g_string_append (writer->string, ".0");
}

void
beckon_json_writer_boolean (BeckonJsonWriter *writer, gboolean value)
{
  separate (writer);
  g_string_append (writer->string, value ? "true" : "false");
}

void
beckon_json_writer_null (BeckonJsonWriter *writer)
{
  separate (writer);
  g_string_append (writer->string, "null");
}

void
beckon_json_writer_raw (BeckonJsonWriter *writer, const char *json, gssize length)
{
  separate (writer);
  g_string_append_len (writer->string, json, length);
}

static void
write_member (JsonObject *object, const char *name, JsonNode *node, gpointer user_data)
{
  beckon_json_writer_name (user_data, name);
  beckon_json_writer_node (user_data, node);
}

static void
write_element (JsonArray *array, guint index, JsonNode *node, gpointer user_data)
{
  beckon_json_writer_node (user_data, node);
}

static void
write_value (BeckonJsonWriter *self, JsonNode *node)
{
  GType type = json_node_get_value_type (node);

  if (type == G_TYPE_STRING)
    beckon_json_writer_string (self, json_node_get_string (node), -1);
  else if (type == G_TYPE_BOOLEAN)
    beckon_json_writer_boolean (self, json_node_get_boolean (node));
  else if (type == G_TYPE_INT64)
    beckon_json_writer_int (self, json_node_get_int (node));
  else
    beckon_json_writer_double (self, json_node_get_double (node));
}

void
beckon_json_writer_node (BeckonJsonWriter *writer, JsonNode *node)
{
  switch (json_node_get_node_type (node))
    {
    case JSON_NODE_OBJECT:
      beckon_json_writer_begin_object (writer);
      json_object_foreach_member (json_node_get_object (node), write_member, writer);
      beckon_json_writer_end_object (writer);
      break;
    case JSON_NODE_ARRAY:
      beckon_json_writer_begin_array (writer);
      json_array_foreach_element (json_node_get_array (node), write_element, writer);
      beckon_json_writer_end_array (writer);
      break;
    case JSON_NODE_VALUE:
      write_value (writer, node);
      break;
    case JSON_NODE_NULL:
    default:
      beckon_json_writer_null (writer);
      break;
    }
}

void
beckon_json_writer_member_string (BeckonJsonWriter *writer, const char *name, const char *text)
{
  beckon_json_writer_name (writer, name);
  beckon_json_writer_string (writer, text, -1);
}

void
beckon_json_writer_member_plain (BeckonJsonWriter *writer, const char *name, const char *before, const char *text,
                                 gsize length)
{
  beckon_json_writer_name (writer, name);
  g_string_append_c (writer->string, '"');
  g_string_append (writer->string, before);
  g_string_append_len (writer->string, text, (gssize) length);
  g_string_append_c (writer->string, '"');
}

void
beckon_json_writer_member_int (BeckonJsonWriter *writer, const char *name, gint64 value)
{
  beckon_json_writer_name (writer, name);
  beckon_json_writer_int (writer, value);
}

void
beckon_json_writer_member_boolean (BeckonJsonWriter *writer, const char *name, gboolean value)
{
  beckon_json_writer_name (writer, name);
  beckon_json_writer_boolean (writer, value);
}
