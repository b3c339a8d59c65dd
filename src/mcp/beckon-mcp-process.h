/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/beckon-clock.h"
#include "domain/beckon-mcp-server.h"
#include "mcp/beckon-mcp-log.h"
#include "policy/beckon-rule-set.h"

#include <gio/gio.h>

G_BEGIN_DECLS

#define BECKON_TYPE_MCP_PROCESS (beckon_mcp_process_get_type ())
G_DECLARE_FINAL_TYPE (BeckonMcpProcess, beckon_mcp_process, BECKON, MCP_PROCESS, GObject)

/**
 * BeckonMcpProcess:
 *
 * A server's process: three pipes, an environment of its own and processes of its own that end with it, and with this program,
 * however that ends. Main thread.
 */

/**
 * beckon_mcp_process_start_async:
 * @server: a server of stdio
 * @secrets: (nullable) (element-type utf8 utf8): values of its secret variables, by name
 * @rules: (nullable): the person's rules: what they deny is not there in a sandbox, or can't be changed, as it is now
 * @tool_chains: (nullable) (array zero-terminated=1): names of those that it is shown in a sandbox
 * @clock: for the end
 * @log: takes what comes from standard error
 * @cancellable: (nullable): gives the start up
 * @callback: called when it runs, or does not
 * @user_data: for @callback
 *
 * Starts it. The program is looked up on a worker.
 */
void beckon_mcp_process_start_async (BeckonMcpServer *server, GHashTable *secrets, BeckonRuleSet *rules,
                                     const char *const *tool_chains, BeckonClock *clock,
                                     BeckonMcpLog *log, GCancellable *cancellable, GAsyncReadyCallback callback,
                                     gpointer user_data);

/** (transfer full): the process; %NULL with words to be shown that say what to install. */
BeckonMcpProcess *beckon_mcp_process_start_finish (GAsyncResult *result, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** The process writes the one, and reads the other. Borrowed; pollable. */
GInputStream  *beckon_mcp_process_get_output (BeckonMcpProcess *process);
GOutputStream *beckon_mcp_process_get_input (BeckonMcpProcess *process);
int            beckon_mcp_process_get_pid (BeckonMcpProcess *process);

/** How it ended: an exit status by the shell's rule; -1 while it runs. */
int beckon_mcp_process_get_status (BeckonMcpProcess *process);

/**
 * beckon_mcp_process_end_async:
 * @process: a process whose input was closed
 * @cancellable: (nullable): kills it at once
 * @callback: called when it has ended, with all of its group
 * @user_data: for @callback
 *
 * Waits for its end; after a second and a half it gets SIGTERM, and a second later SIGKILL.
 */
void     beckon_mcp_process_end_async (BeckonMcpProcess *process, GCancellable *cancellable, GAsyncReadyCallback callback,
                                       gpointer user_data);
gboolean beckon_mcp_process_end_finish (BeckonMcpProcess *process, GAsyncResult *result, GError **error);

/**
 * beckon_mcp_read_only_dup_advice:
 * @server: a server
 * @words: what it said of a failure, or its log; untrusted
 *
 * Programs write into their folder, and make sockets for their own processes, without a word about it, and fail where a sandbox
 * has neither. Any thread.
 *
 * Returns: (transfer full) (nullable): the way out if that is probably why @server failed, for a person, translated
 */
char *beckon_mcp_read_only_dup_advice (const BeckonMcpServer *server, const char *words) G_GNUC_WARN_UNUSED_RESULT;

/** (nullable): the same for a model, in English; static. */
const char *beckon_mcp_read_only_get_remark (const BeckonMcpServer *server, const char *words);

G_END_DECLS
