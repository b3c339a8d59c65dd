/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE

#include "beckon-config.h"

#include "beckon-launch.h"

#include "base/beckon-error.h"
#include "base/beckon-path.h"
#include "beckon-confine.h"
#include "beckon-sandbox-view-private.h"
#include "landing/beckon-landing-root.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define HELPER "beckon-confine"

/* The helper does what takes a millisecond or two, unless a file system does not answer. */
#define PATIENCE_MS 10000

static void
add_overlay (GPtrArray *argv, const char *folder, const char *place, const char *inner, int view)
{
  g_ptr_array_add (argv, g_strdup ("--overlay"));
  g_ptr_array_add (argv, g_strdup (folder));
  g_ptr_array_add (argv, g_build_filename (place, inner, "upper", NULL));
  g_ptr_array_add (argv, g_build_filename (place, inner, "work", NULL));
  g_ptr_array_add (argv, g_strdup_printf ("%d", view));
}

static void
add_files (posix_spawn_file_actions_t *actions, const BeckonLaunch *launch, int report)
{
  if (launch->input > 0)
    posix_spawn_file_actions_adddup2 (actions, launch->input, STDIN_FILENO);
  else
    posix_spawn_file_actions_addopen (actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2 (actions, launch->output, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2 (actions, launch->errors > 0 ? launch->errors : launch->output, STDERR_FILENO);

  /* Under its own number a descriptor is not closed. */
  posix_spawn_file_actions_adddup2 (actions, report, report);
  if (launch->watched > 0)
    posix_spawn_file_actions_adddup2 (actions, launch->watched, launch->watched);
  if (launch->loopback > 0)
    posix_spawn_file_actions_adddup2 (actions, launch->loopback, launch->loopback);
  for (guint i = 0; i < launch->fds->len; i++)
    {
      int fd = g_array_index (launch->fds, int, i);

      posix_spawn_file_actions_adddup2 (actions, fd, fd);
    }
  posix_spawn_file_actions_addchdir_np (actions, launch->directory != NULL ? launch->directory : "/");
}

/* An errno; 0 if @pid is there. */
static int
spawn (const BeckonLaunch *launch, int report, int *pid)
{
  static char *const no_environment[] = { NULL };
  g_autoptr (GPtrArray) argv = g_ptr_array_new_with_free_func (g_free);
  GString *numbers;
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t signals;
  int problem;

  g_ptr_array_add (argv, beckon_helper_find (HELPER));
  g_ptr_array_add (argv, g_strdup ("--begin"));
  g_ptr_array_add (argv, g_strdup_printf ("%d", report));
  g_ptr_array_add (argv, g_strdup_printf ("%d", launch->watched));
  numbers = g_string_new (NULL);
  for (guint i = 0; i < launch->fds->len; i++)
    g_string_append_printf (numbers, "%s%d", i > 0 ? "," : "", g_array_index (launch->fds, int, i));
  g_ptr_array_add (argv, g_string_free (numbers, FALSE));
  if (launch->ends_tree)
    g_ptr_array_add (argv, g_strdup ("--tree"));
  if (launch->loopback != 0)
    {
      g_ptr_array_add (argv, g_strdup ("--loopback"));
      g_ptr_array_add (argv, g_strdup_printf ("%d", launch->loopback));
    }
  if (launch->folder != NULL)
    add_overlay (argv, launch->folder, launch->place, ".", launch->view);
  if (launch->git != NULL)
    add_overlay (argv, launch->git, launch->place, BECKON_LANDING_ROOT_GIT, launch->git_view);
  g_ptr_array_add (argv, g_strdup ("--"));
  for (guint i = 0; launch->argv[i] != NULL; i++)
    g_ptr_array_add (argv, g_strdup (launch->argv[i]));
  g_ptr_array_add (argv, NULL);
  posix_spawn_file_actions_init (&actions);
  add_files (&actions, launch, report);
  posix_spawnattr_init (&attributes);
  posix_spawnattr_setflags (&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
  sigemptyset (&signals);
  posix_spawnattr_setsigmask (&attributes, &signals);
  problem = posix_spawn (pid, g_ptr_array_index (argv, 0), &actions, &attributes, (char **) argv->pdata,
                         launch->environment != NULL ? (char **) launch->environment : no_environment);
  posix_spawnattr_destroy (&attributes);
  posix_spawn_file_actions_destroy (&actions);
  return problem;
}

/* A process that was started and has not said yet what came of it. */
typedef struct
{
  char *folder; /* (nullable) */
  char *git;    /* (nullable) */
  int pid;
  int fd;
  guint report;
  guint patience;
} Launch;

static void
launch_free (gpointer data)
{
  Launch *self = data;

  g_free (self->folder);
  g_free (self->git);
  close (self->fd);
  g_free (self);
}

static void
launch_refuse (GTask *task, const char *folder, BeckonConfineReport report)
{
  GError *error = NULL;

  if (report.view > 0)
    beckon_sandbox_view_refuse (folder, beckon_errno_describe (report.problem), &error);
  else
    g_set_error (&error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE, "A command cannot be started: %s",
                 beckon_errno_describe (report.problem));
  g_task_return_error (task, error);
}

static void
on_reaped (GPid pid, int status, gpointer user_data)
{
}

/* A process that hangs in the kernel ends when it can: nothing waits for that. */
static void
end_launch (GTask *task, BeckonConfineReport report)
{
  Launch *self = g_task_get_task_data (task);

  g_clear_handle_id (&self->report, g_source_remove);
  g_clear_handle_id (&self->patience, g_source_remove);
  if (report.problem == 0)
    {
      g_task_return_int (task, self->pid);
      return;
    }
  kill (-self->pid, SIGKILL);
  g_child_watch_add (self->pid, on_reaped, NULL);
  launch_refuse (task, report.view > 1 ? self->git : self->folder, report);
}

/* Without a word it came to grief on its way. With this one's word the program begins, when all is done here. */
static gboolean
on_report (int fd, GIOCondition condition, gpointer user_data)
{
  g_autoptr (GTask) task = g_object_ref (user_data);
  BeckonConfineReport report = { ECHILD, FALSE };
  gssize length;

  while ((length = read (fd, &report, sizeof report)) < 0 && errno == EINTR)
    continue;
  if (length != sizeof report || (report.problem == 0 && send (fd, "x", 1, MSG_NOSIGNAL) != 1))
    report = (BeckonConfineReport) { ECHILD, FALSE };
  end_launch (task, report);
  return G_SOURCE_CONTINUE;
}

static gboolean
launch_on_patience_over (gpointer user_data)
{
  g_autoptr (GTask) task = g_object_ref (user_data);

  end_launch (task, (BeckonConfineReport) { ETIMEDOUT, FALSE });
  return G_SOURCE_CONTINUE;
}

void
beckon_launch_async (const BeckonLaunch *launch, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, user_data);
  Launch *self;
  int ends[2];
  int pid, problem;

  g_return_if_fail (launch != NULL && launch->argv != NULL && launch->fds != NULL);
  g_return_if_fail (launch->folder == NULL || launch->place != NULL);

  g_task_set_source_tag (task, beckon_launch_async);
  if (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    {
      launch_refuse (task, NULL, (BeckonConfineReport) { errno, FALSE });
      return;
    }
  problem = spawn (launch, ends[1], &pid);
  close (ends[1]);
  if (problem != 0)
    {
      g_autofree char *helper = NULL;

      close (ends[0]);
      /* Without its own helper the program is not installed whole. */
      helper = beckon_helper_find (HELPER);
      if (problem == ENOENT && access (helper, F_OK) != 0)
        g_task_return_new_error (
            task, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
            "No command can be started: “%s”, a part of Beckon, is missing. The user has to install Beckon "
            "again.",
            helper);
      else
        launch_refuse (task, NULL, (BeckonConfineReport){ problem, FALSE });
      return;
    }

  self = g_new0 (Launch, 1);
  *self = (Launch) { .folder = g_strdup (launch->folder), .git = g_strdup (launch->git), .pid = pid, .fd = ends[0] };
  g_task_set_task_data (task, self, launch_free);
  self->report = g_unix_fd_add_full (G_PRIORITY_HIGH, self->fd, G_IO_IN | G_IO_HUP | G_IO_ERR, on_report,
                                     g_object_ref (task), g_object_unref);
  self->patience = g_timeout_add (launch->patience_ms > 0 ? launch->patience_ms : PATIENCE_MS, launch_on_patience_over, task);
}

int
beckon_launch_finish (GAsyncResult *result, GError **error)
{
  gssize pid;

  g_return_val_if_fail (g_task_is_valid (result, NULL), 0);
  g_return_val_if_fail (g_async_result_is_tagged (result, beckon_launch_async), 0);

  pid = g_task_propagate_int (G_TASK (result), error);
  return pid > 0 ? (int) pid : 0;
}

/* Returns the exit status; -1 if it can't be started. */
static int
run_helper (char *argv[])
{
  static char *no_environment[] = { NULL };
  const GSpawnFlags flags = G_SPAWN_STDOUT_TO_DEV_NULL | G_SPAWN_STDERR_TO_DEV_NULL;
  g_autoptr (GError) error = NULL;
  int status = -1;

  if (!g_spawn_sync (NULL, argv, no_environment, flags | G_SPAWN_LEAVE_DESCRIPTORS_OPEN, NULL, NULL, NULL, NULL, &status,
                     &error))
    g_debug ("an overlay is not to be had: %s", error->message);
  return error == NULL && WIFEXITED (status) ? WEXITSTATUS (status) : -1;
}

gboolean
beckon_launch_try_overlay (const char *folder, const char *place, gboolean *knows_all)
{
  g_autofree char *helper = beckon_helper_find (HELPER);
  g_autofree char *upper = g_build_filename (place, "upper", NULL);
  g_autofree char *work = g_build_filename (place, "work", NULL);
  char *argv[] = { helper, (char *) "--try", (char *) folder, upper, work, NULL };
  int status;

  g_return_val_if_fail (folder != NULL && place != NULL, FALSE);

  status = run_helper (argv);
  *knows_all = status == BECKON_CONFINE_KNOWS_ALL;
  return *knows_all || status == BECKON_CONFINE_KNOWS_OWN;
}

void
beckon_launch_refresh_overlay (int pid, const char *folder)
{
  g_autofree char *helper = beckon_helper_find (HELPER);
  g_autofree char *process = g_strdup_printf ("%d", pid);
  char *argv[] = { helper, (char *) "--refresh", process, (char *) folder, NULL };

  g_return_if_fail (pid > 0 && folder != NULL);

  run_helper (argv);
}
