/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "tools/beckon-builtin-tool.h"
#include "tools/beckon-tool-registry.h"

G_BEGIN_DECLS

#define BECKON_FIND_TOOL_NAME "find_tool"

/** With more tools than these, those of servers are found with find_tool. */
#define BECKON_FIND_TOOL_MOST 40

#define BECKON_TYPE_FIND_TOOL (beckon_find_tool_get_type ())
G_DECLARE_FINAL_TYPE (BeckonFindTool, beckon_find_tool, BECKON, FIND_TOOL, BeckonBuiltinTool)

/**
 * BeckonFindTool:
 *
 * Finds tools of servers by words, and has them offered to the conversation from then on. Main thread.
 */

/** @registry: borrowed; it owns the tool */
BeckonTool *beckon_find_tool_new (BeckonToolRegistry *registry) G_GNUC_WARN_UNUSED_RESULT;

/** Whether a conversation has found the tool of a name. */
gboolean beckon_find_tool_has_found (BeckonFindTool *self, const char *conversation_id, const char *name);

/**
 * beckon_find_tool_rank:
 * @tools: (element-type BeckonTool): where to look
 * @query: words
 * @most: how many to return at most
 *
 * Words of a name count more than those of a description, and rare ones more than frequent ones. Pure.
 *
 * Returns: (transfer full) (element-type BeckonTool): the best first; of equal ones in the order of their names
 */
GPtrArray *beckon_find_tool_rank (GPtrArray *tools, const char *query, guint most) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
