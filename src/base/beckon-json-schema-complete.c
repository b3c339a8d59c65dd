/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-json-schema-private.h"

#include "beckon-json-writer.h"
#include "beckon-likeness.h"

#include <string.h>

typedef struct
{
  BeckonJsonSchema *schema;
  const char *text;
  const BeckonJsonSynonym *synonyms; /* (nullable) */
  gboolean leaves_out;
  BeckonJsonWriter writer;
  GString *told;
  gboolean is_changed;
  gboolean is_odd; /* a name can't be written again */
} Completion;

/* (nullable): what a text stands for where the schema takes no text but something else. Caller frees. */
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
  else if (literal->kind == BECKON_JSON_VALUE_ARRAY || literal->kind == BECKON_JSON_VALUE_OBJECT)
    is_meant = g_str_equal (type, literal->kind == BECKON_JSON_VALUE_ARRAY ? "array" : "object");
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

/* (nullable): the property, not given by its own name, that @name stands for. *@is_idle: the name says nothing that counts */
static const BeckonJsonValue *
find_meant (Completion *self, const BeckonJsonValue *properties, const BeckonJsonValue *value, const char *name,
            gboolean *is_idle)
{
  const BeckonJsonValue *meant = NULL;

  for (guint i = 0; i < beckon_json_value_get_n_children (properties) && meant == NULL; i++)
    if (beckon_likeness_is_same_word (beckon_json_value_get_child (properties, i)->name->str, name))
      meant = beckon_json_value_get_child (properties, i);
  for (const BeckonJsonSynonym *synonym = self->synonyms; synonym != NULL && synonym->name != NULL; synonym++)
    {
      if (!beckon_likeness_is_same_word (synonym->name, name))
        continue;
      *is_idle = *is_idle || synonym->meant == NULL;
      if (meant == NULL && synonym->meant != NULL)
        meant = beckon_json_value_get (properties, synonym->meant);
    }
  return meant != NULL && beckon_json_value_get_member (value, meant->name) == NULL ? meant : NULL;
}

static gboolean
may_hold (Completion *self, const BeckonJsonValue *property, const BeckonJsonValue *value)
{
  const BeckonJsonValue *target = beckon_json_schema_get_target (self->schema, property);
  g_autoptr (BeckonJsonValue) literal = read_literal (self, target != NULL ? target : property, value);

  return beckon_json_schema_fits (self->schema, property, literal != NULL ? literal : value);
}

/* A member that the schema does not know is taken for the one that its name stands for, or left out. */
static void
complete_unknown (Completion *self, const BeckonJsonValue *properties, const BeckonJsonValue *value,
                  const BeckonJsonValue *member, GPtrArray *taken)
{
  const char *name = member->name->str;
  gboolean is_idle = self->leaves_out || (self->synonyms != NULL && member->kind == BECKON_JSON_VALUE_NULL);
  const BeckonJsonValue *property = find_meant (self, properties, value, name, &is_idle);

  if (property != NULL && !g_ptr_array_find (taken, property, NULL) && may_hold (self, property, member))
    {
      g_string_append_printf (self->told, "%s`%.100s` was taken for `%s`.", self->told->len > 0 ? " " : "", name,
                              property->name->str);
      g_ptr_array_add (taken, (gpointer) property);
      complete_name (self, property->name);
      complete_value (self, property, member);
      self->is_changed = TRUE;
    }
  else if (is_idle)
    {
      g_string_append_printf (self->told, "%s`%.100s` ", self->told->len > 0 ? " " : "", name);
      if (property != NULL)
        g_string_append_printf (self->told, "was ignored: `%s` does not take its value.", property->name->str);
      else
        g_string_append (self->told, "is not known here and was ignored.");
      self->is_changed = TRUE;
    }
  else
    {
      complete_name (self, member->name);
      complete_value (self, NULL, member);
    }
}

static void
complete_object (Completion *self, const BeckonJsonValue *part, const BeckonJsonValue *value)
{
  const BeckonJsonValue *properties = beckon_json_value_get (part, "properties");
  const BeckonJsonValue *additional = beckon_json_value_get (part, "additionalProperties");
  gboolean is_closed = additional != NULL && additional->kind == BECKON_JSON_VALUE_FALSE
                       && beckon_json_value_get (part, "patternProperties") == NULL;
  g_autoptr (GPtrArray) taken = g_ptr_array_new ();

  beckon_json_writer_begin_object (&self->writer);
  for (guint i = 0; i < beckon_json_value_get_n_children (value); i++)
    {
      const BeckonJsonValue *member = beckon_json_value_get_child (value, i);
      const BeckonJsonValue *property = beckon_json_value_get_member (properties, member->name);

      if (property == NULL && is_closed)
        complete_unknown (self, properties, value, member, taken);
      /* Null is how some write that an argument is not given. */
      else if (property != NULL && member->kind == BECKON_JSON_VALUE_NULL && !is_required (part, member->name)
               && !beckon_json_schema_fits (self->schema, property, member))
        self->is_changed = TRUE;
      else
        {
          complete_name (self, member->name);
          complete_value (self, property, member);
        }
    }
  for (guint i = 0; i < beckon_json_value_get_n_children (properties); i++)
    {
      const BeckonJsonValue *property = beckon_json_value_get_child (properties, i);
      const BeckonJsonValue *fallback = beckon_json_value_get (property, "default");
      g_autofree char *printed = NULL;

      if (fallback == NULL || !is_required (part, property->name)
          || beckon_json_value_get_member (value, property->name) != NULL || g_ptr_array_find (taken, property, NULL)
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
      const char *text = self->text;

      self->text = value->text->str;
      complete_value (self, part, literal);
      self->text = text;
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
beckon_json_schema_complete (BeckonJsonSchema *schema, const char *text, const BeckonJsonSynonym *synonyms,
                             gboolean leaves_out, char **told)
{
  g_autoptr (BeckonJsonValue) value = NULL;
  g_autoptr (GString) completed = g_string_new (NULL);
  g_autoptr (GString) sentences = g_string_new (NULL);
  Completion self
    = { .schema = schema, .text = text, .synonyms = synonyms, .leaves_out = leaves_out, .told = sentences };

  g_return_val_if_fail (schema != NULL && text != NULL, NULL);

  value = beckon_json_value_parse (text, -1, NULL);
  if (value == NULL || value->kind != BECKON_JSON_VALUE_OBJECT)
    return NULL;
  beckon_json_writer_init (&self.writer, completed);
  complete_value (&self, beckon_json_schema_get_root (schema), value);
  if (told != NULL)
    *told = self.is_changed && !self.is_odd && sentences->len > 0 ? g_strdup (sentences->str) : NULL;
  return self.is_changed && !self.is_odd ? g_string_free (g_steal_pointer (&completed), FALSE) : NULL;
}
