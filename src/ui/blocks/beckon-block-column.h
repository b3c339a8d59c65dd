/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-block-box.h"

G_BEGIN_DECLS

#define BECKON_TYPE_BLOCK_COLUMN (beckon_block_column_get_type ())
G_DECLARE_FINAL_TYPE (BeckonBlockColumn, beckon_block_column, BECKON, BLOCK_COLUMN, GtkBox)

/**
 * BeckonBlockColumn:
 *
 * The blocks of a text, page by page. Of a text of many pages only those near the screen hold widgets; the others are as
 * high as they were, or as they are likely to be, and what is read stays where it is when they turn out to be higher or
 * lower. A page in which something is selected or has the focus keeps its widgets. Signal `filled` (widget): a page got its
 * widgets.
 */
GtkWidget *beckon_block_column_new (void) G_GNUC_WARN_UNUSED_RESULT;

/** The same as beckon_block_box_update(); what is far away is taken note of only. Returns the bytes of text that widgets show
 * for it, which are to be laid out. */
gsize beckon_block_column_update (BeckonBlockColumn *self, GPtrArray *blocks, guint first, guint n);

/** While more blocks come from frame to frame, who follows the end passes by what there is: only what comes first gets its
 * widgets. */
void beckon_block_column_set_growing (BeckonBlockColumn *self, gboolean is_growing);

/** Which of the blocks @widget stands in; FALSE if in none. */
gboolean beckon_block_column_find (BeckonBlockColumn *self, GtkWidget *widget, guint *index);

guint beckon_block_column_get_n_pages (BeckonBlockColumn *self);

/** A page with its widgets, which it may not have had, and keeps until another one is asked for. Lent. */
GtkWidget *beckon_block_column_fill_page (BeckonBlockColumn *self, guint page);

/** The page's widgets, lent; %NULL where it has none. */
GtkWidget *beckon_block_column_get_page (BeckonBlockColumn *self, guint page);

/** Calls @function for each block of a page. */
void beckon_block_column_foreach (BeckonBlockColumn *self, guint page, GFunc function, gpointer user_data);

G_END_DECLS
