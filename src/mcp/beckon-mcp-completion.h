/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** Most values that are offered, and the characters of one. */
#define BECKON_MCP_COMPLETIONS_MAX 20
#define BECKON_MCP_COMPLETION_TEXT_MAX 200

/**
 * BeckonMcpCompletion:
 * @is_template: @name is the pattern of a resource's addresses, not the name of a prompt
 * @name: the prompt or pattern
 * @argument: the name of one of its arguments or variables
 * @typed: what stands there
 * @values: (nullable) (element-type utf8 utf8): of the others
 *
 * Which values are wanted; static.
 */
typedef struct
{
  gboolean is_template;
  const char *name;
  const char *argument;
  const char *typed;
  GHashTable *values;
} BeckonMcpCompletion;

/** (transfer full): members of the params of `completion/complete`, as JSON. */
char *beckon_mcp_completion_make_members (const BeckonMcpCompletion *completion) G_GNUC_WARN_UNUSED_RESULT;

/** (transfer full) (nullable): the values in a result of `completion/complete`, a few of them; %NULL if it is none. Those that
 *  would not be seen as they are, are left out. */
char **beckon_mcp_completion_read (const char *json) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
