/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/beckon-clock.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/** How long the browser may take. */
#define BECKON_OAUTH_REDIRECT_SECONDS (10 * 60)

#define BECKON_TYPE_OAUTH_REDIRECT (beckon_oauth_redirect_get_type ())
G_DECLARE_FINAL_TYPE (BeckonOauthRedirect, beckon_oauth_redirect, BECKON, OAUTH_REDIRECT, GObject)

/**
 * BeckonOauthRedirect:
 *
 * A port of this computer's loopback address that a browser brings the end of a sign-in to (RFC 8252, 7.3). It listens while
 * the object lives, answers one request that knows its secret, and tells everybody else that nothing is there. Used once.
 * Main thread.
 */

/**
 * beckon_oauth_redirect_new:
 * @uri: (nullable): the address of an earlier one, whose port is taken again if it is free; %NULL for any port
 * @error: return location
 *
 * Returns: (transfer full): a redirect that listens; %NULL with %BECKON_OAUTH_ERROR_FAILED
 */
BeckonOauthRedirect *beckon_oauth_redirect_new (const char *uri, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** The address for the authorization server, such as "http://127.0.0.1:40123/callback"; the same path each time. */
const char *beckon_oauth_redirect_get_uri (BeckonOauthRedirect *redirect);

/** The secret that the authorization server has to bring back as `state`. */
const char *beckon_oauth_redirect_get_state (BeckonOauthRedirect *redirect);

/** @cancellable: (nullable): ends it at once. The port is closed when the callback is called. */
void beckon_oauth_redirect_wait_async (BeckonOauthRedirect *redirect, BeckonClock *clock, GCancellable *cancellable,
                                       GAsyncReadyCallback callback, gpointer user_data);

/** The browser's parameters, by name; untrusted. %NULL with %BECKON_OAUTH_ERROR_FAILED after %BECKON_OAUTH_REDIRECT_SECONDS. */
GHashTable *beckon_oauth_redirect_wait_finish (BeckonOauthRedirect *redirect, GAsyncResult *result,
                                               GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
