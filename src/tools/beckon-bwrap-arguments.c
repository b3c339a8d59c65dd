/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-bwrap-arguments.h"

#include <string.h>

void
beckon_bwrap_add (GString *arguments, const char *first, ...)
{
  va_list words;

  va_start (words, first);
  for (const char *word = first; word != NULL; word = va_arg (words, const char *))
    g_string_append_len (arguments, word, (gssize) strlen (word) + 1);
  va_end (words);
}

void
beckon_bwrap_add_fd (GString *arguments, GArray *fds, const char *option, int fd)
{
  char number[16];

  g_snprintf (number, sizeof number, "%d", fd);
  beckon_bwrap_add (arguments, option, number, NULL);
  g_array_append_val (fds, fd);
}

void
beckon_bwrap_add_file (GString *arguments, GArray *fds, int fd, const char *path)
{
  beckon_bwrap_add (arguments, "--perms", "0444", NULL);
  beckon_bwrap_add_fd (arguments, fds, "--file", fd);
  beckon_bwrap_add (arguments, path, NULL);
}
