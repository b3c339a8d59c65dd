/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A connection and the rules of its use:
 *
 * Opening costs little: what has a C call is not set with SQL, the journal mode is a property of the file, and a statement is
 * prepared when it is first needed.
 *
 * A writing transaction begins IMMEDIATE. A transaction that reads first and writes later cannot wait for another writer
 * (its snapshot would be old), so it would fail for reasons its caller cannot mend.
 *
 * `synchronous` can only change outside of a transaction; it is remembered here so that it is set when it differs and not
 * otherwise.
 */

#include "base/beckon-error.h"
#include "beckon-config.h"
#include "beckon-database-private.h"

#include <string.h>

#define BUSY_PATIENCE_US (10 * G_TIME_SPAN_SECOND)
#define PATIENCE_ONCE_LOST_US (200 * G_TIME_SPAN_MILLISECOND)
#define FIRST_PAUSE_US 100
#define LONGEST_PAUSE_US 2000

static const char begin_sql[] = "BEGIN IMMEDIATE";

static gint64 patience_us = BUSY_PATIENCE_US;

void
beckon_database_set_patience (gint64 patience)
{
  patience_us = patience;
}

static int
on_logged (void *user_data, sqlite3 *handle, const char *name, int pages)
{
  ((BeckonDatabase *) user_data)->log_pages = pages;

  return SQLITE_OK;
}

/* A lock is held for less than a millisecond. The library's own handler sleeps in whole ones and soon in tens of them, in which
 * others come and go. Whoever was waited for in vain is not waited for as long again: what only reads stands behind it. */
static int
wait_for_lock (void *user_data, int n_waits)
{
  BeckonDatabase *self = user_data;
  gint64 now = g_get_monotonic_time ();
  gulong pause = MIN ((gulong) FIRST_PAUSE_US * (gulong) (1 + n_waits / 4), LONGEST_PAUSE_US);

  if (self->never_waits)
    return FALSE;
  if (n_waits == 0)
    self->busy_since = now;
  if (now - self->busy_since > (self->is_impatient ? PATIENCE_ONCE_LOST_US : patience_us))
    {
      self->is_impatient = TRUE;
      return FALSE;
    }

  g_usleep (pause);

  return TRUE;
}

static void
finalize_statement (gpointer statement)
{
  sqlite3_finalize (statement);
}

BeckonDatabase *
beckon_database_open (const char *path, GError **error)
{
  g_autoptr (BeckonDatabase) self = g_new0 (BeckonDatabase, 1);
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI;
  static gsize configured = 0;

  /* Many a statement keeps what would undo it alone. By default SQLite takes 64 KB for that each time, which the allocator gets
   * from the system and gives back again; in memory only, it takes what it needs. Our transactions are small. */
  if (g_once_init_enter (&configured))
    {
      sqlite3_config (SQLITE_CONFIG_STMTJRNL_SPILL, -1);
      g_once_init_leave (&configured, 1);
    }
  self->statements = g_hash_table_new_full (NULL, NULL, NULL, finalize_statement);

  if (sqlite3_open_v2 (path, &self->handle, flags, NULL) != SQLITE_OK)
    {
      beckon_database_set_error (self, error);
      return NULL;
    }

  sqlite3_extended_result_codes (self->handle, 1);
  sqlite3_busy_handler (self->handle, wait_for_lock, self);
  sqlite3_db_config (self->handle, SQLITE_DBCONFIG_ENABLE_FKEY, 1, NULL);
  sqlite3_db_config (self->handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
  sqlite3_db_config (self->handle, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
  sqlite3_db_config (self->handle, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
  sqlite3_db_config (self->handle, SQLITE_DBCONFIG_DQS_DDL, 0, NULL);
  sqlite3_wal_hook (self->handle, on_logged, self);
  /* Deleted data is overwritten, in whatever page. */
  sqlite3_exec (self->handle, "PRAGMA secure_delete = ON", NULL, NULL, NULL);

  return g_steal_pointer (&self);
}

void
beckon_database_close (BeckonDatabase *self)
{
  g_hash_table_unref (self->statements);
  if (sqlite3_close (self->handle) != SQLITE_OK)
    g_critical ("a statement was left open");
  g_free (self);
}

sqlite3 *
beckon_database_get_handle (BeckonDatabase *self)
{
  return self->handle;
}

static int
error_code_for (int code)
{
  switch (code)
    {
    case SQLITE_CONSTRAINT_UNIQUE:
    case SQLITE_CONSTRAINT_PRIMARYKEY:
    case SQLITE_CONSTRAINT_ROWID:
      return BECKON_ERROR_CONFLICT;

    case SQLITE_CONSTRAINT_FOREIGNKEY:
      return BECKON_ERROR_NOT_FOUND;

    case SQLITE_TOOBIG:
      return BECKON_ERROR_TOO_LARGE;

    default:
      return BECKON_ERROR_STORE;
    }
}

static int
get_last_errno (sqlite3_file *file)
{
  int last = 0;

  if (file != NULL && file->pMethods != NULL)
    file->pMethods->xFileControl (file, SQLITE_FCNTL_LAST_ERRNO, &last);

  return last;
}

/* By the time that a statement has failed, other calls may have put another number in the place of the one that counts. */
static int
find_errno (BeckonDatabase *self)
{
  sqlite3_file *file = NULL;
  int last = 0;

  /* There was no memory for it; there is no file either. */
  if (self->handle == NULL)
    return 0;
  if (sqlite3_file_control (self->handle, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file) == SQLITE_OK)
    last = get_last_errno (file);
  if (last == 0 && sqlite3_file_control (self->handle, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK)
    last = get_last_errno (file);

  return last != 0 ? last : sqlite3_system_errno (self->handle);
}

/* The library's own words follow in brackets: they are what a bug report needs. */
void
beckon_database_set_error (BeckonDatabase *self, GError **error)
{
  int code = sqlite3_extended_errcode (self->handle);
  BeckonFault fault = beckon_fault_from_code (code, find_errno (self));
  g_autofree char *message = beckon_fault_describe (fault, sqlite3_errmsg (self->handle));

  if (fault != BECKON_FAULT_NONE)
    self->fault = fault;
  /* With numbers that can't be the index asks for any amount of memory. */
  self->has_bad_index = self->has_bad_index || code == SQLITE_CORRUPT_VTAB || code == SQLITE_NOMEM;

  g_set_error_literal (error, BECKON_ERROR, error_code_for (code), message);
}

static sqlite3_stmt *
database_prepare (BeckonDatabase *self, const char *sql, GError **error)
{
  sqlite3_stmt *statement = g_hash_table_lookup (self->statements, sql);

  if (statement != NULL)
    return statement;

  if (sqlite3_prepare_v3 (self->handle, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL) != SQLITE_OK)
    {
      beckon_database_set_error (self, error);
      return NULL;
    }

  g_hash_table_insert (self->statements, (gpointer) sql, statement);

  return statement;
}

void
beckon_database_warm (BeckonDatabase *self, const char *sql)
{
  g_autoptr (GError) error = NULL;

  if (database_prepare (self, sql, &error) == NULL)
    g_debug ("%s", error->message);
}

/* Blobs of no length are bound as empty, not as NULL, which a NULL pointer would mean to the library. */
static int
bind_value (sqlite3_stmt *statement, int index, const BeckonValue *value)
{
  switch (value->kind)
    {
    case BECKON_VALUE_NULL:
      return sqlite3_bind_null (statement, index);
    case BECKON_VALUE_NUMBER:
      return sqlite3_bind_int64 (statement, index, value->number);
    case BECKON_VALUE_REAL:
      return sqlite3_bind_double (statement, index, value->real);
    case BECKON_VALUE_TEXT:
      return sqlite3_bind_text (statement, index, value->text, -1, SQLITE_STATIC);
    case BECKON_VALUE_BYTES:
      return sqlite3_bind_blob64 (statement, index, value->length > 0 ? value->bytes : "", value->length, SQLITE_STATIC);
    case BECKON_VALUE_END:
    case BECKON_VALUE_LEASE:
    case BECKON_VALUE_OWNED:
    default:
      g_assert_not_reached ();
    }
}

static BeckonValue
take_argument (char type, va_list *arguments)
{
  const void *bytes;

  switch (type)
    {
    case 's':
      return beckon_value_text (va_arg (*arguments, const char *));
    case 'i':
      return beckon_value_number (va_arg (*arguments, gint64));
    case 'd':
      return beckon_value_real (va_arg (*arguments, double));
    case 'b':
      bytes = va_arg (*arguments, const void *);
      return beckon_value_bytes (bytes, va_arg (*arguments, gsize));
    default:
      g_assert_not_reached ();
    }
}

sqlite3_stmt *
beckon_database_query_values (BeckonDatabase *self, GError **error, const char *sql, const BeckonValue *values)
{
  int code = SQLITE_OK;
  sqlite3_stmt *statement = database_prepare (self, sql, error);

  if (statement == NULL)
    return NULL;

  g_assert (!sqlite3_stmt_busy (statement));
  for (int i = 0; values[i].kind != BECKON_VALUE_END && code == SQLITE_OK; i++)
    code = bind_value (statement, i + 1, &values[i]);
  if (code != SQLITE_OK)
    beckon_database_set_error (self, error);

  return code == SQLITE_OK ? statement : NULL;
}

static sqlite3_stmt *
query (BeckonDatabase *self, GError **error, const char *sql, const char *types, va_list *arguments)
{
  BeckonValue values[BECKON_VALUES_MAX + 1] = { { .kind = BECKON_VALUE_END } };

  g_assert (strlen (types) <= BECKON_VALUES_MAX);
  for (gsize i = 0; types[i] != '\0'; i++)
    values[i] = take_argument (types[i], arguments);

  return beckon_database_query_values (self, error, sql, values);
}

sqlite3_stmt *
beckon_database_query (BeckonDatabase *self, GError **error, const char *sql, const char *types, ...)
{
  sqlite3_stmt *statement;
  va_list arguments;

  va_start (arguments, types);
  statement = query (self, error, sql, types, &arguments);
  va_end (arguments);

  return statement;
}

BeckonStep
beckon_database_step (BeckonDatabase *self, sqlite3_stmt *statement, GError **error)
{
  int code = sqlite3_step (statement);

  if (code == SQLITE_ROW)
    return BECKON_STEP_ROW;

  if (code != SQLITE_DONE)
    beckon_database_set_error (self, error);
  sqlite3_reset (statement);

  return code == SQLITE_DONE ? BECKON_STEP_DONE : BECKON_STEP_ERROR;
}

gboolean
beckon_database_each (BeckonDatabase *self, sqlite3_stmt *statement, void (*take) (gpointer, sqlite3_stmt *), gpointer data,
                      GError **error)
{
  BeckonStep step = BECKON_STEP_ERROR;

  while (statement != NULL && (step = beckon_database_step (self, statement, error)) == BECKON_STEP_ROW)
    take (data, statement);

  return step == BECKON_STEP_DONE;
}

static int
database_change (BeckonDatabase *self, GError **error, sqlite3_stmt *statement)
{
  if (statement == NULL)
    return -1;

  switch (beckon_database_step (self, statement, error))
    {
    case BECKON_STEP_DONE:
      return sqlite3_changes (self->handle);

    case BECKON_STEP_ERROR:
      return -1;

    case BECKON_STEP_ROW:
    default:
      g_assert_not_reached ();
    }
}

int
beckon_database_change_values (BeckonDatabase *self, GError **error, const char *sql, const BeckonValue *values)
{
  return database_change (self, error, beckon_database_query_values (self, error, sql, values));
}

gboolean
beckon_database_run (BeckonDatabase *self, GError **error, const char *sql, const char *types, ...)
{
  va_list arguments;
  int changed;

  va_start (arguments, types);
  changed = database_change (self, error, query (self, error, sql, types, &arguments));
  va_end (arguments);

  return changed >= 0;
}

int
beckon_database_change (BeckonDatabase *self, GError **error, const char *sql, const char *types, ...)
{
  va_list arguments;
  int changed;

  va_start (arguments, types);
  changed = database_change (self, error, query (self, error, sql, types, &arguments));
  va_end (arguments);

  return changed;
}

gboolean
beckon_database_script (BeckonDatabase *self, const char *sql, GError **error)
{
  if (sqlite3_exec (self->handle, sql, NULL, NULL, NULL) == SQLITE_OK)
    return TRUE;

  beckon_database_set_error (self, error);

  return FALSE;
}

gboolean
beckon_database_get_number (BeckonDatabase *self, const char *sql, gint64 *number, GError **error)
{
  sqlite3_stmt *statement = beckon_database_query (self, error, sql, "");

  if (statement == NULL || beckon_database_step (self, statement, error) != BECKON_STEP_ROW)
    return FALSE;

  *number = sqlite3_column_int64 (statement, 0);
  sqlite3_reset (statement);

  return TRUE;
}

gboolean
beckon_database_set_number (BeckonDatabase *self, const char *name, gint64 number, GError **error)
{
  g_autofree char *sql = g_strdup_printf ("PRAGMA %s = %" G_GINT64_FORMAT, name, number);

  return beckon_database_script (self, sql, error);
}

static gboolean
set_durability (BeckonDatabase *self, BeckonDurability durability, GError **error)
{
  if (self->has_durability && self->durability == durability)
    return TRUE;

  if (!beckon_database_script (self, durability == BECKON_DURABILITY_FULL ? "PRAGMA synchronous=FULL"
                               : "PRAGMA synchronous=NORMAL",
                               error))
    return FALSE;

  self->has_durability = TRUE;
  self->durability = durability;

  return TRUE;
}

/* Writes that a person waits for have full durability, and setting it costs a statement. */
void
beckon_database_rest (BeckonDatabase *self)
{
  g_autoptr (GError) error = NULL;

  if (!set_durability (self, BECKON_DURABILITY_FULL, &error))
    g_debug ("%s", error->message);
}

gboolean
beckon_database_begin (BeckonDatabase *self, BeckonDurability durability, GError **error)
{
  return set_durability (self, durability, error) && beckon_database_run (self, error, begin_sql, "");
}

/* TRUE with a transaction begun, or with no lock to wait for: there is an error then. */
static gboolean
try_begin (BeckonDatabase *self, sqlite3_stmt *statement, gboolean *begun)
{
  int code;

  self->never_waits = TRUE;
  code = sqlite3_step (statement);
  self->never_waits = FALSE;
  *begun = code == SQLITE_DONE;
  sqlite3_reset (statement);

  return (code & 0xff) != SQLITE_BUSY;
}

gboolean
beckon_database_begin_unless (BeckonDatabase *self, BeckonDurability durability,
                              gboolean (*is_over) (gpointer data, GError **error), gpointer data, GError **error)
{
  sqlite3_stmt *statement;
  gboolean begun = FALSE;

  g_return_val_if_fail (self != NULL && is_over != NULL, FALSE);

  statement = set_durability (self, durability, error) ? database_prepare (self, begin_sql, error) : NULL;
  if (statement == NULL)
    return FALSE;

  for (int n_waits = 0; !is_over (data, error); n_waits++)
    if (try_begin (self, statement, &begun) || !wait_for_lock (self, n_waits))
      {
        if (!begun)
          beckon_database_set_error (self, error);
        return begun;
      }

  return FALSE;
}

gboolean
beckon_database_begin_read (BeckonDatabase *self, GError **error)
{
  return beckon_database_run (self, error, "BEGIN", "");
}

gboolean
beckon_database_commit (BeckonDatabase *self, GError **error)
{
  if (beckon_database_run (self, error, "COMMIT", ""))
    {
      self->is_impatient = FALSE;
      return TRUE;
    }

  beckon_database_rollback (self);

  return FALSE;
}

/* Some errors, such as a full disk, have rolled back already. */
void
beckon_database_rollback (BeckonDatabase *self)
{
  g_autoptr (GError) error = NULL;

  if (!sqlite3_get_autocommit (self->handle) && !beckon_database_run (self, &error, "ROLLBACK", ""))
    g_warning ("%s", error->message);
}

BeckonFault
beckon_database_take_fault (BeckonDatabase *self)
{
  BeckonFault fault = self->fault;

  self->fault = BECKON_FAULT_NONE;

  return fault;
}

gboolean
beckon_database_take_bad_index (BeckonDatabase *self)
{
  gboolean has_bad_index = self->has_bad_index;

  self->has_bad_index = FALSE;

  return has_bad_index;
}

const char *
beckon_column_text (sqlite3_stmt *statement, int column)
{
  return (const char *) sqlite3_column_text (statement, column);
}

#define OPCODES_BETWEEN_LOOKS 1000

static int
is_cancelled (void *user_data)
{
  return g_cancellable_is_cancelled (user_data);
}

BeckonDatabase *
beckon_reader_open (const char *path, GCancellable *cancellable, GError **error)
{
  g_autoptr (BeckonDatabase) reader = beckon_database_open (path, error);

  if (reader == NULL || !beckon_database_script (reader, "PRAGMA query_only = 1", error)
      || !beckon_database_begin_read (reader, error))
    return NULL;

  if (cancellable != NULL)
    sqlite3_progress_handler (beckon_database_get_handle (reader), OPCODES_BETWEEN_LOOKS, is_cancelled, cancellable);

  return g_steal_pointer (&reader);
}

void
beckon_reader_close (BeckonDatabase *reader)
{
  sqlite3_progress_handler (beckon_database_get_handle (reader), 0, NULL, NULL);
  beckon_database_rollback (reader);
  beckon_database_close (reader);
}

/* Room in the log: about forty answers, and what one takes at most. */
#define LOG_HEADER_BYTES 32
#define LOG_PAGE_BYTES (24 + 4096)
#define LOG_ROOM (1024 * 1024)
#define LOG_ROOM_MOST (16 * LOG_ROOM)
#define LOG_ROOM_LEAST (128 * 1024)

int
beckon_database_get_log_pages (BeckonDatabase *self)
{
  return self->log_pages;
}

/* With the write lock held, so that no process writes to the log or begins it anew meanwhile, and only behind its end, so that
 * nothing in it changes. A frame of zeros names page 0, which no frame may: whoever reads the log, after a crash or a power cut
 * too, stops there as at its end. Of the zeros the disk may have kept any part. */
static void
lengthen (sqlite3_file *log, sqlite3_int64 from, sqlite3_int64 to)
{
  static const char nothing[16 * 1024];

  for (sqlite3_int64 at = from; at < to; at += (sqlite3_int64) sizeof nothing)
    if (log->pMethods->xWrite (log, nothing, (int) MIN ((sqlite3_int64) sizeof nothing, to - at), at) != SQLITE_OK)
      return;
  log->pMethods->xSync (log, SQLITE_SYNC_NORMAL);
}

void
beckon_database_make_room (BeckonDatabase *self)
{
  sqlite3_int64 used = LOG_HEADER_BYTES + (sqlite3_int64) self->log_pages * LOG_PAGE_BYTES;
  sqlite3_int64 size = 0;
  sqlite3_file *log = NULL;
  gboolean has_begun;

  if (sqlite3_file_control (self->handle, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log) != SQLITE_OK || log == NULL
      || log->pMethods == NULL || log->pMethods->xFileSize (log, &size) != SQLITE_OK || size - used >= LOG_ROOM_LEAST)
    return;

  /* An answer may come while another program writes: it must not wait behind this. */
  self->never_waits = TRUE;
  has_begun = beckon_database_begin (self, BECKON_DURABILITY_FULL, NULL);
  self->never_waits = FALSE;
  if (!has_begun)
    return;

  /* A log that has grown long is likely to grow on: the longer it is, the more it gets, so that this is done a few times. */
  if (log->pMethods->xFileSize (log, &size) == SQLITE_OK)
    lengthen (log, size, used + CLAMP (used, LOG_ROOM, LOG_ROOM_MOST));
  beckon_database_rollback (self);
}

void
beckon_database_checkpoint (BeckonDatabase *self)
{
  /* A reader in another process can hold pages back; they are moved another time, when there is more to move. */
  sqlite3_wal_checkpoint_v2 (self->handle, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
  self->log_pages = 0;
}

gboolean
beckon_database_empty_log (BeckonDatabase *self)
{
  int code;

  self->never_waits = TRUE;
  code = sqlite3_wal_checkpoint_v2 (self->handle, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
  self->never_waits = FALSE;
  self->log_pages = 0;

  return code == SQLITE_OK;
}
