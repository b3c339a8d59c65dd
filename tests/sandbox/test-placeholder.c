/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Stand-ins: what is laid, and what is taken away. */

#include "beckon-tree.h"
#include "sandbox/beckon-placeholder.h"
#include "sandbox/beckon-protected-paths.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <sys/stat.h>

/* Makes another program of this one, which lays and takes away. */
#define AGAIN "--again"
#define PROGRAMS 4
#define ROUNDS 800

typedef struct
{
  char *folder;
  char *path;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->folder = g_dir_make_tmp ("beckon-stand-in-XXXXXX", NULL);
  fixture->path = g_build_filename (fixture->folder, ".envrc", NULL);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  beckon_tree_remove (fixture->folder);
  g_free (fixture->folder);
  g_free (fixture->path);
}

static gboolean
is_there (const char *path)
{
  GStatBuf info;

  return g_lstat (path, &info) == 0;
}

static void
hold_and_release (const char *path, gboolean is_folder)
{
  g_assert_true (beckon_placeholder_hold (path, is_folder));
  g_assert_true (beckon_placeholder_is_one (path));
  beckon_placeholder_release (path);
  g_assert_false (is_there (path));
}

/* A placeholder of another kind is made. */
static void
test_kinds (Fixture *fixture, gconstpointer data)
{
  hold_and_release (fixture->path, FALSE);
  g_assert_true (beckon_placeholder_hold (fixture->path, TRUE));
  g_assert_true (g_file_test (fixture->path, G_FILE_TEST_IS_DIR));
  beckon_placeholder_release (fixture->path);
  g_assert_false (is_there (fixture->path));
}

/* A person can put something into one while it stands: it is theirs, and stays, as any folder. */
static void
test_filled (Fixture *fixture, gconstpointer data)
{
  g_autofree char *inside = g_build_filename (fixture->path, "mine", NULL);
  GStatBuf info;

  g_assert_true (beckon_placeholder_hold (fixture->path, TRUE));
  g_assert_cmpint (g_lstat (fixture->path, &info), ==, 0);
  g_assert_cmpint (info.st_mode & 0700, ==, 0700);
  g_assert_true (g_file_set_contents (inside, "mine", -1, NULL));
  g_assert_false (beckon_placeholder_has_room (fixture->path));
  beckon_placeholder_release (fixture->path);
  g_assert_true (is_there (inside));
  g_assert_cmpint (g_lstat (fixture->path, &info), ==, 0);
  g_assert_cmpint (info.st_mode & 07777, ==, 0700);
}

/* A folder that is a person's is neither shared nor taken away, be it empty. */
static void
test_theirs (Fixture *fixture, gconstpointer data)
{
  g_assert_cmpint (g_mkdir (fixture->path, 0755), ==, 0);
  g_assert_false (beckon_placeholder_hold (fixture->path, TRUE));
  g_assert_true (is_there (fixture->path));
}

/* A person renames a folder while commands run in it, and makes another one. */
static void
test_renamed (Fixture *fixture, gconstpointer data)
{
  g_autofree char *folder = g_build_filename (fixture->folder, "a", NULL);
  g_autofree char *renamed = g_build_filename (fixture->folder, "b", NULL);
  g_autofree char *path = g_build_filename (folder, ".envrc", NULL);
  g_autofree char *moved = g_build_filename (renamed, ".envrc", NULL);

  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  g_assert_true (beckon_placeholder_hold (path, TRUE));
  g_assert_cmpint (g_rename (folder, renamed), ==, 0);
  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  g_assert_cmpint (g_mkdir (path, 0500), ==, 0);
  beckon_placeholder_release (path);
  g_assert_false (is_there (moved));
  g_assert_true (is_there (path));
}

/* A file that was renamed itself is left where it is. */
static void
test_taken (Fixture *fixture, gconstpointer data)
{
  g_autofree char *taken = g_build_filename (fixture->folder, "taken", NULL);

  g_assert_true (beckon_placeholder_hold (fixture->path, FALSE));
  g_assert_cmpint (g_rename (fixture->path, taken), ==, 0);
  beckon_placeholder_release (fixture->path);
  g_assert_true (is_there (taken));
}

static int
lay_again_and_again (const char *folder)
{
  for (guint round = 0; round < ROUNDS; round++)
    {
      g_autoptr (BeckonProtectedPaths) protected = beckon_protected_paths_new (folder);
      g_autoptr (GError) error = NULL;
      GPtrArray *paths = beckon_protected_paths_get_paths (protected);

      g_assert_false (beckon_protected_paths_is_in_repository (protected));
      beckon_protected_paths_lay (protected, &error);
      g_assert_no_error (error);
      for (guint i = 0; i < paths->len; i++)
        g_assert_true (is_there (g_ptr_array_index (paths, i)));
    }
  return 0;
}

/* Several programs run commands in one folder: each finds what it needs, and nothing is left. */
static void
test_programs (Fixture *fixture, gconstpointer data)
{
  GSubprocess *programs[PROGRAMS];

  for (guint i = 0; i < PROGRAMS; i++)
    {
      programs[i] = g_subprocess_new (G_SUBPROCESS_FLAGS_NONE, NULL, "/proc/self/exe", AGAIN, fixture->folder, NULL);
      g_assert_nonnull (programs[i]);
    }
  for (guint i = 0; i < PROGRAMS; i++)
    {
      g_assert_true (g_subprocess_wait_check (programs[i], NULL, NULL));
      g_object_unref (programs[i]);
    }
  g_assert_cmpuint (beckon_tree_count (fixture->folder), ==, 0);
}

#define ADD(path, function) g_test_add (path, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char *argv[])
{
  if (argc == 3 && g_str_equal (argv[1], AGAIN))
    return lay_again_and_again (argv[2]);

  g_test_init (&argc, &argv, NULL);
  ADD ("/stand-in/kinds", test_kinds);
  ADD ("/stand-in/filled", test_filled);
  ADD ("/stand-in/theirs", test_theirs);
  ADD ("/stand-in/renamed", test_renamed);
  ADD ("/stand-in/taken", test_taken);
  ADD ("/stand-in/programs", test_programs);
  return g_test_run ();
}
