/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Several calls of one tool as one table: a decision for each or for all, each settled once and by itself. */

#include "beckon-ui-fixture.h"

#include "request/beckon-approval-request.h"
#include "request/beckon-changes-request.h"
#include "ui/cards/beckon-approval-card.h"
#include "ui/cards/beckon-batch-card.h"
#include "ui/cards/beckon-batch-row.h"
#include "ui/forms/beckon-form-control.h"
#include "ui/widgets/beckon-guard.h"

typedef struct
{
  BeckonRequest *requests[3];
  GtkWidget *card;
  BeckonToolCall *first; /* (owned) */
} Table;

static BeckonRequest *
ask_changes (UiFixture *fixture)
{
  g_autoptr (BeckonChangeSet) set = beckon_change_set_new ();
  BeckonRequest *request;

  beckon_change_set_take (set, beckon_file_change_new ("made", BECKON_FILE_CREATED, BECKON_FILE_REGULAR));
  request = beckon_changes_request_new (NULL, "conversation", "message", "call", "write_file", "{}", set, UI_NOW);
  test_ledger_add (fixture->ledger, request);
  beckon_inbox_add (fixture->inbox, request);
  return request;
}

static BeckonRequest *
ask (UiFixture *fixture, const char *arguments)
{
  BeckonRequest *request = beckon_approval_request_new (NULL, "conversation", "message", "call", "write_file", arguments,
                                                        "It changes something.", UI_NOW);

  beckon_request_take_details (request, beckon_approval_details_new ());
  test_ledger_add (fixture->ledger, request);
  beckon_inbox_add (fixture->inbox, request);
  return request;
}

static void
add (UiFixture *fixture, Table *table, BeckonRequest *request)
{
  g_autoptr (BeckonToolCall) call = beckon_tool_call_new (NULL, NULL, "write_file", beckon_request_get_arguments (request));

  beckon_tool_call_apply (call, BECKON_CALL_EVENT_ASKED);
  beckon_tool_call_set_request (call, G_OBJECT (request));
  beckon_batch_card_add (BECKON_BATCH_CARD (table->card), BECKON_CALL_VIEW (beckon_call_view_new (fixture->inbox, call)),
                         request);
  if (table->first == NULL)
    table->first = g_object_ref (call);
}

static void
show (UiFixture *fixture, Table *table, int width)
{
  table->requests[0] = ask (fixture, "{\"path\":\"a.txt\",\"mode\":\"w\"}");
  table->requests[1] = ask (fixture, "{\"path\":\"b.txt\",\"mode\":\"w\"}");
  table->requests[2] = ask (fixture, "{\"path\":\"c.txt\",\"mode\":\"w\"}");
  table->card = beckon_batch_card_new (fixture->inbox);
  beckon_batch_card_set_clock (BECKON_BATCH_CARD (table->card), fixture->clock);
  for (guint i = 0; i < 3; i++)
    add (fixture, table, table->requests[i]);
  gtk_window_set_default_size (GTK_WINDOW (fixture->window), width, 900);
  ui_show (fixture, table->card);
  beckon_clock_advance (fixture->clock, BECKON_GUARD_APPEARED_MS);
}

static void
table_clear (Table *table)
{
  for (guint i = 0; i < 3; i++)
    g_clear_object (&table->requests[i]);
  g_clear_object (&table->first);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Table, table_clear)

static void
expect (UiFixture *fixture, BeckonRequest *request, const char *answer)
{
  ui_wait_until (beckon_request_get_state (request) != BECKON_REQUEST_PENDING);
  g_assert_cmpstr (ui_get_answer (fixture, request), ==, answer);
}

static void
test_shown (UiFixture *fixture, gconstpointer data)
{
  g_auto (Table) table = { 0 };

  show (fixture, &table, 700);
  g_assert_nonnull (ui_find_text (table.card, "May the agent run write_file 3 times?"));
  g_assert_nonnull (ui_find_text (table.card, "mode: w"));
  g_assert_nonnull (ui_find_text (table.card, "b.txt"));
  g_assert_cmpuint (ui_count_type (table.card, BECKON_TYPE_BATCH_ROW), ==, 3);
  g_assert_null (ui_find_type (table.card, BECKON_TYPE_APPROVAL_CARD));
  g_assert_true (beckon_batch_card_get_pending_card (BECKON_BATCH_CARD (table.card)) == table.card);
}

static void
test_all (UiFixture *fixture, gconstpointer data)
{
  g_auto (Table) table = { 0 };

  show (fixture, &table, 360);
  ui_click (table.card, "Run all");
  for (guint i = 0; i < 3; i++)
    expect (fixture, table.requests[i], "{\"kind\":\"approved\"}");
  /* The batch has no open request. */
  g_assert_null (beckon_batch_card_get_pending_card (BECKON_BATCH_CARD (table.card)));
  g_assert_null (ui_find_text (table.card, "May the agent run write_file 3 times?"));
}

static void
test_each (UiFixture *fixture, gconstpointer data)
{
  g_auto (Table) table = { 0 };

  show (fixture, &table, 700);
  ui_click (table.card, "Run call 1");
  ui_click (table.card, "Run call 2");
  ui_click (table.card, "Deny call 2");
  g_assert_cmpint (beckon_request_get_state (table.requests[0]), ==, BECKON_REQUEST_PENDING);
  ui_click (table.card, "Run 1, Deny 1");
  expect (fixture, table.requests[0], "{\"kind\":\"approved\"}");
  expect (fixture, table.requests[1], "{\"kind\":\"declined\"}");
  g_assert_cmpint (beckon_request_get_state (table.requests[2]), ==, BECKON_REQUEST_PENDING);
  ui_click (table.card, "Deny all");
  expect (fixture, table.requests[2], "{\"kind\":\"declined\"}");
}

/* A call answered elsewhere is not answered again. */
static void
test_elsewhere (UiFixture *fixture, gconstpointer data)
{
  g_auto (Table) table = { 0 };
  g_autoptr (BeckonAnswer) answer = beckon_answer_new (BECKON_ANSWER_DECLINED, "no");

  show (fixture, &table, 700);
  ui_click (table.card, "Run call 2");
  beckon_inbox_note_settled (fixture->inbox, table.requests[1], BECKON_REQUEST_DECLINED, answer, "terminal", "ada", UI_NOW);
  g_assert_null (ui_find_named (table.card, "Run call 2"));
  ui_click (table.card, "Run all");
  expect (fixture, table.requests[0], "{\"kind\":\"approved\"}");
  expect (fixture, table.requests[2], "{\"kind\":\"approved\"}");
  g_assert_cmpstr (beckon_request_get_front_end (table.requests[1]), ==, "terminal");
}

/* Arguments changed in an opened row run with the others. */
static void
test_edited (UiFixture *fixture, gconstpointer data)
{
  g_auto (Table) table = { 0 };
  GtkWidget *row;

  show (fixture, &table, 700);
  ui_click (table.card, "Show all of call 3");
  row = gtk_widget_get_ancestor (ui_find_named (table.card, "Show all of call 3"), BECKON_TYPE_BATCH_ROW);
  gtk_editable_set_text (GTK_EDITABLE (beckon_form_control_get_inner (BECKON_FORM_CONTROL (
                           ui_find_type (ui_find_named (row, "path"), BECKON_TYPE_FORM_CONTROL)))),
                         "d.txt");
  ui_click (table.card, "Run all");
  expect (fixture, table.requests[2],
          "{\"kind\":\"approved-edited\",\"text\":\"{\\\"path\\\":\\\"d.txt\\\",\\\"mode\\\":\\\"w\\\"}\"}");
  expect (fixture, table.requests[0], "{\"kind\":\"approved\"}");
}

/* No click that was meant for something else decides. */
static void
test_guarded (UiFixture *fixture, gconstpointer data)
{
  g_auto (Table) table = { 0 };
  g_autoptr (BeckonRequest) first = ask (fixture, "{\"path\":\"a.txt\"}");
  g_autoptr (BeckonRequest) second = ask (fixture, "{\"path\":\"b.txt\"}");

  table.card = beckon_batch_card_new (fixture->inbox);
  beckon_batch_card_set_clock (BECKON_BATCH_CARD (table.card), fixture->clock);
  add (fixture, &table, first);
  add (fixture, &table, second);
  ui_show (fixture, table.card);
  g_assert_true (ui_is_busy (table.card));
  ui_click (table.card, "Run all");
  ui_settle ();
  g_assert_cmpint (beckon_request_get_state (first), ==, BECKON_REQUEST_PENDING);
}

/* A lone call has an ordinary card. */
static void
test_single (UiFixture *fixture, gconstpointer data)
{
  g_auto (Table) table = { 0 };
  g_autoptr (BeckonRequest) request = ask (fixture, "{\"path\":\"a.txt\"}");

  table.card = beckon_batch_card_new (fixture->inbox);
  add (fixture, &table, request);
  ui_show (fixture, table.card);
  g_assert_nonnull (ui_find_type (table.card, BECKON_TYPE_APPROVAL_CARD));
  g_assert_null (ui_find_named (table.card, "Run all"));
}

/* A call that waits again with its changes is shown, while the others still wait. */
static void
test_changes (UiFixture *fixture, gconstpointer data)
{
  g_auto (Table) table = { 0 };
  g_autoptr (BeckonRequest) changes = NULL;
  g_autoptr (BeckonAnswer) answer = beckon_answer_new (BECKON_ANSWER_APPROVED, NULL);

  show (fixture, &table, 700);
  changes = ask_changes (fixture);
  beckon_inbox_note_settled (fixture->inbox, table.requests[0], BECKON_REQUEST_ANSWERED, answer, "window", NULL, UI_NOW);
  g_assert_null (ui_find_button (table.card, "Keep All"));
  beckon_tool_call_set_request (table.first, G_OBJECT (changes));
  g_assert_nonnull (ui_find_button (table.card, "Keep All"));
  g_assert_nonnull (ui_find_named (table.card, "Run call 2"));
}

int
main (int argc, char *argv[])
{
  if (!ui_test_init (&argc, &argv))
    return 0;

  ui_test_add ("/ui/batch/shown", test_shown);
  ui_test_add ("/ui/batch/all", test_all);
  ui_test_add ("/ui/batch/each", test_each);
  ui_test_add ("/ui/batch/elsewhere", test_elsewhere);
  ui_test_add ("/ui/batch/edited", test_edited);
  ui_test_add ("/ui/batch/guarded", test_guarded);
  ui_test_add ("/ui/batch/single", test_single);
  ui_test_add ("/ui/batch/changes", test_changes);
  return g_test_run ();
}
