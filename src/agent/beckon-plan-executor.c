/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-call-decision.h"
#include "beckon-call-executor.h"
#include "beckon-call-stop.h"
#include "beckon-plan-stamps.h"

#include "base/beckon-error.h"
#include "domain/beckon-plan-reference.h"
#include "domain/beckon-plan-report.h"
#include "form/beckon-plan-parameters.h"
#include "request/beckon-plan-request.h"
#include "tools/beckon-propose-plan.h"

/*
 * A plan that was accepted is carried out by its call, which counts as started until the plan is over. Each step becomes a
 * call of its own when it is its turn: its references are resolved, and from there on it goes the way of every call, through
 * the decision and, where policy or the plan's pauses say so, its person. Where the plan stands follows from those
 * calls, so that after any end of the program the same rules that hold for calls hold for steps, and what is completed is
 * never run again.
 */

/* How it ended. */

typedef struct
{
  const char *status;
  char *message;
} End;

static void
end_clear (End *end)
{
  g_free (end->message);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (End, end_clear)

/* The person's words, where a step is what they said them to. */
static const char *
get_wish (BeckonToolCall *call, gboolean *replans)
{
  for (guint i = 0; i < beckon_tool_call_get_n_steps (call); i++)
    {
      BeckonToolCall *step = beckon_tool_call_get_step (call, i);
      BeckonRequest *request = BECKON_REQUEST (beckon_tool_call_get_request (step));
      BeckonAnswer *answer = request != NULL ? beckon_request_get_answer (request) : NULL;

      if (beckon_tool_call_get_step_outcome (step) != BECKON_STEP_OUTCOME_REPLAN)
        continue;
      *replans = TRUE;
      return answer != NULL ? answer->text : NULL;
    }
  *replans = FALSE;
  return NULL;
}

static const BeckonPlanStep *
find_failed (const BeckonPlan *plan)
{
  for (guint i = 0; i < beckon_plan_get_n_steps (plan); i++)
    if (beckon_plan_get_step (plan, i)->status == BECKON_STEP_FAILED)
      return beckon_plan_get_step (plan, i);
  return NULL;
}

#define OLDER_WORDS "beckon-older-words" /* of a call: the ids of messages that were sent before its plan began */

/* A message that the person has sent meanwhile is about the next steps. Those that they sent before they accepted the
 * plan are not, and follow its result. */
static gboolean
plan_executor_has_words (const BeckonRunScope *scope, BeckonToolCall *call)
{
  GListModel *queue = G_LIST_MODEL (beckon_conversation_get_queue (scope->conversation));
  const gboolean is_begin = beckon_tool_call_get_n_steps (call) == 0;
  GHashTable *older = g_object_get_data (G_OBJECT (call), OLDER_WORDS);

  if (is_begin)
    {
      older = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
      g_object_set_data_full (G_OBJECT (call), OLDER_WORDS, older, (GDestroyNotify) g_hash_table_unref);
    }
  for (guint i = 0; i < g_list_model_get_n_items (queue); i++)
    {
      g_autoptr (BeckonQueueItem) item = g_list_model_get_item (queue, i);

      if (!beckon_queue_item_get_sends_now (item))
        continue;
      if (is_begin)
        g_hash_table_add (older, g_strdup (beckon_queue_item_get_id (item)));
      else if (older == NULL || !g_hash_table_contains (older, beckon_queue_item_get_id (item)))
        return TRUE;
    }
  return FALSE;
}

static gboolean
plan_executor_is_over (const BeckonRunScope *scope, BeckonToolCall *call, End *end)
{
  const BeckonPlan *plan = beckon_tool_call_get_plan (call);
  const BeckonPlanStep *failed = find_failed (plan);
  gboolean replans;
  const char *wish = get_wish (call, &replans);

  if (replans)
    {
      end->status = "replan";
      end->message = g_strconcat ("The user asks for another plan for what is left; propose one.",
                                  wish != NULL ? " They said: " : NULL, wish, NULL);
      return TRUE;
    }
  if (failed != NULL && plan->on_failure != BECKON_ON_FAILURE_GO_ON)
    {
      gboolean replan = plan->on_failure == BECKON_ON_FAILURE_REPLAN;

      end->status = replan ? "replan" : "failed";
      end->message = g_strdup_printf ("Step \"%s\" failed, and what comes after it was not run.%s", failed->id,
                                      replan ? " Propose another plan for what is left." : "");
      return TRUE;
    }
  if (beckon_plan_get_current (plan) >= 0)
    {
      end->status = "replan";
      end->message = g_strdup ("The user sent a message while the plan ran, which ended the plan here. It follows: heed it, "
                               "and propose another plan for what is left of this one.");
      return plan_executor_has_words (scope, call);
    }
  end->status = failed != NULL ? "completed_with_failures" : "completed";
  return TRUE;
}

/* Changed arguments of steps are told before their results. */
static void
tell_changes (const BeckonRunScope *scope, BeckonToolCall *call, BeckonPlan *plan)
{
  for (guint i = 0; i < plan->steps->len; i++)
    {
      BeckonPlanStep *step = g_ptr_array_index (plan->steps, i);
      BeckonToolCall *made = beckon_tool_call_find_step (call, step->id);
      char *told = NULL;

      if (made != NULL && step->result != NULL && beckon_tool_call_get_started_at (made) > 0)
        told = beckon_call_tell_changes (scope, made, step->result);
      if (told == NULL)
        continue;
      g_free (step->result);
      step->result = told;
    }
}

static char *
make_report (const BeckonRunScope *scope, BeckonToolCall *call, const BeckonPlan *plan, const char *status, const char *message)
{
  g_autoptr (BeckonPlan) proposed
      = beckon_plan_parse (beckon_tool_call_get_arguments (call), BECKON_PLAN_FROM_MODEL, NULL);
  g_autoptr (BeckonPlan) told = beckon_plan_copy (plan);
  g_autoptr (BeckonPlanParameters) parameters = NULL;

  tell_changes (scope, call, told);
  if (beckon_tool_call_get_redacted (call) != NULL)
    {
      parameters = beckon_plan_parameters_read (beckon_tool_call_get_redacted (call));
      beckon_plan_parameters_tell (parameters, told, proposed);
    }
  return beckon_plan_report (told, proposed, status, message);
}

/* Its steps end with it: what they are told of the stop is told here, too. */
static char *
report_stopped (BeckonCallBatch *calls, BeckonToolCall *call)
{
  g_autoptr (BeckonPlan) plan = beckon_plan_copy (beckon_tool_call_get_plan (call));

  for (guint i = 0; i < plan->steps->len; i++)
    {
      BeckonPlanStep *step = g_ptr_array_index (plan->steps, i);
      BeckonToolCall *made = beckon_tool_call_find_step (call, step->id);
      gboolean ran = made != NULL && beckon_tool_call_get_started_at (made) > 0;

      if (step->status != BECKON_STEP_EXECUTING)
        continue;
      step->status = ran ? BECKON_STEP_FAILED : BECKON_STEP_PENDING;
      g_free (step->result);
      step->result = ran ? beckon_call_stop_describe (calls, made) : NULL;
    }
  return make_report (beckon_call_batch_get_scope (calls), call, plan, "stopped",
                      "The user stopped the run, and what is not completed was not run. If they continue without other words, "
                      "propose the steps that are left as a plan, with the results above in place of references.");
}

static void
store_end (BeckonCallBatch *calls, BeckonToolCall *call, const End *end)
{
  const BeckonRunScope *scope = beckon_call_batch_get_scope (calls);
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  gint64 now = beckon_run_scope_now (scope);
  g_autofree char *report = make_report (scope, call, beckon_tool_call_get_plan (call), end->status, end->message);

  beckon_tool_call_set_times (call, beckon_tool_call_get_started_at (call), now);
  for (guint i = 0; i < beckon_tool_call_get_n_steps (call); i++)
    beckon_tool_call_add_images_of (call, beckon_tool_call_get_step (call, i));
  beckon_tool_call_set_result (call, report, FALSE);
  beckon_tool_call_apply (call, BECKON_CALL_EVENT_RESULT);
  beckon_batch_keep (batch);
  beckon_batch_set_call (batch, call, BECKON_CALL_STARTED);
  beckon_batch_add_provenance (batch, beckon_run_scope_get_id (scope), beckon_tool_call_get_id (call), "finished", NULL, now);
  beckon_call_batch_commit (calls, batch, NULL, NULL, NULL);
}

/* The next step. */

typedef struct
{
  BeckonToolCall *planned;
  BeckonToolCall *step;
  GPtrArray *requests; /* BeckonRequest: one, or none */
} Begun;

static void
begun_free (Begun *begun)
{
  g_object_unref (begun->planned);
  g_object_unref (begun->step);
  g_ptr_array_unref (begun->requests);
  g_free (begun);
}

static void
show_step (BeckonCallBatch *calls, gpointer user_data)
{
  const BeckonRunScope *scope = beckon_call_batch_get_scope (calls);
  Begun *begun = user_data;

  beckon_tool_call_add_step (begun->planned, begun->step);
  for (guint i = 0; i < begun->requests->len; i++)
    beckon_inbox_add (scope->parts.inbox, g_ptr_array_index (begun->requests, i));
}

/* Resolved first, so that what is decided on, shown and run is the same. */
static BeckonToolCall *
make_step (BeckonToolCall *call, guint index)
{
  const BeckonPlan *plan = beckon_tool_call_get_plan (call);
  const BeckonPlanStep *step = beckon_plan_get_step (plan, index);
  g_auto (BeckonPlanFault) fault = { 0 };
  g_autofree char *arguments = beckon_plan_resolve (plan, index, &fault);
  BeckonToolCall *made
      = beckon_tool_call_new_step (NULL, call, step->id, step->tool, arguments != NULL ? arguments : step->arguments);

  if (arguments == NULL)
    {
      g_autofree char *words = beckon_plan_fault_to_words (&fault, FALSE);
      g_autofree char *reason = beckon_plan_fault_to_words (&fault, TRUE);

      /* Its person left out what it needs: that is no failure of its own. */
      if (fault.kind == BECKON_PLAN_FAULT_SKIPPED_STEP)
        beckon_tool_call_set_step_outcome (made, BECKON_STEP_OUTCOME_SKIPPED);
      beckon_tool_call_set_reason (made, reason);
      beckon_call_refuse (made, words);
    }
  else if (g_str_equal (step->tool, BECKON_PROPOSE_PLAN_NAME))
    beckon_call_refuse (made, "A plan cannot be a step of a plan.");
  return made;
}

static void
store_step (BeckonCallBatch *calls, gpointer user_data)
{
  const BeckonRunScope *scope = beckon_call_batch_get_scope (calls);
  Begun *begun = user_data;
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_FULL);
  g_auto (BeckonCallDecision) decision = { 0 };

  if (beckon_tool_call_get_state (begun->step) == BECKON_CALL_PROPOSED)
    beckon_call_decide (calls, beckon_call_batch_get_message (calls), begun->step, &decision);
  beckon_batch_add_step (batch, beckon_run_scope_get_id (scope), beckon_call_batch_get_message_id (calls), begun->step);
  beckon_call_write_decision (scope, begun->step, &decision, batch, begun->requests);
  beckon_call_batch_commit (calls, batch, show_step, begun, (GDestroyNotify) begun_free);
}

static void
begin_step (BeckonCallBatch *calls, BeckonToolCall *call, guint index)
{
  g_autoptr (GPtrArray) list = g_ptr_array_new ();
  BeckonRequest *accepted = BECKON_REQUEST (beckon_tool_call_get_request (call));
  const BeckonCallSurvey *survey = beckon_call_batch_get_survey (calls, call);
  Begun *begun = g_new0 (Begun, 1);

  /* Files that only the person wrote into it are known since it was started. */
  if (beckon_tool_call_get_n_steps (call) == 0 && survey != NULL && BECKON_IS_PLAN_REQUEST (accepted))
    beckon_plan_stamps_add (accepted, beckon_call_survey_get_files (survey));
  begun->planned = g_object_ref (call);
  begun->requests = g_ptr_array_new_with_free_func (g_object_unref);
  begun->step = make_step (call, index);
  if (beckon_tool_call_get_state (begun->step) == BECKON_CALL_PROPOSED)
    g_ptr_array_add (list, begun->step);
  beckon_call_batch_survey (calls, list, FALSE, store_step, begun, (GDestroyNotify) begun_free);
}

/* Begins the next step of a started plan of which none is open, or ends it. */
static void
advance (BeckonCallBatch *calls, BeckonToolCall *call)
{
  g_auto (End) end = { 0 };

  if (plan_executor_is_over (beckon_call_batch_get_scope (calls), call, &end))
    store_end (calls, call, &end);
  else
    begin_step (calls, call, (guint) beckon_plan_get_current (beckon_tool_call_get_plan (call)));
}

static gboolean
can_advance (BeckonToolCall *call)
{
  return beckon_tool_call_get_open_step (call) == NULL;
}

const BeckonCallExecutor beckon_plan_executor = {
  .can_advance = can_advance,
  .advance = advance,
  .report_stopped = report_stopped,
};
