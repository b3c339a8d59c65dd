/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-shell-segment.h"

G_BEGIN_DECLS

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
