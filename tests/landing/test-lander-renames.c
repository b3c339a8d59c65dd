/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-lander-fixture.h"
#include "beckon-view.h"
#include "domain/beckon-change-choice.h"
#include "landing/beckon-lander.h"

#include <stdlib.h>
#include <string.h>

/* Given, what a command does, and what one is shown of it. It lands, goes back, and lands again, each as it was. */
typedef struct
{
  const char *given;
  const char *command;
  const char *list;
} Case;

static const Case cases[] = {
  { "head -c 3000 /dev/urandom >video.mp4", "mkdir other && mv video.mp4 other/", ">other/video.mp4 < video.mp4 open\n" },
  { "echo one >a; mkdir there", "mv a there/b", ">there/b < a open\n" },
  { "echo one >readme", "mv readme README", ">README < readme open\n" },
  { ": >empty; : >other", "mkdir d; mv empty d/empty; rm other; : >new", ">d/empty < empty open\n+new open\n-other open\n" },
  { "ln -s a l", "mkdir d; mv l d/", ">d/l < l open\n" },
  { "seq 20 >a; echo x >b", "sed 's/^7$/seven/' a >c; rm a", ">c < a open\n" },
  { "head -c 5000 /dev/zero >a.bin", "mkdir d; cp a.bin d/; printf '\\0\\1' >>d/a.bin; rm a.bin", ">d/a.bin < a.bin open\n" },
  { "echo one >a; echo two >b", "mv a b", ">b < a open\n" },
  { "echo one >a; echo two >b", "mv a t; mv b a; mv t b", ">a < b {>b < a} open\n" },
  { "echo one >a; echo two >b; echo three >c", "mv c d; mv b c; mv a b", ">b < a {>c < b >d < c} open\n" },
  { "echo one >a", "cp a a.old; echo two >a", "*a open\n+a.old open\n" },
  { "mkdir -p from/deep; echo one >from/a; echo two >from/deep/b; ln -s a from/l",
    "mkdir to; mv from to/", ">to/from/3 < from open\n" },
  { "mkdir from; echo one >from/a; seq 20 >from/b", "mv from to; echo more >>to/b",
    ">to/2 < from {>to/b < from/b} open\n" },
  { "mkdir from; echo one >from/a; echo two >from/b; echo three >from/c; mkdir x y",
    "mv from/a x/; mv from/b y/; rm from/c; rmdir from", ">x/a < from/a {-from >y/b < from/b} open\n" },
  { "mkdir from; echo one >from/a; echo two >from/b", "mkdir to; mv from/a to/", ">to/a < from/a open\n" },
  { "mkdir from; for i in $(seq 1200); do echo $i >from/$i; done", "mv from to", ">to/1200 < from open\n" },
  { "mkdir a b; for i in $(seq 1200); do echo $i >a/$i; done", "mv a/* b/", "*b/1200 {*a} open\n" },
  { "mkdir o; echo one >o/a; echo one >o/b; echo one >c", "mkdir p; mv o/a o/b p/; mv c p/d",
    ">p/a < o/a open\n>p/b < o/b open\n>p/d < c open\n" },
  { "mkdir o; echo one >o/a; echo one >o/b; echo one >c", "mkdir p; mv c p/0; mv o/b o/a p/",
    ">p/0 < c open\n>p/a < o/a open\n>p/b < o/b open\n" },
  { "echo one | tee i1.jpg i2.jpg i3.jpg i4.jpg", "mv i3.jpg 'a i3.jpg'; mv i1.jpg 'b i1.jpg'; mv i4.jpg 'c i4.jpg'; mv i2.jpg 'd i2.jpg'",
    ">a i3.jpg < i3.jpg open\n>b i1.jpg < i1.jpg open\n>c i4.jpg < i4.jpg open\n>d i2.jpg < i2.jpg open\n" },
  { "echo one >a; echo two >b", "mv a t; mkdir a; mv t a/a; mv b a/", ">a/a < a {*a} open\n>a/b < b open\n" },
};

static char *
read_all (Fixture *fixture)
{
  return beckon_view_describe (fixture->folder, FALSE);
}

static void
check_landing (Fixture *fixture)
{
  g_autofree char *before = read_all (fixture);
  g_autofree char *after = NULL;
  g_autofree char *undone = NULL;
  g_autofree char *redone = NULL;

  keep_all (fixture);
  land (fixture);
  after = read_all (fixture);
  g_assert_cmpstr (after, !=, before);
  undo (fixture);
  undone = read_all (fixture);
  g_assert_cmpstr (undone, ==, before);
  redo (fixture);
  redone = read_all (fixture);
  g_assert_cmpstr (redone, ==, after);
  undo (fixture);
  g_clear_pointer (&undone, g_free);
  undone = read_all (fixture);
  g_assert_cmpstr (undone, ==, before);
}

static void
test_case (Fixture *fixture, gconstpointer data)
{
  const Case *one = data;

  run (fixture, one->given);
  command (fixture, one->command);
  survey (fixture);
  assert_list (fixture, one->list);
  check_landing (fixture);
}

/* Left out, everything is where it was. */
static void
test_left_out (Fixture *fixture, gconstpointer data)
{
  const Case *one = data;
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  g_autoptr (BeckonChangeChoice) choice = beckon_change_choice_new ();

  run (fixture, one->given);
  before = read_all (fixture);
  command (fixture, one->command);
  survey (fixture);
  for (guint i = 0; i < beckon_change_set_get_n_changes (fixture->landing->changes); i++)
    beckon_change_choice_set_left_out (choice, i, TRUE);
  beckon_change_choice_apply (choice, fixture->landing->changes);
  land (fixture);
  after = read_all (fixture);
  g_assert_cmpstr (after, ==, before);
}

/* A file that was moved lands where it can be put, or stays. */
static void
test_taken_meanwhile (Fixture *fixture, gconstpointer data)
{
  static const char *const meanwhile[] = {
    "mkdir other; echo mine >other/video.mp4", "echo mine >other", "echo mine >>video.mp4",
  };
  run (fixture, "seq 3000 >video.mp4; echo x >x");
  command (fixture, "mkdir other && mv video.mp4 other/; echo y >>x");
  survey (fixture);
  run (fixture, meanwhile[GPOINTER_TO_UINT (data)]);
  keep_all (fixture);
  land (fixture);
  assert_list (fixture, ">other/video.mp4 < video.mp4 conflict\n*x kept\n");
  undo (fixture);
  run (fixture, "seq 3000 | cmp -n 13893 - video.mp4; test $(cat x) = x; test $(grep -lr mine . | wc -l) = 1");
}

/* A move of which one end was changed since is not taken back. */
static void
test_undone_by_half (Fixture *fixture, gconstpointer data)
{
  static const char *const since[] = { "echo mine >video.mp4", "echo mine >>other/video.mp4" };
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;

  run (fixture, "seq 3000 >video.mp4");
  command (fixture, "mkdir other && mv video.mp4 other/");
  survey (fixture);
  keep_all (fixture);
  land (fixture);
  run (fixture, since[GPOINTER_TO_UINT (data)]);
  before = read_all (fixture);
  undo (fixture);
  after = read_all (fixture);
  g_assert_cmpstr (after, ==, before);
  g_assert_nonnull (beckon_change_set_get (fixture->landing->changes, 0)->remark);
}

static void
test_killed (Fixture *fixture, gconstpointer data)
{
  const guint n_steps = GPOINTER_TO_UINT (data);

  run (fixture, "seq 3000 >video.mp4; echo one >a; echo two >b; mkdir d; echo in >d/in");
  command (fixture, "mkdir other && mv video.mp4 other/; mv a t; mv b a; mv t b; mv d e");
  survey (fixture);
  keep_all (fixture);
  be_killed (fixture, beckon_lander_land, n_steps);
  run (fixture, "test $(find . -name video.mp4 | wc -l) -le 2");
  land (fixture);
  run (fixture, "seq 3000 | cmp - other/video.mp4; test ! -e video.mp4; test $(cat a) = two; test $(cat b) = one; "
                "test $(cat e/in) = in; test ! -e d");
  be_killed (fixture, beckon_lander_undo, n_steps);
  undo (fixture);
  run (fixture, "seq 3000 | cmp - video.mp4; test ! -e other; test $(cat a) = one; test $(cat b) = two; "
                "test $(cat d/in) = in; test ! -e e");
}

/* Two files with text, in the place of one, or of a link: each is a row, and lands with the folder alone. */
static void
test_folder_for_file (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonChangeChoice) choice = beckon_change_choice_new ();
  BeckonChangeSet *changes;
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  g_autofree char *undone = NULL;

  run (fixture, data);
  before = read_all (fixture);
  command (fixture, "rm a; mkdir a; printf '#!/bin/sh\\necho run\\n' >a/build.sh; echo hi >a/notes; chmod +x a/build.sh");
  survey (fixture);
  assert_list (fixture, "*a/0 open\n+a/build.sh open\n+a/notes open\n");
  changes = fixture->landing->changes;
  g_assert_cmpstr (beckon_change_set_get (changes, 1)->diff, ==, "@@ -0,0 +1,2 @@\n+#!/bin/sh\n+echo run\n");
  g_assert_cmpstr (beckon_change_set_get (changes, 2)->diff, ==, "@@ -0,0 +1,1 @@\n+hi\n");
  beckon_change_choice_set_left_out (choice, 1, TRUE);
  beckon_change_choice_follow (choice, changes, 1);
  beckon_change_choice_apply (choice, changes);
  land (fixture);
  assert_list (fixture, "*a/0 kept\n+a/build.sh left-out\n+a/notes kept\n");
  run (fixture, "test $(ls a) = notes; test $(cat a/notes) = hi; test $(cat b) = y");
  after = read_all (fixture);
  undo (fixture);
  undone = read_all (fixture);
  g_assert_cmpstr (undone, ==, before);
  redo (fixture);
  g_free (undone);
  undone = read_all (fixture);
  g_assert_cmpstr (undone, ==, after);
}

/* Without the folder nothing of it lands, whatever is said of what is in it. */
static void
test_folder_left_out (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonChangeChoice) choice = beckon_change_choice_new ();
  g_autoptr (BeckonChangeChoice) by_hand = beckon_change_choice_new ();
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;

  run (fixture, "echo x >a");
  before = read_all (fixture);
  command (fixture, "rm a; mkdir a; echo hi >a/notes; echo other >o");
  survey (fixture);
  beckon_change_choice_set_left_out (choice, 0, TRUE);
  beckon_change_choice_follow (choice, fixture->landing->changes, 0);
  g_assert_true (beckon_change_choice_get_left_out (choice, 1));
  g_assert_false (beckon_change_choice_get_left_out (choice, 2));
  beckon_change_choice_set_left_out (choice, 1, FALSE);
  beckon_change_choice_follow (choice, fixture->landing->changes, 1);
  g_assert_false (beckon_change_choice_get_left_out (choice, 0));
  beckon_change_choice_set_left_out (by_hand, 0, TRUE);
  beckon_change_choice_set_left_out (by_hand, 2, TRUE);
  beckon_change_choice_apply (by_hand, fixture->landing->changes);
  land (fixture);
  assert_list (fixture, "*a/0 left-out\n+a/notes left-out\n+o left-out\n");
  after = read_all (fixture);
  g_assert_cmpstr (after, ==, before);
}

/* So many files are still told one by one. */
static void
test_many_new (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonChangeChoice) choice = beckon_change_choice_new ();

  command (fixture, "mkdir n; for i in $(seq 150); do : >n/e$i; done; printf 'all:\\n\\techo run\\n' >n/Makefile");
  survey (fixture);
  g_assert_cmpuint (beckon_change_set_get_n_changes (fixture->landing->changes), ==, 151);
  g_assert_cmpstr (beckon_change_set_get (fixture->landing->changes, 0)->path, ==, "n/Makefile");
  g_assert_nonnull (strstr (beckon_change_set_get (fixture->landing->changes, 0)->diff, "+\techo run"));
  beckon_change_choice_set_left_out (choice, 0, TRUE);
  beckon_change_choice_apply (choice, fixture->landing->changes);
  land (fixture);
  run (fixture, "test $(ls n | wc -l) = 150; test ! -e n/Makefile");
}

static void
test_attributes (Fixture *fixture, gconstpointer data)
{
  run (fixture, "echo x >a; mkdir d");
  command (fixture, "python3 -c \"import os; [os.setxattr (path, 'user.k', b'v') for path in ('a', 'd')]\"");
  survey (fixture);
  assert_list (fixture, "*a open\n*d/0 failed\n");
  g_assert_cmpstr (beckon_change_set_get (fixture->landing->changes, 0)->attributes, ==, "user.k");
  g_assert_cmpstr (beckon_change_set_get (fixture->landing->changes, 1)->attributes, ==, "user.k");
}

static void
add (const char *path, gconstpointer data, void (*test) (Fixture *, gconstpointer))
{
  g_test_add (path, Fixture, data, set_up, test, tear_down);
}

static void
add_cases (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *kept = g_strdup_printf ("/renames/%u/kept", i);
      g_autofree char *left_out = g_strdup_printf ("/renames/%u/left-out", i);

      add (kept, &cases[i], test_case);
      add (left_out, &cases[i], test_left_out);
    }
  for (guint i = 0; i < 3; i++)
    {
      g_autofree char *taken = g_strdup_printf ("/renames/taken-meanwhile/%u", i);

      add (taken, GUINT_TO_POINTER (i), test_taken_meanwhile);
    }
  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *by_half = g_strdup_printf ("/renames/undone-by-half/%u", i);

      add (by_half, GUINT_TO_POINTER (i), test_undone_by_half);
    }
  for (guint i = 0; i < 9; i++)
    {
      g_autofree char *killed = g_strdup_printf ("/renames/killed/%u", i);

      add (killed, GUINT_TO_POINTER (i), test_killed);
    }
  add ("/renames/folder-for-file", "echo x >a; echo y >b", test_folder_for_file);
  add ("/renames/folder-for-link", "echo y >b; ln -s b a", test_folder_for_file);
  add ("/renames/folder-left-out", NULL, test_folder_left_out);
  add ("/renames/many-new", NULL, test_many_new);
  add ("/renames/attributes", NULL, test_attributes);
}

int
main (int argc, char **argv)
{
  return run_cases (&argc, &argv, add_cases);
}
