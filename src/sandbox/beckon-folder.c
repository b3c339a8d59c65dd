/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE

#include "beckon-config.h"

#include "beckon-folder.h"

#include "base/beckon-error.h"
#include "base/beckon-id.h"
#include "base/beckon-path.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* As many as the kernel follows. */
#define MAX_LINKS 40

struct _BeckonFolder
{
  GObject parent_instance;

  char *path;
  int fd;
};

G_DEFINE_FINAL_TYPE (BeckonFolder, beckon_folder, G_TYPE_OBJECT)

static void
beckon_folder_finalize (GObject *object)
{
  BeckonFolder *self = BECKON_FOLDER (object);

  if (self->fd >= 0)
    close (self->fd);
  g_free (self->path);

  G_OBJECT_CLASS (beckon_folder_parent_class)->finalize (object);
}

static void
beckon_folder_class_init (BeckonFolderClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = beckon_folder_finalize;
}

static void
beckon_folder_init (BeckonFolder *self)
{
  self->fd = -1;
}

/* Errors go to the model, so they are English and name the path as the model wrote it. */
static gboolean
folder_refuse (GError **error, int saved_errno, const char *path)
{
  switch (saved_errno)
    {
    case ENOENT:
    case ENOTDIR:
      g_set_error (error, BECKON_ERROR, BECKON_ERROR_NOT_FOUND, "There is no “%s”.", path);
      break;
    case EXDEV:
      g_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID, "“%s” leads out of the working folder.", path);
      break;
    case ELOOP:
      g_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID, "“%s” goes through a link that leads nowhere safe.", path);
      break;
    default:
      g_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID, "“%s” cannot be opened: %s.", path,
                   beckon_errno_describe (saved_errno));
      break;
    }

  return FALSE;
}

/* The kernel may ask to try again when something is renamed on the way; that could go on for ever. */
static int
open_beneath (int fd, const char *path, guint64 flags, mode_t mode)
{
  struct open_how how = { .flags = flags | O_CLOEXEC,
                          .mode = mode,
                          .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS };
  int opened = -1;

  for (guint i = 0; i < 32 && opened < 0; i++)
    {
      opened = (int) syscall (SYS_openat2, fd, path, &how, sizeof how);
      if (opened < 0 && errno != EAGAIN && errno != EINTR)
        break;
    }

  return opened;
}

BeckonFolder *
beckon_folder_new (const char *path, GError **error)
{
  g_autoptr (BeckonFolder) self = NULL;

  g_return_val_if_fail (path != NULL && g_path_is_absolute (path), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  self = g_object_new (BECKON_TYPE_FOLDER, NULL);
  self->path = g_canonicalize_filename (path, "/");
  self->fd = open (path, O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (self->fd >= 0)
    return g_steal_pointer (&self);

  g_set_error (error, BECKON_ERROR, BECKON_ERROR_NOT_FOUND, "The working folder “%s” is not there: %s.", path,
               beckon_errno_describe (errno));
  return NULL;
}

const char *
beckon_folder_get_path (BeckonFolder *folder)
{
  g_return_val_if_fail (BECKON_IS_FOLDER (folder), NULL);

  return folder->path;
}

char *
beckon_folder_relate (BeckonFolder *folder, const char *path)
{
  g_autofree char *whole = NULL;
  const char *relative;

  g_return_val_if_fail (BECKON_IS_FOLDER (folder), NULL);
  g_return_val_if_fail (path != NULL, NULL);

  whole = g_canonicalize_filename (path, folder->path);
  relative = beckon_path_relate (whole, folder->path);
  return relative != NULL && *relative == '\0' ? g_strdup (".") : g_strdup (relative);
}

static gboolean
is_too_deep (const char *path)
{
  guint n_names = 0;

  for (const char *at = path; at != NULL; at = strchr (at + 1, '/'))
    n_names++;
  return n_names > BECKON_FOLDER_MAX_DEPTH;
}

gboolean
beckon_folder_check_depth (const char *path, GError **error)
{
  if (!is_too_deep (path))
    return TRUE;

  g_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID,
               "“%.100s…” goes through too many folders: a path has at most %u names.", path, BECKON_FOLDER_MAX_DEPTH);
  return FALSE;
}

/* As the kernel would, but for what is not there: a missing name stands for itself, a link that leads nowhere for where it
 * leads. */
static char *
resolve_links (const char *path, guint depth)
{
  g_autofree char *real = realpath (path, NULL);
  g_autofree char *target = NULL;
  g_autofree char *parent = NULL;
  g_autofree char *above = NULL;
  g_autofree char *name = NULL;

  if (real != NULL)
    return g_strdup (real);
  target = depth > 0 ? g_file_read_link (path, NULL) : NULL;
  parent = g_path_get_dirname (path);
  if (target != NULL)
    {
      g_autofree char *whole = g_path_is_absolute (target) ? g_strdup (target) : g_build_filename (parent, target, NULL);

      return resolve_links (whole, depth - 1);
    }
  if (strcmp (parent, path) == 0)
    return g_strdup (path);

  above = resolve_links (parent, depth);
  name = g_path_get_basename (path);
  return g_canonicalize_filename (name, above);
}

char *
beckon_folder_resolve (const char *folder, const char *path, gboolean *is_outside)
{
  g_autofree char *whole = NULL;
  g_autofree char *real = NULL;
  char *resolved;
  gsize length;

  g_return_val_if_fail (folder != NULL && g_path_is_absolute (folder), NULL);
  g_return_val_if_fail (path != NULL, NULL);

  whole = g_path_is_absolute (path) ? g_strdup (path) : g_build_filename (folder, path, NULL);
  /* Each name on the way is looked up from the root. */
  resolved = is_too_deep (whole) ? g_canonicalize_filename (whole, "/") : resolve_links (whole, MAX_LINKS);
  real = is_too_deep (whole) ? NULL : realpath (folder, NULL);
  length = real != NULL ? strlen (real) : 0;
  if (is_outside != NULL)
    *is_outside = real == NULL || strncmp (resolved, real, length) != 0
                  || (resolved[length] != '/' && resolved[length] != '\0');
  return resolved;
}

/* Neither a device nor a pipe. */
static gboolean
check_regular (int fd, const char *path, struct stat *info, GError **error)
{
  if (fstat (fd, info) != 0)
    return folder_refuse (error, errno, path);
  if (S_ISDIR (info->st_mode))
    {
      g_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID, "“%s” is a folder, not a file.", path);
      return FALSE;
    }
  if (!S_ISREG (info->st_mode))
    {
      g_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID, "“%s” is not a regular file.", path);
      return FALSE;
    }

  return TRUE;
}

/* And nothing that is larger than what is read. */
static gboolean
check_file (int fd, const char *path, struct stat *info, GError **error)
{
  if (!check_regular (fd, path, info, error))
    return FALSE;
  if (info->st_size > BECKON_FOLDER_MAX_FILE)
    {
      g_set_error (error, BECKON_ERROR, BECKON_ERROR_TOO_LARGE, "“%s” has %" G_GINT64_FORMAT " bytes; at most %d are read.",
                   path, (gint64) info->st_size, BECKON_FOLDER_MAX_FILE);
      return FALSE;
    }

  return TRUE;
}

/* To the end, though never more than the bound: the file may grow meanwhile. */
static GBytes *
folder_read_all (int fd, const char *path, GError **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  guint8 chunk[64 * 1024];
  gssize n;

  while ((n = read (fd, chunk, sizeof chunk)) != 0)
    {
      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        {
          folder_refuse (error, errno, path);
          return NULL;
        }
      if (bytes->len + (gsize) n > BECKON_FOLDER_MAX_FILE)
        {
          g_set_error (error, BECKON_ERROR, BECKON_ERROR_TOO_LARGE, "“%s” has more than %d bytes.", path,
                       BECKON_FOLDER_MAX_FILE);
          return NULL;
        }
      g_byte_array_append (bytes, chunk, (guint) n);
    }

  return g_byte_array_free_to_bytes (g_steal_pointer (&bytes));
}

static GBytes *
read_at (int at, const char *name, const char *path, struct stat *info, GError **error)
{
  int fd = open_beneath (at, name, O_RDONLY | O_NONBLOCK | O_NOCTTY, 0);
  GBytes *bytes = NULL;

  if (fd < 0)
    {
      folder_refuse (error, errno, path);
      return NULL;
    }
  if (check_file (fd, path, info, error))
    bytes = folder_read_all (fd, path, error);

  close (fd);
  return bytes;
}

GBytes *
beckon_folder_read (BeckonFolder *folder, const char *path, GError **error)
{
  struct stat info;

  g_return_val_if_fail (BECKON_IS_FOLDER (folder), NULL);
  g_return_val_if_fail (path != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  return read_at (folder->fd, path, path, &info, error);
}

int
beckon_folder_open_file (BeckonFolder *folder, const char *path, GError **error)
{
  struct stat info;
  int fd;

  g_return_val_if_fail (BECKON_IS_FOLDER (folder), -1);
  g_return_val_if_fail (path != NULL, -1);
  g_return_val_if_fail (error == NULL || *error == NULL, -1);

  fd = open_beneath (folder->fd, path, O_RDONLY | O_NONBLOCK | O_NOCTTY, 0);
  if (fd < 0)
    {
      folder_refuse (error, errno, path);
      return -1;
    }
  if (check_regular (fd, path, &info, error))
    return fd;

  close (fd);
  return -1;
}

gboolean
beckon_folder_look_at (BeckonFolder *folder, const char *path, struct stat *info)
{
  gboolean is_there;
  int fd;

  g_return_val_if_fail (BECKON_IS_FOLDER (folder), FALSE);
  g_return_val_if_fail (path != NULL && info != NULL, FALSE);

  fd = open_beneath (folder->fd, path, O_PATH | O_NOFOLLOW, 0);
  if (fd < 0)
    return FALSE;

  is_there = fstat (fd, info) == 0;
  close (fd);
  return is_there;
}

guint
beckon_folder_count_missing (BeckonFolder *folder, const char *path)
{
  g_autofree char *parent = NULL;
  struct stat info;
  guint n_missing = 0;

  g_return_val_if_fail (BECKON_IS_FOLDER (folder), 0);
  g_return_val_if_fail (path != NULL, 0);

  parent = g_path_get_dirname (path);
  while (strcmp (parent, ".") != 0 && strcmp (parent, "/") != 0 && !beckon_folder_look_at (folder, parent, &info))
    {
      char *above = g_path_get_dirname (parent);

      g_free (parent);
      parent = above;
      n_missing++;
    }
  return n_missing;
}

int
beckon_folder_open_directory (BeckonFolder *folder, const char *path, GError **error)
{
  int fd;

  g_return_val_if_fail (BECKON_IS_FOLDER (folder), -1);
  g_return_val_if_fail (path != NULL, -1);

  fd = open_beneath (folder->fd, path, O_RDONLY | O_DIRECTORY, 0);
  if (fd < 0)
    folder_refuse (error, errno, path);

  return fd;
}

/* Makes the folders of @path one by one, each beneath the one before. */
static gboolean
make_parents (BeckonFolder *self, const char *parent, const char *path, GError **error)
{
  g_auto (GStrv) names = g_strsplit (parent, "/", -1);
  g_autoptr (GString) so_far = g_string_new (NULL);

  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autofree char *above = g_strdup (so_far->len > 0 ? so_far->str : ".");
      int fd = open_beneath (self->fd, above, O_PATH | O_DIRECTORY, 0);
      gboolean is_made = fd >= 0 && (mkdirat (fd, names[i], 0777) == 0 || errno == EEXIST);
      int saved_errno = errno;

      if (fd >= 0)
        close (fd);
      if (!is_made)
        return folder_refuse (error, saved_errno, path);
      g_string_append_printf (so_far, "%s%s", so_far->len > 0 ? "/" : "", names[i]);
    }

  return TRUE;
}

/* The folder that holds @path. A last name that is a link is refused: replacing it would take the link away. */
static int
open_parent (BeckonFolder *self, const char *path, gboolean make, char **name, GError **error)
{
  g_autofree char *parent = g_path_get_dirname (path);
  char target[4096];
  gssize length;
  int fd;

  if (make && strcmp (parent, ".") != 0 && !make_parents (self, parent, path, error))
    return -1;

  fd = open_beneath (self->fd, parent, O_PATH | O_DIRECTORY, 0);
  if (fd < 0)
    {
      folder_refuse (error, errno, path);
      return -1;
    }

  *name = g_path_get_basename (path);
  length = readlinkat (fd, *name, target, sizeof target - 1);
  if (length < 0)
    return fd;

  close (fd);
  g_clear_pointer (name, g_free);
  g_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID, "“%s” is a link. Name the file that it stands for.", path);
  return -1;
}

/* Whether the file is as the caller knows it. */
static gboolean
check_expected (int parent, const char *name, const char *path, GBytes *expected, struct stat *info, GError **error)
{
  g_autoptr (GError) read_error = NULL;
  g_autoptr (GBytes) now = read_at (parent, name, path, info, &read_error);
  gboolean is_missing = g_error_matches (read_error, BECKON_ERROR, BECKON_ERROR_NOT_FOUND);

  if (now == NULL && !is_missing)
    {
      g_propagate_error (error, g_steal_pointer (&read_error));
      return FALSE;
    }
  if ((expected == NULL && is_missing) || (expected != NULL && now != NULL && g_bytes_equal (now, expected)))
    return TRUE;

  g_set_error (error, BECKON_ERROR, BECKON_ERROR_CONFLICT,
               now == NULL ? "“%s” is not there any more." : "“%s” was changed meanwhile. Read it again.", path);
  return FALSE;
}

static gboolean
write_all (int fd, GBytes *contents)
{
  gsize length;
  const char *bytes = g_bytes_get_data (contents, &length);

  while (length > 0)
    {
      gssize n = write (fd, bytes, length);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return FALSE;
      bytes += n;
      length -= (gsize) n;
    }

  return fsync (fd) == 0;
}

static gboolean
is_same_file (int parent, const char *one, const char *other)
{
  struct stat first, second;

  return fstatat (parent, one, &first, AT_SYMLINK_NOFOLLOW) == 0 && fstatat (parent, other, &second, AT_SYMLINK_NOFOLLOW) == 0
         && first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

static gboolean
is_unknown (int problem)
{
  return problem == EINVAL || problem == ENOSYS || problem == EOPNOTSUPP;
}

/* In the network (NFS, SSHFS), and elsewhere, there is no renaming that spares what is there, and sometimes no second name
 * either. A file that is there is never replaced, whatever the way. */
static gboolean
name_new (int parent, const char *temporary, const char *name)
{
  int fd;
  int saved_errno;

  if (renameat2 (parent, temporary, parent, name, RENAME_NOREPLACE) == 0)
    return TRUE;
  if (!is_unknown (errno))
    return FALSE;
  /* A second name is refused as well where one is taken. What a server has done is an error too if its answer was lost. */
  if (linkat (parent, temporary, parent, name, 0) == 0 || (errno == EEXIST && is_same_file (parent, temporary, name)))
    {
      unlinkat (parent, temporary, 0);
      return TRUE;
    }
  if (!is_unknown (errno) && errno != EPERM)
    return FALSE;

  /* An empty file of ours has the name before anything takes its place. */
  fd = openat (parent, name, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd < 0)
    return FALSE;
  close (fd);
  if (renameat (parent, temporary, parent, name) == 0)
    return TRUE;

  saved_errno = errno;
  unlinkat (parent, name, 0);
  errno = saved_errno;
  return FALSE;
}

/* Under another name first, which then takes the place of the old file. The folder is written out too. */
static gboolean
folder_replace (int parent, const char *name, const char *path, GBytes *contents, mode_t mode, gboolean is_new, GError **error)
{
  g_autofree char *id = beckon_id_new ();
  g_autofree char *temporary = g_strdup_printf (".%s.beckon", id);
  int fd = openat (parent, temporary, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, is_new ? 0666 : 0600);
  gboolean is_written;
  int saved_errno;
  int folder;

  if (fd < 0)
    return folder_refuse (error, errno, path);

  is_written = write_all (fd, contents) && (is_new || fchmod (fd, mode & 07777) == 0);
  saved_errno = errno;
  close (fd);
  if (is_written)
    {
      is_written = is_new ? name_new (parent, temporary, name) : renameat (parent, temporary, parent, name) == 0;
      saved_errno = errno;
    }
  if (!is_written)
    {
      unlinkat (parent, temporary, 0);
      return folder_refuse (error, saved_errno, path);
    }

  folder = openat (parent, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder >= 0)
    {
      fsync (folder);
      close (folder);
    }
  return TRUE;
}

gboolean
beckon_folder_write (BeckonFolder *folder, const char *path, GBytes *contents, GBytes *expected, GError **error)
{
  g_autofree char *name = NULL;
  struct stat info = { .st_mode = 0644 };
  int parent;
  gboolean is_written;

  g_return_val_if_fail (BECKON_IS_FOLDER (folder), FALSE);
  g_return_val_if_fail (path != NULL && contents != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (g_bytes_get_size (contents) > BECKON_FOLDER_MAX_FILE)
    {
      g_set_error (error, BECKON_ERROR, BECKON_ERROR_TOO_LARGE, "At most %d bytes are written at once.",
                   BECKON_FOLDER_MAX_FILE);
      return FALSE;
    }
  parent = open_parent (folder, path, expected == NULL, &name, error);
  if (parent < 0)
    return FALSE;

  is_written = check_expected (parent, name, path, expected, &info, error)
               && folder_replace (parent, name, path, contents, info.st_mode, expected == NULL, error);
  close (parent);
  return is_written;
}

gboolean
beckon_folder_remove (BeckonFolder *folder, const char *path, GBytes *expected, GError **error)
{
  g_autofree char *name = NULL;
  struct stat info;
  int parent;
  gboolean is_removed;

  g_return_val_if_fail (BECKON_IS_FOLDER (folder), FALSE);
  g_return_val_if_fail (path != NULL && expected != NULL, FALSE);

  parent = open_parent (folder, path, FALSE, &name, error);
  if (parent < 0)
    return FALSE;

  is_removed = check_expected (parent, name, path, expected, &info, error);
  if (is_removed && unlinkat (parent, name, 0) != 0)
    is_removed = folder_refuse (error, errno, path);
  close (parent);
  return is_removed;
}

void
beckon_folder_remove_parents (BeckonFolder *folder, const char *path, guint n_folders)
{
  g_autofree char *parent = NULL;
  gboolean is_removed = TRUE;

  g_return_if_fail (BECKON_IS_FOLDER (folder));
  g_return_if_fail (path != NULL);

  parent = g_path_get_dirname (path);
  for (guint i = 0; i < n_folders && is_removed && strcmp (parent, ".") != 0; i++)
    {
      g_autofree char *name = NULL;
      char *above = g_path_get_dirname (parent);
      int fd = open_parent (folder, parent, FALSE, &name, NULL);

      is_removed = fd >= 0 && unlinkat (fd, name, AT_REMOVEDIR) == 0;
      if (fd >= 0)
        close (fd);
      g_free (parent);
      parent = above;
    }
}
