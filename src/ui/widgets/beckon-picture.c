/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-picture.h"

#include "attach/beckon-image.h"
#include "base/beckon-worker.h"

/* The size of a picture that does not say its own. */
#define UNKNOWN_WIDTH 240
#define UNKNOWN_HEIGHT 160

struct _BeckonPicture
{
  GObject parent_instance;

  BeckonPart *part; /* (owned) */
  int most_width, most_height, density;
  int width, height;      /* as it is shown at most */
  GdkTexture *texture;    /* (owned) (nullable) */
  GCancellable *decoding; /* (owned) (nullable) */
  gboolean has_failed;
};

static void init_paintable (GdkPaintableInterface *interface);

G_DEFINE_FINAL_TYPE_WITH_CODE (BeckonPicture, beckon_picture, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (GDK_TYPE_PAINTABLE, init_paintable))

static guint failed_signal;

typedef struct
{
  GBytes *bytes; /* (owned) */
  int most_width, most_height;
} Decoding;

static void
decoding_free (Decoding *decoding)
{
  g_bytes_unref (decoding->bytes);
  g_free (decoding);
}

GBytes *
beckon_picture_dup_file (BeckonPart *part)
{
  /* An image is whole when it becomes a part, so that its bytes stay where they are. */
  return g_bytes_new_with_free_func (beckon_part_get_text (part), beckon_part_get_length (part), g_object_unref,
                                     g_object_ref (part));
}

static void
decode_in_thread (GTask *task, gpointer object, gpointer data, GCancellable *cancellable)
{
  Decoding *decoding = data;
  GError *error = NULL;
  g_autoptr (GdkPixbuf) pixbuf = NULL;

  /* Many may be asked for while somebody scrolls past them. */
  if (g_task_return_error_if_cancelled (task))
    return;
  pixbuf = beckon_image_decode (decoding->bytes, decoding->most_width, decoding->most_height, &error);
  if (pixbuf != NULL)
    g_task_return_pointer (task, gdk_texture_new_for_pixbuf (pixbuf), g_object_unref);
  else
    g_task_return_error (task, error);
}

static void
on_decoded (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonPicture *self = BECKON_PICTURE (source);
  g_autoptr (GError) error = NULL;
  GdkTexture *texture = g_task_propagate_pointer (G_TASK (result), &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  g_clear_object (&self->decoding);
  self->texture = texture;
  self->has_failed = texture == NULL;
  if (texture != NULL)
    gdk_paintable_invalidate_contents (GDK_PAINTABLE (self));
  else
    g_signal_emit (self, failed_signal, 0);
}

static void
picture_decode (BeckonPicture *self)
{
  Decoding *decoding = g_new0 (Decoding, 1);
  g_autoptr (GTask) task = NULL;

  self->decoding = g_cancellable_new ();
  task = g_task_new (self, self->decoding, on_decoded, NULL);
  decoding->bytes = beckon_picture_dup_file (self->part);
  decoding->most_width = self->most_width * self->density;
  decoding->most_height = self->most_height * self->density;
  g_task_set_source_tag (task, picture_decode);
  g_task_set_task_data (task, decoding, (GDestroyNotify) decoding_free);
  beckon_worker_run_for_person (task, decode_in_thread);
}

void
beckon_picture_forget (BeckonPicture *self)
{
  if (self->decoding != NULL)
    g_cancellable_cancel (self->decoding);
  g_clear_object (&self->decoding);
  g_clear_object (&self->texture);
}

static void
snapshot (GdkPaintable *paintable, GdkSnapshot *out, double width, double height)
{
  BeckonPicture *self = BECKON_PICTURE (paintable);

  if (self->texture != NULL)
    gdk_paintable_snapshot (GDK_PAINTABLE (self->texture), out, width, height);
  else if (self->decoding == NULL && !self->has_failed)
    picture_decode (self);
}

static int
get_width (GdkPaintable *paintable)
{
  return BECKON_PICTURE (paintable)->width;
}

static int
get_height (GdkPaintable *paintable)
{
  return BECKON_PICTURE (paintable)->height;
}

static GdkPaintableFlags
get_flags (GdkPaintable *paintable)
{
  return GDK_PAINTABLE_STATIC_SIZE;
}

static void
init_paintable (GdkPaintableInterface *interface)
{
  interface->snapshot = snapshot;
  interface->get_intrinsic_width = get_width;
  interface->get_intrinsic_height = get_height;
  interface->get_flags = get_flags;
}

static void
beckon_picture_dispose (GObject *object)
{
  BeckonPicture *self = BECKON_PICTURE (object);

  beckon_picture_forget (self);
  g_clear_object (&self->part);
  G_OBJECT_CLASS (beckon_picture_parent_class)->dispose (object);
}

static void
beckon_picture_class_init (BeckonPictureClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = beckon_picture_dispose;
  failed_signal = g_signal_new ("failed", BECKON_TYPE_PICTURE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
beckon_picture_init (BeckonPicture *self)
{
}

BeckonPicture *
beckon_picture_new (BeckonPart *part, int most_width, int most_height, int density)
{
  BeckonPicture *self;
  g_autoptr (GBytes) file = beckon_picture_dup_file (part);
  double scale;

  g_return_val_if_fail (most_width > 0 && most_height > 0 && density > 0, NULL);

  self = g_object_new (BECKON_TYPE_PICTURE, NULL);
  self->part = g_object_ref (part);
  self->most_width = most_width;
  self->most_height = most_height;
  self->density = density;
  if (!beckon_image_get_size (file, &self->width, &self->height))
    {
      self->width = UNKNOWN_WIDTH;
      self->height = UNKNOWN_HEIGHT;
    }
  scale = MIN ((double) self->most_width / self->width, (double) self->most_height / self->height);
  if (scale < 1)
    {
      self->width = MAX (1, (int) (self->width * scale + 0.5));
      self->height = MAX (1, (int) (self->height * scale + 0.5));
    }
  return self;
}
