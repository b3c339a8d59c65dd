/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "test-vault.h"

struct _TestVault
{
  GObject parent_instance;

  GHashTable *values;
  gboolean for_session;
};

static void test_vault_vault_init (BeckonVaultInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (TestVault, test_vault, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (BECKON_TYPE_VAULT, test_vault_vault_init))

static void
keep_async (BeckonVault *vault, const char *handle, const char *value, GCancellable *cancellable,
            GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (vault, cancellable, callback, user_data);

  g_hash_table_replace (TEST_VAULT (vault)->values, g_strdup (handle), g_strdup (value));
  g_task_return_boolean (task, TRUE);
}

static gboolean
keep_finish (BeckonVault *vault, GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

static void
look_up_async (BeckonVault *vault, const char *handle, GCancellable *cancellable, GAsyncReadyCallback callback,
               gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (vault, cancellable, callback, user_data);

  g_task_return_pointer (task, g_strdup (test_vault_get (TEST_VAULT (vault), handle)), g_free);
}

static char *
look_up_finish (BeckonVault *vault, GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
forget (BeckonVault *vault, const char *handle)
{
  g_hash_table_remove (TEST_VAULT (vault)->values, handle);
}

static gboolean
is_for_session (BeckonVault *vault, const char *handle)
{
  return TEST_VAULT (vault)->for_session && test_vault_get (TEST_VAULT (vault), handle) != NULL;
}

static void
flush_async (BeckonVault *vault, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (vault, cancellable, callback, user_data);

  g_task_return_boolean (task, TRUE);
}

static gboolean
flush_finish (BeckonVault *vault, GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

static void
test_vault_vault_init (BeckonVaultInterface *iface)
{
  iface->keep_async = keep_async;
  iface->keep_finish = keep_finish;
  iface->look_up_async = look_up_async;
  iface->look_up_finish = look_up_finish;
  iface->forget = forget;
  iface->is_for_session = is_for_session;
  iface->flush_async = flush_async;
  iface->flush_finish = flush_finish;
}

static void
test_vault_finalize (GObject *object)
{
  g_hash_table_unref (TEST_VAULT (object)->values);
  G_OBJECT_CLASS (test_vault_parent_class)->finalize (object);
}

static void
test_vault_class_init (TestVaultClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = test_vault_finalize;
}

static void
test_vault_init (TestVault *self)
{
  self->values = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
}

TestVault *
test_vault_new (void)
{
  return g_object_new (TEST_TYPE_VAULT, NULL);
}

const char *
test_vault_get (TestVault *vault, const char *handle)
{
  return g_hash_table_lookup (vault->values, handle);
}

guint
test_vault_get_size (TestVault *vault)
{
  return g_hash_table_size (vault->values);
}

void
test_vault_set_for_session (TestVault *vault, gboolean for_session)
{
  vault->for_session = for_session;
}
