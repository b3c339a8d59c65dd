/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The /etc of commands: what is found there for them, and what is made for them. */

#define _GNU_SOURCE

#include "beckon-tree.h"
#include "sandbox/beckon-etc-links.h"
#include "sandbox/beckon-etc-lists.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define MUCH 60

typedef struct
{
  char *root;
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
write_secret (Fixture *fixture, const char *path)
{
  g_autofree char *whole = g_strconcat (fixture->root, path, NULL);

  write_file (fixture, path, "secret\n");
  g_assert_cmpint (g_chmod (whole, 0640), ==, 0);
}

static void
make_link (Fixture *fixture, const char *path, const char *target)
{
  g_autofree char *whole = g_strconcat (fixture->root, path, NULL);
  g_autofree char *folder = g_path_get_dirname (whole);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0755), ==, 0);
  g_assert_cmpint (symlink (target, whole), ==, 0);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autofree char *made = g_dir_make_tmp ("beckon-etc-XXXXXX", NULL);

  fixture->root = realpath (made, NULL);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  beckon_tree_remove (fixture->root);
  g_free (fixture->root);
}

static char *
join (GPtrArray *paths)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < paths->len; i++)
    g_string_append_printf (text, "%s\n", (const char *) g_ptr_array_index (paths, i));
  return g_string_free (text, FALSE);
}

static void
assert_found (Fixture *fixture, const char *links, const char *hidden)
{
  g_autoptr (GPtrArray) found = beckon_etc_find_links (fixture->root);
  g_autoptr (GPtrArray) not_for_all = beckon_etc_list_hidden (fixture->root, found);
  g_autofree char *found_text = join (found);
  g_autofree char *hidden_text = join (not_for_all);

  g_assert_cmpstr (found_text, ==, links);
  g_assert_cmpstr (hidden_text, ==, hidden);
}

/* Files that programs in /usr have in /etc, as far as everybody may read them. */
static void
test_linked (Fixture *fixture, gconstpointer data)
{
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;

  write_file (fixture, "/etc/java-9/security/policy", "policy\n");
  write_file (fixture, "/etc/maven/settings.xml", "settings\n");
  write_file (fixture, "/etc/tool/password", "secret\n");
  write_file (fixture, "/etc/other", "not linked\n");
  write_file (fixture, "/etc/shadow", "secret\n");
  write_file (fixture, "/etc/ssl/private/key", "secret\n");
  write_secret (fixture, "/etc/java-9/secret");
  write_secret (fixture, "/etc/maven/deep/secret");
  make_link (fixture, "/usr/lib/jvm/java-9/conf/a/b/policy", "/etc/java-9/security/policy");
  make_link (fixture, "/usr/lib/jvm/java-9/conf/secret", "/etc/java-9/secret");
  make_link (fixture, "/usr/share/maven/conf", "../../../etc/maven");
  make_link (fixture, "/usr/lib/ssl/private", "/etc/ssl/private");
  make_link (fixture, "/usr/lib/tool/shadow", "/etc/shadow");
  make_link (fixture, "/usr/share/all", "/etc");
  make_link (fixture, "/usr/share/away", "/etc/../root");
  assert_found (fixture, "/etc/java-9/security/policy\n/etc/maven\n", "/etc/maven/deep/secret\n");

  /* A package that is installed later. */
  before = beckon_etc_describe_link_folders (fixture->root);
  make_link (fixture, "/usr/share/tool/conf", "/etc/other");
  after = beckon_etc_describe_link_folders (fixture->root);
  g_assert_cmpstr (before, !=, after);
  assert_found (fixture, "/etc/java-9/security/policy\n/etc/maven\n/etc/other\n", "/etc/maven/deep/secret\n");
}

/* A folder that only some may enter is hidden whole, and so is one with too much to hide. */
static void
test_hidden (Fixture *fixture, gconstpointer data)
{
  g_autofree char *closed = g_strconcat (fixture->root, "/etc/one/closed", NULL);

  write_file (fixture, "/etc/one/closed/file", "secret\n");
  g_assert_cmpint (g_chmod (closed, 0750), ==, 0);
  for (guint i = 0; i < MUCH; i++)
    {
      g_autofree char *path = g_strdup_printf ("/etc/two/%u", i);

      write_secret (fixture, path);
    }
  make_link (fixture, "/usr/share/one/conf", "/etc/one");
  make_link (fixture, "/usr/share/two/conf", "/etc/two");
  assert_found (fixture, "/etc/one\n/etc/two\n", "/etc/one/closed\n/etc/two\n");
}

/* A user who is not listed is added, with a home that is there. */
static void
test_people (Fixture *fixture, gconstpointer data)
{
  g_autofree char *people
      = g_strdup_printf ("root:x:12345:0:root:/root:/bin/bash\nme:x:%u:7:Me,,,:/home/me:/bin/zsh\n", (guint) getuid ());
  g_autofree char *expected
      = g_strdup_printf ("root:x:12345:0:root:/root:/bin/bash\nme:x:%u:7:Me,,,:/tmp/home:/bin/zsh\n", (guint) getuid ());
  g_autofree char *added = g_strdup_printf ("people\nuser:x:%u:%u::/tmp/home:/bin/sh\n", (guint) getuid (), (guint) getgid ());
  g_autofree char *listed = NULL;
  g_autofree char *not_listed = NULL;

  write_file (fixture, "/etc/passwd", people);
  listed = beckon_etc_read_people (fixture->root);
  g_assert_cmpstr (listed, ==, expected);
  write_file (fixture, "/etc/passwd", "people\n");
  not_listed = beckon_etc_read_people (fixture->root);
  g_assert_cmpstr (not_listed, ==, added);
}

static void
test_libraries (Fixture *fixture, gconstpointer data)
{
  g_autofree char *text = NULL;

  write_file (fixture, "/etc/ld.so.conf", "# note\ninclude ld.so.conf.d/*.conf\n/opt/one\n");
  write_file (fixture, "/etc/ld.so.conf.d/two.conf", "/opt/two\n");
  text = beckon_etc_read_libraries (fixture->root);
  g_assert_cmpstr (text, ==, "/opt/one\n/opt/two\n");
}

/* Most systems keep nothing for terminals there. */
static void
test_folders (Fixture *fixture, gconstpointer data)
{
  g_autofree char *terminals = g_strconcat (fixture->root, "/etc/terminfo", NULL);
  g_autofree char *fonts = g_strconcat (fixture->root, "/etc/fonts", NULL);

  write_file (fixture, "/etc/terminfo/README", "note\n");
  write_file (fixture, "/etc/fonts/README", "note\n");
  g_assert_false (beckon_etc_shows_folder (terminals));
  g_assert_true (beckon_etc_shows_folder (fonts));
  write_file (fixture, "/etc/terminfo/x/xterm", "terminal\n");
  g_assert_true (beckon_etc_shows_folder (terminals));
}

/* A link into /usr leads there in the sandbox as well; another one's target is copied. */
static void
test_resolved (void)
{
  g_autofree char *to_system = beckon_etc_resolve_link ("/etc/os-release", "../usr/lib/os-release");
  g_autofree char *elsewhere = beckon_etc_resolve_link ("/etc/timezone", "../run/zone");

  g_assert_cmpstr (to_system, ==, "../usr/lib/os-release");
  g_assert_null (elsewhere);
}

#define ADD(path, function) g_test_add (path, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("/etc/linked", test_linked);
  ADD ("/etc/hidden", test_hidden);
  ADD ("/etc/people", test_people);
  ADD ("/etc/libraries", test_libraries);
  ADD ("/etc/folders", test_folders);
  g_test_add_func ("/etc/resolved", test_resolved);
  return g_test_run ();
}
