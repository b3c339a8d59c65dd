/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-whole-layout.h"

struct _BeckonWholeLayout
{
  GtkLayoutManager parent_instance;
};

G_DEFINE_FINAL_TYPE (BeckonWholeLayout, beckon_whole_layout, GTK_TYPE_LAYOUT_MANAGER)

static void
beckon_whole_layout_measure (GtkLayoutManager *manager, GtkWidget *widget, GtkOrientation orientation, int for_size,
                             int *minimum, int *natural, int *minimum_baseline, int *natural_baseline)
{
  GtkWidget *child = gtk_widget_get_first_child (widget);

  if (child == NULL)
    return;
  gtk_widget_measure (child, orientation, -1, minimum, natural, minimum_baseline, natural_baseline);
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    *minimum = 0;
}

static void
beckon_whole_layout_allocate (GtkLayoutManager *manager, GtkWidget *widget, int width, int height, int baseline)
{
  GtkWidget *child = gtk_widget_get_first_child (widget);
  int wanted;

  if (child == NULL)
    return;
  gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &wanted, NULL, NULL);
  gtk_widget_set_child_visible (child, width >= wanted);
  if (width >= wanted)
    gtk_widget_allocate (child, width, height, baseline, NULL);
}

static GtkSizeRequestMode
beckon_whole_layout_get_request_mode (GtkLayoutManager *manager, GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_CONSTANT_SIZE;
}

static void
beckon_whole_layout_class_init (BeckonWholeLayoutClass *klass)
{
  GtkLayoutManagerClass *layout_class = GTK_LAYOUT_MANAGER_CLASS (klass);

  layout_class->measure = beckon_whole_layout_measure;
  layout_class->allocate = beckon_whole_layout_allocate;
  layout_class->get_request_mode = beckon_whole_layout_get_request_mode;
}

static void
beckon_whole_layout_init (BeckonWholeLayout *self)
{
}
