/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * beckon_source_view_new:
 * @language: of GtkSourceView, such as "json"
 *
 * A text view that highlights and numbers its lines, light and dark. GtkSourceView is loaded by the first one, so that a window
 * without any costs nothing; where it is missing the view is a plain one.
 *
 * Returns: (transfer floating): a #GtkTextView
 */
GtkWidget *beckon_source_view_new (const char *language) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
