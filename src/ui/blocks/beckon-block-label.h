/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "markdown/beckon-markdown-parse.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/** A label that wraps, for text that can be selected. */
GtkLabel *beckon_block_label_new (void) G_GNUC_WARN_UNUSED_RESULT;

/** Makes it look as @leaf is to look: a heading, a formula or raw HTML. */
void beckon_block_label_style (GtkLabel *label, const BeckonMarkdownNode *leaf);

/** Shows @text as it is. */
void beckon_block_label_set_plain (GtkLabel *label, const char *text);

/** Shows a leaf with its spans; links can be clicked. */
void beckon_block_label_set_node (GtkLabel *label, const BeckonMarkdownNode *leaf);

/** TRUE if it has links, which keys can reach. */
gboolean beckon_block_label_has_links (GtkLabel *label);

/** The side from which @text is read, by its first letter; %GTK_TEXT_DIR_NONE where it has none. */
GtkTextDirection beckon_block_label_find_direction (const char *text);

G_END_DECLS
