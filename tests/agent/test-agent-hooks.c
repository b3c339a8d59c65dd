/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Observers see what really runs; what intercepts can stop a call or have it asked for; what fails stops it. */

#include "agent/beckon-hooks.h"
#include "beckon-agent-fixture.h"
#include "beckon-test-tool.h"
#include "request/beckon-approval-request.h"

#include <string.h>

/* A real hook: it writes down what it sees, and says what the test wants. */
#define TEST_TYPE_HOOK (test_hook_get_type ())
G_DECLARE_FINAL_TYPE (TestHook, test_hook, TEST, HOOK, GObject)

struct _TestHook
{
  GObject parent_instance;

  GString *seen;
  BeckonHookVerdict verdict;
  gboolean fails;
  gboolean held;
  GTask *waiting; /* (owned) (nullable) */
};

static void test_hook_hook_init (BeckonHookInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (TestHook, test_hook, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (BECKON_TYPE_HOOK, test_hook_hook_init))

static void
say (TestHook *self, GTask *task)
{
  if (self->fails)
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_FAILED, "the checker broke");
  else
    g_task_return_int (task, self->verdict);
}

static void
check_async (BeckonHook *hook, const BeckonHookCall *call, GCancellable *cancellable, GAsyncReadyCallback callback,
             gpointer user_data)
{
  TestHook *self = TEST_HOOK (hook);
  g_autoptr (GTask) task = g_task_new (hook, cancellable, callback, user_data);

  g_assert_cmpint (beckon_tool_call_get_state (call->call), ==, BECKON_CALL_DECIDED);
  g_string_append_printf (self->seen, "check %s\n", call->arguments);
  if (self->held)
    self->waiting = g_steal_pointer (&task);
  else
    say (self, task);
}

static BeckonHookVerdict
check_finish (BeckonHook *hook, GAsyncResult *result, char **reason, GError **error)
{
  gssize verdict = g_task_propagate_int (G_TASK (result), error);

  *reason = g_strdup ("It smells.");
  /* The verdict of a hook that fails does not matter. */
  return verdict < 0 ? BECKON_HOOK_PASS : (BeckonHookVerdict) verdict;
}

static void
started (BeckonHook *hook, const BeckonHookCall *call)
{
  g_assert_cmpint (beckon_tool_call_get_state (call->call), ==, BECKON_CALL_STARTED);
  g_assert_nonnull (call->decision_id);
  g_string_append_printf (TEST_HOOK (hook)->seen, "started %s\n", call->arguments);
}

static void
ended (BeckonHook *hook, const BeckonHookCall *call, const char *result, gboolean is_error)
{
  g_string_append_printf (TEST_HOOK (hook)->seen, "%s %s: %s\n", is_error ? "failed" : "ended", call->arguments, result);
}

static void
test_hook_hook_init (BeckonHookInterface *iface)
{
  iface->check_async = check_async;
  iface->check_finish = check_finish;
  iface->started = started;
  iface->ended = ended;
}

static void
test_hook_finalize (GObject *object)
{
  g_string_free (TEST_HOOK (object)->seen, TRUE);
  G_OBJECT_CLASS (test_hook_parent_class)->finalize (object);
}

static void
test_hook_class_init (TestHookClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = test_hook_finalize;
}

static void
test_hook_init (TestHook *self)
{
  self->seen = g_string_new (NULL);
}

typedef struct
{
  BeckonAgentFixture *agent;
  BeckonTestTool *read;
  BeckonTestTool *change;
  TestHook *hook;
} Case;

static Case *
case_new (void)
{
  Case *test = g_new0 (Case, 1);

  test->agent = beckon_agent_fixture_new ();
  test->read = beckon_test_tool_new ("read_note", TRUE);
  test->change = beckon_test_tool_new ("write_note", FALSE);
  test->hook = g_object_new (TEST_TYPE_HOOK, NULL);
  beckon_tool_registry_add (test->agent->tools, BECKON_TOOL (test->read));
  beckon_tool_registry_add (test->agent->tools, BECKON_TOOL (test->change));
  beckon_hooks_add (test->agent->hooks, BECKON_HOOK (test->hook));
  return test;
}

static void
case_free (Case *test)
{
  beckon_agent_fixture_free (test->agent);
  g_assert_finalize_object (test->read);
  g_assert_finalize_object (test->change);
  g_assert_finalize_object (test->hook);
  g_free (test);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Case, case_free)

static void
call (Case *test, const char *name, const char *arguments)
{
  beckon_agent_fixture_script (test->agent, beckon_script_call ("call_1", name, arguments));
  beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (test->agent, test->agent->conversation, "Go");
}

static void
finish (Case *test)
{
  beckon_agent_fixture_wait_end (test->agent, BECKON_RUN_COMPLETE);
}

static void
assert_told (Case *test, const char *words)
{
  g_autofree char *result = beckon_agent_dup_result (beckon_fixture_server_get_request (test->agent->server, 1), "call_1");

  if (strstr (result, words) == NULL)
    g_error ("“%s” does not say “%s”", result, words);
}

/* A hook sees the arguments that a person put in place of the model's. */
static void
test_sees_what_runs (void)
{
  g_autoptr (Case) test = case_new ();

  call (test, "write_note", "{\"n\":1}");
  beckon_agent_fixture_answer (test->agent, beckon_agent_fixture_wait_pending (test->agent, 1),
                               beckon_answer_new (BECKON_ANSWER_APPROVED_EDITED, "{\"n\":2}"));
  finish (test);
  g_assert_cmpstr (test->hook->seen->str, ==,
                   "check {\"n\":2}\nstarted {\"n\":2}\nended {\"n\":2}: write_note did {\"n\":2}\n");
}

static void
test_veto (void)
{
  g_autoptr (Case) test = case_new ();

  test->hook->verdict = BECKON_HOOK_VETO;
  call (test, "read_note", "{}");
  finish (test);
  g_assert_cmpuint (beckon_test_tool_get_n_begun (test->read), ==, 0);
  g_assert_cmpstr (test->hook->seen->str, ==, "check {}\n");
  assert_told (test, "It smells.");
}

/* A veto is stronger than a person: they were not asked about what the hook knows. */
static void
test_veto_after_approval (void)
{
  g_autoptr (Case) test = case_new ();

  test->hook->verdict = BECKON_HOOK_VETO;
  call (test, "write_note", "{}");
  beckon_agent_fixture_answer (test->agent, beckon_agent_fixture_wait_pending (test->agent, 1),
                               beckon_answer_new (BECKON_ANSWER_APPROVED, NULL));
  finish (test);
  g_assert_cmpuint (beckon_test_tool_get_n_begun (test->change), ==, 0);
}

static void
test_asks (void)
{
  g_autoptr (Case) test = case_new ();
  BeckonRequest *request;

  test->hook->verdict = BECKON_HOOK_ASK;
  call (test, "read_note", "{}");
  request = beckon_agent_fixture_wait_pending (test->agent, 1);
  g_assert_cmpstr (beckon_request_get_reason (request), ==, "It smells.");
  g_assert_cmpuint (beckon_test_tool_get_n_begun (test->read), ==, 0);
  beckon_agent_fixture_answer (test->agent, request, beckon_answer_new (BECKON_ANSWER_APPROVED, NULL));
  finish (test);
  g_assert_cmpuint (beckon_test_tool_get_n_begun (test->read), ==, 1);
}

static void
test_failure_is_closed (void)
{
  g_autoptr (Case) test = case_new ();

  test->hook->fails = TRUE;
  call (test, "read_note", "{}");
  finish (test);
  g_assert_cmpuint (beckon_test_tool_get_n_begun (test->read), ==, 0);
  assert_told (test, "the checker broke");
}

/* Stopped while a hook thinks: whatever it says then, nothing runs. */
static void
test_stopped_while_it_thinks (void)
{
  g_autoptr (Case) test = case_new ();
  g_autoptr (GTask) waiting = NULL;

  test->hook->held = TRUE;
  call (test, "read_note", "{}");
  beckon_agent_wait_until (test->hook->waiting != NULL);
  waiting = g_steal_pointer (&test->hook->waiting);
  beckon_agent_fixture_stop (test->agent);
  say (test->hook, waiting);
  g_clear_object (&waiting);
  beckon_agent_fixture_settle ();
  g_assert_cmpuint (beckon_test_tool_get_n_begun (test->read), ==, 0);
}

static guint
count_rules (Case *test)
{
  return beckon_rules_get_snapshot (test->agent->rules)->len;
}

/* The tool of a server is approved for good, and a hook looks at the call. */
static void
approve_for_good (Case *test)
{
  BeckonRequest *request;
  BeckonAnswer *approved = beckon_answer_new (BECKON_ANSWER_APPROVED, NULL);

  beckon_test_tool_set_digest (test->change, "as it was shown");
  test->hook->held = TRUE;
  call (test, "write_note", "{\"path\":\"/tmp/a\"}");
  request = beckon_agent_fixture_wait_pending (test->agent, 1);
  beckon_answer_set_remember (
    approved, beckon_rule_proposal_copy_rules (g_ptr_array_index (beckon_request_get_ground (request)->proposals, 0), NULL, 5));
  beckon_agent_fixture_answer (test->agent, request, approved);
  beckon_agent_wait_until (test->hook->waiting != NULL && count_rules (test) == 1);
}

static void
let_go (Case *test)
{
  g_autoptr (GTask) waiting = g_steal_pointer (&test->hook->waiting);

  say (test->hook, waiting);
}

/* A rule is about the tool that was shown with it: it goes where the call does not start, too. */
static void
test_rule_of_changed_tool (void)
{
  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (Case) test = case_new ();

      approve_for_good (test);
      beckon_test_tool_set_digest (test->change, i == 0 ? "as it was shown" : "as it is now");
      if (i < 2)
        beckon_agent_fixture_stop (test->agent);
      else
        test->hook->verdict = BECKON_HOOK_VETO;
      let_go (test);
      if (i == 2)
        finish (test);
      if (i > 0)
        beckon_agent_wait_until (count_rules (test) == 0);
      beckon_agent_fixture_settle ();
      g_assert_cmpuint (count_rules (test), ==, i == 0);
      g_assert_cmpuint (beckon_test_tool_get_n_begun (test->change), ==, 0);
    }
}

static void
test_rule_of_tool_that_is_gone (void)
{
  g_autoptr (Case) test = case_new ();

  approve_for_good (test);
  beckon_tool_registry_remove (test->agent->tools, BECKON_TOOL (test->change));
  let_go (test);
  finish (test);
  beckon_agent_wait_until (count_rules (test) == 0);
  assert_told (test, "The tool is not there any more.");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/agent/hooks/sees-what-runs", test_sees_what_runs);
  g_test_add_func ("/agent/hooks/veto", test_veto);
  g_test_add_func ("/agent/hooks/veto-after-approval", test_veto_after_approval);
  g_test_add_func ("/agent/hooks/asks", test_asks);
  g_test_add_func ("/agent/hooks/failure-is-closed", test_failure_is_closed);
  g_test_add_func ("/agent/hooks/stopped-while-it-thinks", test_stopped_while_it_thinks);

  g_test_add_func ("/agent/hooks/rule-of-changed-tool", test_rule_of_changed_tool);
  g_test_add_func ("/agent/hooks/rule-of-tool-that-is-gone", test_rule_of_tool_that_is_gone);

  return g_test_run ();
}
