/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The first program of a sandbox that Flatpak's portal makes: what the portal does not do itself is done here, and what it was
 * asked for is looked at, because it overlooks in silence what it cannot do. Then the command takes its place. Where there is
 * bubblewrap, it comes before that (beckon-confine-begin.c). It links to nothing, so that it starts at once. */

#define _GNU_SOURCE

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "beckon-confine-begin.h"
#include "beckon-confine.h"

#define NOT_FOUND 127
#define MOST_INSTRUCTIONS 4096

static void
confine_refuse (const char *what, const char *path)
{
  fprintf (stderr, "The command was not run: %s%s%s.\n", what, path != NULL ? " " : "", path != NULL ? path : "");
  exit (BECKON_CONFINE_REFUSED);
}

static void
limit (int resource, const char *number)
{
  char *end = NULL;
  unsigned long long most = strtoull (number, &end, 10);
  struct rlimit both;

  if (*number == '\0' || *end != '\0' || getrlimit ((__rlimit_resource_t) resource, &both) != 0)
    confine_refuse ("its limits cannot be set", NULL);
  if (both.rlim_max > most)
    both.rlim_max = (rlim_t) most;
  both.rlim_cur = both.rlim_max;
  if (setrlimit ((__rlimit_resource_t) resource, &both) != 0)
    confine_refuse ("its limits cannot be set", NULL);
}

/* A mere namesake is made where the folder itself is missing, for mounts within it. */
static void
check_folder (const char *folder, const char *identity)
{
  char found[64];
  struct stat info;

  if (stat (folder, &info) != 0 || access (folder, W_OK | X_OK) != 0)
    confine_refuse ("its folder is not within the sandbox:", folder);
  snprintf (found, sizeof found, BECKON_CONFINE_IDENTITY, (unsigned long long) info.st_dev, (unsigned long long) info.st_ino);
  if (strcmp (found, identity) != 0)
    confine_refuse ("its folder is not within the sandbox:", folder);
}

static void
check_hidden (const char *path)
{
  struct stat info;

  if (lstat (path, &info) == 0)
    confine_refuse ("the sandbox holds what it must not:", path);
}

static void
check_read_only (const char *path)
{
  struct statvfs info;

  if (statvfs (path, &info) != 0 || (info.f_flag & ST_RDONLY) == 0)
    confine_refuse ("this is not kept from being written:", path);
}

/* Git's ignore list lies where its configuration, given by the environment, says. */
static void
copy_ignored (void)
{
  char names[4096];
  ssize_t length = read (BECKON_CONFINE_IGNORE_FD, names, sizeof names);
  int fd = open (BECKON_CONFINE_IGNORE_FILE, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0444);

  if (length < 0 || fd < 0 || write (fd, names, (size_t) length) != length)
    confine_refuse ("there is no room for its temporary files", NULL);
  close (fd);
  close (BECKON_CONFINE_IGNORE_FD);
}

static void
filter (void)
{
  static struct sock_filter instructions[MOST_INSTRUCTIONS];
  ssize_t length = read (BECKON_CONFINE_FILTER_FD, instructions, sizeof instructions);
  struct sock_fprog program = { (unsigned short) ((size_t) (length > 0 ? length : 0) / sizeof instructions[0]), instructions };

  if (length <= 0 || (size_t) length == sizeof instructions || (size_t) length % sizeof instructions[0] != 0
      || prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0
      || syscall (SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) != 0)
    confine_refuse ("its system calls cannot be restricted here", NULL);
  close (BECKON_CONFINE_FILTER_FD);
}

/* A copy lies elsewhere; who knows the path of the folder finds it there all the same. */
static void
link_folder (const char *path, const char *folder)
{
  char *above = strdup (path);

  for (char *slash = above != NULL ? strchr (above + 1, '/') : NULL; slash != NULL; slash = strchr (slash + 1, '/'))
    {
      *slash = '\0';
      mkdir (above, 0755);
      *slash = '/';
    }
  free (above);
  if (symlink (folder, path) != 0)
    confine_refuse ("its folder cannot be had at its place:", path);
}

/* The changes of the command are looked at afterwards, and must not change any more then: the processes that it left behind
 * are ended with it. Only where there are no others, which is where the first process is the sandbox's own. */
static _Noreturn void
run_whole (char *command[])
{
  pid_t pid = -1;
  int status = 0;

  if (prctl (PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0 && (getpid () == 1 || getppid () == 1))
    pid = fork ();
  if (pid < 0)
    confine_refuse ("its processes cannot be ended with it", NULL);
  if (pid == 0)
    {
      execvp (command[0], command);
      fprintf (stderr, "%s: %s\n", command[0], strerror (errno));
      _exit (NOT_FOUND);
    }

  while (waitpid (pid, &status, 0) < 0 && errno == EINTR)
    continue;
  kill (-1, SIGKILL);
  while (waitpid (-1, NULL, 0) > 0 || errno == EINTR)
    continue;

  /* At once: for whatever else there would be to do its limits leave no room. */
  _exit (WIFEXITED (status) ? WEXITSTATUS (status) : 128 + WTERMSIG (status));
}

/* Memory is limited by what can be written, which the processes of a portal's sandbox cannot always be watched for; of address
 * space many programs reserve more than they ever use.
 *
 * MEMORY FILE PROCESSES HIDDEN FOLDER IDENTITY [@PATH] [READ-ONLY…] [NAME=VALUE…] -- COMMAND…
 * Nothing else of the environment stays: in it is what the session gave the portal. */
int
main (int argc, char *argv[])
{
  const char *view = NULL;
  int next = 7;

  if (argc > 6 && strcmp (argv[1], "--begin") == 0)
    return beckon_confine_begin (argv + 2);
  if (argc == 5 && strcmp (argv[1], "--try") == 0)
    return beckon_confine_try (argv + 2);
  if (argc == 4 && strcmp (argv[1], "--refresh") == 0)
    return beckon_confine_refresh (argv + 2);
  if (argc < 9)
    confine_refuse ("too little was said about it", NULL);

  check_hidden (argv[4]);
  check_folder (argv[5], argv[6]);
  if (*argv[next] == BECKON_CONFINE_VIEW)
    view = argv[next++] + 1;
  for (; next < argc && *argv[next] == '/'; next++)
    check_read_only (argv[next]);
  clearenv ();
  for (; next < argc && strcmp (argv[next], "--") != 0; next++)
    if (putenv (argv[next]) != 0)
      confine_refuse ("there is not enough memory", NULL);
  if (next + 1 >= argc)
    confine_refuse ("there is none", NULL);

  if (view != NULL)
    link_folder (view, argv[5]);
  mkdir (BECKON_CONFINE_HOME, 0700);
  copy_ignored ();
  limit (RLIMIT_CORE, "0");
  limit (RLIMIT_DATA, argv[1]);
  limit (RLIMIT_FSIZE, argv[2]);
  limit (RLIMIT_NPROC, argv[3]);
  filter ();
  if (view != NULL)
    run_whole (argv + next + 1);
  execvp (argv[next + 1], argv + next + 1);
  fprintf (stderr, "%s: %s\n", argv[next + 1], strerror (errno));
  return NOT_FOUND;
}
