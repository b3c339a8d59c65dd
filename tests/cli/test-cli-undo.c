/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Changes of commands and file tools, kept, left out, undone and made again in a terminal: the real program, real commands. */

#include "base/beckon-json.h"
#include "beckon-agent-fixture.h"
#include "beckon-cli-fixture.h"
#include "sandbox/beckon-sandbox-view.h"
#include "sandbox/beckon-sandbox.h"

#include <glib/gstdio.h>
#include <string.h>

#define COMMAND "echo two >a.txt; mkdir -p new; echo hi >new/b.txt; rm -f gone.txt; echo 'layout x' >.envrc"

static char *
make_folder (BeckonCliFixture *fixture)
{
  char *folder = g_build_filename (fixture->home, "work", NULL);
  g_autofree char *first = g_build_filename (folder, "a.txt", NULL);
  g_autofree char *gone = g_build_filename (folder, "gone.txt", NULL);

  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (first, "one\n", -1, NULL));
  g_assert_true (g_file_set_contents (gone, "gone\n", -1, NULL));
  return folder;
}

static void
assert_holds (const char *folder, const char *name, const char *expected)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autofree char *contents = NULL;

  g_file_get_contents (path, &contents, NULL, NULL);
  g_assert_cmpstr (contents, ==, expected);
}

static JsonObject *
parse (const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *stripped = g_strstrip (g_strdup (text));
  JsonObject *object = beckon_json_parse_object (stripped, -1, &error);

  g_assert_no_error (error);
  return object;
}

static void
script_command (BeckonCliFixture *fixture)
{
  beckon_cli_fixture_script (fixture, beckon_script_call ("call_1", "run_command", "{\"command\":\"" COMMAND "\"}"));
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done"));
}

static void
keep (GObject *source, GAsyncResult *result, gpointer slot)
{
  *(GAsyncResult **) slot = g_object_ref (result);
}

/* As the program finds it. */
static gboolean
has_view (const char *folder)
{
  g_autoptr (GAsyncResult) probed = NULL;
  g_autoptr (GAsyncResult) learned = NULL;

  beckon_sandbox_probe_async (NULL, keep, &probed);
  beckon_agent_wait_until (probed != NULL);
  beckon_sandbox_view_learn_async (folder, NULL, keep, &learned);
  beckon_agent_wait_until (learned != NULL);
  return beckon_sandbox_probe_finish (probed, NULL) && beckon_sandbox_view_get (folder) != BECKON_VIEW_DIRECT;
}

/* The request that waits, as a document; %NULL, and the test is skipped, where commands have no view of the folder. */
static JsonObject *
ask_in (BeckonCliFixture *fixture, const char *folder, const char *mode)
{
  JsonObject *document;

  if (!has_view (folder))
    {
      g_test_skip ("commands have no view of the folder here");
      return NULL;
    }
  script_command (fixture);
  g_assert_cmpint (
    beckon_cli_fixture_run (fixture, NULL, "run", "--folder", folder, "--mode", mode, "--detach-on-ask", "Go", NULL), ==, 10);
  document = parse (fixture->output);
  g_assert_cmpstr (beckon_json_get_string (document, "kind"), ==, "changes");
  return document;
}

static JsonObject *
ask (BeckonCliFixture *fixture, const char *folder)
{
  return ask_in (fixture, folder, "changes");
}

static int
find_number (JsonObject *document, const char *path)
{
  JsonArray *files = beckon_json_get_array (beckon_json_get_object (document, "changes"), "files");

  for (guint i = 0; i < json_array_get_length (files); i++)
    if (g_strcmp0 (beckon_json_get_string (json_array_get_object_element (files, i), "path"), path) == 0)
      return (int) beckon_json_get_int (json_array_get_object_element (files, i), "change", 0);
  g_assert_not_reached ();
}

/* Changes land once the question is answered; those that are left out don't. */
static void
test_answer (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *folder = make_folder (fixture);
  g_autoptr (JsonObject) document = ask (fixture, folder);
  g_autofree char *number = NULL;
  const char *id;

  if (document == NULL)
    return;

  id = beckon_json_get_string (document, "id");
  assert_holds (folder, "a.txt", "one\n");
  assert_holds (folder, ".envrc", NULL);
  g_assert_cmpstr (beckon_json_get_string (beckon_json_get_object (document, "changes"), "command"), ==, COMMAND);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "answer", id, "--run", NULL), ==, 1);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "answer", id, "--leave-out", "99", NULL), ==, 1);
  beckon_cli_assert_says (fixture->errors, "99");
  number = g_strdup_printf ("%d", find_number (document, ".envrc"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "answer", id, "--leave-out", number, NULL), ==, 0);
  beckon_cli_assert_says (fixture->errors, "✓ Ran echo two");
  beckon_cli_assert_says (fixture->errors, "Left out: .envrc\n");
  assert_holds (folder, "a.txt", "two\n");
  assert_holds (folder, "new/b.txt", "hi\n");
  assert_holds (folder, "gone.txt", NULL);
  assert_holds (folder, ".envrc", NULL);
}

/* A bare "keep" is without what other programs run, which lands where everything is kept by name. */
static void
test_keep (void)
{
  static const struct
  {
    const char *option;
    const char *trigger;
  } cases[] = { { "--keep", NULL }, { "--keep-all", "layout x\n" } };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
      g_autofree char *folder = make_folder (fixture);
      g_autoptr (JsonObject) document = ask (fixture, folder);

      if (document == NULL)
        return;

      g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "answer", beckon_json_get_string (document, "id"),
                                               cases[i].option, NULL), ==, 0);
      assert_holds (folder, "a.txt", "two\n");
      assert_holds (folder, "new/b.txt", "hi\n");
      assert_holds (folder, ".envrc", cases[i].trigger);
    }
}

/* Ordinary changes are decided by the mode: to keep no more, and to leave out what is asked about, is the same to the folder. */
static void
test_outside (void)
{
  static const char *const cases[][2] = { { "--keep", NULL }, { "--deny", "none of it" } };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
      g_autofree char *folder = make_folder (fixture);
      g_autoptr (JsonObject) document = ask_in (fixture, folder, "outside");

      if (document == NULL)
        return;

      assert_holds (folder, "a.txt", "one\n");
      g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "answer", beckon_json_get_string (document, "id"), cases[i][0],
                                               cases[i][1], NULL), ==, 0);
      assert_holds (folder, "a.txt", "two\n");
      assert_holds (folder, "new/b.txt", "hi\n");
      assert_holds (folder, ".envrc", NULL);
    }
}

/* A reason may come with it, behind the option as behind "n". */
static void
test_deny (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *folder = make_folder (fixture);
  g_autoptr (JsonObject) document = ask (fixture, folder);

  if (document == NULL)
    return;

  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "answer", beckon_json_get_string (document, "id"), "--deny",
                                           "not like this", NULL), ==, 0);
  beckon_cli_assert_says (fixture->errors, "– Ran echo two");
  beckon_cli_assert_says (fixture->errors, "Left out: .envrc, a.txt, ");
  assert_holds (folder, "a.txt", "one\n");
  assert_holds (folder, "new/b.txt", NULL);
  g_assert_cmpint (
    beckon_cli_fixture_run (fixture, NULL, "show", beckon_json_get_string (beckon_json_get_object (document, "conversation"), "id"),
                            "--json", NULL), ==, 0);
  beckon_cli_assert_says (fixture->output, "not like this");
}

static void
test_leave_out_all (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *folder = make_folder (fixture);
  g_autoptr (JsonObject) document = ask (fixture, folder);

  if (document == NULL)
    return;

  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "answer", beckon_json_get_string (document, "id"), "n", "not", "now",
                                           NULL), ==, 0);
  assert_holds (folder, "a.txt", "one\n");
  assert_holds (folder, "gone.txt", "gone\n");
  assert_holds (folder, "new/b.txt", NULL);
}

/* A script is told which files a command changed, and which of them are not saved because nobody could be asked. */
static void
test_events (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *folder = make_folder (fixture);

  if (!has_view (folder))
    {
      g_test_skip ("no view of a folder here");
      return;
    }

  script_command (fixture);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "run", "--json", "--folder", folder, "--mode", "outside", "Do it", NULL), ==,
                   5);
  beckon_cli_assert_says (fixture->output, "{\"type\":\"changes\",\"call\":\"0");
  beckon_cli_assert_says (fixture->output,
                          "{\"path\":\"a.txt\",\"kind\":\"changed\",\"fate\":\"kept\",\"added\":1,\"removed\":1}");
  beckon_cli_assert_says (fixture->output, "{\"path\":\".envrc\",\"kind\":\"created\",\"fate\":\"left-out\"");
  beckon_cli_assert_says (fixture->output, "{\"type\":\"end\",\"status\":5,\"phase\":\"complete\"");
}

/* The person's own edit stays, and that what the command made of the file is lost is said, by the status too. */
static void
test_conflict (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *folder = make_folder (fixture);
  g_autofree char *mine = g_build_filename (folder, "a.txt", NULL);
  g_autoptr (JsonObject) document = ask (fixture, folder);

  if (document == NULL)
    return;

  g_assert_true (g_file_set_contents (mine, "by hand\n", -1, NULL));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "answer", beckon_json_get_string (document, "id"), "--keep", NULL), ==,
                   4);
  beckon_cli_assert_says (fixture->errors, "1 change was not saved, because the file was changed in the folder meanwhile: a.txt");
  beckon_cli_assert_says (fixture->errors, "The conversation shows both versions");
  beckon_cli_assert_says (fixture->errors, "Deleted 1 file, made 1 file (undo: beckonctl undo ");
  assert_holds (folder, "a.txt", "by hand\n");
  assert_holds (folder, "new/b.txt", "hi\n");
}

/* A folder that is away settles nothing: the answer can be given again. */
static void
test_moved (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *folder = make_folder (fixture);
  g_autofree char *elsewhere = g_build_filename (fixture->home, "elsewhere", NULL);
  g_autoptr (JsonObject) document = ask (fixture, folder);

  if (document == NULL)
    return;

  g_assert_cmpint (g_rename (folder, elsewhere), ==, 0);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "answer", beckon_json_get_string (document, "id"), "--keep", NULL), ==,
                   1);
  beckon_cli_assert_says (fixture->errors, "The folder is not there now: ");
  assert_holds (elsewhere, "a.txt", "one\n");
  g_assert_cmpint (g_rename (elsewhere, folder), ==, 0);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "answer", beckon_json_get_string (document, "id"), "--keep", NULL), ==,
                   0);
  assert_holds (folder, "new/b.txt", "hi\n");
}

/* Without anybody to ask, a command runs and lands but for what would be asked about, and says so; a call that would ask is
 * refused. Both have a status of their own, which a command that changes nothing has not. */
static void
test_unasked (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *folder = make_folder (fixture);

  if (!has_view (folder))
    {
      g_test_skip ("commands have no view of the folder here");
      return;
    }
  script_command (fixture);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "run", "--folder", folder, "--mode", "everything", "Go", NULL), ==, 5);
  beckon_cli_assert_says (fixture->errors, "you can't be asked here");
  beckon_cli_assert_says (fixture->errors, "--detach-on-ask");
  assert_holds (folder, "a.txt", "one\n");

  script_command (fixture);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "run", "--folder", folder, "--mode", "changes", "Go", NULL), ==, 5);
  beckon_cli_assert_says (fixture->errors, "because nobody could be asked about them: ");
  assert_holds (folder, "a.txt", "one\n");
  assert_holds (folder, "gone.txt", "gone\n");
  assert_holds (folder, "new/b.txt", NULL);

  beckon_cli_fixture_script (fixture, beckon_script_call ("call_1", "run_command", "{\"command\":\"ls\"}"));
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "run", "--folder", folder, "--mode", "changes", "Go", NULL), ==, 0);

  script_command (fixture);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "run", "--folder", folder, "--mode", "outside", "Go", NULL), ==, 5);
  beckon_cli_assert_says (fixture->errors, "because nobody could be asked about it: .envrc");
  assert_holds (folder, "a.txt", "two\n");
  assert_holds (folder, ".envrc", NULL);
}

/* The list, a difference, a file left out and kept again, as they are typed. */
static void
test_chat (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *folder = make_folder (fixture);
  g_autoptr (BeckonCliProcess) process = NULL;
  g_autoptr (JsonObject) document = ask (fixture, folder);

  if (document == NULL)
    return;

  process = beckon_cli_process_new_in_terminal (fixture, "answer", beckon_json_get_string (document, "id"), NULL);
  beckon_cli_process_wait (process, "$ echo two >a.txt");
  beckon_cli_process_wait (process, "2. changed: a.txt");
  beckon_cli_process_wait (process, "> ");
  beckon_cli_process_type (process, "d 2");
  beckon_cli_process_wait (process, "-one");
  beckon_cli_process_wait (process, "+two");
  beckon_cli_process_wait (process, "> ");
  beckon_cli_process_type (process, "x 2");
  beckon_cli_process_wait (process, "✗ 2. changed: a.txt");
  beckon_cli_process_wait (process, "> ");
  beckon_cli_process_type (process, "k");
  beckon_cli_process_wait (process, "Done");
  assert_holds (folder, "a.txt", "one\n");
  assert_holds (folder, "new/b.txt", "hi\n");
}

/* A folder that stands for all in it can be looked into before it lands. */
static void
test_folder (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *folder = make_folder (fixture);
  g_autoptr (BeckonCliProcess) process = NULL;
  g_autoptr (JsonObject) document = NULL;

  if (!has_view (folder))
    {
      g_test_skip ("commands have no view of the folder here");
      return;
    }
  beckon_cli_fixture_script (fixture, beckon_script_call ("call_1", "run_command",
                                                          "{\"command\":\"mkdir -p build/sub; for i in $(seq 1300); do echo $i "
                                                          ">build/sub/f$i; done; ln -s / build/root\"}"));
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done"));
  g_assert_cmpint (
    beckon_cli_fixture_run (fixture, NULL, "run", "--folder", folder, "--mode", "changes", "--detach-on-ask", "Go", NULL), ==, 10);
  document = parse (fixture->output);
  process = beckon_cli_process_new_in_terminal (fixture, "answer", beckon_json_get_string (document, "id"), NULL);
  beckon_cli_process_wait (process, "1. new: build/");
  beckon_cli_process_wait (process, "> ");
  beckon_cli_process_type (process, "d 1");
  beckon_cli_process_wait (process, "     build/sub/f1");
  beckon_cli_process_wait (process, "more");
  beckon_cli_process_wait (process, "> ");
  beckon_cli_process_type (process, "n");
  beckon_cli_process_wait (process, "Done");
}

/* An answer to an edit ends the questions: for files that are written anew, and for what a command writes. It is none for what
 * a command deletes. */
static void
test_granted_by_edit (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *folder = make_folder (fixture);
  g_autofree char *sub = g_build_filename (folder, "sub", NULL);
  g_autofree char *path = g_build_filename (sub, "b.txt", NULL);

  if (!has_view (folder))
    {
      g_test_skip ("commands have no view of the folder here");
      return;
    }
  g_assert_cmpint (g_mkdir (sub, 0700), ==, 0);
  g_assert_true (g_file_set_contents (path, "two\n", -1, NULL));
  beckon_cli_fixture_script (fixture, beckon_script_call ("call_1", "edit_file",
                                                          "{\"path\":\"sub/b.txt\",\"old_text\":\"two\",\"new_text\":\"2\"}"));
  beckon_cli_fixture_script (fixture, beckon_script_call ("call_2", "write_file",
                                                          "{\"path\":\"other/c.txt\",\"content\":\"three\"}"));
  beckon_cli_fixture_script (fixture, beckon_script_call ("call_3", "run_command",
                                                          "{\"command\":\"echo more >>a.txt; echo d >sub/d.txt\"}"));
  beckon_cli_fixture_script (fixture, beckon_script_call ("call_4", "run_command", "{\"command\":\"mv sub/d.txt e.txt\"}"));
  beckon_cli_fixture_script (fixture, beckon_script_call ("call_5", "move_files",
                                                          "{\"moves\":[{\"from\":\"e.txt\",\"to\":\"sub/d.txt\"}]}"));
  beckon_cli_fixture_script (fixture, beckon_script_call ("call_6", "run_command", "{\"command\":\"rm gone.txt\"}"));
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "Go\n/here 3\nn\n", "chat", "--folder", folder, NULL), ==, 0);
  beckon_cli_assert_says (fixture->output, "Allowed in this conversation: Change or move files · everything in ");
  beckon_cli_assert_says (fixture->output, "  3: Change or move files · everything in ");
  assert_holds (sub, "b.txt", "2\n");
  assert_holds (folder, "other/c.txt", "three");
  assert_holds (folder, "a.txt", "one\nmore\n");
  assert_holds (sub, "d.txt", "d\n");
  assert_holds (folder, "gone.txt", "gone\n");
}

/* The card of what a command changed offers the same. */
static void
test_granted_by_changes (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *folder = make_folder (fixture);

  if (!has_view (folder))
    {
      g_test_skip ("commands have no view of the folder here");
      return;
    }
  beckon_cli_fixture_script (fixture, beckon_script_call ("call_1", "run_command", "{\"command\":\"echo more >>a.txt\"}"));
  beckon_cli_fixture_script (fixture, beckon_script_call ("call_2", "run_command",
                                                          "{\"command\":\"mkdir sub; echo d >sub/d.txt\"}"));
  beckon_cli_fixture_script (fixture, beckon_script_call ("call_3", "edit_file",
                                                          "{\"path\":\"a.txt\",\"old_text\":\"one\",\"new_text\":\"1\"}"));
  beckon_cli_fixture_script (fixture, beckon_script_call ("call_4", "run_command", "{\"command\":\"rm gone.txt\"}"));
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "Go\n/here 2\nn\n", "chat", "--folder", folder, NULL), ==, 0);
  beckon_cli_assert_says (fixture->output, "Keep the changes marked ✓ and don’t ask again");
  beckon_cli_assert_says (fixture->output, "  2: Change or move files · everything in ");
  assert_holds (folder, "a.txt", "1\nmore\n");
  assert_holds (folder, "sub/d.txt", "d\n");
  assert_holds (folder, "gone.txt", "gone\n");
}

/* The same from a script: the document lists what could be remembered. */
static void
test_granted_by_document (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *folder = make_folder (fixture);
  g_autoptr (JsonObject) document = ask (fixture, folder);

  if (document == NULL)
    return;
  g_assert_cmpuint (json_array_get_length (beckon_json_get_array (beckon_json_get_object (document, "changes"), "remember")), ==, 1);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "answer", beckon_json_get_string (document, "id"), "--json",
                                           "{\"kind\":\"kept\",\"remember\":{\"scope\":\"always\"}}", NULL), ==, 0);
  assert_holds (folder, "a.txt", "two\n");
  assert_holds (folder, ".envrc", NULL);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "policy", "test", "--folder", folder, "edit_file",
                                           "{\"path\":\"a.txt\",\"old_text\":\"two\",\"new_text\":\"2\"}", NULL), ==, 0);
  beckon_cli_assert_says (fixture->output, "allow");
}

/* A command in the background is named when it begins and when it has ended, which a person brings about while the model thinks. */
static void
test_background (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *folder = make_folder (fixture);
  g_autoptr (BeckonCliProcess) process = NULL;

  if (!has_view (folder))
    {
      g_test_skip ("commands have no view of the folder here");
      return;
    }
  beckon_cli_fixture_script (fixture, beckon_script_call ("call_1", "run_command",
                                                          "{\"command\":\"echo hi >made; sleep 1000\",\"background\":true}"));
  beckon_cli_fixture_script (fixture, beckon_script_held ("I think", "gate", " so"));
  process = beckon_cli_process_new_in_terminal (fixture, "chat", "--folder", folder, "--mode", "outside", NULL);
  beckon_cli_process_wait (process, "> ");
  beckon_cli_process_type (process, "/end");
  beckon_cli_process_wait (process, "Nothing runs in the background.");
  beckon_cli_process_type (process, "Go");
  beckon_cli_process_wait (process, "▸ Running echo hi >made; sleep 1000 (in the background)");
  beckon_cli_process_wait (process, "/keep keeps it running.");
  beckon_cli_process_wait (process, "I think");
  assert_holds (folder, "made", NULL);
  beckon_cli_process_type (process, "/end");
  beckon_cli_process_wait (process, " Ran echo hi >made; sleep 1000");
  beckon_cli_process_wait (process, "Made 1 file");
  assert_holds (folder, "made", "hi\n");
  beckon_fixture_server_release (fixture->server, "gate");
  beckon_cli_process_wait (process, "so");
}

/* A command ends with the turn, and a person reads that; one that they keep goes on beside their next message. */
static void
test_background_kept (void)
{
  static const char arguments[] = "{\"command\":\"echo hi >made; sleep 1000\",\"background\":true}";
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *folder = make_folder (fixture);
  g_autofree char *made = g_build_filename (folder, "made", NULL);
  g_autoptr (BeckonCliProcess) process = NULL;

  if (!has_view (folder))
    {
      g_test_skip ("commands have no view of the folder here");
      return;
    }
  beckon_cli_fixture_script (fixture, beckon_script_call ("call_1", "run_command", arguments));
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("It runs"));
  process = beckon_cli_process_new_in_terminal (fixture, "chat", "--folder", folder, "--mode", "outside", NULL);
  beckon_cli_process_wait (process, "> ");
  beckon_cli_process_type (process, "/keep");
  beckon_cli_process_wait (process, "Nothing runs in the background.");
  beckon_cli_process_type (process, "Go");
  beckon_cli_process_wait (process, " Ran echo hi >made; sleep 1000");
  beckon_cli_process_wait (process, "Ended with the turn.\r\n");
  beckon_cli_process_wait (process, "Made 1 file");
  g_assert_cmpint (g_unlink (made), ==, 0);

  beckon_cli_fixture_script (fixture, beckon_script_call ("call_2", "run_command", arguments));
  beckon_cli_fixture_script (fixture, beckon_script_held ("I think", "gate", " so"));
  beckon_cli_process_type (process, "Again");
  beckon_cli_process_wait (process, "I think");
  beckon_cli_process_type (process, "/keep");
  beckon_cli_process_wait (process, "keep running when the turn ends");
  beckon_fixture_server_release (fixture->server, "gate");
  beckon_cli_process_wait (process, "so");
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Still there"));
  beckon_cli_process_type (process, "And?");
  beckon_cli_process_wait (process, "Still there");
  assert_holds (folder, "made", NULL);
  beckon_cli_process_type (process, "/end");
  beckon_cli_process_wait (process, "Made 1 file");
  assert_holds (folder, "made", "hi\n");
}

/* A program that leaves at a question ends what it left running, and the one that goes on with the answer tells the model. */
static void
test_background_left (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *folder = make_folder (fixture);
  g_autoptr (JsonObject) document = NULL;
  g_autofree char *told = NULL;

  if (!has_view (folder))
    {
      g_test_skip ("commands have no view of the folder here");
      return;
    }
  beckon_cli_fixture_script (fixture, beckon_script_call ("call_1", "run_command",
                                                          "{\"command\":\"echo hi >made; sleep 1000\",\"background\":true}"));
  beckon_cli_fixture_script (fixture, beckon_script_ask ("call_2"));
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done"));
  g_assert_cmpint (
    beckon_cli_fixture_run (fixture, NULL, "run", "--folder", folder, "--mode", "outside", "--detach-on-ask", "Go", NULL), ==, 10);
  document = parse (fixture->output);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "answer", beckon_json_get_string (document, "id"), "8080", NULL), ==, 0);
  told = beckon_agent_dup_result (beckon_fixture_server_get_request (fixture->server, 2), "call_1");
  beckon_cli_assert_says (told, "[It goes on in the background as output:1");
  beckon_cli_assert_says (beckon_fixture_server_get_request (fixture->server, 2)->body,
                          "[The command “echo hi >made; sleep 1000”, which ran in the background, has ended.]\\nThe program ended "
                          "while this ran in the background");
  assert_holds (folder, "made", NULL);
}

/* A person who leaves a chat ends what they kept running there. They are told, and so is the model behind their next message. */
static void
test_background_quit (gconstpointer keys)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *folder = make_folder (fixture);
  g_autofree char *id = NULL;
  g_autoptr (BeckonCliProcess) process = NULL;

  if (!has_view (folder))
    {
      g_test_skip ("commands have no view of the folder here");
      return;
    }
  beckon_cli_fixture_script (fixture,
                             beckon_script_call ("call_1", "run_command", "{\"command\":\"sleep 1000\",\"background\":true}"));
  beckon_cli_fixture_script (fixture, beckon_script_held ("I think", "gate", " so"));
  process = beckon_cli_process_new_in_terminal (fixture, "chat", "--folder", folder, "--mode", "outside", NULL);
  beckon_cli_process_wait (process, "> ");
  beckon_cli_process_type (process, "Go");
  beckon_cli_process_wait (process, "I think");
  beckon_cli_process_type (process, "/keep");
  beckon_cli_process_wait (process, "keep running when the turn ends");
  beckon_fixture_server_release (fixture->server, "gate");
  beckon_cli_process_wait (process, "Running in the background");
  beckon_cli_process_press (process, keys);
  beckon_cli_process_wait (process, "Ran sleep 1000");
  g_assert_cmpint (beckon_cli_process_reap (process), ==, 0);

  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "list", NULL), ==, 0);
  id = g_strndup (fixture->output, strcspn (fixture->output, " "));
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("I see"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "run", "-c", id, "And?", NULL), ==, 0);
  beckon_cli_assert_says (beckon_fixture_server_get_request (fixture->server, 2)->body,
                          "[output:1, which ran in the background, has ended. It was ended, because the program was ended");
}

static char *
find_conversation (BeckonCliFixture *fixture)
{
  g_autoptr (JsonObject) document = NULL;

  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "list", "--json", NULL), ==, 0);
  document = parse (fixture->output);
  return g_strdup (beckon_json_get_string (
    json_array_get_object_element (beckon_json_get_array (document, "conversations"), 0), "id"));
}

/* In a chat the last turn that changed something is undone, and the model reads that with the next message. */
static void
test_undo_in_chat (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *folder = make_folder (fixture);
  g_autoptr (BeckonCliProcess) process = NULL;

  beckon_cli_fixture_script (fixture, beckon_script_call ("call_1", "write_file", "{\"path\":\"new.txt\",\"content\":\"hi\"}"));
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Written"));
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Nothing done"));
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("I see"));
  process = beckon_cli_process_new_in_terminal (fixture, "chat", "--folder", folder, "--mode", "outside", NULL);
  beckon_cli_process_wait (process, "> ");
  beckon_cli_process_type (process, "/undo");
  beckon_cli_process_wait (process, "There is nothing to undo here.");
  beckon_cli_process_type (process, "Go");
  beckon_cli_process_wait (process, "new.txt");
  beckon_cli_process_wait (process, "\nWritten");
  assert_holds (folder, "new.txt", "hi");
  beckon_cli_process_type (process, "Wait");
  beckon_cli_process_wait (process, "Nothing done");
  /* The turn is over. */
  beckon_cli_process_wait (process, "> ");
  beckon_cli_process_type (process, "/undo");
  beckon_cli_process_wait (process, "1 file deleted");
  assert_holds (folder, "new.txt", NULL);
  beckon_cli_process_wait (process, "> ");
  beckon_cli_process_type (process, "/compact");
  beckon_cli_process_wait (process, "There is nothing here yet that a summary would make shorter.");
  beckon_cli_process_type (process, "And now?");
  beckon_cli_process_wait (process, "I see");
  beckon_cli_assert_says (beckon_fixture_server_get_request (fixture->server, 3)->body,
                          "as they were before them: write_file new.txt.");
}

/* The turn that another process made again meanwhile is the latest one, and is undone again. */
static void
test_undo_after_redo (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *folder = make_folder (fixture);
  g_autoptr (BeckonCliProcess) process = NULL;
  g_autofree char *conversation = NULL;

  beckon_cli_fixture_script (fixture, beckon_script_call ("call_1", "write_file", "{\"path\":\"one.txt\",\"content\":\"1\"}"));
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("One done"));
  beckon_cli_fixture_script (fixture, beckon_script_call ("call_2", "write_file", "{\"path\":\"two.txt\",\"content\":\"2\"}"));
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Two done"));
  process = beckon_cli_process_new_in_terminal (fixture, "chat", "--folder", folder, "--mode", "outside", NULL);
  beckon_cli_process_wait (process, "> ");
  beckon_cli_process_type (process, "Write one");
  beckon_cli_process_wait (process, "One done");
  beckon_cli_process_wait (process, "> ");
  beckon_cli_process_type (process, "Write two");
  beckon_cli_process_wait (process, "Two done");
  beckon_cli_process_wait (process, "> ");
  conversation = find_conversation (fixture);
  for (guint i = 0; i < 3; i++)
    {
      beckon_cli_process_type (process, "/undo");
      beckon_cli_process_wait (process, "Undoing what followed “Write two”:");
      beckon_cli_process_wait (process, "1 file deleted");
      beckon_cli_process_wait (process, "/redo makes these changes again.");
      beckon_cli_process_wait (process, "> ");
      assert_holds (folder, "one.txt", "1");
      assert_holds (folder, "two.txt", NULL);
      g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "undo", "--turn", conversation, "--redo", NULL), ==, 0);
      assert_holds (folder, "two.txt", "2");
    }
  for (guint i = 0; i < 2; i++)
    {
      beckon_cli_process_type (process, "/undo");
      beckon_cli_process_wait (process, i == 0 ? "“Write two”" : "“Write one”");
      beckon_cli_process_wait (process, "/redo makes");
      beckon_cli_process_wait (process, "> ");
    }
  assert_holds (folder, "one.txt", NULL);
  for (guint i = 0; i < 2; i++)
    {
      beckon_cli_process_type (process, "/redo");
      beckon_cli_process_wait (process, "1 file redone");
      beckon_cli_process_wait (process, "> ");
      assert_holds (folder, "one.txt", "1");
      assert_holds (folder, "two.txt", i == 0 ? NULL : "2");
    }
}

/* While a card is open, what runs beside it has no live line below the card. */
static void
test_no_clock_below_a_card (void)
{
  const BeckonScriptCall calls[] = { { "call_1", "ask_user", "{\"question\":\"Which port?\",\"wait\":false}" },
                                     { "call_2", "run_command", "{\"command\":\"sleep 5\"}" } };
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *folder = make_folder (fixture);
  g_autoptr (BeckonCliProcess) process = NULL;

  if (!has_view (folder))
    {
      g_test_skip ("commands have no view of the folder here");
      return;
    }
  beckon_cli_fixture_script (fixture, beckon_script_calls (NULL, calls, 2, "tool_calls"));
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Slept"));
  process = beckon_cli_process_new_in_terminal (fixture, "chat", "--folder", folder, "--mode", "outside", NULL);
  beckon_cli_process_wait (process, "> ");
  beckon_cli_process_type (process, "Go");
  beckon_cli_process_wait (process, "Which port?");
  beckon_cli_process_wait (process, " Ran sleep 5");
  g_assert_null (strstr (process->all->str, "Running sleep 5"));
}

/* A command that failed says its status and its error, or what it said last; caches alone are no news. */
static void
test_failed (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *folder = make_folder (fixture);

  if (!has_view (folder))
    {
      g_test_skip ("commands have no view of the folder here");
      return;
    }
  beckon_cli_fixture_script (fixture, beckon_script_call ("call_1", "run_command",
                                                          "{\"command\":\"mkdir __pycache__; echo x >__pycache__/a.pyc; echo first; "
                                                          "echo E: the cause; echo -----; exit 2\"}"));
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done"));
  beckon_cli_fixture_run (fixture, NULL, "run", "--folder", folder, "--mode", "outside", "Go", NULL);
  beckon_cli_assert_says (fixture->errors, "\n  Exited with 2: E: the cause\n");
  g_assert_null (strstr (fixture->errors, "beckonctl undo"));

  beckon_cli_fixture_script (fixture, beckon_script_call ("call_2", "run_command",
                                                          "{\"command\":\"echo Error: no port; echo   at listen; echo Node 20; "
                                                          "exit 1\"}"));
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done"));
  beckon_cli_fixture_run (fixture, NULL, "run", "--folder", folder, "--mode", "outside", "Go", NULL);
  beckon_cli_assert_says (fixture->errors, "\n  Exited with 1: Error: no port\n");
}

/* The live line of a command that runs long is gone when it has ended. */
static void
test_clock (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *folder = make_folder (fixture);
  g_autoptr (BeckonCliProcess) process = NULL;

  if (!has_view (folder))
    {
      g_test_skip ("commands have no view of the folder here");
      return;
    }
  beckon_cli_fixture_script (fixture, beckon_script_call ("call_1", "run_command", "{\"command\":\"sleep 4\"}"));
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Slept"));
  process = beckon_cli_process_new_in_terminal (fixture, "chat", "--folder", folder, "--mode", "outside", NULL);
  beckon_cli_process_wait (process, "> ");
  beckon_cli_process_type (process, "Go");
  beckon_cli_process_wait (process, "▸ Running sleep 4 · 0:03 · Ctrl+C stops");
  beckon_cli_process_wait (process, "\r\033[K");
  beckon_cli_process_wait (process, " Ran sleep 4");
}

/* The step of a plan that runs has the clock: one line can be taken back, a list of steps cannot. Changes of its steps are told
 * with how they are undone, and Escape stops it. */
static void
test_plan_clock (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *folder = make_folder (fixture);
  g_autoptr (BeckonCliProcess) process = NULL;
  g_autofree char *id = NULL;

  if (!has_view (folder))
    {
      g_test_skip ("commands have no view of the folder here");
      return;
    }
  beckon_cli_fixture_script (fixture,
                             beckon_script_call ("call_1", "propose_plan",
                                                 "{\"title\":\"Rest\",\"steps\":[{\"id\":\"a\",\"tool\":\"run_command\","
                                                 "\"arguments\":{\"command\":\"echo hi >made\"}},{\"id\":\"b\",\"tool\":\"run_command\","
                                                 "\"arguments\":{\"command\":\"sleep 1000\"}}]}"));
  process = beckon_cli_process_new_in_terminal (fixture, "chat", "--folder", folder, "--mode", "outside", NULL);
  beckon_cli_process_wait (process, "> ");
  beckon_cli_process_type (process, "Go");
  beckon_cli_process_wait (process, "Accept and run");
  beckon_cli_process_wait (process, "\n> ");
  beckon_cli_process_type (process, "1");
  beckon_cli_process_wait (process, "▸ Running sleep 1000 · 0:03 · Ctrl+C stops");
  beckon_cli_process_press (process, "\033");
  beckon_cli_process_wait (process, "■\033[0m Plan: Rest");
  beckon_cli_process_wait (process, "✓ 1. ");
  beckon_cli_process_wait (process, "■ 2. Run sleep 1000 (stopped)");
  beckon_cli_process_wait (process, "Made 1 file\r\n");
  beckon_cli_process_wait (process, "Stopped");
  beckon_cli_process_wait (process, "> ");
  beckon_cli_process_type (process, "/quit");
  beckon_cli_process_finish (process);
  assert_holds (folder, "made", "hi\n");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "undo", NULL), ==, 0);
  id = g_strndup (fixture->output, strcspn (fixture->output, " "));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "undo", id, NULL), ==, 0);
  assert_holds (folder, "made", NULL);
}

static char *
find_message (BeckonCliFixture *fixture, const char *conversation, guint number)
{
  g_autoptr (JsonObject) document = NULL;
  JsonArray *messages;

  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "show", "--json", conversation, NULL), ==, 0);
  document = parse (fixture->output);
  messages = beckon_json_get_array (beckon_json_get_object (document, "conversation"), "messages");
  return g_strdup (beckon_json_get_string (json_array_get_object_element (messages, number), "id"));
}

/* A command by its id, and all since a message: seen before, undone, made again. */
static void
test_undo (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *folder = make_folder (fixture);
  g_autoptr (JsonObject) document = ask (fixture, folder);
  g_autoptr (JsonObject) listed = NULL;
  g_autofree char *id = NULL;
  g_autofree char *conversation = NULL;
  g_autofree char *message = NULL;
  g_autofree char *mine = g_build_filename (folder, "a.txt", NULL);
  JsonObject *change;

  if (document == NULL)
    return;

  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "answer", beckon_json_get_string (document, "id"), "k", "all",
                                           NULL), ==, 0);
  assert_holds (folder, ".envrc", "layout x\n");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "undo", NULL), ==, 0);
  beckon_cli_assert_says (fixture->output, ": Changed 1 file");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "undo", "--json", NULL), ==, 0);
  listed = parse (fixture->output);
  change = json_array_get_object_element (beckon_json_get_array (listed, "changes"), 0);
  id = g_strdup (beckon_json_get_string (change, "id"));
  g_assert_cmpuint (json_array_get_length (beckon_json_get_array (change, "files")), >=, 4);

  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "undo", "--dry-run", id, NULL), ==, 0);
  beckon_cli_assert_says (fixture->output, "a.txt: restored");
  beckon_cli_assert_says (fixture->output, "nothing has changed yet");
  assert_holds (folder, "a.txt", "two\n");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "undo", id, NULL), ==, 0);
  g_assert_true (g_str_has_prefix (fixture->output, "Undone: Changed 1 file"));
  assert_holds (folder, "a.txt", "one\n");
  assert_holds (folder, "gone.txt", "gone\n");
  assert_holds (folder, "new/b.txt", NULL);
  assert_holds (folder, ".envrc", NULL);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "undo", id, NULL), ==, 1);
  beckon_cli_assert_says (fixture->errors, "undone already");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "undo", "--redo", id, NULL), ==, 0);
  g_assert_true (g_str_has_prefix (fixture->output, "Redone: Changed 1 file"));
  assert_holds (folder, "a.txt", "two\n");
  assert_holds (folder, "gone.txt", NULL);

  conversation = find_conversation (fixture);
  message = find_message (fixture, conversation, 0);
  g_assert_true (g_file_set_contents (mine, "by hand\n", -1, NULL));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "undo", "--since", message, "--dry-run", "--json", NULL), ==, 0);
  beckon_cli_assert_says (fixture->output, "\"dry_run\":true");
  beckon_cli_assert_says (fixture->output, "\"refused\"");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "undo", "--since", message, NULL), ==, 4);
  beckon_cli_assert_says (fixture->output, "a.txt: left alone");
  assert_holds (folder, "a.txt", "by hand\n");
  assert_holds (folder, "gone.txt", "gone\n");
  assert_holds (folder, "new/b.txt", NULL);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "undo", "--turn", conversation, "--redo", NULL), ==, 0);
  assert_holds (folder, "a.txt", "by hand\n");
  assert_holds (folder, "new/b.txt", "hi\n");

  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "provenance", "--event", "undone", NULL), ==, 0);
  beckon_cli_assert_says (fixture->output, "\"terminal\"");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "provenance", "--text", NULL), ==, 0);
  beckon_cli_assert_says (fixture->output, "  landed  run_command");
  beckon_cli_assert_says (fixture->output, "  redone  run_command");
  beckon_cli_assert_says (fixture->output, "  settled  run_command  answered · terminal · ");
  g_assert_null (strstr (fixture->output, "{\""));
}

static char *
find_call (BeckonCliFixture *fixture, guint number)
{
  g_autoptr (JsonObject) listed = NULL;

  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "undo", "--json", NULL), ==, 0);
  listed = parse (fixture->output);
  return g_strdup (beckon_json_get_string (
    json_array_get_object_element (beckon_json_get_array (listed, "changes"), number), "id"));
}

/* Undone one after the other, each by a process of its own, which knows nothing of the others. */
static void
test_one_by_one (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *folder = make_folder (fixture);
  g_autoptr (JsonObject) document = ask (fixture, folder);
  g_autofree char *made = g_build_filename (folder, "new", NULL);
  g_autofree char *later = NULL;
  g_autofree char *earlier = NULL;

  if (document == NULL)
    return;

  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "answer", beckon_json_get_string (document, "id"), "k", "all",
                                           NULL), ==, 0);
  beckon_cli_fixture_script (fixture, beckon_script_call ("call_2", "run_command",
                                                          "{\"command\":\"echo more >>new/b.txt; echo three >a.txt\"}"));
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "run", "--folder", folder, "--mode", "outside", "Go", NULL), ==, 0);
  assert_holds (folder, "new/b.txt", "hi\nmore\n");
  beckon_cli_assert_says (fixture->errors, "Changed 2 files (undo: beckonctl undo ");
  later = find_call (fixture, 0);
  earlier = find_call (fixture, 1);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "undo", later, NULL), ==, 0);
  assert_holds (folder, "new/b.txt", "hi\n");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "undo", earlier, NULL), ==, 0);
  g_assert_cmpstr (fixture->errors, ==, "");
  assert_holds (folder, "a.txt", "one\n");
  g_assert_false (g_file_test (made, G_FILE_TEST_EXISTS));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "undo", "--redo", earlier, NULL), ==, 0);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "undo", "--redo", later, NULL), ==, 0);
  g_assert_cmpstr (fixture->errors, ==, "");
  assert_holds (folder, "a.txt", "three\n");
  assert_holds (folder, "new/b.txt", "hi\nmore\n");
}

/* A command line that says two things, or nothing, changes nothing. */
static void
test_misused (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();

  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "undo", "--since", "A", "--turn", "B", NULL), ==, 2);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "undo", "--dry-run", NULL), ==, 2);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "undo", "--dry-run", "--redo", "A", NULL), ==, 2);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "undo", "--since", "0000", NULL), ==, 1);
  beckon_cli_assert_says (fixture->errors, "Message not found");
}

/* A step that failed is told with its reason, and one of which something was left out of the folder is not called done. */
static void
test_plan_losses (void)
{
  static const char plan[]
    = "{\"title\":\"Make\",\"steps\":["
      "{\"id\":\"two\",\"tool\":\"run_command\",\"arguments\":{\"command\":\"touch one.txt two.txt\"}},"
      "{\"id\":\"fail\",\"tool\":\"run_command\",\"arguments\":{\"command\":\"echo 'error: no tests'; exit 3\"}}]}";
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *folder = make_folder (fixture);
  g_autoptr (BeckonCliProcess) process = NULL;

  if (!has_view (folder))
    {
      g_test_skip ("commands have no view of the folder here");
      return;
    }
  beckon_cli_fixture_script (fixture, beckon_script_call ("call_1", "propose_plan", plan));
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done"));
  process = beckon_cli_process_new_in_terminal (fixture, "chat", "--folder", folder, "--mode", "changes", NULL);
  beckon_cli_process_wait (process, "> ");
  beckon_cli_process_type (process, "Go");
  beckon_cli_process_wait (process, "Accept and run");
  beckon_cli_process_wait (process, "> ");
  beckon_cli_process_type (process, "1");
  beckon_cli_process_wait (process, "2. new: two.txt");
  beckon_cli_process_wait (process, "> ");
  beckon_cli_process_type (process, "x 2");
  beckon_cli_process_wait (process, "> ");
  beckon_cli_process_type (process, "k");
  beckon_cli_process_wait (process, "✗\033[0m Plan: Make\r\n– 1. ");
  beckon_cli_process_wait (process, "(ran, some changes not saved)\r\n✗ 2. ");
  beckon_cli_process_wait (process, "\r\n     Exited with 3: error: no tests\r\n");
  beckon_cli_process_wait (process, "> ");
  beckon_cli_process_type (process, "/quit");
  g_assert_cmpint (beckon_cli_process_finish (process), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/granted/by-edit", test_granted_by_edit);
  g_test_add_func ("/cli/granted/by-changes", test_granted_by_changes);
  g_test_add_func ("/cli/granted/by-document", test_granted_by_document);
  g_test_add_func ("/cli/background", test_background);
  g_test_add_func ("/cli/background-kept", test_background_kept);
  g_test_add_func ("/cli/background-left", test_background_left);
  g_test_add_data_func ("/cli/background-quit", "/quit\n", test_background_quit);
  g_test_add_data_func ("/cli/background-end-of-input", "\004", test_background_quit);
  g_test_add_func ("/cli/undo/in-chat", test_undo_in_chat);
  g_test_add_func ("/cli/undo/after-redo", test_undo_after_redo);
  g_test_add_func ("/cli/clock", test_clock);
  g_test_add_func ("/cli/failed", test_failed);
  g_test_add_func ("/cli/no-clock-below-a-card", test_no_clock_below_a_card);
  g_test_add_func ("/cli/plan-losses", test_plan_losses);
  g_test_add_func ("/cli/plan-clock", test_plan_clock);
  g_test_add_func ("/cli/undo/answer", test_answer);
  g_test_add_func ("/cli/undo/keep", test_keep);
  g_test_add_func ("/cli/undo/outside", test_outside);
  g_test_add_func ("/cli/undo/deny", test_deny);
  g_test_add_func ("/cli/undo/events", test_events);
  g_test_add_func ("/cli/undo/conflict", test_conflict);
  g_test_add_func ("/cli/undo/moved", test_moved);
  g_test_add_func ("/cli/undo/unasked", test_unasked);
  g_test_add_func ("/cli/undo/leave-out-all", test_leave_out_all);
  g_test_add_func ("/cli/undo/chat", test_chat);
  g_test_add_func ("/cli/undo/folder", test_folder);
  g_test_add_func ("/cli/undo/undo", test_undo);
  g_test_add_func ("/cli/undo/one-by-one", test_one_by_one);
  g_test_add_func ("/cli/undo/misused", test_misused);
  return g_test_run ();
}
