/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_PAGES (beckon_pages_get_type ())
G_DECLARE_FINAL_TYPE (BeckonPages, beckon_pages, BECKON, PAGES, AdwBin)

/**
 * BeckonPages:
 *
 * Pages of rows, one of which is shown, below a header with its title and a search in the rows of all of them. Toasts of the
 * pages are shown over it. Signal `shown`: another page is.
 */

/** Each @page has a name and a title. */
void beckon_pages_add (BeckonPages *pages, AdwPreferencesPage *page);

/** Puts a button in front of the header's others. */
void beckon_pages_add_button (BeckonPages *pages, GtkWidget *button);

/** The header, for the window buttons on its sides. Borrowed. */
AdwHeaderBar *beckon_pages_get_header (BeckonPages *pages);

/** @whole: begins a search when words are typed in it. */
void beckon_pages_capture_keys (BeckonPages *pages, GtkWidget *whole);

/** Ends a search, too. */
void beckon_pages_show (BeckonPages *pages, AdwPreferencesPage *page);

/** As beckon_pages_show(), with the focus in the row that is called @title (nullable), if there is one to be seen. */
void beckon_pages_show_row (BeckonPages *pages, AdwPreferencesPage *page, const char *title);

/** Borrowed, %NULL if there are none. */
AdwPreferencesPage *beckon_pages_get_shown (BeckonPages *pages);

/** Borrowed, %NULL if no page has this name. */
AdwPreferencesPage *beckon_pages_lookup (BeckonPages *pages, const char *name);

G_END_DECLS
