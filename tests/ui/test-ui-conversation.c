/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A conversation on screen: which messages have rows, when the end is followed, what waits, and what the composer does. */

#include "beckon-ui-fixture.h"

#include "request/beckon-approval-request.h"
#include "ui/cards/beckon-history-card.h"
#include "ui/cards/beckon-question-card.h"
#include "ui/composer/beckon-composer.h"
#include "ui/conversation/beckon-conversation-view.h"
#include "ui/transcript/beckon-message-row.h"
#include "ui/transcript/beckon-state-line.h"
#include "ui/transcript/beckon-transcript.h"

#include <string.h>

typedef struct
{
  GString *sent;
  GString *draft;
  guint continued;
  guint stopped;
} Heard;

static Heard heard;

static void
on_send (BeckonConversationView *view, BeckonConversation *conversation, const char *text)
{
  g_string_printf (heard.sent, "%s%s", conversation == beckon_conversation_view_get_conversation (view) ? "" : "elsewhere: ",
                   text);
}

static void
on_draft (BeckonConversationView *view, const char *text)
{
  g_string_assign (heard.draft, text);
}

static void
on_continue (BeckonConversationView *view)
{
  heard.continued++;
}

static void
on_stop (BeckonConversationView *view)
{
  heard.stopped++;
}

/* Until all rows that are wanted near the screen have been made, a frame's worth at a time. */
static double
wait_at_rest (UiFixture *fixture, GtkAdjustment *adjustment)
{
  double upper = -1;

  for (guint still = 0; still < 10; still++)
    {
      ui_wait_frames (fixture, 1);
      still = gtk_adjustment_get_upper (adjustment) == upper ? still : 0;
      upper = gtk_adjustment_get_upper (adjustment);
    }
  return gtk_adjustment_get_value (adjustment);
}

static BeckonConversationView *
show_view (UiFixture *fixture, BeckonConversation *conversation)
{
  GtkWidget *view = beckon_conversation_view_new (fixture->inbox);

  heard = (Heard){ g_string_new (NULL), g_string_new (NULL), 0, 0 };
  g_signal_connect (view, "send", G_CALLBACK (on_send), NULL);
  g_signal_connect (view, "draft", G_CALLBACK (on_draft), NULL);
  g_signal_connect (view, "continue", G_CALLBACK (on_continue), NULL);
  g_signal_connect (view, "stop", G_CALLBACK (on_stop), NULL);
  beckon_conversation_view_set_conversation (BECKON_CONVERSATION_VIEW (view), conversation);
  ui_show (fixture, view);
  /* As in the window. */
  beckon_conversation_view_focus_composer (BECKON_CONVERSATION_VIEW (view));
  return BECKON_CONVERSATION_VIEW (view);
}

static void
forget_heard (void)
{
  g_string_free (heard.sent, TRUE);
  g_string_free (heard.draft, TRUE);
}

static BeckonTranscript *
get_transcript (BeckonConversationView *view)
{
  return BECKON_TRANSCRIPT (ui_find_type (GTK_WIDGET (view), BECKON_TYPE_TRANSCRIPT));
}

static GtkAdjustment *
get_adjustment (BeckonConversationView *view)
{
  GtkWidget *scroller = ui_find_type (GTK_WIDGET (get_transcript (view)), GTK_TYPE_SCROLLED_WINDOW);

  return gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scroller));
}

static gboolean
is_at_end (GtkAdjustment *adjustment)
{
  return gtk_adjustment_get_value (adjustment) >=
         gtk_adjustment_get_upper (adjustment) - gtk_adjustment_get_page_size (adjustment) - 1;
}

static void
add_reply (BeckonConversation *conversation, const char *text)
{
  g_autoptr (BeckonMessage) message = beckon_message_new (NULL, BECKON_ROLE_ASSISTANT, UI_NOW);
  g_autoptr (BeckonPart) part = beckon_part_new (BECKON_PART_TEXT, text);

  beckon_message_add_part (message, part);
  beckon_conversation_add_message (conversation, message);
}

static void
type_text (BeckonConversationView *view, const char *text)
{
  GtkWidget *text_view = ui_find_named (GTK_WIDGET (view), "Message");

  gtk_text_buffer_set_text (gtk_text_view_get_buffer (GTK_TEXT_VIEW (text_view)), text, -1);
}

/* The adjustment must say what is on screen: the last row ends where the view ends. */
static gboolean
is_last_row_shown (BeckonConversationView *view)
{
  GtkWidget *scroller = ui_find_type (GTK_WIDGET (get_transcript (view)), GTK_TYPE_SCROLLED_WINDOW);
  GtkWidget *row = gtk_widget_get_last_child (beckon_transcript_get_rows (get_transcript (view)));
  graphene_rect_t bounds;

  g_assert_true (gtk_widget_compute_bounds (row, scroller, &bounds));
  return bounds.origin.y + bounds.size.height <= (float) gtk_widget_get_height (scroller);
}

static void
test_follows (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonConversation) conversation = ui_make_conversation (20);
  BeckonConversationView *view = show_view (fixture, conversation);
  GtkAdjustment *adjustment = get_adjustment (view);
  double value;

  g_assert_true (is_at_end (adjustment));
  add_reply (conversation, "One more\n\nOf several lines\n\nand more");
  ui_wait_frames (fixture, 1);
  g_assert_true (is_at_end (adjustment));
  g_assert_true (is_last_row_shown (view));
  g_assert_true (beckon_transcript_get_at_end (get_transcript (view)));

  gtk_adjustment_set_value (adjustment, gtk_adjustment_get_value (adjustment) - 300);
  value = wait_at_rest (fixture, adjustment);
  g_assert_false (beckon_transcript_get_at_end (get_transcript (view)));
  add_reply (conversation, "Not followed");
  ui_wait_frames (fixture, 3);
  g_assert_cmpfloat (gtk_adjustment_get_value (adjustment), ==, value);
  g_assert_false (is_last_row_shown (view));
  g_assert_cmpuint (beckon_transcript_get_n_new (get_transcript (view)), ==, 1);

  /* Made anew, it is the same news. */
  beckon_conversation_drop_message (
    conversation, beckon_conversation_get_message (conversation, beckon_conversation_get_n_messages (conversation) - 1));
  add_reply (conversation, "Nor the next try");
  ui_wait_frames (fixture, 3);
  g_assert_cmpfloat (gtk_adjustment_get_value (adjustment), ==, value);
  g_assert_cmpuint (beckon_transcript_get_n_new (get_transcript (view)), ==, 1);
  g_assert_null (ui_find_text (GTK_WIDGET (view), "Not followed"));
  g_assert_nonnull (ui_find_text (GTK_WIDGET (view), "Nor the next try"));

  ui_click (GTK_WIDGET (view), "Jump to the end");
  ui_wait_frames (fixture, 3);
  g_assert_true (is_at_end (adjustment));
  g_assert_cmpuint (beckon_transcript_get_n_new (get_transcript (view)), ==, 0);
  add_reply (conversation, "Followed again");
  ui_wait_frames (fixture, 1);
  g_assert_true (is_at_end (adjustment));
  g_assert_true (is_last_row_shown (view));
  forget_heard ();
}

static void
assert_last_row_is_drawn (GdkFrameClock *clock, BeckonConversationView *view)
{
  g_assert_true (is_at_end (get_adjustment (view)));
  g_assert_true (is_last_row_shown (view));
}

/* No frame is drawn in which the end is not seen. */
static void
test_drawn_at_end (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonConversation) conversation = ui_make_conversation (20);
  BeckonConversationView *view = show_view (fixture, conversation);
  GdkFrameClock *clock = gtk_widget_get_frame_clock (fixture->window);
  gulong handler = g_signal_connect (clock, "paint", G_CALLBACK (assert_last_row_is_drawn), view);

  for (guint i = 0; i < 20; i++)
    {
      add_reply (conversation, "One more\n\nOf several lines\n\nand more");
      ui_wait_frames (fixture, 1);
    }
  g_signal_handler_disconnect (clock, handler);
  forget_heard ();
}

static void
test_focus_is_seen (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonConversation) conversation = ui_make_conversation (10);
  BeckonConversationView *view = show_view (fixture, conversation);
  GtkAdjustment *adjustment = get_adjustment (view);
  GtkWidget *rows = beckon_transcript_get_rows (get_transcript (view));

  g_assert_cmpfloat (gtk_adjustment_get_value (adjustment), >, 30);
  gtk_widget_grab_focus (gtk_widget_get_first_child (rows));
  ui_wait_frames (fixture, 1);
  g_assert_cmpfloat (gtk_adjustment_get_value (adjustment), <, 30);
  beckon_transcript_focus_last (get_transcript (view));
  ui_wait_frames (fixture, 1);
  g_assert_true (is_last_row_shown (view));
  forget_heard ();
}

static void
test_streams (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonConversation) conversation = ui_make_conversation (5);
  BeckonConversationView *view = show_view (fixture, conversation);
  g_autoptr (BeckonMessage) message = beckon_message_new (NULL, BECKON_ROLE_ASSISTANT, UI_NOW);
  g_autoptr (BeckonPart) part = beckon_part_new (BECKON_PART_TEXT, "");

  beckon_message_set_status (message, BECKON_MESSAGE_STREAMING);
  beckon_conversation_add_message (conversation, message);
  beckon_message_add_part (message, part);
  for (guint i = 0; i < 100; i++)
    {
      beckon_part_append (part, "some words\n\n", 12);
      if (i % 20 == 0)
        ui_wait_frames (fixture, 2);
    }
  beckon_message_set_status (message, BECKON_MESSAGE_CUT_OFF);
  ui_wait_frames (fixture, 3);
  g_assert_true (is_at_end (get_adjustment (view)));
  g_assert_nonnull (ui_find_text (GTK_WIDGET (view), "cut off here"));
  forget_heard ();
}

static char *
get_top_text (BeckonConversationView *view)
{
  GtkWidget *row = ui_find_type (GTK_WIDGET (view), BECKON_TYPE_MESSAGE_ROW);

  return beckon_message_dup_text (beckon_message_row_get_message (BECKON_MESSAGE_ROW (row)));
}

static gboolean
has_first_row (BeckonConversationView *view, BeckonConversation *conversation)
{
  GtkWidget *row = ui_find_type (GTK_WIDGET (view), BECKON_TYPE_MESSAGE_ROW);

  return beckon_message_row_get_message (BECKON_MESSAGE_ROW (row)) == beckon_conversation_get_message (conversation, 0);
}

/* Ten thousand messages: a window of rows, which moves up to the first and down to the last again. */
static void
test_window (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonConversation) conversation = ui_make_conversation (300);
  BeckonConversationView *view = show_view (fixture, conversation);
  BeckonTranscript *transcript = get_transcript (view);
  GtkAdjustment *adjustment = get_adjustment (view);
  g_autofree char *top = NULL;

  g_assert_cmpuint (beckon_transcript_get_n_rows (transcript), <, 100);
  for (guint i = 0; i < 400 && !has_first_row (view, conversation); i++)
    {
      gtk_adjustment_set_value (adjustment, 0);
      ui_wait_frames (fixture, 2);
      g_assert_cmpuint (beckon_transcript_get_n_rows (transcript), <=, BECKON_TRANSCRIPT_MOST);
    }
  top = get_top_text (view);
  g_assert_cmpstr (top, ==, "Question 0");
  for (guint i = 0; i < 400 && !beckon_transcript_get_at_end (transcript); i++)
    {
      gtk_adjustment_set_value (adjustment, gtk_adjustment_get_upper (adjustment));
      ui_wait_frames (fixture, 2);
      g_assert_cmpuint (beckon_transcript_get_n_rows (transcript), <=, BECKON_TRANSCRIPT_MOST);
    }
  g_assert_true (beckon_transcript_get_at_end (transcript));
  g_assert_nonnull (ui_find_text (GTK_WIDGET (view), "Reply 299"));
  forget_heard ();
}

static float
get_position (GtkWidget *widget, BeckonConversationView *view)
{
  graphene_rect_t bounds;

  g_assert_true (gtk_widget_compute_bounds (widget, GTK_WIDGET (view), &bounds));
  return bounds.origin.y;
}

/* The row being read stays put while earlier messages come in above it. */
static void
test_place_is_kept (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonConversation) conversation = ui_make_conversation (100);
  BeckonConversationView *view = show_view (fixture, conversation);
  BeckonTranscript *transcript = get_transcript (view);
  GtkAdjustment *adjustment = get_adjustment (view);
  GtkWidget *row;
  float position;
  guint n;

  ui_wait_frames (fixture, 3);
  n = beckon_transcript_get_n_rows (transcript);
  row = ui_find_type (GTK_WIDGET (view), BECKON_TYPE_MESSAGE_ROW);
  position = get_position (row, view) + (float) gtk_adjustment_get_value (adjustment) - 100;
  gtk_adjustment_set_value (adjustment, 100);
  ui_wait_until (beckon_transcript_get_n_rows (transcript) > n);
  ui_wait_until (gtk_adjustment_get_value (adjustment) > 300);
  ui_wait_frames (fixture, 1);
  g_assert_cmpfloat_with_epsilon (get_position (row, view), position, 1);
  forget_heard ();
}

static void
settle_as_asked_back (UiFixture *fixture, BeckonRequest *request, const char *text)
{
  g_autoptr (BeckonAnswer) answer = beckon_answer_new (BECKON_ANSWER_ASKED_BACK, text);

  beckon_inbox_settle_async (fixture->inbox, beckon_request_get_id (request), answer, "window", NULL, NULL, NULL, NULL);
  ui_wait_until (beckon_request_get_state (request) == BECKON_REQUEST_ASKED_BACK);
}

static void
settle_with_choice (UiFixture *fixture, BeckonRequest *request)
{
  g_autoptr (BeckonAnswer) answer = beckon_answer_new_question (1);

  beckon_answer_set_item_text (answer, 0, "9090");
  beckon_inbox_settle_async (fixture->inbox, beckon_request_get_id (request), answer, "window", NULL, NULL, NULL, NULL);
  ui_wait_until (beckon_request_get_state (request) == BECKON_REQUEST_ANSWERED);
}

/* human.md, ask_user: the new request supersedes the old one. */
static void
test_asked_again (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonConversation) conversation = ui_make_conversation (2);
  g_autoptr (BeckonRequest) first = ui_ask (fixture, "{\"question\":\"Which port?\"}");
  g_autoptr (BeckonRequest) again = NULL;
  g_autoptr (BeckonRequest) third = NULL;
  BeckonConversationView *view = show_view (fixture, conversation);
  GtkWidget *old, *card;

  ui_add_call (conversation, first, "ask_user");
  ui_wait_frames (fixture, 2);
  settle_as_asked_back (fixture, first, "Is 8080 free?");
  old = ui_find_type (GTK_WIDGET (view), BECKON_TYPE_HISTORY_CARD);
  g_assert_nonnull (ui_find_text (old, "Which port?"));
  g_assert_null (ui_find_text (old, "You asked back: “Is 8080 free?”"));

  add_reply (conversation, "It is not.");
  again = ui_ask (fixture, "{\"question\":\"Which of the free ones?\"}");
  ui_add_call (conversation, again, "ask_user");
  ui_wait_frames (fixture, 2);
  card = ui_find_type (GTK_WIDGET (view), BECKON_TYPE_QUESTION_CARD);
  g_assert_nonnull (ui_find_text (card, "Asked again, after you asked back: “Is 8080 free?”"));
  g_assert_nonnull (ui_find_text (old, "You asked back: “Is 8080 free?” · Which port?"));
  g_assert_null (ui_find_type (old, GTK_TYPE_IMAGE));
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (ui_find_type (old, GTK_TYPE_TOGGLE_BUTTON)), TRUE);
  ui_wait_frames (fixture, 2);
  g_assert_nonnull (ui_find_type (old, GTK_TYPE_IMAGE));

  /* Read again from the beginning it looks the same. */
  beckon_conversation_view_set_conversation (view, NULL);
  beckon_conversation_view_set_conversation (view, conversation);
  ui_wait_frames (fixture, 2);
  g_assert_nonnull (ui_find_text (GTK_WIDGET (view), "You asked back: “Is 8080 free?” · Which port?"));
  g_assert_nonnull (ui_find_text (GTK_WIDGET (view), "Asked again"));

  /* A question after one that was answered is another one. */
  settle_with_choice (fixture, again);
  third = ui_ask (fixture, "{\"question\":\"Which name?\"}");
  ui_add_call (conversation, third, "ask_user");
  ui_wait_frames (fixture, 2);
  g_assert_null (ui_find_text (ui_find_type (GTK_WIDGET (view), BECKON_TYPE_QUESTION_CARD), "Asked again"));
  forget_heard ();
}

typedef struct
{
  BeckonConversation *conversation;
  GPtrArray *before; /* what is not in the conversation yet */
  guint n_asked;
} Earlier;

static gboolean
bring_earlier (gpointer user_data)
{
  Earlier *earlier = user_data;
  guint n = MIN (earlier->before->len, 30);
  g_autoptr (GPtrArray) messages = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = earlier->before->len - n; i < earlier->before->len; i++)
    g_ptr_array_add (messages, g_object_ref (g_ptr_array_index (earlier->before, i)));
  g_ptr_array_set_size (earlier->before, (int) (earlier->before->len - n));
  beckon_conversation_set_has_earlier (earlier->conversation, earlier->before->len > 0);
  beckon_conversation_prepend_messages (earlier->conversation, messages);
  return G_SOURCE_REMOVE;
}

/* As a store does, later. */
static void
on_earlier_wanted (BeckonConversationView *view, BeckonConversation *conversation, Earlier *earlier)
{
  g_assert_true (conversation == earlier->conversation);
  earlier->n_asked++;
  g_idle_add (bring_earlier, earlier);
}

/* A long conversation shows only its end at first. Going up, all of it comes, in order, and what is read stays in its place;
 * letting go of it again leaves the end as it is. */
static void
test_earlier (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonConversation) conversation = ui_make_conversation (150);
  g_autoptr (GPtrArray) before = g_ptr_array_new_with_free_func (g_object_unref);
  Earlier earlier = { conversation, before, 0 };
  BeckonConversationView *view;
  BeckonTranscript *transcript;
  GtkAdjustment *adjustment;
  g_autofree char *top = NULL;
  double value;

  for (guint i = 0; i < 240; i++)
    g_ptr_array_add (before, g_object_ref (beckon_conversation_get_message (conversation, i)));
  beckon_conversation_forget_earlier (conversation, 60);
  g_assert_cmpuint (beckon_conversation_get_n_messages (conversation), ==, 60);
  g_assert_true (beckon_conversation_get_has_earlier (conversation));

  view = show_view (fixture, conversation);
  transcript = get_transcript (view);
  adjustment = get_adjustment (view);
  g_signal_connect (view, "earlier-wanted", G_CALLBACK (on_earlier_wanted), &earlier);
  /* Earlier messages were asked for on showing. */
  bring_earlier (&earlier);
  ui_wait_frames (fixture, 3);
  for (guint i = 0; i < 60; i++)
    {
      GtkWidget *row = ui_find_type (GTK_WIDGET (view), BECKON_TYPE_MESSAGE_ROW);
      float position;

      value = gtk_adjustment_get_value (adjustment);
      position = get_position (row, view) + (float) (value - MAX (value - 400, 10));
      gtk_adjustment_set_value (adjustment, MAX (value - 400, 10));
      ui_wait_frames (fixture, 4);
      /* Rows may have been taken away at the far end, but not this one. */
      g_assert_cmpfloat_with_epsilon (get_position (row, view), position, 1);
      g_assert_cmpuint (beckon_transcript_get_n_rows (transcript), <=, BECKON_TRANSCRIPT_MOST);
    }
  g_assert_cmpuint (before->len, ==, 0);
  g_assert_cmpuint (earlier.n_asked, ==, 7);
  for (guint i = 0; i < 300; i++)
    g_assert_cmpint (beckon_message_get_seq (beckon_conversation_get_message (conversation, i)), ==, i);
  for (guint i = 0; i < 400 && !has_first_row (view, conversation); i++)
    {
      gtk_adjustment_set_value (adjustment, 0);
      ui_wait_frames (fixture, 2);
    }
  top = get_top_text (view);
  g_assert_cmpstr (top, ==, "Question 0");

  beckon_transcript_jump_to_end (transcript);
  value = wait_at_rest (fixture, adjustment);
  beckon_conversation_forget_earlier (conversation, 200);
  ui_wait_frames (fixture, 3);
  g_assert_cmpfloat (gtk_adjustment_get_value (adjustment), ==, value);
  g_assert_true (is_last_row_shown (view));
  add_reply (conversation, "After all that");
  ui_wait_frames (fixture, 2);
  g_assert_nonnull (ui_find_text (GTK_WIDGET (view), "After all that"));
  g_assert_true (is_last_row_shown (view));
  forget_heard ();
}

static void
wait_for_question (UiFixture *fixture, BeckonConversation *conversation, BeckonRequest *request)
{
  ui_add_call (conversation, request, "ask_user");
  beckon_conversation_set_waiting (conversation, 1);
  beckon_conversation_set_phase (conversation, BECKON_RUN_WAITING, NULL, 0);
  ui_wait_frames (fixture, 3);
}

static void
count_asked (BeckonConversationView *view, BeckonConversation *conversation, guint *n_asked)
{
  ++*n_asked;
}

/* Messages that could not be read are asked for again on the next scroll, not before. */
static void
test_earlier_failed (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonConversation) conversation = ui_make_conversation (100);
  BeckonConversationView *view = show_view (fixture, conversation);
  GtkAdjustment *adjustment = get_adjustment (view);
  guint n_asked = 0;

  beckon_conversation_forget_earlier (conversation, 60);
  g_signal_connect (view, "earlier-wanted", G_CALLBACK (count_asked), &n_asked);
  gtk_adjustment_set_value (adjustment, 0);
  ui_wait_frames (fixture, 6);
  g_assert_cmpuint (n_asked, ==, 1);
  gtk_adjustment_set_value (adjustment, 5);
  /* Rows are made a few in each frame; until all that are near are there it is looked again. */
  ui_wait_frames (fixture, 24);
  g_assert_cmpuint (n_asked, ==, 1);

  beckon_conversation_view_earlier_failed (view);
  ui_wait_frames (fixture, 4);
  g_assert_cmpuint (n_asked, ==, 1);
  gtk_adjustment_set_value (adjustment, 0);
  ui_wait_frames (fixture, 4);
  g_assert_cmpuint (n_asked, ==, 2);

  beckon_conversation_view_earlier_failed (view);
  g_signal_emit_by_name (ui_find_type (GTK_WIDGET (get_transcript (view)), GTK_TYPE_SCROLLED_WINDOW), "edge-overshot",
                         GTK_POS_TOP);
  ui_wait_frames (fixture, 4);
  g_assert_cmpuint (n_asked, ==, 3);
  forget_heard ();
}

static void
test_send (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonConversation) conversation = ui_make_conversation (1);
  g_autoptr (GError) error = g_error_new_literal (G_IO_ERROR, G_IO_ERROR_FAILED, "Not now.");
  BeckonConversationView *view;

  beckon_conversation_set_draft (conversation, "From before");
  view = show_view (fixture, conversation);
  ui_click (GTK_WIDGET (view), "Send message");
  g_assert_cmpstr (heard.sent->str, ==, "From before");
  g_assert_false (ui_is_usable (ui_find_named (GTK_WIDGET (view), "Send message")));
  g_assert_null (beckon_conversation_view_sent (view, conversation, error));
  g_assert_nonnull (ui_find_text (GTK_WIDGET (view), "Not now."));
  g_assert_true (ui_is_usable (ui_find_named (GTK_WIDGET (view), "Send message")));
  type_text (view, "Again");
  g_assert_cmpstr (heard.draft->str, ==, "Again");
  g_assert_null (ui_find_text (GTK_WIDGET (view), "Not now."));
  ui_click (GTK_WIDGET (view), "Send message");
  g_assert_null (beckon_conversation_view_sent (view, conversation, NULL));
  g_assert_cmpstr (heard.draft->str, ==, "");
  g_assert_false (ui_is_usable (ui_find_named (GTK_WIDGET (view), "Send message")));
  forget_heard ();
}

/* A message typed while something waits answers nothing by itself. */
static void
on_edit (BeckonConversationView *view, BeckonConversation *conversation, const char *message_id, const char *text)
{
  g_string_printf (heard.sent, "%s: %s", message_id, text);
}

/* Another one that is chosen while the first is on its way does not get its words. */
static void
test_edit_while_sending (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonConversation) conversation = ui_make_conversation (3);
  g_autoptr (GError) error = g_error_new_literal (G_IO_ERROR, G_IO_ERROR_FAILED, "Not now.");
  BeckonMessage *first = beckon_conversation_get_message (conversation, 0);
  BeckonMessage *other = beckon_conversation_get_message (conversation, 2);
  g_autofree char *text = beckon_message_dup_text (first);
  g_autofree char *expected = g_strdup_printf ("%s: %s", beckon_message_get_id (first), text);
  BeckonConversationView *view = show_view (fixture, conversation);

  g_assert_cmpint (beckon_message_get_role (first), ==, BECKON_ROLE_USER);
  g_assert_cmpint (beckon_message_get_role (other), ==, BECKON_ROLE_USER);
  g_signal_connect (view, "edit", G_CALLBACK (on_edit), NULL);
  gtk_widget_activate_action (GTK_WIDGET (get_transcript (view)), "transcript.edit", "s", beckon_message_get_id (first));
  ui_click (GTK_WIDGET (view), "Send the edited message");
  g_assert_cmpstr (heard.sent->str, ==, expected);
  gtk_widget_activate_action (GTK_WIDGET (get_transcript (view)), "transcript.edit", "s", beckon_message_get_id (other));
  g_assert_null (beckon_conversation_view_sent (view, conversation, error));
  g_string_truncate (heard.sent, 0);
  ui_click (GTK_WIDGET (view), "Send the edited message");
  g_assert_cmpstr (heard.sent->str, ==, expected);
  forget_heard ();
}

static void
test_switching (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonConversation) one = ui_make_conversation (3);
  g_autoptr (BeckonConversation) other = beckon_conversation_new ("other", UI_NOW);
  g_autoptr (BeckonRequest) request = ui_ask (fixture, "{\"question\":\"Which port?\",\"choices\":[\"8080\"]}");
  BeckonConversationView *view = show_view (fixture, one);
  GtkWidget *entry;

  wait_for_question (fixture, one, request);
  gtk_editable_set_text (GTK_EDITABLE (ui_find_type (GTK_WIDGET (view), GTK_TYPE_ENTRY)), "half a thought");
  beckon_conversation_set_draft (other, "draft of the other");
  beckon_conversation_view_set_conversation (view, other);
  g_assert_null (ui_find_type (GTK_WIDGET (view), BECKON_TYPE_QUESTION_CARD));
  ui_click (GTK_WIDGET (view), "Send message");
  g_assert_cmpstr (heard.sent->str, ==, "draft of the other");
  beckon_conversation_view_set_conversation (view, one);
  entry = ui_find_type (GTK_WIDGET (view), GTK_TYPE_ENTRY);
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (entry)), ==, "half a thought");
  beckon_conversation_view_set_conversation (view, NULL);
  g_assert_null (ui_find_type (GTK_WIDGET (view), BECKON_TYPE_MESSAGE_ROW));
  forget_heard ();
}

/* An empty conversation says what this is for; the first message takes its place. */
static void
test_beginning (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonConversation) conversation = ui_make_conversation (0);
  g_autoptr (BeckonConversation) other = ui_make_conversation (1);
  g_autoptr (BeckonMessage) message = beckon_message_new (NULL, BECKON_ROLE_USER, UI_NOW);
  BeckonConversationView *view = show_view (fixture, conversation);

  g_assert_nonnull (ui_find_text (GTK_WIDGET (view), "What can I help you with?"));
  beckon_conversation_view_set_conversation (view, other);
  g_assert_null (ui_find_text (GTK_WIDGET (view), "What can I help you with?"));
  beckon_conversation_view_set_conversation (view, conversation);
  beckon_conversation_add_message (conversation, message);
  g_assert_null (ui_find_text (GTK_WIDGET (view), "What can I help you with?"));
}

/* The messages can be gone through, read out and copied with the keyboard. */
static void
test_reading (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonConversation) conversation = ui_make_conversation (2);
  BeckonConversationView *view = show_view (fixture, conversation);
  GtkWidget *transcript = GTK_WIDGET (get_transcript (view));
  GtkWidget *message = ui_find_named (GTK_WIDGET (view), "Message");
  GtkWindow *window = GTK_WINDOW (fixture->window);
  GtkWidget *row;

  beckon_conversation_view_focus_composer (view);
  g_assert_true (ui_press (message, GDK_KEY_Up, GDK_CONTROL_MASK));
  row = gtk_window_get_focus (window);
  g_assert_true (BECKON_IS_MESSAGE_ROW (row));
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, "Agent");
  g_assert_true (ui_press (transcript, GDK_KEY_Up, 0));
  row = gtk_window_get_focus (window);
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, "You");
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, "Question 1");
  g_assert_true (ui_press (transcript, GDK_KEY_c, GDK_CONTROL_MASK));
  g_assert_true (gdk_clipboard_is_local (gtk_widget_get_clipboard (row)));
  g_assert_true (ui_press (transcript, GDK_KEY_Down, 0));
  g_assert_true (ui_press (transcript, GDK_KEY_Down, 0));
  g_assert_true (gtk_window_get_focus (window) == message);
  type_text (view, "written");
  ui_press (message, GDK_KEY_Up, GDK_CONTROL_MASK);
  g_assert_true (gtk_window_get_focus (window) == message);
  g_assert_false (ui_press (transcript, GDK_KEY_Up, 0));
  forget_heard ();
}

static void
add_server_call (BeckonConversation *conversation)
{
  g_autoptr (BeckonRequest) request = beckon_approval_request_new (NULL, beckon_conversation_get_id (conversation), "message",
                                                                   "call", "weather__book_table", "{}", NULL, UI_NOW);
  BeckonApprovalDetails *details = beckon_approval_details_new ();

  details->server = g_strdup ("The Weather");
  beckon_request_take_details (request, details);
  ui_add_call (conversation, request, "weather__book_table");
}

static void
test_state_line (UiFixture *fixture, gconstpointer data)
{
  static const struct
  {
    BeckonRunPhase phase;
    const char *detail;
    const char *text;
    const char *button;
  } cases[] = {
    { BECKON_RUN_QUEUED, NULL, "Sending…", NULL },
    { BECKON_RUN_REQUESTING, NULL, "Thinking…", NULL },
    { BECKON_RUN_RETRY_WAIT, "The server ended the reply before it was complete.", "complete. · Retrying in 0 seconds", NULL },
    { BECKON_RUN_REQUESTING, "Trying again…", "Trying again…", NULL },
    { BECKON_RUN_RECEIVING, NULL, "Writing…", NULL },
    { BECKON_RUN_CALLING, "list_files", "Listing the files…", NULL },
    { BECKON_RUN_CALLING, "weather__book_table", "Running book_table on weather server…", NULL },
    { BECKON_RUN_STOPPED, NULL, "Stopped", "Continue" },
    { BECKON_RUN_DISMISSED, NULL, "dismissed", "Continue" },
    { BECKON_RUN_FAILED, "The key was refused.", "The key was refused.", "Retry" },
    { BECKON_RUN_CUT_OFF, NULL, "cut off", "Retry" },
    { BECKON_RUN_LENGTH, NULL, "limit for one reply", "Continue" },
    { BECKON_RUN_ROUND_LIMIT, NULL, "limit of model calls", "Continue" },
    { BECKON_RUN_REFUSED, NULL, "refused", "Retry" },
    { BECKON_RUN_FILTERED, NULL, "filter", "Retry" },
    { BECKON_RUN_PAUSED, NULL, "paused", "Continue" },
  };
  g_autofree char *refused = beckon_run_detail_new (BECKON_RUN_CAUSE_KEY, "127.0.0.1 does not accept the key (HTTP 401).");
  g_autoptr (BeckonConversation) conversation = ui_make_conversation (1);
  BeckonConversationView *view = show_view (fixture, conversation);
  GtkWidget *line = ui_find_type (GTK_WIDGET (view), BECKON_TYPE_STATE_LINE);

  g_assert_null (line);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      beckon_conversation_set_phase (conversation, cases[i].phase, cases[i].detail, 0);
      line = ui_find_type (GTK_WIDGET (view), BECKON_TYPE_STATE_LINE);
      g_assert_nonnull (line);
      g_assert_nonnull (ui_find_text (line, cases[i].text));
      /* An error can be read and copied. */
      g_assert_true (gtk_widget_has_css_class (ui_find_text (line, cases[i].text), "dim-label")
                     == (g_strcmp0 (cases[i].button, "Retry") != 0));
      g_assert_true (gtk_label_get_selectable (GTK_LABEL (ui_find_text (line, cases[i].text)))
                     == (g_strcmp0 (cases[i].button, "Retry") == 0));
      if (cases[i].button == NULL)
        g_assert_null (ui_find_type (line, GTK_TYPE_BUTTON));
      else
        g_assert_nonnull (ui_find_named (line, cases[i].button));
    }
  /* A server is called what its person called it, where its call was approved. */
  add_server_call (conversation);
  beckon_conversation_set_phase (conversation, BECKON_RUN_CALLING, "weather__book_table", 0);
  line = ui_find_type (GTK_WIDGET (view), BECKON_TYPE_STATE_LINE);
  g_assert_nonnull (ui_find_text (line, "Running book_table on The Weather server…"));
  /* Another model is offered where the server does not have this one, and only as long as that is how it ended. */
  beckon_conversation_set_phase (conversation, BECKON_RUN_FAILED,
                                 BECKON_RUN_MODEL_GONE "127.0.0.1 doesn't have this model, or no longer has it (HTTP 404): Gone.", 0);
  g_assert_nonnull (ui_find_named (line, "Choose another model"));
  g_assert_nonnull (ui_find_named (line, "Retry"));
  beckon_conversation_set_phase (conversation, BECKON_RUN_REQUESTING, NULL, 0);
  beckon_conversation_set_phase (conversation, BECKON_RUN_FAILED, "The key was refused.", 0);
  g_assert_null (ui_find_named (line, "Choose another model"));
  /* Another key is a click away where this one is refused. */
  g_assert_null (ui_find_named (line, "Change Key…"));
  beckon_conversation_set_phase (conversation, BECKON_RUN_REQUESTING, NULL, 0);
  beckon_conversation_set_phase (conversation, BECKON_RUN_FAILED, refused, 0);
  g_assert_nonnull (ui_find_named (line, "Change Key…"));
  g_assert_nonnull (ui_find_named (line, "Retry"));
  beckon_conversation_set_phase (conversation, BECKON_RUN_PAUSED, NULL, 0);
  g_assert_cmpuint (heard.continued, ==, 0);
  ui_click (line, "Continue");
  g_assert_cmpuint (heard.continued, ==, 1);
  beckon_conversation_set_phase (conversation, BECKON_RUN_COMPLETE, NULL, 0);
  g_assert_null (ui_find_type (GTK_WIDGET (view), BECKON_TYPE_STATE_LINE));
  gtk_widget_activate_action (GTK_WIDGET (view), "conversation.stop", NULL);
  g_assert_cmpuint (heard.stopped, ==, 1);
  forget_heard ();
}

/* As long as it only reasons, nothing is written. */
static void
test_reasoning_state (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonConversation) conversation = ui_make_conversation (1);
  g_autoptr (BeckonMessage) message = beckon_message_new ("reasons", BECKON_ROLE_ASSISTANT, UI_NOW);
  g_autoptr (BeckonPart) reasoning = beckon_part_new (BECKON_PART_REASONING, "Well.");
  g_autoptr (BeckonPart) text = beckon_part_new (BECKON_PART_TEXT, "So.");
  GtkWidget *view = GTK_WIDGET (show_view (fixture, conversation));

  beckon_message_set_status (message, BECKON_MESSAGE_STREAMING);
  beckon_conversation_set_phase (conversation, BECKON_RUN_RECEIVING, NULL, 0);
  beckon_conversation_add_message (conversation, message);
  beckon_message_add_part (message, reasoning);
  g_assert_nonnull (ui_find_text (ui_find_type (view, BECKON_TYPE_STATE_LINE), "Thinking…"));
  beckon_message_add_part (message, text);
  g_assert_nonnull (ui_find_text (ui_find_type (view, BECKON_TYPE_STATE_LINE), "Writing…"));
  beckon_conversation_set_phase (conversation, BECKON_RUN_COMPLETE, NULL, 0);
  forget_heard ();
}

static void
test_retry (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonConversation) conversation = ui_make_conversation (1);
  BeckonConversationView *view = show_view (fixture, conversation);

  beckon_conversation_set_phase (conversation, BECKON_RUN_RETRY_WAIT, "Too many requests",
                                 g_get_real_time () + 30 * G_USEC_PER_SEC);
  g_assert_nonnull (ui_find_text (GTK_WIDGET (view), "Too many requests · Retrying in 30 seconds"));
  beckon_conversation_set_phase (conversation, BECKON_RUN_REQUESTING, NULL, 0);
  g_assert_nonnull (ui_find_text (GTK_WIDGET (view), "Thinking…"));
  forget_heard ();
}

int
main (int argc, char *argv[])
{
  if (!ui_test_init (&argc, &argv))
    return 0;

  ui_test_add ("/ui/conversation/follows-the-end", test_follows);
  ui_test_add ("/ui/conversation/drawn-at-the-end", test_drawn_at_end);
  ui_test_add ("/ui/conversation/focus-is-seen", test_focus_is_seen);
  ui_test_add ("/ui/conversation/streams", test_streams);
  ui_test_add ("/ui/conversation/window-of-rows", test_window);
  ui_test_add ("/ui/conversation/place-is-kept", test_place_is_kept);
  ui_test_add ("/ui/conversation/earlier", test_earlier);
  ui_test_add ("/ui/conversation/earlier-failed", test_earlier_failed);
  ui_test_add ("/ui/conversation/asked-again", test_asked_again);
  ui_test_add ("/ui/conversation/send", test_send);
  ui_test_add ("/ui/conversation/edit-while-sending", test_edit_while_sending);
  ui_test_add ("/ui/conversation/switching", test_switching);
  ui_test_add ("/ui/conversation/beginning", test_beginning);
  ui_test_add ("/ui/conversation/reading", test_reading);
  ui_test_add ("/ui/conversation/state-line", test_state_line);
  ui_test_add ("/ui/conversation/reasoning-state", test_reasoning_state);
  ui_test_add ("/ui/conversation/retry", test_retry);
  return g_test_run ();
}
