/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-erase.h"

#include "store/index/beckon-search-index.h"

#define MESSAGES_PER_STEP "200"

#define PAGES_PER_STEP "200"

/* A negative number makes everything one piece in the end, and the next ones go on with it. */
static const char begin_texts_sql[] = "INSERT INTO search_text (search_text, rank) VALUES ('merge', -" PAGES_PER_STEP ")";
static const char begin_titles_sql[] = "INSERT INTO search_title (search_title, rank) VALUES ('merge', -" PAGES_PER_STEP ")";
static const char merge_texts_sql[] = "INSERT INTO search_text (search_text, rank) VALUES ('merge', " PAGES_PER_STEP ")";
static const char merge_titles_sql[] = "INSERT INTO search_title (search_title, rank) VALUES ('merge', " PAGES_PER_STEP ")";
/* The empty text stands for messages whose conversation stays. */
static const char find_sql[] =
  "SELECT * FROM (SELECT id FROM conversation WHERE deleted_at = 0 LIMIT 1)"
  " UNION ALL SELECT '' WHERE EXISTS (SELECT 1 FROM message WHERE deleted_at = 0) LIMIT 1";
static const char messages_sql[] =
  "DELETE FROM message WHERE id IN (SELECT id FROM message WHERE conversation = ?1 LIMIT " MESSAGES_PER_STEP ")";
static const char alone_sql[] =
  "DELETE FROM message WHERE id IN (SELECT id FROM message WHERE deleted_at = 0 LIMIT " MESSAGES_PER_STEP ")";
static const char conversation_sql[] = "DELETE FROM conversation WHERE id = ?1";
static const char provenance_sql[] = "DELETE FROM provenance WHERE conversation = ?1";

/* CROSS JOIN reads few messages and not at every landing, whatever SQLite knows of the tables. */
#define PLACES_OF_MESSAGES \
  "SELECT l.name FROM message m CROSS JOIN call c ON c.message = m.id CROSS JOIN landing l ON l.call = c.id WHERE "

static const char places_sql[] = PLACES_OF_MESSAGES "m.conversation = ?1";
static const char alone_places_sql[] = PLACES_OF_MESSAGES "m.deleted_at = 0";

/* @conversation_id: "" stands for messages whose conversation stays. */
static gboolean
list_places (BeckonDatabase *database, const char *conversation_id, GPtrArray *places, GError **error)
{
  sqlite3_stmt *statement = *conversation_id != '\0'
                              ? beckon_database_query (database, error, places_sql, "s", conversation_id)
                              : beckon_database_query (database, error, alone_places_sql, "");
  BeckonStep step = BECKON_STEP_ERROR;

  while (statement != NULL && (step = beckon_database_step (database, statement, error)) == BECKON_STEP_ROW)
    if (!g_ptr_array_find_with_equal_func (places, beckon_column_text (statement, 0), g_str_equal, NULL))
      g_ptr_array_add (places, g_strdup (beckon_column_text (statement, 0)));

  return step == BECKON_STEP_DONE;
}

/* A person who deletes a conversation means all of it, so what the log says of it goes too; before that it cannot. */
gboolean
beckon_erase_conversation (BeckonDatabase *database, const char *conversation_id, GPtrArray *places, GError **error)
{
  return list_places (database, conversation_id, places, error)
         && beckon_database_run (database, error, conversation_sql, "s", conversation_id)
         && beckon_database_run (database, error, provenance_sql, "s", conversation_id)
         && beckon_search_index_forget (database, error);
}

/* Copied, because the statement is used again. */
static gboolean
find_purge_pending (BeckonDatabase *database, char **id, GError **error)
{
  sqlite3_stmt *statement = beckon_database_query (database, error, find_sql, "");
  BeckonStep step = statement != NULL ? beckon_database_step (database, statement, error) : BECKON_STEP_ERROR;

  if (step == BECKON_STEP_ROW)
    {
      *id = g_strdup (beckon_column_text (statement, 0));
      sqlite3_reset (statement);
    }

  return step != BECKON_STEP_ERROR;
}

gboolean
beckon_erase_is_pending (BeckonDatabase *database)
{
  g_autofree char *id = NULL;

  return find_purge_pending (database, &id, NULL) && id != NULL;
}

static gboolean
erase_piece (BeckonDatabase *database, const char *id, GPtrArray *places, GError **error)
{
  int n_messages;

  if (!list_places (database, id, places, error))
    return FALSE;
  if (*id == '\0')
    return beckon_database_run (database, error, alone_sql, "") && beckon_search_index_forget (database, error);

  n_messages = beckon_database_change (database, error, messages_sql, "s", id);
  if (n_messages != 0)
    return n_messages > 0 && beckon_search_index_forget (database, error);

  return beckon_erase_conversation (database, id, places, error);
}

gboolean
beckon_erase_step (BeckonDatabase *database, GPtrArray *places, gboolean *has_more, GError **error)
{
  g_autofree char *id = NULL;

  *has_more = FALSE;
  if (!find_purge_pending (database, &id, error))
    return FALSE;
  if (id == NULL)
    return TRUE;
  if (!beckon_database_begin (database, BECKON_DURABILITY_FULL, error))
    return FALSE;
  if (!erase_piece (database, id, places, error))
    {
      beckon_database_rollback (database);
      return FALSE;
    }

  *has_more = TRUE;

  return beckon_database_commit (database, error);
}

gboolean
beckon_erase_traces_step (BeckonDatabase *database, guint *n_steps, gboolean *has_more, GError **error)
{
  gboolean is_first = (*n_steps)++ == 0;
  sqlite3 *handle = beckon_database_get_handle (database);
  int before = sqlite3_total_changes (handle);

  if (!beckon_database_begin (database, BECKON_DURABILITY_NORMAL, error))
    return FALSE;
  if (!beckon_database_run (database, error, is_first ? begin_texts_sql : merge_texts_sql, "")
      || !beckon_database_run (database, error, is_first ? begin_titles_sql : merge_titles_sql, ""))
    {
      beckon_database_rollback (database);
      return FALSE;
    }

  /* The number of changes tells whether there was anything to merge: each of the two counts one if it did nothing. */
  *has_more = is_first || sqlite3_total_changes (handle) - before > 2;

  return beckon_database_commit (database, error);
}
