/* SPDX-License-Identifier: GPL-3.0-or-later */

/* 100 schemas times 100 changes, all by chance: the form and the text say the same after each, a change of one place leaves the
 * bytes of the others, and undoing all of them gives back the very bytes. BECKON_SEED repeats a run. */

#include "form/beckon-form.h"

#include "base/beckon-json-schema.h"

#include <stdlib.h>
#include <string.h>

#define N_SCHEMAS 100
#define N_CHANGES 100

static GRand *dice;

static gint32
roll (gint32 n)
{
  return g_rand_int_range (dice, 0, n);
}

static const char *
pick (const char *const *words, guint n)
{
  return words[roll ((gint32) n)];
}

#define PICK(...)                                          \
  pick ((const char *const[]){ __VA_ARGS__ }, G_N_ELEMENTS (((const char *const[]){ __VA_ARGS__ })))

/* --- Schemas ------------------------------------------------------------------------------------------------------ */

static void
append_schema (GString *json, guint depth);

static void
append_object_schema (GString *json, guint depth)
{
  static const char *const names[] = { "a", "b/c", "~d", "名", "e f", "" };
  gint32 n = roll (5);

  g_string_append (json, "{\"type\":\"object\",\"properties\":{");
  for (gint32 i = 0; i < n; i++)
    {
      g_string_append_printf (json, "%s\"%s\":", i > 0 ? "," : "", names[i]);
      append_schema (json, depth + 1);
    }
  g_string_append (json, "}");
  if (n > 0 && roll (2) == 0)
    g_string_append_printf (json, ",\"required\":[\"%s\"]", names[roll (n)]);
  if (roll (3) == 0)
    g_string_append_printf (json, ",\"additionalProperties\":%s", PICK ("false", "{\"type\":\"string\"}", "true"));
  if (n > 1 && roll (4) == 0)
    g_string_append_printf (json, ",\"if\":{\"required\":[\"a\"]},\"then\":{\"properties\":{\"then\":{\"type\":\"integer\"}}}");
  g_string_append_c (json, '}');
}

static void
append_array_schema (GString *json, guint depth)
{
  g_string_append (json, "{\"type\":\"array\",");
  if (roll (3) == 0)
    {
      g_string_append (json, "\"prefixItems\":[");
      append_schema (json, depth + 1);
      g_string_append_c (json, ',');
      append_schema (json, depth + 1);
      g_string_append (json, "],");
    }
  g_string_append (json, "\"items\":");
  append_schema (json, depth + 1);
  if (roll (3) == 0)
    g_string_append (json, ",\"minItems\":1,\"maxItems\":4");
  g_string_append_c (json, '}');
}

static void
append_choice_schema (GString *json, guint depth)
{
  g_string_append_printf (json, "{\"%s\":[", PICK ("anyOf", "oneOf"));
  append_schema (json, depth + 1);
  g_string_append_c (json, ',');
  append_schema (json, depth + 1);
  g_string_append (json, "]}");
}

static void
append_schema (GString *json, guint depth)
{
  gint32 kind = roll (depth < 4 ? 12 : 7);

  if (kind == 9)
    append_array_schema (json, depth);
  else if (kind == 10)
    append_choice_schema (json, depth);
  else if (kind > 7)
    append_object_schema (json, depth);
  else
    g_string_append (json, PICK ("{\"type\":\"string\"}", "{\"type\":\"integer\",\"minimum\":-3,\"maximum\":9}",
                                 "{\"type\":\"number\",\"multipleOf\":0.5}", "{\"type\":\"boolean\",\"default\":true}",
                                 "{\"enum\":[\"x\",\"y\",3,null]}", "{\"const\":\"fixed\"}", "{}", "true",
                                 "{\"type\":[\"string\",\"null\",\"integer\"]}", "{\"$ref\":\"#/$defs/d\"}",
                                 "{\"$ref\":\"#\"}", "{\"type\":\"string\",\"maxLength\":3,\"format\":\"date\"}",
                                 "{\"oneOf\":[{\"const\":1,\"title\":\"One\"},{\"const\":2}]}"));
}

static char *
make_schema (void)
{
  GString *json = g_string_new (NULL);

  append_object_schema (json, 0);
  g_string_truncate (json, json->len - 1);
  g_string_append (json, ",\"$defs\":{\"d\":{\"type\":\"object\",\"properties\":{\"more\":{\"$ref\":\"#/$defs/d\"},"
                         "\"text\":{\"type\":\"string\"}}}}}");
  return g_string_free (json, FALSE);
}

/* --- What models write -------------------------------------------------------------------------------------------- */

static const char *
make_space (void)
{
  return PICK ("", "", " ", "\n  ", "\t");
}

static void
append_value (GString *json, guint depth)
{
  gint32 n = depth < 4 ? roll (4) : 0;

  if (roll (3) > 0 || depth > 3)
    {
      g_string_append (json, PICK ("\"x\"", "\"a \\u0062 \\\\ \\\" é\"", "1", "-0.50", "1e3", "true", "false", "null",
                                   "\"one\\ntwo\"", "\"fixed\"", "123456789012345678901", "\"\\u202e\"", "\"nul \\u0000\""));
      return;
    }
  if (roll (2) == 0)
    {
      g_string_append_printf (json, "[%s", make_space ());
      for (gint32 i = 0; i < n; i++)
        {
          g_string_append_printf (json, "%s%s", i > 0 ? "," : "", make_space ());
          append_value (json, depth + 1);
        }
      g_string_append_printf (json, "%s]", make_space ());
      return;
    }
  g_string_append (json, "{");
  for (gint32 i = 0; i < n; i++)
    {
      static const char *const names[] = { "a", "b\\/c", "~d", "\\u540d" };

      g_string_append_printf (json, "%s%s\"%s\"%s:%s", i > 0 ? "," : "", make_space (), names[i], make_space (), make_space ());
      append_value (json, depth + 1);
    }
  g_string_append_printf (json, "%s}", make_space ());
}

static char *
make_arguments (void)
{
  GString *json = g_string_new (NULL);

  do
    {
      g_string_truncate (json, 0);
      append_value (json, 0);
    }
  while (json->str[0] != '{');
  return g_string_free (json, FALSE);
}

/* --- What has to hold --------------------------------------------------------------------------------------------- */

static gboolean
is_within (const char *pointer, const char *around)
{
  gsize length = strlen (around);

  return strncmp (pointer, around, length) == 0 && (pointer[length] == '\0' || pointer[length] == '/');
}

/* Every field says what stands in the text at its place, and every value but those inside of JSON fields has a field. */
static guint
check_field (const char *text, const BeckonJsonValue *value, BeckonFormField *field)
{
  const BeckonJsonValue *own = beckon_json_value_point (value, field->pointer);
  guint n_values = 0;

  g_assert_true (field->is_present == (own != NULL));
  if (own == NULL)
    {
      g_assert_null (field->json);
      return 0;
    }
  g_assert_cmpuint (strlen (field->json), ==, own->length);
  g_assert_cmpint (strncmp (field->json, text + own->offset, own->length), ==, 0);
  if (field->kind == BECKON_FORM_TEXT)
    g_assert_cmpstr (field->text, ==, own->text->str);
  if (field->kind == BECKON_FORM_BOOLEAN)
    g_assert_true (field->is_on == (own->kind == BECKON_JSON_VALUE_TRUE));
  if (field->kind == BECKON_FORM_ENUM && field->chosen >= 0)
    {
      g_autoptr (BeckonJsonValue) option = beckon_json_value_parse (g_ptr_array_index (field->values, field->chosen), -1, NULL);

      g_assert_true (beckon_json_value_equal (option, own));
    }
  for (guint i = 0; i < field->children->len; i++)
    n_values += check_field (text, value, g_ptr_array_index (field->children, i)) > 0;
  if (field->kind == BECKON_FORM_OBJECT || field->kind == BECKON_FORM_ARRAY)
    g_assert_cmpuint (n_values, ==, own->children->len);
  return 1;
}

static void
append_dump (GString *dump, BeckonFormField *field)
{
  g_string_append_printf (dump, "%s|%d|%s|%s|%d|%d|%s\n", field->pointer, field->kind, field->text, field->proposed,
                          field->is_edited, field->is_required, field->problem);
  if (field->kind == BECKON_FORM_CHOICE)
    return;
  for (guint i = 0; i < field->children->len; i++)
    append_dump (dump, g_ptr_array_index (field->children, i));
}

static char *
dump (BeckonForm *form)
{
  GString *text = g_string_new (NULL);

  append_dump (text, beckon_form_get_root (form));
  return g_string_free (text, FALSE);
}

static gboolean
has_choice (BeckonFormField *field)
{
  gboolean found = field->kind == BECKON_FORM_CHOICE;

  for (guint i = 0; i < field->children->len; i++)
    found = found || has_choice (g_ptr_array_index (field->children, i));
  return found;
}

/* The form is a function of schema, proposal and text; what was chosen is all that it remembers besides. */
static void
check_function (BeckonForm *form, const char *schema)
{
  g_autoptr (BeckonForm) fresh = beckon_form_new (schema, beckon_form_get_proposal (form), NULL);
  g_autofree char *one = dump (form);
  g_autofree char *other = NULL;

  beckon_form_set_text (fresh, beckon_form_get_text (form));
  other = dump (fresh);
  g_assert_true (beckon_form_is_valid (fresh) == beckon_form_is_valid (form));
  if (!has_choice (beckon_form_get_root (form)))
    g_assert_cmpstr (one, ==, other);
}

static void
check (BeckonForm *form, const char *schema_text, BeckonJsonSchema *schema)
{
  const char *text = beckon_form_get_text (form);
  g_autoptr (BeckonJsonValue) value = beckon_json_value_parse (text, -1, NULL);
  g_autoptr (GPtrArray) problems = NULL;

  g_assert_true (beckon_form_is_json (form) == (value != NULL));
  g_assert_true (beckon_form_is_edited (form) == (strcmp (text, beckon_form_get_proposal (form)) != 0));
  if (value == NULL)
    {
      g_autofree char *fault = beckon_form_dup_fault (form, NULL);

      g_assert_nonnull (fault);
      g_assert_false (beckon_form_is_valid (form));
      return;
    }
  check_field (text, value, beckon_form_get_root (form));
  problems = beckon_json_schema_validate (schema, value);
  g_assert_true (beckon_form_is_valid (form) == (problems == NULL && value->kind == BECKON_JSON_VALUE_OBJECT));
  if (roll (10) == 0)
    check_function (form, schema_text);
}

/* --- Changes ------------------------------------------------------------------------------------------------------ */

static void
collect (BeckonFormField *field, GPtrArray *fields)
{
  g_ptr_array_add (fields, beckon_form_field_ref (field));
  for (guint i = 0; i < field->children->len; i++)
    collect (g_ptr_array_index (field->children, i), fields);
}

static gboolean
change_field (BeckonForm *form, BeckonFormField *field)
{
  switch (roll (10))
    {
    case 0:
    case 1:
    case 2:
      return beckon_form_type (form, field, PICK ("", "x", "5", "5x", "-1e2", " 7 ", "two\nlines", "{\"a\":", "[1,2]", "2024-01-01"));
    case 3:
      return field->options != NULL && beckon_form_choose (form, field, (guint) roll ((gint32) field->options->len));
    case 4:
      return beckon_form_switch (form, field, roll (2));
    case 5:
      return beckon_form_step (form, field, roll (5) - 2);
    case 6:
      return beckon_form_fill (form, field) || beckon_form_add_element (form, field)
             || beckon_form_add_member (form, field, PICK ("a", "b/c", "more", "new \"key\"", "~d"));
    case 7:
      return beckon_form_remove (form, field);
    case 8:
      return beckon_form_move (form, field, roll (5) - 2);
    default:
      return beckon_form_reset (form, field);
    }
}

/* Values that are neither inside of the changed place nor around it keep their bytes. Elements may have moved. */
static void
check_others (BeckonForm *form, GPtrArray *before, const char *pointer, gboolean in_array)
{
  g_autofree char *list = g_strdup (pointer);

  if (in_array)
    *strrchr (list, '/') = '\0';
  for (guint i = 0; i < before->len; i++)
    {
      BeckonFormField *was = g_ptr_array_index (before, i);
      BeckonFormField *is;

      if (is_within (pointer, was->pointer) || is_within (was->pointer, list))
        continue;
      is = beckon_form_find (form, was->pointer);
      if (is != NULL && was->children->len == 0 && is->children->len == 0)
        g_assert_cmpstr (is->json, ==, was->json);
    }
}

static void
change_by_form (BeckonForm *form)
{
  g_autoptr (GPtrArray) fields = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_form_field_unref);
  BeckonFormField *field;
  g_autofree char *text = g_strdup (beckon_form_get_text (form));
  gboolean was_json = beckon_form_is_json (form);

  collect (beckon_form_get_root (form), fields);
  field = g_ptr_array_index (fields, (guint) roll ((gint32) fields->len));
  if (!change_field (form, field))
    g_assert_cmpstr (beckon_form_get_text (form), ==, text);
  else
    {
      g_assert_true (was_json && beckon_form_is_json (form));
      check_others (form, fields, field->pointer, field->is_element);
    }
}

static void
change_by_text (BeckonForm *form)
{
  g_autoptr (GString) text = g_string_new (beckon_form_get_text (form));
  const char *at = g_utf8_offset_to_pointer (text->str, roll ((gint32) g_utf8_strlen (text->str, -1) + 1));
  gssize offset = at - text->str;

  if (roll (3) > 0)
    g_string_insert (text, offset, PICK ("x", "\"", "}", ",", "1", " ", "é", "\n"));
  else if (*at != '\0')
    g_string_erase (text, offset, g_utf8_next_char (at) - at);
  beckon_form_set_text (form, text->str);
  g_assert_cmpstr (beckon_form_get_text (form), ==, text->str);
  if (!beckon_form_is_json (form) && roll (4) > 0)
    beckon_form_undo (form);
}

static void
change (BeckonForm *form)
{
  gint32 what = roll (20);

  if (what == 0 && roll (4) == 0)
    beckon_form_revert (form);
  else if (what == 1)
    beckon_form_undo (form);
  else if (what == 2)
    beckon_form_redo (form);
  else if (what < 6)
    change_by_text (form);
  else
    change_by_form (form);
}

static void
walk_history (BeckonForm *form)
{
  g_autofree char *last = g_strdup (beckon_form_get_text (form));
  guint n = 0;

  for (; beckon_form_can_undo (form); n++)
    beckon_form_undo (form);
  g_assert_cmpstr (beckon_form_get_text (form), ==, beckon_form_get_proposal (form));
  g_assert_false (beckon_form_is_edited (form));
  for (; n > 0; n--)
    beckon_form_redo (form);
  g_assert_cmpstr (beckon_form_get_text (form), ==, last);
}

static void
test_random (void)
{
  const char *given = g_getenv ("BECKON_SEED");
  guint32 seed = given != NULL ? (guint32) strtoul (given, NULL, 10) : g_random_int ();
  guint n_fields = 0;

  g_test_message ("BECKON_SEED=%u", seed);
  dice = g_rand_new_with_seed (seed);
  for (guint i = 0; i < N_SCHEMAS; i++)
    {
      g_autofree char *schema_text = make_schema ();
      g_autoptr (BeckonJsonSchema) schema = beckon_json_schema_new (schema_text, -1, BECKON_JSON_SCHEMA_2020_12, NULL);
      g_autofree char *arguments = make_arguments ();
      g_autoptr (BeckonForm) form = beckon_form_new (schema_text, arguments, NULL);
      g_autoptr (GPtrArray) fields = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_form_field_unref);

      g_assert_nonnull (schema);
      g_assert_cmpstr (beckon_form_get_text (form), ==, arguments);
      for (guint j = 0; j < N_CHANGES; j++)
        {
          change (form);
          check (form, schema_text, schema);
        }
      collect (beckon_form_get_root (form), fields);
      n_fields += fields->len;
      walk_history (form);
    }
  g_test_message ("%u fields at the end", n_fields);
  g_rand_free (dice);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/form/random", test_random);
  return g_test_run ();
}
