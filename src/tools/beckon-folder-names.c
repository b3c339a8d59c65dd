/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-folder-names.h"

#include "base/beckon-finish.h"
#include "base/beckon-text.h"
#include "base/beckon-worker.h"
#include "beckon-folder-walk.h"

#define MOST_VISITED 100000
#define MOST_TIME (2 * G_TIME_SPAN_SECOND)

/* Misleading names are not offered: they could not be read before they are chosen. */
static gboolean
is_offered (const BeckonFolderEntry *entry)
{
  return entry->kind == BECKON_FOLDER_ENTRY_FILE && !beckon_text_has_hidden (entry->path, -1);
}

static GPtrArray *
folder_names_list (BeckonFolderWalk *walk, GCancellable *cancellable)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  gint64 end = g_get_monotonic_time () + MOST_TIME;
  BeckonFolderEntry entry;

  for (guint i = 0; i < MOST_VISITED && names->len < BECKON_FOLDER_NAMES_MOST; i++)
    {
      if (g_cancellable_is_cancelled (cancellable) || g_get_monotonic_time () > end
          || !beckon_folder_walk_next (walk, &entry))
        break;
      if (is_offered (&entry))
        g_ptr_array_add (names, g_strdup (entry.path));
    }
  return names;
}

static void
list_in_thread (GTask *task, gpointer object, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;
  g_autoptr (BeckonFolder) folder = beckon_folder_new (data, &error);
  g_autoptr (BeckonFolderWalk) walk = folder != NULL ? beckon_folder_walk_new (folder, ".", TRUE, &error) : NULL;

  if (walk == NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, folder_names_list (walk, cancellable), (GDestroyNotify) g_ptr_array_unref);
}

void
beckon_folder_names_list_async (const char *folder, GCancellable *cancellable, GAsyncReadyCallback callback,
                                gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (folder != NULL);

  task = g_task_new (NULL, cancellable, callback, user_data);
  g_task_set_source_tag (task, beckon_folder_names_list_async);
  g_task_set_task_data (task, g_strdup (folder), g_free);
  beckon_worker_run_for_person (task, list_in_thread);
}

BECKON_FINISH_LONE_POINTER (GPtrArray *, beckon_folder_names_list)
