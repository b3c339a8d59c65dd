/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-batch-private.h"

gboolean
beckon_batch_write_files (BeckonDatabase *database, const char *sql, const char *owner, GPtrArray *files, GError **error)
{
  gint64 place = 0;

  for (guint i = 0; i < files->len; i++)
    {
      BeckonPart *part = g_ptr_array_index (files, i);
      GBytes *file = beckon_part_get_file (part);

      if (!beckon_database_run (database, error, sql, "sissb", owner, place++, beckon_part_get_origin (part),
                                beckon_part_get_media_type (part), beckon_part_get_text (part),
                                beckon_part_get_length (part)))
        return FALSE;
      if (file != NULL
          && !beckon_database_run (database, error, sql, "sissb", owner, place++,
                                   beckon_part_get_origin (part), beckon_part_get_file_type (part),
                                   g_bytes_get_data (file, NULL), g_bytes_get_size (file)))
        return FALSE;
    }
  return TRUE;
}

static gboolean
draft_write_files (BeckonSession *session, const BeckonValue *values, GError **error)
{
  return beckon_batch_write_files (session->database,
                                   "INSERT INTO draft_file (conversation, place, origin, media_type, text)"
                                   " SELECT id, ?2, ?3, ?4, ?5 FROM conversation WHERE id = ?1",
                                   values[0].text, values[1].object, error);
}

/* None of the files changes any more. Other processes are not told, as of a draft. */
void
beckon_batch_set_draft_files (BeckonBatch *batch, const char *conversation_id, GListModel *files)
{
  gboolean was_quiet = batch->is_quiet;
  GPtrArray *all = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; files != NULL && i < g_list_model_get_n_items (files); i++)
    g_ptr_array_add (all, g_list_model_get_item (files, i));
  beckon_batch_add_id (batch, conversation_id);
  beckon_batch_run (batch, "DELETE FROM draft_file WHERE conversation = ?1", conversation_id);
  beckon_batch_work (batch, draft_write_files, conversation_id, BECKON_OWNED (all, g_ptr_array_unref));
  batch->is_quiet = was_quiet;
}
