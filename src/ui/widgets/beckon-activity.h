/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define BECKON_TYPE_ACTIVITY (beckon_activity_get_type ())
G_DECLARE_FINAL_TYPE (BeckonActivity, beckon_activity, BECKON, ACTIVITY, GtkWidget)

/**
 * BeckonActivity:
 *
 * Turns while it is shown, a few times a second and all of them together, where a GtkSpinner has the whole window drawn sixty
 * times a second for as long as an agent works. It stands still for who does not want things to move. Main thread.
 */

G_END_DECLS
