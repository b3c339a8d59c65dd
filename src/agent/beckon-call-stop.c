/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-call-stop.h"

#include "base/beckon-error.h"
#include "base/beckon-finish.h"
#include "base/beckon-worker.h"
#include "beckon-call-confirmation.h"
#include "beckon-call-executor.h"
#include "beckon-call-landing.h"
#include "beckon-call-secrets.h"
#include "beckon-early-landing.h"
#include "beckon-landing-report.h"
#include "landing/beckon-landing-place.h"

static const char stopped_result[] = "The user stopped the run; this call was not run.";
static const char interrupted_result[] =
    "The user stopped the run while this call was running. Whether it took effect is not known.";

static const char without_effect_result[] =
    "The user stopped the run before anything that this command changed was in the folder.";
static const char rest_without_effect_result[] =
    "The user stopped the run while this command was running. What it changed is not in the folder, but for this:";

struct _BeckonCallStop
{
  BeckonCallBatch *calls;   /* (owned) */
  GPtrArray *ended;    /* BeckonToolCall: cancelled by this stop */
  GPtrArray *requests; /* BeckonRequest: likewise; their calls follow them */
  GPtrArray *settlements; /* BeckonSettlement: of each of these */
  GPtrArray *landings; /* BeckonToolCall: those whose changes were asked about */
  guint ticket;
  guint n_looked_up;
};

/* --- Commands of another process ----------------------------------------------------------------------------------- */

/* A command whose start is not known here. */
typedef struct
{
  BeckonCallBatch *calls; /* (owned) */
  BeckonToolCall *call;   /* (owned) */
  BeckonTool *tool;       /* (owned) */
  char *call_id;
  char *arguments;
  gboolean is_on_view;
} Look;

static void
call_stop_look_free (Look *look)
{
  beckon_call_batch_unref (look->calls);
  g_object_unref (look->call);
  g_object_unref (look->tool);
  g_free (look->call_id);
  g_free (look->arguments);
  g_free (look);
}

/* The working folder itself is not looked at: it may not answer. */
static void
call_stop_look (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Look *data = task_data;
  g_autoptr (BeckonToolArguments) parsed = beckon_tool_parse_arguments (data->tool, data->arguments);
  g_auto (BeckonEffects) effects = { 0 };
  g_autofree char *place = beckon_landing_place_get_path (data->call_id);
  BeckonToolContext context = { .conversation_id = "", .message_id = "", .arguments = data->arguments, .parsed = parsed };

  beckon_tool_get_effects (data->tool, &context, &effects);
  data->is_on_view = !effects.uses_network && g_file_test (place, G_FILE_TEST_IS_DIR);
  g_task_return_boolean (task, TRUE);
}

static void
call_stop_on_looked (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Look *data = user_data;

  if (data->is_on_view)
    beckon_call_batch_mark (data->calls, data->call, BECKON_CALL_MARK_ON_VIEW);
  beckon_call_batch_end_landing (data->calls);
  beckon_call_batch_step (data->calls);
  call_stop_look_free (data);
}

static void
begin_look (BeckonCallBatch *calls, BeckonToolCall *call, BeckonTool *tool)
{
  Look *data = g_new0 (Look, 1);
  g_autoptr (GTask) task = g_task_new (NULL, NULL, call_stop_on_looked, data);

  data->calls = beckon_call_batch_ref (calls);
  data->call = g_object_ref (call);
  data->tool = g_object_ref (tool);
  data->call_id = g_strdup (beckon_tool_call_get_id (call));
  data->arguments = g_strdup (beckon_tool_call_get_effective_arguments (call));
  g_task_set_source_tag (task, begin_look);
  g_task_set_task_data (task, data, NULL);
  beckon_call_batch_enter_landing (calls);
  beckon_worker_run (task, call_stop_look);
}

static gboolean
was_started_elsewhere (BeckonCallBatch *calls, BeckonToolCall *call, BeckonTool *tool)
{
  return tool != NULL && beckon_tool_can_land (tool) && beckon_tool_call_get_state (call) == BECKON_CALL_STARTED
         && beckon_tool_call_get_started_at (call) > 0 && !beckon_call_has_landing (call)
         && !beckon_call_batch_is_marked (calls, call, BECKON_CALL_MARK_ON_VIEW);
}

gboolean
beckon_call_stop_look (BeckonCallBatch *calls)
{
  g_autoptr (GPtrArray) list = beckon_call_batch_list (calls);
  gboolean is_looking = FALSE;

  for (guint i = 0; i < list->len; i++)
    {
      BeckonToolCall *call = g_ptr_array_index (list, i);
      BeckonTool *tool = beckon_run_scope_find_tool (beckon_call_batch_get_scope (calls), call);

      if (!was_started_elsewhere (calls, call, tool) || !beckon_call_batch_mark (calls, call, BECKON_CALL_MARK_FOUND))
        continue;
      begin_look (calls, call, tool);
      is_looking = TRUE;
    }
  return is_looking;
}

/* --- The stop ------------------------------------------------------------------------------------------------------ */

/* A command on a view has changed no file in the folder, whatever it did. */
static gboolean
is_without_effect (BeckonCallBatch *calls, BeckonToolCall *call)
{
  return beckon_call_has_landing (call) || beckon_call_batch_is_marked (calls, call, BECKON_CALL_MARK_ON_VIEW);
}

/* Output seen while it ran is all there is to know of its effects. */
char *
beckon_call_stop_describe (BeckonCallBatch *calls, BeckonToolCall *call)
{
  const char *output = beckon_tool_call_get_output (call);
  g_autofree char *early = beckon_landing_report_early (call,
                                                        !beckon_call_may_have_secrets (beckon_call_batch_get_scope (calls),
                                                                                       call));
  const char *fate = !is_without_effect (calls, call) ? interrupted_result
                     : *early != '\0'               ? rest_without_effect_result
                                                    : without_effect_result;

  return output == NULL || *output == '\0' ? g_strconcat (fate, early, NULL)
                                           : g_strdup_printf ("%s%s It put out last:\n%s", fate, early, output);
}

static void
cancel_call (BeckonCallBatch *calls, BeckonToolCall *call, BeckonToolCall *target)
{
  gboolean ran = beckon_tool_call_get_state (call) == BECKON_CALL_UNKNOWN ||
                 (beckon_tool_call_get_state (call) == BECKON_CALL_STARTED && beckon_tool_call_get_started_at (call) > 0);

  const BeckonCallExecutor *executor = beckon_call_find_executor (call);
  g_autofree char *report = executor->report_stopped != NULL
                              ? executor->report_stopped (calls, call)
                            : ran ? beckon_call_stop_describe (calls, call)
                                  : g_strdup (stopped_result);

  beckon_tool_call_set_result (target, report, TRUE);
  beckon_tool_call_apply (target, BECKON_CALL_EVENT_STOPPED);
}

/* The call itself changes only when the stop is stored, because a stop may have to be tried again. */
static void
add_cancelled_call (BeckonCallStop *stop, BeckonToolCall *call, BeckonBatch *batch)
{
  const BeckonRunScope *scope = beckon_call_batch_get_scope (stop->calls);
  BeckonCallState before = beckon_tool_call_get_state (call);
  BeckonRequest *request = BECKON_REQUEST (beckon_tool_call_get_request (call));
  g_autoptr (BeckonToolCall) copy = NULL;

  beckon_early_landing_drop (call, batch);
  if (beckon_call_has_landing (call))
    {
      beckon_batch_drop_landing (batch, beckon_tool_call_get_id (call));
      g_ptr_array_add (stop->landings, g_object_ref (call));
    }
  if ((before == BECKON_CALL_AWAITING || before == BECKON_CALL_UNKNOWN || beckon_call_has_landing (call)) && request != NULL &&
      beckon_request_get_state (request) == BECKON_REQUEST_PENDING)
    {
      g_autoptr (BeckonAnswer) answer = beckon_answer_new (BECKON_ANSWER_CANCELLED, NULL);
      BeckonSettlement *settlement =
          beckon_settlement_new (request, answer, "agent", g_get_user_name (), beckon_run_scope_now (scope));

      beckon_batch_settle (batch, settlement, FALSE);
      g_ptr_array_add (stop->requests, g_object_ref (request));
      g_ptr_array_add (stop->settlements, settlement);
      return;
    }
  copy = beckon_tool_call_new (beckon_tool_call_get_id (call), beckon_tool_call_get_provider_id (call),
                               beckon_tool_call_get_name (call), beckon_tool_call_get_arguments (call));
  beckon_tool_call_set_read_only (copy, beckon_tool_call_get_read_only (call));
  beckon_tool_call_set_times (copy, beckon_tool_call_get_started_at (call), beckon_run_scope_now (scope));
  beckon_tool_call_set_state (copy, before);
  cancel_call (stop->calls, call, copy);
  beckon_batch_set_call (batch, copy, before);
  g_ptr_array_add (stop->ended, g_object_ref (call));
}

BeckonCallStop *
beckon_call_stop_new (BeckonCallBatch *calls, BeckonBatch *batch)
{
  BeckonCallStop *stop = g_new0 (BeckonCallStop, 1);
  g_autoptr (GPtrArray) list = beckon_call_batch_list (calls);

  stop->calls = beckon_call_batch_ref (calls);
  stop->ended = g_ptr_array_new_with_free_func (g_object_unref);
  stop->requests = g_ptr_array_new_with_free_func (g_object_unref);
  stop->settlements = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_settlement_free);
  stop->landings = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; i < list->len; i++)
    {
      BeckonToolCall *call = g_ptr_array_index (list, i);

      if (!beckon_call_state_is_final (beckon_tool_call_get_state (call)))
        add_cancelled_call (stop, call, batch);
    }
  return stop;
}

static void
stop_free (gpointer data)
{
  BeckonCallStop *stop = data;

  beckon_call_batch_unref (stop->calls);
  g_ptr_array_unref (stop->ended);
  g_ptr_array_unref (stop->requests);
  g_ptr_array_unref (stop->settlements);
  g_ptr_array_unref (stop->landings);
  g_free (stop);
}

/* The inbox tells everybody, the run too, which gives each call its result: see beckon_call_steps_settled(). */
static void
call_stop_show (BeckonCallStop *stop)
{
  const BeckonRunScope *scope = beckon_call_batch_get_scope (stop->calls);

  for (guint i = 0; i < stop->ended->len; i++)
    {
      BeckonToolCall *call = g_ptr_array_index (stop->ended, i);

      if (beckon_tool_call_get_state (call) == BECKON_CALL_DECIDED)
        beckon_call_take_rules_back (scope, call);
      cancel_call (stop->calls, call, call);
      beckon_call_landing_drop (scope, call);
    }
  for (guint i = 0; i < stop->requests->len; i++)
    beckon_inbox_note_settlement (scope->parts.inbox, g_ptr_array_index (stop->requests, i),
                                  g_ptr_array_index (stop->settlements, i));
  for (guint i = 0; i < stop->landings->len; i++)
    beckon_call_landing_drop (scope, g_ptr_array_index (stop->landings, i));
}

static void
show_found (BeckonCallStop *stop, BeckonRequest *request, BeckonRequest *found, const GError *error)
{
  const BeckonRunScope *scope = beckon_call_batch_get_scope (stop->calls);

  if (found != NULL && beckon_request_get_state (found) != BECKON_REQUEST_PENDING)
    beckon_inbox_note_settled (scope->parts.inbox, request, beckon_request_get_state (found),
                               beckon_request_get_answer (found), beckon_request_get_front_end (found),
                               beckon_request_get_actor (found), beckon_request_get_settled_at (found));
  /* Deleted with the conversation. */
  if (g_error_matches (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_UNKNOWN))
    beckon_inbox_note_settled (scope->parts.inbox, request, BECKON_REQUEST_CANCELLED, NULL, NULL, NULL,
                               beckon_run_scope_now (scope));
}

static void look_up_next (GTask *task);

static void
call_stop_on_looked_up (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  BeckonCallStop *stop = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonRequest) found = beckon_request_store_lookup_finish (BECKON_REQUEST_STORE (source), result, &error);

  show_found (stop, g_ptr_array_index (stop->requests, stop->n_looked_up++), found, error);
  look_up_next (task);
}

/* Another process answered between our last look and the stop, or deleted the conversation. Their answer stands. */
static void
look_up_next (GTask *task)
{
  BeckonCallStop *stop = g_task_get_task_data (task);
  BeckonStore *store = beckon_call_batch_get_scope (stop->calls)->parts.store;

  if (stop->n_looked_up == stop->requests->len)
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_PENDING, "Somebody else settled a request of this run.");
  else
    beckon_request_store_lookup_async (BECKON_REQUEST_STORE (store),
                                       beckon_request_get_id (g_ptr_array_index (stop->requests, stop->n_looked_up)), NULL,
                                       call_stop_on_looked_up, g_object_ref (task));
}

static gboolean
is_outdated (const GError *error)
{
  return g_error_matches (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_ALREADY_SETTLED)
         || g_error_matches (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_UNKNOWN);
}

static void
call_stop_on_committed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  BeckonCallStop *stop = g_task_get_task_data (task);
  GError *error = NULL;
  gboolean ok = beckon_store_commit_finish (BECKON_STORE (source), result, &error);

  if (is_outdated (error))
    {
      g_error_free (error);
      look_up_next (task);
    }
  else if (!ok && !g_error_matches (error, BECKON_ERROR, BECKON_ERROR_DEFERRED))
    {
      g_task_return_error (task, error);
    }
  else
    {
      g_clear_error (&error);
      if (beckon_call_batch_is_current (stop->calls, stop->ticket))
        call_stop_show (stop);
      g_task_return_boolean (task, TRUE);
    }
}

void
beckon_call_stop_async (BeckonCallStop *stop, BeckonBatch *batch, GAsyncReadyCallback callback, gpointer user_data)
{
  const BeckonRunScope *scope = beckon_call_batch_get_scope (stop->calls);
  g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, user_data);

  g_task_set_source_tag (task, beckon_call_stop_async);
  stop->ticket = beckon_call_batch_get_ticket (stop->calls);
  g_task_set_task_data (task, stop, stop_free);
  /* A stop keeps drafts: what waits to be stored goes before its request ends. */
  beckon_inbox_flush (scope->parts.inbox);
  beckon_batch_keep (batch);
  beckon_store_commit_async (scope->parts.store, batch, NULL, call_stop_on_committed, g_steal_pointer (&task));
}

BECKON_FINISH_LONE_BOOLEAN (beckon_call_stop)
