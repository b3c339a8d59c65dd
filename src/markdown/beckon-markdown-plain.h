/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * beckon_markdown_to_plain:
 * @text: Markdown, valid UTF-8
 *
 * What is read when it is shown: without marks, lists with their bullets and numbers, a table's cells apart by tabs, links with
 * their addresses behind them, unless these hold what they lead to.
 *
 * Returns: (transfer full): lines of text
 */
char *beckon_markdown_to_plain (const char *text) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
