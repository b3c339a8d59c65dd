/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE

#include "beckon-config.h"

#include "beckon-start-barrier.h"

#include "base/beckon-error.h"
#include "base/beckon-origin.h"
#include "beckon-sandbox.h"
#include "beckon-process-tree.h"
#include "beckon-sandbox-listener.h"
#include "beckon-sandbox-proxy.h"
#include "beckon-sandbox-scope.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Bubblewrap's info is one small object. */
#define MAX_INFO 4096

/* Services of this computer that a sandbox is shown. */
#define MAX_SERVICES 128

/* Commands give way to this program and the desktop, and are killed first without memory. */
#define NICE 10
#define OOM_SCORE "500"

/* How long the end of this program waits for that of a sandbox. */
#define EXIT_MS 1000

struct _BeckonStartBarrier
{
  guint n_processes;
  guint64 file_bytes;
  BeckonSandboxScope *scope; /* (nullable) */
  GCancellable *asking;      /* (nullable): for a scope */
  gboolean has_proxy;
  char **hosts; /* (nullable) */
  BeckonSandboxProxyReach reach;
  BeckonSandboxProxy *proxy; /* (nullable) */

  /* Those of bubblewrap are ours until they are given away; -1 when closed. */
  int info;
  int info_of_child;
  int block;
  int block_of_child;

  /* The end of what is written is the end of this program, which alone has that, or of the job: then the process group is
   * killed, and the sandbox's first process. */
  int watched;
  int alive;

  /* The first process of the sandbox, with which all others end; -1 while it is not known. */
  int first;
  int first_pid;
  GDestroyNotify function; /* (nullable) */
  gpointer data;

  BeckonJob *job; /* (unowned): it frees the barrier */
  guint source;
  guint last; /* while the job is held until all processes are gone */
  GString *said;
};

/* Those whose jobs have not ended. */
static GPtrArray *attached;

static void
barrier_close_fd (int *fd)
{
  if (*fd >= 0)
    close (*fd);
  *fd = -1;
}

void
beckon_start_barrier_free (BeckonStartBarrier *barrier)
{
  if (barrier == NULL)
    return;

  if (barrier->job != NULL)
    g_ptr_array_remove_fast (attached, barrier);
  g_clear_handle_id (&barrier->source, g_source_remove);
  g_clear_handle_id (&barrier->last, g_source_remove);
  if (barrier->asking != NULL)
    g_cancellable_cancel (barrier->asking);
  g_clear_object (&barrier->asking);
  if (barrier->scope != NULL && beckon_sandbox_scope_was_full (barrier->scope))
    beckon_job_exceed (barrier->job, BECKON_JOB_LIMIT_MEMORY);
  g_clear_pointer (&barrier->scope, beckon_sandbox_scope_free);
  if (barrier->proxy != NULL)
    {
      g_autofree char *refusals = beckon_sandbox_proxy_dup_refusals (barrier->proxy);

      /* The model cannot know otherwise why nothing was reached. */
      if (refusals != NULL)
        beckon_job_set_remark (barrier->job, g_strdup_printf ("[Not reached through the network proxy:\n%s]", refusals));
      else if (beckon_sandbox_proxy_get_n_connections (barrier->proxy) == 0 && beckon_job_get_status (barrier->job) != 0)
        beckon_job_set_remark (
            barrier->job,
            g_strdup (barrier->reach == BECKON_SANDBOX_PROXY_PRIVATE
                          ? "[Nothing was reached. local_network alone leads to TCP services of this computer that "
                            "listened when the command began, and by HTTP_PROXY to the local network; with network "
                            "as well, everything is reached.]"
                          : "[Nothing used the network proxy, which is the only way out: programs have to take it "
                            "from HTTP_PROXY and HTTPS_PROXY.]"));
    }
  g_clear_pointer (&barrier->proxy, beckon_sandbox_proxy_free);
  g_strfreev (barrier->hosts);
  if (barrier->function != NULL)
    barrier->function (barrier->data);
  barrier_close_fd (&barrier->info);
  barrier_close_fd (&barrier->info_of_child);
  barrier_close_fd (&barrier->block);
  barrier_close_fd (&barrier->block_of_child);
  barrier_close_fd (&barrier->watched);
  barrier_close_fd (&barrier->alive);
  if (barrier->job != NULL)
    beckon_job_set_first (barrier->job, -1);
  barrier_close_fd (&barrier->first);
  g_string_free (barrier->said, TRUE);
  g_free (barrier);
}

/* A pipe whose one descriptor is both its ends: bubblewrap would take its end for a permission, so it holds the writing end
 * itself, and this program the reading one, so that writing to who is gone is no signal. */
static int
open_both_ways (void)
{
  int ends[2];
  g_autofree char *path = NULL;
  int fd;

  if (pipe2 (ends, O_CLOEXEC) != 0)
    return -1;

  path = g_strdup_printf ("/proc/self/fd/%d", ends[0]);
  fd = open (path, O_RDWR | O_CLOEXEC);
  close (ends[0]);
  close (ends[1]);
  return fd;
}

static gboolean
open_pipes (BeckonStartBarrier *self)
{
  int info[2];
  int watched[2];

  if (pipe2 (info, O_CLOEXEC) != 0)
    return FALSE;
  self->info = info[0];
  self->info_of_child = info[1];
  if (pipe2 (watched, O_CLOEXEC) != 0)
    return FALSE;
  self->watched = watched[0];
  self->alive = watched[1];
  self->block = open_both_ways ();
  self->block_of_child = self->block >= 0 ? fcntl (self->block, F_DUPFD_CLOEXEC, 0) : -1;
  return self->block_of_child >= 0 && g_unix_set_fd_nonblocking (self->info, TRUE, NULL);
}

BeckonStartBarrier *
beckon_start_barrier_new (guint n_processes, guint64 file_bytes, GError **error)
{
  g_autoptr (BeckonStartBarrier) self = g_new0 (BeckonStartBarrier, 1);

  self->n_processes = n_processes;
  self->file_bytes = file_bytes;
  self->said = g_string_new (NULL);
  self->info = self->info_of_child = self->block = self->block_of_child = -1;
  self->watched = self->alive = self->first = -1;
  if (open_pipes (self))
    return g_steal_pointer (&self);

  g_set_error (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE, "A command cannot be started: %s", beckon_errno_describe (errno));
  return NULL;
}

void
beckon_start_barrier_set_proxy (BeckonStartBarrier *barrier, const char *const *hosts, BeckonSandboxProxyReach reach)
{
  barrier->has_proxy = TRUE;
  barrier->hosts = g_strdupv ((char **) hosts);
  barrier->reach = reach;
}

int
beckon_start_barrier_get_watched (BeckonStartBarrier *barrier)
{
  return barrier->watched;
}

void
beckon_start_barrier_add (BeckonStartBarrier *barrier, GString *arguments, GArray *fds)
{
  beckon_bwrap_add_fd (arguments, fds, "--info-fd", g_steal_fd (&barrier->info_of_child));
  beckon_bwrap_add_fd (arguments, fds, "--block-fd", g_steal_fd (&barrier->block_of_child));
}

/* The only member that is looked for, whatever else there is. */
static int
find_child (const char *said)
{
  const char *member = strstr (said, "\"child-pid\":");
  gint64 pid = member != NULL ? g_ascii_strtoll (member + strlen ("\"child-pid\":"), NULL, 10) : 0;

  return pid > 1 && pid <= G_MAXINT ? (int) pid : 0;
}

static gboolean
limit_one (int pid, __rlimit_resource_t resource, guint64 most)
{
  const struct rlimit both = { most, most };

  return prlimit (pid, resource, &both, NULL) == 0;
}

static gboolean
limit (BeckonStartBarrier *self, int pid)
{
  return limit_one (pid, RLIMIT_NPROC, self->n_processes) && limit_one (pid, RLIMIT_FSIZE, self->file_bytes)
         && limit_one (pid, RLIMIT_CORE, 0);
}

static void
barrier_refuse (BeckonStartBarrier *self)
{
  g_autofree char *text = g_strdup_printf ("What a command may use cannot be limited (%s), so nothing was run.\n",
                                           beckon_errno_describe (errno));

  beckon_output_append (beckon_job_get_output (self->job), text, strlen (text));
  beckon_job_kill (self->job);
}

static void
open_barrier (BeckonStartBarrier *self)
{
  if (write (self->alive, &self->first_pid, sizeof self->first_pid) != sizeof self->first_pid
      || write (self->block, "x", 1) != 1)
    barrier_refuse (self);
}

/* Without a scope, the command's use is watched. */
static void
on_scope (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonStartBarrier *self = user_data;
  g_autoptr (GError) error = NULL;
  BeckonSandboxScope *scope = beckon_sandbox_scope_new_finish (result, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;

  g_clear_object (&self->asking);
  self->scope = scope;
  if (scope != NULL)
    {
      beckon_job_set_is_held (self->job);
      beckon_sandbox_scope_watch (scope, self->job);
      open_barrier (self);
    }
  else if (beckon_process_tree_is_possible ())
    open_barrier (self);
  else
    {
      errno = ENOSYS;
      barrier_refuse (self);
    }
}

/* Ports at which this computer's services listen now, for itself at least. */
static void
add_listening (GArray *ports, const char *path)
{
  static const char *const addresses[]
      = { "0100007F", "00000000", "00000000000000000000000000000000", "00000000000000000000000001000000", NULL };
  g_autofree char *table = NULL;
  g_auto (GStrv) lines = NULL;

  if (!g_file_get_contents (path, &table, NULL, NULL))
    return;
  lines = g_strsplit (table, "\n", -1);
  for (guint i = 1; lines[i] != NULL && ports->len < MAX_SERVICES; i++)
    {
      char address[33] = "";
      guint port = 0, state = 0;

      if (sscanf (lines[i], " %*u: %32[0-9A-F]:%x %*[0-9A-F]:%*x %x", address, &port, &state) == 3 && state == TCP_LISTEN
          && g_strv_contains (addresses, address))
        g_array_append_val (ports, port);
    }
}

/* This computer's services are where they are outside, whatever they speak: those that are listed, or all. */
static void
add_services (BeckonStartBarrier *self, int pid)
{
  g_autoptr (GArray) ports = g_array_new (FALSE, FALSE, sizeof (guint));
  gboolean is_any = self->hosts == NULL;

  for (guint i = 0; self->hosts != NULL && self->hosts[i] != NULL; i++)
    {
      guint port;
      g_autofree char *host = beckon_sandbox_proxy_split_host (self->hosts[i], &port);

      if (!beckon_host_is_loopback (host))
        continue;
      is_any = is_any || port == 0;
      if (port > 0)
        g_array_append_val (ports, port);
    }
  if (is_any)
    {
      add_listening (ports, "/proc/self/net/tcp");
      add_listening (ports, "/proc/self/net/tcp6");
    }
  for (guint i = 0; i < ports->len; i++)
    {
      guint16 port = (guint16) g_array_index (ports, guint, i);
      /* A port that is listed twice, or is the proxy's, is taken already. */
      g_autoptr (GSocket) socket = beckon_sandbox_listener_new (pid, port, NULL);

      if (socket != NULL)
        beckon_sandbox_proxy_add_service (self->proxy, socket, port);
    }
}

/* Before anything of the command could look for it. */
static gboolean
begin_proxy (BeckonStartBarrier *self, int pid)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GSocket) socket = NULL;

  if (!self->has_proxy)
    return TRUE;

  socket = beckon_sandbox_listener_new (pid, BECKON_SANDBOX_PROXY_PORT, &error);
  if (socket == NULL)
    {
      g_autofree char *text = g_strdup_printf ("%s\n", error->message);

      beckon_output_append (beckon_job_get_output (self->job), text, strlen (text));
      return FALSE;
    }

  self->proxy = beckon_sandbox_proxy_new (socket, (const char *const *) self->hosts, self->reach);
  if (self->reach != BECKON_SANDBOX_PROXY_PUBLIC)
    add_services (self, pid);
  return TRUE;
}

/* The kernel has ended all others when it lets the first one go. The barrier may be freed here. */
static gboolean
on_all_gone (int fd, GIOCondition condition, gpointer user_data)
{
  BeckonStartBarrier *self = user_data;

  self->last = 0;
  beckon_job_release (self->job);
  return G_SOURCE_REMOVE;
}

/* The end comes when all is said, or when bubblewrap failed, which says why itself. */
static gboolean
on_info (int fd, GIOCondition condition, gpointer user_data)
{
  BeckonStartBarrier *self = user_data;
  char buffer[512];
  gssize length = read (fd, buffer, sizeof buffer);
  int pid;

  if (length < 0 && (errno == EAGAIN || errno == EINTR))
    return G_SOURCE_CONTINUE;
  if (length > 0 && self->said->len + (gsize) length <= MAX_INFO)
    g_string_append_len (self->said, buffer, length);
  if (length > 0 && strchr (self->said->str, '}') == NULL && self->said->len < MAX_INFO)
    return G_SOURCE_CONTINUE;

  self->source = 0;
  if (self->said->len == 0)
    return G_SOURCE_REMOVE;
  errno = ESRCH;
  pid = find_child (self->said->str);
  if (pid > 0)
    self->first = (int) syscall (SYS_pidfd_open, pid, 0U);
  self->first_pid = pid;
  beckon_job_set_first (self->job, self->first);
  if (self->first >= 0)
    {
      beckon_job_hold (self->job);
      self->last = g_unix_fd_add (self->first, G_IO_IN, on_all_gone, self);
    }
  if (self->first >= 0 && limit (self, pid) && begin_proxy (self, pid))
    {
      g_autofree char *path = g_strdup_printf ("/proc/%d/oom_score_adj", pid);
      int oom = open (path, O_WRONLY | O_CLOEXEC);

      /* The administrator is no exception to what is asked for here. */
      setpriority (PRIO_PROCESS, (id_t) pid, NICE);
      if (oom >= 0)
        {
          if (write (oom, OOM_SCORE, strlen (OOM_SCORE)) < 0)
            g_debug ("a command is not the first to go without memory: %s", g_strerror (errno));
          close (oom);
        }
      self->asking = g_cancellable_new ();
      beckon_sandbox_scope_new_async (pid, beckon_job_get_limits (self->job), self->asking, on_scope, self);
    }
  else
    barrier_refuse (self);
  return G_SOURCE_REMOVE;
}

static void
wait_for_first (BeckonStartBarrier *self)
{
  struct pollfd fd = { .fd = self->first, .events = POLLIN };

  if (self->first >= 0)
    poll (&fd, 1, EXIT_MS);
}

/* At the end of this program no job hears of its own end any more, and what is to be done behind it would never be done. */
static void
end_all (void)
{
  while (attached->len > 0)
    {
      BeckonStartBarrier *barrier = g_ptr_array_index (attached, attached->len - 1);

      beckon_job_kill (barrier->job);
      wait_for_first (barrier);
      beckon_start_barrier_free (barrier);
    }
  g_clear_pointer (&attached, g_ptr_array_unref);
}

void
beckon_start_barrier_attach (BeckonStartBarrier *barrier, BeckonJob *job, GDestroyNotify function, gpointer data)
{
  if (attached == NULL)
    {
      attached = g_ptr_array_new ();
      atexit (end_all);
    }
  g_ptr_array_add (attached, barrier);
  barrier->job = job;
  barrier->function = function;
  barrier->data = data;
  barrier->source = g_unix_fd_add_full (G_PRIORITY_HIGH, barrier->info, G_IO_IN | G_IO_HUP | G_IO_ERR, on_info, barrier, NULL);
  beckon_job_add_cleanup (job, (GDestroyNotify) beckon_start_barrier_free, barrier);
}
