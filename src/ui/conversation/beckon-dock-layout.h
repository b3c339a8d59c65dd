/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define BECKON_TYPE_DOCK_LAYOUT (beckon_dock_layout_get_type ())
G_DECLARE_FINAL_TYPE (BeckonDockLayout, beckon_dock_layout, BECKON, DOCK_LAYOUT, GtkLayoutManager)

/**
 * BeckonDockLayout:
 *
 * Children one below another, of which one expands, and one is a #BeckonDock: this gets at most 60 % of the height, half of it
 * where the column is narrow, and all that the others leave while it is expanded. The others stay as high as they are, so that
 * nothing above or below moves when a card comes or goes. Made in templates.
 */

G_END_DECLS
