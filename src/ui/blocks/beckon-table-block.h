/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "markdown/beckon-markdown-parse.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_TABLE_BLOCK (beckon_table_block_get_type ())
G_DECLARE_FINAL_TYPE (BeckonTableBlock, beckon_table_block, BECKON, TABLE_BLOCK, AdwBin)

/** A table, growing row by row. A wide one scrolls sideways. */
GtkWidget *beckon_table_block_new (void) G_GNUC_WARN_UNUSED_RESULT;

/** Shows the rows of @table. Those that are as they were stay the widgets they are. */
void beckon_table_block_update (BeckonTableBlock *self, const BeckonMarkdownNode *table);

G_END_DECLS
