/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The state that is copied is held by one transaction that reads. Without it SQLite would begin the copy again after each
 * commit of another connection, and never finish beside a reply that streams. Writers do not wait for a reader.
 */

#include "beckon-config.h"

#include "beckon-database.h"

#include "base/beckon-error.h"
#include "base/beckon-text-printf.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <unistd.h>

#define PAGES_PER_STEP 64

/* 4 MB: more unwritten pages at once would hold up the sync of somebody's commit. */
#define STEPS_PER_SYNC 16

static gboolean
database_copy_fail (GError **error, const char *reason)
{
  beckon_text_set_error (error, BECKON_ERROR, BECKON_ERROR_STORE, _("The history could not be copied (%s)."), reason);

  return FALSE;
}

static int
copy_pages (sqlite3_backup *backup, int fd, gboolean (*is_over) (gpointer data), gpointer data)
{
  int code;

  for (guint i = 1; (code = sqlite3_backup_step (backup, PAGES_PER_STEP)) == SQLITE_OK; i++)
    {
      if (is_over != NULL && is_over (data))
        return SQLITE_INTERRUPT;
      if (i % STEPS_PER_SYNC == 0 && fdatasync (fd) != 0)
        return SQLITE_IOERR_FSYNC;
    }

  return code;
}

static gboolean
copy_state (BeckonDatabase *database, const char *path, int fd, gboolean (*is_over) (gpointer data), gpointer data,
            GError **error)
{
  g_autoptr (BeckonDatabase) copy = beckon_database_open (path, error);
  sqlite3_backup *backup;
  int code = SQLITE_ERROR, failure;

  if (copy == NULL || !beckon_database_script (copy, "PRAGMA synchronous = OFF", error))
    return FALSE;

  backup = sqlite3_backup_init (beckon_database_get_handle (copy), "main", beckon_database_get_handle (database), "main");
  errno = 0;
  if (backup != NULL)
    code = copy_pages (backup, fd, is_over, data);
  failure = errno;
  sqlite3_backup_finish (backup);

  return code == SQLITE_DONE
         || database_copy_fail (error, failure != 0 && (code & 0xff) == SQLITE_IOERR ? g_strerror (failure)
                                                                                     : sqlite3_errstr (code));
}

static gboolean
sync_folder_of (const char *path)
{
  g_autofree char *directory = g_path_get_dirname (path);
  int fd = g_open (directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
  gboolean synced = fd >= 0 && fsync (fd) == 0;

  if (fd >= 0)
    close (fd);

  return synced;
}

gboolean
beckon_database_copy_to (BeckonDatabase *database, const char *path, gboolean (*is_over) (gpointer data), gpointer data,
                         GError **error)
{
  g_autofree char *unfinished = g_strconcat (path, ".part", NULL);
  gboolean copied;
  int fd;

  g_unlink (unfinished);
  fd = g_open (unfinished, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
  if (fd < 0)
    return database_copy_fail (error, g_strerror (errno));

  copied = beckon_database_begin_read (database, error)
           && beckon_database_get_number (database, "SELECT count (*) FROM sqlite_schema", &(gint64) { 0 }, error)
           && copy_state (database, unfinished, fd, is_over, data, error);
  beckon_database_rollback (database);
  if (copied && (fsync (fd) != 0 || g_rename (unfinished, path) != 0 || !sync_folder_of (path)))
    copied = database_copy_fail (error, g_strerror (errno));
  close (fd);
  if (!copied)
    g_unlink (unfinished);

  return copied;
}
