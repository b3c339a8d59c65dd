/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Processes that share a store owe each other leases that die with their holder, notices of what was written, files
 * that are nobody else's, and a file that is whole whenever one was killed.
 */

#include "beckon-store-fixture.h"

#include "base/beckon-error.h"
#include "beckon-tree.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#define N_CRASHES 12

typedef struct
{
  char *directory;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->directory = beckon_store_fixture_make_folder ();
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  beckon_store_fixture_clear (fixture->directory);
}

static guint
count_files (const char *directory, const char *folder)
{
  g_autofree char *path = g_build_filename (directory, folder, NULL);

  return beckon_tree_count (path);
}

static void
count (guint *counter)
{
  (*counter)++;
}

/* Children */

/* Drives a run until it is killed or released. */
static void
hold_run (const char *directory)
{
  BeckonStore *store = beckon_store_fixture_open (directory);
  g_autoptr (BeckonTurn) turn = beckon_turn_new ("Held?");

  beckon_store_fixture_commit (store, beckon_turn_to_batch (turn));
  beckon_store_fixture_say (turn->run->id);
  beckon_store_fixture_wait_for_parent ();
  g_object_unref (store);
}

static void
write_once (const char *directory)
{
  BeckonStore *store = beckon_store_fixture_open (directory);
  g_autoptr (BeckonTurn) turn = beckon_turn_new ("New?");

  beckon_store_fixture_commit (store, beckon_turn_to_batch (turn));
  g_object_unref (store);
}

/* Says what was acknowledged, durably or not, until it is killed. */
static void
write_for_ever (const char *directory)
{
  BeckonStore *store = beckon_store_fixture_open (directory);
  g_autoptr (BeckonTurn) turn = beckon_turn_new ("Crash?");

  beckon_store_fixture_commit (store, beckon_turn_to_batch (turn));
  beckon_store_fixture_say (beckon_conversation_get_id (turn->conversation));

  for (gint64 seq = 2;; seq++)
    {
      g_autofree char *text = g_strdup_printf ("message %" G_GINT64_FORMAT, seq);
      g_autofree char *line = g_strdup_printf ("%" G_GINT64_FORMAT, seq);
      g_autoptr (BeckonMessage) message = beckon_message_new_text (BECKON_ROLE_USER, seq, text);
      BeckonBatch *batch = beckon_batch_new (seq % 4 == 0 ? BECKON_DURABILITY_NORMAL : BECKON_DURABILITY_FULL);

      beckon_batch_add_message (batch, beckon_conversation_get_id (turn->conversation), message);
      beckon_batch_append_text (batch, beckon_message_get_id (message), 0, " and more", 9);
      beckon_batch_set_run (batch, turn->run);
      beckon_store_fixture_commit (store, batch);
      beckon_store_fixture_say (line);
    }
}

/* A child with room for little: what was acknowledged stays, and the refusal is in words. */
static void
write_until_full (const char *directory)
{
  const struct rlimit little = { 1024 * 1024, 1024 * 1024 };
  BeckonStore *store = beckon_store_fixture_open (directory);
  g_autoptr (BeckonTurn) turn = beckon_turn_new ("Full?");
  g_autofree char *text = g_strnfill (20000, 'x');
  g_autoptr (GError) error = NULL;
  gint64 seq = 2;

  beckon_store_fixture_commit (store, beckon_turn_to_batch (turn));
  beckon_store_fixture_say (beckon_conversation_get_id (turn->conversation));
  signal (SIGXFSZ, SIG_IGN);
  g_assert_no_errno (setrlimit (RLIMIT_FSIZE, &little));

  while (error == NULL)
    {
      g_autoptr (BeckonMessage) message = beckon_message_new_text (BECKON_ROLE_USER, seq, text);
      BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_FULL);
      g_autofree char *line = g_strdup_printf ("%" G_GINT64_FORMAT, seq);

      beckon_batch_add_message (batch, beckon_conversation_get_id (turn->conversation), message);
      if (beckon_store_fixture_try_commit (store, batch, &error))
        beckon_store_fixture_say (line);
      seq++;
    }

  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_STORE);
  beckon_store_fixture_say ("refused");
  g_object_unref (store);
}

static int
be_child (const char *role, const char *directory)
{
  if (g_str_equal (role, "hold"))
    hold_run (directory);
  else if (g_str_equal (role, "write"))
    write_once (directory);
  else if (g_str_equal (role, "crash"))
    write_for_ever (directory);
  else if (g_str_equal (role, "full"))
    write_until_full (directory);
  else
    return 2;

  return 0;
}

/* Leases */

static void
test_lease_of_the_living (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GSubprocess) child = beckon_store_fixture_spawn ("hold", fixture->directory, NULL);
  g_autofree char *run_id = beckon_store_fixture_read_line (child);
  BeckonStore *store = beckon_store_fixture_open (fixture->directory);
  g_autoptr (GPtrArray) runs = beckon_store_fixture_runs (store);
  g_autoptr (GError) error = NULL;
  BeckonRunRecord *run;
  BeckonBatch *batch;

  g_assert_cmpuint (runs->len, ==, 1);
  run = g_ptr_array_index (runs, 0);
  g_assert_cmpstr (run->id, ==, run_id);
  g_assert_true (run->held);

  g_assert_null (beckon_store_fixture_claim (store, run_id, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_CONFLICT);
  g_clear_error (&error);

  batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  run->phase = BECKON_RUN_STOPPED;
  beckon_batch_set_run (batch, run);
  g_assert_false (beckon_store_fixture_try_commit (store, batch, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_CONFLICT);

  beckon_store_fixture_release (child);
  g_object_unref (store);
}

static void
test_lease_of_the_dead (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GSubprocess) child = beckon_store_fixture_spawn ("hold", fixture->directory, NULL);
  g_autofree char *run_id = beckon_store_fixture_read_line (child);
  BeckonStore *store = beckon_store_fixture_open (fixture->directory);
  g_autoptr (BeckonRunRecord) claimed = NULL;
  g_autoptr (GPtrArray) runs = NULL;
  g_autoptr (GError) error = NULL;
  BeckonBatch *batch;

  beckon_store_fixture_kill (child);
  runs = beckon_store_fixture_runs (store);
  g_assert_false (((BeckonRunRecord *) g_ptr_array_index (runs, 0))->held);

  claimed = beckon_store_fixture_claim (store, run_id, &error);
  g_assert_no_error (error);
  g_assert_cmpint (claimed->phase, ==, BECKON_RUN_WAITING);
  g_assert_false (claimed->held);

  batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  claimed->phase = BECKON_RUN_CALLING;
  beckon_batch_set_run (batch, claimed);
  beckon_store_fixture_commit (store, batch);
  g_object_unref (store);
}

/* Two processes find the holder dead: one gets the run, and the other learns that it is held again. */
static void
test_lease_is_taken_once (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GSubprocess) child = beckon_store_fixture_spawn ("hold", fixture->directory, NULL);
  g_autofree char *run_id = beckon_store_fixture_read_line (child);
  BeckonStore *first = beckon_store_fixture_open (fixture->directory);
  BeckonStore *second = beckon_store_fixture_open (fixture->directory);
  g_autoptr (BeckonRunRecord) claimed = NULL;
  g_autoptr (BeckonRunRecord) again = NULL;
  g_autoptr (GError) error = NULL;

  beckon_store_fixture_kill (child);
  claimed = beckon_store_fixture_claim (first, run_id, &error);
  g_assert_no_error (error);
  g_assert_null (beckon_store_fixture_claim (second, run_id, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_CONFLICT);
  again = beckon_store_fixture_claim (first, run_id, NULL);
  g_assert_nonnull (again);

  g_object_unref (first);
  g_clear_error (&error);
  g_clear_pointer (&again, beckon_run_record_free);
  again = beckon_store_fixture_claim (second, run_id, &error);
  g_assert_no_error (error);
  g_object_unref (second);
}

static void
test_lease_of_nobody (Fixture *fixture, gconstpointer data)
{
  BeckonStore *store = beckon_store_fixture_open (fixture->directory);
  g_autoptr (BeckonTurn) turn = beckon_turn_new ("Whose?");
  g_autofree char *leads_out = NULL;
  g_autoptr (BeckonRunRecord) claimed = NULL;
  g_autoptr (GError) error = NULL;

  beckon_store_fixture_commit (store, beckon_turn_to_batch (turn));
  leads_out = beckon_store_fixture_sql (fixture->directory, "UPDATE run SET lease = '../../../../etc/passwd'");
  g_assert_null (leads_out);
  claimed = beckon_store_fixture_claim (store, turn->run->id, &error);
  g_assert_no_error (error);

  g_assert_null (beckon_store_fixture_claim (store, "no such run", &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_NOT_FOUND);
  g_object_unref (store);
}

static void
test_lease_files (Fixture *fixture, gconstpointer data)
{
  BeckonStore *first = beckon_store_fixture_open (fixture->directory);
  BeckonStore *second = beckon_store_fixture_open (fixture->directory);

  g_assert_cmpuint (count_files (fixture->directory, "leases"), ==, 2);
  beckon_store_fixture_close (first);
  g_assert_cmpuint (count_files (fixture->directory, "leases"), ==, 1);
  g_object_unref (second);
  g_object_unref (first);
  g_assert_cmpuint (count_files (fixture->directory, "leases"), ==, 0);
}

/* Notices */

static void
test_notice (Fixture *fixture, gconstpointer data)
{
  BeckonStore *store = beckon_store_fixture_open (fixture->directory);
  g_autoptr (GSubprocess) child = NULL;
  g_autoptr (GPtrArray) pending = NULL;
  guint noticed = 0;

  g_signal_connect_swapped (store, "changed-elsewhere", G_CALLBACK (count), &noticed);
  child = beckon_store_fixture_spawn ("write", fixture->directory, NULL);
  beckon_await (noticed > 0);
  pending = beckon_store_fixture_pending (store);
  g_assert_cmpuint (pending->len, ==, 1);
  g_subprocess_wait (child, NULL, NULL);
  g_object_unref (store);
}

/* Own commits are no news; the news of another comes after them, so that waiting for it proves that theirs did not come. */
static void
test_no_notice_of_own (Fixture *fixture, gconstpointer data)
{
  BeckonStore *store = beckon_store_fixture_open (fixture->directory);
  BeckonStore *other = beckon_store_fixture_open (fixture->directory);
  g_autoptr (BeckonTurn) turn = beckon_turn_new ("Mine?");
  g_autoptr (BeckonTurn) theirs = beckon_turn_new ("Theirs?");
  guint noticed = 0, noticed_there = 0;

  g_signal_connect_swapped (store, "changed-elsewhere", G_CALLBACK (count), &noticed);
  g_signal_connect_swapped (other, "changed-elsewhere", G_CALLBACK (count), &noticed_there);
  for (guint i = 0; i < 20; i++)
    {
      g_autoptr (BeckonTurn) one = beckon_turn_new ("Mine?");

      beckon_store_fixture_commit (store, beckon_turn_to_batch (one));
    }
  beckon_await (noticed_there > 0);
  g_assert_cmpuint (noticed, ==, 0);

  beckon_store_fixture_commit (other, beckon_turn_to_batch (theirs));
  beckon_await (noticed > 0);
  g_assert_cmpuint (noticed, ==, 1);
  g_object_unref (store);
  g_object_unref (other);
}

/* A draft in a composer concerns no other process. */
static void
test_no_notice_of_drafts (Fixture *fixture, gconstpointer data)
{
  BeckonStore *store = beckon_store_fixture_open (fixture->directory);
  BeckonStore *other = beckon_store_fixture_open (fixture->directory);
  g_autoptr (BeckonTurn) turn = beckon_turn_new ("First?");
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  guint noticed = 0;

  g_signal_connect_swapped (other, "changed-elsewhere", G_CALLBACK (count), &noticed);
  beckon_store_fixture_commit (store, beckon_turn_to_batch (turn));
  beckon_await (noticed > 0);

  noticed = 0;
  beckon_batch_set_draft (batch, beckon_conversation_get_id (turn->conversation), "draft");
  beckon_store_fixture_commit (store, batch);
  beckon_store_fixture_save_draft (store, beckon_request_get_id (turn->request), "draft");
  g_object_unref (beckon_store_fixture_lookup (other, beckon_request_get_id (turn->request), NULL));
  while (g_main_context_iteration (NULL, FALSE))
    continue;
  g_assert_cmpuint (noticed, ==, 0);
  g_object_unref (store);
  g_object_unref (other);
}

/* Files */

static void
assert_mode (const char *directory, const char *name, mode_t expected)
{
  g_autofree char *path = g_build_filename (directory, name, NULL);
  struct stat info;

  if (stat (path, &info) != 0)
    g_error ("%s is not there", path);
  g_assert_cmpuint (info.st_mode & 0777, ==, expected);
}

static void
test_modes (Fixture *fixture, gconstpointer data)
{
  mode_t before = umask (0);
  BeckonStore *store = beckon_store_fixture_open (fixture->directory);
  g_autofree char *leases = g_build_filename (fixture->directory, "leases", NULL);
  g_autoptr (GDir) dir = NULL;

  write_once (fixture->directory);
  umask (before);
  assert_mode (fixture->directory, "", 0700);
  assert_mode (fixture->directory, "beckon.db", 0600);
  assert_mode (fixture->directory, "beckon.db-wal", 0600);
  assert_mode (fixture->directory, "beckon.db-shm", 0600);
  assert_mode (fixture->directory, "notice", 0600);
  assert_mode (fixture->directory, "in-use", 0600);
  assert_mode (fixture->directory, "leases", 0700);
  dir = g_dir_open (leases, 0, NULL);
  assert_mode (leases, g_dir_read_name (dir), 0600);
  g_object_unref (store);
}

/* A folder that was opened up, by a copy or by hand, is closed again. */
static void
test_modes_are_mended (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->directory, "beckon.db", NULL);

  write_once (fixture->directory);
  g_assert_no_errno (g_chmod (fixture->directory, 0755));
  g_assert_no_errno (g_chmod (path, 0644));
  write_once (fixture->directory);
  assert_mode (fixture->directory, "", 0700);
  assert_mode (fixture->directory, "beckon.db", 0600);
}

static void
test_nothing_before_opening (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonStore) store = beckon_store_new (fixture->directory, beckon_clock_get_system ());

  g_assert_cmpstr (beckon_store_get_directory (store), ==, fixture->directory);
  g_assert_false (g_file_test (fixture->directory, G_FILE_TEST_EXISTS));
}

/* Crashes */

static void
check_after_crash (Fixture *fixture, const char *conversation_id, gint64 acknowledged)
{
  BeckonStore *store = beckon_store_fixture_open (fixture->directory);
  g_autoptr (GPtrArray) messages = beckon_store_fixture_load (store, conversation_id);
  g_autofree char *integrity = NULL;
  g_autofree char *references = NULL;

  /* A message more may have been written than was heard of, and never a part of one. */
  g_assert_cmpint (messages->len, >=, acknowledged + 1);
  g_assert_cmpint (messages->len, <=, acknowledged + 2);
  for (guint i = 2; i < messages->len; i++)
    {
      g_autofree char *expected = g_strdup_printf ("message %u and more", i);
      g_autofree char *text = beckon_message_dup_text (g_ptr_array_index (messages, i));

      g_assert_cmpint (beckon_message_get_seq (g_ptr_array_index (messages, i)), ==, i);
      g_assert_cmpstr (text, ==, expected);
    }
  g_object_unref (store);

  integrity = beckon_store_fixture_sql (fixture->directory, "PRAGMA integrity_check");
  references = beckon_store_fixture_sql (fixture->directory, "PRAGMA foreign_key_check");
  g_assert_cmpstr (integrity, ==, "ok");
  g_assert_null (references);
}

static void
test_killed_while_writing (Fixture *fixture, gconstpointer data)
{
  for (int crash = 0; crash < N_CRASHES; crash++)
    {
      g_autoptr (GSubprocess) child = beckon_store_fixture_spawn ("crash", fixture->directory, NULL);
      g_autofree char *conversation_id = beckon_store_fixture_read_line (child);
      gint64 acknowledged = 1;
      int n_lines = g_test_rand_int_range (0, 60);

      for (int i = 0; i < n_lines; i++)
        {
          g_autofree char *line = beckon_store_fixture_read_line (child);

          acknowledged = atoi (line);
        }
      beckon_store_fixture_kill (child);

      /* Words that it said before it died and that were not read yet count too. */
      for (;;)
        {
          g_autofree char *line = beckon_store_fixture_read_line (child);

          if (*line == '\0')
            break;
          acknowledged = atoi (line);
        }
      check_after_crash (fixture, conversation_id, acknowledged);
    }
}

static void
test_no_room (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GSubprocess) child = beckon_store_fixture_spawn ("full", fixture->directory, NULL);
  g_autofree char *conversation_id = beckon_store_fixture_read_line (child);
  g_autofree char *integrity = NULL;
  g_autoptr (GPtrArray) messages = NULL;
  guint acknowledged = 1;
  BeckonStore *store;

  for (;;)
    {
      g_autofree char *line = beckon_store_fixture_read_line (child);

      if (g_str_equal (line, "refused"))
        break;
      g_assert_cmpstr (line, !=, "");
      acknowledged = (guint) atoi (line);
    }
  g_subprocess_wait (child, NULL, NULL);
  g_assert_cmpuint (acknowledged, >, 2);

  store = beckon_store_fixture_open (fixture->directory);
  messages = beckon_store_fixture_load (store, conversation_id);
  g_assert_cmpuint (messages->len, ==, acknowledged + 1);
  g_object_unref (store);
  integrity = beckon_store_fixture_sql (fixture->directory, "PRAGMA integrity_check");
  g_assert_cmpstr (integrity, ==, "ok");
}

int
main (int argc, char *argv[])
{
  if (argc == 5 && g_str_equal (argv[1], "--child"))
    return be_child (argv[2], argv[3]);

  g_test_init (&argc, &argv, NULL);

#define ADD(name, function) g_test_add ("/store/" name, Fixture, NULL, set_up, function, tear_down)
  ADD ("lease/of-the-living", test_lease_of_the_living);
  ADD ("lease/of-the-dead", test_lease_of_the_dead);
  ADD ("lease/is-taken-once", test_lease_is_taken_once);
  ADD ("lease/of-nobody", test_lease_of_nobody);
  ADD ("lease/files", test_lease_files);
  ADD ("notice/of-another", test_notice);
  ADD ("notice/not-of-own", test_no_notice_of_own);
  ADD ("notice/not-of-drafts", test_no_notice_of_drafts);
  ADD ("files/modes", test_modes);
  ADD ("files/modes-are-mended", test_modes_are_mended);
  ADD ("files/nothing-before-opening", test_nothing_before_opening);
  ADD ("crash/killed-while-writing", test_killed_while_writing);
  ADD ("crash/no-room", test_no_room);
#undef ADD

  return g_test_run ();
}
