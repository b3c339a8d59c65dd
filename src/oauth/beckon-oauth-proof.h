/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/** The most bytes of a server's nonce. */
#define BECKON_OAUTH_NONCE_MAX 1024

/** How long an assertion may be used. */
#define BECKON_OAUTH_ASSERTION_SECONDS 300

/**
 * beckon_oauth_proof_make:
 * @key: a private key, as beckon_oauth_key_print() gave it
 * @method: the request's method
 * @url: the request's address; its query is left out
 * @nonce: (nullable): what the server wants to see in it
 * @token: (nullable): the access token that goes with it
 * @now: microseconds since the epoch
 * @error: return location
 *
 * Makes the proof that a request comes from the holder of a key (DPoP, RFC 9449, 4.2), for this request alone.
 *
 * Returns: (transfer full): the value of the header `DPoP`; %NULL if @key is none, or can't sign, with an error of
 *   beckon_oauth_key_read() or beckon_oauth_key_sign()
 */
char *beckon_oauth_proof_make (const char *key, const char *method, const char *url, const char *nonce, const char *token,
                               gint64 now, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_oauth_assertion_make:
 * @key: a private key, as PEM or as beckon_oauth_key_print() gave it
 * @client_id: the name of this program
 * @issuer: the authorization server, which alone may take it
 * @now: microseconds since the epoch
 * @error: return location
 *
 * Makes the statement with which a program proves who it is (RFC 7523, 2.2).
 *
 * Returns: (transfer full): a signed token; %NULL with %BECKON_ERROR_INVALID if @key is none. Caller wipes
 */
char *beckon_oauth_assertion_make (const char *key, const char *client_id, const char *issuer, gint64 now,
                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * BeckonOauthNonces:
 *
 * The last nonce that each server gave. Counted by references. Main thread.
 */
typedef GHashTable BeckonOauthNonces;

BeckonOauthNonces *beckon_oauth_nonces_new (void) G_GNUC_WARN_UNUSED_RESULT;

/** (nullable): for the server at @url. Borrowed until the next one. */
const char *beckon_oauth_nonces_get (BeckonOauthNonces *nonces, const char *url);

/** Takes what the server at @url gave. @nonce: (nullable). Whether it is another one than before. */
gboolean beckon_oauth_nonces_take (BeckonOauthNonces *nonces, const char *url, const char *nonce);

G_END_DECLS
