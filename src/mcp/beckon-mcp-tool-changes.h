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

/**
 * beckon_mcp_tool_changes_follow:
 * @previous: (element-type utf8 BeckonMcpToolInfo): as above
 * @now: (element-type BeckonMcpToolInfo): what the server listed here
 * @stored: (element-type BeckonMcpToolInfo): definitions that were trusted and changed, as another process found
 *
 * Takes over what another process noted. What a person accepted there is asked about here all the same.
 *
 * Returns: whether a tool is here as it was before its change, so that the server has to be asked again
 */
gboolean beckon_mcp_tool_changes_follow (GHashTable *previous, GPtrArray *now, GPtrArray *stored);

/** Whether two lists have the same definitions in the same order. */
gboolean beckon_mcp_tool_changes_are_none (GPtrArray *one, GPtrArray *other);

G_END_DECLS
