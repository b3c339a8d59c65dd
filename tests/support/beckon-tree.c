/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-tree.h"

#include <errno.h>
#include <gio/gio.h>
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

static char *built; /* BECKON_LIBEXECDIR, while helpers are shared */

void
beckon_tree_share_helpers (const char *path)
{
  static const char *const helpers[] = { "beckon-confine", "beckon-pdf-text" };
  g_auto (GStrv) folders = NULL;

  g_assert_null (built);
  built = g_strdup (g_getenv ("BECKON_LIBEXECDIR"));
  folders = g_strsplit (built, G_SEARCHPATH_SEPARATOR_S, -1);

  for (gsize i = 0; i < G_N_ELEMENTS (helpers); i++)
    for (gsize j = 0; folders[j] != NULL; j++)
      {
        g_autoptr (GFile) from = g_file_new_build_filename (folders[j], helpers[i], NULL);
        g_autoptr (GFile) to = g_file_new_build_filename (path, helpers[i], NULL);
        g_autoptr (GError) error = NULL;

        if (!g_file_query_exists (from, NULL))
          continue;
        g_file_copy (from, to, G_FILE_COPY_OVERWRITE, NULL, NULL, NULL, &error);
        g_assert_no_error (error);
        g_assert_cmpint (g_chmod (g_file_peek_path (to), 0755), ==, 0);
      }
  g_setenv ("BECKON_LIBEXECDIR", path, TRUE);
}

void
beckon_tree_unshare_helpers (void)
{
  g_setenv ("BECKON_LIBEXECDIR", built, TRUE);
  g_clear_pointer (&built, g_free);
}
