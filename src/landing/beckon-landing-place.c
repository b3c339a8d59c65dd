/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE

#include "beckon-config.h"

#include "beckon-landing-place.h"

#include "base/beckon-error.h"
#include "base/beckon-text-printf.h"
#include "beckon-lander-private.h"
#include "beckon-landing-root.h"
#include "beckon-landing-tree-copy.h"
#include "beckon-landing-tree.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

/* In a place: the inode of the folder that it is of, and on the next line its path. */
#define FOLDER "folder"

/* In a place: how far the clock that people set was ahead of the one that they cannot, when the place was made. */
#define CLOCK "clock"

#define MAX_NOTE 8192

/* A clock that is corrected goes slower, and is not set. */
#define LEAST_STEP (100 * G_GINT64_CONSTANT (1000000))

static char *
get_landings (void)
{
  return g_build_filename (g_get_user_data_dir (), BECKON_DATA_FOLDER, "landings", NULL);
}

char *
beckon_landing_place_get_path (const char *call_id)
{
  g_autofree char *landings = get_landings ();

  g_return_val_if_fail (call_id != NULL && *call_id != '\0' && *call_id != '.' && strchr (call_id, '/') == NULL, NULL);

  return g_build_filename (landings, call_id, NULL);
}

static gboolean
landing_place_refuse (const char *path, GError **error)
{
  int saved_errno = errno;
  g_autofree char *shown = g_filename_display_name (path);

  beckon_text_set_error (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE, _("The private folder “%s” can’t be made: %s"), shown,
                         beckon_errno_describe (saved_errno));
  return FALSE;
}

static gint64
get_lead (void)
{
  struct timespec set, unset;

  clock_gettime (CLOCK_REALTIME, &set);
  clock_gettime (CLOCK_BOOTTIME, &unset);
  return (gint64) (set.tv_sec - unset.tv_sec) * G_GINT64_CONSTANT (1000000000) + set.tv_nsec - unset.tv_nsec;
}

gint64
beckon_landing_place_get_step_back (const char *place)
{
  g_autofree char *file = NULL;
  g_autofree char *text = NULL;
  gint64 step;

  g_return_val_if_fail (place != NULL, 0);

  file = g_build_filename (place, CLOCK, NULL);
  if (!g_file_get_contents (file, &text, NULL, NULL))
    return 0;

  step = g_ascii_strtoll (text, NULL, 10) - get_lead ();
  return step >= LEAST_STEP ? step : 0;
}

char *
beckon_landing_place_make (const char *call_id, GError **error)
{
  g_autofree char *landings = get_landings ();
  g_autofree char *place = NULL;
  g_autofree char *clock = NULL;
  g_autofree char *text = NULL;

  g_return_val_if_fail (call_id != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  place = beckon_landing_place_get_path (call_id);
  if (g_mkdir_with_parents (landings, 0700) != 0)
    {
      landing_place_refuse (landings, error);
      return NULL;
    }
  if (!beckon_landing_place_remove (place, error))
    return NULL;
  if (mkdir (place, 0700) != 0)
    {
      landing_place_refuse (place, error);
      return NULL;
    }

  clock = g_build_filename (place, CLOCK, NULL);
  text = g_strdup_printf ("%" G_GINT64_FORMAT, get_lead ());
  return g_file_set_contents_full (clock, text, -1, G_FILE_SET_CONTENTS_NONE, 0600, error) ? g_steal_pointer (&place) : NULL;
}

/* By its inode, which it keeps wherever it is moved to. */
gboolean
beckon_landing_place_bind (const char *place, const char *folder, GError **error)
{
  g_autofree char *file = NULL;
  g_autofree char *text = NULL;
  struct stat info;

  g_return_val_if_fail (place != NULL && folder != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (stat (folder, &info) != 0)
    return landing_place_refuse (place, error);

  file = g_build_filename (place, FOLDER, NULL);
  text = g_strdup_printf ("%" G_GUINT64_FORMAT "\n%s", (guint64) info.st_ino, folder);
  return g_file_set_contents (file, text, -1, error);
}

char *
beckon_landing_place_dup_folder (int place)
{
  g_auto (BeckonFd) fd = openat (place, FOLDER, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  g_autofree char *text = fd >= 0 ? beckon_landing_tree_read (fd, MAX_NOTE, NULL) : NULL;
  const char *path = text != NULL ? strchr (text, '\n') : NULL;

  return path != NULL && path[1] == '/' ? g_strdup (path + 1) : NULL;
}

gboolean
beckon_landing_place_is_of (int place, int folder)
{
  char text[32] = "";
  struct stat info;
  g_auto (BeckonFd) fd = openat (place, FOLDER, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);

  return fd < 0
         || (read (fd, text, sizeof text - 1) > 0 && fstat (folder, &info) == 0
             && g_ascii_strtoull (text, NULL, 10) == (guint64) info.st_ino);
}

/* A file system without locks is for one process alone. */
void
beckon_landing_place_lock (int place)
{
  while (flock (place, LOCK_EX) != 0 && errno == EINTR)
    continue;
}

/* The layer, and what the command's surveys have to know; the same of a Git directory elsewhere. */
static gboolean
copy_place (int from, int to)
{
  static const char *const files[] = { FOLDER, CLOCK, "hidden", "landed", "index", "own", "within" };
  g_auto (BeckonFd) from_git = beckon_landing_tree_open (from, BECKON_LANDING_ROOT_GIT, O_RDONLY | O_DIRECTORY);
  g_auto (BeckonFd) to_git = -1;
  struct stat info;

  unlinkat (to, CLOCK, 0);
  if (from_git >= 0
      && (mkdirat (to, BECKON_LANDING_ROOT_GIT, 0700) != 0
          || (to_git = beckon_landing_tree_open (to, BECKON_LANDING_ROOT_GIT, O_RDONLY | O_DIRECTORY)) < 0
          || !copy_place (from_git, to_git)))
    return FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    if (beckon_landing_tree_look (from, files[i], &info)
        && !beckon_landing_tree_copy (from, files[i], to, files[i], BECKON_TREE_COPY_OURS))
      return FALSE;

  return beckon_landing_tree_copy (from, "upper", to, "upper", BECKON_TREE_COPY_LAYER);
}

char *
beckon_landing_place_copy (const char *place, const char *id, GError **error)
{
  g_autofree char *copy = NULL;
  g_auto (BeckonFd) from = -1;
  g_auto (BeckonFd) to = -1;

  g_return_val_if_fail (place != NULL && id != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  copy = beckon_landing_place_make (id, error);
  if (copy == NULL)
    return NULL;

  from = open (place, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  to = open (copy, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (from >= 0 && to >= 0 && copy_place (from, to))
    return g_steal_pointer (&copy);

  landing_place_refuse (copy, error);
  beckon_landing_place_remove (copy, NULL);
  return NULL;
}

/* Another folder at the path of the one that it was bound to is left alone. */
static void
sweep_stage (const char *place, int fd, gboolean with_ready)
{
  g_autofree char *id = g_path_get_basename (place);
  g_autofree char *path = beckon_landing_place_dup_folder (fd);
  g_auto (BeckonFd) folder = path != NULL ? open (path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;

  if (folder >= 0 && beckon_landing_place_is_of (fd, folder))
    beckon_lander_stage_sweep (folder, fd, id, with_ready);
}

void
beckon_landing_place_sweep (const char *place)
{
  g_auto (BeckonFd) fd = -1;

  g_return_if_fail (place != NULL);

  fd = open (place, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  /* A process that has the lock is at work there. */
  if (fd >= 0 && flock (fd, LOCK_EX | LOCK_NB) == 0)
    sweep_stage (place, fd, FALSE);
}

gboolean
beckon_landing_place_remove (const char *place, GError **error)
{
  g_autofree char *parent = NULL;
  g_autofree char *name = NULL;
  g_auto (BeckonFd) fd = -1;
  g_auto (BeckonFd) own = -1;

  g_return_val_if_fail (place != NULL && g_path_is_absolute (place), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  parent = g_path_get_dirname (place);
  name = g_path_get_basename (place);
  fd = open (parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0)
    return errno == ENOENT || landing_place_refuse (parent, error);

  own = openat (fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (own >= 0)
    {
      beckon_landing_place_lock (own);
      sweep_stage (place, own, TRUE);
    }
  return beckon_landing_tree_remove (fd, name, error);
}

/* A folder that cannot be opened counts by itself alone. */
static guint64
landing_place_measure (int folder, const char *name, guint depth)
{
  g_autoptr (BeckonEntries) entries = NULL;
  struct stat info;
  const char *inner;
  guint64 bytes;

  if (!beckon_landing_tree_look (folder, name, &info))
    return 0;
  bytes = (guint64) info.st_blocks * 512;
  if (!S_ISDIR (info.st_mode) || depth > BECKON_LANDING_TREE_MAX_DEPTH)
    return bytes;

  entries = beckon_landing_tree_list (folder, name, FALSE);
  while ((inner = beckon_landing_tree_next (entries)) != NULL)
    bytes += landing_place_measure (dirfd (entries), inner, depth + 1);
  return bytes;
}

guint64
beckon_landing_place_measure (const char *place)
{
  g_return_val_if_fail (place != NULL, 0);

  return landing_place_measure (AT_FDCWD, place, 0);
}

GPtrArray *
beckon_landing_place_list (void)
{
  g_autofree char *landings = get_landings ();
  g_autoptr (GDir) names = g_dir_open (landings, 0, NULL);
  GPtrArray *ids = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  while (names != NULL && (name = g_dir_read_name (names)) != NULL)
    g_ptr_array_add (ids, g_strdup (name));
  return ids;
}

/* Tables. */

GHashTable *
beckon_landing_table_new (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
}

/* A record, and a path with a zero byte behind it. */
GHashTable *
beckon_landing_table_load (const char *place, const char *name, gsize size, GError **error)
{
  g_autoptr (GHashTable) table = beckon_landing_table_new ();
  g_autofree char *file = g_build_filename (place, name, NULL);
  g_autofree char *bytes = NULL;
  g_autoptr (GError) problem = NULL;
  gsize length = 0;

  if (!g_file_get_contents (file, &bytes, &length, &problem)
      && !g_error_matches (problem, G_FILE_ERROR, G_FILE_ERROR_NOENT))
    {
      g_propagate_error (error, g_steal_pointer (&problem));
      return NULL;
    }
  for (gsize at = 0; at + size < length; at += size + strlen (bytes + at + size) + 1)
    g_hash_table_insert (table, g_strdup (bytes + at + size), size > 0 ? g_memdup2 (bytes + at, size) : NULL);
  return g_steal_pointer (&table);
}

gboolean
beckon_landing_table_save (GHashTable *table, const char *place, const char *name, gsize size, GError **error)
{
  g_autofree char *file = g_build_filename (place, name, NULL);
  g_autoptr (GString) bytes = g_string_new (NULL);
  GHashTableIter iter;
  gpointer path, record;

  g_hash_table_iter_init (&iter, table);
  while (g_hash_table_iter_next (&iter, &path, &record))
    {
      if (size > 0)
        g_string_append_len (bytes, record, (gssize) size);
      g_string_append_len (bytes, path, (gssize) strlen (path) + 1);
    }
  return g_file_set_contents (file, bytes->str, (gssize) bytes->len, error);
}

gboolean
beckon_landing_table_covers (GHashTable *table, const char *path)
{
  g_autofree char *at = g_strdup (path);

  if (g_hash_table_size (table) == 0)
    return FALSE;
  for (char *slash = at; slash != NULL; slash = strrchr (at, '/'))
    {
      if (slash != at)
        *slash = '\0';
      if (g_hash_table_contains (table, at))
        return TRUE;
    }

  return FALSE;
}
