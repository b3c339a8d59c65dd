/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-cli-fixture.h"

#include "beckon-agent-script.h"

#include <glib/gstdio.h>
#include <string.h>

/* The servers of npm that most people begin with, driven from the terminal. BECKON_MCP_INSTALL puts them into
 * BECKON_MCP_SERVERS. */

static const char *missing; /* (nullable): why there are none */

static void
install (void)
{
  const char *argv[] = { g_getenv ("BECKON_MCP_INSTALL"), g_getenv ("BECKON_MCP_SERVERS"), NULL };
  g_autofree char *npm = g_find_program_in_path ("npm");
  g_autofree char *node = g_find_program_in_path ("node");
  int status = -1;

  if (npm == NULL || node == NULL)
    missing = "npm is not installed";
  else if (!g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_STDOUT_TO_DEV_NULL | G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, NULL,
                          NULL, &status, NULL)
           || status != 0)
    missing = "the servers can't be fetched from npm";
}

typedef struct
{
  BeckonCliFixture *fixture;
  BeckonCliProcess *process;
  guint n_calls;
} Case;

/* @variable, @argument: (nullable). */
static Case *
case_new (const char *name, const char *variable, const char *argument)
{
  Case *test = g_new0 (Case, 1);
  g_autofree char *script = g_strdup_printf ("%s/node_modules/@modelcontextprotocol/server-%s/dist/index.js",
                                             g_getenv ("BECKON_MCP_SERVERS"), name);
  g_autofree char *node = g_find_program_in_path ("node");
  g_autofree char *option = g_strconcat ("--env=", variable != NULL ? variable : "LANG", NULL);

  test->fixture = beckon_cli_fixture_new_with_model ();
  g_assert_cmpint (beckon_cli_fixture_run (test->fixture, NULL, "mcp", "add", name, option, "--", node, script, argument, NULL),
                   ==, 0);
  test->process = beckon_cli_process_new_in_terminal (test->fixture, "chat", NULL);
  beckon_cli_process_wait (test->process, "> ");
  return test;
}

static void
case_free (Case *test)
{
  beckon_cli_process_type (test->process, "/quit");
  g_assert_cmpint (beckon_cli_process_finish (test->process), ==, 0);
  beckon_cli_process_free (test->process);
  beckon_cli_fixture_free (test->fixture);
  g_free (test);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Case, case_free)

/* A turn with one call, which the person approves. Returns its result as the model gets it. */
static char *
call (Case *test, const char *tool, const char *arguments)
{
  g_autofree char *id = g_strdup_printf ("call_%u", ++test->n_calls);
  g_autofree char *reply = g_strdup_printf ("That was number %u.", test->n_calls);

  beckon_cli_fixture_script (test->fixture, beckon_script_call (id, tool, arguments));
  beckon_cli_fixture_script (test->fixture, beckon_fixture_reply_new_chat (reply));
  beckon_cli_process_type (test->process, "Go on");
  beckon_cli_process_wait (test->process, "1. ");
  beckon_cli_process_wait (test->process, "> ");
  beckon_cli_process_type (test->process, "1");
  beckon_cli_process_wait (test->process, reply);
  beckon_cli_process_wait (test->process, "> ");
  return beckon_agent_dup_result (beckon_fixture_server_get_request (test->fixture->server, 2 * test->n_calls - 1), id);
}

static void
test_everything (void)
{
  g_autoptr (Case) test = NULL;
  g_autofree char *echo = NULL;
  g_autofree char *sum = NULL;
  g_autofree char *picture = NULL;
  g_autofree char *links = NULL;
  g_autofree char *structured = NULL;
  g_autofree char *slow = NULL;
  g_autofree char *environment = NULL;

  if (missing != NULL)
    {
      g_test_skip (missing);
      return;
    }
  g_setenv ("BECKON_CANARY", "canary", TRUE);
  test = case_new ("everything", NULL, NULL);
  echo = call (test, "everything__echo", "{\"message\":\"hello\"}");
  g_assert_cmpstr (echo, ==, "Echo: hello");
  sum = call (test, "everything__get-sum", "{\"a\":19,\"b\":23}");
  beckon_cli_assert_says (sum, "42");
  picture = call (test, "everything__get-tiny-image", "{}");
  beckon_cli_assert_says (picture, "[Picture 1]");
  links = call (test, "everything__get-resource-links", "{\"count\":2}");
  beckon_cli_assert_says (links, "[Resource ");
  structured = call (test, "everything__get-structured-content", "{\"location\":\"New York\"}");
  beckon_cli_assert_says (structured, "temperature");
  slow = call (test, "everything__trigger-long-running-operation", "{\"duration\":1,\"steps\":2}");
  beckon_cli_assert_says (slow, "completed");
  beckon_cli_assert_says (beckon_fixture_server_get_request (test->fixture->server, 0)->body, "> # Everything Server");
  environment = call (test, "everything__get-env", "{}");
  g_assert_null (strstr (environment, "canary"));
  g_assert_null (strstr (environment, BECKON_CLI_KEY));
}

static void
test_prompts (void)
{
  g_autoptr (Case) test = NULL;

  if (missing != NULL)
    {
      g_test_skip (missing);
      return;
    }
  test = case_new ("everything", NULL, NULL);
  g_assert_cmpint (beckon_cli_fixture_run (test->fixture, NULL, "mcp", "prompts", "everything", NULL), ==, 0);
  beckon_cli_assert_says (test->fixture->output, "args-prompt\tArguments Prompt\tcity=… [state=…]\n");
  g_assert_cmpint (beckon_cli_fixture_run (test->fixture, NULL, "mcp", "prompt", "everything", "args-prompt", "city=Hamburg", NULL),
                   ==, 0);
  g_assert_cmpstr (test->fixture->output, ==, "What's weather in Hamburg?\n");
  g_assert_cmpint (beckon_cli_fixture_run (test->fixture, NULL, "mcp", "prompt", "everything", "args-prompt", NULL), ==, 1);
  beckon_cli_assert_says (test->fixture->errors, "city=value");
}

static void
test_filesystem (void)
{
  g_autoptr (Case) test = NULL;
  g_autofree char *folder = NULL;
  g_autofree char *inside = NULL;
  g_autofree char *write = NULL;
  g_autofree char *read = NULL;
  g_autofree char *outside = NULL;
  g_autofree char *text = NULL;

  if (missing != NULL)
    {
      g_test_skip (missing);
      return;
    }
  folder = g_dir_make_tmp ("beckon-mcp-XXXXXX", NULL);
  inside = g_build_filename (folder, "note.txt", NULL);
  test = case_new ("filesystem", NULL, folder);
  write = g_strdup_printf ("{\"path\":\"%s\",\"content\":\"from a server\"}", inside);
  g_free (call (test, "filesystem__write_file", write));
  g_assert_true (g_file_get_contents (inside, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "from a server");
  read = g_strdup_printf ("{\"path\":\"%s\"}", inside);
  g_free (text);
  text = call (test, "filesystem__read_text_file", read);
  beckon_cli_assert_says (text, "from a server");
  outside = call (test, "filesystem__read_text_file", "{\"path\":\"/etc/hostname\"}");
  beckon_cli_assert_says (outside, "denied");
  g_remove (inside);
  g_rmdir (folder);
}

static void
test_memory (void)
{
  g_autoptr (Case) test = NULL;
  g_autofree char *folder = NULL;
  g_autofree char *file = NULL;
  g_autofree char *variable = NULL;
  g_autofree char *text = NULL;

  if (missing != NULL)
    {
      g_test_skip (missing);
      return;
    }
  folder = g_dir_make_tmp ("beckon-mcp-XXXXXX", NULL);
  file = g_build_filename (folder, "memory.jsonl", NULL);
  variable = g_strconcat ("MEMORY_FILE_PATH=", file, NULL);
  test = case_new ("memory", variable, NULL);
  g_free (call (test, "memory__create_entities",
                "{\"entities\":[{\"name\":\"Ada\",\"entityType\":\"person\",\"observations\":[\"wrote a program\"]}]}"));
  text = call (test, "memory__read_graph", "{}");
  beckon_cli_assert_says (text, "wrote a program");
  g_assert_true (g_file_test (file, G_FILE_TEST_EXISTS));
  g_remove (file);
  g_rmdir (folder);
}

/* A port that is free now. */
static guint
find_port (void)
{
  g_autoptr (GSocketListener) listener = g_socket_listener_new ();

  return g_socket_listener_add_any_inet_port (listener, NULL, NULL);
}

/* The same server behind an address: with a session, and as those of 2024-11-05, with a stream. */
static void
test_http (gconstpointer data)
{
  gboolean is_legacy = g_str_equal (data, "sse");
  g_autofree char *script = NULL;
  g_autofree char *node = NULL;
  g_autofree char *port = NULL;
  g_autofree char *address = NULL;
  g_autofree char *echo = NULL;
  g_autofree char *slow = NULL;
  g_autoptr (GSubprocessLauncher) launcher = NULL;
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (Case) test = NULL;
  gint64 deadline = g_get_monotonic_time () + 30 * G_USEC_PER_SEC;

  if (missing != NULL)
    {
      g_test_skip (missing);
      return;
    }
  script = g_strdup_printf ("%s/node_modules/@modelcontextprotocol/server-everything/dist/index.js",
                            g_getenv ("BECKON_MCP_SERVERS"));
  node = g_find_program_in_path ("node");
  port = g_strdup_printf ("%u", find_port ());
  address = g_strdup_printf ("http://127.0.0.1:%s/%s", port, is_legacy ? "sse" : "mcp");
  launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_SILENCE | G_SUBPROCESS_FLAGS_STDERR_SILENCE);
  g_subprocess_launcher_setenv (launcher, "PORT", port, TRUE);
  process = g_subprocess_launcher_spawn (launcher, NULL, node, script, data, NULL);
  test = g_new0 (Case, 1);
  test->fixture = beckon_cli_fixture_new_with_model ();
  g_assert_cmpint (beckon_cli_fixture_run (test->fixture, NULL, "mcp", "add", "far", "--url", address, "--no-test", NULL), ==, 0);
  while (beckon_cli_fixture_run (test->fixture, NULL, "mcp", "test", "far", NULL) != 0)
    g_assert_cmpint (g_get_monotonic_time (), <, deadline);
  test->process = beckon_cli_process_new_in_terminal (test->fixture, "chat", NULL);
  beckon_cli_process_wait (test->process, "> ");
  echo = call (test, "far__echo", "{\"message\":\"hello\"}");
  g_assert_cmpstr (echo, ==, "Echo: hello");
  slow = call (test, "far__trigger-long-running-operation", "{\"duration\":1,\"steps\":2}");
  beckon_cli_assert_says (slow, "completed");
  g_subprocess_force_exit (process);
  g_subprocess_wait (process, NULL, NULL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  install ();
  g_test_add_func ("/mcp/npm/everything", test_everything);
  g_test_add_func ("/mcp/npm/prompts", test_prompts);
  g_test_add_func ("/mcp/npm/filesystem", test_filesystem);
  g_test_add_func ("/mcp/npm/memory", test_memory);
  g_test_add_data_func ("/mcp/npm/http", "streamableHttp", test_http);
  g_test_add_data_func ("/mcp/npm/sse", "sse", test_http);
  return g_test_run ();
}
