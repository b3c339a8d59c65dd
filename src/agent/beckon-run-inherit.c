/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-run-private.h"

#include <glib/gi18n-lib.h>

/*
 * What becomes of the calls of a run whose process is gone: by the table, nothing that changes something runs by itself.
 */

/* What ran is what is asked about, so that what runs again is the very same. */
BeckonRequest *
beckon_run_make_request_anew (BeckonRun *run, BeckonToolCall *call)
{
  BeckonTool *tool = beckon_tool_registry_lookup (run->parts.tools, beckon_tool_call_get_name (call));
  const char *conversation = run->record->conversation_id;
  const char *message = beckon_message_get_id (run->message);
  const char *id = beckon_tool_call_get_id (call);
  const char *arguments = beckon_tool_call_get_effective_arguments (call);
  BeckonRequest *request;

  if (beckon_tool_call_get_state (call) != BECKON_CALL_UNKNOWN)
    {
      request = beckon_request_new_approval (NULL, conversation, message, id, beckon_tool_call_get_name (call), arguments,
                                             _ ("It was decided, but had not started when the program ended. Run it?"),
                                             beckon_run_now (run));
      beckon_request_set_concealed (request, beckon_tool_call_get_concealed (call));
      beckon_run_mark_step (call, request);
      return request;
    }
  request = beckon_request_new_outcome (NULL, conversation, message, id, beckon_tool_call_get_name (call), arguments,
                                        beckon_tool_call_get_started_at (call), beckon_run_now (run));
  /* What was hidden from the call's words the tool would have to know. */
  beckon_request_set_can_look (request, tool != NULL && beckon_tool_can_look (tool) && !beckon_run_names_secret (call));
  beckon_request_set_concealed (request, beckon_tool_call_get_concealed (call));
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
  BeckonTool *tool = beckon_tool_registry_lookup (run->parts.tools, beckon_tool_call_get_name (call));
  BeckonToolContext context = beckon_run_make_context (run, run->message, call);
  g_auto (BeckonEffects) effects = { 0 };
  g_autoptr (BeckonJudgement) judgement = NULL;

  /* What a person had decided is asked again, never run by itself. */
  if (tool == NULL || beckon_tool_call_get_request (call) != NULL)
    return FALSE;
  judgement = beckon_run_judge (run, tool, &context, &effects);
  return judgement->verdict == BECKON_VERDICT_ALLOW;
}

/* The inbox may have been read before this was asked, and would not notice that it ends. */
static void
watch_request (BeckonRun *run, BeckonToolCall *call)
{
  GObject *request = beckon_tool_call_get_request (call);

  if (request != NULL)
    beckon_inbox_add (run->parts.inbox, BECKON_REQUEST (request));
}

/* One of which nothing was decided is decided as if it had just come. */
static void
inherit_proposed (BeckonRun *run, BeckonToolCall *call, BeckonBatch *batch, GPtrArray *requests)
{
  g_auto (BeckonRunDecision) decision = { 0 };

  beckon_run_decide_call (run, run->message, call, &decision);
  beckon_batch_set_call (batch, call, BECKON_CALL_PROPOSED);
  beckon_run_write_decision (run, call, &decision, batch, requests);
}

static gboolean
is_asked (BeckonToolCall *call)
{
  BeckonRequest *request = BECKON_REQUEST (beckon_tool_call_get_request (call));

  return request != NULL && beckon_request_get_state (request) == BECKON_REQUEST_PENDING;
}

static void
inherit_call (BeckonRun *run, BeckonToolCall *call, BeckonBatch *batch, GPtrArray *requests)
{
  BeckonCallState before = beckon_tool_call_get_state (call);
  gboolean again = before == BECKON_CALL_STARTED ? beckon_tool_call_get_read_only (call) : is_still_allowed (run, call);
  BeckonCallState after;

  /* Going on with a plan runs nothing: each of its steps is decided for itself. */
  again = again || beckon_run_is_plan (call);
  after = beckon_tool_call_apply (call, again ? BECKON_CALL_EVENT_HOLDER_DIED_ALLOWED : BECKON_CALL_EVENT_HOLDER_DIED);
  if (after == BECKON_CALL_PROPOSED)
    {
      inherit_proposed (run, call, batch, requests);
      return;
    }
  if (after != before)
    beckon_batch_set_call (batch, call, before);
  /* What was permitted before may be used up, and nobody here knows its id. */
  if (after == BECKON_CALL_DECIDED)
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

/* A question that was dismissed while nobody drove the run ends it all the same. A queued run is a later one, which goes on
 * after that. */
static gboolean
was_dismissed (BeckonRun *run, BeckonToolCall *call)
{
  BeckonRequest *request = BECKON_REQUEST (beckon_tool_call_get_request (call));

  return run->record->phase != BECKON_RUN_QUEUED && request != NULL && beckon_run_is_dismissed_by (run, request);
}

void
beckon_run_inherit_calls (BeckonRun *run, BeckonBatch *batch, GPtrArray *requests)
{
  g_autoptr (GPtrArray) calls = beckon_message_list_calls (run->message);

  beckon_run_cancel_prompts (run);
  for (guint i = 0; i < calls->len; i++)
    {
      BeckonToolCall *call = g_ptr_array_index (calls, i);

      if (!beckon_call_state_is_final (beckon_tool_call_get_state (call)))
        inherit_call (run, call, batch, requests);
      else if (was_dismissed (run, call))
        beckon_run_dismiss (run);
    }
}
