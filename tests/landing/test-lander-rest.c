/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "base/beckon-error.h"
#include "beckon-lander-fixture.h"
#include "domain/beckon-change-choice.h"
#include "landing/beckon-lander-private.h"
#include "landing/beckon-landing-place.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define SET "python3 -c 'import os, sys; os.setxattr(sys.argv[1], \"user.note\", sys.argv[2].encode())' "
#define HAS "python3 -c 'import os, sys; sys.exit(os.getxattr(sys.argv[1], \"user.note\") != sys.argv[2].encode())' "
#define HAS_NONE "python3 -c 'import os, sys; sys.exit(\"user.note\" in os.listxattr(sys.argv[1]))' "

/* Attributes and access control lists alone are a change, and times alone are none. */
static void
test_attributes (Fixture *fixture, gconstpointer data)
{
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;

  run (fixture, "for i in a b c d; do echo $i >$i; done; " SET "b old; " SET "c old");
  before = describe (fixture);
  command (fixture, SET "a new; " SET "b new; touch c; " SET "c old; "
                    "python3 -c 'import os; os.removexattr(\"c\", \"user.note\")'; touch d");
  survey (fixture);
  assert_list (fixture, "*a open\n*b open\n*c open\n");
  keep_all (fixture);
  land (fixture);
  run (fixture, HAS "a new; " HAS "b new; " HAS_NONE "c; test \"$(cat a)\" = a");
  undo (fixture);
  after = describe (fixture);
  g_assert_cmpstr (after, ==, before);
}

/* An access control list, as the kernel has it: the owner, one more user, their group, a mask and the others. */
static void
test_access (Fixture *fixture, gconstpointer data)
{
  static const char set[]
      = "python3 -c 'import os, struct; e = lambda t, p, i=0xffffffff: struct.pack(\"<HHI\", t, p, i); "
        "os.setxattr(\"a\", \"system.posix_acl_access\", struct.pack(\"<I\", 2) + e(1, 6) + e(2, 4, os.getuid()) + "
        "e(4, 4) + e(16, 4) + e(32, 4))'";
  static const char has[] = "python3 -c 'import os, sys; sys.exit(\"system.posix_acl_access\" not in os.listxattr(\"a\"))'";

  run (fixture, "echo a >a");
  command (fixture, set);
  survey (fixture);
  assert_list (fixture, "*a open\n");
  keep_all (fixture);
  land (fixture);
  run (fixture, has);
}

/* A file of which some hunks are kept has all else from the command's version. */
static void
test_part (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonChangeChoice) choice = beckon_change_choice_new ();
  gboolean is_root = getuid () == 0;

  run (fixture, is_root ? "seq 40 >a; chgrp 12 a; chmod 640 a; " SET "a note" : "seq 40 >a; chmod 640 a; " SET "a note");
  command (fixture, "sed -i -e s/^3$/three/ -e s/^38$/last/ a; " SET "a note");
  if (is_root)
    {
      g_autofree char *group = g_strdup_printf ("chgrp 12 '%s/upper/a'", fixture->place);

      g_assert_cmpint (system (group), ==, 0);
    }
  survey (fixture);
  beckon_change_choice_set_hunk_left_out (choice, 0, 0, TRUE);
  beckon_change_choice_apply (choice, fixture->landing->changes);
  land (fixture);
  run (fixture, HAS "a note; grep -q '^3$' a; grep -q last a; test \"$(stat -c %a a)\" = 640");
  if (is_root)
    run (fixture, "test \"$(stat -c %g a)\" = 12");
}

/* The clock was set back by an hour while the command ran: what a person wrote seems older than the command. */
static void
test_clock (Fixture *fixture, gconstpointer data)
{
  const gint64 hour = G_GINT64_CONSTANT (3600000000000);
  g_autofree char *file = g_build_filename (fixture->place, "clock", NULL);
  g_autofree char *text = NULL;
  g_autofree char *later = NULL;

  run (fixture, "echo a >a");
  command (fixture, "echo theirs >>a");
  run (fixture, "echo mine >>a");
  g_assert_cmpint (beckon_landing_place_get_step_back (fixture->place), ==, 0);
  g_assert_true (g_file_get_contents (file, &text, NULL, NULL));
  later = g_strdup_printf ("%" G_GINT64_FORMAT, g_ascii_strtoll (text, NULL, 10) + hour);
  g_assert_true (g_file_set_contents (file, later, -1, NULL));

  /* The two clocks drift by a little between the looks at them. */
  g_assert_cmpint (ABS (beckon_landing_place_get_step_back (fixture->place) - hour), <, hour / 3600);
  fixture->base += hour;
  survey (fixture);
  assert_list (fixture, "*a conflict open\n");
}

/* A hook came to call what was undone: it is not made again, and says why. */
static void
test_redo_runner (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  run (fixture, "git init -q .");
  command (fixture, "echo x >lint.sh; echo y >other");
  survey (fixture);
  keep_all (fixture);
  land (fixture);
  undo (fixture);
  run (fixture, "mkdir -p .git/hooks; printf '#!/bin/sh\\n./lint.sh\\n' >.git/hooks/pre-commit");
  g_assert_false (beckon_lander_redo (fixture->landing, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_CONFLICT);
  g_assert_cmpstr (error->message, ==, "“lint.sh” is left as it is: Git runs it: .git/hooks/pre-commit calls ./lint.sh");
  run (fixture, "! test -e lint.sh && ! test -e other && rm .git/hooks/pre-commit");
  redo (fixture);
  run (fixture, "test -e lint.sh && test -e other");
}

/* A process ends while it lands something from another file system. */

static guint reaches_left;

static void
end_process (void)
{
  if (reaches_left-- == 0)
    _exit (9);
}

static gboolean
land_and_end (Fixture *fixture, guint reaches)
{
  pid_t child = fork ();
  int status;

  if (child == 0)
    {
      reaches_left = reaches;
      beckon_lander_hook = end_process;
      _exit (beckon_lander_plan (fixture->landing, NULL) && beckon_lander_land (fixture->landing, NULL) ? 0 : 1);
    }
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  return WEXITSTATUS (status) == 9;
}

static char *
get_stage (Fixture *fixture)
{
  g_autofree char *id = g_path_get_basename (fixture->place);
  g_autofree char *name = g_strconcat (".beckon-", id, NULL);

  return g_build_filename (fixture->folder, name, NULL);
}

static void
prepare (Fixture *fixture)
{
  g_autoptr (GError) error = NULL;

  beckon_lander_is_always_apart = TRUE;
  beckon_landing_place_bind (fixture->place, fixture->folder, &error);
  g_assert_no_error (error);
  run (fixture, "echo a >a; touch -d 2001-01-01 .");
  command (fixture, "echo b >a");
  survey (fixture);
  keep_all (fixture);
}

static void
test_stage (Fixture *fixture, gconstpointer data)
{
  g_autofree char *stage = NULL;
  g_autofree char *ready = NULL;
  guint reaches = 1;

  prepare (fixture);
  stage = get_stage (fixture);
  ready = g_build_filename (stage, "ready", NULL);

  /* While it was copied: nothing of it is needed. */
  g_assert_true (land_and_end (fixture, 0));
  g_assert_true (g_file_test (stage, G_FILE_TEST_IS_DIR));
  beckon_landing_place_sweep (fixture->place);
  g_assert_false (g_file_test (stage, G_FILE_TEST_EXISTS));
  run (fixture, "test \"$(cat a)\" = a; test \"$(stat -c %Y .)\" = \"$(date -d 2001-01-01 +%s)\"");

  /* In the middle: what is whole finishes it. */
  while (!g_file_test (ready, G_FILE_TEST_EXISTS) && land_and_end (fixture, reaches))
    reaches++;
  g_assert_true (g_file_test (ready, G_FILE_TEST_EXISTS));
  beckon_landing_place_sweep (fixture->place);
  g_assert_true (g_file_test (ready, G_FILE_TEST_EXISTS));
  land (fixture);
  g_assert_false (g_file_test (stage, G_FILE_TEST_EXISTS));
  run (fixture, "test \"$(cat a)\" = b");
  undo (fixture);
  run (fixture, "test \"$(cat a)\" = a");
  g_assert_false (g_file_test (stage, G_FILE_TEST_EXISTS));
  beckon_lander_is_always_apart = FALSE;
}

/* Removing the place removes all of it, and nothing in a folder that stands there instead. */
static void
test_stage_removed (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *stage = NULL;
  g_autofree char *id = g_path_get_basename (fixture->place);
  guint reaches = 0;

  prepare (fixture);
  stage = get_stage (fixture);
  while (!g_file_test (stage, G_FILE_TEST_EXISTS) && land_and_end (fixture, reaches))
    reaches++;
  run (fixture, "mv ../folder ../moved; mkdir ../folder; cp -r ../moved/.beckon-* ../folder");
  beckon_landing_place_sweep (fixture->place);
  g_assert_true (g_file_test (stage, G_FILE_TEST_EXISTS));
  run (fixture, "rm -r ../folder; mv ../moved ../folder");
  beckon_landing_place_remove (fixture->place, &error);
  g_assert_no_error (error);
  g_assert_false (g_file_test (stage, G_FILE_TEST_EXISTS));
  beckon_lander_is_always_apart = FALSE;
}

static void
add_cases (void)
{
  CASE ("/lander-rest/attributes", test_attributes);
  CASE ("/lander-rest/access", test_access);
  CASE ("/lander-rest/part", test_part);
  CASE ("/lander-rest/clock", test_clock);
  CASE ("/lander-rest/redo-runner", test_redo_runner);
  CASE ("/lander-rest/stage", test_stage);
  CASE ("/lander-rest/stage-removed", test_stage_removed);
}

int
main (int argc, char **argv)
{
  return run_cases (&argc, &argv, add_cases);
}
