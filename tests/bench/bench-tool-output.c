/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Cost of 100 MB of a command's output: memory of the process, and how long its main loop does not turn while a window shows
 * the output in its card. A window that shows a card at rest for as long is subtracted.
 */

#include "beckon-config.h"

#include "tools/beckon-run-command.h"
#include "ui/application/beckon-application.h"
#include "ui/cards/beckon-tool-card.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SAMPLES 5
#define GAP_GOAL 16.0
#define MEMORY_GOAL 32.0
#define ARGUMENTS "{\"command\":\"yes beckon beckon beckon | head -c 100000000\"}"

typedef struct
{
  gint64 last;
  gint64 longest;
} Gaps;

static gboolean
on_turn (gpointer data)
{
  Gaps *gaps = data;
  gint64 now = g_get_monotonic_time ();

  gaps->longest = MAX (gaps->longest, now - gaps->last - 1000);
  gaps->last = now;
  return G_SOURCE_CONTINUE;
}

static double
get_resident_mb (const char *field)
{
  g_autofree char *status = NULL;

  g_file_get_contents ("/proc/self/status", &status, NULL, NULL);
  return atof (strstr (status, field) + strlen (field)) / 1024;
}

static void
on_done (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = beckon_tool_run_finish (BECKON_TOOL (source), result, &error);

  if (text == NULL)
    g_error ("%s", error->message);
  if (strstr (text, "Exit status 0") == NULL || strstr (text, "read_file with path") == NULL)
    g_error ("%s", text + strlen (text) - 200);
  *(gboolean *) user_data = TRUE;
}

static gboolean
wake_up (gpointer data)
{
  *(gboolean *) data = TRUE;
  return G_SOURCE_REMOVE;
}

static void
report (const char *text, gpointer data)
{
  beckon_tool_call_set_output (data, text);
}

static GtkWidget *
show_card (BeckonToolCall *call)
{
  GtkWidget *window = gtk_window_new ();

  gtk_window_set_child (GTK_WINDOW (window), beckon_tool_card_new (call));
  gtk_window_set_default_size (GTK_WINDOW (window), 800, 700);
  gtk_window_present (GTK_WINDOW (window));
  while (!gtk_widget_get_mapped (window))
    g_main_context_iteration (NULL, TRUE);
  return window;
}

/* @ms: (inout): how long to rest; 0 to run the command, and to say how long it took. */
static double
measure (BeckonTool *tool, const char *folder, guint *ms)
{
  g_autoptr (BeckonToolCall) call = beckon_tool_call_new (NULL, NULL, "run_command", ARGUMENTS);
  GtkWidget *window = show_card (call);
  BeckonToolContext context = {
    .conversation_id = "c", .message_id = "m", .call = call, .arguments = ARGUMENTS, .folder = folder,
    .report = report, .report_data = call, .now = g_get_real_time (),
  };
  gboolean is_done = FALSE;
  Gaps gaps;
  guint turn;
  gint64 begun;

  beckon_tool_call_set_state (call, BECKON_CALL_STARTED);
  beckon_tool_call_set_output (call, "waiting");
  g_timeout_add (500, wake_up, &is_done);
  while (!is_done)
    g_main_context_iteration (NULL, TRUE);

  is_done = FALSE;
  begun = gaps.last = g_get_monotonic_time ();
  gaps.longest = 0;
  turn = g_timeout_add_full (G_PRIORITY_DEFAULT, 1, on_turn, &gaps, NULL);
  if (*ms > 0)
    g_timeout_add (*ms, wake_up, &is_done);
  else
    beckon_tool_run_async (tool, &context, NULL, on_done, &is_done);
  while (!is_done)
    g_main_context_iteration (NULL, TRUE);
  g_source_remove (turn);
  if (*ms == 0)
    *ms = (guint) ((g_get_monotonic_time () - begun) / 1000);
  gtk_window_destroy (GTK_WINDOW (window));
  return (double) gaps.longest / 1000;
}

static int
compare (gconstpointer one, gconstpointer other)
{
  double a = *(const double *) one;
  double b = *(const double *) other;

  return (a > b) - (a < b);
}

static gboolean
tell (const char *name, double value, const char *unit, double goal)
{
  printf ("bench %s = %.2f %s, goal <= %g: %s\n", name, value, unit, goal, value <= goal ? "holds" : "falls short");
  return value <= goal;
}

int
main (void)
{
  g_autofree char *made = g_dir_make_tmp ("beckon-bench-XXXXXX", NULL);
  g_autofree char *folder = realpath (made, NULL);
  g_autoptr (BeckonOutputStore) outputs = beckon_output_store_new ();
  g_autoptr (BeckonTool) tool = beckon_run_command_new (outputs);
  double gaps[SAMPLES];
  double bare[SAMPLES];
  double before;
  double more;
  guint ms = 1000;
  gboolean holds;

  /* A card that is not whole would cost nothing. */
  g_log_set_always_fatal (G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_ERROR);
  adw_init ();
  beckon_application_register_resources ();
  measure (tool, folder, &ms);
  before = get_resident_mb ("VmRSS:");
  for (guint i = 0; i < SAMPLES; i++)
    {
      ms = 0;
      gaps[i] = measure (tool, folder, &ms);
      printf ("# 100 MB in %u ms, the longest gap %.1f ms", ms, gaps[i]);
      bare[i] = measure (tool, folder, &ms);
      printf (", of a window at rest %.1f ms\n", bare[i]);
    }
  more = get_resident_mb ("VmHWM:") - before;
  g_rmdir (folder);
  qsort (gaps, SAMPLES, sizeof *gaps, compare);
  qsort (bare, SAMPLES, sizeof *bare, compare);
  holds = tell ("tool-output-memory", more, "MB more at the most, 100 MB of output", MEMORY_GOAL);
  holds = tell ("tool-output-gap", gaps[SAMPLES / 2] - bare[SAMPLES / 2], "ms beyond a bare window's, 100 MB of output",
                GAP_GOAL)
          && holds;
  return holds ? 0 : 1;
}
