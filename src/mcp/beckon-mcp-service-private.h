/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "mcp/beckon-mcp-service.h"

G_BEGIN_DECLS

/** %NULL while the server is not in use. Borrowed. */
BeckonMcpClient *beckon_mcp_service_get_client (BeckonMcpService *self);

G_END_DECLS
