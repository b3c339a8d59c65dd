/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * history-append SMALL LARGE: adds messages to the newest conversation of each of two stores, in turns, as the agent does, with
 * pauses in which the stores do what they put off. Prints `small MS`, `large MS` (medians) and `p99 MS` (of the large one), each
 * from the call to the callback.
 */

#include "history-store.h"

#include <stdio.h>

#define WARM_UP 50
#define ROUNDS 1500
#define PAUSE_US 4000

typedef struct
{
  BeckonStore *store;
  BeckonConversation *conversation;
  GArray *times;
} Side;

static void
take_result (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

static GAsyncResult *
wait_for (GAsyncResult **result)
{
  while (*result == NULL)
    g_main_context_iteration (NULL, TRUE);

  return *result;
}

static Side
open_side (const char *directory)
{
  Side side = { history_store_open (directory), NULL, g_array_new (FALSE, FALSE, sizeof (double)) };
  g_autoptr (BeckonLibrary) library = beckon_library_new (side.store, beckon_clock_get_system ());
  g_autoptr (GAsyncResult) loaded = NULL;
  g_autoptr (GAsyncResult) opened = NULL;
  g_autoptr (GError) error = NULL;

  beckon_library_load_async (library, NULL, take_result, &loaded);
  if (!beckon_library_load_finish (library, wait_for (&loaded), &error))
    g_error ("%s", error->message);
  side.conversation = g_list_model_get_item (G_LIST_MODEL (library), 0);
  beckon_library_open_async (library, side.conversation, NULL, take_result, &opened);
  if (!beckon_library_open_finish (library, wait_for (&opened), &error))
    g_error ("%s", error->message);

  return side;
}

static void
append (Side *side, HistoryWords *words)
{
  g_autofree char *text = history_words_write (words, 200);
  g_autoptr (BeckonMessage) message =
    history_message_new (beckon_conversation_get_next_seq (side->conversation), g_get_real_time (), text);
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  gint64 began = g_get_monotonic_time ();
  double time;

  beckon_conversation_set_updated_at (side->conversation, beckon_message_get_created_at (message));
  beckon_batch_put_conversation (batch, side->conversation);
  beckon_batch_add_message (batch, beckon_conversation_get_id (side->conversation), message);
  history_store_commit (side->store, batch);
  time = (double) (g_get_monotonic_time () - began) / 1000.0;
  beckon_conversation_add_message (side->conversation, message);
  g_array_append_val (side->times, time);
}

static gboolean
wake_up (gpointer data)
{
  *(gboolean *) data = TRUE;

  return G_SOURCE_REMOVE;
}

static void
rest (void)
{
  gboolean done = FALSE;

  g_timeout_add (PAUSE_US / 1000, wake_up, &done);
  while (!done)
    g_main_context_iteration (NULL, TRUE);
}

int
main (int argc, char **argv)
{
  g_autoptr (HistoryWords) words = history_words_new (3);
  Side sides[2];

  if (argc != 3)
    return 2;
  sides[0] = open_side (argv[1]);
  sides[1] = open_side (argv[2]);
  for (guint i = 0; i < WARM_UP + ROUNDS; i++)
    {
      append (&sides[i % 2], words);
      append (&sides[1 - i % 2], words);
      rest ();
    }
  for (guint i = 0; i < 2; i++)
    g_array_remove_range (sides[i].times, 0, WARM_UP);
  printf ("small %.4f\nlarge %.4f\np99 %.3f\nlongest %.3f\n", history_percentile (sides[0].times, 0.5),
          history_percentile (sides[1].times, 0.5), history_percentile (sides[1].times, 0.99),
          history_percentile (sides[1].times, 1));
  for (guint i = 0; i < 2; i++)
    {
      g_object_unref (sides[i].conversation);
      history_store_close (sides[i].store);
      g_array_unref (sides[i].times);
    }

  return 0;
}
