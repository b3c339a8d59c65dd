/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-queue-item.h"

struct _BeckonQueueItem
{
  GObject parent_instance;

  char *id;         /* (owned) */
  char *text;       /* (owned) */
  GPtrArray *files; /* (owned) (element-type BeckonPart) */
  gboolean sends_now;
};

typedef enum
{
  PROP_SENDS_NOW = 1,
} BeckonQueueItemProperty;

static GParamSpec *properties[PROP_SENDS_NOW + 1];

G_DEFINE_FINAL_TYPE (BeckonQueueItem, beckon_queue_item, G_TYPE_OBJECT)

const char *
beckon_queue_item_get_id (BeckonQueueItem *self)
{
  g_return_val_if_fail (BECKON_IS_QUEUE_ITEM (self), NULL);

  return self->id;
}

const char *
beckon_queue_item_get_text (BeckonQueueItem *self)
{
  g_return_val_if_fail (BECKON_IS_QUEUE_ITEM (self), NULL);

  return self->text;
}

GPtrArray *
beckon_queue_item_get_files (BeckonQueueItem *self)
{
  g_return_val_if_fail (BECKON_IS_QUEUE_ITEM (self), NULL);

  return self->files;
}

gboolean
beckon_queue_item_get_sends_now (BeckonQueueItem *self)
{
  g_return_val_if_fail (BECKON_IS_QUEUE_ITEM (self), FALSE);

  return self->sends_now;
}

void
beckon_queue_item_set_sends_now (BeckonQueueItem *self, gboolean sends_now)
{
  g_return_if_fail (BECKON_IS_QUEUE_ITEM (self));

  sends_now = !!sends_now;
  if (self->sends_now == sends_now)
    return;
  self->sends_now = sends_now;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SENDS_NOW]);
}

BeckonQueueItem *
beckon_queue_item_new (const char *id, const char *text, GPtrArray *files, gboolean sends_now)
{
  BeckonQueueItem *self;

  g_return_val_if_fail (id != NULL && text != NULL && files != NULL, NULL);

  self = g_object_new (BECKON_TYPE_QUEUE_ITEM, NULL);
  self->id = g_strdup (id);
  self->text = g_strdup (text);
  for (guint i = 0; i < files->len; i++)
    g_ptr_array_add (self->files, g_object_ref (g_ptr_array_index (files, i)));
  self->sends_now = !!sends_now;
  return self;
}

static void
beckon_queue_item_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  BeckonQueueItem *self = BECKON_QUEUE_ITEM (object);

  switch ((BeckonQueueItemProperty) id)
    {
    case PROP_SENDS_NOW:
      g_value_set_boolean (value, self->sends_now);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
beckon_queue_item_finalize (GObject *object)
{
  BeckonQueueItem *self = BECKON_QUEUE_ITEM (object);

  g_free (self->id);
  g_free (self->text);
  g_ptr_array_unref (self->files);
  G_OBJECT_CLASS (beckon_queue_item_parent_class)->finalize (object);
}

static void
beckon_queue_item_class_init (BeckonQueueItemClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = beckon_queue_item_get_property;
  object_class->finalize = beckon_queue_item_finalize;
  properties[PROP_SENDS_NOW]
      = g_param_spec_boolean ("sends-now", NULL, NULL, FALSE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_property (object_class, PROP_SENDS_NOW, properties[PROP_SENDS_NOW]);
}

static void
beckon_queue_item_init (BeckonQueueItem *self)
{
  self->files = g_ptr_array_new_with_free_func (g_object_unref);
}
