/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE

#include "beckon-config.h"

#include "beckon-etc-sources.h"

#include "base/beckon-error.h"
#include "beckon-etc-links.h"
#include "beckon-etc-lists.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FORMAT "1"
#define BOOT_ID "/proc/sys/kernel/random/boot_id"

#define MAX_ENTRIES 20000
#define MAX_WATCHED 500
#define MAX_WATCHED_OF_LINKS 500
#define MAX_BYTES (32 * 1024 * 1024)
#define MAX_DEPTH 16

/* Long enough to be alike by no accident, short enough for a name. */
#define NAME_LENGTH 40

typedef enum
{
  ENTRY_FOLDER,
  ENTRY_FILE,
  ENTRY_LINK,
  ENTRY_TEXT,
  ENTRY_PLACE, /* an empty file */
} EntryKind;

/* What is to be made. */
typedef struct
{
  EntryKind kind;
  char *path;
  char *text;       /* (nullable): what is written there, or where a link leads */
  struct stat seen; /* of a file: the one that is copied */
} Entry;

/* What makes it another one when it changes. */
typedef struct
{
  char *path;
  gboolean follow;
  gboolean kind_only;
  struct stat seen; /* all zero where nothing was */
} Watched;

struct _BeckonEtcSources
{
  char *root;
  GArray *entries;
  GArray *watched;
  guint max_watched;
  gboolean is_for_all; /* what not everybody may read is left out */
  char *name;
};

static void
clear_entry (gpointer data)
{
  Entry *entry = data;

  g_free (entry->path);
  g_free (entry->text);
}

static void
clear_watched (gpointer data)
{
  g_free (((Watched *) data)->path);
}

void
beckon_etc_sources_free (BeckonEtcSources *sources)
{
  if (sources == NULL)
    return;

  g_free (sources->root);
  g_array_unref (sources->entries);
  g_array_unref (sources->watched);
  g_free (sources->name);
  g_free (sources);
}

static void
look (BeckonEtcSources *self, const char *path, gboolean follow, struct stat *seen)
{
  g_autofree char *whole = g_strconcat (self->root, path, NULL);

  if ((follow ? stat (whole, seen) : lstat (whole, seen)) != 0)
    memset (seen, 0, sizeof *seen);
}

static void
watch (BeckonEtcSources *self, const char *path, gboolean follow, gboolean kind_only)
{
  Watched watched = { g_strdup (path), follow, kind_only, { 0 } };

  look (self, path, follow, &watched.seen);
  g_array_append_val (self->watched, watched);
}

static gboolean
is_same_time (const struct timespec *one, const struct timespec *other)
{
  return one->tv_sec == other->tv_sec && one->tv_nsec == other->tv_nsec;
}

static gboolean
is_same (const struct stat *one, const struct stat *other)
{
  return one->st_mode == other->st_mode && one->st_dev == other->st_dev && one->st_ino == other->st_ino
         && one->st_uid == other->st_uid && one->st_gid == other->st_gid && one->st_size == other->st_size
         && is_same_time (&one->st_mtim, &other->st_mtim) && is_same_time (&one->st_ctim, &other->st_ctim);
}

static gboolean
is_as_it_was (BeckonEtcSources *self, const Watched *watched)
{
  struct stat now;

  look (self, watched->path, watched->follow, &now);
  if (watched->kind_only)
    return (now.st_mode & S_IFMT) == (watched->seen.st_mode & S_IFMT);
  return is_same (&now, &watched->seen);
}

gboolean
beckon_etc_sources_are_current (BeckonEtcSources *sources)
{
  g_return_val_if_fail (sources != NULL, FALSE);

  for (guint i = 0; i < sources->watched->len; i++)
    if (!is_as_it_was (sources, &g_array_index (sources->watched, Watched, i)))
      return FALSE;

  return TRUE;
}

const char *
beckon_etc_sources_get_name (BeckonEtcSources *sources)
{
  g_return_val_if_fail (sources != NULL, NULL);

  return sources->name;
}

static void
add_entry (BeckonEtcSources *self, EntryKind kind, const char *path, const char *text, const struct stat *seen)
{
  Entry entry = { kind, g_strdup (path), g_strdup (text), { 0 } };

  if (seen != NULL)
    entry.seen = *seen;
  g_array_append_val (self->entries, entry);
}

static gboolean read_folder (BeckonEtcSources *self, const char *path, guint depth);

/* A link cannot be changed, only be another one, which changes the folder. */
static gboolean
read_entry (BeckonEtcSources *self, const char *path, guint depth)
{
  g_autofree char *whole = g_strconcat (self->root, path, NULL);
  g_autofree char *target = NULL;
  struct stat seen;

  look (self, path, FALSE, &seen);
  if (S_ISDIR (seen.st_mode))
    return read_folder (self, path, depth + 1);
  if (S_ISLNK (seen.st_mode) && (target = g_file_read_link (whole, NULL)) != NULL)
    add_entry (self, ENTRY_LINK, path, target, NULL);
  else if (S_ISREG (seen.st_mode) && (!self->is_for_all || (seen.st_mode & S_IROTH) != 0))
    {
      watch (self, path, FALSE, FALSE);
      add_entry (self, ENTRY_FILE, path, NULL, &seen);
    }
  return self->entries->len <= MAX_ENTRIES && self->watched->len <= self->max_watched;
}

static gboolean
read_folder (BeckonEtcSources *self, const char *path, guint depth)
{
  g_autofree char *whole = g_strconcat (self->root, path, NULL);
  g_autoptr (GDir) dir = NULL;
  const char *name;

  watch (self, path, depth == 0, FALSE);
  dir = g_dir_open (whole, 0, NULL);
  if (dir == NULL || (depth == 0 && !beckon_etc_shows_folder (whole)))
    return TRUE;

  add_entry (self, ENTRY_FOLDER, path, NULL, NULL);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *below = g_build_filename (path, name, NULL);

      if (depth > MAX_DEPTH || !read_entry (self, below, depth))
        return FALSE;
    }

  return TRUE;
}

static void
read_file (BeckonEtcSources *self, const char *path)
{
  g_autofree char *whole = g_strconcat (self->root, path, NULL);
  g_autofree char *target = g_file_read_link (whole, NULL);
  g_autofree char *to_system = target != NULL ? beckon_etc_resolve_link (path, target) : NULL;
  struct stat seen;

  watch (self, path, FALSE, FALSE);
  if (to_system != NULL)
    {
      add_entry (self, ENTRY_LINK, path, to_system, NULL);
      return;
    }

  watch (self, path, TRUE, FALSE);
  look (self, path, TRUE, &seen);
  if (S_ISREG (seen.st_mode))
    add_entry (self, ENTRY_FILE, path, NULL, &seen);
}

/* Whoever keeps very much there has to do without some of it. Behind them is nothing more that is bounded. */
static void
read_links (BeckonEtcSources *self, GPtrArray *links)
{
  self->max_watched = self->watched->len + MAX_WATCHED_OF_LINKS;
  self->is_for_all = TRUE;
  for (const char *const *list = beckon_etc_list_link_folders (); *list != NULL; list++)
    watch (self, *list, TRUE, FALSE);
  for (guint i = 0; i < links->len && self->watched->len < self->max_watched; i++)
    {
      const char *path = g_ptr_array_index (links, i);
      struct stat seen;

      look (self, path, FALSE, &seen);
      if (S_ISDIR (seen.st_mode))
        read_folder (self, path, 0);
      else
        read_file (self, path);
    }
}

static void
read_libraries (BeckonEtcSources *self)
{
  g_autofree char *folder = g_strconcat (self->root, BECKON_ETC_LIBRARIES_FOLDER, NULL);
  g_autofree char *text = NULL;
  g_autoptr (GDir) dir = NULL;
  const char *name;

  watch (self, BECKON_ETC_LIBRARIES, TRUE, FALSE);
  watch (self, BECKON_ETC_LIBRARIES_FOLDER, TRUE, FALSE);
  dir = g_dir_open (folder, 0, NULL);
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (BECKON_ETC_LIBRARIES_FOLDER, name, NULL);

      watch (self, path, TRUE, FALSE);
    }
  text = beckon_etc_read_libraries (self->root);
  add_entry (self, ENTRY_TEXT, BECKON_ETC_LIBRARIES, text, NULL);
}

static void
read_people (BeckonEtcSources *self)
{
  g_autofree char *text = beckon_etc_read_people (self->root);

  watch (self, BECKON_ETC_PEOPLE, TRUE, FALSE);
  add_entry (self, ENTRY_TEXT, BECKON_ETC_PEOPLE, text, NULL);
}

/* What is shown there is mounted, so it only matters what can be mounted on. */
static void
read_place (BeckonEtcSources *self, const char *path)
{
  struct stat seen;

  watch (self, path, TRUE, TRUE);
  look (self, path, TRUE, &seen);
  if (S_ISDIR (seen.st_mode))
    add_entry (self, ENTRY_FOLDER, path, NULL, NULL);
  else if (seen.st_mode != 0)
    add_entry (self, ENTRY_PLACE, path, NULL, NULL);
}

/* Nothing in a path or a text is a zero byte. */
static void
digest_text (GChecksum *checksum, const char *text)
{
  g_checksum_update (checksum, (const guchar *) (text != NULL ? text : ""), text != NULL ? (gssize) strlen (text) : 0);
  g_checksum_update (checksum, (const guchar *) "\0", 1);
}

static void
digest_entry (GChecksum *checksum, const Entry *entry)
{
  const struct stat *seen = &entry->seen;
  g_autofree char *state
      = g_strdup_printf ("%d %o %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %" G_GINT64_FORMAT " %" G_GINT64_FORMAT
                         ".%09ld %" G_GINT64_FORMAT ".%09ld",
                         (int) entry->kind, (guint) seen->st_mode, (guint64) seen->st_dev, (guint64) seen->st_ino,
                         (gint64) seen->st_size, (gint64) seen->st_mtim.tv_sec, seen->st_mtim.tv_nsec,
                         (gint64) seen->st_ctim.tv_sec, seen->st_ctim.tv_nsec);

  digest_text (checksum, state);
  digest_text (checksum, entry->path);
  digest_text (checksum, entry->text);
}

/* After a fall of the system nobody knows what of a copy had reached the disk. */
static char *
make_name (BeckonEtcSources *self)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autofree char *boot = NULL;

  g_file_get_contents (BOOT_ID, &boot, NULL, NULL);
  digest_text (checksum, FORMAT);
  digest_text (checksum, boot);
  for (guint i = 0; i < self->entries->len; i++)
    digest_entry (checksum, &g_array_index (self->entries, Entry, i));
  return g_strndup (g_checksum_get_string (checksum), NAME_LENGTH);
}

static int
compare_paths (gconstpointer one, gconstpointer other)
{
  return strcmp (((const Entry *) one)->path, ((const Entry *) other)->path);
}

/* By their paths a folder stands before what is in it, and the same is the same whatever order it was read in. */
static BeckonEtcSources *
finish (BeckonEtcSources *self)
{
  g_array_sort (self->entries, compare_paths);
  self->name = make_name (self);
  return self;
}

BeckonEtcSources *
beckon_etc_sources_read (const char *root, gboolean network, GPtrArray *links, GError **error)
{
  g_autoptr (BeckonEtcSources) self = NULL;
  const char *const *list;

  g_return_val_if_fail (root != NULL && links != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  self = g_new0 (BeckonEtcSources, 1);
  self->root = g_strdup (root);
  self->max_watched = MAX_WATCHED;
  self->entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  self->watched = g_array_new (FALSE, FALSE, sizeof (Watched));
  g_array_set_clear_func (self->entries, clear_entry);
  g_array_set_clear_func (self->watched, clear_watched);
  for (list = beckon_etc_list_folders (); *list != NULL; list++)
    if (!read_folder (self, *list, 0))
      {
        g_set_error (error, BECKON_ERROR, BECKON_ERROR_TOO_LARGE, "There is too much in %s", *list);
        return NULL;
      }
  for (list = beckon_etc_list_files (); *list != NULL; list++)
    read_file (self, *list);
  read_libraries (self);
  read_people (self);
  if (!network)
    add_entry (self, ENTRY_TEXT, BECKON_ETC_HOSTS, BECKON_ETC_OWN_HOSTS, NULL);
  for (list = beckon_etc_list_for_network (); network && *list != NULL; list++)
    read_place (self, *list);
  read_links (self, links);
  return finish (g_steal_pointer (&self));
}

static gboolean
fail (GError **error, const char *path)
{
  const int problem = errno;

  g_set_error (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE, "“%s” cannot be copied: %s", path, g_strerror (problem));
  return FALSE;
}

/* Those of what is copied whole are there already. */
static void
make_parents (int folder, const char *path)
{
  g_autofree char *part = g_strdup (path);

  for (char *slash = strchr (part, '/'); slash != NULL; slash = strchr (slash + 1, '/'))
    {
      *slash = '\0';
      mkdirat (folder, part, 0755);
      *slash = '/';
    }
}

static gboolean
write_all (int to, const char *bytes, gsize length)
{
  while (length > 0)
    {
      gssize written = write (to, bytes, length);

      if (written < 0 && errno == EINTR)
        continue;
      if (written <= 0)
        return FALSE;
      bytes += written;
      length -= (gsize) written;
    }

  return TRUE;
}

static gboolean
copy_bytes (int from, int to, goffset *n_left)
{
  char buffer[16 * 1024];
  gssize length;

  while ((length = read (from, buffer, sizeof buffer)) != 0)
    {
      if (length < 0 && errno == EINTR)
        continue;
      if (length > 0 && (*n_left -= length) < 0)
        errno = EFBIG;
      if (length < 0 || *n_left < 0 || !write_all (to, buffer, (gsize) length))
        return FALSE;
    }

  return TRUE;
}

static int
create (int folder, const char *name, mode_t mode)
{
  return openat (folder, name, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, mode);
}

static gboolean
copy_into (int from, const Entry *entry, int folder, const char *name, goffset *n_left)
{
  struct stat now;
  gboolean is_copied;
  int to;

  if (fstat (from, &now) != 0 || !is_same (&now, &entry->seen))
    {
      errno = ESTALE;
      return FALSE;
    }

  to = create (folder, name, 0400 | (now.st_mode & 0555));
  is_copied = to >= 0 && copy_bytes (from, to, n_left);
  return to >= 0 && g_close (to, NULL) && is_copied;
}

static gboolean
copy_file (BeckonEtcSources *self, const Entry *entry, int folder, const char *name, goffset *n_left)
{
  g_autofree char *whole = g_strconcat (self->root, entry->path, NULL);
  int from = open (whole, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  gboolean is_copied;

  if (from < 0)
    return errno == EACCES || errno == EPERM;

  is_copied = copy_into (from, entry, folder, name, n_left);
  close (from);
  return is_copied;
}

static gboolean
write_text (int folder, const char *name, const char *text)
{
  int to = create (folder, name, 0444);
  gboolean is_written = to >= 0 && write_all (to, text, strlen (text));

  return to >= 0 && g_close (to, NULL) && is_written;
}

static gboolean
make (BeckonEtcSources *self, const Entry *entry, int folder, goffset *n_left)
{
  const char *name = entry->path + strlen ("/etc/");

  make_parents (folder, name);
  switch (entry->kind)
    {
    case ENTRY_FOLDER:
      return mkdirat (folder, name, 0755) == 0 || errno == EEXIST;
    case ENTRY_FILE:
      return copy_file (self, entry, folder, name, n_left);
    case ENTRY_LINK:
      return symlinkat (entry->text, folder, name) == 0;
    case ENTRY_TEXT:
      return write_text (folder, name, entry->text);
    case ENTRY_PLACE:
      return write_text (folder, name, "");
    default:
      g_return_val_if_reached (FALSE);
    }
}

gboolean
beckon_etc_sources_copy (BeckonEtcSources *sources, int folder, GError **error)
{
  goffset n_left = MAX_BYTES;

  g_return_val_if_fail (sources != NULL, FALSE);
  g_return_val_if_fail (folder >= 0, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  for (guint i = 0; i < sources->entries->len; i++)
    {
      const Entry *entry = &g_array_index (sources->entries, Entry, i);

      if (!make (sources, entry, folder, &n_left))
        return fail (error, entry->path);
    }

  return TRUE;
}
