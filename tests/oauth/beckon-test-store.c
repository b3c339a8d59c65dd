/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-test-store.h"

#include "oauth/beckon-oauth.h"

static void
store_load_async (BeckonOauthStore *store, const char *id, const char *server, gboolean is_quiet,
                  GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  TestStore *self = TEST_STORE (store);
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);

  if (is_quiet)
    self->n_looks++;
  else
    self->n_loads++;
  if (self->is_broken)
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_FAILED, "broken");
  else if (self->is_locked && self->text != NULL)
    g_task_return_new_error (task, BECKON_OAUTH_ERROR, BECKON_OAUTH_ERROR_LOCKED, "locked");
  else
    g_task_return_pointer (task, g_strdup (self->text), g_free);
}

static char *
store_load_finish (BeckonOauthStore *store, GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
store_save_async (BeckonOauthStore *store, const char *id, const char *server, const char *text, GCancellable *cancellable,
                  GAsyncReadyCallback callback, gpointer user_data)
{
  TestStore *self = TEST_STORE (store);
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);

  if (self->is_broken || self->is_locked)
    {
      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_FAILED, "broken");
      return;
    }
  g_free (self->text);
  self->text = g_strdup (text);
  g_task_return_boolean (task, TRUE);
}

static gboolean
store_save_finish (BeckonOauthStore *store, GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

static void
test_store_oauth_store_init (BeckonOauthStoreInterface *iface)
{
  iface->load_async = store_load_async;
  iface->load_finish = store_load_finish;
  iface->save_async = store_save_async;
  iface->save_finish = store_save_finish;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (TestStore, test_store, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (BECKON_TYPE_OAUTH_STORE, test_store_oauth_store_init))

static void
test_store_finalize (GObject *object)
{
  g_free (TEST_STORE (object)->text);

  G_OBJECT_CLASS (test_store_parent_class)->finalize (object);
}

static void
test_store_class_init (TestStoreClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = test_store_finalize;
}

static void
test_store_init (TestStore *self)
{
}
