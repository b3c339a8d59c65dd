/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE

#include "beckon-mcp-process.h"

#include "base/beckon-error.h"
#include "base/beckon-finish.h"
#include "base/beckon-priority.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-worker.h"
#include "beckon-config.h"
#include "beckon-mcp-environment.h"
#include "beckon-mcp-program.h"
#include "sandbox/beckon-launch.h"
#include "sandbox/beckon-sandbox-portal.h"
#include "sandbox/beckon-sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gunixinputstream.h>
#include <gio/gunixoutputstream.h>
#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* A server is the child of a small process (beckon-confine), which waits at a pipe whose other end is here: when that is
 * closed, by this program or because this program is gone, or when the server ends, all that the server started is killed. A
 * server in a sandbox is a job of that, which ends with all that it started. */

#define TERM_MS 1500
#define KILL_MS 1000
#define READ_SIZE 4096

struct _BeckonMcpProcess
{
  GObject parent_instance;

  BeckonClock *clock;
  BeckonMcpLog *log;
  GInputStream *output;
  GOutputStream *input;
  GInputStream *errors;
  GSource *reading;
  BeckonJob *job; /* (owned) (nullable): in a sandbox */
  int pid;        /* 0 in a sandbox */
  int alive;      /* -1 when the group was killed */
  int status;
  gboolean is_running;
  guint timeout;
  gboolean was_asked; /* SIGTERM was sent */
  GTask *ending;      /* (owned) (nullable) */
  GSource *cancelled; /* (nullable) */
};

G_DEFINE_FINAL_TYPE (BeckonMcpProcess, beckon_mcp_process, G_TYPE_OBJECT)

static void
clear_source (GSource **source)
{
  if (*source == NULL)
    return;
  g_source_destroy (*source);
  g_clear_pointer (source, g_source_unref);
}

static void
kill_group (BeckonMcpProcess *self)
{
  if (self->alive >= 0)
    close (self->alive);
  self->alive = -1;
  if (self->job != NULL && self->is_running)
    beckon_job_kill (self->job);
}

static void
beckon_mcp_process_finalize (GObject *object)
{
  BeckonMcpProcess *self = BECKON_MCP_PROCESS (object);

  kill_group (self);
  clear_source (&self->reading);
  clear_source (&self->cancelled);
  beckon_clock_remove (self->clock, self->timeout);
  g_clear_object (&self->output);
  g_clear_object (&self->input);
  g_clear_object (&self->errors);
  g_clear_object (&self->job);
  g_clear_object (&self->clock);
  beckon_mcp_log_unref (self->log);

  G_OBJECT_CLASS (beckon_mcp_process_parent_class)->finalize (object);
}

static void
beckon_mcp_process_class_init (BeckonMcpProcessClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = beckon_mcp_process_finalize;
}

static void
beckon_mcp_process_init (BeckonMcpProcess *self)
{
  self->alive = -1;
  self->status = -1;
}

/* --- Start -------------------------------------------------------------------------------------------------------- */

typedef struct
{
  BeckonMcpServer *server;
  BeckonRuleSet *rules; /* (nullable) */
  BeckonClock *clock;
  BeckonMcpLog *log;
  char **environment;
  char **own;          /* what it has of that in a sandbox */
  char **certificates; /* (nullable): files that are shown there */
  char *program; /* (nullable): its path */
  char *directory;
  int streams[3];  /* borrowed: for a sandbox */
  char **variables; /* (nullable): likewise */
  BeckonDeniedView *denied; /* (nullable): likewise */
  BeckonGuardedPaths *guarded; /* (nullable): likewise */
  char **chain_names;         /* (nullable) */
  BeckonToolChainView *chains; /* (nullable): likewise */
  BeckonSandboxOptions options;
  int fds[8]; /* pipes: input, output, errors, alive; reading end first */
} Start;

enum
{
  INPUT = 0,
  OUTPUT = 2,
  ERRORS = 4,
  ALIVE = 6,
};

static void
process_close_fd (int *fd)
{
  if (*fd >= 0)
    close (*fd);
  *fd = -1;
}

static void
start_free (Start *start)
{
  for (guint i = 0; i < G_N_ELEMENTS (start->fds); i++)
    process_close_fd (&start->fds[i]);
  beckon_mcp_server_unref (start->server);
  g_clear_pointer (&start->rules, beckon_rule_set_unref);
  g_clear_pointer (&start->denied, beckon_denied_view_free);
  g_clear_pointer (&start->guarded, beckon_guarded_paths_free);
  g_strfreev (start->chain_names);
  g_clear_pointer (&start->chains, beckon_tool_chain_view_free);
  g_object_unref (start->clock);
  beckon_mcp_log_unref (start->log);
  g_strfreev (start->environment);
  g_strfreev (start->own);
  g_strfreev (start->certificates);
  g_free (start->program);
  g_free (start->directory);
  g_strfreev (start->variables);
  g_free (start);
}

/* A model reads why a command does not start; a person reads this. */
static GError *
make_sandbox_error (const GError *cause)
{
  return beckon_text_error_new (BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
                                _("The server was not started, because it is set to run in a sandbox. %s"), _(cause->message));
}

/* A server is there for many conversations: rules of one alone don't hold for it. */
static gboolean
look_at_denied (Start *start, GError **error)
{
  gint64 now = beckon_clock_get_real_time (start->clock);
  g_autoptr (BeckonDeniedPaths) denied
      = start->server->is_sandboxed ? beckon_denied_paths_new (start->rules, start->directory, NULL, now) : NULL;
  g_autoptr (GStrvBuilder) shown = g_strv_builder_new ();
  g_auto (GStrv) all = NULL;
  g_autoptr (GError) cause = NULL;

  if (denied == NULL)
    return TRUE;
  if (start->chains != NULL)
    g_strv_builder_addv (shown, (const char **) beckon_tool_chain_view_list_shown (start->chains));
  g_strv_builder_addv (shown, (const char **) start->certificates);
  all = g_strv_builder_end (shown);
  start->denied = beckon_denied_view_look_beside (denied, start->directory, NULL, (const char *const *) all, &cause);
  if (start->denied == NULL)
    g_propagate_error (error, make_sandbox_error (cause));
  return start->denied != NULL;
}

/* A server may write in its folder, and not what programs outside of the sandbox run or obey there. Nor may it reach them
 * through their pipes. */
static gboolean
look_at_guarded (Start *start, GCancellable *cancellable, GError **error)
{
  g_autoptr (GError) cause = NULL;

  if (!start->server->is_sandboxed)
    return TRUE;
  /* Folders that no sandbox gets may be large, and are not looked through. */
  if (!beckon_sandbox_check_folder (start->directory, &cause))
    {
      g_propagate_error (error, make_sandbox_error (cause));
      return FALSE;
    }
  start->guarded = beckon_guarded_paths_look (start->directory, start->server->can_write, cancellable);
  if (!start->guarded->has_more)
    return TRUE;
  beckon_text_set_error (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
                         _("The server was not started: the folder %s is too large or too deep for Beckon to find "
                           "other programs' pipes in it. Choose a smaller folder for the server."),
                         start->directory);
  return FALSE;
}

/* A program that changed since may do anything outside of a sandbox. */
static gboolean
check_program (Start *start, GError **error)
{
  g_autofree char *changed = beckon_mcp_program_find_change (start->server, NULL);

  if (changed == NULL)
    return TRUE;
  beckon_text_set_error (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
                         _("The server was not started: its program has changed since you approved it, or was never "
                           "approved. If you expected this, allow it the next time one of the server's tools is called, "
                           "or switch the server off and on again.\n%s"),
                         changed);
  return FALSE;
}

static void
process_look_up (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Start *start = data;
  const char *program = start->server->program;
  GError *error = NULL;
  const char *path;
  const char *own;
  g_autofree char *whole = NULL;

  /* Programs of the person's home, such as npx and uvx; a Flatpak has none. */
  if (start->server->is_sandboxed && start->chain_names != NULL && !beckon_sandbox_portal_is_needed ())
    start->chains = beckon_tool_chains_look (g_get_home_dir (), (const char *const *) start->chain_names, start->directory,
                                             start->server->has_network);
  if (start->server->is_sandboxed)
    start->certificates = beckon_mcp_environment_show_certificates (start->server, &start->own);
  /* The same that the sandbox finds, where there is one. */
  path = g_environ_getenv (start->environment, "PATH");
  own = start->chains != NULL ? beckon_tool_chain_view_get_path (start->chains) : "";
  whole = *own != '\0' && path != NULL ? g_strconcat (own, path, NULL) : g_strdup (path);
  start->program = beckon_mcp_program_find (start->server->program, whole, start->directory);
  if (start->program == NULL)
    {
      g_autofree char *advice = beckon_mcp_program_dup_advice (program);

      error = g_error_new_literal (BECKON_ERROR, BECKON_ERROR_UNAVAILABLE, advice);
    }
  else if (!g_file_test (start->directory, G_FILE_TEST_IS_DIR))
    beckon_text_set_error (&error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
                           _("The folder %s, where the server runs, was not found."), start->directory);
  else if (check_program (start, &error))
    {
      char *real = start->server->is_sandboxed ? realpath (start->directory, NULL) : NULL;

      /* A sandbox takes no path with links. That of a server that came with a folder was resolved when it was accepted: a link
       * there is newer, and leads elsewhere. */
      if (real != NULL)
        {
          if (start->server->came_with != NULL && strcmp (real, start->directory) != 0)
            {
              free (real);
              beckon_text_set_error (&error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
                                     _("The folder %s, where the server runs, leads to another one. It was not started."),
                                     start->directory);
            }
          else
            {
              g_free (start->directory);
              start->directory = g_strdup (real);
              free (real);
            }
        }
    }
  if (error == NULL && look_at_guarded (start, cancellable, &error) && look_at_denied (start, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static gboolean
on_errors (GObject *stream, gpointer user_data)
{
  BeckonMcpProcess *self = user_data;
  char bytes[READ_SIZE];
  gssize length = g_pollable_input_stream_read_nonblocking (G_POLLABLE_INPUT_STREAM (stream), bytes, sizeof bytes, NULL, NULL);

  if (length > 0)
    {
      beckon_mcp_log_add (self->log, bytes, (gsize) length);
      return G_SOURCE_CONTINUE;
    }
  if (length < 0 && g_pollable_input_stream_is_readable (G_POLLABLE_INPUT_STREAM (stream)) == FALSE)
    return G_SOURCE_CONTINUE;
  clear_source (&self->reading);
  return G_SOURCE_REMOVE;
}

static void
take_end (BeckonMcpProcess *self, int status)
{
  GTask *task = g_steal_pointer (&self->ending);
  char bytes[READ_SIZE];
  gssize length;

  self->is_running = FALSE;
  self->status = status;

  /* The last lines explain its end. */
  for (guint i = 0; self->reading != NULL && i < BECKON_MCP_LOG_MAX / READ_SIZE; i++)
    {
      length = g_pollable_input_stream_read_nonblocking (G_POLLABLE_INPUT_STREAM (self->errors), bytes, sizeof bytes, NULL,
                                                         NULL);
      if (length <= 0)
        break;
      beckon_mcp_log_add (self->log, bytes, (gsize) length);
    }
  clear_source (&self->reading);
  beckon_mcp_log_flush (self->log);
  kill_group (self);
  beckon_clock_remove (self->clock, self->timeout);
  self->timeout = 0;
  clear_source (&self->cancelled);
  if (task != NULL)
    {
      g_task_return_boolean (task, TRUE);
      g_object_unref (task);
    }
}

static void
on_exited (GPid pid, int status, gpointer user_data)
{
  take_end (user_data, WIFEXITED (status) ? WEXITSTATUS (status) : 128 + WTERMSIG (status));
}

static void
on_job_ended (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonMcpProcess) self = user_data;
  g_autoptr (GError) error = NULL;

  if (!beckon_job_wait_finish (BECKON_JOB (source), result, &error))
    beckon_mcp_log_say (self->log, "%s", error->message);
  if (beckon_job_get_limit (BECKON_JOB (source)) != BECKON_JOB_LIMIT_NONE)
    beckon_mcp_log_say (self->log, "It used more processes, memory or disk than a sandbox has, and was ended");
  take_end (self, beckon_job_get_status (BECKON_JOB (source)));
}

/* @pid: 0 for a @job, which is (transfer full) (nullable). */
static BeckonMcpProcess *
make_process (Start *start, int pid, BeckonJob *job)
{
  BeckonMcpProcess *self = g_object_new (BECKON_TYPE_MCP_PROCESS, NULL);

  self->clock = g_object_ref (start->clock);
  self->log = beckon_mcp_log_ref (start->log);
  self->pid = pid;
  self->input = g_unix_output_stream_new (start->fds[INPUT + 1], TRUE);
  self->output = g_unix_input_stream_new (start->fds[OUTPUT], TRUE);
  self->errors = g_unix_input_stream_new (start->fds[ERRORS], TRUE);
  self->alive = start->fds[ALIVE + 1];
  start->fds[INPUT + 1] = start->fds[OUTPUT] = start->fds[ERRORS] = start->fds[ALIVE + 1] = -1;
  g_unix_set_fd_nonblocking (g_unix_input_stream_get_fd (G_UNIX_INPUT_STREAM (self->errors)), TRUE, NULL);
  self->reading = g_pollable_input_stream_create_source (G_POLLABLE_INPUT_STREAM (self->errors), NULL);
  g_source_set_priority (self->reading, BECKON_PRIORITY_SHARED);
  g_source_set_callback (self->reading, G_SOURCE_FUNC (on_errors), self, NULL);
  g_source_attach (self->reading, NULL);
  self->is_running = TRUE;
  self->job = job;
  if (job != NULL)
    beckon_job_wait_async (job, NULL, on_job_ended, g_object_ref (self));
  else
    g_child_watch_add_full (G_PRIORITY_DEFAULT, pid, on_exited, g_object_ref (self), g_object_unref);
  return self;
}

static void
on_launched (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Start *start = g_task_get_task_data (task);
  GError *error = NULL;
  int pid = beckon_launch_finish (result, &error);

  if (pid <= 0)
    {
      g_clear_error (&error);
      error = beckon_text_error_new (BECKON_ERROR, BECKON_ERROR_UNAVAILABLE, _("The program %s couldn't be started."),
                                     start->program);
      g_task_return_error (task, error);
    }
  else
    {
      g_task_return_pointer (task, make_process (start, pid, NULL), g_object_unref);
    }
}

static void
on_job_started (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Start *start = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  BeckonJob *job = beckon_sandbox_start_finish (result, &error);

  process_close_fd (&start->fds[INPUT]);
  process_close_fd (&start->fds[OUTPUT + 1]);
  process_close_fd (&start->fds[ERRORS + 1]);
  if (job != NULL)
    g_task_return_pointer (task, make_process (start, 0, job), g_object_unref);
  else
    g_task_return_error (task, make_sandbox_error (error));
}

/* @task: (transfer full). */
static void
start_in_sandbox (GTask *task, const char *const *argv)
{
  Start *start = g_task_get_task_data (task);
  gboolean is_guarded = !start->guarded->is_cut;
  g_autoptr (GStrvBuilder) list = NULL;

  start->streams[0] = start->fds[INPUT];
  start->streams[1] = start->fds[OUTPUT + 1];
  start->streams[2] = start->fds[ERRORS + 1];
  /* The home is another one there, and so is what any program needs. */
  list = g_strv_builder_new ();
  for (guint i = 0; start->own[i] != NULL; i++)
    {
      const char *value = strchr (start->own[i], '=') + 1;
      g_autofree char *name = g_strndup (start->own[i], (gsize) (value - start->own[i]) - 1);

      g_strv_builder_add_many (list, name, value, NULL);
    }
  start->variables = g_strv_builder_end (list);
  if (start->server->can_write && !is_guarded)
    /* Translators: a line of a server's log; what other programs run or obey is protected */
    beckon_mcp_log_say (start->log, "%s",
                        _("The server can only read its folder: too many files in it, a link, or every new file would have to "
                          "be protected. Choose a smaller folder for the server"));
  else if (start->server->can_write)
    {
      GPtrArray *missing = start->guarded->missing;
      g_autoptr (GString) names = g_string_new (NULL);

      /* A person who finds one of these empty folders, or can't make one, reads why. */
      for (guint i = 0; i < missing->len; i++)
        g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", (const char *) g_ptr_array_index (missing, i));
      if (missing->len != 0)
        {
          g_autofree char *line = NULL;

          /* Translators: a line of a server's log; %s are paths */
          line = beckon_text_printf (
              _("Other programs would run what comes here, so an empty folder keeps the place while the server "
                 "runs: %s"),
              names->str);
          beckon_mcp_log_say (start->log, "%s", line);
        }
    }
  start->options = (BeckonSandboxOptions) {
    .folder = start->directory,
    .tool_chains = start->chains,
    .shown = (const char *const *) start->certificates,
    .denied = start->denied,
    .guarded = start->guarded,
    .network = start->server->has_network,
    .is_read_only = !start->server->can_write || !is_guarded,
    .streams = start->streams,
    .variables = (const char *const *) start->variables,
  };
  beckon_sandbox_start_async (argv, &start->options, on_job_started, task);
}

static void
process_on_looked_up (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Start *start = g_task_get_task_data (task);
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();
  g_autoptr (GArray) none = g_array_new (FALSE, FALSE, sizeof (int));
  GError *error = NULL;
  BeckonLaunch launch;

  if (!g_task_propagate_boolean (G_TASK (result), &error))
    {
      g_task_return_error (task, error);
      return;
    }
  for (guint i = 0; i < G_N_ELEMENTS (start->fds); i += 2)
    if (pipe2 (&start->fds[i], O_CLOEXEC) != 0)
      {
        g_task_return_new_error (task, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE, "%s", g_strerror (errno));
        return;
      }
  /* There it is looked up anew. */
  g_ptr_array_add (argv, start->server->is_sandboxed && strchr (start->server->program, '/') == NULL ? start->server->program
                   : start->program);
  for (guint i = 0; start->server->arguments != NULL && start->server->arguments[i] != NULL; i++)
    g_ptr_array_add (argv, start->server->arguments[i]);
  g_ptr_array_add (argv, NULL);
  if (start->server->is_sandboxed)
    {
      start_in_sandbox (g_object_ref (task), (const char *const *) argv->pdata);
      return;
    }
  launch = (BeckonLaunch) {
    .argv = (const char *const *) argv->pdata,
    .fds = none,
    .input = start->fds[INPUT],
    .output = start->fds[OUTPUT + 1],
    .errors = start->fds[ERRORS + 1],
    .environment = (const char *const *) start->environment,
    .directory = start->directory,
    .watched = start->fds[ALIVE],
    .ends_tree = TRUE,
    .view = -1,
  };
  beckon_launch_async (&launch, on_launched, g_object_ref (task));
  process_close_fd (&start->fds[INPUT]);
  process_close_fd (&start->fds[OUTPUT + 1]);
  process_close_fd (&start->fds[ERRORS + 1]);
  process_close_fd (&start->fds[ALIVE]);
}

void
beckon_mcp_process_start_async (BeckonMcpServer *server, GHashTable *secrets, BeckonRuleSet *rules,
                                const char *const *tool_chains, BeckonClock *clock, BeckonMcpLog *log,
                                GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  g_autoptr (GTask) looking = NULL;
  Start *start = g_new0 (Start, 1);

  g_task_set_source_tag (task, beckon_mcp_process_start_async);
  /* A process that was started all the same is its caller's to end. */
  g_task_set_check_cancellable (task, FALSE);
  start->server = beckon_mcp_server_ref (server);
  start->rules = rules != NULL ? beckon_rule_set_ref (rules) : NULL;
  start->chain_names = g_strdupv ((char **) tool_chains);
  start->clock = g_object_ref (clock);
  start->log = beckon_mcp_log_ref (log);
  start->environment = beckon_mcp_environment_make (server, secrets);
  start->own = beckon_mcp_environment_list (server, secrets);
  start->directory = g_strdup (server->directory != NULL                           ? server->directory
                               : server->is_sandboxed && server->folder != NULL ? server->folder
                               : g_get_home_dir ());
  for (guint i = 0; i < G_N_ELEMENTS (start->fds); i++)
    start->fds[i] = -1;
  g_task_set_task_data (task, start, (GDestroyNotify) start_free);
  looking = g_task_new (NULL, cancellable, process_on_looked_up, g_object_ref (task));
  g_task_set_task_data (looking, start, NULL);
  beckon_worker_run_for_person (looking, process_look_up);
}

BECKON_FINISH_LONE_POINTER (BeckonMcpProcess *, beckon_mcp_process_start)

/* --- End ---------------------------------------------------------------------------------------------------------- */

GInputStream *
beckon_mcp_process_get_output (BeckonMcpProcess *self)
{
  return self->output;
}

GOutputStream *
beckon_mcp_process_get_input (BeckonMcpProcess *self)
{
  return self->input;
}

int
beckon_mcp_process_get_pid (BeckonMcpProcess *self)
{
  return self->pid;
}

int
beckon_mcp_process_get_status (BeckonMcpProcess *self)
{
  return self->status;
}

static gboolean
process_on_patience_over (gpointer user_data)
{
  BeckonMcpProcess *self = user_data;

  self->timeout = 0;
  if (self->was_asked)
    {
      kill_group (self);
      return G_SOURCE_REMOVE;
    }
  self->was_asked = TRUE;
  if (self->pid > 0)
    kill (-self->pid, SIGTERM);
  else
    kill_group (self);
  self->timeout = beckon_clock_add_timeout (self->clock, KILL_MS, process_on_patience_over, self);
  return G_SOURCE_REMOVE;
}

static gboolean
process_on_cancelled (GCancellable *cancellable, gpointer user_data)
{
  kill_group (user_data);
  return G_SOURCE_REMOVE;
}

void
beckon_mcp_process_end_async (BeckonMcpProcess *self, GCancellable *cancellable, GAsyncReadyCallback callback,
                              gpointer user_data)
{
  GTask *task = g_task_new (self, NULL, callback, user_data);

  g_task_set_source_tag (task, beckon_mcp_process_end_async);
  if (!self->is_running)
    {
      g_task_return_boolean (task, TRUE);
      g_object_unref (task);
      return;
    }
  self->ending = task;
  self->timeout = beckon_clock_add_timeout (self->clock, TERM_MS, process_on_patience_over, self);
  if (cancellable != NULL)
    {
      self->cancelled = g_cancellable_source_new (cancellable);
      g_source_set_callback (self->cancelled, G_SOURCE_FUNC (process_on_cancelled), self, NULL);
      g_source_attach (self->cancelled, NULL);
    }
}

BECKON_FINISH_BOOLEAN (beckon_mcp_process_end, BeckonMcpProcess)

/* The words of Node, and of strerror (), which C, Python, Go and Rust have as well. Sandboxes keep the language of the
 * desktop, but few of these programs translate errors. */
static const char *const write_signs[] = { "EROFS", "Read-only file system", "read-only file system", NULL };
static const char *const socket_signs[] = { "EAFNOSUPPORT", "Address family not supported by protocol", NULL };

static gboolean
read_only_explains (const BeckonMcpServer *server, const char *words, const char *const *signs)
{
  while (*signs != NULL && strstr (words, *signs) == NULL)
    signs++;
  return server->kind == BECKON_MCP_KIND_STDIO && server->is_sandboxed && *signs != NULL;
}

char *
beckon_mcp_read_only_dup_advice (const BeckonMcpServer *server, const char *words)
{
  g_autofree char *name = g_shell_quote (server->name);

  if (read_only_explains (server, words, socket_signs))
    /* Translators: “%s” is a server's name in quotes; commands stay as they are */
    return beckon_text_printf (_("In a sandbox a server has no Unix sockets, because they could lead to your other "
                                 "programs. Start it in a way that needs none, such as “node --import tsx” in place of "
                                 "“npx tsx”, or without the sandbox: beckonctl mcp set %s --no-sandbox"),
                               name);
  if (!read_only_explains (server, words, write_signs))
    return NULL;
  if (server->can_write)
    /* Translators: “%s” is a server's name in quotes; the command stays as it is */
    return beckon_text_printf (_("The sandbox keeps what other programs run or obey read-only, such as Git's folders, or the "
                                 "whole folder where its log says so. To let it change them, run it without the sandbox: "
                                 "beckonctl mcp set %s --no-sandbox"),
                               name);
  /* Translators: “Allow Writing in the Folder” is a switch; “%s” is a server's name in quotes; the command stays as it is */
  return beckon_text_printf (_("The sandbox lets it only read its folder. To let it write there, turn on “Allow Writing in "
                               "the Folder” in its settings, or run: beckonctl mcp set %s --write"),
                             name);
}

const char *
beckon_mcp_read_only_get_remark (const BeckonMcpServer *server, const char *words)
{
  if (read_only_explains (server, words, socket_signs))
    return "[The sandbox of this server has no Unix sockets, so that it can't reach the user's other programs. What needs them "
           "works only if the user runs the server without the sandbox.]";
  if (!read_only_explains (server, words, write_signs))
    return NULL;
  if (server->can_write)
    return "[The sandbox of this server keeps what other programs run or obey read-only (.git, hooks and what they call, "
           "settings of editors, package.json, programs of the repository), or the whole folder where not all of it can be "
           "protected: the server's log says so.]";
  return "[The user lets this server only read its folder. If it has to write there, they can allow it: “Allow Writing in "
         "the Folder” in the server's settings, on the page Servers of the preferences.]";
}
