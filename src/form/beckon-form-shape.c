/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-form-shape.h"

#include <string.h>

/* Schemas come from strangers and may refer to themselves: how many parts hold for one place is bounded. */
#define MAX_PARTS 64

void
beckon_form_shape_add (BeckonFormShape *shape, const BeckonJsonValue *part, const BeckonJsonValue *value)
{
  const BeckonJsonValue *target, *all;
  const BeckonJsonValue *condition;
  const BeckonJsonValue *dependent;

  if (part == NULL || part->kind != BECKON_JSON_VALUE_OBJECT || shape->parts->len >= MAX_PARTS
      || g_ptr_array_find (shape->parts, part, NULL))
    return;
  target = beckon_json_schema_get_target (shape->schema, part);
  if (target != NULL && beckon_json_schema_is_draft_7 (shape->schema))
    {
      beckon_form_shape_add (shape, target, value);
      return;
    }
  g_ptr_array_add (shape->parts, (gpointer) part);
  beckon_form_shape_add (shape, target, value);
  all = beckon_json_value_get (part, "allOf");
  for (guint i = 0; i < beckon_json_value_get_n_children (all); i++)
    beckon_form_shape_add (shape, beckon_json_value_get_child (all, i), value);
  condition = beckon_json_value_get (part, "if");
  dependent = beckon_json_value_get (part, "dependentSchemas");
  if (condition != NULL && value != NULL)
    {
      gboolean fits = beckon_json_schema_fits (shape->schema, condition, value);

      beckon_form_shape_add (shape, beckon_json_value_get (part, fits ? "then" : "else"), value);
    }
  for (guint i = 0; i < beckon_json_value_get_n_children (dependent); i++)
    {
      const BeckonJsonValue *inner = beckon_json_value_get_child (dependent, i);

      if (inner->name != NULL && beckon_json_value_get_member (value, inner->name) != NULL)
        beckon_form_shape_add (shape, inner, value);
    }
}

BeckonFormShape *
beckon_form_shape_new_empty (BeckonJsonSchema *schema)
{
  BeckonFormShape *shape = g_new0 (BeckonFormShape, 1);

  shape->schema = schema;
  shape->parts = g_ptr_array_new ();
  shape->spent = g_ptr_array_new ();
  return shape;
}

BeckonFormShape *
beckon_form_shape_new (BeckonJsonSchema *schema, const BeckonJsonValue *value)
{
  BeckonFormShape *shape = beckon_form_shape_new_empty (schema);

  beckon_form_shape_add (shape, beckon_json_schema_get_root (schema), value);
  return shape;
}

void
beckon_form_shape_free (BeckonFormShape *shape)
{
  if (shape == NULL)
    return;
  g_ptr_array_unref (shape->parts);
  g_ptr_array_unref (shape->spent);
  g_free (shape);
}

/* --- Members and elements ----------------------------------------------------------------------------------------- */

static gboolean
add_named (BeckonFormShape *member, const BeckonJsonValue *part, const GString *name, const BeckonJsonValue *value)
{
  const BeckonJsonValue *own = beckon_json_value_get_member (beckon_json_value_get (part, "properties"), name);
  const BeckonJsonValue *patterns = beckon_json_value_get (part, "patternProperties");
  gboolean foreseen = own != NULL;

  beckon_form_shape_add (member, own, value);
  for (guint i = 0; i < beckon_json_value_get_n_children (patterns); i++)
    {
      const BeckonJsonValue *pattern = beckon_json_value_get_child (patterns, i);

      if (pattern->name == NULL || !beckon_json_schema_has_pattern (member->schema, pattern->name->str, name))
        continue;
      beckon_form_shape_add (member, pattern, value);
      foreseen = TRUE;
    }
  return foreseen;
}

BeckonFormShape *
beckon_form_shape_new_member (const BeckonFormShape *shape, const GString *name, const BeckonJsonValue *value)
{
  BeckonFormShape *member = beckon_form_shape_new_empty (shape->schema);

  for (guint i = 0; i < shape->parts->len; i++)
    {
      const BeckonJsonValue *part = g_ptr_array_index (shape->parts, i);

      if (!add_named (member, part, name, value))
        beckon_form_shape_add (member, beckon_json_value_get (part, "additionalProperties"), value);
    }
  return member;
}

/* In 2020-12 a list is called prefixItems and the rest items, before it items and additionalItems. */
static const BeckonJsonValue *
find_element (const BeckonJsonValue *part, guint index)
{
  const BeckonJsonValue *list = beckon_json_value_get (part, "prefixItems");
  const BeckonJsonValue *rest = beckon_json_value_get (part, "items");

  if (list == NULL && rest != NULL && rest->kind == BECKON_JSON_VALUE_ARRAY)
    {
      list = rest;
      rest = beckon_json_value_get (part, "additionalItems");
    }
  return index < beckon_json_value_get_n_children (list) ? beckon_json_value_get_child (list, index) : rest;
}

BeckonFormShape *
beckon_form_shape_new_element (const BeckonFormShape *shape, guint index, const BeckonJsonValue *value)
{
  BeckonFormShape *element = beckon_form_shape_new_empty (shape->schema);

  for (guint i = 0; i < shape->parts->len; i++)
    beckon_form_shape_add (element, find_element (g_ptr_array_index (shape->parts, i), index), value);
  return element;
}

const BeckonJsonValue *
beckon_form_shape_get (const BeckonFormShape *shape, const char *word)
{
  for (guint i = 0; i < shape->parts->len; i++)
    {
      const BeckonJsonValue *found = beckon_json_value_get (g_ptr_array_index (shape->parts, i), word);

      if (found != NULL)
        return found;
    }
  return NULL;
}

const char *
beckon_form_shape_get_string (const BeckonFormShape *shape, const char *word)
{
  return beckon_json_value_get_string (beckon_form_shape_get (shape, word));
}

/* A name that holds NUL can't be shown. */
static gboolean
has_name (GPtrArray *names, const GString *name)
{
  if (strlen (name->str) != name->len)
    return TRUE;
  for (guint i = 0; i < names->len; i++)
    {
      if (g_string_equal (g_ptr_array_index (names, i), name))
        return TRUE;
    }
  return FALSE;
}

GPtrArray *
beckon_form_shape_list_members (const BeckonFormShape *shape)
{
  GPtrArray *names = g_ptr_array_new ();

  for (guint i = 0; i < shape->parts->len; i++)
    {
      const BeckonJsonValue *properties = beckon_json_value_get (g_ptr_array_index (shape->parts, i), "properties");

      for (guint j = 0; j < beckon_json_value_get_n_children (properties); j++)
        {
          const BeckonJsonValue *property = beckon_json_value_get_child (properties, j);

          if (property->name != NULL && property->kind != BECKON_JSON_VALUE_FALSE && !has_name (names, property->name))
            g_ptr_array_add (names, property->name);
        }
    }
  return names;
}

gboolean
beckon_form_shape_requires (const BeckonFormShape *shape, const GString *name)
{
  for (guint i = 0; i < shape->parts->len; i++)
    {
      const BeckonJsonValue *list = beckon_json_value_get (g_ptr_array_index (shape->parts, i), "required");

      for (guint j = 0; j < beckon_json_value_get_n_children (list); j++)
        {
          const BeckonJsonValue *required = beckon_json_value_get_child (list, j);

          if (required->kind == BECKON_JSON_VALUE_STRING && g_string_equal (required->text, name))
            return TRUE;
        }
    }
  return FALSE;
}

gboolean
beckon_form_shape_takes_names (const BeckonFormShape *shape)
{
  for (guint i = 0; i < shape->parts->len; i++)
    {
      const BeckonJsonValue *more = beckon_json_value_get (g_ptr_array_index (shape->parts, i), "additionalProperties");

      if (more != NULL && more->kind == BECKON_JSON_VALUE_FALSE)
        return FALSE;
    }
  return TRUE;
}

gboolean
beckon_form_shape_takes_element (const BeckonFormShape *shape, guint index)
{
  const BeckonJsonValue *most = beckon_form_shape_get (shape, "maxItems");

  if (most != NULL && beckon_json_value_get_number (most) <= (long double) index)
    return FALSE;
  for (guint i = 0; i < shape->parts->len; i++)
    {
      const BeckonJsonValue *element = find_element (g_ptr_array_index (shape->parts, i), index);

      if (element != NULL && element->kind == BECKON_JSON_VALUE_FALSE)
        return FALSE;
    }
  return TRUE;
}
