/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Cards of tools, of what was answered, and of what needs leave; and which of them a call shows. */

#include "beckon-ui-fixture.h"

#include "request/beckon-approval-request.h"
#include "request/beckon-outcome-request.h"
#include "request/beckon-question-request.h"
#include "request/beckon-trust-request.h"
#include "ui/cards/beckon-approval-card.h"
#include "ui/cards/beckon-call-view.h"
#include "ui/cards/beckon-history-card.h"
#include "ui/cards/beckon-outcome-card.h"
#include "ui/cards/beckon-question-card.h"
#include "ui/cards/beckon-request-card.h"
#include "ui/cards/beckon-request-words.h"
#include "ui/cards/beckon-tool-card.h"
#include "ui/cards/beckon-trust-card.h"
#include "ui/widgets/beckon-guard.h"

static BeckonToolCall *
make_call (const char *name, const char *arguments)
{
  return beckon_tool_call_new (NULL, NULL, name, arguments);
}

static void
test_tool_states (UiFixture *fixture, gconstpointer data)
{
  static const struct
  {
    BeckonCallState state;
    const char *word;
    const char *colour;
  } cases[] = {
    { BECKON_CALL_PROPOSED, "proposed", "skipped" },  { BECKON_CALL_AWAITING, "waiting for you", "active" },
    { BECKON_CALL_DECIDED, "about to run", "active" }, { BECKON_CALL_STARTED, "running", "active" },
    { BECKON_CALL_UNKNOWN, "unknown", "active" },      { BECKON_CALL_CANCELLED, "not run", "skipped" },
  };
  g_autoptr (BeckonToolCall) call = make_call ("list_files", "{\"path\":\"~/photos\"}");
  GtkWidget *card = beckon_tool_card_new (call);

  ui_show (fixture, card);
  g_assert_nonnull (ui_find_text (card, "List the files in ~/photos"));
  g_assert_nonnull (ui_find_text (card, "~/photos"));
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      beckon_tool_call_set_state (call, cases[i].state);
      g_assert_nonnull (ui_find_text (card, cases[i].word));
      g_assert_true (gtk_widget_has_css_class (card, cases[i].colour));
    }
  /* The call ran, if not fully. */
  beckon_tool_call_set_times (call, UI_NOW, UI_NOW);
  beckon_tool_call_set_state (call, BECKON_CALL_STARTED);
  beckon_tool_call_set_state (call, BECKON_CALL_CANCELLED);
  g_assert_null (ui_find_text (card, "not run"));
  g_assert_nonnull (ui_find_text (card, "stopped"));
}

static void
test_tool_done (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonToolCall) call = make_call ("list_files", "{\"path\":\"~/photos\"}");
  GtkWidget *card = beckon_tool_card_new (call);

  ui_show (fixture, card);
  beckon_tool_call_set_state (call, BECKON_CALL_STARTED);
  beckon_tool_call_set_times (call, UI_NOW, UI_NOW + 1250 * 1000);
  beckon_tool_call_set_result (call, "412 <b>files</b>", FALSE);
  beckon_tool_call_set_state (call, BECKON_CALL_DONE);
  g_assert_true (gtk_widget_has_css_class (card, "done"));
  g_assert_nonnull (ui_find_text (card, "1.2 s"));
  g_assert_nonnull (ui_find_named (card, "Listed the files in ~/photos, done"));

  g_assert_null (ui_find_named (card, "Copy code"));
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (ui_find_type (card, GTK_TYPE_TOGGLE_BUTTON)), TRUE);
  g_assert_nonnull (ui_find_named (card, "Copy code"));
  g_assert_nonnull (ui_find_text (card, "Result"));
}

static char *
find_tagged (GtkTextView *view, const char *tag)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (view);
  GtkTextTag *found = gtk_text_tag_table_lookup (gtk_text_buffer_get_tag_table (buffer), tag);
  GtkTextIter start, end;

  gtk_text_buffer_get_start_iter (buffer, &start);
  if (found == NULL || (!gtk_text_iter_starts_tag (&start, found) && !gtk_text_iter_forward_to_tag_toggle (&start, found)))
    return NULL;
  end = start;
  gtk_text_iter_forward_to_tag_toggle (&end, found);
  return gtk_text_iter_get_text (&start, &end);
}

/* An edit's changes look like a diff elsewhere; another result with such a line is none. */
static void
test_tool_diff (UiFixture *fixture, gconstpointer data)
{
  static const char *const results[]
      = { "“a.txt” was changed: 1 lines removed, 1 added.\n--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+zwei\n",
          "total 4\n-rw-r--r-- 1 a.txt\n+x\n" };

  for (guint i = 0; i < G_N_ELEMENTS (results); i++)
    {
      g_autoptr (BeckonToolCall) call = make_call ("edit_file", "{\"path\":\"a.txt\"}");
      GtkWidget *card = beckon_tool_card_new (call);
      g_autofree char *added = NULL, *removed = NULL;
      GtkTextView *view;

      ui_show (fixture, card);
      beckon_tool_call_set_state (call, BECKON_CALL_STARTED);
      beckon_tool_call_set_result (call, results[i], FALSE);
      beckon_tool_call_set_state (call, BECKON_CALL_DONE);
      gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (ui_find_type (card, GTK_TYPE_TOGGLE_BUTTON)), TRUE);
      view = GTK_TEXT_VIEW (ui_find_type (gtk_widget_get_next_sibling (ui_find_text (card, "Result")), GTK_TYPE_TEXT_VIEW));
      added = find_tagged (view, "diff-added");
      removed = find_tagged (view, "diff-removed");
      g_assert_cmpstr (added, ==, i == 0 ? "+zwei\n" : NULL);
      g_assert_cmpstr (removed, ==, i == 0 ? "-two\n" : NULL);
    }
}

static void
test_tool_failed (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonToolCall) call = make_call ("nothing", "{");
  GtkWidget *card = beckon_tool_card_new (call);

  ui_show (fixture, card);
  beckon_tool_call_set_result (call, "no such tool", TRUE);
  beckon_tool_call_set_state (call, BECKON_CALL_DONE);
  g_assert_true (gtk_widget_has_css_class (card, "failed"));
  g_assert_false (gtk_widget_has_css_class (card, "active"));
  g_assert_nonnull (ui_find_text (card, "failed"));
}

/* Output shows while the call runs, whether or not the card is open. */
static void
test_tool_live (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonToolCall) call = make_call ("run_command", "{\"command\":\"make\"}");
  GtkWidget *card = beckon_tool_card_new (call);

  ui_show (fixture, card);
  beckon_tool_call_set_state (call, BECKON_CALL_STARTED);
  g_assert_null (ui_find_named (card, "Copy code"));
  beckon_tool_call_set_output (call, "compiling one");
  g_assert_nonnull (ui_find_named (card, "Copy code"));
  beckon_tool_call_set_result (call, "compiled", FALSE);
  beckon_tool_call_set_state (call, BECKON_CALL_DONE);
  g_assert_null (ui_find_named (card, "Copy code"));
}

static void
test_tool_undo (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonToolCall) call = make_call ("edit_file", "{\"path\":\"a.txt\"}");
  GtkWidget *card = beckon_tool_card_new (call);

  ui_show (fixture, card);
  beckon_tool_call_set_state (call, BECKON_CALL_STARTED);
  beckon_tool_call_set_change (call, BECKON_CALL_CHANGE_KEPT);
  g_assert_null (ui_find_named (card, "Undo This Change"));
  beckon_tool_call_set_result (call, "changed", FALSE);
  beckon_tool_call_set_state (call, BECKON_CALL_DONE);
  g_assert_nonnull (ui_find_named (card, "Undo This Change"));
  beckon_tool_call_set_change (call, BECKON_CALL_CHANGE_UNDONE);
  g_assert_null (ui_find_named (card, "Undo This Change"));
  g_assert_nonnull (ui_find_text (card, "undone"));
}

static BeckonRequest *
make_settled (BeckonRequestState state, BeckonAnswer *answer, const char *front_end, const char *actor)
{
  g_autoptr (BeckonQuestion) question =
      beckon_question_parse ("{\"question\":\"Which `port`?\",\"choices\":[\"8080\",\"9090\"]}", NULL);
  BeckonRequest *request = beckon_question_request_new (NULL, "c", "m", "k", question, UI_NOW);

  beckon_request_settle (request, state, answer, front_end, actor, UI_NOW);
  return request;
}

static void
test_history (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonAnswer) answer = beckon_answer_new_question (1);
  g_autoptr (BeckonRequest) request = NULL;
  GtkWidget *card;

  beckon_answer_select (answer, 0, "8080");
  beckon_answer_set_item_text (answer, 0, "<i>only here</i>");
  request = make_settled (BECKON_REQUEST_ANSWERED, answer, "window", g_get_user_name ());
  card = beckon_history_card_new (request);
  ui_show (fixture, card);
  gtk_test_accessible_assert_role (GTK_ACCESSIBLE (card), GTK_ACCESSIBLE_ROLE_GROUP);
  g_assert_nonnull (ui_find_text (card, "Which port?"));
  g_assert_nonnull (ui_find_text (card, "8080"));
  g_assert_nonnull (ui_find_text (card, "<i>only here</i>"));
  g_assert_nonnull (ui_find_text (card, "you, in the window"));
  g_assert_nonnull (ui_find_text (card, "10:41"));
  g_assert_false (gtk_widget_has_css_class (card, "unanswered"));
}

static void
test_history_ends (UiFixture *fixture, gconstpointer data)
{
  static const struct
  {
    BeckonRequestState state;
    BeckonAnswerKind kind;
    const char *word;
  } cases[] = {
    { BECKON_REQUEST_DELEGATED, BECKON_ANSWER_DELEGATED, "left to the model" },
    { BECKON_REQUEST_DECLINED, BECKON_ANSWER_DECLINED, "Dismissed" },
    { BECKON_REQUEST_ASKED_BACK, BECKON_ANSWER_ASKED_BACK, "Is it free?" },
    { BECKON_REQUEST_CANCELLED, BECKON_ANSWER_CANCELLED, "cancelled" },
    { BECKON_REQUEST_TIMED_OUT, BECKON_ANSWER_TIMED_OUT, "Timed out" },
    { BECKON_REQUEST_UNAVAILABLE, BECKON_ANSWER_UNAVAILABLE, "couldn't be asked" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const char *text = cases[i].kind == BECKON_ANSWER_ASKED_BACK ? "Is it free?" : NULL;
      g_autoptr (BeckonAnswer) answer = beckon_answer_new (cases[i].kind, text);
      g_autoptr (BeckonRequest) request = make_settled (cases[i].state, answer, "agent", NULL);
      g_autoptr (BeckonRequest) bare = make_settled (cases[i].state, NULL, NULL, NULL);
      GtkWidget *card = beckon_history_card_new (request);

      ui_show (fixture, card);
      g_assert_nonnull (ui_find_text (card, cases[i].word));
      g_assert_null (ui_find_text (card, "you"));
      g_assert_true (gtk_widget_has_css_class (card, "unanswered"));
      /* An end that left no answer behind has words too. */
      ui_show (fixture, beckon_history_card_new (bare));
    }
}

static void
test_history_several (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonQuestion) question = beckon_question_parse (
      "{\"questions\":[{\"question\":\"Which port?\",\"options\":[\"8080\",\"9090\"]},{\"question\":\"Which name?\"},"
      "{\"question\":\"The key?\",\"secret\":true}]}",
      NULL);
  g_autoptr (BeckonRequest) request = beckon_question_request_new (NULL, "c", "m", "k", question, UI_NOW);
  g_autoptr (BeckonAnswer) answer = beckon_answer_new_question (3);
  GtkWidget *card;

  beckon_answer_select (answer, 0, "9090");
  beckon_answer_set_item_text (answer, 0, "for now");
  beckon_answer_skip (answer, 1);
  beckon_answer_set_item_text (answer, 2, "hunter2");
  beckon_request_settle (request, BECKON_REQUEST_ANSWERED, answer, "window", NULL, UI_NOW);
  card = beckon_history_card_new (request);
  ui_show (fixture, card);
  g_assert_nonnull (ui_find_text (card, "9090 — for now"));
  g_assert_nonnull (ui_find_text (card, "Skipped"));
  g_assert_nonnull (ui_find_text (card, "•••"));
  g_assert_null (ui_find_text (card, "hunter2"));
}

static BeckonRequest *
ask_leave (UiFixture *fixture)
{
  BeckonRequest *request = beckon_approval_request_new (NULL, "conversation", "message", "call", "delete_file",
                                                        "{\"path\":\"~/photos\"}", "Changes need your leave", UI_NOW);

  test_ledger_add (fixture->ledger, request);
  beckon_inbox_add (fixture->inbox, request);
  return request;
}

static GtkWidget *
show_approval (UiFixture *fixture, BeckonRequest *request)
{
  GtkWidget *card = beckon_request_card_new_alone (fixture->inbox, request, NULL);

  beckon_request_card_set_clock (card, fixture->clock);
  ui_show (fixture, card);
  return card;
}

static void
test_approval_run (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ask_leave (fixture);
  GtkWidget *card = show_approval (fixture, request);

  g_assert_nonnull (ui_find_text (card, "delete_file"));
  g_assert_nonnull (ui_find_text (card, "Changes need your leave"));
  g_assert_null (gtk_window_get_default_widget (GTK_WINDOW (fixture->window)));
  ui_click (card, "Run");
  ui_settle ();
  g_assert_cmpint (beckon_request_get_state (request), ==, BECKON_REQUEST_PENDING);
  beckon_clock_advance (fixture->clock, BECKON_GUARD_APPEARED_MS);
  ui_click (card, "Run");
  ui_wait_until (beckon_request_get_state (request) != BECKON_REQUEST_PENDING);
  g_assert_cmpstr (ui_get_answer (fixture, request), ==, "{\"kind\":\"approved\"}");
}

/* Characters that are invisible, or turn the text round, are written out. */
static void
test_approval_hidden (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request =
      beckon_approval_request_new (NULL, "conversation", "message", "call", "delete\u200b_file",
                                   "{\"path\":\"\u202egpj.exe\"}", NULL, UI_NOW);
  GtkWidget *card = show_approval (fixture, request);

  g_assert_nonnull (ui_find_text (card, "path: <U+202E>gpj.exe"));
  g_assert_nonnull (ui_find_text (card, "delete<U+200B>_file"));
}

static void
test_approval_deny (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ask_leave (fixture);
  GtkWidget *card = show_approval (fixture, request);

  beckon_clock_advance (fixture->clock, BECKON_GUARD_APPEARED_MS);
  ui_click (card, "Deny");
  gtk_editable_set_text (GTK_EDITABLE (ui_find_named (card, "Reason for denying")), "They are my only copies");
  ui_click (card, "Deny this call");
  ui_wait_until (beckon_request_get_state (request) != BECKON_REQUEST_PENDING);
  g_assert_cmpstr (ui_get_answer (fixture, request), ==,
                   "{\"kind\":\"declined\",\"text\":\"They are my only copies\"}");
}

static BeckonRequest *
ask_outcome (UiFixture *fixture)
{
  BeckonRequest *request = beckon_outcome_request_new (NULL, "conversation", "message", "call", "delete_file",
                                                       "{\"path\":\"~/photos\"}", UI_NOW - 1, UI_NOW);

  test_ledger_add (fixture->ledger, request);
  beckon_inbox_add (fixture->inbox, request);
  return request;
}

static GtkWidget *
show_outcome (UiFixture *fixture, BeckonRequest *request)
{
  GtkWidget *card = beckon_request_card_new (fixture->inbox, request, NULL);

  beckon_request_card_set_clock (card, fixture->clock);
  ui_show (fixture, card);
  return card;
}

/* The call, arguments and start show; whatever is pressed first, nothing runs by itself. */
static void
test_outcome_retry (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ask_outcome (fixture);
  GtkWidget *card = show_outcome (fixture, request);
  g_autofree char *words = beckon_request_dup_outcome_words (request);

  g_assert_nonnull (ui_find_text (card, "Interrupted: delete_file"));
  g_assert_nonnull (ui_find_text (card, words));
  g_assert_null (gtk_window_get_default_widget (GTK_WINDOW (fixture->window)));
  ui_click (card, "Run again");
  ui_settle ();
  g_assert_cmpint (beckon_request_get_state (request), ==, BECKON_REQUEST_PENDING);
  beckon_clock_advance (fixture->clock, BECKON_GUARD_APPEARED_MS);
  ui_click (card, "Run again");
  ui_wait_until (beckon_request_get_state (request) != BECKON_REQUEST_PENDING);
  g_assert_cmpstr (ui_get_answer (fixture, request), ==, "{\"kind\":\"retry\"}");
}

/* A call that the person left as it was, after it had been interrupted, has not failed, and took no time. */
static void
test_tool_skipped (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonToolCall) call = make_call ("run_command", "{\"command\":\"make gen\"}");
  g_autoptr (BeckonRequest) request = ask_outcome (fixture);
  GtkWidget *asked = show_outcome (fixture, request);
  GtkWidget *card;

  beckon_clock_advance (fixture->clock, BECKON_GUARD_APPEARED_MS);
  ui_click (asked, "Skip this call");
  ui_wait_until (beckon_request_get_state (request) != BECKON_REQUEST_PENDING);
  card = beckon_tool_card_new (call);
  ui_show (fixture, card);
  beckon_tool_call_set_request (call, G_OBJECT (request));
  beckon_tool_call_set_times (call, UI_NOW, UI_NOW + 138 * G_USEC_PER_SEC);
  beckon_tool_call_set_result (call, "Nobody knows.", TRUE);
  beckon_tool_call_set_state (call, BECKON_CALL_DONE);
  g_assert_nonnull (ui_find_text (card, "Skipped"));
  g_assert_null (ui_find_text (card, "failed"));
  g_assert_null (ui_find_text (card, "138"));
}

static void
test_outcome_skip (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ask_outcome (fixture);
  GtkWidget *card = show_outcome (fixture, request);

  beckon_clock_advance (fixture->clock, BECKON_GUARD_APPEARED_MS);
  ui_click (card, "Skip this call");
  ui_wait_until (beckon_request_get_state (request) != BECKON_REQUEST_PENDING);
  g_assert_cmpstr (ui_get_answer (fixture, request), ==, "{\"kind\":\"skip\"}");
}

/* A tool that can look is let to look; of one that cannot it is not offered. */
static void
test_outcome_tool_looks (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) plain = ask_outcome (fixture);
  g_autoptr (BeckonRequest) request = ask_outcome (fixture);
  GtkWidget *card = show_outcome (fixture, plain);

  g_assert_null (ui_find_named (card, "Let the tool look"));
  beckon_request_set_can_verify (request, TRUE);
  card = show_outcome (fixture, request);
  beckon_clock_advance (fixture->clock, BECKON_GUARD_APPEARED_MS);
  ui_click (card, "Let the tool look");
  ui_wait_until (beckon_request_get_state (request) != BECKON_REQUEST_PENDING);
  g_assert_cmpstr (ui_get_answer (fixture, request), ==, "{\"kind\":\"looked\"}");
}

/* Findings are saved as they are typed, and are there again with the card; blank text cannot be sent. */
static void
test_outcome_looked (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ask_outcome (fixture);
  GtkWidget *card = show_outcome (fixture, request);
  GtkEntry *entry = GTK_ENTRY (ui_find_named (card, "What you found"));

  beckon_clock_advance (fixture->clock, BECKON_GUARD_APPEARED_MS);
  gtk_editable_set_text (GTK_EDITABLE (entry), "  ");
  g_signal_emit_by_name (entry, "activate");
  ui_settle ();
  g_assert_false (gtk_widget_get_sensitive (ui_find_named (card, "Tell the agent what you found")));
  g_assert_cmpint (beckon_request_get_state (request), ==, BECKON_REQUEST_PENDING);
  gtk_editable_set_text (GTK_EDITABLE (entry), "They are ");
  g_assert_cmpstr (beckon_request_get_draft (request), ==, "They are ");

  card = show_outcome (fixture, request);
  beckon_clock_advance (fixture->clock, BECKON_GUARD_APPEARED_MS);
  entry = GTK_ENTRY (ui_find_named (card, "What you found"));
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (entry)), ==, "They are ");
  gtk_editable_set_text (GTK_EDITABLE (entry), "They are gone");
  ui_click (card, "Tell the agent what you found");
  ui_wait_until (beckon_request_get_state (request) != BECKON_REQUEST_PENDING);
  g_assert_cmpstr (ui_get_answer (fixture, request), ==, "{\"kind\":\"looked\",\"text\":\"They are gone\"}");
}

static void
test_call_view (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ui_ask (fixture, "{\"question\":\"Which port?\"}");
  g_autoptr (BeckonToolCall) call = make_call ("ask_user", "{}");
  g_autoptr (BeckonAnswer) answer = beckon_answer_new (BECKON_ANSWER_CANCELLED, NULL);
  GtkWidget *view = beckon_call_view_new (fixture->inbox, call);

  ui_show (fixture, view);
  g_assert_true (BECKON_IS_TOOL_CARD (adw_bin_get_child (ADW_BIN (view))));
  g_assert_null (beckon_call_view_get_pending_request (BECKON_CALL_VIEW (view)));
  beckon_tool_call_set_request (call, G_OBJECT (request));
  g_assert_true (BECKON_IS_WAITING_MARK (adw_bin_get_child (ADW_BIN (view))));
  g_assert_true (beckon_call_view_get_pending_request (BECKON_CALL_VIEW (view)) == request);
  beckon_inbox_note_settled (fixture->inbox, request, BECKON_REQUEST_CANCELLED, answer, "agent", NULL, UI_NOW);
  g_assert_true (BECKON_IS_HISTORY_CARD (adw_bin_get_child (ADW_BIN (view))));
  g_assert_null (beckon_call_view_get_pending_request (BECKON_CALL_VIEW (view)));
}

static GtkWidget *
show_asked_call (UiFixture *fixture, BeckonRequest *request, BeckonToolCall *call)
{
  GtkWidget *view;

  beckon_tool_call_set_request (call, G_OBJECT (request));
  view = beckon_call_view_new (fixture->inbox, call);
  ui_show (fixture, view);
  return view;
}

/* A call that a person denied did not fail. */
static void
test_call_view_denied (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ask_leave (fixture);
  g_autoptr (BeckonToolCall) call = make_call ("delete_file", "{}");
  g_autoptr (BeckonAnswer) answer = beckon_answer_new (BECKON_ANSWER_DECLINED, NULL);
  GtkWidget *view = show_asked_call (fixture, request, call);

  beckon_inbox_note_settled (fixture->inbox, request, BECKON_REQUEST_DECLINED, answer, "window", NULL, UI_NOW);
  beckon_tool_call_set_result (call, "The person denied this call.", TRUE);
  beckon_tool_call_set_state (call, BECKON_CALL_DONE);
  g_assert_nonnull (ui_find_text (view, "denied"));
  g_assert_null (ui_find_text (view, "failed"));
  g_assert_true (gtk_widget_has_css_class (ui_find_type (view, BECKON_TYPE_TOOL_CARD), "skipped"));
}

/* Approvals of older histories could time out; their calls did not fail either. */
static void
test_call_view_timed_out (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ask_leave (fixture);
  g_autoptr (BeckonToolCall) call = make_call ("delete_file", "{}");
  GtkWidget *view = show_asked_call (fixture, request, call);

  beckon_inbox_note_settled (fixture->inbox, request, BECKON_REQUEST_TIMED_OUT, NULL, "agent", NULL, UI_NOW);
  beckon_tool_call_set_result (call, "The user did not answer in the time that was set.", TRUE);
  beckon_tool_call_set_state (call, BECKON_CALL_DONE);
  g_assert_nonnull (ui_find_text (view, "timed out"));
  g_assert_null (ui_find_text (view, "failed"));
}

static void
test_call_view_approval (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ask_leave (fixture);
  g_autoptr (BeckonToolCall) call = make_call ("delete_file", "{}");
  g_autoptr (BeckonAnswer) answer = beckon_answer_new (BECKON_ANSWER_APPROVED, NULL);
  GtkWidget *view = show_asked_call (fixture, request, call);

  g_assert_true (BECKON_IS_WAITING_MARK (adw_bin_get_child (ADW_BIN (view))));
  beckon_inbox_note_settled (fixture->inbox, request, BECKON_REQUEST_ANSWERED, answer, "window", NULL, UI_NOW);
  g_assert_true (BECKON_IS_TOOL_CARD (adw_bin_get_child (ADW_BIN (view))));
}

static void
expect_line (const char *arguments, const char *line)
{
  g_autofree char *shown = beckon_arguments_line (arguments);

  g_assert_cmpstr (shown, ==, line);
}

static void
test_arguments_line (void)
{
  expect_line ("{}", "");
  expect_line ("", "");
  expect_line ("{\"path\": \"~/photos\"}", "~/photos");
  expect_line ("{\"path\":\"a: b, c\",\"depth\":2}", "path: a: b, c, depth: 2");
  expect_line ("{\"text\":\"line\\nnext \\\"quoted\\\"\"}", "line next \"quoted\"");
  expect_line ("{\"open\":\"never", "never");
  expect_line ("nonsense", "nonsense");
  expect_line ("{\"a\":[1,2,{\"b\":\"照片\"}]}", "a: 1, 2, b: 照片");
}

static BeckonRequest *
ask_trust (UiFixture *fixture)
{
  g_autoptr (BeckonFolderExtras) extras = beckon_folder_extras_new ("/home/someone/quay");
  g_autoptr (BeckonRequest) request = NULL;

  beckon_folder_extras_take (extras, beckon_folder_extra_new (BECKON_FOLDER_EXTRA_INSTRUCTIONS, "AGENTS.md", NULL, NULL,
                                                              "Keep the quay clear.", 20));
  request = beckon_trust_request_new ("conversation", "message", "/home/someone/quay", extras, NULL, UI_NOW);
  test_ledger_add (fixture->ledger, request);
  beckon_inbox_add (fixture->inbox, request);
  return g_steal_pointer (&request);
}

static GtkWidget *
show_trust (UiFixture *fixture, BeckonRequest *request)
{
  GtkWidget *card = beckon_request_card_new (fixture->inbox, request, NULL);

  beckon_request_card_set_clock (card, fixture->clock);
  ui_show (fixture, card);
  beckon_clock_advance (fixture->clock, BECKON_GUARD_APPEARED_MS);
  return card;
}

static void
assert_tells (GtkWidget *card, const char *button, const char *key, const char *in_tooltip)
{
  GtkWidget *found = ui_find_button (card, button);

  g_assert_true (g_str_has_suffix (gtk_widget_get_tooltip_text (found), in_tooltip));
  g_assert_true (key == NULL || ui_find_text (found, key) != NULL);
}

/* Each key is on its button, as on other cards, and does what the button says. */
static void
test_trust_keys (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) used = ask_trust (fixture);
  g_autoptr (BeckonRequest) refused = ask_trust (fixture);
  GtkWidget *card = show_trust (fixture, used);

  assert_tells (card, "Use what the folder brings", "Ctrl+⏎", "(Ctrl+Enter)");
  assert_tells (card, "Don’t use what the folder brings", "Ctrl+D", "(Ctrl+D)");
  g_assert_true (ui_press (card, GDK_KEY_Return, GDK_CONTROL_MASK));
  ui_wait_until (beckon_request_get_state (used) != BECKON_REQUEST_PENDING);
  g_assert_cmpstr (ui_get_answer (fixture, used), ==, "{\"kind\":\"approved\"}");
  card = show_trust (fixture, refused);
  g_assert_true (ui_press (card, GDK_KEY_d, GDK_CONTROL_MASK));
  ui_wait_until (beckon_request_get_state (refused) != BECKON_REQUEST_PENDING);
  g_assert_cmpstr (ui_get_answer (fixture, refused), ==, "{\"kind\":\"declined\"}");
}

static void
test_outcome_keys (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ask_outcome (fixture);
  GtkWidget *card = show_outcome (fixture, request);

  assert_tells (card, "Tell the agent what you found", NULL, "(Ctrl+Enter)");
  beckon_clock_advance (fixture->clock, BECKON_GUARD_APPEARED_MS);
  ui_press (card, GDK_KEY_Return, GDK_CONTROL_MASK);
  gtk_editable_set_text (GTK_EDITABLE (ui_find_type (card, GTK_TYPE_ENTRY)), "It is there.");
  ui_press (card, GDK_KEY_Return, GDK_CONTROL_MASK);
  ui_wait_until (beckon_request_get_state (request) != BECKON_REQUEST_PENDING);
  g_assert_cmpstr (ui_get_answer (fixture, request), ==, "{\"kind\":\"looked\",\"text\":\"It is there.\"}");
}

int
main (int argc, char *argv[])
{
  if (!ui_test_init (&argc, &argv))
    return 0;

  g_test_add_func ("/ui/cards/arguments-line", test_arguments_line);
  ui_test_add ("/ui/tool-card/states", test_tool_states);
  ui_test_add ("/ui/tool-card/done", test_tool_done);
  ui_test_add ("/ui/tool-card/diff", test_tool_diff);
  ui_test_add ("/ui/tool-card/skipped", test_tool_skipped);
  ui_test_add ("/ui/tool-card/failed", test_tool_failed);
  ui_test_add ("/ui/tool-card/live", test_tool_live);
  ui_test_add ("/ui/tool-card/undo", test_tool_undo);
  ui_test_add ("/ui/history-card/answered", test_history);
  ui_test_add ("/ui/history-card/other-ends", test_history_ends);
  ui_test_add ("/ui/history-card/several", test_history_several);
  ui_test_add ("/ui/approval-card/run", test_approval_run);
  ui_test_add ("/ui/approval-card/hidden", test_approval_hidden);
  ui_test_add ("/life/8-deny-is-a-button-of-its-own", test_approval_deny);
  ui_test_add ("/ui/outcome-card/retry", test_outcome_retry);
  ui_test_add ("/ui/outcome-card/skip", test_outcome_skip);
  ui_test_add ("/ui/outcome-card/tool-looks", test_outcome_tool_looks);
  ui_test_add ("/ui/outcome-card/looked", test_outcome_looked);
  ui_test_add ("/ui/outcome-card/keys", test_outcome_keys);
  ui_test_add ("/ui/trust-card/keys", test_trust_keys);
  ui_test_add ("/ui/call-view/question", test_call_view);
  ui_test_add ("/ui/call-view/approval", test_call_view_approval);
  ui_test_add ("/ui/call-view/denied", test_call_view_denied);
  ui_test_add ("/ui/call-view/timed-out", test_call_view_timed_out);
  return g_test_run ();
}
