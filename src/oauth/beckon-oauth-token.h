/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-oauth-grant.h"
#include "beckon-oauth-net.h"
#include "domain/beckon-login.h"

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

/**
 * BeckonOauthParts:
 * @net: for requests to the authorization server
 * @login: (nullable): the settings
 * @wallet: (nullable): where the secret of @login is
 *
 * What requests of a sign-in stand on. Borrowed: who begins a request keeps them alive until it ends.
 */
typedef struct
{
  BeckonOauthNet *net;
  const BeckonLogin *login;
  BeckonOauthWallet *wallet;
} BeckonOauthParts;

/**
 * beckon_oauth_token_ask_async:
 * @parts: see there
 * @grant: who asks, and whom: its client, resource and token endpoint; alive until the end
 * @form: (transfer full): what is asked for; it is wiped
 * @cancellable: (nullable): ends it at once
 * @callback: called once
 * @user_data: for @callback
 *
 * Asks a token endpoint: with the program's name, what proves it, and the resource.
 */
void beckon_oauth_token_ask_async (const BeckonOauthParts *parts, const BeckonOauthGrant *grant, GString *form,
                                   GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);

/** Any whole answer; %NULL with an error of %BECKON_OAUTH_ERROR, of the wallet, or %G_IO_ERROR_CANCELLED. Caller owns. */
BeckonOauthAnswer *beckon_oauth_token_ask_finish (GAsyncResult *result, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** The error for an answer that is no token; %NULL if its status is 200. @issuer: whose answer it is. */
GError *beckon_oauth_token_make_error (const char *issuer, const BeckonOauthAnswer *answer) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
