/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define BECKON_TYPE_OAUTH_WALLET (beckon_oauth_wallet_get_type ())
G_DECLARE_INTERFACE (BeckonOauthWallet, beckon_oauth_wallet, BECKON, OAUTH_WALLET, GObject)

/**
 * BeckonOauthWallet:
 * @get_secret_async: looks up the secret of the login
 * @get_secret_finish: (transfer full): wiped by the caller; %NULL with an error in words, also where there is none
 *
 * Where this program's secret at an authorization server is kept. It is asked at the moment that the secret is needed, and
 * nothing that it gave is kept. Main thread.
 */
struct _BeckonOauthWalletInterface
{
  GTypeInterface parent_iface;

  void (*get_secret_async) (BeckonOauthWallet *self, GCancellable *cancellable, GAsyncReadyCallback callback,
                            gpointer user_data);
  char *(*get_secret_finish) (BeckonOauthWallet *self, GAsyncResult *result, GError **error);
};

G_END_DECLS
