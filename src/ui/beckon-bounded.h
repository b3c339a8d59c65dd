/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define BECKON_TYPE_BOUNDED (beckon_bounded_get_type ())
G_DECLARE_FINAL_TYPE (BeckonBounded, beckon_bounded, BECKON, BOUNDED, GtkWidget)

/**
 * BeckonBounded:
 *
 * As high as what it holds needs at the width there is, up to `max-height` (int); what is higher scrolls inside, by pointer
 * and, once focused, by key. A scrolled window alone asks for the height at another width than it gets. Properties: `child`
 * (GtkWidget), `max-height`. Made in templates.
 */

/** @child: (nullable). */
void beckon_bounded_set_child (BeckonBounded *self, GtkWidget *child);

/** Where the child is scrolled to; it says nothing before the first layout. Borrowed. */
GtkAdjustment *beckon_bounded_get_adjustment (BeckonBounded *self);

G_END_DECLS
