/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/** Makes a list one stop: Tab and Shift+Tab leave it from whichever row they are pressed in, and the arrows go through it. */
void beckon_list_tab_leave (GtkWidget *list);

G_END_DECLS
