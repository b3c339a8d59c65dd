/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The inbox over a small journal in memory that several inboxes can share, as several processes share a store. The
 * journal answers later, as the contract says, and can be told to hold its answers back, so that every order of events can
 * be had without a clock. */

#include "request/beckon-deadlines.h"
#include "request/beckon-inbox.h"
#include "request/beckon-question-request.h"
#include "test-journal.h"

#include <string.h>

#define START (G_GINT64_CONSTANT (1763640000) * G_USEC_PER_SEC)

typedef struct
{
  TestLedger *ledger;
  TestJournal *journal;
  BeckonClock *clock;
  BeckonInbox *inbox;
  GPtrArray *settled; /* what the signal told, in order */
} Fixture;

static void
on_settled (BeckonInbox *inbox, BeckonRequest *request, const BeckonSettlement *settlement, Fixture *fixture)
{
  /* The request has left the list and knows its end; its settlement is the one committed, or recorded. */
  g_assert_cmpstr (settlement->request_id, ==, beckon_request_get_id (request));
  g_assert_cmpint (settlement->state, ==, beckon_request_get_state (request));
  g_assert_true (settlement->given == beckon_request_get_answer (request));
  g_assert_cmpstr (settlement->front_end, ==, beckon_request_get_front_end (request));
  g_assert_null (beckon_inbox_lookup (inbox, beckon_request_get_id (request)));
  g_assert_cmpint (beckon_request_get_state (request), !=, BECKON_REQUEST_PENDING);
  g_ptr_array_add (fixture->settled, g_object_ref (request));
}

static void
open_fixture (Fixture *fixture, TestLedger *ledger)
{
  fixture->ledger = ledger;
  fixture->journal = test_journal_new (ledger);
  fixture->clock = beckon_clock_new_manual (START);
  fixture->inbox = beckon_inbox_new (BECKON_REQUEST_STORE (fixture->journal), fixture->clock);
  fixture->settled = g_ptr_array_new_with_free_func (g_object_unref);
  g_signal_connect (fixture->inbox, "settled", G_CALLBACK (on_settled), fixture);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  open_fixture (fixture, test_ledger_new ());
}

static void
spin (void)
{
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

static void
close_fixture (Fixture *fixture)
{
  spin ();
  g_assert_finalize_object (fixture->inbox);
  g_assert_finalize_object (fixture->clock);
  spin ();
  g_assert_finalize_object (fixture->journal);
  g_ptr_array_unref (fixture->settled);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  close_fixture (fixture);
  test_ledger_unref (fixture->ledger);
}

static void
on_result (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GAsyncResult **slot = user_data;

  g_assert_null (*slot);
  *slot = g_object_ref (result);
}

/* Iterates until a result is there; the deadline is only met by a test that fails. */
static void
wait_for (GAsyncResult **result)
{
  gint64 deadline = g_get_monotonic_time () + 10 * G_USEC_PER_SEC;

  while (*result == NULL && g_get_monotonic_time () < deadline)
    g_main_context_iteration (NULL, FALSE);
  g_assert_nonnull (*result);
}

static gboolean
load (BeckonInbox *inbox, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  beckon_inbox_load_async (inbox, NULL, on_result, &result);
  g_assert_null (result);
  wait_for (&result);
  return beckon_inbox_load_finish (inbox, result, error);
}

static gboolean
settle (BeckonInbox *inbox, const char *request_id, BeckonAnswer *answer, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  beckon_inbox_settle_async (inbox, request_id, answer, "window", "ana", NULL, on_result, &result);
  g_assert_null (result);
  wait_for (&result);
  return beckon_inbox_settle_finish (inbox, result, error);
}

static BeckonRequest *
make_request (const char *id, const char *conversation_id, gint64 asked_at)
{
  g_autoptr (BeckonQuestion) question = beckon_question_parse ("{\"question\":\"Q?\",\"choices\":[\"A\",\"B\"]}", NULL);

  return beckon_question_request_new (id, conversation_id, "message", "call", question, asked_at);
}

/* Commits a request as a run does, then shows it. */
static BeckonRequest *
ask (Fixture *fixture, const char *id)
{
  BeckonRequest *request = make_request (id, "conversation", beckon_clock_get_real_time (fixture->clock));

  test_ledger_add (fixture->ledger, request);
  beckon_inbox_add (fixture->inbox, request);
  return request;
}

static BeckonAnswer *
pick (const char *label)
{
  BeckonAnswer *answer = beckon_answer_new_question (1);

  beckon_answer_select (answer, 0, label);
  return answer;
}

static void
assert_list (BeckonInbox *inbox, const char *expected)
{
  g_autoptr (GString) ids = g_string_new (NULL);

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (inbox)); i++)
    {
      g_autoptr (BeckonRequest) request = g_list_model_get_item (G_LIST_MODEL (inbox), i);

      g_string_append_printf (ids, "%s%s", i > 0 ? " " : "", beckon_request_get_id (request));
    }
  g_assert_cmpstr (ids->str, ==, expected);
}

static void
assert_settled (Fixture *fixture, guint n, const char *id, BeckonRequestState state)
{
  BeckonRequest *request;

  g_assert_cmpuint (fixture->settled->len, ==, n);
  request = g_ptr_array_index (fixture->settled, n - 1);
  g_assert_cmpstr (beckon_request_get_id (request), ==, id);
  g_assert_cmpint (beckon_request_get_state (request), ==, state);
}

static void
test_list (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) late = make_request ("1", "x", START + 2);
  g_autoptr (BeckonRequest) early = make_request ("2", "y", START + 1);
  g_autoptr (BeckonRequest) same_time = make_request ("3", "x", START + 1);

  beckon_inbox_add (fixture->inbox, late);
  beckon_inbox_add (fixture->inbox, same_time);
  beckon_inbox_add (fixture->inbox, early);
  beckon_inbox_add (fixture->inbox, early);

  assert_list (fixture->inbox, "2 3 1");
  g_assert_true (g_list_model_get_item_type (G_LIST_MODEL (fixture->inbox)) == BECKON_TYPE_REQUEST);
  g_assert_null (g_list_model_get_item (G_LIST_MODEL (fixture->inbox), 3));
  g_assert_true (beckon_inbox_lookup (fixture->inbox, "3") == same_time);
  g_assert_null (beckon_inbox_lookup (fixture->inbox, "4"));
  g_assert_cmpuint (beckon_inbox_count_for (fixture->inbox, "x"), ==, 2);
  g_assert_cmpuint (beckon_inbox_count_for (fixture->inbox, "y"), ==, 1);
  g_assert_cmpuint (beckon_inbox_count_for (fixture->inbox, "z"), ==, 0);
}

typedef struct
{
  guint n;
  guint position;
  guint removed;
  guint added;
} Change;

static void
on_items_changed (GListModel *model, guint position, guint removed, guint added, Change *change)
{
  change->n++;
  change->position = position;
  change->removed = removed;
  change->added = added;
}

static void
test_list_signals (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) first = ask (fixture, "1");
  g_autoptr (BeckonRequest) second = NULL;
  g_autoptr (BeckonRequest) twin = make_request ("2", "conversation", START);
  Change change = { 0 };

  g_signal_connect (fixture->inbox, "items-changed", G_CALLBACK (on_items_changed), &change);
  second = ask (fixture, "2");
  g_assert_cmpuint (change.n, ==, 1);
  g_assert_cmpuint (change.position, ==, 1);
  g_assert_cmpuint (change.added, ==, 1);

  /* Another object of the same request takes the place of the first. */
  beckon_inbox_add (fixture->inbox, twin);
  g_assert_cmpuint (change.n, ==, 2);
  g_assert_cmpuint (change.removed, ==, 1);
  g_assert_cmpuint (change.added, ==, 1);
  g_assert_true (beckon_inbox_lookup (fixture->inbox, "2") == twin);

  beckon_inbox_note_settled (fixture->inbox, first, BECKON_REQUEST_CANCELLED, NULL, "agent", NULL, START);
  g_assert_cmpuint (change.n, ==, 3);
  g_assert_cmpuint (change.position, ==, 0);
  g_assert_cmpuint (change.removed, ==, 1);
  g_assert_cmpuint (change.added, ==, 0);
}

/* 1: what was committed as pending is there after a start, with its draft. */
static void
test_load (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) first = make_request ("1", "x", START);
  g_autoptr (BeckonRequest) second = make_request ("2", "y", START);
  g_autoptr (GError) error = NULL;

  beckon_request_set_draft (second, "{\"text\":\"half\"}");
  test_ledger_add (fixture->ledger, first);
  test_ledger_add (fixture->ledger, second);

  g_assert_true (load (fixture->inbox, &error));
  g_assert_no_error (error);
  assert_list (fixture->inbox, "1 2");
  g_assert_cmpstr (beckon_request_get_draft (beckon_inbox_lookup (fixture->inbox, "2")), ==, "{\"text\":\"half\"}");

  /* Loading again changes nothing. */
  g_assert_true (load (fixture->inbox, &error));
  assert_list (fixture->inbox, "1 2");
}

static void
test_load_fails (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  test_journal_break (fixture->journal, "The disk is gone.");
  g_assert_false (load (fixture->inbox, &error));
  g_assert_cmpstr (error->message, ==, "The disk is gone.");
  test_journal_break (fixture->journal, NULL);
  g_assert_true (load (fixture->inbox, NULL));
}

static void
test_settle (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ask (fixture, "1");
  g_autoptr (BeckonAnswer) answer = pick ("B");
  g_autoptr (GError) error = NULL;
  const BeckonSettlement *settlement;

  beckon_clock_advance (fixture->clock, 1000);
  g_assert_true (settle (fixture->inbox, "1", answer, &error));
  g_assert_no_error (error);

  assert_list (fixture->inbox, "");
  assert_settled (fixture, 1, "1", BECKON_REQUEST_ANSWERED);
  g_assert_true (g_ptr_array_index (fixture->settled, 0) == request);
  g_assert_true (beckon_request_get_answer (request) == answer);
  g_assert_cmpstr (beckon_request_get_front_end (request), ==, "window");
  g_assert_cmpstr (beckon_request_get_actor (request), ==, "ana");
  g_assert_cmpint (beckon_request_get_settled_at (request), ==, START + G_USEC_PER_SEC);

  settlement = test_ledger_get_settlement (fixture->ledger, "1");
  g_assert_cmpint (settlement->call_event, ==, BECKON_CALL_EVENT_SETTLED_RESULT);
  g_assert_cmpstr (settlement->result, ==, "B");
}

static void
test_settle_default_actor (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ask (fixture, "1");
  g_autoptr (BeckonAnswer) answer = pick ("B");
  g_autoptr (GAsyncResult) result = NULL;

  beckon_inbox_settle_async (fixture->inbox, "1", answer, "terminal", NULL, NULL, on_result, &result);
  wait_for (&result);
  g_assert_true (beckon_inbox_settle_finish (fixture->inbox, result, NULL));
  g_assert_cmpstr (beckon_request_get_actor (request), ==, g_get_user_name ());
}

/* 3: an answer to a settled or unknown request is refused in words. */
static void
test_settle_unknown (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonAnswer) answer = pick ("A");
  g_autoptr (GError) error = NULL;

  g_assert_false (settle (fixture->inbox, "nowhere", answer, &error));
  g_assert_error (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_UNKNOWN);
  g_assert_cmpuint (fixture->settled->len, ==, 0);
}

static void
test_settle_settled (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ask (fixture, "1");
  g_autoptr (BeckonAnswer) first = pick ("A");
  g_autoptr (BeckonAnswer) second = pick ("B");
  g_autoptr (GError) error = NULL;

  g_assert_true (settle (fixture->inbox, "1", first, NULL));
  g_assert_false (settle (fixture->inbox, "1", second, &error));
  g_assert_error (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_ALREADY_SETTLED);
  g_assert_nonnull (strstr (error->message, "ana, in the window"));
  g_assert_cmpstr (test_ledger_get_settlement (fixture->ledger, "1")->result, ==, "A");
  g_assert_cmpuint (fixture->settled->len, ==, 1);
}

/* 7: stopping cancels; an answer that comes after it is told so and never gets into the run. */
static void
test_settle_after_stop (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ask (fixture, "1");
  g_autoptr (BeckonAnswer) cancelled = beckon_answer_new (BECKON_ANSWER_CANCELLED, NULL);
  g_autoptr (BeckonAnswer) late = pick ("B");
  g_autoptr (GError) error = NULL;

  beckon_inbox_save_draft (fixture->inbox, request, "half");
  g_assert_true (settle (fixture->inbox, "1", cancelled, NULL));
  assert_settled (fixture, 1, "1", BECKON_REQUEST_CANCELLED);
  g_assert_cmpint (test_ledger_get_settlement (fixture->ledger, "1")->call_event, ==, BECKON_CALL_EVENT_STOPPED);

  g_assert_false (settle (fixture->inbox, "1", late, &error));
  g_assert_error (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_ALREADY_SETTLED);
  g_assert_nonnull (strstr (error->message, "ended without an answer"));

  /* Stopping keeps drafts, whatever the clock says. */
  g_assert_cmpstr (test_ledger_get_draft (fixture->ledger, "1"), ==, "half");
}

/* 5: a blank or unfit answer settles nothing, and says what is wrong. */
static void
test_settle_invalid (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ask (fixture, "1");
  g_autoptr (BeckonAnswer) wrong = pick ("C");
  g_autoptr (BeckonAnswer) blank = beckon_answer_new_question (1);
  g_autoptr (BeckonAnswer) right = pick ("A");
  g_autoptr (GError) error = NULL;

  g_assert_false (settle (fixture->inbox, "1", wrong, &error));
  g_assert_error (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_INVALID);
  g_clear_error (&error);

  beckon_answer_set_item_text (blank, 0, "   ");
  g_assert_false (settle (fixture->inbox, "1", blank, &error));
  g_assert_error (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_INVALID);
  assert_list (fixture->inbox, "1");
  g_assert_cmpuint (test_ledger_get_n_settlements (fixture->ledger), ==, 0);

  g_assert_true (settle (fixture->inbox, "1", right, NULL));
}

/* 3: several answers at once, one winner. */
static void
test_settle_race (Fixture *fixture, gconstpointer data)
{
  enum
  {
    N = 5
  };
  g_autoptr (BeckonRequest) request = ask (fixture, "1");
  GAsyncResult *results[N] = { NULL };
  guint n_won = 0;

  for (guint i = 0; i < N; i++)
    {
      g_autoptr (BeckonAnswer) answer = pick (i % 2 == 0 ? "A" : "B");

      beckon_inbox_settle_async (fixture->inbox, "1", answer, "window", "ana", NULL, on_result, &results[i]);
    }

  for (guint i = 0; i < N; i++)
    {
      g_autoptr (GError) error = NULL;

      wait_for (&results[i]);
      if (beckon_inbox_settle_finish (fixture->inbox, results[i], &error))
        n_won++;
      else
        g_assert_error (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_ALREADY_SETTLED);
      g_object_unref (results[i]);
    }

  g_assert_cmpuint (n_won, ==, 1);
  g_assert_cmpuint (test_ledger_get_n_settlements (fixture->ledger), ==, 1);
  g_assert_cmpuint (fixture->settled->len, ==, 1);
  assert_list (fixture->inbox, "");
}

/* 2: several pending, in one conversation and in many, do not mix. */
static void
test_settle_several (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) first = ask (fixture, "1");
  g_autoptr (BeckonRequest) second = ask (fixture, "2");
  g_autoptr (BeckonRequest) third = ask (fixture, "3");
  g_autoptr (BeckonAnswer) a = pick ("A");
  g_autoptr (BeckonAnswer) b = pick ("B");

  g_assert_true (settle (fixture->inbox, "2", b, NULL));
  assert_list (fixture->inbox, "1 3");
  g_assert_true (settle (fixture->inbox, "1", a, NULL));
  assert_list (fixture->inbox, "3");
  g_assert_cmpstr (test_ledger_get_settlement (fixture->ledger, "1")->result, ==, "A");
  g_assert_cmpstr (test_ledger_get_settlement (fixture->ledger, "2")->result, ==, "B");
  g_assert_null (test_ledger_get_settlement (fixture->ledger, "3"));
}

static void
test_settle_cancelled_before (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ask (fixture, "1");
  g_autoptr (BeckonAnswer) answer = pick ("A");
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  beckon_inbox_settle_async (fixture->inbox, "1", answer, "window", NULL, cancellable, on_result, &result);
  wait_for (&result);
  g_assert_false (beckon_inbox_settle_finish (fixture->inbox, result, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  assert_list (fixture->inbox, "1");
  g_assert_cmpuint (test_ledger_get_n_settlements (fixture->ledger), ==, 0);
}

/* After the commit the settlement stands, whatever was cancelled. */
static void
test_settle_cancelled_after (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ask (fixture, "1");
  g_autoptr (BeckonAnswer) answer = pick ("A");
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  test_journal_hold (fixture->journal);
  beckon_inbox_settle_async (fixture->inbox, "1", answer, "window", NULL, cancellable, on_result, &result);
  g_cancellable_cancel (cancellable);
  test_journal_release (fixture->journal);
  wait_for (&result);
  g_assert_true (beckon_inbox_settle_finish (fixture->inbox, result, &error));
  g_assert_no_error (error);
  assert_settled (fixture, 1, "1", BECKON_REQUEST_ANSWERED);
}

static void
test_settle_store_fails (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ask (fixture, "1");
  g_autoptr (BeckonAnswer) answer = pick ("A");
  g_autoptr (GError) error = NULL;

  test_journal_break (fixture->journal, "The disk is full.");
  g_assert_false (settle (fixture->inbox, "1", answer, &error));
  g_assert_cmpstr (error->message, ==, "The disk is full.");
  assert_list (fixture->inbox, "1");
  g_assert_cmpint (beckon_request_get_state (request), ==, BECKON_REQUEST_PENDING);

  test_journal_break (fixture->journal, NULL);
  g_assert_true (settle (fixture->inbox, "1", answer, NULL));
}

/* A request that another process asked can be answered here before its card is. */
static void
test_settle_not_listed (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = make_request ("1", "x", START);
  g_autoptr (BeckonAnswer) wrong = pick ("C");
  g_autoptr (BeckonAnswer) answer = pick ("A");
  g_autoptr (GError) error = NULL;

  test_ledger_add (fixture->ledger, request);
  g_assert_false (settle (fixture->inbox, "1", wrong, &error));
  g_assert_error (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_INVALID);
  g_assert_true (settle (fixture->inbox, "1", answer, NULL));
  assert_settled (fixture, 1, "1", BECKON_REQUEST_ANSWERED);
  g_assert_cmpstr (test_ledger_get_settlement (fixture->ledger, "1")->result, ==, "A");
}

/* Two processes. */
static void
test_elsewhere_added (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = make_request ("1", "x", START);

  g_assert_true (load (fixture->inbox, NULL));
  test_ledger_add (fixture->ledger, request);
  test_journal_announce (fixture->journal);
  spin ();
  assert_list (fixture->inbox, "1");
}

static void
test_elsewhere_settled (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ask (fixture, "1");
  g_autoptr (BeckonRequest) stays = ask (fixture, "2");
  g_autoptr (BeckonAnswer) answer = pick ("B");
  Fixture other;

  open_fixture (&other, fixture->ledger);
  g_assert_true (load (fixture->inbox, NULL));
  g_assert_true (load (other.inbox, NULL));
  assert_list (other.inbox, "1 2");

  g_assert_true (settle (other.inbox, "1", answer, NULL));
  spin ();
  assert_list (fixture->inbox, "2");
  assert_settled (fixture, 1, "1", BECKON_REQUEST_ANSWERED);
  g_assert_cmpstr (beckon_request_get_actor (request), ==, "ana");
  g_assert_cmpstr (beckon_request_get_front_end (request), ==, "window");
  g_assert_cmpint (beckon_request_get_settled_at (request), ==, START);
  g_assert_nonnull (beckon_request_get_answer (request));
  close_fixture (&other);
}

/* The loser's card closes, and it knows who won, before it is told that it lost. */
static void
test_elsewhere_first (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ask (fixture, "1");
  g_autoptr (BeckonAnswer) theirs = pick ("A");
  g_autoptr (BeckonAnswer) ours = pick ("B");
  g_autoptr (BeckonSettlement) settlement = beckon_settlement_new (request, theirs, "terminal", "ben", START);
  g_autoptr (GError) error = NULL;
  Fixture other;

  /* Never loaded: no signal tells it, only the refusal does. */
  open_fixture (&other, fixture->ledger);
  beckon_request_store_settle_async (BECKON_REQUEST_STORE (other.journal), settlement, NULL, NULL, NULL);

  g_assert_false (settle (fixture->inbox, "1", ours, &error));
  g_assert_error (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_ALREADY_SETTLED);
  g_assert_nonnull (strstr (error->message, "ben, in the terminal"));
  assert_list (fixture->inbox, "");
  assert_settled (fixture, 1, "1", BECKON_REQUEST_ANSWERED);
  g_assert_cmpstr (beckon_request_get_actor (request), ==, "ben");
  close_fixture (&other);
}

/* The conversation was deleted elsewhere. */
static void
test_elsewhere_deleted (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ask (fixture, "1");
  g_autofree char *summary = NULL;

  g_assert_true (load (fixture->inbox, NULL));
  test_ledger_remove (fixture->ledger, "1");
  test_journal_announce (fixture->journal);
  spin ();
  assert_list (fixture->inbox, "");
  assert_settled (fixture, 1, "1", BECKON_REQUEST_CANCELLED);
  summary = beckon_request_dup_summary (request);
  g_assert_cmpstr (summary, ==, "The user did not answer; the operation was cancelled");
}

/* A listing that was taken before a request was added does not take it away again. */
static void
test_listing_is_old_added (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = NULL;

  g_assert_true (load (fixture->inbox, NULL));
  test_journal_hold (fixture->journal);
  test_journal_announce (fixture->journal);
  request = ask (fixture, "1");
  test_journal_release (fixture->journal);
  spin ();
  assert_list (fixture->inbox, "1");
  g_assert_cmpuint (fixture->settled->len, ==, 0);
}

/* A listing that was taken before a request was settled does not bring it back. */
static void
test_listing_is_old_settled (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ask (fixture, "1");

  g_assert_true (load (fixture->inbox, NULL));
  test_journal_hold (fixture->journal);
  test_journal_announce (fixture->journal);
  beckon_inbox_note_settled (fixture->inbox, request, BECKON_REQUEST_CANCELLED, NULL, "agent", "ana", START);
  test_journal_release (fixture->journal);
  spin ();
  assert_list (fixture->inbox, "");
  g_assert_cmpuint (fixture->settled->len, ==, 1);
}

/* A listing that comes back while our own settlement is under way says nothing about it. */
static void
test_listing_while_settling (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ask (fixture, "1");
  g_autoptr (BeckonAnswer) answer = pick ("A");
  g_autoptr (GAsyncResult) result = NULL;

  g_assert_true (load (fixture->inbox, NULL));
  test_journal_hold (fixture->journal);
  beckon_inbox_settle_async (fixture->inbox, "1", answer, "window", "ana", NULL, on_result, &result);
  test_journal_announce (fixture->journal);
  test_journal_release (fixture->journal);
  wait_for (&result);
  spin ();
  g_assert_true (beckon_inbox_settle_finish (fixture->inbox, result, NULL));
  assert_settled (fixture, 1, "1", BECKON_REQUEST_ANSWERED);
  assert_list (fixture->inbox, "");
}

/* A burst of changes costs two listings, not one each. */
static void
test_listings_are_coalesced (Fixture *fixture, gconstpointer data)
{
  guint before;

  g_assert_true (load (fixture->inbox, NULL));
  before = test_journal_get_n_listings (fixture->journal);
  for (guint i = 0; i < 100; i++)
    test_journal_announce (fixture->journal);
  spin ();
  g_assert_cmpuint (test_journal_get_n_listings (fixture->journal) - before, ==, 2);
}

static void
test_listing_fails (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ask (fixture, "1");

  g_assert_true (load (fixture->inbox, NULL));
  test_journal_break (fixture->journal, "The disk is gone.");
  test_journal_announce (fixture->journal);
  spin ();
  assert_list (fixture->inbox, "1");
  test_journal_break (fixture->journal, NULL);
}

static void
test_note_settled (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ask (fixture, "1");
  g_autoptr (BeckonRequest) unlisted = make_request ("2", "x", START);
  g_autoptr (BeckonAnswer) answer = beckon_answer_new (BECKON_ANSWER_CANCELLED, NULL);

  beckon_inbox_note_settled (fixture->inbox, request, BECKON_REQUEST_CANCELLED, answer, "agent", "ana", START + 1);
  assert_settled (fixture, 1, "1", BECKON_REQUEST_CANCELLED);
  g_assert_true (beckon_request_get_answer (request) == answer);

  /* Told twice, it is still one. */
  beckon_inbox_note_settled (fixture->inbox, request, BECKON_REQUEST_ANSWERED, NULL, "agent", "ana", START + 2);
  g_assert_cmpuint (fixture->settled->len, ==, 1);
  g_assert_cmpint (beckon_request_get_state (request), ==, BECKON_REQUEST_CANCELLED);

  beckon_inbox_note_settled (fixture->inbox, unlisted, BECKON_REQUEST_CANCELLED, NULL, "agent", "ana", START + 1);
  assert_settled (fixture, 2, "2", BECKON_REQUEST_CANCELLED);

  /* A settled request is not listed. */
  beckon_inbox_add (fixture->inbox, request);
  assert_list (fixture->inbox, "");
}

/* Two objects of one request end together. */
static void
test_twins (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) listed = ask (fixture, "1");
  g_autoptr (BeckonRequest) twin = make_request ("1", "conversation", START);

  beckon_inbox_note_settled (fixture->inbox, twin, BECKON_REQUEST_CANCELLED, NULL, "agent", "ana", START);
  g_assert_cmpint (beckon_request_get_state (listed), ==, BECKON_REQUEST_CANCELLED);
  g_assert_cmpint (beckon_request_get_state (twin), ==, BECKON_REQUEST_CANCELLED);
  g_assert_cmpuint (fixture->settled->len, ==, 1);
}

static void
on_settled_settle_next (BeckonInbox *inbox, BeckonRequest *request, const BeckonSettlement *settlement, GAsyncResult **result)
{
  g_autoptr (BeckonAnswer) answer = pick ("B");

  if (g_str_equal (beckon_request_get_id (request), "1"))
    beckon_inbox_settle_async (inbox, "2", answer, "window", NULL, NULL, on_result, result);
}

/* A handler may answer the next one at once. */
static void
test_reentrant (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) first = ask (fixture, "1");
  g_autoptr (BeckonRequest) second = ask (fixture, "2");
  g_autoptr (BeckonAnswer) answer = pick ("A");
  g_autoptr (GAsyncResult) result = NULL;

  g_signal_connect (fixture->inbox, "settled", G_CALLBACK (on_settled_settle_next), &result);
  g_assert_true (settle (fixture->inbox, "1", answer, NULL));
  wait_for (&result);
  g_assert_true (beckon_inbox_settle_finish (fixture->inbox, result, NULL));
  assert_list (fixture->inbox, "");
  g_assert_cmpuint (fixture->settled->len, ==, 2);
}

/* 6: waiting for a person counts against nothing. */
static void
test_no_timeout (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ask (fixture, "1");
  g_autoptr (BeckonAnswer) answer = pick ("A");

  g_assert_true (load (fixture->inbox, NULL));
  beckon_clock_advance (fixture->clock, G_GINT64_CONSTANT (400) * 24 * 3600 * 1000);
  spin ();
  assert_list (fixture->inbox, "1");
  g_assert_cmpuint (test_ledger_get_n_settlements (fixture->ledger), ==, 0);
  g_assert_true (settle (fixture->inbox, "1", answer, NULL));
}

#define MINUTE_MS (60 * 1000)

/* 6: with a time that the person set, a question ends as timed out, by the way every answer takes. */
static void
test_times_out (Fixture *fixture, gconstpointer data)
{
  BeckonDeadlines *deadlines = beckon_deadlines_new (fixture->inbox, BECKON_REQUEST_STORE (fixture->journal), fixture->clock);
  g_autoptr (BeckonRequest) early = ask (fixture, "1");
  g_autoptr (BeckonRequest) late = NULL;
  g_autoptr (BeckonAnswer) answer = pick ("A");
  g_autoptr (GError) error = NULL;

  beckon_clock_advance (fixture->clock, 30 * MINUTE_MS);
  beckon_deadlines_set_minutes (deadlines, 10);
  g_assert_cmpint (beckon_request_get_due_at (early), ==,
                   beckon_clock_get_real_time (fixture->clock) + G_GINT64_CONSTANT (10) * MINUTE_MS * 1000);
  beckon_clock_advance (fixture->clock, 6 * MINUTE_MS);
  late = ask (fixture, "2");
  beckon_clock_advance (fixture->clock, 4 * MINUTE_MS - 1);
  spin ();
  assert_list (fixture->inbox, "1 2");

  beckon_clock_advance (fixture->clock, 1);
  spin ();
  assert_settled (fixture, 1, "1", BECKON_REQUEST_TIMED_OUT);
  assert_list (fixture->inbox, "2");
  g_assert_false (beckon_request_check_outcome (early, &error));
  g_assert_error (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_TIMED_OUT);
  g_assert_cmpint (beckon_request_get_due_at (early), ==, 0);

  /* A request answered in time stays so, and without a time limit none ends. */
  g_assert_true (settle (fixture->inbox, "2", answer, NULL));
  g_object_unref (ask (fixture, "3"));
  beckon_deadlines_set_minutes (deadlines, 0);
  beckon_clock_advance (fixture->clock, 100 * MINUTE_MS);
  spin ();
  assert_list (fixture->inbox, "3");
  g_assert_cmpuint (test_ledger_get_n_settlements (fixture->ledger), ==, 2);
  beckon_deadlines_free (deadlines);
}

/* 6: the time is the question's, not the process's: another start gives it no more than a moment to be seen. */
static void
test_time_survives_a_start (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) overdue = ask (fixture, "1");
  g_autoptr (BeckonRequest) recent = NULL;
  BeckonDeadlines *deadlines;
  Fixture other;

  beckon_clock_advance (fixture->clock, 30 * MINUTE_MS);
  recent = ask (fixture, "2");
  open_fixture (&other, fixture->ledger);
  beckon_clock_advance (other.clock, 34 * MINUTE_MS);
  deadlines = beckon_deadlines_new (other.inbox, BECKON_REQUEST_STORE (other.journal), other.clock);
  beckon_deadlines_set_minutes (deadlines, 10);
  g_assert_true (load (other.inbox, NULL));

  beckon_clock_advance (other.clock, BECKON_DEADLINES_GRACE_MS - 1);
  spin ();
  assert_list (other.inbox, "1 2");
  beckon_clock_advance (other.clock, 1);
  spin ();
  assert_settled (&other, 1, "1", BECKON_REQUEST_TIMED_OUT);
  beckon_clock_advance (other.clock, 5 * MINUTE_MS - 1);
  spin ();
  assert_list (other.inbox, "2");
  beckon_clock_advance (other.clock, 1);
  spin ();
  assert_list (other.inbox, "");
  beckon_deadlines_free (deadlines);
  close_fixture (&other);
}

/* 6: it stops at the first keystroke, here or in another process, and does not start again. */
static void
test_keystroke_stops_time (Fixture *fixture, gconstpointer data)
{
  BeckonDeadlines *deadlines = beckon_deadlines_new (fixture->inbox, BECKON_REQUEST_STORE (fixture->journal), fixture->clock);
  g_autoptr (BeckonRequest) here = ask (fixture, "1");
  g_autoptr (BeckonRequest) elsewhere = ask (fixture, "2");
  g_autoptr (BeckonRequest) nowhere = ask (fixture, "3");
  Fixture other;

  open_fixture (&other, fixture->ledger);
  g_assert_true (load (other.inbox, NULL));
  beckon_deadlines_set_minutes (deadlines, 1);
  beckon_inbox_save_draft (fixture->inbox, here, "h");
  beckon_inbox_save_draft (fixture->inbox, here, "");
  beckon_inbox_save_draft (other.inbox, beckon_inbox_lookup (other.inbox, "2"), "h");
  beckon_inbox_flush (other.inbox);
  spin ();

  beckon_clock_advance (fixture->clock, 100 * MINUTE_MS);
  spin ();
  assert_settled (fixture, 1, "3", BECKON_REQUEST_TIMED_OUT);
  assert_list (fixture->inbox, "1 2");
  g_assert_cmpint (beckon_request_get_due_at (here), ==, 0);
  g_assert_cmpint (beckon_request_get_due_at (elsewhere), ==, 0);
  beckon_deadlines_free (deadlines);
  close_fixture (&other);
}

/* 5: a half-typed answer is stored as it is typed. */
static void
test_draft (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ask (fixture, "1");
  g_autoptr (BeckonRequest) other = ask (fixture, "2");

  beckon_inbox_save_draft (fixture->inbox, request, "h");
  beckon_inbox_save_draft (fixture->inbox, request, "ha");
  beckon_clock_advance (fixture->clock, 300);
  beckon_inbox_save_draft (fixture->inbox, request, "hal");
  beckon_inbox_save_draft (fixture->inbox, other, "o");
  g_assert_cmpstr (beckon_request_get_draft (request), ==, "hal");
  g_assert_cmpuint (test_ledger_get_n_drafts (fixture->ledger), ==, 0);

  /* 500 ms from the first stroke, however fast the others came: the last one of each, once. */
  beckon_clock_advance (fixture->clock, 200);
  g_assert_cmpuint (test_ledger_get_n_drafts (fixture->ledger), ==, 2);
  g_assert_cmpstr (test_ledger_get_draft (fixture->ledger, "1"), ==, "hal");
  g_assert_cmpstr (test_ledger_get_draft (fixture->ledger, "2"), ==, "o");

  /* The same again is nothing new. */
  beckon_inbox_save_draft (fixture->inbox, request, "hal");
  beckon_clock_advance (fixture->clock, 1000);
  g_assert_cmpuint (test_ledger_get_n_drafts (fixture->ledger), ==, 2);

  beckon_inbox_save_draft (fixture->inbox, request, NULL);
  beckon_clock_advance (fixture->clock, 500);
  g_assert_null (test_ledger_get_draft (fixture->ledger, "1"));
}

static void
test_draft_flush (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ask (fixture, "1");

  beckon_inbox_save_draft (fixture->inbox, request, "half");
  beckon_inbox_flush (fixture->inbox);
  g_assert_cmpstr (test_ledger_get_draft (fixture->ledger, "1"), ==, "half");
  beckon_clock_advance (fixture->clock, 1000);
  g_assert_cmpuint (test_ledger_get_n_drafts (fixture->ledger), ==, 1);
}

/* Faults E78 in small: what was typed before the end is there after the next start. */
static void
test_draft_at_the_end (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = NULL;
  Fixture other;

  open_fixture (&other, fixture->ledger);
  request = ask (&other, "1");
  beckon_inbox_save_draft (other.inbox, request, "half");
  close_fixture (&other);

  g_assert_true (load (fixture->inbox, NULL));
  g_assert_cmpstr (beckon_request_get_draft (beckon_inbox_lookup (fixture->inbox, "1")), ==, "half");
}

static void
test_draft_store_fails (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ask (fixture, "1");

  test_journal_break (fixture->journal, "The disk is full.");
  beckon_inbox_save_draft (fixture->inbox, request, "half");
  beckon_clock_advance (fixture->clock, 500);
  spin ();
  g_assert_cmpstr (beckon_request_get_draft (request), ==, "half");
  test_journal_break (fixture->journal, NULL);
  beckon_inbox_save_draft (fixture->inbox, request, "half of it");
  beckon_clock_advance (fixture->clock, 500);
  g_assert_cmpstr (test_ledger_get_draft (fixture->ledger, "1"), ==, "half of it");
}

/* 5: the answer that lost stays where it can be copied. */
static void
test_draft_of_a_loser (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ask (fixture, "1");
  g_autoptr (BeckonAnswer) theirs = pick ("A");
  g_autoptr (BeckonAnswer) ours = pick ("B");
  g_autoptr (BeckonSettlement) settlement = beckon_settlement_new (request, theirs, "terminal", "ben", START);

  beckon_inbox_save_draft (fixture->inbox, request, "B, with a long note");
  beckon_request_store_settle_async (BECKON_REQUEST_STORE (fixture->journal), settlement, NULL, NULL, NULL);
  g_assert_false (settle (fixture->inbox, "1", ours, NULL));
  g_assert_cmpstr (beckon_request_get_draft (request), ==, "B, with a long note");
  g_assert_cmpstr (test_ledger_get_draft (fixture->ledger, "1"), ==, "B, with a long note");
}

/* Many processes, many requests, any order: each is settled once, and every list ends the same. */
static void
test_random (Fixture *fixture, gconstpointer data)
{
  enum
  {
    N_PROCESSES = 4,
    N_REQUESTS = 60
  };
  Fixture processes[N_PROCESSES];
  GPtrArray *results = g_ptr_array_new ();
  guint n_won = 0;

  for (guint i = 0; i < N_PROCESSES; i++)
    {
      open_fixture (&processes[i], fixture->ledger);
      g_assert_true (load (processes[i].inbox, NULL));
    }

  for (guint i = 0; i < N_REQUESTS; i++)
    {
      g_autofree char *id = g_strdup_printf ("%03u", i);
      g_autoptr (BeckonRequest) request = ask (&processes[g_test_rand_int_range (0, N_PROCESSES)], id);
      guint n_answers = (guint) g_test_rand_int_range (1, 4);

      for (guint j = 0; j < n_answers; j++)
        {
          g_autoptr (BeckonAnswer) answer = pick (g_test_rand_bit () ? "A" : "B");
          GAsyncResult **slot = g_new0 (GAsyncResult *, 1);
          BeckonInbox *inbox = processes[g_test_rand_int_range (0, N_PROCESSES)].inbox;

          beckon_inbox_settle_async (inbox, id, answer, "window", "ana", NULL, on_result, slot);
          g_ptr_array_add (results, slot);
          for (int k = g_test_rand_int_range (0, 6); k > 0; k--)
            g_main_context_iteration (NULL, FALSE);
        }
    }

  for (guint i = 0; i < results->len; i++)
    {
      GAsyncResult **slot = g_ptr_array_index (results, i);
      g_autoptr (GObject) source = NULL;
      g_autoptr (GError) error = NULL;

      wait_for (slot);
      source = g_async_result_get_source_object (*slot);
      if (beckon_inbox_settle_finish (BECKON_INBOX (source), *slot, &error))
        n_won++;
      else
        g_assert_error (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_ALREADY_SETTLED);
      g_object_unref (*slot);
      g_free (slot);
    }
  g_ptr_array_unref (results);
  spin ();

  g_assert_cmpuint (n_won, ==, N_REQUESTS);
  g_assert_cmpuint (test_ledger_get_n_settlements (fixture->ledger), ==, N_REQUESTS);
  for (guint i = 0; i < N_PROCESSES; i++)
    {
      assert_list (processes[i].inbox, "");
      close_fixture (&processes[i]);
    }
}

/* 3: a thousand questions, each answered by four processes at once in another order. */
static void
test_thousand_races (Fixture *fixture, gconstpointer data)
{
  enum
  {
    N_RACES = 1000,
    N_PROCESSES = 4,
  };
  Fixture processes[N_PROCESSES];

  for (guint i = 0; i < N_PROCESSES; i++)
    open_fixture (&processes[i], fixture->ledger);

  for (guint race = 1; race <= N_RACES; race++)
    {
      g_autofree char *id = g_strdup_printf ("%u", race);
      g_autoptr (BeckonRequest) request = ask (&processes[g_test_rand_int_range (0, N_PROCESSES)], id);
      guint first = (guint) g_test_rand_int_range (0, N_PROCESSES);
      GAsyncResult *results[N_PROCESSES] = { NULL };
      const char *winner = NULL;

      for (guint i = 0; i < N_PROCESSES; i++)
        {
          g_autoptr (BeckonAnswer) answer = pick (i % 2 == 0 ? "A" : "B");

          beckon_inbox_settle_async (processes[(first + i) % N_PROCESSES].inbox, id, answer, "window", "ana", NULL,
                                     on_result, &results[i]);
        }
      for (guint i = 0; i < N_PROCESSES; i++)
        {
          g_autoptr (GError) error = NULL;

          wait_for (&results[i]);
          if (beckon_inbox_settle_finish (processes[(first + i) % N_PROCESSES].inbox, results[i], &error))
            {
              g_assert_null (winner);
              winner = i % 2 == 0 ? "A" : "B";
            }
          else
            g_assert_error (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_ALREADY_SETTLED);
          g_object_unref (results[i]);
        }
      g_assert_nonnull (winner);
      g_assert_cmpstr (test_ledger_get_settlement (fixture->ledger, id)->result, ==, winner);
      g_assert_cmpuint (test_ledger_get_n_settlements (fixture->ledger), ==, race);
    }

  spin ();
  for (guint i = 0; i < N_PROCESSES; i++)
    {
      assert_list (processes[i].inbox, "");
      close_fixture (&processes[i]);
    }
}

#define ADD(path, function) g_test_add (path, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  ADD ("/request/inbox/list/order", test_list);
  ADD ("/request/inbox/list/signals", test_list_signals);
  ADD ("/request/inbox/load", test_load);
  ADD ("/request/inbox/load/fails", test_load_fails);
  ADD ("/request/inbox/settle/first", test_settle);
  ADD ("/request/inbox/settle/default-actor", test_settle_default_actor);
  ADD ("/life/3-unknown-is-refused-in-words", test_settle_unknown);
  ADD ("/life/3-the-second-is-told-who-won", test_settle_settled);
  ADD ("/life/7-stopping-keeps-the-draft", test_settle_after_stop);
  ADD ("/request/inbox/settle/invalid", test_settle_invalid);
  ADD ("/life/3-the-first-answer-wins", test_settle_race);
  ADD ("/life/3-one-winner-of-each-of-a-thousand-races", test_thousand_races);
  ADD ("/life/2-several-pending-do-not-mix", test_settle_several);
  ADD ("/request/inbox/settle/cancelled-before", test_settle_cancelled_before);
  ADD ("/request/inbox/settle/cancelled-after", test_settle_cancelled_after);
  ADD ("/request/inbox/settle/store-fails", test_settle_store_fails);
  ADD ("/request/inbox/settle/not-listed", test_settle_not_listed);
  ADD ("/request/inbox/elsewhere/added", test_elsewhere_added);
  ADD ("/request/inbox/elsewhere/settled", test_elsewhere_settled);
  ADD ("/request/inbox/elsewhere/first", test_elsewhere_first);
  ADD ("/request/inbox/elsewhere/deleted", test_elsewhere_deleted);
  ADD ("/request/inbox/listing/old-added", test_listing_is_old_added);
  ADD ("/request/inbox/listing/old-settled", test_listing_is_old_settled);
  ADD ("/request/inbox/listing/while-settling", test_listing_while_settling);
  ADD ("/request/inbox/listing/coalesced", test_listings_are_coalesced);
  ADD ("/request/inbox/listing/fails", test_listing_fails);
  ADD ("/request/inbox/note-settled", test_note_settled);
  ADD ("/request/inbox/twins", test_twins);
  ADD ("/request/inbox/reentrant", test_reentrant);
  ADD ("/life/6-no-timeout-unless-set", test_no_timeout);
  ADD ("/life/6-times-out-when-set", test_times_out);
  ADD ("/life/6-a-start-gives-no-new-time", test_time_survives_a_start);
  ADD ("/life/6-a-keystroke-stops-the-time", test_keystroke_stops_time);
  ADD ("/life/5-a-draft-is-stored-as-it-is-typed", test_draft);
  ADD ("/request/inbox/draft/flush", test_draft_flush);
  ADD ("/request/inbox/draft/at-the-end", test_draft_at_the_end);
  ADD ("/request/inbox/draft/store-fails", test_draft_store_fails);
  ADD ("/request/inbox/draft/loser", test_draft_of_a_loser);
  ADD ("/request/inbox/random", test_random);

  return g_test_run ();
}
