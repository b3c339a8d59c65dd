/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "store/db/beckon-store-private.h"

#include "domain/beckon-attachment.h"

static const char files_sql[] =
  "SELECT origin, media_type, text FROM draft_file WHERE conversation = ?1 ORDER BY place";

static BeckonPart *
read_file (sqlite3_stmt *row)
{
  const char *media_type = beckon_column_text (row, 1);
  BeckonPart *part = beckon_part_new (media_type != NULL ? BECKON_PART_IMAGE : BECKON_PART_TEXT, NULL);

  beckon_part_set_origin (part, beckon_column_text (row, 0));
  if (media_type != NULL)
    beckon_part_set_media_type (part, media_type);
  beckon_part_append (part, sqlite3_column_blob (row, 2), (gsize) sqlite3_column_bytes (row, 2));
  return part;
}

/* As a message has it: the file behind its text. */
static void
take_file (GPtrArray *files, sqlite3_stmt *row)
{
  g_autoptr (GBytes) file
      = g_bytes_new (sqlite3_column_blob (row, 2), (gsize) sqlite3_column_bytes (row, 2));

  beckon_attachment_take_file (files->len > 0 ? g_ptr_array_index (files, files->len - 1) : NULL,
                               beckon_column_text (row, 0), beckon_column_text (row, 1), file);
}

static gpointer
read_files (BeckonSession *session, gpointer data, GError **error)
{
  sqlite3_stmt *statement = beckon_database_query (session->database, error, files_sql, "s", data);
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_object_unref);
  BeckonStep step = BECKON_STEP_ERROR;

  while (statement != NULL && (step = beckon_database_step (session->database, statement, error)) == BECKON_STEP_ROW)
    {
      if (beckon_attachment_is_file_type (beckon_column_text (statement, 1)))
        take_file (files, statement);
      else
        g_ptr_array_add (files, read_file (statement));
    }

  return step == BECKON_STEP_DONE ? g_steal_pointer (&files) : NULL;
}

void
beckon_store_load_draft_files_async (BeckonStore *self, const char *conversation_id, GCancellable *cancellable,
                                     GAsyncReadyCallback callback, gpointer user_data)
{
  BeckonStoreOp op = {
    .func = read_files,
    .data = g_strdup (conversation_id),
    .free_data = g_free,
    .free_result = (GDestroyNotify) g_ptr_array_unref,
  };

  g_return_if_fail (BECKON_IS_STORE (self));
  g_return_if_fail (conversation_id != NULL);

  op.in_memory = g_hash_table_contains (beckon_store_get_temporary (self), conversation_id);
  beckon_store_submit (self,
                       beckon_store_task_new (self, cancellable, callback, user_data, beckon_store_load_draft_files_async),
                       &op);
}

GPtrArray *
beckon_store_load_draft_files_finish (BeckonStore *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, beckon_store_load_draft_files_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
