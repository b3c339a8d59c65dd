/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A person's actions on many conversations: pin, archive, name, copy, branch, delete and restore, and what must leave no trace.
 * The other process is a second store object on the same folder.
 */
#include "base/beckon-error.h"
#include "beckon-store-fixture.h"
#include "domain/beckon-attachment.h"
#include "domain/beckon-file-copies.h"
#include "domain/beckon-request-error.h"
#include "store/db/beckon-session.h"
#include "store/db/beckon-store-follow.h"
#include "store/queries/beckon-call-log.h"
#include "store/queries/beckon-request-contexts.h"
#include "store/sqlite/beckon-database.h"

#include <string.h>

#define CANARY "xylophonequarry"

typedef struct
{
  char *directory;
  BeckonClock *clock;
  BeckonStore *store;
  BeckonStore *other;
  BeckonLibrary *library;
  BeckonLibrary *elsewhere;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->directory = beckon_store_fixture_make_folder ();
  fixture->clock = beckon_clock_new_manual (g_get_real_time ());
  fixture->store = beckon_store_fixture_open (fixture->directory);
  fixture->other = beckon_store_fixture_open (fixture->directory);
  fixture->library = beckon_store_fixture_library (fixture->store, fixture->clock);
  fixture->elsewhere = beckon_store_fixture_library (fixture->other, fixture->clock);
}

#define follow(condition)                                                                                              \
  beckon_await ((beckon_clock_advance (fixture->clock, 200), (condition)))

static void
come_to_rest (Fixture *fixture)
{
  beckon_store_fixture_come_to_rest (fixture->clock, fixture->store, fixture->other);
}

static gboolean
has_no_conversation (Fixture *fixture)
{
  g_autofree char *value = beckon_store_fixture_sql (fixture->directory, "SELECT 1 FROM conversation");

  return value == NULL;
}

/* Work under way keeps a library alive. */
static void
close_all (Fixture *fixture)
{
  come_to_rest (fixture);
  follow (G_OBJECT (fixture->library)->ref_count == 1 && G_OBJECT (fixture->elsewhere)->ref_count == 1);
  g_assert_finalize_object (g_steal_pointer (&fixture->library));
  g_assert_finalize_object (g_steal_pointer (&fixture->elsewhere));
  beckon_await (G_OBJECT (fixture->store)->ref_count == 1 && G_OBJECT (fixture->other)->ref_count == 1);
  g_assert_finalize_object (g_steal_pointer (&fixture->store));
  g_assert_finalize_object (g_steal_pointer (&fixture->other));
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  if (fixture->store != NULL)
    close_all (fixture);
  g_object_unref (fixture->clock);
  beckon_store_fixture_clear (fixture->directory);
}

static void
assert_sql (Fixture *fixture, const char *sql, const char *expected)
{
  g_autofree char *value = NULL;

  if (fixture->store != NULL)
    beckon_store_fixture_settle_down (fixture->store);
  value = beckon_store_fixture_sql (fixture->directory, sql);
  g_assert_cmpstr (value, ==, expected);
}

static guint
count (BeckonLibrary *library)
{
  return g_list_model_get_n_items (G_LIST_MODEL (library));
}

/* Stores a turn as the other process and waits until it is seen here. Borrowed. */
static BeckonConversation *
store_turn (Fixture *fixture, BeckonTurn *turn)
{
  const char *id = beckon_conversation_get_id (turn->conversation);

  beckon_store_fixture_commit (fixture->other, beckon_turn_to_batch (turn));
  follow (beckon_library_lookup (fixture->library, id) != NULL);

  return beckon_library_lookup (fixture->library, id);
}

static BeckonConversation *
seen_elsewhere (Fixture *fixture, BeckonConversation *conversation)
{
  const char *id = beckon_conversation_get_id (conversation);

  /* Its own writing is no news to a process; another one's is. */
  follow (beckon_library_lookup (fixture->elsewhere, id) != NULL);

  return beckon_library_lookup (fixture->elsewhere, id);
}

static void
keep_result (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

static void
add (guint *counter)
{
  (*counter)++;
}

static void
test_marks (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTurn) turn = beckon_turn_new ("Which colour?");
  BeckonConversation *conversation = store_turn (fixture, turn);
  BeckonConversation *other;
  guint changed = 0;

  beckon_library_rename (fixture->library, conversation, "Colours");
  beckon_library_set_pinned (fixture->library, conversation, TRUE);
  beckon_library_set_archived (fixture->library, conversation, TRUE);
  beckon_library_set_folder (fixture->library, conversation, "/srv/site");
  beckon_library_set_mode (fixture->library, conversation, BECKON_MODE_ASK_OUTSIDE);
  beckon_library_set_effort (fixture->library, conversation, BECKON_EFFORT_HIGH);
  other = seen_elsewhere (fixture, conversation);
  g_signal_connect_swapped (fixture->elsewhere, "items-changed", G_CALLBACK (add), &changed);
  follow (beckon_conversation_get_pinned (other) && beckon_conversation_get_archived (other)
          && g_str_equal (beckon_conversation_get_title (other), "Colours"));
  g_assert_cmpint (beckon_conversation_get_title_source (other), ==, BECKON_TITLE_PERSON);
  follow (beckon_conversation_get_mode (other) == BECKON_MODE_ASK_OUTSIDE);
  follow (beckon_conversation_get_effort (other) == BECKON_EFFORT_HIGH);
  g_assert_cmpstr (beckon_conversation_get_folder (other), ==, "/srv/site");

  beckon_library_set_folder (fixture->library, conversation, NULL);
  beckon_library_set_mode (fixture->library, conversation, BECKON_MODE_ASK_EVERYTHING);
  follow (beckon_conversation_get_mode (other) == BECKON_MODE_ASK_EVERYTHING);
  g_assert_null (beckon_conversation_get_folder (other));
  beckon_library_set_pinned (fixture->library, conversation, FALSE);
  beckon_library_set_archived (fixture->library, conversation, FALSE);
  follow (!beckon_conversation_get_pinned (other) && !beckon_conversation_get_archived (other));
  g_assert_cmpuint (changed, >, 0);
  g_signal_handlers_disconnect_by_data (fixture->elsewhere, &changed);
}

/* A mark moves nothing in the order. */
static void
test_marks_keep_the_order (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTurn) first = beckon_turn_new ("First?");
  g_autoptr (BeckonTurn) second = beckon_turn_new ("Second?");
  BeckonConversation *old = store_turn (fixture, first);
  BeckonConversation *new = store_turn (fixture, second);
  g_autoptr (BeckonConversation) top = NULL;

  beckon_library_set_pinned (fixture->library, old, TRUE);
  beckon_library_rename (fixture->library, old, "Renamed");
  come_to_rest (fixture);
  top = g_list_model_get_item (G_LIST_MODEL (fixture->library), 0);
  g_assert_true (top == new);
}

static void
test_marks_before_it_is_stored (Fixture *fixture, gconstpointer data)
{
  BeckonConversation *conversation = beckon_library_create (fixture->library);

  beckon_library_rename (fixture->library, conversation, "Named first");
  beckon_library_set_pinned (fixture->library, conversation, TRUE);
  beckon_library_save_draft (fixture->library, conversation, "then typed");
  beckon_library_flush (fixture->library);
  assert_sql (fixture, "SELECT title || named_by || pinned || draft FROM conversation", "Named firstperson1then typed");
}

static void
test_unread (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTurn) turn = beckon_turn_new ("Ready?");
  BeckonConversation *conversation = store_turn (fixture, turn);
  g_autoptr (BeckonSettlement) answer = beckon_turn_answer (turn, "yes", "Ada");
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);

  g_assert_false (beckon_conversation_get_unread (conversation));
  g_assert_true (beckon_store_fixture_settle (fixture->other, answer, NULL));
  turn->run->phase = BECKON_RUN_COMPLETE;
  beckon_batch_set_run (batch, turn->run);
  beckon_store_fixture_commit (fixture->other, batch);
  follow (beckon_conversation_get_unread (conversation));

  beckon_library_mark_read (fixture->library, conversation);
  g_assert_false (beckon_conversation_get_unread (conversation));
  assert_sql (fixture, "SELECT unread FROM conversation", "0");
}

/* The time never moves back, here or there. */
static void
test_seen (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTurn) turn = beckon_turn_new ("Ready?");
  BeckonConversation *conversation = store_turn (fixture, turn);
  const char *id = beckon_conversation_get_id (conversation);
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);

  g_assert_cmpint (beckon_conversation_get_seen_at (conversation), ==, 0);
  beckon_library_mark_seen (fixture->library, conversation, 5000);
  beckon_library_mark_seen (fixture->library, conversation, 4000);
  g_assert_cmpint (beckon_conversation_get_seen_at (conversation), ==, 5000);
  assert_sql (fixture, "SELECT seen_at FROM conversation", "5000");

  beckon_batch_set_seen_at (batch, id, 3000);
  beckon_batch_set_title (batch, id, "Seen there too");
  beckon_store_fixture_commit (fixture->other, batch);
  follow (g_str_equal (beckon_conversation_get_title (conversation), "Seen there too"));
  g_assert_cmpint (beckon_conversation_get_seen_at (conversation), ==, 5000);

  batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  beckon_batch_set_seen_at (batch, id, 6000);
  beckon_store_fixture_commit (fixture->other, batch);
  follow (beckon_conversation_get_seen_at (conversation) == 6000);
}

static void
test_titles (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTurn) turn = beckon_turn_new ("Which colour?");
  BeckonConversation *conversation = store_turn (fixture, turn);

  beckon_library_propose_title (fixture->library, conversation, "Colours");
  assert_sql (fixture, "SELECT title || named_by FROM conversation", "Coloursmodel");
  beckon_library_propose_title (fixture->library, conversation, "More colours");
  g_assert_cmpstr (beckon_conversation_get_title (conversation), ==, "Colours");
  beckon_library_rename (fixture->library, conversation, "Mine");
  beckon_library_propose_title (fixture->library, conversation, "Theirs");
  assert_sql (fixture, "SELECT title || named_by FROM conversation", "Mineperson");
}

/* A person named it in another process, and this one has not heard of it. */
static void
test_title_of_a_person_wins (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTurn) turn = beckon_turn_new ("Which colour?");
  BeckonConversation *conversation = store_turn (fixture, turn);
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);

  beckon_batch_set_title (batch, beckon_conversation_get_id (conversation), "Named elsewhere");
  beckon_store_fixture_commit (fixture->other, batch);
  batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  beckon_batch_propose_title (batch, beckon_conversation_get_id (conversation), "Too late");
  beckon_batch_put_conversation (batch, turn->conversation);
  beckon_store_fixture_commit (fixture->store, batch);
  assert_sql (fixture, "SELECT title FROM conversation", "Named elsewhere");
}

/* Copies */

static BeckonConversation *
duplicate (Fixture *fixture, BeckonConversation *conversation)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  BeckonConversation *copy;

  beckon_library_duplicate_async (fixture->library, conversation, NULL, keep_result, &result);
  beckon_await (result != NULL);
  copy = beckon_library_duplicate_finish (fixture->library, result, &error);
  g_assert_no_error (error);
  beckon_store_fixture_open_conversation (fixture->library, copy);

  return copy;
}

static BeckonConversation *
branch (Fixture *fixture, BeckonConversation *conversation, const char *message_id, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;
  BeckonConversation *copy;

  beckon_library_branch_async (fixture->library, conversation, message_id, NULL, keep_result, &result);
  beckon_await (result != NULL);
  copy = beckon_library_branch_finish (fixture->library, result, error);
  if (copy != NULL)
    beckon_store_fixture_open_conversation (fixture->library, copy);

  return copy;
}

/* A request that waits in the original waits on; in the copy it is over. */
static void
test_duplicate (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTurn) turn = beckon_turn_new ("Which colour?");
  BeckonConversation *conversation = store_turn (fixture, turn);
  g_autoptr (BeckonConversation) copy = NULL;
  g_autoptr (GPtrArray) pending = NULL;
  BeckonToolCall *call;
  BeckonMessage *reply;

  beckon_library_set_pinned (fixture->library, conversation, TRUE);
  beckon_library_save_draft (fixture->library, conversation, "half a thought");
  copy = duplicate (fixture, conversation);

  g_assert_cmpstr (beckon_conversation_get_title (copy), ==, "Which colour? (copy)");
  g_assert_cmpstr (beckon_conversation_get_draft (copy), ==, "half a thought");
  g_assert_false (beckon_conversation_get_pinned (copy));
  g_assert_null (beckon_conversation_get_origin_id (copy));
  g_assert_cmpint (beckon_conversation_get_phase (copy), ==, BECKON_RUN_STOPPED);
  g_assert_cmpuint (beckon_conversation_get_waiting (copy), ==, 0);
  g_assert_cmpuint (beckon_conversation_get_n_messages (copy), ==, 2);
  reply = beckon_conversation_get_message (copy, 1);
  g_assert_cmpstr (beckon_message_get_id (reply), !=, beckon_message_get_id (turn->reply));
  call = beckon_part_get_call (beckon_message_get_part (reply, beckon_message_get_n_parts (reply) - 1));
  g_assert_cmpint (beckon_tool_call_get_state (call), ==, BECKON_CALL_CANCELLED);
  g_assert_nonnull (beckon_tool_call_get_result (call));
  g_assert_cmpstr (beckon_tool_call_get_arguments (call), ==, beckon_tool_call_get_arguments (turn->call));
  g_assert_cmpint (beckon_request_get_state (BECKON_REQUEST (beckon_tool_call_get_request (call))), ==,
                   BECKON_REQUEST_CANCELLED);

  pending = beckon_store_fixture_pending (fixture->store);
  g_assert_cmpuint (pending->len, ==, 1);
  assert_sql (fixture, "SELECT count (*) FROM run WHERE open", "1");
  assert_sql (fixture, "PRAGMA foreign_key_check", NULL);
}

/* Text that is still in pieces is copied with them. */
static void
test_duplicate_while_it_streams (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTurn) turn = beckon_turn_new ("Story?");
  BeckonConversation *conversation = store_turn (fixture, turn);
  const char *id = beckon_conversation_get_id (conversation);
  g_autoptr (BeckonMessage) reply = beckon_message_new_text (BECKON_ROLE_ASSISTANT, 2, "Once");
  g_autoptr (BeckonConversation) copy = NULL;
  g_autofree char *text = NULL;
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);

  beckon_message_set_status (reply, BECKON_MESSAGE_STREAMING);
  beckon_batch_add_message (batch, id, reply);
  beckon_batch_append_text (batch, beckon_message_get_id (reply), 0, " upon", 5);
  beckon_batch_append_text (batch, beckon_message_get_id (reply), 0, " a time", 7);
  beckon_store_fixture_commit (fixture->other, batch);

  copy = duplicate (fixture, conversation);
  text = beckon_message_dup_text (beckon_conversation_get_message (copy, 2));
  g_assert_cmpstr (text, ==, "Once upon a time");
  g_assert_cmpint (beckon_message_get_status (beckon_conversation_get_message (copy, 2)), ==, BECKON_MESSAGE_CUT_OFF);
}

static void
test_branch (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTurn) turn = beckon_turn_new ("Which colour?");
  BeckonConversation *conversation = store_turn (fixture, turn);
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonConversation) copy =
    branch (fixture, conversation, beckon_message_get_id (turn->question), &error);

  g_assert_no_error (error);
  g_assert_cmpuint (beckon_conversation_get_n_messages (copy), ==, 1);
  g_assert_cmpstr (beckon_conversation_get_origin_id (copy), ==, beckon_conversation_get_id (conversation));
  g_assert_cmpstr (beckon_conversation_get_origin_message_id (copy), ==, beckon_message_get_id (turn->question));
  g_assert_cmpstr (beckon_conversation_get_draft (copy), ==, "");
  g_assert_true (beckon_run_phase_can_continue (beckon_conversation_get_phase (copy)));
  assert_sql (fixture, "SELECT count (*) FROM call", "1");

  g_clear_object (&copy);
  copy = branch (fixture, conversation, "nobody", &error);
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_NOT_FOUND);
  assert_sql (fixture, "SELECT count (*) FROM conversation", "2");
}

/* Deleting and taking back */

static void
test_delete_and_restore (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTurn) turn = beckon_turn_new ("Which colour?");
  g_autoptr (BeckonConversation) conversation = g_object_ref (store_turn (fixture, turn));
  BeckonToolCall *call;
  g_autoptr (GPtrArray) hits = NULL;
  g_autoptr (GPtrArray) found = NULL;

  beckon_store_fixture_open_conversation (fixture->library, conversation);
  call = beckon_conversation_find_call (conversation, beckon_tool_call_get_id (turn->call));
  beckon_library_set_pinned (fixture->library, conversation, TRUE);
  beckon_library_save_draft (fixture->library, conversation, "half a thought");
  seen_elsewhere (fixture, conversation);

  beckon_library_delete (fixture->library, conversation);
  g_assert_cmpuint (count (fixture->library), ==, 0);
  follow (count (fixture->elsewhere) == 0);
  hits = beckon_store_fixture_search (fixture->store, "colour", 10, NULL);
  g_assert_cmpuint (hits->len, ==, 0);
  assert_sql (fixture, "SELECT r.state || s.state || s.front_end FROM request r JOIN settlement s ON s.request = r.id",
              "cancelledcancelleddeletion");
  assert_sql (fixture, "SELECT state FROM call", "cancelled");
  assert_sql (fixture, "SELECT phase || open FROM run", "stopped0");

  g_assert_true (beckon_library_can_restore (fixture->library, conversation));
  g_assert_true (beckon_library_restore (fixture->library, conversation));
  g_assert_false (beckon_library_restore (fixture->library, conversation));
  g_assert_cmpuint (count (fixture->library), ==, 1);
  follow (count (fixture->elsewhere) == 1);
  follow (beckon_conversation_get_phase (conversation) == BECKON_RUN_STOPPED);
  follow (beckon_tool_call_get_state (call) == BECKON_CALL_CANCELLED);
  g_assert_true (beckon_conversation_get_pinned (conversation));
  g_assert_cmpstr (beckon_conversation_get_draft (conversation), ==, "half a thought");
  found = beckon_store_fixture_search (fixture->store, "colour", 10, NULL);
  g_assert_cmpuint (found->len, >, 0);
}

static void
test_undo_ends (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTurn) turn = beckon_turn_new ("Which colour?");
  g_autoptr (BeckonConversation) conversation = g_object_ref (store_turn (fixture, turn));

  beckon_library_delete (fixture->library, conversation);
  beckon_clock_advance (fixture->clock, BECKON_UNDO_US / 1000 - 10);
  g_assert_true (beckon_library_can_restore (fixture->library, conversation));
  beckon_clock_advance (fixture->clock, 20);
  g_assert_false (beckon_library_can_restore (fixture->library, conversation));
  g_assert_false (beckon_library_restore (fixture->library, conversation));
  beckon_await (has_no_conversation (fixture));
  assert_sql (fixture, "SELECT (SELECT count (*) FROM message) + (SELECT count (*) FROM part)"
                       " + (SELECT count (*) FROM request) + (SELECT count (*) FROM provenance)",
              "0");
}

/* The program ends right after it, or dies: the next one erases. */
static void
test_undo_ends_with_the_program (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTurn) turn = beckon_turn_new ("Which colour?");
  BeckonConversation *conversation = store_turn (fixture, turn);

  beckon_library_delete (fixture->library, conversation);
  close_all (fixture);
  assert_sql (fixture, "SELECT count (*) FROM conversation", "0");
}

static void
test_left_behind (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTurn) turn = beckon_turn_new ("Which colour?");
  g_autofree char *sql = NULL;

  store_turn (fixture, turn);
  close_all (fixture);
  sql = g_strdup_printf ("UPDATE conversation SET deleted_at = %" G_GINT64_FORMAT,
                         g_get_real_time () - 2 * BECKON_UNDO_US);
  beckon_store_fixture_sql (fixture->directory, sql);
  fixture->store = beckon_store_fixture_open (fixture->directory);
  beckon_await (has_no_conversation (fixture));
  g_clear_object (&fixture->store);
}

/* A process was writing to what was deleted for good. */
static void
test_gone_stays_gone (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTurn) turn = beckon_turn_new ("Which colour?");
  g_autoptr (BeckonMessage) message = beckon_message_new_text (BECKON_ROLE_USER, 2, "One more thing");
  g_autoptr (GError) error = NULL;
  const char *id = beckon_conversation_get_id (turn->conversation);
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_FULL);

  store_turn (fixture, turn);
  beckon_batch_delete_conversation (batch, id);
  beckon_store_fixture_commit (fixture->other, batch);

  batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  beckon_batch_put_conversation (batch, turn->conversation);
  beckon_batch_add_message (batch, id, message);
  g_assert_false (beckon_store_fixture_try_commit (fixture->store, batch, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_NOT_FOUND);
  assert_sql (fixture, "SELECT count (*) FROM conversation", "0");
}

static void
test_hidden_is_not_written_to (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTurn) turn = beckon_turn_new ("Which colour?");
  g_autoptr (GError) error = NULL;
  BeckonBatch *batch;

  beckon_library_delete (fixture->library, store_turn (fixture, turn));
  beckon_store_fixture_settle_down (fixture->store);
  batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  beckon_batch_put_conversation (batch, turn->conversation);
  g_assert_false (beckon_store_fixture_try_commit (fixture->other, batch, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_NOT_FOUND);
}

/* No traces */

static gboolean
file_has (const char *path, const char *word)
{
  g_autofree char *bytes = NULL;
  gsize length = 0;

  g_file_get_contents (path, &bytes, &length, NULL);
  for (gsize i = 0; i + strlen (word) <= length; i++)
    if (bytes[i] == word[0] && memcmp (bytes + i, word, strlen (word)) == 0)
      return TRUE;

  return FALSE;
}

static gboolean
folder_has (const char *directory, const char *word)
{
  g_autoptr (GDir) dir = g_dir_open (directory, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (directory, name, NULL);

      if (g_file_test (path, G_FILE_TEST_IS_DIR) ? folder_has (path, word) : file_has (path, word))
        return TRUE;
    }

  return FALSE;
}

/* Deleted words are gone from the pages, the index and the log, too; with another process looking on. */
static void
test_no_traces (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTurn) turn = beckon_turn_new ("Is " CANARY " a secret?");
  g_autoptr (BeckonTurn) rest = beckon_turn_new ("What is to stay?");
  g_autoptr (BeckonMessage) reply = beckon_message_new_text (BECKON_ROLE_ASSISTANT, 2, "All of it: ");
  g_autoptr (GPtrArray) hits = NULL;
  g_autoptr (BeckonConversation) conversation = g_object_ref (store_turn (fixture, turn));
  const char *id = beckon_conversation_get_id (conversation);
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);

  store_turn (fixture, rest);
  beckon_message_set_status (reply, BECKON_MESSAGE_STREAMING);
  beckon_batch_add_message (batch, id, reply);
  for (guint i = 0; i < 2000; i++)
    beckon_batch_append_text (batch, beckon_message_get_id (reply), 0, " " CANARY, strlen (CANARY) + 1);
  beckon_message_set_status (reply, BECKON_MESSAGE_COMPLETE);
  beckon_batch_set_message (batch, reply);
  beckon_store_fixture_commit (fixture->store, batch);
  beckon_library_save_draft (fixture->library, conversation, CANARY);
  hits = beckon_store_fixture_search (fixture->store, CANARY, 10, NULL);
  g_assert_cmpuint (hits->len, >, 0);
  g_assert_true (folder_has (fixture->directory, CANARY));

  beckon_library_delete (fixture->library, conversation);
  beckon_clock_advance (fixture->clock, BECKON_UNDO_US / 1000 + 1);
  beckon_await (!folder_has (fixture->directory, CANARY));
  assert_sql (fixture, "SELECT title FROM conversation", "What is to stay?");
  assert_sql (fixture, "PRAGMA integrity_check", "ok");
}

/* The program that deletes it ends at once, as a terminal program does. */
static void
test_no_traces_at_the_end (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTurn) turn = beckon_turn_new ("Is " CANARY " a secret?");
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_FULL);

  store_turn (fixture, turn);
  g_ptr_array_unref (beckon_store_fixture_search (fixture->store, CANARY, 10, NULL));
  beckon_batch_delete_conversation (batch, beckon_conversation_get_id (turn->conversation));
  beckon_store_fixture_commit (fixture->store, batch);
  close_all (fixture);
  g_assert_false (folder_has (fixture->directory, CANARY));
}

static void
look_after (BeckonSession *session)
{
  while (beckon_session_needs_upkeep (session))
    beckon_session_upkeep (session);
}

/* A log that another process reads cannot be emptied; it is once that process has read. */
static void
test_no_traces_after_a_reader (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->directory, "beckon.db", NULL);
  g_autoptr (BeckonTurn) turn = beckon_turn_new ("Is " CANARY " a secret?");
  g_autoptr (BeckonDatabase) reader = NULL;
  g_autoptr (BeckonSession) session = NULL;
  gint64 n_messages;

  store_turn (fixture, turn);
  close_all (fixture);
  session = beckon_session_open (fixture->directory, NULL);
  look_after (session);
  reader = beckon_database_open (path, NULL);
  g_assert_true (beckon_database_script (reader, "BEGIN", NULL));
  g_assert_true (beckon_database_get_number (reader, "SELECT count (*) FROM message", &n_messages, NULL));
  g_assert_cmpint (n_messages, >, 0);

  g_assert_true (beckon_database_script (session->database, "UPDATE conversation SET deleted_at = 0", NULL));
  session->has_purge_pending = TRUE;
  look_after (session);
  g_assert_true (beckon_session_is_held_up (session));
  g_assert_true (folder_has (fixture->directory, CANARY));
  beckon_session_try_again (session);
  look_after (session);
  g_assert_true (beckon_session_is_held_up (session));

  g_assert_true (beckon_database_script (reader, "COMMIT", NULL));
  beckon_session_try_again (session);
  look_after (session);
  g_assert_false (beckon_session_is_held_up (session));
  g_assert_false (folder_has (fixture->directory, CANARY));
}

/* A turn as the agent writes it, in one of this library's conversations. */
static BeckonTurn *
make_temporary_turn (Fixture *fixture)
{
  BeckonTurn *turn = beckon_turn_new ("Is " CANARY " a secret?");

  beckon_conversation_set_temporary (turn->conversation, TRUE);
  beckon_store_fixture_commit (fixture->store, beckon_turn_to_batch (turn));

  return turn;
}

static void
test_temporary (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTurn) turn = make_temporary_turn (fixture);
  const char *id = beckon_conversation_get_id (turn->conversation);
  g_autoptr (BeckonSettlement) answer = beckon_turn_answer (turn, "yes, " CANARY, "Ada");
  g_autoptr (GPtrArray) pending = beckon_store_fixture_pending (fixture->store);
  g_autoptr (GPtrArray) foreign = beckon_store_fixture_pending (fixture->other);
  g_autoptr (GPtrArray) messages = NULL;
  g_autoptr (GError) error = NULL;
  BeckonBatch *batch;

  g_assert_cmpuint (pending->len, ==, 1);
  g_assert_cmpuint (foreign->len, ==, 0);
  beckon_store_fixture_save_draft (fixture->store, beckon_request_get_id (turn->request), "{\"text\":\"" CANARY "\"}");
  g_assert_true (beckon_store_fixture_settle (fixture->store, answer, &error));
  g_assert_no_error (error);
  g_assert_false (beckon_store_fixture_settle (fixture->store, answer, &error));
  g_assert_error (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_ALREADY_SETTLED);

  batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  turn->run->phase = BECKON_RUN_COMPLETE;
  beckon_batch_set_run (batch, turn->run);
  beckon_batch_put_conversation (batch, turn->conversation);
  beckon_store_fixture_commit (fixture->store, batch);

  messages = beckon_store_fixture_load (fixture->store, id);
  g_assert_cmpuint (messages->len, ==, 2);
  assert_sql (fixture, "SELECT count (*) FROM conversation", "0");
  g_assert_false (folder_has (fixture->directory, CANARY));
  g_assert_false (folder_has (fixture->directory, id));
  close_all (fixture);
  g_assert_false (folder_has (fixture->directory, CANARY));
}

/* Adds what a call leaves behind: arguments, a picture, what a file was before, a permit, lines of the log. */
static void
work (Fixture *fixture, BeckonTurn *turn)
{
  const char *id = beckon_conversation_get_id (turn->conversation);
  g_autoptr (BeckonMessage) message = beckon_message_new (NULL, BECKON_ROLE_ASSISTANT, 2);
  g_autoptr (BeckonToolCall) call = beckon_tool_call_new (NULL, NULL, "write_file", "{\"path\":\"" CANARY "\"}");
  g_autoptr (BeckonPart) part = beckon_part_new_call (call);
  g_autoptr (GBytes) bytes = g_bytes_new_static (CANARY, strlen (CANARY));
  g_autoptr (BeckonPart) image = beckon_attachment_new_image (CANARY ".png", "image/png", bytes);
  g_autoptr (BeckonFileCopy) copy = beckon_file_copy_new (beckon_tool_call_get_id (call), "/" CANARY, "a", bytes, "hash", 3);
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_FULL);

  beckon_tool_call_add_image (call, image);
  beckon_tool_call_set_result (call, "Wrote " CANARY, FALSE);
  beckon_tool_call_set_state (call, BECKON_CALL_DONE);
  beckon_message_set_seq (message, 2);
  beckon_message_add_part (message, part);
  beckon_batch_add_message (batch, id, message);
  beckon_batch_put_file_copy (batch, copy);
  beckon_batch_add_provenance (batch, id, beckon_tool_call_get_id (call), "executed", "{\"arguments\":\"" CANARY "\"}", 4);
  beckon_store_fixture_commit (fixture->store, batch);
}

static guint
count_log (Fixture *fixture, const char *conversation_id)
{
  BeckonProvenanceFilter filter = { .conversation_id = conversation_id };
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GPtrArray) lines = NULL;
  g_autoptr (GError) error = NULL;

  beckon_store_list_provenance_async (fixture->store, &filter, NULL, keep_result, &result);
  beckon_await (result != NULL);
  lines = beckon_store_list_provenance_finish (fixture->store, result, &error);
  g_assert_no_error (error);
  return lines->len;
}

static guint
count_calls (Fixture *fixture, const char *conversation_id)
{
  const BeckonCallLogFilter filter = { .conversation_id = conversation_id };
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GPtrArray) calls = NULL;
  g_autoptr (GError) error = NULL;

  beckon_store_list_calls_async (fixture->store, &filter, NULL, keep_result, &result);
  beckon_await (result != NULL);
  calls = beckon_store_list_calls_finish (fixture->store, result, &error);
  g_assert_no_error (error);
  return calls->len;
}

/* @request_id: (nullable) */
static BeckonRequestContext *
find_context (Fixture *fixture, const char *request_id, const char *id)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GHashTable) contexts = NULL;
  g_autoptr (GError) error = NULL;
  gpointer context = NULL;

  beckon_store_load_contexts_async (fixture->store, request_id, NULL, keep_result, &result);
  beckon_await (result != NULL);
  contexts = beckon_store_load_contexts_finish (fixture->store, result, &error);
  g_assert_no_error (error);
  g_hash_table_steal_extended (contexts, id, NULL, &context);
  return context;
}

/* A question of a temporary conversation is told with what led to it, like that of any other. */
static void
test_temporary_question (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTurn) turn = make_temporary_turn (fixture);
  const char *id = beckon_request_get_id (turn->request);
  g_autoptr (BeckonRequestContext) one = find_context (fixture, id, id);
  g_autoptr (BeckonRequestContext) pending = find_context (fixture, NULL, id);

  g_assert_nonnull (one);
  g_assert_cmpstr (one->tool, ==, beckon_tool_call_get_name (turn->call));
  g_assert_nonnull (pending);
  g_assert_cmpstr (pending->tool, ==, one->tool);
}

/* A temporary conversation's work is known while it is there, by its own name alone, and never on the disk. */
static void
test_temporary_work (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTurn) turn = make_temporary_turn (fixture);
  const char *id = beckon_conversation_get_id (turn->conversation);
  g_autoptr (BeckonSettlement) answer = beckon_turn_answer (turn, "yes, " CANARY, "Ada");
  g_autoptr (GPtrArray) messages = NULL;
  BeckonToolCall *call;

  g_assert_true (beckon_store_fixture_settle (fixture->store, answer, NULL));
  work (fixture, turn);
  g_assert_cmpuint (count_calls (fixture, id), ==, 2);
  g_assert_cmpuint (count_calls (fixture, NULL), ==, 0);
  messages = beckon_store_fixture_load (fixture->store, id);
  call = beckon_part_get_call (beckon_message_get_part (g_ptr_array_index (messages, 2), 0));
  g_assert_cmpuint (beckon_tool_call_get_n_images (call), ==, 1);
  g_assert_cmpint (beckon_tool_call_get_change (call), ==, BECKON_CALL_CHANGE_KEPT);
  g_assert_cmpuint (count_log (fixture, id), ==, 3);
  g_assert_cmpuint (count_log (fixture, NULL), ==, 0);
  assert_sql (fixture, "SELECT count (*) FROM provenance", "0");
  assert_sql (fixture, "SELECT count (*) FROM result_image", "0");
  assert_sql (fixture, "SELECT count (*) FROM file_copy", "0");
  g_assert_false (folder_has (fixture->directory, CANARY));
  g_assert_false (folder_has (fixture->directory, id));
  close_all (fixture);
  g_assert_false (folder_has (fixture->directory, CANARY));
  g_assert_false (folder_has (fixture->directory, id));
}

static void
test_temporary_in_the_list (Fixture *fixture, gconstpointer data)
{
  BeckonConversation *conversation = beckon_library_create_temporary (fixture->library);
  g_autoptr (BeckonMessage) message = beckon_message_new_text (BECKON_ROLE_USER, 0, CANARY);
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  g_autoptr (BeckonTurn) theirs = beckon_turn_new ("News?");
  g_autoptr (BeckonConversation) copy = NULL;
  g_autoptr (GPtrArray) hits = NULL;

  g_assert_true (beckon_conversation_get_temporary (conversation));
  beckon_library_save_draft (fixture->library, conversation, CANARY);
  beckon_clock_advance (fixture->clock, 1000);
  beckon_batch_put_conversation (batch, conversation);
  beckon_batch_add_message (batch, beckon_conversation_get_id (conversation), message);
  beckon_store_fixture_commit (fixture->store, batch);
  beckon_conversation_add_message (conversation, message);
  beckon_library_touch (fixture->library, conversation);
  beckon_library_rename (fixture->library, conversation, "About " CANARY);

  /* A listing, which does not know it, does not take it away. */
  store_turn (fixture, theirs);
  come_to_rest (fixture);
  g_assert_cmpuint (count (fixture->library), ==, 2);
  g_assert_null (beckon_library_lookup (fixture->elsewhere, beckon_conversation_get_id (conversation)));

  copy = duplicate (fixture, conversation);
  g_assert_true (beckon_conversation_get_temporary (copy));
  hits = beckon_store_fixture_search (fixture->store, CANARY, 10, NULL);
  g_assert_cmpuint (hits->len, ==, 0);
  beckon_library_delete (fixture->library, conversation);
  g_assert_true (beckon_library_restore (fixture->library, conversation));
  beckon_library_delete (fixture->library, conversation);
  beckon_clock_advance (fixture->clock, BECKON_UNDO_US / 1000 + 1);
  come_to_rest (fixture);
  g_assert_cmpuint (count (fixture->library), ==, 2);
  g_assert_false (folder_has (fixture->directory, CANARY));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name, function) g_test_add ("/store/many/" name, Fixture, NULL, set_up, function, tear_down)
  ADD ("marks", test_marks);
  ADD ("marks-keep-the-order", test_marks_keep_the_order);
  ADD ("marks-before-it-is-stored", test_marks_before_it_is_stored);
  ADD ("unread", test_unread);
  ADD ("seen", test_seen);
  ADD ("titles", test_titles);
  ADD ("title-of-a-person-wins", test_title_of_a_person_wins);
  ADD ("duplicate", test_duplicate);
  ADD ("duplicate-while-it-streams", test_duplicate_while_it_streams);
  ADD ("branch", test_branch);
  ADD ("delete-and-restore", test_delete_and_restore);
  ADD ("undo-ends", test_undo_ends);
  ADD ("undo-ends-with-the-program", test_undo_ends_with_the_program);
  ADD ("left-behind", test_left_behind);
  ADD ("gone-stays-gone", test_gone_stays_gone);
  ADD ("hidden-is-not-written-to", test_hidden_is_not_written_to);
  ADD ("no-traces", test_no_traces);
  ADD ("no-traces-at-the-end", test_no_traces_at_the_end);
  ADD ("no-traces-after-a-reader", test_no_traces_after_a_reader);
  ADD ("temporary", test_temporary);
  ADD ("temporary-work", test_temporary_work);
  ADD ("temporary-question", test_temporary_question);
  ADD ("temporary-in-the-list", test_temporary_in_the_list);
#undef ADD

  return g_test_run ();
}
