/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "store/queries/beckon-search.h"

G_BEGIN_DECLS

#define BECKON_TYPE_SEARCH_RESULT (beckon_search_result_get_type ())
G_DECLARE_FINAL_TYPE (BeckonSearchResult, beckon_search_result, BECKON, SEARCH_RESULT, GObject)

/** A hit as an item of a list. @hit: (transfer full). Caller owns. */
BeckonSearchResult *beckon_search_result_new (BeckonSearchHit *hit) G_GNUC_WARN_UNUSED_RESULT;

const BeckonSearchHit *beckon_search_result_get_hit (BeckonSearchResult *self);

G_END_DECLS
