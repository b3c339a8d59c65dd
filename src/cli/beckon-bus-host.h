/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "runtime/beckon-runtime.h"

G_BEGIN_DECLS

#define BECKON_TYPE_BUS_HOST (beckon_bus_host_get_type ())
G_DECLARE_FINAL_TYPE (BeckonBusHost, beckon_bus_host, BECKON, BUS_HOST, GObject)

/**
 * BeckonBusHost:
 *
 * Serves the requests to other programs of the session while a program in a terminal runs, so that a question can be
 * answered there without the application. Whoever came first has the name; this process queues for it. Without a session
 * bus, or with one that does not answer, it does nothing. Main thread.
 */

/** @runtime: opened. Begins at once. */
BeckonBusHost *beckon_bus_host_new (BeckonRuntime *runtime) G_GNUC_WARN_UNUSED_RESULT;

/** The conversation whose run this process resumes by itself once it is answered. @conversation_id: (nullable). */
void beckon_bus_host_set_conversation (BeckonBusHost *host, const char *conversation_id);

/** Tells what was asked to the end, for a second at most, and leaves the bus. Before the runtime is closed; cannot fail. */
void beckon_bus_host_end_async (BeckonBusHost *host, GAsyncReadyCallback callback, gpointer user_data);
void beckon_bus_host_end_finish (BeckonBusHost *host, GAsyncResult *result);

G_END_DECLS
