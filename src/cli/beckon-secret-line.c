/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-secret-line.h"

#include "base/beckon-error.h"
#include "base/beckon-text.h"
#include "base/beckon-wipe.h"
#include "beckon-echo.h"

#include <glib/gi18n-lib.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void
secret_line_ask (const char *name)
{
  g_autofree char *shown = beckon_text_for_display (name, -1, BECKON_TEXT_EXACT);

  if (!isatty (STDIN_FILENO))
    return;
  /* Translators: what is to be typed, by its name, such as API_KEY */
  fprintf (stderr, _("%s (not shown):"), shown);
  fputc (' ', stderr);
  fflush (stderr);
}

char *
beckon_secret_line_read (const char *name, GError **error)
{
  char *line = g_malloc0 (BECKON_SECRET_LINE_MAX + 2);

  secret_line_ask (name);
  if (beckon_echo_set_hidden (TRUE))
    {
      if (fgets (line, BECKON_SECRET_LINE_MAX + 2, stdin) == NULL)
        *line = '\0';
      beckon_echo_set_hidden (FALSE);
      fputc ('\n', stderr);
    }
  else if (fgets (line, BECKON_SECRET_LINE_MAX + 2, stdin) == NULL)
    {
      *line = '\0';
    }
  g_strstrip (line);
  if (*line != '\0' && strlen (line) <= BECKON_SECRET_LINE_MAX)
    return line;
  g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID, _("Standard input has no secret in it."));
  beckon_wipe (line);
  return NULL;
}
