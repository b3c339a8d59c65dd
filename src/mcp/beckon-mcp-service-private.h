/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "mcp/beckon-mcp-service.h"

G_BEGIN_DECLS

/** %NULL while the server is not in use. Borrowed. */
BeckonMcpClient *beckon_mcp_service_get_client (BeckonMcpService *self);

/** (transfer full): a way to reach the server, not open; %NULL with words to be shown. @secrets: (nullable): by name */
BeckonMcpTransport *beckon_mcp_service_make_transport (BeckonMcpService *self, const BeckonMcpServiceParts *parts,
                                                       GHashTable *secrets, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** How long a client may wait for @server. */
void beckon_mcp_service_set_limits (const BeckonMcpServer *server, BeckonMcpClientLimits *limits);

G_END_DECLS
