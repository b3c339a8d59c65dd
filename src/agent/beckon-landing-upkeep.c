/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE

#include "beckon-config.h"

#include "beckon-landing-upkeep.h"

#include "base/beckon-finish.h"
#include "base/beckon-worker.h"
#include "landing/beckon-lander.h"
#include "landing/beckon-landing-place.h"
#include "store/queries/beckon-expire-landings.h"
#include "store/queries/beckon-unfinished.h"
#include "tools/beckon-undo.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>

/* A lock that every process shares which has temporary conversations with places: the store does not know those. Who gets it
 * alone knows that what the store does not know belongs to nobody. */
static int
get_lock (void)
{
  static gsize lock;

  if (g_once_init_enter (&lock))
    {
      g_autofree char *folder = g_build_filename (g_get_user_data_dir (), BECKON_DATA_FOLDER, NULL);
      g_autofree char *path = g_build_filename (folder, "landings-in-use", NULL);
      int fd;

      g_mkdir_with_parents (folder, 0700);
      fd = g_open (path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
      /* Shifted, because zero stands for nothing. */
      g_once_init_leave (&lock, (gsize) fd + 2);
    }

  return (int) (lock - 2);
}

/* These locks, unlike those of flock(), are changed in one: an attempt that fails leaves what was held. */
static gboolean
set_lock (int command, short type)
{
  struct flock lock = { .l_type = type, .l_whence = SEEK_SET };
  int result;

  if (get_lock () < 0)
    return FALSE;
  do
    result = fcntl (get_lock (), command, &lock);
  while (result != 0 && errno == EINTR);

  return result == 0;
}

static int is_holding; /* atomic */

/* Behind tidying up; another process that does so has the lock alone for a moment. */
static void
hold_or_leave (void)
{
  set_lock (F_OFD_SETLK, g_atomic_int_get (&is_holding) ? F_RDLCK : F_UNLCK);
}

/* A file system without locks is for one process alone. */
static void
hold (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  g_atomic_int_set (&is_holding, TRUE);
  set_lock (F_OFD_SETLKW, F_RDLCK);
  g_task_return_boolean (task, TRUE);
}

void
beckon_landing_upkeep_hold_async (GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, user_data);

  g_task_set_source_tag (task, beckon_landing_upkeep_hold_async);
  beckon_worker_run_for_person (task, hold);
}

static gboolean
try_alone (void)
{
  if (set_lock (F_OFD_SETLK, F_WRLCK))
    return TRUE;
  hold_or_leave ();

  return FALSE;
}

typedef struct
{
  char *drop;        /* (owned) (nullable): a call */
  gint64 now;
  gboolean is_alone;
  GPtrArray *places; /* (owned) (nullable) (element-type utf8): ids of calls */
  char **needless;   /* (owned) (nullable): ids of calls */
} Upkeep;

static void
upkeep_free (gpointer data)
{
  Upkeep *upkeep = data;

  g_free (upkeep->drop);
  g_clear_pointer (&upkeep->places, g_ptr_array_unref);
  g_strfreev (upkeep->needless);
  g_free (upkeep);
}

static void
remove_place (const char *call_id)
{
  g_autofree char *place = beckon_landing_place_get_path (call_id);
  g_autoptr (GError) error = NULL;

  if (!beckon_landing_place_remove (place, &error))
    g_message ("%s", error->message);
}

void
beckon_landing_upkeep_remove (const char *call_id)
{
  remove_place (call_id);
}

/* %FALSE if the folder is half changed, and may be whole again later. */
static gboolean
upkeep_finish (const char *call_id)
{
  g_autofree char *place = beckon_landing_place_get_path (call_id);
  g_autoptr (GError) error = NULL;
  gboolean is_finished = beckon_lander_note_finish (place, &error);

  if (!is_finished)
    g_message ("%s", error->message);
  return is_finished;
}

/* Finishes what was being landed, undone or made again of temporary conversations whose process is gone. */
static void
finish_all (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  g_autoptr (GPtrArray) places = beckon_landing_place_list ();

  if (places->len > 0 && try_alone ())
    {
      for (guint i = 0; i < places->len; i++)
        upkeep_finish (g_ptr_array_index (places, i));
      hold_or_leave ();
    }
  g_task_return_boolean (task, TRUE);
}

static void
remove_all (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Upkeep *upkeep = task_data;

  for (guint i = 0; upkeep->needless != NULL && upkeep->needless[i] != NULL; i++)
    if (!upkeep->is_alone || upkeep_finish (upkeep->needless[i]))
      remove_place (upkeep->needless[i]);
  if (upkeep->is_alone)
    hold_or_leave ();
  g_task_return_boolean (task, TRUE);
}

static void
upkeep_on_found (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Upkeep *upkeep = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;

  upkeep->needless = beckon_store_expire_landings_finish (BECKON_STORE (source), result, &error);
  /* A store that is closed, or broken, keeps what there is: the next start looks again. */
  if (error != NULL)
    g_debug ("landing places stay: %s", error->message);
  beckon_worker_run_for_person (task, remove_all);
}

static void
list_all (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Upkeep *upkeep = task_data;

  if (upkeep->drop != NULL)
    remove_place (upkeep->drop);
  upkeep->is_alone = try_alone ();
  upkeep->places = beckon_landing_place_list ();
  for (guint i = 0; i < upkeep->places->len; i++)
    {
      g_autofree char *place = beckon_landing_place_get_path (g_ptr_array_index (upkeep->places, i));

      beckon_landing_place_sweep (place);
    }
  g_task_return_boolean (task, TRUE);
}

static void
upkeep_on_listed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonStore) store = user_data;
  GTask *listing = G_TASK (result);
  Upkeep *upkeep = g_task_get_task_data (listing);
  g_autoptr (GStrvBuilder) ids = g_strv_builder_new ();
  g_auto (GStrv) call_ids = NULL;
  GTask *task = g_task_new (NULL, NULL, NULL, NULL);
  Upkeep *next = g_new0 (Upkeep, 1);

  next->is_alone = upkeep->is_alone;
  g_task_set_source_tag (task, upkeep_on_listed);
  g_task_set_task_data (task, next, upkeep_free);
  for (guint i = 0; i < upkeep->places->len; i++)
    g_strv_builder_add (ids, g_ptr_array_index (upkeep->places, i));
  call_ids = g_strv_builder_end (ids);
  beckon_store_expire_landings_async (store, (const char *const *) call_ids, upkeep->is_alone, upkeep->now, NULL,
                                      upkeep_on_found,
                                      task);
}

void
beckon_landing_upkeep_drop (BeckonStore *store, const char *call_id, gint64 now)
{
  g_autoptr (GTask) task = NULL;
  Upkeep *upkeep;

  upkeep = g_new0 (Upkeep, 1);
  upkeep->drop = g_strdup (call_id);
  upkeep->now = now;
  task = g_task_new (NULL, NULL, upkeep_on_listed, g_object_ref (store));
  g_task_set_source_tag (task, beckon_landing_upkeep_drop);
  g_task_set_task_data (task, upkeep, upkeep_free);
  beckon_worker_run_for_person (task, list_all);
}

void
beckon_landing_upkeep_run (BeckonStore *store, gint64 now)
{
  beckon_landing_upkeep_drop (store, NULL, now);
}

static void
remove_every_place (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  g_autoptr (GPtrArray) places = beckon_landing_place_list ();

  for (guint i = 0; i < places->len; i++)
    remove_place (g_ptr_array_index (places, i));
  g_task_return_boolean (task, TRUE);
}

void
beckon_landing_upkeep_remove_all_async (GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, user_data);

  g_task_set_source_tag (task, beckon_landing_upkeep_remove_all_async);
  beckon_worker_run_for_person (task, remove_every_place);
}

/* --- Folders that were left half changed --------------------------------------------------------------------------- */

typedef struct
{
  GPtrArray *all; /* (owned) (nullable) (element-type BeckonUnfinished) */
  guint next;
} Recovery;

static void
upkeep_recovery_free (gpointer data)
{
  Recovery *recovery = data;

  g_clear_pointer (&recovery->all, g_ptr_array_unref);
  g_free (recovery);
}

static void finish_next (GTask *task);

static void
upkeep_on_undone (GObject *source, GAsyncResult *result, gpointer user_data)
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
                            unfinished->is_redo, unfinished->now, upkeep_on_undone, g_object_ref (task));
}

static void
upkeep_on_stored (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;

  if (!beckon_store_commit_finish (BECKON_STORE (source), result, &error))
    g_message ("%s", error->message);
  finish_next (task);
}

/* A folder that cannot be opened leaves it decided. */
static void
upkeep_on_landed (GObject *source, GAsyncResult *result, gpointer user_data)
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
  beckon_store_commit_async (g_task_get_source_object (task), batch, NULL, upkeep_on_stored, g_object_ref (task));
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
  g_autoptr (GTask) phase = g_task_new (NULL, NULL, upkeep_on_landed, g_object_ref (task));

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
upkeep_on_noted_finished (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;

  finish_next (task);
}

static void
upkeep_on_claimed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Recovery *recovery = g_task_get_task_data (task);
  GError *error = NULL;

  recovery->all = beckon_store_claim_unfinished_finish (BECKON_STORE (source), result, &error);
  if (recovery->all != NULL)
    {
      g_autoptr (GTask) finishing = g_task_new (NULL, NULL, upkeep_on_noted_finished, g_steal_pointer (&task));

      g_task_set_source_tag (finishing, upkeep_on_claimed);
      beckon_worker_run_for_person (finishing, finish_all);
    }
  else
    g_task_return_error (task, error);
}

void
beckon_landing_upkeep_recover_async (BeckonStore *store, GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task;

  g_return_if_fail (BECKON_IS_STORE (store));

  task = g_task_new (store, NULL, callback, user_data);
  g_task_set_source_tag (task, beckon_landing_upkeep_recover_async);
  g_task_set_task_data (task, g_new0 (Recovery, 1), upkeep_recovery_free);
  beckon_store_claim_unfinished_async (store, upkeep_on_claimed, task);
}

BECKON_FINISH_BOOLEAN (beckon_landing_upkeep_recover, BeckonStore)
