/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A rule that a person gives with their answer is about the tool that they were shown: where that became another one, or went,
 * before the call started, the rule goes with it. */

#include "beckon-agent-fixture.h"
#include "beckon-test-tool.h"
#include "request/beckon-approval-request.h"

#include <string.h>

typedef enum
{
  STAYS,
  CHANGES,
  CHANGES_AND_STOPPED,
  GOES,
} Fate;

static guint
count_rules (BeckonAgentFixture *agent)
{
  return beckon_rules_get_snapshot (agent->rules)->len;
}

static void
test_remember (gconstpointer data)
{
  Fate fate = GPOINTER_TO_INT (data);
  g_autoptr (BeckonAgentFixture) agent = beckon_agent_fixture_new ();
  BeckonTestTool *tool = beckon_test_tool_new ("write_note", FALSE);
  BeckonAnswer *approved = beckon_answer_new (BECKON_ANSWER_APPROVED, NULL);
  BeckonRequest *request;

  beckon_tool_registry_add (agent->tools, BECKON_TOOL (tool));
  beckon_test_tool_set_digest (tool, "as it was shown");
  beckon_agent_fixture_script (agent, beckon_script_call ("call_1", "write_note", "{\"path\":\"/tmp/a\"}"));
  beckon_agent_fixture_script (agent, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (agent, agent->conversation, "Go");
  request = beckon_agent_fixture_wait_pending (agent, 1);
  beckon_answer_set_remember (
    approved, beckon_rule_proposal_copy_rules (g_ptr_array_index (beckon_request_get_ground (request)->proposals, 0), NULL, 5));
  if (fate == CHANGES || fate == CHANGES_AND_STOPPED)
    beckon_test_tool_set_digest (tool, "as it is now");
  else if (fate == GOES)
    beckon_tool_registry_remove (agent->tools, BECKON_TOOL (tool));
  beckon_agent_fixture_answer (agent, request, approved);
  if (fate == STAYS)
    {
      beckon_agent_wait_until (beckon_test_tool_get_n_begun (tool) == 1);
      beckon_agent_fixture_wait_end (agent, BECKON_RUN_COMPLETE);
      g_assert_cmpuint (count_rules (agent), ==, 1);
    }
  else
    {
      if (fate == CHANGES_AND_STOPPED)
        beckon_agent_fixture_stop (agent);
      beckon_agent_wait_until (count_rules (agent) == 0);
      beckon_agent_fixture_settle ();
      g_assert_cmpuint (count_rules (agent), ==, 0);
      g_assert_cmpuint (beckon_test_tool_get_n_begun (tool), ==, 0);
    }
  if (fate == GOES)
    {
      g_autofree char *result = NULL;

      beckon_agent_fixture_wait_end (agent, BECKON_RUN_COMPLETE);
      result = beckon_agent_dup_result (beckon_fixture_server_get_request (agent->server, 1), "call_1");
      g_assert_nonnull (strstr (result, "The tool is not there any more."));
    }
  g_clear_pointer (&agent, beckon_agent_fixture_free);
  g_assert_finalize_object (tool);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_data_func ("/agent/remember/tool-stays", GINT_TO_POINTER (STAYS), test_remember);
  g_test_add_data_func ("/agent/remember/tool-changes", GINT_TO_POINTER (CHANGES), test_remember);
  g_test_add_data_func ("/agent/remember/tool-changes-and-stopped", GINT_TO_POINTER (CHANGES_AND_STOPPED), test_remember);
  g_test_add_data_func ("/agent/remember/tool-goes", GINT_TO_POINTER (GOES), test_remember);

  return g_test_run ();
}
