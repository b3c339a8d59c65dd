/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "base/beckon-line-diff.h"
#include "beckon-lander-fixture.h"
#include "domain/beckon-change-choice.h"
#include "landing/beckon-lander.h"
#include "landing/beckon-landing-content.h"
#include "landing/beckon-landing-survey.h"

#include <string.h>

static const BeckonFileChange *
find (Fixture *fixture, const char *path)
{
  for (guint i = 0; i < beckon_change_set_get_n_changes (fixture->landing->changes); i++)
    {
      const BeckonFileChange *change = beckon_change_set_get (fixture->landing->changes, i);

      if (strcmp (change->path, path) == 0)
        return change;
    }
  g_assert_not_reached ();
}

static void
assert_version (Fixture *fixture, const char *path, const char *expected)
{
  g_autofree char *file = g_build_filename (fixture->place, "upper", path, NULL);
  g_autofree char *text = NULL;

  g_file_get_contents (file, &text, NULL, NULL);
  g_assert_cmpstr (text, ==, expected);
}

/* Both sides are known of what changed while the person was asked, and the command's version stays. */
static void
test_both_sides (Fixture *fixture, gconstpointer data)
{
  run (fixture, "seq 20 >a; echo b >b; echo c >c; echo d >d; printf 'e' >e; mkdir sub; echo s >sub/s; head -c 100 /dev/zero >bytes");
  command (fixture, "sed -i s/^3$/three/ a; rm b; echo theirs >new; echo t >>c; echo t >>d; printf 'f' >e; echo t >>sub/s; "
                    "echo x >>bytes");
  survey (fixture);
  keep_all (fixture);
  run (fixture, "sed -i s/^17$/mine/ a; echo mine >>b; echo mine >new; rm c; printf 'e\\nmine' >e; rm -r sub; echo y >>bytes");
  land (fixture);
  assert_list (fixture, "*a conflict\n-b conflict\n*bytes conflict\n*c conflict\n*d kept\n*e conflict\n+new conflict\n"
                        "*sub/s conflict\n");
  g_assert_nonnull (strstr (find (fixture, "a")->diff, "+three"));
  g_assert_cmpstr (find (fixture, "a")->theirs, ==, "@@ -14,7 +14,7 @@\n 14\n 15\n 16\n-17\n+mine\n 18\n 19\n 20\n");
  g_assert_cmpstr (find (fixture, "b")->theirs, ==, "@@ -1,1 +1,2 @@\n b\n+mine\n");
  g_assert_cmpstr (find (fixture, "c")->theirs, ==, "@@ -1,1 +0,0 @@\n-c\n");
  g_assert_cmpstr (find (fixture, "new")->theirs, ==, "@@ -0,0 +1,1 @@\n+mine\n");
  g_assert_null (find (fixture, "bytes")->theirs);
  g_assert_null (find (fixture, "d")->theirs);
  g_assert_nonnull (strstr (find (fixture, "e")->theirs, "+mine"));
  assert_version (fixture, "new", "theirs\n");
  assert_version (fixture, "c", "c\nt\n");
  assert_version (fixture, "sub/s", "s\nt\n");

  /* Undoing and redoing leaves both alone. */
  undo (fixture);
  run (fixture, "test \"$(cat d new)\" = \"$(printf 'd\\nmine')\"; test ! -e c; grep -q mine a");
  assert_version (fixture, "new", "theirs\n");
  redo (fixture);
  run (fixture, "grep -q t d; test \"$(cat new)\" = mine");
  assert_version (fixture, "new", "theirs\n");
}

/* The command may have seen either version of a file that changed before it ended: the difference is between the two sides. */
static void
test_while_it_ran (Fixture *fixture, gconstpointer data)
{
  run (fixture, "echo a >a");
  command (fixture, "echo theirs >a");
  run (fixture, "echo mine >a");
  survey (fixture);
  assert_list (fixture, "*a conflict open\n");
  g_assert_cmpstr (find (fixture, "a")->diff, ==, "@@ -1,1 +1,1 @@\n-mine\n+theirs\n");
  g_assert_null (find (fixture, "a")->theirs);
  keep_all (fixture);
  land (fixture);
  assert_list (fixture, "*a conflict left-out\n");
  run (fixture, "test $(cat a) = mine");
}

/* A person who saw both sides may take the command's, or a part of it: the other's comes back with undo. */
static void
test_taken (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonChangeChoice) choice = beckon_change_choice_new ();

  run (fixture, "seq 20 >a; echo b >b");
  command (fixture, "sed -i -e s/^2$/two/ -e s/^19$/last/ a; rm b");
  run (fixture, "echo 21 >>a; echo mine >b");
  survey (fixture);
  assert_list (fixture, "*a conflict open\n-b conflict open\n");
  g_assert_cmpuint (find (fixture, "a")->n_hunks, ==, 2);
  beckon_change_choice_set_hunk_left_out (choice, 0, 1, TRUE);
  beckon_change_choice_apply (choice, fixture->landing->changes);
  land (fixture);
  run (fixture, "test $(sed -n 2p a) = two; test $(sed -n 19p a) = 19; test $(tail -n 1 a) = 21; test ! -e b");
  undo (fixture);
  run (fixture, "seq 21 | cmp - a; test $(cat b) = mine");
}

/* A version with a secret in it is not kept. Where a difference hides what was there, nobody knows what it was. */
static void
test_secret (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonMask) mask = beckon_mask_new ();
  g_autoptr (BeckonChangeSet) set = NULL;
  g_autoptr (GError) error = NULL;

  beckon_mask_add (mask, "hunter2secret", "[secret]");
  run (fixture, "echo a >a; echo b >b; echo hunter2secret >c");
  command (fixture, "echo hunter2secret >>a; echo t >>b; echo t >c");
  set = beckon_landing_survey (fixture->place, fixture->folder, fixture->base, NULL, mask, NULL, &error);
  g_assert_no_error (error);
  fixture->landing = beckon_landing_new ("call", fixture->folder, fixture->place, fixture->base, set);
  keep_all (fixture);
  run (fixture, "for i in a b c; do echo mine >>$i; done");
  land (fixture);
  assert_list (fixture, "*a conflict\n*b conflict\n*c conflict\n");
  assert_version (fixture, "a", NULL);
  assert_version (fixture, "b", "b\nt\n");
  g_assert_nonnull (find (fixture, "b")->theirs);
  g_assert_null (find (fixture, "c")->theirs);
}

/* A difference can be undone in the text that it leads to, whatever it says. */
static void
test_unapply (void)
{
  GRand *random = g_rand_new_with_seed (17);

  for (guint i = 0; i < 2000; i++)
    {
      g_autoptr (GString) before = g_string_new (NULL);
      g_autoptr (GString) after = g_string_new (NULL);
      g_autoptr (BeckonLineDiff) lines = NULL;
      g_autofree char *diff = NULL;
      g_autofree char *hash = NULL;
      g_autofree char *found = NULL;
      gint n = g_rand_int_range (random, 0, 40);

      for (gint line = 0; line < n; line++)
        {
          gint kind = g_rand_int_range (random, 0, 12);

          if (kind > 0)
            g_string_append_printf (before, "%d\n", line);
          if (kind > 1)
            g_string_append_printf (after, "%d\n", line);
          if (kind == 2)
            g_string_append (after, "new\n");
        }
      for (gint line = 0; line < 3 && after->len > 4; line++)
        g_string_erase (after, g_rand_int_range (random, 0, (gint) after->len - 2), 2);
      if (g_rand_boolean (random) && before->len > 0)
        g_string_truncate (before, before->len - 1);
      lines = beckon_line_diff_new (before->str, after->str);
      diff = beckon_line_diff_to_unified (lines, BECKON_LANDING_CONTENT_CONTEXT_LINES);
      hash = g_compute_checksum_for_string (G_CHECKSUM_SHA256, before->str, -1);
      found = beckon_landing_content_unapply (diff, after->str, hash);
      g_assert_cmpstr (found, ==, before->str);
      g_clear_pointer (&found, g_free);
      found = beckon_landing_content_unapply (diff, "something else", hash);
      g_assert_true (found == NULL || strcmp (found, before->str) == 0);
    }
  g_rand_free (random);
}

static void
add_cases (void)
{
  CASE ("/lander-conflict/both-sides", test_both_sides);
  CASE ("/lander-conflict/while-it-ran", test_while_it_ran);
  CASE ("/lander-conflict/taken", test_taken);
  CASE ("/lander-conflict/secret", test_secret);
  g_test_add_func ("/lander-conflict/unapply", test_unapply);
}

int
main (int argc, char **argv)
{
  return run_cases (&argc, &argv, add_cases);
}
