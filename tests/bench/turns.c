/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "turns.h"

#include <time.h>

/* How often the loop is asked to turn; what a gap is longer than that it stood still. */
#define EVERY_MS 1

struct _Turns
{
  gint64 last;
  gint64 last_cpu;
  double longest_cpu;
  GArray *gaps; /* (owned) (element-type double): milliseconds */
  guint source_id;
};

void
turns_wait_until (gboolean *condition)
{
  while (!*condition)
    g_main_context_iteration (NULL, TRUE);
}

static gboolean
wake_up (gpointer data)
{
  *(gboolean *) data = TRUE;

  return G_SOURCE_REMOVE;
}

void
turns_rest (guint ms)
{
  gboolean done = FALSE;

  g_timeout_add (ms, wake_up, &done);
  turns_wait_until (&done);
}

static gint64
get_cpu_time (void)
{
  struct timespec time;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &time);

  return time.tv_sec * G_USEC_PER_SEC + time.tv_nsec / 1000;
}

static gboolean
on_turn (gpointer data)
{
  Turns *turns = data;
  gint64 now = g_get_monotonic_time (), cpu = get_cpu_time ();
  double gap = (double) (now - turns->last) / 1000.0 - EVERY_MS;

  g_array_append_val (turns->gaps, gap);
  turns->longest_cpu = MAX (turns->longest_cpu, (double) (cpu - turns->last_cpu) / 1000.0);
  turns->last = now;
  turns->last_cpu = cpu;

  return G_SOURCE_CONTINUE;
}

Turns *
turns_watch (void)
{
  Turns *turns = g_new0 (Turns, 1);

  turns->last = g_get_monotonic_time ();
  turns->last_cpu = get_cpu_time ();
  turns->gaps = g_array_new (FALSE, FALSE, sizeof (double));
  turns->source_id = g_timeout_add_full (G_PRIORITY_DEFAULT, EVERY_MS, on_turn, turns, NULL);

  return turns;
}

static int
compare (gconstpointer a, gconstpointer b)
{
  double first = *(const double *) a, second = *(const double *) b;

  return first < second ? -1 : first > second;
}

double
turns_get_percentile (Turns *turns, double part)
{
  g_autoptr (GArray) sorted = g_array_copy (turns->gaps);

  if (sorted->len == 0)
    return 0;
  g_array_sort (sorted, compare);

  return g_array_index (sorted, double, MIN ((guint) (part * sorted->len), sorted->len - 1));
}

double
turns_get_longest_cpu (Turns *turns)
{
  return turns->longest_cpu;
}

double
turns_get_longest (Turns *turns)
{
  return turns_get_percentile (turns, 1);
}

void
turns_free (Turns *turns)
{
  g_source_remove (turns->source_id);
  g_array_unref (turns->gaps);
  g_free (turns);
}
