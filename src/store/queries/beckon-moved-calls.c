/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-moved-calls.h"

#include "store/db/beckon-store-private.h"

#define MOVED                                                                                                          \
  " IN (SELECT call FROM provenance WHERE seq > ?2 AND conversation = ?1 AND event IN ('undone', 'redone'))"

void
beckon_moved_calls_free (BeckonMovedCalls *moved)
{
  g_hash_table_unref (moved->calls);
  g_free (moved);
}

static BeckonToolCall *
moved_calls_add (BeckonMovedCalls *moved, const char *id)
{
  BeckonToolCall *call = g_hash_table_lookup (moved->calls, id);

  if (call == NULL)
    {
      call = beckon_tool_call_new (id, NULL, "", "{}");
      g_hash_table_insert (moved->calls, (gpointer) beckon_tool_call_get_id (call), call);
    }
  return call;
}

static void
moved_calls_take_logged (BeckonMovedCalls *moved, sqlite3_stmt *row)
{
  moved->logged = sqlite3_column_int64 (row, 0);
}

static void
moved_calls_take_copy (BeckonMovedCalls *moved, sqlite3_stmt *row)
{
  beckon_tool_call_set_change (moved_calls_add (moved, beckon_column_text (row, 0)), beckon_store_get_change (row, 1, 2));
}

static void
moved_calls_take_landing (BeckonMovedCalls *moved, sqlite3_stmt *row)
{
  BeckonLanding *landing = beckon_store_read_landing (row);

  if (landing != NULL)
    beckon_tool_call_take_landing (moved_calls_add (moved, landing->call_id), landing);
}

/* A call of a file tool has a copy, one of a command what landed, in order. */
static gpointer
moved_calls_read (BeckonSession *session, gpointer data, GError **error)
{
  static const struct
  {
    const char *sql;
    void (*take) (BeckonMovedCalls *moved, sqlite3_stmt *row);
  } queries[] = {
    { "SELECT coalesce (max (seq), 0) FROM provenance WHERE ?1 <> '' AND ?2 >= 0", moved_calls_take_logged },
    { "SELECT f.call, f.undone_at, f.withheld FROM file_copy f WHERE f.call" MOVED, moved_calls_take_copy },
    { "SELECT" BECKON_STORE_LANDING_COLUMNS "FROM landing l WHERE l.call" MOVED " ORDER BY l.id", moved_calls_take_landing },
  };
  g_autoptr (BeckonMovedCalls) moved = g_new0 (BeckonMovedCalls, 1);

  moved->calls = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_object_unref);
  for (guint i = 0; i < G_N_ELEMENTS (queries); i++)
    {
      sqlite3_stmt *row = beckon_database_query_values (session->database, error, queries[i].sql, data);
      BeckonStep step = BECKON_STEP_ERROR;

      while (row != NULL && (step = beckon_database_step (session->database, row, error)) == BECKON_STEP_ROW)
        queries[i].take (moved, row);
      if (step != BECKON_STEP_DONE)
        return NULL;
    }
  return g_steal_pointer (&moved);
}

void
beckon_moved_calls_read_async (BeckonStore *store, const char *conversation_id, gint64 logged, GAsyncReadyCallback callback,
                               gpointer user_data)
{
  const BeckonStoreOp op = { .func = moved_calls_read, .free_result = (GDestroyNotify) beckon_moved_calls_free };

  g_return_if_fail (BECKON_IS_STORE (store));
  g_return_if_fail (conversation_id != NULL);

  beckon_store_work_async (store, &op, beckon_moved_calls_read_async, NULL, callback, user_data, conversation_id, logged);
}

BECKON_FINISH_POINTER (BeckonMovedCalls *, beckon_moved_calls_read, BeckonStore)
