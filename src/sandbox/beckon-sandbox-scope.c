/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE

#include "beckon-config.h"

#include "beckon-sandbox-scope.h"

#include "base/beckon-error.h"
#include "base/beckon-finish.h"

#include <glib-unix.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#define NAME "org.freedesktop.systemd1"
#define PATH "/org/freedesktop/systemd1"
#define MANAGER "org.freedesktop.systemd1.Manager"

/* A session that is this slow is not waited for: the command is watched instead. */
#define PATIENCE_MS 2000

/* How long a session without systemd is taken to stay so. */
#define AGAIN_US (60 * G_USEC_PER_SEC)

#define GROUPS "/sys/fs/cgroup"
#define EVENTS "memory.events"

struct _BeckonSandboxScope
{
  char *folder;
  int changes; /* inotify; -1 where there is none */
  guint source;
  BeckonJob *job; /* (unowned) (nullable) */
};

/* A scope, until it is there. */
typedef struct
{
  int pid;
  BeckonJobLimits limits;
  char *name;
  GDBusConnection *bus; /* (nullable) */
  guint removed;
  guint timeout;
  char *done; /* (nullable): the path of the last job that was done */
  char *job;  /* (nullable): that of ours */
  gboolean is_over;
} Request;

static gint64 not_before;

/* Kept: each command would connect anew. */
static GDBusConnection *session;

static void
sandbox_scope_request_free (gpointer data)
{
  Request *request = data;

  g_assert (request->removed == 0 && request->timeout == 0);
  g_clear_object (&request->bus);
  g_free (request->name);
  g_free (request->done);
  g_free (request->job);
  g_free (request);
}

void
beckon_sandbox_scope_free (BeckonSandboxScope *scope)
{
  if (scope == NULL)
    return;

  g_clear_handle_id (&scope->source, g_source_remove);
  if (scope->changes >= 0)
    close (scope->changes);
  g_free (scope->folder);
  g_free (scope);
}

static char *
sandbox_scope_read_text (const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  char *text = NULL;

  return g_file_get_contents (path, &text, NULL, NULL) ? g_strstrip (text) : NULL;
}

/* The kernel rounds down to pages. */
static gboolean
is_held_to (const char *folder, const char *name, guint64 most)
{
  g_autofree char *text = sandbox_scope_read_text (folder, name);
  guint64 value;

  return text != NULL && g_ascii_string_to_unsigned (text, 10, 1, most, &value, NULL);
}

static guint64
count_killed (const char *folder)
{
  g_autofree char *text = sandbox_scope_read_text (folder, EVENTS);
  const char *line = text != NULL ? strstr (text, "oom_kill ") : NULL;

  return line != NULL ? g_ascii_strtoull (line + strlen ("oom_kill "), NULL, 10) : 0;
}

BeckonSandboxScope *
beckon_sandbox_scope_open (const char *folder, const BeckonJobLimits *limits, GError **error)
{
  BeckonSandboxScope *self;
  g_autofree char *events = NULL;

  g_return_val_if_fail (folder != NULL && limits != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (!is_held_to (folder, "memory.max", limits->memory_bytes) || !is_held_to (folder, "pids.max", limits->n_processes))
    {
      g_set_error (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE, "“%s” is not held to its limits", folder);
      return NULL;
    }

  self = g_new0 (BeckonSandboxScope, 1);
  self->folder = g_strdup (folder);
  self->changes = inotify_init1 (IN_CLOEXEC | IN_NONBLOCK);
  events = g_build_filename (folder, EVENTS, NULL);
  if (self->changes < 0 || inotify_add_watch (self->changes, events, IN_MODIFY) < 0)
    {
      g_set_error (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE, "“%s” cannot be watched", events);
      g_clear_pointer (&self, beckon_sandbox_scope_free);
    }
  return self;
}

/* The other processes of the command would go on without the one that is missing. */
static gboolean
sandbox_scope_on_changed (int fd, GIOCondition condition, gpointer user_data)
{
  BeckonSandboxScope *self = user_data;
  char buffer[4096];

  while (read (fd, buffer, sizeof buffer) > 0)
    continue;
  if (count_killed (self->folder) > 0)
    beckon_job_exceed (self->job, BECKON_JOB_LIMIT_MEMORY);
  return G_SOURCE_CONTINUE;
}

void
beckon_sandbox_scope_watch (BeckonSandboxScope *scope, BeckonJob *job)
{
  g_return_if_fail (scope != NULL && scope->job == NULL);
  g_return_if_fail (BECKON_IS_JOB (job));

  scope->job = job;
  scope->source = g_unix_fd_add_full (G_PRIORITY_HIGH, scope->changes, G_IO_IN, sandbox_scope_on_changed, scope, NULL);
}

gboolean
beckon_sandbox_scope_was_full (BeckonSandboxScope *scope)
{
  return count_killed (scope->folder) > 0;
}

/* Waiters hold the task. */
static void
end_waiting (Request *request)
{
  request->is_over = TRUE;
  g_clear_handle_id (&request->timeout, g_source_remove);
  if (request->removed != 0)
    g_dbus_connection_signal_unsubscribe (request->bus, request->removed);
  request->removed = 0;
}

static void
sandbox_scope_fail (GTask *task, const char *why)
{
  Request *request = g_task_get_task_data (task);

  if (request->is_over)
    return;
  end_waiting (request);
  g_task_return_new_error (task, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE, "A command gets no scope: %s", why);
}

/* Within a container of its own this program and systemd may count processes differently, and group files may not be seen. */
static char *
find_folder (const Request *request)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/cgroup", request->pid);
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return NULL;
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    if (g_str_has_prefix (lines[i], "0::/") && g_str_has_suffix (lines[i], request->name))
      return g_build_filename (GROUPS, lines[i] + strlen ("0::"), NULL);

  return NULL;
}

static void
finish_when_done (GTask *task)
{
  Request *request = g_task_get_task_data (task);
  BeckonSandboxScope *scope = NULL;
  g_autofree char *folder = NULL;
  g_autoptr (GError) error = NULL;

  if (request->is_over || request->job == NULL || g_strcmp0 (request->job, request->done) != 0)
    return;

  folder = find_folder (request);
  if (folder != NULL)
    scope = beckon_sandbox_scope_open (folder, &request->limits, &error);
  if (scope == NULL)
    {
      not_before = g_get_monotonic_time () + AGAIN_US;
      sandbox_scope_fail (task, error != NULL ? error->message : "its control group is not seen");
      return;
    }

  end_waiting (request);
  g_task_return_pointer (task, scope, (GDestroyNotify) beckon_sandbox_scope_free);
}

static void
sandbox_scope_on_removed (GDBusConnection *bus, const char *sender, const char *path, const char *interface, const char *signal,
                          GVariant *parameters, gpointer user_data)
{
  GTask *task = user_data;
  Request *request = g_task_get_task_data (task);
  const char *job;

  if (!g_variant_is_of_type (parameters, G_VARIANT_TYPE ("(uoss)")))
    return;

  g_variant_get (parameters, "(u&o&s&s)", NULL, &job, NULL, NULL);
  g_free (request->done);
  request->done = g_strdup (job);
  g_object_ref (task);
  finish_when_done (task);
  g_object_unref (task);
}

static void
sandbox_scope_on_started (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Request *request = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) reply = g_dbus_connection_call_finish (G_DBUS_CONNECTION (source), result, &error);

  if (reply != NULL)
    {
      g_variant_get (reply, "(o)", &request->job);
      finish_when_done (task);
      return;
    }

  if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    not_before = g_get_monotonic_time () + AGAIN_US;
  sandbox_scope_fail (task, error->message);
}

static gboolean
on_too_late (gpointer user_data)
{
  GTask *task = user_data;
  Request *request = g_task_get_task_data (task);

  request->timeout = 0;
  not_before = g_get_monotonic_time () + AGAIN_US;
  g_object_ref (task);
  sandbox_scope_fail (task, "the session does not answer");
  g_object_unref (task);
  return G_SOURCE_REMOVE;
}

static GVariant *
build_parameters (const Request *request)
{
  g_auto (GVariantBuilder) properties = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("a(sv)"));
  guint32 pid = (guint32) request->pid;

  g_variant_builder_add (&properties, "(sv)", "Description", g_variant_new_string ("A command of Beckon’s agent"));
  g_variant_builder_add (&properties, "(sv)", "PIDs",
                         g_variant_new_fixed_array (G_VARIANT_TYPE_UINT32, &pid, 1, sizeof pid));
  g_variant_builder_add (&properties, "(sv)", "CollectMode", g_variant_new_string ("inactive-or-failed"));
  g_variant_builder_add (&properties, "(sv)", "MemoryMax", g_variant_new_uint64 (request->limits.memory_bytes));
  g_variant_builder_add (&properties, "(sv)", "MemorySwapMax", g_variant_new_uint64 (0));
  g_variant_builder_add (&properties, "(sv)", "TasksMax", g_variant_new_uint64 (request->limits.n_processes));
  return g_variant_new ("(ss@a(sv)@a(sa(sv)))", request->name, "fail", g_variant_builder_end (&properties),
                        g_variant_new_array (G_VARIANT_TYPE ("(sa(sv))"), NULL, 0));
}

/* The bus tells under which number it sees this program: another one means that systemd would take another process. */
static void
on_own_pid (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Request *request = g_task_get_task_data (task);
  g_autoptr (GVariant) reply = g_dbus_connection_call_finish (G_DBUS_CONNECTION (source), result, NULL);
  guint32 pid = 0;

  if (reply != NULL)
    g_variant_get (reply, "(u)", &pid);
  if (request->is_over)
    return;
  if (pid == (guint32) getpid ())
    {
      request->removed
          = g_dbus_connection_signal_subscribe (request->bus, NAME, MANAGER, "JobRemoved", PATH, NULL, G_DBUS_SIGNAL_FLAGS_NONE,
                                                sandbox_scope_on_removed, g_object_ref (task), g_object_unref);
      g_dbus_connection_call (request->bus, NAME, PATH, MANAGER, "StartTransientUnit", build_parameters (request),
                              G_VARIANT_TYPE ("(o)"), G_DBUS_CALL_FLAGS_NO_AUTO_START, PATIENCE_MS,
                              g_task_get_cancellable (task), sandbox_scope_on_started, g_object_ref (task));
      return;
    }

  not_before = g_get_monotonic_time () + AGAIN_US;
  sandbox_scope_fail (task, "the session counts processes differently");
}

static void
on_bus (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Request *request = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;

  request->bus = g_bus_get_finish (result, &error);
  if (request->bus != NULL)
    {
      g_dbus_connection_set_exit_on_close (request->bus, FALSE);
      g_set_object (&session, request->bus);
    }
  if (request->is_over)
    return;
  if (request->bus == NULL)
    {
      not_before = g_get_monotonic_time () + AGAIN_US;
      sandbox_scope_fail (task, error->message);
      return;
    }

  g_dbus_connection_call (request->bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
                          "GetConnectionUnixProcessID",
                          g_variant_new ("(s)", g_dbus_connection_get_unique_name (request->bus)), G_VARIANT_TYPE ("(u)"),
                          G_DBUS_CALL_FLAGS_NONE, PATIENCE_MS, g_task_get_cancellable (task), on_own_pid,
                          g_object_ref (task));
}

/* Tests without a start. */
static gboolean
has_session (void)
{
  g_autofree char *socket = g_build_filename (g_get_user_runtime_dir (), "bus", NULL);

  return g_getenv ("DBUS_SESSION_BUS_ADDRESS") != NULL || g_file_test (socket, G_FILE_TEST_EXISTS);
}

void
beckon_sandbox_scope_new_async (int pid, const BeckonJobLimits *limits, GCancellable *cancellable,
                                GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  static guint n_scopes;
  Request *request = g_new0 (Request, 1);

  g_return_if_fail (pid > 0 && limits != NULL);

  g_task_set_source_tag (task, beckon_sandbox_scope_new_async);
  g_task_set_task_data (task, request, sandbox_scope_request_free);
  request->pid = pid;
  request->limits = *limits;
  request->name = g_strdup_printf ("beckon-command-%d-%u.scope", (int) getpid (), ++n_scopes);
  if (g_get_monotonic_time () < not_before || !has_session ())
    {
      sandbox_scope_fail (task, "there is no systemd in this session");
      return;
    }

  request->timeout = g_timeout_add (PATIENCE_MS, on_too_late, task);
  g_bus_get (G_BUS_TYPE_SESSION, cancellable, on_bus, g_steal_pointer (&task));
}

BECKON_FINISH_LONE_POINTER (BeckonSandboxScope *, beckon_sandbox_scope_new)
