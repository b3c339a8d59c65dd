/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-palette-finder.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_PALETTE (beckon_palette_get_type ())
G_DECLARE_FINAL_TYPE (BeckonPalette, beckon_palette, BECKON, PALETTE, AdwWindow)

/**
 * BeckonPalette:
 *
 * A window in which somebody types where to go. The focus stays in the entry; Up and Down go through what was found, Enter
 * takes it, Escape leaves. Signal: `chosen` (#BeckonPaletteItem, boolean): the window is closed by then; %TRUE: with Control
 * held, which asks for another window.
 */
GtkWidget *beckon_palette_new (GtkWindow *parent, BeckonPaletteFinder *finder) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
