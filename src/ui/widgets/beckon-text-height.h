/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * beckon_text_height_follow:
 * @view: within a scrolled window that is as high as what it holds
 *
 * Lets @view be as high as its lines need whenever it becomes wider or narrower. The toolkit by itself takes the height
 * that they had at the width before, and lines are cut, or there is room for lines that there are not.
 */
void beckon_text_height_follow (GtkTextView *view);

G_END_DECLS
