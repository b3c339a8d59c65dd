/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "sandbox/beckon-job.h"
#include "sandbox/beckon-sandbox-proxy.h"

G_BEGIN_DECLS

/**
 * BeckonStartBarrier:
 *
 * Holds back what bubblewrap is about to start until what it may use is limited. The kernel counts the processes of each
 * user namespace apart: a limit set before there is one would count all that the person runs, so it is set from outside, on the
 * sandbox's first process, while that prepares the rest. Address space is not limited: many programs reserve far more
 * of it than they ever use. No shell is needed for it, which would cost
 * every command a millisecond.
 *
 * Bubblewrap follows this program into death, but what it holds back does not: it would wait for ever. Nor does the sandbox's
 * first process until it has asked for that, which it does when the command is at work already. So a process waits beside
 * them, and ends them all with this program.
 */
typedef struct _BeckonStartBarrier BeckonStartBarrier;

/**
 * beckon_start_barrier_new:
 * @n_processes: the most processes and threads at a time
 * @file_bytes: the largest file that a process may write
 * @error: return location for an error
 *
 * Returns: (transfer full): a closed barrier; %NULL with BECKON_ERROR_UNAVAILABLE if there are no descriptors left for it
 */
BeckonStartBarrier *beckon_start_barrier_new (guint n_processes, guint64 file_bytes, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_start_barrier_add:
 * @barrier: the barrier
 * @arguments: where its arguments for bubblewrap are added
 * @fds: (element-type int): where the descriptors are added that bubblewrap is given for it, to be closed with the array
 */
void beckon_start_barrier_add (BeckonStartBarrier *barrier, GString *arguments, GArray *fds);

/** Gives the sandbox, which has a network of its own, a way out: see beckon_sandbox_proxy_new(). @hosts: (nullable). */
void beckon_start_barrier_set_proxy (BeckonStartBarrier *barrier, const char *const *hosts, BeckonSandboxProxyReach reach);

/** The descriptor by which the sandbox is ended with this program; see #BeckonLaunch. */
int beckon_start_barrier_get_watched (BeckonStartBarrier *barrier);

/**
 * beckon_start_barrier_attach:
 * @barrier: (transfer full): the barrier
 * @job: bubblewrap, which was started with it; its limits are those of the sandbox
 * @function: (nullable): called by the main loop when @job is over; the end of this program ends it and calls it at the latest
 * @data: for @function
 *
 * Opens it when the limits are set, by the main loop: memory and processes are limited by a control group where the session
 * gives one, and elsewhere by watching. If that cannot be @job is killed and says why: nothing runs without. @job is not over
 * before the last process of the sandbox is gone, so that nothing is written any more.
 */
void beckon_start_barrier_attach (BeckonStartBarrier *barrier, BeckonJob *job, GDestroyNotify function, gpointer data);

void beckon_start_barrier_free (BeckonStartBarrier *barrier);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonStartBarrier, beckon_start_barrier_free)

G_END_DECLS
