/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-oauth-challenge.h"
#include "beckon-oauth-metadata.h"
#include "beckon-oauth-net.h"

G_BEGIN_DECLS

/**
 * BeckonOauthPlan:
 * @resource: (owned): the name of the server in tokens
 * @scopes: (owned) (nullable): what the server says that its tokens can be for
 * @issuer: (owned): the authorization server
 *
 * How a server is signed in to.
 */
typedef struct
{
  char *resource;
  char *scopes;
  BeckonOauthIssuer *issuer;
} BeckonOauthPlan;

void beckon_oauth_plan_free (BeckonOauthPlan *plan);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonOauthPlan, beckon_oauth_plan_free)

/**
 * beckon_oauth_discover_async:
 * @net: the net
 * @server: the server's address
 * @resource_metadata: (nullable): what its refusal named
 * @preferred: (nullable): which of its authorization servers to take, if it is among them
 * @cancellable: (nullable): ends it at once
 * @callback: called once
 * @user_data: for @callback
 *
 * Asks the server where its sign-in is, and the sign-in what it can do. A server without metadata is taken for one of the
 * revision 2025-03-26, which is its own authorization server.
 */
void             beckon_oauth_discover_async (BeckonOauthNet *net, const char *server, const char *resource_metadata,
                                              const char *preferred, GCancellable *cancellable,
                                              GAsyncReadyCallback callback, gpointer user_data);
BeckonOauthPlan *beckon_oauth_discover_finish (BeckonOauthNet *net, GAsyncResult *result,
                                               GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
