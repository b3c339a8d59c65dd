/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "mcp/beckon-mcp-service.h"

G_BEGIN_DECLS

/**
 * beckon_mcp_tool_changes_note:
 * @previous: (element-type utf8 BeckonMcpToolInfo): by the name at the server; is changed
 * @before: (element-type BeckonMcpToolInfo): what the server listed the last time
 * @now: (element-type BeckonMcpToolInfo): what it lists now
 * @server: the server
 * @parts: with the person's rules and overrides
 *
 * Brings the definitions that a rule or an override was about, and that the server has changed, in step with a new list. A
 * tool that may run unseen, or with values of the person's, is used in its new form only when they have looked at it.
 */
void beckon_mcp_tool_changes_note (GHashTable *previous, GPtrArray *before, GPtrArray *now, const BeckonMcpServer *server,
                                   const BeckonMcpServiceParts *parts);

G_END_DECLS
