/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE

#include "beckon-config.h"

#include "beckon-sandbox-gate.h"

#include "base/beckon-error.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* What bubblewrap says of itself is one small object. */
#define MAX_INFO 4096

/* Above all that is put somewhere in bubblewrap's own process. */
#define FIRST_WATCHED_FD 100
#define MAX_FDS 65536

/* The watcher calls three functions. */
#define STACK_BYTES (16 * 1024)

struct _BeckonSandboxGate
{
  guint n_processes;

  /* Those of bubblewrap are ours until the launcher has taken them; -1 when closed. */
  int info;
  int info_of_child;
  int block;
  int block_of_child;

  /* What the watcher reads, and what only this program has: the end of it is the end of this program. */
  int watched;
  int alive;

  BeckonJob *job; /* (unowned): it frees the gate */
  guint source;
  GString *said;
};

static void
close_fd (int *fd)
{
  if (*fd >= 0)
    close (*fd);
  *fd = -1;
}

void
beckon_sandbox_gate_free (BeckonSandboxGate *gate)
{
  if (gate == NULL)
    return;

  g_clear_handle_id (&gate->source, g_source_remove);
  close_fd (&gate->info);
  close_fd (&gate->info_of_child);
  close_fd (&gate->block);
  close_fd (&gate->block_of_child);
  close_fd (&gate->watched);
  close_fd (&gate->alive);
  g_string_free (gate->said, TRUE);
  g_free (gate);
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

static int
move_up (int fd)
{
  int moved = fcntl (fd, F_DUPFD_CLOEXEC, FIRST_WATCHED_FD);

  close (fd);
  return moved;
}

static gboolean
open_watched (BeckonSandboxGate *self)
{
  int ends[2];

  if (pipe2 (ends, O_CLOEXEC) != 0)
    return FALSE;
  self->watched = move_up (ends[0]);
  self->alive = move_up (ends[1]);
  return self->watched >= 0 && self->alive >= 0;
}

static gboolean
open_pipes (BeckonSandboxGate *self)
{
  int info[2];

  if (pipe2 (info, O_CLOEXEC) != 0)
    return FALSE;
  self->info = info[0];
  self->info_of_child = info[1];
  self->block = open_both_ways ();
  self->block_of_child = self->block >= 0 ? fcntl (self->block, F_DUPFD_CLOEXEC, 0) : -1;
  return self->block_of_child >= 0 && open_watched (self) && g_unix_set_fd_nonblocking (self->info, TRUE, NULL);
}

BeckonSandboxGate *
beckon_sandbox_gate_new (guint n_processes, GError **error)
{
  g_autoptr (BeckonSandboxGate) self = g_new0 (BeckonSandboxGate, 1);

  self->n_processes = n_processes;
  self->said = g_string_new (NULL);
  self->info = self->info_of_child = self->block = self->block_of_child = -1;
  self->watched = self->alive = -1;
  if (open_pipes (self))
    return g_steal_pointer (&self);

  g_set_error (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE, _("A command cannot be started: %s"), g_strerror (errno));
  return NULL;
}

/* Others wait for the end of what they hold: the one who started bubblewrap, to hear that it did. */
__attribute__ ((no_sanitize ("address", "undefined"))) static void
close_all_but (int fd)
{
  if (syscall (SYS_close_range, 0, fd - 1, 0) == 0 && syscall (SYS_close_range, fd + 1, ~0U, 0) == 0)
    return;
  for (int other = 0; other < MAX_FDS; other++)
    if (other != fd)
      close (other);
}

/* In memory that is no longer its own once bubblewrap is there; nothing is called here that would care. */
__attribute__ ((no_sanitize ("address", "undefined"))) static int
watch (void *data)
{
  const BeckonSandboxGate *self = data;
  pid_t group = getpgid (0);
  char opened;
  gssize n;

  close_all_but (self->watched);
  do
    n = read (self->watched, &opened, 1);
  while (n < 0 && errno == EINTR);
  if (n <= 0)
    kill (-group, SIGKILL);
  _exit (0);
}

/* Sharing the memory costs nothing, however large this program is. Bubblewrap knows what to do with a child that it did not
 * make. */
void
beckon_sandbox_gate_watch (BeckonSandboxGate *gate)
{
  static char stack[STACK_BYTES] __attribute__ ((aligned (16)));

  if (clone (watch, stack + sizeof stack, CLONE_VM | SIGCHLD, gate) < 0)
    _exit (EXIT_FAILURE);
}

static void
give (GPtrArray *argv, GSubprocessLauncher *launcher, const char *option, int *fd, int target)
{
  g_ptr_array_add (argv, g_strdup (option));
  g_ptr_array_add (argv, g_strdup_printf ("%d", target));
  g_subprocess_launcher_take_fd (launcher, *fd, target);
  *fd = -1;
}

void
beckon_sandbox_gate_add (BeckonSandboxGate *gate, GPtrArray *argv, GSubprocessLauncher *launcher, int first_fd)
{
  g_return_if_fail (gate != NULL && gate->info_of_child >= 0);

  give (argv, launcher, "--info-fd", &gate->info_of_child, first_fd);
  give (argv, launcher, "--block-fd", &gate->block_of_child, first_fd + 1);
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
limit (BeckonSandboxGate *self, int pid)
{
  const struct rlimit processes = { self->n_processes, self->n_processes };

  return pid > 0 && prlimit (pid, RLIMIT_NPROC, &processes, NULL) == 0;
}

static void
refuse (BeckonSandboxGate *self)
{
  g_autofree char *text = g_strdup_printf ("The number of processes cannot be limited (%s), so nothing was run.\n",
                                           g_strerror (errno));

  beckon_output_append (beckon_job_get_output (self->job), text, strlen (text));
  beckon_job_kill (self->job);
}

/* The end comes when all is said, or when bubblewrap failed, which says why itself. */
static gboolean
on_info (int fd, GIOCondition condition, gpointer user_data)
{
  BeckonSandboxGate *self = user_data;
  char buffer[512];
  gssize length = read (fd, buffer, sizeof buffer);

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
  if (!limit (self, find_child (self->said->str)) || write (self->block, "x", 1) != 1)
    refuse (self);
  else if (write (self->alive, "x", 1) != 1)
    g_debug ("whoever watches a command could not be told that it began: %s", g_strerror (errno));
  return G_SOURCE_REMOVE;
}

void
beckon_sandbox_gate_attach (BeckonSandboxGate *gate, BeckonJob *job)
{
  g_return_if_fail (gate != NULL && gate->job == NULL);
  g_return_if_fail (BECKON_IS_JOB (job));

  gate->job = job;
  gate->source = g_unix_fd_add_full (G_PRIORITY_HIGH, gate->info, G_IO_IN | G_IO_HUP | G_IO_ERR, on_info, gate, NULL);
  beckon_job_add_cleanup (job, (GDestroyNotify) beckon_sandbox_gate_free, gate);
}
