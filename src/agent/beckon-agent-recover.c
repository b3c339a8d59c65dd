/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-agent-private.h"

#include "base/beckon-error.h"
#include "base/beckon-finish.h"
#include "beckon-landing-upkeep.h"
#include "request/beckon-question-request.h"
#include "sandbox/beckon-sandbox-view.h"

/* Runs that nobody drives are taken up: at the start of a program, by name, or because somebody answered. */

/* With the time that taking over takes, a death shows within 5 seconds. */
#define WATCH_MS (2 * 1000)

static void agent_take_over_dead (BeckonAgent *agent);

static gboolean
on_watch_due (gpointer user_data)
{
  BeckonAgent *agent = user_data;

  agent->watch_timeout = 0;
  agent_take_over_dead (agent);

  return G_SOURCE_REMOVE;
}

/* The end of a driver is found out by looking at its lease, because no message tells of it: soon, where this process adopts
 * runs. */
static void
agent_watch (BeckonAgent *agent)
{
  if (agent->adopts && agent->watch_timeout == 0 && !g_cancellable_is_cancelled (agent->letting_go))
    agent->watch_timeout = beckon_clock_add_timeout (agent->parts.clock, WATCH_MS, on_watch_due, agent);
}

/* Recovery: the open runs are listed; each whose holder is gone is claimed, its conversation loaded, and driven again. */

typedef struct
{
  GTask *task;
  BeckonRunRecord *record;
  BeckonConversation *conversation;
  char *folder; /* (nullable): whose view is known */
} Takeover;

static void
takeover_free (Takeover *takeover)
{
  g_clear_pointer (&takeover->record, beckon_run_record_free);
  g_clear_object (&takeover->conversation);
  g_free (takeover->folder);
  g_object_unref (takeover->task);
  g_free (takeover);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Takeover, takeover_free)

typedef struct
{
  char *conversation_id; /* (nullable): only this one */
  gboolean only_dead;    /* what was released is left to those who answer */
  guint left;            /* take-overs under way, and one for the listing, so that the end comes once */
} Recovery;

static void
recovery_free (Recovery *recovery)
{
  g_free (recovery->conversation_id);
  g_free (recovery);
}

/* Releases a claimed run that can't be driven, so that it can be resumed before this process ends. */
static void
agent_recover_release (Takeover *takeover)
{
  BeckonAgent *agent = g_task_get_source_object (takeover->task);
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);

  beckon_batch_keep (batch);
  beckon_batch_release_run (batch, takeover->record->id, takeover->record->left_by);
  beckon_store_commit_async (agent->parts.store, batch, NULL, NULL, NULL);
}

/* Only now are places that were left behind told from those of runs that are taken up again. */
static void
recovery_done (GTask *task)
{
  BeckonAgent *agent = g_task_get_source_object (task);

  beckon_landing_upkeep_run (agent->parts.store, beckon_clock_get_real_time (agent->parts.clock));
  g_task_return_boolean (task, TRUE);
}

/* A take-over that fails leaves its run for the next attempt and says so. That another process was faster, or that the run was
 * just over, is no failure. */
static void
takeover_done (Takeover *takeover, const GError *error)
{
  Recovery *recovery = g_task_get_task_data (takeover->task);

  if (error != NULL && !g_error_matches (error, BECKON_ERROR, BECKON_ERROR_CONFLICT)
      && !g_error_matches (error, BECKON_ERROR, BECKON_ERROR_NOT_FOUND)
      && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_message ("%s", error->message);
  if (--recovery->left == 0)
    recovery_done (takeover->task);
}

static void
agent_recover_resume (Takeover *takeover)
{
  BeckonAgent *agent = g_task_get_source_object (takeover->task);
  g_autoptr (BeckonRun) run = NULL;
  gboolean stops = takeover->record->stop_asked;

  /* Asked for twice, it was claimed twice by the same process. */
  if (g_hash_table_contains (agent->runs, beckon_conversation_get_id (takeover->conversation)))
    {
      takeover_done (takeover, NULL);
      return;
    }
  run = beckon_run_new (&agent->parts, takeover->conversation, g_steal_pointer (&takeover->record), agent->has_person);
  beckon_run_recover (run);
  if (!beckon_run_is_over (run))
    beckon_agent_drive (agent, run);
  if (stops)
    beckon_run_stop (run);
  takeover_done (takeover, NULL);
}

static void learn_view (Takeover *takeover);

static gboolean
has_view (Takeover *takeover)
{
  const char *folder = beckon_conversation_get_folder (takeover->conversation);

  return folder == NULL || g_strcmp0 (folder, takeover->folder) == 0;
}

/* The last that is read: whatever is settled after it is told by the inbox, to the run that there is then. */
static void
on_refreshed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Takeover) takeover = user_data;
  g_autoptr (GError) error = NULL;

  if (!beckon_library_refresh_finish (BECKON_LIBRARY (source), result, &error))
    {
      agent_recover_release (takeover);
      takeover_done (takeover, error);
    }
  else if (has_view (takeover))
    agent_recover_resume (takeover);
  else
    learn_view (g_steal_pointer (&takeover));
}

/* Data read before it was ours may be old. */
static void
refresh (Takeover *takeover)
{
  BeckonAgent *agent = g_task_get_source_object (takeover->task);

  beckon_library_refresh_async (agent->parts.library, takeover->conversation, g_task_get_cancellable (takeover->task),
                                on_refreshed, takeover);
}

/* Forms of the process that is gone, with which its calls can be sent again. */
static void
on_forms_listed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Takeover) takeover = user_data;
  BeckonAgent *agent = g_task_get_source_object (takeover->task);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) forms = beckon_store_list_forms_finish (BECKON_STORE (source), result, &error);

  if (forms == NULL)
    {
      agent_recover_release (takeover);
      takeover_done (takeover, error);
      return;
    }
  if (!g_hash_table_contains (agent->runs, beckon_conversation_get_id (takeover->conversation)))
    beckon_inbox_take_forms (agent->parts.inbox, beckon_conversation_get_id (takeover->conversation), forms);
  refresh (g_steal_pointer (&takeover));
}

static void
list_forms (Takeover *takeover)
{
  BeckonAgent *agent = g_task_get_source_object (takeover->task);

  beckon_store_list_forms_async (agent->parts.store, beckon_conversation_get_id (takeover->conversation),
                                 g_task_get_cancellable (takeover->task), on_forms_listed, takeover);
}

static void
on_view_learned (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Takeover) takeover = user_data;
  g_autoptr (GError) error = NULL;

  if (beckon_sandbox_view_learn_finish (result, &error))
    {
      list_forms (g_steal_pointer (&takeover));
      return;
    }
  agent_recover_release (takeover);
  takeover_done (takeover, error);
}

/* The description of a command's sandbox depends on it. */
static void
learn_view (Takeover *takeover)
{
  const char *folder = beckon_conversation_get_folder (takeover->conversation);

  g_free (takeover->folder);
  takeover->folder = g_strdup (folder);
  if (folder == NULL)
    list_forms (takeover);
  else
    beckon_sandbox_view_learn_async (folder, g_task_get_cancellable (takeover->task), on_view_learned, takeover);
}

static void
on_claimed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Takeover) takeover = user_data;
  BeckonAgent *agent = g_task_get_source_object (takeover->task);
  g_autoptr (GError) error = NULL;
  BeckonConversation *conversation = NULL;

  takeover->record = beckon_store_claim_run_finish (BECKON_STORE (source), result, &error);
  if (takeover->record != NULL)
    conversation = beckon_library_lookup (agent->parts.library, takeover->record->conversation_id);
  if (takeover->record != NULL && conversation == NULL)
    {
      agent_recover_release (takeover);
      agent_watch (agent);
    }
  if (conversation == NULL || g_hash_table_contains (agent->runs, takeover->record->conversation_id))
    {
      takeover_done (takeover, error);
      return;
    }
  takeover->conversation = g_object_ref (conversation);
  learn_view (g_steal_pointer (&takeover));
}

static void
take_over (GTask *task, BeckonStore *store, BeckonRunRecord *record)
{
  Recovery *recovery = g_task_get_task_data (task);
  Takeover *takeover;

  if (record->held || (recovery->only_dead && record->left_by == NULL) ||
      (recovery->conversation_id != NULL && g_strcmp0 (recovery->conversation_id, record->conversation_id) != 0))
    return;
  takeover = g_new0 (Takeover, 1);
  takeover->task = g_object_ref (task);
  recovery->left++;
  beckon_store_claim_run_async (store, record->id, g_task_get_cancellable (task), on_claimed, takeover);
}

static void
on_open_runs (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Recovery *recovery = g_task_get_task_data (task);
  GError *error = NULL;
  g_autoptr (GPtrArray) records = beckon_store_list_open_runs_finish (BECKON_STORE (source), result, &error);

  if (records == NULL)
    {
      /* Otherwise nothing would look again. */
      if (recovery->only_dead)
        agent_watch (g_task_get_source_object (task));
      g_task_return_error (task, error);
      return;
    }
  for (guint i = 0; i < records->len; i++)
    {
      BeckonRunRecord *record = g_ptr_array_index (records, i);

      take_over (task, BECKON_STORE (source), record);
      if (record->held)
        agent_watch (g_task_get_source_object (task));
    }
  if (--recovery->left == 0)
    recovery_done (task);
}

static void
recover (BeckonAgent *agent, const char *conversation_id, gboolean only_dead, GTask *task)
{
  Recovery *recovery = g_new0 (Recovery, 1);

  recovery->only_dead = only_dead;
  recovery->conversation_id = g_strdup (conversation_id);
  recovery->left = 1;
  g_task_set_task_data (task, recovery, (GDestroyNotify) recovery_free);
  beckon_store_list_open_runs_async (agent->parts.store, g_task_get_cancellable (task), on_open_runs, task);
}

void
beckon_agent_recover_async (BeckonAgent *agent, GCancellable *cancellable, GAsyncReadyCallback callback,
                            gpointer user_data)
{
  GTask *task;

  g_return_if_fail (BECKON_IS_AGENT (agent));

  task = g_task_new (agent, cancellable, callback, user_data);
  g_task_set_source_tag (task, beckon_agent_recover_async);
  recover (agent, NULL, FALSE, task);
}

/* A run that was released waits for a person, and for whoever answers. */
static void
agent_take_over_dead (BeckonAgent *agent)
{
  GTask *task = g_task_new (agent, agent->letting_go, NULL, NULL);

  g_task_set_source_tag (task, agent_take_over_dead);
  recover (agent, NULL, TRUE, task);
}

void
beckon_agent_resume_async (BeckonAgent *agent, BeckonConversation *conversation, GCancellable *cancellable,
                           GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task;

  g_return_if_fail (BECKON_IS_AGENT (agent));
  g_return_if_fail (BECKON_IS_CONVERSATION (conversation));

  task = g_task_new (agent, cancellable, callback, user_data);
  g_task_set_source_tag (task, beckon_agent_resume_async);
  /* Resuming a conversation also resumes it when its question is answered. */
  if (beckon_conversation_get_phase (conversation) == BECKON_RUN_ASKED)
    g_hash_table_add (agent->asked, g_strdup (beckon_conversation_get_id (conversation)));
  recover (agent, beckon_conversation_get_id (conversation), FALSE, task);
}

BECKON_FINISH_BOOLEAN (beckon_agent_resume, BeckonAgent)

BECKON_FINISH_BOOLEAN (beckon_agent_recover, BeckonAgent)

typedef struct
{
  BeckonConversation *conversation;
  BeckonRequestState state;
} Adoption;

static void
adoption_free (Adoption *adoption)
{
  g_object_unref (adoption->conversation);
  g_free (adoption);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Adoption, adoption_free)

static gboolean
waits_for_more (BeckonAgent *agent, BeckonConversation *conversation)
{
  return beckon_inbox_count_for (agent->parts.inbox, beckon_conversation_get_id (conversation)) > 0;
}

/* Without a queued turn, its question was dismissed, or others are still open, or another process was faster. */
static void
on_adopted (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Adoption) adoption = user_data;
  BeckonAgent *agent = BECKON_AGENT (source);
  BeckonConversation *conversation = adoption->conversation;
  g_autoptr (GError) error = NULL;

  if (!beckon_agent_resume_finish (agent, result, &error))
    {
      if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        g_message ("%s", error->message);
      return;
    }
  if (beckon_agent_is_driving (agent, beckon_conversation_get_id (conversation)) || waits_for_more (agent, conversation)
      || adoption->state != BECKON_REQUEST_DECLINED
      || beckon_conversation_get_phase (conversation) != BECKON_RUN_ASKED)
    return;

  beckon_conversation_set_phase (conversation, BECKON_RUN_DISMISSED, NULL, 0);
  if (beckon_settings_get_dismiss (agent->parts.settings) == BECKON_DISMISS_CONTINUES
      && beckon_conversation_get_loaded (conversation))
    beckon_agent_continue_async (agent, conversation, NULL, NULL, NULL);
}

static void
adopt (BeckonAgent *agent, BeckonConversation *conversation, BeckonRequestState state)
{
  Adoption *adoption = g_new0 (Adoption, 1);

  adoption->conversation = g_object_ref (conversation);
  adoption->state = state;
  beckon_agent_resume_async (agent, conversation, agent->letting_go, on_adopted, adoption);
}

void
beckon_agent_adopt_listed (BeckonAgent *agent)
{
  GHashTableIter iter;
  gpointer id, state;

  g_hash_table_iter_init (&iter, agent->unlisted);
  while (g_hash_table_iter_next (&iter, &id, &state))
    {
      BeckonConversation *conversation = beckon_library_lookup (agent->parts.library, id);

      if (conversation == NULL)
        continue;
      if (!g_cancellable_is_cancelled (agent->letting_go))
        adopt (agent, conversation, (BeckonRequestState) GPOINTER_TO_INT (state));
      g_hash_table_iter_remove (&iter);
    }
}

/* Its run may be over: the process that took the answer carries it out. */
static gboolean
was_late (BeckonInbox *inbox, BeckonRequest *request)
{
  return beckon_request_is_late (request) && beckon_inbox_was_settled_here (inbox, beckon_request_get_id (request));
}

void
beckon_agent_take_up_settled (BeckonAgent *agent, BeckonRequest *request)
{
  const char *id = beckon_request_get_conversation_id (request);
  BeckonConversation *conversation = beckon_library_lookup (agent->parts.library, id);

  if (!(agent->adopts || g_hash_table_contains (agent->asked, id) || was_late (agent->parts.inbox, request))
      || beckon_request_get_state (request) == BECKON_REQUEST_CANCELLED
      || g_cancellable_is_cancelled (agent->letting_go))
    return;

  /* Another process has begun the conversation just now, and the list will hear of it. */
  if (conversation == NULL)
    g_hash_table_replace (agent->unlisted, g_strdup (id), GINT_TO_POINTER (beckon_request_get_state (request)));
  else
    adopt (agent, conversation, beckon_request_get_state (request));
}

void
beckon_agent_set_follows_queue (BeckonAgent *agent, gboolean follows_queue)
{
  g_return_if_fail (BECKON_IS_AGENT (agent));

  agent->follows_queue = follows_queue;
}

void
beckon_agent_set_adopts (BeckonAgent *agent, gboolean adopts)
{
  g_return_if_fail (BECKON_IS_AGENT (agent));

  agent->adopts = adopts;
}

/* --- Runs of other processes --------------------------------------------------------------------------------------- */

/* A stop reaches their driver through the store; that a driver has died is found out by
 * looking at its lease, because no message tells of it. */

typedef struct
{
  BeckonAgent *agent;               /* (owned) */
  BeckonConversation *conversation; /* (owned) */
} Stopping;

static void
stopping_free (Stopping *stopping)
{
  g_object_unref (stopping->agent);
  g_object_unref (stopping->conversation);
  g_free (stopping);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Stopping, stopping_free)

/* A living driver has been told. In place of a dead one this process takes the run over, and stops it. */
static void
on_stop_asked (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Stopping) stopping = user_data;
  g_autoptr (GError) error = NULL;

  if (beckon_store_ask_stop_finish (BECKON_STORE (source), result, &error))
    beckon_agent_resume_async (stopping->agent, stopping->conversation, stopping->agent->letting_go, NULL, NULL);
  else
    g_message ("the run was not stopped: %s", error->message);
}

void
beckon_agent_stop_elsewhere (BeckonAgent *agent, BeckonConversation *conversation)
{
  Stopping *stopping;

  if (!beckon_conversation_is_busy (conversation) || g_cancellable_is_cancelled (agent->letting_go))
    return;

  stopping = g_new0 (Stopping, 1);
  stopping->agent = g_object_ref (agent);
  stopping->conversation = g_object_ref (conversation);
  beckon_store_ask_stop_async (agent->parts.store, beckon_conversation_get_id (conversation), NULL, on_stop_asked, stopping);
}

static void
on_stops (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonAgent) agent = user_data;
  g_autoptr (GPtrArray) ids = beckon_store_list_stops_finish (BECKON_STORE (source), result, NULL);

  for (guint i = 0; ids != NULL && i < ids->len; i++)
    {
      const char *id = g_ptr_array_index (ids, i);
      gpointer run;

      if (!g_hash_table_lookup_extended (agent->runs, id, NULL, &run))
        continue;
      /* A run about to be driven is stopped once it is. */
      if (run != NULL)
        beckon_run_stop (run);
      else
        g_hash_table_add (agent->stop_soon, g_strdup (id));
    }
}

void
beckon_agent_unwatch (BeckonAgent *agent)
{
  if (agent->watch_timeout != 0)
    beckon_clock_remove (agent->parts.clock, agent->watch_timeout);
  agent->watch_timeout = 0;
}

void
beckon_agent_follow_store (BeckonAgent *agent)
{
  if (g_cancellable_is_cancelled (agent->letting_go))
    return;
  if (g_hash_table_size (agent->runs) > 0)
    beckon_store_list_stops_async (agent->parts.store, NULL, on_stops, g_object_ref (agent));
  agent_watch (agent);
}
