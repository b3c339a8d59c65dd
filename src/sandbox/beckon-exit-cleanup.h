/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * beckon_exit_cleanup_begin:
 * @process: (transfer full): a pidfd; -1 for a process that is gone or was never there
 * @function: called once by the main loop, when the process is gone, and at the end of this program at the latest
 * @data: for @function
 *
 * What is to be done behind a process that may outlive what is known of it by a moment, and that nobody is kept waiting for.
 * Main thread.
 */
void beckon_exit_cleanup_begin (int process, GDestroyNotify function, gpointer data);

G_END_DECLS
