/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-store-copies.h"

#include "base/beckon-finish.h"
#include "base/beckon-worker.h"
#include "store/repair/beckon-file-check.h"
#include "store/repair/beckon-salvage.h"

static void
store_copies_list (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  g_task_return_pointer (task, beckon_history_copies_list (data), (GDestroyNotify) g_ptr_array_unref);
}

void
beckon_store_list_copies_async (BeckonStore *self, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (BECKON_IS_STORE (self));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, beckon_store_list_copies_async);
  g_task_set_task_data (task, g_strdup (beckon_store_get_directory (self)), g_free);
  beckon_worker_run_for_person (task, store_copies_list);
}

BECKON_FINISH_POINTER (GPtrArray *, beckon_store_list_copies, BeckonStore)

static void
store_copies_request (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  char **place = data;
  GError *error = NULL;

  if (beckon_salvage_request_copy (place[0], place[1], &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

void
beckon_store_request_copy_async (BeckonStore *self, const char *name, GAsyncReadyCallback callback, gpointer user_data)
{
  const char *const place[] = { beckon_store_get_directory (self), name, NULL };
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (BECKON_IS_STORE (self) && name != NULL);

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, beckon_store_request_copy_async);
  g_task_set_task_data (task, g_strdupv ((char **) place), (GDestroyNotify) g_strfreev);
  beckon_worker_run_for_person (task, store_copies_request);
}

BECKON_FINISH_BOOLEAN (beckon_store_request_copy, BeckonStore)

char *
beckon_store_dup_copy_problem (void)
{
  return beckon_file_check_dup_problem ();
}
