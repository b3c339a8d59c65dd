/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "store/db/beckon-store-private.h"

#include "domain/beckon-attachment.h"

static const char files_sql[] =
  "SELECT origin, media_type, text FROM draft_file WHERE conversation = ?1 ORDER BY place";
static const char queued_files_sql[] =
  "SELECT origin, media_type, text FROM queued_file WHERE message = ?1 ORDER BY place";
static const char queue_sql[] =
  "SELECT id, sends_now, text FROM queued_message WHERE conversation = ?1 ORDER BY number";

static BeckonPart *
query_drafts_read_file (sqlite3_stmt *row)
{
  const char *media_type = beckon_column_text (row, 1);
  BeckonPart *part = beckon_part_new (media_type != NULL ? BECKON_PART_IMAGE : BECKON_PART_TEXT, NULL);

  beckon_part_set_origin (part, beckon_column_text (row, 0));
  if (media_type != NULL)
    beckon_part_set_media_type (part, media_type);
  beckon_part_append (part, sqlite3_column_blob (row, 2), (gsize) sqlite3_column_bytes (row, 2));
  return part;
}

static GPtrArray *
query_drafts_list_files (BeckonSession *session, const char *sql, const char *owner, GError **error)
{
  sqlite3_stmt *statement = beckon_database_query (session->database, error, sql, "s", owner);
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_object_unref);
  BeckonStep step = BECKON_STEP_ERROR;

  while (statement != NULL && (step = beckon_database_step (session->database, statement, error)) == BECKON_STEP_ROW)
    {
      if (beckon_attachment_is_file_type (beckon_column_text (statement, 1)))
        {
          /* As a message has it: the file behind its text. */
          g_autoptr (GBytes) file
              = g_bytes_new (sqlite3_column_blob (statement, 2), (gsize) sqlite3_column_bytes (statement, 2));

          beckon_attachment_take_file (files->len > 0 ? g_ptr_array_index (files, files->len - 1) : NULL,
                                       beckon_column_text (statement, 0), beckon_column_text (statement, 1), file);
        }
      else
        g_ptr_array_add (files, query_drafts_read_file (statement));
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
