/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/** Whether @address (nullable) leads to a page or a mailbox. Nothing else in a model's text is a link. */
gboolean beckon_link_opener_can_open (const char *address);

/**
 * beckon_link_opener_open:
 * @label: where the link stands
 * @address: where it leads
 *
 * Opens a link in the program that is there for it, if it is one that can be opened. Where the label does not show the whole
 * address, the address is shown first, and the person says whether to open it.
 */
void beckon_link_opener_open (GtkLabel *label, const char *address);

G_END_DECLS
