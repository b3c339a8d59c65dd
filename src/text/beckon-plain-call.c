/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-plain-call.h"

#include "base/beckon-text.h"
#include "beckon-plain-plan.h"
#include "domain/beckon-progress.h"
#include "domain/beckon-tool-call.h"
#include "form/beckon-plan-parameters.h"

#define PLAN_TOOL "propose_plan"
#define PROGRESS_TOOL "update_plan"

/* A plan that was not accepted has no statuses; it is shown as it was proposed. */
static char *
summarize_plan (BeckonToolCall *call)
{
  g_autoptr (BeckonPlan) plan = beckon_plan_parameters_show_call (call);
  g_autofree char *proposed = plan == NULL ? beckon_parameters_show_call (call) : NULL;
  g_autofree char *title = NULL;
  g_autoptr (GString) text = NULL;

  if (plan == NULL)
    plan = beckon_plan_parse (proposed, BECKON_PLAN_FROM_MODEL, NULL);
  if (plan == NULL)
    return NULL;

  title = beckon_text_for_display (plan->title != NULL ? plan->title : "", -1, BECKON_TEXT_EXACT);
  text = g_string_new (title);
  beckon_plain_plan_append_steps (text, plan, call);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static char *
summarize_progress (BeckonToolCall *call)
{
  g_autoptr (GPtrArray) steps = beckon_progress_parse (beckon_tool_call_get_effective_arguments (call), NULL);

  return steps != NULL ? g_strdup_printf ("%u/%u", beckon_progress_count_done (steps), steps->len) : NULL;
}

const char *
beckon_plain_call_get_mark (BeckonToolCall *call)
{
  const BeckonPlan *plan;

  g_return_val_if_fail (BECKON_IS_TOOL_CALL (call), "");

  plan = beckon_tool_call_get_plan (call);
  if (beckon_tool_call_get_state (call) == BECKON_CALL_CANCELLED)
    return BECKON_PLAIN_STOPPED_MARK;
  if (beckon_tool_call_get_is_error (call))
    return beckon_step_status_get_mark (BECKON_STEP_FAILED);
  for (guint i = 0; plan != NULL && i < beckon_plan_get_n_steps (plan); i++)
    if (beckon_plan_get_step (plan, i)->status == BECKON_STEP_FAILED)
      return beckon_step_status_get_mark (BECKON_STEP_FAILED);
  if ((plan != NULL && beckon_plan_get_current (plan) >= 0) || beckon_tool_call_is_not_saved (call))
    return beckon_step_status_get_mark (BECKON_STEP_NOT_SAVED);
  return beckon_step_status_get_mark (BECKON_STEP_COMPLETED);
}

char *
beckon_plain_call_dup_summary (BeckonToolCall *call)
{
  char *summary = NULL;

  g_return_val_if_fail (BECKON_IS_TOOL_CALL (call), NULL);

  if (g_str_equal (beckon_tool_call_get_name (call), PLAN_TOOL))
    summary = summarize_plan (call);
  else if (g_str_equal (beckon_tool_call_get_name (call), PROGRESS_TOOL))
    summary = summarize_progress (call);
  if (summary == NULL)
    {
      g_autofree char *shown = beckon_parameters_show_call (call);

      summary = beckon_text_for_display (shown, -1, BECKON_TEXT_EXACT);
    }

  return summary;
}
