/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** The most bytes of a secret's line. */
#define BECKON_SECRET_LINE_MAX 8192

/**
 * beckon_secret_line_read:
 * @name: what it is the value of
 * @error: return location
 *
 * Reads a line of standard input, which a terminal does not show and is asked for; never an argument, which other users of the
 * computer may read. Blocks; no main loop runs yet.
 *
 * Returns: (transfer full): without the white space around it, to be wiped by the caller; %NULL with %BECKON_ERROR_INVALID, in
 *   words to be shown
 */
char *beckon_secret_line_read (const char *name, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
