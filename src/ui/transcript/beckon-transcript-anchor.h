/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * BeckonTranscriptAnchor:
 * @row: (nullable): a weak pointer: the row that is read
 * @top: where it begins in what is seen
 * @height: how high it is
 * @width: of the transcript, at the last layout
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

/** Whether the rows have, or are about to get, another width or font than at the last layout. */
gboolean beckon_transcript_anchor_is_resized (const BeckonTranscriptAnchor *anchor, GtkWidget *rows, int width);
void     beckon_transcript_anchor_set_size (BeckonTranscriptAnchor *anchor, GtkWidget *rows, int width);

/** After a layout that leaves the value as it is: takes note of what is read. */
void beckon_transcript_anchor_take (BeckonTranscriptAnchor *anchor, GtkScrolledWindow *scroller, GtkWidget *rows);
void beckon_transcript_anchor_drop (BeckonTranscriptAnchor *anchor);

/** After a layout in which all rows were resized: scrolls to what was read, before anything is drawn. */
void beckon_transcript_anchor_keep (BeckonTranscriptAnchor *anchor, GtkScrolledWindow *scroller);

G_END_DECLS
