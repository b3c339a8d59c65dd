/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-lander-fixture.h"
#include "landing/beckon-lander.h"

/* A person's edits outlive any number of undos and redos: a step that one of them left alone is left alone by the next. */

#define FILES "for i in 1 2 3 4 5 6; do"

static void
prepare (Fixture *fixture)
{
  run (fixture, "echo old >a; echo old >b; echo gone >gone");
  command (fixture, "echo new >a; echo new >b; echo made >made; rm gone; mkdir sub; echo 1 >sub/1; echo 2 >sub/2");
  survey (fixture);
  keep_all (fixture);
  land (fixture);
}

static void
test_after_landing (Fixture *fixture, gconstpointer data)
{
  prepare (fixture);
  run (fixture, "echo mine >>b; echo mine >>sub/1; echo mine >>made");
  for (guint i = 0; i < 3; i++)
    {
      undo (fixture);
      run (fixture, "grep -q old a; grep -q mine b; grep -q mine sub/1; grep -q mine made; test -e gone");
      redo (fixture);
      run (fixture, "grep -q new a; grep -q mine b; grep -q mine sub/1; grep -q mine made; test ! -e gone");
    }
}

static void
test_after_undo (Fixture *fixture, gconstpointer data)
{
  prepare (fixture);
  undo (fixture);
  run (fixture, "echo mine >>b; echo mine >>gone; echo mine >made");
  for (guint i = 0; i < 3; i++)
    {
      redo (fixture);
      run (fixture, "grep -q new a; grep -q mine b; grep -q mine gone; grep -q mine made; test -e sub/1");
      undo (fixture);
      run (fixture, "grep -q old a; grep -q mine b; grep -q mine gone; grep -q mine made; test ! -e sub");
    }
}

static void
test_by_rename (Fixture *fixture, gconstpointer data)
{
  prepare (fixture);
  run (fixture, "{ cat b; echo mine; } >b.part; mv b.part b");
  for (guint i = 0; i < 3; i++)
    {
      undo (fixture);
      run (fixture, "grep -q old a; grep -q mine b");
      redo (fixture);
      run (fixture, "grep -q new a; grep -q mine b");
    }
}

static void
prepare_many (Fixture *fixture)
{
  run (fixture, FILES " echo old >f$i; done");
  command (fixture, FILES " echo new >f$i; echo new >n$i; done; mkdir sub; echo 1 >sub/1; echo 2 >sub/2");
  survey (fixture);
  keep_all (fixture);
}

/* Every file that is there is edited between a crash and what finishes its work. */
static void
edit_all (Fixture *fixture)
{
  run (fixture, "find . -type f ! -path ./sub/2 | while read -r i; do echo mine >>$i; echo $i; done >../edited");
}

static void
assert_all_edited (Fixture *fixture)
{
  run (fixture, "for i in $(cat ../edited); do grep -q mine $i; done");
}

static void
go_on (Fixture *fixture)
{
  for (guint i = 0; i < 2; i++)
    {
      redo (fixture);
      assert_all_edited (fixture);
      undo (fixture);
      assert_all_edited (fixture);
    }
}

static void
test_killed_undo (Fixture *fixture, gconstpointer n_steps)
{
  prepare_many (fixture);
  land (fixture);
  be_killed (fixture, beckon_lander_undo, GPOINTER_TO_UINT (n_steps));
  edit_all (fixture);
  undo (fixture);
  assert_all_edited (fixture);
  go_on (fixture);
}

static void
test_killed_redo (Fixture *fixture, gconstpointer n_steps)
{
  prepare_many (fixture);
  land (fixture);
  undo (fixture);
  be_killed (fixture, beckon_lander_redo, GPOINTER_TO_UINT (n_steps));
  edit_all (fixture);
  redo (fixture);
  assert_all_edited (fixture);
  undo (fixture);
  assert_all_edited (fixture);
  go_on (fixture);
}

static void
test_killed_landing (Fixture *fixture, gconstpointer n_steps)
{
  prepare_many (fixture);
  be_killed (fixture, beckon_lander_land, GPOINTER_TO_UINT (n_steps));
  edit_all (fixture);
  land (fixture);
  assert_all_edited (fixture);
  undo (fixture);
  assert_all_edited (fixture);
  go_on (fixture);
}

static void
add_cases (void)
{
  CASE ("/lander-edited/after-landing", test_after_landing);
  CASE ("/lander-edited/after-undo", test_after_undo);
  CASE ("/lander-edited/by-rename", test_by_rename);
  for (guint i = 1; i < 24; i += 2)
    {
      g_autofree char *undone = g_strdup_printf ("/lander-edited/killed-undo/%u", i);
      g_autofree char *redone = g_strdup_printf ("/lander-edited/killed-redo/%u", i);
      g_autofree char *landed = g_strdup_printf ("/lander-edited/killed-landing/%u", i);

      g_test_add (undone, Fixture, GUINT_TO_POINTER (i), set_up, test_killed_undo, tear_down);
      g_test_add (redone, Fixture, GUINT_TO_POINTER (i), set_up, test_killed_redo, tear_down);
      g_test_add (landed, Fixture, GUINT_TO_POINTER (i), set_up, test_killed_landing, tear_down);
    }
}

int
main (int argc, char **argv)
{
  return run_cases (&argc, &argv, add_cases);
}
