/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Another process keeps the history locked for longer than anybody should: that is said in words, nothing is lost or passed
 * off as saved, reading goes on, and everything else does when the lock is gone.
 */

#include "beckon-store-fixture.h"

#include "base/beckon-error.h"
#include "store/sqlite/beckon-database.h"

#include <gio/gio.h>
#include <sqlite3.h>
#include <string.h>

typedef struct
{
  char *directory;
  BeckonTurn *turn;
  BeckonStore *store;
  GSubprocess *locker;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  beckon_database_set_patience (G_TIME_SPAN_SECOND);
  fixture->directory = beckon_store_fixture_make_folder ();
  fixture->turn = beckon_turn_new ("Blue?");
  fixture->store = beckon_store_fixture_open (fixture->directory);
  beckon_store_fixture_commit (fixture->store, beckon_turn_to_batch (fixture->turn));
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_autofree char *integrity = NULL;

  g_clear_object (&fixture->store);
  integrity = beckon_store_fixture_sql (fixture->directory, "PRAGMA integrity_check");
  g_assert_cmpstr (integrity, ==, "ok");
  beckon_turn_free (fixture->turn);
  beckon_store_fixture_clear (fixture->directory);
}

/* The child: no program of ours. */
static int
lock (const char *directory, const char *sql)
{
  g_autofree char *path = g_build_filename (directory, "beckon.db", NULL);
  sqlite3 *database = NULL;

  g_assert_cmpint (sqlite3_open (path, &database), ==, SQLITE_OK);
  sqlite3_busy_timeout (database, 20000);
  g_assert_cmpint (sqlite3_exec (database, sql, NULL, NULL, NULL), ==, SQLITE_OK);
  beckon_store_fixture_say ("locked");
  beckon_store_fixture_wait_for_parent ();
  sqlite3_close (database);

  return 0;
}

static void
take_lock (Fixture *fixture, const char *sql)
{
  g_autofree char *line = NULL;

  fixture->locker = beckon_store_fixture_spawn ("lock", fixture->directory, sql);
  line = beckon_store_fixture_read_line (fixture->locker);
  g_assert_cmpstr (line, ==, "locked");
}

static void
release (Fixture *fixture)
{
  beckon_store_fixture_release (fixture->locker);
  g_clear_object (&fixture->locker);
}

static BeckonBatch *
make_batch (Fixture *fixture, gint64 seq, const char *text)
{
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_FULL);
  g_autoptr (BeckonMessage) message = beckon_message_new_text (BECKON_ROLE_USER, seq, text);

  beckon_batch_add_message (batch, beckon_conversation_get_id (fixture->turn->conversation), message);

  return batch;
}

static void
assert_texts (Fixture *fixture, const char *third, const char *fourth)
{
  g_autoptr (GPtrArray) messages =
    beckon_store_fixture_load (fixture->store, beckon_conversation_get_id (fixture->turn->conversation));
  const char *expected[] = { third, fourth };

  g_assert_cmpuint (messages->len, ==, 2 + (third != NULL) + (fourth != NULL));
  for (guint i = 2; i < messages->len; i++)
    {
      g_autofree char *text = beckon_message_dup_text (g_ptr_array_index (messages, i));

      g_assert_cmpstr (text, ==, expected[i - 2]);
    }
}

static void
test_locked (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonSettlement) answer = beckon_turn_answer (fixture->turn, "Yes", "somebody");
  BeckonHealth *health = beckon_store_get_health (fixture->store);
  BeckonBatch *kept = make_batch (fixture, 2, "It has happened");
  g_autoptr (GPtrArray) pending = NULL;
  g_autoptr (GError) error = NULL;
  gint64 began;

  take_lock (fixture, "BEGIN IMMEDIATE");
  beckon_batch_keep (kept);
  g_assert_false (beckon_store_fixture_try_commit (fixture->store, kept, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_DEFERRED);
  g_clear_error (&error);
  g_assert_cmpint (beckon_health_get_fault (health), ==, BECKON_FAULT_LOCKED);
  g_assert_nonnull (strstr (beckon_health_get_problem (health), "Another program"));
  g_assert_cmpuint (beckon_health_get_n_unsaved (health), ==, 1);

  /* A lock that was waited for in vain is not waited for as long again, and readers are not held up. */
  beckon_database_set_patience (G_TIME_SPAN_MINUTE);
  began = g_get_monotonic_time ();
  g_assert_false (beckon_store_fixture_settle (fixture->store, answer, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_STORE);
  g_assert_nonnull (strstr (error->message, "locked"));
  g_clear_error (&error);
  g_assert_false (beckon_store_fixture_try_commit (fixture->store, make_batch (fixture, 2, "Refused"), &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_STORE);
  assert_texts (fixture, NULL, NULL);
  g_assert_cmpint (g_get_monotonic_time () - began, <, 20 * G_TIME_SPAN_SECOND);

  release (fixture);
  beckon_await (beckon_health_get_problem (health) == NULL);
  g_assert_cmpuint (beckon_health_get_n_unsaved (health), ==, 0);
  beckon_store_fixture_commit (fixture->store, make_batch (fixture, 3, "It goes on"));
  assert_texts (fixture, "It has happened", "It goes on");
  pending = beckon_store_fixture_pending (fixture->store);
  g_assert_cmpuint (pending->len, ==, 1);
  g_clear_error (&error);
  g_assert_true (beckon_store_fixture_settle (fixture->store, answer, &error));
  g_assert_no_error (error);
}

/* Not even reading is possible: the start says so, and works once the lock is gone. */
static void
test_locked_at_the_start (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_clear_object (&fixture->store);
  take_lock (fixture, "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT");
  fixture->store = beckon_store_new (fixture->directory, beckon_clock_get_system ());
  g_assert_false (beckon_store_fixture_try_open (fixture->store, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_STORE);
  g_assert_nonnull (strstr (error->message, "Another program kept the history locked"));
  g_clear_error (&error);

  release (fixture);
  g_assert_true (beckon_store_fixture_try_open (fixture->store, &error));
  g_assert_no_error (error);
  assert_texts (fixture, NULL, NULL);
}

int
main (int argc, char *argv[])
{
  if (argc > 4 && g_str_equal (argv[1], "--child"))
    return lock (argv[3], argv[4]);

  g_test_init (&argc, &argv, NULL);

#define ADD(name, function) g_test_add ("/store/locked/" name, Fixture, NULL, set_up, function, tear_down)
  ADD ("locked", test_locked);
  ADD ("at-the-start", test_locked_at_the_start);
#undef ADD

  return g_test_run ();
}
