/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE

#include "beckon-config.h"

#include "beckon-bwrap-arguments.h"

#include <string.h>

/* Its program is a few dozen kilobytes; what is larger is something else. */
#define MAX_PROGRAM (4 * 1024 * 1024)

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

gboolean
beckon_bwrap_binds_descriptors (const char *program)
{
  static GMutex lock;
  static char *looked_at;
  static gboolean answer;
  g_autoptr (GMutexLocker) locker = NULL;
  g_autoptr (GMappedFile) file = NULL;
  gsize length;

  g_return_val_if_fail (program != NULL, FALSE);

  locker = g_mutex_locker_new (&lock);
  if (g_strcmp0 (program, looked_at) == 0)
    return answer;

  g_free (looked_at);
  looked_at = g_strdup (program);
  file = g_mapped_file_new (program, FALSE, NULL);
  length = file != NULL ? g_mapped_file_get_length (file) : 0;
  answer = length > 0 && length <= MAX_PROGRAM
           && memmem (g_mapped_file_get_contents (file), length, "--bind-fd", strlen ("--bind-fd")) != NULL;
  return answer;
}
