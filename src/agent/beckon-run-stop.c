/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-run-private.h"

#include "base/beckon-error.h"
#include "beckon-landing-report.h"

#include <glib/gi18n-lib.h>

/*
 * The endings. Each writes, in one transaction, the rest of the reply, the message's status, a result for every open call
 * and the run's row; only then is the end shown and the task returned.
 */

#define MAX_STOP_TRIES 3

static const char stopped_result[] = "The person stopped the run; this call was not run.";
static const char interrupted_result[] =
    "The person stopped the run while this call was running. Whether it took effect is not known.";

/**
 * beckon_run_show_end: (skip)
 * @run: the run, whose end is stored
 * @user_data: the status of the message that was being received, a #BeckonMessageStatus
 *
 * Shows the end and returns the task.
 */
void
beckon_run_show_end (BeckonRun *run, gpointer user_data)
{
  BeckonMessageStatus status = GPOINTER_TO_INT (user_data);
  BeckonReply *reply = beckon_run_get_reply (run);

  run->over = TRUE;
  if (reply != NULL)
    beckon_message_set_status (beckon_reply_get_message (reply), status);
  g_clear_object (&run->round);
  beckon_library_touch (run->parts.library, run->conversation);
  beckon_conversation_set_phase (run->conversation, run->record->phase, run->record->detail, 0);
  beckon_run_return (run);
}

/* The status goes to the store with the rest, and to the screen once it is there. */
static void
add_message_end (BeckonRun *run, BeckonBatch *batch, BeckonMessageStatus status)
{
  BeckonReply *reply = beckon_run_get_reply (run);
  BeckonMessage *message;

  if (reply == NULL || !beckon_reply_has_output (reply))
    return;
  message = beckon_reply_get_message (reply);
  beckon_reply_flush (reply, batch, run->record->conversation_id);
  beckon_message_set_status (message, status);
  beckon_batch_set_message (batch, message);
}

void
beckon_run_end (BeckonRun *run, BeckonRunEvent event, BeckonMessageStatus status, const char *detail)
{
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);

  add_message_end (run, batch, status);
  beckon_run_move (run, event, detail);
  beckon_conversation_set_updated_at (run->conversation, beckon_run_now (run));
  beckon_batch_put_conversation (batch, run->conversation);
  beckon_batch_set_run (batch, run->record);
  beckon_run_commit_end (run, batch, beckon_run_show_end, GINT_TO_POINTER (status));
}

/* When even the end cannot be stored it is shown all the same, with the reason: what is on the screen is then all there is. */
static void
fail_unstored (BeckonRun *run, const char *detail)
{
  beckon_run_break_off (run, detail);
  beckon_run_show_end (run, GINT_TO_POINTER (BECKON_MESSAGE_FAILED));
}

void
beckon_run_fail (BeckonRun *run, const char *detail)
{
  const char *reason = detail != NULL ? detail : _ ("The model reported an error without saying which.");

  beckon_run_cancel_round (run);
  if (run->round != NULL && run->record->phase == BECKON_RUN_CALLING)
    beckon_run_take_calls_back (run);
  /* With calls open it is only ever the store that failed. The row stays open, so that the next start takes it up. */
  if (run->record->phase == BECKON_RUN_CALLING || run->record->phase == BECKON_RUN_WAITING ||
      !beckon_run_phase_next (run->record->phase, BECKON_RUN_EVENT_FAIL, NULL))
    fail_unstored (run, reason);
  else
    beckon_run_end (run, BECKON_RUN_EVENT_FAIL, BECKON_MESSAGE_FAILED, reason);
}

static const char without_effect_result[] =
    "The person stopped the run before anything that this command changed was in the folder.";
static const char rest_without_effect_result[] =
    "The person stopped the run while this command was running. What it changed is not in the folder, but for this:";

typedef struct
{
  BeckonRun *run;
  guint activation;
  GPtrArray *calls;    /* BeckonToolCall: cancelled by this stop */
  GPtrArray *requests; /* BeckonRequest: likewise; their calls follow them */
  GPtrArray *settlements; /* BeckonSettlement: of each of these */
  GPtrArray *landings; /* BeckonToolCall: those whose changes were asked about */
} Stop;

static Stop *
stop_new (BeckonRun *run)
{
  Stop *stop = g_new0 (Stop, 1);

  stop->run = g_object_ref (run);
  stop->activation = run->activation;
  stop->calls = g_ptr_array_new_with_free_func (g_object_unref);
  stop->requests = g_ptr_array_new_with_free_func (g_object_unref);
  stop->settlements = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_settlement_free);
  stop->landings = g_ptr_array_new_with_free_func (g_object_unref);
  return stop;
}

static void
stop_free (Stop *stop)
{
  g_object_unref (stop->run);
  g_ptr_array_unref (stop->calls);
  g_ptr_array_unref (stop->requests);
  g_ptr_array_unref (stop->settlements);
  g_ptr_array_unref (stop->landings);
  g_free (stop);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Stop, stop_free)

/* A command on a view has changed no file in the folder, whatever it did. */
static gboolean
is_without_effect (BeckonRun *run, BeckonToolCall *call)
{
  return beckon_run_has_landing (call) || beckon_call_batch_is_marked (run->calls, call, BECKON_CALL_MARK_ON_VIEW);
}

/* Output seen while it ran is all there is to know of its effects. */
static char *
describe_interrupted (BeckonRun *run, BeckonToolCall *call)
{
  const char *output = beckon_tool_call_get_output (call);
  g_autofree char *early = beckon_landing_report_early (call, !beckon_run_may_have_secrets (run, call));
  const char *fate = !is_without_effect (run, call) ? interrupted_result
                     : *early != '\0'               ? rest_without_effect_result
                                                    : without_effect_result;

  return output == NULL || *output == '\0' ? g_strconcat (fate, early, NULL)
                                           : g_strdup_printf ("%s%s It put out last:\n%s", fate, early, output);
}

static void
cancel_call (BeckonRun *run, BeckonToolCall *call, BeckonToolCall *target)
{
  gboolean ran = beckon_tool_call_get_state (call) == BECKON_CALL_UNKNOWN ||
                 (beckon_tool_call_get_state (call) == BECKON_CALL_STARTED && beckon_tool_call_get_started_at (call) > 0);

  const BeckonCallExecutor *executor = beckon_run_find_executor (call);
  g_autofree char *report = executor->report_stopped != NULL ? executor->report_stopped (call)
                            : ran                            ? describe_interrupted (run, call)
                                                             : g_strdup (stopped_result);

  beckon_tool_call_set_result (target, report, TRUE);
  beckon_tool_call_apply (target, BECKON_CALL_EVENT_STOPPED);
}

/* The call itself changes only when the stop is stored, because a stop may have to be tried again. */
static void
add_cancelled_call (Stop *stop, BeckonToolCall *call, BeckonBatch *batch)
{
  BeckonCallState before = beckon_tool_call_get_state (call);
  BeckonRequest *request = BECKON_REQUEST (beckon_tool_call_get_request (call));
  g_autoptr (BeckonToolCall) copy = NULL;

  beckon_run_drop_early (stop->run, call, batch);
  if (beckon_run_has_landing (call))
    {
      beckon_batch_drop_landing (batch, beckon_tool_call_get_id (call));
      g_ptr_array_add (stop->landings, g_object_ref (call));
    }
  if ((before == BECKON_CALL_AWAITING || before == BECKON_CALL_UNKNOWN || beckon_run_has_landing (call)) && request != NULL &&
      beckon_request_get_state (request) == BECKON_REQUEST_PENDING)
    {
      g_autoptr (BeckonAnswer) answer = beckon_answer_new (BECKON_ANSWER_CANCELLED, NULL);
      BeckonSettlement *settlement =
          beckon_settlement_new (request, answer, "agent", g_get_user_name (), beckon_run_now (stop->run));

      beckon_batch_settle (batch, settlement, FALSE);
      g_ptr_array_add (stop->requests, g_object_ref (request));
      g_ptr_array_add (stop->settlements, settlement);
      return;
    }
  copy = beckon_tool_call_new (beckon_tool_call_get_id (call), beckon_tool_call_get_provider_id (call),
                               beckon_tool_call_get_name (call), beckon_tool_call_get_arguments (call));
  beckon_tool_call_set_read_only (copy, beckon_tool_call_get_read_only (call));
  beckon_tool_call_set_times (copy, beckon_tool_call_get_started_at (call), beckon_run_now (stop->run));
  beckon_tool_call_set_state (copy, before);
  cancel_call (stop->run, call, copy);
  beckon_batch_set_call (batch, copy, before);
  g_ptr_array_add (stop->calls, g_object_ref (call));
}

static void
add_cancelled_calls (Stop *stop, BeckonBatch *batch)
{
  g_autoptr (GPtrArray) calls = beckon_call_batch_list (stop->run->calls);

  for (guint i = 0; i < calls->len; i++)
    {
      BeckonToolCall *call = g_ptr_array_index (calls, i);

      if (!beckon_call_state_is_final (beckon_tool_call_get_state (call)))
        add_cancelled_call (stop, call, batch);
    }
}

/* The inbox tells everybody, this run too, which gives each call its result: see beckon_run_settled(). */
static void
show_cancelled (Stop *stop)
{
  BeckonRun *run = stop->run;

  for (guint i = 0; i < stop->calls->len; i++)
    {
      BeckonToolCall *call = g_ptr_array_index (stop->calls, i);

      cancel_call (run, call, call);
      beckon_run_drop_landing (run, call);
    }
  for (guint i = 0; i < stop->requests->len; i++)
    beckon_inbox_note_settlement (run->parts.inbox, g_ptr_array_index (stop->requests, i),
                                  g_ptr_array_index (stop->settlements, i));
  for (guint i = 0; i < stop->landings->len; i++)
    beckon_run_drop_landing (run, g_ptr_array_index (stop->landings, i));
}

static void
on_looked_up (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Stop) stop = user_data;
  BeckonRun *run = stop->run;
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonRequest) found = beckon_request_store_lookup_finish (BECKON_REQUEST_STORE (source), result, &error);

  if (stop->activation != run->activation)
    return;
  run->committing--;
  if (found != NULL && beckon_request_get_state (found) != BECKON_REQUEST_PENDING)
    beckon_inbox_note_settled (run->parts.inbox, g_ptr_array_index (stop->requests, 0),
                               beckon_request_get_state (found), beckon_request_get_answer (found),
                               beckon_request_get_front_end (found), beckon_request_get_actor (found),
                               beckon_request_get_settled_at (found));
  /* Deleted with the conversation. */
  if (g_error_matches (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_UNKNOWN))
    beckon_inbox_note_settled (run->parts.inbox, g_ptr_array_index (stop->requests, 0), BECKON_REQUEST_CANCELLED, NULL,
                               NULL, NULL, beckon_run_now (run));
  beckon_run_step (run);
}

static gboolean
is_outdated (const GError *error)
{
  return g_error_matches (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_ALREADY_SETTLED) ||
         g_error_matches (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_UNKNOWN);
}

/* Another process answered between our last look and the stop, or deleted the conversation. Their answer stands: read it, stop
 * again. */
static void
read_again (BeckonRun *run, GPtrArray *requests)
{
  for (guint i = 0; i < requests->len; i++)
    {
      BeckonRequest *request = g_ptr_array_index (requests, i);
      Stop *stop = stop_new (run);

      g_ptr_array_add (stop->requests, g_object_ref (request));
      run->committing++;
      beckon_request_store_lookup_async (BECKON_REQUEST_STORE (run->parts.store), beckon_request_get_id (request), NULL,
                                         on_looked_up, stop);
    }
}

static void
on_stop_committed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Stop) stop = user_data;
  BeckonRun *run = stop->run;
  g_autoptr (GError) error = NULL;
  gboolean ok = beckon_store_commit_finish (BECKON_STORE (source), result, &error);

  if (stop->activation != run->activation)
    return;
  if (!ok && is_outdated (error) && run->stop_tries++ < MAX_STOP_TRIES)
    {
      run->committing--;
      read_again (run, stop->requests);
      return;
    }
  if (!ok && !g_error_matches (error, BECKON_ERROR, BECKON_ERROR_DEFERRED))
    {
      run->committing--;
      fail_unstored (run, error->message);
      return;
    }
  show_cancelled (stop);
  run->committing--;
  beckon_run_move (run, run->stop_event, NULL);
  beckon_run_show_end (run, GINT_TO_POINTER (BECKON_MESSAGE_STOPPED));
}

void
beckon_run_commit_stop (BeckonRun *run)
{
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_FULL);
  g_autoptr (BeckonRunRecord) ended = beckon_run_dup_moved (run, run->stop_event);
  Stop *stop = stop_new (run);

  add_message_end (run, batch, BECKON_MESSAGE_STOPPED);
  add_cancelled_calls (stop, batch);
  beckon_batch_set_run (batch, ended);
  /* A stop keeps drafts: what waits to be stored goes before its request ends. */
  beckon_inbox_flush (run->parts.inbox);
  beckon_batch_keep (batch);
  run->committing++;
  beckon_store_commit_async (run->parts.store, batch, NULL, on_stop_committed, stop);
}
