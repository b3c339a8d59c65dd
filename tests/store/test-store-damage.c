/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Files that are damaged in every way: the store opens, everything that can be read is there, what was lost is counted in words,
 * and the damaged file is kept as it was.
 */

#include "beckon-store-fixture.h"

#include "base/beckon-error.h"
#include "domain/beckon-attachment.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PAGE 4096
#define N_CONVERSATIONS 12
#define N_MESSAGES 24
#define N_ALL (N_CONVERSATIONS * N_MESSAGES)

typedef struct
{
  char *whole;     /* a store that nothing happened to */
  char *directory; /* a copy of it */
} Fixture;

/* Adds the prefix of a conversation's requests, and what was told behind a message of it. */
static void
add_prefix (BeckonBatch *batch, const char *conversation_id, const char *message_id)
{
  g_autoptr (BeckonPrefix) prefix = beckon_prefix_new ("p1");
  g_autoptr (BeckonTold) told = beckon_told_new (message_id, "{}", "Today is now");

  prefix->number = 1;
  prefix->reason = g_strdup (BECKON_PREFIX_FIRST);
  prefix->system = g_strdup_printf ("System of %s", conversation_id);
  prefix->tools = g_strdup ("[]");
  prefix->facts = g_strdup ("{}");
  prefix->n_sent = 3;
  prefix->sent = 4711;
  beckon_batch_put_prefix (batch, conversation_id, prefix);
  beckon_batch_put_sent (batch, conversation_id, prefix);
  beckon_batch_put_told (batch, conversation_id, told);
}

static void
fill (const char *directory)
{
  BeckonStore *store = beckon_store_fixture_open (directory);
  g_autofree char *filler = g_strnfill (300, 'x');
  g_autoptr (GBytes) bytes = g_bytes_new_static ("%PDF-1.4", 8);
  g_autoptr (BeckonPart) pdf = beckon_attachment_new_text ("a.pdf", "17", 2);

  beckon_attachment_set_pdf (pdf, bytes, 3);

  for (guint i = 0; i < N_CONVERSATIONS; i++)
    {
      g_autofree char *title = g_strdup_printf ("Conversation %u", i);
      g_autoptr (BeckonTurn) turn = beckon_turn_new (title);
      BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);

      beckon_batch_put_conversation (batch, turn->conversation);
      for (guint seq = 0; seq < N_MESSAGES; seq++)
        {
          g_autofree char *text = g_strdup_printf ("message %u of %u %s", seq, i, filler);
          g_autoptr (BeckonMessage) message = beckon_message_new_text (BECKON_ROLE_USER, seq, text);

          beckon_message_add_part (message, pdf);
          beckon_batch_add_message (batch, beckon_conversation_get_id (turn->conversation), message);
          if (seq == 0)
            add_prefix (batch, beckon_conversation_get_id (turn->conversation), beckon_message_get_id (message));
        }
      beckon_store_fixture_commit (store, batch);
    }
  beckon_store_fixture_close (store);
  g_object_unref (store);
}

static void
copy (const char *from, const char *to, const char *name)
{
  g_autofree char *from_path = g_build_filename (from, name, NULL);
  g_autofree char *to_path = g_build_filename (to, name, NULL);
  g_autofree char *contents = NULL;
  gsize length;

  if (!g_file_get_contents (from_path, &contents, &length, NULL))
    return;
  g_assert_true (g_file_set_contents (to_path, contents, (gssize) length, NULL));
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->whole = beckon_store_fixture_make_folder ();
  fixture->directory = beckon_store_fixture_make_folder ();
  fill (fixture->whole);
  g_assert_no_errno (g_mkdir_with_parents (fixture->directory, 0700));
  copy (fixture->whole, fixture->directory, "beckon.db");
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  beckon_store_fixture_clear (fixture->whole);
  beckon_store_fixture_clear (fixture->directory);
}

static char *
build_path (Fixture *fixture, const char *name)
{
  return g_build_filename (fixture->directory, name, NULL);
}

/* The kept file: its name is in the folder, and its bytes are those that were damaged. Caller frees; %NULL if there is none. */
static char *
find_kept (Fixture *fixture)
{
  g_autoptr (GDir) dir = g_dir_open (fixture->directory, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_prefix (name, "beckon-damaged-") && g_str_has_suffix (name, ".db"))
      return build_path (fixture, name);

  return NULL;
}

static gboolean
has_pdf (BeckonMessage *message)
{
  guint n = beckon_message_get_n_parts (message);

  return n > 0 && beckon_attachment_get_pdf (beckon_message_get_part (message, n - 1), NULL) != NULL;
}

static guint
count_messages (BeckonStore *store, guint *n_texts)
{
  g_autoptr (GPtrArray) conversations = beckon_store_fixture_list (store);
  guint n_messages = 0, n_pdfs = 0;

  *n_texts = 0;
  for (guint i = 0; i < conversations->len; i++)
    {
      g_autoptr (GPtrArray) messages =
        beckon_store_fixture_load (store, beckon_conversation_get_id (g_ptr_array_index (conversations, i)));

      n_messages += messages->len;
      for (guint m = 0; m < messages->len; m++)
        {
          g_autofree char *text = beckon_message_dup_text (g_ptr_array_index (messages, m));

          *n_texts += g_str_has_prefix (text, "message ");
          n_pdfs += has_pdf (g_ptr_array_index (messages, m));
        }
    }
  g_assert_true (n_pdfs > 0 || *n_texts == 0);

  return n_messages;
}

static void
assert_whole (Fixture *fixture)
{
  g_autofree char *integrity = beckon_store_fixture_sql (fixture->directory, "PRAGMA integrity_check");
  g_autofree char *references = beckon_store_fixture_sql (fixture->directory, "PRAGMA foreign_key_check");

  g_assert_cmpstr (integrity, ==, "ok");
  g_assert_null (references);
}

/* Opens what was damaged, and gives the number of texts that are there. */
static guint
open_damaged (Fixture *fixture, gboolean *repaired)
{
  g_autofree char *path = build_path (fixture, "beckon.db");
  g_autofree char *damaged = NULL;
  g_autofree char *kept = NULL;
  g_autoptr (GPtrArray) hits = NULL;
  gsize length = 0, kept_length = 0;
  guint n_texts;
  BeckonStore *store;

  g_file_get_contents (path, &damaged, &length, NULL);
  store = beckon_store_fixture_open (fixture->directory);
  kept = find_kept (fixture);
  *repaired = kept != NULL;
  g_assert_true (*repaired == (beckon_health_get_notice (beckon_store_get_health (store)) != NULL));
  count_messages (store, &n_texts);
  if (*repaired)
    {
      g_autofree char *contents = NULL;

      hits = beckon_store_fixture_search (store, "message", 500, NULL);
      g_assert_cmpuint (hits->len, >=, MIN (n_texts, 500));
      if (damaged != NULL && length > 0)
        {
          g_assert_true (g_file_get_contents (kept, &contents, &kept_length, NULL));
          g_assert_cmpmem (contents, kept_length, damaged, length);
        }
    }
  beckon_store_fixture_close (store);
  g_object_unref (store);

  return n_texts;
}

static void
overwrite (Fixture *fixture, gint64 offset, gsize length, guint32 seed)
{
  g_autofree char *path = build_path (fixture, "beckon.db");
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  FILE *file = g_fopen (path, "r+b");

  g_assert_nonnull (file);
  g_assert_no_errno (fseek (file, offset, SEEK_SET));
  for (gsize i = 0; i < length; i++)
    fputc (g_rand_int_range (random, 0, 256), file);
  g_assert_no_errno (fclose (file));
}

static gint64
get_size (Fixture *fixture)
{
  g_autofree char *path = build_path (fixture, "beckon.db");
  struct stat info;

  g_assert_no_errno (g_stat (path, &info));

  return info.st_size;
}

static void
start_again (Fixture *fixture)
{
  beckon_store_fixture_clear (fixture->directory);
  fixture->directory = beckon_store_fixture_make_folder ();
  g_assert_no_errno (g_mkdir_with_parents (fixture->directory, 0700));
  copy (fixture->whole, fixture->directory, "beckon.db");
}

/* A page in its turn. What is on the others is not lost by it; the page with the shape of the file is another matter. */
static void
test_one_page (Fixture *fixture, gconstpointer data)
{
  gint64 n_pages = get_size (fixture) / PAGE;
  guint n_repaired = 0;

  for (gint64 page = 1; page < n_pages; page += 1 + n_pages / 40)
    {
      gboolean repaired;
      guint n_texts;

      overwrite (fixture, page * PAGE, PAGE, (guint32) page);
      /* Not every page is read by a start; whoever finds it notes it for the next one. */
      {
        g_autofree char *note = build_path (fixture, "damaged");

        g_assert_true (g_file_set_contents (note, "", 0, NULL));
      }
      n_texts = open_damaged (fixture, &repaired);
      g_assert_true (repaired);
      n_repaired++;
      g_test_message ("page %" G_GINT64_FORMAT ": %u of %u texts", page, n_texts, N_ALL);
      g_assert_cmpuint (n_texts, >=, N_ALL - 40);
      assert_whole (fixture);
      start_again (fixture);
    }
  g_assert_cmpuint (n_repaired, >, 10);
}

/* Tables other than that of messages are named where they could not be read whole. */
static void
test_said (Fixture *fixture, gconstpointer data)
{
  g_autofree char *root = beckon_store_fixture_sql (fixture->directory, "SELECT rootpage FROM sqlite_schema WHERE name = 'rule'");
  g_autofree char *note = build_path (fixture, "damaged");
  BeckonStore *store;
  const char *notice;

  overwrite (fixture, (g_ascii_strtoll (root, NULL, 10) - 1) * PAGE, PAGE, 5);
  g_assert_true (g_file_set_contents (note, "", 0, NULL));
  store = beckon_store_fixture_open (fixture->directory);
  notice = beckon_health_get_notice (beckon_store_get_health (store));
  g_assert_nonnull (notice);
  if (strstr (notice, "some of them may be missing: rules and permissions.") == NULL)
    g_error ("%s", notice);
  beckon_store_fixture_close (store);
  g_object_unref (store);
}

/* The page that leads to all others of a table. Texts are found by what refers to them, and are lost with their own table. */
static void
test_roots (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *table;
    guint n_texts;
  } cases[] = { { "sqlite_schema", 0 }, { "conversation", N_ALL - 40 }, { "message", N_ALL - 40 }, { "part", 0 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *sql = g_strdup_printf ("SELECT max (rootpage) FROM sqlite_schema WHERE name = '%s'", cases[i].table);
      g_autofree char *root = beckon_store_fixture_sql (fixture->directory, sql);
      g_autofree char *note = build_path (fixture, "damaged");
      gint64 page = root != NULL ? g_ascii_strtoll (root, NULL, 10) : 0;
      gboolean repaired;
      guint n_texts;

      overwrite (fixture, MAX (page - 1, 0) * PAGE, PAGE, i);
      g_assert_true (g_file_set_contents (note, "", 0, NULL));
      n_texts = open_damaged (fixture, &repaired);
      g_assert_true (repaired);
      g_test_message ("%s, page %" G_GINT64_FORMAT ": %u of %u texts", cases[i].table, page, n_texts, N_ALL);
      g_assert_cmpuint (n_texts, >=, cases[i].n_texts);
      assert_whole (fixture);
      start_again (fixture);
    }
}

static void
test_truncated (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = build_path (fixture, "beckon.db");
  gboolean repaired;
  guint n_texts;

  g_assert_no_errno (truncate (path, get_size (fixture) * 3 / 4 + 100));
  n_texts = open_damaged (fixture, &repaired);
  g_assert_true (repaired);
  g_test_message ("%u of %u texts", n_texts, N_ALL);
  g_assert_cmpuint (n_texts, >, 0);
  assert_whole (fixture);
}

/* Without it nothing can be read, and that is not called a loss of nothing. */
static void
test_head_overwritten (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonStore) store = NULL;
  const char *notice;

  overwrite (fixture, 0, 100, 1);
  store = beckon_store_fixture_open (fixture->directory);
  notice = beckon_health_get_notice (beckon_store_get_health (store));
  g_assert_nonnull (notice);
  if (strstr (notice, "nothing in it could be read") == NULL)
    g_error ("%s", notice);
  beckon_store_fixture_close (store);
  assert_whole (fixture);
}

/* They are salvaged with their conversations, and by themselves they are nothing. What was sent last may be lost: the next request
 * is compared with nothing then. */
static void
test_prefixes (Fixture *fixture, gconstpointer data)
{
  static const char whole[] = "SELECT count (*) FROM prefix p JOIN conversation c ON c.id = p.conversation "
                              "WHERE p.system = 'System of ' || c.id";
  g_autofree char *prefixes = NULL;
  g_autofree char *told = NULL;
  g_autofree char *lost = NULL;
  g_autofree char *note = build_path (fixture, "damaged");
  gboolean repaired;

  overwrite (fixture, get_size (fixture) / PAGE / 2 * PAGE, PAGE, 1);
  g_assert_true (g_file_set_contents (note, "", 0, NULL));
  open_damaged (fixture, &repaired);
  g_assert_true (repaired);
  prefixes = beckon_store_fixture_sql (fixture->directory, whole);
  told = beckon_store_fixture_sql (fixture->directory, "SELECT count (*) FROM told JOIN message ON id = message");
  lost = beckon_store_fixture_sql (fixture->directory,
                                   "SELECT count (*) FROM told WHERE message NOT IN (SELECT id FROM message)");
  g_assert_cmpint (atoi (prefixes), >=, N_CONVERSATIONS - 2);
  g_assert_cmpint (atoi (told), >=, N_CONVERSATIONS - 2);
  g_assert_cmpstr (lost, ==, "0");
  assert_whole (fixture);
}

static void
test_not_a_database (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = build_path (fixture, "beckon.db");
  gboolean repaired;

  g_assert_true (g_file_set_contents (path, "Dear diary, this is no database at all, whatever its name says.", -1, NULL));
  g_assert_cmpuint (open_damaged (fixture, &repaired), ==, 0);
  g_assert_true (repaired);
  assert_whole (fixture);
}

/* Found while it is open: nothing more is written to it, and the next start repairs it. */
static void
test_found_later (Fixture *fixture, gconstpointer data)
{
  BeckonStore *store = beckon_store_fixture_open (fixture->directory);
  BeckonHealth *health = beckon_store_get_health (store);
  g_autoptr (GPtrArray) conversations = beckon_store_fixture_list (store);
  gint64 size = get_size (fixture);
  gboolean repaired;

  for (gint64 page = 5; page < size / PAGE; page++)
    overwrite (fixture, page * PAGE, PAGE, (guint32) page);
  for (guint i = 0; i < 20 && beckon_health_get_fault (health) == BECKON_FAULT_NONE; i++)
    {
      g_autoptr (BeckonTurn) turn = beckon_turn_new ("More?");
      g_autoptr (GError) error = NULL;

      beckon_store_fixture_try_commit (store, beckon_turn_to_batch (turn), &error);
    }
  g_assert_cmpint (beckon_health_get_fault (health), ==, BECKON_FAULT_DAMAGED);
  g_assert_nonnull (beckon_health_get_problem (health));
  g_object_unref (store);

  open_damaged (fixture, &repaired);
  g_assert_true (repaired);
  assert_whole (fixture);
}

/* A store that another process is using is not repaired. */
static void
test_in_use (Fixture *fixture, gconstpointer data)
{
  BeckonStore *store = beckon_store_fixture_open (fixture->directory);
  g_autoptr (BeckonStore) second = beckon_store_new (fixture->directory, beckon_clock_get_system ());
  g_autofree char *note = build_path (fixture, "damaged");
  g_autofree char *kept = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (note, "", 0, NULL));
  g_assert_false (beckon_store_fixture_try_open (second, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE);
  kept = find_kept (fixture);
  g_assert_null (kept);
  g_object_unref (store);
}

/* Killed between any two steps, it begins again from what it kept. */
static void
test_interrupted (Fixture *fixture, gconstpointer data)
{
  g_autofree char *kept = build_path (fixture, "beckon-damaged-20260101-000000.db");
  g_autofree char *path = build_path (fixture, "beckon.db");
  g_autofree char *half = build_path (fixture, "beckon.db.new");
  g_autofree char *note = build_path (fixture, "damaged");
  BeckonStore *store;
  guint n_texts;

  overwrite (fixture, get_size (fixture) / PAGE / 2 * PAGE, PAGE, 7);
  g_assert_no_errno (link (path, kept));
  g_assert_true (g_file_set_contents (note, "beckon-damaged-20260101-000000.db", -1, NULL));
  g_assert_true (g_file_set_contents (half, "half", -1, NULL));
  g_assert_no_errno (g_unlink (path));

  store = beckon_store_fixture_open (fixture->directory);
  count_messages (store, &n_texts);
  g_assert_cmpuint (n_texts, >=, N_ALL - 40);
  g_object_unref (store);
  g_assert_false (g_file_test (note, G_FILE_TEST_EXISTS));
  assert_whole (fixture);
}

/* The file is gone and its log is there, with everything that was not moved into the file yet. */
static void
test_file_deleted_log_left (Fixture *fixture, gconstpointer data)
{
  g_autofree char *source = beckon_store_fixture_make_folder ();
  g_autofree char *path = build_path (fixture, "beckon.db");
  BeckonStore *store = beckon_store_fixture_open (source);
  g_autoptr (BeckonTurn) turn = beckon_turn_new ("Only in the log?");
  g_autoptr (GPtrArray) conversations = NULL;
  g_autofree char *kept_log = NULL;
  g_autofree char *kept = NULL;

  beckon_store_fixture_commit (store, beckon_turn_to_batch (turn));
  g_assert_no_errno (g_unlink (path));
  copy (source, fixture->directory, "beckon.db-wal");
  g_object_unref (store);
  beckon_store_fixture_clear (g_steal_pointer (&source));

  store = beckon_store_fixture_open (fixture->directory);
  conversations = beckon_store_fixture_list (store);
  g_assert_cmpuint (conversations->len, ==, 1);
  g_object_unref (store);
  kept = find_kept (fixture);
  g_assert_nonnull (kept);
  kept_log = g_strconcat (kept, "-wal", NULL);
  g_assert_true (g_file_test (kept_log, G_FILE_TEST_EXISTS));
  assert_whole (fixture);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  if (g_access ("/dev/shm", W_OK) == 0)
    g_setenv ("TMPDIR", "/dev/shm", TRUE);

#define ADD(name, function) g_test_add ("/store/damage/" name, Fixture, NULL, set_up, function, tear_down)
  ADD ("one-page", test_one_page);
  ADD ("said", test_said);
  ADD ("roots", test_roots);
  ADD ("truncated", test_truncated);
  ADD ("head-overwritten", test_head_overwritten);
  ADD ("prefixes", test_prefixes);
  ADD ("not-a-database", test_not_a_database);
  ADD ("found-later", test_found_later);
  ADD ("in-use", test_in_use);
  ADD ("interrupted", test_interrupted);
  ADD ("file-deleted-log-left", test_file_deleted_log_left);
#undef ADD

  return g_test_run ();
}
