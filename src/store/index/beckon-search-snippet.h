/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "store/sqlite/beckon-database.h"

G_BEGIN_DECLS

/** How many words a snippet has. */
#define BECKON_SEARCH_SNIPPET_WORDS 24

/** Defines beckon_snippet (table): the words around a match, with the same marks as snippet(), for texts with any number of
 *  matches. The library's own compares each match with each. */
gboolean beckon_search_snippet_define (BeckonDatabase *database, GError **error);

G_END_DECLS
