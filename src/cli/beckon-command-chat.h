/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * beckon_command_chat:
 * @argc: number of @argv
 * @argv: the command's own arguments, its word first
 *
 * Talks in the terminal: a line is a message, or the answer while a question is open.
 *
 * Returns: the exit status
 */
int beckon_command_chat (int argc, char **argv);

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
