/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE

#include "beckon-config.h"

#include "beckon-landing-copy.h"

#include "base/beckon-error.h"
#include "base/beckon-text-printf.h"
#include "beckon-landing-place.h"
#include "beckon-landing-tree-copy.h"
#include "beckon-landing-tree.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>
#include <unistd.h>

#define MAX_DEPTH 100
#define COPIED "copy"
#define OWN_ALL 0700
#define ORIGIN "user.overlay.origin"

/* A copy in progress. */
typedef struct
{
  GHashTable *copied;              /* (nullable): %NULL where it is only tried whether it fits */
  GHashTable *hidden;              /* (nullable) */
  GHashTable *links;               /* (element-type "dev:inode" filename): the first copy of what has several names */
  GPtrArray *linked;               /* (element-type filename): all names of those */
  gint64 last;                     /* change time, in nanoseconds since the epoch */
  int root;                        /* of the copy */
  GCancellable *cancellable;
  guint n_files;
  guint64 n_bytes;
} Copy;

static gboolean copy_folder (Copy *copy, int from, int to, const char *path, guint depth);

static char *
landing_copy_join (const char *folder, const char *name)
{
  return *folder != '\0' ? g_build_filename (folder, name, NULL) : g_strdup (name);
}

static gboolean
landing_copy_note (Copy *copy, int folder, const char *name, const char *path)
{
  BeckonCopiedRecord *record;
  struct stat info;

  if (!beckon_landing_tree_look (folder, name, &info))
    return FALSE;
  record = g_new0 (BeckonCopiedRecord, 1);
  *record = (BeckonCopiedRecord){ info.st_ino, beckon_landing_tree_get_ctime (&info), info.st_mode };
  copy->last = MAX (copy->last, record->changed_at);
  g_hash_table_insert (copy->copied, g_strdup (path), record);
  return TRUE;
}

/* %TRUE if another name of the same file was copied, and this is one more of that copy. */
static gboolean
copy_name (Copy *copy, int to, const char *name, const char *path, const struct stat *info)
{
  g_autofree char *key = NULL;
  const char *first;

  if (info->st_nlink < 2 || S_ISDIR (info->st_mode))
    return FALSE;
  g_ptr_array_add (copy->linked, g_strdup (path));
  key = g_strdup_printf ("%lu:%lu", (gulong) info->st_dev, (gulong) info->st_ino);
  first = g_hash_table_lookup (copy->links, key);
  if (first != NULL)
    return linkat (copy->root, first, to, name, 0) == 0;

  g_hash_table_insert (copy->links, g_steal_pointer (&key), g_strdup (path));
  return FALSE;
}

static gboolean
copy_below (Copy *copy, int from_folder, int to_folder, const char *name, const char *path, guint depth,
            const struct stat *info)
{
  g_auto (BeckonFd) from = openat (from_folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  g_auto (BeckonFd) to = -1;

  if (from < 0)
    return FALSE;
  if (copy->copied == NULL)
    return copy_folder (copy, from, -1, path, depth + 1);
  if (mkdirat (to_folder, name, 0700) != 0)
    return FALSE;
  to = openat (to_folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  return to >= 0 && copy_folder (copy, from, to, path, depth + 1)
         && beckon_landing_tree_copy_properties (from, to, info, BECKON_TREE_COPY_PERSONS);
}

/* Files that are gone meanwhile were not there, and those that cannot be read are not in the copy. Blocks count and not
 * lengths: of a hole nothing is copied. %FALSE with errno: EFBIG beyond the bound, ECANCELED. */
static gboolean
copy_entry (Copy *copy, int from, int to, const char *folder, const char *name, guint depth)
{
  g_autofree char *path = landing_copy_join (folder, name);
  struct stat info;
  gboolean is_fine;

  if (!beckon_landing_tree_look (from, name, &info)
      || (copy->hidden != NULL && beckon_landing_table_covers (copy->hidden, path))
      || !(S_ISDIR (info.st_mode) || S_ISREG (info.st_mode) || S_ISLNK (info.st_mode) || S_ISFIFO (info.st_mode)))
    return TRUE;
  copy->n_files++;
  copy->n_bytes += S_ISREG (info.st_mode) ? (guint64) info.st_blocks * 512 : 0;
  errno = EFBIG;
  if (copy->n_files > BECKON_LANDING_COPY_MAX_FILES || copy->n_bytes > BECKON_LANDING_COPY_MAX_BYTES)
    return FALSE;
  errno = ECANCELED;
  if (g_cancellable_is_cancelled (copy->cancellable))
    return FALSE;
  if (S_ISDIR (info.st_mode))
    is_fine = copy_below (copy, from, to, name, path, depth, &info);
  else
    is_fine = copy->copied == NULL || copy_name (copy, to, name, path, &info)
              || beckon_landing_tree_copy_thing (from, name, to, name, &info, BECKON_TREE_COPY_PERSONS);
  if (!is_fine)
    return errno == ENOENT || errno == EACCES || errno == EPERM || errno == ELOOP || errno == ENOTDIR;

  return copy->copied == NULL || landing_copy_note (copy, to, name, path);
}

static gboolean
copy_folder (Copy *copy, int from, int to, const char *path, guint depth)
{
  g_autoptr (BeckonEntries) entries = beckon_landing_tree_list (from, ".", FALSE);
  const char *name;

  if (entries == NULL)
    return FALSE;
  errno = EFBIG;
  if (depth >= MAX_DEPTH)
    return FALSE;
  while ((name = beckon_landing_tree_next (entries)) != NULL)
    if (!copy_entry (copy, from, to, path, name, depth))
      return FALSE;
  return TRUE;
}

static int
open_source (const char *folder)
{
  struct open_how how = { .flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC, .resolve = RESOLVE_NO_SYMLINKS };

  return (int) syscall (SYS_openat2, AT_FDCWD, folder, &how, sizeof how);
}

static gboolean
copy_all (Copy *copy, int from)
{
  struct stat info;

  if (fstat (from, &info) != 0 || !copy_folder (copy, from, copy->root, "", 0))
    return FALSE;

  /* Another link to a file touches it. */
  for (guint i = 0; i < copy->linked->len; i++)
    {
      const char *path = g_ptr_array_index (copy->linked, i);

      if (g_hash_table_contains (copy->copied, path) && !landing_copy_note (copy, copy->root, path, path))
        return FALSE;
    }
  /* A change by the command is to have another time than what was copied. */
  beckon_landing_tree_wait_for_tick (copy->last);
  return beckon_landing_tree_copy_properties (from, copy->root, &info, BECKON_TREE_COPY_PERSONS);
}

gboolean
beckon_landing_copy_fits (const char *folder)
{
  Copy copy = { .root = -1 };
  g_auto (BeckonFd) from = open_source (folder);

  return from >= 0 && copy_folder (&copy, from, -1, "", 0);
}

gboolean
beckon_landing_copy_make (const char *folder, const char *place, GHashTable *hidden, GCancellable *cancellable, GError **error)
{
  g_autoptr (GHashTable) copied = beckon_landing_table_new ();
  g_autoptr (GHashTable) links = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autofree char *path = g_build_filename (place, COPIED, NULL);
  g_autoptr (GPtrArray) linked = g_ptr_array_new_with_free_func (g_free);
  g_auto (BeckonFd) from = open_source (folder);
  g_auto (BeckonFd) root = from >= 0 && mkdir (path, 0700) == 0 ? open (path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
                                                                 : -1;
  Copy copy = { copied, hidden, links, linked, 0, root, cancellable, 0, 0 };

  if (root < 0 || !copy_all (&copy, from))
    {
      if (errno == ECANCELED)
        g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, beckon_errno_describe (errno));
      else if (errno == EFBIG)
        beckon_text_set_error (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
                               _("“%s” is too large to be copied for a command."), folder);
      else
        beckon_text_set_error (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE, _("“%s” can't be copied for a command: %s"),
                               folder, beckon_errno_describe (errno));
      return FALSE;
    }
  return beckon_landing_table_save (copied, place, BECKON_LANDING_COPIED, sizeof (BeckonCopiedRecord), error);
}

/* Afterwards. */

/* An upper layer in the making. The command is gone: nothing else writes here. But links of its making are in the copy, so that
 * is walked by descriptors. */
typedef struct
{
  GHashTable *copied;   /* (element-type filename BeckonCopiedRecord) */
  GHashTable *children; /* (element-type filename GPtrArray): the paths that were directly in a folder */
  const char *upper;
} Layer;

/* A folder that was there before the command and still is, as it is walked. */
typedef struct _Level Level;
struct _Level
{
  Level *above; /* (nullable) */
  const char *path;
  struct stat info;
  gboolean is_made; /* in the upper layer */
};

/* As an overlay marks what it has copied up, so that what was there before is told from what is new. */
static void
copy_mark (const char *upper, const struct stat *info)
{
  if (!S_ISREG (info->st_mode) && !S_ISDIR (info->st_mode))
    return;
  if (setxattr (upper, ORIGIN, "", 0, 0) == 0 || errno != EACCES || chmod (upper, info->st_mode | S_IWUSR) != 0)
    return;
  setxattr (upper, ORIGIN, "", 0, 0);
  chmod (upper, info->st_mode & 07777);
}

static gboolean
make_level (const Layer *layer, Level *level)
{
  g_autofree char *path = NULL;

  if (level->is_made)
    return TRUE;
  if (level->above != NULL && !make_level (layer, level->above))
    return FALSE;

  path = g_build_filename (layer->upper, level->path, NULL);
  level->is_made = mkdir (path, OWN_ALL) == 0;
  if (level->is_made)
    copy_mark (path, &level->info);
  return level->is_made;
}

/* A folder can only be moved by who may write in it. */
static gboolean
copy_move (const Layer *layer, Level *level, int folder, const char *name, const char *path, const struct stat *info)
{
  g_autofree char *upper = g_build_filename (layer->upper, path, NULL);
  gboolean is_opened = S_ISDIR (info->st_mode) && (info->st_mode & OWN_ALL) != OWN_ALL;

  if (!make_level (layer, level) || (is_opened && fchmodat (folder, name, info->st_mode | OWN_ALL, 0) != 0)
      || renameat (folder, name, AT_FDCWD, upper) != 0)
    return FALSE;
  if (is_opened && chmod (upper, info->st_mode & 07777) != 0)
    return FALSE;
  if (g_hash_table_contains (layer->copied, path))
    copy_mark (upper, info);
  return TRUE;
}

/* The same thing with the same mode, untouched since; a folder needs no more than its mode. */
static gboolean
landing_copy_is_same (const Layer *layer, const char *path, const struct stat *info)
{
  const BeckonCopiedRecord *was = g_hash_table_lookup (layer->copied, path);

  return was != NULL && was->mode == info->st_mode
         && (S_ISDIR (was->mode)
             || (was->inode == info->st_ino && was->changed_at == beckon_landing_tree_get_ctime (info)));
}

static gboolean settle_folder (const Layer *layer, Level *level, int folder);

static gboolean
settle_entry (const Layer *layer, Level *level, int folder, const char *name, const char *path)
{
  const BeckonCopiedRecord *was = g_hash_table_lookup (layer->copied, path);
  g_auto (BeckonFd) below = -1;
  Level inner = { level, path };
  gboolean is_untouched;

  if (!beckon_landing_tree_look (folder, name, &inner.info))
    return FALSE;
  is_untouched = landing_copy_is_same (layer, path, &inner.info);
  if (!S_ISDIR (inner.info.st_mode) || was == NULL || !S_ISDIR (was->mode))
    return is_untouched || copy_move (layer, level, folder, name, path, &inner.info);

  if ((inner.info.st_mode & OWN_ALL) != OWN_ALL && fchmodat (folder, name, inner.info.st_mode | OWN_ALL, 0) != 0)
    return FALSE;
  below = openat (folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  return below >= 0 && (is_untouched || make_level (layer, &inner)) && settle_folder (layer, &inner, below);
}

static gboolean
settle_missing (const Layer *layer, Level *level, GHashTable *here)
{
  GPtrArray *children = g_hash_table_lookup (layer->children, level->path);

  for (guint i = 0; children != NULL && i < children->len; i++)
    {
      const char *path = g_ptr_array_index (children, i);
      g_autofree char *upper = g_build_filename (layer->upper, path, NULL);

      if (!g_hash_table_contains (here, path)
          && (!make_level (layer, level) || mknod (upper, S_IFCHR, makedev (0, 0)) != 0))
        return FALSE;
    }

  return TRUE;
}

static gboolean
settle_folder (const Layer *layer, Level *level, int folder)
{
  g_autoptr (GHashTable) here = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (BeckonEntries) entries = beckon_landing_tree_list (folder, ".", FALSE);
  const struct timespec times[] = { level->info.st_atim, level->info.st_mtim };
  g_autofree char *upper = NULL;
  gboolean is_fine = entries != NULL;
  GHashTableIter iter;
  const char *name;
  gpointer path;

  /* All names first: those that are moved away are in the way of reading on. */
  while ((name = beckon_landing_tree_next (entries)) != NULL)
    g_hash_table_add (here, landing_copy_join (level->path, name));
  g_hash_table_iter_init (&iter, here);
  while (is_fine && g_hash_table_iter_next (&iter, &path, NULL))
    {
      const char *slash = strrchr (path, '/');

      is_fine = settle_entry (layer, level, folder, slash != NULL ? slash + 1 : path, path);
    }
  if (!is_fine || !settle_missing (layer, level, here))
    return FALSE;
  upper = g_build_filename (layer->upper, level->path, NULL);
  return !level->is_made || (chmod (upper, level->info.st_mode & 07777) == 0 && utimensat (AT_FDCWD, upper, times, 0) == 0);
}

/* By folder; "" for the one that was copied. */
static GHashTable *
sort_children (GHashTable *copied)
{
  GHashTable *children = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_ptr_array_unref);
  g_autoptr (GList) paths = g_hash_table_get_keys (copied);

  for (GList *at = paths; at != NULL; at = at->next)
    {
      const char *path = at->data;
      const char *slash = strrchr (path, '/');
      g_autofree char *folder = slash != NULL ? g_strndup (path, (gsize) (slash - path)) : g_strdup ("");
      GPtrArray *inside = g_hash_table_lookup (children, folder);

      if (inside == NULL)
        {
          inside = g_ptr_array_new ();
          g_hash_table_insert (children, g_steal_pointer (&folder), inside);
        }
      g_ptr_array_add (inside, (gpointer) path);
    }

  return children;
}

gboolean
beckon_landing_copy_to_upper (const char *place, GError **error)
{
  g_autofree char *path = g_build_filename (place, COPIED, NULL);
  g_autofree char *upper = g_build_filename (place, "upper", NULL);
  g_autofree char *file = g_build_filename (place, BECKON_LANDING_COPIED, NULL);
  g_autoptr (GHashTable) copied = NULL;
  g_autoptr (GHashTable) children = NULL;
  g_auto (BeckonFd) copy = -1;
  Level level = { NULL, "", { 0 }, TRUE };

  g_return_val_if_fail (place != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (lstat (path, &level.info) != 0 && errno == ENOENT)
    return TRUE;
  copied = beckon_landing_table_load (place, BECKON_LANDING_COPIED, sizeof (BeckonCopiedRecord), error);
  if (copied == NULL)
    return FALSE;

  children = sort_children (copied);
  /* The command may have closed it. */
  if (chmod (path, level.info.st_mode | OWN_ALL) == 0)
    copy = open (path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (copy < 0 || access (file, R_OK) != 0 || mkdir (upper, OWN_ALL) != 0
      || !settle_folder (&(Layer){ copied, children, upper }, &level, copy))
    {
      beckon_text_set_error (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE, _("What the command changed can't be read: %s"),
                             beckon_errno_describe (errno));
      return FALSE;
    }
  g_unlink (file);
  return beckon_landing_place_remove (path, error);
}
