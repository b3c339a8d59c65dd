/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-json-schema-private.h"

#include "beckon-json-writer.h"

#include <string.h>

typedef struct
{
  BeckonJsonSchema *schema;
  const char *text;
  BeckonJsonWriter writer;
  gboolean is_changed;
  gboolean is_odd; /* a name can't be written again */
} Completion;

/* (nullable): what a text stands for where the schema takes no text but a number or a truth value. Caller frees. */
static BeckonJsonValue *
read_literal (Completion *self, const BeckonJsonValue *part, const BeckonJsonValue *value)
{
  const char *type = beckon_json_value_get_string (beckon_json_value_get (part, "type"));
  g_autoptr (BeckonJsonValue) literal = NULL;
  gboolean is_meant;

  if (value->kind != BECKON_JSON_VALUE_STRING || type == NULL || g_str_equal (type, "string"))
    return NULL;
  literal = beckon_json_value_parse (value->text->str, (gssize) value->text->len, NULL);
  if (literal == NULL)
    return NULL;
  /* A number that is too small is told so, and not that it is a text. */
  if (literal->kind == BECKON_JSON_VALUE_NUMBER)
    is_meant = g_str_equal (type, "integer") || g_str_equal (type, "number");
  else
    is_meant = g_str_equal (type, "boolean")
               && (literal->kind == BECKON_JSON_VALUE_TRUE || literal->kind == BECKON_JSON_VALUE_FALSE);
  return is_meant ? g_steal_pointer (&literal) : NULL;
}

static gboolean
is_required (const BeckonJsonValue *part, const GString *name)
{
  const BeckonJsonValue *required = beckon_json_value_get (part, "required");

  for (guint i = 0; i < beckon_json_value_get_n_children (required); i++)
    {
      const BeckonJsonValue *one = beckon_json_value_get_child (required, i);

      if (one->kind == BECKON_JSON_VALUE_STRING && g_string_equal (one->text, name))
        return TRUE;
    }
  return FALSE;
}

static void complete_value (Completion *self, const BeckonJsonValue *part, const BeckonJsonValue *value);

static void
complete_name (Completion *self, const GString *name)
{
  self->is_odd = self->is_odd || strlen (name->str) != name->len;
  beckon_json_writer_name (&self->writer, name->str);
}

static void
complete_object (Completion *self, const BeckonJsonValue *part, const BeckonJsonValue *value)
{
  const BeckonJsonValue *properties = beckon_json_value_get (part, "properties");

  beckon_json_writer_begin_object (&self->writer);
  for (guint i = 0; i < beckon_json_value_get_n_children (value); i++)
    {
      const BeckonJsonValue *member = beckon_json_value_get_child (value, i);

      complete_name (self, member->name);
      complete_value (self, beckon_json_value_get_member (properties, member->name), member);
    }
  for (guint i = 0; i < beckon_json_value_get_n_children (properties); i++)
    {
      const BeckonJsonValue *property = beckon_json_value_get_child (properties, i);
      const BeckonJsonValue *fallback = beckon_json_value_get (property, "default");
      g_autofree char *printed = NULL;

      if (fallback == NULL || !is_required (part, property->name)
          || beckon_json_value_get_member (value, property->name) != NULL
          || !beckon_json_schema_fits (self->schema, property, fallback))
        continue;
      printed = beckon_json_value_print (fallback);
      complete_name (self, property->name);
      beckon_json_writer_raw (&self->writer, printed, -1);
      self->is_changed = TRUE;
    }
  beckon_json_writer_end_object (&self->writer);
}

static void
complete_value (Completion *self, const BeckonJsonValue *part, const BeckonJsonValue *value)
{
  const BeckonJsonValue *referred = part != NULL ? beckon_json_schema_get_target (self->schema, part) : NULL;
  const BeckonJsonValue *target = referred != NULL ? referred : part;
  g_autoptr (BeckonJsonValue) literal = target != NULL ? read_literal (self, target, value) : NULL;
  const BeckonJsonValue *items = beckon_json_value_get (target, "items");

  if (literal != NULL)
    {
      beckon_json_writer_raw (&self->writer, value->text->str, (gssize) value->text->len);
      self->is_changed = TRUE;
    }
  else if (value->kind == BECKON_JSON_VALUE_OBJECT && target != NULL)
    complete_object (self, target, value);
  else if (value->kind == BECKON_JSON_VALUE_ARRAY && items != NULL)
    {
      beckon_json_writer_begin_array (&self->writer);
      for (guint i = 0; i < beckon_json_value_get_n_children (value); i++)
        complete_value (self, items, beckon_json_value_get_child (value, i));
      beckon_json_writer_end_array (&self->writer);
    }
  else
    beckon_json_writer_raw (&self->writer, self->text + value->offset, (gssize) value->length);
}

char *
beckon_json_schema_complete (BeckonJsonSchema *schema, const char *text)
{
  g_autoptr (BeckonJsonValue) value = NULL;
  g_autoptr (GString) completed = g_string_new (NULL);
  Completion self = { .schema = schema, .text = text };

  g_return_val_if_fail (schema != NULL && text != NULL, NULL);

  value = beckon_json_value_parse (text, -1, NULL);
  if (value == NULL || value->kind != BECKON_JSON_VALUE_OBJECT)
    return NULL;
  beckon_json_writer_init (&self.writer, completed);
  complete_value (&self, beckon_json_schema_get_root (schema), value);
  return self.is_changed && !self.is_odd ? g_string_free (g_steal_pointer (&completed), FALSE) : NULL;
}
