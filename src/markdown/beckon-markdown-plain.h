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

/**
 * beckon_markdown_to_line:
 * @text: Markdown, or a piece of it, valid UTF-8
 *
 * The same in one line, for where a glance is all there is: a notification, a result of a search. Marks whose other half was
 * cut off go too, so it is not for what has to be exact.
 *
 * Returns: (transfer full): the line
 */
char *beckon_markdown_to_line (const char *text) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
