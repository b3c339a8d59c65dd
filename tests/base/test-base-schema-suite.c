/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/beckon-json-schema.h"

#include <string.h>

/* The cases of the official suite for the words that are supported. A case whose schema needs a document from elsewhere,
 * or another word, is left out and counted: nothing is ever fetched. */

static const char *const words[] = {
  "type", "properties", "required", "additionalProperties", "items", "prefixItems", "enum", "const", "minimum",
  "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength", "minItems", "maxItems", "minProperties",
  "maxProperties", "multipleOf", "pattern", "format", "uniqueItems", "anyOf", "oneOf", "allOf", "not", "if-then-else",
  "ref", "defs", "definitions", "default", "boolean_schema", "infinite-loop-detection", "anchor", "contains",
  "minContains", "maxContains", "patternProperties", "propertyNames", "dependentRequired", "dependentSchemas",
  "dependencies", "additionalItems",
};

static const char *const formats[] = {
  "date", "time", "date-time", "email", "ipv4", "ipv6", "uuid",
};

typedef struct
{
  guint n_passed;
  guint n_failed;
  guint n_left_out;
} Count;

static gboolean
is_left_out (const char *schema)
{
  return strstr (schema, "\"$ref\":\"http://json-schema.org/") != NULL
         || strstr (schema, "\"$ref\":\"https://json-schema.org/") != NULL
         || strstr (schema, "\"$ref\":\"http://localhost:1234/") != NULL
         || strstr (schema, "\"unevaluatedProperties\"") != NULL;
}

static const char *
describe (const BeckonJsonValue *value)
{
  return beckon_json_value_get_string (beckon_json_value_get (value, "description"));
}

static void
run_group (const BeckonJsonValue *group, BeckonJsonSchemaFlags flags, Count *count)
{
  const BeckonJsonValue *tests = beckon_json_value_get (group, "tests");
  g_autofree char *text = beckon_json_value_print (beckon_json_value_get (group, "schema"));
  g_autoptr (BeckonJsonSchema) schema = beckon_json_schema_new (text, -1, flags, NULL);

  g_assert_nonnull (schema);
  if (is_left_out (text))
    {
      count->n_left_out += beckon_json_value_get_n_children (tests);
      return;
    }
  for (guint i = 0; i < beckon_json_value_get_n_children (tests); i++)
    {
      const BeckonJsonValue *test = beckon_json_value_get_child (tests, i);
      g_autoptr (GPtrArray) problems = beckon_json_schema_validate (schema, beckon_json_value_get (test, "data"));
      gboolean valid = beckon_json_value_get (test, "valid")->kind == BECKON_JSON_VALUE_TRUE;

      g_assert_true (problems == NULL || problems->len > 0);
      if ((problems == NULL) == valid)
        count->n_passed++;
      else
        {
          count->n_failed++;
          g_test_message ("%s: %s should be %s", describe (group), describe (test), valid ? "valid" : "invalid");
        }
    }
}

static void
run_file (const char *folder, const char *name, BeckonJsonSchemaFlags flags, Count *count)
{
  g_autofree char *file = g_strconcat (name, ".json", NULL);
  g_autofree char *path = g_build_filename (g_getenv ("BECKON_FIXTURES"), "json-schema", folder, file, NULL);
  g_autofree char *text = NULL;
  g_autoptr (BeckonJsonValue) groups = NULL;
  g_autoptr (GError) error = NULL;
  gsize length;

  if (!g_file_get_contents (path, &text, &length, NULL))
    return;
  groups = beckon_json_value_parse (text, (gssize) length, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < beckon_json_value_get_n_children (groups); i++)
    run_group (beckon_json_value_get_child (groups, i), flags, count);
}

static void
run (const char *folder, const char *const *names, guint n_names, BeckonJsonSchemaFlags flags, guint at_least)
{
  Count count = { 0 };

  for (guint i = 0; i < n_names; i++)
    run_file (folder, names[i], flags, &count);
  g_test_message ("%s: %u cases pass, %u fail, %u need what is not supported", folder, count.n_passed,
                  count.n_failed, count.n_left_out);
  g_assert_cmpuint (count.n_failed, ==, 0);
  g_assert_cmpuint (count.n_passed, >=, at_least);
}

static void
test_2020_12 (void)
{
  run ("draft2020-12", words, G_N_ELEMENTS (words), BECKON_JSON_SCHEMA_2020_12, 900);
}

static void
test_draft_7 (void)
{
  run ("draft7", words, G_N_ELEMENTS (words), BECKON_JSON_SCHEMA_DRAFT_7, 700);
}

static void
test_formats (void)
{
  run ("draft2020-12/optional/format", formats, G_N_ELEMENTS (formats), BECKON_JSON_SCHEMA_CHECK_FORMATS, 200);
}

static void
skip (void)
{
  g_test_skip ("BECKON_FIXTURES is not set");
}

int
main (int argc, char **argv)
{
  gboolean has_fixtures;

  g_test_init (&argc, &argv, NULL);
  has_fixtures = g_getenv ("BECKON_FIXTURES") != NULL;
  g_test_add_func ("/schema-suite/2020-12", has_fixtures ? test_2020_12 : skip);
  g_test_add_func ("/schema-suite/draft-7", has_fixtures ? test_draft_7 : skip);
  g_test_add_func ("/schema-suite/formats", has_fixtures ? test_formats : skip);
  return g_test_run ();
}
