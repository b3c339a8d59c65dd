/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-oauth-grant.h"
#include "beckon-oauth-net.h"
#include "beckon-oauth-proof.h"
#include "beckon-oauth-wallet.h"

G_BEGIN_DECLS

/** How often a request is sent because of a nonce. */
#define BECKON_OAUTH_NONCE_TRIES 2

/**
 * BeckonOauthParts:
 * @net: for requests to the authorization server
 * @clock: the clock
 * @nonces: of all servers
 * @login: (nullable): the settings
 * @wallet: (nullable): where the secrets of @login are
 *
 * What requests of a sign-in stand on. Borrowed: who begins a request keeps them alive until it ends.
 */
typedef struct
{
  BeckonOauthNet *net;
  BeckonClock *clock;
  BeckonOauthNonces *nonces;
  const BeckonLogin *login;
  BeckonOauthWallet *wallet;
} BeckonOauthParts;

/**
 * beckon_oauth_token_ask_async:
 * @parts: see there
 * @grant: who asks, and whom: its client, resource, token endpoint and, for tokens bound to it, its key; alive until the end
 * @form: (transfer full): what is asked for; it is wiped
 * @cancellable: (nullable): ends it at once
 * @callback: called once
 * @user_data: for @callback
 *
 * Asks a token endpoint: with the program's name and what proves it, the resource and, where tokens are bound, a proof of the
 * key. A server that wants a nonce in the proof is asked again with it.
 */
void beckon_oauth_token_ask_async (const BeckonOauthParts *parts, const BeckonOauthGrant *grant, GString *form,
                                   GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);

/** Any whole answer; %NULL with an error of %BECKON_OAUTH_ERROR, of the wallet, or %G_IO_ERROR_CANCELLED. Caller owns. */
BeckonOauthAnswer *beckon_oauth_token_ask_finish (GAsyncResult *result, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** The error for an answer that is no token; %NULL if its status is 200. @issuer: whose answer it is. */
GError *beckon_oauth_token_make_error (const char *issuer, const BeckonOauthAnswer *answer) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
