/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Questions that the model does not wait for. Their calls have their results; what a person answers is kept with the request,
 * which is due until the run's driver makes it a message at a round boundary. Both are one transaction, which holds only where
 * the request is still due, so that an answer becomes one message, whichever processes drive the run one after another. */

#include "beckon-settle-late.h"

#include "beckon-batch-private.h"

static const char cancel_sql[] =
  "INSERT INTO settlement (request, state, answer, arguments, front_end, actor, at)"
  " SELECT id, 'cancelled', NULL, NULL, 'agent', ?2, ?3 FROM request INDEXED BY request_due"
  " WHERE conversation = ?1 AND due AND state = 'pending'";
static const char cancelled_sql[] =
  "UPDATE request SET state = 'cancelled' WHERE conversation = ?1 AND due AND state = 'pending'";
static const char deliver_sql[] = "UPDATE request SET due = 0 WHERE id = ?1 AND due AND state <> 'pending'";

typedef struct
{
  BeckonBatchOp base;
  char *conversation_id;
  char *request_id;
  char *call_id; /* (nullable) */
  gint64 at;
} Deliver;

gboolean
beckon_settle_late_end (BeckonDatabase *database, const char *conversation_id, gint64 at, GError **error)
{
  int cancelled
      = beckon_database_change (database, error, cancel_sql, "ssi", conversation_id, g_get_user_name (), at);

  if (cancelled <= 0)
    return cancelled == 0;

  return beckon_database_run (database, error, cancelled_sql, "s", conversation_id)
         && beckon_batch_write_provenance (database, conversation_id, NULL, "settled",
                                           "{\"state\":\"cancelled\",\"front_end\":\"agent\"}", at, error);
}

static char *
describe (const char *request_id)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "request");
  json_builder_add_string_value (builder, request_id);
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);

  return json_to_string (root, FALSE);
}

static gboolean
exec_deliver (const BeckonBatchOp *base, BeckonSession *session, GError **error)
{
  const Deliver *op = (const Deliver *) base;
  int changed = beckon_database_change (session->database, error, deliver_sql, "s", op->request_id);
  g_autofree char *data = NULL;

  if (changed <= 0)
    return changed == 0 && beckon_batch_refuse_missing (error);

  data = describe (op->request_id);
  return beckon_batch_write_provenance (session->database, op->conversation_id, op->call_id, "delivered", data, op->at, error);
}

static void
free_deliver (BeckonBatchOp *base)
{
  Deliver *op = (Deliver *) base;

  g_free (op->conversation_id);
  g_free (op->request_id);
  g_free (op->call_id);
  g_free (op);
}

void
beckon_batch_deliver_answer (BeckonBatch *batch, const char *conversation_id, const BeckonLateAnswer *answer, gint64 at)
{
  Deliver *op;

  g_return_if_fail (batch != NULL && conversation_id != NULL && answer != NULL);

  op = g_new0 (Deliver, 1);
  op->conversation_id = g_strdup (conversation_id);
  op->request_id = g_strdup (answer->request_id);
  op->call_id = g_strdup (answer->call_id);
  op->at = at;
  beckon_batch_add_id (batch, conversation_id);
  beckon_batch_add (batch, op, exec_deliver, free_deliver);
}
