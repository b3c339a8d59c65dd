/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Tools that change files: real files, a real store, and what is done about each change afterwards. */
#include "base/beckon-error.h"
#include "tool-runner.h"
#include "tools/beckon-change-tool.h"
#include "tools/beckon-undo.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

static void
assert_holds (ToolRunner *runner, const char *name, const char *expected)
{
  g_autofree char *contents = tool_runner_read (runner, name);

  g_assert_cmpstr (contents, ==, expected);
}

/* @words: of what the model is told. */
static void
expect_refused (ToolRunner *runner, const char *tool, const char *arguments, BeckonChangeError code, const char *words)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *result = tool_runner_run (runner, tool, arguments, NULL, &error);

  g_assert_null (result);
  g_assert_error (error, BECKON_CHANGE_ERROR, (int) code);
  g_assert_nonnull (strstr (error->message, words));
}

static gboolean
undo (ToolRunner *runner, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  beckon_undo_async (BECKON_FILE_COPIES (runner->store), beckon_conversation_get_id (runner->turn->conversation), runner->call, "window", NULL,
                     tool_runner_keep, &result);
  return beckon_undo_finish (BECKON_FILE_COPIES (runner->store), tool_runner_wait (&result), error);
}

static gboolean
redo (ToolRunner *runner, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  beckon_redo_async (BECKON_FILE_COPIES (runner->store), beckon_conversation_get_id (runner->turn->conversation), runner->call,
                     "window", NULL, tool_runner_keep, &result);
  return beckon_redo_finish (BECKON_FILE_COPIES (runner->store), tool_runner_wait (&result), error);
}

/* As the next start reads it. */
static BeckonCallChange
load_change (ToolRunner *runner)
{
  g_autoptr (GPtrArray) messages
      = beckon_store_fixture_load (runner->store, beckon_conversation_get_id (runner->turn->conversation));
  BeckonMessage *last = g_ptr_array_index (messages, messages->len - 1);
  BeckonPart *part = beckon_message_get_part (last, beckon_message_get_n_parts (last) - 1);

  g_assert_cmpstr (beckon_tool_call_get_id (beckon_part_get_call (part)), ==, beckon_tool_call_get_id (runner->call));
  return beckon_tool_call_get_change (beckon_part_get_call (part));
}

static void
test_write (ToolRunner *runner, gconstpointer data)
{
  tool_runner_expect (runner, "write_file", "{'path':'new/deep/a.txt','content':'one\\ntwo\\n'}", "was made, with 8 bytes",
                      NULL);
  assert_holds (runner, "new/deep/a.txt", "one\ntwo\n");
  g_assert_cmpint (beckon_tool_call_get_change (runner->call), ==, BECKON_CALL_CHANGE_KEPT);
  tool_runner_expect (runner, "write_file", "{'path':'new/deep/a.txt','content':'one\\n2\\n'}",
                      "1 line removed, 1 added", "--- a/new/deep/a.txt\n+++ b/new/deep/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n",
                      NULL);
  assert_holds (runner, "new/deep/a.txt", "one\n2\n");
  g_assert_cmpint (load_change (runner), ==, BECKON_CALL_CHANGE_KEPT);
  expect_refused (runner, "write_file", "{'path':'new/deep/a.txt','content':'one\\n2\\n'}", BECKON_CHANGE_ERROR_SAME,
                  "nothing was changed");
  g_assert_cmpint (load_change (runner), ==, BECKON_CALL_CHANGE_NONE);
}

/* The folder's own name before a path is a slip, unless it is there or meant. */
static void
test_own_name (ToolRunner *runner, gconstpointer data)
{
  g_autofree char *name = g_path_get_basename (runner->folder);
  g_autofree char *slip = g_strdup_printf ("{'path':'%s/docs/a.txt','content':'a'}", name);
  g_autofree char *meant = g_strdup_printf ("{'path':'./%s/docs/a.txt','content':'a'}", name);
  g_autofree char *made = g_build_filename (name, "docs/a.txt", NULL);

  tool_runner_expect_error (runner, "write_file", slip, BECKON_ERROR_INVALID, "Did you mean “docs/a.txt”?");
  assert_holds (runner, made, NULL);
  tool_runner_expect (runner, "write_file", meant, "was made", NULL);
  assert_holds (runner, made, "a");
  expect_refused (runner, "write_file", slip, BECKON_CHANGE_ERROR_SAME, "holds exactly that already");
}

/* A line that stands for what a model left out is not written in its place. */
static void
test_placeholder (ToolRunner *runner, gconstpointer data)
{
  static const char *const left_out[] = { "// ... existing code ...", "# ... rest unchanged ...", "/* ... */", "// ...",
                                          "  // rest of the code remains the same", "[... rest of the file ...]",
                                          "<!-- … existing content … -->", "{/* ... other items ... */}" };
  static const char *const meant[] = { "# ...and then it ends", "...", "# the rest", "// here", "wait ...", "/* a */" };

  for (gsize i = 0; i < G_N_ELEMENTS (left_out) + G_N_ELEMENTS (meant); i++)
    {
      gboolean is_meant = i >= G_N_ELEMENTS (left_out);
      g_autofree char *content = g_strdup_printf ("{'path':'a.c','content':'one\\n%s\\n'}",
                                                  is_meant ? meant[i - G_N_ELEMENTS (left_out)] : left_out[i]);

      tool_runner_write (runner, "a.c", "one\ntwo\nthree\n");
      if (is_meant)
        tool_runner_expect (runner, "write_file", content, "was changed", NULL);
      else
        expect_refused (runner, "write_file", content, BECKON_CHANGE_ERROR_PLACEHOLDER, "would be lost");
    }
  expect_refused (runner, "edit_file", "{'path':'a.c','old_text':'one\\n/* a */','new_text':'// ...'}",
                  BECKON_CHANGE_ERROR_PLACEHOLDER, "put it in with a call that takes no lines away");
  tool_runner_expect (runner, "edit_file", "{'path':'a.c','old_text':'one\\n','new_text':'one\\n// ...\\n'}", "was changed", NULL);
  tool_runner_write (runner, "a.c", "one\n// ...\nthree\nfour\n");
  tool_runner_expect (runner, "write_file", "{'path':'a.c','content':'one\\n// ...\\n'}", "was changed", NULL);
}

static void
test_write_mode (ToolRunner *runner, gconstpointer data)
{
  g_autofree char *path = g_build_filename (runner->folder, "run.sh", NULL);
  struct stat info;

  tool_runner_write (runner, "run.sh", "#!/bin/sh\n");
  g_assert_cmpint (g_chmod (path, 0750), ==, 0);
  tool_runner_expect (runner, "edit_file", "{'path':'run.sh','old_text':'/sh','new_text':'/bash'}", "#!/bin/bash", NULL);
  g_assert_cmpint (g_stat (path, &info), ==, 0);
  g_assert_cmpint (info.st_mode & 0777, ==, 0750);
}

/* Faults F93: no link, no device, nothing outside; and nothing is made on the way there. */
static void
test_write_refused (ToolRunner *runner, gconstpointer data)
{
  g_autofree char *outside = g_build_filename (runner->root, "outside", NULL);
  g_autofree char *link = g_build_filename (runner->folder, "link", NULL);
  g_autofree char *up = g_build_filename (runner->folder, "up", NULL);
  g_autofree char *fifo = g_build_filename (runner->folder, "fifo", NULL);
  g_autofree char *made = g_build_filename (runner->root, "made", NULL);
  g_autofree char *contents = NULL;

  g_assert_true (g_file_set_contents (outside, "mine", -1, NULL));
  g_assert_cmpint (symlink (outside, link), ==, 0);
  g_assert_cmpint (symlink ("..", up), ==, 0);
  g_assert_cmpint (mkfifo (fifo, 0600), ==, 0);
  tool_runner_expect_error (runner, "write_file", "{'path':'link','content':'x'}", BECKON_ERROR_INVALID, "leads out");
  tool_runner_expect_error (runner, "write_file", "{'path':'up/made','content':'x'}", BECKON_ERROR_INVALID, "leads out");
  tool_runner_expect_error (runner, "write_file", "{'path':'../made','content':'x'}", BECKON_ERROR_INVALID, "outside");
  tool_runner_expect_error (runner, "write_file", "{'path':'fifo','content':'x'}", BECKON_ERROR_INVALID, "regular");
  tool_runner_expect_error (runner, "edit_file", "{'path':'link','old_text':'m','new_text':'x'}", BECKON_ERROR_INVALID,
                            "leads out");
  g_assert_true (g_file_get_contents (outside, &contents, NULL, NULL));
  g_assert_cmpstr (contents, ==, "mine");
  g_assert_false (g_file_test (made, G_FILE_TEST_EXISTS));
}

/* Faults F94: what policy and card get is where the link leads. */
static void
test_link_resolved (ToolRunner *runner, gconstpointer data)
{
  g_autofree char *link = g_build_filename (runner->folder, "notes.txt", NULL);
  g_auto (BeckonEffects) effects = { 0 };

  g_assert_cmpint (symlink ("/etc/profile", link), ==, 0);
  tool_runner_get_effects (runner, "write_file", "{'path':'notes.txt','content':'x'}", &effects);
  g_assert_false (effects.read_only);
  g_assert_true (effects.leaves_folder);
  g_assert_cmpstr (effects.paths[0], ==, "/etc/profile");
}

/* Faults F95: what a command cannot write, a tool that may write unasked within the folder asks for. */
static void
test_feeds_others (ToolRunner *runner, gconstpointer data)
{
  static const struct
  {
    const char *path;
    gboolean feeds_others;
  } cases[] = {
    { ".git/hooks/pre-commit", TRUE }, { ".envrc", TRUE },   { "part/.vscode/tasks.json", TRUE }, { ".GIT/config", TRUE },
    { "away/config", TRUE },           { ".gitignore", FALSE }, { "git/hooks/x", FALSE },          { ".env", FALSE },
    { ".husky/pre-commit", TRUE },     { "scripts/pre-commit", TRUE }, { "shared.envrc", TRUE },   { "scripts.txt", FALSE },
  };
  g_autofree char *git = g_build_filename (runner->folder, ".git", NULL);
  g_autofree char *link = g_build_filename (runner->folder, "away", NULL);
  g_autofree char *husky = g_build_filename (runner->folder, ".husky", NULL);
  g_autofree char *envrc = g_build_filename (runner->folder, ".envrc", NULL);

  g_assert_cmpint (g_mkdir (git, 0700), ==, 0);
  g_assert_cmpint (symlink (".git", link), ==, 0);
  g_assert_cmpint (symlink ("scripts", husky), ==, 0);
  g_assert_cmpint (symlink ("shared.envrc", envrc), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *arguments = g_strdup_printf ("{'path':'%s','content':'x'}", cases[i].path);
      g_auto (BeckonEffects) effects = { 0 };

      g_test_message ("%s", cases[i].path);
      tool_runner_get_effects (runner, "write_file", arguments, &effects);
      g_assert_cmpint (effects.feeds_others, ==, cases[i].feeds_others);
      g_assert_cmpint (effects.runner != NULL, ==, cases[i].feeds_others);
      if (g_str_equal (cases[i].path, ".git/hooks/pre-commit"))
        g_assert_cmpstr (effects.runner, ==, "Git runs it");
    }
}

/* Installing a package runs some of its scripts, whichever tool wrote them. */
static void
test_install_scripts (ToolRunner *runner, gconstpointer data)
{
  static const struct
  {
    const char *tool;
    const char *arguments;
    gboolean feeds_others;
  } cases[] = {
    { "write_file", "{'path':'package.json','content':'{\\\"scripts\\\":{\\\"test\\\":\\\"x\\\",\\\"prepare\\\":\\\"old\\\"}}'}",
      FALSE },
    { "write_file", "{'path':'package.json','content':'{\\\"scripts\\\":{\\\"prepare\\\":\\\"new\\\"}}'}", TRUE },
    { "write_file", "{'path':'package.json','content':'no JSON'}", TRUE },
    { "edit_file", "{'path':'package.json','old_text':'test','new_text':'postinstall'}", TRUE },
    { "edit_file", "{'path':'package.json','old_text':'make','new_text':'ninja'}", FALSE },
    { "edit_file", "{'path':'package.json','old_text':'is not there','new_text':'x'}", TRUE },
    { "edit_file", "{'path':'linked','old_text':'test','new_text':'postinstall'}", TRUE },
    { "write_file", "{'path':'sub/package.json','content':'{\\\"scripts\\\":{\\\"postinstall\\\":\\\"x\\\"}}'}", TRUE },
    { "write_file", "{'path':'sub/package.json','content':'{\\\"scripts\\\":{\\\"build\\\":\\\"x\\\"}}'}", FALSE },
    { "write_file", "{'path':'pj.json','content':'{}'}", TRUE },
    { "write_file", "{'path':'scripts/p.js','content':'x'}", TRUE },
    { "write_file", "{'path':'scripts/q.js','content':'x'}", FALSE },
    { "edit_file", "{'path':'called/package.json','old_text':'make','new_text':'ninja'}", TRUE },
    { "write_file", "{'path':'node_modules/a/package.json','content':'{\\\"scripts\\\":{\\\"postinstall\\\":\\\"x\\\"}}'}",
      FALSE },
  };
  g_autofree char *link = g_build_filename (runner->folder, "linked", NULL);
  g_autofree char *package = g_build_filename (runner->folder, "called", "link", "package.json", NULL);
  g_autofree char *folder = g_path_get_dirname (package);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_cmpint (symlink ("../../pj.json", package), ==, 0);
  tool_runner_write (runner, "called/package.json",
                     "{\"scripts\":{\"all\":\"make\",\"prepare\":\"npm run all && node ../scripts/p.js\"}}");
  tool_runner_write (runner, "package.json", "{\"scripts\":{\"test\":\"make\",\"prepare\":\"old\"}}");
  g_assert_cmpint (symlink ("package.json", link), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (BeckonEffects) effects = { 0 };

      g_test_message ("%s %s", cases[i].tool, cases[i].arguments);
      tool_runner_get_effects (runner, cases[i].tool, cases[i].arguments, &effects);
      g_assert_cmpint (effects.feeds_others, ==, cases[i].feeds_others);
    }
}

/* A file of that length is not read while a call is judged. */
static void
test_large_package (ToolRunner *runner, gconstpointer data)
{
  static const char arguments[] = "{'path':'package.json','old_text':'make','new_text':'ninja'}";
  g_autofree char *filler = g_strnfill (1024 * 1024, ' ');
  g_autofree char *text = g_strconcat ("{\"scripts\":{\"test\":\"make\"}}", filler, NULL);
  g_auto (BeckonEffects) large = { 0 };
  g_auto (BeckonEffects) small = { 0 };

  tool_runner_write (runner, "package.json", text);
  tool_runner_get_effects (runner, "edit_file", arguments, &large);
  g_assert_true (large.feeds_others);
  text[1024 * 1024] = '\0';
  tool_runner_write (runner, "package.json", text);
  tool_runner_get_effects (runner, "edit_file", arguments, &small);
  g_assert_false (small.feeds_others);
}

/* Four files make a Git directory of a plain folder, and its configuration runs programs: one of them is asked for, whatever
 * their order is. */
static void
test_bare_git (ToolRunner *runner, gconstpointer data)
{
  static const char *const paths[] = { "HEAD", "config", "objects/info/alternates", "refs/heads/main" };

  for (guint last = 0; last < G_N_ELEMENTS (paths); last++)
    {
      guint n_asked = 0;

      for (guint i = 1; i <= G_N_ELEMENTS (paths); i++)
        {
          const char *path = paths[(last + i) % G_N_ELEMENTS (paths)];
          g_autofree char *arguments = g_strdup_printf ("{'path':'d%u/%s','content':'x'}", last, path);
          g_auto (BeckonEffects) effects = { 0 };

          tool_runner_get_effects (runner, "write_file", arguments, &effects);
          n_asked += effects.feeds_others;
          tool_runner_expect (runner, "write_file", arguments, "", NULL);
        }
      g_assert_cmpuint (n_asked, >, 0);
    }
}

static void
test_edit (ToolRunner *runner, gconstpointer data)
{
  tool_runner_write (runner, "a.c", "int a;\nint b;\nint a;\n");
  tool_runner_expect (runner, "edit_file", "{'path':'a.c','old_text':'int b;','new_text':'long b;'}", "-int b;\n+long b;",
                      NULL);
  assert_holds (runner, "a.c", "int a;\nlong b;\nint a;\n");
  expect_refused (runner, "edit_file", "{'path':'a.c','old_text':'int a;','new_text':'x'}",
                   BECKON_CHANGE_ERROR_MANY_PLACES, "2 times, at lines 1, 3.");
  tool_runner_expect (runner, "edit_file", "{'path':'a.c','old_text':'int a;\\n','new_text':'','replace_all':true}",
                      "2 lines removed, 0 added", NULL);
  assert_holds (runner, "a.c", "long b;\n");
  tool_runner_write (runner, "braces", "}\n}\n}\n");
  expect_refused (runner, "edit_file", "{'path':'braces','old_text':'}\\n}\\n','new_text':'}\\n\\n}\\n'}",
                   BECKON_CHANGE_ERROR_MANY_PLACES, "2 times, at lines 1, 2.");
  tool_runner_write (runner, "braces", "a\n}\n}\n");
  tool_runner_expect (runner, "edit_file", "{'path':'braces','old_text':'}\\n}\\n','new_text':'}\\n'}", "-}", NULL);
  assert_holds (runner, "braces", "a\n}\n");
  tool_runner_write (runner, "letters", "aaaaaaaaaaaaaaaaaaaa");
  expect_refused (runner, "edit_file", "{'path':'letters','old_text':'a','new_text':'x'}", BECKON_CHANGE_ERROR_MANY_PLACES,
                   "more than 10 times, at lines 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 and more.");
  expect_refused (runner, "edit_file", "{'path':'a.c','old_text':'none','new_text':'x'}",
                   BECKON_CHANGE_ERROR_NO_PLACE, "is not in “a.c”");
  expect_refused (runner, "edit_file", "{'path':'b.c','old_text':'none','new_text':'x'}",
                   BECKON_CHANGE_ERROR_NO_FILE, "Make it with write_file");
  expect_refused (runner, "edit_file", "{'path':'A.C','old_text':'none','new_text':'x'}",
                   BECKON_CHANGE_ERROR_NO_FILE, "There is no “A.C”. Make it with write_file. Did you mean “a.c”?");
}

/* Each in what those before it made; all of them or none. */
static void
test_more_edits (ToolRunner *runner, gconstpointer data)
{
  tool_runner_write (runner, "a.c", "int a;\nint b;\nint a;\n");
  tool_runner_expect (runner, "edit_file",
                      "{'path':'a.c','old_text':'int b;','new_text':'long b;','more_edits':["
                      "{'old_text':'int a;','new_text':'char a;','replace_all':true},"
                      "{'old_text':'char a;\\nlong','new_text':'long long'}]}",
                      "3 lines removed, 2 added", NULL);
  assert_holds (runner, "a.c", "long long b;\nchar a;\n");
  expect_refused (runner, "edit_file", "{'path':'a.c','old_text':'char a;','new_text':'x','more_edits':["
                   "{'old_text':'x','new_text':'y'},{'old_text':'char a;','new_text':'z'}]}",
                   BECKON_CHANGE_ERROR_NO_PLACE, "No edits were made, because number 2 of more_edits failed. ");
  assert_holds (runner, "a.c", "long long b;\nchar a;\n");
}

/* The result would be gigabytes. */
static void
test_edit_too_long (ToolRunner *runner, gconstpointer data)
{
  g_autofree char *letters = g_strnfill (8 * 1024, 'a');
  g_autofree char *long_text = g_strnfill (1024 * 1024, 'b');
  g_autofree char *arguments
      = g_strdup_printf ("{'path':'a.txt','old_text':'a','new_text':'%s','replace_all':true}", long_text);

  tool_runner_write (runner, "a.txt", letters);
  tool_runner_expect_error (runner, "edit_file", arguments, BECKON_ERROR_TOO_LARGE, "would have more than");
  assert_holds (runner, "a.txt", letters);
}

/* Bytes that are no text are not cut off behind the first that is none. */
static void
test_edit_binary (ToolRunner *runner, gconstpointer data)
{
  g_autofree char *path = g_build_filename (runner->folder, "bin", NULL);
  g_autofree char *contents = NULL;
  gsize length;

  g_assert_true (g_file_set_contents (path, "text\0more", 9, NULL));
  expect_refused (runner, "edit_file", "{'path':'bin','old_text':'text','new_text':'x'}",
                   BECKON_CHANGE_ERROR_NOT_TEXT, "no text");
  g_assert_true (g_file_get_contents (path, &contents, &length, NULL));
  g_assert_cmpmem (contents, length, "text\0more", 9);
  tool_runner_expect (runner, "write_file", "{'path':'bin','content':'x'}", "was replaced", NULL);
  g_assert_true (undo (runner, NULL));
  g_clear_pointer (&contents, g_free);
  g_assert_true (g_file_get_contents (path, &contents, &length, NULL));
  g_assert_cmpmem (contents, length, "text\0more", 9);
}

static void
test_undo (ToolRunner *runner, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *events = NULL;

  tool_runner_write (runner, "a.txt", "before\n");
  tool_runner_expect (runner, "edit_file", "{'path':'a.txt','old_text':'before','new_text':'after'}", "+after", NULL);
  g_assert_true (undo (runner, &error));
  g_assert_no_error (error);
  assert_holds (runner, "a.txt", "before\n");
  g_assert_cmpint (beckon_tool_call_get_change (runner->call), ==, BECKON_CALL_CHANGE_UNDONE);
  g_assert_cmpint (load_change (runner), ==, BECKON_CALL_CHANGE_UNDONE);
  events = beckon_store_fixture_sql (runner->directory, "SELECT data FROM provenance WHERE event = 'undone'");
  g_assert_nonnull (strstr (events, "\"front_end\":\"window\""));
  g_assert_nonnull (strstr (events, "a.txt"));

  g_assert_false (undo (runner, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_CONFLICT);
}

/* A file that was made is taken away, one that was empty is empty again. */
static void
test_undo_new (ToolRunner *runner, gconstpointer data)
{
  tool_runner_expect (runner, "write_file", "{'path':'d/new','content':'x'}", "was made", NULL);
  g_assert_true (undo (runner, NULL));
  assert_holds (runner, "d/new", NULL);
  tool_runner_write (runner, "empty", "");
  tool_runner_expect (runner, "write_file", "{'path':'empty','content':'x'}", "1 added", NULL);
  g_assert_true (undo (runner, NULL));
  assert_holds (runner, "empty", "");
}

/* A file that changed since is left as it is, whatever happened to it. */
static void
test_undo_refused (ToolRunner *runner, gconstpointer data)
{
  g_autofree char *path = g_build_filename (runner->folder, "a.txt", NULL);
  g_autoptr (GError) error = NULL;

  tool_runner_write (runner, "a.txt", "before\n");
  tool_runner_expect (runner, "write_file", "{'path':'a.txt','content':'after\\n'}", "+after", NULL);
  tool_runner_write (runner, "a.txt", "mine\n");
  g_assert_false (undo (runner, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_CONFLICT);
  assert_holds (runner, "a.txt", "mine\n");
  g_clear_error (&error);

  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_false (undo (runner, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_CONFLICT);
  g_clear_error (&error);

  g_assert_cmpint (symlink ("/etc/profile", path), ==, 0);
  g_assert_false (undo (runner, &error));
  g_assert_nonnull (error);
  g_assert_cmpint (beckon_tool_call_get_change (runner->call), ==, BECKON_CALL_CHANGE_KEPT);
  g_clear_error (&error);

  g_assert_cmpint (g_unlink (path), ==, 0);
  tool_runner_write (runner, "a.txt", "after\n");
  g_assert_true (undo (runner, &error));
  assert_holds (runner, "a.txt", "before\n");
}

/* A file with a secret in it is not copied, in whatever way it is written; that is said, and nothing is undone wrongly. */
static void
test_withheld (ToolRunner *runner, gconstpointer data)
{
  g_autoptr (BeckonMask) mask = beckon_mask_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *result = NULL;
  g_autofree char *kept = NULL;

  beckon_mask_add (mask, "hunter2-canary", "secret:token");
  runner->mask = mask;
  tool_runner_write (runner, "a.env", "TOKEN=hunter2-canary\nPORT=1\n");
  result = tool_runner_run (runner, "edit_file", "{'path':'a.env','old_text':'PORT=1','new_text':'PORT=2'}", NULL, &error);
  g_assert_no_error (error);
  g_assert_null (strstr (result, "canary"));
  g_assert_nonnull (strstr (result, " TOKEN=secret:token\n-PORT=1\n+PORT=2\n"));
  assert_holds (runner, "a.env", "TOKEN=hunter2-canary\nPORT=2\n");
  g_assert_cmpint (beckon_tool_call_get_change (runner->call), ==, BECKON_CALL_CHANGE_WITHHELD);
  g_assert_cmpint (load_change (runner), ==, BECKON_CALL_CHANGE_WITHHELD);
  kept = beckon_store_fixture_sql (runner->directory, "SELECT count (before) || sum (withheld) FROM file_copy");
  g_assert_cmpstr (kept, ==, "03");

  g_assert_false (undo (runner, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE);
  assert_holds (runner, "a.env", "TOKEN=hunter2-canary\nPORT=2\n");
  g_clear_pointer (&result, g_free);
  tool_runner_write (runner, "b.env", "TOKEN=aHVudGVyMi1jYW5hcnk=\n");
  result = tool_runner_run (runner, "write_file", "{'path':'b.env','content':'x'}", NULL, NULL);
  g_assert_nonnull (result);
  g_assert_cmpint (beckon_tool_call_get_change (runner->call), ==, BECKON_CALL_CHANGE_WITHHELD);
  tool_runner_write (runner, "c.env", "TOKEN=\n");
  tool_runner_expect (runner, "write_file", "{'path':'c.env','content':'x'}", "+x", NULL);
  g_assert_cmpint (beckon_tool_call_get_change (runner->call), ==, BECKON_CALL_CHANGE_KEPT);
  runner->mask = NULL;
}

/* Its arguments would be made of the text before, and everybody is shown those. */
static void
test_preview_withheld (ToolRunner *runner, gconstpointer data)
{
  g_autoptr (BeckonMask) mask = beckon_mask_new ();
  BeckonTool *tool = beckon_tool_registry_lookup (runner->registry, "write_file");
  BeckonToolContext context = {
    .conversation_id = "",
    .message_id = "",
    .arguments = "{\"path\":\"a.env\",\"content\":\"A=2\\n\\n\\n\\n\\n\\n\\n\\n\\n\\nB=2\\n\"}",
    .folder = runner->folder,
    .mask = mask,
  };
  g_autoptr (GError) error = NULL;

  beckon_mask_add (mask, "hunter2-canary", "secret:token");
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (BeckonCallPreview) preview = NULL;

      tool_runner_write (runner, "a.env", i == 0 ? "A=1\n\n\n\n\n\n\n\n\n\nB=1\n" : "A=hunter2-canary\n\n\n\n\n\n\n\n\n\nB=1\n");
      preview = beckon_tool_preview (tool, &context, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (preview->n_hunks, ==, 2);
      g_assert_null (strstr (preview->shown, "canary"));
      g_assert_cmpint (preview->can_leave_out, ==, i == 0);
    }
}

/* A preview leaves nothing out, however long the difference is: who shows it goes through it in pieces. */
static void
test_preview_long (ToolRunner *runner, gconstpointer data)
{
  BeckonTool *tool = beckon_tool_registry_lookup (runner->registry, "write_file");
  g_autoptr (GString) arguments = g_string_new ("{\"path\":\"long.txt\",\"content\":\"");
  g_autoptr (BeckonCallPreview) preview = NULL;
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 40000; i++)
    g_string_append_printf (arguments, "line %u\\n", i);
  g_string_append (arguments, "the last one\\n\"}");
  tool_runner_write (runner, "long.txt", "one\n");
  preview = beckon_tool_preview (tool, &(const BeckonToolContext){ .conversation_id = "", .message_id = "",
                                                                   .arguments = arguments->str, .folder = runner->folder },
                                 &error);
  g_assert_no_error (error);
  g_assert_cmpuint (strlen (preview->shown), >, 3 * BECKON_CALL_PREVIEW_PIECE);
  g_assert_true (g_str_has_suffix (preview->shown, "+the last one\n"));
  g_assert_false (preview->can_leave_out);
}

/* A file that is no text is named where no difference can show what goes; text in another encoding has a difference. */
static void
test_preview_replaced (ToolRunner *runner, gconstpointer data)
{
  BeckonTool *tool = beckon_tool_registry_lookup (runner->registry, "write_file");
  BeckonToolContext context = { .conversation_id = "", .message_id = "", .arguments = "{\"path\":\"f\",\"content\":\"x\\n\"}",
                                .folder = runner->folder };
  g_autofree char *path = g_build_filename (runner->folder, "f", NULL);
  g_autoptr (BeckonCallPreview) picture = NULL;
  g_autoptr (BeckonCallPreview) text = NULL;

  g_assert_true (g_file_set_contents (path, "\211PNG\r\n\032\n\0\0\0\rIHDR", 16, NULL));
  picture = beckon_tool_preview (tool, &context, NULL);
  g_assert_false (picture->is_new);
  g_assert_cmpstr (picture->replaces, ==, "image/png");
  g_assert_cmpuint (picture->n_replaced, ==, 16);
  g_assert_cmpstr (picture->shown, ==, "x\n");

  g_assert_true (g_file_set_contents (path, "caf\351\n", 5, NULL));
  text = beckon_tool_preview (tool, &context, NULL);
  g_assert_null (text->replaces);
  g_assert_cmpstr (text->encoding, ==, "ISO-8859-1");
  g_assert_cmpstr (text->shown, ==, "@@ -1,1 +1,1 @@\n-café\n+x\n");
}

/* A secret in UTF-16 is one. */
static void
test_withheld_utf16 (ToolRunner *runner, gconstpointer data)
{
  g_autoptr (BeckonMask) mask = beckon_mask_new ();
  g_autofree char *path = g_build_filename (runner->folder, "f", NULL);
  g_autofree char *bytes = NULL;
  gsize length;

  beckon_mask_add (mask, "hunter2-canary", "secret:token");
  runner->mask = mask;
  bytes = g_convert ("TOKEN=hunter2-canary\n", -1, "UTF-16LE", "UTF-8", NULL, &length, NULL);
  g_assert_true (g_file_set_contents (path, bytes, (gssize) length, NULL));
  tool_runner_expect (runner, "write_file", "{'path':'f','content':'x'}", "-TOKEN=secret:token", NULL);
  g_assert_cmpint (beckon_tool_call_get_change (runner->call), ==, BECKON_CALL_CHANGE_WITHHELD);
  runner->mask = NULL;
}

/* A model that wrote a change is told where it is; what it may not know is told all the same. */
static void
test_brief (ToolRunner *runner, gconstpointer data)
{
#define SMALL "“a” was changed: 2 lines removed, 3 added.\n--- a/a\n+++ b/a\n"
#define HUNKS "@@ -1,3 +1,4 @@\n one\n-two\n+zwei\n+drei\n three\n@@ -20,3 +21,3 @@\n 20\n-21\n+XXI\n 22\n"
  static const struct
  {
    const char *tool, *result, *brief;
  } cases[] = {
    { "edit_file", SMALL HUNKS, "“a” was changed: 2 lines removed, 3 added. It is at lines 2–3, 22 now." },
    { "edit_file", SMALL HUNKS "[“a” is UTF-16.]\n", "“a” was changed: 2 lines removed, 3 added. It is at lines 2–3, 22 now.\n[“a” is UTF-16.]" },
    { "write_file", SMALL HUNKS, "“a” was changed: 2 lines removed, 3 added. It is at lines 2–3, 22 now.\nWhat was there:\n-two\n-21" },
    { "edit_file", "[old_text is not in the file to the letter.]\n" SMALL HUNKS, NULL },
    { "write_file", "“a” was made, with 3 bytes.", NULL },
    { "other", SMALL HUNKS, NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (BeckonToolCall) call = beckon_tool_call_new (NULL, "call_1", cases[i].tool, "{\"path\":\"a\"}");
      g_autofree char *brief = NULL;

      beckon_tool_call_set_result (call, cases[i].result, FALSE);
      brief = beckon_change_tool_dup_brief (call);
      g_assert_cmpstr (brief, ==, cases[i].brief);
    }
}

/* The explanations were not written for a model: no names of arguments, no advice on which tool to call. */
static void
test_preview_explained (ToolRunner *runner, gconstpointer data)
{
  static const struct
  {
    const char *arguments, *words;
  } cases[] = {
    { "{\"path\":\"a\",\"old_text\":\"three\",\"new_text\":\"x\"}",
      "The text to replace is not in “a”. Running this changes nothing and tells the agent so." },
    { "{\"path\":\"a\",\"old_text\":\"one\",\"new_text\":\"x\"}",
      "The text to replace is in “a” more than once. Running this changes nothing and tells the agent so." },
    { "{\"path\":\"b\",\"old_text\":\"one\",\"new_text\":\"x\"}", "“b” was not found, so it can't be edited." },
    { "{\"path\":\"c\",\"old_text\":\"one\",\"new_text\":\"x\"}", "“c” isn't a text file, so it can't be edited." },
    { "{\"path\":\".\",\"old_text\":\"one\",\"new_text\":\"x\"}",
      "“.” can't be changed: it is not a regular file within the working folder." },
    { "{\"path\":\"a\",\"new_text\":\"x\"}", "The arguments do not fit the tool." },
  };
  BeckonTool *tool = beckon_tool_registry_lookup (runner->registry, "edit_file");
  g_autofree char *path = g_build_filename (runner->folder, "c", NULL);

  tool_runner_write (runner, "a", "one\none\ntwo\n");
  g_assert_true (g_file_set_contents (path, "one\0\n", 5, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      BeckonToolContext context = {
        .conversation_id = "",
        .message_id = "",
        .arguments = cases[i].arguments,
        .folder = runner->folder,
      };

      g_assert_null (beckon_tool_preview (tool, &context, &error));
      g_assert_cmpstr (error->message, ==, cases[i].words);
    }
}

/* Undone and made again, as often as one likes; each is refused where the file is another one. */
static void
test_redo (ToolRunner *runner, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  tool_runner_write (runner, "a.txt", "one\n");
  tool_runner_expect (runner, "write_file", "{'path':'a.txt','content':'two\\n'}", "+two", NULL);
  g_assert_false (redo (runner, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_CONFLICT);
  g_clear_error (&error);
  for (guint i = 0; i < 3; i++)
    {
      g_assert_true (undo (runner, &error));
      g_assert_no_error (error);
      assert_holds (runner, "a.txt", "one\n");
      g_assert_cmpint (load_change (runner), ==, BECKON_CALL_CHANGE_UNDONE);
      g_assert_true (redo (runner, &error));
      g_assert_no_error (error);
      assert_holds (runner, "a.txt", "two\n");
      g_assert_cmpint (load_change (runner), ==, BECKON_CALL_CHANGE_KEPT);
    }
  g_assert_true (undo (runner, &error));
  tool_runner_write (runner, "a.txt", "mine\n");
  g_assert_false (redo (runner, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_CONFLICT);
  assert_holds (runner, "a.txt", "mine\n");
  g_assert_cmpint (load_change (runner), ==, BECKON_CALL_CHANGE_UNDONE);
}

/* A file that a hook has come to call is not made again. */
static void
test_redo_runner (ToolRunner *runner, gconstpointer data)
{
  g_autofree char *hooks = g_build_filename (runner->folder, ".git", "hooks", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (g_mkdir_with_parents (hooks, 0700), ==, 0);
  tool_runner_write (runner, ".git/HEAD", "ref: refs/heads/main\n");
  tool_runner_expect (runner, "write_file", "{'path':'lint.sh','content':'x'}", "was made", NULL);
  g_assert_true (undo (runner, &error));
  tool_runner_write (runner, ".git/hooks/pre-commit", "#!/bin/sh\n./lint.sh\n");
  g_assert_false (redo (runner, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_CONFLICT);
  g_assert_cmpstr (error->message, ==, "“lint.sh” is left as it is: Git runs it: .git/hooks/pre-commit calls ./lint.sh");
  assert_holds (runner, "lint.sh", NULL);
  g_assert_cmpint (load_change (runner), ==, BECKON_CALL_CHANGE_UNDONE);
}

/* A file that the call made goes with the folders that were made for it, as far as nothing else is in them, and comes back. */
static void
test_redo_made (ToolRunner *runner, gconstpointer data)
{
  g_autofree char *made = g_build_filename (runner->folder, "old/new", NULL);
  g_autofree char *old = g_build_filename (runner->folder, "old", NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *lines = NULL;

  g_assert_cmpint (g_mkdir (old, 0700), ==, 0);
  tool_runner_expect (runner, "write_file", "{'path':'old/new/deep/a.txt','content':''}", "was made", NULL);
  g_assert_true (undo (runner, &error));
  g_assert_no_error (error);
  g_assert_false (g_file_test (made, G_FILE_TEST_EXISTS));
  g_assert_true (g_file_test (old, G_FILE_TEST_IS_DIR));
  g_assert_true (redo (runner, &error));
  g_assert_no_error (error);
  assert_holds (runner, "old/new/deep/a.txt", "");
  tool_runner_write (runner, "old/new/mine", "x");
  g_assert_true (undo (runner, &error));
  assert_holds (runner, "old/new/deep/a.txt", NULL);
  assert_holds (runner, "old/new/mine", "x");
  tool_runner_write (runner, "old/new/deep/a.txt", "mine");
  g_assert_false (redo (runner, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_CONFLICT);
  assert_holds (runner, "old/new/deep/a.txt", "mine");

  lines = beckon_store_fixture_sql (runner->directory, "SELECT group_concat (event, ' ') FROM provenance WHERE event LIKE '%done'");
  g_assert_cmpstr (lines, ==, "undone redone undone");
  g_clear_pointer (&lines, g_free);
  lines = beckon_store_fixture_sql (runner->directory, "SELECT data ->> '$.files[0].kind' || (data ->> '$.files[0].after')"
                                    " FROM provenance WHERE event = 'redone'");
  g_assert_cmpstr (lines, ==, "createde3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

/* A text that a call wrote with a secret in it is kept nowhere either, so that undoing it is for good. */
static void
test_redo_withheld (ToolRunner *runner, gconstpointer data)
{
  g_autoptr (BeckonMask) mask = beckon_mask_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *kept = NULL;

  beckon_mask_add (mask, "hunter2-canary", "secret:token");
  runner->mask = mask;
  tool_runner_write (runner, "a.env", "TOKEN=\n");
  tool_runner_expect (runner, "write_file", "{'path':'a.env','content':'TOKEN=hunter2-canary'}", "secret:token", NULL);
  g_assert_true (undo (runner, &error));
  g_assert_no_error (error);
  assert_holds (runner, "a.env", "TOKEN=\n");
  kept = beckon_store_fixture_sql (runner->directory, "SELECT count (before) FROM file_copy");
  g_assert_cmpstr (kept, ==, "0");
  g_assert_false (redo (runner, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE);
  assert_holds (runner, "a.env", "TOKEN=\n");
  runner->mask = NULL;
}

/* Without a place for what the file was, it is not changed. */
static void
test_no_store (ToolRunner *runner, gconstpointer data)
{
  g_autoptr (BeckonStore) closed = beckon_store_new (runner->directory, beckon_clock_get_system ());
  g_autoptr (BeckonToolRegistry) registry = beckon_tool_registry_new ();
  BeckonToolRegistry *usual = runner->registry;
  g_autoptr (GError) error = NULL;

  tool_runner_write (runner, "a.txt", "before\n");
  beckon_tool_registry_add_working (registry, &(BeckonToolParts){ .copies = BECKON_FILE_COPIES (closed),
                                                                     .memory = BECKON_MEMORY (closed),
                                                                     .outputs = runner->outputs });
  runner->registry = registry;
  g_assert_null (tool_runner_run (runner, "write_file", "{'path':'a.txt','content':'x'}", NULL, &error));
  runner->registry = usual;
  g_assert_nonnull (error);
  g_assert_nonnull (strstr (error->message, "not changed"));
  assert_holds (runner, "a.txt", "before\n");
}

static char *
look (ToolRunner *runner)
{
  BeckonTool *tool = beckon_tool_registry_lookup (runner->registry, "write_file");
  BeckonToolContext context = { .call = runner->call, .folder = runner->folder };
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  char *found;

  g_assert_true (beckon_tool_can_verify (tool));
  beckon_tool_verify_async (tool, &context, NULL, tool_runner_keep, &result);
  found = beckon_tool_verify_finish (tool, tool_runner_wait (&result), &error);
  g_assert_no_error (error);
  return found;
}

/* Verifying a call whose program died under it. */
static void
test_look (ToolRunner *runner, gconstpointer data)
{
  g_autofree char *never = NULL;
  g_autofree char *done = NULL;
  g_autofree char *not_done = NULL;
  g_autofree char *other = NULL;

  tool_runner_write (runner, "a.txt", "before\n");
  tool_runner_expect_error (runner, "write_file", "{'path':'../a.txt','content':'x'}", BECKON_ERROR_INVALID, "outside");
  never = look (runner);
  g_assert_nonnull (strstr (never, "had not begun"));
  tool_runner_expect (runner, "write_file", "{'path':'a.txt','content':'after\\n'}", "+after", NULL);
  done = look (runner);
  g_assert_nonnull (strstr (done, "so it was done"));
  tool_runner_write (runner, "a.txt", "before\n");
  not_done = look (runner);
  g_assert_nonnull (strstr (not_done, "was not done"));
  tool_runner_write (runner, "a.txt", "mine\n");
  other = look (runner);
  g_assert_nonnull (strstr (other, "neither"));
}

/* The copies have a bound: the oldest go. */
static void
test_bounded (ToolRunner *runner, gconstpointer data)
{
  g_autofree char *text = g_strnfill (7 * 1024 * 1024, 'a');
  g_autofree char *kept = NULL;
  gint64 bytes;

  for (guint i = 0; i < 20; i++)
    {
      g_autofree char *arguments = g_strdup_printf ("{'path':'large','content':'%u'}", i);

      text[0] = (char) ('a' + i);
      tool_runner_write (runner, "large", text);
      tool_runner_expect (runner, "write_file", arguments, "was changed", NULL);
    }
  kept = beckon_store_fixture_sql (runner->directory, "SELECT sum (length (before)) FROM file_copy");
  bytes = g_ascii_strtoll (kept, NULL, 10);
  g_test_message ("%" G_GINT64_FORMAT " bytes are kept", bytes);
  g_assert_cmpint (bytes, <=, 128 * 1024 * 1024);
  g_assert_cmpint (bytes, >, 100 * 1024 * 1024);
  g_assert_true (undo (runner, NULL));
}

/* A path of thousands of folders is refused by its names, and not looked up one by one, by whatever tool. */
static void
test_deep (ToolRunner *runner, gconstpointer data)
{
  static const char *const calls[][2] = {
    { "read_file", "{'path':'%s'}" },
    { "list_files", "{'path':'%s'}" },
    { "search_files", "{'path':'%s','pattern':'x'}" },
    { "write_file", "{'path':'%s','content':'x'}" },
    { "edit_file", "{'path':'%s','old_text':'x','new_text':'y'}" },
  };
  g_autoptr (GString) path = g_string_new ("a");

  for (guint i = 0; i < 1900; i++)
    g_string_append (path, "/a");
  for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
    {
      g_auto (GStrv) parts = g_strsplit (calls[i][1], "%s", 2);
      g_autofree char *arguments = g_strconcat (parts[0], path->str, parts[1], NULL);

      tool_runner_expect_error (runner, calls[i][0], arguments, BECKON_ERROR_INVALID, "a path has at most 256 names");
    }
}

#define ADD(path, function) g_test_add (path, ToolRunner, NULL, set_up, function, tear_down)

/* They wait for seconds of a clock, and are with -m slow in the suite `long`. */
static void
add_slow_cases (void)
{
  ADD ("/change/bounded", test_bounded);
}

static void
add_cases (void)
{
  ADD ("/change/write", test_write);
  ADD ("/change/own-name", test_own_name);
  ADD ("/change/placeholder", test_placeholder);
  ADD ("/change/write-mode", test_write_mode);
  ADD ("/faults/F93-write-refused", test_write_refused);
  ADD ("/faults/F94-link-resolved", test_link_resolved);
  ADD ("/faults/F95-feeds-others", test_feeds_others);
  ADD ("/faults/F95-install-scripts", test_install_scripts);
  ADD ("/faults/large-package", test_large_package);
  ADD ("/faults/F95-bare-git", test_bare_git);
  ADD ("/change/edit", test_edit);
  ADD ("/change/more-edits", test_more_edits);
  ADD ("/change/edit-too-long", test_edit_too_long);
  ADD ("/change/edit-binary", test_edit_binary);
  ADD ("/change/undo", test_undo);
  ADD ("/change/undo-new", test_undo_new);
  ADD ("/change/undo-refused", test_undo_refused);
  ADD ("/change/redo", test_redo);
  ADD ("/change/redo-made", test_redo_made);
  ADD ("/change/redo-runner", test_redo_runner);
  ADD ("/change/redo-withheld", test_redo_withheld);
  ADD ("/change/withheld", test_withheld);
  ADD ("/change/preview-withheld", test_preview_withheld);
  ADD ("/change/preview-long", test_preview_long);
  ADD ("/change/preview-replaced", test_preview_replaced);
  ADD ("/change/withheld-utf16", test_withheld_utf16);
  ADD ("/change/preview-explained", test_preview_explained);
  ADD ("/change/brief", test_brief);
  ADD ("/change/no-store", test_no_store);
  ADD ("/change/look", test_look);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  if (g_test_slow ())
    add_slow_cases ();
  else
    add_cases ();
  ADD ("/change-tools/deep", test_deep);
  return g_test_run ();
}
