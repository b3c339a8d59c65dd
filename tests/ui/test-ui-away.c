/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The line that tells what was done while the person was away: closed at first, and in step with what is undone. */

#include "beckon-ui-fixture.h"

#include "ui/transcript/beckon-away-line.h"
#include "ui/transcript/beckon-transcript.h"

#include <string.h>

#define SEEN_AT (UI_NOW - G_USEC_PER_SEC)

static BeckonToolCall *
add_edit (BeckonConversation *conversation, const char *path, gint64 at)
{
  g_autoptr (BeckonMessage) message = beckon_message_new (NULL, BECKON_ROLE_ASSISTANT, at);
  g_autofree char *arguments = g_strdup_printf ("{\"path\":\"%s\"}", path);
  g_autofree char *result = g_strdup_printf ("“%s” was changed: 1 line removed, 2 added.\n", path);
  BeckonToolCall *call = beckon_tool_call_new (NULL, NULL, "edit_file", arguments);
  g_autoptr (BeckonPart) part = beckon_part_new_call (call);

  beckon_tool_call_set_times (call, at, at);
  beckon_tool_call_set_state (call, BECKON_CALL_DONE);
  beckon_tool_call_set_result (call, result, FALSE);
  beckon_tool_call_set_change (call, BECKON_CALL_CHANGE_KEPT);
  beckon_message_add_part (message, part);
  beckon_conversation_add_message (conversation, message);
  g_object_unref (call);
  return call;
}

static void
on_undo (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  g_autofree char *text = g_variant_print (parameter, FALSE);

  g_string_append_printf (user_data, "%s\n", text);
}

static GtkWidget *
show_line (UiFixture *fixture, BeckonConversation *conversation, GString *heard)
{
  GtkWidget *line = g_object_new (BECKON_TYPE_AWAY_LINE, NULL);
  g_autoptr (GSimpleActionGroup) group = g_simple_action_group_new ();
  g_autoptr (GSimpleAction) action = g_simple_action_new ("undo-calls", G_VARIANT_TYPE_STRING_ARRAY);

  g_signal_connect (action, "activate", G_CALLBACK (on_undo), heard);
  g_action_map_add_action (G_ACTION_MAP (group), G_ACTION (action));
  gtk_widget_insert_action_group (line, "win", G_ACTION_GROUP (group));
  ui_show (fixture, gtk_box_new (GTK_ORIENTATION_VERTICAL, 0));
  gtk_box_append (GTK_BOX (adw_window_get_content (ADW_WINDOW (fixture->window))), line);
  g_assert_false (gtk_widget_get_visible (line));
  beckon_away_line_take_digest (BECKON_AWAY_LINE (line), beckon_away_digest_new (conversation, SEEN_AT));
  ui_settle ();
  return line;
}

static void
test_line (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonConversation) conversation = beckon_conversation_new ("away", UI_NOW);
  BeckonToolCall *first = add_edit (conversation, "a.txt", UI_NOW), *second = add_edit (conversation, "b.txt", UI_NOW);
  g_autoptr (GString) heard = g_string_new (NULL);
  g_autofree char *both = g_strdup_printf ("['%s', '%s']\n", beckon_tool_call_get_id (second), beckon_tool_call_get_id (first));
  g_autofree char *one = g_strdup_printf ("['%s']\n", beckon_tool_call_get_id (first));
  GtkWidget *line = show_line (fixture, conversation, heard);

  g_assert_true (gtk_widget_get_visible (line));
  g_assert_null (ui_find_text (line, "a.txt  +2 −1"));
  ui_click (line, "While you were away: 2 tool calls · 2 files changed");
  g_assert_nonnull (ui_find_text (line, "Edited a.txt"));
  g_assert_nonnull (ui_find_text (line, "a.txt  +2 −1"));

  ui_click (line, "Undo all changes made while you were away");
  g_assert_cmpstr (heard->str, ==, both);
  g_string_truncate (heard, 0);
  ui_click (line, "Undo a.txt");
  g_assert_cmpstr (heard->str, ==, one);

  /* A row of what was undone says so, and with one left there is no need for a button for all. */
  beckon_tool_call_set_change (first, BECKON_CALL_CHANGE_UNDONE);
  ui_settle ();
  g_assert_null (ui_find_button (line, "Undo a.txt"));
  g_assert_nonnull (ui_find_text (line, "undone"));
  g_assert_nonnull (ui_find_button (line, "Undo b.txt"));
  g_assert_null (ui_find_button (line, "Undo all changes made while you were away"));
  beckon_tool_call_set_change (first, BECKON_CALL_CHANGE_KEPT);
  ui_settle ();
  g_assert_nonnull (ui_find_button (line, "Undo a.txt"));

  beckon_away_line_take_digest (BECKON_AWAY_LINE (line), NULL);
  g_assert_false (gtk_widget_get_visible (line));
}

/* A hundred calls are not a hundred lines. */
static void
test_many (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonConversation) conversation = beckon_conversation_new ("away", UI_NOW);
  g_autoptr (GString) heard = g_string_new (NULL);
  GtkWidget *line;

  for (guint i = 0; i < 100; i++)
    {
      g_autofree char *path = g_strdup_printf ("file-%u.txt", i);

      add_edit (conversation, path, UI_NOW + i);
    }
  line = show_line (fixture, conversation, heard);
  ui_click (line, "While you were away: 100 tool calls · 100 files changed");
  g_assert_nonnull (ui_find_text (line, "file-19.txt"));
  g_assert_null (ui_find_text (line, "file-20.txt"));
  g_assert_nonnull (ui_find_text (line, "… and 80 more"));
  ui_click (line, "Undo all changes made while you were away");
  g_assert_nonnull (strstr (heard->str, "', '"));
}

static GtkWidget *
show_transcript (UiFixture *fixture, BeckonConversation *conversation)
{
  GtkWidget *transcript = g_object_new (BECKON_TYPE_TRANSCRIPT, NULL);

  beckon_transcript_set_conversation (BECKON_TRANSCRIPT (transcript), fixture->inbox, conversation);
  ui_show (fixture, transcript);
  ui_wait_frames (fixture, 2);
  beckon_transcript_show_absence (BECKON_TRANSCRIPT (transcript), beckon_away_digest_new (conversation, SEEN_AT));
  ui_wait_frames (fixture, 2);
  g_assert_true (beckon_transcript_get_at_end (BECKON_TRANSCRIPT (transcript)));
  return transcript;
}

static gboolean
is_seen (GtkWidget *transcript, GtkWidget *widget)
{
  GtkWidget *scroller = ui_find_type (transcript, GTK_TYPE_SCROLLED_WINDOW);
  graphene_rect_t bounds;

  g_assert_true (gtk_widget_compute_bounds (widget, scroller, &bounds));
  return bounds.origin.y >= 0 && bounds.origin.y + bounds.size.height <= (float) gtk_widget_get_height (scroller);
}

/* The end is followed as far as the line that was pressed stays in sight. */
static void
test_stays (UiFixture *fixture, gconstpointer data)
{
  for (guint n = 2; n <= 60; n += 58)
    {
      g_autoptr (BeckonConversation) conversation = ui_make_conversation (20);
      g_autofree char *name = g_strdup_printf ("While you were away: %u tool calls · %u files changed", n, n);
      GtkWidget *transcript;

      for (guint i = 0; i < n; i++)
        {
          g_autofree char *path = g_strdup_printf ("file-%u.txt", i);

          add_edit (conversation, path, UI_NOW + i);
        }
      transcript = show_transcript (fixture, conversation);
      ui_click (transcript, name);
      ui_wait_frames (fixture, 2);
      g_assert_true (is_seen (transcript, ui_find_button (transcript, name)));
      g_assert_cmpint (beckon_transcript_get_at_end (BECKON_TRANSCRIPT (transcript)), ==, n == 2);
    }
}

int
main (int argc, char *argv[])
{
  if (!ui_test_init (&argc, &argv))
    return 0;

  ui_test_add ("/ui/away-line/told", test_line);
  ui_test_add ("/ui/away-line/many", test_many);
  ui_test_add ("/ui/away-line/stays-in-sight", test_stays);
  return g_test_run ();
}
