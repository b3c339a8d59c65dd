/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE
#include "beckon-config.h"

#include "beckon-denied-view.h"

#include "base/beckon-error.h"
#include "base/beckon-path.h"
#include "beckon-sandbox.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Those that are mounts; the others are entries of a folder. Every name that is looked at costs. */
#define MAX_MOUNTS 500
#define MAX_PLACES 20000
#define MAX_NAMES 200000
#define MAX_DEPTH 64

#define ALL_BELOW "/**"

typedef struct
{
  char *path;
  gboolean is_folder;
  gboolean only_changes;
} Place;

struct _BeckonDeniedView
{
  char *folder;
  GArray *places; /* (element-type Place): sorted by path, those in folders behind them */
};

typedef struct
{
  BeckonDeniedView *view;
  BeckonDeniedPaths *denied;
  const char *folder;
  const char *const *beside[2]; /* (nullable): searched, and not */
  guint n_names;
  GHashTable *linked; /* (element-type Linked): files that are denied and have several names */
  GHashTable *met;    /* (element-type filename): such names */
} Search;

/* Other names of a file lead to what is denied as well. */
typedef struct
{
  guint64 inode;
  guint64 device;
  guint n_missing; /* names that were not met yet */
  gboolean only_changes;
} Linked;

static void
clear_place (gpointer data)
{
  g_free (((Place *) data)->path);
}

void
beckon_denied_view_free (BeckonDeniedView *view)
{
  if (view == NULL)
    return;

  g_free (view->folder);
  g_array_unref (view->places);
  g_free (view);
}

gboolean
beckon_denied_view_is_empty (const BeckonDeniedView *view)
{
  return view == NULL || view->places->len == 0;
}

gboolean
beckon_denied_view_is_within (const BeckonDeniedView *view, const char *folder)
{
  for (guint i = 0; view != NULL && i < view->places->len; i++)
    if (!beckon_path_is_within (g_array_index (view->places, Place, i).path, folder))
      return FALSE;

  return TRUE;
}

static gboolean
denied_view_refuse (const char *path, GError **error)
{
  g_set_error (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
               "No command runs here: one of the user's rules denies files, and there are too many in “%s” to keep them from a "
               "command. The rule has to name a folder.",
               path);
  return FALSE;
}

static gboolean
is_visible (const Search *search, const char *path)
{
  if (beckon_path_is_within (path, search->folder) || beckon_sandbox_shows_of_system (path))
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (search->beside); i++)
    for (guint k = 0; search->beside[i] != NULL && search->beside[i][k] != NULL; k++)
      if (beckon_path_is_within (path, search->beside[i][k]))
        return TRUE;

  return FALSE;
}

static gboolean
refuse_closed (const char *path, GError **error)
{
  g_set_error (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
               "No command runs here: one of the user's rules denies files, and “%s” can't be searched for them. It has to be "
               "readable.",
               path);
  return FALSE;
}

/* A folder of the person's own that cannot be read now is made readable by any command; one of another user's is not, and one
 * that is gone holds nothing. @path: the folder, or what is somewhere below it. @problem: why that was not to be had. */
static gboolean
may_hold_more (const char *path, int problem)
{
  g_autofree char *at = g_strdup (path);
  struct stat info;

  if (problem == ENOENT || problem == ENOTDIR)
    return FALSE;
  if (problem != EACCES)
    return TRUE;
  while (stat (at, &info) != 0)
    {
      char *parent = g_path_get_dirname (at);

      g_free (at);
      at = parent;
    }
  return info.st_uid == geteuid () && access (at, R_OK | X_OK) != 0;
}

static gboolean
append_place (Search *search, const char *path, gboolean is_folder, gboolean only_changes, GError **error)
{
  Place place = { NULL, is_folder, only_changes };

  if (search->view->places->len == MAX_PLACES)
    return denied_view_refuse (search->folder, error);

  place.path = g_strdup (path);
  g_array_append_val (search->view->places, place);
  return TRUE;
}

/* Adds a path, where links lead. The folder can't be hidden from its own commands. */
static gboolean
add_place (Search *search, const char *path, gboolean only_changes, GError **error)
{
  g_autofree char *real = realpath (path, NULL);
  const int problem = errno;
  struct stat info;

  if (real == NULL && is_visible (search, path) && may_hold_more (path, problem))
    return refuse_closed (path, error);
  if (real == NULL || lstat (real, &info) != 0)
    return TRUE;
  if (beckon_path_is_within (search->folder, real))
    {
      if (!only_changes)
        {
          g_set_error (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
                       "No command runs here: one of the user's rules denies the whole folder.");
          return FALSE;
        }
      g_free (real);
      real = g_strdup (search->folder);
    }
  if (!is_visible (search, real))
    {
      /* A folder that is denied may hold others that are shown. */
      for (guint i = 0; i < G_N_ELEMENTS (search->beside); i++)
        for (guint k = 0; search->beside[i] != NULL && search->beside[i][k] != NULL; k++)
          if (beckon_path_is_within (search->beside[i][k], real) && g_file_test (search->beside[i][k], G_FILE_TEST_IS_DIR)
              && !append_place (search, search->beside[i][k], TRUE, only_changes, error))
            return FALSE;

      return TRUE;
    }
  return append_place (search, real, S_ISDIR (info.st_mode), only_changes, error);
}

static char *
dup_literal (const Search *search, const char *pattern)
{
  g_autofree char *name
    = g_str_has_suffix (pattern, ALL_BELOW) ? g_strndup (pattern, strlen (pattern) - strlen (ALL_BELOW)) : g_strdup (pattern);

  return g_canonicalize_filename (*name != '\0' ? name : "/", search->folder);
}

static gboolean search_folder (Search *search, const char *path, guint depth, GError **error);

/* A folder that is denied is not gone into. */
static gboolean
search_name (Search *search, const char *path, const struct dirent *entry, guint depth, GError **error)
{
  struct stat info;

  if (++search->n_names > MAX_NAMES)
    return denied_view_refuse (search->folder, error);
  if (beckon_denied_paths_has (search->denied, path))
    return add_place (search, path, FALSE, error);
  if (beckon_denied_paths_has_for_changes (search->denied, path))
    return add_place (search, path, TRUE, error);
  if (entry->d_type != DT_DIR && (entry->d_type != DT_UNKNOWN || lstat (path, &info) != 0 || !S_ISDIR (info.st_mode)))
    return TRUE;

  return search_folder (search, path, depth + 1, error);
}

static gboolean
search_folder (Search *search, const char *path, guint depth, GError **error)
{
  DIR *directory = opendir (path);
  const int problem = errno;
  struct dirent *entry;
  gboolean is_fine = depth < MAX_DEPTH || denied_view_refuse (path, error);

  if (is_fine && directory == NULL && may_hold_more (path, problem))
    return refuse_closed (path, error);
  while (is_fine && directory != NULL && (entry = readdir (directory)) != NULL)
    {
      g_autofree char *name = NULL;

      if (strcmp (entry->d_name, ".") == 0 || strcmp (entry->d_name, "..") == 0)
        continue;
      name = g_build_filename (path, entry->d_name, NULL);
      is_fine = search_name (search, name, entry, depth, error);
    }
  if (directory != NULL)
    closedir (directory);
  return is_fine;
}

/* The part of an absolute pattern below @folder; %NULL if its beginning does not lead there. No * of it matches a slash. */
static const char *
find_rest (const char *pattern, const char *folder)
{
  const char *rest = pattern;

  if (*pattern != '/')
    return NULL;
  for (const char *at = folder; *at == '/';)
    {
      gsize length = 1 + strcspn (at + 1, "/");
      gsize own = 1 + strcspn (rest + 1, "/");
      g_autofree char *name = g_strndup (at, length);
      g_autofree char *part = g_strndup (rest, own);

      if (rest[own] != '/' || fnmatch (part, name, FNM_PATHNAME | FNM_NOESCAPE) != 0)
        return NULL;
      at += length;
      rest += own;
    }
  return rest;
}

/* A folder that can't be looked at, and could be a moment later, ends the search. */
static int
denied_view_on_closed (const char *path, int problem)
{
  return may_hold_more (path, problem);
}

static gboolean
is_dots (const char *path)
{
  return g_str_has_suffix (path, "/.") || g_str_has_suffix (path, "/..");
}

/* A pattern says how deep its files lie, so that no more than those folders is looked into, however large the whole is. */
static gboolean
look_for (Search *search, const char *folder, const char *rest, gboolean only_changes, GError **error)
{
  gsize length = strlen (rest) - (g_str_has_suffix (rest, ALL_BELOW) ? strlen (ALL_BELOW) : 0);
  g_autofree char *whole = g_strdup_printf ("%s%.*s", folder, (int) length, rest);
  glob_t found = { 0 };
  int problem = glob (whole, GLOB_NOESCAPE | GLOB_NOSORT | GLOB_PERIOD, denied_view_on_closed, &found);
  gboolean is_fine = problem == 0 || problem == GLOB_NOMATCH || refuse_closed (folder, error);

  for (gsize i = 0; is_fine && problem == 0 && i < found.gl_pathc; i++)
    is_fine = is_dots (found.gl_pathv[i]) || add_place (search, found.gl_pathv[i], only_changes, error);
  globfree (&found);
  return is_fine;
}

/* A folder whose own name is a pattern is searched as a whole. */
static gboolean
look_beside (Search *search, const char *folder, const char *pattern, gboolean only_changes, GError **error)
{
  const char *rest = find_rest (pattern, folder);

  if (beckon_denied_paths_has (search->denied, folder))
    return add_place (search, folder, FALSE, error);
  if (rest == NULL)
    return TRUE;
  return strpbrk (folder, "*?[") != NULL ? search_folder (search, folder, 0, error)
                                         : look_for (search, folder, rest, only_changes, error);
}

static gboolean
is_same_file (gconstpointer one, gconstpointer other)
{
  return ((const Linked *) one)->inode == ((const Linked *) other)->inode
         && ((const Linked *) one)->device == ((const Linked *) other)->device;
}

static guint
linked_hash (gconstpointer linked)
{
  return g_int64_hash (&((const Linked *) linked)->inode);
}

static gboolean
meet_name (Search *search, const char *path, const struct stat *info, gboolean only_changes, GError **error)
{
  const Linked key = { .inode = info->st_ino, .device = info->st_dev };
  const Linked *linked = g_hash_table_lookup (search->linked, &key);

  if (linked == NULL || !S_ISREG (info->st_mode) || beckon_denied_paths_has (search->denied, path)
      || (linked->only_changes && beckon_denied_paths_has_for_changes (search->denied, path)))
    return TRUE;
  return append_place (search, path, FALSE, linked->only_changes, error);
}

typedef gboolean (*Meet) (Search *search, const char *path, const struct stat *info, gboolean only_changes, GError **error);

static gboolean
note_name (Search *search, const char *path, const struct stat *info, gboolean only_changes, GError **error)
{
  const Linked key = { .inode = info->st_ino, .device = info->st_dev };
  Linked *linked = g_hash_table_lookup (search->linked, &key);

  /* A denied file may have names elsewhere. */
  if (!S_ISREG (info->st_mode) || info->st_nlink < 2)
    return TRUE;
  if (linked == NULL)
    {
      linked = g_new0 (Linked, 1);
      *linked = key;
      linked->n_missing = (guint) info->st_nlink;
      linked->only_changes = TRUE;
      g_hash_table_add (search->linked, linked);
    }
  /* A place that several rules name is met as often. */
  if (g_hash_table_add (search->met, g_strdup (path)))
    linked->n_missing -= MIN (linked->n_missing, 1);
  linked->only_changes = linked->only_changes && only_changes;
  return TRUE;
}

/* Every file below @path. What can't be read was refused before, or is not to be read by a command either. */
static gboolean
meet_all (Search *search, const char *path, guint depth, Meet meet, gboolean only_changes, GError **error)
{
  DIR *directory = opendir (path);
  struct dirent *entry;
  gboolean is_fine = depth < MAX_DEPTH || denied_view_refuse (path, error);

  while (is_fine && directory != NULL && (entry = readdir (directory)) != NULL)
    {
      g_autofree char *name = NULL;
      struct stat info;

      if (strcmp (entry->d_name, ".") == 0 || strcmp (entry->d_name, "..") == 0 || entry->d_type == DT_LNK)
        continue;
      name = g_build_filename (path, entry->d_name, NULL);
      if (++search->n_names > MAX_NAMES)
        is_fine = denied_view_refuse (search->folder, error);
      else if (lstat (name, &info) == 0)
        is_fine = S_ISDIR (info.st_mode) ? meet_all (search, name, depth + 1, meet, only_changes, error)
                                         : meet (search, name, &info, only_changes, error);
    }
  if (directory != NULL)
    closedir (directory);
  return is_fine;
}

static gboolean
has_missing (Search *search)
{
  GHashTableIter iter;
  gpointer linked;

  g_hash_table_iter_init (&iter, search->linked);
  while (g_hash_table_iter_next (&iter, &linked, NULL))
    if (((const Linked *) linked)->n_missing > 0)
      return TRUE;
  return FALSE;
}

static gboolean
add_linked (Search *search, GError **error)
{
  const guint n = search->view->places->len;

  /* A rule names a path and means the file: the names that it had before are found, too. */
  search->n_names = 0;
  for (guint i = 0; i < n; i++)
    {
      /* A copy: the array may grow. */
      const Place place = g_array_index (search->view->places, Place, i);
      struct stat info;

      if (place.is_folder ? !meet_all (search, place.path, 0, note_name, place.only_changes, error)
                          : lstat (place.path, &info) == 0 && !note_name (search, place.path, &info, place.only_changes, error))
        return FALSE;
    }
  search->n_names = 0;
  if (!has_missing (search))
    return TRUE;
  if (!meet_all (search, search->folder, 0, meet_name, FALSE, error))
    return FALSE;
  for (guint i = 0; search->beside[0] != NULL && search->beside[0][i] != NULL; i++)
    if (!meet_all (search, search->beside[0][i], 0, meet_name, FALSE, error))
      return FALSE;
  return TRUE;
}

static int
compare_places (gconstpointer one, gconstpointer other)
{
  return strcmp (((const Place *) one)->path, ((const Place *) other)->path);
}

static gboolean
search_all (Search *search, GError **error)
{
  gboolean needs_search = FALSE;

  for (guint i = 0; i < beckon_denied_paths_get_n_patterns (search->denied); i++)
    {
      gboolean only_changes;
      const char *pattern = beckon_denied_paths_get_pattern (search->denied, i, &only_changes);
      /* A pattern that names one file or folder needs no search. */
      gsize n = strcspn (pattern, "*?[");
      g_autofree char *path
          = (pattern[n] == '\0' || (n > 0 && strcmp (pattern + n - 1, ALL_BELOW) == 0)) ? dup_literal (search, pattern) : NULL;

      needs_search = needs_search || path == NULL;
      if (path != NULL && !add_place (search, path, only_changes, error))
        return FALSE;
      for (guint k = 0; path == NULL && search->beside[1] != NULL && search->beside[1][k] != NULL; k++)
        if (!look_beside (search, search->beside[1][k], pattern, only_changes, error))
          return FALSE;
    }

  if (needs_search && !search_folder (search, search->folder, 0, error))
    return FALSE;
  for (guint i = 0; needs_search && search->beside[0] != NULL && search->beside[0][i] != NULL; i++)
    if (!search_folder (search, search->beside[0][i], 0, error))
      return FALSE;
  return TRUE;
}

BeckonDeniedView *
beckon_denied_view_look (BeckonDeniedPaths *denied, const char *folder, GError **error)
{
  return beckon_denied_view_look_beside (denied, folder, NULL, NULL, error);
}

BeckonDeniedView *
beckon_denied_view_look_beside (BeckonDeniedPaths *denied, const char *folder, const char *const *searched,
                                const char *const *others, GError **error)
{
  g_autoptr (BeckonDeniedView) view = g_new0 (BeckonDeniedView, 1);
  g_autoptr (GHashTable) linked = g_hash_table_new_full (linked_hash, is_same_file, g_free, NULL);
  g_autoptr (GHashTable) met = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Search search = { view, denied, folder, { searched, others }, 0, linked, met };

  g_return_val_if_fail (folder != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  view->folder = g_strdup (folder);
  view->places = g_array_new (FALSE, FALSE, sizeof (Place));
  g_array_set_clear_func (view->places, clear_place);
  if (denied != NULL && (!search_all (&search, error) || !add_linked (&search, error)))
    return NULL;

  g_array_sort (view->places, compare_places);
  return g_steal_pointer (&view);
}

gboolean
beckon_denied_view_has (const BeckonDeniedView *view, const char *path, gboolean for_changes)
{
  for (guint i = 0; i < view->places->len; i++)
    {
      const Place *place = &g_array_index (view->places, Place, i);

      if ((for_changes || !place->only_changes) && beckon_path_is_within (path, place->path))
        return TRUE;
    }
  return FALSE;
}

gboolean
beckon_denied_view_has_linked (BeckonDeniedView **view, BeckonDeniedPaths *denied, const char *folder, const char *path,
                               gboolean for_changes)
{
  struct stat info;

  g_return_val_if_fail (view != NULL && folder != NULL && path != NULL, TRUE);

  if (denied == NULL || lstat (path, &info) != 0 || !S_ISREG (info.st_mode) || info.st_nlink < 2)
    return FALSE;
  if (*view == NULL)
    *view = beckon_denied_view_look (denied, folder, NULL);
  return *view == NULL || beckon_denied_view_has (*view, path, for_changes);
}

/* A mount over a folder hides all that is in it. */
static gboolean
is_covered (const BeckonDeniedView *view, const Place *place)
{
  for (guint i = 0; i < view->places->len; i++)
    {
      const Place *other = &g_array_index (view->places, Place, i);

      if (other == place)
        continue;
      if (!other->only_changes && other->is_folder && beckon_path_is_within (place->path, other->path)
          && (strcmp (place->path, other->path) != 0 || other < place || place->only_changes))
        return TRUE;
    }

  return FALSE;
}

static void
add_folders_above (GPtrArray *folders, const char *path, const char *folder)
{
  g_autofree char *above = g_path_get_dirname (path);

  if (strcmp (above, folder) == 0 || !beckon_path_is_within (above, folder)
      || g_ptr_array_find_with_equal_func (folders, above, g_str_equal, NULL))
    return;
  add_folders_above (folders, above, folder);
  g_ptr_array_add (folders, g_steal_pointer (&above));
}

GPtrArray *
beckon_denied_view_list_folders (const BeckonDeniedView *view, const char *folder)
{
  GPtrArray *folders = g_ptr_array_new_with_free_func (g_free);

  /* The command is refused. */
  if (view->places->len > MAX_MOUNTS)
    return folders;

  for (guint i = 0; i < view->places->len; i++)
    {
      const Place *place = &g_array_index (view->places, Place, i);

      if (!is_covered (view, place))
        add_folders_above (folders, place->path, folder);
    }

  return folders;
}

static gboolean
is_hidden_in (const Place *place, const char *folder)
{
  return folder != NULL && !place->only_changes && beckon_path_is_within (place->path, folder);
}

/* The path is, or is in, a folder or file that the view was made without. */
static gboolean
is_absent (const BeckonDeniedView *view, const Place *place, const char *without)
{
  for (guint i = 0; without != NULL && i < view->places->len; i++)
    {
      const Place *other = &g_array_index (view->places, Place, i);

      if (is_hidden_in (other, without) && beckon_path_is_within (place->path, other->path))
        return TRUE;
    }

  return FALSE;
}

GPtrArray *
beckon_denied_view_list_hidden (const BeckonDeniedView *view, const char *folder)
{
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < view->places->len; i++)
    {
      const Place *place = &g_array_index (view->places, Place, i);

      if (is_hidden_in (place, folder))
        g_ptr_array_add (paths, g_strdup (place->path + strlen (folder) + 1));
    }

  return paths;
}

static guint
count_mounts (const BeckonDeniedView *view, const char *without)
{
  guint n = 0;

  for (guint i = 0; i < view->places->len; i++)
    if (!is_hidden_in (&g_array_index (view->places, Place, i), without))
      n++;

  return n;
}

gboolean
beckon_denied_view_add_arguments (const BeckonDeniedView *view, const char *without, GString *arguments, GError **error)
{
  if (count_mounts (view, without) > MAX_MOUNTS)
    return denied_view_refuse (view->folder, error);

  /* First what is read-only and then what is hidden, for the second may lie within the first. A device on a file system without
   * devices cannot be opened. */
  for (guint pass = 0; pass < 2; pass++)
    for (guint i = 0; i < view->places->len; i++)
      {
        const Place *place = &g_array_index (view->places, Place, i);

        if (place->only_changes != (pass == 0) || is_absent (view, place, without) || is_covered (view, place))
          continue;
        if (place->only_changes)
          beckon_bwrap_add (arguments, "--ro-bind", place->path, place->path, NULL);
        else if (place->is_folder)
          beckon_bwrap_add (arguments, "--perms", "0000", "--tmpfs", place->path, "--remount-ro", place->path, NULL);
        else
          beckon_bwrap_add (arguments, "--ro-bind", "/dev/null", place->path, NULL);
      }
  return TRUE;
}
