/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * beckon_pointed_block_is_one:
 * @widget: (nullable): a widget in a conversation
 *
 * Returns: %TRUE if it stands in a block of a reply, which has Markdown of its own
 */
gboolean beckon_pointed_block_is_one (GtkWidget *widget);

/**
 * beckon_pointed_block_dup_markdown:
 * @widget: (nullable): a widget in a conversation
 *
 * Returns: (transfer full) (nullable): the Markdown of the outermost block that @widget stands in: of a whole list, of a whole
 *   quote; %NULL without one
 */
char *beckon_pointed_block_dup_markdown (GtkWidget *widget) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
