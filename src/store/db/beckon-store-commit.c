/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-batch-private.h"
#include "beckon-settle.h"
#include "beckon-store-private.h"

static gpointer
commit (BeckonSession *session, gpointer data, GError **error)
{
  return GINT_TO_POINTER (beckon_batch_exec (data, session, error));
}

static void
expect_answer (BeckonSession *session)
{
  beckon_settle_warm (session->database);
  beckon_database_make_room (session->database);
}

static void
on_requests_moved (BeckonStore *self, gpointer result)
{
  beckon_store_note_requests_moved (self);
}

/* A temporary conversation's data is temporary. */
static gboolean
is_temporary (BeckonStore *self, const BeckonBatch *batch)
{
  for (guint i = 0; i < batch->ids->len; i++)
    if (g_hash_table_contains (beckon_store_get_temporary (self), g_ptr_array_index (batch->ids, i)))
      return TRUE;

  return batch->is_temporary;
}

void
beckon_store_commit_async (BeckonStore *self, BeckonBatch *batch, GCancellable *cancellable,
                           GAsyncReadyCallback callback, gpointer user_data)
{
  BeckonStoreOp op = { .func = commit, .free_data = (GDestroyNotify) beckon_batch_free };
  GTask *task = NULL;

  g_return_if_fail (BECKON_IS_STORE (self));
  g_return_if_fail (batch != NULL);

  for (guint i = 0; i < batch->requests->len; i++)
    g_object_unref (beckon_store_unify_request (self, g_ptr_array_index (batch->requests, i)));
  g_clear_pointer (&batch->requests, g_ptr_array_unref);

  op.data = batch;
  op.use = batch->is_kept ? BECKON_STORE_KEEPS : BECKON_STORE_WRITES;
  op.in_memory = is_temporary (self, batch);
  if (op.in_memory)
    {
      for (guint i = 0; i < batch->ids->len; i++)
        g_hash_table_add (beckon_store_get_temporary (self), g_strdup (g_ptr_array_index (batch->ids, i)));
    }
  else if (batch->asks)
    op.after = expect_answer;
  else if (batch->durability == BECKON_DURABILITY_NORMAL)
    op.after = beckon_session_relieve;
  op.done = batch->moves_requests ? on_requests_moved : NULL;
  if (callback != NULL || cancellable != NULL)
    task = beckon_store_task_new (self, cancellable, callback, user_data, beckon_store_commit_async);

  beckon_store_bump_serial (self);
  beckon_store_submit (self, task, &op);
}

BECKON_FINISH_BOOLEAN (beckon_store_commit, BeckonStore)
