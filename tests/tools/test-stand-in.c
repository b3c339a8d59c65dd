/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Stand-ins: what is laid, what is taken away, and where it lies between two commands. */

#include "beckon-tree.h"
#include "sandbox/beckon-placeholder-cache.h"
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
  char *drawer;
  char *spare; /* where it lies when nobody needs it */
} Fixture;

static char *
build_spare_path (Fixture *fixture, const char *path)
{
  g_autofree char *name = g_compute_checksum_for_string (G_CHECKSUM_SHA256, path, -1);

  return g_build_filename (fixture->drawer, name, NULL);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->folder = g_dir_make_tmp ("beckon-stand-in-XXXXXX", NULL);
  fixture->path = g_build_filename (fixture->folder, ".envrc", NULL);
  fixture->drawer = g_build_filename (g_get_user_cache_dir (), "beckon", "stand-ins", NULL);
  fixture->spare = build_spare_path (fixture, fixture->path);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  beckon_tree_remove (fixture->folder);
  beckon_tree_remove (fixture->drawer);
  g_free (fixture->folder);
  g_free (fixture->path);
  g_free (fixture->drawer);
  g_free (fixture->spare);
}

static GStatBuf
look_at (const char *path)
{
  GStatBuf info;

  g_assert_cmpint (g_lstat (path, &info), ==, 0);
  return info;
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

/* Nothing is made a second time. */
static void
test_moved (Fixture *fixture, gconstpointer data)
{
  const gboolean is_folder = GPOINTER_TO_INT (data);
  const guint mode = is_folder ? 0500 : 0400;
  GStatBuf first;

  g_assert_true (beckon_placeholder_hold (fixture->path, is_folder));
  first = look_at (fixture->path);
  g_assert_cmpuint (first.st_mode & 07777, ==, mode);
  beckon_placeholder_release (fixture->path);
  g_assert_false (is_there (fixture->path));
  g_assert_cmpuint (look_at (fixture->spare).st_ino, ==, first.st_ino);
  g_assert_cmpuint (look_at (fixture->spare).st_mode & 07777, ==, mode);

  g_assert_true (beckon_placeholder_hold (fixture->path, is_folder));
  g_assert_cmpuint (look_at (fixture->path).st_ino, ==, first.st_ino);
  g_assert_cmpuint (look_at (fixture->path).st_mode & 07777, ==, mode);
  g_assert_false (is_there (fixture->spare));
  beckon_placeholder_release (fixture->path);
}

/* What another kind needs is made. */
static void
test_kinds (Fixture *fixture, gconstpointer data)
{
  hold_and_release (fixture->path, FALSE);
  g_assert_true (beckon_placeholder_hold (fixture->path, TRUE));
  g_assert_true (g_file_test (fixture->path, G_FILE_TEST_IS_DIR));
  beckon_placeholder_release (fixture->path);
  g_assert_false (is_there (fixture->path));
}

/* Who has it open where it was could write into it where it is. */
static void
test_two_places (Fixture *fixture, gconstpointer data)
{
  g_autofree char *below = g_build_filename (fixture->folder, "sub", NULL);
  g_autofree char *other = g_build_filename (below, ".envrc", NULL);
  g_autofree char *spare = build_spare_path (fixture, other);
  GStatBuf first;

  g_assert_cmpint (g_mkdir (below, 0700), ==, 0);
  hold_and_release (fixture->path, TRUE);
  first = look_at (fixture->spare);
  g_assert_true (beckon_placeholder_hold (other, TRUE));
  g_assert_cmpuint (look_at (other).st_ino, !=, first.st_ino);
  g_assert_cmpuint (look_at (fixture->spare).st_ino, ==, first.st_ino);
  beckon_placeholder_release (other);
  g_assert_false (is_there (other));
  g_assert_true (beckon_placeholder_is_one (spare));
}

static void
test_many (Fixture *fixture, gconstpointer data)
{
  for (guint i = 0; i < BECKON_PLACEHOLDER_MAX_SPARE + 1; i++)
    {
      g_autofree char *path = g_strdup_printf ("%s/%u", fixture->folder, i);

      hold_and_release (path, i % 2 == 0);
      g_assert_cmpuint (beckon_tree_count (fixture->drawer), ==, i < BECKON_PLACEHOLDER_MAX_SPARE ? i + 1 : 1);
    }
}

/* With the drawer full of something else they are made and taken away. */
static void
test_full (Fixture *fixture, gconstpointer data)
{
  g_assert_cmpint (g_mkdir_with_parents (fixture->drawer, 0700), ==, 0);
  for (guint i = 0; i < BECKON_PLACEHOLDER_MAX_SPARE; i++)
    {
      g_autofree char *path = g_strdup_printf ("%s/%u", fixture->drawer, i);

      g_assert_true (g_file_set_contents (path, "mine", -1, NULL));
    }
  hold_and_release (fixture->path, TRUE);
  g_assert_false (is_there (fixture->spare));
  g_assert_cmpuint (beckon_tree_count (fixture->drawer), ==, BECKON_PLACEHOLDER_MAX_SPARE);
}

/* Whoever may write everywhere can put something into one while it stands: it is theirs, and stays. */
static void
test_filled (Fixture *fixture, gconstpointer data)
{
  g_autofree char *inside = g_build_filename (fixture->path, "mine", NULL);

  g_assert_true (beckon_placeholder_hold (fixture->path, TRUE));
  g_assert_cmpint (g_chmod (fixture->path, 0700), ==, 0);
  g_assert_true (g_file_set_contents (inside, "mine", -1, NULL));
  beckon_placeholder_release (fixture->path);
  g_assert_true (is_there (inside));
  g_assert_false (is_there (fixture->spare));
}

/* What lies in its place but is none is left where it is. */
static void
test_others (Fixture *fixture, gconstpointer data)
{
  g_autofree char *inside = g_build_filename (fixture->spare, "mine", NULL);

  g_assert_cmpint (g_mkdir_with_parents (fixture->spare, 0700), ==, 0);
  g_assert_true (g_file_set_contents (inside, "mine", -1, NULL));
  g_assert_cmpint (g_chmod (fixture->spare, 0500), ==, 0);
  hold_and_release (fixture->path, TRUE);
  g_assert_true (is_there (inside));
  g_assert_cmpint (g_chmod (fixture->spare, 0700), ==, 0);
}

/* A program that was killed while it moved one leaves it in the mode in which it can be moved. */
static void
test_killed (Fixture *fixture, gconstpointer data)
{
  g_assert_cmpint (g_mkdir (fixture->path, 0700), ==, 0);
  g_assert_cmpint (g_chmod (fixture->path, 01700), ==, 0);
  g_assert_true (beckon_placeholder_is_one (fixture->path));
  hold_and_release (fixture->path, TRUE);
}

/* A folder that is a person's is neither shared nor taken away, be it empty. */
static void
test_theirs (Fixture *fixture, gconstpointer data)
{
  g_assert_cmpint (g_mkdir (fixture->path, 0755), ==, 0);
  g_assert_false (beckon_placeholder_hold (fixture->path, TRUE));
  g_assert_true (is_there (fixture->path));
}

/* Memory is no disk: nothing can be moved from there. */
static void
test_elsewhere (Fixture *fixture, gconstpointer data)
{
  g_autofree char *memory = g_strdup ("/dev/shm/beckon-stand-in-XXXXXX");
  g_autofree char *path = NULL;
  g_autofree char *spare = NULL;

  g_assert_cmpint (g_mkdir_with_parents (fixture->drawer, 0700), ==, 0);
  if (g_mkdtemp (memory) == NULL || look_at (memory).st_dev == look_at (fixture->drawer).st_dev)
    {
      g_test_skip ("there is no other disk");
      return;
    }

  path = g_build_filename (memory, ".envrc", NULL);
  spare = build_spare_path (fixture, path);
  hold_and_release (path, TRUE);
  hold_and_release (path, TRUE);
  g_assert_false (is_there (spare));
  g_assert_cmpint (g_rmdir (memory), ==, 0);
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

/* What was renamed itself is left where it is. */
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
      g_autoptr (BeckonProtectedPaths) guard = beckon_protected_paths_new (folder);
      g_autoptr (GError) error = NULL;
      GPtrArray *paths = beckon_protected_paths_get_paths (guard);

      g_assert_false (beckon_protected_paths_is_in_repository (guard));
      beckon_protected_paths_lay (guard, &error);
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

#define ADD(path, data, function) g_test_add (path, Fixture, GINT_TO_POINTER (data), set_up, function, tear_down)

int
main (int argc, char *argv[])
{
  g_autofree char *cache = NULL;
  int status;

  if (argc == 3 && g_str_equal (argv[1], AGAIN))
    return lay_again_and_again (argv[2]);

  /* Not that of whoever runs the test. The one that GLib would give each case is never freed. */
  cache = g_dir_make_tmp ("beckon-cache-XXXXXX", NULL);
  g_setenv ("XDG_CACHE_HOME", cache, TRUE);
  g_test_init (&argc, &argv, NULL);
  ADD ("/stand-in/moved/folder", TRUE, test_moved);
  ADD ("/stand-in/moved/file", FALSE, test_moved);
  ADD ("/stand-in/kinds", 0, test_kinds);
  ADD ("/stand-in/two-places", 0, test_two_places);
  ADD ("/stand-in/many", 0, test_many);
  ADD ("/stand-in/full", 0, test_full);
  ADD ("/stand-in/filled", 0, test_filled);
  ADD ("/stand-in/others", 0, test_others);
  ADD ("/stand-in/killed", 0, test_killed);
  ADD ("/stand-in/theirs", 0, test_theirs);
  ADD ("/stand-in/elsewhere", 0, test_elsewhere);
  ADD ("/stand-in/renamed", 0, test_renamed);
  ADD ("/stand-in/taken", 0, test_taken);
  ADD ("/stand-in/programs", 0, test_programs);
  status = g_test_run ();
  beckon_tree_remove (cache);
  return status;
}
