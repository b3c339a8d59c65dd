/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sandbox-times.h"

#include "beckon-start.h"

#include <gio/gio.h>
#include <stdlib.h>

static int
compare (gconstpointer one, gconstpointer other)
{
  gint64 a = *(const gint64 *) one;
  gint64 b = *(const gint64 *) other;

  return (a > b) - (a < b);
}

double
median_ms (gint64 *times, gsize n_times)
{
  qsort (times, n_times, sizeof *times, compare);
  return (double) times[n_times / 2] / 1000;
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

gint64
time_sandbox (const BeckonSandboxOptions *options)
{
  const char *argv[] = { "true", NULL };
  g_autoptr (GError) error = NULL;
  gint64 begun = g_get_monotonic_time ();
  g_autoptr (BeckonJob) job = beckon_start (argv, options, &error);
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

gint64
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
