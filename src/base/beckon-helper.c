/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-helper.h"

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
