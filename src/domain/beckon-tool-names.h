/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

/**
 * BeckonToolDefinition:
 * @name: the name the model calls it by, [a-zA-Z0-9_-]{1,64}
 * @description: English text for the model
 * @schema: JSON text of the arguments' JSON Schema
 * @read_only: %TRUE if running it changes nothing
 *
 * What a model is told of a tool. Immutable once made; reference counted; any thread.
 */
typedef struct
{
  char *name;
  char *description;
  char *schema;
  gboolean read_only;
} BeckonToolDefinition;

#define BECKON_TYPE_TOOL_DEFINITION (beckon_tool_definition_get_type ())
GType beckon_tool_definition_get_type (void) G_GNUC_CONST;

BeckonToolDefinition *beckon_tool_definition_new (const char *name, const char *description, const char *schema,
                                                  gboolean read_only) G_GNUC_WARN_UNUSED_RESULT;
BeckonToolDefinition *beckon_tool_definition_ref (BeckonToolDefinition *definition);
void                  beckon_tool_definition_unref (BeckonToolDefinition *definition);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonToolDefinition, beckon_tool_definition_unref)

/** How a result begins that says what is wrong with the arguments of a call. */
#define BECKON_TOOL_NAMES_UNFIT "The arguments do not fit the schema of the tool:"

/**
 * beckon_tool_names_find_meant:
 * @tools: (element-type BeckonToolDefinition): what a model was told
 * @name: what it calls
 *
 * Returns: (nullable): the tool that @name can only mean: by that name, or by it in another case, without its underscores
 *   ("ReadFile") or behind a prefix such as "functions." or "default_api:"; borrowed
 */
const BeckonToolDefinition *beckon_tool_names_find_meant (GPtrArray *tools, const char *name);

/**
 * beckon_tool_names_refuse:
 * @tools: (element-type BeckonToolDefinition): what a model was told
 * @name: what it calls, which is none of them
 *
 * Returns: (transfer full): for the model: that there is no such tool, which one may be meant, and which there are
 */
char *beckon_tool_names_refuse (GPtrArray *tools, const char *name) G_GNUC_WARN_UNUSED_RESULT;

/** @result: (nullable): of a call; whether it is from beckon_tool_names_refuse() */
gboolean beckon_tool_names_is_refusal (const char *result);

G_END_DECLS
