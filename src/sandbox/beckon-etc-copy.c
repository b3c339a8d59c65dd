/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE

#include "beckon-config.h"

#include "beckon-etc-copy.h"

#include "base/beckon-error.h"
#include "beckon-etc-sources.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* Under the lock of the place nobody else makes one, so that whatever has this name is left over. */
#define UNFINISHED "new"

struct _BeckonEtcCopy
{
  char *path;
  uid_t user;
  int fd; /* holds a lock that others share */
  BeckonEtcSources *sources;
};

void
beckon_etc_copy_free (BeckonEtcCopy *copy)
{
  if (copy == NULL)
    return;

  g_free (copy->path);
  close (copy->fd);
  beckon_etc_sources_free (copy->sources);
  g_free (copy);
}

const char *
beckon_etc_copy_get_path (BeckonEtcCopy *copy)
{
  g_return_val_if_fail (copy != NULL, NULL);

  return copy->path;
}

/* Who tidies up may not know that it is in use. */
static gboolean
is_there (BeckonEtcCopy *self)
{
  struct stat held, named;

  return fstat (self->fd, &held) == 0 && lstat (self->path, &named) == 0 && held.st_dev == named.st_dev
         && held.st_ino == named.st_ino;
}

gboolean
beckon_etc_copy_is_current (BeckonEtcCopy *copy)
{
  g_return_val_if_fail (copy != NULL, FALSE);

  return geteuid () == copy->user && is_there (copy) && beckon_etc_sources_are_current (copy->sources);
}

static int
fail (GError **error, BeckonError code, const char *path)
{
  const int problem = errno;

  g_set_error (error, BECKON_ERROR, (int) code, "“%s” cannot hold a copy of /etc: %s", path, g_strerror (problem));
  return -1;
}

static gboolean
is_ours (int fd, mode_t others)
{
  struct stat info;

  return fstat (fd, &info) == 0 && S_ISDIR (info.st_mode) && info.st_uid == geteuid () && (info.st_mode & others) == 0;
}

static int
open_folder (int at, const char *name)
{
  return openat (at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* Where others may write, they could have made it, or put another one in its place. */
static gboolean
is_safe (const char *place)
{
  g_autofree char *parent = g_path_get_dirname (place);
  g_autofree char *real = realpath (parent, NULL);
  int fd = open_folder (AT_FDCWD, parent);
  gboolean is_safe = fd >= 0 && is_ours (fd, S_IWGRP | S_IWOTH) && g_strcmp0 (real, parent) == 0;

  if (fd >= 0)
    close (fd);
  return is_safe;
}

/* Locked: -1 with @error where another one makes a copy, or where it is not for us alone. */
static int
open_place (const char *place, GError **error)
{
  int fd;

  errno = EPERM;
  if (!is_safe (place) || (mkdir (place, 0700) != 0 && errno != EEXIST) || (fd = open_folder (AT_FDCWD, place)) < 0)
    return fail (error, BECKON_ERROR_UNAVAILABLE, place);

  errno = EPERM;
  if (!is_ours (fd, S_IRWXG | S_IRWXO))
    fail (error, BECKON_ERROR_UNAVAILABLE, place);
  else if (flock (fd, LOCK_EX | LOCK_NB) != 0)
    fail (error, errno == EWOULDBLOCK ? BECKON_ERROR_CONFLICT : BECKON_ERROR_UNAVAILABLE, place);
  else
    return fd;

  close (fd);
  return -1;
}

static void remove_tree (int at, const char *name);

static void
empty_folder (int fd)
{
  DIR *folder = fdopendir (fd);
  struct dirent *entry;

  if (folder == NULL)
    {
      close (fd);
      return;
    }

  while ((entry = readdir (folder)) != NULL)
    if (!g_str_equal (entry->d_name, ".") && !g_str_equal (entry->d_name, ".."))
      remove_tree (dirfd (folder), entry->d_name);
  closedir (folder);
}

static void
remove_tree (int at, const char *name)
{
  int fd;

  if (unlinkat (at, name, 0) == 0 || (errno != EISDIR && errno != EPERM))
    return;
  if ((fd = open_folder (at, name)) >= 0)
    empty_folder (fd);
  unlinkat (at, name, AT_REMOVEDIR);
}

/* Whoever takes it away may be ended meanwhile: half of one must not have the name of a whole one. */
static void
remove_copy (int place, const char *name)
{
  remove_tree (place, UNFINISHED);
  if (renameat (place, name, place, UNFINISHED) == 0)
    remove_tree (place, UNFINISHED);
}

static void
remove_unless_held (int place, const char *name)
{
  int fd = open_folder (place, name);

  if (fd >= 0 && flock (fd, LOCK_EX | LOCK_NB) == 0)
    remove_copy (place, name);
  if (fd >= 0)
    close (fd);
}

static void
remove_others (int place, const char *name)
{
  int fd = openat (place, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *folder = fd >= 0 ? fdopendir (fd) : NULL;
  struct dirent *entry;

  if (folder == NULL)
    {
      if (fd >= 0)
        close (fd);
      return;
    }

  while ((entry = readdir (folder)) != NULL)
    if (*entry->d_name != '.' && !g_str_equal (entry->d_name, name))
      remove_unless_held (place, entry->d_name);
  closedir (folder);
}

static gboolean
fill (int place, BeckonEtcSources *sources, GError **error)
{
  int fd = open_folder (place, UNFINISHED);
  gboolean is_copied;

  if (fd < 0)
    return fail (error, BECKON_ERROR_UNAVAILABLE, UNFINISHED) == 0;

  is_copied = beckon_etc_sources_copy (sources, fd, error);
  close (fd);
  if (is_copied && !beckon_etc_sources_are_current (sources))
    {
      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_CONFLICT, "/etc changed while it was copied");
      return FALSE;
    }

  return is_copied;
}

static gboolean
make_folder (int place, BeckonEtcSources *sources, GError **error)
{
  const char *name = beckon_etc_sources_get_name (sources);

  remove_tree (place, UNFINISHED);
  if (mkdirat (place, UNFINISHED, 0755) != 0)
    return fail (error, BECKON_ERROR_UNAVAILABLE, UNFINISHED) == 0;
  if (fill (place, sources, error))
    {
      if (renameat (place, UNFINISHED, place, name) == 0)
        return TRUE;
      fail (error, BECKON_ERROR_UNAVAILABLE, name);
    }

  remove_tree (place, UNFINISHED);
  return FALSE;
}

/* The descriptor of the copy, which is held with it; -1 with @error. Under the lock of the place. */
static int
hold (int place, BeckonEtcSources *sources, GError **error)
{
  const char *name = beckon_etc_sources_get_name (sources);
  int fd = open_folder (place, name);

  if (fd < 0)
    {
      if (!make_folder (place, sources, error))
        return -1;
      fd = open_folder (place, name);
    }

  errno = EPERM;
  if (fd >= 0 && is_ours (fd, S_IWGRP | S_IWOTH) && flock (fd, LOCK_SH | LOCK_NB) == 0)
    return fd;
  fail (error, BECKON_ERROR_UNAVAILABLE, name);
  if (fd >= 0)
    close (fd);
  return -1;
}

static BeckonEtcCopy *
new_copy (const char *place, int fd, BeckonEtcSources *sources)
{
  BeckonEtcCopy *copy = g_new0 (BeckonEtcCopy, 1);

  copy->path = g_build_filename (place, beckon_etc_sources_get_name (sources), NULL);
  copy->user = geteuid ();
  copy->fd = fd;
  copy->sources = sources;
  return copy;
}

BeckonEtcCopy *
beckon_etc_copy_make (const char *root, const char *place, gboolean network, GPtrArray *links, GError **error)
{
  g_autoptr (BeckonEtcSources) sources = NULL;
  int place_fd;
  int fd;

  g_return_val_if_fail (root != NULL && place != NULL && *place == '/', NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  sources = beckon_etc_sources_read (root, network, links, error);
  if (sources == NULL || (place_fd = open_place (place, error)) < 0)
    return NULL;

  fd = hold (place_fd, sources, error);
  if (fd >= 0)
    remove_others (place_fd, beckon_etc_sources_get_name (sources));
  close (place_fd);
  return fd >= 0 ? new_copy (place, fd, g_steal_pointer (&sources)) : NULL;
}
