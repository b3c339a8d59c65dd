/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "markdown/beckon-markdown-parse.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define BECKON_TYPE_BLOCK_BOX (beckon_block_box_get_type ())
G_DECLARE_FINAL_TYPE (BeckonBlockBox, beckon_block_box, BECKON, BLOCK_BOX, GtkBox)

/** Blocks one below the other. @depth: how many lists and quotes they are in. */
GtkWidget *beckon_block_box_new (guint depth) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_block_box_update:
 * @self: the box
 * @blocks: (element-type BeckonMarkdownNode): what to show
 * @first: blocks before this one are what they were at the last call
 * @n: how many of @blocks to show
 *
 * Blocks stay the widgets they are, and are brought up to date.
 */
void beckon_block_box_update (BeckonBlockBox *self, GPtrArray *blocks, guint first, guint n);

/** Its blocks stand close together, from the next update on. */
void beckon_block_box_set_tight (BeckonBlockBox *self, gboolean is_tight);

/** Its first block stands below others that are not in it. */
void beckon_block_box_set_continued (BeckonBlockBox *self, gboolean is_continued);

/** Which of its own blocks @widget stands in; FALSE if in none. */
gboolean beckon_block_box_find (BeckonBlockBox *self, GtkWidget *widget, guint *index);

G_END_DECLS
