/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/beckon-clock.h"
#include "domain/beckon-mcp-server.h"
#include "mcp/beckon-mcp-transport.h"
#include "policy/beckon-rule-set.h"

G_BEGIN_DECLS

#define BECKON_TYPE_MCP_STDIO (beckon_mcp_stdio_get_type ())
G_DECLARE_FINAL_TYPE (BeckonMcpStdio, beckon_mcp_stdio, BECKON, MCP_STDIO, GObject)

/**
 * beckon_mcp_stdio_new:
 * @server: a server of stdio
 * @secrets: (nullable) (element-type utf8 utf8): values of its secret variables, by name
 * @clock: the clock
 *
 * A process of its own, with JSON-RPC on its standard input and output, one message in each line.
 *
 * Returns: (transfer full): a transport that is not open
 */
BeckonMcpTransport *beckon_mcp_stdio_new (BeckonMcpServer *server, GHashTable *secrets,
                                          BeckonClock *clock) G_GNUC_WARN_UNUSED_RESULT;

/** Keeps what @rules, %NULL for none, deny from a server in a sandbox, from its next start on. */
void beckon_mcp_stdio_set_rules (BeckonMcpStdio *self, BeckonRuleSet *rules);

/** Shows a server in a sandbox these tool chains, from its next start on; see beckon_tool_chains_find(). @names: (nullable). */
void beckon_mcp_stdio_set_tool_chains (BeckonMcpStdio *self, const char *const *names);

G_END_DECLS
