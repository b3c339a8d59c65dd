/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE

#include "beckon-config.h"

#include "beckon-etc-links.h"

#include "base/beckon-path.h"
#include "beckon-etc-lists.h"

#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_ENTRIES 200000
#define MAX_LINKS 200
#define DEPTH 3
#define DEPTH_OF_JAVA 8

/* Each program has a folder of its own there. */
static const char *const places[] = { "/usr/lib/jvm", "/usr/lib", "/usr/share", NULL };

/* They are large, and no program starts from them. */
static const char *const skipped[] = { "doc", "man", "icons", "locale", "help", "info", "zoneinfo",
                                       "modules", "firmware", "jvm" };

/* What commands are shown or not shown for other reasons. */
static const char *const not_followed[] = { "/etc/alternatives", "/etc/ssl", "/etc/pki", "/etc/environment", "/etc/shadow" };

typedef struct
{
  const char *root;
  GHashTable *found; /* (element-type utf8) */
  guint n_entries;
} Walk;

const char *const *
beckon_etc_list_link_folders (void)
{
  return places;
}

static gboolean
is_among (const char *path, const char *const *list)
{
  for (; *list != NULL; list++)
    if (beckon_path_is_within (path, *list))
      return TRUE;

  return FALSE;
}

static gboolean
is_followed (Walk *walk, const char *path)
{
  g_autofree char *whole = g_strconcat (walk->root, path, NULL);
  struct stat info;

  if (!g_str_has_prefix (path, "/etc/") || is_among (path, beckon_etc_list_folders ())
      || is_among (path, beckon_etc_list_files ()) || is_among (path, beckon_etc_list_for_network ()))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (not_followed); i++)
    if (beckon_path_is_within (path, not_followed[i]))
      return FALSE;
  if (lstat (whole, &info) != 0)
    return FALSE;

  return (S_ISREG (info.st_mode) && (info.st_mode & S_IROTH) != 0)
         || (S_ISDIR (info.st_mode) && (info.st_mode & (S_IROTH | S_IXOTH)) == (S_IROTH | S_IXOTH));
}

static void
look_at_link (Walk *walk, int folder, const char *path, const char *name)
{
  char target[4096];
  gssize length = readlinkat (folder, name, target, sizeof target - 1);
  g_autofree char *whole = NULL;

  if (length <= 0)
    return;
  target[length] = '\0';
  if (strstr (target, "etc/") == NULL)
    return;

  whole = g_canonicalize_filename (target, path);
  if (is_followed (walk, whole) && g_hash_table_size (walk->found) < MAX_LINKS)
    g_hash_table_add (walk->found, g_steal_pointer (&whole));
}

static gboolean
is_skipped (const char *name)
{
  if (*name == '.')
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (skipped); i++)
    if (g_str_equal (name, skipped[i]))
      return TRUE;

  return FALSE;
}

/* Takes @fd. */
static void
walk_folder (Walk *walk, int fd, const char *path, guint depth)
{
  DIR *folder = fdopendir (fd);
  struct dirent *entry;

  if (folder == NULL)
    {
      close (fd);
      return;
    }

  while ((entry = readdir (folder)) != NULL && walk->n_entries++ < MAX_ENTRIES)
    if (entry->d_type == DT_LNK)
      look_at_link (walk, dirfd (folder), path, entry->d_name);
    else if (entry->d_type == DT_DIR && depth > 0 && !is_skipped (entry->d_name))
      {
        g_autofree char *below = g_build_filename (path, entry->d_name, NULL);
        int fd_below = openat (dirfd (folder), entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

        if (fd_below >= 0)
          walk_folder (walk, fd_below, below, depth - 1);
      }
  closedir (folder);
}

static int
compare (gconstpointer one, gconstpointer other)
{
  return strcmp (*(const char *const *) one, *(const char *const *) other);
}

/* A folder stands for all in it. */
static gboolean
is_covered (GPtrArray *links, const char *path)
{
  return links->len > 0 && beckon_path_is_within (path, g_ptr_array_index (links, links->len - 1));
}

GPtrArray *
beckon_etc_find_links (const char *root)
{
  Walk walk = { root, g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL), 0 };
  g_autoptr (GPtrArray) all = g_ptr_array_new ();
  GPtrArray *links = g_ptr_array_new_with_free_func (g_free);
  GHashTableIter iter;
  gpointer path;

  g_return_val_if_fail (root != NULL, links);

  for (guint i = 0; places[i] != NULL; i++)
    {
      g_autofree char *whole = g_strconcat (root, places[i], NULL);
      int fd = open (whole, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

      if (fd >= 0)
        walk_folder (&walk, fd, places[i], i == 0 ? DEPTH_OF_JAVA : DEPTH);
    }

  g_hash_table_iter_init (&iter, walk.found);
  while (g_hash_table_iter_next (&iter, &path, NULL))
    g_ptr_array_add (all, path);
  g_ptr_array_sort (all, compare);
  for (guint i = 0; i < all->len; i++)
    if (!is_covered (links, g_ptr_array_index (all, i)))
      g_ptr_array_add (links, g_strdup (g_ptr_array_index (all, i)));
  g_hash_table_unref (walk.found);
  return links;
}
