/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-cli-fixture.h"

#include "beckon-agent-script.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>

/* Servers of tools from the terminal, with the real program: tests/mcp/server.py, or one of npm's. */

static char *
dup_script (void)
{
  return g_test_build_filename (G_TEST_DIST, "mcp", "server.py", NULL);
}

static BeckonCliFixture *
fixture_with_server (const char *words)
{
  BeckonCliFixture *fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *script = dup_script ();

  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "add", "My Server", "--", g_getenv ("BECKON_TEST_PYTHON"), "-u",
                                           script, words, NULL), ==, 0);
  return fixture;
}

/* Added, listed, called with an approval, looked at, switched off and removed. */
static void
test_first_light (gconstpointer words)
{
  g_autoptr (BeckonCliFixture) fixture = fixture_with_server (words);
  g_autoptr (BeckonCliProcess) process = NULL;
  g_autofree char *result = NULL;
  const char *offered;

  beckon_cli_assert_says (fixture->output, "my_server__echo\tSay Again\n");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "list", NULL), ==, 0);
  beckon_cli_assert_says (fixture->output, "My Server\tStarts when needed\t14 tools\t");

  beckon_cli_fixture_script (fixture, beckon_script_call ("call_1", "my_server__echo", "{\"text\":\"hello from afar\"}"));
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("It said hello."));
  process = beckon_cli_process_new_in_terminal (fixture, "chat", NULL);
  beckon_cli_process_wait (process, "> ");
  beckon_cli_process_type (process, "Say hello");
  beckon_cli_process_wait (process, "My Server");
  beckon_cli_process_wait (process, "1. ");
  beckon_cli_process_wait (process, "> ");
  beckon_cli_process_type (process, "1");
  beckon_cli_process_wait (process, "It said hello.");
  beckon_cli_process_wait (process, "> ");
  beckon_cli_process_type (process, "/quit");
  g_assert_cmpint (beckon_cli_process_finish (process), ==, 0);
  offered = beckon_fixture_server_get_request (fixture->server, 0)->body;
  g_assert_nonnull (strstr (offered, "\"my_server__echo\""));
  g_assert_nonnull (strstr (offered, "\"my_server__odd_name_here_"));
  result = beckon_agent_dup_result (beckon_fixture_server_get_request (fixture->server, 1), "call_1");
  g_assert_cmpstr (result, ==, "hello from afar");

  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "log", "My Server", NULL), ==, 0);
  beckon_cli_assert_says (fixture->output, "process ");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "off", "My Server", NULL), ==, 0);
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Nothing."));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "run", "And now?", NULL), ==, 0);
  offered = beckon_fixture_server_get_request (fixture->server, 2)->body;
  g_assert_null (strstr (offered, "my_server__echo"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "remove", "My Server", NULL), ==, 0);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "list", NULL), ==, 0);
  g_assert_cmpstr (fixture->output, ==, "");
}

/* Without a person to be asked, no tool of a server runs. */
static void
test_nobody (void)
{
  g_autoptr (BeckonCliFixture) fixture = fixture_with_server ("old");
  g_autofree char *result = NULL;

  beckon_cli_fixture_script (fixture, beckon_script_call ("call_1", "my_server__echo", "{\"text\":\"a\"}"));
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("It was not allowed."));
  beckon_cli_fixture_run (fixture, NULL, "run", "Say hello", NULL);
  result = beckon_agent_dup_result (beckon_fixture_server_get_request (fixture->server, 1), "call_1");
  beckon_cli_assert_says (result, "needs the user's approval");
}

/* Prompts are known without starting the server, filled in, and printed for the person; mistakes are told. */
static void
test_prompts (gconstpointer words)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *script = dup_script ();

  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "add", "Far", "--no-instructions", "--",
                                           g_getenv ("BECKON_TEST_PYTHON"), "-u", script, words, "prompts", NULL), ==, 0);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "list", "--json", NULL), ==, 0);
  beckon_cli_assert_says (fixture->output, "\"ignoreInstructions\":true");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "prompts", "Far", NULL), ==, 0);
  g_assert_cmpstr (fixture->output, ==, "plain\tSay Hello\t\ntides\tThe tides<U+202E> of a harbour\tharbour=… [day=…]\n");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "prompt", "Far", "plain", NULL), ==, 0);
  g_assert_cmpstr (fixture->output, ==,
                   "Say hello<U+202E>.\n\n> Hello.\n> And?\n\n[Left out: it is no text.]\n\nnote://1:\nA note\n");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "prompt", "Far", "tides", "harbour=Hamburg", "day=a=b", NULL),
                   ==, 0);
  g_assert_cmpstr (fixture->output, ==, "{\"day\": \"a=b\", \"harbour\": \"Hamburg\"}\n");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "prompt", "Far", "tides", "day=1", NULL), ==, 1);
  beckon_cli_assert_says (fixture->errors, "harbour=value");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "prompt", "Far", "tides", "moon=1", NULL), ==, 1);
  beckon_cli_assert_says (fixture->errors, "moon=1");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "prompt", "Far", "tides", "harbour=nowhere", NULL), ==, 1);
  beckon_cli_assert_says (fixture->errors, "No such harbour");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "prompt", "Far", "two", NULL), ==, 1);
  beckon_cli_assert_says (fixture->errors, "no such prompt");
}

/* Resources are known without starting the server, and read as they are. */
static void
test_resources (gconstpointer words)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *script = dup_script ();

  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "add", "Far", "--", g_getenv ("BECKON_TEST_PYTHON"), "-u",
                                           script, words, "resources", NULL), ==, 0);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "resources", "Far", NULL), ==, 0);
  g_assert_true (g_str_has_prefix (fixture->output, "note://papers/hello.txt\tSays<U+202E> hello\nnote://papers/dot.png\tdot\n"));
  g_assert_true (g_str_has_suffix (fixture->output, "note://papers/{number}\tA Paper\n"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "read", "Far", "note://papers/hello.txt", NULL), ==, 0);
  g_assert_cmpstr (fixture->output, ==, "This is note://papers/hello.txt\n<b>\u202e");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "read", "Far", "note://elsewhere/1", NULL), ==, 1);
  beckon_cli_assert_says (fixture->errors, "Resource not found");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "read", "Far", "hello", NULL), ==, 1);
  beckon_cli_assert_says (fixture->errors, "the address of a resource");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "read", "Far", "note://papers/{number}", NULL), ==, 1);
  beckon_cli_assert_says (fixture->errors, "in place of its braces");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "read", "Far", NULL), ==, 2);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "read", "Far", "note://papers/1", "note://papers/2", NULL), ==, 2);
}

static void
assert_shown (BeckonCliFixture *fixture, const char *verb, const char *argument, const char *words)
{
  g_autoptr (BeckonCliProcess) process
    = beckon_cli_process_new_in_terminal (fixture, "mcp", verb, argument != NULL ? "F\u202ear" : NULL, argument, NULL);

  beckon_cli_process_wait (process, words);
  g_assert_cmpint (beckon_cli_process_finish (process), ==, 0);
}

/* A terminal gets nothing that reorders what is seen: neither of a server's contents nor of its name. */
static void
test_shown (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *script = dup_script ();

  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "add", "F\u202ear", "--", g_getenv ("BECKON_TEST_PYTHON"), "-u",
                                           script, "modern", "resources", NULL), ==, 0);
  assert_shown (fixture, "read", "note://papers/hello.txt", "<b><U+202E>\r\n");
  assert_shown (fixture, "list", NULL, "F<U+202E>ar\t");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "list", "--json", NULL), ==, 0);
  beckon_cli_assert_says (fixture->output, "\"name\":\"F\\u202ear\"");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "test", "G\u202ear", NULL), ==, 1);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "add", "F\u202ear", "--", "true", NULL), ==, 1);
  beckon_cli_assert_says (fixture->errors, "“F<U+202E>ar”");
}

/* Whether the model was told of a tool in the newest request. */
static gboolean
is_offered (BeckonCliFixture *fixture, const char *name)
{
  g_autofree char *member = g_strdup_printf ("\"name\":\"%s\"", name);
  guint n = beckon_fixture_server_count_requests (fixture->server);

  return strstr (beckon_fixture_server_get_request (fixture->server, n - 1)->body, member) != NULL;
}

static void
run_once (BeckonCliFixture *fixture)
{
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Hi."));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "run", "Hello", NULL), ==, 0);
}

/* A person chooses for each server whether its tools are always there or searched for, however many there are. */
static void
test_offer (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *script = dup_script ();

  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "add", "Far", "--tools", "search", "--",
                                           g_getenv ("BECKON_TEST_PYTHON"), "-u", script, "old", NULL), ==, 0);
  run_once (fixture);
  g_assert_false (is_offered (fixture, "far__echo"));
  g_assert_true (is_offered (fixture, "find_tool"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "set", "Far", "--tools", "auto", NULL), ==, 0);
  run_once (fixture);
  g_assert_true (is_offered (fixture, "far__echo"));
  g_assert_false (is_offered (fixture, "find_tool"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "add", "Many", "--", g_getenv ("BECKON_TEST_PYTHON"), "-u",
                                           script, "old", "many", NULL), ==, 0);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "set", "Far", "--tools", "always", NULL), ==, 0);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "list", "--json", NULL), ==, 0);
  beckon_cli_assert_says (fixture->output, "\"offer\":\"always\"");
  run_once (fixture);
  g_assert_true (is_offered (fixture, "far__echo"));
  g_assert_false (is_offered (fixture, "many__echo"));
  g_assert_true (is_offered (fixture, "find_tool"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "set", "Far", "--tools", "never", NULL), ==, 1);
  beckon_cli_assert_says (fixture->errors, "always, search or auto");
}

/* Tools that can't be used are named, with the reason, when the server is added and tested, and from the store. */
static void
test_left_out (void)
{
  g_autoptr (BeckonCliFixture) fixture = fixture_with_server ("bad-tools");
  const char *const said[] = { "“no-schema”: its schema isn't one of an object.", "“(no name)”: its name can't be used.",
                               "“echo”: the server lists it more than once.", "“hidden<U+202E>name”: its name can't be used.",
                               "“long”: its definition is longer than 128 KiB." };

  for (guint i = 0; i < 3; i++)
    {
      if (i > 0)
        g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", i > 1 ? "list" : "test", i > 1 ? NULL : "My Server", NULL),
                         ==, 0);
      beckon_cli_assert_says (fixture->errors, "Tools of My Server that can't be used:\n");
      for (guint j = 0; j < G_N_ELEMENTS (said); j++)
        beckon_cli_assert_says (fixture->errors, said[j]);
    }
  beckon_cli_assert_says (fixture->output, "\t18 tools\t");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "list", "--json", NULL), ==, 0);
  beckon_cli_assert_says (fixture->output, "\"left-out\":[\"“no-schema”: its schema isn't one of an object.\",\"“list”: ");
}

/* Each mistake says what to do. */
static void
test_mistakes (void)
{
  g_autoptr (BeckonCliFixture) fixture = fixture_with_server ("modern");
  g_autofree char *script = dup_script ();

  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "add", "my-server", "--", "true", NULL), ==, 1);
  beckon_cli_assert_says (fixture->errors, "Choose another name");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "add", "…", "--", "true", NULL), ==, 1);
  beckon_cli_assert_says (fixture->errors, "needs a letter");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "add", "other", NULL), ==, 2);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "add", "other", "--", "/nowhere/npx", NULL), ==, 1);
  beckon_cli_assert_says (fixture->errors, "needs Node.js");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "add", "dead", "--", g_getenv ("BECKON_TEST_PYTHON"), script,
                                           "dies-at-start", NULL), ==, 1);
  beckon_cli_assert_says (fixture->errors, "No such database");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "log", "dead", NULL), ==, 1);
  beckon_cli_assert_says (fixture->output, "No such database");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "test", "nobody", NULL), ==, 1);
  beckon_cli_assert_says (fixture->errors, "Server not found");
}

static void
assert_misused (BeckonCliFixture *fixture, const char *words, const char *problem)
{
  g_auto (GStrv) argv = g_strsplit (words, " ", -1);

  g_assert_cmpuint (g_strv_length (argv), <=, 3);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", argv[0], argv[1],
                                           argv[1] != NULL ? argv[2] : NULL, NULL), ==, 2);
  beckon_cli_assert_says (fixture->errors, problem);
  beckon_cli_assert_says (fixture->errors, "“beckonctl mcp --help” shows how it is used.");
  /* The whole is a line. */
  g_assert_true (strchr (fixture->errors, '\n') == fixture->errors + strlen (fixture->errors) - 1);
}

/* Wrong words are told in a line. */
static void
test_misused (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new ();

  assert_misused (fixture, "add", "The server's name is missing.");
  assert_misused (fixture, "add weather", "Give the server's command behind “--”");
  assert_misused (fixture, "frob x", "“frob” is none of its commands.");
  assert_misused (fixture, "log x y", "“y” is one argument too many.");
  assert_misused (fixture, "list x", "“x” is one argument too many.");
  assert_misused (fixture, "test x --json", "Only “list” prints JSON.");
  assert_misused (fixture, "log x --json", "Only “list” prints JSON.");
}

/* A server that can't be reached is there all the same, and that is said. */
static void
test_added_all_the_same (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new ();

  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "add", "bad", "--url", "http://127.0.0.1:9/mcp", NULL), ==, 1);
  beckon_cli_assert_says (fixture->errors, "that the address is right");
  g_assert_null (strstr (fixture->errors, "base URL"));
  beckon_cli_assert_says (fixture->errors, "“bad” was added all the same. Test it again: beckonctl mcp test 'bad'. Remove it: "
                                           "beckonctl mcp remove 'bad'.");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "remove", "bad", NULL), ==, 0);
}

/* Commands to paste run nothing that a name says. */
static void
test_name_in_commands (void)
{
  static const char name[] = "my notes; touch x";
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new ();

  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "add", name, "--url", "http://127.0.0.1:9/mcp", NULL), ==, 1);
  beckon_cli_assert_says (fixture->errors, "beckonctl mcp test 'my notes; touch x'. Remove it: "
                                           "beckonctl mcp remove 'my notes; touch x'.");
  beckon_cli_assert_says (fixture->errors, "beckonctl mcp log 'my notes; touch x'");
}

/* The program is killed while its server runs, which heeds nothing: nothing of it stays. */
static void
test_killed (void)
{
  g_autoptr (BeckonCliFixture) fixture = fixture_with_server ("old");
  g_autofree char *script = dup_script ();
  g_autoptr (BeckonCliProcess) process = NULL;
  g_autofree char *pid_file = g_build_filename (fixture->home, "pid", NULL);
  g_autofree char *command = g_strdup_printf ("echo $$ >%s.new; mv %s.new %s; exec %s %s old silent never-answers stubborn", pid_file,
                                              pid_file, pid_file, g_getenv ("BECKON_TEST_PYTHON"), script);
  g_autofree char *text = NULL;
  gint64 deadline = g_get_monotonic_time () + 30 * G_USEC_PER_SEC;
  int pid;

  process = beckon_cli_process_new_in_pipe (fixture, "mcp", "add", "stubborn", "--", "/bin/sh", "-c", command, NULL);
  while (!g_file_test (pid_file, G_FILE_TEST_EXISTS) && g_get_monotonic_time () < deadline)
    g_usleep (1000);
  g_assert_true (g_file_get_contents (pid_file, &text, NULL, NULL));
  pid = atoi (text);
  g_assert_cmpint (kill (pid, 0), ==, 0);
  kill (process->pid, SIGKILL);
  while ((kill (pid, 0) == 0 || errno != ESRCH) && g_get_monotonic_time () < deadline)
    g_usleep (1000);
  g_assert_cmpint (kill (pid, 0), !=, 0);
}

static BeckonCliProcess *
open_chat (BeckonCliFixture *fixture)
{
  BeckonCliProcess *process = beckon_cli_process_new_in_terminal (fixture, "chat", NULL);

  beckon_cli_process_wait (process, "> ");
  return process;
}

static void
close_chat (BeckonCliProcess *process)
{
  beckon_cli_process_wait (process, "> ");
  beckon_cli_process_type (process, "/quit");
  g_assert_cmpint (beckon_cli_process_finish (process), ==, 0);
  beckon_cli_process_free (process);
}

/* A form of the server's is asked of the person while its tool runs, and the answer goes back. */
static void
test_form (gconstpointer words)
{
  g_autoptr (BeckonCliFixture) fixture = fixture_with_server (words);
  g_autofree char *result = NULL;
  BeckonCliProcess *process;

  beckon_cli_fixture_script (fixture, beckon_script_call ("call_1", "my_server__ask", "{}"));
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("It knows you."));
  process = open_chat (fixture);
  beckon_cli_process_type (process, "Sign me in");
  beckon_cli_process_wait (process, "1. ");
  beckon_cli_process_wait (process, "> ");
  beckon_cli_process_type (process, "1");
  beckon_cli_process_wait (process, "My Server");
  beckon_cli_process_wait (process, "Which account?");
  beckon_cli_process_wait (process, "> ");
  beckon_cli_process_type (process, "Ada");
  beckon_cli_process_wait (process, "It knows you.");
  close_chat (process);
  result = beckon_agent_dup_result (beckon_fixture_server_get_request (fixture->server, 1), "call_1");
  beckon_cli_assert_says (result, "{\"action\": \"accept\", \"content\": {\"name\": \"Ada\"}}");
}

/* A call that is let run asks something while nobody is there. What survives the process is left for the next one. */
static void
test_form_alone (gconstpointer words)
{
  g_autoptr (BeckonCliFixture) fixture = fixture_with_server (words);
  gboolean survives = g_str_equal (words, "modern");
  g_autofree char *id = NULL;
  g_autofree char *form = NULL;
  g_autofree char *result = NULL;

  beckon_cli_fixture_script (fixture, beckon_script_call ("call_1", "my_server__ask", "{}"));
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("It is done."));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "run", "--detach-on-ask", "Sign me in", NULL), ==, 10);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "questions", NULL), ==, 0);
  id = g_strndup (fixture->output, 26);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "answer", id, "--run", NULL), ==, survives ? 10 : 5);
  beckon_cli_assert_says (survives ? fixture->output : fixture->errors, "Which account?");
  if (survives)
    {
      g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "questions", NULL), ==, 0);
      form = g_strndup (fixture->output, 26);
      g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "answer", form, "Ada", NULL), ==, 0);
    }
  else
    {
      beckon_cli_assert_says (fixture->errors, "can't be answered later");
    }
  result = beckon_agent_dup_result (beckon_fixture_server_get_request (fixture->server, 1), "call_1");
  beckon_cli_assert_says (result, survives ? "{\"action\": \"accept\", \"content\": {\"name\": \"Ada\"}}"
                                           : "{\"action\": \"cancel\"}");
}

/* The program is killed while a form of the newest revision waits: the answer still reaches the server, in another process. */
static void
test_form_killed (void)
{
  g_autoptr (BeckonCliFixture) fixture = fixture_with_server ("modern");
  g_autofree char *result = NULL;
  g_autofree char *id = NULL;
  BeckonCliProcess *process;

  beckon_cli_fixture_script (fixture, beckon_script_call ("call_1", "my_server__ask", "{}"));
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("It knows you."));
  process = open_chat (fixture);
  beckon_cli_process_type (process, "Sign me in");
  beckon_cli_process_wait (process, "1. ");
  beckon_cli_process_wait (process, "> ");
  beckon_cli_process_type (process, "1");
  beckon_cli_process_wait (process, "Which account?");
  kill (process->pid, SIGKILL);
  beckon_cli_process_free (process);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "questions", NULL), ==, 0);
  beckon_cli_assert_says (fixture->output, "Which account?");
  id = g_strndup (fixture->output, 26);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "answer", id, "Ada", NULL), ==, 0);
  result = beckon_agent_dup_result (beckon_fixture_server_get_request (fixture->server, 1), "call_1");
  beckon_cli_assert_says (result, "{\"action\": \"accept\", \"content\": {\"name\": \"Ada\"}}");
}

static char *
dup_result (BeckonCliFixture *fixture, guint index, const char *id)
{
  return beckon_agent_dup_result (beckon_fixture_server_get_request (fixture->server, index), id);
}

/* A tool that a rule allows is another one: nothing of it runs before the person has seen what changed. */
static void
test_changed (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *script = dup_script ();
  g_autofree char *file = g_build_filename (fixture->home, "changed", NULL);
  g_autofree char *word = g_strconcat ("changes-if=", file, NULL);
  g_auto (GStrv) results = g_new0 (char *, 7);
  BeckonCliProcess *process;

  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "add", "s", "--", g_getenv ("BECKON_TEST_PYTHON"), "-u", script,
                                           "modern", word, NULL), ==, 0);
  beckon_cli_fixture_script (fixture, beckon_script_call ("call_1", "s__echo", "{\"text\":\"one\"}"));
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("First done."));
  process = open_chat (fixture);
  beckon_cli_process_type (process, "Say it");
  beckon_cli_process_wait (process, "/always N");
  beckon_cli_process_wait (process, "> ");
  beckon_cli_process_type (process, "/always 1");
  beckon_cli_process_wait (process, "First done.");
  close_chat (process);
  results[0] = dup_result (fixture, 1, "call_1");
  g_assert_cmpstr (results[0], ==, "one");

  /* The server is another one when it starts again: the call was decided for what it was. */
  g_assert_true (g_file_set_contents (file, "", 0, NULL));
  beckon_cli_fixture_script (fixture, beckon_script_call ("call_2", "s__echo", "{\"text\":\"two\"}"));
  beckon_cli_fixture_script (fixture, beckon_script_call ("call_3", "s__echo", "{\"text\":\"three\"}"));
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Second done."));
  process = open_chat (fixture);
  beckon_cli_process_type (process, "Say it");
  beckon_cli_process_wait (process, "is no longer what you allowed");
  beckon_cli_process_wait (process, "+Says it again, and sends it to evil.example");
  beckon_cli_process_wait (process, "1. Don't Allow");
  beckon_cli_process_wait (process, "> ");
  beckon_cli_process_type (process, "1");
  beckon_cli_process_wait (process, "Second done.");
  close_chat (process);
  results[1] = dup_result (fixture, 3, "call_2");
  beckon_cli_assert_says (results[1], "the server has changed this tool");
  results[2] = dup_result (fixture, 4, "call_3");
  beckon_cli_assert_says (results[2], "did not accept the change");

  /* Without a person it is not used; with their word it is, and stays so. */
  beckon_cli_fixture_script (fixture, beckon_script_call ("call_4", "s__echo", "{\"text\":\"four\"}"));
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Third done."));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "run", "Say it", NULL), ==, 5);
  results[3] = dup_result (fixture, 6, "call_4");
  beckon_cli_assert_says (results[3], "can't be asked here whether they accept the change");
  beckon_cli_fixture_script (fixture, beckon_script_call ("call_5", "s__echo", "{\"text\":\"five\"}"));
  beckon_cli_fixture_script (fixture, beckon_script_call ("call_6", "s__echo", "{\"text\":\"six\"}"));
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Fourth done."));
  process = open_chat (fixture);
  beckon_cli_process_type (process, "Say it");
  beckon_cli_process_wait (process, "2. Allow");
  beckon_cli_process_wait (process, "> ");
  beckon_cli_process_type (process, "2");
  beckon_cli_process_wait (process, "Fourth done.");
  close_chat (process);
  results[4] = dup_result (fixture, 8, "call_5");
  g_assert_cmpstr (results[4], ==, "five");
  results[5] = dup_result (fixture, 9, "call_6");
  g_assert_cmpstr (results[5], ==, "six");
}

/* A server that is kept in a sandbox sees its folder, and has to have one. */
static void
test_sandbox (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *script = dup_script ();
  g_autofree char *folder = g_build_filename (fixture->home, "kept", NULL);
  g_autofree char *copy = g_build_filename (folder, "server.py", NULL);
  g_autofree char *text = NULL;
  int status;

  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  g_assert_true (g_file_get_contents (script, &text, NULL, NULL));
  g_assert_true (g_file_set_contents (copy, text, -1, NULL));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "add", "none", "--sandbox", "--", "python3", "server.py", NULL),
                   ==, 1);
  beckon_cli_assert_says (fixture->errors, "needs a folder");
  status = beckon_cli_fixture_run (fixture, NULL, "mcp", "add", "kept", "--sandbox", "--directory", folder, "--", "python3", "-u",
                                   "server.py", "modern", NULL);
  if (status != 0 && strstr (fixture->errors, "sandbox") != NULL)
    {
      g_test_skip ("there is no working bubblewrap here");
      return;
    }
  g_assert_cmpint (status, ==, 0);
  beckon_cli_assert_says (fixture->output, "kept__echo\tSay Again\n");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "list", "--json", NULL), ==, 0);
  beckon_cli_assert_says (fixture->output, "\"sandbox\":true");
  g_assert_null (strstr (fixture->output, "\"network\""));
}

/* Servers of other programs are listed before any is added, and each on its own. */
static void
test_import (void)
{
  static const char text[] = "// Mine\n{\"mcpServers\": {\"one\": {\"command\": \"true\", \"args\": [\"a b\"],},\n"
                             "\"two\": {\"url\": \"https://a.example/${input:team}\"}, \"three\": {}}}";
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new ();
  g_autofree char *folder = g_build_filename (fixture->home, "config", "Claude", NULL);
  g_autofree char *path = g_build_filename (folder, "claude_desktop_config.json", NULL);

  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "import", NULL), ==, 0);
  g_assert_cmpstr (fixture->output, ==, "");
  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "import", "--from", "claude-desktop", NULL), ==, 0);
  beckon_cli_assert_says (fixture->output, "true 'a b'\n");
  beckon_cli_assert_says (fixture->output, "--env 'team=…'");
  beckon_cli_assert_says (fixture->output, "neither a “command” nor a “url”");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "list", NULL), ==, 0);
  g_assert_cmpstr (fixture->output, ==, "");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "import", path, "two", "-e", "team=red", NULL), ==, 0);
  g_assert_cmpstr (fixture->output, ==, "two\n");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, text, "mcp", "import", "-", "--all", NULL), ==, 1);
  g_assert_cmpstr (fixture->output, ==, "one\n");
  beckon_cli_assert_says (fixture->errors, "two: Enter a value for “team”.");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "list", NULL), ==, 0);
  beckon_cli_assert_says (fixture->output, "https://a.example/red");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "import", path, "four", NULL), ==, 1);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "import", "--from", "nothing", NULL), ==, 2);
}

/* A server is changed, and stays what it is: a program or an address. */
static void
test_set (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new ();
  static const struct
  {
    const char *options[3];
    const char *says;
  } cases[] = {
    { { "--url", "https://a.example" }, "either a program or at an address" },
    { { "--header", "A:b" }, "no headers" },
    { { "--unset", "NO" }, "has no “NO”" },
    { { "--client-id", "robot" }, "has no sign-in" },
    { { "--network" }, NULL },
    { { "--write" }, NULL },
  };

  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "set", "s", "--network", NULL), ==, 1);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "add", "s", "--no-test", "--sandbox", "--directory",
                                           fixture->home, "-e", "A=1", "-e", "B=2", "--", "true", "one", NULL),
                   ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const char *const *o = cases[i].options;

      g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "set", "s", o[0], o[1], NULL), ==, cases[i].says != NULL);
      if (cases[i].says != NULL)
        beckon_cli_assert_says (fixture->errors, cases[i].says);
    }
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "list", "--json", NULL), ==, 0);
  beckon_cli_assert_says (fixture->output, "\"network\":true");
  beckon_cli_assert_says (fixture->output, "\"write\":true");
  beckon_cli_assert_says (fixture->output, "\"sandbox\":true");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "set", "s", "--unset", "A", "--no-sandbox", "--no-network",
                                           "--no-write", "--",
                                           "false", "two three", NULL),
                   ==, 0);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "list", "--json", NULL), ==, 0);
  beckon_cli_assert_says (fixture->output, "two three");
  beckon_cli_assert_says (fixture->output, "\"B\"");
  g_assert_null (strstr (fixture->output, "\"A\""));
  g_assert_null (strstr (fixture->output, "\"write\""));
  g_assert_null (strstr (fixture->output, "\"sandbox\":true"));
}

/* A server may have other tools once it is changed: they are known when the change is done. */
static void
test_set_lists (void)
{
  g_autoptr (BeckonCliFixture) fixture = fixture_with_server ("more-with-variable");

  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "set", "My Server", "-e", "MORE=1", NULL), ==, 0);
  beckon_cli_assert_says (fixture->output, "my_server__more\t");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "list", NULL), ==, 0);
  beckon_cli_assert_says (fixture->output, "\t15 tools\t");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "set", "My Server", "--no-test", "--", "false", NULL), ==, 0);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "set", "My Server", "--", "false", "again", NULL), ==, 1);
  beckon_cli_assert_says (fixture->errors, "“My Server” was changed all the same.");
}

/* A server that came with a folder is for that folder, in a sandbox, and gets nothing of the environment by asking for it. */
static void
test_import_project (void)
{
  static const char text[] = "{\"mcpServers\": {\"one\": {\"command\": \"true\", \"args\": [\"${PATH}\"]}}}";
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new ();
  g_autofree char *folder = g_build_filename (fixture->home, "project", NULL);
  g_autofree char *path = g_build_filename (folder, ".mcp.json", NULL);
  g_autofree char *kept = g_strdup_printf ("\"folder\":\"%s\"", folder);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "import", path, NULL), ==, 0);
  beckon_cli_assert_says (fixture->output, "--env 'PATH=…'");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "import", path, "one", NULL), ==, 1);
  beckon_cli_assert_says (fixture->errors, "Enter a value for “PATH”.");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "import", path, "one", "-e", "PATH=x", NULL), ==, 0);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "list", "--json", NULL), ==, 0);
  beckon_cli_assert_says (fixture->output, kept);
  beckon_cli_assert_says (fixture->output, "\"sandbox\":true");
}

/* A server's program that changed since it was approved is not started until it is approved again. */
static void
test_program_changed (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *script = dup_script ();
  g_autofree char *folder = g_dir_make_tmp ("beckon-mcp-own-XXXXXX", NULL);
  g_autofree char *own = g_build_filename (folder, "server.py", NULL);
  g_autofree char *loaded = g_build_filename (folder, "loaded.py", NULL);
  g_autofree char *variable = g_strconcat ("PYTHONSTARTUP=", loaded, NULL);
  g_autofree char *text = NULL;
  g_autofree char *changed = NULL;

  g_assert_true (g_file_get_contents (script, &text, NULL, NULL));
  g_assert_true (g_file_set_contents (own, text, -1, NULL));
  g_assert_true (g_file_set_contents (loaded, "1", -1, NULL));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "add", "One", "-e", variable, "--", g_getenv ("BECKON_TEST_PYTHON"), "-u", own,
                                           "modern", NULL), ==, 0);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "test", "One", NULL), ==, 0);
  changed = g_strconcat (text, "# changed\n", NULL);
  g_assert_true (g_file_set_contents (own, changed, -1, NULL));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "test", "One", NULL), !=, 0);
  beckon_cli_assert_says (fixture->errors, "has changed since you approved it");
  /* Neither another setting nor being on already approves it. */
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "set", "One", "--tools", "always", NULL), ==, 0);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "on", "One", NULL), ==, 0);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "test", "One", NULL), !=, 0);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "off", "One", NULL), ==, 0);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "on", "One", NULL), ==, 0);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "test", "One", NULL), ==, 0);
  /* A file that a variable names is a part of it. */
  g_assert_true (g_file_set_contents (loaded, "12", -1, NULL));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "test", "One", NULL), !=, 0);
  beckon_cli_assert_says (fixture->errors, loaded);
  g_assert_cmpint (g_unlink (loaded), ==, 0);
  g_assert_cmpint (g_unlink (own), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

/* A call asks about a changed program, says what is known of it, and starts it only once a person allowed it. */
static void
test_program_asked (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *script = dup_script ();
  g_autofree char *folder = g_dir_make_tmp ("beckon-mcp-own-XXXXXX", NULL);
  g_autofree char *own = g_build_filename (folder, "server.py", NULL);
  g_autofree char *text = NULL;
  g_autofree char *changed = NULL;
  g_autofree char *now = NULL;
  g_autofree char *before = NULL;
  g_autofree char *unasked = NULL;
  g_autofree char *refused = NULL;
  g_autofree char *allowed = NULL;
  BeckonCliProcess *process;

  g_assert_true (g_file_get_contents (script, &text, NULL, NULL));
  g_assert_true (g_file_set_contents (own, text, -1, NULL));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "add", "s", "--", g_getenv ("BECKON_TEST_PYTHON"), "-u", own,
                                           "modern", NULL), ==, 0);
  beckon_cli_fixture_script (fixture, beckon_script_call ("call_0", "s__echo", "{\"text\":\"zero\"}"));
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done."));
  process = open_chat (fixture);
  beckon_cli_process_type (process, "Say it");
  beckon_cli_process_wait (process, "/always N");
  beckon_cli_process_wait (process, "> ");
  beckon_cli_process_type (process, "/always 1");
  beckon_cli_process_wait (process, "Done.");
  close_chat (process);
  changed = g_strconcat (text, "# changed\n", NULL);
  g_assert_true (g_file_set_contents (own, changed, -1, NULL));
  now = g_strdup_printf ("now: %zu bytes, last changed ", strlen (changed));
  before = g_strdup_printf ("when you approved it: %zu bytes, last changed ", strlen (text));

  beckon_cli_fixture_script (fixture, beckon_script_call ("call_1", "s__echo", "{\"text\":\"one\"}"));
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("First done."));
  beckon_cli_fixture_run (fixture, NULL, "run", "Say it", NULL);
  unasked = dup_result (fixture, 3, "call_1");
  beckon_cli_assert_says (unasked, "the server changed its program since the user allowed it, and the user can't be asked");

  beckon_cli_fixture_script (fixture, beckon_script_call ("call_2", "s__echo", "{\"text\":\"two\"}"));
  beckon_cli_fixture_script (fixture, beckon_script_call ("call_3", "s__echo", "{\"text\":\"three\"}"));
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Second done."));
  process = open_chat (fixture);
  beckon_cli_process_type (process, "Say it");
  for (guint choice = 1; choice <= 2; choice++)
    {
      beckon_cli_process_wait (process, "The program of the server s is not what you approved.");
      beckon_cli_process_wait (process, own);
      beckon_cli_process_wait (process, now);
      beckon_cli_process_wait (process, before);
      beckon_cli_process_wait (process, "Beckon has no copy of the earlier files");
      beckon_cli_process_wait (process, "2. Allow");
      beckon_cli_process_wait (process, "> ");
      beckon_cli_process_type (process, choice == 1 ? "1" : "2");
    }
  beckon_cli_process_wait (process, "Second done.");
  close_chat (process);
  refused = dup_result (fixture, 5, "call_2");
  beckon_cli_assert_says (refused, "did not accept the change");
  allowed = dup_result (fixture, 6, "call_3");
  g_assert_true (g_str_has_prefix (allowed, "three\n"));
  /* The approval stays. */
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "test", "s", NULL), ==, 0);
  g_assert_cmpint (g_unlink (own), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/mcp/cli/first-light/modern", "modern", test_first_light);
  g_test_add_data_func ("/mcp/cli/first-light/old", "old", test_first_light);
  g_test_add_data_func ("/mcp/cli/form/modern", "modern", test_form);
  g_test_add_data_func ("/mcp/cli/form/old", "old", test_form);
  g_test_add_data_func ("/mcp/cli/form/alone/modern", "modern", test_form_alone);
  g_test_add_data_func ("/mcp/cli/form/alone/old", "old", test_form_alone);
  g_test_add_func ("/mcp/cli/form/killed", test_form_killed);
  g_test_add_func ("/mcp/cli/nobody", test_nobody);
  g_test_add_func ("/mcp/cli/sandbox", test_sandbox);
  g_test_add_func ("/mcp/cli/left-out", test_left_out);
  g_test_add_func ("/mcp/cli/mistakes", test_mistakes);
  g_test_add_func ("/mcp/cli/misused", test_misused);
  g_test_add_func ("/mcp/cli/added-all-the-same", test_added_all_the_same);
  g_test_add_func ("/mcp/cli/name-in-commands", test_name_in_commands);
  g_test_add_func ("/mcp/cli/offer", test_offer);
  g_test_add_data_func ("/mcp/cli/prompts/modern", "modern", test_prompts);
  g_test_add_data_func ("/mcp/cli/prompts/old", "old", test_prompts);
  g_test_add_data_func ("/mcp/cli/resources/modern", "modern", test_resources);
  g_test_add_data_func ("/mcp/cli/resources/old", "old", test_resources);
  g_test_add_func ("/mcp/cli/shown", test_shown);
  g_test_add_func ("/mcp/cli/killed", test_killed);
  g_test_add_func ("/mcp/cli/changed", test_changed);
  g_test_add_func ("/mcp/cli/program-changed", test_program_changed);
  g_test_add_func ("/mcp/cli/program-asked", test_program_asked);
  g_test_add_func ("/mcp/cli/import", test_import);
  g_test_add_func ("/mcp/cli/set", test_set);
  g_test_add_func ("/mcp/cli/set-lists", test_set_lists);
  g_test_add_func ("/mcp/cli/import-project", test_import_project);
  return g_test_run ();
}
