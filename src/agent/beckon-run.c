/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-run.h"

#include "base/beckon-error.h"
#include "base/beckon-finish.h"
#include "beckon-call-landing.h"
#include "beckon-call-recovery.h"
#include "beckon-call-steps.h"
#include "beckon-call-stop.h"
#include "beckon-early-landing.h"
#include "beckon-end-turn.h"
#include "beckon-run-preparation.h"
#include "beckon-steering.h"
#include "beckon-tool-prompt.h"
#include "beckon-turn.h"
#include "request/beckon-question-request.h"
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
  BeckonRunRecord *record;     /* (owned): its row as it is to be stored */
  BeckonRunPhase phase_before; /* its last move: taken back where what that was made for could not be stored */
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
  guint steered_round;         /* the last one before which it was asked what a person wants the model to see now */
  guint n_open;                /* questions that the model did not wait for, when that was looked last */
  gboolean is_resting;         /* the model is done but for the answers to those */
  gboolean has_looked;         /* what there is to tell it, since there was news */
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

/* No other function writes a phase. */
static void
run_set_phase (BeckonRunRecord *record, BeckonRunPhase phase, const char *detail, gint64 retry_at)
{
  record->phase = phase;
  g_free (record->detail);
  record->detail = g_strdup (detail);
  record->retry_at = retry_at;
}

static BeckonRunPhase
run_get_next_phase (const BeckonRunRecord *record, BeckonRunEvent event)
{
  BeckonRunPhase next = record->phase;

  if (!beckon_run_phase_next (record->phase, event, &next))
    g_error ("run: event %d does not belong to phase %s", event, beckon_run_phase_to_string (record->phase));
  return next;
}

static void
run_show_phase (BeckonRun *run)
{
  beckon_conversation_set_phase (run->scope->conversation, run->record->phase, run->record->detail, run->record->retry_at);
}

/* run_show_phase() shows it later. */
static void
run_move_unseen (BeckonRun *run, BeckonRunEvent event, const char *detail, gint64 retry_at)
{
  run->phase_before = run->record->phase;
  run_set_phase (run->record, run_get_next_phase (run->record, event), detail, retry_at);
}

/* A phase that is no end shows at once, an end once it is stored. */
void
beckon_run_move (BeckonRun *run, BeckonRunEvent event, const char *detail, gint64 retry_at, BeckonBatch *batch)
{
  run_move_unseen (run, event, detail, retry_at);
  if (!beckon_run_phase_is_end (run->record->phase))
    run_show_phase (run);
  if (batch == NULL)
    return;
  beckon_batch_set_run (batch, run->record);
  beckon_run_write (run, batch);
}

static void
run_step_or_fail (BeckonRun *run, gboolean ok, const GError *error)
{
  if (ok)
    beckon_run_step (run);
  else
    beckon_run_fail (run, error->message);
}

static void
run_on_prepared (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonRun) run = run_ticket_redeem (user_data);
  g_autoptr (GError) error = NULL;
  gboolean ok = beckon_run_preparation_finish (result, &error);

  if (run == NULL)
    return;
  run->is_preparing = FALSE;
  run_step_or_fail (run, ok || run->stopping, error);
  run_go_on_leaving (run);
}

static void
run_on_steered (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonRun) run = run_ticket_redeem (user_data);
  g_autoptr (GError) error = NULL;
  BeckonSteering found;
  gboolean ok = beckon_steering_take_finish (result, &found, &error);

  if (run == NULL)
    return;
  run->n_open = found.n_open;
  run_step_or_fail (run, ok || run->stopping, error);
}

/* --- The inbox ----------------------------------------------------------------------------------------------------- */

typedef struct
{
  BeckonInbox *inbox;     /* (owned) */
  BeckonRequest *request; /* (owned) */
} RunEnded;

static void
run_ended_free (RunEnded *ended)
{
  g_object_unref (ended->inbox);
  g_object_unref (ended->request);
  g_free (ended);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RunEnded, run_ended_free)

/* Another process may have answered it just before. */
static void
run_on_ended_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (RunEnded) ended = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonRequest) found = beckon_request_store_lookup_finish (BECKON_REQUEST_STORE (source), result, &error);

  if (found != NULL && beckon_request_get_state (found) != BECKON_REQUEST_PENDING)
    beckon_inbox_note_settled (ended->inbox, ended->request, beckon_request_get_state (found),
                               beckon_request_get_answer (found), beckon_request_get_front_end (found),
                               beckon_request_get_actor (found), beckon_request_get_settled_at (found));
}

void
beckon_run_tell_inbox (const BeckonAgentParts *parts, const char *conversation_id)
{
  BeckonInbox *inbox = parts->inbox;

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (inbox)); i++)
    {
      g_autoptr (BeckonRequest) request = g_list_model_get_item (G_LIST_MODEL (inbox), i);
      RunEnded *ended;

      if (!beckon_request_is_late (request)
          || g_strcmp0 (beckon_request_get_conversation_id (request), conversation_id) != 0)
        continue;
      ended = g_new0 (RunEnded, 1);
      ended->inbox = g_object_ref (inbox);
      ended->request = g_object_ref (request);
      beckon_request_store_lookup_async (BECKON_REQUEST_STORE (parts->store), beckon_request_get_id (request), NULL,
                                         run_on_ended_read, ended);
    }
}

/* --- Ends ---------------------------------------------------------------------------------------------------------- */

static BeckonReply *
run_get_reply (BeckonRun *run)
{
  return beckon_turn_get_reply (run->turn);
}

static void
run_cancel_round (BeckonRun *run)
{
  beckon_call_batch_abandon_survey (run->calls);
  beckon_turn_cancel_round (run->turn);
}

static void run_release (BeckonRun *run);

/* @status: a #BeckonMessageStatus, of the message that was being received. */
static void
run_show_end (BeckonRun *run, gpointer status)
{
  g_autoptr (GTask) task = NULL;

  run->over = TRUE;
  beckon_turn_show_end (run->turn, GPOINTER_TO_INT (status));
  beckon_tool_prompt_end_left (run->scope, GPOINTER_TO_INT (status) == BECKON_MESSAGE_STOPPED);
  beckon_library_touch (run->scope->parts.library, run->scope->conversation);
  run_show_phase (run);
  beckon_run_tell_inbox (&run->scope->parts, beckon_run_scope_get_id (run->scope));
  task = g_steal_pointer (&run->task);
  run_release (run);
  g_task_return_boolean (task, TRUE);
}

static void
run_write_end (BeckonRun *run, BeckonBatch *batch)
{
  beckon_conversation_set_updated_at (run->scope->conversation, beckon_run_scope_now (run->scope));
  beckon_batch_put_conversation (batch, run->scope->conversation);
  beckon_batch_set_run (batch, run->record);
}

/* Their changes are saved as at any end. Returns: how many are left because a person keeps them. */
static guint
run_end_background (BeckonRun *run, gboolean with_kept)
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
run_end (BeckonRun *run, BeckonRunEvent event, BeckonMessageStatus status, const char *detail)
{
  BeckonBatch *batch;

  if (run->background->len > 0)
    {
      run->is_ending = TRUE;
      run->end_event = event;
      run->end_status = status;
      g_free (run->end_detail);
      run->end_detail = g_strdup (detail);
      run_end_background (run, TRUE);
      return;
    }
  batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  beckon_turn_write_end (run->turn, batch, status);
  beckon_run_move (run, event, detail, 0, NULL);
  run_write_end (run, batch);
  run_commit_end (run, batch, run_show_end, GINT_TO_POINTER (status));
}

/* When even the end cannot be stored it is shown all the same, with the reason: what is on the screen is then all there is. */
static void
run_fail_unstored (BeckonRun *run, const char *detail)
{
  run_set_phase (run->record, BECKON_RUN_FAILED, detail, 0);
  run_show_end (run, GINT_TO_POINTER (BECKON_MESSAGE_FAILED));
}

void
beckon_run_fail (BeckonRun *run, const char *detail)
{
  BeckonReply *reply = run_get_reply (run);
  const char *reason = detail != NULL ? detail : _ ("The model reported an error without saying which.");

  run_cancel_round (run);
  if (reply != NULL && run->record->phase == BECKON_RUN_CALLING)
    {
      /* Unstored calls were not shown either; parts before them go their own way to the store. */
      run_set_phase (run->record, run->phase_before, NULL, 0);
      beckon_call_batch_set_message (run->calls, NULL);
      beckon_reply_rewind (reply);
      beckon_message_set_status (beckon_reply_get_message (reply), BECKON_MESSAGE_STREAMING);
    }
  /* With calls open it is only ever the store that failed. The row stays open, so that the next start takes it up. */
  if (run->record->phase == BECKON_RUN_CALLING || run->record->phase == BECKON_RUN_WAITING
      || !beckon_run_phase_next (run->record->phase, BECKON_RUN_EVENT_FAIL, NULL))
    run_fail_unstored (run, reason);
  else
    run_end (run, BECKON_RUN_EVENT_FAIL, BECKON_MESSAGE_FAILED, reason);
}

/* --- A stop -------------------------------------------------------------------------------------------------------- */

static void
run_on_stopped (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonRun) run = run_ticket_redeem (user_data);
  g_autoptr (GError) error = NULL;
  gboolean ok = beckon_call_stop_finish (result, &error);

  if (run == NULL)
    return;
  if (ok)
    {
      beckon_run_move (run, run->stop_event, NULL, 0, NULL);
      run_show_end (run, GINT_TO_POINTER (BECKON_MESSAGE_STOPPED));
    }
  else if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_PENDING) && run->stop_tries++ < MAX_STOP_TRIES)
    beckon_run_step (run);
  else
    run_fail_unstored (run, error->message);
}

static void
run_commit_stop (BeckonRun *run)
{
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_FULL);
  g_autoptr (BeckonRunRecord) moved = beckon_run_record_copy (run->record);
  BeckonCallStop *stop;

  beckon_run_preparation_take_back (run->preparation);
  beckon_turn_write_end (run->turn, batch, BECKON_MESSAGE_STOPPED);
  for (guint i = 0; i < run->background->len; i++)
    beckon_call_batch_take_back (run->calls, g_ptr_array_index (run->background, i));
  g_ptr_array_set_size (run->background, 0);
  stop = beckon_call_stop_new (run->calls, batch);
  run_set_phase (moved, run_get_next_phase (moved, run->stop_event), NULL, 0);
  beckon_batch_set_run (batch, moved);
  beckon_call_stop_async (stop, batch, run_on_stopped, run_ticket_new (run, TRUE));
}

/* --- The calls of a reply ------------------------------------------------------------------------------------------ */

/* The calls and the requests of a reply, to be shown once they are stored. */
static GPtrArray *
run_shown_new (GPtrArray *calls, GPtrArray *requests)
{
  GPtrArray *shown = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);

  g_ptr_array_add (shown, g_ptr_array_ref (calls));
  g_ptr_array_add (shown, requests);
  return shown;
}

static void
run_show_calls (BeckonRun *run, gpointer shown)
{
  beckon_call_steps_show (run->calls, g_ptr_array_index ((GPtrArray *) shown, 0), g_ptr_array_index ((GPtrArray *) shown, 1));
}

static void
run_on_calls_stored (BeckonRun *run, gpointer shown)
{
  if (!beckon_reply_has_output (run_get_reply (run)))
    beckon_reply_show (run_get_reply (run), run->scope->conversation);
  beckon_turn_forget_round (run->turn);
  run_show_calls (run, shown);
}

static void
run_store_calls (BeckonCallBatch *calls, gpointer user_data)
{
  BeckonRun *run = user_data;
  BeckonReply *reply = run_get_reply (run);
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_FULL);
  GPtrArray *requests = beckon_call_steps_store (calls, reply, batch);

  beckon_run_move (run, BECKON_RUN_EVENT_CALLS, NULL, 0, NULL);
  beckon_batch_set_run (batch, run->record);
  run_commit (run, batch, run_on_calls_stored, run_shown_new (beckon_reply_get_calls (reply), requests),
                           (GDestroyNotify) g_ptr_array_unref);
}

/* Over first: an answer to a request that shows must find the turn at its end. */
static void
run_show_asked (BeckonRun *run, gpointer shown)
{
  run->over = TRUE;
  beckon_conversation_set_phase (run->scope->conversation, BECKON_RUN_ASKED, NULL, 0);
  run_show_calls (run, shown);
  run_show_end (run, GINT_TO_POINTER (BECKON_MESSAGE_COMPLETE));
}

/* A reply that asks may end the turn: then reply, results, requests and the end of the run are one transaction, so that there
 * is no moment in which a question could be answered while its turn still goes on. */
static gboolean
run_try_end_turn (BeckonRun *run)
{
  BeckonReply *reply = run_get_reply (run);
  /* A turn is not over while a question of it is open. */
  g_autoptr (BeckonEndTurn) asked = run->n_open > 0 || run->background->len > 0
                                      ? NULL : beckon_end_turn_new (run->scope, reply);
  BeckonBatch *batch;

  if (asked == NULL)
    return FALSE;
  batch = beckon_batch_new (BECKON_DURABILITY_FULL);
  beckon_end_turn_write (asked, run->scope, reply, batch);
  beckon_call_batch_set_message (run->calls, beckon_reply_get_message (reply));
  beckon_run_move (run, BECKON_RUN_EVENT_ASK, NULL, 0, NULL);
  run_write_end (run, batch);
  run_commit (run, batch, run_show_asked,
                           run_shown_new (beckon_reply_get_calls (reply), beckon_end_turn_list_requests (asked)),
                           (GDestroyNotify) g_ptr_array_unref);
  beckon_turn_forget_round (run->turn);
  return TRUE;
}

/* --- What the turn asks for ---------------------------------------------------------------------------------------- */

static void
run_on_rested (BeckonRun *run, gpointer data)
{
  beckon_turn_show_end (run->turn, BECKON_MESSAGE_COMPLETE);
}

/* The reply is stored with the phase, so that whoever takes the run over knows that there is nothing else to do. The wait is
 * shown once it is known that there is nothing to tell the model. */
static void
run_rest (BeckonRun *run)
{
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_FULL);

  beckon_turn_write_end (run->turn, batch, BECKON_MESSAGE_COMPLETE);
  run_move_unseen (run, BECKON_RUN_EVENT_WAIT, NULL, 0);
  beckon_batch_set_run (batch, run->record);
  run->is_resting = TRUE;
  run->has_looked = FALSE;
  run_commit (run, batch, run_on_rested, NULL, NULL);
}

/* A turn is not over while a question of it is open, or what it left running. */
void
beckon_run_end_turn (BeckonRun *run, BeckonRunEvent event, BeckonMessageStatus status, const char *detail)
{
  if (event == BECKON_RUN_EVENT_COMPLETE && (run->n_open > 0 || run->background->len > 0))
    run_rest (run);
  else
    run_end (run, event, status, detail);
}

/* The main loop does not wait for the files that the calls name, whatever becomes of them. */
void
beckon_run_take_calls (BeckonRun *run, gboolean may_end)
{
  if (may_end && run_try_end_turn (run))
    return;
  beckon_call_batch_survey (run->calls, beckon_reply_get_calls (run_get_reply (run)), FALSE, run_store_calls, run, NULL);
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
run_resume_round (BeckonRun *run, gpointer round)
{
  beckon_round_resume (round);
}

void
beckon_run_store_for_round (BeckonRun *run, BeckonRound *round, BeckonBatch *batch)
{
  run_commit (run, batch, run_resume_round, g_object_ref (round), g_object_unref);
}

/* --- Rounds -------------------------------------------------------------------------------------------------------- */

/* The row is written behind the request: should the process die between the two, the round is simply asked for again. */
static void
run_begin_round (BeckonRun *run)
{
  BeckonBatch *batch;

  if (run->steered_round != run->record->round + 1)
    {
      run->steered_round = run->record->round + 1;
      beckon_steering_take_async (&run->scope->parts, run->scope->conversation, run->record, FALSE, FALSE, run_on_steered,
                                  run_ticket_new (run, TRUE));
      return;
    }
  beckon_turn_add_round (run->turn, run->record->round == 0, run->cancellable);
  run->record->round++;
  beckon_run_move (run, BECKON_RUN_EVENT_REQUEST, NULL, 0, NULL);
  if (!beckon_turn_begin_round (run->turn))
    return;
  batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  beckon_batch_set_run (batch, run->record);
  beckon_run_write (run, batch);
}

static void
run_next_round (BeckonRun *run)
{
  g_autofree char *detail = NULL;
  BeckonRunEvent event;

  if (run->record->phase == BECKON_RUN_WAITING)
    beckon_run_move (run, BECKON_RUN_EVENT_RESUME, NULL, 0, NULL);
  run->is_resting = FALSE;
  beckon_call_batch_set_message (run->calls, NULL);
  if (beckon_turn_is_limited (run->turn, &event, &detail))
    run_end (run, event, BECKON_MESSAGE_COMPLETE, detail);
  else if (run->record->round < run->record->round_limit)
    run_begin_round (run);
  else
    run_end (run, BECKON_RUN_EVENT_LIMIT, BECKON_MESSAGE_COMPLETE, NULL);
}

static void
run_set_waiting (BeckonRun *run, gboolean waiting, const char *detail)
{
  if (waiting == (run->record->phase == BECKON_RUN_WAITING))
    {
      beckon_conversation_set_phase (run->scope->conversation, run->record->phase, detail, 0);
      return;
    }
  beckon_run_move (run, waiting ? BECKON_RUN_EVENT_WAIT : BECKON_RUN_EVENT_RESUME, detail, 0,
                   beckon_batch_new (BECKON_DURABILITY_NORMAL));
}

static void
run_step_calls (BeckonRun *run)
{
  g_autoptr (BeckonCallStanding) standing = NULL;

  if (beckon_call_batch_is_surveying (run->calls))
    return;
  if (beckon_call_batch_get_message (run->calls) == NULL)
    {
      run_next_round (run);
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
      run_set_waiting (run, FALSE, beckon_call_standing_get_tool (standing));
      beckon_call_standing_carry_on (standing, run->calls);
      break;
    case BECKON_CALLS_WAIT:
      run_set_waiting (run, TRUE, NULL);
      break;
    case BECKON_CALLS_DONE:
    default:
      run_next_round (run);
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
  BeckonReply *reply = run_get_reply (run);

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
run_step_background (BeckonRun *run)
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
      run->has_looked = FALSE;
    }
  return run->n_busy == 0;
}

static void
run_on_looked (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonRun) run = run_ticket_redeem (user_data);
  g_autoptr (GError) error = NULL;
  BeckonSteering found;
  gboolean ok = beckon_steering_take_finish (result, &found, &error);

  if (run == NULL)
    return;
  run->n_open = found.n_open;
  if (run->stopping)
    beckon_run_step (run);
  else if (!ok)
    beckon_run_fail (run, error->message);
  else if (found.n_taken > 0)
    run_next_round (run);
  else if (found.is_dismissed || found.n_open > 0)
    {
      if (found.is_dismissed)
        beckon_run_dismiss (run);
      else
        run_set_waiting (run, TRUE, NULL);
      /* There may have been more meanwhile. */
      beckon_run_step (run);
    }
  /* Looked at again after those have ended: a person may have written meanwhile. */
  else if (run->background->len > 0 && run_end_background (run, FALSE) > 0)
    run_set_waiting (run, TRUE, _("Running in the background…"));
  else if (run->background->len == 0)
    run_end (run, BECKON_RUN_EVENT_COMPLETE, BECKON_MESSAGE_COMPLETE, NULL);
}

static void
run_step_rest (BeckonRun *run)
{
  gboolean stops = beckon_settings_get_dismiss (run->scope->parts.settings) == BECKON_DISMISS_STOPS;
  gboolean is_kept = FALSE;

  if (run->has_looked)
    return;
  run->has_looked = TRUE;
  for (guint i = 0; i < run->background->len; i++)
    is_kept = is_kept || beckon_tool_call_get_is_kept (beckon_call_batch_get_only (g_ptr_array_index (run->background, i)));
  /* For the person the turn is over. */
  beckon_steering_take_async (&run->scope->parts, run->scope->conversation, run->record, stops, is_kept, run_on_looked,
                              run_ticket_new (run, TRUE));
}

void
beckon_run_note_news (BeckonRun *run)
{
  run->has_looked = FALSE;
  if (run->is_resting)
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
run_step_stop (BeckonRun *run)
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
    run_commit_stop (run);
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
      run_step_stop (run);
      return;
    }
  if (!run_step_background (run))
    return;
  if (run->is_ending)
    {
      if (run->background->len > 0)
        return;
      run->is_ending = FALSE;
      run_end (run, run->end_event, run->end_status, run->end_detail);
      return;
    }
  if (beckon_call_batch_is_surveying (run->calls) || run->is_preparing)
    return;
  if (beckon_run_preparation_is_asking (run->preparation))
    {
      run_set_waiting (run, TRUE, NULL);
      return;
    }
  if (!beckon_run_preparation_is_done (run->preparation))
    {
      run->is_preparing = TRUE;
      beckon_run_preparation_async (run->preparation, run_on_prepared, run_ticket_new (run, FALSE));
      return;
    }
  switch (run->record->phase)
    {
    case BECKON_RUN_QUEUED:
      run_begin_round (run);
      break;
    case BECKON_RUN_CALLING:
    case BECKON_RUN_WAITING:
      if (run->is_resting)
        run_step_rest (run);
      else
        run_step_calls (run);
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
  run->has_looked = FALSE;
  /* Rules that came with it decide other cards before anybody is shown the next one. */
  if (run->rules_source != 0)
    {
      g_clear_handle_id (&run->rules_source, g_source_remove);
      run->has_new_rules = TRUE;
    }
  beckon_run_step (run);
}

static gboolean
run_on_rules_due (gpointer user_data)
{
  BeckonRun *run = user_data;

  run->rules_source = 0;
  run->has_new_rules = TRUE;
  beckon_run_step (run);
  return G_SOURCE_REMOVE;
}

/* Rules may be taken back in the middle of a step: that one ends first. */
static void
run_on_rules_changed (BeckonRun *run)
{
  if (run->rules_source == 0)
    run->rules_source = g_idle_add (run_on_rules_due, run);
}

/* Work that is under way still has the batches. */
static void
run_drop_background (BeckonRun *run)
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
  run->has_looked = FALSE;
  beckon_call_batch_reset (run->calls);
  run_drop_background (run);
  run->is_impatient = FALSE;
  run->is_preparing = FALSE;
  if (run->patience_timeout != 0)
    beckon_clock_remove (run->scope->parts.clock, run->patience_timeout);
  run->patience_timeout = 0;
  run_cancel_round (run);
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
run_detach (gpointer user_data)
{
  BeckonRun *run = user_data;
  g_autoptr (GTask) task = g_steal_pointer (&run->task);
  BeckonReply *reply = run_get_reply (run);

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
run_on_outer_cancelled (GCancellable *outer, BeckonRun *run)
{
  g_idle_add_full (G_PRIORITY_HIGH, run_detach, g_object_ref (run), g_object_unref);
}

static void
run_on_left (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (BeckonRun) run = run_ticket_redeem (g_task_get_task_data (task));
  g_autoptr (GError) error = NULL;
  gboolean released = beckon_store_release_run_finish (BECKON_STORE (source), result, &error);

  if (run != NULL && released)
    run_detach (run);
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
  gboolean waits = run->record->phase == BECKON_RUN_WAITING || beckon_call_batch_waits_for_forms (run->calls);

  if (!beckon_run_is_driven (run))
    g_task_return_boolean (task, TRUE);
  else if (run->is_preparing)
    g_ptr_array_add (run->leaving, g_object_ref (task));
  else if (!waits || n_pending == 0 || run->stopping || run->n_busy > 0 || beckon_call_batch_is_surveying (run->calls))
    g_task_return_new_error (task, BECKON_ERROR, BECKON_ERROR_CONFLICT, "%s", _ ("The agent is still at work."));
  else
    {
      g_task_set_task_data (task, run_ticket_new (run, TRUE), NULL);
      beckon_store_release_run_async (run->scope->parts.store, run->record->id, n_pending, NULL, run_on_left,
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

BECKON_FINISH_BOOLEAN (beckon_run_release, BeckonRun)

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
  run->rules_handler = g_signal_connect_swapped (run->scope->parts.rules, "changed", G_CALLBACK (run_on_rules_changed), run);
  if (cancellable != NULL)
    {
      run->outer = g_object_ref (cancellable);
      run->outer_handler = g_cancellable_connect (cancellable, G_CALLBACK (run_on_outer_cancelled), run, NULL);
    }
  /* Let go of before it began: what was queued stays queued. */
  if (!g_cancellable_is_cancelled (cancellable))
    beckon_run_step (run);
}

BECKON_FINISH_BOOLEAN (beckon_run_drive, BeckonRun)

/* Stop may be asked for from within a notification of ours, in the middle of a step: that step ends first. */
static gboolean
run_on_stop_due (gpointer user_data)
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
  run_cancel_round (run);
  run->stop_source = g_idle_add_full (G_PRIORITY_HIGH, run_on_stop_due, g_object_ref (run), g_object_unref);
  g_cancellable_cancel (run->cancellable);
}

/* Steps only once this is stored. */
static void
run_store_recovered (BeckonCallBatch *calls, gpointer user_data)
{
  g_autoptr (BeckonCallRecovery) recovery = user_data;
  BeckonRun *run = recovery->run;
  g_autoptr (BeckonBatch) batch = g_steal_pointer (&recovery->batch);
  GPtrArray *requests = beckon_call_recovery_decide (recovery, calls, batch);

  beckon_batch_set_run (batch, run->record);
  beckon_run_commit_calls (run, calls, g_steal_pointer (&batch), beckon_call_recovery_show, requests,
                           (GDestroyNotify) g_ptr_array_unref);
}

/* A run that is over has nothing that could wait. */
void
beckon_run_recover (BeckonRun *run)
{
  g_autoptr (BeckonBatch) batch = beckon_batch_new (BECKON_DURABILITY_FULL);
  g_autoptr (GPtrArray) list = NULL;
  BeckonCallRecovery *recovery;
  BeckonRunPhase next = run->record->phase;

  beckon_run_phase_next (run->record->phase, BECKON_RUN_EVENT_HOLDER_DIED, &next);
  beckon_call_recovery_take_message (run->calls, !beckon_run_phase_is_end (next), batch);
  /* The last reply has no calls. A run that waits before its first round asks something else. */
  list = beckon_call_batch_list (run->calls);
  run->is_resting = run->record->phase == BECKON_RUN_WAITING && run->record->round > 0
                    && beckon_call_batch_get_message (run->calls) != NULL && list->len == 0;
  beckon_run_move (run, BECKON_RUN_EVENT_HOLDER_DIED,
                   run->record->phase == BECKON_RUN_QUEUED ? NULL : _ ("The program ended while this was running."), 0, NULL);
  if (!beckon_run_phase_is_end (run->record->phase))
    {
      recovery = beckon_call_recovery_new (run->calls, run->background, run->record,
                                           g_steal_pointer (&batch), run);
      beckon_call_batch_survey (run->calls, recovery->calls, FALSE, run_store_recovered, recovery,
                                (GDestroyNotify) beckon_call_recovery_free);
      return;
    }
  beckon_batch_set_run (batch, run->record);
  beckon_run_write (run, g_steal_pointer (&batch));
  run->over = TRUE;
  run_show_phase (run);
  beckon_run_tell_inbox (&run->scope->parts, beckon_run_scope_get_id (run->scope));
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
  run->record = record;
  run->phase_before = record->phase;
  run->leaving = g_ptr_array_new_with_free_func (g_object_unref);
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
  run_drop_background (run);
  g_ptr_array_unref (run->background);
  g_free (run->end_detail);
  beckon_run_preparation_abandon (run->preparation);
  beckon_run_preparation_unref (run->preparation);
  beckon_turn_free (run->turn);
  g_clear_object (&run->cancellable);
  beckon_run_record_free (run->record);
  g_ptr_array_unref (run->leaving);
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
