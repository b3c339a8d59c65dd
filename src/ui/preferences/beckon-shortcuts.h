/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ui/widgets/beckon-sheet.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_SHORTCUTS (beckon_shortcuts_get_type ())
G_DECLARE_FINAL_TYPE (BeckonShortcuts, beckon_shortcuts, BECKON, SHORTCUTS, BeckonSheet)

/**
 * BeckonShortcuts:
 *
 * All keys there are, in a list that can be searched, and read in a window that is as narrow as a telephone: the toolkit's own
 * window for them is twice as wide.
 */
GtkWidget *beckon_shortcuts_new (void) G_GNUC_WARN_UNUSED_RESULT;

#define BECKON_TYPE_SHORTCUT_ROW (beckon_shortcut_row_get_type ())
G_DECLARE_FINAL_TYPE (BeckonShortcutRow, beckon_shortcut_row, BECKON, SHORTCUT_ROW, AdwActionRow)

/**
 * BeckonShortcutRow:
 *
 * What keys do, and the keys. Properties: `title` (of the row) and either `shown-action`, whose keys the application knows, or
 * `keys`: as gtk_accelerator_parse() has them, with a space between what does the same, and “...” between the ends of a range.
 */

/** The keys in words, as a screen reader says them. Borrowed. */
const char *beckon_shortcut_row_get_words (BeckonShortcutRow *self);

G_END_DECLS
