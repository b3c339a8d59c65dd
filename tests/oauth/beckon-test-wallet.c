/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-test-wallet.h"

#include "base/beckon-error.h"

static void
get_secret_async (BeckonOauthWallet *wallet, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (wallet, NULL, callback, user_data);

  g_task_set_source_tag (task, get_secret_async);
  if (TEST_WALLET (wallet)->secret != NULL)
    g_task_return_pointer (task, g_strdup (TEST_WALLET (wallet)->secret), g_free);
  else
    g_task_return_new_error (task, BECKON_ERROR, BECKON_ERROR_NOT_FOUND, "It is not in the wallet.");
}

static char *
get_secret_finish (BeckonOauthWallet *wallet, GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
test_wallet_oauth_wallet_init (BeckonOauthWalletInterface *iface)
{
  iface->get_secret_async = get_secret_async;
  iface->get_secret_finish = get_secret_finish;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (TestWallet, test_wallet, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (BECKON_TYPE_OAUTH_WALLET, test_wallet_oauth_wallet_init))

static void
test_wallet_finalize (GObject *object)
{
  g_free (TEST_WALLET (object)->secret);

  G_OBJECT_CLASS (test_wallet_parent_class)->finalize (object);
}

static void
test_wallet_class_init (TestWalletClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = test_wallet_finalize;
}

static void
test_wallet_init (TestWallet *self)
{
}
