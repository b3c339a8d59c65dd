/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-json-schema-check.h"

#include "beckon-error.h"
#include "beckon-likeness.h"
#include "beckon-text.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* A schema is walked beside the value it is for. A schema and a value may come from strangers, so depth and steps are
 * bounded, and what was given up on does not fit, also where it was only tried. */

#define MAX_DEPTH 600
#define MAX_STEPS 1000000
#define MAX_PROBLEMS 20
#define MAX_DETAIL 200

/* Percent: file_path is like path, and old_string like old_text. */
#define LEAST_ALIKE 30

/* --- Problems ----------------------------------------------------------------------------------------------------- */

void
beckon_json_problem_free (BeckonJsonProblem *problem)
{
  g_free (problem->pointer);
  g_free (problem->keyword);
  g_free (problem->message);
  g_free (problem->shown);
  g_free (problem);
}

static BeckonJsonProblem *
problem_new (const char *pointer, const char *keyword, const char *message, const char *detail)
{
  g_autofree char *seen = detail != NULL ? beckon_text_for_display (detail, -1, BECKON_TEXT_EXACT) : NULL;
  g_autofree char *shorter = seen != NULL ? beckon_text_shorten (seen, MAX_DETAIL) : NULL;
  BeckonJsonProblem *problem = g_new0 (BeckonJsonProblem, 1);

  problem->pointer = g_strdup (pointer);
  problem->keyword = g_strdup (keyword != NULL ? keyword : "");
  problem->message = beckon_text_fill_in (message, shorter);
  problem->shown = beckon_text_fill_in (_(message), shorter);
  return problem;
}

static GPtrArray *
problems_new (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_json_problem_free);
}

gboolean
beckon_json_schema_complain (BeckonJsonSchemaCheck *check, const char *message, const char *detail)
{
  if (check->problems != NULL && check->problems->len < MAX_PROBLEMS)
    g_ptr_array_add (check->problems, problem_new (check->pointer->str, check->keyword, message, detail));
  return FALSE;
}

void
beckon_json_schema_suggest (BeckonJsonSchemaCheck *check, const char *message, const BeckonJsonValue *names,
                            const BeckonJsonValue *taken, const GString *name)
{
  const BeckonJsonValue *found = NULL;
  guint best = LEAST_ALIKE - 1;
  BeckonLikeness likeness;

  if (check->problems == NULL || check->problems->len >= MAX_PROBLEMS)
    return;
  beckon_likeness_init (&likeness, name->str, name->len);
  for (guint i = 0; i < beckon_json_value_get_n_children (names); i++)
    {
      const BeckonJsonValue *child = beckon_json_value_get_child (names, i);
      guint alike = child->name != NULL && beckon_json_value_get_member (taken, child->name) == NULL
                      ? beckon_likeness_compare (&likeness, child->name->str, child->name->len) : 0;

      if (alike > best)
        {
          best = alike;
          found = child;
        }
    }
  if (found != NULL)
    beckon_json_schema_complain (check, message, found->name->str);
}

static char *
join_problems (GPtrArray *problems, gboolean shown)
{
  GString *lines = g_string_new (NULL);

  for (guint i = 0; i < problems->len; i++)
    {
      const BeckonJsonProblem *problem = g_ptr_array_index (problems, i);
      g_autofree char *place = beckon_text_for_display (problem->pointer, -1, BECKON_TEXT_EXACT);

      g_string_append_printf (lines, "%s%s%s%s", i > 0 ? "\n" : "", place, *place != '\0' ? ": " : "",
                              shown ? problem->shown : problem->message);
    }
  return g_string_free (lines, FALSE);
}

char *
beckon_json_problems_to_message (GPtrArray *problems)
{
  g_return_val_if_fail (problems != NULL, NULL);

  return join_problems (problems, FALSE);
}

char *
beckon_json_problems_to_shown (GPtrArray *problems)
{
  g_return_val_if_fail (problems != NULL, NULL);

  return join_problems (problems, TRUE);
}

/* --- Checking ----------------------------------------------------------------------------------------------------- */

gboolean
beckon_json_schema_step (BeckonJsonSchemaCheck *check, guint n_steps)
{
  if (check->gave_up)
    return FALSE;
  check->n_steps += MIN (n_steps, MAX_STEPS);
  if (check->n_steps <= MAX_STEPS && check->depth <= MAX_DEPTH)
    return TRUE;
  check->gave_up = TRUE;
  return FALSE;
}

static gboolean
check_target (BeckonJsonSchemaCheck *check, const BeckonJsonValue *schema, const BeckonJsonValue *value)
{
  const BeckonJsonValue *target = g_hash_table_lookup (check->schema->targets, schema);

  check->keyword = "$ref";
  if (target == NULL)
    return beckon_json_schema_complain (check, N_("This cannot be checked: its schema leads out of what is known."),
                                        NULL);
  return beckon_json_schema_check (check, target, value);
}

static gboolean
check_word (BeckonJsonSchemaCheck *check, const BeckonJsonValue *schema, const BeckonJsonValue *word,
            const BeckonJsonValue *value)
{
  const char *name = word->name->str;
  BeckonJsonSchemaWordFunc function = beckon_json_schema_find_assertion (name);

  if (function == NULL)
    function = beckon_json_schema_find_applicator (name);
  if (function == NULL && strcmp (name, "$ref") != 0 && strcmp (name, "$dynamicRef") != 0)
    return TRUE;
  check->keyword = name;
  return function != NULL ? function (check, schema, word, value) : check_target (check, schema, value);
}

static gboolean
check_object (BeckonJsonSchemaCheck *check, const BeckonJsonValue *schema, const BeckonJsonValue *value)
{
  gboolean fits = TRUE;

  /* In draft 7 nothing counts beside a reference. */
  if (check->schema->is_draft_7 && beckon_json_value_get (schema, "$ref") != NULL)
    return check_target (check, schema, value);
  for (guint i = 0; i < schema->children->len && !check->gave_up; i++)
    {
      fits &= check_word (check, schema, beckon_json_value_get_child (schema, i), value);
      if (!fits && check->problems == NULL)
        return FALSE;
    }
  return fits;
}

gboolean
beckon_json_schema_check (BeckonJsonSchemaCheck *check, const BeckonJsonValue *schema, const BeckonJsonValue *value)
{
  const char *keyword = check->keyword;
  gboolean fits = TRUE;

  check->depth++;
  if (!beckon_json_schema_step (check, 1))
    fits = FALSE;
  else if (schema->kind == BECKON_JSON_VALUE_FALSE)
    fits = beckon_json_schema_complain (check, N_("There may be nothing here."), NULL);
  else if (schema->kind == BECKON_JSON_VALUE_OBJECT)
    fits = check_object (check, schema, value);
  check->depth--;
  check->keyword = keyword;
  return fits && !check->gave_up;
}

gboolean
beckon_json_schema_try (BeckonJsonSchemaCheck *check, const BeckonJsonValue *schema, const BeckonJsonValue *value)
{
  GPtrArray *problems = check->problems;
  gboolean fits;

  check->problems = NULL;
  fits = beckon_json_schema_check (check, schema, value);
  check->problems = problems;
  return fits;
}

static void
append_step (GString *pointer, const BeckonJsonValue *child, guint index)
{
  if (child->name == NULL)
    g_string_append_printf (pointer, "/%u", index);
  else
    beckon_json_pointer_append (pointer, child->name->str, (gssize) child->name->len);
}

gboolean
beckon_json_schema_check_child (BeckonJsonSchemaCheck *check, const BeckonJsonValue *schema,
                                const BeckonJsonValue *child, guint index)
{
  gsize length = check->pointer->len;
  gboolean fits;

  if (check->problems != NULL)
    append_step (check->pointer, child, index);
  fits = beckon_json_schema_check (check, schema, child);
  g_string_truncate (check->pointer, length);
  return fits;
}

gboolean
beckon_json_schema_matches (BeckonJsonSchemaCheck *check, const char *pattern, const GString *text)
{
  GRegex *regex = g_hash_table_lookup (check->schema->patterns, pattern);

  return regex != NULL && beckon_json_schema_step (check, 10)
         && g_regex_match_full (regex, text->str, (gssize) text->len, 0, 0, NULL, NULL);
}

gboolean
beckon_json_schema_has_pattern (BeckonJsonSchema *schema, const char *pattern, const GString *text)
{
  BeckonJsonSchemaCheck check = { .schema = schema };

  g_return_val_if_fail (schema != NULL, FALSE);

  return beckon_json_schema_matches (&check, pattern, text);
}

GPtrArray *
beckon_json_schema_validate_part (BeckonJsonSchema *schema, const BeckonJsonValue *part, const BeckonJsonValue *value,
                                  const char *place)
{
  g_autoptr (GString) pointer = g_string_new (place);
  g_autoptr (GPtrArray) problems = problems_new ();
  BeckonJsonSchemaCheck check = { .schema = schema, .pointer = pointer, .problems = problems };

  g_return_val_if_fail (schema != NULL, NULL);
  g_return_val_if_fail (part != NULL, NULL);
  g_return_val_if_fail (value != NULL, NULL);

  if (beckon_json_schema_check (&check, part, value))
    return NULL;
  if (check.gave_up || problems->len == 0)
    g_ptr_array_add (problems, problem_new (place, NULL, N_("This takes too long to check against its schema."), NULL));
  return g_steal_pointer (&problems);
}

GPtrArray *
beckon_json_schema_validate (BeckonJsonSchema *schema, const BeckonJsonValue *value)
{
  g_return_val_if_fail (schema != NULL, NULL);

  return beckon_json_schema_validate_part (schema, schema->root, value, "");
}

gboolean
beckon_json_schema_fits (BeckonJsonSchema *schema, const BeckonJsonValue *part, const BeckonJsonValue *value)
{
  g_autoptr (GString) pointer = g_string_new (NULL);
  BeckonJsonSchemaCheck check = { .schema = schema, .pointer = pointer };

  g_return_val_if_fail (schema != NULL, FALSE);
  g_return_val_if_fail (part != NULL, FALSE);
  g_return_val_if_fail (value != NULL, FALSE);

  return beckon_json_schema_check (&check, part, value);
}

GPtrArray *
beckon_json_schema_validate_text (BeckonJsonSchema *schema, const char *text, gssize length)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonJsonValue) value = beckon_json_value_parse (text, length, &error);
  GPtrArray *problems;

  if (value != NULL)
    return beckon_json_schema_validate (schema, value);
  problems = problems_new ();
  g_ptr_array_add (problems, problem_new ("", NULL, N_("This is not JSON: %s"), error->message));
  return problems;
}

/* --- The schema --------------------------------------------------------------------------------------------------- */

BeckonJsonSchema *
beckon_json_schema_new (const char *text, gssize length, BeckonJsonSchemaFlags flags, GError **error)
{
  g_autoptr (BeckonJsonValue) root = beckon_json_value_parse (text, length, error);
  BeckonJsonSchema *schema;
  const char *draft;

  if (root == NULL)
    return NULL;
  if (root->kind != BECKON_JSON_VALUE_OBJECT && root->kind != BECKON_JSON_VALUE_TRUE
      && root->kind != BECKON_JSON_VALUE_FALSE)
    {
      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID, "The schema is neither an object nor a boolean");
      return NULL;
    }
  schema = g_new0 (BeckonJsonSchema, 1);
  draft = beckon_json_value_get_string (beckon_json_value_get (root, "$schema"));
  schema->is_draft_7 = draft != NULL ? strstr (draft, "draft-07") != NULL || strstr (draft, "draft-06") != NULL
                                     : (flags & BECKON_JSON_SCHEMA_DRAFT_7) != 0;
  schema->checks_formats = (flags & BECKON_JSON_SCHEMA_CHECK_FORMATS) != 0;
  schema->root = g_steal_pointer (&root);
  beckon_json_schema_index (schema);
  return schema;
}

void
beckon_json_schema_free (BeckonJsonSchema *schema)
{
  if (schema == NULL)
    return;
  g_hash_table_unref (schema->bases);
  g_hash_table_unref (schema->places);
  g_hash_table_unref (schema->targets);
  g_hash_table_unref (schema->patterns);
  beckon_json_value_free (schema->root);
  g_free (schema);
}

/* --- For a form --------------------------------------------------------------------------------------------------- */

const BeckonJsonValue *
beckon_json_schema_get_root (BeckonJsonSchema *schema)
{
  g_return_val_if_fail (schema != NULL, NULL);

  return schema->root;
}

const BeckonJsonValue *
beckon_json_schema_get_target (BeckonJsonSchema *schema, const BeckonJsonValue *part)
{
  g_return_val_if_fail (schema != NULL, NULL);

  return g_hash_table_lookup (schema->targets, part);
}

gboolean
beckon_json_schema_is_draft_7 (BeckonJsonSchema *schema)
{
  g_return_val_if_fail (schema != NULL, FALSE);

  return schema->is_draft_7;
}
