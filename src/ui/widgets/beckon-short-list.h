/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/** Lets the strings of a drop-down list be cut where there is no room, so that a long one does not widen the window. */
void beckon_short_list_apply (GtkDropDown *list);

/** The same for strings that are read whole before one is chosen: they are wrapped, and nothing of them is cut. */
void beckon_short_list_apply_wrapped (GtkDropDown *list);

G_END_DECLS
