/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * BeckonShellWordFlags:
 * @BECKON_SHELL_WORD_LITERAL: the shell passes it on as it is
 * @BECKON_SHELL_WORD_GLOB: the shell replaces it with the names of files that match
 * @BECKON_SHELL_WORD_LEADING_GLOB: and what it becomes may begin with anything, a dash too
 * @BECKON_SHELL_WORD_TILDE: the shell replaces ~ with a home folder
 *
 * What the shell does to a word before the program sees it.
 */
typedef enum
{
  BECKON_SHELL_WORD_LITERAL = 0,
  BECKON_SHELL_WORD_GLOB = 1 << 0,
  BECKON_SHELL_WORD_LEADING_GLOB = 1 << 1,
  BECKON_SHELL_WORD_TILDE = 1 << 2,
} BeckonShellWordFlags;

/**
 * BeckonShellWord:
 * @text: (owned): the word without its quotes
 * @flags: what the shell does to it
 */
typedef struct
{
  char *text;
  BeckonShellWordFlags flags;
} BeckonShellWord;

/**
 * BeckonShellRedirection:
 * @operator: (owned): with its descriptor, as it stands: `2>`, `>>`, `>&`
 * @target: (owned): the file, or the descriptor
 */
typedef struct
{
  char *operator;
  BeckonShellWord *target;
} BeckonShellRedirection;

/**
 * BeckonShellJoin:
 * @BECKON_SHELL_JOIN_FIRST: it is the first command of its line
 * @BECKON_SHELL_JOIN_AND: it runs if what stands before it succeeded, by &&
 * @BECKON_SHELL_JOIN_PIPE: it is fed by what stands before it
 * @BECKON_SHELL_JOIN_NEXT: it runs after it, whatever became of it
 * @BECKON_SHELL_JOIN_OTHER: anything else: || and &, or it stands in brackets or behind !
 *
 * How a command hangs together with the one before it in the line.
 */
typedef enum
{
  BECKON_SHELL_JOIN_FIRST,
  BECKON_SHELL_JOIN_AND,
  BECKON_SHELL_JOIN_PIPE,
  BECKON_SHELL_JOIN_NEXT,
  BECKON_SHELL_JOIN_OTHER,
} BeckonShellJoin;

/**
 * BeckonShellSegment:
 * @text: (owned): the command as it stands in the line
 * @words: (owned) (element-type BeckonShellWord): the program and its arguments; empty if there are only assignments or
 *   redirections
 * @assignments: (owned) (element-type BeckonShellWord): `NAME=value` before the program
 * @redirections: (owned) (element-type BeckonShellRedirection): in the order of the line
 * @join: how it hangs together with the one before
 *
 * One simple command of a line, which is what is allowed or asked for.
 */
typedef struct
{
  char *text;
  GPtrArray *words;
  GPtrArray *assignments;
  GPtrArray *redirections;
  BeckonShellJoin join;
} BeckonShellSegment;

BeckonShellSegment *beckon_shell_segment_new (void) G_GNUC_WARN_UNUSED_RESULT;
void beckon_shell_segment_free (BeckonShellSegment *segment);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonShellSegment, beckon_shell_segment_free)

/** The text of word @index, %NULL past the last. Owned by @segment. */
const char *beckon_shell_segment_get_word (const BeckonShellSegment *segment, guint index);

/** (transfer full): a word; @text is taken. */
BeckonShellWord *beckon_shell_word_new (char *text, BeckonShellWordFlags flags) G_GNUC_WARN_UNUSED_RESULT;
/** (transfer full): a redirection; @operator and @target are taken. */
BeckonShellRedirection *beckon_shell_redirection_new (char *operator, BeckonShellWord *target)
  G_GNUC_WARN_UNUSED_RESULT;
/** Whether @redirection neither reads nor writes a file: `2>&1`, or to and from /dev/null. */
gboolean beckon_shell_redirection_is_harmless (const BeckonShellRedirection *redirection);

G_END_DECLS
