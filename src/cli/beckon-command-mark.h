/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * beckon_command_pin:
 * @argc: number of @argv
 * @argv: the command's own arguments, its word first
 *
 * Puts a conversation above all others, and `unpin` back.
 *
 * Returns: the exit status
 */
int beckon_command_pin (int argc, char **argv);

/**
 * beckon_command_unpin:
 * @argc: number of @argv
 * @argv: the command's own arguments, its word first
 *
 * See beckon_command_pin().
 *
 * Returns: the exit status
 */
int beckon_command_unpin (int argc, char **argv);

/**
 * beckon_command_archive:
 * @argc: number of @argv
 * @argv: the command's own arguments, its word first
 *
 * Takes a conversation out of the way, and `unarchive` brings it back.
 *
 * Returns: the exit status
 */
int beckon_command_archive (int argc, char **argv);

/**
 * beckon_command_unarchive:
 * @argc: number of @argv
 * @argv: the command's own arguments, its word first
 *
 * See beckon_command_archive().
 *
 * Returns: the exit status
 */
int beckon_command_unarchive (int argc, char **argv);

/**
 * beckon_command_rename:
 * @argc: number of @argv
 * @argv: the command's own arguments, its word first
 *
 * Gives a conversation a title.
 *
 * Returns: the exit status
 */
int beckon_command_rename (int argc, char **argv);

G_END_DECLS
