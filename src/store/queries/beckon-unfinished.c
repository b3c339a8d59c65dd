/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-unfinished.h"

#include "store/db/beckon-store-private.h"

static const char any_sql[] =
  "SELECT EXISTS (SELECT 1 FROM landing WHERE state = 'decided') OR EXISTS (SELECT 1 FROM undoing)";
static const char landings_sql[] =
  "SELECT" BECKON_STORE_LANDING_COLUMNS ", m.conversation, (SELECT lease FROM run WHERE conversation = m.conversation AND open)"
  " FROM landing l JOIN call c ON c.id = l.call JOIN message m ON m.id = c.message WHERE l.state = 'decided' ORDER BY l.id";
static const char undoing_sql[] =
  "SELECT u.call, m.conversation, u.is_redo, u.front_end, u.now, u.lease FROM undoing u JOIN call c ON c.id = u.call"
  " JOIN message m ON m.id = c.message ORDER BY u.id";
static const char claim_sql[] = "UPDATE undoing SET lease = ?2 WHERE call = ?1";

void
beckon_unfinished_free (BeckonUnfinished *unfinished)
{
  if (unfinished == NULL)
    return;

  g_free (unfinished->call_id);
  g_free (unfinished->conversation_id);
  g_clear_pointer (&unfinished->landing, beckon_landing_free);
  g_free (unfinished->front_end);
  g_clear_pointer (&unfinished->now, g_bytes_unref);
  g_free (unfinished);
}

static BeckonUnfinished *
read_landing (sqlite3_stmt *row)
{
  g_autoptr (BeckonLanding) landing = beckon_store_read_landing (row);
  BeckonUnfinished *unfinished;

  if (landing == NULL)
    return NULL;

  unfinished = g_new0 (BeckonUnfinished, 1);
  unfinished->call_id = g_strdup (landing->call_id);
  unfinished->conversation_id = g_strdup (beckon_column_text (row, 15));
  unfinished->landing = g_steal_pointer (&landing);
  return unfinished;
}

static BeckonUnfinished *
read_undoing (sqlite3_stmt *row)
{
  BeckonUnfinished *unfinished = g_new0 (BeckonUnfinished, 1);

  unfinished->call_id = g_strdup (beckon_column_text (row, 0));
  unfinished->conversation_id = g_strdup (beckon_column_text (row, 1));
  unfinished->is_redo = sqlite3_column_int (row, 2) != 0;
  unfinished->front_end = g_strdup (beckon_column_text (row, 3));
  if (sqlite3_column_type (row, 4) != SQLITE_NULL)
    unfinished->now = g_bytes_new (sqlite3_column_blob (row, 4), (gsize) sqlite3_column_bytes (row, 4));
  return unfinished;
}

static gboolean
unfinished_read_all (BeckonSession *session, const char *sql, int lease, BeckonUnfinished *(*read) (sqlite3_stmt *),
                     GPtrArray *all,
                     GError **error)
{
  sqlite3_stmt *statement = beckon_database_query (session->database, error, sql, "");
  BeckonStep step = BECKON_STEP_ERROR;

  while (statement != NULL && (step = beckon_database_step (session->database, statement, error)) == BECKON_STEP_ROW)
    {
      BeckonUnfinished *unfinished
        = beckon_lease_is_held (session->lease, beckon_column_text (statement, lease)) ? NULL : read (statement);

      if (unfinished != NULL)
        g_ptr_array_add (all, unfinished);
    }

  return step == BECKON_STEP_DONE;
}

static gboolean
claim_all (BeckonSession *session, GPtrArray *all, GError **error)
{
  for (guint i = 0; i < all->len; i++)
    {
      const BeckonUnfinished *unfinished = g_ptr_array_index (all, i);

      if (unfinished->landing == NULL
          && !beckon_database_run (session->database, error, claim_sql, "ss", unfinished->call_id,
                                   beckon_lease_get_token (session->lease)))
        return FALSE;
    }

  return TRUE;
}

/* In a writing transaction, so that of two programs that start at once one finds that the other has it. */
static gpointer
claim (BeckonSession *session, gpointer data, GError **error)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_unfinished_free);
  gint64 has_any = 0;

  if (session->is_read_only)
    return g_steal_pointer (&all);
  if (!beckon_database_get_number (session->database, any_sql, &has_any, error))
    return NULL;
  if (!has_any)
    return g_steal_pointer (&all);
  if (!beckon_database_begin (session->database, BECKON_DURABILITY_NORMAL, error))
    return NULL;
  if (!unfinished_read_all (session, landings_sql, 16, read_landing, all, error)
      || !unfinished_read_all (session, undoing_sql, 5, read_undoing, all, error) || !claim_all (session, all, error))
    {
      beckon_database_rollback (session->database);
      return NULL;
    }

  return beckon_database_commit (session->database, error) ? g_steal_pointer (&all) : NULL;
}

void
beckon_store_claim_unfinished_async (BeckonStore *self, GAsyncReadyCallback callback, gpointer user_data)
{
  const BeckonStoreOp op = { .func = claim, .free_result = (GDestroyNotify) g_ptr_array_unref };

  beckon_store_work_async (self, &op, beckon_store_claim_unfinished_async, NULL, callback, user_data, BECKON_NONE);
}

BECKON_FINISH_POINTER (GPtrArray *, beckon_store_claim_unfinished, BeckonStore)
