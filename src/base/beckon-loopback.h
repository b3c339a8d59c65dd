/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * beckon_uri_is_loopback:
 * @uri: (nullable): an absolute URI
 *
 * Pure; any thread. Names are not looked up: only "localhost" and literal addresses count.
 *
 * Returns: %TRUE if @uri names this computer, which no proxy, keyring or network has to do with
 */
gboolean beckon_uri_is_loopback (const char *uri);

G_END_DECLS
