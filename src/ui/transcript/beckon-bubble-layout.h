/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define BECKON_TYPE_BUBBLE_LAYOUT (beckon_bubble_layout_get_type ())
G_DECLARE_FINAL_TYPE (BeckonBubbleLayout, beckon_bubble_layout, BECKON, BUBBLE_LAYOUT, GtkLayoutManager)

/**
 * BeckonBubbleLayout:
 *
 * Puts the one child of its widget at the end of the line, as wide as it would like to be, or as there is room for.
 */
GtkLayoutManager *beckon_bubble_layout_new (void) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
