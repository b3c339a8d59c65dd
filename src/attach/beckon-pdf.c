/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-pdf.h"

#include "base/beckon-error.h"
#include "base/beckon-path.h"

#include <glib/gi18n-lib.h>
#include <stdio.h>
#include <string.h>

/* Two numbers and a line break. */
#define MOST_HEAD 32

gboolean
beckon_pdf_is_one (GBytes *bytes)
{
  gsize length;
  const char *data = g_bytes_get_data (bytes, &length);

  /* Some programs write something in front of it. */
  return length > 5 && g_strstr_len (data, (gssize) MIN (length, 1024), "%PDF-") != NULL;
}

static void
pdf_refuse (int status, GError **error)
{
  const char *words = _("The PDF is damaged, or too much work to read.");

  if (status == BECKON_PDF_LOCKED)
    words = _("The PDF is locked with a password.");
  g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID, words);
}

/* The reader's first line has the number of pages. Returns (nullable): the text behind it. */
static GBytes *
read_head (GBytes *output, guint *n_pages, gboolean *is_whole)
{
  gsize length;
  const char *data = g_bytes_get_data (output, &length);
  const char *end = length > 0 ? memchr (data, '\n', MIN (length, MOST_HEAD)) : NULL;
  g_autofree char *head = end != NULL ? g_strndup (data, (gsize) (end - data)) : NULL;
  guint whole;

  if (head == NULL || sscanf (head, "%9u %1u", n_pages, &whole) != 2)
    return NULL;
  *is_whole = whole == 1;
  return g_bytes_new_from_bytes (output, (gsize) (end + 1 - data), length - (gsize) (end + 1 - data));
}

GBytes *
beckon_pdf_read (GBytes *bytes, guint *n_pages, gboolean *is_whole, GCancellable *cancellable, GError **error)
{
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GBytes) output = NULL;
  GBytes *text = NULL;
  g_autoptr (GError) reason = NULL;
  g_autofree char *reader = beckon_helper_find ("beckon-pdf-text");
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (
      G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_SILENCE);

  if (!g_file_test (reader, G_FILE_TEST_IS_EXECUTABLE))
    {
      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
                           _("This Beckon was built without a reader for PDF (poppler-glib)."));
      process = NULL;
    }
  else
    {
      /* The file has all that it needs. Keys of providers may be in the environment. */
      g_subprocess_launcher_set_environ (launcher, (char *[]){ (char *) "LC_ALL=C.UTF-8", NULL });
      process = g_subprocess_launcher_spawn (launcher, error, reader, NULL);
    }
  if (process == NULL)
    return NULL;
  if (!g_subprocess_communicate (process, bytes, cancellable, &output, NULL, &reason))
    {
      g_subprocess_force_exit (process);
      if (g_error_matches (reason, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        g_propagate_error (error, g_steal_pointer (&reason));
      else
        pdf_refuse (BECKON_PDF_DAMAGED, error);
      return NULL;
    }
  if (g_subprocess_get_successful (process) && g_bytes_get_size (output) <= BECKON_PDF_MOST_TEXT + 1024)
    text = read_head (output, n_pages, is_whole);
  if (text != NULL)
    return text;
  pdf_refuse (g_subprocess_get_if_exited (process) && !g_subprocess_get_successful (process)
              ? g_subprocess_get_exit_status (process)
              : BECKON_PDF_DAMAGED,
              error);
  return NULL;
}
