/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Which branch of a conversation is shown, and messages that are taken out of it. Both are written first; what is then read is
 * what the list becomes. */

#include "beckon-library-private.h"

#include "store/db/beckon-store-follow.h"

typedef struct
{
  BeckonConversation *conversation; /* (owned) */
  gint64 first_seq;                 /* from which on it changes */
  GStrv removed;                    /* (owned) (nullable) */
} Change;

struct _BeckonLibraryRemoval
{
  char *conversation_id;
  GStrv message_ids;
  gint64 first_seq; /* from which on they are missing */
  gint64 until;     /* monotonic */
};

static void
library_branches_change_free (Change *change)
{
  g_object_unref (change->conversation);
  g_strfreev (change->removed);
  g_free (change);
}

static void
removal_free (BeckonLibraryRemoval *removal)
{
  g_free (removal->conversation_id);
  g_strfreev (removal->message_ids);
  g_free (removal);
}

static GPtrArray *
get_removals (BeckonLibrary *self)
{
  if (self->removals == NULL)
    self->removals = g_ptr_array_new_with_free_func ((GDestroyNotify) removal_free);

  return self->removals;
}

static void
doom_first (BeckonLibrary *self)
{
  BeckonLibraryRemoval *removal = g_ptr_array_index (self->removals, 0);
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);

  beckon_batch_doom_messages (batch, removal->conversation_id, removal->message_ids);
  beckon_store_commit_async (self->store, batch, NULL, NULL, NULL);
  g_ptr_array_remove_index (self->removals, 0);
}

static void library_branches_watch (BeckonLibrary *self);

static gboolean
on_removal_due (gpointer user_data)
{
  BeckonLibrary *self = user_data;
  gint64 now = beckon_clock_get_monotonic_time (self->clock);

  self->removal_timeout = 0;
  while (self->removals->len > 0 && ((BeckonLibraryRemoval *) g_ptr_array_index (self->removals, 0))->until <= now)
    doom_first (self);
  library_branches_watch (self);

  return G_SOURCE_REMOVE;
}

static void
library_branches_watch (BeckonLibrary *self)
{
  gint64 now = beckon_clock_get_monotonic_time (self->clock);
  BeckonLibraryRemoval *first;

  if (self->removal_timeout != 0 || self->removals->len == 0)
    return;

  first = g_ptr_array_index (self->removals, 0);
  self->removal_timeout
    = beckon_clock_add_timeout (self->clock, (guint) (MAX (first->until - now, 0) / 1000 + 1), on_removal_due, self);
}

void
beckon_library_doom_removed (BeckonLibrary *self)
{
  while (self->removals != NULL && self->removals->len > 0)
    doom_first (self);
}

/* From which place on they are missing. */
static gint64
forget_removal (BeckonLibrary *self, BeckonConversation *conversation, const char *const *message_ids)
{
  GPtrArray *removals = get_removals (self);

  for (guint i = 0; i < removals->len; i++)
    {
      BeckonLibraryRemoval *removal = g_ptr_array_index (removals, i);

      if (g_str_equal (removal->conversation_id, beckon_conversation_get_id (conversation))
          && g_strv_equal ((const char *const *) removal->message_ids, message_ids))
        {
          gint64 first_seq = removal->first_seq;

          g_ptr_array_remove_index (removals, i);
          return first_seq;
        }
    }

  return 0;
}

static void
library_branches_on_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Change *change = g_task_get_task_data (task);
  GError *error = NULL;
  g_autoptr (GPtrArray) messages = beckon_store_load_messages_finish (BECKON_STORE (source), result, &error);

  if (messages == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  beckon_library_take_path (change->conversation, messages, change->first_seq);
  g_task_return_boolean (task, TRUE);
}

static void
library_branches_on_changed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Change *change = g_task_get_task_data (task);
  GError *error = NULL;

  if (!beckon_store_commit_finish (BECKON_STORE (source), result, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  if (change->removed != NULL)
    {
      BeckonLibrary *self = g_task_get_source_object (task);
      BeckonLibraryRemoval *removal = g_new0 (BeckonLibraryRemoval, 1);

      removal->conversation_id = g_strdup (beckon_conversation_get_id (change->conversation));
      removal->message_ids = g_steal_pointer (&change->removed);
      removal->first_seq = change->first_seq;
      removal->until = beckon_clock_get_monotonic_time (self->clock) + BECKON_UNDO_US;
      g_ptr_array_add (get_removals (self), removal);
      library_branches_watch (self);
    }
  beckon_store_load_messages_from_async (BECKON_STORE (source), beckon_conversation_get_id (change->conversation),
                                         change->first_seq, NULL, library_branches_on_read, g_object_ref (task));
}

/* A task whose data is about a conversation from one of its messages on. */
static GTask *
library_branches_begin (BeckonLibrary *self, BeckonConversation *conversation, gint64 first_seq, GCancellable *cancellable,
                        GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task = g_task_new (self, cancellable, callback, user_data);
  Change *change = g_new0 (Change, 1);

  change->conversation = g_object_ref (conversation);
  change->first_seq = first_seq;
  g_task_set_source_tag (task, beckon_library_show_version_async);
  g_task_set_task_data (task, change, (GDestroyNotify) library_branches_change_free);
  /* The written change is shown, even when cancelled. */
  g_task_set_check_cancellable (task, FALSE);

  return task;
}

/* The message before is read, too: how many follow it may change, and they need not have the same place. */
static gint64
find_before (BeckonConversation *conversation, const char *message_id)
{
  guint position = 0;

  if (!beckon_conversation_find_position (conversation, message_id, &position) || position == 0)
    return 0;

  return beckon_message_get_seq (beckon_conversation_get_message (conversation, position - 1));
}

void
beckon_library_show_version_async (BeckonLibrary *self, BeckonConversation *conversation, const char *message_id,
                                   guint version, GCancellable *cancellable, GAsyncReadyCallback callback,
                                   gpointer user_data)
{
  BeckonBatch *batch;

  g_return_if_fail (BECKON_IS_LIBRARY (self));
  g_return_if_fail (BECKON_IS_CONVERSATION (conversation) && beckon_conversation_get_loaded (conversation));
  g_return_if_fail (message_id != NULL);

  batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  beckon_batch_show_version (batch, beckon_conversation_get_id (conversation), message_id, version);
  beckon_store_commit_async (self->store, batch, cancellable, library_branches_on_changed,
                             library_branches_begin (self, conversation, find_before (conversation, message_id), cancellable,
                                                     callback,
                                                     user_data));
}

void
beckon_library_show_left_async (BeckonLibrary *self, BeckonConversation *conversation, GCancellable *cancellable,
                                GAsyncReadyCallback callback, gpointer user_data)
{
  BeckonBatch *batch;

  g_return_if_fail (BECKON_IS_LIBRARY (self));
  g_return_if_fail (BECKON_IS_CONVERSATION (conversation) && beckon_conversation_get_loaded (conversation));

  batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  beckon_batch_show_left (batch, beckon_conversation_get_id (conversation));
  /* From the last message on, whose number of branches that are left changes. */
  beckon_store_commit_async (self->store, batch, cancellable, library_branches_on_changed,
                             library_branches_begin (self, conversation,
                                                     MAX (beckon_conversation_get_next_seq (conversation) - 1, 0),
                                                     cancellable, callback, user_data));
}

gboolean
beckon_library_show_finish (BeckonLibrary *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, beckon_library_show_version_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

void
beckon_library_remove_messages_async (BeckonLibrary *self, BeckonConversation *conversation,
                                      const char *const *message_ids, GCancellable *cancellable,
                                      GAsyncReadyCallback callback, gpointer user_data)
{
  BeckonBatch *batch;
  GTask *task;
  Change *change;

  g_return_if_fail (BECKON_IS_LIBRARY (self));
  g_return_if_fail (BECKON_IS_CONVERSATION (conversation) && beckon_conversation_get_loaded (conversation));
  g_return_if_fail (message_ids != NULL && message_ids[0] != NULL);

  task = library_branches_begin (self, conversation, find_before (conversation, message_ids[0]), cancellable, callback,
                                 user_data);
  change = g_task_get_task_data (task);
  change->removed = g_strdupv ((GStrv) message_ids);
  batch = beckon_batch_new (BECKON_DURABILITY_FULL);
  beckon_batch_hide_messages (batch, beckon_conversation_get_id (conversation), (GStrv) message_ids,
                              beckon_clock_get_real_time (self->clock));
  beckon_store_commit_async (self->store, batch, cancellable, library_branches_on_changed, task);
}

void
beckon_library_restore_messages_async (BeckonLibrary *self, BeckonConversation *conversation,
                                       const char *const *message_ids, GCancellable *cancellable,
                                       GAsyncReadyCallback callback, gpointer user_data)
{
  BeckonBatch *batch;
  gint64 first_seq;

  g_return_if_fail (BECKON_IS_LIBRARY (self));
  g_return_if_fail (BECKON_IS_CONVERSATION (conversation) && beckon_conversation_get_loaded (conversation));
  g_return_if_fail (message_ids != NULL && message_ids[0] != NULL);

  first_seq = forget_removal (self, conversation, message_ids);
  batch = beckon_batch_new (BECKON_DURABILITY_FULL);
  beckon_batch_restore_messages (batch, beckon_conversation_get_id (conversation), (GStrv) message_ids);
  beckon_store_commit_async (self->store, batch, cancellable, library_branches_on_changed,
                             library_branches_begin (self, conversation, first_seq, cancellable, callback, user_data));
}
