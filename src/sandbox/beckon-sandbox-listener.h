/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * beckon_sandbox_listener_new:
 * @pid: the first process of a sandbox, which has a network of its own and has not begun
 * @port: where to listen
 * @error: return location for an error
 *
 * Makes a socket that listens in the sandbox's network, where only its commands can connect to it; who accepts is
 * this program. So the sandbox holds nothing that leads out of it: no socket in a folder, no program that forwards.
 *
 * Returns: (transfer full): the socket; %NULL with BECKON_ERROR_UNAVAILABLE
 */
GSocket *beckon_sandbox_listener_new (int pid, guint16 port, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
