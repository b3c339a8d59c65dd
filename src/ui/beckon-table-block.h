/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_TABLE_BLOCK (beckon_table_block_get_type ())
G_DECLARE_FINAL_TYPE (BeckonTableBlock, beckon_table_block, BECKON, TABLE_BLOCK, AdwBin)

/** A table, growing row by row. A wide one scrolls sideways. */
GtkWidget *beckon_table_block_new (void) G_GNUC_WARN_UNUSED_RESULT;

/** Whether @text begins with a row of headings and the line of dashes below it. */
gboolean beckon_table_block_is_table (const char *text);

/** Shows the rows of @text, lines of "| a | b |", laying out only those that are new since the last call. */
void beckon_table_block_update (BeckonTableBlock *self, const char *text);

G_END_DECLS
