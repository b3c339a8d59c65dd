/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/beckon-clock.h"
#include "domain/beckon-mcp-server.h"
#include "mcp/beckon-mcp-transport.h"
#include "oauth/beckon-oauth.h"

G_BEGIN_DECLS

#define BECKON_TYPE_MCP_HTTP (beckon_mcp_http_get_type ())
G_DECLARE_FINAL_TYPE (BeckonMcpHttp, beckon_mcp_http, BECKON, MCP_HTTP, GObject)

/**
 * beckon_mcp_http_new:
 * @server: a server with an address
 * @secrets: (nullable) (element-type utf8 utf8): values of its secret headers, by name
 * @clock: the clock
 *
 * Streamable HTTP: a POST for each message, answered with JSON or with a stream of events. In older revisions a session, whose
 * streams are resumed where they broke off.
 *
 * Returns: (transfer full): a transport that is not open
 */
BeckonMcpTransport *beckon_mcp_http_new (BeckonMcpServer *server, GHashTable *secrets,
                                         BeckonClock *clock) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_mcp_http_set_oauth:
 * @self: a transport that is not open
 * @oauth: (nullable): the sign-in for a server whose headers have no Authorization of their own
 *
 * Requests are sent with its token, and sent again with another one where the server refuses them for it.
 */
void beckon_mcp_http_set_oauth (BeckonMcpHttp *self, BeckonOauth *oauth);

/** @value as it may stand in a header: as it is, or in base64 where it could be misread. Caller frees. */
char *beckon_mcp_http_encode (const char *value) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
