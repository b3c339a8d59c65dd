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
#define DEPTH_OF_FOLDERS 16
#define MAX_HIDDEN 50

/* Each program has a folder of its own there. */
static const char *const places[] = { "/usr/lib/jvm", "/usr/lib", "/usr/share", NULL };

/* They are large, and no program starts from them. */
static const char *const skipped[] = { "doc", "man", "icons", "locale", "help", "info", "zoneinfo",
                                       "modules", "firmware", "jvm" };

/* Shown or not shown for other reasons. */
static const char *const not_followed[] = { "/etc/alternatives", "/etc/ssl", "/etc/pki", "/etc/environment", "/etc/shadow" };

typedef struct
{
  const char *root;
  GHashTable *found; /* (element-type utf8) */
  guint n_entries;
} Walk;

/* A package that comes or goes changes one of them. */
char *
beckon_etc_describe_link_folders (const char *root)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; places[i] != NULL; i++)
    {
      g_autofree char *whole = g_strconcat (root, places[i], NULL);
      struct stat info = { 0 };

      stat (whole, &info);
      g_string_append_printf (text, "%" G_GINT64_FORMAT ".%09ld ", (gint64) info.st_mtim.tv_sec, info.st_mtim.tv_nsec);
    }
  return g_string_free (text, FALSE);
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
is_for_all (const struct stat *info)
{
  const mode_t needed = S_ISDIR (info->st_mode) ? S_IROTH | S_IXOTH : S_IROTH;

  return (info->st_mode & needed) == needed;
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
  return lstat (whole, &info) == 0 && (S_ISREG (info.st_mode) || S_ISDIR (info.st_mode)) && is_for_all (&info);
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
etc_links_compare (gconstpointer one, gconstpointer other)
{
  return strcmp (*(const char *const *) one, *(const char *const *) other);
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
  g_ptr_array_sort (all, etc_links_compare);
  /* A folder stands for all in it. */
  for (guint i = 0; i < all->len; i++)
    if (links->len == 0 || !beckon_path_is_within (g_ptr_array_index (all, i), g_ptr_array_index (links, links->len - 1)))
      g_ptr_array_add (links, g_strdup (g_ptr_array_index (all, i)));
  g_hash_table_unref (walk.found);
  return links;
}

static void find_hidden (const char *root, const char *path, guint depth, GPtrArray *hidden);

static void
look_at_entry (const char *root, const char *path, guint depth, GPtrArray *hidden)
{
  g_autofree char *whole = g_strconcat (root, path, NULL);
  struct stat info;

  if (lstat (whole, &info) != 0 || S_ISLNK (info.st_mode))
    return;
  if (depth == 0 || !is_for_all (&info))
    g_ptr_array_add (hidden, g_strdup (path));
  else if (S_ISDIR (info.st_mode))
    find_hidden (root, path, depth - 1, hidden);
}

static void
find_hidden (const char *root, const char *path, guint depth, GPtrArray *hidden)
{
  g_autofree char *whole = g_strconcat (root, path, NULL);
  g_autoptr (GDir) folder = g_dir_open (whole, 0, NULL);
  const char *name;

  while (folder != NULL && (name = g_dir_read_name (folder)) != NULL)
    {
      g_autofree char *below = g_build_filename (path, name, NULL);

      look_at_entry (root, below, depth, hidden);
    }
}

GPtrArray *
beckon_etc_list_hidden (const char *root, GPtrArray *links)
{
  GPtrArray *hidden = g_ptr_array_new_with_free_func (g_free);

  g_return_val_if_fail (root != NULL && links != NULL, hidden);

  for (guint i = 0; i < links->len; i++)
    {
      const char *path = g_ptr_array_index (links, i);
      guint n_before = hidden->len;

      find_hidden (root, path, DEPTH_OF_FOLDERS, hidden);
      if (hidden->len <= n_before + MAX_HIDDEN)
        continue;
      g_ptr_array_set_size (hidden, (gint) n_before);
      g_ptr_array_add (hidden, g_strdup (path));
    }
  return hidden;
}
