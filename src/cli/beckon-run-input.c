/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-run-input.h"

#include "base/beckon-error.h"

#include <errno.h>
#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define PATIENCE_MS 2000

static gssize
read_some (char *data, gsize length)
{
  struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };
  gssize got;

  while ((got = read (STDIN_FILENO, data, length)) < 0)
    if (errno == EAGAIN)
      poll (&input, 1, -1);
    else if (errno != EINTR)
      break;
  return got;
}

GBytes *
beckon_run_input_read (gsize most, gboolean is_quiet, GError **error)
{
  g_autoptr (GByteArray) all = g_byte_array_new ();
  char data[16 * 1024];
  gssize got;

  if (!is_quiet && !isatty (STDIN_FILENO))
    {
      /* A script that hands down an open input would wait for its end without knowing why. */
      struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };

      if (poll (&input, 1, PATIENCE_MS) == 0)
        fputs (_("Reading standard input to its end. Add “</dev/null” to send the message alone.\n"), stderr);
    }
  while ((got = read_some (data, sizeof data)) > 0)
    {
      if (all->len + (gsize) got > most)
        {
          g_autofree char *size = g_format_size (most);

          g_set_error (error, BECKON_ERROR, BECKON_ERROR_TOO_LARGE,
                       _("Standard input is too long: at most %s can be sent. Give the agent the file in its folder instead."),
                       size);
          return NULL;
        }
      g_byte_array_append (all, (const guint8 *) data, (guint) got);
    }
  if (got == 0)
    return g_byte_array_free_to_bytes (g_steal_pointer (&all));

  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), _("Couldn't read standard input: %s"), g_strerror (errno));
  return NULL;
}

char *
beckon_run_input_read_prompt (gboolean is_quiet, GError **error)
{
  g_autoptr (GBytes) bytes = beckon_run_input_read (BECKON_RUN_INPUT_PROMPT_MAX, is_quiet, error);
  gsize length = 0;
  const char *data = bytes != NULL ? g_bytes_get_data (bytes, &length) : NULL;
  g_autofree char *prompt = NULL;

  if (bytes == NULL)
    return NULL;
  if (length > 0 && !g_utf8_validate_len (data, length, NULL))
    {
      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                           _("Standard input isn't UTF-8 text. Give a message, and what is piped goes with it as a file."));
      return NULL;
    }
  prompt = g_strstrip (g_strndup (length > 0 ? data : "", length));
  if (*prompt != '\0')
    return g_steal_pointer (&prompt);

  g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID, _("There is no message: standard input is empty."));
  return NULL;
}
