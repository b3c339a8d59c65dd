/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The copy of each day: when it is made, what is kept, and what a copy does when it is opened in place of a damaged history, with
 * nothing in it that goes on by itself.
 */

#define _GNU_SOURCE /* memmem */

#include "beckon-store-fixture.h"

#include "base/beckon-error.h"
#include "store/queries/beckon-delete-all.h"
#include "store/queries/beckon-store-copies.h"
#include "store/repair/beckon-file-check.h"
#include "store/repair/beckon-salvage.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define PAGE 4096

/* 2026-11-30, noon in any time zone is that day or the next. */
#define NOON (G_GINT64_CONSTANT (1796040000) * G_TIME_SPAN_SECOND)
#define DAY_MS (24 * 3600 * 1000)

typedef struct
{
  char *directory;
  BeckonClock *clock;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->directory = beckon_store_fixture_make_folder ();
  fixture->clock = beckon_clock_new_manual (NOON);
  beckon_file_check_set_delay (0);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_object_unref (fixture->clock);
  beckon_store_fixture_clear (fixture->directory);
}

static BeckonStore *
open_store (Fixture *fixture)
{
  BeckonStore *store = beckon_store_new (fixture->directory, fixture->clock);
  g_autoptr (GError) error = NULL;

  g_assert_true (beckon_store_fixture_try_open (store, &error));
  g_assert_no_error (error);

  return store;
}

static guint
count_copies (Fixture *fixture)
{
  g_autoptr (GPtrArray) copies = beckon_history_copies_list (fixture->directory);

  return copies->len;
}

static gboolean
is_due (Fixture *fixture)
{
  return beckon_history_copies_is_due (fixture->directory, beckon_clock_get_real_time (fixture->clock));
}

/* Opens, stores @title (nullable), waits for today's copy, closes. */
static void
spend_day (Fixture *fixture, const char *title)
{
  g_autoptr (BeckonStore) store = NULL;

  beckon_file_check_set_delay (title != NULL ? G_TIME_SPAN_DAY : 0);
  store = open_store (fixture);
  if (title != NULL)
    {
      g_autoptr (BeckonTurn) turn = beckon_turn_new (title);

      beckon_store_fixture_commit (store, beckon_turn_to_batch (turn));
      beckon_store_fixture_close (store);
      spend_day (fixture, NULL);
      return;
    }
  beckon_await (!is_due (fixture));
  beckon_store_fixture_close (store);
}

static char *
dup_copy (Fixture *fixture, guint position)
{
  g_autoptr (GPtrArray) copies = beckon_history_copies_list (fixture->directory);

  g_assert_cmpuint (copies->len, >, position);

  return g_strdup (((BeckonHistoryCopy *) g_ptr_array_index (copies, position))->name);
}

/* (nullable): the name of the first file that begins with @prefix. */
static char *
find_file (Fixture *fixture, const char *prefix)
{
  g_autoptr (GDir) dir = g_dir_open (fixture->directory, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_prefix (name, prefix))
      return g_strdup (name);

  return NULL;
}

static void
request (Fixture *fixture, const char *name)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (beckon_salvage_request_copy (fixture->directory, name, &error));
  g_assert_no_error (error);
}

static guint
count_conversations (BeckonStore *store)
{
  g_autoptr (GPtrArray) conversations = beckon_store_fixture_list (store);

  return conversations->len;
}

static void
damage (Fixture *fixture, const char *name)
{
  g_autofree char *path = g_build_filename (fixture->directory, name, NULL);
  g_autofree char *contents = NULL;
  gsize length;

  g_assert_true (g_file_get_contents (path, &contents, &length, NULL));
  for (gsize page = PAGE; page < length; page += PAGE)
    memset (contents + page, 0xa5, PAGE);
  g_assert_true (g_file_set_contents_full (path, contents, (gssize) length, G_FILE_SET_CONTENTS_NONE, 0600, NULL));
}

static void
assert_whole (Fixture *fixture)
{
  g_autofree char *integrity = beckon_store_fixture_sql (fixture->directory, "PRAGMA integrity_check");
  g_autofree char *references = beckon_store_fixture_sql (fixture->directory, "PRAGMA foreign_key_check");

  g_assert_cmpstr (integrity, ==, "ok");
  g_assert_null (references);
}

static void
on_damaged (gpointer data)
{
  g_assert_not_reached ();
}

/* --- Making them -------------------------------------------------------------------------------------------------- */

static void
test_daily (Fixture *fixture, gconstpointer data)
{
  g_autofree char *last = NULL;

  for (guint day = 1; day <= 5; day++)
    {
      g_autofree char *title = g_strdup_printf ("Day %u", day);
      g_autoptr (GPtrArray) copies = NULL;
      BeckonHistoryCopy *copy;
      g_autofree char *path = NULL;
      struct stat info;

      spend_day (fixture, title);
      copies = beckon_history_copies_list (fixture->directory);
      g_assert_cmpuint (copies->len, ==, MIN (day, 3));
      copy = g_ptr_array_index (copies, 0);
      g_assert_cmpstr (copy->date, !=, last);
      g_assert_cmpint (copy->n_conversations, ==, day);
      path = g_build_filename (fixture->directory, copy->name, NULL);
      g_assert_no_errno (g_stat (path, &info));
      g_assert_cmpuint (info.st_mode & 0777, ==, 0600);
      g_assert_cmpint (copy->size, ==, info.st_size);
      g_assert_true (beckon_file_check_is_whole (path));
      /* Another start of the same day makes none. */
      spend_day (fixture, NULL);
      g_assert_cmpuint (count_copies (fixture), ==, MIN (day, 3));
      g_free (last);
      last = g_strdup (copy->date);
      beckon_clock_advance (fixture->clock, DAY_MS);
    }
}

/* A clock that was wrong for a day takes the place of one copy, and not of all. */
static void
test_wrong_clock (Fixture *fixture, gconstpointer data)
{
  g_autofree char *wrong = NULL;
  g_autofree char *left = NULL;

  spend_day (fixture, "One");
  g_clear_object (&fixture->clock);
  fixture->clock = beckon_clock_new_manual (1);
  spend_day (fixture, "Two");
  wrong = dup_copy (fixture, 0);
  g_assert_cmpuint (count_copies (fixture), ==, 2);
  g_clear_object (&fixture->clock);
  fixture->clock = beckon_clock_new_manual (NOON);
  spend_day (fixture, "Three");
  g_assert_cmpuint (count_copies (fixture), ==, 3);
  beckon_clock_advance (fixture->clock, DAY_MS);
  spend_day (fixture, NULL);
  beckon_clock_advance (fixture->clock, DAY_MS);
  spend_day (fixture, NULL);
  g_assert_cmpuint (count_copies (fixture), ==, 3);
  left = find_file (fixture, wrong);
  g_assert_null (left);
}

/* A program that stays open, with a reply that streams all the while. */
static void
test_while_it_runs (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->directory, "beckon.db", NULL);
  g_autoptr (BeckonFileCheck) check = NULL;
  g_autoptr (BeckonStore) store = NULL;

  beckon_file_check_set_delay (G_TIME_SPAN_DAY);
  store = open_store (fixture);
  beckon_file_check_set_delay (0);
  check = beckon_file_check_start (fixture->directory, path, fixture->clock, on_damaged, NULL);
  for (guint day = 1; day <= 3; day++)
    {
      while (is_due (fixture))
        {
          g_autoptr (BeckonTurn) turn = beckon_turn_new ("More?");

          beckon_store_fixture_commit (store, beckon_turn_to_batch (turn));
        }
      g_assert_cmpuint (count_copies (fixture), ==, day);
      beckon_clock_advance (fixture->clock, DAY_MS);
      beckon_file_check_renew_copy (check);
    }
}

/* The folder lets nothing be made in it, and later it does. */
static void
test_no_place (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->directory, "beckon.db", NULL);
  g_autofree char *obstacle = g_build_filename (fixture->directory, "beckon-copy-unchecked.part", NULL);
  g_autofree char *inside = g_build_filename (obstacle, "x", NULL);
  g_autofree char *problem = NULL;
  g_autoptr (BeckonStore) store = NULL;
  g_autoptr (BeckonFileCheck) check = NULL;

  g_assert_no_errno (g_mkdir_with_parents (inside, 0700));
  store = open_store (fixture);
  beckon_await ((problem = beckon_store_dup_copy_problem ()) != NULL);
  g_assert_cmpuint (count_copies (fixture), ==, 0);
  g_assert_null (beckon_health_get_problem (beckon_store_get_health (store)));

  g_assert_no_errno (g_rmdir (inside));
  g_assert_no_errno (g_rmdir (obstacle));
  check = beckon_file_check_start (fixture->directory, path, fixture->clock, on_damaged, NULL);
  beckon_await (!is_due (fixture));
  g_clear_pointer (&check, beckon_file_check_stop);
  g_free (problem);
  problem = beckon_store_dup_copy_problem ();
  g_assert_null (problem);
}

/* While another process makes one there is nothing to do. */
static void
test_one_at_a_time (Fixture *fixture, gconstpointer data)
{
  g_autofree char *lock = g_build_filename (fixture->directory, "copying", NULL);
  g_autofree char *path = g_build_filename (fixture->directory, "beckon.db", NULL);
  g_autoptr (GError) error = NULL;
  int fd;

  spend_day (fixture, "One");
  beckon_clock_advance (fixture->clock, DAY_MS);
  fd = g_open (lock, O_RDWR | O_CLOEXEC, 0);
  g_assert_cmpint (fd, >=, 0);
  g_assert_no_errno (flock (fd, LOCK_EX | LOCK_NB));
  g_assert_true (beckon_history_copies_make (fixture->directory, path, beckon_clock_get_real_time (fixture->clock), NULL, NULL,
                                             NULL, &error));
  g_assert_no_error (error);
  g_assert_true (is_due (fixture));
  close (fd);
}

static int
run_copier (const char *directory)
{
  g_autoptr (BeckonClock) clock = beckon_clock_new_manual (NOON);
  BeckonStore *store = beckon_store_new (directory, clock);
  g_autoptr (GError) error = NULL;

  beckon_file_check_set_delay (0);
  g_assert_true (beckon_store_fixture_try_open (store, &error));
  beckon_store_fixture_say ("open");
  beckon_store_fixture_wait_for_parent ();
  g_object_unref (store);

  return 0;
}

/* Killed in the middle it leaves nothing that is taken for a copy, and the next one makes it. */
static void
test_killed (Fixture *fixture, gconstpointer data)
{
  g_autofree char *part = g_build_filename (fixture->directory, "beckon-copy-unchecked.part", NULL);
  g_autofree char *text = g_strnfill (1000 * 1000, 'x');
  g_autoptr (BeckonTurn) turn = beckon_turn_new ("Large?");
  guint n_interrupted = 0;

  beckon_file_check_set_delay (G_TIME_SPAN_DAY);
  {
    g_autoptr (BeckonStore) store = open_store (fixture);

    beckon_store_fixture_commit (store, beckon_turn_to_batch (turn));
    for (guint i = 0; i < 15; i++)
      {
        g_autoptr (BeckonMessage) message = beckon_message_new_text (BECKON_ROLE_USER, 2 + i, text);
        BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);

        beckon_batch_add_message (batch, beckon_conversation_get_id (turn->conversation), message);
        beckon_store_fixture_commit (store, batch);
      }
    beckon_store_fixture_close (store);
  }
  for (guint i = 0; i < 5; i++)
    {
      GSubprocess *child = beckon_store_fixture_spawn ("copier", fixture->directory, NULL);
      g_autofree char *line = beckon_store_fixture_read_line (child);
      g_autoptr (GPtrArray) copies = NULL;

      while (!g_file_test (part, G_FILE_TEST_EXISTS) && is_due (fixture))
        g_thread_yield ();
      beckon_store_fixture_kill (child);
      g_object_unref (child);
      copies = beckon_history_copies_list (fixture->directory);
      n_interrupted += copies->len == 0;
      for (guint c = 0; c < copies->len; c++)
        {
          g_autofree char *path = g_build_filename (fixture->directory, ((BeckonHistoryCopy *) copies->pdata[c])->name, NULL);

          g_assert_true (beckon_file_check_is_whole (path));
        }
      beckon_history_copies_remove (fixture->directory);
    }
  g_assert_cmpuint (n_interrupted, >, 0);
  spend_day (fixture, NULL);
  g_assert_cmpuint (count_copies (fixture), ==, 1);
  g_assert_false (g_file_test (part, G_FILE_TEST_EXISTS));
  assert_whole (fixture);
}

/* Damage that nobody reads is found by the copy, which takes no whole one's place. */
static void
test_damaged (Fixture *fixture, gconstpointer data)
{
  g_autofree char *root = NULL;
  g_autofree char *path = g_build_filename (fixture->directory, "beckon.db", NULL);
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  g_autoptr (BeckonStore) store = NULL;
  FILE *file;

  spend_day (fixture, "One");
  before = dup_copy (fixture, 0);
  root = beckon_store_fixture_sql (fixture->directory, "SELECT rootpage FROM sqlite_schema WHERE name = 'note'");
  file = g_fopen (path, "r+b");
  g_assert_no_errno (fseek (file, (g_ascii_strtoll (root, NULL, 10) - 1) * PAGE, SEEK_SET));
  for (guint i = 0; i < PAGE; i++)
    fputc (0xa5, file);
  g_assert_no_errno (fclose (file));

  beckon_clock_advance (fixture->clock, DAY_MS);
  store = open_store (fixture);
  beckon_await (beckon_health_get_fault (beckon_store_get_health (store)) == BECKON_FAULT_DAMAGED);
  beckon_store_fixture_close (store);
  g_assert_cmpuint (count_copies (fixture), ==, 1);
  after = dup_copy (fixture, 0);
  g_assert_cmpstr (before, ==, after);
}

/* --- Deleting ----------------------------------------------------------------------------------------------------- */

static gboolean
has_word (Fixture *fixture, const char *name, const char *word)
{
  g_autofree char *path = g_build_filename (fixture->directory, name, NULL);
  g_autofree char *contents = NULL;
  gsize length;

  return g_file_get_contents (path, &contents, &length, NULL) && memmem (contents, length, word, strlen (word)) != NULL;
}

/* A conversation is deleted from the copies as well: there is one then, without it. */
static void
test_deleted (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTurn) turn = beckon_turn_new ("Where does Xylophagus live?");
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;
  BeckonBatch *batch;

  beckon_file_check_set_delay (G_TIME_SPAN_DAY);
  {
    g_autoptr (BeckonStore) store = open_store (fixture);

    beckon_store_fixture_commit (store, beckon_turn_to_batch (turn));
    beckon_store_fixture_close (store);
  }
  spend_day (fixture, "Another?");
  beckon_clock_advance (fixture->clock, DAY_MS);
  spend_day (fixture, NULL);
  first = dup_copy (fixture, 0);
  g_assert_true (has_word (fixture, first, "Xylophagus"));
  g_assert_cmpuint (count_copies (fixture), ==, 2);

  {
    g_autoptr (BeckonStore) store = open_store (fixture);

    batch = beckon_batch_new (BECKON_DURABILITY_FULL);
    beckon_batch_hide_conversation (batch, beckon_conversation_get_id (turn->conversation), 1);
    beckon_store_fixture_commit (store, batch);
    batch = beckon_batch_new (BECKON_DURABILITY_FULL);
    beckon_batch_doom_conversation (batch, beckon_conversation_get_id (turn->conversation));
    beckon_store_fixture_commit (store, batch);
    beckon_store_fixture_close (store);
  }
  for (g_autofree char *left = find_file (fixture, "beckon-copy-"); left != NULL; left = NULL)
    g_assert_false (has_word (fixture, left, "Xylophagus"));
  spend_day (fixture, NULL);
  second = dup_copy (fixture, 0);
  g_assert_cmpuint (count_copies (fixture), ==, 1);
  g_assert_false (has_word (fixture, second, "Xylophagus"));
}

static void
copies_on_all_deleted (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (beckon_store_delete_all_finish (BECKON_STORE (source), result, &error));
  *(gboolean *) user_data = TRUE;
}

static void
test_delete_all (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonStore) store = NULL;
  g_autofree char *name = NULL;
  g_autofree char *left = NULL;
  gboolean done = FALSE;

  spend_day (fixture, "One");
  name = dup_copy (fixture, 0);
  store = open_store (fixture);
  request (fixture, name);
  beckon_store_delete_all_async (store, copies_on_all_deleted, &done);
  beckon_await (done);
  left = find_file (fixture, "beckon");
  g_assert_null (left);
  g_assert_false (beckon_salvage_is_due (fixture->directory));
}

/* --- Opening one -------------------------------------------------------------------------------------------------- */

static void
test_opened (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonStore) store = NULL;
  g_autofree char *copy = NULL;
  g_autofree char *kept = NULL;
  g_autofree char *damaged = NULL;
  const char *notice;

  spend_day (fixture, "One");
  copy = dup_copy (fixture, 0);
  beckon_clock_advance (fixture->clock, DAY_MS);
  beckon_file_check_set_delay (G_TIME_SPAN_DAY);
  store = open_store (fixture);
  {
    g_autoptr (BeckonTurn) turn = beckon_turn_new ("Later?");

    beckon_store_fixture_commit (store, beckon_turn_to_batch (turn));
  }
  beckon_store_fixture_close (store);
  g_clear_object (&store);
  damage (fixture, "beckon.db");
  request (fixture, copy);

  store = open_store (fixture);
  notice = beckon_health_get_notice (beckon_store_get_health (store));
  kept = find_file (fixture, "beckon-replaced-");
  g_assert_nonnull (kept);
  g_assert_nonnull (strstr (notice, copy));
  g_assert_nonnull (strstr (notice, kept));
  g_assert_cmpuint (count_conversations (store), ==, 1);
  g_assert_false (beckon_salvage_is_due (fixture->directory));
  beckon_store_fixture_close (store);
  damaged = find_file (fixture, "beckon-damaged-");
  g_assert_null (damaged);
  assert_whole (fixture);
}

/* A repair may have left nothing. No copy of that takes a good one's place before its person has read of it. */
static void
test_after_repair (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->directory, "beckon.db", NULL);
  g_autofree char *problem = NULL;
  g_autoptr (BeckonStore) store = NULL;

  spend_day (fixture, "One");
  beckon_clock_advance (fixture->clock, DAY_MS);
  g_assert_true (g_file_set_contents (path, "This is no database at all, whatever its name says.", -1, NULL));
  store = open_store (fixture);
  g_assert_true (beckon_health_get_is_repaired (beckon_store_get_health (store)));
  g_assert_cmpuint (count_conversations (store), ==, 0);
  beckon_await ((problem = beckon_store_dup_copy_problem ()) != NULL);
  g_assert_cmpuint (count_copies (fixture), ==, 1);
  g_assert_true (is_due (fixture));

  beckon_store_dismiss_notice (store);
  beckon_store_fixture_close (store);
  g_clear_object (&store);
  spend_day (fixture, NULL);
  g_assert_cmpuint (count_copies (fixture), ==, 2);
}

/* Everything that was under way when the copy was made has been decided, sent or run since. */
static void
test_nothing_goes_on (Fixture *fixture, gconstpointer data)
{
  static const char fill[] =
    "INSERT INTO channel (id, kind, name, config, mode, is_on, approves, quiet_from, quiet_to, created_at, cursor)"
    "  VALUES ('c', 'telegram', 'Phone', '{}', 'changes', 1, 1, 0, 0, 1, '17');"
    "INSERT INTO channel_inbound (channel, message, address, body, target, at) VALUES ('c', 'm', 'me', 'go on', '', 1);"
    "INSERT INTO channel_message (id, channel, address, item, title, text, state, is_asked_for, is_closed, tries, next_at, made_at)"
    "  VALUES ('p', 'c', 'me', 0, '', 'hello', 'queued', 0, 0, 0, 0, 1);"
    "INSERT INTO queued_message (id, conversation, sends_now, text) SELECT 'q1', id, 1, 'first' FROM conversation;"
    "INSERT INTO queued_message (id, conversation, sends_now, text) SELECT 'q2', id, 0, 'second' FROM conversation;"
    "INSERT INTO queued_file (message, place, origin, text) VALUES ('q1', 0, 'a.txt', x'61');"
    "UPDATE conversation SET draft = 'begun', wants_title = 1;"
    "INSERT INTO permit (id, call, digest, given_at) SELECT 'given', id, 'd', 1 FROM call;"
    "INSERT INTO landing (name, call, folder, place, state, base, is_failure, exit_status, output_length, made_at, changes)"
    "  SELECT id, id, '/tmp', 'place', 'decided', 0, 0, 0, 0, 1, '[]' FROM call;"
    "INSERT INTO undoing (call, is_redo, front_end, lease) SELECT id, 0, 'window', 'gone' FROM call;"
    "INSERT INTO message (id, conversation, seq, role, status, created_at, input, output, cached)"
    "  SELECT 'half', id, 9, 'assistant', 'streaming', 1, 0, 0, 0 FROM conversation;";
  static const struct
  {
    const char *sql;
    const char *expected;
  } cases[] = {
    { "SELECT count (*) FROM run WHERE open", "0" },
    { "SELECT phase FROM run", "stopped" },
    { "SELECT count (*) FROM request WHERE state = 'pending'", "0" },
    { "SELECT state FROM settlement", "cancelled" },
    { "SELECT count (*) FROM call WHERE state NOT IN ('done', 'cancelled')", "0" },
    { "SELECT count (*) FROM part WHERE kind = 'result'", "1" },
    { "SELECT count (*) FROM permit", "0" },
    { "SELECT status FROM message WHERE id = 'half'", "stopped" },
    { "SELECT count (*) FROM undoing", "0" },
    { "SELECT state || is_gone FROM landing", "landed1" },
    { "SELECT is_on || ifnull (cursor, '-') FROM channel", "0-" },
    { "SELECT count (*) FROM channel_inbound WHERE body IS NOT NULL", "0" },
    { "SELECT count (*) FROM channel_message", "0" },
    { "SELECT count (*) FROM queued_message", "0" },
    { "SELECT draft FROM conversation", "begun\n\nfirst\n\nsecond" },
    { "SELECT origin || place FROM draft_file", "a.txt0" },
    { "SELECT wants_title FROM conversation", "0" },
  };
  g_autofree char *copy = NULL;
  g_autofree char *filled = NULL;

  beckon_file_check_set_delay (G_TIME_SPAN_DAY);
  {
    g_autoptr (BeckonStore) store = open_store (fixture);
    g_autoptr (BeckonTurn) turn = beckon_turn_new ("Blue?");

    beckon_store_fixture_commit (store, beckon_turn_to_batch (turn));
    beckon_store_fixture_close (store);
  }
  for (char **at = g_strsplit (fill, ";", -1), **statements = at; ; at++)
    {
      if (*at == NULL || **at == '\0')
        {
          g_strfreev (statements);
          break;
        }
      g_free (beckon_store_fixture_sql (fixture->directory, *at));
    }
  spend_day (fixture, NULL);
  copy = dup_copy (fixture, 0);
  request (fixture, copy);
  beckon_file_check_set_delay (G_TIME_SPAN_DAY);
  {
    g_autoptr (BeckonStore) store = open_store (fixture);

    beckon_store_fixture_close (store);
  }
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *found = beckon_store_fixture_sql (fixture->directory, cases[i].sql);

      if (g_strcmp0 (found, cases[i].expected) != 0)
        g_error ("%s: %s", cases[i].sql, found);
    }
  assert_whole (fixture);
}

/* Another process uses the history: all stays as it is, and the next start is an ordinary one. */
static void
test_in_use (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonStore) second = beckon_store_new (fixture->directory, fixture->clock);
  g_autoptr (BeckonStore) store = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *copy = NULL;
  g_autofree char *kept = NULL;

  spend_day (fixture, "One");
  copy = dup_copy (fixture, 0);
  store = open_store (fixture);
  request (fixture, copy);
  g_assert_false (beckon_store_fixture_try_open (second, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE);
  kept = find_file (fixture, "beckon-replaced-");
  g_assert_null (kept);
  g_assert_false (beckon_salvage_is_due (fixture->directory));
}

static void
test_unreadable (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonStore) refused = beckon_store_new (fixture->directory, fixture->clock);
  g_autoptr (BeckonStore) store = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *copy = NULL;

  spend_day (fixture, "One");
  copy = dup_copy (fixture, 0);
  damage (fixture, copy);
  request (fixture, copy);
  g_assert_false (beckon_store_fixture_try_open (refused, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_STORE);

  store = open_store (fixture);
  g_assert_cmpuint (count_conversations (store), ==, 1);
}

/* Killed between any two steps, it begins again, and does not take its own beginnings for the history that is to be kept. */
static void
test_interrupted (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->directory, "beckon.db", NULL);
  g_autofree char *half = g_build_filename (fixture->directory, "beckon.db.new", NULL);
  g_autofree char *kept_path = g_build_filename (fixture->directory, "beckon-replaced-20261130-120000.db", NULL);
  g_autofree char *copy = NULL;
  g_autofree char *begun = NULL;
  g_autofree char *kept = NULL;
  g_autoptr (BeckonStore) store = NULL;

  spend_day (fixture, "One");
  copy = dup_copy (fixture, 0);
  spend_day (fixture, "Two");
  begun = g_strconcat (copy, "\nbeckon-replaced-20261130-120000.db", NULL);

  for (guint step = 0; step < 3; step++)
    {
      beckon_file_check_set_delay (G_TIME_SPAN_DAY);
      if (step == 0)
        g_assert_no_errno (g_rename (path, kept_path));
      g_assert_true (g_file_set_contents (half, "half", -1, NULL));
      request (fixture, begun);
      store = open_store (fixture);
      g_assert_cmpuint (count_conversations (store), ==, 1);
      beckon_store_fixture_close (store);
      g_clear_object (&store);
      g_assert_false (beckon_salvage_is_due (fixture->directory));
    }
  kept = find_file (fixture, "beckon-replaced-");
  g_assert_cmpstr (kept, ==, "beckon-replaced-20261130-120000.db");
  assert_whole (fixture);
}

int
main (int argc, char *argv[])
{
  if (argc > 3 && g_str_equal (argv[1], "--child"))
    return run_copier (argv[3]);

  g_test_init (&argc, &argv, NULL);

#define ADD(name, function) g_test_add ("/store/copies/" name, Fixture, NULL, set_up, function, tear_down)
  ADD ("daily", test_daily);
  ADD ("wrong-clock", test_wrong_clock);
  ADD ("while-it-runs", test_while_it_runs);
  ADD ("no-place", test_no_place);
  ADD ("one-at-a-time", test_one_at_a_time);
  ADD ("killed", test_killed);
  ADD ("damaged", test_damaged);
  ADD ("deleted", test_deleted);
  ADD ("delete-all", test_delete_all);
  ADD ("opened", test_opened);
  ADD ("after-repair", test_after_repair);
  ADD ("nothing-goes-on", test_nothing_goes_on);
  ADD ("in-use", test_in_use);
  ADD ("unreadable", test_unreadable);
  ADD ("interrupted", test_interrupted);
#undef ADD

  return g_test_run ();
}
