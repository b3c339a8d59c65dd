/* SPDX-License-Identifier: GPL-3.0-or-later */

/* run_command as the model calls it. Without bubblewrap, or where it cannot work, the cases are skipped, counted. */

#include "beckon-config.h"

#include "base/beckon-error.h"
#include "beckon-marked.h"
#include "beckon-tree.h"
#include "landing/beckon-lander.h"
#include "landing/beckon-landing-place.h"
#include "sandbox/beckon-sandbox-variables.h"
#include "sandbox/beckon-sandbox-view.h"
#include "sandbox/beckon-sandbox.h"
#include "tool-runner.h"

#include "tools/beckon-command.h"
#include "tools/beckon-extras-reader.h"
#include "tools/beckon-read-skill.h"
#include "tools/beckon-tool.h"

#include <glib/gstdio.h>
#include <libintl.h>
#include <locale.h>
#include <signal.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static gboolean is_possible;

static void
set_up (ToolRunner *runner, gconstpointer data)
{
  tool_runner_set_up (runner);
}

static void
tear_down (ToolRunner *runner, gconstpointer data)
{
  tool_runner_tear_down (runner);
}

static gboolean
skip (void)
{
  if (!is_possible)
    g_test_skip ("there is no working bubblewrap here");
  return !is_possible;
}

static void
test_runs (ToolRunner *runner, gconstpointer data)
{
  g_autofree char *made = NULL;

  if (skip ())
    return;
  tool_runner_write (runner, "sub/a.txt", "one\n");
  tool_runner_expect (runner, "run_command", "{'command':'cat sub/a.txt; echo trouble >&2; exit 3'}",
                      "one\ntrouble\n[Exit status 3, after ", NULL);
  tool_runner_expect (runner, "run_command", "{'command':'pwd; echo x > made','directory':'sub'}", "/here/sub\n",
                      "Exit status 0", NULL);
  made = tool_runner_read (runner, "sub/made");
  g_assert_cmpstr (made, ==, "x\n");
  tool_runner_expect (runner, "run_command", "{'command':'printf \\\"no end\\\"'}", "no end\n[Exit status 0", NULL);
  tool_runner_expect_error (runner, "run_command", "{'command':'ls','directory':'..'}", BECKON_ERROR_INVALID, "outside");
  tool_runner_expect_error (runner, "run_command", "{'command':'ls','directory':'none'}", BECKON_ERROR_INVALID, "none");
  tool_runner_expect_error (runner, "run_command", "{'command':'ls','timeout':3}", BECKON_ERROR_INVALID, "timeout");
}

/* Why a folder could not be renamed. */
static void
test_renamed (ToolRunner *runner, gconstpointer data)
{
  g_autoptr (GAsyncResult) learned = NULL;

  if (skip ())
    return;
  tool_runner_write (runner, "sub/a.txt", "one\n");
  beckon_sandbox_view_learn_async (runner->folder, NULL, tool_runner_keep, &learned);
  g_assert_true (beckon_sandbox_view_learn_finish (tool_runner_wait (&learned), NULL));
  if (beckon_sandbox_view_get (runner->folder) != BECKON_VIEW_OVERLAY)
    {
      g_test_skip ("no overlay can be had here");
      return;
    }
  tool_runner_expect (runner, "run_command", "{'command':'git init -q && git add sub && git mv sub other'}",
                      "cross-device", "instead of git mv", NULL);
  tool_runner_expect (runner, "run_command", "{'command':'git init -q && mv sub other && git add -A && ls other'}",
                      "a.txt\n[Exit status 0", NULL);
}

/* As the person would, in a folder beside the runner's. */
static void
outside (ToolRunner *runner, const char *line)
{
  g_autoptr (GError) error = NULL;
  const char *argv[] = { "/bin/sh", "-ec", line, NULL };
  int status = -1;

  g_spawn_sync (runner->root, (char **) argv, NULL, G_SPAWN_DEFAULT, NULL, NULL, NULL, NULL, &status, &error);
  g_assert_no_error (error);
  g_assert_true (g_spawn_check_wait_status (status, NULL));
}

static gboolean is_viewed;

static void
work_in (ToolRunner *runner, const char *name)
{
  g_autoptr (GAsyncResult) learned = NULL;

  g_free (runner->folder);
  runner->folder = g_build_filename (runner->root, name, NULL);
  if (!is_viewed)
    return;
  beckon_sandbox_view_learn_async (runner->folder, NULL, tool_runner_keep, &learned);
  g_assert_true (beckon_sandbox_view_learn_finish (tool_runner_wait (&learned), NULL));
}

static gboolean
skip_git (void)
{
  g_autofree char *git = g_find_program_in_path ("git");

  if (git == NULL)
    g_test_skip ("there is no git here");
  return git == NULL || skip ();
}

/* The person's name and ignore list are there; what runs programs or signs is not. */
static void
test_git_person (ToolRunner *runner, gconstpointer data)
{
  if (skip_git ())
    return;
  outside (runner, "git init -q -b main here && echo x >here/x.tmp");
  tool_runner_expect (runner, "run_command",
                      "{'command':'git commit -q --allow-empty -m x; git log -1 --format=%an/%ae; git status --short; echo end'}",
                      "A \"quoted\" Person/person@example.org\nend\n", NULL);
  tool_runner_expect (runner, "run_command",
                      "{'command':'git config --list --show-scope | grep -v ^local | sort | sed s/excludesfile=.*/excludesfile/'}",
                      "system\talias.ci=commit -v\nsystem\tcore.excludesfile\nsystem\tgc.worktreepruneexpire=never\nsystem\tinit.defaultbranch=trunk\n"
                      "system\tuser.email=person@example.org\nsystem\tuser.name=A \"quoted\" Person\n[Exit status 0",
                      NULL);
  tool_runner_expect (runner, "run_command", "{'command':'git config --global user.name B && git config user.name'}", "B\n[Exit",
                      NULL);
}

/* A commit in data that lies elsewhere lands as one in the folder does, and is undone. */
static void
commit_in (ToolRunner *runner, const char *line, const char *output, const char *words)
{
  g_autofree char *arguments = g_strdup_printf ("{'command':'%s'}", line);
  g_autofree char *shown = NULL;
  BeckonFileChange *commit;

  outside (runner, "git -C main for-each-ref >before; git -C super/part rev-parse HEAD >>before");
  tool_runner_expect (runner, "run_command", arguments, output, NULL);
  outside (runner, "git -C main for-each-ref >now; git -C super/part rev-parse HEAD >>now; cmp before now");
  g_assert_nonnull (runner->landing);
  commit = beckon_change_set_get (runner->landing->changes, 0);
  g_assert_cmpuint (beckon_change_set_get_n_changes (runner->landing->changes), ==, 1);
  shown = beckon_file_change_dup_shown_path (commit);
  g_assert_cmpstr (shown, ==, words);
  commit->fate = BECKON_FILE_KEPT;
  g_assert_true (beckon_lander_plan (runner->landing, NULL) && beckon_lander_land (runner->landing, NULL));
  outside (runner, "git -C main for-each-ref >now; git -C super/part rev-parse HEAD >>now; ! cmp -s before now; git -C main fsck --no-dangling");
  g_assert_true (beckon_lander_undo (runner->landing, NULL));
  outside (runner, "git -C main for-each-ref >now; git -C super/part rev-parse HEAD >>now; cmp before now; git -C main fsck --no-dangling");
}

/* A work tree, a folder within a repository, a submodule's checkout, a clone that borrows objects. */
static void
test_git_elsewhere (ToolRunner *runner, gconstpointer data)
{
  if (skip_git ())
    return;
  outside (runner,
           "git init -q -b main main; mkdir main/docs; echo one >main/a; echo two >main/docs/b; echo '*.log' >main/.gitignore;"
           "cd main; git add -A; git commit -qm first; echo x >docs/x.log; echo secret >.env; git worktree add -q ../tree -b side;"
           "echo new >../tree/q; cd ..; git clone -q --shared main borrowed; git init -q -b main super; cd super;"
           "git -c protocol.file.allow=always submodule add -q ../main part; git commit -qm with");
  for (guint i = 0; i < 2; i++)
    {
      work_in (runner, "tree");
      tool_runner_expect (runner, "run_command", "{'command':'git status --short; git log --oneline | wc -l'}", "?? q\n1\n[Exit", NULL);
      if (!is_viewed || beckon_sandbox_view_get (runner->folder) != BECKON_VIEW_OVERLAY)
        tool_runner_expect (runner, "run_command", "{'command':'git commit -qam x --allow-empty'}", "Git data of this folder is outside", NULL);
      else
        commit_in (runner, "git add q; git commit -qm x; git log --format=%s", "x\nfirst\n[Exit status 0", "Commit: x · 1 file");
      work_in (runner, "main/docs");
      tool_runner_expect (runner, "run_command",
                          "{'command':'git log --format=%s; git status --short; echo three >b; git status --short; ls -A ..'}",
                          "first\n M b\n.git\ndocs\n[Exit", NULL);
      /* Files outside of the folder never land, so none is written there as if it would. */
      tool_runner_expect (runner, "run_command", "{'command':'echo lost >../a; mkdir ../new; ls -A ..'}", "../a: Read-only file system",
                          "‘../new’: Read-only file system", ".git\ndocs\n[Exit", NULL);
      if (is_viewed && beckon_sandbox_view_get (runner->folder) == BECKON_VIEW_OVERLAY)
        {
          commit_in (runner, "echo four >b; git commit -qam z; git status --short; git log --format=%s", "z\nfirst\n[Exit status 0",
                     "Commit: z · 1 file");
          outside (runner, "git -C main diff --cached --exit-code; ! git -C main ls-files -v | grep ^S");
        }
      work_in (runner, "borrowed");
      tool_runner_expect (runner, "run_command", "{'command':'git log --format=%s'}", "first\n[Exit", NULL);
      work_in (runner, "super/part");
      tool_runner_expect (runner, "run_command", "{'command':'git log --format=%s; git status --short'}", "first\n[Exit", NULL);
      if (is_viewed && beckon_sandbox_view_get (runner->folder) == BECKON_VIEW_OVERLAY)
        commit_in (runner, "echo z >>a; git commit -qam y; git log --format=%s", "y\nfirst\n[Exit status 0", "Commit: y · 1 file");
      outside (runner, "echo two >main/docs/b");
      is_viewed = TRUE;
    }
  is_viewed = FALSE;
}

/* A file in the folder cannot make a repository of the person's seen: it has to name the folder as well. */
static void
test_git_planted (ToolRunner *runner, gconstpointer data)
{
  if (skip_git ())
    return;
  outside (runner, "git init -q -b main private; git -C private commit -q --allow-empty -m secret; echo \"gitdir: $PWD/private/.git\" >here/.git");
  tool_runner_expect (runner, "run_command", "{'command':'git log --format=%s 2>&1; ls ..'}", "not a git repository", "\nhere\n[Exit", NULL);
  is_viewed = TRUE;
  work_in (runner, "here");
  is_viewed = FALSE;
  outside (runner, "rm here/.git; ln -s ../private/.git here/.git");
  tool_runner_expect (runner, "run_command", "{'command':'git log --format=%s 2>&1; ls ..'}", "not a git repository", "\nhere\n[Exit", NULL);
}

/* %FALSE where there is none. */
static gboolean
learn_view (ToolRunner *runner)
{
  g_autoptr (GAsyncResult) learned = NULL;

  beckon_sandbox_view_learn_async (runner->folder, NULL, tool_runner_keep, &learned);
  g_assert_true (beckon_sandbox_view_learn_finish (tool_runner_wait (&learned), NULL));
  if (beckon_sandbox_view_get (runner->folder) == BECKON_VIEW_DIRECT)
    g_test_skip ("no view of the folder can be had here");

  return beckon_sandbox_view_get (runner->folder) != BECKON_VIEW_DIRECT;
}

/* /tmp and the home in it are the conversation's: what one command puts there the next one finds, and nobody else. */
static void
test_temporary (ToolRunner *runner, gconstpointer data)
{
  if (skip ())
    return;
  tool_runner_expect (runner, "run_command", "{'command':'echo kept >/tmp/a; echo too >~/b; mkdir ~/c; chmod 0 ~/c'}",
                      "[Exit status 0", NULL);
  tool_runner_expect (runner, "run_command", "{'command':'cat /tmp/a ~/b; ls -d ~/c'}", "kept\ntoo\n/tmp/home/c\n", NULL);
  beckon_output_store_remove (runner->outputs, beckon_conversation_get_id (runner->turn->conversation));
  tool_runner_expect (runner, "run_command", "{'command':'ls -A ~; cat /tmp/a'}", "cat: /tmp/a: No such file or directory\n[Exit status 1", NULL);
}

/* They go with the program; those of one that was killed go when the next one wants some, and those of one that runs stay. */
static void
test_temporary_end (ToolRunner *runner, gconstpointer data)
{
  g_autofree char *left = g_build_filename (g_get_user_cache_dir (), "beckon", "temporary-LEFT00", NULL);
  g_autofree char *within = g_build_filename (left, "0", "home", NULL);
  BeckonOutputStore *one = beckon_output_store_new ();
  BeckonOutputStore *other = beckon_output_store_new ();
  g_autofree char *ones = beckon_output_store_get_temporary (one, "a");
  g_autofree char *again = beckon_output_store_get_temporary (one, "a");
  g_autofree char *another = beckon_output_store_get_temporary (one, "b");
  g_autofree char *others = NULL;

  g_assert_cmpstr (ones, ==, again);
  g_assert_cmpstr (ones, !=, another);
  g_assert_cmpint (g_mkdir_with_parents (within, 0700), ==, 0);
  others = beckon_output_store_get_temporary (other, "a");
  g_assert_cmpstr (ones, !=, others);
  g_assert_false (g_file_test (left, G_FILE_TEST_EXISTS));
  g_assert_true (g_file_test (ones, G_FILE_TEST_IS_DIR));
  g_object_unref (one);
  g_assert_false (g_file_test (ones, G_FILE_TEST_EXISTS));
  g_assert_true (g_file_test (others, G_FILE_TEST_IS_DIR));
  g_object_unref (other);
  g_assert_false (g_file_test (others, G_FILE_TEST_EXISTS));
}

/* Commands of the program's own: what they change is a command's change, one for a move. */
static void
test_moves (ToolRunner *runner, gconstpointer data)
{
  g_autofree char *deleted = NULL;

  if (skip () || !learn_view (runner))
    return;
  runner->lands = TRUE;
  tool_runner_write (runner, "a b.txt", "one, which is long enough to be known again\n");
  tool_runner_write (runner, "sub/c.txt", "two\n");
  tool_runner_expect (runner, "move_files", "{'moves':[{'from':'a b.txt','to':'new/deep/$(x) b.txt'}]}", "Moved: 1.\n", NULL);
  g_assert_cmpuint (beckon_change_set_get_n_changes (runner->landing->changes), ==, 1);
  g_assert_cmpstr (beckon_change_set_get (runner->landing->changes, 0)->path, ==, "new/deep/$(x) b.txt");
  g_assert_cmpstr (beckon_change_set_get (runner->landing->changes, 0)->from, ==, "a b.txt");
  tool_runner_expect (runner, "move_files", "{'moves':[{'from':'a b.txt','to':'sub'},{'from':'sub/c.txt','to':'-n/'}]}",
                      "Moved: 2.\n", NULL);
  g_assert_cmpstr (beckon_change_set_get (runner->landing->changes, 0)->path, ==, "-n/c.txt");
  g_assert_cmpstr (beckon_change_set_get (runner->landing->changes, 1)->path, ==, "sub/a b.txt");
  deleted = tool_runner_run (runner, "delete_files", "{'paths':['a b.txt','sub']}", NULL, NULL);
  g_assert_cmpstr (deleted, ==, "Deleted: 2.\n");
  g_assert_cmpuint (beckon_change_set_get_n_changes (runner->landing->changes), ==, 2);
}

/* No file is replaced, and nothing outside is reached. */
static void
test_moves_refused (ToolRunner *runner, gconstpointer data)
{
  static const char *const paths[] = { "..", "/etc/hosts", ".", "sub/..", "sub/../../x" };
  g_autoptr (GString) deep = g_string_new (NULL);
  g_autofree char *deletion = NULL;
  g_autofree char *kept = NULL;

  if (skip () || !learn_view (runner))
    return;
  runner->lands = TRUE;
  tool_runner_write (runner, "a.txt", "one\n");
  tool_runner_write (runner, "b.txt", "two\n");
  tool_runner_expect (runner, "move_files",
                      "{'moves':[{'from':'a.txt','to':'b.txt'},{'from':'none','to':'n/'},{'from':'a.txt','to':'c.txt'}]}",
                      "“a.txt” can't be moved: “b.txt” is there already.\nThere is no “none”.\nMoved: 1.\n[Exit status 1", NULL);
  tool_runner_expect (runner, "move_files", "{'moves':[{'from':'none','to':'c.txt'}]}", "There is no “none”.", NULL);
  g_assert_null (runner->landing);
  tool_runner_expect (runner, "delete_files", "{'paths':['none','a.txt']}", "There is no “none”.\nDeleted: 1.\n[Exit status 1", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      g_autofree char *own = g_strdup_printf ("{'paths':['%s']}", paths[i]);
      g_autofree char *move = g_strdup_printf ("{'moves':[{'from':'%s','to':'sub'}]}", paths[i]);

      tool_runner_expect_error (runner, "delete_files", own, BECKON_ERROR_INVALID, "working folder");
      tool_runner_expect_error (runner, "move_files", move, BECKON_ERROR_INVALID, "working folder");
    }
  for (guint i = 0; i < 300; i++)
    g_string_append (deep, "a/");
  deletion = g_strdup_printf ("{'paths':['%s']}", deep->str);
  tool_runner_expect_error (runner, "delete_files", deletion, BECKON_ERROR_INVALID, "a path has at most 256 names");
  kept = tool_runner_read (runner, "b.txt");
  g_assert_cmpstr (kept, ==, "two\n");
}

/* Rules judge where the paths lead, the links on the way resolved; and both ends of a move. */
static void
test_moves_effects (ToolRunner *runner, gconstpointer data)
{
  g_autofree char *link = g_build_filename (runner->folder, "link", NULL);
  g_autofree char *within = g_build_filename (runner->folder, "sub", "a.txt", NULL);
  g_autofree char *written = g_build_filename (runner->folder, "link", "a.txt", NULL);
  g_auto (BeckonEffects) effects = { 0 };

  tool_runner_write (runner, "sub/a.txt", "one\n");
  g_assert_cmpint (symlink ("sub", link), ==, 0);
  tool_runner_get_effects (runner, "move_files", "{'moves':[{'from':'link/a.txt','to':'link'}]}", &effects);
  g_assert_true (effects.lands);
  g_assert_null (effects.command);
  g_assert_true (g_strv_contains (effects.paths, within));
  g_assert_true (g_strv_contains (effects.paths, link));
  g_assert_true (g_strv_contains (effects.aliases, written));
}

static gboolean
has_place (ToolRunner *runner)
{
  g_autofree char *place = beckon_landing_place_get_path (beckon_tool_call_get_id (runner->call));

  return g_file_test (place, G_FILE_TEST_IS_DIR);
}

static void
assert_changed (ToolRunner *runner, const char *path, const char *words)
{
  g_autofree char *contents = tool_runner_read (runner, path);

  g_assert_null (contents);
  g_assert_nonnull (runner->landing);
  g_assert_cmpstr (runner->landing->folder, ==, runner->folder);
  g_assert_cmpuint (beckon_change_set_get_n_changes (runner->landing->changes), ==, 1);
  g_assert_cmpstr (beckon_change_set_get (runner->landing->changes, 0)->path, ==, path);
  g_assert_cmpint (beckon_change_set_get (runner->landing->changes, 0)->fate, ==, BECKON_FILE_OPEN);
  if (words != NULL)
    g_assert_nonnull (strstr (beckon_change_set_get (runner->landing->changes, 0)->diff, words));
}

/* A command's changes are handed on and not in the folder, whatever its end was: also where it ran out of time. */
static void
test_landing (ToolRunner *runner, gconstpointer data)
{
  if (skip () || !learn_view (runner))
    return;
  runner->lands = TRUE;
  tool_runner_expect (runner, "run_command", "{'command':'echo one >a.txt'}", "[Exit status 0", NULL);
  assert_changed (runner, "a.txt", "+one");
  tool_runner_expect (runner, "run_command", "{'command':'echo two >b.txt; exit 4'}", "[Exit status 4", NULL);
  assert_changed (runner, "b.txt", "+two");
  g_assert_cmpint (runner->end.exit_status, ==, 4);
  tool_runner_expect (runner, "run_command", "{'command':'echo half >c.txt; sleep 1000','timeout_seconds':1}",
                      "it ran out of time", NULL);
  assert_changed (runner, "c.txt", "+half");
}

/* A command without changes has no landing; the place stays until the result is stored. */
static void
test_no_landing (ToolRunner *runner, gconstpointer data)
{
  if (skip () || !learn_view (runner))
    return;
  tool_runner_write (runner, "a.txt", "one\n");
  tool_runner_expect (runner, "run_command", "{'command':'cat a.txt; touch a.txt; echo x >b; rm b'}", "one\n[Exit status 0", NULL);
  g_assert_null (runner->landing);
  g_assert_true (has_place (runner));
}

/* A decision about a view is none about the folder. */
static void
test_no_view (ToolRunner *runner, gconstpointer data)
{
  g_autofree char *made = NULL;

  if (skip ())
    return;
  runner->lands = TRUE;
  g_assert_cmpint (beckon_sandbox_view_get (runner->folder), ==, BECKON_VIEW_DIRECT);
  tool_runner_expect_error (runner, "run_command", "{'command':'echo one >a.txt'}", BECKON_ERROR_UNAVAILABLE,
                            "Not run, and nothing was changed");
  made = tool_runner_read (runner, "a.txt");
  g_assert_null (made);
}

/* sqlite3 as in the scenario: what is typed is what runs. */
static void
test_sql (ToolRunner *runner, gconstpointer data)
{
  g_autofree char *program = g_find_program_in_path ("sqlite3");

  if (skip ())
    return;
  if (program == NULL)
    {
      g_test_skip ("there is no sqlite3 here");
      return;
    }
  tool_runner_expect (runner, "run_command",
                      "{'command':'sqlite3 shop.db \\\"CREATE TABLE item (name, price); INSERT INTO item VALUES (1, 5), (2, 7), "
                      "(3, 9)\\\" && sqlite3 shop.db \\\"SELECT name FROM item WHERE price > 5 LIMIT 1\\\"'}",
                      "2\n[Exit status 0", NULL);
}

/* Faults F95 and F96, through the tool: nothing of the outside is there. */
static void
test_sealed (ToolRunner *runner, gconstpointer data)
{
  static const char *const commands[] = {
    "cat ../secret",
    "echo x > ../made; cat ../secret",
    "ls ~root /root /home/*",
    "echo x > .git/hooks/pre-commit || mkdir -p .git/hooks",
    "git init -q .",
    "echo x > .envrc",
    "mkdir .vscode",
    "cat /run/user/*/bus",
    "ls /tmp/.X11-unix /run/user",
    "cat /proc/1/environ | tr '\\\\0' '\\\\n' | grep CANARY",
    "env | grep -E 'CANARY|DBUS|DISPLAY|WAYLAND|SSH_AUTH|XDG_RUNTIME'",
    "python3 -c 'import socket; s = socket.create_connection ((\\\"1.1.1.1\\\", 53), 2)'",
    "cat /etc/shadow",
    "dbus-send --session --print-reply --dest=org.freedesktop.DBus / org.freedesktop.DBus.ListNames",
    "secret-tool search --all x y",
    "xdotool getmouselocation",
  };
  g_autofree char *outside = g_build_filename (runner->root, "secret", NULL);
  g_autofree char *made = g_build_filename (runner->root, "made", NULL);
  guint n_refused = 0;

  if (skip ())
    return;
  g_setenv ("CANARY", "canary-value", TRUE);
  g_assert_true (g_file_set_contents (outside, "secret", -1, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    {
      g_autofree char *plain = g_strdelimit (g_strdup (commands[i]), "'", '\x01');
      g_autofree char *arguments = g_strdup_printf ("{'command':'%s'}", plain);
      g_auto (GStrv) quoted = g_strsplit (arguments, "\x01", -1);
      g_autofree char *json = g_strjoinv ("\\u0027", quoted);
      g_autoptr (GError) error = NULL;
      g_autofree char *result = tool_runner_run (runner, "run_command", json, NULL, &error);

      g_assert_no_error (error);
      if (strstr (result, "[Exit status 0") != NULL || strstr (result, "canary-value") != NULL)
        g_error ("%s:\n%s", commands[i], result);
      n_refused++;
    }
  g_unsetenv ("CANARY");
  g_assert_false (g_file_test (made, G_FILE_TEST_EXISTS));
  g_test_message ("%u of %u tries to get out were refused", n_refused, (guint) G_N_ELEMENTS (commands));
}

static void
put_in (ToolRunner *runner, const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (runner->root, name, NULL);
  g_autofree char *folder = g_path_get_dirname (path);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

static void
deny (ToolRunner *runner, const char *path)
{
  g_autoptr (GPtrArray) rules = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_rule_unref);
  g_autoptr (BeckonRuleSet) set = NULL;
  BeckonRule *rule = beckon_rule_new ();

  rule->id = g_strdup ("denied");
  rule->tool = g_strdup ("read_file");
  rule->verdict = BECKON_VERDICT_DENY;
  rule->arguments = g_strdup_printf ("{\"path\":\"%s\"}", path);
  g_ptr_array_add (rules, rule);
  set = beckon_rule_set_new (rules);
  runner->denied = beckon_denied_paths_new (set, runner->folder, "c", 1);
}

/* The runner's root stands for ROOT. */
static void
expect_in (ToolRunner *runner, const char *command, const char *words)
{
  g_auto (GStrv) parts = g_strsplit (command, "ROOT", -1);
  g_autofree char *whole = g_strjoinv (runner->root, parts);
  g_autofree char *arguments = g_strdup_printf ("{'command':'%s'}", whole);

  tool_runner_expect (runner, "run_command", arguments, words, NULL);
}

/* Scripts of the conversation's own skills run where they lie; they can't be changed, and what is beside them is not there. */
static void
test_skills (ToolRunner *runner, gconstpointer data)
{
  BeckonTool *reader = beckon_tool_registry_lookup (runner->registry, BECKON_READ_SKILL_NAME);
  g_autofree char *directory = g_build_filename (runner->root, "own", NULL);
  g_autofree char *hidden = g_build_filename (directory, "skills", "pdf", "hidden.txt", NULL);
  g_autoptr (BeckonFolderExtras) own = NULL;

  if (skip ())
    return;
  put_in (runner, "own/skills/pdf/SKILL.md", "---\nname: pdf\ndescription: Reads PDFs.\n---\nUse run.sh.");
  put_in (runner, "own/skills/pdf/run.sh", "echo run in $PWD; cat \"$(dirname \"$0\")/part.txt\"");
  put_in (runner, "own/skills/pdf/part.txt", "a part");
  put_in (runner, "own/skills/pdf/hidden.txt", "canary");
  put_in (runner, "own/secret", "canary");
  put_in (runner, "away/SKILL.md", "---\nname: away\ndescription: Is elsewhere.\n---\nText.");
  put_in (runner, "away/other.txt", "canary");
  expect_in (runner, "cat ROOT/own/skills/pdf/part.txt", "No such file");
  own = beckon_extras_read_personal (directory);
  beckon_read_skill_set (BECKON_READ_SKILL (reader), beckon_conversation_get_id (runner->turn->conversation), NULL, own);
  expect_in (runner, "sh ROOT/own/skills/pdf/run.sh", "/here\na part");
  expect_in (runner, "echo x > ROOT/own/skills/pdf/part.txt || echo refused", "refused");
  expect_in (runner, "rm ROOT/own/skills/pdf/run.sh || echo refused", "refused");
  expect_in (runner, "cat ROOT/own/secret || echo nothing", "nothing");
  expect_in (runner, "cat ROOT/away/other.txt || echo nothing", "nothing");

  deny (runner, hidden);
  expect_in (runner, "cat ROOT/own/skills/pdf/part.txt", "a part");
  {
    g_autofree char *arguments = g_strdup_printf ("{\"command\":\"cat %s\"}", hidden);
    g_autofree char *result = tool_runner_run (runner, "run_command", arguments, NULL, NULL);

    g_assert_null (strstr (result, "canary"));
  }
  g_clear_pointer (&runner->denied, beckon_denied_paths_unref);
}

/* Faults F93: links that are swapped in a loop never lead a tool out, while a command does the swapping. */
static void
test_swapped (ToolRunner *runner, gconstpointer data)
{
  g_autofree char *outside = g_build_filename (runner->root, "outside", NULL);
  g_autofree char *secret = g_build_filename (outside, "file", NULL);
  g_autofree char *here = g_build_filename (runner->folder, "d", NULL);
  g_autofree char *script = NULL;
  g_autofree char *contents = NULL;
  gint64 until;
  guint n_tries = 0, n_read = 0;
  GPid pid;

  g_assert_cmpint (g_mkdir (outside, 0700), ==, 0);
  g_assert_true (g_file_set_contents (secret, "secret", -1, NULL));
  tool_runner_write (runner, "real/file", "mine");
  script = g_strdup_printf ("while :; do ln -sfn real '%s'; ln -sfn '%s' '%s'; done", here, outside, here);
  g_assert_true (g_spawn_async (NULL, (char *[]){ (char *) "sh", (char *) "-c", script, NULL }, NULL,
                                G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL, &pid, NULL));
  until = g_get_monotonic_time () + G_USEC_PER_SEC;
  while (g_get_monotonic_time () < until)
    {
      g_autofree char *read = tool_runner_run (runner, "read_file", "{'path':'d/file'}", NULL, NULL);
      g_autofree char *arguments = g_strdup_printf ("{'path':'d/new%u','content':'x'}", n_tries);
      g_autofree char *written = tool_runner_run (runner, "write_file", arguments, NULL, NULL);

      n_tries++;
      n_read += read != NULL;
      g_assert_true (read == NULL || strcmp (read, "mine") == 0);
    }
  kill (pid, SIGKILL);
  waitpid (pid, NULL, 0);
  g_spawn_close_pid (pid);
  g_test_message ("%u tries against a swapped link, %u of them read the right file, none the other", n_tries, n_read);
  for (guint i = 0; i < n_tries; i++)
    {
      g_autofree char *name = g_strdup_printf ("%s/new%u", outside, i);

      g_assert_false (g_file_test (name, G_FILE_TEST_EXISTS));
    }
  g_assert_true (g_file_get_contents (secret, &contents, NULL, NULL));
  g_assert_cmpstr (contents, ==, "secret");
}

/* Models write for bash, and in dash `mkdir -p {a,b}` makes one folder with an odd name. */
static void
test_bash (ToolRunner *runner, gconstpointer data)
{
  if (skip ())
    return;
  if (strcmp (beckon_sandbox_get_shell (), "/bin/bash") != 0)
    {
      g_test_skip ("bash is not installed");
      return;
    }
  tool_runner_expect (runner, "run_command", "{'command':'mkdir -p src/{a,b} && [[ -d src/a && -d src/b ]] && ls src; echo $SHELL'}",
                      "a\nb\n/bin/bash\n", NULL);
}

static gint64
get_resident (void)
{
  g_autofree char *statm = NULL;
  g_auto (GStrv) numbers = NULL;

  g_assert_true (g_file_get_contents ("/proc/self/statm", &statm, NULL, NULL));
  numbers = g_strsplit (statm, " ", 3);
  return g_ascii_strtoll (numbers[1], NULL, 10) * sysconf (_SC_PAGESIZE);
}

/* Faults F98: the beginning and the end are told, all of it can be paged, and it costs little memory. */
static void
test_much (ToolRunner *runner, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *result = NULL;
  g_autofree char *arguments = NULL;
  gint64 before;

  if (skip ())
    return;
  tool_runner_expect (runner, "run_command", "{'command':'true'}", "Exit status 0", NULL);
  before = get_resident ();
  result = tool_runner_run (runner, "run_command", "{'command':'seq 1 9000000 | head -c 60000000; echo; echo the end'}", NULL,
                            &error);
  g_assert_no_error (error);
  g_test_message ("60 MB of output cost %" G_GINT64_FORMAT " kB of memory", (get_resident () - before) / 1024);
#ifndef __SANITIZE_ADDRESS__
  g_assert_cmpint (get_resident () - before, <, 32 * 1024 * 1024);
#endif
  g_assert_cmpuint (strlen (result), <, 3 * BECKON_OUTPUT_KEPT);
  g_assert_true (g_str_has_prefix (result, "1\n2\n3\n"));
  g_assert_nonnull (strstr (result, "bytes are left out here"));
  g_assert_nonnull (strstr (result, "\nthe end\n[Exit status 0"));
  g_assert_nonnull (strstr (result, "[All of the output: read_file with path output:1.]"));
  tool_runner_expect (runner, "read_file", "{'path':'output:1','limit':2}", "1\n2\n[This is up to byte 4 of 60000009", NULL);
  tool_runner_expect (runner, "read_file", "{'path':'output:1','byte_offset':59999999}", "the end\n", NULL);
}

/* Output that is told whole now may be shortened later, and is to be had all the same. */
static void
test_kept (ToolRunner *runner, gconstpointer data)
{
  if (skip ())
    return;
  tool_runner_expect (runner, "run_command", "{'command':'seq 1 1100'}", "1100\n[Exit status 0", NULL);
  tool_runner_expect (runner, "run_command", "{'command':'seq 1 1100'}", "[Kept as output:2, for read_file and search_files.]",
                      NULL);
  tool_runner_expect (runner, "read_file", "{'path':'output:2','limit':2}", "1\n2\n[This is up to byte 4 of", NULL);
}

/* An output that is longer than is kept is not said to be all of it. */
static void
test_too_much (ToolRunner *runner, gconstpointer data)
{
  if (skip ())
    return;
  tool_runner_expect (runner, "run_command",
                      "{'command':'head -c 67108000 /dev/zero; head -c 5000 /dev/zero; echo the end'}",
                      "[The first 67108864 bytes of the output, and no more of it: read_file with path output:1.]", NULL);
}

/* The model and the person are told which limit it was. */
static void
test_told (ToolRunner *runner, gconstpointer data)
{
  if (skip ())
    return;
  tool_runner_expect (runner, "run_command", "{'command':'ulimit -f 1; exec head -c 2000000 /dev/zero >big'}",
                      "[Exit status 153: a file became larger than the limit of", NULL);
}

static void
test_binary (ToolRunner *runner, gconstpointer data)
{
  g_autofree char *result = NULL;

  if (skip ())
    return;
  result = tool_runner_run (runner, "run_command", "{'command':'head -c 20000 /dev/urandom; printf \\\"\\\\033]52;c;eA\\\\007\\\"'}",
                            NULL, NULL);
  g_assert_true (g_utf8_validate (result, -1, NULL));
  g_assert_null (strchr (result, '\x1b'));
}

/* The output can be watched while the command runs, ten times a second at most. */
static void
test_live (ToolRunner *runner, gconstpointer data)
{
  if (skip ())
    return;
  runner->seen = "seen";
  tool_runner_expect (runner, "run_command",
                      "{'command':'for i in 1 2 3 4 5; do echo line $i; until grep -qs $i seen; do :; done; done'}", "line 5",
                      NULL);
  g_assert_true (g_str_has_prefix (runner->reported->str, "line 1\nline 1\nline 2\n"));
  g_assert_true (g_str_has_suffix (runner->reported->str, "line 1\nline 2\nline 3\nline 4\nline 5\n"));
  g_assert_cmpuint (runner->n_reports, >=, 5);
  g_assert_cmpuint (runner->n_reports, <=, 30);
}

static void
test_time_over (ToolRunner *runner, gconstpointer data)
{
  g_autofree char *result = NULL;
  gint64 begun = g_get_monotonic_time ();

  if (skip ())
    return;
  runner->prompt_answer = "End it";
  result = tool_runner_run (runner, "run_command", "{'command':'echo begun; sleep 1000','timeout_seconds':1}", NULL, NULL);
  g_assert_nonnull (strstr (result, "begun\n[It was ended, because it ran out of time, after "));
  g_assert_cmpuint (runner->n_prompts, ==, 1);
  g_assert_nonnull (strstr (runner->prompted, "“echo begun; sleep 1000” has been running"));
  g_assert_true (g_regex_match_simple ("has been running for [0-9]+ seconds?\\. Keep it running", runner->prompted, 0, 0));
  g_assert_nonnull (strstr (runner->prompted, "Last output:\nbegun"));
  g_assert_cmpint (g_get_monotonic_time () - begun, <, 30 * G_USEC_PER_SEC);

  /* A command of which nobody can be asked ends as well. */
  runner->prompt_answer = NULL;
  tool_runner_expect (runner, "run_command", "{'command':'sleep 1000','timeout_seconds':1}", "it ran out of time", NULL);
}

static void
test_goes_on (ToolRunner *runner, gconstpointer data)
{
  if (skip ())
    return;
  runner->prompt_answer = "Keep it running for 10 minutes";
  runner->gate = "first";
  tool_runner_expect (runner, "run_command", "{'command':'until [ -e first ]; do :; done; echo done','timeout_seconds':1}",
                      "done\n[Exit status 0", NULL);
  g_assert_cmpuint (runner->n_prompts, ==, 1);

  /* The command ends while the person has not answered: the question is withdrawn. */
  runner->prompt_answer = "";
  runner->gate = "second";
  tool_runner_expect (runner, "run_command", "{'command':'until [ -e second ]; do :; done; echo done','timeout_seconds':1}",
                      "done\n[Exit status 0", NULL);
  g_assert_true (runner->was_taken_back);
}

static void
set_language (const char *language)
{
  g_setenv ("LANGUAGE", language, TRUE);
  /* Translations that were found are looked up again. */
  setlocale (LC_ALL, "");
}

static void
on_asked (ToolRunner *runner)
{
  set_language ("en");
}

/* The first choice lets it go on, in the language in which it was asked, whichever it is by then. */
static void
test_goes_on_translated (ToolRunner *runner, gconstpointer data)
{
  g_autofree char *translations = g_test_build_filename (G_TEST_BUILT, "..", "po", NULL);
  g_autofree char *before = g_strdup (bindtextdomain (GETTEXT_PACKAGE, NULL));

  if (skip ())
    return;
  bindtextdomain (GETTEXT_PACKAGE, translations);
  set_language ("zh_CN");
  runner->prompt_answer = "再运行 10 分钟";
  runner->gate = "first";
  runner->asked = on_asked;
  tool_runner_expect (runner, "run_command", "{'command':'until [ -e first ]; do :; done; echo done','timeout_seconds':1}",
                      "done\n[Exit status 0", NULL);
  g_assert_cmpuint (runner->n_prompts, ==, 1);
  set_language ("en");
  bindtextdomain (GETTEXT_PACKAGE, before);
}

static gboolean
cancel_when_running (gpointer user_data)
{
  g_autofree char *marker = g_strdup_printf ("MARK=beckon-tool-stop-%d;", (int) getpid ());

  if (!beckon_marked_is_running (marker))
    return G_SOURCE_CONTINUE;

  g_cancellable_cancel (user_data);
  return G_SOURCE_REMOVE;
}

/* Faults F99: all of it is gone within two seconds. */
static void
test_stop (ToolRunner *runner, gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *marker = g_strdup_printf ("MARK=beckon-tool-stop-%d;", (int) getpid ());
  g_autofree char *arguments = NULL;
  gint64 ended;

  if (skip ())
    return;
  g_timeout_add (50, cancel_when_running, cancellable);
  arguments = g_strdup_printf ("{'command':'export MARK=beckon-tool-stop-%d\\\\;; trap : TERM INT HUP; (setsid sh -c \\\"trap : TERM; "
                               "sleep 1000\\\" &); while :; do sleep 1000; done'}", (int) getpid ());
  g_assert_null (tool_runner_run (runner, "run_command", arguments, cancellable, &error));
  ended = g_get_monotonic_time ();
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  beckon_marked_assert_ends (marker, ended);
}

/* The line is judged and shown whole, with where it runs, and the files it names, where their links lead (faults F94). */
static void
test_effects (ToolRunner *runner, gconstpointer data)
{
  g_autofree char *link = g_build_filename (runner->folder, "notes", NULL);
  g_autofree char *script = g_build_filename (runner->folder, "run.sh", NULL);
  g_auto (BeckonEffects) effects = { 0 };

  tool_runner_write (runner, "run.sh", "");
  g_assert_cmpint (symlink ("/etc/profile", link), ==, 0);
  tool_runner_get_effects (runner, "run_command", "{'command':'./run.sh --all && cp x notes','network':true}", &effects);
  g_assert_false (effects.read_only);
  g_assert_true (effects.uses_network);
  g_assert_true (effects.leaves_folder);
  g_assert_cmpstr (effects.command, ==, "./run.sh --all && cp x notes");
  g_assert_cmpstr (effects.paths[0], ==, runner->folder);
  g_assert_cmpstr (effects.paths[1], ==, script);
  g_assert_cmpstr (effects.paths[2], ==, "/etc/profile");
  g_assert_null (effects.paths[3]);
}

/* A virtual environment leads to the system's programs, which any command may run. */
static void
test_link_to_system (ToolRunner *runner, gconstpointer data)
{
  g_autofree char *link = g_build_filename (runner->folder, "python", NULL);
  g_auto (BeckonEffects) effects = { 0 };

  g_assert_cmpint (symlink ("/usr/bin/env", link), ==, 0);
  tool_runner_get_effects (runner, "run_command", "{'command':'./python -m pytest'}", &effects);
  g_assert_false (effects.leaves_folder);
}

/* The same of an interpreter that a tool chain of the home brought, where commands are shown it. */
static void
test_link_to_tool_chain (ToolRunner *runner, gconstpointer data)
{
  static const struct
  {
    const char *name;
    const char *target;
    gboolean is_shown;
  } cases[] = {
    { "pyenv", ".pyenv/versions/3.12.1/bin/python3.12", TRUE },
    { "uv", ".local/share/uv/python/cpython-3.12/bin/python3.12", TRUE },
    { "uv", ".pyenv/versions/3.12.1/bin/python3.12", FALSE },
    { "pyenv", ".pyenv/cache/secret", FALSE },
    { "pyenv", ".secret", FALSE },
  };
  g_autofree char *link = g_build_filename (runner->folder, "python", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const char *const names[] = { cases[i].name, NULL };
      g_autofree char *target = g_build_filename (g_get_home_dir (), cases[i].target, NULL);
      g_autofree char *parent = g_path_get_dirname (target);
      g_auto (BeckonEffects) effects = { 0 };

      g_assert_cmpint (g_mkdir_with_parents (parent, 0700), ==, 0);
      g_assert_true (g_file_set_contents (target, "", 0, NULL));
      g_assert_cmpint (symlink (target, link), ==, 0);
      beckon_tool_registry_set_tool_chains (runner->registry, names);
      tool_runner_get_effects (runner, "run_command", "{'command':'./python -m pytest'}", &effects);
      g_assert_cmpint (effects.leaves_folder, ==, !cases[i].is_shown);
      g_assert_cmpint (unlink (link), ==, 0);
    }
  beckon_tool_registry_set_tool_chains (runner->registry, NULL);
}

/* The reach of a call beyond the defaults, however it is written; an argument that was not given has its default. */
static void
test_reach (ToolRunner *runner, gconstpointer data)
{
  static const struct
  {
    const char *arguments;
    const char *network;
    const char *directory;
    const char *seconds;
  } cases[] = {
    { "{'command':'make'}", NULL, NULL, NULL },
    { "{'command':'make','network':false,'directory':'.','timeout_seconds':120}", NULL, NULL, NULL },
    { "{'command':'make','directory':'sub/..','timeout_seconds':5}", NULL, NULL, NULL },
    { "{'command':'make','network':true}", "true", NULL, NULL },
    { "{'command':'make','local_network':true}", NULL, NULL, NULL },
    { "{'command':'make','local_network':true,'network':true}", "true", NULL, NULL },
    { "{'command':'make','background':true,'local_network':true}", "true", NULL, "3600" },
    { "{'command':'make','network':true,'hosts':['PyPI.org.','*.a.example']}", "*.a.example,pypi.org", NULL, NULL },
    { "{'command':'make','directory':'./sub/'}", NULL, "sub", NULL },
    { "{'command':'make','directory':'link'}", NULL, "sub", NULL },
    { "{'command':'make','timeout_seconds':121}", NULL, NULL, "121" },
    { "{'command':'make','background':true,'timeout_seconds':5}", NULL, NULL, "3600" },
  };
  g_autofree char *link = g_build_filename (runner->folder, "link", NULL);

  tool_runner_write (runner, "sub/a", "");
  g_assert_cmpint (symlink ("sub", link), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (BeckonEffects) effects = { 0 };

      g_test_message ("%s", cases[i].arguments);
      tool_runner_get_effects (runner, "run_command", cases[i].arguments, &effects);
      g_assert_cmpstr (beckon_effects_get_reach (&effects, "network"), ==, cases[i].network);
      g_assert_cmpstr (beckon_effects_get_reach (&effects, "local_network"), ==,
                       strstr (cases[i].arguments, "local_network") != NULL ? "true" : NULL);
      g_assert_cmpstr (beckon_effects_get_reach (&effects, "directory"), ==, cases[i].directory);
      g_assert_cmpstr (beckon_effects_get_reach (&effects, "timeout_seconds"), ==, cases[i].seconds);
      g_assert_true (json_object_has_member (effects.arguments, "network"));
      g_assert_true (json_object_has_member (effects.arguments, "timeout_seconds"));
    }
}

/* The card names the folder in which the command starts. */
static void
test_described (ToolRunner *runner, gconstpointer data)
{
  g_autofree char *sub = g_build_filename (runner->folder, "sub", NULL);
  const struct
  {
    const char *arguments;
    const char *folder;
  } cases[] = {
    { "{'command':'make'}", runner->folder },
    { "{'command':'make','directory':'./sub/'}", sub },
    { "{'command':'make','directory':'/usr'}", "/usr" },
  };

  tool_runner_write (runner, "sub/a", "");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (BeckonEffects) effects = { 0 };
      g_autoptr (BeckonApprovalDetails) details = NULL;

      tool_runner_get_effects (runner, "run_command", cases[i].arguments, &effects);
      effects.folder = runner->folder;
      details = beckon_tool_describe_call (beckon_tool_registry_lookup (runner->registry, "run_command"), &effects);
      g_assert_cmpstr (details->folder, ==, cases[i].folder);
    }
}

/* The network is what was asked for: the internet through the proxy, and this computer only where it was said. */
static void
test_network (ToolRunner *runner, gconstpointer data)
{
  g_autoptr (GSocketListener) listener = g_socket_listener_new ();
  guint16 port = g_socket_listener_add_any_inet_port (listener, NULL, NULL);
  g_autofree char *connect = g_strdup_printf ("bash -c \\\"exec 3<>/dev/tcp/127.0.0.1/%u && echo connected\\\"", port);
  static const char *const private_hosts[] = { "127.0.0.1", "LocalHost", "10.1.2.3", "0.0.0.0", "printer.local" };
  static const char *const unreached[] = { "','network':true}", "'}", " 2>&1 | tail -5'}" };
  g_autofree char *with_both = g_strdup_printf ("{'command':'%s','local_network':true}", connect);

  if (skip ())
    return;
  for (guint i = 0; i < G_N_ELEMENTS (unreached); i++)
    {
      g_autofree char *arguments = g_strconcat ("{'command':'", connect, unreached[i], NULL);
      g_autofree char *result = tool_runner_run (runner, "run_command", arguments, NULL, NULL);

      g_assert_nonnull (strstr (result, "only with local_network; the user is asked.]"));
      g_assert_null (strstr (result, "proxy"));
    }
  tool_runner_expect (runner, "run_command", "{'command':'exit 3','network':true}", "[Nothing used the network proxy",
                      "HTTPS_PROXY", NULL);
  tool_runner_expect (runner, "run_command", with_both, "connected\n[Exit status 0", NULL);
  tool_runner_expect (runner, "run_command", "{'command':'echo $https_proxy $NO_PROXY','network':true,'hosts':['a.example']}",
                      "http://127.0.0.1:61080 localhost,127.0.0.1,::1\n", NULL);
  tool_runner_expect_error (runner, "run_command", "{'command':'make','hosts':['a.example']}", BECKON_ERROR_INVALID, "network");
  tool_runner_expect_error (runner, "run_command", "{'command':'make','network':true,'hosts':['http://a']}", BECKON_ERROR_INVALID,
                            "pypi.org");
  for (guint i = 0; i < G_N_ELEMENTS (private_hosts); i++)
    {
      g_autofree char *arguments
          = g_strdup_printf ("{'command':'make','network':true,'hosts':['a.example','%s']}", private_hosts[i]);

      tool_runner_expect_error (runner, "run_command", arguments, BECKON_ERROR_INVALID, "Set local_network; the user is asked.");
    }
}

static void
assert_names (ToolRunner *runner, const char *line, const char *path)
{
  g_autofree char *arguments = g_strdup_printf ("{'command':'%s'}", line);
  g_auto (BeckonEffects) effects = { 0 };

  g_test_message ("%s", line);
  tool_runner_get_effects (runner, "run_command", arguments, &effects);
  g_assert_true (g_strv_contains (effects.paths, path));
}

/* Faults F89: what a command names is bound to its approval, however the line is written and however long it is. */
static void
test_named_files (ToolRunner *runner, gconstpointer data)
{
  static const char *const lines[] = {
    "./sub/run.sh", "sh ./sub/../sub/run.sh", "cd sub && ./run.sh", "cd sub; for i in 1 2; do sh run.sh $i; done",
    "sh sub/run.sh $HOME", "make --file=sub/run.sh", "BASH_ENV=sub/run.sh bash", "x=$(sh sub/run.sh)", "sh <sub/run.sh",
    "sh -c \\\"sh sub/run.sh x\\\"", "sh -c \\\"cd sub && ./run.sh\\\"", "env -C sub sh run.sh", "make -fsub/run.sh", "cc @sub/run.sh",
  };
  g_autofree char *spaced = g_build_filename (runner->folder, "sub", "run it.sh", NULL);
  g_autofree char *script = g_build_filename (runner->folder, "sub", "run.sh", NULL);
  g_autoptr (GString) padded = g_string_new ("cat a");

  tool_runner_write (runner, "sub/run.sh", "");
  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    assert_names (runner, lines[i], script);
  tool_runner_write (runner, "sub/run it.sh", "");
  assert_names (runner, "sh \\\"sub/run it.sh\\\" $HOME", spaced);

  /* Behind many words, which are files too. */
  tool_runner_write (runner, "a", "");
  for (guint i = 0; i < 400; i++)
    {
      g_autofree char *name = g_strdup_printf ("f%u", i);

      tool_runner_write (runner, name, "");
      g_string_append_printf (padded, " a a a x%u %s", i, name);
    }
  g_string_append (padded, "; sh sub/run.sh");
  assert_names (runner, padded->str, script);
}

/* A folder whose name only begins as that of the working folder is another one: a command cannot reach it. */
static void
test_named_next_door (ToolRunner *runner, gconstpointer data)
{
  g_autofree char *next = g_strconcat (runner->folder, "-next", NULL);
  g_autofree char *file = g_build_filename (next, "run.sh", NULL);
  g_autofree char *arguments = g_strdup_printf ("{'command':'sh %s; sh ../%s/run.sh; sh ../%s/*.sh'}", file,
                                                 strrchr (next, '/') + 1, strrchr (next, '/') + 1);
  g_auto (BeckonEffects) effects = { 0 };
  struct inotify_event event;
  int watch = inotify_init1 (IN_NONBLOCK | IN_CLOEXEC);

  g_assert_cmpint (g_mkdir (next, 0700), ==, 0);
  g_assert_true (g_file_set_contents (file, "", -1, NULL));
  g_assert_cmpint (inotify_add_watch (watch, next, IN_OPEN), >=, 0);
  tool_runner_get_effects (runner, "run_command", arguments, &effects);
  g_assert_false (effects.paths != NULL && g_strv_contains (effects.paths, file));
  /* The list of its files is nobody's business either. */
  g_assert_cmpint (read (watch, &event, sizeof event), ==, -1);
  close (watch);
  g_assert_cmpint (g_remove (file), ==, 0);
  g_assert_cmpint (g_rmdir (next), ==, 0);
}

/* Faults F100: without bubblewrap the tool is not there, says why, and a call all the same runs nothing. */
static void
test_missing (ToolRunner *runner, gconstpointer data)
{
  g_autofree char *path = g_strdup (g_getenv ("PATH"));
  g_autofree char *made = g_build_filename (runner->folder, "made", NULL);
  g_autofree char *absence = NULL;
  g_autoptr (GError) error = NULL;

  g_setenv ("PATH", "/nonexistent", TRUE);
  absence = beckon_tool_get_absence (beckon_tool_registry_lookup (runner->registry, "run_command"), runner->folder);
  g_assert_null (tool_runner_run (runner, "run_command", "{'command':'touch made'}", NULL, &error));
  g_setenv ("PATH", path, TRUE);
  g_assert_nonnull (absence);
  g_assert_nonnull (strstr (absence, "bubblewrap"));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE);
  g_assert_false (g_file_test (made, G_FILE_TEST_EXISTS));
}

static void
probe (void)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  beckon_sandbox_probe_async (NULL, tool_runner_keep, &result);
  is_possible = beckon_sandbox_probe_finish (tool_runner_wait (&result), &error);
  if (!is_possible)
    g_test_message ("%s", error->message);
}

/* How it ended is data, beside the words for the model. */
static void
test_ended (ToolRunner *runner, gconstpointer data)
{
  if (skip ())
    return;
  tool_runner_expect (runner, "run_command", "{'command':'echo one; exit 3'}", "one\n[Exit status 3", NULL);
  g_assert_true (runner->end.is_failure);
  g_assert_cmpint (runner->end.exit_status, ==, 3);
  g_assert_cmpuint (runner->end.output_length, ==, 4);
  tool_runner_expect (runner, "run_command", "{'command':'printf one'}", "one\n[Exit status 0", NULL);
  g_assert_false (runner->end.is_failure);
  g_assert_cmpint (runner->end.exit_status, ==, 0);
  g_assert_cmpuint (runner->end.output_length, ==, 3);
}

/* Prints its arguments one by one, the next one when the last one was read. */
#define PIECES                                                                                                         \
  "import array, fcntl, os, sys, termios\n"                                                                            \
  "for piece in sys.argv[1:]:\n"                                                                                       \
  "    os.write(1, piece.encode())\n"                                                                                  \
  "    unread = array.array('i', [1])\n"                                                                               \
  "    while unread[0]:\n"                                                                                             \
  "        fcntl.ioctl(1, termios.FIONREAD, unread)\n"

/* Output that comes piece by piece is masked before it is shown, cut or kept, in any encoding; a lot of it as well. */
static void
test_masked (ToolRunner *runner, gconstpointer data)
{
  g_autoptr (BeckonMask) mask = beckon_mask_new ();
  g_autofree char *result = NULL;
  g_autofree char *kept = NULL;
  g_autofree char *arguments = NULL;
  g_autofree char *name = NULL;
  const char *found;

  if (skip ())
    return;
  beckon_mask_add (mask, "hunter2-canary", "<SECRET>");
  runner->mask = mask;
  tool_runner_write (runner, "pieces.py", PIECES);
  tool_runner_expect (runner, "run_command",
                      "{'command':'python3 pieces.py hun ter 2- can ary; echo; python3 pieces.py 68756e746572; "
                      "echo 322d63616e617279; printf x:hunter2-canary | base64; printf hunter2-'}",
                      "<SECRET>\n<SECRET>\n", "\nhunter2-\n[Exit status 0", NULL);
  g_assert_null (strstr (runner->reported->str, "canary"));
  g_assert_null (strstr (runner->reported->str, "hunter\n"));
  result = tool_runner_run (runner, "run_command",
                            "{'command':'i=0; while [ $i -lt 20000 ]; do echo .hunter2-canary; i=$((i+1)); done'}", NULL, NULL);
  g_assert_nonnull (result);
  found = strstr (result, "read_file with path ");
  g_assert_nonnull (found);
  g_assert_null (strstr (result, "hunt"));
  g_assert_null (strstr (result, "anary"));
  found += strlen ("read_file with path ");
  name = g_strndup (found, strcspn (found, ".]"));
  arguments = g_strdup_printf ("{'path':'%s'}", name);
  runner->mask = NULL;
  kept = tool_runner_run (runner, "read_file", arguments, NULL, NULL);
  g_assert_nonnull (kept);
  g_assert_true (g_str_has_prefix (kept, ".<SECRET>\n"));
  g_assert_null (strstr (kept, "hunt"));
}

/* --- In the background --- */

#define ASK "python3 ask.py"

/* (transfer full): the handle that @told names. */
static char *
find_handle (const char *told)
{
  const char *found = told != NULL ? strstr (told, "in the background as output:") : NULL;

  if (found == NULL)
    g_error ("nothing was begun in the background: %s", told);
  found = strstr (found, "output:");
  return g_strndup (found, strlen ("output:") + strspn (found + strlen ("output:"), "0123456789"));
}

static char *
run_with (ToolRunner *runner, const char *tool, const char *before, const char *handle)
{
  g_autofree char *whole = g_strdup_printf ("{%s'%s'}", before, handle);
  g_autoptr (GError) error = NULL;
  char *result = tool_runner_run (runner, tool, whole, NULL, &error);

  g_assert_no_error (error);
  return result;
}

static void
assert_has (const char *text, const char *words)
{
  if (strstr (text, words) == NULL)
    g_error ("“%s” is not in:\n%s", words, text);
}

/* A server is reached by the commands behind it, and by nobody else; its output is read while it runs; it ends by its handle, and
 * what it changed is found then. */
static void
test_background (ToolRunner *runner, gconstpointer data)
{
  g_autoptr (GAsyncResult) learned = NULL;
  g_autoptr (BeckonToolCall) server = NULL;
  g_autofree char *told = NULL;
  g_autofree char *handle = NULL;
  g_autofree char *read = NULL;
  g_autofree char *searched = NULL;
  g_autofree char *ended = NULL;
  g_autofree char *after = NULL;

  if (skip ())
    return;
  beckon_sandbox_view_learn_async (runner->folder, NULL, tool_runner_keep, &learned);
  g_assert_true (beckon_sandbox_view_learn_finish (tool_runner_wait (&learned), NULL));
  tool_runner_write (runner, "page", "hello\n");
  tool_runner_write (runner, "ask.py",
                     "import urllib.request as r; print(r.urlopen('http://127.0.0.1:8999/page').read().decode(), end='')\n");
  told = tool_runner_run (runner, "run_command",
                          "{'command':'echo begun; touch made; exec python3 -m http.server 8999 --bind 127.0.0.1','background':true}",
                          NULL, NULL);
  handle = find_handle (told);
  server = g_object_ref (runner->call);
  assert_has (told, "begun\n[It goes on");
  assert_has (told, "127.0.0.1");
  g_assert_cmpuint (runner->n_background, ==, 1);

  for (guint i = 0; i < 2; i++)
    tool_runner_expect (runner, "run_command", "{'command':'for i in $(seq 100); do " ASK " && break; sleep 0.1; done 2>/dev/null'}",
                        "hello\n", NULL);
  /* As a file tool does: a new file in place of the one that the server has read. */
  tool_runner_write (runner, "page.new", "goodbye\n");
  outside (runner, "mv here/page.new here/page");
  tool_runner_expect (runner, "run_command", "{'command':'" ASK "'}", "goodbye\n", NULL);
  tool_runner_expect_error (runner, "end_command", "{'output':'output:99'}", BECKON_ERROR_NOT_FOUND, "output:99");
  read = run_with (runner, "read_file", "'path':", handle);
  assert_has (read, "GET /page");
  assert_has (read, "[It goes on: there may be more later.]");
  searched = run_with (runner, "search_files", "'pattern':'begun','path':", handle);
  assert_has (searched, "begun");

  ended = run_with (runner, "end_command", "'output':", handle);
  assert_has (ended, "[It was ended, because end_command was called, after ");
  assert_has (beckon_tool_call_get_result (server), "begun\n");
  g_assert_false (beckon_tool_call_get_is_error (server));
  g_assert_cmpuint (runner->n_background, ==, 0);
  after = run_with (runner, "read_file", "'path':", handle);
  assert_has (after, "which ran in the background, was ended, because end_command was called.]");
  tool_runner_expect (runner, "run_command", "{'command':'" ASK " 2>&1'}", "refused", NULL);
}

/* A failure at once is a result like any other. */
static void
test_background_fails (ToolRunner *runner, gconstpointer data)
{
  if (skip ())
    return;
  tool_runner_expect (runner, "run_command", "{'command':'echo no >&2; exit 3','background':true}", "no\n[Exit status 3, after ",
                      NULL);
  g_assert_cmpuint (runner->n_background, ==, 0);
  tool_runner_expect (runner, "run_command", "{'command':'sleep 1000 & '}", "A server runs on if background is set", NULL);
}

/* So many, and no more; another conversation's are not counted, and one that ended by itself makes room. */
static void
test_background_bounded (ToolRunner *runner, gconstpointer data)
{
  g_autofree char *first = NULL;
  g_autofree char *ended = NULL;
  g_autofree char *ends = NULL;

  if (skip ())
    return;
  for (guint i = 0; i < 4; i++)
    {
      g_autofree char *told = tool_runner_run (runner, "run_command",
                                               "{'command':'until [ -e /tmp/gate ]; do sleep 0.1; done','background':true}", NULL, NULL);
      g_autofree char *handle = find_handle (told);

      if (first == NULL)
        first = g_steal_pointer (&handle);
    }
  tool_runner_expect_error (runner, "run_command", "{'command':'sleep 100','background':true}", BECKON_ERROR_CONFLICT, first);
  ended = run_with (runner, "end_command", "'output':", first);
  g_assert_cmpuint (runner->n_background, ==, 3);
  tool_runner_expect (runner, "run_command", "{'command':'touch /tmp/gate'}", "Exit status 0", NULL);
  beckon_await (runner->n_background == 0);
  ends = beckon_command_take_ends (beckon_conversation_get_id (runner->turn->conversation));
  assert_has (ends, ", which ran in the background, has ended. Exit status 0, after ");
  g_assert_null (strstr (ends, first));
  g_assert_null (beckon_command_take_ends (beckon_conversation_get_id (runner->turn->conversation)));
}

/* With the internet it is in a network of its own: its proxy would be everybody's. */
static void
test_background_network (ToolRunner *runner, gconstpointer data)
{
  g_autofree char *told = NULL;
  g_autofree char *handle = NULL;
  g_autofree char *ended = NULL;

  if (skip ())
    return;
  told = tool_runner_run (runner, "run_command",
                          "{'command':'echo $HTTP_PROXY; exec python3 -m http.server 8999 --bind 127.0.0.1','background':true,"
                          "'network':true}", NULL, NULL);
  handle = find_handle (told);
  assert_has (told, "http://127.0.0.1:");
  assert_has (told, "neither other commands nor the user's browser reach its ports");
  tool_runner_expect (runner, "run_command", "{'command':'grep -c 0100007F /proc/net/tcp; echo end'}", "0\nend\n", NULL);
  ended = run_with (runner, "end_command", "'output':", handle);
  assert_has (ended, "end_command was called");
}

/* A server that shares the user's network is reached by commands that do. */
static void
test_background_unreached (ToolRunner *runner, gconstpointer data)
{
  g_autofree char *told = NULL;
  g_autofree char *handle = NULL;
  g_autofree char *words = NULL;
  g_autofree char *ended = NULL;

  if (skip ())
    return;
  told = tool_runner_run (runner, "run_command", "{'command':'exec sleep 1000','background':true,'local_network':true}", NULL, NULL);
  handle = find_handle (told);
  words = g_strdup_printf ("[The ports of %s are reached only with local_network", handle);
  tool_runner_expect (runner, "run_command", "{'command':'curl -s http://127.0.0.1:9/ || exit 7'}", words, NULL);
  ended = run_with (runner, "end_command", "'output':", handle);
}

/* Its output does not go with the many behind it while it runs. */
static void
test_background_crowd (ToolRunner *runner, gconstpointer data)
{
  g_autofree char *told = NULL;
  g_autofree char *handle = NULL;
  g_autofree char *read = NULL;
  g_autofree char *ended = NULL;

  if (skip ())
    return;
  told = tool_runner_run (runner, "run_command", "{'command':'echo first; exec sleep 1000','background':true}", NULL, NULL);
  handle = find_handle (told);
  for (guint i = 0; i < BECKON_OUTPUT_STORE_MAX_FILES + 2; i++)
    {
      g_autofree char *name = NULL;
      int fd = beckon_output_store_add (runner->outputs, "other", 0, &name);

      g_assert_cmpint (fd, >=, 0);
      close (fd);
    }
  read = run_with (runner, "read_file", "'path':", handle);
  assert_has (read, "first");
  ended = run_with (runner, "end_command", "'output':", handle);
}

#define ADD(path, function) g_test_add (path, ToolRunner, NULL, set_up, function, tear_down)

/* They wait for seconds of a clock, and are with -m slow in the suite `long`. */
static void
add_slow_cases (void)
{
  ADD ("/faults/F93-swapped", test_swapped);
  ADD ("/command/time-over", test_time_over);
  ADD ("/command/goes-on", test_goes_on);
  ADD ("/command/goes-on-translated", test_goes_on_translated);
  ADD ("/command/landing", test_landing);
}

static void
add_cases (void)
{
  ADD ("/command/runs", test_runs);
  ADD ("/command/renamed", test_renamed);
  ADD ("/command/temporary", test_temporary);
  ADD ("/command/temporary-end", test_temporary_end);
  ADD ("/command/moves", test_moves);
  ADD ("/command/moves-refused", test_moves_refused);
  ADD ("/command/moves-effects", test_moves_effects);
  ADD ("/command/git/person", test_git_person);
  ADD ("/command/git/elsewhere", test_git_elsewhere);
  ADD ("/command/git/planted", test_git_planted);
  ADD ("/command/sql", test_sql);
  ADD ("/faults/F95-F96-sealed", test_sealed);
  ADD ("/run-command/bash", test_bash);
  ADD ("/faults/F98-much", test_much);
  ADD ("/faults/F98-too-much", test_too_much);
  ADD ("/tools/run-command/kept", test_kept);
  ADD ("/run-command/told", test_told);
  ADD ("/faults/F98-binary", test_binary);
  ADD ("/command/ended", test_ended);
  ADD ("/command/masked", test_masked);
  ADD ("/command/skills", test_skills);
  ADD ("/command/live", test_live);
  ADD ("/faults/F99-stop", test_stop);
  ADD ("/command/no-landing", test_no_landing);
  ADD ("/command/no-view", test_no_view);
  ADD ("/command/effects", test_effects);
  ADD ("/command/link-to-system", test_link_to_system);
  ADD ("/command/link-to-tool-chain", test_link_to_tool_chain);
  ADD ("/command/reach", test_reach);
  ADD ("/command/described", test_described);
  ADD ("/run-command/network", test_network);
  ADD ("/command/background", test_background);
  ADD ("/command/background-fails", test_background_fails);
  ADD ("/command/background-bounded", test_background_bounded);
  ADD ("/command/background-unreached", test_background_unreached);
  ADD ("/command/background-network", test_background_network);
  ADD ("/command/background-crowd", test_background_crowd);
  ADD ("/faults/F89-named-files", test_named_files);
  ADD ("/faults/F89-named-next-door", test_named_next_door);
  ADD ("/faults/F100-missing", test_missing);
}

int
main (int argc, char *argv[])
{
  g_autofree char *data = g_dir_make_tmp ("beckon-run-command-XXXXXX", NULL);
  g_autofree char *home = g_build_filename (data, "home", NULL);
  g_autofree char *config = g_build_filename (home, ".gitconfig", NULL);
  g_autofree char *included = g_build_filename (home, "more", NULL);
  g_autofree char *ignored = g_build_filename (home, "ignored", NULL);
  int status;

  g_mkdir (home, 0700);
  g_file_set_contents (config,
                       "[include]\n\tpath = more\n[core]\n\texcludesFile = ~/ignored\n\thooksPath = /tmp\n\tfsmonitor = /bin/false\n"
                       "[alias]\n\tci = commit -v\n\trun = !rm -rf ~\n[credential]\n\thelper = store\n[tag]\n\tgpgSign = true\n",
                       -1, NULL);
  g_file_set_contents (included, "[user]\n\tname = \"A \\\"quoted\\\" Person\"\n\temail = person@example.org\n\tsigningKey = x\n"
                       "[init]\n\tdefaultBranch = trunk\n", -1, NULL);
  g_file_set_contents (ignored, "*.tmp\n", -1, NULL);
  g_setenv ("HOME", home, TRUE);
  g_setenv ("GIT_CONFIG_NOSYSTEM", "1", TRUE);

  /* Commands have their places there. */
  g_setenv ("XDG_DATA_HOME", data, TRUE);
  g_test_init (&argc, &argv, NULL);
  probe ();
  if (g_test_slow ())
    add_slow_cases ();
  else
    add_cases ();
  status = g_test_run ();
  beckon_tree_remove (data);
  return status;
}
