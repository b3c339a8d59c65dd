/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The question card around the answer: drafts, Escape, previews, long texts, what led to it. */

#include "beckon-card-fixture.h"

#include "request/beckon-question-request.h"
#include "ui/blocks/beckon-preview.h"
#include "ui/blocks/beckon-table-block.h"
#include "ui/cards/beckon-call-view.h"
#include "ui/cards/beckon-history-card.h"
#include "ui/cards/beckon-question-card.h"
#include "ui/cards/beckon-question-deck.h"
#include "ui/cards/beckon-request-card.h"
#include "ui/cards/beckon-tool-card.h"
#include "ui/transcript/beckon-message-row.h"
#include "ui/widgets/beckon-choice.h"
#include "ui/widgets/beckon-guard.h"
#include "ui/widgets/beckon-max-height-box.h"
#include "ui/widgets/beckon-wrap-pair.h"

#include <string.h>

#define ONE "{\"question\":\"Which port?\",\"choices\":[\"8080\",\"9090\",\"Any\"]}"
#define TWO                                                                                                    \
  "{\"questions\":[{\"question\":\"Which port?\",\"header\":\"Port\",\"options\":[\"8080\",\"9090\"]},"        \
  "{\"question\":\"Which name?\",\"header\":\"Name\"}]}"

/* human.md 5: a half-typed answer is a draft: what is typed, what is picked, and where the person was. */
static void
test_draft (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ui_ask (fixture, TWO);
  GtkWidget *card = ui_show_open_card (fixture, request);
  const char *id = beckon_request_get_id (request);

  ui_press (card, GDK_KEY_2, 0);
  ui_type_text (card, "Photos");
  beckon_clock_advance (fixture->clock, 500);
  ui_wait_until (test_ledger_get_draft (fixture->ledger, id) != NULL);

  /* The next card begins where this one ended. */
  adw_window_set_content (ADW_WINDOW (fixture->window), NULL);
  beckon_request_set_draft (request, test_ledger_get_draft (fixture->ledger, id));
  card = ui_show_open_card (fixture, request);
  g_assert_nonnull (ui_find_text (card, "2 of 2"));
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (ui_get_entry (card))), ==, "Photos");
  ui_activate (card, "card.submit");
  ui_expect_answer (fixture, request, BECKON_REQUEST_ANSWERED,
                    "{\"kind\":\"question\",\"items\":[{\"selected\":[\"9090\"],\"skipped\":false},"
                    "{\"selected\":[],\"text\":\"Photos\",\"skipped\":false}]}");
}

static void
test_draft_of_another_question (UiFixture *fixture, gconstpointer data)
{
  static const char *const drafts[] = {
    "", "nonsense", "{\"kind\":\"declined\"}", "{\"kind\":\"question\",\"items\":[]}",
    "{\"kind\":\"question\",\"items\":[{\"selected\":[\"gone\"],\"skipped\":false}]}",
    "{\"kind\":\"question\",\"items\":[{\"selected\":[],\"skipped\":false}],\"page\":-7}",
    "{\"kind\":\"question\",\"items\":[{\"selected\":[],\"skipped\":false}],\"page\":1e30,\"asking_back\":\"so\"}",
  };

  for (guint i = 0; i < G_N_ELEMENTS (drafts); i++)
    {
      g_autoptr (BeckonRequest) request = ui_ask (fixture, ONE);
      GtkWidget *card;

      beckon_request_set_draft (request, drafts[i]);
      card = ui_show_open_card (fixture, request);
      g_assert_false (ui_is_usable (ui_find_named (card, "Send answer")));
      g_assert_cmpint (beckon_request_get_state (request), ==, BECKON_REQUEST_PENDING);
    }
}

static void
test_draft_of_asking_back (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ui_ask (fixture, ONE);
  GtkWidget *card = ui_show_open_card (fixture, request);

  ui_type_text (card, "8080, but");
  ui_activate (card, "card.ask-back");
  ui_type_text (card, "Is \"8080\" free?");
  adw_window_set_content (ADW_WINDOW (fixture->window), NULL);
  card = ui_show_open_card (fixture, request);
  g_assert_true (ui_press (card, GDK_KEY_Escape, 0));
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (ui_get_entry (card))), ==, "8080, but");
  ui_activate (card, "card.ask-back");
  ui_click (card, "Ask the agent");
  ui_expect_answer (fixture, request, BECKON_REQUEST_ASKED_BACK, "{\"kind\":\"asked-back\",\"text\":\"Is \\\"8080\\\" free?\"}");
}

/* A request may have a card in the conversation and one in the list of all that waits. */
static void
test_two_cards (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ui_ask (fixture, TWO);
  GtkWidget *stack = gtk_stack_new ();
  GtkWidget *here = beckon_request_card_new (fixture->inbox, request, NULL);
  GtkWidget *there = beckon_request_card_new (fixture->inbox, request, NULL);

  beckon_request_card_set_clock (here, fixture->clock);
  beckon_request_card_set_clock (there, fixture->clock);
  gtk_stack_add_child (GTK_STACK (stack), here);
  gtk_stack_add_child (GTK_STACK (stack), there);
  ui_show (fixture, stack);
  beckon_clock_advance (fixture->clock, BECKON_GUARD_APPEARED_MS);
  ui_press (here, GDK_KEY_2, 0);
  ui_type_text (here, "Photos");
  gtk_stack_set_visible_child (GTK_STACK (stack), there);
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (ui_get_entry (there))), ==, "Photos");
  ui_type_text (there, "");
  ui_click (there, "Back");
  gtk_stack_set_visible_child (GTK_STACK (stack), here);
  g_assert_nonnull (ui_find_text (here, "1 of 2"));
  gtk_test_accessible_assert_state (GTK_ACCESSIBLE (ui_find_named (here, "9090")), GTK_ACCESSIBLE_STATE_CHECKED,
                                    GTK_ACCESSIBLE_TRISTATE_TRUE);
  ui_click (here, "Next question");
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (ui_get_entry (here))), ==, "");
}

/* human.md 12: Esc never declines. It is for what is around the card: the dock folds. */
static void
test_escape (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ui_ask (fixture, ONE);
  GtkWidget *card = ui_show_open_card (fixture, request);

  g_assert_false (ui_press (card, GDK_KEY_Escape, 0));
  ui_activate (card, "card.ask-back");
  g_assert_true (ui_press (card, GDK_KEY_Escape, 0));
  g_assert_false (ui_press (card, GDK_KEY_Escape, 0));
  ui_expect_pending (fixture, request);
}

#define PREVIEWS                                                                                                     \
  "{\"questions\":[{\"question\":\"Which server?\",\"options\":["                                                    \
  "{\"label\":\"nginx\",\"preview\":\"```nginx\\nlisten 8080;\\n```\"},"                                             \
  "{\"label\":\"caddy\",\"preview\":\"| Server | Memory |\\n|---|---:|\\n| caddy | 40 MB |\\n\"},"                   \
  "{\"label\":\"none\",\"preview\":\"--- a/x\\n+++ b/x\\n@@ -1 +1 @@\\n-listen 80;\\n+listen 8080;\\n\"}]}]}"

static GtkTextTag *
get_tag_of (GtkWidget *preview, const char *words)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (ui_find_type (preview, GTK_TYPE_TEXT_VIEW)));
  g_autoptr (GSList) tags = NULL;
  GtkTextIter start, found, end;

  gtk_text_buffer_get_start_iter (buffer, &start);
  g_assert_true (gtk_text_iter_forward_search (&start, words, 0, &found, &end, NULL));
  tags = gtk_text_iter_get_tags (&found);
  return tags != NULL ? tags->data : NULL;
}

static void
assert_tag (GtkWidget *preview, const char *words, const char *name)
{
  GtkTextTag *tag = get_tag_of (preview, words);
  g_autofree char *actual = NULL;

  if (tag != NULL)
    g_object_get (tag, "name", &actual, NULL);
  g_assert_cmpstr (actual, ==, name);
}

static void
test_previews (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ui_ask (fixture, PREVIEWS);
  GtkWidget *card = ui_show_open_card (fixture, request);
  GtkWidget *code = ui_find_named (card, "Preview of nginx");
  GtkWidget *table = ui_find_named (card, "Preview of caddy");
  GtkWidget *diff = ui_find_named (card, "Preview of none");

  g_assert_nonnull (ui_find_text (code, "nginx"));
  g_assert_nonnull (ui_find_type (code, GTK_TYPE_TEXT_VIEW));
  g_assert_nonnull (ui_find_type (table, BECKON_TYPE_TABLE_BLOCK));
  g_assert_nonnull (ui_find_text (table, "40 MB"));
  g_assert_null (ui_find_text (table, "---"));
  assert_tag (diff, "listen 80;", "diff-removed");
  assert_tag (diff, "listen 8080;", "diff-added");
  assert_tag (diff, "--- a/x", NULL);
  assert_tag (diff, "+++ b/x", NULL);
  assert_tag (diff, "@@", NULL);
  ui_click (card, "caddy");
  ui_expect_answer (fixture, request, BECKON_REQUEST_ANSWERED,
                    "{\"kind\":\"question\",\"items\":[{\"selected\":[\"caddy\"],\"skipped\":false}]}");
}

#define UNFENCED                                                                                                     \
  "{\"questions\":[{\"question\":\"Which layout?\",\"options\":["                                                    \
  "{\"label\":\"nested\",\"preview\":\"\\n  site:\\n    port: 8080\\n\"},"                                           \
  "{\"label\":\"listed\",\"preview\":\"Two:\\n\\n- one\\n  - more\\n    of it\\n- two\\n\"}]}]}"

/* Code that the model did not fence keeps what stands before its lines; a list remains one. */
static void
test_previews_unfenced (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ui_ask (fixture, UNFENCED);
  GtkWidget *card = ui_show_open_card (fixture, request);
  GtkWidget *code = ui_find_type (ui_find_named (card, "Preview of nested"), GTK_TYPE_TEXT_VIEW);
  GtkTextIter start, end;
  g_autofree char *text = NULL;

  g_assert_nonnull (code);
  gtk_text_buffer_get_bounds (gtk_text_view_get_buffer (GTK_TEXT_VIEW (code)), &start, &end);
  text = gtk_text_buffer_get_text (gtk_text_view_get_buffer (GTK_TEXT_VIEW (code)), &start, &end, FALSE);
  g_assert_cmpstr (text, ==, "  site:\n    port: 8080");
  g_assert_null (ui_find_type (ui_find_named (card, "Preview of listed"), GTK_TYPE_TEXT_VIEW));
}

static graphene_rect_t
get_bounds (GtkWidget *widget, GtkWidget *within)
{
  graphene_rect_t bounds;

  g_assert_true (gtk_widget_compute_bounds (widget, within, &bounds));
  return bounds;
}

/* Beside its option where there is room, below it where it is narrow. */
static void
test_preview_place (UiFixture *fixture, gconstpointer data)
{
  static const int widths[] = { 800, 360 };

  for (guint i = 0; i < G_N_ELEMENTS (widths); i++)
    {
      g_autoptr (BeckonRequest) request = ui_ask (fixture, PREVIEWS);
      GtkWidget *card;
      graphene_rect_t choice, preview;

      gtk_window_set_default_size (GTK_WINDOW (fixture->window), widths[i], 640);
      card = ui_show_open_card (fixture, request);
      ui_wait_until (gtk_widget_get_width (fixture->window) <= widths[i]);
      ui_wait_frames (fixture, 2);
      choice = get_bounds (ui_find_named (card, "nginx"), card);
      preview = get_bounds (ui_find_named (card, "Preview of nginx"), card);
      if (widths[i] > 600)
        g_assert_cmpfloat (preview.origin.x, >=, choice.origin.x + choice.size.width);
      else
        g_assert_cmpfloat (preview.origin.y, >=, choice.origin.y + choice.size.height);
      adw_window_set_content (ADW_WINDOW (fixture->window), NULL);
    }
}

/* Long texts scroll inside the card, and the card is as high as it says. */
static void
test_long_texts (UiFixture *fixture, gconstpointer data)
{
  g_autofree char *words = g_strnfill (4000, 'w');
  g_autofree char *arguments = NULL;
  g_autoptr (BeckonRequest) request = NULL;
  GtkWidget *card, *bounded;
  int least, natural;

  for (guint i = 9; i < 4000; i += 10)
    words[i] = ' ';
  arguments = g_strdup_printf ("{\"question\":\"%s\",\"choices\":[\"8080\"]}", words);
  request = ui_ask (fixture, arguments);
  card = ui_show_open_card (fixture, request);
  bounded = ui_find_type (card, BECKON_TYPE_MAX_HEIGHT_BOX);
  g_assert_true (gtk_widget_has_css_class (bounded, "overflowing"));
  g_assert_cmpint (gtk_widget_get_height (bounded), <=, 260);
  g_assert_true (gtk_widget_get_focusable (gtk_widget_get_first_child (bounded)));
  gtk_widget_measure (card, GTK_ORIENTATION_VERTICAL, gtk_widget_get_width (card), &least, &natural, NULL, NULL);
  g_assert_cmpint (least, <=, gtk_widget_get_height (card));
  g_assert_cmpint (natural, <=, 520);
}

/* A short one is shown whole and takes no stop of the Tab key. */
static void
test_short_texts (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ui_ask (fixture, ONE);
  GtkWidget *card = ui_show_open_card (fixture, request);
  GtkWidget *bounded = ui_find_type (card, BECKON_TYPE_MAX_HEIGHT_BOX);

  g_assert_false (gtk_widget_has_css_class (bounded, "overflowing"));
  g_assert_false (gtk_widget_get_focusable (gtk_widget_get_first_child (bounded)));
}

/* human.md 2: a card can show what led to it. */
static void
test_origin (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ui_ask (fixture, ONE);
  g_autoptr (BeckonToolCall) call = beckon_tool_call_new ("call", NULL, "ask_user", ONE);
  GtkWidget *card = beckon_request_card_new (fixture->inbox, request, call);

  ui_show (fixture, card);
  g_assert_null (ui_find_type (card, BECKON_TYPE_TOOL_CARD));
  ui_activate (card, "card.show-origin");
  g_assert_nonnull (ui_find_text (ui_find_type (card, BECKON_TYPE_TOOL_CARD), "Ask you"));
  g_assert_nonnull (ui_find_named (card, "Copy code"));
  ui_activate (card, "card.show-origin");
  g_assert_cmpuint (ui_count_type (card, BECKON_TYPE_TOOL_CARD), ==, 1);
  ui_expect_pending (fixture, request);
}

static GtkWidget *
get_call (GtkWidget *row, guint index)
{
  g_autoptr (GPtrArray) views = g_ptr_array_new ();

  beckon_message_row_list_calls (BECKON_MESSAGE_ROW (row), views);
  return g_ptr_array_index (views, index);
}

/* Several that wait in a message are one deck, with one mark; answered, each stands in its place. */
static void
test_marks (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) port = ui_ask (fixture, ONE);
  g_autoptr (BeckonRequest) name = ui_ask (fixture, "{\"question\":\"Which name?\"}");
  g_autoptr (BeckonMessage) message = beckon_message_new (NULL, BECKON_ROLE_ASSISTANT, UI_NOW);
  BeckonRequest *requests[] = { port, NULL, name };
  GtkWidget *row;

  for (guint i = 0; i < G_N_ELEMENTS (requests); i++)
    {
      g_autoptr (BeckonToolCall) call =
          beckon_tool_call_new (NULL, NULL, requests[i] != NULL ? "ask_user" : "get_current_time", "{}");
      g_autoptr (BeckonPart) part = beckon_part_new_call (call);

      if (requests[i] != NULL)
        beckon_tool_call_set_request (call, G_OBJECT (requests[i]));
      beckon_message_add_part (message, part);
    }
  row = beckon_message_row_new (fixture->inbox, message, NULL);
  ui_show (fixture, row);
  g_assert_cmpuint (ui_count_type (row, BECKON_TYPE_QUESTION_CARD), ==, 0);
  g_assert_cmpuint (ui_count_type (row, BECKON_TYPE_WAITING_MARK), ==, 2);
  g_assert_cmpuint (ui_count_type (row, BECKON_TYPE_TOOL_CARD), ==, 1);
  g_assert_true (gtk_widget_get_visible (get_call (row, 0)));
  g_assert_false (gtk_widget_get_visible (get_call (row, 2)));
  beckon_inbox_note_settled (fixture->inbox, port, BECKON_REQUEST_CANCELLED, NULL, "agent", NULL, UI_NOW);
  g_assert_cmpuint (ui_count_type (get_call (row, 0), BECKON_TYPE_HISTORY_CARD), ==, 1);
  g_assert_true (gtk_widget_get_visible (get_call (row, 2)));
  g_assert_cmpuint (ui_count_type (row, BECKON_TYPE_WAITING_MARK), ==, 1);
  beckon_inbox_note_settled (fixture->inbox, name, BECKON_REQUEST_CANCELLED, NULL, "agent", NULL, UI_NOW);
  g_assert_cmpuint (ui_count_type (row, BECKON_TYPE_WAITING_MARK), ==, 0);
  g_assert_cmpuint (ui_count_type (row, BECKON_TYPE_HISTORY_CARD), ==, 2);
}

/* --- What was answered last time ------------------------------------------------------------------------------------ */

static BeckonRequest *
ask_again (UiFixture *fixture, const char *arguments, const char *last)
{
  BeckonRequest *request = ui_ask (fixture, arguments);
  BeckonQuestionItem *item = g_ptr_array_index (beckon_request_get_question (request)->items, 0);

  item->last = beckon_last_answer_from_json (last);
  g_assert_nonnull (item->last);
  return request;
}

static gboolean
is_checked (GtkWidget *card, const char *choice)
{
  return beckon_choice_get_chosen (BECKON_CHOICE (ui_find_named (card, choice)));
}

#define LAST "{\"selected\":[\"9090\"],\"at\":1}"

/* The last answer is shown, preselected and focused; nothing is answered until the person's own key. */
static void
test_last (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ask_again (fixture, ONE, LAST);
  GtkWidget *card = ui_show_open_card (fixture, request);

  g_assert_nonnull (ui_find_text (card, "Last time: 9090"));
  g_assert_true (is_checked (card, "9090"));
  g_assert_false (is_checked (card, "8080"));
  beckon_request_card_focus (card);
  g_assert_true (gtk_window_get_focus (GTK_WINDOW (fixture->window)) == ui_find_named (card, "9090"));
  beckon_clock_advance (fixture->clock, 5000);
  g_assert_cmpint (beckon_request_get_state (request), ==, BECKON_REQUEST_PENDING);
  g_assert_null (test_ledger_get_draft (fixture->ledger, beckon_request_get_id (request)));
  /* The choice is no answer yet: its number is in sight, and a badge says why it looks chosen. */
  g_assert_nonnull (ui_find_text (ui_find_named (card, "9090"), "2"));
  g_assert_nonnull (ui_find_text (ui_find_named (card, "9090"), "last time"));
  g_assert_null (ui_find_text (ui_find_named (card, "8080"), "last time"));
  gtk_widget_activate (ui_find_named (card, "9090"));
  ui_expect_answer (fixture, request, BECKON_REQUEST_ANSWERED,
                    "{\"kind\":\"question\",\"items\":[{\"selected\":[\"9090\"],\"skipped\":false}]}");
}

/* A click sends what is preselected, Enter in the entry without text does not. */
static void
test_last_sent (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ask_again (fixture, ONE, LAST);
  GtkWidget *card = ui_show_open_card (fixture, request);

  ui_press_enter_in_entry (card);
  g_assert_cmpint (beckon_request_get_state (request), ==, BECKON_REQUEST_PENDING);
  ui_click (card, "Send answer");
  ui_expect_answer (fixture, request, BECKON_REQUEST_ANSWERED,
                    "{\"kind\":\"question\",\"items\":[{\"selected\":[\"9090\"],\"skipped\":false}]}");
}

/* Words of the person's own are no note to what they did not choose. */
static void
test_last_and_words (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ask_again (fixture, ONE, LAST);
  GtkWidget *card = ui_show_open_card (fixture, request);

  ui_type_text (card, "7070");
  g_assert_false (is_checked (card, "9090"));
  ui_click (card, "Send answer");
  ui_expect_answer (fixture, request, BECKON_REQUEST_ANSWERED,
                    "{\"kind\":\"question\",\"items\":[{\"selected\":[],\"text\":\"7070\",\"skipped\":false}]}");
}

/* The same of one among several questions, and where several may be chosen. */
static void
test_last_of_several (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ask_again (fixture, TWO, LAST);
  g_autoptr (BeckonRequest) any = ask_again (fixture,
                                             "{\"questions\":[{\"question\":\"Which?\",\"options\":[\"A\",\"B\",\"C\"],"
                                             "\"multiple\":true}]}",
                                             "{\"selected\":[\"A\",\"C\"],\"at\":1}");
  GtkWidget *card = ui_show_open_card (fixture, request);

  g_assert_true (is_checked (card, "9090"));
  ui_click (card, "Next question");
  ui_type_text (card, "Photos");
  beckon_clock_advance (fixture->clock, BECKON_GUARD_APPEARED_MS);
  ui_activate (card, "card.submit");
  ui_expect_answer (fixture, request, BECKON_REQUEST_ANSWERED,
                    "{\"kind\":\"question\",\"items\":[{\"selected\":[\"9090\"],\"skipped\":false},"
                    "{\"selected\":[],\"text\":\"Photos\",\"skipped\":false}]}");
  card = ui_show_open_card (fixture, any);
  g_assert_true (is_checked (card, "A") && !is_checked (card, "B") && is_checked (card, "C"));
  g_assert_cmpint (beckon_request_get_state (any), ==, BECKON_REQUEST_PENDING);
}

static void
test_last_forgotten (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ask_again (fixture, ONE, LAST);
  GtkWidget *card = ui_show_open_card (fixture, request);

  ui_activate (card, "card.forget-last");
  g_assert_null (ui_find_text (card, "Last time: 9090"));
  g_assert_null (ui_find_text (card, "last time"));
  g_assert_false (is_checked (card, "9090"));
  g_assert_false (ui_is_usable (ui_find_named (card, "Send answer")));
  ui_activate (card, "card.submit");
  g_assert_cmpint (beckon_request_get_state (request), ==, BECKON_REQUEST_PENDING);
}

/* A question that is not waited for says so. */
static void
test_late (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) late = ui_ask (fixture, "{\"question\":\"Which port?\",\"wait\":false}");
  g_autoptr (BeckonRequest) request = ui_ask (fixture, ONE);

  g_assert_nonnull (ui_find_text (ui_show_open_card (fixture, late), "The agent goes on meanwhile, as far as it can."));
  g_assert_null (ui_find_text (ui_show_open_card (fixture, request), "The agent goes on meanwhile"));
}

/* The card, where its run is known, says when that has come to rest, and when it goes on again. */
static void
test_late_rests (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) late = ui_ask (fixture, "{\"question\":\"Which port?\",\"wait\":false}");
  g_autoptr (BeckonConversation) conversation = ui_make_conversation (1);
  GtkWidget *card = ui_show_open_card (fixture, late);

  beckon_conversation_set_phase (conversation, BECKON_RUN_RECEIVING, NULL, 0);
  beckon_question_card_follow (BECKON_QUESTION_CARD (card), conversation);
  g_assert_nonnull (ui_find_text (card, "The agent goes on meanwhile."));
  beckon_conversation_set_phase (conversation, BECKON_RUN_WAITING, NULL, 0);
  g_assert_nonnull (ui_find_text (card, "The agent waits for your answer."));
  g_assert_null (ui_find_text (card, "meanwhile"));
  beckon_conversation_set_phase (conversation, BECKON_RUN_CALLING, NULL, 0);
  g_assert_nonnull (ui_find_text (card, "The agent goes on meanwhile."));
}

/* Calls of one message that only looked are one line, in whatever order they end. */
static void
test_looks (UiFixture *fixture, gconstpointer data)
{
  static const char *const arguments[]
      = { "{\"path\":\"a.txt\"}", "{\"path\":\"b.txt\"}", "{\"path\":\"c.txt\"}", "{\"path\":\"d.txt\"}" };
  g_autoptr (BeckonMessage) message = beckon_message_new (NULL, BECKON_ROLE_ASSISTANT, UI_NOW);
  g_autoptr (GPtrArray) calls = g_ptr_array_new_with_free_func (g_object_unref);
  const char *order = data;
  GtkWidget *row;

  for (guint i = 0; i < G_N_ELEMENTS (arguments); i++)
    {
      BeckonToolCall *call = beckon_tool_call_new (NULL, NULL, "read_file", arguments[i]);
      g_autoptr (BeckonPart) part = beckon_part_new_call (call);

      g_ptr_array_add (calls, call);
      beckon_message_add_part (message, part);
    }
  row = beckon_message_row_new (fixture->inbox, message, NULL);
  ui_show (fixture, row);
  for (guint i = 0; i < calls->len; i++)
    beckon_tool_call_set_state (g_ptr_array_index (calls, order[i] - '0'), BECKON_CALL_DONE);
  ui_settle ();
  g_assert_cmpuint (ui_count_type (row, BECKON_TYPE_LOOK_FOLD), ==, 1);
  g_assert_nonnull (ui_find_text (row, "Looked at 4 files"));
  g_assert_null (ui_find_text (row, "a.txt"));
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (ui_find_named (row, "Looked at 4 files")), TRUE);
  g_assert_nonnull (ui_find_text (row, "a.txt"));
  g_assert_nonnull (ui_find_text (row, "d.txt"));
}

int
main (int argc, char *argv[])
{
  if (!ui_test_init (&argc, &argv))
    return 0;

  ui_test_add ("/life/5-a-draft-comes-back-with-the-card", test_draft);
  ui_test_add ("/ui/card/draft-of-another-question", test_draft_of_another_question);
  ui_test_add ("/ui/card/draft-of-asking-back", test_draft_of_asking_back);
  ui_test_add ("/ui/card/two-of-one-request", test_two_cards);
  ui_test_add ("/life/12-escape-declines-nothing", test_escape);
  ui_test_add ("/ui/card/previews", test_previews);
  ui_test_add ("/ui/card/previews-unfenced", test_previews_unfenced);
  ui_test_add ("/ui/card/preview-place", test_preview_place);
  ui_test_add ("/ui/card/long-texts", test_long_texts);
  ui_test_add ("/ui/card/short-texts", test_short_texts);
  ui_test_add ("/life/2-what-led-to-it", test_origin);
  ui_test_add ("/ui/card/marks", test_marks);
  ui_test_add ("/ui/card/last", test_last);
  ui_test_add ("/ui/card/last/sent", test_last_sent);
  ui_test_add ("/ui/card/last/and-words", test_last_and_words);
  ui_test_add ("/ui/card/last/of-several", test_last_of_several);
  ui_test_add ("/ui/card/last/forgotten", test_last_forgotten);
  ui_test_add ("/ui/card/late", test_late);
  ui_test_add ("/ui/card/late/rests", test_late_rests);
  g_test_add ("/ui/card/looks/first-last", UiFixture, "1203", ui_fixture_set_up, test_looks, ui_fixture_tear_down);
  g_test_add ("/ui/card/looks/two-and-two", UiFixture, "2301", ui_fixture_set_up, test_looks, ui_fixture_tear_down);
  g_test_add ("/ui/card/looks/outer-first", UiFixture, "0132", ui_fixture_set_up, test_looks, ui_fixture_tear_down);
  g_test_add ("/ui/card/looks/backwards", UiFixture, "3210", ui_fixture_set_up, test_looks, ui_fixture_tear_down);
  return g_test_run ();
}
