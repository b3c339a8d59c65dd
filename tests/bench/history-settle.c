/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * history-settle FOLDER PROCESSES REQUESTS: makes requests in a new store; then so many processes answer all of them in the same
 * order at the same time. Prints `winners N`, and of each answer, from the call to the callback, `median MS` and `p99 MS`.
 */

#include "base/beckon-id.h"
#include "history-store.h"
#include "request/beckon-question-request.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

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

static void
add_request (BeckonStore *store)
{
  g_autofree char *id = beckon_id_new ();
  gint64 now = g_get_real_time ();
  g_autoptr (BeckonConversation) conversation = beckon_conversation_new (id, now);
  g_autoptr (BeckonRunRecord) run = beckon_run_record_new (id, "tour", 50);
  g_autoptr (BeckonQuestion) question = beckon_question_parse ("{\"question\": \"Who?\"}", NULL);
  g_autoptr (BeckonToolCall) call = beckon_tool_call_new (NULL, "call_1", "ask_user", "{}");
  g_autoptr (BeckonPart) part = beckon_part_new_call (call);
  g_autoptr (BeckonMessage) message = beckon_message_new (NULL, BECKON_ROLE_ASSISTANT, now);
  g_autoptr (BeckonRequest) request = NULL;
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);

  run->phase = BECKON_RUN_WAITING;
  run->round = 1;
  beckon_tool_call_set_state (call, BECKON_CALL_AWAITING);
  beckon_message_set_seq (message, 0);
  beckon_message_add_part (message, part);
  request = beckon_question_request_new (NULL, id, beckon_message_get_id (message), beckon_tool_call_get_id (call),
                                         question, now);
  beckon_batch_put_conversation (batch, conversation);
  beckon_batch_add_run (batch, run);
  beckon_batch_add_message (batch, id, message);
  beckon_batch_add_request (batch, request);
  history_store_commit (store, batch);
}

static gboolean
settle (BeckonStore *store, BeckonRequest *request, const BeckonAnswer *answer, GArray *times)
{
  g_autofree char *actor = g_strdup_printf ("%d", (int) getpid ());
  g_autoptr (BeckonSettlement) settlement =
    beckon_settlement_new (request, answer, "terminal", actor, g_get_real_time ());
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  gint64 began = g_get_monotonic_time ();
  gboolean won;
  double time;

  beckon_request_store_settle_async (BECKON_REQUEST_STORE (store), settlement, NULL, take_result, &result);
  won = beckon_request_store_settle_finish (BECKON_REQUEST_STORE (store), wait_for (&result), &error);
  time = (double) (g_get_monotonic_time () - began) / 1000.0;
  g_array_append_val (times, time);
  if (!won && !g_error_matches (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_ALREADY_SETTLED))
    g_error ("%s", error->message);

  return won;
}

/* Says that it is ready, waits, and writes how many it won and how long each answer took. */
static void
answer_all (const char *directory, int begin_fd, int say_fd)
{
  BeckonStore *store = history_store_open (directory);
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (BeckonAnswer) answer = beckon_answer_new_question (1);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GPtrArray) pending = NULL;
  guint won = 0;
  char byte = '.';

  beckon_request_store_list_pending_async (BECKON_REQUEST_STORE (store), NULL, take_result, &result);
  pending = beckon_request_store_list_pending_finish (BECKON_REQUEST_STORE (store), wait_for (&result), NULL);
  beckon_answer_set_item_text (answer, 0, "me");
  if (write (say_fd, &byte, 1) != 1 || read (begin_fd, &byte, 1) != 0)
    _exit (1);

  for (guint i = 0; i < pending->len; i++)
    won += settle (store, g_ptr_array_index (pending, i), answer, times) ? 1 : 0;

  if (write (say_fd, &won, sizeof won) != sizeof won
      || write (say_fd, times->data, times->len * sizeof (double)) != (gssize) (times->len * sizeof (double)))
    _exit (1);
  history_store_close (store);
}

static gboolean
read_all (int fd, gpointer data, gsize size)
{
  for (gsize got = 0; got < size;)
    {
      gssize n = read (fd, (char *) data + got, size - got);

      if (n <= 0)
        return FALSE;
      got += (gsize) n;
    }

  return TRUE;
}

static void
start (const char *directory, int begin[2], int *say_fd)
{
  int say[2];

  if (pipe (say) != 0)
    g_error ("no pipe");
  *say_fd = say[0];
  if (fork () != 0)
    {
      close (say[1]);
      return;
    }
  close (begin[1]);
  close (say[0]);
  answer_all (directory, begin[0], say[1]);
  _exit (0);
}

int
main (int argc, char **argv)
{
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (double));
  guint n_processes, n_requests, winners = 0;
  int begin[2], says[64];
  char byte;

  if (argc != 4 || atoi (argv[2]) > (int) G_N_ELEMENTS (says) || pipe (begin) != 0)
    return 2;
  n_processes = (guint) atoi (argv[2]);
  n_requests = (guint) atoi (argv[3]);

  /* Before there is a thread here: children begin as copies. */
  if (fork () == 0)
    {
      BeckonStore *store = history_store_open (argv[1]);

      for (guint i = 0; i < n_requests; i++)
        add_request (store);
      history_store_close (store);
      _exit (0);
    }
  wait (NULL);
  for (guint i = 0; i < n_processes; i++)
    start (argv[1], begin, &says[i]);
  for (guint i = 0; i < n_processes; i++)
    if (!read_all (says[i], &byte, 1))
      g_error ("a process failed");
  close (begin[1]);

  g_array_set_size (times, n_processes * n_requests);
  for (guint i = 0; i < n_processes; i++)
    {
      guint won;

      if (!read_all (says[i], &won, sizeof won)
          || !read_all (says[i], &g_array_index (times, double, i * n_requests), n_requests * sizeof (double)))
        g_error ("a process failed");
      winners += won;
    }
  while (wait (NULL) > 0)
    continue;
  printf ("winners %u\nmedian %.3f\np99 %.3f\nlongest %.3f\n", winners, history_percentile (times, 0.5),
          history_percentile (times, 0.99), history_percentile (times, 1));

  return 0;
}
