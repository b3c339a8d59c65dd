/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Copies have a number, which gives their order: a clock that was wrong for a day must not make the wrong one go. Whoever
 * deletes something removes the copies, whichever process is making one: without its file that one can't give it its name.
 */
#include "beckon-config.h"

#include "beckon-history-copies.h"

#include "base/beckon-error.h"
#include "base/beckon-text-printf.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define PREFIX "beckon-copy-"
#define UNCHECKED PREFIX "unchecked"
#define KEPT 3

void
beckon_history_copy_free (BeckonHistoryCopy *copy)
{
  g_free (copy->name);
  g_free (copy->date);
  g_free (copy);
}

/* (nullable) (transfer full) */
static BeckonHistoryCopy *
history_copy_new (const char *name)
{
  g_autoptr (BeckonHistoryCopy) copy = g_new0 (BeckonHistoryCopy, 1);
  char date[11] = "";
  int end = 0;

  if (sscanf (name, PREFIX "%10[0-9-]-%u.db%n", date, &copy->number, &end) < 2 || end == 0 || name[end] != '\0')
    return NULL;

  copy->name = g_strdup (name);
  copy->date = g_strdup (date);

  return g_steal_pointer (&copy);
}

static int
compare_copies (gconstpointer a, gconstpointer b)
{
  const BeckonHistoryCopy *left = *(BeckonHistoryCopy *const *) a;
  const BeckonHistoryCopy *right = *(BeckonHistoryCopy *const *) b;

  return left->number < right->number ? 1 : left->number > right->number ? -1 : 0;
}

static GPtrArray *
history_copies_list_names (const char *directory)
{
  GPtrArray *copies = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_history_copy_free);
  g_autoptr (GDir) dir = g_dir_open (directory, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      BeckonHistoryCopy *copy = history_copy_new (name);

      if (copy != NULL)
        g_ptr_array_add (copies, copy);
    }
  g_ptr_array_sort (copies, compare_copies);

  return copies;
}

BeckonDatabase *
beckon_history_copies_open (const char *path, GError **error)
{
  g_autofree char *escaped = g_uri_escape_string (path, "/", FALSE);
  g_autofree char *uri = g_strdup_printf ("file:%s?mode=ro&immutable=1", escaped);

  return beckon_database_open (uri, error);
}

GPtrArray *
beckon_history_copies_list (const char *directory)
{
  GPtrArray *copies = history_copies_list_names (directory);

  for (guint i = 0; i < copies->len; i++)
    {
      BeckonHistoryCopy *copy = g_ptr_array_index (copies, i);
      g_autofree char *path = g_build_filename (directory, copy->name, NULL);
      g_autoptr (BeckonDatabase) database = beckon_history_copies_open (path, NULL);
      struct stat info;

      copy->size = stat (path, &info) == 0 ? info.st_size : 0;
      copy->n_conversations = -1;
      if (database != NULL)
        beckon_database_get_number (database, "SELECT count (*) FROM conversation WHERE deleted_at IS NULL",
                                    &copy->n_conversations, NULL);
    }

  return copies;
}

static char *
history_copies_get_day (gint64 now)
{
  g_autoptr (GDateTime) time = g_date_time_new_from_unix_local (now / G_TIME_SPAN_SECOND);

  return g_date_time_format (time, "%Y-%m-%d");
}

gboolean
beckon_history_copies_is_due (const char *directory, gint64 now)
{
  g_autoptr (GPtrArray) copies = history_copies_list_names (directory);
  g_autofree char *today = history_copies_get_day (now);

  return copies->len == 0 || !g_str_equal (((BeckonHistoryCopy *) g_ptr_array_index (copies, 0))->date, today);
}

/* A copy must not be what fills the disk: the history itself could not be written then. */
static gboolean
has_room (const char *directory, const char *path)
{
  struct statvfs disk;
  struct stat info;

  return statvfs (directory, &disk) != 0 || stat (path, &info) != 0
         || (guint64) disk.f_bavail * disk.f_frsize / 2 > (guint64) info.st_size;
}

static gboolean
make_alone (const char *directory, const char *path, gint64 now, gboolean (*is_over) (gpointer),
            gboolean (*is_whole) (gpointer, const char *), gpointer data, GError **error)
{
  g_autoptr (GPtrArray) copies = history_copies_list_names (directory);
  const guint number = copies->len > 0 ? ((BeckonHistoryCopy *) g_ptr_array_index (copies, 0))->number + 1 : 1;
  g_autofree char *today = history_copies_get_day (now);
  g_autofree char *name = g_strdup_printf (PREFIX "%s-%u.db", today, number);
  g_autofree char *made = g_build_filename (directory, UNCHECKED, NULL);
  g_autofree char *copy = g_build_filename (directory, name, NULL);
  g_autoptr (BeckonDatabase) database = NULL;

  g_unlink (made);
  if (!has_room (directory, path))
    {
      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_STORE, _("There is not enough room on the disk for a copy."));
      return FALSE;
    }
  database = beckon_database_open (path, error);
  if (database == NULL || !beckon_database_script (database, "PRAGMA query_only = 1", error)
      || !beckon_database_copy_to (database, made, is_over, data, error))
    return FALSE;
  if (!is_whole (data, made))
    {
      g_unlink (made);
      return FALSE;
    }
  if (g_rename (made, copy) != 0)
    {
      beckon_text_set_error (error, BECKON_ERROR, BECKON_ERROR_STORE, _("The history could not be copied (%s)."),
                             g_strerror (errno));
      return FALSE;
    }
  for (guint i = KEPT - 1; i < copies->len; i++)
    {
      g_autofree char *old = g_build_filename (directory, ((BeckonHistoryCopy *) g_ptr_array_index (copies, i))->name, NULL);

      g_unlink (old);
    }

  return TRUE;
}

gboolean
beckon_history_copies_make (const char *directory, const char *path, gint64 now, gboolean (*is_over) (gpointer),
                            gboolean (*is_whole) (gpointer, const char *), gpointer data, GError **error)
{
  g_autofree char *lock = g_build_filename (directory, "copying", NULL);
  int fd = g_open (lock, O_CREAT | O_RDWR | O_CLOEXEC, 0600);
  gboolean made;

  if (fd < 0)
    {
      beckon_text_set_error (error, BECKON_ERROR, BECKON_ERROR_STORE, _("The history could not be copied (%s)."),
                             g_strerror (errno));
      return FALSE;
    }

  made = flock (fd, LOCK_EX | LOCK_NB) != 0 || !beckon_history_copies_is_due (directory, now)
         || make_alone (directory, path, now, is_over, is_whole, data, error);
  close (fd);

  return made;
}

void
beckon_history_copies_remove (const char *directory)
{
  g_autoptr (GDir) dir = g_dir_open (directory, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_prefix (name, PREFIX))
      {
        g_autofree char *path = g_build_filename (directory, name, NULL);

        if (g_unlink (path) != 0 && errno != ENOENT)
          g_message ("%s: %s", path, g_strerror (errno));
      }
}
