/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "base/beckon-json-value.h"
#include "domain/beckon-attachment.h"
#include "form/beckon-parameters.h"
#include "request/beckon-vault.h"
#include "store/db/beckon-store-private.h"

#include <string.h>

static const char files_sql[] =
  "SELECT origin, media_type, text FROM draft_file WHERE conversation = ?1 ORDER BY place";
static const char queued_files_sql[] =
  "SELECT origin, media_type, text FROM queued_file WHERE message = ?1 ORDER BY place";
static const char queue_sql[] =
  "SELECT id, sends_now, text FROM queued_message WHERE conversation = ?1 ORDER BY number";

static GPtrArray *
query_drafts_list_files (BeckonSession *session, const char *sql, const char *owner, GError **error)
{
  sqlite3_stmt *statement = beckon_database_query (session->database, error, sql, "s", owner);
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_object_unref);
  BeckonStep step = BECKON_STEP_ERROR;

  while (statement != NULL && (step = beckon_database_step (session->database, statement, error)) == BECKON_STEP_ROW)
    {
      const char *media_type = beckon_column_text (statement, 1);

      if (beckon_attachment_is_file_type (media_type))
        {
          /* As a message has it: the file behind its text. */
          g_autoptr (GBytes) file
              = g_bytes_new (sqlite3_column_blob (statement, 2), (gsize) sqlite3_column_bytes (statement, 2));

          beckon_attachment_take_file (files->len > 0 ? g_ptr_array_index (files, files->len - 1) : NULL,
                                       beckon_column_text (statement, 0), media_type, file);
        }
      else
        {
          BeckonPart *part = beckon_part_new (media_type != NULL ? BECKON_PART_IMAGE : BECKON_PART_TEXT, NULL);

          beckon_part_set_origin (part, beckon_column_text (statement, 0));
          if (media_type != NULL)
            beckon_part_set_media_type (part, media_type);
          beckon_part_append (part, sqlite3_column_blob (statement, 2), (gsize) sqlite3_column_bytes (statement, 2));
          g_ptr_array_add (files, part);
        }
    }

  return step == BECKON_STEP_DONE ? g_steal_pointer (&files) : NULL;
}

static gpointer
read_files (BeckonSession *session, gpointer data, GError **error)
{
  return query_drafts_list_files (session, files_sql, ((const BeckonValue *) data)->text, error);
}

static gpointer
read_queue (BeckonSession *session, gpointer data, GError **error)
{
  sqlite3_stmt *statement = beckon_database_query_values (session->database, error, queue_sql, data);
  g_autoptr (GPtrArray) queue = g_ptr_array_new_with_free_func (g_object_unref);
  BeckonStep step = BECKON_STEP_ERROR;

  while (statement != NULL && (step = beckon_database_step (session->database, statement, error)) == BECKON_STEP_ROW)
    {
      const char *id = beckon_column_text (statement, 0);
      g_autoptr (GPtrArray) files = query_drafts_list_files (session, queued_files_sql, id, error);

      if (files == NULL)
        {
          sqlite3_reset (statement);
          return NULL;
        }
      g_ptr_array_add (queue, beckon_queue_item_new (id, beckon_column_text (statement, 2), files,
                                                     sqlite3_column_int (statement, 1) != 0));
    }

  return step == BECKON_STEP_DONE ? g_steal_pointer (&queue) : NULL;
}

void
beckon_store_load_draft_files_async (BeckonStore *self, const char *conversation_id, GCancellable *cancellable,
                                     GAsyncReadyCallback callback, gpointer user_data)
{
  const BeckonStoreOp op = { .func = read_files, .free_result = (GDestroyNotify) g_ptr_array_unref };

  beckon_store_work_async (self, &op, beckon_store_load_draft_files_async, cancellable, callback, user_data, conversation_id);
}

BECKON_FINISH_POINTER (GPtrArray *, beckon_store_load_draft_files, BeckonStore)

void
beckon_store_load_queue_async (BeckonStore *self, const char *conversation_id, GCancellable *cancellable,
                               GAsyncReadyCallback callback, gpointer user_data)
{
  const BeckonStoreOp op = { .func = read_queue, .free_result = (GDestroyNotify) g_ptr_array_unref };

  beckon_store_work_async (self, &op, beckon_store_load_queue_async, cancellable, callback, user_data, conversation_id);
}

BECKON_FINISH_POINTER (GPtrArray *, beckon_store_load_queue, BeckonStore)

/* Values with which a tool ran before: those of its last calls, what a person made of them included. Only what is
 * in the file: a temporary conversation leaves nothing. */

/* How many calls are looked at, how many values of an argument there are, and how long one may be. */
#define MAX_CALLS "100"
#define MAX_VALUES 8
#define MAX_BYTES 400

static const char earlier_list_sql[] =
  "SELECT coalesce ((SELECT s.arguments FROM request r JOIN settlement s ON s.request = r.id"
  "  WHERE r.call = c.id AND s.arguments IS NOT NULL ORDER BY s.at DESC LIMIT 1), c.settled, c.arguments), c.concealed"
  " FROM call c JOIN message m ON m.id = c.message JOIN conversation v ON v.id = m.conversation"
  " WHERE c.tool = ?1 AND c.state = 'done' AND c.started_at > 0 AND v.deleted_at IS NULL"
  " ORDER BY c.id DESC LIMIT " MAX_CALLS;

static gboolean
is_worth_it (const char *json)
{
  gsize length;

  return strlen (json) <= MAX_BYTES && beckon_secret_handle_find (json, &length) == NULL;
}

static gpointer
store_query_earlier_list (BeckonSession *session, gpointer data, GError **error)
{
  g_autoptr (GHashTable) values
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_ptr_array_unref);
  sqlite3_stmt *statement = beckon_database_query_values (session->database, error, earlier_list_sql, data);
  BeckonStep step = BECKON_STEP_ERROR;

  while (statement != NULL && (step = beckon_database_step (session->database, statement, error)) == BECKON_STEP_ROW)
    {
      const char *redacted = beckon_column_text (statement, 1);
      g_autofree char *shown = beckon_parameters_show_by (redacted, beckon_column_text (statement, 0));
      g_autoptr (BeckonParameters) hidden = redacted != NULL ? beckon_parameters_from_json (redacted, NULL) : NULL;
      g_autoptr (BeckonJsonValue) root = beckon_json_value_parse (shown, -1, NULL);

      for (guint i = 0; root != NULL && root->kind == BECKON_JSON_VALUE_OBJECT && i < root->children->len; i++)
        {
          const BeckonJsonValue *member = beckon_json_value_get_child (root, i);
          g_autofree char *json = beckon_json_value_print (member);
          GPtrArray *list = g_hash_table_lookup (values, member->name->str);

          if (beckon_parameters_find (hidden, member->name->str) != NULL || !is_worth_it (json))
            continue;
          if (list == NULL)
            {
              list = g_ptr_array_new_with_free_func (g_free);
              g_hash_table_insert (values, g_strdup (member->name->str), list);
            }
          if (list->len < MAX_VALUES && !g_ptr_array_find_with_equal_func (list, json, g_str_equal, NULL))
            g_ptr_array_add (list, g_steal_pointer (&json));
        }
    }

  return step == BECKON_STEP_DONE ? g_steal_pointer (&values) : NULL;
}

void
beckon_store_list_earlier_async (BeckonStore *self, const char *tool, GCancellable *cancellable,
                                 GAsyncReadyCallback callback, gpointer user_data)
{
  const BeckonStoreOp op = { .func = store_query_earlier_list, .free_result = (GDestroyNotify) g_hash_table_unref };

  beckon_store_work_async (self, &op, beckon_store_list_earlier_async, cancellable, callback, user_data, tool);
}

BECKON_FINISH_POINTER (GHashTable *, beckon_store_list_earlier, BeckonStore)

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

BeckonConversation *
beckon_store_take_header (sqlite3_stmt *row)
{
  BeckonConversation *header = beckon_conversation_new (beckon_column_text (row, 0), sqlite3_column_int64 (row, 1));
  BeckonRunPhase phase;
  BeckonTitleSource source;
  BeckonMode mode;
  BeckonEffort effort;
  const char *folder;

  beckon_conversation_set_updated_at (header, sqlite3_column_int64 (row, 2));
  beckon_conversation_set_title (header, beckon_column_text (row, 3));
  beckon_conversation_set_profile_id (header, beckon_column_text (row, 4));
  beckon_conversation_set_draft (header, beckon_column_text (row, 5));
  if (beckon_run_phase_from_string (beckon_column_text (row, 6), &phase))
    beckon_conversation_set_phase (header, phase, beckon_column_text (row, 7), sqlite3_column_int64 (row, 8));
  if (sqlite3_column_int (row, 9) != 0)
    g_object_set_qdata (G_OBJECT (header), ours_quark (), GINT_TO_POINTER (TRUE));
  beckon_conversation_set_waiting (header, (guint) sqlite3_column_int (row, 10));
  source = BECKON_TITLE_PERSON;
  mode = BECKON_MODE_ASK_EVERYTHING;
  effort = BECKON_EFFORT_DEFAULT;
  folder = beckon_column_text (row, 18);
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
