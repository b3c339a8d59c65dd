/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "markdown/beckon-markdown-parse.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_BLOCK_VIEW (beckon_block_view_get_type ())
G_DECLARE_FINAL_TYPE (BeckonBlockView, beckon_block_view, BECKON, BLOCK_VIEW, AdwBin)

/**
 * A label lays all of its text out again whenever it changes. Above so many bytes that takes more than a small part of
 * a frame, and the text is shown as it is, in a text view.
 */
#define BECKON_BLOCK_VIEW_LONGEST_LABEL 6000

/** Shows a block of text, with its inner blocks. @depth: how many lists and quotes it is in. */
GtkWidget *beckon_block_view_new (guint depth) G_GNUC_WARN_UNUSED_RESULT;

/** Shows @node. What of it is as it was before stays the widgets it is; what has only grown costs what is new. */
void beckon_block_view_update (BeckonBlockView *self, BeckonMarkdownNode *node);

/** Shows @text as it is, without marks of any kind. */
void beckon_block_view_set_plain (BeckonBlockView *self, const char *text);

/** Whether it exceeds a label, and wants all the width there is. */
gboolean beckon_block_view_is_long (BeckonBlockView *self);

G_END_DECLS
