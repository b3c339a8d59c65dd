/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-call-report.h"

#include "beckon-loop-guard.h"
#include "form/beckon-parameters.h"
#include "request/beckon-tool-parameter.h"

static char *
tell_arguments (BeckonTool *tool, BeckonToolCall *call, const char *result)
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

char *
beckon_call_tell_changes (const BeckonRunScope *scope, BeckonToolCall *call, const char *result)
{
  char *told = tell_arguments (beckon_run_scope_find_tool (scope, call), call, result);
  g_autofree char *before = NULL;

  if (beckon_tool_call_get_planned_by (call) != NULL
      || !beckon_loop_guard_is_repeat (scope->conversation, call, told != NULL ? told : result))
    return told;
  before = told;
  return g_strconcat (before != NULL ? before : result,
                      "\n[You have made this very call twice now, with the same result. Do something else, or say what keeps "
                      "you from going on.]", NULL);
}
