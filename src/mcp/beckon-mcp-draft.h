/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-mcp-server.h"

G_BEGIN_DECLS

/** The most servers that are read from one text. */
#define BECKON_MCP_DRAFTS_MAX 200

/** The most blanks of one server. */
#define BECKON_MCP_BLANKS_MAX 64

/**
 * BeckonMcpBlank:
 * @token: the place that it takes in the texts of the server, such as "${input:token}" or "YOUR_API_KEY"
 * @title: what it is; untrusted
 * @value: (nullable): its value, where one is known: a default, or a variable of this program's environment
 * @is_secret: whether it usually is a key or password
 *
 * A value that a person has to enter before a server can be used.
 */
typedef struct
{
  char *token;
  char *title;
  char *value;
  gboolean is_secret;
} BeckonMcpBlank;

/**
 * BeckonMcpDraft:
 * @server: the server, whose texts may hold blanks
 * @blanks: (element-type BeckonMcpBlank): what is to be entered
 * @notes: (element-type utf8): sentences to be shown: what was left out or changed
 * @problem: (nullable): why it can't be used, in words to be shown
 * @came_with_folder: whether the file that it is from lies in a folder that others may have written: such a server is kept in a
 *   sandbox, and has to be chosen by its name
 *
 * A server as it was read from a text, before a person adds it. Not shared between threads.
 */
typedef struct
{
  BeckonMcpServer *server;
  GPtrArray *blanks;
  GPtrArray *notes;
  char *problem;
  gboolean came_with_folder;
} BeckonMcpDraft;

BeckonMcpDraft *beckon_mcp_draft_new (const char *name, BeckonMcpTransportKind kind) G_GNUC_WARN_UNUSED_RESULT;
void            beckon_mcp_draft_free (BeckonMcpDraft *draft);

/** Adds a sentence. @note: (transfer full) */
void beckon_mcp_draft_take_note (BeckonMcpDraft *draft, char *note);

/** Sets why it can't be used, if nothing is set yet. @problem: (transfer full) */
void beckon_mcp_draft_take_problem (BeckonMcpDraft *draft, char *problem);

/** Adds a blank, unless its token is there. @value: (nullable) */
void beckon_mcp_draft_add_blank (BeckonMcpDraft *draft, const char *token, const char *title, const char *value,
                                 gboolean is_secret);

/** Adds an environment variable or header. Values that look like keys are marked as secrets. */
void beckon_mcp_draft_add_variable (BeckonMcpDraft *draft, GPtrArray *variables, const char *name, const char *value);

/** Whether the value of @variable, which is the server's, is still to be entered. */
gboolean beckon_mcp_draft_has_blank (const BeckonMcpDraft *draft, const BeckonMcpVariable *variable);

/**
 * beckon_mcp_draft_make_server:
 * @draft: a draft
 * @values: (nullable) (array zero-terminated=1): for each blank in turn; "" or %NULL takes its own value
 * @error: return location
 *
 * Returns: (transfer full): the server with its blanks filled in; %NULL with %BECKON_ERROR_INVALID, in words to be shown
 */
BeckonMcpServer *beckon_mcp_draft_make_server (const BeckonMcpDraft *draft, const char *const *values,
                                               GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_mcp_draft_set_command:
 * @server: a server of stdio that is not shared yet
 * @line: a program and its arguments, quoted as in a shell; ~ at the beginning of a word is the home folder
 * @error: return location
 *
 * The reverse of beckon_mcp_server_dup_summary().
 *
 * Returns: %FALSE with %BECKON_ERROR_INVALID, in words to be shown
 */
gboolean beckon_mcp_draft_set_command (BeckonMcpServer *server, const char *line, GError **error);

/** A name for a server by what it runs or where it is, such as "filesystem"; caller frees. */
char *beckon_mcp_draft_propose_name (const BeckonMcpServer *server) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonMcpDraft, beckon_mcp_draft_free)

G_END_DECLS
