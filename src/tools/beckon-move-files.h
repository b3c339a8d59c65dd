/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "tools/beckon-run-command.h"

G_BEGIN_DECLS

/** `move_files`: moves and renames files and folders, as a command of the program's own; see
 *  beckon_run_command_new_fixed(). Nothing is replaced. */
BeckonTool *beckon_move_files_new (BeckonRunCommand *run) G_GNUC_WARN_UNUSED_RESULT;

/** `delete_files`: deletes files, and folders with all that is in them, likewise. */
BeckonTool *beckon_delete_files_new (BeckonRunCommand *run) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
