/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/db/beckon-store-private.h"

/* More than a sidebar shows. */
#define FIRST_HEADERS 60

/* The index has only the pending ones, which are few; without being told the planner takes the one of all requests. */
#define HEADER                                                                                                         \
  "SELECT c.id, c.created_at, c.updated_at, c.title, c.profile, c.draft,"                                              \
  "  r.phase, r.detail, r.retry_at, r.open AND r.lease IS ?1,"                                                         \
  "  (SELECT count (*) FROM request INDEXED BY request_pending WHERE conversation = c.id AND state = 'pending'),"      \
  "  c.pinned, c.archived, c.unread, c.named_by, c.origin, c.origin_message, c.sequence, c.folder, c.mode, c.path, c.effort,"  \
  "  c.seen_at"                                                                                                        \
  " FROM conversation c LEFT JOIN run r ON r.number = (SELECT max (number) FROM run WHERE conversation = c.id)"        \
  " WHERE c.deleted_at IS NULL"

static const char list_sql[] = HEADER " ORDER BY c.sequence DESC, c.updated_at DESC, c.id DESC";
/* The newest, and what stands out: it is pinned, waits for a person, or goes on. Some that are archived tell that there are
 * any; they are in no order, because to find the newest of few is to look at all. */
static const char first_sql[] = HEADER
  " AND c.id IN (SELECT * FROM (SELECT id FROM conversation WHERE deleted_at IS NULL AND NOT archived"
  "    ORDER BY sequence DESC LIMIT " G_STRINGIFY (FIRST_HEADERS) ")"
  "  UNION SELECT id FROM conversation WHERE pinned AND deleted_at IS NULL"
  "  UNION SELECT * FROM (SELECT id FROM conversation WHERE archived AND deleted_at IS NULL"
  "    LIMIT " G_STRINGIFY (FIRST_HEADERS) ")"
  "  UNION SELECT conversation FROM request INDEXED BY request_pending WHERE state = 'pending'"
  "  UNION SELECT conversation FROM run WHERE open)"
  " ORDER BY c.sequence DESC, c.updated_at DESC, c.id DESC";
static const char find_sql[] = HEADER " AND c.id = ?2";
static const char count_sql[] =
  "SELECT conversation, count (*) FROM request INDEXED BY request_pending WHERE state = 'pending' GROUP BY conversation";

static GQuark
ours_quark (void)
{
  return g_quark_from_static_string ("beckon-store-header-is-ours");
}

gboolean
beckon_store_header_is_ours (BeckonConversation *header)
{
  return g_object_get_qdata (G_OBJECT (header), ours_quark ()) != NULL;
}

static void
read_marks (BeckonConversation *header, sqlite3_stmt *row)
{
  BeckonTitleSource source = BECKON_TITLE_PERSON;
  BeckonMode mode = BECKON_MODE_ASK_EVERYTHING;
  BeckonEffort effort = BECKON_EFFORT_DEFAULT;
  const char *folder = beckon_column_text (row, 18);

  beckon_title_source_from_string (beckon_column_text (row, 14), &source);
  beckon_conversation_set_pinned (header, sqlite3_column_int (row, 11) != 0);
  beckon_conversation_set_archived (header, sqlite3_column_int (row, 12) != 0);
  beckon_conversation_set_unread (header, sqlite3_column_int (row, 13) != 0);
  beckon_conversation_set_title_source (header, source);
  beckon_conversation_set_origin (header, beckon_column_text (row, 15), beckon_column_text (row, 16));
  beckon_conversation_set_sequence (header, sqlite3_column_int64 (row, 17));
  beckon_conversation_set_path (header, sqlite3_column_int64 (row, 20));
  beckon_mode_from_string (beckon_column_text (row, 19), &mode);
  beckon_conversation_set_folder (header, folder != NULL && g_path_is_absolute (folder) ? folder : NULL);
  beckon_conversation_set_mode (header, mode);
  beckon_effort_from_string (beckon_column_text (row, 21), &effort);
  beckon_conversation_set_effort (header, effort);
  beckon_conversation_set_seen_at (header, sqlite3_column_int64 (row, 22));
}

BeckonConversation *
beckon_store_take_header (sqlite3_stmt *row)
{
  BeckonConversation *header = beckon_conversation_new (beckon_column_text (row, 0), sqlite3_column_int64 (row, 1));
  BeckonRunPhase phase;

  beckon_conversation_set_updated_at (header, sqlite3_column_int64 (row, 2));
  beckon_conversation_set_title (header, beckon_column_text (row, 3));
  beckon_conversation_set_profile_id (header, beckon_column_text (row, 4));
  beckon_conversation_set_draft (header, beckon_column_text (row, 5));
  if (beckon_run_phase_from_string (beckon_column_text (row, 6), &phase))
    beckon_conversation_set_phase (header, phase, beckon_column_text (row, 7), sqlite3_column_int64 (row, 8));
  if (sqlite3_column_int (row, 9) != 0)
    g_object_set_qdata (G_OBJECT (header), ours_quark (), GINT_TO_POINTER (TRUE));
  beckon_conversation_set_waiting (header, (guint) sqlite3_column_int (row, 10));
  read_marks (header, row);

  return header;
}

sqlite3_stmt *
beckon_store_query_headers (BeckonSession *session, GError **error)
{
  return beckon_database_query (session->database, error, list_sql, "s", beckon_lease_get_token (session->lease));
}

sqlite3_stmt *
beckon_store_query_first_headers (BeckonSession *session, GError **error)
{
  return beckon_database_query (session->database, error, first_sql, "s", beckon_lease_get_token (session->lease));
}

BeckonConversation *
beckon_store_read_header (BeckonSession *session, const char *conversation_id, GError **error)
{
  sqlite3_stmt *statement = beckon_database_query (session->database, error, find_sql, "ss",
                                                   beckon_lease_get_token (session->lease), conversation_id);
  BeckonConversation *header;

  if (statement == NULL || beckon_database_step (session->database, statement, error) != BECKON_STEP_ROW)
    return NULL;

  header = beckon_store_take_header (statement);
  sqlite3_reset (statement);

  return header;
}

static gpointer
read_header (BeckonSession *session, sqlite3_stmt *row)
{
  return beckon_store_take_header (row);
}

BECKON_STORE_LIST (beckon_store_list_conversations, list_sql, read_header, g_object_unref, BECKON_LEASE)

static gboolean
count_in (BeckonDatabase *database, GHashTable *counts, GError **error)
{
  sqlite3_stmt *statement = beckon_database_query (database, error, count_sql, "");
  BeckonStep step = BECKON_STEP_ERROR;

  while (statement != NULL && (step = beckon_database_step (database, statement, error)) == BECKON_STEP_ROW)
    g_hash_table_insert (counts, g_strdup (beckon_column_text (statement, 0)),
                         GINT_TO_POINTER (sqlite3_column_int (statement, 1)));

  return step == BECKON_STEP_DONE;
}

static gpointer
count_pending (BeckonSession *session, gpointer data, GError **error)
{
  g_autoptr (GHashTable) counts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  if (!count_in (session->database, counts, error)
      || (session->memory != NULL && !count_in (session->memory, counts, error)))
    return NULL;

  return g_steal_pointer (&counts);
}

void
beckon_store_count_pending_async (BeckonStore *self, GAsyncReadyCallback callback, gpointer user_data)
{
  const BeckonStoreOp op = { .func = count_pending, .free_result = (GDestroyNotify) g_hash_table_unref };

  beckon_store_work_async (self, &op, beckon_store_count_pending_async, NULL, callback, user_data, BECKON_NONE);
}

BECKON_FINISH_POINTER (GHashTable *, beckon_store_count_pending, BeckonStore)

/* Newest first. A list that has grown long is one that no model gets through. */
static const char untitled_sql[] =
  "SELECT id FROM conversation INDEXED BY conversation_untitled WHERE wants_title AND named_by = 'message'"
  " AND deleted_at IS NULL ORDER BY sequence DESC LIMIT 50";

BECKON_STORE_LIST (beckon_store_list_untitled, untitled_sql, beckon_query_read_text, g_free, BECKON_NONE)
