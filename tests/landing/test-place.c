/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/beckon-error.h"
#include "landing/beckon-landing-place.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void
test_make (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = beckon_landing_place_get_path ("one");
  g_autofree char *place = beckon_landing_place_make ("one", &error);
  g_autofree char *left = g_build_filename (place, "left", NULL);
  g_autoptr (GPtrArray) ids = NULL;
  struct stat info;

  g_assert_no_error (error);
  g_assert_cmpstr (place, ==, path);
  g_assert_cmpint (stat (place, &info), ==, 0);
  g_assert_cmpint (info.st_mode & 07777, ==, 0700);
  ids = beckon_landing_place_list ();
  g_assert_cmpuint (ids->len, ==, 1);
  g_assert_cmpstr (ids->pdata[0], ==, "one");

  /* Files of an earlier run are gone. */
  g_assert_true (g_file_set_contents (left, "x", 1, NULL));
  g_free (place);
  place = beckon_landing_place_make ("one", &error);
  g_assert_no_error (error);
  g_assert_false (g_file_test (left, G_FILE_TEST_EXISTS));
  g_assert_true (beckon_landing_place_remove (place, &error));
  g_assert_true (beckon_landing_place_remove (place, &error));
  g_assert_false (g_file_test (place, G_FILE_TEST_EXISTS));
}

/* As an overlay leaves it, and as somebody who means harm does. */
static void
test_remove (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *place = beckon_landing_place_make ("two", &error);
  g_autofree char *outside = g_dir_make_tmp ("beckon-outside-XXXXXX", NULL);
  g_autofree char *mine = g_build_filename (outside, "mine", NULL);
  g_autofree char *line
      = g_strdup_printf ("cd '%s' && mkdir -p work/work upper/a/b && echo x >upper/a/b/c && ln -s '%s' upper/a/link && "
                         "mkfifo upper/a/fifo && "
                         "chmod 0 work/work && chmod 500 upper/a/b && chmod 0 upper/a && ln -s '%s' link",
                         place, outside, outside);
  g_autofree char *removal = g_strdup_printf ("rm -r '%s'", outside);

  g_assert_true (g_file_set_contents (mine, "x", 1, NULL));
  g_assert_cmpint (system (line), ==, 0);
  beckon_landing_place_remove (place, &error);
  g_assert_no_error (error);
  g_assert_false (g_file_test (place, G_FILE_TEST_EXISTS));
  g_assert_true (g_file_test (mine, G_FILE_TEST_EXISTS));
  g_assert_cmpint (system (removal), ==, 0);
}

static void
test_deep (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *place = beckon_landing_place_make ("three", &error);
  g_autofree char *cwd = g_get_current_dir ();

  g_assert_cmpint (g_chdir (place), ==, 0);
  for (guint i = 0; i < 10000; i++)
    {
      g_assert_cmpint (g_mkdir ("d", i % 100 == 50 ? 0700 : 0755), ==, 0);
      g_assert_cmpint (g_mkdir ("e", 0755), ==, 0);
      g_assert_cmpint (g_chdir ("d"), ==, 0);
    }
  g_assert_cmpint (g_chdir (cwd), ==, 0);
  beckon_landing_place_measure (place);
  beckon_landing_place_remove (place, &error);
  g_assert_no_error (error);
  g_assert_false (g_file_test (place, G_FILE_TEST_EXISTS));
}

static void
test_measure (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *place = beckon_landing_place_make ("four", &error);
  g_autofree char *file = g_build_filename (place, "file", NULL);
  g_autofree char *bytes = g_strnfill (1024 * 1024, 'x');
  guint64 before = beckon_landing_place_measure (place);

  g_assert_true (g_file_set_contents (file, bytes, 1024 * 1024, NULL));
  g_assert_cmpuint (beckon_landing_place_measure (place), >=, before + 1024 * 1024);
  g_assert_true (beckon_landing_place_remove (place, &error));
  g_assert_cmpuint (beckon_landing_place_measure (place), ==, 0);
}

int
main (int argc, char **argv)
{
  /* In memory, because a disk takes long for twenty thousand folders. */
  g_autofree char *template = g_strdup ("/dev/shm/beckon-data-XXXXXX");
  g_autofree char *data = g_mkdtemp (template) != NULL ? g_strdup (template) : g_dir_make_tmp ("beckon-data-XXXXXX", NULL);
  g_autofree char *line = g_strdup_printf ("rm -rf '%s'", data);
  int status;

  g_setenv ("XDG_DATA_HOME", data, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/place/make", test_make);
  g_test_add_func ("/place/remove", test_remove);
  g_test_add_func ("/place/deep", test_deep);
  g_test_add_func ("/place/measure", test_measure);
  status = g_test_run ();
  return system (line) == 0 ? status : 1;
}
