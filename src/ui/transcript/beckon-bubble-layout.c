/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-bubble-layout.h"

/*
 * A child that is aligned at the end is given, by GTK, the least width at which its text needs no more lines, and that is
 * searched for: ten layouts of a text instead of one, for every message on the screen.
 */

struct _BeckonBubbleLayout
{
  GtkLayoutManager parent_instance;
};

G_DEFINE_FINAL_TYPE (BeckonBubbleLayout, beckon_bubble_layout, GTK_TYPE_LAYOUT_MANAGER)

static int
choose_width (GtkWidget *child, int room)
{
  int minimum, natural;

  gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, &natural, NULL, NULL);
  return MAX (minimum, MIN (natural, room));
}

static void
beckon_bubble_layout_measure (GtkLayoutManager *manager, GtkWidget *widget, GtkOrientation orientation, int for_size,
                              int *minimum, int *natural, int *minimum_baseline, int *natural_baseline)
{
  GtkWidget *child = gtk_widget_get_first_child (widget);

  if (child == NULL)
    return;
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    gtk_widget_measure (child, orientation, -1, minimum, natural, NULL, NULL);
  else
    gtk_widget_measure (child, orientation, for_size >= 0 ? choose_width (child, for_size) : -1, minimum, natural, NULL,
                        NULL);
}

static void
beckon_bubble_layout_allocate (GtkLayoutManager *manager, GtkWidget *widget, int width, int height, int baseline)
{
  GtkWidget *child = gtk_widget_get_first_child (widget);
  GtkAllocation allocation = { 0, 0, 0, height };

  if (child == NULL)
    return;
  allocation.width = choose_width (child, width);
  if (gtk_widget_get_direction (widget) != GTK_TEXT_DIR_RTL)
    allocation.x = width - allocation.width;
  gtk_widget_size_allocate (child, &allocation, -1);
}

static GtkSizeRequestMode
beckon_bubble_layout_get_request_mode (GtkLayoutManager *manager, GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
beckon_bubble_layout_class_init (BeckonBubbleLayoutClass *klass)
{
  GtkLayoutManagerClass *layout_class = GTK_LAYOUT_MANAGER_CLASS (klass);

  layout_class->measure = beckon_bubble_layout_measure;
  layout_class->allocate = beckon_bubble_layout_allocate;
  layout_class->get_request_mode = beckon_bubble_layout_get_request_mode;
}

static void
beckon_bubble_layout_init (BeckonBubbleLayout *self)
{
}

GtkLayoutManager *
beckon_bubble_layout_new (void)
{
  return g_object_new (BECKON_TYPE_BUBBLE_LAYOUT, NULL);
}
