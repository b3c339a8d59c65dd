/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Flatpak's portal, as far as a command needs it, on a private bus: what it is asked for it does with bubblewrap, and like the
 * real one it overlooks in silence what it cannot do. */

#define _GNU_SOURCE

#include "base/beckon-error.h"
#include "beckon-marked.h"
#include "beckon-tree.h"
#include "landing/beckon-landing-copy.h"
#include "sandbox/beckon-sandbox-portal.h"

#include <gio/gunixfdlist.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME "org.freedesktop.portal.Flatpak"
#define PATH "/org/freedesktop/portal/Flatpak"
#define FLAGS (4 | 16 | 64)
#define NO_NETWORK 8
#define EXPOSE_PIDS 32
#define DEADLINE (60 * G_USEC_PER_SEC)

/* The number of a process that ended before it was asked for: no process has it. */
#define HAS_ENDED G_MAXINT

static const char interface[]
    = "<node><interface name='" NAME "'>"
      "<method name='Spawn'><arg type='ay' direction='in'/><arg type='aay' direction='in'/><arg type='a{uh}' direction='in'/>"
      "<arg type='a{ss}' direction='in'/><arg type='u' direction='in'/><arg type='a{sv}' direction='in'/>"
      "<arg type='u' direction='out'/></method>"
      "<method name='SpawnSignal'><arg type='u' direction='in'/><arg type='u' direction='in'/><arg type='b' direction='in'/>"
      "</method><signal name='SpawnExited'><arg type='u'/><arg type='u'/></signal>"
      "<signal name='SpawnStarted'><arg type='u'/><arg type='u'/></signal>"
      "<property name='version' type='u' access='read'/><property name='supports' type='u' access='read'/>"
      "</interface></node>";

typedef struct
{
  GDBusConnection *bus;
  guint registered;
  guint owned;
  gboolean is_owned;

  /* How it is. */
  guint version;
  guint supports;
  gboolean is_slow;
  gboolean overlooks_folder;
  gboolean overlooks_read_only;
  const char *shows; /* (nullable): what it was not asked for */

  /* The outcome. */
  GDBusMethodInvocation *waiting; /* (nullable): a slow one's */
  guint flags;
  guint n_signals;
  guint n_running;
  int pid;
} Portal;

typedef struct
{
  Portal portal;
  char *root;
  char *folder;
  char *place; /* (nullable) */
  BeckonSandboxOptions options;
  char *said;
  int status;
  BeckonJobLimit limit;
  GError *error;
} Fixture;

static void
add (GPtrArray *argv, const char *first, ...)
{
  va_list words;

  va_start (words, first);
  for (const char *word = first; word != NULL; word = va_arg (words, const char *))
    g_ptr_array_add (argv, g_strdup (word));
  va_end (words);
}

static void
bind_each (GPtrArray *argv, const char *how, GVariant *options, const char *key, GUnixFDList *fds)
{
  g_autoptr (GVariant) handles = g_variant_lookup_value (options, key, G_VARIANT_TYPE ("ah"));

  for (gsize i = 0; handles != NULL && i < g_variant_n_children (handles); i++)
    {
      g_autofree char *link = NULL;
      g_autofree char *path = NULL;
      int handle;

      g_variant_get_child (handles, i, "h", &handle);
      link = g_strdup_printf ("/proc/self/fd/%d", g_unix_fd_list_peek_fds (fds, NULL)[handle]);
      path = g_file_read_link (link, NULL);
      g_assert_nonnull (path);
      add (argv, how, path, path, NULL);
    }
}

static GPtrArray *
build_argv (Portal *portal, GVariant *parameters, GUnixFDList *fds)
{
  GPtrArray *all = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GVariant) options = g_variant_get_child_value (parameters, 5);
  g_autofree const char **argv = NULL;
  const char *directory;

  g_variant_get_child (parameters, 0, "^&ay", &directory);
  g_variant_get_child (parameters, 1, "^a&ay", &argv);
  g_assert_true (g_str_has_suffix (argv[0], "/beckon-confine"));
  add (all, "bwrap", "--unshare-pid", "--die-with-parent", "--ro-bind", "/usr", "/usr", "--symlink", "usr/bin",
       "/bin", "--symlink", "usr/lib", "/lib", "--symlink", "usr/lib64", "/lib64", "--proc", "/proc", "--dev", "/dev", "--tmpfs",
       "/tmp", "--ro-bind", CONFINE, "/app/beckon-confine", NULL);
  if ((portal->flags & NO_NETWORK) != 0)
    add (all, "--unshare-net", NULL);
  if (portal->shows != NULL)
    add (all, "--bind", portal->shows, portal->shows, NULL);
  if (!portal->overlooks_folder)
    bind_each (all, "--bind", options, "sandbox-expose-fd", fds);
  if (!portal->overlooks_read_only)
    bind_each (all, "--ro-bind", options, "sandbox-expose-fd-ro", fds);
  /* Like the real one, it hands on what the session gave it. */
  add (all, "--setenv", "BECKON_API_KEY", "sk-canary", "--setenv", "DBUS_SESSION_BUS_ADDRESS", "unix:path=/x", NULL);
  if (!portal->overlooks_folder)
    add (all, "--chdir", directory, NULL);
  add (all, "/app/beckon-confine", NULL);
  for (guint i = 1; argv[i] != NULL; i++)
    add (all, argv[i], NULL);

  g_ptr_array_add (all, NULL);
  return all;
}

static void
lead_group (gpointer data)
{
  setpgid (0, 0);
}

static void
on_ended (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GSubprocess *process = G_SUBPROCESS (source);
  Portal *portal = user_data;

  g_assert_true (g_subprocess_wait_finish (process, result, NULL));
  portal->n_running--;
  g_dbus_connection_emit_signal (portal->bus, NULL, PATH, NAME, "SpawnExited",
                                 g_variant_new ("(uu)", portal->pid, g_subprocess_get_status (process)), NULL);
}

static void
spawn (Portal *portal, GDBusMethodInvocation *invocation)
{
  GVariant *parameters = g_dbus_method_invocation_get_parameters (invocation);
  GUnixFDList *fds = g_dbus_message_get_unix_fd_list (g_dbus_method_invocation_get_message (invocation));
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_NONE);
  g_autoptr (GVariant) mapped = g_variant_get_child_value (parameters, 2);
  g_autoptr (GPtrArray) argv = build_argv (portal, parameters, fds);
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GError) error = NULL;
  const char *identifier;

  for (gsize i = 0; i < g_variant_n_children (mapped); i++)
    {
      guint number;
      int handle;

      g_variant_get_child (mapped, i, "{uh}", &number, &handle);
      g_subprocess_launcher_take_fd (launcher, g_unix_fd_list_get (fds, handle, NULL), (int) number);
    }
  g_subprocess_launcher_set_child_setup (launcher, lead_group, NULL, NULL);
  process = g_subprocess_launcher_spawnv (launcher, (const char *const *) argv->pdata, &error);
  g_assert_no_error (error);
  portal->n_running++;
  identifier = g_subprocess_get_identifier (process);
  portal->pid = identifier != NULL ? atoi (identifier) : HAS_ENDED;
  g_dbus_method_invocation_return_value (invocation, g_variant_new ("(u)", portal->pid));
  if ((portal->flags & EXPOSE_PIDS) != 0)
    g_dbus_connection_emit_signal (portal->bus, NULL, PATH, NAME, "SpawnStarted",
                                   g_variant_new ("(uu)", portal->pid, portal->pid), NULL);
  g_subprocess_wait_async (process, NULL, on_ended, portal);
}

static void
on_call (GDBusConnection *bus, const char *sender, const char *path, const char *name, const char *method,
         GVariant *parameters, GDBusMethodInvocation *invocation, gpointer user_data)
{
  Portal *portal = user_data;

  if (strcmp (method, "Spawn") == 0)
    {
      g_variant_get_child (parameters, 4, "u", &portal->flags);
      g_assert_cmpuint (portal->flags & FLAGS, ==, FLAGS);
      if (portal->is_slow)
        portal->waiting = invocation;
      else
        spawn (portal, invocation);
      return;
    }

  portal->n_signals++;
  kill (-portal->pid, SIGKILL);
  g_dbus_method_invocation_return_value (invocation, NULL);
}

static GVariant *
on_property (GDBusConnection *bus, const char *sender, const char *path, const char *name, const char *property,
             GError **error, gpointer user_data)
{
  Portal *portal = user_data;

  return g_variant_new_uint32 (strcmp (property, "version") == 0 ? portal->version : portal->supports);
}

static void
on_name (GDBusConnection *bus, const char *name, gpointer user_data)
{
  ((Portal *) user_data)->is_owned = TRUE;
}

static void
portal_start (Portal *portal)
{
  static const GDBusInterfaceVTable table = { on_call, on_property, NULL, { NULL } };
  g_autofree char *address = g_dbus_address_get_for_bus_sync (G_BUS_TYPE_SESSION, NULL, NULL);
  g_autoptr (GDBusNodeInfo) info = g_dbus_node_info_new_for_xml (interface, NULL);

  portal->bus = g_dbus_connection_new_for_address_sync (address,
                                                        G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT
                                                            | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION,
                                                        NULL, NULL, NULL);
  g_assert_nonnull (portal->bus);
  portal->registered = g_dbus_connection_register_object (portal->bus, PATH, info->interfaces[0], &table, portal, NULL, NULL);
  portal->owned = g_bus_own_name_on_connection (portal->bus, NAME, G_BUS_NAME_OWNER_FLAGS_NONE, on_name, NULL, portal, NULL);
  while (!portal->is_owned)
    g_main_context_iteration (NULL, TRUE);
}

static void
portal_leave (Portal *portal)
{
  if (portal->owned != 0)
    g_bus_unown_name (portal->owned);
  portal->owned = 0;
}

#define WAIT(condition)                                                                                                     \
  G_STMT_START                                                                                                              \
    {                                                                                                                       \
      gint64 until = g_get_monotonic_time () + DEADLINE;                                                                    \
                                                                                                                            \
      while (!(condition) && g_get_monotonic_time () < until)                                                               \
        g_main_context_iteration (NULL, TRUE);                                                                              \
      g_assert_true (condition);                                                                                            \
    }                                                                                                                       \
  G_STMT_END

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autofree char *made = g_dir_make_tmp ("beckon-portal-XXXXXX", NULL);

  fixture->root = realpath (made, NULL);
  fixture->folder = g_build_filename (fixture->root, "here", NULL);
  g_assert_cmpint (g_mkdir (fixture->folder, 0700), ==, 0);
  fixture->options.folder = fixture->folder;
  fixture->portal.version = 6;
  portal_start (&fixture->portal);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  WAIT (fixture->portal.n_running == 0);
  portal_leave (&fixture->portal);
  g_dbus_connection_unregister_object (fixture->portal.bus, fixture->portal.registered);
  g_assert_true (g_dbus_connection_close_sync (fixture->portal.bus, NULL, NULL));
  g_clear_object (&fixture->portal.bus);
  beckon_tree_remove (fixture->root);
  g_clear_error (&fixture->error);
  g_free (fixture->root);
  g_free (fixture->folder);
  g_free (fixture->place);
  g_free (fixture->said);
}

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

static BeckonJob *
start (Fixture *fixture, const char *const *argv, GError **error)
{
  const BeckonSandboxOptions *options = &fixture->options;
  BeckonProtectedPaths *protected = options->place == NULL ? beckon_protected_paths_new (options->folder) : NULL;

  if (protected != NULL)
    g_assert_true (beckon_protected_paths_lay (protected, NULL));
  return beckon_sandbox_portal_start (argv, options, protected, error);
}

/* Runs @script by sh; what it said and how it ended is in the fixture. */
static void
run (Fixture *fixture, const char *script)
{
  const char *argv[] = { "sh", "-c", script, NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonJob) job = start (fixture, argv, &error);
  g_autoptr (GAsyncResult) result = NULL;

  g_assert_no_error (error);
  beckon_job_wait_async (job, NULL, on_done, &result);
  WAIT (result != NULL);
  g_clear_error (&fixture->error);
  beckon_job_wait_finish (job, result, &fixture->error);
  g_free (fixture->said);
  fixture->said = beckon_output_get_text (beckon_job_get_output (job));
  fixture->status = beckon_job_get_status (job);
  fixture->limit = beckon_job_get_limit (job);
  g_test_message ("%s\n-> %d %.500s %s", script, fixture->status, fixture->said,
                  fixture->error != NULL ? fixture->error->message : "");
}

static void
assert_says (Fixture *fixture, const char *script, const char *expected)
{
  run (fixture, script);
  g_assert_no_error (fixture->error);
  g_assert_cmpstr (fixture->said, ==, expected);
}

static void
assert_fails (Fixture *fixture, const char *script)
{
  run (fixture, script);
  g_assert_no_error (fixture->error);
  g_assert_cmpint (fixture->status, !=, 0);
}

static gboolean
skip (void)
{
  g_autofree char *bwrap = g_find_program_in_path ("bwrap");

  if (bwrap == NULL)
    g_test_skip ("there is no bubblewrap here");

  return bwrap == NULL;
}

static void
test_works (Fixture *fixture, gconstpointer data)
{
  g_autofree char *where = g_strdup_printf ("%s\n", fixture->folder);
  g_autofree char *within = g_build_filename (fixture->folder, "within", NULL);
  g_autofree char *where_within = g_strdup_printf ("%s\n", within);

  if (skip ())
    return;

  assert_says (fixture, "echo hello; echo trouble >&2", "hello\ntrouble\n");
  g_assert_cmpint (fixture->status, ==, 0);
  g_assert_cmpuint (fixture->portal.flags & NO_NETWORK, !=, 0);
  assert_says (fixture, "pwd; exit 3", where);
  g_assert_cmpint (fixture->status, ==, 3);
  assert_says (fixture, "cat; echo $HOME; touch $HOME/x /tmp/x x && mkdir within && echo ok", "/tmp/home\nok\n");
  run (fixture, "kill -9 $$");
  g_assert_cmpint (fixture->status, ==, 137);

  fixture->options.directory = within;
  assert_says (fixture, "pwd", where_within);
  fixture->options.network = fixture->options.local_network = TRUE;
  assert_says (fixture, "env | grep -c -e DBUS -e DISPLAY -e canary", "0\n");
  g_assert_cmpuint (fixture->portal.flags & NO_NETWORK, ==, 0);
}

static void
test_confined (Fixture *fixture, gconstpointer data)
{
  static const char *const scripts[] = { "echo x > .envrc", "mkdir .vscode", "git init -q .", "rm -rf .git && mkdir .git" };
  g_autoptr (GDir) dir = NULL;

  if (skip ())
    return;

  for (guint i = 0; i < G_N_ELEMENTS (scripts); i++)
    assert_fails (fixture, scripts[i]);
  assert_fails (fixture, "unshare -m true");
  dir = g_dir_open (fixture->folder, 0, NULL);
  g_assert_cmpstr (g_dir_read_name (dir), ==, NULL);

  fixture->options.file_bytes = 1024 * 1024;
  assert_fails (fixture, "head -c 2000000 /dev/zero > big");
  fixture->options.network = fixture->options.local_network = TRUE;
  assert_fails (fixture, "python3 -c 'import socket; socket.socket (socket.AF_UNIX)'");
  fixture->options.memory_bytes = 256 * 1024 * 1024;
  assert_fails (fixture, "python3 -c 'x = bytearray (1 << 30)'");
}

/* A portal that did not do what it was asked for runs nothing. */
static void
test_overlooked (Fixture *fixture, gconstpointer data)
{
  g_autofree char *made = g_build_filename (fixture->folder, "made", NULL);

  if (skip ())
    return;

  fixture->portal.overlooks_read_only = TRUE;
  run (fixture, "touch made");
  g_assert_cmpint (fixture->status, ==, 126);
  g_assert_nonnull (strstr (fixture->said, "not kept from being written"));
  fixture->portal.overlooks_read_only = FALSE;
  fixture->portal.overlooks_folder = TRUE;
  run (fixture, "touch made");
  g_assert_cmpint (fixture->status, ==, 126);
  g_assert_false (g_file_test (made, G_FILE_TEST_EXISTS));
}

static void
make_view (Fixture *fixture)
{
  g_autofree char *within = g_build_filename (fixture->folder, "within", NULL);
  g_autofree char *file = g_build_filename (fixture->folder, "file", NULL);
  g_autoptr (GError) error = NULL;

  fixture->place = g_build_filename (fixture->root, "place", NULL);
  g_assert_cmpint (g_mkdir (fixture->place, 0700) + g_mkdir (within, 0700), ==, 0);
  g_assert_true (g_file_set_contents (file, "text\n", -1, NULL));
  g_assert_true (beckon_landing_copy_make (fixture->folder, fixture->place, NULL, NULL, &error));
  g_assert_no_error (error);
  fixture->options.place = fixture->place;
}

/* On a copy of the folder, which is found at the folder's own path. */
static void
test_view (Fixture *fixture, gconstpointer data)
{
  g_autofree char *within = g_build_filename (fixture->folder, "within", NULL);
  g_autofree char *script = g_strdup_printf ("pwd; cat '%s/file'; echo new > made; mkdir .vscode; rm file; ls -A; exit 3",
                                             fixture->folder);
  g_autofree char *said = g_strdup_printf ("%s\ntext\n.vscode\nmade\nwithin\n", fixture->folder);
  g_autofree char *upper = NULL;
  g_autofree char *where_within = g_strdup_printf ("%s\n", within);
  g_autofree char *made = NULL;
  g_autoptr (GError) error = NULL;

  if (skip ())
    return;

  make_view (fixture);
  assert_says (fixture, script, said);
  g_assert_cmpint (fixture->status, ==, 3);
  run (fixture, "kill -9 $$");
  g_assert_cmpint (fixture->status, ==, 137);
  fixture->options.directory = within;
  assert_says (fixture, "pwd", where_within);
  assert_fails (fixture, "unshare -m true");
  g_assert_cmpuint (beckon_tree_count (fixture->folder), ==, 2);
  g_assert_true (beckon_landing_copy_to_upper (fixture->place, &error));
  g_assert_no_error (error);
  upper = g_build_filename (fixture->place, "upper", NULL);
  made = g_build_filename (upper, "made", NULL);
  g_assert_cmpuint (beckon_tree_count (upper), ==, 3);
  g_assert_true (g_file_test (made, G_FILE_TEST_IS_REGULAR));
}

/* No process is left that could change the copy behind the command. */
static void
test_view_ends (Fixture *fixture, gconstpointer data)
{
  g_autofree char *marker = g_strdup_printf ("BECKON_LATE=%s", fixture->root);
  g_autofree char *script = g_strdup_printf ("for i in $(seq 50); do env '%s' setsid sh -c 'exec > /dev/null 2>&1; "
                                             "while :; do echo x >> late; done' & done; until [ -e late ]; do sleep 0.01; done",
                                             marker);

  if (skip ())
    return;

  make_view (fixture);
  run (fixture, script);
  g_assert_cmpint (fixture->status, ==, 0);
  g_assert_false (beckon_marked_is_running (marker));
}

/* More is there than the copy, or the folder itself: nothing is run. */
static void
test_view_shown (Fixture *fixture, gconstpointer data)
{
  if (skip ())
    return;

  make_view (fixture);
  fixture->portal.shows = fixture->folder;
  run (fixture, "touch made");
  g_assert_cmpint (fixture->status, ==, 126);
  fixture->portal.shows = fixture->place;
  run (fixture, "touch made");
  g_assert_cmpint (fixture->status, ==, 126);
  fixture->portal.shows = NULL;
  fixture->portal.overlooks_folder = TRUE;
  run (fixture, "touch made");
  g_assert_cmpint (fixture->status, ==, 126);
}

static gboolean
try_view (Fixture *fixture)
{
  g_autoptr (GAsyncResult) result = NULL;

  beckon_sandbox_portal_try_view_async (fixture->folder, fixture->options.place, on_done, &result);
  WAIT (result != NULL);
  return beckon_sandbox_portal_try_view_finish (result);
}

/* Whether there can be such views is tried. */
static void
test_view_tried (Fixture *fixture, gconstpointer data)
{
  if (skip ())
    return;

  make_view (fixture);
  g_assert_true (try_view (fixture));
  fixture->portal.shows = fixture->folder;
  g_assert_false (try_view (fixture));
  portal_leave (&fixture->portal);
  g_assert_false (try_view (fixture));
}

/* Each below its own limit, all together above it: they are seen from here. */
static void
test_measured (Fixture *fixture, gconstpointer data)
{
  if (skip ())
    return;

  fixture->portal.supports = 1;
  fixture->options.memory_bytes = 256 * 1024 * 1024;
  run (fixture, "for i in 1 2 3 4; do python3 -c 'x = bytearray (150 << 20); import signal; signal.pause ()' & done; wait");
  g_assert_cmpint (fixture->limit, ==, BECKON_JOB_LIMIT_MEMORY);
}

static void
test_stop (Fixture *fixture, gconstpointer data)
{
  g_autofree char *marker = g_strdup_printf ("MARK=beckon-portal-%d-", (int) getpid ());
  g_autofree char *script = g_strdup_printf ("export %s; trap '' TERM INT HUP; (setsid sh -c 'trap \"\" TERM; echo ready; "
                                             "sleep 1000' &) ; while :; do sleep 1000; done",
                                             marker);
  const char *argv[] = { "sh", "-c", script, NULL };
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (BeckonJob) job = NULL;
  gint64 cancelled;

  if (skip ())
    return;

  job = start (fixture, argv, &fixture->error);
  g_assert_no_error (fixture->error);
  beckon_job_wait_async (job, cancellable, on_done, &result);
  WAIT (beckon_output_get_length (beckon_job_get_output (job)) > 0);
  g_assert_true (beckon_marked_is_running (marker));

  cancelled = g_get_monotonic_time ();
  g_cancellable_cancel (cancellable);
  WAIT (result != NULL);
  g_assert_false (beckon_job_wait_finish (job, result, &fixture->error));
  g_assert_error (fixture->error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  beckon_marked_assert_ends (marker, cancelled);
}

/* A portal that does not answer is not waited for, and a command that it starts too late is ended. */
static void
test_slow (Fixture *fixture, gconstpointer data)
{
  const char *argv[] = { "sh", "-c", "sleep 1000", NULL };
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (BeckonJob) job = NULL;

  if (skip ())
    return;

  fixture->portal.is_slow = TRUE;
  job = start (fixture, argv, &fixture->error);
  g_assert_no_error (fixture->error);
  beckon_job_wait_async (job, cancellable, on_done, &result);
  WAIT (fixture->portal.waiting != NULL);
  g_cancellable_cancel (cancellable);
  WAIT (result != NULL);
  g_assert_false (beckon_job_wait_finish (job, result, &fixture->error));
  g_assert_error (fixture->error, G_IO_ERROR, G_IO_ERROR_CANCELLED);

  g_clear_error (&fixture->error);
  fixture->options.folder = fixture->folder;
  spawn (&fixture->portal, fixture->portal.waiting);
  WAIT (fixture->portal.n_signals == 1);
}

static void
test_missing (Fixture *fixture, gconstpointer data)
{
  portal_leave (&fixture->portal);
  run (fixture, "true");
  g_assert_error (fixture->error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE);
  g_assert_nonnull (strstr (fixture->error->message, "portal"));
}

static void
test_old (Fixture *fixture, gconstpointer data)
{
  fixture->portal.version = 4;
  run (fixture, "true");
  g_assert_error (fixture->error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE);
  g_assert_nonnull (strstr (fixture->error->message, "version 4"));
}

static void
on_output (BeckonJob *job, Portal *portal)
{
  WAIT (beckon_output_get_length (beckon_job_get_output (job)) > 0);
  portal_leave (portal);
}

/* The wait ends, although no portal is left to say how the command ended. */
static void
test_vanishes (Fixture *fixture, gconstpointer data)
{
  const char *argv[] = { "sh", "-c", "echo ready; exec sleep 1000", NULL };
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (BeckonJob) job = NULL;

  if (skip ())
    return;

  job = start (fixture, argv, &fixture->error);
  g_assert_no_error (fixture->error);
  beckon_job_wait_async (job, NULL, on_done, &result);
  on_output (job, &fixture->portal);
  WAIT (result != NULL);
  g_assert_false (beckon_job_wait_finish (job, result, &fixture->error));
  g_assert_error (fixture->error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE);
  g_assert_cmpint (kill (-fixture->portal.pid, SIGKILL), ==, 0);
}

#define ADD(path, function) g_test_add (path, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_timeout_add (20, on_tick, NULL);

  ADD ("/portal/works", test_works);
  ADD ("/portal/confined", test_confined);
  ADD ("/portal/overlooked", test_overlooked);
  ADD ("/portal/view", test_view);
  ADD ("/portal/view-ends", test_view_ends);
  ADD ("/portal/view-shown", test_view_shown);
  ADD ("/portal/view-tried", test_view_tried);
  ADD ("/portal/measured", test_measured);
  ADD ("/portal/stop", test_stop);
  ADD ("/portal/slow", test_slow);
  ADD ("/portal/missing", test_missing);
  ADD ("/portal/old", test_old);
  ADD ("/portal/vanishes", test_vanishes);
  return g_test_run ();
}
