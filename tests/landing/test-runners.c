/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

/* Walks the table of runners: in each row its file and what that calls change, by a command that writes, links and renames and by
 * a file tool, and each of them waits. A row without a case fails. What the real programs run is in test-agent-planted.c. */

#include "beckon-lander-fixture.h"
#include "landing/beckon-runners.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define WRITE(path, text) "mkdir -p \"$(dirname " path ")\"; echo '" text "' >" path "; "
#define SCRIPT(path) WRITE (path, "#!/bin/sh") "chmod +x " path "; "
#define GIT "git init -q .; "

/**
 * Case:
 * @row: the first pattern of the row's files, or of its places
 * @before: what the person has; in the folder, or in the home for a place
 * @file: the runner's, relative to the folder
 * @callee: (nullable): what it calls
 * @says: (nullable): what the reason for the callee names
 */
typedef struct
{
  const char *row;
  const char *before;
  const char *file;
  const char *callee;
  const char *says;
} Case;

static const Case cases[] = {
  { ".gitmodules", GIT SCRIPT ("watch") "git config core.fsmonitor ./watch", ".git/config", "watch", ".git/config calls" },
  { ".gitmodules", GIT WRITE (".gitmodules", "[submodule \"a\"]"), ".gitmodules", NULL, NULL },
  { ".gitmodules", GIT SCRIPT ("lint.sh") WRITE (".git/hooks/pre-commit", "./lint.sh && python3 tools/check.py") WRITE ("tools/check.py", "print(1)"),
    ".git/hooks/pre-commit", "lint.sh", ".git/hooks/pre-commit calls ./lint.sh" },
  { ".gitmodules", GIT WRITE (".git/hooks/pre-commit", "./lint.sh && python3 tools/check.py") WRITE ("tools/check.py", "print(1)"),
    ".git/hooks/pre-commit", "tools/check.py", ".git/hooks/pre-commit" },
  { ".gitmodules", GIT SCRIPT ("a.sh") WRITE ("lint.sh", "sh ./a.sh") WRITE (".git/hooks/pre-push", "sh lint.sh"), ".git/hooks/pre-push",
    "a.sh", "lint.sh calls" },
  { ".gitmodules", GIT "git config core.hooksPath tools/hooks; " WRITE ("tools/hooks/pre-commit", "exec sh \"$(dirname \"$0\")/../x.sh\"")
    WRITE ("tools/x.sh", "true"), "tools/hooks/pre-commit", "tools/x.sh", "pre-commit calls" },
  { ".husky", WRITE (".githooks/pre-commit", "#!/usr/bin/env python3\nfrom tools import check") WRITE ("tools/check.py", "1"), ".githooks/pre-commit",
    "tools/check.py", "calls check" },
  { ".pre-commit-config.yaml", WRITE (".pre-commit-config.yaml", "- {id: check, entry: python -m tools.check, language: system}")
    WRITE ("tools/check.py", "1"), NULL, "tools/check.py", "tools.check" },
  { "package.json", WRITE ("package.json", "{\"name\":\"a\",\"scripts\":{\"prepare\":\"node scripts/prepare.js\"}}") WRITE ("scripts/prepare.js", "1"),
    NULL, "scripts/prepare.js", "package.json calls" },
  { "package.json", WRITE ("package.json", "{\"scripts\":{\"prepare\":\"node scripts/prepare.js\"}}")
    WRITE ("scripts/prepare.js", "require(\"./util\")") WRITE ("scripts/util.js", "1"), NULL, "scripts/util.js", "scripts/prepare.js calls" },
  { ".envrc", WRITE (".envrc", "source ./scripts/env.sh") WRITE ("scripts/env.sh", "export A=1"), ".envrc", "scripts/env.sh", ".envrc calls" },
  { ".envrc", WRITE (".envrc", "PATH_add bin") SCRIPT ("bin/ls"), ".envrc", "bin/ls", "PATH_add|bin" },
  { "mise.toml", WRITE ("mise.toml", "[hooks]\nenter = \"./enter.sh\"\n[env]\n_.source = \"env.sh\"") SCRIPT ("enter.sh") WRITE ("env.sh", "A=1"),
    "mise.toml", "enter.sh", "mise.toml calls" },
  { "mise.toml", WRITE ("mise.toml", "[env]\n_.source = \"env.sh\"") WRITE ("env.sh", "A=1"), "mise.toml", "env.sh", "mise.toml calls" },
  { ".direnv", WRITE (".autoenv", "source ./a.sh") WRITE ("a.sh", "true"), ".autoenv", "a.sh", NULL },
  { ".npmrc", WRITE (".npmrc", "script-shell=./tools/sh") SCRIPT ("tools/sh"), ".npmrc", "tools/sh", ".npmrc calls" },
  { ".yarnrc", WRITE (".yarnrc.yml", "yarnPath: tools/yarn.cjs") WRITE ("tools/yarn.cjs", "1"), ".yarnrc.yml", "tools/yarn.cjs", "tools/yarn.cjs" },
  { ".husky", WRITE (".husky/pre-push", "sh scripts/check.sh") WRITE ("scripts/check.sh", "true"), ".husky/pre-push", "scripts/check.sh",
    ".husky/pre-push calls" },
  { ".pre-commit-config.yaml",
    WRITE (".pre-commit-config.yaml", "repos:\n- repo: local\n  hooks:\n  - {id: check, entry: ./check.sh, language: script}") SCRIPT ("check.sh"),
    ".pre-commit-config.yaml", "check.sh", ".pre-commit-config.yaml calls" },
  { "lefthook.yml", WRITE ("lefthook.yml", "pre-commit:\n  commands:\n    a:\n      run: ./check.sh {staged_files}") SCRIPT ("check.sh"),
    "lefthook.yml", "check.sh", NULL },
  { ".vscode",
    WRITE (".vscode/tasks.json", "{\"tasks\":[{\"type\":\"shell\",\"command\":\"./run.sh\",\"runOptions\":{\"runOn\":\"folderOpen\"}}]}") SCRIPT ("run.sh"),
    ".vscode/tasks.json", "run.sh", ".vscode/tasks.json calls" },
  { ".idea", WRITE (".zed/tasks.json", "[{\"label\":\"a\",\"command\":\"./run.sh\"}]") SCRIPT ("run.sh"), ".zed/tasks.json", "run.sh", NULL },
  { ".nvim.lua", WRITE (".exrc", "source tools/a.vim") WRITE ("tools/a.vim", "set nu"), ".exrc", "tools/a.vim", NULL },
  { ".dir-locals.el", WRITE (".dir-locals.el", "((nil . ((eval . (load \"./a.el\")))))") WRITE ("a.el", "1"), ".dir-locals.el", "a.el", NULL },
  { ".gdbinit", WRITE (".gdbinit", "source tools/a.py") WRITE ("tools/a.py", "1"), ".gdbinit", "tools/a.py", NULL },
  { "sitecustomize.py", WRITE ("sitecustomize.py", "import a") WRITE ("a.py", "1"), "sitecustomize.py", "a.py", NULL },
  { ".mvn", WRITE (".cargo/config.toml", "[build]\nrustc-wrapper = \"./wrap.sh\"") SCRIPT ("wrap.sh"), ".cargo/config.toml", "wrap.sh", NULL },
  { ".hg$", WRITE (".hg/hgrc", "[hooks]\ncommit = ./a.sh") SCRIPT ("a.sh"), ".hg/hgrc", "a.sh", NULL },
  { ".jj$", WRITE (".jj/repo/config.toml", "[fix]\ntools = [\"./a.sh\"]") SCRIPT ("a.sh"), ".jj/repo/config.toml", "a.sh", NULL },
  { ".claude", WRITE (".mcp.json", "{\"mcpServers\":{\"a\":{\"command\":\"node\",\"args\":[\"server.js\"]}}}") WRITE ("server.js", "1"), ".mcp.json",
    "server.js", ".mcp.json calls" },
  { "AGENTS.md", WRITE ("AGENTS.md", "Be kind."), "AGENTS.md", NULL, NULL },
  { "AGENTS.md", WRITE ("a/CLAUDE.md", "Rules: @../docs/rules.md.\nMail me@src/a.c.") WRITE ("docs/rules.md", "Be kind."), "a/CLAUDE.md",
    "docs/rules.md", "CLAUDE.md imports ../docs/rules.md" },
  { "AGENTS.md", WRITE ("GEMINI.md", "(@docs/one)") WRITE ("docs/one", "@./two.md#part") WRITE ("docs/two.md", "@../r/y")
    WRITE ("r/y", "Be kind."), "GEMINI.md", "r/y", "docs/two.md imports ../r/y" },
  { "AGENTS.md", WRITE (".claude/commands/x.md", "@../../docs/x") WRITE ("docs/x", "y"), NULL, "docs/x", "x.md imports" },
  { ".github", WRITE (".github/workflows/a.yml", "jobs:"), ".github/workflows/a.yml", NULL, NULL },
};

/* Places of the home, each the folder that the agent works in, and the file that it writes there. */
static const struct
{
  const char *row;
  const char *folder;
  const char *file;
  gboolean waits;
} places[] = {
  { ".profile", ".config/autostart", "e.desktop", TRUE },
  { ".profile", ".config/systemd/user", "e.service", TRUE },
  { ".profile", ".config/environment.d", "e.conf", TRUE },
  { ".profile", ".config/fish", "config.fish", TRUE },
  { ".profile", ".ssh", "authorized_keys", TRUE },
  { ".gitmodules", ".config/git", "config", TRUE },
  { ".profile", ".config/hypr", "hyprland.conf", FALSE },
  { ".profile", "bin", "git", TRUE },
};

static char *home;

/* Whether the change of @path waits, however it came about; its reason is kept in @why. */
static gboolean
find_change (Fixture *fixture, const char *path, char **why)
{
  for (guint i = 0; i < beckon_change_set_get_n_changes (fixture->landing->changes); i++)
    {
      BeckonFileChange *change = beckon_change_set_get (fixture->landing->changes, i);

      if (strcmp (change->path, path) != 0)
        continue;
      *why = g_strdup (change->remark);
      return change->concern == BECKON_FILE_CONCERN_TRIGGER;
    }

  return FALSE;
}

/* In a fresh folder. */
static void
try_command (const Case *this, const char *path, const char *line, const char *says)
{
  Fixture fixture = { 0 };
  g_autoptr (GString) whole = g_string_new (line);
  g_autofree char *why = NULL;

  g_string_replace (whole, "{}", path, 0);
  set_up (&fixture, NULL);
  run (&fixture, this->before);
  run (&fixture, "mkdir -p src other; echo 'int a;' >src/a.c; echo words >notes.md");
  command (&fixture, whole->str);
  survey (&fixture);
  g_assert_true (find_change (&fixture, path, &why));
  g_test_message ("%s: %s", whole->str, why);
  if (says != NULL && strstr (says, "|") == NULL)
    {
      g_assert_nonnull (why);
      g_assert_nonnull (strstr (why, says));
    }
  tear_down (&fixture, NULL);
}

static void
try_tool (const Case *this, const char *path)
{
  Fixture fixture = { 0 };
  g_autofree char *why = NULL;
  g_autofree char *everyday = NULL;
  g_autofree char *new = NULL;

  set_up (&fixture, NULL);
  run (&fixture, this->before);
  run (&fixture, "mkdir -p src; echo 'int a;' >src/a.c");
  why = beckon_runner_why (fixture.folder, path, NULL);
  g_assert_nonnull (why);
  everyday = beckon_runner_why (fixture.folder, "src/a.c", NULL);
  g_assert_cmpstr (everyday, ==, NULL);
  new = beckon_runner_why (fixture.folder, "new.txt", NULL);
  g_assert_cmpstr (new, ==, NULL);
  tear_down (&fixture, NULL);
}

/* A command that does what everyday work does. */
static void
try_everyday (const Case *this)
{
  static const char *const paths[] = { "src/a.c", "notes.md", "new.txt" };
  Fixture fixture = { 0 };

  set_up (&fixture, NULL);
  run (&fixture, this->before);
  run (&fixture, "mkdir -p src; echo 'int a;' >src/a.c; echo words >notes.md");
  command (&fixture, "echo >>src/a.c; echo >>notes.md; echo x >new.txt");
  survey (&fixture);
  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      g_autofree char *why = NULL;

      g_assert_false (find_change (&fixture, paths[i], &why));
    }
  tear_down (&fixture, NULL);
}

static void
try_path (const Case *this, const char *path, const char *says)
{
  static const char *const lines[] = {
    "echo '#' >>{}",
    "mv {} x; cp notes.md {}; chmod +x {}",
    "rm {}; ln -s \"$PWD/src/a.c\" {}",
  };

  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    try_command (this, path, lines[i], says);
  try_tool (this, path);
}

static void
test_case (gconstpointer data)
{
  const Case *this = data;

  if (this->file != NULL)
    try_path (this, this->file, NULL);
  if (this->callee != NULL)
    try_path (this, this->callee, this->says);
  try_everyday (this);
}

static void
test_places (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    {
      g_autofree char *folder = g_build_filename (home, places[i].folder, NULL);
      const BeckonRunnerChange change = { .mode_after = S_IFREG | (strcmp (places[i].folder, "bin") == 0 ? 0755 : 0644) };
      g_autofree char *why = NULL;

      g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
      why = beckon_runner_why (folder, places[i].file, &change);
      g_test_message ("%s/%s: %s", places[i].folder, places[i].file, why);
      g_assert_cmpint (why != NULL, ==, places[i].waits);
    }
}

/* Files of the home that are links into a project, and what they name in it. */
static void
test_led_from_home (void)
{
  static const struct
  {
    const char *path;
    gboolean waits;
  } paths[] = { { "bashrc", TRUE }, { "env.sh", TRUE }, { "run.py", TRUE }, { "tool", TRUE }, { "rules.md", TRUE }, { "notes.md", FALSE } };
  g_autofree char *folder = g_build_filename (home, "dots", NULL);
  g_autofree char *line
      = g_strdup_printf ("cd '%s' && mkdir -p dots .config/systemd/user bin && echo 'source ~/dots/env.sh' >dots/bashrc && "
                         "ln -sf dots/bashrc .bashrc && echo >dots/env.sh && echo >dots/run.py && echo >dots/tool && "
                         "printf '[Service]\\nExecStart=%%%%h/dots/run.py\\n' >.config/systemd/user/e.service && "
                         "ln -sf ../dots/tool bin/tool && mkdir -p .claude && echo '@~/dots/rules.md' >.claude/CLAUDE.md && "
                         "echo >dots/rules.md && echo >dots/notes.md",
                         home);

  g_assert_cmpint (system (line), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      g_autofree char *why = beckon_runner_why (folder, paths[i].path, NULL);

      g_test_message ("%s: %s", paths[i].path, why);
      g_assert_cmpint (why != NULL, ==, paths[i].waits);
    }
}

/* A changed program of a repository counts; what Git ignores, what is new and what is elsewhere does not. */
static void
test_programs (Fixture *fixture, gconstpointer data)
{
  run (fixture, GIT SCRIPT ("run") SCRIPT ("a/b/run") SCRIPT ("target/run") SCRIPT ("node_modules/a/run") SCRIPT ("a/run.tmp")
                    WRITE (".gitignore", "target/\n*.tmp\n!a/kept.tmp") SCRIPT ("a/kept.tmp") WRITE ("text", "x"));
  command (fixture, "for f in run a/b/run target/run node_modules/a/run a/run.tmp a/kept.tmp text; do echo >>$f; done; "
                    "echo x >new; chmod +x new");
  survey (fixture);
  assert_list (fixture, "*a/b/run program open\n*a/kept.tmp program open\n*a/run.tmp open\n+new open\n*node_modules/a/run open\n"
                        "*run program open\n*target/run open\n*text open\n");
}

/* A program that Git tracks counts though .gitignore names it, and where something else comes to its path: a new file when it was
 * away, a link, or a link in place of a folder of it. */
static void
test_tracked_programs (Fixture *fixture, gconstpointer data)
{
  run (fixture, GIT SCRIPT ("run") SCRIPT ("gone") SCRIPT ("way") SCRIPT ("tools/x") WRITE ("text", "x")
                    "git add -A && git -c user.name=a -c user.email=a@b commit -qm x && rm gone && "
                    WRITE (".gitignore", "*") "true");
  command (fixture, "echo >>run; echo >gone; ln -sf text way; cp -r tools t2; rm -r tools; ln -s t2 tools; echo >>text");
  survey (fixture);
  assert_list (fixture, "+gone program open\n*run program open\n>t2/x < tools/x {*tools} program open\n*text open\n*way program open\n");
}

/* The folder is itself one that a runner reads, or lies in one. */
static void
test_folder_of_runner (void)
{
  static const struct
  {
    const char *folder;
    const char *file;
    gboolean waits;
  } chosen[] = {
    { ".husky", "pre-commit", TRUE }, { ".vscode", "tasks.json", TRUE },  { ".claude", "settings.json", TRUE },
    { ".git/hooks", "pre-commit", TRUE }, { ".git/info", "attributes", TRUE },
    { ".git/objects", "ab/0123456789abcdef0123456789abcdef012345", FALSE },
    { ".github/workflows", "ci.yml", TRUE }, { "src", "pre-commit", FALSE },
  };
  Fixture fixture = { 0 };

  set_up (&fixture, NULL);
  run (&fixture, GIT "mkdir -p .husky .vscode .claude .github/workflows src");
  for (guint i = 0; i < G_N_ELEMENTS (chosen); i++)
    {
      g_autofree char *folder = g_build_filename (fixture.folder, chosen[i].folder, NULL);
      g_autofree char *why = beckon_runner_why (folder, chosen[i].file, NULL);

      g_test_message ("%s/%s: %s", chosen[i].folder, chosen[i].file, why);
      g_assert_cmpint (why != NULL, ==, chosen[i].waits);
    }
  tear_down (&fixture, NULL);
}

/* A hook that calls npm runs what package.json says, which is no installation. */
static void
test_package_in_hook (Fixture *fixture, gconstpointer data)
{
  g_autofree char *why = NULL;

  run (fixture, WRITE (".husky/pre-commit", "npm test") WRITE ("package.json", "{\"scripts\":{\"test\":\"true\"}}"));
  command (fixture, "sed -i s/true/false/ package.json");
  survey (fixture);
  g_assert_true (find_change (fixture, "package.json", &why));
  g_assert_nonnull (strstr (why, ".husky/pre-commit calls npm"));
}

/* A subfolder of the repository is the folder. */
static void
test_subfolder (void)
{
  Fixture fixture = { 0 };
  g_autofree char *folder = NULL;
  static const char *const paths[] = { "lint.sh", "check.sh", "run.sh" };

  set_up (&fixture, NULL);
  run (&fixture, GIT WRITE (".git/hooks/pre-commit", "sub/lint.sh") WRITE (".husky/pre-push", "sh sub/check.sh")
                     WRITE (".vscode/tasks.json", "{\"command\":\"sub/run.sh\"}") "mkdir sub; touch sub/lint.sh sub/check.sh sub/run.sh");
  folder = g_build_filename (fixture.folder, "sub", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      g_autofree char *why = beckon_runner_why (folder, paths[i], NULL);

      g_test_message ("%s: %s", paths[i], why);
      g_assert_nonnull (why);
    }
  tear_down (&fixture, NULL);
}

/* Servers of one's own. */
static void
test_servers (void)
{
  static const struct
  {
    const char *path;
    const char *server; /* (nullable) */
  } paths[] = {
    { "server.py", "one" }, { "run.sh", "two" }, { "srv.py", "three" }, { "lib/util.py", "one" }, { "notes.md", NULL }, { "data/x.txt", NULL },
  };
  Fixture fixture = { 0 };
  g_autofree char *server = NULL;
  BeckonRunnerProgram programs[] = { { .server = "one" }, { .server = "two" }, { .server = "three" }, { .server = "data" } };

  set_up (&fixture, NULL);
  run (&fixture, SCRIPT ("run.sh") WRITE ("server.py", "1") WRITE ("srv.py", "1") WRITE ("lib/util.py", "1") WRITE ("data/x.txt", "1"));
  server = g_build_filename (fixture.folder, "server.py", NULL);
  programs[0].argv = (const char *const[]){ "python3", server, NULL };
  programs[1].folder = programs[2].folder = fixture.folder;
  programs[1].argv = (const char *const[]){ "./run.sh", NULL };
  programs[2].argv = (const char *const[]){ "sh", "-c", "exec python3 ./srv.py", NULL };
  programs[3].argv = (const char *const[]){ "npx", "-y", "server-of-files", fixture.folder, NULL };
  beckon_runners_set_programs (programs, G_N_ELEMENTS (programs));
  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      g_autofree char *why = beckon_runner_why (fixture.folder, paths[i].path, NULL);

      g_test_message ("%s: %s", paths[i].path, why);
      g_assert_cmpint (why != NULL, ==, paths[i].server != NULL);
      if (paths[i].server != NULL)
        g_assert_nonnull (strstr (why, paths[i].server));
    }
  beckon_runners_set_programs (NULL, 0);
  tear_down (&fixture, NULL);
}

/* A row without a case fails. */
static void
test_all_rows (void)
{
  const BeckonRunner *row;

  for (guint i = 0; (row = beckon_runner_table_get (i)) != NULL; i++)
    {
      const char *patterns = row->files != NULL ? row->files : row->home != NULL ? row->home : "package.json";
      g_auto (GStrv) split = g_strsplit (patterns, " ", 2);
      gboolean is_here = FALSE;

      for (guint j = 0; j < G_N_ELEMENTS (cases); j++)
        is_here = is_here || strcmp (cases[j].row, split[0]) == 0;
      for (guint j = 0; j < G_N_ELEMENTS (places); j++)
        is_here = is_here || strcmp (places[j].row, split[0]) == 0;
      if (!is_here)
        g_error ("the row “%s” that begins with “%s” has no case", row->name, split[0]);
    }
}

static void
add_cases (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strdup_printf ("/runners/%02u-%s", i, cases[i].row);

      g_test_add_data_func (path, &cases[i], test_case);
    }
  g_test_add_func ("/runners/all-rows", test_all_rows);
  g_test_add_func ("/runners/places", test_places);
  g_test_add_func ("/runners/led-from-home", test_led_from_home);
  g_test_add_func ("/runners/subfolder", test_subfolder);
  g_test_add_func ("/runners/servers", test_servers);
  CASE ("/runners/programs", test_programs);
  CASE ("/runners/tracked-programs", test_tracked_programs);
  g_test_add_func ("/runners/folder-of-runner", test_folder_of_runner);
  CASE ("/runners/package-in-hook", test_package_in_hook);
}

int
main (int argc, char *argv[])
{
  g_autofree char *made = g_dir_make_tmp ("beckon-runners-XXXXXX", NULL);
  g_autofree char *config = g_build_filename (made, ".config", NULL);
  g_autofree char *bin = g_build_filename (made, "bin", NULL);
  g_autofree char *path = g_strdup_printf ("%s:%s", bin, g_getenv ("PATH"));
  g_autofree char *removal = g_strdup_printf ("rm -rf '%s'", made);
  int status;

  home = made;
  g_setenv ("HOME", made, TRUE);
  g_setenv ("XDG_CONFIG_HOME", config, TRUE);
  g_setenv ("PATH", path, TRUE);
  status = run_cases (&argc, &argv, add_cases);
  return system (removal) == 0 ? status : 1;
}
