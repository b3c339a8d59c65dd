/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * BeckonSandboxGuard:
 *
 * What other programs run by themselves out of a folder, kept from being written by a command: hooks and configuration of
 * Git, .envrc, tasks of editors. What is there is read-only; what is missing cannot be made: an empty stand-in is laid
 * there for the time of the command, and taken away behind it.
 */
typedef struct _BeckonSandboxGuard BeckonSandboxGuard;

/** (transfer full): for @folder; %NULL with BECKON_ERROR_UNAVAILABLE if no stand-in can be made. */
BeckonSandboxGuard *beckon_sandbox_guard_new (const char *folder, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** Adds bubblewrap's options to @argv (element-type utf8, owned), to stand behind the folder's own. */
void beckon_sandbox_guard_add_arguments (BeckonSandboxGuard *guard, GPtrArray *argv);

/** (element-type utf8): the absolute paths that must not be written. Borrowed. */
GPtrArray *beckon_sandbox_guard_get_paths (BeckonSandboxGuard *guard);

/** A descriptor, closed on exec, of what Git is to overlook: the names of the stand-ins, a line each; -1 without memory. */
int beckon_sandbox_guard_new_ignore_file (BeckonSandboxGuard *guard) G_GNUC_WARN_UNUSED_RESULT;

/** The folder itself is only there for the command: empty, it goes with the stand-ins. */
void beckon_sandbox_guard_take_folder (BeckonSandboxGuard *guard, const char *folder);

/** Takes the stand-ins away. */
void beckon_sandbox_guard_free (BeckonSandboxGuard *guard);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonSandboxGuard, beckon_sandbox_guard_free)

G_END_DECLS
