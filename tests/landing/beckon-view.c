/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE

#include "beckon-view.h"

#include "landing/beckon-landing-place.h"
#include "landing/beckon-landing-root.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <sched.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

static gboolean
put (const char *path, const char *text)
{
  int fd = open (path, O_WRONLY | O_CLOEXEC);
  gboolean is_put = fd >= 0 && write (fd, text, strlen (text)) == (gssize) strlen (text);

  if (fd >= 0)
    close (fd);
  return is_put;
}

static gboolean
enter_namespaces (void)
{
  g_autofree char *uid = g_strdup_printf ("%u %u 1", geteuid (), geteuid ());
  g_autofree char *gid = g_strdup_printf ("%u %u 1", getegid (), getegid ());

  return unshare (CLONE_NEWUSER | CLONE_NEWNS) == 0 && put ("/proc/self/setgroups", "deny")
         && put ("/proc/self/uid_map", uid) && put ("/proc/self/gid_map", gid);
}

static gboolean
mount_view (const char *place, const char *folder)
{
  g_autofree char *upper = g_build_filename (place, "upper", NULL);
  g_autofree char *work = g_build_filename (place, "work", NULL);
  g_autofree char *options = g_strdup_printf ("lowerdir=%s,upperdir=%s,workdir=%s,userxattr", folder, upper, work);

  g_mkdir (upper, 0700);
  g_mkdir (work, 0700);
  return mount ("overlay", folder, "overlay", 0, options) == 0;
}

static gboolean
mount_git (const char *place)
{
  g_autofree char *inner = g_build_filename (place, BECKON_LANDING_ROOT_GIT, NULL);
  int fd = open (inner, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  g_autofree char *git = fd >= 0 ? beckon_landing_place_dup_folder (fd) : NULL;

  if (fd >= 0)
    close (fd);
  return git == NULL || mount_view (inner, git);
}

int
beckon_view_call (const char *place, const char *folder, int (*function) (gpointer data), gpointer data)
{
  pid_t pid = fork ();
  int status;

  g_assert_cmpint (pid, >=, 0);
  if (pid == 0)
    {
      if (!enter_namespaces () || !mount_view (place, folder) || !mount_git (place) || chdir (folder) != 0)
        _exit (125);
      _exit (function (data));
    }

  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  return WIFEXITED (status) ? WEXITSTATUS (status) : 128;
}

static int
run_line (gpointer data)
{
  execl ("/bin/sh", "sh", "-ec", data, NULL);
  return 126;
}

int
beckon_view_run (const char *place, const char *folder, const char *line)
{
  return beckon_view_call (place, folder, run_line, (gpointer) line);
}

gboolean
beckon_view_is_there (void)
{
  g_autofree char *top = g_dir_make_tmp ("beckon-view-XXXXXX", NULL);
  g_autofree char *place = g_build_filename (top, "place", NULL);
  g_autofree char *folder = g_build_filename (top, "folder", NULL);
  g_autofree char *line = g_strdup_printf ("rm -rf '%s'", top);
  int status;

  g_mkdir (place, 0700);
  g_mkdir (folder, 0700);
  status = beckon_view_run (place, folder, "touch there");
  g_assert_cmpint (system (line), ==, 0);
  return status == 0;
}

static int
compare_names (gconstpointer one, gconstpointer other)
{
  return strcmp (*(const char *const *) one, *(const char *const *) other);
}

static void
describe_content (GString *text, const char *path, const struct stat *info)
{
  g_autofree char *bytes = NULL;
  g_autofree char *hash = NULL;
  gsize length;

  if (S_ISLNK (info->st_mode))
    {
      g_autofree char *target = g_file_read_link (path, NULL);

      g_string_append_printf (text, " -> %s", target);
    }
  if (S_ISREG (info->st_mode) && g_file_get_contents (path, &bytes, &length, NULL))
    {
      hash = g_compute_checksum_for_data (G_CHECKSUM_MD5, (const guchar *) bytes, length);
      g_string_append_printf (text, " %" G_GSIZE_FORMAT " %s", length, hash);
    }
}

static void
describe_attributes (GString *text, const char *path)
{
  char names[4096];
  gssize length = llistxattr (path, names, sizeof names);
  g_autoptr (GPtrArray) sorted = g_ptr_array_new ();

  for (gssize at = 0; at < length; at += (gssize) strlen (names + at) + 1)
    if (g_str_has_prefix (names + at, "user."))
      g_ptr_array_add (sorted, names + at);
  g_ptr_array_sort (sorted, compare_names);
  for (guint i = 0; i < sorted->len; i++)
    {
      char value[256];
      gssize n = lgetxattr (path, g_ptr_array_index (sorted, i), value, sizeof value);

      g_string_append_printf (text, " %s=%.*s", (char *)g_ptr_array_index (sorted, i), (int) MAX (n, 0), value);
    }
}

static void
describe (GString *text, const char *path, const char *shown, gboolean with_inodes)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GDir) entries = NULL;
  const char *name;
  struct stat info;

  g_assert_cmpint (lstat (path, &info), ==, 0);
  g_string_append_printf (text, "%s %o", shown, info.st_mode);
  g_string_append_printf (text, " %" G_GINT64_FORMAT ".%09ld", (gint64) info.st_mtim.tv_sec, info.st_mtim.tv_nsec);
  if (with_inodes)
    g_string_append_printf (text, " #%" G_GUINT64_FORMAT " %u", (guint64) info.st_ino, (guint) info.st_nlink);
  describe_content (text, path, &info);
  describe_attributes (text, path);
  g_string_append_c (text, '\n');
  if (!S_ISDIR (info.st_mode))
    return;

  entries = g_dir_open (path, 0, NULL);
  while (entries != NULL && (name = g_dir_read_name (entries)) != NULL)
    g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort (names, compare_names);
  for (guint i = 0; i < names->len; i++)
    {
      g_autofree char *inner = g_build_filename (path, g_ptr_array_index (names, i), NULL);
      g_autofree char *inner_shown = g_strconcat (shown, "/", g_ptr_array_index (names, i), NULL);

      describe (text, inner, inner_shown, with_inodes);
    }
}

char *
beckon_view_describe (const char *path, gboolean with_inodes)
{
  GString *text = g_string_new (NULL);

  describe (text, path, ".", with_inodes);
  return g_string_free (text, FALSE);
}
