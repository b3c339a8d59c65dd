/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-max-height-box.h"

#include "beckon-controls.h"
#include "beckon-scrolled.h"

struct _BeckonMaxHeightBox
{
  GtkWidget parent_instance;

  int max_height;
  int min_height; /* -1: as high as it would like to be */
  GtkScrolledWindow *scroller;
  GtkWidget *child; /* (nullable): in the scroller's viewport */
};

G_DEFINE_FINAL_TYPE (BeckonMaxHeightBox, beckon_max_height_box, GTK_TYPE_WIDGET)

typedef enum
{
  PROP_CHILD = 1,
  PROP_MAX_HEIGHT,
  PROP_MIN_HEIGHT,
} BeckonMaxHeightBoxProperty;

static GParamSpec *properties[PROP_MIN_HEIGHT + 1];

void
beckon_max_height_box_set_child (BeckonMaxHeightBox *self, GtkWidget *child)
{
  self->child = child;
  gtk_scrolled_window_set_child (self->scroller, child);
}

GtkAdjustment *
beckon_max_height_box_get_adjustment (BeckonMaxHeightBox *self)
{
  return gtk_scrolled_window_get_vadjustment (self->scroller);
}

/* A scrolled window has a least height of its own, in which its bar has room, and would reach over what is below. */
static int
get_least_height (BeckonMaxHeightBox *self, int for_width)
{
  int least;

  gtk_widget_measure (GTK_WIDGET (self->scroller), GTK_ORIENTATION_VERTICAL, for_width, &least, NULL, NULL, NULL);
  return MAX (self->min_height, least);
}

static void
beckon_max_height_box_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *least, int *natural,
                               int *least_baseline, int *natural_baseline)
{
  BeckonMaxHeightBox *self = BECKON_MAX_HEIGHT_BOX (widget);

  *least = *natural = 0;
  *least_baseline = *natural_baseline = -1;
  if (self->child == NULL)
    return;

  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      gtk_widget_measure (self->child, orientation, -1, least, natural, NULL, NULL);
      return;
    }
  gtk_widget_measure (self->child, orientation, for_size, NULL, natural, NULL, NULL);
  *natural = MIN (*natural, self->max_height);
  *least = self->min_height < 0 ? *natural : MIN (*natural, get_least_height (self, for_size));
  /* A block of code says how high it is once it has a width: no width may need more than none does. */
  if (for_size < 0 && self->min_height >= 0)
    {
      *least = MIN (get_least_height (self, -1), self->max_height);
      *natural = MAX (*natural, *least);
    }
}

static void
beckon_max_height_box_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  BeckonMaxHeightBox *self = BECKON_MAX_HEIGHT_BOX (widget);
  int least;

  /* A scrolled window wants to be measured before it is given a place. */
  gtk_widget_measure (GTK_WIDGET (self->scroller), GTK_ORIENTATION_VERTICAL, width, &least, NULL, NULL, NULL);
  gtk_widget_allocate (GTK_WIDGET (self->scroller), width, MAX (height, least), baseline, NULL);
}

/* A scrolled window that cannot take the focus says that it did, and keys would go no further. */
static gboolean
beckon_max_height_box_focus (GtkWidget *widget, GtkDirectionType direction)
{
  BeckonMaxHeightBox *self = BECKON_MAX_HEIGHT_BOX (widget);

  if (self->child == NULL)
    return FALSE;
  if (gtk_widget_get_focusable (GTK_WIDGET (self->scroller)))
    return gtk_widget_child_focus (GTK_WIDGET (self->scroller), direction);
  return gtk_widget_child_focus (self->child, direction);
}

/* Only what does not fit is a stop on the way of the keys. */
static void
on_adjusted (BeckonMaxHeightBox *self, GtkAdjustment *adjustment)
{
  gboolean overflows = gtk_adjustment_get_upper (adjustment) > gtk_adjustment_get_page_size (adjustment) + 1;

  gtk_widget_set_focusable (GTK_WIDGET (self->scroller), overflows);
  beckon_css_class_set (GTK_WIDGET (self), "overflowing", overflows);
}

static void
beckon_max_height_box_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  BeckonMaxHeightBox *self = BECKON_MAX_HEIGHT_BOX (object);

  switch ((BeckonMaxHeightBoxProperty) id)
    {
    case PROP_CHILD:
      g_value_set_object (value, self->child);
      break;

    case PROP_MAX_HEIGHT:
      g_value_set_int (value, self->max_height);
      break;

    case PROP_MIN_HEIGHT:
      g_value_set_int (value, self->min_height);
      break;

    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
beckon_max_height_box_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  BeckonMaxHeightBox *self = BECKON_MAX_HEIGHT_BOX (object);

  switch ((BeckonMaxHeightBoxProperty) id)
    {
    case PROP_CHILD:
      beckon_max_height_box_set_child (self, g_value_get_object (value));
      break;

    case PROP_MAX_HEIGHT:
      self->max_height = g_value_get_int (value);
      gtk_widget_queue_resize (GTK_WIDGET (self));
      break;

    case PROP_MIN_HEIGHT:
      self->min_height = g_value_get_int (value);
      gtk_widget_queue_resize (GTK_WIDGET (self));
      break;

    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
beckon_max_height_box_dispose (GObject *object)
{
  BeckonMaxHeightBox *self = BECKON_MAX_HEIGHT_BOX (object);

  self->child = NULL;
  if (self->scroller != NULL)
    g_signal_handlers_disconnect_by_data (gtk_scrolled_window_get_vadjustment (self->scroller), self);
  g_clear_pointer ((GtkWidget **) &self->scroller, gtk_widget_unparent);
  G_OBJECT_CLASS (beckon_max_height_box_parent_class)->dispose (object);
}

static void
beckon_max_height_box_class_init (BeckonMaxHeightBoxClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = beckon_max_height_box_dispose;
  object_class->get_property = beckon_max_height_box_get_property;
  object_class->set_property = beckon_max_height_box_set_property;
  widget_class->measure = beckon_max_height_box_measure;
  widget_class->size_allocate = beckon_max_height_box_size_allocate;
  widget_class->focus = beckon_max_height_box_focus;
  widget_class->get_request_mode = beckon_height_for_width;
  properties[PROP_CHILD] = g_param_spec_object ("child", NULL, NULL, GTK_TYPE_WIDGET,
                                                G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  properties[PROP_MAX_HEIGHT] = g_param_spec_int ("max-height", NULL, NULL, 0, G_MAXINT, 240,
                                                  G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  properties[PROP_MIN_HEIGHT] = g_param_spec_int ("min-height", NULL, NULL, -1, G_MAXINT, -1,
                                                  G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
beckon_max_height_box_init (BeckonMaxHeightBox *self)
{
  self->max_height = 240;
  self->min_height = -1;
  self->scroller = g_object_new (GTK_TYPE_SCROLLED_WINDOW, "hscrollbar-policy", GTK_POLICY_NEVER, "focusable", FALSE, NULL);
  gtk_widget_set_parent (GTK_WIDGET (self->scroller), GTK_WIDGET (self));
  beckon_scroll_past (GTK_WIDGET (self->scroller));
  g_signal_connect_swapped (gtk_scrolled_window_get_vadjustment (self->scroller), "changed", G_CALLBACK (on_adjusted),
                            self);
}
