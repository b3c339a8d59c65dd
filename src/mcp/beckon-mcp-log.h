/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/beckon-mask.h"

G_BEGIN_DECLS

/** The most bytes of a log that are kept. */
#define BECKON_MCP_LOG_MAX (64 * 1024)

/**
 * BeckonMcpLog:
 *
 * The last lines of what a server says beside the protocol, and of what is said about it. Lines of ours begin with "— ", lines
 * of the server's with two blanks, so that none of them can look like one of ours. Counted by references. Main thread.
 */
typedef struct _BeckonMcpLog BeckonMcpLog;

BeckonMcpLog *beckon_mcp_log_new (void) G_GNUC_WARN_UNUSED_RESULT;
BeckonMcpLog *beckon_mcp_log_ref (BeckonMcpLog *log);
void          beckon_mcp_log_unref (BeckonMcpLog *log);

/** @mask: (nullable): what is not to be seen of the lines that come. Takes a reference. */
void beckon_mcp_log_set_mask (BeckonMcpLog *log, BeckonMask *mask);

/** Adds bytes of a stream; the oldest lines go when there are too many. The end of them may show later, when it is known to be
 *  no beginning of what is masked. */
void beckon_mcp_log_add (BeckonMcpLog *log, const char *bytes, gsize length);

/** The stream is over: shows its end. */
void beckon_mcp_log_flush (BeckonMcpLog *log);

/** Adds a line of ours. */
void beckon_mcp_log_say (BeckonMcpLog *log, const char *format, ...) G_GNUC_PRINTF (2, 3);

/** Valid UTF-8 without control characters but line breaks and tabs; caller frees. */
char *beckon_mcp_log_dup_text (BeckonMcpLog *log) G_GNUC_WARN_UNUSED_RESULT;

/** The text of a log with one more line of ours, unless that is there. Caller frees. */
char *beckon_mcp_log_dup_with (const char *text, const char *line) G_GNUC_WARN_UNUSED_RESULT;

/** The last whole lines of the text of a log, in about @most bytes. Caller frees. */
char *beckon_mcp_log_dup_tail (const char *text, gsize most) G_GNUC_WARN_UNUSED_RESULT;

/** The line of the server's in the text of a log that says why it doesn't work: its last one that is not empty, or a better one
 *  where a program such as npm ends with others. Empty if it said nothing. Caller frees. */
char *beckon_mcp_log_dup_cause (const char *text) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonMcpLog, beckon_mcp_log_unref)

G_END_DECLS
