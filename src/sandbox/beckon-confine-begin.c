/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The process that becomes bubblewrap, before it does. Whatever cannot be said to posix_spawn() is done here, in a program so
 * small that a copy of it costs nothing:
 *
 * --begin REPORT WATCHED FDS [--tree] [--loopback NETWORK] [--overlay FOLDER UPPER WORK VIEW]… -- PROGRAM ARGUMENT…
 * --try FOLDER UPPER WORK
 * --refresh PROCESS FOLDER
 *
 * FDS, with commas between them, are all that PROGRAM is given. A second process waits at WATCHED, and ends the process group
 * when that is at its end, with the process whose number came there: then the program that began all this is gone, or done.
 * With --tree the first process stays, waits for that, too, and has PROGRAM as its child: whatever that started is ended, in
 * whichever group or session, when PROGRAM ends or WATCHED is at its end.
 *
 * With --loopback the network is one that leads nowhere: the one under the number NETWORK, of a process that was begun so, or a
 * new one if that is -1. The user namespace is that network's, because nobody else may enter it.
 *
 * An overlay lies over each FOLDER for this process and what comes of it alone; under the number VIEW, if it is not -1, is the
 * view then. What came of it is written to REPORT, and PROGRAM begins when a word comes back.
 *
 * With --refresh the overlay that lies over FOLDER for PROCESS forgets what it knew of the layer below, but for what is open:
 * the kernel does not look at that again by itself.
 *
 * The layers are opened here because a descriptor belongs to the mount namespace in which it was opened, and the kernel takes
 * none of another. */

#define _GNU_SOURCE

#include "beckon-confine-begin.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/nsfs.h>
#include <linux/openat2.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "beckon-confine.h"

#define N_SIGNALS 64
#define NO_LOOPBACK -2
#define NEW_LOOPBACK -1
#define TRIAL_NAME ".beckon-trial"

typedef struct
{
  int lower;
  int upper;
  int work;
} Layers;

/* At once: what a sanitizer does at the end of a program needs what is not there any more. */
static _Noreturn void
report_failure (int fd, int view)
{
  const BeckonConfineReport report = { errno, view };

  _exit (write (fd, &report, sizeof report) == sizeof report ? BECKON_CONFINE_REFUSED : EXIT_FAILURE);
}

static int
keep_only (char *fds)
{
  int is_done = syscall (SYS_close_range, STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC) == 0;

  for (char *fd = strtok (fds, ","); is_done && fd != NULL; fd = strtok (NULL, ","))
    is_done = fcntl (atoi (fd), F_SETFD, 0) == 0;
  return is_done;
}

/* Resets signals that this program's starter ignores, or posix_spawn() has ignored, which sigaction() does not touch. As the
 * kernel has it: a handler, flags, where it returns, and a mask. */
static void
forget_handlers (void)
{
  static const unsigned long usual[4];

  for (int number = 1; number <= N_SIGNALS; number++)
    syscall (SYS_rt_sigaction, number, usual, NULL, sizeof usual[3]);
}

/* The sandbox's first process leaves the group when the sandbox begins, and may not follow bubblewrap into death yet. */
static void
end_first (int watched)
{
  int pid = 0, first;
  char word;

  if (read (watched, &pid, sizeof pid) != sizeof pid)
    return;
  first = (int) syscall (SYS_pidfd_open, pid, 0U);
  while (read (watched, &word, 1) > 0)
    continue;
  if (first >= 0)
    syscall (SYS_pidfd_send_signal, first, SIGKILL, NULL, 0U);
}

/* Others wait for the end of what it holds: the one who began the group, to hear that it did. */
static int
confine_begin_watch (unsigned int watched)
{
  pid_t pid = fork ();

  if (pid != 0)
    return pid > 0;

  /* The group may be asked to end; whatever does not, is killed from here. */
  signal (SIGTERM, SIG_IGN);
  syscall (SYS_close_range, 0U, watched - 1, 0);
  syscall (SYS_close_range, watched + 1, ~0U, 0);
  end_first ((int) watched);
  kill (0, SIGKILL);
  _exit (EXIT_SUCCESS);
}

/* Processes whose parents have ended are children of this one, as those are that end while it looks. */
static void
end_tree (void)
{
  char numbers[4096];

  do
    {
      int fd = open ("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
      ssize_t length = fd >= 0 ? read (fd, numbers, sizeof numbers - 1) : -1;

      if (fd >= 0)
        close (fd);
      /* A kernel that doesn't list children: their group is this process's. */
      if (length < 0)
        {
          kill (0, SIGKILL);
          return;
        }
      numbers[length] = '\0';
      /* A number that is cut off may be another's. */
      if (length == sizeof numbers - 1)
        *strrchr (numbers, ' ') = '\0';
      for (char *number = strtok (numbers, " "); number != NULL; number = strtok (NULL, " "))
        kill (atoi (number), SIGKILL);
    }
  while (waitpid (-1, NULL, 0) > 0 || errno == EINTR);
}

static void
on_child (int number)
{
}

/* Whether the program has ended. Its orphans are buried, too. */
static int
has_ended (pid_t program, int *status)
{
  int one, is_over = 0;
  pid_t pid;

  while ((pid = waitpid (-1, &one, WNOHANG)) > 0)
    if (pid == program)
      {
        *status = one;
        is_over = 1;
      }
  return is_over;
}

/* As the shell says it, so that whoever waits for this process learns how the program ended. */
static _Noreturn void
run_tree (int watched, char *argv[])
{
  const struct sigaction noted = { .sa_handler = on_child };
  struct pollfd end = { watched, POLLIN, 0 };
  sigset_t children, none;
  int status = SIGKILL;
  pid_t program;
  char word;

  sigemptyset (&none);
  sigemptyset (&children);
  sigaddset (&children, SIGCHLD);
  sigprocmask (SIG_BLOCK, &children, NULL);
  sigaction (SIGCHLD, &noted, NULL);
  program = prctl (PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0 ? fork () : -1;
  if (program == 0)
    {
      sigprocmask (SIG_SETMASK, &none, NULL);
      if (prctl (PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) == 0)
        execv (argv[0], argv);
      _exit (BECKON_CONFINE_REFUSED);
    }
  if (program < 0)
    _exit (BECKON_CONFINE_REFUSED);

  /* The group may be asked to end, and what the program holds is not held here. */
  signal (SIGTERM, SIG_IGN);
  syscall (SYS_close_range, 0U, (unsigned int) watched - 1, 0);
  syscall (SYS_close_range, (unsigned int) watched + 1, ~0U, 0);
  while (!has_ended (program, &status))
    if (ppoll (&end, 1, NULL, &none) > 0 && read (watched, &word, 1) <= 0)
      break;
  end_tree ();
  _exit (WIFEXITED (status) ? WEXITSTATUS (status) : 128 + WTERMSIG (status));
}

static int
confine_begin_write_file (const char *path, const char *text)
{
  int fd = open (path, O_WRONLY | O_CLOEXEC);
  int is_written = fd >= 0 && write (fd, text, strlen (text)) == (ssize_t) strlen (text);

  if (fd >= 0)
    close (fd);
  return is_written;
}

/* The administrator's namespaces belong to the user namespace in which this process is already: @is_own. */
static int
join_namespace (int other, int kind, int *is_own)
{
  struct stat own, theirs;
  int user = ioctl (other, NS_GET_USERNS);

  if (user < 0 || stat ("/proc/self/ns/user", &own) != 0 || fstat (user, &theirs) != 0)
    return 0;
  *is_own = own.st_ino == theirs.st_ino;
  return (*is_own || setns (user, CLONE_NEWUSER) == 0) && setns (other, kind) == 0;
}

static int
raise_loopback (void)
{
  struct ifreq request = { .ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING };
  int fd = socket (AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  int is_up = fd >= 0 && ioctl (fd, SIOCSIFFLAGS, &request) == 0;

  if (fd >= 0)
    close (fd);
  return is_up;
}

/* The administrator stays in the user namespace that knows all users, unless the system refuses that. Everybody else needs one
 * of their own to mount anything, in which they alone are known. */
static int
unshare_all (int loopback, int *knows_all)
{
  const unsigned int user = geteuid (), group = getegid ();
  const int kinds = CLONE_NEWNS | (loopback == NEW_LOOPBACK ? CLONE_NEWNET : 0);
  char users[64], groups[64];

  *knows_all = user == 0 && unshare (kinds) == 0;
  if (!*knows_all)
    {
      snprintf (users, sizeof users, "%u %u 1", user, user);
      snprintf (groups, sizeof groups, "%u %u 1", group, group);
      if (unshare (CLONE_NEWUSER | kinds) != 0 || !confine_begin_write_file ("/proc/self/setgroups", "deny")
          || !confine_begin_write_file ("/proc/self/uid_map", users)
          || !confine_begin_write_file ("/proc/self/gid_map", groups))
        return 0;
    }
  return loopback != NEW_LOOPBACK || raise_loopback ();
}

static int
enter_namespaces (int loopback, int *knows_all)
{
  return (loopback >= 0 ? join_namespace (loopback, CLONE_NEWNET, knows_all) && unshare (CLONE_NEWNS) == 0
          : unshare_all (loopback, knows_all))
         && mount (NULL, "/", NULL, MS_REC | MS_SLAVE, NULL) == 0;
}

static int
open_folder (const char *path, unsigned long long resolve)
{
  struct open_how how = { .flags = O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, .resolve = resolve };

  return (int) syscall (SYS_openat2, AT_FDCWD, path, &how, sizeof how);
}

/* A command that has a folder around the working folder could put a link in its place, to anywhere. The landing place is out of
 * every command's reach, and the home may be behind a link. */
static int
open_layers (char *paths[], Layers *layers)
{
  layers->lower = open_folder (paths[0], RESOLVE_NO_SYMLINKS);
  return layers->lower >= 0 && (layers->upper = open_folder (paths[1], 0)) >= 0
         && (layers->work = open_folder (paths[2], 0)) >= 0;
}

static int
mount_layers (const Layers *layers)
{
  unsigned long flags = MS_NOSUID | MS_NODEV;
  char target[64], options[256];
  struct statvfs info;

  if (fstatvfs (layers->lower, &info) == 0 && (info.f_flag & ST_NOEXEC) != 0)
    flags |= MS_NOEXEC;
  snprintf (target, sizeof target, "/proc/self/fd/%d", layers->lower);
  snprintf (options, sizeof options,
            "lowerdir=/proc/self/fd/%d,upperdir=/proc/self/fd/%d,workdir=/proc/self/fd/%d,index=off,userxattr", layers->lower,
            layers->upper, layers->work);
  return mount ("overlay", target, "overlay", flags, options) == 0;
}

/* The mount that is opened last lies above: under the folder's own path is the view now. Returns a descriptor of it, or -1.
 * Layers that cannot be opened are no reason to do without a view for good: @trouble is 0 then, and @number if the mount was
 * it. */
static int
mount_view (char *paths[], int number, int *trouble)
{
  Layers layers;

  *trouble = 0;
  if (!open_layers (paths, &layers))
    return -1;
  *trouble = number;
  return mount_layers (&layers) ? open_folder (paths[0], RESOLVE_NO_SYMLINKS) : -1;
}

static int
take_view (char *arguments[], int number, int *trouble)
{
  const int fd = atoi (arguments[3]);
  int view = mount_view (arguments, number, trouble);

  return view >= 0 && (fd < 0 || dup2 (view, fd) == fd);
}

int
beckon_confine_begin (char *argv[])
{
  static const BeckonConfineReport begins;
  const int report = atoi (argv[0]);
  const int watched = atoi (argv[1]);
  const int is_tree = strcmp (argv[3], "--tree") == 0;
  int loopback = NO_LOOPBACK, knows_all, trouble;
  char word;
  char **next = argv + 3 + is_tree;

  forget_handlers ();
  if (!keep_only (argv[2]) || (watched > 0 && !is_tree && !confine_begin_watch ((unsigned int) watched)))
    report_failure (report, 0);
  if (strcmp (*next, "--loopback") == 0)
    {
      loopback = atoi (next[1]);
      next += 2;
    }
  /* Without a network of its own, what keeps a process from here keeps it from having views at all. */
  if ((loopback != NO_LOOPBACK || strcmp (*next, "--overlay") == 0) && !enter_namespaces (loopback, &knows_all))
    report_failure (report, loopback == NO_LOOPBACK ? 1 : 0);
  for (int number = 1; strcmp (*next, "--overlay") == 0; number++, next += 5)
    if (!take_view (next + 1, number, &trouble))
      report_failure (report, trouble);
  if (access (next[1], X_OK) != 0 || write (report, &begins, sizeof begins) != sizeof begins)
    report_failure (report, 0);
  if (read (report, &word, 1) != 1)
    _exit (BECKON_CONFINE_REFUSED);
  if (is_tree)
    run_tree (watched, next + 1);
  execv (next[1], next + 1);
  _exit (BECKON_CONFINE_REFUSED);
}

/* The mount is there and read-only if the upper layer lacks something. */
int
beckon_confine_try (char *argv[])
{
  int knows_all, trouble;
  int view = enter_namespaces (NO_LOOPBACK, &knows_all) ? mount_view (argv, 1, &trouble) : -1;

  if (view < 0 || (mkdirat (view, TRIAL_NAME, 0700) != 0 && errno == EROFS))
    _exit (BECKON_CONFINE_REFUSED);
  _exit (knows_all ? BECKON_CONFINE_KNOWS_ALL : BECKON_CONFINE_KNOWS_OWN);
}

int
beckon_confine_refresh (char *argv[])
{
  unsigned long flags = MS_REMOUNT | MS_NOSUID | MS_NODEV;
  struct statvfs info;
  char mounts[64];
  int fd, is_own;

  snprintf (mounts, sizeof mounts, "/proc/%d/ns/mnt", atoi (argv[0]));
  fd = open (mounts, O_RDONLY | O_CLOEXEC);
  if (fd < 0 || !join_namespace (fd, CLONE_NEWNS, &is_own) || statvfs (argv[1], &info) != 0)
    _exit (BECKON_CONFINE_REFUSED);
  if ((info.f_flag & ST_NOEXEC) != 0)
    flags |= MS_NOEXEC;
  _exit (mount (NULL, argv[1], NULL, flags, NULL) == 0 ? EXIT_SUCCESS : BECKON_CONFINE_REFUSED);
}
