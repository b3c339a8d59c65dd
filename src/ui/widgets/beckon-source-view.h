/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * beckon_source_view_new:
 * @language: of GtkSourceView, such as "json"
 *
 * A text view that highlights and numbers its lines, light and dark. GtkSourceView is loaded by the first one, so that
 * a window without any costs nothing; where it is missing the view is a plain one.
 *
 * Returns: (transfer floating): a #GtkTextView
 */
GtkWidget *beckon_source_view_new (const char *language) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_source_view_colour:
 * @view: a view that is not edited
 * @language: (nullable): as it stands behind a fence, such as "py" or "c++"
 *
 * Colours the text of @view, and again after it changed. The library and what it knows of a language are loaded when
 * nothing else is to be done, a piece at a time, so this may happen later, and @view may then get another buffer. A
 * language that is not known, or a text that is very long, stays as it is.
 */
void beckon_source_view_colour (GtkTextView *view, const char *language);

/** Loads the library when nothing else is to be done, since code may come soon. */
void beckon_source_view_prepare (void);

/** A name for a file in @language (nullable), such as "code.py". Caller frees. */
char *beckon_source_view_dup_file_name (const char *language) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
