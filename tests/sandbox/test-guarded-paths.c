/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sandbox/beckon-guarded-paths.h"

#include "beckon-tree.h"

#include <glib/gstdio.h>
#include <unistd.h>

/* Files that other programs run by themselves are found in a folder, wherever they lie. */

typedef char Folder;

static void
folder_remove (Folder *folder)
{
  beckon_tree_remove (folder);
  g_free (folder);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Folder, folder_remove)

static Folder *
make_folder (void)
{
  return g_dir_make_tmp ("beckon-guarded-XXXXXX", NULL);
}

static void
put (const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autofree char *parent = g_path_get_dirname (path);

  g_assert_cmpint (g_mkdir_with_parents (parent, 0700), ==, 0);
  g_assert_true (g_file_set_contents (path, "", -1, NULL));
}

/* (transfer full): the paths as one text, relative to @folder */
static char *
join (const char *folder, GPtrArray *paths)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < paths->len; i++)
    {
      const char *path = g_ptr_array_index (paths, i);

      g_assert_true (g_str_has_prefix (path, folder));
      g_string_append_printf (text, "%s%s", i > 0 ? " " : "", path + strlen (folder) + 1);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
assert_found (const char *folder, const char *expected, const char *expected_folders)
{
  g_autoptr (BeckonGuardedPaths) guarded = beckon_guarded_paths_look (folder, NULL);
  g_autofree char *paths = join (folder, beckon_guarded_paths_get_paths (guarded));
  g_autofree char *folders = join (folder, beckon_guarded_paths_get_folders (guarded));

  g_assert_cmpstr (paths, ==, expected);
  g_assert_cmpstr (folders, ==, expected_folders);
  g_assert_false (beckon_guarded_paths_is_cut (guarded));
}

/* Everyday files, of Git too, are left alone. */
static void
test_git (void)
{
  static const char *const names[] = {
    "a/.git/HEAD", "a/.git/config", "a/.git/hooks/x", "a/.git/index", "a/.git/config.lock", "a/.git/objects/aa/b",
    "a/.git/refs/heads/main", "b/c/.git", "bare/HEAD", "bare/config", "bare/objects/pack/p", "a/main.c", "config",
  };
  g_autoptr (Folder) folder = make_folder ();

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    put (folder, names[i]);
  assert_found (folder, "a/.git/config a/.git/hooks b/c/.git bare/config", "a a/.git b b/c bare");
}

static void
test_others (void)
{
  static const char *const names[] = {
    ".envrc", ".npmrc", "a/.vscode/tasks.json", "a/.cargo/config.toml", "a/.cargo/registry", "a/Makefile",
    "node_modules/x/.npmrc", "node_modules/x/.envrc",
  };
  g_autoptr (Folder) folder = make_folder ();

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    put (folder, names[i]);
  assert_found (folder, ".envrc .npmrc a/.cargo/config.toml a/.vscode node_modules/x/.envrc",
                "a a/.cargo node_modules node_modules/x");
}

/* Links can't be mounted over, and none is followed. */
static void
test_links (void)
{
  g_autoptr (Folder) folder = make_folder ();
  g_autoptr (Folder) outside = make_folder ();
  g_autofree char *link = g_build_filename (folder, ".envrc", NULL);
  g_autofree char *way = g_build_filename (folder, "way", NULL);

  put (outside, ".envrc");
  g_assert_cmpint (symlink (outside, link), ==, 0);
  g_assert_cmpint (symlink (outside, way), ==, 0);
  assert_found (folder, "", "");
}

/* With too many of them those at the top come first. */
static void
test_many (void)
{
  g_autoptr (Folder) folder = make_folder ();
  g_autoptr (BeckonGuardedPaths) guarded = NULL;
  g_autofree char *first = g_build_filename (folder, ".npmrc", NULL);
  GPtrArray *paths;

  for (guint i = 0; i < 300; i++)
    {
      g_autofree char *name = g_strdup_printf ("packages/%u/.npmrc", i);

      put (folder, name);
    }
  put (folder, ".npmrc");
  guarded = beckon_guarded_paths_look (folder, NULL);
  paths = beckon_guarded_paths_get_paths (guarded);
  g_assert_true (beckon_guarded_paths_is_cut (guarded));
  g_assert_true (g_ptr_array_find_with_equal_func (paths, first, g_str_equal, NULL));
  g_assert_cmpuint (paths->len + beckon_guarded_paths_get_folders (guarded)->len, <, 300);
}

static void
test_cancelled (void)
{
  g_autoptr (Folder) folder = make_folder ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (BeckonGuardedPaths) guarded = NULL;

  put (folder, "a/.envrc");
  g_cancellable_cancel (cancellable);
  guarded = beckon_guarded_paths_look (folder, cancellable);
  g_assert_true (beckon_guarded_paths_is_cut (guarded));
  g_assert_cmpuint (beckon_guarded_paths_get_paths (guarded)->len, ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/guarded-paths/git", test_git);
  g_test_add_func ("/guarded-paths/others", test_others);
  g_test_add_func ("/guarded-paths/links", test_links);
  g_test_add_func ("/guarded-paths/many", test_many);
  g_test_add_func ("/guarded-paths/cancelled", test_cancelled);
  return g_test_run ();
}
