/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/db/beckon-store-private.h"

static const char load_sql[] = "SELECT folder, hash, extras, is_trusted, at FROM folder_trust WHERE folder = ?1";

static gpointer
store_trust_load (BeckonSession *session, gpointer data, GError **error)
{
  sqlite3_stmt *row = beckon_database_query_values (session->database, error, load_sql, data);
  BeckonStep step = row != NULL ? beckon_database_step (session->database, row, error) : BECKON_STEP_ERROR;
  BeckonFolderTrust *trust = NULL;

  if (step == BECKON_STEP_ROW)
    {
      trust = beckon_folder_trust_new (beckon_column_text (row, 0), beckon_column_text (row, 1), beckon_column_text (row, 2),
                                       sqlite3_column_int (row, 3) != 0, sqlite3_column_int64 (row, 4));
      sqlite3_reset (row);
    }
  else if (step == BECKON_STEP_DONE)
    {
      trust = beckon_folder_trust_new (((const BeckonValue *) data)->text, "", "", FALSE, 0);
    }
  return trust;
}

void
beckon_store_load_trust_async (BeckonStore *store, const char *folder, GCancellable *cancellable, GAsyncReadyCallback callback,
                               gpointer user_data)
{
  const BeckonStoreOp op = { .func = store_trust_load, .free_result = (GDestroyNotify) beckon_folder_trust_free };
  g_autofree char *valid = g_utf8_make_valid (folder, -1);

  beckon_store_work_async (store, &op, beckon_store_load_trust_async, cancellable, callback, user_data, valid);
}

BECKON_FINISH_POINTER (BeckonFolderTrust *, beckon_store_load_trust, BeckonStore)
