/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/beckon-finish.h"
#include "beckon-session.h"
#include "beckon-store-follow.h"
#include "beckon-store.h"
#include "domain/beckon-file-copies.h"
#include "domain/beckon-landing.h"
#include "domain/beckon-memory.h"

G_BEGIN_DECLS

/** Works on the store's thread; %NULL with @error set for a failure. */
typedef gpointer (*BeckonStoreFunc) (BeckonSession *session, gpointer data, GError **error);

/** Works on the main thread with what a #BeckonStoreFunc returned, before the caller gets it. */
typedef void (*BeckonStoreDoneFunc) (BeckonStore *store, gpointer result);

/**
 * BeckonStoreUse:
 * @BECKON_STORE_READS: it writes nothing that would be missed
 * @BECKON_STORE_WRITES: what it writes must not take effect later than now
 * @BECKON_STORE_KEEPS: what it writes has happened already, so that it is kept until it can be written
 */
typedef enum
{
  BECKON_STORE_READS,
  BECKON_STORE_WRITES,
  BECKON_STORE_KEEPS,
} BeckonStoreUse;

/**
 * BeckonStoreOp:
 * @use: what it does to the files
 * @func: the work
 * @data: (owned) (nullable): for @func
 * @free_data: (nullable): for @data
 * @done: (nullable): see #BeckonStoreDoneFunc
 * @free_result: (nullable): for what @func returned; %NULL where that is a mere %TRUE
 * @in_memory: it is about what is temporary
 * @after: (nullable): works on the store's thread once the result was sent back, where it delays only the next
 *
 * One thing that the store's thread is to do.
 */
typedef struct
{
  BeckonStoreUse use;
  BeckonStoreFunc func;
  gpointer data;
  GDestroyNotify free_data;
  BeckonStoreDoneFunc done;
  GDestroyNotify free_result;
  gboolean in_memory;
  void (*after) (BeckonSession *session);
} BeckonStoreOp;

/**
 * beckon_store_submit:
 * @store: the store
 * @task: (transfer full) (nullable): returned when it is done; %NULL without a waiting caller, and then the store is not kept
 *   alive by it
 * @op: what to do; copied
 */
void beckon_store_submit (BeckonStore *store, GTask *task, const BeckonStoreOp *op);

/** A task that is not overruled by its cancellable once the work was done. Caller owns. */
GTask *beckon_store_task_new (BeckonStore *store, GCancellable *cancellable, GAsyncReadyCallback callback,
                              gpointer user_data, gpointer tag) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_store_work_async:
 * @store: the store
 * @op: what to do, without data: @func gets the values, an array that ends with %BECKON_VALUE_END
 * @tag: of the task, for its finish function
 * @...: see beckon_store_task_new(), and then one value or more
 *
 * Submits work for a caller who waits. It is done in memory if the first value is the id of something temporary.
 */
#define beckon_store_work_async(store, op, tag, cancellable, callback, user_data, ...) \
  beckon_store_start (store, op, beckon_store_task_new (store, cancellable, callback, user_data, tag), \
                      BECKON_VALUES (__VA_ARGS__))
void beckon_store_start (BeckonStore *store, const BeckonStoreOp *op, GTask *task, const BeckonValue *values);

/**
 * BeckonQuery:
 * @sql: a statement that selects
 * @read: makes something of a row; %NULL leaves it out
 * @free: for what @read returned
 * @is_one: the result is what @read made of the first row, or %NULL without an error; else an array of all of them
 */
typedef struct
{
  const char *sql;
  gpointer (*read) (BeckonSession *session, sqlite3_stmt *row);
  GDestroyNotify free;
  gboolean is_one;
} BeckonQuery;

/** Everything that a query selects, on the store's thread. @values: its parameters. Caller owns. */
GPtrArray *beckon_query_list (BeckonSession *session, const BeckonQuery *query, const BeckonValue *values,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** The same for a caller who waits; see beckon_store_work_async(). A query without parameters gets %BECKON_NONE. */
#define beckon_store_select_async(store, query, tag, cancellable, callback, user_data, ...) \
  beckon_store_start_query (store, query, beckon_store_task_new (store, cancellable, callback, user_data, tag), \
                            BECKON_VALUES (__VA_ARGS__))
void beckon_store_start_query (BeckonStore *store, const BeckonQuery *query, GTask *task, const BeckonValue *values);

/** BECKON_STORE_LIST: (skip): defines `name_async (store, cancellable, callback, user_data)` and `name_finish`, which list what
 *  @sql selects; @value is its parameter, or %BECKON_NONE. The rest as in a #BeckonQuery. */
#define BECKON_STORE_LIST(name, sql, read, free, value) \
  void name##_async (BeckonStore *store, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data) \
  { \
    static const BeckonQuery query = { sql, read, (GDestroyNotify) free, FALSE }; \
 \
    beckon_store_select_async (store, &query, name##_async, cancellable, callback, user_data, value); \
  } \
  BECKON_FINISH_POINTER (GPtrArray *, name, BeckonStore)

/** Reads the first column as text, as the `read` of a #BeckonQuery. Caller frees. */
gpointer beckon_query_read_text (BeckonSession *session, sqlite3_stmt *row);

/** Returns the result of work, for a finish function that makes something else of it. @tag: the task's. Caller owns. */
gpointer beckon_store_propagate (BeckonStore *store, GAsyncResult *result, gpointer tag, GError **error);

/** The one object of a request in this process: @request itself, or the older one. Main thread. Caller owns. */
BeckonRequest *beckon_store_unify_request (BeckonStore *store, BeckonRequest *request) G_GNUC_WARN_UNUSED_RESULT;

/** Counts something that is written outside of beckon_store_commit_async(). */
void beckon_store_bump_serial (BeckonStore *store);

/** Tells this room that a request was added or settled here; as `done` of an operation. */
void beckon_store_on_requests_moved (BeckonStore *store, gpointer result);

/** Returns the path for a read-only connection: see beckon_reader_open(). Caller frees. */
char *beckon_store_dup_path (BeckonStore *store);

/** Implements the interface with the functions of beckon-store-query-requests.c. */
void beckon_store_requests_init (BeckonRequestStoreInterface *iface);

/** Implements the interface with the functions of beckon-store-files.c. */
void beckon_store_file_copies_init (BeckonFileCopiesInterface *iface);

/** Implements the interface with the functions of beckon-store-landings.c. */
void beckon_store_landings_init (BeckonLandingsInterface *iface);

/** Implements the interface with the functions of beckon-store-notes.c. */
void beckon_store_memory_init (BeckonMemoryInterface *iface);

/** The header of one conversation, on the store's thread; %NULL without an error if there is none. Caller owns. */
BeckonConversation *beckon_store_read_header (BeckonSession *session, const char *conversation_id, GError **error);

/** The rows of all headers, newest first, on the store's thread; the first column is the id. */
sqlite3_stmt *beckon_store_query_headers (BeckonSession *session, GError **error);

/** Likewise of those that a person sees first, which are few. */
sqlite3_stmt *beckon_store_query_first_headers (BeckonSession *session, GError **error);

/** Reads such a row. Caller owns. */
BeckonConversation *beckon_store_take_header (sqlite3_stmt *row) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_store_read_request:
 * @row: a row whose columns from @first on are id, conversation, message, call, kind, body, state, draft, asked_at, the
 *   settlement's answer, front_end, actor, at, and asked_by
 * @first: the first of them
 *
 * Returns: (transfer full) (nullable): the request; %NULL if the row cannot be understood, which is logged
 */
BeckonRequest *beckon_store_read_request (sqlite3_stmt *row, int first);

/** Flags of a file copy, added up: the bytes before the call are not kept, those after it are not. */
#define BECKON_STORE_BEFORE_WITHHELD 1
#define BECKON_STORE_AFTER_WITHHELD 2

/** The columns of a landing, of the table as `l`, as beckon_store_read_landing() reads them. */
#define BECKON_STORE_LANDING_COLUMNS \
  " l.call, l.folder, l.place, l.state, l.base, l.is_failure, l.exit_status, l.output_length, l.made_at, l.undone_at," \
  " l.kept_bytes, l.is_gone, l.changes, l.output, l.name "

/** (transfer full) (nullable): the landing in a row; %NULL if the row cannot be understood, which is logged. */
BeckonLanding *beckon_store_read_landing (sqlite3_stmt *row);

/** The state of a file's change, by two columns of its copy. */
BeckonCallChange beckon_store_get_change (sqlite3_stmt *row, int undone_at, int withheld);

G_END_DECLS
