/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-part.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_TEXT_BLOCKS (beckon_text_blocks_get_type ())
G_DECLARE_FINAL_TYPE (BeckonTextBlocks, beckon_text_blocks, BECKON, TEXT_BLOCKS, AdwBin)

/**
 * BeckonTextBlocks:
 *
 * Markdown as blocks, growing while it streams. What comes is queued and laid out some times a second, in a frame; a
 * block that is complete is never laid out again.
 */
GtkWidget *beckon_text_blocks_new (void) G_GNUC_WARN_UNUSED_RESULT;

/** Queues more text for the next frame. */
void beckon_text_blocks_append (BeckonTextBlocks *self, const char *text, gsize length);

/** Lays out what is queued now; of what is very long the beginning, and the rest in the next frames. */
void beckon_text_blocks_flush (BeckonTextBlocks *self);

/** Ends the text: lays out what is queued, and settles the links that are defined late. */
void beckon_text_blocks_finish (BeckonTextBlocks *self);

/** Shows what @part has and follows it from now on. */
void beckon_text_blocks_set_part (BeckonTextBlocks *self, BeckonPart *part);

/** Returns its part; %NULL if it has none. Borrowed. */
BeckonPart *beckon_text_blocks_get_part (BeckonTextBlocks *self);

/** The Markdown of the @index-th block of its part; %NULL if there is none. Caller frees. */
char *beckon_text_blocks_dup_source (BeckonTextBlocks *self, guint index) G_GNUC_WARN_UNUSED_RESULT;

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
