/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-expire-landings.h"

#include "store/db/beckon-store-private.h"

#define OVER "state IN ('landed', 'undone') AND NOT is_gone"

static const char age_sql[] = "UPDATE landing SET is_gone = 1, kept_bytes = 0 WHERE " OVER " AND made_at < ?1";

/* The last one is kept, however much it is: it has only just landed, and what it did was not seen yet. */
static const char size_sql[] =
  "UPDATE landing SET is_gone = 1, kept_bytes = 0 WHERE id IN (SELECT id FROM"
  " (SELECT id, sum (kept_bytes) OVER (ORDER BY id DESC) AS total FROM landing WHERE " OVER ") WHERE total > ?1)"
  " AND id < (SELECT max (id) FROM landing WHERE " OVER ")";
static const char drop_sql[] =
  "DELETE FROM landing WHERE state = 'waiting' AND call IN (SELECT id FROM call WHERE state IN ('done', 'cancelled'))";
/* Its conversation was deleted in the middle of it, and may have been put back: what landed can be undone. */
static const char end_sql[] =
  "UPDATE landing SET state = 'landed' WHERE state = 'decided'"
  " AND call IN (SELECT id FROM call WHERE state IN ('done', 'cancelled'))";
static const char find_sql[] =
  "SELECT NULL, is_gone FROM landing WHERE name = ?1 UNION ALL SELECT state IN ('done', 'cancelled'), NULL FROM call"
  " WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM landing WHERE name = ?1)";
static const char measure_sql[] = "SELECT coalesce (sum (kept_bytes), 0) FROM landing";

static gboolean
expire (BeckonSession *session, gint64 now, GError **error)
{
  int n_old, n_more;

  if (session->is_read_only)
    return TRUE;
  if (!beckon_database_begin (session->database, BECKON_DURABILITY_NORMAL, error))
    return FALSE;
  n_old = beckon_database_change (session->database, error, age_sql, "i", now - BECKON_LANDINGS_MAX_AGE);
  n_more = n_old >= 0 ? beckon_database_change (session->database, error, size_sql, "i", BECKON_LANDINGS_MAX_BYTES) : -1;
  if (n_more < 0 || !beckon_database_run (session->database, error, drop_sql, "")
      || !beckon_database_run (session->database, error, end_sql, ""))
    {
      beckon_database_rollback (session->database);
      return FALSE;
    }
  session->has_news |= n_old + n_more > 0;

  return beckon_database_commit (session->database, error);
}

static gpointer
expire_landings_work (BeckonSession *session, gpointer data, GError **error)
{
  const BeckonValue *values = data;
  char **call_ids = values[2].object;
  g_autoptr (GStrvBuilder) needless = g_strv_builder_new ();

  if (!expire (session, values[0].number, error))
    return NULL;
  for (guint i = 0; call_ids[i] != NULL; i++)
    {
      gboolean goes;
      sqlite3_stmt *statement = beckon_database_query (session->database, error, find_sql, "s", call_ids[i]);
      BeckonStep step = statement != NULL ? beckon_database_step (session->database, statement, error) : BECKON_STEP_ERROR;

      /* An unknown one may belong to a conversation that another process has in memory. */
      goes = values[1].number != 0;
      if (step == BECKON_STEP_ROW)
        {
          goes = sqlite3_column_type (statement, 1) == SQLITE_NULL ? sqlite3_column_int (statement, 0) != 0
                                                                   : sqlite3_column_int (statement, 1) != 0;
          sqlite3_reset (statement);
        }
      if (step == BECKON_STEP_ERROR)
        return NULL;
      if (goes)
        g_strv_builder_add (needless, call_ids[i]);
    }

  return g_strv_builder_end (needless);
}

void
beckon_store_expire_landings_async (BeckonStore *self, const char *const *call_ids, gboolean is_alone, gint64 now,
                                    GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  const BeckonStoreOp op = { .func = expire_landings_work, .free_result = (GDestroyNotify) g_strfreev };
  /* Temporary ones are known here alone, and needed for as long as this process is there. */
  g_autoptr (GStrvBuilder) rest = g_strv_builder_new ();

  for (guint i = 0; call_ids[i] != NULL; i++)
    if (!g_hash_table_contains (beckon_store_get_temporary (self), call_ids[i]))
      g_strv_builder_add (rest, call_ids[i]);
  beckon_store_work_async (self, &op, beckon_store_expire_landings_async, cancellable, callback, user_data, now,
                           is_alone, BECKON_OWNED (g_strv_builder_end (rest), g_strfreev));
}

BECKON_FINISH_POINTER (char **, beckon_store_expire_landings, BeckonStore)

static gpointer
expire_landings_measure (BeckonSession *session, gpointer data, GError **error)
{
  g_autofree gint64 *bytes = g_new0 (gint64, 1);

  return beckon_database_get_number (session->database, measure_sql, bytes, error) ? g_steal_pointer (&bytes) : NULL;
}

void
beckon_store_measure_landings_async (BeckonStore *self, GCancellable *cancellable, GAsyncReadyCallback callback,
                                     gpointer user_data)
{
  const BeckonStoreOp op = { .func = expire_landings_measure, .free_result = g_free };

  beckon_store_work_async (self, &op, beckon_store_measure_landings_async, cancellable, callback, user_data, BECKON_NONE);
}

gint64
beckon_store_measure_landings_finish (BeckonStore *self, GAsyncResult *result, GError **error)
{
  g_autofree gint64 *bytes = beckon_store_propagate (self, result, beckon_store_measure_landings_async, error);

  return bytes != NULL ? *bytes : -1;
}
