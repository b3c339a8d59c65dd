/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The two lists that views observe: what they write behind, and how they follow another process. The other process is a
 * second store object on the same folder; to the file and to the notices it is one.
 */

#include "beckon-store-fixture.h"

#include "base/beckon-error.h"
#include "base/beckon-id.h"
#include "domain/beckon-file-copies.h"
#include "domain/beckon-landing.h"
#include "request/beckon-vault.h"
#include "request/test-vault.h"
#include "store/queries/beckon-store-secrets.h"

#include <string.h>

typedef struct
{
  char *directory;
  BeckonClock *clock;
  BeckonStore *store;
  BeckonStore *other;
  BeckonLibrary *library;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->directory = beckon_store_fixture_make_folder ();
  fixture->clock = beckon_clock_new_manual (1000000);
  fixture->store = beckon_store_fixture_open (fixture->directory);
  fixture->other = beckon_store_fixture_open (fixture->directory);
  fixture->library = beckon_store_fixture_library (fixture->store, fixture->clock);
}

/* Waits while the clock goes on: what others write is not read again more often than it allows. */
#define follow(condition)                                                                                              \
  beckon_await ((beckon_clock_advance (fixture->clock, 200), (condition)))

static void
come_to_rest (Fixture *fixture)
{
  beckon_store_fixture_come_to_rest (fixture->clock, fixture->store, fixture->other);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  come_to_rest (fixture);
  g_assert_finalize_object (fixture->library);
  g_assert_finalize_object (fixture->store);
  g_assert_finalize_object (fixture->other);
  g_object_unref (fixture->clock);
  beckon_store_fixture_clear (fixture->directory);
}

static void
assert_sql (Fixture *fixture, const char *sql, const char *expected)
{
  g_autofree char *value = NULL;

  beckon_store_fixture_settle_down (fixture->store);
  value = beckon_store_fixture_sql (fixture->directory, sql);
  g_assert_cmpstr (value, ==, expected);
}

static guint
get_n (Fixture *fixture)
{
  return g_list_model_get_n_items (G_LIST_MODEL (fixture->library));
}

static BeckonConversation *
get_at (Fixture *fixture, guint position)
{
  g_autoptr (BeckonConversation) conversation = g_list_model_get_item (G_LIST_MODEL (fixture->library), position);

  return conversation;
}

/* Stores a turn at a time of the test's choice, through the other process. */
static BeckonTurn *
store_elsewhere (Fixture *fixture, const char *question, gint64 updated_at)
{
  BeckonTurn *turn = beckon_turn_new (question);

  beckon_conversation_set_updated_at (turn->conversation, updated_at);
  beckon_store_fixture_commit (fixture->other, beckon_turn_to_batch (turn));

  return turn;
}

/* The order is that of writing, whatever the clock said. */
static void
test_newest_first (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTurn) oldest = store_elsewhere (fixture, "Oldest?", 1);
  g_autoptr (BeckonTurn) middle = store_elsewhere (fixture, "Middle?", 3);
  g_autoptr (BeckonTurn) newest = store_elsewhere (fixture, "Newest?", 2);

  follow (get_n (fixture) == 3);
  g_assert_cmpstr (beckon_conversation_get_title (get_at (fixture, 0)), ==, "Newest?");
  g_assert_cmpstr (beckon_conversation_get_title (get_at (fixture, 1)), ==, "Middle?");
  g_assert_cmpstr (beckon_conversation_get_title (get_at (fixture, 2)), ==, "Oldest?");
  g_assert_null (g_list_model_get_item (G_LIST_MODEL (fixture->library), 3));
  g_assert_true (beckon_library_lookup (fixture->library, beckon_conversation_get_id (middle->conversation))
                 == get_at (fixture, 1));
  g_assert_null (beckon_library_lookup (fixture->library, "nobody"));
}

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
  *changes = (Changes) { changes->n + 1, position, removed, added };
}

static void
test_touch_moves (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTurn) first = store_elsewhere (fixture, "First?", 1);
  g_autoptr (BeckonTurn) second = store_elsewhere (fixture, "Second?", 2);
  g_autoptr (BeckonTurn) third = store_elsewhere (fixture, "Third?", 3);
  Changes changes = { 0 };
  BeckonConversation *moved;

  follow (get_n (fixture) == 3);
  g_signal_connect (fixture->library, "items-changed", G_CALLBACK (on_items_changed), &changes);
  moved = get_at (fixture, 1);
  beckon_conversation_set_updated_at (moved, 9);
  beckon_library_touch (fixture->library, moved);
  g_assert_true (get_at (fixture, 0) == moved);
  g_assert_cmpuint (changes.n, ==, 1);
  g_assert_cmpuint (changes.position, ==, 0);
  g_assert_cmpuint (changes.removed, ==, 2);
  g_assert_cmpuint (changes.added, ==, 2);

  beckon_library_touch (fixture->library, moved);
  g_assert_cmpuint (changes.n, ==, 1);
  g_signal_handlers_disconnect_by_data (fixture->library, &changes);
}

static void
test_create_and_draft (Fixture *fixture, gconstpointer data)
{
  BeckonConversation *conversation = beckon_library_create (fixture->library);

  g_assert_true (beckon_conversation_get_loaded (conversation));
  g_assert_cmpint (beckon_conversation_get_created_at (conversation), ==, 1000000);
  g_assert_true (get_at (fixture, 0) == conversation);
  assert_sql (fixture, "SELECT count (*) FROM conversation", "0");

  /* Each stroke at once in the object; one write, half a second after the first. */
  beckon_library_save_draft (fixture->library, conversation, "h");
  beckon_clock_advance (fixture->clock, 300);
  beckon_library_save_draft (fixture->library, conversation, "he");
  g_assert_cmpstr (beckon_conversation_get_draft (conversation), ==, "he");
  beckon_clock_advance (fixture->clock, 199);
  assert_sql (fixture, "SELECT count (*) FROM conversation", "0");
  beckon_clock_advance (fixture->clock, 1);
  assert_sql (fixture, "SELECT draft FROM conversation", "he");

  beckon_library_save_draft (fixture->library, conversation, "hello");
  beckon_library_flush (fixture->library);
  assert_sql (fixture, "SELECT draft FROM conversation", "hello");
  beckon_clock_advance (fixture->clock, 5000);
  assert_sql (fixture, "SELECT count (*) FROM conversation", "1");
}

/* Typed and taken back within the half second: there is nothing to store. */
static void
test_draft_taken_back (Fixture *fixture, gconstpointer data)
{
  BeckonConversation *conversation = beckon_library_create (fixture->library);

  beckon_library_save_draft (fixture->library, conversation, "never mind");
  beckon_library_save_draft (fixture->library, conversation, "");
  beckon_clock_advance (fixture->clock, 5000);
  assert_sql (fixture, "SELECT count (*) FROM conversation", "0");
}

/* A message is sent while its draft is on the way: the run empties the draft, and the old text must not come back. */
static void
test_draft_of_a_sent_message (Fixture *fixture, gconstpointer data)
{
  BeckonConversation *conversation = beckon_library_create (fixture->library);
  g_autoptr (BeckonMessage) message = beckon_message_new_text (BECKON_ROLE_USER, 0, "hello");
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);

  beckon_library_save_draft (fixture->library, conversation, "hello");
  beckon_batch_put_conversation (batch, conversation);
  beckon_batch_add_message (batch, beckon_conversation_get_id (conversation), message);
  beckon_batch_set_draft (batch, beckon_conversation_get_id (conversation), NULL);
  beckon_store_commit_async (fixture->store, batch, NULL, NULL, NULL);
  beckon_clock_advance (fixture->clock, 500);
  beckon_conversation_set_draft (conversation, NULL);
  beckon_library_touch (fixture->library, conversation);
  beckon_clock_advance (fixture->clock, 500);
  assert_sql (fixture, "SELECT draft FROM conversation", "");
}

static void
test_flushed_when_dropped (Fixture *fixture, gconstpointer data)
{
  BeckonConversation *conversation = beckon_library_create (fixture->library);

  come_to_rest (fixture);
  beckon_library_save_draft (fixture->library, conversation, "last words");
  g_assert_finalize_object (fixture->library);
  assert_sql (fixture, "SELECT draft FROM conversation", "last words");
  fixture->library = beckon_store_fixture_library (fixture->store, fixture->clock);
  g_assert_cmpstr (beckon_conversation_get_draft (get_at (fixture, 0)), ==, "last words");
}

static void
test_rename_and_profile (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTurn) turn = store_elsewhere (fixture, "Old name", 5);
  BeckonConversation *fresh = beckon_library_create (fixture->library);
  BeckonConversation *stored;

  follow (get_n (fixture) == 2);
  stored = beckon_library_lookup (fixture->library, beckon_conversation_get_id (turn->conversation));
  beckon_library_rename (fixture->library, stored, "New name");
  beckon_library_set_profile (fixture->library, stored, "p1");
  beckon_library_rename (fixture->library, fresh, "Not stored yet");
  g_assert_cmpstr (beckon_conversation_get_title (fresh), ==, "Not stored yet");
  assert_sql (fixture, "SELECT group_concat (title || profile || updated_at) FROM conversation", "New namep15");
}

static void
on_gone (BeckonLibrary *library, const char *conversation_id, gpointer user_data)
{
  g_ptr_array_add (user_data, g_strdup (conversation_id));
}

static void
test_delete (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTurn) turn = store_elsewhere (fixture, "Gone?", 5);
  BeckonConversation *fresh = beckon_library_create (fixture->library);
  g_autofree char *fresh_id = g_strdup (beckon_conversation_get_id (fresh));
  g_autoptr (GPtrArray) gone = g_ptr_array_new_with_free_func (g_free);

  follow (get_n (fixture) == 2);
  g_signal_connect (fixture->library, "gone", G_CALLBACK (on_gone), gone);
  beckon_library_save_draft (fixture->library, fresh, "just typed");
  beckon_library_delete (fixture->library, fresh);
  beckon_library_delete (fixture->library,
                         beckon_library_lookup (fixture->library, beckon_conversation_get_id (turn->conversation)));
  g_assert_cmpuint (get_n (fixture), ==, 0);
  beckon_clock_advance (fixture->clock, 1000);
  assert_sql (fixture, "SELECT count (*) FROM conversation WHERE deleted_at IS NULL", "0");

  /* Other processes drop it when the deletion can't be taken back any longer. */
  for (guint i = 0; i < gone->len; i++)
    g_assert_cmpstr (g_ptr_array_index (gone, i), ==, fresh_id);
  beckon_clock_advance (fixture->clock, 61 * 1000);
  /* The other one may be told of again after it. */
  follow (g_ptr_array_find_with_equal_func (gone, beckon_conversation_get_id (turn->conversation), g_str_equal, NULL));
}

static BeckonTurn *
store_answer (Fixture *fixture, const char *handle)
{
  BeckonTurn *turn = store_elsewhere (fixture, "The token?", 5);
  BeckonSettlement *settlement = beckon_turn_answer (turn, handle, "somebody");
  g_autoptr (GError) error = NULL;

  beckon_store_fixture_settle (fixture->other, settlement, &error);
  g_assert_no_error (error);
  beckon_settlement_free (settlement);

  return turn;
}

static void
delete_for_ever (Fixture *fixture, BeckonTurn *turn)
{
  beckon_library_delete (fixture->library,
                         beckon_library_lookup (fixture->library, beckon_conversation_get_id (turn->conversation)));
  come_to_rest (fixture);
  beckon_clock_advance (fixture->clock, 61 * 1000);
  come_to_rest (fixture);
}

/* A masked answer goes with the last conversation that has it, and not before nobody can take the deletion back. */
static void
test_delete_secret (Fixture *fixture, gconstpointer data)
{
  g_autofree char *handle = beckon_secret_handle_new ("The token?");
  g_autoptr (TestVault) vault = test_vault_new ();
  g_autoptr (BeckonTurn) first = store_answer (fixture, handle);
  g_autoptr (BeckonTurn) copy = store_answer (fixture, handle);

  beckon_library_set_vault (fixture->library, BECKON_VAULT (vault));
  beckon_vault_keep_async (BECKON_VAULT (vault), handle, "hunter2", NULL, NULL, NULL);
  follow (get_n (fixture) == 2);
  delete_for_ever (fixture, first);
  g_assert_cmpstr (test_vault_get (vault, handle), ==, "hunter2");

  beckon_library_delete (fixture->library,
                         beckon_library_lookup (fixture->library, beckon_conversation_get_id (copy->conversation)));
  come_to_rest (fixture);
  g_assert_cmpstr (test_vault_get (vault, handle), ==, "hunter2");
  beckon_clock_advance (fixture->clock, 61 * 1000);
  beckon_await (test_vault_get_size (vault) == 0);
  assert_sql (fixture, "SELECT count (*) FROM conversation WHERE deleted_at IS NULL", "0");
}

/* Everything is forgotten at once when everything is deleted. */
static void
test_forget_all_secrets (Fixture *fixture, gconstpointer data)
{
  g_autofree char *handle = beckon_secret_handle_new ("The token?");
  g_autofree char *other = beckon_secret_handle_new ("The key?");
  g_autoptr (TestVault) vault = test_vault_new ();
  g_autoptr (BeckonTurn) first = store_answer (fixture, handle);
  g_autoptr (BeckonTurn) second = store_answer (fixture, other);

  beckon_vault_keep_async (BECKON_VAULT (vault), handle, "hunter2", NULL, NULL, NULL);
  beckon_vault_keep_async (BECKON_VAULT (vault), other, "hunter3", NULL, NULL, NULL);
  beckon_await (test_vault_get_size (vault) == 2);
  beckon_store_forget_secrets (fixture->store, BECKON_VAULT (vault), NULL);
  beckon_await (test_vault_get_size (vault) == 0);
}

/* Secrets deleted less than a minute before the end go when the program closes, as do those that another one left hidden. */
static void
test_secrets_of_the_hidden (Fixture *fixture, gconstpointer data)
{
  g_autofree char *handle = beckon_secret_handle_new ("The token?");
  g_autofree char *other = beckon_secret_handle_new ("The key?");
  g_autofree char *kept = beckon_secret_handle_new ("The door?");
  g_autoptr (TestVault) vault = test_vault_new ();
  g_autoptr (BeckonTurn) first = store_answer (fixture, handle);
  g_autoptr (BeckonTurn) second = store_answer (fixture, other);
  g_autoptr (BeckonTurn) third = store_answer (fixture, kept);
  gint64 before;

  follow (get_n (fixture) == 3);
  beckon_vault_keep_async (BECKON_VAULT (vault), handle, "hunter2", NULL, NULL, NULL);
  beckon_vault_keep_async (BECKON_VAULT (vault), other, "hunter3", NULL, NULL, NULL);
  beckon_vault_keep_async (BECKON_VAULT (vault), kept, "hunter4", NULL, NULL, NULL);
  beckon_await (test_vault_get_size (vault) == 3);

  before = beckon_clock_get_real_time (fixture->clock) - 1;
  beckon_library_delete (fixture->library,
                         beckon_library_lookup (fixture->library, beckon_conversation_get_id (first->conversation)));
  come_to_rest (fixture);
  beckon_store_forget_hidden_secrets (fixture->store, BECKON_VAULT (vault), before);
  come_to_rest (fixture);
  g_assert_cmpuint (test_vault_get_size (vault), ==, 3);
  beckon_store_forget_hidden_secrets (fixture->store, BECKON_VAULT (vault),
                                      beckon_clock_get_real_time (fixture->clock));
  beckon_await (test_vault_get_size (vault) == 2);
  g_assert_null (test_vault_get (vault, handle));

  beckon_library_set_vault (fixture->library, BECKON_VAULT (vault));
  beckon_library_delete (fixture->library,
                         beckon_library_lookup (fixture->library, beckon_conversation_get_id (second->conversation)));
  beckon_library_flush (fixture->library);
  beckon_await (test_vault_get_size (vault) == 1);
  g_assert_cmpstr (test_vault_get (vault, kept), ==, "hunter4");
}

static void
test_deleted_elsewhere (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTurn) turn = store_elsewhere (fixture, "Gone?", 5);
  BeckonConversation *fresh = beckon_library_create (fixture->library);
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);

  follow (get_n (fixture) == 2);
  beckon_batch_delete_conversation (batch, beckon_conversation_get_id (turn->conversation));
  beckon_store_fixture_commit (fixture->other, batch);
  follow (get_n (fixture) == 1);
  g_assert_true (get_at (fixture, 0) == fresh);
}

static void
count (guint *counter)
{
  (*counter)++;
}

static void
on_appended (BeckonPart *part, const char *text, guint length, GString *heard)
{
  g_string_append_len (heard, text, length);
}

/* A reply that streams in another process, seen here: rows are added, text grows, nothing is made anew. */
static void
test_follows_a_stream (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTurn) turn = store_elsewhere (fixture, "Story?", 5);
  const char *id = beckon_conversation_get_id (turn->conversation);
  g_autoptr (BeckonMessage) reply = beckon_message_new_text (BECKON_ROLE_ASSISTANT, 2, "Once");
  g_autoptr (BeckonPart) second = beckon_part_new (BECKON_PART_TEXT, "The end.");
  GString *heard = g_string_new (NULL);
  BeckonConversation *conversation;
  BeckonMessage *message;
  BeckonBatch *batch;
  Changes changes = { 0 };

  follow (get_n (fixture) == 1);
  conversation = get_at (fixture, 0);
  beckon_store_fixture_open_conversation (fixture->library, conversation);
  g_assert_cmpuint (beckon_conversation_get_n_messages (conversation), ==, 2);
  g_signal_connect (conversation, "items-changed", G_CALLBACK (on_items_changed), &changes);

  batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  beckon_message_set_status (reply, BECKON_MESSAGE_STREAMING);
  beckon_batch_add_message (batch, id, reply);
  beckon_store_fixture_commit (fixture->other, batch);
  follow (beckon_conversation_get_n_messages (conversation) == 3);
  message = beckon_conversation_get_message (conversation, 2);
  g_signal_connect (beckon_message_get_part (message, 0), "appended", G_CALLBACK (on_appended), heard);

  for (guint i = 0; i < 3; i++)
    {
      batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
      beckon_batch_append_text (batch, beckon_message_get_id (reply), 0, " upon", 5);
      beckon_store_fixture_commit (fixture->other, batch);
    }
  follow (heard->len == 15);
  g_assert_cmpstr (beckon_part_get_text (beckon_message_get_part (message, 0)), ==, "Once upon upon upon");
  g_assert_cmpint (beckon_message_get_status (message), ==, BECKON_MESSAGE_STREAMING);

  batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  beckon_batch_add_part (batch, id, beckon_message_get_id (reply), 1, second);
  beckon_message_set_status (reply, BECKON_MESSAGE_COMPLETE);
  beckon_batch_set_message (batch, reply);
  turn->run->phase = BECKON_RUN_COMPLETE;
  beckon_batch_set_run (batch, turn->run);
  beckon_store_fixture_commit (fixture->other, batch);
  follow (beckon_message_get_status (message) == BECKON_MESSAGE_COMPLETE
                && beckon_conversation_get_phase (conversation) == BECKON_RUN_COMPLETE);
  g_assert_cmpuint (beckon_message_get_n_parts (message), ==, 2);
  g_assert_cmpuint (changes.n, ==, 1);
  g_signal_handlers_disconnect_by_data (conversation, &changes);
  g_signal_handlers_disconnect_by_data (beckon_message_get_part (message, 0), heard);
  g_string_free (heard, TRUE);
}

/* News is followed at once, and then not more often than a person could follow. */
static void
test_follows_at_a_pace (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTurn) first = store_elsewhere (fixture, "First?", 1);
  g_autoptr (BeckonTurn) second = NULL;

  beckon_await (get_n (fixture) == 1);
  second = store_elsewhere (fixture, "Second?", 2);
  for (guint i = 0; i < 5; i++)
    {
      beckon_store_fixture_settle_down (fixture->store);
      while (g_main_context_iteration (NULL, FALSE))
        continue;
    }
  g_assert_cmpuint (get_n (fixture), ==, 1);
  beckon_clock_advance (fixture->clock, 200);
  beckon_await (get_n (fixture) == 2);
}

/* A question that is answered in another process: the same call object gets its state and result. */
static void
test_follows_an_answer (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTurn) turn = store_elsewhere (fixture, "Colour?", 5);
  g_autoptr (BeckonSettlement) answer = beckon_turn_answer (turn, "blue", "Ada");
  BeckonConversation *conversation;
  BeckonToolCall *call;

  follow (get_n (fixture) == 1);
  conversation = get_at (fixture, 0);
  g_assert_cmpuint (beckon_conversation_get_waiting (conversation), ==, 1);
  beckon_store_fixture_open_conversation (fixture->library, conversation);
  call = beckon_conversation_find_call (conversation, beckon_tool_call_get_id (turn->call));
  g_assert_cmpint (beckon_tool_call_get_state (call), ==, BECKON_CALL_AWAITING);

  g_assert_true (beckon_store_fixture_settle (fixture->other, answer, NULL));
  follow (beckon_tool_call_get_state (call) == BECKON_CALL_DONE);
  g_assert_cmpstr (beckon_tool_call_get_result (call), ==, "blue");
  follow (beckon_conversation_get_waiting (conversation) == 0);
}

/* A run that this process drives is ahead of the store, and stays so. */
static void
test_own_run_is_left_alone (Fixture *fixture, gconstpointer data)
{
  BeckonConversation *conversation = beckon_library_create (fixture->library);
  const char *id = beckon_conversation_get_id (conversation);
  g_autoptr (BeckonRunRecord) run = beckon_run_record_new (id, "tour", 50);
  g_autoptr (BeckonMessage) message = beckon_message_new_text (BECKON_ROLE_ASSISTANT, 0, "stored");
  g_autoptr (BeckonTurn) theirs = NULL;
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);

  run->phase = BECKON_RUN_RECEIVING;
  beckon_batch_put_conversation (batch, conversation);
  beckon_message_set_status (message, BECKON_MESSAGE_STREAMING);
  beckon_conversation_add_message (conversation, message);
  beckon_batch_add_message (batch, id, message);
  beckon_batch_add_run (batch, run);
  beckon_store_fixture_commit (fixture->store, batch);
  beckon_library_touch (fixture->library, conversation);

  beckon_part_append (beckon_message_get_part (message, 0), " and not stored", 15);
  beckon_conversation_set_phase (conversation, BECKON_RUN_CALLING, "a tool", 0);
  beckon_conversation_set_updated_at (conversation, 77777777);
  theirs = store_elsewhere (fixture, "News?", 5);
  follow (get_n (fixture) == 2);

  g_assert_cmpint (beckon_conversation_get_phase (conversation), ==, BECKON_RUN_CALLING);
  g_assert_cmpstr (beckon_conversation_get_detail (conversation), ==, "a tool");
  g_assert_cmpint (beckon_conversation_get_updated_at (conversation), ==, 77777777);
  g_assert_cmpstr (beckon_part_get_text (beckon_message_get_part (message, 0)), ==, "stored and not stored");
  g_assert_cmpuint (beckon_conversation_get_n_messages (conversation), ==, 1);
}

/* A run that this process drives has a call whose change another process undoes and makes again; @landing: of a command. */
static void
undo_elsewhere (Fixture *fixture, BeckonTurn *turn, BeckonFileCopy *copy, BeckonLanding *landing, gint64 undone_at)
{
  const char *id = beckon_conversation_get_id (turn->conversation);
  BeckonCallChange expected = undone_at > 0 ? BECKON_CALL_CHANGE_UNDONE : BECKON_CALL_CHANGE_KEPT;
  g_autoptr (GPtrArray) landings = g_ptr_array_new ();

  copy->undone_at = undone_at;
  landing->undone_at = undone_at;
  landing->state = undone_at > 0 ? BECKON_LANDING_UNDONE : BECKON_LANDING_LANDED;
  beckon_change_set_get (landing->changes, 0)->fate = undone_at > 0 ? BECKON_FILE_UNDONE : BECKON_FILE_KEPT;
  g_ptr_array_add (landings, landing);
  if (beckon_tool_call_get_landing (turn->call) != NULL)
    beckon_landings_put_async (BECKON_LANDINGS (fixture->other), id, landings, undone_at > 0 ? "undone" : "redone", "terminal",
                               5, NULL, NULL);
  else
    beckon_file_copies_put_async (BECKON_FILE_COPIES (fixture->other), id, copy, "terminal", 5, NULL, NULL);
  follow (beckon_tool_call_get_change (turn->call) == expected);
}

static void
test_undone_elsewhere (Fixture *fixture, gconstpointer data)
{
  const gboolean is_command = data != NULL;
  g_autoptr (BeckonTurn) turn = beckon_turn_new ("Mine?");
  const char *call_id = beckon_tool_call_get_id (turn->call);
  g_autoptr (BeckonSettlement) answer = beckon_turn_answer (turn, "yes", "Ada");
  g_autoptr (BeckonFileCopy) copy = beckon_file_copy_new (call_id, "/folder", "a.txt", NULL, "12", 5);
  g_autoptr (BeckonChangeSet) changes = beckon_change_set_new ();
  g_autoptr (BeckonLanding) landing = NULL;
  BeckonBatch *batch = beckon_turn_to_batch (turn);

  turn->run->phase = BECKON_RUN_CALLING;
  beckon_change_set_take (changes, beckon_file_change_new ("a.txt", BECKON_FILE_CREATED, BECKON_FILE_REGULAR));
  landing = beckon_landing_new (call_id, "/folder", "", 5, changes);
  landing->state = BECKON_LANDING_LANDED;
  beckon_change_set_get (landing->changes, 0)->fate = BECKON_FILE_KEPT;
  if (is_command)
    beckon_batch_put_landing (batch, landing);
  else
    beckon_batch_put_file_copy (batch, copy);
  beckon_store_fixture_commit (fixture->store, batch);
  g_assert_true (beckon_store_fixture_settle (fixture->store, answer, NULL));
  come_to_rest (fixture);
  g_assert_finalize_object (fixture->library);
  fixture->library = beckon_store_fixture_library (fixture->store, fixture->clock);
  beckon_store_fixture_open_conversation (fixture->library, get_at (fixture, 0));
  g_set_object (&turn->call, beckon_conversation_find_call (get_at (fixture, 0), call_id));
  g_assert_cmpint (beckon_tool_call_get_change (turn->call), ==, BECKON_CALL_CHANGE_KEPT);

  undo_elsewhere (fixture, turn, copy, landing, 7);
  undo_elsewhere (fixture, turn, copy, landing, 0);
}

/* A chat in a terminal lists no conversation, and hears of it all the same. */
static void
test_undone_unlisted (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTurn) turn = beckon_turn_new ("Mine?");
  g_autoptr (BeckonFileCopy) copy
    = beckon_file_copy_new (beckon_tool_call_get_id (turn->call), "/folder", "a.txt", NULL, "12", 5);
  g_autoptr (BeckonChangeSet) none = beckon_change_set_new ();
  g_autoptr (BeckonLanding) landing = NULL;
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  const char *id;

  beckon_change_set_take (none, beckon_file_change_new ("a.txt", BECKON_FILE_CREATED, BECKON_FILE_REGULAR));
  landing = beckon_landing_new (beckon_tool_call_get_id (turn->call), "/folder", "", 5, none);
  come_to_rest (fixture);
  g_assert_finalize_object (fixture->library);
  fixture->library = beckon_library_new (fixture->store, fixture->clock);
  g_set_object (&turn->conversation, beckon_library_create (fixture->library));
  id = beckon_conversation_get_id (turn->conversation);
  beckon_conversation_add_message (turn->conversation, turn->question);
  beckon_conversation_add_message (turn->conversation, turn->reply);
  beckon_batch_put_conversation (batch, turn->conversation);
  beckon_batch_add_message (batch, id, turn->question);
  beckon_batch_add_message (batch, id, turn->reply);
  beckon_batch_put_file_copy (batch, copy);
  beckon_store_fixture_commit (fixture->store, batch);
  undo_elsewhere (fixture, turn, copy, landing, 7);
  undo_elsewhere (fixture, turn, copy, landing, 0);
}

/* How many requests wait is counted after every commit of this process that moves one. */
static void
test_waiting_of_own_requests (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTurn) turn = beckon_turn_new ("Mine?");
  g_autoptr (BeckonSettlement) answer = beckon_turn_answer (turn, "yes", "Ada");
  BeckonConversation *conversation;

  beckon_store_fixture_commit (fixture->store, beckon_turn_to_batch (turn));
  come_to_rest (fixture);
  g_assert_finalize_object (fixture->library);
  fixture->library = beckon_store_fixture_library (fixture->store, fixture->clock);
  conversation = get_at (fixture, 0);
  g_assert_cmpuint (beckon_conversation_get_waiting (conversation), ==, 1);
  g_assert_true (beckon_store_fixture_settle (fixture->store, answer, NULL));
  follow (beckon_conversation_get_waiting (conversation) == 0);
}

static void
test_opened_twice (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTurn) turn = store_elsewhere (fixture, "Twice?", 5);
  BeckonConversation *conversation;
  guint notified = 0;

  follow (get_n (fixture) == 1);
  conversation = get_at (fixture, 0);
  g_signal_connect_swapped (conversation, "items-changed", G_CALLBACK (count), &notified);
  beckon_library_open_async (fixture->library, conversation, NULL, NULL, NULL);
  beckon_store_fixture_open_conversation (fixture->library, conversation);
  beckon_store_fixture_open_conversation (fixture->library, conversation);
  g_assert_cmpuint (notified, ==, 1);
  g_signal_handlers_disconnect_by_data (conversation, &notified);
  g_assert_cmpuint (beckon_conversation_get_n_messages (conversation), ==, 2);
}

/* Profiles */

static void
keep_result (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

static BeckonProfiles *
load_profiles (BeckonStore *store)
{
  BeckonProfiles *profiles = beckon_profiles_new (store);
  g_autoptr (GAsyncResult) result = NULL;

  beckon_profiles_load_async (profiles, NULL, keep_result, &result);
  beckon_await (result != NULL);
  g_assert_true (beckon_profiles_load_finish (profiles, result, NULL));

  return profiles;
}

static void
save (BeckonProfiles *profiles, const char *id, const char *name)
{
  g_autoptr (BeckonProfile) profile = beckon_profile_new (id, BECKON_PROFILE_CHAT);
  g_autoptr (GAsyncResult) result = NULL;

  beckon_profile_set_name (profile, name);
  beckon_profiles_save_async (profiles, profile, NULL, keep_result, &result);
  g_assert_cmpstr (beckon_profile_get_name (beckon_profiles_lookup (profiles, id)), ==, name);
  beckon_await (result != NULL);
  g_assert_true (beckon_profiles_save_finish (profiles, result, NULL));
}

static char *
join_names (BeckonProfiles *profiles)
{
  GString *names = g_string_new (NULL);

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (profiles)); i++)
    {
      g_autoptr (BeckonProfile) profile = g_list_model_get_item (G_LIST_MODEL (profiles), i);

      g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", beckon_profile_get_name (profile));
    }

  return g_string_free (names, FALSE);
}

static void
assert_names (BeckonProfiles *profiles, const char *expected)
{
  g_autofree char *names = join_names (profiles);

  g_assert_cmpstr (names, ==, expected);
}

static void
test_profiles (Fixture *fixture, gconstpointer data)
{
  BeckonProfiles *profiles = load_profiles (fixture->store);
  BeckonProfiles *elsewhere = load_profiles (fixture->other);
  g_autoptr (GAsyncResult) result = NULL;
  BeckonProfile *bee;
  guint changed = 0;

  assert_names (profiles, "Offline tour");
  g_assert_cmpint (beckon_profile_get_kind (beckon_profiles_lookup (profiles, BECKON_PROFILE_TOUR_ID)), ==,
                   BECKON_PROFILE_TOUR);
  save (profiles, "2", "Bee");
  save (profiles, "1", "Cat");
  save (profiles, "3", "Ant");
  assert_names (profiles, "Offline tour, Ant, Bee, Cat");

  /* The object stays, its values change, its place follows. */
  bee = beckon_profiles_lookup (profiles, "2");
  g_signal_connect_swapped (bee, "notify::name", G_CALLBACK (count), &changed);
  save (profiles, "2", "Dog");
  g_assert_cmpuint (changed, ==, 1);
  g_signal_handlers_disconnect_by_data (bee, &changed);
  g_assert_true (beckon_profiles_lookup (profiles, "2") == bee);
  assert_names (profiles, "Offline tour, Ant, Cat, Dog");

  beckon_await (g_list_model_get_n_items (G_LIST_MODEL (elsewhere)) == 4
                && g_strcmp0 (beckon_profile_get_name (beckon_profiles_lookup (elsewhere, "2")), "Dog") == 0);
  assert_names (elsewhere, "Offline tour, Ant, Cat, Dog");
  beckon_profiles_remove_async (elsewhere, "1", NULL, keep_result, &result);
  assert_names (elsewhere, "Offline tour, Ant, Dog");
  beckon_await (result != NULL && g_list_model_get_n_items (G_LIST_MODEL (profiles)) == 3);
  g_assert_true (beckon_profiles_remove_finish (elsewhere, result, NULL));
  assert_names (profiles, "Offline tour, Ant, Dog");

  g_clear_object (&result);
  come_to_rest (fixture);
  g_assert_finalize_object (profiles);
  g_assert_finalize_object (elsewhere);
}

static BeckonProfile *
make_full_profile (const char *id)
{
  static const char *const headers[] = { "X-Title: Beckon", "HTTP-Referer: https://example.org", NULL };
  static const char *const fallbacks[] = { "gone", "tour", "2", NULL };
  BeckonProfile *profile = beckon_profile_new (id, BECKON_PROFILE_ANTHROPIC);

  g_object_set (profile, "name", "Full", "base-url", "https://a.example", "model", "m", "rounds", 30u, "context-window",
                2000000u, "temperature", 0.3, "output-limit", 4096u, "headers", headers, "extra-body", "{\"top_p\":0.5}",
                "system-prompt", "Line one\nline two", "fallbacks", fallbacks, "price-input", 2.5, "price-cached", 0.25,
                "price-output", 10.0, "currency", "元", NULL);
  return profile;
}

/* All of it comes back, here and in another process, and what it follows may be gone or come later. */
static void
test_profile_fields (Fixture *fixture, gconstpointer data)
{
  BeckonProfiles *profiles = load_profiles (fixture->store);
  BeckonProfiles *elsewhere = load_profiles (fixture->other);
  g_autoptr (BeckonProfile) full = make_full_profile ("1");
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GPtrArray) read = NULL;
  const char *const one[] = { "2", NULL };

  save (profiles, "2", "Bee");
  beckon_profiles_save_async (profiles, full, NULL, keep_result, &result);
  beckon_await (result != NULL);
  g_assert_true (beckon_profiles_save_finish (profiles, result, NULL));
  beckon_await (beckon_profiles_lookup (elsewhere, "1") != NULL);
  /* Profiles of any protocol may be fallbacks. */
  assert_names (profiles, "Offline tour, Bee, Full");
  g_assert_true (beckon_profile_equal (beckon_profiles_lookup (elsewhere, "1"), full));

  g_clear_object (&result);
  beckon_profile_set_fallbacks (full, one);
  beckon_profile_set_temperature (full, -1);
  beckon_profiles_save_async (profiles, full, NULL, keep_result, &result);
  beckon_await (result != NULL);
  read = beckon_store_fixture_profiles (fixture->store);
  g_assert_cmpuint (read->len, ==, 2);
  g_assert_true (beckon_profile_equal (g_ptr_array_index (read, 1), full));
  g_assert_false (beckon_profile_equal (g_ptr_array_index (read, 0), full));

  g_clear_object (&result);
  come_to_rest (fixture);
  g_assert_finalize_object (profiles);
  g_assert_finalize_object (elsewhere);
}
/* In two steps */

#define MANY 300

typedef struct
{
  guint n;
  guint at_first;
  guint n_loaded;
} Steps;

static void
on_step (BeckonLibrary *library, guint position, guint removed, guint added, Steps *steps)
{
  g_assert_cmpuint (removed, ==, 0);
  steps->n++;
}

static void
on_loaded (BeckonLibrary *library, Steps *steps)
{
  steps->n_loaded++;
}

static void
on_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (beckon_library_load_finish (BECKON_LIBRARY (source), result, &error));
  g_assert_no_error (error);
  *(gboolean *) user_data = TRUE;
}

static BeckonConversation *
store_marked (Fixture *fixture, gboolean pinned, gboolean archived)
{
  g_autofree char *id = beckon_id_new ();
  BeckonConversation *conversation = beckon_conversation_new (id, 1000);
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);

  beckon_conversation_set_title (conversation, "One of many");
  beckon_batch_put_conversation (batch, conversation);
  if (pinned)
    beckon_batch_set_pinned (batch, id, TRUE);
  if (archived)
    beckon_batch_set_archived (batch, id, TRUE);
  beckon_store_fixture_commit (fixture->other, batch);

  return conversation;
}

static gboolean
knows (BeckonLibrary *library, BeckonConversation *conversation)
{
  return beckon_library_lookup (library, beckon_conversation_get_id (conversation)) != NULL;
}

static void
load_first (BeckonLibrary *library)
{
  gboolean done = FALSE;

  beckon_library_load_first_async (library, NULL, on_read, &done);
  beckon_await (done);
}

static void
load_rest (BeckonLibrary *library)
{
  gboolean done = FALSE;

  beckon_library_load_async (library, NULL, on_read, &done);
  beckon_await (done);
}

/* The first rows are there after the first step, whatever their age; the second adds the others and moves nothing. */
static void
test_two_steps (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonConversation) pinned = store_marked (fixture, TRUE, FALSE);
  g_autoptr (BeckonTurn) waiting = store_elsewhere (fixture, "Waits?", 1);
  g_autoptr (BeckonConversation) archived = store_marked (fixture, FALSE, TRUE);
  g_autoptr (BeckonConversation) oldest = store_marked (fixture, FALSE, FALSE);
  g_autoptr (BeckonLibrary) library = NULL;
  BeckonConversation *mine, *first;
  Steps steps = { 0 };

  for (guint i = 0; i < MANY; i++)
    g_object_unref (store_marked (fixture, FALSE, FALSE));

  library = beckon_library_new (fixture->store, fixture->clock);
  g_signal_connect (library, "loaded", G_CALLBACK (on_loaded), &steps);
  load_first (library);
  g_assert_false (beckon_library_is_loaded (library));
  steps.at_first = g_list_model_get_n_items (G_LIST_MODEL (library));
  g_assert_cmpuint (steps.at_first, <, MANY / 2);
  g_assert_true (knows (library, pinned));
  g_assert_true (knows (library, archived));
  g_assert_false (knows (library, oldest));
  first = beckon_library_lookup (library, beckon_conversation_get_id (waiting->conversation));
  g_assert_cmpuint (beckon_conversation_get_waiting (first), ==, 1);
  g_assert_true (beckon_conversation_get_pinned (beckon_library_lookup (library, beckon_conversation_get_id (pinned))));

  /* Changes in between stay. */
  beckon_library_rename (library, first, "Renamed");
  mine = beckon_library_create (library);

  g_signal_connect (library, "items-changed", G_CALLBACK (on_step), &steps);
  load_rest (library);
  g_assert_true (beckon_library_is_loaded (library));
  g_assert_cmpuint (steps.n_loaded, ==, 1);
  g_assert_cmpuint (steps.n, ==, 1);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (library)), ==, MANY + 5);
  g_assert_true (beckon_library_lookup (library, beckon_conversation_get_id (waiting->conversation)) == first);
  g_assert_cmpstr (beckon_conversation_get_title (first), ==, "Renamed");
  g_assert_true (knows (library, oldest));
  g_assert_true (knows (library, mine));
  load_rest (library);
  g_assert_cmpuint (steps.n_loaded, ==, 1);
  g_signal_handlers_disconnect_by_data (library, &steps);
  come_to_rest (fixture);
}

/* Another process deletes and adds between the steps. */
static void
test_two_steps_elsewhere (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTurn) gone = store_elsewhere (fixture, "Gone?", 1);
  g_autoptr (BeckonConversation) stays = store_marked (fixture, FALSE, FALSE);
  g_autoptr (BeckonLibrary) library = beckon_library_new (fixture->store, fixture->clock);
  g_autoptr (BeckonTurn) added = NULL;
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);

  load_first (library);
  g_assert_true (knows (library, gone->conversation));
  beckon_batch_hide_conversation (batch, beckon_conversation_get_id (gone->conversation), 1000000);
  beckon_store_fixture_commit (fixture->other, batch);
  added = store_elsewhere (fixture, "Added?", 2);
  load_rest (library);
  g_assert_false (knows (library, gone->conversation));
  g_assert_true (knows (library, added->conversation));
  g_assert_true (knows (library, stays));
  come_to_rest (fixture);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name, function) g_test_add ("/store/" name, Fixture, NULL, set_up, function, tear_down)
  ADD ("library/newest-first", test_newest_first);
  ADD ("library/touch-moves", test_touch_moves);
  ADD ("library/create-and-draft", test_create_and_draft);
  ADD ("library/draft-taken-back", test_draft_taken_back);
  ADD ("library/draft-of-a-sent-message", test_draft_of_a_sent_message);
  ADD ("library/flushed-when-dropped", test_flushed_when_dropped);
  ADD ("library/rename-and-profile", test_rename_and_profile);
  ADD ("library/delete", test_delete);
  ADD ("library/delete-secret", test_delete_secret);
  ADD ("library/forget-all-secrets", test_forget_all_secrets);
  ADD ("library/secrets-of-the-hidden", test_secrets_of_the_hidden);
  ADD ("library/deleted-elsewhere", test_deleted_elsewhere);
  ADD ("library/follows-a-stream", test_follows_a_stream);
  ADD ("library/follows-at-a-pace", test_follows_at_a_pace);
  ADD ("library/follows-an-answer", test_follows_an_answer);
  ADD ("library/own-run-is-left-alone", test_own_run_is_left_alone);
  ADD ("library/undone-elsewhere", test_undone_elsewhere);
  g_test_add ("/store/library/undone-elsewhere/command", Fixture, "", set_up, test_undone_elsewhere, tear_down);
  ADD ("library/undone-unlisted", test_undone_unlisted);
  ADD ("library/waiting-of-own-requests", test_waiting_of_own_requests);
  ADD ("library/opened-twice", test_opened_twice);
  ADD ("library/two-steps", test_two_steps);
  ADD ("library/two-steps-elsewhere", test_two_steps_elsewhere);
  ADD ("profiles/list", test_profiles);
  ADD ("profiles/fields", test_profile_fields);
#undef ADD

  return g_test_run ();
}
