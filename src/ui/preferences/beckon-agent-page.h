/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "settings/beckon-settings.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_AGENT_PAGE (beckon_agent_page_get_type ())
G_DECLARE_FINAL_TYPE (BeckonAgentPage, beckon_agent_page, BECKON, AGENT_PAGE, AdwPreferencesPage)

/**
 * BeckonAgentPage:
 *
 * How the agent asks and works: every control is a GSettings key, and follows it.
 */
AdwPreferencesPage *beckon_agent_page_new (BeckonSettings *settings) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
