/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-shell-lexer.h"

G_BEGIN_DECLS

/**
 * BeckonCommandParts:
 * @program: the program's own name: without its path, without a version (python3.11 is python), and git for git-push
 * @subcommand: (nullable): the word that says what the program does, by its full name (npm i is install); %NULL without one
 * @subcommand_index: the place of that word; the number of words without one
 * @first: the place of the first argument, which is 1 but for `python3 -m pip`
 * @is_certain: whether it is that word: all options before it are known
 * @is_open: whether the program may do anything: a name that it does not know is an alias of it, or an option defines one
 * @is_unordered: its operands all count, in any order, as the targets of make do
 * @is_abbreviated: the program takes beginnings of subcommands' names, and @subcommand is none of its names
 *
 * What is known of a command by the grammar of its program. Borrowed from the segment.
 */
typedef struct
{
  const char *program;
  const char *subcommand;
  guint subcommand_index;
  guint first;
  gboolean is_certain;
  gboolean is_open;
  gboolean is_unordered;
  gboolean is_abbreviated;
} BeckonCommandParts;

/**
 * beckon_command_take_apart:
 * @segment: a command
 * @parts: (out): what it is made of
 *
 * Reads a command by the options that its program takes before a subcommand. Of programs that are not known here, any word
 * that begins with a dash is an option, which may have the next word for its value. Pure; any thread.
 *
 * Returns: %FALSE for one without words
 */
gboolean beckon_command_take_apart (const BeckonShellSegment *segment, BeckonCommandParts *parts);

/** The full name of subcommand @word of @program; @word itself if it has no other. Borrowed. */
const char *beckon_command_unify_subcommand (const char *program, const char *word);

/** The own name of a program: see #BeckonCommandParts. Borrowed. */
const char *beckon_command_unify_program (const char *program);

/** Whether the options of @program before its subcommands are known here. */
gboolean beckon_command_has_grammar (const char *program);

G_END_DECLS
