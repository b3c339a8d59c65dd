/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-tree-stamp.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Behind these stand the inode, the number of files, and the things, with commas between. */
#define PREFIX "tree:"
#define SEPARATOR ","
#define ENTRY_DIGITS 24

typedef struct
{
  GPtrArray *entries;
  GString *path;
  guint *left;
  guint n_files;
} Scan;

/* A folder is what is in it; its own times say no more. */
void
beckon_tree_stamp_add (GPtrArray *entries, const char *relative, const struct stat *info)
{
  const gboolean is_folder = S_ISDIR (info->st_mode);
  g_autofree char *text = g_strdup_printf ("%o:%" G_GUINT64_FORMAT ":%" G_GINT64_FORMAT ":%" G_GINT64_FORMAT ".%09ld:"
                                           "%" G_GINT64_FORMAT ".%09ld:%s",
                                           (guint) (info->st_mode & S_IFMT), (guint64) info->st_ino,
                                           is_folder ? 0 : (gint64) info->st_size,
                                           is_folder ? 0 : (gint64) info->st_mtim.tv_sec,
                                           is_folder ? 0 : info->st_mtim.tv_nsec,
                                           is_folder ? 0 : (gint64) info->st_ctim.tv_sec,
                                           is_folder ? 0 : info->st_ctim.tv_nsec, relative);
  char *digest = g_compute_checksum_for_string (G_CHECKSUM_SHA256, text, -1);

  digest[ENTRY_DIGITS] = '\0';
  g_ptr_array_add (entries, digest);
}

static gboolean tree_stamp_scan (Scan *scan, int parent, const char *name, guint depth);

static gboolean
tree_stamp_look (Scan *scan, int folder, const char *name, guint depth)
{
  const gsize length = scan->path->len;
  struct stat info;
  gboolean is_known;

  if (*scan->left == 0 || fstatat (folder, name, &info, AT_SYMLINK_NOFOLLOW) != 0)
    return FALSE;
  --*scan->left;
  g_string_append_printf (scan->path, "%s%s", length > 0 ? "/" : "", name);
  beckon_tree_stamp_add (scan->entries, scan->path->str, &info);
  scan->n_files += !S_ISDIR (info.st_mode);
  is_known = !S_ISDIR (info.st_mode) || tree_stamp_scan (scan, folder, name, depth + 1);
  g_string_truncate (scan->path, length);
  return is_known;
}

static gboolean
tree_stamp_scan (Scan *scan, int parent, const char *name, guint depth)
{
  const int fd = depth < BECKON_TREE_STAMP_MAX_DEPTH
                   ? openat (parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
  DIR *entries = fd >= 0 ? fdopendir (fd) : NULL;
  gboolean is_known = entries != NULL;
  struct dirent *entry;

  while (is_known && (entry = readdir (entries)) != NULL)
    if (strcmp (entry->d_name, ".") != 0 && strcmp (entry->d_name, "..") != 0)
      is_known = tree_stamp_look (scan, fd, entry->d_name, depth);
  if (entries != NULL)
    closedir (entries);
  else if (fd >= 0)
    close (fd);
  return is_known;
}

static int
tree_stamp_compare (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static char *
tree_stamp_join (GPtrArray *entries)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new ();

  g_ptr_array_extend (all, entries, NULL, NULL);
  g_ptr_array_sort (all, tree_stamp_compare);
  g_ptr_array_add (all, NULL);
  return g_strjoinv (SEPARATOR, (char **) all->pdata);
}

char *
beckon_tree_stamp_take (const char *path, guint *left)
{
  g_autoptr (GPtrArray) entries = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GString) relative = g_string_new (NULL);
  Scan scan = { .entries = entries, .path = relative, .left = left };
  struct stat info;
  g_autofree char *joined = NULL;

  if (lstat (path, &info) != 0 || !S_ISDIR (info.st_mode) || !tree_stamp_scan (&scan, AT_FDCWD, path, 0))
    return NULL;
  joined = tree_stamp_join (entries);
  return g_strdup_printf (PREFIX "%" G_GUINT64_FORMAT ":%u:%s", (guint64) info.st_ino, scan.n_files, joined);
}

char *
beckon_tree_stamp_digest (GPtrArray *entries)
{
  g_autofree char *joined = tree_stamp_join (entries);

  return g_compute_checksum_for_string (G_CHECKSUM_SHA256, joined, -1);
}

gboolean
beckon_tree_stamp_read (const char *stamp, guint64 *inode, guint *n_files)
{
  guint n = 0;

  if (stamp == NULL || sscanf (stamp, PREFIX "%" G_GUINT64_FORMAT ":%u", inode, &n) != 2)
    return FALSE;
  if (n_files != NULL)
    *n_files = n;
  return TRUE;
}

/* The things, in their order. */
static const char *
tree_stamp_get_things (const char *stamp)
{
  return strrchr (stamp, ':') + 1;
}

gboolean
beckon_tree_stamp_covers (const char *then, const char *now)
{
  guint64 inode, inode_now;
  g_auto (GStrv) things = NULL;
  const char *known;

  if (!beckon_tree_stamp_read (then, &inode, NULL) || !beckon_tree_stamp_read (now, &inode_now, NULL) || inode != inode_now)
    return FALSE;
  known = tree_stamp_get_things (then);
  things = g_strsplit (tree_stamp_get_things (now), SEPARATOR, -1);
  for (guint i = 0; known != NULL && things[i] != NULL; i++)
    known = strstr (known, things[i]);
  return known != NULL;
}

gboolean
beckon_tree_stamp_is_of (const char *stamp, guint64 inode, const char *digest)
{
  guint64 stamped;
  g_autofree char *known = beckon_tree_stamp_read (stamp, &stamped, NULL)
                             ? g_compute_checksum_for_string (G_CHECKSUM_SHA256, tree_stamp_get_things (stamp), -1) : NULL;

  return known != NULL && stamped == inode && g_strcmp0 (known, digest) == 0;
}
