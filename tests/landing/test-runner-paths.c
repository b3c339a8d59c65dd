/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "landing/beckon-runners.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct
{
  const char *path;
  gboolean is_trigger;
} Case;

/* In a folder with a repository of its own, one of a submodule, a work tree, and one that is called otherwise. */
static gboolean
is_git (const char *folder, gpointer data)
{
  static const char *const directories[] = { ".git", "sub/.git", ".git/modules/a/b", ".git/worktrees/w", "bare" };

  for (guint i = 0; i < G_N_ELEMENTS (directories); i++)
    if (strcmp (folder, directories[i]) == 0)
      return TRUE;
  return FALSE;
}

static void
check (const Case *cases, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      g_test_message ("%s", cases[i].path);
      g_assert_cmpint (beckon_runner_git_obeys (cases[i].path, is_git, NULL)
                         || beckon_runner_table_find (cases[i].path, NULL) != NULL,
                       ==, cases[i].is_trigger);
    }
}

static void
test_git (void)
{
  static const Case cases[] = {
    { ".git", TRUE },
    { "deep/.git", TRUE },
    { "deep/er/.GIT/config", TRUE },
    { ".gitignore", FALSE },
    { ".gitattributes", FALSE },
    { "a/.gitmodules", TRUE },
    { ".git/config", TRUE },
    { ".git/config.lock", TRUE },
    { ".git/config.worktree", TRUE },
    { ".git/hooks", TRUE },
    { ".git/hooks/pre-commit", TRUE },
    { ".git/info/attributes", TRUE },
    { ".git/info/exclude", TRUE },
    { ".git/commondir", TRUE },
    { ".git/objects/info/alternates", TRUE },
    { ".git/rebase-merge/git-rebase-todo", TRUE },
    { ".git/rebase-apply/x", TRUE },
    { ".git/sequencer/todo", TRUE },
    { ".git/BISECT_START", TRUE },
    { ".git/new", TRUE },
    { ".git/index", FALSE },
    { ".git/index.lock", FALSE },
    { ".git/HEAD", FALSE },
    { ".git/ORIG_HEAD", FALSE },
    { ".git/COMMIT_EDITMSG", FALSE },
    { ".git/packed-refs", FALSE },
    { ".git/refs/heads/main", FALSE },
    { ".git/refs/remotes/origin/HEAD", FALSE },
    { ".git/logs/HEAD", FALSE },
    { ".git/objects/ab", FALSE },
    { ".git/objects/ab/0123456789abcdef0123456789abcdef012345", FALSE },
    { ".git/objects/ab/0123456789abcdef0123456789abcdef0123450123456789", TRUE },
    { ".git/objects/ab/cdef", TRUE },
    { ".git/objects/ab/tmp_obj_x", FALSE },
    /* A Git directory within what everyday commands write. */
    { ".git/objects/ab/config", TRUE },
    { ".git/objects/ab/e/HEAD", TRUE },
    { ".git/objects/pack/config", TRUE },
    { ".git/objects/pack/e/HEAD", TRUE },
    { ".git/objects/pack/tmp_pack_x", FALSE },
    { ".git/logs/refs/heads/config", FALSE },
    { ".git/refs/heads/feature/hooks.lock", FALSE },
    { ".git/logs/e/objects", TRUE },
    { ".git/logs/e/commondir", TRUE },
    { ".git/refs/heads/e/.git", TRUE },
    { ".git/refs/heads/e/COMMONDIR", TRUE },
    { ".git/refs/heads/feature/one", FALSE },
    { ".git/logs/refs/remotes/origin/HEAD", FALSE },
    { ".git/rr-cache/ab/config", TRUE },
    { ".git/rr-cache/ab/postimage", FALSE },
    { ".git/lfs/objects/e/config", TRUE },
    { ".git/lfs/objects/ab/cd/abcd", FALSE },
    { ".git/objects/pack/pack-1.pack", FALSE },
    { ".git/objects/info/commit-graph", FALSE },
    { ".git/info/refs", FALSE },
    { ".git/info/refs.lock", FALSE },
    { ".git/info/refs/x", TRUE },
    { ".git/info", TRUE },
    { "bare/info/refs", FALSE },
    { ".git/shallow", FALSE },
    { ".git/gc.log", FALSE },
    { ".git/index/config", TRUE },
    /* Submodules and work trees, known and new. */
    { ".git/modules/a/b/config", TRUE },
    { ".git/modules/a/b/hooks/x", TRUE },
    { ".git/modules/a/b/index", FALSE },
    { ".git/modules/new/HEAD", TRUE },
    { ".git/worktrees/w/index", FALSE },
    { ".git/worktrees/w/gitdir", TRUE },
    { ".git/worktrees/new/HEAD", TRUE },
    /* A Git directory anew, all of it. */
    { "vendor/x/.git/HEAD", TRUE },
    { "vendor/x/.git/objects/ab/cd", TRUE },
    { "sub/.git/index", FALSE },
    /* By another name. */
    { "bare/config", TRUE },
    { "bare/hooks/post-checkout", TRUE },
    { "bare/info/attributes", TRUE },
    { "bare/HEAD", FALSE },
    { "bare/objects/ab/0123456789abcdef0123456789abcdef012345", FALSE },
    { "bare/objects/info/alternates", TRUE },
    { "bare/refs/heads/main", FALSE },
    { "bare/readme", FALSE },
    { "plain/config", FALSE },
    { "plain/HEAD", TRUE },
    { "HEAD", TRUE },
    { "plain/head", TRUE },
    { "plain/hooks/x", FALSE },
  };

  check (cases, G_N_ELEMENTS (cases));
}

static void
test_others (void)
{
  static const Case cases[] = {
    { ".envrc", TRUE },
    { "a/b/.envrc", TRUE },
    { "a/.envrc.local", TRUE },
    { ".envrcs", FALSE },
    { ".ENVRC", TRUE },
    { ".env", FALSE },
    { ".vscode", TRUE },
    { ".vscode/tasks.json", TRUE },
    { "a/.idea/workspace.xml", TRUE },
    { ".husky/pre-commit", TRUE },
    { ".githooks/pre-push", TRUE },
    { ".pre-commit-config.yaml", TRUE },
    { ".npmrc", TRUE },
    { "pkg/.yarnrc.yml", TRUE },
    { ".cargo/config.toml", TRUE },
    { ".cargo/registry/x", FALSE },
    { ".devcontainer/devcontainer.json", TRUE },
    { ".devcontainer.json", TRUE },
    { ".claude/settings.json", TRUE },
    { ".cursor/rules/x", TRUE },
    { ".mcp.json", TRUE },
    { ".github/workflows/x.yml", TRUE },
    { ".gitlab-ci.yml", TRUE },
    { ".zed/tasks.json", TRUE },
    { ".nvim.lua", TRUE },
    { ".exrc", TRUE },
    { ".vimrc", TRUE },
    { ".dir-locals.el", TRUE },
    { ".editorconfig", FALSE },
    { ".tool-versions", TRUE },
    { ".mise.toml", TRUE },
    { "lefthook.yml", TRUE },
    { "lefthook.json", TRUE },
    { ".lefthook-local.toml", TRUE },
    { ".config/lefthook.jsonc", TRUE },
    { ".pnp.cjs", TRUE },
    { "pkg/bunfig.toml", TRUE },
    { "node_modules/.bin/x", FALSE },
    { ".hg/hgrc", TRUE },
    { ".hg/store/00manifest.i", FALSE },
    { ".yarn/releases/yarn.cjs", TRUE },
    { ".yarn/sdks/typescript/lib/tsserver.js", TRUE },
    { ".yarn/cache/x.zip", FALSE },
    { ".mvn/extensions.xml", TRUE },
    { ".mvn/jvm.config", TRUE },
    { ".bsp/sbt.json", TRUE },
    { ".bazelrc", TRUE },
    { "rust-toolchain.toml", TRUE },
    { ".Renviron", TRUE },
    { ".bundle/config", TRUE },
    { ".bundle/cache", FALSE },
    { ".config/mise/config.toml", TRUE },
    { ".config/app/x", FALSE },
    { ".jj", TRUE },
    { ".jj/repo/config.toml", TRUE },
    { ".jj/repo/op_store/x", FALSE },
    { "package.json", FALSE },
    { "Makefile", FALSE },
    { "src/main.c", FALSE },
    { "node_modules/x/.github/workflows/y.yml", FALSE },
    { "node_modules/x/.npmrc", FALSE },
    { "node_modules/x/.envrc", TRUE },
    { "node_modules/x/.git/config", TRUE },
    { "node_modules/x/HEAD", TRUE },
  };

  check (cases, G_N_ELEMENTS (cases));
}

/* A link there is judged by what it would be taken for. */
static void
test_leads (void)
{
  static const Case cases[] = {
    { "package.json", TRUE }, { "a/package.json", TRUE },
    { ".cargo", TRUE },       { "a/.CARGO", TRUE },
    { ".config", TRUE },      { ".jj", TRUE },
    { "repo", FALSE },        { "package-lock.json", FALSE },
    { "src", FALSE },         { "node_modules/a/package.json", FALSE },
  };
  g_autofree char *top = g_dir_make_tmp ("beckon-trigger-XXXXXX", NULL);
  g_autoptr (BeckonRunners) runners = beckon_runners_new (top, BECKON_RUNNERS_MAX_ENTRIES);
  const BeckonRunnerChange change = { .mode_after = S_IFLNK | 0777 };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *why = beckon_runners_why (runners, cases[i].path, NULL, NULL, &change);

      g_test_message ("%s: %s", cases[i].path, why);
      g_assert_cmpint (why != NULL, ==, cases[i].is_trigger);
    }
  g_assert_cmpint (g_rmdir (top), ==, 0);
}

/* Without knowing whether a Git directory is there, everything in one counts. */
static void
test_unknown (void)
{
  g_assert_true (beckon_runner_git_obeys (".git/index", NULL, NULL));
  g_assert_true (beckon_runner_git_obeys ("bare/HEAD", NULL, NULL));
  g_assert_false (beckon_runner_git_obeys ("bare/config", NULL, NULL));
}

static gboolean
is_in (const char *folder, const char *path)
{
  g_autofree char *why = beckon_runner_why (folder, path, NULL);

  g_test_message ("%s: %s", path, why);
  return why != NULL;
}

static void
test_on_disk (void)
{
  g_autofree char *top = g_dir_make_tmp ("beckon-trigger-XXXXXX", NULL);
  g_autofree char *line = g_strdup_printf ("cd '%s' && mkdir -p .bare/refs work/.git sub && echo x >.bare/HEAD && echo "
                                           "x >work/.git/HEAD && echo 'gitdir: .bare' >.git && "
                                           "ln -s tools .husky && ln -s settings .vscode && mkdir settings",
                                           top);
  g_autofree char *outside = g_build_filename (top, "..", "elsewhere", NULL);
  g_autofree char *inside = g_build_filename (top, "settings", "tasks.json", NULL);
  g_autofree char *removal = g_strdup_printf ("rm -rf '%s'", top);

  g_assert_cmpint (system (line), ==, 0);
  g_assert_true (is_in (top, ".bare/config"));
  g_assert_true (is_in (top, ".bare/hooks/x"));
  g_assert_true (is_in (top, ".bare/anything"));
  g_assert_false (is_in (top, ".bare/refs/heads/main"));
  g_assert_true (is_in (top, "work/.git/index"));
  g_assert_true (is_in (top, "work/.git/config"));
  g_assert_true (is_in (top, "sub/.git/index"));
  g_assert_true (is_in (top, "settings/tasks.json"));
  g_assert_true (is_in (top, inside));
  g_assert_true (is_in (top, "tools/pre-commit"));
  g_assert_false (is_in (top, "sub/x"));
  g_assert_false (is_in (top, outside));
  g_assert_cmpint (system (removal), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/runner-paths/git", test_git);
  g_test_add_func ("/runner-paths/others", test_others);
  g_test_add_func ("/runner-paths/unknown", test_unknown);
  g_test_add_func ("/runner-paths/leads", test_leads);
  g_test_add_func ("/runner-paths/on-disk", test_on_disk);
  return g_test_run ();
}
