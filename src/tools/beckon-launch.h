/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * BeckonLaunch:
 * @argv: the program by its path, and its arguments
 * @fds: (element-type int): what it is given, each under the number that it has here; all others it does not see
 * @output: where its standard output and its standard error go; its input is at its end
 * @prepare: (nullable): called in the new process, shortly before it becomes the program; %FALSE with errno if it may not
 * @data: for @prepare
 *
 * A program to be started in the root folder, with an empty environment and a process group of its own.
 *
 * This program is not copied for that, which would keep the main loop waiting longer the larger it is: until the other begins,
 * both use the same memory, and this thread waits. So @prepare calls the system and changes nothing.
 */
typedef struct
{
  const char *const *argv;
  GArray *fds;
  int output;
  gboolean (*prepare) (gpointer data);
  gpointer data;
} BeckonLaunch;

/** Returns: the process, which is this program's child; 0 with BECKON_ERROR_UNAVAILABLE if it cannot be started. */
int beckon_launch (const BeckonLaunch *launch, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
