/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The names of both widths are defined here, so that none may stand for the other. */
#undef _FILE_OFFSET_BITS
#define _GNU_SOURCE

#include "beckon-slow-files.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define NEXT(name) ((__typeof__ (&name)) dlsym (RTLD_NEXT, #name))

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t released = PTHREAD_COND_INITIALIZER;
static char below[4096];
static char first[4200];
static unsigned delay, n_main, n_other, n_waiting;
static int is_stalled;
static pid_t program;

/* Children share the memory for a moment. */
__attribute__ ((constructor)) static void
note_program (void)
{
  program = getpid ();
}

void
beckon_slow_files_set (const char *folder, unsigned delay_ms)
{
  pthread_mutex_lock (&lock);
  snprintf (below, sizeof below, "%s", folder != NULL ? folder : "");
  first[0] = '\0';
  delay = delay_ms;
  n_main = n_other = 0;
  pthread_mutex_unlock (&lock);
}

void
beckon_slow_files_stall (void)
{
  pthread_mutex_lock (&lock);
  is_stalled = 1;
  pthread_mutex_unlock (&lock);
}

void
beckon_slow_files_release (void)
{
  pthread_mutex_lock (&lock);
  is_stalled = 0;
  pthread_cond_broadcast (&released);
  pthread_mutex_unlock (&lock);
}

static unsigned
get (const unsigned *counter)
{
  unsigned value;

  pthread_mutex_lock (&lock);
  value = *counter;
  pthread_mutex_unlock (&lock);
  return value;
}

unsigned
beckon_slow_files_count_main (void)
{
  return get (&n_main);
}

unsigned
beckon_slow_files_count_other (void)
{
  return get (&n_other);
}

unsigned
beckon_slow_files_count_waiting (void)
{
  return get (&n_waiting);
}

const char *
beckon_slow_files_get_first (void)
{
  return first[0] != '\0' ? first : NULL;
}

static int
is_below (const char *path)
{
  size_t length = strlen (below);

  return length > 0 && strncmp (path, below, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

/* With BECKON_SLOW_FILES_TRACE, for addr2line. */
static void
trace (const char *call, const char *path)
{
  void *frames[24];

  if (first[0] == '\0')
    snprintf (first, sizeof first, "%s %s", call, path);
  if (getenv ("BECKON_SLOW_FILES_TRACE") == NULL)
    return;
  dprintf (2, "# %s %s\n", call, path);
  backtrace_symbols_fd (frames, backtrace (frames, 24), 2);
}

static void
wait_for (const char *call, const char *path)
{
  int before = errno;
  struct timespec time = { 0 };

  pthread_mutex_lock (&lock);
  if (is_below (path))
    {
      int is_main = (pid_t) syscall (SYS_gettid) == program;

      time.tv_nsec = (long) delay * 1000000;
      if (is_main)
        {
          n_main++;
          trace (call, path);
        }
      else
        n_other++;
      n_waiting++;
      while (is_stalled && !is_main)
        pthread_cond_wait (&released, &lock);
      n_waiting--;
    }
  pthread_mutex_unlock (&lock);
  if (time.tv_nsec > 0)
    nanosleep (&time, NULL);
  errno = before;
}

static void
wait_at (const char *call, int folder, const char *path)
{
  char link[64], whole[8192];
  ssize_t length;
  int before = errno;

  if (path == NULL || path[0] == '/')
    {
      wait_for (call, path != NULL ? path : "");
      return;
    }
  snprintf (link, sizeof link, folder == AT_FDCWD ? "/proc/self/cwd" : "/proc/self/fd/%d", folder);
  length = NEXT (readlink) (link, whole, 4096);
  errno = before;
  if (length <= 0)
    return;
  snprintf (whole + length, sizeof whole - (size_t) length, "/%s", path);
  wait_for (call, whole);
}

#define LOOK_UP(type, name, parameters, arguments, folder, path)                                                              \
  type name parameters;                                                                                                       \
  type name parameters                                                                                                        \
  {                                                                                                                           \
    wait_at (#name, folder, path);                                                                                            \
    return NEXT (name) arguments;                                                                                             \
  }

LOOK_UP (char *, realpath, (const char *path, char *resolved), (path, resolved), AT_FDCWD, path)
LOOK_UP (char *, __realpath_chk, (const char *path, char *resolved, size_t size), (path, resolved, size), AT_FDCWD, path)
LOOK_UP (char *, canonicalize_file_name, (const char *path), (path), AT_FDCWD, path)
LOOK_UP (int, stat, (const char *path, struct stat *info), (path, info), AT_FDCWD, path)
LOOK_UP (int, stat64, (const char *path, struct stat64 *info), (path, info), AT_FDCWD, path)
LOOK_UP (int, lstat, (const char *path, struct stat *info), (path, info), AT_FDCWD, path)
LOOK_UP (int, lstat64, (const char *path, struct stat64 *info), (path, info), AT_FDCWD, path)
LOOK_UP (int, fstatat, (int fd, const char *path, struct stat *info, int flags), (fd, path, info, flags), fd, path)
LOOK_UP (int, fstatat64, (int fd, const char *path, struct stat64 *info, int flags), (fd, path, info, flags), fd, path)
LOOK_UP (int, statx, (int fd, const char *path, int flags, unsigned mask, struct statx *info),
         (fd, path, flags, mask, info), fd, path)
LOOK_UP (int, access, (const char *path, int mode), (path, mode), AT_FDCWD, path)
LOOK_UP (int, faccessat, (int fd, const char *path, int mode, int flags), (fd, path, mode, flags), fd, path)
LOOK_UP (ssize_t, readlink, (const char *path, char *buffer, size_t size), (path, buffer, size), AT_FDCWD, path)
LOOK_UP (ssize_t, readlinkat, (int fd, const char *path, char *buffer, size_t size), (fd, path, buffer, size), fd, path)
LOOK_UP (DIR *, opendir, (const char *path), (path), AT_FDCWD, path)
LOOK_UP (int, __open_2, (const char *path, int flags), (path, flags), AT_FDCWD, path)
LOOK_UP (int, __open64_2, (const char *path, int flags), (path, flags), AT_FDCWD, path)
LOOK_UP (int, __openat_2, (int fd, const char *path, int flags), (fd, path, flags), fd, path)
LOOK_UP (int, __openat64_2, (int fd, const char *path, int flags), (fd, path, flags), fd, path)
LOOK_UP (int, mkdir, (const char *path, mode_t mode), (path, mode), AT_FDCWD, path)
LOOK_UP (int, unlink, (const char *path), (path), AT_FDCWD, path)

#define MODE(flags)                                                                                                           \
  mode_t mode = 0;                                                                                                            \
  if (((flags) & (O_CREAT | __O_TMPFILE)) != 0)                                                                               \
    {                                                                                                                         \
      va_list list;                                                                                                           \
      va_start (list, flags);                                                                                                 \
      mode = va_arg (list, mode_t);                                                                                           \
      va_end (list);                                                                                                          \
    }

#define OPEN(name)                                                                                                            \
  int name (const char *path, int flags, ...)                                                                                 \
  {                                                                                                                           \
    MODE (flags)                                                                                                              \
    wait_at (#name, AT_FDCWD, path);                                                                                          \
    return NEXT (name) (path, flags, mode);                                                                                   \
  }

#define OPEN_AT(name)                                                                                                         \
  int name (int fd, const char *path, int flags, ...)                                                                         \
  {                                                                                                                           \
    MODE (flags)                                                                                                              \
    wait_at (#name, fd, path);                                                                                                \
    return NEXT (name) (fd, path, flags, mode);                                                                               \
  }

OPEN (open)
OPEN (open64)
OPEN_AT (openat)
OPEN_AT (openat64)

/* There is no function for openat2(). */
long
syscall (long number, ...)
{
  long arguments[6];
  va_list list;

  va_start (list, number);
  for (int i = 0; i < 6; i++)
    arguments[i] = va_arg (list, long);
  va_end (list);
  if (number == SYS_openat2)
    wait_at ("openat2", (int) arguments[0], (const char *) arguments[1]);
  return NEXT (syscall) (number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], arguments[5]);
}
