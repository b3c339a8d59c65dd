/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * beckon_tls_is_old:
 * @version: what a connection was agreed to speak; %G_TLS_PROTOCOL_VERSION_UNKNOWN where there is no TLS
 *
 * Debian 12's libraries still speak what RFC 8996 says not to. Code that sends anything over TLS asks before the first byte of
 * it. Any thread.
 *
 * Returns: %TRUE if it is TLS before 1.2
 */
gboolean beckon_tls_is_old (GTlsProtocolVersion version);

G_END_DECLS
