/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-shell-lexer.h"

G_BEGIN_DECLS

/** Longer lines are not read: a person could not judge them either. Bytes. */
#define BECKON_SHELL_MAX_LENGTH (64 * 1024)

/** How deep ( ) and { } may be nested. */
#define BECKON_SHELL_MAX_DEPTH 32

/**
 * beckon_shell_parse:
 * @line: a command line
 * @error: return location for an error
 *
 * Takes a command line apart into the simple commands that it would run, however they are joined: one after another, by
 * && and ||, in a pipeline, in the background, in ( ) or { }. Which of them run is not asked; all of them must be allowed.
 *
 * Only what the POSIX shell, bash and dash read in one and the same way is understood, and only what is known without
 * running it: no expansion but of file names and ~, no substitution, no control structure, no function, no
 * here-document, no control or invisible character. Everything else is an error, and a line that is not understood is
 * asked for whole. Pure; any thread.
 *
 * Returns: (transfer full) (element-type BeckonShellSegment): the commands in the line's order, at least one; %NULL with
 *   BECKON_ERROR_INVALID, BECKON_ERROR_TOO_LARGE or BECKON_ERROR_TOO_DEEP, in words to be shown
 */
GPtrArray *beckon_shell_parse (const char *line, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
