/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-run-private.h"

#include "base/beckon-error.h"
#include "request/beckon-approval-request.h"
#include <glib/gi18n-lib.h>

/*
 * The last look at a call that may run, in the moment in which it starts: whether it is still what was decided about. What
 * the person changed is decided again; where another rule holds for it, or a file that it works on is not what it was, it is
 * shown again.
 */

/* (nullable): the approval that a person gave, if it was one. */
static BeckonRequest *
get_approval (BeckonToolCall *call)
{
  BeckonRequest *request = BECKON_REQUEST (beckon_tool_call_get_request (call));

  if (request == NULL || !BECKON_IS_APPROVAL_REQUEST (request)
      || beckon_request_get_state (request) != BECKON_REQUEST_ANSWERED)
    return NULL;
  return request;
}

gboolean
beckon_run_is_decided_by_person (BeckonToolCall *call)
{
  BeckonRequest *request = BECKON_REQUEST (beckon_tool_call_get_request (call));

  return beckon_tool_call_get_permit_id (call) == NULL && request != NULL
         && beckon_request_get_state (request) == BECKON_REQUEST_ANSWERED;
}

const char *
beckon_run_find_permit (BeckonToolCall *call)
{
  BeckonRequest *request = BECKON_REQUEST (beckon_tool_call_get_request (call));

  if (beckon_run_is_decided_by_person (call))
    return beckon_request_get_id (request);
  return beckon_tool_call_get_permit_id (call);
}

static gboolean
is_same_ground (const BeckonJudgement *a, const BeckonJudgement *b)
{
  return a->verdict == b->verdict && g_strcmp0 (a->reason, b->reason) == 0
         && g_strcmp0 (a->rule != NULL ? a->rule->id : NULL, b->rule != NULL ? b->rule->id : NULL) == 0;
}

/** (nullable): what the person was shown and changed. */
const char *
beckon_run_get_shown_arguments (BeckonToolCall *call)
{
  BeckonRequest *approval = get_approval (call);
  const BeckonAnswer *answer = approval != NULL ? beckon_request_get_answer (approval) : NULL;

  return answer != NULL && answer->kind == BECKON_ANSWER_APPROVED_EDITED ? beckon_request_get_arguments (approval) : NULL;
}

/* Whether what the person wrote is asked for by something else than what they were shown. */
static gboolean
has_new_ground (BeckonRun *run, BeckonToolCall *call, const BeckonJudgement *judgement)
{
  const BeckonCallSurvey *shown = beckon_call_batch_get_shown_survey (run->calls, call);
  g_autoptr (BeckonJudgement) before = NULL;

  if (beckon_run_get_shown_arguments (call) == NULL || judgement->verdict == BECKON_VERDICT_ALLOW)
    return FALSE;
  before = beckon_run_judge (run, beckon_call_survey_get_effects (shown));
  return !is_same_ground (before, judgement);
}

/* (nullable): the stamps of the files that a person's approval of this call is bound to. */
const char *
beckon_run_get_files (BeckonToolCall *call)
{
  BeckonRequest *approval = get_approval (call);
  const BeckonApprovalReason *ground = approval != NULL ? beckon_request_get_ground (approval) : NULL;

  return ground != NULL ? ground->files : NULL;
}

/* (nullable): why the call is to be shown again although somebody approved it. Caller frees. */
static char *
find_doubt (BeckonRun *run, BeckonToolCall *call, const BeckonCallSurvey *survey, const BeckonJudgement *judgement)
{
  const char *changed = beckon_call_survey_get_changed (survey);

  if (changed != NULL)
    /* Translators: %s is the path of a file */
    return g_strdup_printf (_ ("A file that it works on has changed since you were asked: %s"), changed);
  if (has_new_ground (run, call, judgement))
    return g_strdup (judgement->reason);
  return NULL;
}

static void
ask_again (BeckonRun *run, const BeckonToolContext *context, const BeckonCallSurvey *survey, const char *reason,
           BeckonRunDecision *decision)
{
  beckon_tool_call_set_permit_id (context->call, NULL);
  if (!run->has_person)
    {
      beckon_run_refuse_call (context->call, "Not run, and nothing was changed: it would have to be asked about again, and "
                                             "nobody can be asked here.");
      return;
    }
  decision->judgement->verdict = BECKON_VERDICT_ASK;
  decision->request = beckon_run_ask_approval (run, context, survey, decision->judgement, reason);
  beckon_tool_call_apply (context->call, BECKON_CALL_EVENT_ASKED);
}

/* Shows a decided call to the person. @reason: (nullable): why. */
void
beckon_run_ask_about (BeckonRun *run, BeckonToolCall *call, const char *reason, BeckonRunDecision *decision)
{
  BeckonToolContext context = beckon_run_make_context (run, beckon_call_batch_get_message (run->calls), call);
  const BeckonCallSurvey *survey = beckon_call_batch_get_survey (run->calls, call);

  if (survey == NULL)
    {
      beckon_run_refuse_call (call, "The tool is not there any more.");
      return;
    }
  decision->judgement = beckon_run_judge (run, beckon_call_survey_get_effects (survey));
  ask_again (run, &context, survey, reason, decision);
}

/* A person may have changed the arguments, and the tool may be another one after an update. */
static gboolean
check_arguments (BeckonRun *run, BeckonTool *tool, const BeckonToolContext *context, const BeckonCallSurvey *survey,
                 BeckonRunDecision *decision)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *reason = NULL;

  if (beckon_run_check_parameters (run, tool, survey, &error) && beckon_call_survey_check (survey, &error))
    return TRUE;
  if (!beckon_run_is_decided_by_person (context->call))
    {
      beckon_run_refuse_call (context->call, error->message);
      return FALSE;
    }
  decision->judgement = beckon_run_judge (run, beckon_call_survey_get_effects (survey));
  /* Translators: %s says what is wrong, in English */
  reason = g_error_matches (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE)
             ? g_strdup (error->message)
             : g_strdup_printf (_ ("The changed arguments do not fit the tool: %s"), error->message);
  ask_again (run, context, survey, reason, decision);
  return FALSE;
}

/* A decision about a call whose changes land does not hold for one that works in the folder itself. */
static void
note_view (BeckonRun *run, BeckonToolCall *call, const BeckonEffects *effects)
{
  if (effects->lands)
    beckon_call_batch_mark (run->calls, call, BECKON_CALL_MARK_ON_VIEW);
  else
    beckon_call_batch_unmark (run->calls, call, BECKON_CALL_MARK_ON_VIEW);
}

static void
judge_again (BeckonRun *run, const BeckonToolContext *context, const BeckonCallSurvey *survey, BeckonRunDecision *decision)
{
  const BeckonEffects *effects = beckon_call_survey_get_effects (survey);
  g_autofree char *doubt = NULL;

  decision->judgement = beckon_run_judge (run, effects);
  note_view (run, context->call, effects);
  if (decision->judgement->verdict == BECKON_VERDICT_DENY)
    {
      /* A person already answered: they are no longer here, but the answer is. */
      if (decision->judgement->rule == NULL && beckon_run_is_decided_by_person (context->call))
        return;
      beckon_run_refuse_call (context->call, decision->judgement->refusal);
      return;
    }
  if (!beckon_run_is_decided_by_person (context->call))
    {
      if (decision->judgement->verdict == BECKON_VERDICT_ASK)
        ask_again (run, context, survey, NULL, decision);
      return;
    }
  doubt = find_doubt (run, context->call, survey, decision->judgement);
  if (doubt != NULL)
    ask_again (run, context, survey, doubt, decision);
}

/**
 * beckon_run_confirm_call: (skip)
 * @run: the run
 * @call: a decided call that was just looked at
 * @decision: (out): what was decided now, if it does not start
 *
 * Returns: %TRUE if it starts; otherwise it has moved on, to a request or a refusal
 */
gboolean
beckon_run_confirm_call (BeckonRun *run, BeckonToolCall *call, BeckonRunDecision *decision)
{
  BeckonTool *tool = beckon_tool_registry_lookup (run->parts.tools, beckon_tool_call_get_name (call));
  BeckonToolContext context = beckon_run_make_context (run, beckon_call_batch_get_message (run->calls), call);
  const BeckonCallSurvey *survey;

  if (tool == NULL)
    {
      beckon_run_refuse_call (call, "The tool is not there any more.");
      return FALSE;
    }
  if (beckon_tool_needs_person (tool))
    return TRUE;
  survey = beckon_call_batch_get_survey (run->calls, call);
  g_assert (survey != NULL);
  if (check_arguments (run, tool, &context, survey, decision))
    judge_again (run, &context, survey, decision);
  return beckon_tool_call_get_state (call) == BECKON_CALL_DECIDED;
}
