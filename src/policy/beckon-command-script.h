/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-shell-lexer.h"

G_BEGIN_DECLS

/**
 * beckon_command_script_is_hidden:
 * @segment: a command, with at least one word
 * @program: the own name of its program
 *
 * Whether the command brings lines of a language with it that could run other commands, and that are not understood here:
 * `perl -e`, `vim -c`, `sed '1e …'`, `awk 'BEGIN { system(…) }'`, `tar --to-command`, `git -c alias.x=!…`. A script in a file
 * is none of them: what is in it is not looked at. Pure; any thread.
 */
gboolean beckon_command_script_is_hidden (const BeckonShellSegment *segment, const char *program);

G_END_DECLS
