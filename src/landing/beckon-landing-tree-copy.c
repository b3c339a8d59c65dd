/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE

#include "beckon-config.h"

#include "beckon-landing-tree-copy.h"

#include "beckon-landing-tree.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/fs.h>
#include <linux/limits.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>
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

/* Shares blocks where the file system can; else copies all but holes. One that knows none has data everywhere. */
static gboolean
copy_data (int from, int to, goffset size)
{
  goffset at = ioctl (to, FICLONE, from) == 0 ? size : 0;

  if (at == 0 && ftruncate (to, size) != 0)
    return FALSE;
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

void
beckon_landing_attributes_copy (int from, int to, gboolean with_overlay)
{
  const int saved_errno = errno;
  g_autofree char *names = g_malloc (XATTR_LIST_MAX);
  g_autofree char *value = g_malloc (XATTR_SIZE_MAX);
  gssize length = flistxattr (from, names, XATTR_LIST_MAX);

  for (gssize at = 0; at < length; at += (gssize) strlen (names + at) + 1)
    {
      gssize size = !with_overlay && g_str_has_prefix (names + at, BECKON_LANDING_TREE_OVERLAY)
                        ? -1
                        : fgetxattr (from, names + at, value, XATTR_SIZE_MAX);

      if (size >= 0)
        fsetxattr (to, names + at, value, (gsize) size, 0);
    }
  errno = saved_errno;
}

/* Adds the names of what @one has, and @other has not or has otherwise. @only_missing: not the latter. */
static void
attributes_list_changed (int one, int other, const char *names, gssize length, gboolean only_missing, GString *changed)
{
  g_autofree char *values = g_malloc (2 * XATTR_SIZE_MAX);

  for (gssize at = 0; at < length; at += (gssize) strlen (names + at) + 1)
    {
      gssize size, other_size;

      if (!g_str_has_prefix (names + at, "system.posix_acl_")
          && (!g_str_has_prefix (names + at, "user.") || g_str_has_prefix (names + at, BECKON_LANDING_TREE_OVERLAY)))
        continue;
      size = fgetxattr (one, names + at, values, XATTR_SIZE_MAX);
      other_size = fgetxattr (other, names + at, values + XATTR_SIZE_MAX, XATTR_SIZE_MAX);
      if (size < 0 || (only_missing && other_size >= 0)
          || (other_size == size && memcmp (values, values + XATTR_SIZE_MAX, (gsize) size) == 0))
        continue;
      g_string_append_printf (changed, "%s%s", changed->len > 0 ? ", " : "", names + at);
    }
}

/* Either of the two file systems may know none. */
char *
beckon_landing_attributes_dup_changed (int before, int after)
{
  g_autofree char *names = g_malloc (2 * XATTR_LIST_MAX);
  gssize n_before = flistxattr (before, names, XATTR_LIST_MAX);
  gssize n_after = flistxattr (after, names + XATTR_LIST_MAX, XATTR_LIST_MAX);
  g_autoptr (GString) changed = g_string_new (NULL);

  if (n_before < 0 || n_after < 0)
    return NULL;

  attributes_list_changed (after, before, names + XATTR_LIST_MAX, n_after, FALSE, changed);
  attributes_list_changed (before, after, names, n_before, TRUE, changed);
  return changed->len > 0 ? g_string_free (g_steal_pointer (&changed), FALSE) : NULL;
}

/* Others' files become the person's own where they can't stay theirs; the bits that let a program run as its owner do not go to
 * another one. The mode comes behind the owner, and the time behind everything. */
gboolean
beckon_landing_tree_copy_properties (int from, int to, const struct stat *info, BeckonTreeCopy kind)
{
  const struct timespec times[2] = { info->st_atim, info->st_mtim };
  mode_t mode = info->st_mode & 07777;
  struct stat now;

  if (fstat (to, &now) != 0)
    return FALSE;
  if ((now.st_uid != info->st_uid || now.st_gid != info->st_gid) && fchown (to, info->st_uid, info->st_gid) != 0
      && (fchown (to, (uid_t) -1, info->st_gid) != 0 || now.st_uid != info->st_uid))
    mode &= (mode_t) ~(S_ISUID | S_ISGID);
  beckon_landing_attributes_copy (from, to, kind == BECKON_TREE_COPY_LAYER);
  return fchmod (to, mode) == 0 && futimens (to, times) == 0 && (kind == BECKON_TREE_COPY_PERSONS || fsync (to) == 0);
}

static gboolean
set_times (int to, const char *new_name, const struct stat *info)
{
  const struct timespec times[2] = { info->st_atim, info->st_mtim };

  return utimensat (to, new_name, times, AT_SYMLINK_NOFOLLOW) == 0;
}

gboolean
beckon_landing_tree_copy_thing (int from, const char *name, int to, const char *new_name, const struct stat *info,
                                BeckonTreeCopy kind)
{
  if (S_ISREG (info->st_mode))
    {
      const int flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
      g_auto (BeckonFd) old = kind != BECKON_TREE_COPY_PERSONS ? beckon_landing_tree_open_ours (from, name, O_RDONLY)
                                                               : openat (from, name, flags);
      g_auto (BeckonFd) new = old >= 0 ? openat (to, new_name, O_CREAT | O_EXCL | O_RDWR | O_NOFOLLOW | O_CLOEXEC, 0600) : -1;

      return new >= 0 && copy_data (old, new, info->st_size) && beckon_landing_tree_copy_properties (old, new, info, kind);
    }
  if (S_ISLNK (info->st_mode))
    {
      g_autofree char *target = beckon_landing_tree_read_link (from, name);

      return target != NULL && symlinkat (target, to, new_name) == 0 && set_times (to, new_name, info);
    }
  if (S_ISFIFO (info->st_mode))
    return mkfifoat (to, new_name, 0600) == 0 && beckon_landing_tree_set_mode (to, new_name, info->st_mode)
           && set_times (to, new_name, info);

  return kind != BECKON_TREE_COPY_LAYER || !S_ISCHR (info->st_mode) || info->st_rdev != makedev (0, 0)
         || mknodat (to, new_name, S_IFCHR, makedev (0, 0)) == 0;
}

static gboolean
tree_copy_copy (int from, const char *name, int to, const char *new_name, BeckonTreeCopy kind, guint depth)
{
  g_autoptr (BeckonEntries) entries = NULL;
  g_auto (BeckonFd) new = -1;
  const char *inner;
  struct stat info;

  if (!beckon_landing_tree_look (from, name, &info))
    return FALSE;
  if (!S_ISDIR (info.st_mode))
    return beckon_landing_tree_copy_thing (from, name, to, new_name, &info, kind);

  errno = ELOOP;
  entries = depth <= BECKON_LANDING_TREE_MAX_DEPTH ? beckon_landing_tree_list (from, name, TRUE) : NULL;
  if (entries == NULL || mkdirat (to, new_name, 0700) != 0)
    return FALSE;
  new = openat (to, new_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (new < 0)
    return FALSE;
  while ((inner = beckon_landing_tree_next (entries)) != NULL)
    if (!tree_copy_copy (dirfd (entries), inner, new, inner, kind, depth + 1))
      return FALSE;
  return beckon_landing_tree_copy_properties (dirfd (entries), new, &info, kind);
}

gboolean
beckon_landing_tree_copy (int from, const char *name, int to, const char *new_name, BeckonTreeCopy kind)
{
  int saved_errno;

  if (tree_copy_copy (from, name, to, new_name, kind, 0))
    return TRUE;

  saved_errno = errno;
  beckon_landing_tree_remove (to, new_name, NULL);
  errno = saved_errno;
  return FALSE;
}
