/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-run-private.h"
#include "request/beckon-plan-request.h"
#include "request/beckon-question-request.h"


/*
 * The calls of a reply. There is one place where a tool starts, beckon_run_start_calls(), and it takes only calls in the state
 * decided, which only policy (beckon-run-decide.c) or a person's answer gives, and looks at them once more
 * (beckon-run-confirm.c).
 */

gboolean
beckon_run_may_ask (BeckonRun *run)
{
  return run->has_person && beckon_settings_get_enable_ask_user (run->parts.settings);
}

const BeckonCallExecutor *
beckon_run_find_executor (BeckonToolCall *call)
{
  return beckon_tool_call_get_plan (call) != NULL ? &beckon_plan_executor : &beckon_tool_executor;
}

static BeckonTool *
find_tool (BeckonToolCall *call, gpointer run)
{
  BeckonTool *tool = beckon_tool_registry_lookup (((BeckonRun *) run)->parts.tools, beckon_tool_call_get_name (call));

  return tool != NULL && !beckon_tool_needs_person (tool) ? tool : NULL;
}

static gboolean
prepare (BeckonToolCall *call, gpointer run)
{
  return beckon_run_prepare_call (run, call, NULL);
}

static void
describe (BeckonToolCall *call, BeckonToolContext *context, const char **bound, const char **shown, gpointer run)
{
  *context = beckon_run_make_context (run, NULL, call);
  *bound = beckon_run_get_files (call);
  *shown = beckon_run_get_shown_arguments (call);
}

BeckonCallBatch *
beckon_run_make_calls (BeckonRun *run)
{
  static const BeckonCallBatchHost host = { find_tool, prepare, describe };

  return beckon_call_batch_new (&host, run);
}

/**
 * beckon_run_plan_calls: (skip)
 * @run: the run
 * @reply: a whole reply with calls, which were looked at
 * @batch: the transaction that stores the reply
 *
 * Decides every call and adds it, and the requests of those that wait for a person, to @batch: nothing of it shows before
 * it is stored.
 *
 * Returns: (transfer full) (element-type BeckonRequest): the new requests
 */
GPtrArray *
beckon_run_plan_calls (BeckonRun *run, BeckonReply *reply, BeckonBatch *batch)
{
  BeckonMessage *message = beckon_reply_get_message (reply);
  GPtrArray *calls = beckon_reply_get_calls (reply);
  GPtrArray *requests = g_ptr_array_new_with_free_func (g_object_unref);
  guint first = beckon_message_get_n_parts (message);

  for (guint i = 0; i < calls->len; i++)
    {
      BeckonToolCall *call = g_ptr_array_index (calls, i);
      g_auto (BeckonRunDecision) decision = { 0 };
      g_autoptr (BeckonPart) part = NULL;

      beckon_run_decide_call (run, message, call, &decision);
      part = beckon_part_new_call (call);
      beckon_batch_add_part (batch, run->record->conversation_id, beckon_message_get_id (message), first + i, part);
      beckon_run_write_decision (run, call, &decision, batch, requests);
    }
  return requests;
}

/* The reply is stored: its calls join the message, its requests the inbox. */
void
beckon_run_show_calls (BeckonRun *run, gpointer calls_and_requests)
{
  GPtrArray *shown = calls_and_requests;
  GPtrArray *calls = g_ptr_array_index (shown, 0);
  GPtrArray *requests = g_ptr_array_index (shown, 1);

  for (guint i = 0; i < calls->len; i++)
    {
      g_autoptr (BeckonPart) part = beckon_part_new_call (g_ptr_array_index (calls, i));

      beckon_message_add_part (beckon_call_batch_get_message (run->calls), part);
    }
  for (guint i = 0; i < requests->len; i++)
    beckon_inbox_add (run->parts.inbox, g_ptr_array_index (requests, i));
}

typedef struct
{
  GPtrArray *startable;
  GPtrArray *looks;      /* whose tool is to look, or looks, what became of them */
  GPtrArray *lands;      /* whose changes are decided, or are being landed */
  guint waiting;
  guint running;
  gboolean asking;       /* a question of this batch is open */
  gboolean changing;     /* a changing call runs or is about to */
  gboolean planning;     /* a plan is proposed or carried out; what else changes something waits for its end */
  BeckonToolCall *advancing; /* (nullable): one whose next step can begin */
  BeckonToolCall *first; /* to be named in the state line */
} Standing;

static void
classify_started (Standing *standing, BeckonToolCall *call)
{
  const BeckonCallExecutor *executor = beckon_run_find_executor (call);

  if (executor->advance != NULL)
    {
      if (standing->advancing == NULL && executor->can_advance (call))
        standing->advancing = call;
      return;
    }
  if (beckon_run_waits_to_land (call))
    {
      standing->waiting++;
      return;
    }
  if (beckon_run_has_landing (call))
    g_ptr_array_add (standing->lands, g_object_ref (call));
  standing->running++;
  standing->first = call;
}

static void
classify_call (Standing *standing, BeckonToolCall *call)
{
  switch (beckon_tool_call_get_state (call))
    {
    case BECKON_CALL_AWAITING:
      standing->waiting++;
      break;
    case BECKON_CALL_UNKNOWN:
      if (!beckon_run_is_to_look (call))
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
      /* Changing calls go one after another, and wait for every question of their batch; reading ones go at once. */
      if (!beckon_tool_call_get_read_only (call))
        {
          if (standing->asking || standing->changing || (standing->planning && beckon_tool_call_get_planned_by (call) == NULL))
            break;
          standing->changing = TRUE;
        }
      g_ptr_array_add (standing->startable, g_object_ref (call));
      standing->first = call;
      break;
    case BECKON_CALL_PROPOSED:
    case BECKON_CALL_DONE:
    case BECKON_CALL_CANCELLED:
    default:
      break;
    }
}

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
classify_calls (BeckonRun *run, Standing *standing)
{
  g_autoptr (GPtrArray) calls = beckon_call_batch_list (run->calls);

  for (guint i = 0; i < calls->len; i++)
    {
      BeckonToolCall *call = g_ptr_array_index (calls, i);

      standing->asking = standing->asking || is_open_question (call);
      standing->planning = standing->planning || is_open_plan (call);
      standing->changing = standing->changing
                           || (beckon_tool_call_get_state (call) == BECKON_CALL_STARTED
                               && !beckon_tool_call_get_read_only (call));
    }
  for (guint i = 0; i < calls->len; i++)
    classify_call (standing, g_ptr_array_index (calls, i));
}

static void
set_waiting (BeckonRun *run, gboolean waiting, const char *detail)
{
  BeckonBatch *batch;

  if (waiting == (run->record->phase == BECKON_RUN_WAITING))
    {
      beckon_conversation_set_phase (run->conversation, run->record->phase, detail, 0);
      return;
    }
  beckon_run_move (run, waiting ? BECKON_RUN_EVENT_WAIT : BECKON_RUN_EVENT_RESUME, detail);
  batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  beckon_batch_set_run (batch, run->record);
  beckon_run_commit_behind (run, batch);
}

static void
next_round (BeckonRun *run)
{
  g_autofree char *spent = run->spending != NULL ? beckon_spending_limit_dup_reached (run->spending) : NULL;
  g_autofree char *cut = NULL;

  if (run->record->phase == BECKON_RUN_WAITING)
    beckon_run_move (run, BECKON_RUN_EVENT_RESUME, NULL);
  beckon_call_batch_set_message (run->calls, NULL);
  if (spent == NULL)
    cut = beckon_length_guard_take_reason (run->length);
  if (spent != NULL)
    beckon_run_end (run, BECKON_RUN_EVENT_LIMIT, BECKON_MESSAGE_COMPLETE, spent);
  else if (cut != NULL)
    beckon_run_end (run, BECKON_RUN_EVENT_LENGTH, BECKON_MESSAGE_COMPLETE, cut);
  else if (run->record->round < run->record->round_limit)
    beckon_run_begin_round (run);
  else
    beckon_run_end (run, BECKON_RUN_EVENT_LIMIT, BECKON_MESSAGE_COMPLETE, NULL);
}

void
beckon_run_step_calls (BeckonRun *run)
{
  g_autoptr (GPtrArray) startable = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) looks = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) lands = g_ptr_array_new_with_free_func (g_object_unref);
  Standing standing = { .startable = startable, .looks = looks, .lands = lands };

  if (beckon_call_batch_is_checking (run->calls) || beckon_call_batch_is_surveying (run->calls))
    return;
  if (beckon_call_batch_get_message (run->calls) == NULL)
    {
      next_round (run);
      return;
    }
  classify_calls (run, &standing);
  if (standing.advancing != NULL)
    {
      set_waiting (run, FALSE, beckon_tool_call_get_name (standing.advancing));
      beckon_run_find_executor (standing.advancing)->advance (run, standing.advancing);
      return;
    }
  if (startable->len > 0 || looks->len > 0 || standing.running > 0)
    {
      set_waiting (run, FALSE, beckon_tool_call_get_name (standing.first));
      for (guint i = 0; i < looks->len; i++)
        beckon_run_look (run, g_ptr_array_index (looks, i));
      for (guint i = 0; i < lands->len; i++)
        beckon_run_land (run, g_ptr_array_index (lands, i));
      if (startable->len > 0)
        beckon_run_start_calls (run, startable);
    }
  else if (standing.waiting > 0)
    set_waiting (run, TRUE, NULL);
  else
    next_round (run);
}

gboolean
beckon_run_is_dismissed_by (BeckonRun *run, BeckonRequest *request)
{
  return BECKON_IS_QUESTION_REQUEST (request) &&
         beckon_request_get_state (request) == BECKON_REQUEST_DECLINED &&
         beckon_settings_get_dismiss (run->parts.settings) == BECKON_DISMISS_STOPS;
}

void
beckon_run_dismiss (BeckonRun *run)
{
  if (run->stopping)
    return;
  run->stopping = TRUE;
  run->stop_event = BECKON_RUN_EVENT_DISMISS;
  beckon_call_batch_abandon_survey (run->calls);
  g_cancellable_cancel (run->cancellable);
}

/* The settlement's effect on the call is stored already; here it is followed. */
static void
follow_settlement (BeckonToolCall *call, const BeckonSettlement *settlement)
{
  if (settlement->result != NULL)
    beckon_tool_call_set_result (call, settlement->result, settlement->is_error);
  beckon_run_follow_plan (call, settlement);
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
is_open (BeckonToolCall *call)
{
  return beckon_tool_call_get_state (call) == BECKON_CALL_AWAITING ||
         beckon_tool_call_get_state (call) == BECKON_CALL_UNKNOWN || beckon_run_has_landing (call);
}

/* A request of this conversation was settled, by anybody. One that ended without an answer went with its conversation. */
void
beckon_run_settled (BeckonRun *run, BeckonRequest *request, const BeckonSettlement *settlement)
{
  const char *call_id = beckon_request_get_call_id (request);
  BeckonToolCall *call = call_id != NULL ? beckon_conversation_find_call (run->conversation, call_id) : NULL;

  if (call == NULL || !waits_for (call, request))
    return;
  if (is_open (call))
    follow_settlement (call, settlement);
  if (settlement->given == NULL)
    beckon_run_stop (run);
  /* Its call may have followed already, when the messages were read again. */
  else if (beckon_call_batch_get_message (run->calls) != NULL && beckon_run_is_dismissed_by (run, request)
           && g_strcmp0 (beckon_request_get_message_id (request), beckon_call_batch_get_message_id (run->calls)) == 0)
    beckon_run_dismiss (run);
}
