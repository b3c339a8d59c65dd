/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * beckon_worker_run:
 * @task: a task
 * @function: what to do
 *
 * As g_task_run_in_thread(), for work that may hang, such as a look-up in a file system that does not answer: there are as many
 * threads as there is such work, so that one that hangs holds up no other. A task that is given up is not waited for.
 * A model reads the errors: they are English there, GIO's too. @task is let go of in its own context, and so are its source and
 * its data; g_task_run_in_thread() may do that on the thread.
 */
void beckon_worker_run (GTask *task, GTaskThreadFunc function);

/** The same for work whose errors a person reads: they are in the person's language. */
void beckon_worker_run_for_person (GTask *task, GTaskThreadFunc function);

/**
 * beckon_worker_wait_async:
 * @function: what to do: its task returns a pointer
 * @data: (transfer full): its data
 * @destroy: for @data
 * @patience_ms: how long it is waited for; what comes of it later is dropped
 * @callback: called later
 * @user_data: for @callback
 *
 * As beckon_worker_run().
 */
void beckon_worker_wait_async (GTaskThreadFunc function, gpointer data, GDestroyNotify destroy, guint patience_ms,
                               GAsyncReadyCallback callback, gpointer user_data);

/** (transfer full): what @function returned; %NULL with its error, or with %G_IO_ERROR_TIMED_OUT. */
gpointer beckon_worker_wait_finish (GAsyncResult *result, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
