/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE
#include "beckon-config.h"

#include "beckon-landing-tree.h"

#include "base/beckon-error.h"
#include "base/beckon-id.h"
#include "base/beckon-text-printf.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>
#include <unistd.h>

/* Below this depth a folder that is removed is first moved to the top, so that neither the stack nor descriptors run
 * out. */
#define REMOVE_DEPTH 48

void
beckon_fd_close (int fd)
{
  const int saved_errno = errno;

  close (fd);
  errno = saved_errno;
}

void
beckon_entries_close (BeckonEntries *entries)
{
  const int saved_errno = errno;

  closedir (entries);
  errno = saved_errno;
}

BeckonEntries *
beckon_landing_tree_list (int folder, const char *name, gboolean is_ours)
{
  const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  g_auto (BeckonFd) fd = is_ours ? beckon_landing_tree_open_ours (folder, name, flags) : openat (folder, name, flags);
  BeckonEntries *entries = fd >= 0 ? fdopendir (fd) : NULL;

  if (entries != NULL)
    fd = -1;
  return entries;
}

const char *
beckon_landing_tree_next (BeckonEntries *entries)
{
  struct dirent *entry;

  while (entries != NULL && (entry = readdir (entries)) != NULL)
    if (strcmp (entry->d_name, ".") != 0 && strcmp (entry->d_name, "..") != 0)
      return entry->d_name;

  return NULL;
}

char *
beckon_landing_tree_read_link (int folder, const char *name)
{
  g_autofree char *target = g_malloc0 (PATH_MAX + 1);

  return readlinkat (folder, name, target, PATH_MAX) >= 0 ? g_steal_pointer (&target) : NULL;
}

gssize
beckon_landing_tree_read_at (int fd, gpointer bytes, gsize length, goffset offset)
{
  gsize n_read = 0;
  gssize n = 1;

  while (n_read < length && n != 0)
    {
      n = pread (fd, (guchar *) bytes + n_read, length - n_read, offset + (goffset) n_read);
      if (n < 0 && errno != EINTR)
        return -1;
      n_read += (gsize) MAX (n, 0);
    }
  return (gssize) n_read;
}

char *
beckon_landing_tree_read (int fd, gsize most, gsize *length)
{
  g_autofree char *bytes = NULL;
  struct stat info;
  gssize n;

  if (fstat (fd, &info) != 0 || !S_ISREG (info.st_mode) || (gsize) info.st_size > most)
    return NULL;

  bytes = g_malloc ((gsize) info.st_size + 1);
  n = beckon_landing_tree_read_at (fd, bytes, (gsize) info.st_size, 0);
  bytes[MAX (n, 0)] = '\0';
  if (length != NULL)
    *length = (gsize) MAX (n, 0);
  return n >= 0 ? g_steal_pointer (&bytes) : NULL;
}

gboolean
beckon_landing_tree_write (int fd, const void *data, gsize size)
{
  const char *bytes = data;

  while (size > 0)
    {
      gssize n = write (fd, bytes, size);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return FALSE;
      bytes += n;
      size -= (gsize) n;
    }
  return TRUE;
}

int
beckon_landing_tree_open_file (int root, const char *path, gboolean is_ours)
{
  const char *name;
  g_auto (BeckonFd) parent = beckon_landing_tree_open_parent (root, path, &name);

  if (parent < 0)
    return -1;
  return is_ours ? beckon_landing_tree_open_ours (parent, name, O_RDONLY)
                 : openat (parent, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
}

gboolean
beckon_landing_tree_look_at (int root, const char *path, struct stat *info)
{
  const char *name;
  g_auto (BeckonFd) parent = beckon_landing_tree_open_parent (root, path, &name);

  return parent >= 0 && beckon_landing_tree_look (parent, name, info) && !S_ISCHR (info->st_mode);
}

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
landing_tree_make_folder (int above, const char *name)
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
      g_auto (BeckonFd) above = beckon_landing_tree_open_parent (root, folder, &last);

      if (above < 0 || (!landing_tree_make_folder (above, last) && errno != EEXIST))
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
  g_auto (BeckonFd) fd = openat (folder, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
  g_autofree char *path = g_strdup_printf ("/proc/self/fd/%d", fd);
  struct stat info;

  if (fd < 0)
    return FALSE;
  if (fstat (fd, &info) == 0 && !S_ISLNK (info.st_mode))
    return chmod (path, mode & 07777) == 0;

  errno = ELOOP;
  return FALSE;
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

void
beckon_landing_tree_wait_for_tick (gint64 until)
{
  struct timespec now;

  for (guint i = 0; i < 100; i++)
    {
      clock_gettime (CLOCK_REALTIME_COARSE, &now);
      if (to_nanoseconds (&now) > until)
        return;
      g_usleep (500);
    }
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
  g_autofree char *path = name_by_descriptor (folder, name);
  gssize length = llistxattr (path, names, sizeof names);

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

/* @top: -1: @name itself. */
static gboolean
empty_folder (int top, int folder, const char *name, guint depth, GError **error)
{
  g_autoptr (BeckonEntries) entries = NULL;
  struct stat info;
  const char *inner;

  if (beckon_landing_tree_look (folder, name, &info) && S_ISDIR (info.st_mode) && (info.st_mode & 0700) != 0700)
    beckon_landing_tree_set_mode (folder, name, 0700);
  entries = beckon_landing_tree_list (folder, name, FALSE);
  if (entries == NULL)
    return refuse_removal (name, error);

  while ((inner = beckon_landing_tree_next (entries)) != NULL)
    if (!remove_entry (top >= 0 ? top : dirfd (entries), dirfd (entries), inner, depth + 1, error))
      return FALSE;

  return TRUE;
}

static gboolean
remove_entry (int top, int folder, const char *name, guint depth, GError **error)
{
  if (unlinkat (folder, name, 0) == 0 || errno == ENOENT)
    return TRUE;
  if (errno != EISDIR && errno != EPERM)
    return refuse_removal (name, error);
  if (unlinkat (folder, name, AT_REMOVEDIR) == 0)
    return TRUE;
  if (depth > REMOVE_DEPTH)
    {
      g_autofree char *id = beckon_id_new ();

      /* The folder needs to be writable itself, because its .. changes. */
      beckon_landing_tree_set_mode (folder, name, 0700);
      return renameat (folder, name, top, id) == 0 || refuse_removal (name, error);
    }

  return empty_folder (top, folder, name, depth, error)
         && (unlinkat (folder, name, AT_REMOVEDIR) == 0 || errno == ENOENT || refuse_removal (name, error));
}

/* Folders that were moved to the top stand in @name then, so that is looked through until nothing is left. */
static gboolean
remove_all (int folder, const char *name, GError **error)
{
  struct stat info;

  for (guint i = 0; i < 100000; i++)
    {
      if (unlinkat (folder, name, 0) == 0 || errno == ENOENT)
        return TRUE;
      if (!beckon_landing_tree_look (folder, name, &info))
        return errno == ENOENT || refuse_removal (name, error);
      if (!S_ISDIR (info.st_mode))
        return refuse_removal (name, error);
      if (unlinkat (folder, name, AT_REMOVEDIR) == 0)
        return TRUE;
      if (!empty_folder (-1, folder, name, 0, error))
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
