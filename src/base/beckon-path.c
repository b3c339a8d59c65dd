/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-path.h"

#include <string.h>

#include "beckon-config.h"

const char *
beckon_path_relate (const char *path, const char *folder)
{
  gsize length;

  g_return_val_if_fail (path != NULL && folder != NULL, NULL);

  length = strcmp (folder, "/") == 0 ? 0 : strlen (folder);
  if (*folder == '\0' || strncmp (path, folder, length) != 0)
    return NULL;
  if (path[length] == '\0')
    return path + length;

  return path[length] == '/' ? path + length + 1 : NULL;
}

gboolean
beckon_path_is_within (const char *path, const char *folder)
{
  return beckon_path_relate (path, folder) != NULL;
}

void
beckon_base_directories_check (void)
{
  static const char *const names[] = {
    "HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR", "XDG_STATE_HOME",
  };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      const char *path = g_getenv (names[i]);

      if (path != NULL && !g_path_is_absolute (path))
        g_unsetenv (names[i]);
    }
}

char *
beckon_helper_find (const char *name)
{
  const char *variable = g_getenv ("BECKON_LIBEXECDIR");
  g_auto (GStrv) folders = g_strsplit (variable != NULL ? variable : BECKON_LIBEXECDIR, G_SEARCHPATH_SEPARATOR_S, -1);

  g_return_val_if_fail (name != NULL, NULL);

  for (guint i = 0; folders[i] != NULL; i++)
    {
      g_autofree char *path = g_build_filename (folders[i], name, NULL);

      if (g_file_test (path, G_FILE_TEST_IS_EXECUTABLE))
        return g_steal_pointer (&path);
    }
  return g_build_filename (BECKON_LIBEXECDIR, name, NULL);
}
