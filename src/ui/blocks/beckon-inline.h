/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "markdown/beckon-markdown-parse.h"
#include "ui/widgets/beckon-label-links.h"

G_BEGIN_DECLS

/**
 * BeckonInline:
 * @text: what is shown
 * @links: (nullable) (element-type BeckonLabelLink): in the order of the text
 * @attributes: how it is drawn but for the links; places are bytes of @text
 *
 * A leaf's text, ready to be shown. Only addresses that a person can open by a click are links, and everything that
 * came from a model is escaped, so that nothing it writes can become more than that.
 */
typedef struct
{
  char *text;
  GPtrArray *links;
  PangoAttrList *attributes;
} BeckonInline;

/** @node: a leaf. */
void beckon_inline_init (BeckonInline *self, const BeckonMarkdownNode *node);
void beckon_inline_clear (BeckonInline *self);

/**
 * beckon_inline_render:
 * @text: Markdown of a few words, such as a question
 * @attributes: (out) (transfer full): how to draw what is returned
 *
 * For a place that has room for a line and not for blocks: all leaves one below the other, without links.
 *
 * Returns: (transfer full): the text to show
 */
char *beckon_inline_render (const char *text, PangoAttrList **attributes) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_inline_name_overrides:
 * @text: a paragraph or more
 * @length: its bytes
 *
 * No language needs the characters that turn the direction of all letters behind them, so they are written out. The others that
 * steer the direction hold for their paragraph.
 *
 * Returns: (transfer full): the text to show
 */
char *beckon_inline_name_overrides (const char *text, gsize length) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (BeckonInline, beckon_inline_clear)

G_END_DECLS
