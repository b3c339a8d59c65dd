/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The question card: everything a person can do to it, and what of it reaches the journal. */

#include "beckon-card-fixture.h"

#include "request/beckon-question-request.h"
#include "ui/cards/beckon-call-view.h"
#include "ui/cards/beckon-history-card.h"
#include "ui/cards/beckon-question-card.h"
#include "ui/cards/beckon-request-card.h"
#include "ui/widgets/beckon-choice.h"
#include "ui/widgets/beckon-guard.h"

#define ONE "{\"question\":\"Which port?\",\"choices\":[\"8080\",\"9090\",\"Any\"]}"
#define FREE "{\"question\":\"What is it called?\"}"
#define SEVERAL_OF                                                                                             \
  "{\"questions\":[{\"question\":\"Which files?\",\"multiple\":true,\"options\":[\"a\",\"b\",\"c\"]}]}"
#define TWO                                                                                                    \
  "{\"questions\":[{\"question\":\"Which port?\",\"header\":\"Port\",\"options\":[\"8080\",\"9090\"]},"        \
  "{\"question\":\"Which name?\",\"header\":\"Name\"}]}"
#define SECRET "{\"questions\":[{\"question\":\"The key?\",\"secret\":true}]}"

static void
test_click (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ui_ask (fixture, ONE);
  GtkWidget *card = ui_show_open_card (fixture, request);

  ui_click (card, "9090");
  ui_expect_answer (fixture, request, BECKON_REQUEST_ANSWERED,
                 "{\"kind\":\"question\",\"items\":[{\"selected\":[\"9090\"],\"skipped\":false}]}");
}

static void
test_note (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ui_ask (fixture, ONE);
  GtkWidget *card = ui_show_open_card (fixture, request);

  ui_type_text (card, "  and only here ");
  ui_click (card, "8080");
  ui_expect_answer (fixture, request, BECKON_REQUEST_ANSWERED,
                 "{\"kind\":\"question\",\"items\":[{\"selected\":[\"8080\"],\"text\":\"and only here\",\"skipped\":false}]}");
}

static void
test_typed (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ui_ask (fixture, ONE);
  GtkWidget *card = ui_show_open_card (fixture, request);

  ui_type_text (card, "7070");
  ui_click (card, "Send answer");
  ui_expect_answer (fixture, request, BECKON_REQUEST_ANSWERED,
                 "{\"kind\":\"question\",\"items\":[{\"selected\":[],\"text\":\"7070\",\"skipped\":false}]}");
}

#define MINUTE_MS (60 * 1000)

static gboolean
shows (GtkWidget *card, const char *text)
{
  GtkWidget *label = ui_find_text (card, text);

  return label != NULL && gtk_widget_get_visible (label);
}

/* The card tells how much time is left, until an answer is begun. */
static void
test_time_left (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ui_ask (fixture, ONE);
  GtkWidget *card = ui_show_open_card (fixture, request);
  gint64 now = beckon_clock_get_real_time (fixture->clock);

  beckon_request_set_due_at (request, now + G_GINT64_CONSTANT (5 * 60) * MINUTE_MS * 1000);
  g_assert_true (shows (card, "Times out in 5 hours"));
  beckon_clock_advance (fixture->clock, (2 * 60 + 59) * MINUTE_MS);
  g_assert_true (shows (card, "Times out in 3 hours"));
  beckon_clock_advance (fixture->clock, MINUTE_MS);
  g_assert_true (shows (card, "Times out in 120 minutes"));
  beckon_clock_advance (fixture->clock, 118 * MINUTE_MS);
  g_assert_true (shows (card, "Times out in 2 minutes"));
  beckon_clock_advance (fixture->clock, MINUTE_MS);
  g_assert_true (shows (card, "Times out in less than a minute"));
  beckon_request_set_due_at (request, 0);
  g_assert_false (shows (card, "Times out in less than a minute"));
}

static void
test_blank (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ui_ask (fixture, FREE);
  GtkWidget *card = ui_show_open_card (fixture, request);

  g_assert_false (ui_is_usable (ui_find_named (card, "Send answer")));
  ui_type_text (card, "   ");
  g_assert_false (ui_is_usable (ui_find_named (card, "Send answer")));
  ui_press_enter_in_entry (card);
  g_assert_true (ui_press (card, GDK_KEY_Return, GDK_CONTROL_MASK));
  ui_expect_pending (fixture, request);
}

static void
test_preedit (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ui_ask (fixture, FREE);
  GtkWidget *card = ui_show_open_card (fixture, request);
  GtkEditable *text = gtk_editable_get_delegate (GTK_EDITABLE (ui_get_entry (card)));

  ui_type_text (card, "照片");
  g_signal_emit_by_name (text, "preedit-changed", "wang zhan");
  ui_press_enter_in_entry (card);
  ui_expect_pending (fixture, request);
  g_signal_emit_by_name (text, "preedit-changed", "");
  ui_press_enter_in_entry (card);
  ui_expect_answer (fixture, request, BECKON_REQUEST_ANSWERED,
                 "{\"kind\":\"question\",\"items\":[{\"selected\":[],\"text\":\"照片\",\"skipped\":false}]}");
}

static void
test_guard (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ui_ask (fixture, ONE);
  GtkWidget *card = ui_show_card (fixture, request);

  g_assert_true (ui_is_busy (card));
  ui_click (card, "8080");
  ui_press (card, GDK_KEY_2, 0);
  ui_press (card, GDK_KEY_Return, GDK_CONTROL_MASK);
  ui_activate (card, "card.dismiss");
  ui_activate (card, "card.skip");
  ui_expect_pending (fixture, request);
  beckon_clock_advance (fixture->clock, BECKON_GUARD_APPEARED_MS - 1);
  ui_click (card, "8080");
  ui_expect_pending (fixture, request);
  beckon_clock_advance (fixture->clock, 1);
  g_assert_false (ui_is_busy (card));
  ui_click (card, "8080");
  ui_expect_answer (fixture, request, BECKON_REQUEST_ANSWERED,
                 "{\"kind\":\"question\",\"items\":[{\"selected\":[\"8080\"],\"skipped\":false}]}");
}

/* A click in the guard leaves no mark either: a later Enter must not send it. */
static void
test_guard_marks_nothing (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ui_ask (fixture, ONE);
  GtkWidget *card = ui_show_card (fixture, request);

  ui_click (card, "8080");
  beckon_clock_advance (fixture->clock, BECKON_GUARD_APPEARED_MS);
  ui_type_text (card, "none");
  ui_click (card, "Send answer");
  ui_expect_answer (fixture, request, BECKON_REQUEST_ANSWERED,
                 "{\"kind\":\"question\",\"items\":[{\"selected\":[],\"text\":\"none\",\"skipped\":false}]}");
}

static void
test_guard_ends_with_card (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ui_ask (fixture, ONE);
  GtkWidget *card = ui_show_card (fixture, request);

  g_object_add_weak_pointer (G_OBJECT (card), (gpointer *) &card);
  adw_window_set_content (ADW_WINDOW (fixture->window), NULL);
  ui_wait_until (card == NULL);
  beckon_clock_advance (fixture->clock, BECKON_GUARD_APPEARED_MS);
  ui_expect_pending (fixture, request);
}

static void
test_focus (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ui_ask (fixture, ONE);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *entry = gtk_entry_new ();
  GtkWidget *focus;

  gtk_box_append (GTK_BOX (box), entry);
  ui_show (fixture, box);
  gtk_widget_grab_focus (entry);
  focus = gtk_window_get_focus (GTK_WINDOW (fixture->window));
  gtk_box_prepend (GTK_BOX (box), beckon_request_card_new (fixture->inbox, request, NULL));
  ui_wait_frames (fixture, 2);
  g_assert_nonnull (focus);
  g_assert_true (gtk_window_get_focus (GTK_WINDOW (fixture->window)) == focus);
}

static void
test_number_keys (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ui_ask (fixture, ONE);
  GtkWidget *card = ui_show_open_card (fixture, request);

  gtk_widget_grab_focus (ui_get_entry (card));
  g_assert_false (ui_press (card, GDK_KEY_2, 0));
  ui_expect_pending (fixture, request);
  gtk_widget_grab_focus (ui_find_type (card, BECKON_TYPE_CHOICE));
  g_assert_false (ui_press (card, GDK_KEY_4, 0));
  g_assert_false (ui_press (card, GDK_KEY_2, GDK_CONTROL_MASK));
  ui_expect_pending (fixture, request);
  g_assert_true (ui_press (card, GDK_KEY_KP_2, 0));
  ui_expect_answer (fixture, request, BECKON_REQUEST_ANSWERED,
                 "{\"kind\":\"question\",\"items\":[{\"selected\":[\"9090\"],\"skipped\":false}]}");
}

static void
test_skip (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ui_ask (fixture, ONE);

  ui_activate (ui_show_open_card (fixture, request), "card.skip");
  ui_expect_answer (fixture, request, BECKON_REQUEST_SKIPPED,
                 "{\"kind\":\"question\",\"items\":[{\"selected\":[],\"skipped\":true}]}");
}

static void
test_delegate (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ui_ask (fixture, ONE);

  ui_activate (ui_show_open_card (fixture, request), "card.delegate");
  ui_expect_answer (fixture, request, BECKON_REQUEST_DELEGATED, "{\"kind\":\"delegated\"}");
}

static void
test_dismiss (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ui_ask (fixture, ONE);

  ui_activate (ui_show_open_card (fixture, request), "card.dismiss");
  ui_expect_answer (fixture, request, BECKON_REQUEST_DECLINED, "{\"kind\":\"declined\"}");
}

static void
test_ask_back (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ui_ask (fixture, ONE);
  GtkWidget *card = ui_show_open_card (fixture, request);

  ui_activate (card, "card.ask-back");
  g_assert_false (ui_is_usable (ui_find_named (card, "Ask the agent")));
  ui_type_text (card, "Is 8080 free?");
  ui_click (card, "Ask the agent");
  ui_expect_answer (fixture, request, BECKON_REQUEST_ASKED_BACK, "{\"kind\":\"asked-back\",\"text\":\"Is 8080 free?\"}");
}

static void
test_ask_back_taken_back (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ui_ask (fixture, ONE);
  GtkWidget *card = ui_show_open_card (fixture, request);

  ui_activate (card, "card.ask-back");
  g_assert_true (ui_press (card, GDK_KEY_Escape, 0));
  g_assert_null (ui_find_named (card, "Ask the agent"));
  ui_click (card, "Any");
  ui_expect_answer (fixture, request, BECKON_REQUEST_ANSWERED,
                 "{\"kind\":\"question\",\"items\":[{\"selected\":[\"Any\"],\"skipped\":false}]}");
}

/* A half-typed answer is no part of a question back, and is there again when that is taken back. */
static void
test_ask_back_holds_answer (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ui_ask (fixture, ONE);
  GtkWidget *card = ui_show_open_card (fixture, request);

  ui_type_text (card, "7070, but");
  ui_activate (card, "card.ask-back");
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (ui_get_entry (card))), ==, "");
  ui_type_text (card, "Is 7070 free?");
  g_assert_true (ui_press (card, GDK_KEY_Escape, 0));
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (ui_get_entry (card))), ==, "7070, but");
  ui_activate (card, "card.ask-back");
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (ui_get_entry (card))), ==, "Is 7070 free?");
  ui_click (card, "Ask the agent");
  ui_expect_answer (fixture, request, BECKON_REQUEST_ASKED_BACK, "{\"kind\":\"asked-back\",\"text\":\"Is 7070 free?\"}");
}

/* Text typed to ask back, or as a message, must not stand in the way of a choice where text cannot answer. */
static void
test_text_is_no_answer (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request =
      ui_ask (fixture, "{\"question\":\"Which port?\",\"choices\":[\"8080\",\"9090\"],\"allow_freeform\":false}");
  GtkWidget *card = ui_show_open_card (fixture, request);

  g_assert_false (beckon_request_card_takes_text (card));
  ui_activate (card, "card.ask-back");
  ui_type_text (card, "Which is free?");
  g_assert_true (ui_press (card, GDK_KEY_Escape, 0));
  ui_click (card, "9090");
  ui_expect_answer (fixture, request, BECKON_REQUEST_ANSWERED,
                 "{\"kind\":\"question\",\"items\":[{\"selected\":[\"9090\"],\"skipped\":false}]}");
}

static void
test_several_choices (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ui_ask (fixture, SEVERAL_OF);
  GtkWidget *card = ui_show_open_card (fixture, request);

  gtk_test_accessible_assert_role (GTK_ACCESSIBLE (ui_find_named (card, "a")), GTK_ACCESSIBLE_ROLE_CHECKBOX);
  g_assert_false (ui_is_usable (ui_find_named (card, "Send answer")));
  ui_click (card, "c");
  ui_click (card, "b");
  ui_press (card, GDK_KEY_1, 0);
  ui_click (card, "b");
  ui_expect_pending (fixture, request);
  gtk_test_accessible_assert_state (GTK_ACCESSIBLE (ui_find_named (card, "a")), GTK_ACCESSIBLE_STATE_CHECKED,
                                    GTK_ACCESSIBLE_TRISTATE_TRUE);
  ui_click (card, "Send answer");
  ui_expect_answer (fixture, request, BECKON_REQUEST_ANSWERED,
                 "{\"kind\":\"question\",\"items\":[{\"selected\":[\"a\",\"c\"],\"skipped\":false}]}");
}

static void
test_several_questions (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ui_ask (fixture, TWO);
  GtkWidget *card = ui_show_open_card (fixture, request);

  gtk_test_accessible_assert_role (GTK_ACCESSIBLE (ui_find_named (card, "8080")), GTK_ACCESSIBLE_ROLE_RADIO);
  g_assert_nonnull (ui_find_text (card, "1 of 2"));
  ui_click (card, "8080");
  g_assert_nonnull (ui_find_text (card, "2 of 2"));
  beckon_clock_advance (fixture->clock, BECKON_GUARD_APPEARED_MS);
  ui_click (card, "Back");
  ui_click (card, "9090");
  g_assert_nonnull (ui_find_text (card, "1 of 2"));
  beckon_clock_advance (fixture->clock, BECKON_GUARD_APPEARED_MS);
  ui_click (card, "9090");
  g_assert_nonnull (ui_find_text (card, "2 of 2"));
  beckon_clock_advance (fixture->clock, BECKON_GUARD_APPEARED_MS);
  ui_expect_pending (fixture, request);
  ui_click (card, "Review");
  ui_click (card, "Send answers");
  g_assert_nonnull (ui_find_text (card, "Review"));
  beckon_clock_advance (fixture->clock, BECKON_GUARD_APPEARED_MS);
  g_assert_nonnull (ui_find_text (card, "9090"));
  ui_click (card, "Send answers");
  ui_expect_pending (fixture, request);
  /* The one that lacks an answer is shown, with words that say so. */
  g_assert_nonnull (ui_find_text (card, "2 of 2"));
  g_assert_nonnull (ui_find_text (card, "Question 2"));
  ui_press (card, GDK_KEY_Return, GDK_CONTROL_MASK);
  ui_expect_pending (fixture, request);
}

static void
submit_two (UiFixture *fixture, BeckonRequest *request, GtkWidget *card)
{
  ui_press (card, GDK_KEY_2, 0);
  beckon_clock_advance (fixture->clock, BECKON_GUARD_APPEARED_MS);
  ui_wait_frames (fixture, 1);
  for (GtkWidget *page = ui_find_type (card, GTK_TYPE_STACK); page != NULL; page = NULL)
    gtk_editable_set_text (GTK_EDITABLE (ui_find_type (gtk_stack_get_visible_child (GTK_STACK (page)), GTK_TYPE_ENTRY)),
                           "Photos");
}

static void
test_several_questions_submitted (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ui_ask (fixture, TWO);
  GtkWidget *card = ui_show_open_card (fixture, request);

  submit_two (fixture, request, card);
  ui_expect_pending (fixture, request);
  ui_press (card, GDK_KEY_Return, GDK_CONTROL_MASK);
  ui_expect_answer (fixture, request, BECKON_REQUEST_ANSWERED,
                 "{\"kind\":\"question\",\"items\":[{\"selected\":[\"9090\"],\"skipped\":false},"
                 "{\"selected\":[],\"text\":\"Photos\",\"skipped\":false}]}");
}

static void
test_skip_one_of_several (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ui_ask (fixture, TWO);
  GtkWidget *card = ui_show_open_card (fixture, request);

  ui_activate (card, "card.skip");
  ui_activate (card, "card.skip");
  g_assert_nonnull (ui_find_text (card, "2 of 2"));
  beckon_clock_advance (fixture->clock, BECKON_GUARD_APPEARED_MS);
  ui_activate (card, "card.skip");
  beckon_clock_advance (fixture->clock, BECKON_GUARD_APPEARED_MS);
  ui_click (card, "Back");
  ui_click (card, "Back");
  beckon_clock_advance (fixture->clock, BECKON_GUARD_APPEARED_MS);
  ui_click (card, "9090");
  beckon_clock_advance (fixture->clock, BECKON_GUARD_APPEARED_MS);
  ui_activate (card, "card.submit");
  ui_expect_answer (fixture, request, BECKON_REQUEST_ANSWERED,
                 "{\"kind\":\"question\",\"items\":[{\"selected\":[\"9090\"],\"skipped\":false},"
                 "{\"selected\":[],\"skipped\":true}]}");
}

#define THREE                                                                                                              \
  "{\"questions\":[{\"question\":\"One?\",\"options\":[\"a\",\"b\"]},{\"question\":\"Two?\",\"options\":[\"c\",\"d\"]},"        \
  "{\"question\":\"Three?\",\"options\":[\"e\",\"f\"]}]}"

/* decision.md: one single choice after another advances by itself, and the review has the focus on what sends it. */
static void
test_four_clicks (UiFixture *fixture, gconstpointer data)
{
  static const char *const picks[] = { "b", "c", "f" };
  g_autoptr (BeckonRequest) request = ui_ask (fixture, THREE);
  GtkWidget *card = ui_show_open_card (fixture, request);
  guint n_clicks = 0;

  gtk_widget_grab_focus (ui_find_named (card, "a"));
  for (guint i = 0; i < G_N_ELEMENTS (picks); i++, n_clicks++)
    {
      ui_click (card, picks[i]);
      beckon_clock_advance (fixture->clock, BECKON_GUARD_APPEARED_MS);
    }
  g_assert_nonnull (ui_find_text (card, "Review"));
  g_assert_true (gtk_window_get_focus (GTK_WINDOW (fixture->window)) == ui_find_named (card, "Send answers"));
  ui_click (card, "Send answers");
  n_clicks++;
  g_assert_cmpuint (n_clicks, ==, 4);
  ui_expect_answer (fixture, request, BECKON_REQUEST_ANSWERED,
                 "{\"kind\":\"question\",\"items\":[{\"selected\":[\"b\"],\"skipped\":false},"
                 "{\"selected\":[\"c\"],\"skipped\":false},{\"selected\":[\"f\"],\"skipped\":false}]}");
}

/* The second click of a pair that was meant for one question does not answer the next one. */
static void
test_double_click (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ui_ask (fixture, THREE);
  GtkWidget *card = ui_show_open_card (fixture, request);

  ui_click (card, "b");
  g_assert_nonnull (ui_find_text (card, "2 of 3"));
  ui_click (card, "d");
  g_assert_nonnull (ui_find_text (card, "2 of 3"));
  gtk_test_accessible_assert_state (GTK_ACCESSIBLE (ui_find_named (card, "d")), GTK_ACCESSIBLE_STATE_CHECKED,
                                    GTK_ACCESSIBLE_TRISTATE_FALSE);
}

/* The width that one page's text takes on one line must not become that of the card while another page is shown. */
static void
test_width (UiFixture *fixture, gconstpointer data)
{
  g_autofree char *words = g_strnfill (150, 'w');
  g_autofree char *arguments = g_strdup_printf ("{\"questions\":[{\"question\":\"%s\",\"options\":[\"%s\",\"b\"]},"
                                                "{\"question\":\"Which name?\"}]}", words, words);
  g_autoptr (BeckonRequest) request = ui_ask (fixture, arguments);
  GtkWidget *card = ui_show_open_card (fixture, request);
  int before, after;

  gtk_widget_measure (card, GTK_ORIENTATION_HORIZONTAL, -1, &before, NULL, NULL, NULL);
  ui_click (card, "Next question");
  gtk_widget_measure (card, GTK_ORIENTATION_HORIZONTAL, -1, &after, NULL, NULL, NULL);
  g_assert_cmpint (before, <=, 360);
  g_assert_cmpint (after, <=, 360);
}

static void
test_secret (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ui_ask (fixture, SECRET);
  GtkWidget *card = ui_show_open_card (fixture, request);
  const char *draft;

  g_assert_false (gtk_entry_get_visibility (GTK_ENTRY (ui_get_entry (card))));
  ui_type_text (card, "hunter2");
  beckon_clock_advance (fixture->clock, 500);
  ui_settle ();
  draft = test_ledger_get_draft (fixture->ledger, beckon_request_get_id (request));
  g_assert_true (draft == NULL || strstr (draft, "hunter2") == NULL);
}

static void
test_failure (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ui_ask (fixture, ONE);
  GtkWidget *card = ui_show_open_card (fixture, request);

  test_journal_break (fixture->journal, "The disk is full.");
  ui_type_text (card, "7070");
  ui_click (card, "Send answer");
  ui_wait_until (ui_find_text (card, "The disk is full.") != NULL);
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (ui_get_entry (card))), ==, "7070");
  test_journal_break (fixture->journal, NULL);
  ui_click (card, "Send answer");
  ui_expect_answer (fixture, request, BECKON_REQUEST_ANSWERED,
                 "{\"kind\":\"question\",\"items\":[{\"selected\":[],\"text\":\"7070\",\"skipped\":false}]}");
}

static void
test_twice (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ui_ask (fixture, ONE);
  GtkWidget *card = ui_show_open_card (fixture, request);
  GtkWidget *second = ui_find_named (card, "9090");

  test_journal_hold (fixture->journal);
  ui_click (card, "8080");
  g_assert_false (ui_is_usable (second));
  g_signal_emit_by_name (second, "clicked");
  test_journal_release (fixture->journal);
  ui_expect_answer (fixture, request, BECKON_REQUEST_ANSWERED,
                 "{\"kind\":\"question\",\"items\":[{\"selected\":[\"8080\"],\"skipped\":false}]}");
  g_assert_cmpuint (test_ledger_get_n_settlements (fixture->ledger), ==, 1);
}

static void
test_answered_here (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ui_ask (fixture, FREE);
  g_autoptr (BeckonToolCall) call = beckon_tool_call_new ("call", NULL, "ask_user", "{}");
  GtkWidget *card = ui_show_open_card (fixture, request);
  g_autoptr (GtkWidget) view = NULL;

  beckon_tool_call_set_request (call, G_OBJECT (request));
  view = g_object_ref_sink (beckon_call_view_new (fixture->inbox, call));
  ui_type_text (card, "Photos");
  ui_press_enter_in_entry (card);
  ui_wait_until (ui_find_type (view, BECKON_TYPE_HISTORY_CARD) != NULL);
  g_assert_nonnull (ui_find_text (view, "What is it called?"));
  g_assert_nonnull (ui_find_text (view, "Photos"));
  g_assert_null (ui_find_named (view, "Copy the unsent text"));
  g_assert_nonnull (ui_find_text (view, "you, in the window"));
}

static void
test_names (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ui_ask (
      fixture, "{\"questions\":[{\"question\":\"Which port?\",\"options\":[{\"label\":\"8080\",\"description\":\"The usual "
               "one\",\"recommended\":true},\"9090\"]}]}");
  GtkWidget *card = ui_show_open_card (fixture, request);
  GtkWidget *choice = ui_find_named (card, "8080");

  gtk_test_accessible_assert_role (GTK_ACCESSIBLE (card), GTK_ACCESSIBLE_ROLE_GROUP);
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (card), GTK_ACCESSIBLE_PROPERTY_LABEL, "AI needs your decision");
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (card), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, "Which port?");
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (choice), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                       "1. recommended The usual one");
  g_assert_nonnull (ui_find_named (card, "Your thoughts"));
  g_assert_nonnull (ui_find_named (card, "Other ways to answer"));
  g_assert_nonnull (ui_find_text (card, "recommended"));
}

/* A question whether a server may do something, with a text of so many lines. */
static BeckonRequest *
ask_to_allow (UiFixture *fixture, guint n_lines)
{
  g_autoptr (GString) text = g_string_new ("The server wants to ask your model this.\\n```text");
  g_autoptr (BeckonQuestion) question = NULL;
  g_autofree char *arguments = NULL;
  BeckonRequest *request;

  for (guint i = 1; i <= n_lines; i++)
    g_string_append_printf (text, "\\nline %u", i);
  arguments = g_strdup_printf ("{\"question\":\"%s\\n```\",\"choices\":[\"Don't Allow\",\"Allow\"],\"allow_freeform\":false}",
                               text->str);
  question = beckon_question_parse (arguments, NULL);
  g_assert_nonnull (question);
  request = beckon_question_request_new (NULL, "conversation", "message", NULL, question, UI_NOW);
  beckon_request_take_asked_by (request, beckon_asked_by_new (BECKON_ASKED_BY_SERVER, "Weather"));
  test_ledger_add (fixture->ledger, request);
  beckon_inbox_add (fixture->inbox, request);
  return request;
}

#define ALLOWED "{\"kind\":\"question\",\"items\":[{\"selected\":[\"Allow\"],\"skipped\":false}]}"
#define NOT_ALLOWED "{\"kind\":\"question\",\"items\":[{\"selected\":[\"Don't Allow\"],\"skipped\":false}]}"

/* Beckon asks, and not the model: nothing can be left to it, and no front end can do so. */
static void
test_decision (UiFixture *fixture, gconstpointer data)
{
  static const BeckonAnswerKind ways[] = { BECKON_ANSWER_DELEGATED, BECKON_ANSWER_ASKED_BACK };
  g_autoptr (BeckonRequest) request = ask_to_allow (fixture, 1);
  GtkWidget *card = ui_show_open_card (fixture, request);

  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (card), GTK_ACCESSIBLE_PROPERTY_LABEL, "Beckon asks about Weather");
  g_assert_true (shows (card, "Beckon asks about Weather"));
  g_assert_null (ui_find_text (card, "AI needs your decision"));
  g_assert_null (ui_find_named (card, "Let the agent choose"));
  g_assert_null (ui_find_named (card, "Ask back"));
  for (guint i = 0; i < G_N_ELEMENTS (ways); i++)
    {
      g_autoptr (BeckonAnswer) answer = beckon_answer_new (ways[i], "why");
      g_autoptr (GError) error = NULL;

      g_assert_false (beckon_request_check_answer (request, answer, &error));
      g_assert_cmpstr (error->message, ==, "Beckon asks this, not the agent. Choose one of the answers.");
    }
  gtk_widget_activate_action (card, "card.delegate", NULL);
  ui_expect_pending (fixture, request);
  ui_wait_until (beckon_request_card_is_ready (card));
  ui_click (card, "Allow");
  ui_expect_answer (fixture, request, BECKON_REQUEST_ANSWERED, ALLOWED);
}

/* A key that allows shows the end of what is allowed first; only the next one counts. */
static void
test_unseen (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ask_to_allow (fixture, 200);
  GtkWidget *card = ui_show_open_card (fixture, request);
  GtkWidget *scroller = ui_find_type (card, GTK_TYPE_SCROLLED_WINDOW);
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scroller));

  ui_wait_until (beckon_request_card_is_ready (card));
  g_assert_true (ui_press (card, GDK_KEY_2, 0));
  ui_expect_pending (fixture, request);
  g_assert_true (shows (card, "There was more to see, and this is its end. Press again to allow it."));
  ui_wait_until (gtk_adjustment_get_value (adjustment) + gtk_adjustment_get_page_size (adjustment)
                 >= gtk_adjustment_get_upper (adjustment) - 2);
  /* The second press of a double one is not about what has just come into view. */
  ui_press (card, GDK_KEY_2, 0);
  ui_expect_pending (fixture, request);
  beckon_clock_advance (fixture->clock, BECKON_GUARD_APPEARED_MS);
  g_assert_true (ui_press (card, GDK_KEY_2, 0));
  ui_expect_answer (fixture, request, BECKON_REQUEST_ANSWERED, ALLOWED);
}

/* To allow nothing, nothing has to be seen. */
static void
test_unseen_refused (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ask_to_allow (fixture, 200);
  GtkWidget *card = ui_show_open_card (fixture, request);

  ui_wait_until (beckon_request_card_is_ready (card));
  g_assert_true (ui_press (card, GDK_KEY_1, 0));
  ui_expect_answer (fixture, request, BECKON_REQUEST_ANSWERED, NOT_ALLOWED);
}

static int
get_least_width (GtkWidget *widget)
{
  int least;

  gtk_widget_measure (widget, GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
  return least;
}

/* Within 360 pixels with the margins around it, whatever the model writes and whichever page is shown. */
static void
test_narrow (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ui_ask (
      fixture, "{\"questions\":[{\"question\":\"The image `registry.example.org/a/very/long/path/to/nginx:1.27` cannot be "
               "pulled\",\"header\":\"A header of thirty characters, or more\",\"options\":[{\"label\":\"Use the installed "
               "nginx\",\"description\":\"Serve the folder with the system package, no container\",\"recommended\":true},"
               "{\"label\":\"Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft\"}]},"
               "{\"question\":\"Which folders should be served?\",\"header\":\"Another long header\",\"multiple\":true,"
               "\"options\":[\"public\",\"drafts\"]},"
               "{\"question\":\"And what should the whole of it be called, if anything?\",\"header\":\"Name\"}]}");
  GtkWidget *card = ui_show_open_card (fixture, request);

  g_assert_cmpint (get_least_width (card), <=, 324);
  ui_press (card, GDK_KEY_2, 0);
  beckon_clock_advance (fixture->clock, BECKON_GUARD_APPEARED_MS);
  g_assert_cmpint (get_least_width (card), <=, 324);
  ui_click (card, "public");
  g_assert_cmpint (get_least_width (card), <=, 324);
  ui_click (card, "Next question");
  ui_type_text (card, "A name that is much longer than any name has a need to be, and goes on");
  ui_click (card, "Review");
  g_assert_cmpint (get_least_width (card), <=, 324);
  ui_press (card, GDK_KEY_Return, GDK_CONTROL_MASK);
  g_assert_cmpint (get_least_width (card), <=, 324);
}

int
main (int argc, char *argv[])
{
  if (!ui_test_init (&argc, &argv))
    return 0;

  ui_test_add ("/ui/question/click", test_click);
  ui_test_add ("/ui/question/note", test_note);
  ui_test_add ("/ui/question/typed", test_typed);
  ui_test_add ("/life/6-the-time-left-is-told", test_time_left);
  ui_test_add ("/life/5-blank-is-not-sent", test_blank);
  ui_test_add ("/ui/question/preedit", test_preedit);
  ui_test_add ("/life/12-half-a-second-answers-nothing", test_guard);
  ui_test_add ("/ui/question/guard-marks-nothing", test_guard_marks_nothing);
  ui_test_add ("/ui/question/guard-ends-with-card", test_guard_ends_with_card);
  ui_test_add ("/life/12-a-card-takes-no-focus", test_focus);
  ui_test_add ("/ui/question/number-keys", test_number_keys);
  ui_test_add ("/ui/question/skip", test_skip);
  ui_test_add ("/ui/question/delegate", test_delegate);
  ui_test_add ("/ui/question/dismiss", test_dismiss);
  ui_test_add ("/ui/question/ask-back", test_ask_back);
  ui_test_add ("/ui/question/ask-back-holds-answer", test_ask_back_holds_answer);
  ui_test_add ("/ui/question/ask-back-taken-back", test_ask_back_taken_back);
  ui_test_add ("/ui/question/text-is-no-answer", test_text_is_no_answer);
  ui_test_add ("/ui/question/several-choices", test_several_choices);
  ui_test_add ("/ui/question/several-questions", test_several_questions);
  ui_test_add ("/ui/question/several-questions-submitted", test_several_questions_submitted);
  ui_test_add ("/ui/question/skip-one-of-several", test_skip_one_of_several);
  ui_test_add ("/ui/question/three-in-four-clicks", test_four_clicks);
  ui_test_add ("/ui/question/a-second-click-answers-nothing", test_double_click);
  ui_test_add ("/ui/question/width", test_width);
  ui_test_add ("/ui/question/secret", test_secret);
  ui_test_add ("/ui/question/failure", test_failure);
  ui_test_add ("/ui/question/twice", test_twice);
  ui_test_add ("/ui/question/answered-here", test_answered_here);
  ui_test_add ("/ui/question/names", test_names);
  ui_test_add ("/ui/question/decision", test_decision);
  ui_test_add ("/ui/question/decision/unseen", test_unseen);
  ui_test_add ("/ui/question/decision/unseen-refused", test_unseen_refused);
  ui_test_add ("/ui/question/narrow", test_narrow);
  return g_test_run ();
}
