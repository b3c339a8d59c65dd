/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-agent-private.h"

#include "base/beckon-error.h"
#include "base/beckon-finish.h"
#include "base/beckon-id.h"
#include "beckon-run.h"

#include <glib/gi18n-lib.h>

/* Messages that a person queues while the agent works. Each is a row of its own until it is a message. */

typedef struct
{
  BeckonConversation *conversation; /* (owned) */
  BeckonQueueItem *item;            /* (owned) */
  GPtrArray *files;                 /* (owned) (nullable): as they were attached */
  char *draft;                      /* (owned) (nullable) */
  BeckonBatch *with;                /* (owned) (nullable) */
  gboolean keeps_draft;
} Queueing;

static void
queueing_free (gpointer data)
{
  Queueing *queueing = data;

  g_object_unref (queueing->conversation);
  g_clear_object (&queueing->item);
  g_clear_pointer (&queueing->files, g_ptr_array_unref);
  g_free (queueing->draft);
  g_clear_pointer (&queueing->with, beckon_batch_free);
  g_free (queueing);
}

static GTask *
task_new (BeckonAgent *agent, BeckonConversation *conversation, BeckonQueueItem *item, GCancellable *cancellable,
          GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task = g_task_new (agent, cancellable, callback, user_data);
  Queueing *queueing = g_new0 (Queueing, 1);

  queueing->conversation = g_object_ref (conversation);
  g_set_object (&queueing->item, item);
  g_task_set_task_data (task, queueing, queueing_free);
  /* Cancelled too late, it is stored all the same. */
  g_task_set_check_cancellable (task, FALSE);
  return task;
}

static void
return_gone (GTask *task)
{
  g_task_return_new_error (task, BECKON_ERROR, BECKON_ERROR_NOT_FOUND, "%s", _("This message was already sent or removed."));
}

/* --- The end of a turn --------------------------------------------------------------------------------------------- */

static gboolean
may_follow (BeckonConversation *conversation, BeckonQueueItem *item)
{
  switch (beckon_conversation_get_phase (conversation))
    {
    case BECKON_RUN_COMPLETE:
    case BECKON_RUN_DISMISSED:
      return TRUE;
    case BECKON_RUN_CUT_OFF:
    case BECKON_RUN_LENGTH:
    case BECKON_RUN_ROUND_LIMIT:
    case BECKON_RUN_REFUSED:
    case BECKON_RUN_FILTERED:
    case BECKON_RUN_PAUSED:
      return beckon_queue_item_get_sends_now (item);
    case BECKON_RUN_STOPPED:
    case BECKON_RUN_FAILED:
    case BECKON_RUN_ASKED:
    case BECKON_RUN_QUEUED:
    case BECKON_RUN_REQUESTING:
    case BECKON_RUN_RETRY_WAIT:
    case BECKON_RUN_RECEIVING:
    case BECKON_RUN_CALLING:
    case BECKON_RUN_WAITING:
    default:
      return FALSE;
    }
}

/* (nullable): the first one that is to be sent now, or the first one of all. */
static BeckonQueueItem *
dup_next (BeckonConversation *conversation)
{
  GListModel *queue = G_LIST_MODEL (beckon_conversation_get_queue (conversation));

  for (guint i = 0; i < g_list_model_get_n_items (queue); i++)
    {
      g_autoptr (BeckonQueueItem) item = g_list_model_get_item (queue, i);

      if (beckon_queue_item_get_sends_now (item))
        return g_steal_pointer (&item);
    }
  return g_list_model_get_item (queue, 0);
}

typedef struct
{
  BeckonConversation *conversation; /* (owned) */
  BeckonQueueItem *item;            /* (owned) */
} Following;

static void
following_free (Following *following)
{
  g_object_unref (following->conversation);
  g_object_unref (following->item);
  g_free (following);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Following, following_free)

static void agent_queue_follow (BeckonAgent *agent, BeckonConversation *conversation);

/* A message that was removed meanwhile keeps none behind it waiting. */
static void
on_followed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Following) following = user_data;
  g_autoptr (GError) error = NULL;

  if (g_task_propagate_boolean (G_TASK (result), &error))
    return;
  g_debug ("a queued message was not sent: %s", error->message);
  if (!g_error_matches (error, BECKON_ERROR, BECKON_ERROR_NOT_FOUND))
    return;
  beckon_conversation_forget_queued (following->conversation, beckon_queue_item_get_id (following->item));
  agent_queue_follow (BECKON_AGENT (source), following->conversation);
}

/* Several windows may hear of the end: the row lets only one of them send it. */
static void
agent_queue_follow (BeckonAgent *agent, BeckonConversation *conversation)
{
  g_autoptr (BeckonQueueItem) item = dup_next (conversation);
  g_autoptr (GTask) task = NULL;
  Following *following;

  if (item == NULL || g_cancellable_is_cancelled (agent->letting_go) || !beckon_agent_is_free (agent, conversation)
      || !may_follow (conversation, item))
    return;
  following = g_new (Following, 1);
  following->conversation = g_object_ref (conversation);
  following->item = g_object_ref (item);
  task = g_task_new (agent, NULL, on_followed, following);
  g_task_set_source_tag (task, agent_queue_follow);
  beckon_agent_begin_queued (agent, conversation, item, task);
}

/* A message to be seen now begins the next round of a turn that rests; or the turn has ended meanwhile. */
static void
agent_queue_go_on (BeckonAgent *agent, BeckonConversation *conversation)
{
  BeckonRun *run = g_hash_table_lookup (agent->runs, beckon_conversation_get_id (conversation));

  if (run != NULL)
    beckon_run_note_news (run);
  agent_queue_follow (agent, conversation);
}

static void
on_phase_changed (BeckonAgent *agent, GParamSpec *pspec, BeckonConversation *conversation)
{
  if (agent->follows_queue && !beckon_conversation_is_busy (conversation))
    agent_queue_follow (agent, conversation);
}

void
beckon_agent_watch_queue (BeckonAgent *agent, BeckonConversation *conversation)
{
  if (g_list_model_get_n_items (G_LIST_MODEL (beckon_conversation_get_queue (conversation))) == 0)
    return;
  g_signal_handlers_disconnect_by_func (conversation, on_phase_changed, agent);
  g_signal_connect_object (conversation, "notify::phase", G_CALLBACK (on_phase_changed), agent, G_CONNECT_SWAPPED);
}

/* --- Queueing ------------------------------------------------------------------------------------------------------ */

static void
agent_queue_on_queued (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  BeckonAgent *agent = g_task_get_source_object (task);
  Queueing *queueing = g_task_get_task_data (task);
  GError *error = NULL;

  if (!beckon_store_commit_finish (BECKON_STORE (source), result, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  if (!queueing->keeps_draft)
    beckon_agent_empty_draft (queueing->conversation, queueing->files);
  if (beckon_conversation_find_queued (queueing->conversation, beckon_queue_item_get_id (queueing->item)) == NULL)
    g_list_store_append (beckon_conversation_get_queue (queueing->conversation), queueing->item);
  beckon_agent_watch_queue (agent, queueing->conversation);
  agent_queue_go_on (agent, queueing->conversation);
  g_task_return_boolean (task, TRUE);
}

/* @files: as they go into the message. */
static void
store_queued (BeckonAgent *agent, GTask *task, GPtrArray *files)
{
  Queueing *queueing = g_task_get_task_data (task);
  const char *id = beckon_conversation_get_id (queueing->conversation);
  BeckonBatch *batch = queueing->with != NULL ? g_steal_pointer (&queueing->with)
                                              : beckon_batch_new (BECKON_DURABILITY_NORMAL);
  g_autoptr (BeckonQueueItem) typed = g_steal_pointer (&queueing->item);

  queueing->item = beckon_queue_item_new (beckon_queue_item_get_id (typed), beckon_queue_item_get_text (typed), files,
                                          beckon_queue_item_get_sends_now (typed));
  beckon_batch_put_conversation (batch, queueing->conversation);
  beckon_batch_add_queued (batch, id, queueing->item);
  if (!queueing->keeps_draft)
    beckon_batch_set_draft (batch, id, NULL);
  if (!queueing->keeps_draft && files->len > 0)
    beckon_batch_set_draft_files (batch, id, NULL);
  beckon_store_commit_async (agent->parts.store, batch, g_task_get_cancellable (task), agent_queue_on_queued,
                             g_object_ref (task));
}

static void
on_files_masked (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  BeckonAgent *agent = BECKON_AGENT (source);
  GError *error = NULL;
  g_autoptr (GPtrArray) masked = beckon_agent_mask_files_finish (agent, result, &error);

  if (masked == NULL)
    g_task_return_error (task, error);
  else
    store_queued (agent, task, masked);
}

void
beckon_agent_queue_async (BeckonAgent *agent, BeckonConversation *conversation, const char *text, GPtrArray *files,
                          gboolean sends_now, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autofree char *id = beckon_id_new ();

  beckon_agent_queue_with_async (agent, conversation, id, text, files, sends_now, NULL, cancellable, callback, user_data);
}

void
beckon_agent_queue_with_async (BeckonAgent *agent, BeckonConversation *conversation, const char *id, const char *text,
                               GPtrArray *files, gboolean sends_now, BeckonBatch *with, GCancellable *cancellable,
                               GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  g_autoptr (BeckonQueueItem) item = NULL;
  Queueing *queueing;

  g_return_if_fail (BECKON_IS_AGENT (agent));
  g_return_if_fail (BECKON_IS_CONVERSATION (conversation) && beckon_conversation_get_loaded (conversation));
  g_return_if_fail (id != NULL && text != NULL && files != NULL);

  item = beckon_queue_item_new (id, text, files, sends_now);
  task = task_new (agent, conversation, item, cancellable, callback, user_data);
  g_task_set_source_tag (task, beckon_agent_queue_async);
  queueing = g_task_get_task_data (task);
  queueing->files = g_ptr_array_ref (beckon_queue_item_get_files (item));
  queueing->with = with;
  queueing->keeps_draft = with != NULL;
  if (beckon_agent_has_text_files (agent, queueing->files))
    beckon_agent_mask_files_async (agent, queueing->files, cancellable, on_files_masked, g_object_ref (task));
  else
    store_queued (agent, task, queueing->files);
}

BECKON_FINISH_BOOLEAN (beckon_agent_queue, BeckonAgent)

/* --- Sending now --------------------------------------------------------------------------------------------------- */

static void
on_marked (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  BeckonAgent *agent = g_task_get_source_object (task);
  Queueing *queueing = g_task_get_task_data (task);
  GError *error = NULL;

  if (!beckon_store_commit_finish (BECKON_STORE (source), result, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  beckon_queue_item_set_sends_now (queueing->item, TRUE);
  beckon_agent_watch_queue (agent, queueing->conversation);
  agent_queue_go_on (agent, queueing->conversation);
  g_task_return_boolean (task, TRUE);
}

void
beckon_agent_send_queued_async (BeckonAgent *agent, BeckonConversation *conversation, const char *item_id,
                                GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  BeckonQueueItem *item;
  BeckonBatch *batch;

  g_return_if_fail (BECKON_IS_AGENT (agent));
  g_return_if_fail (BECKON_IS_CONVERSATION (conversation) && item_id != NULL);

  item = beckon_conversation_find_queued (conversation, item_id);
  task = task_new (agent, conversation, item, cancellable, callback, user_data);
  g_task_set_source_tag (task, beckon_agent_send_queued_async);
  if (item == NULL)
    {
      return_gone (task);
      return;
    }
  if (!beckon_conversation_is_busy (conversation) && beckon_agent_is_free (agent, conversation))
    {
      beckon_agent_begin_queued (agent, conversation, item, task);
      return;
    }
  batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  beckon_batch_send_queued_now (batch, beckon_conversation_get_id (conversation), item);
  beckon_store_commit_async (agent->parts.store, batch, cancellable, on_marked, g_steal_pointer (&task));
}

BECKON_FINISH_BOOLEAN (beckon_agent_send_queued, BeckonAgent)

/* --- Removing ------------------------------------------------------------------------------------------------------ */

/* (transfer full): the draft's files, with those of @item. */
static GListStore *
join_files (BeckonConversation *conversation, BeckonQueueItem *item)
{
  GListModel *files = G_LIST_MODEL (beckon_conversation_get_files (conversation));
  GPtrArray *added = beckon_queue_item_get_files (item);
  GListStore *joined = g_list_store_new (BECKON_TYPE_PART);

  for (guint i = 0; i < g_list_model_get_n_items (files); i++)
    {
      g_autoptr (BeckonPart) part = g_list_model_get_item (files, i);

      g_list_store_append (joined, part);
    }
  for (guint i = 0; i < added->len; i++)
    g_list_store_append (joined, g_ptr_array_index (added, i));
  return joined;
}

static void
agent_queue_on_removed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Queueing *queueing = g_task_get_task_data (task);
  GPtrArray *added = beckon_queue_item_get_files (queueing->item);
  GError *error = NULL;

  if (!beckon_store_commit_finish (BECKON_STORE (source), result, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  beckon_conversation_forget_queued (queueing->conversation, beckon_queue_item_get_id (queueing->item));
  if (queueing->draft != NULL)
    {
      beckon_conversation_set_draft (queueing->conversation, queueing->draft);
      for (guint i = 0; i < added->len; i++)
        g_list_store_append (beckon_conversation_get_files (queueing->conversation), g_ptr_array_index (added, i));
    }
  g_task_return_boolean (task, TRUE);
}

void
beckon_agent_remove_queued_async (BeckonAgent *agent, BeckonConversation *conversation, const char *item_id,
                                  const char *draft, GCancellable *cancellable, GAsyncReadyCallback callback,
                                  gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  BeckonQueueItem *item;
  BeckonBatch *batch;
  const char *id;

  g_return_if_fail (BECKON_IS_AGENT (agent));
  g_return_if_fail (BECKON_IS_CONVERSATION (conversation) && item_id != NULL);

  id = beckon_conversation_get_id (conversation);
  item = beckon_conversation_find_queued (conversation, item_id);
  task = task_new (agent, conversation, item, cancellable, callback, user_data);
  g_task_set_source_tag (task, beckon_agent_remove_queued_async);
  if (item == NULL)
    {
      return_gone (task);
      return;
    }
  batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  beckon_batch_remove_queued (batch, id, item);
  if (draft != NULL)
    {
      g_autoptr (GListStore) files = join_files (conversation, item);

      ((Queueing *) g_task_get_task_data (task))->draft = g_strdup (draft);
      beckon_batch_set_draft (batch, id, draft);
      beckon_batch_set_draft_files (batch, id, G_LIST_MODEL (files));
    }
  beckon_store_commit_async (agent->parts.store, batch, cancellable, agent_queue_on_removed, g_steal_pointer (&task));
}

BECKON_FINISH_BOOLEAN (beckon_agent_remove_queued, BeckonAgent)
