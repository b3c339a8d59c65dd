/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A look at a new folder, and for conflicts, before anything lands. */

#include "landing/beckon-landing-look.h"
#include "landing/beckon-landing-tree.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct
{
  char *top;    /* (owned) */
  char *folder; /* (owned) */
  char *upper;  /* (owned): in the place */
  BeckonChangeSet *set;
  BeckonLanding *landing;
} Fixture;

static void
write_file (const char *folder, const char *name, const char *content)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autofree char *parent = g_path_get_dirname (path);

  g_assert_cmpint (g_mkdir_with_parents (parent, 0700), ==, 0);
  g_assert_true (g_file_set_contents (path, content, -1, NULL));
}

static BeckonFileChange *
add (Fixture *fixture, const char *name, BeckonFileChangeKind kind)
{
  BeckonFileChange *change = beckon_file_change_new (name, kind, BECKON_FILE_REGULAR);
  g_autofree char *path = g_build_filename (fixture->folder, name, NULL);
  struct stat info;

  if (lstat (path, &info) == 0)
    {
      change->before_inode = info.st_ino;
      change->before_changed_at = beckon_landing_tree_get_ctime (&info);
    }
  beckon_change_set_take (fixture->set, change);
  return change;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autofree char *place = NULL;

  fixture->top = g_dir_make_tmp ("beckon-look-XXXXXX", NULL);
  fixture->folder = g_build_filename (fixture->top, "folder", NULL);
  place = g_build_filename (fixture->top, "place", NULL);
  fixture->upper = g_build_filename (place, "upper", NULL);
  g_assert_cmpint (g_mkdir_with_parents (fixture->folder, 0700), ==, 0);
  g_assert_cmpint (g_mkdir_with_parents (fixture->upper, 0700), ==, 0);
  fixture->set = beckon_change_set_new ();
  fixture->landing = beckon_landing_new ("call", fixture->folder, place, 1, fixture->set);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  int root = open (g_get_tmp_dir (), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  g_autofree char *name = g_path_get_basename (fixture->top);

  g_assert_true (beckon_landing_tree_remove (root, name, NULL));
  close (root);
  beckon_landing_free (fixture->landing);
  beckon_change_set_unref (fixture->set);
  g_free (fixture->upper);
  g_free (fixture->folder);
  g_free (fixture->top);
}

static void
on_done (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_set_object ((GAsyncResult **) user_data, result);
}

static BeckonLandingLook *
look (Fixture *fixture, const char *path, GError **error)
{
  g_autoptr (BeckonFileChange) change = beckon_file_change_new (path, BECKON_FILE_CREATED, BECKON_FILE_FOLDER);
  g_autoptr (GAsyncResult) result = NULL;

  beckon_landing_look_async (fixture->landing, change, NULL, on_done, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  return beckon_landing_look_finish (result, error);
}

/* In the place while it waits, in the folder when it has landed; links are listed, and not followed. */
static void
test_files (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonLandingLook) waiting = NULL;
  g_autoptr (BeckonLandingLook) landed = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *out = g_build_filename (fixture->upper, "build", "out", NULL);
  g_autofree char *way = g_build_filename (fixture->upper, "way", NULL);

  write_file (fixture->upper, "build/b/two", "22");
  write_file (fixture->upper, "build/a", "1");
  g_assert_cmpint (symlink (fixture->top, out), ==, 0);
  g_assert_cmpint (symlink ("build", way), ==, 0);
  waiting = look (fixture, "build", &error);
  g_assert_no_error (error);
  g_assert_cmpuint (waiting->files->len, ==, 3);
  g_assert_cmpstr (((BeckonFileChange *) g_ptr_array_index (waiting->files, 0))->path, ==, "build/a");
  g_assert_cmpstr (((BeckonFileChange *) g_ptr_array_index (waiting->files, 1))->path, ==, "build/b/two");
  g_assert_cmpuint (((BeckonFileChange *) g_ptr_array_index (waiting->files, 1))->size, ==, 2);
  g_assert_cmpint (((BeckonFileChange *) g_ptr_array_index (waiting->files, 2))->type, ==, BECKON_FILE_LINK);
  g_assert_null (look (fixture, "way", &error));
  g_assert_nonnull (error);
  g_clear_error (&error);

  fixture->landing->state = BECKON_LANDING_LANDED;
  write_file (fixture->folder, "build/c", "333");
  landed = look (fixture, "build", &error);
  g_assert_no_error (error);
  g_assert_cmpuint (landed->files->len, ==, 1);
}

static void
test_bounds (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonLandingLook) found = NULL;

  for (guint i = 0; i < BECKON_LANDING_LOOK_MAX_FILES + 7; i++)
    {
      g_autofree char *name = g_strdup_printf ("many/%u", i);

      write_file (fixture->upper, name, "x");
    }
  found = look (fixture, "many", NULL);
  g_assert_cmpuint (found->files->len, ==, BECKON_LANDING_LOOK_MAX_FILES);
  g_assert_cmpuint (found->n_left, ==, 7);
}

static void
test_conflicts (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GArray) found = NULL;
  g_autofree char *gone = g_build_filename (fixture->folder, "gone", NULL);

  write_file (fixture->folder, "edited", "before");
  write_file (fixture->folder, "gone", "before");
  write_file (fixture->folder, "same", "before");
  add (fixture, "edited", BECKON_FILE_CHANGED);
  add (fixture, "gone", BECKON_FILE_DELETED);
  add (fixture, "made", BECKON_FILE_CREATED);
  add (fixture, "new", BECKON_FILE_CREATED);
  add (fixture, "same", BECKON_FILE_CHANGED);
  write_file (fixture->folder, "edited", "mine");
  write_file (fixture->folder, "made", "mine");
  g_assert_cmpint (g_unlink (gone), ==, 0);
  beckon_landing_look_for_conflicts_async (fixture->landing, NULL, on_done, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  found = beckon_landing_look_for_conflicts_finish (result, NULL);
  g_assert_cmpuint (found->len, ==, 3);
  for (guint i = 0; i < found->len; i++)
    g_assert_cmpuint (g_array_index (found, guint, i), ==, i);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/landing-look/files", Fixture, NULL, set_up, test_files, tear_down);
  g_test_add ("/landing-look/bounds", Fixture, NULL, set_up, test_bounds, tear_down);
  g_test_add ("/landing-look/conflicts", Fixture, NULL, set_up, test_conflicts, tear_down);
  return g_test_run ();
}
