/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** The most bytes of a token, a program's name or its secret. */
#define BECKON_OAUTH_VALUE_MAX (16 * 1024)

/**
 * BeckonOauthGrant:
 * @issuer: (owned) (nullable): the authorization server that the rest is from and for, and for no other
 * @resource: (owned) (nullable): the server that the tokens are for
 * @token_url: (owned) (nullable): where they are renewed
 * @revoke_url: (owned) (nullable): where they are revoked
 * @client_id: (owned) (nullable): the name of this program there
 * @client_secret: (owned) (nullable): its secret
 * @method: (owned) (nullable): how it proves who it is: "none", "client_secret_basic", "client_secret_post"
 * @redirect_uri: (owned) (nullable): the address that it is registered with
 * @access_token: (owned) (nullable): what requests are sent with
 * @refresh_token: (owned) (nullable): what the next one is got with
 * @scope: (owned) (nullable): what was asked for, separated by spaces
 * @expires_at: when the access token ends, microseconds since the epoch; 0 if that is not known
 * @is_doubted: a sign-in with this registration has begun and not ended: the server may have forgotten it
 *
 * What a sign-in left behind. Secret: kept in the keyring, wiped when it is freed.
 */
typedef struct
{
  char *issuer;
  char *resource;
  char *token_url;
  char *revoke_url;
  char *client_id;
  char *client_secret;
  char *method;
  char *redirect_uri;
  char *access_token;
  char *refresh_token;
  char *scope;
  gint64 expires_at;
  gboolean is_doubted;
} BeckonOauthGrant;

BeckonOauthGrant *beckon_oauth_grant_new (void) G_GNUC_WARN_UNUSED_RESULT;
BeckonOauthGrant *beckon_oauth_grant_copy (const BeckonOauthGrant *grant) G_GNUC_WARN_UNUSED_RESULT;
void              beckon_oauth_grant_free (BeckonOauthGrant *grant);

/** As JSON, for the keyring. Caller wipes. */
char *beckon_oauth_grant_print (const BeckonOauthGrant *grant) G_GNUC_WARN_UNUSED_RESULT;

/** %NULL if @text is nothing such. Tokens that an earlier version bound to a key are left out. */
BeckonOauthGrant *beckon_oauth_grant_parse (const char *text) G_GNUC_WARN_UNUSED_RESULT;

/** Forgets the tokens, and keeps how this program is known. */
void beckon_oauth_grant_drop_tokens (BeckonOauthGrant *grant);

/** Forgets how this program is known, too. */
void beckon_oauth_grant_drop_client (BeckonOauthGrant *grant);

/** Chooses among @methods, %NULL for those of RFC 8414's default, and what was registered. Borrowed, static. */
const char *beckon_oauth_grant_choose_method (const char *methods, const char *registered, gboolean has_secret);

/**
 * beckon_oauth_grant_sign:
 * @grant: who this program is
 * @secret: (nullable): its secret, in place of the grant's own
 * @form: the body of a request to the token endpoint; what belongs into it is added
 *
 * Returns: (transfer full) (nullable): the value of Authorization, where the method has one. Caller wipes
 */
char *beckon_oauth_grant_sign (const BeckonOauthGrant *grant, const char *secret, GString *form) G_GNUC_WARN_UNUSED_RESULT;

/** The page on which the person allows it. @challenge: of PKCE. Caller frees. */
char *beckon_oauth_grant_make_page (const BeckonOauthGrant *grant, const char *authorize_url, const char *state,
                                    const char *challenge) G_GNUC_WARN_UNUSED_RESULT;

/** This program as it registers itself (RFC 7591), with @grant's address and scopes. @methods: as above. Caller frees. */
char *beckon_oauth_grant_print_registration (const BeckonOauthGrant *grant, const char *methods) G_GNUC_WARN_UNUSED_RESULT;

/** Takes the answer to that; %FALSE if it is none. */
gboolean beckon_oauth_grant_take_registration (BeckonOauthGrant *grant, const char *methods, const char *json, gsize length);

/**
 * beckon_oauth_grant_take_tokens:
 * @grant: filled with what came
 * @json: the answer of a token endpoint
 * @length: its bytes
 * @now: microseconds since the epoch
 * @error: return location
 *
 * A refresh token stays where the answer has none.
 *
 * Returns: %FALSE with %BECKON_OAUTH_ERROR_PROTOCOL; then @grant is as it was
 */
gboolean beckon_oauth_grant_take_tokens (BeckonOauthGrant *grant, const char *json, gsize length, gint64 now, GError **error);

/** The code of an error of OAuth in a server's answer, such as "invalid_grant"; %NULL if it has none. Caller frees. */
char *beckon_oauth_dup_error_code (const char *json, gsize length) G_GNUC_WARN_UNUSED_RESULT;

/** Whether @code is one that is fit to be shown: short, and of the letters that codes have. */
gboolean beckon_oauth_is_error_code (const char *code);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonOauthGrant, beckon_oauth_grant_free)

G_END_DECLS
