/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE

#include "beckon-placeholder-cache.h"

#include "beckon-placeholder.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static char *
build_drawer_path (void)
{
  return g_build_filename (g_get_user_cache_dir (), "beckon", "stand-ins", NULL);
}

static char *
build_spare_path (const char *drawer, const char *path)
{
  g_autofree char *name = g_compute_checksum_for_string (G_CHECKSUM_SHA256, path, -1);

  return g_build_filename (drawer, name, NULL);
}

/* A file is moved whatever its mode is. */
static gboolean
set_mode (int fd, mode_t mode)
{
  struct stat info;

  return fstat (fd, &info) == 0 && (!S_ISDIR (info.st_mode) || fchmod (fd, mode) == 0);
}

static gboolean
move (int fd, const char *from, const char *to)
{
  gboolean is_moved = set_mode (fd, BECKON_PLACEHOLDER_MOVING_MODE)
                      && renameat2 (AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0;

  set_mode (fd, BECKON_PLACEHOLDER_FOLDER_MODE);
  return is_moved;
}

gboolean
beckon_placeholder_cache_take (const char *path, gboolean is_folder)
{
  g_autofree char *drawer = build_drawer_path ();
  g_autofree char *from = build_spare_path (drawer, path);
  int fd = g_open (from, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | (is_folder ? O_DIRECTORY : 0), 0);
  gboolean is_moved;

  if (fd < 0)
    return FALSE;

  is_moved = beckon_placeholder_is_one (from) && move (fd, from, path);
  close (fd);
  return is_moved;
}

static guint
count (const char *drawer)
{
  g_autoptr (GDir) dir = g_dir_open (drawer, 0, NULL);
  guint n = 0;

  while (dir != NULL && g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

static void
empty (const char *drawer)
{
  g_autoptr (GDir) dir = g_dir_open (drawer, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (drawer, name, NULL);

      if (beckon_placeholder_is_one (path))
        g_remove (path);
    }
}

static gboolean
make_room (const char *drawer)
{
  if (count (drawer) < BECKON_PLACEHOLDER_MAX_SPARE)
    return TRUE;

  empty (drawer);
  return count (drawer) < BECKON_PLACEHOLDER_MAX_SPARE;
}

gboolean
beckon_placeholder_cache_put (const char *path, int fd)
{
  g_autofree char *drawer = build_drawer_path ();
  g_autofree char *to = build_spare_path (drawer, path);

  if (g_mkdir_with_parents (drawer, 0700) != 0 || !make_room (drawer) || !move (fd, path, to))
    return FALSE;

  /* On its way it could be written: what somebody put there is theirs. */
  return beckon_placeholder_is_one (to) || !move (fd, to, path);
}
