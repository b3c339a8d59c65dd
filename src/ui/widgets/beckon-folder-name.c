/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-folder-name.h"

#include "base/beckon-path.h"
#include "base/beckon-text.h"

char *
beckon_folder_name_shorten (const char *path)
{
  const char *home = g_get_home_dir ();
  g_autofree char *shorter = NULL;
  const char *relative = !g_str_equal (home, "/") ? beckon_path_relate (path, home) : NULL;

  if (relative != NULL)
    shorter = *relative != '\0' ? g_strconcat ("~/", relative, NULL) : g_strdup ("~");
  return beckon_text_for_display (shorter != NULL ? shorter : path, -1, BECKON_TEXT_EXACT);
}

char *
beckon_folder_name_get_last (const char *path)
{
  g_autofree char *base = g_path_get_basename (path);

  return beckon_text_for_display (base, -1, BECKON_TEXT_EXACT);
}
