/* SPDX-License-Identifier: GPL-3.0-or-later */

/* "Waiting for you": all that is pending, wherever it is, answerable where it stands. */

#include "beckon-ui-home.h"

#include "request/beckon-question-request.h"
#include "ui/cards/beckon-question-card.h"
#include "ui/waiting/beckon-waiting-page.h"

#define MINUTE (60 * G_USEC_PER_SEC)

static BeckonRequest *
ask (UiHome *home, BeckonConversation *conversation, const char *text, gint64 minutes_ago)
{
  g_autofree char *arguments = g_strdup_printf ("{\"question\":\"%s\",\"choices\":[\"Yes\",\"No\"]}", text);
  g_autoptr (BeckonQuestion) question = beckon_question_parse (arguments, NULL);
  BeckonRequest *request = beckon_question_request_new (NULL, beckon_conversation_get_id (conversation), "message", "call",
                                                        question, g_get_real_time () - minutes_ago * MINUTE);

  beckon_inbox_add (beckon_runtime_get_inbox (home->runtime), request);
  return request;
}

static void
settle (UiHome *home, BeckonRequest *request)
{
  g_autoptr (BeckonAnswer) answer = beckon_answer_new (BECKON_ANSWER_CANCELLED, NULL);

  beckon_inbox_note_settled (beckon_runtime_get_inbox (home->runtime), request, BECKON_REQUEST_CANCELLED, answer, "agent",
                             NULL, g_get_real_time ());
}

static GtkWidget *
show_page (UiHome *home)
{
  ui_home_show_window (home);
  g_assert_true (gtk_widget_activate_action (home->window, "win.go-to-waiting", NULL));
  return ui_find_type (home->window, BECKON_TYPE_WAITING_PAGE);
}

static GtkWidget *
get_entry (GtkWidget *page, guint index)
{
  GtkWidget *entry = ui_find_type (page, BECKON_TYPE_WAITING_ENTRY);

  while (entry != NULL && index-- > 0)
    entry = gtk_widget_get_next_sibling (entry);
  return entry;
}

static void
test_all_oldest_first (UiHome *home, gconstpointer data)
{
  BeckonConversation *photos = ui_home_add (home, "Photo site", UI_NOW, 1, "a", "b");
  BeckonConversation *trip = ui_home_add (home, "Trip notes", UI_NOW + 1, 1, "a", "b");
  g_autoptr (BeckonRequest) young = ask (home, photos, "Young?", 2);
  g_autoptr (BeckonRequest) old = ask (home, trip, "Old?", 26 * 60);
  g_autoptr (BeckonRequest) middle = ask (home, photos, "Middle?", 61);
  GtkWidget *page = show_page (home);

  g_assert_cmpuint (ui_count_type (page, BECKON_TYPE_QUESTION_CARD), ==, 3);
  g_assert_nonnull (ui_find_text (get_entry (page, 0), "Old?"));
  g_assert_nonnull (ui_find_text (get_entry (page, 0), "Trip notes"));
  g_assert_nonnull (ui_find_text (get_entry (page, 0), "1 day ago"));
  g_assert_nonnull (ui_find_text (get_entry (page, 1), "Middle?"));
  g_assert_nonnull (ui_find_text (get_entry (page, 1), "Photo site"));
  g_assert_nonnull (ui_find_text (get_entry (page, 1), "1 hour ago"));
  g_assert_nonnull (ui_find_text (get_entry (page, 2), "Young?"));
  g_assert_nonnull (ui_find_text (get_entry (page, 2), "2 minutes ago"));
  g_assert_nonnull (ui_find_named (home->window, "Waiting for you: 3 questions"));
  g_assert_cmpstr (gtk_window_get_title (GTK_WINDOW (home->window)), ==, "Waiting for You");
}

/* Text half written in one card is untouched when another comes or goes. */
static void
test_comes_and_goes (UiHome *home, gconstpointer data)
{
  BeckonConversation *photos = ui_home_add (home, "Photo site", UI_NOW, 1, "a", "b");
  g_autoptr (BeckonRequest) first = ask (home, photos, "First?", 3);
  g_autoptr (BeckonRequest) second = ask (home, photos, "Second?", 2);
  g_autoptr (BeckonRequest) third = NULL;
  GtkWidget *page = show_page (home);
  GtkWidget *written = ui_find_type (get_entry (page, 1), GTK_TYPE_ENTRY);

  gtk_editable_set_text (GTK_EDITABLE (written), "half a thought");
  gtk_widget_grab_focus (written);
  third = ask (home, photos, "Between?", 2);
  settle (home, first);
  g_assert_cmpuint (ui_count_type (page, BECKON_TYPE_WAITING_ENTRY), ==, 2);
  g_assert_true (ui_find_type (get_entry (page, 0), GTK_TYPE_ENTRY) == written);
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (written)), ==, "half a thought");
  /* The focus goes to where an Enter too many answers nothing. */
  settle (home, second);
  g_assert_true (gtk_window_get_focus (GTK_WINDOW (home->window)) == ui_find_named (page, "Open Photo site"));
  settle (home, third);
  g_assert_nonnull (ui_find_text (page, "Nothing Is Waiting for You"));
  g_assert_null (ui_find_type (page, BECKON_TYPE_WAITING_ENTRY));
}

static void
test_many (UiHome *home, gconstpointer data)
{
  BeckonConversation *photos = ui_home_add (home, "Photo site", UI_NOW, 1, "a", "b");
  g_autoptr (GPtrArray) requests = g_ptr_array_new_with_free_func (g_object_unref);
  GtkWidget *page;

  for (guint i = 0; i < 45; i++)
    g_ptr_array_add (requests, ask (home, photos, "One of many?", i));
  page = show_page (home);
  g_assert_cmpuint (ui_count_type (page, BECKON_TYPE_WAITING_ENTRY), ==, BECKON_WAITING_PAGE_STEP);
  g_assert_nonnull (ui_find_text (page, "Show 25 More"));
  g_signal_emit_by_name (gtk_widget_get_ancestor (ui_find_text (page, "Show 25 More"), GTK_TYPE_BUTTON), "clicked");
  g_assert_cmpuint (ui_count_type (page, BECKON_TYPE_WAITING_ENTRY), ==, 2 * BECKON_WAITING_PAGE_STEP);
  g_assert_nonnull (ui_find_text (page, "Show 5 More"));
}

/* A title leads into the conversation, and the sidebar back out of the list. */
static void
test_to_the_conversation (UiHome *home, gconstpointer data)
{
  BeckonConversation *photos = ui_home_add (home, "Photo site", UI_NOW, 1, "a", "b");
  g_autoptr (BeckonRequest) request = ask (home, photos, "Which?", 3);
  GtkWidget *page = show_page (home);

  ui_click (page, "Open Photo site");
  ui_wait_until (g_strcmp0 (gtk_window_get_title (GTK_WINDOW (home->window)), "Photo site") == 0);
  ui_wait_until (!gtk_widget_get_mapped (page));
  g_assert_true (gtk_widget_activate_action (home->window, "win.go-to-waiting", NULL));
  g_assert_true (gtk_widget_get_mapped (page));
  settle (home, request);
}

int
main (int argc, char *argv[])
{
  if (!ui_test_init (&argc, &argv))
    return 0;

  ui_home_test_add ("/ui/waiting/all-oldest-first", test_all_oldest_first);
  ui_home_test_add ("/ui/waiting/comes-and-goes", test_comes_and_goes);
  ui_home_test_add ("/ui/waiting/many", test_many);
  ui_home_test_add ("/ui/waiting/to-the-conversation", test_to_the_conversation);
  return g_test_run ();
}
