/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The prefix of a conversation's requests, by profile, and the changes told behind messages. How far the last request went
 * changes with each of them and is a row of its own, so that the long texts are not written again. */

#include "store/db/beckon-batch-private.h"
#include "store/db/beckon-store-private.h"

/* A conversation or a message may be gone by now. */
static const char put_prefix_sql[] =
  "INSERT INTO prefix (conversation, profile, number, reason, system, tools, facts, cut_through, most_of_a_result,"
  "  bare_through, is_bound, summarized)"
  " SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12 WHERE EXISTS (SELECT 1 FROM conversation WHERE id = ?1)"
  " ON CONFLICT (conversation, profile) DO UPDATE SET number = ?3, reason = ?4, system = ?5, tools = ?6, facts = ?7,"
  "  cut_through = ?8, most_of_a_result = ?9, bare_through = ?10, is_bound = ?11, summarized = ?12";
static const char put_sent_sql[] =
  "INSERT INTO prefix_sent (conversation, profile, n, hash, used)"
  " SELECT ?1, ?2, ?3, ?4, ?5 WHERE EXISTS (SELECT 1 FROM conversation WHERE id = ?1)"
  " ON CONFLICT (conversation, profile) DO UPDATE SET n = ?3, hash = ?4, used = ?5";
static const char put_told_sql[] =
  "INSERT INTO told (message, facts, text) SELECT ?1, ?2, ?3 WHERE EXISTS (SELECT 1 FROM message WHERE id = ?1)"
  " ON CONFLICT (message) DO UPDATE SET facts = ?2, text = ?3";
static const char prefixes_sql[] =
  "SELECT p.profile, p.number, p.reason, p.system, p.tools, p.facts, p.cut_through, p.most_of_a_result, p.bare_through,"
  "  p.is_bound, p.summarized, coalesce (s.n, 0), coalesce (s.hash, 0), coalesce (s.used, 0)"
  " FROM prefix p LEFT JOIN prefix_sent s ON s.conversation = p.conversation AND s.profile = p.profile"
  " WHERE p.conversation = ?1";
static const char told_sql[] =
  "SELECT t.message, t.facts, t.text FROM message m CROSS JOIN told t ON t.message = m.id WHERE m.conversation = ?1";

/* --- Writing ------------------------------------------------------------------------------------------------------- */

void
beckon_batch_put_prefix (BeckonBatch *batch, const char *conversation_id, const BeckonPrefix *prefix)
{
  beckon_batch_add_id (batch, conversation_id);
  beckon_batch_run (batch, put_prefix_sql, conversation_id, prefix->profile_id, prefix->number, prefix->reason, prefix->system,
                    prefix->tools, prefix->facts, prefix->cut_through, prefix->most_of_a_result, prefix->bare_through,
                    prefix->is_bound, prefix->summarized);
}

void
beckon_batch_put_sent (BeckonBatch *batch, const char *conversation_id, const BeckonPrefix *prefix)
{
  beckon_batch_add_id (batch, conversation_id);
  beckon_batch_run (batch, put_sent_sql, conversation_id, prefix->profile_id, prefix->n_sent, (gint64) prefix->sent,
                    prefix->used);
}

void
beckon_batch_put_told (BeckonBatch *batch, const char *conversation_id, const BeckonTold *told)
{
  beckon_batch_add_id (batch, conversation_id);
  beckon_batch_run (batch, put_told_sql, told->message_id, told->facts, told->text);
}

/* --- Reading ------------------------------------------------------------------------------------------------------- */

static void
take_prefix (BeckonPrefixes *prefixes, sqlite3_stmt *row)
{
  BeckonPrefix *prefix = beckon_prefix_new (beckon_column_text (row, 0));

  prefix->number = (guint) sqlite3_column_int (row, 1);
  prefix->reason = g_strdup (beckon_column_text (row, 2));
  prefix->system = g_strdup (beckon_column_text (row, 3));
  prefix->tools = g_strdup (beckon_column_text (row, 4));
  prefix->facts = g_strdup (beckon_column_text (row, 5));
  prefix->cut_through = sqlite3_column_int64 (row, 6);
  prefix->most_of_a_result = sqlite3_column_int64 (row, 7);
  prefix->bare_through = sqlite3_column_int64 (row, 8);
  prefix->is_bound = sqlite3_column_int (row, 9) != 0;
  prefix->summarized = sqlite3_column_int64 (row, 10);
  prefix->n_sent = (guint) sqlite3_column_int64 (row, 11);
  prefix->sent = (guint64) sqlite3_column_int64 (row, 12);
  prefix->used = sqlite3_column_int64 (row, 13);
  beckon_prefixes_take_prefix (prefixes, prefix);
}

static void
take_told (BeckonPrefixes *prefixes, sqlite3_stmt *row)
{
  beckon_prefixes_take_told (prefixes, beckon_told_new (beckon_column_text (row, 0), beckon_column_text (row, 1),
                                                        beckon_column_text (row, 2)));
}

static gboolean
for_each_row (BeckonDatabase *database, const char *sql, const BeckonValue *conversation_id, BeckonPrefixes *prefixes,
              void (*take) (BeckonPrefixes *, sqlite3_stmt *), GError **error)
{
  sqlite3_stmt *statement = beckon_database_query_values (database, error, sql, conversation_id);
  BeckonStep step = BECKON_STEP_ERROR;

  while (statement != NULL && (step = beckon_database_step (database, statement, error)) == BECKON_STEP_ROW)
    take (prefixes, statement);

  return step == BECKON_STEP_DONE;
}

static gpointer
prefixes_load (BeckonSession *session, gpointer conversation_id, GError **error)
{
  g_autoptr (BeckonPrefixes) prefixes = beckon_prefixes_new ();

  if (!for_each_row (session->database, prefixes_sql, conversation_id, prefixes, take_prefix, error)
      || !for_each_row (session->database, told_sql, conversation_id, prefixes, take_told, error))
    return NULL;

  return g_steal_pointer (&prefixes);
}

void
beckon_store_load_prefixes_async (BeckonStore *self, const char *conversation_id, GCancellable *cancellable,
                                  GAsyncReadyCallback callback, gpointer user_data)
{
  const BeckonStoreOp op = { .func = prefixes_load, .free_result = (GDestroyNotify) beckon_prefixes_free };

  beckon_store_work_async (self, &op, beckon_store_load_prefixes_async, cancellable, callback, user_data, conversation_id);
}

BECKON_FINISH_POINTER (BeckonPrefixes *, beckon_store_load_prefixes, BeckonStore)
