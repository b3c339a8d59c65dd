/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * history-search FOLDER: looks for words of every kind, each in turn, and says how long the best hits took, from the call to
 * the callback: `median MS p95 MS`, and for each kind a line of its own. While it searches, the main loop must stay free:
 * `gap MS` is the longest time in which it was not.
 */

#include "history-store.h"
#include "turns.h"

#include <stdio.h>

#define ROUNDS 12
#define HITS 50

typedef struct
{
  const char *name;
  gboolean chinese;
  guint n_words;
  guint first; /* the rank to begin at, and how far from it */
  guint spread;
} Kind;

static const Kind kinds[] = {
  { "rare", FALSE, 1, 12000, 10000 },     { "middling", FALSE, 1, 300, 2000 },   { "common", FALSE, 1, 0, 30 },
  { "two words", FALSE, 2, 50, 1000 },    { "two common", FALSE, 2, 0, 30 },     { "begun", FALSE, 1, 100, 3000 },
  { "two characters", TRUE, 1, 40, 14 }, { "common characters", TRUE, 2, 0, 12 },
};

static char *
make_query (HistoryWords *words, const Kind *kind)
{
  GString *query = g_string_new (NULL);

  for (guint i = 0; i < kind->n_words; i++)
    {
      guint rank = kind->first + history_words_number (words, kind->spread);
      g_autofree char *word = kind->chinese ? history_words_chinese (rank) : history_words_english (rank);

      g_string_append (query, i > 0 && !kind->chinese ? " " : "");
      g_string_append (query, word);
    }
  if (g_str_equal (kind->name, "begun"))
    g_string_truncate (query, 3);

  return g_string_free (query, FALSE);
}

typedef struct
{
  gboolean done;
  guint n_hits;
} Answer;

static void
on_searched (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Answer *answer = user_data;
  g_autoptr (GError) error = NULL;
  gboolean is_complete = FALSE;
  g_autoptr (GPtrArray) hits = beckon_store_search_finish (BECKON_STORE (source), result, &is_complete, &error);

  if (hits == NULL || !is_complete)
    g_error ("%s", error != NULL ? error->message : "the store is not indexed");
  answer->done = TRUE;
  answer->n_hits = hits->len;
}

static double
search (BeckonStore *store, const char *query, guint *n_hits)
{
  Answer answer = { FALSE, 0 };
  gint64 began = g_get_monotonic_time ();

  beckon_store_search_async (store, query, HITS, NULL, on_searched, &answer);
  while (!answer.done)
    g_main_context_iteration (NULL, TRUE);
  *n_hits = answer.n_hits;

  return (double) (g_get_monotonic_time () - began) / 1000.0;
}

int
main (int argc, char **argv)
{
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (HistoryWords) words = history_words_new (7);
  BeckonStore *store = history_store_open (argv[1]);
  double gap = 0;

  for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
    {
      g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (double));
      g_autoptr (Turns) turns = turns_watch ();
      guint total = 0;

      for (guint i = 0; i < ROUNDS; i++)
        {
          g_autofree char *query = make_query (words, &kinds[k]);
          guint n_hits;
          double time = search (store, query, &n_hits);

          g_array_append_val (times, time);
          g_array_append_val (all, time);
          total += n_hits;
        }
      gap = MAX (gap, turns_get_longest (turns));
      printf ("kind %s: median %.1f ms, longest %.1f ms, %u hits on average\n", kinds[k].name,
              history_percentile (times, 0.5), history_percentile (times, 1), total / ROUNDS);
    }
  printf ("median %.2f\np95 %.2f\ngap %.2f\n", history_percentile (all, 0.5), history_percentile (all, 0.95),
          gap);
  history_store_close (store);

  return 0;
}
