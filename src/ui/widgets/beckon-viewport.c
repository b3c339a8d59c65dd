/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-viewport.h"

/* Shares of a page per step, as in GtkViewport. */
#define STEP 0.1
#define LEAP 0.9

struct _BeckonViewport
{
  GtkWidget parent_instance;

  GtkWidget *child;              /* (nullable) */
  GtkAdjustment *adjustments[2]; /* (owned) (nullable): by orientation */
  GtkScrollablePolicy policies[2];
  gboolean is_allocating;
  GtkRoot *root; /* (nullable): while its focus is followed */

  BeckonViewportChoose choose; /* (nullable) */
  gpointer choose_data;
};

G_DEFINE_FINAL_TYPE_WITH_CODE (BeckonViewport, beckon_viewport, GTK_TYPE_WIDGET,
                               G_IMPLEMENT_INTERFACE (GTK_TYPE_SCROLLABLE, NULL))

typedef enum
{
  PROP_CHILD = 1,
  PROP_HADJUSTMENT,
  PROP_VADJUSTMENT,
  PROP_HSCROLL_POLICY,
  PROP_VSCROLL_POLICY,
} BeckonViewportProperty;

void
beckon_viewport_set_choose (BeckonViewport *self, BeckonViewportChoose choose, gpointer user_data)
{
  g_return_if_fail (BECKON_IS_VIEWPORT (self));

  self->choose = choose;
  self->choose_data = user_data;
}

static void
on_value_changed (BeckonViewport *self)
{
  if (!self->is_allocating)
    gtk_widget_queue_allocate (GTK_WIDGET (self));
}

static void
set_adjustment (BeckonViewport *self, GtkOrientation orientation, GtkAdjustment *adjustment)
{
  GtkAdjustment **place = &self->adjustments[orientation];

  if (*place != NULL)
    g_signal_handlers_disconnect_by_data (*place, self);
  if (!g_set_object (place, adjustment) || adjustment == NULL)
    return;
  g_signal_connect_swapped (adjustment, "value-changed", G_CALLBACK (on_value_changed), self);
  gtk_widget_queue_allocate (GTK_WIDGET (self));
}

static void
set_child (BeckonViewport *self, GtkWidget *child)
{
  g_clear_pointer (&self->child, gtk_widget_unparent);
  self->child = child;
  if (child != NULL)
    gtk_widget_set_parent (child, GTK_WIDGET (self));
}

/* Layout */

static GtkSizeRequestMode
beckon_viewport_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
beckon_viewport_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                         int *minimum_baseline, int *natural_baseline)
{
  *minimum = *natural = 0;
  if (BECKON_VIEWPORT (widget)->child != NULL)
    gtk_widget_measure (BECKON_VIEWPORT (widget)->child, orientation, for_size, minimum, natural, NULL, NULL);
}

static int
measure_child (BeckonViewport *self, GtkOrientation orientation, int for_size, int room)
{
  int minimum = 0, natural = 0;

  if (self->child != NULL)
    gtk_widget_measure (self->child, orientation, for_size, &minimum, &natural, NULL, NULL);
  return MAX (room, self->policies[orientation] == GTK_SCROLL_MINIMUM ? minimum : natural);
}

static double
configure (BeckonViewport *self, GtkOrientation orientation, double value, int upper, int page)
{
  GtkAdjustment *adjustment = self->adjustments[orientation];

  if (adjustment == NULL)
    return 0;
  gtk_adjustment_configure (adjustment, CLAMP (value, 0, upper - page), 0, upper, page * STEP, page * LEAP, page);
  return gtk_adjustment_get_value (adjustment);
}

static double
get_value (BeckonViewport *self, GtkOrientation orientation)
{
  return self->adjustments[orientation] != NULL ? gtk_adjustment_get_value (self->adjustments[orientation]) : 0;
}

static void
beckon_viewport_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  BeckonViewport *self = BECKON_VIEWPORT (widget);
  GtkAllocation place = { 0, 0, 0, 0 };
  double value;

  self->is_allocating = TRUE;
  place.width = measure_child (self, GTK_ORIENTATION_HORIZONTAL, -1, width);
  place.height = measure_child (self, GTK_ORIENTATION_VERTICAL, place.width, height);
  value = self->choose != NULL ? self->choose (self->choose_data, place.height, height)
                               : get_value (self, GTK_ORIENTATION_VERTICAL);
  place.x = -(int) configure (self, GTK_ORIENTATION_HORIZONTAL, get_value (self, GTK_ORIENTATION_HORIZONTAL), place.width,
                              width);
  place.y = -(int) configure (self, GTK_ORIENTATION_VERTICAL, value, place.height, height);
  if (self->child != NULL)
    gtk_widget_size_allocate (self->child, &place, -1);
  self->is_allocating = FALSE;
}

/* Keeps the focus in view. */

static void
reveal (GtkAdjustment *adjustment, double from, double size)
{
  double value = gtk_adjustment_get_value (adjustment), page = gtk_adjustment_get_page_size (adjustment);

  if (from < value)
    gtk_adjustment_set_value (adjustment, from);
  else if (from + size > value + page)
    gtk_adjustment_set_value (adjustment, from + size - page);
}

static void
on_focus_changed (BeckonViewport *self)
{
  GtkWidget *focus = gtk_root_get_focus (self->root);
  graphene_rect_t bounds;

  if (focus == NULL || self->child == NULL || !gtk_widget_is_ancestor (focus, GTK_WIDGET (self)))
    return;
  /* Entries have more around their text. */
  if (GTK_IS_TEXT (focus))
    focus = gtk_widget_get_parent (focus);
  if (self->adjustments[GTK_ORIENTATION_VERTICAL] != NULL && gtk_widget_compute_bounds (focus, self->child, &bounds))
    reveal (self->adjustments[GTK_ORIENTATION_VERTICAL], bounds.origin.y, bounds.size.height);
}

static void
beckon_viewport_root (GtkWidget *widget)
{
  BeckonViewport *self = BECKON_VIEWPORT (widget);

  GTK_WIDGET_CLASS (beckon_viewport_parent_class)->root (widget);
  self->root = gtk_widget_get_root (widget);
  g_signal_connect_swapped (self->root, "notify::focus-widget", G_CALLBACK (on_focus_changed), self);
}

static void
beckon_viewport_unroot (GtkWidget *widget)
{
  BeckonViewport *self = BECKON_VIEWPORT (widget);

  g_signal_handlers_disconnect_by_data (self->root, self);
  self->root = NULL;
  GTK_WIDGET_CLASS (beckon_viewport_parent_class)->unroot (widget);
}

static void
beckon_viewport_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  BeckonViewport *self = BECKON_VIEWPORT (object);

  switch ((BeckonViewportProperty) id)
    {
    case PROP_CHILD:
      g_value_set_object (value, self->child);
      break;

    case PROP_HADJUSTMENT:
      g_value_set_object (value, self->adjustments[GTK_ORIENTATION_HORIZONTAL]);
      break;

    case PROP_VADJUSTMENT:
      g_value_set_object (value, self->adjustments[GTK_ORIENTATION_VERTICAL]);
      break;

    case PROP_HSCROLL_POLICY:
      g_value_set_enum (value, (int) self->policies[GTK_ORIENTATION_HORIZONTAL]);
      break;

    case PROP_VSCROLL_POLICY:
      g_value_set_enum (value, (int) self->policies[GTK_ORIENTATION_VERTICAL]);
      break;

    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
beckon_viewport_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  BeckonViewport *self = BECKON_VIEWPORT (object);

  switch ((BeckonViewportProperty) id)
    {
    case PROP_CHILD:
      set_child (self, g_value_get_object (value));
      break;

    case PROP_HADJUSTMENT:
      set_adjustment (self, GTK_ORIENTATION_HORIZONTAL, g_value_get_object (value));
      break;

    case PROP_VADJUSTMENT:
      set_adjustment (self, GTK_ORIENTATION_VERTICAL, g_value_get_object (value));
      break;

    case PROP_HSCROLL_POLICY:
      self->policies[GTK_ORIENTATION_HORIZONTAL] = (GtkScrollablePolicy) g_value_get_enum (value);
      gtk_widget_queue_resize (GTK_WIDGET (self));
      break;

    case PROP_VSCROLL_POLICY:
      self->policies[GTK_ORIENTATION_VERTICAL] = (GtkScrollablePolicy) g_value_get_enum (value);
      gtk_widget_queue_resize (GTK_WIDGET (self));
      break;

    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
beckon_viewport_dispose (GObject *object)
{
  BeckonViewport *self = BECKON_VIEWPORT (object);

  set_adjustment (self, GTK_ORIENTATION_HORIZONTAL, NULL);
  set_adjustment (self, GTK_ORIENTATION_VERTICAL, NULL);
  set_child (self, NULL);
  self->choose = NULL;
  G_OBJECT_CLASS (beckon_viewport_parent_class)->dispose (object);
}

static void
beckon_viewport_class_init (BeckonViewportClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = beckon_viewport_dispose;
  object_class->get_property = beckon_viewport_get_property;
  object_class->set_property = beckon_viewport_set_property;
  widget_class->get_request_mode = beckon_viewport_get_request_mode;
  widget_class->measure = beckon_viewport_measure;
  widget_class->size_allocate = beckon_viewport_size_allocate;
  widget_class->root = beckon_viewport_root;
  widget_class->unroot = beckon_viewport_unroot;
  g_object_class_install_property (object_class, PROP_CHILD,
                                   g_param_spec_object ("child", NULL, NULL, GTK_TYPE_WIDGET,
                                                        G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS));
  g_object_class_override_property (object_class, PROP_HADJUSTMENT, "hadjustment");
  g_object_class_override_property (object_class, PROP_VADJUSTMENT, "vadjustment");
  g_object_class_override_property (object_class, PROP_HSCROLL_POLICY, "hscroll-policy");
  g_object_class_override_property (object_class, PROP_VSCROLL_POLICY, "vscroll-policy");
  gtk_widget_class_set_css_name (widget_class, "viewport");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
beckon_viewport_init (BeckonViewport *self)
{
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
}
