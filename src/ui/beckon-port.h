/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define BECKON_TYPE_PORT (beckon_port_get_type ())
G_DECLARE_FINAL_TYPE (BeckonPort, beckon_port, BECKON, PORT, GtkWidget)

/**
 * BeckonPortChoose:
 * @upper: how high what is scrolled has become
 * @page: how much of it is seen
 *
 * Returns: how far it is to be scrolled
 */
typedef double (*BeckonPortChoose) (gpointer user_data, double upper, double page);

/**
 * BeckonPort:
 *
 * What stands between something that scrolls and what is scrolled, for a column whose height changes: how far it is
 * scrolled is chosen once its height is known, and it gets its place once. A GtkViewport is given its place, told to be
 * elsewhere, and given its place again, for each row that comes. Its child is the property `child`.
 */

/** From the next layout on. @choose: is called in it, and so must change nothing. */
void beckon_port_set_choose (BeckonPort *self, BeckonPortChoose choose, gpointer user_data);

G_END_DECLS
