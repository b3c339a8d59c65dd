/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

/* Commands plant files that the person's own programs run: Git, direnv, an editor and npm, all of them real. Each plant is tried
 * first without Beckon, where it has to work; and then as a command, in the modes that let commands start unasked. */

#include "beckon-agent-fixture.h"
#include "beckon-tree.h"

#include "landing/beckon-landing-place.h"
#include "landing/beckon-runners.h"
#include "request/beckon-changes-request.h"
#include "sandbox/beckon-sandbox-view.h"
#include "sandbox/beckon-sandbox.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

#define FSMONITOR "git config core.fsmonitor 'touch \"$RAN\"; false'"
#define RUNS "printf '#!/bin/sh\\ntouch \"$RAN\"\\n'"
#define PACKAGE(scripts) "echo '{\"name\":\"a\",\"version\":\"1.0.0\",\"scripts\":{" scripts "}}'"
#define INSTALL "npm install --offline --no-audit --no-fund"
#define COMMITS "git init -q && echo 1 >file && git add file && git commit -qm one && echo 2 >file && git commit -qam two"

/**
 * Plant:
 * @name: of the case
 * @program: the person's, without which there is nothing to try
 * @before: what the person had in the folder
 * @plant: the command
 * @person: what the person runs afterwards, which makes the file $RAN where the plant works
 * @own: (nullable): what Beckon itself runs, relative to the folder
 */
typedef struct
{
  const char *name;
  const char *program;
  const char *before;
  const char *plant;
  const char *person;
  const char *own;
} Plant;

#define KEY(path) "printf '#!/bin/sh\n' >" path " && chmod +x " path

#define HOOK(command) "printf '#!/bin/sh\n" command "\n' >.git/hooks/pre-commit && chmod +x .git/hooks/pre-commit"

static const Plant plants[] = {
  { "git-nested", "git", "true", "git init -q vendor/lib && cd vendor/lib && " FSMONITOR, "cd vendor/lib && git status" },
  { "git-existing", "git", "git init -q vendor/lib", "cd vendor/lib && " FSMONITOR, "cd vendor/lib && git status" },
  { "git-bare", "git", "true",
    "git init -q --bare b && cd b && git config core.bare false && git config core.worktree . && " FSMONITOR, "cd b && git status" },
  { "git-file", "git", "true",
    "git init -q --bare .bare && (cd .bare && git config core.bare false && " FSMONITOR ") && echo gitdir: .bare >.git",
    "git status" },
  { "git-hook", "git", "git init -q", RUNS " >.git/hooks/pre-commit && chmod +x .git/hooks/pre-commit",
    "git commit -q --allow-empty -m x" },
  { "git-hooks-path", "git", "git init -q && git config core.hooksPath mine",
    "mkdir -p mine && " RUNS " >mine/pre-commit && chmod +x mine/pre-commit", "git commit -q --allow-empty -m x" },
  { "git-hooks-link", "git", "mkdir mine && git init -q sub && rm -rf sub/.git/hooks && ln -s ../../mine sub/.git/hooks",
    RUNS " >mine/pre-commit && chmod +x mine/pre-commit", "cd sub && git commit -q --allow-empty -m x" },
  { "git-logs", "git", "git init -q && git commit -q --allow-empty -m x && ln -s .git/logs/e vendor",
    "git init -q --bare .git/logs/e && cd .git/logs/e && git config core.bare false && git config core.worktree . && " FSMONITOR,
    "cd vendor && git status" },
  { "git-rebase", "git", COMMITS " && GIT_SEQUENCE_EDITOR='sed -i 1ibreak' git rebase -q -i HEAD~1",
    "echo 'exec touch \"$RAN\"' >>.git/rebase-merge/git-rebase-todo", "git rebase --continue" },
  { "git-attributes", "git", COMMITS " && git config filter.mine.clean 'touch \"$RAN\"; cat'",
    "mkdir -p .git/info && echo '* filter=mine' >.git/info/attributes && echo 3 >file", "git add file" },
  { "git-hook-callee", "git", "git init -q && " HOOK ("./lint.sh") " && " KEY ("lint.sh"), RUNS " >lint.sh", "git commit -q --allow-empty -m x" },
  { "git-hook-deeper", "git", "git init -q && " HOOK ("sh a.sh") " && echo 'sh tools/b.sh' >a.sh && mkdir tools && echo >tools/b.sh",
    "echo 'touch \"$RAN\"' >tools/b.sh", "git commit -q --allow-empty -m x" },
  { "git-hook-renamed", "git", "git init -q && " HOOK ("./lint.sh") " && " KEY ("lint.sh"),
    RUNS " >new && chmod +x new && mv new lint.sh", "git commit -q --allow-empty -m x" },
  { "git-hook-linked", "git", "git init -q && " HOOK ("./lint.sh") " && " KEY ("lint.sh"),
    RUNS " >new && chmod +x new && rm lint.sh && ln -s new lint.sh", "git commit -q --allow-empty -m x" },
  { "editor-callee", "vim.tiny", "echo 'source a.vim' >.exrc && echo >a.vim", "echo 'silent !touch \"$RAN\"' >a.vim",
    "VIMINIT='set exrc' TERM=dumb vim.tiny --not-a-term -c q" },
  { "direnv", "direnv", "true", "echo 'touch \"$RAN\"' >.envrc", "direnv exec . true" },
  { "direnv-deep", "direnv", "mkdir deep", "echo 'touch \"$RAN\"' >deep/.envrc", "cd deep && direnv exec . true" },
  { "editor", "vim.tiny", "true", "echo 'silent !touch \"$RAN\"' >.exrc", "VIMINIT='set exrc' TERM=dumb vim.tiny --not-a-term -c q" },
  { "npm", "npm", "echo '{\"name\":\"a\",\"version\":\"1.0.0\",\"scripts\":{\"preinstall\":\"true\"}}' >package.json",
    RUNS " >tool && chmod +x tool && echo script-shell=./tool >.npmrc", "npm install --offline --no-audit --no-fund" },
  { "npm-scripts", "npm",
    "echo '{\"name\":\"a\",\"version\":\"1.0.0\",\"scripts\":{\"test\":\"true\"}}' >package.json",
    "sed -i 's/.test.:.true./\"prepare\":\"touch $RAN\"/' package.json", "npm install --offline --no-audit --no-fund" },
  { "npm-new", "npm", "true",
    "echo '{\"name\":\"a\",\"version\":\"1.0.0\",\"scripts\":{\"postinstall\":\"touch $RAN\"}}' >package.json",
    "npm install --offline --no-audit --no-fund" },
  { "own", "sh", "mkdir bin && " KEY ("bin/key"), RUNS " >bin/key", "bin/key", "bin/key" },
  { "own-new", "sh", "true", "mkdir bin && " RUNS " >bin/key && chmod +x bin/key", "bin/key", "bin/key" },
  { "own-linked", "sh", "mkdir bin tools && " KEY ("tools/key") " && ln -s ../tools/key bin/key", RUNS " >tools/key", "bin/key",
    "bin/key" },
  { "own-link", "sh", "mkdir bin tools && " KEY ("tools/key") " && ln -s ../tools/key bin/key",
    RUNS " >mine && chmod +x mine && ln -sf ../mine bin/key", "bin/key", "bin/key" },
  { "own-link-between", "sh", "mkdir one && " KEY ("one/key") " && ln -s one bin",
    "mkdir two && " RUNS " >two/key && chmod +x two/key && ln -sfn two bin", "bin/key", "bin/key" },
  { "own-folder", "sh", "mkdir bin && " KEY ("bin/key"),
    "mkdir new && " RUNS " >new/key && chmod +x new/key && mv bin old && mv new bin", "bin/key", "bin/key" },
  { "own-folder-link", "sh", "mkdir bin && " KEY ("bin/key"),
    "mkdir new && " RUNS " >new/key && chmod +x new/key && rm -r bin && ln -s new bin", "bin/key", "bin/key" },
  { "own-folder-above", "sh", "mkdir -p a/bin && " KEY ("a/bin/key"),
    "mkdir -p new/bin && " RUNS " >new/bin/key && chmod +x new/bin/key && rm -r a && ln -s new a", "a/bin/key", "a/bin/key" },
  { "npm-link", "npm", PACKAGE ("") " >package.json",
    PACKAGE ("\"postinstall\":\"touch $RAN\"") " >pj.json && rm package.json && ln -s pj.json package.json", INSTALL },
  { "npm-linked", "npm", PACKAGE ("") " >pj.json && ln -s pj.json package.json",
    PACKAGE ("\"postinstall\":\"touch $RAN\"") " >pj.json", INSTALL },
  { "npm-script-file", "npm",
    PACKAGE ("\"postinstall\":\"node scripts/p.js\"") " >package.json && mkdir scripts && echo >scripts/p.js",
    "echo 'require(\"fs\").writeFileSync(process.env.RAN,\"\")' >scripts/p.js", INSTALL },
  { "npm-script-shell", "npm", PACKAGE ("\"preinstall\":\"sh p.sh\"") " >package.json && echo true >p.sh",
    "echo 'touch \"$RAN\"' >p.sh", INSTALL },
  { "npm-script-called", "npm", PACKAGE ("\"prepare\":\"npm run build\",\"build\":\"true\"") " >package.json",
    PACKAGE ("\"prepare\":\"npm run build\",\"build\":\"touch $RAN\"") " >package.json", INSTALL },
  { "direnv-path", "direnv", "echo 'PATH_add bin' >.envrc && mkdir bin",
    RUNS " >bin/ls && chmod +x bin/ls", "direnv exec . ls" },
  { "direnv-path-export", "direnv", "echo 'export PATH=$PWD/bin:$PATH' >.envrc",
    "mkdir bin && " RUNS " >bin/ls && chmod +x bin/ls", "direnv exec . ls" },
  { "direnv-loop", "direnv", "echo 'for f in env.d/*.sh; do . \"$f\"; done' >.envrc && mkdir env.d && echo >env.d/a.sh",
    "echo 'touch \"$RAN\"' >env.d/b.sh", "direnv exec . true" },
  { "direnv-make", "direnv", "echo 'make -s env' >.envrc && printf 'env:\\n\\t@true\\n' >Makefile",
    "printf 'env:\\n\\t@touch \"$(RAN)\"\\n' >Makefile", "direnv exec . true" },
};

typedef struct
{
  BeckonAgentFixture *agent;
  BeckonOutputStore *spool;
  char *base;   /* of all that the test makes */
  char *folder; /* that the agent works in */
} Test;

static gboolean is_possible;

static void
keep (GObject *source, GAsyncResult *result, gpointer slot)
{
  *(GAsyncResult **) slot = g_object_ref (result);
}

/* Runs @line in the folder @name of the test as the person does. */
static void
do_as_the_person (const Test *test, const char *name, const char *line)
{
  g_auto (GStrv) environment = g_get_environ ();
  g_autofree char *folder = g_build_filename (test->base, name, NULL);
  g_autofree char *ran = g_build_filename (test->base, "RAN", NULL);
  g_autofree char *said = NULL;
  const char *argv[] = { "/bin/sh", "-c", line, NULL };
  g_autoptr (GError) error = NULL;

  environment = g_environ_setenv (environment, "RAN", ran, TRUE);
  environment = g_environ_setenv (environment, "HOME", test->base, TRUE);
  environment = g_environ_setenv (environment, "XDG_CONFIG_HOME", test->base, TRUE);
  g_spawn_sync (folder, (char **) argv, environment, G_SPAWN_STDOUT_TO_DEV_NULL, NULL, NULL, NULL, &said, NULL, &error);
  g_assert_no_error (error);
  g_test_message ("%s: %s", line, said);
}

static gboolean
has_run (const Test *test)
{
  g_autofree char *ran = g_build_filename (test->base, "RAN", NULL);

  return g_file_test (ran, G_FILE_TEST_EXISTS);
}

static void
write_file (const Test *test, const char *name, const char *contents)
{
  g_autofree char *path = g_build_filename (test->base, name, NULL);
  g_autofree char *folder = g_path_get_dirname (path);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (path, contents, -1, NULL));
}

/* Everything of the person: what Git is called by, and folders that direnv trusts. */
static void
make_home (const Test *test)
{
  g_autofree char *direnv = g_strdup_printf ("[whitelist]\nprefix = [ \"%s\" ]\n", test->base);

  write_file (test, ".gitconfig", "[user]\n\tname = A\n\temail = a@example.org\n");
  write_file (test, "direnv/direnv.toml", direnv);
  write_file (test, "alone/ordinary.txt", "old\n");
  write_file (test, "work/ordinary.txt", "old\n");
}

/* As a profile's program that prints its key, by the name that the person has for it. */
static void
set_own (const Test *test, const Plant *plant)
{
  g_autofree char *path = g_build_filename (test->folder, plant->own, NULL);
  const char *const argv[] = { path, NULL };

  beckon_runners_set_programs (&(BeckonRunnerProgram){ .argv = argv }, plant->own != NULL);
}

static void
set_up (Test *test, gconstpointer data)
{
  g_autofree char *made = g_dir_make_tmp ("beckon-agent-planted-XXXXXX", NULL);

  test->base = realpath (made, NULL);
  test->folder = g_build_filename (test->base, "work", NULL);
  make_home (test);
  test->agent = beckon_agent_fixture_new ();
  test->spool = beckon_output_store_new ();
  beckon_tool_registry_add_working (test->agent->tools, &(BeckonToolParts){
                                                            .copies = BECKON_FILE_COPIES (test->agent->store),
                                                            .memory = BECKON_MEMORY (test->agent->store),
                                                            .outputs = test->spool,
                                                        });
  beckon_conversation_set_folder (test->agent->conversation, test->folder);
  set_own (test, data);
}

static void
tear_down (Test *test, gconstpointer data)
{
  beckon_agent_fixture_free (test->agent);
  beckon_agent_wait_until (G_OBJECT (test->spool)->ref_count == 1);
  g_assert_finalize_object (test->spool);
  beckon_tree_remove (test->base);
  g_free (test->folder);
  g_free (test->base);
}

/* The model runs the plant, and the person keeps what is offered at first: nothing where ordinary changes land unasked. */
static void
run_and_keep (Test *test, const Plant *plant, BeckonMode mode)
{
  g_autofree char *line = g_strdup_printf ("echo new >ordinary.txt; %s", plant->plant);
  g_autofree char *escaped = g_strescape (line, NULL);
  g_autofree char *arguments = g_strdup_printf ("{\"command\":\"%s\"}", escaped);
  BeckonRequest *request;

  beckon_library_set_mode (test->agent->library, test->agent->conversation, mode);
  beckon_agent_fixture_script (test->agent, beckon_script_call ("call_1", "run_command", arguments));
  beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (test->agent, test->agent->conversation, "Do it");
  request = beckon_agent_fixture_wait_pending (test->agent, 1);
  g_assert_true (BECKON_IS_CHANGES_REQUEST (request));
  beckon_agent_fixture_wait_phase (test->agent, BECKON_RUN_WAITING);
  beckon_agent_fixture_answer (
    test->agent, request,
    beckon_answer_new (mode == BECKON_MODE_ASK_OUTSIDE ? BECKON_ANSWER_DECLINED : BECKON_ANSWER_KEPT, NULL));
  beckon_agent_fixture_wait_end (test->agent, BECKON_RUN_COMPLETE);
}

static void
test_plant (Test *test, const Plant *plant, BeckonMode mode)
{
  g_autofree char *program = g_find_program_in_path (plant->program);
  g_autofree char *ordinary = g_build_filename (test->folder, "ordinary.txt", NULL);
  g_autofree char *contents = NULL;
  g_autofree char *ran = g_build_filename (test->base, "RAN", NULL);

  if (!is_possible || program == NULL)
    {
      g_test_skip (is_possible ? "a program is not installed" : "commands have no view of their folder here");
      return;
    }
  do_as_the_person (test, "alone", plant->before);
  do_as_the_person (test, "alone", plant->plant);
  g_unlink (ran);
  do_as_the_person (test, "alone", plant->person);
  g_assert_true (has_run (test));
  do_as_the_person (test, "work", plant->before);
  g_unlink (ran);

  run_and_keep (test, plant, mode);
  do_as_the_person (test, "work", plant->person);
  g_assert_false (has_run (test));
  g_assert_true (g_file_get_contents (ordinary, &contents, NULL, NULL));
  g_assert_cmpstr (contents, ==, "new\n");
}

static void
test_outside (Test *test, gconstpointer plant)
{
  test_plant (test, plant, BECKON_MODE_ASK_OUTSIDE);
}

static void
test_changes (Test *test, gconstpointer plant)
{
  test_plant (test, plant, BECKON_MODE_ASK_CHANGES);
}

static void
probe (void)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GAsyncResult) learned = NULL;
  g_autofree char *made = g_dir_make_tmp ("beckon-agent-planted-XXXXXX", NULL);
  g_autofree char *folder = realpath (made, NULL);

  beckon_sandbox_probe_async (NULL, keep, &result);
  beckon_agent_wait_until (result != NULL);
  is_possible = beckon_sandbox_probe_finish (result, NULL);
  beckon_sandbox_view_learn_async (folder, NULL, keep, &learned);
  beckon_agent_wait_until (learned != NULL);
  is_possible = is_possible && beckon_sandbox_view_get (folder) != BECKON_VIEW_DIRECT;
  g_rmdir (folder);
}

int
main (int argc, char *argv[])
{
  g_autofree char *data = g_dir_make_tmp ("beckon-agent-data-XXXXXX", NULL);
  int status;

  g_setenv ("XDG_DATA_HOME", data, TRUE);
  g_test_init (&argc, &argv, NULL);
  probe ();
  for (gsize i = 0; i < G_N_ELEMENTS (plants); i++)
    {
      g_autofree char *outside = g_strdup_printf ("/agent/planted/outside/%s", plants[i].name);
      g_autofree char *changes = g_strdup_printf ("/agent/planted/changes/%s", plants[i].name);

      g_test_add (outside, Test, &plants[i], set_up, test_outside, tear_down);
      g_test_add (changes, Test, &plants[i], set_up, test_changes, tear_down);
    }
  status = g_test_run ();
  beckon_tree_remove (data);
  return status;
}
