/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "mcp/beckon-mcp-service.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_SERVER_TOOL_ROW (beckon_server_tool_row_get_type ())
G_DECLARE_FINAL_TYPE (BeckonServerToolRow, beckon_server_tool_row, BECKON, SERVER_TOOL_ROW, AdwExpanderRow)

/**
 * BeckonServerToolRow:
 *
 * A tool of a server with a switch, the server's word of it and, where its definition changed since it was trusted, the
 * difference. Signals: `switched` (whether it is on), `accepted`: the change was seen.
 */
GtkWidget *beckon_server_tool_row_new (BeckonMcpToolInfo *info) G_GNUC_WARN_UNUSED_RESULT;

/** Borrowed. */
BeckonMcpToolInfo *beckon_server_tool_row_get_info (BeckonServerToolRow *row);

/** @previous: (nullable): the definition that was trusted, where it changed since */
void beckon_server_tool_row_update (BeckonServerToolRow *row, gboolean is_on, const BeckonMcpToolInfo *previous);

G_END_DECLS
