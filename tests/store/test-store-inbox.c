/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The inbox over the real store: SQLite files, two connections in place of two processes, and starts after ends. The order
 * of races is tested over a journal in memory; here it is what is really on the disk afterwards. */

#include "beckon-store-fixture.h"
#include "request/beckon-inbox.h"

#include <string.h>

typedef struct
{
  char *directory;
  BeckonStore *store;
  BeckonClock *clock;
  BeckonInbox *inbox;
  guint n_settled;
} Desk;

static void
on_settled (BeckonInbox *inbox, BeckonRequest *request, const BeckonSettlement *settlement, Desk *desk)
{
  g_assert_cmpint (beckon_request_get_state (request), !=, BECKON_REQUEST_PENDING);
  g_assert_null (beckon_inbox_lookup (inbox, beckon_request_get_id (request)));
  desk->n_settled++;
}

static void
keep_result (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GAsyncResult **kept = user_data;

  g_assert_null (*kept);
  *kept = g_object_ref (result);
}

/* A front end that starts: opens the store, reads what is pending. */
static void
desk_open (Desk *desk, const char *directory)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  desk->directory = g_strdup (directory);
  desk->store = beckon_store_fixture_open (directory);
  desk->clock = beckon_clock_new_manual (g_get_real_time ());
  desk->inbox = beckon_inbox_new (BECKON_REQUEST_STORE (desk->store), desk->clock);
  desk->n_settled = 0;
  g_signal_connect (desk->inbox, "settled", G_CALLBACK (on_settled), desk);

  beckon_inbox_load_async (desk->inbox, NULL, keep_result, &result);
  beckon_await (result != NULL);
  beckon_inbox_load_finish (desk->inbox, result, &error);
  g_assert_no_error (error);
}

static void
desk_close (Desk *desk)
{
  BeckonStore *store = desk->store;

  /* Work under way holds a reference to the inbox. */
  beckon_await (G_OBJECT (desk->inbox)->ref_count == 1);
  g_assert_finalize_object (desk->inbox);
  beckon_store_fixture_close (store);
  g_object_unref (store);
  g_object_unref (desk->clock);
  g_free (desk->directory);
}

static guint
count (Desk *desk)
{
  return g_list_model_get_n_items (G_LIST_MODEL (desk->inbox));
}

static BeckonTurn *
ask (Desk *desk, const char *question)
{
  BeckonTurn *turn = beckon_turn_new (question);

  beckon_store_fixture_commit (desk->store, beckon_turn_to_batch (turn));
  beckon_inbox_add (desk->inbox, turn->request);
  return turn;
}

static BeckonAnswer *
type (const char *text)
{
  BeckonAnswer *answer = beckon_answer_new_question (1);

  beckon_answer_set_item_text (answer, 0, text);
  return answer;
}

static gboolean
settle (Desk *desk, const char *request_id, const char *text, GError **error)
{
  g_autoptr (BeckonAnswer) answer = type (text);
  g_autoptr (GAsyncResult) result = NULL;

  beckon_inbox_settle_async (desk->inbox, request_id, answer, "window", "ana", NULL, keep_result, &result);
  beckon_await (result != NULL);
  return beckon_inbox_settle_finish (desk->inbox, result, error);
}

static void
assert_sql (Desk *desk, const char *sql, const char *expected)
{
  g_autofree char *value = beckon_store_fixture_sql (desk->directory, sql);

  g_assert_cmpstr (value, ==, expected);
}

static void
test_settle (void)
{
  char *directory = beckon_store_fixture_make_folder ();
  g_autoptr (BeckonTurn) turn = NULL;
  g_autoptr (GError) error = NULL;
  Desk desk;

  desk_open (&desk, directory);
  turn = ask (&desk, "Which port?");
  g_assert_cmpuint (count (&desk), ==, 1);

  g_assert_true (settle (&desk, beckon_request_get_id (turn->request), "8080", &error));
  g_assert_no_error (error);
  g_assert_cmpuint (desk.n_settled, ==, 1);
  g_assert_cmpuint (count (&desk), ==, 0);
  assert_sql (&desk, "SELECT state FROM request", "answered");
  assert_sql (&desk, "SELECT actor FROM settlement", "ana");
  assert_sql (&desk, "SELECT state FROM call", "done");

  /* A request is not answered twice. */
  g_assert_false (settle (&desk, beckon_request_get_id (turn->request), "9090", &error));
  g_assert_error (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_ALREADY_SETTLED);
  assert_sql (&desk, "SELECT count(*) FROM settlement", "1");
  assert_sql (&desk, "SELECT answer LIKE '%8080%' FROM settlement", "1");

  desk_close (&desk);
  beckon_store_fixture_clear (directory);
}

/* The program ends with a question open and half an answer typed; the next start shows both, and the answer is taken. */
static void
test_restart (void)
{
  char *directory = beckon_store_fixture_make_folder ();
  g_autoptr (BeckonTurn) turn = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *id = NULL;
  BeckonRequest *found;
  Desk desk;

  desk_open (&desk, directory);
  turn = ask (&desk, "Which port?");
  id = g_strdup (beckon_request_get_id (turn->request));
  beckon_inbox_save_draft (desk.inbox, turn->request, "{\"text\":\"80");
  beckon_inbox_save_draft (desk.inbox, turn->request, "{\"text\":\"808\"}");
  desk_close (&desk);

  desk_open (&desk, directory);
  g_assert_cmpuint (count (&desk), ==, 1);
  found = beckon_inbox_lookup (desk.inbox, id);
  g_assert_nonnull (found);
  g_assert_true (found != turn->request);
  g_assert_cmpstr (beckon_request_get_draft (found), ==, "{\"text\":\"808\"}");
  g_assert_cmpstr (beckon_request_get_call_id (found), ==, beckon_tool_call_get_id (turn->call));
  g_assert_cmpint (beckon_request_get_asked_at (found), ==, beckon_request_get_asked_at (turn->request));

  g_assert_true (settle (&desk, id, "8080", &error));
  g_assert_no_error (error);
  assert_sql (&desk, "SELECT state FROM call", "done");
  desk_close (&desk);

  desk_open (&desk, directory);
  g_assert_cmpuint (count (&desk), ==, 0);
  desk_close (&desk);
  beckon_store_fixture_clear (directory);
}

/* Two windows on one store: a question asked in one is shown in both, and answered once. */
static void
test_two (void)
{
  char *directory = beckon_store_fixture_make_folder ();
  g_autoptr (BeckonTurn) first = NULL;
  g_autoptr (BeckonTurn) second = NULL;
  g_autoptr (GError) error = NULL;
  BeckonRequest *theirs;
  Desk one, two;

  desk_open (&one, directory);
  desk_open (&two, directory);
  first = ask (&one, "First?");
  second = ask (&one, "Second?");
  beckon_await (count (&two) == 2);
  theirs = beckon_inbox_lookup (two.inbox, beckon_request_get_id (first->request));
  g_object_ref (theirs);

  g_assert_true (settle (&two, beckon_request_get_id (first->request), "8080", &error));
  g_assert_no_error (error);
  beckon_await (count (&one) == 1);
  g_assert_cmpuint (one.n_settled, ==, 1);
  g_assert_cmpint (beckon_request_get_state (first->request), ==, BECKON_REQUEST_ANSWERED);
  g_assert_cmpstr (beckon_request_get_actor (first->request), ==, "ana");
  g_assert_cmpint (beckon_request_get_state (theirs), ==, BECKON_REQUEST_ANSWERED);
  g_assert_nonnull (beckon_inbox_lookup (one.inbox, beckon_request_get_id (second->request)));
  g_object_unref (theirs);

  desk_close (&two);
  desk_close (&one);
  beckon_store_fixture_clear (directory);
}

/* Both answer at the same moment, many times over: one settlement each, and both lists end empty. */
static void
test_race (void)
{
  enum
  {
    N = 40
  };
  char *directory = beckon_store_fixture_make_folder ();
  GPtrArray *turns = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_turn_free);
  guint n_won = 0;
  Desk one, two;

  desk_open (&one, directory);
  desk_open (&two, directory);
  for (guint i = 0; i < N; i++)
    {
      BeckonTurn *turn = ask (i % 2 == 0 ? &one : &two, "Which port?");
      const char *id = beckon_request_get_id (turn->request);
      g_autoptr (BeckonAnswer) left = type ("left");
      g_autoptr (BeckonAnswer) right = type ("right");
      g_autoptr (GAsyncResult) left_result = NULL;
      g_autoptr (GAsyncResult) right_result = NULL;
      g_autoptr (GError) left_error = NULL;
      g_autoptr (GError) right_error = NULL;
      GError *lost;
      gboolean left_won, right_won;

      g_ptr_array_add (turns, turn);
      beckon_inbox_settle_async (one.inbox, id, left, "window", "left", NULL, keep_result, &left_result);
      beckon_inbox_settle_async (two.inbox, id, right, "terminal", "right", NULL, keep_result, &right_result);
      beckon_await (left_result != NULL && right_result != NULL);
      left_won = beckon_inbox_settle_finish (one.inbox, left_result, &left_error);
      right_won = beckon_inbox_settle_finish (two.inbox, right_result, &right_error);
      g_assert_true (left_won != right_won);
      lost = left_won ? right_error : left_error;
      g_assert_error (lost, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_ALREADY_SETTLED);
      n_won += (left_won ? 1U : 0U) + (right_won ? 1U : 0U);
    }

  g_assert_cmpuint (n_won, ==, N);
  beckon_await (count (&one) == 0 && count (&two) == 0);
  assert_sql (&one, "SELECT count(*) FROM settlement", "40");
  assert_sql (&one, "SELECT count(*) FROM call WHERE state = 'done'", "40");

  desk_close (&two);
  desk_close (&one);
  g_ptr_array_unref (turns);
  beckon_store_fixture_clear (directory);
}

/* A stop keeps what was half typed, though it came less than half a second before. */
static void
test_draft_at_a_stop (void)
{
  char *directory = beckon_store_fixture_make_folder ();
  g_autoptr (BeckonTurn) turn = NULL;
  g_autoptr (BeckonAnswer) cancelled = beckon_answer_new (BECKON_ANSWER_CANCELLED, NULL);
  g_autoptr (GAsyncResult) result = NULL;
  Desk desk;

  desk_open (&desk, directory);
  turn = ask (&desk, "Which port?");
  beckon_inbox_save_draft (desk.inbox, turn->request, "half");
  beckon_inbox_settle_async (desk.inbox, beckon_request_get_id (turn->request), cancelled, "agent", NULL, NULL,
                             keep_result, &result);
  beckon_await (result != NULL);
  g_assert_true (beckon_inbox_settle_finish (desk.inbox, result, NULL));
  g_clear_object (&result);
  assert_sql (&desk, "SELECT state FROM request", "cancelled");
  assert_sql (&desk, "SELECT draft FROM request", "half");
  assert_sql (&desk, "SELECT state FROM call", "cancelled");

  desk_close (&desk);
  beckon_store_fixture_clear (directory);
}

/* The conversation is deleted in one window; the other's card closes. */
static void
test_deleted (void)
{
  char *directory = beckon_store_fixture_make_folder ();
  g_autoptr (BeckonTurn) turn = NULL;
  g_autoptr (GError) error = NULL;
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_FULL);
  Desk one, two;

  desk_open (&one, directory);
  desk_open (&two, directory);
  turn = ask (&one, "Which port?");
  beckon_await (count (&two) == 1);

  beckon_batch_delete_conversation (batch, beckon_conversation_get_id (turn->conversation));
  beckon_store_fixture_commit (two.store, batch);
  beckon_await (count (&one) == 0);
  g_assert_cmpint (beckon_request_get_state (turn->request), ==, BECKON_REQUEST_CANCELLED);

  g_assert_false (settle (&one, beckon_request_get_id (turn->request), "8080", &error));
  g_assert_error (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_UNKNOWN);

  desk_close (&two);
  desk_close (&one);
  beckon_store_fixture_clear (directory);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/store/inbox/settle", test_settle);
  g_test_add_func ("/store/inbox/restart", test_restart);
  g_test_add_func ("/store/inbox/two", test_two);
  g_test_add_func ("/store/inbox/race", test_race);
  g_test_add_func ("/store/inbox/draft-at-a-stop", test_draft_at_a_stop);
  g_test_add_func ("/store/inbox/deleted", test_deleted);

  return g_test_run ();
}
