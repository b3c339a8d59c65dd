/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-oauth-token.h"

G_BEGIN_DECLS

/**
 * beckon_oauth_alone_async:
 * @parts: see there; with a login of another flow than a person's, and its wallet
 * @grant: as for beckon_oauth_token_ask_async(); its scope is asked for
 * @cancellable: (nullable): ends it at once
 * @callback: called once
 * @user_data: for @callback
 *
 * Asks for a token without a person: with the program's own secret, with a token of its platform, or with one of the company's
 * identity provider, which is exchanged there first. Nothing is tried twice.
 */
void beckon_oauth_alone_async (const BeckonOauthParts *parts, const BeckonOauthGrant *grant, GCancellable *cancellable,
                               GAsyncReadyCallback callback, gpointer user_data);

/** The authorization server's answer. %NULL with an error, of the identity provider or the wallet too. Caller owns. */
BeckonOauthAnswer *beckon_oauth_alone_finish (GAsyncResult *result, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
