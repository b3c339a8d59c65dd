/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The write-ahead log: how long it is, and when it goes to the file.
 *
 * The automatic checkpoint is off: it would run inside whichever commit happens to fill the log, and that may be the one a
 * person is waiting for. The upkeep of the store does it between the work. For the same reason the log is made longer ahead
 * of an answer: a commit that lengthens a file waits for the file system's own journal as well.
 */

#include "beckon-database-private.h"

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
