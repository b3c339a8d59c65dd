/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-pointed-block.h"

#include "beckon-block-column.h"
#include "beckon-text-blocks.h"

/* The block of a reply that somebody points at, as Markdown: what the model wrote, not what became of it. Widgets do not keep
 * it, so it is looked up in the text when it is wanted. */

/* (nullable): what it stands in, and in which block of that */
static BeckonTextBlocks *
pointed_block_find (GtkWidget *widget, guint *index)
{
  GtkWidget *text = widget != NULL ? gtk_widget_get_ancestor (widget, BECKON_TYPE_TEXT_BLOCKS) : NULL;

  if (text == NULL || beckon_text_blocks_get_part (BECKON_TEXT_BLOCKS (text)) == NULL
      || !beckon_block_column_find (BECKON_BLOCK_COLUMN (adw_bin_get_child (ADW_BIN (text))), widget, index))
    return NULL;
  return BECKON_TEXT_BLOCKS (text);
}

gboolean
beckon_pointed_block_is_one (GtkWidget *widget)
{
  guint index;

  return pointed_block_find (widget, &index) != NULL;
}

char *
beckon_pointed_block_dup_markdown (GtkWidget *widget)
{
  guint index;
  BeckonTextBlocks *text = pointed_block_find (widget, &index);

  return text != NULL ? beckon_text_blocks_dup_source (text, index) : NULL;
}
