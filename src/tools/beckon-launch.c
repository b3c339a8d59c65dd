/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE

#include "beckon-config.h"

#include "beckon-launch.h"

#include "base/beckon-error.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define STACK_BYTES (64 * 1024)
#define CANNOT_START 127

typedef struct
{
  const BeckonLaunch *launch;
  sigset_t signals; /* those that were blocked here before */
  int failed;       /* why it did not begin */
} Start;

/* A handler would run in memory that is not the new process's own. */
static void
forget_handlers (void)
{
  struct sigaction usual = { .sa_handler = SIG_DFL };

  for (int number = 1; number < NSIG; number++)
    sigaction (number, &usual, NULL);
}

static gboolean
keep (int fd)
{
  int flags = fcntl (fd, F_GETFD);

  return flags >= 0 && fcntl (fd, F_SETFD, flags & ~FD_CLOEXEC) == 0;
}

static gboolean
give_files (const BeckonLaunch *launch)
{
  int nothing = open ("/dev/null", O_RDONLY | O_CLOEXEC);

  if (nothing < 0 || dup2 (nothing, STDIN_FILENO) < 0 || dup2 (launch->output, STDOUT_FILENO) < 0
      || dup2 (launch->output, STDERR_FILENO) < 0
      || syscall (SYS_close_range, STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC) != 0)
    return FALSE;
  for (guint i = 0; i < launch->fds->len; i++)
    if (!keep (g_array_index (launch->fds, int, i)))
      return FALSE;

  return TRUE;
}

/* The sanitizers know nothing of a stack that is not a thread's. */
__attribute__ ((no_sanitize ("address", "undefined"))) static int
become (void *data)
{
  static char *const no_environment[] = { NULL };
  Start *start = data;
  const BeckonLaunch *launch = start->launch;

  forget_handlers ();
  if (give_files (launch) && chdir ("/") == 0 && setpgid (0, 0) == 0
      && (launch->prepare == NULL || launch->prepare (launch->data)))
    {
      sigprocmask (SIG_SETMASK, &start->signals, NULL);
      execve (launch->argv[0], (char *const *) launch->argv, no_environment);
    }
  start->failed = errno;
  _exit (CANNOT_START);
}

/* Nobody may be told of a signal while two processes use one memory. */
static int
begin (Start *start)
{
  char *stack = mmap (NULL, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  sigset_t all;
  int pid;

  if (stack == MAP_FAILED)
    return -1;

  sigfillset (&all);
  pthread_sigmask (SIG_SETMASK, &all, &start->signals);
  pid = clone (become, stack + STACK_BYTES, CLONE_VM | CLONE_VFORK | SIGCHLD, start);
  if (pid < 0)
    start->failed = errno;
  pthread_sigmask (SIG_SETMASK, &start->signals, NULL);
  munmap (stack, STACK_BYTES);
  return pid;
}

int
beckon_launch (const BeckonLaunch *launch, GError **error)
{
  Start start = { .launch = launch };
  int pid;

  g_return_val_if_fail (launch != NULL && launch->argv != NULL && launch->fds != NULL, 0);
  g_return_val_if_fail (error == NULL || *error == NULL, 0);

  pid = begin (&start);
  if (pid > 0 && start.failed == 0)
    return pid;

  if (pid > 0)
    waitpid (pid, NULL, 0);
  g_set_error (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE, _("A command cannot be started: %s"),
               g_strerror (start.failed != 0 ? start.failed : ENOMEM));
  return 0;
}
