/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-lander-fixture.h"

#include "beckon-view.h"
#include "domain/beckon-change-choice.h"
#include "landing/beckon-lander-private.h"
#include "landing/beckon-lander.h"
#include "landing/beckon-landing-place.h"
#include "landing/beckon-landing-survey.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

void
run (Fixture *fixture, const char *line)
{
  g_autofree char *whole = g_strdup_printf ("cd '%s' && set -e; { %s\n}", fixture->folder, line);

  g_assert_cmpint (system (whole), ==, 0);
}

void
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

void
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

void
survey (Fixture *fixture)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonChangeSet) set
      = beckon_landing_survey (fixture->place, fixture->folder, fixture->base, NULL, NULL, NULL, &error);

  g_assert_no_error (error);
  fixture->landing = beckon_landing_new ("call", fixture->folder, fixture->place, fixture->base, set);
}

/* Starting a command takes longer than a tick of the clock that ctimes are from; a view alone is there at once. */
static void
wait_for_tick (gint64 since)
{
  struct timespec now;

  do
    clock_gettime (CLOCK_REALTIME_COARSE, &now);
  while ((gint64) now.tv_sec * G_GINT64_CONSTANT (1000000000) + now.tv_nsec <= since);
}

void
command (Fixture *fixture, const char *line)
{
  fixture->base = beckon_landing_survey_now ();
  wait_for_tick (fixture->base);
  g_assert_cmpint (beckon_view_run (fixture->place, fixture->folder, line), ==, 0);
}

void
keep_all (Fixture *fixture)
{
  g_autoptr (BeckonChangeChoice) choice = beckon_change_choice_new ();

  for (guint i = 0; i < beckon_change_set_get_n_changes (fixture->landing->changes); i++)
    if (beckon_change_set_get (fixture->landing->changes, i)->concern == BECKON_FILE_CONCERN_CONFLICT)
      beckon_change_choice_set_left_out (choice, i, TRUE);
  beckon_change_choice_apply (choice, fixture->landing->changes);
}

void
land (Fixture *fixture)
{
  g_autoptr (GError) error = NULL;

  beckon_lander_plan (fixture->landing, &error);
  g_assert_no_error (error);
  beckon_lander_land (fixture->landing, &error);
  g_assert_no_error (error);
}

void
undo (Fixture *fixture)
{
  g_autoptr (GError) error = NULL;

  beckon_lander_undo (fixture->landing, &error);
  g_assert_no_error (error);
}

void
redo (Fixture *fixture)
{
  g_autoptr (GError) error = NULL;

  beckon_lander_redo (fixture->landing, &error);
  g_assert_no_error (error);
}

static void
list_told (GString *text, const BeckonFileChange *change)
{
  static const char kinds[] = "+*->";
  g_autoptr (GPtrArray) told = beckon_file_change_list_told (change);

  for (guint i = 0; i < told->len; i++)
    {
      const BeckonFileChange *bound = g_ptr_array_index (told, i);

      g_string_append_printf (text, "%s%c%s", i == 0 ? " {" : " ", kinds[bound->kind], bound->path);
      if (bound->from != NULL)
        g_string_append_printf (text, " < %s", bound->from);
    }
  g_string_append (text, told->len > 0 ? "}" : "");
}

static char *
list (Fixture *fixture)
{
  static const char kinds[] = "+*->";
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < beckon_change_set_get_n_changes (fixture->landing->changes); i++)
    {
      BeckonFileChange *change = beckon_change_set_get (fixture->landing->changes, i);

      g_string_append_printf (text, "%c%s", kinds[change->kind], change->path);
      if (change->type == BECKON_FILE_FOLDER)
        g_string_append_printf (text, "/%u", change->n_files);
      if (change->from != NULL)
        g_string_append_printf (text, " < %s", change->from);
      list_told (text, change);
      if (change->concern != BECKON_FILE_CONCERN_NONE)
        g_string_append_printf (text, " %s", beckon_file_concern_to_string (change->concern));
      g_string_append_printf (text, " %s\n", beckon_file_fate_to_string (change->fate));
    }
  return g_string_free (text, FALSE);
}

void
assert_list (Fixture *fixture, const char *expected)
{
  g_autofree char *text = list (fixture);

  g_assert_cmpstr (text, ==, expected);
}

char *
describe (Fixture *fixture)
{
  return beckon_view_describe (fixture->folder, FALSE);
}

static guint n_steps_left;

static void
die_soon (void)
{
  if (n_steps_left-- == 0)
    _exit (0);
}

/* Another process does it, and ends in the middle. */
void
be_killed (Fixture *fixture, gboolean (*function) (BeckonLanding *, GError **), guint n_steps)
{
  pid_t child = fork ();

  g_assert_cmpint (child, >=, 0);
  if (child == 0)
    {
      n_steps_left = n_steps;
      beckon_lander_hook = die_soon;
      function (fixture->landing, NULL);
      _exit (1);
    }
  g_assert_cmpint (waitpid (child, NULL, 0), ==, child);
}

int
run_cases (int *argc, char ***argv, void (*add) (void))
{
  g_autofree char *data = g_dir_make_tmp ("beckon-data-XXXXXX", NULL);
  g_autofree char *line = g_strdup_printf ("rm -rf '%s'", data);
  int status;

  g_setenv ("XDG_DATA_HOME", data, TRUE);
  umask (022);
  g_test_init (argc, argv, NULL);
  if (!beckon_view_is_there ())
    {
      g_print ("1..0 # SKIP no overlay here\n");
      return system (line);
    }

  add ();
  status = g_test_run ();
  return system (line) == 0 ? status : 1;
}
