/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "policy/beckon-effects.h"

G_BEGIN_DECLS

/**
 * beckon_command_files_add:
 * @effects: the effects of a command; its folder is set
 * @directory: the absolute path of the folder in which it starts
 * @line: the command line
 * @tool_chains: (nullable) (array zero-terminated=1): those of the home that a command is shown
 *
 * Adds the files of the working folder that @line names, with links resolved, and that it leaves the folder where a link
 * leads out, other than to what a command is shown of the system, or of @tool_chains, to be read alone. What is named is
 * looked for where the command starts and where a `cd` leads it. A line that is not understood names files all the same:
 * whatever stands in it between blanks, quotation marks and operators. Asks the file system.
 */
void beckon_command_files_add (BeckonEffects *effects, const char *directory, const char *line,
                               const char *const *tool_chains);

G_END_DECLS
