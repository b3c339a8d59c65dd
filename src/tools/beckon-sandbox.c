/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE

#include "beckon-config.h"

#include "beckon-sandbox.h"

#include "base/beckon-error.h"
#include "beckon-sandbox-gate.h"
#include "beckon-sandbox-guard.h"
#include "beckon-sandbox-portal.h"
#include "beckon-seccomp.h"

#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define GIB (UINT64_C (1024) * 1024 * 1024)
#define DEFAULT_BYTES (4 * GIB)
#define DEFAULT_PROCESSES 512

/* Those of bubblewrap itself, and what the watching may see twice. */
#define OWN_PROCESSES 16

/* The descriptors at which the sandbox finds its filter, and what Git is to overlook. */
#define FILTER_FD 3
#define IGNORE_FD 4
#define IGNORE_FILE "/etc/beckon-gitignore"
#define FIRST_GATE_FD 5
#define FIRST_COPY_FD 7
#define MAX_COPIES 48

#define LIBRARIES "/etc/ld.so.conf.d"
#define TERMINALS "/etc/terminfo"

/* What programs need of the system besides /usr; the rest of /etc names users, hosts and services. Every mount costs each
 * command a tenth of a millisecond, so that files are copied. */
static const char *const readable[] = {
  "/opt",
  "/nix/store",
  "/gnu/store",
  "/etc/alternatives",
  "/etc/fonts",
  "/etc/java",
};

static const char *const copied[] = {
  "/etc/group",
  "/etc/ld.so.cache",
  "/etc/ld.so.conf",
  "/etc/localtime",
  "/etc/magic",
  "/etc/mime.types",
  "/etc/nsswitch.conf",
  "/etc/os-release",
  "/etc/passwd",
  "/etc/ssl/openssl.cnf",
  "/etc/timezone",
};

static const char *const readable_for_network[] = {
  "/etc/ca-certificates",
  "/etc/ca-certificates.conf",
  "/etc/crypto-policies",
  "/etc/gai.conf",
  "/etc/host.conf",
  "/etc/hosts",
  "/etc/pki",
  "/etc/protocols",
  "/etc/resolv.conf",
  "/etc/services",
  "/etc/ssl/certs",
};

static const char *const kept_variables[] = { "LANG", "LC_ALL", "LC_CTYPE", "LC_MESSAGES", "LANGUAGE", "TZ" };

static const char *const bare[] = {
  "--unshare-all", "--unshare-user", "--cap-drop", "ALL",   "--new-session", "--die-with-parent", "--clearenv",
  "--hostname",    "sandbox",        "--ro-bind",  "/usr",  "/usr",          "--proc",            "/proc",
  "--dev",         "/dev",           "--tmpfs",    "/tmp",  "--dir",         "/run",              "--symlink",
  "/tmp",          "/var/tmp",       "--dir",      "/tmp/home",     "--setenv",          "HOME",
  "/tmp/home",     "--setenv",       "PATH",       "/usr/local/bin:/usr/bin:/bin",                "--setenv",
  "TERM",          "dumb",           "--setenv",   "USER",  "user",          "--setenv",          "LOGNAME",
  "user",          "--setenv",       "SHELL",      "/bin/sh", "--setenv",    "GIT_TERMINAL_PROMPT", "0",
  "--setenv",      "GIT_CONFIG_COUNT", "1",    "--setenv", "GIT_CONFIG_KEY_0", "core.excludesFile", "--setenv",
  "GIT_CONFIG_VALUE_0", IGNORE_FILE, "--seccomp", G_STRINGIFY (FILTER_FD), "--perms", "0444", "--file",
  G_STRINGIFY (IGNORE_FD), IGNORE_FILE,
};

/* Given to the child between fork and exec. */
typedef struct
{
  rlim_t memory_bytes;
  rlim_t file_bytes;
  BeckonSandboxGate *gate; /* (unowned) */
} Limits;

static void
add (GPtrArray *argv, const char *first, ...)
{
  va_list words;

  va_start (words, first);
  for (const char *word = first; word != NULL; word = va_arg (words, const char *))
    g_ptr_array_add (argv, g_strdup (word));
  va_end (words);
}

/* Most systems keep nothing there but a note that says so. */
static void
add_terminals (GPtrArray *argv)
{
  g_autoptr (GDir) folder = g_dir_open (TERMINALS, 0, NULL);
  const char *name;

  while (folder != NULL && (name = g_dir_read_name (folder)) != NULL)
    if (!g_str_equal (name, "README"))
      {
        add (argv, "--ro-bind-try", TERMINALS, TERMINALS, NULL);
        return;
      }
}

static void
add_each (GPtrArray *argv, const char *const *paths, gsize n_paths)
{
  for (gsize i = 0; i < n_paths; i++)
    add (argv, "--ro-bind-try", paths[i], paths[i], NULL);
}

/* On most systems they are links into /usr by now; elsewhere folders of their own. */
static void
add_root_folders (GPtrArray *argv)
{
  static const char *const folders[] = { "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32" };

  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    {
      g_autofree char *target = g_file_read_link (folders[i], NULL);

      if (target != NULL)
        add (argv, "--symlink", target, folders[i], NULL);
      else
        add (argv, "--ro-bind-try", folders[i], folders[i], NULL);
    }
}

static void
add_environment (GPtrArray *argv)
{
  for (guint i = 0; i < G_N_ELEMENTS (kept_variables); i++)
    {
      const char *value = g_getenv (kept_variables[i]);

      if (value != NULL)
        add (argv, "--setenv", kept_variables[i], value, NULL);
    }
}

/* The descriptors stand in the same order behind those of the filter and the like. */
static void
add_copy (GPtrArray *argv, GArray *copies, const char *path)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  g_autofree char *number = g_strdup_printf ("%d", FIRST_COPY_FD + (int) copies->len);

  if (fd < 0)
    return;

  add (argv, "--perms", "0444", "--file", number, path, NULL);
  g_array_append_val (copies, fd);
}

static void
add_copies (GPtrArray *argv, GArray *copies)
{
  g_autoptr (GDir) libraries = g_dir_open (LIBRARIES, 0, NULL);
  const char *name;

  for (guint i = 0; i < G_N_ELEMENTS (copied); i++)
    add_copy (argv, copies, copied[i]);
  while (libraries != NULL && copies->len < MAX_COPIES && (name = g_dir_read_name (libraries)) != NULL)
    {
      g_autofree char *path = g_build_filename (LIBRARIES, name, NULL);

      add_copy (argv, copies, path);
    }
}

guint
beckon_sandbox_get_processes (const BeckonSandboxOptions *options)
{
  return options->n_processes > 0 ? options->n_processes : DEFAULT_PROCESSES;
}

guint64
beckon_sandbox_get_memory (const BeckonSandboxOptions *options)
{
  return options->memory_bytes > 0 ? options->memory_bytes : DEFAULT_BYTES;
}

guint64
beckon_sandbox_get_file_size (const BeckonSandboxOptions *options)
{
  return options->file_bytes > 0 ? options->file_bytes : DEFAULT_BYTES;
}

static GPtrArray *
begin_argv (const char *bwrap, const BeckonSandboxOptions *options, BeckonSandboxGuard *guard, GArray *copies)
{
  GPtrArray *all = g_ptr_array_new_with_free_func (g_free);

  add (all, bwrap, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (bare); i++)
    add (all, bare[i], NULL);
  add_environment (all);
  add_root_folders (all);
  add_each (all, readable, G_N_ELEMENTS (readable));
  add_terminals (all);
  add_copies (all, copies);
  if (options->network)
    {
      add (all, "--share-net", NULL);
      add_each (all, readable_for_network, G_N_ELEMENTS (readable_for_network));
    }
  add (all, "--bind", options->folder, options->folder, NULL);
  beckon_sandbox_guard_add_arguments (guard, all);
  add (all, "--remount-ro", "/", "--chdir", options->directory != NULL ? options->directory : options->folder, NULL);
  return all;
}

static void
end_argv (GPtrArray *all, const char *const *argv)
{
  add (all, "--", NULL);
  for (guint i = 0; argv[i] != NULL; i++)
    add (all, argv[i], NULL);
  g_ptr_array_add (all, NULL);
}

/* Between fork and exec: only what is safe there. */
static void
set_limits (gpointer user_data)
{
  const Limits *limits = user_data;
  struct rlimit none = { 0, 0 };
  struct rlimit memory = { limits->memory_bytes, limits->memory_bytes };
  struct rlimit file = { limits->file_bytes, limits->file_bytes };

  /* A group of its own, which can be killed as a whole: what bubblewrap starts follows it into death only from a moment on. */
  setpgid (0, 0);
  beckon_sandbox_gate_watch (limits->gate);
  setrlimit (RLIMIT_CORE, &none);
  setrlimit (RLIMIT_AS, &memory);
  setrlimit (RLIMIT_FSIZE, &file);
}

static gboolean
check_options (const BeckonSandboxOptions *options, GError **error)
{
  g_autofree char *directory = NULL;

  if (!beckon_sandbox_check_folder (options->folder, error))
    return FALSE;
  if (options->directory == NULL)
    return TRUE;

  directory = realpath (options->directory, NULL);
  if (directory != NULL && strcmp (directory, options->directory) == 0 && beckon_sandbox_is_within (directory, options->folder))
    return TRUE;

  g_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID, _("“%s” is not a folder within the working folder."),
               options->directory);
  return FALSE;
}

/* Every request to a model asks for it, and a path has many folders. */
char *
beckon_sandbox_find_program (void)
{
  static char *searched;
  static char *found;
  const char *path = g_getenv ("PATH");

  if (found != NULL && g_strcmp0 (path, searched) == 0 && access (found, X_OK) == 0)
    return g_strdup (found);

  g_free (searched);
  g_free (found);
  searched = g_strdup (path);
  found = g_find_program_in_path ("bwrap");
  return g_strdup (found);
}

static char *
find_bwrap (GError **error)
{
  char *bwrap = beckon_sandbox_find_program ();

  if (bwrap == NULL)
    g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
                         _("Commands are off: bubblewrap, which keeps them away from the rest of the computer, is not "
                           "installed. Install the package “bubblewrap”."));

  return bwrap;
}

static Limits *
new_limits (const BeckonSandboxOptions *options, BeckonSandboxGate *gate)
{
  Limits *limits = g_new (Limits, 1);

  limits->memory_bytes = beckon_sandbox_get_memory (options);
  limits->file_bytes = beckon_sandbox_get_file_size (options);
  limits->gate = gate;
  return limits;
}

/* %FALSE with @error if one of those that every command is given cannot be had. */
static gboolean
give_files (GSubprocessLauncher *launcher, GArray *copies, const BeckonSandboxOptions *options, BeckonSandboxGuard *guard,
            GError **error)
{
  int filter = beckon_seccomp_new_filter (options->network, error);
  int ignore = filter >= 0 ? beckon_sandbox_guard_new_ignore_file (guard) : -1;

  for (guint i = 0; i < copies->len; i++)
    g_subprocess_launcher_take_fd (launcher, g_array_index (copies, int, i), FIRST_COPY_FD + (int) i);
  if (filter >= 0)
    g_subprocess_launcher_take_fd (launcher, filter, FILTER_FD);
  if (ignore >= 0)
    g_subprocess_launcher_take_fd (launcher, ignore, IGNORE_FD);
  else if (filter >= 0)
    g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE, _("There is not enough memory for a command."));

  return filter >= 0 && ignore >= 0;
}

/* Commands that ask something of a terminal get none, and an end of input. */
static GSubprocessLauncher *
new_launcher (const BeckonSandboxOptions *options, BeckonSandboxGate *gate)
{
  GSubprocessLauncher *launcher
      = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_MERGE);
  char *no_environment[] = { NULL };

  g_subprocess_launcher_set_child_setup (launcher, set_limits, new_limits (options, gate), g_free);
  g_subprocess_launcher_set_cwd (launcher, "/");

  /* bubblewrap clears what it hands on, but is itself the sandbox's first process, whose /proc/1/environ can be read there. */
  g_subprocess_launcher_set_environ (launcher, no_environment);
  return launcher;
}

static BeckonJob *
start (const char *bwrap, const char *const *argv, const BeckonSandboxOptions *options, BeckonSandboxGuard *guard,
       GError **error)
{
  g_autoptr (GArray) copies = g_array_new (FALSE, FALSE, sizeof (int));
  g_autoptr (GPtrArray) all = begin_argv (bwrap, options, guard, copies);
  g_autoptr (BeckonSandboxGate) gate = beckon_sandbox_gate_new (beckon_sandbox_get_processes (options), error);
  g_autoptr (GSubprocessLauncher) launcher = new_launcher (options, gate);
  g_autoptr (GSubprocess) process = NULL;
  BeckonJob *job;

  /* What was opened to be copied goes with the launcher, whatever fails. */
  if (!give_files (launcher, copies, options, guard, gate != NULL ? error : NULL) || gate == NULL)
    return NULL;
  beckon_sandbox_gate_add (gate, all, launcher, FIRST_GATE_FD);
  end_argv (all, argv);
  process = g_subprocess_launcher_spawnv (launcher, (const char *const *) all->pdata, error);
  if (process == NULL)
    return NULL;

  job = beckon_job_new (process, beckon_sandbox_get_processes (options) + OWN_PROCESSES,
                        beckon_sandbox_get_memory (options));
  beckon_sandbox_gate_attach (g_steal_pointer (&gate), job);
  return job;
}

BeckonJob *
beckon_sandbox_start (const char *const *argv, const BeckonSandboxOptions *options, GError **error)
{
  g_autofree char *bwrap = NULL;
  g_autoptr (BeckonSandboxGuard) guard = NULL;
  BeckonJob *job;

  g_return_val_if_fail (argv != NULL && argv[0] != NULL, NULL);
  g_return_val_if_fail (options != NULL && options->folder != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (!check_options (options, error))
    return NULL;
  if (beckon_sandbox_portal_is_needed ())
    return beckon_sandbox_portal_start (argv, options, error);
  if ((bwrap = find_bwrap (error)) == NULL)
    return NULL;

  guard = beckon_sandbox_guard_new (options->folder, error);
  job = guard != NULL ? start (bwrap, argv, options, guard, error) : NULL;
  if (job != NULL)
    beckon_job_add_cleanup (job, (GDestroyNotify) beckon_sandbox_guard_free, g_steal_pointer (&guard));
  return job;
}

static void
on_probed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  BeckonJob *job = BECKON_JOB (source);
  GError *error = NULL;

  if (!beckon_job_wait_finish (job, result, &error))
    g_task_return_error (task, error);
  else if (beckon_job_get_status (job) == 0)
    g_task_return_boolean (task, TRUE);
  else
    {
      g_autofree char *said = beckon_output_get_tail (beckon_job_get_output (job), 1);

      g_task_return_new_error (task, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
                               /* Translators: the first %s is a program's name, the second one what it said, in English */
                               _("Commands are off: they cannot be kept away from the rest of the computer here. "
                                 "%s says: %s"),
                               beckon_sandbox_portal_is_needed () ? "Flatpak" : "bubblewrap", g_strstrip (said));
    }
}

/* Flatpak exposes only what lies at the same place outside, which its /tmp does not. */
static char *
make_folder (GError **error)
{
  g_autofree char *folder = NULL;

  if (!beckon_sandbox_portal_is_needed ())
    return g_dir_make_tmp ("beckon-probe-XXXXXX", error);

  folder = g_build_filename (g_get_user_cache_dir (), "beckon-probe-XXXXXX", NULL);
  if (g_mkdtemp (folder) != NULL)
    return g_steal_pointer (&folder);

  g_set_error (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
               _("“%s” cannot be prepared for commands: is it writable?"), g_get_user_cache_dir ());
  return NULL;
}

static void
remove_folder (gpointer data)
{
  g_rmdir (data);
  g_free (data);
}

void
beckon_sandbox_probe_async (GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  static const char *const argv[] = { "true", NULL };
  g_autofree char *folder = NULL;
  BeckonSandboxOptions options = { .folder = NULL };
  GError *error = NULL;
  g_autoptr (BeckonJob) job = NULL;

  g_task_set_source_tag (task, beckon_sandbox_probe_async);
  folder = make_folder (&error);
  options.folder = folder;
  job = folder != NULL ? beckon_sandbox_start (argv, &options, &error) : NULL;
  if (job == NULL)
    {
      if (folder != NULL)
        remove_folder (g_steal_pointer (&folder));
      g_task_return_error (task, error);
      return;
    }

  beckon_job_add_cleanup (job, remove_folder, g_steal_pointer (&folder));
  beckon_job_wait_async (job, cancellable, on_probed, g_steal_pointer (&task));
}

gboolean
beckon_sandbox_probe_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, beckon_sandbox_probe_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}
