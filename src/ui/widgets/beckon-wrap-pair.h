/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define BECKON_TYPE_WRAP_PAIR (beckon_wrap_pair_get_type ())
G_DECLARE_FINAL_TYPE (BeckonWrapPair, beckon_wrap_pair, BECKON, WRAP_PAIR, GtkWidget)

/**
 * BeckonWrapPair:
 *
 * Two children: the second stands at the end of the first's line where there is room for both, below it otherwise. Made in
 * templates. Property `share` (int): the second takes that many percent of the line instead of what it needs, or all of its
 * own; `has-buttons` (boolean): both are buttons, and stand apart; `is-tight` (boolean): they share the line as long as
 * it has room for the least that they need; `letters` (int): they share the line as long as so many
 * letters of the first have room; `is-corner` (boolean): the second stays at the top then, above the first.
 */

G_END_DECLS
