/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * beckon_markdown_formula_append:
 * @latex: a formula, not ended by NUL
 * @length: its bytes
 * @out: what can be read is put at its end
 *
 * A formula as a line of text: α, x², √(a + b), (a + b)/c. Nothing is typeset: a formula that no line of text says, such as a
 * matrix, or that has an unknown command, is left as it was written.
 */
void beckon_markdown_formula_append (const char *latex, gsize length, GString *out);

G_END_DECLS
