/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Readers of a reply take code and words out of it, and find the place again. */

#include "beckon-ui-fixture.h"

#include "ui/blocks/beckon-foldings.h"
#include "ui/blocks/beckon-text-blocks.h"
#include "ui/conversation/beckon-conversation-view.h"
#include "ui/transcript/beckon-message-row.h"
#include "ui/transcript/beckon-transcript.h"
#include "ui/widgets/beckon-label-links.h"

#include <glib/gstdio.h>
#include <string.h>

static GtkWidget *
show_reply (UiFixture *fixture, const char *markdown)
{
  g_autoptr (BeckonPart) part = beckon_part_new (BECKON_PART_TEXT, markdown);
  GtkWidget *text = beckon_text_blocks_new ();

  beckon_text_blocks_set_part (BECKON_TEXT_BLOCKS (text), part);
  beckon_text_blocks_finish (BECKON_TEXT_BLOCKS (text));
  ui_show (fixture, text);
  ui_wait_frames (fixture, 1);
  return text;
}

static void
on_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(char **) user_data = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (source), result, NULL);
}

static void
expect_copied (GtkWidget *widget, const char *text)
{
  g_autofree char *copied = NULL;

  gdk_clipboard_read_text_async (gtk_widget_get_clipboard (widget), NULL, on_read, &copied);
  ui_wait_until (copied != NULL);
  g_assert_cmpstr (copied, ==, text);
}

static void
test_code (UiFixture *fixture, gconstpointer data)
{
  GtkWidget *text = show_reply (fixture, "So:\n\n```python\ndef f ():\n    return 1\n```\n");
  g_autofree char *folder = g_dir_make_tmp ("beckon-code-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "f.py", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autofree char *saved = NULL;

  ui_click (text, "Copy code");
  expect_copied (text, "def f ():\n    return 1");
  ui_click (text, "Save code");
  ui_save_as (file);
  ui_wait_until (g_file_get_contents (path, &saved, NULL, NULL) && *saved != '\0');
  g_assert_cmpstr (saved, ==, "def f ():\n    return 1\n");
  g_unlink (path);
  g_rmdir (folder);
}

/* Copied code is what was written; a toast says where some of it can't be seen. */
static void
test_hidden_code (UiFixture *fixture, gconstpointer data)
{
  GtkWidget *text = show_reply (fixture, "```\necho ok \342\200\213\342\201\243\n```\n");

  ui_click (text, "Copy code");
  expect_copied (text, "echo ok \342\200\213\342\201\243");
}

/* Within a block some words are taken as anywhere. */
static void
test_words (UiFixture *fixture, gconstpointer data)
{
  GtkWidget *text = show_reply (fixture, "One **two** three.\n\n- four five\n\n| six |\n|---|\n| seven |\n\n```\neight nine\n```\n");
  static const struct
  {
    const char *text;
    int start, end;
    const char *copied;
  } cases[] = { { "One two three.", 4, 7, "two" }, { "four five", 5, 9, "five" }, { "seven", 0, 5, "seven" } };
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (ui_find_type (text, GTK_TYPE_TEXT_VIEW)));
  GtkTextIter start, end;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      GtkWidget *label = ui_find_text (text, cases[i].text);

      g_assert_true (gtk_label_get_selectable (GTK_LABEL (label)));
      gtk_label_select_region (GTK_LABEL (label), cases[i].start, cases[i].end);
      g_assert_true (gtk_widget_activate_action (label, "clipboard.copy", NULL));
      expect_copied (label, cases[i].copied);
    }
  gtk_text_buffer_get_iter_at_offset (buffer, &start, 6);
  gtk_text_buffer_get_iter_at_offset (buffer, &end, 10);
  gtk_text_buffer_select_range (buffer, &start, &end);
  g_assert_true (gtk_widget_activate_action (ui_find_type (text, GTK_TYPE_TEXT_VIEW), "clipboard.copy", NULL));
  expect_copied (text, "nine");
}

/* Signs that aren't text can still be read. */
static void
test_signs (UiFixture *fixture, gconstpointer data)
{
  GtkWidget *text = show_reply (fixture, "- [x] booked\n- [ ] packed\n\nSo $\\alpha \\le x^2$ holds.\n\n$$\\sum_{i} a_i$$\n\n> # Said\n");

  g_assert_nonnull (ui_find_named (text, "Done"));
  g_assert_nonnull (ui_find_named (text, "To do"));
  g_assert_nonnull (ui_find_text (text, "So α ≤ x² holds."));
  g_assert_nonnull (ui_find_text (text, "∑"));
  g_assert_nonnull (ui_find_text (text, "Said"));
}

static void
expect_thought (BeckonPart *part, GtkWidget *reasoning, gint64 duration, const char *words)
{
  beckon_part_set_duration (part, duration);
  g_assert_nonnull (ui_find_named (reasoning, words));
}

static void
test_reasoning (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonPart) part = beckon_part_new (BECKON_PART_REASONING, "Perhaps.");
  GtkWidget *reasoning = beckon_reasoning_new (part);

  ui_show (fixture, reasoning);
  g_assert_nonnull (ui_find_named (reasoning, "Reasoning"));
  g_assert_null (ui_find_text (reasoning, "Perhaps."));
  expect_thought (part, reasoning, G_USEC_PER_SEC / 4, "Thought for a moment");
  expect_thought (part, reasoning, 12 * G_USEC_PER_SEC, "Thought for 12 s");
  expect_thought (part, reasoning, 125 * G_USEC_PER_SEC, "Thought for 2 min 5 s");
}

/* Sources */

static void
add_opaque (BeckonMessage *message, const char *json)
{
  g_autofree char *quoted = g_strdelimit (g_strdup (json), "'", '"');
  g_autoptr (BeckonPart) part = beckon_part_new (BECKON_PART_OPAQUE, quoted);

  beckon_part_set_origin (part, "anthropic");
  beckon_message_add_part (message, part);
}

/* The address of the link at a word of a label. */
static const char *
find_link (GtkLabel *label, const char *word)
{
  const char *text = gtk_label_get_text (label);
  PangoRectangle place;
  int x, y;

  g_assert_nonnull (strstr (text, word));
  gtk_label_get_layout_offsets (label, &x, &y);
  pango_layout_index_to_pos (gtk_label_get_layout (label), (int) (strstr (text, word) - text), &place);
  return beckon_label_links_find (label, x + PANGO_PIXELS (place.x) + 1, y + PANGO_PIXELS (place.y) + 1);
}

/* A provider's searches are one quiet line, and the sources of its words are folded below them. */
static void
test_sources (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonConversation) conversation = beckon_conversation_new ("one", UI_NOW);
  g_autoptr (BeckonMessage) message = beckon_message_new (NULL, BECKON_ROLE_ASSISTANT, UI_NOW);
  g_autoptr (BeckonPart) text = beckon_part_new (BECKON_PART_TEXT, "Cats are old.");
  GtkWidget *transcript = g_object_new (BECKON_TYPE_TRANSCRIPT, NULL);
  GtkWidget *label;

  add_opaque (message, "{'type':'server_tool_use','name':'web_search','input':{'query':'<b>cats</b>'}}");
  add_opaque (message, "{'type':'web_search_tool_result','content':[]}");
  beckon_message_add_part (message, text);
  add_opaque (message, "{'type':'beckon_citations','cited':[{'citations':[{'url':'https://a.example/?a=1&b=2','title':'A <i>'},"
                       "{'url':'javascript:alert(1)','title':'Evil'},{'url':'https://b.example','title':''}]}]}");
  beckon_conversation_add_message (conversation, message);
  beckon_transcript_set_conversation (BECKON_TRANSCRIPT (transcript), fixture->inbox, conversation);
  ui_show (fixture, transcript);
  ui_wait_frames (fixture, 1);
  g_assert_nonnull (ui_find_text (transcript, "Searched the web for “<b>cats</b>”"));
  g_assert_null (ui_find_text (transcript, "1. A <i>  a.example"));
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (ui_find_named (transcript, "2 sources")), TRUE);
  label = ui_find_text (transcript, "1. A <i>  a.example");
  g_assert_nonnull (label);
  g_assert_cmpuint (beckon_label_links_count (GTK_LABEL (label)), ==, 1);
  ui_wait_frames (fixture, 2);
  g_assert_cmpstr (find_link (GTK_LABEL (label), "A <i>"), ==, "https://a.example/?a=1&b=2");
  g_assert_null (find_link (GTK_LABEL (label), "a.example"));
  g_assert_nonnull (ui_find_text (transcript, "2. b.example"));
}

/* The place */

static GtkAdjustment *
get_adjustment (GtkWidget *view)
{
  GtkWidget *transcript = ui_find_type (view, BECKON_TYPE_TRANSCRIPT);

  return gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (ui_find_type (transcript, GTK_TYPE_SCROLLED_WINDOW)));
}

static double
get_top (GtkWidget *row, GtkWidget *view)
{
  graphene_rect_t bounds;

  g_assert_true (gtk_widget_compute_bounds (row, view, &bounds));
  return bounds.origin.y;
}

static void
wait_at_rest (UiFixture *fixture, GtkAdjustment *adjustment)
{
  double upper = 0, value = 0;

  for (guint still = 0; still < 4;)
    {
      ui_wait_frames (fixture, 1);
      still = upper == gtk_adjustment_get_upper (adjustment) && value == gtk_adjustment_get_value (adjustment) ? still + 1 : 0;
      upper = gtk_adjustment_get_upper (adjustment);
      value = gtk_adjustment_get_value (adjustment);
    }
}

/* The message that stands at the top of what is seen. */
static GtkWidget *
find_first_row (GtkWidget *widget, GtkWidget *view)
{
  GtkWidget *found = NULL;

  if (BECKON_IS_MESSAGE_ROW (widget))
    return gtk_widget_get_mapped (widget) && get_top (widget, view) >= 0 ? widget : NULL;
  for (GtkWidget *at = gtk_widget_get_first_child (widget); at != NULL && found == NULL; at = gtk_widget_get_next_sibling (at))
    found = find_first_row (at, view);
  return found;
}

static void
expect_place (UiFixture *fixture, GtkWidget *view, GtkWidget *row, double top)
{
  wait_at_rest (fixture, get_adjustment (view));
  g_test_message ("%.0f was %.0f", get_top (row, view), top);
  g_assert_cmpfloat_with_epsilon (get_top (row, view), top, 40);
}

/* A person reading in the middle still reads there when the window or text changes its size. */
static void
test_place (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonConversation) conversation = ui_make_conversation (60);
  GtkWidget *view = beckon_conversation_view_new (fixture->inbox);
  GtkSettings *settings = gtk_settings_get_default ();
  GtkAdjustment *adjustment;
  GtkWidget *row;
  double top;
  int dpi;

  beckon_conversation_view_set_conversation (BECKON_CONVERSATION_VIEW (view), conversation);
  gtk_window_set_default_size (GTK_WINDOW (fixture->window), 900, 600);
  ui_show (fixture, view);
  adjustment = get_adjustment (view);
  wait_at_rest (fixture, adjustment);
  gtk_adjustment_set_value (adjustment, gtk_adjustment_get_value (adjustment) - 900);
  wait_at_rest (fixture, adjustment);
  row = find_first_row (view, view);
  g_assert_nonnull (row);
  top = get_top (row, view);

  for (guint i = 0; i < 3; i++)
    {
      static const int widths[] = { 400, 700, 900 };

      gtk_window_set_default_size (GTK_WINDOW (fixture->window), widths[i], 600);
      ui_wait_until (ABS (gtk_widget_get_width (fixture->window) - widths[i]) <= 20);
      expect_place (fixture, view, row, top);
    }
  g_object_get (settings, "gtk-xft-dpi", &dpi, NULL);
  for (guint i = 0; i < 2; i++)
    {
      static const double scales[] = { 1.6, 1 };

      g_object_set (settings, "gtk-xft-dpi", (int) (dpi * scales[i]), NULL);
      expect_place (fixture, view, row, top);
    }
}

int
main (int argc, char *argv[])
{
  if (!ui_test_init (&argc, &argv))
    return 0;

  ui_test_add ("/ui/reply/code", test_code);
  ui_test_add ("/ui/reply/hidden-code", test_hidden_code);
  ui_test_add ("/ui/reply/words", test_words);
  ui_test_add ("/ui/reply/signs", test_signs);
  ui_test_add ("/ui/reply/reasoning", test_reasoning);
  ui_test_add ("/ui/reply/sources", test_sources);
  ui_test_add ("/ui/reply/place", test_place);
  return g_test_run ();
}
