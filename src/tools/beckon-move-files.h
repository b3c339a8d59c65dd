/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-change-set.h"
#include "tools/beckon-run-command.h"

G_BEGIN_DECLS

/** `move_files`: moves and renames files and folders, as a command of the program's own; see
 *  beckon_run_command_new_fixed(). Nothing is replaced. */
BeckonTool *beckon_move_files_new (BeckonRunCommand *run) G_GNUC_WARN_UNUSED_RESULT;

/** `delete_files`: deletes files, and folders with all that is in them, likewise. */
BeckonTool *beckon_delete_files_new (BeckonRunCommand *run) G_GNUC_WARN_UNUSED_RESULT;

/** Binds what was moved away to what it became, for each move of the arguments of move_files, so that they land together. */
void beckon_move_files_bind (JsonObject *arguments, const char *folder, BeckonChangeSet *changes);

G_END_DECLS
