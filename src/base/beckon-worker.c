/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-worker.h"

#include "beckon-english.h"

typedef struct
{
  GTask *task; /* (owned) */
  GTaskThreadFunc function;
  gboolean is_for_person;
} Work;

static gboolean
remove_source (gpointer user_data)
{
  return G_SOURCE_REMOVE;
}

static void
worker_work (gpointer data, gpointer user_data)
{
  g_autofree Work *work = data;
  GTask *task = work->task;
  locale_t before = work->is_for_person ? uselocale (LC_GLOBAL_LOCALE) : beckon_english_begin ();
  g_autoptr (GSource) source = NULL;

  work->function (task, g_task_get_source_object (task), g_task_get_task_data (task), g_task_get_cancellable (task));
  beckon_english_end (before);
  source = g_idle_source_new ();
  /* Sources of tasks, and what belongs to them, end on the thread that they belong to. */
  g_source_set_static_name (source, "[beckon] worker");
  g_source_set_priority (source, g_task_get_priority (task));
  g_source_set_callback (source, remove_source, task, g_object_unref);
  g_source_attach (source, g_task_get_context (task));
}

static void
worker_push (GTask *task, GTaskThreadFunc function, gboolean is_for_person)
{
  static GThreadPool *pool;
  Work *data = g_new0 (Work, 1);

  if (g_once_init_enter (&pool))
    g_once_init_leave (&pool, g_thread_pool_new (worker_work, NULL, -1, FALSE, NULL));
  data->task = g_object_ref (task);
  data->function = function;
  data->is_for_person = is_for_person;
  g_thread_pool_push (pool, data, NULL);
}

void
beckon_worker_run (GTask *task, GTaskThreadFunc function)
{
  g_return_if_fail (G_IS_TASK (task));
  g_return_if_fail (function != NULL);

  worker_push (task, function, FALSE);
}

void
beckon_worker_run_for_person (GTask *task, GTaskThreadFunc function)
{
  g_return_if_fail (G_IS_TASK (task));
  g_return_if_fail (function != NULL);

  worker_push (task, function, TRUE);
}

/* --- With patience ------------------------------------------------------------------------------------------------- */

typedef struct
{
  GTask *work; /* (owned) */
  guint late_id;
} Wait;

static void
wait_free (gpointer data)
{
  Wait *wait = data;

  g_clear_handle_id (&wait->late_id, g_source_remove);
  g_clear_object (&wait->work);
  g_free (wait);
}

static gboolean
worker_on_late (gpointer user_data)
{
  GTask *task = user_data;
  Wait *wait = g_task_get_task_data (task);

  wait->late_id = 0;
  g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_TIMED_OUT, "The work takes too long.");
  return G_SOURCE_REMOVE;
}

static void
on_worked (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Wait *wait = g_task_get_task_data (task);

  if (wait->late_id == 0)
    return;
  g_clear_handle_id (&wait->late_id, g_source_remove);
  g_task_return_boolean (task, TRUE);
}

void
beckon_worker_wait_async (GTaskThreadFunc function, gpointer data, GDestroyNotify destroy, guint patience_ms,
                          GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, user_data);
  Wait *wait = g_new0 (Wait, 1);

  wait->work = g_task_new (NULL, NULL, on_worked, g_object_ref (task));
  g_task_set_source_tag (wait->work, function);
  g_task_set_task_data (wait->work, data, destroy);
  wait->late_id = g_timeout_add_full (G_PRIORITY_DEFAULT, patience_ms, worker_on_late, g_object_ref (task), g_object_unref);
  g_task_set_source_tag (task, beckon_worker_wait_async);
  g_task_set_task_data (task, wait, wait_free);
  beckon_worker_run (wait->work, function);
}

gpointer
beckon_worker_wait_finish (GAsyncResult *result, GError **error)
{
  const Wait *wait = g_task_get_task_data (G_TASK (result));

  g_return_val_if_fail (g_async_result_is_tagged (result, beckon_worker_wait_async), NULL);

  return g_task_propagate_boolean (G_TASK (result), error) ? g_task_propagate_pointer (wait->work, error) : NULL;
}
