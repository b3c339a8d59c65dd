/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * beckon_named_search_apply:
 *
 * Names the search that the library has put into @window: neither its button nor where one types has a name. The focus leaves
 * it when it ends. To be called once for a window.
 */
void beckon_named_search_apply (GtkWidget *window);

G_END_DECLS
