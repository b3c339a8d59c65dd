/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "settings/beckon-preset.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_SIGN_IN_ROW (beckon_sign_in_row_get_type ())
G_DECLARE_FINAL_TYPE (BeckonSignInRow, beckon_sign_in_row, BECKON, SIGN_IN_ROW, AdwActionRow)

/**
 * BeckonSignInRow:
 *
 * Signing in with a provider in the browser, in the place of typing a key; hidden for those that have no such thing. Signals
 * `signed-in` with the key, and `failed` with words. Main thread.
 */

/** @preset: (nullable): what is signed in with from now on; what is under way for another one ends. */
void beckon_sign_in_row_set_preset (BeckonSignInRow *row, BeckonPreset *preset);

G_END_DECLS
