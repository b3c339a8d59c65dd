/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-run.h"

#include "base/beckon-error.h"
#include "beckon-call-landing.h"
#include "beckon-call-recovery.h"
#include "beckon-call-steps.h"
#include "beckon-call-stop.h"
#include "beckon-early-landing.h"
#include "beckon-end-turn.h"
#include "beckon-run-preparation.h"
#include "beckon-run-rest.h"
#include "beckon-run-row.h"
#include "beckon-tool-prompt.h"
#include "beckon-turn.h"
#include "tools/beckon-command.h"

#include <glib/gi18n-lib.h>

/* A tool that was cancelled is waited for; one that hangs in a file system that does not answer is given up. */
#define STOP_PATIENCE_MS 3000
#define MAX_STOP_TRIES 3

/*
 * Everything happens on the main thread. A callback from outside records what came and calls beckon_run_step(), which decides
 * what is next. While something that decides that is under way the run is busy and nothing steps, so that nothing is done that
 * is not written yet; a callback that belongs to an earlier activation is dropped: see RunTicket. The rounds are a BeckonTurn,
 * the calls a BeckonCallBatch.
 */
struct _BeckonRun
{
  GObject parent_instance;

  BeckonRunScope *scope;       /* (owned) */
  BeckonRunRow *row;           /* (owned) */
  GTask *task;                 /* (owned) (nullable): while it is driven */
  GCancellable *outer;         /* (owned) (nullable): the caller's */
  gulong outer_handler;
  GCancellable *cancellable;   /* (owned): ours, for the provider and the tools */
  gulong changed_handler;
  gulong rules_handler;
  guint rules_source;
  gboolean has_new_rules;      /* since the cards that wait were judged */
  guint activation;            /* how often something else began to drive it, or to let go of it */
  guint n_busy;                /* what a step must wait for */
  BeckonCallBatch *calls;      /* (owned): those of the message that is being worked on */
  GPtrArray *background;       /* (owned) (element-type BeckonCallBatch): those that go on meanwhile, one each */
  BeckonTurn *turn;            /* (owned) */
  guint patience_timeout;
  gboolean is_impatient;
  BeckonRunPreparation *preparation; /* (owned) */
  gboolean is_preparing;       /* reads what has to be known */
  guint stop_source;
  gboolean stopping;           /* an ending was asked for from outside the provider's reply */
  BeckonRunEvent stop_event;
  gboolean is_ending;          /* when nothing is left in the background, as follows */
  BeckonRunEvent end_event;
  BeckonMessageStatus end_status;
  char *end_detail;            /* (owned) (nullable) */
  guint stop_tries;
  gboolean over;
  BeckonRunRest *rest;         /* (owned) */
  GPtrArray *leaving;          /* (owned) (element-type GTask): to let go of it, behind its preparation */
};

G_DEFINE_FINAL_TYPE (BeckonRun, beckon_run, G_TYPE_OBJECT)

typedef void (*RunCommitted) (BeckonRun *run, gpointer user_data);

/* The way back to the run for something that is under way. */
typedef struct
{
  BeckonRun *run; /* (owned) */
  guint activation;
  gboolean is_busy;
  gboolean may_follow;            /* what it tells of may be shown before it is written */
  RunCommitted committed;         /* (nullable) */
  BeckonCallBatch *calls;         /* (owned) (nullable): for what follows */
  BeckonCallBatchWritten written; /* (nullable) */
  gpointer user_data;
  GDestroyNotify destroy;         /* (nullable) */
} RunTicket;

/* @is_busy: the run steps no further until it is redeemed. */
static RunTicket *
run_ticket_new (BeckonRun *run, gboolean is_busy)
{
  RunTicket *ticket = g_new0 (RunTicket, 1);

  ticket->run = g_object_ref (run);
  ticket->activation = run->activation;
  ticket->is_busy = is_busy;
  if (is_busy)
    run->n_busy++;
  return ticket;
}

static void
run_ticket_free (RunTicket *ticket)
{
  if (ticket->destroy != NULL && ticket->user_data != NULL)
    ticket->destroy (ticket->user_data);
  g_clear_pointer (&ticket->calls, beckon_call_batch_unref);
  g_clear_object (&ticket->run);
  g_free (ticket);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RunTicket, run_ticket_free)

/* %FALSE: it belongs to an earlier activation. */
static gboolean
run_ticket_take (RunTicket *ticket)
{
  if (ticket->activation != ticket->run->activation)
    return FALSE;
  if (ticket->is_busy)
    ticket->run->n_busy--;
  return TRUE;
}

/* (transfer full) (nullable): the run; %NULL where it is another activation by now. @ticket: (transfer full) */
static BeckonRun *
run_ticket_redeem (RunTicket *ticket)
{
  g_autoptr (RunTicket) held = ticket;

  return run_ticket_take (held) ? g_steal_pointer (&held->run) : NULL;
}

/* --- Commits ------------------------------------------------------------------------------------------------------- */

static void
run_on_committed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (RunTicket) ticket = user_data;
  g_autoptr (GError) error = NULL;
  gboolean ok = beckon_store_commit_finish (BECKON_STORE (source), result, &error);

  if (!run_ticket_take (ticket))
    return;
  if (!ok && !(ticket->may_follow && g_error_matches (error, BECKON_ERROR, BECKON_ERROR_DEFERRED)))
    {
      beckon_run_fail (ticket->run, error->message);
      return;
    }
  if (ticket->committed != NULL)
    ticket->committed (ticket->run, ticket->user_data);
  if (ticket->written != NULL)
    ticket->written (ticket->calls, ticket->user_data);
  beckon_run_step (ticket->run);
}

/* Writes something that the next step depends on; takes @batch and @user_data. If it cannot be written the run fails, and
 * nothing more is done. */
static void
run_commit (BeckonRun *run, BeckonBatch *batch, RunCommitted committed, gpointer user_data, GDestroyNotify destroy)
{
  RunTicket *ticket = run_ticket_new (run, TRUE);

  ticket->committed = committed;
  ticket->user_data = user_data;
  ticket->destroy = destroy;
  beckon_store_commit_async (run->scope->parts.store, batch, NULL, run_on_committed, ticket);
}

void
beckon_run_commit_calls (BeckonRun *run, BeckonCallBatch *calls, BeckonBatch *batch, BeckonCallBatchWritten written,
                         gpointer user_data, GDestroyNotify destroy)
{
  RunTicket *ticket = run_ticket_new (run, TRUE);

  ticket->calls = beckon_call_batch_ref (calls);
  ticket->written = written;
  ticket->user_data = user_data;
  ticket->destroy = destroy;
  beckon_store_commit_async (run->scope->parts.store, batch, NULL, run_on_committed, ticket);
}

/* Writes how it ended. While that cannot be written it is kept, and shown all the same: the front end says that it is not
 * saved. */
static void
run_commit_end (BeckonRun *run, BeckonBatch *batch, RunCommitted committed, gpointer user_data)
{
  RunTicket *ticket = run_ticket_new (run, TRUE);

  ticket->may_follow = TRUE;
  ticket->committed = committed;
  ticket->user_data = user_data;
  beckon_batch_keep (batch);
  beckon_store_commit_async (run->scope->parts.store, batch, NULL, run_on_committed, ticket);
}

static void
run_on_written (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (RunTicket) ticket = user_data;
  g_autoptr (GError) error = NULL;

  if (!beckon_store_commit_finish (BECKON_STORE (source), result, &error)
      && !g_error_matches (error, BECKON_ERROR, BECKON_ERROR_DEFERRED) && run_ticket_take (ticket)
      && beckon_run_is_driven (ticket->run) && !ticket->run->stopping)
    beckon_run_fail (ticket->run, error->message);
}

void
beckon_run_write (BeckonRun *run, BeckonBatch *batch)
{
  beckon_batch_keep (batch);
  beckon_store_commit_async (run->scope->parts.store, batch, NULL, run_on_written, run_ticket_new (run, FALSE));
}

/* --- What it has to know ------------------------------------------------------------------------------------------- */

static void run_go_on_leaving (BeckonRun *run);

static BeckonRunPhase
get_phase (BeckonRun *run)
{
  return beckon_run_row_get (run->row)->phase;
}

static void
step_or_fail (BeckonRun *run, gboolean ok, const GError *error)
{
  if (ok)
    beckon_run_step (run);
  else
    beckon_run_fail (run, error->message);
}

static void
on_prepared (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonRun) run = run_ticket_redeem (user_data);
  g_autoptr (GError) error = NULL;
  gboolean ok = beckon_run_preparation_finish (result, &error);

  if (run == NULL)
    return;
  run->is_preparing = FALSE;
  step_or_fail (run, ok || run->stopping, error);
  run_go_on_leaving (run);
}

static void
on_steered (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonRun) run = run_ticket_redeem (user_data);
  g_autoptr (GError) error = NULL;
  BeckonSteering found;
  gboolean ok = beckon_steering_take_finish (result, &found, &error);

  if (run == NULL)
    return;
  beckon_run_rest_note (run->rest, &found);
  step_or_fail (run, ok || run->stopping, error);
}

/* --- Ends ---------------------------------------------------------------------------------------------------------- */

static BeckonReply *
get_reply (BeckonRun *run)
{
  return beckon_turn_get_reply (run->turn);
}

static void
cancel_round (BeckonRun *run)
{
  beckon_call_batch_abandon_survey (run->calls);
  beckon_turn_cancel_round (run->turn);
}

static void run_release (BeckonRun *run);

/* @status: a #BeckonMessageStatus, of the message that was being received. */
static void
show_end (BeckonRun *run, gpointer status)
{
  g_autoptr (GTask) task = NULL;

  run->over = TRUE;
  beckon_turn_show_end (run->turn, GPOINTER_TO_INT (status));
  beckon_tool_prompt_end_left (run->scope, GPOINTER_TO_INT (status) == BECKON_MESSAGE_STOPPED);
  beckon_library_touch (run->scope->parts.library, run->scope->conversation);
  beckon_run_row_show (run->row);
  beckon_run_rest_tell_inbox (&run->scope->parts, beckon_run_scope_get_id (run->scope));
  task = g_steal_pointer (&run->task);
  run_release (run);
  g_task_return_boolean (task, TRUE);
}

static void
write_end (BeckonRun *run, BeckonBatch *batch)
{
  beckon_conversation_set_updated_at (run->scope->conversation, beckon_run_scope_now (run->scope));
  beckon_batch_put_conversation (batch, run->scope->conversation);
  beckon_run_row_write (run->row, batch);
}

/* Their changes are saved as at any end. Returns: how many are left because a person keeps them. */
static guint
end_background (BeckonRun *run, gboolean with_kept)
{
  guint n_kept = 0;

  for (guint i = 0; i < run->background->len; i++)
    {
      g_autoptr (BeckonToolCall) call = g_object_ref (beckon_call_batch_get_only (g_ptr_array_index (run->background, i)));

      if (with_kept || !beckon_tool_call_get_is_kept (call))
        beckon_command_end (call, BECKON_COMMAND_TURN_OVER);
      else
        n_kept++;
    }
  return n_kept;
}

/* The rest of the reply, the message's status and the run's row are one transaction; only then the end is shown. */
static void
end_run (BeckonRun *run, BeckonRunEvent event, BeckonMessageStatus status, const char *detail)
{
  BeckonBatch *batch;

  if (run->background->len > 0)
    {
      run->is_ending = TRUE;
      run->end_event = event;
      run->end_status = status;
      g_free (run->end_detail);
      run->end_detail = g_strdup (detail);
      end_background (run, TRUE);
      return;
    }
  batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  beckon_turn_write_end (run->turn, batch, status);
  beckon_run_row_move (run->row, event, detail, 0);
  write_end (run, batch);
  run_commit_end (run, batch, show_end, GINT_TO_POINTER (status));
}

/* When even the end cannot be stored it is shown all the same, with the reason: what is on the screen is then all there is. */
static void
fail_unstored (BeckonRun *run, const char *detail)
{
  beckon_run_row_break_off (run->row, detail);
  show_end (run, GINT_TO_POINTER (BECKON_MESSAGE_FAILED));
}

/* Unstored calls were not shown either; parts before them go their own way to the store. */
static void
take_calls_back (BeckonRun *run)
{
  BeckonReply *reply = get_reply (run);

  beckon_run_row_move_back (run->row);
  beckon_call_batch_set_message (run->calls, NULL);
  beckon_reply_rewind (reply);
  beckon_message_set_status (beckon_reply_get_message (reply), BECKON_MESSAGE_STREAMING);
}

void
beckon_run_fail (BeckonRun *run, const char *detail)
{
  const char *reason = detail != NULL ? detail : _ ("The model reported an error without saying which.");

  cancel_round (run);
  if (beckon_turn_has_round (run->turn) && get_phase (run) == BECKON_RUN_CALLING)
    take_calls_back (run);
  /* With calls open it is only ever the store that failed. The row stays open, so that the next start takes it up. */
  if (get_phase (run) == BECKON_RUN_CALLING || get_phase (run) == BECKON_RUN_WAITING
      || !beckon_run_phase_next (get_phase (run), BECKON_RUN_EVENT_FAIL, NULL))
    fail_unstored (run, reason);
  else
    end_run (run, BECKON_RUN_EVENT_FAIL, BECKON_MESSAGE_FAILED, reason);
}

/* --- A stop -------------------------------------------------------------------------------------------------------- */

static void
on_stopped (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonRun) run = run_ticket_redeem (user_data);
  g_autoptr (GError) error = NULL;
  gboolean ok = beckon_call_stop_finish (result, &error);

  if (run == NULL)
    return;
  if (ok)
    {
      beckon_run_row_move (run->row, run->stop_event, NULL, 0);
      show_end (run, GINT_TO_POINTER (BECKON_MESSAGE_STOPPED));
    }
  else if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_PENDING) && run->stop_tries++ < MAX_STOP_TRIES)
    beckon_run_step (run);
  else
    fail_unstored (run, error->message);
}

static void
commit_stop (BeckonRun *run)
{
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_FULL);
  BeckonCallStop *stop;

  beckon_run_preparation_take_back (run->preparation);
  beckon_turn_write_end (run->turn, batch, BECKON_MESSAGE_STOPPED);
  for (guint i = 0; i < run->background->len; i++)
    beckon_call_batch_take_back (run->calls, g_ptr_array_index (run->background, i));
  g_ptr_array_set_size (run->background, 0);
  stop = beckon_call_stop_new (run->calls, batch);
  beckon_run_row_write_moved (run->row, run->stop_event, batch);
  beckon_call_stop_async (stop, batch, on_stopped, run_ticket_new (run, TRUE));
}

/* --- The calls of a reply ------------------------------------------------------------------------------------------ */

/* The calls and the requests of a reply, to be shown once they are stored. */
static GPtrArray *
shown_new (GPtrArray *calls, GPtrArray *requests)
{
  GPtrArray *shown = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);

  g_ptr_array_add (shown, g_ptr_array_ref (calls));
  g_ptr_array_add (shown, requests);
  return shown;
}

static void
show_calls (BeckonRun *run, gpointer shown)
{
  beckon_call_steps_show (run->calls, g_ptr_array_index ((GPtrArray *) shown, 0), g_ptr_array_index ((GPtrArray *) shown, 1));
}

static void
on_calls_stored (BeckonRun *run, gpointer shown)
{
  if (!beckon_reply_has_output (get_reply (run)))
    beckon_reply_show (get_reply (run), run->scope->conversation);
  beckon_turn_forget_round (run->turn);
  show_calls (run, shown);
}

static void
store_calls (BeckonCallBatch *calls, gpointer user_data)
{
  BeckonRun *run = user_data;
  BeckonReply *reply = get_reply (run);
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_FULL);
  GPtrArray *requests = beckon_call_steps_store (calls, reply, batch);

  beckon_run_row_move (run->row, BECKON_RUN_EVENT_CALLS, NULL, 0);
  beckon_run_row_write (run->row, batch);
  run_commit (run, batch, on_calls_stored, shown_new (beckon_reply_get_calls (reply), requests),
                           (GDestroyNotify) g_ptr_array_unref);
}

/* Over first: an answer to a request that shows must find the turn at its end. */
static void
show_asked (BeckonRun *run, gpointer shown)
{
  run->over = TRUE;
  beckon_conversation_set_phase (run->scope->conversation, BECKON_RUN_ASKED, NULL, 0);
  show_calls (run, shown);
  show_end (run, GINT_TO_POINTER (BECKON_MESSAGE_COMPLETE));
}

/* A reply that asks may end the turn: then reply, results, requests and the end of the run are one transaction, so that there
 * is no moment in which a question could be answered while its turn still goes on. */
static gboolean
try_end_turn (BeckonRun *run)
{
  BeckonReply *reply = get_reply (run);
  /* A turn is not over while a question of it is open. */
  g_autoptr (BeckonEndTurn) asked = beckon_run_rest_is_due (run->rest) || run->background->len > 0
                                      ? NULL : beckon_end_turn_new (run->scope, reply);
  BeckonBatch *batch;

  if (asked == NULL)
    return FALSE;
  batch = beckon_batch_new (BECKON_DURABILITY_FULL);
  beckon_end_turn_write (asked, run->scope, reply, batch);
  beckon_call_batch_set_message (run->calls, beckon_reply_get_message (reply));
  beckon_run_row_move (run->row, BECKON_RUN_EVENT_ASK, NULL, 0);
  write_end (run, batch);
  run_commit (run, batch, show_asked,
                           shown_new (beckon_end_turn_get_calls (asked), beckon_end_turn_list_requests (asked)),
                           (GDestroyNotify) g_ptr_array_unref);
  beckon_turn_forget_round (run->turn);
  return TRUE;
}

/* --- What the turn asks for ---------------------------------------------------------------------------------------- */

static void
on_rested (BeckonRun *run, gpointer data)
{
  beckon_turn_show_end (run->turn, BECKON_MESSAGE_COMPLETE);
}

/* The reply is stored with the phase, so that whoever takes the run over knows that there is nothing else to do. The wait is
 * shown once it is known that there is nothing to tell the model. */
static void
rest (BeckonRun *run)
{
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_FULL);

  beckon_turn_write_end (run->turn, batch, BECKON_MESSAGE_COMPLETE);
  beckon_run_row_move_unseen (run->row, BECKON_RUN_EVENT_WAIT);
  beckon_run_row_write (run->row, batch);
  beckon_run_rest_begin (run->rest);
  run_commit (run, batch, on_rested, NULL, NULL);
}

/* A turn is not over while a question of it is open, or what it left running. */
void
beckon_run_end_turn (BeckonRun *run, BeckonRunEvent event, BeckonMessageStatus status, const char *detail)
{
  if (event == BECKON_RUN_EVENT_COMPLETE && (beckon_run_rest_is_due (run->rest) || run->background->len > 0))
    rest (run);
  else
    end_run (run, event, status, detail);
}

/* The main loop does not wait for the files that the calls name, whatever becomes of them. */
void
beckon_run_take_calls (BeckonRun *run, gboolean may_end)
{
  if (may_end && try_end_turn (run))
    return;
  beckon_call_batch_survey (run->calls, beckon_reply_get_calls (get_reply (run)), FALSE, store_calls, run, NULL);
}

void
beckon_run_move (BeckonRun *run, BeckonRunEvent event, const char *detail, gint64 retry_at, BeckonBatch *batch)
{
  beckon_run_row_move (run->row, event, detail, retry_at);
  if (batch == NULL)
    return;
  beckon_run_row_write (run->row, batch);
  beckon_run_write (run, batch);
}

void
beckon_run_add_note (BeckonRun *run, BeckonMessage *note)
{
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);

  beckon_conversation_add_message (run->scope->conversation, note);
  beckon_batch_add_message (batch, beckon_run_scope_get_id (run->scope), note);
  beckon_run_write (run, batch);
}

static void
resume_round (BeckonRun *run, gpointer round)
{
  beckon_round_resume (round);
}

void
beckon_run_store_for_round (BeckonRun *run, BeckonBatch *batch)
{
  run_commit (run, batch, resume_round, g_object_ref (beckon_turn_get_round (run->turn)), g_object_unref);
}

/* --- Rounds -------------------------------------------------------------------------------------------------------- */

/* The row is written behind the request: should the process die between the two, the round is simply asked for again. */
static void
begin_round (BeckonRun *run)
{
  BeckonBatch *batch;

  if (!beckon_run_preparation_is_steered (run->preparation, beckon_run_row_get (run->row)))
    {
      beckon_run_preparation_steer_async (run->preparation, beckon_run_row_get (run->row), on_steered,
                                          run_ticket_new (run, TRUE));
      return;
    }
  beckon_turn_add_round (run->turn, beckon_run_row_get (run->row)->round == 0, run->cancellable);
  beckon_run_row_add_round (run->row);
  beckon_run_row_move (run->row, BECKON_RUN_EVENT_REQUEST, NULL, 0);
  if (!beckon_turn_begin_round (run->turn))
    return;
  batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  beckon_run_row_write (run->row, batch);
  beckon_run_write (run, batch);
}

static void
next_round (BeckonRun *run)
{
  g_autofree char *detail = NULL;
  BeckonRunEvent event;

  if (get_phase (run) == BECKON_RUN_WAITING)
    beckon_run_row_move (run->row, BECKON_RUN_EVENT_RESUME, NULL, 0);
  beckon_run_rest_end (run->rest);
  beckon_call_batch_set_message (run->calls, NULL);
  if (beckon_turn_is_limited (run->turn, &event, &detail))
    end_run (run, event, BECKON_MESSAGE_COMPLETE, detail);
  else if (beckon_run_row_get (run->row)->round < beckon_run_row_get (run->row)->round_limit)
    begin_round (run);
  else
    end_run (run, BECKON_RUN_EVENT_LIMIT, BECKON_MESSAGE_COMPLETE, NULL);
}

static void
set_waiting (BeckonRun *run, gboolean waiting, const char *detail)
{
  if (waiting == (get_phase (run) == BECKON_RUN_WAITING))
    {
      beckon_conversation_set_phase (run->scope->conversation, get_phase (run), detail, 0);
      return;
    }
  beckon_run_move (run, waiting ? BECKON_RUN_EVENT_WAIT : BECKON_RUN_EVENT_RESUME, detail, 0,
                   beckon_batch_new (BECKON_DURABILITY_NORMAL));
}

static void
step_calls (BeckonRun *run)
{
  g_autoptr (BeckonCallStanding) standing = NULL;

  if (beckon_call_batch_is_checking (run->calls) || beckon_call_batch_is_surveying (run->calls))
    return;
  if (beckon_call_batch_get_message (run->calls) == NULL)
    {
      next_round (run);
      return;
    }
  beckon_tool_prompt_end_left (run->scope, FALSE);
  if (run->has_new_rules)
    {
      run->has_new_rules = FALSE;
      beckon_call_steps_follow_rules (run->calls);
      return;
    }
  standing = beckon_call_standing_new (run->calls);
  switch (beckon_call_standing_get_stand (standing))
    {
    case BECKON_CALLS_WORK:
      set_waiting (run, FALSE, beckon_call_standing_get_tool (standing));
      beckon_call_standing_carry_on (standing, run->calls);
      break;
    case BECKON_CALLS_WAIT:
      set_waiting (run, TRUE, NULL);
      break;
    case BECKON_CALLS_DONE:
    default:
      next_round (run);
      break;
    }
}

/* --- What the calls ask for ---------------------------------------------------------------------------------------- */

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

gboolean
beckon_run_is_driven (BeckonRun *run)
{
  return run->task != NULL && !run->over;
}

gboolean
beckon_run_is_stopping (BeckonRun *run)
{
  return run->stopping;
}

GCancellable *
beckon_run_get_cancellable (BeckonRun *run)
{
  return run->cancellable;
}

GPtrArray *
beckon_run_get_siblings (BeckonRun *run)
{
  BeckonReply *reply = get_reply (run);

  return reply != NULL ? beckon_reply_get_calls (reply) : NULL;
}

void
beckon_run_adopt (BeckonRun *run, BeckonCallBatch *background)
{
  g_ptr_array_add (run->background, beckon_call_batch_ref (background));
}

/* --- Steps --------------------------------------------------------------------------------------------------------- */

/* %FALSE while something of it is being written. */
static gboolean
step_background (BeckonRun *run)
{
  for (guint i = run->background->len; i > 0 && run->n_busy == 0; i--)
    {
      BeckonCallBatch *calls = g_ptr_array_index (run->background, i - 1);
      g_autoptr (BeckonCallStanding) standing = beckon_call_standing_new (calls);

      if (beckon_call_standing_get_stand (standing) != BECKON_CALLS_DONE)
        {
          beckon_call_standing_carry_on (standing, calls);
          continue;
        }
      beckon_call_batch_detach (calls);
      g_ptr_array_remove_index (run->background, i - 1);
      beckon_run_rest_wake (run->rest);
    }
  return run->n_busy == 0;
}

static void
take_news (BeckonRun *run, BeckonRestNews news)
{
  switch (news)
    {
    case BECKON_REST_GOES_ON:
      next_round (run);
      return;
    case BECKON_REST_OVER:
      /* Checked again after those have ended: a person may have written meanwhile. */
      if (run->background->len > 0 && end_background (run, FALSE) > 0)
        set_waiting (run, TRUE, _("Running in the background…"));
      else if (run->background->len == 0)
        end_run (run, BECKON_RUN_EVENT_COMPLETE, BECKON_MESSAGE_COMPLETE, NULL);
      return;
    case BECKON_REST_DISMISSED:
      beckon_run_dismiss (run);
      break;
    case BECKON_REST_WAITS:
    default:
      set_waiting (run, TRUE, NULL);
      break;
    }
  /* There may have been more meanwhile. */
  beckon_run_step (run);
}

static void
run_on_looked (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonRun) run = run_ticket_redeem (user_data);
  g_autoptr (GError) error = NULL;
  BeckonRestNews news;

  if (run == NULL)
    return;
  if (!beckon_run_rest_look_finish (run->rest, result, &news, &error) && !run->stopping)
    beckon_run_fail (run, error->message);
  else if (run->stopping)
    beckon_run_step (run);
  else
    take_news (run, news);
}

static void
step_rest (BeckonRun *run)
{
  gboolean is_kept = FALSE;

  if (!beckon_run_rest_has_news (run->rest))
    return;
  for (guint i = 0; i < run->background->len; i++)
    is_kept = is_kept || beckon_tool_call_get_is_kept (beckon_call_batch_get_only (g_ptr_array_index (run->background, i)));
  /* For the person the turn is over. */
  beckon_run_rest_look_async (run->rest, beckon_run_row_get (run->row), is_kept, run_on_looked,
                              run_ticket_new (run, TRUE));
}

void
beckon_run_note_news (BeckonRun *run)
{
  beckon_run_rest_wake (run->rest);
  if (beckon_run_rest_is_resting (run->rest))
    beckon_run_step (run);
}

static gboolean
run_on_patience_over (gpointer user_data)
{
  BeckonRun *run = user_data;

  run->patience_timeout = 0;
  run->is_impatient = TRUE;
  beckon_run_step (run);
  return G_SOURCE_REMOVE;
}

static void
step_stop (BeckonRun *run)
{
  gboolean has_tools = FALSE, is_busy = FALSE;

  for (guint i = 0; i <= run->background->len; i++)
    {
      BeckonCallBatch *calls = i > 0 ? g_ptr_array_index (run->background, i - 1) : run->calls;

      if (run->is_impatient)
        beckon_call_batch_give_up_tools (calls);
      has_tools = has_tools || beckon_call_batch_has_tools (calls);
      is_busy = beckon_call_batch_is_busy (calls) || beckon_call_landings_finish (calls) || beckon_call_stop_look (calls)
                || is_busy;
    }
  if (!is_busy)
    commit_stop (run);
  else if (has_tools && run->patience_timeout == 0)
    run->patience_timeout = beckon_clock_add_timeout (run->scope->parts.clock, STOP_PATIENCE_MS, run_on_patience_over, run);
}

void
beckon_run_step (BeckonRun *run)
{
  if (run->task == NULL || run->over || run->n_busy > 0)
    return;
  if (run->stopping)
    {
      step_stop (run);
      return;
    }
  if (!step_background (run))
    return;
  if (run->is_ending)
    {
      if (run->background->len > 0)
        return;
      run->is_ending = FALSE;
      end_run (run, run->end_event, run->end_status, run->end_detail);
      return;
    }
  if (beckon_call_batch_is_surveying (run->calls) || run->is_preparing)
    return;
  if (beckon_run_preparation_is_asking (run->preparation))
    {
      set_waiting (run, TRUE, NULL);
      return;
    }
  if (!beckon_run_preparation_is_done (run->preparation))
    {
      run->is_preparing = TRUE;
      beckon_run_preparation_async (run->preparation, on_prepared, run_ticket_new (run, FALSE));
      return;
    }
  switch (get_phase (run))
    {
    case BECKON_RUN_QUEUED:
      begin_round (run);
      break;
    case BECKON_RUN_CALLING:
    case BECKON_RUN_WAITING:
      if (beckon_run_rest_is_resting (run->rest))
        step_rest (run);
      else
        step_calls (run);
      break;
    case BECKON_RUN_REQUESTING:
    case BECKON_RUN_RETRY_WAIT:
    case BECKON_RUN_RECEIVING:
      break; /* The provider's callbacks and the retry's timeout move these on. */
    case BECKON_RUN_COMPLETE:
    case BECKON_RUN_STOPPED:
    case BECKON_RUN_DISMISSED:
    case BECKON_RUN_FAILED:
    case BECKON_RUN_CUT_OFF:
    case BECKON_RUN_LENGTH:
    case BECKON_RUN_ROUND_LIMIT:
    case BECKON_RUN_REFUSED:
    case BECKON_RUN_FILTERED:
    case BECKON_RUN_PAUSED:
    case BECKON_RUN_ASKED:
    default: g_assert_not_reached ();
    }
}

void
beckon_run_follow_settlement (BeckonRun *run, BeckonRequest *request, const BeckonSettlement *settlement)
{
  if (!beckon_run_is_driven (run))
    return;
  beckon_call_steps_settled (run->calls, request, settlement);
  beckon_run_rest_wake (run->rest);
  beckon_run_step (run);
}

static gboolean
on_rules_due (gpointer user_data)
{
  BeckonRun *run = user_data;

  run->rules_source = 0;
  run->has_new_rules = TRUE;
  beckon_run_step (run);
  return G_SOURCE_REMOVE;
}

/* Rules may be taken back in the middle of a step: that one ends first. */
static void
on_rules_changed (BeckonRun *run)
{
  if (run->rules_source == 0)
    run->rules_source = g_idle_add (on_rules_due, run);
}

/* Work that is under way still has the batches. */
static void
drop_background (BeckonRun *run)
{
  for (guint i = 0; i < run->background->len; i++)
    beckon_call_batch_detach (g_ptr_array_index (run->background, i));
  g_ptr_array_set_size (run->background, 0);
}

/* Everything that could call back later is taken back, and what cannot be is told apart by the activation's number. */
static void
run_release (BeckonRun *run)
{
  run->activation++;
  run->n_busy = 0;
  beckon_run_rest_wake (run->rest);
  beckon_call_batch_reset (run->calls);
  drop_background (run);
  run->is_impatient = FALSE;
  run->is_preparing = FALSE;
  if (run->patience_timeout != 0)
    beckon_clock_remove (run->scope->parts.clock, run->patience_timeout);
  run->patience_timeout = 0;
  cancel_round (run);
  /* Another process may drive the run next, and send requests. */
  beckon_turn_forget_prefix (run->turn);
  g_clear_handle_id (&run->stop_source, g_source_remove);
  g_cancellable_cancel (run->cancellable);
  if (run->changed_handler != 0)
    g_clear_signal_handler (&run->changed_handler, run->scope->parts.store);
  g_clear_handle_id (&run->rules_source, g_source_remove);
  if (run->rules_handler != 0)
    g_clear_signal_handler (&run->rules_handler, run->scope->parts.rules);
  g_cancellable_disconnect (run->outer, run->outer_handler);
  run->outer_handler = 0;
  g_clear_object (&run->outer);
  run_go_on_leaving (run);
}

static gboolean
detach (gpointer user_data)
{
  BeckonRun *run = user_data;
  g_autoptr (GTask) task = g_steal_pointer (&run->task);
  BeckonReply *reply = get_reply (run);

  if (task == NULL)
    return G_SOURCE_REMOVE;
  if (reply != NULL && beckon_reply_has_output (reply))
    {
      BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);

      beckon_reply_flush (reply, batch, beckon_run_scope_get_id (run->scope));
      beckon_batch_keep (batch);
      beckon_store_commit_async (run->scope->parts.store, batch, NULL, NULL, NULL);
    }
  run_release (run);
  g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_CANCELLED, "%s", _ ("The run was left open."));
  return G_SOURCE_REMOVE;
}

/* A cancellable may be cancelled from anywhere, even from inside one of our own calls: let go from a clean stack. */
static void
on_outer_cancelled (GCancellable *outer, BeckonRun *run)
{
  g_idle_add_full (G_PRIORITY_HIGH, detach, g_object_ref (run), g_object_unref);
}

static void
run_on_left (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (BeckonRun) run = run_ticket_redeem (g_task_get_task_data (task));
  g_autoptr (GError) error = NULL;
  gboolean released = beckon_store_release_run_finish (BECKON_STORE (source), result, &error);

  if (run != NULL && released)
    detach (run);
  else if (run != NULL)
    beckon_run_step (run);
  if (run != NULL && !released)
    g_task_return_error (task, g_steal_pointer (&error));
  else
    g_task_return_boolean (task, TRUE);
}

/* An accepted answer is carried out by the process that drives the run, so none is left behind: without an open request there
 * is something to do, although it may not have begun yet. A run that prepares has not looked at what was answered meanwhile. No
 * work begins before it is known whether another process may. */
static void
run_try_leave (BeckonRun *run, GTask *task)
{
  guint n_pending = beckon_inbox_count_for (run->scope->parts.inbox, beckon_run_scope_get_id (run->scope));
  gboolean waits = get_phase (run) == BECKON_RUN_WAITING || beckon_call_batch_waits_for_forms (run->calls);

  if (!beckon_run_is_driven (run))
    g_task_return_boolean (task, TRUE);
  else if (run->is_preparing)
    g_ptr_array_add (run->leaving, g_object_ref (task));
  else if (!waits || n_pending == 0 || run->stopping || run->n_busy > 0 || beckon_call_batch_is_surveying (run->calls)
           || beckon_call_batch_is_checking (run->calls))
    g_task_return_new_error (task, BECKON_ERROR, BECKON_ERROR_CONFLICT, "%s", _ ("The agent is still at work."));
  else
    {
      g_task_set_task_data (task, run_ticket_new (run, TRUE), NULL);
      beckon_store_release_run_async (run->scope->parts.store, beckon_run_row_get (run->row)->id, n_pending, NULL, run_on_left,
                                      g_object_ref (task));
    }
}

/* Its preparation is over, or the run is. */
static void
run_go_on_leaving (BeckonRun *run)
{
  g_autoptr (GPtrArray) leaving = g_steal_pointer (&run->leaving);

  run->leaving = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; i < leaving->len; i++)
    run_try_leave (run, g_ptr_array_index (leaving, i));
}

void
beckon_run_release_async (BeckonRun *run, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (run, NULL, callback, user_data);

  g_task_set_source_tag (task, beckon_run_release_async);
  run_try_leave (run, task);
}

gboolean
beckon_run_release_finish (BeckonRun *run, GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

void
beckon_run_drive_async (BeckonRun *run, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  /* The caller's cancellable means "let go", which takes a moment; the task reports it itself. */
  run->task = g_task_new (run, NULL, callback, user_data);
  g_task_set_source_tag (run->task, beckon_run_drive_async);
  g_set_object (&run->cancellable, NULL);
  run->cancellable = g_cancellable_new ();
  run->changed_handler = g_signal_connect_swapped (run->scope->parts.store, "changed-elsewhere",
                                                   G_CALLBACK (beckon_run_note_news), run);
  run->rules_handler = g_signal_connect_swapped (run->scope->parts.rules, "changed", G_CALLBACK (on_rules_changed), run);
  if (cancellable != NULL)
    {
      run->outer = g_object_ref (cancellable);
      run->outer_handler = g_cancellable_connect (cancellable, G_CALLBACK (on_outer_cancelled), run, NULL);
    }
  /* Let go of before it began: what was queued stays queued. */
  if (!g_cancellable_is_cancelled (cancellable))
    beckon_run_step (run);
}

gboolean
beckon_run_drive_finish (BeckonRun *run, GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

/* Stop may be asked for from within a notification of ours, in the middle of a step: that step ends first. */
static gboolean
on_stop_due (gpointer user_data)
{
  BeckonRun *run = user_data;

  run->stop_source = 0;
  beckon_run_step (run);
  return G_SOURCE_REMOVE;
}

void
beckon_run_stop (BeckonRun *run)
{
  if (run->stopping || run->over || run->task == NULL)
    return;
  run->stopping = TRUE;
  run->stop_event = BECKON_RUN_EVENT_STOP;
  cancel_round (run);
  run->stop_source = g_idle_add_full (G_PRIORITY_HIGH, on_stop_due, g_object_ref (run), g_object_unref);
  g_cancellable_cancel (run->cancellable);
}

/* Steps only once this is stored. */
static void
store_recovered (BeckonCallBatch *calls, gpointer user_data)
{
  g_autoptr (BeckonCallRecovery) recovery = user_data;
  BeckonRun *run = recovery->run;
  g_autoptr (BeckonBatch) batch = g_steal_pointer (&recovery->batch);
  GPtrArray *requests = beckon_call_recovery_decide (recovery, calls, batch);

  beckon_run_row_write (run->row, batch);
  beckon_run_commit_calls (run, calls, g_steal_pointer (&batch), beckon_call_recovery_show, requests,
                           (GDestroyNotify) g_ptr_array_unref);
}

/* A run that is over has nothing that could wait. */
void
beckon_run_recover (BeckonRun *run)
{
  g_autoptr (BeckonBatch) batch = beckon_batch_new (BECKON_DURABILITY_FULL);
  BeckonCallRecovery *recovery;
  BeckonRunPhase next = get_phase (run);

  beckon_run_phase_next (get_phase (run), BECKON_RUN_EVENT_HOLDER_DIED, &next);
  beckon_call_recovery_take_message (run->calls, !beckon_run_phase_is_end (next), batch);
  beckon_run_rest_recover (run->rest, beckon_run_row_get (run->row), run->calls);
  beckon_run_row_move (run->row, BECKON_RUN_EVENT_HOLDER_DIED,
                       get_phase (run) == BECKON_RUN_QUEUED ? NULL : _ ("The program ended while this was running."), 0);
  if (!beckon_run_phase_is_end (get_phase (run)))
    {
      recovery = beckon_call_recovery_new (run->calls, run->background, beckon_run_row_get (run->row),
                                           g_steal_pointer (&batch), run);
      beckon_call_batch_survey (run->calls, recovery->calls, FALSE, store_recovered, recovery,
                                (GDestroyNotify) beckon_call_recovery_free);
      return;
    }
  beckon_run_row_write (run->row, batch);
  beckon_run_write (run, g_steal_pointer (&batch));
  run->over = TRUE;
  beckon_run_row_show (run->row);
  beckon_run_rest_tell_inbox (&run->scope->parts, beckon_run_scope_get_id (run->scope));
}

void
beckon_run_land_now_async (BeckonRun *run, BeckonToolCall *call, GAsyncReadyCallback callback, gpointer user_data)
{
  BeckonCallBatch *calls = run->calls;

  for (guint i = 0; i < run->background->len; i++)
    if (beckon_call_batch_get_only (g_ptr_array_index (run->background, i)) == call)
      calls = g_ptr_array_index (run->background, i);
  beckon_early_landing_async (calls, call, TRUE, callback, user_data);
}

BeckonLandNow
beckon_run_land_now_finish (GAsyncResult *result, GError **error)
{
  return beckon_early_landing_finish (result, error);
}

BeckonConversation *
beckon_run_get_conversation (BeckonRun *run)
{
  return run->scope->conversation;
}

gboolean
beckon_run_is_over (BeckonRun *run)
{
  return run->over;
}

BeckonRun *
beckon_run_new (const BeckonAgentParts *parts, BeckonConversation *conversation, BeckonRunRecord *record,
                gboolean has_person)
{
  BeckonRun *run = g_object_new (BECKON_TYPE_RUN, NULL);

  run->scope = beckon_run_scope_new (parts, conversation, has_person);
  run->row = beckon_run_row_new (record, conversation);
  run->leaving = g_ptr_array_new_with_free_func (g_object_unref);
  run->rest = beckon_run_rest_new (run->scope);
  run->background = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_call_batch_unref);
  run->calls = beckon_call_batch_new (run->scope, run);
  run->turn = beckon_turn_new (run->scope, record->profile_id, run);
  run->preparation = beckon_run_preparation_new (run->scope, run->turn, record->round > 0);
  return run;
}

static void
beckon_run_finalize (GObject *object)
{
  BeckonRun *run = BECKON_RUN (object);

  /* A task owns a reference to its run, so none can be open here. */
  g_assert (run->task == NULL && run->leaving->len == 0);
  g_assert (run->stop_source == 0);

  beckon_call_batch_detach (run->calls);
  beckon_call_batch_set_message (run->calls, NULL);
  beckon_call_batch_unref (run->calls);
  drop_background (run);
  g_ptr_array_unref (run->background);
  g_free (run->end_detail);
  beckon_run_preparation_abandon (run->preparation);
  beckon_run_preparation_unref (run->preparation);
  beckon_turn_free (run->turn);
  g_clear_object (&run->cancellable);
  beckon_run_row_free (run->row);
  g_ptr_array_unref (run->leaving);
  beckon_run_rest_free (run->rest);
  beckon_run_scope_unref (run->scope);
  G_OBJECT_CLASS (beckon_run_parent_class)->finalize (object);
}

static void
beckon_run_class_init (BeckonRunClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = beckon_run_finalize;
}

static void
beckon_run_init (BeckonRun *run)
{
}
