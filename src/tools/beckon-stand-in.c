/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-stand-in.h"

#include "beckon-stand-in-drawer.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* Who takes one away is done in a moment. */
#define TRIES 1000

typedef struct
{
  guint n_holders;
  int fd; /* with a lock that others share */
} Held;

/* Path to Held. */
static GHashTable *all;

static gboolean
is_empty_folder (const char *path)
{
  DIR *folder = opendir (path);
  struct dirent *entry;
  gboolean is_empty = folder != NULL;

  while (is_empty && (entry = readdir (folder)) != NULL)
    is_empty = g_str_equal (entry->d_name, ".") || g_str_equal (entry->d_name, "..");
  if (folder != NULL)
    closedir (folder);
  return is_empty;
}

/* Nobody else makes such: they are known by them when whoever laid them is gone. */
static gboolean
is_folder_mode (mode_t mode)
{
  return mode == BECKON_STAND_IN_FOLDER_MODE || mode == BECKON_STAND_IN_MOVING_MODE;
}

gboolean
beckon_stand_in_is_one (const char *path)
{
  struct stat info;

  g_return_val_if_fail (path != NULL, FALSE);

  if (lstat (path, &info) != 0 || info.st_uid != geteuid ())
    return FALSE;
  if (S_ISDIR (info.st_mode))
    return is_folder_mode (info.st_mode & 07777) && is_empty_folder (path);

  return S_ISREG (info.st_mode) && (info.st_mode & 07777) == BECKON_STAND_IN_FILE_MODE && info.st_size == 0;
}

static gboolean
lay (const char *path, gboolean is_folder)
{
  int fd;

  if (is_folder)
    return g_mkdir (path, BECKON_STAND_IN_FOLDER_MODE) == 0;

  fd = g_open (path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, BECKON_STAND_IN_FILE_MODE);
  return fd >= 0 && g_close (fd, NULL);
}

static gboolean
is_same (int fd, const char *path)
{
  struct stat held, named;

  return fstat (fd, &held) == 0 && lstat (path, &named) == 0 && held.st_dev == named.st_dev && held.st_ino == named.st_ino;
}

/* Some file systems have no locks: there everybody is alone. */
static gboolean
try_lock (int fd, int kind)
{
  return flock (fd, kind | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

/* Somebody may take it away in the same moment: only what is there under the lock counts. */
static int
share (const char *path, gboolean is_folder)
{
  gboolean is_new = !beckon_stand_in_drawer_take (path, is_folder) && lay (path, is_folder);
  int fd = g_open (path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | (is_folder ? O_DIRECTORY : 0), 0);

  if (fd >= 0 && try_lock (fd, LOCK_SH) && is_same (fd, path) && (is_new || beckon_stand_in_is_one (path)))
    return fd;
  if (fd >= 0)
    close (fd);
  return -1;
}

static gboolean
is_something_else (const char *path)
{
  struct stat info;

  return lstat (path, &info) == 0 && !beckon_stand_in_is_one (path);
}

gboolean
beckon_stand_in_hold (const char *path, gboolean is_folder)
{
  Held *held;
  int fd = -1;

  g_return_val_if_fail (path != NULL, FALSE);

  if (all == NULL)
    all = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  held = g_hash_table_lookup (all, path);
  if (held != NULL)
    {
      held->n_holders++;
      return TRUE;
    }

  for (guint i = 0; i < TRIES && fd < 0; i++)
    {
      if (i > 0)
        g_thread_yield ();
      fd = share (path, is_folder);
      if (fd < 0 && is_something_else (path))
        return FALSE;
    }
  if (fd < 0)
    return FALSE;

  held = g_new (Held, 1);
  *held = (Held){ 1, fd };
  g_hash_table_insert (all, g_strdup (path), held);
  return TRUE;
}

/* Only what still is as it was laid: empty. */
static void
take_away (const char *path, int fd)
{
  struct stat info;

  if (beckon_stand_in_is_one (path) && beckon_stand_in_drawer_put (path, fd))
    return;
  if (lstat (path, &info) != 0)
    return;
  if (S_ISDIR (info.st_mode))
    g_rmdir (path);
  else if (S_ISREG (info.st_mode) && info.st_size == 0)
    g_unlink (path);
}

void
beckon_stand_in_release (const char *path)
{
  Held *held;

  g_return_if_fail (path != NULL && all != NULL);

  held = g_hash_table_lookup (all, path);
  g_return_if_fail (held != NULL);

  if (--held->n_holders > 0)
    return;
  if (try_lock (held->fd, LOCK_EX) && is_same (held->fd, path))
    take_away (path, held->fd);
  close (held->fd);
  g_hash_table_remove (all, path);
}
