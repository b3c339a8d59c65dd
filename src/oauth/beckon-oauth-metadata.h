/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * BeckonOauthResource:
 * @resource: (owned) (nullable): the name that it has in tokens
 * @issuers: (owned): the authorization servers that it takes tokens from, checked to be addresses
 * @scopes: (owned) (nullable): what its tokens can be for, separated by spaces
 *
 * How a server describes itself (RFC 9728).
 */
typedef struct
{
  char *resource;
  char **issuers;
  char *scopes;
} BeckonOauthResource;

/**
 * BeckonOauthIssuer:
 * @issuer: (owned): its name, as it writes it itself
 * @authorize_url: (owned): the page that the person signs in on
 * @token_url: (owned): where a code becomes a token
 * @register_url: (owned) (nullable): where a program can register itself
 * @revoke_url: (owned) (nullable): where tokens are revoked (RFC 7009)
 * @scopes: (owned) (nullable): all that it knows, separated by spaces
 * @methods: (owned) (nullable): how a program can prove who it is at @token_url, separated by spaces
 * @names_itself: it says its name with each answer (RFC 9207)
 * @reads_documents: it takes the address of a document for the name of a program
 *
 * How an authorization server describes itself (RFC 8414). It can PKCE with S256.
 */
typedef struct
{
  char *issuer;
  char *authorize_url;
  char *token_url;
  char *register_url;
  char *revoke_url;
  char *scopes;
  char *methods;
  gboolean names_itself;
  gboolean reads_documents;
} BeckonOauthIssuer;

/**
 * beckon_oauth_resource_parse:
 * @json: what a server answered
 * @length: its bytes
 * @server: the address that the person entered, which it has to be about
 * @error: return location
 *
 * Returns: (transfer full): %NULL with %BECKON_OAUTH_ERROR_PROTOCOL, or %BECKON_OAUTH_ERROR_UNSAFE where it is about another
 *   server
 */
BeckonOauthResource *beckon_oauth_resource_parse (const char *json, gsize length, const char *server,
                                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;
void                 beckon_oauth_resource_free (BeckonOauthResource *resource);

/**
 * beckon_oauth_issuer_parse:
 * @json: what an authorization server answered
 * @length: its bytes
 * @issuer: the address that it was asked for with; its own name has to be the same, by beckon_oauth_url_is_issuer()
 * @error: return location
 *
 * Returns: (transfer full): %NULL with %BECKON_OAUTH_ERROR_PROTOCOL, or %BECKON_OAUTH_ERROR_UNSAFE where it has another name,
 *   addresses that are not safe, or no PKCE
 */
BeckonOauthIssuer *beckon_oauth_issuer_parse (const char *json, gsize length, const char *issuer,
                                              GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** Fixed paths on the server at @server, as was usual in 2025-03-26 for one without metadata. */
BeckonOauthIssuer *beckon_oauth_issuer_guess (const char *server) G_GNUC_WARN_UNUSED_RESULT;
void               beckon_oauth_issuer_free (BeckonOauthIssuer *issuer);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonOauthResource, beckon_oauth_resource_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonOauthIssuer, beckon_oauth_issuer_free)

G_END_DECLS
