/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The calls of a message by themselves: surveys that are made once, abandoned, given up; and what a stop waits for. */

#include "agent/beckon-call-batch.h"
#include "beckon-agent-fixture.h"
#include "beckon-test-tool.h"

typedef struct
{
  BeckonAgentFixture *fixture;
  BeckonCallBatch *batch;
  BeckonTool *tool;
  BeckonToolCall *call;
  guint n_ready;
  guint n_destroyed;
} Test;

static void
on_ready (BeckonCallBatch *batch, gpointer user_data)
{
  Test *test = user_data;

  g_assert_true (batch == test->batch);
  g_assert_false (beckon_call_batch_is_surveying (test->batch));
  test->n_ready++;
}

static void
on_destroyed (gpointer user_data)
{
  ((Test *) user_data)->n_destroyed++;
}

static void
set_up (Test *test, gconstpointer data)
{
  BeckonAgentFixture *fixture = test->fixture = beckon_agent_fixture_new ();
  const BeckonAgentParts parts = {
    .store = fixture->store,
    .library = fixture->library,
    .profiles = fixture->profiles,
    .rules = fixture->rules,
    .parameters = fixture->parameters,
    .inbox = fixture->inbox,
    .provider = fixture->provider,
    .tools = fixture->tools,
    .settings = fixture->settings,
    .clock = fixture->clock,
  };
  g_autoptr (BeckonRunScope) scope = beckon_run_scope_new (&parts, fixture->conversation, TRUE);

  test->tool = BECKON_TOOL (beckon_test_tool_new ("note", TRUE));
  beckon_tool_registry_add (fixture->tools, test->tool);
  test->call = beckon_tool_call_new (NULL, NULL, "note", "{\"n\":1}");
  test->batch = beckon_call_batch_new (scope, NULL);
}

static void
tear_down (Test *test, gconstpointer data)
{
  beckon_call_batch_unref (test->batch);
  g_object_unref (test->call);
  g_object_unref (test->tool);
  beckon_agent_fixture_free (test->fixture);
}

static void
survey (Test *test, gboolean is_start)
{
  g_autoptr (GPtrArray) calls = g_ptr_array_new ();

  g_ptr_array_add (calls, test->call);
  beckon_call_batch_survey (test->batch, calls, is_start, on_ready, test, on_destroyed);
}

/* A call is looked at once, and once more for its start; its arguments are read once. */
static void
test_once (Test *test, gconstpointer data)
{
  BeckonToolArguments *read;

  survey (test, FALSE);
  g_assert_true (beckon_call_batch_is_surveying (test->batch));
  beckon_agent_wait_until (test->n_ready == 1);
  read = beckon_call_survey_get_arguments (beckon_call_batch_get_survey (test->batch, test->call));
  survey (test, FALSE);
  g_assert_cmpuint (test->n_ready, ==, 2);
  survey (test, TRUE);
  g_assert_cmpuint (test->n_ready, ==, 2);
  beckon_agent_wait_until (test->n_ready == 3);
  g_assert_true (beckon_call_survey_get_arguments (beckon_call_batch_get_survey (test->batch, test->call)) == read);
  g_assert_true (beckon_tool_call_get_read_only (test->call));
  g_assert_cmpuint (test->n_destroyed, ==, 0);
}

/* A survey does not hold for other arguments, another folder or a tool that is gone. */
static void
test_fits (Test *test, gconstpointer data)
{
  survey (test, FALSE);
  beckon_agent_wait_until (test->n_ready == 1);
  beckon_tool_call_set_edited_arguments (test->call, "{\"n\":2}");
  g_assert_null (beckon_call_batch_get_survey (test->batch, test->call));
  survey (test, FALSE);
  beckon_agent_wait_until (test->n_ready == 2);
  g_assert_nonnull (beckon_call_batch_get_survey (test->batch, test->call));
  beckon_conversation_set_folder (test->fixture->conversation, "/elsewhere");
  g_assert_null (beckon_call_batch_get_survey (test->batch, test->call));
  beckon_conversation_set_folder (test->fixture->conversation, NULL);
  g_assert_nonnull (beckon_call_batch_get_survey (test->batch, test->call));
  beckon_tool_registry_remove (test->fixture->tools, test->tool);
  g_assert_null (beckon_call_batch_get_survey (test->batch, test->call));
  survey (test, FALSE);
  g_assert_cmpuint (test->n_ready, ==, 3);
}

/* An abandoned survey's result is dropped, and another may begin at once. */
static void
test_abandoned (Test *test, gconstpointer data)
{
  survey (test, FALSE);
  beckon_call_batch_abandon_survey (test->batch);
  g_assert_false (beckon_call_batch_is_surveying (test->batch));
  beckon_agent_wait_until (test->n_destroyed == 1);
  g_assert_cmpuint (test->n_ready, ==, 0);
  g_assert_null (beckon_call_batch_get_survey (test->batch, test->call));
  survey (test, FALSE);
  beckon_call_batch_reset (test->batch);
  survey (test, FALSE);
  beckon_agent_wait_until (test->n_ready == 1 && test->n_destroyed == 2);
}

static void
test_work (Test *test, gconstpointer data)
{
  guint first = beckon_call_batch_enter_tool (test->batch);
  guint second;

  g_assert_true (beckon_call_batch_leave_tool (test->batch, first));
  g_assert_false (beckon_call_batch_is_busy (test->batch));
  first = beckon_call_batch_enter_tool (test->batch);
  beckon_call_batch_enter_landing (test->batch);
  g_assert_true (beckon_call_batch_has_tools (test->batch));
  beckon_call_batch_give_up_tools (test->batch);
  g_assert_false (beckon_call_batch_has_tools (test->batch));
  g_assert_true (beckon_call_batch_is_busy (test->batch));
  second = beckon_call_batch_enter_tool (test->batch);
  g_assert_false (beckon_call_batch_is_heard (test->batch, first));
  g_assert_false (beckon_call_batch_leave_tool (test->batch, first));
  g_assert_true (beckon_call_batch_leave_tool (test->batch, second));
  beckon_call_batch_end_landing (test->batch);
  g_assert_false (beckon_call_batch_is_busy (test->batch));
}

static void
test_marks (Test *test, gconstpointer data)
{
  g_autoptr (BeckonToolCall) other = beckon_tool_call_new (NULL, NULL, "note", "{}");

  g_assert_false (beckon_call_batch_is_marked (test->batch, test->call, BECKON_CALL_MARK_LAND));
  g_assert_true (beckon_call_batch_mark (test->batch, test->call, BECKON_CALL_MARK_LAND));
  g_assert_false (beckon_call_batch_mark (test->batch, test->call, BECKON_CALL_MARK_LAND));
  g_assert_true (beckon_call_batch_mark (test->batch, test->call, BECKON_CALL_MARK_ON_VIEW));
  g_assert_false (beckon_call_batch_is_marked (test->batch, other, BECKON_CALL_MARK_LAND));
  beckon_call_batch_unmark (test->batch, test->call, BECKON_CALL_MARK_LAND);
  beckon_call_batch_unmark (test->batch, other, BECKON_CALL_MARK_LAND);
  g_assert_false (beckon_call_batch_is_marked (test->batch, test->call, BECKON_CALL_MARK_LAND));
  g_assert_true (beckon_call_batch_is_marked (test->batch, test->call, BECKON_CALL_MARK_ON_VIEW));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/agent/call-batch/once", Test, NULL, set_up, test_once, tear_down);
  g_test_add ("/agent/call-batch/fits", Test, NULL, set_up, test_fits, tear_down);
  g_test_add ("/agent/call-batch/abandoned", Test, NULL, set_up, test_abandoned, tear_down);
  g_test_add ("/agent/call-batch/work", Test, NULL, set_up, test_work, tear_down);
  g_test_add ("/agent/call-batch/marks", Test, NULL, set_up, test_marks, tear_down);
  return g_test_run ();
}
