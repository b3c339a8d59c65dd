/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-batch-private.h"

#include "base/beckon-error.h"

#include <glib/gi18n-lib.h>
#include <string.h>

static const char add_result_sql[] =
  "INSERT INTO part (message, place, kind, call, is_error, text)"
  " SELECT message, NULL, 'result', id, ?2, ?3 FROM call WHERE id = ?1";
static const char add_provenance_sql[] =
  "INSERT INTO provenance (conversation, call, event, data, at) VALUES (?1, ?2, ?3, ?4, ?5)";

BeckonBatch *
beckon_batch_new (BeckonDurability durability)
{
  BeckonBatch *batch = g_new0 (BeckonBatch, 1);

  batch->durability = durability;
  batch->ops = g_ptr_array_new ();
  batch->requests = g_ptr_array_new_with_free_func (g_object_unref);
  batch->ids = g_ptr_array_new_with_free_func (g_free);
  batch->is_quiet = TRUE;

  return batch;
}

/* The requests are objects of the main thread; the store takes them out before it hands the batch on. */
void
beckon_batch_free (BeckonBatch *batch)
{
  g_return_if_fail (batch != NULL);

  for (guint i = 0; i < batch->ops->len; i++)
    {
      BeckonBatchOp *op = g_ptr_array_index (batch->ops, i);

      op->free (op);
    }
  g_ptr_array_unref (batch->ops);
  g_clear_pointer (&batch->requests, g_ptr_array_unref);
  g_ptr_array_unref (batch->ids);
  g_free (batch);
}

void
beckon_batch_add (BeckonBatch *batch, gpointer data, gboolean (*exec) (const BeckonBatchOp *, BeckonSession *, GError **),
                  void (*free_op) (BeckonBatchOp *))
{
  BeckonBatchOp *op = data;

  op->exec = exec;
  op->free = free_op;
  g_ptr_array_add (batch->ops, op);
  batch->is_quiet = FALSE;
}

void
beckon_batch_add_id (BeckonBatch *batch, const char *id)
{
  if (id != NULL)
    g_ptr_array_add (batch->ids, g_strdup (id));
}

gboolean
beckon_batch_refuse_missing (GError **error)
{
  g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_NOT_FOUND,
                       _("This belongs to something that is no longer in the history."));

  return FALSE;
}

void
beckon_batch_keep (BeckonBatch *batch)
{
  g_return_if_fail (batch != NULL);

  batch->is_kept = TRUE;
}

static gboolean
exec_ops (BeckonBatch *batch, BeckonSession *session, GError **error)
{
  for (guint i = 0; i < batch->ops->len; i++)
    {
      BeckonBatchOp *op = g_ptr_array_index (batch->ops, i);

      if (!op->exec (op, session, error))
        return FALSE;
    }

  return TRUE;
}

gboolean
beckon_batch_exec (BeckonBatch *batch, BeckonSession *session, GError **error)
{
  g_assert (batch != NULL && session != NULL);

  if (batch->ops->len == 0)
    return TRUE;

  if (!beckon_database_begin (session->database, batch->durability, error))
    return FALSE;

  if (!exec_ops (batch, session, error))
    {
      beckon_database_rollback (session->database);
      return FALSE;
    }

  if (!beckon_database_commit (session->database, error))
    return FALSE;

  session->has_unindexed = TRUE;
  if (!batch->is_quiet)
    session->has_news = TRUE;

  return TRUE;
}

gboolean
beckon_batch_write_result (BeckonDatabase *database, const char *call_id, const char *result, gboolean is_error,
                           GError **error)
{
  return beckon_database_run (database, error, add_result_sql, "sib", call_id, (gint64) !!is_error, result,
                              strlen (result));
}

gboolean
beckon_batch_write_provenance (BeckonDatabase *database, const char *conversation_id, const char *call_id,
                               const char *event, const char *data, gint64 at, GError **error)
{
  return beckon_database_run (database, error, add_provenance_sql, "ssssi", conversation_id, call_id, event,
                              data != NULL ? data : "{}", at);
}

void
beckon_batch_warm (BeckonDatabase *database)
{
  beckon_database_warm (database, add_result_sql);
  beckon_database_warm (database, add_provenance_sql);
}
