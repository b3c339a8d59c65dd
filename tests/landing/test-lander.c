/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "base/beckon-error.h"
#include "beckon-view.h"
#include "domain/beckon-change-choice.h"
#include "landing/beckon-lander-private.h"
#include "landing/beckon-landing-place.h"
#include "landing/beckon-landing-survey.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct
{
  char *top;
  char *folder;
  char *place;
  gint64 base;
  BeckonLanding *landing;
} Fixture;

static void
run (Fixture *fixture, const char *line)
{
  g_autofree char *whole = g_strdup_printf ("cd '%s' && { %s\n}", fixture->folder, line);

  g_assert_cmpint (system (whole), ==, 0);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  static guint n;
  g_autofree char *id = g_strdup_printf ("call-%u", n++);
  g_autoptr (GError) error = NULL;

  fixture->top = g_dir_make_tmp ("beckon-lander-XXXXXX", NULL);
  fixture->folder = g_build_filename (fixture->top, "folder", NULL);
  g_mkdir (fixture->folder, 0755);
  fixture->place = beckon_landing_place_make (id, &error);
  g_assert_no_error (error);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_autofree char *line = g_strdup_printf ("chmod -R u+rwx '%s'; rm -rf '%s'", fixture->top, fixture->top);
  g_autoptr (GError) error = NULL;

  beckon_landing_place_remove (fixture->place, &error);
  g_assert_no_error (error);
  g_assert_cmpint (system (line), ==, 0);
  g_clear_pointer (&fixture->landing, beckon_landing_free);
  g_free (fixture->top);
  g_free (fixture->folder);
  g_free (fixture->place);
}

/* What a command changed, surveyed. */
static void
survey (Fixture *fixture)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonChangeSet) set
      = beckon_landing_survey (fixture->place, fixture->folder, fixture->base, NULL, NULL, NULL, &error);

  g_assert_no_error (error);
  fixture->landing = beckon_landing_new ("call", fixture->folder, fixture->place, fixture->base, set);
}

static void
command (Fixture *fixture, const char *line)
{
  fixture->base = beckon_landing_survey_now ();
  g_assert_cmpint (beckon_view_run (fixture->place, fixture->folder, line), ==, 0);
}

static void
keep_all (Fixture *fixture)
{
  g_autoptr (BeckonChangeChoice) choice = beckon_change_choice_new ();

  beckon_change_choice_apply (choice, fixture->landing->changes);
}

static void
land (Fixture *fixture)
{
  g_autoptr (GError) error = NULL;

  beckon_lander_plan (fixture->landing, &error);
  g_assert_no_error (error);
  beckon_lander_land (fixture->landing, &error);
  g_assert_no_error (error);
}

static void
undo (Fixture *fixture)
{
  g_autoptr (GError) error = NULL;

  beckon_lander_undo (fixture->landing, &error);
  g_assert_no_error (error);
}

static void
redo (Fixture *fixture)
{
  g_autoptr (GError) error = NULL;

  beckon_lander_redo (fixture->landing, &error);
  g_assert_no_error (error);
}

static char *
list (Fixture *fixture)
{
  static const char kinds[] = "+*-";
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < beckon_change_set_get_n_changes (fixture->landing->changes); i++)
    {
      BeckonFileChange *change = beckon_change_set_get (fixture->landing->changes, i);

      g_string_append_printf (text, "%c%s", kinds[change->kind], change->path);
      if (change->type == BECKON_FILE_FOLDER)
        g_string_append_printf (text, "/%u", change->n_files);
      if (change->concern != BECKON_FILE_CONCERN_NONE)
        g_string_append_printf (text, " %s", beckon_file_concern_to_string (change->concern));
      g_string_append_printf (text, " %s\n", beckon_file_fate_to_string (change->fate));
    }
  return g_string_free (text, FALSE);
}

static void
assert_list (Fixture *fixture, const char *expected)
{
  g_autofree char *text = list (fixture);

  g_assert_cmpstr (text, ==, expected);
}

static char *
describe (Fixture *fixture)
{
  return beckon_view_describe (fixture->folder, FALSE);
}

static void
test_plain (Fixture *fixture, gconstpointer data)
{
  g_autofree char *before = NULL;
  g_autofree char *before_inodes = NULL;
  g_autofree char *landed = NULL;
  g_autofree char *undone = NULL;
  g_autofree char *undone_inodes = NULL;
  g_autofree char *redone = NULL;

  run (fixture,
       "echo one >one; echo two >two; mkdir sub gone; echo in >sub/in; echo g >gone/g; touch -d 2001-01-01 sub one .");
  before = describe (fixture);
  before_inodes = beckon_view_describe (fixture->folder, TRUE);
  command (fixture,
           "echo more >>one; rm two; rm -r gone; echo new >sub/new; mkdir made; echo a >made/a; chmod 700 sub; "
           "touch -d 2002-01-01 sub");
  survey (fixture);
  assert_list (fixture, "-gone/1 open\n+made/a open\n*one open\n*sub/0 open\n+sub/new open\n-two open\n");
  keep_all (fixture);
  land (fixture);
  assert_list (fixture, "-gone/1 kept\n+made/a kept\n*one kept\n*sub/0 kept\n+sub/new kept\n-two kept\n");
  run (
      fixture,
      "test \"$(cat one)\" = \"$(printf 'one\\nmore')\"; test ! -e two; test ! -e gone; test \"$(cat sub/new)\" = new; "
      "test \"$(stat -c '%a %Y' sub)\" = \"700 $(date -d 2002-01-01 +%s)\"; test \"$(cat made/a)\" = a");
  landed = describe (fixture);

  undo (fixture);
  undone = describe (fixture);
  undone_inodes = beckon_view_describe (fixture->folder, TRUE);
  g_assert_cmpstr (undone, ==, before);
  g_assert_cmpstr (undone_inodes, ==, before_inodes);
  assert_list (fixture, "-gone/1 undone\n+made/a undone\n*one undone\n*sub/0 undone\n+sub/new undone\n-two undone\n");
  redo (fixture);
  redone = describe (fixture);
  g_assert_cmpstr (redone, ==, landed);
  assert_list (fixture, "-gone/1 kept\n+made/a kept\n*one kept\n*sub/0 kept\n+sub/new kept\n-two kept\n");
  undo (fixture);
  g_free (undone);
  undone = describe (fixture);
  g_assert_cmpstr (undone, ==, before);
}

static void
test_nothing (Fixture *fixture, gconstpointer data)
{
  run (fixture, "echo one >one; ln -s one link; mkdir sub; echo in >sub/in");
  command (
      fixture,
      "touch one; cat sub/in >x; mv x sub/in; rm link; ln -s one link; mkdir t; rmdir t; chmod 600 one; chmod 644 one");
  survey (fixture);
  assert_list (fixture, "");
}

/* A folder that the person moved in while the command made one of that name holds files that are older than the command. */
static void
test_moved_in (Fixture *fixture, gconstpointer data)
{
  run (fixture, "mkdir ../other; echo mine >../other/old; echo mine >../other/same; mkdir again; echo was >again/x");
  command (fixture, "mkdir new; echo made >new/same; rm -r again; mkdir again; echo made >again/y");
  run (fixture, "mv ../other new");
  survey (fixture);
  assert_list (fixture, "-again/x open\n+again/y open\n*new/same conflict\n");
  keep_all (fixture);
  land (fixture);
  run (fixture, "test \"$(cat new/old new/same)\" = \"$(printf 'mine\\nmine')\"; "
                "test \"$(cat again/y)\" = made; test ! -e again/x");
}

/* Another folder stands where the command saw one: it is not what its changes are made for. */
static void
test_replaced_inside (Fixture *fixture, gconstpointer data)
{
  run (fixture, "mkdir -p sub/deep ../other/deep; echo one >sub/deep/one; echo two >sub/two; "
                "echo mine >../other/deep/one; echo mine >../other/two");
  command (fixture, "echo more >>sub/deep/one; rm sub/two");
  run (fixture, "mv sub ../sub; mv ../other sub");
  survey (fixture);
  assert_list (fixture, "*sub/deep/one conflict\n-sub/two conflict\n");
  keep_all (fixture);
  land (fixture);
  run (fixture, "test \"$(cat sub/deep/one sub/two)\" = \"$(printf 'mine\\nmine')\"");
}

/* Another folder stands at the path when the command has ended, or when it lands. */
static void
test_other_folder (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonChangeSet) set = NULL;
  g_autoptr (GError) error = NULL;

  run (fixture, "echo one >one; mkdir ../other; echo mine >../other/one");
  beckon_landing_place_bind (fixture->place, fixture->folder, &error);
  g_assert_no_error (error);
  command (fixture, "echo more >one");
  run (fixture, "cd ..; mv folder away; mv other folder");
  set = beckon_landing_survey (fixture->place, fixture->folder, fixture->base, NULL, NULL, NULL, &error);
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE);
  g_assert_null (set);
  g_clear_error (&error);

  run (fixture, "cd ..; mv folder other; mv away folder");
  survey (fixture);
  keep_all (fixture);
  run (fixture, "cd ..; mv folder away; mv other folder");
  g_assert_false (beckon_lander_land (fixture->landing, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE);
  run (fixture, "test \"$(cat one ../away/one)\" = \"$(printf 'mine\\none')\"");
}

/* Other programs read these files by another name, and these links lead where their words alone do not say. */
static void
test_links (Fixture *fixture, gconstpointer data)
{
  run (fixture, "mkdir -p .git/hooks hooks settings a/b/c; echo x >.git/HEAD; ln -s settings .vscode; ln -s env .envrc; "
                "ln -s ../../hooks/commit .git/hooks/commit-msg; ln -s ../../.. a/b/c/up");
  command (fixture, "echo x >settings/tasks.json; echo x >env; echo x >hooks/commit; echo x >hooks/other; "
                    "ln -s a/b/c/up/../../../etc out; ln -s a/b/c/up/env in");
  survey (fixture);
  assert_list (fixture, "+env trigger open\n+hooks/commit trigger open\n+hooks/other open\n+in open\n"
                        "+out leads-out open\n+settings/tasks.json trigger open\n");
}

/* What is too deep to be landed is said, and not lost without a word. */
static void
test_deep (Fixture *fixture, gconstpointer data)
{
  g_autofree char *deep = NULL;
  g_autofree char *line = NULL;
  g_autoptr (GString) path = g_string_new ("d");

  for (guint i = 0; i < 210; i++)
    g_string_append (path, "/d");
  line = g_strdup_printf ("mkdir -p %s", path->str);
  run (fixture, line);
  deep = g_strdup_printf ("echo x >%s/x; echo x >d/x", path->str);
  command (fixture, deep);
  survey (fixture);
  g_assert_cmpuint (beckon_change_set_get_n_changes (fixture->landing->changes), ==, 2);
  g_assert_cmpuint (beckon_change_set_count (fixture->landing->changes, BECKON_FILE_FAILED), ==, 1);
  keep_all (fixture);
  land (fixture);
  g_assert_cmpuint (beckon_change_set_count (fixture->landing->changes, BECKON_FILE_KEPT), ==, 1);
}

/* Git directories within Git's own, pipes there, and links that lead there: nothing of it lands unasked. */
static void
test_within_git (Fixture *fixture, gconstpointer data)
{
  run (fixture, "git init -q .; mkdir -p .git/logs");
  command (fixture, "for d in logs refs objects/ab; do mkdir -p .git/$d/e; git init -q --bare .git/$d/e/bare; "
                    "mv .git/$d/e/bare/* .git/$d/e; rmdir .git/$d/e/bare; done; rm -f .git/index; mkfifo .git/index; "
                    "ln -s .git/logs/e vendor");
  survey (fixture);
  g_assert_cmpuint (beckon_change_set_get_n_changes (fixture->landing->changes), >, 3);
  for (guint i = 0; i < beckon_change_set_get_n_changes (fixture->landing->changes); i++)
    {
      BeckonFileChange *change = beckon_change_set_get (fixture->landing->changes, i);

      /* Without the others these make no Git directory. */
      if (g_str_has_suffix (change->path, "/HEAD") || strstr (change->path, "/e/refs") != NULL
          || g_str_has_suffix (change->path, "/description") || g_str_has_suffix (change->path, "/branches"))
        continue;
      if (change->concern != BECKON_FILE_CONCERN_TRIGGER)
        g_test_message ("%s", change->path);
      g_assert_cmpint (change->concern, ==, BECKON_FILE_CONCERN_TRIGGER);
    }
}

static char *locked;
static guint n_looks;

static void
look_at_lock (void)
{
  int fd = open (locked, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

  g_assert_cmpint (flock (fd, LOCK_EX | LOCK_NB), ==, -1);
  g_assert_cmpint (errno, ==, EWOULDBLOCK);
  close (fd);
  n_looks++;
}

/* Another process neither lands nor undoes the same meanwhile, nor removes it. */
static void
test_locked (Fixture *fixture, gconstpointer data)
{
  locked = fixture->place;
  run (fixture, "echo one >one");
  command (fixture, "echo more >one");
  survey (fixture);
  keep_all (fixture);
  beckon_lander_hook = look_at_lock;
  land (fixture);
  undo (fixture);
  beckon_lander_hook = NULL;
  g_assert_cmpuint (n_looks, >, 4);
}

static char *blocked;

/* The first time the states are written down, and then something moves. */
static void
block_later (void)
{
  static guint n;

  if (++n == 2)
    g_mkdir (blocked, 0700);
}

/* Where a disk is full things have moved all the same: they have not failed, and what they replaced is not thrown away. */
static void
test_unwritten (Fixture *fixture, gconstpointer data)
{
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;

  blocked = g_build_filename (fixture->place, "states.part", NULL);
  run (fixture, "echo one >one; echo two >two");
  before = describe (fixture);
  command (fixture, "echo more >one; rm two; echo new >three");
  survey (fixture);
  keep_all (fixture);
  g_test_expect_message ("beckon-landing", G_LOG_LEVEL_MESSAGE, "what landed could not be written down: *");
  beckon_lander_hook = block_later;
  land (fixture);
  beckon_lander_hook = NULL;
  g_test_assert_expected_messages ();
  assert_list (fixture, "*one kept\n+three kept\n-two kept\n");
  run (fixture, "test \"$(cat one three)\" = \"$(printf 'more\\nnew')\"; test ! -e two");

  g_assert_cmpint (g_rmdir (blocked), ==, 0);
  undo (fixture);
  after = describe (fixture);
  g_assert_cmpstr (after, ==, before);
  assert_list (fixture, "*one undone\n+three undone\n-two undone\n");
  g_clear_pointer (&blocked, g_free);
}

#define CASE(path, function) g_test_add (path, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  g_autofree char *data = g_dir_make_tmp ("beckon-data-XXXXXX", NULL);
  g_autofree char *line = g_strdup_printf ("rm -rf '%s'", data);
  int status;

  g_setenv ("XDG_DATA_HOME", data, TRUE);
  umask (022);
  g_test_init (&argc, &argv, NULL);
  if (!beckon_view_is_there ())
    {
      g_print ("1..0 # SKIP no overlay here\n");
      return system (line);
    }

  CASE ("/lander/plain", test_plain);
  CASE ("/lander/nothing", test_nothing);
  CASE ("/lander/within-git", test_within_git);
  CASE ("/lander/moved-in", test_moved_in);
  CASE ("/lander/replaced-inside", test_replaced_inside);
  CASE ("/lander/other-folder", test_other_folder);
  CASE ("/lander/links", test_links);
  CASE ("/lander/deep", test_deep);
  CASE ("/lander/locked", test_locked);
  CASE ("/lander/unwritten", test_unwritten);
  status = g_test_run ();
  return system (line) == 0 ? status : 1;
}
