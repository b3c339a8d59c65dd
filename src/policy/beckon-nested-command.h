/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-shell-lexer.h"

G_BEGIN_DECLS

/**
 * beckon_command_list_nested:
 * @segment: a command
 * @segments: (nullable) (element-type BeckonShellSegment): all commands of its line
 * @is_hidden: (out): whether it may run what cannot be read here
 *
 * What a command may run out of its own arguments: `rm x` of `env rm x`, of `find -exec rm x` and of `sh -c "rm x"`, and
 * whatever else could begin there; a prohibition is about those too. Of programs that take files and patterns, and run
 * nothing, there is nothing; of programs that are not known, whatever their words could be. Hidden is what a shell reads from a
 * file or from its input, code of other languages, and a program that lies where a copy of any other could: in the folder.
 * Pure; any thread.
 *
 * Returns: (transfer full) (element-type BeckonShellSegment): the commands, in no order; often none
 */
GPtrArray *beckon_command_list_nested (const BeckonShellSegment *segment, GPtrArray *segments,
                                       gboolean *is_hidden) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
