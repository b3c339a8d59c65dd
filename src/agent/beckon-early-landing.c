/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-early-landing.h"

#include "base/beckon-error.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-worker.h"
#include "beckon-call-landing.h"
#include "beckon-call-secrets.h"
#include "beckon-landing-upkeep.h"
#include "landing/beckon-lander.h"
#include "landing/beckon-landing-place.h"
#include "request/beckon-changes-request.h"
#include "tools/beckon-command.h"

#include <glib/gi18n-lib.h>

/*
 * Changes made so far land while the command runs on: a copy of its layer is surveyed, judged and landed as if it were that of
 * a command of its own, with a row of its own in the store. The row is there before the place is made, so that the place is not
 * taken for one left behind. A stop, and the end of the command, wait for it; but not for a person who is asked. Such a request
 * belongs to the conversation, not to the call, and goes with the command's end.
 */

typedef struct
{
  BeckonCallBatch *calls;         /* (owned) */
  BeckonToolCall *call;   /* (owned) */
  BeckonTool *tool;       /* (owned) */
  guint ticket;
  gboolean is_temporary;
  BeckonLanding *landing; /* (owned) */
  BeckonMask *mask;       /* (owned) (nullable) */
  gboolean may_ask;
  gboolean is_counted;    /* a stop waits for it */
  gboolean is_returned;   /* to the person, who is asked since */
  BeckonRequest *request; /* (owned) (nullable) */
  gulong settled;
  gulong ended;
  gulong replaced;
  BeckonLandNow outcome;
  GError *error;          /* (owned) (nullable) */
} Now;

static void
now_free (gpointer data)
{
  Now *now = data;

  beckon_call_batch_unref (now->calls);
  g_object_unref (now->call);
  g_object_unref (now->tool);
  g_clear_pointer (&now->landing, beckon_landing_free);
  beckon_mask_unref (now->mask);
  g_clear_object (&now->request);
  g_clear_error (&now->error);
  g_free (now);
}

static gboolean
is_current (const Now *now)
{
  return beckon_call_batch_is_current (now->calls, now->ticket);
}

static void
early_landing_count (Now *now, gboolean is_counted)
{
  if (is_current (now) && is_counted && !now->is_counted)
    beckon_call_batch_enter_landing (now->calls);
  else if (is_current (now) && !is_counted && now->is_counted)
    beckon_call_batch_end_landing (now->calls);
  now->is_counted = is_counted;
}

/* The command may end from here on. */
static void
early_landing_end (GTask *task)
{
  Now *now = g_task_get_task_data (task);

  beckon_tool_release (now->tool, now->call);
  early_landing_count (now, FALSE);
  if (is_current (now))
    beckon_call_batch_unmark (now->calls, now->call, BECKON_CALL_MARK_LAND_NOW);
  if (now->is_returned && now->error != NULL)
    g_message ("%s", now->error->message);
  else if (!now->is_returned && now->error != NULL)
    g_task_return_error (task, g_steal_pointer (&now->error));
  else if (!now->is_returned)
    g_task_return_int (task, now->outcome);
  if (is_current (now))
    beckon_call_batch_step (now->calls);
}

static void
early_landing_run_phase (GTask *task, GTaskThreadFunc function, GAsyncReadyCallback callback)
{
  g_autoptr (GTask) phase = g_task_new (NULL, NULL, callback, g_object_ref (task));

  g_task_set_source_tag (phase, early_landing_run_phase);
  g_task_set_task_data (phase, g_task_get_task_data (task), NULL);
  beckon_worker_run_for_person (phase, function);
}

static void
early_landing_on_removed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;

  g_task_propagate_boolean (G_TASK (result), NULL);
  early_landing_end (task);
}

/* The next one has the same id. */
static void
remove_place (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  beckon_landing_upkeep_remove (((const Now *) task_data)->landing->id);
  g_task_return_boolean (task, TRUE);
}

static void
on_dropped (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;

  beckon_store_commit_finish (BECKON_STORE (source), result, NULL);
  early_landing_run_phase (task, remove_place, early_landing_on_removed);
}

/* Takes @error. */
static void
early_landing_drop (GTask *task, BeckonLandNow outcome, GError *error)
{
  Now *now = g_task_get_task_data (task);
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);

  now->outcome = outcome;
  now->error = error;
  beckon_tool_call_drop_early (now->call, now->landing->id);
  beckon_batch_keep (batch);
  beckon_batch_drop_landing (batch, now->landing->id);
  beckon_store_commit_async (beckon_call_batch_get_scope (now->calls)->parts.store, batch, NULL, on_dropped,
                             g_object_ref (task));
}

static void
on_landed_stored (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Now *now = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;

  if (!beckon_store_commit_finish (BECKON_STORE (source), result, &error)
      && !g_error_matches (error, BECKON_ERROR, BECKON_ERROR_DEFERRED))
    g_message ("that changes landed could not be stored: %s", error->message);
  beckon_tool_call_take_landing (now->call, beckon_landing_copy (now->landing));
  beckon_landing_upkeep_run (beckon_call_batch_get_scope (now->calls)->parts.store,
                             beckon_run_scope_now (beckon_call_batch_get_scope (now->calls)));
  now->outcome = BECKON_LAND_NOW_LANDED;
  early_landing_end (task);
}

static const char *
find_remark (const BeckonChangeSet *changes)
{
  for (guint i = 0; i < beckon_change_set_get_n_changes (changes); i++)
    if (beckon_change_set_get (changes, i)->remark != NULL)
      return beckon_change_set_get (changes, i)->remark;

  return _("The files were changed meanwhile.");
}

static void
on_carried_out (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Now *now = g_task_get_task_data (task);
  BeckonBatch *batch;

  g_task_propagate_boolean (G_TASK (result), NULL);
  if (!beckon_change_set_can_undo (now->landing->changes))
    {
      early_landing_drop (task, BECKON_LAND_NOW_FAILED,
                          beckon_text_error_new (BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
                                                 /* Translators: %s is what the system said */
                                                 _("Nothing was saved in the folder: %s"),
                                                 find_remark (now->landing->changes)));
      return;
    }

  batch = beckon_batch_new (BECKON_DURABILITY_FULL);
  beckon_change_set_mask (now->landing->changes, now->mask);
  beckon_batch_keep (batch);
  beckon_batch_put_landing (batch, now->landing);
  beckon_call_landing_log (now->calls, now->call, now->landing, now->request, batch);
  beckon_store_commit_async (beckon_call_batch_get_scope (now->calls)->parts.store, batch, NULL, on_landed_stored,
                             g_object_ref (task));
}

/* The command's own place is told, so that its next survey does not take what landed for somebody else's work. If that fails,
 * it does, and overwrites nothing. */
static void
early_landing_carry_out (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Now *now = task_data;
  g_autofree char *place = beckon_landing_place_get_path (beckon_tool_call_get_id (now->call));
  g_autoptr (GError) error = NULL;

  beckon_call_landing_carry_out (now->landing);
  if (!beckon_lander_note_landed (now->landing, place, &error))
    g_message ("%s", error->message);
  g_task_return_boolean (task, TRUE);
}

static void
on_plan_stored (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;

  if (beckon_store_commit_finish (BECKON_STORE (source), result, &error))
    early_landing_run_phase (task, early_landing_carry_out, on_carried_out);
  else
    early_landing_drop (task, BECKON_LAND_NOW_FAILED, error);
}

static void
on_planned (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Now *now = g_task_get_task_data (task);
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_FULL);

  g_task_propagate_boolean (G_TASK (result), NULL);
  beckon_batch_put_landing (batch, now->landing);
  beckon_store_commit_async (beckon_call_batch_get_scope (now->calls)->parts.store, batch, NULL, on_plan_stored,
                             g_object_ref (task));
}

static void
early_landing_plan (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Now *now = task_data;

  beckon_call_landing_plan (now->landing, now->is_temporary);
  g_task_return_boolean (task, TRUE);
}

/* The press is no yes to what was not seen: that waits for the end. */
static void
leave_open_out (BeckonChangeSet *changes)
{
  for (guint i = 0; i < beckon_change_set_get_n_changes (changes); i++)
    {
      BeckonFileChange *change = beckon_change_set_get (changes, i);

      if (change->fate == BECKON_FILE_OPEN)
        change->fate = change->is_permitted ? BECKON_FILE_KEPT : BECKON_FILE_LEFT_OUT;
    }
}

static void
unwatch (Now *now)
{
  g_clear_signal_handler (&now->settled, now->request);
  g_clear_signal_handler (&now->ended, now->call);
  g_clear_signal_handler (&now->replaced, now->call);
}

static gboolean
is_kept (const Now *now)
{
  BeckonAnswer *answer = beckon_request_get_answer (now->request);

  return is_current (now) && !beckon_call_batch_is_stopping (now->calls) && answer != NULL
         && answer->kind == BECKON_ANSWER_KEPT;
}

/* A command that has ended asks about all that it changed. */
static void
early_landing_on_settled (GTask *task)
{
  Now *now = g_task_get_task_data (task);

  if (beckon_request_get_state (now->request) == BECKON_REQUEST_PENDING)
    return;
  unwatch (now);
  if (beckon_tool_call_get_request (now->call) == G_OBJECT (now->request))
    beckon_tool_call_set_request (now->call, NULL);
  if (is_kept (now) && beckon_command_hold (now->call))
    {
      early_landing_count (now, TRUE);
      beckon_call_landing_apply_answer (now->request, now->landing->changes);
      if (beckon_change_set_can_undo (now->landing->changes))
        early_landing_run_phase (task, early_landing_plan, on_planned);
      else
        early_landing_drop (task, BECKON_LAND_NOW_WAITS, NULL);
    }
  else
    early_landing_drop (task, BECKON_LAND_NOW_WAITS, NULL);
  g_object_unref (task);
}

static void
early_landing_take_back (GTask *task)
{
  Now *now = g_task_get_task_data (task);
  g_autoptr (BeckonAnswer) answer = beckon_answer_new (BECKON_ANSWER_CANCELLED, NULL);

  if (!beckon_tool_call_get_can_land (now->call) && beckon_request_get_state (now->request) == BECKON_REQUEST_PENDING)
    beckon_inbox_settle_async (beckon_call_batch_get_scope (now->calls)->parts.inbox, beckon_request_get_id (now->request),
                               answer, "agent", NULL, NULL, NULL,
                               NULL);
}

/* Another question of the call was shown in place of this one, and is over. */
static void
on_replaced (GTask *task)
{
  Now *now = g_task_get_task_data (task);

  if (beckon_tool_call_get_request (now->call) == NULL && beckon_tool_call_get_can_land (now->call))
    beckon_tool_call_set_request (now->call, G_OBJECT (now->request));
}

static void
on_asked (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Now *now = g_task_get_task_data (task);
  GError *error = NULL;

  if (!beckon_store_commit_finish (BECKON_STORE (source), result, &error))
    {
      early_landing_drop (task, BECKON_LAND_NOW_FAILED, error);
      return;
    }

  beckon_tool_call_take_landing (now->call, beckon_landing_copy (now->landing));
  beckon_inbox_add (beckon_call_batch_get_scope (now->calls)->parts.inbox, now->request);
  if (beckon_tool_call_get_request (now->call) == NULL)
    beckon_tool_call_set_request (now->call, G_OBJECT (now->request));
  g_object_ref (task);
  now->settled = g_signal_connect_swapped (now->request, "notify::state", G_CALLBACK (early_landing_on_settled), task);
  now->ended = g_signal_connect_swapped (now->call, "notify::can-land", G_CALLBACK (early_landing_take_back), task);
  now->replaced = g_signal_connect_swapped (now->call, "notify::request", G_CALLBACK (on_replaced), task);
  now->is_returned = TRUE;
  g_task_return_int (task, BECKON_LAND_NOW_ASKED);
  early_landing_count (now, FALSE);
  beckon_tool_release (now->tool, now->call);
  early_landing_take_back (task);
  if (is_current (now))
    beckon_call_batch_step (now->calls);
}

/* The person sees all of it before any of it lands. */
static gboolean
asks (const Now *now)
{
  const BeckonRunScope *scope = beckon_call_batch_get_scope (now->calls);

  return now->may_ask && beckon_change_set_is_open (now->landing->changes)
         && beckon_call_batch_get_message (now->calls) != NULL
         && beckon_conversation_get_mode (scope->conversation) != BECKON_MODE_ASK_OUTSIDE && beckon_run_scope_may_ask (scope);
}

static void
early_landing_ask (GTask *task)
{
  Now *now = g_task_get_task_data (task);
  BeckonCallBatch *calls = now->calls;
  const BeckonRunScope *scope = beckon_call_batch_get_scope (calls);
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_FULL);

  now->request
    = beckon_changes_request_new (NULL, beckon_run_scope_get_id (scope), beckon_call_batch_get_message_id (calls), NULL,
                                  beckon_tool_call_get_name (now->call), beckon_tool_call_get_effective_arguments (now->call),
                                  now->landing->changes, beckon_run_scope_now (scope));
  beckon_request_set_redacted (now->request, beckon_tool_call_get_redacted (now->call));
  beckon_call_landing_offer (scope, now->call, now->landing, now->request);
  beckon_batch_put_landing (batch, now->landing);
  beckon_batch_add_request (batch, now->request);
  beckon_store_commit_async (scope->parts.store, batch, NULL, on_asked, g_object_ref (task));
}

static void
decide (GTask *task)
{
  Now *now = g_task_get_task_data (task);

  if (!is_current (now) || beckon_call_batch_is_stopping (now->calls))
    {
      early_landing_drop (task, BECKON_LAND_NOW_FAILED,
                          g_error_new_literal (BECKON_ERROR, BECKON_ERROR_CONFLICT, _("The command is no longer running.")));
      return;
    }

  beckon_call_landing_judge (now->calls, now->call, now->landing);
  if (asks (now))
    {
      early_landing_ask (task);
      return;
    }
  leave_open_out (now->landing->changes);
  if (beckon_change_set_can_undo (now->landing->changes))
    early_landing_run_phase (task, early_landing_plan, on_planned);
  else
    early_landing_drop (task, BECKON_LAND_NOW_WAITS, NULL);
}

/* The differences were made with what was known of secrets when the command began. */
static void
on_mask (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Now *now = g_task_get_task_data (task);
  GError *error = NULL;

  now->mask = beckon_known_secrets_make_mask_finish (BECKON_KNOWN_SECRETS (source), result, &error);
  if (error != NULL)
    {
      early_landing_drop (task, BECKON_LAND_NOW_FAILED, error);
      return;
    }
  beckon_change_set_mask (now->landing->changes, now->mask);
  decide (task);
}

static void
on_surveyed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Now *now = g_task_get_task_data (task);
  GError *error = NULL;
  BeckonLanding *landing = beckon_tool_survey_finish (BECKON_TOOL (source), result, &error);

  if (landing == NULL)
    {
      early_landing_drop (task, error != NULL ? BECKON_LAND_NOW_FAILED : BECKON_LAND_NOW_NOTHING, error);
      return;
    }

  landing->made_at = beckon_run_scope_now (beckon_call_batch_get_scope (now->calls));
  beckon_landing_free (now->landing);
  now->landing = landing;
  if (beckon_call_may_have_secrets (beckon_call_batch_get_scope (now->calls), now->call))
    beckon_call_secrets_mask_async (beckon_call_batch_get_scope (now->calls), on_mask, g_object_ref (task));
  else
    decide (task);
}

static void
on_row_stored (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Now *now = g_task_get_task_data (task);
  GError *error = NULL;

  if (beckon_store_commit_finish (BECKON_STORE (source), result, &error))
    beckon_tool_survey_async (now->tool, now->call, now->landing->id, on_surveyed, g_object_ref (task));
  else
    early_landing_drop (task, BECKON_LAND_NOW_FAILED, error);
}

static char *
early_landing_make_id (BeckonToolCall *call)
{
  guint n = beckon_tool_call_get_n_early (call);
  const char *id = beckon_tool_call_get_id (call);
  const char *last = n > 0 ? beckon_tool_call_get_early (call, n - 1)->id + strlen (id) + 1 : "0";

  return g_strdup_printf ("%s-%" G_GUINT64_FORMAT, id, g_ascii_strtoull (last, NULL, 10) + 1);
}

/* The row of a landing is written before the landing begins. */
static BeckonLanding *
early_landing_make_row (const BeckonRunScope *scope, BeckonToolCall *call)
{
  g_autofree char *id = early_landing_make_id (call);
  g_autofree char *place = beckon_landing_place_get_path (id);
  g_autoptr (BeckonChangeSet) nothing = beckon_change_set_new ();
  BeckonLanding *landing = beckon_landing_new (beckon_tool_call_get_id (call),
                                               beckon_conversation_get_folder (scope->conversation), place, 0, nothing);

  beckon_landing_set_id (landing, id);
  landing->made_at = beckon_run_scope_now (scope);

  return landing;
}

static gboolean
early_landing_check (BeckonCallBatch *calls, BeckonToolCall *call, GError **error)
{
  if (!beckon_call_batch_is_driven (calls) || beckon_call_batch_is_stopping (calls) || !beckon_tool_call_get_can_land (call))
    g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_CONFLICT, _("The command is no longer running."));
  else if (beckon_call_batch_is_marked (calls, call, BECKON_CALL_MARK_LAND_NOW))
    g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_CONFLICT,
                         _("What the command changed is being saved in the folder already."));
  else
    return TRUE;

  return FALSE;
}

void
beckon_early_landing_async (BeckonCallBatch *calls, BeckonToolCall *call, gboolean may_ask, GAsyncReadyCallback callback,
                            gpointer user_data)
{
  const BeckonRunScope *scope = beckon_call_batch_get_scope (calls);
  g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, user_data);
  BeckonBatch *batch;
  GError *error = NULL;
  Now *now;

  g_task_set_source_tag (task, beckon_early_landing_async);
  if (!early_landing_check (calls, call, &error))
    {
      g_task_return_error (task, error);
      return;
    }

  now = g_new0 (Now, 1);
  now->calls = beckon_call_batch_ref (calls);
  now->call = g_object_ref (call);
  now->tool = g_object_ref (beckon_run_scope_find_tool (scope, call));
  now->ticket = beckon_call_batch_get_ticket (calls);
  now->is_temporary = beckon_conversation_get_temporary (scope->conversation);
  now->landing = early_landing_make_row (scope, call);
  now->may_ask = may_ask;
  g_task_set_task_data (task, now, now_free);
  beckon_call_batch_mark (calls, call, BECKON_CALL_MARK_LAND_NOW);
  early_landing_count (now, TRUE);
  batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  beckon_batch_put_landing (batch, now->landing);
  beckon_store_commit_async (scope->parts.store, batch, NULL, on_row_stored, g_steal_pointer (&task));
}

BeckonLandNow
beckon_early_landing_finish (GAsyncResult *result, GError **error)
{
  gssize outcome;

  outcome = g_task_propagate_int (G_TASK (result), error);

  return outcome < 0 ? BECKON_LAND_NOW_FAILED : (BeckonLandNow) outcome;
}

void
beckon_early_landing_drop (BeckonToolCall *call, BeckonBatch *batch)
{
  g_autoptr (GPtrArray) landings = beckon_tool_call_list_landings (call);

  for (guint i = 0; i < landings->len; i++)
    {
      const BeckonLanding *landing = g_ptr_array_index (landings, i);
      g_autofree char *id = g_strdup (landing->id);

      if (!beckon_landing_is_early (landing) || landing->state != BECKON_LANDING_WAITING)
        continue;
      beckon_batch_drop_landing (batch, id);
      beckon_tool_call_drop_early (call, id);
    }
}
