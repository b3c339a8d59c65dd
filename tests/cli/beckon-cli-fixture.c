/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-cli-fixture.h"

#include "beckon-tree.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* How long nothing may come, and how long what is waited for may take while other output comes. */
#define DEADLINE_MS (30 * 1000)
#define LAST_MS (4 * DEADLINE_MS)

/* --- A home -------------------------------------------------------------------------------------------------------- */

BeckonCliFixture *
beckon_cli_fixture_new (void)
{
  BeckonCliFixture *self = g_new0 (BeckonCliFixture, 1);
  g_autoptr (GError) error = NULL;

  self->home = g_dir_make_tmp ("beckon-cli-XXXXXX", &error);
  g_assert_no_error (error);
  self->server = beckon_fixture_server_new (0);
  return self;
}

BeckonCliFixture *
beckon_cli_fixture_new_with_model (void)
{
  BeckonCliFixture *self = beckon_cli_fixture_new ();
  int status = beckon_cli_fixture_run (self, "", "profile", "add", "Fixture", "--base-url",
                                       beckon_fixture_server_get_base_url (self->server), "--model", "fixture-1",
                                       "--no-lookup", "--use", NULL);

  g_assert_cmpstr (self->errors, ==, "");
  g_assert_cmpint (status, ==, 0);
  return self;
}

void
beckon_cli_fixture_free (BeckonCliFixture *fixture)
{
  beckon_fixture_server_free (fixture->server);
  beckon_tree_remove (fixture->home);
  g_free (fixture->home);
  g_free (fixture->output);
  g_free (fixture->errors);
  g_free (fixture);
}

char *
beckon_cli_fixture_dup_data_directory (BeckonCliFixture *fixture)
{
  return g_build_filename (fixture->home, "data", "beckon", NULL);
}

void
beckon_cli_fixture_script (BeckonCliFixture *fixture, BeckonFixtureReply *reply)
{
  beckon_fixture_server_queue (fixture->server, reply);
}

void
beckon_cli_assert_says (const char *text, const char *words)
{
  if (strstr (text, words) == NULL)
    g_error ("“%s” does not say “%s”", text, words);
}

/* --- A program ----------------------------------------------------------------------------------------------------- */

static void
set_path (char ***environment, BeckonCliFixture *fixture, const char *name, const char *folder)
{
  g_autofree char *path = g_build_filename (fixture->home, folder, NULL);

  *environment = g_environ_setenv (*environment, name, path, TRUE);
}

/* Settings live in a file of the home, so that they outlive a program as they do for people. */
static char **
make_environment (BeckonCliFixture *fixture)
{
  const char *gone[] = { "DISPLAY",    "WAYLAND_DISPLAY", "http_proxy",       "https_proxy",
                         "HTTP_PROXY", "HTTPS_PROXY",     "G_MESSAGES_DEBUG" };
  char **environment = g_get_environ ();

  for (gsize i = 0; i < G_N_ELEMENTS (gone); i++)
    environment = g_environ_unsetenv (environment, gone[i]);
  if (!fixture->has_bus)
    {
      environment = g_environ_unsetenv (environment, "DBUS_SESSION_BUS_ADDRESS");
      set_path (&environment, fixture, "XDG_RUNTIME_DIR", "run");
    }
  environment = g_environ_setenv (environment, "HOME", fixture->home, TRUE);
  set_path (&environment, fixture, "XDG_DATA_HOME", "data");
  set_path (&environment, fixture, "XDG_CONFIG_HOME", "config");
  set_path (&environment, fixture, "XDG_CACHE_HOME", "cache");
  environment = g_environ_setenv (environment, "GSETTINGS_BACKEND", "keyfile", TRUE);
  environment = g_environ_setenv (environment, "BECKON_API_KEY", BECKON_CLI_KEY, TRUE);
  environment = g_environ_setenv (environment, "TERM", "xterm", TRUE);
  return environment;
}

static char **
make_arguments (va_list list)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  const char *argument;

  g_assert_nonnull (g_getenv ("BECKONCTL"));
  g_strv_builder_add (builder, g_getenv ("BECKONCTL"));
  while ((argument = va_arg (list, const char *)) != NULL)
    g_strv_builder_add (builder, argument);
  return g_strv_builder_end (builder);
}

static int
get_status (int wait_status)
{
  return WIFEXITED (wait_status) ? WEXITSTATUS (wait_status) : -WTERMSIG (wait_status);
}

static void
keep_result (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

int
beckon_cli_fixture_run (BeckonCliFixture *fixture, const char *input, ...)
{
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (
      G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE);
  g_auto (GStrv) environment = make_environment (fixture);
  g_auto (GStrv) arguments = NULL;
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  va_list list;

  va_start (list, input);
  arguments = make_arguments (list);
  va_end (list);
  g_clear_pointer (&fixture->output, g_free);
  g_clear_pointer (&fixture->errors, g_free);
  g_subprocess_launcher_set_environ (launcher, environment);
  process = g_subprocess_launcher_spawnv (launcher, (const char *const *) arguments, &error);
  g_assert_no_error (error);
  /* A run that the test itself drives notices the answer that the program waits to see taken. */
  g_subprocess_communicate_utf8_async (process, input, NULL, keep_result, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_subprocess_communicate_utf8_finish (process, result, &fixture->output, &fixture->errors, &error);
  g_assert_no_error (error);
  return get_status (g_subprocess_get_status (process));
}

/* --- A program that is talked with --------------------------------------------------------------------------------- */

/* In the child, where only what is safe after a fork may be done. */
static void
become (char **arguments, char **environment)
{
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  execve (arguments[0], arguments, environment);
  _exit (127);
}

static BeckonCliProcess *
process_new (pid_t pid, int input, int output)
{
  BeckonCliProcess *self = g_new0 (BeckonCliProcess, 1);

  g_assert_cmpint (pid, >, 0);
  self->all = g_string_new (NULL);
  self->pid = pid;
  self->input = input;
  self->output = output;
  return self;
}

static BeckonCliProcess *
process_new_in_terminal (BeckonCliFixture *fixture, char **arguments)
{
  const struct winsize size = { .ws_row = 24, .ws_col = 80 };
  g_auto (GStrv) environment = make_environment (fixture);
  int terminal = -1;
  pid_t pid = forkpty (&terminal, NULL, NULL, &size);

  if (pid == 0)
    become (arguments, environment);
  return process_new (pid, terminal, terminal);
}

BeckonCliProcess *
beckon_cli_process_new_in_terminal (BeckonCliFixture *fixture, ...)
{
  g_auto (GStrv) arguments = NULL;
  va_list list;

  va_start (list, fixture);
  arguments = make_arguments (list);
  va_end (list);
  return process_new_in_terminal (fixture, arguments);
}

BeckonCliProcess *
beckon_cli_process_new_in_shell (BeckonCliFixture *fixture, const char *script)
{
  char *arguments[] = { (char *) "/bin/bash", (char *) "--norc", (char *) "-mc", (char *) script, NULL };

  return process_new_in_terminal (fixture, arguments);
}

BeckonCliProcess *
beckon_cli_process_new_in_pipe (BeckonCliFixture *fixture, ...)
{
  g_auto (GStrv) environment = make_environment (fixture);
  g_auto (GStrv) arguments = NULL;
  int input[2], output[2];
  va_list list;
  pid_t pid;

  va_start (list, fixture);
  arguments = make_arguments (list);
  va_end (list);
  g_assert_true (g_unix_open_pipe (input, FD_CLOEXEC, NULL));
  g_assert_true (g_unix_open_pipe (output, FD_CLOEXEC, NULL));
  pid = fork ();
  if (pid == 0)
    {
      dup2 (input[0], STDIN_FILENO);
      if (fixture->lacks_input)
        close (STDIN_FILENO);
      dup2 (output[1], STDOUT_FILENO);
      dup2 (output[1], STDERR_FILENO);
      become (arguments, environment);
    }
  close (input[0]);
  close (output[1]);
  return process_new (pid, input[1], output[0]);
}

static void
close_ends (BeckonCliProcess *self)
{
  if (self->input >= 0 && self->input != self->output)
    close (self->input);
  if (self->output >= 0)
    close (self->output);
  self->input = self->output = -1;
}

void
beckon_cli_process_free (BeckonCliProcess *process)
{
  if (process->pid > 0)
    beckon_cli_process_kill (process);
  close_ends (process);
  g_string_free (process->all, TRUE);
  g_free (process);
}

/* %FALSE at the end of the output; a terminal whose other side is gone gives EIO. @until: in monotonic time, since a clock on
 * the screen is never silent. */
static gboolean
read_more (BeckonCliProcess *self, const char *waiting_for, gint64 until)
{
  struct pollfd fd = { self->output, POLLIN, 0 };
  gint64 left_ms = (until - g_get_monotonic_time ()) / 1000;
  char data[4096];
  gssize got;

  if (left_ms <= 0 || poll (&fd, 1, (int) MIN (left_ms, DEADLINE_MS)) <= 0)
    g_error ("“%s” did not come; what came is “%s”", waiting_for, self->all->str);
  got = read (self->output, data, sizeof data);
  if (got <= 0)
    return FALSE;
  g_string_append_len (self->all, data, got);
  return TRUE;
}

void
beckon_cli_process_wait (BeckonCliProcess *process, const char *words)
{
  gint64 until = g_get_monotonic_time () + LAST_MS * G_TIME_SPAN_MILLISECOND;
  const char *found;

  while ((found = strstr (process->all->str, words)) == NULL)
    if (!read_more (process, words, until))
      g_error ("It ended without “%s”; what came is “%s”", words, process->all->str);
  g_string_erase (process->all, 0, found + strlen (words) - process->all->str);
}

void
beckon_cli_process_read (BeckonCliProcess *process)
{
  if (!read_more (process, "something", G_MAXINT64))
    g_error ("It ended; what came is “%s”", process->all->str);
}

void
beckon_cli_process_end_input (BeckonCliProcess *process)
{
  close (process->input);
  process->input = -1;
}

void
beckon_cli_process_press (BeckonCliProcess *process, const char *keys)
{
  gsize length = strlen (keys);

  for (gsize done = 0; done < length;)
    {
      gssize wrote = write (process->input, keys + done, MIN (length - done, 2048));

      g_assert_cmpint (wrote, >, 0);
      done += (gsize) wrote;
    }
}

void
beckon_cli_process_type (BeckonCliProcess *process, const char *line)
{
  g_autofree char *typed = g_strconcat (line, "\n", NULL);

  beckon_cli_process_press (process, typed);
}

int
beckon_cli_process_reap (BeckonCliProcess *process)
{
  int status = 0;

  g_assert_cmpint (waitpid (process->pid, &status, 0), ==, process->pid);
  process->pid = 0;
  return get_status (status);
}

int
beckon_cli_process_finish (BeckonCliProcess *process)
{
  if (process->input >= 0 && process->input != process->output)
    beckon_cli_process_end_input (process);
  while (read_more (process, "the end", G_MAXINT64))
    ;
  return beckon_cli_process_reap (process);
}

void
beckon_cli_process_kill (BeckonCliProcess *process)
{
  kill (process->pid, SIGKILL);
  g_assert_cmpint (beckon_cli_process_reap (process), ==, -SIGKILL);
}
