/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** The revision without sessions, and the newest with them. */
#define BECKON_MCP_REVISION_MODERN "2026-07-28"
#define BECKON_MCP_REVISION_LEGACY "2025-11-25"

/** Codes of errors that MCP has beside those of JSON-RPC. */
#define BECKON_MCP_ERROR_UNSUPPORTED_REVISION (-32022)
#define BECKON_MCP_ERROR_MISSING_CAPABILITY (-32021)
#define BECKON_MCP_ERROR_URL_NEEDED (-32042)

/**
 * BeckonMcpParams:
 * @is_modern: of revision 2026-07-28, in which each request says who asks
 * @members: (nullable): members of the object, as JSON without its braces
 * @token: for progress; 0 for none
 *
 * Params of a request.
 */
typedef struct
{
  gboolean is_modern;
  const char *members;
  gint64 token;
} BeckonMcpParams;

/** A JSON object. Caller frees. */
char *beckon_mcp_codec_make_params (const BeckonMcpParams *params) G_GNUC_WARN_UNUSED_RESULT;

/** Params of `initialize`. Static. */
const char *beckon_mcp_codec_get_initialize (void);

/** A result of `roots/list`. @folder: (nullable): the working folder. Caller frees. */
char *beckon_mcp_codec_make_roots (const char *folder) G_GNUC_WARN_UNUSED_RESULT;

/**
 * BeckonMcpHello:
 * @revision: (nullable): the revision to speak; %NULL if there is none that both know
 * @revisions: what the server speaks, for an error
 * @title: (nullable): what it calls itself; untrusted
 * @instructions: (nullable): for the model; untrusted, bounded
 * @has_tools: it offers tools
 * @tells_tools: it says when they change
 * @has_prompts: it offers prompts
 * @tells_prompts: it says when they change
 * @has_resources: it offers resources
 * @tells_resources: it says when they change
 * @has_completions: it proposes values of arguments
 *
 * A server's introduction of itself.
 */
typedef struct
{
  char *revision;
  char *revisions;
  char *title;
  char *instructions;
  gboolean has_tools;
  gboolean tells_tools;
  gboolean has_prompts;
  gboolean tells_prompts;
  gboolean has_resources;
  gboolean tells_resources;
  gboolean has_completions;
} BeckonMcpHello;

void beckon_mcp_hello_clear (BeckonMcpHello *hello);

/** Members of the params of `subscriptions/listen`, as JSON: the changes that the server tells of. Caller frees. */
char *beckon_mcp_codec_make_listen_members (const BeckonMcpHello *hello) G_GNUC_WARN_UNUSED_RESULT;

/** Reads a result of `server/discover`. %FALSE if @json is none; @hello is empty then. */
gboolean beckon_mcp_codec_read_discover (const char *json, BeckonMcpHello *hello);

/** Reads a result of `initialize`. %FALSE if @json is none; @hello is empty then. */
gboolean beckon_mcp_codec_read_initialize (const char *json, BeckonMcpHello *hello);

/** Whether the data of an error %BECKON_MCP_ERROR_UNSUPPORTED_REVISION name the newest revision, and an older one that is
 *  spoken. @json: (nullable) */
gboolean beckon_mcp_codec_offers_modern (const char *json);
gboolean beckon_mcp_codec_offers_legacy (const char *json);

/**
 * beckon_mcp_codec_read_progress:
 * @json: params of `notifications/progress`
 * @token: (out): of what
 * @text: (out) (transfer full): what is to be seen, one line
 *
 * Returns: %FALSE if it is none
 */
gboolean beckon_mcp_codec_read_progress (const char *json, gint64 *token, char **text);

G_END_DECLS
