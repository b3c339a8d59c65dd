/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-attachment-loader.h"

#include "attach/beckon-attacher.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"

#include <glib/gi18n-lib.h>

#define MOST_NAME_CHARS 60

struct _BeckonAttachmentLoader
{
  GObject parent_instance;

  GListStore *files;  /* (owned) (nullable) */
  GPtrArray *reading; /* (owned) (element-type Reading) */
};

G_DEFINE_FINAL_TYPE (BeckonAttachmentLoader, beckon_attachment_loader, G_TYPE_OBJECT)

typedef enum
{
  SIGNAL_CHANGED,
  SIGNAL_FAILED,
} BeckonAttachmentLoaderSignal;

static guint signals[SIGNAL_FAILED + 1];

struct _BeckonAttachmentReading
{
  BeckonAttachmentLoader *loader;  /* (owned) */
  GListStore *files;         /* (owned) */
  GCancellable *cancellable; /* (owned) */
  char *name;                /* (owned) */
};

typedef BeckonAttachmentReading Reading;

static Reading *
reading_new (BeckonAttachmentLoader *self, GListStore *files, const char *name)
{
  Reading *reading = g_new0 (Reading, 1);
  g_autofree char *safe = beckon_text_for_display (name, -1, BECKON_TEXT_EXACT);

  reading->loader = g_object_ref (self);
  reading->files = g_object_ref (files);
  reading->cancellable = g_cancellable_new ();
  reading->name = beckon_text_shorten (safe, MOST_NAME_CHARS);
  g_ptr_array_add (self->reading, reading);
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
  return reading;
}

static void
reading_end (Reading *reading)
{
  BeckonAttachmentLoader *self = reading->loader;

  g_ptr_array_remove (self->reading, reading);
  g_object_unref (reading->files);
  g_object_unref (reading->cancellable);
  g_free (reading->name);
  g_free (reading);
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
  g_object_unref (self);
}

/* Tells why something cannot be attached, as a failure of its own. */
static void
attachment_loader_fail (BeckonAttachmentLoader *self, const char *words)
{
  g_signal_emit (self, signals[SIGNAL_FAILED], 0, words);
}

static void
loader_fail (Reading *reading, const GError *error)
{
  /* Translators: the first %s is the name of a file, the second says why */
  g_autofree char *words = beckon_text_printf (_("“%s” is not attached. %s"), reading->name, error->message);

  if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    attachment_loader_fail (reading->loader, words);
}

static gsize
count_bytes (GListModel *files)
{
  gsize n = 0;

  for (guint i = 0; i < g_list_model_get_n_items (files); i++)
    {
      g_autoptr (BeckonPart) part = g_list_model_get_item (files, i);

      n += beckon_attachment_get_size (part);
    }
  return n;
}

static void
loader_on_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Reading *reading = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonPart) part = beckon_attacher_read_finish (result, &error);
  GListModel *files = G_LIST_MODEL (reading->files);

  /* The text of a PDF may have room where the file has none beside the others. */
  if (part != NULL && count_bytes (files) + beckon_attachment_get_size (part) > BECKON_ATTACHMENT_MOST_BYTES)
    beckon_part_set_file (part, NULL, NULL);
  if (part == NULL)
    loader_fail (reading, error);
  /* Without its file there is nothing of it. */
  else if (count_bytes (files) + beckon_attachment_get_size (part) > BECKON_ATTACHMENT_MOST_BYTES
           || (beckon_attachment_is_scan (part) && beckon_attachment_get_pdf (part, NULL) == NULL))
    attachment_loader_fail (reading->loader, _("All files of one message together are too large. Send some of them "
                                               "first."));
  else
    g_list_store_append (reading->files, part);
  reading_end (reading);
}

static gboolean
has_room (BeckonAttachmentLoader *self)
{
  g_autofree char *words = NULL;

  if (self->files == NULL)
    return FALSE;
  if (g_list_model_get_n_items (G_LIST_MODEL (self->files)) + self->reading->len < BECKON_ATTACHMENT_MOST)
    return TRUE;
  words = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "At most %u file can be attached to a message.",
                                        "At most %u files can be attached to a message.", BECKON_ATTACHMENT_MOST),
                           (guint) BECKON_ATTACHMENT_MOST);
  attachment_loader_fail (self, words);
  return FALSE;
}

void
beckon_attachment_loader_take_file (BeckonAttachmentLoader *self, GFile *file)
{
  g_autofree char *name = NULL;
  Reading *reading;

  if (!has_room (self))
    return;
  name = g_file_get_basename (file);
  reading = reading_new (self, self->files, name);
  beckon_attacher_read_file_async (file, reading->cancellable, loader_on_read, reading);
}

void
beckon_attachment_loader_take_bytes (BeckonAttachmentLoader *self, GBytes *bytes, const char *name)
{
  Reading *reading;

  if (!has_room (self))
    return;
  reading = reading_new (self, self->files, name);
  beckon_attacher_read_bytes_async (bytes, name, reading->cancellable, loader_on_read, reading);
}

BeckonAttachmentReading *
beckon_attachment_loader_begin (BeckonAttachmentLoader *self, const char *name)
{
  return has_room (self) ? reading_new (self, self->files, name) : NULL;
}

GCancellable *
beckon_attachment_reading_get_cancellable (BeckonAttachmentReading *reading)
{
  return reading->cancellable;
}

void
beckon_attachment_reading_take_bytes (BeckonAttachmentReading *reading, GBytes *bytes, const char *name)
{
  Reading *part;

  part = reading_new (reading->loader, reading->files, name);
  beckon_attacher_read_bytes_async (bytes, name, part->cancellable, loader_on_read, part);
}

void
beckon_attachment_reading_end (BeckonAttachmentReading *reading, const GError *error)
{
  if (error != NULL)
    loader_fail (reading, error);
  reading_end (reading);
}

static void
write_in_thread (GTask *task, gpointer object, gpointer data, GCancellable *cancellable)
{
  g_task_return_pointer (task, gdk_texture_save_to_png_bytes (data), (GDestroyNotify) g_bytes_unref);
}

static void
on_texture_written (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Reading *reading = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = g_task_propagate_pointer (G_TASK (result), &error);

  if (bytes != NULL)
    {
      beckon_attacher_read_bytes_async (bytes, reading->name, reading->cancellable, loader_on_read, reading);
      return;
    }
  loader_fail (reading, error);
  reading_end (reading);
}

static void
attachment_loader_take_texture (BeckonAttachmentLoader *self, GdkTexture *texture)
{
  g_autoptr (GTask) task = NULL;
  Reading *reading;

  if (!has_room (self))
    return;
  /* A picture that is no file has the name of what it is. */
  reading = reading_new (self, self->files, _("Picture.png"));
  task = g_task_new (NULL, reading->cancellable, on_texture_written, reading);
  g_task_set_source_tag (task, attachment_loader_take_texture);
  g_task_set_task_data (task, g_object_ref (texture), g_object_unref);
  g_task_run_in_thread (task, write_in_thread);
}

static void
on_clipboard_texture (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonAttachmentLoader) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GdkTexture) texture = gdk_clipboard_read_texture_finish (GDK_CLIPBOARD (source), result, &error);

  if (texture != NULL)
    attachment_loader_take_texture (self, texture);
  else
    attachment_loader_fail (self, _("The picture in the clipboard cannot be read."));
}

static void
on_clipboard_files (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonAttachmentLoader) self = user_data;
  g_autoptr (GError) error = NULL;
  const GValue *value = gdk_clipboard_read_value_finish (GDK_CLIPBOARD (source), result, &error);

  if (value != NULL)
    beckon_attachment_loader_take_value (self, value);
  else
    attachment_loader_fail (self, error->message);
}

/* Text that has a picture beside it, as office programs put it there, is text. */
gboolean
beckon_attachment_loader_take_clipboard (BeckonAttachmentLoader *self, GdkClipboard *clipboard)
{
  GdkContentFormats *formats;

  formats = gdk_clipboard_get_formats (clipboard);
  if (gdk_content_formats_contain_gtype (formats, GDK_TYPE_FILE_LIST)
      || gdk_content_formats_contain_mime_type (formats, "text/uri-list"))
    gdk_clipboard_read_value_async (clipboard, GDK_TYPE_FILE_LIST, G_PRIORITY_DEFAULT, NULL, on_clipboard_files,
                                    g_object_ref (self));
  else if (!gdk_content_formats_contain_gtype (formats, G_TYPE_STRING)
           && !gdk_content_formats_contain_mime_type (formats, "text/plain;charset=utf-8")
           && (gdk_content_formats_contain_gtype (formats, GDK_TYPE_TEXTURE)
               || gdk_content_formats_contain_mime_type (formats, "image/png")
               || gdk_content_formats_contain_mime_type (formats, "image/jpeg")))
    gdk_clipboard_read_texture_async (clipboard, NULL, on_clipboard_texture, g_object_ref (self));
  else
    return FALSE;
  return TRUE;
}

gboolean
beckon_attachment_loader_take_value (BeckonAttachmentLoader *self, const GValue *value)
{
  if (G_VALUE_HOLDS (value, GDK_TYPE_TEXTURE))
    {
      attachment_loader_take_texture (self, g_value_get_object (value));
      return TRUE;
    }
  if (!G_VALUE_HOLDS (value, GDK_TYPE_FILE_LIST))
    return FALSE;
  for (GSList *file = g_value_get_boxed (value); file != NULL; file = file->next)
    beckon_attachment_loader_take_file (self, file->data);
  return TRUE;
}

void
beckon_attachment_loader_set_files (BeckonAttachmentLoader *self, GListStore *files)
{
  if (g_set_object (&self->files, files))
    g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

GListStore *
beckon_attachment_loader_get_files (BeckonAttachmentLoader *self)
{
  return self->files;
}

char **
beckon_attachment_loader_dup_reading (BeckonAttachmentLoader *self)
{
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();

  for (guint i = 0; i < self->reading->len; i++)
    {
      Reading *reading = g_ptr_array_index (self->reading, i);

      if (reading->files == self->files)
        g_strv_builder_add (names, reading->name);
    }
  return g_strv_builder_end (names);
}

void
beckon_attachment_loader_cancel (BeckonAttachmentLoader *self)
{
  for (guint i = 0; i < self->reading->len; i++)
    {
      Reading *reading = g_ptr_array_index (self->reading, i);

      if (reading->files == self->files)
        g_cancellable_cancel (reading->cancellable);
    }
}

static void
beckon_attachment_loader_finalize (GObject *object)
{
  BeckonAttachmentLoader *self = BECKON_ATTACHMENT_LOADER (object);

  g_clear_object (&self->files);
  g_ptr_array_unref (self->reading);
  G_OBJECT_CLASS (beckon_attachment_loader_parent_class)->finalize (object);
}

static void
beckon_attachment_loader_class_init (BeckonAttachmentLoaderClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = beckon_attachment_loader_finalize;
  signals[SIGNAL_CHANGED] =
      g_signal_new ("changed", BECKON_TYPE_ATTACHMENT_LOADER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_FAILED] = g_signal_new ("failed", BECKON_TYPE_ATTACHMENT_LOADER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                         G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
beckon_attachment_loader_init (BeckonAttachmentLoader *self)
{
  self->reading = g_ptr_array_new ();
}

BeckonAttachmentLoader *
beckon_attachment_loader_new (void)
{
  return g_object_new (BECKON_TYPE_ATTACHMENT_LOADER, NULL);
}
