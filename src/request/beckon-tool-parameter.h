/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "form/beckon-parameters.h"

G_BEGIN_DECLS

/**
 * BeckonToolParameter:
 * @tool: the tool's exact name
 * @server: the server that offers it; "" for a built-in one
 * @name: the argument's
 * @access: what a person who is asked may do with it
 * @pinned: (nullable): what it always is, as JSON
 * @allowed: (nullable): a JSON array of values of which it has to be one
 * @changed_at: microseconds since the epoch
 *
 * What a person settled about one argument of one tool. Not changed once it is shared; reference counted; any thread.
 */
typedef struct
{
  char *tool;
  char *server;
  char *name;
  BeckonFormAccess access;
  char *pinned;
  char *allowed;
  gint64 changed_at;
} BeckonToolParameter;

/** (transfer full): editable, without a condition; to be filled before it is shared. @server: (nullable). */
BeckonToolParameter *beckon_tool_parameter_new (const char *tool, const char *server,
                                                const char *name) G_GNUC_WARN_UNUSED_RESULT;
BeckonToolParameter *beckon_tool_parameter_copy (const BeckonToolParameter *parameter) G_GNUC_WARN_UNUSED_RESULT;
BeckonToolParameter *beckon_tool_parameter_ref (BeckonToolParameter *parameter);
void                 beckon_tool_parameter_unref (BeckonToolParameter *parameter);

/** Whether both are about the same argument of the same tool. */
gboolean beckon_tool_parameter_is_same (const BeckonToolParameter *one, const BeckonToolParameter *other);

/** Whether anything is settled by it at all. */
gboolean beckon_tool_parameter_says_something (const BeckonToolParameter *parameter);

/** %FALSE with %BECKON_ERROR_INVALID, translated, where a value is no JSON, or the pinned one is none of the allowed. */
gboolean beckon_tool_parameter_check (const BeckonToolParameter *parameter, GError **error);

/** Describes the override, such as "Always “/home/ada”"; without masked values. Caller frees. */
char *beckon_tool_parameter_dup_words (const BeckonToolParameter *parameter);

/**
 * beckon_tool_parameters_collect:
 * @list: (nullable) (element-type BeckonToolParameter): all there are; %NULL where they could not be read
 * @tool: a tool
 * @server: (nullable): its server
 *
 * Returns: (transfer full): what is settled about that tool; closed where nobody knows
 */
BeckonParameters *beckon_tool_parameters_collect (GPtrArray *list, const char *tool,
                                                  const char *server) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonToolParameter, beckon_tool_parameter_unref)

G_END_DECLS
