/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "store/queries/beckon-search.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_SEARCH_ROW (beckon_search_row_get_type ())
G_DECLARE_FINAL_TYPE (BeckonSearchRow, beckon_search_row, BECKON, SEARCH_ROW, AdwBin)

/** Shows a hit, and the text around it with the match in bold; rows are used again for others. */
void beckon_search_row_set_hit (BeckonSearchRow *self, const BeckonSearchHit *hit);

#define BECKON_TYPE_SEARCH_RESULT (beckon_search_result_get_type ())
G_DECLARE_FINAL_TYPE (BeckonSearchResult, beckon_search_result, BECKON, SEARCH_RESULT, GObject)

/** A hit as an item of a list. @hit: (transfer full). Caller owns. */
BeckonSearchResult *beckon_search_result_new (BeckonSearchHit *hit) G_GNUC_WARN_UNUSED_RESULT;

const BeckonSearchHit *beckon_search_result_get_hit (BeckonSearchResult *self);

G_END_DECLS
