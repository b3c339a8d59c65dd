/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * history-fill FOLDER CONVERSATIONS MESSAGES LONGEST: makes a store of so many messages of 200 bytes, by the store's own means
 * and indexed. One conversation, the oldest, has LONGEST of the messages; the others have the rest, in differing numbers. It is
 * called "Longest", the newest one "Newest".
 */

#include "base/beckon-id.h"
#include "history-store.h"

#include <stdio.h>
#include <stdlib.h>

#define MESSAGE_BYTES 200
#define MESSAGES_PER_COMMIT 2000
#define MESSAGES_PER_INDEX 50000
#define MINUTE (60 * G_TIME_SPAN_SECOND)

typedef struct
{
  BeckonStore *store;
  HistoryWords *words;
  BeckonBatch *batch;
  gint64 clock;
  guint in_batch;
  guint unindexed;
} Filling;

static void
flush (Filling *filling)
{
  history_store_commit (filling->store, g_steal_pointer (&filling->batch));
  filling->batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  filling->unindexed += filling->in_batch;
  filling->in_batch = 0;
  if (filling->unindexed < MESSAGES_PER_INDEX)
    return;
  history_store_index (filling->store);
  filling->unindexed = 0;
}

static void
add_run (Filling *filling, const char *id)
{
  BeckonRunRecord *run = beckon_run_record_new (id, "tour", 50);

  run->phase = BECKON_RUN_COMPLETE;
  run->round = 1;
  beckon_batch_add_run (filling->batch, run);
  beckon_run_record_free (run);
}

static void
add_conversation (Filling *filling, const char *title, guint n_messages)
{
  g_autofree char *id = beckon_id_new ();
  g_autoptr (BeckonConversation) conversation = beckon_conversation_new (id, filling->clock);

  beckon_conversation_set_title (conversation, title);
  beckon_conversation_set_updated_at (conversation, filling->clock + MINUTE);
  beckon_batch_put_conversation (filling->batch, conversation);
  for (guint i = 0; i < n_messages; i++)
    {
      g_autofree char *text = history_words_write (filling->words, MESSAGE_BYTES);
      g_autoptr (BeckonMessage) message = history_message_new (i, filling->clock + i, text);

      beckon_batch_add_message (filling->batch, id, message);
      filling->in_batch++;
      if (filling->in_batch >= MESSAGES_PER_COMMIT)
        flush (filling);
    }
  add_run (filling, id);
  filling->clock += MINUTE;
}

static void
fill (Filling *filling, guint n_conversations, guint n_messages, guint n_longest)
{
  guint left = n_messages - n_longest;

  add_conversation (filling, "Longest", n_longest);
  for (guint i = 1; i < n_conversations; i++)
    {
      guint n_after = n_conversations - 1 - i;
      guint even = left / (n_after + 1);
      guint n = n_after == 0 ? left : even / 2 + history_words_number (filling->words, even + 1);
      g_autofree char *title = history_words_write (filling->words, 40);

      n = MIN (n, left);
      add_conversation (filling, n_after == 0 ? "Newest" : title, n);
      left -= n;
    }
  flush (filling);
  history_store_index (filling->store);
}

int
main (int argc, char **argv)
{
  Filling filling = { 0 };
  guint n_conversations, n_messages, n_longest;

  if (argc != 5)
    {
      fprintf (stderr, "history-fill FOLDER CONVERSATIONS MESSAGES LONGEST\n");
      return 2;
    }
  n_conversations = (guint) atoi (argv[2]);
  n_messages = (guint) atoi (argv[3]);
  n_longest = (guint) atoi (argv[4]);
  filling.store = history_store_open (argv[1]);
  filling.words = history_words_new (n_messages);
  filling.batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  filling.clock = g_get_real_time () - n_conversations * MINUTE;

  fill (&filling, n_conversations, n_messages, n_longest);

  beckon_batch_free (filling.batch);
  history_words_free (filling.words);
  history_store_close (filling.store);

  return 0;
}
