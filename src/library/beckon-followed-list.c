/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-followed-list.h"

#include "base/beckon-error.h"
#include "base/beckon-finish.h"
#include "store/db/beckon-store-follow.h"

typedef struct
{
  BeckonStore *store;  /* (owned) */
  GPtrArray *snapshot; /* (owned) (nullable) */

  /* in progress */
  gboolean is_reloading;
  gboolean reload_again;
} BeckonFollowedListPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (BeckonFollowedList, beckon_followed_list, G_TYPE_OBJECT)

static guint changed_signal;

static BeckonFollowedListPrivate *
followed_list_get_private (BeckonFollowedList *self)
{
  return beckon_followed_list_get_instance_private (self);
}

void
beckon_followed_list_replace (BeckonFollowedList *self, GPtrArray *snapshot)
{
  BeckonFollowedListPrivate *private = followed_list_get_private (self);
  GPtrArray *before = private->snapshot;

  g_return_if_fail (BECKON_IS_FOLLOWED_LIST (self));
  g_return_if_fail (snapshot != NULL);

  private->snapshot = snapshot;
  g_clear_pointer (&before, g_ptr_array_unref);
  g_signal_emit (self, changed_signal, 0);
}

static void
followed_list_merge (BeckonFollowedList *self, GPtrArray *listed)
{
  BeckonFollowedListClass *klass = BECKON_FOLLOWED_LIST_GET_CLASS (self);

  beckon_followed_list_replace (self, klass->complete != NULL ? klass->complete (self, listed) : g_ptr_array_ref (listed));
}

static void
on_reloaded (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonFollowedList) self = user_data;
  BeckonFollowedListPrivate *private = followed_list_get_private (self);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) listed = BECKON_FOLLOWED_LIST_GET_CLASS (self)->list_finish (BECKON_STORE (source), result, &error);
  gboolean again = private->reload_again;

  private->is_reloading = FALSE;
  private->reload_again = FALSE;
  if (again)
    beckon_followed_list_reload (self);
  else if (listed != NULL)
    followed_list_merge (self, listed);
  else if (!g_error_matches (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE))
    g_message ("%s was not read again: %s", G_OBJECT_TYPE_NAME (self), error->message);
}

void
beckon_followed_list_reload (BeckonFollowedList *self)
{
  BeckonFollowedListPrivate *private = followed_list_get_private (self);

  g_return_if_fail (BECKON_IS_FOLLOWED_LIST (self));

  if (private->snapshot == NULL)
    return;

  if (private->is_reloading)
    {
      private->reload_again = TRUE;
      return;
    }

  private->is_reloading = TRUE;
  BECKON_FOLLOWED_LIST_GET_CLASS (self)->list_async (private->store, NULL, on_reloaded, g_object_ref (self));
}

static void
beckon_followed_list_dispose (GObject *object)
{
  g_clear_object (&followed_list_get_private (BECKON_FOLLOWED_LIST (object))->store);

  G_OBJECT_CLASS (beckon_followed_list_parent_class)->dispose (object);
}

static void
beckon_followed_list_finalize (GObject *object)
{
  g_clear_pointer (&followed_list_get_private (BECKON_FOLLOWED_LIST (object))->snapshot, g_ptr_array_unref);

  G_OBJECT_CLASS (beckon_followed_list_parent_class)->finalize (object);
}

static void
beckon_followed_list_class_init (BeckonFollowedListClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = beckon_followed_list_dispose;
  object_class->finalize = beckon_followed_list_finalize;

  changed_signal = g_signal_new ("changed", BECKON_TYPE_FOLLOWED_LIST, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                 G_TYPE_NONE, 0);
}

static void
beckon_followed_list_init (BeckonFollowedList *self)
{
}

void
beckon_followed_list_set_store (BeckonFollowedList *self, BeckonStore *store)
{
  g_return_if_fail (BECKON_IS_FOLLOWED_LIST (self));
  g_return_if_fail (BECKON_IS_STORE (store));
  g_return_if_fail (followed_list_get_private (self)->store == NULL);

  followed_list_get_private (self)->store = g_object_ref (store);
  g_signal_connect_object (store, "changed-elsewhere", G_CALLBACK (beckon_followed_list_reload), self, G_CONNECT_SWAPPED);
}

BeckonStore *
beckon_followed_list_get_store (BeckonFollowedList *self)
{
  return followed_list_get_private (self)->store;
}

static void
followed_list_on_loaded (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  BeckonFollowedList *self = g_task_get_source_object (task);
  GError *error = NULL;
  g_autoptr (GPtrArray) listed = BECKON_FOLLOWED_LIST_GET_CLASS (self)->list_finish (BECKON_STORE (source), result, &error);

  if (listed == NULL)
    {
      g_task_return_error (task, error);
      return;
    }

  followed_list_merge (self, listed);
  g_task_return_boolean (task, TRUE);
}

void
beckon_followed_list_load_async (BeckonFollowedList *self, GCancellable *cancellable, GAsyncReadyCallback callback,
                                 gpointer user_data)
{
  GTask *task;

  g_return_if_fail (BECKON_IS_FOLLOWED_LIST (self));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, beckon_followed_list_load_async);
  BECKON_FOLLOWED_LIST_GET_CLASS (self)->list_async (followed_list_get_private (self)->store, cancellable,
                                                     followed_list_on_loaded, task);
}

BECKON_FINISH_BOOLEAN (beckon_followed_list_load, BeckonFollowedList)

GPtrArray *
beckon_followed_list_get_snapshot (BeckonFollowedList *self)
{
  g_return_val_if_fail (BECKON_IS_FOLLOWED_LIST (self), NULL);

  return followed_list_get_private (self)->snapshot;
}

static void
followed_list_on_committed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  gboolean written = beckon_store_commit_finish (BECKON_STORE (source), result, &error);

  beckon_followed_list_reload (g_task_get_source_object (task));
  if (written)
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

void
beckon_followed_list_commit_async (BeckonFollowedList *self, BeckonBatch *batch, GCancellable *cancellable,
                                   GAsyncReadyCallback callback, gpointer user_data)
{
  BeckonFollowedListPrivate *private = followed_list_get_private (self);
  GTask *task;

  g_return_if_fail (BECKON_IS_FOLLOWED_LIST (self));

  /* A listing that is under way does not know of it yet. */
  private->reload_again = private->is_reloading;

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, beckon_followed_list_commit_async);
  g_task_set_check_cancellable (task, FALSE);
  beckon_store_commit_async (private->store, batch, cancellable, followed_list_on_committed, task);
}

BECKON_FINISH_BOOLEAN (beckon_followed_list_commit, BeckonFollowedList)
