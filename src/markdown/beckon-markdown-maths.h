/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * beckon_markdown_maths_find_display:
 * @text: text that begins with a line's beginning
 * @length: its bytes
 * @start: (out): where the formula begins
 * @end: (out): where it ends
 *
 * Whether @text begins with a displayed formula that has its lines for itself: $$ or \[ to the next $$ or \], before
 * any empty line. Within it a line may begin with what would be a list or a heading elsewhere.
 *
 * Returns: bytes of all of it, with the line break after it; 0 if there is none
 */
gsize beckon_markdown_maths_find_display (const char *text, gsize length, gsize *start, gsize *end);

/**
 * beckon_markdown_maths_prepare:
 * @text: Markdown without control characters but line breaks and tabs
 * @length: its bytes
 *
 * The parser takes every pair of dollar signs for a formula, and knows no \( and \[. This hides the dollar signs that
 * are none ("$5 and $10") and gives the other marks dollar signs. What it put in is taken out by
 * beckon_markdown_maths_restore().
 *
 * Returns: (transfer full) (nullable): what the parser is to read; %NULL if that is @text as it is
 */
GString *beckon_markdown_maths_prepare (const char *text, gsize length) G_GNUC_WARN_UNUSED_RESULT;

/** Puts @text, a piece of what was prepared, at the end of @out; with @is_verbatim, escaped dollar signs as they were
 * written. */
void beckon_markdown_maths_restore (const char *text, gsize length, gboolean is_verbatim, GString *out);

/** The same for what stands between the marks of a formula. */
void beckon_markdown_maths_restore_formula (const char *text, gsize length, GString *out);

G_END_DECLS
