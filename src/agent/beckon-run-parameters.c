/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-run-private.h"

#include "base/beckon-error.h"
#include "request/beckon-plan-parameters.h"

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

static gboolean
refuse_unread (GError **error)
{
  g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
                       "Not run, and nothing was changed: what the user settled about this tool cannot be read.");
  return FALSE;
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
    return refuse_unread (error);
  if (beckon_tool_call_get_edited_arguments (call) != NULL)
    return TRUE;
  settled = beckon_parameters_apply (parameters, beckon_tool_call_get_arguments (call));
  beckon_tool_call_set_settled_arguments (call, settled);
  context->arguments = beckon_tool_call_get_effective_arguments (call);
  return TRUE;
}

/**
 * beckon_run_conceal_plan: (skip)
 * @run: the run
 * @call: a call that proposes a plan
 * @error: return location
 *
 * Notes what is not to be seen of the calls that the plan is about, whichever tools a person puts into it.
 *
 * Returns: %FALSE where nobody knows what is settled, and nobody may be shown the plan
 */
gboolean
beckon_run_conceal_plan (BeckonRun *run, BeckonToolCall *call, GError **error)
{
  g_autoptr (BeckonPlanParameters) concealed = beckon_plan_parameters_new ();
  GPtrArray *snapshot = NULL;
  g_autofree char *text = NULL;

  if (run->parts.parameters == NULL)
    return TRUE;
  snapshot = beckon_followed_list_get_snapshot (BECKON_FOLLOWED_LIST (run->parts.parameters));
  if (snapshot == NULL)
    return refuse_unread (error);
  for (guint i = 0; i < snapshot->len; i++)
    {
      const BeckonToolParameter *row = g_ptr_array_index (snapshot, i);
      g_autoptr (BeckonParameters) parameters = beckon_tool_parameters_collect (snapshot, row->tool, row->server);

      beckon_plan_parameters_add (concealed, row->tool, parameters);
    }
  text = beckon_plan_parameters_to_text (concealed);
  beckon_tool_call_set_concealed (call, text);
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
