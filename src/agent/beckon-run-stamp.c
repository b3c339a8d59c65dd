/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-run-private.h"

#include "tools/beckon-file-stamp.h"

/*
 * A decision is bound to the files that it is about. They are read on another thread: when a request is made, before it is
 * stored; and when its call is about to start, before the last look at it. Nothing of the run steps meanwhile.
 */

void
beckon_run_stamp_free (BeckonRunStamp *stamp)
{
  g_object_unref (stamp->subject);
  g_strfreev (stamp->paths);
  g_free (stamp->files);
  g_free (stamp->changed);
  g_free (stamp);
}

/**
 * beckon_run_keep_paths: (skip)
 * @run: the run
 * @request: an approval, with its ground, that the next commit stores
 * @paths: (nullable): the files that it is about
 *
 * They are looked at before that commit.
 */
void
beckon_run_keep_paths (BeckonRun *run, BeckonRequest *request, const char *const *paths)
{
  BeckonRunStamp *stamp;

  if (paths == NULL || paths[0] == NULL)
    return;

  stamp = g_new0 (BeckonRunStamp, 1);
  stamp->subject = g_object_ref (G_OBJECT (request));
  stamp->paths = g_strdupv ((char **) paths);
  g_ptr_array_add (run->unstamped, stamp);
}

static void
stamp_on_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  GPtrArray *stamps = task_data;

  for (guint i = 0; i < stamps->len; i++)
    {
      BeckonRunStamp *stamp = g_ptr_array_index (stamps, i);

      if (stamp->paths != NULL)
        stamp->files = beckon_file_stamps_take ((const char *const *) stamp->paths);
      else
        stamp->changed = beckon_file_stamps_find_change (stamp->files);
    }
  g_task_return_boolean (task, TRUE);
}

/**
 * beckon_run_stamp_async: (skip)
 * @run: the run
 * @stamps: (transfer full) (element-type BeckonRunStamp): with paths: what they are now is found; without: whether they are
 *   what `files` says
 * @callback: called later, also when the run stops meanwhile: half a look is none
 * @user_data: for @callback
 */
void
beckon_run_stamp_async (BeckonRun *run, GPtrArray *stamps, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (run, NULL, callback, user_data);

  g_task_set_source_tag (task, beckon_run_stamp_async);
  g_task_set_task_data (task, stamps, (GDestroyNotify) g_ptr_array_unref);
  g_task_run_in_thread (task, stamp_on_thread);
}

/** The stamps, which are borrowed from @result. */
GPtrArray *
beckon_run_stamp_finish (BeckonRun *run, GAsyncResult *result)
{
  g_return_val_if_fail (g_task_is_valid (result, run), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, beckon_run_stamp_async), NULL);

  return g_task_get_task_data (G_TASK (result));
}
