/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "mcp/beckon-mcp-service.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_SERVER_ACCOUNT_ROW (beckon_server_account_row_get_type ())
G_DECLARE_FINAL_TYPE (BeckonServerAccountRow, beckon_server_account_row, BECKON, SERVER_ACCOUNT_ROW, AdwActionRow)

/**
 * BeckonServerAccountRow:
 *
 * Signing in to a server at an address, and out: the browser is opened by the desktop, on a click alone. Hidden for a program
 * on this computer. Signals: `signed-in`; `failed` (words).
 */

/** Follows @service. */
void beckon_server_account_row_set_service (BeckonServerAccountRow *row, BeckonMcpService *service);

G_END_DECLS
