/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-call-report.h"

#include "base/beckon-json-value.h"
#include "form/beckon-parameters.h"
#include "request/beckon-tool-parameter.h"

/* (nullable): the member that @settled no longer has. Caller frees. */
static char *
find_left_out (const char *arguments, const char *settled)
{
  g_autoptr (BeckonJsonValue) given = beckon_json_value_parse (arguments, -1, NULL);
  g_autoptr (BeckonJsonValue) taken = beckon_json_value_parse (settled, -1, NULL);

  for (guint i = 0; i < beckon_json_value_get_n_children (given); i++)
    {
      const BeckonJsonValue *member = beckon_json_value_get_child (given, i);

      if (member->name != NULL && beckon_json_value_get_member (taken, member->name) == NULL)
        return g_strdup (member->name->str);
    }
  return NULL;
}

char *
beckon_call_tell_changes (BeckonTool *tool, BeckonToolCall *call, const char *result)
{
  const char *settled = beckon_tool_call_get_settled_arguments (call);
  gboolean is_edited = beckon_tool_call_get_edited_arguments (call) != NULL;
  g_autofree char *completed = NULL;
  g_autofree char *left_out = NULL;
  g_autofree char *shown = NULL;

  if (!is_edited && settled == NULL)
    return NULL;
  /* No override had a part in it. */
  completed = !is_edited && tool != NULL ? beckon_tool_complete_arguments (tool, beckon_tool_call_get_arguments (call)) : NULL;
  if (!is_edited && g_strcmp0 (completed, settled) == 0)
    {
      left_out = find_left_out (beckon_tool_call_get_arguments (call), settled);
      return left_out != NULL ? g_strdup_printf ("[`%.100s` is not known here and was ignored.]\n%s", left_out, result) : NULL;
    }
  shown = beckon_parameters_show_call (call);
  return g_strdup_printf (is_edited ? "The user changed the arguments before it ran, to: %s\n%s"
                                    : "With the user's overrides and the defaults of the tool, it ran with: %s\n%s",
                          shown, result);
}
