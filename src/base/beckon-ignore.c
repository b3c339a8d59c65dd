/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-ignore.h"

#include "beckon-glob.h"

#include <string.h>

#define MAX_LINES 1000

typedef struct
{
  BeckonGlob *glob;
  gboolean is_negated;
  gboolean only_folders;
} Line;

struct _BeckonIgnore
{
  const BeckonIgnore *above;
  char *path;
  GArray *lines;
};

static void
line_clear (gpointer data)
{
  beckon_glob_free (((Line *) data)->glob);
}

BeckonIgnore *
beckon_ignore_new (const BeckonIgnore *above, const char *path, GBytes *bytes)
{
  BeckonIgnore *self = g_new0 (BeckonIgnore, 1);
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;

  self->above = above;
  self->path = g_strdup (path);
  self->lines = g_array_new (FALSE, FALSE, sizeof (Line));
  g_array_set_clear_func (self->lines, line_clear);
  if (bytes == NULL)
    return self;

  text = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  lines = g_strsplit (text, "\n", MAX_LINES + 1);
  for (guint i = 0; lines[i] != NULL && i < MAX_LINES; i++)
    {
      char *written = lines[i];
      Line line = { .is_negated = written[0] == '!' };
      char *pattern = g_strchomp (written + line.is_negated);
      gsize length = strlen (pattern);

      /* A slash at the end says folders; any other binds the pattern to the folder that holds the file. */
      if (length == 0 || written[0] == '#')
        continue;
      line.only_folders = pattern[length - 1] == '/';
      if (line.only_folders)
        pattern[length - 1] = '\0';

      /* A leading slash only makes it bound, which it is for having a slash at all. */
      line.glob = beckon_glob_new (pattern, NULL);
      if (line.glob != NULL)
        g_array_append_val (self->lines, line);
    }
  return self;
}

/* @path as seen from the folder that holds the file. */
static const char *
relate (const BeckonIgnore *self, const char *path)
{
  gsize length = strlen (self->path);

  return strcmp (self->path, ".") != 0 && strncmp (path, self->path, length) == 0 ? path + length + 1 : path;
}

/* The last line that matches decides, and the folder below before the one above. */
gboolean
beckon_ignore_matches (const BeckonIgnore *ignore, const char *path, gboolean is_folder)
{
  for (; ignore != NULL; ignore = ignore->above)
    for (guint i = ignore->lines->len; i > 0; i--)
      {
        const Line *line = &g_array_index (ignore->lines, Line, i - 1);

        if ((is_folder || !line->only_folders) && beckon_glob_matches (line->glob, relate (ignore, path)))
          return !line->is_negated;
      }

  return FALSE;
}

void
beckon_ignore_free (BeckonIgnore *ignore)
{
  if (ignore == NULL)
    return;

  g_array_unref (ignore->lines);
  g_free (ignore->path);
  g_free (ignore);
}
