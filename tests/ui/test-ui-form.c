/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The fields of a form in a window of nothing else: the program is linked with their folder alone. */

#include "beckon-ui-fixture.h"

#include "ui/forms/beckon-form-control.h"
#include "ui/forms/beckon-form-group.h"

#define SCHEMA "{\"type\":\"object\",\"properties\":{\"path\":{\"type\":\"string\"},\"deep\":{\"type\":\"boolean\"}}}"

static GtkWidget *
show_form (UiFixture *fixture, BeckonForm *form)
{
  GtkWidget *group = beckon_form_group_new (form, beckon_form_get_root (form));

  ui_show (fixture, group);
  return group;
}

static GtkWidget *
find_control (GtkWidget *group, const char *name)
{
  GtkWidget *row = ui_find_named (group, name);

  g_assert_nonnull (row);
  return beckon_form_control_get_inner (BECKON_FORM_CONTROL (ui_find_type (row, BECKON_TYPE_FORM_CONTROL)));
}

static void
expect_fields (GtkWidget *group, const char *path, gboolean deep)
{
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (find_control (group, "path"))), ==, path);
  g_assert_cmpint (gtk_switch_get_active (GTK_SWITCH (find_control (group, "deep"))), ==, deep);
}

/* Other bytes than those of the field stay as the model wrote them. */
static void
test_field (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonForm) form = beckon_form_new (SCHEMA, "{ \"path\": \"a.txt\",  \"deep\": true }", NULL);
  GtkWidget *group = show_form (fixture, form);

  expect_fields (group, "a.txt", TRUE);
  gtk_editable_set_text (GTK_EDITABLE (find_control (group, "path")), "b.txt");
  g_assert_cmpstr (beckon_form_get_text (form), ==, "{ \"path\": \"b.txt\",  \"deep\": true }");
}

static void
test_text (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonForm) form = beckon_form_new (SCHEMA, "{\"path\":\"a.txt\",\"deep\":true}", NULL);
  GtkWidget *group = show_form (fixture, form);

  beckon_form_set_text (form, "{\"path\":\"c.txt\",\"deep\":false}");
  beckon_form_group_update (BECKON_FORM_GROUP (group), beckon_form_get_root (form));
  expect_fields (group, "c.txt", FALSE);
}

int
main (int argc, char *argv[])
{
  if (!ui_test_init (&argc, &argv))
    return 0;

  ui_test_add ("/ui/form/field", test_field);
  ui_test_add ("/ui/form/text", test_text);
  return g_test_run ();
}
