/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Every op of a batch, written to a real file, read back after the store was closed and opened again. */

#include "beckon-store-fixture.h"

#include "base/beckon-error.h"

typedef struct
{
  char *directory;
  BeckonStore *store;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->directory = beckon_store_fixture_make_folder ();
  fixture->store = beckon_store_fixture_open (fixture->directory);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_assert_finalize_object (fixture->store);
  beckon_store_fixture_clear (fixture->directory);
}

/* Another process would see what is seen here. */
static void
reopen (Fixture *fixture)
{
  g_assert_finalize_object (fixture->store);
  fixture->store = beckon_store_fixture_open (fixture->directory);
}

static void
test_whole_turn (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTurn) turn = beckon_turn_new ("Which colour?");
  const char *id = beckon_conversation_get_id (turn->conversation);
  g_autoptr (GPtrArray) headers = NULL;
  g_autoptr (GPtrArray) messages = NULL;
  BeckonConversation *header;
  BeckonMessage *reply;
  BeckonToolCall *call;
  BeckonRequest *request;

  beckon_conversation_set_profile_id (turn->conversation, "p1");
  beckon_message_set_usage (turn->reply, &(BeckonUsage) { 10, 20, 5 });
  beckon_store_fixture_commit (fixture->store, beckon_turn_to_batch (turn));
  reopen (fixture);

  headers = beckon_store_fixture_list (fixture->store);
  g_assert_cmpuint (headers->len, ==, 1);
  header = g_ptr_array_index (headers, 0);
  g_assert_cmpstr (beckon_conversation_get_id (header), ==, id);
  g_assert_cmpstr (beckon_conversation_get_title (header), ==, "Which colour?");
  g_assert_cmpstr (beckon_conversation_get_profile_id (header), ==, "p1");
  g_assert_cmpint (beckon_conversation_get_phase (header), ==, BECKON_RUN_WAITING);
  g_assert_true (beckon_conversation_get_has_run (header));
  g_assert_cmpuint (beckon_conversation_get_waiting (header), ==, 1);
  g_assert_false (beckon_conversation_get_loaded (header));

  messages = beckon_store_fixture_load (fixture->store, id);
  g_assert_cmpuint (messages->len, ==, 2);
  reply = g_ptr_array_index (messages, 1);
  g_assert_cmpint (beckon_message_get_role (reply), ==, BECKON_ROLE_ASSISTANT);
  g_assert_cmpint (beckon_message_get_seq (reply), ==, 1);
  g_assert_cmpint (beckon_message_get_usage (reply)->output, ==, 20);
  g_assert_cmpuint (beckon_message_get_n_parts (reply), ==, 2);
  g_assert_cmpstr (beckon_part_get_text (beckon_message_get_part (reply, 0)), ==, "Let me ask.");

  call = beckon_part_get_call (beckon_message_get_part (reply, 1));
  g_assert_cmpstr (beckon_tool_call_get_id (call), ==, beckon_tool_call_get_id (turn->call));
  g_assert_cmpstr (beckon_tool_call_get_provider_id (call), ==, "call_1");
  g_assert_cmpint (beckon_tool_call_get_state (call), ==, BECKON_CALL_AWAITING);
  g_assert_null (beckon_tool_call_get_result (call));

  request = BECKON_REQUEST (beckon_tool_call_get_request (call));
  g_assert_cmpstr (beckon_request_get_id (request), ==, beckon_request_get_id (turn->request));
  g_assert_cmpint (beckon_request_get_state (request), ==, BECKON_REQUEST_PENDING);
  g_assert_cmpstr (beckon_question_get_item (beckon_request_get_question (request), 0)->question, ==, "Which colour?");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name, function) g_test_add ("/store/batch/" name, Fixture, NULL, set_up, function, tear_down)
  ADD ("whole-turn", test_whole_turn);
#undef ADD

  return g_test_run ();
}
