/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * beckon_debug_mcp_run:
 * @argc: 2
 * @argv: "mcp-conformance" and the address of a server
 *
 * Opens the server, lists its tools, calls each of them with arguments that fit its schema, and accepts its forms with their
 * defaults, as the conformance suite of MCP wants it of a client.
 *
 * Returns: the exit status
 */
int beckon_debug_mcp_run (int argc, char **argv);

G_END_DECLS
