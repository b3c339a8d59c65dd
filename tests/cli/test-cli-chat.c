/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-cli-fixture.h"

#include "beckon-agent-fixture.h"

#include <signal.h>
#include <string.h>

#define TOLD "user Set it up\nassistant\n  call call_1 ask_user " BECKON_SCRIPT_QUESTION "\n"

static void
assert_sent (BeckonCliFixture *fixture, guint index, const char *history)
{
  g_autofree char *sent = NULL;

  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), >, index);
  sent = beckon_agent_dump_request (beckon_fixture_server_get_request (fixture->server, index));
  g_assert_cmpstr (sent, ==, history);
}

static BeckonCliFixture *
fixture_that_asks (void)
{
  BeckonCliFixture *fixture = beckon_cli_fixture_new_with_model ();

  beckon_cli_fixture_script (fixture, beckon_script_ask ("call_1"));
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("It is set"));
  return fixture;
}

/* Lines are taken one by one as the conversation gets to them: a message, then an answer. */
static void
test_number (void)
{
  g_autoptr (BeckonCliFixture) fixture = fixture_that_asks ();

  g_assert_cmpint (beckon_cli_fixture_run (fixture, "Set it up\n2\n", "chat", NULL), ==, 0);
  beckon_cli_assert_says (fixture->output, "It is set");
  assert_sent (fixture, 1, TOLD "tool call_1 9090\n");
}

static void
test_typed (void)
{
  g_autoptr (BeckonCliFixture) fixture = fixture_that_asks ();

  g_assert_cmpint (beckon_cli_fixture_run (fixture, "Set it up\n2 of each\n", "chat", NULL), ==, 0);
  assert_sent (fixture, 1, TOLD "tool call_1 2 of each\n");
}

/* A slip is no message and no answer; a path, a word behind a space and a choice are. */
static void
test_commands (void)
{
  g_autoptr (BeckonCliFixture) fixture = fixture_that_asks ();

  g_assert_cmpint (beckon_cli_fixture_run (fixture, "/model gpt\nSet it up\n/ecit\n/help\n/tmp\n", "chat", NULL), ==, 0);
  beckon_cli_assert_says (fixture->output, "There is no command /model. /help lists them");
  beckon_cli_assert_says (fixture->output, "There is no command /ecit. /help lists them");
  beckon_cli_assert_says (fixture->output, "/quit ");
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 2);
  assert_sent (fixture, 1, TOLD "tool call_1 /tmp\n");
}

static void
test_commands_meant (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();

  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("A model"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, " /model\n/exit\nNot read\n", "chat", NULL), ==, 0);
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 1);
  assert_sent (fixture, 0, "user /model\n");
}

/* The question stays open, and nothing is remembered as its answer. */
static void
test_exit (gconstpointer word)
{
  g_autoptr (BeckonCliFixture) fixture = fixture_that_asks ();
  g_autofree char *lines = g_strdup_printf ("Set it up\n%s\n", (const char *) word);

  g_assert_cmpint (beckon_cli_fixture_run (fixture, lines, "chat", NULL), ==, 3);
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 1);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "questions", NULL), ==, 0);
  g_assert_cmpuint (strlen (fixture->output), >, 0);
}

/* Several calls that wait are one table; each row is answered once, and one can be looked at by itself first. */
static void
test_table (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  const BeckonScriptCall calls[] = {
    { "call_a", "fetch_url", "{\"url\":\"https://example.org/a\"}" },
    { "call_b", "fetch_url", "{\"url\":\"https://example.org/b\"}" },
    { "call_c", "fetch_url", "{\"url\":\"https://example.org/c\"}" },
  };
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;
  g_autofree char *third = NULL;

  beckon_cli_fixture_script (fixture, beckon_script_calls (NULL, calls, 3, "tool_calls"));
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "Go\nwhatever\ndeny 1\n2\n/deny not this\n2\n", "chat",
                                           NULL), ==, 0);
  beckon_cli_assert_says (fixture->output, "Fetch a page: 3 calls");
  beckon_cli_assert_says (fixture->output, "Reply with: run all, deny all");
  first = beckon_agent_dup_result (beckon_fixture_server_get_request (fixture->server, 1), "call_a");
  second = beckon_agent_dup_result (beckon_fixture_server_get_request (fixture->server, 1), "call_b");
  third = beckon_agent_dup_result (beckon_fixture_server_get_request (fixture->server, 1), "call_c");
  g_assert_nonnull (strstr (first, "denied"));
  g_assert_nonnull (strstr (second, "denied"));
  g_assert_nonnull (strstr (third, "not this"));
}

/* Allowed once and for all, the next call is not asked about. */
static void
test_always (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *folder = g_build_filename (fixture->home, "site", NULL);
  g_autofree char *result = NULL;

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  beckon_cli_fixture_script (fixture,
                             beckon_script_call ("call_1", "write_file", "{\"path\":\"a\",\"content\":\"Tulips\"}"));
  beckon_cli_fixture_script (fixture,
                             beckon_script_call ("call_2", "write_file", "{\"path\":\"b\",\"content\":\"Roses\"}"));
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "Go\n/always 2\n", "chat", "--folder", folder, NULL), ==, 0);
  beckon_cli_assert_says (fixture->output, "everywhere with /always N:\n  1: ");
  result = beckon_agent_dup_result (beckon_fixture_server_get_request (fixture->server, 2), "call_2");
  g_assert_nonnull (strstr (result, "b"));
  g_assert_null (strstr (result, "denied"));
}

/* A note that every later conversation reads is asked for each time, in the mildest mode too. */
static void
test_remembering (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *result = NULL;

  beckon_cli_fixture_script (fixture, beckon_script_call ("call_1", "remember", "{\"text\":\"Likes tulips\"}"));
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "Go\n2\n", "chat", "--mode", "outside", NULL), ==, 0);
  beckon_cli_assert_says (fixture->output, "Every later conversation reads what it writes");
  g_assert_null (strstr (fixture->output, "/always"));
  result = beckon_agent_dup_result (beckon_fixture_server_get_request (fixture->server, 1), "call_1");
  g_assert_nonnull (strstr (result, "denied"));
}

/* A line that sets the effort is no message; the next request asks for it. */
static void
test_effort (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  const BeckonFixtureRequest *request;

  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "/effort\n/effort lots\n/effort max\nGo\n", "chat", NULL), ==, 0);
  beckon_cli_assert_says (fixture->output, "Reasoning effort: default");
  beckon_cli_assert_says (fixture->output, "Choose the effort “off”");
  beckon_cli_assert_says (fixture->output, "Reasoning effort: max");
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 1);
  request = beckon_fixture_server_get_request (fixture->server, 0);
  g_assert_nonnull (strstr (request->body, "\"reasoning_effort\":\"high\""));
  g_assert_null (strstr (request->body, "/effort"));
}

static void
test_two_questions (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  const BeckonScriptCall calls[] = {
    { "call_a", "ask_user", "{\"question\":\"First?\",\"choices\":[\"a\",\"b\"]}" },
    { "call_b", "ask_user", "{\"question\":\"Second?\",\"choices\":[\"c\",\"d\"]}" },
  };
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;

  beckon_cli_fixture_script (fixture, beckon_script_calls (NULL, calls, 2, "tool_calls"));
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "Go\n2\n1\n", "chat", NULL), ==, 0);
  first = beckon_agent_dup_result (beckon_fixture_server_get_request (fixture->server, 1), "call_a");
  second = beckon_agent_dup_result (beckon_fixture_server_get_request (fixture->server, 1), "call_b");
  g_assert_cmpstr (first, ==, "b");
  g_assert_cmpstr (second, ==, "c");
}

static void
test_several_messages (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();

  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("One"));
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Two"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "First\n\nSecond\n/quit\nThird\n", "chat", NULL), ==, 0);
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 2);
  assert_sent (fixture, 1, "user First\nassistant One\nuser Second\n");
}

/* Its plan is accepted as it is. */
#define REST_OF_TOUR "1\n"

/* The whole tour, without a model, a key or a network. It speaks at a pace that can be read. */
static void
test_tour (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new ();

  g_assert_cmpint (beckon_cli_fixture_run (fixture, "Show me around\n2\n" REST_OF_TOUR, "chat", NULL), ==, 0);
  beckon_cli_assert_says (fixture->output, "This is the offline tour");
  beckon_cli_assert_says (fixture->output, "You picked **Files and folders**");
  beckon_cli_assert_says (fixture->output, "The tool says");
  beckon_cli_assert_says (fixture->output, "That was the tour");
  beckon_cli_assert_says (fixture->output, "`beckonctl profile add NAME");
  g_assert_null (strstr (fixture->output, "Preferences"));

  /* The outcome of its plan is told as a list. */
  beckon_cli_assert_says (fixture->output, "✓ 1. ");
  beckon_cli_assert_says (fixture->output, "✓ 3. ");
  g_assert_null (strstr (fixture->output, "\"steps\""));
}

/* A plan that is stopped at a step ends there; to continue is the model's, which knows what is left. */
static void
test_stopped_plan (void)
{
  static const char plan[] = "{\"title\":\"Write\",\"steps\":["
                             "{\"id\":\"now\",\"tool\":\"get_current_time\",\"arguments\":{\"timezone\":\"UTC\"}},"
                             "{\"id\":\"far\",\"tool\":\"fetch_url\",\"arguments\":{\"url\":\"https://example.invalid/\"}}]}";
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *told = NULL;

  beckon_cli_fixture_script (fixture, beckon_script_call ("call_1", "propose_plan", plan));
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "Go\n1\n3\n/continue\n", "chat", NULL), ==, 0);
  beckon_cli_assert_says (fixture->output, "Done");
  beckon_cli_assert_says (fixture->output, "■ Plan: Write\n✓ 1. ");
  told = beckon_agent_dup_result (beckon_fixture_server_get_request (fixture->server, 1), "call_1");
  beckon_cli_assert_says (told, "\"status\":\"stopped\"");
  beckon_cli_assert_says (told, "\"id\":\"far\",\"tool\":\"fetch_url\",\"status\":\"pending\"");
}

/* Steps that a person left out are told apart from what went wrong, and from what went well. */
static void
test_plan_signs (void)
{
  static const char plan[] = "{\"title\":\"Look\",\"steps\":["
                             "{\"id\":\"far\",\"tool\":\"fetch_url\",\"arguments\":{\"url\":\"https://example.invalid/\"}},"
                             "{\"id\":\"now\",\"tool\":\"get_current_time\",\"arguments\":{\"timezone\":\"UTC\"}}]}";
  const char *const cases[][2] = {
    { "Go\n1\n2\n", "✓ Plan: Look\n✗ 1. Fetch example.invalid (denied)\n✓ 2. " },
    { "Go\n1\n/skip\n", "✓ Plan: Look\n– 1. Fetch example.invalid\n✓ 2. " },
    { "Go\n1\nuse another page\n", "– Plan: Look\n○ 1. Fetch example.invalid\n○ 2. " },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();

      beckon_cli_fixture_script (fixture, beckon_script_call ("call_1", "propose_plan", plan));
      beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done"));
      g_assert_cmpint (beckon_cli_fixture_run (fixture, cases[i][0], "chat", NULL), ==, 0);
      beckon_cli_assert_says (fixture->output, cases[i][1]);
    }
}

static void
test_tour_typed (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new ();

  g_assert_cmpint (beckon_cli_fixture_run (fixture, "Show me around\nmy garden\n", "chat", NULL), ==, 3);
  beckon_cli_assert_says (fixture->output, "You answered in your own words: “my garden”");
}

/* The input ends while a question is open: it stays open, the program says how to go on, and that works. */
static void
test_left_open (void)
{
  g_autoptr (BeckonCliFixture) fixture = fixture_that_asks ();

  g_assert_cmpint (beckon_cli_fixture_run (fixture, "Set it up\n", "chat", NULL), ==, 3);
  beckon_cli_assert_says (fixture->errors, "beckonctl chat -c ");
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 1);

  g_assert_cmpint (beckon_cli_fixture_run (fixture, "1\n", "chat", "--last", NULL), ==, 0);
  beckon_cli_assert_says (fixture->output, "It is set");
  assert_sent (fixture, 1, TOLD "tool call_1 8080\n");
}

static void
test_unknown_conversation (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new ();

  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "chat", "--last", NULL), ==, 1);
  beckon_cli_assert_says (fixture->errors, "There are no conversations yet.");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "chat", "--conversation", "nonsense", NULL), ==, 1);
  beckon_cli_assert_says (fixture->errors, "Conversation not found.");
}

static void
test_dismissed (void)
{
  g_autoptr (BeckonCliFixture) fixture = fixture_that_asks ();

  g_assert_cmpint (beckon_cli_fixture_run (fixture, "Set it up\n/stop\n", "chat", NULL), ==, 130);
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 1);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "/continue\n", "chat", "--last", NULL), ==, 0);
  beckon_cli_assert_says (fixture->output, "It is set");
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 2);
}

/* Killed with the question open. Whoever comes next shows it again, and the answer is the original call's result. */
static void
test_killed (void)
{
  g_autoptr (BeckonCliFixture) fixture = fixture_that_asks ();
  g_autoptr (BeckonCliProcess) first = NULL;
  g_autoptr (BeckonCliProcess) second = NULL;

  first = beckon_cli_process_new_in_pipe (fixture, "chat", NULL);
  beckon_cli_process_type (first, "Set it up");
  beckon_cli_process_wait (first, "Which port?");
  beckon_cli_process_kill (first);

  second = beckon_cli_process_new_in_pipe (fixture, "chat", "--last", NULL);
  beckon_cli_process_wait (second, "Which port?");
  beckon_cli_process_wait (second, "1. 8080");
  beckon_cli_process_wait (second, "2. 9090");
  beckon_cli_process_type (second, "2");
  beckon_cli_process_wait (second, "It is set");
  g_assert_cmpint (beckon_cli_process_finish (second), ==, 0);
  assert_sent (fixture, 1, TOLD "tool call_1 9090\n");
}

/* Shown text is stored a moment later; until then a kill takes it away, and the run begins again by itself. */
static void
wait_stored (BeckonCliFixture *fixture, const char *text)
{
  gint64 deadline = g_get_monotonic_time () + 30 * G_TIME_SPAN_SECOND;
  g_autofree char *id = NULL;

  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "list", NULL), ==, 0);
  id = g_strndup (fixture->output, strcspn (fixture->output, " "));
  do
    {
      g_assert_cmpint (g_get_monotonic_time (), <, deadline);
      g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "show", id, NULL), ==, 0);
    }
  while (strstr (fixture->output, text) == NULL);
}

/* Killed while the reply streams: what came is kept, and it can be asked for again. */
static void
test_killed_receiving (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autoptr (BeckonCliProcess) process = NULL;

  beckon_cli_fixture_script (fixture, beckon_script_held ("Half a ", "never", "word"));
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("A whole word"));
  process = beckon_cli_process_new_in_pipe (fixture, "chat", NULL);
  beckon_cli_process_type (process, "Hello");
  beckon_cli_process_wait (process, "Half a ");
  wait_stored (fixture, "Half a");
  beckon_cli_process_kill (process);

  g_assert_cmpint (beckon_cli_fixture_run (fixture, "/continue\n", "chat", "--last", NULL), ==, 0);
  beckon_cli_assert_says (fixture->output, "A whole word");
  assert_sent (fixture, 1, "user Hello\n");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "/continue\n", "chat", "--last", NULL), ==, 0);
  beckon_cli_assert_says (fixture->output, "Nothing to resume.");
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 2);
}

/* Answered in another program: this one sees it and goes on by itself. */
static void
test_answered_elsewhere (void)
{
  g_autoptr (BeckonCliFixture) fixture = fixture_that_asks ();
  g_autofree char *directory = beckon_cli_fixture_dup_data_directory (fixture);
  BeckonAgentFixture *window = beckon_agent_fixture_new_over (directory, NULL);
  g_autoptr (BeckonCliProcess) process = NULL;

  process = beckon_cli_process_new_in_pipe (fixture, "chat", NULL);
  beckon_cli_process_type (process, "Set it up");
  beckon_cli_process_wait (process, "Which port?");
  beckon_agent_fixture_answer (window, beckon_agent_fixture_wait_pending (window, 1), beckon_script_pick ("9090"));
  beckon_cli_process_wait (process, "It is set");
  g_assert_cmpint (beckon_cli_process_finish (process), ==, 0);
  assert_sent (fixture, 1, TOLD "tool call_1 9090\n");
  beckon_agent_fixture_free (window);
}

/* The answer was half typed when somebody else answered. It is neither an answer nor a message, and the person is told. */
static void
test_typed_too_late (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *directory = beckon_cli_fixture_dup_data_directory (fixture);
  BeckonAgentFixture *window = beckon_agent_fixture_new_over (directory, NULL);
  g_autoptr (BeckonCliProcess) process = NULL;

  beckon_cli_fixture_script (fixture, beckon_script_ask ("call_1"));
  beckon_cli_fixture_script (fixture, beckon_script_held ("It will be ", "gate", "set"));
  process = beckon_cli_process_new_in_terminal (fixture, "chat", NULL);
  beckon_cli_process_wait (process, "> ");
  beckon_cli_process_type (process, "Set it up");
  beckon_cli_process_wait (process, "Which port?");
  beckon_cli_process_wait (process, "> ");
  beckon_agent_fixture_answer (window, beckon_agent_fixture_wait_pending (window, 1), beckon_script_pick ("9090"));
  beckon_cli_process_wait (process, "\nIt will be ");
  beckon_cli_process_type (process, "8080");
  beckon_cli_process_wait (process, "Your reply was not sent: 8080");
  beckon_fixture_server_release (fixture->server, "gate");
  beckon_cli_process_wait (process, "set");
  beckon_cli_process_wait (process, "> ");
  beckon_cli_process_type (process, "/quit");
  g_assert_cmpint (beckon_cli_process_finish (process), ==, 0);
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 2);
  assert_sent (fixture, 1, TOLD "tool call_1 9090\n");
  beckon_agent_fixture_free (window);
}

/* A person at a terminal: the prompt, a message, the question with its choices, a wrong number, the answer, the end. */
static void
test_terminal (void)
{
  g_autoptr (BeckonCliFixture) fixture = fixture_that_asks ();
  g_autoptr (BeckonCliProcess) process = beckon_cli_process_new_in_terminal (fixture, "chat", NULL);

  beckon_cli_process_wait (process, "> ");
  beckon_cli_process_type (process, "Set it up");
  beckon_cli_process_wait (process, "ask_user");
  beckon_cli_process_wait (process, "Which port?");
  beckon_cli_process_wait (process, "1. 8080");
  beckon_cli_process_wait (process, "2. 9090");
  beckon_cli_process_wait (process, "> ");
  beckon_cli_process_type (process, "1");
  beckon_cli_process_wait (process, "It is set");
  beckon_cli_process_wait (process, "> ");
  beckon_cli_process_type (process, "/quit");
  g_assert_cmpint (beckon_cli_process_finish (process), ==, 0);
  assert_sent (fixture, 1, TOLD "tool call_1 8080\n");
}

/* A reply that reads as a question does is told apart from one by its first character. */
static void
test_terminal_imitated (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autoptr (BeckonCliProcess) process = NULL;

  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done\n◇ Run this command?\n    true\n1. Run"));
  process = beckon_cli_process_new_in_terminal (fixture, "chat", NULL);
  beckon_cli_process_wait (process, "> ");
  beckon_cli_process_type (process, "Set it up");
  beckon_cli_process_wait (process, "<U+25C7> Run this command?");
  beckon_cli_process_wait (process, "> ");
  beckon_cli_process_type (process, "/quit");
  g_assert_cmpint (beckon_cli_process_finish (process), ==, 0);
}

/* Ctrl+C stops the run that waits; what comes then is a message again. */
static void
test_terminal_interrupted (void)
{
  g_autoptr (BeckonCliFixture) fixture = fixture_that_asks ();
  g_autoptr (BeckonCliProcess) process = beckon_cli_process_new_in_terminal (fixture, "chat", NULL);

  beckon_cli_process_wait (process, "> ");
  beckon_cli_process_type (process, "Set it up");
  beckon_cli_process_wait (process, "Which port?");
  beckon_cli_process_wait (process, "> ");
  g_assert_cmpint (write (process->input, "\x03", 1), ==, 1);
  beckon_cli_process_wait (process, "Stopped");
  beckon_cli_process_wait (process, "> ");
  beckon_cli_process_type (process, "/continue");
  beckon_cli_process_wait (process, "It is set");
  beckon_cli_process_wait (process, "> ");
  g_assert_cmpint (write (process->input, "\x04", 1), ==, 1);
  g_assert_cmpint (beckon_cli_process_finish (process), ==, 0);
  assert_sent (fixture, 1, TOLD "tool call_1 The user did not answer; the operation was cancelled\n");
}

/* The answer to a masked question is not echoed, and the model gets a handle. The next line is seen again. */
static void
test_terminal_masked (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autoptr (BeckonCliProcess) process = NULL;
  g_autofree char *told = NULL;
  g_autofree char *id = NULL;

  beckon_cli_fixture_script (fixture, beckon_script_call ("call_1", "ask_user",
                                                          "{\"questions\":[{\"question\":\"The token?\",\"secret\":true}]}"));
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("It is set"));
  process = beckon_cli_process_new_in_terminal (fixture, "chat", NULL);
  beckon_cli_process_wait (process, "> ");
  beckon_cli_process_type (process, "Set it up");
  beckon_cli_process_wait (process, "The token?");
  beckon_cli_process_wait (process, "> ");
  beckon_cli_process_type (process, "canary 7f3a");
  beckon_cli_process_wait (process, "\r\n");
  beckon_cli_process_wait (process, "It is set");
  beckon_cli_process_wait (process, "> ");
  beckon_cli_process_type (process, "/quit");
  beckon_cli_process_wait (process, "/quit");
  g_assert_cmpint (beckon_cli_process_finish (process), ==, 0);
  told = beckon_agent_dup_result (beckon_fixture_server_get_request (fixture->server, 1), "call_1");
  beckon_cli_assert_says (told, "secret:the-token-");
  g_assert_null (strstr (beckon_fixture_server_get_request (fixture->server, 1)->body, "canary"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "list", NULL), ==, 0);
  id = g_strndup (fixture->output, strcspn (fixture->output, " \t\n"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "export", "--format=json", id, NULL), ==, 0);
  beckon_cli_assert_says (fixture->output, "secret:the-token-");
  g_assert_null (strstr (fixture->output, "canary"));
}

int
main (int argc, char **argv)
{
  signal (SIGPIPE, SIG_IGN);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/chat/number", test_number);
  g_test_add_func ("/cli/chat/typed", test_typed);
  g_test_add_func ("/cli/chat/commands", test_commands);
  g_test_add_func ("/cli/chat/commands/meant", test_commands_meant);
  g_test_add_data_func ("/cli/chat/exit", "/exit", test_exit);
  g_test_add_data_func ("/cli/chat/quit", "/quit", test_exit);
  g_test_add_func ("/cli/chat/effort", test_effort);
  g_test_add_func ("/cli/chat/two-questions", test_two_questions);
  g_test_add_func ("/cli/chat/table", test_table);
  g_test_add_func ("/cli/chat/always", test_always);
  g_test_add_func ("/cli/chat/remembering", test_remembering);
  g_test_add_func ("/cli/chat/several-messages", test_several_messages);
  g_test_add_func ("/cli/chat/tour", test_tour);
  g_test_add_func ("/cli/chat/stopped-plan", test_stopped_plan);
  g_test_add_func ("/cli/chat/plan-signs", test_plan_signs);
  g_test_add_func ("/cli/chat/tour-typed", test_tour_typed);
  g_test_add_func ("/cli/chat/left-open", test_left_open);
  g_test_add_func ("/cli/chat/unknown-conversation", test_unknown_conversation);
  g_test_add_func ("/cli/chat/dismissed", test_dismissed);
  g_test_add_func ("/cli/chat/killed", test_killed);
  g_test_add_func ("/cli/chat/killed-receiving", test_killed_receiving);
  g_test_add_func ("/cli/chat/answered-elsewhere", test_answered_elsewhere);
  g_test_add_func ("/cli/chat/typed-too-late", test_typed_too_late);
  g_test_add_func ("/cli/chat/terminal", test_terminal);
  g_test_add_func ("/cli/chat/terminal-imitated", test_terminal_imitated);
  g_test_add_func ("/cli/chat/terminal-interrupted", test_terminal_interrupted);
  g_test_add_func ("/cli/chat/terminal-masked", test_terminal_masked);
  return g_test_run ();
}
