/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A list of rows that come and go at both its ends: they keep their order, and what holds them does not grow with what went. */

#include "beckon-ui-fixture.h"

#include "ui/widgets/beckon-row-list.h"

#include <stdlib.h>

/* Rows that are there at a time, as of a conversation that one scrolls through. */
#define AT_ONCE 40
#define MANY 1000

static BeckonRowList *
make_list (void)
{
  return g_object_ref_sink (g_object_new (BECKON_TYPE_ROW_LIST, NULL));
}

static GtkWidget *
make_row (int number)
{
  g_autofree char *name = g_strdup_printf ("%d", number);

  return gtk_label_new (name);
}

static int
get_number (GtkWidget *row)
{
  return atoi (gtk_label_get_label (GTK_LABEL (row)));
}

static void
assert_rows (BeckonRowList *list, int first, int n)
{
  GtkWidget *row = beckon_row_list_get_first (list);

  for (int i = 0; i < n; i++, row = beckon_row_list_get_next (row))
    g_assert_cmpint (get_number (row), ==, first + i);
  g_assert_null (row);
  row = beckon_row_list_get_last (list);
  for (int i = n; i > 0; i--, row = beckon_row_list_get_previous (row))
    g_assert_cmpint (get_number (row), ==, first + i - 1);
  g_assert_null (row);
}

static guint
count_shelves (BeckonRowList *list)
{
  guint n = 0;

  for (GtkWidget *shelf = gtk_widget_get_first_child (GTK_WIDGET (list)); shelf != NULL;
       shelf = gtk_widget_get_next_sibling (shelf))
    n++;
  return n;
}

static void
remove_at (BeckonRowList *list, gboolean at_start)
{
  beckon_row_list_remove (list, at_start ? beckon_row_list_get_first (list) : beckon_row_list_get_last (list));
}

static void
insert_at (BeckonRowList *list, gboolean at_start, int number)
{
  beckon_row_list_insert (list, make_row (number), at_start ? NULL : beckon_row_list_get_last (list));
}

/* Rows come at one end and go at the other, as when one scrolls. Returns how often room was made. */
static guint
scroll (BeckonRowList *list, gboolean up, int first)
{
  guint made = 0;

  for (int i = 0; i < MANY; i++)
    {
      guint before = count_shelves (list);

      if (beckon_row_list_make_room (list, up))
        {
          made++;
          before = count_shelves (list);
          g_assert_false (beckon_row_list_make_room (list, up));
        }
      insert_at (list, up, up ? first - 1 - i : first + i);
      g_assert_cmpuint (count_shelves (list), ==, before);
      remove_at (list, !up);
      g_assert_cmpuint (count_shelves (list), <=, 4);
    }
  return made;
}

static void
test_both_ways (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRowList) list = make_list ();

  for (int i = 0; i < AT_ONCE; i++)
    insert_at (list, FALSE, i);
  assert_rows (list, 0, AT_ONCE);
  g_assert_cmpuint (scroll (list, TRUE, 0), <=, MANY / 40);
  assert_rows (list, -MANY, AT_ONCE);
  g_assert_cmpuint (scroll (list, FALSE, AT_ONCE - MANY), <=, MANY / 40);
  assert_rows (list, 0, AT_ONCE);
}

static void
test_without_room (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRowList) list = make_list ();

  for (int i = 0; i < 200; i++)
    insert_at (list, TRUE, -1 - i);
  for (int i = 0; i < 200; i++)
    insert_at (list, FALSE, i);
  assert_rows (list, -200, 400);
  while (beckon_row_list_get_first (list) != NULL)
    remove_at (list, TRUE);
  g_assert_cmpuint (count_shelves (list), ==, 0);
  insert_at (list, TRUE, 7);
  assert_rows (list, 7, 1);
  g_assert_cmpuint (count_shelves (list), ==, 1);
}

int
main (int argc, char *argv[])
{
  if (!ui_test_init (&argc, &argv))
    return 0;

  ui_test_add ("/ui/rows/both-ways", test_both_ways);
  ui_test_add ("/ui/rows/without-room", test_without_room);
  return g_test_run ();
}
