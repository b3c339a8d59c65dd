/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-shell-lexer.h"

G_BEGIN_DECLS

/**
 * BeckonCommandPattern:
 *
 * What a rule says of one command: words that it must have, in their order; a last `*` stands for any further arguments,
 * and a `*` within a word for any characters of that word. `git log *` allows `git log --oneline`, `make check` allows
 * just that, and `ls *` allows no `/tmp/ls`.
 *
 * An open end is a promise about what was not seen yet. So it does not hold for arguments that make the program run
 * another one or write a file (`find -delete`, `sort -o`, `git --output`), for files outside of the folder, nor for programs
 * whose arguments are programs (`env`, `nice`, `sh`): those are allowed word by word only.
 */
typedef struct _BeckonCommandPattern BeckonCommandPattern;

/**
 * beckon_command_pattern_new:
 * @text: what a person wrote, or a rule offered
 * @error: return location for an error
 *
 * Returns: (transfer full) (nullable): the pattern; %NULL with BECKON_ERROR_INVALID, in words to be shown
 */
BeckonCommandPattern *beckon_command_pattern_new (const char *text, GError **error) G_GNUC_WARN_UNUSED_RESULT;
void beckon_command_pattern_free (BeckonCommandPattern *pattern);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonCommandPattern, beckon_command_pattern_free)

/**
 * beckon_command_pattern_allows:
 * @pattern: a pattern
 * @segment: a command
 * @folder: (nullable): the working folder, which an open end does not lead out of
 *
 * Whether a rule with @pattern may allow @segment. Never for a program that takes what it runs from its input (`sh`,
 * `python3 -`, `xargs`), which no word of it says, nor for a command that sets variables, redirects to or from a file,
 * or whose words the shell still changes in a way that could add options. Pure; any thread.
 */
gboolean beckon_command_pattern_allows (const BeckonCommandPattern *pattern, const BeckonShellSegment *segment,
                                        const char *folder);

/**
 * BeckonMention:
 * @BECKON_MENTION_NO: it is about something else
 * @BECKON_MENTION_MAYBE: it could be about it: the command is not understood far enough to say that it is not
 * @BECKON_MENTION_YES: it is about it
 */
typedef enum
{
  BECKON_MENTION_NO,
  BECKON_MENTION_MAYBE,
  BECKON_MENTION_YES,
} BeckonMention;

/**
 * beckon_command_pattern_mentions:
 * @pattern: a pattern
 * @segment: a command
 *
 * Whether a rule with @pattern that asks or denies is about @segment. It reads the same words generously: redirections,
 * variables, risky options and another path to the same name do not take a command out of a prohibition, nor do options before
 * the subcommand, another name of it, or options in another place. Pure; any thread.
 */
BeckonMention beckon_command_pattern_mentions (const BeckonCommandPattern *pattern, const BeckonShellSegment *segment);

/** (nullable): the program that it is about, if it names one whole; a command with a path to that program is one of them. */
const char *beckon_command_pattern_get_program (const BeckonCommandPattern *pattern);

G_END_DECLS
