/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Commands' changes in the store: with the messages, by themselves, in memory, and how they go again. */

#include "beckon-store-fixture.h"

#include "base/beckon-error.h"
#include "domain/beckon-landing.h"
#include "store/queries/beckon-change-query.h"
#include "store/queries/beckon-expire-landings.h"

#include <glib/gstdio.h>
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
  beckon_store_fixture_close (fixture->store);
  g_object_unref (fixture->store);
  beckon_store_fixture_clear (fixture->directory);
}

static void
reopen (Fixture *fixture)
{
  beckon_store_fixture_close (fixture->store);
  g_object_unref (fixture->store);
  fixture->store = beckon_store_fixture_open (fixture->directory);
}

static void
keep_result (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

static void
assert_sql (Fixture *fixture, const char *sql, const char *expected)
{
  g_autofree char *found = beckon_store_fixture_sql (fixture->directory, sql);

  g_assert_cmpstr (found, ==, expected);
}

/* A change of a.txt, and a script that waits for its person. */
static BeckonLanding *
make_landing (const char *call_id, gint64 made_at)
{
  g_autoptr (BeckonChangeSet) changes = beckon_change_set_new ();
  BeckonFileChange *text = beckon_file_change_new ("a.txt", BECKON_FILE_CHANGED, BECKON_FILE_REGULAR);
  BeckonFileChange *hook = beckon_file_change_new (".git/hooks/pre-commit", BECKON_FILE_CREATED, BECKON_FILE_REGULAR);
  BeckonLanding *landing;

  text->fate = BECKON_FILE_KEPT;
  text->is_text = TRUE;
  text->diff = g_strdup ("@@ -1 +1 @@\n-one\n+two\n");
  text->n_hunks = 1;
  hook->concern = BECKON_FILE_CONCERN_TRIGGER;
  beckon_change_set_take (changes, text);
  beckon_change_set_take (changes, hook);
  beckon_change_set_sort (changes);
  landing = beckon_landing_new (call_id, "/home/me/work", "/home/me/places/1", 17, changes);
  landing->output = g_strdup ("made it");
  landing->exit_status = 3;
  landing->is_failure = TRUE;
  landing->output_length = 4;
  landing->made_at = made_at;
  return landing;
}

static void
put (Fixture *fixture, const BeckonLanding *landing)
{
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_FULL);

  beckon_batch_put_landing (batch, landing);
  beckon_store_fixture_commit (fixture->store, batch);
}

/* The same with a number of bytes that are kept of it. */
static void
put_landed (Fixture *fixture, BeckonLanding *landing, guint64 bytes)
{
  for (guint i = 0; i < beckon_change_set_get_n_changes (landing->changes); i++)
    beckon_change_set_get (landing->changes, i)->fate = BECKON_FILE_KEPT;
  landing->state = BECKON_LANDING_LANDED;
  landing->kept_bytes = bytes;
  g_clear_pointer (&landing->output, g_free);
  put (fixture, landing);
}

static BeckonTurn *
make_turn (Fixture *fixture, gboolean is_temporary)
{
  BeckonTurn *turn = beckon_turn_new ("Which?");

  beckon_conversation_set_temporary (turn->conversation, is_temporary);
  beckon_store_fixture_commit (fixture->store, beckon_turn_to_batch (turn));
  return turn;
}

static BeckonToolCall *
find_call (GPtrArray *messages, const char *id)
{
  for (guint i = 0; i < messages->len; i++)
    {
      g_autoptr (GPtrArray) calls = beckon_message_list_calls (g_ptr_array_index (messages, i));

      for (guint k = 0; k < calls->len; k++)
        if (g_str_equal (beckon_tool_call_get_id (g_ptr_array_index (calls, k)), id))
          return g_ptr_array_index (calls, k);
    }

  g_assert_not_reached ();
}

static BeckonLanding *
get (Fixture *fixture, const char *call_id, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GPtrArray) landings = NULL;

  beckon_landings_get_async (BECKON_LANDINGS (fixture->store), call_id, NULL, keep_result, &result);
  beckon_await (result != NULL);
  landings = beckon_landings_get_finish (BECKON_LANDINGS (fixture->store), result, error);
  return landings != NULL ? beckon_landing_copy (g_ptr_array_index (landings, 0)) : NULL;
}

static void
assert_waiting (const BeckonLanding *landing)
{
  const BeckonFileChange *change;

  g_assert_nonnull (landing);
  g_assert_cmpint (landing->state, ==, BECKON_LANDING_WAITING);
  g_assert_cmpstr (landing->folder, ==, "/home/me/work");
  g_assert_cmpstr (landing->place, ==, "/home/me/places/1");
  g_assert_cmpstr (landing->output, ==, "made it");
  g_assert_cmpint (landing->base, ==, 17);
  g_assert_cmpint (landing->exit_status, ==, 3);
  g_assert_true (landing->is_failure);
  g_assert_cmpuint (landing->output_length, ==, 4);
  g_assert_cmpuint (beckon_change_set_get_n_changes (landing->changes), ==, 2);
  change = beckon_change_set_get (landing->changes, 1);
  g_assert_cmpstr (change->path, ==, "a.txt");
  g_assert_cmpstr (change->diff, ==, "@@ -1 +1 @@\n-one\n+two\n");
}

/* A landing is there after a restart, in the call and by itself, and so is what becomes of it. */
static void
test_kept (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTurn) turn = make_turn (fixture, FALSE);
  const char *call_id = beckon_tool_call_get_id (turn->call);
  const char *id = beckon_conversation_get_id (turn->conversation);
  g_autoptr (BeckonLanding) landing = make_landing (call_id, 5);
  g_autoptr (BeckonLanding) read = NULL;
  g_autoptr (GPtrArray) messages = NULL;
  g_autoptr (GPtrArray) later = NULL;
  g_autoptr (GError) error = NULL;

  put (fixture, landing);
  reopen (fixture);
  messages = beckon_store_fixture_load (fixture->store, id);
  assert_waiting (beckon_tool_call_get_landing (find_call (messages, call_id)));
  g_assert_cmpint (beckon_tool_call_get_change (find_call (messages, call_id)), ==, BECKON_CALL_CHANGE_NONE);
  read = get (fixture, call_id, &error);
  g_assert_no_error (error);
  assert_waiting (read);

  put_landed (fixture, landing, 1000);
  later = beckon_store_fixture_load (fixture->store, id);
  g_assert_cmpint (beckon_tool_call_get_change (find_call (later, call_id)), ==, BECKON_CALL_CHANGE_KEPT);
  assert_sql (fixture, "SELECT state || kept_bytes || (output IS NULL) FROM landing", "landed10001");
}

static void
test_none (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTurn) turn = make_turn (fixture, FALSE);
  g_autoptr (GError) error = NULL;

  g_assert_null (get (fixture, beckon_tool_call_get_id (turn->call), &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_NOT_FOUND);
}

/* The log says who undid it. */
static void
test_undone (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTurn) turn = make_turn (fixture, FALSE);
  const char *call_id = beckon_tool_call_get_id (turn->call);
  const char *id = beckon_conversation_get_id (turn->conversation);
  g_autoptr (BeckonLanding) landing = make_landing (call_id, 5);
  g_autoptr (GPtrArray) undone = g_ptr_array_new ();
  g_autoptr (GAsyncResult) stored = NULL;
  g_autoptr (GPtrArray) messages = NULL;
  g_autoptr (GError) error = NULL;

  put_landed (fixture, landing, 10);
  landing->state = BECKON_LANDING_UNDONE;
  landing->undone_at = 9;
  g_ptr_array_add (undone, landing);
  beckon_landings_put_async (BECKON_LANDINGS (fixture->store), id, undone, "undone", "terminal", 9, keep_result, &stored);
  beckon_await (stored != NULL);
  g_assert_true (beckon_landings_put_finish (BECKON_LANDINGS (fixture->store), stored, &error));
  g_assert_no_error (error);

  messages = beckon_store_fixture_load (fixture->store, id);
  g_assert_cmpint (beckon_tool_call_get_change (find_call (messages, call_id)), ==, BECKON_CALL_CHANGE_UNDONE);
  assert_sql (fixture, "SELECT event || (data ->> 'front_end') || (data ->> '$.files[1].path') FROM provenance WHERE event = 'undone'",
              "undoneterminala.txt");
}

static void
test_temporary (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTurn) turn = make_turn (fixture, TRUE);
  const char *call_id = beckon_tool_call_get_id (turn->call);
  g_autoptr (BeckonLanding) landing = make_landing (call_id, 5);
  g_autoptr (BeckonLanding) read = NULL;
  g_autoptr (GPtrArray) messages = NULL;
  g_autoptr (GError) error = NULL;

  put (fixture, landing);
  read = get (fixture, call_id, &error);
  g_assert_no_error (error);
  assert_waiting (read);
  messages = beckon_store_fixture_load (fixture->store, beckon_conversation_get_id (turn->conversation));
  assert_waiting (beckon_tool_call_get_landing (find_call (messages, call_id)));
  assert_sql (fixture, "SELECT count (*) FROM landing", "0");
}

/* A landing goes with its conversation, another because nothing landed. */
static void
test_dropped (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTurn) turn = make_turn (fixture, FALSE);
  g_autoptr (BeckonTurn) other = make_turn (fixture, FALSE);
  g_autoptr (BeckonLanding) landing = make_landing (beckon_tool_call_get_id (turn->call), 5);
  g_autoptr (BeckonLanding) second = make_landing (beckon_tool_call_get_id (other->call), 5);
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_FULL);

  put (fixture, landing);
  put (fixture, second);
  beckon_batch_drop_landing (batch, landing->call_id);
  beckon_batch_delete_conversation (batch, beckon_conversation_get_id (other->conversation));
  beckon_store_fixture_commit (fixture->store, batch);
  assert_sql (fixture, "SELECT count (*) FROM landing", "0");
}

static char *
expire (Fixture *fixture, const char *const *call_ids, gboolean is_alone, gint64 now)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_auto (GStrv) needless = NULL;
  g_autoptr (GError) error = NULL;

  beckon_store_expire_landings_async (fixture->store, call_ids, is_alone, now, NULL, keep_result, &result);
  beckon_await (result != NULL);
  needless = beckon_store_expire_landings_finish (fixture->store, result, &error);
  g_assert_no_error (error);
  return g_strjoinv (" ", needless);
}

static void
assert_expired (Fixture *fixture, const char *const *call_ids, gboolean is_alone, gint64 now, const char *expected)
{
  g_autofree char *needless = expire (fixture, call_ids, is_alone, now);

  g_assert_cmpstr (needless, ==, expected);
}

/* Landings while the command ran and at its end are rows of their own, and places, of one call. */
static void
test_early (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTurn) turn = make_turn (fixture, FALSE);
  const char *call_id = beckon_tool_call_get_id (turn->call);
  g_autofree char *id = g_strconcat (call_id, "-1", NULL);
  g_autofree char *second_id = g_strconcat (call_id, "-2", NULL);
  g_autofree char *gone = g_strconcat (id, " ", second_id, NULL);
  const char *ids[] = { id, second_id, call_id, NULL };
  g_autoptr (BeckonLanding) early = make_landing (call_id, 5);
  g_autoptr (BeckonLanding) dropped = make_landing (call_id, 6);
  g_autoptr (BeckonLanding) last = make_landing (call_id, BECKON_LANDINGS_MAX_AGE);
  g_autoptr (BeckonLanding) read = NULL;
  g_autoptr (GPtrArray) messages = NULL;
  g_autoptr (GAsyncResult) listed = NULL;
  g_autoptr (GPtrArray) changes = NULL;
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_FULL);
  BeckonToolCall *call;

  beckon_landing_set_id (early, id);
  beckon_landing_set_id (dropped, second_id);
  put_landed (fixture, early, 10);
  put (fixture, dropped);
  assert_expired (fixture, ids, TRUE, 10, "");
  beckon_batch_drop_landing (batch, dropped->id);
  beckon_store_fixture_commit (fixture->store, batch);
  put_landed (fixture, last, 10);
  reopen (fixture);
  messages = beckon_store_fixture_load (fixture->store, beckon_conversation_get_id (turn->conversation));
  call = find_call (messages, call_id);
  g_assert_cmpuint (beckon_tool_call_get_n_early (call), ==, 1);
  g_assert_cmpstr (beckon_tool_call_get_early (call, 0)->id, ==, id);
  g_assert_cmpstr (beckon_tool_call_get_landing (call)->id, ==, call_id);
  read = get (fixture, call_id, NULL);
  g_assert_cmpstr (read->id, ==, call_id);

  beckon_store_list_changes_async (fixture->store, NULL, 0, NULL, keep_result, &listed);
  beckon_await (listed != NULL);
  changes = beckon_store_list_changes_finish (fixture->store, listed, NULL);
  g_assert_cmpuint (changes->len, ==, 1);
  assert_expired (fixture, ids, TRUE, BECKON_LANDINGS_MAX_AGE + 7, gone);
}

static void
end_call (Fixture *fixture, const char *id, const char *state)
{
  g_autofree char *sql = g_strdup_printf ("UPDATE call SET state = '%s' WHERE id = '%s'", state, id);

  g_free (beckon_store_fixture_sql (fixture->directory, sql));
}

/* Landings that wait stay; too many go, the oldest first, and those that are too old. */
static void
test_expired (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTurn) old = make_turn (fixture, FALSE);
  g_autoptr (BeckonTurn) newer = make_turn (fixture, FALSE);
  g_autoptr (BeckonTurn) waiting = make_turn (fixture, FALSE);
  g_autoptr (BeckonLanding) first = make_landing (beckon_tool_call_get_id (old->call), 5);
  g_autoptr (BeckonLanding) second = make_landing (beckon_tool_call_get_id (newer->call), 6);
  g_autoptr (BeckonLanding) third = make_landing (beckon_tool_call_get_id (waiting->call), 1);
  const char *call_ids[] = { first->call_id, second->call_id, third->call_id, NULL };
  g_autofree char *both = g_strjoin (" ", first->call_id, second->call_id, NULL);

  put_landed (fixture, first, BECKON_LANDINGS_MAX_BYTES / 2 + 1);
  put (fixture, third);
  assert_expired (fixture, call_ids, TRUE, 10, "");
  put_landed (fixture, second, BECKON_LANDINGS_MAX_BYTES / 2);
  assert_expired (fixture, call_ids, TRUE, 10, first->call_id);
  assert_sql (fixture, "SELECT group_concat (is_gone || kept_bytes) FROM (SELECT * FROM landing WHERE state = 'landed'"
                       " ORDER BY made_at)", "10,0536870912");
  assert_expired (fixture, call_ids, TRUE, BECKON_LANDINGS_MAX_AGE + 7, both);
  assert_sql (fixture, "SELECT count (*) FROM landing WHERE is_gone", "2");
}

/* The last landing can be undone, however much is kept for that; with the next one it goes. */
static void
test_large (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTurn) turn = make_turn (fixture, FALSE);
  g_autoptr (BeckonTurn) next = make_turn (fixture, FALSE);
  g_autoptr (BeckonLanding) large = make_landing (beckon_tool_call_get_id (turn->call), 5);
  g_autoptr (BeckonLanding) small = make_landing (beckon_tool_call_get_id (next->call), 6);
  const char *call_ids[] = { large->call_id, small->call_id, NULL };

  put_landed (fixture, large, BECKON_LANDINGS_MAX_BYTES + 1);
  assert_expired (fixture, call_ids, FALSE, 10, "");
  put_landed (fixture, small, 1);
  assert_expired (fixture, call_ids, FALSE, 10, large->call_id);
}

/* A place without a landing: its command runs, or it changed nothing, or nobody knows it. */
static void
test_needless (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTurn) running = make_turn (fixture, FALSE);
  g_autoptr (BeckonTurn) over = make_turn (fixture, FALSE);
  g_autoptr (BeckonTurn) stopped = make_turn (fixture, FALSE);
  g_autoptr (BeckonTurn) temporary = make_turn (fixture, TRUE);
  const char *over_id = beckon_tool_call_get_id (over->call);
  const char *stopped_id = beckon_tool_call_get_id (stopped->call);
  g_autoptr (BeckonLanding) landing = make_landing (stopped_id, 5);
  const char *call_ids[] = { beckon_tool_call_get_id (running->call), over_id, stopped_id,
                             beckon_tool_call_get_id (temporary->call), "01M00NOBODY000000000000000", NULL };
  g_autofree char *known = g_strjoin (" ", over_id, stopped_id, NULL);
  g_autofree char *all = g_strjoin (" ", known, "01M00NOBODY000000000000000", NULL);

  put (fixture, landing);
  assert_expired (fixture, call_ids, FALSE, 10, "");
  end_call (fixture, over_id, "done");
  end_call (fixture, stopped_id, "cancelled");
  assert_expired (fixture, call_ids, FALSE, 10, known);
  assert_expired (fixture, call_ids, TRUE, 10, all);
  assert_sql (fixture, "SELECT count (*) FROM landing", "0");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/store/landing/kept", Fixture, NULL, set_up, test_kept, tear_down);
  g_test_add ("/store/landing/none", Fixture, NULL, set_up, test_none, tear_down);
  g_test_add ("/store/landing/undone", Fixture, NULL, set_up, test_undone, tear_down);
  g_test_add ("/store/landing/temporary", Fixture, NULL, set_up, test_temporary, tear_down);
  g_test_add ("/store/landing/dropped", Fixture, NULL, set_up, test_dropped, tear_down);
  g_test_add ("/store/landing/expired", Fixture, NULL, set_up, test_expired, tear_down);
  g_test_add ("/store/landing/early", Fixture, NULL, set_up, test_early, tear_down);
  g_test_add ("/store/landing/large", Fixture, NULL, set_up, test_large, tear_down);
  g_test_add ("/store/landing/needless", Fixture, NULL, set_up, test_needless, tear_down);
  return g_test_run ();
}
