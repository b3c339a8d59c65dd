/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-form-shape.h"

#include "base/beckon-text.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* The type of a place, its possible variants, and its first value in a form. */

#define MAX_LABEL 60

/* How far what a form makes up by itself goes: a schema may require itself, and more than once. */
#define MAX_DEFAULT_DEPTH 6
#define MAX_DEFAULT_PLACES 200

static const char *
get_type_of (const BeckonJsonValue *value)
{
  static const char *const names[] = { "null", "boolean", "boolean", "number", "string", "array", "object" };

  return value != NULL ? names[value->kind] : NULL;
}

static const char *
infer_type (const BeckonFormShape *shape)
{
  static const struct
  {
    const char *word;
    const char *type;
  } words[] = {
    { "properties", "object" },    { "additionalProperties", "object" }, { "patternProperties", "object" },
    { "required", "object" },      { "propertyNames", "object" },        { "items", "array" },
    { "prefixItems", "array" },    { "minItems", "array" },              { "maxItems", "array" },
    { "uniqueItems", "array" },    { "pattern", "string" },              { "minLength", "string" },
    { "maxLength", "string" },     { "format", "string" },               { "minimum", "number" },
    { "maximum", "number" },       { "exclusiveMinimum", "number" },     { "exclusiveMaximum", "number" },
    { "multipleOf", "number" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      if (beckon_form_shape_get (shape, words[i].word) != NULL)
        return words[i].type;
    }
  return NULL;
}

const char *
beckon_form_shape_get_type (const BeckonFormShape *shape, const BeckonJsonValue *value)
{
  const BeckonJsonValue *type = beckon_form_shape_get (shape, "type");
  const char *only = beckon_json_value_get_string (type);

  if (shape->type != NULL)
    return shape->type;
  if (beckon_json_value_get_n_children (type) == 1)
    only = beckon_json_value_get_string (beckon_json_value_get_child (type, 0));
  if (only == NULL && type == NULL)
    only = infer_type (shape);
  return only != NULL ? only : get_type_of (value);
}

/* --- Variants ----------------------------------------------------------------------------------------------------- */

static BeckonFormShape *
variant_new (const BeckonFormShape *shape, const BeckonJsonValue *choice, const BeckonJsonValue *own, const char *type,
             const BeckonJsonValue *value)
{
  BeckonFormShape *variant = beckon_form_shape_new_empty (shape->schema);

  variant->own = own;
  variant->type = type != NULL ? type : shape->type;
  beckon_form_shape_add (variant, own, value);
  for (guint i = 0; i < shape->parts->len; i++)
    beckon_form_shape_add (variant, g_ptr_array_index (shape->parts, i), value);
  g_ptr_array_extend (variant->spent, shape->spent, NULL, NULL);
  g_ptr_array_add (variant->spent, (gpointer) choice);
  return variant;
}

/* A variant that only forbids or requires is no kind of value of its own. */
static gboolean
describes (const BeckonJsonValue *variant)
{
  static const char *const words[] = { "type", "properties", "const", "enum", "items", "prefixItems", "$ref", "anyOf",
                                       "oneOf", "allOf", "additionalProperties", "pattern", "format" };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      if (beckon_json_value_get (variant, words[i]) != NULL)
        return TRUE;
    }
  return FALSE;
}

static gboolean
is_choice (const BeckonFormShape *shape, const BeckonJsonValue *list)
{
  if (beckon_json_value_get_n_children (list) == 0 || g_ptr_array_find (shape->spent, list, NULL))
    return FALSE;
  for (guint i = 0; i < list->children->len; i++)
    {
      if (!describes (beckon_json_value_get_child (list, i)))
        return FALSE;
    }
  return TRUE;
}

static const BeckonJsonValue *
find_choice (const BeckonFormShape *shape)
{
  static const char *const words[] = { "oneOf", "anyOf" };

  for (guint i = 0; i < shape->parts->len; i++)
    {
      for (guint j = 0; j < G_N_ELEMENTS (words); j++)
        {
          const BeckonJsonValue *list = beckon_json_value_get (g_ptr_array_index (shape->parts, i), words[j]);

          if (is_choice (shape, list))
            return list;
        }
    }
  return NULL;
}

static GPtrArray *
list_types (const BeckonFormShape *shape, const BeckonJsonValue *value)
{
  const BeckonJsonValue *types = beckon_form_shape_get (shape, "type");
  GPtrArray *variants;

  if (shape->type != NULL || beckon_json_value_get_n_children (types) < 2)
    return NULL;
  variants = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_form_shape_free);
  for (guint i = 0; i < types->children->len; i++)
    {
      const char *type = beckon_json_value_get_string (beckon_json_value_get_child (types, i));

      if (type != NULL)
        g_ptr_array_add (variants, variant_new (shape, types, NULL, type, value));
    }
  return variants;
}

GPtrArray *
beckon_form_shape_list_variants (const BeckonFormShape *shape, const BeckonJsonValue *value)
{
  const BeckonJsonValue *choice = find_choice (shape);
  GPtrArray *variants;

  if (choice == NULL)
    return list_types (shape, value);
  variants = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_form_shape_free);
  for (guint i = 0; i < choice->children->len; i++)
    g_ptr_array_add (variants, variant_new (shape, choice, beckon_json_value_get_child (choice, i), NULL, value));
  return variants;
}

static gboolean
is_of_type (const BeckonJsonValue *value, const char *type)
{
  if (strcmp (type, "integer") != 0)
    return strcmp (type, get_type_of (value)) == 0;
  return value->kind == BECKON_JSON_VALUE_NUMBER && strpbrk (value->text->str, ".eE") == NULL;
}

gboolean
beckon_form_shape_is_variant (const BeckonFormShape *variant, const BeckonJsonValue *value)
{
  if (variant->own != NULL)
    return beckon_json_schema_fits (variant->schema, variant->own, value);
  return variant->type == NULL || is_of_type (value, variant->type);
}

const BeckonJsonValue *
beckon_form_shape_get_constant (const BeckonFormShape *variant)
{
  const BeckonJsonValue *list = beckon_json_value_get (variant->own, "enum");
  const BeckonJsonValue *constant = beckon_json_value_get (variant->own, "const");

  if (constant == NULL && beckon_json_value_get_n_children (list) == 1)
    constant = beckon_json_value_get_child (list, 0);
  return constant;
}

static const char *
name_type (const char *type)
{
  static const struct
  {
    const char *type;
    const char *name;
  } names[] = {
    /* Translators: the next seven are kinds of values, in a list from which one is chosen */
    { "string", N_("Text") }, { "number", N_("Number") }, { "integer", N_("Whole number") },
    { "boolean", N_("Yes or no") }, { "array", N_("List") }, { "object", N_("Group") }, { "null", N_("Nothing") },
  };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      if (g_strcmp0 (type, names[i].type) == 0)
        return _(names[i].name);
    }
  return _("Anything");
}

/* The constant that tells one object from another, or what it has to have. */
static char *
describe_object (const BeckonFormShape *variant)
{
  const BeckonJsonValue *properties = beckon_json_value_get (variant->own, "properties");
  const BeckonJsonValue *required = beckon_json_value_get (variant->own, "required");
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint i = 0; i < beckon_json_value_get_n_children (properties); i++)
    {
      const BeckonJsonValue *constant = beckon_json_value_get (beckon_json_value_get_child (properties, i), "const");

      if (beckon_json_value_get_string (constant) != NULL)
        return g_strdup (beckon_json_value_get_string (constant));
    }
  for (guint i = 0; i < beckon_json_value_get_n_children (required); i++)
    {
      const char *name = beckon_json_value_get_string (beckon_json_value_get_child (required, i));

      if (name != NULL)
        g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", name);
    }
  return names->len > 0 ? g_string_free (g_steal_pointer (&names), FALSE) : NULL;
}

char *
beckon_form_shape_dup_label (const BeckonFormShape *variant)
{
  const BeckonJsonValue *constant = beckon_form_shape_get_constant (variant);
  const char *title = beckon_json_value_get_string (beckon_json_value_get (variant->own, "title"));
  const char *reference = beckon_json_value_get_string (beckon_json_value_get (variant->own, "$ref"));
  g_autofree char *made = NULL;
  g_autofree char *shown = NULL;

  if (title == NULL && variant->own != NULL && variant->parts->len > 1 && reference != NULL)
    title = beckon_json_value_get_string (beckon_json_value_get (g_ptr_array_index (variant->parts, 1), "title"));
  if (title == NULL && constant != NULL)
    title = made = constant->kind == BECKON_JSON_VALUE_STRING ? g_strdup (constant->text->str)
                                                               : beckon_json_value_print (constant);
  if (title == NULL)
    title = made = describe_object (variant);
  if (title == NULL && reference != NULL)
    title = strrchr (reference, '/') != NULL ? strrchr (reference, '/') + 1 : reference;
  if (title == NULL)
    return g_strdup (name_type (beckon_form_shape_get_type (variant, NULL)));
  shown = beckon_text_for_display (title, -1, BECKON_TEXT_EXACT);
  return beckon_text_shorten (shown, MAX_LABEL);
}

/* --- Defaults ----------------------------------------------------------------------------------------------------- */

typedef struct
{
  guint depth;
  guint n_left;
} Making;

static char *
make_default (const BeckonFormShape *shape, Making *making);

static void
append_default (GString *json, BeckonFormShape *shape, Making *making)
{
  g_autofree char *value = NULL;

  making->depth++;
  value = make_default (shape, making);
  making->depth--;
  g_string_append (json, value);
  beckon_form_shape_free (shape);
}

static gboolean
may_go_on (Making *making)
{
  if (making->depth >= MAX_DEFAULT_DEPTH || making->n_left == 0)
    return FALSE;
  making->n_left--;
  return TRUE;
}

static char *
make_object (const BeckonFormShape *shape, Making *making)
{
  g_autoptr (GPtrArray) names = beckon_form_shape_list_members (shape);
  GString *json = g_string_new ("{");

  for (guint i = 0; i < names->len; i++)
    {
      const GString *name = g_ptr_array_index (names, i);
      const BeckonJsonValue as_value = { .kind = BECKON_JSON_VALUE_STRING, .text = (GString *) name };
      g_autofree char *quoted = NULL;

      if (!beckon_form_shape_requires (shape, name) || !may_go_on (making))
        continue;
      quoted = beckon_json_value_print (&as_value);
      g_string_append_printf (json, "%s%s: ", json->len > 1 ? ", " : "", quoted);
      append_default (json, beckon_form_shape_new_member (shape, name, NULL), making);
    }
  g_string_append_c (json, '}');
  return g_string_free (json, FALSE);
}

static char *
make_array (const BeckonFormShape *shape, Making *making)
{
  long double least = beckon_json_value_get_number (beckon_form_shape_get (shape, "minItems"));
  GString *json = g_string_new ("[");

  for (guint i = 0; (long double) i < least && may_go_on (making); i++)
    {
      if (i > 0)
        g_string_append (json, ", ");
      append_default (json, beckon_form_shape_new_element (shape, i, NULL), making);
    }
  g_string_append_c (json, ']');
  return g_string_free (json, FALSE);
}

static char *
make_typed (const BeckonFormShape *shape, Making *making)
{
  const char *type = beckon_form_shape_get_type (shape, NULL);

  if (g_strcmp0 (type, "object") == 0)
    return make_object (shape, making);
  if (g_strcmp0 (type, "array") == 0)
    return make_array (shape, making);
  if (g_strcmp0 (type, "number") == 0 || g_strcmp0 (type, "integer") == 0)
    {
      const BeckonJsonValue *least = beckon_form_shape_get (shape, "minimum");
      const BeckonJsonValue *most = beckon_form_shape_get (shape, "maximum");
      const BeckonJsonValue *above = beckon_form_shape_get (shape, "exclusiveMinimum");

      /* Prefers 0; otherwise the nearest allowed number. */
      if (least != NULL && beckon_json_value_get_number (least) > 0)
        return g_strdup (least->text->str);
      if (most != NULL && beckon_json_value_get_number (most) < 0)
        return g_strdup (most->text->str);
      if (above != NULL && beckon_json_value_get_number (above) >= 0 && beckon_json_value_get_number (above) < 1e15)
        return g_strdup_printf ("%" G_GINT64_FORMAT, (gint64) beckon_json_value_get_number (above) + 1);
      return g_strdup ("0");
    }
  if (g_strcmp0 (type, "boolean") == 0)
    return g_strdup ("false");
  return g_strdup (g_strcmp0 (type, "null") == 0 ? "null" : "\"\"");
}

static char *
make_default (const BeckonFormShape *shape, Making *making)
{
  const BeckonJsonValue *given = beckon_form_shape_get (shape, "const");
  const BeckonJsonValue *list = beckon_form_shape_get (shape, "enum");
  g_autoptr (GPtrArray) variants = NULL;

  if (given == NULL)
    given = beckon_form_shape_get (shape, "default");
  if (given == NULL && beckon_json_value_get_n_children (list) > 0)
    given = beckon_json_value_get_child (list, 0);
  if (given != NULL)
    return beckon_json_value_print (given);
  variants = beckon_form_shape_list_variants (shape, NULL);
  if (variants != NULL && variants->len > 0 && may_go_on (making))
    return make_default (g_ptr_array_index (variants, 0), making);
  return make_typed (shape, making);
}

char *
beckon_form_shape_dup_default (const BeckonFormShape *shape)
{
  Making making = { 0, MAX_DEFAULT_PLACES };

  return make_default (shape, &making);
}
