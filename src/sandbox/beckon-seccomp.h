/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * BeckonSeccompReach:
 * @BECKON_SECCOMP_REACH_NOTHING: it has a network of its own, and a view of the folder
 * @BECKON_SECCOMP_REACH_SOCKETS: it meets sockets of other programs, in this computer's network or in the folder: it can make
 *   none of their kind
 * @BECKON_SECCOMP_REACH_FOLDER: it writes in the folder as well, where others find what it makes: no named pipes either
 *
 * How a command can meet this computer's other programs.
 */
typedef enum
{
  BECKON_SECCOMP_REACH_NOTHING,
  BECKON_SECCOMP_REACH_SOCKETS,
  BECKON_SECCOMP_REACH_FOLDER,
} BeckonSeccompReach;

/**
 * beckon_seccomp_new_filter:
 * @reach: what it meets
 * @error: return location for an error
 *
 * The system calls that a sandboxed command has no business with, refused with EPERM: those that type into the terminal it
 * was started from, reach the keys of the kernel, make namespaces and mounts anew, trace, or were again and again the way
 * out of a sandbox.
 *
 * Returns: a descriptor of the program in the kernel's form, at its beginning, closed on exec; -1 with
 *   BECKON_ERROR_UNAVAILABLE
 */
int beckon_seccomp_new_filter (BeckonSeccompReach reach, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
