/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * beckon_seccomp_new_filter:
 * @meets_others: whether sockets of this computer's own programs are in its reach, because it shares the network or works in a
 *   folder itself; it can make no socket of their kind then
 * @error: return location for an error
 *
 * The system calls that a sandboxed command has no business with, refused with EPERM: those that type into the terminal it
 * was started from, reach the keys of the kernel, make namespaces and mounts anew, trace, or were again and again the way
 * out of a sandbox.
 *
 * Returns: a descriptor of the program in the kernel's form, at its beginning, closed on exec; -1 with
 *   BECKON_ERROR_UNAVAILABLE
 */
int beckon_seccomp_new_filter (gboolean meets_others, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
