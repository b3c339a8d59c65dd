/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A message's space on the screen: how wide, how high, and at once. */

#include "beckon-ui-fixture.h"

#include "ui/blocks/beckon-block-view.h"
#include "ui/blocks/beckon-code-block.h"
#include "ui/transcript/beckon-message-row.h"
#include "ui/transcript/beckon-transcript.h"

#define NARROWEST 200

static void
add_message (BeckonConversation *conversation, BeckonRole role, const char *text)
{
  g_autoptr (BeckonMessage) message = beckon_message_new (NULL, role, UI_NOW);
  g_autoptr (BeckonPart) part = beckon_part_new (BECKON_PART_TEXT, text);

  beckon_message_add_part (message, part);
  beckon_conversation_add_message (conversation, message);
}

static GtkWidget *
show_message (UiFixture *fixture, BeckonRole role, const char *text)
{
  g_autoptr (BeckonConversation) conversation = beckon_conversation_new ("one", UI_NOW);
  GtkWidget *transcript = g_object_new (BECKON_TYPE_TRANSCRIPT, NULL);

  add_message (conversation, role, text);
  beckon_transcript_set_conversation (BECKON_TRANSCRIPT (transcript), fixture->inbox, conversation);
  ui_show (fixture, transcript);
  ui_wait_frames (fixture, 1);
  return ui_find_type (transcript, BECKON_TYPE_MESSAGE_ROW);
}

static graphene_rect_t
get_bounds (GtkWidget *widget, GtkWidget *in)
{
  graphene_rect_t bounds;

  g_assert_true (gtk_widget_compute_bounds (widget, in, &bounds));
  return bounds;
}

static void
test_short_bubble (UiFixture *fixture, gconstpointer data)
{
  GtkWidget *row = show_message (fixture, BECKON_ROLE_USER, "ill");
  graphene_rect_t bounds = get_bounds (ui_find_type (row, BECKON_TYPE_BLOCK_VIEW), row);

  g_assert_cmpfloat_with_epsilon (bounds.origin.x + bounds.size.width, gtk_widget_get_width (row), 1);
  g_assert_cmpfloat (bounds.size.width, <, 80);
}

static void
test_short_bubble_rtl (UiFixture *fixture, gconstpointer data)
{
  GtkWidget *row;
  graphene_rect_t bounds;

  gtk_widget_set_default_direction (GTK_TEXT_DIR_RTL);
  row = show_message (fixture, BECKON_ROLE_USER, "ill");
  bounds = get_bounds (ui_find_type (row, BECKON_TYPE_BLOCK_VIEW), row);
  gtk_widget_set_default_direction (GTK_TEXT_DIR_LTR);

  g_assert_cmpfloat_with_epsilon (bounds.origin.x, 0, 1);
  g_assert_cmpfloat (bounds.size.width, <, 80);
}

/* A message too long for a line has all of it but its margin, and is as high as it needs. */
static void
test_long_bubble (UiFixture *fixture, gconstpointer data)
{
  g_autofree char *text = g_strnfill (600, 'm');
  GtkWidget *row = show_message (fixture, BECKON_ROLE_USER, text);
  GtkWidget *bubble = ui_find_type (row, BECKON_TYPE_BLOCK_VIEW);
  GtkWidget *label = ui_find_type (bubble, GTK_TYPE_LABEL);
  graphene_rect_t bounds = get_bounds (bubble, row);
  int height;

  g_assert_cmpfloat_with_epsilon (bounds.origin.x, 36, 1);
  g_assert_cmpfloat_with_epsilon (bounds.origin.x + bounds.size.width, gtk_widget_get_width (row), 1);
  pango_layout_get_pixel_size (gtk_label_get_layout (GTK_LABEL (label)), NULL, &height);
  g_assert_cmpint (height, >, 50);
  g_assert_cmpint (gtk_widget_get_height (label), ==, height);
}

/* However long a word is, it does not keep a window from being made narrow. */
static void
test_narrow (UiFixture *fixture, gconstpointer data)
{
  g_autofree char *word = g_strnfill (600, 'W');
  g_autofree char *text = g_strdup_printf ("%s\n\n# %s\n\n            - %s\n\n> %s\n", word, word, word, word);
  const BeckonRole roles[] = { BECKON_ROLE_USER, BECKON_ROLE_ASSISTANT };

  for (guint i = 0; i < G_N_ELEMENTS (roles); i++)
    {
      GtkWidget *row = show_message (fixture, roles[i], text);
      int minimum;

      gtk_widget_measure (row, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL, NULL);
      g_assert_cmpint (minimum, <=, NARROWEST);
    }
}

/* A hyphen that nobody wrote would be read as part of an address or a path. */
static void
test_no_hyphens (UiFixture *fixture, gconstpointer data)
{
  GtkWidget *row = show_message (fixture, BECKON_ROLE_ASSISTANT, "See https://example.org/a/path, or:\n\n- `~/a/path`");
  GtkWidget *label = ui_find_text (row, "See");
  PangoAttrIterator *at = pango_attr_list_get_iterator (pango_layout_get_attributes (gtk_label_get_layout (GTK_LABEL (label))));
  PangoAttribute *hyphens = pango_attr_iterator_get (at, PANGO_ATTR_INSERT_HYPHENS);

  g_assert_nonnull (hyphens);
  g_assert_false (((PangoAttrInt *) hyphens)->value);
  pango_attr_iterator_destroy (at);
  g_assert_nonnull (ui_find_named (row, "List"));
}

static int
get_lines_height (GtkTextView *view)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (view);
  GtkTextIter end;
  int y, height;

  gtk_text_buffer_get_end_iter (buffer, &end);
  gtk_text_view_get_line_yrange (view, &end, &y, &height);
  return y + height + gtk_text_view_get_top_margin (view) + gtk_text_view_get_bottom_margin (view);
}

/* Height beckon-code-block.c measures lines in. */
#define UNLIMITED (1 << 20)

/* A text view that is measured before its lines are guesses how high they are: not in the first picture. */
static void
test_code_is_whole_at_once (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonConversation) conversation = beckon_conversation_new ("one", UI_NOW);
  GtkWidget *transcript = g_object_new (BECKON_TYPE_TRANSCRIPT, NULL);
  GString *code = g_string_new ("Look:\n\n```c\n");

  for (guint i = 0; i < 40; i++)
    g_string_append_printf (code, "int x%u = %u; /* %s */\n", i, i, i % 7 == 0 ? "测试一下这一行" : "and so on and on and on");
  g_string_append (code, "```\n\nThat is it.");
  add_message (conversation, BECKON_ROLE_ASSISTANT, code->str);
  g_string_free (code, TRUE);

  ui_show (fixture, transcript);
  ui_wait_frames (fixture, 2);
  for (guint i = 0; i < 3; i++)
    {
      GtkTextView *view;

      beckon_transcript_set_conversation (BECKON_TRANSCRIPT (transcript), fixture->inbox, conversation);
      ui_wait_frames (fixture, 1);
      view = GTK_TEXT_VIEW (ui_find_type (ui_find_type (transcript, BECKON_TYPE_CODE_BLOCK), GTK_TYPE_TEXT_VIEW));
      /* The view is laid out unlimited for a moment, which makes the lines, and that may be between two frames here. */
      ui_wait_until (gtk_widget_get_height (GTK_WIDGET (view)) != UNLIMITED);
      g_assert_cmpint (gtk_widget_get_height (GTK_WIDGET (view)), ==, get_lines_height (view));
      beckon_transcript_set_conversation (BECKON_TRANSCRIPT (transcript), fixture->inbox, NULL);
    }
}

/* A row is made of a message alone, with a mark for what waits in it. */
static void
test_row (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonConversation) conversation = ui_make_conversation (1);
  g_autoptr (BeckonRequest) request = ui_ask (fixture, "{\"question\":\"Which port?\"}");
  GtkWidget *column = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  ui_add_call (conversation, request, "ask_user");
  for (guint i = 0; i < beckon_conversation_get_n_messages (conversation); i++)
    gtk_box_append (GTK_BOX (column),
                    beckon_message_row_new (fixture->inbox, beckon_conversation_get_message (conversation, i), NULL));
  ui_show (fixture, column);
  g_assert_cmpuint (ui_count_type (column, BECKON_TYPE_MESSAGE_ROW), ==, 3);
  g_assert_nonnull (ui_find_text (gtk_widget_get_first_child (column), "Question 0"));
  g_assert_nonnull (ui_find_named (column, "Waiting for you below"));
}

int
main (int argc, char *argv[])
{
  if (!ui_test_init (&argc, &argv))
    return 0;

  ui_test_add ("/ui/message/row", test_row);
  ui_test_add ("/ui/message/short-bubble", test_short_bubble);
  ui_test_add ("/ui/message/short-bubble-rtl", test_short_bubble_rtl);
  ui_test_add ("/ui/message/long-bubble", test_long_bubble);
  ui_test_add ("/ui/message/narrow", test_narrow);
  ui_test_add ("/ui/message/no-hyphens", test_no_hyphens);
  ui_test_add ("/ui/message/code-is-whole-at-once", test_code_is_whole_at_once);
  return g_test_run ();
}
