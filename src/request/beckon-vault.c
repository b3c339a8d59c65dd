/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-vault.h"

G_DEFINE_INTERFACE (BeckonVault, beckon_vault, G_TYPE_OBJECT)

static void
beckon_vault_default_init (BeckonVaultInterface *iface)
{
}

void
beckon_vault_keep_async (BeckonVault *self, const char *handle, const char *value, GCancellable *cancellable,
                         GAsyncReadyCallback callback, gpointer user_data)
{
  BECKON_VAULT_GET_IFACE (self)->keep_async (self, handle, value, cancellable, callback, user_data);
}

gboolean
beckon_vault_keep_finish (BeckonVault *self, GAsyncResult *result, GError **error)
{
  return BECKON_VAULT_GET_IFACE (self)->keep_finish (self, result, error);
}

void
beckon_vault_look_up_async (BeckonVault *self, const char *handle, GCancellable *cancellable, GAsyncReadyCallback callback,
                            gpointer user_data)
{
  g_return_if_fail (BECKON_IS_VAULT (self));
  g_return_if_fail (handle != NULL);

  BECKON_VAULT_GET_IFACE (self)->look_up_async (self, handle, cancellable, callback, user_data);
}

char *
beckon_vault_look_up_finish (BeckonVault *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (BECKON_IS_VAULT (self), NULL);

  return BECKON_VAULT_GET_IFACE (self)->look_up_finish (self, result, error);
}

void
beckon_vault_forget (BeckonVault *self, const char *handle)
{
  g_return_if_fail (BECKON_IS_VAULT (self));

  BECKON_VAULT_GET_IFACE (self)->forget (self, handle);
}

gboolean
beckon_vault_is_for_session (BeckonVault *self, const char *handle)
{
  g_return_val_if_fail (BECKON_IS_VAULT (self), FALSE);

  return BECKON_VAULT_GET_IFACE (self)->is_for_session (self, handle);
}

gboolean
beckon_vault_is_at_hand (BeckonVault *self, const char *handle)
{
  g_return_val_if_fail (BECKON_IS_VAULT (self), FALSE);

  return BECKON_VAULT_GET_IFACE (self)->is_at_hand (self, handle);
}

void
beckon_vault_flush_async (BeckonVault *self, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (BECKON_IS_VAULT (self));

  BECKON_VAULT_GET_IFACE (self)->flush_async (self, cancellable, callback, user_data);
}

gboolean
beckon_vault_flush_finish (BeckonVault *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (BECKON_IS_VAULT (self), FALSE);

  return BECKON_VAULT_GET_IFACE (self)->flush_finish (self, result, error);
}
