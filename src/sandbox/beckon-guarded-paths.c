/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE

#include "beckon-config.h"

#include "beckon-guarded-paths.h"

#include "beckon-placeholder.h"
#include "landing/beckon-runners.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

/* Each is a mount, with a descriptor that is open until it is made. */
#define MAX_MOUNTS 200
#define MAX_NAMES 200000
#define MAX_DEPTH 64

struct _BeckonGuardedPaths
{
  char *folder;
  GPtrArray *paths;
  GPtrArray *folders;
  gboolean is_cut;
};

/* A folder to be looked into. */
typedef struct
{
  char *path; /* relative to the working folder; "" for itself */
  guint depth;
} Place;

typedef struct
{
  BeckonGuardedPaths *guarded;
  GQueue places;
  guint n_names;
} Search;

static Place *
place_new (const char *folder, const char *name, guint depth)
{
  Place *place = g_new0 (Place, 1);

  place->path = *folder != '\0' ? g_build_filename (folder, name, NULL) : g_strdup (name);
  place->depth = depth;
  return place;
}

static void
place_free (Place *place)
{
  g_free (place->path);
  g_free (place);
}

static gboolean
has_head (const char *folder, gpointer data)
{
  g_autofree char *head = g_build_filename (data, folder, "HEAD", NULL);
  struct stat info;

  return lstat (head, &info) == 0;
}

static guint
count_mounts (const BeckonGuardedPaths *guarded)
{
  return guarded->paths->len + guarded->folders->len;
}

static void
add_folders_above (BeckonGuardedPaths *guarded, const char *path)
{
  g_autofree char *above = g_path_get_dirname (path);

  if (strcmp (above, guarded->folder) == 0 || g_ptr_array_find_with_equal_func (guarded->folders, above, g_str_equal, NULL))
    return;
  add_folders_above (guarded, above);
  g_ptr_array_add (guarded->folders, g_steal_pointer (&above));
}

/* @path: (transfer full): absolute */
static void
add_path (BeckonGuardedPaths *guarded, char *path)
{
  if (count_mounts (guarded) >= MAX_MOUNTS)
    {
      guarded->is_cut = TRUE;
      g_free (path);
      return;
    }
  add_folders_above (guarded, path);
  g_ptr_array_add (guarded->paths, path);
}

static gboolean
is_folder (const char *path, const char *name)
{
  g_autofree char *whole = g_build_filename (path, name, NULL);
  struct stat info;

  return lstat (whole, &info) == 0 && S_ISDIR (info.st_mode);
}

/* Git takes it for a repository, whatever it is called. */
static gboolean
is_bare_repository (const BeckonGuardedPaths *guarded, const char *path)
{
  g_autofree char *whole = g_build_filename (guarded->folder, path, NULL);

  return has_head (path, guarded->folder) && is_folder (whole, "objects") && is_folder (whole, "refs");
}

/* Folders are guarded as a whole: mounts over single files in them end as soon as another program saves those anew. Locks of
 * Git go in a moment. @mode: of a link, not of what it leads to */
static gboolean
is_trigger (const Search *search, const char *path, const char *name, mode_t mode, gboolean is_in_git)
{
  if ((S_ISDIR (mode) && beckon_runner_table_find_beginning (name) != NULL && !beckon_runner_table_is_installed (path))
      || (S_ISDIR (mode) && is_bare_repository (search->guarded, path)) || beckon_runner_table_find (path, NULL) != NULL)
    return TRUE;

  return (is_in_git || *name == '.') && (S_ISDIR (mode) || !is_in_git || !g_str_has_suffix (name, ".lock"))
         && beckon_runner_git_obeys (path, has_head, search->guarded->folder);
}

static void
look_at_name (Search *search, const Place *place, const char *name, mode_t mode, gboolean is_in_git)
{
  BeckonGuardedPaths *guarded = search->guarded;
  Place *inner = place_new (place->path, name, place->depth + 1);
  g_autofree char *path = g_build_filename (guarded->folder, inner->path, NULL);

  if (is_trigger (search, inner->path, name, mode, is_in_git))
    {
      if (S_ISLNK (mode))
        guarded->is_cut = guarded->is_cut || g_ascii_strcasecmp (name, ".git") == 0;
      else if (!beckon_placeholder_is_one (path))
        add_path (guarded, g_steal_pointer (&path));
    }
  else if (S_ISDIR (mode))
    {
      g_queue_push_tail (&search->places, g_steal_pointer (&inner));
    }
  g_clear_pointer (&inner, place_free);
}

static mode_t
find_mode (int folder, const struct dirent *entry)
{
  struct stat info;

  if (entry->d_type != DT_UNKNOWN)
    return DTTOIF (entry->d_type);
  return fstatat (folder, entry->d_name, &info, AT_SYMLINK_NOFOLLOW) == 0 ? info.st_mode : 0;
}

/* A folder that can't be read is not looked into; a command can make it readable, but nothing in it was run before. */
static void
look_into (Search *search, const Place *place)
{
  g_autofree char *path = g_build_filename (search->guarded->folder, place->path, NULL);
  gboolean is_in_git = has_head (place->path, search->guarded->folder);
  DIR *directory = opendir (path);
  struct dirent *entry;

  if (directory == NULL && errno != EACCES && errno != ENOENT)
    search->guarded->is_cut = TRUE;
  while (directory != NULL && !search->guarded->is_cut && (entry = readdir (directory)) != NULL)
    {
      if (strcmp (entry->d_name, ".") == 0 || strcmp (entry->d_name, "..") == 0)
        continue;
      if (search->n_names++ >= MAX_NAMES)
        {
          search->guarded->is_cut = TRUE;
          break;
        }
      look_at_name (search, place, entry->d_name, find_mode (dirfd (directory), entry), is_in_git);
    }
  if (directory != NULL)
    closedir (directory);
}

static int
compare_paths (gconstpointer one, gconstpointer other)
{
  return strcmp (*(const char *const *) one, *(const char *const *) other);
}

BeckonGuardedPaths *
beckon_guarded_paths_look (const char *folder, GCancellable *cancellable)
{
  BeckonGuardedPaths *guarded;
  Search search = { .places = G_QUEUE_INIT };
  Place *place;

  g_return_val_if_fail (folder != NULL, NULL);

  guarded = search.guarded = g_new0 (BeckonGuardedPaths, 1);
  guarded->folder = g_strdup (folder);
  guarded->paths = g_ptr_array_new_with_free_func (g_free);
  guarded->folders = g_ptr_array_new_with_free_func (g_free);
  g_queue_push_tail (&search.places, place_new ("", "", 0));
  while ((place = g_queue_pop_head (&search.places)) != NULL)
    {
      if (place->depth < MAX_DEPTH && !guarded->is_cut && !g_cancellable_is_cancelled (cancellable))
        look_into (&search, place);
      else
        guarded->is_cut = TRUE;
      place_free (place);
    }
  g_ptr_array_sort (guarded->paths, compare_paths);
  g_ptr_array_sort (guarded->folders, compare_paths);
  return guarded;
}

gboolean
beckon_guarded_paths_is_cut (const BeckonGuardedPaths *guarded)
{
  g_return_val_if_fail (guarded != NULL, TRUE);

  return guarded->is_cut;
}

GPtrArray *
beckon_guarded_paths_get_paths (const BeckonGuardedPaths *guarded)
{
  g_return_val_if_fail (guarded != NULL, NULL);

  return guarded->paths;
}

GPtrArray *
beckon_guarded_paths_get_folders (const BeckonGuardedPaths *guarded)
{
  g_return_val_if_fail (guarded != NULL, NULL);

  return guarded->folders;
}

void
beckon_guarded_paths_free (BeckonGuardedPaths *guarded)
{
  if (guarded == NULL)
    return;
  g_free (guarded->folder);
  g_ptr_array_unref (guarded->paths);
  g_ptr_array_unref (guarded->folders);
  g_free (guarded);
}
