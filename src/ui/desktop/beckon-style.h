/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "settings/beckon-settings.h"

#include <adwaita.h>
#include <glib.h>

G_BEGIN_DECLS

/**
 * beckon_style_load:
 *
 * Adds to style.css, which libadwaita loads by itself, what only some versions of it understand, and what is for high contrast
 * alone. Once, when GTK is ready and the resources are registered.
 */
void beckon_style_load (void);

/** Makes the program look as the settings say, now and whenever they change, for as long as @settings are there. */
void beckon_appearance_follow (BeckonSettings *settings);

G_END_DECLS
