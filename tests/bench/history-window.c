/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * history-window FOLDER open: the real window on a store; opens its longest conversation and the newest in turns. Prints
 * `open MS` (median, from the choice to the first picture that has its messages), `short MS` (the same for the newest), and
 * what memory of its own the process has more once the conversation is shown, `memory MB` and `short-memory MB`.
 *
 * history-window FOLDER gap: the same window, while another process writes 1,000 messages a second. Prints `gap MS`, the longest
 * time in which its main loop did not turn, and `written N`. history-window FOLDER bare: the same of an empty window.
 *
 * history-window FOLDER write: that other process.
 *
 * history-window FOLDER start: a window and its store at the same time, as the program begins. Prints `usable MS`, until the first
 * picture after the history was there, and `whole MS`, until all of it was.
 */

#include "beckon-config.h"

#include "history-look.h"
#include "history-store.h"
#include "turns.h"

#include "base/beckon-id.h"
#include "ui/application/beckon-application.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TURNS 8
#define MEASURE_US (5 * G_TIME_SPAN_SECOND)
#define PER_TICK 10
#define TICK_MS 10

static void
on_runtime_opened (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  if (!beckon_runtime_open_finish (BECKON_RUNTIME (source), result, &error))
    g_error ("%s", error->message);
  *(gboolean *) user_data = TRUE;
}

/* Starting */

static void
on_started (GdkFrameClock *clock, gboolean *painted)
{
  *painted = TRUE;
}

static void
on_usable (gboolean *usable)
{
  *usable = TRUE;
}

static void
measure_start (const char *folder, gint64 began)
{
  GtkWidget *window = beckon_window_new (NULL, beckon_settings_new ());
  BeckonRuntime *runtime = beckon_runtime_new (folder);
  gboolean is_usable = FALSE, is_open = FALSE, painted = FALSE;

  beckon_runtime_set_gradual (runtime, TRUE);
  g_signal_connect_swapped (runtime, "usable", G_CALLBACK (on_usable), &is_usable);
  beckon_runtime_open_async (runtime, NULL, on_runtime_opened, &is_open);
  gtk_window_set_default_size (GTK_WINDOW (window), 1000, 700);
  gtk_window_present (GTK_WINDOW (window));
  turns_wait_until (&is_usable);
  beckon_window_set_runtime (BECKON_WINDOW (window), runtime);
  while (!gtk_widget_get_mapped (window))
    g_main_context_iteration (NULL, TRUE);
  g_signal_connect (gtk_widget_get_frame_clock (window), "after-paint", G_CALLBACK (on_started), &painted);
  gtk_widget_queue_draw (window);
  turns_wait_until (&painted);
  printf ("usable %.2f\n", (double) (g_get_monotonic_time () - began) / 1000.0);
  turns_wait_until (&is_open);
  printf ("whole %.2f\n", (double) (g_get_monotonic_time () - began) / 1000.0);
}

/* Opening */

/* Each time it is read anew: what a person turns to was last seen yesterday. */
static void
forget (BeckonConversation *conversation)
{
  g_autoptr (GPtrArray) nothing = g_ptr_array_new ();

  beckon_conversation_set_loaded (conversation, FALSE);
  beckon_conversation_set_messages (conversation, nothing);
}

static void
measure_opening (BeckonRuntime *runtime)
{
  BeckonWindow *window = history_look_show (runtime);
  BeckonConversation *both[2] = { history_look_find (runtime, "Newest"), history_look_find (runtime, "Longest") };
  GArray *times[2] = { g_array_new (FALSE, FALSE, sizeof (double)), g_array_new (FALSE, FALSE, sizeof (double)) };
  double memory[2] = { 0, 0 }, before;

  for (guint i = 0; i < TURNS; i++)
    {
      beckon_window_new_conversation (window);
      turns_rest (500);
      for (guint which = 0; which < 2; which++)
        {
          double time;

          forget (both[which]);
          before = history_look_get_private_mb ();
          time = history_look_open (window, both[which]);
          turns_rest (800);
          memory[which] = history_look_get_private_mb () - before;
          if (i > 0)
            g_array_append_val (times[which], time);
          beckon_window_new_conversation (window);
          turns_rest (500);
        }
    }
  printf ("short %.2f\nopen %.2f\nshort-memory %.2f\nmemory %.2f\nloaded %u\n", history_percentile (times[0], 0.5),
          history_percentile (times[1], 0.5), memory[0], memory[1], beckon_conversation_get_n_messages (both[1]));
}

/* Gaps */

static double
measure_gap (void)
{
  g_autoptr (Turns) turns = turns_watch ();

  turns_rest (MEASURE_US / 1000);

  return turns_get_longest (turns);
}

static void
measure_gap_while_writing (BeckonRuntime *runtime, const char *program, const char *folder)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) writer = NULL;
  g_autofree char *written = NULL;
  double gap;

  history_look_show (runtime);
  writer = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error, program, folder, "write", NULL);
  if (writer == NULL)
    g_error ("%s", error->message);
  turns_rest (500);
  gap = measure_gap ();
  if (!g_subprocess_communicate_utf8 (writer, NULL, NULL, &written, NULL, &error))
    g_error ("%s", error->message);
  printf ("gap %.2f\n%s", gap, written);
}

static gboolean
on_tick (gpointer data)
{
  *(guint *) data += PER_TICK;

  return G_SOURCE_CONTINUE;
}

/* A little longer than it is measured. What could not be written in time is written as soon as it can. */
static void
write_messages (const char *folder)
{
  BeckonStore *store = history_store_open (folder);
  g_autoptr (HistoryWords) words = history_words_new (11);
  g_autofree char *id = beckon_id_new ();
  g_autoptr (BeckonConversation) conversation = beckon_conversation_new (id, g_get_real_time ());
  gint64 end = g_get_monotonic_time () + MEASURE_US + G_TIME_SPAN_SECOND;
  guint due = 0, written = 0, tick = g_timeout_add (TICK_MS, on_tick, &due);

  beckon_conversation_set_title (conversation, "Written");
  while (g_get_monotonic_time () < end)
    {
      BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);

      g_main_context_iteration (NULL, TRUE);
      beckon_batch_put_conversation (batch, conversation);
      for (; written < due; written++)
        {
          g_autofree char *text = history_words_write (words, 200);
          g_autoptr (BeckonMessage) message = history_message_new (written, g_get_real_time (), text);

          beckon_batch_add_message (batch, id, message);
        }
      history_store_commit (store, batch);
    }
  g_source_remove (tick);
  printf ("written %u\n", written);
  history_store_close (store);
}

int
main (int argc, char **argv)
{
  BeckonRuntime *runtime;
  gint64 began = g_get_monotonic_time ();

  if (argc != 3)
    return 2;
  if (g_str_equal (argv[2], "write"))
    {
      write_messages (argv[1]);
      return 0;
    }
  adw_init ();
  beckon_application_register_resources ();
  if (g_str_equal (argv[2], "bare"))
    {
      GtkWidget *window = adw_window_new ();

      gtk_window_present (GTK_WINDOW (window));
      turns_rest (1500);
      printf ("gap %.2f\n", measure_gap ());
      return 0;
    }
  if (g_str_equal (argv[2], "start"))
    {
      measure_start (argv[1], began);
      fflush (stdout);
      _Exit (0);
    }
  runtime = history_look_open_runtime (argv[1]);
  if (g_str_equal (argv[2], "open"))
    measure_opening (runtime);
  else
    measure_gap_while_writing (runtime, argv[0], argv[1]);
  fflush (stdout);
  /* The measurement is over; the store is a copy. */
  _Exit (0);
}
