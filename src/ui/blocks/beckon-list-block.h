/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "markdown/beckon-markdown-parse.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define BECKON_TYPE_LIST_BLOCK (beckon_list_block_get_type ())
G_DECLARE_FINAL_TYPE (BeckonListBlock, beckon_list_block, BECKON, LIST_BLOCK, GtkBox)

/** A list: bullets, numbers or tasks. @depth: how many lists and quotes it is in. */
GtkWidget *beckon_list_block_new (guint depth) G_GNUC_WARN_UNUSED_RESULT;

/** Shows the items of @list. Those that are as they were stay the widgets they are. */
void beckon_list_block_update (BeckonListBlock *self, const BeckonMarkdownNode *list);

G_END_DECLS
