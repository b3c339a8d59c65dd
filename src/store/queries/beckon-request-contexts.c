/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-request-contexts.h"

#include "base/beckon-text.h"
#include "store/db/beckon-store-private.h"

#include <string.h>

#define COLUMNS                                                                                                        \
  "r.id, c.title, coalesce ((SELECT profile FROM run WHERE conversation = c.id ORDER BY number DESC LIMIT 1), c.profile)," \
  " k.tool, coalesce (k.settled, k.arguments), r.message, r.call, k.concealed"
#define JOINS " JOIN conversation c ON c.id = r.conversation LEFT JOIN call k ON k.id = r.call"

static const char pending_sql[] =
  "SELECT " COLUMNS " FROM request r INDEXED BY request_pending" JOINS " WHERE r.state = 'pending'";
static const char one_sql[] = "SELECT " COLUMNS " FROM request r" JOINS " WHERE r.id = ?1";
static const char text_sql[] =
  "SELECT p.text, (SELECT group_concat (text, '') FROM (SELECT CAST (text AS TEXT) AS text FROM chunk WHERE part = p.id"
  "  ORDER BY seq))"
  " FROM part p WHERE p.message = ?1 AND p.kind = 'text'"
  "  AND p.place < (SELECT place FROM part WHERE call = ?2 AND kind = 'call') ORDER BY p.place";

static BeckonRequestContext *
read_context (sqlite3_stmt *row)
{
  BeckonRequestContext *context = beckon_request_context_new (beckon_column_text (row, 0));

  context->title = g_strdup (beckon_column_text (row, 1));
  context->profile_id = g_strdup (beckon_column_text (row, 2));
  context->tool = g_strdup (beckon_column_text (row, 3));
  if (beckon_column_text (row, 4) != NULL)
    context->arguments = beckon_parameters_show_by (beckon_column_text (row, 7), beckon_column_text (row, 4));
  return context;
}

/* The last characters are the ones that led to it. */
static char *
keep_end (GString *text)
{
  g_autofree char *valid = beckon_text_make_valid (text->str, (gssize) text->len, NULL);
  g_autofree char *trimmed = g_strstrip (g_steal_pointer (&valid));
  glong length = g_utf8_strlen (trimmed, -1);

  if (length == 0)
    return NULL;
  if (length <= BECKON_REQUEST_CONTEXT_MAX_TEXT)
    return g_steal_pointer (&trimmed);

  return g_strconcat ("…", g_utf8_offset_to_pointer (trimmed, length - BECKON_REQUEST_CONTEXT_MAX_TEXT + 1), NULL);
}

static void
append_column (GString *text, sqlite3_stmt *row, int column)
{
  const char *bytes = sqlite3_column_blob (row, column);
  int length = sqlite3_column_bytes (row, column);

  if (bytes != NULL && length > 0)
    g_string_append_len (text, bytes, length);
}

static gboolean
contexts_read_text (BeckonDatabase *database, BeckonRequestContext *context, const char *message_id, const char *call_id,
                    GError **error)
{
  sqlite3_stmt *statement = beckon_database_query (database, error, text_sql, "ss", message_id, call_id);
  BeckonStep step = BECKON_STEP_ERROR;
  g_autoptr (GString) text = g_string_new (NULL);

  while (statement != NULL && (step = beckon_database_step (database, statement, error)) == BECKON_STEP_ROW)
    {
      if (text->len > 0)
        g_string_append (text, "\n\n");
      append_column (text, statement, 0);
      append_column (text, statement, 1);
    }

  context->text = keep_end (text);
  return step == BECKON_STEP_DONE;
}

static gboolean
read_pending (BeckonDatabase *database, GHashTable *contexts, GError **error)
{
  sqlite3_stmt *statement = beckon_database_query (database, error, pending_sql, "");
  BeckonStep step = BECKON_STEP_ERROR;

  while (statement != NULL && (step = beckon_database_step (database, statement, error)) == BECKON_STEP_ROW)
    {
      BeckonRequestContext *context = read_context (statement);

      g_hash_table_insert (contexts, context->request_id, context);
    }

  return step == BECKON_STEP_DONE;
}

static gpointer
load_pending (BeckonSession *session, gpointer data, GError **error)
{
  g_autoptr (GHashTable) contexts
      = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify) beckon_request_context_free);

  if (!read_pending (session->database, contexts, error)
      || (session->memory != NULL && !read_pending (session->memory, contexts, error)))
    return NULL;
  return g_steal_pointer (&contexts);
}

static gpointer
load_one (BeckonSession *session, gpointer data, GError **error)
{
  g_autoptr (GHashTable) contexts
      = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify) beckon_request_context_free);
  sqlite3_stmt *statement = beckon_database_query_values (session->database, error, one_sql, data);
  BeckonStep step = statement != NULL ? beckon_database_step (session->database, statement, error) : BECKON_STEP_ERROR;
  g_autofree char *message_id = NULL;
  g_autofree char *call_id = NULL;
  BeckonRequestContext *context;

  if (step != BECKON_STEP_ROW)
    return step == BECKON_STEP_DONE ? g_steal_pointer (&contexts) : NULL;

  context = read_context (statement);
  message_id = g_strdup (beckon_column_text (statement, 5));
  call_id = g_strdup (beckon_column_text (statement, 6));
  sqlite3_reset (statement);
  g_hash_table_insert (contexts, context->request_id, context);

  if (message_id != NULL && call_id != NULL && !contexts_read_text (session->database, context, message_id, call_id, error))
    return NULL;

  return g_steal_pointer (&contexts);
}

void
beckon_store_load_contexts_async (BeckonStore *store, const char *request_id, GCancellable *cancellable,
                                  GAsyncReadyCallback callback, gpointer user_data)
{
  const BeckonStoreOp op = { .func = request_id != NULL ? load_one : load_pending,
                             .free_result = (GDestroyNotify) g_hash_table_unref };

  beckon_store_work_async (store, &op, beckon_store_load_contexts_async, cancellable, callback, user_data, request_id);
}

BECKON_FINISH_POINTER (GHashTable *, beckon_store_load_contexts, BeckonStore)
