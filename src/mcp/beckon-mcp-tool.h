/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "mcp/beckon-mcp-service.h"
#include "tools/beckon-tool.h"

G_BEGIN_DECLS

#define BECKON_TYPE_MCP_TOOL (beckon_mcp_tool_get_type ())
G_DECLARE_FINAL_TYPE (BeckonMcpTool, beckon_mcp_tool, BECKON, MCP_TOOL, GObject)

/**
 * BeckonMcpTool:
 *
 * A server's tool. What the server says about its effects is a hint of a stranger: it makes nothing look safer than it may be.
 */

/** @name: what a model calls it. Keeps @service alive. */
BeckonTool *beckon_mcp_tool_new (BeckonMcpService *service, BeckonMcpToolInfo *info,
                                 const char *name) G_GNUC_WARN_UNUSED_RESULT;

/** Borrowed. */
BeckonMcpToolInfo *beckon_mcp_tool_get_info (BeckonMcpTool *self);

G_END_DECLS
