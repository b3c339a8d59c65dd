/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-call-report.h"

#include "form/beckon-parameters.h"
#include "request/beckon-tool-parameter.h"

char *
beckon_call_tell_changes (BeckonToolCall *call, const char *result)
{
  gboolean is_edited = beckon_tool_call_get_edited_arguments (call) != NULL;
  g_autofree char *shown = NULL;

  if (!is_edited && beckon_tool_call_get_settled_arguments (call) == NULL)
    return NULL;
  shown = beckon_parameters_show_call (call);
  return g_strdup_printf (is_edited ? "The user changed the arguments before it ran, to: %s\n%s"
                                    : "With the user's overrides and the defaults of the tool, it ran with: %s\n%s",
                          shown, result);
}
