/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "mcp/beckon-mcp-draft.h"

#include <gio/gio.h>

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

/**
 * BeckonMcpFound:
 * @program: the id of the program that has them, such as "claude-desktop"
 * @title: its name for people; static
 * @path: the file
 * @folder: (nullable): they are for this folder alone
 * @drafts: (element-type BeckonMcpDraft): the servers; empty with @error
 * @error: (nullable): why the file can't be read, in words to be shown
 *
 * Servers that another program on this computer has in a file. Not shared between threads.
 */
typedef struct
{
  char *program;
  const char *title;
  char *path;
  char *folder;
  GPtrArray *drafts;
  char *error;
} BeckonMcpFound;

void beckon_mcp_found_free (BeckonMcpFound *found);

/** The ids of programs that are known; static, ends with %NULL. */
const char *const *beckon_mcp_found_list_programs (void);

/**
 * beckon_mcp_found_list_async:
 * @program: (nullable): an id; %NULL for all programs
 * @cancellable: (nullable): ends the wait
 * @callback: called when all are read
 * @user_data: for @callback
 *
 * Reads on a worker which servers Claude Desktop, Claude Code, VS Code and Cursor have, those from Flatpaks too. Nothing is
 * started.
 */
void beckon_mcp_found_list_async (const char *program, GCancellable *cancellable, GAsyncReadyCallback callback,
                                  gpointer user_data);

/** (transfer full) (element-type BeckonMcpFound): files with servers, and those that can't be read. */
GPtrArray *beckon_mcp_found_list_finish (GAsyncResult *result, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * Reads one file on a worker: as #BeckonMcpFound without a program. Relative paths in it are below its folder. It gets nothing
 * of this program's environment; servers of a project's .mcp.json are for its folder alone, in a sandbox.
 */
void beckon_mcp_found_read_async (const char *path, GCancellable *cancellable, GAsyncReadyCallback callback,
                                  gpointer user_data);

/** (transfer full) (element-type BeckonMcpDraft): its servers; %NULL with words to be shown. */
GPtrArray *beckon_mcp_found_read_finish (GAsyncResult *result, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonMcpFound, beckon_mcp_found_free)

G_END_DECLS
