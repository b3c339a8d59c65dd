/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-form-member.h"

#include "base/beckon-json-value.h"
#include "base/beckon-json-writer.h"

#include <string.h>

/* Targets of references in a schema. */
static const char *const kept[] = { "$schema", "$id", "$defs", "definitions" };

static void
write_value (BeckonJsonWriter *writer, const char *name, const BeckonJsonValue *value)
{
  g_autofree char *text = value != NULL ? beckon_json_value_print (value) : NULL;

  if (text == NULL)
    return;
  beckon_json_writer_name (writer, name);
  beckon_json_writer_raw (writer, text, -1);
}

/* {"type": "object", "properties": {NAME: …}, "required": [NAME]}; what is not described may be anything. */
static char *
write_schema (const BeckonJsonValue *schema, const char *name)
{
  const BeckonJsonValue *member = beckon_json_value_get (beckon_json_value_get (schema, "properties"), name);
  GString *text = g_string_new (NULL);
  BeckonJsonWriter writer;

  beckon_json_writer_init (&writer, text);
  beckon_json_writer_begin_object (&writer);
  for (guint i = 0; i < G_N_ELEMENTS (kept); i++)
    write_value (&writer, kept[i], beckon_json_value_get (schema, kept[i]));
  beckon_json_writer_member_string (&writer, "type", "object");
  beckon_json_writer_name (&writer, "properties");
  beckon_json_writer_begin_object (&writer);
  if (member != NULL)
    write_value (&writer, name, member);
  beckon_json_writer_end_object (&writer);
  beckon_json_writer_name (&writer, "required");
  beckon_json_writer_begin_array (&writer);
  beckon_json_writer_string (&writer, name, -1);
  beckon_json_writer_end_array (&writer);
  beckon_json_writer_member_boolean (&writer, "additionalProperties", member == NULL);
  beckon_json_writer_end_object (&writer);
  return g_string_free (text, FALSE);
}

BeckonForm *
beckon_form_new_member (const char *schema, const char *name, const char *json)
{
  g_autoptr (BeckonJsonValue) value = schema != NULL ? beckon_json_value_parse (schema, -1, NULL) : NULL;
  g_autofree char *part = NULL;
  g_autoptr (GString) arguments = g_string_new (NULL);
  BeckonJsonWriter writer;
  BeckonForm *form;

  g_return_val_if_fail (name != NULL, NULL);

  part = write_schema (value, name);
  beckon_json_writer_init (&writer, arguments);
  beckon_json_writer_begin_object (&writer);
  if (json != NULL)
    {
      beckon_json_writer_name (&writer, name);
      beckon_json_writer_raw (&writer, json, -1);
    }
  beckon_json_writer_end_object (&writer);
  form = beckon_form_new (part, arguments->str, NULL);
  if (json == NULL && beckon_form_get_member (form) != NULL)
    beckon_form_fill (form, beckon_form_get_member (form));
  return form;
}

BeckonFormField *
beckon_form_get_member (BeckonForm *form)
{
  BeckonFormField *root = beckon_form_get_root (form);

  return root->children->len > 0 ? g_ptr_array_index (root->children, 0) : NULL;
}

char **
beckon_form_list_members (const char *schema)
{
  g_autoptr (BeckonJsonValue) value = schema != NULL ? beckon_json_value_parse (schema, -1, NULL) : NULL;
  const BeckonJsonValue *properties = beckon_json_value_get (value, "properties");
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();

  for (guint i = 0; i < beckon_json_value_get_n_children (properties); i++)
    g_strv_builder_add (names, beckon_json_value_get_child (properties, i)->name->str);
  return g_strv_builder_end (names);
}

/* --- Lists of values ---------------------------------------------------------------------------------------------- */

char *
beckon_form_join_values (const char *lines, gboolean are_texts)
{
  g_auto (GStrv) all = g_strsplit (lines, "\n", -1);
  g_autoptr (GString) text = g_string_new (NULL);
  BeckonJsonWriter writer;
  guint n = 0;

  beckon_json_writer_init (&writer, text);
  beckon_json_writer_begin_array (&writer);
  for (guint i = 0; all[i] != NULL; i++)
    {
      const char *line = g_strstrip (all[i]);

      if (*line == '\0')
        continue;
      n++;
      if (are_texts)
        beckon_json_writer_string (&writer, line, -1);
      else
        beckon_json_writer_raw (&writer, line, -1);
    }
  beckon_json_writer_end_array (&writer);
  return n > 0 ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}

char *
beckon_form_split_values (const char *array, gboolean are_texts)
{
  g_autoptr (BeckonJsonValue) value = array != NULL ? beckon_json_value_parse (array, -1, NULL) : NULL;
  GString *lines = g_string_new (NULL);

  for (guint i = 0; value != NULL && value->kind == BECKON_JSON_VALUE_ARRAY && i < value->children->len; i++)
    {
      const BeckonJsonValue *child = beckon_json_value_get_child (value, i);
      const char *text = are_texts ? beckon_json_value_get_string (child) : NULL;
      g_autofree char *json = text == NULL ? beckon_json_value_print (child) : NULL;

      g_string_append_printf (lines, "%s%s", i > 0 ? "\n" : "", text != NULL ? text : json);
    }
  return g_string_free (lines, FALSE);
}
