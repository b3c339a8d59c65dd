/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Finding in the conversation that is shown: counts, steps, marks, and messages that have no row yet. */

#include "beckon-ui-fixture.h"

#include "ui/blocks/beckon-block-view.h"
#include "ui/blocks/beckon-match-mark.h"
#include "ui/conversation/beckon-conversation-view.h"
#include "ui/transcript/beckon-find-bar.h"
#include "ui/transcript/beckon-message-row.h"
#include "ui/transcript/beckon-transcript.h"

#include <string.h>

static GtkWidget *
show_view (UiFixture *fixture, BeckonConversation *conversation)
{
  GtkWidget *view = beckon_conversation_view_new (fixture->inbox);

  beckon_conversation_view_set_conversation (BECKON_CONVERSATION_VIEW (view), conversation);
  ui_show (fixture, view);
  beckon_conversation_view_focus_composer (BECKON_CONVERSATION_VIEW (view));
  return view;
}

static void
add_reply (BeckonConversation *conversation, const char *text)
{
  g_autoptr (BeckonMessage) message = beckon_message_new (NULL, BECKON_ROLE_ASSISTANT, UI_NOW);
  g_autoptr (BeckonPart) part = beckon_part_new (BECKON_PART_TEXT, text);

  beckon_message_add_part (message, part);
  beckon_conversation_add_message (conversation, message);
}

static GtkWidget *
open_bar (GtkWidget *view, const char *text)
{
  GtkWidget *bar = ui_find_type (view, BECKON_TYPE_FIND_BAR);

  beckon_conversation_view_find (BECKON_CONVERSATION_VIEW (view), 0);
  gtk_editable_set_text (GTK_EDITABLE (ui_find_type (bar, GTK_TYPE_SEARCH_ENTRY)), text);
  return bar;
}

static gboolean
says (GtkWidget *bar, const char *text)
{
  return ui_find_text (bar, text) != NULL;
}

/* Counts the matches drawn in the row that holds @text. */
static guint
count_marks (GtkWidget *view, const char *text)
{
  GtkWidget *label = ui_find_text (view, text);
  PangoAttrList *attributes = label != NULL ? gtk_label_get_attributes (GTK_LABEL (label)) : NULL;
  GSList *all = attributes != NULL ? pango_attr_list_get_attributes (attributes) : NULL;
  guint n = 0;

  for (GSList *at = all; at != NULL; at = at->next)
    n += ((PangoAttribute *) at->data)->klass->type == PANGO_ATTR_BACKGROUND;
  g_slist_free_full (all, (GDestroyNotify) pango_attribute_destroy);
  return n;
}

static void
test_steps (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonConversation) conversation = ui_make_conversation (2);
  GtkWidget *view, *bar;

  add_reply (conversation, "The **nee**dle, and\na needle\n\n```\nneedle in code\n```\n");
  view = show_view (fixture, conversation);
  bar = open_bar (view, "NEEDLE");
  ui_wait_until (says (bar, "1 of 3"));
  g_assert_cmpuint (count_marks (view, "The needle, and"), ==, 2);
  ui_click (bar, "Next match");
  g_assert_true (says (bar, "2 of 3"));
  ui_click (bar, "Next match");
  ui_click (bar, "Next match");
  g_assert_true (says (bar, "1 of 3"));
  ui_click (bar, "Previous match");
  g_assert_true (says (bar, "3 of 3"));

  add_reply (conversation, "One more needle.");
  ui_wait_until (says (bar, "3 of 4"));
  g_assert_cmpuint (count_marks (view, "One more needle."), ==, 1);

  gtk_editable_set_text (GTK_EDITABLE (ui_find_type (bar, GTK_TYPE_SEARCH_ENTRY)), "zebra");
  ui_wait_until (says (bar, "No matches"));
  g_assert_false (ui_is_usable (ui_find_named (bar, "Next match")));
  g_assert_cmpuint (count_marks (view, "One more needle."), ==, 0);
}

static gboolean
is_on_screen (GtkWidget *view, const char *text)
{
  GtkWidget *label = ui_find_text (view, text);
  GtkWidget *transcript = ui_find_type (view, BECKON_TYPE_TRANSCRIPT);
  graphene_rect_t bounds;

  return label != NULL && gtk_widget_compute_bounds (label, transcript, &bounds) && bounds.origin.y >= 0 &&
         bounds.origin.y + bounds.size.height <= (float) gtk_widget_get_height (transcript);
}

/* Ten thousand messages, of which few have rows: each match is brought on screen, those far above too. */
static void
test_without_rows (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonConversation) conversation = ui_make_conversation (5000);
  GtkWidget *view = show_view (fixture, conversation);
  BeckonTranscript *transcript = BECKON_TRANSCRIPT (ui_find_type (view, BECKON_TYPE_TRANSCRIPT));
  GtkWidget *bar = open_bar (view, "Question 47");

  ui_wait_until (says (bar, "of 111"));
  ui_wait_until (is_on_screen (view, "Question 4799"));
  g_assert_true (says (bar, "111 of 111"));
  ui_click (bar, "Next match");
  g_assert_true (says (bar, "1 of 111"));
  ui_wait_until (is_on_screen (view, "Question 47"));
  ui_click (bar, "Next match");
  ui_wait_until (is_on_screen (view, "Question 470"));
  g_assert_cmpuint (beckon_transcript_get_n_rows (transcript), <=, BECKON_TRANSCRIPT_MOST);
}

/* A message so long that most of it has no widgets. */
static void
test_without_widgets (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonConversation) conversation = ui_make_conversation (1);
  g_autoptr (GString) reply = g_string_new (NULL);
  GtkWidget *view, *bar;

  for (guint i = 0; i < 400; i++)
    g_string_append_printf (reply, "Paragraph %u%s of them.\n\n", i, i == 10 || i == 200 || i == 390 ? ", a **nee**dle," : "");
  add_reply (conversation, reply->str);
  view = show_view (fixture, conversation);
  g_assert_cmpuint (ui_count_type (view, BECKON_TYPE_BLOCK_VIEW), <, 250);
  bar = open_bar (view, "needle");
  ui_wait_until (says (bar, "of 3"));
  for (guint i = 0; i < 6; i++)
    {
      const guint wanted[] = { 10, 200, 390 };
      g_autofree char *text = NULL;

      ui_click (bar, "Next match");
      for (guint which = 0; which < 3; which++)
        if (says (bar, (const char *[]){ "1 of 3", "2 of 3", "3 of 3" }[which]))
          text = g_strdup_printf ("Paragraph %u, a needle,", wanted[which]);
      g_assert_nonnull (text);
      ui_wait_until (is_on_screen (view, text));
      g_assert_cmpuint (count_marks (view, text), ==, 1);
    }
}

/* Escape takes the bar and the marks away, and gives the focus back. */
static void
test_escape (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonConversation) conversation = ui_make_conversation (3);
  GtkWidget *view = show_view (fixture, conversation);
  GtkWidget *before = gtk_window_get_focus (GTK_WINDOW (fixture->window));
  GtkWidget *bar = open_bar (view, "Question 1");

  g_assert_nonnull (before);
  ui_wait_until (says (bar, "1 of 1"));
  g_assert_true (gtk_window_get_focus (GTK_WINDOW (fixture->window)) != before);
  g_signal_emit_by_name (ui_find_type (bar, GTK_TYPE_SEARCH_ENTRY), "stop-search");
  g_assert_true (gtk_window_get_focus (GTK_WINDOW (fixture->window)) == before);
  g_assert_cmpuint (count_marks (view, "Question 1"), ==, 0);
}

int
main (int argc, char *argv[])
{
  if (!ui_test_init (&argc, &argv))
    return 0;

  ui_test_add ("/ui/find/steps", test_steps);
  ui_test_add ("/ui/find/without-rows", test_without_rows);
  ui_test_add ("/ui/find/without-widgets", test_without_widgets);
  ui_test_add ("/ui/find/escape", test_escape);
  return g_test_run ();
}
