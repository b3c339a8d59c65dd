/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-session.h"

#include "base/beckon-error.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "beckon-end-conversation.h"
#include "beckon-erase.h"
#include "beckon-read-only.h"
#include "beckon-store-follow.h"
#include "store/index/beckon-search-index.h"
#include "store/repair/beckon-history-copies.h"
#include "store/repair/beckon-salvage.h"
#include "store/sqlite/beckon-chunks.h"
#include "store/sqlite/beckon-schema.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* How long the end of a program may wait for what is to be erased; what is left then is erased by the next. */
#define ERASING_PATIENCE_US (2 * G_TIME_SPAN_SECOND)

/* How long it waits for another process that reads: a query takes less. */
#define READER_PAUSE_US (10 * G_TIME_SPAN_MILLISECOND)

/* Deleted ids are remembered as long as a program may sleep that still has one on a list. */
#define GONE_SECONDS "604800"

/* 1000 pages are 4 MB. Beyond the first figure the log is moved when the store is idle, beyond the second at the next commit
 * without a waiting caller. After a checkpoint the next durable commit costs a second sync, so small ones do not pay. */
#define LOG_PAGES_IDLE 1000
#define LOG_PAGES_FORCED 4000

static gboolean
session_fail (BeckonSession *self, GError **error)
{
  self->fault = beckon_fault_from_code (SQLITE_CANTOPEN, errno);
  beckon_text_set_error (error, BECKON_ERROR, BECKON_ERROR_STORE, _("The folder of the history cannot be used (%s)."),
                         g_strerror (errno));

  return FALSE;
}

/* Conversations are private, whatever the umask says. */
static gboolean
session_make_folder (BeckonSession *self, const char *directory, GError **error)
{
  struct stat info;

  if (g_mkdir_with_parents (directory, 0700) != 0 || stat (directory, &info) != 0)
    return session_fail (self, error);

  return (info.st_mode & 077) == 0 || chmod (directory, info.st_mode & 0700) == 0 || session_fail (self, error);
}

/* SQLite gives its side files the mode of the database, so that is there before SQLite comes. It gets its name only when its
 * descriptor is closed: closing any descriptor of a file takes away the locks that SQLite has on it for another connection
 * of this process. */
static gboolean
make_database_file (BeckonSession *self, const char *directory, GError **error)
{
  g_autofree char *unnamed = NULL;
  struct stat info;
  gboolean made;
  int fd;

  /* Permissions that the person removed stay so. */
  if (stat (self->path, &info) == 0)
    return (info.st_mode & 077) == 0 || chmod (self->path, info.st_mode & 0700) == 0 || session_fail (self, error);

  unnamed = g_build_filename (directory, "beckon.db.XXXXXX", NULL);
  fd = g_mkstemp_full (unnamed, O_RDWR | O_CLOEXEC, 0600);
  if (fd < 0)
    return session_fail (self, error);

  close (fd);
  made = link (unnamed, self->path) == 0 || errno == EEXIST || session_fail (self, error);
  g_unlink (unnamed);

  return made;
}

/* Without locks two programs would each take the history for its own. Another one's lock says that there are some. */
static gboolean
check_locks (BeckonSession *self, const char *directory, GError **error)
{
  const int problem = flock (self->usage_fd, LOCK_SH | LOCK_NB) != 0 ? errno : 0;
  g_autofree char *folder = beckon_text_for_display (directory, -1, BECKON_TEXT_EXACT);

  if (problem == 0 || problem == EWOULDBLOCK || problem == EINTR)
    return TRUE;
  beckon_text_set_error (error, BECKON_ERROR, BECKON_ERROR_STORE,
                         _("Files can’t be locked in %s (%s), and without locks two programs could damage the history. Set "
                           "XDG_DATA_HOME to a folder on a local disk, or mount this file system with locks."),
                         folder, g_strerror (problem));
  return FALSE;
}

static gboolean
open_usage (BeckonSession *self, const char *directory, GError **error)
{
  g_autofree char *usage = g_build_filename (directory, "in-use", NULL);

  if (self->usage_fd >= 0)
    return TRUE;

  self->usage_fd = g_open (usage, O_CREAT | O_RDWR | O_CLOEXEC, 0600);

  return self->usage_fd >= 0 ? check_locks (self, directory, error) : session_fail (self, error);
}

static gboolean
open_database (BeckonSession *self, const char *directory, GError **error)
{
  self->path = g_build_filename (directory, "beckon.db", NULL);
  if (!make_database_file (self, directory, error))
    return FALSE;

  self->database = beckon_database_open (self->path, error);
  if (self->database == NULL)
    return FALSE;
  beckon_schema_is_current (self->database, &self->was_current, NULL);
  if (beckon_schema_prepare_released (self->database, directory, self->usage_fd, error))
    return TRUE;

  /* Its schema is not known: nothing more is done to it, not even at the end. */
  self->fault = beckon_database_take_fault (self->database);
  g_clear_pointer (&self->database, beckon_database_close);

  return FALSE;
}

static gboolean
open_for_writing (BeckonSession *self, const char *directory, GError **error)
{
  g_autofree char *path = g_build_filename (directory, "beckon.db-wal", NULL);
  struct stat info;
  gboolean had_log = stat (path, &info) == 0 && info.st_size > 0;

  errno = 0;
  if (!session_make_folder (self, directory, error) || !open_usage (self, directory, error)
      || !open_database (self, directory, error))
    return FALSE;

  self->is_read_only = sqlite3_db_readonly (beckon_database_get_handle (self->database), "main") == 1;
  self->lease = beckon_lease_acquire (directory, error);
  self->notice = self->lease != NULL ? beckon_change_notification_new (directory, error) : NULL;
  if (self->notice == NULL)
    self->fault = beckon_fault_from_code (SQLITE_CANTOPEN, errno);
  else if (!self->is_read_only)
    {
      /* A clean exit removes the lease, and the last one the log. */
      guint n_alive, n_dead;

      beckon_lease_count_others (self->lease, &n_alive, &n_dead);
      if (n_dead > 0 || (had_log && n_alive == 0))
        beckon_file_check_request (directory);
    }

  return self->notice != NULL;
}

static void
forget_files (BeckonSession *self)
{
  g_clear_pointer (&self->notice, beckon_change_notification_free);
  g_clear_pointer (&self->database, beckon_database_close);
  g_clear_pointer (&self->lease, beckon_lease_release);
  g_clear_pointer (&self->path, g_free);
}

/* Reading may work where nothing can be written. */
static gboolean
may_be_readable (BeckonSession *self, const char *directory)
{
  return (self->fault == BECKON_FAULT_READ_ONLY || self->fault == BECKON_FAULT_FULL || self->fault == BECKON_FAULT_QUOTA)
         && (access (directory, R_OK | X_OK) == 0 || errno == ENOENT);
}

static gboolean
open_for_reading (BeckonSession *self, const char *directory, GError **error)
{
  forget_files (self);
  if (!beckon_read_only_open (self, directory, error))
    return FALSE;

  self->lease = beckon_lease_new_without_file (directory);

  return TRUE;
}

/* Repairs damage, or opens a copy instead, before the history is used. */
static gboolean
open_or_repair (BeckonSession *self, const char *directory, GError **error)
{
  g_autoptr (GError) local = NULL;

  if (!beckon_salvage_is_due (directory) && open_for_writing (self, directory, &local))
    return TRUE;
  if (!beckon_salvage_is_due (directory) && self->fault != BECKON_FAULT_DAMAGED)
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }

  forget_files (self);
  self->fault = BECKON_FAULT_NONE;

  if (!open_usage (self, directory, error) || !beckon_salvage_run (directory, self->usage_fd, error)
      || !open_for_writing (self, directory, error))
    return FALSE;

  /* A copy is stopped before anybody sees what it was doing. */
  if (beckon_salvage_opens_copy (directory) && !beckon_end_restored (self, error))
    return FALSE;

  beckon_salvage_finish (directory);

  return TRUE;
}

BeckonSession *
beckon_session_open (const char *directory, GError **error)
{
  g_autoptr (BeckonSession) self = g_new0 (BeckonSession, 1);
  g_autoptr (GError) local = NULL;

  self->usage_fd = -1;
  self->places = g_ptr_array_new_with_free_func (g_free);
  self->has_chunks = TRUE;
  self->has_unindexed = TRUE;
  self->has_purge_pending = TRUE;

  if (!open_or_repair (self, directory, &local)
      && (!may_be_readable (self, directory) || !open_for_reading (self, directory, error)))
    {
      if (error == NULL || *error == NULL)
        g_propagate_error (error, g_steal_pointer (&local));
      return NULL;
    }
  if (self->is_read_only && self->fault == BECKON_FAULT_NONE)
    self->fault = BECKON_FAULT_READ_ONLY;

  self->report = beckon_salvage_dup_report (directory, &self->was_repaired);
  self->directory = g_strdup (directory);

  /* Watching began before this look, so nothing falls between. */
  beckon_session_was_changed (self);

  return g_steal_pointer (&self);
}

gboolean
beckon_session_repair_index (BeckonSession *self, gboolean is_bad)
{
  g_autoptr (GError) error = NULL;

  is_bad = beckon_database_take_bad_index (self->database) || is_bad;
  if (!is_bad || self->was_reindexed || self->is_read_only || self->fault == BECKON_FAULT_DAMAGED)
    return FALSE;

  self->was_reindexed = TRUE;
  if (!beckon_search_index_rebuild (self->database, &error))
    {
      g_message ("%s", error->message);
      return FALSE;
    }

  /* No other damage is known. */
  beckon_database_take_fault (self->database);
  self->has_unindexed = TRUE;
  g_info ("the index of the search was damaged and is made anew");

  return TRUE;
}

static void (*place_remover) (const char *call_id); /* atomic */

void
beckon_session_set_place_remover (void (*remove) (const char *call_id))
{
  g_atomic_pointer_set (&place_remover, remove);
}

/* Old versions of files, secrets too, are not kept longer than what is said of them. */
static void
remove_a_place (BeckonSession *self)
{
  g_autofree char *call_id = g_ptr_array_steal_index_fast (self->places, self->places->len - 1);
  void (*remove) (const char *) = g_atomic_pointer_get (&place_remover);

  if (remove != NULL)
    remove (call_id);
}

void
beckon_session_drop_copies (BeckonSession *self)
{
  if (self->database == self->memory)
    return;

  beckon_history_copies_remove (self->directory);
  if (self->check != NULL)
    beckon_file_check_renew_copy (self->check);
  self->drops_copies = TRUE;
}

/* Copies go before what they also have: after a crash in between it is still pending, and erased by the next start. */
static void
erase_some (BeckonSession *self)
{
  g_autoptr (GError) error = NULL;

  if (beckon_erase_is_pending (self->database))
    beckon_session_drop_copies (self);

  /* The row stays hidden; the next start tries again. */
  if (!beckon_erase_step (self->database, self->places, &self->has_purge_pending, &error)
      && beckon_session_repair_index (self, FALSE))
    {
      self->has_purge_pending = TRUE;
    }
  else if (error != NULL)
    {
      g_message ("%s", error->message);
      self->has_purge_pending = FALSE;
    }
  self->has_erased |= self->has_purge_pending;
}

static void
erase_traces (BeckonSession *self)
{
  g_autoptr (GError) error = NULL;

  if (!beckon_erase_traces_step (self->database, &self->n_erasing_steps, &self->has_erased, &error)
      && !beckon_session_repair_index (self, FALSE))
    {
      g_message ("%s", error->message);
      self->has_erased = FALSE;
    }
  /* While another process reads, the log can't be emptied, and what was erased may still be in it. */
  if (!self->has_erased)
    self->is_held_up = self->has_erased = !beckon_database_empty_log (self->database);
  if (!self->has_erased)
    self->n_erasing_steps = 0;
}

/* Another process may have begun one before what it shows was erased. */
static void
drop_late_copies (BeckonSession *self)
{
  beckon_session_drop_copies (self);
  self->drops_copies = FALSE;
}

void
beckon_session_close (BeckonSession *self)
{
  g_clear_pointer (&self->check, beckon_file_check_stop);
  if (self->database != NULL && !self->is_read_only)
    {
      /* Deleted rows are not left lying about because the program ends. */
      gint64 began = g_get_monotonic_time ();

      while ((self->places->len > 0 || self->has_purge_pending || self->has_erased)
             && g_get_monotonic_time () - began < ERASING_PATIENCE_US)
        if (self->places->len > 0)
          remove_a_place (self);
        else if (self->has_purge_pending)
          erase_some (self);
        else if (self->is_held_up)
          {
            g_usleep (READER_PAUSE_US);
            beckon_session_try_again (self);
          }
        else
          erase_traces (self);
      if (self->drops_copies)
        drop_late_copies (self);
    }
  g_clear_pointer (&self->memory, beckon_database_close);
  forget_files (self);
  beckon_read_only_close (self);
  g_ptr_array_unref (self->places);
  g_free (self->copy);
  g_free (self->report);
  g_free (self->directory);
  if (self->usage_fd >= 0)
    close (self->usage_fd);
  g_free (self);
}

gpointer
beckon_session_work_in_memory (BeckonSession *self, gpointer (*func) (BeckonSession *, gpointer, GError **), gpointer data,
                               GError **error)
{
  BeckonSession outside;
  gpointer result;

  if (self->memory == NULL)
    {
      g_autoptr (BeckonDatabase) memory = beckon_database_open (":memory:", error);

      /* Sorting must not go to a file either. */
      if (memory == NULL || !beckon_database_script (memory, "PRAGMA temp_store = MEMORY", error)
          || !beckon_schema_build (memory, error))
        return NULL;
      self->memory = g_steal_pointer (&memory);
    }

  outside = *self;
  self->database = self->memory;
  result = func (self, data, error);
  *self = outside;

  return result;
}

gboolean
beckon_session_was_changed (BeckonSession *self)
{
  gint64 version;
  gboolean changed;

  if (!beckon_database_get_number (self->database, "PRAGMA data_version", &version, NULL))
    return TRUE;

  changed = version != self->seen_version;
  self->seen_version = version;

  return changed;
}

void
beckon_session_start_check (BeckonSession *self, BeckonClock *clock, void (*func) (gpointer), gpointer data)
{
  if (self->check == NULL && !self->is_read_only && self->fault != BECKON_FAULT_DAMAGED)
    self->check = beckon_file_check_start (self->directory, self->path, clock, func, data);
}

void
beckon_session_set_damaged (BeckonSession *self)
{
  g_autoptr (GError) error = NULL;

  self->fault = BECKON_FAULT_DAMAGED;
  beckon_salvage_request (self->directory);
  if (!beckon_database_script (self->database, "PRAGMA query_only = 1", &error))
    g_message ("%s", error->message);
}

gboolean
beckon_session_take_condition (BeckonSession *self)
{
  guint n_unsaved;
  gboolean changed;

  n_unsaved = g_queue_get_length (&self->backlog);
  changed = self->told_fault != self->fault || self->told_unsaved != n_unsaved;
  self->told_fault = self->fault;
  self->told_unsaved = n_unsaved;

  return changed;
}

void
beckon_session_tell (BeckonSession *self)
{
  if (self->has_news && self->notice != NULL)
    beckon_change_notification_touch (self->notice);
  self->has_news = FALSE;
}

gboolean
beckon_session_needs_upkeep (BeckonSession *self)
{
  return !self->is_read_only && self->fault == BECKON_FAULT_NONE
         && (self->places->len > 0 || self->has_chunks || self->has_unindexed || self->has_purge_pending
             || (self->has_erased && !self->is_held_up) || self->drops_copies || !self->was_swept
             || beckon_database_get_log_pages (self->database) > LOG_PAGES_IDLE);
}

gboolean
beckon_session_is_held_up (BeckonSession *self)
{
  return self->is_held_up && self->fault == BECKON_FAULT_NONE;
}

void
beckon_session_try_again (BeckonSession *self)
{
  self->is_held_up = FALSE;
}

static const char overdue_sql[] = "SELECT EXISTS (SELECT 1 FROM conversation WHERE deleted_at > 0)"
                                  " OR EXISTS (SELECT 1 FROM gone)";
static const char doom_sql[] =
  "UPDATE conversation SET deleted_at = 0 WHERE deleted_at > 0 AND abs (?1 - deleted_at) >= ?2";
static const char forget_gone_sql[] = "DELETE FROM gone WHERE at < unixepoch () - " GONE_SECONDS;

/* Dooms deletions that their program did not erase. A recent deletion may still be undone; one dated in the future is not
 * recent. */
static gboolean
doom_overdue (BeckonSession *self, GError **error)
{
  gint64 any;

  if (!beckon_database_get_number (self->database, overdue_sql, &any, error))
    return FALSE;
  if (any == 0)
    return TRUE;
  if (!beckon_database_begin (self->database, BECKON_DURABILITY_NORMAL, error))
    return FALSE;
  if (!beckon_database_run (self->database, error, doom_sql, "ii", g_get_real_time (), (gint64) BECKON_UNDO_US)
      || !beckon_database_run (self->database, error, forget_gone_sql, ""))
    {
      beckon_database_rollback (self->database);
      return FALSE;
    }

  self->has_purge_pending = TRUE;
  self->has_erased = TRUE;

  return beckon_database_commit (self->database, error);
}

void
beckon_session_upkeep (BeckonSession *self)
{
  if (self->places->len > 0)
    {
      remove_a_place (self);
    }
  else if (self->has_purge_pending)
    {
      erase_some (self);
    }
  else if (self->drops_copies)
    {
      drop_late_copies (self);
    }
  else if (self->has_chunks)
    {
      g_autoptr (GError) error = NULL;

      /* The text is whole either way; a failure is met again at the next end of a message. */
      if (!beckon_chunks_join (self->database, &self->has_chunks, &error))
        {
          g_message ("%s", error->message);
          self->has_chunks = FALSE;
        }
    }
  else if (self->has_unindexed)
    {
      g_autoptr (GError) error = NULL;

      /* The next commit, or a search, tries again. */
      if (!beckon_search_index_step (self->database, &self->has_unindexed, &error)
          && !beckon_session_repair_index (self, FALSE))
        {
          g_message ("%s", error->message);
          self->has_unindexed = FALSE;
        }
    }
  else if (!self->was_swept)
    {
      g_autofree char *directory = g_path_get_dirname (self->path);
      g_autoptr (GError) error = NULL;

      beckon_lease_sweep (self->lease);
      /* This is at least the second time that the newer version opened. */
      if (self->was_current)
        beckon_schema_remove_copies (directory);
      if (!doom_overdue (self, &error))
        g_message ("%s", error->message);

      self->was_swept = TRUE;
    }
  else if (self->has_erased && !self->is_held_up)
    {
      erase_traces (self);
    }
  else
    {
      beckon_database_checkpoint (self->database);
    }
}

void
beckon_session_relieve (BeckonSession *self)
{
  if (beckon_database_get_log_pages (self->database) > LOG_PAGES_FORCED)
    beckon_database_checkpoint (self->database);
}
