/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-plan-step.h"

#include "base/beckon-error.h"
#include "base/beckon-json.h"
#include "base/beckon-path.h"
#include "beckon-call-overrides.h"
#include "domain/beckon-plan-reference.h"
#include "request/beckon-call-request.h"
#include "request/beckon-question-request.h"
#include "tools/beckon-propose-plan.h"
#include "tools/beckon-run-command.h"

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

/* A step of which it is asked whether its person has read all that it changes. */
typedef struct
{
  const BeckonRunScope *scope;
  const BeckonLanding *landing;
  JsonObject *arguments;
  gint64 read_at; /* when they were shown, in microseconds */
} Reading;

/* Whether @path, of a change, is what an argument names, or in it; never for the working folder itself. */
static gboolean
reading_names (const Reading *reading, const char *argument, const char *path)
{
  g_autofree char *named = argument != NULL ? g_canonicalize_filename (argument, reading->landing->folder) : NULL;
  g_autofree char *whole = g_build_filename (reading->landing->folder, path, NULL);

  return named != NULL && !beckon_path_is_within (reading->landing->folder, named) && beckon_path_is_within (whole, named);
}

/* Whether the arguments say that what was at @from is gone, and, unless that is %NULL, that it came to @to. */
static gboolean
reading_says (const Reading *reading, const char *from, const char *to)
{
  JsonArray *moves = beckon_json_get_array (reading->arguments, "moves");
  JsonArray *paths = beckon_json_get_array (reading->arguments, "paths");

  for (guint i = 0; moves != NULL && i < json_array_get_length (moves); i++)
    {
      JsonObject *move = json_array_get_object_element (moves, i);

      if (reading_names (reading, beckon_json_get_string (move, "from"), from)
          && (to == NULL || reading_names (reading, beckon_json_get_string (move, "to"), to)))
        return TRUE;
    }
  for (guint i = 0; to == NULL && paths != NULL && i < json_array_get_length (paths); i++)
    if (reading_names (reading, json_array_get_string_element (paths, i), from))
      return TRUE;
  return FALSE;
}

/* Whether a change that a command made put something at @path that nobody has seen: a by-product, where @is_source, or what is
 * in a folder that took the place of one which @path is in, and is as old as what was read. */
static gboolean
reading_is_touched_by (const Reading *reading, const char *path, gboolean is_source, const BeckonFileChange *change,
                       gboolean is_later)
{
  const char *below = beckon_path_relate (path, change->path);

  if (below != NULL && ((is_source && change->is_by_product) || (is_later && *below != '\0')))
    return TRUE;
  for (guint i = 0; change->bound != NULL && i < change->bound->len; i++)
    if (reading_is_touched_by (reading, path, is_source, g_ptr_array_index (change->bound, i), is_later))
      return TRUE;
  return FALSE;
}

static gboolean
reading_is_touched_by_call (const Reading *reading, const char *path, gboolean is_source, BeckonToolCall *call)
{
  g_autoptr (GPtrArray) landings = beckon_tool_call_list_landings (call);
  const gboolean is_fixed = beckon_run_command_is_fixed (beckon_run_scope_find_tool (reading->scope, call));

  for (guint i = 0; !is_fixed && i < landings->len; i++)
    {
      const BeckonLanding *landing = g_ptr_array_index (landings, i);

      for (guint j = 0; j < beckon_change_set_get_n_changes (landing->changes); j++)
        if (reading_is_touched_by (reading, path, is_source, beckon_change_set_get (landing->changes, j),
                                   landing->made_at > reading->read_at))
          return TRUE;
    }
  for (guint i = 0; i < beckon_tool_call_get_n_steps (call); i++)
    if (reading_is_touched_by_call (reading, path, is_source, beckon_tool_call_get_step (call, i)))
      return TRUE;
  return FALSE;
}

static gboolean
reading_is_touched (const Reading *reading, const char *path, gboolean is_source)
{
  BeckonConversation *conversation = reading->scope->conversation;

  if (beckon_conversation_get_has_earlier (conversation))
    return TRUE;
  for (guint i = beckon_conversation_get_n_messages (conversation); i > 0; i--)
    {
      g_autoptr (GPtrArray) calls = beckon_message_list_calls (beckon_conversation_get_message (conversation, i - 1));

      for (guint j = 0; j < calls->len; j++)
        if (reading_is_touched_by_call (reading, path, is_source, g_ptr_array_index (calls, j)))
          return TRUE;
    }
  return FALSE;
}

/* The arguments say what went and where it came to, with the folders for it: nothing else is read, and nothing that was
 * changed since. A folder that a step before it emptied is as good as the one that was read. */
static gboolean
reading_covers (const Reading *reading, const BeckonFileChange *change, const BeckonFileChange *top)
{
  const char *source = change->kind == BECKON_FILE_MOVED ? change->from : change->path;
  const char *target = change->kind == BECKON_FILE_MOVED ? change->path : top->kind == BECKON_FILE_MOVED ? top->path : NULL;

  if (change->kind == BECKON_FILE_CREATED)
    {
      if (change->type != BECKON_FILE_FOLDER || change->n_files > 0)
        return FALSE;
    }
  else if (change->kind == BECKON_FILE_CHANGED || change->n_files > 0 || !reading_says (reading, source, target)
           || (change->kind == BECKON_FILE_MOVED && change->before_inode != 0)
           || (change->type_before != BECKON_FILE_FOLDER && change->before_changed_at > reading->read_at * 1000)
           || reading_is_touched (reading, source, target != NULL))
    return FALSE;
  for (guint i = 0; change->bound != NULL && i < change->bound->len; i++)
    if (!reading_covers (reading, g_ptr_array_index (change->bound, i), top))
      return FALSE;
  return TRUE;
}

/* All of it or nothing: half of a move would lose a file. */
gboolean
beckon_plan_step_was_read (const BeckonRunScope *scope, BeckonToolCall *call, BeckonRequest *approval,
                           const BeckonLanding *landing)
{
  BeckonToolCall *planned = beckon_tool_call_get_planned_by (call);
  const BeckonPlan *plan = planned != NULL ? beckon_tool_call_get_plan (planned) : NULL;
  int index = plan != NULL ? beckon_plan_find (plan, beckon_tool_call_get_step_id (call)) : -1;
  GObject *shown = approval != NULL ? G_OBJECT (approval) : planned != NULL ? beckon_tool_call_get_request (planned) : NULL;
  const char *arguments = beckon_tool_call_get_effective_arguments (call);
  g_autoptr (JsonObject) object = NULL;
  Reading reading = { .scope = scope, .landing = landing };

  /* The plan did not show what a reference stood for. */
  if (index < 0 || shown == NULL || !beckon_run_command_is_fixed (beckon_run_scope_find_tool (scope, call))
      || (approval == NULL
          && (beckon_tool_call_get_redacted (call) != NULL
              || !g_str_equal (beckon_plan_get_step (plan, (guint) index)->arguments, arguments))))
    return FALSE;
  object = beckon_json_parse_object (arguments, -1, NULL);
  reading.arguments = object;
  reading.read_at = beckon_request_get_asked_at (BECKON_REQUEST (shown));
  for (guint i = 0; i < beckon_change_set_get_n_changes (landing->changes); i++)
    {
      const BeckonFileChange *change = beckon_change_set_get (landing->changes, i);

      if (change->concern != BECKON_FILE_CONCERN_NONE || object == NULL || !reading_covers (&reading, change, change))
        return FALSE;
    }
  return TRUE;
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
