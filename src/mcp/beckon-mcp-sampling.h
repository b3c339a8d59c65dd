/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "request/beckon-question.h"

G_BEGIN_DECLS

/** The most messages, bytes of all of them, and tokens of a reply. */
#define BECKON_MCP_SAMPLING_MAX_MESSAGES 64
#define BECKON_MCP_SAMPLING_MAX_BYTES (16 * 1024)
#define BECKON_MCP_SAMPLING_MAX_REPLY (16 * 1024)

/**
 * BeckonMcpSampling:
 * @system: (nullable): the system prompt
 * @messages: (element-type BeckonMessage): of text alone
 * @max_tokens: the most that the server wants back
 *
 * A server's wish to ask the person's model something (`sampling/createMessage`). Everything in it is untrusted.
 */
typedef struct
{
  char *system;
  GPtrArray *messages;
  guint max_tokens;
} BeckonMcpSampling;

/** (transfer full): %NULL with %BECKON_ERROR_INVALID, English, for the server. @params: JSON text; @now: microseconds. */
BeckonMcpSampling *beckon_mcp_sampling_parse (const char *params, gint64 now, GError **error) G_GNUC_WARN_UNUSED_RESULT;
void               beckon_mcp_sampling_free (BeckonMcpSampling *sampling);

/** The approval: all that would be sent, quoted, and two choices, of which the second one sends. Caller owns. */
BeckonQuestion *beckon_mcp_sampling_make_question (const BeckonMcpSampling *sampling,
                                                   const char *server) G_GNUC_WARN_UNUSED_RESULT;

/** A CreateMessageResult. @model: (nullable): its name; @is_cut: it is not whole. Caller frees. */
char *beckon_mcp_sampling_make_result (const char *text, const char *model, gboolean is_cut) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonMcpSampling, beckon_mcp_sampling_free)

G_END_DECLS
