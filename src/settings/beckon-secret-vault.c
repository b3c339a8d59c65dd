/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-secret-vault.h"

#include "base/beckon-finish.h"
#include "base/beckon-text-printf.h"
#include "beckon-keyring.h"

#include <glib/gi18n-lib.h>

struct _BeckonSecretVault
{
  GObject parent_instance;

  GHashTable *known;   /* (element-type utf8 utf8): values by handle, wiped when they go */
  GHashTable *session; /* (element-type utf8): handles whose values are nowhere else */
  guint n_forgetting;
  GQueue flushing; /* (element-type GTask) */
};

static void beckon_secret_vault_vault_init (BeckonVaultInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (BeckonSecretVault, beckon_secret_vault, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (BECKON_TYPE_VAULT, beckon_secret_vault_vault_init))

static const SecretSchema schema = {
  BECKON_APPLICATION_ID ".Answer",
  SECRET_SCHEMA_NONE,
  {
    { "handle", SECRET_SCHEMA_ATTRIBUTE_STRING },
    { NULL, 0 },
  },
};

static BeckonKeyringItem
secret_vault_get_item (const char *handle)
{
  return (BeckonKeyringItem){ .schema = &schema, .id = handle, .clock = beckon_clock_get_system () };
}

static void
secret_vault_remember (BeckonSecretVault *self, const char *handle, const char *value)
{
  g_hash_table_replace (self->known, g_strdup (handle), g_strdup (value));
}

/* Without a keyring the answer is not lost, and the program says that it will be. */
static void
on_kept (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  BeckonSecretVault *self = g_task_get_source_object (task);
  const char *handle = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;

  if (beckon_keyring_store_finish (result, &error))
    g_hash_table_remove (self->session, handle);
  else if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      beckon_vault_forget (BECKON_VAULT (self), handle);
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  g_task_return_boolean (task, TRUE);
}

static void
keep_async (BeckonVault *vault, const char *handle, const char *value, GCancellable *cancellable,
            GAsyncReadyCallback callback, gpointer user_data)
{
  BeckonSecretVault *self = BECKON_SECRET_VAULT (vault);
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);
  /* Translators: how a masked answer is called in the system's keyring; %s is its handle */
  g_autofree char *label = beckon_text_printf (_("Beckon: %s"), handle);
  BeckonKeyringItem item = secret_vault_get_item (handle);

  g_task_set_source_tag (task, keep_async);
  if (g_task_return_error_if_cancelled (task))
    return;

  g_task_set_task_data (task, g_strdup (handle), g_free);
  secret_vault_remember (self, handle, value);
  g_hash_table_add (self->session, g_strdup (handle));
  beckon_keyring_store_async (&item, label, value, cancellable, on_kept, g_object_ref (task));
}

static BECKON_FINISH_BOOLEAN (keep, BeckonVault)

static void
secret_vault_on_looked_up (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  BeckonSecretVault *self = g_task_get_source_object (task);
  g_autoptr (GError) error = NULL;
  char *value = beckon_keyring_lookup_finish (result, &error);

  if (value != NULL)
    secret_vault_remember (self, g_task_get_task_data (task), value);
  if (error != NULL)
    g_task_return_error (task, g_steal_pointer (&error));
  else
    g_task_return_pointer (task, value, beckon_keyring_wipe);
}

static void
look_up_async (BeckonVault *vault, const char *handle, GCancellable *cancellable, GAsyncReadyCallback callback,
               gpointer user_data)
{
  BeckonSecretVault *self = BECKON_SECRET_VAULT (vault);
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);
  const char *value = g_hash_table_lookup (self->known, handle);
  BeckonKeyringItem item = secret_vault_get_item (handle);

  g_task_set_source_tag (task, look_up_async);
  if (g_task_return_error_if_cancelled (task))
    return;

  if (value != NULL)
    {
      g_task_return_pointer (task, g_strdup (value), beckon_keyring_wipe);
      return;
    }
  g_task_set_task_data (task, g_strdup (handle), g_free);
  beckon_keyring_lookup_async (&item, cancellable, secret_vault_on_looked_up, g_object_ref (task));
}

static BECKON_FINISH_POINTER (char *, look_up, BeckonVault)

static void
end_flushes (BeckonSecretVault *self)
{
  GTask *task;

  while (self->n_forgetting == 0 && (task = g_queue_pop_head (&self->flushing)) != NULL)
    {
      g_task_return_boolean (task, TRUE);
      g_object_unref (task);
    }
}

static void
secret_vault_on_forgotten (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonSecretVault) self = user_data;
  g_autoptr (GError) error = NULL;

  if (!beckon_keyring_store_finish (result, &error))
    g_info ("a masked answer may still be in the keyring: %s", error->message);
  self->n_forgetting--;
  end_flushes (self);
}

static void
secret_vault_forget (BeckonVault *vault, const char *handle)
{
  BeckonSecretVault *self = BECKON_SECRET_VAULT (vault);
  BeckonKeyringItem item = secret_vault_get_item (handle);

  g_hash_table_remove (self->known, handle);
  g_hash_table_remove (self->session, handle);
  self->n_forgetting++;
  beckon_keyring_store_async (&item, NULL, NULL, NULL, secret_vault_on_forgotten, g_object_ref (self));
}

static void
on_flush_cancelled (GCancellable *cancellable, GTask *task)
{
  BeckonSecretVault *self = g_task_get_source_object (task);

  if (!g_queue_remove (&self->flushing, task))
    return;

  g_task_return_error_if_cancelled (task);
  g_object_unref (task);
}

static void
flush_async (BeckonVault *vault, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  BeckonSecretVault *self = BECKON_SECRET_VAULT (vault);
  GTask *task = g_task_new (self, cancellable, callback, user_data);

  g_task_set_source_tag (task, flush_async);
  g_queue_push_tail (&self->flushing, task);
  if (cancellable != NULL)
    g_signal_connect_object (cancellable, "cancelled", G_CALLBACK (on_flush_cancelled), task, 0);
  end_flushes (self);
}

static BECKON_FINISH_BOOLEAN (flush, BeckonVault)

static gboolean
is_for_session (BeckonVault *vault, const char *handle)
{
  return g_hash_table_contains (BECKON_SECRET_VAULT (vault)->session, handle);
}

static gboolean
is_at_hand (BeckonVault *vault, const char *handle)
{
  return g_hash_table_contains (BECKON_SECRET_VAULT (vault)->known, handle);
}

static void
beckon_secret_vault_vault_init (BeckonVaultInterface *iface)
{
  iface->keep_async = keep_async;
  iface->keep_finish = keep_finish;
  iface->look_up_async = look_up_async;
  iface->look_up_finish = look_up_finish;
  iface->forget = secret_vault_forget;
  iface->is_for_session = is_for_session;
  iface->is_at_hand = is_at_hand;
  iface->flush_async = flush_async;
  iface->flush_finish = flush_finish;
}

static void
beckon_secret_vault_finalize (GObject *object)
{
  BeckonSecretVault *self = BECKON_SECRET_VAULT (object);

  g_hash_table_unref (self->known);
  g_hash_table_unref (self->session);
  G_OBJECT_CLASS (beckon_secret_vault_parent_class)->finalize (object);
}

static void
beckon_secret_vault_class_init (BeckonSecretVaultClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = beckon_secret_vault_finalize;
}

static void
beckon_secret_vault_init (BeckonSecretVault *self)
{
  self->known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, beckon_keyring_wipe);
  self->session = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
}

BeckonVault *
beckon_secret_vault_new (void)
{
  return g_object_new (BECKON_TYPE_SECRET_VAULT, NULL);
}
