/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "tools/beckon-builtin-tool.h"

G_BEGIN_DECLS

#define BECKON_TYPE_END_COMMAND (beckon_end_command_get_type ())
G_DECLARE_FINAL_TYPE (BeckonEndCommand, beckon_end_command, BECKON, END_COMMAND, BeckonBuiltinTool)

/**
 * BeckonEndCommand:
 *
 * `end_command`: ends a command that `run_command` began in the background. Its result is the end of that one's, when what that
 * changed is in the folder, as far as it is kept.
 */
BeckonTool *beckon_end_command_new (void) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
