/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A disk that is full while a run goes on: what has happened is kept, nothing new begins, and Continue takes the run up where it
 * stood as soon as there is room, without a restart.
 */

#include "beckon-agent-fixture.h"
#include "beckon-faults.h"
#include "beckon-test-tool.h"

#include "base/beckon-error.h"

#include <errno.h>
#include <sqlite3.h>

typedef struct
{
  BeckonAgentFixture *agent;
  BeckonTestTool *read;
} Case;

static Case *
case_new (void)
{
  const BeckonScriptCall call = { "call_1", "read_note", "{}" };
  Case *test = g_new0 (Case, 1);

  test->agent = beckon_agent_fixture_new ();
  test->read = beckon_test_tool_new ("read_note", TRUE);
  beckon_tool_registry_add (test->agent->tools, BECKON_TOOL (test->read));
  beckon_agent_fixture_script (test->agent, beckon_script_calls ("I look.", &call, 1, "tool_calls"));
  beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat ("Done"));

  return test;
}

static void
assert_whole (const char *directory)
{
  g_autofree char *path = g_build_filename (directory, "beckon.db", NULL);
  sqlite3_stmt *statement = NULL;
  sqlite3 *database = NULL;

  g_assert_cmpint (sqlite3_open (path, &database), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_prepare_v2 (database, "PRAGMA integrity_check", -1, &statement, NULL), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_step (statement), ==, SQLITE_ROW);
  g_assert_cmpstr ((const char *) sqlite3_column_text (statement, 0), ==, "ok");
  sqlite3_finalize (statement);
  sqlite3_close (database);
}

static void
case_free (Case *test)
{
  beckon_faults_set (0, 0, NULL, 0, 0);
  assert_whole (test->agent->directory);
  beckon_agent_fixture_free (test->agent);
  g_assert_finalize_object (test->read);
  g_free (test);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Case, case_free)

static gboolean
is_failed (Case *test)
{
  return beckon_conversation_get_phase (test->agent->conversation) == BECKON_RUN_FAILED;
}

/* The tool has run and its result cannot be written: it is not run again, and its result is not lost. */
static void
test_result (void)
{
  g_autoptr (Case) test = case_new ();
  g_autoptr (GError) error = NULL;

  beckon_test_tool_set_held (test->read, TRUE);
  beckon_agent_fixture_send (test->agent, test->agent->conversation, "Go");
  beckon_agent_wait_until (beckon_test_tool_get_n_running (test->read) == 1);
  beckon_agent_fixture_sync (test->agent);
  beckon_faults_set (BECKON_FAULTS_WRITE, ENOSPC, test->agent->directory, 0, -1);
  beckon_test_tool_release (test->read);
  beckon_agent_wait_until (is_failed (test));
  g_assert_cmpuint (beckon_health_get_n_unsaved (beckon_store_get_health (test->agent->store)), >, 0);
  g_assert_false (beckon_agent_fixture_try_continue (test->agent, test->agent->conversation, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_STORE);

  beckon_faults_set (0, 0, NULL, 0, 0);
  beckon_agent_fixture_continue (test->agent);
  beckon_agent_fixture_wait_end (test->agent, BECKON_RUN_COMPLETE);
  g_assert_cmpuint (beckon_test_tool_get_n_begun (test->read), ==, 1);
  g_assert_cmpuint (beckon_fixture_server_count_requests (test->agent->server), ==, 2);
}

/* The reply came and its calls cannot be stored: none of them runs, and its text is not lost. */
static void
test_calls (void)
{
  g_autoptr (Case) test = case_new ();

  beckon_agent_fixture_send (test->agent, test->agent->conversation, "Go");
  beckon_faults_set (BECKON_FAULTS_WRITE, ENOSPC, test->agent->directory, 0, -1);
  beckon_agent_wait_until (is_failed (test));
  g_assert_cmpuint (beckon_test_tool_get_n_begun (test->read), ==, 0);

  beckon_faults_set (0, 0, NULL, 0, 0);
  beckon_agent_fixture_continue (test->agent);
  beckon_agent_fixture_wait_end (test->agent, BECKON_RUN_COMPLETE);
  beckon_agent_fixture_assert_closed (test->agent, test->agent->conversation);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/agent/disk/result", test_result);
  g_test_add_func ("/agent/disk/calls", test_calls);

  return g_test_run ();
}
