/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-mcp-server.h"
#include "library/beckon-followed-list.h"

G_BEGIN_DECLS

#define BECKON_TYPE_SERVER_LIST (beckon_server_list_get_type ())
G_DECLARE_FINAL_TYPE (BeckonServerList, beckon_server_list, BECKON, SERVER_LIST, BeckonFollowedList)

/**
 * BeckonServerList:
 *
 * The servers of tools (MCP) that a person set up, by name; see #BeckonFollowedListClass, whose functions load it and give its
 * snapshot (element-type BeckonMcpServer). Main thread.
 */
BeckonServerList *beckon_server_list_new (BeckonStore *store) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
