/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ui/blocks/beckon-match-mark.h"

G_BEGIN_DECLS

/* Finding places in a scroller, and bringing them on screen. All must be laid out. */

/** Scrolls no further than is needed. @widget: in @scroller. */
void beckon_transcript_scroll_to (GtkScrolledWindow *scroller, GtkWidget *widget);

/**
 * beckon_transcript_scroll_to_tall_card:
 * @scroller: what scrolls
 * @rows: the rows in it, each a #BeckonMessageRow
 * @shown: (inout) (nullable): the card that was scrolled to last, as a weak pointer
 *
 * Brings the start of the last row's card that waits on screen if it is taller than the screen, once for each card.
 *
 * Returns: whether it did
 */
gboolean beckon_transcript_scroll_to_tall_card (GtkScrolledWindow *scroller, GtkWidget *rows, GtkWidget **shown);

/** Scrolls only if it is not well on screen; then it is seen with what is before and after it. */
void beckon_transcript_scroll_to_mark (GtkScrolledWindow *scroller, const BeckonMark *mark);

/** Whether enough of @widget is on screen to be noticed. */
gboolean beckon_transcript_is_on_screen (GtkScrolledWindow *scroller, GtkWidget *widget);

G_END_DECLS
