/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE

#include "beckon-sandbox.h"

#include "base/beckon-error.h"
#include "base/beckon-finish.h"
#include "base/beckon-path.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-worker.h"
#include "beckon-config.h"
#include "beckon-etc-lists.h"
#include "beckon-launch.h"
#include "beckon-protected-paths.h"
#include "beckon-sandbox-etc.h"
#include "beckon-sandbox-portal.h"
#include "beckon-sandbox-proxy.h"
#include "beckon-sandbox-variables.h"
#include "beckon-sandbox-view.h"
#include "beckon-seccomp.h"
#include "beckon-start-barrier.h"
#include "git/beckon-git-person.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gunixinputstream.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <linux/openat2.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define GIB (UINT64_C (1024) * 1024 * 1024)
#define LEAST_MEMORY (4 * GIB)
#define DEFAULT_FILE (4 * GIB)
#define DEFAULT_WRITTEN (64 * GIB)
#define DEFAULT_PROCESSES 512

/* Those of bubblewrap itself, and what the watching may see twice. */
#define OWN_PROCESSES 16

#define PROXY_HOST "127.0.0.1"
#define PROXY_PORT G_STRINGIFY (BECKON_SANDBOX_PROXY_PORT)

/* A path of its own. */
#define IGNORE_FILE "/var/beckon-gitignore"

/* Folders of the computer that are shown whole, where they are, to be read: no others. The first is among what every command
 * has. */
static const char *const readable[] = { "/usr", "/opt", "/nix/store", "/gnu/store" };

static const char *const bare[] = {
  "--unshare-all", "--unshare-user", "--cap-drop", "ALL",   "--new-session", "--die-with-parent", "--clearenv",
  "--hostname",    "sandbox",        "--ro-bind",  "/usr",  "/usr",          "--proc",            "/proc",
  "--dev",         "/dev",           "--dir",      "/run",  "--setenv",      "PATH",
  "/usr/local/bin:/usr/bin:/bin",
};

gboolean
beckon_sandbox_shows_of_system (const char *path)
{
  for (guint i = 0; i < G_N_ELEMENTS (readable); i++)
    if (beckon_path_is_within (path, readable[i]) && strcmp (path, readable[i]) != 0)
      return TRUE;

  return FALSE;
}

/* On most systems they are links into /usr by now; elsewhere folders of their own. */
static void
add_root_folders (GString *arguments)
{
  static const char *const folders[] = { "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32" };

  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    {
      g_autofree char *target = g_file_read_link (folders[i], NULL);

      if (target != NULL)
        beckon_bwrap_add (arguments, "--symlink", target, folders[i], NULL);
      else
        beckon_bwrap_add (arguments, "--ro-bind-try", folders[i], folders[i], NULL);
    }
}

static void
add_variable (const char *name, const char *value, gpointer arguments)
{
  beckon_bwrap_add (arguments, "--setenv", name, value, NULL);
}

/* Half of what there is leaves the desktop enough to go on. */
static guint64
get_default_memory (void)
{
  guint64 physical = (guint64) MAX (sysconf (_SC_PHYS_PAGES), 0) * (guint64) sysconf (_SC_PAGESIZE);

  return MAX (LEAST_MEMORY, physical / 2);
}

guint64
beckon_sandbox_get_file_size (const BeckonSandboxOptions *options)
{
  return options->file_bytes > 0 ? options->file_bytes : DEFAULT_FILE;
}

void
beckon_sandbox_get_limits (const BeckonSandboxOptions *options, BeckonJobLimits *limits)
{
  limits->n_processes = options->n_processes > 0 ? options->n_processes : DEFAULT_PROCESSES;
  limits->memory_bytes = options->memory_bytes > 0 ? options->memory_bytes : get_default_memory ();
  limits->written_bytes = options->written_bytes > 0 ? options->written_bytes : DEFAULT_WRITTEN;
}

static gboolean
uses_network (const BeckonSandboxOptions *options)
{
  return options->network || options->local_network;
}

gboolean
beckon_sandbox_shares_network (const BeckonSandboxOptions *options)
{
  return options->network && options->local_network && options->hosts == NULL;
}

static BeckonSandboxProxyReach
get_proxy_reach (const BeckonSandboxOptions *options)
{
  if (!options->local_network)
    return BECKON_SANDBOX_PROXY_PUBLIC;
  return options->network || options->hosts != NULL ? BECKON_SANDBOX_PROXY_ALL : BECKON_SANDBOX_PROXY_PRIVATE;
}

/* A command with a view of its own, or that changes nothing, is kept from nothing by placeholders. */
static gboolean
lays_protected (const BeckonSandboxOptions *options)
{
  return options->place == NULL && !options->is_read_only;
}

BeckonSeccompReach
beckon_sandbox_get_reach (const BeckonSandboxOptions *options)
{
  if (lays_protected (options))
    return BECKON_SECCOMP_REACH_FOLDER;
  return options->place == NULL || beckon_sandbox_shares_network (options) ? BECKON_SECCOMP_REACH_SOCKETS
                                                                           : BECKON_SECCOMP_REACH_NOTHING;
}

/* Sets variables for the proxy. Commands' own servers, and this computer's, are reached without. */
static void
add_proxy (GString *arguments)
{
  static const char *const names[]
      = { "http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "CARGO_HTTP_PROXY" };
  static const char java[] = "-Dhttp.proxyHost=" PROXY_HOST " -Dhttp.proxyPort=" PROXY_PORT " -Dhttps.proxyHost=" PROXY_HOST
                             " -Dhttps.proxyPort=" PROXY_PORT;
  static const char direct[] = "localhost,127.0.0.1,::1";

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    beckon_bwrap_add (arguments, "--setenv", names[i], "http://" PROXY_HOST ":" PROXY_PORT, NULL);
  beckon_bwrap_add (arguments, "--setenv", "no_proxy", direct, "--setenv", "NO_PROXY", direct, "--setenv", "MAVEN_OPTS", java,
                    "--setenv", "GRADLE_OPTS", java, "--setenv", "NODE_USE_ENV_PROXY", "1", NULL);
}

/* (transfer full) (nullable): the first folder on the way from /tmp to a folder deeper in it. A command has a /tmp of its own:
 * what it wrote beside its folder would be lost unseen. Elsewhere nothing around a folder can be written. */
static char *
dup_around (const BeckonSandboxOptions *options)
{
  const char *rest = beckon_path_relate (options->folder, "/tmp");
  const char *slash = rest != NULL ? strchr (rest, '/') : NULL;

  return slash != NULL && !beckon_path_is_within (rest, "home") ? g_strndup (options->folder, (gsize) (slash - options->folder))
                                                                : NULL;
}

static void
begin_arguments (GString *arguments, GArray *fds, const BeckonSandboxOptions *options, gboolean commits)
{
  g_autofree char *around = dup_around (options);
  BeckonJobLimits limits;
  g_autofree char *size = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (bare); i++)
    beckon_bwrap_add (arguments, bare[i], NULL);
  beckon_sandbox_variables_foreach ("/tmp/home", lays_protected (options) ? IGNORE_FILE : NULL, add_variable, arguments);
  add_variable ("GIT_CONFIG_SYSTEM", BECKON_ETC_GIT, arguments);
  beckon_sandbox_get_limits (options, &limits);
  /* Each holds half of the memory at the most: what is in them is memory. The folder of devices is one by itself, without a
   * size, so nothing is written there. */
  size = g_strdup_printf ("%" G_GUINT64_FORMAT, MAX (limits.memory_bytes / 2, 1));
  if (options->temporary != NULL)
    beckon_bwrap_add (arguments, "--bind", options->temporary, "/tmp", NULL);
  else
    beckon_bwrap_add (arguments, "--size", size, "--tmpfs", "/tmp", "--dir", "/tmp/home", NULL);
  beckon_bwrap_add (arguments, "--perms", "1777", "--size", size, "--tmpfs", "/dev/shm", "--remount-ro", "/dev", NULL);
  if (around != NULL)
    beckon_bwrap_add (arguments, "--tmpfs", around, NULL);

  /* A folder in there could not be mounted behind a link. */
  if (beckon_path_is_within (options->folder, "/var/tmp"))
    beckon_bwrap_add (arguments, "--dir", "/var/tmp", NULL);
  else
    beckon_bwrap_add (arguments, "--symlink", "/tmp", "/var/tmp", NULL);
  /* To the kernel who is root here is root there too, whatever was dropped: what it is told in /proc/sys holds for the whole
   * computer. No other user may write there. */
  if (geteuid () == 0)
    beckon_bwrap_add (arguments, "--remount-ro", "/proc", NULL);
  add_root_folders (arguments);
  for (guint i = 1; i < G_N_ELEMENTS (readable); i++)
    beckon_bwrap_add (arguments, "--ro-bind-try", readable[i], readable[i], NULL);
  beckon_sandbox_etc_add (arguments, fds, uses_network (options));
  if (beckon_sandbox_shares_network (options) || options->loopback != 0)
    beckon_bwrap_add (arguments, "--share-net", NULL);
  else if (uses_network (options))
    add_proxy (arguments);
  if (options->tool_chains != NULL)
    beckon_tool_chain_view_add_arguments (options->tool_chains, arguments);
  for (guint i = 0; options->shown != NULL && options->shown[i] != NULL; i++)
    beckon_bwrap_add (arguments, "--ro-bind-try", options->shown[i], options->shown[i], NULL);
  for (guint i = commits; options->git != NULL && options->git->paths[i] != NULL; i++)
    beckon_bwrap_add (arguments, "--ro-bind", options->git->paths[i], options->git->paths[i], NULL);
  /* The folder is mounted by itself in the work tree that it is a part of. */
  if (options->git != NULL)
    add_variable ("GIT_DISCOVERY_ACROSS_FILESYSTEM", "1", arguments);
  for (guint i = 0; options->variables != NULL && options->variables[i] != NULL && options->variables[i + 1] != NULL; i += 2)
    add_variable (options->variables[i], options->variables[i + 1], arguments);
}

static gboolean
end_arguments (GString *arguments, const BeckonSandboxOptions *options, GError **error)
{
  const char *directory = options->directory != NULL ? options->directory : options->folder;
  g_autofree char *around = dup_around (options);
  GPtrArray *pipes;

  if (options->denied != NULL
      && !beckon_denied_view_add_arguments (options->denied, options->place != NULL ? options->folder : NULL, arguments, error))
    return FALSE;
  /* Behind whatever else makes them visible, and not in folders that are hidden themselves. */
  pipes = options->guarded != NULL ? options->guarded->pipes : NULL;
  for (guint i = 0; pipes != NULL && i < pipes->len; i++)
    {
      const char *path = g_ptr_array_index (pipes, i);

      if (options->denied == NULL || !beckon_denied_view_has (options->denied, path, FALSE))
        beckon_bwrap_add (arguments, "--ro-bind", "/dev/null", path, NULL);
    }
  if (around != NULL)
    beckon_bwrap_add (arguments, "--remount-ro", around, NULL);
  beckon_bwrap_add (arguments, "--remount-ro", "/", "--chdir", directory, NULL);
  return TRUE;
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
  if (directory != NULL && strcmp (directory, options->directory) == 0 && beckon_path_is_within (directory, options->folder))
    return TRUE;

  g_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID, "“%s” is not a folder within the working folder.",
               options->directory);
  return FALSE;
}

/* Every request to a model asks for it, on the main loop. Should it go later, commands fail and say so. */
char *
beckon_sandbox_find_program (void)
{
  static char *searched;
  static char *found;
  const char *path = g_getenv ("PATH");

  if (found != NULL && g_strcmp0 (path, searched) == 0)
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
                         N_("Commands are off: bubblewrap, which keeps them away from the rest of the computer, is not "
                            "installed. Install the package “bubblewrap”."));

  return bwrap;
}

static gboolean
cannot_start (GError **error)
{
  const int problem = errno;

  g_set_error (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE, "A command cannot be started: %s",
               beckon_errno_describe (problem));
  return FALSE;
}

static void
sandbox_close_fd (gpointer fd)
{
  close (*(int *) fd);
}

/* A command being started. */
typedef struct
{
  char **argv;
  const BeckonSandboxOptions *options;
  char *bwrap; /* (nullable): none in a Flatpak, whose portal starts it */
  BeckonProtectedPaths *protected; /* (nullable): none where the command has a view of its own, or changes nothing */
  GString *arguments;
  GArray *fds; /* (element-type int): those that bubblewrap is given */
  BeckonStartBarrier *barrier;
  GInputStream *output;
  gboolean has_overlay;
  gboolean commits; /* there is one of a Git directory, too */
  int view; /* borrowed: whose number stands for the overlay in bubblewrap; -1 for none */
  int git_view;
} Start;

static void
start_free (gpointer data)
{
  Start *start = data;

  g_strfreev (start->argv);
  g_free (start->bwrap);
  beckon_protected_paths_free (start->protected);
  g_string_free (start->arguments, TRUE);
  g_array_unref (start->fds);
  g_clear_pointer (&start->barrier, beckon_start_barrier_free);
  g_clear_object (&start->output);
  g_free (start);
}

/* Bubblewrap closes what it was told of, and hands on everything else. */
static gboolean
add_data (Start *start, const char *option, const char *path, const char *data, gsize length, GError **error)
{
  int fd = memfd_create ("beckon-data", MFD_CLOEXEC);

  if (fd < 0)
    return cannot_start (error);
  beckon_bwrap_add (start->arguments, "--perms", "0444", NULL);
  beckon_bwrap_add_fd (start->arguments, start->fds, option, fd);
  beckon_bwrap_add (start->arguments, path, NULL);
  return pwrite (fd, data, length, 0) == (gssize) length || cannot_start (error);
}

/* The person's name is where Git looks for the computer's configuration, so that a command may set another one. */
static gboolean
add_git (Start *start, GError **error)
{
  const BeckonGitElsewhere *git = start->options->git;
  g_autofree char *ignored = NULL;
  g_autofree char *config = NULL;
  g_autofree char *laid = start->protected != NULL && beckon_protected_paths_is_in_repository (start->protected)
                            ? beckon_protected_paths_dup_ignored (start->protected, git != NULL ? git->work_tree : NULL)
                            : NULL;
  g_autofree char *whole = NULL;
  gsize length = 0;
  const char *index = git != NULL && git->index != NULL && !start->commits ? g_bytes_get_data (git->index, &length) : NULL;

  /* A program may end while it still tries whether there can be a sandbox: the libraries below libgit2 don't outlive that. */
  if (start->options->is_temporary)
    return TRUE;
  config = beckon_git_person_dup_config (start->options->folder, IGNORE_FILE, &ignored);
  whole = g_strconcat (laid != NULL ? laid : "", ignored, NULL);
  return add_data (start, "--file", BECKON_ETC_GIT, config, strlen (config), error)
         && (*whole == '\0' || add_data (start, "--file", IGNORE_FILE, whole, strlen (whole), error))
         && (index == NULL || add_data (start, "--ro-bind-data", git->index_file, index, length, error));
}

static int
open_without_links (const char *path, guint64 flags)
{
  struct open_how how = { .flags = O_PATH | O_CLOEXEC | flags, .resolve = RESOLVE_NO_SYMLINKS };

  return (int) syscall (SYS_openat2, AT_FDCWD, path, &how, sizeof how);
}

/* A command that has a folder around this one could put a link in its place, to anywhere, before it is bound. */
static gboolean
bind_folder (Start *start, const char *folder, GError **error)
{
  gboolean is_read_only = start->options->is_read_only;
  int fd;

  if (!beckon_bwrap_binds_descriptors (start->bwrap))
    {
      beckon_bwrap_add (start->arguments, is_read_only ? "--ro-bind" : "--bind", folder, folder, NULL);
      return TRUE;
    }

  fd = open_without_links (folder, O_DIRECTORY);
  if (fd < 0)
    return cannot_start (error);
  beckon_bwrap_add_fd (start->arguments, start->fds, is_read_only ? "--ro-bind-fd" : "--bind-fd", fd);
  beckon_bwrap_add (start->arguments, folder, NULL);
  return TRUE;
}

/* The number is the view's when that is mounted, which bubblewrap itself finds under the folder's path. */
static gboolean
bind_overlay (Start *start, const char *folder, int *view, GError **error)
{
  if (!bind_folder (start, folder, error))
    return FALSE;
  if (beckon_bwrap_binds_descriptors (start->bwrap))
    *view = g_array_index (start->fds, int, start->fds->len - 1);
  return TRUE;
}

static gboolean
bind_view (Start *start, GError **error)
{
  const char *place = start->options->place;
  g_autofree char *copy = place != NULL ? g_build_filename (place, "copy", NULL) : NULL;

  if (copy != NULL && g_file_test (copy, G_FILE_TEST_IS_DIR))
    {
      int fd;

      /* Under the folder's path. No command has the folder that it is in. */
      beckon_sandbox_variables_foreach_of_copy (add_variable, start->arguments);
      if (!beckon_bwrap_binds_descriptors (start->bwrap))
        {
          beckon_bwrap_add (start->arguments, "--bind", copy, start->options->folder, NULL);
          return TRUE;
        }

      fd = open (copy, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
      if (fd < 0)
        return cannot_start (error);
      beckon_bwrap_add_fd (start->arguments, start->fds, "--bind-fd", fd);
      beckon_bwrap_add (start->arguments, start->options->folder, NULL);
      return TRUE;
    }
  if (place != NULL)
    {
      start->has_overlay = TRUE;
      return (!start->commits || bind_overlay (start, start->options->git->git, &start->git_view, error))
             && bind_overlay (start, start->options->folder, &start->view, error);
    }

  return bind_folder (start, start->options->folder, error);
}

static void
add_folders (GPtrArray *folders, GPtrArray *more)
{
  for (guint i = 0; more != NULL && i < more->len; i++)
    if (!g_ptr_array_find_with_equal_func (folders, g_ptr_array_index (more, i), g_str_equal, NULL))
      g_ptr_array_add (folders, g_strdup (g_ptr_array_index (more, i)));
}

static int
sandbox_compare_paths (gconstpointer one, gconstpointer other)
{
  return strcmp (*(const char *const *) one, *(const char *const *) other);
}

/* (transfer full): each behind those that it lies in */
static GPtrArray *
list_pinned (const BeckonSandboxOptions *options)
{
  g_autoptr (GPtrArray) denied
      = options->denied != NULL ? beckon_denied_view_list_folders (options->denied, options->folder) : NULL;
  GPtrArray *folders = g_ptr_array_new_with_free_func (g_free);

  add_folders (folders, denied);
  if (options->guarded != NULL)
    add_folders (folders, options->guarded->folders);
  g_ptr_array_sort (folders, sandbox_compare_paths);
  return folders;
}

/* The folders around what is denied or guarded, before anything is mounted in them: they would cover that. In a view of its own
 * a command may move them: where it moves them to is seen before it lands. In a read-only folder nothing is moved. */
static gboolean
pin_folders (Start *start, GError **error)
{
  g_autoptr (GPtrArray) folders = lays_protected (start->options) ? list_pinned (start->options) : NULL;

  for (guint i = 0; folders != NULL && i < folders->len; i++)
    if (!bind_folder (start, g_ptr_array_index (folders, i), error))
      return FALSE;

  return TRUE;
}

/* A path that has gone meanwhile is as good as one that was never there. */
static gboolean
guard_path (Start *start, const char *path, GError **error)
{
  int fd;

  if (!beckon_bwrap_binds_descriptors (start->bwrap))
    {
      beckon_bwrap_add (start->arguments, "--ro-bind-try", path, path, NULL);
      return TRUE;
    }

  fd = open_without_links (path, 0);
  if (fd < 0)
    return errno == ENOENT || cannot_start (error);
  beckon_bwrap_add_fd (start->arguments, start->fds, "--ro-bind-fd", fd);
  beckon_bwrap_add (start->arguments, path, NULL);
  return TRUE;
}

static gboolean
guard (Start *start, GError **error)
{
  const BeckonSandboxOptions *options = start->options;
  GPtrArray *paths
      = options->guarded != NULL && !options->is_read_only ? options->guarded->paths : NULL;

  if (start->protected != NULL)
    {
      /* Go asks Git about what stands in for a repository, and builds nothing when that has no answer. */
      beckon_protected_paths_add_arguments (start->protected, start->arguments);
      if (beckon_protected_paths_get_git (start->protected) == NULL)
        beckon_bwrap_add (start->arguments, "--setenv", "GOFLAGS", "-buildvcs=false", NULL);
    }
  for (guint i = 0; paths != NULL && i < paths->len; i++)
    if (!guard_path (start, g_ptr_array_index (paths, i), error))
      return FALSE;
  return TRUE;
}

static gboolean
sandbox_prepare (Start *start, GError **error)
{
  int filter = beckon_seccomp_new_filter (beckon_sandbox_get_reach (start->options), error);
  BeckonJobLimits limits;

  if (filter < 0)
    return FALSE;
  beckon_bwrap_add_fd (start->arguments, start->fds, "--seccomp", filter);
  start->commits = start->options->git != NULL && beckon_sandbox_view_has_git (start->options->place);
  beckon_sandbox_get_limits (start->options, &limits);
  start->barrier = beckon_start_barrier_new (limits.n_processes, beckon_sandbox_get_file_size (start->options), error);
  if (start->barrier == NULL)
    return FALSE;
  if (uses_network (start->options) && !beckon_sandbox_shares_network (start->options))
    beckon_start_barrier_set_proxy (start->barrier, start->options->hosts, get_proxy_reach (start->options));
  beckon_start_barrier_add (start->barrier, start->arguments, start->fds);
  begin_arguments (start->arguments, start->fds, start->options, start->commits);
  return add_git (start, error) && bind_view (start, error) && pin_folders (start, error) && guard (start, error)
         && end_arguments (start->arguments, start->options, error);
}

/* Whole, so that bubblewrap never begins with a part of them. */
static int
open_arguments (Start *start, GError **error)
{
  const GString *arguments = start->arguments;
  int fd = memfd_create ("beckon-arguments", MFD_CLOEXEC);

  if (fd >= 0)
    g_array_append_val (start->fds, fd);
  if (fd < 0 || pwrite (fd, arguments->str, arguments->len, 0) != (gssize) arguments->len)
    {
      cannot_start (error);
      return -1;
    }

  return fd;
}

static GPtrArray *
make_argv (const Start *start, int arguments)
{
  GPtrArray *argv = g_ptr_array_new_with_free_func (g_free);

  g_ptr_array_add (argv, g_strdup (start->bwrap));
  g_ptr_array_add (argv, g_strdup ("--args"));
  g_ptr_array_add (argv, g_strdup_printf ("%d", arguments));
  g_ptr_array_add (argv, g_strdup ("--"));
  for (guint i = 0; start->argv[i] != NULL; i++)
    g_ptr_array_add (argv, g_strdup (start->argv[i]));
  g_ptr_array_add (argv, NULL);
  return argv;
}

static void
on_launched (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  int pid = beckon_launch_finish (result, &error);

  if (pid > 0)
    {
      Start *start = g_task_get_task_data (task);
      const BeckonSandboxOptions *options = start->options;
      BeckonProtectedPaths *protected = g_steal_pointer (&start->protected);
      BeckonJobLimits limits;
      BeckonJob *job;

      beckon_sandbox_get_limits (options, &limits);
      limits.n_processes += OWN_PROCESSES;
      job = beckon_job_new (pid, start->output, &limits);
      beckon_job_set_folder (job, options->place != NULL ? options->place : options->folder);
      beckon_start_barrier_attach (g_steal_pointer (&start->barrier), job,
                                   protected != NULL ? (GDestroyNotify) beckon_protected_paths_free : NULL, protected);
      g_task_return_pointer (task, job, g_object_unref);
    }
  else
    g_task_return_error (task, error);
}

/* Commands that ask something of a terminal get none, and an end of input. The environment of bubblewrap is empty: it clears
 * what it hands on, but is itself the sandbox's first process, whose /proc/1/environ can be read there. It ends with the thread
 * that started it, which is why that is the main one. */
static void
launch (GTask *task)
{
  Start *start = g_task_get_task_data (task);
  GError *error = NULL;
  int arguments = open_arguments (start, &error);
  g_autoptr (GPtrArray) argv = arguments >= 0 ? make_argv (start, arguments) : NULL;
  BeckonLaunch launch = { .fds = start->fds, .view = start->view, .git_view = start->git_view,
                          .watched = beckon_start_barrier_get_watched (start->barrier) };
  int ends[2];

  if (argv == NULL || (pipe2 (ends, O_CLOEXEC) != 0 && !cannot_start (&error)))
    {
      g_task_return_error (task, error);
      return;
    }

  start->output = g_unix_input_stream_new (ends[0], TRUE);
  launch.argv = (const char *const *) argv->pdata;
  launch.output = ends[1];
  if (start->options->streams != NULL)
    {
      launch.input = start->options->streams[0];
      launch.output = start->options->streams[1];
      launch.errors = start->options->streams[2];
    }
  launch.folder = start->has_overlay ? start->options->folder : NULL;
  launch.place = start->options->place;
  launch.git = start->commits ? start->options->git->git : NULL;
  launch.loopback = start->options->loopback;
  beckon_launch_async (&launch, on_launched, g_object_ref (task));
  close (ends[1]);
}

static gboolean
lay_protected (Start *start, GError **error)
{
  if (!lays_protected (start->options))
    return TRUE;

  start->protected = beckon_protected_paths_new (start->options->folder);
  if (start->options->guarded != NULL)
    beckon_protected_paths_keep_more (start->protected, start->options->guarded->missing);
  if (start->options->is_temporary)
    beckon_protected_paths_take_folder (start->protected);
  return beckon_protected_paths_lay (start->protected, error);
}

static void
prepare_on_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Start *start = task_data;
  GError *error = NULL;

  if (check_options (start->options, &error) && lay_protected (start, &error)
      && (start->bwrap == NULL || sandbox_prepare (start, &error)))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
on_prepared (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Start *start = g_task_get_task_data (task);
  GError *error = NULL;
  BeckonJob *job;

  if (!g_task_propagate_boolean (G_TASK (result), &error))
    g_task_return_error (task, error);
  else if (start->bwrap != NULL)
    launch (task);
  else
    {
      job = beckon_sandbox_portal_start ((const char *const *) start->argv, start->options, g_steal_pointer (&start->protected),
                                         &error);
      if (job != NULL)
        g_task_return_pointer (task, job, g_object_unref);
      else
        g_task_return_error (task, error);
    }
}

/* In a Flatpak no program is needed. */
static gboolean
find_starter (const BeckonSandboxOptions *options, char **bwrap, GError **error)
{
  *bwrap = NULL;
  if (!beckon_sandbox_portal_is_needed ())
    return (*bwrap = find_bwrap (error)) != NULL;
  if (options->streams != NULL || options->is_read_only)
    {
      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
                           N_("Within a Flatpak, no server of tools can run in a sandbox."));
      return FALSE;
    }
  /* The portal mounts nothing over a file. A copy of the folder is made without what must not be seen, and what must not be
   * changed does not land. */
  if (beckon_denied_view_is_empty (options->denied)
      || (options->place != NULL && beckon_denied_view_is_within (options->denied, options->folder)))
    return TRUE;

  g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
                       "No command runs here: one of the user's rules denies files in this folder, and within a Flatpak "
                       "they cannot be kept from a command.");
  return FALSE;
}

void
beckon_sandbox_start_async (const char *const *argv, const BeckonSandboxOptions *options, GAsyncReadyCallback callback,
                            gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, user_data);
  g_autoptr (GTask) preparing = NULL;
  GError *error = NULL;
  Start *start;
  char *bwrap;
  GArray *fds;

  g_return_if_fail (argv != NULL && argv[0] != NULL);
  g_return_if_fail (options != NULL && options->folder != NULL);
  g_return_if_fail (options->place == NULL || (!options->is_temporary && !options->is_read_only));
  g_return_if_fail (options->loopback == 0 || !uses_network (options));

  g_task_set_source_tag (task, beckon_sandbox_start_async);
  if (!find_starter (options, &bwrap, &error))
    {
      g_task_return_error (task, error);
      return;
    }

  start = g_new0 (Start, 1);
  /* Descriptors are closed with the array. */
  fds = g_array_new (FALSE, FALSE, sizeof (int));
  g_array_set_clear_func (fds, sandbox_close_fd);
  *start = (Start){ .argv = g_strdupv ((char **) argv),
                    .options = options,
                    .bwrap = bwrap,
                    .arguments = g_string_new (NULL),
                    .fds = fds,
                    .view = -1,
                    .git_view = -1 };
  g_task_set_task_data (task, start, start_free);
  preparing = g_task_new (NULL, NULL, on_prepared, g_steal_pointer (&task));
  g_task_set_source_tag (preparing, prepare_on_thread);
  g_task_set_task_data (preparing, start, NULL);
  beckon_worker_run (preparing, prepare_on_thread);
}

BECKON_FINISH_LONE_POINTER (BeckonJob *, beckon_sandbox_start)

static void
sandbox_on_probed (GObject *source, GAsyncResult *result, gpointer user_data)
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

static void
on_probe_started (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  const BeckonSandboxOptions *options = g_task_get_task_data (task);
  GError *error = NULL;
  g_autoptr (BeckonJob) job = beckon_sandbox_start_finish (result, &error);

  if (job != NULL)
    {
      beckon_job_wait_async (job, g_task_get_cancellable (task), sandbox_on_probed, g_object_ref (task));
      return;
    }
  g_rmdir (options->folder);
  g_task_return_error (task, error);
}

static void
probe_free (gpointer data)
{
  BeckonSandboxOptions *options = data;

  g_free ((char *) options->folder);
  g_free (options);
}

void
beckon_sandbox_probe_async (GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  static const char *const argv[] = { "true", NULL };
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  BeckonSandboxOptions *options = g_new0 (BeckonSandboxOptions, 1);
  GError *error = NULL;

  g_task_set_source_tag (task, beckon_sandbox_probe_async);
  g_task_set_task_data (task, options, probe_free);
  options->is_temporary = TRUE;

  /* Flatpak exposes only what lies at the same place outside, which its /tmp does not. */
  if (!beckon_sandbox_portal_is_needed ())
    options->folder = g_dir_make_tmp ("beckon-probe-XXXXXX", &error);
  else
    {
      g_autofree char *folder = g_build_filename (g_get_user_cache_dir (), "beckon-probe-XXXXXX", NULL);

      if (g_mkdtemp (folder) != NULL)
        options->folder = g_steal_pointer (&folder);
      else
        {
          beckon_text_set_error (&error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
                                 _("“%s” cannot be prepared for commands: is it writable?"), g_get_user_cache_dir ());
          options->folder = NULL;
        }
    }
  if (options->folder != NULL)
    beckon_sandbox_start_async (argv, options, on_probe_started, g_steal_pointer (&task));
  else
    g_task_return_error (task, error);
}

gboolean
beckon_sandbox_probe_finish (GAsyncResult *result, GError **error)
{
  g_autoptr (GError) problem = NULL;

  g_return_val_if_fail (g_task_is_valid (result, NULL), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, beckon_sandbox_probe_async), FALSE);

  if (g_task_propagate_boolean (G_TASK (result), &problem))
    return TRUE;
  /* A model reads why a command does not start; a person reads this. */
  g_set_error_literal (error, problem->domain, problem->code, _(problem->message));
  return FALSE;
}

/* Its program is a few dozen kilobytes; what is larger is something else. */
#define MAX_PROGRAM (4 * 1024 * 1024)

void
beckon_bwrap_add (GString *arguments, const char *first, ...)
{
  va_list words;

  va_start (words, first);
  for (const char *word = first; word != NULL; word = va_arg (words, const char *))
    g_string_append_len (arguments, word, (gssize) strlen (word) + 1);
  va_end (words);
}

void
beckon_bwrap_add_fd (GString *arguments, GArray *fds, const char *option, int fd)
{
  char number[16];

  g_snprintf (number, sizeof number, "%d", fd);
  beckon_bwrap_add (arguments, option, number, NULL);
  g_array_append_val (fds, fd);
}

void
beckon_bwrap_add_file (GString *arguments, GArray *fds, int fd, const char *path)
{
  beckon_bwrap_add (arguments, "--perms", "0444", NULL);
  beckon_bwrap_add_fd (arguments, fds, "--file", fd);
  beckon_bwrap_add (arguments, path, NULL);
}

gboolean
beckon_bwrap_binds_descriptors (const char *program)
{
  static GMutex lock;
  static char *looked_at;
  static gboolean answer;
  g_autoptr (GMutexLocker) locker = NULL;
  g_autoptr (GMappedFile) file = NULL;
  gsize length;

  g_return_val_if_fail (program != NULL, FALSE);

  locker = g_mutex_locker_new (&lock);
  if (g_strcmp0 (program, looked_at) == 0)
    return answer;

  g_free (looked_at);
  looked_at = g_strdup (program);
  file = g_mapped_file_new (program, FALSE, NULL);
  length = file != NULL ? g_mapped_file_get_length (file) : 0;
  answer = length > 0 && length <= MAX_PROGRAM
           && memmem (g_mapped_file_get_contents (file), length, "--bind-fd", strlen ("--bind-fd")) != NULL;
  return answer;
}
