/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Costs that must not grow with the history: that of a piece of text with the length of the reply, and that of a look with
 * the number of conversations.
 */

#include "beckon-store-fixture.h"

#include "store/db/beckon-store-private.h"

#include <string.h>
#include <time.h>

#ifdef __SANITIZE_ADDRESS__
#define N_PIECES 16000
#else
#define N_PIECES 80000
#endif
#define N_CONVERSATIONS 150

typedef struct
{
  char *directory;
  BeckonStore *store;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->directory = beckon_store_fixture_make_folder ();
  fixture->store = beckon_store_fixture_open (fixture->directory);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  /* The library may have asked for a count behind everything else. */
  for (guint i = 0; i < 3; i++)
    {
      while (g_main_context_iteration (NULL, FALSE))
        continue;
      g_ptr_array_unref (beckon_store_fixture_runs (fixture->store));
    }
  g_assert_finalize_object (fixture->store);
  beckon_store_fixture_clear (fixture->directory);
}

static gint64
get_cpu_time (void)
{
  struct timespec time;

  g_assert_no_errno (clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &time));

  return (gint64) time.tv_sec * G_USEC_PER_SEC + time.tv_nsec / 1000;
}

static gint64
append (Fixture *fixture, const char *message_id, guint n_pieces)
{
  gint64 began = get_cpu_time ();

  for (guint i = 0; i < n_pieces; i++)
    {
      BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);

      beckon_batch_append_text (batch, message_id, 0, "piece ", 6);
      beckon_store_commit_async (fixture->store, batch, NULL, NULL, NULL);
    }
  beckon_store_fixture_commit (fixture->store, beckon_batch_new (BECKON_DURABILITY_NORMAL));

  return get_cpu_time () - began;
}

/* Compared in processor time, which other programs of the machine do not disturb as they do a clock. */
static void
test_text_is_linear (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTurn) turn = beckon_turn_new ("Long?");
  g_autoptr (BeckonMessage) message = beckon_message_new_text (BECKON_ROLE_ASSISTANT, 2, "");
  const char *id = beckon_conversation_get_id (turn->conversation);
  BeckonBatch *batch = beckon_turn_to_batch (turn);
  gint64 first, middle, last;

  beckon_message_set_status (message, BECKON_MESSAGE_STREAMING);
  beckon_batch_add_message (batch, id, message);
  beckon_store_fixture_commit (fixture->store, batch);

  first = append (fixture, beckon_message_get_id (message), N_PIECES / 8);
  middle = append (fixture, beckon_message_get_id (message), N_PIECES * 3 / 4);
  last = append (fixture, beckon_message_get_id (message), N_PIECES / 8);
  g_test_message ("%.1f us a piece at first, %.1f then, %.1f at last", 8.0 * (double) first / N_PIECES,
                  4.0 / 3.0 * (double) middle / N_PIECES, 8.0 * (double) last / N_PIECES);
  g_assert_cmpint (last, <, 2 * first);
  g_assert_cmpint (middle, <, 2 * 6 * first);
}

/* Read with its pieces apart, and read when the upkeep has joined them, it is the same text. */
static void
test_joined_text_is_the_same (Fixture *fixture, gconstpointer data)
{
  static const char wild[] = "\xe4\xbd\xa0\0\xff";
  g_autoptr (BeckonTurn) turn = beckon_turn_new ("Joined?");
  g_autoptr (BeckonMessage) ended = beckon_message_new_text (BECKON_ROLE_ASSISTANT, 2, "begin");
  g_autoptr (BeckonMessage) streaming = beckon_message_new_text (BECKON_ROLE_ASSISTANT, 3, "begin");
  const char *id = beckon_conversation_get_id (turn->conversation);
  BeckonBatch *batch = beckon_turn_to_batch (turn);
  g_autofree char *left = NULL;
  BeckonSession *session;

  beckon_message_set_status (ended, BECKON_MESSAGE_STREAMING);
  beckon_message_set_status (streaming, BECKON_MESSAGE_STREAMING);
  beckon_batch_add_message (batch, id, ended);
  beckon_batch_add_message (batch, id, streaming);
  for (guint i = 0; i < 50; i++)
    {
      beckon_batch_append_text (batch, beckon_message_get_id (ended), 0, wild, sizeof wild - 1);
      beckon_batch_append_text (batch, beckon_message_get_id (streaming), 0, wild, sizeof wild - 1);
    }
  beckon_message_set_status (ended, BECKON_MESSAGE_STOPPED);
  beckon_batch_set_message (batch, ended);
  beckon_store_fixture_commit (fixture->store, batch);
  g_assert_finalize_object (fixture->store);

  session = beckon_session_open (fixture->directory, NULL);
  while (beckon_session_needs_upkeep (session))
    beckon_session_upkeep (session);
  beckon_session_close (session);
  left = beckon_store_fixture_sql (fixture->directory,
                                   "SELECT count (*) || ' of ' || group_concat (DISTINCT m.status) FROM chunk k"
                                   " JOIN part p ON p.id = k.part JOIN message m ON m.id = p.message");
  g_assert_cmpstr (left, ==, "50 of streaming");

  fixture->store = beckon_store_fixture_open (fixture->directory);
  for (guint m = 2; m < 4; m++)
    {
      g_autoptr (GPtrArray) messages = beckon_store_fixture_load (fixture->store, id);
      BeckonPart *part = beckon_message_get_part (g_ptr_array_index (messages, m), 0);
      const char *text = beckon_part_get_text (part);

      g_assert_cmpuint (beckon_part_get_length (part), ==, 5 + 50 * (sizeof wild - 1));
      g_assert_cmpmem (text, 5, "begin", 5);
      for (guint i = 0; i < 50; i++)
        g_assert_cmpmem (text + 5 + i * (sizeof wild - 1), sizeof wild - 1, wild, sizeof wild - 1);
    }
}

/* These read all of something by their nature: the list is all conversations, the profiles are few, and what is deleted or
 * joined is looked for when nobody waits. */
static gboolean
may_scan (const char *sql)
{
  return strstr (sql, "FROM conversation c LEFT JOIN run") != NULL || strstr (sql, "FROM profile") != NULL
         || strstr (sql, "DELETE FROM provenance") != NULL || strstr (sql, "FROM chunk k JOIN part") != NULL;
}

static gpointer
count_scanning_statements (BeckonSession *session, gpointer data, GError **error)
{
  sqlite3 *handle = beckon_database_get_handle (session->database);
  guint n_statements = 0;

  for (sqlite3_stmt *statement = sqlite3_next_stmt (handle, NULL); statement != NULL;
       statement = sqlite3_next_stmt (handle, statement))
    {
      int scanned = sqlite3_stmt_status (statement, SQLITE_STMTSTATUS_FULLSCAN_STEP, 0);

      n_statements++;
      if (scanned > 10 && !may_scan (sqlite3_sql (statement)))
        g_error ("%d rows walked by: %s", scanned, sqlite3_sql (statement));
    }

  return GUINT_TO_POINTER (n_statements);
}

static void
on_counted (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(gboolean *) user_data = g_task_propagate_boolean (G_TASK (result), NULL);
}

static void
test_nothing_is_scanned (Fixture *fixture, gconstpointer data)
{
  const BeckonStoreOp op = { .func = count_scanning_statements };
  g_autoptr (BeckonTurn) turn = NULL;
  g_autoptr (BeckonSettlement) answer = NULL;
  g_autoptr (BeckonRequest) request = NULL;
  g_autoptr (BeckonRunRecord) run = NULL;
  g_autoptr (BeckonLibrary) library = NULL;
  gboolean counted = FALSE;
  BeckonBatch *batch;

  for (guint i = 0; i < N_CONVERSATIONS; i++)
    {
      g_autoptr (BeckonSettlement) stop = NULL;

      g_clear_pointer (&turn, beckon_turn_free);
      turn = beckon_turn_new ("One of many");
      beckon_store_fixture_commit (fixture->store, beckon_turn_to_batch (turn));
      if (i == N_CONVERSATIONS - 1)
        break;
      stop = beckon_turn_cancel (turn);
      batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
      beckon_batch_settle (batch, stop, FALSE);
      turn->run->phase = BECKON_RUN_STOPPED;
      beckon_batch_set_run (batch, turn->run);
      beckon_store_fixture_commit (fixture->store, batch);
    }

  /* Everything the rooms above ask for. */
  library = beckon_store_fixture_library (fixture->store, beckon_clock_get_system ());
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (library)), ==, N_CONVERSATIONS);
  g_ptr_array_unref (beckon_store_fixture_load (fixture->store, beckon_conversation_get_id (turn->conversation)));
  g_ptr_array_unref (beckon_store_fixture_runs (fixture->store));
  g_ptr_array_unref (beckon_store_fixture_pending (fixture->store));
  beckon_store_fixture_save_draft (fixture->store, beckon_request_get_id (turn->request), "draft");
  answer = beckon_turn_answer (turn, "yes", "Ada");
  g_assert_true (beckon_store_fixture_settle (fixture->store, answer, NULL));
  request = beckon_store_fixture_lookup (fixture->store, beckon_request_get_id (turn->request), NULL);
  run = beckon_store_fixture_claim (fixture->store, turn->run->id, NULL);
  g_assert_nonnull (run);
  while (g_main_context_iteration (NULL, FALSE))
    continue;
  batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  beckon_batch_append_text (batch, beckon_message_get_id (turn->reply), 0, "more", 4);
  beckon_batch_set_message (batch, turn->reply);
  beckon_batch_set_draft (batch, beckon_conversation_get_id (turn->conversation), "draft");
  beckon_batch_delete_conversation (batch, beckon_conversation_get_id (turn->conversation));
  beckon_store_fixture_commit (fixture->store, batch);

  beckon_store_submit (fixture->store,
                       beckon_store_task_new (fixture->store, NULL, on_counted, &counted, test_nothing_is_scanned), &op);
  beckon_await (counted);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name, function) g_test_add ("/store/scale/" name, Fixture, NULL, set_up, function, tear_down)
  ADD ("text-is-linear", test_text_is_linear);
  ADD ("joined-text-is-the-same", test_joined_text_is_the_same);
  ADD ("nothing-is-scanned", test_nothing_is_scanned);
#undef ADD

  return g_test_run ();
}
