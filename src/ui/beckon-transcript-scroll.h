/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-match-mark.h"

G_BEGIN_DECLS

/* Where things stand in a scroller, and bringing them on screen. What is asked for must be laid out. */

/** Scrolls no further than is needed. @widget: in @scroller. */
void beckon_transcript_scroll_to (GtkScrolledWindow *scroller, GtkWidget *widget);

/** Scrolls only if it is not well on screen; then it is seen with what is before and after it. */
void beckon_transcript_scroll_to_mark (GtkScrolledWindow *scroller, const BeckonMark *mark);

/** Whether enough of @widget is on screen to be noticed. */
gboolean beckon_transcript_is_on_screen (GtkScrolledWindow *scroller, GtkWidget *widget);

G_END_DECLS
