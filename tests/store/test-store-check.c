/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A page that is damaged and that nobody reads: after an end that was not a good one it is found all the same, and repaired by
 * the next start.
 */

#define _GNU_SOURCE /* memmem */

#include "beckon-store-fixture.h"

#include "base/beckon-error.h"
#include "store/repair/beckon-file-check.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

#define PAGE 4096
#define N_MESSAGES 100
#define WORD "a message that nobody asks for, number 70 "

typedef struct
{
  char *directory;
} Fixture;

static char *
make_text (guint index)
{
  g_autofree char *filler = g_strnfill (300, 'x');

  return g_strdup_printf ("a message that nobody asks for, number %u %s", index, filler);
}

static void
fill (const char *directory)
{
  BeckonStore *store = beckon_store_fixture_open (directory);
  g_autoptr (BeckonTurn) turn = beckon_turn_new ("Blue?");
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);

  beckon_batch_put_conversation (batch, turn->conversation);
  for (guint i = 0; i < N_MESSAGES; i++)
    {
      g_autofree char *text = make_text (i);
      g_autoptr (BeckonMessage) message = beckon_message_new_text (BECKON_ROLE_USER, i, text);

      beckon_batch_add_message (batch, beckon_conversation_get_id (turn->conversation), message);
    }
  beckon_store_fixture_commit (store, batch);
  beckon_store_fixture_close (store);
  g_object_unref (store);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->directory = beckon_store_fixture_make_folder ();
  beckon_file_check_set_delay (0);
  fill (fixture->directory);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  beckon_store_fixture_clear (fixture->directory);
}

/* A process that has it open is killed. */
static void
end_badly (Fixture *fixture)
{
  GSubprocess *child = beckon_store_fixture_spawn ("opener", fixture->directory, NULL);
  g_autofree char *line = beckon_store_fixture_read_line (child);

  g_assert_cmpstr (line, ==, "open");
  beckon_store_fixture_kill (child);
  g_object_unref (child);
}

static int
run_opener (const char *directory)
{
  BeckonStore *store;

  beckon_file_check_set_delay (G_TIME_SPAN_DAY);
  store = beckon_store_fixture_open (directory);
  beckon_store_fixture_say ("open");
  beckon_store_fixture_wait_for_parent ();
  g_object_unref (store);

  return 0;
}

/* The page that holds a text in the middle of the history. */
static void
damage (Fixture *fixture)
{
  g_autofree char *path = g_build_filename (fixture->directory, "beckon.db", NULL);
  g_autofree char *contents = NULL;
  const char *found;
  gsize length, page;

  g_assert_true (g_file_get_contents (path, &contents, &length, NULL));
  found = memmem (contents, length, WORD, strlen (WORD));
  g_assert_nonnull (found);
  page = (gsize) (found - contents) / PAGE * PAGE;
  g_assert_cmpuint (page, >, 0);
  memset (contents + page, 0xa5, PAGE);
  g_assert_true (g_file_set_contents_full (path, contents, (gssize) length, G_FILE_SET_CONTENTS_NONE, 0600, NULL));
}

static void
assert_whole (Fixture *fixture)
{
  g_autofree char *integrity = beckon_store_fixture_sql (fixture->directory, "PRAGMA integrity_check");

  g_assert_cmpstr (integrity, ==, "ok");
}

static void
assert_refuses (BeckonStore *store, BeckonTurn *turn)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (beckon_store_fixture_try_commit (store, beckon_turn_to_batch (turn), &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_STORE);
}

static void
assert_refuses_answer (BeckonStore *store, BeckonTurn *turn)
{
  g_autoptr (BeckonSettlement) answer = beckon_turn_answer (turn, "Yes", "somebody");
  g_autoptr (GError) error = NULL;

  g_assert_false (beckon_store_fixture_settle (store, answer, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_STORE);
}

static void
test_found (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTurn) turn = beckon_turn_new ("More?");
  BeckonHealth *health;
  BeckonStore *store;

  end_badly (fixture);
  damage (fixture);
  store = beckon_store_fixture_open (fixture->directory);
  health = beckon_store_get_health (store);
  beckon_await (beckon_health_get_fault (health) == BECKON_FAULT_DAMAGED);
  g_assert_nonnull (beckon_health_get_problem (health));
  assert_refuses (store, turn);
  g_object_unref (store);

  store = beckon_store_fixture_open (fixture->directory);
  g_assert_nonnull (beckon_health_get_notice (beckon_store_get_health (store)));
  g_assert_null (beckon_health_get_problem (beckon_store_get_health (store)));
  beckon_store_fixture_commit (store, beckon_turn_to_batch (turn));
  g_object_unref (store);
  assert_whole (fixture);
}

/* Temporary work is in memory and could go on, but the notice says that nothing does. What has happened already is stored. */
static void
test_temporary (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTurn) begun = beckon_turn_new ("Begun?");
  g_autoptr (BeckonTurn) next = beckon_turn_new ("Next?");
  BeckonBatch *end = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  g_autoptr (GPtrArray) messages = NULL;
  BeckonHealth *health;
  BeckonStore *store;

  end_badly (fixture);
  damage (fixture);
  beckon_file_check_set_delay (G_TIME_SPAN_SECOND);
  store = beckon_store_fixture_open (fixture->directory);
  health = beckon_store_get_health (store);
  beckon_conversation_set_temporary (begun->conversation, TRUE);
  beckon_conversation_set_temporary (next->conversation, TRUE);
  beckon_store_fixture_commit (store, beckon_turn_to_batch (begun));
  beckon_await (beckon_health_get_fault (health) == BECKON_FAULT_DAMAGED);
  assert_refuses (store, next);
  assert_refuses_answer (store, begun);

  begun->run->phase = BECKON_RUN_STOPPED;
  beckon_batch_keep (end);
  beckon_batch_set_run (end, begun->run);
  beckon_store_fixture_commit (store, end);
  messages = beckon_store_fixture_load (store, beckon_conversation_get_id (begun->conversation));
  g_assert_cmpuint (messages->len, ==, 2);
  g_object_unref (store);
}

/* The check would be a waste then, and this shows that nothing but the check finds the damage above. */
static void
test_not_after_a_good_end (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) conversations = NULL;
  BeckonStore *store;

  damage (fixture);
  store = beckon_store_fixture_open (fixture->directory);
  conversations = beckon_store_fixture_list (store);
  g_assert_cmpuint (conversations->len, ==, 1);
  g_assert_false (beckon_file_check_is_due (fixture->directory));
  g_assert_null (beckon_health_get_problem (beckon_store_get_health (store)));
  g_object_unref (store);
}

static void
test_whole (Fixture *fixture, gconstpointer data)
{
  BeckonStore *store;

  end_badly (fixture);
  store = beckon_store_fixture_open (fixture->directory);
  beckon_await (!beckon_file_check_is_due (fixture->directory));
  g_assert_null (beckon_health_get_problem (beckon_store_get_health (store)));
  g_object_unref (store);
  assert_whole (fixture);
}

/* A check that did not come to its end is made by the next, and keeps nobody waiting. */
static void
test_closed_before (Fixture *fixture, gconstpointer data)
{
  BeckonStore *store;
  gint64 began;

  end_badly (fixture);
  beckon_file_check_set_delay (G_TIME_SPAN_DAY);
  store = beckon_store_fixture_open (fixture->directory);
  began = g_get_monotonic_time ();
  beckon_store_fixture_close (store);
  g_assert_cmpint (g_get_monotonic_time () - began, <, 30 * G_TIME_SPAN_SECOND);
  g_object_unref (store);
  g_assert_true (beckon_file_check_is_due (fixture->directory));

  beckon_file_check_set_delay (0);
  store = beckon_store_fixture_open (fixture->directory);
  beckon_await (!beckon_file_check_is_due (fixture->directory));
  g_object_unref (store);
}

/* Others write meanwhile, and end the store at any moment. */
static void
test_beside_a_writer (Fixture *fixture, gconstpointer data)
{
  for (guint i = 0; i < 5; i++)
    {
      BeckonStore *store;

      beckon_file_check_request (fixture->directory);
      store = beckon_store_fixture_open (fixture->directory);
      for (guint turns = 0; turns < 2 * i; turns++)
        {
          g_autoptr (BeckonTurn) turn = beckon_turn_new ("More?");

          beckon_store_fixture_commit (store, beckon_turn_to_batch (turn));
        }
      g_assert_null (beckon_health_get_problem (beckon_store_get_health (store)));
      g_object_unref (store);
    }
  assert_whole (fixture);
}

#define ADD(name, function) g_test_add ("/store/check/" name, Fixture, NULL, set_up, function, tear_down)

/* They wait for seconds of a clock, and are with -m slow in the suite `long`. */
static void
add_slow_cases (void)
{
  ADD ("temporary", test_temporary);
}

static void
add_cases (void)
{
  ADD ("found", test_found);
  ADD ("not-after-a-good-end", test_not_after_a_good_end);
  ADD ("whole", test_whole);
  ADD ("closed-before", test_closed_before);
  ADD ("beside-a-writer", test_beside_a_writer);
}

int
main (int argc, char *argv[])
{
  if (argc > 3 && g_str_equal (argv[1], "--child"))
    return run_opener (argv[3]);

  g_test_init (&argc, &argv, NULL);

  if (g_test_slow ())
    add_slow_cases ();
  else
    add_cases ();
  return g_test_run ();
}
