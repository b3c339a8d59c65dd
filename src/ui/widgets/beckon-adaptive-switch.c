/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-adaptive-switch.h"

#include "beckon-controls.h"

struct _BeckonAdaptiveSwitch
{
  GtkWidget parent_instance;

  GtkWidget *wide;
  GtkWidget *narrow;
  int width; /* from which on it is the wide one; 0: from where that fits */
};

G_DEFINE_FINAL_TYPE (BeckonAdaptiveSwitch, beckon_adaptive_switch, GTK_TYPE_WIDGET)

static GtkWidget *
adaptive_switch_choose (BeckonAdaptiveSwitch *self, int width)
{
  int least = self->width;

  if (least == 0)
    gtk_widget_measure (self->wide, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &least, NULL, NULL);
  return width >= least ? self->wide : self->narrow;
}

static void
beckon_adaptive_switch_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                                int *minimum_baseline, int *natural_baseline)
{
  BeckonAdaptiveSwitch *self = BECKON_ADAPTIVE_SWITCH (widget);
  int other, wide = 0;

  *minimum_baseline = *natural_baseline = -1;
  if (orientation == GTK_ORIENTATION_VERTICAL)
    {
      gtk_widget_measure (adaptive_switch_choose (self, for_size < 0 ? G_MAXINT : for_size), orientation, for_size, minimum,
                          natural, NULL, NULL);
      if (for_size >= 0)
        return;
      /* The least for any width. */
      gtk_widget_measure (self->narrow, orientation, -1, &other, NULL, NULL, NULL);
      *minimum = MIN (*minimum, other);
      return;
    }
  gtk_widget_measure (self->narrow, orientation, -1, minimum, natural, NULL, NULL);
  gtk_widget_measure (self->wide, orientation, -1, NULL, &wide, NULL, NULL);
  *natural = MAX (*natural, MAX (wide, self->width));
}

static void
beckon_adaptive_switch_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  BeckonAdaptiveSwitch *self = BECKON_ADAPTIVE_SWITCH (widget);
  GtkWidget *shown = adaptive_switch_choose (self, width);

  gtk_widget_set_child_visible (self->wide, shown == self->wide);
  gtk_widget_set_child_visible (self->narrow, shown == self->narrow);
  gtk_widget_size_allocate (shown, &(GtkAllocation){ 0, 0, width, height }, -1);
}

static void
beckon_adaptive_switch_dispose (GObject *object)
{
  BeckonAdaptiveSwitch *self = BECKON_ADAPTIVE_SWITCH (object);

  g_clear_pointer (&self->wide, gtk_widget_unparent);
  g_clear_pointer (&self->narrow, gtk_widget_unparent);
  G_OBJECT_CLASS (beckon_adaptive_switch_parent_class)->dispose (object);
}

static void
beckon_adaptive_switch_class_init (BeckonAdaptiveSwitchClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = beckon_adaptive_switch_dispose;
  widget_class->get_request_mode = beckon_height_for_width;
  widget_class->measure = beckon_adaptive_switch_measure;
  widget_class->size_allocate = beckon_adaptive_switch_size_allocate;
}

static void
beckon_adaptive_switch_init (BeckonAdaptiveSwitch *self)
{
}

GtkWidget *
beckon_adaptive_switch_new (GtkWidget *wide, GtkWidget *narrow, int width)
{
  BeckonAdaptiveSwitch *self = g_object_new (BECKON_TYPE_ADAPTIVE_SWITCH, NULL);

  self->wide = wide;
  self->narrow = narrow;
  self->width = width;
  gtk_widget_set_parent (wide, GTK_WIDGET (self));
  gtk_widget_set_parent (narrow, GTK_WIDGET (self));
  return GTK_WIDGET (self);
}
