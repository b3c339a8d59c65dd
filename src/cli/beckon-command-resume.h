/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * beckon_command_resume:
 * @argc: number of @argv
 * @argv: the command's own arguments, its word first
 *
 * Resumes a run that no process drives.
 *
 * Returns: the exit status
 */
int beckon_command_resume (int argc, char **argv);

/** The same for `stop`: stops a run, whichever process drives it. */
int beckon_command_stop (int argc, char **argv);

G_END_DECLS
