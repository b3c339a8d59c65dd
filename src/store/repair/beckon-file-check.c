/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Table by table: a check of the whole would hold back the log as long as it takes, and so let it grow. A copy does hold it
 * back, but is made from one end to the other and soon done. It is checked like the file itself before it counts, so that
 * damage takes no whole copy's place, and is found on the day that it happens.
 */

#include "beckon-config.h"

#include "beckon-file-check.h"

#include "base/beckon-error.h"
#include "beckon-history-copies.h"
#include "beckon-salvage.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define DEFAULT_DELAY_US (8 * G_TIME_SPAN_SECOND)

/* How often it is looked whether a day has passed, also for one that was slept through. */
#define AGAIN_US G_TIME_SPAN_HOUR

/* After a deletion; others often follow. In delays. */
#define RENEWAL_DELAYS 8

#define PATIENCE_US (5 * G_TIME_SPAN_MINUTE)
#define INTERRUPT_AGAIN_US (10 * G_TIME_SPAN_MILLISECOND)
#define OPCODES_BETWEEN_LOOKS 1000
#define LEAST_PRIORITY 19

typedef enum
{
  VERDICT_WHOLE,
  VERDICT_DAMAGED,
  VERDICT_UNFINISHED,
} Verdict;

struct _BeckonFileCheck
{
  char *directory;    /* (owned) */
  char *marker;       /* (owned) */
  char *path;         /* (owned) */
  BeckonClock *clock; /* (owned) */
  void (*func) (gpointer);
  gpointer data;
  GThread *thread; /* (owned) */
  gint64 deadline; /* the thread's */

  GMutex lock; /* for what follows */
  GCond changed;
  gint64 next;      /* when the thread looks whether there is something to do */
  sqlite3 *reading; /* (nullable): what can be interrupted */
  gboolean is_stopping;
  gboolean is_over;
};

static const char tables_sql[] = "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 ORDER BY rootpage";

static gint64 delay_us = DEFAULT_DELAY_US;

static GMutex problem_lock; /* for what follows */
static char *problem;       /* (owned) (nullable): why there is no copy of today */

static char *
build_marker (const char *directory)
{
  return g_build_filename (directory, "beckon-unchecked", NULL);
}

void
beckon_file_check_request (const char *directory)
{
  g_autofree char *marker = build_marker (directory);
  int fd = g_open (marker, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);

  if (fd < 0)
    g_message ("%s: %s", marker, g_strerror (errno));
  else
    close (fd);
}

gboolean
beckon_file_check_is_due (const char *directory)
{
  g_autofree char *marker = build_marker (directory);

  return g_file_test (marker, G_FILE_TEST_EXISTS);
}

void
beckon_file_check_set_delay (gint64 delay)
{
  delay_us = delay;
}

static gboolean
is_stopping (BeckonFileCheck *self)
{
  gboolean stopping;

  g_mutex_lock (&self->lock);
  stopping = self->is_stopping;
  g_mutex_unlock (&self->lock);

  return stopping;
}

static int
on_progress (void *user_data)
{
  BeckonFileCheck *self = user_data;

  return is_stopping (self) || g_get_monotonic_time () > self->deadline;
}

/* Read errors of the device are reported among the damage, with the number of the error. */
static gboolean
is_about_reading (const char *report)
{
  static const char mark[] = "error code=";
  const char *found = strstr (report, mark);
  int code = found != NULL ? atoi (found + strlen (mark)) & 0xff : SQLITE_CORRUPT;

  return code != SQLITE_CORRUPT && code != SQLITE_NOTADB;
}

static Verdict
judge_step (sqlite3 *handle, sqlite3_stmt *statement)
{
  int code = sqlite3_step (statement);
  const char *report = code == SQLITE_ROW ? (const char *) sqlite3_column_text (statement, 0) : NULL;

  if ((code & 0xff) == SQLITE_CORRUPT || code == SQLITE_NOTADB)
    return VERDICT_DAMAGED;
  if (report == NULL)
    {
      g_debug ("the history was not checked to its end: %s", sqlite3_errmsg (handle));
      return VERDICT_UNFINISHED;
    }
  if (g_str_equal (report, "ok"))
    return VERDICT_WHOLE;

  g_message ("%s", report);

  return is_about_reading (report) ? VERDICT_UNFINISHED : VERDICT_DAMAGED;
}

static Verdict
check_table (BeckonFileCheck *self, sqlite3 *handle, const char *name)
{
  char *sql = sqlite3_mprintf ("PRAGMA quick_check (%Q)", name);
  sqlite3_stmt *statement = NULL;
  Verdict verdict;
  int code;

  code = sqlite3_prepare_v2 (handle, sql, -1, &statement, NULL);
  sqlite3_free (sql);
  if (code != SQLITE_OK)
    return (code & 0xff) == SQLITE_CORRUPT ? VERDICT_DAMAGED : VERDICT_UNFINISHED;

  verdict = judge_step (handle, statement);
  sqlite3_finalize (statement);

  /* An interrupted check's report on the unseen rest means nothing. */
  return on_progress (self) ? VERDICT_UNFINISHED : verdict;
}

static Verdict
check_tables (BeckonFileCheck *self, BeckonDatabase *database)
{
  sqlite3 *handle = beckon_database_get_handle (database);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  sqlite3_stmt *statement = beckon_database_query (database, NULL, tables_sql, "");
  Verdict verdict = VERDICT_WHOLE;
  BeckonStep step = BECKON_STEP_ERROR;

  while (statement != NULL && (step = beckon_database_step (database, statement, NULL)) == BECKON_STEP_ROW)
    g_ptr_array_add (names, g_strdup (beckon_column_text (statement, 0)));
  if (step != BECKON_STEP_DONE)
    return beckon_database_take_fault (database) == BECKON_FAULT_DAMAGED ? VERDICT_DAMAGED : VERDICT_UNFINISHED;

  for (guint i = 0; i < names->len && verdict == VERDICT_WHOLE; i++)
    verdict = check_table (self, handle, g_ptr_array_index (names, i));

  return verdict;
}

static void
set_reading (BeckonFileCheck *self, sqlite3 *reading)
{
  g_mutex_lock (&self->lock);
  self->reading = reading;
  g_mutex_unlock (&self->lock);
}

/* @database: (transfer full) (nullable) */
static Verdict
check_database (BeckonFileCheck *self, BeckonDatabase *database)
{
  g_autoptr (BeckonDatabase) checked = database;
  Verdict verdict;
  sqlite3 *handle;

  if (database == NULL || !beckon_database_script (database, "PRAGMA query_only = 1", NULL))
    return VERDICT_UNFINISHED;

  handle = beckon_database_get_handle (database);
  sqlite3_busy_handler (handle, NULL, NULL);
  self->deadline = g_get_monotonic_time () + PATIENCE_US;
  sqlite3_progress_handler (handle, OPCODES_BETWEEN_LOOKS, on_progress, self);
  set_reading (self, handle);
  verdict = check_tables (self, database);
  set_reading (self, NULL);

  return verdict;
}

gboolean
beckon_file_check_is_whole (const char *path)
{
  BeckonFileCheck check = { 0 };
  Verdict verdict;

  g_mutex_init (&check.lock);
  verdict = check_database (&check, beckon_history_copies_open (path, NULL));
  g_mutex_clear (&check.lock);

  return verdict == VERDICT_WHOLE;
}

/* %FALSE if the file is damaged. */
static gboolean
file_check_look (BeckonFileCheck *self)
{
  const Verdict verdict = check_database (self, beckon_database_open (self->path, NULL));

  if (verdict == VERDICT_WHOLE)
    g_unlink (self->marker);
  else if (verdict == VERDICT_DAMAGED)
    self->func (self->data);

  return verdict != VERDICT_DAMAGED;
}

static gboolean
is_copy_whole (gpointer data, const char *path)
{
  return check_database (data, beckon_history_copies_open (path, NULL)) == VERDICT_WHOLE;
}

/* @words: (transfer full) (nullable) */
static void
set_problem (char *words)
{
  g_mutex_lock (&problem_lock);
  g_free (problem);
  problem = words;
  g_mutex_unlock (&problem_lock);
}

/* %FALSE if the file is damaged. */
static gboolean
file_check_copy (BeckonFileCheck *self)
{
  g_autoptr (GError) error = NULL;

  /* A repair may have left little. Until its person knows, that takes no copy's place. */
  if (beckon_salvage_has_report (self->directory))
    {
      set_problem (g_strdup (_("No copy is made until you dismiss the notice about the repair in the main window.")));
      return TRUE;
    }

  self->deadline = g_get_monotonic_time () + PATIENCE_US;
  if (beckon_history_copies_make (self->directory, self->path, beckon_clock_get_real_time (self->clock), on_progress,
                                  is_copy_whole, self, &error))
    {
      set_problem (NULL);
      return TRUE;
    }
  if (is_stopping (self))
    return TRUE;

  g_debug ("no copy was made: %s", error != NULL ? error->message : "it was not whole");
  set_problem (g_strdup (error != NULL ? error->message : _("The copy could not be read back.")));
  if (error != NULL)
    return TRUE;

  /* The copy's own file may be what is damaged. */
  beckon_file_check_request (self->directory);
  return file_check_look (self);
}

static gboolean
wait_for_next (BeckonFileCheck *self)
{
  gboolean stopping;

  g_mutex_lock (&self->lock);
  while (!self->is_stopping && g_get_monotonic_time () < self->next)
    g_cond_wait_until (&self->changed, &self->lock, self->next);
  self->next = g_get_monotonic_time () + AGAIN_US;
  stopping = self->is_stopping;
  g_mutex_unlock (&self->lock);

  return !stopping;
}

static gpointer
file_check_run (gpointer data)
{
  BeckonFileCheck *self = data;
  gboolean is_right = TRUE;

  /* With no number it is about this thread alone; reading from the disk follows it. */
  if (setpriority (PRIO_PROCESS, 0, LEAST_PRIORITY) != 0)
    g_debug ("%s", g_strerror (errno));
  if (wait_for_next (self) && beckon_file_check_is_due (self->directory))
    is_right = file_check_look (self);
  /* Damage may be found by others, too. */
  while (is_right && !is_stopping (self) && !beckon_salvage_is_due (self->directory))
    {
      if (beckon_history_copies_is_due (self->directory, beckon_clock_get_real_time (self->clock)))
        is_right = file_check_copy (self);
      if (is_right)
        wait_for_next (self);
    }

  g_mutex_lock (&self->lock);
  self->is_over = TRUE;
  g_cond_signal (&self->changed);
  g_mutex_unlock (&self->lock);

  return NULL;
}

BeckonFileCheck *
beckon_file_check_start (const char *directory, const char *path, BeckonClock *clock, void (*func) (gpointer), gpointer data)
{
  BeckonFileCheck *self;

  g_return_val_if_fail (directory != NULL && path != NULL && func != NULL, NULL);

  self = g_new0 (BeckonFileCheck, 1);
  self->directory = g_strdup (directory);
  self->marker = build_marker (directory);
  self->path = g_strdup (path);
  self->clock = g_object_ref (clock);
  self->func = func;
  self->data = data;
  self->next = g_get_monotonic_time () + delay_us;
  g_mutex_init (&self->lock);
  g_cond_init (&self->changed);
  self->thread = g_thread_new ("beckon-check", file_check_run, self);

  return self;
}

void
beckon_file_check_renew_copy (BeckonFileCheck *self)
{
  g_mutex_lock (&self->lock);
  self->next = g_get_monotonic_time () + RENEWAL_DELAYS * delay_us;
  g_cond_signal (&self->changed);
  g_mutex_unlock (&self->lock);
}

char *
beckon_file_check_dup_problem (void)
{
  char *words;

  g_mutex_lock (&problem_lock);
  words = g_strdup (problem);
  g_mutex_unlock (&problem_lock);

  return words;
}

void
beckon_file_check_stop (BeckonFileCheck *self)
{
  /* An interruption that comes between two statements is forgotten by the next. */
  g_mutex_lock (&self->lock);
  self->is_stopping = TRUE;
  g_cond_signal (&self->changed);
  while (!self->is_over)
    {
      if (self->reading != NULL)
        sqlite3_interrupt (self->reading);
      g_cond_wait_until (&self->changed, &self->lock, g_get_monotonic_time () + INTERRUPT_AGAIN_US);
    }
  g_mutex_unlock (&self->lock);

  g_thread_join (self->thread);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->changed);
  g_object_unref (self->clock);
  g_free (self->directory);
  g_free (self->marker);
  g_free (self->path);
  g_free (self);
}
