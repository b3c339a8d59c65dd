/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What commands see of /etc as one folder: what is in it, when it is made anew, and who may make it. */

#define _GNU_SOURCE

#include "base/beckon-error.h"
#include "beckon-tree.h"
#include "sandbox/beckon-etc-copy.h"
#include "sandbox/beckon-etc-links.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <limits.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#define NOBODY 65534
#define N_AT_ONCE 6
#define N_LINKS 400

typedef struct
{
  char *folder;
  char *root;
  char *place;
} Fixture;

static void
write_file (Fixture *fixture, const char *path, const char *text)
{
  g_autofree char *whole = g_strconcat (fixture->root, path, NULL);
  g_autofree char *folder = g_path_get_dirname (whole);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0755), ==, 0);
  g_assert_true (g_file_set_contents (whole, text, -1, NULL));
}

static void
make_link (Fixture *fixture, const char *path, const char *target)
{
  g_autofree char *whole = g_strconcat (fixture->root, path, NULL);
  g_autofree char *folder = g_path_get_dirname (whole);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0755), ==, 0);
  g_unlink (whole);
  g_assert_cmpint (symlink (target, whole), ==, 0);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autofree char *made = g_dir_make_tmp ("beckon-etc-XXXXXX", NULL);

  fixture->folder = realpath (made, NULL);
  fixture->root = g_build_filename (fixture->folder, "root", NULL);
  fixture->place = g_build_filename (fixture->folder, "place", NULL);
  write_file (fixture, "/etc/passwd", "people\n");
  write_file (fixture, "/etc/shadow", "secret\n");
  write_file (fixture, "/etc/ld.so.conf", "# note\ninclude ld.so.conf.d/*.conf\n/opt/one\n");
  write_file (fixture, "/etc/ld.so.conf.d/two.conf", "/opt/two\n");
  write_file (fixture, "/etc/fonts/fonts.conf", "fonts\n");
  write_file (fixture, "/etc/fonts/conf.d/README", "note\n");
  write_file (fixture, "/etc/terminfo/README", "note\n");
  write_file (fixture, "/etc/hosts", "hosts\n");
  write_file (fixture, "/etc/ssl/openssl.cnf", "ssl\n");
  write_file (fixture, "/etc/ssl/private/key", "secret\n");
  write_file (fixture, "/etc/ssl/certs/one", "certificate\n");
  write_file (fixture, "/run/zone", "zone\n");
  make_link (fixture, "/etc/alternatives/awk", "/usr/bin/mawk");
  make_link (fixture, "/etc/os-release", "../usr/lib/os-release");
  make_link (fixture, "/etc/timezone", "../run/zone");
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  beckon_tree_remove (fixture->folder);
  g_free (fixture->folder);
  g_free (fixture->root);
  g_free (fixture->place);
}

static BeckonEtcCopy *
make_copy (const char *root, const char *place, gboolean network, GError **error)
{
  g_autoptr (GPtrArray) links = beckon_etc_find_links (root);

  return beckon_etc_copy_make (root, place, network, links, error);
}

static BeckonEtcCopy *
make (Fixture *fixture, gboolean network)
{
  g_autoptr (GError) error = NULL;
  BeckonEtcCopy *copy = make_copy (fixture->root, fixture->place, network, &error);

  g_assert_no_error (error);
  g_assert_nonnull (copy);
  return copy;
}

static void
assert_says (BeckonEtcCopy *copy, const char *name, const char *expected)
{
  g_autofree char *path = g_build_filename (beckon_etc_copy_get_path (copy), name, NULL);
  g_autofree char *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, expected);
}

/* Who is not listed is added, with a home that is there. */
static void
assert_people (BeckonEtcCopy *copy, const char *listed)
{
  g_autofree char *expected = g_strdup_printf ("%suser:x:%u:%u::/tmp/home:/bin/sh\n", listed, (guint) getuid (), (guint) getgid ());

  assert_says (copy, "passwd", expected);
}

static void
assert_leads (BeckonEtcCopy *copy, const char *name, const char *expected)
{
  g_autofree char *path = g_build_filename (beckon_etc_copy_get_path (copy), name, NULL);
  g_autofree char *target = g_file_read_link (path, NULL);

  g_assert_cmpstr (target, ==, expected);
}

static gboolean
has (BeckonEtcCopy *copy, const char *name)
{
  g_autofree char *path = g_build_filename (beckon_etc_copy_get_path (copy), name, NULL);
  struct stat info;

  return lstat (path, &info) == 0;
}

/* What programs in /usr have in /etc, as far as everybody may read it. */
static void
test_linked (Fixture *fixture, gconstpointer data)
{
  static const char *const paths[] = { "/etc/java/x.cfg", "/etc/java-9/secret", "/etc/maven/secret" };
  g_autoptr (BeckonEtcCopy) copy = NULL;
  g_autoptr (BeckonEtcCopy) next = NULL;

  write_file (fixture, "/etc/java-9/security/policy", "policy\n");
  write_file (fixture, "/etc/maven/settings.xml", "settings\n");
  write_file (fixture, "/etc/tool/password", "secret\n");
  write_file (fixture, "/etc/other", "not linked\n");
  for (guint i = 1; i < G_N_ELEMENTS (paths); i++)
    {
      g_autofree char *whole = g_strconcat (fixture->root, paths[i], NULL);

      write_file (fixture, paths[i], "secret\n");
      g_assert_cmpint (g_chmod (whole, 0640), ==, 0);
    }
  make_link (fixture, "/usr/lib/jvm/java-9/conf/a/b/policy", "/etc/java-9/security/policy");
  make_link (fixture, "/usr/lib/jvm/java-9/conf/secret", "/etc/java-9/secret");
  make_link (fixture, "/usr/share/maven/conf", "../../../etc/maven");
  make_link (fixture, "/usr/lib/ssl/private", "/etc/ssl/private");
  make_link (fixture, "/usr/lib/tool/shadow", "/etc/shadow");
  make_link (fixture, "/usr/share/all", "/etc");
  make_link (fixture, "/usr/share/away", "/etc/../root");
  copy = make (fixture, FALSE);
  assert_says (copy, "java-9/security/policy", "policy\n");
  assert_says (copy, "maven/settings.xml", "settings\n");
  g_assert_false (has (copy, "java-9/secret"));
  g_assert_false (has (copy, "maven/secret"));
  g_assert_false (has (copy, "ssl/private"));
  g_assert_false (has (copy, "shadow"));
  g_assert_false (has (copy, "other"));
  g_assert_false (has (copy, "tool"));

  /* A package that is installed later. */
  g_assert_true (beckon_etc_copy_is_current (copy));
  make_link (fixture, "/usr/share/tool/conf", "/etc/other");
  g_assert_false (beckon_etc_copy_is_current (copy));
  next = make (fixture, FALSE);
  assert_says (next, "other", "not linked\n");
}

static void
test_people (Fixture *fixture, gconstpointer data)
{
  g_autofree char *people = g_strdup_printf ("root:x:12345:0:root:/root:/bin/bash\nme:x:%u:7:Me,,,:/home/me:/bin/zsh\n", (guint) getuid ());
  g_autofree char *expected
      = g_strdup_printf ("root:x:12345:0:root:/root:/bin/bash\nme:x:%u:7:Me,,,:/tmp/home:/bin/zsh\n", (guint) getuid ());
  g_autoptr (BeckonEtcCopy) copy = NULL;

  write_file (fixture, "/etc/passwd", people);
  copy = make (fixture, FALSE);
  assert_says (copy, "passwd", expected);
}

static void
test_contents (Fixture *fixture, gconstpointer data)
{
  g_autofree char *queue = g_strconcat (fixture->root, "/etc/fonts/queue", NULL);
  g_autoptr (BeckonEtcCopy) copy = NULL;
  g_autoptr (BeckonEtcCopy) for_network = NULL;

  g_assert_cmpint (mkfifo (queue, 0600), ==, 0);
  copy = make (fixture, FALSE);
  assert_people (copy, "people\n");
  assert_says (copy, "ssl/openssl.cnf", "ssl\n");
  assert_says (copy, "fonts/fonts.conf", "fonts\n");
  assert_says (copy, "fonts/conf.d/README", "note\n");
  assert_says (copy, "ld.so.conf", "/opt/one\n/opt/two\n");
  assert_says (copy, "timezone", "zone\n");
  assert_leads (copy, "alternatives/awk", "/usr/bin/mawk");
  assert_leads (copy, "os-release", "../usr/lib/os-release");
  g_assert_false (has (copy, "shadow"));
  g_assert_false (has (copy, "ssl/private"));
  g_assert_false (has (copy, "ssl/certs"));
  assert_says (copy, "hosts", "127.0.0.1 localhost sandbox\n::1 localhost ip6-localhost ip6-loopback\n");
  g_assert_false (has (copy, "terminfo"));
  g_assert_false (has (copy, "ld.so.conf.d"));
  g_assert_false (has (copy, "fonts/queue"));
  g_assert_false (has (copy, "group"));

  /* Of the network there are places alone. */
  for_network = make (fixture, TRUE);
  g_assert_cmpstr (beckon_etc_copy_get_path (for_network), !=, beckon_etc_copy_get_path (copy));
  assert_says (for_network, "hosts", "");
  g_assert_true (has (for_network, "ssl/certs"));
  g_assert_false (has (for_network, "ssl/certs/one"));
  g_assert_false (has (for_network, "resolv.conf"));
  assert_people (for_network, "people\n");
}

static BeckonEtcCopy *
assert_changed (Fixture *fixture, BeckonEtcCopy *copy)
{
  g_autofree char *path = g_strdup (beckon_etc_copy_get_path (copy));
  BeckonEtcCopy *next;

  g_assert_false (beckon_etc_copy_is_current (copy));
  beckon_etc_copy_free (copy);
  next = make (fixture, TRUE);
  g_assert_true (beckon_etc_copy_is_current (next));
  g_assert_cmpstr (beckon_etc_copy_get_path (next), !=, path);
  return next;
}

static void
test_changes (Fixture *fixture, gconstpointer data)
{
  g_autofree char *fonts = g_strconcat (fixture->root, "/etc/fonts/fonts.conf", NULL);
  g_autoptr (BeckonEtcCopy) copy = make (fixture, TRUE);
  FILE *file;

  g_assert_true (beckon_etc_copy_is_current (copy));
  write_file (fixture, "/etc/passwd", "peopl2\n");
  copy = assert_changed (fixture, copy);
  assert_people (copy, "peopl2\n");

  make_link (fixture, "/etc/alternatives/awk", "/usr/bin/gawk");
  copy = assert_changed (fixture, copy);
  assert_leads (copy, "alternatives/awk", "/usr/bin/gawk");

  /* In its place, and as long as it was. */
  file = fopen (fonts, "r+");
  g_assert_cmpuint (fwrite ("FONTS", 1, 5, file), ==, 5);
  g_assert_cmpint (fclose (file), ==, 0);
  copy = assert_changed (fixture, copy);
  assert_says (copy, "fonts/fonts.conf", "FONTS\n");

  write_file (fixture, "/etc/group", "groups\n");
  copy = assert_changed (fixture, copy);
  assert_says (copy, "group", "groups\n");
  write_file (fixture, "/etc/ld.so.conf.d/two.conf", "/opt/three\n");
  copy = assert_changed (fixture, copy);
  assert_says (copy, "ld.so.conf", "/opt/one\n/opt/three\n");
  write_file (fixture, "/run/zone", "other\n");
  copy = assert_changed (fixture, copy);
  assert_says (copy, "timezone", "other\n");
  write_file (fixture, "/etc/java/java.conf", "java\n");
  copy = assert_changed (fixture, copy);
  write_file (fixture, "/etc/resolv.conf", "server\n");
  copy = assert_changed (fixture, copy);
  assert_says (copy, "resolv.conf", "");

  /* What it says is shown as it is, copied or not. */
  write_file (fixture, "/etc/resolv.conf", "another\n");
  write_file (fixture, "/etc/shadow", "another\n");
  g_assert_true (beckon_etc_copy_is_current (copy));
}

/* One that is used stays, whatever is made beside it; one that nobody uses goes, and so does what was never finished. */
static void
test_shared (Fixture *fixture, gconstpointer data)
{
  g_autofree char *unfinished = g_build_filename (fixture->place, "new", "fonts", "conf.d", NULL);
  BeckonEtcCopy *first = make (fixture, FALSE);
  BeckonEtcCopy *second = make (fixture, FALSE);
  BeckonEtcCopy *third;

  g_assert_cmpstr (beckon_etc_copy_get_path (first), ==, beckon_etc_copy_get_path (second));
  g_assert_cmpuint (beckon_tree_count (fixture->place), ==, 1);
  beckon_etc_copy_free (first);
  write_file (fixture, "/etc/group", "groups\n");
  g_assert_cmpint (g_mkdir_with_parents (unfinished, 0700), ==, 0);
  third = make (fixture, FALSE);
  g_assert_cmpuint (beckon_tree_count (fixture->place), ==, 2);
  assert_people (second, "people\n");
  beckon_etc_copy_free (second);

  write_file (fixture, "/etc/group", "more groups\n");
  first = make (fixture, FALSE);
  g_assert_cmpuint (beckon_tree_count (fixture->place), ==, 2);
  assert_says (third, "group", "groups\n");
  beckon_etc_copy_free (third);
  beckon_etc_copy_free (first);
}

/* Whoever tidied up did not know. */
static void
test_gone (Fixture *fixture, gconstpointer data)
{
  g_autofree char *elsewhere = g_build_filename (fixture->folder, "elsewhere", NULL);
  g_autoptr (BeckonEtcCopy) copy = make (fixture, FALSE);
  g_autoptr (BeckonEtcCopy) next = NULL;

  g_assert_cmpint (g_rename (fixture->place, elsewhere), ==, 0);
  g_assert_false (beckon_etc_copy_is_current (copy));
  next = make (fixture, FALSE);
  g_assert_true (beckon_etc_copy_is_current (next));
}

static void
assert_refused (Fixture *fixture, const char *place)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (make_copy (fixture->root, place, FALSE, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE);
}

static void
test_refused (Fixture *fixture, gconstpointer data)
{
  g_autofree char *in_file = g_build_filename (fixture->root, "etc", "passwd", "place", NULL);
  g_autofree char *nowhere = g_build_filename (fixture->folder, "none", "place", NULL);
  g_autofree char *link = g_build_filename (fixture->folder, "link", NULL);
  g_autofree char *behind_link = g_build_filename (link, "place", NULL);

  assert_refused (fixture, in_file);
  assert_refused (fixture, nowhere);
  g_assert_cmpint (symlink (fixture->root, link), ==, 0);
  assert_refused (fixture, link);
  assert_refused (fixture, behind_link);

  /* Where others can write, they can put another one in its place; where they can read, it was not made by us. */
  g_assert_cmpint (g_chmod (fixture->folder, 0770), ==, 0);
  assert_refused (fixture, fixture->place);
  g_assert_cmpint (g_chmod (fixture->folder, 0700), ==, 0);
  g_assert_cmpint (g_mkdir (fixture->place, 0700), ==, 0);
  g_assert_cmpint (g_chmod (fixture->place, 0755), ==, 0);
  assert_refused (fixture, fixture->place);
  if (geteuid () == 0)
    {
      g_assert_cmpint (g_chmod (fixture->place, 0700), ==, 0);
      g_assert_cmpint (chown (fixture->place, NOBODY, NOBODY), ==, 0);
      assert_refused (fixture, fixture->place);
    }
  g_assert_cmpuint (beckon_tree_count (fixture->place), ==, 0);
}

/* Nothing half is left of what is too much. */
static void
test_much (Fixture *fixture, gconstpointer data)
{
  g_autofree char *long_text = g_strnfill (33 * 1024 * 1024, 'x');
  g_autoptr (GError) error = NULL;

  write_file (fixture, "/etc/magic", long_text);
  assert_refused (fixture, fixture->place);
  g_assert_cmpuint (beckon_tree_count (fixture->place), ==, 0);
  write_file (fixture, "/etc/magic", "");
  for (guint i = 0; i < 600; i++)
    {
      g_autofree char *path = g_strdup_printf ("/etc/java/%u", i);

      write_file (fixture, path, "");
    }
  g_assert_null (make_copy (fixture->root, fixture->place, FALSE, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_TOO_LARGE);
}

/* A process of its own: says where the copy is, and holds it until its input ends. */
static int
make_and_hold (const char *root, const char *place)
{
  g_autoptr (BeckonEtcCopy) copy = NULL;
  char end;

  while (copy == NULL)
    {
      g_autoptr (GError) error = NULL;

      copy = make_copy (root, place, FALSE, &error);
      if (copy == NULL && !g_error_matches (error, BECKON_ERROR, BECKON_ERROR_CONFLICT))
        g_error ("%s", error->message);
    }
  g_print ("%s\n", beckon_etc_copy_get_path (copy));
  return read (STDIN_FILENO, &end, 1) == 0 ? 0 : 1;
}

static void
test_at_once (Fixture *fixture, gconstpointer data)
{
  const char *argv[] = { "/proc/self/exe", "--make", fixture->root, fixture->place, NULL };
  g_autoptr (GPtrArray) processes = g_ptr_array_new_with_free_func (g_object_unref);
  g_autofree char *path = NULL;

  for (guint i = 0; i < N_AT_ONCE; i++)
    g_ptr_array_add (processes, g_subprocess_newv (argv, G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE, NULL));
  for (guint i = 0; i < N_AT_ONCE; i++)
    {
      GSubprocess *process = g_ptr_array_index (processes, i);
      g_autoptr (GDataInputStream) lines = g_data_input_stream_new (g_subprocess_get_stdout_pipe (process));
      g_autofree char *line = g_data_input_stream_read_line (lines, NULL, NULL, NULL);

      g_assert_nonnull (line);
      if (path == NULL)
        path = g_strdup (line);
      g_assert_cmpstr (line, ==, path);
    }
  g_assert_cmpuint (beckon_tree_count (fixture->place), ==, 1);
  for (guint i = 0; i < N_AT_ONCE; i++)
    {
      GSubprocess *process = g_ptr_array_index (processes, i);

      g_assert_true (g_output_stream_close (g_subprocess_get_stdin_pipe (process), NULL, NULL));
      g_assert_true (g_subprocess_wait_check (process, NULL, NULL));
    }
}

/* Who ends while taking away what nobody uses leaves nothing behind that looks whole. */
static void
test_killed (Fixture *fixture, gconstpointer data)
{
  const char *argv[] = { "/proc/self/exe", "--make", fixture->root, fixture->place, NULL };
  g_autoptr (BeckonEtcCopy) copy = NULL;
  g_autoptr (GSubprocess) process = NULL;
  g_autofree char *folder = NULL;
  char event[sizeof (struct inotify_event) + NAME_MAX + 1];
  int watch = inotify_init1 (IN_CLOEXEC);

  for (guint i = 0; i < N_LINKS; i++)
    {
      g_autofree char *path = g_strdup_printf ("/etc/alternatives/%u", i);

      make_link (fixture, path, "/usr/bin/env");
    }
  copy = make (fixture, TRUE);
  folder = g_build_filename (beckon_etc_copy_get_path (copy), "alternatives", NULL);
  g_assert_cmpuint (beckon_tree_count (folder), ==, N_LINKS + 1);
  g_assert_cmpint (inotify_add_watch (watch, folder, IN_DELETE), >=, 0);
  g_clear_pointer (&copy, beckon_etc_copy_free);

  process = g_subprocess_newv (argv, G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_SILENCE, NULL);
  g_assert_cmpint (read (watch, event, sizeof event), >, 0);
  g_subprocess_force_exit (process);
  g_assert_true (g_subprocess_wait (process, NULL, NULL));
  copy = make (fixture, TRUE);
  g_assert_cmpuint (beckon_tree_count (folder), ==, N_LINKS + 1);
  close (watch);
}

#define ADD(path, function) g_test_add (path, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char *argv[])
{
  if (argc == 4 && g_str_equal (argv[1], "--make"))
    return make_and_hold (argv[2], argv[3]);

  g_test_init (&argc, &argv, NULL);
  ADD ("/etc-copy/contents", test_contents);
  ADD ("/etc-copy/linked", test_linked);
  ADD ("/etc-copy/people", test_people);
  ADD ("/etc-copy/changes", test_changes);
  ADD ("/etc-copy/shared", test_shared);
  ADD ("/etc-copy/gone", test_gone);
  ADD ("/etc-copy/refused", test_refused);
  ADD ("/etc-copy/much", test_much);
  ADD ("/etc-copy/at-once", test_at_once);
  ADD ("/etc-copy/killed", test_killed);
  return g_test_run ();
}
