/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The list of conversations: its groups, what its rows say, and what stays when it changes. */

#include "beckon-ui-fixture.h"

#include "ui/sidebar/beckon-conversation-list.h"
#include "ui/sidebar/beckon-sidebar-row.h"
#include "ui/sidebar/beckon-sidebar.h"

#include <string.h>

/* The fixture's clock stands on a Friday. */
#define HOUR G_TIME_SPAN_HOUR
#define DAY G_TIME_SPAN_DAY

static GListStore *
make_store (void)
{
  return g_list_store_new (BECKON_TYPE_CONVERSATION);
}

static BeckonConversation *
add (GListStore *store, const char *title, gint64 age)
{
  g_autoptr (BeckonConversation) conversation = beckon_conversation_new (title, UI_NOW - age);

  beckon_conversation_set_title (conversation, title);
  beckon_conversation_set_updated_at (conversation, UI_NOW - age);
  g_list_store_append (store, conversation);
  return conversation;
}

/* The library's signal when a row's mark changes. */
static void
touch (GListStore *store, BeckonConversation *conversation)
{
  guint position;

  g_assert_true (g_list_store_find (store, conversation, &position));
  g_list_model_items_changed (G_LIST_MODEL (store), position, 1, 1);
}

static void
on_chosen (GPtrArray *chosen, BeckonConversation *conversation)
{
  g_ptr_array_add (chosen, conversation);
}

static GtkWidget *
show_sidebar (UiFixture *fixture, GListStore *store, GPtrArray *chosen)
{
  GtkWidget *sidebar = g_object_new (BECKON_TYPE_SIDEBAR, NULL);

  beckon_sidebar_set_models (BECKON_SIDEBAR (sidebar), G_LIST_MODEL (store), G_LIST_MODEL (fixture->inbox), fixture->clock);
  if (chosen != NULL)
    g_signal_connect_swapped (sidebar, "conversation-activated", G_CALLBACK (on_chosen), chosen);
  ui_show (fixture, sidebar);
  return sidebar;
}

static void
collect_texts (GtkWidget *widget, GString *texts)
{
  if (!gtk_widget_get_visible (widget) || !gtk_widget_get_child_visible (widget))
    return;
  if (GTK_IS_LABEL (widget) && gtk_widget_has_css_class (widget, "group-heading"))
    g_string_append_printf (texts, "[%s]", gtk_label_get_text (GTK_LABEL (widget)));
  else if (GTK_IS_LABEL (widget))
    g_string_append_printf (texts, " %s ", gtk_label_get_text (GTK_LABEL (widget)));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    collect_texts (child, texts);
}

#define assert_shows(sidebar, expected)                                                      \
  G_STMT_START                                                                               \
  {                                                                                          \
    g_autoptr (GString) texts_ = g_string_new (NULL);                                        \
    collect_texts (ui_find_named (sidebar, "Conversations"), texts_);                        \
    g_assert_cmpstr (texts_->str, ==, expected);                                             \
  }                                                                                          \
  G_STMT_END

static void
test_groups (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (GListStore) store = make_store ();
  BeckonConversation *kept;
  GtkWidget *sidebar;

  add (store, "a", 0);
  add (store, "b", HOUR);
  add (store, "c", DAY);
  kept = add (store, "d", 3 * DAY);
  add (store, "e", 9 * DAY);
  add (store, "f", 40 * DAY);
  add (store, "g", 400 * DAY);
  sidebar = show_sidebar (fixture, store, NULL);
  assert_shows (sidebar, "[Today] a  b [Yesterday] c [This Week] d [This Month] e [October] f [October 2025] g ");

  beckon_conversation_set_pinned (kept, TRUE);
  touch (store, kept);
  ui_wait_frames (fixture, 1);
  assert_shows (sidebar, "[Pinned] d [Today] a  b [Yesterday] c [This Month] e [October] f [October 2025] g ");
}

static void
test_midnight (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (GListStore) store = make_store ();
  GtkWidget *sidebar;

  add (store, "a", 0);
  add (store, "b", DAY);
  sidebar = show_sidebar (fixture, store, NULL);
  assert_shows (sidebar, "[Today] a [Yesterday] b ");
  beckon_clock_advance (fixture->clock, 12 * 3600 * 1000);
  assert_shows (sidebar, "[Today] a [Yesterday] b ");
  beckon_clock_advance (fixture->clock, 2 * 3600 * 1000);
  assert_shows (sidebar, "[Yesterday] a [This Week] b ");

  /* Written to at one in the morning, the first one stays where it is, in another group. */
  {
    g_autoptr (BeckonConversation) first = g_list_model_get_item (G_LIST_MODEL (store), 0);

    beckon_conversation_set_updated_at (first, beckon_clock_get_real_time (fixture->clock));
  }
  assert_shows (sidebar, "[Today] a [This Week] b ");
}

static void
test_archived (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (GListStore) store = make_store ();
  BeckonConversation *old;
  GtkWidget *sidebar;

  add (store, "a", 0);
  old = add (store, "b", DAY);
  beckon_conversation_set_pinned (old, TRUE);
  sidebar = show_sidebar (fixture, store, NULL);
  g_assert_null (ui_find_named (sidebar, "Archived conversations"));
  beckon_conversation_set_archived (old, TRUE);
  touch (store, old);
  ui_wait_frames (fixture, 1);
  assert_shows (sidebar, "[Today] a ");
  ui_click (sidebar, "Archived conversations");
  ui_wait_frames (fixture, 1);
  assert_shows (sidebar, "[Yesterday] b ");
  g_assert_null (ui_find_named (sidebar, "Archived conversations"));

  /* The last one that leaves takes the view with it. */
  beckon_conversation_set_archived (old, FALSE);
  touch (store, old);
  ui_wait_frames (fixture, 1);
  assert_shows (sidebar, "[Pinned] b [Today] a ");
  g_assert_null (ui_find_named (sidebar, "Back to all conversations"));
}

static void
test_states (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (GListStore) store = make_store ();
  GtkWidget *sidebar;

  beckon_conversation_set_waiting (add (store, "a", 0), 1);
  beckon_conversation_set_phase (add (store, "b", 1), BECKON_RUN_RECEIVING, NULL, 0);
  beckon_conversation_set_phase (add (store, "c", 2), BECKON_RUN_FAILED, "No route", 0);
  beckon_conversation_set_phase (add (store, "d", 3), BECKON_RUN_CUT_OFF, NULL, 0);
  beckon_conversation_set_unread (add (store, "e", 4), TRUE);
  beckon_conversation_set_temporary (add (store, "f", 5), TRUE);
  add (store, "", 6);
  add (store, "one\nline", 7);
  sidebar = show_sidebar (fixture, store, NULL);
  g_assert_nonnull (ui_find_named (sidebar, "a, waiting for you"));
  g_assert_nonnull (ui_find_named (sidebar, "b, working"));
  g_assert_nonnull (ui_find_named (sidebar, "c, failed"));
  g_assert_nonnull (ui_find_named (sidebar, "d, interrupted"));
  g_assert_nonnull (ui_find_named (sidebar, "e, unread"));
  g_assert_nonnull (ui_find_named (sidebar, "f, temporary"));
  g_assert_nonnull (ui_find_named (sidebar, "New conversation"));

  {
    g_autoptr (BeckonConversation) busy = g_list_model_get_item (G_LIST_MODEL (store), 1);

    beckon_conversation_set_phase (busy, BECKON_RUN_COMPLETE, NULL, 0);
    beckon_conversation_set_unread (busy, FALSE);
  }
  g_assert_nonnull (ui_find_named (sidebar, "b"));

  {
    g_autoptr (BeckonConversation) read = g_list_model_get_item (G_LIST_MODEL (store), 4);
    GtkWidget *title = ui_find_text (ui_find_named (sidebar, "e, unread"), "e");

    g_assert_nonnull (gtk_label_get_attributes (GTK_LABEL (title)));
    beckon_conversation_set_unread (read, FALSE);
    g_assert_null (gtk_label_get_attributes (GTK_LABEL (title)));
  }
}

static BeckonConversation *
get_selected (GtkWidget *sidebar)
{
  GtkListView *list = GTK_LIST_VIEW (ui_find_named (sidebar, "Conversations"));

  return gtk_single_selection_get_selected_item (GTK_SINGLE_SELECTION (gtk_list_view_get_model (list)));
}

/* Only a person chooses: a row that moves takes its mark along. */
static void
test_selection (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (GListStore) store = make_store ();
  g_autoptr (GPtrArray) chosen = g_ptr_array_new ();
  BeckonConversation *shown;
  GtkWidget *sidebar;

  add (store, "a", 0);
  add (store, "b", HOUR);
  shown = add (store, "c", DAY);
  sidebar = show_sidebar (fixture, store, chosen);
  beckon_sidebar_set_current (BECKON_SIDEBAR (sidebar), shown);
  beckon_conversation_set_pinned (shown, TRUE);
  touch (store, shown);
  g_assert_true (get_selected (sidebar) == shown);
  beckon_conversation_set_pinned (shown, FALSE);
  touch (store, shown);
  beckon_clock_advance (fixture->clock, 24 * 3600 * 1000);
  g_assert_true (get_selected (sidebar) == shown);
  g_assert_cmpuint (chosen->len, ==, 0);
  gtk_widget_activate_action (ui_find_named (sidebar, "Conversations"), "list.select-item", "(ubb)", 0, FALSE, FALSE);
  g_assert_cmpuint (chosen->len, ==, 1);
}

/* Ten thousand of them have as few rows as are seen, wherever one of them moves. */
static void
test_many (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (GListStore) store = make_store ();
  GtkWidget *sidebar;

  for (guint i = 0; i < 10000; i++)
    {
      g_autofree char *title = g_strdup_printf ("Conversation %u", i);

      add (store, title, i * HOUR);
    }
  sidebar = show_sidebar (fixture, store, NULL);
  g_assert_cmpuint (ui_count_type (sidebar, BECKON_TYPE_SIDEBAR_ROW), <, 400);
  for (guint i = 0; i < 20; i++)
    {
      g_autoptr (BeckonConversation) last = g_list_model_get_item (G_LIST_MODEL (store), 9999);

      g_list_store_remove (store, 9999);
      beckon_conversation_set_updated_at (last, UI_NOW);
      g_list_store_insert (store, 0, last);
    }
  ui_wait_frames (fixture, 2);
  g_assert_nonnull (ui_find_named (sidebar, "Conversation 9980"));
  g_assert_cmpuint (ui_count_type (sidebar, BECKON_TYPE_SIDEBAR_ROW), <, 400);
}

static BeckonConversation *
add_in (GListStore *store, const char *title, const char *folder, gint64 age)
{
  BeckonConversation *conversation = add (store, title, age);

  beckon_conversation_set_folder (conversation, folder);
  return conversation;
}

/* Conversations of a folder stand together, below its name; the folder that was worked in last is the first. */
static void
test_folders (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (GListStore) store = make_store ();
  GtkWidget *sidebar = show_sidebar (fixture, store, NULL);
  BeckonConversation *moved;

  add_in (store, "one", "/srv/house", HOUR);
  add_in (store, "two", "/srv/release", 2 * HOUR);
  moved = add_in (store, "three", NULL, 3 * HOUR);
  add_in (store, "four", "/srv/house", 40 * DAY);
  beckon_conversation_set_pinned (add_in (store, "five", "/srv/release", 50 * DAY), TRUE);
  ui_wait_frames (fixture, 2);
  g_assert_null (ui_find_text (sidebar, "/srv/house"));
  beckon_sidebar_set_by_folder (BECKON_SIDEBAR (sidebar), TRUE);
  ui_wait_frames (fixture, 2);
  assert_shows (sidebar, "[Pinned] five [/srv/house] one  four [/srv/release] two [No Folder] three ");
  beckon_conversation_set_folder (moved, "/srv/release");
  ui_wait_frames (fixture, 2);
  assert_shows (sidebar, "[Pinned] five [/srv/house] one  four [/srv/release] two  three ");
  beckon_sidebar_set_by_folder (BECKON_SIDEBAR (sidebar), FALSE);
  ui_wait_frames (fixture, 2);
  g_assert_nonnull (ui_find_text (sidebar, "Today"));
  g_assert_null (ui_find_text (sidebar, "/srv/house"));
}

int
main (int argc, char *argv[])
{
  if (!ui_test_init (&argc, &argv))
    return 0;

  ui_test_add ("/ui/sidebar/groups", test_groups);
  ui_test_add ("/ui/sidebar/folders", test_folders);
  ui_test_add ("/ui/sidebar/midnight", test_midnight);
  ui_test_add ("/ui/sidebar/archived", test_archived);
  ui_test_add ("/ui/sidebar/states", test_states);
  ui_test_add ("/ui/sidebar/selection", test_selection);
  ui_test_add ("/ui/sidebar/many", test_many);
  return g_test_run ();
}
