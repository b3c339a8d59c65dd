/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-flow-layout.h"

#include "beckon-controls.h"
#include "beckon-key-label.h"

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

struct _BeckonFlowLayout
{
  GtkLayoutManager parent_instance;

  int spacing;
  gboolean is_tight;
};

enum
{
  PROP_SPACING = 1,
  PROP_IS_TIGHT,
};

G_DEFINE_FINAL_TYPE (BeckonFlowLayout, beckon_flow_layout, GTK_TYPE_LAYOUT_MANAGER)

/* The children from @first on that share a line. */
typedef struct
{
  GtkWidget *first; /* (nullable) */
  GtkWidget *end;   /* (nullable): the first one of the next line */
  int height;
} Line;

static GtkWidget *
skip_hidden (GtkWidget *child)
{
  while (child != NULL && !gtk_widget_should_layout (child))
    child = gtk_widget_get_next_sibling (child);
  return child;
}

static Line
fill_line (BeckonFlowLayout *self, GtkWidget *first, int width)
{
  Line line = { .first = first };
  int used = 0;

  for (line.end = first; line.end != NULL; line.end = skip_hidden (gtk_widget_get_next_sibling (line.end)))
    {
      int own = self->is_tight ? beckon_measure_least_width (line.end) : MIN (beckon_measure_natural_width (line.end), width);
      int natural;

      if (line.end != first && used + own > width)
        break;
      used += own + self->spacing;
      gtk_widget_measure (line.end, GTK_ORIENTATION_VERTICAL, own, NULL, &natural, NULL, NULL);
      line.height = MAX (line.height, natural);
    }
  return line;
}

static void
beckon_flow_layout_measure (GtkLayoutManager *manager, GtkWidget *widget, GtkOrientation orientation, int for_size,
                            int *minimum, int *natural, int *minimum_baseline, int *natural_baseline)
{
  BeckonFlowLayout *self = BECKON_FLOW_LAYOUT (manager);
  Line line = { .end = skip_hidden (gtk_widget_get_first_child (widget)) };
  int least = 0, wanted = 0, height = 0;

  for (GtkWidget *child = line.end; child != NULL; child = skip_hidden (gtk_widget_get_next_sibling (child)))
    {
      int own_least, own_wanted;

      gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, &own_least, &own_wanted, NULL, NULL);
      least = MAX (least, own_least);
      wanted += own_wanted + (wanted > 0 ? self->spacing : 0);
    }
  *minimum = least;
  *natural = wanted;
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    return;
  while (line.end != NULL)
    {
      line = fill_line (self, line.end, for_size >= 0 ? MAX (for_size, least) : wanted);
      height += line.height + (line.end != NULL ? self->spacing : 0);
    }
  *minimum = *natural = height;
}

static void
beckon_flow_layout_allocate (GtkLayoutManager *manager, GtkWidget *widget, int width, int height, int baseline)
{
  BeckonFlowLayout *self = BECKON_FLOW_LAYOUT (manager);
  Line line = { .end = skip_hidden (gtk_widget_get_first_child (widget)) };
  int top = 0;

  while (line.end != NULL)
    {
      g_autoptr (GArray) sizes = g_array_new (FALSE, FALSE, sizeof (GtkRequestedSize));
      const gboolean is_rtl = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;
      int x = 0, left = width + self->spacing;
      guint i = 0;

      line = fill_line (self, line.end, width);
      for (GtkWidget *child = line.first; child != line.end; child = skip_hidden (gtk_widget_get_next_sibling (child)))
        {
          int natural = MIN (beckon_measure_natural_width (child), width);
          int least = self->is_tight ? MIN (beckon_measure_least_width (child), natural) : natural;
          GtkRequestedSize size = { .minimum_size = least, .natural_size = natural };

          g_array_append_val (sizes, size);
          left -= least + self->spacing;
        }
      gtk_distribute_natural_allocation (MAX (left, 0), sizes->len, (GtkRequestedSize *) (void *) sizes->data);

      for (GtkWidget *child = line.first; child != line.end; child = skip_hidden (gtk_widget_get_next_sibling (child)))
        {
          int own = g_array_index (sizes, GtkRequestedSize, i++).minimum_size;

          gtk_widget_size_allocate (child, &(GtkAllocation){ is_rtl ? width - x - own : x, top, own, line.height }, -1);
          x += own + self->spacing;
        }
      top += line.height + self->spacing;
    }
}

static GtkSizeRequestMode
beckon_flow_layout_get_request_mode (GtkLayoutManager *manager, GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
beckon_flow_layout_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  if (id == PROP_SPACING)
    BECKON_FLOW_LAYOUT (object)->spacing = g_value_get_int (value);
  else if (id == PROP_IS_TIGHT)
    BECKON_FLOW_LAYOUT (object)->is_tight = g_value_get_boolean (value);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
beckon_flow_layout_class_init (BeckonFlowLayoutClass *klass)
{
  GtkLayoutManagerClass *layout_class = GTK_LAYOUT_MANAGER_CLASS (klass);

  G_OBJECT_CLASS (klass)->set_property = beckon_flow_layout_set_property;
  g_object_class_install_property (
      G_OBJECT_CLASS (klass), PROP_SPACING,
      g_param_spec_int ("spacing", NULL, NULL, 0, G_MAXINT16, 0, G_PARAM_WRITABLE | G_PARAM_STATIC_STRINGS));
  g_object_class_install_property (
      G_OBJECT_CLASS (klass), PROP_IS_TIGHT,
      g_param_spec_boolean ("is-tight", NULL, NULL, FALSE, G_PARAM_WRITABLE | G_PARAM_STATIC_STRINGS));
  layout_class->measure = beckon_flow_layout_measure;
  layout_class->allocate = beckon_flow_layout_allocate;
  layout_class->get_request_mode = beckon_flow_layout_get_request_mode;
}

static void
beckon_flow_layout_init (BeckonFlowLayout *self)
{
}

int
beckon_flow_layout_measure_line (GtkWidget *widget)
{
  GtkLayoutManager *manager = gtk_widget_get_layout_manager (widget);
  int width = 0;

  for (GtkWidget *child = skip_hidden (gtk_widget_get_first_child (widget)); child != NULL;
       child = skip_hidden (gtk_widget_get_next_sibling (child)))
    width += beckon_measure_least_width (child) + (width > 0 ? BECKON_FLOW_LAYOUT (manager)->spacing : 0);
  return width;
}

void
beckon_flow_layout_wrap_buttons (GtkWidget *root)
{
  GtkWidget *label = GTK_IS_BUTTON (root) ? gtk_button_get_child (GTK_BUTTON (root)) : NULL;

  if (label != NULL && BECKON_IS_KEY_LABEL (label))
    {
      beckon_key_label_wrap (BECKON_KEY_LABEL (label));
      return;
    }
  if (label != NULL && GTK_IS_LABEL (label))
    {
      gtk_label_set_wrap (GTK_LABEL (label), TRUE);
      gtk_label_set_natural_wrap_mode (GTK_LABEL (label), GTK_NATURAL_WRAP_NONE);
      gtk_label_set_justify (GTK_LABEL (label), GTK_JUSTIFY_CENTER);
      return;
    }
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL; child = gtk_widget_get_next_sibling (child))
    beckon_flow_layout_wrap_buttons (child);
}
