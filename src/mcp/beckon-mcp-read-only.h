/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-mcp-server.h"

G_BEGIN_DECLS

/**
 * beckon_mcp_read_only_explains:
 * @server: a server
 * @words: what it said of a failure, or its log; untrusted
 *
 * Programs write into their folder without a word about it, and fail where a sandbox shows it read-only. Any thread.
 *
 * Returns: whether that is probably why @server failed
 */
gboolean beckon_mcp_read_only_explains (const BeckonMcpServer *server, const char *words);

/** The way to let @server write, for a person, translated. Caller frees. */
char *beckon_mcp_read_only_dup_advice (const BeckonMcpServer *server) G_GNUC_WARN_UNUSED_RESULT;

/** The same for a model, in English; static. */
const char *beckon_mcp_read_only_get_remark (const BeckonMcpServer *server);

/** For a server that may write and is started read-only, since its folder can't be guarded: why, and what to do. Translated;
 *  static. */
const char *beckon_mcp_read_only_get_reason (void);

G_END_DECLS
