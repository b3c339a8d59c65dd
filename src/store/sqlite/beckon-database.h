/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "store/sqlite/beckon-durability.h"
#include "store/sqlite/beckon-fault.h"
#include "store/sqlite/beckon-value.h"

#include <sqlite3.h>
#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * BeckonDatabase:
 *
 * One connection to SQLite with its prepared statements. Belongs to one thread. SQL is given as string literals: a statement
 * is prepared when it is first needed and found again by the literal's address.
 */
typedef struct _BeckonDatabase BeckonDatabase;

/**
 * BeckonStep:
 * @BECKON_STEP_ROW: there is a row to read
 * @BECKON_STEP_DONE: there are no more; the statement was reset
 * @BECKON_STEP_ERROR: it failed; the statement was reset
 */
typedef enum
{
  BECKON_STEP_ROW,
  BECKON_STEP_DONE,
  BECKON_STEP_ERROR,
} BeckonStep;

/** Opens the file, which must exist (it may be empty); nothing is read yet. @path: or a `file:` URI. Caller owns. */
BeckonDatabase *beckon_database_open (const char *path, GError **error) G_GNUC_WARN_UNUSED_RESULT;
void            beckon_database_close (BeckonDatabase *database);

/** The connection, for what has no function here. Borrowed. */
sqlite3 *beckon_database_get_handle (BeckonDatabase *database);

/**
 * beckon_database_query:
 * @database: a database
 * @error: return location
 * @sql: one statement; a string literal
 * @types: one letter per parameter: 's' (const char *, %NULL is NULL), 'i' (gint64), 'd' (double), 'b' (const void *, gsize)
 * @...: the parameters; text and bytes must stay until the statement is reset
 *
 * Returns: (nullable): the statement, ready for beckon_database_step(). Borrowed.
 */
sqlite3_stmt *beckon_database_query (BeckonDatabase *database, GError **error, const char *sql, const char *types, ...);

/** The same with parameters that are values already; see BECKON_VALUES(). */
sqlite3_stmt *beckon_database_query_values (BeckonDatabase *database, GError **error, const char *sql,
                                            const BeckonValue *values);

/** Prepares a statement ahead of its first use. */
void beckon_database_warm (BeckonDatabase *database, const char *sql);

BeckonStep beckon_database_step (BeckonDatabase *database, sqlite3_stmt *statement, GError **error);

/** Calls @take with @data for each row. @statement: (nullable): one that could not be prepared, which is a failure. */
gboolean beckon_database_each (BeckonDatabase *database, sqlite3_stmt *statement,
                               void (*take) (gpointer data, sqlite3_stmt *row), gpointer data, GError **error);

/** Runs a statement that gives no rows. */
gboolean beckon_database_run (BeckonDatabase *database, GError **error, const char *sql, const char *types, ...);

/** As beckon_database_run(), with how many rows it changed; -1 for an error. */
int beckon_database_change (BeckonDatabase *database, GError **error, const char *sql, const char *types, ...);

/** The same with parameters that are values already. */
int beckon_database_change_values (BeckonDatabase *database, GError **error, const char *sql, const BeckonValue *values);

/** Runs several statements, as a migration needs. */
gboolean beckon_database_script (BeckonDatabase *database, const char *sql, GError **error);

/** The first column of the first row as a number. */
gboolean beckon_database_get_number (BeckonDatabase *database, const char *sql, gint64 *number, GError **error);

/** Sets a number that SQLite keeps in the file's head, such as `user_version`. */
gboolean beckon_database_set_number (BeckonDatabase *database, const char *name, gint64 number, GError **error);

/** Begins a transaction that will write; the lock is taken here, so that nothing after it can meet a busy store. */
gboolean beckon_database_begin (BeckonDatabase *database, BeckonDurability durability, GError **error);

/**
 * beckon_database_begin_unless:
 * @database: a connection without a transaction
 * @durability: of the transaction
 * @is_over: looks, without writing, whether there is nothing left to write; it sets the error then
 * @data: for @is_over
 * @error: (nullable): what @is_over said, or what else was wrong
 *
 * The same, but while another connection writes it is looked again and again whether it did what was to be done here: then
 * there is no waiting for what that connection, or a third one, writes next.
 *
 * Returns: %TRUE if a transaction was begun
 */
gboolean beckon_database_begin_unless (BeckonDatabase *database, BeckonDurability durability,
                                       gboolean (*is_over) (gpointer data, GError **error), gpointer data, GError **error);

/** Prepares, while idle, what the next transaction that a caller waits for would spend time on. */
void beckon_database_rest (BeckonDatabase *database);

/** Begins a transaction that only reads: several statements see one state. */
gboolean beckon_database_begin_read (BeckonDatabase *database, GError **error);

/** Commits; takes everything back when that fails. */
gboolean beckon_database_commit (BeckonDatabase *database, GError **error);
void     beckon_database_rollback (BeckonDatabase *database);

/** Pages in the write-ahead log after this connection's last commit that were not moved to the file yet. */
int beckon_database_get_log_pages (BeckonDatabase *database);

/** Makes the log long enough for the commits with waiting callers. Does nothing if it is, or if it cannot. */
void beckon_database_make_room (BeckonDatabase *database);

/** Moves what can be moved without waiting for a reader. */
void beckon_database_checkpoint (BeckonDatabase *database);

/** Returns the fault of the last failure, and forgets it. */
BeckonFault beckon_database_take_fault (BeckonDatabase *database);

/** Whether the full-text index was found damaged since the last time, which can be made anew from what it is of; and forgets
 *  it. */
gboolean beckon_database_take_bad_index (BeckonDatabase *database);

/** Moves all of it and cuts the log off, so that nothing older is in it; %FALSE while somebody else reads or writes it. */
gboolean beckon_database_empty_log (BeckonDatabase *database) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_database_copy_to:
 * @database: outside of a transaction
 * @path: where the copy goes, with mode 0600; it has that name once it is whole and on the disk, and ".part" behind it before
 * @is_over: (nullable): asked often whether to give up
 * @data: for @is_over
 * @error: return location
 *
 * Copies one state of the database, while other connections write.
 */
gboolean beckon_database_copy_to (BeckonDatabase *database, const char *path, gboolean (*is_over) (gpointer data),
                                  gpointer data, GError **error);

/** Sets @error from the connection's last error, in words for a person. */
void beckon_database_set_error (BeckonDatabase *database, GError **error);

/** A column's text; %NULL when it is NULL. Borrowed until the next step. */
const char *beckon_column_text (sqlite3_stmt *statement, int column);

/** For tests: how long another program's lock is waited for, in microseconds. */
void beckon_database_set_patience (gint64 patience);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonDatabase, beckon_database_close)

/**
 * beckon_reader_open:
 * @path: the database of a store that is open in this process
 * @cancellable: (nullable): interrupts what is read; has to outlive the reader
 * @error: return location
 *
 * A connection for a thread of its own that sees one state of the store and cannot write. Readers of a write-ahead log
 * disturb no writer.
 *
 * Returns: (transfer full) (nullable): to be given to beckon_reader_close()
 */
BeckonDatabase *beckon_reader_open (const char *path, GCancellable *cancellable, GError **error) G_GNUC_WARN_UNUSED_RESULT;
void            beckon_reader_close (BeckonDatabase *reader);

G_END_DECLS
