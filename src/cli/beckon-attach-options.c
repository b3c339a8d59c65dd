/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-attach-options.h"

#include "attach/beckon-attacher.h"
#include "base/beckon-error.h"

#include <glib/gi18n-lib.h>

typedef struct
{
  GMainLoop *loop;
  BeckonPart *part; /* (owned) (nullable) */
  GError *error;    /* (owned) (nullable) */
} Reading;

void
beckon_attach_options_add_to (BeckonAttachOptions *options, GOptionContext *context)
{
  const GOptionEntry entries[] = {
    { "attach", 'a', 0, G_OPTION_ARG_FILENAME_ARRAY, &options->paths,
      N_("Attach a picture, text or PDF; can be repeated"), N_("FILE") },
    G_OPTION_ENTRY_NULL,
  };

  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
}

static void
attach_options_on_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Reading *reading = user_data;

  reading->part = beckon_attacher_read_finish (result, &reading->error);
  g_main_loop_quit (reading->loop);
}

/* No task runs yet. */
static BeckonPart *
wait_for (Reading *reading, const char *name, GError **error)
{
  g_main_loop_run (reading->loop);
  if (reading->part == NULL)
    g_propagate_prefixed_error (error, reading->error, "%s: ", name);
  return reading->part;
}

static BeckonPart *
attach_options_read_file (const char *path, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_commandline_arg (path);
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  Reading reading = { .loop = loop };

  beckon_attacher_read_file_async (file, NULL, attach_options_on_read, &reading);
  return wait_for (&reading, path, error);
}

static BeckonPart *
attach_options_read_input (GBytes *input, GError **error)
{
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  Reading reading = { .loop = loop };

  beckon_attacher_read_bytes_async (input, "stdin", NULL, attach_options_on_read, &reading);
  return wait_for (&reading, _("standard input"), error);
}

/* @n_bytes: so far. A scan without its file has nothing. */
static gboolean
attach_options_add (BeckonAttachOptions *options, BeckonPart *part, gsize *n_bytes)
{
  if (*n_bytes + beckon_attachment_get_size (part) > BECKON_ATTACHMENT_MOST_BYTES)
    beckon_part_set_file (part, NULL, NULL);
  g_ptr_array_add (options->files, part);
  *n_bytes += beckon_attachment_get_size (part);
  return !beckon_attachment_is_scan (part) || beckon_attachment_get_pdf (part, NULL) != NULL;
}

static gboolean
attach_options_is_blank (GBytes *input)
{
  gsize length;
  const char *data = g_bytes_get_data (input, &length);

  for (gsize i = 0; i < length; i++)
    if (!g_ascii_isspace (data[i]))
      return FALSE;
  return TRUE;
}

gboolean
beckon_attach_options_read (BeckonAttachOptions *options, GBytes *input, GError **error)
{
  gsize n_bytes = 0;
  gboolean is_whole = TRUE;

  options->files = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; options->paths != NULL && options->paths[i] != NULL; i++)
    {
      BeckonPart *part = attach_options_read_file (options->paths[i], error);

      if (part == NULL)
        return FALSE;
      is_whole = attach_options_add (options, part, &n_bytes) && is_whole;
    }
  if (input != NULL && !attach_options_is_blank (input))
    {
      BeckonPart *part = attach_options_read_input (input, error);

      if (part == NULL)
        return FALSE;
      is_whole = attach_options_add (options, part, &n_bytes) && is_whole;
    }
  if (is_whole && options->files->len <= BECKON_ATTACHMENT_MOST && n_bytes <= BECKON_ATTACHMENT_MOST_BYTES)
    return TRUE;
  g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_TOO_LARGE, _("These are too many files for one message."));
  return FALSE;
}

void
beckon_attach_options_clear (BeckonAttachOptions *options)
{
  g_clear_pointer (&options->paths, g_strfreev);
  g_clear_pointer (&options->files, g_ptr_array_unref);
}
