/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-cli-fixture.h"

#include "beckon-agent-script.h"

#include <string.h>

/*
 * Programs without a person, and what comes up while a server's tool runs that a rule allows: its definition has changed, or
 * the server asks something. The program neither hangs nor ends as if all was well. No limit is shortened here.
 */

typedef struct
{
  const char *tool; /* as it is called at the server */
  const char *words[3];
  const char *asked;  /* a line of what would have been asked */
  const char *refusal; /* what the model is told */
} Kind;

static const Kind changed
  = { "echo", { "modern", "changes-if" }, "is no longer what you allowed", "can't be asked here whether they accept the change" };

/* Another process could answer it. */
static const Kind form = { "ask", { "modern", "one-page" }, "Which account?", "\"cancel\"" };

/* With a server of that kind, and a rule that allows its tool always. */
static BeckonCliFixture *
fixture_with_rule (const Kind *kind)
{
  BeckonCliFixture *fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *script = g_test_build_filename (G_TEST_DIST, "mcp", "server.py", NULL);
  g_autofree char *file = g_build_filename (fixture->home, "changed", NULL);
  g_autofree char *change = g_strconcat ("changes-if=", file, NULL);
  g_autofree char *name = g_strconcat ("s__", kind->tool, NULL);
  gboolean changes = g_str_equal (kind->words[1], "changes-if");
  BeckonCliProcess *process;

  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "add", "s", "--", g_getenv ("BECKON_TEST_PYTHON"), "-u",
                                           script, kind->words[0], changes ? change : kind->words[1], NULL), ==, 0);
  beckon_cli_fixture_script (fixture, beckon_script_call ("call_0", name, "{\"text\":\"zero\"}"));
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Allowed."));
  process = beckon_cli_process_new_in_terminal (fixture, "chat", NULL);
  beckon_cli_process_wait (process, "> ");
  beckon_cli_process_type (process, "Use it");
  beckon_cli_process_wait (process, "/always N");
  beckon_cli_process_wait (process, "> ");
  beckon_cli_process_type (process, "/always 1");
  if (kind == &form)
    {
      beckon_cli_process_wait (process, kind->asked);
      beckon_cli_process_wait (process, "> ");
      beckon_cli_process_type (process, "Ada");
    }
  beckon_cli_process_wait (process, "Allowed.");
  beckon_cli_process_wait (process, "> ");
  beckon_cli_process_type (process, "/quit");
  g_assert_cmpint (beckon_cli_process_finish (process), ==, 0);
  beckon_cli_process_free (process);

  if (changes)
    g_assert_true (g_file_set_contents (file, "", 0, NULL));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "mcp", "test", "s", NULL), ==, 0);
  return fixture;
}

/* @request: of the model, with the result. It is told, as the person is, and nothing is left open. */
static void
assert_told (BeckonCliFixture *fixture, const Kind *kind, guint request, const char *told)
{
  g_autofree char *result = beckon_agent_dup_result (beckon_fixture_server_get_request (fixture->server, request), "call_1");

  beckon_cli_assert_says (result, kind->refusal);
  beckon_cli_assert_says (told, kind->asked);
  beckon_cli_assert_says (told, "can't be answered later. Use a terminal.");
  g_assert_null (strstr (told, "1. "));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "questions", NULL), ==, 0);
  g_assert_cmpstr (fixture->output, ==, "");
}

static void
assert_refused (BeckonCliFixture *fixture, const Kind *kind, guint request)
{
  g_autofree char *errors = g_steal_pointer (&fixture->errors);

  assert_told (fixture, kind, request, errors);
}

static void
script_call (BeckonCliFixture *fixture, const Kind *kind)
{
  g_autofree char *name = g_strconcat ("s__", kind->tool, NULL);

  beckon_cli_fixture_script (fixture, beckon_script_call ("call_1", name, "{\"text\":\"one\"}"));
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("It is done."));
}

static void
test_run (gconstpointer data)
{
  const Kind *kind = data;
  g_autoptr (BeckonCliFixture) fixture = fixture_with_rule (kind);

  script_call (fixture, kind);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "run", "Use it", NULL), ==, 5);
  g_assert_cmpstr (fixture->output, ==, "It is done.\n");
  assert_refused (fixture, kind, 3);
}

static void
test_detach (gconstpointer data)
{
  const Kind *kind = data;
  g_autoptr (BeckonCliFixture) fixture = fixture_with_rule (kind);

  script_call (fixture, kind);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "run", "--detach-on-ask", "Use it", NULL), ==, 5);
  g_assert_cmpstr (fixture->output, ==, "It is done.\n");
  assert_refused (fixture, kind, 3);
}

/* Programs that read events find it in them. */
static void
test_events (gconstpointer data)
{
  const Kind *kind = data;
  g_autoptr (BeckonCliFixture) fixture = fixture_with_rule (kind);
  g_autofree char *events = NULL;

  script_call (fixture, kind);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "run", "--json", "--detach-on-ask", "Use it", NULL), ==, 5);
  events = g_steal_pointer (&fixture->output);
  beckon_cli_assert_says (events, "{\"type\":\"note\",\"text\":\"");
  beckon_cli_assert_says (events, "\"type\":\"end\",\"status\":5");
  assert_told (fixture, kind, 3, events);
}

/* A form that another process could answer, and a program that leaves none open. */
static void
test_form (void)
{
  g_autoptr (BeckonCliFixture) fixture = fixture_with_rule (&form);
  g_autofree char *result = NULL;

  script_call (fixture, &form);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "run", "Use it", NULL), ==, 5);
  beckon_cli_assert_says (fixture->errors, form.asked);
  beckon_cli_assert_says (fixture->errors, "you can't be asked here");
  result = beckon_agent_dup_result (beckon_fixture_server_get_request (fixture->server, 3), "call_1");
  beckon_cli_assert_says (result, form.refusal);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/mcp/unasked/run/changed", &changed, test_run);
  g_test_add_data_func ("/mcp/unasked/detach/changed", &changed, test_detach);
  g_test_add_data_func ("/mcp/unasked/events/changed", &changed, test_events);
  g_test_add_func ("/mcp/unasked/form", test_form);
  return g_test_run ();
}
