/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * beckon_counted_title_set:
 * @label: a heading
 * @title: what it says
 * @counts: (nullable): how much that is, "+1 −1"
 *
 * Shows both in one text, so that they wrap together; @counts are small and faint.
 */
void beckon_counted_title_set (GtkLabel *label, const char *title, const char *counts);

G_END_DECLS
