/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-working-folder.h"

#include "base/beckon-error.h"
#include "base/beckon-path.h"
#include "base/beckon-text-printf.h"
#include "beckon-sandbox.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <string.h>

static char *
working_folder_resolve (const char *path)
{
  char *real = realpath (path, NULL);
  char *copy = g_strdup (real);

  free (real);
  return copy;
}

char *
beckon_working_folder_resolve (const char *path, GError **error)
{
  g_autofree char *folder = NULL;
  g_autofree char *shown = NULL;
  g_autofree char *home = working_folder_resolve (g_get_home_dir ());

  g_return_val_if_fail (path != NULL, NULL);

  folder = working_folder_resolve (path);
  shown = g_filename_display_name (path);
  if (folder == NULL || !g_file_test (folder, G_FILE_TEST_IS_DIR))
    {
      beckon_text_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID, _("“%s” is not a folder."), shown);
      return NULL;
    }
  if (!g_utf8_validate (folder, -1, NULL))
    {
      beckon_text_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                             _("The name of “%s” isn't text in UTF-8. Rename the folder, or choose another."), shown);
      return NULL;
    }
  if (beckon_path_is_within (home != NULL ? home : g_get_home_dir (), folder))
    {
      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                           _("Choose a folder inside your home folder: the whole of it holds your keys and everything "
                             "else that is private."));
      return NULL;
    }

  if (beckon_sandbox_holds_more (folder))
    {
      beckon_text_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                             _("“%s” holds more than work, such as keys or what the system runs. Choose a folder inside it, or "
                               "another."),
                             shown);
      return NULL;
    }

  return g_steal_pointer (&folder);
}
