/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ui/blocks/beckon-match-mark.h"

G_BEGIN_DECLS

/* Finding places in a scroller, and bringing them on screen. All must be laid out. */

/** Scrolls only if it is not well on screen; then it is seen with what is before and after it. */
void beckon_transcript_scroll_to_mark (GtkScrolledWindow *scroller, const BeckonMark *mark);

/** Whether enough of @widget is on screen to be noticed. */
gboolean beckon_transcript_is_on_screen (GtkScrolledWindow *scroller, GtkWidget *widget);

G_END_DECLS
