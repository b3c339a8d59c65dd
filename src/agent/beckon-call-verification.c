/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-call-verification.h"

#include "beckon-call-decision.h"
#include "beckon-call-secrets.h"
#include "beckon-plan-step.h"
#include "request/beckon-approval-request.h"
#include "request/beckon-outcome-request.h"

#include <glib/gi18n-lib.h>

/*
 * A call was running when its program ended, and the person lets the tool itself look what became of it. Looking changes
 * nothing, so that it needs no decision and no start: should the program end meanwhile, the person is asked again.
 */

typedef struct
{
  BeckonCallBatch *calls;
  BeckonToolCall *call;
  guint ticket;
  guint entered;
} Look;

static void
verification_look_free (Look *look)
{
  beckon_call_batch_unref (look->calls);
  g_object_unref (look->call);
  g_free (look);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Look, verification_look_free)

gboolean
beckon_call_is_to_verify (BeckonToolCall *call)
{
  BeckonRequest *request = BECKON_REQUEST (beckon_tool_call_get_request (call));

  return beckon_tool_call_get_state (call) == BECKON_CALL_UNKNOWN && request != NULL &&
         beckon_request_get_state (request) == BECKON_REQUEST_ANSWERED;
}

/* A call that the person had approved, of which it is certain that it has not started. The card has all that the first one
 * had. */
static BeckonRequest *
ask_about_decided (BeckonCallBatch *calls, BeckonToolCall *call)
{
  const BeckonRunScope *scope = beckon_call_batch_get_scope (calls);
  BeckonToolContext context = beckon_call_make_context (scope, beckon_call_batch_get_message (calls), call);
  const BeckonCallSurvey *survey = beckon_call_batch_get_survey (calls, call);
  const char *reason = _ ("It was decided, but had not started when the program ended. Run it?");
  g_autoptr (BeckonJudgement) judgement = NULL;
  BeckonRequest *request;

  if (survey != NULL)
    {
      judgement = beckon_call_judge (scope, beckon_call_survey_get_effects (survey));
      return beckon_call_ask_approval (scope, &context, survey, judgement, reason);
    }
  request = beckon_approval_request_new (NULL, context.conversation_id, context.message_id, beckon_tool_call_get_id (call),
                                         beckon_tool_call_get_name (call), context.arguments, reason, context.now);
  beckon_request_set_redacted (request, beckon_tool_call_get_redacted (call));
  beckon_plan_step_mark (call, request);
  return request;
}

/* The arguments that ran are asked about, so that the very same run again. */
BeckonRequest *
beckon_call_ask_anew (BeckonCallBatch *calls, BeckonToolCall *call)
{
  const BeckonRunScope *scope = beckon_call_batch_get_scope (calls);
  BeckonTool *tool = beckon_run_scope_find_tool (scope, call);
  BeckonRequest *request;

  if (beckon_tool_call_get_state (call) != BECKON_CALL_UNKNOWN)
    return ask_about_decided (calls, call);
  request = beckon_outcome_request_new (NULL, beckon_run_scope_get_id (scope), beckon_call_batch_get_message_id (calls),
                                        beckon_tool_call_get_id (call), beckon_tool_call_get_name (call),
                                        beckon_tool_call_get_effective_arguments (call),
                                        beckon_tool_call_get_started_at (call), beckon_run_scope_now (scope));
  /* The tool would have to know values that were hidden from it. */
  beckon_request_set_can_verify (request, tool != NULL && beckon_tool_can_verify (tool) && !beckon_call_names_secret (call));
  beckon_request_set_redacted (request, beckon_tool_call_get_redacted (call));
  beckon_plan_step_mark (call, request);
  return request;
}

static void
store_found (BeckonCallBatch *calls, BeckonToolCall *call, const char *found)
{
  const BeckonRunScope *scope = beckon_call_batch_get_scope (calls);
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  gint64 now = beckon_run_scope_now (scope);
  g_autofree char *result = g_strdup_printf ("The program ended while this call was running, so it has no output. The tool "
                                             "looked at what became of it: %s",
                                             found);

  beckon_tool_call_set_times (call, beckon_tool_call_get_started_at (call), now);
  beckon_tool_call_set_result (call, result, FALSE);
  beckon_tool_call_apply (call, BECKON_CALL_EVENT_RESULT);
  beckon_batch_set_call (batch, call, BECKON_CALL_UNKNOWN);
  beckon_batch_add_provenance (batch, beckon_run_scope_get_id (scope), beckon_tool_call_get_id (call), "looked", NULL, now);
  beckon_call_batch_commit (calls, batch, NULL, NULL, NULL);
}

static void
verification_show_request (BeckonCallBatch *calls, gpointer request)
{
  const BeckonRunScope *scope = beckon_call_batch_get_scope (calls);

  beckon_inbox_add (scope->parts.inbox, request);
}

/* The tool could not tell: the person is asked again, without what did not help. */
static void
ask_person (BeckonCallBatch *calls, BeckonToolCall *call)
{
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_FULL);
  BeckonRequest *request = beckon_call_ask_anew (calls, call);

  beckon_request_set_can_verify (request, FALSE);
  beckon_tool_call_set_request (call, G_OBJECT (request));
  beckon_batch_add_request (batch, request);
  beckon_call_batch_commit (calls, batch, verification_show_request, request, g_object_unref);
}

static void
verification_on_looked (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Look) look = user_data;
  BeckonCallBatch *calls = look->calls;
  g_autoptr (GError) error = NULL;
  g_autofree char *found = beckon_tool_verify_finish (BECKON_TOOL (source), result, &error);

  if (!beckon_call_batch_is_current (calls, look->ticket) || !beckon_call_batch_leave_tool (calls, look->entered))
    return;
  beckon_call_batch_unmark (calls, look->call, BECKON_CALL_MARK_VERIFY);
  if (beckon_call_batch_is_stopping (calls))
    beckon_call_batch_step (calls);
  else if (found != NULL)
    store_found (calls, look->call, found);
  else
    ask_person (calls, look->call);
}

/* Once, however often the run steps meanwhile. */
void
beckon_call_verify (BeckonCallBatch *calls, BeckonToolCall *call)
{
  const BeckonRunScope *scope = beckon_call_batch_get_scope (calls);
  BeckonTool *tool = beckon_run_scope_find_tool (scope, call);
  BeckonToolContext context = {
    .conversation_id = beckon_run_scope_get_id (scope),
    .message_id = beckon_call_batch_get_message_id (calls),
    .call = call,
    .arguments = beckon_tool_call_get_effective_arguments (call),
    .folder = beckon_conversation_get_folder (scope->conversation),
    .now = beckon_run_scope_now (scope),
  };
  Look *look;

  if (beckon_call_batch_is_marked (calls, call, BECKON_CALL_MARK_VERIFY))
    return;
  if (tool == NULL || !beckon_tool_can_verify (tool))
    {
      ask_person (calls, call);
      return;
    }
  beckon_call_batch_mark (calls, call, BECKON_CALL_MARK_VERIFY);
  look = g_new0 (Look, 1);
  look->calls = beckon_call_batch_ref (calls);
  look->call = g_object_ref (call);
  look->ticket = beckon_call_batch_get_ticket (calls);
  look->entered = beckon_call_batch_enter_tool (calls);
  beckon_tool_verify_async (tool, &context, beckon_call_batch_get_cancellable (calls), verification_on_looked, look);
}
