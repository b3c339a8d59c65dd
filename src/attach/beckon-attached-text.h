/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** The most bytes of a text that is attached. */
#define BECKON_ATTACHED_TEXT_MOST (512 * 1024)

/**
 * beckon_attached_text_read:
 * @bytes: a whole file
 * @length: (out): bytes of the result
 * @error: %BECKON_ERROR_INVALID if it is no text, TOO_LARGE
 *
 * Reads every encoding that beckon_file_text_new() knows. Any thread.
 *
 * Returns: (transfer full): valid UTF-8 with lines that end with LF, without control characters but tabs
 */
char *beckon_attached_text_read (GBytes *bytes, gsize *length, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
