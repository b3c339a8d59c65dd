/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-mcp-completion.h"

#include "base/beckon-json-value.h"
#include "base/beckon-json-writer.h"
#include "base/beckon-text.h"

#include <string.h>

static void
write_values (BeckonJsonWriter *writer, const char *argument, GHashTable *values)
{
  GHashTableIter iter;
  gpointer key, value;

  beckon_json_writer_begin_object (writer);
  if (values != NULL)
    g_hash_table_iter_init (&iter, values);
  while (values != NULL && g_hash_table_iter_next (&iter, &key, &value))
    if (!g_str_equal (key, argument))
      beckon_json_writer_member_string (writer, key, value);
  beckon_json_writer_end_object (writer);
}

char *
beckon_mcp_completion_make_members (const BeckonMcpCompletion *completion)
{
  g_autoptr (GString) text = g_string_new (NULL);
  BeckonJsonWriter writer;

  beckon_json_writer_init (&writer, text);
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_name (&writer, "ref");
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_member_string (&writer, "type", completion->is_template ? "ref/resource" : "ref/prompt");
  beckon_json_writer_member_string (&writer, completion->is_template ? "uri" : "name", completion->name);
  beckon_json_writer_end_object (&writer);
  beckon_json_writer_name (&writer, "argument");
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_member_string (&writer, "name", completion->argument);
  beckon_json_writer_member_string (&writer, "value", completion->typed);
  beckon_json_writer_end_object (&writer);
  beckon_json_writer_name (&writer, "context");
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_name (&writer, "arguments");
  write_values (&writer, completion->argument, completion->values);
  beckon_json_writer_end_object (&writer);
  beckon_json_writer_end_object (&writer);
  /* Members are without the braces around them. */
  g_string_truncate (text, text->len - 1);
  g_string_erase (text, 0, 1);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static gboolean
completion_is_plain (const char *text)
{
  if (text == NULL || *text == '\0' || strlen (text) > 4 * BECKON_MCP_COMPLETION_TEXT_MAX || beckon_text_has_hidden (text, -1)
      || g_utf8_strlen (text, -1) > BECKON_MCP_COMPLETION_TEXT_MAX)
    return FALSE;
  for (const char *at = text; *at != '\0'; at = g_utf8_next_char (at))
    if (g_unichar_iscntrl (g_utf8_get_char (at)))
      return FALSE;
  return TRUE;
}

char **
beckon_mcp_completion_read (const char *json)
{
  g_autoptr (BeckonJsonValue) value = json != NULL ? beckon_json_value_parse (json, -1, NULL) : NULL;
  const BeckonJsonValue *list = beckon_json_value_get (beckon_json_value_get (value, "completion"), "values");
  g_autoptr (GStrvBuilder) values = g_strv_builder_new ();
  guint n = 0;

  if (list == NULL || list->kind != BECKON_JSON_VALUE_ARRAY)
    return NULL;
  for (guint i = 0; i < list->children->len && n < BECKON_MCP_COMPLETIONS_MAX; i++)
    {
      const char *text = beckon_json_value_get_string (g_ptr_array_index (list->children, i));

      if (!completion_is_plain (text))
        continue;
      g_strv_builder_add (values, text);
      n++;
    }
  return g_strv_builder_end (values);
}
