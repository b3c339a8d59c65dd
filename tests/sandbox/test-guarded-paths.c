/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE

#include "sandbox/beckon-guarded-paths.h"
#include "sandbox/beckon-placeholder.h"

#include "beckon-tree.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
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

static void
put_text (const char *folder, const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  put (folder, name);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
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
  g_autoptr (BeckonGuardedPaths) guarded = beckon_guarded_paths_look (folder, TRUE, NULL);
  g_autofree char *paths = join (folder, guarded->paths);
  g_autofree char *folders = join (folder, guarded->folders);

  g_assert_cmpstr (paths, ==, expected);
  g_assert_cmpstr (folders, ==, expected_folders);
  g_assert_false (guarded->is_cut);
}

/* Folders of Git are found as a whole, and so are repositories without a work tree; one with a HEAD alone is none yet. */
static void
test_git (void)
{
  static const char *const names[] = {
    "a/.git/HEAD", "a/.git/config", "a/.git/hooks/x", "a/.git/config.lock", "a/.git/objects/aa/b",
    "a/.git/refs/heads/main", "b/c/.git", "head/HEAD", "head/config", "head/objects/pack/p", "a/main.c", "config",
    "bare/HEAD", "bare/config", "bare/objects/pack/p", "bare/refs/heads/main", "bare/config.lock", "d/.git/new",
  };
  g_autoptr (Folder) folder = make_folder ();

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    put (folder, names[i]);
  assert_found (folder, "a/.git b/c/.git bare d/.git head/config head/objects", "a b b/c d head");
}

static void
test_others (void)
{
  static const char *const names[] = {
    ".envrc", ".npmrc", "a/.vscode/tasks.json", "a/.cargo/registry", "a/Makefile", "a/.jj/repo/store/x",
    "node_modules/x/.npmrc", "node_modules/x/.envrc",
  };
  g_autoptr (Folder) folder = make_folder ();

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    put (folder, names[i]);
  assert_found (folder, ".envrc .npmrc a/.cargo a/.jj a/.vscode node_modules/x/.envrc", "a node_modules node_modules/x");
}

static void
assert_cut (const char *folder)
{
  g_autoptr (BeckonGuardedPaths) guarded = beckon_guarded_paths_look (folder, TRUE, NULL);

  g_assert_true (guarded->is_cut);
  g_assert_false (guarded->has_more);
}

/* None is followed. One that chooses what is run can't be mounted over, so nothing is to be written then. */
static void
test_links (void)
{
  g_autoptr (Folder) folder = make_folder ();
  g_autoptr (Folder) outside = make_folder ();
  g_autofree char *link = g_build_filename (folder, ".envrc", NULL);
  g_autofree char *way = g_build_filename (folder, "way", NULL);
  g_autofree char *read = g_build_filename (folder, "CLAUDE.md", NULL);

  put (outside, ".envrc");
  put (folder, "AGENTS.md");
  g_assert_cmpint (symlink (outside, way), ==, 0);
  g_assert_cmpint (symlink ("AGENTS.md", read), ==, 0);
  assert_found (folder, "AGENTS.md", "");
  g_assert_cmpint (symlink (outside, link), ==, 0);
  assert_cut (folder);
}

/* A hook calls a script, which calls another one; a folder in PATH takes all that comes. */
static void
test_called (void)
{
  g_autoptr (Folder) folder = make_folder ();
  g_autofree char *hook = g_build_filename (folder, ".git", "hooks", "pre-commit", NULL);
  g_autofree char *lint = g_build_filename (folder, "tools", "lint.sh", NULL);
  g_autofree char *envrc = g_build_filename (folder, ".envrc", NULL);
  g_autofree char *program = g_build_filename (folder, "bin", "x", NULL);

  put (folder, ".git/HEAD");
  put (folder, ".git/hooks/pre-commit");
  put (folder, "tools/lint.sh");
  put (folder, "tools/more.py");
  put (folder, "tools/notes.md");
  put (folder, "lib/other.py");
  put (folder, "bin/x");
  g_assert_true (g_file_set_contents_full (hook, "#!/bin/sh\n./tools/lint.sh\n", -1, 0, 0700, NULL));
  g_assert_true (g_file_set_contents_full (lint, "#!/bin/sh\npython3 tools/more.py\n", -1, 0, 0700, NULL));
  g_assert_true (g_file_set_contents_full (program, "#!/bin/sh\n", -1, 0, 0700, NULL));
  assert_found (folder, ".git tools/lint.sh tools/more.py", "tools");
  g_assert_true (g_file_set_contents (envrc, "PATH_add bin\n", -1, NULL));
  assert_found (folder, ".envrc .git bin tools/lint.sh tools/more.py", "tools");
  g_assert_true (g_file_set_contents (envrc, "PATH_add .\n", -1, NULL));
  assert_cut (folder);
}

/* Scripts of a hook that are not there, and the folders on their way; not what a program makes, or what only looks like a path. */
static void
test_missing (void)
{
  static const struct
  {
    const char *file;
    const char *text;
    const char *missing;
  } cases[] = {
    { ".git/hooks/pre-commit", "./scripts/x.sh\npython3 tools/deep/y.py && . .venv/bin/activate", "scripts tools/deep .venv" },
    { ".git/hooks/pre-commit", "bash tools/link/z.sh; tools/run --x; bare.sh", "other tools/run" },
    { ".git/hooks/pre-commit", "node tools/file/x.js", "" },
    { ".git/hooks/pre-commit", "make lint; npx eslint; node node_modules/x/cli.js; sh tools/there.sh; echo a/b", "" },
    { ".git/config", "[core]\nhooksPath = .myhooks\nfsmonitor = ./watch\n[remote \"o\"]\nurl = a/b\nfetch = +refs/heads/*:refs/x/*\n",
      ".myhooks watch" },
    { ".envrc", "PATH_add bin\nexport A=x/y", "bin" },
    { ".vscode/settings.json", "{\"a\": \"text/html\", \"b\": {\"**/*.js\": \"Next.js x.py\"}, \"c\": \"./build\", \"d\": \"s/run.py\"}", "s" },
    { ".git/hooks/pre-commit", "cd tools\n\"$ROOT/dev/verify\" tools/there.sh", "dev tools/dev" },
    { ".git/hooks/pre-commit", "ls tools\n\"$ROOT/dev/verify\" tools/there.sh", "dev" },
    { ".git/hooks/pre-commit", "make; node tools/there.js; sh tools/there.sh; go test ./...; go test ./x/...; echo add to path; export PATH=\"$(go env P)\"", "" },
    { ".vscode/tasks.json", "{\"tasks\": [{\"command\": \"./dev/run\",\n\"args\": [\"a/b\"]}]}", "dev" },
    { "lefthook.yml", "pre-commit:\n  jobs:\n    - run: hooks/check {files}\n      glob: x/y\n", "hooks" },
    { ".pre-commit-config.yaml", "- repo: https://x.org/a/b.py\n  entry: python3 check.py\n  args: [a/b, .ts]", "check.py" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (Folder) folder = make_folder ();
      g_autoptr (BeckonGuardedPaths) guarded = NULL;
      g_autofree char *link = g_build_filename (folder, "tools", "link", NULL);
      g_autofree char *held = g_build_filename (folder, "scripts", NULL);
      g_autofree char *found = NULL;

      put (folder, ".git/HEAD");
      put (folder, "tools/file");
      put_text (folder, "Makefile", "x:\n\tgo build -ldflags '-X a/b.c=$(D)' ./cmd/x\n\tpath=a ./bin/x\n");
      put_text (folder, "tools/there.js", "const path = require('path')\nrequire('./x/y.js')\nimport 'a/b'");
      put_text (folder, "tools/there.sh", "#!/bin/sh\nexec ./tools/file");
      put_text (folder, cases[i].file, cases[i].text);
      g_assert_cmpint (symlink ("../other", link), ==, 0);
      /* Another server stands in for it already. */
      g_assert_true (i > 0 || beckon_placeholder_hold (held, TRUE));
      guarded = beckon_guarded_paths_look (folder, TRUE, NULL);
      found = join (folder, guarded->missing);
      g_assert_cmpstr (found, ==, cases[i].missing);
      if (i == 0)
        beckon_placeholder_release (held);
    }
}

/* Wherever they lie, whether anything is written or not. */
static void
test_pipes (void)
{
  g_autoptr (Folder) folder = make_folder ();
  g_autofree char *deep = g_build_filename (folder, "a", ".git", "pipe", NULL);
  g_autofree char *top = g_build_filename (folder, "pipe", NULL);

  put (folder, "a/.git/HEAD");
  g_assert_cmpint (mkfifo (deep, 0600), ==, 0);
  g_assert_cmpint (mkfifo (top, 0600), ==, 0);
  for (guint may_write = 0; may_write < 2; may_write++)
    {
      g_autoptr (BeckonGuardedPaths) guarded = beckon_guarded_paths_look (folder, may_write == 1, NULL);
      g_autofree char *pipes = join (folder, guarded->pipes);
      g_autofree char *paths = join (folder, guarded->paths);

      g_assert_cmpstr (pipes, ==, "pipe a/.git/pipe");
      g_assert_cmpstr (paths, ==, may_write == 1 ? "a/.git" : "");
    }
}

/* A link to a Git folder can be exchanged, whatever is mounted. */
static void
test_git_link (void)
{
  g_autoptr (Folder) folder = make_folder ();
  g_autoptr (Folder) outside = make_folder ();
  g_autofree char *link = g_build_filename (folder, "a", ".git", NULL);

  put (folder, "a/main.c");
  g_assert_cmpint (symlink (outside, link), ==, 0);
  assert_cut (folder);
}

/* With more names than are looked at it is known that not all were seen, though the last folder has them all. */
static void
test_names (void)
{
  g_autoptr (Folder) folder = g_strdup ("/dev/shm/beckon-guarded-XXXXXX");
  int fd;

  /* So many files take too long on a disk. */
  if (g_mkdtemp (folder) == NULL)
    {
      g_test_skip ("There is no file system in memory");
      return;
    }
  fd = open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  g_assert_cmpint (fd, >=, 0);
  for (guint i = 0; i <= 200000; i++)
    {
      char name[16];

      g_snprintf (name, sizeof name, "%u", i);
      g_assert_cmpint (mknodat (fd, name, S_IFREG | 0600, 0), ==, 0);
    }
  close (fd);
  assert_cut (folder);
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
  guarded = beckon_guarded_paths_look (folder, TRUE, NULL);
  paths = guarded->paths;
  g_assert_true (guarded->is_cut);
  g_assert_true (g_ptr_array_find_with_equal_func (paths, first, g_str_equal, NULL));
  g_assert_cmpuint (paths->len + guarded->folders->len, <, 300);
}

static void
test_cancelled (void)
{
  g_autoptr (Folder) folder = make_folder ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (BeckonGuardedPaths) guarded = NULL;

  put (folder, "a/.envrc");
  g_cancellable_cancel (cancellable);
  guarded = beckon_guarded_paths_look (folder, TRUE, cancellable);
  g_assert_true (guarded->is_cut);
  g_assert_true (guarded->has_more);
  g_assert_cmpuint (guarded->paths->len, ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/guarded-paths/git", test_git);
  g_test_add_func ("/guarded-paths/others", test_others);
  g_test_add_func ("/guarded-paths/links", test_links);
  g_test_add_func ("/guarded-paths/git-link", test_git_link);
  g_test_add_func ("/guarded-paths/called", test_called);
  g_test_add_func ("/guarded-paths/missing", test_missing);
  g_test_add_func ("/guarded-paths/pipes", test_pipes);
  g_test_add_func ("/guarded-paths/names", test_names);
  g_test_add_func ("/guarded-paths/many", test_many);
  g_test_add_func ("/guarded-paths/cancelled", test_cancelled);
  return g_test_run ();
}
