/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-tree.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <sys/stat.h>

static gboolean
is_folder (const char *path)
{
  GStatBuf info;

  return g_lstat (path, &info) == 0 && S_ISDIR (info.st_mode);
}

void
beckon_tree_remove (const char *path)
{
  g_autoptr (GDir) dir = is_folder (path) ? g_dir_open (path, 0, NULL) : NULL;
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *child = g_build_filename (path, name, NULL);

      beckon_tree_remove (child);
    }
  if (g_remove (path) != 0 && errno != ENOENT && errno != ENOTEMPTY)
    g_error ("%s: %s", path, g_strerror (errno));
}

guint
beckon_tree_count (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GDir) dir = g_dir_open (path, 0, &error);
  guint n = 0;

  g_assert_no_error (error);
  while (g_dir_read_name (dir) != NULL)
    n++;
  return n;
}
