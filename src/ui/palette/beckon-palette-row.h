/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-palette-item.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_PALETTE_ROW (beckon_palette_row_get_type ())
G_DECLARE_FINAL_TYPE (BeckonPaletteRow, beckon_palette_row, BECKON, PALETTE_ROW, AdwBin)

/** A row of the palette, empty. */
GtkWidget *beckon_palette_row_new (void) G_GNUC_WARN_UNUSED_RESULT;

/** @item: what it shows. @keys: (nullable): the keys that do the same, for people. */
void beckon_palette_row_set_item (BeckonPaletteRow *row, BeckonPaletteItem *item, const char *keys);

/** Names an item for screen readers: title, kind, subtitle. Caller frees. */
char *beckon_palette_row_dup_name (BeckonPaletteItem *item) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
