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

G_END_DECLS
