/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A file in write-ahead mode is read with the help of two others. Where nothing can be written SQLite reads it if those two are
 * there already. If there is no log, the file is whole by itself and may be read as what never changes. What is left is a log
 * without its index, as after a crash, or an older file: a copy of it is opened like any other.
 */

#include "beckon-config.h"

#include "beckon-read-only.h"

#include "base/beckon-error.h"
#include "store/sqlite/beckon-schema.h"

#include <fcntl.h>
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char database_name[] = "beckon.db";
static const char *const copied[] = { "beckon.db", "beckon.db-wal" };
static const char *const left_in_copy[] = { "beckon.db", "beckon.db-wal", "beckon.db-shm", "in-use" };

static gboolean
read_only_is_empty (const char *directory, const char *name)
{
  g_autofree char *path = g_build_filename (directory, name, NULL);
  struct stat info;

  return stat (path, &info) != 0 || info.st_size == 0;
}

/* %FALSE without @error if it must be tried in another way. */
static gboolean
open_in_place (BeckonSession *self, const char *directory, const char *parameters, GError **error)
{
  g_autofree char *path = g_build_filename (directory, database_name, NULL);
  g_autofree char *escaped = g_uri_escape_string (path, "/", FALSE);
  g_autofree char *uri = g_strdup_printf ("file:%s?%s", escaped, parameters);
  g_autoptr (BeckonDatabase) database = beckon_database_open (uri, NULL);
  gboolean is_current;

  if (database == NULL || !beckon_schema_is_current (database, &is_current, error) || !is_current)
    return FALSE;

  self->database = g_steal_pointer (&database);
  self->path = g_steal_pointer (&uri);

  return TRUE;
}

static gboolean
open_copy (BeckonSession *self, const char *directory, GError **error)
{
  g_autofree char *usage = NULL;
  gboolean prepared;
  int fd;
  g_autofree char *path = NULL;

  self->copy = g_dir_make_tmp ("beckon-XXXXXX", error);
  if (self->copy == NULL)
    return FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (copied); i++)
    {
      g_autofree char *from_path = g_build_filename (directory, copied[i], NULL);
      g_autofree char *to_path = g_build_filename (self->copy, copied[i], NULL);
      g_autoptr (GFile) source = g_file_new_for_path (from_path);
      g_autoptr (GFile) target = g_file_new_for_path (to_path);

      if (g_file_test (from_path, G_FILE_TEST_EXISTS)
          && (!g_file_copy (source, target, G_FILE_COPY_NONE, NULL, NULL, NULL, error) || g_chmod (to_path, 0600) != 0))
        return FALSE;
    }

  path = g_build_filename (self->copy, database_name, NULL);
  fd = g_open (path, O_CREAT | O_RDWR | O_CLOEXEC, 0600);
  if (fd >= 0)
    close (fd);
  self->path = g_steal_pointer (&path);

  self->database = beckon_database_open (self->path, error);
  if (self->database == NULL)
    return FALSE;

  usage = g_build_filename (self->copy, "in-use", NULL);
  fd = g_open (usage, O_CREAT | O_RDWR | O_CLOEXEC, 0600);
  prepared = beckon_schema_prepare_released (self->database, self->copy, fd, error)
             && beckon_database_script (self->database, "PRAGMA query_only = 1", error);
  if (fd >= 0)
    close (fd);

  return prepared;
}

gboolean
beckon_read_only_open (BeckonSession *session, const char *directory, GError **error)
{
  g_autoptr (GError) local = NULL;

  if (session->usage_fd < 0)
    {
      /* The lock prevents a conversion while reading; without the file none can begin. */
      g_autofree char *usage = g_build_filename (directory, "in-use", NULL);
      int fd = g_open (usage, O_RDONLY | O_CLOEXEC, 0);

      if (fd >= 0)
        flock (fd, LOCK_SH | LOCK_NB);
      session->usage_fd = fd;
    }
  session->is_read_only = TRUE;

  if (open_in_place (session, directory, "mode=ro", &local))
    return TRUE;
  /* There is a newer version to wait for, and nothing else that could be tried. */
  if (g_error_matches (local, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE))
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }

  return (!read_only_is_empty (directory, database_name) && read_only_is_empty (directory, "beckon.db-wal")
          && open_in_place (session, directory, "mode=ro&immutable=1", NULL))
         || open_copy (session, directory, error);
}

void
beckon_read_only_close (BeckonSession *session)
{
  if (session->copy == NULL)
    return;

  for (guint i = 0; i < G_N_ELEMENTS (left_in_copy); i++)
    {
      g_autofree char *path = g_build_filename (session->copy, left_in_copy[i], NULL);

      g_unlink (path);
    }
  beckon_schema_remove_copies (session->copy);
  g_rmdir (session->copy);
}
