/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-switched-row.h"
#include "runtime/beckon-runtime.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_SERVERS_PAGE (beckon_servers_page_get_type ())
G_DECLARE_FINAL_TYPE (BeckonServersPage, beckon_servers_page, BECKON, SERVERS_PAGE, AdwPreferencesPage)

/** The page of servers of tools (MCP): a row for each, and the ways to add one. */
AdwPreferencesPage *beckon_servers_page_new (BeckonRuntime *runtime) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
