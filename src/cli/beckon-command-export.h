/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * beckon_command_export:
 * @argc: number of @argv
 * @argv: the command's own arguments, its word first
 *
 * Writes one conversation to a file or to standard output.
 *
 * Returns: the exit status
 */
int beckon_command_export (int argc, char **argv);

G_END_DECLS
