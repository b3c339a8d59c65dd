/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "domain/beckon-conversation.h"
#include "domain/beckon-tool-call.h"

typedef struct
{
  GListModel *list;
  guint position;
  guint removed;
  guint added;
  guint n;
} Changes;

static void
on_items_changed (GListModel *list, guint position, guint removed, guint added, Changes *changes)
{
  changes->position = position;
  changes->removed = removed;
  changes->added = added;
  changes->n++;
}

static Changes *
follow (BeckonConversation *conversation)
{
  Changes *changes = g_new0 (Changes, 1);

  g_signal_connect_data (conversation, "items-changed", G_CALLBACK (on_items_changed), changes, (GClosureNotify) (void (*) (void)) g_free, 0);
  return changes;
}

#define ASSERT_CHANGED(changes, at, gone, came)                                                                        \
  G_STMT_START                                                                                                         \
  {                                                                                                                    \
    g_assert_cmpuint ((changes)->n, ==, 1);                                                                            \
    g_assert_cmpuint ((changes)->position, ==, at);                                                                    \
    g_assert_cmpuint ((changes)->removed, ==, gone);                                                                   \
    g_assert_cmpuint ((changes)->added, ==, came);                                                                     \
    (changes)->n = 0;                                                                                                  \
  }                                                                                                                    \
  G_STMT_END

static BeckonMessage *
add (BeckonConversation *conversation, const char *id)
{
  g_autoptr (BeckonMessage) message = beckon_message_new (id, BECKON_ROLE_USER, 1);

  beckon_conversation_add_message (conversation, message);
  return beckon_conversation_find_message (conversation, id);
}

/* A conversation of the messages "a", "b" and so on. */
static BeckonConversation *
make (guint n)
{
  BeckonConversation *conversation = beckon_conversation_new ("one", 5);

  for (guint i = 0; i < n; i++)
    add (conversation, (const char[]){ (char) ('a' + i), '\0' });
  return conversation;
}

/* The ids of its messages, one after another. */
static void
assert_messages (BeckonConversation *conversation, const char *expected)
{
  g_autoptr (GString) ids = g_string_new (NULL);

  for (guint i = 0; i < beckon_conversation_get_n_messages (conversation); i++)
    g_string_append (ids, beckon_message_get_id (beckon_conversation_get_message (conversation, i)));
  g_assert_cmpstr (ids->str, ==, expected);
}

static GPtrArray *
make_list (const char *ids, gint64 first_seq)
{
  GPtrArray *messages = g_ptr_array_new_with_free_func (g_object_unref);

  for (const char *id = ids; *id != '\0'; id++)
    {
      BeckonMessage *message = beckon_message_new ((const char[]){ *id, '\0' }, BECKON_ROLE_USER, 1);

      beckon_message_set_seq (message, first_seq + (id - ids));
      g_ptr_array_add (messages, message);
    }
  return messages;
}

static void
test_new (void)
{
  g_autoptr (BeckonConversation) conversation = beckon_conversation_new ("one", 5);

  g_assert_cmpstr (beckon_conversation_get_id (conversation), ==, "one");
  g_assert_cmpint (beckon_conversation_get_created_at (conversation), ==, 5);
  g_assert_cmpint (beckon_conversation_get_updated_at (conversation), ==, 5);
  g_assert_cmpstr (beckon_conversation_get_title (conversation), ==, "");
  g_assert_cmpint (beckon_conversation_get_title_source (conversation), ==, BECKON_TITLE_MESSAGE);
  g_assert_null (beckon_conversation_get_profile_id (conversation));
  g_assert_null (beckon_conversation_get_folder (conversation));
  g_assert_cmpint (beckon_conversation_get_mode (conversation), ==, BECKON_MODE_ASK_CHANGES);
  g_assert_cmpint (beckon_conversation_get_effort (conversation), ==, BECKON_EFFORT_DEFAULT);
  g_assert_false (beckon_conversation_get_has_run (conversation));
  g_assert_false (beckon_conversation_is_busy (conversation));
  g_assert_true (beckon_conversation_has_empty_draft (conversation));
  g_assert_cmpint (beckon_conversation_get_next_seq (conversation), ==, 0);
}

static void
count (guint *n)
{
  ++*n;
}

/* Each property is notified when it changes, and only then. */
static void
test_notified (void)
{
  g_autoptr (BeckonConversation) conversation = beckon_conversation_new ("one", 5);
  guint n = 0;

#define SET(name, field, value)                                                                                        \
  G_STMT_START                                                                                                         \
  {                                                                                                                    \
    gulong handler = g_signal_connect_swapped (conversation, "notify::" name, G_CALLBACK (count), &n);                 \
                                                                                                                       \
    n = 0;                                                                                                             \
    beckon_conversation_set_##field (conversation, value);                                                             \
    g_assert_cmpuint (n, ==, 1);                                                                                       \
    beckon_conversation_set_##field (conversation, value);                                                             \
    g_assert_cmpuint (n, ==, 1);                                                                                       \
    g_signal_handler_disconnect (conversation, handler);                                                               \
  }                                                                                                                    \
  G_STMT_END

  SET ("title", title, "A title");
  SET ("updated-at", updated_at, 6);
  SET ("profile-id", profile_id, "p");
  SET ("loaded", loaded, TRUE);
  SET ("waiting", waiting, 2);
  SET ("draft", draft, "And");
  SET ("pinned", pinned, TRUE);
  SET ("archived", archived, TRUE);
  SET ("unread", unread, TRUE);
  SET ("temporary", temporary, TRUE);
  SET ("folder", folder, "/home/ada");
  SET ("mode", mode, BECKON_MODE_ASK_OUTSIDE);
  SET ("effort", effort, BECKON_EFFORT_HIGH);
  SET ("profile-id", profile_id, NULL);
  SET ("folder", folder, NULL);
#undef SET

  /* %NULL is the same as nothing. */
  beckon_conversation_set_title (conversation, NULL);
  g_assert_cmpstr (beckon_conversation_get_title (conversation), ==, "");
  beckon_conversation_set_draft (conversation, NULL);
  g_assert_cmpstr (beckon_conversation_get_draft (conversation), ==, "");
}

/* A text that is set to itself is not freed first. */
static void
test_set_to_itself (void)
{
  g_autoptr (BeckonConversation) conversation = beckon_conversation_new ("one", 5);

  beckon_conversation_set_title (conversation, "The title");
  beckon_conversation_set_title (conversation, beckon_conversation_get_title (conversation) + 4);
  g_assert_cmpstr (beckon_conversation_get_title (conversation), ==, "title");
  beckon_conversation_set_folder (conversation, "//home");
  beckon_conversation_set_folder (conversation, beckon_conversation_get_folder (conversation) + 1);
  g_assert_cmpstr (beckon_conversation_get_folder (conversation), ==, "/home");
}

static void
test_draft (void)
{
  g_autoptr (BeckonConversation) conversation = beckon_conversation_new ("one", 5);
  g_autoptr (BeckonPart) part = beckon_part_new (BECKON_PART_TEXT, "a file");
  guint n = 0;

  g_signal_connect_swapped (conversation, "notify::draft", G_CALLBACK (count), &n);
  g_list_store_append (beckon_conversation_get_files (conversation), part);
  g_assert_cmpuint (n, ==, 1);
  g_assert_false (beckon_conversation_has_empty_draft (conversation));
  beckon_conversation_set_draft (conversation, "And");
  g_list_store_remove_all (beckon_conversation_get_files (conversation));
  g_assert_cmpuint (n, ==, 3);
  g_assert_false (beckon_conversation_has_empty_draft (conversation));
  beckon_conversation_set_draft (conversation, "");
  g_assert_true (beckon_conversation_has_empty_draft (conversation));
}

typedef struct
{
  BeckonRunPhase phase;
  char *detail;
  gint64 retry_at;
} Seen;

static void
on_phase (BeckonConversation *conversation, GParamSpec *property, Seen *seen)
{
  g_free (seen->detail);
  *seen = (Seen){ beckon_conversation_get_phase (conversation), g_strdup (beckon_conversation_get_detail (conversation)),
                  beckon_conversation_get_retry_at (conversation) };
}

/* Phase, detail and time change together. */
static void
test_phase (void)
{
  g_autoptr (BeckonConversation) conversation = beckon_conversation_new ("one", 5);
  Seen seen = { 0 };

  g_signal_connect (conversation, "notify::phase", G_CALLBACK (on_phase), &seen);
  beckon_conversation_set_phase (conversation, BECKON_RUN_RETRY_WAIT, "Rate limit reached.", 77);
  g_assert_cmpint (seen.phase, ==, BECKON_RUN_RETRY_WAIT);
  g_assert_cmpstr (seen.detail, ==, "Rate limit reached.");
  g_assert_cmpint (seen.retry_at, ==, 77);
  g_assert_true (beckon_conversation_get_has_run (conversation));
  g_assert_true (beckon_conversation_is_busy (conversation));
  beckon_conversation_set_phase (conversation, BECKON_RUN_REQUESTING, NULL, 0);
  g_assert_null (seen.detail);
  g_assert_cmpint (seen.retry_at, ==, 0);
  g_free (seen.detail);
}

/* A run that ends by itself while it is observed leaves the conversation unread; one that was over, or was stopped, does not. */
static void
test_unread (void)
{
  for (int phase = 0; phase < BECKON_RUN_N_PHASES; phase++)
    {
      g_autoptr (BeckonConversation) observed = beckon_conversation_new ("one", 5);
      g_autoptr (BeckonConversation) loaded = beckon_conversation_new ("two", 5);
      gboolean is_end = beckon_run_phase_is_end ((BeckonRunPhase) phase);

      beckon_conversation_set_phase (loaded, (BeckonRunPhase) phase, NULL, 0);
      g_assert_false (beckon_conversation_get_unread (loaded));
      g_assert_cmpint (beckon_conversation_is_busy (loaded), ==, !is_end);

      beckon_conversation_set_phase (observed, BECKON_RUN_RECEIVING, NULL, 0);
      beckon_conversation_set_phase (observed, (BeckonRunPhase) phase, NULL, 0);
      g_assert_cmpint (beckon_conversation_get_unread (observed), ==, is_end && phase != BECKON_RUN_STOPPED);

      if (is_end)
        {
          beckon_conversation_set_unread (observed, FALSE);
          beckon_conversation_set_phase (observed, BECKON_RUN_FAILED, NULL, 0);
          g_assert_false (beckon_conversation_get_unread (observed));
        }
    }
}

static void
test_added (void)
{
  g_autoptr (BeckonConversation) conversation = make (2);
  g_autoptr (BeckonMessage) late = beckon_message_new ("z", BECKON_ROLE_ASSISTANT, 1);
  Changes *changes = follow (conversation);

  g_assert_cmpint (beckon_message_get_seq (beckon_conversation_get_message (conversation, 0)), ==, 0);
  g_assert_null (beckon_message_get_parent_id (beckon_conversation_get_message (conversation, 0)));
  g_assert_cmpstr (beckon_message_get_parent_id (beckon_conversation_get_message (conversation, 1)), ==, "a");

  /* A place that it has is kept, with a gap or without. */
  beckon_message_set_seq (late, 9);
  beckon_conversation_add_message (conversation, late);
  ASSERT_CHANGED (changes, 2, 0, 1);
  g_assert_cmpint (beckon_message_get_seq (late), ==, 9);
  g_assert_cmpint (beckon_conversation_get_next_seq (conversation), ==, 10);
  assert_messages (conversation, "abz");
}

/* A branch that is left is a version of its place, and the next message another one. */
static void
test_left (void)
{
  g_autoptr (BeckonConversation) conversation = make (3);
  Changes *changes = follow (conversation);
  BeckonMessage *message;

  beckon_conversation_leave (conversation, 1);
  ASSERT_CHANGED (changes, 1, 2, 0);
  assert_messages (conversation, "a");
  g_assert_cmpuint (beckon_message_get_n_left (beckon_conversation_get_message (conversation, 0)), ==, 1);
  message = add (conversation, "x");
  g_assert_cmpuint (beckon_message_get_version (message), ==, 1);
  g_assert_cmpuint (beckon_message_get_n_versions (message), ==, 2);
  g_assert_cmpint (beckon_message_get_seq (message), ==, 1);
  g_assert_cmpuint (beckon_message_get_n_left (beckon_conversation_get_message (conversation, 0)), ==, 0);

  /* The third version, and the first message, which follows none. */
  beckon_conversation_leave (conversation, 1);
  message = add (conversation, "y");
  g_assert_cmpuint (beckon_message_get_version (message), ==, 2);
  beckon_conversation_leave (conversation, 0);
  assert_messages (conversation, "");
  message = add (conversation, "z");
  g_assert_cmpuint (beckon_message_get_version (message), ==, 1);
  g_assert_null (beckon_message_get_parent_id (message));
  message = add (conversation, "zz");
  g_assert_cmpuint (beckon_message_get_n_versions (message), ==, 1);
}

/* The same objects at the end are not taken out and put back. */
static void
test_replaced (void)
{
  g_autoptr (BeckonConversation) conversation = make (4);
  g_autoptr (GPtrArray) tail = make_list ("xy", 1);
  g_autoptr (GPtrArray) none = g_ptr_array_new ();
  Changes *changes = follow (conversation);

  g_ptr_array_add (tail, g_object_ref (beckon_conversation_get_message (conversation, 3)));
  beckon_conversation_replace_tail (conversation, 1, tail);
  ASSERT_CHANGED (changes, 1, 2, 2);
  assert_messages (conversation, "axyd");
  beckon_conversation_replace_tail (conversation, 1, tail);
  g_assert_cmpuint (changes->n, ==, 0);
  beckon_conversation_replace_tail (conversation, 4, none);
  g_assert_cmpuint (changes->n, ==, 0);
  beckon_conversation_replace_tail (conversation, 0, none);
  ASSERT_CHANGED (changes, 0, 4, 0);
}

/* A message behind it follows the one before, and the next one takes its place: neither is a version of it. */
static void
test_dropped (void)
{
  g_autoptr (BeckonConversation) conversation = make (2);
  g_autoptr (BeckonMessage) dropped = NULL;
  Changes *changes = follow (conversation);
  BeckonMessage *message, *note;

  beckon_conversation_leave (conversation, 1);
  dropped = g_object_ref (add (conversation, "x"));
  beckon_message_set_status (dropped, BECKON_MESSAGE_STREAMING);
  note = add (conversation, "n");
  changes->n = 0;
  g_assert_false (beckon_conversation_has_dropped (conversation, dropped));
  beckon_conversation_drop_message (conversation, dropped);
  ASSERT_CHANGED (changes, 1, 1, 0);
  assert_messages (conversation, "an");
  g_assert_true (beckon_conversation_has_dropped (conversation, dropped));
  g_assert_cmpstr (beckon_message_get_parent_id (note), ==, "a");
  g_assert_cmpuint (beckon_message_get_version (note), ==, 1);
  g_assert_cmpuint (beckon_message_get_n_versions (note), ==, 2);
  beckon_conversation_drop_message (conversation, dropped);
  g_assert_cmpuint (changes->n, ==, 0);

  beckon_conversation_drop_message (conversation, note);
  message = add (conversation, "y");
  g_assert_cmpuint (beckon_message_get_version (message), ==, 1);
  g_assert_cmpuint (beckon_message_get_n_versions (message), ==, 2);
  assert_messages (conversation, "ay");
}

static void
test_earlier (void)
{
  g_autoptr (BeckonConversation) conversation = beckon_conversation_new ("one", 5);
  g_autoptr (GPtrArray) page = make_list ("cd", 2);
  g_autoptr (GPtrArray) earlier = make_list ("abX", 0);
  Changes *changes = follow (conversation);

  beckon_conversation_set_messages (conversation, page);
  ASSERT_CHANGED (changes, 0, 0, 2);

  /* A message that is there already is not added twice. */
  beckon_conversation_prepend_messages (conversation, earlier);
  ASSERT_CHANGED (changes, 0, 0, 2);
  assert_messages (conversation, "abcd");
  beckon_conversation_prepend_messages (conversation, earlier);
  g_assert_cmpuint (changes->n, ==, 0);

  beckon_conversation_forget_earlier (conversation, 4);
  g_assert_cmpuint (changes->n, ==, 0);
  g_assert_false (beckon_conversation_get_has_earlier (conversation));
  beckon_conversation_forget_earlier (conversation, 1);
  ASSERT_CHANGED (changes, 0, 3, 0);
  assert_messages (conversation, "d");
  g_assert_true (beckon_conversation_get_has_earlier (conversation));
  g_assert_cmpint (beckon_conversation_get_next_seq (conversation), ==, 4);
}

/* A call is found by our id, the last one first, and so is a step of a plan. */
static void
test_found (void)
{
  g_autoptr (BeckonConversation) conversation = make (2);
  g_autoptr (BeckonToolCall) call = beckon_tool_call_new ("ours", "theirs", "run_plan", "{}");
  g_autoptr (BeckonToolCall) step = beckon_tool_call_new_step ("step", call, "s1", "list_files", "{}");
  g_autoptr (BeckonPart) part = beckon_part_new_call (call);
  guint position = 7;

  beckon_message_add_part (beckon_conversation_get_message (conversation, 0), part);
  beckon_tool_call_add_step (call, step);
  g_assert_true (beckon_conversation_find_call (conversation, "ours") == call);
  g_assert_true (beckon_conversation_find_call (conversation, "step") == step);
  g_assert_null (beckon_conversation_find_call (conversation, "theirs"));
  g_assert_true (beckon_conversation_find_position (conversation, "b", &position));
  g_assert_cmpuint (position, ==, 1);
  g_assert_false (beckon_conversation_find_position (conversation, "c", &position));
  g_assert_cmpuint (position, ==, 1);
  g_assert_null (beckon_conversation_find_message (conversation, "c"));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, function) g_test_add_func ("/domain/conversation/" name, function)
  ADD ("new", test_new);
  ADD ("notified", test_notified);
  ADD ("set-to-itself", test_set_to_itself);
  ADD ("draft", test_draft);
  ADD ("phase", test_phase);
  ADD ("unread", test_unread);
  ADD ("added", test_added);
  ADD ("left", test_left);
  ADD ("replaced", test_replaced);
  ADD ("dropped", test_dropped);
  ADD ("earlier", test_earlier);
  ADD ("found", test_found);
  return g_test_run ();
}
