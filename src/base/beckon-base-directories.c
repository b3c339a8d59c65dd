/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-base-directories.h"

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
