/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "policy/beckon-effects.h"

G_BEGIN_DECLS

/**
 * beckon_command_files_add:
 * @effects: the effects of a command; its folder is set
 * @directory: the absolute path of the folder in which it starts
 * @line: the command line
 *
 * Adds the files of the working folder that @line names, with links resolved, and that it leaves the folder where a link
 * leads out, other than to what the system shows to every command. What is named is looked for where the command starts and
 * where a `cd` leads it. A line that is not understood names files all the same: whatever stands in it between blanks,
 * quotation marks and operators. Asks the file system.
 */
void beckon_command_files_add (BeckonEffects *effects, const char *directory, const char *line);

G_END_DECLS
