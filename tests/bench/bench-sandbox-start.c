/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How long a command takes that does nothing: in our sandbox, and in turns by bubblewrap that isolates nothing. */

#include "beckon-tree.h"
#include "sandbox-times.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <stdlib.h>

#define SAMPLES 101
#define GOAL 2.5

/* A sandbox's cleanup must not disturb what is measured next. */
static void
wait_until_empty (const char *folder)
{
  while (beckon_tree_count (folder) > 0)
    g_main_context_iteration (NULL, TRUE);
}

static gint64
time_ours (const char *folder)
{
  const BeckonSandboxOptions options = { .folder = folder };

  return time_sandbox (&options);
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
  our_ms = median_ms (ours, SAMPLES);
  bare_ms = median_ms (bare, SAMPLES);
  printf ("# a command that does nothing: %.2f ms in the sandbox, %.2f ms by bare bubblewrap\n", our_ms, bare_ms);
  printf ("bench sandbox-start = %.2f times bare bwrap, goal <= %.1f: %s\n", our_ms / bare_ms, GOAL,
          our_ms <= GOAL * bare_ms ? "holds" : "falls short");
  return our_ms <= GOAL * bare_ms ? 0 : 1;
}
