/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE

#include "beckon-config.h"

#include "base/beckon-errno.h"
#include "base/beckon-error.h"
#include "base/beckon-text-printf.h"
#include "beckon-landing-copy.h"
#include "beckon-landing-place.h"
#include "beckon-landing-table.h"
#include "beckon-landing-tree.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>
#include <unistd.h>

#define OWN_ALL 0700
#define ORIGIN "user.overlay.origin"

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

static char *
join (const char *folder, const char *name)
{
  return *folder != '\0' ? g_build_filename (folder, name, NULL) : g_strdup (name);
}

/* As an overlay marks what it has copied up, so that what was there before is told from what is new. */
static void
mark (const char *upper, const struct stat *info)
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
    mark (path, &level->info);
  return level->is_made;
}

/* A folder can only be moved by who may write in it. */
static gboolean
move (const Layer *layer, Level *level, int folder, const char *name, const char *path, const struct stat *info)
{
  g_autofree char *upper = g_build_filename (layer->upper, path, NULL);
  gboolean is_opened = S_ISDIR (info->st_mode) && (info->st_mode & OWN_ALL) != OWN_ALL;

  if (!make_level (layer, level) || (is_opened && fchmodat (folder, name, info->st_mode | OWN_ALL, 0) != 0)
      || renameat (folder, name, AT_FDCWD, upper) != 0)
    return FALSE;
  if (is_opened && chmod (upper, info->st_mode & 07777) != 0)
    return FALSE;
  if (g_hash_table_contains (layer->copied, path))
    mark (upper, info);
  return TRUE;
}

/* The same thing with the same mode, untouched since; a folder needs no more than its mode. */
static gboolean
is_same (const Layer *layer, const char *path, const struct stat *info)
{
  const BeckonCopiedRecord *was = g_hash_table_lookup (layer->copied, path);

  return was != NULL && was->mode == info->st_mode
         && (S_ISDIR (was->mode)
             || (was->inode == info->st_ino && was->changed_at == beckon_landing_tree_get_ctime (info)));
}

static gboolean settle_folder (const Layer *layer, Level *level, int folder);

static gboolean
settle_below (const Layer *layer, Level *above, int folder, const char *name, const char *path, const struct stat *info)
{
  Level level = { above, path, *info, FALSE };
  g_auto (BeckonFd) below = -1;

  if ((info->st_mode & OWN_ALL) != OWN_ALL && fchmodat (folder, name, info->st_mode | OWN_ALL, 0) != 0)
    return FALSE;
  below = openat (folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  return below >= 0 && (is_same (layer, path, info) || make_level (layer, &level)) && settle_folder (layer, &level, below);
}

static gboolean
settle_entry (const Layer *layer, Level *level, int folder, const char *name, const char *path)
{
  const BeckonCopiedRecord *was = g_hash_table_lookup (layer->copied, path);
  struct stat info;

  if (!beckon_landing_tree_look (folder, name, &info))
    return FALSE;
  if (S_ISDIR (info.st_mode) && was != NULL && S_ISDIR (was->mode))
    return settle_below (layer, level, folder, name, path, &info);
  if (is_same (layer, path, &info))
    return TRUE;

  return move (layer, level, folder, name, path, &info);
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
    g_hash_table_add (here, join (level->path, name));
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
  g_autofree char *path = g_build_filename (place, "copy", NULL);
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
