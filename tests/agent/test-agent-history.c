/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/beckon-history.h"
#include "base/beckon-json.h"
#include "llm/beckon-codec.h"

#include <string.h>

#define N_RANDOM 3000

/* Histories that were imported, are old, or come from a confused model: whatever they are, what is sent is what the protocol
 * takes, and nothing that was said is missing. */

static GPtrArray *
history_new (void)
{
  return g_ptr_array_new_with_free_func (g_object_unref);
}

static BeckonMessage *
say (GPtrArray *history, BeckonRole role, const char *text)
{
  BeckonMessage *message = beckon_message_new (NULL, role, 1);
  g_autoptr (BeckonPart) part = beckon_part_new (BECKON_PART_TEXT, text);

  if (text != NULL)
    beckon_message_add_part (message, part);
  g_ptr_array_add (history, message);
  return message;
}

static BeckonToolCall *
call (BeckonMessage *message, const char *id, BeckonCallState state, const char *result)
{
  g_autoptr (BeckonToolCall) call = beckon_tool_call_new (NULL, id, "note", "{\"n\":1}");
  g_autoptr (BeckonPart) part = beckon_part_new_call (call);

  beckon_tool_call_set_state (call, state);
  if (result != NULL)
    beckon_tool_call_set_result (call, result, FALSE);
  beckon_message_add_part (message, part);
  return call;
}

static GPtrArray *
encode (GPtrArray *history, JsonNode **root)
{
  g_autoptr (BeckonProfile) profile = beckon_profile_new ("p", BECKON_PROFILE_CHAT);
  g_autoptr (BeckonLlmRequest) request = beckon_llm_request_new (profile, NULL);
  GPtrArray *messages = g_ptr_array_new ();
  g_autoptr (GBytes) body = NULL;
  JsonArray *array;

  for (guint i = 0; i < history->len; i++)
    beckon_llm_request_add_message (request, g_ptr_array_index (history, i));
  body = beckon_codec_lookup ("chat")->encode (request);
  *root = beckon_json_parse (g_bytes_get_data (body, NULL), (gssize) g_bytes_get_size (body), NULL);
  g_assert_nonnull (*root);
  array = json_object_get_array_member (json_node_get_object (*root), "messages");
  for (guint i = 0; i < json_array_get_length (array); i++)
    g_ptr_array_add (messages, json_array_get_object_element (array, i));
  return messages;
}

/* As "user Hello|assistant|call a|tool a it": what a server gets to see. */
static char *
dump_wire (GPtrArray *history)
{
  g_autoptr (JsonNode) root = NULL;
  g_autoptr (GPtrArray) messages = encode (history, &root);
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < messages->len; i++)
    {
      JsonObject *message = g_ptr_array_index (messages, i);
      const char *id = beckon_json_get_string (message, "tool_call_id");
      const char *text = beckon_json_get_string (message, "content");
      JsonArray *calls = beckon_json_get_array (message, "tool_calls");

      g_ptr_array_add (lines, g_strconcat (beckon_json_get_string (message, "role"), id != NULL ? " " : "",
                                           id != NULL ? id : "", text != NULL ? " " : "", text, NULL));
      for (guint j = 0; calls != NULL && j < json_array_get_length (calls); j++)
        g_ptr_array_add (
            lines, g_strconcat ("call ", beckon_json_get_string (json_array_get_object_element (calls, j), "id"), NULL));
    }
  g_ptr_array_add (lines, NULL);
  return g_strjoinv ("|", (char **) lines->pdata);
}

static void
assert_repaired (GPtrArray *history, const char *expected)
{
  g_autoptr (GPtrArray) repaired = beckon_history_repair (history, "chat");
  g_autofree char *wire = dump_wire (repaired);

  g_assert_cmpstr (wire, ==, expected);
}

static void
test_well (void)
{
  g_autoptr (GPtrArray) history = history_new ();
  g_autoptr (GPtrArray) repaired = NULL;
  BeckonMessage *reply;

  say (history, BECKON_ROLE_USER, "Hello");
  reply = say (history, BECKON_ROLE_ASSISTANT, "I look.");
  call (reply, "a", BECKON_CALL_DONE, "it");
  call (reply, "b", BECKON_CALL_DONE, "that");
  say (history, BECKON_ROLE_ASSISTANT, "Here.");
  repaired = beckon_history_repair (history, "chat");
  g_assert_cmpuint (repaired->len, ==, history->len);
  for (guint i = 0; i < history->len; i++)
    g_assert_true (repaired->pdata[i] == history->pdata[i]);
  assert_repaired (history, "user Hello|assistant I look.|call a|call b|tool a it|tool b that|assistant Here.");
}

static void
test_missing (void)
{
  static const char *const words[BECKON_CALL_N_STATES] = {
    [BECKON_CALL_PROPOSED] = "This call was not run.",   [BECKON_CALL_AWAITING] = "This call was not run.",
    [BECKON_CALL_DECIDED] = "This call was not run.",    [BECKON_CALL_STARTED] = "This call has not ended yet.",
    [BECKON_CALL_DONE] = "was lost",                     [BECKON_CALL_UNKNOWN] = "Whether it took effect is not known.",
    [BECKON_CALL_CANCELLED] = "This call was not run.",
  };

  for (guint state = 0; state < BECKON_CALL_N_STATES; state++)
    {
      g_autoptr (GPtrArray) history = history_new ();
      g_autoptr (GPtrArray) repaired = NULL;
      BeckonToolCall *open, *sent;

      say (history, BECKON_ROLE_USER, "Hello");
      open = call (say (history, BECKON_ROLE_ASSISTANT, NULL), "a", (BeckonCallState) state, NULL);
      repaired = beckon_history_repair (history, "chat");
      sent = beckon_part_get_call (beckon_message_get_part (repaired->pdata[1], 0));
      g_assert_nonnull (words[state]);
      g_assert_nonnull (strstr (beckon_tool_call_get_result (sent), words[state]));
      g_assert_true (beckon_tool_call_get_is_error (sent));
      /* The stored messages are not touched. */
      g_assert_cmpint (beckon_tool_call_get_state (open), ==, state);
      g_assert_null (beckon_tool_call_get_result (open));
    }
}

/* 43, 44: ids that repeat in a turn and over turns, and none at all. */
static void
test_ids (void)
{
  g_autoptr (GPtrArray) history = history_new ();
  BeckonMessage *reply;
  BeckonToolCall *second, *third, *fourth;
  g_autofree char *expected = NULL;

  say (history, BECKON_ROLE_USER, "Hello");
  reply = say (history, BECKON_ROLE_ASSISTANT, NULL);
  call (reply, "call_0", BECKON_CALL_DONE, "1");
  second = call (reply, "call_0", BECKON_CALL_DONE, "2");
  third = call (reply, NULL, BECKON_CALL_DONE, "3");
  reply = say (history, BECKON_ROLE_ASSISTANT, NULL);
  fourth = call (reply, "call_0", BECKON_CALL_DONE, "4");
  call (reply, "call_1", BECKON_CALL_DONE, "5");
  expected = g_strdup_printf ("user Hello|assistant|call call_0|call %1$s|call %2$s|tool call_0 1|tool %1$s 2|tool %2$s 3|"
                              "assistant|call %3$s|call call_1|tool %3$s 4|tool call_1 5",
                              beckon_tool_call_get_id (second), beckon_tool_call_get_id (third),
                              beckon_tool_call_get_id (fourth));
  assert_repaired (history, expected);
}

/* The same call twice has its one result once. */
static void
test_doubled (void)
{
  g_autoptr (GPtrArray) history = history_new ();
  BeckonMessage *reply;
  g_autoptr (BeckonPart) again = NULL;

  say (history, BECKON_ROLE_USER, "Hello");
  reply = say (history, BECKON_ROLE_ASSISTANT, NULL);
  again = beckon_part_new_call (call (reply, "a", BECKON_CALL_DONE, "it"));
  beckon_message_add_part (reply, again);
  beckon_message_add_part (say (history, BECKON_ROLE_ASSISTANT, "So."), again);
  assert_repaired (history, "user Hello|assistant|call a|tool a it|assistant So.");
}

/* 72: a call that was being received goes with its part; one that was begun is told of. */
static void
test_partial (void)
{
  g_autoptr (GPtrArray) history = history_new ();
  BeckonMessage *reply;

  say (history, BECKON_ROLE_USER, "Hello");
  reply = say (history, BECKON_ROLE_ASSISTANT, "I beg");
  beckon_message_set_status (reply, BECKON_MESSAGE_CUT_OFF);
  call (reply, "a", BECKON_CALL_PROPOSED, NULL);
  say (history, BECKON_ROLE_USER, "Go on");
  reply = say (history, BECKON_ROLE_ASSISTANT, NULL);
  beckon_message_set_status (reply, BECKON_MESSAGE_STOPPED);
  call (reply, "b", BECKON_CALL_PROPOSED, NULL);
  call (reply, "c", BECKON_CALL_UNKNOWN, NULL);
  assert_repaired (history, "user Hello|assistant I beg|user Go on|assistant|call c|"
                            "tool c The program ended while this call was running. Whether it took effect is not known.");
}

static void
test_neighbours (void)
{
  g_autoptr (GPtrArray) history = history_new ();
  BeckonMessage *silent;
  g_autoptr (BeckonPart) reasoning = beckon_part_new (BECKON_PART_REASONING, "Hm");
  g_autoptr (BeckonPart) strange = beckon_part_new (BECKON_PART_OPAQUE, "{}");

  beckon_part_set_origin (strange, "another");
  say (history, BECKON_ROLE_ASSISTANT, "Welcome");
  say (history, BECKON_ROLE_USER, "One");
  say (history, BECKON_ROLE_USER, "");
  silent = say (history, BECKON_ROLE_ASSISTANT, NULL);
  beckon_message_add_part (silent, reasoning);
  beckon_message_add_part (silent, strange);
  say (history, BECKON_ROLE_USER, "Two");
  say (history, BECKON_ROLE_USER, "Three");
  say (history, BECKON_ROLE_ASSISTANT, "Four");
  call (say (history, BECKON_ROLE_ASSISTANT, "Five"), "a", BECKON_CALL_DONE, "it");
  say (history, BECKON_ROLE_ASSISTANT, "Six");
  assert_repaired (history, "user (The beginning of this conversation is not here.)|assistant Welcome|"
                            "user One\n\nTwo\n\nThree|assistant Four\n\nFive|call a|tool a it|assistant Six");
}

/* The protocol's own blocks are sent back as they are, joined or not. */
static void
test_opaque (void)
{
  g_autoptr (GPtrArray) history = history_new ();
  g_autoptr (GPtrArray) repaired = NULL;
  g_autoptr (BeckonPart) block = beckon_part_new (BECKON_PART_OPAQUE, "{\"signature\":\"abc\"}");
  BeckonMessage *reply;

  beckon_part_set_origin (block, "anthropic");
  say (history, BECKON_ROLE_USER, "Hello");
  reply = say (history, BECKON_ROLE_ASSISTANT, NULL);
  beckon_message_add_part (reply, block);
  say (history, BECKON_ROLE_ASSISTANT, "Here");
  repaired = beckon_history_repair (history, "anthropic");
  g_assert_cmpuint (repaired->len, ==, 2);
  g_assert_true (beckon_message_get_part (repaired->pdata[1], 0) == block);
}

/* Random histories */

static const char *const random_ids[] = { NULL, "", "call_0", "call_0", "call_1", "call_2" };

static void
add_random_call (GRand *rand, BeckonMessage *message, GPtrArray *calls)
{
  g_autofree char *own = g_strdup_printf ("own-%d", g_rand_int_range (rand, 0, 60));
  const char *id = random_ids[g_rand_int_range (rand, 0, G_N_ELEMENTS (random_ids))];
  g_autoptr (BeckonToolCall) call = beckon_tool_call_new (own, id, "note", "{}");
  g_autoptr (BeckonPart) part = NULL;

  beckon_tool_call_set_state (call, (BeckonCallState) g_rand_int_range (rand, 0, BECKON_CALL_N_STATES));
  if (g_rand_boolean (rand))
    beckon_tool_call_set_result (call, "result", g_rand_boolean (rand));
  if (calls->len > 0 && g_rand_int_range (rand, 0, 6) == 0)
    g_set_object (&call, g_ptr_array_index (calls, (guint) g_rand_int_range (rand, 0, (gint32) calls->len)));
  part = beckon_part_new_call (call);
  g_ptr_array_add (calls, g_object_ref (call));
  beckon_message_add_part (message, part);
}

static void
add_random_part (GRand *rand, BeckonMessage *message, GPtrArray *calls, guint *n_words)
{
  g_autoptr (BeckonPart) part = NULL;
  g_autofree char *word = NULL;
  BeckonPartKind kind = (BeckonPartKind) g_rand_int_range (rand, 0, BECKON_PART_OPAQUE + 1);

  if (kind == BECKON_PART_CALL)
    {
      add_random_call (rand, message, calls);
      return;
    }
  word = kind == BECKON_PART_TEXT ? g_strdup_printf ("<%u>", (*n_words)++) : g_strdup ("{}");
  part = beckon_part_new (kind, g_rand_int_range (rand, 0, 5) == 0 && kind != BECKON_PART_TEXT ? "" : word);
  beckon_part_set_origin (part, g_rand_boolean (rand) ? "chat" : "another");
  beckon_message_add_part (message, part);
}

static GPtrArray *
make_random (GRand *rand, guint *n_words)
{
  GPtrArray *history = history_new ();
  g_autoptr (GPtrArray) calls = g_ptr_array_new_with_free_func (g_object_unref);
  gint32 n = g_rand_int_range (rand, 0, 14);

  *n_words = 0;
  for (gint32 i = 0; i < n; i++)
    {
      BeckonMessage *message = beckon_message_new (NULL, (BeckonRole) g_rand_int_range (rand, 0, 2), i);
      gint32 n_parts = g_rand_int_range (rand, 0, 5);

      beckon_message_set_status (message, (BeckonMessageStatus) g_rand_int_range (rand, 0, BECKON_MESSAGE_N_STATUSES));
      for (gint32 j = 0; j < n_parts; j++)
        add_random_part (rand, message, calls, n_words);
      g_ptr_array_add (history, message);
    }
  return history;
}

/* The rules of the protocol, read from what is on the wire. */
static void
assert_valid (GPtrArray *messages)
{
  g_autoptr (GHashTable) ids = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GQueue) open = g_queue_new ();
  const char *before = "";

  for (guint i = 0; i < messages->len; i++)
    {
      JsonObject *message = g_ptr_array_index (messages, i);
      const char *role = beckon_json_get_string (message, "role");
      JsonArray *calls = beckon_json_get_array (message, "tool_calls");

      g_assert_true (i > 0 || g_str_equal (role, "user"));
      if (g_str_equal (role, "tool"))
        {
          g_assert_cmpstr (g_queue_pop_head (open), ==, beckon_json_get_string (message, "tool_call_id"));
          g_assert_nonnull (beckon_json_get_string (message, "content"));
        }
      else
        g_assert_true (g_queue_is_empty (open));
      g_assert_true (g_str_equal (role, "tool") || !g_str_equal (role, before));
      g_assert_true (calls != NULL || *beckon_json_get_string (message, "content") != '\0');
      g_assert_true (calls == NULL || g_str_equal (role, "assistant"));
      for (guint j = 0; calls != NULL && j < json_array_get_length (calls); j++)
        {
          const char *id = beckon_json_get_string (json_array_get_object_element (calls, j), "id");

          g_assert_cmpstr (id, !=, "");
          g_assert_true (g_hash_table_add (ids, (gpointer) id));
          g_queue_push_tail (open, (gpointer) id);
        }
      before = role;
    }
  g_assert_true (g_queue_is_empty (open));
}

static void
assert_all_said (GPtrArray *messages, guint n_words)
{
  g_autoptr (GString) all = g_string_new (NULL);
  const char *at;

  for (guint i = 0; i < messages->len; i++)
    if (beckon_json_get_string (messages->pdata[i], "content") != NULL)
      g_string_append (all, beckon_json_get_string (messages->pdata[i], "content"));
  at = all->str;
  for (guint i = 0; i < n_words; i++)
    {
      g_autofree char *word = g_strdup_printf ("<%u>", i);

      at = strstr (at, word);
      g_assert_nonnull (at);
    }
}

/* Own blocks of the protocol count as something said, but chat has none on the wire: for it they are left out here. */
static void
test_random (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed ((guint32) g_test_rand_int ());

  for (guint i = 0; i < N_RANDOM; i++)
    {
      guint n_words;
      g_autoptr (GPtrArray) history = make_random (rand, &n_words);
      g_autofree char *stored = dump_wire (history);
      g_autoptr (GPtrArray) once = beckon_history_repair (history, "nobody's");
      g_autoptr (GPtrArray) twice = beckon_history_repair (once, "nobody's");
      g_autofree char *first = dump_wire (once);
      g_autofree char *second = dump_wire (twice);
      g_autofree char *untouched = dump_wire (history);
      g_autoptr (JsonNode) root = NULL;
      g_autoptr (GPtrArray) messages = encode (once, &root);

      assert_valid (messages);
      assert_all_said (messages, n_words);
      g_assert_cmpstr (second, ==, first);
      g_assert_cmpstr (untouched, ==, stored);
      for (guint j = 0; j < once->len; j++)
        g_assert_true (once->pdata[j] == twice->pdata[j]);
    }
}

/* Ten thousand messages of one side in a row are joined in one go. */
static void
test_long (void)
{
  g_autoptr (GPtrArray) history = history_new ();
  g_autoptr (GPtrArray) repaired = NULL;

  for (guint i = 0; i < 10000; i++)
    say (history, BECKON_ROLE_USER, "word");
  repaired = beckon_history_repair (history, "chat");
  g_assert_cmpuint (repaired->len, ==, 1);
  g_assert_cmpuint (beckon_message_get_n_parts (repaired->pdata[0]), ==, 19999);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/agent/history/well", test_well);
  g_test_add_func ("/agent/history/missing", test_missing);
  g_test_add_func ("/agent/history/ids", test_ids);
  g_test_add_func ("/agent/history/doubled", test_doubled);
  g_test_add_func ("/agent/history/partial", test_partial);
  g_test_add_func ("/agent/history/neighbours", test_neighbours);
  g_test_add_func ("/agent/history/opaque", test_opaque);
  g_test_add_func ("/agent/history/random", test_random);
  g_test_add_func ("/agent/history/long", test_long);
  return g_test_run ();
}
