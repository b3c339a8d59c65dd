/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Faults E79: a program that is killed while it converts the history of an older version, at every call by which it changes a
 * file. What is left is the old history or the new one, and whoever comes next has the new one.
 */

#include "beckon-faults.h"
#include "beckon-store-fixture.h"

#include "store/sqlite/beckon-schema.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* More than any conversion makes. */
#define NEVER 1000000

/* Sanitizers make every child slow to start; the code that they watch is the same at each call. */
#ifdef __SANITIZE_ADDRESS__
#define STEP 7
#else
#define STEP 1
#endif

typedef struct
{
  char *directory;
  char *path;
  const char *name;
  guint version;
  char *before; /* all that is in the file: as it was */
  char *after;  /* and as it is once converted */
} Old;

/* Everything that has a name and everything in it, but for the index, whose shape is not ours. */
static void
dump_table (sqlite3 *database, const char *table, GString *dump)
{
  g_autofree char *sql = g_strdup_printf ("SELECT * FROM %s", table);
  sqlite3_stmt *statement;

  g_assert_cmpint (sqlite3_prepare_v2 (database, sql, -1, &statement, NULL), ==, SQLITE_OK);
  while (sqlite3_step (statement) == SQLITE_ROW)
    {
      g_string_append_printf (dump, "\n%s:", table);
      for (int i = 0; i < sqlite3_column_count (statement); i++)
        g_string_append_printf (dump, " %s=%s", sqlite3_column_name (statement, i),
                                (const char *) sqlite3_column_text (statement, i));
    }
  sqlite3_finalize (statement);
}

static char *
dump_file (const char *path)
{
  GString *dump = g_string_new (NULL);
  sqlite3 *database;
  sqlite3_stmt *statement;

  g_assert_cmpint (sqlite3_open_v2 (path, &database, SQLITE_OPEN_READWRITE, NULL), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_prepare_v2 (database,
                                       "SELECT name, sql, type FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE"
                                       " 'search_%' AND name NOT LIKE 'sqlite_%' ORDER BY type, name",
                                       -1, &statement, NULL),
                   ==, SQLITE_OK);
  while (sqlite3_step (statement) == SQLITE_ROW)
    {
      const char *name = (const char *) sqlite3_column_text (statement, 0);

      g_string_append_printf (dump, "\n%s", (const char *) sqlite3_column_text (statement, 1));
      if (g_str_equal (sqlite3_column_text (statement, 2), "table"))
        dump_table (database, name, dump);
    }
  sqlite3_finalize (statement);
  g_assert_cmpint (sqlite3_close (database), ==, SQLITE_OK);

  return g_string_free (dump, FALSE);
}

static void
assert_sound (const char *directory, const char *name)
{
  g_autofree char *path = g_build_filename (directory, name, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonDatabase) database = beckon_database_open (path, &error);
  gint64 problems;

  g_assert_no_error (error);
  beckon_database_get_number (database, "SELECT count (*) FROM pragma_integrity_check WHERE integrity_check <> 'ok'",
                              &problems, &error);
  g_assert_no_error (error);
  g_assert_cmpint (problems, ==, 0);
  beckon_database_get_number (database, "SELECT count (*) FROM pragma_foreign_key_check", &problems, &error);
  g_assert_no_error (error);
  g_assert_cmpint (problems, ==, 0);
}

static void
forget (Old *old)
{
  if (old->directory != NULL)
    beckon_store_fixture_clear (g_steal_pointer (&old->directory));
  g_clear_pointer (&old->path, g_free);
}

static void
restore (Old *old)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "store", "older", old->name, NULL);
  g_autofree char *sql = NULL;
  g_autoptr (GError) error = NULL;
  sqlite3 *database;

  forget (old);
  old->directory = beckon_store_fixture_make_folder ();
  old->path = g_build_filename (old->directory, "beckon.db", NULL);
  g_assert_no_errno (g_mkdir_with_parents (old->directory, 0700));
  g_file_get_contents (path, &sql, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (sqlite3_open (old->path, &database), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (database, sql, NULL, NULL, NULL), ==, SQLITE_OK);
  sqlite3_close (database);
}

/* In the child, killed at one of its calls. */
static void
convert (const char *directory, gint64 call)
{
  g_autofree char *path = g_build_filename (directory, "beckon.db", NULL);
  g_autofree char *usage = g_build_filename (directory, "in-use", NULL);
  int usage_fd = g_open (usage, O_CREAT | O_RDWR | O_CLOEXEC, 0600);
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonDatabase) database = NULL;

  beckon_faults_set (BECKON_FAULTS_ANY_CHANGE | BECKON_FAULTS_SYNC, BECKON_FAULTS_KILL, directory, call, -1);
  database = beckon_database_open (path, &error);
  g_assert_no_error (error);
  beckon_schema_prepare_released (database, directory, usage_fd, &error);
  g_assert_no_error (error);
  g_clear_pointer (&database, beckon_database_close);
  fprintf (stdout, "%d\n", (int) (call - beckon_faults_get ()->skip));
}

/* Returns how many calls it made; -1 if it was killed. */
static int
convert_and_die (Old *old, int call)
{
  g_autofree char *argument = g_strdup_printf ("%d", call);
  g_autoptr (GSubprocess) child = beckon_store_fixture_spawn ("convert", old->directory, argument);
  g_autofree char *said = beckon_store_fixture_read_line (child);
  g_autoptr (GError) error = NULL;

  g_subprocess_wait (child, NULL, &error);
  g_assert_no_error (error);
  if (g_subprocess_get_if_signaled (child))
    {
      g_assert_cmpint (g_subprocess_get_term_sig (child), ==, SIGKILL);
      return -1;
    }
  g_assert_cmpint (g_subprocess_get_exit_status (child), ==, 0);

  return atoi (said);
}

static gboolean
has_file (Old *old, const char *name)
{
  g_autofree char *path = g_build_filename (old->directory, name, NULL);

  return g_file_test (path, G_FILE_TEST_EXISTS);
}

static void
assert_old_or_new (Old *old)
{
  g_autofree char *copy = g_strdup_printf ("beckon-v%u.db", old->version);
  g_autofree char *copy_path = g_build_filename (old->directory, copy, NULL);
  g_autofree char *found = dump_file (old->path);
  gboolean is_new = g_str_equal (found, old->after);

  if (!is_new)
    g_assert_cmpstr (found, ==, old->before);
  assert_sound (old->directory, "beckon.db");

  /* Before anything is changed there is a copy; one that is not whole has another name. */
  g_assert_true (!is_new || has_file (old, copy));
  if (has_file (old, copy))
    {
      g_autofree char *kept = dump_file (copy_path);

      g_assert_cmpstr (kept, ==, old->before);
      assert_sound (old->directory, copy);
    }
}

/* The next program finds the new history, and can write to it. */
static void
assert_usable (Old *old)
{
  BeckonStore *store = beckon_store_fixture_open (old->directory);
  g_autoptr (GPtrArray) conversations = beckon_store_fixture_list (store);
  g_autoptr (BeckonTurn) turn = beckon_turn_new ("And on?");
  g_autoptr (GPtrArray) more = NULL;

  g_assert_cmpuint (conversations->len, >, 0);
  beckon_store_fixture_commit (store, beckon_turn_to_batch (turn));
  more = beckon_store_fixture_list (store);
  g_assert_cmpuint (more->len, ==, conversations->len + 1);
  g_object_unref (store);
  assert_sound (old->directory, "beckon.db");
}

static void
test_killed_while_converting (gconstpointer data)
{
  guint version = GPOINTER_TO_UINT (data);
  g_autofree char *name = g_strdup_printf ("version-%u.sql", version);
  Old old = { .name = name, .version = version };
  guint n_old = 0, n_new = 0;
  int n_calls;

  restore (&old);
  old.before = dump_file (old.path);
  n_calls = convert_and_die (&old, NEVER);
  g_assert_cmpint (n_calls, >, 20);
  old.after = dump_file (old.path);
  g_assert_cmpstr (old.after, !=, old.before);

  for (int call = 0; call < n_calls; call += STEP)
    {
      g_autofree char *found = NULL;

      restore (&old);
      g_assert_cmpint (convert_and_die (&old, call), ==, -1);
      assert_old_or_new (&old);
      found = dump_file (old.path);
      if (g_str_equal (found, old.after))
        n_new++;
      else
        n_old++;
      if (call % (8 * STEP) == 0)
        assert_usable (&old);
    }
  g_test_message ("killed at %d calls: %u times the old history was left, %u times the new one", n_calls, n_old, n_new);
  g_assert_cmpuint (n_old, >, 0);
  g_assert_cmpuint (n_new, >, 0);

  g_free (old.before);
  g_free (old.after);
  forget (&old);
}

int
main (int argc, char *argv[])
{
  if (argc == 5 && g_str_equal (argv[1], "--child"))
    {
      convert (argv[3], atoi (argv[4]));
      return 0;
    }

  g_test_init (&argc, &argv, NULL);
  for (guint version = 1; version <= 3; version++)
    {
      g_autofree char *name = g_strdup_printf ("/store/killed/while-converting-%u", version);

      g_test_add_data_func (name, GUINT_TO_POINTER (version), test_killed_while_converting);
    }

  return g_test_run ();
}
