/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-login.h"
#include "domain/beckon-mcp-server.h"

G_BEGIN_DECLS

/**
 * BeckonLoginOptions:
 *
 * What a command line says of the sign-in to a server. Begins zeroed.
 */
typedef struct
{
  char *client_id;
  char *issuer;
  char *scope;
  gboolean client_secret_from_stdin;
} BeckonLoginOptions;

/**
 * BeckonMcpOptions:
 * @command: (nullable): what follows the server's name, or --
 *
 * What a command line says of a server. Begins zeroed; for beckonctl mcp add and set.
 */
typedef struct
{
  char **command;
  char **environment;
  char **headers;
  char **secrets;
  char **unset;
  char *url;
  char *directory;
  char *folder;
  char *offer;
  int timeout_s;
  gboolean is_sandboxed;
  gboolean no_sandbox;
  gboolean has_network;
  gboolean no_network;
  gboolean can_write;
  gboolean no_write;
  gboolean instructions;
  gboolean no_instructions;
  BeckonLoginOptions login;
} BeckonMcpOptions;

void beckon_mcp_options_add_to (BeckonMcpOptions *options, GOptionContext *context);
void beckon_mcp_options_clear (BeckonMcpOptions *options);

/**
 * beckon_mcp_options_apply:
 * @options: what was given
 * @server: a server that is not shared yet: a new one, or a copy of one that is to be changed
 * @error: return location
 *
 * Fills in what was given, and leaves the rest as it is. Secrets are lines of standard input: those of variables and headers in
 * the order of their options, then those of the sign-in. Blocks.
 *
 * Returns: %FALSE with %BECKON_ERROR_INVALID, in words to be shown
 */
gboolean beckon_mcp_options_apply (const BeckonMcpOptions *options, BeckonMcpServer *server, GError **error);

G_END_DECLS
