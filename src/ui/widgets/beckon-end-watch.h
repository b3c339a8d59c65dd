/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define BECKON_TYPE_END_WATCH (beckon_end_watch_get_type ())
G_DECLARE_FINAL_TYPE (BeckonEndWatch, beckon_end_watch, BECKON, END_WATCH, GObject)

/**
 * BeckonEndWatch:
 *
 * Whether the end of a widget has been on screen, within everything that scrolls around it. Once seen it stays so, until the
 * widget shows something else. Emits *changed* when that changes. Main thread only.
 */

/** @widget: not referenced; free the watch in its dispose, or in that of what it is part of. */
BeckonEndWatch *beckon_end_watch_new (GtkWidget *widget) G_GNUC_WARN_UNUSED_RESULT;
void            beckon_end_watch_free (BeckonEndWatch *self);

/** The widget shows something else now, whose end is to be seen again. */
void beckon_end_watch_reset (BeckonEndWatch *self);

/** Whether the widget's end has been on screen since it was shown, or since the last reset. */
gboolean beckon_end_watch_get_seen (BeckonEndWatch *self);

/** Whether the widget has its place; until then its end is taken as not seen, and nothing is known. */
gboolean beckon_end_watch_is_laid_out (BeckonEndWatch *self);

/**
 * beckon_end_watch_show_end:
 * @self: the watch
 * @with: (nullable): what stands below the widget, and is shown with its end where there is room for both
 *
 * Scrolls to the widget's end.
 */
void beckon_end_watch_show_end (BeckonEndWatch *self, GtkWidget *with);

/** Once the widget is laid out, scrolls to as much of it as there is room for, from its beginning. */
void beckon_end_watch_reveal (BeckonEndWatch *self);

G_END_DECLS
