/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The composer: what sends and what must not. */

#include "beckon-ui-fixture.h"

#include "domain/beckon-attachment.h"
#include "ui/composer/beckon-composer.h"
#include "ui/widgets/beckon-dictionary.h"

#include <glib/gstdio.h>

typedef struct
{
  guint sent;
  guint changed;
  guint as_messages;
  guint advanced;
  guint submitted;
} Heard;

static void
on_send (Heard *heard, gboolean as_message)
{
  heard->sent++;
  heard->as_messages += as_message ? 1 : 0;
}

static void
on_changed (Heard *heard)
{
  heard->changed++;
}

static void
on_advance (Heard *heard)
{
  heard->advanced++;
}

static void
on_submit (Heard *heard)
{
  heard->submitted++;
}

static BeckonComposer *
show_composer (UiFixture *fixture, Heard *heard)
{
  GtkWidget *composer = g_object_new (BECKON_TYPE_COMPOSER, "valign", GTK_ALIGN_END, NULL);

  *heard = (Heard){ 0 };
  g_signal_connect_swapped (composer, "send", G_CALLBACK (on_send), heard);
  g_signal_connect_swapped (composer, "changed", G_CALLBACK (on_changed), heard);
  g_signal_connect_swapped (composer, "advance", G_CALLBACK (on_advance), heard);
  g_signal_connect_swapped (composer, "submit", G_CALLBACK (on_submit), heard);
  ui_show (fixture, composer);
  return BECKON_COMPOSER (composer);
}

static GtkWidget *
get_view (BeckonComposer *composer)
{
  return ui_find_named (GTK_WIDGET (composer), "Message");
}

static void
type_text (BeckonComposer *composer, const char *text)
{
  gtk_text_buffer_set_text (gtk_text_view_get_buffer (GTK_TEXT_VIEW (get_view (composer))), text, -1);
}

static void
test_send (UiFixture *fixture, gconstpointer data)
{
  Heard heard;
  BeckonComposer *composer = show_composer (fixture, &heard);
  GtkWidget *button = ui_find_named (GTK_WIDGET (composer), "Send message");
  g_autofree char *text = NULL;

  g_assert_false (ui_is_usable (button));
  type_text (composer, "  \n ");
  g_assert_false (ui_is_usable (button));
  g_assert_true (ui_press (get_view (composer), GDK_KEY_Return, 0));
  g_assert_cmpuint (heard.sent, ==, 0);
  type_text (composer, " Deploy it \n");
  ui_click (GTK_WIDGET (composer), "Send message");
  g_assert_cmpuint (heard.sent, ==, 1);
  text = beckon_composer_dup_text (composer);
  g_assert_cmpstr (text, ==, "Deploy it");
}

static void
test_keys (UiFixture *fixture, gconstpointer data)
{
  Heard heard;
  BeckonComposer *composer = show_composer (fixture, &heard);
  GtkWidget *view = get_view (composer);

  type_text (composer, "Deploy it");
  ui_press (view, GDK_KEY_Return, GDK_SHIFT_MASK);
  ui_press (view, GDK_KEY_a, 0);
  g_assert_cmpuint (heard.sent, ==, 0);
  g_assert_true (ui_press (view, GDK_KEY_Return, 0));
  g_assert_true (ui_press (view, GDK_KEY_KP_Enter, 0));
  g_assert_true (ui_press (view, GDK_KEY_Return, GDK_CONTROL_MASK));
  g_assert_cmpuint (heard.sent, ==, 3);
  beckon_composer_set_needs_control (composer, TRUE);
  ui_press (view, GDK_KEY_Return, 0);
  g_assert_cmpuint (heard.sent, ==, 3);
  g_assert_true (ui_press (view, GDK_KEY_Return, GDK_CONTROL_MASK));
  g_assert_cmpuint (heard.sent, ==, 4);
  g_assert_cmpuint (heard.as_messages, ==, 0);
  g_assert_true (ui_press (view, GDK_KEY_Return, GDK_CONTROL_MASK | GDK_SHIFT_MASK));
  g_assert_cmpuint (heard.sent, ==, 5);
  g_assert_cmpuint (heard.as_messages, ==, 1);
  /* With nothing written, and pressed anew. */
  type_text (composer, "");
  g_assert_true (ui_press (view, GDK_KEY_Return, 0));
  g_assert_cmpuint (heard.advanced, ==, 0);
  ui_release (view, GDK_KEY_Return);
  g_assert_true (ui_press (view, GDK_KEY_Return, 0));
  g_assert_cmpuint (heard.advanced, ==, 1);
  g_assert_true (ui_press (view, GDK_KEY_Return, GDK_CONTROL_MASK));
  g_assert_cmpuint (heard.submitted, ==, 1);
  g_assert_cmpuint (heard.sent, ==, 5);
}

static void
test_preedit (UiFixture *fixture, gconstpointer data)
{
  Heard heard;
  BeckonComposer *composer = show_composer (fixture, &heard);
  GtkWidget *view = get_view (composer);

  type_text (composer, "部署");
  g_signal_emit_by_name (view, "preedit-changed", "wang zhan");
  g_assert_true (ui_press (view, GDK_KEY_Return, 0));
  g_assert_cmpuint (heard.sent, ==, 0);
  g_signal_emit_by_name (view, "preedit-changed", "");
  g_assert_true (ui_press (view, GDK_KEY_Return, 0));
  g_assert_cmpuint (heard.sent, ==, 1);
}

static void
test_draft (UiFixture *fixture, gconstpointer data)
{
  Heard heard;
  BeckonComposer *composer = show_composer (fixture, &heard);
  g_autofree char *draft = NULL;

  beckon_composer_set_text (composer, "from before ");
  g_assert_cmpuint (heard.changed, ==, 0);
  type_text (composer, "from before  and now ");
  g_assert_cmpuint (heard.changed, >, 0);
  draft = beckon_composer_dup_draft (composer);
  g_assert_cmpstr (draft, ==, "from before  and now ");
}

static void
test_grows (UiFixture *fixture, gconstpointer data)
{
  Heard heard;
  BeckonComposer *composer = show_composer (fixture, &heard);
  int one, three, many, more;

  type_text (composer, "one");
  ui_wait_frames (fixture, 2);
  one = gtk_widget_get_height (GTK_WIDGET (composer));
  type_text (composer, "one\ntwo\nthree");
  ui_wait_frames (fixture, 2);
  three = gtk_widget_get_height (GTK_WIDGET (composer));
  type_text (composer, "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14");
  ui_wait_frames (fixture, 2);
  many = gtk_widget_get_height (GTK_WIDGET (composer));
  type_text (composer, "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18\n19\n20");
  ui_wait_frames (fixture, 2);
  more = gtk_widget_get_height (GTK_WIDGET (composer));
  g_assert_cmpint (one, <, 72);
  g_assert_cmpint (three, >, one + 20);
  g_assert_cmpint (many, >, three);
  g_assert_cmpint (many, <=, 214);
  g_assert_cmpint (more, ==, many);
}

static void
test_quote (UiFixture *fixture, gconstpointer data)
{
  Heard heard;
  BeckonComposer *composer = show_composer (fixture, &heard);
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;

  beckon_composer_quote (composer, "one\n\ntwo\n");
  first = beckon_composer_dup_draft (composer);
  g_assert_cmpstr (first, ==, "> one\n> \n> two\n\n");
  g_assert_cmpuint (heard.changed, >, 0);
  type_text (composer, "Look:");
  beckon_composer_quote (composer, "three");
  second = beckon_composer_dup_draft (composer);
  g_assert_cmpstr (second, ==, "Look:\n\n> three\n\n");
}

/* The draft and what is attached to it wait until the edit is over, and nothing is told of the edit. */
static void
test_edit (UiFixture *fixture, gconstpointer data)
{
  Heard heard;
  BeckonComposer *composer = show_composer (fixture, &heard);
  g_autoptr (GListStore) files = g_list_store_new (BECKON_TYPE_PART);
  g_autoptr (BeckonPart) mine = beckon_attachment_new_text ("mine.txt", "1", 1);
  g_autoptr (BeckonPart) old = beckon_attachment_new_text ("old.txt", "2", 1);
  g_autoptr (GPtrArray) old_files = g_ptr_array_new ();
  g_autoptr (GPtrArray) edited = NULL;
  g_autofree char *text = NULL;
  g_autofree char *draft = NULL;

  g_ptr_array_add (old_files, old);
  beckon_composer_set_files (composer, files);
  g_list_store_append (files, mine);
  type_text (composer, "my draft");
  heard.changed = 0;
  beckon_composer_begin_edit (composer, "what I said", old_files);
  g_assert_true (beckon_composer_is_editing (composer));
  g_assert_nonnull (ui_find_named (GTK_WIDGET (composer), "Remove old.txt"));
  g_assert_null (ui_find_named (GTK_WIDGET (composer), "Remove mine.txt"));
  type_text (composer, "what I meant");
  text = beckon_composer_dup_text (composer);
  g_assert_cmpstr (text, ==, "what I meant");
  edited = beckon_composer_list_files (composer);
  g_assert_cmpuint (edited->len, ==, 1);
  g_assert_true (g_ptr_array_index (edited, 0) == old);
  ui_click (GTK_WIDGET (composer), "Send the edited message");
  g_assert_cmpuint (heard.sent, ==, 1);
  ui_click (GTK_WIDGET (composer), "Cancel editing");
  g_assert_false (beckon_composer_is_editing (composer));
  draft = beckon_composer_dup_draft (composer);
  g_assert_cmpstr (draft, ==, "my draft");
  g_assert_nonnull (ui_find_named (GTK_WIDGET (composer), "Remove mine.txt"));
  g_assert_cmpuint (heard.changed, ==, 0);
  ui_click (GTK_WIDGET (composer), "Remove mine.txt");
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (files)), ==, 0);
  g_assert_cmpuint (heard.changed, ==, 1);
}

static void
assert_draft (BeckonComposer *composer, const char *expected)
{
  g_autofree char *draft = beckon_composer_dup_draft (composer);

  g_assert_cmpstr (draft, ==, expected);
}

/* As in a terminal: what was sent comes back, what stood there is not lost, and a change begins anew from there. */
static void
test_history (UiFixture *fixture, gconstpointer data)
{
  Heard heard;
  BeckonComposer *composer = show_composer (fixture, &heard);
  g_autoptr (BeckonConversation) conversation = ui_make_conversation (2);
  GtkWidget *view = get_view (composer);

  beckon_composer_set_conversation (composer, conversation);
  type_text (composer, "half a thought");
  heard.changed = 0;
  g_assert_false (ui_press (view, GDK_KEY_Down, 0));
  g_assert_true (ui_press (view, GDK_KEY_Up, 0));
  assert_draft (composer, "Question 1");
  g_assert_true (ui_press (view, GDK_KEY_Up, 0));
  assert_draft (composer, "Question 0");
  g_assert_true (ui_press (view, GDK_KEY_Up, 0));
  assert_draft (composer, "Question 0");
  g_assert_true (ui_press (view, GDK_KEY_Down, 0));
  g_assert_true (ui_press (view, GDK_KEY_Down, 0));
  assert_draft (composer, "half a thought");
  g_assert_false (ui_press (view, GDK_KEY_Down, 0));
  g_assert_cmpuint (heard.changed, ==, 0);

  g_assert_true (ui_press (view, GDK_KEY_Up, 0));
  type_text (composer, "Question 1, again");
  g_assert_cmpuint (heard.changed, >, 0);
  g_assert_false (ui_press (view, GDK_KEY_Down, 0));
  assert_draft (composer, "Question 1, again");
  /* Only from the first line. */
  type_text (composer, "one\ntwo");
  g_assert_false (ui_press (view, GDK_KEY_Up, 0));
}

static void
on_mode (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  g_assert_cmpstr (g_variant_get_string (parameter, NULL), ==, "outside");
  ++*(guint *) user_data;
}

static void
put_text (BeckonComposer *composer, const char *text)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (get_view (composer)));

  type_text (composer, "");
  gtk_text_buffer_insert_at_cursor (buffer, text, -1);
}

static void
test_commands (UiFixture *fixture, gconstpointer data)
{
  Heard heard;
  BeckonComposer *composer = show_composer (fixture, &heard);
  g_autoptr (BeckonConversation) conversation = ui_make_conversation (1);
  g_autoptr (GSimpleActionGroup) group = g_simple_action_group_new ();
  g_autoptr (GSimpleAction) mode = g_simple_action_new ("mode", G_VARIANT_TYPE_STRING);
  GtkWidget *view = get_view (composer);
  guint n_modes = 0;

  g_signal_connect (mode, "activate", G_CALLBACK (on_mode), &n_modes);
  g_action_map_add_action (G_ACTION_MAP (group), G_ACTION (mode));
  gtk_widget_insert_action_group (fixture->window, "win", G_ACTION_GROUP (group));
  beckon_composer_set_conversation (composer, conversation);
  put_text (composer, "/");
  g_assert_nonnull (ui_find_named (GTK_WIDGET (composer), "/new New conversation"));
  g_assert_nonnull (ui_find_named (GTK_WIDGET (composer), "/help Keyboard shortcuts"));
  put_text (composer, "/outs");
  g_assert_null (ui_find_named (GTK_WIDGET (composer), "/new New conversation"));
  g_assert_nonnull (ui_find_named (GTK_WIDGET (composer), "/ask-outside Ask outside the folder"));
  g_assert_true (ui_press (view, GDK_KEY_Return, 0));
  g_assert_cmpuint (n_modes, ==, 1);
  g_assert_cmpuint (heard.sent, ==, 0);
  assert_draft (composer, "");

  /* The button does the same as Enter. */
  put_text (composer, "/ask-outside");
  ui_click (GTK_WIDGET (composer), "Send message");
  g_assert_cmpuint (n_modes, ==, 2);
  g_assert_cmpuint (heard.sent, ==, 0);
  assert_draft (composer, "");

  /* A path is no command, and what was refused stays away. */
  put_text (composer, "/usr/bin");
  g_assert_true (ui_press (view, GDK_KEY_Return, 0));
  g_assert_cmpuint (heard.sent, ==, 1);
  put_text (composer, "/new");
  g_assert_true (ui_press (view, GDK_KEY_Escape, 0));
  g_assert_true (ui_press (view, GDK_KEY_Return, 0));
  g_assert_cmpuint (heard.sent, ==, 2);
  put_text (composer, "Say /new");
  g_assert_false (ui_press (view, GDK_KEY_Escape, 0));

  put_text (composer, "/pla");
  g_assert_true (ui_press (view, GDK_KEY_Tab, 0));
  assert_draft (composer, "Make a plan first, and wait until I accept it: ");
  put_text (composer, "/");
  g_assert_true (ui_press (view, GDK_KEY_Up, 0));
  g_assert_true (ui_press (view, GDK_KEY_Down, 0));
  g_assert_true (ui_press (view, GDK_KEY_Escape, 0));
}

static void
test_file_names (UiFixture *fixture, gconstpointer data)
{
  static const char *const files[] = { "notes/report 1.txt", "notes/report.txt", "build/report.o", ".gitignore" };
  Heard heard;
  BeckonComposer *composer = show_composer (fixture, &heard);
  g_autoptr (BeckonConversation) conversation = ui_make_conversation (1);
  g_autofree char *folder = g_dir_make_tmp ("beckon-files-XXXXXX", NULL);
  GtkWidget *view = get_view (composer);

  for (gsize i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *path = g_build_filename (folder, files[i], NULL);
      g_autofree char *parent = g_path_get_dirname (path);

      g_mkdir_with_parents (parent, 0700);
      g_assert_true (g_file_set_contents (path, "build/\n", -1, NULL));
    }
  beckon_composer_set_conversation (composer, conversation);
  put_text (composer, "See @rep");
  g_assert_null (ui_find_named (GTK_WIDGET (composer), "notes/report.txt"));
  beckon_conversation_set_folder (conversation, folder);
  put_text (composer, "See @rep");
  ui_wait_until (ui_find_named (GTK_WIDGET (composer), "notes/report.txt") != NULL);
  g_assert_null (ui_find_named (GTK_WIDGET (composer), "build/report.o"));
  g_assert_true (ui_press (view, GDK_KEY_Return, 0));
  assert_draft (composer, "See `notes/report 1.txt` ");
  put_text (composer, "See @report.t");
  g_assert_true (ui_press (view, GDK_KEY_Tab, 0));
  assert_draft (composer, "See notes/report.txt ");
  put_text (composer, "Write to me@report");
  g_assert_null (ui_find_named (GTK_WIDGET (composer), "notes/report.txt"));
  for (gsize i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *path = g_build_filename (folder, files[i], NULL);
      g_autofree char *parent = g_path_get_dirname (path);

      g_remove (path);
      g_rmdir (parent);
    }
}

static void
on_dictionary (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

static gboolean
has_dictionary (void)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (BeckonDictionary) dictionary = NULL;

  beckon_dictionary_load_async (NULL, on_dictionary, &result);
  ui_wait_until (result != NULL);
  dictionary = beckon_dictionary_load_finish (result, NULL);
  return dictionary != NULL;
}

static gboolean
is_marked (GtkWidget *view, int offset)
{
  g_autoptr (GSList) tags = NULL;
  GtkTextIter at;

  gtk_text_buffer_get_iter_at_offset (gtk_text_view_get_buffer (GTK_TEXT_VIEW (view)), &at, offset);
  tags = gtk_text_iter_get_tags (&at);
  return tags != NULL;
}

static void
test_spelling (UiFixture *fixture, gconstpointer data)
{
  static const char text[] = "Teh house in src/teh.c, 部署, isTeh and teh@example.org is teh end";
  Heard heard;
  BeckonComposer *composer = show_composer (fixture, &heard);
  GtkWidget *view = get_view (composer);
  GtkTextIter start;
  GMenuModel *menu;
  g_autoptr (GMenuModel) section = NULL;
  g_autofree char *fixed = NULL;

  if (!has_dictionary ())
    {
      g_test_skip ("no Enchant, or no English dictionary");
      return;
    }
  beckon_composer_set_checks_spelling (composer, TRUE);
  put_text (composer, text);
  ui_wait_until (is_marked (view, 0));
  for (int i = 4; i < g_utf8_strlen (text, -1); i++)
    g_assert_cmpint (is_marked (view, i), ==, i >= 57 && i < 60);

  gtk_text_buffer_get_start_iter (gtk_text_view_get_buffer (GTK_TEXT_VIEW (view)), &start);
  gtk_text_buffer_place_cursor (gtk_text_view_get_buffer (GTK_TEXT_VIEW (view)), &start);
  ui_press (view, GDK_KEY_F10, GDK_SHIFT_MASK);
  menu = gtk_text_view_get_extra_menu (GTK_TEXT_VIEW (view));
  g_assert_nonnull (menu);
  section = g_menu_model_get_item_link (menu, 0, G_MENU_LINK_SECTION);
  g_assert_cmpint (g_menu_model_get_n_items (section), >, 1);
  gtk_widget_activate_action (view, "spelling.replace", "s", "The");
  fixed = beckon_composer_dup_draft (composer);
  g_assert_true (g_str_has_prefix (fixed, "The house"));
  beckon_composer_set_checks_spelling (composer, FALSE);
  for (int i = 0; i < g_utf8_strlen (text, -1); i++)
    g_assert_false (is_marked (view, i));
}

int
main (int argc, char *argv[])
{
  if (!ui_test_init (&argc, &argv))
    return 0;

  ui_test_add ("/ui/composer/send", test_send);
  ui_test_add ("/ui/composer/keys", test_keys);
  ui_test_add ("/ui/composer/preedit", test_preedit);
  ui_test_add ("/ui/composer/draft", test_draft);
  ui_test_add ("/ui/composer/grows-to-eight-lines", test_grows);
  ui_test_add ("/ui/composer/quote", test_quote);
  ui_test_add ("/ui/composer/edit", test_edit);
  ui_test_add ("/ui/composer/history", test_history);
  ui_test_add ("/ui/composer/commands", test_commands);
  ui_test_add ("/ui/composer/file-names", test_file_names);
  ui_test_add ("/ui/composer/spelling", test_spelling);

  return g_test_run ();
}
