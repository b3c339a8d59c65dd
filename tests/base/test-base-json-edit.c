/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/beckon-json-edit.h"

#include <string.h>

static const char *const texts[] = {
  "{}",
  "{ }",
  "{\n}",
  "{\"a\":1}",
  "{ \"a\" : 1 }",
  "{\"a\":1,\"b\":2,\"c\":3}",
  "{\n  \"a\": 1,\n  \"b\": [1, 2, 3]\n}\n",
  "{\n\t\"a\\\"\\\\\": {\"x\":1},\n\t\"\\u00e9\": []\n}",
};
static const char *const arrays[] = {
  "[]", "[ ]", "[1]", "[ 1 ]", "[1,2,3]", "[1, 2, 3]", "[\n  1,\n  {\"a\": [2]},\n  \"3,]\"\n]", "[[],[[]],{}]",
};

static BeckonJsonValue *
parse (const char *text)
{
  g_autoptr (GError) error = NULL;
  BeckonJsonValue *value = beckon_json_value_parse (text, -1, &error);

  g_assert_no_error (error);
  return value;
}

/* Takes the edit, and returns the text with the change; all around it is as it was. */
static char *
apply (BeckonJsonEdit *taken, const char *text)
{
  g_autoptr (BeckonJsonEdit) edit = taken;
  char *changed = beckon_json_edit_apply (edit, text);
  gsize behind = edit->offset + edit->length;

  g_assert_cmpuint (behind, <=, strlen (text));
  g_assert_cmpmem (changed, edit->offset, text, edit->offset);
  g_assert_cmpuint (strlen (changed), ==, strlen (text) - edit->length + strlen (edit->text));
  g_assert_cmpstr (changed + edit->offset + strlen (edit->text), ==, text + behind);
  return changed;
}

static void
assert_same (const BeckonJsonValue *one, const BeckonJsonValue *other)
{
  g_autofree char *expected = beckon_json_value_print (one);
  g_autofree char *found = beckon_json_value_print (other);

  g_assert_cmpstr (found, ==, expected);
}

/* A member at any place is added there, and its removal leaves the others. */
static void
test_members (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (BeckonJsonValue) before = parse (texts[i]);
      g_autoptr (GString) name = g_string_new ("new \"one\"");
      guint n = beckon_json_value_get_n_children (before);

      for (guint at = 0; at <= n; at++)
        {
          g_autofree char *text = apply (beckon_json_edit_insert (texts[i], before, name, at, "[true]"), texts[i]);
          g_autoptr (BeckonJsonValue) after = parse (text);
          g_autofree char *removed = NULL;
          g_autoptr (BeckonJsonValue) again = NULL;

          g_assert_cmpuint (beckon_json_value_get_n_children (after), ==, n + 1);
          g_assert_cmpstr (beckon_json_value_get_child (after, at)->name->str, ==, name->str);
          g_assert_cmpint (beckon_json_value_get_child (after, at)->kind, ==, BECKON_JSON_VALUE_ARRAY);
          removed = apply (beckon_json_edit_remove (after, at), text);
          again = parse (removed);
          assert_same (before, again);
        }
    }
}

static void
test_elements (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (arrays); i++)
    {
      g_autoptr (BeckonJsonValue) before = parse (arrays[i]);
      guint n = beckon_json_value_get_n_children (before);

      for (guint at = 0; at <= n; at++)
        {
          g_autofree char *text = apply (beckon_json_edit_insert (arrays[i], before, NULL, at, "\"new\""), arrays[i]);
          g_autoptr (BeckonJsonValue) after = parse (text);
          g_autofree char *removed = apply (beckon_json_edit_remove (after, at), text);
          g_autoptr (BeckonJsonValue) again = parse (removed);

          g_assert_cmpstr (beckon_json_value_get_string (beckon_json_value_get_child (after, at)), ==, "new");
          assert_same (before, again);
        }
      for (guint at = 0; at < n; at++)
        {
          const BeckonJsonValue *child = beckon_json_value_get_child (before, at);
          g_autofree char *text = apply (beckon_json_edit_replace (child, "null"), arrays[i]);
          g_autoptr (BeckonJsonValue) after = parse (text);

          g_assert_cmpint (beckon_json_value_get_child (after, at)->kind, ==, BECKON_JSON_VALUE_NULL);
          g_assert_cmpuint (beckon_json_value_get_n_children (after), ==, n);
        }
    }
}

/* An element is moved to any place; the others keep their order, and what stands between elements stays. */
static void
test_moved (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (arrays); i++)
    {
      g_autoptr (BeckonJsonValue) before = parse (arrays[i]);
      guint n = beckon_json_value_get_n_children (before);

      for (guint from = 0; from < n; from++)
        for (guint to = 0; to < n; to++)
          {
            g_autoptr (BeckonJsonEdit) edit = beckon_json_edit_move (arrays[i], before, from, to);
            g_autofree char *text = edit != NULL ? beckon_json_edit_apply (edit, arrays[i]) : g_strdup (arrays[i]);
            g_autoptr (BeckonJsonValue) after = parse (text);
            g_autoptr (GPtrArray) order = g_ptr_array_new ();

            for (guint k = 0; k < n; k++)
              if (k != from)
                g_ptr_array_add (order, (gpointer) beckon_json_value_get_child (before, k));
            g_ptr_array_insert (order, (int) to, (gpointer) beckon_json_value_get_child (before, from));
            g_assert_cmpuint (strlen (text), ==, strlen (arrays[i]));
            for (guint k = 0; k < n; k++)
              assert_same (g_ptr_array_index (order, k), beckon_json_value_get_child (after, k));
          }
    }
}

/* A new member looks like its neighbours. */
static void
test_style (void)
{
  static const struct
  {
    const char *text;
    guint index;
    const char *expected;
  } cases[] = {
    { "{}", 0, "{\"n\":0}" },
    { "{\"a\":1,\"b\":2}", 2, "{\"a\":1,\"b\":2,\"n\":0}" },
    { "{\"a\": 1, \"b\": 2}", 1, "{\"a\": 1, \"n\": 0, \"b\": 2}" },
    { "{\n  \"a\": 1,\n  \"b\": 2\n}", 2, "{\n  \"a\": 1,\n  \"b\": 2,\n  \"n\": 0\n}" },
    { "{\n  \"a\" : 1\n}", 1, "{\n  \"a\" : 1,\n  \"n\" : 0\n}" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (BeckonJsonValue) value = parse (cases[i].text);
      g_autoptr (GString) name = g_string_new ("n");
      g_autofree char *text = apply (beckon_json_edit_insert (cases[i].text, value, name, cases[i].index, "0"), cases[i].text);

      g_assert_cmpstr (text, ==, cases[i].expected);
    }
}

/* The least change between two texts is never within a character. */
static void
test_between (void)
{
  static const char *const all[] = { "", "a", "ab", "aab", "aaab", "部", "郫", "a部b", "a郫b", "a部部b", "é", "e\xcc\x81", "😀", "😁" };

  for (gsize i = 0; i < G_N_ELEMENTS (all); i++)
    for (gsize k = 0; k < G_N_ELEMENTS (all); k++)
      {
        g_autoptr (BeckonJsonEdit) edit = beckon_json_edit_between (all[i], all[k]);
        g_autofree char *text = NULL;

        g_assert_cmpint (edit == NULL, ==, i == k);
        if (edit == NULL)
          continue;
        text = beckon_json_edit_apply (edit, all[i]);
        g_assert_cmpstr (text, ==, all[k]);
        g_assert_true (g_utf8_validate (edit->text, -1, NULL));
        g_assert_true (g_utf8_validate (all[i], (gssize) edit->offset, NULL));
        g_assert_true (g_utf8_validate (all[i] + edit->offset, (gssize) edit->length, NULL));
      }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/json-edit/members", test_members);
  g_test_add_func ("/base/json-edit/elements", test_elements);
  g_test_add_func ("/base/json-edit/moved", test_moved);
  g_test_add_func ("/base/json-edit/style", test_style);
  g_test_add_func ("/base/json-edit/between", test_between);
  return g_test_run ();
}
