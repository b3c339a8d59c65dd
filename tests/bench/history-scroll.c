/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * history-scroll FOLDER N [english]: writes a conversation of N messages and two of 1,000, all of mixed Markdown, with some
 * Chinese unless it is to be without.
 *
 * history-scroll FOLDER scroll: the real window on it; scrolls the longest from its end to its beginning and back, nearly a page
 * a frame. Prints `up MS` and `down MS`, the longest time in which the main loop did not turn, `p99 MS` of both, the frames it
 * took, and `memory MB`, of its own, that the process has more at the end of it.
 *
 * history-scroll FOLDER switch: turns from one conversation of 1,000 messages to the other and back. Prints `switch MS` (median,
 * from the choice to the first picture that has its messages) and `slowest MS`; they were read before, as they are in life.
 */

#include "beckon-config.h"

#include "history-look.h"
#include "history-store.h"
#include "turns.h"

#include "base/beckon-id.h"
#include "ui/application/beckon-application.h"
#include "ui/transcript/beckon-transcript-private.h"

#include <stdio.h>
#include <stdlib.h>

#define SHORTER 1000
#define SWITCHES 21
/* Pages scrolled per frame. */
#define STRIDE 0.9
/* Frames that change nothing after which the end counts as reached. */
#define STILL 90

static char *
write_reply (HistoryWords *words, guint i)
{
  g_autofree char *one = history_words_write (words, 60 + history_words_number (words, 400));
  g_autofree char *two = history_words_write (words, 30 + history_words_number (words, 200));
  g_autofree char *word = history_words_write (words, 12);

  switch (i % 6)
    {
    case 0:
      return g_strdup_printf ("## %s\n\n%s\n\n- **%s**\n- `%s`\n- [%s](https://example.org/)\n", word, one, two, word, word);
    case 1:
      return g_strdup_printf ("%s\n\n```c\nint\nmain (void)\n{\n  puts (\"%s\");\n  return %u;\n}\n```\n\n%s", one, word, i, two);
    case 2:
      return g_strdup_printf ("%s\n\n| Name | Value |\n|---|--:|\n| %s | %u |\n| %s | 2 |\n", one, word, i, word);
    case 3:
      return g_strdup_printf ("> %s\n\n1. %s\n2. %s\n   - %s\n", one, two, word, word);
    default:
      return g_strdup_printf ("%s\n\n%s", one, two);
    }
}

static void
add_conversation (BeckonStore *store, HistoryWords *words, const char *title, guint n)
{
  g_autofree char *id = beckon_id_new ();
  gint64 at = g_get_real_time ();
  g_autoptr (BeckonConversation) conversation = beckon_conversation_new (id, at);
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);

  beckon_conversation_set_title (conversation, title);
  beckon_batch_put_conversation (batch, conversation);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *text = i % 2 == 0 ? history_words_write (words, 20 + history_words_number (words, 120))
                                         : write_reply (words, i / 2);
      g_autoptr (BeckonMessage) message = history_message_new (i, at + i, text);

      beckon_batch_add_message (batch, id, message);
    }
  history_store_commit (store, batch);
}

static void
fill (const char *folder, guint n, gboolean english)
{
  BeckonStore *store = history_store_open (folder);
  g_autoptr (HistoryWords) words = history_words_new (7);

  if (english)
    history_words_use_english (words);
  add_conversation (store, words, "Longest", n);
  add_conversation (store, words, "One", SHORTER);
  add_conversation (store, words, "Other", SHORTER);
  history_store_index (store);
  history_store_close (store);
}

static GtkWidget *
find_widget (GtkWidget *widget, GType type)
{
  if (g_type_is_a (G_OBJECT_TYPE (widget), type))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_widget (child, type);

      if (found != NULL)
        return found;
    }
  return NULL;
}

/* Scrolling */

typedef struct
{
  BeckonTranscript *transcript;
  double direction;
  guint frames;
  guint still;
  double value;
  gboolean done;
} Scrolling;

static gboolean
on_frame (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  Scrolling *scrolling = data;
  GtkAdjustment *adjustment = beckon_transcript_get_adjustment (scrolling->transcript);
  double page = gtk_adjustment_get_page_size (adjustment);

  gtk_adjustment_set_value (adjustment, gtk_adjustment_get_value (adjustment) + scrolling->direction * STRIDE * page);
  scrolling->frames++;
  scrolling->still = gtk_adjustment_get_value (adjustment) == scrolling->value ? scrolling->still + 1 : 0;
  scrolling->value = gtk_adjustment_get_value (adjustment);
  scrolling->done = scrolling->still >= STILL;

  return scrolling->done ? G_SOURCE_REMOVE : G_SOURCE_CONTINUE;
}

static void
scroll (BeckonTranscript *transcript, const char *name, double direction)
{
  Scrolling scrolling = { transcript, direction, 0, 0, 0, FALSE };
  g_autoptr (Turns) turns = turns_watch ();

  gtk_widget_add_tick_callback (GTK_WIDGET (transcript), on_frame, &scrolling, NULL);
  turns_wait_until (&scrolling.done);
  printf ("%s %.2f\n%s-cpu %.2f\n%s-p99 %.2f\n%s-frames %u\n", name, turns_get_longest (turns), name,
          turns_get_longest_cpu (turns), name, turns_get_percentile (turns, 0.99),
          name, scrolling.frames);
}

static void
measure_scrolling (BeckonRuntime *runtime)
{
  BeckonWindow *window = history_look_show (runtime);
  BeckonConversation *longest = history_look_find (runtime, "Longest");
  BeckonTranscript *transcript;
  double before;

  history_look_open (window, longest);
  turns_rest (1000);
  transcript = BECKON_TRANSCRIPT (find_widget (GTK_WIDGET (window), BECKON_TYPE_TRANSCRIPT));
  before = history_look_get_private_mb ();
  scroll (transcript, "up", -1);
  if (beckon_conversation_get_has_earlier (longest) || transcript->first != 0)
    g_error ("the beginning was not reached: %u messages", beckon_conversation_get_n_messages (longest));
  scroll (transcript, "down", 1);
  if (!beckon_transcript_get_at_end (transcript))
    g_error ("the end was not reached");
  turns_rest (500);
  printf ("memory %.2f\n", history_look_get_private_mb () - before);
}

/* Switching */

static void
measure_switching (BeckonRuntime *runtime)
{
  BeckonWindow *window = history_look_show (runtime);
  BeckonConversation *both[2] = { history_look_find (runtime, "One"), history_look_find (runtime, "Other") };
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint i = 0; i < 2; i++)
    {
      history_look_open (window, both[i]);
      turns_rest (800);
    }
  for (guint i = 0; i < SWITCHES; i++)
    {
      double time = history_look_open (window, both[i % 2]);

      g_array_append_val (times, time);
      turns_rest (300);
    }
  printf ("switch %.2f\n", history_percentile (times, 0.5));
  printf ("slowest %.2f\n", history_percentile (times, 1));
}

int
main (int argc, char **argv)
{
  BeckonRuntime *runtime;

  if (argc < 3)
    return 2;
  if (atoi (argv[2]) > 0)
    {
      fill (argv[1], (guint) atoi (argv[2]), argc > 3);
      return 0;
    }
  adw_init ();
  beckon_application_register_resources ();
  runtime = history_look_open_runtime (argv[1]);
  if (g_str_equal (argv[2], "switch"))
    measure_switching (runtime);
  else
    measure_scrolling (runtime);
  fflush (stdout);
  _Exit (0);
}
