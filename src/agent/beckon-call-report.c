/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-call-report.h"

#include "form/beckon-parameters.h"
#include "request/beckon-tool-parameter.h"

char *
beckon_call_tell_changes (BeckonTool *tool, BeckonToolCall *call, const char *result)
{
  const char *settled = beckon_tool_call_get_settled_arguments (call);
  gboolean is_edited = beckon_tool_call_get_edited_arguments (call) != NULL;
  g_autofree char *completed = NULL;
  g_autofree char *told = NULL;
  g_autofree char *shown = NULL;

  if (!is_edited && settled == NULL)
    return NULL;
  /* No override had a part in it. */
  completed = !is_edited && tool != NULL
                ? beckon_tool_complete_arguments (tool, beckon_tool_call_get_arguments (call), &told) : NULL;
  if (!is_edited && g_strcmp0 (completed, settled) == 0)
    return told != NULL ? g_strdup_printf ("[%s]\n%s", told, result) : NULL;
  shown = beckon_parameters_show_call (call);
  return g_strdup_printf (is_edited ? "The user changed the arguments before it ran, to: %s\n%s"
                                    : "With the user's overrides and the defaults of the tool, it ran with: %s\n%s",
                          shown, result);
}
