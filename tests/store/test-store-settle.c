/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Settling, exactly once: between objects, between processes, against a stop, and without a ground. */

#include "beckon-store-fixture.h"

#include "base/beckon-error.h"
#include "request/beckon-approval-request.h"
#include "store/sqlite/beckon-database.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#define N_REQUESTS 60
#define N_PROCESSES 4

typedef struct
{
  char *directory;
  BeckonStore *store;
  BeckonStore *other; /* as another process would be */
  BeckonTurn *turn;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->directory = beckon_store_fixture_make_folder ();
  fixture->store = beckon_store_fixture_open (fixture->directory);
  fixture->other = beckon_store_fixture_open (fixture->directory);
  fixture->turn = beckon_turn_new ("Which colour?");
  beckon_store_fixture_commit (fixture->store, beckon_turn_to_batch (fixture->turn));
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_autofree char *check = NULL;

  beckon_turn_free (fixture->turn);
  g_assert_finalize_object (fixture->store);
  g_assert_finalize_object (fixture->other);
  check = beckon_store_fixture_sql (fixture->directory, "PRAGMA integrity_check");
  g_assert_cmpstr (check, ==, "ok");
  beckon_store_fixture_clear (fixture->directory);
}

static void
assert_sql (Fixture *fixture, const char *sql, const char *expected)
{
  g_autofree char *value = beckon_store_fixture_sql (fixture->directory, sql);

  g_assert_cmpstr (value, ==, expected);
}

static void
test_one_transaction (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonSettlement) settlement = beckon_turn_answer (fixture->turn, "a secret blue", "Ada");
  g_autoptr (GPtrArray) pending = beckon_store_fixture_pending (fixture->store);
  g_autoptr (GPtrArray) none = NULL;
  g_autoptr (GPtrArray) messages = NULL;
  g_autoptr (BeckonRequest) settled = NULL;
  g_autoptr (GError) error = NULL;
  BeckonToolCall *call;

  g_assert_cmpuint (pending->len, ==, 1);
  g_assert_true (g_ptr_array_index (pending, 0) == fixture->turn->request);

  beckon_store_fixture_settle (fixture->store, settlement, &error);
  g_assert_no_error (error);

  none = beckon_store_fixture_pending (fixture->other);
  g_assert_cmpuint (none->len, ==, 0);
  settled = beckon_store_fixture_lookup (fixture->other, settlement->request_id, &error);
  g_assert_no_error (error);
  g_assert_cmpint (beckon_request_get_state (settled), ==, BECKON_REQUEST_ANSWERED);
  g_assert_cmpstr (beckon_request_get_actor (settled), ==, "Ada");
  g_assert_cmpstr (beckon_request_get_front_end (settled), ==, "terminal");
  g_assert_cmpint (beckon_request_get_settled_at (settled), ==, settlement->at);
  g_assert_nonnull (beckon_request_get_answer (settled));

  messages = beckon_store_fixture_load (fixture->other, beckon_conversation_get_id (fixture->turn->conversation));
  call = beckon_part_get_call (beckon_message_get_part (g_ptr_array_index (messages, 1), 1));
  g_assert_cmpint (beckon_tool_call_get_state (call), ==, BECKON_CALL_DONE);
  g_assert_cmpstr (beckon_tool_call_get_result (call), ==, "a secret blue");
  g_assert_false (beckon_tool_call_get_is_error (call));
  g_assert_cmpint (beckon_tool_call_get_finished_at (call), ==, settlement->at);

  assert_sql (fixture, "SELECT group_concat (event) FROM (SELECT event FROM provenance ORDER BY seq)", "asked,settled");
  assert_sql (fixture, "SELECT count (*) FROM provenance WHERE data LIKE '%a secret%'", "0");
  assert_sql (fixture, "SELECT count (*) FROM provenance WHERE data LIKE '%Ada%' AND data LIKE '%terminal%'", "1");
}

static void
test_first_wins (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonSettlement) first = beckon_turn_answer (fixture->turn, "blue", "Ada");
  g_autoptr (BeckonSettlement) second = beckon_turn_answer (fixture->turn, "red", "Bob");
  g_autoptr (GError) error = NULL;

  g_assert_true (beckon_store_fixture_settle (fixture->store, first, &error));
  g_assert_no_error (error);
  g_assert_false (beckon_store_fixture_settle (fixture->other, second, &error));
  g_assert_error (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_ALREADY_SETTLED);
  g_assert_nonnull (strstr (error->message, "Ada"));
  g_assert_nonnull (strstr (error->message, "in the terminal"));

  g_clear_error (&error);
  g_assert_false (beckon_store_fixture_settle (fixture->store, first, &error));
  g_assert_error (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_ALREADY_SETTLED);

  assert_sql (fixture, "SELECT actor FROM settlement", "Ada");
  assert_sql (fixture, "SELECT CAST (text AS TEXT) FROM part WHERE kind = 'result'", "blue");
  assert_sql (fixture, "SELECT count (*) FROM provenance WHERE event = 'settled'", "1");
}

static void
keep_result (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

static void
test_at_the_same_time (Fixture *fixture, gconstpointer data)
{
  for (guint round = 0; round < 50; round++)
    {
      g_autoptr (BeckonTurn) turn = beckon_turn_new ("Again?");
      g_autoptr (BeckonSettlement) ada = beckon_turn_answer (turn, "yes", "Ada");
      g_autoptr (BeckonSettlement) bob = beckon_turn_answer (turn, "no", "Bob");
      g_autoptr (GAsyncResult) first = NULL;
      g_autoptr (GAsyncResult) second = NULL;
      gboolean ada_won, bob_won;

      beckon_store_fixture_commit (fixture->store, beckon_turn_to_batch (turn));
      beckon_request_store_settle_async (BECKON_REQUEST_STORE (fixture->store), ada, NULL, keep_result, &first);
      beckon_request_store_settle_async (BECKON_REQUEST_STORE (fixture->other), bob, NULL, keep_result, &second);
      beckon_await (first != NULL && second != NULL);
      ada_won = beckon_request_store_settle_finish (BECKON_REQUEST_STORE (fixture->store), first, NULL);
      bob_won = beckon_request_store_settle_finish (BECKON_REQUEST_STORE (fixture->other), second, NULL);
      g_assert_cmpint (ada_won + bob_won, ==, 1);
    }
}

static void
test_unknown (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTurn) turn = beckon_turn_new ("Never stored");
  g_autoptr (BeckonSettlement) settlement = beckon_turn_answer (turn, "blue", "Ada");
  g_autoptr (GError) error = NULL;

  g_assert_false (beckon_store_fixture_settle (fixture->store, settlement, &error));
  g_assert_error (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_UNKNOWN);
  g_clear_error (&error);
  g_assert_null (beckon_store_fixture_lookup (fixture->store, "nothing like an id", &error));
  g_assert_error (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_UNKNOWN);
}

/* Stop: the run ends, and its requests with it, in one commit. An answer after that is refused in words. */
static void
test_after_stop (Fixture *fixture, gconstpointer data)
{
  BeckonTurn *turn = fixture->turn;
  g_autoptr (BeckonSettlement) stop = beckon_turn_cancel (turn);
  g_autoptr (BeckonSettlement) answer = beckon_turn_answer (turn, "blue", "Ada");
  g_autoptr (GError) error = NULL;
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_FULL);

  beckon_batch_settle (batch, stop, FALSE);
  turn->run->phase = BECKON_RUN_STOPPED;
  beckon_batch_set_run (batch, turn->run);
  beckon_store_fixture_commit (fixture->store, batch);

  g_assert_false (beckon_store_fixture_settle (fixture->other, answer, &error));
  g_assert_error (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_ALREADY_SETTLED);
  assert_sql (fixture, "SELECT state FROM call", "cancelled");
  assert_sql (fixture, "SELECT state FROM request", "cancelled");
  assert_sql (fixture, "SELECT count (*) FROM part WHERE kind = 'result'", "1");
}

static void
test_strict_and_lenient (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonSettlement) stop = beckon_turn_cancel (fixture->turn);
  g_autoptr (BeckonSettlement) answer = beckon_turn_answer (fixture->turn, "blue", "Ada");
  g_autoptr (GError) error = NULL;
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_FULL);

  beckon_store_fixture_settle (fixture->other, answer, &error);
  g_assert_no_error (error);

  beckon_batch_set_title (batch, beckon_conversation_get_id (fixture->turn->conversation), "must not be written");
  beckon_batch_settle (batch, stop, FALSE);
  g_assert_false (beckon_store_fixture_try_commit (fixture->store, batch, &error));
  g_assert_error (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_ALREADY_SETTLED);
  assert_sql (fixture, "SELECT title FROM conversation", "Which colour?");

  batch = beckon_batch_new (BECKON_DURABILITY_FULL);
  beckon_batch_set_title (batch, beckon_conversation_get_id (fixture->turn->conversation), "written");
  beckon_batch_settle (batch, stop, TRUE);
  beckon_store_fixture_commit (fixture->store, batch);
  assert_sql (fixture, "SELECT title FROM conversation", "written");
  assert_sql (fixture, "SELECT state FROM request", "answered");
  assert_sql (fixture, "SELECT state FROM call", "done");
}

/* Rows that should never be left behind are left behind: an answer neither vanishes nor comes alive later. */
static void
expect_over (Fixture *fixture)
{
  g_autoptr (BeckonSettlement) answer = beckon_turn_answer (fixture->turn, "blue", "Ada");
  g_autoptr (BeckonRequest) request = NULL;
  g_autoptr (GPtrArray) pending = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_false (beckon_store_fixture_settle (fixture->store, answer, &error));
  g_assert_error (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_ALREADY_SETTLED);
  g_clear_error (&error);

  request = beckon_store_fixture_lookup (fixture->other, answer->request_id, &error);
  g_assert_no_error (error);
  g_assert_cmpint (beckon_request_get_state (request), ==, BECKON_REQUEST_CANCELLED);
  pending = beckon_store_fixture_pending (fixture->other);
  g_assert_cmpuint (pending->len, ==, 0);
  assert_sql (fixture, "SELECT count (*) FROM part WHERE kind = 'result'", "0");
}

static void
test_run_has_ended (Fixture *fixture, gconstpointer data)
{
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_FULL);

  fixture->turn->run->phase = BECKON_RUN_FAILED;
  beckon_batch_set_run (batch, fixture->turn->run);
  beckon_store_fixture_commit (fixture->store, batch);
  expect_over (fixture);
  assert_sql (fixture, "SELECT state FROM call", "awaiting");
}

static void
test_call_has_ended (Fixture *fixture, gconstpointer data)
{
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_FULL);

  beckon_tool_call_set_state (fixture->turn->call, BECKON_CALL_CANCELLED);
  beckon_batch_set_call (batch, fixture->turn->call, BECKON_CALL_AWAITING);
  beckon_store_fixture_commit (fixture->store, batch);
  expect_over (fixture);
  assert_sql (fixture, "SELECT state FROM call", "cancelled");
}

static BeckonRequest *
add_approval (Fixture *fixture, BeckonToolCall *call)
{
  const char *conversation_id = beckon_conversation_get_id (fixture->turn->conversation);
  const char *message_id = beckon_message_get_id (fixture->turn->reply);
  g_autoptr (BeckonPart) part = beckon_part_new_call (call);
  BeckonRequest *request = beckon_approval_request_new (NULL, conversation_id, message_id, beckon_tool_call_get_id (call),
                                                        "rm", "{\"path\":\"a\"}", "it changes files", g_get_real_time ());
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_FULL);

  beckon_tool_call_set_state (call, BECKON_CALL_AWAITING);
  beckon_batch_add_part (batch, conversation_id, message_id, 2, part);
  beckon_batch_add_request (batch, request);
  beckon_store_fixture_commit (fixture->store, batch);

  return request;
}

/* Only a tool of the process that asked has a use for the answer. */
static void
test_bound (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTurn) turn = beckon_turn_new ("Which account?");
  g_autoptr (BeckonSettlement) answer = beckon_turn_answer (turn, "Ada's", "Ada");
  g_autoptr (GError) error = NULL;

  beckon_request_bind (turn->request);
  beckon_store_fixture_commit (fixture->store, beckon_turn_to_batch (turn));
  g_assert_true (beckon_store_fixture_settle (fixture->other, answer, &error));
  g_assert_no_error (error);
  assert_sql (fixture, "SELECT count (*) FROM settlement WHERE state = 'answered'", "1");
}

static void
test_bound_to_the_dead (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTurn) turn = beckon_turn_new ("Which account?");
  g_autoptr (BeckonSettlement) answer = beckon_turn_answer (turn, "Ada's", "Ada");
  g_autoptr (GError) error = NULL;

  beckon_request_bind (turn->request);
  beckon_store_fixture_commit (fixture->store, beckon_turn_to_batch (turn));
  g_assert_finalize_object (fixture->store);
  fixture->store = beckon_store_fixture_open (fixture->directory);

  g_assert_false (beckon_store_fixture_settle (fixture->other, answer, &error));
  g_assert_error (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_ALREADY_SETTLED);
  g_assert_nonnull (strstr (error->message, "has ended"));
  assert_sql (fixture, "SELECT state || front_end || coalesce (answer, '') FROM settlement", "unavailableagent");
  assert_sql (fixture, "SELECT count (*) FROM request WHERE state = 'unavailable'", "1");
  assert_sql (fixture, "SELECT count (*) FROM part WHERE kind = 'result'", "0");
  assert_sql (fixture, "SELECT count (*) FROM provenance WHERE event = 'settled' AND data LIKE '%unavailable%'", "1");

  g_clear_error (&error);
  g_assert_false (beckon_store_fixture_settle (fixture->store, answer, &error));
  g_assert_error (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_ALREADY_SETTLED);
  g_assert_nonnull (strstr (error->message, "ended without an answer"));
}

static void
test_edited_approval (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonToolCall) call = beckon_tool_call_new (NULL, NULL, "rm", "{\"path\":\"a\"}");
  g_autoptr (BeckonRequest) request = add_approval (fixture, call);
  g_autoptr (BeckonAnswer) answer = beckon_answer_new (BECKON_ANSWER_APPROVED_EDITED, "{\"path\":\"b\"}");
  g_autoptr (BeckonSettlement) settlement = beckon_settlement_new (request, answer, "window", "Ada", 7);
  g_autoptr (GPtrArray) messages = NULL;
  g_autoptr (GError) error = NULL;
  BeckonToolCall *read;

  beckon_store_fixture_settle (fixture->other, settlement, &error);
  g_assert_no_error (error);
  messages = beckon_store_fixture_load (fixture->other, beckon_conversation_get_id (fixture->turn->conversation));
  read = beckon_part_get_call (beckon_message_get_part (g_ptr_array_index (messages, 1), 2));
  g_assert_cmpint (beckon_tool_call_get_state (read), ==, BECKON_CALL_DECIDED);
  g_assert_cmpstr (beckon_tool_call_get_arguments (read), ==, "{\"path\":\"a\"}");
  g_assert_cmpstr (beckon_tool_call_get_effective_arguments (read), ==, "{\"path\":\"b\"}");
  g_assert_null (beckon_tool_call_get_result (read));
  g_assert_true (BECKON_IS_APPROVAL_REQUEST (BECKON_REQUEST (beckon_tool_call_get_request (read))));
}

/* Asked again after its holder died: the call shows the second request, and the first stays settled. */
static void
test_asked_again (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonToolCall) call = beckon_tool_call_new (NULL, NULL, "rm", "{\"path\":\"a\"}");
  g_autoptr (BeckonRequest) first = add_approval (fixture, call);
  g_autoptr (BeckonAnswer) go = beckon_answer_new (BECKON_ANSWER_APPROVED, NULL);
  g_autoptr (BeckonSettlement) approval = beckon_settlement_new (first, go, "window", "Ada", 7);
  g_autoptr (BeckonRequest) second = NULL;
  g_autoptr (GPtrArray) messages = NULL;
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_FULL);
  BeckonToolCall *read;

  g_assert_true (beckon_store_fixture_settle (fixture->store, approval, NULL));
  second = beckon_approval_request_new (NULL, beckon_request_get_conversation_id (first),
                                        beckon_request_get_message_id (first), beckon_tool_call_get_id (call), "rm",
                                        "{\"path\":\"a\"}", "asked again", g_get_real_time () + 1);
  beckon_batch_set_call (batch, call, BECKON_CALL_DECIDED);
  beckon_batch_add_request (batch, second);
  beckon_store_fixture_commit (fixture->store, batch);

  messages = beckon_store_fixture_load (fixture->other, beckon_request_get_conversation_id (first));
  read = beckon_part_get_call (beckon_message_get_part (g_ptr_array_index (messages, 1), 2));
  g_assert_cmpint (beckon_tool_call_get_state (read), ==, BECKON_CALL_AWAITING);
  g_assert_cmpstr (beckon_request_get_id (BECKON_REQUEST (beckon_tool_call_get_request (read))), ==,
                   beckon_request_get_id (second));
  assert_sql (fixture, "SELECT count (*) FROM request WHERE state = 'answered'", "1");
}

static void
test_draft (Fixture *fixture, gconstpointer data)
{
  const char *id = beckon_request_get_id (fixture->turn->request);
  g_autoptr (BeckonSettlement) answer = beckon_turn_answer (fixture->turn, "blue", "Ada");
  g_autoptr (BeckonRequest) settled = NULL;
  g_autoptr (GPtrArray) pending = NULL;

  beckon_store_fixture_save_draft (fixture->store, id, "{\"text\":\"bl");
  pending = beckon_store_fixture_pending (fixture->other);
  g_assert_cmpstr (beckon_request_get_draft (g_ptr_array_index (pending, 0)), ==, "{\"text\":\"bl");

  g_assert_true (beckon_store_fixture_settle (fixture->store, answer, NULL));
  beckon_store_fixture_save_draft (fixture->other, id, "too late");
  settled = beckon_store_fixture_lookup (fixture->other, id, NULL);
  g_assert_cmpstr (beckon_request_get_draft (settled), ==, "{\"text\":\"bl");
}

/* A request has one object in a process, listed, loaded or asked; a look-up gives its own, with the truth. */
static void
test_one_object (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) pending = beckon_store_fixture_pending (fixture->other);
  BeckonRequest *listed = g_ptr_array_index (pending, 0);
  g_autoptr (GPtrArray) messages
    = beckon_store_fixture_load (fixture->other, beckon_conversation_get_id (fixture->turn->conversation));
  BeckonToolCall *call = beckon_part_get_call (beckon_message_get_part (g_ptr_array_index (messages, 1), 1));
  g_autoptr (BeckonRequest) looked_up = beckon_store_fixture_lookup (fixture->other, beckon_request_get_id (listed), NULL);

  g_assert_true (beckon_tool_call_get_request (call) == G_OBJECT (listed));
  g_assert_true (listed != fixture->turn->request);
  g_assert_true (looked_up != listed);
}

static void
test_oldest_first (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) pending = NULL;

  for (guint i = 0; i < 5; i++)
    {
      g_autoptr (BeckonTurn) turn = beckon_turn_new ("Next?");

      beckon_store_fixture_commit (fixture->store, beckon_turn_to_batch (turn));
    }
  pending = beckon_store_fixture_pending (fixture->other);
  g_assert_cmpuint (pending->len, ==, 6);
  for (guint i = 1; i < pending->len; i++)
    g_assert_cmpint (beckon_request_get_asked_at (g_ptr_array_index (pending, i - 1)), <=,
                     beckon_request_get_asked_at (g_ptr_array_index (pending, i)));
}

/* A request of a kind that a later version knows keeps nobody from answering the others. */
static void
test_unreadable_request (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTurn) turn = beckon_turn_new ("Readable?");
  g_autoptr (GPtrArray) pending = NULL;
  g_autoptr (GPtrArray) messages = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *result = NULL;

  beckon_store_fixture_commit (fixture->store, beckon_turn_to_batch (turn));
  result = beckon_store_fixture_sql (fixture->directory,
                                     "UPDATE request SET kind = 'form', body = 'not even JSON'"
                                     " WHERE asked_at = (SELECT min (asked_at) FROM request)");
  g_assert_null (result);

  pending = beckon_store_fixture_pending (fixture->other);
  g_assert_cmpuint (pending->len, ==, 1);
  messages = beckon_store_fixture_load (fixture->other, beckon_conversation_get_id (fixture->turn->conversation));
  g_assert_cmpuint (messages->len, ==, 2);
  g_assert_null (
    beckon_store_fixture_lookup (fixture->other, beckon_request_get_id (fixture->turn->request), &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_STORE);
}

static void
run_sql (sqlite3 *handle, const char *sql)
{
  g_assert_cmpint (sqlite3_exec (handle, sql, NULL, NULL, NULL), ==, SQLITE_OK);
}

/* A loser hears so when the winner is done, although another process writes again by then and goes on doing so. */
static void
test_loser_does_not_queue (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->directory, "beckon.db", NULL);
  g_autofree char *settle = g_strdup_printf ("INSERT INTO settlement (request, state, answer, front_end, actor, at)"
                                             " VALUES ('%s', 'answered', '{}', 'terminal', 'Eve', 1);"
                                             "UPDATE request SET state = 'answered'",
                                             beckon_request_get_id (fixture->turn->request));
  g_autoptr (BeckonSettlement) settlement = beckon_turn_answer (fixture->turn, "blue", "Ada");
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  sqlite3 *handle;

  g_assert_cmpint (sqlite3_open (path, &handle), ==, SQLITE_OK);
  /* The store's upkeep may have the lock for a moment. */
  sqlite3_busy_timeout (handle, 10000);
  run_sql (handle, "BEGIN IMMEDIATE");
  /* Waiting for the lock takes longer than the test has. */
  beckon_database_set_patience (G_TIME_SPAN_HOUR);
  run_sql (handle, settle);
  beckon_request_store_settle_async (BECKON_REQUEST_STORE (fixture->store), settlement, NULL, keep_result, &result);
  beckon_store_fixture_iterate ();
  g_assert_null (result);
  run_sql (handle, "COMMIT; BEGIN IMMEDIATE");
  beckon_await (result != NULL);
  g_assert_false (beckon_request_store_settle_finish (BECKON_REQUEST_STORE (fixture->store), result, &error));
  g_assert_error (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_ALREADY_SETTLED);
  g_assert_nonnull (strstr (error->message, "Eve"));
  run_sql (handle, "ROLLBACK");
  beckon_database_set_patience (10 * G_TIME_SPAN_SECOND);
  sqlite3_close (handle);
}

/* A child: answers every pending request it finds and says how many it won. */
static void
answer_everything (const char *directory, const char *actor)
{
  BeckonStore *store = beckon_store_fixture_open (directory);
  g_autoptr (GPtrArray) pending = beckon_store_fixture_pending (store);
  g_autoptr (BeckonAnswer) answer = beckon_answer_new_question (1);
  g_autofree char *score = NULL;
  guint won = 0;

  beckon_answer_set_item_text (answer, 0, actor);
  beckon_store_fixture_say ("ready");
  beckon_store_fixture_wait_for_parent ();

  for (guint i = 0; i < pending->len; i++)
    {
      g_autoptr (BeckonSettlement) settlement = beckon_settlement_new (g_ptr_array_index (pending, i), answer, "terminal",
                                                                       actor, g_get_real_time ());
      g_autoptr (GError) error = NULL;

      if (beckon_store_fixture_settle (store, settlement, &error))
        won++;
      else
        g_assert_error (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_ALREADY_SETTLED);
    }

  score = g_strdup_printf ("%u %u", pending->len, won);
  beckon_store_fixture_say (score);
  g_object_unref (store);
}

static void
test_four_processes (Fixture *fixture, gconstpointer data)
{
  GSubprocess *children[N_PROCESSES];
  guint won = 0;

  for (guint i = 1; i < N_REQUESTS; i++)
    {
      g_autoptr (BeckonTurn) turn = beckon_turn_new ("Who?");

      beckon_store_fixture_commit (fixture->store, beckon_turn_to_batch (turn));
    }

  for (guint i = 0; i < N_PROCESSES; i++)
    {
      g_autofree char *actor = g_strdup_printf ("process %u", i);
      g_autofree char *ready = NULL;

      children[i] = beckon_store_fixture_spawn ("answer", fixture->directory, actor);
      ready = beckon_store_fixture_read_line (children[i]);
      g_assert_cmpstr (ready, ==, "ready");
    }
  for (guint i = 0; i < N_PROCESSES; i++)
    g_assert_true (g_output_stream_close (g_subprocess_get_stdin_pipe (children[i]), NULL, NULL));
  for (guint i = 0; i < N_PROCESSES; i++)
    {
      g_autofree char *score = beckon_store_fixture_read_line (children[i]);
      g_autoptr (GError) error = NULL;
      char *mine = strchr (score, ' ');

      g_assert_cmpint (atoi (score), ==, N_REQUESTS);
      won += (guint) atoi (mine);
      g_subprocess_wait_check (children[i], NULL, &error);
      g_assert_no_error (error);
      g_object_unref (children[i]);
    }

  g_assert_cmpuint (won, ==, N_REQUESTS);
  assert_sql (fixture, "SELECT count (*) FROM settlement", G_STRINGIFY (N_REQUESTS));
  assert_sql (fixture, "SELECT count (*) FROM part WHERE kind = 'result'", G_STRINGIFY (N_REQUESTS));
  assert_sql (fixture,
              "SELECT count (*) FROM settlement s JOIN request r ON r.id = s.request JOIN part p ON p.call = r.call"
              " WHERE p.kind = 'result' AND CAST (p.text AS TEXT) = s.actor",
              G_STRINGIFY (N_REQUESTS));
}

int
main (int argc, char *argv[])
{
  if (argc == 5 && g_str_equal (argv[1], "--child"))
    {
      answer_everything (argv[3], argv[4]);
      return 0;
    }

  g_test_init (&argc, &argv, NULL);

#define ADD(name, function) g_test_add ("/store/settle/" name, Fixture, NULL, set_up, function, tear_down)
  ADD ("one-transaction", test_one_transaction);
  ADD ("first-wins", test_first_wins);
  ADD ("at-the-same-time", test_at_the_same_time);
  ADD ("loser-does-not-queue", test_loser_does_not_queue);
  ADD ("unknown", test_unknown);
  ADD ("after-stop", test_after_stop);
  ADD ("strict-and-lenient", test_strict_and_lenient);
  ADD ("run-has-ended", test_run_has_ended);
  ADD ("call-has-ended", test_call_has_ended);
  ADD ("bound", test_bound);
  ADD ("bound-to-the-dead", test_bound_to_the_dead);
  ADD ("edited-approval", test_edited_approval);
  ADD ("asked-again", test_asked_again);
  ADD ("draft", test_draft);
  ADD ("one-object", test_one_object);
  ADD ("oldest-first", test_oldest_first);
  ADD ("unreadable-request", test_unreadable_request);
  ADD ("four-processes", test_four_processes);
#undef ADD

  return g_test_run ();
}
