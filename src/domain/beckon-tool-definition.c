/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-tool-definition.h"

G_DEFINE_BOXED_TYPE (BeckonToolDefinition, beckon_tool_definition, beckon_tool_definition_ref,
                     beckon_tool_definition_unref)

BeckonToolDefinition *
beckon_tool_definition_new (const char *name, const char *description, const char *schema, gboolean read_only)
{
  BeckonToolDefinition *definition;

  g_return_val_if_fail (name != NULL && *name != '\0', NULL);
  g_return_val_if_fail (description != NULL, NULL);
  g_return_val_if_fail (schema != NULL, NULL);

  definition = g_atomic_rc_box_new0 (BeckonToolDefinition);
  definition->name = g_strdup (name);
  definition->description = g_strdup (description);
  definition->schema = g_strdup (schema);
  definition->read_only = read_only;

  return definition;
}

BeckonToolDefinition *
beckon_tool_definition_ref (BeckonToolDefinition *definition)
{
  g_return_val_if_fail (definition != NULL, NULL);

  return g_atomic_rc_box_acquire (definition);
}

static void
beckon_tool_definition_clear (BeckonToolDefinition *definition)
{
  g_free (definition->name);
  g_free (definition->description);
  g_free (definition->schema);
}

void
beckon_tool_definition_unref (BeckonToolDefinition *definition)
{
  g_return_if_fail (definition != NULL);

  g_atomic_rc_box_release_full (definition, (GDestroyNotify) beckon_tool_definition_clear);
}
