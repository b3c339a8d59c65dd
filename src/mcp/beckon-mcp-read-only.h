/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-mcp-server.h"

G_BEGIN_DECLS

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

/** For a server that may write and is started read-only, since its folder can't be guarded: why, and what to do. Translated;
 *  static. */
const char *beckon_mcp_read_only_get_reason (void);

G_END_DECLS
