/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * beckon_save_text:
 * @widget: where it is saved from; an error is told in its window
 * @name: the file's name that is proposed
 * @text: what it will hold
 *
 * Asks for a place and writes @text there.
 */
void beckon_save_text (GtkWidget *widget, const char *name, const char *text);

G_END_DECLS
