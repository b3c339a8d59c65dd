/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-sent-schema.h"

#include "base/beckon-json-value.h"
#include "base/beckon-json-writer.h"

#include <string.h>

typedef struct
{
  const char *text;
  BeckonJsonWriter writer;
  gboolean is_changed;
} Mending;

/* The words whose values are schemas: one, a list of them, or a schema by name. */
typedef enum
{
  NO_SCHEMA,
  SCHEMA,
  SCHEMAS,
  NAMED_SCHEMAS,
} Holds;

static Holds
find_holds (const char *word)
{
  static const struct
  {
    const char *word;
    Holds holds;
  } known[] = {
    { "properties", NAMED_SCHEMAS },   { "patternProperties", NAMED_SCHEMAS }, { "$defs", NAMED_SCHEMAS },
    { "definitions", NAMED_SCHEMAS },  { "items", SCHEMA },                    { "additionalProperties", SCHEMA },
    { "not", SCHEMA },                 { "contains", SCHEMA },                 { "propertyNames", SCHEMA },
    { "anyOf", SCHEMAS },              { "oneOf", SCHEMAS },                   { "allOf", SCHEMAS },
    { "prefixItems", SCHEMAS },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (known); i++)
    if (g_str_equal (known[i].word, word))
      return known[i].holds;
  return NO_SCHEMA;
}

static gboolean
is_array_without_items (const BeckonJsonValue *schema)
{
  const BeckonJsonValue *items = beckon_json_value_get (schema, "items");

  return g_strcmp0 (beckon_json_value_get_string (beckon_json_value_get (schema, "type")), "array") == 0
         && (items == NULL || items->kind == BECKON_JSON_VALUE_NULL) && beckon_json_value_get (schema, "prefixItems") == NULL;
}

static void mend_schema (Mending *self, const BeckonJsonValue *schema);

static void
mend_raw (Mending *self, const BeckonJsonValue *value)
{
  beckon_json_writer_raw (&self->writer, self->text + value->offset, (gssize) value->length);
}

static void
mend_held (Mending *self, Holds holds, const BeckonJsonValue *value)
{
  if (holds == SCHEMAS && value->kind == BECKON_JSON_VALUE_ARRAY)
    {
      beckon_json_writer_begin_array (&self->writer);
      for (guint i = 0; i < beckon_json_value_get_n_children (value); i++)
        mend_schema (self, beckon_json_value_get_child (value, i));
      beckon_json_writer_end_array (&self->writer);
    }
  else if (holds == NAMED_SCHEMAS && value->kind == BECKON_JSON_VALUE_OBJECT)
    {
      beckon_json_writer_begin_object (&self->writer);
      for (guint i = 0; i < beckon_json_value_get_n_children (value); i++)
        {
          const BeckonJsonValue *named = beckon_json_value_get_child (value, i);

          beckon_json_writer_name (&self->writer, named->name->str);
          mend_schema (self, named);
        }
      beckon_json_writer_end_object (&self->writer);
    }
  else if (holds == SCHEMA)
    mend_schema (self, value);
  else
    mend_raw (self, value);
}

/* Draft 4 has the limit that does not count itself as a truth value beside the limit. (nullable): the other word for it. */
static const char *
find_exclusive (const BeckonJsonValue *schema, const char *word)
{
  static const char *const limits[][2] = { { "minimum", "exclusiveMinimum" }, { "maximum", "exclusiveMaximum" } };

  for (gsize i = 0; i < G_N_ELEMENTS (limits); i++)
    {
      const BeckonJsonValue *exclusive = beckon_json_value_get (schema, limits[i][1]);

      if (g_str_equal (word, limits[i][0]) && exclusive != NULL && exclusive->kind == BECKON_JSON_VALUE_TRUE)
        return limits[i][1];
    }
  return NULL;
}

static gboolean
is_left_out (const BeckonJsonValue *member)
{
  const char *word = member->name->str;
  gboolean is_truth = member->kind == BECKON_JSON_VALUE_TRUE || member->kind == BECKON_JSON_VALUE_FALSE;

  if (member->kind == BECKON_JSON_VALUE_NULL)
    return !g_str_equal (word, "default") && !g_str_equal (word, "const");
  return (is_truth && (g_str_has_prefix (word, "exclusiveM") || g_str_equal (word, "required")))
         || (member->kind == BECKON_JSON_VALUE_STRING && g_str_equal (word, "id"));
}

static void
mend_schema (Mending *self, const BeckonJsonValue *schema)
{
  if (schema->kind == BECKON_JSON_VALUE_NULL)
    {
      beckon_json_writer_raw (&self->writer, "{}", -1);
      self->is_changed = TRUE;
      return;
    }
  if (schema->kind != BECKON_JSON_VALUE_OBJECT)
    {
      mend_raw (self, schema);
      return;
    }
  beckon_json_writer_begin_object (&self->writer);
  for (guint i = 0; i < beckon_json_value_get_n_children (schema); i++)
    {
      const BeckonJsonValue *member = beckon_json_value_get_child (schema, i);
      const char *word = member->name->str;
      const char *exclusive = find_exclusive (schema, word);

      self->is_changed = self->is_changed || is_left_out (member) || exclusive != NULL;
      if (is_left_out (member))
        continue;
      beckon_json_writer_name (&self->writer, exclusive != NULL ? exclusive : word);
      mend_held (self, find_holds (word), member);
    }
  if (is_array_without_items (schema))
    {
      beckon_json_writer_name (&self->writer, "items");
      beckon_json_writer_raw (&self->writer, "{}", -1);
      self->is_changed = TRUE;
    }
  beckon_json_writer_end_object (&self->writer);
}

char *
beckon_sent_schema_mend (const char *schema)
{
  g_autoptr (BeckonJsonValue) value = NULL;
  g_autoptr (GString) mended = g_string_new (NULL);
  Mending self = { .text = schema };

  g_return_val_if_fail (schema != NULL, NULL);

  value = beckon_json_value_parse (schema, -1, NULL);
  if (value == NULL || value->kind != BECKON_JSON_VALUE_OBJECT)
    return NULL;
  beckon_json_writer_init (&self.writer, mended);
  mend_schema (&self, value);
  if (beckon_json_value_get (value, "type") == NULL)
    {
      g_string_insert (mended, 1, mended->len > 2 ? "\"type\":\"object\"," : "\"type\":\"object\"");
      self.is_changed = TRUE;
    }
  return self.is_changed ? g_string_free (g_steal_pointer (&mended), FALSE) : NULL;
}
