/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * beckon_sandbox_etc_add:
 * @arguments: where arguments for bubblewrap are added
 * @fds: (element-type int): where the descriptors are added that bubblewrap is given for it
 * @network: whether what the network needs is shown, too
 *
 * Shows commands what they need of /etc (beckon-etc-lists.h). Every mount, and every file that bubblewrap copies, costs each of
 * them up to a fifth of a millisecond, so that all is copied once (beckon-etc-copy.h) and mounted in one piece. A worker makes
 * that copy when a command first asks for it, and again when the system's /etc has changed; until it is there, or where there
 * can be none, each piece is shown by itself: commands see the same. Main thread.
 */
void beckon_sandbox_etc_add (GString *arguments, GArray *fds, gboolean network);

/**
 * beckon_sandbox_etc_prepare_async:
 * @network: whether what the network needs is shown, too
 * @cancellable: (nullable): ends the wait
 * @callback: called when it is known what commands need; at once where it is
 * @user_data: for @callback
 *
 * Without this the first commands of a program would miss what other programs keep in /etc (beckon-etc-links.h).
 */
void beckon_sandbox_etc_prepare_async (gboolean network, GCancellable *cancellable, GAsyncReadyCallback callback,
                                       gpointer user_data);

/** %FALSE only with G_IO_ERROR_CANCELLED. */
gboolean beckon_sandbox_etc_prepare_finish (GAsyncResult *result, GError **error);

/** Whether the next command is shown a copy. Tests wait for it. Main thread. */
gboolean beckon_sandbox_etc_is_ready (gboolean network);

G_END_DECLS
