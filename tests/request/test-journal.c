/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "test-journal.h"

#include "base/beckon-error.h"

typedef struct
{
  char *id;
  char *conversation_id;
  char *message_id;
  char *call_id;
  const char *kind;
  char *body;
  char *draft;
  gint64 asked_at;
  BeckonSettlement *settlement;
} Row;

struct _TestLedger
{
  GPtrArray *rows;
  GPtrArray *journals; /* borrowed */
  guint n_settlements;
  guint n_drafts;
  gatomicrefcount ref_count;
};

struct _TestJournal
{
  GObject parent_instance;

  TestLedger *ledger;
  GPtrArray *held; /* (nullable): tasks whose answers wait */
  char *fault;     /* (nullable) */
  guint n_listings;
};

/* The result of a task, worked out when it was asked for. */
typedef struct
{
  gpointer value;
  GDestroyNotify destroy;
  GError *error;
} Outcome;

static void test_journal_journal_init (BeckonRequestStoreInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (TestJournal, test_journal, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (BECKON_TYPE_REQUEST_STORE, test_journal_journal_init))

static void
row_free (Row *row)
{
  g_free (row->id);
  g_free (row->conversation_id);
  g_free (row->message_id);
  g_free (row->call_id);
  g_free (row->body);
  g_free (row->draft);
  beckon_settlement_free (row->settlement);
  g_free (row);
}

TestLedger *
test_ledger_new (void)
{
  TestLedger *ledger = g_new0 (TestLedger, 1);

  ledger->rows = g_ptr_array_new_with_free_func ((GDestroyNotify) row_free);
  ledger->journals = g_ptr_array_new ();
  g_atomic_ref_count_init (&ledger->ref_count);
  return ledger;
}

void
test_ledger_unref (TestLedger *ledger)
{
  if (!g_atomic_ref_count_dec (&ledger->ref_count))
    return;

  g_assert_cmpuint (ledger->journals->len, ==, 0);
  g_ptr_array_unref (ledger->rows);
  g_ptr_array_unref (ledger->journals);
  g_free (ledger);
}

static Row *
find (TestLedger *ledger, const char *request_id)
{
  for (guint i = 0; i < ledger->rows->len; i++)
    {
      Row *row = g_ptr_array_index (ledger->rows, i);

      if (g_str_equal (row->id, request_id))
        return row;
    }

  return NULL;
}

void
test_ledger_add (TestLedger *ledger, BeckonRequest *request)
{
  Row *row = g_new0 (Row, 1);

  g_assert_null (find (ledger, beckon_request_get_id (request)));
  row->id = g_strdup (beckon_request_get_id (request));
  row->conversation_id = g_strdup (beckon_request_get_conversation_id (request));
  row->message_id = g_strdup (beckon_request_get_message_id (request));
  row->call_id = g_strdup (beckon_request_get_call_id (request));
  row->kind = beckon_request_get_kind_name (request);
  row->body = beckon_request_dup_body (request);
  row->draft = g_strdup (beckon_request_get_draft (request));
  row->asked_at = beckon_request_get_asked_at (request);
  g_ptr_array_add (ledger->rows, row);
}

void
test_ledger_remove (TestLedger *ledger, const char *request_id)
{
  g_assert_true (g_ptr_array_remove (ledger->rows, find (ledger, request_id)));
}

const BeckonSettlement *
test_ledger_get_settlement (TestLedger *ledger, const char *request_id)
{
  return find (ledger, request_id)->settlement;
}

const char *
test_ledger_get_draft (TestLedger *ledger, const char *request_id)
{
  return find (ledger, request_id)->draft;
}

guint
test_ledger_get_n_settlements (TestLedger *ledger)
{
  return ledger->n_settlements;
}

guint
test_ledger_get_n_drafts (TestLedger *ledger)
{
  return ledger->n_drafts;
}

static BeckonRequest *
load (Row *row)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonAnswer) answer = NULL;
  BeckonRequest *request = beckon_request_new_from_body (row->id, row->conversation_id, row->message_id, row->call_id,
                                                         row->kind, row->body, row->asked_at, &error);

  g_assert_no_error (error);
  beckon_request_set_draft (request, row->draft);
  if (row->settlement == NULL)
    return request;

  answer = beckon_answer_from_json (row->settlement->answer, &error);
  g_assert_no_error (error);
  beckon_request_settle (request, row->settlement->state, answer, row->settlement->front_end, row->settlement->actor,
                         row->settlement->at);
  return request;
}

static void
test_journal_finalize (GObject *object)
{
  TestJournal *self = TEST_JOURNAL (object);

  g_assert_null (self->held);
  g_ptr_array_remove (self->ledger->journals, self);
  test_ledger_unref (self->ledger);
  g_free (self->fault);

  G_OBJECT_CLASS (test_journal_parent_class)->finalize (object);
}

static void
test_journal_class_init (TestJournalClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = test_journal_finalize;
}

static void
test_journal_init (TestJournal *self)
{
}

TestJournal *
test_journal_new (TestLedger *ledger)
{
  TestJournal *self = g_object_new (TEST_TYPE_JOURNAL, NULL);

  self->ledger = ledger;
  g_atomic_ref_count_inc (&ledger->ref_count);
  g_ptr_array_add (ledger->journals, self);
  return self;
}

static gboolean
deliver (gpointer user_data)
{
  GTask *task = user_data;
  Outcome *outcome = g_task_get_task_data (task);

  if (outcome->error != NULL)
    g_task_return_error (task, g_steal_pointer (&outcome->error));
  else
    g_task_return_pointer (task, g_steal_pointer (&outcome->value), outcome->destroy);

  return G_SOURCE_REMOVE;
}

static void
outcome_free (Outcome *outcome)
{
  if (outcome->value != NULL && outcome->destroy != NULL)
    outcome->destroy (outcome->value);
  g_clear_error (&outcome->error);
  g_free (outcome);
}

/* Later, as the contract says; later still while the journal is held. */
static void
answer_later (TestJournal *self, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data,
              gpointer tag, Outcome outcome)
{
  GTask *task = g_task_new (self, cancellable, callback, user_data);

  g_task_set_source_tag (task, tag);
  g_task_set_check_cancellable (task, FALSE);
  g_task_set_task_data (task, g_memdup2 (&outcome, sizeof outcome), (GDestroyNotify) outcome_free);
  if (self->held != NULL)
    g_ptr_array_add (self->held, task);
  else
    g_idle_add_full (G_PRIORITY_DEFAULT, deliver, task, g_object_unref);
}

void
test_journal_hold (TestJournal *journal)
{
  g_assert_null (journal->held);
  journal->held = g_ptr_array_new ();
}

void
test_journal_release (TestJournal *journal)
{
  g_autoptr (GPtrArray) held = g_steal_pointer (&journal->held);

  for (guint i = 0; i < held->len; i++)
    g_idle_add_full (G_PRIORITY_DEFAULT, deliver, g_ptr_array_index (held, i), g_object_unref);
}

void
test_journal_break (TestJournal *journal, const char *message)
{
  g_free (journal->fault);
  journal->fault = g_strdup (message);
}

guint
test_journal_get_n_listings (TestJournal *journal)
{
  return journal->n_listings;
}

void
test_journal_announce (TestJournal *journal)
{
  g_signal_emit_by_name (journal, "changed-elsewhere");
}

static gboolean
announce_later (gpointer user_data)
{
  test_journal_announce (user_data);
  return G_SOURCE_REMOVE;
}

static void
tell_others (TestJournal *self)
{
  for (guint i = 0; i < self->ledger->journals->len; i++)
    {
      TestJournal *other = g_ptr_array_index (self->ledger->journals, i);

      if (other != self)
        g_idle_add_full (G_PRIORITY_DEFAULT, announce_later, g_object_ref (other), g_object_unref);
    }
}

/* FALSE with an error when nothing is to be done at all. */
static gboolean
is_usable (TestJournal *self, GCancellable *cancellable, GError **error)
{
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  if (self->fault == NULL)
    return TRUE;

  g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_STORE, self->fault);
  return FALSE;
}

static void
list_pending_async (BeckonRequestStore *journal, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  TestJournal *self = TEST_JOURNAL (journal);
  Outcome outcome = { .destroy = (GDestroyNotify) g_ptr_array_unref };

  self->n_listings++;
  if (is_usable (self, cancellable, &outcome.error))
    {
      GPtrArray *pending = g_ptr_array_new_with_free_func (g_object_unref);

      for (guint i = 0; i < self->ledger->rows->len; i++)
        {
          Row *row = g_ptr_array_index (self->ledger->rows, i);

          if (row->settlement == NULL)
            g_ptr_array_add (pending, load (row));
        }
      outcome.value = pending;
    }
  answer_later (self, cancellable, callback, user_data, list_pending_async, outcome);
}

static void
lookup_async (BeckonRequestStore *journal, const char *request_id, GCancellable *cancellable, GAsyncReadyCallback callback,
              gpointer user_data)
{
  TestJournal *self = TEST_JOURNAL (journal);
  Row *row = find (self->ledger, request_id);
  Outcome outcome = { .destroy = g_object_unref };

  if (is_usable (self, cancellable, &outcome.error))
    {
      if (row != NULL)
        outcome.value = load (row);
      else
        outcome.error = g_error_new (BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_UNKNOWN, "There is no such request.");
    }
  answer_later (self, cancellable, callback, user_data, lookup_async, outcome);
}

static void
settle (TestJournal *self, const BeckonSettlement *settlement, GError **error)
{
  Row *row = find (self->ledger, settlement->request_id);

  if (row == NULL)
    {
      g_set_error (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_UNKNOWN, "There is no such request.");
      return;
    }
  if (row->settlement != NULL)
    {
      beckon_request_error_set_settled (error, row->settlement->state == BECKON_REQUEST_CANCELLED,
                                        row->settlement->front_end, row->settlement->actor, row->settlement->at);
      return;
    }

  row->settlement = beckon_settlement_copy (settlement);
  self->ledger->n_settlements++;
  tell_others (self);
}

static void
settle_async (BeckonRequestStore *journal, const BeckonSettlement *settlement, GCancellable *cancellable,
              GAsyncReadyCallback callback, gpointer user_data)
{
  TestJournal *self = TEST_JOURNAL (journal);
  Outcome outcome = { .value = self };

  if (is_usable (self, cancellable, &outcome.error))
    settle (self, settlement, &outcome.error);
  answer_later (self, cancellable, callback, user_data, settle_async, outcome);
}

static void
save_draft_async (BeckonRequestStore *journal, const char *request_id, const char *draft, GCancellable *cancellable,
                  GAsyncReadyCallback callback, gpointer user_data)
{
  TestJournal *self = TEST_JOURNAL (journal);
  Row *row = find (self->ledger, request_id);
  Outcome outcome = { .value = self };

  if (is_usable (self, cancellable, &outcome.error))
    {
      g_free (row->draft);
      row->draft = g_strdup (draft);
      self->ledger->n_drafts++;
    }
  answer_later (self, cancellable, callback, user_data, save_draft_async, outcome);
}

static gpointer
finish (BeckonRequestStore *journal, GAsyncResult *result, gpointer tag, GError **error)
{
  g_assert_true (g_task_is_valid (result, journal));
  g_assert_true (g_async_result_is_tagged (result, tag));

  return g_task_propagate_pointer (G_TASK (result), error);
}

static GPtrArray *
list_pending_finish (BeckonRequestStore *journal, GAsyncResult *result, GError **error)
{
  return finish (journal, result, list_pending_async, error);
}

static BeckonRequest *
lookup_finish (BeckonRequestStore *journal, GAsyncResult *result, GError **error)
{
  return finish (journal, result, lookup_async, error);
}

static gboolean
settle_finish (BeckonRequestStore *journal, GAsyncResult *result, GError **error)
{
  return finish (journal, result, settle_async, error) != NULL;
}

static gboolean
save_draft_finish (BeckonRequestStore *journal, GAsyncResult *result, GError **error)
{
  return finish (journal, result, save_draft_async, error) != NULL;
}

static void
test_journal_journal_init (BeckonRequestStoreInterface *iface)
{
  iface->list_pending_async = list_pending_async;
  iface->list_pending_finish = list_pending_finish;
  iface->lookup_async = lookup_async;
  iface->lookup_finish = lookup_finish;
  iface->settle_async = settle_async;
  iface->settle_finish = settle_finish;
  iface->save_draft_async = save_draft_async;
  iface->save_draft_finish = save_draft_finish;
}
