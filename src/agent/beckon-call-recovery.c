/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-call-recovery.h"

#include "base/beckon-json.h"
#include "base/beckon-text.h"
#include "beckon-call-confirmation.h"
#include "beckon-call-decision.h"
#include "beckon-call-executor.h"
#include "beckon-call-landing.h"
#include "beckon-call-secrets.h"
#include "beckon-early-landing.h"
#include "beckon-landing-report.h"
#include "beckon-plan-step.h"
#include "beckon-tool-prompt.h"
#include "domain/beckon-note.h"
#include "request/beckon-approval-request.h"
#include "request/beckon-outcome-request.h"
#include "request/beckon-question-request.h"
#include "tools/beckon-command.h"

#include <glib/gi18n-lib.h>

/* Characters of a command line that tell which it was. */
#define MOST_OF_A_LINE 100

/* --- Looking what became of a call ------------------------------------------------------------------------------------ */

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
} Verifying;

static void
verifying_free (Verifying *verifying)
{
  beckon_call_batch_unref (verifying->calls);
  g_object_unref (verifying->call);
  g_free (verifying);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Verifying, verifying_free)

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

/* A call whose process is gone: what became of it, or whether it is to run. The arguments that ran are asked about, so that the
 * very same run again. */
static BeckonRequest *
recovery_ask_anew (BeckonCallBatch *calls, BeckonToolCall *call)
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

/* The tool could not tell: the person is asked again, without what did not help. */
static void
ask_person (BeckonCallBatch *calls, BeckonToolCall *call)
{
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_FULL);
  GPtrArray *requests = g_ptr_array_new_with_free_func (g_object_unref);
  BeckonRequest *request = recovery_ask_anew (calls, call);

  g_ptr_array_add (requests, request);
  beckon_request_set_can_verify (request, FALSE);
  beckon_tool_call_set_request (call, G_OBJECT (request));
  beckon_batch_add_request (batch, request);
  beckon_call_batch_commit (calls, batch, beckon_call_recovery_show, requests, (GDestroyNotify) g_ptr_array_unref);
}

static void
recovery_on_verified (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Verifying) verifying = user_data;
  BeckonCallBatch *calls = verifying->calls;
  g_autoptr (GError) error = NULL;
  g_autofree char *found = beckon_tool_verify_finish (BECKON_TOOL (source), result, &error);

  if (!beckon_call_batch_is_current (calls, verifying->ticket) || !beckon_call_batch_leave_tool (calls, verifying->entered))
    return;
  beckon_call_batch_unmark (calls, verifying->call, BECKON_CALL_MARK_VERIFY);
  if (beckon_call_batch_is_stopping (calls))
    beckon_call_batch_step (calls);
  else if (found != NULL)
    store_found (calls, verifying->call, found);
  else
    ask_person (calls, verifying->call);
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
  Verifying *verifying;

  if (beckon_call_batch_is_marked (calls, call, BECKON_CALL_MARK_VERIFY))
    return;
  if (tool == NULL || !beckon_tool_can_verify (tool))
    {
      ask_person (calls, call);
      return;
    }
  beckon_call_batch_mark (calls, call, BECKON_CALL_MARK_VERIFY);
  verifying = g_new0 (Verifying, 1);
  verifying->calls = beckon_call_batch_ref (calls);
  verifying->call = g_object_ref (call);
  verifying->ticket = beckon_call_batch_get_ticket (calls);
  verifying->entered = beckon_call_batch_enter_tool (calls);
  beckon_tool_verify_async (tool, &context, beckon_call_batch_get_cancellable (calls), recovery_on_verified, verifying);
}

/* --- Taking over --------------------------------------------------------------------------------------------------- */

/*
 * Recovery of the calls of a run whose process is gone: by the table, no call with effects runs by itself.
 */

/* A decision about all of them. */
typedef struct
{
  const BeckonCallRecovery *recovery;
  BeckonCallBatch *calls;
  const BeckonRunScope *scope;
  BeckonBatch *batch;
  GPtrArray *requests; /* (element-type BeckonRequest): those that are asked anew */
} Deciding;

static void
add_request (Deciding *deciding, BeckonToolCall *call, BeckonRequest *request)
{
  beckon_tool_call_set_request (call, G_OBJECT (request));
  beckon_batch_add_request (deciding->batch, request);
  g_ptr_array_add (deciding->requests, request);
}

static gboolean
is_still_allowed (Deciding *deciding, BeckonToolCall *call)
{
  const BeckonCallSurvey *survey = beckon_call_batch_get_survey (deciding->calls, call);
  g_autoptr (BeckonJudgement) judgement = NULL;

  /* Policy can't allow what a person decided: see is_handed_over(). */
  if (survey == NULL || (beckon_tool_call_get_request (call) != NULL && !beckon_call_is_decided_by_rule (call)))
    return FALSE;
  judgement = beckon_call_judge (deciding->scope, beckon_call_survey_get_effects (survey));
  return judgement->verdict == BECKON_VERDICT_ALLOW;
}

/* Approved calls just run where the run changes hands: its driver released it, or the approval was given in this process, which
 * carries it out. Only where the driver died with it is the person asked again. */
static gboolean
is_handed_over (Deciding *deciding, BeckonToolCall *call)
{
  BeckonRequest *request = BECKON_REQUEST (beckon_tool_call_get_request (call));

  return beckon_tool_call_get_state (call) == BECKON_CALL_DECIDED && beckon_call_is_decided_by_person (call)
         && (deciding->recovery->was_released
             || beckon_inbox_was_settled_here (deciding->scope->parts.inbox, beckon_request_get_id (request)));
}

/* The inbox may have been read before this was asked, and would not notice that it ends. */
static void
watch_request (Deciding *deciding, BeckonToolCall *call)
{
  GObject *request = beckon_tool_call_get_request (call);

  if (request != NULL)
    beckon_inbox_add (deciding->scope->parts.inbox, BECKON_REQUEST (request));
}

/* An undecided call is decided as if it had just come. */
static void
recover_proposed (Deciding *deciding, BeckonToolCall *call)
{
  g_auto (BeckonCallDecision) decision = { 0 };

  beckon_call_decide (deciding->calls, beckon_call_batch_get_message (deciding->calls), call, &decision);
  beckon_batch_set_call (deciding->batch, call, BECKON_CALL_PROPOSED);
  beckon_call_write_decision (deciding->scope, call, &decision, deciding->batch, deciding->requests);
}

static gboolean
is_asked (BeckonToolCall *call)
{
  BeckonRequest *request = BECKON_REQUEST (beckon_tool_call_get_request (call));

  return request != NULL && beckon_request_get_state (request) == BECKON_REQUEST_PENDING;
}

static gboolean
has_place (Deciding *deciding, BeckonToolCall *call)
{
  const BeckonCallSurvey *survey = beckon_call_batch_get_survey (deciding->calls, call);

  return survey != NULL && beckon_call_survey_has_place (survey);
}

/* The network may have seen what it did. */
static gboolean
reaches_out (Deciding *deciding, BeckonToolCall *call)
{
  const BeckonCallSurvey *survey = beckon_call_batch_get_survey (deciding->calls, call);

  return survey == NULL || beckon_call_survey_get_effects (survey)->uses_network;
}

/* A command that was running on a view of the folder has changed nothing there, so that there is nothing to ask. */
static void
end_without_effect (Deciding *deciding, BeckonToolCall *call)
{
  gint64 now = beckon_run_scope_now (deciding->scope);
  g_autofree char *early = beckon_landing_report_early (call, !beckon_call_may_have_secrets (deciding->scope, call));
  g_autofree char *report
    = g_strdup_printf ("The program ended while this command was running, and the command with it. %s in the folder. Run it "
                       "again if it is still wanted.%s",
                       *early != '\0' ? "Not all that it changed is" : "Nothing that it changed is", early);

  beckon_tool_call_set_times (call, beckon_tool_call_get_started_at (call), now);
  beckon_tool_call_set_result (call, report, TRUE);
  beckon_tool_call_apply (call, BECKON_CALL_EVENT_RESULT);
  beckon_batch_set_call (deciding->batch, call, BECKON_CALL_STARTED);
  beckon_batch_add_provenance (deciding->batch, beckon_run_scope_get_id (deciding->scope), beckon_tool_call_get_id (call),
                               "failed", NULL, now);
}

static gboolean
was_running_on_view (Deciding *deciding, BeckonToolCall *call)
{
  return beckon_tool_call_get_state (call) == BECKON_CALL_STARTED && !beckon_tool_call_get_read_only (call)
         && beckon_call_find_executor (call)->advance == NULL && has_place (deciding, call) && !reaches_out (deciding, call);
}

static void
recover_landing (Deciding *deciding, BeckonToolCall *call)
{
  BeckonRequest *request = beckon_call_landing_recover (deciding->calls, call, deciding->batch);

  if (request != NULL)
    g_ptr_array_add (deciding->requests, request);
  else
    watch_request (deciding, call);
}

static void
recover_open_call (Deciding *deciding, BeckonToolCall *call)
{
  BeckonCallState before = beckon_tool_call_get_state (call);
  gboolean handed_over = is_handed_over (deciding, call);
  gboolean again = before == BECKON_CALL_STARTED ? beckon_tool_call_get_read_only (call) : is_still_allowed (deciding, call);
  BeckonCallState after;

  if (before == BECKON_CALL_STARTED && beckon_tool_prompt_can_resume (deciding->scope, call))
    again = TRUE;
  again = again || handed_over || beckon_call_find_executor (call)->advance != NULL;
  after = beckon_tool_call_apply (call, again ? BECKON_CALL_EVENT_HOLDER_DIED_ALLOWED : BECKON_CALL_EVENT_HOLDER_DIED);
  if (after == BECKON_CALL_PROPOSED)
    {
      recover_proposed (deciding, call);
      return;
    }
  if (after != before)
    beckon_batch_set_call (deciding->batch, call, before);
  /* The earlier permit may be used up, and its id isn't known here. */
  if (after == BECKON_CALL_DECIDED && !handed_over)
    {
      beckon_call_permit (call);
      beckon_call_write_permit (deciding->scope, call, deciding->batch);
    }
  /* An unknown one without a question is one that the tool was to look at when the program ended. */
  if ((after == BECKON_CALL_UNKNOWN && !is_asked (call)) || (after == BECKON_CALL_AWAITING && after != before))
    add_request (deciding, call, recovery_ask_anew (deciding->calls, call));
  else if (after == before)
    watch_request (deciding, call);
}

static void
recover_call (Deciding *deciding, BeckonToolCall *call)
{
  beckon_early_landing_drop (call, deciding->batch);
  if (beckon_call_has_landing (call))
    recover_landing (deciding, call);
  else if (was_running_on_view (deciding, call))
    end_without_effect (deciding, call);
  else
    recover_open_call (deciding, call);
}

/* A question that was dismissed while nobody drove the run ends it all the same. A queued run is a later one, which goes on
 * after that. */
static gboolean
was_dismissed (Deciding *deciding, BeckonToolCall *call)
{
  BeckonRequest *request = BECKON_REQUEST (beckon_tool_call_get_request (call));

  return !deciding->recovery->is_queued && request != NULL && !beckon_request_is_late (request)
         && beckon_call_is_dismissed_by (deciding->scope, request);
}

/* The model read that it goes on, and by which name; the name is gone with the program. */
static void
recovery_note_left (const BeckonRunScope *scope, BeckonToolCall *call)
{
  g_autoptr (JsonObject) arguments = beckon_json_parse_object (beckon_tool_call_get_effective_arguments (call), -1, NULL);
  const char *line = arguments != NULL ? beckon_json_get_string (arguments, "command") : NULL;
  g_autofree char *brief = beckon_text_shorten (line != NULL ? line : "", MOST_OF_A_LINE);
  g_autofree char *name = *brief != '\0' ? g_strdup_printf ("The command “%s”", brief) : g_strdup ("A command");

  beckon_command_note_left (call, beckon_run_scope_get_id (scope), name);
}

/* A call that has no result while the run had gone on, to later replies or to a request for one, ran in the background, and
 * ended with its program. Changes that wait for a person, or are being saved, go on with the run. */
static void
recovery_end_background (BeckonCallBatch *calls, const BeckonMessage *last, gboolean goes_on, BeckonBatch *batch)
{
  static const char report[] = "The program ended while this ran in the background, so this ended, too. What it had changed "
                               "is not in the folder, except what was saved before. Run it again if it is still wanted.";
  const BeckonRunScope *scope = beckon_call_batch_get_scope (calls);

  for (guint i = 0; i < beckon_conversation_get_n_messages (scope->conversation); i++)
    {
      BeckonMessage *message = beckon_conversation_get_message (scope->conversation, i);
      g_autoptr (GPtrArray) list = message != last || !goes_on ? beckon_message_list_calls (message) : NULL;

      for (guint j = 0; list != NULL && j < list->len; j++)
        {
          BeckonToolCall *call = g_ptr_array_index (list, j);

          if (beckon_tool_call_get_state (call) != BECKON_CALL_STARTED)
            continue;
          beckon_early_landing_drop (call, batch);
          if (beckon_call_has_landing (call) && goes_on)
            {
              beckon_call_batch_set_message (calls, message);
              beckon_call_batch_split (calls, call, report);
              recovery_note_left (scope, call);
              beckon_call_batch_set_message (calls, NULL);
              continue;
            }
          if (beckon_call_has_landing (call))
            {
              beckon_batch_drop_landing (batch, beckon_tool_call_get_id (call));
              beckon_tool_call_take_landing (call, NULL);
            }
          beckon_tool_call_set_times (call, beckon_tool_call_get_started_at (call), beckon_run_scope_now (scope));
          beckon_tool_call_set_result (call, report, TRUE);
          beckon_tool_call_apply (call, BECKON_CALL_EVENT_RESULT);
          recovery_note_left (scope, call);
          beckon_batch_set_call (batch, call, BECKON_CALL_STARTED);
          beckon_batch_add_provenance (batch, beckon_run_scope_get_id (scope), beckon_tool_call_get_id (call), "failed", NULL,
                                       beckon_run_scope_now (scope));
        }
    }
}

void
beckon_call_recovery_take_message (BeckonCallBatch *calls, gboolean goes_on, BeckonBatch *batch)
{
  BeckonConversation *conversation = beckon_call_batch_get_scope (calls)->conversation;
  guint n = beckon_conversation_get_n_messages (conversation);
  BeckonMessage *last = NULL;

  /* A reply that was tried again may have notes behind it. */
  for (guint i = n; i > 0 && (last == NULL || beckon_note_get_kind (last) != BECKON_NOTE_NONE); i--)
    last = beckon_conversation_get_message (conversation, i - 1);
  recovery_end_background (calls, last, goes_on, batch);
  if (last == NULL || beckon_message_get_role (last) != BECKON_ROLE_ASSISTANT)
    return;
  if (beckon_message_get_status (last) == BECKON_MESSAGE_STREAMING)
    {
      beckon_message_set_status (last, BECKON_MESSAGE_CUT_OFF);
      beckon_batch_set_message (batch, last);
      return;
    }
  beckon_call_batch_set_message (calls, last);
}

BeckonCallRecovery *
beckon_call_recovery_new (BeckonCallBatch *calls, GPtrArray *background, const BeckonRunRecord *record, BeckonBatch *batch,
                          BeckonRun *run)
{
  g_autoptr (GPtrArray) list = beckon_call_batch_list (calls);
  BeckonCallRecovery *self = g_new0 (BeckonCallRecovery, 1);

  for (guint i = 0; i < background->len; i++)
    g_ptr_array_add (list, g_object_ref (beckon_call_batch_get_only (g_ptr_array_index (background, i))));
  self->run = run;
  self->batch = batch;
  self->calls = g_ptr_array_new_with_free_func (g_object_unref);
  self->states = g_array_new (FALSE, FALSE, sizeof (BeckonCallState));
  self->was_released = record->left_by == NULL;
  self->is_queued = record->phase == BECKON_RUN_QUEUED || record->round == 0;
  if (beckon_call_batch_get_message (calls) != NULL)
    beckon_tool_prompt_cancel_all (beckon_call_batch_get_scope (calls));
  for (guint i = 0; i < list->len; i++)
    {
      BeckonCallState state = beckon_tool_call_get_state (g_ptr_array_index (list, i));

      g_ptr_array_add (self->calls, g_object_ref (g_ptr_array_index (list, i)));
      g_array_append_val (self->states, state);
    }
  return self;
}

void
beckon_call_recovery_free (BeckonCallRecovery *self)
{
  g_clear_pointer (&self->batch, beckon_batch_free);
  g_ptr_array_unref (self->calls);
  g_array_unref (self->states);
  g_free (self);
}

GPtrArray *
beckon_call_recovery_decide (const BeckonCallRecovery *self, BeckonCallBatch *calls, BeckonBatch *batch)
{
  Deciding deciding = {
    .recovery = self,
    .calls = calls,
    .scope = beckon_call_batch_get_scope (calls),
    .batch = batch,
    .requests = g_ptr_array_new_with_free_func (g_object_unref),
  };

  for (guint i = 0; i < self->calls->len; i++)
    {
      BeckonToolCall *call = g_ptr_array_index (self->calls, i);

      if (beckon_tool_call_get_state (call) != g_array_index (self->states, BeckonCallState, i))
        continue;
      if (!beckon_call_state_is_final (beckon_tool_call_get_state (call)))
        recover_call (&deciding, call);
      else if (was_dismissed (&deciding, call))
        beckon_call_batch_dismiss (calls);
    }
  return deciding.requests;
}

void
beckon_call_recovery_show (BeckonCallBatch *calls, gpointer requests)
{
  for (guint i = 0; i < ((GPtrArray *) requests)->len; i++)
    beckon_inbox_add (beckon_call_batch_get_scope (calls)->parts.inbox, g_ptr_array_index ((GPtrArray *) requests, i));
}
