/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-plan-step.h"

#include "base/beckon-error.h"
#include "base/beckon-path.h"
#include "beckon-call-overrides.h"
#include "domain/beckon-plan-reference.h"
#include "request/beckon-call-request.h"
#include "request/beckon-question-request.h"
#include "tools/beckon-propose-plan.h"
#include "tools/beckon-run-command.h"

#include <json-glib/json-glib.h>

/* A step of a plan as a call: whether it can be carried out, whether it pauses, and how an answer to it changes the plan. */

static gboolean
plan_step_refuse (GError **error, guint step, const char *tool, const char *why)
{
  g_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID,
               "The plan cannot be used, and nothing was run. Step %u (%.100s): %s", step, tool, why);
  return FALSE;
}

/* Arguments that hold references are known only when it is their turn. */
static gboolean
plan_step_check_step (const BeckonRunScope *scope, const BeckonPlan *plan, guint index, GError **error)
{
  const BeckonPlanStep *step = beckon_plan_get_step (plan, index);
  BeckonTool *tool = beckon_tool_registry_lookup (scope->parts.tools, step->tool);
  g_autoptr (GPtrArray) references = beckon_plan_list_references (step->arguments, NULL);
  g_autoptr (GError) fault = NULL;

  if (tool == NULL)
    return plan_step_refuse (error, index + 1, step->tool, "There is no such tool.");
  if (beckon_tool_registry_is_disabled (scope->parts.tools, step->tool))
    return plan_step_refuse (error, index + 1, step->tool, "The user has switched this tool off.");
  if (BECKON_IS_PROPOSE_PLAN (tool))
    return plan_step_refuse (error, index + 1, step->tool, "A plan cannot be a step of a plan.");
  if (beckon_tool_needs_person (tool) || references == NULL || references->len > 0)
    return TRUE;
  return (beckon_tool_check_arguments (tool, step->arguments, &fault) && beckon_call_overrides_check_step (scope, step, &fault))
         || plan_step_refuse (error, index + 1, step->tool, fault->message);
}

/* A plan that can't be carried out is not shown. */
gboolean
beckon_plan_step_check_plan (const BeckonRunScope *scope, BeckonRequest *request, GError **error)
{
  const BeckonPlan *plan = beckon_request_get_plan (request);

  for (guint i = 0; plan != NULL && i < beckon_plan_get_n_steps (plan); i++)
    if (!plan_step_check_step (scope, plan, i, error))
      return FALSE;
  return TRUE;
}

/* Whether the plan wants its person before this step, whatever policy says. */
gboolean
beckon_plan_step_pauses_before (BeckonToolCall *call)
{
  BeckonToolCall *planned = beckon_tool_call_get_planned_by (call);
  const BeckonPlan *plan = planned != NULL ? beckon_tool_call_get_plan (planned) : NULL;
  int index = plan != NULL ? beckon_plan_find (plan, beckon_tool_call_get_step_id (call)) : -1;

  return index >= 0 && beckon_plan_pauses_before (plan, (guint) index);
}

static gboolean
plan_step_rearranges (const BeckonRunScope *scope, BeckonToolCall *call, gint64 since)
{
  g_autoptr (GPtrArray) landings = beckon_tool_call_list_landings (call);
  const gboolean is_fixed = beckon_run_command_is_fixed (beckon_run_scope_find_tool (scope, call));

  for (guint i = 0; !is_fixed && i < landings->len; i++)
    {
      const BeckonLanding *landing = g_ptr_array_index (landings, i);

      for (guint j = 0; landing->made_at > since && j < beckon_change_set_get_n_changes (landing->changes); j++)
        {
          const BeckonFileChange *change = beckon_change_set_get (landing->changes, j);

          if (change->kind == BECKON_FILE_MOVED || change->kind == BECKON_FILE_DELETED || change->type == BECKON_FILE_LINK
              || change->type != change->type_before)
            return TRUE;
        }
    }
  for (guint i = 0; i < beckon_tool_call_get_n_steps (call); i++)
    if (plan_step_rearranges (scope, beckon_tool_call_get_step (call, i), since))
      return TRUE;
  return FALSE;
}

/* A path may lead to another file, as old as the one that was read, once a command has moved, deleted or linked something. */
static gboolean
plan_step_was_rearranged (const BeckonRunScope *scope, gint64 since)
{
  for (guint i = beckon_conversation_get_n_messages (scope->conversation); i > 0; i--)
    {
      g_autoptr (GPtrArray) calls
        = beckon_message_list_calls (beckon_conversation_get_message (scope->conversation, i - 1));

      for (guint j = 0; j < calls->len; j++)
        if (plan_step_rearranges (scope, g_ptr_array_index (calls, j), since))
          return TRUE;
    }
  return FALSE;
}

gint64
beckon_plan_step_get_read_at (const BeckonRunScope *scope, BeckonToolCall *call, BeckonRequest *approval)
{
  BeckonToolCall *planned = beckon_tool_call_get_planned_by (call);
  const BeckonPlan *plan = planned != NULL ? beckon_tool_call_get_plan (planned) : NULL;
  int index = plan != NULL ? beckon_plan_find (plan, beckon_tool_call_get_step_id (call)) : -1;
  GObject *accepted = planned != NULL ? beckon_tool_call_get_request (planned) : NULL;
  gint64 read_at;

  if (index < 0 || !beckon_run_command_is_fixed (beckon_run_scope_find_tool (scope, call)))
    return 0;
  /* The plan did not show what a reference stood for. */
  if (approval == NULL
      && (accepted == NULL || beckon_tool_call_get_redacted (call) != NULL
          || !g_str_equal (beckon_plan_get_step (plan, (guint) index)->arguments,
                           beckon_tool_call_get_effective_arguments (call))))
    return 0;
  read_at = beckon_request_get_settled_at (approval != NULL ? approval : BECKON_REQUEST (accepted));
  return plan_step_was_rearranged (scope, read_at) ? 0 : read_at;
}

/* Whether an argument is @path, or a folder that it is in, and not the working folder itself. */
static gboolean
plan_step_names_path (JsonNode *node, const char *folder, const char *path)
{
  g_autoptr (GList) values = NULL;
  g_autofree char *named = NULL;

  if (JSON_NODE_HOLDS_OBJECT (node))
    values = json_object_get_values (json_node_get_object (node));
  else if (JSON_NODE_HOLDS_ARRAY (node))
    values = json_array_get_elements (json_node_get_array (node));
  for (GList *at = values; at != NULL; at = at->next)
    if (plan_step_names_path (at->data, folder, path))
      return TRUE;
  if (!JSON_NODE_HOLDS_VALUE (node) || json_node_get_value_type (node) != G_TYPE_STRING)
    return FALSE;
  named = g_canonicalize_filename (json_node_get_string (node), folder);
  return !beckon_path_is_within (folder, named) && beckon_path_is_within (path, named);
}

static gboolean
plan_step_covers (JsonNode *arguments, const char *folder, const BeckonFileChange *change, gint64 read_at)
{
  g_autofree char *path = g_build_filename (folder, change->path, NULL);

  /* A folder that a step before it emptied is as good as the one that was read. */
  if (change->n_files > 0 || !plan_step_names_path (arguments, folder, path)
      || (change->type_before != BECKON_FILE_FOLDER && change->before_changed_at > read_at * 1000))
    return FALSE;
  for (guint i = 0; change->bound != NULL && i < change->bound->len; i++)
    if (!plan_step_covers (arguments, folder, g_ptr_array_index (change->bound, i), read_at))
      return FALSE;
  return TRUE;
}

gboolean
beckon_plan_step_covers (BeckonToolCall *call, const char *folder, const BeckonFileChange *change, gint64 read_at)
{
  g_autoptr (JsonNode) arguments = json_from_string (beckon_tool_call_get_effective_arguments (call), NULL);

  return arguments != NULL && plan_step_covers (arguments, folder, change, read_at);
}

/* The person asked about a step sees the plan, and may change it. */
void
beckon_plan_step_mark (BeckonToolCall *call, BeckonRequest *request)
{
  BeckonToolCall *planned = beckon_tool_call_get_planned_by (call);
  const BeckonPlan *plan = planned != NULL ? beckon_tool_call_get_plan (planned) : NULL;

  if (plan != NULL && beckon_plan_find (plan, beckon_tool_call_get_step_id (call)) >= 0
      && !BECKON_IS_QUESTION_REQUEST (request))
    {
      beckon_request_set_step (request, plan, beckon_tool_call_get_step_id (call));
      beckon_request_take_asked_by (request, beckon_asked_by_new (BECKON_ASKED_BY_PLAN, plan->title));
      beckon_request_set_plan_redacted (request, beckon_tool_call_get_redacted (planned));
    }
}

void
beckon_plan_step_follow (BeckonToolCall *call, const BeckonSettlement *settlement)
{
  BeckonToolCall *planned = beckon_tool_call_get_planned_by (call);
  g_autoptr (BeckonPlan) plan = NULL;

  beckon_tool_call_set_step_outcome (call, settlement->outcome);
  if (settlement->plan != NULL)
    plan = beckon_plan_parse (settlement->plan, BECKON_PLAN_FROM_PERSON, NULL);
  if (plan != NULL)
    beckon_tool_call_set_plan (planned != NULL ? planned : call, plan);
}
