/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * beckon_css_class_set:
 * @widget: a widget
 * @name: a class of the style sheet
 * @is_set: whether @widget is to have it, whatever it has now
 */
void beckon_css_class_set (GtkWidget *widget, const char *name, gboolean is_set);

G_END_DECLS
