/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/beckon-clock.h"
#include "domain/beckon-mcp-server.h"
#include "oauth/beckon-oauth.h"
#include "settings/beckon-secrets.h"

G_BEGIN_DECLS

#define BECKON_TYPE_MCP_WALLET (beckon_mcp_wallet_get_type ())
G_DECLARE_FINAL_TYPE (BeckonMcpWallet, beckon_mcp_wallet, BECKON, MCP_WALLET, GObject)

/** The most bytes of a token that is read from a file. */
#define BECKON_MCP_WALLET_TOKEN_MAX (16 * 1024)

/**
 * beckon_mcp_wallet_new:
 * @server: a stored server with a login
 * @secrets: the keyring
 * @clock: the clock
 *
 * What the sign-in to @server needs: secrets from the keyring, and the token that vouches from a file or from what a program
 * prints. Programs are run as those that print a key are: by the person's choice, without a shell, outside of the sandbox.
 */
BeckonOauthWallet *beckon_mcp_wallet_new (BeckonMcpServer *server, BeckonSecrets *secrets,
                                          BeckonClock *clock) G_GNUC_WARN_UNUSED_RESULT;

/** The sign-in to a stored server with an address, by its settings; kept in the keyring. */
BeckonOauth *beckon_mcp_wallet_make_oauth (BeckonMcpServer *server, BeckonSecrets *secrets,
                                           BeckonClock *clock) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
