/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-landing-recovery.h"

#include "beckon-landing-upkeep.h"
#include "base/beckon-finish.h"
#include "base/beckon-worker.h"
#include "landing/beckon-lander.h"
#include "landing/beckon-landing-place.h"
#include "store/queries/beckon-unfinished.h"
#include "tools/beckon-undo.h"

typedef struct
{
  GPtrArray *all; /* (owned) (nullable) (element-type BeckonUnfinished) */
  guint next;
} Recovery;

static void
recovery_free (gpointer data)
{
  Recovery *recovery = data;

  g_clear_pointer (&recovery->all, g_ptr_array_unref);
  g_free (recovery);
}

static void finish_next (GTask *task);

static void
landing_recovery_on_undone (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;

  if (!beckon_undo_resume_finish (BECKON_FILE_COPIES (source), result, &error))
    g_message ("%s", error->message);
  finish_next (task);
}

static void
resume_undoing (GTask *task, const BeckonUnfinished *unfinished)
{
  g_autoptr (BeckonToolCall) call = beckon_tool_call_new (unfinished->call_id, NULL, "", "{}");

  beckon_undo_resume_async (g_task_get_source_object (task), unfinished->conversation_id, call, unfinished->front_end,
                            unfinished->is_redo, unfinished->now, landing_recovery_on_undone, g_object_ref (task));
}

static void
landing_recovery_on_stored (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;

  if (!beckon_store_commit_finish (BECKON_STORE (source), result, &error))
    g_message ("%s", error->message);
  finish_next (task);
}

/* A folder that cannot be opened leaves it decided. */
static void
on_landed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  BeckonLanding *landing = g_task_get_task_data (G_TASK (result));
  BeckonBatch *batch;
  g_autoptr (GError) error = NULL;

  if (!g_task_propagate_boolean (G_TASK (result), &error))
    {
      g_message ("%s", error->message);
      finish_next (task);
      return;
    }
  batch = beckon_batch_new (BECKON_DURABILITY_FULL);
  beckon_batch_finish_landing (batch, landing);
  beckon_store_commit_async (g_task_get_source_object (task), batch, NULL, landing_recovery_on_stored, g_object_ref (task));
}

static void
land (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  BeckonLanding *landing = task_data;
  GError *error = NULL;

  if (!beckon_lander_land (landing, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  landing->state = BECKON_LANDING_LANDED;
  landing->kept_bytes = beckon_change_set_can_undo (landing->changes) ? beckon_landing_place_measure (landing->place) : 0;
  g_task_return_boolean (task, TRUE);
}

static void
resume_landing (GTask *task, const BeckonUnfinished *unfinished)
{
  g_autoptr (GTask) phase = g_task_new (NULL, NULL, on_landed, g_object_ref (task));

  g_task_set_source_tag (phase, resume_landing);
  g_task_set_task_data (phase, beckon_landing_copy (unfinished->landing), (GDestroyNotify) beckon_landing_free);
  beckon_worker_run_for_person (phase, land);
}

static void
finish_next (GTask *task)
{
  Recovery *recovery = g_task_get_task_data (task);
  const BeckonUnfinished *unfinished;

  if (recovery->next == recovery->all->len)
    {
      g_task_return_boolean (task, TRUE);
      return;
    }
  unfinished = g_ptr_array_index (recovery->all, recovery->next++);
  if (unfinished->landing != NULL)
    resume_landing (task, unfinished);
  else
    resume_undoing (task, unfinished);
}

static void
on_noted_finished (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;

  g_task_propagate_boolean (G_TASK (result), NULL);
  finish_next (task);
}

static void
on_claimed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Recovery *recovery = g_task_get_task_data (task);
  GError *error = NULL;

  recovery->all = beckon_store_claim_unfinished_finish (BECKON_STORE (source), result, &error);
  if (recovery->all != NULL)
    beckon_landing_upkeep_finish_async (on_noted_finished, g_steal_pointer (&task));
  else
    g_task_return_error (task, error);
}

void
beckon_landing_recovery_async (BeckonStore *store, GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task;

  g_return_if_fail (BECKON_IS_STORE (store));

  task = g_task_new (store, NULL, callback, user_data);
  g_task_set_source_tag (task, beckon_landing_recovery_async);
  g_task_set_task_data (task, g_new0 (Recovery, 1), recovery_free);
  beckon_store_claim_unfinished_async (store, on_claimed, task);
}

BECKON_FINISH_BOOLEAN (beckon_landing_recovery, BeckonStore)
