/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** The most bytes of text, of pictures together, and how many pictures of a result are taken. */
#define BECKON_MCP_RESULT_TEXT_MAX (256 * 1024)

/** The most bytes of what a server asks for, with its state: they are kept once for each form, until all are answered. */
#define BECKON_MCP_RESULT_INPUTS_MAX (256 * 1024)
#define BECKON_MCP_RESULT_IMAGES_MAX (8 * 1024 * 1024)
#define BECKON_MCP_RESULT_N_IMAGES_MAX 8

/**
 * BeckonMcpImage:
 * @media_type: as the server says
 * @bytes: not looked at yet
 */
typedef struct
{
  char *media_type;
  GBytes *bytes;
} BeckonMcpImage;

/**
 * BeckonMcpResult:
 * @text: for the model: texts, links and structured content, bounded; what can't be seen in it is marked
 * @images: (element-type BeckonMcpImage): pictures
 * @is_error: the tool says that it failed
 * @inputs: (nullable): what the server needs first, JSON text of `inputRequests`; then there is no result yet
 * @state: (nullable): the exact JSON text of `requestState`
 * @needs_input: it is an InputRequiredResult
 *
 * A server's answer to a call.
 */
typedef struct
{
  char *text;
  GPtrArray *images;
  gboolean is_error;
  gboolean needs_input;
  char *inputs;
  char *state;
} BeckonMcpResult;

/**
 * beckon_mcp_result_read:
 * @json: the result of tools/call, of either revision
 * @output_schema: (nullable): the schema that structured content has to fit
 * @error: return location
 *
 * Any thread; it may take a while for a large result.
 *
 * Returns: (transfer full): %NULL with %BECKON_ERROR_INVALID, English, for the model
 */
BeckonMcpResult *beckon_mcp_result_read (const char *json, const char *output_schema, GError **error) G_GNUC_WARN_UNUSED_RESULT;
void             beckon_mcp_result_free (BeckonMcpResult *result);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonMcpResult, beckon_mcp_result_free)

G_END_DECLS
