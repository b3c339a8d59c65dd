/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE

#include "beckon-config.h"

#include "beckon-landing-tree.h"

#include "base/beckon-errno.h"
#include "base/beckon-error.h"
#include "base/beckon-id.h"
#include "base/beckon-text-printf.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/* Below this depth a folder that is removed is first moved to the top, so that neither the stack nor descriptors run
 * out. */
#define REMOVE_DEPTH 48

/* The kernel may ask to try again while something is renamed on the way. */
int
beckon_landing_tree_open (int root, const char *path, int flags)
{
  struct open_how how = { .flags = (guint64) (flags | O_CLOEXEC | O_NOFOLLOW),
                          .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_SYMLINKS };
  int fd = -1;

  for (guint i = 0; i < 32 && fd < 0; i++)
    {
      fd = (int) syscall (SYS_openat2, root, path, &how, sizeof how);
      if (fd < 0 && errno != EAGAIN && errno != EINTR)
        break;
    }
  return fd;
}

int
beckon_landing_tree_open_parent (int root, const char *path, const char **name)
{
  const char *slash = strrchr (path, '/');
  g_autofree char *parent = slash != NULL ? g_strndup (path, (gsize) (slash - path)) : NULL;

  *name = slash != NULL ? slash + 1 : path;
  return beckon_landing_tree_open (root, parent != NULL ? parent : ".", O_RDONLY | O_DIRECTORY);
}

/* The folders in between are ours, whatever their modes are: those that matter are written down. */
static gboolean
make_folder (int above, const char *name)
{
  return mkdirat (above, name, 0700) == 0
         || (errno == EACCES && fchmod (above, 0700) == 0 && mkdirat (above, name, 0700) == 0);
}

int
beckon_landing_tree_make_parent (int root, const char *path, const char **name)
{
  const char *slash = strrchr (path, '/');
  int fd = beckon_landing_tree_open_parent (root, path, name);

  if (fd >= 0 || errno != ENOENT || slash == NULL)
    return fd;

  for (const char *at = strchr (path, '/'); at != NULL; at = strchr (at + 1, '/'))
    {
      g_autofree char *folder = g_strndup (path, (gsize) (at - path));
      const char *last;
      int above = beckon_landing_tree_open_parent (root, folder, &last);
      gboolean is_there = above >= 0 && (make_folder (above, last) || errno == EEXIST);
      int saved_errno = errno;

      if (above >= 0)
        close (above);
      errno = saved_errno;
      if (!is_there)
        return -1;
    }
  return beckon_landing_tree_open_parent (root, path, name);
}

gboolean
beckon_landing_tree_look (int folder, const char *name, struct stat *info)
{
  return fstatat (folder, name, info, AT_SYMLINK_NOFOLLOW) == 0;
}

/* chmod has no way to say that a link is not to be followed; a descriptor of the thing itself does. */
gboolean
beckon_landing_tree_set_mode (int folder, const char *name, mode_t mode)
{
  int fd = openat (folder, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
  struct stat info;
  gboolean is_set = FALSE;
  int saved_errno;

  if (fd < 0)
    return FALSE;
  if (fstat (fd, &info) == 0 && !S_ISLNK (info.st_mode))
    {
      g_autofree char *path = g_strdup_printf ("/proc/self/fd/%d", fd);

      is_set = chmod (path, mode & 07777) == 0;
    }
  else
    errno = ELOOP;
  saved_errno = errno;
  close (fd);
  errno = saved_errno;
  return is_set;
}

int
beckon_landing_tree_open_ours (int folder, const char *name, int flags)
{
  struct stat info;
  int fd = openat (folder, name, flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  int saved_errno = errno;

  if (fd >= 0 || errno != EACCES || !beckon_landing_tree_look (folder, name, &info) || S_ISLNK (info.st_mode))
    {
      errno = saved_errno;
      return fd;
    }

  if (!beckon_landing_tree_set_mode (folder, name, info.st_mode | (S_ISDIR (info.st_mode) ? 0700 : 0400)))
    return -1;
  fd = openat (folder, name, flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  saved_errno = errno;
  beckon_landing_tree_set_mode (folder, name, info.st_mode);
  errno = saved_errno;
  return fd;
}

static gint64
to_nanoseconds (const struct timespec *time)
{
  return (gint64) time->tv_sec * G_GINT64_CONSTANT (1000000000) + time->tv_nsec;
}

gint64
beckon_landing_tree_get_ctime (const struct stat *info)
{
  return to_nanoseconds (&info->st_ctim);
}

gint64
beckon_landing_tree_get_mtime (const struct stat *info)
{
  return to_nanoseconds (&info->st_mtim);
}

gint64
beckon_landing_tree_get_birth (int folder, const char *name)
{
  struct statx info;

  if (statx (folder, name, AT_SYMLINK_NOFOLLOW, STATX_BTIME, &info) != 0 || (info.stx_mask & STATX_BTIME) == 0)
    return -1;

  return (gint64) info.stx_btime.tv_sec * G_GINT64_CONSTANT (1000000000) + info.stx_btime.tv_nsec;
}

static char *
name_by_descriptor (int folder, const char *name)
{
  return g_strdup_printf ("/proc/self/fd/%d/%s", folder, name);
}

gssize
beckon_landing_tree_get_attribute (int folder, const char *name, const char *attribute, char *value, gsize size)
{
  g_autofree char *path = name_by_descriptor (folder, name);

  return lgetxattr (path, attribute, value, size);
}

gssize
beckon_landing_tree_list_attributes (int folder, const char *name, char *names, gsize size)
{
  g_autofree char *path = name_by_descriptor (folder, name);

  return llistxattr (path, names, size);
}

gboolean
beckon_landing_tree_is_whiteout (int folder, const char *name, const struct stat *info)
{
  if (S_ISCHR (info->st_mode))
    return info->st_rdev == makedev (0, 0);

  return S_ISREG (info->st_mode) && info->st_size == 0
         && beckon_landing_tree_get_attribute (folder, name, BECKON_LANDING_TREE_OVERLAY "whiteout", NULL, 0) >= 0;
}

gboolean
beckon_landing_tree_refuse (const char *path, GError **error)
{
  int saved_errno = errno;
  g_autofree char *shown = g_filename_display_name (path);

  beckon_text_set_error (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE, _("“%s” can’t be opened: %s"), shown,
                         beckon_errno_describe (saved_errno));
  return FALSE;
}

/* The owner of a file that must not be written has to be allowed to for the moment. */
static gboolean
remove_attribute (int folder, const char *name, const char *attribute)
{
  g_autofree char *path = name_by_descriptor (folder, name);
  struct stat info;
  gboolean is_removed;

  if (lremovexattr (path, attribute) == 0)
    return TRUE;
  if (errno != EACCES || !beckon_landing_tree_look (folder, name, &info)
      || !beckon_landing_tree_set_mode (folder, name, info.st_mode | 0200))
    return FALSE;

  is_removed = lremovexattr (path, attribute) == 0;
  beckon_landing_tree_set_mode (folder, name, info.st_mode);
  return is_removed;
}

gboolean
beckon_landing_tree_strip (int folder, const char *name)
{
  char names[4096];
  gssize length = beckon_landing_tree_list_attributes (folder, name, names, sizeof names);

  for (gssize at = 0; at < length; at += (gssize) strlen (names + at) + 1)
    if (g_str_has_prefix (names + at, BECKON_LANDING_TREE_OVERLAY) && !remove_attribute (folder, name, names + at))
      return FALSE;
  return length >= 0 || errno == ENOTSUP;
}

/* Removing. */

static gboolean
refuse_removal (const char *name, GError **error)
{
  int saved_errno = errno;
  g_autofree char *shown = g_filename_display_name (name);

  beckon_text_set_error (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE, _("“%s” can’t be removed: %s"), shown,
                         beckon_errno_describe (saved_errno));
  return FALSE;
}

static gboolean remove_entry (int top, int folder, const char *name, guint depth, GError **error);

static DIR *
open_for_removal (int folder, const char *name)
{
  struct stat info;
  int fd;
  DIR *entries;

  if (fstatat (folder, name, &info, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR (info.st_mode)
      && (info.st_mode & 0700) != 0700)
    beckon_landing_tree_set_mode (folder, name, 0700);
  fd = openat (folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0)
    return NULL;

  entries = fdopendir (fd);
  if (entries == NULL)
    close (fd);
  return entries;
}

static gboolean
empty_folder (int top, DIR *entries, guint depth, GError **error)
{
  struct dirent *entry;

  while ((entry = readdir (entries)) != NULL)
    if (strcmp (entry->d_name, ".") != 0 && strcmp (entry->d_name, "..") != 0
        && !remove_entry (top, dirfd (entries), entry->d_name, depth + 1, error))
      return FALSE;

  return TRUE;
}

/* A folder that is moved needs to be writable itself, because its .. changes. */
static gboolean
move_to_top (int top, int folder, const char *name, GError **error)
{
  g_autofree char *id = beckon_id_new ();

  beckon_landing_tree_set_mode (folder, name, 0700);
  return renameat (folder, name, top, id) == 0 || refuse_removal (name, error);
}

static gboolean
remove_entry (int top, int folder, const char *name, guint depth, GError **error)
{
  DIR *entries;
  gboolean is_empty;

  if (unlinkat (folder, name, 0) == 0 || errno == ENOENT)
    return TRUE;
  if (errno != EISDIR && errno != EPERM)
    return refuse_removal (name, error);
  if (unlinkat (folder, name, AT_REMOVEDIR) == 0)
    return TRUE;
  if (depth > REMOVE_DEPTH)
    return move_to_top (top, folder, name, error);

  entries = open_for_removal (folder, name);
  if (entries == NULL)
    return refuse_removal (name, error);
  is_empty = empty_folder (top, entries, depth, error);
  closedir (entries);
  return is_empty && (unlinkat (folder, name, AT_REMOVEDIR) == 0 || errno == ENOENT || refuse_removal (name, error));
}

/* Folders that were moved to the top stand in @name then, so that is looked through until nothing is left. */
static gboolean
remove_all (int folder, const char *name, GError **error)
{
  struct stat info;

  for (guint i = 0; i < 100000; i++)
    {
      DIR *entries;
      gboolean is_empty;

      if (unlinkat (folder, name, 0) == 0 || errno == ENOENT)
        return TRUE;
      if (!beckon_landing_tree_look (folder, name, &info))
        return errno == ENOENT || refuse_removal (name, error);
      if (!S_ISDIR (info.st_mode))
        return refuse_removal (name, error);
      if (unlinkat (folder, name, AT_REMOVEDIR) == 0)
        return TRUE;

      entries = open_for_removal (folder, name);
      if (entries == NULL)
        return refuse_removal (name, error);
      is_empty = empty_folder (dirfd (entries), entries, 0, error);
      closedir (entries);
      if (!is_empty)
        return FALSE;
    }

  errno = EBUSY;
  return refuse_removal (name, error);
}

/* A folder that must not be written is, for the moment. */
gboolean
beckon_landing_tree_remove (int folder, const char *name, GError **error)
{
  struct stat info;
  gboolean is_removed;

  if (fstat (folder, &info) != 0 || (info.st_mode & 0700) == 0700
      || fchmod (folder, (info.st_mode & 07777) | 0700) != 0)
    return remove_all (folder, name, error);

  is_removed = remove_all (folder, name, error);
  fchmod (folder, info.st_mode & 07777);
  return is_removed;
}
