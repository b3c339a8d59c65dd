/* SPDX-License-Identifier: GPL-3.0-or-later */

/* All that a command did to a repository is one change, which lands whole or not at all. */

#include "beckon-config.h"

#include "base/beckon-error.h"
#include "base/beckon-json.h"
#include "base/beckon-path.h"
#include "beckon-lander-fixture.h"
#include "beckon-view.h"
#include "domain/beckon-change-choice.h"
#include "domain/beckon-rule-json.h"
#include "git/beckon-git-elsewhere.h"
#include "landing/beckon-lander-private.h"
#include "landing/beckon-landing-place.h"
#include "landing/beckon-landing-root.h"
#include "landing/beckon-landing-survey.h"
#include "policy/beckon-denied-paths.h"
#include "policy/beckon-rule-set.h"

#include <string.h>
#include <sys/xattr.h>

#define BEGIN "git init -q -b main . && git config user.email a@b && git config user.name Me && printf 'one\\n' >a.py && "     \
              "printf 'two\\n' >b.py && git add . && git commit -qm first"

static BeckonFileChange *
get_commit (Fixture *fixture)
{
  for (guint i = 0; i < beckon_change_set_get_n_changes (fixture->landing->changes); i++)
    if (beckon_change_set_get (fixture->landing->changes, i)->git != NULL)
      return beckon_change_set_get (fixture->landing->changes, i);
  return NULL;
}

static void
assert_words (Fixture *fixture, const char *expected)
{
  g_autofree char *words = beckon_file_change_dup_shown_path (get_commit (fixture));

  g_assert_cmpstr (words, ==, expected);
}

static void
assert_files (Fixture *fixture, const char *expected)
{
  g_autoptr (GPtrArray) files = beckon_file_change_list_git_files (get_commit (fixture), TRUE);
  g_autofree char *joined = NULL;

  g_ptr_array_add (files, NULL);
  joined = g_strjoinv ("; ", (char **) files->pdata);
  g_assert_cmpstr (joined, ==, expected);
}

static void
leave_all_out (Fixture *fixture)
{
  g_autoptr (BeckonChangeChoice) choice = beckon_change_choice_new ();

  for (guint i = 0; i < beckon_change_set_get_n_changes (fixture->landing->changes); i++)
    beckon_change_choice_set_left_out (choice, i, TRUE);
  beckon_change_choice_apply (choice, fixture->landing->changes);
}

static void
test_commit (Fixture *fixture, gconstpointer data)
{
  g_autofree char *sentence = NULL;
  g_autofree char *before = NULL;
  g_autofree char *undone = NULL;
  BeckonFileChange *commit;

  run (fixture, BEGIN);
  command (fixture, "echo zz >>a.py; echo new >c.py; git add .; git commit -qm 'Fix the discount'; echo q >d.py");
  survey (fixture);
  assert_list (fixture, "*.git/0 {*a.py +c.py} open\n+d.py open\n");
  assert_words (fixture, "Commit: Fix the discount · 2 files");
  commit = get_commit (fixture);
  g_assert_null (commit->diff);
  g_assert_null (beckon_file_change_get_why_unshown (commit));
  sentence = beckon_change_set_dup_sentence (fixture->landing->changes);
  g_assert_cmpstr (sentence, ==, "Commit: Fix the discount · 2 files, made 1 file");

  before = describe (fixture);
  keep_all (fixture);
  land (fixture);
  run (fixture, "test \"$(git log --format=%s | tr '\\n' ' ')\" = 'Fix the discount first '; test \"$(git status --porcelain)\" = '?? d.py'; "
                "git fsck 2>&1 | grep -v dangling | wc -l | grep -q '^0'");
  undo (fixture);
  undone = describe (fixture);
  run (fixture, "test \"$(git log --format=%s)\" = first; test -z \"$(git status --porcelain)\"; git fsck --no-dangling");
  redo (fixture);
  run (fixture, "test \"$(git log -1 --format=%s)\" = 'Fix the discount'");
}

/* On a commit that another one stands on, the words say so. */
static void
test_undo_beneath (Fixture *fixture, gconstpointer data)
{
  run (fixture, BEGIN);
  command (fixture, "echo zz >>a.py; git commit -qam one");
  survey (fixture);
  keep_all (fixture);
  land (fixture);
  run (fixture, "git commit -q --allow-empty -m mine");
  undo (fixture);
  g_assert_cmpint (get_commit (fixture)->fate, ==, BECKON_FILE_KEPT);
  g_assert_cmpstr (get_commit (fixture)->remark, ==, "More was done to this Git repository since. Undo that first.");
  run (fixture, "test \"$(git log --format=%s | tr '\\n' ' ')\" = 'mine one first '; test -z \"$(git status --porcelain)\"");
}

/* A commit that takes another one's place is told as what it becomes: how many files it has, and which it has no longer. */
static void
test_amend (Fixture *fixture, gconstpointer data)
{
  run (fixture, BEGIN " && echo x >>a.py && echo x >>b.py && echo new >c.py && git add . && git commit -qm both");
  command (fixture, "git reset -q HEAD~1 -- b.py; git commit -q --amend --no-edit");
  survey (fixture);
  assert_words (fixture, "Amended commit: both · 2 files · takes b.py out");
  assert_files (fixture, "b.py  +0 −1");
  g_clear_pointer (&fixture->landing, beckon_landing_free);
  command (fixture, "echo y >>c.py; git commit -qa --amend --no-edit");
  survey (fixture);
  assert_words (fixture, "Amended commit: both · 3 files");
  g_clear_pointer (&fixture->landing, beckon_landing_free);
  command (fixture, "git read-tree HEAD~1; git commit -q --amend --allow-empty --no-edit");
  survey (fixture);
  assert_words (fixture, "Amended commit: both · takes 3 files out");
}

/* HEAD, index and files are as before. */
static void
test_left_out (Fixture *fixture, gconstpointer data)
{
  run (fixture, BEGIN);
  command (fixture, "echo zz >>a.py; git commit -qam 'from agent'");
  survey (fixture);
  leave_all_out (fixture);
  land (fixture);
  run (fixture, "test \"$(git log --format=%s)\" = first; test -z \"$(git status --porcelain)\"; git fsck --no-dangling; test \"$(cat a.py)\" = one");
}

/* A file that was changed on after the commit, and one that the person had changed, are shown as they are committed. */
static void
test_more_is_shown (Fixture *fixture, gconstpointer data)
{
  run (fixture, BEGIN " && echo mine >>b.py");
  command (fixture, "echo zz >>a.py; git commit -qam both; echo later >>a.py");
  survey (fixture);
  assert_list (fixture, "*.git/0 {*a.py} open\n");
  assert_words (fixture, "Commit: both · 2 files");
  assert_files (fixture, "b.py  +1 −0");
  g_assert_cmpstr (get_commit (fixture)->diff, ==, "a.py\n@@ -1,1 +1,2 @@\n one\n+zz\n\nb.py\n@@ -1,1 +1,2 @@\n two\n+mine\n");
}

/* Files that were moved before the commit are one each, and only changed lines of them are shown. */
static void
test_moved_is_shown (Fixture *fixture, gconstpointer data)
{
  run (fixture, BEGIN " && seq 1 40 >c.py && git add . && git commit -qm c && mkdir src && mv b.py c.py src/ && echo 41 >>src/c.py");
  command (fixture, "git add -A; git commit -qm moved");
  survey (fixture);
  assert_list (fixture, "*.git/0 open\n");
  assert_words (fixture, "Commit: moved · 2 files");
  assert_files (fixture, "b.py → src/b.py; c.py → src/c.py  +1 −0");
  g_assert_cmpstr (get_commit (fixture)->diff, ==, "b.py → src/b.py\n\nc.py → src/c.py\n@@ -38,3 +38,4 @@\n 38\n 39\n 40\n+41\n");
  g_assert_cmpuint (get_commit (fixture)->n_added, ==, 1);
  g_assert_cmpuint (get_commit (fixture)->n_removed, ==, 0);
}

/* The commit comes and goes with both names of a file that the command moved; what it did not change is told by the move. */
static void
test_moved_by_command (Fixture *fixture, gconstpointer data)
{
  run (fixture, BEGIN " && seq 1 40 >c.py && git add . && git commit -qm c");
  command (fixture, "mkdir src; mv b.py c.py src/; echo 41 >>src/c.py; git add -A; git commit -qm moved");
  survey (fixture);
  assert_words (fixture, "Commit: moved · 2 files");
  g_assert_null (get_commit (fixture)->diff);
  leave_all_out (fixture);
  land (fixture);
  run (fixture, "test \"$(git log -1 --format=%s)\" = c; test -z \"$(git status --porcelain)\"; test -e b.py; test ! -e src");
}

/* A file that is moved to where Git runs it lands there or stays: it is never only gone. */
static void
test_moved_to_hook (Fixture *fixture, gconstpointer data)
{
  run (fixture, BEGIN);
  command (fixture, "mv b.py .git/hooks/pre-commit; echo mine >.git/mine");
  survey (fixture);
  assert_list (fixture, ">.git/hooks/pre-commit < b.py trigger open\n+.git/mine trigger open\n");
  leave_all_out (fixture);
  land (fixture);
  run (fixture, "test \"$(cat b.py)\" = two; test ! -e .git/hooks/pre-commit");
}

/* In whatever encoding it is: shown as the file by itself is. One that is no text can't be, and that is said. */
static void
test_encodings (Fixture *fixture, gconstpointer data)
{
  run (fixture, BEGIN " && printf 'gr\\374\\337\\n' >>b.py");
  command (fixture, "git commit -qam Umlauts");
  survey (fixture);
  assert_words (fixture, "Commit: Umlauts · 1 file");
  g_assert_cmpstr (get_commit (fixture)->diff, ==, "b.py\n@@ -1,1 +1,2 @@\n two\n+grüß\n");
  g_assert_null (beckon_file_change_get_why_unshown (get_commit (fixture)));

  g_clear_pointer (&fixture->landing, beckon_landing_free);
  run (fixture, "printf 'a\\0b' >c.bin");
  command (fixture, "git add c.bin; git commit -qm Picture");
  survey (fixture);
  assert_words (fixture, "2 commits, the last: Picture · 2 files");
  assert_files (fixture, "b.py  +1 −0; c.bin");
  g_assert_cmpstr (beckon_file_change_get_why_unshown (get_commit (fixture)), ==, "Binary file");
}

/* Git doesn't read it either: the words say which one it is, and nobody has it ticked. */
static void
test_unreadable (Fixture *fixture, gconstpointer data)
{
  run (fixture, BEGIN " && git branch side");
  command (fixture, "echo garbage >.git/refs/heads/side; echo >.git/refs/tags/v1; mkdir .git/refs/own; echo x >.git/refs/own/a; "
                    "mkdir -p .git/refs/remotes/origin; echo 'ref: refs/remotes/origin/main' >.git/refs/remotes/origin/HEAD");
  survey (fixture);
  assert_words (fixture, "Unreadable branch: side · Unreadable ref: refs/own/a · Unreadable tag: v1");
  g_assert_nonnull (beckon_file_change_get_why_unshown (get_commit (fixture)));
}

/* So it is where the folder is on it. */
static void
test_unreadable_head (Fixture *fixture, gconstpointer data)
{
  run (fixture, BEGIN);
  command (fixture, "echo garbage >.git/refs/heads/main");
  survey (fixture);
  assert_words (fixture, "Unreadable branch: main");
  g_assert_nonnull (beckon_file_change_get_why_unshown (get_commit (fixture)));
}

/* A branch that another work tree is on waits: what is checked out there would be of another commit. */
static void
test_others_branch (Fixture *fixture, gconstpointer data)
{
  run (fixture, BEGIN " && git worktree add -q ../other -b side");
  command (fixture, data);
  survey (fixture);
  assert_list (fixture, "*.git/0 trigger open\n");
  g_assert_cmpstr (get_commit (fixture)->remark, ==, "The branch “side” is checked out in another work tree");
}

/* Build outputs stay with a commit that another stands on, and go with one that is undone (@data). */
static void
test_undo_by_products (Fixture *fixture, gconstpointer data)
{
  run (fixture, BEGIN " && echo out >.gitignore && git add . && git commit -qm second");
  command (fixture, "echo zz >>a.py; git commit -qam one; mkdir -p out/deep; echo built >out/deep/it; echo apart >d.py");
  survey (fixture);
  keep_all (fixture);
  land (fixture);
  if (data == NULL)
    run (fixture, "git commit -q --allow-empty -m mine");
  undo (fixture);
  run (fixture, data == NULL ? "test \"$(git log -1 --format=%s)\" = mine; test \"$(cat out/deep/it)\" = built; test ! -e d.py"
                             : "test \"$(git log -1 --format=%s)\" = second; test ! -e out; test ! -e d.py");
}

/* Objects stay, those of a submodule too: whoever named its commit meanwhile has no other. */
static void
test_undo_submodule (Fixture *fixture, gconstpointer data)
{
  run (fixture, "mkdir ../inner && cd ../inner && " BEGIN " && cd ../folder && " BEGIN
                " && git -c protocol.file.allow=always submodule add -q ../inner sub && git commit -qm sub && git -C sub config user.email a@b && git -C sub config user.name Me");
  command (fixture, "cd sub; echo zz >>a.py; git commit -qam deep");
  survey (fixture);
  keep_all (fixture);
  land (fixture);
  run (fixture, "test \"$(git -C sub log -1 --format=%s)\" = deep; git -C sub rev-parse HEAD >../named");
  undo (fixture);
  run (fixture, "test \"$(git -C sub log --format=%s)\" = first; git -C sub cat-file -e $(cat ../named)^{tree}; "
                "git -C sub fsck --no-dangling");
  redo (fixture);
  run (fixture, "test \"$(git -C sub log -1 --format=%s)\" = deep; git -C sub fsck --no-dangling");
}

/* A rule denies one of the files: there is no commit, and no other file of it. */
static void
test_refused_file (Fixture *fixture, gconstpointer data)
{
  run (fixture, BEGIN);
  command (fixture, "echo zz >>a.py; echo no >>b.py; git commit -qam both");
  survey (fixture);
  get_commit (fixture)->fate = BECKON_FILE_DENIED;
  land (fixture);
  run (fixture, "test \"$(git log --format=%s)\" = first; test -z \"$(git status --porcelain)\"");
}

/* The repository's data lies elsewhere: that of a work tree, of a submodule. @line: makes it, from the folder. */
static void
begin_elsewhere (Fixture *fixture, const char *line)
{
  g_autoptr (BeckonGitElsewhere) git = NULL;
  g_autoptr (GError) error = NULL;

  run (fixture, line);
  git = beckon_git_elsewhere_find (fixture->folder);
  g_assert_nonnull (git);
  g_assert_nonnull (git->git);
  beckon_landing_root_bind_git (fixture->place, git->git, git->own, beckon_path_relate (fixture->folder, git->work_tree), &error);
  g_assert_no_error (error);
  if (git->index != NULL)
    {
      g_autofree char *index = g_build_filename (fixture->place, BECKON_LANDING_ROOT_GIT, "upper", git->own, "index", NULL);
      g_autofree char *above = g_path_get_dirname (index);

      g_assert_cmpint (g_mkdir_with_parents (above, 0755), ==, 0);
      /* As the kernel marks what it copies up. */
      for (; !g_str_has_suffix (above, "/upper"); *strrchr (above, '/') = '\0')
        g_assert_cmpint (setxattr (above, "user.overlay.origin", "", 0, 0), ==, 0);
      g_file_set_contents (index, g_bytes_get_data (git->index, NULL), (gssize) g_bytes_get_size (git->index), &error);
      g_assert_no_error (error);
    }
}

#define WORK_TREE "mkdir ../main && cd ../main && " BEGIN " && git worktree add -q ../folder -b side"

typedef struct
{
  const char *before;
  const char *line;
  const char *words;
  const char *list;
} Example;

static const Example examples[] = {
  { "true", "echo x >c; git add c; git commit -qm c1; echo y >c; git commit -qam c2", "2 commits, the last: c2 · 1 file",
    "*.git/0 {+c} open\n" },
  { "true", "git commit -q --amend -m better", "Amended commit: better · 2 files", "*.git/0 open\n" },
  { "true", "git branch side", "New branch: side", "*.git/0 open\n" },
  { "git branch side", "git branch -q -D side", "Deleted branch: side", "*.git/0 open\n" },
  { "git branch side && git pack-refs --all", "git branch -q -D side", "Deleted branch: side", "*.git/0 open\n" },
  { "git branch side", "git branch -q -f side $(git commit-tree -m x HEAD^{tree})", "Moved branch: side", "*.git/0 open\n" },
  { "true", "git checkout -qb new; git branch -q -f main $(git commit-tree -m x HEAD^{tree})", "Switched to: new · Moved branch: main",
    "*.git/0 open\n" },
  { "true", "git tag v1", "New tag: v1", "*.git/0 open\n" },
  { "true", "git checkout -qb side; echo x >>a.py; git commit -qam onside", "Commit: onside · Switched to: side · 1 file",
    "*.git/0 {*a.py} open\n" },
  { "git checkout -qb side && echo x >>a.py && git commit -qam onside && git checkout -q main", "git checkout -q side",
    "Switched to: side · 1 file", "*.git/0 {*a.py} open\n" },
  { "git checkout -qb side && echo x >>a.py && git commit -qam onside && git checkout -q main && echo y >>b.py && git commit -qam onmain",
    "git merge -q -m joined side", "Merge: joined · 1 file", "*.git/0 {*a.py} open\n" },
  { "echo w >>a.py", "git stash -q", "Stash: WIP on main: COMMIT first · 1 file", "*.git/0 {*a.py} open\n" },
  { "echo w >>a.py && git stash -q", "git stash pop -q", "Removed stash: WIP on main: COMMIT first",
    "*.git/0 {*a.py} open\n" },
  { "echo w >>a.py && git stash -q && echo v >>b.py && git stash -q", "git stash pop -q stash@{1}",
    "Removed stash: WIP on main: COMMIT first", "*.git/0 {*a.py} open\n" },
  { "echo w >>a.py && git stash -q && echo v >>b.py && git stash -q", "git stash pop -q", "Removed stash: WIP on main: COMMIT first",
    "*.git/0 {*b.py} open\n" },
  { "echo w >>a.py && git stash -q", "echo v >>b.py; git stash -q", "Stash: WIP on main: COMMIT first · 1 file", "*.git/0 open\n" },
  { "echo w >c", "git stash -qu", "Stash: WIP on main: COMMIT first · 1 file", "*.git/0 {-c} open\n" },
  { "true", "echo x >>a.py; git add a.py", "Staged: 1 file", "*.git/0 {*a.py} open\n" },
  { "echo x >c; git add c; git commit -qm c1", "git reset -q --hard HEAD~", "Branch reset to: first · 1 file",
    "*.git/0 {-c} open\n" },
  { "true", "chmod +x a.py; git commit -qam mode", "Commit: mode · 1 file", "*.git/0 {*a.py} program open\n" },
  { "true", "mkdir src; mv a.py src/; git add -A; git commit -qm moved", "Commit: moved · 1 file",
    "*.git/0 {>src/a.py < a.py} open\n" },
  { "true", "echo x >c; git add c; git commit -qm c1; git repack -adqn; git pack-refs --all", "Commit: c1 · 1 file", "*.git/0 {+c} open\n" },
  { "true", "echo x >c; git add c; git commit -qm c1; git gc -q; test -f \"$(git rev-parse --git-common-dir)/info/refs\"",
    "Commit: c1 · 1 file", "*.git/0 {+c} open\n" },
};

static void
show_example (Fixture *fixture, const Example *example)
{
  g_autofree char *words = NULL;
  g_auto (GStrv) parts = NULL;
  const BeckonFileChange *change;

  command (fixture, example->line);
  survey (fixture);
  change = get_commit (fixture);
  g_assert_nonnull (change);
  words = beckon_file_change_dup_shown_path (change);
  parts = g_strsplit (example->words, "COMMIT", 2);
  g_test_message ("%s", words);
  g_assert_true (g_str_has_prefix (words, parts[0]) && (parts[1] == NULL || g_str_has_suffix (words, parts[1])));
  g_assert_true (parts[1] != NULL || strlen (words) == strlen (parts[0]));
  assert_list (fixture, example->list);
  keep_all (fixture);
  land (fixture);
  run (fixture, "git fsck --no-dangling && git status --porcelain >/dev/null");
}

static void
test_example (Fixture *fixture, gconstpointer data)
{
  const Example *example = data;
  g_autofree char *line = g_strconcat (BEGIN " && ", example->before, NULL);

  run (fixture, line);
  show_example (fixture, example);
}

/* The same in a work tree, from whose repository everybody else is away. */
static void
test_example_elsewhere (Fixture *fixture, gconstpointer data)
{
  const Example *example = data;
  g_autofree char *line = g_strconcat ("mkdir ../main && cd ../main && " BEGIN " && git checkout -q --detach && "
                                       "git worktree add -q ../folder main && cd ../folder && ", example->before, NULL);

  begin_elsewhere (fixture, line);
  show_example (fixture, example);
}

static void
test_elsewhere_others_branch (Fixture *fixture, gconstpointer data)
{
  begin_elsewhere (fixture, WORK_TREE);
  command (fixture, "git update-ref refs/heads/main $(git commit-tree -m x HEAD^{tree})");
  survey (fixture);
  assert_list (fixture, "*.git/0 trigger open\n");
  g_assert_cmpstr (get_commit (fixture)->remark, ==, "The branch “main” is checked out in another work tree");
}

/* Git wrote down anew when it saw which file, no more: nobody is asked. */
static void
test_refresh (Fixture *fixture, gconstpointer data)
{
  run (fixture, BEGIN);
  command (fixture, data);
  survey (fixture);
  g_assert_cmpuint (beckon_change_set_get_n_changes (fixture->landing->changes), ==, 1);
  g_assert_true (get_commit (fixture)->is_by_product);
}

/* Git would overlook what is done to the file. */
static void
test_marked (Fixture *fixture, gconstpointer data)
{
  run (fixture, BEGIN);
  command (fixture, "git update-index --assume-unchanged a.py");
  survey (fixture);
  g_assert_false (get_commit (fixture)->is_by_product);
  assert_words (fixture, "Staged: 1 file");
  assert_files (fixture, "a.py");
}

/* Pipes and links in place of objects are not read. */
static void
test_odd_objects (Fixture *fixture, gconstpointer data)
{
  run (fixture, BEGIN);
  command (fixture, "echo zz >>a.py; git commit -qam x; rm -rf .git/objects/ff; mkdir .git/objects/ff; "
                    "mkfifo .git/objects/ff/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa");
  survey (fixture);
  g_assert_nonnull (get_commit (fixture));
  g_assert_nonnull (beckon_file_change_get_why_unshown (get_commit (fixture)));
}

static char *
describe_git (Fixture *fixture)
{
  g_autofree char *git = g_build_filename (fixture->top, "main", NULL);
  char *text = beckon_view_describe (git, FALSE);

  return text;
}

/* A commit there is a change like any other. */
static void
test_elsewhere (Fixture *fixture, gconstpointer data)
{
  g_autofree char *before = NULL;
  g_autofree char *undone = NULL;

  begin_elsewhere (fixture, WORK_TREE);
  run (fixture, "touch -d 2001-01-01 ../main/.git/objects ../main/.git/objects/*");
  before = describe_git (fixture);
  command (fixture, "echo zz >>a.py; echo new >c.py; git add .; git commit -qm 'Fix the discount'; echo q >d.py");
  survey (fixture);
  assert_list (fixture, "*.git/0 {*a.py +c.py} open\n+d.py open\n");
  assert_words (fixture, "Commit: Fix the discount · 2 files");
  g_assert_null (get_commit (fixture)->diff);
  keep_all (fixture);
  land (fixture);
  undo (fixture);
  run (fixture, "git prune --expire=now; touch -d 2001-01-01 ../main/.git/objects ../main/.git/objects/*");
  undone = describe_git (fixture);
  g_assert_true (strcmp (undone, before) == 0);
  redo (fixture);
  run (fixture, "test \"$(git log --format=%s | tr '\\n' ' ')\" = 'Fix the discount first '; test \"$(git status --porcelain)\" = '?? d.py'; "
                "test \"$(git -C ../main log --format=%s)\" = first; git fsck --no-dangling");
  undo (fixture);
  run (fixture, "test \"$(git log --format=%s)\" = first; test -z \"$(git status --porcelain)\"; git fsck --no-dangling");
}

/* The person has committed to the same branch meanwhile: nothing of it lands, and in another work tree of the repository: all. */
static void
test_elsewhere_meanwhile (Fixture *fixture, gconstpointer data)
{
  const gboolean is_here = data != NULL;

  begin_elsewhere (fixture, WORK_TREE);
  beckon_landing_root_note_index (fixture->folder, fixture->place);
  command (fixture, "echo zz >>a.py; git commit -qam 'from agent'");
  run (fixture, is_here ? "git commit -q --allow-empty -m mine" : "cd ../main && echo q >>b.py && git commit -qam mine");
  survey (fixture);
  keep_all (fixture);
  land (fixture);
  run (fixture, is_here ? "test \"$(git log -1 --format=%s)\" = mine; git fsck --no-dangling"
                        : "test \"$(git log -1 --format=%s)\" = 'from agent'; test \"$(git -C ../main log -1 --format=%s)\" = mine; "
                          "test -z \"$(git status --porcelain; git -C ../main status --porcelain)\"; git fsck --no-dangling");
}

/* Both in one turn: the person's commit comes between the survey and the landing. */
static void
test_elsewhere_late (Fixture *fixture, gconstpointer data)
{
  begin_elsewhere (fixture, WORK_TREE);
  command (fixture, "echo zz >>a.py; git commit -qam 'from agent'");
  survey (fixture);
  run (fixture, "git commit -q --allow-empty -m mine");
  keep_all (fixture);
  land (fixture);
  run (fixture, "test \"$(git log -1 --format=%s)\" = mine; test -z \"$(git status --porcelain)\"; git fsck --no-dangling");
}

/* A name that the commit was given meanwhile, and the same content made elsewhere, keep what they are made of. */
static void
test_undo_named (Fixture *fixture, gconstpointer data)
{
  if (data != NULL)
    begin_elsewhere (fixture, WORK_TREE);
  else
    run (fixture, BEGIN);
  command (fixture, "echo zz >>a.py; git commit -qam 'from agent'");
  survey (fixture);
  keep_all (fixture);
  land (fixture);
  run (fixture, data != NULL ? "cd ../main && printf 'one\\nzz\\n' >a.py && git commit -qam mine" : "git tag v1");
  undo (fixture);
  run (fixture, "test \"$(git log --format=%s)\" = first; git fsck --no-dangling");
  run (fixture, data != NULL ? "test \"$(git -C ../main log -1 --format=%s)\" = mine; git -C ../main fsck --no-dangling"
                             : "test \"$(git show v1:a.py | tail -1)\" = zz");
  redo (fixture);
  run (fixture, "test \"$(git log -1 --format=%s)\" = 'from agent'; test -z \"$(git status --porcelain)\"; git fsck --no-dangling");
}

/* The index is written anew twice, and gets the number that the one which landed had. */
static void
test_redo_number (Fixture *fixture, gconstpointer data)
{
  run (fixture, BEGIN);
  command (fixture, "echo zz >>a.py; git commit -qam 'from agent'");
  survey (fixture);
  keep_all (fixture);
  land (fixture);
  run (fixture, "ln .git/index ../first; cp .git/index ../other; mv ../other .git/index");
  undo (fixture);
  run (fixture, "cat .git/index >../first; mv ../first .git/index");
  redo (fixture);
  run (fixture, "test \"$(git log -1 --format=%s)\" = 'from agent'; test -z \"$(git status --porcelain)\"");
}

#define SAME_OBJECTS "cd ../main && for a in 0 1 2 3 4 5 6 7 8 9 a b c d e f; do for b in 0 1 2 3 4 5 6 7 8 9 a b c d e f; do " \
                     "mkdir -p .git/objects/$a$b; done; done; printf 'one\\nzz\\n' >mine.py; git add .; git commit -qm mine"

/* In another work tree some of the same objects came, and folders for the others: before the survey, or (@data) after. */
static void
test_elsewhere_same_objects (Fixture *fixture, gconstpointer data)
{
  begin_elsewhere (fixture, WORK_TREE);
  beckon_landing_root_note_index (fixture->folder, fixture->place);
  command (fixture, "echo zz >>a.py; git commit -qam 'from agent'");
  if (data == NULL)
    run (fixture, SAME_OBJECTS);
  survey (fixture);
  if (data != NULL)
    run (fixture, SAME_OBJECTS);
  keep_all (fixture);
  land (fixture);
  run (fixture, "test \"$(git log -1 --format=%s)\" = 'from agent'; test \"$(git -C ../main log -1 --format=%s)\" = mine; "
                "test -z \"$(git status --porcelain; git -C ../main status --porcelain)\"; git fsck --no-dangling");
  undo (fixture);
  run (fixture, "test \"$(git log --format=%s)\" = first; test -z \"$(git status --porcelain; git -C ../main status --porcelain)\"; "
                "git fsck --no-dangling");
  redo (fixture);
  run (fixture, "test \"$(git log -1 --format=%s)\" = 'from agent'; test -z \"$(git status --porcelain)\"; git fsck --no-dangling");
}

/* Files that Git would run or obey are changes by themselves, which wait: none of them comes with a commit. */
static void
test_elsewhere_runners (Fixture *fixture, gconstpointer data)
{
  begin_elsewhere (fixture, WORK_TREE);
  command (fixture, "echo zz >>a.py; git commit -qam x; git config core.pager ./evil; printf '#!/bin/sh\n' >../main/.git/hooks/pre-commit; "
                    "chmod +x ../main/.git/hooks/pre-commit; echo evil >../main/.git/worktrees/folder/config.worktree; "
                    "git -C ../main read-tree --empty; git tag v1; git stash list; git pack-refs --all");
  survey (fixture);
  assert_list (fixture, "*.git/0 {*a.py} open\n*.git/config trigger open\n+.git/hooks/pre-commit trigger open\n*.git/index trigger open\n"
                        "+.git/worktrees/folder/config.worktree trigger open\n");
}

/* A rule about the place where the Git data really lies holds: there is no commit. */
static void
test_elsewhere_denied (Fixture *fixture, gconstpointer data)
{
  g_autofree char *rules = g_strdup_printf ("[{\"tool\":\"write_file\",\"arguments\":{\"path\":\"%s/main/.git/refs/**\"},"
                                            "\"verdict\":\"deny\"}]", fixture->top);
  g_autoptr (JsonNode) node = beckon_json_parse (rules, -1, NULL);
  g_autoptr (GPtrArray) read = beckon_rules_read (json_node_get_array (node), 1, NULL);
  g_autoptr (BeckonRuleSet) set = beckon_rule_set_new (read);
  g_autoptr (BeckonDeniedPaths) denied = beckon_denied_paths_new (set, fixture->folder, "c", 1);
  g_autoptr (BeckonChangeSet) changes = NULL;

  begin_elsewhere (fixture, WORK_TREE);
  command (fixture, "echo zz >>a.py; git commit -qam x");
  changes = beckon_landing_survey (fixture->place, fixture->folder, fixture->base, denied, NULL, NULL, NULL);
  g_assert_nonnull (changes);
  fixture->landing = beckon_landing_new ("call", fixture->folder, fixture->place, fixture->base, changes);
  g_assert_cmpint (get_commit (fixture)->fate, ==, BECKON_FILE_DENIED);
  keep_all (fixture);
  land (fixture);
  run (fixture, "test \"$(git log --format=%s)\" = first; git fsck --no-dangling");
}

/* Killed at any step, a landing and its undo are ended by the next process. */
static void
test_elsewhere_killed (Fixture *fixture, gconstpointer data)
{
  const guint n_steps = GPOINTER_TO_UINT (data);

  begin_elsewhere (fixture, WORK_TREE);
  command (fixture, "echo zz >>a.py; echo new >c.py; git add .; git commit -qm x");
  survey (fixture);
  run (fixture, "touch -d 2001-01-01 b.py; git status >/dev/null");
  keep_all (fixture);
  beckon_lander_plan (fixture->landing, NULL);
  be_killed (fixture, beckon_lander_land, n_steps);
  land (fixture);
  run (fixture, "test \"$(git log -1 --format=%s)\" = x; test -z \"$(git status --porcelain)\"; git fsck --no-dangling");
  be_killed (fixture, beckon_lander_undo, n_steps);
  undo (fixture);
  run (fixture, "test \"$(git log --format=%s)\" = first; test -z \"$(git status --porcelain)\"; git fsck --no-dangling");
}

/* Another Git directory stands there now: nothing lands in it, nor in the folder. */
static void
test_elsewhere_replaced (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  begin_elsewhere (fixture, WORK_TREE);
  command (fixture, "echo zz >>a.py; git commit -qam x");
  survey (fixture);
  keep_all (fixture);
  run (fixture, "mv ../main/.git ../main/away; cp -a ../main/away ../main/.git");
  g_assert_false (beckon_lander_check (fixture->landing, NULL));
  g_assert_false (beckon_lander_land (fixture->landing, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE);
  run (fixture, "test \"$(git log --format=%s)\" = first; test -z \"$(git status --porcelain)\"");
}

/* The name stands for one Git directory alone. */
static void
test_elsewhere_twice (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonChangeSet) set = NULL;

  begin_elsewhere (fixture, WORK_TREE);
  command (fixture, "git commit -q --allow-empty -m x; rm .git; git init -q -b main .");
  set = beckon_landing_survey (fixture->place, fixture->folder, fixture->base, NULL, NULL, NULL, &error);
  g_assert_null (set);
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_CONFLICT);
}

/* A folder within a repository, of which the command sees no more. @data: in a work tree, too. @next: what the person does there. */
static void
begin_within_with (Fixture *fixture, gconstpointer data, const char *next)
{
  g_autofree char *top = g_steal_pointer (&fixture->folder);
  const char *begin = data != NULL ? WORK_TREE : BEGIN;
  g_autofree char *line
      = g_strconcat (begin, "; cd '", top, "'; mkdir docs; echo three >docs/c; git add .; git commit -qm second; echo mine >>b.py; "
                     "echo staged >d.py; git add d.py", NULL);

  fixture->folder = g_strdup (top);
  run (fixture, line);
  g_free (fixture->folder);
  fixture->folder = g_build_filename (top, "docs", NULL);
  g_setenv ("GIT_DISCOVERY_ACROSS_FILESYSTEM", "1", TRUE);
  begin_elsewhere (fixture, next);
}

static void
begin_within (Fixture *fixture, gconstpointer data)
{
  begin_within_with (fixture, data, "true");
}

/* Files outside are as they were in the index and in the commit, though the command could not see them. */
static void
test_within (Fixture *fixture, gconstpointer data)
{
  begin_within (fixture, data);
  command (fixture, "echo zz >>c; echo new >e; git add .; git commit -qam both");
  survey (fixture);
  assert_list (fixture, "*.git/0 {*c +e} open\n");
  assert_words (fixture, "Commit: both · 3 files");
  assert_files (fixture, "d.py (outside of this folder)  +1 −0");
  keep_all (fixture);
  land (fixture);
  run (fixture, "test \"$(git status --porcelain)\" = ' M b.py'; test \"$(git log -1 --format= --name-only | tr '\\n' ' ')\" = 'd.py docs/c docs/e '; "
                "git fsck --no-dangling; ! git ls-files -v .. | grep -q ^S");
  undo (fixture);
  run (fixture, "test \"$(git status --porcelain | tr '\\n' ' ')\" = ' M b.py A  d.py '; test \"$(git log -1 --format=%s)\" = second; "
                "git fsck --no-dangling; ! git ls-files -v .. | grep -q ^S");
}

/* A branch that another work tree has checked out does not come with a commit. */
static void
test_within_others (Fixture *fixture, gconstpointer data)
{
  begin_within (fixture, data);
  run (fixture, "git worktree add -q ../../other -b other");
  command (fixture, "echo 'ref: refs/heads/main' >../.git/worktrees/other/HEAD; echo four >>c; git commit -qam x");
  survey (fixture);
  assert_list (fixture, "*.git/0 {*c} open\n*.git/worktrees/other/HEAD trigger open\n");
}

/* A look changes nothing. */
static void
test_within_looks (Fixture *fixture, gconstpointer data)
{
  begin_within (fixture, data);
  command (fixture, "touch c; git status >/dev/null; echo x >>c");
  survey (fixture);
  assert_list (fixture, "*c open\n");
}

/* A repository of its own is made as anywhere. */
static void
test_within_init (Fixture *fixture, gconstpointer data)
{
  begin_within (fixture, data);
  command (fixture, "git init -q -b main .");
  survey (fixture);
  g_assert_cmpint (beckon_change_set_get (fixture->landing->changes, 0)->concern, ==, BECKON_FILE_CONCERN_TRIGGER);
  keep_all (fixture);
  land (fixture);
  run (fixture, "test \"$(git rev-parse --git-dir)\" = .git");
}

/* A command decides nothing of files that it can't see. */
static void
test_within_beyond (Fixture *fixture, gconstpointer data)
{
  static const char *const lines[] = { "git reset -q HEAD~", "git read-tree HEAD", "git update-index --force-remove ../a.py",
                                       "rm -f \"$(git rev-parse --git-path index)\"",
                                       "git update-index --cacheinfo 100644,$(git hash-object -w c),a.py; git commit -qm x" };
  const BeckonFileChange *change;

  begin_within (fixture, NULL);
  command (fixture, lines[GPOINTER_TO_UINT (data)]);
  survey (fixture);
  change = get_commit (fixture);
  g_assert_cmpint (change->fate, ==, BECKON_FILE_FAILED);
  g_assert_nonnull (change->remark);
  keep_all (fixture);
  land (fixture);
  run (fixture, "test \"$(git status --porcelain | tr '\\n' ' ')\" = ' M b.py A  d.py '; test \"$(git log -1 --format=%s)\" = second; "
                "git fsck --no-dangling");
}

/* A command does to the repository what loses nothing that it had: names have their commits, and what was staged is in one. */

static const struct
{
  const char *line;
  gboolean is;
} keeping[] = {
  { "git switch -qc topic/one", TRUE },
  { "git branch topic", TRUE },
  { "git switch -qc topic; echo x >>a.py", TRUE },
  { "git switch -qc topic; echo x >>a.py; git add a.py", FALSE },
  { "git switch -qc topic; git commit -q --allow-empty -m x", FALSE },
  { "git commit -q --allow-empty -m x; git branch topic; git reset -q --soft HEAD~", FALSE },
  { "git switch -qf old", FALSE },
  { "git switch -qfc topic old", FALSE },
  { "git switch -q same", TRUE },
  { "git branch -f same old", FALSE },
  { "git branch -D same -q", FALSE },
  { "git branch -m topic", FALSE },
  { "git branch one; git branch two", FALSE },
  { "git tag topic", FALSE },
  { "git branch v1", FALSE },
  { "git branch origin/topic", FALSE },
  { "git branch abcdef", FALSE },
  { "git branch named", FALSE },
  { "git switch -qc topic; git tag other", FALSE },
  { "git switch -qc topic; git update-index --assume-unchanged a.py", FALSE },
  { "git switch -qc topic; : >.git/logs/HEAD", FALSE },
  { "git switch -qc topic; echo x >>.git/logs/HEAD", FALSE },
  { "git switch -qc topic; chmod +x .git/refs/heads/topic", FALSE },
  { "git switch -qc topic; echo x >>.git/HEAD", FALSE },
  { "git switch -qc topic; echo x >.git/info/note", TRUE }, /* is asked about by itself */
  { "git switch -qc topic; git hash-object -w a.py b.py >/dev/null; echo y | git hash-object -w --stdin >/dev/null", TRUE },
  { "git branch topic; git pack-refs --all", FALSE },
  { "git switch -q --detach", FALSE },
  { "git add new new.sh dir/b", TRUE },
  { "git add -A dir new; git switch -q same", TRUE },
  { "git rm -q --cached a.py", TRUE },
  { "git add new; echo x >>new", FALSE }, /* goes with the file */
  { "git add half", FALSE },
  { "git rm -qf --cached half", FALSE },
  { "git reset -q half", FALSE },
  { "git add -N new", FALSE },
  { "git add new; git update-index --skip-worktree new", FALSE },
  { "git update-index --chmod=+x a.py", FALSE },
  { "git update-index --add --cacheinfo 100644,$(echo bad | git hash-object -w --stdin),a.py", FALSE },
  { "git update-index --add --cacheinfo 120000,$(git hash-object -w new),new", FALSE },
  { "git add new; git tag v2", FALSE },
  { "git add gone", FALSE },
  { "git mv a.py z.py", FALSE }, /* goes with the move */
};

static void
test_keeping (Fixture *fixture, gconstpointer data)
{
  const guint i = GPOINTER_TO_UINT (data);
  g_autofree char *text = NULL;
  g_autoptr (BeckonChangeSet) again = NULL;

  run (fixture, BEGIN "; git branch old; echo 3 >>b.py; echo 1 >gone; git add gone; git commit -qam second; git branch same; git tag v1; "
                      "git remote add origin https://h.example/r.git; git config branch.named.remote elsewhere; "
                      "echo 1 >half; git add half; echo 2 >>half; echo 1 >new; echo 1 >new.sh; chmod +x new.sh; "
                      "mkdir dir; echo 1 >dir/b; git rm -q --cached gone");
  command (fixture, keeping[i].line);
  survey (fixture);
  g_test_message ("%s", keeping[i].line);
  g_assert_cmpint (get_commit (fixture) != NULL && beckon_file_change_loses_nothing (get_commit (fixture)), ==, keeping[i].is);
  if (i > 0)
    return;
  assert_words (fixture, "Switched to: topic/one");
  text = beckon_change_set_to_json (fixture->landing->changes);
  again = beckon_change_set_from_json (text, NULL);
  g_assert_true (beckon_file_change_loses_nothing (beckon_change_set_get (again, 0)));
  keep_all (fixture);
  land (fixture);
  run (fixture, "test \"$(git branch --show-current)\" = topic/one; git fsck --no-dangling");
  undo (fixture);
  run (fixture, "test \"$(git branch --show-current)\" = main; test -z \"$(git branch --list 'topic*')\"; git fsck --no-dangling");
}

/* The files that a switch which can't land has checked out are no change of the present branch: they come with it or not at all. */
static void
test_within_switch (Fixture *fixture, gconstpointer data)
{
  begin_within_with (fixture, data, "git commit -qam all; git checkout -q -b other; echo other >>c; echo more >>../a.py; "
                                    "git commit -qam onother; git checkout -q -");
  command (fixture, "git switch -q other; echo mine >f");
  survey (fixture);
  assert_list (fixture, "*.git/0 {*c} failed\n+f open\n");
  keep_all (fixture);
  land (fixture);
  run (fixture, "test \"$(git status --porcelain .)\" = '?? docs/f'; test \"$(git log -1 --format=%s)\" = all; "
                "test \"$(cat c)\" = three; git fsck --no-dangling");
}

/* The person has only looked, while the command ran and later, at which Git wrote its index anew. */
static void
test_looked (Fixture *fixture, gconstpointer data)
{
  if (data != NULL)
    begin_elsewhere (fixture, WORK_TREE);
  else
    run (fixture, BEGIN);
  beckon_landing_root_note_index (fixture->folder, fixture->place);
  command (fixture, "echo zz >>a.py; git commit -qam 'from agent'");
  run (fixture, "touch -d 2001-01-02 b.py; git status >/dev/null");
  survey (fixture);
  run (fixture, "touch -d 2001-01-01 b.py; git status >/dev/null");
  keep_all (fixture);
  land (fixture);
  run (fixture, "test \"$(git log -1 --format=%s)\" = 'from agent'; test -z \"$(git status --porcelain)\"; git fsck --no-dangling");
  undo (fixture);
  run (fixture, "test \"$(git log --format=%s)\" = first; test -z \"$(git status --porcelain)\"; git fsck --no-dangling");
}

/* The first commit lands while the command still runs, and the next one behind it. */
static void
test_elsewhere_early (Fixture *fixture, gconstpointer data)
{
  g_autofree char *place = NULL;
  g_autofree char *copy = NULL;
  g_autoptr (GError) error = NULL;
  gint64 base;

  begin_elsewhere (fixture, WORK_TREE);
  command (fixture, "echo zz >>a.py; git commit -qam one");
  base = fixture->base;
  copy = beckon_landing_place_copy (fixture->place, "early", &error);
  g_assert_no_error (error);
  place = g_steal_pointer (&fixture->place);
  fixture->place = g_strdup (copy);
  survey (fixture);
  assert_words (fixture, "Commit: one · 1 file");
  keep_all (fixture);
  land (fixture);
  g_assert_true (beckon_lander_note_landed (fixture->landing, place, &error));
  run (fixture, "test \"$(git log -1 --format=%s)\" = one");
  g_clear_pointer (&fixture->landing, beckon_landing_free);
  g_free (fixture->place);
  fixture->place = g_steal_pointer (&place);

  command (fixture, "echo zzz >>a.py; git commit -qam two");
  fixture->base = base;
  survey (fixture);
  assert_words (fixture, "Commit: two · 1 file");
  keep_all (fixture);
  land (fixture);
  run (fixture, "test \"$(git log --format=%s | tr '\\n' ' ')\" = 'two one first '; test -z \"$(git status --porcelain)\"; git fsck --no-dangling");
  beckon_landing_place_remove (copy, NULL);
}

/* The place is on another file system than the folder, or things are moved by plain renames. */
static void
test_elsewhere_apart (Fixture *fixture, gconstpointer data)
{
  beckon_lander_is_always_apart = data == NULL;
  beckon_lander_renames_plainly = data != NULL;
  test_elsewhere (fixture, NULL);
  beckon_lander_is_always_apart = beckon_lander_renames_plainly = FALSE;
}

static void
add (void)
{
  CASE ("/lander/commit/elsewhere", test_elsewhere);
  CASE ("/lander/commit/elsewhere/apart", test_elsewhere_apart);
  g_test_add ("/lander/commit/elsewhere/plain", Fixture, "", set_up, test_elsewhere_apart, tear_down);
  CASE ("/lander/commit/elsewhere/meanwhile", test_elsewhere_meanwhile);
  g_test_add ("/lander/commit/elsewhere/meanwhile-here", Fixture, "", set_up, test_elsewhere_meanwhile, tear_down);
  CASE ("/lander/commit/elsewhere/late", test_elsewhere_late);
  CASE ("/lander/commit/redo-number", test_redo_number);
  CASE ("/lander/commit/undo-named", test_undo_named);
  g_test_add ("/lander/commit/elsewhere/undo-named", Fixture, "", set_up, test_undo_named, tear_down);
  CASE ("/lander/commit/elsewhere/same-objects", test_elsewhere_same_objects);
  g_test_add ("/lander/commit/elsewhere/same-objects-late", Fixture, "", set_up, test_elsewhere_same_objects, tear_down);
  CASE ("/lander/commit/looked", test_looked);
  g_test_add ("/lander/commit/elsewhere/looked", Fixture, "", set_up, test_looked, tear_down);
  CASE ("/lander/commit/elsewhere/early", test_elsewhere_early);
  CASE ("/lander/commit/elsewhere/runners", test_elsewhere_runners);
  CASE ("/lander/commit/elsewhere/denied", test_elsewhere_denied);
  CASE ("/lander/commit/elsewhere/replaced", test_elsewhere_replaced);
  CASE ("/lander/commit/elsewhere/twice", test_elsewhere_twice);
  for (guint i = 0; i < G_N_ELEMENTS (keeping); i++)
    {
      g_autofree char *path = g_strdup_printf ("/lander/commit/keeping/%u", i);

      g_test_add (path, Fixture, GUINT_TO_POINTER (i), set_up, test_keeping, tear_down);
    }
  for (guint i = 0; i < 5; i++)
    {
      g_autofree char *path = g_strdup_printf ("/lander/commit/within/beyond/%u", i);

      g_test_add (path, Fixture, GUINT_TO_POINTER (i), set_up, test_within_beyond, tear_down);
    }
  for (guint i = 0; i < 2; i++)
    {
      const char *data = i > 0 ? "tree" : NULL;

      g_test_add (i > 0 ? "/lander/commit/within/tree" : "/lander/commit/within/main", Fixture, data, set_up, test_within, tear_down);
      if (i == 0)
        CASE ("/lander/commit/within/others", test_within_others);
      g_test_add (i > 0 ? "/lander/commit/within/switch-tree" : "/lander/commit/within/switch", Fixture, data, set_up, test_within_switch, tear_down);
      g_test_add (i > 0 ? "/lander/commit/within/looks-tree" : "/lander/commit/within/looks", Fixture, data, set_up, test_within_looks, tear_down);
      g_test_add (i > 0 ? "/lander/commit/within/init-tree" : "/lander/commit/within/init", Fixture, data, set_up, test_within_init, tear_down);
    }
  for (guint i = 1; i < 40; i++)
    {
      g_autofree char *path = g_strdup_printf ("/lander/commit/elsewhere/killed/%u", i);

      g_test_add (path, Fixture, GUINT_TO_POINTER (i), set_up, test_elsewhere_killed, tear_down);
    }
  CASE ("/lander/commit", test_commit);
  CASE ("/lander/commit/left-out", test_left_out);
  CASE ("/lander/commit/undo-beneath", test_undo_beneath);
  CASE ("/lander/commit/undo-by-products/beneath", test_undo_by_products);
  g_test_add ("/lander/commit/undo-by-products", Fixture, "", set_up, test_undo_by_products, tear_down);
  CASE ("/lander/commit/undo-submodule", test_undo_submodule);
  CASE ("/lander/commit/unreadable", test_unreadable);
  CASE ("/lander/commit/unreadable-head", test_unreadable_head);
  g_test_add ("/lander/commit/amend", Fixture, "", set_up, test_amend, tear_down);
  g_test_add ("/lander/commit/moved-is-shown", Fixture, "", set_up, test_moved_is_shown, tear_down);
  g_test_add ("/lander/commit/moved-by-command", Fixture, "", set_up, test_moved_by_command, tear_down);
  g_test_add ("/lander/commit/moved-to-hook", Fixture, "", set_up, test_moved_to_hook, tear_down);
  g_test_add ("/lander/commit/encodings", Fixture, "", set_up, test_encodings, tear_down);
  g_test_add ("/lander/commit/others-branch/moved", Fixture,
              "git update-ref refs/heads/side $(git commit-tree -m x HEAD^{tree})", set_up, test_others_branch, tear_down);
  g_test_add ("/lander/commit/others-branch/gone", Fixture, "git update-ref -d refs/heads/side", set_up, test_others_branch,
              tear_down);
  CASE ("/lander/commit/elsewhere/others-branch", test_elsewhere_others_branch);
  CASE ("/lander/commit/more-is-shown", test_more_is_shown);
  CASE ("/lander/commit/refused-file", test_refused_file);
  g_test_add ("/lander/commit/refresh", Fixture, "touch -d 2001-01-01 a.py; git status >/dev/null; git update-index --refresh",
              set_up, test_refresh, tear_down);
  g_test_add ("/lander/commit/nothing-to-commit", Fixture, "touch -d 2001-01-01 a.py; git commit -qm nothing || true",
              set_up, test_refresh, tear_down);
  CASE ("/lander/commit/marked", test_marked);
  CASE ("/lander/commit/odd-objects", test_odd_objects);
  for (guint i = 0; i < G_N_ELEMENTS (examples); i++)
    {
      g_autofree char *path = g_strdup_printf ("/lander/commit/example/%u", i);

      g_autofree char *elsewhere = g_strdup_printf ("/lander/commit/example/%u/elsewhere", i);

      g_test_add (path, Fixture, &examples[i], set_up, test_example, tear_down);
      g_test_add (elsewhere, Fixture, &examples[i], set_up, test_example_elsewhere, tear_down);
    }
}

int
main (int argc, char *argv[])
{
  return run_cases (&argc, &argv, add);
}
