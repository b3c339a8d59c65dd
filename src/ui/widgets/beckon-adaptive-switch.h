/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define BECKON_TYPE_ADAPTIVE_SWITCH (beckon_adaptive_switch_get_type ())
G_DECLARE_FINAL_TYPE (BeckonAdaptiveSwitch, beckon_adaptive_switch, BECKON, ADAPTIVE_SWITCH, GtkWidget)

/**
 * BeckonAdaptiveSwitch:
 *
 * The same in two forms, of which one is shown: the wide one where there is room for it, the narrow one otherwise.
 * Which, follows from the width alone, so that its height is known before it is laid out.
 */

/** @wide: from @width on; with 0 from where there is all the room that it would like. */
GtkWidget *beckon_adaptive_switch_new (GtkWidget *wide, GtkWidget *narrow, int width) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
