/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Commands on a view of their folder: what they change is in the landing place, and the folder stays as it is. Run by the
 * administrator all of it runs again as another user, who has fewer rights and gets the same. Where no overlay can be had its
 * cases are skipped, counted. */

#define _GNU_SOURCE

#include "base/beckon-error.h"
#include "base/beckon-json.h"
#include "beckon-marked.h"
#include "beckon-start.h"
#include "beckon-tree.h"
#include "domain/beckon-change-choice.h"
#include "domain/beckon-rule-json.h"
#include "landing/beckon-lander.h"
#include "landing/beckon-landing-copy.h"
#include "landing/beckon-landing-place.h"
#include "landing/beckon-landing-survey.h"
#include "sandbox/beckon-sandbox.h"
#include "sandbox/beckon-launch.h"
#include "sandbox/beckon-sandbox-proxy.h"
#include "sandbox/beckon-sandbox-view-private.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOBODY 65534
#define N_RANDOM 5

extern char **environ;

typedef struct
{
  char *root;
  char *folder;
  char *place;
  BeckonSandboxOptions options;
  char *said;
  int status;
  BeckonJobLimit limit;
} Fixture;

static void
on_done (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GAsyncResult **slot = user_data;

  *slot = g_object_ref (result);
}

static GAsyncResult *
wait_for (GAsyncResult **result)
{
  gint64 deadline = g_get_monotonic_time () + 60 * G_USEC_PER_SEC;

  while (*result == NULL && g_get_monotonic_time () < deadline)
    g_main_context_iteration (NULL, TRUE);
  g_assert_nonnull (*result);
  return *result;
}

static gboolean
on_tick (gpointer user_data)
{
  return G_SOURCE_CONTINUE;
}

static BeckonViewKind
learn (const char *folder)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  beckon_sandbox_view_learn_async (folder, NULL, on_done, &result);
  g_assert_true (beckon_sandbox_view_learn_finish (wait_for (&result), &error));
  g_assert_no_error (error);
  return beckon_sandbox_view_get (folder);
}

static char *
make_place (Fixture *fixture, const char *name)
{
  char *place = g_build_filename (fixture->root, name, NULL);

  g_assert_cmpint (g_mkdir (place, 0700), ==, 0);
  return place;
}

static void
write_file (const char *folder, const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autofree char *made = g_dir_make_tmp ("beckon-view-XXXXXX", NULL);
  g_autofree char *sub = NULL;

  fixture->root = realpath (made, NULL);
  fixture->folder = g_build_filename (fixture->root, "here, you: see\\it", NULL);
  sub = g_build_filename (fixture->folder, "sub", NULL);
  g_assert_cmpint (g_mkdir (fixture->folder, 0755), ==, 0);
  g_assert_cmpint (g_mkdir (sub, 0755), ==, 0);
  write_file (fixture->folder, "one", "1\n");
  write_file (fixture->folder, "two", "2\n");
  write_file (sub, "three", "3\n");
  fixture->place = make_place (fixture, "place");
  memset (&fixture->options, 0, sizeof fixture->options);
  fixture->options.folder = fixture->folder;
  fixture->options.place = fixture->place;
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_autofree char *open = g_strdup_printf ("chmod -R u+rwx '%s'", fixture->root);

  g_assert_cmpint (system (open), ==, 0);
  beckon_tree_remove (fixture->root);
  g_free (fixture->root);
  g_free (fixture->folder);
  g_free (fixture->place);
  g_free (fixture->said);
}

/* Describes the files in @folder with their contents in one text. */
static char *
describe (const char *folder)
{
  const char *argv[] = { "/bin/sh", "-c", "cd \"$0\" && { find . -printf '%P %y %m %T@ %l\\n' | LC_ALL=C sort; "
                         "find . -type f -print0 | LC_ALL=C sort -z | xargs -0 cat; }", folder, NULL };
  g_autoptr (GError) error = NULL;
  char *text = NULL;

  g_assert_true (g_spawn_sync (NULL, (char **) argv, NULL, 0, NULL, NULL, &text, NULL, NULL, &error));
  g_assert_no_error (error);
  return text;
}

static char *
read_upper (const char *place, const char *name)
{
  g_autofree char *path = g_build_filename (place, "upper", name, NULL);
  char *text = NULL;

  g_file_get_contents (path, &text, NULL, NULL);
  return text;
}

static gboolean
is_whiteout (const char *place, const char *name)
{
  g_autofree char *path = g_build_filename (place, "upper", name, NULL);
  struct stat info;

  return lstat (path, &info) == 0 && S_ISCHR (info.st_mode) && info.st_rdev == 0;
}

static void
make_view (Fixture *fixture)
{
  g_autoptr (GError) error = NULL;

  beckon_sandbox_view_make (fixture->folder, fixture->options.place, NULL, NULL, &error);
  g_assert_no_error (error);
}

static gboolean
skip (Fixture *fixture)
{
  if (learn (fixture->folder) == BECKON_VIEW_OVERLAY)
    return FALSE;

  g_test_skip ("no overlay can be had here");
  return TRUE;
}

static BeckonJob *
start (Fixture *fixture, const char *script)
{
  const char *argv[] = { "bash", "-c", script, NULL };
  g_autoptr (GError) error = NULL;
  BeckonJob *job = beckon_start (argv, &fixture->options, &error);

  g_assert_no_error (error);
  return job;
}

static void
finish (Fixture *fixture, BeckonJob *job, const char *script)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  beckon_job_wait_async (job, NULL, on_done, &result);
  g_assert_true (beckon_job_wait_finish (job, wait_for (&result), &error));
  g_assert_no_error (error);
  g_free (fixture->said);
  fixture->said = beckon_output_get_text (beckon_job_get_output (job));
  fixture->status = beckon_job_get_status (job);
  fixture->limit = beckon_job_get_limit (job);
  g_test_message ("%s\n-> %d %.500s", script, fixture->status, fixture->said);
}

/* Runs @script by bash on a view; what it said and how it ended is in the fixture. */
static void
run (Fixture *fixture, const char *script)
{
  g_autoptr (BeckonJob) job = start (fixture, script);

  finish (fixture, job, script);
}

static void
wait_until_says (BeckonJob *job, const char *word)
{
  gint64 deadline = g_get_monotonic_time () + 30 * G_USEC_PER_SEC;
  gboolean is_said = FALSE;

  while (!is_said)
    {
      g_autofree char *text = beckon_output_get_text (beckon_job_get_output (job));

      g_assert_cmpint (g_get_monotonic_time (), <, deadline);
      is_said = strstr (text, word) != NULL;
      if (!is_said)
        g_main_context_iteration (NULL, TRUE);
    }
}

static void
test_changes (Fixture *fixture, gconstpointer data)
{
  g_autofree char *before = describe (fixture->folder);
  g_autofree char *after = NULL;
  g_autofree char *one = NULL;
  g_autofree char *new = NULL;

  if (skip (fixture))
    return;

  make_view (fixture);
  run (fixture, "echo more >> one; rm two; mkdir new; echo n > new/file; mv sub other; cat one other/three; ls; "
                "chmod 700 .; ln -s /etc/passwd link; stat -c %a .");
  g_assert_cmpint (fixture->status, ==, 0);
  g_assert_cmpstr (fixture->said, ==, "1\nmore\n3\nnew\none\nother\n700\n");
  after = describe (fixture->folder);
  g_assert_cmpstr (after, ==, before);
  one = read_upper (fixture->place, "one");
  new = read_upper (fixture->place, "new/file");
  g_assert_cmpstr (one, ==, "1\nmore\n");
  g_assert_cmpstr (new, ==, "n\n");
  g_assert_true (is_whiteout (fixture->place, "two"));
  g_assert_true (is_whiteout (fixture->place, "sub"));
}

/* The folder looks as it does to anybody: its mode, and the inodes that Git remembers, before and after a change. */
static void
test_looks (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->folder, "one", NULL);
  g_autofree char *expected = NULL;
  struct stat info;

  if (skip (fixture))
    return;

  g_assert_cmpint (g_chmod (fixture->folder, 01750), ==, 0);
  g_assert_cmpint (lstat (path, &info), ==, 0);
  expected = g_strdup_printf ("1750\n%lu\n%lu\n%s\n", (gulong) info.st_ino, (gulong) info.st_ino, fixture->folder);
  make_view (fixture);
  run (fixture, "stat -c %a .; stat -c %i one; echo >> one; stat -c %i one; pwd");
  g_assert_cmpstr (fixture->said, ==, expected);
}

static void
test_git (Fixture *fixture, gconstpointer data)
{
  static const char identity[] = "git config user.name A && git config user.email a@example.org && ";
  g_autofree char *first = g_strconcat ("git init -q && ", identity, "git add -A && git commit -qm x && git status --short && "
                                        "git log --format=%s && ls -A && echo '#!/bin/sh' > .git/hooks/pre-commit && "
                                        "echo x > .envrc && git status --short", NULL);
  g_autofree char *git = g_build_filename (fixture->folder, ".git", NULL);
  g_autofree char *config = NULL;

  if (skip (fixture))
    return;

  make_view (fixture);
  run (fixture, first);
  g_assert_cmpint (fixture->status, ==, 0);
  g_assert_cmpstr (fixture->said, ==, "x\n.git\none\nsub\ntwo\n?? .envrc\n");
  g_assert_false (g_file_test (git, G_FILE_TEST_EXISTS));
  config = read_upper (fixture->place, ".git/config");
  g_assert_nonnull (strstr (config, "a@example.org"));
}

/* The folder has no files of ours, neither while a command runs nor after this program was killed. */
static void
test_killed (Fixture *fixture, gconstpointer data)
{
  g_autofree char *before = describe (fixture->folder);
  g_autofree char *marker = g_strdup_printf ("BECKON_VIEW=%s", fixture->root);
  const char *argv[] = { "/proc/self/exe", "--begin", fixture->folder, fixture->place, marker, NULL };
  g_autofree char *during = NULL;
  g_autofree char *after = NULL;
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GDataInputStream) output = NULL;
  g_autofree char *line = NULL;
  g_autoptr (GError) error = NULL;
  gint64 since;

  if (skip (fixture))
    return;

  process = g_subprocess_newv (argv, G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error);
  g_assert_no_error (error);
  output = g_data_input_stream_new (g_subprocess_get_stdout_pipe (process));
  line = g_data_input_stream_read_line (output, NULL, NULL, &error);
  g_assert_cmpstr (line, ==, "ready");
  during = describe (fixture->folder);
  g_assert_cmpstr (during, ==, before);
  g_assert_true (beckon_marked_is_running (marker));
  since = g_get_monotonic_time ();
  g_subprocess_force_exit (process);
  g_assert_true (g_subprocess_wait (process, NULL, NULL));
  beckon_marked_assert_ends (marker, since);
  after = describe (fixture->folder);
  g_assert_cmpstr (after, ==, before);
}

/* In a process of its own: starts a command, says so, and is killed. */
G_NORETURN static void
begin_and_wait (const char *folder, const char *place, const char *marker)
{
  Fixture fixture = { .folder = (char *) folder, .options = { .folder = folder, .place = place } };
  g_autofree char *script = g_strdup_printf ("echo x > one; rm two; mkdir .vscode; echo ready; exec env '%s' tail -f /dev/null",
                                             marker);
  g_autoptr (BeckonJob) job = NULL;

  g_timeout_add (20, on_tick, NULL);
  learn (folder);
  make_view (&fixture);
  job = start (&fixture, script);
  wait_until_says (job, "ready");
  while (!beckon_marked_is_running (marker))
    g_main_context_iteration (NULL, TRUE);
  puts ("ready");
  fflush (stdout);
  while (TRUE)
    g_main_context_iteration (NULL, TRUE);
}

static void
test_two (Fixture *fixture, gconstpointer data)
{
  g_autofree char *other = make_place (fixture, "other");
  g_autofree char *mine = NULL;
  g_autofree char *theirs = NULL;
  g_autoptr (BeckonJob) job = NULL;

  if (skip (fixture))
    return;

  make_view (fixture);
  job = start (fixture, "echo mine > one; echo ready; for i in $(seq 3000); do [ -e stop ] && break; sleep 0.01; done; cat one");
  wait_until_says (job, "ready");
  fixture->options.place = other;
  make_view (fixture);
  run (fixture, "cat one; echo theirs > one; touch stop; cat one");
  g_assert_cmpstr (fixture->said, ==, "1\ntheirs\n");
  beckon_job_kill (job);
  finish (fixture, job, "the first");
  mine = read_upper (fixture->place, "one");
  theirs = read_upper (other, "one");
  g_assert_cmpstr (mine, ==, "mine\n");
  g_assert_cmpstr (theirs, ==, "theirs\n");
}

/* A command in a folder around this one puts a link in its place, between the look at it and the mount. */
static void
test_link (Fixture *fixture, gconstpointer data)
{
  const char *argv[] = { "/bin/true", NULL };
  g_autoptr (GArray) none = g_array_new (FALSE, FALSE, sizeof (int));
  g_autofree char *aside = g_build_filename (fixture->root, "aside", NULL);
  g_autoptr (GError) error = NULL;
  BeckonLaunch launch
      = { .argv = argv, .fds = none, .output = STDERR_FILENO, .folder = fixture->folder, .place = fixture->place, .view = -1 };

  if (skip (fixture))
    return;

  make_view (fixture);
  g_assert_cmpint (g_rename (fixture->folder, aside), ==, 0);
  g_assert_cmpint (symlink ("/usr", fixture->folder), ==, 0);
  g_assert_cmpint (beckon_start_launch (&launch, &error), ==, 0);
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE);
  g_assert_nonnull (strstr (error->message, g_strerror (ENOTDIR)));
}

/* A mount that fails, here because both layers are the same, is said, nothing runs, and from then on the folder is one that commands work in directly. */
static void
test_refused (Fixture *fixture, gconstpointer data)
{
  g_autofree char *folder = g_build_filename (fixture->place, "upper", NULL);
  g_autofree char *work = g_build_filename (fixture->place, "work", NULL);
  g_autofree char *made = g_build_filename (folder, "made", NULL);
  g_autofree char *argument = g_strdup_printf ("touch '%s'", made);
  const char *argv[] = { "sh", "-c", argument, NULL };
  g_autoptr (GError) error = NULL;

  if (skip (fixture))
    return;

  g_assert_cmpint (g_mkdir (folder, 0700) + g_mkdir (work, 0700), ==, 0);
  beckon_sandbox_view_set (folder, BECKON_VIEW_OVERLAY);
  fixture->options.folder = folder;
  g_assert_null (beckon_start (argv, &fixture->options, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE);
  g_test_message ("%s", error->message);
  g_assert_false (g_file_test (made, G_FILE_TEST_EXISTS));
  g_assert_cmpint (beckon_sandbox_view_get (folder), ==, BECKON_VIEW_DIRECT);
}

/* Layers that cannot be opened once say nothing of the folder: the next command has a view of it again. */
static void
test_layers_gone (Fixture *fixture, gconstpointer data)
{
  g_autofree char *upper = g_build_filename (fixture->place, "upper", NULL);
  g_autofree char *aside = g_build_filename (fixture->place, "aside", NULL);
  const char *argv[] = { "true", NULL };
  g_autoptr (GError) error = NULL;

  if (skip (fixture))
    return;

  make_view (fixture);
  g_assert_cmpint (g_rename (upper, aside), ==, 0);
  g_assert_null (beckon_start (argv, &fixture->options, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE);
  g_assert_nonnull (strstr (error->message, g_strerror (ENOENT)));
  g_assert_cmpint (beckon_sandbox_view_get (fixture->folder), ==, BECKON_VIEW_OVERLAY);

  g_assert_cmpint (g_rename (aside, upper), ==, 0);
  run (fixture, "echo again > made; cat made");
  g_assert_cmpstr (fixture->said, ==, "again\n");
}

static void
test_unmade (Fixture *fixture, gconstpointer data)
{
  const char *argv[] = { "true", NULL };
  g_autoptr (GError) error = NULL;

  g_assert_null (beckon_start (argv, &fixture->options, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE);
}

/* When the wait returns nobody is there any more who could change anything. */
static void
test_last (Fixture *fixture, gconstpointer data)
{
  g_autofree char *marker = g_strdup_printf ("BECKON_LATE=%s", fixture->root);
  g_autofree char *script = g_strdup_printf ("(exec > /dev/null 2>&1; for i in $(seq 200); do env '%s' setsid sh -c "
                                             "'while :; do echo x >> late; done' & done) & "
                                             "until [ -e late ]; do sleep 0.01; done",
                                             marker);
  g_autofree char *late = NULL;
  struct stat at_end, later;

  if (skip (fixture))
    return;

  make_view (fixture);
  run (fixture, script);
  late = g_build_filename (fixture->place, "upper", "late", NULL);
  g_assert_cmpint (stat (late, &at_end), ==, 0);
  g_assert_false (beckon_marked_is_running (marker));
  g_assert_cmpint (stat (late, &later), ==, 0);
  g_assert_cmpint (at_end.st_size, ==, later.st_size);
}

static void
test_limits (Fixture *fixture, gconstpointer data)
{
  if (skip (fixture))
    return;

  make_view (fixture);
  fixture->options.file_bytes = 1024 * 1024;
  fixture->options.memory_bytes = 256 * 1024 * 1024;
  run (fixture, "head -c 2000000 /dev/zero > large; echo $?; ulimit -u");
  g_assert_nonnull (strstr (fixture->said, "153\n512\n"));
  run (fixture, "python3 -c 'x = bytearray (600 * 1024 * 1024); import time; time.sleep (60)'");
  g_assert_cmpint (fixture->limit, ==, BECKON_JOB_LIMIT_MEMORY);
}

static void
test_network (Fixture *fixture, gconstpointer data)
{
  if (skip (fixture))
    return;

  make_view (fixture);
  run (fixture, "exec 3<>/dev/tcp/127.0.0.1/" G_STRINGIFY (BECKON_SANDBOX_PROXY_PORT) " && echo open");
  g_assert_null (strstr (fixture->said, "open\n"));
  fixture->options.network = TRUE;
  run (fixture, "exec 3<>/dev/tcp/127.0.0.1/" G_STRINGIFY (BECKON_SANDBOX_PROXY_PORT) " && echo open");
  g_assert_cmpstr (fixture->said, ==, "open\n");
}

/* An overlay does not show what is mounted in the folder. */
static void
test_mounted (Fixture *fixture, gconstpointer data)
{
  g_autofree char *sub = g_build_filename (fixture->folder, "sub", NULL);
  BeckonViewKind kind;

  if (geteuid () != 0 || mount ("tmpfs", sub, "tmpfs", 0, "size=4096") != 0)
    {
      g_test_skip ("nothing can be mounted here");
      return;
    }

  kind = learn (fixture->folder);
  g_assert_cmpint (umount (sub), ==, 0);
  g_assert_cmpint (kind, ==, BECKON_VIEW_COPY);
}

/* A later mount is seen when the view is made. */
static void
test_mounted_later (Fixture *fixture, gconstpointer data)
{
  g_autofree char *sub = g_build_filename (fixture->folder, "sub", NULL);
  g_autoptr (GError) error = NULL;

  if (skip (fixture))
    return;
  if (geteuid () != 0 || mount ("tmpfs", sub, "tmpfs", 0, "size=4096") != 0)
    {
      g_test_skip ("nothing can be mounted here");
      return;
    }

  g_assert_false (beckon_sandbox_view_make (fixture->folder, fixture->place, NULL, NULL, &error));
  g_assert_cmpint (umount (sub), ==, 0);
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE);
  g_assert_cmpint (beckon_sandbox_view_get (fixture->folder), ==, BECKON_VIEW_DIRECT);
}

static BeckonDeniedPaths *
deny (const char *folder, const char *rules)
{
  g_autoptr (JsonNode) node = beckon_json_parse (rules, -1, NULL);
  g_autoptr (GPtrArray) read = beckon_rules_read (json_node_get_array (node), 100, NULL);
  g_autoptr (BeckonRuleSet) set = NULL;

  g_assert_nonnull (read);
  set = beckon_rule_set_new (read);
  return beckon_denied_paths_new (set, folder, "c", 1);
}

/* A denied file is not there, under no name, whatever is tried; and a hidden file is told from a deleted one. */
static void
test_denied (Fixture *fixture, gconstpointer data)
{
  static const char rules[] = "[{\"tool\":\"read_file\",\"verdict\":\"deny\",\"arguments\":{\"path\":\"sub/*\"}},"
                              "{\"tool\":\"read_file\",\"verdict\":\"deny\",\"arguments\":{\"path\":\"link\"}},"
                              "{\"tool\":\"edit_file\",\"verdict\":\"deny\",\"arguments\":{\"path\":\"one\"}}]";
  g_autofree char *link = g_build_filename (fixture->folder, "link", NULL);
  g_autofree char *sub = g_build_filename (fixture->folder, "sub", NULL);
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  g_autoptr (BeckonDeniedPaths) denied = deny (fixture->folder, rules);
  g_autoptr (BeckonDeniedView) view = NULL;
  g_autoptr (GHashTable) hidden = NULL;
  g_autoptr (GError) error = NULL;
  struct stat info;
  g_autofree char *expected = NULL;

  if (skip (fixture))
    return;

  g_assert_nonnull (denied);
  g_assert_cmpint (symlink ("two", link), ==, 0);
  write_file (sub, "four", "4\n");
  g_assert_cmpint (g_chmod (sub, 0555), ==, 0);
  g_assert_cmpint (stat (sub, &info), ==, 0);
  before = describe (fixture->folder);
  view = beckon_denied_view_look (denied, fixture->folder, &error);
  g_assert_no_error (error);
  g_assert_true (beckon_sandbox_view_make (fixture->folder, fixture->place, view, NULL, &error));
  g_assert_no_error (error);
  fixture->options.denied = view;
  expected = g_strdup_printf ("link\none\nsub\n1\n%lu 555\n", (gulong) info.st_mtime);
  run (fixture, "ls; ls -A sub; cat one; stat -c '%Y %a' sub; cat two sub/three link 2>/dev/null; echo x 2>/dev/null >> one; true");
  g_assert_cmpstr (fixture->said, ==, expected);
  run (fixture, "chmod 755 sub; mv sub other; cat other/*; ls other; mkdir sub; cat sub/*; echo new > two; cat two; "
                "rm -rf sub other; mkdir sub; ls sub");
  g_assert_null (strstr (fixture->said, "3\n"));
  g_assert_nonnull (strstr (fixture->said, "new\n"));
  after = describe (fixture->folder);
  g_assert_cmpstr (after, ==, before);
  hidden = beckon_landing_table_load (fixture->place, BECKON_LANDING_HIDDEN, 0, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (g_hash_table_size (hidden), ==, 3);
  g_assert_true (beckon_landing_table_covers (hidden, "two"));
  g_assert_true (beckon_landing_table_covers (hidden, "sub/three"));
  g_assert_true (beckon_landing_table_covers (hidden, "sub/four/below"));
  g_assert_false (beckon_landing_table_covers (hidden, "sub"));
  g_assert_false (beckon_landing_table_covers (hidden, "one"));
}

/* More than could be mounted over. */
static void
test_denied_many (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonDeniedPaths) denied
      = deny (fixture->folder, "[{\"tool\":\"read_file\",\"verdict\":\"deny\",\"arguments\":{\"path\":\"*/*.pem\"}}]");
  const char *argv[] = { "true", NULL };
  BeckonSandboxOptions direct = { .folder = fixture->folder };
  g_autoptr (BeckonDeniedView) view = NULL;
  g_autoptr (GError) error = NULL;

  if (skip (fixture))
    return;

  for (guint i = 0; i < 2000; i++)
    {
      g_autofree char *name = g_strdup_printf ("sub/%u.pem", i);

      write_file (fixture->folder, name, "secret\n");
    }
  view = beckon_denied_view_look (denied, fixture->folder, &error);
  g_assert_no_error (error);
  g_assert_true (beckon_sandbox_view_make (fixture->folder, fixture->place, view, NULL, &error));
  fixture->options.denied = view;
  run (fixture, "ls sub; grep -r secret .");
  g_assert_cmpstr (fixture->said, ==, "three\n");
  direct.denied = view;
  g_assert_null (beckon_start (argv, &direct, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE);
}

/* A denied file has another name. Where some rule is a pattern it is met twice, and that is not the other name. */
static void
test_denied_link (Fixture *fixture, gconstpointer data)
{
  g_autofree char *secret = g_build_filename (fixture->folder, "secret.txt", NULL);
  g_autofree char *other = g_build_filename (fixture->folder, "sub", "other", NULL);
  g_autoptr (BeckonDeniedPaths) denied
      = deny (fixture->folder, "[{\"tool\":\"read_file\",\"verdict\":\"deny\",\"arguments\":{\"path\":\"secret.txt\"}},"
                               "{\"tool\":\"read_file\",\"verdict\":\"deny\",\"arguments\":{\"path\":\"none/*.zzz\"}}]");
  g_autoptr (BeckonDeniedView) view = NULL;
  g_autoptr (GError) error = NULL;

  if (skip (fixture))
    return;

  write_file (fixture->folder, "secret.txt", "secret\n");
  g_assert_cmpint (link (secret, other), ==, 0);
  view = beckon_denied_view_look (denied, fixture->folder, &error);
  g_assert_no_error (error);
  g_assert_true (beckon_sandbox_view_make (fixture->folder, fixture->place, view, NULL, &error));
  fixture->options.denied = view;
  run (fixture, "cat sub/other; grep -r secret .");
  g_assert_null (strstr (fixture->said, "secret\n"));
}

/* All that can be told of the folder in which it is run. */
#define LOOK "exec 2>/dev/null; { find . ! -type d -printf '%P %y %m %T@ %l %n\\n'; find . -type d -printf '%P %y %m %T@\\n'; } | LC_ALL=C sort | cat -v; " \
             "find . -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum | cat -v; "

/* Describes the folder with all of the upper layer: one shape, whichever way the view was made. */
static char *
describe_landed (Fixture *fixture)
{
  static const char script[]
      = "cp -a \"$0\" \"$1/out\" && cd \"$1/place/upper\" && "
        "find . -type d -print0 | while IFS= read -r -d '' p; do if [ -d \"../../out/$p\" -a ! -L \"../../out/$p\" ]; then "
        "chmod u+rwx \"../../out/$p\"; else rm -f \"../../out/$p\"; fi; done; "
        "find . -mindepth 1 -type c -print0 | while IFS= read -r -d '' p; do rm -rf \"../../out/$p\"; done; "
        "find . -mindepth 1 ! -type d ! -type c -print0 | while IFS= read -r -d '' p; do rm -rf \"../../out/$p\"; done; "
        "find . ! -type c -print0 | tar --format=posix --null --no-recursion -T - -cf - | tar -xpf - -C ../../out && cd ../../out && " LOOK;
  const char *argv[] = { "/bin/bash", "-c", script, fixture->folder, fixture->root, NULL };
  g_autoptr (GError) error = NULL;
  char *text = NULL;

  g_assert_true (g_spawn_sync (NULL, (char **) argv, NULL, 0, NULL, NULL, &text, NULL, NULL, &error));
  g_assert_no_error (error);
  return text;
}

static void
make_copied (Fixture *fixture)
{
  const char *argv[] = { "/bin/bash", "-c",
                         "cd \"$0\" && mkdir -p deep/a/b/c empty closed old && echo x > deep/a/b/c/x && echo k > kept && "
                         "echo h > hard && ln hard hard2 && ln hard deep/hard3 && ln -s one link && ln -s /nowhere broken && "
                         "mkfifo pipe && echo o > old/o && chmod 640 kept && echo s > $'name\\nof \\xff two' && "
                         "truncate -s 10M hole && echo c > closed/c && chmod 500 closed && "
                         "touch -d '2001-02-03 04:05:06.789' deep/a one link",
                         fixture->folder, NULL };
  int status;

  g_assert_true (g_spawn_sync (NULL, (char **) argv, NULL, 0, NULL, NULL, NULL, NULL, &status, NULL));
  g_assert_cmpint (status, ==, 0);
  beckon_sandbox_view_set (fixture->folder, BECKON_VIEW_COPY);
}

/* Without an overlay: whatever a command does on the copy, the upper layer made of it says the same. */
static void
test_copy (Fixture *fixture, gconstpointer data)
{
  const char *script = data;
  g_autofree char *whole = g_strconcat (script, "\n", LOOK, NULL);
  g_autofree char *copy = g_build_filename (fixture->place, "copy", NULL);
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  g_autofree char *landed = NULL;
  g_autoptr (GError) error = NULL;

  make_copied (fixture);
  before = describe (fixture->folder);
  make_view (fixture);
  run (fixture, whole);
  after = describe (fixture->folder);
  g_assert_cmpstr (after, ==, before);
  g_assert_true (beckon_landing_copy_to_upper (fixture->place, &error));
  g_assert_no_error (error);
  landed = describe_landed (fixture);
  g_assert_cmpstr (landed, ==, fixture->said);
  g_assert_false (g_file_test (copy, G_FILE_TEST_EXISTS));
}

/* Hard links are not kept by an overlay, another time alone is no change, and the folder itself is not looked at. */
#define LOOK_AT_FILES "exec 2>/dev/null; { find . ! -type d -printf '%P %y %m %l\\n'; find . -mindepth 1 -type d -printf " \
                      "'%P %y %m\\n'; } | LC_ALL=C sort | cat -v; " \
                      "find . -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum | cat -v; "

static char *
look_at_files (const char *folder)
{
  const char *argv[] = { "/bin/bash", "-c", "cd \"$0\"; " LOOK_AT_FILES, folder, NULL };
  g_autoptr (GError) error = NULL;
  char *text = NULL;

  g_assert_true (g_spawn_sync (NULL, (char **) argv, NULL, 0, NULL, NULL, &text, NULL, NULL, &error));
  g_assert_no_error (error);
  return text;
}

static void
land_and_undo (Fixture *fixture, const char *script)
{
  g_autofree char *whole = g_strconcat (script, "\n", LOOK_AT_FILES, NULL);
  g_autofree char *before = look_at_files (fixture->folder);
  g_autofree char *landed = NULL;
  g_autofree char *undone = NULL;
  g_autoptr (BeckonChangeChoice) all = beckon_change_choice_new ();
  g_autoptr (BeckonChangeSet) changes = NULL;
  g_autoptr (BeckonLanding) landing = NULL;
  g_autoptr (GError) error = NULL;
  gint64 base = beckon_landing_survey_now ();

  make_view (fixture);
  run (fixture, whole);
  changes = beckon_landing_survey (fixture->place, fixture->folder, base, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  landing = beckon_landing_new ("call", fixture->folder, fixture->place, base, changes);
  beckon_change_choice_apply (all, landing->changes);
  g_assert_true (beckon_lander_plan (landing, &error));
  g_assert_true (beckon_lander_land (landing, &error));
  g_assert_no_error (error);
  landed = look_at_files (fixture->folder);
  g_assert_cmpstr (landed, ==, fixture->said);
  g_assert_true (beckon_lander_undo (landing, &error));
  g_assert_no_error (error);
  undone = look_at_files (fixture->folder);
  g_assert_cmpstr (undone, ==, before);
}

/* From a command to the person's folder, and back, on both kinds of view. */
static void
test_land_copy (Fixture *fixture, gconstpointer data)
{
  make_copied (fixture);
  land_and_undo (fixture, data);
}

static void
test_land_overlay (Fixture *fixture, gconstpointer data)
{
  if (skip (fixture))
    return;

  make_copied (fixture);
  beckon_sandbox_view_set (fixture->folder, BECKON_VIEW_OVERLAY);
  land_and_undo (fixture, data);
}

/* A file of a group that is not known in a user namespace: it could not be copied up. */
static void
test_foreign (Fixture *fixture, gconstpointer data)
{
  const char *folder = g_getenv ("BECKON_TEST_FOREIGN");

  if (folder == NULL)
    {
      g_test_skip ("there is no file of somebody else's here");
      return;
    }

  g_assert_cmpint (learn (folder), ==, BECKON_VIEW_COPY);
  g_free (fixture->folder);
  fixture->folder = g_strdup (folder);
  fixture->options.folder = fixture->folder;
  land_and_undo (fixture, "echo more >> file; mv file moved; echo new > other");
}

/* Some bubblewraps are told of the folder by its path alone. */
static void
test_paths (Fixture *fixture, gconstpointer data)
{
  g_autofree char *real = beckon_sandbox_find_program ();
  g_autofree char *script = g_strdup_printf ("#!/bin/sh\nexec %s \"$@\"\n", real);
  g_autofree char *program = g_build_filename (fixture->root, "bwrap", NULL);
  g_autofree char *before = g_strdup (g_getenv ("PATH"));
  g_autofree char *path = g_strdup_printf ("%s:%s", fixture->root, before);

  if (skip (fixture))
    return;

  write_file (fixture->root, "bwrap", script);
  g_assert_cmpint (g_chmod (program, 0755), ==, 0);
  g_setenv ("PATH", path, TRUE);
  g_assert_false (beckon_bwrap_binds_descriptors (program));
  make_copied (fixture);
  land_and_undo (fixture, "echo more >> one; rm two");
  fixture->options.place = make_place (fixture, "other");
  g_free (fixture->place);
  fixture->place = (char *) fixture->options.place;
  beckon_sandbox_view_set (fixture->folder, BECKON_VIEW_OVERLAY);
  land_and_undo (fixture, "echo more >> one; rm two");
  g_setenv ("PATH", before, TRUE);
}

/* Files that the command leaves alone are not in the layer. */
static void
test_copy_idle (Fixture *fixture, gconstpointer data)
{
  g_autofree char *upper = g_build_filename (fixture->place, "upper", NULL);
  g_autofree char *deep = g_build_filename (upper, "deep", "a", "b", NULL);
  g_autofree char *deep_place = NULL;
  g_autoptr (GError) error = NULL;

  make_copied (fixture);
  make_view (fixture);
  run (fixture, "cat one; ls -R . > /dev/null; grep -r x . > /dev/null; cat link");
  g_assert_true (beckon_landing_copy_to_upper (fixture->place, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (beckon_tree_count (upper), ==, 0);
  g_assert_cmpint (g_rmdir (upper), ==, 0);

  make_view (fixture);
  run (fixture, "echo y >> deep/a/b/c/x; rm deep/hard3");
  g_assert_true (beckon_landing_copy_to_upper (fixture->place, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (beckon_tree_count (deep), ==, 1);
  g_assert_true (is_whiteout (fixture->place, "deep/hard3"));
}

/* To look at a repository changes nothing in it, though every inode is another one. */
static void
test_copy_git (Fixture *fixture, gconstpointer data)
{
  const char *argv[] = { "/bin/sh", "-c", "cd \"$0\" && git init -q && git config user.name A && git config user.email a@b && "
                         "touch -d 2001-01-01 one two sub/three && git add one two sub && git commit -qm x",
                         fixture->folder, NULL };
  g_autofree char *upper = g_build_filename (fixture->place, "upper", NULL);
  g_autoptr (GError) error = NULL;
  int status;

  g_assert_true (g_spawn_sync (NULL, (char **) argv, NULL, 0, NULL, NULL, NULL, NULL, &status, &error));
  g_assert_cmpint (status, ==, 0);
  beckon_sandbox_view_set (fixture->folder, BECKON_VIEW_COPY);
  make_view (fixture);
  run (fixture, "git diff-files; git status --short; git log --format=%s; git diff");
  g_assert_cmpstr (fixture->said, ==, "x\n");
  g_assert_true (beckon_landing_copy_to_upper (fixture->place, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (beckon_tree_count (upper), ==, 0);
}

static const char *const operations[] = {
  "echo $RANDOM >> \"$(pick)\"", "rm -rf \"$(pick)\"", "mkdir -p \"$(pick)/d$RANDOM\"", "mv \"$(pick)\" \"$(pick)\"",
  "mv \"$(pick)\" m$RANDOM", "chmod $((RANDOM % 8 + 70))0 \"$(pick)\"", "ln -sf x$RANDOM \"$(pick)\"",
  "ln \"$(pick)\" \"$(pick)/h$RANDOM\"", "cp -a \"$(pick)\" c$RANDOM", "touch \"$(pick)\"", "echo n > \"$(pick)/n$RANDOM\"",
  "truncate -s 7 \"$(pick)\"", "mkfifo \"$(pick)/p$RANDOM\"", "p=\"$(pick)\"; rm -rf \"$p\"; mkdir \"$p\"; echo > \"$p/again\"",
  "p=\"$(pick)\"; mv \"$p\" t; mv t \"$p\"", "sed -i s/k/K/ \"$(pick)\"",
};

/* Random actions in random order. */
static void
test_random (Fixture *fixture, gconstpointer data)
{
  gboolean is_copy = GPOINTER_TO_INT (data) == BECKON_VIEW_COPY;
  g_autoptr (GString) script = g_string_new ("exec 2>/dev/null; pick () { find . -mindepth 1 ! -name '*pipe*' ! -name 'p[0-9]*' | "
                                             "LC_ALL=C sort | sed -n \"$((RANDOM % 25 + 1))p\"; }; ");

  if (!is_copy && skip (fixture))
    return;

  make_copied (fixture);
  beckon_sandbox_view_set (fixture->folder, is_copy ? BECKON_VIEW_COPY : BECKON_VIEW_OVERLAY);
  g_string_append_printf (script, "RANDOM=%d; ", g_test_rand_int_range (0, 32768));
  for (guint i = 0; i < 30; i++)
    g_string_append_printf (script, "%s; ", operations[g_test_rand_int_range (0, G_N_ELEMENTS (operations))]);
  land_and_undo (fixture, script->str);
}

static void
test_copy_denied (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonDeniedPaths) denied
      = deny (fixture->folder, "[{\"tool\":\"read_file\",\"verdict\":\"deny\",\"arguments\":{\"path\":\"deep/**\"}},"
                               "{\"tool\":\"edit_file\",\"verdict\":\"deny\",\"arguments\":{\"path\":\"one\"}}]");
  g_autofree char *deep = g_build_filename (fixture->place, "upper", "deep", NULL);
  g_autoptr (BeckonDeniedView) view = NULL;
  g_autoptr (GError) error = NULL;

  make_copied (fixture);
  view = beckon_denied_view_look (denied, fixture->folder, &error);
  g_assert_no_error (error);
  g_assert_true (beckon_sandbox_view_make (fixture->folder, fixture->place, view, NULL, &error));
  g_assert_no_error (error);
  fixture->options.denied = view;
  run (fixture, "ls -d deep 2>/dev/null; grep -r x . ; cat one; echo 2>/dev/null > one || echo refused");
  g_assert_cmpstr (fixture->said, ==, "1\nrefused\n");
  g_assert_true (beckon_landing_copy_to_upper (fixture->place, &error));
  g_assert_no_error (error);
  g_assert_false (g_file_test (deep, G_FILE_TEST_EXISTS));
}

/* Beyond the bound commands work in the folder itself. */
static void
test_copy_bound (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->folder, "large", NULL);
  g_autofree char *fill = g_strdup_printf ("fallocate -l 220000000 '%s'", path);
  g_autoptr (GError) error = NULL;

  g_assert_true (beckon_landing_copy_fits (fixture->folder));
  g_assert_cmpint (system (fill), ==, 0);
  g_assert_false (beckon_landing_copy_fits (fixture->folder));
  beckon_sandbox_view_set (fixture->folder, BECKON_VIEW_COPY);
  g_assert_false (beckon_sandbox_view_make (fixture->folder, fixture->place, NULL, NULL, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE);
  g_assert_cmpint (beckon_sandbox_view_get (fixture->folder), ==, BECKON_VIEW_DIRECT);
}

static const struct
{
  const char *name;
  const char *script;
} scripts[] = {
  { "files", "echo more >> one; rm two; echo n > new; chmod 600 sub/three; touch kept; rm pipe; mkfifo new-pipe" },
  { "folders", "rm -rf deep; mkdir made made/in; echo i > made/in/i; mv old older; rmdir empty; mkdir sub/x" },
  { "types", "rm one; mkdir one; echo i > one/i; rm -rf deep; echo f > deep; rm link; ln -s two link; rm kept; "
             "ln -s /etc kept; rm -rf sub; ln -s old sub" },
  { "again", "rm -rf deep; mkdir -p deep/a/b; echo again > deep/a/b/new; rm one; echo 1 > one" },
  { "modes", "chmod 700 .; chmod 700 closed; echo d > closed/d; chmod 500 closed; chmod 555 deep deep/a; "
             "mkdir shut; echo s > shut/s; chmod 500 shut; chmod 511 empty" },
  { "hard-links", "echo more >> hard2; ln kept kept2; rm deep/hard3; ln two sub/two; ln -s a/b deep/lnk" },
  { "names", "mv $'name\\nof \\xff two' $'\\xfe\\n'; echo > ' '; echo > -- '-n'; mkdir $'d\\n'; echo > $'d\\n/*'" },
  { "shared", "echo x >> hard; rm hard2; mv deep moved; mkdir new; ln kept new/kept; ln link new/link" },
  { "nothing", "true" },
  { "times", "touch -d '2011-01-01' one; touch -h link; truncate -s 5M hole; echo x >> hole" },
};

/* A folder that was not probed is unknown, and then a command works in the folder itself. */
static void
test_unknown (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (beckon_sandbox_view_get (fixture->folder), ==, BECKON_VIEW_DIRECT);
  g_assert_false (beckon_sandbox_view_make (fixture->folder, fixture->place, NULL, NULL, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE);
}

/* In a process of its own, which becomes somebody else for good and runs all cases again. */
static int
run_as_somebody (const char *home)
{
  static const char *const names[] = { "TMPDIR", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR" };
  const char *argv[] = { "test-sandbox-view", "--tap", NULL };
  int program = open ("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  g_autofree char *foreign = g_build_filename (home, "foreign", NULL);

  if (program < 0 || setgroups (0, NULL) != 0 || setresgid (NOBODY, NOBODY, NOBODY) != 0
      || setresuid (NOBODY, NOBODY, NOBODY) != 0 || chdir (home) != 0)
    return 126;
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (home, names[i], NULL);

      g_mkdir (path, 0700);
      g_setenv (names[i], path, TRUE);
    }
  g_setenv ("HOME", home, TRUE);
  g_setenv ("BECKON_TEST_FOREIGN", foreign, TRUE);
  fexecve (program, (char *const *) argv, environ);
  return 125;
}

static void
test_somebody (void)
{
  g_autofree char *home = g_dir_make_tmp ("beckon-somebody-XXXXXX", NULL);
  g_autofree char *real = realpath (home, NULL);
  g_autofree char *foreign = g_build_filename (real, "foreign", NULL);
  g_autofree char *helpers = g_build_filename (real, "helpers", NULL);
  g_autofree char *said = NULL;
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GError) error = NULL;

  if (geteuid () != 0)
    {
      g_test_skip ("only the administrator can become somebody else");
      return;
    }

  g_assert_cmpint (g_mkdir (foreign, 0755), ==, 0);
  write_file (foreign, "file", "the administrator's\n");
  g_assert_cmpint (g_mkdir (helpers, 0755), ==, 0);
  beckon_tree_share_helpers (helpers);
  g_assert_cmpint (chown (real, NOBODY, NOBODY) + chown (foreign, NOBODY, NOBODY), ==, 0);
  process = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_MERGE, &error, "/proc/self/exe",
                              "--somebody", real, NULL);
  g_assert_no_error (error);
  beckon_tree_unshare_helpers ();
  g_assert_true (g_subprocess_communicate_utf8 (process, NULL, NULL, &said, NULL, &error));
  g_test_message ("%s", said);
  g_assert_true (g_subprocess_get_if_exited (process));
  g_assert_cmpint (g_subprocess_get_exit_status (process), ==, 0);
  g_assert_nonnull (strstr (said, "ok 1 /view/changes\n"));
  beckon_tree_remove (real);
}

#define ADD(path, function) g_test_add (path, Fixture, NULL, set_up, function, tear_down)

static void
add_script (const char *path, guint i, void (*test) (Fixture *fixture, gconstpointer data))
{
  g_autofree char *name = g_build_filename (path, scripts[i].name, NULL);

  g_test_add (name, Fixture, scripts[i].script, set_up, test, tear_down);
}

static void
add_random (const char *path, guint i, BeckonViewKind kind)
{
  g_autofree char *name = g_strdup_printf ("%s/%u", path, i);

  g_test_add (name, Fixture, GINT_TO_POINTER ((int) kind), set_up, test_random, tear_down);
}

int
main (int argc, char *argv[])
{
  if (argc == 5 && g_str_equal (argv[1], "--begin"))
    begin_and_wait (argv[2], argv[3], argv[4]);
  if (argc == 3 && g_str_equal (argv[1], "--somebody"))
    return run_as_somebody (argv[2]);

  /* Mounts made here are for these tests alone. */
  if (geteuid () == 0 && unshare (CLONE_NEWNS) == 0)
    g_assert_cmpint (mount (NULL, "/", NULL, MS_REC | MS_SLAVE, NULL), ==, 0);
  g_test_init (&argc, &argv, NULL);
  g_timeout_add (20, on_tick, NULL);

  ADD ("/view/changes", test_changes);
  ADD ("/view/looks", test_looks);
  ADD ("/view/git", test_git);
  ADD ("/view/killed", test_killed);
  ADD ("/view/two", test_two);
  ADD ("/view/link", test_link);
  ADD ("/view/refused", test_refused);
  ADD ("/view/layers-gone", test_layers_gone);
  ADD ("/view/unmade", test_unmade);
  ADD ("/view/last", test_last);
  ADD ("/view/limits", test_limits);
  ADD ("/view/network", test_network);
  ADD ("/view/mounted", test_mounted);
  ADD ("/view/mounted-later", test_mounted_later);
  ADD ("/view/denied", test_denied);
  ADD ("/view/denied-link", test_denied_link);
  ADD ("/view/denied-many", test_denied_many);
  ADD ("/view/foreign", test_foreign);
  ADD ("/view/paths", test_paths);
  ADD ("/view/unknown", test_unknown);
  for (guint i = 0; i < G_N_ELEMENTS (scripts); i++)
    {
      add_script ("/view/copy", i, test_copy);
      add_script ("/view/land/copy", i, test_land_copy);
      add_script ("/view/land/overlay", i, test_land_overlay);
    }
  ADD ("/view/copy/idle", test_copy_idle);
  ADD ("/view/copy/git", test_copy_git);
  ADD ("/view/copy/denied", test_copy_denied);
  for (guint i = 0; i < N_RANDOM; i++)
    {
      add_random ("/view/random/copy", i, BECKON_VIEW_COPY);
      add_random ("/view/random/overlay", i, BECKON_VIEW_OVERLAY);
    }
  ADD ("/view/copy/bound", test_copy_bound);
  g_test_add_func ("/view/somebody", test_somebody);

  return g_test_run ();
}
