/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How long a command takes that does nothing on a copy-on-write view of its folder, with what is prepared for it: in turns with
 * bubblewrap that isolates nothing, and in a folder of many files. */

#include "beckon-tree.h"
#include "sandbox-times.h"
#include "sandbox/beckon-sandbox-view.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <stdlib.h>

#define SAMPLES 101
#define GOAL 2.5
#define MANY_FILES 200000
#define GOAL_MANY 1.1

static void
on_learned (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  if (!beckon_sandbox_view_learn_finish (result, &error))
    g_error ("%s", error->message);
  *(gboolean *) user_data = TRUE;
}

static void
learn (const char *folder)
{
  gboolean is_known = FALSE;

  beckon_sandbox_view_learn_async (folder, NULL, on_learned, &is_known);
  while (!is_known)
    g_main_context_iteration (NULL, TRUE);
  if (beckon_sandbox_view_get (folder) != BECKON_VIEW_OVERLAY)
    g_error ("there is no overlay of %s", folder);
}

static gint64
time_view (const char *root, const char *folder)
{
  g_autofree char *place = g_build_filename (root, "place", NULL);
  const BeckonSandboxOptions options = { .folder = folder, .place = place };
  g_autoptr (GError) error = NULL;
  gint64 begun, time;

  g_mkdir (place, 0700);
  begun = g_get_monotonic_time ();
  if (!beckon_sandbox_view_make (folder, place, NULL, NULL, &error))
    g_error ("%s", error->message);
  time = g_get_monotonic_time () - begun + time_sandbox (&options);
  beckon_tree_remove (place);
  return time;
}

static char *
make_folder (const char *root, const char *name, guint n_files)
{
  char *folder = g_build_filename (root, name, NULL);

  g_mkdir (folder, 0755);
  for (guint i = 0; i < n_files; i++)
    {
      g_autofree char *sub = g_strdup_printf ("%s/%u", folder, i / 1000);
      g_autofree char *file = g_strdup_printf ("%s/%u", sub, i);
      FILE *stream;

      if (i % 1000 == 0)
        g_mkdir (sub, 0755);
      stream = fopen (file, "w");
      if (stream == NULL)
        g_error ("%s cannot be made", file);
      fclose (stream);
    }
  return folder;
}

int
main (void)
{
  g_autofree char *made = g_dir_make_tmp ("beckon-bench-XXXXXX", NULL);
  g_autofree char *root = realpath (made, NULL);
  g_autofree char *folder = make_folder (root, "few", 10);
  g_autofree char *large = make_folder (root, "many", MANY_FILES);
  gint64 views[SAMPLES], bare[SAMPLES], many[SAMPLES];
  double view_ms, bare_ms, many_ms;
  gboolean holds;

  learn (folder);
  learn (large);
  time_view (root, folder);
  time_bare ();
  for (guint i = 0; i < SAMPLES; i++)
    {
      views[i] = time_view (root, folder);
      bare[i] = time_bare ();
      many[i] = time_view (root, large);
    }
  beckon_tree_remove (root);
  view_ms = median_ms (views, SAMPLES);
  bare_ms = median_ms (bare, SAMPLES);
  many_ms = median_ms (many, SAMPLES);
  holds = view_ms <= GOAL * bare_ms && many_ms <= GOAL_MANY * view_ms;
  printf ("# a command that does nothing: %.2f ms on a view, %.2f ms in a folder of %u files, %.2f ms by bare bubblewrap\n",
          view_ms, many_ms, MANY_FILES, bare_ms);
  printf ("bench view-start = %.2f times bare bwrap, goal <= %.1f; many files %.2f times few, goal <= %.1f: %s\n",
          view_ms / bare_ms, GOAL, many_ms / view_ms, GOAL_MANY, holds ? "holds" : "falls short");
  return holds ? 0 : 1;
}
