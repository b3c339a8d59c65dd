/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-cli-fixture.h"

#include "beckon-agent-fixture.h"

#include <string.h>

/* Approvals in the terminal: what will happen itself is on it before a reply is read. */

#define RED "\033[31m"
#define GREEN "\033[32m"
#define PLAIN "\033[0m"

typedef struct
{
  BeckonCliFixture *cli;
  char *folder;
  char *path;
} Fixture;

static void
fixture_clear (Fixture *fixture)
{
  beckon_cli_fixture_free (fixture->cli);
  g_free (fixture->folder);
  g_free (fixture->path);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Fixture, fixture_clear)

/* A folder with notes.txt, and a model that makes these calls in one reply. */
static void
fixture_begin_calls (Fixture *fixture, const char *text, const BeckonScriptCall *calls, guint n)
{
  fixture->cli = beckon_cli_fixture_new_with_model ();
  fixture->folder = g_build_filename (fixture->cli->home, "proj", NULL);
  fixture->path = g_build_filename (fixture->folder, "notes.txt", NULL);
  g_assert_cmpint (g_mkdir_with_parents (fixture->folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (fixture->path, text, -1, NULL));
  beckon_cli_fixture_script (fixture->cli, beckon_script_calls (NULL, calls, n, "tool_calls"));
  beckon_cli_fixture_script (fixture->cli, beckon_fixture_reply_new_chat ("Done"));
}

static void
fixture_begin (Fixture *fixture, const char *text, const char *tool, const char *arguments)
{
  fixture_begin_calls (fixture, text, &(BeckonScriptCall){ "call_1", tool, arguments }, 1);
}

static void
assert_file (Fixture *fixture, const char *text)
{
  g_autofree char *found = NULL;

  g_assert_true (g_file_get_contents (fixture->path, &found, NULL, NULL));
  g_assert_cmpstr (found, ==, text);
}

static BeckonCliProcess *
begin (Fixture *fixture)
{
  BeckonCliProcess *process
      = beckon_cli_process_new_in_terminal (fixture->cli, "chat", "--folder", fixture->folder, NULL);

  beckon_cli_process_wait (process, "> ");
  beckon_cli_process_type (process, "Go");
  return process;
}

static void
end (BeckonCliProcess *process)
{
  beckon_cli_process_wait (process, "Done");
  beckon_cli_process_wait (process, "> ");
  beckon_cli_process_type (process, "/quit");
  g_assert_cmpint (beckon_cli_process_finish (process), ==, 0);
}

#define EDIT "{\"path\":\"notes.txt\",\"old_text\":\"Deadline: Friday\",\"new_text\":\"Deadline: Monday\"}"

/* The sentence of the window's card, the difference in colours, the choices; then it is written. */
static void
test_edit (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (BeckonCliProcess) process = NULL;

  fixture_begin (&fixture, "To do\nDeadline: Friday\n", "edit_file", EDIT);
  process = begin (&fixture);
  beckon_cli_process_wait (process, "◇ ");
  beckon_cli_process_wait (process, "Edit notes.txt +1 −1 in ~/proj" PLAIN "\r\n"
                                    " To do\r\n"
                                    RED "-Deadline: Friday" PLAIN "\r\n"
                                    GREEN "+Deadline: Monday" PLAIN "\r\n"
                                    "1. Run\r\n2. Deny\r\n3. Stop\r\n");
  beckon_cli_process_wait (process, "> ");
  assert_file (&fixture, "To do\nDeadline: Friday\n");
  beckon_cli_process_type (process, "1");
  end (process);
  assert_file (&fixture, "To do\nDeadline: Monday\n");
}

/* Changed arguments are shown as what they would change before they run, and are no ground for a rule. */
static void
test_changed_arguments (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (BeckonCliProcess) process = NULL;

  fixture_begin (&fixture, "To do\nDeadline: Friday\n", "edit_file", EDIT);
  process = begin (&fixture);
  beckon_cli_process_wait (process, "+Deadline: Monday");
  beckon_cli_process_wait (process, "> ");
  beckon_cli_process_type (process, "{\"new_text\":7}");
  beckon_cli_process_wait (process, "new_text");
  beckon_cli_process_wait (process, "> ");
  beckon_cli_process_type (process, "{\"new_text\":\"Deadline: Sunday\\nBring cake\"}");
  beckon_cli_process_wait (process, "Edit notes.txt +2 −1 in ~/proj");
  beckon_cli_process_wait (process, "+Deadline: Sunday");
  beckon_cli_process_wait (process, "+Bring cake");
  beckon_cli_process_wait (process, "> ");
  assert_file (&fixture, "To do\nDeadline: Friday\n");
  beckon_cli_process_type (process, "/always 1");
  beckon_cli_process_wait (process, "Rules are about calls as they were proposed.");
  beckon_cli_process_wait (process, "> ");
  beckon_cli_process_type (process, "1");
  end (process);
  assert_file (&fixture, "To do\nDeadline: Sunday\nBring cake\n");
}

/* A card that a rule covers which was given with another one is not shown any more. */
static void
test_covered (void)
{
  const BeckonScriptCall calls[] = {
    { "call_1", "edit_file", EDIT },
    { "call_2", "write_file", "{\"path\":\"out.txt\",\"content\":\"One\\n\"}" },
  };
  g_auto (Fixture) fixture = { 0 };

  fixture_begin_calls (&fixture, "To do\nDeadline: Friday\n", calls, G_N_ELEMENTS (calls));
  g_assert_cmpint (beckon_cli_fixture_run (fixture.cli, "Go\n/here 2\n", "chat", "--folder", fixture.folder, NULL), ==, 0);
  beckon_cli_assert_says (fixture.cli->output, "1 more decision is waiting.");
  beckon_cli_assert_says (fixture.cli->output, "Wrote out.txt");
  g_assert_null (strstr (fixture.cli->output, "◇ Write out.txt"));
}

/* The line of an approved call stands above the next card. */
static void
test_outcome_above (void)
{
  const BeckonScriptCall calls[] = {
    { "call_1", "edit_file", EDIT },
    { "call_2", "write_file", "{\"path\":\"out.txt\",\"content\":\"One\\n\"}" },
  };
  g_auto (Fixture) fixture = { 0 };
  const char *edited, *card;

  fixture_begin_calls (&fixture, "To do\nDeadline: Friday\n", calls, G_N_ELEMENTS (calls));
  g_assert_cmpint (beckon_cli_fixture_run (fixture.cli, "Go\n1\n1\n", "chat", "--folder", fixture.folder, NULL), ==, 0);
  edited = strstr (fixture.cli->output, "Edited notes.txt");
  card = strstr (fixture.cli->output, "◇ Write out.txt");
  g_assert_nonnull (card);
  g_assert_true (edited != NULL && edited < card);
}

/* Without a terminal there are no colours. */
static void
test_piped (void)
{
  g_auto (Fixture) fixture = { 0 };

  fixture_begin (&fixture, "Old\n", "write_file", "{\"path\":\"out.txt\",\"content\":\"One\\nTwo\\n\"}");
  g_assert_cmpint (beckon_cli_fixture_run (fixture.cli, "Go\n2\n", "chat", "--folder", fixture.folder, NULL), ==, 0);
  beckon_cli_assert_says (fixture.cli->output, "◇ Write out.txt new, 2 lines in ~/proj\n+One\n+Two\n1. Run\n");
  g_assert_null (strchr (fixture.cli->output, '\033'));
}

/* A change that was made is told with its numbers; how a model has to write its calls is not told to the person. */
static void
test_numbers (void)
{
  g_auto (Fixture) fixture = { 0 };

  fixture_begin (&fixture, "Old\n", "write_file", "{\"path\":\"notes.txt\",\"content\":\"One\\nTwo\\n\"}");
  g_assert_cmpint (beckon_cli_fixture_run (fixture.cli, "Go\n1\n", "chat", "--folder", fixture.folder, NULL), ==, 0);
  beckon_cli_assert_says (fixture.cli->output, "✓ Wrote notes.txt  +2 −1\n");
}

static void
test_unclear (void)
{
  g_auto (Fixture) fixture = { 0 };

  fixture_begin (&fixture, "Old\n", "write_file", "{\"path\":\"notes.txt\",\"text\":1}");
  g_assert_cmpint (beckon_cli_fixture_run (fixture.cli, "Go\n", "chat", "--folder", fixture.folder, NULL), ==, 0);
  beckon_cli_assert_says (fixture.cli->output, "✗ Write notes.txt\n  The call could not be understood; the model was told why.\n");
}

/* Why a call failed is told, not how its arguments were read. */
static void
test_reason (void)
{
  g_auto (Fixture) fixture = { 0 };

  fixture_begin (&fixture, "Old\n", "edit_file", "{\"file_path\":\"notes.txt\",\"old_text\":\"zzz\",\"new_text\":\"\"}");
  g_assert_cmpint (beckon_cli_fixture_run (fixture.cli, "Go\n", "chat", "--mode", "outside", "--folder", fixture.folder, NULL), ==,
                   0);
  beckon_cli_assert_says (fixture.cli->output, "✗ Edit notes.txt\n  The text to replace is not in “notes.txt”.\n");
}

/* A file that changes while its difference is on the screen is not written over. */
static void
test_changed_meanwhile (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (BeckonCliProcess) process = NULL;

  fixture_begin (&fixture, "Old\n", "write_file", "{\"path\":\"notes.txt\",\"content\":\"New\\n\"}");
  process = begin (&fixture);
  beckon_cli_process_wait (process, "+New");
  beckon_cli_process_wait (process, "> ");
  g_assert_true (g_file_set_contents (fixture.path, "My own\n", -1, NULL));
  beckon_cli_process_type (process, "1");
  beckon_cli_process_wait (process, "-My own");
  assert_file (&fixture, "My own\n");
}

/* A difference that is too long for the screen runs only once all of it was on it. */
static void
test_long (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (BeckonCliProcess) process = NULL;
  g_autoptr (GString) content = g_string_new (NULL);
  g_autofree char *arguments = NULL;

  for (guint i = 1; i <= 100; i++)
    g_string_append_printf (content, "Line %u\\n", i);
  arguments = g_strdup_printf ("{\"path\":\"out.txt\",\"content\":\"%s\"}", content->str);
  fixture_begin (&fixture, "Old\n", "write_file", arguments);
  g_free (fixture.path);
  fixture.path = g_build_filename (fixture.folder, "out.txt", NULL);
  process = begin (&fixture);
  beckon_cli_process_wait (process, "+Line 40" PLAIN "\r\n… 60 more lines\r\n");
  beckon_cli_process_wait (process, "Reply with /all");
  beckon_cli_process_wait (process, "> ");
  beckon_cli_process_type (process, "1");
  beckon_cli_process_wait (process, "+Line 100");
  beckon_cli_process_wait (process, "Reply once more to run it.");
  beckon_cli_process_wait (process, "> ");
  g_assert_false (g_file_test (fixture.path, G_FILE_TEST_EXISTS));
  beckon_cli_process_type (process, "1");
  end (process);
  g_assert_true (g_file_test (fixture.path, G_FILE_TEST_EXISTS));
}

/* The address stands there whole. */
static void
test_address (void)
{
  g_auto (Fixture) fixture = { 0 };

  fixture_begin (&fixture, "Old\n", "fetch_url", "{\"url\":\"https://example.org/a?b=c\"}");
  g_assert_cmpint (beckon_cli_fixture_run (fixture.cli, "Go\n/all\n2\n", "chat", "--folder", fixture.folder, NULL), ==, 0);
  beckon_cli_assert_says (fixture.cli->output, "◇ Fetch example.org\n");
  beckon_cli_assert_says (fixture.cli->output, "\n    https://example.org/a?b=c\n1. Run\n");
  beckon_cli_assert_says (fixture.cli->output, "{\"url\":\"https://example.org/a?b=c\"}\n");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/cli/approval/edit", test_edit);
  g_test_add_func ("/cli/approval/changed-arguments", test_changed_arguments);
  g_test_add_func ("/cli/approval/covered", test_covered);
  g_test_add_func ("/cli/approval/outcome-above", test_outcome_above);
  g_test_add_func ("/cli/approval/piped", test_piped);
  g_test_add_func ("/cli/approval/changed-meanwhile", test_changed_meanwhile);
  g_test_add_func ("/cli/approval/long", test_long);
  g_test_add_func ("/cli/approval/numbers", test_numbers);
  g_test_add_func ("/cli/approval/unclear", test_unclear);
  g_test_add_func ("/cli/approval/reason", test_reason);
  g_test_add_func ("/cli/approval/address", test_address);

  return g_test_run ();
}
