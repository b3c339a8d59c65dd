/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-finder.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_FIND_BAR (beckon_find_bar_get_type ())
G_DECLARE_FINAL_TYPE (BeckonFindBar, beckon_find_bar, BECKON, FIND_BAR, AdwBin)

/**
 * BeckonFindBar:
 *
 * Where a person types what to find in the conversation, sees how often it is there, and goes from one to the next. Signal:
 * `closed`: the focus it had is to go somewhere.
 */

/** Sets the finder. Once. */
void beckon_find_bar_set_finder (BeckonFindBar *self, BeckonFinder *finder);

/** Shows it, with the focus, and finds again what is typed in it. */
void beckon_find_bar_open (BeckonFindBar *self);

/** Hides it; without the signal if it was hidden. */
void beckon_find_bar_close (BeckonFindBar *self);

/** Goes to another match, @step: 1 or -1; opens it if there is nothing to go to. */
void beckon_find_bar_step (BeckonFindBar *self, int step);

G_END_DECLS
