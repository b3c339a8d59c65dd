/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/beckon-clock.h"
#include "beckon-oauth-token.h"
#include "domain/beckon-login.h"

#include <gio/gio.h>
#include <glib.h>

G_BEGIN_DECLS

#define BECKON_TYPE_OAUTH_STORE (beckon_oauth_store_get_type ())
G_DECLARE_INTERFACE (BeckonOauthStore, beckon_oauth_store, BECKON, OAUTH_STORE, GObject)

/**
 * BeckonOauthStore:
 * @load_async: looks up what was kept under @id for the server at @server; if @is_quiet, nobody is asked to unlock anything
 * @load_finish: (transfer full) (nullable): the text; %NULL without an error if there is none, with
 *   %BECKON_OAUTH_ERROR_LOCKED if there is one that can't be read until the person unlocks it
 * @save_async: keeps @text in its place; %NULL removes it
 *
 * Where sign-ins are kept: the keyring. Main thread.
 */
struct _BeckonOauthStoreInterface
{
  GTypeInterface parent_iface;

  void (*load_async) (BeckonOauthStore *self, const char *id, const char *server, gboolean is_quiet,
                      GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
  char *(*load_finish) (BeckonOauthStore *self, GAsyncResult *result, GError **error);
  void (*save_async) (BeckonOauthStore *self, const char *id, const char *server, const char *text, GCancellable *cancellable,
                      GAsyncReadyCallback callback, gpointer user_data);
  gboolean (*save_finish) (BeckonOauthStore *self, GAsyncResult *result, GError **error);
};

#define BECKON_TYPE_OAUTH (beckon_oauth_get_type ())
G_DECLARE_FINAL_TYPE (BeckonOauth, beckon_oauth, BECKON, OAUTH, GObject)

/** How long a sign-out waits for the authorization server. */
#define BECKON_OAUTH_REVOKE_MS 5000

/**
 * BeckonOauth:
 *
 * The sign-in to one server by OAuth 2.1 as MCP has it: discovery, registration, PKCE, the loopback redirect, resource
 * indicators and renewal. What is asked of it is done one after the other, so that no two sign-ins or renewals happen at once,
 * and a token that another request got meanwhile is used. Main thread.
 */

/**
 * BeckonOauthBrowser:
 * @url: the page on which the person signs in, https or this computer's
 *
 * Shows it to the person. No shell: it is a server's text.
 */
typedef void (*BeckonOauthBrowser) (const char *url, gpointer user_data);

/**
 * beckon_oauth_new:
 * @server: the server's address
 * @store: (nullable): where sign-ins are kept; %NULL for memory only
 * @id: under which name
 * @clock: the clock
 *
 * Returns: (transfer full): a sign-in that has asked for nothing
 */
BeckonOauth *beckon_oauth_new (const char *server, BeckonOauthStore *store, const char *id,
                               BeckonClock *clock) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_oauth_set_login:
 * @oauth: a sign-in that nothing has been asked of
 * @login: (nullable): a client that was registered by hand; copied
 * @wallet: (nullable): where its secret is
 */
void beckon_oauth_set_login (BeckonOauth *oauth, const BeckonLogin *login, BeckonOauthWallet *wallet);

/** The https address of the document that describes this program; %NULL for none. */
void beckon_oauth_set_document (BeckonOauth *oauth, const char *url);

/** @browser: (nullable): opens pages without being asked by beckon_oauth_sign_in_async(); for a person who waits for that. */
void beckon_oauth_set_browser (BeckonOauth *oauth, BeckonOauthBrowser browser, gpointer user_data);

/**
 * beckon_oauth_get_token_async:
 * @oauth: the sign-in
 * @cancellable: (nullable): ends it at once; a renewal under way goes on, because its old token may be used up
 * @callback: called once
 * @user_data: for @callback
 *
 * Looks for a token to send a request with. One that is about to end is renewed.
 */
void  beckon_oauth_get_token_async (BeckonOauth *oauth, GCancellable *cancellable, GAsyncReadyCallback callback,
                                    gpointer user_data);

/** %NULL without an error where none is needed so far. Caller wipes. */
char *beckon_oauth_get_token_finish (BeckonOauth *oauth, GAsyncResult *result, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** Looks whether there is a sign-in, here or in the store. @may_ask: the person may be asked to unlock that. @cancellable:
 *  (nullable) */
void     beckon_oauth_look_async (BeckonOauth *oauth, gboolean may_ask, GCancellable *cancellable,
                                  GAsyncReadyCallback callback, gpointer user_data);

/** %FALSE with an error if it was cancelled, with %BECKON_OAUTH_ERROR_LOCKED, or with what the store says where nothing can be
 *  kept. */
gboolean beckon_oauth_look_finish (BeckonOauth *oauth, GAsyncResult *result, GError **error);

/**
 * beckon_oauth_refused_async:
 * @oauth: the sign-in
 * @status: 401 or 403
 * @challenge: (nullable): all of the answer's WWW-Authenticate
 * @token: (nullable): what the request was sent with
 * @cancellable: (nullable): as above
 * @callback: called once
 * @user_data: for @callback
 *
 * Gets another token after the server refused a request: one that came meanwhile, a renewed one, or with a browser one of a new
 * sign-in, which has the scopes so far and those that are missing.
 */
void  beckon_oauth_refused_async (BeckonOauth *oauth, guint status, const char *challenge, const char *token,
                                  GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);

/** %NULL with an error: %BECKON_OAUTH_ERROR_NEEDED if the person has to sign in. Caller wipes. */
char *beckon_oauth_refused_finish (BeckonOauth *oauth, GAsyncResult *result, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** Signs in, whatever there is. @browser gets the page. */
void     beckon_oauth_sign_in_async (BeckonOauth *oauth, BeckonOauthBrowser browser, gpointer browser_data,
                                     GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
gboolean beckon_oauth_sign_in_finish (BeckonOauth *oauth, GAsyncResult *result, GError **error);

/** Whether the sign-in is in the store as it is here; otherwise it ends with the program. */
gboolean beckon_oauth_is_kept (BeckonOauth *oauth);

/**
 * beckon_oauth_sign_out_async:
 * @oauth: the sign-in
 * @cancellable: (nullable): ends the wait, not the sign-out once it has begun
 * @callback: called once
 * @user_data: for @callback
 *
 * Ends a sign-in that is under way, has the authorization server revoke the tokens where it can (RFC 7009), which takes
 * %BECKON_OAUTH_REVOKE_MS at most, and forgets the sign-in, here and in the store, whatever that server says.
 */
void     beckon_oauth_sign_out_async (BeckonOauth *oauth, GCancellable *cancellable, GAsyncReadyCallback callback,
                                      gpointer user_data);

/**
 * beckon_oauth_sign_out_finish:
 * @oauth: the sign-in
 * @result: what the callback got
 * @notice: (out) (optional) (nullable): words to be shown if the server was asked to revoke the tokens and did not confirm it;
 *   one that offers no way to ask is not spoken of. Caller frees
 * @error: return location
 *
 * Returns: %FALSE if the sign-in is in the store still: %BECKON_OAUTH_ERROR_LOCKED, or what the store says
 */
gboolean beckon_oauth_sign_out_finish (BeckonOauth *oauth, GAsyncResult *result, char **notice, GError **error);

#define BECKON_OAUTH_ERROR (beckon_oauth_error_quark ())
GQuark beckon_oauth_error_quark (void);

/**
 * BeckonOauthError:
 * @BECKON_OAUTH_ERROR_NEEDED: the person has to sign in; nothing was opened
 * @BECKON_OAUTH_ERROR_REFUSED: the person or the authorization server said no; asking again would ask the same
 * @BECKON_OAUTH_ERROR_UNSAFE: what a server said leads elsewhere than it may: nothing was sent there
 * @BECKON_OAUTH_ERROR_PROTOCOL: a server answered something that is not OAuth
 * @BECKON_OAUTH_ERROR_FAILED: no answer came; it may work later
 * @BECKON_OAUTH_ERROR_LOCKED: there is a sign-in, in a keyring that is locked
 *
 * Why there is no token. Messages are translated, name the server, and hold no secret.
 */
typedef enum
{
  BECKON_OAUTH_ERROR_NEEDED,
  BECKON_OAUTH_ERROR_REFUSED,
  BECKON_OAUTH_ERROR_UNSAFE,
  BECKON_OAUTH_ERROR_PROTOCOL,
  BECKON_OAUTH_ERROR_FAILED,
  BECKON_OAUTH_ERROR_LOCKED,
} BeckonOauthError;

G_END_DECLS
