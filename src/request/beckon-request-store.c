/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-request-store.h"

BeckonRequestContext *
beckon_request_context_new (const char *request_id)
{
  BeckonRequestContext *context = g_new0 (BeckonRequestContext, 1);

  context->request_id = g_strdup (request_id);
  return context;
}

void
beckon_request_context_free (BeckonRequestContext *context)
{
  if (context == NULL)
    return;

  g_free (context->request_id);
  g_free (context->title);
  g_free (context->profile_id);
  g_free (context->asker);
  g_free (context->tool);
  g_free (context->arguments);
  g_free (context->text);
  g_free (context);
}

G_DEFINE_INTERFACE (BeckonRequestStore, beckon_request_store, G_TYPE_OBJECT)

static void
beckon_request_store_default_init (BeckonRequestStoreInterface *iface)
{
  g_signal_new ("changed-elsewhere", BECKON_TYPE_REQUEST_STORE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

void
beckon_request_store_list_pending_async (BeckonRequestStore *self, GCancellable *cancellable, GAsyncReadyCallback callback,
                                         gpointer user_data)
{
  g_return_if_fail (BECKON_IS_REQUEST_STORE (self));

  BECKON_REQUEST_STORE_GET_IFACE (self)->list_pending_async (self, cancellable, callback, user_data);
}

GPtrArray *
beckon_request_store_list_pending_finish (BeckonRequestStore *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (BECKON_IS_REQUEST_STORE (self), NULL);

  return BECKON_REQUEST_STORE_GET_IFACE (self)->list_pending_finish (self, result, error);
}

void
beckon_request_store_lookup_async (BeckonRequestStore *self, const char *request_id, GCancellable *cancellable,
                                   GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (BECKON_IS_REQUEST_STORE (self));
  g_return_if_fail (request_id != NULL);

  BECKON_REQUEST_STORE_GET_IFACE (self)->lookup_async (self, request_id, cancellable, callback, user_data);
}

BeckonRequest *
beckon_request_store_lookup_finish (BeckonRequestStore *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (BECKON_IS_REQUEST_STORE (self), NULL);

  return BECKON_REQUEST_STORE_GET_IFACE (self)->lookup_finish (self, result, error);
}

void
beckon_request_store_settle_async (BeckonRequestStore *self, const BeckonSettlement *settlement, GCancellable *cancellable,
                                   GAsyncReadyCallback callback, gpointer user_data)
{
  BECKON_REQUEST_STORE_GET_IFACE (self)->settle_async (self, settlement, cancellable, callback, user_data);
}

gboolean
beckon_request_store_settle_finish (BeckonRequestStore *self, GAsyncResult *result, GError **error)
{
  return BECKON_REQUEST_STORE_GET_IFACE (self)->settle_finish (self, result, error);
}

void
beckon_request_store_save_draft_async (BeckonRequestStore *self, const char *request_id, const char *draft,
                                       GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  BECKON_REQUEST_STORE_GET_IFACE (self)->save_draft_async (self, request_id, draft, cancellable, callback, user_data);
}

gboolean
beckon_request_store_save_draft_finish (BeckonRequestStore *self, GAsyncResult *result, GError **error)
{
  return BECKON_REQUEST_STORE_GET_IFACE (self)->save_draft_finish (self, result, error);
}

void
beckon_request_store_list_earlier_async (BeckonRequestStore *self, const char *tool, GCancellable *cancellable,
                                         GAsyncReadyCallback callback, gpointer user_data)
{
  BeckonRequestStoreInterface *iface = BECKON_REQUEST_STORE_GET_IFACE (self);
  GTask *task;

  if (iface->list_earlier_async != NULL)
    {
      iface->list_earlier_async (self, tool, cancellable, callback, user_data);
      return;
    }
  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, beckon_request_store_list_earlier_async);
  g_task_return_pointer (task, g_hash_table_new (g_str_hash, g_str_equal), (GDestroyNotify) g_hash_table_unref);
  g_object_unref (task);
}

GHashTable *
beckon_request_store_list_earlier_finish (BeckonRequestStore *self, GAsyncResult *result, GError **error)
{
  if (g_async_result_is_tagged (result, beckon_request_store_list_earlier_async))
    return g_task_propagate_pointer (G_TASK (result), error);
  return BECKON_REQUEST_STORE_GET_IFACE (self)->list_earlier_finish (self, result, error);
}
