/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-agent-private.h"

#include "base/beckon-json.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "domain/beckon-plan-reference.h"
#include "domain/beckon-request-error.h"
#include "policy/beckon-judgement.h"
#include "request/beckon-call-request.h"
#include "request/beckon-plan-tools.h"
#include "tools/beckon-propose-plan.h"

#include <glib/gi18n-lib.h>

/*
 * A person's changes to a plan are checked like a model's proposal: when the plan is accepted, and not first when it is a
 * step's turn.
 */

static gboolean
agent_plan_refuse (GError **error, guint number, const BeckonPlanStep *step, const char *why)
{
  g_autofree char *tool = beckon_text_for_display (step->tool, -1, BECKON_TEXT_EXACT);

  beckon_text_set_error (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_INVALID,
                         /* Translators: the number of a step of a plan, its tool, and what is wrong */
                         _("Step %u (%s) can't run: %s"), number, tool, why);
  return FALSE;
}

/* The effects of a step as they are written, without a look at any file: links are followed when it is the step's turn, which
 * is judged again then. */
static void
agent_plan_get_effects (BeckonAgent *agent, BeckonConversation *conversation, BeckonTool *tool, const BeckonPlanStep *step,
                        BeckonEffects *effects)
{
  const char *folder = conversation != NULL ? beckon_conversation_get_folder (conversation) : NULL;
  const BeckonToolContext context = {
    .conversation_id = conversation != NULL ? beckon_conversation_get_id (conversation) : "",
    .message_id = "",
    .arguments = step->arguments,
    .now = beckon_clock_get_real_time (agent->parts.clock),
  };
  const char *path;
  g_autofree char *written = NULL;

  beckon_tool_get_effects (tool, &context, effects);
  effects->folder = folder;
  path = effects->arguments != NULL ? beckon_json_get_string (effects->arguments, "path") : NULL;
  if (folder == NULL || path == NULL)
    return;
  written = g_canonicalize_filename (path, folder);
  beckon_effects_add_path (effects, written);
}

/* (nullable): in words, why no rule lets it run. */
static char *
find_denial (BeckonAgent *agent, BeckonConversation *conversation, const BeckonEffects *effects)
{
  BeckonMode mode = conversation != NULL ? beckon_conversation_get_mode (conversation) : BECKON_MODE_DEFAULT;
  g_autoptr (BeckonJudgement) judgement
      = beckon_policy_judge (effects, beckon_agent_parts_get_rule_set (&agent->parts), mode, TRUE,
                             beckon_clock_get_real_time (agent->parts.clock));

  return judgement->verdict == BECKON_VERDICT_DENY ? g_strdup (judgement->reason) : NULL;
}

/* Arguments that hold references are known only when it is their turn. */
static gboolean
check_arguments (BeckonAgent *agent, BeckonConversation *conversation, BeckonTool *tool, const BeckonPlanStep *step,
                 guint number, GError **error)
{
  g_autoptr (BeckonParameters) parameters = NULL;
  g_autoptr (GError) fault = NULL;
  g_autofree char *settled = NULL;
  g_autofree char *denial = NULL;
  g_auto (BeckonEffects) effects = { 0 };
  const char *arguments = step->arguments;

  agent_plan_get_effects (agent, conversation, tool, step, &effects);
  parameters = beckon_argument_overrides_collect (agent->parts.parameters, step->tool, effects.server);
  settled = beckon_parameters_apply (parameters, arguments);
  if (settled != NULL)
    arguments = settled;
  if (!beckon_tool_check_arguments (tool, arguments, &fault) || !beckon_parameters_check (parameters, arguments, &fault))
    return agent_plan_refuse (error, number, step, fault->message);
  denial = find_denial (agent, conversation, &effects);
  return denial == NULL || agent_plan_refuse (error, number, step, denial);
}

static gboolean
agent_plan_check_step (BeckonAgent *agent, BeckonConversation *conversation, const BeckonPlanStep *step, guint number,
                       GError **error)
{
  BeckonTool *tool = beckon_tool_registry_lookup (agent->parts.tools, step->tool);
  g_autoptr (GPtrArray) references = beckon_plan_list_references (step->arguments, NULL);

  if (tool == NULL)
    return agent_plan_refuse (error, number, step, _("there is no such tool."));
  if (BECKON_IS_PROPOSE_PLAN (tool))
    return agent_plan_refuse (error, number, step, _("a plan can't be a step of a plan."));
  if (beckon_tool_needs_person (tool) || references == NULL || references->len > 0)
    return TRUE;
  return check_arguments (agent, conversation, tool, step, number, error);
}

/* Proposed steps were checked before. */
static gboolean
is_new (const BeckonPlan *before, const BeckonPlanStep *step)
{
  int index = before != NULL ? beckon_plan_find (before, step->id) : -1;
  const BeckonPlanStep *was = index >= 0 ? beckon_plan_get_step (before, (guint) index) : NULL;

  return was == NULL || !g_str_equal (was->tool, step->tool) || !g_str_equal (was->arguments, step->arguments);
}

static gboolean
agent_plan_check (BeckonPlanTools *tools, BeckonRequest *request, const BeckonPlan *plan, GError **error)
{
  BeckonAgent *agent = BECKON_AGENT (tools);
  BeckonConversation *conversation
      = beckon_library_lookup (agent->parts.library, beckon_request_get_conversation_id (request));

  for (guint i = 0; i < beckon_plan_get_n_steps (plan); i++)
    {
      const BeckonPlanStep *step = beckon_plan_get_step (plan, i);

      if (step->status == BECKON_STEP_PENDING && is_new (beckon_request_get_plan (request), step)
          && !agent_plan_check_step (agent, conversation, step, i + 1, error))
        return FALSE;
    }
  return TRUE;
}

static char **
list_names (BeckonPlanTools *tools, const char *conversation_id)
{
  BeckonAgent *agent = BECKON_AGENT (tools);
  BeckonConversation *conversation = beckon_library_lookup (agent->parts.library, conversation_id);
  const char *folder = conversation != NULL ? beckon_conversation_get_folder (conversation) : NULL;
  g_autoptr (GPtrArray) definitions = beckon_tool_registry_list (agent->parts.tools, TRUE, TRUE, folder);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < definitions->len; i++)
    {
      const BeckonToolDefinition *definition = g_ptr_array_index (definitions, i);

      if (!g_str_equal (definition->name, BECKON_PROPOSE_PLAN_NAME))
        g_ptr_array_add (names, g_strdup (definition->name));
    }
  g_ptr_array_add (names, NULL);
  return (char **) g_ptr_array_free (g_steal_pointer (&names), FALSE);
}

void
beckon_agent_plan_tools_init (BeckonPlanToolsInterface *iface)
{
  iface->check = agent_plan_check;
  iface->list_names = list_names;
}
