/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-batch-private.h"
#include "beckon-settle-late.h"

#include "store/sqlite/beckon-branches.h"

typedef struct
{
  BeckonBatchOp op;
  char *conversation_id;
  GStrv message_ids;
  gint64 at; /* or a number of a version */
} Change;

static const char doom_sql[] = "UPDATE message SET deleted_at = 0 WHERE id = ?1 AND deleted_at > 0";
static const char erase_sql[] = "DELETE FROM message WHERE id = ?1 AND deleted_at IS NOT NULL";

static void
free_change (BeckonBatchOp *base)
{
  Change *op = (Change *) base;

  g_free (op->conversation_id);
  g_strfreev (op->message_ids);
  g_free (op);
}

static void
add_change (BeckonBatch *batch, const char *conversation_id, const char *const *message_ids, gint64 at,
            gboolean (*exec) (const BeckonBatchOp *, BeckonSession *, GError **))
{
  Change *op = g_new0 (Change, 1);

  op->conversation_id = g_strdup (conversation_id);
  op->message_ids = g_strdupv ((GStrv) message_ids);
  op->at = at;
  beckon_batch_add_id (batch, conversation_id);
  beckon_batch_add (batch, op, exec, free_change);
}

static gboolean
exec_leave (const BeckonBatchOp *base, BeckonSession *session, GError **error)
{
  const Change *op = (const Change *) base;

  return beckon_branches_check_idle (session->database, op->conversation_id, error)
         && beckon_branches_leave (session->database, op->conversation_id, op->message_ids[0], error)
         && beckon_settle_late_leave (session->database, op->conversation_id, g_get_real_time (), error);
}

static gboolean
exec_expect_shown (const BeckonBatchOp *base, BeckonSession *session, GError **error)
{
  const Change *op = (const Change *) base;

  return beckon_branches_check_free (session->database, op->conversation_id, error)
         && beckon_branches_check_shown (session->database, op->conversation_id, (const char *const *) op->message_ids, error);
}

static gboolean
exec_show (const BeckonBatchOp *base, BeckonSession *session, GError **error)
{
  const Change *op = (const Change *) base;

  return beckon_branches_is_shown (session->database, op->conversation_id, op->message_ids[0])
         || (beckon_branches_check_free (session->database, op->conversation_id, error)
             && beckon_branches_show (session->database, op->conversation_id, op->message_ids[0], error));
}

static gboolean
show_found (const Change *op, BeckonSession *session, char *found, GError **error)
{
  g_autofree char *id = found;

  return id != NULL && beckon_branches_check_free (session->database, op->conversation_id, error)
         && beckon_branches_show (session->database, op->conversation_id, id, error);
}

static gboolean
exec_show_version (const BeckonBatchOp *base, BeckonSession *session, GError **error)
{
  const Change *op = (const Change *) base;

  return show_found (op, session,
                     beckon_branches_find_version (session->database, op->conversation_id, op->message_ids[0],
                                                   (guint) op->at, error),
                     error);
}

static gboolean
exec_show_left (const BeckonBatchOp *base, BeckonSession *session, GError **error)
{
  const Change *op = (const Change *) base;

  return show_found (op, session, beckon_branches_find_left (session->database, op->conversation_id, error), error);
}

/* In their order, so that each that goes takes the next one's parent with it; and back in the opposite one. */
static gboolean
exec_hide (const BeckonBatchOp *base, BeckonSession *session, GError **error)
{
  const Change *op = (const Change *) base;

  if (!beckon_branches_check_free (session->database, op->conversation_id, error))
    return FALSE;
  for (guint i = 0; op->message_ids[i] != NULL; i++)
    if (!beckon_branches_hide (session->database, op->conversation_id, op->message_ids[i], op->at, error))
      return FALSE;

  return beckon_branches_settle (session->database, op->conversation_id, error);
}

static gboolean
exec_restore (const BeckonBatchOp *base, BeckonSession *session, GError **error)
{
  const Change *op = (const Change *) base;

  if (!beckon_branches_check_free (session->database, op->conversation_id, error))
    return FALSE;
  for (guint i = g_strv_length (op->message_ids); i > 0; i--)
    if (!beckon_branches_restore (session->database, op->conversation_id, op->message_ids[i - 1], error))
      return FALSE;

  return beckon_branches_settle (session->database, op->conversation_id, error);
}

/* Messages in memory go at once. */
static gboolean
exec_doom (const BeckonBatchOp *base, BeckonSession *session, GError **error)
{
  const Change *op = (const Change *) base;
  gboolean in_memory = session->database == session->memory;

  for (guint i = 0; op->message_ids[i] != NULL; i++)
    if (!beckon_database_run (session->database, error, in_memory ? erase_sql : doom_sql, "s", op->message_ids[i]))
      return FALSE;
  session->has_purge_pending = TRUE;

  return TRUE;
}

void
beckon_batch_leave_message (BeckonBatch *batch, const char *conversation_id, const char *message_id)
{
  g_return_if_fail (batch != NULL);
  g_return_if_fail (conversation_id != NULL && message_id != NULL);

  add_change (batch, conversation_id, (const char *const[]) { message_id, NULL }, 0, exec_leave);
  batch->moves_requests = TRUE;
}

void
beckon_batch_expect_shown (BeckonBatch *batch, const char *conversation_id, GStrv message_ids)
{
  g_return_if_fail (batch != NULL);
  g_return_if_fail (conversation_id != NULL && message_ids != NULL);

  add_change (batch, conversation_id, (const char *const *) message_ids, 0, exec_expect_shown);
}

void
beckon_batch_show_message (BeckonBatch *batch, const char *conversation_id, const char *message_id)
{
  g_return_if_fail (batch != NULL);
  g_return_if_fail (conversation_id != NULL && message_id != NULL);

  add_change (batch, conversation_id, (const char *const[]) { message_id, NULL }, 0, exec_show);
}

void
beckon_batch_show_version (BeckonBatch *batch, const char *conversation_id, const char *message_id, guint version)
{
  g_return_if_fail (batch != NULL);
  g_return_if_fail (conversation_id != NULL && message_id != NULL);

  add_change (batch, conversation_id, (const char *const[]) { message_id, NULL }, (gint64) version, exec_show_version);
}

void
beckon_batch_show_left (BeckonBatch *batch, const char *conversation_id)
{
  g_return_if_fail (batch != NULL);
  g_return_if_fail (conversation_id != NULL);

  add_change (batch, conversation_id, (const char *const[]) { NULL }, 0, exec_show_left);
}

void
beckon_batch_hide_messages (BeckonBatch *batch, const char *conversation_id, GStrv message_ids, gint64 at)
{
  g_return_if_fail (batch != NULL);
  g_return_if_fail (conversation_id != NULL && message_ids != NULL);

  add_change (batch, conversation_id, (const char *const *) message_ids, at, exec_hide);
}

void
beckon_batch_restore_messages (BeckonBatch *batch, const char *conversation_id, GStrv message_ids)
{
  g_return_if_fail (batch != NULL);
  g_return_if_fail (conversation_id != NULL && message_ids != NULL);

  add_change (batch, conversation_id, (const char *const *) message_ids, 0, exec_restore);
}

void
beckon_batch_doom_messages (BeckonBatch *batch, const char *conversation_id, GStrv message_ids)
{
  g_return_if_fail (batch != NULL);
  g_return_if_fail (conversation_id != NULL && message_ids != NULL);

  add_change (batch, conversation_id, (const char *const *) message_ids, 0, exec_doom);
}
