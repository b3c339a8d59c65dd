/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-run-private.h"

#include "beckon-landing-report.h"
#include "request/beckon-approval-request.h"
#include "request/beckon-outcome-request.h"

#include <glib/gi18n-lib.h>

/*
 * Recovery of the calls of a run whose process is gone: by the table, no call with effects runs by itself.
 */

/* A call that the person had approved, of which it is certain that it has not started. The card has all that the first one
 * had. */
static BeckonRequest *
ask_about_decided (BeckonRun *run, BeckonToolCall *call)
{
  BeckonToolContext context = beckon_run_make_context (run, beckon_call_batch_get_message (run->calls), call);
  const BeckonCallSurvey *survey = beckon_call_batch_get_survey (run->calls, call);
  const char *reason = _ ("It was decided, but had not started when the program ended. Run it?");
  g_autoptr (BeckonJudgement) judgement = NULL;
  BeckonRequest *request;

  if (survey != NULL)
    {
      judgement = beckon_run_judge (run, beckon_call_survey_get_effects (survey));
      return beckon_run_ask_approval (run, &context, survey, judgement, reason);
    }
  request = beckon_approval_request_new (NULL, context.conversation_id, context.message_id, beckon_tool_call_get_id (call),
                                         beckon_tool_call_get_name (call), context.arguments, reason, context.now);
  beckon_request_set_redacted (request, beckon_tool_call_get_redacted (call));
  beckon_run_mark_step (call, request);
  return request;
}

/* The arguments that ran are asked about, so that the very same run again. */
BeckonRequest *
beckon_run_make_request_anew (BeckonRun *run, BeckonToolCall *call)
{
  BeckonTool *tool = beckon_tool_registry_lookup (run->parts.tools, beckon_tool_call_get_name (call));
  BeckonRequest *request;

  if (beckon_tool_call_get_state (call) != BECKON_CALL_UNKNOWN)
    return ask_about_decided (run, call);
  request = beckon_outcome_request_new (NULL, run->record->conversation_id, beckon_call_batch_get_message_id (run->calls),
                                        beckon_tool_call_get_id (call), beckon_tool_call_get_name (call),
                                        beckon_tool_call_get_effective_arguments (call),
                                        beckon_tool_call_get_started_at (call), beckon_run_now (run));
  /* The tool would have to know values that were hidden from it. */
  beckon_request_set_can_verify (request, tool != NULL && beckon_tool_can_verify (tool) && !beckon_run_names_secret (call));
  beckon_request_set_redacted (request, beckon_tool_call_get_redacted (call));
  beckon_run_mark_step (call, request);
  return request;
}

static void
add_request (BeckonToolCall *call, BeckonRequest *request, BeckonBatch *batch, GPtrArray *requests)
{
  beckon_tool_call_set_request (call, G_OBJECT (request));
  beckon_batch_add_request (batch, request);
  g_ptr_array_add (requests, request);
}

static gboolean
is_still_allowed (BeckonRun *run, BeckonToolCall *call)
{
  const BeckonCallSurvey *survey = beckon_call_batch_get_survey (run->calls, call);
  g_autoptr (BeckonJudgement) judgement = NULL;

  /* Policy can't allow what a person decided: see is_handed_over(). */
  if (survey == NULL || beckon_tool_call_get_request (call) != NULL)
    return FALSE;
  judgement = beckon_run_judge (run, beckon_call_survey_get_effects (survey));
  return judgement->verdict == BECKON_VERDICT_ALLOW;
}

/* Approved calls just run where the run changes hands: its driver released it, or the approval was given in this process, which
 * carries it out. Only where the driver died with it is the person asked again. */
static gboolean
is_handed_over (BeckonRun *run, BeckonToolCall *call)
{
  BeckonRequest *request = BECKON_REQUEST (beckon_tool_call_get_request (call));

  return beckon_tool_call_get_state (call) == BECKON_CALL_DECIDED && beckon_run_is_decided_by_person (call)
         && (run->record->left_by == NULL
             || beckon_inbox_was_settled_here (run->parts.inbox, beckon_request_get_id (request)));
}

/* The inbox may have been read before this was asked, and would not notice that it ends. */
static void
watch_request (BeckonRun *run, BeckonToolCall *call)
{
  GObject *request = beckon_tool_call_get_request (call);

  if (request != NULL)
    beckon_inbox_add (run->parts.inbox, BECKON_REQUEST (request));
}

/* An undecided call is decided as if it had just come. */
static void
inherit_proposed (BeckonRun *run, BeckonToolCall *call, BeckonBatch *batch, GPtrArray *requests)
{
  g_auto (BeckonRunDecision) decision = { 0 };

  beckon_run_decide_call (run, beckon_call_batch_get_message (run->calls), call, &decision);
  beckon_batch_set_call (batch, call, BECKON_CALL_PROPOSED);
  beckon_run_write_decision (run, call, &decision, batch, requests);
}

static gboolean
is_asked (BeckonToolCall *call)
{
  BeckonRequest *request = BECKON_REQUEST (beckon_tool_call_get_request (call));

  return request != NULL && beckon_request_get_state (request) == BECKON_REQUEST_PENDING;
}

/* The network may have seen what it did. */
static gboolean
reaches_out (BeckonRun *run, BeckonToolCall *call)
{
  const BeckonCallSurvey *survey = beckon_call_batch_get_survey (run->calls, call);

  return survey == NULL || beckon_call_survey_get_effects (survey)->uses_network;
}

/* A command that was running on a view of the folder has changed nothing there, so that there is nothing to ask. */
static void
end_without_effect (BeckonRun *run, BeckonToolCall *call, BeckonBatch *batch)
{
  gint64 now = beckon_run_now (run);
  g_autofree char *early = beckon_landing_report_early (call, !beckon_run_may_have_secrets (run, call));
  g_autofree char *report
    = g_strdup_printf ("The program ended while this command was running, and the command with it. %s in the folder. Run it "
                       "again if it is still wanted.%s",
                       *early != '\0' ? "Not all that it changed is" : "Nothing that it changed is", early);

  beckon_tool_call_set_times (call, beckon_tool_call_get_started_at (call), now);
  beckon_tool_call_set_result (call, report, TRUE);
  beckon_tool_call_apply (call, BECKON_CALL_EVENT_RESULT);
  beckon_batch_set_call (batch, call, BECKON_CALL_STARTED);
  beckon_batch_add_provenance (batch, run->record->conversation_id, beckon_tool_call_get_id (call), "failed", NULL, now);
}

static gboolean
was_running_on_view (BeckonRun *run, BeckonToolCall *call)
{
  return beckon_tool_call_get_state (call) == BECKON_CALL_STARTED && !beckon_tool_call_get_read_only (call)
         && beckon_run_find_executor (call)->advance == NULL && beckon_run_ran_on_view (call) && !reaches_out (run, call);
}

static void
inherit_landing (BeckonRun *run, BeckonToolCall *call, BeckonBatch *batch, GPtrArray *requests)
{
  BeckonRequest *request = beckon_run_recover_landing (run, call, batch);

  if (request != NULL)
    g_ptr_array_add (requests, request);
  else
    watch_request (run, call);
}

static void
inherit_open_call (BeckonRun *run, BeckonToolCall *call, BeckonBatch *batch, GPtrArray *requests)
{
  BeckonCallState before = beckon_tool_call_get_state (call);
  gboolean handed_over = is_handed_over (run, call);
  gboolean again = before == BECKON_CALL_STARTED ? beckon_tool_call_get_read_only (call) : is_still_allowed (run, call);
  BeckonCallState after;

  again = again || handed_over || beckon_run_find_executor (call)->advance != NULL;
  after = beckon_tool_call_apply (call, again ? BECKON_CALL_EVENT_HOLDER_DIED_ALLOWED : BECKON_CALL_EVENT_HOLDER_DIED);
  if (after == BECKON_CALL_PROPOSED)
    {
      inherit_proposed (run, call, batch, requests);
      return;
    }
  if (after != before)
    beckon_batch_set_call (batch, call, before);
  /* The earlier permit may be used up, and its id isn't known here. */
  if (after == BECKON_CALL_DECIDED && !handed_over)
    {
      beckon_run_permit_call (call);
      beckon_run_write_permit (run, call, batch);
    }
  /* An unknown one without a question is one that the tool was to look at when the program ended. */
  if ((after == BECKON_CALL_UNKNOWN && !is_asked (call)) || (after == BECKON_CALL_AWAITING && after != before))
    add_request (call, beckon_run_make_request_anew (run, call), batch, requests);
  else if (after == before)
    watch_request (run, call);
}

static void
inherit_call (BeckonRun *run, BeckonToolCall *call, BeckonBatch *batch, GPtrArray *requests)
{
  beckon_run_drop_early (run, call, batch);
  if (beckon_run_has_landing (call))
    inherit_landing (run, call, batch, requests);
  else if (was_running_on_view (run, call))
    end_without_effect (run, call, batch);
  else
    inherit_open_call (run, call, batch, requests);
}

/* A question that was dismissed while nobody drove the run ends it all the same. A queued run is a later one, which goes on
 * after that. */
static gboolean
was_dismissed (BeckonRun *run, BeckonToolCall *call)
{
  BeckonRequest *request = BECKON_REQUEST (beckon_tool_call_get_request (call));

  return run->record->phase != BECKON_RUN_QUEUED && request != NULL && beckon_run_is_dismissed_by (run, request);
}

/**
 * beckon_inheritance_new: (skip)
 * @run: a run that was taken over
 * @batch: (transfer full): where it is stored
 *
 * Finds out what there is to inherit. What a running tool asked goes.
 *
 * Returns: (transfer full): the calls, to be looked at
 */
BeckonInheritance *
beckon_inheritance_new (BeckonRun *run, BeckonBatch *batch)
{
  g_autoptr (GPtrArray) calls = beckon_call_batch_list (run->calls);
  BeckonInheritance *self = g_new0 (BeckonInheritance, 1);

  self->batch = batch;
  self->calls = g_ptr_array_new_with_free_func (g_object_unref);
  self->states = g_array_new (FALSE, FALSE, sizeof (BeckonCallState));
  if (beckon_call_batch_get_message (run->calls) != NULL)
    beckon_run_cancel_prompts (run);
  for (guint i = 0; i < calls->len; i++)
    {
      BeckonCallState state = beckon_tool_call_get_state (g_ptr_array_index (calls, i));

      g_ptr_array_add (self->calls, g_object_ref (g_ptr_array_index (calls, i)));
      g_array_append_val (self->states, state);
    }
  return self;
}

void
beckon_inheritance_free (BeckonInheritance *self)
{
  g_clear_pointer (&self->batch, beckon_batch_free);
  g_ptr_array_unref (self->calls);
  g_array_unref (self->states);
  g_free (self);
}

/** Decides what becomes of those calls. One that was answered while they were looked at goes the way of every answer. */
void
beckon_run_recover_calls (BeckonRun *run, const BeckonInheritance *inheritance, BeckonBatch *batch, GPtrArray *requests)
{
  for (guint i = 0; i < inheritance->calls->len; i++)
    {
      BeckonToolCall *call = g_ptr_array_index (inheritance->calls, i);

      if (beckon_tool_call_get_state (call) != g_array_index (inheritance->states, BeckonCallState, i))
        continue;
      if (!beckon_call_state_is_final (beckon_tool_call_get_state (call)))
        inherit_call (run, call, batch, requests);
      else if (was_dismissed (run, call))
        beckon_run_dismiss (run);
    }
}
