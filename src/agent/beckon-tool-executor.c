/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "base/beckon-error.h"
#include "beckon-call-confirmation.h"
#include "beckon-call-executor.h"
#include "beckon-call-landing.h"
#include "beckon-call-secrets.h"
#include "beckon-context.h"
#include "beckon-early-landing.h"
#include "beckon-landing-report.h"
#include "beckon-landing-upkeep.h"
#include "beckon-loop-guard.h"
#include "beckon-tool-prompt.h"
#include "form/beckon-parameters.h"
#include "request/beckon-tool-parameter.h"
#include "tools/beckon-change-tool.h"
#include "tools/beckon-command.h"

#include <string.h>

/* A tool at work on a call that was started (beckon-call-steps.c), and what becomes of its output. */

/* A result longer than this is cut before it goes into the history; tools cut their own output long before. */
#define MAX_RESULT_BYTES (1024 * 1024)

/* No tool that works by itself takes so long, unless it waits for a file system that doesn't answer. A message says it. */
#define PATIENCE_MS (10 * 60 * 1000)

/* Pictures of one result together: two of the largest that models take. */
#define MAX_IMAGE_BYTES (7 * 1024 * 1024)

static char *
tool_executor_tell_arguments (BeckonTool *tool, BeckonToolCall *call, const char *result)
{
  const char *settled = beckon_tool_call_get_settled_arguments (call);
  gboolean is_edited = beckon_tool_call_get_edited_arguments (call) != NULL;
  g_autofree char *completed = NULL;
  g_autofree char *told = NULL;
  g_autofree char *shown = NULL;

  if (!is_edited && settled == NULL)
    return NULL;
  /* No override had a part in it. */
  completed = !is_edited && tool != NULL
                ? beckon_tool_complete_arguments (tool, beckon_tool_call_get_arguments (call), &told) : NULL;
  if (!is_edited && g_strcmp0 (completed, settled) == 0)
    return told != NULL ? g_strdup_printf ("[%s]\n%s", told, result) : NULL;
  shown = beckon_parameters_show_call (call);
  return g_strdup_printf (is_edited ? "The user changed the arguments before it ran, to: %s\n%s"
                                    : "With the user's overrides and the defaults of the tool, it ran with: %s\n%s",
                          shown, result);
}

char *
beckon_call_tell_changes (const BeckonRunScope *scope, BeckonToolCall *call, const char *result)
{
  char *told = tool_executor_tell_arguments (beckon_run_scope_find_tool (scope, call), call, result);
  g_autofree char *before = NULL;

  if (beckon_tool_call_get_planned_by (call) != NULL
      || !beckon_loop_guard_is_repeat (scope->conversation, call, told != NULL ? told : result))
    return told;
  before = told;
  return g_strconcat (before != NULL ? before : result,
                      "\n[You have made this very call twice now, with the same result. Do something else, or say what keeps "
                      "you from going on.]", NULL);
}

typedef struct
{
  BeckonCallBatch *calls;
  BeckonToolCall *call;
  BeckonTool *tool; /* (owned) (nullable) until it runs: as it was when it began, whatever its server says of it later */
  guint ticket;
  guint entered;
  BeckonRevealed *revealed; /* (nullable): the secrets it may use, and what must not be seen of its output */
  GCancellable *cancellable; /* (owned) (nullable) until it runs */
  guint patience;
  gboolean is_given_up;

  /* When it is over. */
  BeckonMask *late; /* (owned) (nullable): the secrets that were given meanwhile, too */
  char *result;     /* (owned) (nullable) */
  GError *error;    /* (owned) (nullable) */
  BeckonToolEnd end;
  BeckonLanding *landing; /* (owned) (nullable): what it changed on a view of the folder */
} Start;

/* A tool that asks a person takes the time that they take. */
static void
start_end_patience (Start *start)
{
  beckon_clock_remove (beckon_call_batch_get_scope (start->calls)->parts.clock, start->patience);
  start->patience = 0;
}

static void
start_free (Start *start)
{
  start_end_patience (start);
  g_clear_object (&start->cancellable);
  beckon_call_batch_unref (start->calls);
  g_object_unref (start->call);
  g_clear_object (&start->tool);
  g_clear_pointer (&start->revealed, beckon_revealed_free);
  beckon_mask_unref (start->late);
  g_free (start->result);
  g_clear_error (&start->error);
  beckon_landing_free (start->landing);
  g_free (start);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Start, start_free)

static gboolean
is_heard (const Start *start)
{
  return !start->is_given_up && beckon_call_batch_is_current (start->calls, start->ticket)
         && beckon_call_batch_is_heard (start->calls, start->entered);
}

static char *
bound_result (char *result)
{
  char *end;

  if (strlen (result) <= MAX_RESULT_BYTES)
    return result;
  end = g_utf8_find_prev_char (result, result + MAX_RESULT_BYTES);
  *end = '\0';
  return result;
}

static void
drop_landing (BeckonCallBatch *calls, gpointer call)
{
  const BeckonRunScope *scope = beckon_call_batch_get_scope (calls);

  beckon_call_landing_drop (scope, call);
}

/* Masks values before the output is used at all. */
static char *
dup_masked (Start *start, const char *output)
{
  BeckonMask *mask = start->revealed != NULL ? start->revealed->mask : NULL;
  g_autofree char *masked = mask != NULL ? beckon_mask_apply (mask, output) : g_strdup (output);

  return start->late != NULL ? beckon_mask_apply (start->late, masked) : g_steal_pointer (&masked);
}

/* The time in which it waited for a person is not the call's own: it is as if it had begun as much later. */
static gint64
get_begin (BeckonToolCall *call, gint64 now)
{
  return MIN (beckon_tool_call_get_started_at (call) + beckon_tool_call_get_waited (call), now);
}

/* A call without a landing has changed nothing that could still come, and its place is not needed. */
static void
store_result (Start *start, const char *output, gboolean is_error)
{
  BeckonCallBatch *calls = start->calls;
  BeckonToolCall *call = start->call;
  const BeckonRunScope *scope = beckon_call_batch_get_scope (calls);
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  gint64 now = beckon_run_scope_now (scope);
  /* The output of a step is for other steps: the model is told of it with the plan. */
  g_autofree char *changed
    = beckon_tool_call_get_planned_by (call) == NULL ? beckon_call_tell_changes (scope, call, output) : NULL;
  g_autofree char *told = changed != NULL ? dup_masked (start, changed) : NULL;
  const char *result = told != NULL ? told : output;

  if (told != NULL)
    beckon_tool_call_set_end (call, beckon_tool_call_get_exit_status (call), G_MAXSIZE);
  beckon_tool_call_set_times (call, get_begin (call, now), now);
  beckon_tool_call_set_result (call, result, is_error);
  beckon_tool_call_apply (call, BECKON_CALL_EVENT_RESULT);
  beckon_batch_keep (batch);
  beckon_batch_set_call (batch, call, BECKON_CALL_STARTED);
  beckon_batch_add_provenance (batch, beckon_run_scope_get_id (scope), beckon_tool_call_get_id (call),
                               is_error ? "failed" : "finished", NULL, now);
  beckon_call_batch_commit (calls, batch, drop_landing, g_object_ref (call), g_object_unref);
}

/* Text about the end, behind the output, is masked by itself, so that it is still known where that begins. */
static char *
take_output (Start *start, const char *result, BeckonToolEnd *end)
{
  gsize length = MIN (end->output_length, strlen (result));
  g_autofree char *given = g_strndup (result, length);
  g_autofree char *output = dup_masked (start, given);
  g_autofree char *rest = dup_masked (start, result + length);

  end->output_length = *rest != '\0' ? strlen (output) : G_MAXSIZE;
  beckon_tool_call_set_end (start->call, end->exit_status, end->output_length);
  return g_strconcat (output, rest, NULL);
}

/* Takes @output. A stop that came meanwhile lets nothing land. */
static void
end_command (Start *start, char *output, const BeckonToolEnd *end)
{
  BeckonCallBatch *calls = start->calls;
  BeckonLanding *landing = g_steal_pointer (&start->landing);

  if (beckon_call_batch_is_stopping (calls))
    {
      g_autofree char *told
        = g_strconcat (output, "\n[The user stopped the run: nothing that it changed is in the folder.]", NULL);

      beckon_landing_free (landing);
      g_free (output);
      store_result (start, told, TRUE);
      return;
    }
  landing->output = output;
  landing->is_failure = end->is_failure;
  landing->exit_status = end->exit_status;
  landing->output_length = end->output_length;
  beckon_call_landing_begin (calls, start->call, landing);
}

/* When the last call before that of a tool of the same server ended, in this turn; 0 for none. */
static gint64
find_last_use (const BeckonRunScope *scope, BeckonToolCall *call, const char *server)
{
  BeckonConversation *conversation = scope->conversation;
  gint64 last = 0;

  for (guint i = beckon_conversation_get_n_messages (conversation); i > 0; i--)
    {
      BeckonMessage *message = beckon_conversation_get_message (conversation, i - 1);

      if (beckon_message_get_role (message) == BECKON_ROLE_USER)
        break;
      for (guint j = 0; j < beckon_message_get_n_parts (message); j++)
        {
          BeckonToolCall *other = beckon_part_get_call (beckon_message_get_part (message, j));
          BeckonTool *tool = other != NULL && other != call ? beckon_run_scope_find_tool (scope, other) : NULL;

          if (tool != NULL && g_strcmp0 (beckon_tool_get_server (tool), server) == 0)
            last = MAX (last, beckon_tool_call_get_finished_at (other));
        }
    }
  return last;
}

/* The calls of a turn may be carried out by several processes, each with servers of its own. */
static const char *
get_loss (Start *start)
{
  const BeckonRunScope *scope = beckon_call_batch_get_scope (start->calls);
  BeckonTool *tool = beckon_run_scope_find_tool (scope, start->call);
  const char *server = tool != NULL ? beckon_tool_get_server (tool) : NULL;
  BeckonMcpService *service
    = server != NULL && scope->parts.servers != NULL ? beckon_mcp_servers_find (scope->parts.servers, server) : NULL;
  gint64 started_at = service != NULL ? beckon_mcp_service_get_started_at (service) : 0;
  gint64 last = started_at != 0 ? find_last_use (scope, start->call, server) : 0;

  return last != 0 && last < started_at
           ? "\n\n[The server was started again after your last call: what it kept in its memory is gone.]" : NULL;
}

/* The model: what a step of a plan gives is for others, and what ran in the background has told it how it began. */
static gboolean
reads_result (BeckonToolCall *call)
{
  return beckon_tool_call_get_planned_by (call) == NULL && beckon_tool_call_get_background (call) == NULL;
}

/* @end: how it ended, where there is a result. */
static void
end_tool (Start *start, const char *result, BeckonToolEnd *end, const GError *error)
{
  BeckonCallBatch *calls = start->calls;
  gboolean is_error = result == NULL || end->is_failure;
  g_autofree char *output = NULL;
  g_autofree char *early = NULL;
  g_autofree char *shown = NULL;
  g_autofree char *told = NULL;
  g_autofree char *ends = NULL;
  const char *loss;

  beckon_call_batch_leave_tool (calls, start->entered);
  if (beckon_call_batch_is_stopping (calls) && g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      beckon_call_batch_step (calls);
      return;
    }
  if (error != NULL)
    beckon_change_error_note (start->call, error);
  output = result != NULL ? take_output (start, result, end) : dup_masked (start, error->message);
  ends = reads_result (start->call) ? beckon_command_take_ends (beckon_run_scope_get_id (beckon_call_batch_get_scope (calls)))
                                    : NULL;
  if (result != NULL && start->landing != NULL)
    {
      /* The differences were made with what was known of secrets when it began. */
      beckon_change_set_mask (start->landing->changes, start->late);
      end_command (start, g_strconcat (bound_result (output), ends, NULL), end);
      return;
    }
  early = beckon_landing_report_early (start->call, TRUE);
  shown = dup_masked (start, early);
  loss = get_loss (start);
  told = g_strconcat (result != NULL ? bound_result (output) : output, shown != NULL ? shown : "", loss != NULL ? loss : "",
                      ends, NULL);
  store_result (start, told, is_error);
}

/* Pictures could show a secret, too, where it can't be masked. */
static void
take_images (Start *start, BeckonTool *tool, GAsyncResult *result)
{
  g_autoptr (GPtrArray) images = beckon_tool_dup_images (tool, result);
  gboolean has_secrets = start->revealed != NULL && start->revealed->has_secrets;
  gsize bytes = 0;

  for (guint i = 0; images != NULL && !has_secrets && i < images->len; i++)
    {
      BeckonPart *image = g_ptr_array_index (images, i);

      bytes += beckon_part_get_length (image);
      if (bytes <= MAX_IMAGE_BYTES)
        beckon_tool_call_add_image (start->call, image);
    }
}

/* Output that nobody can look at for secrets is shown to nobody. */
static void
on_late_mask (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Start) start = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonMask) mask = beckon_known_secrets_make_mask_finish (BECKON_KNOWN_SECRETS (source), result, &error);

  if (!is_heard (start))
    return;
  if (error != NULL)
    {
      g_clear_pointer (&start->result, g_free);
      g_clear_error (&start->error);
      g_set_error (&start->error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
                   "It ran, but what it gave is not shown: it could not be searched for secrets. %s", error->message);
    }
  else if (mask != start->revealed->mask)
    start->late = g_steal_pointer (&mask);
  end_tool (start, start->result, &start->end, start->error);
}

/* A secret may have been given while it ran, here or elsewhere. */
static void
on_tool_done (GObject *source, GAsyncResult *async_result, gpointer user_data)
{
  g_autoptr (Start) start = user_data;
  BeckonCallBatch *calls = start->calls;
  const BeckonRunScope *scope = beckon_call_batch_get_scope (calls);

  if (is_heard (start))
    take_images (start, BECKON_TOOL (source), async_result);
  start->landing = beckon_tool_take_landing (BECKON_TOOL (source), async_result);
  beckon_tool_get_end (BECKON_TOOL (source), async_result, &start->end);
  start->result = beckon_tool_run_finish (BECKON_TOOL (source), async_result, &start->error);
  if (!is_heard (start))
    return;
  beckon_tool_prompt_end (scope, start->call, beckon_call_batch_is_stopping (calls));
  if (start->revealed != NULL)
    beckon_call_secrets_mask_async (scope, on_late_mask, g_steal_pointer (&start));
  else
    end_tool (start, start->result, &start->end, start->error);
}

/* A tool that cuts its output has masked it before, by the mask in the context. */
static void
show_output (const char *text, gpointer data)
{
  Start *start = data;
  gsize length = strlen (text);
  const char *from = length > BECKON_TOOL_REPORT_MAX ? text + length - BECKON_TOOL_REPORT_MAX : text;
  g_autofree char *valid = NULL;
  g_autofree char *shown = NULL;

  if (!is_heard (start))
    return;
  valid = g_utf8_make_valid (from, -1);
  shown = dup_masked (start, valid);
  beckon_tool_call_set_output (start->call, shown);
}

static void
prompt (BeckonRequest *request, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data, gpointer data)
{
  Start *start = data;

  start_end_patience (start);
  /* A command that takes so long shows what it has made so far, as far as nobody has to be asked. */
  if (beckon_tool_call_get_can_land (start->call))
    beckon_early_landing_async (start->calls, start->call, FALSE, NULL, NULL);
  beckon_tool_prompt_async (start->calls, start->call, start->tool, request, cancellable, callback, user_data);
}

/* Its run goes on. */
static gboolean
leave_in_background (const char *told, gpointer data)
{
  Start *start = data;
  g_autofree char *masked = dup_masked (start, told);
  BeckonCallBatch *background;

  if (!is_heard (start) || beckon_call_batch_is_stopping (start->calls))
    return FALSE;
  background = beckon_call_batch_split (start->calls, start->call, masked);
  if (background == NULL)
    return FALSE;
  beckon_call_batch_leave_tool (start->calls, start->entered);
  beckon_call_batch_unref (start->calls);
  start->calls = beckon_call_batch_ref (background);
  start->ticket = beckon_call_batch_get_ticket (background);
  start->entered = beckon_call_batch_enter_tool (background);
  beckon_call_batch_step (background);
  return TRUE;
}

static void
tool_executor_hand_over (const char *resumption, GAsyncReadyCallback callback, gpointer user_data, gpointer data)
{
  Start *start = data;

  beckon_tool_prompt_hand_over (start->calls, start->call, resumption, callback, user_data);
}

/* The tool did not begin. */
static void
refuse_start (Start *start, const char *reason)
{
  g_autoptr (GError) error = g_error_new (BECKON_ERROR, BECKON_ERROR_CONFLICT, "Not run, and nothing was changed: %s", reason);

  end_tool (start, NULL, NULL, error);
  start_free (start);
}

/* Its server has changed the tool since the start was decided, or dropped it. */
static gboolean
is_redefined (BeckonTool *tool, const BeckonCallSurvey *survey)
{
  return tool == NULL
         || (survey != NULL && g_strcmp0 (beckon_tool_get_digest (tool), beckon_call_survey_get_definition (survey)) != 0);
}

/* The tool may never return, and then keeps its start. Should it return, that is not heard. */
static gboolean
tool_executor_on_patience_over (gpointer data)
{
  Start *start = data;
  g_autoptr (GError) error = g_error_new_literal (BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
                                                  "The tool did not finish within 10 minutes and is no longer waited for. It "
                                                  "may have done part of its work, or go on with it: check before you call it "
                                                  "again.");

  start->patience = 0;
  if (!is_heard (start))
    return G_SOURCE_REMOVE;
  end_tool (start, NULL, NULL, error);
  start->is_given_up = TRUE;
  g_cancellable_cancel (start->cancellable);
  return G_SOURCE_REMOVE;
}

/* Room stays for what is said behind it. */
static gsize
get_most_of_result (BeckonCallBatch *calls)
{
  const BeckonRunScope *scope = beckon_call_batch_get_scope (calls);
  BeckonProfile *profile = beckon_agent_parts_find_profile (&scope->parts, scope->conversation);
  gint64 budget = profile != NULL ? beckon_token_meter_get_budget (scope->parts.meter, profile) : 0;

  return beckon_context_get_share (beckon_call_batch_get_message (calls), beckon_context_get_most_of_a_result (budget)) * 3 / 4;
}

static void
begin_tool (Start *start)
{
  BeckonCallBatch *calls = start->calls;
  const BeckonRunScope *scope = beckon_call_batch_get_scope (calls);
  BeckonTool *tool = beckon_run_scope_find_tool (scope, start->call);
  const char *folder = beckon_conversation_get_folder (scope->conversation);
  g_autoptr (BeckonDeniedPaths) denied
    = beckon_denied_paths_new (beckon_run_scope_get_rules (scope), folder, beckon_run_scope_get_id (scope),
                               beckon_run_scope_now (scope));
  const BeckonCallSurvey *survey = beckon_call_batch_get_survey (calls, start->call);
  g_autofree char *resumption = beckon_tool_prompt_dup_resumption (scope, start->call);
  const char *arguments = start->revealed != NULL ? start->revealed->arguments
                                                  : beckon_tool_call_get_effective_arguments (start->call);
  BeckonToolContext context = {
    .conversation_id = beckon_run_scope_get_id (scope),
    .message_id = beckon_call_batch_get_message_id (calls),
    .call = start->call,
    .arguments = arguments,
    /* With secrets in them they are others. */
    .parsed = survey != NULL ? beckon_call_survey_get_parsed (survey, arguments) : NULL,
    .folder = folder,
    /* The result of a step of a plan is for other steps. */
    .most = beckon_tool_call_get_planned_by (start->call) == NULL ? get_most_of_result (calls) : 0,
    .last_output = scope->last_output,
    .denied = denied,
    .lands = beckon_call_batch_is_marked (calls, start->call, BECKON_CALL_MARK_ON_VIEW),
    .mask = start->revealed != NULL ? start->revealed->mask : NULL,
    .files = survey != NULL ? beckon_call_survey_get_bound (survey) : NULL,
    .report = show_output,
    .report_data = start,
    .prompt = prompt,
    .hand_over = tool_executor_hand_over,
    /* A step of a plan gives its result to others. */
    .leave = beckon_tool_call_get_planned_by (start->call) == NULL ? leave_in_background : NULL,
    .prompt_data = start,
    .resumption = resumption,
    .now = beckon_run_scope_now (scope),
  };

  if (is_redefined (tool, survey))
    {
      refuse_start (start, "the server has changed this tool, or no longer has it. Look at its definition and call it again "
                    "if it is still needed.");
      return;
    }
  /* Its folder was changed while the start was being stored. */
  if (survey == NULL)
    {
      refuse_start (start, "the conversation was given another working folder just before. Call it again if it is "
                    "still needed.");
      return;
    }
  start->tool = g_object_ref (tool);
  start->cancellable = g_cancellable_new ();
  g_signal_connect_object (beckon_call_batch_get_cancellable (calls), "cancelled", G_CALLBACK (g_cancellable_cancel),
                           start->cancellable, G_CONNECT_SWAPPED);
  if (g_cancellable_is_cancelled (beckon_call_batch_get_cancellable (calls)))
    g_cancellable_cancel (start->cancellable);
  /* Servers and commands have limits of their own, which the person sets. */
  if (beckon_tool_get_server (tool) == NULL && !beckon_tool_can_land (tool))
    start->patience = beckon_clock_add_timeout (scope->parts.clock, PATIENCE_MS, tool_executor_on_patience_over, start);
  beckon_tool_run_async (tool, &context, start->cancellable, on_tool_done, start);
}

static void
on_held (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Start) start = user_data;

  g_task_propagate_boolean (G_TASK (result), NULL);
  if (is_heard (start))
    begin_tool (g_steal_pointer (&start));
}

/* The place of a temporary conversation must not be taken for one that was left behind. */
static void
begin_or_hold (Start *start)
{
  if (beckon_call_batch_is_marked (start->calls, start->call, BECKON_CALL_MARK_ON_VIEW)
      && beckon_conversation_get_temporary (beckon_call_batch_get_scope (start->calls)->conversation))
    beckon_landing_upkeep_hold_async (on_held, start);
  else
    begin_tool (start);
}

static void
tool_executor_on_revealed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Start) start = user_data;
  g_autoptr (GError) error = NULL;

  start->revealed = beckon_call_secrets_reveal_finish (result, &error);
  if (!is_heard (start))
    return;
  if (start->revealed == NULL)
    end_tool (start, NULL, NULL, error);
  else
    begin_or_hold (g_steal_pointer (&start));
}

/* Only of a call whose start is stored. */
static void
tool_executor_begin (BeckonCallBatch *calls, BeckonToolCall *call)
{
  const BeckonRunScope *scope = beckon_call_batch_get_scope (calls);
  Start *start = g_new0 (Start, 1);

  start->calls = beckon_call_batch_ref (calls);
  start->call = g_object_ref (call);
  start->ticket = beckon_call_batch_get_ticket (calls);
  start->entered = beckon_call_batch_enter_tool (calls);
  if (beckon_call_may_have_secrets (scope, call))
    beckon_call_secrets_reveal_async (scope, call, beckon_call_batch_get_cancellable (calls), tool_executor_on_revealed, start);
  else
    begin_or_hold (start);
}

const BeckonCallExecutor beckon_tool_executor = { .begin = tool_executor_begin };

const BeckonCallExecutor *
beckon_call_find_executor (BeckonToolCall *call)
{
  return beckon_tool_call_get_plan (call) != NULL ? &beckon_plan_executor : &beckon_tool_executor;
}
