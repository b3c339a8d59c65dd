/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How long a command takes that does nothing: in our sandbox, and in turns by bubblewrap that isolates nothing. */

#include "beckon-tree.h"
#include "tools/beckon-sandbox.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <stdlib.h>

#define SAMPLES 101
#define GOAL 1.5

static int
compare (gconstpointer one, gconstpointer other)
{
  gint64 a = *(const gint64 *) one;
  gint64 b = *(const gint64 *) other;

  return (a > b) - (a < b);
}

static double
median_ms (gint64 *times)
{
  qsort (times, SAMPLES, sizeof *times, compare);
  return (double) times[SAMPLES / 2] / 1000;
}

static void
on_done (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  if (BECKON_IS_JOB (source))
    beckon_job_wait_finish (BECKON_JOB (source), result, &error);
  else
    g_subprocess_wait_check_finish (G_SUBPROCESS (source), result, &error);
  if (error != NULL)
    g_error ("%s", error->message);
  *(gboolean *) user_data = TRUE;
}

static void
wait_until (gboolean *condition)
{
  while (!*condition)
    g_main_context_iteration (NULL, TRUE);
}

/* What a sandbox leaves to be taken away is not to disturb what is measured next. */
static void
wait_until_empty (const char *folder)
{
  while (beckon_tree_count (folder) > 0)
    g_main_context_iteration (NULL, TRUE);
}

static gint64
time_ours (const char *folder)
{
  const char *argv[] = { "true", NULL };
  BeckonSandboxOptions options = { .folder = folder };
  g_autoptr (GError) error = NULL;
  gint64 begun = g_get_monotonic_time ();
  g_autoptr (BeckonJob) job = beckon_sandbox_start (argv, &options, &error);
  gboolean is_done = FALSE;

  if (job == NULL)
    g_error ("%s", error->message);
  beckon_job_wait_async (job, NULL, on_done, &is_done);
  wait_until (&is_done);
  if (beckon_job_get_status (job) != 0)
    {
      g_autofree char *said = beckon_output_get_tail (beckon_job_get_output (job), 5);

      g_error ("The command ended with %d: %s", beckon_job_get_status (job), said);
    }
  return g_get_monotonic_time () - begun;
}

static gint64
time_bare (void)
{
  g_autoptr (GError) error = NULL;
  gint64 begun = g_get_monotonic_time ();
  g_autoptr (GSubprocess) process = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error, "bwrap", "--unshare-all",
                                                      "--ro-bind", "/", "/", "true", NULL);
  gboolean is_done = FALSE;

  if (process == NULL)
    g_error ("%s", error->message);
  g_subprocess_wait_check_async (process, NULL, on_done, &is_done);
  wait_until (&is_done);
  return g_get_monotonic_time () - begun;
}

int
main (void)
{
  g_autofree char *made = g_dir_make_tmp ("beckon-bench-XXXXXX", NULL);
  g_autofree char *folder = realpath (made, NULL);
  gint64 ours[SAMPLES];
  gint64 bare[SAMPLES];
  double our_ms;
  double bare_ms;

  time_ours (folder);
  wait_until_empty (folder);
  time_bare ();
  for (guint i = 0; i < SAMPLES; i++)
    {
      ours[i] = time_ours (folder);
      wait_until_empty (folder);
      bare[i] = time_bare ();
    }
  g_rmdir (folder);
  our_ms = median_ms (ours);
  bare_ms = median_ms (bare);
  printf ("# a command that does nothing: %.2f ms in the sandbox, %.2f ms by bare bubblewrap\n", our_ms, bare_ms);
  printf ("bench sandbox-start = %.2f times bare bwrap, goal <= %.1f: %s\n", our_ms / bare_ms, GOAL,
          our_ms <= GOAL * bare_ms ? "holds" : "falls short");
  return our_ms <= GOAL * bare_ms ? 0 : 1;
}
