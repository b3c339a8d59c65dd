/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** The longest prompt that is read from standard input. */
#define BECKON_RUN_INPUT_PROMPT_MAX (1024 * 1024)

/** The most context that is read from standard input. */
#define BECKON_RUN_INPUT_CONTEXT_MAX (16 * 1024 * 1024)

/**
 * beckon_run_input_read:
 * @most: bytes that are accepted
 * @is_quiet: %FALSE says on standard error what it waits for, once nothing has come for two seconds
 * @error: return location
 *
 * Reads standard input to its end. Blocks; no main loop runs yet.
 *
 * Returns: (transfer full): what was read; %NULL with %BECKON_ERROR_TOO_LARGE, or an error of reading
 */
GBytes *beckon_run_input_read (gsize most, gboolean is_quiet, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** The same as a prompt, without the white space around it. Fails with %BECKON_ERROR_INVALID if it is empty or not text. */
char *beckon_run_input_read_prompt (gboolean is_quiet, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
