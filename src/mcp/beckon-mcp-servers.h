/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "mcp/beckon-mcp-service.h"

G_BEGIN_DECLS

#define BECKON_TYPE_MCP_SERVERS (beckon_mcp_servers_get_type ())
G_DECLARE_FINAL_TYPE (BeckonMcpServers, beckon_mcp_servers, BECKON, MCP_SERVERS, GObject)

/**
 * BeckonMcpServers:
 *
 * The servers of tools that were set up: a list model of #BeckonMcpService, by name, which follows the store. Their tools are
 * in the registry as they were listed last; a server starts when one of them is called. Main thread.
 */

/** @parts: copied; its objects are referenced. */
BeckonMcpServers *beckon_mcp_servers_new (const BeckonMcpServiceParts *parts) G_GNUC_WARN_UNUSED_RESULT;

/** Reads them from the store. Nothing is started. */
void     beckon_mcp_servers_load_async (BeckonMcpServers *self, GCancellable *cancellable, GAsyncReadyCallback callback,
                                        gpointer user_data);
gboolean beckon_mcp_servers_load_finish (BeckonMcpServers *self, GAsyncResult *result, GError **error);

/** By name or id; %NULL if there is none. Borrowed. */
BeckonMcpService *beckon_mcp_servers_find (BeckonMcpServers *self, const char *name);

/**
 * beckon_mcp_servers_save_async:
 * @self: the servers
 * @server: a new one without an id, or a changed one, whose name is as it was
 * @cancellable: (nullable): before it is written
 * @callback: called when it is stored
 * @user_data: for @callback
 *
 * Stores a server; values of its secrets go to the keyring first. Nothing is started.
 */
void beckon_mcp_servers_save_async (BeckonMcpServers *self, BeckonMcpServer *server, GCancellable *cancellable,
                                    GAsyncReadyCallback callback, gpointer user_data);

/** (transfer full): its service; %NULL with words to be shown. */
BeckonMcpService *beckon_mcp_servers_save_finish (BeckonMcpServers *self, GAsyncResult *result,
                                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** (nullable): the person's rules. Borrowed. */
BeckonRules *beckon_mcp_servers_get_rules (BeckonMcpServers *self);

/** Ends a server and removes it, with its secrets, its rules and its overrides. */
void     beckon_mcp_servers_remove_async (BeckonMcpServers *self, BeckonMcpService *service, GCancellable *cancellable,
                                          GAsyncReadyCallback callback, gpointer user_data);
gboolean beckon_mcp_servers_remove_finish (BeckonMcpServers *self, GAsyncResult *result, GError **error);

/** Ends all of them in order. @cancellable: (nullable): ends them at once */
void     beckon_mcp_servers_close_async (BeckonMcpServers *self, GCancellable *cancellable, GAsyncReadyCallback callback,
                                         gpointer user_data);
gboolean beckon_mcp_servers_close_finish (BeckonMcpServers *self, GAsyncResult *result, GError **error);

G_END_DECLS
