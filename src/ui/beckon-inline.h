/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <pango/pango.h>

G_BEGIN_DECLS

/**
 * beckon_inline_render:
 * @text: one block's text, with its inline marks
 * @attributes: (out) (transfer full): how to draw what is returned
 *
 * Takes bold, italic, struck and code marks out of @text and puts attributes in their place. The result is plain text: no
 * markup language is involved, so that nothing a model writes can become more than bold.
 *
 * Returns: (transfer full): the text to show
 */
char *beckon_inline_render (const char *text, PangoAttrList **attributes) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
