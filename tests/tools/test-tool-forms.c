/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Every tool of our own has a form in which each argument has a control of its own, and nothing is left to JSON. */

#include "tool-runner.h"

#include "form/beckon-form.h"

static guint
count_raw (const char *tool, BeckonFormField *field)
{
  guint n = field->kind == BECKON_FORM_RAW;

  if (n > 0)
    g_test_message ("%s: %s is left to JSON", tool, field->pointer);
  for (guint i = 0; i < field->children->len; i++)
    n += count_raw (tool, g_ptr_array_index (field->children, i));
  return n;
}

static void fill_all (BeckonForm *form, const char *pointer);

static void
fill_children (BeckonForm *form, const char *pointer)
{
  g_autoptr (BeckonFormField) now = beckon_form_field_ref (beckon_form_find (form, pointer));

  for (guint i = 0; i < now->children->len; i++)
    {
      BeckonFormField *child = g_ptr_array_index (now->children, i);

      if (!child->is_present)
        g_assert_true (beckon_form_fill (form, beckon_form_find (form, child->pointer)));
      if (!g_str_equal (child->pointer, pointer))
        fill_all (form, child->pointer);
    }
}

/* With everything that could be there. */
static void
fill_all (BeckonForm *form, const char *pointer)
{
  g_autoptr (BeckonFormField) field = beckon_form_field_ref (beckon_form_find (form, pointer));

  for (guint i = 0; field->addable != NULL && i < field->addable->len; i++)
    g_assert_true (beckon_form_add_member (form, beckon_form_find (form, pointer), g_ptr_array_index (field->addable, i)));
  if (field->kind == BECKON_FORM_ARRAY)
    g_assert_true (beckon_form_add_element (form, beckon_form_find (form, pointer)));
  fill_children (form, pointer);
}

static void
test_forms (void)
{
  ToolRunner runner = { 0 };
  GPtrArray *tools;
  guint n_raw = 0;

  tool_runner_set_up (&runner);
  tools = beckon_tool_registry_list_all (runner.registry);
  g_assert_cmpuint (tools->len, >=, 14);
  for (guint i = 0; i < tools->len; i++)
    {
      BeckonToolDefinition *definition = beckon_tool_get_definition (g_ptr_array_index (tools, i));
      g_autoptr (BeckonForm) form = beckon_form_new (definition->schema, "{}", NULL);

      fill_all (form, "");
      g_test_message ("%s: %s", definition->name, beckon_form_get_text (form));
      n_raw += count_raw (definition->name, beckon_form_get_root (form));
    }
  g_assert_cmpuint (n_raw, ==, 0);
  tool_runner_tear_down (&runner);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tools/forms", test_forms);
  return g_test_run ();
}
