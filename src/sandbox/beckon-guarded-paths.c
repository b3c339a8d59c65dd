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
#define MAX_PIPES 200
#define MAX_DEPTH 64

/* A name costs no more than its reading where only pipes are looked for. */
#define MAX_NAMES 2000000

/* A runner that would run a program of this name, which nobody uses, runs whatever comes there. */
#define NEW_PROGRAM "beckon-new-program"

/* A folder to be looked into. */
typedef struct
{
  char *path; /* relative to the working folder; "" for itself */
  guint depth;
  gboolean is_guarded; /* as a whole */
} Place;

typedef struct
{
  BeckonGuardedPaths *guarded;
  BeckonRunners *runners; /* (nullable): nothing is written */
  GQueue places;
  guint n_names;
  guint n_judged;
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

static void
add_folders_above (BeckonGuardedPaths *guarded, const char *path)
{
  g_autofree char *above = g_path_get_dirname (path);

  if (strcmp (above, guarded->folder) == 0 || g_ptr_array_find_with_equal_func (guarded->folders, above, g_str_equal, NULL))
    return;
  add_folders_above (guarded, above);
  g_ptr_array_add (guarded->folders, g_steal_pointer (&above));
}

/* @path: (transfer full): absolute; one of @paths */
static void
add_path (BeckonGuardedPaths *guarded, GPtrArray *paths, char *path)
{
  if (guarded->paths->len + guarded->folders->len + guarded->missing->len >= MAX_MOUNTS)
    {
      guarded->is_cut = TRUE;
      g_free (path);
      return;
    }
  add_folders_above (guarded, path);
  g_ptr_array_add (paths, path);
}

/* A file that is not there yet can't be made where nothing can be put at the first name on its way that is missing. */
static void
add_missing (BeckonGuardedPaths *guarded, const char *path)
{
  g_autofree char *first = g_strdup (path);

  for (gsize i = strlen (guarded->folder) + 1; path[i] != '\0'; i += path[i] == '/')
    {
      i += strcspn (path + i, "/");
      first[i] = '\0';
      if (beckon_placeholder_has_room (first))
        break;
      if (g_ptr_array_find_with_equal_func (guarded->paths, first, g_str_equal, NULL))
        return;
      /* A file stands where a folder would have to. */
      if (path[i] != '\0' && !g_file_test (first, G_FILE_TEST_IS_DIR))
        {
          add_path (guarded, guarded->paths, g_steal_pointer (&first));
          return;
        }
      first[i] = path[i];
    }
  if (beckon_placeholder_has_room (first) && !g_ptr_array_find_with_equal_func (guarded->missing, first, g_str_equal, NULL))
    add_path (guarded, guarded->missing, g_steal_pointer (&first));
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

  return beckon_runners_is_git (path, guarded->folder) && is_folder (whole, "objects") && is_folder (whole, "refs");
}

/* (nullable): why a change of @path is not for a server to make. */
static char *
find_reason (Search *search, const char *path, const BeckonRunnerChange *change)
{
  return beckon_runners_why (search->runners, path, beckon_runners_is_git, search->guarded->folder, change);
}

static gboolean
is_run (Search *search, const char *path, mode_t mode)
{
  const BeckonRunnerChange change = { .mode_before = mode, .mode_after = mode };
  g_autofree char *why = find_reason (search, path, &change);

  return why != NULL || (S_ISREG (mode) && beckon_runners_is_program (search->runners, path, &change));
}

static gboolean
runs_new (Search *search, const char *folder)
{
  const BeckonRunnerChange change = { .mode_after = S_IFREG | 0700 };
  g_autofree char *path = g_build_filename (folder, NEW_PROGRAM, NULL);
  g_autofree char *why = find_reason (search, path, &change);

  return why != NULL;
}

/* Folders are guarded as a whole where all that may come there counts: mounts over single files in them end as soon as another
 * program saves those anew. No folder is a HEAD, and locks of Git go in a moment. @mode: of a link, not of what it leads to */
static gboolean
is_trigger (Search *search, const char *path, const char *name, mode_t mode, gboolean is_in_git)
{
  if (S_ISDIR (mode))
    return (beckon_runner_table_find_beginning (name) != NULL && !beckon_runner_table_is_installed (path))
           || is_bare_repository (search->guarded, path)
           || (g_ascii_strcasecmp (name, "HEAD") != 0 && is_run (search, path, mode)) || runs_new (search, path);

  return (!is_in_git || !g_str_has_suffix (name, ".lock")) && is_run (search, path, mode);
}

static void
look_at_name (Search *search, const Place *place, const char *name, mode_t mode, gboolean is_in_git)
{
  BeckonGuardedPaths *guarded = search->guarded;
  Place *inner = place_new (place->path, name, place->depth + 1);
  g_autofree char *path = g_build_filename (guarded->folder, inner->path, NULL);

  inner->is_guarded = place->is_guarded || search->runners == NULL || guarded->is_cut;
  if (S_ISFIFO (mode) && guarded->pipes->len == MAX_PIPES)
    guarded->has_more = TRUE;
  else if (S_ISFIFO (mode))
    g_ptr_array_add (guarded->pipes, g_strdup (path));
  if (!inner->is_guarded && is_trigger (search, inner->path, name, mode, is_in_git))
    {
      inner->is_guarded = TRUE;
      if (S_ISLNK (mode))
        {
          const BeckonRunner *runner = beckon_runner_table_find (inner->path, NULL);

          /* A link can't be mounted over: where one chooses what is run, nothing may be written. */
          if (g_ascii_strcasecmp (name, ".git") == 0 || runner == NULL || (runner->flags & BECKON_RUNNER_OBEYS) == 0)
            guarded->is_cut = TRUE;
        }
      else if (!beckon_placeholder_is_one (path))
        add_path (guarded, guarded->paths, g_steal_pointer (&path));
    }
  if (S_ISDIR (mode))
    g_queue_push_tail (&search->places, g_steal_pointer (&inner));
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
  BeckonGuardedPaths *guarded = search->guarded;
  g_autofree char *path = g_build_filename (guarded->folder, place->path, NULL);
  gboolean is_in_git = !place->is_guarded && beckon_runners_is_git (place->path, guarded->folder);
  DIR *directory = opendir (path);
  struct dirent *entry;

  if (directory == NULL && errno != EACCES && errno != ENOENT)
    guarded->has_more = TRUE;
  while (directory != NULL && !guarded->has_more && (entry = readdir (directory)) != NULL)
    {
      if (strcmp (entry->d_name, ".") == 0 || strcmp (entry->d_name, "..") == 0)
        continue;
      guarded->is_cut = guarded->is_cut || (!place->is_guarded && search->n_judged++ >= BECKON_RUNNERS_MAX_ENTRIES);
      guarded->has_more = search->n_names++ >= MAX_NAMES;
      look_at_name (search, place, entry->d_name, find_mode (dirfd (directory), entry), is_in_git);
    }
  if (directory != NULL)
    closedir (directory);
}

static int
guarded_paths_compare_paths (gconstpointer one, gconstpointer other)
{
  return strcmp (*(const char *const *) one, *(const char *const *) other);
}

BeckonGuardedPaths *
beckon_guarded_paths_look (const char *folder, gboolean may_write, GCancellable *cancellable)
{
  g_autoptr (BeckonRunners) runners = NULL;
  BeckonGuardedPaths *guarded;
  Search search = { .places = G_QUEUE_INIT };
  Place *place;

  g_return_val_if_fail (folder != NULL, NULL);

  guarded = search.guarded = g_new0 (BeckonGuardedPaths, 1);
  guarded->folder = g_strdup (folder);
  guarded->paths = g_ptr_array_new_with_free_func (g_free);
  guarded->folders = g_ptr_array_new_with_free_func (g_free);
  guarded->missing = g_ptr_array_new_with_free_func (g_free);
  guarded->pipes = g_ptr_array_new_with_free_func (g_free);
  if (may_write)
    {
      search.runners = runners = beckon_runners_new (folder, BECKON_RUNNERS_MAX_ENTRIES);
      guarded->is_cut = runs_new (&search, "");
    }
  g_queue_push_tail (&search.places, place_new ("", "", 0));
  while ((place = g_queue_pop_head (&search.places)) != NULL)
    {
      if (place->depth < MAX_DEPTH && !guarded->has_more && !g_cancellable_is_cancelled (cancellable))
        look_into (&search, place);
      else
        guarded->has_more = TRUE;
      place_free (place);
    }
  for (guint i = 0; runners != NULL && i < beckon_runners_list_awaited (runners)->len; i++)
    add_missing (guarded, g_ptr_array_index (beckon_runners_list_awaited (runners), i));
  guarded->is_cut = guarded->is_cut || guarded->has_more;
  g_ptr_array_sort (guarded->paths, guarded_paths_compare_paths);
  g_ptr_array_sort (guarded->folders, guarded_paths_compare_paths);
  return guarded;
}

void
beckon_guarded_paths_free (BeckonGuardedPaths *guarded)
{
  if (guarded == NULL)
    return;
  g_free (guarded->folder);
  g_ptr_array_unref (guarded->paths);
  g_ptr_array_unref (guarded->folders);
  g_ptr_array_unref (guarded->missing);
  g_ptr_array_unref (guarded->pipes);
  g_free (guarded);
}
