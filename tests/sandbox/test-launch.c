/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A program that is started without a copy of this one: what it is given, and what it is not. */

#define _GNU_SOURCE

#include "base/beckon-error.h"
#include "base/beckon-path.h"
#include "beckon-start.h"
#include "beckon-tree.h"
#include "sandbox/beckon-sandbox-view.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int
launch (const char *const *argv, GArray *fds, int output, int watched, GError **error)
{
  const BeckonLaunch start = { .argv = argv, .fds = fds, .output = output, .watched = watched };

  return beckon_start_launch (&start, error);
}

/* Returns the output of @script, in a process that is given @fds. */
static char *
run (const char *script, GArray *fds)
{
  const char *argv[] = { "/bin/sh", "-c", script, NULL };
  g_autoptr (GError) error = NULL;
  GString *said = g_string_new (NULL);
  char piece[256];
  gssize length;
  int ends[2];
  int status, pid;

  g_assert_cmpint (pipe2 (ends, O_CLOEXEC), ==, 0);
  pid = launch (argv, fds, ends[1], 0, &error);
  g_assert_no_error (error);
  g_assert_cmpint (pid, >, 0);
  close (ends[1]);
  while ((length = read (ends[0], piece, sizeof piece)) > 0)
    g_string_append_len (said, piece, length);
  close (ends[0]);
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  g_assert_true (WIFEXITED (status));
  return g_string_free (said, FALSE);
}

static void
test_surroundings (void)
{
  g_autoptr (GArray) none = g_array_new (FALSE, FALSE, sizeof (int));
  g_autofree char *said = NULL;

  g_setenv ("BECKON_TEST_SECRET", "canary", TRUE);
  said = run ("pwd; echo \"$BECKON_TEST_SECRET.\"; cat; echo trouble >&2; "
              "read -r all </proc/self/stat; set -- ${all#*) }; [ $3 = $$ ] && echo leads",
              none);
  g_assert_cmpstr (said, ==, "/\n.\ntrouble\nleads\n");
}

/* Under its number, and no other, be it open for everybody. */
static void
test_files (void)
{
  g_autoptr (GArray) fds = g_array_new (FALSE, FALSE, sizeof (int));
  int given = memfd_create ("given", MFD_CLOEXEC);
  int kept = open ("/dev/null", O_RDONLY);
  g_autofree char *script = g_strdup_printf ("cat <&%d; [ -e /proc/self/fd/%d ] && echo seen; echo over", given, kept);
  g_autofree char *said = NULL;

  g_assert_cmpint (write (given, "hello\n", 6), ==, 6);
  g_assert_cmpint (lseek (given, 0, SEEK_SET), ==, 0);
  g_array_append_val (fds, given);
  said = run (script, fds);
  g_assert_cmpstr (said, ==, "hello\nover\n");

  /* Here nothing is different. */
  g_assert_cmpint (fcntl (given, F_GETFD), ==, FD_CLOEXEC);
  g_assert_cmpint (fcntl (kept, F_GETFD), ==, 0);
  close (given);
  close (kept);
}

/* Signals that this program blocks or ignores are the other's again. */
static void
test_signals (void)
{
  g_autoptr (GArray) none = g_array_new (FALSE, FALSE, sizeof (int));
  g_autofree char *said = NULL;

  signal (SIGPIPE, SIG_IGN);
  said = run ("grep SigIgn /proc/self/status; grep SigBlk /proc/self/status", none);
  g_assert_cmpstr (said, ==, "SigIgn:\t0000000000000000\nSigBlk:\t0000000000000000\n");
  signal (SIGPIPE, SIG_DFL);
}

/* No child is left that would have to be waited for, once the main loop has heard of its end. */
static void
assert_childless (void)
{
  gint64 deadline = g_get_monotonic_time () + 30 * G_USEC_PER_SEC;
  siginfo_t info;

  while (waitid (P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0)
    {
      g_assert_cmpint (g_get_monotonic_time (), <, deadline);
      g_main_context_iteration (NULL, FALSE);
    }
  g_assert_cmpint (errno, ==, ECHILD);
}


static void
test_missing (void)
{
  const char *argv[] = { "/nonexistent/program", NULL };
  g_autoptr (GArray) none = g_array_new (FALSE, FALSE, sizeof (int));
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (launch (argv, none, STDOUT_FILENO, 0, &error), ==, 0);
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE);
  g_assert_nonnull (strstr (error->message, g_strerror (ENOENT)));
  assert_childless ();
}

/* (transfer full): what is left to read. */
static char *
read_rest (int fd)
{
  GString *text = g_string_new (NULL);
  char piece[256];
  gssize length;

  while ((length = read (fd, piece, sizeof piece)) > 0)
    g_string_append_len (text, piece, length);
  return g_string_free (text, FALSE);
}

static char *
make_folder (const char *root, const char *name)
{
  char *folder = g_build_filename (root, name, NULL);

  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  return folder;
}

/* The program finds the view under the folder's path, and what it writes is in the place alone. */
static void
test_overlay (void)
{
  g_autofree char *made = g_dir_make_tmp ("beckon-launch-XXXXXX", NULL);
  g_autofree char *root = g_canonicalize_filename (made, NULL);
  g_autofree char *folder = make_folder (root, "folder");
  g_autofree char *place = make_folder (root, "place");
  g_autofree char *upper = make_folder (place, "upper");
  g_autofree char *work = make_folder (place, "work");
  g_autofree char *there = g_build_filename (folder, "there", NULL);
  g_autofree char *written = g_build_filename (upper, "there", NULL);
  g_autofree char *script = g_strdup_printf ("cat '%s'; echo new > '%s'; cat '%s'", there, there, there);
  const char *argv[] = { "/bin/sh", "-c", script, NULL };
  g_autoptr (GArray) none = g_array_new (FALSE, FALSE, sizeof (int));
  BeckonLaunch start = { .argv = argv, .fds = none, .folder = folder, .place = place, .view = -1 };
  g_autoptr (GError) error = NULL;
  g_autofree char *said = NULL;
  g_autofree char *text = NULL;
  gboolean knows_all;
  int ends[2];
  int pid;

  g_assert_true (g_file_set_contents (there, "old\n", -1, NULL));
  if (!beckon_launch_try_overlay (folder, place, &knows_all))
    {
      g_test_skip ("no overlay can be had here");
      beckon_tree_remove (root);
      return;
    }

  g_assert_cmpint (pipe2 (ends, O_CLOEXEC), ==, 0);
  start.output = ends[1];
  pid = beckon_start_launch (&start, &error);
  g_assert_no_error (error);
  close (ends[1]);
  said = read_rest (ends[0]);
  close (ends[0]);
  g_assert_cmpint (waitpid (pid, NULL, 0), ==, pid);
  g_assert_cmpstr (said, ==, "old\nnew\n");
  g_assert_true (g_file_get_contents (there, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "old\n");
  g_clear_pointer (&text, g_free);
  g_assert_true (g_file_get_contents (written, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "new\n");
  beckon_tree_remove (root);
}

static gboolean
on_tick (gpointer user_data)
{
  guint *n_ticks = user_data;

  ++*n_ticks;
  return G_SOURCE_CONTINUE;
}

/* A helper that hangs, as in a file system that does not answer: the main loop goes on, and the start ends by itself. */
static void
test_stalled (void)
{
  const char *argv[] = { "/bin/true", NULL };
  const char *folders = g_getenv ("BECKON_LIBEXECDIR");
  g_autofree char *usual = g_strdup (folders);
  g_autofree char *folder = g_dir_make_tmp ("beckon-launch-XXXXXX", NULL);
  g_autofree char *helper = g_build_filename (folder, "beckon-confine", NULL);
  g_autoptr (GArray) none = g_array_new (FALSE, FALSE, sizeof (int));
  const BeckonLaunch start = { .argv = argv, .fds = none, .output = STDERR_FILENO, .patience_ms = 300 };
  g_autoptr (GError) error = NULL;
  guint n_ticks = 0;
  guint tick = g_timeout_add (5, on_tick, &n_ticks);

  g_assert_true (g_file_set_contents (helper, "#!/bin/sh\nexec sleep 1000\n", -1, NULL));
  g_assert_cmpint (g_chmod (helper, 0700), ==, 0);
  g_setenv ("BECKON_LIBEXECDIR", folder, TRUE);
  g_assert_cmpint (beckon_start_launch (&start, &error), ==, 0);
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE);
  g_assert_nonnull (strstr (error->message, g_strerror (ETIMEDOUT)));
  g_assert_cmpuint (n_ticks, >, 5);
  assert_childless ();

  g_source_remove (tick);
  if (usual != NULL)
    g_setenv ("BECKON_LIBEXECDIR", usual, TRUE);
  else
    g_unsetenv ("BECKON_LIBEXECDIR");
  beckon_tree_remove (folder);
}

/* A part of the program that is not there is named. */
static void
test_no_helper (void)
{
  const char *argv[] = { "/bin/true", NULL };
  const char *usual = g_getenv ("BECKON_LIBEXECDIR");
  g_autofree char *folders = g_strdup (usual);
  g_autoptr (GArray) none = g_array_new (FALSE, FALSE, sizeof (int));
  const BeckonLaunch start = { .argv = argv, .fds = none, .output = STDERR_FILENO };
  g_autoptr (GError) error = NULL;
  g_autofree char *installed = NULL;

  g_setenv ("BECKON_LIBEXECDIR", "/nowhere", TRUE);
  installed = beckon_helper_find ("beckon-confine");
  if (g_file_test (installed, G_FILE_TEST_EXISTS))
    g_test_skip ("Beckon is installed here");
  else
    {
      g_assert_cmpint (beckon_start_launch (&start, &error), ==, 0);
      g_assert_error (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE);
      g_assert_nonnull (strstr (error->message, "beckon-confine”, a part of Beckon, is missing"));
    }
  if (folders != NULL)
    g_setenv ("BECKON_LIBEXECDIR", folders, TRUE);
  else
    g_unsetenv ("BECKON_LIBEXECDIR");
}

/* Whether the process of a pidfd ends, whose parent may be anyone. */
static gboolean
wait_gone (int pidfd)
{
  struct pollfd fd = { .fd = pidfd, .events = POLLIN };

  return poll (&fd, 1, 10000) == 1;
}

/* The number that a program prints in its first line. */
static int
read_number (int output)
{
  char line[16] = "";

  for (guint i = 0; i + 1 < sizeof line && read (output, line + i, 1) == 1 && line[i] != '\n'; i++)
    continue;
  return atoi (line);
}

/* A group whose starter is gone ends, and with it the process that was named, which has left the group. */
static void
test_watched (void)
{
  for (guint names = 0; names < 2; names++)
    {
      const char *argv[] = { "/bin/sh", "-c", "setsid sleep 1000 & echo $!; exec sleep 1000", NULL };
      g_autoptr (GArray) none = g_array_new (FALSE, FALSE, sizeof (int));
      g_autoptr (GError) error = NULL;
      int output[2], watched[2];
      int status, pid, left, pidfd;

      g_assert_cmpint (pipe2 (watched, O_CLOEXEC) + pipe2 (output, O_CLOEXEC), ==, 0);
      pid = launch (argv, none, output[1], watched[0], &error);
      g_assert_no_error (error);
      close (watched[0]);
      close (output[1]);
      left = read_number (output[0]);
      pidfd = (int) syscall (SYS_pidfd_open, left, 0U);
      g_assert_cmpint (pidfd, >=, 0);
      /* A process of the same group would end for another reason. */
      for (guint i = 0; getsid (left) != left && i < 10000; i++)
        g_usleep (1000);
      g_assert_cmpint (getsid (left), ==, left);
      if (names)
        g_assert_cmpint (write (watched[1], &left, sizeof left), ==, sizeof left);
      close (watched[1]);
      g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
      g_assert_true (WIFSIGNALED (status) && WTERMSIG (status) == SIGKILL);
      if (!names)
        g_assert_cmpint (kill (left, SIGKILL), ==, 0);
      g_assert_true (wait_gone (pidfd));
      close (pidfd);
      close (output[0]);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/launch/surroundings", test_surroundings);
  g_test_add_func ("/launch/files", test_files);
  g_test_add_func ("/launch/watched", test_watched);
  g_test_add_func ("/launch/signals", test_signals);
  g_test_add_func ("/launch/missing", test_missing);
  g_test_add_func ("/launch/stalled", test_stalled);
  g_test_add_func ("/launch/no-helper", test_no_helper);
  g_test_add_func ("/launch/overlay", test_overlay);
  return g_test_run ();
}
