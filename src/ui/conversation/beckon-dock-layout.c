/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-dock-layout.h"

#include "beckon-dock.h"

/* Narrower than this, in pixels, the dock is the lower half, unless a little more shows all of it. */
#define NARROW 420

struct _BeckonDockLayout
{
  GtkLayoutManager parent_instance;
};

G_DEFINE_FINAL_TYPE (BeckonDockLayout, beckon_dock_layout, GTK_TYPE_LAYOUT_MANAGER)

static GtkWidget *
get_next_shown (GtkWidget *child)
{
  while (child != NULL && !gtk_widget_should_layout (child))
    child = gtk_widget_get_next_sibling (child);
  return child;
}

#define FOREACH_SHOWN(child, parent)                                           \
  for (GtkWidget *child = get_next_shown (gtk_widget_get_first_child (parent)); \
       child != NULL;                                                           \
       child = get_next_shown (gtk_widget_get_next_sibling (child)))

static void
beckon_dock_layout_measure (GtkLayoutManager *manager, GtkWidget *widget, GtkOrientation orientation, int for_size,
                            int *minimum, int *natural, int *minimum_baseline, int *natural_baseline)
{
  *minimum = *natural = 0;
  FOREACH_SHOWN (child, widget)
    {
      int least, wanted;

      gtk_widget_measure (child, orientation, for_size, &least, &wanted, NULL, NULL);
      if (orientation == GTK_ORIENTATION_HORIZONTAL)
        {
          *minimum = MAX (*minimum, least);
          *natural = MAX (*natural, wanted);
        }
      else
        {
          *minimum += least;
          *natural += wanted;
        }
    }
}

static int
cap (BeckonDock *dock, int width, int height, int left, int wanted)
{
  int most = height * 3 / 5;

  if (beckon_dock_get_expanded (dock))
    return left;
  return MIN (left, width < NARROW && wanted > most ? height / 2 : most);
}

static int
measure_child (GtkWidget *child, int width, gboolean wanted)
{
  int least, natural;

  gtk_widget_measure (child, GTK_ORIENTATION_VERTICAL, width, &least, &natural, NULL, NULL);
  return wanted ? natural : least;
}

static gboolean
is_fixed (GtkWidget *child)
{
  return !BECKON_IS_DOCK (child) && !gtk_widget_get_vexpand (child);
}

/* The height of all children that have one of their own. */
static int
measure_fixed (GtkWidget *widget, int width, gboolean wanted)
{
  int sum = 0;

  FOREACH_SHOWN (child, widget)
    {
      if (is_fixed (child))
        sum += measure_child (child, width, wanted);
    }
  return sum;
}

/* The least height of the child that expands. */
static int
measure_rest (GtkWidget *widget, int width)
{
  int sum = 0;

  FOREACH_SHOWN (child, widget)
    {
      if (!BECKON_IS_DOCK (child) && !is_fixed (child))
        sum += measure_child (child, width, FALSE);
    }
  return sum;
}

static int
measure_dock (GtkWidget *widget, int width, int height, int left)
{
  FOREACH_SHOWN (child, widget)
    {
      if (BECKON_IS_DOCK (child))
        {
          int wanted = measure_child (child, width, TRUE);

          return MAX (measure_child (child, width, FALSE),
                      MIN (wanted, cap (BECKON_DOCK (child), width, height, left, wanted)));
        }
    }
  return 0;
}

static void
beckon_dock_layout_allocate (GtkLayoutManager *manager, GtkWidget *widget, int width, int height, int baseline)
{
  int rest = measure_rest (widget, width);
  gboolean has_room = measure_fixed (widget, width, TRUE) + measure_dock (widget, width, 0, 0) + rest <= height;
  int fixed = measure_fixed (widget, width, has_room);
  int dock = measure_dock (widget, width, height, height - fixed - rest);
  GtkAllocation at = { 0, 0, width, 0 };

  FOREACH_SHOWN (child, widget)
    {
      if (BECKON_IS_DOCK (child))
        at.height = dock;
      else if (is_fixed (child))
        at.height = measure_child (child, width, has_room);
      else
        at.height = MAX (rest, height - fixed - dock);
      gtk_widget_size_allocate (child, &at, -1);
      at.y += at.height;
    }
}

static GtkSizeRequestMode
beckon_dock_layout_get_request_mode (GtkLayoutManager *manager, GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
beckon_dock_layout_class_init (BeckonDockLayoutClass *klass)
{
  GtkLayoutManagerClass *layout_class = GTK_LAYOUT_MANAGER_CLASS (klass);

  layout_class->measure = beckon_dock_layout_measure;
  layout_class->allocate = beckon_dock_layout_allocate;
  layout_class->get_request_mode = beckon_dock_layout_get_request_mode;
}

static void
beckon_dock_layout_init (BeckonDockLayout *self)
{
}
