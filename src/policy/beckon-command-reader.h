/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-shell-lexer.h"

G_BEGIN_DECLS

/**
 * BeckonCommandReader:
 * @BECKON_COMMAND_READER_UNKNOWN: nothing is known of the command here
 * @BECKON_COMMAND_READER_READS: with these words it only reads, and whatever else it is given without options it will, too
 * @BECKON_COMMAND_READER_MAY_DO_MORE: the program is known, but not that these words only read
 */
typedef enum
{
  BECKON_COMMAND_READER_UNKNOWN,
  BECKON_COMMAND_READER_READS,
  BECKON_COMMAND_READER_MAY_DO_MORE,
} BeckonCommandReader;

/**
 * beckon_command_reader_judge:
 * @segment: a command, with at least one word
 * @n_fixed: how many of its first words are taken as they are
 *
 * Looks at the words behind the first @n_fixed. An option that is not known to be harmless counts as one that is not. Pure;
 * any thread.
 *
 * Returns: what is known
 */
BeckonCommandReader beckon_command_reader_judge (const BeckonShellSegment *segment, guint n_fixed);

/**
 * beckon_command_reader_count_names:
 * @segment: a command, with at least one word
 *
 * Returns: how many of its first words name one of the few programs that only read: 1, or 2 with a subcommand; 0 for any other
 */
guint beckon_command_reader_count_names (const BeckonShellSegment *segment);

G_END_DECLS
