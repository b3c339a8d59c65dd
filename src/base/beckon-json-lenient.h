/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * beckon_json_make_strict:
 * @text: JSON as people and editors write it
 * @length: its bytes
 *
 * Puts spaces in the place of a byte order mark, of comments and of commas before a closing bracket, so that all else stays
 * where it is. The result is not checked. Any thread.
 *
 * Returns: (transfer full): as many bytes, and a NUL
 */
char *beckon_json_make_strict (const char *text, gsize length) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
