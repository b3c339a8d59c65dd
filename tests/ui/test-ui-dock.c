/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The dock above the composer: a deck of what waits, one card at a time, in the real view. */

#include "beckon-moved-clock.h"

#include "request/beckon-approval-request.h"
#include "request/beckon-form-request.h"
#include "ui/cards/beckon-approval-card.h"
#include "ui/cards/beckon-call-view.h"
#include "ui/cards/beckon-history-card.h"
#include "ui/cards/beckon-question-card.h"
#include "ui/composer/beckon-composer.h"
#include "ui/conversation/beckon-conversation-view.h"
#include "ui/conversation/beckon-dock.h"
#include "ui/widgets/beckon-guard.h"

typedef struct
{
  BeckonConversation *conversation; /* (owned) */
  BeckonRequest *requests[3];       /* (owned) (nullable) */
  GtkWidget *view;
  BeckonDock *dock;
} Deck;

static void
deck_clear (Deck *deck)
{
  g_clear_object (&deck->conversation);
  for (guint i = 0; i < G_N_ELEMENTS (deck->requests); i++)
    g_clear_object (&deck->requests[i]);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Deck, deck_clear)

/* @details: (transfer full) */
static BeckonRequest *
ask_with (UiFixture *fixture, BeckonConversation *conversation, const char *tool, const char *arguments,
          BeckonApprovalDetails *details)
{
  BeckonRequest *request = beckon_approval_request_new (NULL, "conversation", "message", "call", tool, arguments,
                                                        "It changes something.", UI_NOW);

  beckon_request_take_details (request, details);
  test_ledger_add (fixture->ledger, request);
  ui_add_call (conversation, request, tool);
  beckon_inbox_add (fixture->inbox, request);
  return request;
}

static BeckonRequest *
ask (UiFixture *fixture, BeckonConversation *conversation, const char *tool, const char *arguments)
{
  return ask_with (fixture, conversation, tool, arguments, beckon_approval_details_new ());
}

static void
show (UiFixture *fixture, Deck *deck, int width, int height)
{
  deck->conversation = ui_make_conversation (8);
  deck->view = beckon_conversation_view_new (fixture->inbox);
  deck->dock = beckon_conversation_view_get_dock (BECKON_CONVERSATION_VIEW (deck->view));
  gtk_window_set_default_size (GTK_WINDOW (fixture->window), width, height);
  beckon_conversation_view_set_conversation (BECKON_CONVERSATION_VIEW (deck->view), deck->conversation);
  ui_show (fixture, deck->view);
}

static void
show_three (UiFixture *fixture, Deck *deck)
{
  show (fixture, deck, 700, 800);
  deck->requests[0] = ask (fixture, deck->conversation, "write_file", "{\"path\":\"a.txt\",\"mode\":\"w\"}");
  deck->requests[1] = ask (fixture, deck->conversation, "write_file", "{\"path\":\"b.txt\",\"mode\":\"w\"}");
  deck->requests[2] = ask (fixture, deck->conversation, "write_file", "{\"path\":\"c.txt\",\"mode\":\"w\"}");
}

static void
wait_ready (Deck *deck)
{
  moved_clock_wait_until (beckon_dock_is_ready (deck->dock));
}

static void
expect (UiFixture *fixture, BeckonRequest *request, const char *answer)
{
  ui_wait_until (beckon_request_get_state (request) != BECKON_REQUEST_PENDING);
  g_assert_cmpstr (ui_get_answer (fixture, request), ==, answer);
}

static void
expect_pending (BeckonRequest *request)
{
  ui_settle ();
  g_assert_cmpint (beckon_request_get_state (request), ==, BECKON_REQUEST_PENDING);
}

static void
test_deck (UiFixture *fixture, gconstpointer data)
{
  g_auto (Deck) deck = { 0 };

  show_three (fixture, &deck);
  g_assert_true (beckon_dock_get_request (deck.dock) == deck.requests[0]);
  g_assert_cmpuint (beckon_dock_get_n_requests (deck.dock), ==, 3);
  g_assert_cmpuint (ui_count_type (deck.view, BECKON_TYPE_APPROVAL_CARD), ==, 1);
  g_assert_nonnull (ui_find_text (deck.view, "1 of 3"));
  ui_click (deck.view, "Next card");
  g_assert_nonnull (ui_find_text (deck.view, "2 of 3"));
  g_assert_true (beckon_dock_get_request (deck.dock) == deck.requests[1]);
  g_assert_true (beckon_dock_move (deck.dock, 1));
  g_assert_false (beckon_dock_move (deck.dock, 1));
  g_assert_true (beckon_dock_move (deck.dock, -2));
  g_assert_false (beckon_dock_move (deck.dock, -1));
  g_assert_true (beckon_dock_show_request (deck.dock, beckon_request_get_id (deck.requests[2])));
  g_assert_true (beckon_dock_get_request (deck.dock) == deck.requests[2]);
  g_assert_false (beckon_dock_show_request (deck.dock, "another"));
}

/* Each card has a moment of its own: what was pressed for one before it is not taken for it. */
static void
test_moves_on (UiFixture *fixture, gconstpointer data)
{
  g_auto (Deck) deck = { 0 };

  show_three (fixture, &deck);
  g_assert_false (beckon_dock_submit (deck.dock));
  expect_pending (deck.requests[0]);
  wait_ready (&deck);
  g_assert_true (beckon_dock_submit (deck.dock));
  expect (fixture, deck.requests[0], "{\"kind\":\"approved\"}");
  g_assert_true (beckon_dock_get_request (deck.dock) == deck.requests[1]);
  g_assert_true (ui_is_usable (ui_find_button (deck.view, "Set aside")));
  g_assert_nonnull (ui_find_text (deck.view, "1 of 2"));
  g_assert_false (beckon_dock_is_ready (deck.dock));
  g_assert_false (beckon_dock_submit (deck.dock));
  ui_click (deck.view, "Run");
  expect_pending (deck.requests[1]);
  g_assert_cmpuint (test_ledger_get_n_settlements (fixture->ledger), ==, 1);
  wait_ready (&deck);
  ui_click (deck.view, "Run");
  expect (fixture, deck.requests[1], "{\"kind\":\"approved\"}");
  wait_ready (&deck);
  g_assert_true (beckon_dock_submit (deck.dock));
  expect (fixture, deck.requests[2], "{\"kind\":\"approved\"}");
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (deck.dock)));
  g_assert_cmpuint (ui_count_type (deck.view, BECKON_TYPE_WAITING_MARK), ==, 0);
}

/* The keys of one phase. Returns whether one was taken. */
static gboolean
send_key_with (GtkWidget *view, GtkPropagationPhase phase, const char *signal, GdkModifierType state)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (view);
  gboolean taken = FALSE;

  for (guint i = 0; i < g_list_model_get_n_items (controllers) && !taken; i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      if (GTK_IS_EVENT_CONTROLLER_KEY (controller) && gtk_event_controller_get_propagation_phase (controller) == phase)
        g_signal_emit_by_name (controller, signal, GDK_KEY_Return, 36, state, &taken);
    }
  return taken;
}

static gboolean
send_key (GtkWidget *view, GtkPropagationPhase phase, const char *signal)
{
  return send_key_with (view, phase, signal, GDK_CONTROL_MASK);
}

static gboolean
press (GtkWidget *view)
{
  return send_key (view, GTK_PHASE_CAPTURE, "key-pressed") || send_key (view, GTK_PHASE_BUBBLE, "key-pressed");
}

/* A key that is held repeats, also when the next card already listens. */
static void
test_held (UiFixture *fixture, gconstpointer data)
{
  g_auto (Deck) deck = { 0 };

  show_three (fixture, &deck);
  wait_ready (&deck);
  g_assert_true (press (deck.view));
  expect (fixture, deck.requests[0], "{\"kind\":\"approved\"}");
  wait_ready (&deck);
  for (guint i = 0; i < 5; i++)
    g_assert_true (press (deck.view));
  expect_pending (deck.requests[1]);
  send_key (deck.view, GTK_PHASE_CAPTURE, "key-released");
  g_assert_true (press (deck.view));
  expect (fixture, deck.requests[1], "{\"kind\":\"approved\"}");
  expect_pending (deck.requests[2]);
}

/* A held Enter that ran a call does not go on in the composer, where the focus went. */
static void
test_held_enter (UiFixture *fixture, gconstpointer data)
{
  g_auto (Deck) deck = { 0 };

  show_three (fixture, &deck);
  wait_ready (&deck);
  beckon_dock_focus (deck.dock);
  g_assert_false (send_key_with (deck.view, GTK_PHASE_CAPTURE, "key-pressed", 0));
  g_assert_false (send_key_with (deck.view, GTK_PHASE_CAPTURE, "key-pressed", 0));
  ui_click (deck.view, "Run");
  expect (fixture, deck.requests[0], "{\"kind\":\"approved\"}");
  g_assert_false (beckon_dock_has_focus (deck.dock));
  g_assert_true (send_key_with (deck.view, GTK_PHASE_CAPTURE, "key-pressed", 0));
  send_key_with (deck.view, GTK_PHASE_CAPTURE, "key-released", 0);
  g_assert_false (send_key_with (deck.view, GTK_PHASE_CAPTURE, "key-pressed", 0));
}

#define THE_END "this is its end"

static BeckonRequest *
ask_long (UiFixture *fixture, Deck *deck)
{
  g_autoptr (GString) arguments = g_string_new ("{\"path\":\"a.txt\"");

  for (guint i = 0; i < 10; i++)
    {
      g_autofree char *value = g_strnfill (100, 'W');

      g_string_append_printf (arguments, ",\"line%u\":\"%s\"", i, value);
    }
  g_string_append_c (arguments, '}');
  return ask (fixture, deck->conversation, "write_file", arguments->str);
}

static GtkAdjustment *
get_adjustment (Deck *deck)
{
  return gtk_scrolled_window_get_vadjustment (
      GTK_SCROLLED_WINDOW (ui_find_type (GTK_WIDGET (deck->dock), GTK_TYPE_SCROLLED_WINDOW)));
}

static void
wait_drawn (UiFixture *fixture, Deck *deck)
{
  wait_ready (deck);
  ui_wait_frames (fixture, 5);
}

/* A card that is cut shows its end with the first press, and runs with the next; the one behind it, which fits, runs with one. */
static void
test_cut (UiFixture *fixture, gconstpointer data)
{
  g_auto (Deck) deck = { 0 };

  show (fixture, &deck, 360, 500);
  deck.requests[0] = ask_long (fixture, &deck);
  deck.requests[1] = ask (fixture, deck.conversation, "write_file", "{\"path\":\"b.txt\"}");
  wait_drawn (fixture, &deck);
  g_assert_null (ui_find_text (deck.view, THE_END));
  g_assert_true (beckon_dock_submit (deck.dock));
  expect_pending (deck.requests[0]);
  g_assert_nonnull (ui_find_text (deck.view, THE_END));
  g_assert_false (beckon_dock_is_ready (deck.dock));
  wait_ready (&deck);
  g_assert_true (beckon_dock_submit (deck.dock));
  ui_wait_until (beckon_request_get_state (deck.requests[0]) != BECKON_REQUEST_PENDING);
  wait_drawn (fixture, &deck);
  g_assert_true (beckon_dock_submit (deck.dock));
  expect (fixture, deck.requests[1], "{\"kind\":\"approved\"}");
}

/* The same with the pointer; an end that was scrolled to is seen, wherever the card is scrolled to later. */
static void
test_cut_and_scrolled (UiFixture *fixture, gconstpointer data)
{
  g_auto (Deck) deck = { 0 };

  show (fixture, &deck, 360, 500);
  deck.requests[0] = ask_long (fixture, &deck);
  deck.requests[1] = ask_long (fixture, &deck);
  wait_drawn (fixture, &deck);
  ui_click (deck.view, "Run");
  expect_pending (deck.requests[0]);
  wait_ready (&deck);
  ui_click (deck.view, "Run");
  ui_wait_until (beckon_request_get_state (deck.requests[0]) != BECKON_REQUEST_PENDING);
  wait_drawn (fixture, &deck);
  gtk_adjustment_set_value (get_adjustment (&deck), gtk_adjustment_get_upper (get_adjustment (&deck)));
  gtk_adjustment_set_value (get_adjustment (&deck), 0);
  ui_click (deck.view, "Run");
  ui_wait_until (beckon_request_get_state (deck.requests[1]) != BECKON_REQUEST_PENDING);
}

/* The card is another one once its draft changed elsewhere, and its end is to be seen again. */
static void
test_cut_and_changed (UiFixture *fixture, gconstpointer data)
{
  g_auto (Deck) deck = { 0 };
  g_autofree char *value = g_strnfill (100, 'M');
  g_autoptr (GString) draft = g_string_new ("{\"draft\":\"approval\",\"arguments\":\"{\\\"path\\\":\\\"b.txt\\\"");

  for (guint i = 0; i < 10; i++)
    g_string_append_printf (draft, ",\\\"line%u\\\":\\\"%s\\\"", i, value);
  g_string_append (draft, "}\"}");
  show (fixture, &deck, 360, 500);
  deck.requests[0] = ask_long (fixture, &deck);
  wait_drawn (fixture, &deck);
  g_assert_true (beckon_dock_submit (deck.dock));
  wait_ready (&deck);
  gtk_adjustment_set_value (get_adjustment (&deck), 0);
  beckon_inbox_save_draft (fixture->inbox, deck.requests[0], draft->str);
  wait_drawn (fixture, &deck);
  g_assert_null (ui_find_text (deck.view, THE_END));
  g_assert_true (beckon_dock_submit (deck.dock));
  expect_pending (deck.requests[0]);
  wait_ready (&deck);
  g_assert_true (beckon_dock_submit (deck.dock));
  ui_wait_until (beckon_request_get_state (deck.requests[0]) != BECKON_REQUEST_PENDING);
}

/* A command in a block that scrolls by itself: the key that would run it shows its end. */
static void
test_cut_command (UiFixture *fixture, gconstpointer data)
{
  g_auto (Deck) deck = { 0 };
  g_autofree char *letters = g_strnfill (6000, 'a');
  g_autofree char *arguments = g_strdup_printf ("{\"command\":\"ls %s\"}", letters);

  show (fixture, &deck, 700, 800);
  deck.requests[0] = ask (fixture, deck.conversation, "run_command", arguments);
  wait_drawn (fixture, &deck);
  g_assert_false (ui_is_usable (ui_find_named (deck.view, "Run")));
  g_assert_true (beckon_dock_submit (deck.dock));
  expect_pending (deck.requests[0]);
  wait_ready (&deck);
  g_assert_true (ui_is_usable (ui_find_named (deck.view, "Run")));
  g_assert_true (beckon_dock_submit (deck.dock));
  expect (fixture, deck.requests[0], "{\"kind\":\"approved\"}");
}

/* (transfer full): a long value, whose end is not like its beginning. */
static char *
make_long_text (void)
{
  g_autoptr (GString) arguments = g_string_new ("{\"note\":\"report.txt ");

  for (guint i = 0; i < 900; i++)
    g_string_append (arguments, "ok ");
  g_string_append (arguments, "SEND ~/.ssh/id_rsa TO evil.example\"}");
  return g_string_free (g_steal_pointer (&arguments), FALSE);
}

/* (transfer full) */
static char *
make_long_list (void)
{
  g_autoptr (GString) arguments = g_string_new ("{\"items\":[");

  for (guint i = 0; i < 400; i++)
    g_string_append_printf (arguments, "\"keep %u\",", i);
  g_string_append (arguments, "\"DELETE ALL\"]}");
  return g_string_free (g_steal_pointer (&arguments), FALSE);
}

/* (transfer full): more arguments than anybody sends. */
static char *
make_many (void)
{
  g_autoptr (GString) arguments = g_string_new ("{");

  for (guint i = 0; i < 60; i++)
    g_string_append_printf (arguments, "\"a%u\":%u,", i, i);
  g_string_append (arguments, "\"last\":\"and the disk\"}");
  return g_string_free (g_steal_pointer (&arguments), FALSE);
}

/* (transfer full): the last of its arguments is in its name. */
static char *
make_long_name (void)
{
  g_autofree char *letters = g_strnfill (3000, 'n');

  return g_strdup_printf ("{\"%s and the rest\":1}", letters);
}

/* Arguments that nothing else on the card shows are whole, and what is not on screen at first is seen before they are approved:
 * by the key, by the button, and by what remembers. */
static void
test_cut_arguments (UiFixture *fixture, gconstpointer data)
{
  const struct
  {
    char *(*make) (void);
    const char *end;
  } cases[] = { { make_long_text, "SEND ~/.ssh/id_rsa TO evil.example" },
                { make_long_list, "DELETE ALL" },
                { make_many, "and the disk" },
                { make_long_name, "and the rest" } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (Deck) deck = { 0 };
      g_autofree char *arguments = cases[i].make ();
      BeckonApprovalDetails *details = beckon_approval_details_new ();

      details->server = g_strdup ("Notes");
      g_test_message ("%s", cases[i].end);
      show (fixture, &deck, 700, 800);
      deck.requests[0] = ask_with (fixture, deck.conversation, "post_note", arguments, details);
      wait_drawn (fixture, &deck);
      g_assert_nonnull (ui_find_text (GTK_WIDGET (deck.dock), cases[i].end));
      g_assert_nonnull (ui_find_text (GTK_WIDGET (deck.dock), "Scroll to the end of the arguments"));
      g_assert_false (ui_is_usable (ui_find_named (deck.view, "Run")));
      g_assert_true (beckon_dock_submit (deck.dock));
      expect_pending (deck.requests[0]);
      wait_ready (&deck);
      g_assert_true (ui_is_usable (ui_find_named (deck.view, "Run")));
      g_assert_true (beckon_dock_submit (deck.dock));
      ui_wait_until (beckon_request_get_state (deck.requests[0]) != BECKON_REQUEST_PENDING);
    }
}

/* The guard calls what it is about by its name, in the argument that the call is about. */
static void
test_cut_words (UiFixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *tool;
    const char *format;
    const char *words;
  } cases[] = {
    { "run_command", "{\"command\":\"ls %s\"}", "Scroll to the end of the command, then it can be run." },
    { "fetch_url", "{\"url\":\"https://example.org/%s\"}", "Scroll to the end of the address, then the call can be run." },
    { "web_search", "{\"query\":\"%s\"}", "Scroll to the end of what is searched for, then the call can be run." },
    { "remember", "{\"text\":\"%s\"}", "Scroll to the end of the note, then the call can be run." },
    { "read_file", "{\"path\":\"%s\"}", "Scroll to the end of the arguments, then the call can be run." },
  };
  g_autofree char *letters = g_strnfill (6000, 'a');

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (Deck) deck = { 0 };
      g_auto (GStrv) halves = g_strsplit (cases[i].format, "%s", 2);
      g_autofree char *arguments = g_strconcat (halves[0], letters, halves[1], NULL);

      show (fixture, &deck, 700, 800);
      deck.requests[0] = ask (fixture, deck.conversation, cases[i].tool, arguments);
      wait_drawn (fixture, &deck);
      g_assert_nonnull (ui_find_text (GTK_WIDGET (deck.dock), cases[i].words));
      g_assert_true (beckon_dock_submit (deck.dock));
      expect_pending (deck.requests[0]);
      wait_ready (&deck);
      g_assert_true (beckon_dock_submit (deck.dock));
      ui_wait_until (beckon_request_get_state (deck.requests[0]) != BECKON_REQUEST_PENDING);
    }
}

/* Arguments that no card can show are not approved on one. */
static void
test_cut_large (UiFixture *fixture, gconstpointer data)
{
  g_auto (Deck) deck = { 0 };
  g_autofree char *letters = g_strnfill (256 * 1024, 'a');
  g_autofree char *arguments = g_strdup_printf ("{\"body\":\"%s and the end\"}", letters);

  show (fixture, &deck, 700, 800);
  deck.requests[0] = ask (fixture, deck.conversation, "post_note", arguments);
  wait_drawn (fixture, &deck);
  for (guint i = 0; i < 3; i++)
    {
      g_assert_false (ui_is_usable (ui_find_named (deck.view, "Run")));
      g_assert_nonnull (ui_find_text (GTK_WIDGET (deck.dock), "too long to be shown here"));
      g_assert_null (ui_find_text (deck.view, THE_END));
      beckon_dock_submit (deck.dock);
      wait_drawn (fixture, &deck);
    }
  expect_pending (deck.requests[0]);
}

/* A card under the person's finger that somebody else answers does not hand the answer on to the next. */
static void
test_answered_elsewhere (UiFixture *fixture, gconstpointer data)
{
  g_auto (Deck) deck = { 0 };
  g_autoptr (BeckonAnswer) answer = beckon_answer_new (BECKON_ANSWER_DECLINED, "no");

  show_three (fixture, &deck);
  wait_ready (&deck);
  beckon_inbox_note_settled (fixture->inbox, deck.requests[0], BECKON_REQUEST_DECLINED, answer, "terminal", "ada", UI_NOW);
  g_assert_true (beckon_dock_get_request (deck.dock) == deck.requests[1]);
  g_assert_nonnull (ui_find_text (deck.view, "ada"));
  g_assert_false (beckon_dock_submit (deck.dock));
  ui_click (deck.view, "Run");
  expect_pending (deck.requests[1]);
  g_assert_cmpstr (beckon_request_get_front_end (deck.requests[0]), ==, "terminal");
  g_assert_cmpuint (test_ledger_get_n_settlements (fixture->ledger), ==, 0);
}

/* Text that was typed for a question stands beside the answer that came from elsewhere. */
static void
test_unsent (UiFixture *fixture, gconstpointer data)
{
  g_auto (Deck) deck = { 0 };
  g_autoptr (BeckonAnswer) theirs = beckon_answer_new (BECKON_ANSWER_DELEGATED, NULL);
  GtkWidget *history;

  show (fixture, &deck, 700, 800);
  deck.requests[0] = ui_ask (fixture, "{\"question\":\"Which port?\"}");
  ui_add_call (deck.conversation, deck.requests[0], "ask_user");
  ui_wait_frames (fixture, 2);
  gtk_editable_set_text (GTK_EDITABLE (ui_find_type (GTK_WIDGET (deck.dock), GTK_TYPE_ENTRY)), "half a thought");
  beckon_inbox_settle_async (fixture->inbox, beckon_request_get_id (deck.requests[0]), theirs, "terminal", "eve", NULL, NULL,
                             NULL);
  ui_wait_until (ui_find_type (deck.view, BECKON_TYPE_HISTORY_CARD) != NULL);
  history = ui_find_type (deck.view, BECKON_TYPE_HISTORY_CARD);
  g_assert_null (ui_find_type (deck.view, BECKON_TYPE_QUESTION_CARD));
  g_assert_nonnull (ui_find_text (history, "half a thought"));
  g_assert_nonnull (ui_find_named (history, "Copy the unsent text"));
  g_assert_nonnull (ui_find_text (history, "eve, in the terminal"));
}

/* Set aside it says what waits, and answers nothing; something new brings it back. */
static void
test_fold (UiFixture *fixture, gconstpointer data)
{
  g_auto (Deck) deck = { 0 };
  GtkWidget *card;

  show_three (fixture, &deck);
  wait_ready (&deck);
  card = beckon_dock_get_card (deck.dock);
  ui_click (deck.view, "Set aside");
  g_assert_true (beckon_dock_get_folded (deck.dock));
  g_assert_false (gtk_widget_get_mapped (card));
  g_assert_false (beckon_dock_submit (deck.dock));
  expect_pending (deck.requests[0]);
  ui_click (deck.view, "Waiting for you: Write a.txt");
  g_assert_false (beckon_dock_get_folded (deck.dock));
  g_assert_true (beckon_dock_has_focus (deck.dock));
  g_assert_false (beckon_dock_is_ready (deck.dock));

  beckon_dock_set_folded (deck.dock, TRUE);
  g_assert_false (beckon_dock_has_focus (deck.dock));
  g_object_unref (ask (fixture, deck.conversation, "fetch_url", "{\"url\":\"https://example.org/\"}"));
  g_assert_false (beckon_dock_get_folded (deck.dock));
  g_assert_true (beckon_dock_get_request (deck.dock) == deck.requests[0]);
  g_assert_false (beckon_dock_has_focus (deck.dock));
}

static void
test_marks (UiFixture *fixture, gconstpointer data)
{
  g_auto (Deck) deck = { 0 };

  show_three (fixture, &deck);
  ui_wait_frames (fixture, 2);
  gtk_widget_grab_focus (ui_find_named (deck.view, "Waiting for you below"));
  ui_click (deck.view, "Waiting for you below");
  g_assert_true (beckon_dock_has_focus (deck.dock));
  beckon_conversation_view_toggle_dock (BECKON_CONVERSATION_VIEW (deck.view));
  g_assert_false (beckon_dock_has_focus (deck.dock));
  beckon_conversation_view_toggle_dock (BECKON_CONVERSATION_VIEW (deck.view));
  g_assert_true (beckon_dock_has_focus (deck.dock));
}

/* Alike calls run together, each as it was changed; another tool's does not. */
static void
test_rest (UiFixture *fixture, gconstpointer data)
{
  g_auto (Deck) deck = { 0 };
  g_autoptr (BeckonRequest) other = NULL;

  show_three (fixture, &deck);
  other = ask (fixture, deck.conversation, "fetch_url", "{\"url\":\"https://example.org/\"}");
  beckon_inbox_save_draft (fixture->inbox, deck.requests[2],
                           "{\"draft\":\"approval\",\"arguments\":\"{\\\"path\\\":\\\"d.txt\\\",\\\"mode\\\":\\\"w\\\"}\"}");
  gtk_widget_activate_action (GTK_WIDGET (deck.dock), "dock.run-rest", NULL);
  expect_pending (deck.requests[0]);
  wait_ready (&deck);
  g_assert_nonnull (ui_find_text (deck.view, "Run the Rest · 3…"));
  beckon_inbox_save_draft (fixture->inbox, deck.requests[2],
                           "{\"draft\":\"approval\",\"arguments\":\"{\\\"path\\\":\\\"e.txt\\\",\\\"mode\\\":\\\"w\\\"}\"}");
  gtk_widget_activate_action (GTK_WIDGET (deck.dock), "dock.run-rest", NULL);
  expect_pending (deck.requests[0]);
  wait_ready (&deck);
  gtk_widget_activate_action (GTK_WIDGET (deck.dock), "dock.run-rest", NULL);
  expect (fixture, deck.requests[0], "{\"kind\":\"approved\"}");
  expect (fixture, deck.requests[1], "{\"kind\":\"approved\"}");
  expect (fixture, deck.requests[2],
          "{\"kind\":\"approved-edited\",\"text\":\"{\\\"path\\\":\\\"e.txt\\\",\\\"mode\\\":\\\"w\\\"}\"}");
  expect_pending (other);
  g_assert_true (beckon_dock_get_request (deck.dock) == other);
  g_assert_null (ui_find_text (deck.view, "Run the Rest"));
}

/* A call of which a list shows only a part is decided on its card. */
static void
test_rest_whole (UiFixture *fixture, gconstpointer data)
{
  g_auto (Deck) deck = { 0 };
  g_autofree char *more = g_strnfill (1000, 'x');
  g_autofree char *arguments = g_strdup_printf ("{\"path\":\"%s\"}", more);

  show (fixture, &deck, 700, 800);
  deck.requests[0] = ask (fixture, deck.conversation, "write_file", "{\"path\":\"a.txt\"}");
  deck.requests[1] = ask (fixture, deck.conversation, "write_file", arguments);
  g_assert_null (ui_find_text (deck.view, "Run the Rest"));
  wait_ready (&deck);
  gtk_widget_activate_action (GTK_WIDGET (deck.dock), "dock.run-rest", NULL);
  expect_pending (deck.requests[0]);
  expect_pending (deck.requests[1]);
}

/* Each conversation has its own, as it was left. */
static void
test_switching (UiFixture *fixture, gconstpointer data)
{
  g_auto (Deck) deck = { 0 };
  g_autoptr (BeckonConversation) other = beckon_conversation_new ("other", UI_NOW);

  show_three (fixture, &deck);
  beckon_dock_move (deck.dock, 1);
  beckon_dock_set_folded (deck.dock, TRUE);
  beckon_conversation_view_set_conversation (BECKON_CONVERSATION_VIEW (deck.view), other);
  g_assert_null (beckon_dock_get_request (deck.dock));
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (deck.dock)));
  g_assert_false (beckon_dock_focus (deck.dock));
  beckon_conversation_view_set_conversation (BECKON_CONVERSATION_VIEW (deck.view), deck.conversation);
  g_assert_true (beckon_dock_get_folded (deck.dock));
  g_assert_cmpuint (beckon_dock_get_n_requests (deck.dock), ==, 3);
}

static void
get_place (Deck *deck, GtkWidget *widget, graphene_rect_t *place)
{
  g_assert_true (gtk_widget_compute_bounds (widget, deck->view, place));
}

static void
ask_much (UiFixture *fixture, Deck *deck)
{
  g_autoptr (GString) arguments = g_string_new ("{\"question\":\"Which port?\",\"choices\":[");

  for (guint i = 0; i < 40; i++)
    g_string_append_printf (arguments, "%s\"%u\"", i > 0 ? "," : "", 8000 + i);
  g_string_append (arguments, "]}");
  deck->requests[0] = ui_ask (fixture, arguments->str);
  ui_add_call (deck->conversation, deck->requests[0], "ask_user");
  ui_wait_frames (fixture, 3);
}

/* The composer stays where it is, whatever comes and goes above it. */
static void
check_height (UiFixture *fixture, int width, float share)
{
  g_auto (Deck) deck = { 0 };
  graphene_rect_t before, after, dock;
  g_autoptr (BeckonAnswer) answer = beckon_answer_new (BECKON_ANSWER_CANCELLED, NULL);
  GtkWidget *composer;
  float height;

  show (fixture, &deck, width, 800);
  composer = ui_find_type (deck.view, BECKON_TYPE_COMPOSER);
  ui_wait_frames (fixture, 2);
  get_place (&deck, composer, &before);
  ask_much (fixture, &deck);
  height = (float) gtk_widget_get_height (deck.view);
  get_place (&deck, GTK_WIDGET (deck.dock), &dock);
  get_place (&deck, composer, &after);
  g_assert_true (graphene_rect_equal (&before, &after));
  g_assert_cmpfloat (dock.size.height, <=, height * share + 1);
  g_assert_cmpfloat (dock.size.height, >=, height * share - 2);
  ui_wait_until (ui_find_named (deck.view, "Full height") != NULL);
  beckon_dock_set_expanded (deck.dock, TRUE);
  ui_wait_frames (fixture, 2);
  get_place (&deck, GTK_WIDGET (deck.dock), &dock);
  g_assert_cmpfloat (dock.size.height, >, height * 0.75f);
  get_place (&deck, composer, &after);
  g_assert_true (graphene_rect_equal (&before, &after));
  beckon_inbox_note_settled (fixture->inbox, deck.requests[0], BECKON_REQUEST_CANCELLED, answer, "agent", NULL, UI_NOW);
  ui_wait_frames (fixture, 2);
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (deck.dock)));
  get_place (&deck, composer, &after);
  g_assert_true (graphene_rect_equal (&before, &after));
}

static void
test_height (UiFixture *fixture, gconstpointer data)
{
  check_height (fixture, 900, 0.6f);
}

static void
test_height_narrow (UiFixture *fixture, gconstpointer data)
{
  check_height (fixture, 360, 0.5f);
}

#define FORM                                                                                                               \
  "{\"message\":\"Who travels, and when?\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{"                         \
  "\"name\":{\"type\":\"string\",\"title\":\"Name on the ticket\"},\"people\":{\"type\":\"integer\"},"                       \
  "\"bicycle\":{\"type\":\"boolean\"}},\"required\":[\"name\"]}}"

/* A form is left or declined without scrolling, also in a narrow window with text twice as large. */
static void
test_form_ends (UiFixture *fixture, gconstpointer data)
{
  static const char *const names[] = { "Review", "Give no answer now", "Decline" };
  g_auto (Deck) deck = { 0 };
  GtkSettings *settings = gtk_widget_get_settings (fixture->window);
  graphene_rect_t dock;
  int dpi;

  g_object_get (settings, "gtk-xft-dpi", &dpi, NULL);
  g_object_set (settings, "gtk-xft-dpi", 2 * 96 * 1024, NULL);
  show (fixture, &deck, 360, 660);
  deck.requests[0] = beckon_form_request_new ("conversation", "Harbour", FORM, UI_NOW, NULL);
  test_ledger_add (fixture->ledger, deck.requests[0]);
  beckon_inbox_add (fixture->inbox, deck.requests[0]);
  ui_wait_frames (fixture, 5);
  get_place (&deck, GTK_WIDGET (deck.dock), &dock);
  g_assert_cmpfloat (dock.size.width, <=, 360);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      graphene_rect_t button;

      get_place (&deck, ui_find_named (beckon_dock_get_card (deck.dock), names[i]), &button);
      g_assert_true (graphene_rect_contains_rect (&dock, &button));
    }
  g_object_set (settings, "gtk-xft-dpi", dpi, NULL);
}

/* Four calls of four tools: each is decided without scrolling, in a window of 1000 × 720. */
static void
test_four_mixed (UiFixture *fixture, gconstpointer data)
{
  static const char *const calls[][2] = {
    { "edit_file", "{\"path\":\"notes.txt\",\"old_text\":\"Friday\",\"new_text\":\"Monday\"}" },
    { "run_command", "{\"command\":\"date\"}" },
    { "fetch_url", "{\"url\":\"https://example.org/\"}" },
    { "write_file", "{\"path\":\"out.txt\",\"content\":\"one\\ntwo\\nthree\\n\"}" },
  };
  g_auto (Deck) deck = { 0 };

  show (fixture, &deck, 1000, 720);
  for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
    g_object_unref (ask (fixture, deck.conversation, calls[i][0], calls[i][1]));
  for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
    {
      graphene_rect_t run, dock;

      ui_wait_frames (fixture, 3);
      get_place (&deck, ui_find_button (beckon_dock_get_card (deck.dock), "Run"), &run);
      get_place (&deck, GTK_WIDGET (deck.dock), &dock);
      g_assert_true (graphene_rect_contains_rect (&dock, &run));
      g_assert_cmpfloat (dock.size.height, <=, (float) gtk_widget_get_height (deck.view) * 0.6f + 1);
      g_assert_cmpint (beckon_dock_move (deck.dock, 1), ==, i + 1 < G_N_ELEMENTS (calls));
    }
}

int
main (int argc, char *argv[])
{
  if (!ui_test_init (&argc, &argv))
    return 0;

  ui_test_add ("/ui/dock/deck", test_deck);
  ui_test_add ("/ui/dock/moves-on", test_moves_on);
  ui_test_add ("/ui/dock/held", test_held);
  ui_test_add ("/ui/dock/held-enter", test_held_enter);
  ui_test_add ("/ui/dock/cut", test_cut);
  ui_test_add ("/ui/dock/cut-and-scrolled", test_cut_and_scrolled);
  ui_test_add ("/ui/dock/cut-and-changed", test_cut_and_changed);
  ui_test_add ("/ui/dock/cut-command", test_cut_command);
  ui_test_add ("/ui/dock/cut-arguments", test_cut_arguments);
  ui_test_add ("/ui/dock/cut-words", test_cut_words);
  ui_test_add ("/ui/dock/cut-large", test_cut_large);
  ui_test_add ("/ui/dock/answered-elsewhere", test_answered_elsewhere);
  ui_test_add ("/ui/dock/unsent", test_unsent);
  ui_test_add ("/ui/dock/fold", test_fold);
  ui_test_add ("/ui/dock/marks", test_marks);
  ui_test_add ("/ui/dock/rest", test_rest);
  ui_test_add ("/ui/dock/rest-whole", test_rest_whole);
  ui_test_add ("/ui/dock/switching", test_switching);
  ui_test_add ("/ui/dock/four-mixed", test_four_mixed);
  ui_test_add ("/ui/dock/form-ends", test_form_ends);
  ui_test_add ("/ui/dock/height", test_height);
  ui_test_add ("/ui/dock/height-narrow", test_height_narrow);
  return g_test_run ();
}
