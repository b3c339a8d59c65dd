/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The names of both widths are defined here, so that none may stand for the other. */
#undef _FILE_OFFSET_BITS
#define _GNU_SOURCE

#include "beckon-faults.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static BeckonFaults own;
static BeckonFaults *plan = &own;

__attribute__ ((constructor)) static void
map_plan (void)
{
  const char *path = getenv ("BECKON_FAULTS");
  void *mapped;
  int fd;

  if (path == NULL)
    return;
  fd = (int) syscall (SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC, 0);
  if (fd < 0)
    abort ();
  mapped = mmap (NULL, sizeof *plan, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (mapped == MAP_FAILED)
    abort ();
  plan = mapped;
  close (fd);
}

BeckonFaults *
beckon_faults_get (void)
{
  return plan;
}

void
beckon_faults_set (int calls, int error, const char *where, int64_t skip, int64_t count)
{
  __atomic_store_n (&plan->calls, 0, __ATOMIC_SEQ_CST);
  plan->error = error;
  plan->skip = skip;
  plan->count = count;
  plan->hits = 0;
  snprintf (plan->where, sizeof plan->where, "%s", where != NULL ? where : "");
  __atomic_store_n (&plan->calls, calls, __ATOMIC_SEQ_CST);
}

/* Sets errno when the call is to fail. */
static int
fails (int call, const char *path)
{
  if ((__atomic_load_n (&plan->calls, __ATOMIC_SEQ_CST) & call) == 0 || strstr (path, plan->where) == NULL)
    return 0;
  if (__atomic_fetch_sub (&plan->skip, 1, __ATOMIC_SEQ_CST) > 0)
    return 0;
  if (plan->count >= 0 && __atomic_fetch_sub (&plan->count, 1, __ATOMIC_SEQ_CST) <= 0)
    return 0;
  __atomic_fetch_add (&plan->hits, 1, __ATOMIC_SEQ_CST);
  if (plan->error == BECKON_FAULTS_KILL)
    raise (SIGKILL);
  errno = plan->error;
  return 1;
}

static int
fails_fd (int call, int fd)
{
  char link[64], path[4096];
  ssize_t length;
  int before = errno;

  if ((__atomic_load_n (&plan->calls, __ATOMIC_SEQ_CST) & call) == 0)
    return 0;
  snprintf (link, sizeof link, "/proc/self/fd/%d", fd);
  length = readlink (link, path, sizeof path - 1);
  errno = before;
  if (length <= 0)
    return 0;
  path[length] = '\0';
  return fails (call, path);
}

static pthread_mutex_t trace_lock = PTHREAD_MUTEX_INITIALIZER;
static char trace_where[256];
static BeckonFaultsStep *steps;
static size_t n_steps, n_allocated;

void
beckon_faults_trace (const char *where)
{
  pthread_mutex_lock (&trace_lock);
  snprintf (trace_where, sizeof trace_where, "%s", where != NULL ? where : "");
  pthread_mutex_unlock (&trace_lock);
}

size_t
beckon_faults_get_n_steps (void)
{
  size_t n;

  pthread_mutex_lock (&trace_lock);
  n = n_steps;
  pthread_mutex_unlock (&trace_lock);
  return n;
}

const BeckonFaultsStep *
beckon_faults_get_step (size_t index)
{
  return &steps[index];
}

static int
is_traced (int fd, uint64_t *file)
{
  char link[64], path[4096];
  struct stat info;
  ssize_t length;

  if (trace_where[0] == '\0')
    return 0;
  snprintf (link, sizeof link, "/proc/self/fd/%d", fd);
  length = readlink (link, path, sizeof path - 1);
  if (length <= 0 || fstat (fd, &info) != 0)
    return 0;
  path[length] = '\0';
  *file = info.st_ino;
  return strstr (path, trace_where) != NULL;
}

/* Only what has been done is kept. */
static void
trace (int fd, char kind, int64_t offset, const void *bytes, size_t length)
{
  int before = errno;
  uint64_t file = 0;

  pthread_mutex_lock (&trace_lock);
  if (is_traced (fd, &file))
    {
      if (n_steps == n_allocated)
        {
          n_allocated = n_allocated * 2 + 1024;
          steps = realloc (steps, n_allocated * sizeof *steps);
          if (steps == NULL)
            abort ();
        }
      steps[n_steps] = (BeckonFaultsStep) { file, kind, offset, length, malloc (length + 1) };
      if (length > 0)
        memcpy (steps[n_steps].bytes, bytes, length);
      n_steps++;
    }
  pthread_mutex_unlock (&trace_lock);
  errno = before;
}

static ssize_t
traced (int fd, ssize_t done, int64_t offset, const void *bytes)
{
  if (done > 0)
    trace (fd, 'w', offset, bytes, (size_t) done);
  return done;
}

static int
traced_call (int fd, char kind, int64_t offset, int result)
{
  if (result == 0)
    trace (fd, kind, offset, NULL, 0);
  return result;
}

#define NEXT(name) ((__typeof__ (&name)) dlsym (RTLD_NEXT, #name))

static int
fails_open (const char *path, int flags)
{
  struct stat info;
  int before = errno;
  int exists;

  if (__atomic_load_n (&plan->calls, __ATOMIC_SEQ_CST) == 0)
    return 0;
  exists = stat (path, &info) == 0;
  errno = before;
  if (!exists)
    return (flags & O_CREAT) != 0 && fails (BECKON_FAULTS_CREATE, path);
  return (flags & O_ACCMODE) != O_RDONLY && fails (BECKON_FAULTS_OPEN, path);
}

#define DEFINE_OPEN(name)                                                                                             \
  int name (const char *path, int flags, ...)                                                                        \
  {                                                                                                                   \
    va_list arguments;                                                                                                \
    mode_t mode;                                                                                                      \
                                                                                                                      \
    va_start (arguments, flags);                                                                                      \
    mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg (arguments, mode_t) : 0;                                     \
    va_end (arguments);                                                                                               \
    return fails_open (path, flags) ? -1 : NEXT (name) (path, flags, mode);                                          \
  }

DEFINE_OPEN (open)
DEFINE_OPEN (open64)

ssize_t
write (int fd, const void *bytes, size_t length)
{
  return fails_fd (BECKON_FAULTS_WRITE, fd) ? -1 : NEXT (write) (fd, bytes, length);
}

ssize_t
pwrite (int fd, const void *bytes, size_t length, off_t offset)
{
  return fails_fd (BECKON_FAULTS_WRITE, fd) ? -1 : traced (fd, NEXT (pwrite) (fd, bytes, length, offset), offset, bytes);
}

ssize_t
pwrite64 (int fd, const void *bytes, size_t length, off64_t offset)
{
  return fails_fd (BECKON_FAULTS_WRITE, fd) ? -1 : traced (fd, NEXT (pwrite64) (fd, bytes, length, offset), offset, bytes);
}

ssize_t
pread64 (int fd, void *bytes, size_t length, off64_t offset)
{
  return fails_fd (BECKON_FAULTS_READ, fd) ? -1 : NEXT (pread64) (fd, bytes, length, offset);
}

int
flock (int fd, int operation)
{
  return fails_fd (BECKON_FAULTS_LOCK, fd) ? -1 : NEXT (flock) (fd, operation);
}

int
fsync (int fd)
{
  return fails_fd (BECKON_FAULTS_SYNC, fd) ? -1 : traced_call (fd, 's', 0, NEXT (fsync) (fd));
}

int
fdatasync (int fd)
{
  return fails_fd (BECKON_FAULTS_SYNC, fd) ? -1 : traced_call (fd, 's', 0, NEXT (fdatasync) (fd));
}

static int
fails_truncate (int fd, off64_t length)
{
  struct stat info;

  return fails_fd (BECKON_FAULTS_CHANGE, fd)
         || (fstat (fd, &info) == 0 && info.st_size < length && fails_fd (BECKON_FAULTS_WRITE, fd));
}

int
ftruncate (int fd, off_t length)
{
  return fails_truncate (fd, length) ? -1 : traced_call (fd, 't', length, NEXT (ftruncate) (fd, length));
}

int
ftruncate64 (int fd, off64_t length)
{
  return fails_truncate (fd, length) ? -1 : traced_call (fd, 't', length, NEXT (ftruncate64) (fd, length));
}

int
mkdir (const char *path, mode_t mode)
{
  struct stat info;

  return stat (path, &info) != 0 && fails (BECKON_FAULTS_CREATE, path) ? -1 : NEXT (mkdir) (path, mode);
}

int
link (const char *from, const char *to)
{
  return fails (BECKON_FAULTS_CREATE, to) ? -1 : NEXT (link) (from, to);
}

int
linkat (int from_folder, const char *from, int to_folder, const char *to, int flags)
{
  return fails (BECKON_FAULTS_LINK, to) ? -1 : NEXT (linkat) (from_folder, from, to_folder, to, flags);
}

int
renameat2 (int from_folder, const char *from, int to_folder, const char *to, unsigned int flags)
{
  return flags != 0 && fails (BECKON_FAULTS_FLAGS, to) ? -1
                                                       : NEXT (renameat2) (from_folder, from, to_folder, to, flags);
}

int
rename (const char *from, const char *to)
{
  return fails (BECKON_FAULTS_CHANGE, to) ? -1 : NEXT (rename) (from, to);
}

int
unlink (const char *path)
{
  return fails (BECKON_FAULTS_CHANGE, path) ? -1 : NEXT (unlink) (path);
}

int
chmod (const char *path, mode_t mode)
{
  return fails (BECKON_FAULTS_CHANGE, path) ? -1 : NEXT (chmod) (path, mode);
}

/* SQLite waits, for ten seconds in all, for whoever else may be making the index of the log. While calls fail here, that is in
 * vain. */
int
usleep (useconds_t pause)
{
  if (__atomic_load_n (&plan->calls, __ATOMIC_SEQ_CST) != 0)
    return 0;
  return NEXT (usleep) (pause);
}
