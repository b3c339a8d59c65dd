/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Enter where messages are written: it answers a question, sends, queues or steers, and says beforehand which. Keys are counted. */

#include "beckon-moved-clock.h"

#include "request/beckon-approval-request.h"
#include "ui/cards/beckon-question-card.h"
#include "ui/cards/beckon-request-card.h"
#include "ui/composer/beckon-queue-chip.h"
#include "ui/conversation/beckon-conversation-view.h"

typedef struct
{
  BeckonConversation *conversation;
  GtkWidget *view;
  GString *heard; /* what left the view: signals and actions, one a line */
  guint keys;
} Scene;

static void
on_send (BeckonConversationView *view, BeckonConversation *conversation, const char *text, Scene *scene)
{
  g_string_append_printf (scene->heard, "send %s\n", text);
}

static void
on_queue (BeckonConversationView *view, BeckonConversation *conversation, const char *text, Scene *scene)
{
  g_string_append_printf (scene->heard, "queue %s\n", text);
}

static void
on_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  Scene *scene = user_data;

  const char *id;

  g_variant_get (parameter, g_variant_is_of_type (parameter, G_VARIANT_TYPE_STRING) ? "&s" : "(&s&s)", &id, NULL);
  g_string_append_printf (scene->heard, "%s %s\n", g_action_get_name (G_ACTION (action)), id);
}

static void
add_actions (Scene *scene)
{
  static const char *const names[] = { "queued-send", "queued-edit", "queued-remove", "set-folder", "show-card" };
  g_autoptr (GSimpleActionGroup) group = g_simple_action_group_new ();

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GSimpleAction) action = g_simple_action_new (names[i], G_VARIANT_TYPE (i < 4 ? "s" : "(ss)"));

      g_signal_connect (action, "activate", G_CALLBACK (on_action), scene);
      g_action_map_add_action (G_ACTION_MAP (group), G_ACTION (action));
    }
  gtk_widget_insert_action_group (scene->view, "win", G_ACTION_GROUP (group));
}

static Scene *
scene_new (UiFixture *fixture)
{
  Scene *scene = g_new0 (Scene, 1);

  scene->conversation = ui_make_conversation (1);
  scene->heard = g_string_new (NULL);
  scene->view = beckon_conversation_view_new (fixture->inbox);
  g_signal_connect (scene->view, "send", G_CALLBACK (on_send), scene);
  g_signal_connect (scene->view, "queue", G_CALLBACK (on_queue), scene);
  add_actions (scene);
  beckon_conversation_view_set_conversation (BECKON_CONVERSATION_VIEW (scene->view), scene->conversation);
  ui_show (fixture, scene->view);
  return scene;
}

static void
scene_free (Scene *scene)
{
  g_signal_handlers_disconnect_by_data (scene->view, scene);
  gtk_widget_insert_action_group (scene->view, "win", NULL);
  g_object_unref (scene->conversation);
  g_string_free (scene->heard, TRUE);
  g_free (scene);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Scene, scene_free)

static void
type_text (Scene *scene, const char *text)
{
  GtkWidget *view = ui_find_view (scene->view, "Message");

  gtk_text_buffer_set_text (gtk_text_view_get_buffer (GTK_TEXT_VIEW (view)), text, -1);
  scene->keys += (guint) g_utf8_strlen (text, -1);
}

static void
press_enter (Scene *scene, GdkModifierType modifiers)
{
  ui_press (ui_find_view (scene->view, "Message"), GDK_KEY_Return, modifiers);
  ui_release (ui_find_view (scene->view, "Message"), GDK_KEY_Return);
  scene->keys++;
}

static char *
dup_typed (Scene *scene)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (ui_find_view (scene->view, "Message")));
  GtkTextIter start, end;

  gtk_text_buffer_get_bounds (buffer, &start, &end);
  return gtk_text_buffer_get_text (buffer, &start, &end, FALSE);
}

static void
assert_typed (Scene *scene, const char *expected)
{
  g_autofree char *typed = dup_typed (scene);

  g_assert_cmpstr (typed, ==, expected);
}

static GtkWidget *
find_hint (GtkWidget *widget)
{
  if (gtk_widget_has_css_class (widget, "enter-hint"))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_hint (child);

      if (found != NULL)
        return found;
    }
  return NULL;
}

static const char *
get_hint (Scene *scene)
{
  return gtk_label_get_text (GTK_LABEL (find_hint (scene->view)));
}

static BeckonQueueItem *
add_queued (Scene *scene, const char *id, const char *text)
{
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (BeckonQueueItem) item = beckon_queue_item_new (id, text, files, FALSE);

  g_list_store_append (beckon_conversation_get_queue (scene->conversation), item);
  return item;
}

static void
wait_for_card (UiFixture *fixture, Scene *scene, BeckonRequest *request, const char *tool)
{
  ui_add_call (scene->conversation, request, tool);
  beckon_conversation_set_waiting (scene->conversation, 1);
  beckon_conversation_set_phase (scene->conversation, BECKON_RUN_WAITING, NULL, 0);
  ui_wait_frames (fixture, 3);
}

/* Until it takes an answer. */
static void
wait_for_question (UiFixture *fixture, Scene *scene, BeckonRequest *request)
{
  wait_for_card (fixture, scene, request, "ask_user");
  moved_clock_wait_until (!ui_is_busy (ui_find_type (scene->view, BECKON_TYPE_QUESTION_CARD)));
}

static BeckonRequest *
ask_port (UiFixture *fixture)
{
  return ui_ask (fixture, "{\"question\":\"Which port?\",\"choices\":[\"8080\",\"9090\"]}");
}

static void
assert_answer (UiFixture *fixture, BeckonRequest *request, const char *items)
{
  g_autofree char *expected = g_strdup_printf ("{\"kind\":\"question\",\"items\":[%s]}", items);

  ui_wait_until (beckon_request_get_state (request) == BECKON_REQUEST_ANSWERED);
  g_assert_cmpstr (ui_get_answer (fixture, request), ==, expected);
}

/* Queueing takes one key, and steering one more. */
static void
test_queue (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (Scene) scene = scene_new (fixture);

  beckon_conversation_set_phase (scene->conversation, BECKON_RUN_RECEIVING, NULL, 0);
  type_text (scene, "And then this");
  g_assert_cmpstr (get_hint (scene), ==, "⏎ queues it for after this turn");
  scene->keys = 0;
  press_enter (scene, 0);
  g_assert_cmpuint (scene->keys, ==, 1);
  g_assert_cmpstr (scene->heard->str, ==, "queue And then this\n");
  assert_typed (scene, "And then this");
  g_assert_null (beckon_conversation_view_sent (BECKON_CONVERSATION_VIEW (scene->view), scene->conversation, NULL));
  add_queued (scene, "one", "And then this");
  assert_typed (scene, "");
  ui_wait_frames (fixture, 2);
  g_assert_nonnull (ui_find_text (scene->view, "And then this"));
  g_assert_cmpstr (get_hint (scene), ==, "⏎ sends the queued message now");
  press_enter (scene, 0);
  g_assert_cmpuint (scene->keys, ==, 2);
  g_assert_cmpstr (scene->heard->str, ==, "queue And then this\nqueued-send one\n");
}

/* Text typed while a message is stored is the next one's beginning. */
static void
test_typed_ahead (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (Scene) scene = scene_new (fixture);
  GtkWidget *view = ui_find_view (scene->view, "Message");

  type_text (scene, "Paint the door.");
  press_enter (scene, 0);
  ui_press (view, GDK_KEY_H, GDK_SHIFT_MASK);
  ui_press (view, GDK_KEY_i, 0);
  ui_press (view, GDK_KEY_c, GDK_CONTROL_MASK);
  assert_typed (scene, "Paint the door.");
  g_assert_null (beckon_conversation_view_sent (BECKON_CONVERSATION_VIEW (scene->view), scene->conversation, NULL));
  assert_typed (scene, "Hi");
  g_assert_cmpstr (scene->heard->str, ==, "send Paint the door.\n");
}

static void
switch_to (Scene *scene, BeckonConversation *conversation)
{
  beckon_conversation_view_set_conversation (BECKON_CONVERSATION_VIEW (scene->view), conversation);
}

/* From a conversation to another and back while a message is stored: its text is not sent twice, words typed ahead go nowhere
 * else, and nothing that was typed since is taken with it. */
static void
test_turned_away (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (Scene) scene = scene_new (fixture);
  g_autoptr (BeckonConversation) other = ui_make_conversation (1);
  BeckonConversationView *view = BECKON_CONVERSATION_VIEW (scene->view);
  g_autoptr (GError) error = g_error_new_literal (G_IO_ERROR, G_IO_ERROR_FAILED, "The disk is full.");
  g_autofree char *ahead = NULL;

  beckon_conversation_set_draft (scene->conversation, "Paint the door.");
  type_text (scene, "Paint the door.");
  press_enter (scene, 0);
  ui_press (ui_find_view (scene->view, "Message"), GDK_KEY_H, GDK_SHIFT_MASK);
  switch_to (scene, other);
  assert_typed (scene, "");
  ui_press (ui_find_view (scene->view, "Message"), GDK_KEY_x, 0);
  switch_to (scene, scene->conversation);
  assert_typed (scene, "Paint the door.");
  ui_press (ui_find_view (scene->view, "Message"), GDK_KEY_i, 0);
  assert_typed (scene, "Paint the door.");
  g_assert_cmpstr (scene->heard->str, ==, "send Paint the door.\n");
  g_assert_null (beckon_conversation_view_sent (view, scene->conversation, NULL));
  assert_typed (scene, "Hi");

  /* The sending ends while the other one is shown. */
  press_enter (scene, 0);
  ui_press (ui_find_view (scene->view, "Message"), GDK_KEY_Z, GDK_SHIFT_MASK);
  switch_to (scene, other);
  type_text (scene, "Of the other");
  ahead = beckon_conversation_view_sent (view, scene->conversation, error);
  g_assert_cmpstr (ahead, ==, "Z");
  assert_typed (scene, "Of the other");
  g_assert_null (ui_find_text (scene->view, "The disk is full."));

  /* Then the composer is free. */
  beckon_conversation_set_draft (scene->conversation, "HiZ");
  switch_to (scene, scene->conversation);
  assert_typed (scene, "HiZ");
  g_string_truncate (scene->heard, 0);
  press_enter (scene, 0);
  g_assert_cmpstr (scene->heard->str, ==, "send HiZ\n");
}

/* Each has its own buttons; one that goes with the next step says so, and is not sent twice. */
static void
test_chips (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (Scene) scene = scene_new (fixture);
  BeckonQueueItem *first;

  beckon_conversation_set_phase (scene->conversation, BECKON_RUN_CALLING, "list_files", 0);
  first = add_queued (scene, "one", "First");
  add_queued (scene, "two", "Second");
  ui_wait_frames (fixture, 2);
  beckon_queue_item_set_sends_now (first, TRUE);
  g_assert_null (ui_find_button (scene->view, "Send now: First"));
  g_assert_nonnull (ui_find_text (scene->view, "With the next step"));
  press_enter (scene, 0);
  g_assert_cmpstr (scene->heard->str, ==, "queued-send two\n");
  ui_click (scene->view, "Edit the queued message: Second");
  ui_click (scene->view, "Remove the queued message: First");
  g_assert_cmpstr (scene->heard->str, ==, "queued-send two\nqueued-edit two\nqueued-remove one\n");
  /* A message being written is not mixed with it. */
  type_text (scene, "Something else");
  g_assert_false (ui_is_usable (ui_find_button (scene->view, "Edit the queued message: Second")));
  type_text (scene, "");
  g_assert_true (ui_is_usable (ui_find_button (scene->view, "Edit the queued message: Second")));
  g_list_store_remove (beckon_conversation_get_queue (scene->conversation), 0);
  g_assert_null (ui_find_text (scene->view, "First"));
  g_assert_nonnull (ui_find_text (scene->view, "Second"));
  g_list_store_remove_all (beckon_conversation_get_queue (scene->conversation));
  g_assert_null (ui_find_type (scene->view, BECKON_TYPE_QUEUE_CHIP));
}

/* They are the conversation's, not the window's. */
static void
test_switched (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (Scene) scene = scene_new (fixture);
  g_autoptr (BeckonConversation) other = ui_make_conversation (1);

  add_queued (scene, "one", "First");
  beckon_conversation_view_set_conversation (BECKON_CONVERSATION_VIEW (scene->view), other);
  g_assert_null (ui_find_type (scene->view, BECKON_TYPE_QUEUE_CHIP));
  press_enter (scene, 0);
  g_assert_cmpstr (scene->heard->str, ==, "");
  beckon_conversation_view_set_conversation (BECKON_CONVERSATION_VIEW (scene->view), scene->conversation);
  g_assert_nonnull (ui_find_text (scene->view, "First"));
}

/* Two keys: the number and Enter. */
static void
test_answer_by_number (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (Scene) scene = scene_new (fixture);
  g_autoptr (BeckonRequest) request = ask_port (fixture);

  wait_for_question (fixture, scene, request);
  type_text (scene, "2");
  g_assert_cmpstr (get_hint (scene), ==, "⏎ answers 2: 9090");
  press_enter (scene, 0);
  g_assert_cmpuint (scene->keys, ==, 2);
  assert_answer (fixture, request, "{\"selected\":[\"9090\"],\"skipped\":false}");
  g_assert_cmpstr (scene->heard->str, ==, "");
  assert_typed (scene, "");
}

#define MORE "Ctrl+Shift+⏎ as a message"
#define PLACEHOLDER "Message, or answer the question above"

static gboolean
is_whole (GtkWidget *label)
{
  return label != NULL && gtk_widget_get_mapped (label) && !pango_layout_is_ellipsized (gtk_label_get_layout (GTK_LABEL (label)));
}

/* (nullable): a label that is on the screen. */
static GtkWidget *
find_shown (Scene *scene, const char *text)
{
  GtkWidget *label = ui_find_text (scene->view, text);

  return label != NULL && gtk_widget_get_mapped (label) ? label : NULL;
}

static void
check_hints (UiFixture *fixture, Scene *scene, int width)
{
  gtk_window_set_default_size (GTK_WINDOW (fixture->window), width, 800);
  type_text (scene, "");
  ui_wait_frames (fixture, 4);
  g_assert_true (is_whole (find_shown (scene, "Message")));
  type_text (scene, "2");
  ui_wait_frames (fixture, 4);
  g_assert_true (is_whole (find_hint (scene->view)));
}

/* The hints about Enter are not cut: those that do not fit are left out. */
static void
test_hint_fits (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (Scene) scene = scene_new (fixture);
  g_autoptr (BeckonRequest) request = ask_port (fixture);
  GtkSettings *settings = gtk_widget_get_settings (scene->view);
  int dpi;

  wait_for_question (fixture, scene, request);
  check_hints (fixture, scene, 1000);
  g_assert_true (is_whole (find_shown (scene, MORE)));
  type_text (scene, "");
  ui_wait_frames (fixture, 4);
  g_assert_true (is_whole (find_shown (scene, PLACEHOLDER)));
  check_hints (fixture, scene, 360);
  g_object_get (settings, "gtk-xft-dpi", &dpi, NULL);
  g_object_set (settings, "gtk-xft-dpi", 2 * 96 * 1024, NULL);
  check_hints (fixture, scene, 360);
  g_assert_null (find_shown (scene, MORE));
  type_text (scene, "");
  ui_wait_frames (fixture, 4);
  g_assert_null (find_shown (scene, PLACEHOLDER));
  g_object_set (settings, "gtk-xft-dpi", dpi, NULL);
}

static void
test_own_words (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (Scene) scene = scene_new (fixture);
  g_autoptr (BeckonRequest) request = ask_port (fixture);

  wait_for_question (fixture, scene, request);
  type_text (scene, "7070");
  g_assert_true (g_str_has_prefix (get_hint (scene), "⏎ answers in your own words"));
  press_enter (scene, 0);
  assert_answer (fixture, request, "{\"selected\":[],\"text\":\"7070\",\"skipped\":false}");
}

static void
test_as_message (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (Scene) scene = scene_new (fixture);
  g_autoptr (BeckonRequest) request = ask_port (fixture);

  wait_for_question (fixture, scene, request);
  type_text (scene, "2");
  press_enter (scene, GDK_CONTROL_MASK | GDK_SHIFT_MASK);
  g_assert_cmpstr (scene->heard->str, ==, "queue 2\n");
  g_assert_cmpint (beckon_request_get_state (request), ==, BECKON_REQUEST_PENDING);
}

/* Each line answers the question that is shown, and the next one is shown. */
static void
test_several (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (Scene) scene = scene_new (fixture);
  g_autoptr (BeckonRequest) request
    = ui_ask (fixture, "{\"questions\":[{\"question\":\"Which port?\",\"header\":\"Port\",\"options\":[\"8080\",\"9090\"]},"
                       "{\"question\":\"Which name?\",\"header\":\"Name\"}]}");

  wait_for_question (fixture, scene, request);
  type_text (scene, "1");
  press_enter (scene, 0);
  assert_typed (scene, "");
  type_text (scene, "1");
  g_assert_true (g_str_has_prefix (get_hint (scene), "⏎ answers in your own words"));
  press_enter (scene, 0);
  assert_typed (scene, "1");
  moved_clock_wait_until (!ui_is_busy (ui_find_type (scene->view, BECKON_TYPE_QUESTION_CARD)));
  press_enter (scene, 0);
  assert_typed (scene, "");
  g_assert_cmpint (beckon_request_get_state (request), ==, BECKON_REQUEST_PENDING);
  moved_clock_wait_until (!ui_is_busy (ui_find_type (scene->view, BECKON_TYPE_QUESTION_CARD)));
  beckon_request_card_submit (ui_find_type (scene->view, BECKON_TYPE_QUESTION_CARD));
  assert_answer (fixture, request, "{\"selected\":[\"8080\"],\"skipped\":false},"
                                   "{\"selected\":[],\"text\":\"1\",\"skipped\":false}");
}

/* A question that comes while something is typed: the line says what Enter means now, and an Enter that was on its way is not
 * taken. */
static void
test_typed_before (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (Scene) scene = scene_new (fixture);
  g_autoptr (BeckonRequest) request = NULL;

  beckon_conversation_set_phase (scene->conversation, BECKON_RUN_RECEIVING, NULL, 0);
  type_text (scene, "1");
  g_assert_cmpstr (get_hint (scene), ==, "⏎ queues it for after this turn");
  request = ask_port (fixture);
  wait_for_card (fixture, scene, request, "ask_user");
  g_assert_true (g_str_has_prefix (get_hint (scene), "⏎ answers 1: 8080"));
  g_assert_true (ui_is_busy (ui_find_type (scene->view, BECKON_TYPE_QUESTION_CARD)));
  press_enter (scene, 0);
  g_assert_cmpint (beckon_request_get_state (request), ==, BECKON_REQUEST_PENDING);
  g_assert_cmpstr (scene->heard->str, ==, "");
  assert_typed (scene, "1");
  moved_clock_wait_until (!ui_is_busy (ui_find_type (scene->view, BECKON_TYPE_QUESTION_CARD)));
  press_enter (scene, 0);
  assert_answer (fixture, request, "{\"selected\":[\"8080\"],\"skipped\":false}");
}

static gboolean
has_typed (Scene *scene)
{
  g_autofree char *typed = dup_typed (scene);

  return *typed != '\0';
}

/* A masked answer has no place where drafts are stored: what is begun there goes on in its own entry, and Enter sends none. */
static void
test_masked (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (Scene) scene = scene_new (fixture);
  g_autoptr (BeckonRequest) request
    = ui_ask (fixture, "{\"questions\":[{\"question\":\"The token?\",\"header\":\"Token\",\"secret\":true}]}");
  GtkWidget *entry;

  wait_for_question (fixture, scene, request);
  type_text (scene, "abc");
  press_enter (scene, 0);
  moved_clock_wait_until (!has_typed (scene));
  entry = ui_find_type (ui_find_type (scene->view, BECKON_TYPE_QUESTION_CARD), GTK_TYPE_ENTRY);
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (entry)), ==, "abc");
  g_assert_cmpint (beckon_request_get_state (request), ==, BECKON_REQUEST_PENDING);
  g_assert_cmpstr (scene->heard->str, ==, "");
}

/* All text that is typed while an approval waits is a message. */
static void
test_approves_nothing (UiFixture *fixture, gconstpointer data)
{
  static const char *const lines[] = { "1", "run", "yes", "Deny it" };
  g_autoptr (Scene) scene = scene_new (fixture);
  g_autoptr (BeckonRequest) request
    = beckon_approval_request_new (NULL, "conversation", "message", "call", "delete_file", "{\"path\":\"a\"}",
                                   NULL, UI_NOW);

  test_ledger_add (fixture->ledger, request);
  beckon_inbox_add (fixture->inbox, request);
  wait_for_card (fixture, scene, request, "delete_file");
  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_autofree char *expected = g_strdup_printf ("queue %s\n", lines[i]);

      g_string_truncate (scene->heard, 0);
      type_text (scene, lines[i]);
      g_assert_cmpstr (get_hint (scene), ==, "⏎ queues it for after this turn");
      press_enter (scene, i == 0 ? GDK_CONTROL_MASK : 0);
      g_assert_cmpstr (scene->heard->str, ==, expected);
      g_assert_null (beckon_conversation_view_sent (BECKON_CONVERSATION_VIEW (scene->view), scene->conversation, NULL));
    }
  g_assert_cmpint (beckon_request_get_state (request), ==, BECKON_REQUEST_PENDING);
}

static BeckonConversation *
begin_in (GListStore *list, const char *title, const char *folder, gint64 at)
{
  g_autoptr (BeckonConversation) conversation = beckon_conversation_new (title, at);

  beckon_conversation_set_title (conversation, title);
  beckon_conversation_set_folder (conversation, folder);
  g_list_store_append (list, conversation);
  return conversation;
}

/* An empty conversation offers the folders that were worked in last, and what was begun there. */
static void
test_beginning (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (GListStore) list = g_list_store_new (BECKON_TYPE_CONVERSATION);
  g_autoptr (Scene) scene = scene_new (fixture);
  g_autoptr (BeckonConversation) empty = beckon_conversation_new ("empty", UI_NOW);

  begin_in (list, "Move the deadline", "/srv/release", UI_NOW - 2);
  begin_in (list, "Paint the door", "/srv/house", UI_NOW - 1);
  begin_in (list, "A question", NULL, UI_NOW);
  beckon_conversation_set_loaded (empty, TRUE);
  beckon_conversation_view_set_sources (BECKON_CONVERSATION_VIEW (scene->view), NULL, NULL, NULL, G_LIST_MODEL (list));
  beckon_conversation_view_set_conversation (BECKON_CONVERSATION_VIEW (scene->view), empty);
  ui_wait_frames (fixture, 2);
  g_assert_nonnull (ui_find_text (scene->view, "What can I help you with?"));
  g_assert_nonnull (ui_find_button (scene->view, "Work in /srv/release"));
  g_assert_nonnull (ui_find_button (scene->view, "Open Paint the door"));
  ui_click (scene->view, "Work in /srv/house");
  ui_click (scene->view, "Open Move the deadline");
  g_assert_true (g_str_has_prefix (scene->heard->str, "set-folder /srv/house\nshow-card "));
  beckon_conversation_view_set_conversation (BECKON_CONVERSATION_VIEW (scene->view), scene->conversation);
  g_assert_null (ui_find_button (scene->view, "Work in /srv/release"));
}

int
main (int argc, char *argv[])
{
  if (!ui_test_init (&argc, &argv))
    return 0;

  ui_test_add ("/ui/compose/queue", test_queue);
  ui_test_add ("/ui/compose/chips", test_chips);
  ui_test_add ("/ui/compose/typed-ahead", test_typed_ahead);
  ui_test_add ("/ui/compose/turned-away", test_turned_away);
  ui_test_add ("/ui/compose/switched", test_switched);
  ui_test_add ("/ui/compose/answer-by-number", test_answer_by_number);
  ui_test_add ("/ui/compose/hint-fits", test_hint_fits);
  ui_test_add ("/ui/compose/own-words", test_own_words);
  ui_test_add ("/ui/compose/as-message", test_as_message);
  ui_test_add ("/ui/compose/several", test_several);
  ui_test_add ("/ui/compose/typed-before", test_typed_before);
  ui_test_add ("/ui/compose/masked", test_masked);
  ui_test_add ("/ui/compose/beginning", test_beginning);
  ui_test_add ("/life/9-a-message-while-something-waits", test_approves_nothing);
  return g_test_run ();
}
