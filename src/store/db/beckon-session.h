/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "store/repair/beckon-file-check.h"
#include "store/sqlite/beckon-change-notification.h"
#include "store/sqlite/beckon-database.h"
#include "store/sqlite/beckon-lease.h"

G_BEGIN_DECLS

/**
 * BeckonSession:
 * @database: the connection
 * @memory: (nullable): what is temporary: a database of the same shape that no file has; made when it is first needed
 * @lease: this process's proof of life
 * @notice: (nullable): how others are told; %NULL where nothing can be written
 * @path: what a further connection opens
 * @copy: (nullable): the temporary folder that @path is in
 * @report: (nullable): what was repaired, or which copy was opened, in words
 * @directory: the store's folder
 * @is_read_only: nothing can be written, and that will stay so
 * @fault: what is wrong with the files
 * @told_fault: what the main thread knows of it
 * @backlog: (element-type BeckonStoreOp): what could not be written; see beckon-deferred-writes.h
 * @told_unsaved: what the main thread knows of its length
 * @check: (nullable): what reads the whole file, if the last end was not a good one, and copies it each day
 * @usage_fd: the usage file, with a shared lock on it; -1 where there is none
 * @seen_version: SQLite's `data_version` when it was last looked at
 * @has_news: something was committed that other processes are to hear of
 * @has_chunks: a message ended whose chunks may not be joined yet
 * @has_unindexed: something was written that may have to be indexed
 * @has_purge_pending: there may be conversations that are to be erased
 * @has_erased: something was erased of which the files may still hold traces
 * @places: (element-type utf8): ids of calls that were erased, whose landing places go
 * @drops_copies: the same of copies of the history that were made meanwhile
 * @n_erasing_steps: how far that is done
 * @is_held_up: all that is left of it is the log, which another process was reading
 * @was_current: the file was of the newest version when it was opened
 * @was_swept: the lease folder was swept
 * @was_repaired: the report is about a repair
 * @was_reindexed: the index was damaged, and is being made anew; not a second time
 *
 * What the store's thread works with while the store is open. Belongs to that thread.
 */
typedef struct
{
  BeckonDatabase *database;
  BeckonDatabase *memory;
  BeckonLease *lease;
  GPtrArray *places;
  BeckonChangeNotification *notice;
  char *path;
  char *copy;
  char *report;
  char *directory;
  gboolean is_read_only;
  BeckonFault fault;
  BeckonFault told_fault;
  GQueue backlog;
  guint told_unsaved;
  BeckonFileCheck *check;
  int usage_fd;
  gint64 seen_version;
  gboolean has_news;
  gboolean has_chunks;
  gboolean has_unindexed;
  gboolean has_purge_pending;
  gboolean has_erased;
  gboolean drops_copies;
  guint n_erasing_steps;
  gboolean is_held_up;
  gboolean was_current;
  gboolean was_swept;
  gboolean was_repaired;
  gboolean was_reindexed;
} BeckonSession;

/** Creates what is missing in @directory and opens it. Caller owns. */
BeckonSession *beckon_session_open (const char *directory, GError **error) G_GNUC_WARN_UNUSED_RESULT;
void           beckon_session_close (BeckonSession *session);

/** Works on what is temporary instead of the file. Nothing that is written there is notified. */
gpointer beckon_session_work_in_memory (BeckonSession *session, gpointer (*func) (BeckonSession *, gpointer, GError **),
                                        gpointer data, GError **error);

/** %TRUE if another connection committed since this was last asked. */
gboolean beckon_session_was_changed (BeckonSession *session);

/** Has the whole file read later on if the last end was not a good one, and copied each day. @func: called on another thread if
 *  it is damaged. */
void beckon_session_start_check (BeckonSession *session, BeckonClock *clock, void (*func) (gpointer), gpointer data);

/** Removes the copies of the history, because something that they have is erased; a new one is made soon. */
void beckon_session_drop_copies (BeckonSession *session);

/** Stops writing to a file that can't be right; the next start repairs it. */
void beckon_session_set_damaged (BeckonSession *session);

/** %TRUE if something about the files is other than when this was last asked. */
gboolean beckon_session_take_condition (BeckonSession *session);

/** Tells other processes of what was committed, if anything was. */
void beckon_session_tell (BeckonSession *session);

/**
 * beckon_session_needs_upkeep:
 *
 * Returns: %TRUE if there is something that should be done when the store is idle
 */
gboolean beckon_session_needs_upkeep (BeckonSession *session);

/** Does one piece of it. */
void beckon_session_upkeep (BeckonSession *session);

/** %TRUE if a piece of it waits for another process, and is to be tried again after a while. */
gboolean beckon_session_is_held_up (BeckonSession *session);

/** That while has passed. */
void beckon_session_try_again (BeckonSession *session);

/** Does work that can't wait for idle; called after commits that no caller waits for. */
void beckon_session_relieve (BeckonSession *session);

/** Begins to make the full-text index anew, once, if it turned out to be damaged, or if the caller knows that it @is_bad;
 *  %FALSE if nothing was done. */
gboolean beckon_session_repair_index (BeckonSession *session, gboolean is_bad);

/** See beckon_store_set_place_remover(). */
void beckon_session_set_place_remover (void (*remove) (const char *call_id));

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonSession, beckon_session_close)

G_END_DECLS
