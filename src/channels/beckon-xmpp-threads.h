/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * The threads that speak XMPP. The libraries of TLS take themselves apart as the process ends, in which no thread may still use
 * them, nor still have to let go of what they keep for each thread: all threads are joined before.
 */

/**
 * beckon_xmpp_threads_start:
 * @run: the thread; its last act is beckon_xmpp_threads_note_end()
 * @data: for both functions; alive until the thread has noted its end
 * @close: (scope async): tells the thread to end soon, from the main thread, as the process ends
 */
void beckon_xmpp_threads_start (GThreadFunc run, gpointer data, void (*close) (gpointer data));

/** The thread of @data ends; from itself. */
void beckon_xmpp_threads_note_end (gpointer data);

/** Closes what lives and waits for it, a second at most. For atexit(). */
void beckon_xmpp_threads_finish (void);

G_END_DECLS
