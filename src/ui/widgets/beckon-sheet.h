/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_SHEET (beckon_sheet_get_type ())
G_DECLARE_DERIVABLE_TYPE (BeckonSheet, beckon_sheet, BECKON, SHEET, AdwBin)

/**
 * BeckonSheet:
 *
 * A dialog: shown within the window that it belongs to where libadwaita has that (AdwDialog), from 1.5 on, and as a modal
 * window over it elsewhere. Escape, Ctrl+W and the action `window.close` close it. Its parts go with that, as those of a window
 * that is destroyed. Main thread only.
 *
 * Properties: `title`; `default-width` and `default-height` (pixels, -1: as its content would have it), which the window it is
 * shown in bounds; `default-widget` (nullable): what Enter activates, a part of the sheet; `holds-input`: a person types in it,
 * so that a touch beside it, or a swipe, does not close it.
 *
 * Signal `closed`: it closes, or is gone with its window; once.
 */
struct _BeckonSheetClass
{
  AdwBinClass parent_class;
};

/** Header capitals; empty at first. */
void        beckon_sheet_set_title (BeckonSheet *sheet, const char *title);
const char *beckon_sheet_get_title (BeckonSheet *sheet);

/** @focus: a part of it: what has the focus now, or as soon as it is shown. */
void beckon_sheet_set_focus (BeckonSheet *sheet, GtkWidget *focus);

/**
 * beckon_sheet_present:
 * @sheet: lives until it is closed
 * @parent: (nullable): the window that it belongs to, or any widget in it: another sheet, too
 *
 * Shows it, or brings it to the front.
 */
void beckon_sheet_present (BeckonSheet *sheet, GtkWidget *parent);

/** Closes it, whether it was shown or not. */
void beckon_sheet_close (BeckonSheet *sheet);

/** Borrowed, %NULL while it is not shown: the window that it is in, or is. */
GtkWindow *beckon_sheet_get_window (BeckonSheet *sheet);

/**
 * beckon_sheet_set_page_sensitive:
 * @sheet: a sheet
 * @page: a widget within it
 * @is_sensitive: whether it takes input
 *
 * The focus leaves the page before it takes no more input, and comes back with it: GTK does not tell an entry that its focus is
 * gone for that reason, and the entry complains (GTK's issue 5845).
 */
void beckon_sheet_set_page_sensitive (BeckonSheet *sheet, GtkWidget *page, gboolean is_sensitive);

/** @window: (nullable). Whether a sheet of any kind covers what is in it; of a window over it nothing is told. */
gboolean beckon_sheet_covers (GtkWindow *window);

G_END_DECLS
