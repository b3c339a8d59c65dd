/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE

#include "beckon-config.h"

#include "beckon-landing-copy.h"

#include "base/beckon-errno.h"
#include "base/beckon-error.h"
#include "base/beckon-text-printf.h"
#include "beckon-landing-hidden.h"
#include "beckon-landing-manifest.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <linux/fs.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

#define MAX_DEPTH 100
#define MAX_ATTRIBUTES (64 * 1024)
#define COPIED "copy"
#define NANOSECONDS G_GINT64_CONSTANT (1000000000)

/* Attributes that the kernel and this program keep for overlays are no property of a file. */
#define OVERLAY_ATTRIBUTES "user.overlay."

/* A copy in progress. */
typedef struct
{
  BeckonLandingManifest *manifest; /* (nullable): %NULL where it is only tried whether it fits */
  GHashTable *hidden;              /* (nullable) */
  GHashTable *links;               /* (element-type "dev:inode" filename): the first copy of what has several names */
  GPtrArray *linked;               /* (element-type filename): all names of those */
  gint64 last;                     /* change time, in nanoseconds since the epoch */
  int root;                        /* of the copy */
  GCancellable *cancellable;
  guint n_files;
  guint64 n_bytes;
} Copy;

static gboolean copy_folder (Copy *copy, int from, int to, const char *path, guint depth);

static gboolean
is_dot (const char *name)
{
  return strcmp (name, ".") == 0 || strcmp (name, "..") == 0;
}

static char *
join (const char *folder, const char *name)
{
  return *folder != '\0' ? g_build_filename (folder, name, NULL) : g_strdup (name);
}

/* The copy goes without what it cannot be given: others' files stay theirs, and become the person's own here. */
static void
copy_attributes (int from, int to)
{
  g_autofree char *names = g_malloc (MAX_ATTRIBUTES);
  g_autofree char *value = g_malloc (MAX_ATTRIBUTES);
  ssize_t length = flistxattr (from, names, MAX_ATTRIBUTES);

  for (const char *name = names; length > 0 && name < names + length; name += strlen (name) + 1)
    {
      ssize_t size = g_str_has_prefix (name, OVERLAY_ATTRIBUTES) ? -1 : fgetxattr (from, name, value, MAX_ATTRIBUTES);

      if (size >= 0 && fsetxattr (to, name, value, (size_t) size, 0) != 0)
        g_debug ("a copy goes without %s: %s", name, g_strerror (errno));
    }
}

static gboolean
give_owner (int folder, const char *name, const struct stat *info)
{
  if (info->st_uid == geteuid () && info->st_gid == getegid ())
    return TRUE;
  return fchownat (folder, name, info->st_uid, info->st_gid, AT_SYMLINK_NOFOLLOW) == 0
         || fchownat (folder, name, (uid_t) -1, info->st_gid, AT_SYMLINK_NOFOLLOW) == 0;
}

/* Modes and times behind all that would change them. The bits that let a program run as its owner do not go to another one. */
static gboolean
finish (int from, int to, int folder, const char *name, const struct stat *info)
{
  mode_t mode = info->st_mode & 07777;

  if (!give_owner (folder, name, info))
    mode &= (mode_t) ~(S_ISUID | S_ISGID);
  copy_attributes (from, to);
  return fchmod (to, mode) == 0 && futimens (to, (const struct timespec[]) { info->st_atim, info->st_mtim }) == 0;
}

/* Holes stay holes. */
static gboolean
copy_data (int from, int to, off_t size)
{
  off_t at = lseek (from, 0, SEEK_DATA);

  while (at >= 0 && at < size)
    {
      off_t end = lseek (from, at, SEEK_HOLE);
      off_t out = at;

      while (at < end)
        if (copy_file_range (from, &at, to, &out, (size_t) (end - at), 0) <= 0)
          return FALSE;
      at = lseek (from, end, SEEK_DATA);
    }
  return ftruncate (to, size) == 0;
}

static gboolean
copy_file (Copy *copy, int from_folder, int to_folder, const char *name, const struct stat *info)
{
  int from = openat (from_folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  int to = from >= 0 ? openat (to_folder, name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600) : -1;
  gboolean is_copied = to >= 0 && (ioctl (to, FICLONE, from) == 0 || copy_data (from, to, info->st_size))
                       && finish (from, to, to_folder, name, info);
  const int problem = errno;

  if (from >= 0)
    close (from);
  if (to >= 0)
    close (to);
  errno = problem;
  return is_copied;
}

static gboolean
copy_link (int from, int to, const char *name, const struct stat *info)
{
  char target[4096];
  ssize_t length = readlinkat (from, name, target, sizeof target - 1);

  if (length < 0)
    return FALSE;
  target[length] = '\0';
  if (symlinkat (target, to, name) != 0)
    return FALSE;

  give_owner (to, name, info);
  return utimensat (to, name, (const struct timespec[]) { info->st_atim, info->st_mtim }, AT_SYMLINK_NOFOLLOW) == 0;
}

static gboolean
copy_pipe (int to, const char *name, const struct stat *info)
{
  return mkfifoat (to, name, 0600) == 0 && fchmodat (to, name, info->st_mode & 07777, 0) == 0
         && utimensat (to, name, (const struct timespec[]) { info->st_atim, info->st_mtim }, AT_SYMLINK_NOFOLLOW) == 0;
}

static gboolean
note (Copy *copy, int folder, const char *name, const char *path)
{
  struct stat info;

  if (fstatat (folder, name, &info, AT_SYMLINK_NOFOLLOW) != 0)
    return FALSE;
  copy->last = MAX (copy->last, (gint64) info.st_ctim.tv_sec * NANOSECONDS + info.st_ctim.tv_nsec);
  beckon_landing_manifest_add (copy->manifest, path, &info);
  return TRUE;
}

/* %TRUE if another name of the same file was copied, and this is one more of that copy. */
static gboolean
copy_name (Copy *copy, int to, const char *name, const char *path, const struct stat *info)
{
  g_autofree char *key = NULL;
  const char *first;

  if (info->st_nlink < 2 || S_ISDIR (info->st_mode))
    return FALSE;
  g_ptr_array_add (copy->linked, g_strdup (path));
  key = g_strdup_printf ("%lu:%lu", (gulong) info->st_dev, (gulong) info->st_ino);
  first = g_hash_table_lookup (copy->links, key);
  if (first != NULL)
    return linkat (copy->root, first, to, name, 0) == 0;

  g_hash_table_insert (copy->links, g_steal_pointer (&key), g_strdup (path));
  return FALSE;
}

static gboolean
copy_below (Copy *copy, int from_folder, int to_folder, const char *name, const char *path, guint depth,
            const struct stat *info)
{
  int from = openat (from_folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  int to = -1;
  int problem;
  gboolean is_copied = from >= 0;

  if (is_copied && copy->manifest != NULL)
    {
      is_copied = mkdirat (to_folder, name, 0700) == 0;
      to = is_copied ? openat (to_folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
      is_copied = to >= 0;
    }
  is_copied = is_copied && copy_folder (copy, from, to, path, depth + 1)
              && (to < 0 || finish (from, to, to_folder, name, info));
  problem = errno;
  if (from >= 0)
    close (from);
  if (to >= 0)
    close (to);
  errno = problem;
  return is_copied;
}

static gboolean
copy_thing (Copy *copy, int from, int to, const char *name, const char *path, guint depth, const struct stat *info)
{
  if (S_ISDIR (info->st_mode))
    return copy_below (copy, from, to, name, path, depth, info);
  if (copy->manifest == NULL || copy_name (copy, to, name, path, info))
    return TRUE;
  if (S_ISREG (info->st_mode))
    return copy_file (copy, from, to, name, info);
  if (S_ISLNK (info->st_mode))
    return copy_link (from, to, name, info);

  return copy_pipe (to, name, info);
}

static gboolean
is_copied (Copy *copy, const char *path, const struct stat *info)
{
  if (copy->hidden != NULL && beckon_landing_hidden_has (copy->hidden, path))
    return FALSE;
  return S_ISDIR (info->st_mode) || S_ISREG (info->st_mode) || S_ISLNK (info->st_mode) || S_ISFIFO (info->st_mode);
}

/* %FALSE with errno: EFBIG beyond the bound, ECANCELED. Blocks count and not lengths: of a hole nothing is copied. */
static gboolean
count (Copy *copy, const struct stat *info)
{
  copy->n_files++;
  if (S_ISREG (info->st_mode))
    copy->n_bytes += (guint64) info->st_blocks * 512;
  errno = EFBIG;
  if (copy->n_files > BECKON_LANDING_COPY_MAX_FILES || copy->n_bytes > BECKON_LANDING_COPY_MAX_BYTES)
    return FALSE;
  errno = ECANCELED;
  return !g_cancellable_is_cancelled (copy->cancellable);
}

/* Files that are gone meanwhile were not there, and those that cannot be read are not in the copy. */
static gboolean
copy_entry (Copy *copy, int from, int to, const char *folder, const char *name, guint depth)
{
  g_autofree char *path = join (folder, name);
  struct stat info;

  if (fstatat (from, name, &info, AT_SYMLINK_NOFOLLOW) != 0 || !is_copied (copy, path, &info))
    return TRUE;
  if (!count (copy, &info))
    return FALSE;
  if (!copy_thing (copy, from, to, name, path, depth, &info))
    return errno == ENOENT || errno == EACCES || errno == EPERM || errno == ELOOP || errno == ENOTDIR;

  return copy->manifest == NULL || note (copy, to, name, path);
}

static gboolean
copy_folder (Copy *copy, int from, int to, const char *path, guint depth)
{
  int own = fcntl (from, F_DUPFD_CLOEXEC, 0);
  DIR *entries = own >= 0 ? fdopendir (own) : NULL;
  gboolean is_fine = entries != NULL && depth < MAX_DEPTH;
  int problem = entries != NULL ? EFBIG : errno;
  struct dirent *entry;

  while (is_fine && (entry = readdir (entries)) != NULL)
    if (!is_dot (entry->d_name))
      {
        is_fine = copy_entry (copy, from, to, path, entry->d_name, depth);
        problem = errno;
      }
  if (entries != NULL)
    closedir (entries);
  errno = problem;
  return is_fine;
}

/* The clock of change times goes in steps: what a command changes is to have another one than what was copied. */
static void
wait_for_tick (gint64 last)
{
  struct timespec now;

  do
    {
      g_usleep (1000);
      clock_gettime (CLOCK_REALTIME_COARSE, &now);
    }
  while ((gint64) now.tv_sec * NANOSECONDS + now.tv_nsec <= last && ((gint64) now.tv_sec + 1) * NANOSECONDS > last);
}

static int
open_source (const char *folder)
{
  struct open_how how = { .flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC, .resolve = RESOLVE_NO_SYMLINKS };

  return (int) syscall (SYS_openat2, AT_FDCWD, folder, &how, sizeof how);
}

static gboolean
copy_all (Copy *copy, const char *folder, int from)
{
  struct stat info;

  if (fstat (from, &info) != 0 || !copy_folder (copy, from, copy->root, "", 0))
    return FALSE;

  /* Another link to a file touches it. */
  for (guint i = 0; i < copy->linked->len; i++)
    {
      const char *path = g_ptr_array_index (copy->linked, i);

      if (beckon_landing_manifest_has (copy->manifest, path) && !note (copy, copy->root, path, path))
        return FALSE;
    }
  wait_for_tick (copy->last);
  return finish (from, copy->root, copy->root, ".", &info);
}

gboolean
beckon_landing_copy_fits (const char *folder)
{
  Copy copy = { .root = -1 };
  int from = open_source (folder);
  gboolean fits = from >= 0 && copy_folder (&copy, from, -1, "", 0);

  if (from >= 0)
    close (from);
  return fits;
}

static void
explain (const char *folder, int problem, GError **error)
{
  if (problem == ECANCELED)
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, beckon_errno_describe (problem));
  else if (problem == EFBIG)
    beckon_text_set_error (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE, _("“%s” is too large to be copied for a command."),
                           folder);
  else
    beckon_text_set_error (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE, _("“%s” can't be copied for a command: %s"), folder,
                           beckon_errno_describe (problem));
}

gboolean
beckon_landing_copy_make (const char *folder, const char *place, GHashTable *hidden, GCancellable *cancellable, GError **error)
{
  g_autoptr (BeckonLandingManifest) manifest = beckon_landing_manifest_new ();
  g_autoptr (GHashTable) links = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autofree char *path = g_build_filename (place, COPIED, NULL);
  g_autoptr (GPtrArray) linked = g_ptr_array_new_with_free_func (g_free);
  Copy copy = { manifest, hidden, links, linked, 0, -1, cancellable, 0, 0 };
  int from = open_source (folder);
  gboolean is_copied_whole = FALSE;

  if (from >= 0 && mkdir (path, 0700) == 0)
    copy.root = open (path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (copy.root >= 0)
    is_copied_whole = copy_all (&copy, folder, from);
  if (!is_copied_whole)
    explain (folder, errno, error);
  if (copy.root >= 0)
    close (copy.root);
  if (from >= 0)
    close (from);
  return is_copied_whole && beckon_landing_manifest_save (manifest, place, error);
}
