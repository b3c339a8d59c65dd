/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/db/beckon-store-private.h"

static const char load_sql[] = "SELECT folder, hash, extras, is_trusted, at FROM folder_trust WHERE folder = ?1";

static gpointer
load (BeckonSession *session, gpointer folder, GError **error)
{
  sqlite3_stmt *row = beckon_database_query (session->database, error, load_sql, "s", folder);
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
      trust = beckon_folder_trust_new (folder, "", "", FALSE, 0);
    }
  return trust;
}

void
beckon_store_load_trust_async (BeckonStore *store, const char *folder, GCancellable *cancellable, GAsyncReadyCallback callback,
                               gpointer user_data)
{
  BeckonStoreOp op = {
    .func = load,
    .data = g_utf8_make_valid (folder, -1),
    .free_data = g_free,
    .free_result = (GDestroyNotify) beckon_folder_trust_free,
  };

  g_return_if_fail (BECKON_IS_STORE (store));

  beckon_store_submit (store,
                       beckon_store_task_new (store, cancellable, callback, user_data, beckon_store_load_trust_async), &op);
}

BeckonFolderTrust *
beckon_store_load_trust_finish (BeckonStore *store, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, store), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, beckon_store_load_trust_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
