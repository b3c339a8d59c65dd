/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Copied text holds every character that it was written with. A toast says so where some of them can't be seen. @widget: where
 * it is copied from. */

/** Puts @text there, which is no Markdown. */
void beckon_clipboard_set_text (GtkWidget *widget, const char *text);

/** Puts @markdown there in two forms: as it is for who knows Markdown, and as it reads for everybody else. */
void beckon_clipboard_set_markdown (GtkWidget *widget, const char *markdown);

/** Puts @markdown there as it is, for who asked for Markdown. */
void beckon_clipboard_set_source (GtkWidget *widget, const char *markdown);

G_END_DECLS
