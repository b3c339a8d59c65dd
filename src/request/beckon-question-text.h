/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * beckon_question_text_clean:
 * @text: (nullable): text from a model
 * @max_chars: how many characters are kept; a cut ends in "…"
 * @one_line: whether line breaks become spaces
 *
 * Makes foreign text safe to show and to send back: control characters, explicit bidirectional marks, zero-width spaces and
 * other characters that only deceive are left out, runs of white space in one line become one space, the ends are trimmed.
 *
 * Returns: (transfer full) (nullable): %NULL when nothing is left
 */
char *beckon_question_text_clean (const char *text, guint max_chars, gboolean one_line) G_GNUC_WARN_UNUSED_RESULT;

/** The same for a text of several lines, whose first line keeps the space before it. */
char *beckon_question_text_clean_block (const char *text, guint max_chars) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_question_text_strip_recommended:
 * @label: a clean label; shortened in place
 *
 * Returns: %TRUE if @label ended in "(Recommended)" or the like
 */
gboolean beckon_question_text_strip_recommended (char *label);

/** Whether a clean label is an authored "Other…", which the card's own entry already is. */
gboolean beckon_question_text_is_other (const char *label);

/** Whether valid UTF-8 shows nothing at all; so is %NULL. */
gboolean beckon_question_text_is_blank (const char *text);

/** Takes a list's mark ("- ", "2. ", "b) ") off the start of a line. Borrowed from @line. */
const char *beckon_question_text_skip_bullet (const char *line);

G_END_DECLS
