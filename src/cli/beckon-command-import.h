/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * beckon_command_import:
 * @argc: number of @argv
 * @argv: the command's own arguments, its word first
 *
 * Reads conversations from an export.
 *
 * Returns: the exit status
 */
int beckon_command_import (int argc, char **argv);

G_END_DECLS
