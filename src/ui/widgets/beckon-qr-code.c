/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-qr-code.h"

#include "text/beckon-qr-pattern.h"

/* A camera tells modules of two apart, and finds those of six at once. */
#define LEAST_MODULE 2
#define NATURAL_MODULE 6

/* The side of a code that is not there, in modules: where one comes, nothing moves. */
#define USUAL_SIZE 29

struct _BeckonQrCode
{
  GtkWidget parent_instance;

  char *text;               /* (nullable) */
  BeckonQrPattern *pattern; /* (nullable) */
};

G_DEFINE_FINAL_TYPE (BeckonQrCode, beckon_qr_code, GTK_TYPE_WIDGET)

enum
{
  PROP_TEXT = 1,
  N_PROPS,
};

static GParamSpec *properties[N_PROPS];

/* With the margin on both sides. */
static int
get_modules (BeckonQrCode *self)
{
  return (self->pattern != NULL ? (int) self->pattern->size : USUAL_SIZE) + 2 * BECKON_QR_MARGIN;
}

static void
beckon_qr_code_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                        int *minimum_baseline, int *natural_baseline)
{
  int modules = get_modules (BECKON_QR_CODE (widget));

  *minimum = modules * LEAST_MODULE;
  *natural = modules * NATURAL_MODULE;
  *minimum_baseline = *natural_baseline = -1;
}

/* Neighbours are one rectangle, along the rows and along the columns: on a screen with a scale between whole numbers, those of
 * one direction alone would show seams. */
static void
qr_code_append_line (BeckonQrCode *self, GtkSnapshot *snapshot, gboolean is_row, int line, float module)
{
  static const GdkRGBA black = { 0, 0, 0, 1 };
  int size = (int) self->pattern->size;

  for (int at = 0; at < size; at++)
    {
      int start = at;
      graphene_rect_t run;

      while (at < size && beckon_qr_pattern_is_dark (self->pattern, is_row ? at : line, is_row ? line : at))
        at++;
      run = GRAPHENE_RECT_INIT ((float) ((is_row ? start : line) + BECKON_QR_MARGIN) * module,
                                (float) ((is_row ? line : start) + BECKON_QR_MARGIN) * module,
                                (float) (is_row ? at - start : 1) * module, (float) (is_row ? 1 : at - start) * module);
      if (at > start)
        gtk_snapshot_append_color (snapshot, &black, &run);
    }
}

/* A module is a whole number of the screen's pixels, and the code begins on one. */
static void
beckon_qr_code_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  static const GdkRGBA white = { 1, 1, 1, 1 };
  BeckonQrCode *self = BECKON_QR_CODE (widget);
  int scale = gtk_widget_get_scale_factor (widget);
  int side = MIN (gtk_widget_get_width (widget), gtk_widget_get_height (widget)) * scale;
  int pixels = side / get_modules (self);
  float module = (float) pixels / (float) scale;
  int left = (gtk_widget_get_width (widget) * scale - pixels * get_modules (self)) / 2;
  float whole;
  int top = (gtk_widget_get_height (widget) * scale - pixels * get_modules (self)) / 2;

  if (self->pattern == NULL || pixels == 0)
    return;
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT ((float) left / (float) scale, (float) top / (float) scale));
  whole = module * (float) get_modules (self);
  gtk_snapshot_append_color (snapshot, &white, &GRAPHENE_RECT_INIT (0, 0, whole, whole));
  for (int line = 0; line < (int) self->pattern->size; line++)
    {
      qr_code_append_line (self, snapshot, TRUE, line, module);
      qr_code_append_line (self, snapshot, FALSE, line, module);
    }
  gtk_snapshot_restore (snapshot);
}

static GtkSizeRequestMode
beckon_qr_code_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_CONSTANT_SIZE;
}

void
beckon_qr_code_set_text (BeckonQrCode *self, const char *text)
{
  if (g_strcmp0 (self->text, text) == 0)
    return;
  g_free (self->text);
  g_clear_pointer (&self->pattern, beckon_qr_pattern_free);
  self->text = g_strdup (text);
  self->pattern = text != NULL ? beckon_qr_pattern_new (text) : NULL;
  gtk_widget_queue_resize (GTK_WIDGET (self));
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_TEXT]);
}

const char *
beckon_qr_code_get_text (BeckonQrCode *self)
{
  return self->text;
}

gboolean
beckon_qr_code_has_code (BeckonQrCode *self)
{
  return self->pattern != NULL;
}

static void
beckon_qr_code_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  if (id == PROP_TEXT)
    beckon_qr_code_set_text (BECKON_QR_CODE (object), g_value_get_string (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
beckon_qr_code_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == PROP_TEXT)
    g_value_set_string (value, BECKON_QR_CODE (object)->text);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
beckon_qr_code_finalize (GObject *object)
{
  BeckonQrCode *self = BECKON_QR_CODE (object);

  g_clear_pointer (&self->text, g_free);
  g_clear_pointer (&self->pattern, beckon_qr_pattern_free);
  G_OBJECT_CLASS (beckon_qr_code_parent_class)->finalize (object);
}

static void
beckon_qr_code_class_init (BeckonQrCodeClass *klass)
{
  GObjectClass *object = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (klass);

  object->set_property = beckon_qr_code_set_property;
  object->get_property = beckon_qr_code_get_property;
  object->finalize = beckon_qr_code_finalize;
  widget->measure = beckon_qr_code_measure;
  widget->snapshot = beckon_qr_code_snapshot;
  widget->get_request_mode = beckon_qr_code_get_request_mode;
  properties[PROP_TEXT] = g_param_spec_string ("text", NULL, NULL, NULL,
                                               G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object, N_PROPS, properties);
  gtk_widget_class_set_accessible_role (widget, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
beckon_qr_code_init (BeckonQrCode *self)
{
}
