/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE

#include "base/beckon-error.h"
#include "beckon-faults.h"
#include "beckon-tree.h"
#include "sandbox/beckon-folder.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct
{
  char *root;
  char *path;
  BeckonFolder *folder;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autofree char *outside = NULL;
  g_autoptr (GError) error = NULL;

  fixture->root = g_dir_make_tmp ("beckon-folder-XXXXXX", NULL);
  fixture->path = g_build_filename (fixture->root, "here", NULL);
  outside = g_build_filename (fixture->root, "outside", NULL);
  g_assert_cmpint (g_mkdir (fixture->path, 0700), ==, 0);
  g_assert_true (g_file_set_contents (outside, "secret", -1, NULL));
  fixture->folder = beckon_folder_new (fixture->path, &error);
  g_assert_no_error (error);
  g_assert_cmpint (chdir (fixture->path), ==, 0);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_assert_cmpint (chdir ("/"), ==, 0);
  beckon_tree_remove (fixture->root);
  g_assert_finalize_object (fixture->folder);
  g_free (fixture->root);
  g_free (fixture->path);
}

static GBytes *
bytes_of (const char *text)
{
  return g_bytes_new (text, strlen (text));
}

static void
assert_holds (const char *path, const char *expected)
{
  g_autofree char *contents = NULL;

  g_assert_true (g_file_get_contents (path, &contents, NULL, NULL));
  g_assert_cmpstr (contents, ==, expected);
}

static void
assert_refused (Fixture *fixture, const char *path, int code)
{
  g_autoptr (GError) error = NULL;

  g_test_message ("%s", path);
  g_assert_null (beckon_folder_read (fixture->folder, path, &error));
  g_assert_error (error, BECKON_ERROR, code);
  g_assert_nonnull (strstr (error->message, path));
}

static void
test_relate (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *path;
    const char *expected;
  } cases[] = {
    { "a", "a" },      { "./a//b/../c", "a/c" }, { ".", "." },     { "", "." },          { "..", NULL },
    { "../here/a", "a" }, { "../hereabouts", NULL }, { "/etc", NULL }, { "a/../../outside", NULL },
  };
  g_autofree char *absolute = g_build_filename (fixture->path, "a", "b", NULL);
  g_autofree char *related = beckon_folder_relate (fixture->folder, absolute);

  g_assert_cmpstr (related, ==, "a/b");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *found = beckon_folder_relate (fixture->folder, cases[i].path);

      g_test_message ("%s", cases[i].path);
      g_assert_cmpstr (found, ==, cases[i].expected);
    }
}

/* Faults F93: what a path may be. */
static void
test_read (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GBytes) read = NULL;
  g_autoptr (GBytes) linked = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents ("inside", "text", -1, NULL));
  g_assert_cmpint (symlink ("inside", "good-link"), ==, 0);
  g_assert_cmpint (symlink ("../outside", "bad-link"), ==, 0);
  g_assert_cmpint (symlink ("/etc/passwd", "absolute-link"), ==, 0);
  g_assert_cmpint (symlink ("nowhere", "dangling"), ==, 0);
  g_assert_cmpint (symlink ("loop", "loop"), ==, 0);
  g_assert_cmpint (symlink ("/proc/self/root", "magic"), ==, 0);
  g_assert_cmpint (mkfifo ("pipe", 0600), ==, 0);
  g_assert_cmpint (g_mkdir ("folder", 0700), ==, 0);

  read = beckon_folder_read (fixture->folder, "inside", &error);
  g_assert_no_error (error);
  g_assert_cmpmem (g_bytes_get_data (read, NULL), g_bytes_get_size (read), "text", 4);
  linked = beckon_folder_read (fixture->folder, "good-link", &error);
  g_assert_no_error (error);
  g_assert_true (g_bytes_equal (linked, read));

  assert_refused (fixture, "bad-link", BECKON_ERROR_INVALID);
  assert_refused (fixture, "absolute-link", BECKON_ERROR_INVALID);
  assert_refused (fixture, "../outside", BECKON_ERROR_INVALID);
  assert_refused (fixture, "/etc/passwd", BECKON_ERROR_INVALID);
  assert_refused (fixture, "magic/etc/passwd", BECKON_ERROR_INVALID);
  assert_refused (fixture, "dangling", BECKON_ERROR_NOT_FOUND);
  assert_refused (fixture, "loop", BECKON_ERROR_INVALID);
  assert_refused (fixture, "pipe", BECKON_ERROR_INVALID);
  assert_refused (fixture, "folder", BECKON_ERROR_INVALID);
  assert_refused (fixture, "inside/below", BECKON_ERROR_NOT_FOUND);
}

static void
test_too_large (Fixture *fixture, gconstpointer data)
{
  g_assert_true (g_file_set_contents ("large", "", 0, NULL));
  g_assert_cmpint (truncate ("large", BECKON_FOLDER_MAX_FILE + 1), ==, 0);
  assert_refused (fixture, "large", BECKON_ERROR_TOO_LARGE);
}

static void
test_write (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GBytes) first = bytes_of ("first");
  g_autoptr (GBytes) second = bytes_of ("second");
  g_autoptr (GError) error = NULL;
  struct stat info;

  g_assert_true (beckon_folder_write (fixture->folder, "a/b/new", first, NULL, &error));
  g_assert_no_error (error);
  assert_holds ("a/b/new", "first");
  g_assert_cmpint (g_chmod ("a/b/new", 0750), ==, 0);

  g_assert_true (beckon_folder_write (fixture->folder, "a/b/new", second, first, &error));
  assert_holds ("a/b/new", "second");
  g_assert_cmpint (stat ("a/b/new", &info), ==, 0);
  g_assert_cmpint (info.st_mode & 0777, ==, 0750);

  /* The file is not as the caller believes. */
  g_assert_false (beckon_folder_write (fixture->folder, "a/b/new", second, first, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_CONFLICT);
  g_clear_error (&error);
  g_assert_false (beckon_folder_write (fixture->folder, "a/b/new", first, NULL, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_CONFLICT);
  g_clear_error (&error);
  assert_holds ("a/b/new", "second");

  g_assert_false (beckon_folder_remove (fixture->folder, "a/b/new", first, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_CONFLICT);
  g_clear_error (&error);
  g_assert_true (beckon_folder_remove (fixture->folder, "a/b/new", second, &error));
  g_assert_no_error (error);
  g_assert_false (g_file_test ("a/b/new", G_FILE_TEST_EXISTS));
}

/* Faults F93 and F94: writing through links, names and folders that lead out changes nothing there. */
static void
test_write_out (Fixture *fixture, gconstpointer data)
{
  static const char *const paths[] = { "../outside", "link", "out/outside", "out/new/x", "dangling", "/etc/beckon-test" };
  g_autoptr (GBytes) bytes = bytes_of ("x");
  g_autoptr (GBytes) secret = bytes_of ("secret");
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (symlink ("../outside", "link"), ==, 0);
  g_assert_cmpint (symlink ("..", "out"), ==, 0);
  g_assert_cmpint (symlink ("../new-outside", "dangling"), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      g_test_message ("%s", paths[i]);
      g_assert_false (beckon_folder_write (fixture->folder, paths[i], bytes, NULL, &error));
      g_clear_error (&error);
      g_assert_false (beckon_folder_write (fixture->folder, paths[i], bytes, secret, &error));
      g_clear_error (&error);
      g_assert_false (beckon_folder_remove (fixture->folder, paths[i], secret, NULL));
    }
  assert_holds ("../outside", "secret");
  g_assert_false (g_file_test ("../new-outside", G_FILE_TEST_EXISTS));
  g_assert_false (g_file_test ("../new", G_FILE_TEST_EXISTS));

  /* A second name of a file outside keeps what the file holds. */
  g_assert_cmpint (link ("../outside", "hard"), ==, 0);
  g_assert_true (beckon_folder_write (fixture->folder, "hard", bytes, secret, &error));
  assert_holds ("../outside", "secret");
  assert_holds ("hard", "x");
}

static atomic_bool is_swapping;

static gpointer
swap (gpointer data)
{
  while (is_swapping)
    g_assert_cmpint (renameat2 (AT_FDCWD, "place", AT_FDCWD, "bad", RENAME_EXCHANGE), ==, 0);

  return NULL;
}

/* Faults F93: a link is swapped in a loop while files are read and written below it. */
static void
test_swap (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GBytes) bytes = bytes_of ("x");
  GThread *thread;
  guint n_read = 0;
  guint n_refused = 0;

  g_assert_cmpint (g_mkdir ("place", 0700), ==, 0);
  g_assert_true (g_file_set_contents ("place/outside", "harmless", -1, NULL));
  g_assert_cmpint (symlink ("..", "bad"), ==, 0);
  is_swapping = TRUE;
  thread = g_thread_new ("swap", swap, NULL);
  for (guint i = 0; i < 20000 || n_read == 0 || n_refused == 0; i++)
    {
      g_autoptr (GBytes) read = beckon_folder_read (fixture->folder, "place/outside", NULL);

      if (read != NULL)
        g_assert_cmpmem (g_bytes_get_data (read, NULL), g_bytes_get_size (read), "harmless", 8);
      *(read != NULL ? &n_read : &n_refused) += 1;
      if (i % 100 == 0)
        beckon_folder_write (fixture->folder, "place/made", bytes, NULL, NULL);
    }
  is_swapping = FALSE;
  g_thread_join (thread);
  g_test_message ("%u read, %u refused", n_read, n_refused);
  assert_holds ("../outside", "secret");
  g_assert_false (g_file_test ("../made", G_FILE_TEST_EXISTS));
}

/* A write that fails leaves nothing behind. */
static void
test_no_room (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GBytes) bytes = bytes_of ("x");
  g_autoptr (GError) error = NULL;
  g_autofree char *long_name = g_strnfill (300, 'n');
  g_autoptr (GDir) dir = NULL;

  g_assert_false (beckon_folder_write (fixture->folder, long_name, bytes, NULL, &error));
  g_assert_nonnull (error);
  dir = g_dir_open (".", 0, NULL);
  g_assert_cmpstr (g_dir_read_name (dir), ==, NULL);
}

static guint
count_files (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  guint n = 0;

  while (g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

/* A new file is written, never over another one, and what is there is changed and removed. */
static void
write_in (BeckonFolder *folder, const char *path)
{
  g_autoptr (GBytes) bytes = bytes_of ("x");
  g_autoptr (GBytes) other = bytes_of ("other");
  g_autoptr (GError) error = NULL;
  g_autofree char *file = g_build_filename (path, "part", "new", NULL);

  g_assert_true (beckon_folder_write (folder, "part/new", bytes, NULL, &error));
  g_assert_no_error (error);
  assert_holds (file, "x");
  g_assert_false (beckon_folder_write (folder, "part/new", other, NULL, &error));
  g_clear_error (&error);
  assert_holds (file, "x");
  g_assert_true (beckon_folder_write (folder, "part/new", other, bytes, &error));
  assert_holds (file, "other");
  g_assert_cmpint (g_unlink (file), ==, 0);
}

/* Made by another program after it was looked for. */
static void
test_no_flags (Fixture *fixture, gconstpointer data)
{
  static const int errors[] = { EINVAL, ENOSYS, EOPNOTSUPP };
  static const int calls[] = { BECKON_FAULTS_FLAGS, BECKON_FAULTS_FLAGS | BECKON_FAULTS_LINK };

  for (guint i = 0; i < G_N_ELEMENTS (errors); i++)
    for (guint j = 0; j < G_N_ELEMENTS (calls); j++)
      {
        beckon_faults_set (calls[j], errors[i], "", 0, -1);
        write_in (fixture->folder, ".");
        g_assert_cmpint (beckon_faults_get ()->hits, >, 0);
        beckon_faults_set (0, 0, "", 0, 0);
        g_assert_cmpuint (count_files ("part"), ==, 0);
      }
}

static gpointer
make_meanwhile (gpointer data)
{
  int fd;

  g_usleep (GPOINTER_TO_UINT (data));
  fd = open ("raced", O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
  if (fd >= 0)
    {
      g_assert_cmpint (write (fd, "theirs", 6), ==, 6);
      close (fd);
    }
  return NULL;
}

/* The first writer has the file, whatever the other one finds. */
static void
test_no_flags_race (Fixture *fixture, gconstpointer data)
{
  static const int calls[] = { BECKON_FAULTS_FLAGS, BECKON_FAULTS_FLAGS | BECKON_FAULTS_LINK };
  g_autoptr (GBytes) bytes = bytes_of ("ours");
  guint n_ours = 0;

  for (guint i = 0; i < 200; i++)
    {
      GThread *thread;
      g_autofree char *contents = NULL;
      gboolean is_ours;

      beckon_faults_set (calls[i % 2], EINVAL, "", 0, -1);
      thread = g_thread_new ("make", make_meanwhile, GUINT_TO_POINTER (i * 10));
      is_ours = beckon_folder_write (fixture->folder, "raced", bytes, NULL, NULL);
      beckon_faults_set (0, 0, "", 0, 0);
      g_thread_join (thread);
      g_assert_true (g_file_get_contents ("raced", &contents, NULL, NULL));
      g_assert_cmpstr (contents, ==, is_ours ? "ours" : "theirs");
      n_ours += is_ours ? 1 : 0;
      g_assert_cmpint (g_unlink ("raced"), ==, 0);
      g_assert_cmpuint (count_files ("."), ==, 0);
    }
  g_test_message ("%u of 200 were ours", n_ours);
}

/* A real file system that a program of the user's serves. */
static void
test_fuse (Fixture *fixture, gconstpointer data)
{
  g_autofree char *mount = g_build_filename (fixture->root, "mount", NULL);
  g_autofree char *program = g_find_program_in_path ("bindfs");
  const char *argv[] = { "bindfs", fixture->path, mount, NULL };
  const char *undo[] = { geteuid () == 0 ? "umount" : "fusermount", geteuid () == 0 ? mount : "-u",
                         geteuid () == 0 ? NULL : mount, NULL };
  g_autoptr (GSubprocess) child = NULL;
  g_autoptr (BeckonFolder) folder = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (g_mkdir (mount, 0700), ==, 0);
  if (program != NULL)
    child = g_subprocess_newv (argv, G_SUBPROCESS_FLAGS_STDERR_SILENCE, NULL);
  if (child == NULL || !g_subprocess_wait_check (child, NULL, NULL))
    {
      g_test_skip ("bindfs cannot mount here");
      return;
    }

  folder = beckon_folder_new (mount, &error);
  g_assert_no_error (error);
  write_in (folder, mount);
  g_clear_object (&child);
  g_assert_finalize_object (g_steal_pointer (&folder));
  child = g_subprocess_newv (undo, G_SUBPROCESS_FLAGS_NONE, &error);
  g_assert_true (g_subprocess_wait_check (child, NULL, &error));
}

#define ADD(path, function) g_test_add (path, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  ADD ("/folder/relate", test_relate);
  ADD ("/folder/write", test_write);
  ADD ("/folder/too-large", test_too_large);
  ADD ("/folder/no-room", test_no_room);
  ADD ("/folder/no-flags", test_no_flags);
  ADD ("/folder/no-flags-race", test_no_flags_race);
  ADD ("/folder/fuse", test_fuse);
  ADD ("/faults/F93-read", test_read);
  ADD ("/faults/F93-F94-write-out", test_write_out);
  ADD ("/faults/F93-swap", test_swap);
  return g_test_run ();
}
