/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-batch-private.h"
#include "beckon-batch.h"

static const char add_sql[] =
  "INSERT INTO queued_message (id, conversation, sends_now, text)"
  " SELECT ?2, id, ?3, ?4 FROM conversation WHERE id = ?1";
static const char add_file_sql[] =
  "INSERT INTO queued_file (message, place, origin, media_type, text) VALUES (?1, ?2, ?3, ?4, ?5)";
static const char remove_sql[] = "DELETE FROM queued_message WHERE id = ?1";
static const char send_now_sql[] = "UPDATE queued_message SET sends_now = 1 WHERE id = ?1";

typedef struct
{
  BeckonBatchOp base;
  char *conversation_id; /* (nullable) */
  const char *sql;       /* of one that is there already */
  BeckonQueueItem *item; /* (owned): does not change any more but for what is copied here */
  gboolean sends_now;
} PutQueued;

static gboolean
exec_add (const BeckonBatchOp *base, BeckonSession *session, GError **error)
{
  const PutQueued *op = (const PutQueued *) base;
  const char *id = beckon_queue_item_get_id (op->item);
  int changed = beckon_database_change (session->database, error, add_sql, "ssis", op->conversation_id, id,
                                        (gint64) op->sends_now, beckon_queue_item_get_text (op->item));

  if (changed <= 0)
    return changed == 0 && beckon_batch_refuse_missing (error);
  return beckon_batch_write_files (session->database, add_file_sql, id, beckon_queue_item_get_files (op->item), error);
}

static gboolean
exec_change (const BeckonBatchOp *base, BeckonSession *session, GError **error)
{
  const PutQueued *op = (const PutQueued *) base;
  int changed = beckon_database_change (session->database, error, op->sql, "s", beckon_queue_item_get_id (op->item));

  return changed > 0 || (changed == 0 && beckon_batch_refuse_missing (error));
}

static void
free_put_queued (BeckonBatchOp *base)
{
  PutQueued *op = (PutQueued *) base;

  g_free (op->conversation_id);
  g_object_unref (op->item);
  g_free (op);
}

static PutQueued *
put_queued_new (BeckonBatch *batch, const char *conversation_id, BeckonQueueItem *item)
{
  PutQueued *op = g_new0 (PutQueued, 1);

  op->conversation_id = g_strdup (conversation_id);
  op->item = g_object_ref (item);
  op->sends_now = beckon_queue_item_get_sends_now (item);
  beckon_batch_add_id (batch, conversation_id);
  return op;
}

void
beckon_batch_add_queued (BeckonBatch *batch, const char *conversation_id, BeckonQueueItem *item)
{
  g_return_if_fail (batch != NULL && conversation_id != NULL);
  g_return_if_fail (BECKON_IS_QUEUE_ITEM (item));

  beckon_batch_add (batch, put_queued_new (batch, conversation_id, item), exec_add, free_put_queued);
}

static void
change_queued (BeckonBatch *batch, const char *conversation_id, BeckonQueueItem *item, const char *sql)
{
  PutQueued *op = put_queued_new (batch, conversation_id, item);

  op->sql = sql;
  beckon_batch_add (batch, op, exec_change, free_put_queued);
}

void
beckon_batch_remove_queued (BeckonBatch *batch, const char *conversation_id, BeckonQueueItem *item)
{
  g_return_if_fail (batch != NULL && conversation_id != NULL);
  g_return_if_fail (BECKON_IS_QUEUE_ITEM (item));

  change_queued (batch, conversation_id, item, remove_sql);
}

void
beckon_batch_send_queued_now (BeckonBatch *batch, const char *conversation_id, BeckonQueueItem *item)
{
  g_return_if_fail (batch != NULL && conversation_id != NULL);
  g_return_if_fail (BECKON_IS_QUEUE_ITEM (item));

  change_queued (batch, conversation_id, item, send_now_sql);
}
