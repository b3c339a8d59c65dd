/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The room that is made in the log ahead of an answer: it must be there, and mean nothing to whoever reads the log. */

#include "beckon-store-fixture.h"

#include "store/sqlite/beckon-database.h"

#include <glib/gstdio.h>
#include <sys/stat.h>

#define ROOM (1024 * 1024)

typedef struct
{
  char *directory;
  char *path;
  char *log;
  BeckonStore *store; /* keeps the log from being removed with the last connection */
  BeckonDatabase *database;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  fixture->directory = beckon_store_fixture_make_folder ();
  fixture->path = g_build_filename (fixture->directory, "beckon.db", NULL);
  fixture->log = g_strconcat (fixture->path, "-wal", NULL);
  fixture->store = beckon_store_fixture_open (fixture->directory);
  fixture->database = beckon_database_open (fixture->path, &error);
  g_assert_no_error (error);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  beckon_database_close (fixture->database);
  beckon_store_fixture_close (fixture->store);
  g_object_unref (fixture->store);
  g_free (fixture->log);
  g_free (fixture->path);
  beckon_store_fixture_clear (fixture->directory);
}

static gint64
log_size (Fixture *fixture)
{
  struct stat info;

  g_assert_no_errno (stat (fixture->log, &info));
  return info.st_size;
}

static void
commit_profile (Fixture *fixture, const char *id)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (beckon_database_begin (fixture->database, BECKON_DURABILITY_FULL, &error));
  g_assert_true (beckon_database_run (fixture->database, &error,
                                      "INSERT INTO profile (id, kind, name, base_url, model, rounds)"
                                      " VALUES (?1, 'chat', 'Room', 'http://127.0.0.1/v1', 'm', 0)",
                                      "s", id));
  g_assert_true (beckon_database_commit (fixture->database, &error));
  g_assert_no_error (error);
}

static void
test_room (Fixture *fixture, gconstpointer data)
{
  gint64 before, size;

  commit_profile (fixture, "one");
  before = log_size (fixture);
  beckon_database_make_room (fixture->database);
  size = log_size (fixture);
  g_assert_cmpint (size, >=, before + ROOM);

  commit_profile (fixture, "two");
  g_assert_cmpint (log_size (fixture), ==, size);
  beckon_database_make_room (fixture->database);
  g_assert_cmpint (log_size (fixture), ==, size);
}

/* As after a power cut: the two files alone, and what is in them is found out from the log. */
static void
test_recovered (Fixture *fixture, gconstpointer data)
{
  g_autofree char *directory = beckon_store_fixture_make_folder ();
  g_autofree char *copy = g_build_filename (directory, "beckon.db", NULL);
  g_autofree char *copied_log = g_strconcat (copy, "-wal", NULL);
  g_autofree char *command = NULL, *number = NULL, *integrity = NULL;
  g_autoptr (GError) error = NULL;

  commit_profile (fixture, "one");
  beckon_database_make_room (fixture->database);
  commit_profile (fixture, "two");

  g_assert_no_errno (g_mkdir_with_parents (directory, 0700));
  command = g_strdup_printf ("cp '%s' '%s' '%s'", fixture->path, fixture->log, directory);
  g_assert_true (g_spawn_command_line_sync (command, NULL, NULL, NULL, &error));
  g_assert_no_error (error);
  g_assert_true (g_file_test (copied_log, G_FILE_TEST_EXISTS));

  number = beckon_store_fixture_sql (directory, "SELECT count (*) FROM profile WHERE id IN ('one', 'two')");
  g_assert_cmpstr (number, ==, "2");
  integrity = beckon_store_fixture_sql (directory, "PRAGMA integrity_check");
  g_assert_cmpstr (integrity, ==, "ok");
  beckon_store_fixture_clear (g_steal_pointer (&directory));
}

/* Another connection begins where it knows the end to be, not where the file ends. */
static void
test_shared (Fixture *fixture, gconstpointer data)
{
  g_autofree char *number = NULL;
  g_autofree char *integrity = NULL;
  g_autofree char *none = NULL;

  commit_profile (fixture, "one");
  beckon_database_make_room (fixture->database);
  none = beckon_store_fixture_sql (fixture->directory, "UPDATE profile SET name = 'Other' WHERE id = 'one'");
  g_assert_null (none);
  commit_profile (fixture, "two");

  number = beckon_store_fixture_sql (fixture->directory, "SELECT group_concat (name) FROM profile WHERE id IN ('one', 'two')");
  g_assert_cmpstr (number, ==, "Other,Room");
  integrity = beckon_store_fixture_sql (fixture->directory, "PRAGMA integrity_check");
  g_assert_cmpstr (integrity, ==, "ok");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add ("/store/log/room", Fixture, NULL, set_up, test_room, tear_down);
  g_test_add ("/store/log/recovered", Fixture, NULL, set_up, test_recovered, tear_down);
  g_test_add ("/store/log/shared", Fixture, NULL, set_up, test_shared, tear_down);

  return g_test_run ();
}
