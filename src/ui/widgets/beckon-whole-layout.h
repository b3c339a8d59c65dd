/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define BECKON_TYPE_WHOLE_LAYOUT (beckon_whole_layout_get_type ())
G_DECLARE_FINAL_TYPE (BeckonWholeLayout, beckon_whole_layout, BECKON, WHOLE_LAYOUT, GtkLayoutManager)

/**
 * BeckonWholeLayout:
 *
 * Shows the one child of its widget whole, or where there is less room than it would like, not at all. So it needs no room, and
 * does not keep a window from being made narrow.
 */
G_END_DECLS
