/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-call-confirmation.h"

#include "base/beckon-error.h"
#include "domain/beckon-request-error.h"
#include "base/beckon-text-printf.h"
#include "beckon-call-overrides.h"
#include "beckon-plan-step.h"
#include "beckon-tool-prompt.h"
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

/* (nullable): the request whose answer lets it run. */
static BeckonRequest *
get_answered (BeckonToolCall *call)
{
  BeckonRequest *request = BECKON_REQUEST (beckon_tool_call_get_request (call));

  return beckon_tool_call_get_permit_id (call) == NULL && request != NULL
             && beckon_request_get_state (request) == BECKON_REQUEST_ANSWERED
           ? request
           : NULL;
}

gboolean
beckon_call_is_decided_by_person (BeckonToolCall *call)
{
  BeckonRequest *request = get_answered (call);

  return request != NULL && g_strcmp0 (beckon_request_get_front_end (request), BECKON_FRONT_END_RULE) != 0;
}

gboolean
beckon_call_is_decided_by_rule (BeckonToolCall *call)
{
  return get_answered (call) != NULL && !beckon_call_is_decided_by_person (call);
}

const char *
beckon_call_find_permit (BeckonToolCall *call)
{
  BeckonRequest *request = get_answered (call);

  return request != NULL ? beckon_request_get_id (request) : beckon_tool_call_get_permit_id (call);
}

static gboolean
is_same_reason (const BeckonJudgement *a, const BeckonJudgement *b)
{
  return a->verdict == b->verdict && g_strcmp0 (a->reason, b->reason) == 0
         && g_strcmp0 (a->rule != NULL ? a->rule->id : NULL, b->rule != NULL ? b->rule->id : NULL) == 0;
}

/** (nullable): what the person was shown and changed. */
const char *
beckon_call_get_shown_arguments (BeckonToolCall *call)
{
  BeckonRequest *approval = get_approval (call);
  const BeckonAnswer *answer = approval != NULL ? beckon_request_get_answer (approval) : NULL;

  return answer != NULL && answer->kind == BECKON_ANSWER_APPROVED_EDITED ? beckon_request_get_arguments (approval) : NULL;
}

/* Whether what the person wrote is asked for by something else than what they were shown. */
static gboolean
has_new_ground (BeckonCallBatch *calls, BeckonToolCall *call, const BeckonJudgement *judgement)
{
  const BeckonRunScope *scope = beckon_call_batch_get_scope (calls);
  const BeckonCallSurvey *shown = beckon_call_batch_get_shown_survey (calls, call);
  g_autoptr (BeckonJudgement) before = NULL;

  if (beckon_call_get_shown_arguments (call) == NULL || judgement->verdict == BECKON_VERDICT_ALLOW)
    return FALSE;
  before = beckon_call_judge (scope, beckon_call_survey_get_effects (shown));
  return !is_same_reason (before, judgement);
}

/* (nullable): the stamps of the files that a person's approval of this call is bound to. */
const char *
beckon_call_get_bound_files (BeckonToolCall *call)
{
  BeckonRequest *approval = get_approval (call);
  const BeckonApprovalReason *ground = approval != NULL ? beckon_request_get_ground (approval) : NULL;
  const BeckonAnswer *answer = approval != NULL ? beckon_request_get_answer (approval) : NULL;

  /* The files that were shown when it was answered may be newer than those of the question. */
  if (answer != NULL && answer->files != NULL)
    return answer->files;
  return ground != NULL ? ground->files : NULL;
}

/* Whether somebody approved it for another working folder. */
static gboolean
is_moved (const BeckonRunScope *scope, BeckonToolCall *call)
{
  const char *folder = beckon_conversation_get_folder (scope->conversation);
  BeckonRequest *approval = get_approval (call);
  const BeckonApprovalReason *ground = approval != NULL ? beckon_request_get_ground (approval) : NULL;

  return ground != NULL && ground->folder != NULL && g_strcmp0 (ground->folder, folder != NULL ? folder : "") != 0;
}

/* Whether somebody approved a tool that its server has changed since. */
static gboolean
is_redefined (BeckonToolCall *call, const BeckonCallSurvey *survey)
{
  BeckonRequest *approval = get_approval (call);
  const BeckonApprovalReason *ground = approval != NULL ? beckon_request_get_ground (approval) : NULL;

  return ground != NULL && g_strcmp0 (ground->definition, beckon_call_survey_get_definition (survey)) != 0;
}

static void
on_taken_back (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  if (!beckon_rules_remove_finish (BECKON_RULES (source), result, &error))
    g_message ("a rule about a tool that was changed stays: %s", error->message);
}

/* (nullable): the rules that were chosen with an approval. Borrowed. */
static GPtrArray *
get_chosen_rules (BeckonToolCall *call)
{
  const BeckonAnswer *answer = beckon_request_get_answer (get_approval (call));

  return answer != NULL ? answer->remember : NULL;
}

/* Rules are about the tool that was shown when they were chosen. */
static void
take_rules_back (const BeckonRunScope *scope, BeckonToolCall *call)
{
  GPtrArray *rules = get_chosen_rules (call);

  for (guint i = 0; rules != NULL && i < rules->len; i++)
    {
      const BeckonRule *rule = g_ptr_array_index (rules, i);

      beckon_rules_remove_async (scope->parts.rules, rule->id, NULL, on_taken_back, NULL);
    }
}

void
beckon_call_take_rules_back (const BeckonRunScope *scope, BeckonToolCall *call)
{
  BeckonTool *tool = beckon_run_scope_find_tool (scope, call);
  BeckonRequest *approval = get_approval (call);
  const BeckonApprovalReason *ground = approval != NULL ? beckon_request_get_ground (approval) : NULL;

  if (ground != NULL && g_strcmp0 (ground->definition, tool != NULL ? beckon_tool_get_digest (tool) : NULL) != 0)
    take_rules_back (scope, call);
}

static const char *
describe_redefined (BeckonToolCall *call)
{
  return get_chosen_rules (call) != NULL
           ? _("The server has changed this tool since you were asked. The rule that you chose is not saved.")
           : _("The server has changed this tool since you were asked.");
}

/* (nullable): why the call is to be shown again although somebody approved it. Caller frees. */
static char *
find_doubt (BeckonCallBatch *calls, BeckonToolCall *call, const BeckonCallSurvey *survey, const BeckonJudgement *judgement)
{
  const BeckonRunScope *scope = beckon_call_batch_get_scope (calls);
  const char *changed = beckon_call_survey_get_changed (survey);

  if (is_moved (scope, call))
    return g_strdup (_("The folder has changed since you were asked."));
  if (is_redefined (call, survey))
    return g_strdup (describe_redefined (call));
  if (changed != NULL)
    /* Translators: %s is the path of a file */
    return beckon_text_printf (_ ("A file that it works on has changed since you were asked: %s"), changed);
  if (has_new_ground (calls, call, judgement))
    return g_strdup (judgement->reason);
  return NULL;
}

static void
ask_again (const BeckonRunScope *scope, const BeckonToolContext *context, const BeckonCallSurvey *survey, const char *reason,
           BeckonCallDecision *decision)
{
  beckon_tool_call_set_permit_id (context->call, NULL);
  if (!scope->has_person)
    {
      beckon_call_refuse (context->call, "Not run, and nothing was changed: it would have to be asked about again, and "
                                          "nobody can be asked here.");
      return;
    }
  decision->judgement->verdict = BECKON_VERDICT_ASK;
  decision->request = beckon_call_ask_approval (scope, context, survey, decision->judgement, reason);
  beckon_tool_call_apply (context->call, BECKON_CALL_EVENT_ASKED);
}

/* A person may have changed the arguments, and the tool may be another one after an update. */
static gboolean
check_arguments (const BeckonRunScope *scope, BeckonTool *tool, const BeckonToolContext *context,
                 const BeckonCallSurvey *survey,
                 BeckonCallDecision *decision)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *reason = NULL;

  if (beckon_call_overrides_check (scope, tool, survey, &error) && beckon_call_survey_check (survey, &error))
    return TRUE;
  if (!beckon_call_is_decided_by_person (context->call))
    {
      beckon_call_refuse (context->call, error->message);
      return FALSE;
    }
  decision->judgement = beckon_call_judge (scope, beckon_call_survey_get_effects (survey));
  /* Translators: %s says what is wrong, in English */
  reason = g_error_matches (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE)
             ? g_strdup (error->message)
             : beckon_text_printf (_ ("The changed arguments do not fit the tool: %s"), error->message);
  ask_again (scope, context, survey, reason, decision);
  return FALSE;
}

/* A decision about a call whose changes land does not hold for one that works in the folder itself. */
static void
note_view (BeckonCallBatch *calls, BeckonToolCall *call, const BeckonEffects *effects)
{
  if (effects->lands)
    beckon_call_batch_mark (calls, call, BECKON_CALL_MARK_ON_VIEW);
  else
    beckon_call_batch_unmark (calls, call, BECKON_CALL_MARK_ON_VIEW);
}

/* Whether a rule that came since the person was asked lets it run, whatever the files are by now. */
static gboolean
is_ruled_since (BeckonCallBatch *calls, BeckonToolCall *call, const BeckonCallSurvey *survey)
{
  g_autoptr (BeckonJudgement) judgement = beckon_call_judge_whole (calls, call, survey);

  return judgement->verdict == BECKON_VERDICT_ALLOW && judgement->rule != NULL
         && judgement->rule->created_at >= beckon_request_get_asked_at (get_approval (call));
}

static void
judge_again (BeckonCallBatch *calls, const BeckonToolContext *context, const BeckonCallSurvey *survey,
             BeckonCallDecision *decision)
{
  const BeckonRunScope *scope = beckon_call_batch_get_scope (calls);
  const BeckonEffects *effects = beckon_call_survey_get_effects (survey);
  g_autofree char *doubt = NULL;

  decision->judgement = beckon_call_judge (scope, effects);
  beckon_plan_step_permit (scope, context->call, survey, decision->judgement);
  note_view (calls, context->call, effects);
  /* A person already answered: they are no longer here, but the answer is. It holds for what they were shown. */
  if (decision->judgement->verdict == BECKON_VERDICT_DENY
      && (decision->judgement->rule != NULL || !beckon_call_is_decided_by_person (context->call)))
    {
      beckon_tool_call_set_reason (context->call, decision->judgement->reason);
      beckon_call_refuse (context->call, decision->judgement->refusal);
      return;
    }
  if (!beckon_call_is_decided_by_person (context->call))
    {
      /* A call that is sent again with what its server had asked was let run before. */
      if (decision->judgement->verdict == BECKON_VERDICT_ASK && !beckon_tool_prompt_can_resume (scope, context->call))
        ask_again (scope, context, survey, NULL, decision);
      return;
    }
  if (beckon_call_survey_get_changed (survey) != NULL && is_ruled_since (calls, context->call, survey))
    beckon_call_survey_unbind (beckon_call_batch_get_survey (calls, context->call));
  else if (beckon_call_survey_get_changed (survey) != NULL && beckon_call_refuse_hopeless (calls, context->call, survey))
    return;
  doubt = find_doubt (calls, context->call, survey, decision->judgement);
  if (doubt != NULL)
    ask_again (scope, context, survey, doubt, decision);
}

/**
 * beckon_call_confirm: (skip)
 * @calls: the calls
 * @call: a decided call that was just looked at
 * @decision: (out): what was decided now, if it does not start
 *
 * Returns: %TRUE if it starts; otherwise it has moved on, to a request or a refusal
 */
gboolean
beckon_call_confirm (BeckonCallBatch *calls, BeckonToolCall *call, BeckonCallDecision *decision)
{
  const BeckonRunScope *scope = beckon_call_batch_get_scope (calls);
  BeckonTool *tool = beckon_run_scope_find_tool (scope, call);
  BeckonToolContext context = beckon_call_make_context (scope, beckon_call_batch_get_message (calls), call);
  const BeckonCallSurvey *survey;

  if (tool == NULL)
    {
      beckon_call_take_rules_back (scope, call);
      beckon_call_refuse (call, "The tool is not there any more.");
      return FALSE;
    }
  if (beckon_tool_needs_person (tool))
    return TRUE;
  survey = beckon_call_batch_get_survey (calls, call);
  g_assert (survey != NULL);
  if (is_redefined (call, survey))
    take_rules_back (scope, call);
  if (check_arguments (scope, tool, &context, survey, decision))
    judge_again (calls, &context, survey, decision);
  return beckon_tool_call_get_state (call) == BECKON_CALL_DECIDED;
}
