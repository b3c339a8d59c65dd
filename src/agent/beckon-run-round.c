/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-run-private.h"

#include "beckon-round.h"
#include "beckon-steering.h"

/* The rounds of a run: how each begins, and what becomes of its end. */

/* A provider that pauses a turn in the middle of its searches bills for more each time it is asked to resume. */
#define MAX_PAUSES 5

BeckonReply *
beckon_run_get_reply (BeckonRun *run)
{
  return run->round != NULL ? beckon_round_get_reply (run->round) : NULL;
}

static void
on_calls_stored (BeckonRun *run, gpointer calls_and_requests)
{
  if (!beckon_reply_has_output (beckon_run_get_reply (run)))
    beckon_conversation_add_message (run->conversation, beckon_call_batch_get_message (run->calls));
  g_clear_object (&run->round);
  beckon_run_show_calls (run, calls_and_requests);
}

/* Unstored calls were not shown either; parts before them go their own way to the store. */
void
beckon_run_take_calls_back (BeckonRun *run)
{
  BeckonReply *reply = beckon_run_get_reply (run);

  beckon_run_move_back (run);
  beckon_call_batch_set_message (run->calls, NULL);
  beckon_reply_rewind (reply);
  beckon_message_set_status (beckon_reply_get_message (reply), BECKON_MESSAGE_STREAMING);
}

static void
store_calls (gpointer data, gpointer user_data)
{
  BeckonRun *run = data;
  BeckonReply *reply = beckon_run_get_reply (run);
  g_autoptr (BeckonBatch) batch = beckon_batch_new (BECKON_DURABILITY_FULL);
  BeckonMessage *message = beckon_reply_get_message (reply);
  GPtrArray *shown = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);

  if (!beckon_reply_has_output (reply))
    beckon_message_set_seq (message, beckon_conversation_get_next_seq (run->conversation));
  beckon_message_set_status (message, BECKON_MESSAGE_COMPLETE);
  beckon_reply_mark (reply);
  beckon_reply_flush (reply, batch, run->record->conversation_id);
  beckon_batch_set_message (batch, message);
  beckon_call_batch_set_message (run->calls, message);
  g_ptr_array_add (shown, g_ptr_array_ref (beckon_reply_get_calls (reply)));
  g_ptr_array_add (shown, beckon_run_plan_calls (run, reply, batch));
  beckon_run_move (run, BECKON_RUN_EVENT_CALLS, NULL);
  beckon_batch_set_run (batch, run->record);
  beckon_run_commit (run, g_steal_pointer (&batch), on_calls_stored, shown, (GDestroyNotify) g_ptr_array_unref);
}

/* The main loop does not wait for the files that the calls name, whatever becomes of them. */
static void
look_at_calls (BeckonRun *run)
{
  beckon_call_batch_survey (run->calls, beckon_reply_get_calls (beckon_run_get_reply (run)), FALSE, store_calls, NULL, NULL);
}

/* --- What the round asks for --------------------------------------------------------------------------------------- */

static void
move (BeckonRunEvent event, const char *detail, gint64 retry_at, BeckonBatch *batch, gpointer user_data)
{
  BeckonRun *run = user_data;

  beckon_run_move_at (run, event, detail, retry_at);
  if (batch == NULL)
    return;
  beckon_batch_set_run (batch, run->record);
  beckon_run_commit_behind (run, batch);
}

static void
write_behind (BeckonBatch *batch, gpointer run)
{
  beckon_run_commit_behind (run, batch);
}

void
beckon_run_add_note (BeckonMessage *note, gpointer user_data)
{
  BeckonRun *run = user_data;
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);

  beckon_conversation_add_message (run->conversation, note);
  beckon_batch_add_message (batch, run->record->conversation_id, note);
  beckon_run_commit_behind (run, batch);
}

static void
resume (BeckonRun *run, gpointer round)
{
  beckon_round_resume (round);
}

static void
store (BeckonBatch *batch, gpointer user_data)
{
  BeckonRun *run = user_data;

  beckon_run_commit (run, batch, resume, g_object_ref (run->round), g_object_unref);
}

static void
take_calls (BeckonRun *run)
{
  if (beckon_run_try_end_turn (run, beckon_run_get_reply (run)))
    return;
  run->n_pauses = 0;
  look_at_calls (run);
}

static void
resume_search (BeckonRun *run)
{
  if (run->n_pauses++ < MAX_PAUSES)
    look_at_calls (run);
  else
    beckon_run_end (run, BECKON_RUN_EVENT_PAUSE, BECKON_MESSAGE_COMPLETE, NULL);
}

static void
note_length (BeckonRun *run)
{
  BeckonProfile *profile = beckon_tries_get_profile (run->tries);

  beckon_length_guard_note (run->length, beckon_run_get_reply (run),
                            profile != NULL ? beckon_profile_get_effective_output (profile) : 0);
}

static void
take_result (const BeckonRoundResult *result, gpointer user_data)
{
  BeckonRun *run = user_data;

  switch (result->end)
    {
    case BECKON_ROUND_CALLS:
      note_length (run);
      take_calls (run);
      break;
    case BECKON_ROUND_SEARCHES:
      note_length (run);
      resume_search (run);
      break;
    case BECKON_ROUND_ENDED:
      beckon_run_end (run, result->event, result->status, result->detail);
      break;
    case BECKON_ROUND_FAILED:
    default:
      beckon_run_fail (run, result->detail);
      break;
    }
}

/* --- Life ---------------------------------------------------------------------------------------------------------- */

static void
begin_turn (BeckonRun *run)
{
  double amount = beckon_settings_get_spending_limit (run->parts.settings);

  run->spending = beckon_spending_limit_new (run->conversation, amount);
}

typedef struct
{
  BeckonRun *run; /* (owned) */
  guint activation;
} Steering;

static void
on_steered (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autofree Steering *steering = user_data;
  g_autoptr (BeckonRun) run = steering->run;
  g_autoptr (GError) error = NULL;
  gboolean ok = beckon_steering_take_finish (result, &error);

  if (steering->activation != run->activation)
    return;
  run->committing--;
  if (ok)
    beckon_run_step (run);
  else
    beckon_run_fail (run, error->message);
}

/* FALSE: the run steps again when what a person wants the model to see now stands at the end of the history. */
static gboolean
is_steered (BeckonRun *run)
{
  Steering *steering;

  if (run->steered_round == run->record->round + 1)
    return TRUE;
  run->steered_round = run->record->round + 1;
  steering = g_new0 (Steering, 1);
  steering->run = g_object_ref (run);
  steering->activation = run->activation;
  run->committing++;
  beckon_steering_take_async (&run->parts, run->conversation, run->record, on_steered, steering);
  return FALSE;
}

/* The row is written behind the request: should the process die between the two, the round is simply asked for again. */
void
beckon_run_begin_round (BeckonRun *run)
{
  static const BeckonRoundHost host = { move, write_behind, beckon_run_add_note, store, take_result };
  g_autoptr (BeckonRound) round = NULL;
  BeckonBatch *batch;

  if (!is_steered (run))
    return;
  round = beckon_round_new (&run->parts, run->conversation, run->tries, run->prefix, run->cancellable, &host, run);
  if (run->record->round == 0)
    begin_turn (run);
  run->record->round++;
  g_set_object (&run->round, round);
  beckon_run_move (run, BECKON_RUN_EVENT_REQUEST, NULL);
  if (!beckon_round_begin (round))
    return;
  batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  beckon_batch_set_run (batch, run->record);
  beckon_run_commit_behind (run, batch);
}

void
beckon_run_cancel_round (BeckonRun *run)
{
  beckon_call_batch_abandon_survey (run->calls);
  if (run->round != NULL)
    beckon_round_cancel (run->round);
}
