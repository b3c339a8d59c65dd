/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-folder-extras.h"
#include "domain/beckon-mcp-server.h"
#include "mcp/beckon-mcp-servers.h"

G_BEGIN_DECLS

/**
 * beckon_mcp_folder_apply_async:
 * @servers: the servers
 * @folder: a working folder
 * @extras: (nullable): what it brings and the person uses; %NULL when they use nothing of it
 * @cancellable: (nullable): ends the wait for tools; what is stored by then, or starts, does not end
 * @callback: called when all of it is stored, and the tools of those that it started are known
 * @user_data: for @callback
 *
 * Brings the servers of @folder in step with what the person accepted: those that are new are added, bound to the folder, in a
 * sandbox, and with nothing of this program's environment; those that changed are changed; all others that came with it are not
 * used until it brings them again. The person's own settings of a server stay; its permissions, which are the network,
 * writing in its folder and the rules that allow, go when its program, its arguments, its folder or its environment change.
 * Those that changed, or whose tools are not known, are started, so that they are. Several calls are done in the order they
 * were made. The task holds the inputs.
 */
void beckon_mcp_folder_apply_async (BeckonMcpServers *servers, const char *folder, BeckonFolderExtras *extras,
                                    GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);

/**
 * beckon_mcp_folder_list_missing:
 * @extras: what a folder brings
 * @extra: a server of it
 *
 * Returns: (transfer full) (element-type utf8): the values that the server lacks, as the file writes them, with their names
 *   where those are others
 */
GPtrArray *beckon_mcp_folder_list_missing (BeckonFolderExtras *extras,
                                           const BeckonFolderExtra *extra) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_mcp_folder_foresee_async:
 * @servers: the servers
 * @folder: a working folder
 * @extras: what it brings
 * @callback: called when it is known
 * @user_data: for @callback
 *
 * Looks what beckon_mcp_folder_apply_async() would let the servers of @folder do, for a person who decides about them. Nothing
 * is changed. The task holds the inputs.
 */
void beckon_mcp_folder_foresee_async (BeckonMcpServers *servers, const char *folder, BeckonFolderExtras *extras,
                                      GAsyncReadyCallback callback, gpointer user_data);

/** (transfer full) (element-type BeckonServerReach): of those that can be used. */
GPtrArray *beckon_mcp_folder_foresee_finish (BeckonMcpServers *servers, GAsyncResult *result) G_GNUC_WARN_UNUSED_RESULT;

/** %FALSE with the last problem; everything else was done all the same. */
gboolean beckon_mcp_folder_apply_finish (BeckonMcpServers *servers, GAsyncResult *result, GError **error);

G_END_DECLS
