/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-mcp-server.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * beckon_mcp_program_find:
 * @program: a path, or a name
 * @path: (nullable): the variable PATH
 * @directory: (nullable): of a relative path
 *
 * Blocks: for a worker.
 *
 * Returns: (transfer full) (nullable): the file that would be run; %NULL if it is not there or can't be run
 */
char *beckon_mcp_program_find (const char *program, const char *path, const char *directory) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_mcp_program_dup_advice:
 * @program: a program that was not found
 *
 * Blocks for a moment: it reads which distribution this is.
 *
 * Returns: (transfer full): that it is missing, and what to install, in words to be shown
 */
char *beckon_mcp_program_dup_advice (const char *program) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_mcp_program_list_files:
 * @server: of stdio
 *
 * Lists the program of a server and the files that its arguments name, as far as they are there and are not the system's, and
 * which a package manager would change: whoever changes one of them changes what is started. Links are listed with what they
 * lead to. Blocks: for a worker.
 *
 * Returns: (transfer full): absolute paths
 */
GStrv beckon_mcp_program_list_files (const BeckonMcpServer *server) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_mcp_program_find_change:
 * @server: a server
 * @stamps: (out) (optional) (transfer full): what its files are now, for #BeckonMcpServer.stamps
 *
 * Blocks: for a worker.
 *
 * Returns: (transfer full) (nullable): which files of a stored server that runs outside of any sandbox are not what the person
 *   approved, or were never approved, as lines in the person's language that are safe to be shown; %NULL if all are
 */
char *beckon_mcp_program_find_change (const BeckonMcpServer *server, char **stamps) G_GNUC_WARN_UNUSED_RESULT;

/** The name of what a program is a part of: "Node.js" of npx. Static; %NULL for none that is known. */
const char *beckon_mcp_program_get_need (const char *program);

/** The name of a server as a word of a command line. Caller frees. */
char *beckon_mcp_program_quote (const char *name) G_GNUC_WARN_UNUSED_RESULT;

/** Whether the program of @server fetches a server before it runs it, as npx does. */
gboolean beckon_mcp_program_fetches (const BeckonMcpServer *server);

/** (transfer full) (nullable): what to do about a server that its program would have to fetch and that is kept from the
 *  network, in words to be shown; %NULL for any other. */
char *beckon_mcp_program_dup_network_advice (const BeckonMcpServer *server) G_GNUC_WARN_UNUSED_RESULT;

/** Adds to @failure, (transfer full), the same or what to do about a program that could not fetch its server. Caller frees. */
char *beckon_mcp_program_explain (const BeckonMcpServer *server, char *failure) G_GNUC_WARN_UNUSED_RESULT;

/** Looks for @program on a worker. @cancellable: (nullable) */
void beckon_mcp_program_check_async (const char *program, GCancellable *cancellable, GAsyncReadyCallback callback,
                                     gpointer user_data);

/** %FALSE with words to be shown: what to install, or G_IO_ERROR_CANCELLED. */
gboolean beckon_mcp_program_check_finish (GAsyncResult *result, GError **error);

G_END_DECLS
