/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "store/db/beckon-store.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_HEALTH_BAR (beckon_health_bar_get_type ())
G_DECLARE_FINAL_TYPE (BeckonHealthBar, beckon_health_bar, BECKON, HEALTH_BAR, AdwBin)

/**
 * BeckonHealthBar:
 *
 * Says across the top of the window what is wrong with the files of the store and what to do. What is wrong now stays until it
 * is mended; what was repaired, and a notice of the start, stay until they are dismissed. Takes no room while there is nothing
 * to say.
 */

/** @notice: what to say of the start itself; before the store is set. */
void beckon_health_bar_set_notice (BeckonHealthBar *self, const char *notice);

/** @store: whose health is shown. */
void beckon_health_bar_set_store (BeckonHealthBar *self, BeckonStore *store);

G_END_DECLS
