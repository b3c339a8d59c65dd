/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * beckon_plain_number_parse:
 * @line: a trimmed reply; valid UTF-8
 * @several: whether a list such as "1,3" counts
 *
 * Reads a reply that is a number and nothing else: "2", "2.", "2)", "２", "选2", "第2个", and lists of them. "2 of each" is
 * text.
 *
 * Returns: (transfer full) (nullable) (element-type guint): numbers from 1 on, at least one; %NULL if it is text
 */
GArray *beckon_plain_number_parse (const char *line, gboolean several);

/**
 * beckon_plain_number_split:
 * @line: a trimmed reply; valid UTF-8
 * @several: whether a list such as "1, 2 and the older ones" counts
 * @numbers: (out) (transfer full) (element-type guint): which numbers it begins with
 *
 * Reads numbers with words behind them: "1, but keep the screenshots", "2. The other folder", "1 but not all". "2 of each",
 * "1.5" and, for one number, "1, 3" are none, and neither is a text of several lines.
 *
 * Returns: (nullable): the words, in @line; empty behind a list that is written with words, such as "1 and 2"
 */
const char *beckon_plain_number_split (const char *line, gboolean several, GArray **numbers);

G_END_DECLS
