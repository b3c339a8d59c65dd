/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-attacher.h"

#include "base/beckon-error.h"
#include "base/beckon-file-text.h"
#include "base/beckon-text.h"
#include "beckon-config.h"
#include "beckon-image.h"
#include "beckon-pdf.h"

#include <glib/gi18n-lib.h>
#include <string.h>

typedef struct
{
  GFile *file;   /* (owned) (nullable) */
  GBytes *bytes; /* (owned) (nullable): once they are read */
  char *name;    /* (owned) (nullable): once it is known */
} Source;

static void
source_free (Source *source)
{
  g_clear_object (&source->file);
  g_clear_pointer (&source->bytes, g_bytes_unref);
  g_free (source->name);
  g_free (source);
}

static gboolean
refuse_size (GError **error)
{
  g_set_error (error, BECKON_ERROR, BECKON_ERROR_TOO_LARGE, _("Files of more than %d MB cannot be attached."),
               BECKON_ATTACHER_MOST_BYTES / (1024 * 1024));
  return FALSE;
}

/* Only what is a file is opened: to open something else may wait for ever. */
static gboolean
attacher_look_at (Source *source, GCancellable *cancellable, GError **error)
{
  g_autoptr (GFileInfo) info =
      g_file_query_info (source->file,
                         G_FILE_ATTRIBUTE_STANDARD_TYPE "," G_FILE_ATTRIBUTE_STANDARD_SIZE
                         "," G_FILE_ATTRIBUTE_STANDARD_DISPLAY_NAME,
                         G_FILE_QUERY_INFO_NONE, cancellable, error);

  if (info == NULL)
    return FALSE;
  if (g_file_info_get_file_type (info) != G_FILE_TYPE_REGULAR)
    {
      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                           g_file_info_get_file_type (info) == G_FILE_TYPE_DIRECTORY
                           ? _("A folder cannot be attached. Choose it as the working folder instead.")
                           : _("This isn’t a file."));
      return FALSE;
    }
  source->name = g_strdup (g_file_info_get_display_name (info));
  return g_file_info_get_size (info) <= BECKON_ATTACHER_MOST_BYTES || refuse_size (error);
}

/* The file may have grown. */
static gboolean
attacher_read_all (Source *source, GCancellable *cancellable, GError **error)
{
  g_autoptr (GFileInputStream) stream = g_file_read (source->file, cancellable, error);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  gssize n;

  if (stream == NULL)
    return FALSE;
  do
    {
      guint length = bytes->len;

      g_byte_array_set_size (bytes, length + 256 * 1024);
      n = g_input_stream_read (G_INPUT_STREAM (stream), bytes->data + length, 256 * 1024, cancellable, error);
      g_byte_array_set_size (bytes, length + (guint) MAX (n, 0));
    }
  while (n > 0 && bytes->len <= BECKON_ATTACHER_MOST_BYTES);
  if (n < 0)
    return FALSE;
  source->bytes = g_byte_array_free_to_bytes (g_steal_pointer (&bytes));
  return g_bytes_get_size (source->bytes) <= BECKON_ATTACHER_MOST_BYTES || refuse_size (error);
}

static BeckonPart *
attacher_read_text (Source *source, GError **error)
{
  gsize length;
  g_autofree char *text = beckon_attached_text_read (source->bytes, &length, error);
  g_autofree char *marked = text != NULL ? beckon_text_mark_hidden (text, (gssize) length) : NULL;

  return marked != NULL ? beckon_attachment_new_text (source->name, marked, strlen (marked)) : NULL;
}

/* Pages that are pictures are nothing but the file, for models that read PDFs. */
static BeckonPart *
read_scanned (Source *source, GBytes *pdf, guint n_pages, GError **error)
{
  g_autoptr (BeckonPart) part = beckon_attachment_new_scan (source->name);

  beckon_attachment_set_pdf (part, pdf, n_pages);
  if (beckon_attachment_get_pdf (part, NULL) != NULL)
    return g_steal_pointer (&part);
  g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                       _("The PDF holds no text that can be read. Attach pictures of its pages instead."));
  return NULL;
}

static BeckonPart *
refuse_unread (GError **error)
{
  g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID, _("The PDF is damaged, or too much work to read."));
  return NULL;
}

static BeckonPart *
attacher_convert (Source *source, GCancellable *cancellable, GError **error)
{
  if (beckon_image_get_media_type (source->bytes) != NULL)
    {
      const char *media_type = NULL;
      g_autoptr (GBytes) prepared = beckon_image_prepare (source->bytes, &media_type, error);

      return prepared != NULL ? beckon_attachment_new_image (source->name, media_type, prepared) : NULL;
    }
  if (beckon_pdf_is_one (source->bytes))
    {
      g_autoptr (GBytes) pdf = g_bytes_ref (source->bytes);
      guint n_pages = 0;
      gboolean is_whole = FALSE;
      g_autoptr (GBytes) text = beckon_pdf_read (pdf, &n_pages, &is_whole, cancellable, error);
      BeckonPart *part;

      /* Pages that can't be opened and text that is cut off may hold a secret that was not looked for. Such a PDF is only its
       * text. */
      if (text == NULL)
        return NULL;
      if (g_bytes_get_size (text) == 0)
        return is_whole ? read_scanned (source, pdf, n_pages, error) : refuse_unread (error);
      g_bytes_unref (source->bytes);
      source->bytes = g_steal_pointer (&text);
      part = attacher_read_text (source, error);
      if (part != NULL && is_whole)
        beckon_attachment_set_pdf (part, pdf, n_pages);
      else if (part != NULL)
        beckon_attachment_note_pdf (part, n_pages, FALSE);
      return part;
    }
  return attacher_read_text (source, error);
}

static void
read_in_thread (GTask *task, gpointer object, gpointer data, GCancellable *cancellable)
{
  Source *source = data;
  GError *error = NULL;
  BeckonPart *part = NULL;
  const char *words = NULL;

  if (source->bytes != NULL || (attacher_look_at (source, cancellable, &error) && attacher_read_all (source, cancellable,
                                                                                                     &error)))
    part = attacher_convert (source, cancellable, &error);

  /* GIO's words are for programmers, and name a path not typed here. */
  if (error != NULL)
    {
      if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND))
        words = _("File not found.");
      else if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED))
        words = _("You may not read it.");
      if (words != NULL)
        {
          g_free (error->message);
          error->message = g_strdup (words);
        }
    }
  if (part != NULL)
    g_task_return_pointer (task, part, g_object_unref);
  else
    g_task_return_error (task, error);
}

static void
attacher_start (Source *source, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);

  g_task_set_source_tag (task, beckon_attacher_read_file_async);
  g_task_set_task_data (task, source, (GDestroyNotify) source_free);
  g_task_set_return_on_cancel (task, TRUE);
  g_task_run_in_thread (task, read_in_thread);
}

void
beckon_attacher_read_file_async (GFile *file, GCancellable *cancellable, GAsyncReadyCallback callback,
                                 gpointer user_data)
{
  Source *source;

  g_return_if_fail (G_IS_FILE (file));

  source = g_new0 (Source, 1);
  source->file = g_object_ref (file);
  attacher_start (source, cancellable, callback, user_data);
}

void
beckon_attacher_read_bytes_async (GBytes *bytes, const char *name, GCancellable *cancellable,
                                  GAsyncReadyCallback callback, gpointer user_data)
{
  Source *source;

  g_return_if_fail (bytes != NULL && name != NULL);

  source = g_new0 (Source, 1);
  source->bytes = g_bytes_ref (bytes);
  source->name = g_strdup (name);
  attacher_start (source, cancellable, callback, user_data);
}

BeckonPart *
beckon_attacher_read_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, beckon_attacher_read_file_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

static gboolean
attached_text_refuse (GError **error)
{
  g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                       _("This is neither a picture nor text. Put it into the working folder, where the agent's "
                         "tools can use it."));
  return FALSE;
}

static char *
attached_text_refuse_size (GError **error)
{
  g_set_error (error, BECKON_ERROR, BECKON_ERROR_TOO_LARGE,
               _("At most %d KB of text can be attached. Put it into the working folder, where the agent reads it in pieces."),
               BECKON_ATTACHED_TEXT_MOST / 1024);
  return NULL;
}

static gboolean
is_control (guchar c)
{
  return (c < 0x20 && c != '\t' && c != '\n' && c != '\r' && c != '\f' && c != 0x1b) || c == 0x7f;
}

char *
beckon_attached_text_read (GBytes *bytes, gsize *length, GError **error)
{
  g_autoptr (BeckonFileText) file = NULL;
  g_autofree char *text = NULL;
  gsize n = 0;

  g_return_val_if_fail (bytes != NULL && length != NULL, NULL);

  if (g_bytes_get_size (bytes) > 2 * BECKON_ATTACHED_TEXT_MOST + 2)
    return attached_text_refuse_size (error);
  if (g_bytes_get_size (bytes) == 0)
    {
      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID, _("The file is empty."));
      return NULL;
    }
  file = beckon_file_text_new (bytes);
  if (file == NULL)
    {
      attached_text_refuse (error);
      return NULL;
    }
  *length = file->length;
  text = g_steal_pointer (&file->text);

  /* A text may have one or two, such as the colours of a log; what is full of them is something else. */
  for (gsize i = 0; i < *length; i++)
    if (!is_control ((guchar) text[i]))
      text[n++] = text[i];
  if ((*length - n) * 100 > *length)
    {
      attached_text_refuse (error);
      return NULL;
    }
  text[n] = '\0';
  *length = n;
  return *length <= BECKON_ATTACHED_TEXT_MOST ? g_steal_pointer (&text) : attached_text_refuse_size (error);
}
