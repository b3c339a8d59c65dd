/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Commands that really try to get out. Without bubblewrap, or where it cannot work, the cases are skipped, counted. */

#define _GNU_SOURCE

#include "base/beckon-error.h"
#include "base/beckon-path.h"
#include "beckon-marked.h"
#include "beckon-start.h"
#include "beckon-tree.h"
#include "sandbox/beckon-sandbox.h"
#include "sandbox/beckon-etc-links.h"
#include "sandbox/beckon-etc-lists.h"
#include "sandbox/beckon-process-tree.h"
#include "sandbox/beckon-working-folder.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <grp.h>
#include <linux/magic.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/vfs.h>
#include <unistd.h>

#define NOBODY 65534

static gboolean is_possible;

typedef struct
{
  char *root;
  char *folder;
  char *outside;
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

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autofree char *made = g_dir_make_tmp ("beckon-sandbox-XXXXXX", NULL);

  fixture->root = realpath (made, NULL);
  fixture->folder = g_build_filename (fixture->root, "here", NULL);
  fixture->outside = g_build_filename (fixture->root, "outside", NULL);
  g_assert_cmpint (g_mkdir (fixture->folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (fixture->outside, "secret\n", -1, NULL));
  memset (&fixture->options, 0, sizeof fixture->options);
  fixture->options.folder = fixture->folder;
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  beckon_tree_remove (fixture->root);
  g_free (fixture->root);
  g_free (fixture->folder);
  g_free (fixture->outside);
  g_free (fixture->said);
}

/* Runs @script by sh in the sandbox; what it said and how it ended is in the fixture. */
static void
run (Fixture *fixture, const char *script)
{
  const char *argv[] = { "sh", "-c", script, NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonJob) job = beckon_start (argv, &fixture->options, &error);
  g_autoptr (GAsyncResult) result = NULL;

  g_assert_no_error (error);
  beckon_job_wait_async (job, NULL, on_done, &result);
  g_assert_true (beckon_job_wait_finish (job, wait_for (&result), &error));
  g_assert_no_error (error);
  g_free (fixture->said);
  fixture->said = beckon_output_get_text (beckon_job_get_output (job));
  fixture->status = beckon_job_get_status (job);
  fixture->limit = beckon_job_get_limit (job);
  g_test_message ("%s\n-> %d %.500s", script, fixture->status, fixture->said);
}

static void
assert_says (Fixture *fixture, const char *script, const char *expected)
{
  run (fixture, script);
  g_assert_cmpstr (fixture->said, ==, expected);
}

static void
assert_fails (Fixture *fixture, const char *script)
{
  run (fixture, script);
  if (fixture->status == 0)
    g_error ("This was to fail: %s", script);
}

static gboolean
skip (void)
{
  if (!is_possible)
    g_test_skip ("there is no working bubblewrap here");

  return !is_possible;
}

static void
test_works (Fixture *fixture, gconstpointer data)
{
  g_autofree char *made = g_build_filename (fixture->folder, "made", NULL);
  g_autofree char *where = g_strdup_printf ("%s\n", fixture->folder);
  g_autofree char *contents = NULL;

  if (skip ())
    return;

  assert_says (fixture, "echo hello; echo trouble >&2", "hello\ntrouble\n");
  g_assert_cmpint (fixture->status, ==, 0);
  assert_says (fixture, "pwd; exit 3", where);
  g_assert_cmpint (fixture->status, ==, 3);
  assert_says (fixture, "echo text > made && cat made", "text\n");
  g_assert_true (g_file_get_contents (made, &contents, NULL, NULL));
  g_assert_cmpstr (contents, ==, "text\n");
  assert_says (fixture, "cat; echo $HOME; touch $HOME/x /tmp/x && echo ok", "/tmp/home\nok\n");
  run (fixture, "kill -9 $$");
  g_assert_cmpint (fixture->status, ==, 137);
}

/* Faults F93 and F95: what is outside is not there, what others run is not written, links lead nowhere. */
static void
test_files (Fixture *fixture, gconstpointer data)
{
  g_autofree char *read_outside = g_strdup_printf ("cat '%s'", fixture->outside);
  g_autofree char *new_outside = g_build_filename (fixture->root, "new", NULL);
  g_autofree char *write_outside = g_strdup_printf ("echo x > '%s'", new_outside);
  g_autofree char *through_link = g_strdup_printf ("ln -s '%s' link && cat link", fixture->outside);

  if (skip ())
    return;

  assert_fails (fixture, read_outside);
  assert_fails (fixture, through_link);
  run (fixture, write_outside);
  g_assert_false (g_file_test (new_outside, G_FILE_TEST_EXISTS));
  assert_fails (fixture, "touch /usr/x");
  assert_fails (fixture, "touch /etc/x");
  assert_fails (fixture, "mount -o remount,rw /usr");
  assert_fails (fixture, "cat /etc/shadow");
  assert_says (fixture, "ls /home /root 2>/dev/null", "");
  assert_fails (fixture, "ls /proc/1/root/proc/sys && cat /proc/1/root/etc/shadow");
}

/* More than a pipe takes at once is told all the same. */
static void
test_much_told (Fixture *fixture, gconstpointer data)
{
  g_autofree char *text = g_strnfill (100000, 'x');

  if (skip ())
    return;

  g_setenv ("LC_MESSAGES", text, TRUE);
  assert_says (fixture, "echo ${#LC_MESSAGES}", "100000\n");
  g_unsetenv ("LC_MESSAGES");
}

/* Behind the commands nothing of the guard is left, as soon as nobody is there who could make something in its place. */
static void
wait_until_empty (const char *folder)
{
  gint64 deadline = g_get_monotonic_time () + 30 * G_USEC_PER_SEC;

  while (beckon_tree_count (folder) > 0)
    {
      g_assert_cmpint (g_get_monotonic_time (), <, deadline);
      g_main_context_iteration (NULL, TRUE);
    }
}

static void
wait_until_gone (const char *path)
{
  gint64 deadline = g_get_monotonic_time () + 30 * G_USEC_PER_SEC;

  while (g_file_test (path, G_FILE_TEST_EXISTS))
    {
      g_assert_cmpint (g_get_monotonic_time (), <, deadline);
      g_main_context_iteration (NULL, TRUE);
    }
}

static void
test_guarded (Fixture *fixture, gconstpointer data)
{
  static const char *const scripts[] = {
    "echo x > .envrc", "mkdir .vscode", "echo x > .vscode/tasks.json", "echo x > .git/hooks/pre-commit",
    "echo x >> .git/config", "git init -q .", "rm -rf .git && mkdir .git", "mv .envrc x", "echo x > .mcp.json",
    "chmod 700 .vscode && echo x > .vscode/tasks.json; rm -rf .vscode",
  };
  g_autofree char *git = g_build_filename (fixture->folder, ".git", NULL);
  g_autofree char *part = g_build_filename (fixture->folder, "part", NULL);

  if (skip ())
    return;

  for (guint i = 0; i < G_N_ELEMENTS (scripts); i++)
    assert_fails (fixture, scripts[i]);

  wait_until_empty (fixture->folder);

  g_assert_cmpint (g_mkdir (git, 0700), ==, 0);
  assert_fails (fixture, "echo x > .git/hooks/pre-commit");
  assert_fails (fixture, "echo x > .git/config");
  assert_says (fixture, "echo x > .git/HEAD && cat .git/HEAD", "x\n");
  assert_fails (fixture, "echo x > .husky/pre-commit");
  assert_fails (fixture, "mv .git away && mkdir -p .git/hooks && echo x > .git/hooks/pre-commit");
  assert_fails (fixture, "mkdir new && mv -T --exchange .git new || rmdir new .git");

  /* A part of a repository has hooks of its own. */
  g_assert_cmpint (g_mkdir (part, 0700), ==, 0);
  fixture->options.folder = part;
  assert_fails (fixture, "mkdir .husky");
  assert_fails (fixture, "echo x > .gitmodules");
}

/* A link could be exchanged, whatever is mounted where it leads. */
static void
test_links (Fixture *fixture, gconstpointer data)
{
  static const char *const links[] = { ".git", ".envrc", ".vscode", ".git/hooks", ".git/config" };
  static const char *const argv[] = { "true", NULL };
  g_autofree char *git = g_build_filename (fixture->folder, ".git", NULL);

  if (skip ())
    return;

  for (guint i = 0; i < G_N_ELEMENTS (links); i++)
    {
      g_autofree char *link = g_build_filename (fixture->folder, links[i], NULL);
      g_autoptr (BeckonJob) job = NULL;
      g_autoptr (GError) error = NULL;

      if (strchr (links[i], '/') != NULL)
        g_mkdir (git, 0700);
      g_assert_cmpint (symlink (fixture->folder, link), ==, 0);
      job = beckon_start (argv, &fixture->options, &error);
      g_assert_null (job);
      g_assert_error (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE);
      g_assert_nonnull (strstr (error->message, link));
      g_assert_cmpint (g_unlink (link), ==, 0);
    }
  g_rmdir (git);
  assert_says (fixture, "echo on", "on\n");
  wait_until_empty (fixture->folder);
}

/* Git would follow it to a configuration of the command's own, and run what stands there. */
static void
test_elsewhere (Fixture *fixture, gconstpointer data)
{
  g_autofree char *git = g_build_filename (fixture->folder, ".git", NULL);
  g_autofree char *elsewhere = g_build_filename (git, "commondir", NULL);
  g_autofree char *trees = g_build_filename (git, "worktrees", NULL);

  if (skip ())
    return;

  g_assert_cmpint (g_mkdir (git, 0700), ==, 0);
  assert_says (fixture, "echo ../evil > .git/commondir; mkdir -p .git/worktrees/x && echo made", "made\n");
  wait_until_gone (elsewhere);

  g_assert_true (g_file_set_contents (elsewhere, "../..\n", -1, NULL));
  assert_fails (fixture, "echo ../evil > .git/commondir || echo ../evil > .git/worktrees/x/commondir");
  g_assert_true (g_file_test (elsewhere, G_FILE_TEST_EXISTS));
  g_assert_true (g_file_test (trees, G_FILE_TEST_IS_DIR));
}

static void
in_folder (Fixture *fixture, const char *program, const char *argument)
{
  const char *argv[] = { program, argument, "-q", fixture->folder, NULL };
  g_autoptr (GSubprocess) process = g_subprocess_newv (argv, G_SUBPROCESS_FLAGS_NONE, NULL);

  g_assert_true (g_subprocess_wait_check (process, NULL, NULL));
}

/* Placeholders for missing files are nothing that Git would speak of. */
static void
test_overlooked (Fixture *fixture, gconstpointer data)
{
  g_autofree char *git = g_find_program_in_path ("git");

  if (skip ())
    return;
  if (git == NULL)
    {
      g_test_skip ("there is no git here");
      return;
    }

  in_folder (fixture, git, "init");
  assert_says (fixture, "touch mine; git -c safe.directory='*' status --porcelain; ls -d .husky", "?? mine\n.husky\n");
  assert_fails (fixture, "rm /var/beckon-gitignore || echo x >> /var/beckon-gitignore");
}

/* Faults F96: the network, the bus, the display, the keyring, the environment. */
static void
test_reach (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GSocketListener) listener = g_socket_listener_new ();
  guint16 port = g_socket_listener_add_any_inet_port (listener, NULL, NULL);
  g_autofree char *connect = g_strdup_printf ("bash -c 'exec 3<>/dev/tcp/127.0.0.1/%u'", port);
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  int abstract = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  g_autofree char *find = NULL;

  if (skip ())
    {
      close (abstract);
      return;
    }

  g_snprintf (address.sun_path + 1, sizeof address.sun_path - 1, "beckon-test-%d", (int) getpid ());
  g_assert_cmpint (bind (abstract, (struct sockaddr *) &address, sizeof address), ==, 0);
  g_assert_cmpint (listen (abstract, 1), ==, 0);
  find = g_strdup_printf ("grep -c beckon-test-%d /proc/net/unix", (int) getpid ());

  assert_fails (fixture, connect);
  assert_fails (fixture, find);
  g_setenv ("BECKON_API_KEY", "sk-canary", TRUE);
  g_setenv ("DBUS_SESSION_BUS_ADDRESS", "unix:path=/run/bus", FALSE);
  run (fixture, "env");
  g_assert_null (strstr (fixture->said, "sk-canary"));
  g_assert_null (strstr (fixture->said, "DBUS"));
  g_assert_null (strstr (fixture->said, "DISPLAY"));
  assert_fails (fixture, "ls /tmp/.X11-unix/*");
  assert_says (fixture, "ls /run", "");
  g_unsetenv ("BECKON_API_KEY");

  /* Sockets that are no network are refused where the network is allowed, too. */
  fixture->options.network = fixture->options.local_network = TRUE;
  run (fixture, connect);
  g_assert_cmpint (fixture->status, ==, 0);
  assert_fails (fixture, "python3 -c 'import socket; socket.socket (socket.AF_UNIX)'");
  close (abstract);
}

/* Faults F97: the kernel's ways. */
static void
test_kernel (Fixture *fixture, gconstpointer data)
{
  g_autofree char *kill_us = g_strdup_printf ("kill -0 %d", (int) getpid ());

  if (skip ())
    return;

  assert_fails (fixture, kill_us);
  assert_fails (fixture, "unshare -U true");
  assert_fails (fixture, "unshare -m true");
  assert_fails (fixture, "python3 -c 'import ctypes, sys; sys.exit (ctypes.CDLL (None).ptrace (0, 0, 0, 0) == -1)'");
  assert_fails (fixture, "python3 -c 'import fcntl, pty, termios; m, s = pty.openpty (); fcntl.ioctl (s, termios.TIOCSTI, b\"x\")'");
  assert_fails (fixture, "cp /bin/sh sh && chmod u+s sh && ./sh -p -c 'cat /etc/shadow'");
  assert_fails (fixture, "cat /proc/sys/vm/swappiness >was && cat was >/proc/sys/vm/swappiness");
  assert_says (fixture, "grep CapEff /proc/self/status", "CapEff:\t0000000000000000\n");
}

static void
test_limits (Fixture *fixture, gconstpointer data)
{
  if (skip ())
    return;

  fixture->options.file_bytes = 1024 * 1024;
  assert_fails (fixture, "head -c 2000000 /dev/zero > big");
  fixture->options.memory_bytes = 256 * 1024 * 1024;

  /* Memory is measured now and then where no scope can be made: what is held is seen. */
  run (fixture, "python3 -c 'x = bytearray (1 << 30); import signal; signal.pause ()'");
  g_assert_cmpint (fixture->limit, ==, BECKON_JOB_LIMIT_MEMORY);

  /* Memory that is only reserved costs nothing. */
  assert_says (fixture, "python3 -c 'import mmap; print (len (mmap.mmap (-1, 1 << 40, flags=mmap.MAP_PRIVATE, prot=0)))'",
               "1099511627776\n");

  /* Each below its own limit, all together above it. */
  assert_says (fixture, "ulimit -Hu 2>/dev/null || ulimit -Hp", "512\n");
  run (fixture, "for i in 1 2 3 4; do python3 -c 'x = bytearray (150 << 20); import signal; signal.pause ()' & done; wait");
  g_assert_cmpint (fixture->limit, ==, BECKON_JOB_LIMIT_MEMORY);
}

/* Temporary files are memory. */
static void
test_temporary_files (Fixture *fixture, gconstpointer data)
{
  if (skip ())
    return;

  fixture->options.memory_bytes = 64 * 1024 * 1024;
  run (fixture, "head -c 50000000 /dev/zero > /tmp/x");
  g_assert_nonnull (strstr (fixture->said, "No space left"));
  run (fixture, "head -c 50000000 /dev/zero > /dev/shm/x");
  g_assert_nonnull (strstr (fixture->said, "No space left"));
  assert_fails (fixture, "touch /dev/x");
  assert_fails (fixture, "mkdir .vscode/x || chmod 700 .vscode && head -c 50000 /dev/zero > .vscode/x");
  run (fixture, "cat /dev/zero > /tmp/x; cat /dev/zero > /dev/shm/x; exec tail -f /dev/null");
  g_assert_cmpint (fixture->limit, ==, BECKON_JOB_LIMIT_MEMORY);

  /* Files that have no name, and that nobody has mapped. */
  run (fixture, "python3 -c 'import os, signal\nf = [os.memfd_create (\"x\") for i in range (4)]\nb = b\"x\" * (1 << 20)\n"
                "for i in range (80): os.write (f[i % 4], b)\nsignal.pause ()'");
  g_assert_cmpint (fixture->limit, ==, BECKON_JOB_LIMIT_MEMORY);

  /* Files without anything in them, too. */
  run (fixture, "cd /tmp && python3 -c 'import itertools\nfor i in itertools.count (): open (str (i), \"w\")'");
  g_assert_cmpint (fixture->limit, ==, BECKON_JOB_LIMIT_MEMORY);
}

/* The sum is limited, whatever each file's size is. */
static void
test_written (Fixture *fixture, gconstpointer data)
{
  g_autofree char *folder = NULL;
  struct statfs info;

  if (skip ())
    return;
  if (statfs ("/var/tmp", &info) != 0 || info.f_type == TMPFS_MAGIC)
    {
      g_test_skip ("what is temporary here is in memory");
      return;
    }

  folder = g_strdup ("/var/tmp/beckon-written-XXXXXX");
  g_assert_nonnull (g_mkdtemp (folder));
  fixture->options.folder = folder;
  fixture->options.written_bytes = 32 * 1024 * 1024;
  run (fixture, "i=0; while :; do head -c 1000000 /dev/zero > f$((i % 50)); i=$((i + 1)); done");
  g_assert_cmpint (fixture->limit, ==, BECKON_JOB_LIMIT_WRITTEN);
  run (fixture, "head -c 5000000 /dev/zero > f");
  g_assert_cmpint (fixture->status, ==, 0);
  beckon_tree_remove (folder);
}

/* A page that several processes have counts once. */
static void
test_shared (void)
{
  static const char script[] = "import os, signal, sys\nx = b'x' * (64 << 20)\n"
                               "n = [os.fork () == 0 and (sys.stdin.read (), os._exit (0)) for i in range (5)]\n"
                               "print ('ready', flush=True)\nsys.stdin.read ()";
  g_autoptr (GSubprocess) child = g_subprocess_new (G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE, NULL,
                                                    "python3", "-c", script, NULL);
  g_autoptr (GDataInputStream) lines = g_data_input_stream_new (g_subprocess_get_stdout_pipe (child));
  g_autofree char *line = g_data_input_stream_read_line (lines, NULL, NULL, NULL);
  BeckonProcessTree quick, exact, few;

  g_assert_cmpstr (line, ==, "ready");
  beckon_process_tree_measure (getpid (), 1000, G_MAXUINT64, &quick);
  beckon_process_tree_measure (getpid (), 1000, 1, &exact);
  beckon_process_tree_measure (getpid (), 3, 1, &few);
  g_assert_cmpuint (few.n_threads, ==, 4);
  g_test_message ("%u threads; %" G_GUINT64_FORMAT " MB, %" G_GUINT64_FORMAT " MB exactly", exact.n_threads,
                  quick.memory_bytes >> 20, exact.memory_bytes >> 20);
  g_assert_cmpuint (exact.n_threads, >=, 6);
  g_assert_cmpuint (quick.memory_bytes, >, 6 * (64 << 20));
  g_assert_cmpuint (exact.memory_bytes, >, 64 << 20);
  g_assert_cmpuint (exact.memory_bytes, <, 2 * (64 << 20));
  g_output_stream_close (g_subprocess_get_stdin_pipe (child), NULL, NULL);
  g_assert_true (g_subprocess_wait_check (child, NULL, NULL));
}

/* An ordinary user: the kernel exempts the administrator from the limit. */
static void
become_nobody (Fixture *fixture)
{
  if (geteuid () != 0)
    return;

  beckon_tree_share_helpers (fixture->root);
  g_assert_cmpint (chown (fixture->root, NOBODY, NOBODY), ==, 0);
  g_assert_cmpint (chown (fixture->folder, NOBODY, NOBODY), ==, 0);
  g_assert_cmpint (setgroups (0, NULL), ==, 0);
  g_assert_cmpint (setresgid (NOBODY, NOBODY, 0), ==, 0);
  g_assert_cmpint (setresuid (NOBODY, NOBODY, 0), ==, 0);
}

/* Processes that were started meanwhile have no way back; the test itself has to tidy up. */
static void
become_oneself (void)
{
  uid_t real, effective, saved;

  g_assert_cmpint (getresuid (&real, &effective, &saved), ==, 0);
  if (saved != 0)
    return;

  g_assert_cmpint (setresuid (0, 0, 0) + setresgid (0, 0, 0), ==, 0);
  beckon_tree_unshare_helpers ();
}

static gboolean
says (BeckonJob *job, const char *words)
{
  g_autofree char *text = beckon_output_get_text (beckon_job_get_output (job));

  return strstr (text, words) != NULL;
}

#define SERVE                                                                                                               \
  "exec python3 -c 'import socket; s = socket.create_server ((\"127.0.0.1\", 7000)); print (\"ready\", flush=True)\n"          \
  "while 1: c, _ = s.accept (); c.sendall (b\"met\"); c.close ()'"
#define MEET "python3 -c 'import socket; print (socket.create_connection ((\"127.0.0.1\", 7000)).recv (9).decode (), end=\"\")'"

/* A command is met by those that are given its network, and by no others; out of it leads nothing, for either. */
static void
test_loopback (Fixture *fixture, gconstpointer is_nobody)
{
  const char *argv[] = { "sh", "-c", SERVE, NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (BeckonJob) server = NULL;
  int network;

  if (skip ())
    return;
  if (is_nobody != NULL)
    become_nobody (fixture);
  fixture->options.loopback = -1;
  server = beckon_start (argv, &fixture->options, &error);
  g_assert_no_error (error);
  beckon_job_wait_async (server, NULL, on_done, &result);
  network = beckon_job_open_network (server);
  g_assert_cmpint (network, >, 0);
  while (!says (server, "ready"))
    g_main_context_iteration (NULL, TRUE);

  fixture->options.loopback = network;
  assert_says (fixture, MEET, "met");
  assert_says (fixture, "ls /sys/class/net 2>/dev/null; grep -c : /proc/net/dev; id -u >/dev/null && echo known", "1\nknown\n");
  assert_fails (fixture, "mount -t tmpfs x /tmp");
  fixture->options.loopback = 0;
  assert_fails (fixture, MEET);
  fixture->options.loopback = -1;
  assert_fails (fixture, MEET);

  close (network);
  beckon_job_kill (server);
  wait_for (&result);
  g_assert_cmpint (beckon_job_open_network (server), ==, -1);
  if (is_nobody != NULL)
    become_oneself ();
}

/* A fork bomb may not fork any more, and goes away with everything it made. */
static void
test_fork_bomb (Fixture *fixture, gconstpointer data)
{
  /* A shell that can't fork ends, so it is not the first one that goes on forking. */
  const char *argv[] = { "sh", "-c", "(bomb () { bomb | bomb & }; bomb) & exec tail -f /dev/null", NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonJob) job = NULL;
  g_autoptr (GAsyncResult) result = NULL;

  if (!g_test_subprocess ())
    {
      if (skip ())
        return;
      g_test_trap_subprocess (NULL, 60 * G_USEC_PER_SEC, 0);
      g_test_trap_assert_passed ();
      return;
    }

  become_nobody (fixture);
  fixture->options.n_processes = 64;
  job = beckon_start (argv, &fixture->options, &error);
  g_assert_no_error (error);
  while (!says (job, "fork") && beckon_job_get_status (job) < 0)
    g_main_context_iteration (NULL, TRUE);
  g_assert_true (says (job, "fork"));

  beckon_job_kill (job);
  beckon_job_wait_async (job, NULL, on_done, &result);
  g_assert_true (beckon_job_wait_finish (job, wait_for (&result), &error));
  g_assert_cmpint (beckon_job_get_status (job), ==, 128 + SIGKILL);
  become_oneself ();
}

/* Faults F99: it ignores the polite signal, forks twice and holds the pipe; all of it is gone within two seconds. */
static void
test_stop (Fixture *fixture, gconstpointer data)
{
  g_autofree char *marker = g_strdup_printf ("MARK=beckon-stop-%d-", (int) getpid ());
  g_autofree char *script = g_strdup_printf ("export %s; trap '' TERM INT HUP; (setsid sh -c 'trap \"\" TERM; "
                                             "sleep 1000' &) ; echo ready; while :; do sleep 1000; done",
                                             marker);
  const char *argv[] = { "sh", "-c", script, NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonJob) job = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  gint64 deadline = g_get_monotonic_time () + 30 * G_USEC_PER_SEC;
  gint64 cancelled;

  if (skip ())
    return;

  job = beckon_start (argv, &fixture->options, &error);
  g_assert_no_error (error);
  beckon_job_wait_async (job, cancellable, on_done, &result);
  while (beckon_output_get_length (beckon_job_get_output (job)) == 0)
    g_main_context_iteration (NULL, TRUE);
  while (!beckon_marked_is_running (marker))
    g_assert_cmpint (g_get_monotonic_time (), <, deadline);

  cancelled = g_get_monotonic_time ();
  g_cancellable_cancel (cancellable);
  g_assert_false (beckon_job_wait_finish (job, wait_for (&result), &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  beckon_marked_assert_ends (marker, cancelled);
  g_test_message ("gone after %" G_GINT64_FORMAT " ms", (g_get_monotonic_time () - cancelled) / 1000);
}

/* Faults F98. */
static void
test_much (Fixture *fixture, gconstpointer data)
{
  if (skip ())
    return;

  run (fixture, "head -c 100000000 /dev/zero | tr '\\0' y");
  g_assert_cmpint (fixture->status, ==, 0);
  g_assert_cmpuint (strlen (fixture->said), <, 3 * BECKON_OUTPUT_KEPT);
  g_assert_nonnull (strstr (fixture->said, "bytes are left out here"));
}

/* A folder that is there for one command goes with what stood in it. */
static void
test_temporary (Fixture *fixture, gconstpointer data)
{
  gint64 deadline = g_get_monotonic_time () + 30 * G_USEC_PER_SEC;

  if (skip ())
    return;

  fixture->options.is_temporary = TRUE;
  run (fixture, "true");
  g_assert_cmpint (fixture->status, ==, 0);
  while (g_file_test (fixture->folder, G_FILE_TEST_EXISTS))
    {
      g_assert_cmpint (g_get_monotonic_time (), <, deadline);
      g_main_context_iteration (NULL, TRUE);
    }
}

static void
test_folders (void)
{
  static const char *const refused[] = { "/", "/usr", "/etc/ssl", "/proc/self", "/home", "/nonexistent", "/tmp" };
  g_autofree char *cache = g_build_filename (g_get_user_cache_dir (), "beckon", "stand-ins", NULL);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (refused); i++)
    {
      g_assert_false (beckon_sandbox_check_folder (refused[i], &error));
      g_assert_error (error, BECKON_ERROR, BECKON_ERROR_INVALID);
      g_clear_error (&error);
    }
  g_assert_false (beckon_sandbox_check_folder (g_get_home_dir (), NULL));
  g_assert_cmpint (g_mkdir_with_parents (cache, 0700), ==, 0);
  g_assert_false (beckon_sandbox_check_folder (cache, NULL));
  g_assert_false (beckon_sandbox_check_folder (g_get_user_cache_dir (), NULL));
}

/* A folder that is refused for commands is refused where it is chosen. */
static int
check_alone (const char *folder)
{
  g_autofree char *chosen = beckon_working_folder_resolve (folder, NULL);
  gboolean may_run = beckon_sandbox_check_folder (folder, NULL);

  return may_run == (chosen != NULL) ? !may_run : 2;
}

static int
get_status (GSubprocessLauncher *launcher, const char *folder)
{
  g_autoptr (GSubprocess) process = g_subprocess_launcher_spawn (launcher, NULL, "/proc/self/exe", "--check", folder, NULL);

  g_assert_true (g_subprocess_wait (process, NULL, NULL));
  return g_subprocess_get_exit_status (process);
}

/* No way around leads to what is private. */
static void
test_linked_home (Fixture *fixture, gconstpointer data)
{
  static const char *const refused[] = { "", ".ssh", ".gnupg", ".config", ".local", ".local/share", ".local/share/beckon", ".cache/beckon" };
  static const char *const work_places[] = { "work", ".config/hypr", ".local/bin", "bin" };
  static const char *const variables[] = { "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME" };
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_NONE);
  g_autofree char *home = g_build_filename (fixture->root, "home", NULL);

  g_assert_cmpint (symlink (fixture->folder, home), ==, 0);
  g_subprocess_launcher_setenv (launcher, "HOME", home, TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (variables); i++)
    g_subprocess_launcher_unsetenv (launcher, variables[i]);
  for (guint i = 0; i < G_N_ELEMENTS (refused); i++)
    {
      g_autofree char *folder = g_canonicalize_filename (refused[i], fixture->folder);

      g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
      g_assert_cmpint (get_status (launcher, folder), ==, 1);
    }
  for (guint i = 0; i < G_N_ELEMENTS (work_places); i++)
    {
      g_autofree char *folder = g_canonicalize_filename (work_places[i], fixture->folder);

      g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
      g_assert_cmpint (get_status (launcher, folder), ==, 0);
    }
}

/* Bubblewrap turns the descriptor into a path, binds that, and compares the two: a folder exchanged in between is an error of its
 * own, before the command. */
static gboolean
is_refused (BeckonJob *job, const char *said)
{
  static const char *const reasons[] = { "Can't find source path /", "Can't get type of source /", "Can't bind mount /oldroot/",
                                         "Race condition binding dirfd" };
  const char *reason = said + strlen ("bwrap: ");

  if (beckon_job_get_status (job) != 1 || !g_str_has_prefix (said, "bwrap: ") || strchr (said, '\n') != said + strlen (said) - 1)
    return FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (reasons); i++)
    if (g_str_has_prefix (reason, reasons[i]))
      return TRUE;

  return FALSE;
}

/* The folder and a link to where the secret is change places while the command begins: it runs in the folder that was meant, or
 * doesn't run. Returns whether it ran. */
static gboolean
exchange_and_run (Fixture *fixture)
{
  const char *argv[] = { "sh", "-c", "cat outside; echo done; until [ -e over ]; do sleep 0.02; done; rm over", NULL };
  const char *place = fixture->folder;
  g_autofree char *over = g_build_filename (fixture->folder, "over", NULL);
  gint64 deadline = g_get_monotonic_time () + 60 * G_USEC_PER_SEC;
  g_autofree char *link = g_build_filename (fixture->root, "link", NULL);
  g_autoptr (BeckonJob) job = beckon_start (argv, &fixture->options, NULL);
  g_autoptr (GAsyncResult) result = NULL;
  g_autofree char *said = NULL;

  g_assert_nonnull (job);
  g_assert_cmpint (renameat2 (AT_FDCWD, place, AT_FDCWD, link, RENAME_EXCHANGE), ==, 0);
  while (!says (job, "done") && beckon_job_get_status (job) < 0)
    {
      g_assert_cmpint (g_get_monotonic_time (), <, deadline);
      g_main_context_iteration (NULL, TRUE);
    }

  /* Cleaning up behind the command goes by paths, so all is in its place again before the command ends. */
  g_assert_cmpint (renameat2 (AT_FDCWD, place, AT_FDCWD, link, RENAME_EXCHANGE), ==, 0);
  g_assert_true (g_file_set_contents (over, "", -1, NULL));
  beckon_job_wait_async (job, NULL, on_done, &result);
  g_assert_true (beckon_job_wait_finish (job, wait_for (&result), NULL));
  said = beckon_output_get_text (beckon_job_get_output (job));
  g_assert_null (strstr (said, "secret"));
  if (is_refused (job, said))
    g_assert_cmpint (g_remove (over), ==, 0);
  else if (strstr (said, "done") == NULL)
    g_error ("The command ended with %d and: %s", beckon_job_get_status (job), said);
  wait_until_empty (fixture->folder);
  return strstr (said, "done") != NULL;
}

/* Faults F93: another program that may write around the folder puts a link in its place. */
static void
test_exchanged (Fixture *fixture, gconstpointer data)
{
  g_autofree char *bwrap = beckon_sandbox_find_program ();
  g_autofree char *link = g_build_filename (fixture->root, "link", NULL);
  guint n_ran = 0;

  if (skip ())
    return;
  if (!beckon_bwrap_binds_descriptors (bwrap))
    {
      g_test_skip ("this bubblewrap binds paths alone");
      return;
    }

  g_assert_cmpint (symlink (fixture->root, link), ==, 0);
  for (guint i = 0; i < 20; i++)
    n_ran += exchange_and_run (fixture) ? 1 : 0;
  g_test_message ("%u of 20 ran", n_ran);
  g_assert_cmpuint (n_ran, >, 0);
  assert_says (fixture, "ls -A /proc/self/fd | wc -l", "4\n");
}

/* Faults F100: without bubblewrap nothing runs, and the reason is said. */
static void
test_missing (Fixture *fixture, gconstpointer data)
{
  const char *argv[] = { "true", NULL };
  g_autofree char *path = g_strdup (g_getenv ("PATH"));
  g_autoptr (GError) error = NULL;

  g_setenv ("PATH", "/nonexistent", TRUE);
  g_assert_null (beckon_start (argv, &fixture->options, &error));
  g_setenv ("PATH", path, TRUE);
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE);
  g_assert_nonnull (strstr (error->message, "bubblewrap"));
}

/* And where it is there but cannot work. */
static void
test_broken (Fixture *fixture, gconstpointer data)
{
  g_autofree char *program = g_build_filename (fixture->root, "bwrap", NULL);
  g_autofree char *path = g_strdup (g_getenv ("PATH"));
  g_autofree char *broken = g_strdup_printf ("%s:%s", fixture->root, path);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (program, "#!/bin/sh\necho 'No permissions to create new namespace' >&2; exit 1\n", -1, NULL));
  g_assert_cmpint (g_chmod (program, 0700), ==, 0);
  g_setenv ("PATH", broken, TRUE);
  beckon_sandbox_probe_async (NULL, on_done, &result);
  g_setenv ("PATH", path, TRUE);
  g_assert_false (beckon_sandbox_probe_finish (wait_for (&result), &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE);
  g_assert_nonnull (strstr (error->message, "No permissions"));
}

static gboolean
is_in (const char *path, const char *const *list)
{
  for (; *list != NULL; list++)
    if (beckon_path_is_within (path, *list))
      return TRUE;

  return FALSE;
}

/* The sandbox has of /etc what is listed, what programs in /usr keep there, and nothing else. */
static void
assert_etc (Fixture *fixture, gboolean network)
{
  static const char *const made[] = { BECKON_ETC_GIT, BECKON_ETC_PEOPLE, BECKON_ETC_HOSTS, BECKON_ETC_LIBRARIES, NULL };
  g_autoptr (GPtrArray) links = beckon_etc_find_links ("");
  g_auto (GStrv) paths = NULL;

  g_ptr_array_add (links, NULL);
  fixture->options.local_network = network;
  run (fixture, "find /etc -not -type d");
  g_assert_cmpint (fixture->status, ==, 0);
  paths = g_strsplit (fixture->said, "\n", -1);
  g_assert_true (g_strv_contains ((const char *const *) paths, "/etc/ld.so.cache"));
  g_assert_true (g_strv_contains ((const char *const *) paths, BECKON_ETC_PEOPLE));
  for (guint i = 0; paths[i] != NULL; i++)
    if (*paths[i] != '\0' && !is_in (paths[i], made) && !is_in (paths[i], beckon_etc_list_folders ())
        && !is_in (paths[i], beckon_etc_list_files ()) && !is_in (paths[i], (const char *const *) links->pdata)
        && !(network && is_in (paths[i], beckon_etc_list_for_network ())))
      g_error ("%s is shown", paths[i]);
}

static void
test_etc (Fixture *fixture, gconstpointer data)
{
  if (skip ())
    return;

  assert_etc (fixture, FALSE);
  assert_says (fixture, "cat /etc/hosts", BECKON_ETC_OWN_HOSTS);
  assert_etc (fixture, TRUE);
  fixture->options.local_network = FALSE;
}

/* A command cannot change what it sees for the next one. */
static void
test_etc_sealed (Fixture *fixture, gconstpointer data)
{
  static const char *const scripts[] = {
    "touch /etc/x", "echo x >> /etc/passwd", "rm /etc/passwd", "mv /etc/passwd /etc/x", "chmod 777 /etc",
    "mount -o remount,rw /etc", "ln -sf /bin/true /etc/alternatives/x",
  };

  if (skip ())
    return;

  for (guint i = 0; i < G_N_ELEMENTS (scripts); i++)
    assert_fails (fixture, scripts[i]);
  g_assert_false (beckon_sandbox_check_folder (g_get_user_runtime_dir (), NULL));
}

static void
probe (void)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  /* A program that begins one of these has probed; one that becomes nobody could not tidy up behind it. */
  is_possible = g_test_subprocess ();
  if (is_possible)
    return;

  beckon_sandbox_probe_async (NULL, on_done, &result);
  is_possible = beckon_sandbox_probe_finish (wait_for (&result), &error);
  if (!is_possible)
    g_test_message ("%s", error->message);
}

/* A program that begins a command and does nothing more: what it holds back stays held back. */
G_NORETURN static void
begin_and_wait (const char *folder)
{
  static const char *const argv[] = { "sleep", "1000", NULL };
  BeckonSandboxOptions options = { .folder = folder };
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonJob) job = beckon_start (argv, &options, &error);

  g_assert_no_error (error);
  g_print ("begun\n");
  for (;;)
    pause ();
}

static gboolean
has_said (BeckonJob *job)
{
  g_autofree char *said = beckon_output_get_tail (beckon_job_get_output (job), 1);

  return *said != '\0';
}

/* Ends as a program does that has done what it was started for: once the command runs, or before its main loop heard of it. */
static int
begin_and_end (const char *folder, gboolean waits)
{
  static const char *const argv[] = { "sh", "-c", "echo begun; sleep 1000", NULL };
  BeckonSandboxOptions options = { .folder = folder, .is_temporary = TRUE };
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonJob) job = beckon_start (argv, &options, &error);

  g_assert_no_error (error);
  g_timeout_add (20, on_tick, NULL);
  while (waits && !has_said (job))
    g_main_context_iteration (NULL, TRUE);
  return 0;
}

/* A program of its own that runs @script in @folder: %TRUE as its status if that failed. */
static int
run_alone (const char *folder, const char *script)
{
  const char *argv[] = { "sh", "-c", script, NULL };
  BeckonSandboxOptions options = { .folder = folder };
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonJob) job = beckon_start (argv, &options, &error);
  g_autoptr (GAsyncResult) result = NULL;

  g_assert_no_error (error);
  g_timeout_add (20, on_tick, NULL);
  beckon_job_wait_async (job, NULL, on_done, &result);
  g_assert_true (beckon_job_wait_finish (job, wait_for (&result), &error));
  return beckon_job_get_status (job) == 0;
}

static void
wait_until_there (const char *path)
{
  gint64 deadline = g_get_monotonic_time () + 30 * G_USEC_PER_SEC;

  while (!g_file_test (path, G_FILE_TEST_EXISTS))
    {
      g_assert_cmpint (g_get_monotonic_time (), <, deadline);
      g_main_context_iteration (NULL, TRUE);
    }
}

/* Lists the processes that @pid began, and those that they began; none that is dead already. */
static void
list_descendants (GArray *pids, int pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/task/%d/children", pid, pid);
  g_autofree char *text = NULL;
  g_auto (GStrv) words = NULL;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return;
  words = g_strsplit (text, " ", -1);
  for (guint i = 0; words[i] != NULL; i++)
    {
      int child = (int) g_ascii_strtoll (words[i], NULL, 10);

      if (child > 0)
        {
          g_array_append_val (pids, child);
          list_descendants (pids, child);
        }
    }
}

static gboolean
is_alive (int pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/stat", pid);
  g_autofree char *text = NULL;
  const char *end = g_file_get_contents (path, &text, NULL, NULL) ? strrchr (text, ')') : NULL;

  return end != NULL && end[1] == ' ' && end[2] != 'Z' && end[2] != 'X';
}

/* Killed before it could say that the command may begin, it leaves nobody behind who waits for that: not bubblewrap, not the
 * first process of its namespace, not who watches. */
static void
test_killed (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GSubprocess) child = NULL;
  g_autoptr (GDataInputStream) lines = NULL;
  g_autoptr (GArray) pids = g_array_new (FALSE, FALSE, sizeof (int));
  g_autofree char *line = NULL;
  gint64 deadline = g_get_monotonic_time () + 30 * G_USEC_PER_SEC;
  int pid;

  if (skip ())
    return;

  child = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE, NULL, "/proc/self/exe", "--begin", fixture->folder, NULL);
  lines = g_data_input_stream_new (g_subprocess_get_stdout_pipe (child));
  line = g_data_input_stream_read_line (lines, NULL, NULL, NULL);
  g_assert_cmpstr (line, ==, "begun");
  pid = (int) g_ascii_strtoll (g_subprocess_get_identifier (child), NULL, 10);
  while (pids->len < 3 && g_get_monotonic_time () < deadline)
    {
      g_array_set_size (pids, 0);
      list_descendants (pids, pid);
      g_main_context_iteration (NULL, TRUE);
    }
  g_assert_cmpuint (pids->len, ==, 3);

  kill (pid, SIGKILL);
  g_subprocess_wait (child, NULL, NULL);
  for (guint i = 0; i < pids->len; i++)
    while (is_alive (g_array_index (pids, int, i)))
      {
        g_assert_cmpint (g_get_monotonic_time (), <, deadline);
        g_main_context_iteration (NULL, TRUE);
      }

  /* Placeholders that it laid there are taken over by the next program, and go with it. */
  assert_says (fixture, "echo next", "next\n");
  wait_until_empty (fixture->folder);
}

/* Ended in the usual way it leaves nothing, whatever still runs: nobody may come there again. */
static void
test_ended (Fixture *fixture, gconstpointer data)
{
  static const char *const ways[] = { "--end-at-once", "--end" };

  if (skip ())
    return;
  for (guint i = 0; i < G_N_ELEMENTS (ways); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GSubprocess) child
          = g_subprocess_new (G_SUBPROCESS_FLAGS_NONE, &error, "/proc/self/exe", ways[i], fixture->folder, NULL);

      g_assert_no_error (error);
      g_assert_true (g_subprocess_wait_check (child, NULL, &error));
      g_assert_no_error (error);
      g_assert_false (g_file_test (fixture->folder, G_FILE_TEST_EXISTS));
      g_assert_cmpint (g_mkdir (fixture->folder, 0700), ==, 0);
    }
}

/* The window and a terminal in one folder: who ends first takes nothing away that the other one still needs. */
static void
test_two_programs (Fixture *fixture, gconstpointer data)
{
  static const char script[] = "touch ready; until [ -e go ]; do sleep 0.02; done; rm ready go; mkdir .vscode/x || "
                               "echo x > .envrc || mkdir .vscode || mkdir -p .git/hooks/x";
  g_autofree char *ready = g_build_filename (fixture->folder, "ready", NULL);
  g_autofree char *go = g_build_filename (fixture->folder, "go", NULL);
  g_autofree char *over = g_build_filename (fixture->folder, "over", NULL);
  g_autofree char *other = g_build_filename (fixture->root, "other", NULL);
  const char *first[] = { "sh", "-c", "until [ -e over ]; do sleep 0.02; done; rm over", NULL };
  g_autoptr (BeckonJob) job = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GSubprocess) child = NULL;
  g_autoptr (GError) error = NULL;

  if (skip ())
    return;

  job = beckon_start (first, &fixture->options, &error);
  g_assert_no_error (error);
  child = g_subprocess_new (G_SUBPROCESS_FLAGS_NONE, &error, "/proc/self/exe", "--run", fixture->folder, script, NULL);
  g_assert_no_error (error);
  beckon_job_wait_async (job, NULL, on_done, &result);
  wait_until_there (ready);
  g_assert_true (g_file_set_contents (over, "", -1, NULL));
  g_assert_true (beckon_job_wait_finish (job, wait_for (&result), &error));

  /* By the end of one elsewhere what was to be done behind the first is done. */
  g_assert_cmpint (g_mkdir (other, 0700), ==, 0);
  fixture->options.folder = other;
  run (fixture, "true");
  g_assert_true (g_file_set_contents (go, "", -1, NULL));
  g_assert_true (g_subprocess_wait_check (child, NULL, &error));
  g_assert_no_error (error);
  wait_until_empty (fixture->folder);
}

#define ADD(path, function) g_test_add (path, Fixture, NULL, set_up, function, tear_down)

/* Not that of whoever runs the test. */
static char *
give_runtime_folder (void)
{
  g_autofree char *made = NULL;

  if (g_getenv ("BECKON_TEST_RUNTIME") != NULL)
    return NULL;
  made = g_dir_make_tmp ("beckon-run-XXXXXX", NULL);
  g_setenv ("XDG_RUNTIME_DIR", made, TRUE);
  g_setenv ("BECKON_TEST_RUNTIME", made, TRUE);
  return g_steal_pointer (&made);
}

/* They wait for seconds of a clock, and are with -m slow in the suite `long`. */
static void
add_slow_cases (void)
{
  ADD ("/sandbox/temporary-files", test_temporary_files);
}

static void
add_cases (void)
{
  g_test_add_func ("/sandbox/folders", test_folders);
  ADD ("/sandbox/linked-home", test_linked_home);
  ADD ("/sandbox/works", test_works);
  ADD ("/sandbox/temporary", test_temporary);
  ADD ("/faults/F93-files", test_files);
  ADD ("/faults/F93-exchanged", test_exchanged);
  ADD ("/faults/F95-guarded", test_guarded);
  ADD ("/faults/F95-links", test_links);
  ADD ("/faults/F95-elsewhere", test_elsewhere);
  ADD ("/sandbox/much-told", test_much_told);
  ADD ("/sandbox/overlooked", test_overlooked);
  ADD ("/sandbox/etc", test_etc);
  ADD ("/sandbox/etc-sealed", test_etc_sealed);
  ADD ("/faults/F96-reach", test_reach);
  ADD ("/faults/F97-kernel", test_kernel);
  ADD ("/faults/F97-limits", test_limits);
  ADD ("/faults/F97-fork-bomb", test_fork_bomb);
  ADD ("/sandbox/loopback", test_loopback);
  g_test_add ("/sandbox/loopback/nobody", Fixture, GINT_TO_POINTER (TRUE), set_up, test_loopback, tear_down);
  ADD ("/sandbox/written", test_written);
  g_test_add_func ("/sandbox/shared", test_shared);
  ADD ("/faults/F98-much", test_much);
  ADD ("/faults/F99-stop", test_stop);
  ADD ("/sandbox/killed", test_killed);
  ADD ("/sandbox/ended", test_ended);
  ADD ("/sandbox/two-programs", test_two_programs);
  ADD ("/faults/F100-missing", test_missing);
  ADD ("/faults/F100-broken", test_broken);
}

int
main (int argc, char *argv[])
{
  g_autofree char *runtime = NULL;
  int status;

  if (argc == 3 && g_str_equal (argv[1], "--begin"))
    begin_and_wait (argv[2]);
  if (argc == 3 && g_str_has_prefix (argv[1], "--end"))
    return begin_and_end (argv[2], g_str_equal (argv[1], "--end"));
  if (argc == 4 && g_str_equal (argv[1], "--run"))
    return run_alone (argv[2], argv[3]);

  if (argc == 3 && g_str_equal (argv[1], "--check"))
    return check_alone (argv[2]);

  runtime = give_runtime_folder ();
  g_test_init (&argc, &argv, NULL);
  g_timeout_add (20, on_tick, NULL);
  probe ();

  if (g_test_slow ())
    add_slow_cases ();
  else
    add_cases ();
  status = g_test_run ();
  if (runtime != NULL)
    beckon_tree_remove (runtime);
  return status;
}
