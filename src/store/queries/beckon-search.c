/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A search is two things: the store's thread indexes what is still to be indexed, in pieces, so that what others ask for goes
 * in between; then a thread of its own reads with a connection of its own, which is opened for it. Readers of a write-ahead
 * log disturb no writer.
 *
 * Ranking weighs every row it is given, so it is given the newest of those that match and no more: a common word must not
 * cost what the whole history costs.
 */

#include "beckon-search.h"

#include "base/beckon-worker.h"
#include "store/db/beckon-store-private.h"
#include "store/index/beckon-search-index.h"
#include "store/index/beckon-search-snippet.h"
#include "store/index/beckon-search-text.h"
#include "store/sqlite/beckon-database.h"

#define MAX_RANKED 1000
#define MAX_STEPS 32
/* Words in a text of common length. */
#define COMMON_SIZE 60.0

typedef struct
{
  char *path;
  char *query;
  guint limit;

  /* in progress */
  guint n_steps;
  gboolean is_complete;
  gboolean is_stuck;     /* nothing more can be indexed */
  gboolean has_bad_index;
  gboolean was_repaired;
} Search;

typedef struct
{
  gint64 number;
  double score;
} Candidate;

typedef enum
{
  PROGRESS_COMPLETE,
  PROGRESS_MORE,
  PROGRESS_STUCK,
} Progress;

/* State shared by the thread's steps. */
typedef struct
{
  BeckonDatabase *database; /* (owned) */
  const Search *search;
  GPtrArray *hits;       /* (owned) (element-type BeckonSearchHit) */
  GHashTable *messages;  /* (owned) (element-type utf8): those that are among the hits */
} Reading;

#define SNIPPET(table) "beckon_snippet (" table ")"

static const char rank_titles_sql[] =
  "SELECT rowid, beckon_score (search_title) FROM search_title WHERE search_title MATCH ?1 ORDER BY rowid DESC"
  " LIMIT " G_STRINGIFY (MAX_RANKED);
static const char rank_texts_sql[] =
  "SELECT rowid, beckon_score (search_text) FROM search_text WHERE search_text MATCH ?1 ORDER BY rowid DESC"
  " LIMIT " G_STRINGIFY (MAX_RANKED);
static const char read_title_sql[] =
  "SELECT c.id, c.title, NULL, c.updated_at, " SNIPPET ("search_title")
  " FROM search_title CROSS JOIN title t ON t.id = search_title.rowid CROSS JOIN conversation c ON c.id = t.conversation"
  " WHERE search_title MATCH ?1 AND search_title.rowid = ?2 AND c.deleted_at IS NULL";
static const char read_text_sql[] =
  "SELECT c.id, c.title, m.id, m.created_at, " SNIPPET ("search_text")
  " FROM search_text CROSS JOIN part p ON p.id = search_text.rowid CROSS JOIN message m ON m.id = p.message"
  " CROSS JOIN conversation c ON c.id = m.conversation"
  " WHERE search_text MATCH ?1 AND search_text.rowid = ?2 AND c.deleted_at IS NULL AND m.deleted_at IS NULL";

static void
search_free (Search *search)
{
  g_free (search->path);
  g_free (search->query);
  g_free (search);
}

/* On a thread of its own */

static void
reading_clear (Reading *reading)
{
  g_clear_pointer (&reading->database, beckon_reader_close);
  g_clear_pointer (&reading->hits, g_ptr_array_unref);
  g_clear_pointer (&reading->messages, g_hash_table_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Reading, reading_clear)

static int
search_compare (gconstpointer a, gconstpointer b)
{
  const Candidate *first = a, *second = b;

  if (first->score < second->score || first->score > second->score)
    return first->score < second->score ? -1 : 1;

  return first->number > second->number ? -1 : first->number < second->number;
}

static gboolean
read_hit (Reading *reading, const char *sql, gint64 number, GError **error)
{
  sqlite3_stmt *statement = beckon_database_query (reading->database, error, sql, "si", reading->search->query, number);
  BeckonStep step = BECKON_STEP_ERROR;

  while (statement != NULL && (step = beckon_database_step (reading->database, statement, error)) == BECKON_STEP_ROW)
    {
      g_autoptr (BeckonSearchHit) hit = NULL;
      const char *message_id = beckon_column_text (statement, 2);

      if (message_id == NULL || !g_hash_table_contains (reading->messages, message_id))
        {
          hit = beckon_search_hit_new ();
          hit->conversation_id = g_strdup (beckon_column_text (statement, 0));
          hit->title = g_strdup (beckon_column_text (statement, 1));
          hit->message_id = g_strdup (message_id);
          hit->at = sqlite3_column_int64 (statement, 3);
          beckon_search_text_mark (beckon_column_text (statement, 4), hit);
          if (message_id != NULL)
            g_hash_table_add (reading->messages, hit->message_id);
          g_ptr_array_add (reading->hits, g_steal_pointer (&hit));
        }
    }

  return step == BECKON_STEP_DONE;
}

static gboolean
search_find (Reading *reading, const char *rank_sql, const char *read_sql, guint limit, GError **error)
{
  g_autoptr (GArray) candidates = g_array_new (FALSE, FALSE, sizeof (Candidate));
  sqlite3_stmt *statement = beckon_database_query (reading->database, error, rank_sql, "s", reading->search->query);
  BeckonStep step = BECKON_STEP_ERROR;

  while (statement != NULL && (step = beckon_database_step (reading->database, statement, error)) == BECKON_STEP_ROW)
    {
      Candidate candidate = { sqlite3_column_int64 (statement, 0), sqlite3_column_double (statement, 1) };

      g_array_append_val (candidates, candidate);
    }
  g_array_sort (candidates, search_compare);
  if (step != BECKON_STEP_DONE)
    return FALSE;

  for (guint i = 0; i < candidates->len && reading->hits->len < limit; i++)
    if (!read_hit (reading, read_sql, g_array_index (candidates, Candidate, i).number, error))
      return FALSE;

  return TRUE;
}

/* The library's own measure weighs a word by how rare it is, for which it walks all rows that have it: of a common word
 * that is * most of the history. All words looked for are in every row here, so how often they are there and how short
 * the text is * tells nearly as much. Smaller is better, as with the library's. */
static void
score (const Fts5ExtensionApi *api, Fts5Context *fts, sqlite3_context *context, int n_values, sqlite3_value **values)
{
  double sum = 0, size_weight;
  int n_phrases = api->xPhraseCount (fts);
  int n_matches = 0, size = 0;

  if (api->xColumnSize (fts, 0, &size) != SQLITE_OK || api->xInstCount (fts, &n_matches) != SQLITE_OK)
    {
      sqlite3_result_double (context, 0);
      return;
    }

  size_weight = 0.3 + 0.9 * size / COMMON_SIZE;
  for (int phrase = 0; phrase < n_phrases; phrase++)
    {
      double n_found = 0;

      for (int i = 0; i < n_matches; i++)
        {
          int of, column, offset;

          if (api->xInst (fts, i, &of, &column, &offset) == SQLITE_OK && of == phrase)
            n_found++;
        }
      sum -= n_found * 2.2 / (n_found + size_weight);
    }
  sqlite3_result_double (context, sum);
}

static gboolean
add_score (BeckonDatabase *database, GError **error)
{
  sqlite3 *handle = beckon_database_get_handle (database);
  sqlite3_stmt *statement = NULL;
  fts5_api *api = NULL;

  if (sqlite3_prepare_v2 (handle, "SELECT fts5 (?1)", -1, &statement, NULL) == SQLITE_OK
      && sqlite3_bind_pointer (statement, 1, &api, "fts5_api_ptr", NULL) == SQLITE_OK)
    sqlite3_step (statement);
  sqlite3_finalize (statement);
  if (api != NULL && api->xCreateFunction (api, "beckon_score", NULL, score, NULL) == SQLITE_OK)
    return TRUE;

  beckon_database_set_error (database, error);

  return FALSE;
}

static void
run_search (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;
  Search *search = data;
  g_auto (Reading) reading = {
    .database = beckon_reader_open (search->path, cancellable, &error),
    .search = search,
    .hits = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_search_hit_free),
    .messages = g_hash_table_new (g_str_hash, g_str_equal),
  };
  gboolean found;
  GPtrArray *hits;

  /* Titles must not crowd out what was said. */
  found = reading.database != NULL && add_score (reading.database, &error)
          && beckon_search_snippet_define (reading.database, &error)
          && search_find (&reading, rank_titles_sql, read_title_sql, (search->limit + 1) / 2, &error)
          && search_find (&reading, rank_texts_sql, read_text_sql, search->limit, &error);

  search->has_bad_index = reading.database != NULL && beckon_database_take_bad_index (reading.database);

  hits = found ? g_steal_pointer (&reading.hits) : NULL;
  if (hits != NULL)
    g_task_return_pointer (task, hits, (GDestroyNotify) g_ptr_array_unref);
  else
    g_task_return_error (task, error);
}

/* On the store's thread */

/* A store that cannot be written to can still be searched. */
static gpointer
index_step (BeckonSession *session, gpointer data, GError **error)
{
  g_autoptr (GError) failure = NULL;
  Progress *progress = g_new (Progress, 1);
  gboolean has_more;

  if (beckon_search_index_step (session->database, &has_more, &failure))
    {
      *progress = has_more ? PROGRESS_MORE : PROGRESS_COMPLETE;
    }
  else if (beckon_session_repair_index (session, FALSE))
    {
      *progress = PROGRESS_MORE;
    }
  else
    {
      g_info ("the history could not be indexed: %s", failure->message);
      *progress = PROGRESS_STUCK;
    }

  return progress;
}

/* A reader found it. */
static gpointer
repair (BeckonSession *session, gpointer data, GError **error)
{
  Progress *progress = g_new (Progress, 1);

  *progress = beckon_session_repair_index (session, TRUE) ? PROGRESS_MORE : PROGRESS_STUCK;

  return progress;
}

/* On the main thread */

static void start_step (GTask *task);
static void start_looking (GTask *task);

static void
on_step (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Search *search = g_task_get_task_data (task);
  GError *error = NULL;
  g_autofree Progress *progress = g_task_propagate_pointer (G_TASK (result), &error);

  if (progress == NULL)
    {
      g_task_return_error (task, error);
      return;
    }

  search->is_complete = *progress == PROGRESS_COMPLETE;
  search->is_stuck = *progress == PROGRESS_STUCK;
  if (*progress == PROGRESS_MORE && ++search->n_steps < MAX_STEPS)
    start_step (g_steal_pointer (&task));
  else
    start_looking (g_steal_pointer (&task));
}

static void
start_repair (GTask *task)
{
  BeckonStore *self = g_task_get_source_object (task);
  const BeckonStoreOp op = { .func = repair, .free_result = g_free };

  ((Search *) g_task_get_task_data (task))->was_repaired = TRUE;
  beckon_store_submit (self, beckon_store_task_new (self, g_task_get_cancellable (task), on_step, task, start_repair), &op);
}

static void
search_on_looked (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Search *search = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  GPtrArray *hits = g_task_propagate_pointer (G_TASK (result), &error);

  if (hits != NULL)
    g_task_return_pointer (task, hits, (GDestroyNotify) g_ptr_array_unref);
  else if (search->has_bad_index && !search->was_repaired)
    start_repair (g_steal_pointer (&task));
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

static void
start_looking (GTask *task)
{
  g_autoptr (GTask) looking
    = g_task_new (g_task_get_source_object (task), g_task_get_cancellable (task), search_on_looked, task);

  g_task_set_source_tag (looking, start_looking);
  g_task_set_task_data (looking, g_task_get_task_data (task), NULL);
  beckon_worker_run_for_person (looking, run_search);
}

static void
start_step (GTask *task)
{
  BeckonStore *self = g_task_get_source_object (task);
  const BeckonStoreOp op = { .func = index_step, .free_result = g_free };

  beckon_store_submit (self, beckon_store_task_new (self, g_task_get_cancellable (task), on_step, task, start_step), &op);
}

void
beckon_store_search_async (BeckonStore *self, const char *words, guint limit, GCancellable *cancellable,
                           GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  Search *search;

  g_return_if_fail (BECKON_IS_STORE (self));
  g_return_if_fail (words != NULL);

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, beckon_store_search_async);
  search = g_new0 (Search, 1);
  search->path = beckon_store_dup_path (self);
  search->query = beckon_search_text_to_query (words);
  search->limit = limit;
  search->is_complete = TRUE;
  g_task_set_task_data (task, search, (GDestroyNotify) search_free);

  if (search->query == NULL)
    g_task_return_pointer (task, g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_search_hit_free),
                           (GDestroyNotify) g_ptr_array_unref);
  else
    start_step (g_steal_pointer (&task));
}

GPtrArray *
beckon_store_search_finish (BeckonStore *self, GAsyncResult *result, gboolean *is_complete, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, beckon_store_search_async), NULL);

  if (is_complete != NULL)
    *is_complete = ((Search *) g_task_get_task_data (G_TASK (result)))->is_complete;

  return g_task_propagate_pointer (G_TASK (result), error);
}

gboolean
beckon_store_search_is_stuck (BeckonStore *self, GAsyncResult *result)
{
  g_return_val_if_fail (g_task_is_valid (result, self), TRUE);

  return ((Search *) g_task_get_task_data (G_TASK (result)))->is_stuck;
}
