/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Every write, sync and change that the store makes fails in its turn, once or from then on, for each reason there is. Whatever
 * was acknowledged is there, whatever was kept is there once and in order, whatever was refused is not there, and the file is
 * whole.
 */

#include "beckon-store-fixture.h"

#include "base/beckon-error.h"
#include "beckon-faults.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define N_MESSAGES 4

/* Each write fails once. With the sanitizers, which see the same at any of them, each third one does. */
#ifdef __SANITIZE_ADDRESS__
#define STRIDE 3
#else
#define STRIDE 1
#endif

typedef struct
{
  const char *name;
  int calls;
  int error;
  BeckonFault fault;
} Reason;

typedef struct
{
  char *directory;
  BeckonTurn *turn;
  BeckonStore *store;
} Fixture;

static const Reason reasons[] = {
  { "full", BECKON_FAULTS_WRITE, ENOSPC, BECKON_FAULT_FULL },
  { "quota", BECKON_FAULTS_WRITE, EDQUOT, BECKON_FAULT_QUOTA },
  { "device", BECKON_FAULTS_WRITE | BECKON_FAULTS_CHANGE, EIO, BECKON_FAULT_DEVICE },
  { "sync", BECKON_FAULTS_SYNC, EIO, BECKON_FAULT_DEVICE },
  { "remounted", BECKON_FAULTS_ANY_CHANGE | BECKON_FAULTS_SYNC, EROFS, BECKON_FAULT_READ_ONLY },
};

/* The file of a store in which nothing was written yet; making its tables takes longer than all that is tried on it. */
static void
copy_empty_store (const char *directory)
{
  static char *empty = NULL;
  static gsize length = 0;
  g_autofree char *path = g_build_filename (directory, "beckon.db", NULL);

  if (empty == NULL)
    {
      BeckonStore *store = beckon_store_fixture_open (directory);

      beckon_store_fixture_close (store);
      g_object_unref (store);
      g_assert_true (g_file_get_contents (path, &empty, &length, NULL));
    }

  g_assert_no_errno (g_mkdir_with_parents (directory, 0700));
  g_assert_true (g_file_set_contents_full (path, empty, (gssize) length, G_FILE_SET_CONTENTS_NONE, 0600, NULL));
}

static void
begin (Fixture *fixture)
{
  fixture->directory = beckon_store_fixture_make_folder ();
  copy_empty_store (fixture->directory);
  fixture->turn = beckon_turn_new ("Blue?");
  fixture->store = beckon_store_fixture_open (fixture->directory);
  beckon_store_fixture_commit (fixture->store, beckon_turn_to_batch (fixture->turn));
}

static void
end (Fixture *fixture)
{
  g_clear_object (&fixture->store);
  beckon_turn_free (fixture->turn);
  beckon_store_fixture_clear (fixture->directory);
}

static BeckonBatch *
make_batch (Fixture *fixture, gint64 seq, gboolean keep)
{
  g_autofree char *text = g_strdup_printf ("message %" G_GINT64_FORMAT, seq);
  g_autoptr (BeckonMessage) message = beckon_message_new_text (BECKON_ROLE_USER, seq, text);
  BeckonBatch *batch = beckon_batch_new (seq % 2 == 0 ? BECKON_DURABILITY_FULL : BECKON_DURABILITY_NORMAL);

  if (keep)
    beckon_batch_keep (batch);
  beckon_batch_add_message (batch, beckon_conversation_get_id (fixture->turn->conversation), message);
  beckon_batch_append_text (batch, beckon_message_get_id (message), 0, " whole", 6);

  return batch;
}

static void
check (Fixture *fixture, const gboolean *expected)
{
  g_autoptr (GPtrArray) messages = NULL;
  g_autofree char *integrity = NULL;
  guint at = 2;

  g_clear_object (&fixture->store);
  fixture->store = beckon_store_fixture_open (fixture->directory);
  messages = beckon_store_fixture_load (fixture->store, beckon_conversation_get_id (fixture->turn->conversation));
  for (guint i = 0; i < N_MESSAGES; i++)
    {
      g_autofree char *wanted = g_strdup_printf ("message %u whole", i + 2);
      g_autofree char *text = NULL;

      if (!expected[i])
        continue;
      g_assert_cmpuint (at, <, messages->len);
      text = beckon_message_dup_text (g_ptr_array_index (messages, at++));
      g_assert_cmpstr (text, ==, wanted);
    }
  g_assert_cmpuint (at, ==, messages->len);
  integrity = beckon_store_fixture_sql (fixture->directory, "PRAGMA integrity_check");
  g_assert_cmpstr (integrity, ==, "ok");
}

/* Every other message has happened already; the rest may be refused. Returns whether the fault was met. */
static gboolean
run_once (const Reason *reason, gint64 skip, gint64 count)
{
  gboolean expected[N_MESSAGES];
  Fixture fixture = { 0 };
  BeckonHealth *health;
  gboolean met;

  begin (&fixture);
  health = beckon_store_get_health (fixture.store);
  beckon_faults_set (reason->calls, reason->error, fixture.directory, skip, count);
  for (guint i = 0; i < N_MESSAGES - 1; i++)
    {
      g_autoptr (GError) error = NULL;
      gboolean keep = i % 2 == 1;
      int code = keep ? BECKON_ERROR_DEFERRED : BECKON_ERROR_STORE;

      expected[i] = beckon_store_fixture_try_commit (fixture.store, make_batch (&fixture, i + 2, keep), &error) || keep;
      if (error == NULL)
        continue;
      g_assert_error (error, BECKON_ERROR, code);
      g_assert_cmpint (beckon_health_get_fault (health), ==, reason->fault);
      g_assert_nonnull (beckon_health_get_problem (health));
    }
  met = beckon_faults_get ()->hits > 0;
  beckon_faults_set (0, 0, NULL, 0, 0);

  beckon_store_fixture_commit (fixture.store, make_batch (&fixture, N_MESSAGES + 1, FALSE));
  expected[N_MESSAGES - 1] = TRUE;
  g_assert_null (beckon_health_get_problem (health));
  g_assert_cmpuint (beckon_health_get_n_unsaved (health), ==, 0);
  check (&fixture, expected);
  end (&fixture);

  return met;
}

static void
test_commits (gconstpointer data)
{
  gint64 n = 0;

  while (run_once (data, n, -1))
    n += STRIDE;
  g_assert_cmpint (n, >=, 2);
  for (gint64 i = 0; i < n; i += STRIDE)
    run_once (data, i, 1);
}

/* The first start fails in words, or works; the next one works. */
static gboolean
open_once (const Reason *reason, gint64 skip)
{
  Fixture fixture = { .directory = beckon_store_fixture_make_folder (), .turn = beckon_turn_new ("Blue?") };
  g_autoptr (BeckonStore) first = beckon_store_new (fixture.directory, beckon_clock_get_system ());
  g_autofree char *integrity = NULL;
  g_autoptr (GError) error = NULL;
  gboolean met;

  beckon_faults_set (reason->calls, reason->error, fixture.directory, skip, -1);
  if (!beckon_store_fixture_try_open (first, &error))
    g_assert_true (error->domain == BECKON_ERROR && error->message != NULL);
  met = beckon_faults_get ()->hits > 0;
  beckon_faults_set (0, 0, NULL, 0, 0);
  beckon_store_fixture_close (first);

  fixture.store = beckon_store_fixture_open (fixture.directory);
  beckon_store_fixture_commit (fixture.store, beckon_turn_to_batch (fixture.turn));
  g_clear_object (&fixture.store);
  integrity = beckon_store_fixture_sql (fixture.directory, "PRAGMA integrity_check");
  g_assert_cmpstr (integrity, ==, "ok");
  end (&fixture);

  return met;
}

static void
test_first_start (gconstpointer data)
{
  gint64 n = 0;

  while (open_once (data, n))
    n += 1 + n / 4;
  g_assert_cmpint (n, >=, 2);
}

/* Deferred writes are made without another call. */
static void
test_written_by_itself (void)
{
  gboolean expected[N_MESSAGES] = { TRUE };
  g_autoptr (GError) error = NULL;
  Fixture fixture = { 0 };
  BeckonHealth *health;

  begin (&fixture);
  health = beckon_store_get_health (fixture.store);
  beckon_faults_set (BECKON_FAULTS_WRITE, ENOSPC, fixture.directory, 0, -1);
  g_assert_false (beckon_store_fixture_try_commit (fixture.store, make_batch (&fixture, 2, TRUE), &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_DEFERRED);
  g_assert_cmpuint (beckon_health_get_n_unsaved (health), ==, 1);
  beckon_faults_set (0, 0, NULL, 0, 0);
  beckon_await (beckon_health_get_n_unsaved (health) == 0 && beckon_health_get_problem (health) == NULL);
  check (&fixture, expected);
  end (&fixture);
}

static void
keep_result (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

/* Writes that failed until the end are an error of the closing. */
static void
test_closed_too_early (void)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) lost = NULL;
  Fixture fixture = { 0 };

  begin (&fixture);
  beckon_faults_set (BECKON_FAULTS_WRITE, ENOSPC, fixture.directory, 0, -1);
  g_assert_false (beckon_store_fixture_try_commit (fixture.store, make_batch (&fixture, 2, TRUE), &error));
  beckon_store_close_async (fixture.store, keep_result, &result);
  beckon_await (result != NULL);
  g_assert_false (beckon_store_close_finish (fixture.store, result, &lost));
  g_assert_error (lost, BECKON_ERROR, BECKON_ERROR_STORE);
  g_assert_nonnull (strstr (lost->message, "1 change"));
  beckon_faults_set (0, 0, NULL, 0, 0);
  end (&fixture);
}

/* The stored files are readable by their owner alone, whatever mode files are given by default. */
static void
test_readable_by_owner_alone (void)
{
  g_autofree char *above = g_dir_make_tmp ("beckon-mode-XXXXXX", NULL);
  g_autofree char *folder = g_build_filename (above, "beckon", NULL);
  g_autofree char *file = g_build_filename (folder, "beckon.db", NULL);
  g_autofree char *command = g_strdup_printf ("rm -r '%s'", above);
  mode_t mask = umask (0);
  BeckonStore *store = beckon_store_fixture_open (folder);
  GStatBuf info;

  umask (mask);
  g_assert_no_errno (g_stat (folder, &info));
  g_assert_cmpuint (info.st_mode & 0777, ==, 0700);
  g_assert_no_errno (g_stat (file, &info));
  g_assert_cmpuint (info.st_mode & 0777, ==, 0600);
  g_object_unref (store);
  g_assert_cmpint (system (command), ==, 0);
}

int
main (int argc, char *argv[])
{
  /* Hundreds of stores, each with its syncs, which are not what is tried here. */
  if (g_access ("/dev/shm", W_OK) == 0)
    g_setenv ("TMPDIR", "/dev/shm", TRUE);
  g_test_init (&argc, &argv, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (reasons); i++)
    {
      g_autofree char *commits = g_strconcat ("/store/writes/commits/", reasons[i].name, NULL);
      g_autofree char *start = g_strconcat ("/store/writes/first-start/", reasons[i].name, NULL);

      g_test_add_data_func (commits, &reasons[i], test_commits);
      g_test_add_data_func (start, &reasons[i], test_first_start);
    }
  g_test_add_func ("/store/writes/written-by-itself", test_written_by_itself);
  g_test_add_func ("/store/writes/closed-too-early", test_closed_too_early);
  g_test_add_func ("/store/writes/readable-by-owner-alone", test_readable_by_owner_alone);

  return g_test_run ();
}
