/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "mcp/beckon-mcp-draft.h"

G_BEGIN_DECLS

/** The most bytes that are read of what a person pastes. */
#define BECKON_MCP_PASTE_MAX (64 * 1024)

/**
 * BeckonMcpPasteContext:
 * @folder: (nullable): the folder that the text is about, for ${workspaceFolder} and relative paths
 * @is_foreign: the text came with a folder: it gets nothing of this program's environment by asking for it
 */
typedef struct
{
  const char *folder;
  gboolean is_foreign;
} BeckonMcpPasteContext;

/**
 * beckon_mcp_paste_read:
 * @text: what a person pasted, or what a file holds: JSON as in the README of a server or in the settings of another program,
 *   with comments or without; a command line; an address
 * @context: (nullable): what is known of it
 * @error: return location
 *
 * Reads servers out of a text. Nothing is started, looked up in the file system or asked for. Pure but for the environment; any
 * thread.
 *
 * Returns: (transfer full) (element-type BeckonMcpDraft): at least one; a server that can't be used says why. %NULL with
 *   %BECKON_ERROR_INVALID, in words to be shown, which say where
 */
GPtrArray *beckon_mcp_paste_read (const char *text, const BeckonMcpPasteContext *context,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** As beckon_mcp_paste_read(), for JSON alone, which may be long. */
GPtrArray *beckon_mcp_paste_read_json (const char *text, gsize length, const BeckonMcpPasteContext *context,
                                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
