/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/** Whether @address (nullable) leads to a page or a mailbox. Nothing else in a model's text is a link. */
gboolean beckon_link_opener_can_open (const char *address);

/**
 * beckon_link_opener_watch:
 * @label: a label with links
 *
 * From now on a link that is clicked is opened in the program that is there for it. Where what is read is not the whole
 * address, the whole address is shown first, and the person says whether to open it.
 */
void beckon_link_opener_watch (GtkLabel *label);

G_END_DECLS
