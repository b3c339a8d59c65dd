/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * beckon_scroll_past:
 * @inside: a scrolled window within another one, or what it holds
 *
 * What the wheel cannot move in @inside moves what is around it. The toolkit by itself has a scrolled window take all that
 * a wheel says, though it scrolls only to the side, or has nothing to scroll at all.
 */
void beckon_scroll_past (GtkWidget *inside);

G_END_DECLS
