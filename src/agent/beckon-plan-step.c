/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-plan-step.h"

#include "base/beckon-error.h"
#include "base/beckon-json.h"
#include "base/beckon-path.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "base/beckon-tree-stamp.h"
#include "beckon-call-overrides.h"
#include "domain/beckon-plan-reference.h"
#include "request/beckon-call-request.h"
#include "request/beckon-question-request.h"
#include "text/beckon-call-labels.h"
#include "tools/beckon-file-stamp.h"
#include "tools/beckon-propose-plan.h"
#include "tools/beckon-run-command.h"

#include <glib/gi18n-lib.h>

/*
 * A step of a plan as a call: whether it can be carried out, whether it pauses, what its person has read of it, and how an
 * answer to it changes the plan.
 */

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

void
beckon_plan_step_permit (const BeckonRunScope *scope, BeckonToolCall *call, const BeckonCallSurvey *survey,
                         BeckonJudgement *judgement)
{
  const BeckonEffects *effects = beckon_call_survey_get_effects (survey);
  /* The plan showed what comes, and not what a text takes the place of. */
  const gboolean replaces = g_str_equal (effects->tool, "write_file") && beckon_call_survey_get_size (survey) > 0;

  if (replaces || judgement->verdict != BECKON_VERDICT_ASK || judgement->rule != NULL
      || beckon_run_scope_get_rules (scope) == NULL || beckon_tool_call_get_planned_by (call) == NULL
      || beckon_call_survey_get_bound (survey) == NULL || effects->server != NULL || effects->command != NULL
      || effects->leaves_folder || effects->feeds_others || effects->outlives || effects->uses_network
      || effects->aliases != NULL
      || beckon_call_labels_is_list (effects->tool)
      || !beckon_call_labels_is_whole (effects->tool, beckon_tool_call_get_effective_arguments (call)))
    return;
  judgement->verdict = BECKON_VERDICT_ALLOW;
  judgement->is_planned = TRUE;
  g_free (judgement->reason);
  judgement->reason = g_strdup (_("You accepted it as a step of the plan."));
}

/* (transfer full) (nullable): what is not as it was when the plan was accepted, in words. @path: (out) (nullable): its own */
static char *
plan_step_dup_news (const BeckonRunScope *scope, const BeckonCallSurvey *survey, const char **path)
{
  const char *folder = beckon_conversation_get_folder (scope->conversation);
  gboolean were_there;
  const char *news = beckon_call_survey_get_news (survey, &were_there);
  const char *relative = news != NULL && folder != NULL ? beckon_path_relate (news, folder) : NULL;
  g_autofree char *shown = relative != NULL ? beckon_text_for_display (relative, -1, BECKON_TEXT_EXACT) : NULL;

  *path = relative;
  if (shown == NULL)
    return NULL;
  /* Translators: %s is the path of a file or folder */
  return were_there ? beckon_text_printf (_("“%s” has changed since you accepted the plan."), shown)
                    /* Translators: %s is the path of a file or folder */
                    : beckon_text_printf (_("“%s” is new since you accepted the plan."), shown);
}

/* Why a step is asked about that its person accepted. */
void
beckon_plan_step_explain (const BeckonRunScope *scope, const BeckonCallSurvey *survey, BeckonJudgement *judgement)
{
  const char *path;
  const gboolean is_by_mode = judgement->verdict == BECKON_VERDICT_ASK && judgement->rule == NULL;
  char *news = is_by_mode ? plan_step_dup_news (scope, survey, &path) : NULL;

  if (news == NULL)
    return;
  g_free (judgement->reason);
  judgement->reason = news;
}

/* Whether a change is of a path, or of the folder that it is in. */
static gboolean
plan_step_is_of (const BeckonFileChange *change, const char *path)
{
  return beckon_path_relate (path, change->path) != NULL || beckon_path_relate (change->path, path) != NULL
         || (change->from != NULL
             && (beckon_path_relate (path, change->from) != NULL || beckon_path_relate (change->from, path) != NULL));
}

void
beckon_plan_step_note_news (const BeckonRunScope *scope, const BeckonCallSurvey *survey, BeckonLanding *landing)
{
  const char *path;
  g_autofree char *news = plan_step_dup_news (scope, survey, &path);
  BeckonFileChange *told = NULL;

  for (guint i = 0; news != NULL && i < beckon_change_set_get_n_changes (landing->changes); i++)
    {
      BeckonFileChange *change = beckon_change_set_get (landing->changes, i);

      /* By a link, a change has another path. */
      if (change->fate == BECKON_FILE_OPEN && change->remark == NULL && (told == NULL || plan_step_is_of (change, path)))
        told = change;
    }
  if (told != NULL)
    told->remark = g_steal_pointer (&news);
}

/* A step of which it is asked whether its person has read all that it changes. */
typedef struct
{
  const BeckonLanding *landing;
  JsonObject *arguments;
  JsonObject *stamps; /* of the files as they were read, by their paths */
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

/* Whether what @change took away is what was there when the arguments were read. Nobody has read what tools made for themselves
 * before it comes to where a person's files are. */
static gboolean
reading_knows (const Reading *reading, const BeckonFileChange *change, const BeckonFileChange *top)
{
  g_autofree char *path = g_build_filename (reading->landing->folder, change->path, NULL);
  const char *stamp = beckon_json_get_string (reading->stamps, path);

  return (change->type == BECKON_FILE_FOLDER
            ? beckon_tree_stamp_is_of (stamp, change->before_inode, change->contents)
            : beckon_file_stamp_is_of (stamp, change->before_hash, change->before_inode, change->before_changed_at))
         && (change == top || top->is_by_product || !change->is_by_product);
}

/* The arguments say what went and where it came to, with the folders for it: nothing else is read. What was moved is known by
 * the deletion that is bound to it. */
static gboolean
reading_covers (const Reading *reading, const BeckonFileChange *change, const BeckonFileChange *top)
{
  const gboolean is_move = change->kind == BECKON_FILE_MOVED;
  const char *target = is_move ? change->path : top->kind == BECKON_FILE_MOVED ? top->path : NULL;
  gboolean is_known = !is_move;

  if (change->kind == BECKON_FILE_CREATED)
    {
      if (change->type != BECKON_FILE_FOLDER || change->n_files > 0)
        return FALSE;
    }
  else if (change->kind == BECKON_FILE_CHANGED || (is_move && change->before_inode != 0)
           || !reading_says (reading, is_move ? change->from : change->path, target)
           || (!is_move && !reading_knows (reading, change, top)))
    return FALSE;
  for (guint i = 0; top->bound != NULL && i < top->bound->len; i++)
    {
      const BeckonFileChange *bound = g_ptr_array_index (top->bound, i);

      is_known = is_known || (bound->kind == BECKON_FILE_DELETED && change->from != NULL
                              && beckon_path_is_within (change->from, bound->path));
      if (change == top && !reading_covers (reading, bound, top))
        return FALSE;
    }
  return is_known;
}

/* Whether a command's own words say that the file is made, which was not there. */
static gboolean
reading_makes (const Reading *reading, const BeckonFileChange *change)
{
  g_autofree char *path = g_build_filename (reading->landing->folder, change->path, NULL);

  return change->kind == BECKON_FILE_CREATED && change->type == BECKON_FILE_REGULAR && (change->mode_after & 0111) == 0
         && change->attributes == NULL && change->bound == NULL
         && g_strcmp0 (beckon_json_get_string (reading->stamps, path), BECKON_FILE_STAMP_ABSENT) == 0;
}

/* All of it or nothing: half of a move would lose a file. */
gboolean
beckon_plan_step_was_read (const BeckonRunScope *scope, BeckonToolCall *call, const BeckonCallSurvey *survey,
                           const BeckonLanding *landing)
{
  const char *bound = beckon_call_survey_get_bound (survey);
  g_autoptr (JsonObject) stamps = bound != NULL ? beckon_json_parse_object (bound, -1, NULL) : NULL;
  g_autoptr (JsonObject) arguments = beckon_json_parse_object (beckon_tool_call_get_effective_arguments (call), -1, NULL);
  const Reading reading = { .landing = landing, .arguments = arguments, .stamps = stamps };
  const gboolean is_command = beckon_call_survey_get_effects (survey)->command != NULL;

  if (beckon_tool_call_get_planned_by (call) == NULL || stamps == NULL || arguments == NULL
      || (!is_command && !beckon_run_command_is_fixed (beckon_run_scope_find_tool (scope, call))))
    return FALSE;
  for (guint i = 0; i < beckon_change_set_get_n_changes (landing->changes); i++)
    {
      const BeckonFileChange *change = beckon_change_set_get (landing->changes, i);

      if (change->concern != BECKON_FILE_CONCERN_NONE
          || !(is_command ? reading_makes (&reading, change) : reading_covers (&reading, change, change)))
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
