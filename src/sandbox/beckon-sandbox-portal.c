/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE

#include "beckon-config.h"

#include "beckon-sandbox-portal.h"

#include "base/beckon-error.h"
#include "base/beckon-path.h"
#include "base/beckon-text-printf.h"
#include "beckon-confine.h"
#include "beckon-protected-paths.h"
#include "beckon-sandbox-variables.h"
#include "beckon-seccomp.h"

#include <fcntl.h>
#include <gio/gunixfdlist.h>
#include <gio/gunixinputstream.h>
#include <glib/gi18n-lib.h>
#include <glib-unix.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define NAME "org.freedesktop.portal.Flatpak"
#define PATH "/org/freedesktop/portal/Flatpak"

/* Tells of starts, and exposes by descriptor; flatpak 1.10 and newer. */
#define LEAST_VERSION 5

/* SDK extensions' place. */
#define EXTENSIONS "/usr/lib/sdk"

#define FLAG_SANDBOX (1 << 2)
#define FLAG_NO_NETWORK (1 << 3)
#define FLAG_WATCH_BUS (1 << 4)
#define FLAG_EXPOSE_PIDS (1 << 5)
#define FLAG_NOTIFY_START (1 << 6)

#define SUPPORTS_EXPOSE_PIDS (1 << 0)

/* A command without protected paths has a view of its own: a copy of its folder, in its landing place. */
typedef struct
{
  const char *folder; /* as the command finds it */
  char *exposed;      /* what it is in truth */
  char *directory;
  char *hidden;       /* what must not be there */
  gboolean is_view;
} Workspace;

/* From the start to the end of one command. */
typedef struct
{
  BeckonJob *job;
  GUnixFDList *fds; /* (nullable): until they are sent */
  GVariantBuilder *mapped;
  GVariantBuilder *exposed;
  GVariantBuilder *exposed_read_only;
  GPtrArray *argv;
  char *directory;
  gboolean network;

  GDBusConnection *bus; /* (nullable) */
  guint started;
  guint exited;
  guint watch;
  guint32 pid;   /* as the portal counts; 0 before it runs */
  int local_pid; /* as it is seen here; 0 if it is not */
  gboolean is_killed;
  gboolean is_over;
} Command;

gboolean
beckon_sandbox_portal_is_needed (void)
{
  return g_file_test ("/.flatpak-info", G_FILE_TEST_EXISTS);
}

static void
command_free (Command *command)
{
  if (command->bus != NULL)
    {
      g_dbus_connection_signal_unsubscribe (command->bus, command->started);
      g_dbus_connection_signal_unsubscribe (command->bus, command->exited);
    }
  if (command->watch != 0)
    g_bus_unwatch_name (command->watch);
  g_clear_object (&command->bus);
  g_clear_object (&command->fds);
  g_variant_builder_unref (command->mapped);
  g_variant_builder_unref (command->exposed);
  g_variant_builder_unref (command->exposed_read_only);
  g_ptr_array_unref (command->argv);
  g_free (command->directory);
  g_object_unref (command->job);
  g_free (command);
}

/* The job's one end. */
static void
end_job (Command *command, int status, GError *failure)
{
  if (command->is_over)
    {
      g_clear_error (&failure);
      return;
    }

  command->is_over = TRUE;
  beckon_job_end (command->job, status, failure);
}

static void
end_without (Command *command, const char *said)
{
  end_job (command, 128 + SIGKILL,
           beckon_text_error_new (BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
                                  /* Translators: %s is what it said, in English */
                                  _("Commands are off: Flatpak’s portal, which keeps them away from the rest of the computer, "
                                    "does not run them. It says: %s"),
                                  said));
}

static void
sandbox_portal_give_up (Command *command, GError *error)
{
  g_dbus_error_strip_remote_error (error);
  end_without (command, error->message);
  command_free (command);
}

/* An end meanwhile is no error. The call holds the bus until it is answered. */
static void
on_signalled (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GVariant *reply = g_dbus_connection_call_finish (G_DBUS_CONNECTION (source), result, NULL);

  g_clear_pointer (&reply, g_variant_unref);
}

static void
signal_all (Command *command)
{
  g_dbus_connection_call (command->bus, NAME, PATH, NAME, "SpawnSignal",
                          g_variant_new ("(uub)", command->pid, (guint32) SIGKILL, TRUE), NULL,
                          G_DBUS_CALL_FLAGS_NO_AUTO_START, -1, NULL, on_signalled, NULL);
}

/* A portal slow to start it is not waited for: it is ended when it comes. */
static void
kill_all (gpointer data)
{
  Command *command = data;

  command->is_killed = TRUE;
  if (command->pid != 0)
    signal_all (command);
  else
    end_without (command, "stopped");
}

static void
sandbox_portal_on_started (GDBusConnection *bus, const char *sender, const char *path, const char *interface,
                           const char *signal,
                           GVariant *parameters, gpointer user_data)
{
  Command *command = user_data;
  guint32 pid, local_pid;

  if (!g_variant_is_of_type (parameters, G_VARIANT_TYPE ("(uu)")))
    return;

  g_variant_get (parameters, "(uu)", &pid, &local_pid);
  if (pid != command->pid || pid == 0 || local_pid <= 1)
    return;

  command->local_pid = (int) local_pid;
  beckon_job_set_pid (command->job, (int) local_pid);
}

/* The exit is a wait status; bubblewrap has made a number of the signal that ended the command. */
static int
read_status (guint32 wait_status)
{
  int status = (int) wait_status;

  return WIFEXITED (status) ? WEXITSTATUS (status) : 128 + WTERMSIG (status);
}

static void
on_exited (GDBusConnection *bus, const char *sender, const char *path, const char *interface, const char *signal,
           GVariant *parameters, gpointer user_data)
{
  Command *command = user_data;
  guint32 pid, status;

  if (!g_variant_is_of_type (parameters, G_VARIANT_TYPE ("(uu)")))
    return;

  g_variant_get (parameters, "(uu)", &pid, &status);
  if (pid != command->pid || pid == 0)
    return;

  end_job (command, read_status (status), NULL);
  command_free (command);
}

/* Its end would no longer be told. Processes visible here are ended from here. */
static void
on_vanished (GDBusConnection *bus, const char *name, gpointer user_data)
{
  Command *command = user_data;

  if (command->local_pid > 1)
    kill (command->local_pid, SIGKILL);
  end_without (command, NAME " left the bus");
  command_free (command);
}

static void
on_spawned (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Command *command = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) reply
      = g_dbus_connection_call_with_unix_fd_list_finish (command->bus, NULL, result, &error);

  if (reply == NULL)
    {
      sandbox_portal_give_up (command, error);
      return;
    }

  g_variant_get (reply, "(u)", &command->pid);
  if (command->is_killed)
    {
      signal_all (command);
      command_free (command);
      return;
    }

  command->watch = g_bus_watch_name_on_connection (command->bus, NAME, G_BUS_NAME_WATCHER_FLAGS_NONE, NULL, on_vanished,
                                                   command, NULL);
}

static void
call_spawn (Command *command, guint supports)
{
  g_auto (GVariantBuilder) options = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE_VARDICT);
  guint flags = FLAG_SANDBOX | FLAG_WATCH_BUS | FLAG_NOTIFY_START;
  g_autoptr (GUnixFDList) fds = g_steal_pointer (&command->fds);
  GVariant *parameters;

  if (!command->network)
    flags |= FLAG_NO_NETWORK;
  if ((supports & SUPPORTS_EXPOSE_PIDS) != 0)
    flags |= FLAG_EXPOSE_PIDS;
  g_variant_builder_add (&options, "{sv}", "sandbox-expose-fd", g_variant_builder_end (command->exposed));
  g_variant_builder_add (&options, "{sv}", "sandbox-expose-fd-ro", g_variant_builder_end (command->exposed_read_only));
  parameters = g_variant_new ("(@ay@aay@a{uh}a{ss}ua{sv})", g_variant_new_bytestring (command->directory),
                              g_variant_new_bytestring_array ((const char *const *) command->argv->pdata, -1),
                              g_variant_builder_end (command->mapped), NULL, flags, &options);
  g_dbus_connection_call_with_unix_fd_list (command->bus, NAME, PATH, NAME, "Spawn", parameters, G_VARIANT_TYPE ("(u)"),
                                            G_DBUS_CALL_FLAGS_NONE, -1, fds, NULL, on_spawned, command);
}

/* Here too the portal is started, if it does not run yet. */
static void
on_properties (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Command *command = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) reply = g_dbus_connection_call_finish (command->bus, result, &error);
  g_autoptr (GVariant) properties = reply != NULL ? g_variant_get_child_value (reply, 0) : NULL;
  guint version = 0, supports = 0;

  if (properties != NULL)
    {
      g_variant_lookup (properties, "version", "u", &version);
      g_variant_lookup (properties, "supports", "u", &supports);
      if (version < LEAST_VERSION)
        g_set_error (&error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE, "version %u is too old", version);
      else if (command->is_killed)
        g_set_error_literal (&error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "stopped");
    }
  if (error != NULL)
    {
      sandbox_portal_give_up (command, error);
      return;
    }

  call_spawn (command, supports);
}

static void
on_bus (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Command *command = user_data;
  g_autoptr (GError) error = NULL;

  command->bus = g_bus_get_finish (result, &error);
  if (command->bus == NULL)
    {
      sandbox_portal_give_up (command, error);
      return;
    }

  command->started = g_dbus_connection_signal_subscribe (command->bus, NAME, NAME, "SpawnStarted", PATH, NULL,
                                                         G_DBUS_SIGNAL_FLAGS_NONE, sandbox_portal_on_started, command, NULL);
  command->exited = g_dbus_connection_signal_subscribe (command->bus, NAME, NAME, "SpawnExited", PATH, NULL,
                                                        G_DBUS_SIGNAL_FLAGS_NONE, on_exited, command, NULL);
  g_dbus_connection_call (command->bus, NAME, PATH, "org.freedesktop.DBus.Properties", "GetAll",
                          g_variant_new ("(s)", NAME), G_VARIANT_TYPE ("(a{sv})"), G_DBUS_CALL_FLAGS_NONE, -1, NULL,
                          on_properties, command);
}

/* Takes @fd; -1 if there was none. */
static int
sandbox_portal_take (Command *command, int fd, GError **error)
{
  int handle;

  if (fd < 0)
    {
      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE, "There is not enough memory for a command.");
      return -1;
    }

  handle = g_unix_fd_list_append (command->fds, fd, error);
  close (fd);
  return handle;
}

static gboolean
expose (Command *command, GVariantBuilder *builder, const char *path, GError **error)
{
  int handle = sandbox_portal_take (command, open (path, O_PATH | O_CLOEXEC | O_NOFOLLOW), error);

  if (handle >= 0)
    g_variant_builder_add (builder, "h", handle);
  return handle >= 0;
}

static int
open_ignore_file (BeckonProtectedPaths *protected)
{
  g_autofree char *names = protected != NULL ? beckon_protected_paths_dup_ignored (protected, NULL) : g_strdup ("");
  int fd = memfd_create ("beckon-ignore", MFD_CLOEXEC);

  if (fd < 0 || pwrite (fd, names, strlen (names), 0) == (gssize) strlen (names))
    return fd;
  close (fd);
  return -1;
}

static gboolean
map_all (Command *command, int output, int filter, int ignore, GError **error)
{
  int fds[] = { open ("/dev/null", O_RDONLY | O_CLOEXEC), fcntl (output, F_DUPFD_CLOEXEC, 0),
                fcntl (output, F_DUPFD_CLOEXEC, 0), filter, ignore };
  gboolean are_mapped = TRUE;

  /* Each is taken, whatever became of those before it. */
  for (guint i = 0; i < G_N_ELEMENTS (fds); i++)
    {
      int handle = sandbox_portal_take (command, fds[i], are_mapped ? error : NULL);

      if (handle >= 0)
        g_variant_builder_add (command->mapped, "{uh}", i, handle);
      are_mapped = handle >= 0 && are_mapped;
    }

  return are_mapped;
}

static gboolean
expose_all (Command *command, const char *folder, BeckonProtectedPaths *protected, GError **error)
{
  GPtrArray *paths = protected != NULL ? beckon_protected_paths_get_paths (protected) : NULL;
  const char *git = protected != NULL ? beckon_protected_paths_get_git (protected) : NULL;

  if (!expose (command, command->exposed, folder, error)
      || (git != NULL && !expose (command, command->exposed, git, error)))
    return FALSE;
  if (paths == NULL)
    return TRUE;
  for (guint i = 0; i < paths->len; i++)
    if (!expose (command, command->exposed_read_only, g_ptr_array_index (paths, i), error))
      return FALSE;

  return TRUE;
}

static void
add_variable (const char *name, const char *value, gpointer argv)
{
  g_ptr_array_add (argv, g_strdup_printf ("%s=%s", name, value));
}

static GPtrArray *
build_argv (const char *const *argv, const BeckonSandboxOptions *options, const Workspace *workspace,
            const BeckonJobLimits *limits, BeckonProtectedPaths *protected)
{
  GPtrArray *all = g_ptr_array_new_with_free_func (g_free);
  GPtrArray *paths = protected != NULL ? beckon_protected_paths_get_paths (protected) : NULL;
  GString *path;
  g_autoptr (GDir) extensions = NULL;
  const char *name;
  struct stat info = { 0 };

  g_ptr_array_add (all, beckon_helper_find ("beckon-confine"));
  g_ptr_array_add (all, g_strdup_printf ("%" G_GUINT64_FORMAT, limits->memory_bytes));
  g_ptr_array_add (all, g_strdup_printf ("%" G_GUINT64_FORMAT, beckon_sandbox_get_file_size (options)));
  g_ptr_array_add (all, g_strdup_printf ("%u", limits->n_processes));
  g_ptr_array_add (all, g_strdup (workspace->hidden));
  g_ptr_array_add (all, g_strdup (workspace->exposed));
  g_ptr_array_add (all, stat (workspace->exposed, &info) == 0
                            ? g_strdup_printf (BECKON_CONFINE_IDENTITY, (unsigned long long) info.st_dev,
                                               (unsigned long long) info.st_ino)
                            : g_strdup (""));
  if (workspace->is_view)
    g_ptr_array_add (all, g_strdup_printf ("%c%s", BECKON_CONFINE_VIEW, workspace->folder));
  for (guint i = 0; paths != NULL && i < paths->len; i++)
    g_ptr_array_add (all, g_strdup (g_ptr_array_index (paths, i)));
  path = g_string_new ("PATH=/usr/local/bin:/usr/bin:/bin");
  extensions = g_dir_open (EXTENSIONS, 0, NULL);
  beckon_sandbox_variables_foreach (BECKON_CONFINE_HOME, workspace->is_view ? NULL : BECKON_CONFINE_IGNORE_FILE, add_variable,
                                    all);
  if (workspace->is_view)
    beckon_sandbox_variables_foreach_of_copy (add_variable, all);
  while (extensions != NULL && (name = g_dir_read_name (extensions)) != NULL)
    g_string_append_printf (path, ":" EXTENSIONS "/%s/bin", name);
  g_ptr_array_add (all, g_string_free (path, FALSE));
  if (workspace->is_view)
    g_ptr_array_add (all, g_strdup_printf ("PWD=%s", options->directory != NULL ? options->directory : options->folder));
  g_ptr_array_add (all, g_strdup ("--"));
  for (guint i = 0; argv[i] != NULL; i++)
    g_ptr_array_add (all, g_strdup (argv[i]));

  g_ptr_array_add (all, NULL);
  return all;
}

/* %FALSE without a descriptor for each. */
static gboolean
open_all (Command *command, const BeckonSandboxOptions *options, const Workspace *workspace, BeckonProtectedPaths *protected,
          GInputStream **output, GError **error)
{
  int ends[2];
  int filter = beckon_seccomp_new_filter (beckon_sandbox_get_reach (options), error);
  gboolean is_open;

  if (filter < 0)
    return FALSE;
  if (!g_unix_open_pipe (ends, FD_CLOEXEC, error))
    {
      close (filter);
      return FALSE;
    }

  *output = g_unix_input_stream_new (ends[0], TRUE);
  is_open = map_all (command, ends[1], filter, open_ignore_file (protected), error)
            && expose_all (command, workspace->exposed, protected, error);
  close (ends[1]);
  return is_open;
}

BeckonJob *
beckon_sandbox_portal_start (const char *const *argv, const BeckonSandboxOptions *options, BeckonProtectedPaths *laid,
                             GError **error)
{
  g_autoptr (BeckonProtectedPaths) protected = laid;
  g_autoptr (GInputStream) output = NULL;
  BeckonJobLimits limits;
  Workspace workspace;
  Command *command;
  BeckonJob *job;
  gboolean is_open;
  const char *directory;
  GPtrArray *all;

  g_return_val_if_fail (argv != NULL && argv[0] != NULL, NULL);
  g_return_val_if_fail (options != NULL && options->folder != NULL, NULL);
  g_return_val_if_fail ((protected == NULL) == (options->place != NULL), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  beckon_sandbox_get_limits (options, &limits);
  /* The copy is shown where it lies, in a folder of this program's that is not shown itself: what is beside it must not be
   * there. */
  directory = options->directory != NULL ? options->directory : options->folder;
  workspace.folder = options->folder;
  workspace.is_view = options->place != NULL;
  workspace.exposed = workspace.is_view ? g_build_filename (options->place, "copy", NULL) : g_strdup (options->folder);
  workspace.directory = g_strconcat (workspace.exposed, directory + strlen (options->folder), NULL);
  workspace.hidden = workspace.is_view ? g_build_filename (options->place, "copied", NULL)
                                       : g_build_filename (g_get_user_data_dir (), BECKON_DATA_FOLDER, NULL);
  all = build_argv (argv, options, &workspace, &limits, protected);
  command = g_new0 (Command, 1);

  command->fds = g_unix_fd_list_new ();
  command->mapped = g_variant_builder_new (G_VARIANT_TYPE ("a{uh}"));
  command->exposed = g_variant_builder_new (G_VARIANT_TYPE ("ah"));
  command->exposed_read_only = g_variant_builder_new (G_VARIANT_TYPE ("ah"));
  command->argv = all;
  command->directory = g_strdup (workspace.directory);
  command->network = beckon_sandbox_shares_network (options);
  is_open = open_all (command, options, &workspace, protected, &output, error);
  g_free (workspace.exposed);
  g_free (workspace.directory);
  g_free (workspace.hidden);
  if (!is_open)
    {
      command_free (command);
      return NULL;
    }

  job = beckon_job_new_foreign (output, kill_all, command, &limits);
  beckon_job_set_folder (job, options->place != NULL ? options->place : options->folder);
  if (protected != NULL)
    beckon_job_add_cleanup (job, (GDestroyNotify) beckon_protected_paths_free, g_steal_pointer (&protected));
  command->job = g_object_ref (job);
  g_bus_get (G_BUS_TYPE_SESSION, NULL, on_bus, command);
  return job;
}

static void
on_tried (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  BeckonJob *job = BECKON_JOB (source);
  g_autoptr (GError) error = NULL;

  g_task_return_boolean (task, beckon_job_wait_finish (job, result, &error) && beckon_job_get_status (job) == 0);
}

void
beckon_sandbox_portal_try_view_async (const char *folder, const char *place, GAsyncReadyCallback callback, gpointer user_data)
{
  static const char *const argv[] = { "true", NULL };
  const BeckonSandboxOptions options = { .folder = folder, .place = place };
  g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, user_data);
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonJob) job = NULL;

  g_return_if_fail (folder != NULL && place != NULL);

  g_task_set_source_tag (task, beckon_sandbox_portal_try_view_async);
  job = beckon_sandbox_portal_start (argv, &options, NULL, &error);
  if (job != NULL)
    beckon_job_wait_async (job, NULL, on_tried, g_steal_pointer (&task));
  else
    g_task_return_boolean (task, FALSE);
}

gboolean
beckon_sandbox_portal_try_view_finish (GAsyncResult *result)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, beckon_sandbox_portal_try_view_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), NULL);
}
