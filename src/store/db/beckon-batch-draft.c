/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-batch-private.h"
#include "beckon-batch.h"

static const char drop_sql[] = "DELETE FROM draft_file WHERE conversation = ?1";
static const char add_sql[] =
  "INSERT INTO draft_file (conversation, place, origin, media_type, text)"
  " SELECT id, ?2, ?3, ?4, ?5 FROM conversation WHERE id = ?1";

typedef struct
{
  BeckonBatchOp base;
  char *id;
  GPtrArray *files; /* (owned) (element-type BeckonPart): none of them changes any more */
} SetFiles;

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
exec_set_files (const BeckonBatchOp *base, BeckonSession *session, GError **error)
{
  const SetFiles *op = (const SetFiles *) base;

  return beckon_database_run (session->database, error, drop_sql, "s", op->id)
         && beckon_batch_write_files (session->database, add_sql, op->id, op->files, error);
}

static void
free_set_files (BeckonBatchOp *base)
{
  SetFiles *op = (SetFiles *) base;

  g_free (op->id);
  g_ptr_array_unref (op->files);
  g_free (op);
}

void
beckon_batch_set_draft_files (BeckonBatch *batch, const char *conversation_id, GListModel *files)
{
  gboolean was_quiet;
  SetFiles *op;

  g_return_if_fail (batch != NULL);
  g_return_if_fail (conversation_id != NULL);

  op = g_new0 (SetFiles, 1);
  op->id = g_strdup (conversation_id);
  op->files = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; files != NULL && i < g_list_model_get_n_items (files); i++)
    g_ptr_array_add (op->files, g_list_model_get_item (files, i));
  /* As a draft is. */
  was_quiet = batch->is_quiet;
  beckon_batch_add_id (batch, conversation_id);
  beckon_batch_add (batch, op, exec_set_files, free_set_files);
  batch->is_quiet = was_quiet;
}
