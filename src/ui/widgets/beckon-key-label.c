/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-key-label.h"

#include "beckon-controls.h"

#define GAP 8

struct _BeckonKeyLabel
{
  GtkWidget parent_instance;

  GtkLabel *label;
  GtkLabel *key;
};

G_DEFINE_FINAL_TYPE (BeckonKeyLabel, beckon_key_label, GTK_TYPE_WIDGET)

enum
{
  PROP_LABEL = 1,
  PROP_KEY,
};

static gboolean
key_label_has_key (BeckonKeyLabel *self)
{
  return *gtk_label_get_text (self->key) != '\0';
}

static void
beckon_key_label_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                          int *minimum_baseline, int *natural_baseline)
{
  BeckonKeyLabel *self = BECKON_KEY_LABEL (widget);
  /* The label gets what it wants, or all there is. */
  gboolean is_width = orientation == GTK_ORIENTATION_HORIZONTAL;
  int own = for_size >= 0 && !is_width ? MIN (beckon_measure_natural_width (GTK_WIDGET (self->label)), for_size) : -1;
  int other;

  gtk_widget_measure (GTK_WIDGET (self->label), orientation, own, minimum, natural, minimum_baseline, natural_baseline);
  if (!key_label_has_key (self))
    return;
  gtk_widget_measure (GTK_WIDGET (self->key), orientation, -1, NULL, &other, NULL, NULL);
  *natural = is_width ? *natural + GAP + other : MAX (*natural, other);
}

static void
beckon_key_label_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  BeckonKeyLabel *self = BECKON_KEY_LABEL (widget);
  gboolean rtl = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;
  int own = beckon_measure_natural_width (GTK_WIDGET (self->label));
  int rest = key_label_has_key (self) ? beckon_measure_natural_width (GTK_WIDGET (self->key)) + GAP : 0;
  gboolean shows_key = rest > 0 && own + rest <= width;
  int used = MIN (shows_key ? own + rest : own, width);
  int start = (width - used) / 2;

  gtk_widget_set_child_visible (GTK_WIDGET (self->key), shows_key);
  own = MIN (own, width);
  gtk_widget_size_allocate (GTK_WIDGET (self->label),
                            &(GtkAllocation){ rtl ? start + used - own : start, 0, own, height }, baseline);
  if (shows_key)
    gtk_widget_size_allocate (GTK_WIDGET (self->key),
                              &(GtkAllocation){ rtl ? start : start + own + GAP, 0, rest - GAP, height }, baseline);
}

void
beckon_key_label_wrap (BeckonKeyLabel *self)
{
  gtk_label_set_wrap (self->label, TRUE);
  gtk_label_set_natural_wrap_mode (self->label, GTK_NATURAL_WRAP_NONE);
  gtk_label_set_justify (self->label, GTK_JUSTIFY_CENTER);
}

void
beckon_key_label_set_label (BeckonKeyLabel *self, const char *label)
{
  gtk_label_set_text (self->label, label != NULL ? label : "");
}

void
beckon_key_label_set_key (BeckonKeyLabel *self, const char *key)
{
  gtk_label_set_text (self->key, key != NULL ? key : "");
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

static void
beckon_key_label_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  if (id == PROP_LABEL)
    beckon_key_label_set_label (BECKON_KEY_LABEL (object), g_value_get_string (value));
  else if (id == PROP_KEY)
    beckon_key_label_set_key (BECKON_KEY_LABEL (object), g_value_get_string (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
beckon_key_label_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  BeckonKeyLabel *self = BECKON_KEY_LABEL (object);

  if (id == PROP_LABEL)
    g_value_set_string (value, gtk_label_get_text (self->label));
  else if (id == PROP_KEY)
    g_value_set_string (value, gtk_label_get_text (self->key));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
beckon_key_label_dispose (GObject *object)
{
  BeckonKeyLabel *self = BECKON_KEY_LABEL (object);

  g_clear_pointer ((GtkWidget **) &self->label, gtk_widget_unparent);
  g_clear_pointer ((GtkWidget **) &self->key, gtk_widget_unparent);
  G_OBJECT_CLASS (beckon_key_label_parent_class)->dispose (object);
}

static void
beckon_key_label_class_init (BeckonKeyLabelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = beckon_key_label_dispose;
  object_class->set_property = beckon_key_label_set_property;
  object_class->get_property = beckon_key_label_get_property;
  widget_class->measure = beckon_key_label_measure;
  widget_class->size_allocate = beckon_key_label_size_allocate;
  widget_class->get_request_mode = beckon_height_for_width;
  g_object_class_install_property (object_class, PROP_LABEL,
                                   g_param_spec_string ("label", NULL, NULL, "", G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS));
  g_object_class_install_property (object_class, PROP_KEY,
                                   g_param_spec_string ("key", NULL, NULL, "", G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS));
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
beckon_key_label_init (BeckonKeyLabel *self)
{
  self->label = GTK_LABEL (gtk_label_new (NULL));
  self->key = GTK_LABEL (gtk_label_new (NULL));
  gtk_widget_add_css_class (GTK_WIDGET (self->key), "key-hint");
  gtk_widget_set_can_focus (GTK_WIDGET (self), FALSE);
  gtk_widget_set_parent (GTK_WIDGET (self->label), GTK_WIDGET (self));
  gtk_widget_set_parent (GTK_WIDGET (self->key), GTK_WIDGET (self));
}
