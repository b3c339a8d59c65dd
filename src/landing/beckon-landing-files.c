/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-landing-files.h"

#include <gio/gio.h>
#include <string.h>
#include <sys/stat.h>

/* Folders within folders beyond this are not looked into. */
#define MOST_DEEP 64

typedef struct
{
  GPtrArray *paths;
  guint most;
} Walk;

/* A whiteout of the upper layer stands for a file that is gone. */
static gboolean
is_whiteout (GFileInfo *info)
{
  return S_ISCHR (g_file_info_get_attribute_uint32 (info, G_FILE_ATTRIBUTE_UNIX_MODE))
         && g_file_info_get_attribute_uint32 (info, G_FILE_ATTRIBUTE_UNIX_RDEV) == 0;
}

static void
walk_folder (Walk *walk, GFile *folder, const char *path, guint depth)
{
  g_autoptr (GFileEnumerator) entries
    = g_file_enumerate_children (folder, "standard::name,standard::type,unix::mode,unix::rdev",
                                 G_FILE_QUERY_INFO_NOFOLLOW_SYMLINKS, NULL, NULL);
  GFileInfo *info;
  GFile *child;

  while (entries != NULL && walk->paths->len < walk->most
         && g_file_enumerator_iterate (entries, &info, &child, NULL, NULL) && info != NULL)
    {
      g_autofree char *inside = g_build_filename (path, g_file_info_get_name (info), NULL);

      if (g_file_info_get_file_type (info) == G_FILE_TYPE_DIRECTORY && depth < MOST_DEEP)
        walk_folder (walk, child, inside, depth + 1);
      else if (!is_whiteout (info))
        g_ptr_array_add (walk->paths, g_steal_pointer (&inside));
    }
}

static int
compare_paths (gconstpointer one, gconstpointer other)
{
  return strcmp (*(const char *const *) one, *(const char *const *) other);
}

GPtrArray *
beckon_landing_list_files (const BeckonLanding *landing, const BeckonFileChange *change, guint most)
{
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);
  Walk walk = { .paths = paths, .most = most };
  g_autofree char *whole = NULL;
  g_autoptr (GFile) folder = NULL;

  g_return_val_if_fail (landing != NULL && change != NULL, NULL);

  /* A deleted folder is still whole where the person has it. */
  whole = change->kind == BECKON_FILE_DELETED ? g_build_filename (landing->folder, change->path, NULL)
                                              : g_build_filename (landing->place, "upper", change->path, NULL);
  folder = g_file_new_for_path (whole);
  walk_folder (&walk, folder, change->path, 0);
  g_ptr_array_sort (paths, compare_paths);
  return g_steal_pointer (&paths);
}
