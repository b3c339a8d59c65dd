/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/beckon-json-value.h"
#include "mcp/beckon-mcp-paste.h"

G_BEGIN_DECLS

/**
 * BeckonMcpReading:
 * @context: what is known of the text
 * @inputs: (nullable): the list `inputs` beside the servers, as VS Code has it
 *
 * What the readers of one text share.
 */
typedef struct
{
  BeckonMcpPasteContext context;
  const BeckonJsonValue *inputs;
} BeckonMcpReading;

/** %FALSE with @error: "Line 3, column 5: …". @text: what was read; @offset: bytes. */
gboolean beckon_mcp_paste_fail_at (const char *text, gsize offset, const char *words, GError **error);

/**
 * beckon_mcp_paste_take_text:
 * @reading: the reading
 * @draft: takes the blanks
 * @text: a text of a server
 * @name: what it is the value of; the title of a blank that has no other
 *
 * Puts folders in the place of ${workspaceFolder} and the like, and makes blanks of all else that stands for a value.
 *
 * Returns: (transfer full): the text
 */
char *beckon_mcp_paste_take_text (const BeckonMcpReading *reading, BeckonMcpDraft *draft, const char *text,
                                  const char *name) G_GNUC_WARN_UNUSED_RESULT;

/** Adds a variable or header with what its value stands for. */
void beckon_mcp_paste_take_variable (const BeckonMcpReading *reading, BeckonMcpDraft *draft, GPtrArray *variables,
                                     const char *name, const char *value);

/** (transfer full) (nullable): strict JSON as a tree; the error says where, in words to be shown. */
BeckonJsonValue *beckon_mcp_paste_parse (const char *strict, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** As beckon_mcp_paste_read_json(), for a tree. %BECKON_ERROR_NOT_FOUND without any server. */
GPtrArray *beckon_mcp_paste_read_value (const BeckonJsonValue *root, const BeckonMcpPasteContext *context,
                                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** A server by its command line. @words: (array zero-terminated=1): of a program and its arguments */
BeckonMcpDraft *beckon_mcp_paste_read_words (const BeckonMcpReading *reading, char **words) G_GNUC_WARN_UNUSED_RESULT;

/** A server by its address. */
BeckonMcpDraft *beckon_mcp_paste_read_address (const BeckonMcpReading *reading, const char *address) G_GNUC_WARN_UNUSED_RESULT;

/** (nullable) (element-type BeckonMcpDraft): servers of a command line; as beckon_mcp_paste_read(). */
GPtrArray *beckon_mcp_paste_read_command (const BeckonMcpReading *reading, const char *text,
                                          GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** Gives the server a name if it has none, looks at its arguments, and checks it if nothing is left to be entered. */
void beckon_mcp_paste_finish (BeckonMcpDraft *draft);

G_END_DECLS
