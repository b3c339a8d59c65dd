/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-steering.h"

#include "base/beckon-error.h"
#include "domain/beckon-message.h"

typedef struct
{
  BeckonStore *store;               /* (owned) */
  BeckonClock *clock;               /* (owned) */
  BeckonConversation *conversation; /* (owned) */
  BeckonRunRecord *record;          /* (owned) */
  gboolean leaves_dismissed;
  gboolean takes_queue;
  BeckonLateAnswers *late;          /* (owned) (nullable) */
  GPtrArray *messages;              /* (owned) (nullable) (element-type BeckonMessage): those that are being stored */
  BeckonSteering steering;
} Taking;

static void
taking_free (gpointer data)
{
  Taking *taking = data;

  g_object_unref (taking->store);
  g_object_unref (taking->clock);
  g_object_unref (taking->conversation);
  beckon_run_record_free (taking->record);
  g_clear_pointer (&taking->late, beckon_late_answers_free);
  g_clear_pointer (&taking->messages, g_ptr_array_unref);
  g_free (taking);
}

/* Models understand a question better that stands behind what it is about. */
BeckonMessage *
beckon_steering_make_message (BeckonClock *clock, const char *id, const char *text, GPtrArray *files)
{
  BeckonMessage *message = beckon_message_new (id, BECKON_ROLE_USER, beckon_clock_get_real_time (clock));

  for (guint i = 0; i < files->len; i++)
    beckon_message_add_part (message, g_ptr_array_index (files, i));
  if (*text != '\0' || files->len == 0)
    {
      g_autoptr (BeckonPart) part = beckon_part_new (BECKON_PART_TEXT, text);

      beckon_message_add_part (message, part);
    }
  return message;
}

static void read_answers (GTask *task);

static void
on_taken (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Taking *taking = g_task_get_task_data (task);
  GError *error = NULL;

  if (beckon_store_commit_finish (BECKON_STORE (source), result, &error))
    {
      for (guint i = 0; i < taking->messages->len; i++)
        {
          BeckonMessage *message = g_ptr_array_index (taking->messages, i);

          beckon_conversation_forget_queued (taking->conversation, beckon_message_get_id (message));
          beckon_conversation_add_message (taking->conversation, message);
        }
      taking->steering.n_taken = taking->messages->len;
      g_task_return_boolean (task, TRUE);
    }
  else if (g_error_matches (error, BECKON_ERROR, BECKON_ERROR_NOT_FOUND))
    {
      /* A message was removed meanwhile. */
      g_error_free (error);
      read_answers (task);
    }
  else
    {
      g_task_return_error (task, error);
    }
}

/* @message: (transfer full) */
static void
steering_take (Taking *taking, BeckonBatch *batch, BeckonMessage *message)
{
  beckon_message_set_seq (message, beckon_conversation_get_next_seq (taking->conversation) + taking->messages->len);
  g_ptr_array_add (taking->messages, message);
  beckon_batch_add_message (batch, beckon_conversation_get_id (taking->conversation), message);
}

static gboolean
is_all_dismissed (const BeckonLateAnswers *late)
{
  for (guint i = 0; i < late->answers->len; i++)
    if (!((const BeckonLateAnswer *) g_ptr_array_index (late->answers, i))->is_dismissed)
      return FALSE;

  return late->answers->len > 0;
}

static void
on_queue_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Taking *taking = g_task_get_task_data (task);
  GError *error = NULL;
  g_autoptr (GPtrArray) queue = beckon_store_load_queue_finish (BECKON_STORE (source), result, &error);
  g_autoptr (BeckonBatch) batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  const char *id = beckon_conversation_get_id (taking->conversation);
  gint64 now = beckon_clock_get_real_time (taking->clock);

  if (queue == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  g_clear_pointer (&taking->messages, g_ptr_array_unref);
  taking->messages = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; i < queue->len; i++)
    {
      BeckonQueueItem *item = g_ptr_array_index (queue, i);

      if (!beckon_queue_item_get_sends_now (item) && (!taking->takes_queue || taking->late->n_open > 0))
        continue;
      beckon_batch_remove_queued (batch, id, item);
      steering_take (taking, batch,
                     beckon_steering_make_message (taking->clock, beckon_queue_item_get_id (item),
                                                   beckon_queue_item_get_text (item), beckon_queue_item_get_files (item)));
    }
  taking->steering.is_dismissed
      = taking->leaves_dismissed && taking->messages->len == 0 && is_all_dismissed (taking->late);
  for (guint i = 0; !taking->steering.is_dismissed && i < taking->late->answers->len; i++)
    {
      const BeckonLateAnswer *answer = g_ptr_array_index (taking->late->answers, i);

      beckon_batch_deliver_answer (batch, id, answer, now);
      steering_take (taking, batch, beckon_late_message_new (answer->request_id, answer->text, now));
    }
  if (taking->messages->len == 0)
    {
      g_task_return_boolean (task, TRUE);
      return;
    }
  /* A run that another process has taken over takes them itself. */
  beckon_batch_set_run (batch, taking->record);
  beckon_store_commit_async (taking->store, g_steal_pointer (&batch), NULL, on_taken, g_steal_pointer (&task));
}

static void
on_answers_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Taking *taking = g_task_get_task_data (task);
  GError *error = NULL;

  g_clear_pointer (&taking->late, beckon_late_answers_free);
  taking->late = beckon_store_load_late_answers_finish (BECKON_STORE (source), result, &error);
  if (taking->late == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  taking->steering.n_open = taking->late->n_open;
  beckon_store_load_queue_async (taking->store, beckon_conversation_get_id (taking->conversation), NULL, on_queue_read,
                                 g_steal_pointer (&task));
}

static void
read_answers (GTask *task)
{
  Taking *taking = g_task_get_task_data (task);

  beckon_store_load_late_answers_async (taking->store, beckon_conversation_get_id (taking->conversation), NULL,
                                        on_answers_read, g_object_ref (task));
}

void
beckon_steering_take_async (const BeckonAgentParts *parts, BeckonConversation *conversation, const BeckonRunRecord *record,
                            gboolean leaves_dismissed, gboolean takes_queue, GAsyncReadyCallback callback,
                            gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (conversation, NULL, callback, user_data);
  Taking *taking = g_new0 (Taking, 1);

  g_task_set_source_tag (task, beckon_steering_take_async);
  taking->store = g_object_ref (parts->store);
  taking->clock = g_object_ref (parts->clock);
  taking->conversation = g_object_ref (conversation);
  taking->record = beckon_run_record_copy (record);
  taking->leaves_dismissed = leaves_dismissed;
  taking->takes_queue = takes_queue;
  g_task_set_task_data (task, taking, taking_free);
  read_answers (task);
}

gboolean
beckon_steering_take_finish (GAsyncResult *result, BeckonSteering *steering, GError **error)
{
  *steering = ((const Taking *) g_task_get_task_data (G_TASK (result)))->steering;
  return g_task_propagate_boolean (G_TASK (result), error);
}
