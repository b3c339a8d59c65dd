/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-shell-lexer.h"

G_BEGIN_DECLS

/**
 * beckon_command_risk_allows_open_end:
 * @segment: a command, with at least one word
 * @n_fixed: how many of its first words the rule names
 * @folder: (nullable): the working folder
 *
 * Whether the words behind the first @n_fixed may be any: not where the program takes another program or a script as its
 * argument, not where one of those words makes it run or write something, and not where one names what is outside of @folder.
 * Pure; any thread.
 */
gboolean beckon_command_risk_allows_open_end (const BeckonShellSegment *segment, guint n_fixed, const char *folder);

/** Whether @program, by its own name that of @segment, has an option there with which it runs something else. Pure; any
 *  thread. */
gboolean beckon_command_risk_has_running_option (const BeckonShellSegment *segment, const char *program);

/** Whether @segment runs what it reads from its input: a shell without a script, `python3 -`, `xargs`. Pure; any thread. */
gboolean beckon_command_risk_runs_input (const BeckonShellSegment *segment);

/** Whether the program @name, with or without its path, runs what its arguments say: another program, or a line of a language.
 *  Pure; any thread. */
gboolean beckon_command_risk_is_wrapper (const char *name);

/** Whether the program @name, with or without its path, runs scripts in a language. Pure; any thread. */
gboolean beckon_command_risk_is_interpreter (const char *name);

G_END_DECLS
