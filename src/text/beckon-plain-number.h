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

G_END_DECLS
