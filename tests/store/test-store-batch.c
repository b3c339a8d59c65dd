/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Every op of a batch, written to a real file, read back after the store was closed and opened again. */

#include "beckon-store-fixture.h"

#include "base/beckon-error.h"
#include "library/beckon-argument-overrides.h"
#include "request/beckon-question-request.h"
#include "store/db/beckon-store-private.h"

#include <string.h>

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
keep_result (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

static GPtrArray *
list_rules (BeckonStore *store)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  GPtrArray *rules;

  beckon_store_list_rules_async (store, NULL, keep_result, &result);
  beckon_await (result != NULL);
  rules = beckon_store_list_rules_finish (store, result, &error);
  g_assert_no_error (error);
  return rules;
}

static void
put_rule (Fixture *fixture, BeckonRule *rule)
{
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_FULL);

  beckon_batch_put_rule (batch, rule);
  beckon_store_fixture_commit (fixture->store, batch);
}

static BeckonToolParameter *
make_parameter (const char *tool, const char *name, const char *pinned)
{
  BeckonToolParameter *parameter = beckon_tool_parameter_new (tool, NULL, name);

  parameter->pinned = g_strdup (pinned);
  parameter->access = BECKON_FORM_MASKED;
  parameter->changed_at = 7;
  return parameter;
}

static void
save_parameter (BeckonArgumentOverrides *list, BeckonToolParameter *parameter)
{
  g_autoptr (GAsyncResult) saved = NULL;
  g_autoptr (GError) error = NULL;

  beckon_argument_overrides_save_async (list, parameter, NULL, keep_result, &saved);
  /* The override holds before it is written. */
  g_assert_true (beckon_argument_overrides_lookup (list, parameter->tool, NULL, parameter->name)
                 == (beckon_tool_parameter_says_something (parameter) ? parameter : NULL));
  beckon_await (saved != NULL);
  beckon_argument_overrides_save_finish (list, saved, &error);
  g_assert_no_error (error);
}

/* The list is read once more after it was written. */
static void
drop_list (BeckonArgumentOverrides **list)
{
  gpointer alive = *list;

  g_object_add_weak_pointer (G_OBJECT (*list), &alive);
  g_clear_object (list);
  beckon_await (alive == NULL);
}

/* By tool and name; another process's list learns of it; what says nothing is taken out. */
static void
test_parameters (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonArgumentOverrides) list = beckon_argument_overrides_new (fixture->store);
  g_autoptr (BeckonToolParameter) path = make_parameter ("write_file", "path", "\"/srv\"");
  g_autoptr (BeckonToolParameter) mode = make_parameter ("write_file", "mode", NULL);
  g_autoptr (BeckonToolParameter) none = beckon_tool_parameter_new ("write_file", NULL, "path");
  g_autoptr (BeckonParameters) closed = beckon_argument_overrides_collect (list, "write_file", NULL);
  g_autoptr (BeckonParameters) read = NULL;
  g_autoptr (GAsyncResult) loaded = NULL;

  g_assert_true (beckon_parameters_redacts (closed));
  beckon_followed_list_load_async (BECKON_FOLLOWED_LIST (list), NULL, keep_result, &loaded);
  beckon_await (loaded != NULL);
  g_assert_true (beckon_followed_list_load_finish (BECKON_FOLLOWED_LIST (list), loaded, NULL));
  save_parameter (list, path);
  save_parameter (list, mode);
  g_clear_object (&loaded);
  drop_list (&list);

  list = beckon_argument_overrides_new (fixture->store);
  beckon_followed_list_load_async (BECKON_FOLLOWED_LIST (list), NULL, keep_result, &loaded);
  beckon_await (loaded != NULL);
  g_assert_true (beckon_followed_list_load_finish (BECKON_FOLLOWED_LIST (list), loaded, NULL));
  g_assert_cmpuint (beckon_followed_list_get_snapshot (BECKON_FOLLOWED_LIST (list))->len, ==, 2);
  read = beckon_argument_overrides_collect (list, "write_file", NULL);
  g_assert_cmpstr (beckon_parameters_find (read, "path")->pinned, ==, "\"/srv\"");
  g_assert_cmpint (beckon_parameters_find (read, "mode")->access, ==, BECKON_FORM_MASKED);
  save_parameter (list, none);
  g_assert_cmpuint (beckon_followed_list_get_snapshot (BECKON_FOLLOWED_LIST (list))->len, ==, 1);
  g_clear_object (&loaded);
  drop_list (&list);
}

/* A rule keeps its place when it is changed, counts its uses, and goes with its conversation. */
static void
test_rules (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTurn) turn = beckon_turn_new ("Which colour?");
  const char *conversation_id = beckon_conversation_get_id (turn->conversation);
  g_autoptr (BeckonRule) first = beckon_rule_new ();
  g_autoptr (BeckonRule) second = beckon_rule_new ();
  g_autoptr (GPtrArray) rules = NULL;
  BeckonRule *read;
  BeckonBatch *batch;

  beckon_store_fixture_commit (fixture->store, beckon_turn_to_batch (turn));
  first->id = g_strdup ("r1");
  first->tool = g_strdup ("run_command");
  first->arguments = g_strdup ("{\"command\":\"git log *\"}");
  first->folder = g_strdup ("/home/me/site");
  first->created_at = 5;
  first->expires_at = 7;
  second->id = g_strdup ("r2");
  second->server = g_strdup ("files");
  second->conversation_id = g_strdup (conversation_id);
  second->verdict = BECKON_VERDICT_DENY;
  put_rule (fixture, first);
  put_rule (fixture, second);
  first->verdict = BECKON_VERDICT_ALLOW;
  put_rule (fixture, first);
  batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  beckon_batch_use_rule (batch, "r1", 20);
  beckon_batch_use_rule (batch, "r1", 10);
  beckon_batch_use_rule (batch, "gone", 10);
  beckon_store_fixture_commit (fixture->store, batch);
  reopen (fixture);

  rules = list_rules (fixture->store);
  g_assert_cmpuint (rules->len, ==, 2);
  read = g_ptr_array_index (rules, 0);
  g_assert_cmpstr (read->id, ==, "r1");
  g_assert_cmpstr (read->tool, ==, "run_command");
  g_assert_null (read->server);
  g_assert_cmpstr (read->arguments, ==, "{\"command\":\"git log *\"}");
  g_assert_cmpstr (read->folder, ==, "/home/me/site");
  g_assert_null (read->conversation_id);
  g_assert_cmpint (read->verdict, ==, BECKON_VERDICT_ALLOW);
  g_assert_cmpint (read->created_at, ==, 5);
  g_assert_cmpint (read->expires_at, ==, 7);
  g_assert_cmpint (read->uses, ==, 2);
  g_assert_cmpint (read->used_at, ==, 20);
  read = g_ptr_array_index (rules, 1);
  g_assert_cmpstr (read->server, ==, "files");
  g_assert_cmpstr (read->conversation_id, ==, conversation_id);
  g_assert_cmpint (read->verdict, ==, BECKON_VERDICT_DENY);

  batch = beckon_batch_new (BECKON_DURABILITY_FULL);
  beckon_batch_delete_rule (batch, "r1");
  beckon_batch_delete_conversation (batch, conversation_id);
  beckon_store_fixture_commit (fixture->store, batch);
  g_ptr_array_unref (rules);
  rules = list_rules (fixture->store);
  g_assert_cmpuint (rules->len, ==, 0);
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


static BeckonTurn *
store_turn (Fixture *fixture)
{
  BeckonTurn *turn = beckon_turn_new ("Which colour?");

  beckon_store_fixture_commit (fixture->store, beckon_turn_to_batch (turn));

  return turn;
}

static const char *
get_id (BeckonTurn *turn)
{
  return beckon_conversation_get_id (turn->conversation);
}

static BeckonConversation *
read_header (Fixture *fixture)
{
  g_autoptr (GPtrArray) headers = beckon_store_fixture_list (fixture->store);

  g_assert_cmpuint (headers->len, ==, 1);

  return g_object_ref (g_ptr_array_index (headers, 0));
}

static void
assert_sql (Fixture *fixture, const char *sql, const char *expected)
{
  g_autofree char *value = beckon_store_fixture_sql (fixture->directory, sql);

  g_assert_cmpstr (value, ==, expected);
}

static void
assert_fails (Fixture *fixture, BeckonBatch *batch, BeckonError code)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (beckon_store_fixture_try_commit (fixture->store, batch, &error));
  g_assert_error (error, BECKON_ERROR, (int) code);
  g_assert_cmpint (g_utf8_strlen (error->message, -1), >, 10);
}

static void
test_header_is_updated (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTurn) turn = store_turn (fixture);
  g_autoptr (BeckonConversation) header = NULL;
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);

  beckon_conversation_set_updated_at (turn->conversation, 77);
  beckon_conversation_set_profile_id (turn->conversation, "other");
  beckon_batch_put_conversation (batch, turn->conversation);
  beckon_conversation_set_profile_id (turn->conversation, "set after the batch took its copy");
  beckon_batch_set_title (batch, get_id (turn), "Blue\xe2\x80\x99s");
  beckon_batch_set_draft (batch, get_id (turn), "half a th");
  beckon_store_fixture_commit (fixture->store, batch);

  header = read_header (fixture);
  g_assert_cmpstr (beckon_conversation_get_title (header), ==, "Blue\xe2\x80\x99s");
  g_assert_cmpstr (beckon_conversation_get_profile_id (header), ==, "other");
  g_assert_cmpstr (beckon_conversation_get_draft (header), ==, "half a th");
  g_assert_cmpint (beckon_conversation_get_updated_at (header), ==, 77);
  g_assert_cmpint (beckon_conversation_get_created_at (header), ==,
                   beckon_conversation_get_created_at (turn->conversation));
}

static void
test_delete_takes_everything (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTurn) turn = store_turn (fixture);
  g_autoptr (BeckonTurn) other = store_turn (fixture);
  g_autoptr (BeckonSettlement) settlement = beckon_turn_answer (turn, "blue", "me");
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);

  beckon_store_fixture_settle (fixture->store, settlement, NULL);
  beckon_batch_append_text (batch, beckon_message_get_id (turn->reply), 0, "more", 4);
  beckon_store_fixture_commit (fixture->store, batch);
  batch = beckon_batch_new (BECKON_DURABILITY_FULL);
  beckon_batch_delete_conversation (batch, get_id (turn));
  beckon_store_fixture_commit (fixture->store, batch);

  assert_sql (fixture, "SELECT count (*) FROM conversation", "1");
  assert_sql (fixture, "SELECT count (*) FROM message", "2");
  assert_sql (fixture, "SELECT count (*) FROM part", "3");
  assert_sql (fixture, "SELECT count (*) FROM chunk", "0");
  assert_sql (fixture, "SELECT count (*) FROM call", "1");
  assert_sql (fixture, "SELECT count (*) FROM run", "1");
  assert_sql (fixture, "SELECT count (*) FROM request", "1");
  assert_sql (fixture, "SELECT count (*) FROM settlement", "0");
  assert_sql (fixture, "SELECT count (*) FROM provenance", "1");
  assert_sql (fixture, "PRAGMA foreign_key_check", NULL);
}

static void
test_place_is_taken_once (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTurn) turn = store_turn (fixture);
  g_autoptr (BeckonMessage) message = beckon_message_new_text (BECKON_ROLE_USER, 1, "at the place of the reply");
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);

  beckon_batch_add_message (batch, get_id (turn), message);
  assert_fails (fixture, batch, BECKON_ERROR_CONFLICT);
}

static void
test_deleted_elsewhere (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTurn) turn = store_turn (fixture);
  g_autoptr (BeckonMessage) message = beckon_message_new_text (BECKON_ROLE_USER, 2, "to nobody");
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);

  beckon_batch_delete_conversation (batch, get_id (turn));
  beckon_store_fixture_commit (fixture->store, batch);

  batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  beckon_batch_add_message (batch, get_id (turn), message);
  assert_fails (fixture, batch, BECKON_ERROR_NOT_FOUND);
  batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  beckon_batch_append_text (batch, beckon_message_get_id (turn->reply), 0, "x", 1);
  assert_fails (fixture, batch, BECKON_ERROR_NOT_FOUND);
  batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  beckon_batch_set_message (batch, turn->reply);
  assert_fails (fixture, batch, BECKON_ERROR_NOT_FOUND);
  batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  beckon_batch_set_draft (batch, get_id (turn), "a draft of nothing is no error");
  beckon_store_fixture_commit (fixture->store, batch);
}

/* A message that streams: parts and text come one by one, and the end says how it went. */
static void
test_streamed_message (Fixture *fixture, gconstpointer data)
{
  static const char wild[] = "nul\0 broken \xff\xfe\xc3 \xe4\xbd\xa0\xe5\xa5\xbd";
  g_autoptr (BeckonTurn) turn = store_turn (fixture);
  g_autoptr (BeckonMessage) message = beckon_message_new (NULL, BECKON_ROLE_ASSISTANT, 5);
  g_autoptr (BeckonPart) reasoning = beckon_part_new (BECKON_PART_REASONING, "Hm");
  g_autoptr (BeckonPart) text = beckon_part_new (BECKON_PART_TEXT, NULL);
  g_autoptr (BeckonPart) opaque = beckon_part_new (BECKON_PART_OPAQUE, "{\"signature\":\"x\"}");
  g_autoptr (GPtrArray) messages = NULL;
  const char *id = beckon_message_get_id (message);
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  BeckonMessage *read;

  beckon_message_set_seq (message, 2);
  beckon_message_set_status (message, BECKON_MESSAGE_STREAMING);
  beckon_part_set_origin (opaque, "chat");
  beckon_batch_add_message (batch, get_id (turn), message);
  beckon_batch_add_part (batch, get_id (turn), id, 0, reasoning);
  beckon_store_fixture_commit (fixture->store, batch);

  for (guint i = 0; i < 3; i++)
    {
      batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
      if (i == 0)
        beckon_batch_add_part (batch, get_id (turn), id, 1, text);
      beckon_batch_append_text (batch, id, 0, "m", 1);
      beckon_batch_append_text (batch, id, 1, wild, sizeof wild - 1);
      beckon_batch_append_text (batch, id, 1, "", 0);
      beckon_store_fixture_commit (fixture->store, batch);
    }

  batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  beckon_batch_add_part (batch, get_id (turn), id, 2, opaque);
  beckon_message_set_status (message, BECKON_MESSAGE_CUT_OFF);
  beckon_message_set_usage (message, &(BeckonUsage) { 1, 2, 3 });
  beckon_batch_set_message (batch, message);
  beckon_store_fixture_commit (fixture->store, batch);
  reopen (fixture);

  messages = beckon_store_fixture_load (fixture->store, get_id (turn));
  g_assert_cmpuint (messages->len, ==, 3);
  read = g_ptr_array_index (messages, 2);
  g_assert_cmpint (beckon_message_get_status (read), ==, BECKON_MESSAGE_CUT_OFF);
  g_assert_cmpint (beckon_message_get_usage (read)->cached, ==, 3);
  g_assert_cmpuint (beckon_message_get_n_parts (read), ==, 3);
  g_assert_cmpint (beckon_part_get_kind (beckon_message_get_part (read, 0)), ==, BECKON_PART_REASONING);
  g_assert_cmpstr (beckon_part_get_text (beckon_message_get_part (read, 0)), ==, "Hmmmm");
  g_assert_cmpuint (beckon_part_get_length (beckon_message_get_part (read, 1)), ==, 3 * (sizeof wild - 1));
  for (guint i = 0; i < 3; i++)
    g_assert_cmpmem (beckon_part_get_text (beckon_message_get_part (read, 1)) + i * (sizeof wild - 1), sizeof wild - 1,
                     wild, sizeof wild - 1);
  g_assert_cmpstr (beckon_part_get_text (beckon_message_get_part (read, 2)), ==, "{\"signature\":\"x\"}");
  g_assert_cmpstr (beckon_part_get_origin (beckon_message_get_part (read, 2)), ==, "chat");
  assert_sql (fixture, "PRAGMA integrity_check", "ok");
}

static void
test_call_moves_as_expected (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTurn) turn = store_turn (fixture);
  g_autoptr (BeckonToolCall) call = beckon_tool_call_new (NULL, NULL, "write_file", "{\"path\":\"a\"}");
  g_autoptr (BeckonPart) part = beckon_part_new_call (call);
  g_autoptr (GPtrArray) messages = NULL;
  g_autofree char *digest = NULL;
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_FULL);
  BeckonToolCall *read;

  beckon_tool_call_set_fault (call, "not whole");
  beckon_tool_call_set_state (call, BECKON_CALL_DECIDED);
  beckon_batch_add_part (batch, get_id (turn), beckon_message_get_id (turn->reply), 2, part);
  beckon_store_fixture_commit (fixture->store, batch);

  batch = beckon_batch_new (BECKON_DURABILITY_FULL);
  beckon_tool_call_apply (call, BECKON_CALL_EVENT_STARTED);
  beckon_tool_call_set_read_only (call, TRUE);
  beckon_tool_call_set_times (call, 11, 0);
  digest = beckon_tool_call_dup_digest (call);
  beckon_batch_add_permit (batch, "permit", beckon_tool_call_get_id (call), digest, 10);
  beckon_batch_use_permit (batch, "permit", beckon_tool_call_get_id (call), digest, 11);
  beckon_batch_set_call (batch, call, BECKON_CALL_DECIDED);
  beckon_store_fixture_commit (fixture->store, batch);

  batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  beckon_tool_call_apply (call, BECKON_CALL_EVENT_RESULT);
  beckon_tool_call_set_times (call, 11, 22);
  beckon_tool_call_set_result (call, "done \xe2\x9c\x93", TRUE);
  beckon_batch_set_call (batch, call, BECKON_CALL_STARTED);
  beckon_store_fixture_commit (fixture->store, batch);
  reopen (fixture);

  messages = beckon_store_fixture_load (fixture->store, get_id (turn));
  read = beckon_part_get_call (beckon_message_get_part (g_ptr_array_index (messages, 1), 2));
  g_assert_cmpint (beckon_tool_call_get_state (read), ==, BECKON_CALL_DONE);
  g_assert_cmpstr (beckon_tool_call_get_provider_id (read), ==, beckon_tool_call_get_id (call));
  g_assert_cmpstr (beckon_tool_call_get_arguments (read), ==, "{\"path\":\"a\"}");
  g_assert_cmpstr (beckon_tool_call_get_fault (read), ==, "not whole");
  g_assert_cmpstr (beckon_tool_call_get_result (read), ==, "done \xe2\x9c\x93");
  g_assert_true (beckon_tool_call_get_is_error (read));
  g_assert_true (beckon_tool_call_get_read_only (read));
  g_assert_cmpint (beckon_tool_call_get_started_at (read), ==, 11);
  g_assert_cmpint (beckon_tool_call_get_finished_at (read), ==, 22);
}

/* (transfer full): a stored call that was decided. */
static BeckonToolCall *
store_decided (Fixture *fixture, BeckonTurn *turn)
{
  BeckonToolCall *call = beckon_tool_call_new (NULL, NULL, "write_file", "{\"path\":\"a\"}");
  g_autoptr (BeckonPart) part = beckon_part_new_call (call);
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_FULL);

  beckon_tool_call_set_state (call, BECKON_CALL_DECIDED);
  beckon_batch_add_part (batch, get_id (turn), beckon_message_get_id (turn->reply), 2, part);
  beckon_store_fixture_commit (fixture->store, batch);
  beckon_tool_call_apply (call, BECKON_CALL_EVENT_STARTED);
  beckon_tool_call_set_times (call, 11, 0);
  return call;
}

static BeckonBatch *
make_start (BeckonToolCall *call, const char *permit_id, const char *digest, gint64 at)
{
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_FULL);

  if (permit_id != NULL)
    beckon_batch_use_permit (batch, permit_id, beckon_tool_call_get_id (call), digest, at);
  beckon_batch_set_call (batch, call, BECKON_CALL_DECIDED);
  return batch;
}

/* A call starts only if it was decided, with the bytes that were decided about, and once. */
static void
test_start_needs_permit (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTurn) turn = store_turn (fixture);
  g_autoptr (BeckonToolCall) call = store_decided (fixture, turn);
  g_autofree char *digest = beckon_tool_call_dup_digest (call);
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_FULL);

  assert_fails (fixture, make_start (call, NULL, NULL, 0), BECKON_ERROR_STORE);
  assert_fails (fixture, make_start (call, "none", digest, 11), BECKON_ERROR_CONFLICT);

  beckon_batch_add_permit (batch, "one", beckon_tool_call_get_id (call), digest, 10);
  beckon_store_fixture_commit (fixture->store, batch);
  assert_fails (fixture, make_start (call, "one", "0123", 11), BECKON_ERROR_CONFLICT);
  assert_fails (fixture, make_start (call, NULL, NULL, 0), BECKON_ERROR_STORE);
  assert_fails (fixture, make_start (call, "one", digest, 12), BECKON_ERROR_STORE);
  beckon_store_fixture_commit (fixture->store, make_start (call, "one", digest, 11));
  assert_sql (fixture, "SELECT state FROM call WHERE tool = 'write_file'", "started");
  assert_fails (fixture, make_start (call, "one", digest, 11), BECKON_ERROR_CONFLICT);
}

/* The second of two processes that both want to move a call finds it moved, and writes nothing of its batch. */
static void
test_call_conflict (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTurn) turn = store_turn (fixture);
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_FULL);

  beckon_batch_set_title (batch, get_id (turn), "must not be written");
  beckon_tool_call_set_state (turn->call, BECKON_CALL_STARTED);
  beckon_batch_set_call (batch, turn->call, BECKON_CALL_DECIDED);
  assert_fails (fixture, batch, BECKON_ERROR_CONFLICT);

  assert_sql (fixture, "SELECT title FROM conversation", "Which colour?");
  assert_sql (fixture, "SELECT state FROM call", "awaiting");
}

static void
test_second_result (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTurn) turn = store_turn (fixture);
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_FULL);
  g_autofree char *refusal = NULL;

  beckon_tool_call_set_result (turn->call, "first", FALSE);
  beckon_batch_set_call (batch, turn->call, BECKON_CALL_AWAITING);
  beckon_store_fixture_commit (fixture->store, batch);

  batch = beckon_batch_new (BECKON_DURABILITY_FULL);
  beckon_batch_set_call (batch, turn->call, BECKON_CALL_AWAITING);
  assert_fails (fixture, batch, BECKON_ERROR_CONFLICT);

  refusal = beckon_store_fixture_sql (fixture->directory,
                                      "INSERT INTO part (message, kind, call, is_error, text)"
                                      " SELECT message, 'result', id, 0, x'41' FROM call");
  g_assert_cmpstr (refusal, ==, "UNIQUE constraint failed: part.call, part.kind");
  assert_sql (fixture, "SELECT CAST (text AS TEXT) FROM part WHERE kind = 'result'", "first");
}

static void
test_one_open_run (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTurn) turn = store_turn (fixture);
  g_autoptr (BeckonRunRecord) second = beckon_run_record_new (get_id (turn), "tour", 7);
  g_autoptr (BeckonConversation) header = NULL;
  g_autoptr (GPtrArray) runs = NULL;
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  BeckonRunRecord *run;

  beckon_batch_add_run (batch, second);
  assert_fails (fixture, batch, BECKON_ERROR_CONFLICT);

  batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  turn->run->phase = BECKON_RUN_FAILED;
  g_free (turn->run->detail);
  turn->run->detail = g_strdup ("no network");
  beckon_batch_set_run (batch, turn->run);
  beckon_batch_add_run (batch, second);
  beckon_store_fixture_commit (fixture->store, batch);

  second->phase = BECKON_RUN_RETRY_WAIT;
  second->retry_at = 99;
  second->round = 3;
  g_free (second->detail);
  second->detail = g_strdup ("busy");
  batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  beckon_batch_set_run (batch, second);
  beckon_store_fixture_commit (fixture->store, batch);

  runs = beckon_store_fixture_runs (fixture->store);
  g_assert_cmpuint (runs->len, ==, 1);
  run = g_ptr_array_index (runs, 0);
  g_assert_cmpstr (run->id, ==, second->id);
  g_assert_cmpstr (run->conversation_id, ==, get_id (turn));
  g_assert_cmpstr (run->profile_id, ==, "tour");
  g_assert_cmpstr (run->detail, ==, "busy");
  g_assert_cmpint (run->phase, ==, BECKON_RUN_RETRY_WAIT);
  g_assert_cmpuint (run->round, ==, 3);
  g_assert_cmpuint (run->round_limit, ==, 7);
  g_assert_cmpint (run->retry_at, ==, 99);
  g_assert_false (run->held);

  header = read_header (fixture);
  g_assert_cmpint (beckon_conversation_get_phase (header), ==, BECKON_RUN_RETRY_WAIT);
  g_assert_cmpstr (beckon_conversation_get_detail (header), ==, "busy");
  g_assert_cmpint (beckon_conversation_get_retry_at (header), ==, 99);
}

static void
test_end_gives_lease_back (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTurn) turn = store_turn (fixture);
  g_autoptr (GPtrArray) runs = NULL;
  g_autoptr (GError) error = NULL;
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);

  assert_sql (fixture, "SELECT lease IS NOT NULL FROM run", "1");
  turn->run->phase = BECKON_RUN_COMPLETE;
  beckon_batch_set_run (batch, turn->run);
  beckon_store_fixture_commit (fixture->store, batch);
  assert_sql (fixture, "SELECT lease IS NULL FROM run", "1");
  runs = beckon_store_fixture_runs (fixture->store);
  g_assert_cmpuint (runs->len, ==, 0);

  turn->run->phase = BECKON_RUN_CALLING;
  batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  beckon_batch_set_run (batch, turn->run);
  assert_fails (fixture, batch, BECKON_ERROR_CONFLICT);
  g_assert_null (beckon_store_fixture_claim (fixture->store, turn->run->id, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_CONFLICT);
}

static void
test_profiles (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonProfile) second = beckon_profile_new ("p2", BECKON_PROFILE_CHAT);
  g_autoptr (BeckonProfile) first = beckon_profile_new ("p1", BECKON_PROFILE_CHAT);
  g_autoptr (GPtrArray) before = NULL;
  g_autoptr (GPtrArray) after = NULL;
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_FULL);
  BeckonProfile *read;

  beckon_profile_set_name (second, "B");
  beckon_profile_set_name (first, "A");
  beckon_profile_set_base_url (first, "http://localhost:1/v1");
  beckon_profile_set_model (first, "m");
  beckon_profile_set_rounds (first, 9);
  beckon_batch_put_profile (batch, second);
  beckon_batch_put_profile (batch, first);
  beckon_store_fixture_commit (fixture->store, batch);

  before = beckon_store_fixture_profiles (fixture->store);
  g_assert_cmpuint (before->len, ==, 2);
  read = g_ptr_array_index (before, 0);
  g_assert_cmpstr (beckon_profile_get_id (read), ==, "p1");
  g_assert_cmpstr (beckon_profile_get_name (read), ==, "A");
  g_assert_cmpstr (beckon_profile_get_base_url (read), ==, "http://localhost:1/v1");
  g_assert_cmpstr (beckon_profile_get_model (read), ==, "m");
  g_assert_cmpuint (beckon_profile_get_rounds (read), ==, 9);

  batch = beckon_batch_new (BECKON_DURABILITY_FULL);
  beckon_profile_set_name (first, "C");
  beckon_batch_put_profile (batch, first);
  beckon_batch_delete_profile (batch, "p2");
  beckon_store_fixture_commit (fixture->store, batch);
  after = beckon_store_fixture_profiles (fixture->store);
  g_assert_cmpuint (after->len, ==, 1);
  g_assert_cmpstr (beckon_profile_get_name (g_ptr_array_index (after, 0)), ==, "C");
}

static void
test_provenance_is_append_only (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTurn) turn = store_turn (fixture);
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);

  beckon_batch_add_provenance (batch, get_id (turn), beckon_tool_call_get_id (turn->call), "started", NULL, 5);
  beckon_batch_add_provenance (batch, get_id (turn), NULL, "finished", "{\"a\":1}", 6);
  beckon_store_fixture_commit (fixture->store, batch);

  assert_sql (fixture,
              "SELECT group_concat (event || data || at) FROM (SELECT * FROM provenance WHERE event <> 'asked' ORDER BY seq)",
              "started{}5,finished{\"a\":1}6");
  assert_sql (fixture, "DELETE FROM provenance", "provenance is append-only");
  assert_sql (fixture, "UPDATE provenance SET event = 'x'", "provenance is append-only");
  assert_sql (fixture, "SELECT count (*) FROM provenance", "3");
}

/* The schema refuses what the code never does. */
static void
test_schema_refuses (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTurn) turn = store_turn (fixture);

  assert_sql (fixture, "UPDATE run SET phase = 'complete'",
              "CHECK constraint failed: open = (phase IN ('queued', 'requesting', 'retry-wait', 'receiving', 'calling', 'waiting'))");
  assert_sql (fixture, "UPDATE run SET phase = 'complete', open = 0", "CHECK constraint failed: open OR lease IS NULL");
  assert_sql (fixture, "UPDATE call SET state = 'running'",
              "CHECK constraint failed: state IN ('proposed', 'awaiting', 'decided', 'started', 'done', 'unknown', 'cancelled')");
  assert_sql (fixture, "UPDATE message SET seq = 'one'", "cannot store TEXT value in INTEGER column message.seq");
  assert_sql (fixture, "UPDATE message SET role = 'system'", "CHECK constraint failed: role IN ('user', 'assistant')");
}

static void
test_cancelled_before_its_turn (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTurn) turn = beckon_turn_new ("Never asked");
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) headers = NULL;

  g_cancellable_cancel (cancellable);
  beckon_store_commit_async (fixture->store, beckon_turn_to_batch (turn), cancellable, keep_result, &result);
  g_assert_null (result);
  beckon_await (result != NULL);
  g_assert_false (beckon_store_commit_finish (fixture->store, result, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  headers = beckon_store_fixture_list (fixture->store);
  g_assert_cmpuint (headers->len, ==, 0);
}

static void
test_cancelled_after_it_was_written (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTurn) turn = beckon_turn_new ("Asked");
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  beckon_store_commit_async (fixture->store, beckon_turn_to_batch (turn), cancellable, keep_result, &result);
  for (;;)
    {
      g_autofree char *count = beckon_store_fixture_sql (fixture->directory, "SELECT count (*) FROM request");

      if (g_strcmp0 (count, "1") == 0)
        break;
    }
  g_cancellable_cancel (cancellable);
  beckon_await (result != NULL);
  beckon_store_commit_finish (fixture->store, result, &error);
  g_assert_no_error (error);
}

/* The last reference goes without anyone waiting: all of it is on the disk all the same. */
static void
test_dropped_store_writes_first (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTurn) turn = store_turn (fixture);
  g_autoptr (GPtrArray) messages = NULL;

  for (guint i = 0; i < 500; i++)
    {
      BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);

      beckon_batch_append_text (batch, beckon_message_get_id (turn->reply), 0, "x", 1);
      beckon_store_commit_async (fixture->store, batch, NULL, NULL, NULL);
    }
  reopen (fixture);

  messages = beckon_store_fixture_load (fixture->store, get_id (turn));
  g_assert_cmpuint (beckon_part_get_length (beckon_message_get_part (g_ptr_array_index (messages, 1), 0)), ==,
                    strlen ("Let me ask.") + 500);
}

static void
test_closed_store_says_so (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTurn) turn = beckon_turn_new ("Too late");
  g_autoptr (GError) error = NULL;

  beckon_store_fixture_close (fixture->store);
  assert_fails (fixture, beckon_turn_to_batch (turn), BECKON_ERROR_UNAVAILABLE);
  beckon_store_fixture_try_open (fixture->store, &error);
  g_assert_no_error (error);
  beckon_store_fixture_commit (fixture->store, beckon_turn_to_batch (turn));
}

static void
append_number (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GArray *order = ((gpointer *) user_data)[0];
  int number = GPOINTER_TO_INT (((gpointer *) user_data)[1]);

  g_array_append_val (order, number);
  g_assert_true (beckon_store_commit_finish (BECKON_STORE (source), result, NULL));
  g_free (user_data);
}

static void
test_results_come_in_order (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GArray) order = g_array_new (FALSE, FALSE, sizeof (int));

  for (int i = 0; i < 200; i++)
    {
      gpointer *closure = g_new (gpointer, 2);

      closure[0] = order;
      closure[1] = GINT_TO_POINTER (i);
      beckon_store_commit_async (fixture->store,
                                 beckon_batch_new (i % 7 == 0 ? BECKON_DURABILITY_FULL : BECKON_DURABILITY_NORMAL), NULL,
                                 append_number, closure);
    }
  g_assert_cmpuint (order->len, ==, 0);
  beckon_await (order->len == 200);
  for (int i = 0; i < 200; i++)
    g_assert_cmpint (g_array_index (order, int, i), ==, i);
}

static gpointer
read_synchronous (BeckonSession *session, gpointer data, GError **error)
{
  gint64 *synchronous = data;

  return GINT_TO_POINTER (
    beckon_database_get_number (session->database, "PRAGMA synchronous", synchronous, error));
}

static gint64
get_synchronous (Fixture *fixture)
{
  gint64 synchronous = -1;
  const BeckonStoreOp op = { .func = read_synchronous, .data = &synchronous };
  g_autoptr (GAsyncResult) result = NULL;

  beckon_store_submit (fixture->store,
                       beckon_store_task_new (fixture->store, NULL, keep_result, &result, get_synchronous), &op);
  beckon_await (result != NULL);

  return synchronous;
}

static gpointer
pass_gate (BeckonSession *session, gpointer data, GError **error)
{
  GMutex *gate = data;

  g_mutex_lock (gate);
  g_mutex_unlock (gate);

  return GINT_TO_POINTER (TRUE);
}

/* At rest the store is always ready for a durable commit, so what an ordinary one is written with can only be seen by what
 * stands in the queue right behind it. */
static gint64
commit_and_get_synchronous (Fixture *fixture, BeckonBatch *batch)
{
  GMutex gate;
  const BeckonStoreOp op = { .func = pass_gate, .data = &gate };
  gint64 synchronous;

  g_mutex_init (&gate);
  g_mutex_lock (&gate);
  beckon_store_submit (fixture->store, NULL, &op);
  beckon_store_commit_async (fixture->store, batch, NULL, NULL, NULL);
  g_idle_add_once ((GSourceOnceFunc) g_mutex_unlock, &gate);
  synchronous = get_synchronous (fixture);
  g_mutex_clear (&gate);

  return synchronous;
}

/* A durable commit after others, and others after a durable one: each is written as it asks. */
static void
test_durability (Fixture *fixture, gconstpointer data)
{
  enum
  {
    SYNCHRONOUS_NORMAL = 1,
    SYNCHRONOUS_FULL = 2,
  };
  g_autoptr (BeckonTurn) turn = store_turn (fixture);
  g_autoptr (BeckonSettlement) answer = beckon_turn_answer (turn, "blue", "Ada");
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);

  g_assert_cmpint (get_synchronous (fixture), ==, SYNCHRONOUS_FULL);
  beckon_batch_set_run (batch, turn->run);
  g_assert_cmpint (commit_and_get_synchronous (fixture, batch), ==, SYNCHRONOUS_NORMAL);
  g_assert_true (beckon_store_fixture_settle (fixture->store, answer, NULL));
  g_assert_cmpint (get_synchronous (fixture), ==, SYNCHRONOUS_FULL);
}

static BeckonPrefixes *
load_prefixes (Fixture *fixture, const char *conversation_id)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  BeckonPrefixes *prefixes;

  beckon_store_load_prefixes_async (fixture->store, conversation_id, NULL, keep_result, &result);
  beckon_await (result != NULL);
  prefixes = beckon_store_load_prefixes_finish (fixture->store, result, &error);
  g_assert_no_error (error);
  return prefixes;
}

/* By profile, and nothing of what is gone by now. */
static void
test_prefixes (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTurn) turn = beckon_turn_new ("Which port?");
  g_autoptr (BeckonPrefix) prefix = beckon_prefix_new ("p1");
  g_autoptr (BeckonTold) told = beckon_told_new (beckon_message_get_id (turn->question), "{}", "Today is now");
  g_autoptr (BeckonTold) lost = beckon_told_new ("gone", "{}", "x");
  g_autoptr (BeckonPrefixes) read = NULL;
  BeckonBatch *batch = beckon_turn_to_batch (turn);
  const BeckonPrefix *found;

  *prefix = (BeckonPrefix) { prefix->profile_id, 2, g_strdup ("tools"), g_strdup ("S"), g_strdup ("T"), g_strdup ("F"), 3, 4, 5,
                             TRUE, 6, 7, G_MAXUINT64 - 8, 9 };
  beckon_batch_put_prefix (batch, get_id (turn), prefix);
  beckon_batch_put_sent (batch, get_id (turn), prefix);
  beckon_batch_put_told (batch, get_id (turn), told);
  beckon_batch_put_told (batch, get_id (turn), lost);
  beckon_batch_put_prefix (batch, "gone", prefix);
  beckon_store_fixture_commit (fixture->store, batch);
  reopen (fixture);
  read = load_prefixes (fixture, get_id (turn));
  found = g_hash_table_lookup (read->by_profile, "p1");
  g_assert_cmpstr (found->reason, ==, "tools");
  g_assert_cmpstr (found->facts, ==, "F");
  g_assert_true (found->number == 2 && found->cut_through == 3 && found->bare_through == 5 && found->is_bound);
  g_assert_true (found->n_sent == 7 && found->sent == G_MAXUINT64 - 8 && found->used == 9);
  g_assert_cmpuint (g_hash_table_size (read->told), ==, 1);

  batch = beckon_batch_new (BECKON_DURABILITY_FULL);
  beckon_batch_delete_conversation (batch, get_id (turn));
  beckon_store_fixture_commit (fixture->store, batch);
  assert_sql (fixture, "SELECT (SELECT count (*) FROM prefix) + (SELECT count (*) FROM told)", "0");
  assert_sql (fixture, "SELECT count (*) FROM prefix_sent", "0");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name, function) g_test_add ("/store/batch/" name, Fixture, NULL, set_up, function, tear_down)
  ADD ("rules", test_rules);
  ADD ("parameters", test_parameters);
  ADD ("whole-turn", test_whole_turn);
  ADD ("header-is-updated", test_header_is_updated);
  ADD ("delete-takes-everything", test_delete_takes_everything);
  ADD ("place-is-taken-once", test_place_is_taken_once);
  ADD ("deleted-elsewhere", test_deleted_elsewhere);
  ADD ("streamed-message", test_streamed_message);
  ADD ("call-moves-as-expected", test_call_moves_as_expected);
  ADD ("call-conflict", test_call_conflict);
  ADD ("start-needs-permit", test_start_needs_permit);
  ADD ("second-result", test_second_result);
  ADD ("one-open-run", test_one_open_run);
  ADD ("end-gives-lease-back", test_end_gives_lease_back);
  ADD ("profiles", test_profiles);
  ADD ("prefixes", test_prefixes);
  ADD ("provenance-is-append-only", test_provenance_is_append_only);
  ADD ("schema-refuses", test_schema_refuses);
  ADD ("cancelled-before-its-turn", test_cancelled_before_its_turn);
  ADD ("cancelled-after-it-was-written", test_cancelled_after_it_was_written);
  ADD ("dropped-store-writes-first", test_dropped_store_writes_first);
  ADD ("closed-store-says-so", test_closed_store_says_so);
  ADD ("durability", test_durability);
  ADD ("results-come-in-order", test_results_come_in_order);
#undef ADD

  return g_test_run ();
}
