/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A systemd of the test's makes a command's scope on a private bus, and there are the files of a control group. Where
 * this session has a systemd of its own, a real command is held by a real scope. */

#include "base/beckon-error.h"
#include "beckon-tree.h"
#include "sandbox/beckon-sandbox-scope.h"
#include "sandbox/beckon-sandbox.h"

#include <fcntl.h>
#include <gio/gunixinputstream.h>
#include <glib-unix.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define NAME "org.freedesktop.systemd1"
#define PATH "/org/freedesktop/systemd1"
#define MANAGER NAME ".Manager"

static const char interface[]
    = "<node><interface name='" MANAGER "'>"
      "<method name='StartTransientUnit'><arg type='s' direction='in'/><arg type='s' direction='in'/>"
      "<arg type='a(sv)' direction='in'/><arg type='a(sa(sv))' direction='in'/><arg type='o' direction='out'/></method>"
      "<signal name='JobRemoved'><arg type='u'/><arg type='o'/><arg type='s'/><arg type='s'/></signal>"
      "</interface></node>";

typedef struct
{
  GDBusConnection *bus;
  gboolean is_owned;
  GVariant *properties; /* (nullable): what was asked for last */
  guint n_asked;
} Manager;

static void
on_done (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GAsyncResult **slot = user_data;

  *slot = g_object_ref (result);
}

static gboolean
on_tick (gpointer user_data)
{
  return G_SOURCE_CONTINUE;
}

static void
wait_until (gboolean (*is_so) (gconstpointer), gconstpointer data)
{
  gint64 deadline = g_get_monotonic_time () + 60 * G_USEC_PER_SEC;

  while (!is_so (data))
    {
      g_assert_cmpint (g_get_monotonic_time (), <, deadline);
      g_main_context_iteration (NULL, TRUE);
    }
}

static gboolean
is_set (gconstpointer slot)
{
  return *(GObject *const *) slot != NULL;
}

static gboolean
is_true (gconstpointer slot)
{
  return *(const gboolean *) slot;
}

/* The manager answers, and then says that the job is done, as the real one does; the process stays where it is. */
static void
on_call (GDBusConnection *bus, const char *sender, const char *path, const char *iface, const char *method,
         GVariant *parameters, GDBusMethodInvocation *invocation, gpointer user_data)
{
  Manager *manager = user_data;

  g_clear_pointer (&manager->properties, g_variant_unref);
  manager->properties = g_variant_get_child_value (parameters, 2);
  manager->n_asked++;
  g_dbus_method_invocation_return_value (invocation, g_variant_new ("(o)", PATH "/job/7"));
  g_dbus_connection_emit_signal (bus, sender, PATH, MANAGER, "JobRemoved",
                                 g_variant_new ("(uoss)", 7, PATH "/job/7", "x.scope", "done"), NULL);
}

static void
on_owned (GDBusConnection *bus, const char *name, gpointer user_data)
{
  ((Manager *) user_data)->is_owned = TRUE;
}

static const GDBusInterfaceVTable vtable = { .method_call = on_call };

static guint64
get_number (GVariant *properties, const char *name)
{
  GVariantIter iter;
  const char *key;
  GVariant *value;
  guint64 number = 0;

  g_variant_iter_init (&iter, properties);
  while (g_variant_iter_loop (&iter, "(&sv)", &key, &value))
    if (g_str_equal (key, name))
      {
        if (g_variant_is_of_type (value, G_VARIANT_TYPE ("au")))
          {
            g_autoptr (GVariant) first = g_variant_get_child_value (value, 0);

            number = g_variant_get_uint32 (first);
          }
        else
          number = g_variant_get_uint64 (value);
      }

  return number;
}

static BeckonSandboxScope *
ask (const BeckonJobLimits *limits, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  beckon_sandbox_scope_new_async (getpid (), limits, NULL, on_done, &result);
  wait_until (is_set, &result);
  return beckon_sandbox_scope_new_finish (result, error);
}

/* Without a control group that holds, there is no scope, and nothing is believed to be limited. */
static void
test_asked (void)
{
  const BeckonJobLimits limits = { 100, 1 << 30, G_MAXUINT64 };
  g_autoptr (GDBusNodeInfo) info = g_dbus_node_info_new_for_xml (interface, NULL);
  g_autoptr (GError) error = NULL;
  Manager manager = { 0 };
  guint registered, owned;

  manager.bus = g_bus_get_sync (G_BUS_TYPE_SESSION, NULL, NULL);
  registered = g_dbus_connection_register_object (manager.bus, PATH, info->interfaces[0], &vtable, &manager, NULL, NULL);
  owned = g_bus_own_name_on_connection (manager.bus, NAME, G_BUS_NAME_OWNER_FLAGS_NONE, on_owned, NULL, &manager, NULL);
  wait_until (is_true, &manager.is_owned);

  g_assert_null (ask (&limits, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE);
  g_assert_nonnull (strstr (error->message, "control group"));
  g_assert_cmpuint (get_number (manager.properties, "PIDs"), ==, getpid ());
  g_assert_cmpuint (get_number (manager.properties, "MemoryMax"), ==, 1 << 30);
  g_assert_cmpuint (get_number (manager.properties, "TasksMax"), ==, 100);
  g_clear_error (&error);

  /* Once it is gone, that is known for a while. */
  g_bus_unown_name (owned);
  g_dbus_connection_unregister_object (manager.bus, registered);
  for (guint i = 0; i < 2; i++)
    {
      g_assert_null (ask (&limits, &error));
      g_assert_error (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE);
      g_clear_error (&error);
    }
  g_assert_cmpuint (manager.n_asked, ==, 1);
  g_clear_pointer (&manager.properties, g_variant_unref);
  g_object_unref (manager.bus);
}

static void
put (const char *folder, const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  int fd = open (path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);

  g_assert_cmpint (write (fd, text, strlen (text)), ==, (gssize) strlen (text));
  close (fd);
}

static void
lead_group (gpointer data)
{
  setpgid (0, 0);
}

/* The files as the kernel writes them. */
static void
test_group (void)
{
  const BeckonJobLimits limits = { 100, 1 << 30, G_MAXUINT64 };
  g_autofree char *folder = g_dir_make_tmp ("beckon-group-XXXXXX", NULL);
  g_autoptr (GError) error = NULL;
  BeckonSandboxScope *scope;
  BeckonJob *job;
  g_autoptr (GInputStream) output = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  char *argv[] = { (char *) "sleep", (char *) "1000", NULL };
  int ends[2];
  GPid pid;

  put (folder, "memory.max", "max\n");
  put (folder, "pids.max", "100\n");
  put (folder, "memory.events", "low 0\nhigh 0\nmax 0\noom 0\noom_kill 0\n");
  g_assert_null (beckon_sandbox_scope_open (folder, &limits, NULL));
  put (folder, "memory.max", "1073741824\n");
  put (folder, "pids.max", "101\n");
  g_assert_null (beckon_sandbox_scope_open (folder, &limits, NULL));
  put (folder, "pids.max", "100\n");
  scope = beckon_sandbox_scope_open (folder, &limits, &error);
  g_assert_no_error (error);

  g_assert_true (g_spawn_async (NULL, argv, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD, lead_group,
                                NULL, &pid, &error));
  g_assert_true (g_unix_open_pipe (ends, FD_CLOEXEC, NULL));
  close (ends[1]);
  output = g_unix_input_stream_new (ends[0], TRUE);
  job = beckon_job_new (pid, output, &limits);
  beckon_sandbox_scope_watch (scope, job);
  beckon_job_wait_async (job, NULL, on_done, &result);
  put (folder, "memory.events", "low 0\nhigh 0\nmax 9\noom 1\noom_kill 0\n");
  for (guint i = 0; i < 5; i++)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpint (beckon_job_get_limit (job), ==, BECKON_JOB_LIMIT_NONE);
  put (folder, "memory.events", "low 0\nhigh 0\nmax 9\noom 1\noom_kill 1\n");
  wait_until (is_set, &result);
  g_assert_true (beckon_job_wait_finish (job, result, NULL));
  g_assert_cmpint (beckon_job_get_limit (job), ==, BECKON_JOB_LIMIT_MEMORY);
  g_object_unref (job);
  beckon_sandbox_scope_free (scope);
  beckon_tree_remove (folder);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_timeout_add (20, on_tick, NULL);
  g_test_add_func ("/scope/asked", test_asked);
  g_test_add_func ("/scope/group", test_group);
  return g_test_run ();
}
