/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-run-private.h"

#include "base/beckon-error.h"
#include "beckon-context.h"
#include "request/beckon-approval-request.h"
#include "sandbox/beckon-sandbox-view.h"

#include <glib/gi18n-lib.h>

/* A tool that was cancelled is waited for; one that hangs in a file system that does not answer is given up. */
#define STOP_PATIENCE_MS 3000

G_DEFINE_FINAL_TYPE (BeckonRun, beckon_run, G_TYPE_OBJECT)

typedef struct
{
  BeckonRun *run; /* (owned) */
  guint activation;
  gboolean may_follow; /* what it tells of may be shown before it is written */
  BeckonRunCommitted committed;
  gpointer user_data;
  GDestroyNotify destroy;
} Commit;

static void
commit_free (Commit *commit)
{
  if (commit->destroy != NULL && commit->user_data != NULL)
    commit->destroy (commit->user_data);
  g_object_unref (commit->run);
  g_free (commit);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Commit, commit_free)

gint64
beckon_run_now (BeckonRun *run)
{
  return beckon_clock_get_real_time (run->parts.clock);
}

static void
set_phase (BeckonRunRecord *record, BeckonRunPhase phase, const char *detail, gint64 retry_at)
{
  record->phase = phase;
  g_free (record->detail);
  record->detail = g_strdup (detail);
  record->retry_at = retry_at;
}

static BeckonRunPhase
get_next_phase (const BeckonRunRecord *record, BeckonRunEvent event)
{
  BeckonRunPhase next = record->phase;

  if (!beckon_run_phase_next (record->phase, event, &next))
    g_error ("run: event %d does not belong to phase %s", event, beckon_run_phase_to_string (record->phase));
  return next;
}

/* An end is shown only once it is stored: see beckon_run_end(). */
void
beckon_run_move_at (BeckonRun *run, BeckonRunEvent event, const char *detail, gint64 retry_at)
{
  BeckonRunRecord *record = run->record;

  run->phase_before = record->phase;
  set_phase (record, get_next_phase (record, event), detail, retry_at);
  if (!beckon_run_phase_is_end (record->phase))
    beckon_conversation_set_phase (run->conversation, record->phase, detail, retry_at);
}

void
beckon_run_move (BeckonRun *run, BeckonRunEvent event, const char *detail)
{
  beckon_run_move_at (run, event, detail, 0);
}

void
beckon_run_move_back (BeckonRun *run)
{
  set_phase (run->record, run->phase_before, NULL, 0);
}

void
beckon_run_break_off (BeckonRun *run, const char *detail)
{
  set_phase (run->record, BECKON_RUN_FAILED, detail, 0);
}

BeckonRunRecord *
beckon_run_dup_moved (BeckonRun *run, BeckonRunEvent event)
{
  BeckonRunRecord *moved = beckon_run_record_copy (run->record);

  set_phase (moved, get_next_phase (moved, event), NULL, 0);
  return moved;
}

static void
on_committed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Commit) commit = user_data;
  BeckonRun *run = commit->run;
  g_autoptr (GError) error = NULL;
  gboolean ok = beckon_store_commit_finish (BECKON_STORE (source), result, &error);

  if (commit->activation != run->activation)
    return;
  run->committing--;
  if (!ok && !(commit->may_follow && g_error_matches (error, BECKON_ERROR, BECKON_ERROR_DEFERRED)))
    {
      beckon_run_fail (run, error->message);
      return;
    }
  if (commit->committed != NULL)
    commit->committed (run, commit->user_data);
  beckon_run_step (run);
}

static void
commit (BeckonRun *run, BeckonBatch *batch, Commit *commit)
{
  commit->run = g_object_ref (run);
  commit->activation = run->activation;
  run->committing++;
  beckon_store_commit_async (run->parts.store, batch, NULL, on_committed, commit);
}

/**
 * beckon_run_commit: (skip)
 * @run: the run
 * @batch: (transfer full): what to write
 * @committed: (nullable): called when it is written, before the next step
 * @user_data: (transfer full): for @committed
 * @destroy: (nullable): for @user_data
 *
 * Writes something that the next step depends on. If it cannot be written the run fails and nothing more is done.
 */
void
beckon_run_commit (BeckonRun *run, BeckonBatch *batch, BeckonRunCommitted committed, gpointer user_data,
                   GDestroyNotify destroy)
{
  Commit *waiting = g_new0 (Commit, 1);

  waiting->committed = committed;
  waiting->user_data = user_data;
  waiting->destroy = destroy;
  commit (run, batch, waiting);
}

/* Writes how it ended. While that cannot be written it is kept, and shown all the same: the front end says that it is not
 * saved. */
void
beckon_run_commit_end (BeckonRun *run, BeckonBatch *batch, BeckonRunCommitted committed, gpointer user_data)
{
  Commit *waiting = g_new0 (Commit, 1);

  waiting->may_follow = TRUE;
  waiting->committed = committed;
  waiting->user_data = user_data;
  beckon_batch_keep (batch);
  commit (run, batch, waiting);
}

static void
on_committed_behind (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Commit) commit = user_data;
  BeckonRun *run = commit->run;
  g_autoptr (GError) error = NULL;

  if (!beckon_store_commit_finish (BECKON_STORE (source), result, &error) &&
      !g_error_matches (error, BECKON_ERROR, BECKON_ERROR_DEFERRED) && commit->activation == run->activation &&
      run->task != NULL && !run->over && !run->stopping)
    {
      beckon_run_cancel_round (run);
      beckon_run_fail (run, error->message);
    }
}

/* Writes something that nothing waits for, such as streamed text. The store keeps the order, and what it cannot write. */
void
beckon_run_commit_behind (BeckonRun *run, BeckonBatch *batch)
{
  Commit *behind = g_new0 (Commit, 1);

  behind->run = g_object_ref (run);
  behind->activation = run->activation;
  beckon_batch_keep (batch);
  beckon_store_commit_async (run->parts.store, batch, NULL, on_committed_behind, behind);
}

static void
on_history_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Commit) reading = user_data;
  BeckonRun *run = reading->run;
  g_autoptr (GError) error = NULL;
  gboolean ok = beckon_library_open_finish (BECKON_LIBRARY (source), result, &error);

  if (reading->activation != run->activation)
    return;
  run->committing--;
  if (ok)
    beckon_run_step (run);
  else
    beckon_run_fail (run, error->message);
}

/* A view is content with the end of a long conversation. The model is told what came since the last summary, and the limit of
 * spending is about all of it. */
static gboolean
has_history (BeckonRun *run)
{
  return beckon_settings_get_spending_limit (run->parts.settings) > 0
           ? !beckon_conversation_get_has_earlier (run->conversation)
           : beckon_context_is_loaded (run->conversation);
}

/* Page by page, as far as it is needed. It stays in memory while the run is open. */
static void
read_history (BeckonRun *run)
{
  Commit *reading = g_new0 (Commit, 1);

  reading->run = g_object_ref (run);
  reading->activation = run->activation;
  run->committing++;
  beckon_library_open_earlier_async (run->parts.library, run->conversation, NULL, on_history_read, reading);
}

static void
on_prefixes_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Commit) reading = user_data;
  BeckonRun *run = reading->run;
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonPrefixes) stored = beckon_store_load_prefixes_finish (BECKON_STORE (source), result, &error);

  if (reading->activation != run->activation)
    return;
  run->committing--;
  if (stored == NULL)
    {
      beckon_run_fail (run, error->message);
      return;
    }
  run->prefix = beckon_prompt_prefix_new (&run->parts, run->conversation, run->has_person, g_steal_pointer (&stored),
                                          beckon_run_add_note, run);
  beckon_run_step (run);
}

static void
read_prefixes (BeckonRun *run)
{
  Commit *reading = g_new0 (Commit, 1);

  reading->run = g_object_ref (run);
  reading->activation = run->activation;
  run->committing++;
  beckon_store_load_prefixes_async (run->parts.store, run->record->conversation_id, NULL, on_prefixes_read, reading);
}

static void
on_view_learned (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Commit) learning = user_data;
  BeckonRun *run = learning->run;

  beckon_sandbox_view_learn_finish (result, NULL);
  if (learning->activation != run->activation)
    return;
  run->is_learning = FALSE;
  beckon_run_step (run);
}

static gboolean
knows_view (BeckonRun *run)
{
  const char *folder = beckon_conversation_get_folder (run->conversation);

  return folder == NULL || g_strcmp0 (run->viewed_folder, folder) == 0;
}

/* The words about commands depend on whether they work on a view of the folder. */
static void
learn_view (BeckonRun *run)
{
  Commit *learning = g_new0 (Commit, 1);

  g_free (run->viewed_folder);
  run->viewed_folder = g_strdup (beckon_conversation_get_folder (run->conversation));
  learning->run = g_object_ref (run);
  learning->activation = run->activation;
  run->is_learning = TRUE;
  beckon_sandbox_view_learn_async (run->viewed_folder, NULL, on_view_learned, learning);
}

static gboolean
on_patience_over (gpointer user_data)
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
  if (run->is_impatient)
    beckon_call_batch_give_up_tools (run->calls);
  if (!beckon_call_batch_is_busy (run->calls) && !beckon_run_finish_landings (run))
    beckon_run_commit_stop (run);
  else if (beckon_call_batch_has_tools (run->calls) && run->patience_timeout == 0)
    run->patience_timeout = beckon_clock_add_timeout (run->parts.clock, STOP_PATIENCE_MS, on_patience_over, run);
}

void
beckon_run_step (BeckonRun *run)
{
  if (run->task == NULL || run->over || run->committing > 0)
    return;
  if (run->stopping)
    {
      step_stop (run);
      return;
    }
  if (beckon_call_batch_is_surveying (run->calls) || run->is_learning)
    return;
  if (!has_history (run))
    {
      read_history (run);
      return;
    }
  if (run->prefix == NULL)
    {
      read_prefixes (run);
      return;
    }
  if (!knows_view (run))
    {
      learn_view (run);
      return;
    }
  switch (run->record->phase)
    {
    case BECKON_RUN_QUEUED:
      beckon_run_begin_round (run);
      break;
    case BECKON_RUN_CALLING:
    case BECKON_RUN_WAITING:
      beckon_run_step_calls (run);
      break;
    case BECKON_RUN_REQUESTING:
    case BECKON_RUN_RETRY_WAIT:
    case BECKON_RUN_RECEIVING:
      /* The provider's callbacks and the retry's timeout move these on. */
      break;
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
    default:
      g_assert_not_reached ();
    }
}

static void
on_settled (BeckonInbox *inbox, BeckonRequest *request, const BeckonSettlement *settlement, BeckonRun *run)
{
  if (run->task == NULL || run->over ||
      g_strcmp0 (beckon_request_get_conversation_id (request), run->record->conversation_id) != 0)
    return;
  beckon_run_settled (run, request, settlement);
  beckon_run_step (run);
}

/* Everything that could call back later is taken back, and what cannot be is told apart by the activation's number. */
static void
release (BeckonRun *run)
{
  run->activation++;
  run->committing = 0;
  beckon_call_batch_reset (run->calls);
  run->is_impatient = FALSE;
  run->is_learning = FALSE;
  if (run->patience_timeout != 0)
    beckon_clock_remove (run->parts.clock, run->patience_timeout);
  run->patience_timeout = 0;
  beckon_run_cancel_round (run);
  /* Another process may drive the run next, and send requests. */
  g_clear_pointer (&run->prefix, beckon_prompt_prefix_free);
  g_clear_handle_id (&run->stop_source, g_source_remove);
  g_cancellable_cancel (run->cancellable);
  if (run->settled_handler != 0)
    g_clear_signal_handler (&run->settled_handler, run->parts.inbox);
  if (run->outer_handler != 0)
    {
      g_cancellable_disconnect (run->outer, run->outer_handler);
      run->outer_handler = 0;
    }
  g_clear_object (&run->outer);
}

void
beckon_run_return (BeckonRun *run)
{
  g_autoptr (GTask) task = g_steal_pointer (&run->task);

  release (run);
  g_task_return_boolean (task, TRUE);
}

static gboolean
let_go (gpointer user_data)
{
  BeckonRun *run = user_data;
  g_autoptr (GTask) task = g_steal_pointer (&run->task);
  BeckonReply *reply = beckon_run_get_reply (run);

  if (task == NULL)
    return G_SOURCE_REMOVE;
  if (reply != NULL && beckon_reply_has_output (reply))
    {
      BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);

      beckon_reply_flush (reply, batch, run->record->conversation_id);
      beckon_batch_keep (batch);
      beckon_store_commit_async (run->parts.store, batch, NULL, NULL, NULL);
    }
  release (run);
  g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_CANCELLED, "%s", _ ("The run was left open."));
  return G_SOURCE_REMOVE;
}

/* A cancellable may be cancelled from anywhere, even from inside one of our own calls: let go from a clean stack. */
static void
on_outer_cancelled (GCancellable *outer, BeckonRun *run)
{
  g_idle_add_full (G_PRIORITY_HIGH, let_go, g_object_ref (run), g_object_unref);
}

static void
on_released (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  BeckonRun *run = g_task_get_source_object (task);
  GError *error = NULL;
  gboolean released = beckon_store_release_run_finish (BECKON_STORE (source), result, &error);

  if (GPOINTER_TO_UINT (g_task_get_task_data (task)) != run->activation)
    {
      g_clear_error (&error);
      g_task_return_boolean (task, TRUE);
      return;
    }
  run->committing--;
  if (!released)
    {
      beckon_run_step (run);
      g_task_return_error (task, error);
      return;
    }
  let_go (run);
  g_task_return_boolean (task, TRUE);
}

void
beckon_run_release_async (BeckonRun *run, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (run, NULL, callback, user_data);
  guint n_pending;

  g_return_if_fail (BECKON_IS_RUN (run));

  g_task_set_source_tag (task, beckon_run_release_async);
  if (run->task == NULL || run->over)
    {
      g_task_return_boolean (task, TRUE);
      return;
    }
  if (run->record->phase != BECKON_RUN_WAITING || run->stopping || run->committing > 0
      || beckon_call_batch_is_surveying (run->calls))
    {
      g_task_return_new_error (task, BECKON_ERROR, BECKON_ERROR_CONFLICT, "%s", _ ("The agent is still at work."));
      return;
    }
  n_pending = beckon_inbox_count_for (run->parts.inbox, run->record->conversation_id);
  g_task_set_task_data (task, GUINT_TO_POINTER (run->activation), NULL);
  /* No work begins before it is known whether another process may. */
  run->committing++;
  beckon_store_release_run_async (run->parts.store, run->record->id, n_pending, NULL, on_released, g_steal_pointer (&task));
}

gboolean
beckon_run_release_finish (BeckonRun *run, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, run), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

void
beckon_run_drive_async (BeckonRun *run, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (BECKON_IS_RUN (run));
  g_return_if_fail (run->task == NULL && !run->over);

  /* The caller's cancellable means "let go", which takes a moment; the task reports it itself. */
  run->task = g_task_new (run, NULL, callback, user_data);
  g_task_set_source_tag (run->task, beckon_run_drive_async);
  g_set_object (&run->cancellable, NULL);
  run->cancellable = g_cancellable_new ();
  run->settled_handler = g_signal_connect (run->parts.inbox, "settled", G_CALLBACK (on_settled), run);
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
  g_return_val_if_fail (g_task_is_valid (result, run), FALSE);

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
  g_return_if_fail (BECKON_IS_RUN (run));

  if (run->stopping || run->over || run->task == NULL)
    return;
  run->stopping = TRUE;
  run->stop_event = BECKON_RUN_EVENT_STOP;
  beckon_run_cancel_round (run);
  run->stop_source = g_idle_add_full (G_PRIORITY_HIGH, on_stop_due, g_object_ref (run), g_object_unref);
  g_cancellable_cancel (run->cancellable);
}

/* The last message with calls is the one that is being worked on; a reply that was streaming is cut off. */
static void
inherit_message (BeckonRun *run, BeckonBatch *batch)
{
  guint n = beckon_conversation_get_n_messages (run->conversation);
  BeckonMessage *last = n > 0 ? beckon_conversation_get_message (run->conversation, n - 1) : NULL;

  if (last == NULL || beckon_message_get_role (last) != BECKON_ROLE_ASSISTANT)
    return;
  if (beckon_message_get_status (last) == BECKON_MESSAGE_STREAMING)
    {
      beckon_message_set_status (last, BECKON_MESSAGE_CUT_OFF);
      beckon_batch_set_message (batch, last);
      return;
    }
  beckon_call_batch_set_message (run->calls, last);
}

static void
show_asked_again (BeckonRun *run, gpointer requests)
{
  for (guint i = 0; i < ((GPtrArray *) requests)->len; i++)
    beckon_inbox_add (run->parts.inbox, g_ptr_array_index ((GPtrArray *) requests, i));
}

/* Steps only once this is stored. */
static void
store_inherited (gpointer data, gpointer user_data)
{
  BeckonRun *run = data;
  BeckonInheritance *inheritance = user_data;
  g_autoptr (BeckonBatch) batch = g_steal_pointer (&inheritance->batch);
  g_autoptr (GPtrArray) requests = g_ptr_array_new_with_free_func (g_object_unref);

  beckon_run_recover_calls (run, inheritance, batch, requests);
  beckon_batch_set_run (batch, run->record);
  beckon_run_commit (run, g_steal_pointer (&batch), show_asked_again, g_steal_pointer (&requests),
                     (GDestroyNotify) g_ptr_array_unref);
  beckon_inheritance_free (inheritance);
}

/* A run that is over has nothing that could wait. */
void
beckon_run_recover (BeckonRun *run)
{
  g_autoptr (BeckonBatch) batch = beckon_batch_new (BECKON_DURABILITY_FULL);
  BeckonInheritance *inheritance;

  g_return_if_fail (BECKON_IS_RUN (run) && run->task == NULL);

  inherit_message (run, batch);
  beckon_run_move (run, BECKON_RUN_EVENT_HOLDER_DIED,
                   run->record->phase == BECKON_RUN_QUEUED ? NULL : _ ("The program ended while this was running."));
  if (!beckon_run_phase_is_end (run->record->phase))
    {
      inheritance = beckon_inheritance_new (run, g_steal_pointer (&batch));
      beckon_call_batch_survey (run->calls, inheritance->calls, FALSE, store_inherited, inheritance,
                         (GDestroyNotify) beckon_inheritance_free);
      return;
    }
  beckon_batch_set_run (batch, run->record);
  beckon_run_commit_behind (run, g_steal_pointer (&batch));
  run->over = TRUE;
  beckon_conversation_set_phase (run->conversation, run->record->phase, run->record->detail, 0);
}

BeckonConversation *
beckon_run_get_conversation (BeckonRun *run)
{
  return run->conversation;
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

  beckon_agent_parts_init (&run->parts, parts);
  run->conversation = g_object_ref (conversation);
  run->record = record;
  run->has_person = has_person;
  run->tries = beckon_tries_new (parts->profiles, parts->settings, record->profile_id);
  run->length = beckon_length_guard_new (conversation, has_person);
  return run;
}

static void
beckon_run_dispose (GObject *object)
{
  BeckonRun *run = BECKON_RUN (object);

  /* A task owns a reference to its run, so none can be open here. */
  g_assert (run->task == NULL);
  g_assert (run->stop_source == 0);

  beckon_call_batch_abandon_survey (run->calls);
  g_clear_object (&run->round);
  beckon_call_batch_set_message (run->calls, NULL);
  g_clear_object (&run->cancellable);
  g_clear_object (&run->conversation);
  beckon_agent_parts_clear (&run->parts);
  G_OBJECT_CLASS (beckon_run_parent_class)->dispose (object);
}

static void
beckon_run_finalize (GObject *object)
{
  BeckonRun *run = BECKON_RUN (object);

  g_clear_pointer (&run->record, beckon_run_record_free);
  g_clear_pointer (&run->calls, beckon_call_batch_free);
  g_clear_pointer (&run->prefix, beckon_prompt_prefix_free);
  g_clear_pointer (&run->tries, beckon_tries_free);
  g_free (run->viewed_folder);
  g_clear_pointer (&run->length, beckon_length_guard_free);
  g_clear_pointer (&run->spending, beckon_spending_limit_free);
  G_OBJECT_CLASS (beckon_run_parent_class)->finalize (object);
}

static void
beckon_run_class_init (BeckonRunClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = beckon_run_dispose;
  object_class->finalize = beckon_run_finalize;
}

static void
beckon_run_init (BeckonRun *run)
{
  run->calls = beckon_run_make_calls (run);
}
