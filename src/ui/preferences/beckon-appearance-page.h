/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "settings/beckon-settings.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_APPEARANCE_PAGE (beckon_appearance_page_get_type ())
G_DECLARE_FINAL_TYPE (BeckonAppearancePage, beckon_appearance_page, BECKON, APPEARANCE_PAGE, AdwPreferencesPage)

/**
 * BeckonAppearancePage:
 *
 * How Beckon looks and is typed into: every control is a GSettings key, and follows it.
 */
AdwPreferencesPage *beckon_appearance_page_new (BeckonSettings *settings) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
