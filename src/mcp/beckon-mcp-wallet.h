/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/beckon-clock.h"
#include "domain/beckon-mcp-server.h"
#include "oauth/beckon-oauth.h"
#include "settings/beckon-secrets.h"

G_BEGIN_DECLS

#define BECKON_TYPE_MCP_WALLET (beckon_mcp_wallet_get_type ())
G_DECLARE_FINAL_TYPE (BeckonMcpWallet, beckon_mcp_wallet, BECKON, MCP_WALLET, GObject)

/** The sign-in to a stored server with an address, by its settings; kept in the keyring, as the secret of the settings is. */
BeckonOauth *beckon_mcp_wallet_make_oauth (BeckonMcpServer *server, BeckonSecrets *secrets,
                                           BeckonClock *clock) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
