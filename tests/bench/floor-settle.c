/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * floor-settle FILE PROCESSES ITEMS: the least that it can cost to decide each item once, durably: so many processes go through the
 * same items; whoever finds one undecided decides it under a lock that wakes who waits, by one page written to a file that is long
 * enough, and synced. Prints, of every look at an item, `median MS` and `p99 MS`.
 */

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PAGE 4096
#define MOST_ITEMS 10000
#define MOST_PROCESSES 16

typedef struct
{
  pthread_mutex_t lock;
  volatile char decided[MOST_ITEMS];
  double times[MOST_PROCESSES * MOST_ITEMS];
} Shared;

static const char page[PAGE];

static double
get_ms (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);

  return (double) now.tv_sec * 1e3 + (double) now.tv_nsec / 1e6;
}

static void
write_page (int fd, int index)
{
  if (pwrite (fd, page, PAGE, (off_t) index * PAGE) != PAGE || fdatasync (fd) != 0)
    {
      perror ("floor-settle");
      _exit (1);
    }
}

static void
decide_all (Shared *shared, const char *path, int n_items, double *times)
{
  int fd = open (path, O_RDWR);

  for (int i = 0; i < n_items; i++)
    {
      double began = get_ms ();

      if (!shared->decided[i])
        {
          pthread_mutex_lock (&shared->lock);
          if (!shared->decided[i])
            write_page (fd, i);
          shared->decided[i] = 1;
          pthread_mutex_unlock (&shared->lock);
        }
      times[i] = get_ms () - began;
    }
}

static Shared *
make_shared (void)
{
  Shared *shared = mmap (NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  pthread_mutexattr_t attributes;

  pthread_mutexattr_init (&attributes);
  pthread_mutexattr_setpshared (&attributes, PTHREAD_PROCESS_SHARED);
  pthread_mutex_init (&shared->lock, &attributes);

  return shared;
}

static void
make_file (const char *path, int n_items)
{
  int fd = open (path, O_CREAT | O_TRUNC | O_RDWR, 0600);

  for (int i = 0; i < n_items; i++)
    if (pwrite (fd, page, PAGE, (off_t) i * PAGE) != PAGE)
      exit (1);
  fsync (fd);
  close (fd);
}

static int
compare (const void *a, const void *b)
{
  double first = *(const double *) a, second = *(const double *) b;

  return (first > second) - (first < second);
}

int
main (int argc, char **argv)
{
  Shared *shared = make_shared ();
  int n_processes = argc == 4 ? atoi (argv[2]) : 0, n_items = argc == 4 ? atoi (argv[3]) : 0;
  int n = n_processes * n_items;

  if (n_processes < 1 || n_processes > MOST_PROCESSES || n_items < 1 || n_items > MOST_ITEMS)
    return 2;

  make_file (argv[1], n_items);
  for (int i = 0; i < n_processes; i++)
    if (fork () == 0)
      {
        decide_all (shared, argv[1], n_items, shared->times + i * n_items);
        _exit (0);
      }
  while (wait (NULL) > 0)
    continue;

  qsort (shared->times, (size_t) n, sizeof (double), compare);
  printf ("median %.3f\np99 %.3f\n", shared->times[n / 2], shared->times[n * 99 / 100]);

  return 0;
}
