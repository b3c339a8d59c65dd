/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-call-overrides.h"

#include "base/beckon-error.h"
#include "form/beckon-plan-parameters.h"

/*
 * Overrides of arguments by the person. They are applied before a call is judged, so that what is judged, shown and run is the
 * same; in the moment of the start they are checked once more.
 */

static BeckonParameters *
call_overrides_collect (const BeckonRunScope *scope, BeckonTool *tool)
{
  return beckon_argument_overrides_collect (scope->parts.parameters, beckon_tool_get_name (tool),
                                            beckon_tool_get_server (tool));
}

static gboolean
refuse_unread (GError **error)
{
  g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
                       "Not run, and nothing was changed: what the user settled about this tool cannot be read.");
  return FALSE;
}

/**
 * beckon_call_overrides_apply: (skip)
 * @calls: the calls
 * @tool: the call's tool
 * @call: the call; its effective arguments become those that would run
 * @error: return location
 *
 * Puts in pinned values and the arguments that the survey completed, and notes what is to be redacted. Arguments that a person
 * wrote for this call stay as they are.
 *
 * Returns: %FALSE if the overrides are not known; the call must not run then
 */
gboolean
beckon_call_overrides_apply (BeckonCallBatch *calls, BeckonTool *tool, BeckonToolCall *call, GError **error)
{
  g_autoptr (BeckonParameters) parameters = call_overrides_collect (beckon_call_batch_get_scope (calls), tool);
  g_autofree char *redacted = beckon_parameters_dup_redacted (parameters);
  g_autofree char *settled = NULL;
  const char *completed;

  beckon_tool_call_set_redacted (call, redacted);
  if (!beckon_parameters_check (parameters, "{}", NULL) && beckon_parameters_get_n (parameters) == 0)
    return refuse_unread (error);
  if (beckon_tool_call_get_edited_arguments (call) != NULL)
    return TRUE;
  settled = beckon_parameters_apply (parameters, beckon_tool_call_get_arguments (call));
  completed = beckon_call_batch_get_completed (calls, call, settled != NULL ? settled : beckon_tool_call_get_arguments (call));
  beckon_tool_call_set_settled_arguments (call, completed != NULL ? completed : settled);
  return TRUE;
}

/* Whichever tools a person puts into the plan. */
static char *
collect_for_plan (GPtrArray *snapshot)
{
  g_autoptr (BeckonPlanParameters) all = beckon_plan_parameters_new ();

  for (guint i = 0; i < snapshot->len; i++)
    {
      const BeckonToolParameter *row = g_ptr_array_index (snapshot, i);
      g_autoptr (BeckonParameters) parameters = beckon_tool_parameters_collect (snapshot, row->tool, row->server);

      beckon_plan_parameters_add (all, row->tool, parameters);
    }
  return beckon_plan_parameters_to_text (all);
}

static BeckonParameters *
collect_for_step (const BeckonRunScope *scope, const BeckonPlanStep *step)
{
  BeckonTool *tool = beckon_tool_registry_lookup (scope->parts.tools, step->tool);

  return tool != NULL && !beckon_tool_needs_person (tool) ? call_overrides_collect (scope, tool) : beckon_parameters_new ();
}

/* (nullable): the plan with what is pinned put into its steps; %NULL where that changes nothing. */
static char *
pin_plan (const BeckonRunScope *scope, const char *document)
{
  g_autoptr (BeckonPlan) plan = beckon_plan_parse (document, BECKON_PLAN_FROM_MODEL, NULL);
  gboolean changed = FALSE;

  for (guint i = 0; plan != NULL && i < plan->steps->len; i++)
    {
      BeckonPlanStep *step = g_ptr_array_index (plan->steps, i);
      g_autoptr (BeckonParameters) parameters = collect_for_step (scope, step);
      char *pinned = beckon_parameters_apply (parameters, step->arguments);

      if (pinned == NULL)
        continue;
      g_free (step->arguments);
      step->arguments = pinned;
      changed = TRUE;
    }
  return changed ? beckon_plan_to_json (plan) : NULL;
}

/**
 * beckon_call_overrides_apply_to_plan: (skip)
 * @calls: the calls
 * @context: a call that proposes a plan; its arguments become those that are shown
 * @error: return location
 *
 * Puts what is pinned into the steps, so that what is shown is what would scope, and notes what is not to be seen of them or
 * changed in them.
 *
 * Returns: %FALSE where nobody knows what is settled, and nobody may be shown the plan
 */
gboolean
beckon_call_overrides_apply_to_plan (const BeckonRunScope *scope, BeckonToolContext *context, GError **error)
{
  BeckonToolCall *call = context->call;
  GPtrArray *snapshot = NULL;
  g_autofree char *redacted = NULL;
  g_autofree char *settled = NULL;

  if (scope->parts.parameters == NULL)
    return TRUE;
  snapshot = beckon_followed_list_get_snapshot (BECKON_FOLLOWED_LIST (scope->parts.parameters));
  if (snapshot == NULL)
    return refuse_unread (error);
  redacted = collect_for_plan (snapshot);
  beckon_tool_call_set_redacted (call, redacted);
  settled = snapshot->len > 0 ? pin_plan (scope, beckon_tool_call_get_arguments (call)) : NULL;
  beckon_tool_call_set_settled_arguments (call, settled);
  context->arguments = beckon_tool_call_get_effective_arguments (call);
  return TRUE;
}

/** Whether those of a step of a plan are; those that hold references are known only when it is their turn. */
gboolean
beckon_call_overrides_check_step (const BeckonRunScope *scope, const BeckonPlanStep *step, GError **error)
{
  g_autoptr (BeckonParameters) parameters = collect_for_step (scope, step);

  return beckon_parameters_check (parameters, step->arguments, error);
}

/** Whether the arguments that would run fit the tool and are as settled; in English, for the model. */
gboolean
beckon_call_overrides_check (const BeckonRunScope *scope, BeckonTool *tool, const BeckonCallSurvey *survey, GError **error)
{
  BeckonToolArguments *arguments = beckon_call_survey_get_arguments (survey);
  g_autoptr (BeckonParameters) parameters = call_overrides_collect (scope, tool);

  return beckon_tool_arguments_check (arguments, error)
         && beckon_parameters_check_value (parameters, beckon_tool_arguments_get_value (arguments), error);
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

/** Describes overrides to the person; and masks hidden values in what the call would touch. */
void
beckon_call_overrides_describe (const BeckonRunScope *scope, BeckonTool *tool, const char *arguments,
                                BeckonApprovalDetails *details)
{
  g_autoptr (BeckonMask) mask = NULL;

  details->parameters = call_overrides_collect (scope, tool);
  mask = beckon_parameters_make_mask (details->parameters, arguments);
  if (mask == NULL)
    return;
  mask_text (mask, &details->command);
  mask_list (mask, details->paths);
  mask_list (mask, details->hosts);
}
