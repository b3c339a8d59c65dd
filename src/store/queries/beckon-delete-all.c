/* SPDX-License-Identifier: GPL-3.0-or-later */

/* All files whose names begin as ours do, and the leases. The usage file stays, and so does the notice: they are empty, and
 * a program that opens the store right now waits for the lock of the one it has found.
 */

#include "beckon-config.h"

#include "beckon-delete-all.h"

#include "base/beckon-error.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-worker.h"
#include "store/db/beckon-store-private.h"
#include "store/repair/beckon-salvage.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <sys/file.h>
#include <unistd.h>

static gboolean
delete_file (const char *directory, const char *name, GError **error)
{
  g_autofree char *path = g_build_filename (directory, name, NULL);

  if (g_unlink (path) == 0 || errno == ENOENT)
    return TRUE;

  beckon_text_set_error (error, BECKON_ERROR, BECKON_ERROR_STORE, _("“%s” could not be deleted (%s)."), path,
                         g_strerror (errno));

  return FALSE;
}

static gboolean
delete_files (const char *directory, const char *prefix, GError **error)
{
  g_autoptr (GDir) dir = g_dir_open (directory, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_prefix (name, prefix) && !delete_file (directory, name, error))
      return FALSE;

  return TRUE;
}

static void
delete_all_run (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;
  g_autofree char *usage = g_build_filename (data, "in-use", NULL);
  g_autofree char *leases = g_build_filename (data, "leases", NULL);
  int fd = g_open (usage, O_CREAT | O_RDWR | O_CLOEXEC, 0600);
  gboolean deleted = FALSE;

  if (fd < 0 || flock (fd, LOCK_EX | LOCK_NB) != 0)
    g_set_error_literal (
        &error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
        _("Another window or terminal of Beckon is still using the history. Close it, then try again."));
  else
    deleted = delete_files (data, "beckon", &error) && delete_files (leases, "", &error);
  if (deleted)
    {
      beckon_salvage_finish (data);
      beckon_salvage_forget_report (data);
    }
  if (fd >= 0)
    close (fd);
  if (deleted)
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
delete_all_on_closed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;

  if (beckon_store_close_finish (BECKON_STORE (source), result, &error))
    beckon_worker_run_for_person (task, delete_all_run);
  else
    g_task_return_error (task, error);
}

void
beckon_store_delete_all_async (BeckonStore *self, GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task;

  g_return_if_fail (BECKON_IS_STORE (self));

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, beckon_store_delete_all_async);
  g_task_set_task_data (task, g_strdup (beckon_store_get_directory (self)), g_free);
  beckon_store_close_async (self, delete_all_on_closed, task);
}

BECKON_FINISH_BOOLEAN (beckon_store_delete_all, BeckonStore)
