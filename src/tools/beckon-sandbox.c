/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE

#include "beckon-config.h"

#include "beckon-sandbox.h"

#include "base/beckon-error.h"
#include "beckon-launch.h"
#include "beckon-sandbox-gate.h"
#include "beckon-sandbox-guard.h"
#include "beckon-sandbox-portal.h"
#include "beckon-seccomp.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gunixinputstream.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define GIB (UINT64_C (1024) * 1024 * 1024)
#define DEFAULT_BYTES (4 * GIB)
#define DEFAULT_PROCESSES 512

/* Those of bubblewrap itself, and what the watching may see twice. */
#define OWN_PROCESSES 16

#define IGNORE_FILE "/etc/beckon-gitignore"

#define LIBRARIES "/etc/ld.so.conf"
#define LIBRARIES_FOLDER "/etc/ld.so.conf.d"
#define LIBRARIES_CACHE "/etc/ld.so.cache"
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
  LIBRARIES_CACHE,
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
  "GIT_CONFIG_VALUE_0", IGNORE_FILE,
};

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

/* Bubblewrap finds it under the number that it has here. */
static void
give_fd (GPtrArray *argv, GArray *fds, const char *option, int fd)
{
  g_autofree char *number = g_strdup_printf ("%d", fd);

  add (argv, option, number, NULL);
  g_array_append_val (fds, fd);
}

static void
give_file (GPtrArray *argv, GArray *fds, int fd, const char *path)
{
  add (argv, "--perms", "0444", NULL);
  give_fd (argv, fds, "--file", fd);
  add (argv, path, NULL);
}

/* (nullable): where the link @path leads, if that is there in the sandbox, too. */
static char *
read_link_to_system (const char *path)
{
  g_autofree char *target = g_file_read_link (path, NULL);
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *whole = target != NULL ? g_canonicalize_filename (target, folder) : NULL;

  return whole != NULL && g_str_has_prefix (whole, "/usr/") ? g_steal_pointer (&target) : NULL;
}

static void
add_copy (GPtrArray *argv, GArray *fds, const char *path)
{
  g_autofree char *target = read_link_to_system (path);
  int fd;

  if (target != NULL)
    add (argv, "--symlink", target, path, NULL);
  else if ((fd = open (path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)) >= 0)
    give_file (argv, fds, fd, path);
}

static void
append_libraries (GString *text, const char *path)
{
  g_autofree char *contents = NULL;
  g_auto (GStrv) lines = NULL;

  if (!g_file_get_contents (path, &contents, NULL, NULL))
    return;
  lines = g_strsplit (contents, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    if (*lines[i] != '\0' && *lines[i] != '#' && !g_str_has_prefix (lines[i], "include"))
      g_string_append_printf (text, "%s\n", lines[i]);
}

/* Where linkers look: one file instead of many. */
static char *
read_libraries (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GDir) folder = g_dir_open (LIBRARIES_FOLDER, 0, NULL);
  const char *name;

  append_libraries (text, LIBRARIES);
  while (folder != NULL && (name = g_dir_read_name (folder)) != NULL)
    {
      g_autofree char *path = g_build_filename (LIBRARIES_FOLDER, name, NULL);

      append_libraries (text, path);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* What is written there counts once it is in the cache, so it is read again when that is another one. */
static const char *
get_libraries (void)
{
  static char *libraries;
  static ino_t inode;
  static struct timespec time;
  struct stat cache = { 0 };

  stat (LIBRARIES_CACHE, &cache);
  if (libraries != NULL && cache.st_ino == inode && memcmp (&cache.st_mtim, &time, sizeof time) == 0)
    return libraries;

  g_free (libraries);
  libraries = read_libraries ();
  inode = cache.st_ino;
  time = cache.st_mtim;
  return libraries;
}

static void
add_libraries (GPtrArray *argv, GArray *fds)
{
  const char *text = get_libraries ();
  const gssize length = (gssize) strlen (text);
  int fd = memfd_create ("beckon-libraries", MFD_CLOEXEC);

  if (fd < 0)
    return;
  if (write (fd, text, (gsize) length) == length && lseek (fd, 0, SEEK_SET) == 0)
    give_file (argv, fds, fd, LIBRARIES);
  else
    close (fd);
}

static void
add_copies (GPtrArray *argv, GArray *fds)
{
  for (guint i = 0; i < G_N_ELEMENTS (copied); i++)
    add_copy (argv, fds, copied[i]);
  add_libraries (argv, fds);
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
begin_argv (const char *bwrap, const BeckonSandboxOptions *options, GArray *fds)
{
  GPtrArray *all = g_ptr_array_new_with_free_func (g_free);

  add (all, bwrap, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (bare); i++)
    add (all, bare[i], NULL);
  add_environment (all);
  add_root_folders (all);
  add_each (all, readable, G_N_ELEMENTS (readable));
  add_terminals (all);
  add_copies (all, fds);
  if (options->network)
    {
      add (all, "--share-net", NULL);
      add_each (all, readable_for_network, G_N_ELEMENTS (readable_for_network));
    }
  return all;
}

static void
end_argv (GPtrArray *all, GArray *fds, const BeckonSandboxOptions *options, BeckonSandboxGuard *guard,
          BeckonSandboxGate *gate, const char *const *argv)
{
  add (all, "--bind", options->folder, options->folder, NULL);
  beckon_sandbox_guard_add_arguments (guard, all);
  add (all, "--remount-ro", "/", "--chdir", options->directory != NULL ? options->directory : options->folder, NULL);
  beckon_sandbox_gate_add (gate, all, fds);
  add (all, "--", NULL);
  for (guint i = 0; argv[i] != NULL; i++)
    add (all, argv[i], NULL);
  g_ptr_array_add (all, NULL);
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

/* %FALSE with @error if one of those that every command is given cannot be had. */
static gboolean
give_files (GPtrArray *argv, GArray *fds, const BeckonSandboxOptions *options, BeckonSandboxGuard *guard, GError **error)
{
  int filter = beckon_seccomp_new_filter (options->network, error);
  int ignore = filter >= 0 ? beckon_sandbox_guard_new_ignore_file (guard) : -1;

  if (filter >= 0)
    give_fd (argv, fds, "--seccomp", filter);
  if (ignore >= 0)
    give_file (argv, fds, ignore, IGNORE_FILE);
  else if (filter >= 0)
    g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE, _("There is not enough memory for a command."));

  return ignore >= 0;
}

static BeckonSandboxGate *
new_gate (const BeckonSandboxOptions *options, GError **error)
{
  const BeckonSandboxLimits limits = { beckon_sandbox_get_processes (options), beckon_sandbox_get_memory (options),
                                       beckon_sandbox_get_file_size (options) };

  return beckon_sandbox_gate_new (&limits, error);
}

/* Commands that ask something of a terminal get none, and an end of input. The environment of bubblewrap is empty: it clears
 * what it hands on, but is itself the sandbox's first process, whose /proc/1/environ can be read there. */
static int
launch (GPtrArray *argv, GArray *fds, BeckonSandboxGate *gate, GInputStream **output, GError **error)
{
  BeckonLaunch start = { (const char *const *) argv->pdata, fds, -1, beckon_sandbox_gate_watch, gate };
  int ends[2];
  int pid;

  if (pipe2 (ends, O_CLOEXEC) != 0)
    {
      g_set_error (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE, _("A command cannot be started: %s"), g_strerror (errno));
      return 0;
    }

  *output = g_unix_input_stream_new (ends[0], TRUE);
  start.output = ends[1];
  pid = beckon_launch (&start, error);
  close (ends[1]);
  return pid;
}

static void
close_fd (gpointer fd)
{
  close (*(int *) fd);
}

/* Closed with the array. */
static GArray *
new_fds (void)
{
  GArray *fds = g_array_new (FALSE, FALSE, sizeof (int));

  g_array_set_clear_func (fds, close_fd);
  return fds;
}

static BeckonJob *
start (const char *bwrap, const char *const *argv, const BeckonSandboxOptions *options, BeckonSandboxGuard *guard,
       GError **error)
{
  g_autoptr (GArray) fds = new_fds ();
  g_autoptr (GPtrArray) all = begin_argv (bwrap, options, fds);
  g_autoptr (BeckonSandboxGate) gate = NULL;
  g_autoptr (GInputStream) output = NULL;
  BeckonJob *job;
  int pid;

  if (!give_files (all, fds, options, guard, error) || (gate = new_gate (options, error)) == NULL)
    return NULL;
  end_argv (all, fds, options, guard, gate, argv);
  pid = launch (all, fds, gate, &output, error);
  if (pid == 0)
    return NULL;

  job = beckon_job_new (pid, output, beckon_sandbox_get_processes (options) + OWN_PROCESSES,
                        beckon_sandbox_get_memory (options));
  beckon_sandbox_gate_attach (g_steal_pointer (&gate), job, (GDestroyNotify) beckon_sandbox_guard_free, guard);
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
  if (guard != NULL && options->is_temporary)
    beckon_sandbox_guard_take_folder (guard, options->folder);
  job = guard != NULL ? start (bwrap, argv, options, guard, error) : NULL;
  if (job != NULL)
    g_steal_pointer (&guard);
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

void
beckon_sandbox_probe_async (GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  static const char *const argv[] = { "true", NULL };
  g_autofree char *folder = NULL;
  BeckonSandboxOptions options = { .is_temporary = TRUE };
  GError *error = NULL;
  g_autoptr (BeckonJob) job = NULL;

  g_task_set_source_tag (task, beckon_sandbox_probe_async);
  folder = make_folder (&error);
  options.folder = folder;
  job = folder != NULL ? beckon_sandbox_start (argv, &options, &error) : NULL;
  if (job == NULL)
    {
      if (folder != NULL)
        g_rmdir (folder);
      g_task_return_error (task, error);
      return;
    }

  beckon_job_wait_async (job, cancellable, on_probed, g_steal_pointer (&task));
}

gboolean
beckon_sandbox_probe_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, beckon_sandbox_probe_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}
