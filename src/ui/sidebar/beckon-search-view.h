/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "store/queries/beckon-search.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_SEARCH_VIEW (beckon_search_view_get_type ())
G_DECLARE_FINAL_TYPE (BeckonSearchView, beckon_search_view, BECKON, SEARCH_VIEW, AdwBin)

/**
 * BeckonSearchView:
 *
 * What a search of all conversations finds, as it is typed. Signal: `hit-activated` (conversation id, message id or %NULL,
 * words): the person wants to see it.
 */

/** @store: an open store. */
void beckon_search_view_set_store (BeckonSearchView *self, BeckonStore *store);

/** Looks for @words; a search that is still under way is of no interest any more. Blank: nothing is looked for. */
void beckon_search_view_set_words (BeckonSearchView *self, const char *words);

/** Activates the first hit of the words that were set last, at once or as soon as it is found. */
void beckon_search_view_activate_first (BeckonSearchView *self);

/** Puts the focus on the first hit. %FALSE if there is none. */
gboolean beckon_search_view_focus_first (BeckonSearchView *self);

#define BECKON_TYPE_SEARCH_ROW (beckon_search_row_get_type ())
G_DECLARE_FINAL_TYPE (BeckonSearchRow, beckon_search_row, BECKON, SEARCH_ROW, AdwBin)

G_END_DECLS
