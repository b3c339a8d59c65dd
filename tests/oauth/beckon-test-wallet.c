/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-test-wallet.h"

#include "base/beckon-error.h"

static void
give (BeckonOauthWallet *wallet, const char *text, gpointer tag, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (wallet, NULL, callback, user_data);

  g_task_set_source_tag (task, tag);
  if (text != NULL)
    g_task_return_pointer (task, g_strdup (text), g_free);
  else
    g_task_return_new_error (task, BECKON_ERROR, BECKON_ERROR_NOT_FOUND, "It is not in the wallet.");
}

static void
get_secret_async (BeckonOauthWallet *wallet, BeckonLoginSecret secret, GCancellable *cancellable,
                  GAsyncReadyCallback callback, gpointer user_data)
{
  TEST_WALLET (wallet)->n_secrets++;
  give (wallet, TEST_WALLET (wallet)->secrets[secret], get_secret_async, callback, user_data);
}

static void
get_token_async (BeckonOauthWallet *wallet, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  TEST_WALLET (wallet)->n_tokens++;
  give (wallet, TEST_WALLET (wallet)->token, get_token_async, callback, user_data);
}

static char *
give_finish (BeckonOauthWallet *wallet, GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
test_wallet_oauth_wallet_init (BeckonOauthWalletInterface *iface)
{
  iface->get_secret_async = get_secret_async;
  iface->get_secret_finish = give_finish;
  iface->get_token_async = get_token_async;
  iface->get_token_finish = give_finish;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (TestWallet, test_wallet, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (BECKON_TYPE_OAUTH_WALLET, test_wallet_oauth_wallet_init))

static void
test_wallet_finalize (GObject *object)
{
  TestWallet *self = TEST_WALLET (object);

  for (guint i = 0; i < BECKON_LOGIN_N_SECRETS; i++)
    g_free (self->secrets[i]);
  g_free (self->token);

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
