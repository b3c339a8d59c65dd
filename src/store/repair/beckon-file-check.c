/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Table by table: a check of the whole would hold back the log as long as it takes, and so let it grow. */

#include "beckon-config.h"

#include "beckon-file-check.h"

#include "store/sqlite/beckon-database.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define DEFAULT_DELAY_US (8 * G_TIME_SPAN_SECOND)
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
  char *marker; /* (owned) */
  char *path;   /* (owned) */
  void (*func) (gpointer);
  gpointer data;
  GThread *thread; /* (owned) */
  gint64 deadline; /* the thread's */

  GMutex lock; /* for what follows */
  GCond changed;
  sqlite3 *reading; /* (nullable): what can be interrupted */
  gboolean is_stopping;
  gboolean is_over;
};

static const char tables_sql[] = "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 ORDER BY rootpage";

static gint64 delay_us = DEFAULT_DELAY_US;

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

static Verdict
check_file (BeckonFileCheck *self)
{
  g_autoptr (BeckonDatabase) database = beckon_database_open (self->path, NULL);
  Verdict verdict = VERDICT_UNFINISHED;
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

static gboolean
wait_for_start (BeckonFileCheck *self)
{
  gint64 until = g_get_monotonic_time () + delay_us;
  gboolean stopping;

  g_mutex_lock (&self->lock);
  while (!self->is_stopping && g_cond_wait_until (&self->changed, &self->lock, until))
    ;
  stopping = self->is_stopping;
  g_mutex_unlock (&self->lock);

  return !stopping;
}

static gpointer
file_check_run (gpointer data)
{
  BeckonFileCheck *self = data;
  Verdict verdict = VERDICT_UNFINISHED;

  /* With no number it is about this thread alone; reading from the disk follows it. */
  if (setpriority (PRIO_PROCESS, 0, LEAST_PRIORITY) != 0)
    g_debug ("%s", g_strerror (errno));
  if (wait_for_start (self))
    verdict = check_file (self);
  if (verdict == VERDICT_WHOLE)
    g_unlink (self->marker);
  else if (verdict == VERDICT_DAMAGED)
    self->func (self->data);

  g_mutex_lock (&self->lock);
  self->is_over = TRUE;
  g_cond_signal (&self->changed);
  g_mutex_unlock (&self->lock);

  return NULL;
}

BeckonFileCheck *
beckon_file_check_start (const char *directory, const char *path, void (*func) (gpointer), gpointer data)
{
  BeckonFileCheck *self;

  g_return_val_if_fail (directory != NULL && path != NULL && func != NULL, NULL);

  self = g_new0 (BeckonFileCheck, 1);
  self->marker = build_marker (directory);
  self->path = g_strdup (path);
  self->func = func;
  self->data = data;
  g_mutex_init (&self->lock);
  g_cond_init (&self->changed);
  self->thread = g_thread_new ("beckon-check", file_check_run, self);

  return self;
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
  g_free (self->marker);
  g_free (self->path);
  g_free (self);
}
