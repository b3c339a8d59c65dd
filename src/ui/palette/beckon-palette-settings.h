/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * Appends a #BeckonPaletteItem for every row of the preferences that has a title, as the pages' own templates name them: there
 * is no second list that could differ. Its action is `app.preferences-at` with the page's name and the row's title.
 */
void beckon_palette_settings_append (GPtrArray *items);

G_END_DECLS
