/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ui/widgets/beckon-sheet.h"

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

G_END_DECLS
