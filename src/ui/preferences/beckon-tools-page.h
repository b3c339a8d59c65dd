/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "runtime/beckon-runtime.h"
#include "settings/beckon-settings.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_TOOLS_PAGE (beckon_tools_page_get_type ())
G_DECLARE_FINAL_TYPE (BeckonToolsPage, beckon_tools_page, BECKON, TOOLS_PAGE, AdwPreferencesPage)

/** Whether commands can run here, what of the web may be reached, and the notes that the agent was asked to keep. */
AdwPreferencesPage *beckon_tools_page_new (BeckonRuntime *runtime) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
