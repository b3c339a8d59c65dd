/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-part.h"

struct _BeckonPart
{
  GObject parent_instance;

  BeckonPartKind kind;
  GString *text;        /* (owned) (nullable): made with the first byte */
  BeckonToolCall *call; /* (owned) (nullable) */
  char *origin;         /* (owned) (nullable) */
  char *media_type;     /* (owned) (nullable) */
  GBytes *file;         /* (owned) (nullable) */
  char *file_type;      /* (owned) (nullable) */
  gint64 duration;
};

typedef enum
{
  PROP_DURATION = 1,
} BeckonPartProperty;

static GParamSpec *properties[PROP_DURATION + 1];

enum
{
  SIGNAL_APPENDED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (BeckonPart, beckon_part, G_TYPE_OBJECT)

static void
beckon_part_finalize (GObject *object)
{
  BeckonPart *self = BECKON_PART (object);

  if (self->text != NULL)
    g_string_free (self->text, TRUE);
  g_clear_object (&self->call);
  g_free (self->origin);
  g_free (self->media_type);
  g_clear_pointer (&self->file, g_bytes_unref);
  g_free (self->file_type);

  G_OBJECT_CLASS (beckon_part_parent_class)->finalize (object);
}

static void
beckon_part_get_property (GObject *object, guint property_id, GValue *value, GParamSpec *pspec)
{
  switch ((BeckonPartProperty) property_id)
    {
    case PROP_DURATION:
      g_value_set_int64 (value, BECKON_PART (object)->duration);
      break;

    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
beckon_part_class_init (BeckonPartClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize = beckon_part_finalize;
  object_class->get_property = beckon_part_get_property;
  properties[PROP_DURATION] = g_param_spec_int64 ("duration", NULL, NULL, 0, G_MAXINT64, 0,
                                                  G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);
  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);

  /* A pointer rather than a string: the text is not copied for each handler, and it may hold a NUL. */
  signals[SIGNAL_APPENDED] = g_signal_new ("appended", BECKON_TYPE_PART, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                           G_TYPE_NONE, 2, G_TYPE_POINTER, G_TYPE_UINT);
}

static void
beckon_part_init (BeckonPart *self)
{
}

BeckonPart *
beckon_part_new (BeckonPartKind kind, const char *text)
{
  BeckonPart *self;

  g_return_val_if_fail (kind != BECKON_PART_CALL, NULL);

  self = g_object_new (BECKON_TYPE_PART, NULL);
  self->kind = kind;
  if (text != NULL && *text != '\0')
    self->text = g_string_new (text);

  return self;
}

BeckonPart *
beckon_part_new_call (BeckonToolCall *call)
{
  BeckonPart *self;

  g_return_val_if_fail (BECKON_IS_TOOL_CALL (call), NULL);

  self = g_object_new (BECKON_TYPE_PART, NULL);
  self->kind = BECKON_PART_CALL;
  self->call = g_object_ref (call);

  return self;
}

BeckonPartKind
beckon_part_get_kind (BeckonPart *self)
{
  g_return_val_if_fail (BECKON_IS_PART (self), BECKON_PART_TEXT);

  return self->kind;
}

const char *
beckon_part_get_text (BeckonPart *self)
{
  g_return_val_if_fail (BECKON_IS_PART (self), NULL);

  return self->text != NULL ? self->text->str : "";
}

gsize
beckon_part_get_length (BeckonPart *self)
{
  g_return_val_if_fail (BECKON_IS_PART (self), 0);

  return self->text != NULL ? self->text->len : 0;
}

BeckonToolCall *
beckon_part_get_call (BeckonPart *self)
{
  g_return_val_if_fail (BECKON_IS_PART (self), NULL);

  return self->call;
}

const char *
beckon_part_get_origin (BeckonPart *self)
{
  g_return_val_if_fail (BECKON_IS_PART (self), NULL);

  return self->origin;
}

void
beckon_part_set_origin (BeckonPart *self, const char *origin)
{
  g_autofree char *old = NULL;

  g_return_if_fail (BECKON_IS_PART (self));

  old = g_steal_pointer (&self->origin);
  self->origin = g_strdup (origin);
}

const char *
beckon_part_get_media_type (BeckonPart *self)
{
  g_return_val_if_fail (BECKON_IS_PART (self), NULL);

  return self->media_type;
}

void
beckon_part_set_media_type (BeckonPart *self, const char *media_type)
{
  g_autofree char *old = NULL;

  g_return_if_fail (BECKON_IS_PART (self));
  g_return_if_fail ((media_type != NULL) == (self->kind == BECKON_PART_IMAGE));

  old = g_steal_pointer (&self->media_type);
  self->media_type = g_strdup (media_type);
}

GBytes *
beckon_part_get_file (BeckonPart *self)
{
  g_return_val_if_fail (BECKON_IS_PART (self), NULL);

  return self->file;
}

const char *
beckon_part_get_file_type (BeckonPart *self)
{
  g_return_val_if_fail (BECKON_IS_PART (self), NULL);

  return self->file_type;
}

void
beckon_part_set_file (BeckonPart *self, const char *media_type, GBytes *file)
{
  g_return_if_fail (BECKON_IS_PART (self));
  g_return_if_fail ((media_type != NULL) == (file != NULL));
  g_return_if_fail (file == NULL || self->kind == BECKON_PART_TEXT);

  g_free (self->file_type);
  self->file_type = g_strdup (media_type);
  g_clear_pointer (&self->file, g_bytes_unref);
  self->file = file != NULL ? g_bytes_ref (file) : NULL;
}

gint64
beckon_part_get_duration (BeckonPart *self)
{
  g_return_val_if_fail (BECKON_IS_PART (self), 0);

  return self->duration;
}

void
beckon_part_set_duration (BeckonPart *self, gint64 duration)
{
  g_return_if_fail (BECKON_IS_PART (self));

  if (self->duration == MAX (duration, 0))
    return;

  self->duration = MAX (duration, 0);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_DURATION]);
}

void
beckon_part_append (BeckonPart *self, const char *text, gsize length)
{
  g_return_if_fail (BECKON_IS_PART (self));
  g_return_if_fail (self->kind != BECKON_PART_CALL);
  g_return_if_fail (text != NULL || length == 0);
  g_return_if_fail (length <= G_MAXUINT);

  if (length == 0)
    return;

  if (self->text == NULL)
    self->text = g_string_new (NULL);
  g_string_append_len (self->text, text, (gssize) length);

  g_signal_emit (self, signals[SIGNAL_APPENDED], 0, text, (guint) length);
}
