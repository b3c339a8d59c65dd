/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-palette-item.h"
#include "store/db/beckon-store.h"

G_BEGIN_DECLS

#define BECKON_TYPE_PALETTE_FINDER (beckon_palette_finder_get_type ())
G_DECLARE_FINAL_TYPE (BeckonPaletteFinder, beckon_palette_finder, BECKON, PALETTE_FINDER, GObject)

/**
 * BeckonPaletteFinder:
 *
 * Finds among what the palette offers, at once by titles; what stands in messages is looked for in the store and comes after
 * that, below the rest. Signal: `settled`: nothing is looked for any more.
 */

/**
 * beckon_palette_finder_new:
 * @items: (element-type BeckonPaletteItem) (transfer full): what there is; of each kind the nearest first
 * @recent: (nullable): keys of what was chosen before, the last one first
 * @store: (nullable): an open one
 *
 * Returns: a new one, with what is offered before anything is typed
 */
BeckonPaletteFinder *beckon_palette_finder_new (GPtrArray *items, const char *const *recent,
                                                BeckonStore *store) G_GNUC_WARN_UNUSED_RESULT;

/** The results, best first: of #BeckonPaletteItem. Borrowed. */
GListModel *beckon_palette_finder_get_results (BeckonPaletteFinder *finder);

/** Looks for @words instead of what was looked for before. */
void beckon_palette_finder_set_words (BeckonPaletteFinder *finder, const char *words);

/** Whether the store is still being asked. */
gboolean beckon_palette_finder_is_searching (BeckonPaletteFinder *finder);

G_END_DECLS
