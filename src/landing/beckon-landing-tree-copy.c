/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE

#include "beckon-config.h"

#include "beckon-landing-tree-copy.h"

#include "beckon-landing-attributes.h"
#include "beckon-landing-tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define CHUNK (1024 * 1024)

static gboolean
copy_bytes (int from, int to, goffset at, goffset end)
{
  g_autofree char *bytes = g_malloc (CHUNK);

  while (at < end)
    {
      gssize n = pread (from, bytes, (gsize) MIN (end - at, CHUNK), at);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return FALSE;
      if (n == 0)
        break;

      /* A disk that is full takes a part first, and says why with the next. */
      n = pwrite (to, bytes, (gsize) n, at);
      if (n < 0 && errno != EINTR)
        return FALSE;
      at += MAX (n, 0);
    }
  return TRUE;
}

/* Copies all but holes. A file system that knows none has data everywhere. */
static gboolean
copy_data (int from, int to, goffset size)
{
  goffset at = 0;

  while (at < size)
    {
      goffset data = lseek (from, at, SEEK_DATA);
      goffset hole;

      if (data < 0)
        return errno == ENXIO || copy_bytes (from, to, at, size);
      hole = lseek (from, data, SEEK_HOLE);
      if (!copy_bytes (from, to, data, hole > data ? hole : size))
        return FALSE;
      at = hole > data ? hole : size;
    }
  return TRUE;
}

static gboolean
copy_content (int from, int to, const struct stat *info)
{
  if (ioctl (to, FICLONE, from) == 0)
    return TRUE;

  return ftruncate (to, info->st_size) == 0 && copy_data (from, to, info->st_size);
}

/* The mode comes behind the owner, which takes away what it had of set-id bits, and the time behind everything. */
static gboolean
copy_properties (int to, const struct stat *info)
{
  const struct timespec times[2] = { info->st_atim, info->st_mtim };
  struct stat now;

  if (fstat (to, &now) != 0)
    return FALSE;
  if ((now.st_uid != info->st_uid || now.st_gid != info->st_gid) && fchown (to, info->st_uid, info->st_gid) != 0)
    errno = 0;
  return fchmod (to, info->st_mode & 07777) == 0 && futimens (to, times) == 0;
}

static gboolean
copy_regular (int from, const char *name, int to, const char *new_name, const struct stat *info, gboolean is_layer)
{
  int old = beckon_landing_tree_open_ours (from, name, O_RDONLY);
  int new = old >= 0 ? openat (to, new_name, O_CREAT | O_EXCL | O_RDWR | O_NOFOLLOW | O_CLOEXEC, 0600) : -1;
  gboolean is_copied = FALSE;
  int saved_errno;

  if (new >= 0)
    {
      is_copied = copy_content (old, new, info);
      beckon_landing_attributes_copy (old, new, is_layer);
      is_copied = is_copied && copy_properties (new, info) && fsync (new) == 0;
    }
  saved_errno = errno;
  if (old >= 0)
    close (old);
  if (new >= 0)
    close (new);
  errno = saved_errno;
  return is_copied;
}

static gboolean
set_times (int to, const char *new_name, const struct stat *info)
{
  const struct timespec times[2] = { info->st_atim, info->st_mtim };

  return utimensat (to, new_name, times, AT_SYMLINK_NOFOLLOW) == 0;
}

static gboolean
copy_link (int from, const char *name, int to, const char *new_name, const struct stat *info)
{
  g_autofree char *target = g_malloc (PATH_MAX + 1);
  gssize length = readlinkat (from, name, target, PATH_MAX);

  if (length < 0)
    return FALSE;

  target[length] = '\0';
  return symlinkat (target, to, new_name) == 0 && set_times (to, new_name, info);
}

static gboolean copy (int from, const char *name, int to, const char *new_name, gboolean is_layer, guint depth);

static gboolean
copy_entries (int from, int to, gboolean is_layer, guint depth)
{
  int fd = openat (from, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *entries = fd >= 0 ? fdopendir (fd) : NULL;
  gboolean is_copied = entries != NULL;
  struct dirent *entry;

  if (entries == NULL && fd >= 0)
    close (fd);
  while (is_copied && (entry = readdir (entries)) != NULL)
    if (strcmp (entry->d_name, ".") != 0 && strcmp (entry->d_name, "..") != 0)
      is_copied = copy (from, entry->d_name, to, entry->d_name, is_layer, depth + 1);
  if (entries != NULL)
    closedir (entries);
  return is_copied;
}

static gboolean
copy_folder (
    int from, const char *name, int to, const char *new_name, const struct stat *info, gboolean is_layer, guint depth)
{
  int old = beckon_landing_tree_open_ours (from, name, O_RDONLY | O_DIRECTORY);
  int new = -1;
  gboolean is_copied = FALSE;
  int saved_errno;

  if (old >= 0 && mkdirat (to, new_name, 0700) == 0)
    new = openat (to, new_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (new >= 0)
    {
      beckon_landing_attributes_copy (old, new, is_layer);
      is_copied = copy_entries (old, new, is_layer, depth) && copy_properties (new, info) && fsync (new) == 0;
    }
  saved_errno = errno;
  if (old >= 0)
    close (old);
  if (new >= 0)
    close (new);
  errno = saved_errno;
  return is_copied;
}

static gboolean
copy (int from, const char *name, int to, const char *new_name, gboolean is_layer, guint depth)
{
  struct stat info;

  if (!beckon_landing_tree_look (from, name, &info))
    return FALSE;
  if (depth > BECKON_LANDING_TREE_MAX_DEPTH)
    {
      errno = ELOOP;
      return FALSE;
    }
  if (S_ISREG (info.st_mode))
    return copy_regular (from, name, to, new_name, &info, is_layer);
  if (S_ISLNK (info.st_mode))
    return copy_link (from, name, to, new_name, &info);
  if (S_ISDIR (info.st_mode))
    return copy_folder (from, name, to, new_name, &info, is_layer, depth);
  if (S_ISFIFO (info.st_mode))
    return mkfifoat (to, new_name, 0600) == 0 && beckon_landing_tree_set_mode (to, new_name, info.st_mode)
           && set_times (to, new_name, &info);

  if (is_layer && S_ISCHR (info.st_mode) && info.st_rdev == makedev (0, 0))
    return mknodat (to, new_name, S_IFCHR, makedev (0, 0)) == 0;

  /* Sockets and devices are not copied, and nothing misses them. */
  return depth > 0;
}

gboolean
beckon_landing_tree_copy (int from, const char *name, int to, const char *new_name, guint64 *inode)
{
  struct stat info;
  int saved_errno;

  g_return_val_if_fail (name != NULL && new_name != NULL, FALSE);

  if (copy (from, name, to, new_name, FALSE, 0) && beckon_landing_tree_look (to, new_name, &info))
    {
      if (inode != NULL)
        *inode = info.st_ino;
      return TRUE;
    }

  saved_errno = errno;
  beckon_landing_tree_remove (to, new_name, NULL);
  errno = saved_errno;
  return FALSE;
}

gboolean
beckon_landing_tree_copy_layer (int from, const char *name, int to, const char *new_name)
{
  int saved_errno;

  g_return_val_if_fail (name != NULL && new_name != NULL, FALSE);

  if (copy (from, name, to, new_name, TRUE, 0))
    return TRUE;

  saved_errno = errno;
  beckon_landing_tree_remove (to, new_name, NULL);
  errno = saved_errno;
  return FALSE;
}
