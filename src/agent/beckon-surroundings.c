/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-surroundings.h"

#include "base/beckon-worker.h"
#include "git/beckon-git-standing.h"
#include "sandbox/beckon-sandbox-variables.h"

#include <sys/utsname.h>

/* The first request of a conversation waits no longer: for the count of changed files, and for all. */
#define COUNT_MS 300
#define PATIENCE_MS 600

static void
surroundings_read (GTask *task, gpointer source, gpointer folder, GCancellable *cancellable)
{
  g_autofree char *git = folder != NULL ? beckon_git_standing_describe (folder, COUNT_MS) : NULL;
  g_autofree char *system = g_get_os_info (G_OS_INFO_KEY_PRETTY_NAME);
  g_autofree char *shell = g_path_get_basename (beckon_sandbox_get_shell ());
  struct utsname machine;
  gboolean is_known = uname (&machine) == 0;
  GString *words = g_string_new (NULL);

  g_string_append_printf (words, "The system is %s%s%s, the shell %s.", system != NULL ? system : "Linux",
                          is_known ? " on " : "", is_known ? machine.machine : "", shell);
  if (git != NULL)
    g_string_append_printf (words, " When this conversation began, Git was on %s.", git);
  g_task_return_pointer (task, g_string_free (words, FALSE), g_free);
}

void
beckon_surroundings_read_async (const char *folder, GAsyncReadyCallback callback, gpointer user_data)
{
  beckon_worker_wait_async (surroundings_read, g_strdup (folder), g_free, PATIENCE_MS, callback, user_data);
}

char *
beckon_surroundings_read_finish (GAsyncResult *result)
{
  return beckon_worker_wait_finish (result, NULL);
}
