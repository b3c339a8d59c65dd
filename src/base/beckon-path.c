/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-path.h"

#include <string.h>

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
