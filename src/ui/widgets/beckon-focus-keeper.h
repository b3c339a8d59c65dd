/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * beckon_focus_keeper_add:
 * @window: a window that is not a child of another widget
 *
 * Keeps the focus of @window where a person can go on. A widget that has it and is hidden, removed or made insensitive hands
 * it on by its action `conversation.focus-composer`, or else to what follows or precedes it in the smallest part of the window
 * that still takes input. The toolkit would give it to the first control of the window, or to none, and the next words would do
 * something else or be lost.
 *
 * A popover that closes with the focus in it gives it back to where it was before the popover opened.
 *
 * What a press opens takes the focus itself, before that or after it. Main thread only.
 */
void beckon_focus_keeper_add (GtkWindow *window);

/** The focus leaves @part before it takes no more input, so that no key meant for it is one for the window in between. */
void beckon_focus_keeper_leave (GtkWidget *part);

G_END_DECLS
