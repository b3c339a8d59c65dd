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
 * beckon_unfolding_tell:
 * @toggle: (transfer none): the button with which a person unfolds what is below it
 *
 * Tells the nearest ancestor that has the signal, before the next layout: a view that follows its end must not push the button
 * off the screen with what it unfolded. Without such an ancestor nothing happens.
 */
void beckon_unfolding_tell (GtkWidget *toggle);

G_END_DECLS
