/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * beckon_uri_dup_origin:
 * @uri: (nullable): an absolute URI
 *
 * Pure; any thread.
 *
 * Returns: (transfer full) (nullable): the server that @uri is on, such as "https://api.example.com:443", in small letters;
 *   %NULL if it is no http or https address with a host
 */
char *beckon_uri_dup_origin (const char *uri) G_GNUC_WARN_UNUSED_RESULT;

/** %TRUE if both are on one server; %FALSE if either is no address. */
gboolean beckon_uri_same_origin (const char *uri, const char *other);

/**
 * beckon_uri_is_loopback:
 * @uri: (nullable): an absolute URI
 *
 * Pure; any thread. Names are not looked up: only "localhost" and literal addresses count.
 *
 * Returns: %TRUE if @uri names this computer, which no proxy, keyring or network has to do with
 */
gboolean beckon_uri_is_loopback (const char *uri);

/** Whether @host (nullable), a name or a literal address, is this computer. Pure; any thread. Names are not looked up. */
gboolean beckon_host_is_loopback (const char *host);

/**
 * beckon_host_is_local:
 * @host: (nullable): a name or a literal address, without a port
 *
 * Pure; any thread. Names are not looked up. Those without a dot and those of the domains that RFC 6762, RFC 6761 and RFC 8375
 * keep for such networks count, as do the addresses of RFC 1918, RFC 4193 and RFC 3927.
 *
 * Returns: %TRUE if @host is this computer or stands on the local network
 */
gboolean beckon_host_is_local (const char *host);

G_END_DECLS
