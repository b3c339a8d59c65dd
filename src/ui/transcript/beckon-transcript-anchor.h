/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ui/widgets/beckon-row-list.h"

G_BEGIN_DECLS

/**
 * BeckonTranscriptAnchor:
 * @row: (nullable): a weak pointer: the row that is read, until it has its new place
 * @top: where it began in what is seen
 * @height: how high it was
 * @width: of what is scrolled, at the last layout
 * @font_size: at the last layout
 *
 * Keeps what is read where it is when all rows become higher or lower at once. All zero at the start.
 */
typedef struct
{
  GtkWidget *row;
  double top;
  double height;
  int width;
  int font_size;
} BeckonTranscriptAnchor;

/** Within a layout, before @rows have their new places: takes note of what is read, if they become as wide as they were not. */
void beckon_transcript_anchor_take (BeckonTranscriptAnchor *anchor, GtkScrolledWindow *scroller, BeckonRowList *rows,
                                    int width);

/** The same layout, but somebody else knows the place. */
void beckon_transcript_anchor_drop (BeckonTranscriptAnchor *anchor);

/** After the layout: scrolls there, which is another one before anything is drawn. */
void beckon_transcript_anchor_keep (BeckonTranscriptAnchor *anchor, GtkScrolledWindow *scroller);

G_END_DECLS
