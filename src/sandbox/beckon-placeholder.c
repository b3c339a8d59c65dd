/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-placeholder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* Removing one takes a moment, unless the disk or the computer is busy. */
#define PATIENCE_US (500 * 1000)
#define PAUSE_US 200

/* The modes of a file, where nothing can be put, and of a folder, in which the person can: each sandbox has a mount over it. No
 * other program uses these modes: placeholders are known by them when their program is gone. Folders once had another one. */
#define FILE_MODE 0400
#define FOLDER_MODE 01700
#define OLD_FOLDER_MODE 0500

typedef struct
{
  guint n_holders;
  int fd; /* with a lock that others share */
} Held;

/* For the table, and what it says of each. */
static GMutex lock;

/* Path to Held. */
static GHashTable *all;

typedef enum
{
  FOUND_NOTHING,
  FOUND_PLACEHOLDER,
  FOUND_OTHER
} Found;

/* Another program may have moved it away in the meantime. */
static Found
look_into (const char *path)
{
  DIR *folder = opendir (path);
  struct dirent *entry;
  gboolean is_empty = TRUE;

  if (folder == NULL)
    return errno == ENOENT ? FOUND_NOTHING : FOUND_OTHER;
  while (is_empty && (entry = readdir (folder)) != NULL)
    is_empty = g_str_equal (entry->d_name, ".") || g_str_equal (entry->d_name, "..");
  closedir (folder);
  return is_empty ? FOUND_PLACEHOLDER : FOUND_OTHER;
}

/* Asked at once: who first asks whether something is there, and then what it is, gets two answers that do not belong together
 * while another program lays it or takes it away. */
static Found
placeholder_look (const char *path)
{
  struct stat info;

  if (lstat (path, &info) != 0)
    return FOUND_NOTHING;
  if (info.st_uid != geteuid ())
    return FOUND_OTHER;
  if (S_ISDIR (info.st_mode))
    return (info.st_mode & 07777) == FOLDER_MODE || (info.st_mode & 07777) == OLD_FOLDER_MODE ? look_into (path) : FOUND_OTHER;

  return S_ISREG (info.st_mode) && (info.st_mode & 07777) == FILE_MODE && info.st_size == 0 ? FOUND_PLACEHOLDER : FOUND_OTHER;
}

gboolean
beckon_placeholder_is_one (const char *path)
{
  g_return_val_if_fail (path != NULL, FALSE);

  return placeholder_look (path) == FOUND_PLACEHOLDER;
}

gboolean
beckon_placeholder_has_room (const char *path)
{
  g_return_val_if_fail (path != NULL, FALSE);

  return placeholder_look (path) != FOUND_OTHER;
}

static gboolean
placeholder_is_same (int fd, const char *path)
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

/* That another program was faster is no failure. */
static gboolean
put_there (const char *path, gboolean is_folder, gboolean *is_new)
{
  if (is_folder)
    *is_new = g_mkdir (path, FOLDER_MODE) == 0;
  else
    {
      int fd = g_open (path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, FILE_MODE);

      *is_new = fd >= 0 && g_close (fd, NULL);
    }
  return *is_new || errno == EEXIST;
}

/* Another process may remove it in the same moment: only the state under the lock counts. */
static int
share (const char *path, gboolean is_folder, gboolean is_new)
{
  int fd = g_open (path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | (is_folder ? O_DIRECTORY : 0), 0);

  if (fd >= 0 && try_lock (fd, LOCK_SH) && placeholder_is_same (fd, path) && (is_new || beckon_placeholder_is_one (path)))
    return fd;
  if (fd >= 0)
    close (fd);
  return -1;
}

static int
wait_and_share (const char *path, gboolean is_folder)
{
  const gint64 deadline = g_get_monotonic_time () + PATIENCE_US;
  gboolean is_new;

  while (put_there (path, is_folder, &is_new))
    {
      int fd = share (path, is_folder, is_new);

      if (fd >= 0 || placeholder_look (path) == FOUND_OTHER || g_get_monotonic_time () > deadline)
        return fd;
      g_usleep (PAUSE_US);
    }
  return -1;
}

static gboolean
hold_again (const char *path)
{
  Held *held = all != NULL ? g_hash_table_lookup (all, path) : NULL;

  if (held != NULL)
    held->n_holders++;
  return held != NULL;
}

/* Laying it may take a moment, in which another thread lays it too: then both have the same one. */
gboolean
beckon_placeholder_hold (const char *path, gboolean is_folder)
{
  gboolean is_held;
  Held *held;
  int fd;

  g_return_val_if_fail (path != NULL, FALSE);

  g_mutex_lock (&lock);
  is_held = hold_again (path);
  g_mutex_unlock (&lock);
  if (is_held)
    return TRUE;

  fd = wait_and_share (path, is_folder);
  if (fd < 0)
    return FALSE;

  g_mutex_lock (&lock);
  if (hold_again (path))
    close (fd);
  else
    {
      if (all == NULL)
        all = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
      held = g_new (Held, 1);
      *held = (Held){ 1, fd };
      g_hash_table_insert (all, g_strdup (path), held);
    }
  g_mutex_unlock (&lock);
  return TRUE;
}

/* (transfer full) (nullable): where it is by now. A person may have renamed a folder around it while the command ran; what
 * bears another name itself is no longer in the way of anything. */
static char *
placeholder_find (int fd, const char *path)
{
  g_autofree char *link = NULL;
  g_autofree char *found = NULL;

  if (placeholder_is_same (fd, path))
    return g_strdup (path);

  link = g_strdup_printf ("/proc/self/fd/%d", fd);
  found = g_file_read_link (link, NULL);
  if (found == NULL || !g_str_has_suffix (found, strrchr (path, '/')) || !placeholder_is_same (fd, found))
    return NULL;
  return g_steal_pointer (&found);
}

void
beckon_placeholder_release (const char *path)
{
  g_autoptr (GMutexLocker) locker = NULL;
  Held *held;
  g_autofree char *found = NULL;

  g_return_if_fail (path != NULL && all != NULL);

  locker = g_mutex_locker_new (&lock);
  held = g_hash_table_lookup (all, path);
  g_return_if_fail (held != NULL);

  if (--held->n_holders > 0)
    return;
  found = try_lock (held->fd, LOCK_EX) ? placeholder_find (held->fd, path) : NULL;
  if (found != NULL)
    {
      struct stat info;

      /* Only what still is as it was laid: empty. A folder that was filled is a person's like any other. */
      if (lstat (found, &info) == 0)
        {
          if (S_ISDIR (info.st_mode) && g_rmdir (found) != 0)
            g_chmod (found, info.st_mode & 0777);
          else if (S_ISREG (info.st_mode) && info.st_size == 0)
            g_unlink (found);
        }
    }
  /* A process that is only being made may have it open a moment longer. */
  flock (held->fd, LOCK_UN);
  close (held->fd);
  g_hash_table_remove (all, path);
}
