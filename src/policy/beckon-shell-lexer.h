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

typedef enum
{
  BECKON_SHELL_TOKEN_END,
  BECKON_SHELL_TOKEN_WORD,
  BECKON_SHELL_TOKEN_REDIRECT,
  BECKON_SHELL_TOKEN_AND,
  BECKON_SHELL_TOKEN_OR,
  BECKON_SHELL_TOKEN_PIPE,
  BECKON_SHELL_TOKEN_SEMICOLON,
  BECKON_SHELL_TOKEN_BACKGROUND,
  BECKON_SHELL_TOKEN_NEWLINE,
  BECKON_SHELL_TOKEN_OPEN,
  BECKON_SHELL_TOKEN_CLOSE,
} BeckonShellTokenKind;

/**
 * BeckonShellLexer:
 * @line: (unowned): the whole line
 * @kind: what the lexer stands on
 * @start: the token's first byte in @line
 * @end: the byte after it
 * @text: (owned) (nullable): a word without its quotes, or a redirection's operator
 * @flags: for a word, what the shell does to it
 * @is_quoted: for a word, whether any of it was quoted, so that it is no reserved word
 *
 * The tokens of a command line by the rules of the POSIX shell (Shell Command Language, 2.3 Token Recognition), as far as
 * every shell reads them in the same way; the rest is an error.
 */
typedef struct
{
  const char *line;
  BeckonShellTokenKind kind;
  gsize start;
  gsize end;
  GString *text;
  BeckonShellWordFlags flags;
  gboolean is_quoted;
} BeckonShellLexer;

/** Stands before the first token; advance to reach it. */
void beckon_shell_lexer_init (BeckonShellLexer *lexer, const char *line);
void beckon_shell_lexer_clear (BeckonShellLexer *lexer);

/** On to the next token. %FALSE, with @error (BECKON_ERROR_INVALID), for what not every shell reads in the same way. */
gboolean beckon_shell_lexer_advance (BeckonShellLexer *lexer, GError **error);

/** Whether the token is the unquoted word @word. */
gboolean beckon_shell_lexer_is_reserved (const BeckonShellLexer *lexer, const char *word);

/** Whether the token is a word that sets a variable when it stands before the program. */
gboolean beckon_shell_lexer_is_assignment (const BeckonShellLexer *lexer);

/** Whether the token is NAME[… or NAME+=…, which some shells set before a program and others take for one. */
gboolean beckon_shell_lexer_is_disputed (const BeckonShellLexer *lexer);

G_END_DECLS
