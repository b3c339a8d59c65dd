/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** The shell that runs command lines, there as here: bash, which is what models write for, or sh where it is not installed.
 *  Static. */
const char *beckon_sandbox_get_shell (void);

/** Takes a variable of a command's environment. */
typedef void (*BeckonSandboxVariable) (const char *name, const char *value, gpointer data);

/**
 * beckon_sandbox_variables_foreach:
 * @home: where a command's home is
 * @ignore_file: (nullable): what Git is to overlook, because it stands in for files
 * @function: called with each
 * @data: for @function
 *
 * Lists a command's variables, but for its path and its network.
 */
void beckon_sandbox_variables_foreach (const char *home, const char *ignore_file, BeckonSandboxVariable function,
                                       gpointer data);

/** Lists those that a command has besides where its folder is a copy, so that Git knows the files in it. */
void beckon_sandbox_variables_foreach_of_copy (BeckonSandboxVariable function, gpointer data);

G_END_DECLS
