/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/beckon-id.h"
#include "domain/beckon-conversation.h"
#include "domain/beckon-tool-names.h"

typedef struct
{
  guint n;
  guint position;
  guint removed;
  guint added;
} Changes;

static void
on_items_changed (GListModel *model, guint position, guint removed, guint added, Changes *changes)
{
  changes->n++;
  changes->position = position;
  changes->removed = removed;
  changes->added = added;
}

static void
count (guint *counter)
{
  (*counter)++;
}

static void
on_appended (BeckonPart *part, const char *delta, guint length, GString *seen)
{
  g_string_append_len (seen, delta, length);
}

static void
test_part (void)
{
  g_autoptr (BeckonPart) part = beckon_part_new (BECKON_PART_TEXT, "Gr");
  GString *seen = g_string_new (NULL);

  g_signal_connect (part, "appended", G_CALLBACK (on_appended), seen);
  beckon_part_append (part, "\xc3\xbc\xc3\x9f", 4);
  beckon_part_append (part, "", 0);
  beckon_part_append (part, "e\0!", 3);

  g_assert_cmpmem (seen->str, seen->len, "\xc3\xbc\xc3\x9f" "e\0!", 7);
  g_assert_cmpmem (beckon_part_get_text (part), beckon_part_get_length (part), "Gr\xc3\xbc\xc3\x9f" "e\0!", 9);
  g_assert_null (beckon_part_get_call (part));
  g_assert_null (beckon_part_get_origin (part));
  beckon_part_set_origin (part, "chat");
  g_assert_cmpstr (beckon_part_get_origin (part), ==, "chat");

  g_string_free (seen, TRUE);
}

static void
test_part_empty (void)
{
  g_autoptr (BeckonPart) part = beckon_part_new (BECKON_PART_REASONING, NULL);

  g_assert_cmpstr (beckon_part_get_text (part), ==, "");
  g_assert_cmpuint (beckon_part_get_length (part), ==, 0);
}

static void
test_message (void)
{
  g_autoptr (BeckonMessage) message = beckon_message_new (NULL, BECKON_ROLE_ASSISTANT, 5);
  g_autoptr (BeckonToolCall) call = beckon_tool_call_new (NULL, NULL, "look", "{}");
  g_autoptr (BeckonPart) reasoning = beckon_part_new (BECKON_PART_REASONING, "hm");
  g_autoptr (BeckonPart) first = beckon_part_new (BECKON_PART_TEXT, "one ");
  g_autoptr (BeckonPart) second = beckon_part_new_call (call);
  g_autoptr (BeckonPart) third = beckon_part_new (BECKON_PART_TEXT, "two");
  g_autofree char *text = NULL;
  Changes changes = { 0 };
  guint notified = 0;

  g_assert_true (beckon_id_is_valid (beckon_message_get_id (message)));
  g_assert_cmpint (beckon_message_get_seq (message), ==, -1);
  g_assert_cmpint (beckon_message_get_usage (message)->input, ==, -1);
  g_assert_cmpint (beckon_message_get_status (message), ==, BECKON_MESSAGE_COMPLETE);

  g_signal_connect (message, "items-changed", G_CALLBACK (on_items_changed), &changes);
  g_signal_connect_swapped (message, "notify::status", G_CALLBACK (count), &notified);
  beckon_message_add_part (message, reasoning);
  beckon_message_add_part (message, first);
  beckon_message_add_part (message, second);
  beckon_message_add_part (message, third);
  beckon_message_set_status (message, BECKON_MESSAGE_STREAMING);
  beckon_message_set_status (message, BECKON_MESSAGE_STREAMING);

  g_assert_cmpuint (changes.n, ==, 4);
  g_assert_cmpuint (changes.position, ==, 3);
  g_assert_cmpuint (changes.added, ==, 1);
  g_assert_cmpuint (notified, ==, 1);
  text = beckon_message_dup_text (message);
  g_assert_cmpstr (text, ==, "one two");
  g_assert_true (g_list_model_get_item_type (G_LIST_MODEL (message)) == BECKON_TYPE_PART);
  g_assert_null (g_list_model_get_item (G_LIST_MODEL (message), 4));
}

static void
test_message_words (void)
{
  BeckonMessageStatus status;

  for (int i = 0; i < BECKON_MESSAGE_N_STATUSES; i++)
    {
      const char *word = beckon_message_status_to_string ((BeckonMessageStatus) i);

      g_assert_true (beckon_message_status_from_string (word, &status));
      g_assert_cmpint ((int) status, ==, i);
    }
  g_assert_false (beckon_message_status_from_string ("whole", &status));
  g_assert_false (beckon_message_status_from_string (NULL, &status));
}

static void
test_call (void)
{
  g_autoptr (BeckonToolCall) call = beckon_tool_call_new (NULL, NULL, "look", "{\"a\":1}");
  g_autoptr (BeckonToolCall) other = beckon_tool_call_new ("ours", "theirs", "look", "{}");
  g_autoptr (GObject) request = g_object_new (G_TYPE_OBJECT, NULL);
  guint notified = 0;

  g_assert_cmpstr (beckon_tool_call_get_provider_id (call), ==, beckon_tool_call_get_id (call));
  g_assert_cmpstr (beckon_tool_call_get_provider_id (other), ==, "theirs");
  g_assert_cmpstr (beckon_tool_call_get_id (other), ==, "ours");

  g_signal_connect_swapped (call, "notify", G_CALLBACK (count), &notified);
  g_assert_cmpint (beckon_tool_call_apply (call, BECKON_CALL_EVENT_ASKED), ==, BECKON_CALL_AWAITING);
  beckon_tool_call_set_request (call, request);
  beckon_tool_call_set_output (call, "…");
  beckon_tool_call_set_output (call, "…");
  g_assert_cmpuint (notified, ==, 3);
  g_assert_true (beckon_tool_call_get_request (call) == request);

  g_assert_null (beckon_tool_call_get_result (call));
  beckon_tool_call_set_result (call, "blue", TRUE);
  g_assert_cmpint (beckon_tool_call_apply (call, BECKON_CALL_EVENT_SETTLED_RESULT), ==, BECKON_CALL_DONE);
  g_assert_cmpstr (beckon_tool_call_get_result (call), ==, "blue");
  g_assert_true (beckon_tool_call_get_is_error (call));
  g_assert_cmpuint (notified, ==, 6);
}

static void
test_call_outside_table (void)
{
  if (g_test_subprocess ())
    {
      g_autoptr (BeckonToolCall) call = beckon_tool_call_new ("c", NULL, "look", "{}");

      beckon_tool_call_apply (call, BECKON_CALL_EVENT_STARTED);
      return;
    }

  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
  g_test_trap_assert_failed ();
  g_test_trap_assert_stderr ("*not possible in state proposed*");
}

static void
test_call_second_result (void)
{
  g_autoptr (BeckonToolCall) call = beckon_tool_call_new ("c", NULL, "look", "{}");

  beckon_tool_call_set_result (call, "first", FALSE);
  g_test_expect_message ("beckon-domain", G_LOG_LEVEL_CRITICAL, "*result == NULL*");
  beckon_tool_call_set_result (call, "second", FALSE);
  g_test_assert_expected_messages ();
  g_assert_cmpstr (beckon_tool_call_get_result (call), ==, "first");
}

static BeckonMessage *
add_message (BeckonConversation *conversation, const char *id, const char *call_id)
{
  g_autoptr (BeckonMessage) message = beckon_message_new (id, BECKON_ROLE_ASSISTANT, 1);
  g_autoptr (BeckonToolCall) call = beckon_tool_call_new (call_id, NULL, "look", "{}");
  g_autoptr (BeckonPart) part = beckon_part_new_call (call);

  beckon_message_add_part (message, part);
  beckon_conversation_add_message (conversation, message);

  return message;
}

static void
test_conversation (void)
{
  g_autoptr (BeckonConversation) conversation = beckon_conversation_new ("c", 7);
  g_autoptr (GPtrArray) loaded = g_ptr_array_new_with_free_func (g_object_unref);
  Changes changes = { 0 };

  g_signal_connect (conversation, "items-changed", G_CALLBACK (on_items_changed), &changes);
  add_message (conversation, "m0", "k0");
  add_message (conversation, "m1", "k1");

  g_assert_cmpuint (beckon_conversation_get_n_messages (conversation), ==, 2);
  g_assert_cmpint (beckon_message_get_seq (beckon_conversation_get_message (conversation, 1)), ==, 1);
  g_assert_true (beckon_conversation_find_message (conversation, "m0") == beckon_conversation_get_message (conversation, 0));
  g_assert_null (beckon_conversation_find_message (conversation, "m9"));
  g_assert_cmpstr (beckon_tool_call_get_id (beckon_conversation_find_call (conversation, "k0")), ==, "k0");
  g_assert_null (beckon_conversation_find_call (conversation, "k9"));
  g_assert_cmpuint (changes.n, ==, 2);

  g_ptr_array_add (loaded, beckon_message_new ("m5", BECKON_ROLE_USER, 1));
  beckon_message_set_seq (g_ptr_array_index (loaded, 0), 5);
  beckon_conversation_set_messages (conversation, loaded);
  g_assert_cmpuint (changes.removed, ==, 2);
  g_assert_cmpuint (changes.added, ==, 1);
  add_message (conversation, "m6", "k6");
  g_assert_cmpint (beckon_message_get_seq (beckon_conversation_get_message (conversation, 1)), ==, 6);
}

/* An observer must see a phase, its detail and its time together. */
static void
on_phase (BeckonConversation *conversation, GParamSpec *pspec, guint *seen)
{
  g_assert_true (beckon_conversation_get_has_run (conversation));
  g_assert_cmpint (beckon_conversation_get_phase (conversation), ==, BECKON_RUN_RETRY_WAIT);
  g_assert_cmpstr (beckon_conversation_get_detail (conversation), ==, "busy");
  g_assert_cmpint (beckon_conversation_get_retry_at (conversation), ==, 99);
  (*seen)++;
}

static void
test_conversation_phase (void)
{
  g_autoptr (BeckonConversation) conversation = beckon_conversation_new ("c", 7);
  gulong handler;
  guint seen = 0;

  g_assert_false (beckon_conversation_get_has_run (conversation));
  g_assert_false (beckon_conversation_is_busy (conversation));

  handler = g_signal_connect (conversation, "notify", G_CALLBACK (on_phase), &seen);
  beckon_conversation_set_phase (conversation, BECKON_RUN_RETRY_WAIT, "busy", 99);
  g_assert_cmpuint (seen, ==, 4);
  beckon_conversation_set_phase (conversation, BECKON_RUN_RETRY_WAIT, "busy", 99);
  g_assert_cmpuint (seen, ==, 4);
  g_assert_true (beckon_conversation_is_busy (conversation));

  g_signal_handler_disconnect (conversation, handler);
  beckon_conversation_set_phase (conversation, BECKON_RUN_FAILED, "no", 0);
  g_assert_false (beckon_conversation_is_busy (conversation));
}

static void
test_conversation_properties (void)
{
  g_autoptr (BeckonConversation) conversation = beckon_conversation_new ("c", 7);
  guint notified = 0;

  g_assert_cmpstr (beckon_conversation_get_title (conversation), ==, "");
  g_assert_cmpstr (beckon_conversation_get_draft (conversation), ==, "");
  g_assert_cmpint (beckon_conversation_get_updated_at (conversation), ==, 7);

  g_signal_connect_swapped (conversation, "notify", G_CALLBACK (count), &notified);
  for (guint i = 0; i < 2; i++)
    {
      beckon_conversation_set_title (conversation, "t");
      beckon_conversation_set_draft (conversation, "d");
      beckon_conversation_set_profile_id (conversation, "p");
      beckon_conversation_set_updated_at (conversation, 8);
      beckon_conversation_set_waiting (conversation, 2);
      beckon_conversation_set_loaded (conversation, TRUE);
      g_assert_cmpuint (notified, ==, 6);
    }

  beckon_conversation_set_title (conversation, NULL);
  g_assert_cmpstr (beckon_conversation_get_title (conversation), ==, "");
}

static void
test_tool_definition (void)
{
  g_autoptr (BeckonToolDefinition) definition = beckon_tool_definition_new ("look", "Looks.", "{}", TRUE);
  g_autoptr (BeckonToolDefinition) again = beckon_tool_definition_ref (definition);

  g_assert_true (again == definition);
  g_assert_cmpstr (again->name, ==, "look");
  g_assert_cmpstr (again->description, ==, "Looks.");
  g_assert_cmpstr (again->schema, ==, "{}");
  g_assert_true (again->read_only);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/domain/part/append", test_part);
  g_test_add_func ("/domain/part/empty", test_part_empty);
  g_test_add_func ("/domain/message/parts", test_message);
  g_test_add_func ("/domain/message/words", test_message_words);
  g_test_add_func ("/domain/call/object", test_call);
  g_test_add_func ("/domain/call/outside-the-table", test_call_outside_table);
  g_test_add_func ("/domain/call/second-result", test_call_second_result);
  g_test_add_func ("/domain/conversation/messages", test_conversation);
  g_test_add_func ("/domain/conversation/phase-is-whole", test_conversation_phase);
  g_test_add_func ("/domain/conversation/properties", test_conversation_properties);
  g_test_add_func ("/domain/tool-definition", test_tool_definition);

  return g_test_run ();
}
