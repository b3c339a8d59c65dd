/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How a file comes to the newest version, and when it must not be touched. The steps after the first are made here: what
 * matters is the way, and it is the same for every step that will come.
 */

#include "beckon-store-fixture.h"

#include "base/beckon-error.h"
#include "store/db/beckon-session.h"
#include "store/sqlite/beckon-schema.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NEWEST 12 /* the version that today's program writes */
#define N_CREATORS 6

typedef struct
{
  char *directory;
  char *path;
  int usage_fd;
} Fixture;

static const char rebuild_parent[] =
  "CREATE TABLE conversation_new (id TEXT PRIMARY KEY, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,"
  "  title TEXT NOT NULL, profile TEXT, draft TEXT NOT NULL DEFAULT '', pinned INTEGER NOT NULL DEFAULT 0,"
  "  archived INTEGER NOT NULL DEFAULT 0, deleted_at INTEGER, sequence INTEGER NOT NULL DEFAULT 0,"
  "  unread INTEGER NOT NULL DEFAULT 0, named_by TEXT NOT NULL, origin TEXT, origin_message TEXT, folder TEXT,"
  "  mode TEXT NOT NULL, path INTEGER NOT NULL DEFAULT 0, source TEXT, wants_title INTEGER NOT NULL DEFAULT 0,"
  "  effort TEXT NOT NULL DEFAULT 'default', seen_at INTEGER NOT NULL DEFAULT 0,"
  "  colour INTEGER NOT NULL DEFAULT 0) STRICT;"
  "INSERT INTO conversation_new SELECT *, 0 FROM conversation;"
  "DROP TABLE conversation;"
  "ALTER TABLE conversation_new RENAME TO conversation;";

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autofree char *usage = NULL;

  fixture->directory = beckon_store_fixture_make_folder ();
  fixture->path = g_build_filename (fixture->directory, "beckon.db", NULL);
  g_assert_no_errno (g_mkdir_with_parents (fixture->directory, 0700));
  usage = g_build_filename (fixture->directory, "in-use", NULL);
  fixture->usage_fd = g_open (usage, O_CREAT | O_RDWR | O_CLOEXEC, 0600);
  g_assert_cmpint (fixture->usage_fd, >=, 0);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  close (fixture->usage_fd);
  g_free (fixture->path);
  beckon_store_fixture_clear (fixture->directory);
}

static void
assert_sql (Fixture *fixture, const char *sql, const char *expected)
{
  g_autofree char *value = beckon_store_fixture_sql (fixture->directory, sql);

  g_assert_cmpstr (value, ==, expected);
}

static void
write_old_file (Fixture *fixture)
{
  BeckonStore *store = beckon_store_fixture_open (fixture->directory);
  g_autoptr (BeckonTurn) turn = beckon_turn_new ("Old?");

  beckon_store_fixture_commit (store, beckon_turn_to_batch (turn));
  g_object_unref (store);
}

/* The released steps and those of a test. */
static gboolean
migrate (Fixture *fixture, const char *second, const char *third, GError **error)
{
  guint n_released;
  const BeckonMigration *released = beckon_schema_get_migrations (&n_released);
  BeckonMigration steps[NEWEST + 2];
  guint n_steps = n_released;
  g_autoptr (BeckonDatabase) database = beckon_database_open (fixture->path, error);

  g_assert_nonnull (database);
  g_assert_cmpuint (n_released, ==, NEWEST);
  memcpy (steps, released, n_released * sizeof *steps);
  steps[n_steps++].sql = second;
  if (third != NULL)
    steps[n_steps++].sql = third;

  return beckon_schema_prepare (database, fixture->directory, steps, n_steps, fixture->usage_fd, error);
}

static void
assert_version (Fixture *fixture, guint version)
{
  g_autofree char *number = g_strdup_printf ("%u", version);

  assert_sql (fixture, "PRAGMA user_version", number);
}

/* Returns the copy of a file before it was brought to another version. */
static char *
get_copy (Fixture *fixture, guint version)
{
  g_autofree char *name = g_strdup_printf ("beckon-v%u.db", version);

  return g_build_filename (fixture->directory, name, NULL);
}

static void
test_new_file (Fixture *fixture, gconstpointer data)
{
  write_old_file (fixture);
  assert_sql (fixture, "PRAGMA journal_mode", "wal");
  assert_version (fixture, NEWEST);
  assert_sql (fixture,
              "SELECT count (*) FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE '%STRICT%'"
              " AND name NOT LIKE 'search_%'",
              "0");
  assert_sql (fixture, "PRAGMA integrity_check", "ok");
}

static void
test_steps_are_taken (Fixture *fixture, gconstpointer data)
{
  g_autofree char *copy = get_copy (fixture, NEWEST);
  g_autoptr (GError) error = NULL;
  struct stat info;

  write_old_file (fixture);
  migrate (fixture, rebuild_parent, "ALTER TABLE run ADD COLUMN note TEXT;", &error);
  g_assert_no_error (error);

  assert_version (fixture, NEWEST + 2);
  assert_sql (fixture, "SELECT title || colour FROM conversation", "Old?0");
  assert_sql (fixture, "SELECT count (*) FROM message", "2");
  assert_sql (fixture, "SELECT count (*) FROM run WHERE note IS NULL", "1");
  assert_sql (fixture, "PRAGMA foreign_key_check", NULL);
  assert_sql (fixture, "PRAGMA integrity_check", "ok");

  g_assert_no_errno (g_stat (copy, &info));
  g_assert_cmpuint (info.st_mode & 0777, ==, 0600);
  g_assert_no_errno (g_rename (copy, fixture->path));
  assert_version (fixture, NEWEST);
  assert_sql (fixture, "SELECT title FROM conversation", "Old?");
}

/* Files that older versions really wrote; whatever comes later has to open them. */
static void
restore (Fixture *fixture, const char *name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "store", "older", name, NULL);
  g_autofree char *sql = NULL;
  g_autoptr (GError) error = NULL;
  sqlite3 *database;

  g_file_get_contents (path, &sql, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (sqlite3_open (fixture->path, &database), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (database, sql, NULL, NULL, NULL), ==, SQLITE_OK);
  sqlite3_close (database);
}

static void
assert_found (BeckonStore *store, const char *words, guint n_hits)
{
  g_autoptr (GPtrArray) hits = beckon_store_fixture_search (store, words, 10, NULL);

  g_assert_cmpuint (hits->len, ==, n_hits);
}

/* Opens a history as an earlier program left it: it is brought to today's shape, whole, and what it was is kept beside it. */
static BeckonStore *
open_older (Fixture *fixture, guint version)
{
  g_autofree char *script = g_strdup_printf ("version-%u.sql", version);
  g_autofree char *copy = get_copy (fixture, version);
  BeckonStore *store;

  restore (fixture, script);
  assert_version (fixture, version);
  store = beckon_store_fixture_open (fixture->directory);
  assert_sql (fixture, "PRAGMA foreign_key_check", NULL);
  assert_sql (fixture, "PRAGMA integrity_check", "ok");
  g_assert_true (g_file_test (copy, G_FILE_TEST_IS_REGULAR));

  return store;
}

static void
test_version_1 (Fixture *fixture, gconstpointer data)
{
  BeckonStore *store = open_older (fixture, 1);
  g_autoptr (GPtrArray) conversations = NULL;
  g_autoptr (GPtrArray) messages = NULL;
  g_autoptr (GPtrArray) pending = NULL;
  g_autofree char *reply = NULL;

  conversations = beckon_store_fixture_list (store);
  g_assert_cmpuint (conversations->len, ==, 2);
  messages = beckon_store_fixture_load (store, "01M7WNQZ1M0VK999NP77ZJC1Z4");
  g_assert_cmpuint (messages->len, ==, 4);
  reply = beckon_message_dup_text (g_ptr_array_index (messages, 3));
  g_assert_cmpstr (reply, ==, "The reply came in pieces, and ended.");
  pending = beckon_store_fixture_pending (store);
  g_assert_cmpuint (pending->len, ==, 1);
  g_assert_cmpstr (beckon_request_get_draft (g_ptr_array_index (pending, 0)), ==, "{\"text\":\"80\"}");

  assert_found (store, "pieces ended", 1);
  assert_found (store, "部署", 1);
  assert_found (store, "准备", 1);
  g_object_unref (store);
}

/* A history with its index, marks and pieces that were not joined yet. */
static void
test_version_2 (Fixture *fixture, gconstpointer data)
{
  BeckonStore *store = open_older (fixture, 2);
  g_autoptr (GPtrArray) conversations = NULL;
  g_autoptr (GPtrArray) messages = NULL;
  g_autofree char *reply = NULL;
  BeckonConversation *first;

  /* In the order of their times; what a person may have named is left alone. */
  conversations = beckon_store_fixture_list (store);
  g_assert_cmpuint (conversations->len, ==, 3);
  first = g_ptr_array_index (conversations, 0);
  g_assert_cmpstr (beckon_conversation_get_id (first), ==, "01M7WNQZ1M0VK999NP77ZJC1Z4");
  g_assert_cmpint (beckon_conversation_get_title_source (first), ==, BECKON_TITLE_PERSON);
  g_assert_true (beckon_conversation_get_pinned (g_ptr_array_index (conversations, 2)));

  messages = beckon_store_fixture_load (store, "01M7WNQZ1M0VK999NP77ZJC1Z4");
  reply = beckon_message_dup_text (g_ptr_array_index (messages, 3));
  g_assert_cmpstr (reply, ==, "The reply came in pieces, and ended.");
  assert_sql (fixture, "SELECT group_concat (kind || ifnull (media_type, '-'), ' ') FROM part WHERE origin = 'chat'",
              "reasoning- opaque- text- text-");
  assert_found (store, "harbour", 1);
  assert_found (store, "部署", 1);
  g_object_unref (store);
}

/* A history with a branch, an image and a rule; and a profile that gets what profiles have by now. */
static void
test_version_3 (Fixture *fixture, gconstpointer data)
{
  BeckonStore *store = open_older (fixture, 3);
  g_autoptr (GPtrArray) messages = NULL;
  g_autoptr (GPtrArray) profiles = NULL;
  BeckonProfile *profile;

  messages = beckon_store_fixture_load (store, "01M7ZBRANCH00000000000000A");
  g_assert_cmpint (beckon_part_get_kind (beckon_message_get_part (g_ptr_array_index (messages, 0), 1)), ==,
                   BECKON_PART_IMAGE);
  assert_sql (fixture, "SELECT tool || verdict || uses FROM rule", "run_commandallow2");
  assert_found (store, "lighthouse", 1);

  profiles = beckon_store_fixture_profiles (store);
  g_assert_cmpuint (profiles->len, ==, 1);
  profile = g_ptr_array_index (profiles, 0);
  g_assert_cmpstr (beckon_profile_get_name (profile), ==, "Home");
  g_assert_cmpuint (beckon_profile_get_context_window (profile), ==, 0);
  g_assert_cmpfloat (beckon_profile_get_temperature (profile), <, 0);
  g_assert_null (beckon_profile_get_fallbacks (profile)[0]);
  g_object_unref (store);
}

/* A history with a working folder, a permit that was used, a file's copy, a note and a plan with a step. */
static void
test_version_4 (Fixture *fixture, gconstpointer data)
{
  BeckonStore *store = open_older (fixture, 4);
  g_autoptr (GPtrArray) messages = NULL;
  BeckonToolCall *call;

  messages = beckon_store_fixture_load (store, "01M80FOLDER00000000000000A");
  call = beckon_part_get_call (beckon_message_get_part (g_ptr_array_index (messages, 1), 0));
  g_assert_cmpstr (beckon_tool_call_get_name (call), ==, "write_file");
  g_assert_cmpint (beckon_tool_call_get_state (call), ==, BECKON_CALL_DONE);
  assert_sql (fixture, "SELECT path || size || CAST (before AS TEXT) FROM file_copy", "shopping.txt6bread\n");
  assert_sql (fixture, "SELECT (document LIKE '%Two steps%') || revision FROM plan", "11");
  assert_sql (fixture, "SELECT step FROM step", "a");
  assert_sql (fixture, "SELECT text FROM note", "The list is called shopping.txt.");
  assert_sql (fixture, "SELECT count (*) FROM parameter", "0");
  assert_found (store, "milk", 1);

  /* A single line of messages is a single branch. */
  assert_sql (fixture, "SELECT count (*) FROM message WHERE NOT chosen OR NOT active OR deleted_at IS NOT NULL", "0");
  assert_sql (fixture,
              "SELECT count (*) FROM message m WHERE parent IS NOT coalesce ((SELECT id FROM message WHERE conversation ="
              " m.conversation AND seq < m.seq ORDER BY seq DESC LIMIT 1), '')",
              "0");
  assert_sql (fixture, "SELECT count (*) > 1 FROM message WHERE parent <> ''", "1");
  g_object_unref (store);
}

/* A history with versions of a reply, a file at a draft and a settled parameter. */
static void
test_version_5 (Fixture *fixture, gconstpointer data)
{
  BeckonStore *store = open_older (fixture, 5);
  g_autoptr (GPtrArray) messages = NULL;
  g_autofree char *reply = NULL;

  messages = beckon_store_fixture_load (store, "01M85VERSIONS000000000000A");
  g_assert_cmpuint (messages->len, ==, 2);
  reply = beckon_message_dup_text (g_ptr_array_index (messages, 1));
  g_assert_cmpstr (reply, ==, "The oxeye daisy.");
  g_assert_cmpuint (beckon_message_get_n_versions (g_ptr_array_index (messages, 1)), ==, 2);
  assert_sql (fixture, "SELECT origin FROM draft_file", "file:todo.txt");
  assert_sql (fixture, "SELECT tool || access FROM parameter", "fetch_urlmasked");
  assert_sql (fixture, "SELECT settled FROM call WHERE settled IS NOT NULL",
              "{\"path\":\"shopping.txt\",\"content\":\"oat milk\"}");
  assert_sql (fixture, "SELECT count (*) FROM result_image", "0");
  assert_found (store, "cornflower", 1);
  assert_found (store, "daisy", 1);
  g_object_unref (store);
}

/* A history with a picture in a result. */
static void
test_version_6 (Fixture *fixture, gconstpointer data)
{
  BeckonStore *store = open_older (fixture, 6);
  g_autoptr (GPtrArray) messages = NULL;
  BeckonToolCall *call;

  messages = beckon_store_fixture_load (store, "01M80FOLDER00000000000000A");
  call = beckon_part_get_call (beckon_message_get_part (g_ptr_array_index (messages, 1), 0));
  g_assert_cmpuint (beckon_tool_call_get_n_images (call), ==, 1);
  g_assert_cmpint (beckon_tool_call_get_change (call), ==, BECKON_CALL_CHANGE_KEPT);
  assert_sql (fixture, "SELECT count (*) FROM result_image", "1");
  assert_sql (fixture, "SELECT count (*) FROM file_copy WHERE withheld", "0");
  assert_sql (fixture, "SELECT count (*) FROM call WHERE exit_status IS NOT NULL OR output_length IS NOT NULL", "0");
  assert_sql (fixture, "SELECT count (*) FROM conversation WHERE source IS NOT NULL OR wants_title", "0");
  assert_sql (fixture, "SELECT count (*) FROM run WHERE stop_asked", "0");
  assert_sql (fixture, "SELECT count (*) FROM note WHERE NOT from_run", "0");
  assert_sql (fixture, "SELECT (SELECT count (*) FROM prefix) + (SELECT count (*) FROM told)", "0");
  g_object_unref (store);
}

static void
test_version_7 (Fixture *fixture, gconstpointer data)
{
  BeckonStore *store = open_older (fixture, 7);

  assert_sql (fixture, "SELECT count (*) FROM file_copy WHERE withheld", "1");
  assert_sql (fixture, "SELECT count (*) FROM file_copy WHERE folders > 0", "0");
  assert_sql (fixture, "SELECT exit_status FROM call WHERE exit_status IS NOT NULL", "3");
  assert_sql (fixture, "SELECT source FROM conversation WHERE wants_title", "chatgpt:1");
  assert_sql (fixture, "SELECT count (*) FROM note WHERE NOT from_run", "1");
  assert_sql (fixture, "SELECT (SELECT count (*) FROM landing) + (SELECT count (*) FROM undoing)", "0");
  g_object_unref (store);
}

static void
test_version_8 (Fixture *fixture, gconstpointer data)
{
  BeckonStore *store = open_older (fixture, 8);

  assert_sql (fixture, "SELECT count (*) FROM landing WHERE state = 'landed'", "1");
  assert_sql (fixture, "SELECT (SELECT count (*) FROM prefix) + (SELECT count (*) FROM told)", "2");
  /* No program is run for a profile before somebody says so. */
  assert_sql (fixture, "SELECT count (*) FROM profile WHERE key_command <> '' OR key_origin <> ''", "0");
  assert_sql (fixture, "SELECT count (*) FROM profile WHERE web_search", "0");
  g_object_unref (store);
}

static void
test_version_9 (Fixture *fixture, gconstpointer data)
{
  BeckonStore *store = open_older (fixture, 9);

  assert_sql (fixture, "SELECT key_command || key_origin FROM profile WHERE web_search",
              "pass show beckonhttp://localhost:8080");
  assert_sql (fixture, "SELECT (SELECT count (*) FROM queued_message) + (SELECT count (*) FROM queued_file)", "0");
  assert_sql (fixture, "SELECT count (*) FROM request WHERE asked_by IS NOT NULL", "0");
  g_object_unref (store);
}

static void
test_version_10 (Fixture *fixture, gconstpointer data)
{
  BeckonStore *store = open_older (fixture, 10);

  assert_sql (fixture, "SELECT queued_message.text FROM queued_message JOIN queued_file ON message = queued_message.id",
              "And the year");
  assert_sql (fixture, "SELECT name || prefix || error FROM server JOIN server_state ON server = server.id", "filesfilesEnded.");
  assert_sql (fixture, "SELECT count (*) FROM request WHERE asked_by IS NOT NULL AND NOT delivered", "1");
  assert_sql (fixture, "SELECT count (*) FROM server_state WHERE instructions IS NULL AND prompts IS NULL", "1");
  assert_sql (fixture, "SELECT is_trusted FROM folder_trust WHERE folder = '/home/ada/notes'", "1");
  g_object_unref (store);
}

/* Servers that the person set up keep on writing; those that came with a folder stop, and no other is changed. */
static void
test_version_11 (Fixture *fixture, gconstpointer data)
{
  BeckonStore *store = open_older (fixture, 11);

  assert_sql (fixture, "SELECT group_concat (name, ' ') FROM server WHERE config LIKE '%\"write\":true%'", "scans");
  assert_sql (fixture, "SELECT config FROM server WHERE name = 'scans'",
              "{\"transport\":\"stdio\",\"program\":\"scan-server\",\"arguments\":[\"--stdio\"],"
              "\"directory\":\"/home/ada/notes\",\"environment\":[],\"sandbox\":true,\"write\":true}");
  assert_sql (fixture, "SELECT count (*) FROM server WHERE config LIKE '%cameWith%' AND config LIKE '%\"network\":true%'", "1");
  assert_sql (fixture, "SELECT count (*) FROM server", "4");
  assert_sql (fixture, "SELECT instructions || prompts || resources FROM server_state",
              "Ask before you write.[{\"name\":\"summarize\"}][{\"uri\":\"note://papers\"}]");
  assert_sql (fixture, "SELECT name || remote FROM channel JOIN channel_message ON channel = channel.id", "Phone18");
  assert_sql (fixture, "SELECT count (*) FROM request WHERE due", "1");
  assert_sql (fixture, "SELECT answer FROM remembered_answer", "{\"text\":\"80\"}");
  g_object_unref (store);
}

/* A file of that version that was damaged is repaired into the newest shape, and its servers mean the same. */
static void
test_salvaged_servers (Fixture *fixture, gconstpointer data)
{
  g_autofree char *note = g_build_filename (fixture->directory, "damaged", NULL);
  BeckonStore *store;

  restore (fixture, "version-11.sql");
  g_assert_true (g_file_set_contents (note, "", 0, NULL));
  store = beckon_store_fixture_open (fixture->directory);
  g_assert_false (g_file_test (note, G_FILE_TEST_EXISTS));
  assert_version (fixture, NEWEST);
  assert_sql (fixture, "SELECT count (*) FROM server", "4");
  assert_sql (fixture, "SELECT group_concat (name, ' ') FROM server WHERE config LIKE '%\"write\":true%'", "scans");
  g_object_unref (store);
}

/* A configuration that nobody can read holds the step up as little as it does the program. */
static void
test_unreadable_server (Fixture *fixture, gconstpointer data)
{
  BeckonStore *store;

  restore (fixture, "version-11.sql");
  assert_sql (fixture, "UPDATE server SET config = 'no JSON' WHERE name = 'home'", NULL);
  store = beckon_store_fixture_open (fixture->directory);
  assert_version (fixture, NEWEST);
  assert_sql (fixture, "SELECT config FROM server WHERE name = 'home'", "no JSON");
  assert_sql (fixture, "SELECT count (*) FROM server WHERE config LIKE '%\"write\":true%'", "1");
  g_object_unref (store);
}

static void
test_older_files_are_kept (Fixture *fixture, gconstpointer data)
{
  for (guint version = 1; version < NEWEST; version++)
    {
      g_autofree char *name = g_strdup_printf ("version-%u.sql", version);
      g_autofree char *path = g_test_build_filename (G_TEST_DIST, "store", "older", name, NULL);

      g_test_message ("%s", name);
      g_assert_true (g_file_test (path, G_FILE_TEST_IS_REGULAR));
    }
}

static void
test_nothing_to_do (Fixture *fixture, gconstpointer data)
{
  g_autofree char *copy = get_copy (fixture, NEWEST);

  write_old_file (fixture);
  write_old_file (fixture);
  g_assert_false (g_file_test (copy, G_FILE_TEST_EXISTS));
}

/* A step that fails, or leaves a reference to nothing, leaves the file as it was. */
static void
test_failing_step (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  write_old_file (fixture);
  g_assert_false (migrate (fixture, rebuild_parent, "CREATE TABLE broken (", &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_STORE);
  g_clear_error (&error);
  g_assert_false (migrate (fixture, "DELETE FROM conversation;", NULL, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_STORE);

  assert_version (fixture, NEWEST);
  assert_sql (fixture, "SELECT count (*) FROM conversation", "1");
  write_old_file (fixture);
  assert_sql (fixture, "SELECT count (*) FROM conversation", "2");
}

static void
expect_refusal (Fixture *fixture, int code, const char *word)
{
  g_autoptr (BeckonStore) store = beckon_store_new (fixture->directory, beckon_clock_get_system ());
  g_autoptr (GError) error = NULL;

  g_assert_false (beckon_store_fixture_try_open (store, &error));
  g_assert_error (error, BECKON_ERROR, code);
  if (strstr (error->message, word) == NULL)
    g_error ("“%s” does not say “%s”", error->message, word);
}

static void
test_newer_is_refused (Fixture *fixture, gconstpointer data)
{
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  gsize before_length, after_length;

  write_old_file (fixture);
  assert_sql (fixture, "PRAGMA user_version = 99", NULL);
  g_assert_true (g_file_get_contents (fixture->path, &before, &before_length, NULL));
  expect_refusal (fixture, BECKON_ERROR_UNAVAILABLE, "newer version of Beckon");
  g_assert_true (g_file_get_contents (fixture->path, &after, &after_length, NULL));
  g_assert_cmpmem (before, before_length, after, after_length);
}

static void
test_used_file_is_not_migrated (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  BeckonStore *store;

  write_old_file (fixture);
  store = beckon_store_fixture_open (fixture->directory);
  g_assert_false (migrate (fixture, rebuild_parent, NULL, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE);
  g_assert_nonnull (strstr (error->message, "still using it"));
  assert_version (fixture, NEWEST);

  g_clear_error (&error);
  g_object_unref (store);
  migrate (fixture, rebuild_parent, NULL, &error);
  g_assert_no_error (error);
}

static void
test_folder_is_a_file (Fixture *fixture, gconstpointer data)
{
  g_autofree char *file = g_build_filename (fixture->directory, "file", NULL);
  g_autoptr (BeckonStore) store = beckon_store_new (file, beckon_clock_get_system ());
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (file, "x", 1, NULL));
  g_assert_false (beckon_store_fixture_try_open (store, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_STORE);
}

/* Everything starts at once on a first day: one creates the file, all can use it. */
static void
test_created_at_once (Fixture *fixture, gconstpointer data)
{
  GSubprocess *children[N_CREATORS];

  for (guint i = 0; i < N_CREATORS; i++)
    children[i] = beckon_store_fixture_spawn ("create", fixture->directory, NULL);
  for (guint i = 0; i < N_CREATORS; i++)
    {
      g_autofree char *ready = beckon_store_fixture_read_line (children[i]);

      g_assert_cmpstr (ready, ==, "ready");
    }
  for (guint i = 0; i < N_CREATORS; i++)
    g_assert_true (g_output_stream_close (g_subprocess_get_stdin_pipe (children[i]), NULL, NULL));
  for (guint i = 0; i < N_CREATORS; i++)
    {
      g_autoptr (GError) error = NULL;

      g_subprocess_wait_check (children[i], NULL, &error);
      g_assert_no_error (error);
      g_object_unref (children[i]);
    }
  assert_sql (fixture, "SELECT count (*) FROM conversation", G_STRINGIFY (N_CREATORS));
}

#define ADD(name, function) g_test_add ("/store/schema/" name, Fixture, NULL, set_up, function, tear_down)

/* They wait for seconds of a clock, and are with -m slow in the suite `long`. */
static void
add_slow_cases (void)
{
  ADD ("used-file-is-not-migrated", test_used_file_is_not_migrated);
}

static void
add_cases (void)
{
  ADD ("new-file", test_new_file);
  ADD ("steps-are-taken", test_steps_are_taken);
  ADD ("version-1", test_version_1);
  ADD ("version-2", test_version_2);
  ADD ("version-3", test_version_3);
  ADD ("version-4", test_version_4);
  ADD ("version-5", test_version_5);
  ADD ("version-6", test_version_6);
  ADD ("version-7", test_version_7);
  ADD ("version-8", test_version_8);
  ADD ("version-9", test_version_9);
  ADD ("version-10", test_version_10);
  ADD ("version-11", test_version_11);
  ADD ("salvaged-servers", test_salvaged_servers);
  ADD ("unreadable-server", test_unreadable_server);
  ADD ("older-files-are-kept", test_older_files_are_kept);
  ADD ("nothing-to-do", test_nothing_to_do);
  ADD ("failing-step", test_failing_step);
  ADD ("newer-is-refused", test_newer_is_refused);
  ADD ("folder-is-a-file", test_folder_is_a_file);
  ADD ("created-at-once", test_created_at_once);
}

int
main (int argc, char *argv[])
{
  if (argc == 5 && g_str_equal (argv[1], "--child"))
    {
      Fixture child = { .directory = argv[3] };

      beckon_store_fixture_say ("ready");
      beckon_store_fixture_wait_for_parent ();
      write_old_file (&child);
      return 0;
    }

  g_test_init (&argc, &argv, NULL);

  if (g_test_slow ())
    add_slow_cases ();
  else
    add_cases ();
  return g_test_run ();
}
