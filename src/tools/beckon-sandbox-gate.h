/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "tools/beckon-job.h"

G_BEGIN_DECLS

/**
 * BeckonSandboxGate:
 *
 * Holds back what bubblewrap is about to start until the number of its processes is limited. The kernel counts the
 * processes of each user namespace apart: a limit set before there is one would count all that the person runs, so it is set
 * from outside, on the sandbox's first process, while that prepares the rest. No shell is needed for it, which would cost
 * every command a millisecond.
 *
 * Bubblewrap follows this program into death, but what it holds back does not: it would wait for ever. So somebody waits beside
 * it, until the gate is open, and ends all of them with this program.
 */
typedef struct _BeckonSandboxGate BeckonSandboxGate;

/**
 * beckon_sandbox_gate_new:
 * @n_processes: the most processes and threads in the sandbox
 * @error: return location for an error
 *
 * Returns: (transfer full): a closed gate; %NULL with BECKON_ERROR_UNAVAILABLE if there are no descriptors left for it
 */
BeckonSandboxGate *beckon_sandbox_gate_new (guint n_processes, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_sandbox_gate_add:
 * @gate: the gate
 * @argv: (element-type utf8): where its arguments for bubblewrap are added
 * @launcher: the launcher of bubblewrap, which takes its descriptors
 * @first_fd: the first of two descriptors that are free in bubblewrap
 */
void beckon_sandbox_gate_add (BeckonSandboxGate *gate, GPtrArray *argv, GSubprocessLauncher *launcher, int first_fd);

/** In the process that is about to become bubblewrap, in a process group of its own, between fork and exec. */
void beckon_sandbox_gate_watch (BeckonSandboxGate *gate);

/**
 * beckon_sandbox_gate_attach:
 * @gate: (transfer full): the gate
 * @job: bubblewrap, which was started with it
 *
 * Opens it when the limit is set, by the main loop. If it cannot be set @job is killed and says why: nothing runs without.
 */
void beckon_sandbox_gate_attach (BeckonSandboxGate *gate, BeckonJob *job);

void beckon_sandbox_gate_free (BeckonSandboxGate *gate);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonSandboxGate, beckon_sandbox_gate_free)

G_END_DECLS
