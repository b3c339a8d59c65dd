/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * runs-many BASE_URL: runs of agents in a process of its own. It reads commands and answers each with lines:
 *
 *   run COUNT ORDER   begins COUNT conversations with ORDER, and prints `cpu SECONDS` and `times SECONDS…` when all have ended
 *
 * and ends with its standard input.
 */

#include "runtime/beckon-runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define PROFILE "bench"

typedef struct
{
  guint left;
  gint64 began;
  GArray *times; /* (element-type double) */
} Group;

static void
check (gboolean ok, const GError *error)
{
  if (!ok)
    g_error ("%s", error->message);
}

static void
on_result (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

static void
wait_for (GAsyncResult **result)
{
  while (*result == NULL)
    g_main_context_iteration (NULL, TRUE);
}

static BeckonRuntime *
open_runtime (const char *base_url)
{
  BeckonRuntime *runtime = beckon_runtime_new (NULL);
  g_autoptr (BeckonProfile) profile = beckon_profile_new (PROFILE, BECKON_PROFILE_CHAT);
  g_autoptr (GAsyncResult) opened = NULL;
  g_autoptr (GAsyncResult) saved = NULL;
  g_autoptr (GError) error = NULL;

  beckon_runtime_open_async (runtime, NULL, on_result, &opened);
  wait_for (&opened);
  check (beckon_runtime_open_finish (runtime, opened, &error), error);
  beckon_profile_set_name (profile, "Bench");
  beckon_profile_set_model (profile, "bench");
  beckon_profile_set_base_url (profile, base_url);
  beckon_profiles_save_async (beckon_runtime_get_profiles (runtime), profile, NULL, on_result, &saved);
  wait_for (&saved);
  check (beckon_profiles_save_finish (beckon_runtime_get_profiles (runtime), saved, &error), error);
  beckon_settings_set_default_profile (beckon_runtime_get_settings (runtime), PROFILE);
  return runtime;
}

static void
on_sent (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  check (beckon_agent_send_finish (BECKON_AGENT (source), result, &error), error);
}

static void
on_phase (BeckonConversation *conversation, GParamSpec *pspec, Group *group)
{
  BeckonRunPhase phase = beckon_conversation_get_phase (conversation);
  double seconds = (double) (g_get_monotonic_time () - group->began) / G_USEC_PER_SEC;

  if (!beckon_run_phase_is_end (phase))
    return;
  if (phase != BECKON_RUN_COMPLETE)
    g_error ("A run ended as %s: %s", beckon_run_phase_to_string (phase), beckon_conversation_get_detail (conversation));
  g_array_append_val (group->times, seconds);
  group->left--;
}

static double
cpu_seconds (void)
{
  struct timespec now;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double) now.tv_sec + (double) now.tv_nsec / 1e9;
}

static void
run (BeckonRuntime *runtime, guint count, const char *order)
{
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (double));
  Group group = { count, g_get_monotonic_time (), times };
  double began = cpu_seconds ();

  for (guint i = 0; i < count; i++)
    {
      BeckonConversation *conversation = beckon_library_create (beckon_runtime_get_library (runtime));

      g_signal_connect (conversation, "notify::phase", G_CALLBACK (on_phase), &group);
      beckon_agent_send_async (beckon_runtime_get_agent (runtime), conversation, order, NULL, on_sent, NULL);
    }
  while (group.left > 0)
    g_main_context_iteration (NULL, TRUE);
  printf ("cpu %.6f\ntimes", cpu_seconds () - began);
  for (guint i = 0; i < times->len; i++)
    printf (" %.6f", g_array_index (times, double, i));
  printf ("\n");
}

int
main (int argc, char **argv)
{
  g_autoptr (BeckonRuntime) runtime = NULL;
  g_autoptr (GAsyncResult) closed = NULL;
  char line[256], order[128];
  guint count;

  if (argc != 2)
    g_error ("usage: runs-many BASE_URL");
  setvbuf (stdout, NULL, _IOLBF, 0);
  runtime = open_runtime (argv[1]);
  while (fgets (line, sizeof line, stdin) != NULL)
    {
      if (sscanf (line, "run %u %127s", &count, order) != 2)
        g_error ("No such command: %s", line);
      run (runtime, count, order);
    }
  beckon_runtime_close_async (runtime, on_result, &closed);
  wait_for (&closed);
  return 0;
}
