/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define BECKON_TYPE_VIEWPORT (beckon_viewport_get_type ())
G_DECLARE_FINAL_TYPE (BeckonViewport, beckon_viewport, BECKON, VIEWPORT, GtkWidget)

/**
 * BeckonViewportChoose:
 * @upper: how high what is scrolled has become
 * @page: how much of it is seen
 *
 * Returns: how far it is to be scrolled
 */
typedef double (*BeckonViewportChoose) (gpointer user_data, double upper, double page);

/**
 * BeckonViewport:
 *
 * What stands between something that scrolls and what is scrolled, for a column whose height changes: how far it is
 * scrolled is chosen once its height is known, and it gets its place once. A GtkViewport is given its place, told to be
 * elsewhere, and given its place again, for each row that comes. Its child is the property `child`.
 */

/** From the next layout on. @choose: is called in it, and so must change nothing. */
void beckon_viewport_set_choose (BeckonViewport *self, BeckonViewportChoose choose, gpointer user_data);

G_END_DECLS
