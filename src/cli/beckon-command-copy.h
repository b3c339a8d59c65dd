/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * beckon_command_duplicate:
 * @argc: number of @argv
 * @argv: the command's own arguments, its word first
 *
 * Makes a second conversation of one, and prints its id.
 *
 * Returns: the exit status
 */
int beckon_command_duplicate (int argc, char **argv);

/**
 * beckon_command_branch:
 * @argc: number of @argv
 * @argv: the command's own arguments, its word first
 *
 * Makes a conversation of the beginning of another one, and prints its id.
 *
 * Returns: the exit status
 */
int beckon_command_branch (int argc, char **argv);

G_END_DECLS
