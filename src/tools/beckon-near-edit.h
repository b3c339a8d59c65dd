/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * beckon_near_edit:
 * @before: a text that @old_text is not in
 * @old_text: what is to be replaced
 * @new_text: what takes its place
 * @places: (element-type gsize): where what is near @old_text begins in @before; added to
 *
 * Looks for the place that is meant by a text that is only nearly there: with blanks within lines and at their ends,
 * typographic quotes and an even indentation made alike; without line numbers before its lines; with \n for a line break. What
 * both texts have in common stays as it is in @before, and lines that come are indented as those around them are.
 *
 * Returns: (transfer full) (nullable): @before with the replacement; %NULL unless there is exactly one such place
 */
char *beckon_near_edit (const char *before, const char *old_text, const char *new_text,
                        GArray *places) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_near_edit_find_lines:
 * @before: a text
 * @old_text: what is not in it
 * @length: (out): how many bytes
 *
 * Returns: (nullable): the lines of @before that are most like @old_text, or the piece of a long one, as a pointer into it;
 *   %NULL if none is like it
 */
const char *beckon_near_edit_find_lines (const char *before, const char *old_text, gsize *length);

G_END_DECLS
