/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* memmem() */

#include "beckon-cli-fixture.h"

#include "beckon-llama.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>

static const BeckonFixtureRequest *
get_request (BeckonCliFixture *fixture, guint index)
{
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), >, index);
  return beckon_fixture_server_get_request (fixture->server, index);
}

static void
assert_sent (BeckonCliFixture *fixture, guint index, const char *history)
{
  g_autofree char *sent = beckon_agent_dump_request (get_request (fixture, index));

  g_assert_cmpstr (sent, ==, history);
}

static void
assert_tools (BeckonCliFixture *fixture, guint index, const char *names)
{
  g_autofree char *sent = beckon_agent_dump_tools (get_request (fixture, index));

  g_assert_cmpstr (sent, ==, names);
}

/* The id of the conversation is all that standard error says. */
static void
assert_names_conversation (BeckonCliFixture *fixture)
{
  g_assert_true (g_str_has_prefix (fixture->errors, "conversation: 0"));
  g_assert_cmpuint (strlen (fixture->errors), ==, strlen ("conversation: \n") + 26);
}

/* The reply and nothing else on the standard output; without a terminal nobody can be asked, and the model is not told of
 * a way to. */
static void
test_prints_reply (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *key = NULL;
  int status;

  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Hello yourself"));
  status = beckon_cli_fixture_run (fixture, "", "run", "Say", "hello", NULL);
  assert_names_conversation (fixture);
  g_assert_cmpstr (fixture->output, ==, "Hello yourself\n");
  g_assert_cmpint (status, ==, 0);
  assert_sent (fixture, 0, "user Say hello\n");
  assert_tools (fixture, 0, "get_current_time");
  key = beckon_fixture_request_dup_header (get_request (fixture, 0), "Authorization");
  g_assert_cmpstr (key, ==, "Bearer " BECKON_CLI_KEY);
}

/* Sources go to the notes, so that the reply itself can be used as it is. */
static void
test_sources (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();

  beckon_fixture_reply_add_stream_head (reply);
  beckon_fixture_reply_add_chat_text (reply, "Cats.");
  beckon_fixture_reply_add_chunk (reply, "data: {\"choices\":[{\"delta\":{\"annotations\":[{\"type\":\"url_citation\","
                                         "\"url_citation\":{\"url\":\"https://a.example/1\",\"title\":\"A \\u001b[31m\"}},"
                                         "{\"type\":\"url_citation\",\"url_citation\":{\"url\":\"javascript:x\"}}]}}]}\n\n", -1);
  beckon_fixture_reply_add_chat_finish (reply, "stop");
  beckon_fixture_reply_add_chat_done (reply);
  beckon_fixture_reply_add_last_chunk (reply);
  beckon_cli_fixture_script (fixture, reply);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "run", "Hello", NULL), ==, 0);
  g_assert_cmpstr (fixture->output, ==, "Cats.\n");
  beckon_cli_assert_says (fixture->errors, "· Sources:\n  1. A <U+001B>[31m\n     https://a.example/1\n");
  g_assert_null (strstr (fixture->errors, "javascript"));
}

/* The effort stays the conversation's, so that the next run asks for it, too. */
static void
test_effort (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();

  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Hello"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "run", "--effort", "high", "Say hello", NULL), ==, 0);
  g_assert_nonnull (strstr (get_request (fixture, 0)->body, "\"reasoning_effort\":\"high\""));
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Again"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "More\n", "chat", "--last", NULL), ==, 0);
  g_assert_nonnull (strstr (get_request (fixture, 1)->body, "\"reasoning_effort\":\"high\""));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "run", "--effort", "extreme", "Say hello", NULL), ==, 2);
  beckon_cli_assert_says (fixture->errors, "“off”, “low”, “medium”, “high”, “max” or “default”");
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 2);
}

static void
test_tool (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();

  beckon_cli_fixture_script (fixture, beckon_script_call ("call_1", "get_current_time", "{}"));
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Late"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "run", "What time is it?", NULL), ==, 0);
  g_assert_cmpstr (fixture->output, ==, "Late\n");
  beckon_cli_assert_says (fixture->errors, "✓ Looked at the clock\n");
}

/* A model server on this computer that is still loading is waited for, and each call runs once. */
static void
test_llama (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autoptr (BeckonLlama) llama = beckon_llama_new ();

  beckon_llama_set_window (llama, 100000);
  beckon_llama_set_loading (llama, 1);
  beckon_fixture_server_set_handler (fixture->server, beckon_llama_play, llama);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "set", "Fixture", "--kind", "responses", NULL), ==, 0);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "run", "Call get_current_time({}) twice: get_current_time({})", NULL), ==, 0);
  beckon_cli_assert_says (fixture->output, "It says: ");
  beckon_cli_assert_says (fixture->errors, "is still loading the model");
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 3);
  g_assert_true (g_str_has_suffix (get_request (fixture, 2)->path, "/responses"));
}

/* A model that asks all the same gets an error and goes on. */
static void
test_asked_all_the_same (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *result = NULL;

  beckon_cli_fixture_script (fixture, beckon_script_ask ("call_1"));
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Then 8080"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "8080\n", "run", "Set it up", NULL), ==, 0);
  g_assert_cmpstr (fixture->output, ==, "Then 8080\n");
  result = beckon_agent_dup_result (get_request (fixture, 1), "call_1");
  beckon_cli_assert_says (result, "Nobody can be asked");
}

/* Files go before the words, and what cannot be attached sends nothing. */
static void
test_attach (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *folder = beckon_cli_fixture_dup_data_directory (fixture);
  g_autofree char *note = g_strconcat (folder, "-note.txt", NULL);
  g_autofree char *binary = g_strconcat (folder, "-binary", NULL);

  g_assert_true (g_file_set_contents (note, "It is 17.", -1, NULL));
  g_assert_true (g_file_set_contents (binary, "\177ELF\0\0\0\0", 8, NULL));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "run", "--attach", note, "--attach", binary, "What?", NULL), ==, 2);
  beckon_cli_assert_says (fixture->errors, "-binary: This is neither a picture nor text");
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 0);

  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("17"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "run", "--attach", note, "What?", NULL), ==, 0);
  beckon_cli_assert_says (get_request (fixture, 0)->body, "-note.txt");
  beckon_cli_assert_says (get_request (fixture, 0)->body, "It is 17.\\n</attached-file>\\n\\nWhat?");
  g_remove (note);
  g_remove (binary);
}

/* As the profile says: the file itself, or its text. */
static void
test_attach_pdf (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *folder = beckon_cli_fixture_dup_data_directory (fixture);
  g_autofree char *path = g_strconcat (folder, "-report.pdf", NULL);
  static const char pdf[] =
    "%PDF-1.4\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n2 0 obj\n<</Type/Pages/Kids[3 0 R]/Count 1>>\nendobj\n"
    "3 0 obj\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>\nendobj\n"
    "4 0 obj\n<</Length 43>>stream\nBT /F1 24 Tf 72 720 Td (Number seventeen) Tj ET\nendstream\nendobj\n"
    "5 0 obj\n<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>\nendobj\ntrailer<</Size 6/Root 1 0 R>>\n%%EOF\n";

  g_assert_true (g_file_set_contents (path, pdf, -1, NULL));
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("17"));
  if (beckon_cli_fixture_run (fixture, "", "run", "--attach", path, "What?", NULL) == 2
      && strstr (fixture->errors, "built without a reader") != NULL)
    {
      g_test_skip ("built without poppler-glib");
      return;
    }
  beckon_cli_assert_says (get_request (fixture, 0)->body, "[Page 1]\\nNumber seventeen");
  g_assert_null (strstr (get_request (fixture, 0)->body, "application/pdf"));
  beckon_cli_assert_says (fixture->errors, " gets the text of PDFs, without their pictures and layout.");

  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "set", "Fixture", "--pdf", "either", NULL), ==, 1);
  beckon_cli_assert_says (fixture->errors, "“either” is not auto, text or file");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "set", "Fixture", "--pdf", "file", NULL), ==, 0);
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("17"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "run", "--attach", path, "What?", NULL), ==, 0);
  beckon_cli_assert_says (get_request (fixture, 1)->body, "\"file_data\":\"data:application/pdf;base64,JVBERi0xLjQK");
  g_assert_null (strstr (get_request (fixture, 1)->body, "Number seventeen"));
  g_assert_null (strstr (fixture->errors, "PDF"));
  g_remove (path);
}

static void
test_tour (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new ();

  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "run", "Hello", NULL), ==, 0);
  beckon_cli_assert_says (fixture->output, "offline tour");
  beckon_cli_assert_says (fixture->errors, "No model is set up, so the offline tour replies.");
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 0);
}

/* A call that fails says why. */
static void
test_failed_call (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *folder = g_dir_make_tmp ("beckon-cli-XXXXXX", NULL);

  beckon_cli_fixture_script (fixture, beckon_script_call ("c1", "read_file", "{\"path\":\"none\"}"));
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("I see"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "run", "--folder", folder, "Read it", NULL), ==, 0);
  beckon_cli_assert_says (fixture->errors, "✗ Read none\n  There is no “none”.\n");
  g_rmdir (folder);
}

static void
test_unauthorized (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *id = NULL;

  beckon_cli_fixture_script (fixture, beckon_script_error (401, NULL, "Incorrect API key provided"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "run", "Hello", NULL), ==, 8);
  g_assert_cmpstr (fixture->output, ==, "");
  beckon_cli_assert_says (fixture->errors, "Incorrect API key provided\nResume with: beckonctl resume 0");
  beckon_cli_assert_says (fixture->errors, "\nEnter another key: beckonctl profile set ");
  g_assert_null (strstr (fixture->errors, "/continue"));

  /* The failure can be read afterwards, too. */
  id = g_strdup (strstr (fixture->errors, "beckonctl resume ") + strlen ("beckonctl resume "));
  id[strcspn (id, "\n")] = '\0';
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "show", id, NULL), ==, 0);
  beckon_cli_assert_says (fixture->output, "\n*Failed: ");
  beckon_cli_assert_says (fixture->output, "Incorrect API key provided*\n");
}

static void
test_nobody_listens (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new ();

  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "add", "Gone", "--base-url", "http://127.0.0.1:1/v1",
                                           "--model", "m", NULL),
                   ==, 0);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "run", "--profile", "Gone", "Hello", NULL), ==, 7);
  g_assert_cmpstr (fixture->output, ==, "");
  beckon_cli_assert_says (fixture->errors, "127.0.0.1:1");
}

static void
test_cut_off (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();

  for (guint i = 0; i < 3; i++)
    beckon_cli_fixture_script (fixture, beckon_script_cut ("Half a wo"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "run", "Hello", NULL), ==, 7);
  g_assert_cmpstr (fixture->output, ==, "Half a wo\nHalf a wo\nHalf a wo\n");
  beckon_cli_assert_says (fixture->errors, "cut off");
}

/* Printed words stay, and so it is said that the reply begins again, even to who wants to hear little. */
static void
test_begins_again (gconstpointer option)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();

  beckon_cli_fixture_script (fixture, beckon_script_cut ("Half a wo"));
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Here it is"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "run", "Hello", option, NULL), ==, 0);
  g_assert_cmpstr (fixture->output, ==, "Half a wo\nHere it is\n");
  if (option != NULL)
    g_assert_cmpstr (fixture->errors, ==, "· The reply begins again:\n");
  else
    beckon_cli_assert_says (fixture->errors, "before it was complete.\n· The reply begins again:\n");
}

static void
test_chosen_profile (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();

  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "run", "-p", "tour", "Hello", NULL), ==, 0);
  beckon_cli_assert_says (fixture->output, "offline tour");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "run", "-p", "No such", "Hello", NULL), ==, 1);
  beckon_cli_assert_says (fixture->errors, "rofile not found");
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 0);
}

static void
test_usage (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new ();

  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", NULL), ==, 2);
  beckon_cli_assert_says (fixture->errors, "Usage");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "no-such-command", NULL), ==, 2);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "run", NULL), ==, 2);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "run", "  ", NULL), ==, 2);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "run", "--no-such-option", "x", NULL), ==, 2);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "chat", "--no-such-option", NULL), ==, 2);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "--help", NULL), ==, 0);
  beckon_cli_assert_says (fixture->output, "Usage");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "--version", NULL), ==, 0);
  beckon_cli_assert_says (fixture->output, "beckonctl ");
}

/* Ctrl+C while the reply streams: what came stays, and the exit status says that it was stopped. Likewise when the terminal is
 * closed, or the program told to end. */
static void
test_interrupted (gconstpointer signal_number)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autoptr (BeckonCliProcess) process = NULL;

  beckon_cli_fixture_script (fixture, beckon_script_held ("Half a ", "never", "word"));
  process = beckon_cli_process_new_in_pipe (fixture, "run", "Hello", NULL);
  beckon_cli_process_end_input (process);
  beckon_cli_process_wait (process, "Half a ");
  kill (process->pid, GPOINTER_TO_INT (signal_number));
  g_assert_cmpint (beckon_cli_process_finish (process), ==, 130);
  beckon_cli_assert_says (process->all->str, "Stopped");
}

/* A run that another program drives is stopped from here, too. */
static void
test_stopped_elsewhere (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autoptr (BeckonCliProcess) driver = NULL;
  g_autoptr (BeckonCliProcess) watcher = NULL;

  beckon_cli_fixture_script (fixture, beckon_script_ask ("call_1"));
  driver = beckon_cli_process_new_in_terminal (fixture, "run", "Hello", NULL);
  beckon_cli_process_wait (driver, "Which port?");
  watcher = beckon_cli_process_new_in_terminal (fixture, "chat", "--last", NULL);
  beckon_cli_process_wait (watcher, "Which port?");
  beckon_cli_process_wait (watcher, "> ");
  g_assert_cmpint (write (watcher->input, "\x03", 1), ==, 1);
  beckon_cli_process_wait (watcher, "Stopped");
  g_assert_cmpint (beckon_cli_process_finish (driver), ==, 130);
  /* Without a run of its own the terminal just ends. */
  beckon_cli_process_wait (watcher, "> ");
  kill (watcher->pid, SIGTERM);
  g_assert_cmpint (beckon_cli_process_finish (watcher), ==, 130);
}

/* The program that worked on it is killed: the one that looks on goes on with it. */
static void
test_driver_killed (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autoptr (BeckonCliProcess) driver = NULL;
  g_autoptr (BeckonCliProcess) watcher = NULL;

  beckon_cli_fixture_script (fixture, beckon_script_ask ("call_1"));
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("It is set"));
  driver = beckon_cli_process_new_in_terminal (fixture, "run", "Hello", NULL);
  beckon_cli_process_wait (driver, "Which port?");
  watcher = beckon_cli_process_new_in_terminal (fixture, "chat", "--last", NULL);
  beckon_cli_process_wait (watcher, "Which port?");
  beckon_cli_process_wait (watcher, "> ");
  beckon_cli_process_kill (driver);
  beckon_cli_process_type (watcher, "1");
  beckon_cli_process_wait (watcher, "It is set");
  beckon_cli_process_wait (watcher, "> ");
  beckon_cli_process_type (watcher, "/quit");
  g_assert_cmpint (beckon_cli_process_finish (watcher), ==, 0);
}

/* In a terminal somebody is there: the model may ask, and the answer is typed. */
static void
test_terminal (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autoptr (BeckonCliProcess) process = NULL;

  beckon_cli_fixture_script (fixture, beckon_script_ask ("call_1"));
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("It is set"));
  process = beckon_cli_process_new_in_terminal (fixture, "run", "Set it up", NULL);
  beckon_cli_process_wait (process, "Which port?");
  beckon_cli_process_wait (process, "2. 9090");
  beckon_cli_process_wait (process, "> ");
  beckon_cli_process_type (process, "2");
  beckon_cli_process_wait (process, "It is set");
  g_assert_cmpint (beckon_cli_process_finish (process), ==, 0);
  assert_tools (fixture, 0, "ask_user get_current_time");
  assert_sent (fixture, 1, "user Set it up\nassistant\n  call call_1 ask_user " BECKON_SCRIPT_QUESTION "\n"
                           "tool call_1 9090\n");
}

static gboolean
holds_key (const char *path)
{
  g_autoptr (GDir) directory = g_dir_open (path, 0, NULL);
  g_autofree char *contents = NULL;
  const char *name;
  gsize length;

  while (directory != NULL && (name = g_dir_read_name (directory)) != NULL)
    {
      g_autofree char *child = g_build_filename (path, name, NULL);

      if (holds_key (child))
        return TRUE;
    }
  return directory == NULL && g_file_get_contents (path, &contents, &length, NULL) &&
         memmem (contents, length, BECKON_CLI_KEY, strlen (BECKON_CLI_KEY)) != NULL;
}

/* No byte of the key in any file, whatever went wrong. */
static void
test_key_in_no_file (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();

  beckon_cli_fixture_script (fixture, beckon_script_error (401, NULL, "Your key " BECKON_CLI_KEY " is wrong"));
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Fine"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "run", "Hello", NULL), ==, 8);
  g_assert_null (strstr (fixture->errors, BECKON_CLI_KEY));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "run", "Hello", NULL), ==, 0);
  g_assert_false (holds_key (fixture->home));
}

/* They wait for seconds of a clock, and are with -m slow in the suite `long`. */
static void
add_slow_cases (void)
{
  g_test_add_func ("/cli/run/llama", test_llama);
  g_test_add_func ("/cli/run/tour", test_tour);
  g_test_add_func ("/cli/run/chosen-profile", test_chosen_profile);
  g_test_add_func ("/cli/run/driver-killed", test_driver_killed);
}

static void
add_cases (void)
{
  g_test_add_func ("/cli/run/attach", test_attach);
  g_test_add_func ("/cli/run/attach/pdf", test_attach_pdf);
  g_test_add_func ("/cli/run/prints-reply", test_prints_reply);
  g_test_add_func ("/cli/run/sources", test_sources);
  g_test_add_func ("/cli/run/effort", test_effort);
  g_test_add_func ("/cli/run/tool", test_tool);
  g_test_add_func ("/cli/run/asked-all-the-same", test_asked_all_the_same);
  g_test_add_func ("/cli/run/failed-call", test_failed_call);
  g_test_add_func ("/cli/run/unauthorized", test_unauthorized);
  g_test_add_func ("/cli/run/nobody-listens", test_nobody_listens);
  g_test_add_func ("/cli/run/cut-off", test_cut_off);
  g_test_add_data_func ("/cli/run/begins-again", NULL, test_begins_again);
  g_test_add_data_func ("/cli/run/begins-again-quietly", "--quiet", test_begins_again);
  g_test_add_func ("/cli/run/usage", test_usage);
  g_test_add_data_func ("/cli/run/interrupted", GINT_TO_POINTER (SIGINT), test_interrupted);
  g_test_add_data_func ("/cli/run/terminated", GINT_TO_POINTER (SIGTERM), test_interrupted);
  g_test_add_data_func ("/cli/run/terminal-closed", GINT_TO_POINTER (SIGHUP), test_interrupted);
  g_test_add_func ("/cli/run/stopped-elsewhere", test_stopped_elsewhere);
  g_test_add_func ("/cli/run/terminal", test_terminal);
  g_test_add_func ("/cli/run/key-in-no-file", test_key_in_no_file);
}

int
main (int argc, char **argv)
{
  signal (SIGPIPE, SIG_IGN);
  g_test_init (&argc, &argv, NULL);
  if (g_test_slow ())
    add_slow_cases ();
  else
    add_cases ();
  return g_test_run ();
}
