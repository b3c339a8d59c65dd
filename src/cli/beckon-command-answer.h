/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * beckon_command_answer:
 * @argc: number of @argv
 * @argv: the command's own arguments, its word first
 *
 * Answers a request, and resumes its run if no other process does.
 *
 * Returns: the exit status
 */
int beckon_command_answer (int argc, char **argv);

/**
 * beckon_command_reject:
 * @argc: number of @argv
 * @argv: the command's own arguments, its word first
 *
 * Dismisses a question or denies a tool call, and resumes likewise.
 *
 * Returns: the exit status
 */
int beckon_command_reject (int argc, char **argv);

G_END_DECLS
