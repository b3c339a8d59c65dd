/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-run-private.h"

#include "base/beckon-error.h"

/*
 * What the person settled about arguments of tools. It is put in before anything is said to a call, so that what is judged,
 * shown and run is the same; in the moment of the start it is looked at once more.
 */

/* Which server a tool is of only its effects say. */
static BeckonParameters *
collect (BeckonRun *run, BeckonTool *tool, const BeckonToolContext *context)
{
  GPtrArray *snapshot = NULL;
  g_auto (BeckonEffects) effects = { 0 };

  if (run->parts.parameters != NULL)
    snapshot = beckon_followed_list_get_snapshot (BECKON_FOLLOWED_LIST (run->parts.parameters));
  if (snapshot != NULL && snapshot->len > 0)
    beckon_tool_get_effects (tool, context, &effects);
  return beckon_settled_parameters_collect (run->parts.parameters, beckon_tool_get_name (tool), effects.server);
}

/**
 * beckon_run_settle_arguments: (skip)
 * @run: the run
 * @tool: the call's tool
 * @context: the call; its arguments become those that would run
 * @error: return location
 *
 * Puts in what is pinned, and notes what is not to be seen. What a person wrote for this one call stays as it is.
 *
 * Returns: %FALSE where nobody knows what is settled, and nothing may run
 */
gboolean
beckon_run_settle_arguments (BeckonRun *run, BeckonTool *tool, BeckonToolContext *context, GError **error)
{
  BeckonToolCall *call = context->call;
  g_autoptr (BeckonParameters) parameters = collect (run, tool, context);
  g_autofree char *concealed = beckon_parameters_dup_concealed (parameters);
  g_autofree char *settled = NULL;

  beckon_tool_call_set_concealed (call, concealed);
  if (!beckon_parameters_check (parameters, "{}", NULL) && beckon_parameters_get_n (parameters) == 0)
    {
      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
                           "Not run, and nothing was changed: what the user settled about this tool cannot be read.");
      return FALSE;
    }
  if (beckon_tool_call_get_edited_arguments (call) != NULL)
    return TRUE;
  settled = beckon_parameters_apply (parameters, beckon_tool_call_get_arguments (call));
  beckon_tool_call_set_settled_arguments (call, settled);
  context->arguments = beckon_tool_call_get_effective_arguments (call);
  return TRUE;
}

/** Whether the arguments that would run are as settled; in English, for the model. */
gboolean
beckon_run_check_parameters (BeckonRun *run, BeckonTool *tool, const BeckonToolContext *context, GError **error)
{
  g_autoptr (BeckonParameters) parameters = collect (run, tool, context);

  return beckon_parameters_check (parameters, context->arguments, error);
}

static void
mask_list (BeckonMask *mask, char **list)
{
  for (guint i = 0; list != NULL && list[i] != NULL; i++)
    {
      g_autofree char *before = list[i];

      list[i] = beckon_mask_apply (mask, before);
    }
}

static void
mask_text (BeckonMask *mask, char **text)
{
  g_autofree char *before = *text;

  *text = before != NULL ? beckon_mask_apply (mask, before) : NULL;
}

/** What is settled, for who is asked; and nothing that is not to be seen in what the call would touch. */
void
beckon_run_describe_parameters (BeckonRun *run, BeckonTool *tool, const BeckonToolContext *context,
                                BeckonApprovalDetails *details)
{
  g_autoptr (BeckonMask) mask = NULL;

  details->parameters = collect (run, tool, context);
  mask = beckon_parameters_make_mask (details->parameters, context->arguments);
  if (mask == NULL)
    return;
  mask_text (mask, &details->command);
  mask_list (mask, details->paths);
  mask_list (mask, details->hosts);
}
