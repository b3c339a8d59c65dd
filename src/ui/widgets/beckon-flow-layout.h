/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define BECKON_TYPE_FLOW_LAYOUT (beckon_flow_layout_get_type ())
G_DECLARE_FINAL_TYPE (BeckonFlowLayout, beckon_flow_layout, BECKON, FLOW_LAYOUT, GtkLayoutManager)

/**
 * BeckonFlowLayout:
 *
 * Children beside one another, each as wide as it wants to be, and on the next line where the line is full. A child that is
 * alone on its line gets narrower, down to its least. Properties: `spacing` (int): between children and between lines;
 * `is-tight` (boolean): those that share a line get narrower, down to their least, before one of them goes to the next.
 */

/** How wide all children of @widget, which has this layout, are at least if they share a line. */
int beckon_flow_layout_measure_line (GtkWidget *widget);

/** Lets the words of every button within @root wrap that has a label: a button is as narrow then as its longest word. */
void beckon_flow_layout_wrap_buttons (GtkWidget *root);

#define BECKON_TYPE_WHOLE_LAYOUT (beckon_whole_layout_get_type ())
G_DECLARE_FINAL_TYPE (BeckonWholeLayout, beckon_whole_layout, BECKON, WHOLE_LAYOUT, GtkLayoutManager)

/**
 * BeckonWholeLayout:
 *
 * Shows the one child of its widget whole, or where there is less room than it would like, not at all. So it needs no room, and
 * does not keep a window from being made narrow.
 */

G_END_DECLS
