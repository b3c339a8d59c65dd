/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The index is behind what is written, on purpose: triggers note which titles and texts are to be indexed, in the transaction
 * that ends a message or changes a title, and this does it later: when the store is idle, or before a search. So no answer is
 * held up by it, no text is indexed twice while it streams, and an older history is searchable soon after its conversion.
 * What is deleted is noted by triggers too, and leaves the index in the same transaction.
 */

#include "beckon-search-index.h"

#include "beckon-search-text.h"

#define TITLES_PER_STEP 32
#define TEXTS_PER_STEP 64
#define BYTES_PER_STEP (256 * 1024)

static const char any_sql[] = "SELECT EXISTS (SELECT 1 FROM unindexed_title) OR EXISTS (SELECT 1 FROM unindexed_text)";
static const char titles_sql[] = "SELECT conversation FROM unindexed_title LIMIT " G_STRINGIFY (TITLES_PER_STEP);
static const char number_title_sql[] = "INSERT INTO title (conversation) VALUES (?1) ON CONFLICT DO NOTHING";
static const char remove_title_sql[] =
  "DELETE FROM search_title WHERE rowid = (SELECT id FROM title WHERE conversation = ?1)";
static const char read_title_sql[] = "SELECT CAST (title AS BLOB) FROM conversation WHERE id = ?1";
static const char add_title_sql[] =
  "INSERT INTO search_title (rowid, text) SELECT id, CAST (?2 AS TEXT) FROM title WHERE conversation = ?1";
static const char forget_title_sql[] = "DELETE FROM unindexed_title WHERE conversation = ?1";

/* The newest first: they are what is looked for while an old history is being indexed. */
static const char texts_sql[] = "SELECT part FROM unindexed_text ORDER BY part DESC LIMIT " G_STRINGIFY (TEXTS_PER_STEP);
static const char remove_text_sql[] = "DELETE FROM search_text WHERE rowid = ?1";
static const char read_text_sql[] =
  "SELECT -1 AS seq, text FROM part WHERE id = ?1 UNION ALL SELECT seq, text FROM chunk WHERE part = ?1 ORDER BY seq";
static const char add_text_sql[] = "INSERT INTO search_text (rowid, text) VALUES (?1, CAST (?2 AS TEXT))";
static const char forget_text_sql[] = "DELETE FROM unindexed_text WHERE part = ?1";

static const char forget_titles_sql[] = "DELETE FROM search_title WHERE rowid IN (SELECT id FROM removed_title)";
static const char forget_texts_sql[] = "DELETE FROM search_text WHERE rowid IN (SELECT part FROM removed_text)";

#define CREATE(table) \
  "CREATE VIRTUAL TABLE " table " USING fts5 (text, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3');"
/* An index too damaged to be opened can't be dropped either, so it first gets the insides of an empty one. */
#define EMPTY(table)                                                                                  \
  "DELETE FROM " table "_data; INSERT INTO " table "_data SELECT * FROM search_empty_data;"           \
  "DELETE FROM " table "_config; INSERT INTO " table "_config SELECT * FROM search_empty_config;"     \
  "DELETE FROM " table "_idx; DELETE FROM " table "_content; DELETE FROM " table "_docsize;"          \
  "DROP TABLE " table ";" CREATE (table)

static const char rebuild_sql[] =
  CREATE ("search_empty") EMPTY ("search_title") EMPTY ("search_text")
  "DROP TABLE search_empty;"
  "DELETE FROM removed_title;"
  "DELETE FROM removed_text;"
  "INSERT OR IGNORE INTO unindexed_title SELECT id FROM conversation WHERE title <> '';"
  "INSERT OR IGNORE INTO unindexed_text SELECT p.id FROM part p JOIN message m ON m.id = p.message"
  "  WHERE p.kind = 'text' AND m.status <> 'streaming';";

static void
append_column (GByteArray *text, sqlite3_stmt *row, int column)
{
  const guint8 *bytes = sqlite3_column_blob (row, column);

  g_byte_array_append (text, bytes, (guint) sqlite3_column_bytes (row, column));
}

static gboolean
index_text (BeckonDatabase *database, gint64 part, gsize *n_bytes, GError **error)
{
  g_autoptr (GByteArray) text = g_byte_array_new ();
  g_autofree char *prepared = NULL;
  sqlite3_stmt *statement = beckon_database_query (database, error, read_text_sql, "i", part);
  BeckonStep step = BECKON_STEP_ERROR;

  while (statement != NULL && (step = beckon_database_step (database, statement, error)) == BECKON_STEP_ROW)
    append_column (text, statement, 1);
  if (step != BECKON_STEP_DONE)
    return FALSE;

  prepared = beckon_search_text_prepare ((const char *) text->data, text->len);
  *n_bytes += text->len;

  return beckon_database_run (database, error, remove_text_sql, "i", part)
         && beckon_database_run (database, error, add_text_sql, "ib", part, prepared, strlen (prepared))
         && beckon_database_run (database, error, forget_text_sql, "i", part);
}

static gboolean
index_title (BeckonDatabase *database, const char *conversation, GError **error)
{
  g_autoptr (GByteArray) title = g_byte_array_new ();
  g_autofree char *prepared = NULL;
  sqlite3_stmt *statement = beckon_database_query (database, error, read_title_sql, "s", conversation);
  BeckonStep step = BECKON_STEP_ERROR;

  while (statement != NULL && (step = beckon_database_step (database, statement, error)) == BECKON_STEP_ROW)
    append_column (title, statement, 0);
  if (step != BECKON_STEP_DONE)
    return FALSE;

  prepared = beckon_search_text_prepare ((const char *) title->data, title->len);

  return beckon_database_run (database, error, number_title_sql, "s", conversation)
         && beckon_database_run (database, error, remove_title_sql, "s", conversation)
         && beckon_database_run (database, error, add_title_sql, "sb", conversation, prepared, strlen (prepared))
         && beckon_database_run (database, error, forget_title_sql, "s", conversation);
}

static gboolean
index_titles (BeckonDatabase *database, GError **error)
{
  g_autoptr (GPtrArray) ids = g_ptr_array_new_with_free_func (g_free);
  sqlite3_stmt *statement = beckon_database_query (database, error, titles_sql, "");
  BeckonStep step = BECKON_STEP_ERROR;

  while (statement != NULL && (step = beckon_database_step (database, statement, error)) == BECKON_STEP_ROW)
    g_ptr_array_add (ids, g_strdup (beckon_column_text (statement, 0)));
  if (step != BECKON_STEP_DONE)
    return FALSE;

  for (guint i = 0; i < ids->len; i++)
    if (!index_title (database, g_ptr_array_index (ids, i), error))
      return FALSE;

  return TRUE;
}

static gboolean
index_texts (BeckonDatabase *database, GError **error)
{
  gint64 parts[TEXTS_PER_STEP];
  gsize n_parts = 0, n_bytes = 0;
  sqlite3_stmt *statement = beckon_database_query (database, error, texts_sql, "");
  BeckonStep step = BECKON_STEP_ERROR;

  while (statement != NULL && (step = beckon_database_step (database, statement, error)) == BECKON_STEP_ROW)
    parts[n_parts++] = sqlite3_column_int64 (statement, 0);
  if (step != BECKON_STEP_DONE)
    return FALSE;

  for (gsize i = 0; i < n_parts && n_bytes < BYTES_PER_STEP; i++)
    if (!index_text (database, parts[i], &n_bytes, error))
      return FALSE;

  return TRUE;
}

gboolean
beckon_search_index_forget (BeckonDatabase *database, GError **error)
{
  return beckon_database_run (database, error, forget_titles_sql, "")
         && beckon_database_run (database, error, forget_texts_sql, "")
         && beckon_database_run (database, error, "DELETE FROM removed_title", "")
         && beckon_database_run (database, error, "DELETE FROM removed_text", "");
}

gboolean
beckon_search_index_step (BeckonDatabase *database, gboolean *has_more, GError **error)
{
  gint64 any;

  *has_more = FALSE;
  if (!beckon_database_get_number (database, any_sql, &any, error))
    return FALSE;
  if (any == 0)
    return TRUE;

  if (!beckon_database_begin (database, BECKON_DURABILITY_NORMAL, error))
    return FALSE;

  if (!index_titles (database, error) || !index_texts (database, error)
      || !beckon_database_get_number (database, any_sql, &any, error))
    {
      beckon_database_rollback (database);
      return FALSE;
    }

  *has_more = any != 0;

  return beckon_database_commit (database, error);
}

gboolean
beckon_search_index_rebuild (BeckonDatabase *database, GError **error)
{
  gboolean is_rebuilt;

  if (!beckon_database_begin (database, BECKON_DURABILITY_NORMAL, error))
    return FALSE;
  /* The insides of an index are otherwise closed to statements. */
  sqlite3_db_config (beckon_database_get_handle (database), SQLITE_DBCONFIG_DEFENSIVE, 0, NULL);
  is_rebuilt = beckon_database_script (database, rebuild_sql, error);
  sqlite3_db_config (beckon_database_get_handle (database), SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
  if (is_rebuilt)
    return beckon_database_commit (database, error);

  beckon_database_rollback (database);

  return FALSE;
}
