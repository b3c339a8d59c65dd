/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * beckon_command_questions:
 * @argc: number of @argv
 * @argv: the command's own arguments, its word first
 *
 * Shows what the agents want to know, oldest first.
 *
 * Returns: the exit status
 */
int beckon_command_questions (int argc, char **argv);

G_END_DECLS
