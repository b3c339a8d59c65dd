/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Faults of a store's files before it is opened, each on real files: they can be read, or the error says why not;
 * nothing is written where nothing may be written; no message that was committed is lost; what was there stays there.
 */

#include "beckon-store-fixture.h"

#include "base/beckon-error.h"
#include "beckon-faults.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <sqlite3.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NOBODY 65534

typedef struct
{
  char *directory;
  char *path;
  BeckonTurn *turn;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->directory = beckon_store_fixture_make_folder ();
  fixture->path = g_build_filename (fixture->directory, "beckon.db", NULL);
  fixture->turn = beckon_turn_new ("Blue?");
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  beckon_faults_set (0, 0, NULL, 0, 0);
  beckon_turn_free (fixture->turn);
  g_free (fixture->path);
  beckon_store_fixture_clear (fixture->directory);
}

static void
write_turn (Fixture *fixture)
{
  BeckonStore *store = beckon_store_fixture_open (fixture->directory);

  beckon_store_fixture_commit (store, beckon_turn_to_batch (fixture->turn));
  g_object_unref (store);
}

/* Leaves what a killed process does: the file, and a log that was not moved into it. */
static void
write_turn_and_crash (Fixture *fixture)
{
  g_autofree char *source = beckon_store_fixture_make_folder ();
  g_autofree char *command = NULL;
  BeckonStore *store = beckon_store_fixture_open (source);
  g_autoptr (GError) error = NULL;

  beckon_store_fixture_commit (store, beckon_turn_to_batch (fixture->turn));
  g_assert_no_errno (g_mkdir_with_parents (fixture->directory, 0700));
  command = g_strdup_printf ("cp '%s/beckon.db' '%s/beckon.db-wal' '%s'", source, source, fixture->directory);
  g_assert_true (g_spawn_command_line_sync (command, NULL, NULL, NULL, &error));
  g_object_unref (store);
  beckon_store_fixture_clear (g_steal_pointer (&source));
}

static void
add_to_listing (GString *listing, const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      g_autofree char *contents = NULL;
      g_autofree char *sum = NULL;
      gsize length = 0;

      if (g_file_get_contents (path, &contents, &length, NULL))
        sum = g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *) contents, length);
      g_string_append_printf (listing, "%s %s\n", path, sum != NULL ? sum : "a folder");
    }
}

/* Every file with what is in it. */
static char *
describe_folder (Fixture *fixture)
{
  GString *listing = g_string_new (NULL);

  add_to_listing (listing, fixture->directory);

  return g_string_free (listing, FALSE);
}

static void
assert_whole (Fixture *fixture)
{
  g_autofree char *integrity = beckon_store_fixture_sql (fixture->directory, "PRAGMA integrity_check");

  g_assert_cmpstr (integrity, ==, "ok");
}

static void
assert_turn (BeckonStore *store, Fixture *fixture)
{
  g_autoptr (GPtrArray) messages = beckon_store_fixture_load (store, beckon_conversation_get_id (fixture->turn->conversation));
  g_autoptr (GPtrArray) pending = beckon_store_fixture_pending (store);
  g_autofree char *text = NULL;

  g_assert_cmpuint (messages->len, ==, 2);
  text = beckon_message_dup_text (g_ptr_array_index (messages, 0));
  g_assert_cmpstr (text, ==, "Do it");
  g_assert_cmpuint (pending->len, ==, 1);
}

static void
assert_refuses (BeckonStore *store, Fixture *fixture)
{
  g_autoptr (BeckonSettlement) settlement = beckon_turn_answer (fixture->turn, "Yes", "somebody");
  g_autoptr (BeckonTurn) temporary = beckon_turn_new ("In memory?");
  g_autoptr (BeckonTurn) other = beckon_turn_new ("Another?");
  g_autoptr (GPtrArray) pending = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_false (beckon_store_fixture_try_commit (store, beckon_turn_to_batch (other), &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_STORE);
  g_clear_error (&error);
  beckon_conversation_set_temporary (temporary->conversation, TRUE);
  g_assert_false (beckon_store_fixture_try_commit (store, beckon_turn_to_batch (temporary), &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_STORE);
  g_clear_error (&error);
  g_assert_false (beckon_store_fixture_settle (store, settlement, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_STORE);
  g_clear_error (&error);
  g_assert_null (beckon_store_fixture_claim (store, fixture->turn->run->id, &error));
  g_assert_nonnull (error);
  pending = beckon_store_fixture_pending (store);
  for (guint i = 0; i < pending->len; i++)
    g_assert_cmpint (beckon_request_get_state (g_ptr_array_index (pending, i)), ==, BECKON_REQUEST_PENDING);
}

/* Read-only */

static void
check_read_only (Fixture *fixture)
{
  g_autofree char *before = describe_folder (fixture);
  g_autofree char *after = NULL;
  BeckonHealth *health;
  BeckonStore *store;

  beckon_faults_set (BECKON_FAULTS_ANY_CHANGE, EROFS, fixture->directory, 0, -1);
  store = beckon_store_fixture_open (fixture->directory);
  health = beckon_store_get_health (store);
  g_assert_cmpint (beckon_health_get_fault (health), ==, BECKON_FAULT_READ_ONLY);
  g_assert_nonnull (beckon_health_get_problem (health));
  assert_turn (store, fixture);
  assert_refuses (store, fixture);
  g_object_unref (store);

  after = describe_folder (fixture);
  g_assert_cmpstr (after, ==, before);
  beckon_faults_set (0, 0, NULL, 0, 0);
  store = beckon_store_fixture_open (fixture->directory);
  g_assert_null (beckon_health_get_problem (beckon_store_get_health (store)));
  assert_turn (store, fixture);
  g_object_unref (store);
  assert_whole (fixture);
}

static void
test_read_only (Fixture *fixture, gconstpointer data)
{
  write_turn (fixture);
  check_read_only (fixture);
}

/* A log is there, and its index is not. */
static void
test_read_only_after_crash (Fixture *fixture, gconstpointer data)
{
  write_turn_and_crash (fixture);
  check_read_only (fixture);
}

/* A writer is at work. */
static void
test_read_only_beside_a_writer (Fixture *fixture, gconstpointer data)
{
  BeckonStore *writer = beckon_store_fixture_open (fixture->directory);
  BeckonStore *store;

  beckon_store_fixture_commit (writer, beckon_turn_to_batch (fixture->turn));
  beckon_faults_set (BECKON_FAULTS_ANY_CHANGE, EROFS, fixture->directory, 0, -1);
  store = beckon_store_fixture_open (fixture->directory);
  assert_turn (store, fixture);
  assert_refuses (store, fixture);
  g_object_unref (store);
  beckon_faults_set (0, 0, NULL, 0, 0);
  g_object_unref (writer);
  assert_whole (fixture);
}

/* A history on a full disk can be read, and each refusal says why nothing can be written. */
static void
test_full_at_start (Fixture *fixture, gconstpointer data)
{
  BeckonStore *store;
  g_autoptr (GError) error = NULL;

  write_turn (fixture);
  beckon_faults_set (BECKON_FAULTS_ANY_CHANGE, ENOSPC, fixture->directory, 0, -1);
  store = beckon_store_fixture_open (fixture->directory);
  g_assert_cmpint (beckon_health_get_fault (beckon_store_get_health (store)), ==, BECKON_FAULT_FULL);
  assert_turn (store, fixture);
  for (guint i = 0; i < 2; i++)
    {
      g_assert_false (beckon_store_fixture_try_commit (store, beckon_turn_to_batch (fixture->turn), &error));
      g_assert_error (error, BECKON_ERROR, BECKON_ERROR_STORE);
      g_assert_cmpstr (error->message, ==, "The disk is full. Make room and try again.");
      g_clear_error (&error);
    }
  g_object_unref (store);
  beckon_faults_set (0, 0, NULL, 0, 0);
  assert_whole (fixture);
}

static void
test_read_only_file (Fixture *fixture, gconstpointer data)
{
  BeckonStore *store;

  write_turn (fixture);
  beckon_faults_set (BECKON_FAULTS_OPEN, EACCES, "beckon.db", 0, -1);
  store = beckon_store_fixture_open (fixture->directory);
  g_assert_cmpint (beckon_health_get_fault (beckon_store_get_health (store)), ==, BECKON_FAULT_READ_ONLY);
  assert_turn (store, fixture);
  assert_refuses (store, fixture);
  g_object_unref (store);
  beckon_faults_set (0, 0, NULL, 0, 0);
  assert_whole (fixture);
}

/* The superuser may write everywhere, so it becomes somebody else for as long as a case takes. */
static void
become_nobody (Fixture *fixture)
{
  g_autofree char *parent = g_path_get_dirname (fixture->directory);

  g_assert_no_errno (chown (parent, NOBODY, NOBODY));
  g_assert_no_errno (seteuid (NOBODY));
}

/* By its bits, as a person would do it. */
static void
test_read_only_by_mode (Fixture *fixture, gconstpointer data)
{
  uid_t before = geteuid ();
  BeckonStore *store;
  struct stat info;

  if (before == 0)
    become_nobody (fixture);
  write_turn (fixture);
  g_assert_no_errno (g_chmod (fixture->path, 0444));
  g_assert_no_errno (g_chmod (fixture->directory, 0500));
  store = beckon_store_fixture_open (fixture->directory);
  g_assert_cmpint (beckon_health_get_fault (beckon_store_get_health (store)), ==, BECKON_FAULT_READ_ONLY);
  assert_turn (store, fixture);
  assert_refuses (store, fixture);
  g_object_unref (store);
  g_assert_no_errno (g_stat (fixture->path, &info));
  g_assert_cmpuint (info.st_mode & 0200, ==, 0);
  g_assert_no_errno (g_chmod (fixture->directory, 0700));
  g_assert_no_errno (g_chmod (fixture->path, 0600));
  assert_whole (fixture);
  g_assert_no_errno (seteuid (before));
}

/* The folder is empty and nothing can be made in it. */
static void
test_read_only_and_empty (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) conversations = NULL;
  BeckonStore *store;

  beckon_faults_set (BECKON_FAULTS_ANY_CHANGE, EROFS, fixture->directory, 0, -1);
  store = beckon_store_fixture_open (fixture->directory);
  conversations = beckon_store_fixture_list (store);
  g_assert_cmpuint (conversations->len, ==, 0);
  assert_refuses (store, fixture);
  g_object_unref (store);
  g_assert_false (g_file_test (fixture->directory, G_FILE_TEST_EXISTS));
}

/* An older file must be converted to be read, which a copy is. */
static void
test_read_only_and_older (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "store", "older", "version-1.sql", NULL);
  g_autoptr (GPtrArray) conversations = NULL;
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  g_autofree char *sql = NULL;
  sqlite3 *database;
  BeckonStore *store;

  g_assert_true (g_file_get_contents (path, &sql, NULL, NULL));
  g_assert_no_errno (g_mkdir_with_parents (fixture->directory, 0700));
  g_assert_cmpint (sqlite3_open (fixture->path, &database), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (database, sql, NULL, NULL, NULL), ==, SQLITE_OK);
  sqlite3_close (database);

  before = describe_folder (fixture);
  beckon_faults_set (BECKON_FAULTS_ANY_CHANGE, EROFS, fixture->directory, 0, -1);
  store = beckon_store_fixture_open (fixture->directory);
  conversations = beckon_store_fixture_list (store);
  g_assert_cmpuint (conversations->len, >, 0);
  assert_refuses (store, fixture);
  g_object_unref (store);
  after = describe_folder (fixture);
  g_assert_cmpstr (after, ==, before);
  beckon_faults_set (0, 0, NULL, 0, 0);
  assert_whole (fixture);
}

static void
test_read_only_search (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) hits = NULL;
  BeckonStore *store = beckon_store_fixture_open (fixture->directory);

  beckon_store_fixture_commit (store, beckon_turn_to_batch (fixture->turn));
  hits = beckon_store_fixture_search (store, "Do it", 10, NULL);
  g_assert_cmpuint (hits->len, ==, 1);
  g_clear_pointer (&hits, g_ptr_array_unref);
  g_object_unref (store);

  beckon_faults_set (BECKON_FAULTS_ANY_CHANGE, EROFS, fixture->directory, 0, -1);
  store = beckon_store_fixture_open (fixture->directory);
  hits = beckon_store_fixture_search (store, "Do it", 10, NULL);
  g_assert_cmpuint (hits->len, ==, 1);
  g_object_unref (store);
  beckon_faults_set (0, 0, NULL, 0, 0);
  assert_whole (fixture);
}

/* Versions */

static void
test_newer_version (Fixture *fixture, gconstpointer data)
{
  g_autofree char *none = NULL;
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  g_autoptr (BeckonStore) store = beckon_store_new (fixture->directory, beckon_clock_get_system ());
  g_autoptr (GError) error = NULL;

  write_turn (fixture);
  none = beckon_store_fixture_sql (fixture->directory, "PRAGMA user_version = 9999");
  before = describe_folder (fixture);
  g_assert_false (beckon_store_fixture_try_open (store, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE);
  after = describe_folder (fixture);
  g_assert_cmpstr (after, ==, before);
  assert_whole (fixture);
}

/* Files that can't be locked are said at once, with what to do. */
static void
test_no_locks (Fixture *fixture, gconstpointer data)
{
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  g_autoptr (BeckonStore) store = beckon_store_new (fixture->directory, beckon_clock_get_system ());
  g_autoptr (GError) error = NULL;

  write_turn (fixture);
  before = describe_folder (fixture);
  beckon_faults_set (BECKON_FAULTS_LOCK, ENOLCK, fixture->directory, 0, -1);
  g_assert_false (beckon_store_fixture_try_open (store, &error));
  beckon_faults_set (0, 0, NULL, 0, 0);
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_STORE);
  g_assert_nonnull (strstr (error->message, "Files can’t be locked in "));
  g_assert_nonnull (strstr (error->message, "Set XDG_DATA_HOME"));
  after = describe_folder (fixture);
  g_assert_cmpstr (after, ==, before);
  assert_whole (fixture);
}

/* The log's index can be made again from the log. */
static void
test_index_of_log_lost (Fixture *fixture, gconstpointer data)
{
  BeckonStore *store;

  write_turn_and_crash (fixture);
  store = beckon_store_fixture_open (fixture->directory);
  assert_turn (store, fixture);
  g_assert_null (beckon_health_get_problem (beckon_store_get_health (store)));
  g_object_unref (store);
  assert_whole (fixture);
}

/* A day back between two messages, and between two conversations: what came later stays later. */
static void
test_clock_jumps_back (Fixture *fixture, gconstpointer data)
{
  const gint64 day = G_TIME_SPAN_DAY;
  gint64 now = g_get_real_time ();
  g_autoptr (BeckonConversation) later = beckon_conversation_new ("01BX5ZZKBKACTAV9WEVGEMMVRZ", now - day);
  g_autoptr (BeckonMessage) message = beckon_message_new (NULL, BECKON_ROLE_USER, now - day);
  g_autoptr (BeckonPart) part = beckon_part_new (BECKON_PART_TEXT, "After the jump");
  BeckonStore *store = beckon_store_fixture_open (fixture->directory);
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_FULL);
  g_autoptr (GPtrArray) conversations = NULL;
  g_autoptr (GPtrArray) messages = NULL;
  g_autofree char *text = NULL;

  beckon_store_fixture_commit (store, beckon_turn_to_batch (fixture->turn));
  beckon_message_add_part (message, part);
  beckon_message_set_seq (message, 2);
  beckon_batch_add_message (batch, beckon_conversation_get_id (fixture->turn->conversation), message);
  beckon_store_fixture_commit (store, batch);
  batch = beckon_batch_new (BECKON_DURABILITY_FULL);
  beckon_conversation_set_title (later, "Later");
  beckon_batch_put_conversation (batch, later);
  beckon_store_fixture_commit (store, batch);
  g_object_unref (store);

  store = beckon_store_fixture_open (fixture->directory);
  messages = beckon_store_fixture_load (store, beckon_conversation_get_id (fixture->turn->conversation));
  g_assert_cmpuint (messages->len, ==, 3);
  text = beckon_message_dup_text (g_ptr_array_index (messages, 2));
  g_assert_cmpstr (text, ==, "After the jump");
  conversations = beckon_store_fixture_list (store);
  g_assert_cmpuint (conversations->len, ==, 2);
  g_assert_cmpstr (beckon_conversation_get_title (g_ptr_array_index (conversations, 0)), ==, "Later");
  g_object_unref (store);
  assert_whole (fixture);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name, function) g_test_add ("/store/faults/" name, Fixture, NULL, set_up, function, tear_down)
  ADD ("read-only", test_read_only);
  ADD ("read-only-after-crash", test_read_only_after_crash);
  ADD ("read-only-beside-a-writer", test_read_only_beside_a_writer);
  ADD ("full-at-start", test_full_at_start);
  ADD ("read-only-file", test_read_only_file);
  ADD ("read-only-by-mode", test_read_only_by_mode);
  ADD ("read-only-and-empty", test_read_only_and_empty);
  ADD ("read-only-and-older", test_read_only_and_older);
  ADD ("read-only-search", test_read_only_search);
  ADD ("newer-version", test_newer_version);
  ADD ("no-locks", test_no_locks);
  ADD ("clock-jumps-back", test_clock_jumps_back);
  ADD ("index-of-log-lost", test_index_of_log_lost);
#undef ADD

  return g_test_run ();
}
