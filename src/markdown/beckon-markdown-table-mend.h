/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * beckon_markdown_table_mend:
 * @text: Markdown with lines that end with LF
 * @length: its bytes
 *
 * The parser wants three dashes in each cell of the row below a table's heading, where one is enough by GFM. This adds what is
 * missing there, and nowhere else.
 *
 * Returns: (transfer full) (nullable): what the parser is to read; %NULL if that is @text as it is
 */
GString *beckon_markdown_table_mend (const char *text, gsize length) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
