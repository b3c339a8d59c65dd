/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "sandbox/beckon-job.h"

G_BEGIN_DECLS

/**
 * BeckonSandboxScope:
 *
 * A control group of its own for a command, which systemd makes where it runs the session: the kernel then counts memory (page
 * by page, temporary file systems too) and processes, and holds all of them together to their limits. Elsewhere there is none,
 * and a command is watched instead. Main thread.
 */
typedef struct _BeckonSandboxScope BeckonSandboxScope;

/**
 * beckon_sandbox_scope_new_async:
 * @pid: the command's first process, which has not begun; all that it starts is in the scope, too
 * @limits: what it may use
 * @cancellable: (nullable): ends the wait
 * @callback: called when the scope is there, or cannot be
 * @user_data: for @callback
 *
 * Asks systemd for a scope. Where there is none this is known at once the next time.
 */
void beckon_sandbox_scope_new_async (int pid, const BeckonJobLimits *limits, GCancellable *cancellable,
                                     GAsyncReadyCallback callback, gpointer user_data);

/** (transfer full): a scope whose limits were found to hold; %NULL with BECKON_ERROR_UNAVAILABLE where there is none. */
BeckonSandboxScope *beckon_sandbox_scope_new_finish (GAsyncResult *result, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_sandbox_scope_open:
 * @folder: the folder of a control group (version 2)
 * @limits: what it is to be held to
 * @error: return location for an error
 *
 * Returns: (transfer full): for a group that exists; %NULL with BECKON_ERROR_UNAVAILABLE if it is not held to @limits
 */
BeckonSandboxScope *beckon_sandbox_scope_open (const char *folder, const BeckonJobLimits *limits, GError **error)
  G_GNUC_WARN_UNUSED_RESULT;

/** Ends @job, which outlives @scope, when the kernel had to end a process of the group for want of memory. */
void beckon_sandbox_scope_watch (BeckonSandboxScope *scope, BeckonJob *job);

/** Whether the kernel ended a process of the group for want of memory. It tells of that a moment late, so that this is asked
 *  again when @job, the last process of which may have been that one, has ended. */
gboolean beckon_sandbox_scope_was_full (BeckonSandboxScope *scope);

void beckon_sandbox_scope_free (BeckonSandboxScope *scope);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonSandboxScope, beckon_sandbox_scope_free)

G_END_DECLS
