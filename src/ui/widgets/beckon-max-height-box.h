/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define BECKON_TYPE_MAX_HEIGHT_BOX (beckon_max_height_box_get_type ())
G_DECLARE_FINAL_TYPE (BeckonMaxHeightBox, beckon_max_height_box, BECKON, MAX_HEIGHT_BOX, GtkWidget)

/**
 * BeckonMaxHeightBox:
 *
 * As high as what it holds needs at the width there is, up to `max-height` (int); what is higher scrolls inside, by pointer
 * and, once focused, by key. Where there is less room it may be as low as `min-height` (int; -1, no lower). A scrolled window
 * alone asks for the height at another width than it gets. Properties: `child` (GtkWidget), `max-height`, `min-height`. Made in
 * templates.
 */

/** @child: (nullable). */
void beckon_max_height_box_set_child (BeckonMaxHeightBox *self, GtkWidget *child);

/** The child's scroll position; it says nothing before the first layout. Borrowed. */
GtkAdjustment *beckon_max_height_box_get_adjustment (BeckonMaxHeightBox *self);

G_END_DECLS
