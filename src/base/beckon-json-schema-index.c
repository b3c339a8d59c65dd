/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-json-schema-private.h"

#include <stdlib.h>
#include <string.h>

/* A schema has an address, and so may parts of it; a reference is an address relative to the nearest one around it,
 * with a pointer or an anchor for its fragment. All are looked up when the schema is read. What leads out of the schema
 * leads nowhere. */

#define ROOT "beckon:schema"

/* A hostile pattern is given up early. */
#define LIMIT "(*LIMIT_MATCH=20000)"

typedef struct
{
  BeckonJsonSchema *schema;
  GPtrArray *references; /* (element-type BeckonJsonValue): schemas that have one */
} Index;

static char *
schema_index_resolve (const char *base, const char *reference)
{
  char *address = g_uri_resolve_relative (base, reference, G_URI_FLAGS_ENCODED, NULL);

  /* An address without a hierarchy, such as urn:, takes nothing but a fragment. */
  if (address == NULL && reference[0] == '#')
    address = g_strconcat (base, reference, NULL);
  return address != NULL ? address : g_strdup (reference);
}

static char *
cut_fragment (const char *address)
{
  return g_strndup (address, strcspn (address, "#"));
}

static void
add_anchor (Index *self, const BeckonJsonValue *value, const char *base, const char *anchor)
{
  if (anchor != NULL)
    g_hash_table_insert (self->schema->places, g_strconcat (base, "#", anchor, NULL), (gpointer) value);
}

/* In draft 7 an id may be nothing but an anchor, and counts for nothing beside a reference. Returns the base within. */
static char *
enter (Index *self, const BeckonJsonValue *value, const char *base)
{
  const char *id = beckon_json_value_get_string (beckon_json_value_get (value, "$id"));
  g_autofree char *address = NULL;
  char *inner;

  if (self->schema->is_draft_7 && beckon_json_value_get (value, "$ref") != NULL)
    id = NULL;
  if (id != NULL && id[0] == '#')
    {
      add_anchor (self, value, base, id + 1);
      id = NULL;
    }
  if (id != NULL)
    {
      address = schema_index_resolve (base, id);
      inner = cut_fragment (address);
      g_hash_table_insert (self->schema->places, g_strdup (inner), (gpointer) value);
    }
  else
    inner = g_strdup (base);
  add_anchor (self, value, inner, beckon_json_value_get_string (beckon_json_value_get (value, "$anchor")));
  add_anchor (self, value, inner, beckon_json_value_get_string (beckon_json_value_get (value, "$dynamicAnchor")));
  return inner;
}

/* Schemas write patterns as JavaScript does, where the classes of characters have long names, too. */
static char *
schema_index_translate (const char *pattern)
{
  static const char *const names[][2] = {
    { "{Letter}", "{L}" },           { "{Uppercase_Letter}", "{Lu}" }, { "{Lowercase_Letter}", "{Ll}" },
    { "{Number}", "{N}" },           { "{Decimal_Number}", "{Nd}" },   { "{digit}", "{Nd}" },
    { "{Punctuation}", "{P}" },      { "{Symbol}", "{S}" },            { "{Mark}", "{M}" },
    { "{Separator}", "{Z}" },        { "{Other}", "{C}" },
  };
  GString *text = g_string_new (LIMIT);

  g_string_append (text, pattern);
  for (guint i = 0; strstr (text->str, "\\p{") != NULL && i < G_N_ELEMENTS (names); i++)
    g_string_replace (text, names[i][0], names[i][1], 0);
  return g_string_free (text, FALSE);
}

static void
schema_index_add_pattern (Index *self, const char *pattern)
{
  g_autofree char *limited = NULL;

  if (pattern == NULL || g_hash_table_contains (self->schema->patterns, pattern))
    return;
  limited = schema_index_translate (pattern);
  g_hash_table_insert (self->schema->patterns, g_strdup (pattern),
                       g_regex_new (limited, G_REGEX_DOLLAR_ENDONLY | G_REGEX_OPTIMIZE, 0, NULL));
}

static void
add_patterns (Index *self, const BeckonJsonValue *value)
{
  const BeckonJsonValue *named = beckon_json_value_get (value, "patternProperties");

  schema_index_add_pattern (self, beckon_json_value_get_string (beckon_json_value_get (value, "pattern")));
  for (guint i = 0; i < beckon_json_value_get_n_children (named); i++)
    {
      const BeckonJsonValue *child = beckon_json_value_get_child (named, i);

      if (child->name != NULL)
        schema_index_add_pattern (self, child->name->str);
    }
}

/* Values there are no schemas, whatever they look like. */
static gboolean
holds_values (const BeckonJsonValue *child)
{
  static const char *const words[] = { "enum", "const", "default", "examples" };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      if (child->name != NULL && strcmp (child->name->str, words[i]) == 0)
        return TRUE;
    }
  return FALSE;
}

static gboolean
holds_schemas_by_name (const BeckonJsonValue *child)
{
  static const char *const words[] = { "properties", "patternProperties", "$defs", "definitions", "dependentSchemas",
                                       "dependencies" };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      if (child->name != NULL && strcmp (child->name->str, words[i]) == 0)
        return TRUE;
    }
  return FALSE;
}

/* @names: the members of @value are schemas by whatever name, so that none of them is a word. */
static void
walk (Index *self, const BeckonJsonValue *value, const char *base, gboolean names)
{
  g_autofree char *inner = NULL;
  gboolean is_schema = value->kind == BECKON_JSON_VALUE_OBJECT && !names;

  inner = is_schema ? enter (self, value, base) : g_strdup (base);
  if (is_schema)
    {
      g_hash_table_insert (self->schema->bases, (gpointer) value, g_strdup (inner));
      add_patterns (self, value);
      if (beckon_json_value_get (value, "$ref") != NULL || beckon_json_value_get (value, "$dynamicRef") != NULL)
        g_ptr_array_add (self->references, (gpointer) value);
    }
  for (guint i = 0; i < beckon_json_value_get_n_children (value); i++)
    {
      const BeckonJsonValue *child = beckon_json_value_get_child (value, i);

      if (!is_schema || !holds_values (child))
        walk (self, child, inner, is_schema && holds_schemas_by_name (child));
    }
}

static const BeckonJsonValue *
schema_index_look_up (BeckonJsonSchema *schema, const char *address)
{
  g_autofree char *place = cut_fragment (address);
  const char *fragment = address + strlen (place);
  const BeckonJsonValue *value = g_hash_table_lookup (schema->places, place);

  if (*fragment == '#')
    fragment++;
  if (*fragment == '\0' || *fragment == '/')
    {
      g_autofree char *pointer = g_uri_unescape_string (fragment, NULL);

      return beckon_json_value_point (value, pointer != NULL ? pointer : fragment);
    }
  return g_hash_table_lookup (schema->places, address);
}

static void
add_target (BeckonJsonSchema *schema, const BeckonJsonValue *value)
{
  const char *reference = beckon_json_value_get_string (beckon_json_value_get (value, "$ref"));
  g_autofree char *address = NULL;
  const BeckonJsonValue *target;

  if (reference == NULL)
    reference = beckon_json_value_get_string (beckon_json_value_get (value, "$dynamicRef"));
  if (reference == NULL)
    return;
  address = schema_index_resolve (g_hash_table_lookup (schema->bases, value), reference);
  target = schema_index_look_up (schema, address);
  if (target != NULL)
    g_hash_table_insert (schema->targets, (gpointer) value, (gpointer) target);
}

static void
regex_unref (gpointer regex)
{
  if (regex != NULL)
    g_regex_unref (regex);
}

void
beckon_json_schema_index (BeckonJsonSchema *schema)
{
  g_autoptr (GPtrArray) references = g_ptr_array_new ();
  Index index = { schema, references };

  schema->bases = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  schema->places = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  schema->targets = g_hash_table_new (NULL, NULL);
  schema->patterns = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, regex_unref);
  g_hash_table_insert (schema->places, g_strdup (ROOT), schema->root);
  walk (&index, schema->root, ROOT, FALSE);
  for (guint i = 0; i < references->len; i++)
    add_target (schema, g_ptr_array_index (references, i));
}
