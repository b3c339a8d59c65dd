/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-text-row.h"

#include "beckon-controls.h"
#include "beckon-scrolled.h"

struct _BeckonTextRow
{
  AdwPreferencesRow parent_instance;

  char *text; /* (owned) (nullable): what was read last */

  GtkLabel *subtitle_label;
  GtkTextView *view;
};

G_DEFINE_FINAL_TYPE (BeckonTextRow, beckon_text_row, ADW_TYPE_PREFERENCES_ROW)

typedef enum
{
  PROP_TEXT = 1,
  PROP_SUBTITLE,
  PROP_MONOSPACE,
} BeckonTextRowProperty;

static GParamSpec *properties[PROP_MONOSPACE + 1];

const char *
beckon_text_row_get_text (BeckonTextRow *self)
{
  GtkTextIter start, end;

  gtk_text_buffer_get_bounds (gtk_text_view_get_buffer (self->view), &start, &end);
  g_free (self->text);
  self->text = gtk_text_buffer_get_text (gtk_text_view_get_buffer (self->view), &start, &end, FALSE);
  return self->text;
}

/* The same text is left alone, with its cursor: a person may be typing it just now. */
void
beckon_text_row_set_text (BeckonTextRow *self, const char *text)
{
  if (text == NULL)
    text = "";
  if (g_strcmp0 (beckon_text_row_get_text (self), text) != 0)
    gtk_text_buffer_set_text (gtk_text_view_get_buffer (self->view), text, -1);
}

GtkWidget *
beckon_text_row_get_view (BeckonTextRow *self)
{
  return GTK_WIDGET (self->view);
}

static void
on_text_changed (BeckonTextRow *self)
{
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_TEXT]);
}

static void
set_subtitle (BeckonTextRow *self, const char *subtitle)
{
  beckon_label_say (self->subtitle_label, subtitle);
}

static void
beckon_text_row_get_property (GObject *object, guint property_id, GValue *value, GParamSpec *pspec)
{
  BeckonTextRow *self = BECKON_TEXT_ROW (object);

  switch ((BeckonTextRowProperty) property_id)
    {
    case PROP_TEXT:
      g_value_set_string (value, beckon_text_row_get_text (self));
      break;
    case PROP_SUBTITLE:
      g_value_set_string (value, gtk_label_get_text (self->subtitle_label));
      break;
    case PROP_MONOSPACE:
      g_value_set_boolean (value, gtk_text_view_get_monospace (self->view));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
beckon_text_row_set_property (GObject *object, guint property_id, const GValue *value, GParamSpec *pspec)
{
  BeckonTextRow *self = BECKON_TEXT_ROW (object);

  switch ((BeckonTextRowProperty) property_id)
    {
    case PROP_TEXT:
      beckon_text_row_set_text (self, g_value_get_string (value));
      break;
    case PROP_SUBTITLE:
      set_subtitle (self, g_value_get_string (value));
      break;
    case PROP_MONOSPACE:
      gtk_text_view_set_monospace (self->view, g_value_get_boolean (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
name_view (BeckonTextRow *self)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->view), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  adw_preferences_row_get_title (ADW_PREFERENCES_ROW (self)), -1);
}

static void
beckon_text_row_finalize (GObject *object)
{
  g_free (BECKON_TEXT_ROW (object)->text);
  G_OBJECT_CLASS (beckon_text_row_parent_class)->finalize (object);
}

static void
beckon_text_row_class_init (BeckonTextRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;

  object_class->get_property = beckon_text_row_get_property;
  object_class->set_property = beckon_text_row_set_property;
  object_class->finalize = beckon_text_row_finalize;
  properties[PROP_TEXT] = g_param_spec_string ("text", NULL, NULL, "", flags);
  properties[PROP_SUBTITLE] = g_param_spec_string ("subtitle", NULL, NULL, "", flags);
  properties[PROP_MONOSPACE] = g_param_spec_boolean ("monospace", NULL, NULL, FALSE, flags);
  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/text-row.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonTextRow, subtitle_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonTextRow, view);
}

static void
beckon_text_row_init (BeckonTextRow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  beckon_text_height_follow (self->view);
  beckon_scroll_past (GTK_WIDGET (self->view));
  g_signal_connect (self, "notify::title", G_CALLBACK (name_view), NULL);
  g_signal_connect_object (gtk_text_view_get_buffer (self->view), "changed", G_CALLBACK (on_text_changed), self,
                           G_CONNECT_SWAPPED);
}
