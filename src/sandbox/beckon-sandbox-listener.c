/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE

#include "beckon-config.h"

#include "beckon-sandbox-listener.h"

#include "base/beckon-error.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/nsfs.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define STACK_BYTES (64 * 1024)
#define WAITING 64

/* A thread cannot change its user namespace, so a process does, for a moment; with this program's memory and descriptors, so
 * that the socket is this program's. */
typedef struct
{
  int user;
  int network;
  struct sockaddr_in6 address;
  struct sockaddr_in old; /* where there is no IPv6 */
  int fd;
  int problem;
} Listener;

__attribute__ ((no_sanitize ("address", "undefined"))) static int
listen_there (void *data)
{
  Listener *listener = data;
  const struct sockaddr *address = (const struct sockaddr *) &listener->address;
  socklen_t length = sizeof listener->address;
  const int only = 0;

  if (setns (listener->user, CLONE_NEWUSER) != 0 || setns (listener->network, CLONE_NEWNET) != 0)
    {
      listener->problem = errno;
      _exit (0);
    }

  listener->fd = socket (AF_INET6, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (listener->fd < 0)
    {
      listener->fd = socket (AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
      address = (const struct sockaddr *) &listener->old;
      length = sizeof listener->old;
    }
  if (listener->fd < 0 || (length == sizeof listener->address
                           && setsockopt (listener->fd, IPPROTO_IPV6, IPV6_V6ONLY, &only, sizeof only) != 0)
      || bind (listener->fd, address, length) != 0 || listen (listener->fd, WAITING) != 0)
    listener->problem = errno;
  _exit (0);
}

/* No signal may be handled while two processes use one memory. */
static void
go_there (Listener *listener)
{
  char *stack = mmap (NULL, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  sigset_t all, before;
  int pid;

  listener->problem = ENOMEM;
  if (stack == MAP_FAILED)
    return;

  listener->problem = 0;
  sigfillset (&all);
  pthread_sigmask (SIG_SETMASK, &all, &before);
  pid = clone (listen_there, stack + STACK_BYTES, CLONE_VM | CLONE_VFORK | CLONE_FILES | SIGCHLD, listener);
  if (pid < 0)
    listener->problem = errno;
  else
    waitpid (pid, NULL, 0);
  pthread_sigmask (SIG_SETMASK, &before, NULL);
  munmap (stack, STACK_BYTES);
}

static int
open_network (int pid)
{
  char path[64];

  g_snprintf (path, sizeof path, "/proc/%d/ns/net", pid);
  return open (path, O_RDONLY | O_CLOEXEC);
}

/* Sharing this computer's own network would open all of it. */
static gboolean
is_own (int network)
{
  struct stat own, theirs;

  return fstat (network, &theirs) != 0 || stat ("/proc/self/ns/net", &own) != 0 || own.st_ino == theirs.st_ino;
}

/* The command may be in another user namespace by now than the one that its network belongs to. */
GSocket *
beckon_sandbox_listener_new (int pid, guint16 port, GError **error)
{
  Listener listener = { .user = -1, .network = open_network (pid), .fd = -1,
                        .address = { .sin6_family = AF_INET6, .sin6_port = htons (port) },
                        .old = { .sin_family = AF_INET, .sin_port = htons (port) } };
  GSocket *socket = NULL;

  errno = EPERM;
  if (listener.network >= 0 && !is_own (listener.network))
    listener.user = ioctl (listener.network, NS_GET_USERNS);
  if (listener.user >= 0)
    go_there (&listener);
  else
    listener.problem = errno;
  if (listener.problem == 0)
    socket = g_socket_new_from_fd (listener.fd, NULL);
  if (socket == NULL)
    {
      g_set_error (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE, "The sandbox’s network cannot be listened to: %s",
                   beckon_errno_describe (listener.problem));
      if (listener.fd >= 0)
        close (listener.fd);
    }
  if (listener.user >= 0)
    close (listener.user);
  if (listener.network >= 0)
    close (listener.network);
  return socket;
}
