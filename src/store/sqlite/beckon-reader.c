/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-reader.h"

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
