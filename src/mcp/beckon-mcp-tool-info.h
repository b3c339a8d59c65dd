/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/beckon-json-value.h"

G_BEGIN_DECLS

/** The most bytes of a tool's definition, and of all of a server's together; and the most tools of a server. */
#define BECKON_MCP_DEFINITION_MAX (128 * 1024)
#define BECKON_MCP_DEFINITIONS_MAX (4 * 1024 * 1024)
#define BECKON_MCP_TOOLS_MAX 1000

/**
 * BeckonMcpToolInfo:
 * @name: as the server calls it
 * @title: (nullable): for people; untrusted
 * @description: for the model, bounded; what can't be seen in it is marked
 * @schema: JSON text of the arguments' schema
 * @output_schema: (nullable): JSON text
 * @is_read_only: the server says that it changes nothing; a hint
 * @is_destructive: the server says, or does not deny, that it may destroy something; a hint
 * @is_silent: the server says neither that it only reads nor whether it may destroy something
 * @is_idempotent: the server says that running it twice is as running it once; a hint
 * @is_open_world: the server says, or does not deny, that it reaches further than itself; a hint
 * @headers: (nullable) (array zero-terminated=1): headers of HTTP and JSON pointers to the arguments that they repeat, in turn
 * @has_bad_headers: the schema wants headers that can't be: over HTTP the tool is left out
 * @text: the whole definition, as the server wrote it
 * @digest: changes with everything that a model or a person is told of it
 *
 * A tool as its server defines it. Counted by references; never changed once made; any thread.
 */
typedef struct
{
  char *name;
  char *title;
  char *description;
  char *schema;
  char *output_schema;
  gboolean is_read_only;
  gboolean is_destructive;
  gboolean is_silent;
  gboolean is_idempotent;
  gboolean is_open_world;
  char **headers;
  gboolean has_bad_headers;
  char *text;
  char *digest;
} BeckonMcpToolInfo;

BeckonMcpToolInfo *beckon_mcp_tool_info_ref (BeckonMcpToolInfo *info);
void               beckon_mcp_tool_info_unref (BeckonMcpToolInfo *info);

/**
 * beckon_mcp_tool_info_read:
 * @value: an element of `tools`
 * @text: the JSON text that @value was read from
 * @error: return location
 *
 * Returns: (transfer full): the tool; %NULL with %BECKON_ERROR_INVALID or %BECKON_ERROR_TOO_LARGE, in words to be shown that
 *   name the tool: a definition without a usable name or schema
 */
BeckonMcpToolInfo *beckon_mcp_tool_info_read (const BeckonJsonValue *value, const char *text,
                                              GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** The name of a tool, fit to show, where its definition can't be used. Caller frees. */
char *beckon_mcp_tool_info_dup_shown_name (const BeckonJsonValue *value) G_GNUC_WARN_UNUSED_RESULT;

/** The definitions as a JSON array, for the store. @infos: (element-type BeckonMcpToolInfo). @left_out: (nullable): see
 *  beckon_mcp_client_get_left_out(). Caller frees. */
char *beckon_mcp_tool_infos_print (GPtrArray *infos, const char *left_out) G_GNUC_WARN_UNUSED_RESULT;

/** (transfer full) (element-type BeckonMcpToolInfo): what beckon_mcp_tool_infos_print() gave; empty for what can't be read.
 *  @left_out: (out) (optional) (nullable): that, too; %NULL before */
GPtrArray *beckon_mcp_tool_infos_parse (const char *text, char **left_out) G_GNUC_WARN_UNUSED_RESULT;

/** By name; %NULL if it is not there. Borrowed. */
BeckonMcpToolInfo *beckon_mcp_tool_infos_find (GPtrArray *infos, const char *name);

/**
 * beckon_mcp_tool_info_make_name:
 * @info: a tool
 * @prefix: its server's, see beckon_mcp_server_dup_prefix()
 *
 * Returns: (transfer full): what a model calls it: `prefix__tool` in [a-zA-Z0-9_-]{1,64}; a name that has to be changed or cut,
 *   or that ends as such a one does, ends with a number of its own, so that no tool has the name of another
 */
char *beckon_mcp_tool_info_make_name (const BeckonMcpToolInfo *info, const char *prefix) G_GNUC_WARN_UNUSED_RESULT;

/** How one definition became another, line by line, fit to show. Caller frees. */
char *beckon_mcp_tool_info_compare (const BeckonMcpToolInfo *before, const BeckonMcpToolInfo *now) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_mcp_tool_info_make_headers:
 * @info: a tool
 * @arguments: of a call, as JSON
 *
 * Returns: (transfer full) (nullable) (array zero-terminated=1): names and values in turn, not encoded; %NULL without any
 */
char **beckon_mcp_tool_info_make_headers (const BeckonMcpToolInfo *info, const char *arguments) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonMcpToolInfo, beckon_mcp_tool_info_unref)

G_END_DECLS
