/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-row-list.h"

#include "beckon-culling-box.h"

/*
 * A list holds shelves, a shelf holds sections, and a section holds rows. The sections of a shelf are made with it, empty,
 * so that a row that comes or goes disturbs those of its section alone. A shelf that comes or goes disturbs all behind it: that
 * is seldom, and who has a frame to spare for it makes room beforehand. An empty shelf stays until then.
 */

#define SECTIONS 8
#define ROWS 8

struct _BeckonRowList
{
  GtkBox parent_instance;
};

G_DEFINE_FINAL_TYPE (BeckonRowList, beckon_row_list, GTK_TYPE_BOX)

static GtkWidget *
make_shelf (void)
{
  GtkWidget *shelf = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  for (guint i = 0; i < SECTIONS; i++)
    gtk_box_append (GTK_BOX (shelf), beckon_culling_box_new ());
  return shelf;
}

/* The section beside another one, of the same shelf or of the next. */
static GtkWidget *
get_section_beside (GtkWidget *section, gboolean is_next)
{
  GtkWidget *beside = is_next ? gtk_widget_get_next_sibling (section) : gtk_widget_get_prev_sibling (section);
  GtkWidget *shelf = gtk_widget_get_parent (section);

  if (beside != NULL)
    return beside;
  shelf = is_next ? gtk_widget_get_next_sibling (shelf) : gtk_widget_get_prev_sibling (shelf);
  if (shelf == NULL)
    return NULL;
  return is_next ? gtk_widget_get_first_child (shelf) : gtk_widget_get_last_child (shelf);
}

/* The first row of a section or of one behind it; or the last one of it or of one before it. */
static GtkWidget *
get_row_from (GtkWidget *section, gboolean is_next)
{
  for (; section != NULL; section = get_section_beside (section, is_next))
    {
      GtkWidget *row = is_next ? gtk_widget_get_first_child (section) : gtk_widget_get_last_child (section);

      if (row != NULL)
        return row;
    }
  return NULL;
}

GtkWidget *
beckon_row_list_get_first (BeckonRowList *self)
{
  GtkWidget *shelf = gtk_widget_get_first_child (GTK_WIDGET (self));

  return shelf != NULL ? get_row_from (gtk_widget_get_first_child (shelf), TRUE) : NULL;
}

GtkWidget *
beckon_row_list_get_last (BeckonRowList *self)
{
  GtkWidget *shelf = gtk_widget_get_last_child (GTK_WIDGET (self));

  return shelf != NULL ? get_row_from (gtk_widget_get_last_child (shelf), FALSE) : NULL;
}

static GtkWidget *
get_beside (GtkWidget *row, gboolean is_next)
{
  GtkWidget *beside = is_next ? gtk_widget_get_next_sibling (row) : gtk_widget_get_prev_sibling (row);

  return beside != NULL ? beside : get_row_from (get_section_beside (gtk_widget_get_parent (row), is_next), is_next);
}

GtkWidget *
beckon_row_list_get_next (GtkWidget *row)
{
  return get_beside (row, TRUE);
}

GtkWidget *
beckon_row_list_get_previous (GtkWidget *row)
{
  return get_beside (row, FALSE);
}

GtkWidget *
beckon_row_list_find (BeckonRowList *self, GtkWidget *widget)
{
  GtkWidget *row = NULL, *section = NULL, *shelf = NULL;

  for (; widget != NULL && widget != GTK_WIDGET (self); widget = gtk_widget_get_parent (widget))
    {
      row = section;
      section = shelf;
      shelf = widget;
    }
  return widget != NULL ? row : NULL;
}

static gboolean
is_full (GtkWidget *section)
{
  guint n = 0;

  for (GtkWidget *row = gtk_widget_get_first_child (section); row != NULL; row = gtk_widget_get_next_sibling (row))
    n++;
  return n >= ROWS;
}

static GtkWidget *
add_shelf (BeckonRowList *self, gboolean is_next)
{
  GtkWidget *shelf = make_shelf ();

  if (is_next)
    gtk_box_append (GTK_BOX (self), shelf);
  else
    gtk_box_prepend (GTK_BOX (self), shelf);
  return shelf;
}

/* An empty section beside one at which the rows end, or the only one. */
static GtkWidget *
open_section (BeckonRowList *self, GtkWidget *section, gboolean is_next)
{
  GtkWidget *beside = section != NULL ? get_section_beside (section, is_next) : NULL;

  if (beside != NULL)
    return beside;
  return is_next ? gtk_widget_get_first_child (add_shelf (self, TRUE)) : gtk_widget_get_last_child (add_shelf (self, FALSE));
}

static void
insert_first (BeckonRowList *self, GtkWidget *row)
{
  GtkWidget *first = beckon_row_list_get_first (self);
  GtkWidget *section = first != NULL ? gtk_widget_get_parent (first) : NULL;

  if (section == NULL)
    section = open_section (self, NULL, TRUE);
  else if (is_full (section))
    section = open_section (self, section, FALSE);
  gtk_box_prepend (GTK_BOX (section), row);
}

static void
insert_behind (BeckonRowList *self, GtkWidget *row, GtkWidget *previous)
{
  GtkWidget *section = gtk_widget_get_parent (previous);

  if (beckon_row_list_get_next (previous) == NULL && is_full (section))
    gtk_box_append (GTK_BOX (open_section (self, section, TRUE)), row);
  else
    gtk_box_insert_child_after (GTK_BOX (section), row, previous);
}

void
beckon_row_list_insert (BeckonRowList *self, GtkWidget *row, GtkWidget *previous)
{
  g_return_if_fail (BECKON_IS_ROW_LIST (self));

  gtk_widget_set_margin_bottom (row, BECKON_ROW_LIST_SPACE);
  if (previous == NULL)
    insert_first (self, row);
  else
    insert_behind (self, row, previous);
}

static gboolean
is_empty (GtkWidget *shelf)
{
  GtkWidget *section = gtk_widget_get_first_child (shelf);

  while (section != NULL && gtk_widget_get_first_child (section) == NULL)
    section = gtk_widget_get_next_sibling (section);
  return section == NULL;
}

static void
drop_empty_shelves (BeckonRowList *self)
{
  GtkWidget *shelf = gtk_widget_get_first_child (GTK_WIDGET (self));

  while (shelf != NULL)
    {
      GtkWidget *next = gtk_widget_get_next_sibling (shelf);

      if (is_empty (shelf))
        gtk_box_remove (GTK_BOX (self), shelf);
      shelf = next;
    }
}

gboolean
beckon_row_list_make_room (BeckonRowList *self, gboolean at_start)
{
  GtkWidget *row;

  g_return_val_if_fail (BECKON_IS_ROW_LIST (self), FALSE);

  row = at_start ? beckon_row_list_get_first (self) : beckon_row_list_get_last (self);
  if (row == NULL || !is_full (gtk_widget_get_parent (row))
      || get_section_beside (gtk_widget_get_parent (row), !at_start) != NULL)
    return FALSE;
  drop_empty_shelves (self);
  add_shelf (self, !at_start);
  return TRUE;
}

void
beckon_row_list_remove (BeckonRowList *self, GtkWidget *row)
{
  GtkWidget *section = gtk_widget_get_parent (row);
  GtkWidget *last;

  g_return_if_fail (BECKON_IS_ROW_LIST (self));
  g_return_if_fail (gtk_widget_get_parent (gtk_widget_get_parent (section)) == GTK_WIDGET (self));

  gtk_box_remove (GTK_BOX (section), row);
  while ((last = gtk_widget_get_last_child (GTK_WIDGET (self))) != NULL && is_empty (last))
    gtk_box_remove (GTK_BOX (self), last);
}

void
beckon_row_list_clear (BeckonRowList *self)
{
  GtkWidget *shelf;

  g_return_if_fail (BECKON_IS_ROW_LIST (self));

  while ((shelf = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_box_remove (GTK_BOX (self), shelf);
}

static void
beckon_row_list_class_init (BeckonRowListClass *klass)
{
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
beckon_row_list_init (BeckonRowList *self)
{
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
}
