/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/** The port that clients use unless DNS names one, and the one where TLS comes first. */
#define BECKON_XMPP_PORT 5222
#define BECKON_XMPP_TLS_PORT 5223

/**
 * beckon_xmpp_reach_async:
 * @domain: the account's domain
 * @host: (nullable): a name or address to use in its place
 * @port: 0 for what DNS says, or the usual one
 * @cancellable: (nullable): ends it at once
 * @callback: called once, later
 * @user_data: for @callback
 *
 * Finds an address of the account's server that answers: by its SRV records, over IPv6 or IPv4. Nothing is sent there.
 * Main thread.
 */
void beckon_xmpp_reach_async (const char *domain,
                              const char *host,
                              guint16 port,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data);

/** The address and its port; %NULL with %BECKON_CHANNEL_ERROR_NETWORK, in words for people, or %G_IO_ERROR_CANCELLED.
 * Caller owns. */
GInetSocketAddress *beckon_xmpp_reach_finish (GAsyncResult *result, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
