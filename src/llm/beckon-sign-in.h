/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/beckon-clock.h"

#include <gio/gio.h>

G_BEGIN_DECLS

#define BECKON_TYPE_SIGN_IN (beckon_sign_in_get_type ())
G_DECLARE_FINAL_TYPE (BeckonSignIn, beckon_sign_in, BECKON, SIGN_IN, GObject)

/** How long the browser may take. */
#define BECKON_SIGN_IN_TIMEOUT_S (5 * 60)

/** How long the provider may take to hand out the key. */
#define BECKON_SIGN_IN_EXCHANGE_S 30

/**
 * BeckonSignIn:
 *
 * One sign-in with a provider that gives a key to any program that a person lets have one: OAuth with PKCE (RFC 7636, S256)
 * and a loopback address (RFC 8252, 7.3), as OpenRouter has it. The browser brings a code to a port of ours, at a path that
 * only it was told; the code is exchanged for a key, for which it takes a secret that never leaves this process before. Main
 * thread.
 */

/**
 * beckon_sign_in_new:
 * @authorize_url: the page on which the person allows it
 * @exchange_url: where the code becomes a key
 * @clock: measures %BECKON_SIGN_IN_TIMEOUT_S
 *
 * Returns: (transfer full): a sign-in that has not begun; used once
 */
BeckonSignIn *beckon_sign_in_new (const char *authorize_url, const char *exchange_url,
                                  BeckonClock *clock) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_sign_in_listen:
 * @sign_in: a sign-in
 * @error: return location for an error; its message says what to do
 *
 * Begins to listen on this computer.
 *
 * Returns: (nullable): the address to open in the browser; borrowed. %NULL with %BECKON_ERROR_UNAVAILABLE
 */
const char *beckon_sign_in_listen (BeckonSignIn *sign_in, GError **error);

/**
 * beckon_sign_in_run_async:
 * @sign_in: a sign-in that listens
 * @cancellable: (nullable): ends it with %G_IO_ERROR_CANCELLED at once, whatever it waits for
 * @callback: called once, later; nothing listens any more then
 * @user_data: for @callback
 *
 * Waits for the browser, then for the key. Other clients of the port are told that nothing is there, and change nothing.
 */
void beckon_sign_in_run_async (BeckonSignIn *sign_in, GCancellable *cancellable, GAsyncReadyCallback callback,
                               gpointer user_data);

/** The key, of printable ASCII. %BECKON_ERROR_UNAVAILABLE with a translated message otherwise. Caller owns, and wipes. */
char *beckon_sign_in_run_finish (BeckonSignIn *sign_in, GAsyncResult *result, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
