/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "request/beckon-call-preview.h"

G_BEGIN_DECLS

/**
 * beckon_plain_diff_append:
 * @text: the difference is appended, line by line; each begins with a line break
 * @preview: what a call would change
 * @colour: whether the terminal has colours
 * @most_lines: how many lines at most; 0 for all
 *
 * Returns: whether lines, or ends of lines, were left out
 */
gboolean beckon_plain_diff_append (GString *text, const BeckonCallPreview *preview, gboolean colour, guint most_lines);

G_END_DECLS
