/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Questions that the model does not wait for: their answers are kept until they are messages, once. */

#include "beckon-store-fixture.h"

#include "base/beckon-error.h"
#include "domain/beckon-message.h"
#include "request/beckon-question-request.h"
#include "store/transfer/beckon-copy.h"
#include "store/transfer/beckon-export.h"
#include "store/transfer/beckon-import.h"

#include <string.h>

typedef struct
{
  char *directory;
  BeckonStore *store;
  BeckonStore *other; /* as another process would be */
  BeckonTurn *turn;
} Fixture;

/* The call has its result. */
static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->directory = beckon_store_fixture_make_folder ();
  fixture->store = beckon_store_fixture_open (fixture->directory);
  fixture->other = beckon_store_fixture_open (fixture->directory);
  fixture->turn = beckon_turn_new ("Which colour?");
  beckon_request_get_question (fixture->turn->request)->is_late = TRUE;
  beckon_tool_call_set_state (fixture->turn->call, BECKON_CALL_DONE);
  beckon_tool_call_set_result (fixture->turn->call, "It will come.", FALSE);
  beckon_store_fixture_commit (fixture->store, beckon_turn_to_batch (fixture->turn));
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  beckon_turn_free (fixture->turn);
  g_assert_finalize_object (fixture->store);
  g_assert_finalize_object (fixture->other);
  beckon_store_fixture_clear (fixture->directory);
}

static void
assert_sql (Fixture *fixture, const char *sql, const char *expected)
{
  g_autofree char *value = beckon_store_fixture_sql (fixture->directory, sql);

  g_assert_cmpstr (value, ==, expected);
}

static void
keep_result (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

static BeckonLateAnswers *
load (BeckonStore *store, const char *conversation_id)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  BeckonLateAnswers *answers;

  beckon_store_load_late_answers_async (store, conversation_id, NULL, keep_result, &result);
  beckon_await (result != NULL);
  answers = beckon_store_load_late_answers_finish (store, result, &error);
  g_assert_no_error (error);
  return answers;
}

static BeckonLateAnswers *
load_turn (Fixture *fixture)
{
  return load (fixture->store, beckon_conversation_get_id (fixture->turn->conversation));
}

/* Open questions, then the text to be told. */
static void
assert_found (Fixture *fixture, guint n_open, const char *text)
{
  g_autoptr (BeckonLateAnswers) found = load_turn (fixture);

  g_assert_cmpuint (found->n_open, ==, n_open);
  g_assert_cmpuint (found->answers->len, ==, text != NULL ? 1 : 0);
  if (text != NULL)
    g_assert_cmpstr (((const BeckonLateAnswer *) g_ptr_array_index (found->answers, 0))->text, ==, text);
}

#define ANSWER "My answer to your earlier question \"Which colour?\":\nblue"

static void
answer (Fixture *fixture, BeckonStore *store)
{
  g_autoptr (BeckonSettlement) settlement = beckon_turn_answer (fixture->turn, "blue", "Ada");
  g_autoptr (GError) error = NULL;

  beckon_store_fixture_settle (store, settlement, &error);
  g_assert_no_error (error);
}

/* The answer changes nothing of the call, which has its result. */
static void
test_answered (Fixture *fixture, gconstpointer data)
{
  assert_found (fixture, 1, NULL);
  answer (fixture, fixture->other);
  assert_found (fixture, 0, ANSWER);
  assert_sql (fixture, "SELECT state FROM call", "done");
  assert_sql (fixture, "SELECT group_concat (CAST (text AS TEXT)) FROM part WHERE kind = 'result'", "It will come.");
  assert_sql (fixture, "SELECT group_concat (event) FROM (SELECT event FROM provenance ORDER BY seq)", "asked,settled");
}

static gboolean
deliver (Fixture *fixture, BeckonStore *store, GError **error)
{
  BeckonTurn *turn = fixture->turn;
  const char *id = beckon_conversation_get_id (turn->conversation);
  const BeckonLateAnswer told = { (char *) beckon_request_get_id (turn->request), NULL, (char *) ANSWER, FALSE };
  g_autoptr (BeckonMessage) message = beckon_late_message_new (told.request_id, told.text, 7);
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);

  beckon_message_set_seq (message, 2);
  beckon_batch_deliver_answer (batch, id, &told, 7);
  beckon_batch_add_message (batch, id, message);
  return beckon_store_fixture_try_commit (store, batch, error);
}

/* An answer is a message once, whoever makes it one; an open question is none. */
static void
test_delivered (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) messages = NULL;

  g_assert_false (deliver (fixture, fixture->store, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_NOT_FOUND);
  g_clear_error (&error);
  answer (fixture, fixture->store);
  g_assert_true (deliver (fixture, fixture->other, &error));
  g_assert_no_error (error);
  g_assert_false (deliver (fixture, fixture->store, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_NOT_FOUND);
  assert_found (fixture, 0, NULL);
  messages = beckon_store_fixture_load (fixture->store, beckon_conversation_get_id (fixture->turn->conversation));
  g_assert_cmpuint (messages->len, ==, 3);
  g_assert_cmpstr (beckon_late_message_get_request_id (g_ptr_array_index (messages, 2)), ==,
                   beckon_request_get_id (fixture->turn->request));
  g_assert_null (beckon_late_message_get_request_id (g_ptr_array_index (messages, 0)));
  assert_sql (fixture, "SELECT count (*) FROM provenance WHERE event = 'delivered'", "1");
}

static void
end_run (Fixture *fixture, BeckonRunPhase phase)
{
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_FULL);

  fixture->turn->run->phase = phase;
  beckon_batch_set_run (batch, fixture->turn->run);
  beckon_store_fixture_commit (fixture->store, batch);
}

/* A stop ends it in the same transaction. */
static void
test_run_is_stopped (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonSettlement) late = beckon_turn_answer (fixture->turn, "blue", "Ada");
  g_autoptr (GPtrArray) pending = NULL;
  g_autoptr (GError) error = NULL;

  end_run (fixture, BECKON_RUN_STOPPED);
  assert_found (fixture, 0,
                "About your earlier question \"Which colour?\":\nThe user did not answer; the operation was cancelled");
  assert_sql (fixture, "SELECT state FROM request", "cancelled");
  pending = beckon_store_fixture_pending (fixture->other);
  g_assert_cmpuint (pending->len, ==, 0);
  g_assert_false (beckon_store_fixture_settle (fixture->other, late, &error));
  g_assert_error (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_ALREADY_SETTLED);
}

static const BeckonRunPhase early_ends[]
    = { BECKON_RUN_DISMISSED, BECKON_RUN_FAILED,  BECKON_RUN_CUT_OFF,  BECKON_RUN_LENGTH,
        BECKON_RUN_ROUND_LIMIT, BECKON_RUN_REFUSED, BECKON_RUN_FILTERED, BECKON_RUN_PAUSED };

#define QUEUED "SELECT count (*) FROM run WHERE phase = 'queued' AND open AND lease IS NULL"

/* Every other end leaves it open, whichever process lists it. The first answer queues the run that tells it, and is the only
 * one. */
static void
test_run_ends (Fixture *fixture, gconstpointer data)
{
  const BeckonRunPhase *phase = data;
  g_autoptr (BeckonSettlement) second = beckon_turn_answer (fixture->turn, "green", "Bea");
  g_autoptr (GPtrArray) pending = NULL;
  g_autoptr (GError) error = NULL;

  end_run (fixture, *phase);
  assert_found (fixture, 1, NULL);
  pending = beckon_store_fixture_pending (fixture->other);
  g_assert_cmpuint (pending->len, ==, 1);
  assert_sql (fixture, QUEUED, "0");
  answer (fixture, fixture->other);
  assert_sql (fixture, QUEUED, "1");
  assert_sql (fixture, "SELECT profile || round_limit FROM run WHERE open", "tour50");
  assert_found (fixture, 0, ANSWER);
  g_assert_false (beckon_store_fixture_settle (fixture->store, second, &error));
  g_assert_error (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_ALREADY_SETTLED);
  assert_sql (fixture, QUEUED, "1");
  assert_sql (fixture, "SELECT count (*) FROM settlement", "1");
}

/* A dismissal begins nothing; the next turn tells it. */
static void
test_dismissed_behind_run (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonAnswer) dismissal = beckon_answer_new (BECKON_ANSWER_DECLINED, NULL);
  g_autoptr (BeckonSettlement) settlement = NULL;
  g_autoptr (GError) error = NULL;

  end_run (fixture, BECKON_RUN_FAILED);
  settlement = beckon_settlement_new (fixture->turn->request, dismissal, "window", "Ada", 8);
  g_assert_true (beckon_store_fixture_settle (fixture->store, settlement, &error));
  g_assert_no_error (error);
  assert_sql (fixture, QUEUED, "0");
  assert_found (fixture, 0, "About your earlier question \"Which colour?\":\nThe user dismissed this question");
}

/* Another version of what asked has not asked it; a turn that goes on has. */
static void
test_left (Fixture *fixture, gconstpointer data)
{
  const char *id = beckon_conversation_get_id (fixture->turn->conversation);
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_FULL);
  g_autoptr (BeckonSettlement) late = beckon_turn_answer (fixture->turn, "blue", "Ada");
  g_autoptr (GError) error = NULL;

  end_run (fixture, BECKON_RUN_REFUSED);
  beckon_batch_leave_message (batch, id, beckon_message_get_id (fixture->turn->reply));
  beckon_store_fixture_commit (fixture->store, batch);
  assert_sql (fixture, "SELECT state FROM request", "cancelled");
  g_assert_false (beckon_store_fixture_settle (fixture->store, late, &error));
  g_assert_error (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_ALREADY_SETTLED);
  assert_sql (fixture, QUEUED, "0");
}

/* An earlier answer stands, and is told in the next turn. */
static void
test_run_ends_after_answer (Fixture *fixture, gconstpointer data)
{
  answer (fixture, fixture->store);
  end_run (fixture, BECKON_RUN_STOPPED);
  assert_sql (fixture, "SELECT state FROM request", "answered");
  assert_found (fixture, 0, ANSWER);
}

/* A branch that does not hold the question is told nothing of it. */
static void
test_other_branch (Fixture *fixture, gconstpointer data)
{
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_FULL);

  answer (fixture, fixture->store);
  end_run (fixture, BECKON_RUN_STOPPED);
  beckon_batch_leave_message (batch, beckon_conversation_get_id (fixture->turn->conversation),
                              beckon_message_get_id (fixture->turn->reply));
  beckon_store_fixture_commit (fixture->store, batch);
  assert_found (fixture, 0, NULL);
}

/* A copy, and what was exported and read in again, tell it as well. */
static void
test_copied (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (BeckonConversation) copy = NULL;
  g_autoptr (BeckonLateAnswers) found = NULL;
  g_autoptr (GError) error = NULL;

  answer (fixture, fixture->store);
  end_run (fixture, BECKON_RUN_STOPPED);
  beckon_store_copy_async (fixture->store, beckon_conversation_get_id (fixture->turn->conversation), NULL, "Copy", 3, NULL,
                           keep_result, &result);
  beckon_await (result != NULL);
  copy = beckon_store_copy_finish (fixture->store, result, &error);
  g_assert_no_error (error);
  found = load (fixture->store, beckon_conversation_get_id (copy));
  g_assert_cmpuint (found->answers->len, ==, 1);
}

static void
test_exported (Fixture *fixture, gconstpointer data)
{
  const char *id = beckon_conversation_get_id (fixture->turn->conversation);
  g_autoptr (GAsyncResult) exported = NULL;
  g_autoptr (GAsyncResult) imported = NULL;
  g_autoptr (BeckonImportReport) report = NULL;
  g_autoptr (BeckonLateAnswers) found = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *document = NULL;
  g_autofree char *folder = beckon_store_fixture_make_folder ();
  BeckonStore *into = beckon_store_fixture_open (folder);

  answer (fixture, fixture->store);
  end_run (fixture, BECKON_RUN_STOPPED);
  beckon_store_export_async (fixture->store, id, NULL, keep_result, &exported);
  beckon_await (exported != NULL);
  document = beckon_store_export_finish (fixture->store, exported, &error);
  g_assert_no_error (error);
  bytes = g_bytes_new (document, strlen (document));
  beckon_store_import_async (into, bytes, NULL, keep_result, &imported);
  beckon_await (imported != NULL);
  report = beckon_store_import_finish (into, imported, &error);
  g_assert_no_error (error);
  found = load (into, id);
  g_assert_cmpuint (found->answers->len, ==, 1);
  g_assert_cmpstr (((const BeckonLateAnswer *) g_ptr_array_index (found->answers, 0))->text, ==, ANSWER);
  g_clear_object (&imported);
  g_assert_finalize_object (into);
  beckon_store_fixture_clear (g_steal_pointer (&folder));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name, function) g_test_add ("/store/late/" name, Fixture, NULL, set_up, function, tear_down)
  ADD ("answered", test_answered);
  ADD ("delivered", test_delivered);
  ADD ("run-is-stopped", test_run_is_stopped);
  for (guint i = 0; i < G_N_ELEMENTS (early_ends); i++)
    {
      g_autofree char *name = g_strconcat ("/store/late/run-ends/", beckon_run_phase_to_string (early_ends[i]), NULL);

      g_test_add (name, Fixture, &early_ends[i], set_up, test_run_ends, tear_down);
    }
  ADD ("dismissed-behind-run", test_dismissed_behind_run);
  ADD ("left", test_left);
  ADD ("run-ends-after-answer", test_run_ends_after_answer);
  ADD ("other-branch", test_other_branch);
  ADD ("copied", test_copied);
  ADD ("exported", test_exported);
#undef ADD

  return g_test_run ();
}
