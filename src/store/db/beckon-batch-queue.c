/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-batch-private.h"

static gboolean
queue_write_files (BeckonSession *session, const BeckonValue *values, GError **error)
{
  BeckonQueueItem *item = values[0].object;

  return beckon_batch_write_files (session->database,
                                   "INSERT INTO queued_file (message, place, origin, media_type, text)"
                                   " VALUES (?1, ?2, ?3, ?4, ?5)",
                                   beckon_queue_item_get_id (item), beckon_queue_item_get_files (item), error);
}

/* The item does not change any more but for what is copied here. */
void
beckon_batch_add_queued (BeckonBatch *batch, const char *conversation_id, BeckonQueueItem *item)
{
  beckon_batch_add_id (batch, conversation_id);
  beckon_batch_run (batch,
                    "INSERT INTO queued_message (id, conversation, sends_now, text)"
                    " SELECT ?2, id, ?3, ?4 FROM conversation WHERE id = ?1",
                    conversation_id, beckon_queue_item_get_id (item), beckon_queue_item_get_sends_now (item),
                    beckon_queue_item_get_text (item));
  beckon_batch_expect_there (batch);
  beckon_batch_work (batch, queue_write_files, BECKON_OWNED (g_object_ref (item), g_object_unref));
}

void
beckon_batch_remove_queued (BeckonBatch *batch, const char *conversation_id, BeckonQueueItem *item)
{
  beckon_batch_add_id (batch, conversation_id);
  beckon_batch_run (batch, "DELETE FROM queued_message WHERE id = ?1", beckon_queue_item_get_id (item));
  beckon_batch_expect_there (batch);
}

void
beckon_batch_send_queued_now (BeckonBatch *batch, const char *conversation_id, BeckonQueueItem *item)
{
  beckon_batch_add_id (batch, conversation_id);
  beckon_batch_run (batch, "UPDATE queued_message SET sends_now = 1 WHERE id = ?1", beckon_queue_item_get_id (item));
  beckon_batch_expect_there (batch);
}
