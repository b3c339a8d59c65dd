/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-call-request.h"
#include "beckon-inbox-private.h"
#include "base/beckon-finish.h"
#include "domain/beckon-request-error.h"

typedef struct
{
  BeckonInbox *inbox; /* (owned) */
  char *request_id;
  BeckonAnswer *answer;
  char *front_end;
  char *actor;
  char *channel_id; /* (nullable): by which message of a text channel */
  char *inbound_id; /* (nullable) */
  BeckonRequest *request; /* once it is known */
  BeckonSettlement *settlement;
  GError *error; /* while the winner is looked up */
} SettleOperation;

static void
settle_operation_free (SettleOperation *op)
{
  beckon_inbox_end_answer (op->inbox, op->request_id);
  g_object_unref (op->inbox);
  g_free (op->request_id);
  beckon_answer_unref (op->answer);
  g_free (op->front_end);
  g_free (op->actor);
  g_free (op->channel_id);
  g_free (op->inbound_id);
  g_clear_object (&op->request);
  g_clear_pointer (&op->settlement, beckon_settlement_free);
  g_clear_error (&op->error);
  g_free (op);
}

static void
on_winner_looked_up (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  SettleOperation *op = g_task_get_task_data (task);
  BeckonInbox *self = g_task_get_source_object (task);
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonRequest) stored = beckon_request_store_lookup_finish (BECKON_REQUEST_STORE (source), result, &error);

  beckon_inbox_believe (self, op->request_id, stored, error);
  g_task_return_error (task, g_steal_pointer (&op->error));
}

static void
inbox_settle_on_settled (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  SettleOperation *op = g_task_get_task_data (task);
  BeckonInbox *self = g_task_get_source_object (task);
  g_autoptr (GError) error = NULL;

  beckon_inbox_end_settling (self, op->request_id);
  if (!beckon_request_store_settle_finish (BECKON_REQUEST_STORE (source), result, &error))
    {
      beckon_inbox_forget_secrets (self, op->request, op->answer);
      if ((!g_error_matches (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_ALREADY_SETTLED)
           && !g_error_matches (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_UNKNOWN))
          || beckon_inbox_lookup (self, op->request_id) == NULL)
        {
          g_task_return_error (task, g_steal_pointer (&error));
          return;
        }

      /* If somebody else was first the list has to learn of it before the caller does. */
      op->error = g_steal_pointer (&error);
      beckon_request_store_lookup_async (beckon_inbox_get_store (self), op->request_id, NULL, on_winner_looked_up,
                                         g_object_ref (task));
      return;
    }

  beckon_inbox_note_ours (self, op->request);
  beckon_inbox_leave (self, op->request, op->settlement);
  g_task_return_boolean (task, TRUE);
}

static gboolean
return_if_settled (GTask *task)
{
  GError *error = NULL;

  if (beckon_request_check_pending (((SettleOperation *) g_task_get_task_data (task))->request, &error))
    return FALSE;

  g_task_return_error (task, error);
  return TRUE;
}

static void
record (GTask *task)
{
  BeckonInbox *self = g_task_get_source_object (task);
  SettleOperation *op = g_task_get_task_data (task);

  op->settlement = beckon_settlement_new (op->request, op->answer, op->front_end, op->actor,
                                          beckon_clock_get_real_time (beckon_inbox_get_clock (self)));
  op->settlement->channel_id = g_strdup (op->channel_id);
  op->settlement->inbound_id = g_strdup (op->inbound_id);

  /* A draft is kept as it was when its request ended, and here it may be about to: what waits goes first. */
  beckon_inbox_flush (self);
  beckon_inbox_begin_settling (self, op->request_id);
  beckon_request_store_settle_async (beckon_inbox_get_store (self), op->settlement, g_task_get_cancellable (task),
                                     inbox_settle_on_settled,
                                     g_object_ref (task));
}

static void
on_secrets_kept (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  BeckonInbox *self = BECKON_INBOX (source);
  SettleOperation *op = g_task_get_task_data (task);
  GError *error = NULL;
  BeckonAnswer *kept = beckon_inbox_keep_secrets_finish (self, result, &error);

  if (kept == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  beckon_answer_unref (op->answer);
  op->answer = kept;
  if (return_if_settled (task))
    beckon_inbox_forget_secrets (self, op->request, kept);
  else
    record (task);
}

/* Restores the arguments that the person was not shown. */
static gboolean
restore_redacted (SettleOperation *op, GError **error)
{
  g_autofree char *text = NULL;
  BeckonAnswer *restored;

  if (op->answer->text == NULL)
    return TRUE;
  if (op->answer->kind == BECKON_ANSWER_PLAN && beckon_request_get_plan (op->request) != NULL)
    text = beckon_request_restore_plan (op->request, op->answer->text, error);
  else if (op->answer->kind == BECKON_ANSWER_APPROVED_EDITED)
    text = beckon_request_restore_arguments (op->request, op->answer->text);
  else
    return TRUE;
  if (text == NULL)
    return FALSE;
  if (g_str_equal (text, op->answer->text))
    return TRUE;
  restored = beckon_answer_new (op->answer->kind, text);
  if (op->answer->remember != NULL)
    beckon_answer_set_remember (restored, g_ptr_array_ref (op->answer->remember));
  beckon_answer_unref (op->answer);
  op->answer = restored;
  return TRUE;
}

/* Checks a person's plan steps. */
static gboolean
check_steps (BeckonInbox *self, SettleOperation *op, GError **error)
{
  BeckonPlanTools *tools = beckon_inbox_get_plan_tools (self);
  g_autoptr (BeckonPlan) plan = NULL;

  if (tools == NULL || op->answer->kind != BECKON_ANSWER_PLAN || op->answer->text == NULL)
    return TRUE;
  plan = beckon_plan_parse (op->answer->text, BECKON_PLAN_FROM_PERSON, NULL);
  return plan == NULL || beckon_plan_tools_check (tools, op->request, plan, error);
}

/* A folder that is away is no outcome: the request waits on. */
static void
on_keep_checked (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;

  if (!beckon_keep_check_finish (BECKON_KEEP_CHECK (source), result, &error))
    g_task_return_error (task, error);
  else if (!return_if_settled (task))
    record (task);
}

static void
settle_known (GTask *task)
{
  BeckonInbox *self = g_task_get_source_object (task);
  SettleOperation *op = g_task_get_task_data (task);
  GError *error = NULL;

  if (return_if_settled (task))
    return;
  if (!restore_redacted (op, &error) || !beckon_request_check_answer (op->request, op->answer, &error)
      || !check_steps (self, op, &error))
    g_task_return_error (task, error);
  else if (beckon_inbox_has_secrets (op->request, op->answer))
    beckon_inbox_keep_secrets_async (self, op->request, op->answer, g_task_get_cancellable (task), on_secrets_kept,
                                     g_object_ref (task));
  else if (op->answer->kind == BECKON_ANSWER_KEPT && beckon_inbox_get_keep_check (self) != NULL)
    beckon_keep_check_async (beckon_inbox_get_keep_check (self), op->request, g_task_get_cancellable (task), on_keep_checked,
                             g_object_ref (task));
  else
    record (task);
}

static void
on_request_looked_up (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  SettleOperation *op = g_task_get_task_data (task);
  GError *error = NULL;

  op->request = beckon_request_store_lookup_finish (BECKON_REQUEST_STORE (source), result, &error);
  if (op->request != NULL)
    settle_known (task);
  else
    g_task_return_error (task, error);
}

/* @task: (transfer full) */
static void
inbox_settle_settle (GTask *task)
{
  g_autoptr (GTask) owned = task;
  BeckonInbox *self = g_task_get_source_object (task);
  SettleOperation *op = g_task_get_task_data (task);

  if (g_task_return_error_if_cancelled (task))
    return;

  op->request = beckon_inbox_lookup (self, op->request_id);
  if (op->request != NULL)
    {
      g_object_ref (op->request);
      settle_known (task);
      return;
    }

  beckon_request_store_lookup_async (beckon_inbox_get_store (self), op->request_id, g_task_get_cancellable (task),
                                     on_request_looked_up, g_object_ref (task));
}

static GTask *
settle_task_new (BeckonInbox *self, const char *request_id, BeckonAnswer *answer, const char *front_end, const char *actor,
                 GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task = g_task_new (self, cancellable, callback, user_data);
  SettleOperation *op = g_new0 (SettleOperation, 1);

  g_task_set_source_tag (task, beckon_inbox_settle_async);

  /* Once the journal has it, what it says counts, whatever was cancelled meanwhile. */
  g_task_set_check_cancellable (task, FALSE);

  op->inbox = g_object_ref (self);
  op->request_id = g_strdup (request_id);
  beckon_inbox_begin_answer (self, request_id);
  op->answer = beckon_answer_ref (answer);
  op->front_end = g_strdup (front_end);
  op->actor = g_strdup (actor);
  g_task_set_task_data (task, op, (GDestroyNotify) settle_operation_free);
  return task;
}

void
beckon_inbox_settle_async (BeckonInbox *inbox, const char *request_id, BeckonAnswer *answer, const char *front_end,
                           const char *actor, GCancellable *cancellable, GAsyncReadyCallback callback,
                           gpointer user_data)
{
  g_return_if_fail (BECKON_IS_INBOX (inbox));
  g_return_if_fail (request_id != NULL);
  g_return_if_fail (answer != NULL);
  g_return_if_fail (front_end != NULL);

  inbox_settle_settle (settle_task_new (inbox, request_id, answer, front_end, actor, cancellable, callback, user_data));
}

void
beckon_inbox_settle_by_message_async (BeckonInbox *inbox, const char *request_id, BeckonAnswer *answer,
                                      const char *front_end, const char *actor, const char *channel_id,
                                      const char *inbound_id, GCancellable *cancellable, GAsyncReadyCallback callback,
                                      gpointer user_data)
{
  GTask *task;
  SettleOperation *op;

  g_return_if_fail (BECKON_IS_INBOX (inbox));
  g_return_if_fail (request_id != NULL);
  g_return_if_fail (answer != NULL);
  g_return_if_fail (front_end != NULL);
  g_return_if_fail (channel_id != NULL && inbound_id != NULL);

  task = settle_task_new (inbox, request_id, answer, front_end, actor, cancellable, callback, user_data);
  op = g_task_get_task_data (task);
  op->channel_id = g_strdup (channel_id);
  op->inbound_id = g_strdup (inbound_id);
  inbox_settle_settle (task);
}

BECKON_FINISH_BOOLEAN (beckon_inbox_settle, BeckonInbox)
