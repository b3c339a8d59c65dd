/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/** Lets the strings of a drop-down list be cut where there is no room, so that a long one does not widen the window. */
void beckon_short_list_apply (GtkDropDown *list);

G_END_DECLS
