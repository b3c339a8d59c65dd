/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-json-schema-check.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

/* Words that look at the value alone. Each says nothing of values that are not of its kind. */

#define WORD(name)                                                                                               \
  static gboolean name (BeckonJsonSchemaCheck *check, const BeckonJsonValue *schema, const BeckonJsonValue *word, \
                        const BeckonJsonValue *value)

static gboolean
assertions_is_number (const BeckonJsonValue *value)
{
  return value->kind == BECKON_JSON_VALUE_NUMBER;
}

static gboolean
is_integer (const BeckonJsonValue *value)
{
  long double number = beckon_json_value_get_number (value);

  return assertions_is_number (value) && isfinite (number) && floorl (number) == number;
}

static gboolean
is_of_type (const BeckonJsonValue *value, const char *type)
{
  static const char *const names[] = { "null", "boolean", "boolean", "number", "string", "array", "object" };

  if (type == NULL)
    return FALSE;
  return strcmp (type, "integer") == 0 ? is_integer (value) : strcmp (type, names[value->kind]) == 0;
}

static char *
dup_types (const BeckonJsonValue *word)
{
  GString *types = g_string_new (beckon_json_value_get_string (word));

  for (guint i = 0; i < beckon_json_value_get_n_children (word); i++)
    {
      const char *type = beckon_json_value_get_string (beckon_json_value_get_child (word, i));

      g_string_append_printf (types, "%s%s", i > 0 ? ", " : "", type != NULL ? type : "?");
    }
  return g_string_free (types, FALSE);
}

WORD (check_type)
{
  g_autofree char *types = NULL;

  if (word->children == NULL && is_of_type (value, beckon_json_value_get_string (word)))
    return TRUE;
  for (guint i = 0; i < beckon_json_value_get_n_children (word); i++)
    {
      if (is_of_type (value, beckon_json_value_get_string (beckon_json_value_get_child (word, i))))
        return TRUE;
    }
  types = dup_types (word);
  if (value->kind == BECKON_JSON_VALUE_ARRAY && g_str_equal (types, "string"))
    return beckon_json_schema_complain (check, N_("This has to be one text, not a list. Join its items."), NULL);
  return beckon_json_schema_complain (check, N_("This has to be of the type %s."), types);
}

WORD (check_const)
{
  g_autofree char *text = NULL;

  if (beckon_json_value_equal (word, value))
    return TRUE;
  text = beckon_json_value_print (word);
  return beckon_json_schema_complain (check, N_("This has to be %s."), text);
}

WORD (check_enum)
{
  g_autofree char *text = NULL;

  for (guint i = 0; i < beckon_json_value_get_n_children (word); i++)
    {
      if (!beckon_json_schema_step (check, 1))
        return FALSE;
      if (beckon_json_value_equal (beckon_json_value_get_child (word, i), value))
        return TRUE;
    }
  text = beckon_json_value_print (word);
  return beckon_json_schema_complain (check, N_("This has to be one of %s."), text);
}

/* --- Numbers ------------------------------------------------------------------------------------------------------ */

WORD (check_minimum)
{
  if (!assertions_is_number (word) || !assertions_is_number (value)
      || beckon_json_value_get_number (value) >= beckon_json_value_get_number (word))
    return TRUE;
  return beckon_json_schema_complain (check, N_("This has to be at least %s."), word->text->str);
}

WORD (check_maximum)
{
  if (!assertions_is_number (word) || !assertions_is_number (value)
      || beckon_json_value_get_number (value) <= beckon_json_value_get_number (word))
    return TRUE;
  return beckon_json_schema_complain (check, N_("This has to be at most %s."), word->text->str);
}

WORD (check_exclusive_minimum)
{
  if (!assertions_is_number (word) || !assertions_is_number (value)
      || beckon_json_value_get_number (value) > beckon_json_value_get_number (word))
    return TRUE;
  return beckon_json_schema_complain (check, N_("This has to be more than %s."), word->text->str);
}

WORD (check_exclusive_maximum)
{
  if (!assertions_is_number (word) || !assertions_is_number (value)
      || beckon_json_value_get_number (value) < beckon_json_value_get_number (word))
    return TRUE;
  return beckon_json_schema_complain (check, N_("This has to be less than %s."), word->text->str);
}

/* Whole numbers exactly; others in doubles, because that is what people who write 0.01 mean. */
static gboolean
is_multiple (long double whole_number, long double whole_factor)
{
  const double number = (double) whole_number;
  const double factor = (double) whole_factor;
  double quotient = number / factor;

  if (factor == 0 || !isfinite (number))
    return FALSE;
  if (whole_number == floorl (whole_number) && whole_factor == floorl (whole_factor))
    return fmodl (whole_number, whole_factor) == 0;
  if (!isfinite (quotient))
    return fmod (number, factor) == 0;
  return fabs (quotient - round (quotient)) <= 1e-9 * MAX (1, fabs (quotient) * 1e-6);
}

WORD (check_multiple)
{
  if (!assertions_is_number (word) || !assertions_is_number (value)
      || is_multiple (beckon_json_value_get_number (value), beckon_json_value_get_number (word)))
    return TRUE;
  return beckon_json_schema_complain (check, N_("This has to be a multiple of %s."), word->text->str);
}

/* --- Lengths ------------------------------------------------------------------------------------------------------ */

static gboolean
is_within (guint64 length, const BeckonJsonValue *word, gboolean is_minimum)
{
  long double limit = beckon_json_value_get_number (word);

  return !assertions_is_number (word) || (is_minimum ? (long double) length >= limit : (long double) length <= limit);
}

/* GLib counts no further than to a NUL. */
static guint64
count_characters (const GString *text)
{
  guint64 n = 0;

  for (gsize i = 0; i < text->len; i++)
    n += ((guchar) text->str[i] & 0xc0) != 0x80;
  return n;
}

static gboolean
is_kind_within (const BeckonJsonValue *value, BeckonJsonValueKind kind, const BeckonJsonValue *word,
                gboolean is_minimum)
{
  if (value->kind != kind)
    return TRUE;
  if (kind == BECKON_JSON_VALUE_STRING)
    return is_within (count_characters (value->text), word, is_minimum);
  return is_within (value->children->len, word, is_minimum);
}

WORD (check_min_length)
{
  return is_kind_within (value, BECKON_JSON_VALUE_STRING, word, TRUE)
         || beckon_json_schema_complain (check, N_("This has to have at least %s characters."), word->text->str);
}

WORD (check_max_length)
{
  return is_kind_within (value, BECKON_JSON_VALUE_STRING, word, FALSE)
         || beckon_json_schema_complain (check, N_("This may have at most %s characters."), word->text->str);
}

WORD (check_min_items)
{
  return is_kind_within (value, BECKON_JSON_VALUE_ARRAY, word, TRUE)
         || beckon_json_schema_complain (check, N_("This has to have at least %s items."), word->text->str);
}

WORD (check_max_items)
{
  return is_kind_within (value, BECKON_JSON_VALUE_ARRAY, word, FALSE)
         || beckon_json_schema_complain (check, N_("This may have at most %s items."), word->text->str);
}

WORD (check_min_properties)
{
  return is_kind_within (value, BECKON_JSON_VALUE_OBJECT, word, TRUE)
         || beckon_json_schema_complain (check, N_("This has to have at least %s members."), word->text->str);
}

WORD (check_max_properties)
{
  return is_kind_within (value, BECKON_JSON_VALUE_OBJECT, word, FALSE)
         || beckon_json_schema_complain (check, N_("This may have at most %s members."), word->text->str);
}

/* --- The rest ----------------------------------------------------------------------------------------------------- */

/* A pattern of another dialect, which can't be read here, is checked by whoever wrote it. */
WORD (check_pattern)
{
  const char *pattern = beckon_json_value_get_string (word);

  if (value->kind != BECKON_JSON_VALUE_STRING || pattern == NULL
      || g_hash_table_lookup (check->schema->patterns, pattern) == NULL
      || beckon_json_schema_matches (check, pattern, value->text))
    return TRUE;
  return beckon_json_schema_complain (check, N_("This has to match the pattern %s."), pattern);
}

WORD (check_format)
{
  const char *format = beckon_json_value_get_string (word);
  const char *text = beckon_json_value_get_string (value);

  if (!check->schema->checks_formats || format == NULL || value->kind != BECKON_JSON_VALUE_STRING
      || (text != NULL && beckon_json_schema_check_format (format, text)))
    return TRUE;
  return beckon_json_schema_complain (check, N_("This is not a valid %s."), format);
}

/* Every pair is compared, so every pair is a step. */
WORD (check_unique)
{
  if (word->kind != BECKON_JSON_VALUE_TRUE || value->kind != BECKON_JSON_VALUE_ARRAY)
    return TRUE;
  for (guint i = 1; i < value->children->len; i++)
    {
      if (!beckon_json_schema_step (check, i))
        return FALSE;
      for (guint j = 0; j < i; j++)
        {
          if (beckon_json_value_equal (beckon_json_value_get_child (value, i), beckon_json_value_get_child (value, j)))
            return beckon_json_schema_complain (check, N_("No two items may be the same."), NULL);
        }
    }
  return TRUE;
}

static gboolean
require (BeckonJsonSchemaCheck *check, const BeckonJsonValue *schema, const BeckonJsonValue *names,
         const BeckonJsonValue *value)
{
  const BeckonJsonValue *additional = beckon_json_value_get (schema, "additionalProperties");
  gboolean fits = TRUE;

  for (guint i = 0; i < beckon_json_value_get_n_children (names); i++)
    {
      const BeckonJsonValue *name = beckon_json_value_get_child (names, i);

      if (!beckon_json_schema_step (check, 1))
        return FALSE;
      if (name->kind != BECKON_JSON_VALUE_STRING || beckon_json_value_get_member (value, name->text) != NULL)
        continue;
      fits = beckon_json_schema_complain (check, N_("“%s” is missing."), name->text->str);
      /* A schema without other names refuses the name itself. */
      if (additional == NULL || additional->kind != BECKON_JSON_VALUE_FALSE)
        beckon_json_schema_suggest (check, N_("“%s” is given, but not known here."), value,
                                    beckon_json_value_get (schema, "properties"), name->text);
    }
  return fits;
}

WORD (check_required)
{
  return value->kind != BECKON_JSON_VALUE_OBJECT || require (check, schema, word, value);
}

WORD (check_dependent_required)
{
  gboolean fits = TRUE;

  if (value->kind != BECKON_JSON_VALUE_OBJECT || word->kind != BECKON_JSON_VALUE_OBJECT)
    return TRUE;
  for (guint i = 0; i < word->children->len; i++)
    {
      const BeckonJsonValue *names = beckon_json_value_get_child (word, i);

      if (names->kind == BECKON_JSON_VALUE_ARRAY && beckon_json_value_get_member (value, names->name) != NULL)
        fits &= require (check, schema, names, value);
    }
  return fits;
}

BeckonJsonSchemaWordFunc
beckon_json_schema_find_assertion (const char *name)
{
  static const struct
  {
    const char *name;
    BeckonJsonSchemaWordFunc function;
  } words[] = {
    { "type", check_type },
    { "required", check_required },
    { "enum", check_enum },
    { "const", check_const },
    { "minimum", check_minimum },
    { "maximum", check_maximum },
    { "exclusiveMinimum", check_exclusive_minimum },
    { "exclusiveMaximum", check_exclusive_maximum },
    { "multipleOf", check_multiple },
    { "minLength", check_min_length },
    { "maxLength", check_max_length },
    { "minItems", check_min_items },
    { "maxItems", check_max_items },
    { "minProperties", check_min_properties },
    { "maxProperties", check_max_properties },
    { "pattern", check_pattern },
    { "format", check_format },
    { "uniqueItems", check_unique },
    { "dependentRequired", check_dependent_required },
  };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      if (strcmp (words[i].name, name) == 0)
        return words[i].function;
    }
  return NULL;
}
