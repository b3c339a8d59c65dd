/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/** Gives the focus of @window to where one writes on, if there is such a place now. */
typedef void (*BeckonFocusTake) (GtkWindow *window);

/**
 * beckon_focus_keeper_add:
 * @window: a window that is not a child of another widget
 * @take: (nullable): (scope forever): asked first
 *
 * Keeps the focus of @window where a person can go on. A widget that has it and is hidden, removed or made insensitive hands
 * it to @take, or else to what follows it, or precedes it, in the smallest part of the window that still takes input. The
 * toolkit would give it to the first control of the window, or to none, and the next words would do something else or be lost.
 *
 * A popover that closes with the focus in it gives it back to where it was before the popover opened.
 *
 * What a press opens takes the focus itself, before that or after it. Main thread only.
 */
void beckon_focus_keeper_add (GtkWindow *window, BeckonFocusTake take);

G_END_DECLS
