/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-call-steps.h"

#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "beckon-call-confirmation.h"
#include "beckon-call-decision.h"
#include "beckon-call-executor.h"
#include "beckon-call-landing.h"
#include "beckon-call-recovery.h"
#include "beckon-plan-step.h"
#include "domain/beckon-request-error.h"
#include "request/beckon-approval-request.h"
#include "request/beckon-form-request.h"
#include "request/beckon-plan-request.h"
#include "request/beckon-question-request.h"

#include <glib/gi18n-lib.h>

/*
 * The calls of a reply. There is one place where a tool starts, call_start_all(), and it takes only calls in the state
 * decided, which only policy (beckon-call-decision.c) or a person's answer gives, and looks at them once more
 * (beckon-call-confirmation.c).
 */

static GPtrArray *
call_steps_plan (BeckonCallBatch *calls, BeckonReply *reply, BeckonBatch *batch)
{
  const BeckonRunScope *scope = beckon_call_batch_get_scope (calls);
  BeckonMessage *message = beckon_reply_get_message (reply);
  GPtrArray *list = beckon_reply_get_calls (reply);
  GPtrArray *requests = g_ptr_array_new_with_free_func (g_object_unref);
  guint first = beckon_message_get_n_parts (message);

  for (guint i = 0; i < list->len; i++)
    {
      BeckonToolCall *call = g_ptr_array_index (list, i);
      g_auto (BeckonCallDecision) decision = { 0 };
      g_autoptr (BeckonPart) part = NULL;

      beckon_call_decide (calls, message, call, &decision);
      part = beckon_part_new_call (call);
      beckon_batch_add_part (batch, beckon_run_scope_get_id (scope), beckon_message_get_id (message), first + i, part);
      beckon_call_write_decision (scope, call, &decision, batch, requests);
    }
  return requests;
}

GPtrArray *
beckon_call_steps_store (BeckonCallBatch *calls, BeckonReply *reply, BeckonBatch *batch)
{
  const BeckonRunScope *scope = beckon_call_batch_get_scope (calls);
  BeckonMessage *message = beckon_reply_get_message (reply);

  if (!beckon_reply_has_output (reply))
    beckon_message_set_seq (message, beckon_conversation_get_next_seq (scope->conversation));
  beckon_message_set_status (message, BECKON_MESSAGE_COMPLETE);
  beckon_reply_mark (reply);
  beckon_reply_flush (reply, batch, beckon_run_scope_get_id (scope));
  beckon_batch_set_message (batch, message);
  beckon_call_batch_set_message (calls, message);
  return call_steps_plan (calls, reply, batch);
}

void
beckon_call_steps_show (BeckonCallBatch *calls, GPtrArray *list, GPtrArray *requests)
{
  for (guint i = 0; i < list->len; i++)
    {
      g_autoptr (BeckonPart) part = beckon_part_new_call (g_ptr_array_index (list, i));

      beckon_message_add_part (beckon_call_batch_get_message (calls), part);
    }
  for (guint i = 0; i < requests->len; i++)
    beckon_inbox_add (beckon_call_batch_get_scope (calls)->parts.inbox, g_ptr_array_index (requests, i));
}

struct _BeckonCallStanding
{
  GPtrArray *startable;
  BeckonToolCall *due;   /* (nullable): a proposed one that is to be decided, now that none before it is in its way */
  GPtrArray *returned;   /* to the model, because one before them was refused */
  GPtrArray *looks;      /* whose tool is to look, or looks, what became of them */
  GPtrArray *lands;      /* whose changes are decided, or are being landed */
  guint waiting;
  guint running;
  gboolean asking;       /* a question of this batch is open */
  BeckonToolCall *plan;  /* (nullable): one that is open, and stands before the call that is looked at */
  gboolean open;         /* another one is */
  gboolean changing;     /* one that changes something is */
  gboolean refused;      /* one that was to change something, or what it changed, was refused */
  BeckonToolCall *advancing; /* (nullable): one whose next step can begin */
  BeckonToolCall *first; /* to be named in the state line */
};

static gboolean
is_open_question (BeckonToolCall *call)
{
  BeckonRequest *request = BECKON_REQUEST (beckon_tool_call_get_request (call));

  return beckon_tool_call_get_state (call) == BECKON_CALL_AWAITING && request != NULL &&
         BECKON_IS_QUESTION_REQUEST (request);
}

static gboolean
is_open_plan (BeckonToolCall *call)
{
  BeckonRequest *request = BECKON_REQUEST (beckon_tool_call_get_request (call));

  return !beckon_call_state_is_final (beckon_tool_call_get_state (call)) && request != NULL &&
         BECKON_IS_PLAN_REQUEST (request);
}

static void
classify_started (BeckonCallStanding *standing, BeckonToolCall *call)
{
  const BeckonCallExecutor *executor = beckon_call_find_executor (call);

  if (executor->advance != NULL)
    {
      if (standing->advancing == NULL && executor->can_advance (call))
        standing->advancing = call;
      return;
    }
  if (beckon_call_waits_to_land (call))
    {
      standing->waiting++;
      return;
    }
  if (beckon_call_has_landing (call))
    g_ptr_array_add (standing->lands, g_object_ref (call));
  standing->running++;
  standing->first = call;
}

/* The order of the reply is the order of the world: a reading call sees every change that stands before it, and a changing one
 * changes nothing that a call before it is still to see. It waits for every question of its batch as well. A plan is open for
 * as long as one of its steps is, which alone don't wait for it. */
static gboolean
standing_can_start (const BeckonCallStanding *standing, BeckonToolCall *call)
{
  if (standing->plan != NULL && beckon_tool_call_get_planned_by (call) != standing->plan)
    return FALSE;
  return beckon_tool_call_get_read_only (call) ? !standing->changing : !standing->open && !standing->asking;
}

/* A plan has its own ways with a step that failed, and a server with a form that was not filled in. */
static gboolean
is_refused (BeckonToolCall *call)
{
  BeckonRequest *request = BECKON_REQUEST (beckon_tool_call_get_request (call));

  if (beckon_tool_call_get_read_only (call) || beckon_tool_call_get_planned_by (call) != NULL)
    return FALSE;
  return beckon_judgement_was_refusal (beckon_tool_call_get_result (call))
         || (request != NULL && !BECKON_IS_FORM_REQUEST (request)
             && beckon_request_get_state (request) == BECKON_REQUEST_DECLINED);
}

/* A commit after a refused edit would be made without it. A person who let the commit run has seen the refusal. */
static gboolean
standing_returns (const BeckonCallStanding *standing, BeckonCallBatch *calls, BeckonToolCall *call)
{
  const BeckonCallSurvey *survey = standing->refused ? beckon_call_batch_get_survey (calls, call) : NULL;

  return standing->refused && !beckon_tool_call_get_read_only (call)
         && (survey == NULL || !beckon_call_survey_get_effects (survey)->read_only)
         && !beckon_call_is_decided_by_person (call) && beckon_tool_call_get_planned_by (call) == NULL
         && beckon_call_find_executor (call)->advance == NULL;
}

static void
standing_pass (BeckonCallStanding *standing, BeckonToolCall *call)
{
  BeckonCallState state = beckon_tool_call_get_state (call);

  standing->refused = standing->refused || is_refused (call);
  if (beckon_call_state_is_final (state))
    return;
  if (is_open_plan (call))
    {
      standing->plan = standing->plan != NULL ? standing->plan : call;
      return;
    }
  standing->open = TRUE;
  standing->changing = standing->changing || !beckon_tool_call_get_read_only (call);
}

static void
classify_call (BeckonCallStanding *standing, BeckonCallBatch *calls, BeckonToolCall *call)
{
  switch (beckon_tool_call_get_state (call))
    {
    case BECKON_CALL_AWAITING:
      standing->waiting++;
      break;
    case BECKON_CALL_UNKNOWN:
      if (!beckon_call_is_to_verify (call))
        {
          standing->waiting++;
          break;
        }
      g_ptr_array_add (standing->looks, g_object_ref (call));
      standing->first = call;
      break;
    case BECKON_CALL_STARTED:
      classify_started (standing, call);
      break;
    case BECKON_CALL_DECIDED:
      if (!standing_can_start (standing, call))
        break;
      g_ptr_array_add (standing_returns (standing, calls, call) ? standing->returned : standing->startable,
                       g_object_ref (call));
      standing->first = call;
      break;
    case BECKON_CALL_PROPOSED:
      if (standing->due == NULL && (standing_can_start (standing, call) || beckon_call_may_be_asked (calls, call)))
        standing->due = standing->first = call;
      break;
    case BECKON_CALL_DONE:
    case BECKON_CALL_CANCELLED:
    default:
      break;
    }
}

static void
classify_calls (BeckonCallBatch *owner, BeckonCallStanding *standing)
{
  g_autoptr (GPtrArray) calls = beckon_call_batch_list (owner);

  for (guint i = 0; i < calls->len; i++)
    standing->asking = standing->asking || is_open_question (g_ptr_array_index (calls, i));
  for (guint i = 0; i < calls->len; i++)
    {
      classify_call (standing, owner, g_ptr_array_index (calls, i));
      standing_pass (standing, g_ptr_array_index (calls, i));
    }
}

BeckonCallStanding *
beckon_call_standing_new (BeckonCallBatch *calls)
{
  BeckonCallStanding *self = g_new0 (BeckonCallStanding, 1);

  self->startable = g_ptr_array_new_with_free_func (g_object_unref);
  self->returned = g_ptr_array_new_with_free_func (g_object_unref);
  self->looks = g_ptr_array_new_with_free_func (g_object_unref);
  self->lands = g_ptr_array_new_with_free_func (g_object_unref);
  classify_calls (calls, self);
  return self;
}

void
beckon_call_standing_free (BeckonCallStanding *self)
{
  g_ptr_array_unref (self->startable);
  g_ptr_array_unref (self->returned);
  g_ptr_array_unref (self->looks);
  g_ptr_array_unref (self->lands);
  g_free (self);
}

BeckonCallsStand
beckon_call_standing_get_stand (const BeckonCallStanding *self)
{
  if (self->due != NULL || self->advancing != NULL || self->startable->len > 0 || self->returned->len > 0
      || self->looks->len > 0 || self->running > 0)
    return BECKON_CALLS_WORK;
  return self->waiting > 0 ? BECKON_CALLS_WAIT : BECKON_CALLS_DONE;
}

const char *
beckon_call_standing_get_tool (const BeckonCallStanding *self)
{
  BeckonToolCall *call = self->advancing != NULL ? self->advancing : self->first;

  return call != NULL ? beckon_tool_call_get_name (call) : NULL;
}

/* --- The start ----------------------------------------------------------------------------------------------------- */

/* The one place where a tool starts takes calls that were decided, surveys them and the files
 * that an approval is bound to, then asks policy once more, and stores the start with the decision that it takes before
 * anything runs. */

/* Calls to start, and requests to ask instead. */
typedef struct
{
  GPtrArray *calls;    /* (element-type BeckonToolCall) */
  GPtrArray *requests; /* (element-type BeckonRequest) */
} Starting;

static void
starting_free (gpointer data)
{
  Starting *starting = data;

  g_ptr_array_unref (starting->calls);
  g_ptr_array_unref (starting->requests);
  g_free (starting);
}

static void
run_tools (BeckonCallBatch *calls, gpointer user_data)
{
  const BeckonRunScope *scope = beckon_call_batch_get_scope (calls);
  Starting *starting = user_data;

  for (guint i = 0; i < starting->requests->len; i++)
    beckon_inbox_add (scope->parts.inbox, g_ptr_array_index (starting->requests, i));
  for (guint i = 0; i < starting->calls->len; i++)
    {
      BeckonToolCall *call = g_ptr_array_index (starting->calls, i);
      const BeckonCallExecutor *executor = beckon_call_find_executor (call);

      /* A stop that came while the start was being written: it has not begun, so it is not begun. */
      if (beckon_call_batch_is_stopping (calls))
        beckon_tool_call_set_times (call, 0, 0);
      else if (executor->begin != NULL)
        executor->begin (calls, call);
    }
}

/* Takes the decision by which the call starts; without one the store refuses all of it. */
static void
write_start (const BeckonRunScope *scope, BeckonToolCall *call, gint64 now, BeckonBatch *batch)
{
  g_autofree char *permit_id = g_strdup (beckon_call_find_permit (call));
  g_autofree char *digest = beckon_tool_call_dup_digest (call);

  beckon_tool_call_apply (call, BECKON_CALL_EVENT_STARTED);
  beckon_tool_call_set_times (call, now, 0);
  beckon_batch_use_permit (batch, permit_id != NULL ? permit_id : "", beckon_tool_call_get_id (call), digest, now);
  beckon_batch_set_call (batch, call, BECKON_CALL_DECIDED);
  beckon_call_log_start (scope, call, permit_id, batch);
}

/* The last look is policy's, so that nothing can have changed between it and the start. */
static void
start_surveyed (BeckonCallBatch *calls, gpointer user_data)
{
  const BeckonRunScope *scope = beckon_call_batch_get_scope (calls);
  g_autoptr (GPtrArray) list = user_data;
  Starting *starting = g_new0 (Starting, 1);
  gboolean changes = FALSE;
  gint64 now = beckon_run_scope_now (scope);
  BeckonBatch *batch;

  starting->calls = g_ptr_array_new_with_free_func (g_object_unref);
  starting->requests = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; i < list->len; i++)
    changes = changes || !beckon_tool_call_get_read_only (g_ptr_array_index (list, i));
  batch = beckon_batch_new (changes ? BECKON_DURABILITY_FULL : BECKON_DURABILITY_NORMAL);
  for (guint i = 0; i < list->len; i++)
    {
      BeckonToolCall *call = g_ptr_array_index (list, i);
      g_auto (BeckonCallDecision) decision = { 0 };

      if (beckon_call_confirm (calls, call, &decision))
        {
          write_start (scope, call, now, batch);
          g_ptr_array_add (starting->calls, g_object_ref (call));
          continue;
        }
      beckon_batch_set_call (batch, call, BECKON_CALL_DECIDED);
      beckon_call_write_decision (scope, call, &decision, batch, starting->requests);
    }
  beckon_call_batch_commit (calls, batch, run_tools, starting, starting_free);
}

static void
call_start_all (BeckonCallBatch *calls, GPtrArray *list)
{
  g_autoptr (GPtrArray) startable = g_ptr_array_copy (list, (GCopyFunc) (GCallback) g_object_ref, NULL);

  g_ptr_array_set_free_func (startable, g_object_unref);
  beckon_call_batch_survey (calls, list, TRUE, start_surveyed, g_ptr_array_ref (startable), (GDestroyNotify) g_ptr_array_unref);
}

/* --- Carrying on --------------------------------------------------------------------------------------------------- */

static void
return_all (BeckonCallBatch *calls, GPtrArray *returned)
{
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);

  for (guint i = 0; i < returned->len; i++)
    {
      beckon_tool_call_set_reason (g_ptr_array_index (returned, i), _("It was not run, because a call before it was refused."));
      beckon_call_refuse (g_ptr_array_index (returned, i),
                          "Not run, and nothing was changed: a call before it in the same reply was refused. Send it again if "
                          "it still makes sense.");
      beckon_batch_set_call (batch, g_ptr_array_index (returned, i), BECKON_CALL_DECIDED);
    }
  beckon_call_batch_commit (calls, batch, NULL, NULL, NULL);
}

static void
store_due (BeckonCallBatch *calls, gpointer user_data)
{
  BeckonToolCall *call = user_data;
  GPtrArray *requests = g_ptr_array_new_with_free_func (g_object_unref);
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_FULL);
  g_auto (BeckonCallDecision) decision = { 0 };

  beckon_call_decide (calls, beckon_call_batch_get_message (calls), call, &decision);
  beckon_batch_set_call (batch, call, BECKON_CALL_PROPOSED);
  beckon_call_write_decision (beckon_call_batch_get_scope (calls), call, &decision, batch, requests);
  beckon_call_batch_commit (calls, batch, beckon_call_recovery_show, requests, (GDestroyNotify) g_ptr_array_unref);
  g_object_unref (call);
}

/* A call that lacked something, such as a file, may have it now, and what it works on may be something else. */
static void
decide_due (BeckonCallBatch *calls, BeckonToolCall *call)
{
  g_autoptr (GPtrArray) list = g_ptr_array_new ();

  g_ptr_array_add (list, call);
  beckon_call_batch_forget_survey (calls, call);
  beckon_call_batch_survey (calls, list, FALSE, store_due, g_object_ref (call), g_object_unref);
}

void
beckon_call_standing_carry_on (const BeckonCallStanding *self, BeckonCallBatch *calls)
{
  if (self->returned->len > 0)
    {
      return_all (calls, self->returned);
      return;
    }
  if (self->due != NULL)
    {
      decide_due (calls, self->due);
      return;
    }
  if (self->advancing != NULL)
    {
      beckon_call_find_executor (self->advancing)->advance (calls, self->advancing);
      return;
    }
  for (guint i = 0; i < self->looks->len; i++)
    beckon_call_verify (calls, g_ptr_array_index (self->looks, i));
  for (guint i = 0; i < self->lands->len; i++)
    beckon_call_land (calls, g_ptr_array_index (self->lands, i));
  if (self->startable->len > 0)
    call_start_all (calls, self->startable);
}

/* The settlement's effect on the call is stored already; here it is followed. */
static void
follow_settlement (BeckonToolCall *call, const BeckonSettlement *settlement)
{
  if (settlement->result != NULL)
    beckon_tool_call_set_result (call, settlement->result, settlement->is_error);
  beckon_plan_step_follow (call, settlement);
  if (settlement->arguments != NULL)
    beckon_tool_call_set_edited_arguments (call, settlement->arguments);
  /* The person's decision holds now, and no earlier one of policy's. */
  beckon_tool_call_set_permit_id (call, NULL);
  beckon_tool_call_apply (call, settlement->call_event);
}

/* A call that was asked again waits for the last of its requests; the end of an earlier one may be heard of late. */
static gboolean
waits_for (BeckonToolCall *call, BeckonRequest *request)
{
  BeckonRequest *awaited = BECKON_REQUEST (beckon_tool_call_get_request (call));

  return awaited != NULL && g_strcmp0 (beckon_request_get_id (awaited), beckon_request_get_id (request)) == 0;
}

static gboolean
call_steps_is_open (BeckonToolCall *call)
{
  return beckon_tool_call_get_state (call) == BECKON_CALL_AWAITING ||
         beckon_tool_call_get_state (call) == BECKON_CALL_UNKNOWN || beckon_call_has_landing (call);
}

/* A request of this conversation was settled, by anybody. One that ended without an answer went with its conversation. */
void
beckon_call_steps_settled (BeckonCallBatch *calls, BeckonRequest *request, const BeckonSettlement *settlement)
{
  const BeckonRunScope *scope = beckon_call_batch_get_scope (calls);
  const char *call_id = beckon_request_get_call_id (request);
  BeckonToolCall *call = call_id != NULL ? beckon_conversation_find_call (scope->conversation, call_id) : NULL;

  /* Calls of questions that are not waited for are done. */
  if (call == NULL || !waits_for (call, request) || beckon_request_is_late (request))
    return;
  if (call_steps_is_open (call))
    follow_settlement (call, settlement);
  if (settlement->given == NULL)
    beckon_call_batch_stop (calls);
  /* Its call may have followed already, when the messages were read again. */
  else if (beckon_call_batch_get_message (calls) != NULL && beckon_call_is_dismissed_by (scope, request)
           && g_strcmp0 (beckon_request_get_message_id (request), beckon_call_batch_get_message_id (calls)) == 0)
    beckon_call_batch_dismiss (calls);
}

/* --- Rules that are newer than a card ------------------------------------------------------------------------------ */

/* A card that a rule decides. */
typedef struct
{
  BeckonCallBatch *calls;     /* (owned) */
  BeckonToolCall *call;       /* (owned) */
  BeckonJudgement *judgement; /* (owned) */
} Ruling;

static void
ruling_free (Ruling *ruling)
{
  beckon_call_batch_unref (ruling->calls);
  g_object_unref (ruling->call);
  beckon_judgement_free (ruling->judgement);
  g_free (ruling);
}

/* Another front end may have been first. */
static void
on_ruled (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Ruling *ruling = user_data;
  const BeckonRunScope *scope = beckon_call_batch_get_scope (ruling->calls);
  g_autoptr (GError) error = NULL;

  if (beckon_inbox_settle_finish (BECKON_INBOX (source), result, &error) && ruling->judgement != NULL)
    {
      BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);

      beckon_call_log_judgement (scope, ruling->call, ruling->judgement, NULL, batch);
      beckon_batch_keep (batch);
      beckon_store_commit_async (scope->parts.store, batch, NULL, NULL, NULL);
    }
  ruling_free (ruling);
}

static gboolean
is_untouched (BeckonRequest *request)
{
  const char *draft = beckon_request_get_draft (request);

  return draft == NULL || *draft == '\0';
}

/* (nullable) (transfer none): the approval that @call waits for, if nobody has begun to answer it. */
static BeckonRequest *
find_untouched_approval (BeckonToolCall *call)
{
  BeckonRequest *request = BECKON_REQUEST (beckon_tool_call_get_request (call));

  return beckon_tool_call_get_state (call) == BECKON_CALL_AWAITING && request != NULL && BECKON_IS_APPROVAL_REQUEST (request)
             && beckon_request_get_state (request) == BECKON_REQUEST_PENDING && is_untouched (request)
           ? request
           : NULL;
}

static gboolean
is_by_rule (const BeckonJudgement *judgement)
{
  gboolean is = judgement->rule != NULL;

  for (guint i = 0; !is && judgement->commands != NULL && i < judgement->commands->len; i++)
    is = ((const BeckonJudgedCommand *) g_ptr_array_index (judgement->commands, i))->rule != NULL;
  return is;
}

/* @judgement: (nullable) (transfer full): of a call that has not run. @answer: (transfer full). */
static void
answer_by_rule (BeckonCallBatch *calls, BeckonToolCall *call, BeckonJudgement *judgement, BeckonAnswer *answer)
{
  BeckonRequest *request = BECKON_REQUEST (beckon_tool_call_get_request (call));
  Ruling *ruling = g_new0 (Ruling, 1);

  ruling->calls = beckon_call_batch_ref (calls);
  ruling->call = g_object_ref (call);
  ruling->judgement = judgement;
  beckon_inbox_settle_async (beckon_call_batch_get_scope (calls)->parts.inbox, beckon_request_get_id (request), answer,
                             BECKON_FRONT_END_RULE, NULL, NULL, on_ruled, ruling);
  beckon_answer_unref (answer);
}

/* Changes that wait are saved once rules let all of them through. */
static void
rule_on_changes (BeckonCallBatch *calls, BeckonToolCall *call)
{
  BeckonAnswer *answer = beckon_call_waits_to_land (call) && is_untouched (BECKON_REQUEST (beckon_tool_call_get_request (call)))
                           ? beckon_call_landing_follow_rules (calls, call) : NULL;

  if (answer != NULL)
    answer_by_rule (calls, call, NULL, answer);
}

static void
rule_on_all (BeckonCallBatch *calls, gpointer data)
{
  g_autoptr (GPtrArray) list = beckon_call_batch_list (calls);

  for (guint i = 0; i < list->len; i++)
    {
      BeckonToolCall *call = g_ptr_array_index (list, i);
      BeckonRequest *request = find_untouched_approval (call);
      const BeckonCallSurvey *survey = request != NULL ? beckon_call_batch_get_survey (calls, call) : NULL;
      g_autoptr (BeckonJudgement) judgement
        = survey != NULL && beckon_tool_call_get_fault (call) == NULL ? beckon_call_judge_whole (calls, call, survey) : NULL;
      BeckonAnswer *answer;

      rule_on_changes (calls, call);
      if (judgement == NULL || judgement->verdict == BECKON_VERDICT_ASK || !is_by_rule (judgement))
        continue;
      answer = beckon_answer_new (judgement->verdict == BECKON_VERDICT_ALLOW ? BECKON_ANSWER_APPROVED : BECKON_ANSWER_DECLINED,
                                  NULL);
      answer_by_rule (calls, call, g_steal_pointer (&judgement), answer);
    }
  beckon_call_batch_step (calls);
}

void
beckon_call_steps_follow_rules (BeckonCallBatch *calls)
{
  g_autoptr (GPtrArray) waiting = g_ptr_array_new ();
  g_autoptr (GPtrArray) list = beckon_call_batch_list (calls);

  for (guint i = 0; i < list->len; i++)
    if (find_untouched_approval (g_ptr_array_index (list, i)) != NULL)
      g_ptr_array_add (waiting, g_ptr_array_index (list, i));
  beckon_call_batch_survey (calls, waiting, FALSE, rule_on_all, NULL, NULL);
}
