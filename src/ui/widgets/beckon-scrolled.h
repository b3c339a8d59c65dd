/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Scrolled windows do more here than the toolkit has them do by themselves. */

/**
 * beckon_scroll_past:
 * @inside: a scrolled window within another one, or what it holds
 *
 * What the wheel cannot move in @inside moves what is around it. The toolkit by itself has a scrolled window take all that
 * a wheel says, though it scrolls only to the side, or has nothing to scroll at all.
 */
void beckon_scroll_past (GtkWidget *inside);

/**
 * beckon_text_height_follow:
 * @view: within a scrolled window that is as high as what it holds
 *
 * Lets @view be as high as its lines need whenever it becomes wider or narrower. The toolkit by itself takes the height
 * that they had at the width before, and lines are cut, or there is room for lines that there are not.
 */
void beckon_text_height_follow (GtkTextView *view);

/** The signal of a widget that scrolls by itself, with one argument: the GtkWidget within it that is being unfolded. */
#define BECKON_UNFOLDING_SIGNAL "unfolding"

/**
 * beckon_unfolding_follow:
 * @toggle: the button with which a person unfolds what is below it, or folds it
 * @arrow: points there
 *
 * Shows on both whether it is unfolded, and tells the nearest ancestor that has the signal, before the next layout: a view that
 * follows its end must not push the button off the screen with what it unfolded.
 *
 * Returns: whether it is unfolded
 */
gboolean beckon_unfolding_follow (GtkToggleButton *toggle, GtkImage *arrow);

G_END_DECLS
