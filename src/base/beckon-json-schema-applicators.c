/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-json-schema-check.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Words that apply schemas, to the value itself or to what it holds. */

#define WORD(name)                                                                                               \
  static gboolean name (BeckonJsonSchemaCheck *check, const BeckonJsonValue *schema, const BeckonJsonValue *word, \
                        const BeckonJsonValue *value)

/* --- The value itself --------------------------------------------------------------------------------------------- */

WORD (check_all)
{
  gboolean fits = TRUE;

  for (guint i = 0; i < beckon_json_value_get_n_children (word); i++)
    fits &= beckon_json_schema_check (check, beckon_json_value_get_child (word, i), value);
  return fits;
}

static guint
count_fitting (BeckonJsonSchemaCheck *check, const BeckonJsonValue *schemas, const BeckonJsonValue *value, guint enough)
{
  guint n = 0;

  for (guint i = 0; i < beckon_json_value_get_n_children (schemas) && n < enough; i++)
    n += beckon_json_schema_try (check, beckon_json_value_get_child (schemas, i), value);
  return n;
}

/* With only one form possible, its problems say more. */
static gboolean
complain_of_none (BeckonJsonSchemaCheck *check, const BeckonJsonValue *schemas, const BeckonJsonValue *value)
{
  if (beckon_json_value_get_n_children (schemas) == 1)
    return beckon_json_schema_check (check, beckon_json_value_get_child (schemas, 0), value);
  return beckon_json_schema_complain (check, N_("This is in none of the forms that are possible here."), NULL);
}

WORD (check_any)
{
  return count_fitting (check, word, value, 1) > 0 || complain_of_none (check, word, value);
}

WORD (check_one)
{
  guint n = count_fitting (check, word, value, 2);

  if (n == 0)
    return complain_of_none (check, word, value);
  return n == 1
         || beckon_json_schema_complain (check, N_("This could be more than one of the forms that are possible here."),
                                         NULL);
}

WORD (check_not)
{
  return !beckon_json_schema_try (check, word, value)
         || beckon_json_schema_complain (check, N_("This is just what it may not be."), NULL);
}

WORD (check_if)
{
  const BeckonJsonValue *then = beckon_json_value_get (schema, "then");
  const BeckonJsonValue *otherwise = beckon_json_value_get (schema, "else");
  const BeckonJsonValue *next = beckon_json_schema_try (check, word, value) ? then : otherwise;

  return next == NULL || beckon_json_schema_check (check, next, value);
}

/* --- Objects ------------------------------------------------------------------------------------------------------ */

WORD (check_properties)
{
  gboolean fits = TRUE;

  if (value->kind != BECKON_JSON_VALUE_OBJECT)
    return TRUE;
  for (guint i = 0; i < value->children->len; i++)
    {
      const BeckonJsonValue *child = beckon_json_value_get_child (value, i);
      const BeckonJsonValue *inner = beckon_json_value_get_member (word, child->name);

      if (inner != NULL)
        fits &= beckon_json_schema_check_child (check, inner, child, i);
    }
  return fits;
}

static gboolean
check_patterns_of (BeckonJsonSchemaCheck *check, const BeckonJsonValue *patterns, const BeckonJsonValue *child)
{
  gboolean fits = TRUE;

  for (guint i = 0; i < beckon_json_value_get_n_children (patterns); i++)
    {
      const BeckonJsonValue *inner = beckon_json_value_get_child (patterns, i);

      if (inner->name != NULL && beckon_json_schema_matches (check, inner->name->str, child->name))
        fits &= beckon_json_schema_check_child (check, inner, child, 0);
    }
  return fits;
}

WORD (check_pattern_properties)
{
  gboolean fits = TRUE;

  if (value->kind != BECKON_JSON_VALUE_OBJECT)
    return TRUE;
  for (guint i = 0; i < value->children->len; i++)
    fits &= check_patterns_of (check, word, beckon_json_value_get_child (value, i));
  return fits;
}

static gboolean
is_foreseen (BeckonJsonSchemaCheck *check, const BeckonJsonValue *schema, const GString *name)
{
  const BeckonJsonValue *patterns = beckon_json_value_get (schema, "patternProperties");

  if (beckon_json_value_get_member (beckon_json_value_get (schema, "properties"), name) != NULL)
    return TRUE;
  for (guint i = 0; i < beckon_json_value_get_n_children (patterns); i++)
    {
      const BeckonJsonValue *inner = beckon_json_value_get_child (patterns, i);

      if (inner->name != NULL && beckon_json_schema_matches (check, inner->name->str, name))
        return TRUE;
    }
  return FALSE;
}

WORD (check_additional_properties)
{
  gboolean fits = TRUE;

  if (value->kind != BECKON_JSON_VALUE_OBJECT)
    return TRUE;
  for (guint i = 0; i < value->children->len; i++)
    {
      const BeckonJsonValue *child = beckon_json_value_get_child (value, i);

      if (is_foreseen (check, schema, child->name))
        continue;
      if (word->kind == BECKON_JSON_VALUE_FALSE)
        {
          fits = beckon_json_schema_complain (check, N_("“%s” is not known here."), child->name->str);
          beckon_json_schema_suggest (check, N_("Did you mean “%s”?"), beckon_json_value_get (schema, "properties"), value,
                                      child->name);
        }
      else
        fits &= beckon_json_schema_check_child (check, word, child, i);
    }
  return fits;
}

WORD (check_property_names)
{
  if (value->kind != BECKON_JSON_VALUE_OBJECT)
    return TRUE;
  for (guint i = 0; i < value->children->len; i++)
    {
      const BeckonJsonValue *child = beckon_json_value_get_child (value, i);
      const BeckonJsonValue name = { .kind = BECKON_JSON_VALUE_STRING, .text = child->name };

      if (!beckon_json_schema_try (check, word, &name))
        return beckon_json_schema_complain (check, N_("“%s” is not a name that is possible here."), child->name->str);
    }
  return TRUE;
}

/* In draft 7 a list of names stands for "required". */
WORD (check_dependencies)
{
  BeckonJsonSchemaWordFunc require = beckon_json_schema_find_assertion ("dependentRequired");
  gboolean fits = TRUE;

  if (value->kind != BECKON_JSON_VALUE_OBJECT || word->kind != BECKON_JSON_VALUE_OBJECT)
    return TRUE;
  for (guint i = 0; i < word->children->len; i++)
    {
      const BeckonJsonValue *inner = beckon_json_value_get_child (word, i);

      if (inner->kind != BECKON_JSON_VALUE_ARRAY && beckon_json_value_get_member (value, inner->name) != NULL)
        fits &= beckon_json_schema_check (check, inner, value);
    }
  return require (check, schema, word, value) && fits;
}

/* --- Arrays ------------------------------------------------------------------------------------------------------- */

static gboolean
check_each_from (BeckonJsonSchemaCheck *check, const BeckonJsonValue *schema, const BeckonJsonValue *value, guint first)
{
  gboolean fits = TRUE;

  for (guint i = first; i < value->children->len; i++)
    fits &= beckon_json_schema_check_child (check, schema, beckon_json_value_get_child (value, i), i);
  return fits;
}

WORD (check_prefix_items)
{
  gboolean fits = TRUE;

  if (value->kind != BECKON_JSON_VALUE_ARRAY)
    return TRUE;
  for (guint i = 0; i < MIN (value->children->len, beckon_json_value_get_n_children (word)); i++)
    fits &= beckon_json_schema_check_child (check, beckon_json_value_get_child (word, i),
                                            beckon_json_value_get_child (value, i), i);
  return fits;
}

WORD (check_items)
{
  guint first = beckon_json_value_get_n_children (beckon_json_value_get (schema, "prefixItems"));

  if (value->kind != BECKON_JSON_VALUE_ARRAY)
    return TRUE;
  if (word->kind == BECKON_JSON_VALUE_ARRAY)
    return check_prefix_items (check, schema, word, value);
  return check_each_from (check, word, value, check->schema->is_draft_7 ? 0 : first);
}

WORD (check_additional_items)
{
  const BeckonJsonValue *items = beckon_json_value_get (schema, "items");

  if (value->kind != BECKON_JSON_VALUE_ARRAY || items == NULL || items->kind != BECKON_JSON_VALUE_ARRAY)
    return TRUE;
  return check_each_from (check, word, value, items->children->len);
}

WORD (check_contains)
{
  const BeckonJsonValue *least = check->schema->is_draft_7 ? NULL : beckon_json_value_get (schema, "minContains");
  const BeckonJsonValue *most = check->schema->is_draft_7 ? NULL : beckon_json_value_get (schema, "maxContains");
  guint n = 0;

  if (value->kind != BECKON_JSON_VALUE_ARRAY)
    return TRUE;
  for (guint i = 0; i < value->children->len; i++)
    n += beckon_json_schema_try (check, word, beckon_json_value_get_child (value, i));
  if ((long double) n < (least != NULL ? beckon_json_value_get_number (least) : 1))
    return beckon_json_schema_complain (check, N_("Too few of the items are what is asked for."), NULL);
  return most == NULL || (long double) n <= beckon_json_value_get_number (most)
         || beckon_json_schema_complain (check, N_("Too many of the items are what is asked for."), NULL);
}

BeckonJsonSchemaWordFunc
beckon_json_schema_find_applicator (const char *name)
{
  static const struct
  {
    const char *name;
    BeckonJsonSchemaWordFunc function;
  } words[] = {
    { "properties", check_properties },
    { "additionalProperties", check_additional_properties },
    { "items", check_items },
    { "prefixItems", check_prefix_items },
    { "allOf", check_all },
    { "anyOf", check_any },
    { "oneOf", check_one },
    { "not", check_not },
    { "if", check_if },
    { "patternProperties", check_pattern_properties },
    { "propertyNames", check_property_names },
    { "dependentSchemas", check_dependencies },
    { "dependencies", check_dependencies },
    { "additionalItems", check_additional_items },
    { "contains", check_contains },
  };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      if (strcmp (words[i].name, name) == 0)
        return words[i].function;
    }
  return NULL;
}
