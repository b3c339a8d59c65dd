/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-wrap-pair.h"

#include "beckon-controls.h"
#include "beckon-flow-layout.h"

#define GAP 12
#define GAP_BELOW 2
#define GAP_BELOW_PART 6
#define GAP_BELOW_BUTTONS 8

/* With less width than this, or than it wants, the first child would rather have the line for itself. */
#define ROOM 260

/* With less width than this, two parts of it would be too narrow to read in. */
#define ROOM_FOR_PARTS 480

struct _BeckonWrapPair
{
  GtkWidget parent_instance;

  int share; /* percent of the line; 0: what it needs */
  gboolean has_buttons;
  gboolean is_tight;
  gboolean is_corner;
  int letters; /* 0: ROOM */
};

G_DEFINE_FINAL_TYPE (BeckonWrapPair, beckon_wrap_pair, GTK_TYPE_WIDGET)

enum
{
  PROP_SHARE = 1,
  PROP_HAS_BUTTONS,
  PROP_IS_TIGHT,
  PROP_IS_CORNER,
  PROP_LETTERS,
};

/* Alone, the second has the place of the first. */
static GtkWidget *
get_main (GtkWidget *widget)
{
  GtkWidget *first = gtk_widget_get_first_child (widget);

  return gtk_widget_should_layout (first) ? first : gtk_widget_get_last_child (widget);
}

/* NULL while there is nothing to show beside the first child. */
static GtkWidget *
get_beside (GtkWidget *widget)
{
  GtkWidget *beside = gtk_widget_get_last_child (widget);

  return beside != get_main (widget) && gtk_widget_should_layout (beside) ? beside : NULL;
}

/* At least, too, without more lines than one. */
static int
get_line_width (GtkWidget *child)
{
  return BECKON_IS_FLOW_LAYOUT (gtk_widget_get_layout_manager (child)) ? beckon_flow_layout_measure_line (child)
                                                                       : beckon_measure_least_width (child);
}

static int
get_height (GtkWidget *child, int width)
{
  int natural;

  gtk_widget_measure (child, GTK_ORIENTATION_VERTICAL, MAX (width, beckon_measure_least_width (child)), NULL, &natural, NULL,
                      NULL);
  return natural;
}

/* The second child's width in a shared line. */
static int
get_own_width (GtkWidget *widget, int width)
{
  if (BECKON_WRAP_PAIR (widget)->share > 0)
    return (width - GAP) * BECKON_WRAP_PAIR (widget)->share / 100;
  if (BECKON_WRAP_PAIR (widget)->is_tight)
    return MAX (beckon_measure_least_width (get_beside (widget)),
                MIN (width - GAP - beckon_measure_natural_width (get_main (widget)),
                     beckon_measure_natural_width (get_beside (widget))));
  return beckon_measure_natural_width (get_beside (widget));
}

/* Grows with the text where it is told in letters. */
static int
wrap_pair_get_room (GtkWidget *widget)
{
  PangoFontMetrics *metrics;
  int letter;

  if (BECKON_WRAP_PAIR (widget)->letters == 0)
    return ROOM;

  metrics = pango_context_get_metrics (gtk_widget_get_pango_context (widget), NULL, NULL);
  letter = pango_font_metrics_get_approximate_char_width (metrics);
  pango_font_metrics_unref (metrics);
  return MAX (PANGO_PIXELS_CEIL (letter * BECKON_WRAP_PAIR (widget)->letters), beckon_measure_least_width (get_main (widget)));
}

/* The width of the first child when both share the line; 0 when they do not. */
static int
get_shared_width (GtkWidget *widget, int width)
{
  int left = width - GAP - get_own_width (widget, width);

  if (BECKON_WRAP_PAIR (widget)->share > 0)
    return width >= ROOM_FOR_PARTS ? left : 0;
  if (BECKON_WRAP_PAIR (widget)->is_tight)
    return left >= get_line_width (get_main (widget)) ? left : 0;
  return left >= MIN (beckon_measure_natural_width (get_main (widget)), wrap_pair_get_room (widget)) ? left : 0;
}

static int
get_gap_below (GtkWidget *widget)
{
  if (BECKON_WRAP_PAIR (widget)->has_buttons)
    return GAP_BELOW_BUTTONS;
  return BECKON_WRAP_PAIR (widget)->share > 0 ? GAP_BELOW_PART : GAP_BELOW;
}

static void
wrap_pair_measure_width (GtkWidget *widget, int *least, int *natural)
{
  GtkWidget *beside = get_beside (widget);
  int other_least, other_natural;

  gtk_widget_measure (get_main (widget), GTK_ORIENTATION_HORIZONTAL, -1, least, natural, NULL, NULL);
  if (beside == NULL)
    return;

  gtk_widget_measure (beside, GTK_ORIENTATION_HORIZONTAL, -1, &other_least, &other_natural, NULL, NULL);
  *least = MAX (*least, other_least);
  *natural += GAP + other_natural;
  /* With less there would be a width below which it gets lower: newer GTK looks for that, and warns of what it finds. */
  if (BECKON_WRAP_PAIR (widget)->share > 0)
    *natural = MAX (*natural, ROOM_FOR_PARTS);
}

static int
wrap_pair_measure_height (GtkWidget *widget, int width)
{
  GtkWidget *beside = get_beside (widget);
  int shared;

  if (beside == NULL)
    return get_height (get_main (widget), width);
  shared = get_shared_width (widget, width);
  if (shared > 0)
    return MAX (get_height (get_main (widget), shared), get_height (beside, get_own_width (widget, width)));
  return get_height (get_main (widget), width) + get_gap_below (widget) + get_height (beside, width);
}

static void
beckon_wrap_pair_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *least, int *natural,
                          int *least_baseline, int *natural_baseline)
{
  *least_baseline = *natural_baseline = -1;
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      wrap_pair_measure_width (widget, least, natural);
      return;
    }
  *least = *natural = wrap_pair_measure_height (widget, for_size >= 0 ? for_size : beckon_measure_natural_width (widget));
  /* The least for any width. */
  if (for_size < 0)
    *least = MIN (*least, wrap_pair_measure_height (widget, MAX (beckon_measure_natural_width (widget), ROOM_FOR_PARTS)));
}

static void
place (GtkWidget *child, int x, int y, int width, int height)
{
  gtk_widget_size_allocate (child, &(GtkAllocation){ x, y, width, height }, -1);
}

/* A corner stays at the top, above the first child. */
static void
place_below_corner (GtkWidget *widget, GtkWidget *first, GtkWidget *corner, int width, int height)
{
  gboolean rtl = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;
  int own = MIN (beckon_measure_natural_width (corner), width);
  int top = get_height (corner, own) + GAP_BELOW;

  place (corner, rtl ? 0 : width - own, 0, own, top - GAP_BELOW);
  place (first, 0, top, width, MAX (height - top, 1));
}

static void
beckon_wrap_pair_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  GtkWidget *first = get_main (widget);
  GtkWidget *beside = get_beside (widget);
  gboolean rtl = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;
  int shared = beside != NULL ? get_shared_width (widget, width) : 0;
  int top, own;

  if (beside == NULL)
    {
      place (first, 0, 0, width, height);
      return;
    }
  if (shared > 0)
    {
      own = width - GAP - shared;
      place (first, rtl ? own + GAP : 0, 0, shared, height);
      place (beside, rtl ? 0 : shared + GAP, 0, own, height);
      return;
    }
  if (BECKON_WRAP_PAIR (widget)->is_corner)
    {
      place_below_corner (widget, first, beside, width, height);
      return;
    }
  top = get_height (first, width);
  own = BECKON_WRAP_PAIR (widget)->share > 0 ? width : MIN (beckon_measure_natural_width (beside), width);
  top += get_gap_below (widget);
  place (first, 0, 0, width, top - get_gap_below (widget));
  place (beside, rtl ? width - own : 0, top, own, MAX (height - top, 1));
}

static void
beckon_wrap_pair_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  if (id == PROP_SHARE)
    BECKON_WRAP_PAIR (object)->share = g_value_get_int (value);
  else if (id == PROP_HAS_BUTTONS)
    BECKON_WRAP_PAIR (object)->has_buttons = g_value_get_boolean (value);
  else if (id == PROP_IS_TIGHT)
    BECKON_WRAP_PAIR (object)->is_tight = g_value_get_boolean (value);
  else if (id == PROP_IS_CORNER)
    BECKON_WRAP_PAIR (object)->is_corner = g_value_get_boolean (value);
  else if (id == PROP_LETTERS)
    BECKON_WRAP_PAIR (object)->letters = g_value_get_int (value);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
beckon_wrap_pair_dispose (GObject *object)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (object))) != NULL)
    gtk_widget_unparent (child);
  G_OBJECT_CLASS (beckon_wrap_pair_parent_class)->dispose (object);
}

static void
beckon_wrap_pair_class_init (BeckonWrapPairClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = beckon_wrap_pair_dispose;
  G_OBJECT_CLASS (klass)->set_property = beckon_wrap_pair_set_property;
  widget_class->measure = beckon_wrap_pair_measure;
  widget_class->size_allocate = beckon_wrap_pair_size_allocate;
  widget_class->get_request_mode = beckon_height_for_width;
  g_object_class_install_property (G_OBJECT_CLASS (klass), PROP_SHARE,
                                   g_param_spec_int ("share", NULL, NULL, 0, 90, 0,
                                                     G_PARAM_WRITABLE | G_PARAM_CONSTRUCT_ONLY |
                                                     G_PARAM_STATIC_STRINGS));
  g_object_class_install_property (G_OBJECT_CLASS (klass), PROP_HAS_BUTTONS,
                                   g_param_spec_boolean ("has-buttons", NULL, NULL, FALSE,
                                                         G_PARAM_WRITABLE | G_PARAM_CONSTRUCT_ONLY |
                                                         G_PARAM_STATIC_STRINGS));
  g_object_class_install_property (G_OBJECT_CLASS (klass), PROP_IS_TIGHT,
                                   g_param_spec_boolean ("is-tight", NULL, NULL, FALSE,
                                                         G_PARAM_WRITABLE | G_PARAM_CONSTRUCT_ONLY |
                                                         G_PARAM_STATIC_STRINGS));
  g_object_class_install_property (G_OBJECT_CLASS (klass), PROP_IS_CORNER,
                                   g_param_spec_boolean ("is-corner", NULL, NULL, FALSE,
                                                         G_PARAM_WRITABLE | G_PARAM_CONSTRUCT_ONLY |
                                                         G_PARAM_STATIC_STRINGS));
  g_object_class_install_property (G_OBJECT_CLASS (klass), PROP_LETTERS,
                                   g_param_spec_int ("letters", NULL, NULL, 0, 80, 0,
                                                     G_PARAM_WRITABLE | G_PARAM_CONSTRUCT_ONLY |
                                                     G_PARAM_STATIC_STRINGS));
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
beckon_wrap_pair_init (BeckonWrapPair *self)
{
}
