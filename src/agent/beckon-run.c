/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-run.h"

#include "beckon-call-landing.h"
#include "beckon-call-recovery.h"
#include "beckon-call-steps.h"
#include "beckon-call-stop.h"
#include "beckon-early-landing.h"
#include "beckon-end-turn.h"
#include "beckon-run-commits.h"
#include "beckon-run-preparation.h"
#include "beckon-run-release.h"
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
 * Everything happens on the main thread. A callback from outside records what came and calls run_step(), which decides what is
 * next. While a commit that decides something is under way nothing steps, so that nothing is done that is not written yet, and
 * callbacks that belong to an earlier activation are dropped: see BeckonRunCommits. The rounds are a BeckonTurn, the calls a
 * BeckonCallBatch; both are told what they need of the run when they are made, and neither sees it.
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
  gulong settled_handler;
  gulong changed_handler;
  gulong rules_handler;
  guint rules_source;
  gboolean has_new_rules;      /* since the cards that wait were judged */
  BeckonRunCommits *commits;   /* (owned) */
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
  BeckonRunRelease *release;   /* (owned) */
};

G_DEFINE_FINAL_TYPE (BeckonRun, beckon_run, G_TYPE_OBJECT)

static void run_step (gpointer run);
static void run_fail (gpointer run, const char *detail);

static BeckonRunPhase
get_phase (BeckonRun *run)
{
  return beckon_run_row_get (run->row)->phase;
}

static void
run_move (BeckonRun *run, BeckonRunEvent event, const char *detail)
{
  beckon_run_row_move (run->row, event, detail, 0);
}

static void
write_row (BeckonRun *run)
{
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);

  beckon_run_row_write (run->row, batch);
  beckon_run_commits_behind (run->commits, batch);
}

static void
step_or_fail (BeckonRun *run, gboolean ok, const GError *error)
{
  if (ok)
    run_step (run);
  else
    run_fail (run, error->message);
}

static void
on_prepared (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonRun) run = beckon_run_ticket_redeem (user_data);
  g_autoptr (GError) error = NULL;
  gboolean ok = beckon_run_preparation_finish (result, &error);

  if (run == NULL)
    return;
  run->is_preparing = FALSE;
  step_or_fail (run, ok || run->stopping, error);
  beckon_run_release_go_on (run->release);
}

static void
on_steered (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonRun) run = beckon_run_ticket_redeem (user_data);
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
show_end (gpointer data, gpointer status)
{
  BeckonRun *run = data;
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
end_run (gpointer data, BeckonRunEvent event, BeckonMessageStatus status, const char *detail)
{
  BeckonRun *run = data;
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
  run_move (run, event, detail);
  write_end (run, batch);
  beckon_run_commits_end (run->commits, batch, show_end, GINT_TO_POINTER (status));
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

static void
run_fail (gpointer data, const char *detail)
{
  BeckonRun *run = data;
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
  g_autoptr (BeckonRun) run = beckon_run_ticket_redeem (user_data);
  g_autoptr (GError) error = NULL;
  gboolean ok = beckon_call_stop_finish (result, &error);

  if (run == NULL)
    return;
  if (ok)
    {
      run_move (run, run->stop_event, NULL);
      show_end (run, GINT_TO_POINTER (BECKON_MESSAGE_STOPPED));
    }
  else if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_PENDING) && run->stop_tries++ < MAX_STOP_TRIES)
    run_step (run);
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
  beckon_call_stop_async (stop, batch, on_stopped, beckon_run_ticket_new (run->commits, TRUE));
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
on_calls_stored (gpointer data, gpointer shown)
{
  BeckonRun *run = data;

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

  run_move (run, BECKON_RUN_EVENT_CALLS, NULL);
  beckon_run_row_write (run->row, batch);
  beckon_run_commits_step (run->commits, batch, on_calls_stored, shown_new (beckon_reply_get_calls (reply), requests),
                           (GDestroyNotify) g_ptr_array_unref);
}

/* Over first: an answer to a request that shows must find the turn at its end. */
static void
show_asked (gpointer data, gpointer shown)
{
  BeckonRun *run = data;

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
  run_move (run, BECKON_RUN_EVENT_ASK, NULL);
  write_end (run, batch);
  beckon_run_commits_step (run->commits, batch, show_asked,
                           shown_new (beckon_end_turn_get_calls (asked), beckon_end_turn_list_requests (asked)),
                           (GDestroyNotify) g_ptr_array_unref);
  beckon_turn_forget_round (run->turn);
  return TRUE;
}

/* --- What the turn asks for ---------------------------------------------------------------------------------------- */

static void
on_rested (gpointer run, gpointer data)
{
  beckon_turn_show_end (BECKON_RUN (run)->turn, BECKON_MESSAGE_COMPLETE);
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
  beckon_run_commits_step (run->commits, batch, on_rested, NULL, NULL);
}

/* A turn is not over while a question of it is open, or what it left running. */
static void
end_turn (gpointer data, BeckonRunEvent event, BeckonMessageStatus status, const char *detail)
{
  BeckonRun *run = data;

  if (event == BECKON_RUN_EVENT_COMPLETE && (beckon_run_rest_is_due (run->rest) || run->background->len > 0))
    rest (run);
  else
    end_run (run, event, status, detail);
}

/* The main loop does not wait for the files that the calls name, whatever becomes of them. */
static void
on_turn_calls (gpointer data, gboolean may_end)
{
  BeckonRun *run = data;

  if (may_end && try_end_turn (run))
    return;
  beckon_call_batch_survey (run->calls, beckon_reply_get_calls (get_reply (run)), FALSE, store_calls, run, NULL);
}

static void
on_turn_moved (BeckonRunEvent event, const char *detail, gint64 retry_at, BeckonBatch *batch, gpointer user_data)
{
  BeckonRun *run = user_data;

  beckon_run_row_move (run->row, event, detail, retry_at);
  if (batch == NULL)
    return;
  beckon_run_row_write (run->row, batch);
  beckon_run_commits_behind (run->commits, batch);
}

static void
on_turn_wrote (BeckonBatch *batch, gpointer run)
{
  beckon_run_commits_behind (BECKON_RUN (run)->commits, batch);
}

static void
add_note (BeckonMessage *note, gpointer user_data)
{
  BeckonRun *run = user_data;
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);

  beckon_conversation_add_message (run->scope->conversation, note);
  beckon_batch_add_message (batch, beckon_run_scope_get_id (run->scope), note);
  beckon_run_commits_behind (run->commits, batch);
}

static void
resume_round (gpointer run, gpointer round)
{
  beckon_round_resume (round);
}

static void
on_turn_stores (BeckonBatch *batch, gpointer user_data)
{
  BeckonRun *run = user_data;

  beckon_run_commits_step (run->commits, batch, resume_round, g_object_ref (beckon_turn_get_round (run->turn)), g_object_unref);
}

/* --- Rounds -------------------------------------------------------------------------------------------------------- */

/* The row is written behind the request: should the process die between the two, the round is simply asked for again. */
static void
begin_round (BeckonRun *run)
{
  if (!beckon_run_preparation_is_steered (run->preparation, beckon_run_row_get (run->row)))
    {
      beckon_run_preparation_steer_async (run->preparation, beckon_run_row_get (run->row), on_steered,
                                          beckon_run_ticket_new (run->commits, TRUE));
      return;
    }
  beckon_turn_add_round (run->turn, beckon_run_row_get (run->row)->round == 0, run->cancellable);
  beckon_run_row_add_round (run->row);
  run_move (run, BECKON_RUN_EVENT_REQUEST, NULL);
  if (beckon_turn_begin_round (run->turn))
    write_row (run);
}

static void
next_round (BeckonRun *run)
{
  g_autofree char *detail = NULL;
  BeckonRunEvent event;

  if (get_phase (run) == BECKON_RUN_WAITING)
    run_move (run, BECKON_RUN_EVENT_RESUME, NULL);
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
  run_move (run, waiting ? BECKON_RUN_EVENT_WAIT : BECKON_RUN_EVENT_RESUME, detail);
  write_row (run);
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

static void
on_calls_commit (BeckonCallBatch *calls, BeckonBatch *batch, BeckonCallBatchWritten written, gpointer user_data,
                 GDestroyNotify destroy, gpointer run)
{
  beckon_run_commits_calls (BECKON_RUN (run)->commits, batch, calls, written, user_data, destroy);
}

static void
on_calls_stop (gpointer run)
{
  beckon_run_stop (run);
}

static void
dismiss (gpointer data)
{
  BeckonRun *run = data;

  if (run->stopping)
    return;
  run->stopping = TRUE;
  run->stop_event = BECKON_RUN_EVENT_DISMISS;
  beckon_call_batch_abandon_survey (run->calls);
  g_cancellable_cancel (run->cancellable);
}

static gboolean
is_driven (gpointer run)
{
  return BECKON_RUN (run)->task != NULL && !BECKON_RUN (run)->over;
}

static gboolean
is_working (gpointer run)
{
  return is_driven (run) && !BECKON_RUN (run)->stopping;
}

static gboolean
is_stopping (gpointer run)
{
  return BECKON_RUN (run)->stopping;
}

static GCancellable *
get_cancellable (gpointer run)
{
  return BECKON_RUN (run)->cancellable;
}

static GPtrArray *
get_siblings (gpointer run)
{
  BeckonReply *reply = get_reply (run);

  return reply != NULL ? beckon_reply_get_calls (reply) : NULL;
}

static void
adopt_background (BeckonCallBatch *background, gpointer run)
{
  g_ptr_array_add (BECKON_RUN (run)->background, beckon_call_batch_ref (background));
}

/* --- Steps --------------------------------------------------------------------------------------------------------- */

/* %FALSE while something of it is being written. */
static gboolean
step_background (BeckonRun *run)
{
  for (guint i = run->background->len; i > 0 && !beckon_run_commits_is_busy (run->commits); i--)
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
  return !beckon_run_commits_is_busy (run->commits);
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
      dismiss (run);
      break;
    case BECKON_REST_WAITS:
    default:
      set_waiting (run, TRUE, NULL);
      break;
    }
  /* There may have been more meanwhile. */
  run_step (run);
}

static void
run_on_looked (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonRun) run = beckon_run_ticket_redeem (user_data);
  g_autoptr (GError) error = NULL;
  BeckonRestNews news;

  if (run == NULL)
    return;
  if (!beckon_run_rest_look_finish (run->rest, result, &news, &error) && !run->stopping)
    run_fail (run, error->message);
  else if (run->stopping)
    run_step (run);
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
                              beckon_run_ticket_new (run->commits, TRUE));
}

void
beckon_run_note_news (BeckonRun *run)
{
  beckon_run_rest_wake (run->rest);
  if (beckon_run_rest_is_resting (run->rest))
    run_step (run);
}

static gboolean
run_on_patience_over (gpointer user_data)
{
  BeckonRun *run = user_data;

  run->patience_timeout = 0;
  run->is_impatient = TRUE;
  run_step (run);
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

static void
run_step (gpointer data)
{
  BeckonRun *run = data;

  if (run->task == NULL || run->over || beckon_run_commits_is_busy (run->commits))
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
      beckon_run_preparation_async (run->preparation, on_prepared, beckon_run_ticket_new (run->commits, FALSE));
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

static void
run_on_settled (BeckonInbox *inbox, BeckonRequest *request, const BeckonSettlement *settlement, BeckonRun *run)
{
  if (run->task == NULL || run->over ||
      g_strcmp0 (beckon_request_get_conversation_id (request), beckon_run_scope_get_id (run->scope)) != 0)
    return;
  beckon_call_steps_settled (run->calls, request, settlement);
  beckon_run_rest_wake (run->rest);
  run_step (run);
}

static gboolean
on_rules_due (gpointer user_data)
{
  BeckonRun *run = user_data;

  run->rules_source = 0;
  run->has_new_rules = TRUE;
  run_step (run);
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
  beckon_run_commits_reset (run->commits);
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
  if (run->settled_handler != 0)
    g_clear_signal_handler (&run->settled_handler, run->scope->parts.inbox);
  if (run->changed_handler != 0)
    g_clear_signal_handler (&run->changed_handler, run->scope->parts.store);
  g_clear_handle_id (&run->rules_source, g_source_remove);
  if (run->rules_handler != 0)
    g_clear_signal_handler (&run->rules_handler, run->scope->parts.rules);
  g_cancellable_disconnect (run->outer, run->outer_handler);
  run->outer_handler = 0;
  g_clear_object (&run->outer);
  beckon_run_release_go_on (run->release);
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
on_let_go (gpointer run)
{
  detach (run);
}

static BeckonRunStand
get_stand (gpointer data)
{
  BeckonRun *run = data;

  if (run->task == NULL || run->over)
    return BECKON_RUN_STAND_OVER;
  if (run->is_preparing)
    return BECKON_RUN_STAND_PREPARES;
  if ((get_phase (run) != BECKON_RUN_WAITING && !beckon_call_batch_waits_for_forms (run->calls)) || run->stopping
      || beckon_run_commits_is_busy (run->commits) || beckon_call_batch_is_surveying (run->calls)
      || beckon_call_batch_is_checking (run->calls))
    return BECKON_RUN_STAND_WORKS;
  return BECKON_RUN_STAND_RESTS;
}

void
beckon_run_release_async (BeckonRun *run, GAsyncReadyCallback callback, gpointer user_data)
{
  beckon_run_release_try_async (run->release, beckon_run_release_async, callback, user_data);
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
  run->settled_handler = g_signal_connect (run->scope->parts.inbox, "settled", G_CALLBACK (run_on_settled), run);
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
    run_step (run);
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
  run_step (run);
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
  on_calls_commit (calls, g_steal_pointer (&batch), beckon_call_recovery_show, requests, (GDestroyNotify) g_ptr_array_unref,
                   run);
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
  run_move (run, BECKON_RUN_EVENT_HOLDER_DIED,
            get_phase (run) == BECKON_RUN_QUEUED ? NULL : _ ("The program ended while this was running."));
  if (!beckon_run_phase_is_end (get_phase (run)))
    {
      recovery = beckon_call_recovery_new (run->calls, run->background, beckon_run_row_get (run->row),
                                           g_steal_pointer (&batch), run);
      beckon_call_batch_survey (run->calls, recovery->calls, FALSE, store_recovered, recovery,
                                (GDestroyNotify) beckon_call_recovery_free);
      return;
    }
  beckon_run_row_write (run->row, batch);
  beckon_run_commits_behind (run->commits, g_steal_pointer (&batch));
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
  static const BeckonCallBatchRun calls_run
      = { on_calls_commit, run_step, on_calls_stop, dismiss, is_driven, is_stopping, get_cancellable, get_siblings,
          adopt_background };
  static const BeckonTurnHost turn_host
      = { { on_turn_moved, on_turn_wrote, add_note, on_turn_stores }, on_turn_calls, end_turn, run_fail };
  static const BeckonRunCommitsHost commits_host = { run_step, run_fail, is_working };
  static const BeckonRunReleaseHost release_host = { get_stand, run_step, on_let_go };
  BeckonRun *run = g_object_new (BECKON_TYPE_RUN, NULL);

  run->scope = beckon_run_scope_new (parts, conversation, has_person);
  run->row = beckon_run_row_new (record, conversation);
  run->commits = beckon_run_commits_new (run->scope->parts.store, &commits_host, run);
  run->release = beckon_run_release_new (run->scope, run->commits, run->row, &release_host, run);
  run->rest = beckon_run_rest_new (run->scope);
  run->background = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_call_batch_unref);
  run->calls = beckon_call_steps_new (run->scope);
  beckon_call_batch_attach (run->calls, &calls_run, run);
  run->turn = beckon_turn_new (run->scope, record->profile_id, &turn_host, run);
  run->preparation = beckon_run_preparation_new (run->scope, run->turn, record->round > 0);
  return run;
}

static void
beckon_run_finalize (GObject *object)
{
  BeckonRun *run = BECKON_RUN (object);

  /* A task owns a reference to its run, so none can be open here. */
  g_assert (run->task == NULL);
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
  beckon_run_release_free (run->release);
  beckon_run_commits_free (run->commits);
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
