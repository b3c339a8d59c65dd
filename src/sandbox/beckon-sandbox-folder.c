/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "base/beckon-error.h"
#include "base/beckon-path.h"
#include "beckon-folder.h"
#include "beckon-sandbox-portal.h"
#include "beckon-sandbox.h"

#include <stdlib.h>
#include <string.h>
#include <sys/xattr.h>

/* Whether @folder is @place, or holds it. */
static gboolean
sandbox_folder_holds (const char *folder, const char *place)
{
  return place != NULL && *place == '/' && beckon_path_is_within (place, folder);
}

/* The root, what stands directly in it, and anybody's home. */
static gboolean
is_near_root (const char *folder)
{
  const char *second = strchr (folder + 1, '/');

  return second == NULL || (g_str_has_prefix (folder, "/home/") && strchr (second + 1, '/') == NULL);
}

static void
add_place (GPtrArray *places, const char *first, ...)
{
  va_list names;
  char *path;

  va_start (names, first);
  path = g_build_filename_valist (first, &names);
  va_end (names);
  g_ptr_array_add (places, beckon_folder_resolve ("/", path, NULL));
  g_ptr_array_add (places, path);
}

/* Neither these nor what is in them, and nothing that holds them, as the folders of all configuration and all data do. The home
 * may be reached by a link, and any of them may be one: both ends count. They stay for the life of the program. */
static GPtrArray *
make_private_places (void)
{
  GPtrArray *places = g_ptr_array_new_with_free_func (g_free);

  add_place (places, g_get_user_data_dir (), "beckon", NULL);
  add_place (places, g_get_user_data_dir (), "beckon-devel", NULL);
  add_place (places, g_get_user_data_dir (), "keyrings", NULL);
  add_place (places, g_get_user_cache_dir (), "beckon", NULL);
  add_place (places, g_get_home_dir (), ".ssh", NULL);
  add_place (places, g_get_home_dir (), ".gnupg", NULL);
  add_place (places, g_get_user_runtime_dir (), NULL);
  return places;
}

static GPtrArray *
get_private_places (void)
{
  static GPtrArray *places;

  if (g_once_init_enter (&places))
    g_once_init_leave (&places, make_private_places ());
  return places;
}

gboolean
beckon_sandbox_is_private (const char *folder)
{
  GPtrArray *places = get_private_places ();

  for (guint i = 0; i < places->len; i++)
    {
      const char *place = g_ptr_array_index (places, i);

      if (beckon_path_is_within (folder, place) || sandbox_folder_holds (folder, place))
        return TRUE;
    }

  return FALSE;
}

/* The desktop hands folders into a Flatpak there and nowhere else: they can't be handed on. */
static gboolean
is_document (const char *folder)
{
  g_autofree char *documents = g_build_filename (g_get_user_runtime_dir (), "doc", NULL);

  return beckon_path_is_within (folder, "/run/flatpak/doc") || beckon_path_is_within (folder, documents);
}

gboolean
beckon_sandbox_holds_more (const char *folder)
{
  static char *home;
  static char *config;
  const char *const system[] = { "/usr", "/etc", "/proc", "/sys", "/dev", "/boot", "/run", "/bin", "/sbin", "/lib", "/lib64" };

  if (g_once_init_enter (&home))
    g_once_init_leave (&home, beckon_folder_resolve ("/", g_get_home_dir (), NULL));
  /* A folder of one program in it is work: what others run there is asked about. */
  if (g_once_init_enter (&config))
    g_once_init_leave (&config, beckon_folder_resolve ("/", g_get_user_config_dir (), NULL));
  if (is_near_root (folder) || sandbox_folder_holds (folder, g_get_home_dir ()) || sandbox_folder_holds (folder, home)
      || sandbox_folder_holds (folder, config))
    return TRUE;
  if (is_document (folder))
    return FALSE;
  if (beckon_sandbox_is_private (folder))
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (system); i++)
    if (beckon_path_is_within (folder, system[i]) && !g_str_has_prefix (folder, "/dev/shm/"))
      return TRUE;

  return FALSE;
}

gboolean
beckon_sandbox_check_folder (const char *folder, GError **error)
{
  g_autofree char *real = NULL;

  g_return_val_if_fail (folder != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  real = realpath (folder, NULL);
  if (real == NULL || !g_file_test (real, G_FILE_TEST_IS_DIR))
    {
      g_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID, "“%s” is not a folder. The user has to choose another one.",
                   folder);
      return FALSE;
    }
  if (beckon_sandbox_portal_is_needed () && is_document (real))
    {
      char path[4096];
      ssize_t length = getxattr (real, "user.document-portal.host-path", path, sizeof path - 1);
      g_autofree char *host = NULL;
      g_autofree char *name = NULL;
      g_autofree char *quoted = NULL;

      /* Its path on the computer; newer portals say so. */
      if (length > 0 && path[length - 1] == '\0')
        length--;
      host = length > 0 && g_utf8_validate (path, length, NULL) ? g_strndup (path, (gsize) length) : NULL;
      name = g_path_get_basename (real);
      quoted = host != NULL ? g_shell_quote (host) : g_strdup ("FOLDER");
      g_set_error (
          error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
          "No commands in “%s”: the desktop hands this folder to Flatpak’s Beckon for reading and writing files alone. To "
          "allow commands there, the user has to run this in a terminal, start Beckon again and choose the folder once "
          "more: flatpak override --user --filesystem=%s %s",
          name, quoted, BECKON_APPLICATION_ID);
      return FALSE;
    }
  if (strcmp (real, folder) != 0 || beckon_sandbox_holds_more (real))
    {
      g_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                   "“%s” is not handed to the agent: it holds more than work. The user has to choose a folder within it.",
                   folder);
      return FALSE;
    }

  return TRUE;
}
