/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE

#include "beckon-config.h"

#include "beckon-sandbox-watcher.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* It makes five calls of the system. */
#define STACK_BYTES (16 * 1024)

/* In pages of its own: whoever stands on the stack may be there a moment longer than what it is for. */
struct _BeckonSandboxWatcher
{
  int watched;
  int alive;   /* only this program has it: the end of it is the end of this program */
  int process; /* cleared by the kernel when it has left the stack */
  char stack[STACK_BYTES] __attribute__ ((aligned (16)));
};

static GPtrArray *left;

BeckonSandboxWatcher *
beckon_sandbox_watcher_new (void)
{
  BeckonSandboxWatcher *self;
  int ends[2];

  if (pipe2 (ends, O_CLOEXEC) != 0)
    return NULL;
  self = mmap (NULL, sizeof *self, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (self == MAP_FAILED)
    {
      close (ends[0]);
      close (ends[1]);
      return NULL;
    }

  self->watched = ends[0];
  self->alive = ends[1];
  return self;
}

/* Nothing is called here that would write anywhere but on this stack, not even an error number, because nothing fails while
 * this program lives. Others wait for the end of what it holds: the one who started the group, to hear that it did. */
__attribute__ ((no_sanitize ("address", "undefined"))) static int
watch (void *data)
{
  const BeckonSandboxWatcher *self = data;
  const unsigned int fd = (unsigned int) self->watched;
  const long group = syscall (SYS_getpgid, 0);
  char ended;

  syscall (SYS_close_range, 0U, fd - 1, 0);
  syscall (SYS_close_range, fd + 1, ~0U, 0);
  if (syscall (SYS_read, fd, &ended, 1UL) <= 0)
    syscall (SYS_kill, -group, SIGKILL);
  syscall (SYS_exit, 0);
  return 0;
}

void
beckon_sandbox_watcher_begin (BeckonSandboxWatcher *watcher)
{
  const int flags = CLONE_VM | CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID | SIGCHLD;

  if (clone (watch, watcher->stack + STACK_BYTES, flags, watcher, &watcher->process, NULL, &watcher->process) < 0)
    _exit (EXIT_FAILURE);
}

void
beckon_sandbox_watcher_end (BeckonSandboxWatcher *watcher)
{
  if (write (watcher->alive, "x", 1) != 1)
    g_debug ("whoever watches a command could not be told that it began: %s", g_strerror (errno));
}

static void
unmap (gpointer watcher)
{
  munmap (watcher, sizeof (BeckonSandboxWatcher));
}

void
beckon_sandbox_watcher_free (BeckonSandboxWatcher *watcher)
{
  close (watcher->watched);
  close (watcher->alive);
  if (left == NULL)
    left = g_ptr_array_new_with_free_func (unmap);
  g_ptr_array_add (left, watcher);
  for (guint i = left->len; i > 0; i--)
    {
      BeckonSandboxWatcher *other = g_ptr_array_index (left, i - 1);

      if (__atomic_load_n (&other->process, __ATOMIC_ACQUIRE) == 0)
        g_ptr_array_remove_index_fast (left, i - 1);
    }
}
