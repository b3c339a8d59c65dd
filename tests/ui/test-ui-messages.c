/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Actions on messages that are there: people copy, select, look at usage, and go through versions by keys. */
#include "beckon-ui-home.h"
#include "ui/blocks/beckon-attached-view.h"
#include "ui/blocks/beckon-block-view.h"
#include "ui/blocks/beckon-code-block.h"
#include "ui/blocks/beckon-picture-block.h"
#include "ui/blocks/beckon-text-blocks.h"
#include "ui/conversation/beckon-conversation-content.h"
#include "ui/conversation/beckon-conversation-details.h"
#include "ui/transcript/beckon-message-row.h"
#include "ui/transcript/beckon-transcript-private.h"
#include "ui/transcript/beckon-transcript.h"

#include <glib/gstdio.h>
#include <string.h>

static const char reply[] = "# Ways\r\n\r\nThe **first** one,\nwith [a link][1].\n\n- one\n- two\n  1. inner *item*\n\n```c\nint x;\n```\n\n"
                            "| A | B |\n|---|---|\n| `x` | y |\n\n[1]: https://example.com/\n";

static BeckonMessage *
add_message (BeckonConversation *conversation, BeckonRole role, const char *text)
{
  g_autoptr (BeckonMessage) message = beckon_message_new (NULL, role, UI_NOW);
  g_autoptr (BeckonPart) part = beckon_part_new (BECKON_PART_TEXT, text);

  beckon_message_add_part (message, part);
  beckon_conversation_add_message (conversation, message);
  return message;
}

static GtkWidget *
show (UiFixture *fixture, BeckonConversation *conversation)
{
  GtkWidget *transcript = g_object_new (BECKON_TYPE_TRANSCRIPT, NULL);

  beckon_transcript_set_conversation (BECKON_TRANSCRIPT (transcript), fixture->inbox, conversation);
  ui_show (fixture, transcript);
  ui_wait_frames (fixture, 1);
  return transcript;
}

static GdkContentProvider *
get_copied (GtkWidget *widget)
{
  GdkClipboard *clipboard = gtk_widget_get_clipboard (widget);

  g_assert_true (gdk_clipboard_is_local (clipboard));
  return gdk_clipboard_get_content (clipboard);
}

static void
expect_plain (GtkWidget *widget, const char *text)
{
  g_auto (GValue) value = G_VALUE_INIT;
  g_autoptr (GError) error = NULL;

  g_value_init (&value, G_TYPE_STRING);
  gdk_content_provider_get_value (get_copied (widget), &value, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (g_value_get_string (&value), ==, text);
}

static void
on_written (GObject *source, GAsyncResult *result, gpointer user_data)
{
  gdk_content_provider_write_mime_type_finish (GDK_CONTENT_PROVIDER (source), result, NULL);
  *(gboolean *) user_data = TRUE;
}

static char *
read_provider (GdkContentProvider *provider, const char *mime_type)
{
  g_autoptr (GOutputStream) stream = g_memory_output_stream_new_resizable ();
  gboolean is_written = FALSE;

  gdk_content_provider_write_mime_type_async (provider, mime_type, stream, G_PRIORITY_DEFAULT, NULL, on_written, &is_written);
  ui_wait_until (is_written);
  g_output_stream_write (stream, "", 1, NULL, NULL);
  g_output_stream_close (stream, NULL, NULL);
  return g_memory_output_stream_steal_data (G_MEMORY_OUTPUT_STREAM (stream));
}

static void
expect_markdown (GtkWidget *widget, const char *markdown)
{
  g_autofree char *text = read_provider (get_copied (widget), "text/markdown");

  g_assert_cmpstr (text, ==, markdown);
}

static void
copy_block (GtkWidget *transcript, GtkWidget *at)
{
  g_assert_true (beckon_pointed_block_is_one (at));
  beckon_transcript_point_at (BECKON_TRANSCRIPT (transcript), at);
  gtk_widget_activate_action (transcript, "transcript.copy-block", NULL);
}

/* A block is what the model wrote, wherever it is pointed at. */
static void
test_copy_block (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonConversation) conversation = beckon_conversation_new ("one", UI_NOW);
  GtkWidget *transcript;

  add_message (conversation, BECKON_ROLE_ASSISTANT, reply);
  transcript = show (fixture, conversation);

  copy_block (transcript, ui_find_text (transcript, "Ways"));
  expect_markdown (transcript, "# Ways");
  expect_plain (transcript, "Ways");
  copy_block (transcript, ui_find_text (transcript, "The first one"));
  expect_markdown (transcript, "The **first** one,\nwith [a link][1].");
  copy_block (transcript, ui_find_text (transcript, "inner item"));
  expect_markdown (transcript, "- one\n- two\n  1. inner *item*");
  expect_plain (transcript, "• one\n• two\n  1. inner item");
  copy_block (transcript, ui_find_type (transcript, BECKON_TYPE_CODE_BLOCK));
  expect_markdown (transcript, "```c\nint x;\n```");
  expect_plain (transcript, "int x;");
  copy_block (transcript, ui_find_text (transcript, "x"));
  expect_markdown (transcript, "| A | B |\n|---|---|\n| `x` | y |");
  expect_plain (transcript, "A\tB\nx\ty");
}

/* A button's menu is where the button is, and leaves the focus there when it closes. */
static void
test_menu_of_button (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonConversation) conversation = beckon_conversation_new ("one", UI_NOW);
  GtkWidget *transcript, *button, *menu;
  graphene_rect_t bounds;
  GdkRectangle target;

  add_message (conversation, BECKON_ROLE_USER, "Which ways?");
  transcript = show (fixture, conversation);
  gtk_widget_grab_focus (ui_find_named (transcript, "You"));
  button = ui_find_named (transcript, "Message Menu");
  ui_wait_frames (fixture, 2);
  gtk_widget_grab_focus (button);
  ui_click (transcript, "Message Menu");
  menu = ui_find_type (transcript, GTK_TYPE_POPOVER_MENU);
  gtk_popover_get_pointing_to (GTK_POPOVER (menu), &target);
  g_assert_true (gtk_widget_compute_bounds (button, transcript, &bounds));
  graphene_rect_inset (&bounds, -1, -1);
  g_assert_true (graphene_rect_contains_point (&bounds, &GRAPHENE_POINT_INIT ((float) target.x, (float) target.y)));
  ui_wait_frames (fixture, 2);
  gtk_popover_popdown (GTK_POPOVER (menu));
  ui_wait_until (ui_find_type (transcript, GTK_TYPE_POPOVER_MENU) == NULL);
  g_assert_true (gtk_window_get_focus (GTK_WINDOW (fixture->window)) == button);
}

/* Widgets around the blocks are none, nor is a person's text. */
static void
test_no_block (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonConversation) conversation = beckon_conversation_new ("one", UI_NOW);
  GtkWidget *transcript;

  add_message (conversation, BECKON_ROLE_USER, "Which *ways*?");
  add_message (conversation, BECKON_ROLE_ASSISTANT, "These.");
  transcript = show (fixture, conversation);

  g_assert_false (beckon_pointed_block_is_one (NULL));
  g_assert_false (beckon_pointed_block_is_one (transcript));
  g_assert_false (beckon_pointed_block_is_one (ui_find_text (transcript, "Which *ways*?")));
  g_assert_false (beckon_pointed_block_is_one (ui_find_type (transcript, BECKON_TYPE_MESSAGE_ROW)));
  g_assert_true (beckon_pointed_block_is_one (ui_find_text (transcript, "These.")));
  beckon_transcript_point_at (BECKON_TRANSCRIPT (transcript), ui_find_text (transcript, "These."));
  beckon_transcript_set_conversation (BECKON_TRANSCRIPT (transcript), fixture->inbox, NULL);
  gtk_widget_activate_action (transcript, "transcript.copy-block", NULL);
}

/* A message as it reads, or as Markdown; several with who said them, or without any marks. */
static void
test_copy_messages (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonConversation) conversation = beckon_conversation_new ("one", UI_NOW);
  BeckonMessage *mine = add_message (conversation, BECKON_ROLE_USER, "Is it *so*?");
  BeckonMessage *its = add_message (conversation, BECKON_ROLE_ASSISTANT, "It is **so**.");
  GtkWidget *transcript = show (fixture, conversation);
  g_auto (GValue) value = G_VALUE_INIT;

  gtk_widget_activate_action (transcript, "transcript.copy", "s", beckon_message_get_id (its));
  expect_plain (transcript, "It is so.");
  expect_markdown (transcript, "It is **so**.");
  gtk_widget_activate_action (transcript, "transcript.copy-markdown", "s", beckon_message_get_id (its));
  expect_plain (transcript, "It is **so**.");
  expect_markdown (transcript, "It is **so**.");

  gtk_widget_activate_action (transcript, "transcript.select", "s", beckon_message_get_id (its));
  gtk_widget_activate_action (transcript, "transcript.select", "s", beckon_message_get_id (mine));
  g_assert_cmpuint (beckon_transcript_get_n_selected (BECKON_TRANSCRIPT (transcript)), ==, 2);
  gtk_widget_activate_action (transcript, "transcript.copy-selected-plain", NULL);
  g_assert_false (beckon_transcript_get_selecting (BECKON_TRANSCRIPT (transcript)));
  expect_plain (transcript, "Is it *so*?\n\nIt is so.");

  gtk_widget_activate_action (transcript, "transcript.select", "s", beckon_message_get_id (its));
  gtk_widget_activate_action (transcript, "transcript.copy-selected", NULL);
  g_value_init (&value, G_TYPE_STRING);
  g_assert_true (gdk_content_provider_get_value (get_copied (transcript), &value, NULL));
  g_assert_nonnull (strstr (g_value_get_string (&value), "## Agent"));
  g_assert_nonnull (strstr (g_value_get_string (&value), "It is **so**."));
  expect_markdown (transcript, g_value_get_string (&value));
}

static void
set_usage (BeckonMessage *message, gint64 input, gint64 cached, gint64 output, gint64 cost, const char *currency)
{
  const BeckonUsage usage = { input, output, cached, cost, currency };

  beckon_message_set_usage (message, &usage);
}

/* Usage is shown only to people who want to see it. */
static void
test_usage (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonConversation) conversation = beckon_conversation_new ("one", UI_NOW);
  GtkWidget *transcript;
  BeckonMessage *message;

  add_message (conversation, BECKON_ROLE_USER, "How much?");
  message = add_message (conversation, BECKON_ROLE_ASSISTANT, "So much.");
  set_usage (message, 820, 300, 56, 3100, "USD");
  beckon_part_set_duration (beckon_message_get_part (message, 0), 2 * G_USEC_PER_SEC + 400000);
  transcript = show (fixture, conversation);
  g_assert_null (ui_find_text (transcript, "tokens"));

  beckon_transcript_set_shows_usage (BECKON_TRANSCRIPT (transcript), TRUE);
  g_assert_nonnull (ui_find_text (transcript, "820 tokens in (300 cached) · 56 out · 0.0031 USD · 2.4 s"));
  message = add_message (conversation, BECKON_ROLE_ASSISTANT, "And more.");
  ui_wait_until (beckon_message_row_find (beckon_transcript_get_rows (BECKON_TRANSCRIPT (transcript)), message) != NULL);
  g_assert_null (ui_find_text (beckon_message_row_find (beckon_transcript_get_rows (BECKON_TRANSCRIPT (transcript)), message),
                               "tokens"));
  beckon_transcript_set_shows_usage (BECKON_TRANSCRIPT (transcript), FALSE);
  g_assert_null (ui_find_text (transcript, "tokens"));
}

/* A message that is nothing but a call has a line below it only for that. */
static void
test_usage_of_call (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonConversation) conversation = beckon_conversation_new ("one", UI_NOW);
  g_autoptr (BeckonRequest) request = ui_ask (fixture, "{\"questions\":[{\"question\":\"Which?\"}]}");
  GtkWidget *transcript;

  ui_add_call (conversation, request, "ask_user");
  set_usage (beckon_conversation_get_message (conversation, 0), 10, -1, 5, -1, NULL);
  transcript = show (fixture, conversation);
  g_assert_null (ui_find_text (transcript, "tokens"));
  beckon_transcript_set_shows_usage (BECKON_TRANSCRIPT (transcript), TRUE);
  g_assert_nonnull (ui_find_text (transcript, "10 tokens in · 5 out"));
  beckon_transcript_set_shows_usage (BECKON_TRANSCRIPT (transcript), FALSE);
  g_assert_null (ui_find_text (transcript, "tokens"));
}

/* The sum of all, each currency by itself, while it grows. */
static void
test_details (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonConversation) conversation = beckon_conversation_new ("one", UI_NOW);
  GtkWidget *details;

  beckon_conversation_set_title (conversation, "A & <b>");
  set_usage (add_message (conversation, BECKON_ROLE_ASSISTANT, "One"), 100, -1, 10, 2000, "USD");
  set_usage (add_message (conversation, BECKON_ROLE_ASSISTANT, "Two"), 150, -1, 20, 3000, "CNY");
  details = beckon_conversation_details_new (conversation);
  ui_present (details);
  g_assert_nonnull (ui_find_text (details, "A & <b>"));
  g_assert_nonnull (ui_find_text (details, "250"));
  g_assert_nonnull (ui_find_text (details, "30"));
  g_assert_nonnull (ui_find_text (details, "0.0020 USD + 0.0030 CNY"));
  g_assert_null (ui_find_text (details, "Cached"));

  set_usage (add_message (conversation, BECKON_ROLE_ASSISTANT, "Three"), 50, 40, 1, -1, NULL);
  beckon_conversation_set_phase (conversation, BECKON_RUN_COMPLETE, NULL, 0);
  g_assert_nonnull (ui_find_text (details, "300"));
  g_assert_nonnull (ui_find_text (details, "Cached"));
  g_assert_nonnull (ui_find_text (details, "40"));
  ui_close (details);
}

static void
on_version (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  const char *id;

  g_variant_get (parameter, "(&su)", &id, (guint *) user_data);
}

/* The arrows go from version to version of the message that has the focus, and not past either end. */
static void
test_version_keys (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonConversation) conversation = beckon_conversation_new ("one", UI_NOW);
  g_autoptr (GSimpleActionGroup) actions = g_simple_action_group_new ();
  g_autoptr (GSimpleAction) action = g_simple_action_new ("message-version", G_VARIANT_TYPE ("(su)"));
  BeckonMessage *message = add_message (conversation, BECKON_ROLE_ASSISTANT, "The second of three.");
  GtkWidget *transcript = show (fixture, conversation);
  guint asked = G_MAXUINT;

  beckon_message_set_version (message, 1, 3);
  g_signal_connect (action, "activate", G_CALLBACK (on_version), &asked);
  g_action_map_add_action (G_ACTION_MAP (actions), G_ACTION (action));
  gtk_widget_insert_action_group (transcript, "win", G_ACTION_GROUP (actions));
  g_assert_nonnull (ui_find_text (transcript, "2 / 3"));
  beckon_transcript_focus_last (BECKON_TRANSCRIPT (transcript));
  g_assert_true (ui_press (transcript, GDK_KEY_Left, 0));
  g_assert_cmpuint (asked, ==, 0);
  g_assert_true (ui_press (transcript, GDK_KEY_Right, 0));
  g_assert_cmpuint (asked, ==, 2);
  beckon_message_set_version (message, 2, 3);
  asked = G_MAXUINT;
  ui_press (transcript, GDK_KEY_Right, 0);
  g_assert_cmpuint (asked, ==, G_MAXUINT);
  ui_press (transcript, GDK_KEY_Left, 0);
  g_assert_cmpuint (asked, ==, 1);
}

static char *
make_picture_address (void)
{
  g_autoptr (GdkPixbuf) pixbuf = gdk_pixbuf_new (GDK_COLORSPACE_RGB, FALSE, 8, 60, 40);
  g_autofree char *data = NULL;
  g_autofree char *encoded = NULL;
  gsize length;

  gdk_pixbuf_fill (pixbuf, 0x3584e4ff);
  g_assert_true (gdk_pixbuf_save_to_buffer (pixbuf, &data, &length, "png", NULL, NULL));
  encoded = g_base64_encode ((const guchar *) data, length);
  return g_strconcat ("data:image/png;base64,", encoded, NULL);
}

/* A picture is fetched only when asked for, and is still there for a person who comes back. */
static void
test_pictures (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonConversation) conversation = beckon_conversation_new ("one", UI_NOW);
  g_autoptr (BeckonWebPictures) pictures = beckon_web_pictures_new ();
  g_autofree char *address = make_picture_address ();
  g_autofree char *text = g_strdup_printf ("Look: ![A *chart*](%s) here.\n\n![](http://127.0.0.1:9/x.png)", address);
  GtkWidget *transcript;

  beckon_picture_block_set_pictures (pictures);
  add_message (conversation, BECKON_ROLE_ASSISTANT, text);
  transcript = show (fixture, conversation);
  g_assert_nonnull (ui_find_text (transcript, "Look: Picture: A chart here."));
  g_assert_null (ui_find_text (transcript, "base64"));
  g_assert_cmpint (beckon_web_pictures_get_state (pictures, address), ==, BECKON_WEB_PICTURE_UNKNOWN);

  ui_click (transcript, "Show Picture: A chart");
  ui_wait_until (ui_find_named (transcript, "Picture: A chart") != NULL);
  /* However little room there is, it is as high as it is. */
  for (guint i = 0; i < 12; i++)
    add_message (conversation, BECKON_ROLE_USER, "One\nTwo\nThree\nFour");
  ui_wait_frames (fixture, 3);
  g_assert_cmpint (gtk_widget_get_height (ui_find_named (transcript, "Picture: A chart")), ==, 40);
  g_assert_cmpint (gtk_widget_get_width (ui_find_named (transcript, "Picture: A chart")), ==, 60);
  g_assert_null (ui_find_named (transcript, "Show Picture: A chart"));
  ui_click (transcript, "Show Picture: Picture");
  ui_wait_until (ui_find_text (transcript, "on your own computer or network") != NULL);
  g_assert_nonnull (ui_find_named (transcript, "Try Again"));

  beckon_transcript_set_conversation (BECKON_TRANSCRIPT (transcript), fixture->inbox, NULL);
  beckon_transcript_set_conversation (BECKON_TRANSCRIPT (transcript), fixture->inbox, conversation);
  ui_wait_frames (fixture, 1);
  g_assert_nonnull (ui_find_named (transcript, "Picture: A chart"));
  beckon_picture_block_set_pictures (NULL);
}

/* While a paragraph comes it may come to name one; what is there stays what it is. */
static void
test_picture_comes (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonWebPictures) pictures = beckon_web_pictures_new ();
  GtkWidget *text = beckon_text_blocks_new ();
  GtkWidget *button;

  beckon_picture_block_set_pictures (pictures);
  ui_show (fixture, text);
  beckon_text_blocks_append (BECKON_TEXT_BLOCKS (text), "See ![one](https://example.com/1.png", 36);
  beckon_text_blocks_flush (BECKON_TEXT_BLOCKS (text));
  g_assert_null (ui_find_named (text, "Show Picture: one"));
  beckon_text_blocks_append (BECKON_TEXT_BLOCKS (text), ") and", 5);
  beckon_text_blocks_flush (BECKON_TEXT_BLOCKS (text));
  button = ui_find_named (text, "Show Picture: one");
  g_assert_nonnull (button);
  beckon_text_blocks_append (BECKON_TEXT_BLOCKS (text), " ![two](https://example.com/2.png)", 34);
  beckon_text_blocks_finish (BECKON_TEXT_BLOCKS (text));
  g_assert_true (ui_find_named (text, "Show Picture: one") == button);
  g_assert_nonnull (ui_find_named (text, "Show Picture: two"));
  beckon_picture_block_set_pictures (NULL);
}

/* In headings and in tables they are seen as anywhere; a table's columns are as wide as what they hold. */
static void
test_pictures_anywhere (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonConversation) conversation = beckon_conversation_new ("one", UI_NOW);
  g_autoptr (BeckonWebPictures) pictures = beckon_web_pictures_new ();
  g_autofree char *address = make_picture_address ();
  g_autofree char *text = g_strdup_printf ("# Before ![head](%s)\n\n| A | B |\n|---|--:|\n| ![left](%s) | x |\n"
                                           "| y | ![right](http://127.0.0.1:9/x.png) |\n| z | ![same](%s) |\n",
                                           address, address, address);
  GtkWidget *transcript, *label;

  beckon_picture_block_set_pictures (pictures);
  add_message (conversation, BECKON_ROLE_ASSISTANT, text);
  transcript = show (fixture, conversation);
  label = ui_find_text (transcript, "Before Picture: head");
  g_assert_nonnull (label);
  g_assert_true (gtk_widget_has_css_class (label, "text-heading-1"));
  g_assert_nonnull (ui_find_named (transcript, "Show Picture: head"));
  g_assert_cmpint (beckon_web_pictures_get_state (pictures, address), ==, BECKON_WEB_PICTURE_UNKNOWN);

  ui_click (transcript, "Show Picture: left");
  ui_wait_until (ui_find_named (transcript, "Picture: left") != NULL);
  ui_wait_frames (fixture, 2);
  /* Wherever it is named. */
  g_assert_cmpuint (ui_count_type (transcript, BECKON_TYPE_ATTACHED_VIEW), ==, 3);
  g_assert_cmpint (gtk_widget_get_width (ui_find_named (transcript, "Picture: left")), ==, 60);
  g_assert_cmpint (gtk_widget_get_height (ui_find_named (transcript, "Picture: left")), ==, 40);
  ui_click (transcript, "Show Picture: right");
  ui_wait_until (ui_find_text (transcript, "on your own computer or network") != NULL);
  beckon_picture_block_set_pictures (NULL);
}

/* While a table comes its last cell may come to name one. */
static void
test_picture_in_cell_comes (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonWebPictures) pictures = beckon_web_pictures_new ();
  GtkWidget *text = beckon_text_blocks_new ();
  const char *begin = "| A |\n|---|\n| ![one](https://example.com/1.png";
  const char *rest = ") |\n| two |\n";

  beckon_picture_block_set_pictures (pictures);
  ui_show (fixture, text);
  beckon_text_blocks_append (BECKON_TEXT_BLOCKS (text), begin, strlen (begin));
  beckon_text_blocks_flush (BECKON_TEXT_BLOCKS (text));
  g_assert_nonnull (ui_find_text (text, "A"));
  g_assert_null (ui_find_named (text, "Show Picture: one"));
  beckon_text_blocks_append (BECKON_TEXT_BLOCKS (text), rest, strlen (rest));
  beckon_text_blocks_finish (BECKON_TEXT_BLOCKS (text));
  g_assert_nonnull (ui_find_named (text, "Show Picture: one"));
  g_assert_nonnull (ui_find_text (text, "two"));
  beckon_picture_block_set_pictures (NULL);
}

/* Photographs and plots are hundreds of kilobytes: they are pictures, too, and what they are written in is seen nowhere. */
static void
test_large_picture (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonWebPictures) pictures = beckon_web_pictures_new ();
  g_autoptr (GdkPixbuf) pixbuf = gdk_pixbuf_new (GDK_COLORSPACE_RGB, FALSE, 8, 300, 260);
  g_autoptr (GRand) random = g_rand_new_with_seed (1);
  g_autofree char *png = NULL, *encoded = NULL, *text = NULL;
  GtkWidget *shown = beckon_text_blocks_new ();
  gsize length;

  for (int i = 0; i < gdk_pixbuf_get_rowstride (pixbuf) * 260; i++)
    gdk_pixbuf_get_pixels (pixbuf)[i] = (guchar) g_rand_int (random);
  g_assert_true (gdk_pixbuf_save_to_buffer (pixbuf, &png, &length, "png", NULL, NULL));
  encoded = g_base64_encode ((const guchar *) png, length);
  text = g_strdup_printf ("Here:\n\n![A plot](data:image/png;base64,%s)\n\nThat is it.", encoded);
  g_assert_cmpuint (strlen (text), >, 200 * 1024);

  beckon_picture_block_set_pictures (pictures);
  ui_show (fixture, shown);
  beckon_text_blocks_append (BECKON_TEXT_BLOCKS (shown), text, strlen (text) / 2);
  beckon_text_blocks_flush (BECKON_TEXT_BLOCKS (shown));
  ui_wait_until (ui_find_text (shown, "Here:") != NULL);
  ui_wait_frames (fixture, 30);
  g_assert_cmpuint (ui_count_type (shown, BECKON_TYPE_BLOCK_VIEW), ==, 1);
  beckon_text_blocks_append (BECKON_TEXT_BLOCKS (shown), text + strlen (text) / 2, strlen (text) - strlen (text) / 2);
  beckon_text_blocks_finish (BECKON_TEXT_BLOCKS (shown));
  ui_wait_until (ui_find_text (shown, "That is it.") != NULL);
  g_assert_cmpuint (ui_count_type (shown, BECKON_TYPE_BLOCK_VIEW), ==, 3);
  ui_click (shown, "Show Picture: A plot");
  ui_wait_until (ui_find_type (shown, BECKON_TYPE_ATTACHED_VIEW) != NULL);
  ui_wait_frames (fixture, 2);
  g_assert_cmpint (gtk_widget_get_width (ui_find_type (shown, BECKON_TYPE_ATTACHED_VIEW)), ==, 300);
  beckon_picture_block_set_pictures (NULL);
}

static char *
drag_file (GdkContentProvider *provider)
{
  g_autofree char *list = read_provider (provider, "text/uri-list");
  g_auto (GStrv) uris = g_uri_list_extract_uris (list);

  g_assert_cmpuint (g_strv_length (uris), ==, 1);
  return g_filename_from_uri (uris[0], NULL, NULL);
}

/* A conversation that is dragged away is a text, or a file that goes with the next one. */
static void
test_dragged (UiFixture *fixture, gconstpointer data)
{
  UiHome home;
  BeckonConversation *conversation, *secret;
  g_autoptr (GdkContentProvider) provider = NULL;
  g_autoptr (GdkContentProvider) other = NULL;
  g_autoptr (GdkContentFormats) formats = NULL;
  g_autoptr (GdkContentFormats) other_formats = NULL;
  g_autofree char *text = NULL;
  g_autofree char *file = NULL;
  g_autofree char *next = NULL;
  g_autofree char *content = NULL;
  GStatBuf info;

  ui_home_open (&home);
  conversation = beckon_library_create (beckon_runtime_get_library (home.runtime));
  beckon_conversation_set_title (conversation, "a/b");
  add_message (conversation, BECKON_ROLE_ASSISTANT, "It is **so**.");
  provider = beckon_conversation_content_new (beckon_runtime_get_library (home.runtime), conversation);
  formats = gdk_content_provider_ref_formats (provider);
  g_assert_true (gdk_content_formats_contain_mime_type (formats, "text/plain;charset=utf-8"));
  text = read_provider (provider, "text/markdown");
  g_assert_nonnull (strstr (text, "It is **so**."));

  file = drag_file (provider);
  g_assert_true (g_str_has_suffix (file, "/a-b.md"));
  g_assert_true (g_file_get_contents (file, &content, NULL, NULL));
  g_assert_cmpstr (content, ==, text);
  g_assert_cmpint (g_stat (file, &info), ==, 0);
  g_assert_cmpuint (info.st_mode & 0077, ==, 0);
  next = drag_file (provider);
  g_assert_false (g_file_test (file, G_FILE_TEST_EXISTS));
  g_assert_true (g_file_test (next, G_FILE_TEST_EXISTS));
  beckon_conversation_content_clean_up ();
  g_assert_false (g_file_test (next, G_FILE_TEST_EXISTS));

  secret = beckon_library_create_temporary (beckon_runtime_get_library (home.runtime));
  other = beckon_conversation_content_new (beckon_runtime_get_library (home.runtime), secret);
  other_formats = gdk_content_provider_ref_formats (other);
  g_assert_true (gdk_content_formats_contain_mime_type (other_formats, "text/markdown"));
  g_assert_false (gdk_content_formats_contain_mime_type (other_formats, "text/uri-list"));
  ui_home_close (&home);
}

int
main (int argc, char *argv[])
{
  if (!ui_test_init (&argc, &argv))
    return 0;

  ui_test_add ("/ui/messages/copy-block", test_copy_block);
  ui_test_add ("/ui/messages/no-block", test_no_block);
  ui_test_add ("/ui/messages/menu-of-button", test_menu_of_button);
  ui_test_add ("/ui/messages/copy", test_copy_messages);
  ui_test_add ("/ui/messages/usage", test_usage);
  ui_test_add ("/ui/messages/usage-of-call", test_usage_of_call);
  ui_test_add ("/ui/messages/details", test_details);
  ui_test_add ("/ui/messages/version-keys", test_version_keys);
  ui_test_add ("/ui/messages/pictures", test_pictures);
  ui_test_add ("/ui/messages/picture-comes", test_picture_comes);
  ui_test_add ("/ui/messages/pictures-anywhere", test_pictures_anywhere);
  ui_test_add ("/ui/messages/picture-in-cell-comes", test_picture_in_cell_comes);
  ui_test_add ("/ui/messages/large-picture", test_large_picture);
  ui_test_add ("/ui/messages/dragged", test_dragged);
  return g_test_run ();
}
